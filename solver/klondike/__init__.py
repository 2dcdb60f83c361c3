"""Klondike: rules, positions, the exact solver, hidden cards, and the text game."""

from solver.klondike.position import Column, Move, Position, deal, random_deal
from solver.klondike.rules import SEED, STANDARD, STANDARD_DRAW_1, ColumnMoves, KlondikeRules

Rules = KlondikeRules

__all__ = [
    "SEED",
    "STANDARD",
    "STANDARD_DRAW_1",
    "Column",
    "ColumnMoves",
    "KlondikeRules",
    "Move",
    "Position",
    "Rules",
    "deal",
    "random_deal",
]
