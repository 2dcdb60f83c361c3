"""Whole games of Klondike as somebody plays them who takes a photo now and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.picture_tools import Rng
from solver.cards import DECK
from solver.klondike.house_rules import STANDARD, STANDARD_DRAW_1
from solver.klondike.move import Move
from solver.klondike.position import Position, deal
from solver.record import Record, Step

MOST_MOVES: Final = 160
MOST_IDLE: Final = 30
"""After so many draws in a row nothing more happens."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its photos.

    Attributes:
        record: The game, as somebody knows it who saw every card.
        photos: After how many of its steps each photo was taken, in the order of time.
    """

    record: Record
    photos: tuple[int, ...]

    def position(self, photo: int) -> Position:
        """The table in a photo, with every card known."""
        table: Position = self.record.positions[self.photos[photo]]  # type: ignore[assignment]
        return table


def play_game(rng: Rng, fewest_photos: int = 20, most_photos: int = 40) -> PlayedGame:
    """A random game with photos after each move or after every few.

    Args:
        rng: Random generator.
        fewest_photos: Shorter games are played again.
        most_photos: Where photographing stops.
    """
    while True:
        record = _play(rng)
        pace = float(rng.choice([1.0, 1.5, 2.5, 3.5]))  # moves from one photo to the next
        photos: list[int] = []
        step = int(rng.integers(0, 3))
        while step <= len(record.steps) and len(photos) < most_photos:
            photos.append(step)
            step += min(1 + int(rng.poisson(pace - 1)), 6)
        if len(photos) >= fewest_photos:
            return PlayedGame(record, tuple(photos))


def _play(rng: Rng) -> Record:
    cards = [DECK[k] for k in rng.permutation(len(DECK))]
    start = deal(cards, STANDARD_DRAW_1 if rng.random() < 0.6 else STANDARD)
    position, moves, idle = start, list[Move](), 0
    while idle < MOST_IDLE and len(moves) < MOST_MOVES and not position.is_won:
        move = _choose(rng, position)
        if move is None:
            break
        idle = idle + 1 if move.source.kind == "stock" else 0
        position = position.play(move)
        moves.append(move)
    return Record(start, tuple(Step(move) for move in moves[: len(moves) - max(idle - 3, 0)]))


def _choose(rng: Rng, position: Position) -> Move | None:
    """A move as somebody makes it who looks no further than this turn."""
    moves = position.moves()
    weights = np.array([_weight(position, move) for move in moves])
    if not weights.sum():
        return None
    return moves[int(rng.choice(len(moves), p=weights / weights.sum()))]


def _weight(position: Position, move: Move) -> float:
    match move.source.kind, move.target.kind:
        case "stock", _:
            return 1.0
        case "waste", "column":
            return 5.0
        case _, "foundation":
            return 8.0
        case "foundation", _:
            return 0.01
    column = position.columns[move.source.ordinal]
    if move.count < len(column.up):
        return 0.05
    if column.down:
        return 9.0
    return 0.0 if not position.columns[move.target.ordinal].up else 0.5
