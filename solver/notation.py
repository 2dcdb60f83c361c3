"""How positions are written: one line of text, and a JSON object, by a table of fields that both share.

A position prints to one line that names its game and its piles, and parses back:

    makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 5S

Field names, colons and semicolons are the same for each game. What a field holds, a `Kind` reads and writes, in the
line and in JSON: a pile of known cards, a pile that may hide some, several piles, a count, the foundations. A game's
`Notation` says which of its fields are of which kind. Its rules it reads and writes itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from plumbing.errors import NotationError, kind_of
from solver.cards import SUIT_CHARS, Card, MaybeCard, card_text, cards_text, parse_card, parse_cards, parse_maybe_cards

T = TypeVar("T")
PileT = TypeVar("PileT")
Heights = tuple[int, int, int, int]
"""How many cards lie on each foundation, clubs to spades."""
EMPTY: Final = "-"
"""An empty pile or place, as written where several stand in a row."""


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
_INNER = re.compile(r"\b([A-Za-z_]+)\s*:")
_FIELD = re.compile(r"\s*([A-Za-z_0-9]+)\s*:([^;]*)(?:;|$)")


def game_of(text: str) -> str | None:
    """The game word that a line begins with, None where it begins with a field."""
    match = _GAME_WORD.match(text)
    return match.group(1) if match else None


def parse_fields(text: str, game: str, names: Sequence[str]) -> Fields:
    """Splits a line into its named fields; the game word may be left out.

    Raises:
        NotationError: For another game's word, an unknown or repeated field, or text that is no field.

    >>> parse_fields("makiaveli floor: ; hand: 3S 4S", "makiaveli", ("floor", "cross", "hand"))["hand"]
    Field(value='3S 4S', start=25)
    """
    if not isinstance(text, str):
        raise json_error(text, f"{kind_of(text)} is no text", "a line of notation")
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
        value = Field(text, 0, text).part(*match.span(2))
        for inner in _INNER.finditer(value.value):
            if inner[1].lower() in names:
                problem = f"'{inner[1]}:' stands inside the field {name!r}"
                raise NotationError(text, value.start + inner.start() + 1, problem, "a ; before it")
        fields[name] = value
        place = match.end()
    return fields


def parse_count(field: Field, expected: str = "a whole number from 0 on") -> int:
    """Reads a field that holds a number from 0 on. Raises NotationError."""
    if not re.fullmatch(r"[0-9]{1,9}", field.value):
        raise field.error(f"{field.value!r} is no number", expected)
    return int(field.value)


def json_error(data: object, problem: str, expected: str) -> NotationError:
    """The error of a JSON value that cannot be read."""
    return NotationError(str(data)[:80], 1, problem, expected)


def check_game(data: Mapping[str, Any], game: str) -> None:
    """Raises NotationError for the JSON object of another game."""
    if data.get("game", game) != game:
        raise json_error(data, f"the game is {data['game']!r}", f"{game!r}")


def count_from_json(data: object, name: str, most: int | None = None) -> int:
    """Reads a JSON number, with `most` one from 0 to that; `name` is what errors call it. Raises NotationError."""
    if not isinstance(data, int) or isinstance(data, bool) or (most is not None and not 0 <= data <= most):
        expected = "a whole number" + (f" from 0 to {most}" if most is not None else "")
        raise json_error(data, f"{name} is {str(data)[:40]!r}", expected)
    return data


def piles_from_json(data: object, name: str, read: Callable[[Any, str], PileT]) -> tuple[PileT, ...]:
    """Reads a JSON list of piles, each with `read(pile, its name for errors)`. Raises NotationError.

    >>> piles_from_json([["TH"], []], "the wastes", cards_from_json)
    ((Card('TH'),), ())
    """
    return tuple(read(pile, f"{name}[{i}]") for i, pile in enumerate(_list_from_json(data, name, "piles")))


def known_cards_from_json(data: object, name: str) -> tuple[Card, ...]:
    """Reads a JSON list of known cards; `name` is what errors call it. Raises NotationError."""
    cards = []
    for word in _list_from_json(data, name):
        if not isinstance(word, str):
            raise json_error(word, f"{name} holds {str(word)[:40]}", "a card such as '7C'")
        try:
            cards.append(parse_card(word))
        except NotationError as error:
            raise json_error(word, f"{name} holds {word[:40]!r}: {error.problem}", error.expected) from error
    return tuple(cards)


def cards_from_json(data: object, name: str) -> tuple[MaybeCard, ...]:
    """Reads a JSON list of cards, some of which may be unknown; `name` is what errors call it. Raises NotationError.

    >>> cards_from_json(["TH", "??"], "the stock")
    (Card('TH'), None)
    """
    cards: list[MaybeCard] = []
    for word in _list_from_json(data, name):
        read = parse_maybe_cards(word, whole=f"{name}: {word}", start=len(name) + 2) if isinstance(word, str) else ()
        if len(read) != 1:
            raise json_error(word, f"{str(word)[:40]!r} in {name} is not one card", "such as '9C', '??'")
        cards += read
    return tuple(cards)


def _list_from_json(data: object, name: str, what: str = 'cards such as ["9C", "??"]') -> Sequence[Any]:
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise json_error(data, f"{name} is no list", f"a list of {what}")
    return data


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """What a field may hold, and how that is written.

    Attributes:
        parse: Reads it from a line. Raises NotationError.
        text: As it stands in a line.
        from_json: Reads its JSON value; the second argument is what errors call it. Raises NotationError.
        to_json: Its JSON value.
    """

    parse: Callable[[Field], T]
    text: Callable[[T], str]
    from_json: Callable[[Any, str], T]
    to_json: Callable[[T], Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A field of a game's notation.

    Attributes:
        name: Its name in the line and in JSON, and the attribute of the position.
        kind: What it holds.
        printed_if_empty: Whether a line names it even where it holds nothing.
        maybe_null: Whether JSON may have null or the like for it, which counts as left out.
        read_first: Whether it is read before the others, so that its fault is the one that is named.
    """

    name: str
    kind: Kind[Any]
    printed_if_empty: bool = True
    maybe_null: bool = False
    read_first: bool = False


