"""Seen cards to positions: one module a game, and the choice between them."""

from __future__ import annotations

from typing import Final

import numpy as np

from solver.errors import NotationError
from vision.cards_seen import Table
from vision.layout import makiaveli
from vision.layout.parsed import Parsed

GAMES: Final = ("makiaveli",)


def parse(game: str, table: Table, *, hand_given: bool = False, decoding: bool = True) -> Parsed:
    """A table as a position of `game`.

    Raises:
        NotationError: For an unknown game.
    """
    if game == "makiaveli":
        return makiaveli.parse(table, hand_given=hand_given, decoding=decoding)
    raise NotationError(game, 1, f"unknown game {game!r}", "one of " + ", ".join(GAMES))


def choose(table: Table, *, decoding: bool = True) -> tuple[Parsed | None, float]:
    """The game that explains a table best, with the probability of it; None for an empty table."""
    if not table.cards and not table.backs:
        return None, 0.0
    found = [parse(game, table, decoding=decoding) for game in GAMES]
    scores = np.array([parsed.score for parsed in found])
    share = np.exp(scores - scores.max())
    best = int(scores.argmax())
    return found[best], float(share[best] / share.sum())
