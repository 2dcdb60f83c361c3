"""A column of Klondike: what lies in it, its notation, and which card may lie on which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plumbing.errors import NotationError
from solver.cards import Card, MaybeCard, card_text, cards_text
from solver.place import Place
from solver.position import Fault, Field, cards_from_json

_COLUMN = re.compile(r"([^\[\]]*)(?:\[([^\[\]]*)\])?")


def fits(card: Card, parent: Card) -> bool:
    """Whether `card` may lie on `parent` in a column: one rank lower, the other colour."""
    return card.rank + 1 == parent.rank and card.is_red != parent.is_red


@dataclass(frozen=True, slots=True)
class Column:
    """A column, bottom to top.

    Attributes:
        down: Face-down cards; None for one whose identity is not known.
        up: Face-up cards.
    """

    down: tuple[MaybeCard, ...] = ()
    up: tuple[MaybeCard, ...] = ()

    def __str__(self) -> str:
        if not self.down and not self.up:
            return "-"
        up = f"[{cards_text(self.up)}]"
        return f"{cards_text(self.down)} {up}" if self.down else up

    def without(self, count: int) -> Column:
        """The column after its last `count` cards have left; a card uncovered turns face up at once."""
        up = self.up[: len(self.up) - count]
        if not up and self.down:
            return Column(self.down[:-1], self.down[-1:])
        return Column(self.down, up)

    @classmethod
    def parse(cls, part: Field) -> Column:
        """Reads a column of the one-line notation; without brackets its last card is face up.

        Raises:
            NotationError: At the first place that cannot be read.

        >>> print(Column.parse(Field("?? 9C 8H")))
        ?? 9C [8H]
        """
        if part.value == "-":
            return cls()
        match = _COLUMN.fullmatch(part.value)
        if match is None:
            raise part.error(f"{part.value!r} is no column", "face-down cards, then the face-up ones in brackets")
        down = part.part(*match.span(1)).cards()
        if match.group(2) is None:
            return cls(down[:-1], down[-1:])
        return cls(down, part.part(*match.span(2)).cards())

    @classmethod
    def from_json(cls, data: object, place: str) -> Column:
        """Reads `{"down": [...], "up": [...]}`; of a plain list the last card is face up. Raises NotationError."""
        if isinstance(data, Mapping):
            unknown = set(data) - {"down", "up"}
            if unknown:
                problem = f"{place} has the key {min(map(str, unknown))!r}"
                raise NotationError(str(data)[:80], 1, problem, "'down' and 'up'")
            down, up = (cards_from_json(data.get(part) or [], place) for part in ("down", "up"))
            return cls(down, up)
        cards = cards_from_json(data, place)
        return cls(cards[:-1], cards[-1:])

    def to_json(self) -> dict[str, list[str]]:
        """The column's JSON object."""
        return {"down": [card_text(card) for card in self.down], "up": [card_text(card) for card in self.up]}

    def faults(self, number: int) -> Iterator[Fault]:
        """What breaks the rules in the column, which is that of a number counted from 0."""
        name, places = f"column {number + 1}", [Place("column", number)]
        if self.down and not self.up:
            yield Fault(f"{name} ends face down; an uncovered card is turned at once", places=places)
        for upper, lower in zip(self.up, self.up[1:], strict=False):
            if upper is not None and lower is not None and not fits(lower, upper):
                text = f"{name}: {lower} does not go on {upper}"
                yield Fault(text, places=places, cards=[upper, lower])
        if None in self.up:
            yield Fault(f"{name} shows a face-up card that is not named", places=places)
