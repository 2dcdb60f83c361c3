"""Seen cards to positions: one module a game, and the choice between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from solver.cards import Card
from solver.errors import NotationError
from vision.cards_seen import Table
from vision.layout import klondike, makiaveli, tomb_double, tomb_single
from vision.layout.parsed import Parsed, Placed

CARDS: Final = "cards"
"""Instead of a game: only the cards, whatever they mean."""
GAMES: Final = ("makiaveli", "klondike", "tomb_single", "tomb_double")
POSSIBLE: Final = 10.0
"""Cards face down are counted, which lowers a score, only where Klondike's is not so far behind the best."""


def parse(game: str, table: Table, *, hand_given: bool = False, decoding: bool = True) -> Parsed:
    """A table as a position of `game`, or only its cards.

    Raises:
        NotationError: For an unknown game.
    """
    match game:
        case "makiaveli":
            return makiaveli.parse(table, hand_given=hand_given, decoding=decoding)
        case "klondike":
            return klondike.parse(table, decoding=decoding)
        case "tomb_single":
            return tomb_single.parse(table, decoding=decoding)
        case "tomb_double":
            return tomb_double.parse(table, decoding=decoding)
        case "cards":
            return _cards(table)
    raise NotationError(game, 1, f"unknown game {game!r}", "one of " + ", ".join((*GAMES, CARDS)))


def choose(table: Table, *, decoding: bool = True) -> tuple[Parsed | None, float]:
    """The game that explains a table best, with the probability of it; None for an empty table."""
    if not table.cards and not table.backs:
        return None, 0.0
    uncounted = replace(table, count_backs=None)
    found = [parse(game, uncounted, decoding=decoding) for game in GAMES]
    scores = np.array([parsed.score for parsed in found])
    columns = GAMES.index("klondike")
    if table.count_backs is not None and scores[columns] > scores.max() - POSSIBLE:
        found[columns] = klondike.parse(table, decoding=decoding)
        scores[columns] = found[columns].score
    share = np.exp(scores - scores.max())
    best = int(scores.argmax())
    return found[best], float(share[best] / share.sum())


def _cards(table: Table) -> Parsed:
    """Each card on its own, from left to right."""
    rows = sorted(range(len(table.cards)), key=lambda row: float(table.cards[row].quad[:, 0].mean()))
    placed = []
    for row in rows:
        card = table.cards[row]
        chance = np.exp(card.log_card)
        order = [int(c) for c in np.argsort(-chance)[:4]]
        others = tuple((Card.from_index(c), float(chance[c])) for c in order[1:] if chance[c] > 1e-5)
        placed.append(Placed(card.best, "none", row, float(chance[order[0]]), others))
    return Parsed(CARDS, {}, tuple(placed))
