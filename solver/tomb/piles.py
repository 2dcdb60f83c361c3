"""What both games do with piles: their notation with hidden cards, and one pile changed among others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeVar

from plumbing.errors import NotationError
from solver.cards import Card, MaybeCard, parse_cards, parse_maybe_cards
from solver.position import Field, parse_fields, split_field

EMPTY: Final = "-"
"""An empty pile or place, as written."""

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
    if field.value == EMPTY:
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


@dataclass(frozen=True, slots=True)
class Line:
    """A position's line, split into its fields; fields that are left out stand for empty piles.

    Attributes:
        text: The whole line.
        fields: The fields that it has.
        most: The largest number of hidden cards that makes sense in one pile.

    >>> line = Line.parse("centre: AS; reserves: 2 3C | -", "tomb_double", ("centre", "reserves", "stock"), 104)
    >>> line.known_pile("centre"), line.piles("reserves", 4), line.pile("stock")
    ((Card('AS'),), ((None, None, Card('3C')), ()), ())
    """

    text: str
    fields: Mapping[str, Field]
    most: int

    @classmethod
    def parse(cls, text: str, game: str, names: Sequence[str], most: int) -> Self:
        """Splits a line into fields of these names; see `parse_fields` for its errors."""
        return cls(text, parse_fields(text, game, names), most)

    def pile(self, name: str) -> tuple[MaybeCard, ...]:
        """The one pile of a field. Raises NotationError."""
        return self._pile(self.fields.get(name, _LEFT_OUT))

    def piles(self, name: str, default: int) -> tuple[tuple[MaybeCard, ...], ...]:
        """The piles of a field, `default` empty ones where it is left out. Raises NotationError."""
        return self._all(name, default, self._pile)

    def known_pile(self, name: str) -> tuple[Card, ...]:
        """Like `pile`, but no card may be hidden."""
        return self._known_pile(self.fields.get(name, _LEFT_OUT))

    def known_piles(self, name: str, default: int) -> tuple[tuple[Card, ...], ...]:
        """Like `piles`, but no card may be hidden."""
        return self._all(name, default, self._known_pile)

    def _all(self, name: str, default: int, read: Callable[[Field], PileT]) -> tuple[PileT, ...]:
        field = self.fields.get(name)
        return (read(_LEFT_OUT),) * default if field is None else tuple(map(read, split_field(field)))

    def _pile(self, field: Field) -> tuple[MaybeCard, ...]:
        return parse_pile(field, self.text, self.most)

    def _known_pile(self, field: Field) -> tuple[Card, ...]:
        return () if field.value == EMPTY else parse_cards(field.value, whole=self.text, start=field.start)


_LEFT_OUT: Final = Field("", 0)


def replaced(piles: tuple[PileT, ...], place: int, pile: PileT) -> tuple[PileT, ...]:
    """The piles with another one at a place, counted from 0.

    >>> replaced(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    return (*piles[:place], pile, *piles[place + 1 :])
