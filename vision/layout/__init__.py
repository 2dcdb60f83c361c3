"""Seen cards to positions: one module a game, and the choice between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from solver.cards import Card
from solver.errors import NotationError
from vision.cards_seen import Table
from vision.decode import DOUBTS
from vision.geometry import Array
from vision.layout import klondike, makiaveli, tomb_double, tomb_single
from vision.layout.parsed import Parsed, Placed

CARDS: Final = "cards"
"""Instead of a game: only the cards, whatever they mean."""
GAMES: Final = ("makiaveli", "klondike", "tomb_single", "tomb_double")
ONE_DECK: Final = ("klondike", "tomb_single")
SURE: Final = 0.95
"""A card this surely read..."""
APART: Final = 1.5
"""...twice, so many card heights apart that these are not the two indices of one card..."""
MISREAD_PAIRS: Final = 5
"""...and more often than this tells of two decks; fewer may be misread."""
POSSIBLE: Final = 10.0
"""Cards face down are counted, which lowers a score, only where Klondike's is not so far behind the best."""
NEGLIGIBLE: Final = 20.0
"""A score so far behind the best is not worked out."""


def parse(game: str, table: Table, *, hand_given: bool = False, decoding: bool = True, doubts: int = DOUBTS) -> Parsed:
    """A table as a position of `game`, or only its cards; see the games' own `parse` for what is asked of it.

    Raises:
        NotationError: For an unknown game.
    """
    match game:
        case "makiaveli":
            return makiaveli.parse(table, hand_given=hand_given, decoding=decoding, doubts=doubts)
        case "klondike":
            return klondike.parse(table, decoding=decoding, doubts=doubts)
        case "tomb_single":
            return tomb_single.parse(table, decoding=decoding, doubts=doubts)
        case "tomb_double":
            return tomb_double.parse(table, decoding=decoding, doubts=doubts)
        case "cards":
            return _cards(table)
    raise NotationError(game, 1, f"unknown game {game!r}", "one of " + ", ".join((*GAMES, CARDS)))


def choose(table: Table, *, decoding: bool = True) -> tuple[Parsed | None, float]:
    """The game that explains a table best, with the probability of it; None for an empty table."""
    if not table.cards and not table.backs:
        return None, 0.0
    uncounted = replace(table, count_backs=None)
    games = [game for game in GAMES if game not in ONE_DECK] if _sure_pairs(table) > MISREAD_PAIRS else GAMES
    found = {game: parse(game, uncounted, decoding=decoding, doubts=0) for game in games if game != "klondike"}
    score = max(parsed.score for parsed in found.values())
    if "klondike" in games:
        found["klondike"] = klondike.parse(uncounted, decoding=decoding, doubts=0, least=score - NEGLIGIBLE)
        if table.count_backs is not None and found["klondike"].score > score - POSSIBLE:
            found["klondike"] = klondike.parse(table, decoding=decoding)
    best = max(games, key=lambda game: found[game].score)
    share = {game: float(np.exp(parsed.score - found[best].score)) for game, parsed in found.items()}
    # Only now is it worth weighing what doubtful cards could be instead.
    counted = best == "klondike" and table.count_backs is not None
    return found[best] if counted else parse(best, uncounted, decoding=decoding), 1 / sum(share.values())


def _sure_pairs(table: Table) -> int:
    """How many cards are read twice at places apart, both times without doubt: one deck has none."""
    places: dict[int, list[Array]] = {}
    for card in table.cards:
        if card.is_card * np.exp(card.log_card.max()) > SURE:
            places.setdefault(int(card.log_card.argmax()), []).append(card.centre)
    reach = APART * table.template.height
    return sum(max(float(np.linalg.norm(at - spots[0])) for at in spots) > reach for spots in places.values())


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
