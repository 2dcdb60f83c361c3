"""The notation of piles of which some cards may be hidden, which both Tombs share."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import Final

from solver.cards import Card, MaybeCard, cards_text
from solver.notation import EMPTY, KNOWN_PILE, PILE, Field, Kind

_HIDDEN: Final = re.compile(r"(?<![0-9A-Za-z?])(\d{1,3})(?![0-9A-Za-z♣♦♥♠♧♢♡♤?])")


def hidden_pile(most: int) -> Kind[tuple[MaybeCard, ...]]:
    """A pile in which a bare number stands for so many hidden cards, `most` of them at most."""
    return replace(PILE, parse=lambda field: parse_pile(field, most))


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


def counted_text(pile: tuple[MaybeCard, ...]) -> str:
    """A pile as written with a number for each two hidden cards or more that lie together.

    >>> counted_text((None, None, None))
    '3'
    """
    words = []
    for is_hidden, group in groupby(pile, key=lambda card: card is None):
        run = tuple(group)
        words.append(str(len(run)) if is_hidden and len(run) > 1 else cards_text(run))
    return " ".join(words)


def _parse_known_pile(field: Field) -> tuple[Card, ...]:
    return () if field.value == EMPTY else field.known_cards()


KNOWN_TOMB_PILE: Final = replace(KNOWN_PILE, parse=_parse_known_pile)
"""Cards that are all known; a lone `-` is an empty pile."""
