"""Klondike: rules, positions, the exact solver, hidden cards, and the text game."""

from solver.klondike.hidden import answer, solve_hidden
from solver.klondike.position import Column, Move, MoveKind, Position, deal, random_deal
from solver.klondike.rules import SEED, STANDARD, STANDARD_DRAW_1, ColumnMoves, KlondikeRules
from solver.klondike.solve import solve

__all__ = [
    "SEED",
    "STANDARD",
    "STANDARD_DRAW_1",
    "Column",
    "ColumnMoves",
    "KlondikeRules",
    "Move",
    "MoveKind",
    "Position",
    "answer",
    "deal",
    "random_deal",
    "solve",
    "solve_hidden",
]
