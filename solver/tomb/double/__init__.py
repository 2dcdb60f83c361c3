"""Napoleon's Tomb with two decks."""

from solver.tomb.double.position import Position

__all__ = ["Position"]
