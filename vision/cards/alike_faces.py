"""Decks whose faces look alike: what faces say of cards of several ranks tells nothing of any of them.

Some decks print one large pip on each card, as if all were aces. There the faces dispute what indices say: 2C, 5C and
TC are said to be AC. By itself each is a doubt. Together they tell that the indices are right: those do not misread
several ranks as the one that all faces have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.cards.seen_table import SeenCard, SeenTable

RANKS: Final = 13
FEWEST_RANKS: Final = 3
"""A face that disputes so many ranks is on all of this deck's cards. Where it disputes one rank only, that may be an
index of other decks: E is an ace in some, and is read as a jack. Another dispute may come by chance."""
DOUBT: Final = 0.001
"""How likely a face may be right all the same."""


def without_alike_faces(tables: Sequence[SeenTable]) -> list[SeenTable]:
    """What photos of one deck show, in which cards are read by their indices where all faces look alike."""
    disputed = {card.disputed for table in tables for card in table.cards if card.disputed}
    alike = _alike_ranks(disputed)
    return [_settle(table, alike) for table in tables] if alike else list(tables)


def _alike_ranks(disputed: Iterable[tuple[int, ...]]) -> set[int]:
    """The ranks that are said of cards of several others, from what is in dispute of each card.

    >>> _alike_ranks([(0, 1), (0, 4), (13, 22)]), _alike_ranks([(0, 10), (13, 23), (0, 3)]), _alike_ranks([(0, 13)])
    ({0}, set(), set())
    """
    others: dict[int, set[int]] = {}
    for pair in map(_ranks_in_dispute, disputed):
        for rank in pair:
            others.setdefault(rank, set()).update(other for other in pair if other != rank)
    return {rank for rank, found in others.items() if len(found) >= FEWEST_RANKS}


def _ranks_in_dispute(disputed: tuple[int, ...]) -> tuple[int, ...]:
    """The two ranks that a card of one suit may have; none where anything else is in dispute."""
    ranks = tuple(card % RANKS for card in disputed)
    return ranks if len(ranks) == 2 and disputed[0] // RANKS == disputed[1] // RANKS else ()


def _settle(table: SeenTable, alike: set[int]) -> SeenTable:
    """The table without disputes between one of these ranks and another one."""
    settled: Mapping[int, SeenCard] = {
        row: _by_index(card, *said)
        for row, card in enumerate(table.cards)
        if len(said := [rank for rank in _ranks_in_dispute(card.disputed) if rank in alike]) == 1
    }
    return replace(table, cards=tuple(settled.get(row, card) for row, card in enumerate(table.cards)))


def _by_index(card: SeenCard, said: int) -> SeenCard:
    """A card that is hardly of the rank that faces say."""
    chances = np.exp(card.log_card).reshape(-1, RANKS)
    chances[:, said] *= DOUBT
    return replace(card, log_card=np.log(chances.ravel() / chances.sum()), disputed=())
