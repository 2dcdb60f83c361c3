"""A place on a table: a pile, such as the third column, or where a single card lies, such as left of the deck.

`Place` is what everything inside speaks of: readings, positions, faults, moves and boards. Text and numbers stay at the
border, where each has one way in and one way out:

- Zones, in labels, in a reading's JSON and in the network's vocabulary: `Place.parse("column/2")`, `str(place)`. A
  foundation is `foundation/H`; the only one of its kind is its word, such as `hand`.
- Paths in a position's JSON, as the page's board uses them: `Place.of_path("columns/2")`, `place.path`. A path may lead
  further, to a part of the pile or to a card (`columns/2/up/3`).
- Attributes of a position: `place.field`, such as `columns`. `solver.position.pile_at` reads them.
- Moves: `Letters.parse("T3")`, `Letters.text(place)`.
- Words for people: `drawing.zones.place_name(place)`, such as `column 3`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from plumbing.errors import NotationError
from solver.cards import SUIT_CHARS

_FIELDS: Final[Mapping[str, str]] = {
    "column": "columns",
    "corner": "corners",
    "cross": "cross",
    "floor": "floor",
    "foundation": "foundations",
    "reserve": "reserves",
    "spare": "spares",
    "tableau": "tableau",
    "waste": "wastes",
}
"""The kinds of which a table has several, and the attribute of a position that holds them."""
_KINDS: Final = {field: kind for kind, field in _FIELDS.items()}
_TEXT: Final = re.compile(r"([a-z_]+)(?:/([0-9]{1,4}|[CDHS]))?")


class Place(NamedTuple):
    """A pile on a table, or the place of a single card. A tuple, because rules compare places all the time.

    Attributes:
        kind: What it is, in the singular: `column`, `cross`, `hand`; of Makiaveli's melds `floor`.
        number: Which of several, counted from 0; of a foundation its suit's number. None for the only one of its kind,
            and for any one of its kind.

    >>> Place("column", 2).path, str(Place("column", 2)), str(Place("foundation", 2))
    ('columns/2', 'column/2', 'foundation/H')
    >>> Place.parse("column/2") == Place.of_path("columns/2/up/3") == Place("column", 2)
    True
    """

    kind: str
    number: int | None = None

    def __str__(self) -> str:
        return self.kind if self.number is None else f"{self.kind}/{self._number_text}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a zone's name as labels and readings write it. Raises NotationError.

        >>> Place.parse("cross/3"), Place.parse("hand")
        (Place(kind='cross', number=3), Place(kind='hand', number=None))
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise NotationError(text, 1, f"{text!r} is no place", "such as column/2, foundation/H or hand")
        kind, number = match.groups()
        return cls(kind, None if number is None else _number(number))

    @classmethod
    def of_path(cls, path: str) -> Self:
        """The place that a path in a position's JSON leads to or into.

        >>> str(Place.of_path("wastes/1")), str(Place.of_path("waste/1")), str(Place.of_path("floor/*"))
        ('waste/1', 'waste', 'floor')
        """
        field, *rest = path.split("/")
        number = _number(rest[0]) if rest and field in _KINDS and rest[0] != "*" else None
        return cls(_KINDS.get(field, field), number)

    @property
    def field(self) -> str:
        """The attribute of a position, and key of its JSON object, that holds it or its like."""
        return self.kind if self.number is None else _FIELDS.get(self.kind, self.kind)

    @property
    def path(self) -> str:
        """Where a position's JSON object holds it."""
        return self.field if self.number is None else f"{self.field}/{self._number_text}"

    @property
    def ordinal(self) -> int:
        """The number of a place that has one, counted from 0."""
        assert self.number is not None, f"there is only one {self.kind}"
        return self.number

    @property
    def any_of_kind(self) -> Self:
        """Its kind alone, as the layout network names melds and foundations.

        >>> str(Place("floor", 3).any_of_kind)
        'floor'
        """
        return type(self)(self.kind)

    @property
    def _number_text(self) -> str:
        """The number as it is written: a foundation's suit, else counted from 0."""
        assert self.number is not None
        return SUIT_CHARS[self.number] if self.kind == "foundation" else str(self.number)


@dataclass(frozen=True, slots=True)
class Letters:
    """How the moves of a game write its places: a letter, and where there are several a number counted from 1.

    Attributes:
        kinds: The kind of place that each letter stands for.

    >>> letters = Letters({"T": "column", "W": "waste"})
    >>> letters.text(Place("column", 2)), letters.text(Place("waste")), letters.parse("T3")
    ('T3', 'W', Place(kind='column', number=2))
    """

    kinds: Mapping[str, str]
    _letters: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_letters", {kind: letter for letter, kind in self.kinds.items()})

    def text(self, place: Place) -> str:
        """A place as moves write it."""
        letter = self._letters[place.kind]
        return letter if place.number is None else f"{letter}{place.number + 1}"

    def parse(self, text: str) -> Place:
        """The place that is written so. Raises KeyError where there is no such letter."""
        return Place(self.kinds[text[0]], int(text[1:]) - 1 if text[1:] else None)


NOWHERE: Final = Place("none")
"""The place of what belongs to no game, or was left out of the table."""


def _number(text: str) -> int:
    return SUIT_CHARS.index(text) if text in SUIT_CHARS else int(text)
