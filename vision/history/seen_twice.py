"""Cards that photos of a game show twice: what they tell of how this deck is misread.

A game of one deck has each card once. Where a photo shows two that are read alike, the less sure one is another card.
Its rank, or its suit, is misread in photos that show no such pair, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from vision.cards.disputes import SUITS_AND_RANKS, count_odds_from
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenCard, SeenTable

LEAST_PAIRS: Final = 3
"""Fewer pairs may be bad photos."""
PLAINLY_APART: Final = 2.0
"""So wide a gap in their log-odds tells misread cards from others. Bad photos leave none: they spread all over."""
IS_CARD_FROM: Final = 0.9
"""Of a card that is less surely there, the other one may be a second sight."""
MOST_AGAINST: Final = 3.0
"""Log-odds against what is read are never higher: a card that is read right may be read less surely in a bad photo."""
SUIT, RANK = 0, 1


class Part(NamedTuple):
    """A suit or a rank that is read where another one lies: SUIT or RANK, the number of the one and of the other."""

    kind: int
    read: int
    true: int


@dataclass(frozen=True, slots=True)
class Misread:
    """How surely a deck's suit or rank is misread.

    Attributes:
        part: What is read for what.
        middle: Log-odds of what is read over what lies there; a card with fewer is rather misread.
    """

    part: Part
    middle: float


def doubt_as_seen_twice(tables: Sequence[SeenTable]) -> list[SeenTable]:
    """Photos of a game of one deck; what is read as what was misread elsewhere counts from where the two are alike."""
    found = find_misread(tables)
    if not found:
        return list(tables)
    return [replace(table, cards=tuple(_weigh(card, found) for card in table.cards)) for table in tables]


def find_misread(tables: Sequence[SeenTable]) -> list[Misread]:
    """What pairs of cards that are read alike tell of the deck."""
    margins: dict[Part, list[tuple[float, float]]] = defaultdict(list)
    for table in tables:
        for card, twin in _twins(table):
            part = _part_in_doubt(card)
            margins[part].append((_margin(card, part), _margin(twin, part)))
    found = []
    for part, pairs in margins.items():
        misread, right = np.array(pairs).T
        if len(pairs) >= LEAST_PAIRS:
            middle = _find_gap(_margins_of(tables, part), float(misread.max()), float(right.min()))
            found += [] if middle is None else [Misread(part, middle)]
    return found


def _margins_of(tables: Sequence[SeenTable], part: Part) -> list[float]:
    """The margins of all cards that are read so."""
    cards = (card for table in tables for card in table.cards)
    return [_margin(card, part) for card in cards if _log_parts(card, part.kind).argmax() == part.read]


def _find_gap(margins: Sequence[float], least: float, most: float) -> float | None:
    """The middle of the widest gap between two margins; None where looks tell nothing apart.

    >>> _find_gap([2, 4, 5, 9, 10], 2, 10), _find_gap([2, 3.5, 5, 6.5], 2, 6.5)
    (7.0, None)
    """
    between = sorted({least, most, *(margin for margin in margins if least < margin < most)})
    low, high = max(pairwise(between), key=lambda pair: pair[1] - pair[0], default=(least, most))
    return (low + high) / 2 if high - low >= PLAINLY_APART and least < most else None


def _twins(table: SeenTable) -> Iterator[tuple[SeenCard, SeenCard]]:
    """Cards that are read as one that is seen more surely, each with that one."""
    surest: dict[int, SeenCard] = {}
    there = (card for card in table.cards if card.is_card >= IS_CARD_FROM)
    for card in sorted(there, key=lambda card: -float(card.log_card.max())):
        twin = surest.setdefault(card.best.index, card)
        if twin is not card:
            yield card, twin


def _part_in_doubt(card: SeenCard) -> Part:
    """What sets the likeliest card apart from the next: its suit, or else its rank."""
    first, second = (divmod(int(c), SUITS_AND_RANKS[RANK]) for c in np.argsort(-card.log_card)[:2])
    kind = SUIT if first[RANK] == second[RANK] else RANK
    return Part(kind, first[kind], second[kind])


def _margin(card: SeenCard, part: Part) -> float:
    """Log-odds of what is read over what may lie there."""
    parts = _log_parts(card, part.kind)
    return float(parts[part.read] - parts[part.true])


def _log_parts(card: SeenCard, kind: int) -> Array:
    """Log-probabilities of a card's suits or ranks."""
    return np.asarray(np.logaddexp.reduce(card.log_card.reshape(SUITS_AND_RANKS), axis=1 - kind))


def _weigh(card: SeenCard, found: Sequence[Misread]) -> SeenCard:
    """A card whose odds count from the middle of those misread and those read right."""
    for part, middle in ((misread.part, misread.middle) for misread in found):
        margin = _margin(card, part)
        if _log_parts(card, part.kind).argmax() == part.read and margin <= middle:
            nearest = min(middle, margin + MOST_AGAINST)
            card = replace(card, log_card=count_odds_from(nearest, card.log_card, *part))
    return card
