"""What every position offers, and the one-line notation that all games share.

A position prints to one line that names its game and its piles, and parses back:

    makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 5S

Field names, colons and semicolons are the same for each game; what a field holds is the game's own business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

from plumbing.errors import NotationError, PositionError
from solver.cards import SUIT_CHARS, Card, MaybeCard, parse_card, parse_cards, parse_maybe_cards
from solver.place import Place

MoveT = TypeVar("MoveT")
PileT = TypeVar("PileT")
Heights = tuple[int, int, int, int]
"""How many cards lie on each foundation, clubs to spades."""


class Fault(str):
    """A fault of a position: a sentence, and the places and cards that it is about.

    Attributes:
        places: Where it lies; empty for anywhere.
        cards: The cards that it is about; empty for all that lie at `places`.

    >>> from solver.cards import parse_card
    >>> fault = Fault("7C stands 3 times; two decks hold 2", cards=[parse_card("7C")])
    >>> fault == "7C stands 3 times; two decks hold 2", fault.cards
    (True, (Card('7C'),))
    """

    places: tuple[Place, ...]
    cards: tuple[Card, ...]

    def __new__(cls, text: str, *, places: Iterable[Place] = (), cards: Iterable[MaybeCard] = ()) -> Self:
        """The sentence, and what it speaks of."""
        fault = super().__new__(cls, text)
        fault.places = tuple(places)
        fault.cards = tuple(card for card in cards if card is not None)
        return fault


@runtime_checkable
class Position(Protocol[MoveT]):
    """A position of any game: frozen, hashable, equal by value.

    `parse(str(p)) == p` and `from_json(p.to_json()) == p` hold for each one, legal or not; `problems` judges.
    """

    game: ClassVar[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the one-line notation. Raises NotationError."""
        ...

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the position's JSON object. Raises NotationError or PositionError."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The position's JSON object."""
        ...

    def problems(self) -> tuple[str, ...]:
        """Every fault at once, each a `Fault` where it has a place; empty for a legal position."""
        ...

    def cards(self) -> tuple[MaybeCard, ...]:
        """All cards on the table and in the hand, None for unknown ones."""
        ...

    def moves(self) -> Sequence[MoveT]:
        """The legal moves, each once; in Makiaveli, where a move is a whole turn, only those that change one meld."""
        ...

    def play(self, move: MoveT) -> Self:
        """The position after `move`. Raises IllegalMoveError; never searches."""
        ...

    def turned_up(self, move: MoveT) -> tuple[str, ...]:
        """Paths in the position's JSON object of the hidden cards that `move`, if it is legal, turns up."""
        ...

    @property
    def is_known(self) -> bool:
        """Whether no card that matters is hidden, so that the answer can be exact."""
        ...

    @property
    def is_won(self) -> bool:
        """Whether the game is won in this position."""
        ...


def check(position: Position[Any]) -> None:
    """Raises PositionError with every fault if the position is not legal."""
    problems = position.problems()
    if problems:
        raise PositionError(position.game, problems)


def replaced(piles: tuple[PileT, ...], place: int, pile: PileT) -> tuple[PileT, ...]:
    """The piles with another one at a place, counted from 0.

    >>> replaced(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    return (*piles[:place], pile, *piles[place + 1 :])


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a line, or a part of one.

    Attributes:
        value: What stands there, stripped.
        start: Where `value` begins in the whole line, counted from 0.
        text: The whole line.
    """

    value: str
    start: int = 0
    text: str = field(default="", repr=False)

    def error(self, problem: str, expected: str) -> NotationError:
        """The error of a field that cannot be read; it names the column where the field begins."""
        return NotationError(self.text, self.start + 1, problem, expected)

    def cards(self) -> tuple[MaybeCard, ...]:
        """The cards of the field. Raises NotationError."""
        return parse_maybe_cards(self.value, whole=self.text, start=self.start)

    def known_cards(self) -> tuple[Card, ...]:
        """The cards of the field, none of which may be unknown. Raises NotationError."""
        return parse_cards(self.value, whole=self.text, start=self.start)

    def part(self, start: int, end: int | None = None) -> Field:
        """The characters of the field from one number up to another."""
        raw = self.value[start:end]
        return Field(raw.strip(), self.start + start + len(raw) - len(raw.lstrip()), self.text)

    def split(self, separator: str = "|") -> tuple[Field, ...]:
        """The parts between separators; an empty field has none.

        >>> [part.value for part in Field("7C 7D | 9S").split()]
        ['7C 7D', '9S']
        """
        if not self.value:
            return ()
        ends = [found.start() for found in re.finditer(re.escape(separator), self.value)]
        return tuple(map(self.part, [0, *(end + len(separator) for end in ends)], [*ends, None]))


