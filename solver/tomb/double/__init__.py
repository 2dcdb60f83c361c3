"""Napoleon's Tomb with two decks: rules, positions, search with open cards, play with a hidden stock."""

from solver.tomb.double.position import Position
from solver.tomb.double.solve import answer, estimate, solve

__all__ = ["Position", "answer", "estimate", "solve"]
