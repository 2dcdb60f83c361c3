"""Klondike: rules, positions, the exact solver, hidden cards, and the text game.

`position.py` has the legal moves, `rules.py` the variants that can be chosen, `solve.py` the exact solver, `chances.py`
estimates for tables with cards face down and for many deals, `player.py` the best move by what is seen, and `play.py`
the text game.
"""

from solver.klondike.chances import answer, completions, estimate
from solver.klondike.house_rules import ONE_CARD, STANDARD, STANDARD_DRAW_1, ColumnMoves, KlondikeRules
from solver.klondike.move import Move, describe_moves
from solver.klondike.player import Advice, best_move
from solver.klondike.position import Column, Position, deal, random_deal
from solver.klondike.solve import solve, verdict_of

__all__ = [
    "ONE_CARD",
    "STANDARD",
    "STANDARD_DRAW_1",
    "Advice",
    "Column",
    "ColumnMoves",
    "KlondikeRules",
    "Move",
    "Position",
    "answer",
    "best_move",
    "completions",
    "deal",
    "describe_moves",
    "estimate",
    "random_deal",
    "solve",
    "verdict_of",
]