class Fields(dict[str, Field]):
    """The fields of a line, by name; one that is left out reads as an empty one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def __missing__(self, name: str) -> Field:
        return Field("", 0, self.text)


_GAME_WORD = re.compile(r"\s*([a-z]+(?:_[a-z]+)*)(?=\s|$)(?!\s*:)")
_FIELD = re.compile(r"\s*([A-Za-z_0-9]+)\s*:([^;]*)(?:;|$)")


def game_of(text: str) -> str | None:
    """The game word that a line begins with, None where it begins with a field.

    >>> game_of("makiaveli hand: 3S")
    'makiaveli'
    >>> game_of("hand: 3S") is None
    True
    """
    match = _GAME_WORD.match(text)
    return match.group(1) if match else None


def parse_fields(text: str, game: str, names: Sequence[str]) -> Fields:
    """Splits a line into its named fields; the game word may be left out.

    Raises:
        NotationError: For another game's word, an unknown or repeated field, or text that is no field.

    >>> parse_fields("makiaveli floor: ; hand: 3S 4S", "makiaveli", ("floor", "cross", "hand"))["hand"]
    Field(value='3S 4S', start=25)
    """
    place = 0
    word = _GAME_WORD.match(text)
    if word:
        if word.group(1) != game:
            raise NotationError(text, word.start(1) + 1, f"the game is {word.group(1)!r}", f"{game!r}")
        place = word.end()
    fields = Fields(text)
    expected = "one of " + ", ".join(f"'{name}: ...'" for name in names)
    while text[place:].strip(" \t\r\n;"):
        match = _FIELD.match(text, place)
        column = place + 1 + len(text[place:]) - len(text[place:].lstrip())
        if match is None:
            raise NotationError(text, column, f"{text[column - 1 : column + 19]!r} is no field", expected)
        name = match.group(1).lower()
        if name not in names:
            raise NotationError(text, column, f"unknown field {name!r}", expected)
        if name in fields:
            raise NotationError(text, column, f"field {name!r} stands twice", "each field once")
        fields[name] = Field(text, 0, text).part(*match.span(2))
        place = match.end()
    return fields


def parse_count(field: Field, expected: str = "a whole number") -> int:
    """Reads a field that holds a number from 0 on. Raises NotationError.

    >>> parse_count(Field("4"))
    4
    """
    if not re.fullmatch(r"[0-9]{1,9}", field.value):
        raise field.error(f"{field.value!r} is no number", expected)
    return int(field.value)


def parse_foundations(field: Field, most: int | None = None) -> Heights:
    """Reads a field that holds each foundation's suit and number of cards, 0 where it is left out.

    Raises:
        NotationError: For anything else, a suit that stands twice, or a number above `most`, where that is given.

    >>> parse_foundations(Field("C1 H12"))
    (1, 0, 12, 0)
    """
    heights: dict[str, int] = {}
    expected = "a suit and its number of cards such as H5" + (f", 0 to {most}" if most is not None else "")
    for match in re.finditer(r"([CDHScdhs])\s*(-?[0-9]{1,9})|[^\s,]+", field.value):
        part, (suit, height) = field.part(*match.span()), match.groups()
        if suit is None or (most is not None and not 0 <= int(height) <= most):
            raise part.error(f"{part.value!r} is no foundation", expected)
        if suit.upper() in heights:
            raise part.error(f"foundation {suit.upper()} stands twice", "each suit once")
        heights[suit.upper()] = int(height)
    c, d, h, s = (heights.get(suit, 0) for suit in SUIT_CHARS)
    return c, d, h, s


def foundations_from_json(data: object, most: int | None = None) -> Heights:
    """Reads a JSON object of each foundation's number of cards. Raises NotationError, also for one above `most`.

    >>> foundations_from_json({"C": 1, "H": 12})
    (1, 0, 12, 0)
    """
    if not isinstance(data, Mapping) or not set(data) <= set(SUIT_CHARS):
        expected = 'an object such as {"C": 0, "D": 2, "H": 0, "S": 1}'
        raise NotationError(str(data)[:80], 1, f"foundations is {str(data)[:40]}", expected)
    c, d, h, s = (count_from_json(data.get(suit, 0), f"foundation {suit}", most) for suit in SUIT_CHARS)
    return c, d, h, s


def count_from_json(data: object, place: str, most: int | None = None) -> int:
    """Reads a JSON number; up to `most` and not below 0, where that is given. Raises NotationError.

    >>> count_from_json(3, "redeals", 4)
    3
    """
    if not isinstance(data, int) or isinstance(data, bool) or (most is not None and not 0 <= data <= most):
        expected = "a whole number" + (f" from 0 to {most}" if most is not None else "")
        raise NotationError(str(data)[:80], 1, f"{place} is {str(data)[:40]!r}", expected)
    return data


def check_game(data: Mapping[str, Any], game: str) -> None:
    """Raises NotationError for the JSON object of another game."""
    if data.get("game", game) != game:
        raise NotationError(str(data)[:80], 1, f"the game is {data['game']!r}", f"{game!r}")


def piles_from_json(data: object, place: str, read: Callable[[Any, str], PileT]) -> tuple[PileT, ...]:
    """Reads a JSON list of piles, each with `read(pile, its name for errors)`. Raises NotationError.

    >>> piles_from_json([["TH"], []], "the wastes", cards_from_json)
    ((Card('TH'),), ())
    """
    return tuple(read(pile, f"{place}[{i}]") for i, pile in enumerate(_list_from_json(data, place, "piles")))


def _list_from_json(data: object, place: str, what: str = 'cards such as ["9C", "??"]') -> Sequence[Any]:
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise NotationError(str(data)[:80], 1, f"{place} is no list", f"a list of {what}")
    return data


def known_cards_from_json(data: object, place: str) -> tuple[Card, ...]:
    """Reads a JSON list of cards, none of them unknown; `place` is how an error calls it. Raises NotationError.

    >>> known_cards_from_json(["TH", "2C"], "the hand")
    (Card('TH'), Card('2C'))
    """
    cards = []
    for word in _list_from_json(data, place):
        if not isinstance(word, str):
            raise NotationError(str(word)[:80], 1, f"{place} holds {str(word)[:40]}", "a card such as '7C'")
        try:
            cards.append(parse_card(word))
        except NotationError as error:
            raise NotationError(
                word[:80], 1, f"{place} holds {word[:40]!r}: {error.problem}", error.expected
            ) from error
    return tuple(cards)


def cards_from_json(data: object, place: str) -> tuple[MaybeCard, ...]:
    """Reads a JSON list of cards, one an entry; `place` is how an error calls it. Raises NotationError.

    >>> cards_from_json(["TH", "??"], "the stock")
    (Card('TH'), None)
    """
    cards: list[MaybeCard] = []
    for word in _list_from_json(data, place):
        read = parse_maybe_cards(word, whole=f"{place}: {word}", start=len(place) + 2) if isinstance(word, str) else ()
        if len(read) != 1:
            raise NotationError(
                str(word)[:80], 1, f"{str(word)[:40]!r} in {place} is not one card", "such as '9C', '??'"
            )
        cards += read
    return tuple(cards)
