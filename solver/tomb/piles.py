"""What both games do with piles: their notation with hidden cards, and one pile changed among others."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from plumbing.errors import NotationError
from solver.cards import MaybeCard, parse_maybe_cards
from solver.position import Field

PileT = TypeVar("PileT")

_HIDDEN: Final = re.compile(r"(?<![0-9A-Za-z?])(\d{1,3})(?![0-9A-Za-z♣♦♥♠♧♢♡♤?])")


def parse_pile(field: Field, text: str, most: int) -> tuple[MaybeCard, ...]:
    """Reads cards, `??` for a hidden one and bare numbers for so many hidden ones; a lone `-` is an empty pile.

    Args:
        field: The pile's part of the line.
        text: The whole line, for the error's column.
        most: The largest number of hidden cards that makes sense.

    Raises:
        NotationError: At the first place that cannot be read.

    >>> parse_pile(Field("2 3C", 0), "2 3C", 10)
    (None, None, Card('3C'))
    """
    if field.value == "-":
        return ()
    cards: list[MaybeCard] = []
    place = 0
    for match in _HIDDEN.finditer(field.value):
        cards += parse_maybe_cards(field.value[place : match.start()], whole=text, start=field.start + place)
        count = int(match.group(1))
        if not 1 <= count <= most:
            column = field.start + match.start() + 1
            raise NotationError(text, column, f"{count} hidden cards", f"1 to {most}")
        cards += [None] * count
        place = match.end()
    cards += parse_maybe_cards(field.value[place:], whole=text, start=field.start + place)
    return tuple(cards)


def replaced(piles: tuple[PileT, ...], place: int, pile: PileT) -> tuple[PileT, ...]:
    """The piles with another one at a place, counted from 0.

    >>> replaced(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    return (*piles[:place], pile, *piles[place + 1 :])
