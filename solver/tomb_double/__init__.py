"""Napoleon's Tomb with two decks: rules, positions, search with open cards, play with a hidden stock."""

from solver.tomb_double.position import Position, random_deal
from solver.tomb_double.rules import Move
from solver.tomb_double.simulate import Player, simulate
from solver.tomb_double.solve import answer, estimate, solve

__all__ = ["Move", "Player", "Position", "answer", "estimate", "random_deal", "simulate", "solve"]
