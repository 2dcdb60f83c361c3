"""The notation of piles that may hide cards, which both games share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from solver.cards import Card, MaybeCard
from solver.position import Field, Fields

EMPTY: Final = "-"
"""An empty pile or place, as written."""

PileT = TypeVar("PileT")

_HIDDEN: Final = re.compile(r"(?<![0-9A-Za-z?])(\d{1,3})(?![0-9A-Za-z♣♦♥♠♧♢♡♤?])")


def parse_pile(field: Field, most: int) -> tuple[MaybeCard, ...]:
    """Reads cards, `??` for a hidden one and bare numbers for so many hidden ones; a lone `-` is an empty pile.

    Args:
        field: The pile.
        most: The largest number of hidden cards that makes sense.

    Raises:
        NotationError: At the first place that cannot be read.

    >>> parse_pile(Field("2 3C"), 10)
    (None, None, Card('3C'))
    """
    if field.value == EMPTY:
        return ()
    cards: list[MaybeCard] = []
    place = 0
    for match in _HIDDEN.finditer(field.value):
        cards += field.part(place, match.start()).cards()
        count = int(match.group(1))
        if not 1 <= count <= most:
            raise field.part(match.start()).error(f"{count} hidden cards", f"1 to {most}")
        cards += [None] * count
        place = match.end()
    return (*cards, *field.part(place).cards())


def parse_known_pile(field: Field) -> tuple[Card, ...]:
    """Reads cards that are all known; a lone `-` is an empty pile. Raises NotationError."""
    return () if field.value == EMPTY else field.known_cards()


def parse_piles(
    fields: Fields, name: str, default: int, read: Callable[[Field], tuple[PileT, ...]]
) -> tuple[tuple[PileT, ...], ...]:
    """Reads a field of several piles; `default` empty ones where it is left out.

    Args:
        fields: The line's fields.
        name: The field's name.
        default: How many piles there are where it is left out.
        read: Reads a pile.
    """
    return tuple(map(read, fields[name].split())) if name in fields else ((),) * default