@dataclass(frozen=True, slots=True)
class Notation:
    """How the positions of a game are written, but for the game's word and its rules.

    Attributes:
        game: The game's word.
        entries: The fields of a position, in the order in which they are written.
        rules: The fields of a line that tell the rules; they stand first.
        names: The names of all fields of a line.

    >>> notation = Notation("tomb", (Entry("stock", PILE), Entry("redeals", count_to(4, "redeals"))))
    >>> values = notation.parse(notation.split("redeals: 2; stock: 3C ??"))
    >>> values
    {'stock': (Card('3C'), None), 'redeals': 2}
    """

    game: str
    entries: tuple[Entry, ...]
    rules: tuple[str, ...] = ()
    names: tuple[str, ...] = field(init=False, repr=False)
    _reading_order: tuple[Entry, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", (*self.rules, *(entry.name for entry in self.entries)))
        order = sorted(self.entries, key=lambda entry: not entry.read_first)
        object.__setattr__(self, "_reading_order", tuple(order))

    def split(self, text: str) -> Fields:
        """The fields of a line. Raises NotationError."""
        return parse_fields(text, self.game, self.names)

    def parse(self, fields: Fields) -> dict[str, Any]:
        """The attributes of a position that a line names. Raises NotationError."""
        return {e.name: e.kind.parse(fields[e.name]) for e in self._reading_order if e.name in fields}

    def texts(self, position: Any) -> list[str]:
        """The fields of a position's line, each as `name: value`."""
        texts = ((entry, entry.kind.text(getattr(position, entry.name))) for entry in self.entries)
        return [f"{entry.name}: {text}" for entry, text in texts if text or entry.printed_if_empty]

    def from_json(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes of a position that its JSON object names. Raises NotationError."""
        return {
            entry.name: entry.kind.from_json(data[entry.name], entry.name)
            for entry in self._reading_order
            if entry.name in data and (data[entry.name] or not entry.maybe_null)
        }

    def to_json(self, position: Any) -> dict[str, Any]:
        """The fields of a position's JSON object."""
        return {entry.name: entry.kind.to_json(getattr(position, entry.name)) for entry in self.entries}


def _texts_of_cards(cards: Sequence[MaybeCard]) -> list[str]:
    return list(map(card_text, cards))


KNOWN_PILE: Final = Kind(Field.known_cards, cards_text, known_cards_from_json, lambda cards: list(map(str, cards)))
"""Cards that are all known."""
PILE: Final = Kind(Field.cards, cards_text, cards_from_json, _texts_of_cards)
"""Cards of which some may be hidden."""


def several(pile: Kind[PileT], *, empty: str = "") -> Kind[tuple[PileT, ...]]:
    """Piles beside each other, separated by `|` in a line; `empty` is how one without cards is written."""
    return Kind(
        lambda field: tuple(map(pile.parse, field.split())),
        lambda piles: " | ".join(pile.text(one) or empty for one in piles),
        lambda data, name: piles_from_json(data, name, pile.from_json),
        lambda piles: list(map(pile.to_json, piles)),
    )


def foundations(most: int | None = None) -> Kind[Heights]:
    """The number of cards on each foundation; 0 to `most` of them, where that is given.

    >>> foundations().parse(Field("C1 H12")), foundations().from_json({"C": 1, "H": 12}, "foundations")
    ((1, 0, 12, 0), (1, 0, 12, 0))
    """

    def parse(field: Field) -> Heights:
        found: dict[str, int] = {}
        expected = "a suit and its number of cards such as H5" + (f", 0 to {most}" if most is not None else "")
        for match in re.finditer(r"([CDHScdhs])\s*(-?[0-9]{1,9})|[^\s,]+", field.value):
            part, (suit, height) = field.part(*match.span()), match.groups()
            if suit is None or (most is not None and not 0 <= int(height) <= most):
                raise part.error(f"{part.value!r} is no foundation", expected)
            if suit.upper() in found:
                raise part.error(f"foundation {suit.upper()} stands twice", "each suit once")
            found[suit.upper()] = int(height)
        return heights(found)

    def from_json(data: object, name: str) -> Heights:
        if not isinstance(data, Mapping) or not set(data) <= set(SUIT_CHARS):
            raise json_error(data, f"{name} is {str(data)[:40]}", 'an object such as {"C": 0, "D": 2, "H": 0, "S": 1}')
        return heights({suit: count_from_json(count, f"foundation {suit}", most) for suit, count in data.items()})

    def heights(found: Mapping[str, int]) -> Heights:
        c, d, h, s = (found.get(suit, 0) for suit in SUIT_CHARS)
        return c, d, h, s

    def text(heights: Heights) -> str:
        return " ".join(f"{suit}{height}" for suit, height in zip(SUIT_CHARS, heights, strict=True))

    return Kind(parse, text, from_json, lambda heights: dict(zip(SUIT_CHARS, heights, strict=True)))


def count_to(most: int, noun: str) -> Kind[int]:
    """A number of something from 0 to `most`, which is 9 at most."""

    def parse(field: Field) -> int:
        if not re.fullmatch(r"\d", field.value) or int(field.value) > most:
            raise field.error(f"{field.value!r} {noun}", f"a number from 0 to {most}")
        return int(field.value)

    return Kind(parse, str, lambda data, name: count_from_json(data, name, most), int)
