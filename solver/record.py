r"""A game over time: where it began, each move, and each card that a move turned up.

    [Game "klondike"]
    [Start "klondike draw: 1; ...; columns: [KS] | ?? [7D] | ..."]
    [Date "2026-11-23"]

    1. T2>T5:1 = 9C
    2. draw = 4D [photo "table_02.jpg"] [comment "the last chance for the 4D"]
    3. now "klondike draw: 1; ..."

The first lines are headers: `Game` and `Start` come first, others are free. A step is a move in the game's notation.
Behind `=` stand the cards that it turned up, `??` for one that nobody saw. `now` begins again from another table, where
what happened in between is not known. `[photo "..."]` may stand several times, `[time "..."]` and `[comment "..."]`
once; what is in quotation marks is a JSON string.

>>> start = '[Start "klondike columns: ?? [KS] | - | - | - | - | - | -"]'
>>> record = parse_record('[Game "klondike"]\n' + start + '\n1. T1>T2 = 9C')
>>> str(record.hindsight.columns[0])
'9C [KS]'
>>> parse_record(str(record)) == record == record_from_json(record.to_json())
True
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from plumbing.errors import CardsError, NotationError
from solver.cards import DECK, MaybeCard, card_text, cards_text, parse_maybe_cards
from solver.games import find_game, position_from_json, read_json
from solver.position import Fault, Position

Table = TypeVar("Table", bound=Position[Any])

HIDDEN: Final = "??"
BYTE_ORDER_MARK: Final = "\ufeff"
"""What some programs write before a text."""
OWN_HEADERS: Final = ("Game", "Start")
OPEN: Final = "Open"
"""The header in which a record tells what its photos left open, a sentence on each line."""
LEFT_OUT: Final = "LeftOut"
"""The header in which a record tells which photos it was found without, and why, a sentence on each line."""
NOTE: Final = "Note"
"""The header in which a record tells what it takes for true from the beginning, in a sentence."""
PHOTO: Final = "Photo"
"""The header in which a record that was found from photos names those of its first table, with commas between."""
DEAL: Final = "Deal"
"""The header in which a record tells the first table with all of its cards, also those that never came up."""
_HEADER: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) ("(?:[^"\\]|\\.)*")\]')
_STEP: Final = re.compile(
    r'\s*(?:(?P<number>[0-9]+)\.\s*)?(?:now\s+(?P<now>"(?:[^"\\]|\\.)*")|(?P<move>[^="\[]+?))\s*(?:=(?P<cards>[^="\[]*))?'
    r'(?P<tags>(?:\s*\[[a-z]+ "(?:[^"\\]|\\.)*"\])*)\s*'
)
_TAG: Final = re.compile(r'\[([a-z]+) ("(?:[^"\\]|\\.)*")\]')
_HEADERS_EXPECTED: Final = 'expected [Game "klondike"] and [Start "klondike ..."] first'
_STEP_EXPECTED: Final = 'a step such as 12. T3>F = 9C [photo "a.jpg"] or 12. now "klondike ..."'


class RecordError(CardsError):
    """A record that cannot be read or played.

    Attributes:
        step: Number of the step, counted from 1; 0 for the headers.
        problem: What is wrong there, and what would be right.
    """

    def __init__(self, step: int, problem: str) -> None:
        self.step = step
        self.problem = problem
        super().__init__(f"step {step}: {problem}" if step else problem)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a game.

    Attributes:
        move: A move of the game; None where the game goes on from another table.
        turned_up: The cards that the move turned up, in the order of `Position.turned_up`; None for one not seen.
        table: The table from which the game goes on, where `move` is None.
        photos: Names of the photos taken after it.
        time: When it happened, in any form; empty where nobody knows.
        comment: What somebody said of it.
    """

    move: Any = None
    turned_up: tuple[MaybeCard, ...] = ()
    table: Position[Any] | None = None
    photos: tuple[str, ...] = ()
    time: str = ""
    comment: str = ""

    def __str__(self) -> str:
        text = f"now {_quoted(self.table)}" if self.move is None else str(self.move)
        if self.turned_up:
            text += f" = {cards_text(self.turned_up)}"
        tags = [("photo", name) for name in self.photos] + [("time", self.time), ("comment", self.comment)]
        return text + "".join(f" [{name} {_quoted(value)}]" for name, value in tags if value)

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        body: dict[str, Any] = (
            {"now": None if self.table is None else self.table.to_json()}
            if self.move is None
            else {"move": str(self.move), "turned_up": [card_text(card) for card in self.turned_up]}
        )
        said = {"photos": list(self.photos), "time": self.time, "comment": self.comment}
        return body | {name: value for name, value in said.items() if value}


@dataclass(frozen=True)
class Record:
    """A game from its first table to its last.

    Attributes:
        start: The first table, with None for what nobody had seen.
        steps: What happened, in order.
        headers: Whatever else is to be told of the game, such as its date, by name.
    """

    start: Position[Any]
    steps: tuple[Step, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def game(self) -> str:
        """The game's word."""
        return self.start.game

    @property
    def begins_with_a_deal(self) -> bool:
        """Whether its first table lies as a game of this kind is dealt: else the game was under way by then."""
        return _shape(self.start.to_json()) == _shape(find_game(self.game).solver.random_deal(0).to_json())

    @property
    def left_open(self) -> list[str]:
        """What its photos left open, in sentences."""
        return self.headers.get(OPEN, "").splitlines()

    @property
    def left_out(self) -> list[str]:
        """Which photos it was found without, and why, in sentences."""
        return self.headers.get(LEFT_OUT, "").splitlines()

    @property
    def note(self) -> str:
        """What it takes for true from the beginning though nothing shows it, in a sentence; empty for nothing."""
        return self.headers.get(NOTE, "")

    @property
    def photos(self) -> tuple[tuple[str, ...], ...]:
        """The photos of the first table, and those taken after each step."""
        at_first = tuple(filter(None, self.headers.get(PHOTO, "").split(", ")))
        return (at_first, *(step.photos for step in self.steps))

    @property
    def unseen(self) -> tuple[str, ...]:
        """Of a game found from photos, where each of its tables lay that none of them shows: "Between a.jpg and b.jpg".

        Empty for a table that one shows, and in a record that somebody kept while playing.
        """
        photos, told = self.photos, []
        if not photos[0]:
            return ("",) * len(photos)
        for number, own in enumerate(photos):
            before = next((names[-1] for names in reversed(photos[:number]) if names), "")
            after = next((names[0] for names in photos[number:] if names), "")
            where = f"Between {before} and {after}" if after else f"After {before}"
            is_told = own or self.steps[number - 1].move is None
            told.append("" if is_told else where)
        return tuple(told)

    @cached_property
    def positions(self) -> tuple[Position[Any], ...]:
        """The table before the first step and after each, with all that was known by then.

        Raises:
            RecordError: For a step that the rules refuse, or that turns up more or fewer cards than it says.
        """
        return tuple(_play(self.start, self.steps))

    @cached_property
    def hindsight(self) -> Position[Any]:
        """The first table with every card that the game ever turned up, or that the record tells besides.

        Behind a `now` nothing is known of it.

        Raises:
            RecordError: As `positions` does, and for a `Deal` that is not the table of this game.
        """
        start = self.positions[0]  # with all others, so that a step which cannot be played is refused
        for number, step in enumerate(self.steps):
            if step.move is None:
                break
            if any(card is not None for card in step.turned_up):
                start = _trace(start, self.steps[: number + 1])
        return _completed(start, _position(self.headers[DEAL], self.game, 0)) if DEAL in self.headers else start

    def check(self) -> None:
        """Refuses what no game can have been. A card that nobody saw may lie open, and a `now` may leave cards out.

        Raises:
            RecordError: As `positions` does, and for a table that breaks the game's rules.
        """
        for number, table in enumerate(_play(self.start, self.steps)):  # each before it is played on
            if faults := [fault for fault in table.problems() if not _is_only_unseen(fault, number)]:
                raise RecordError(number, f"no table of {find_game(self.game).title}: {'; '.join(faults)}")

    def append(self, move: Any, truth: Position[Any] | None = None, **said: Any) -> Record:
        """The record with one move more.

        Args:
            move: The move.
            truth: The same table as `positions[-1]` before the move, with the cards that are to be turned up.
            **said: `photos`, `time` or `comment` of the step.

        Raises:
            RecordError: For a move that the rules refuse.
        """
        paths = self.positions[-1].turned_up(move)
        cards = (None,) * len(paths) if truth is None else tuple(_card_at(truth.to_json(), path) for path in paths)
        after = replace(self, steps=(*self.steps, Step(move, cards, **said)))
        after.positions  # noqa: B018  (raises where it cannot be played)
        return after

    def __str__(self) -> str:
        headers = {"Game": self.game, "Start": str(self.start), **self.headers}
        lines = [f"[{name} {_quoted(value)}]" for name, value in headers.items()]
        return "\n".join([*lines, "", *(f"{number}. {step}" for number, step in enumerate(self.steps, 1))]).rstrip("\n")

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {
            "game": self.game,
            "start": self.start.to_json(),
            "headers": dict(self.headers),
            "steps": [step.to_json() for step in self.steps],
        }


def decoded(data: bytes) -> str:
    """The text of a record's file: UTF-8, or UTF-16 where its first bytes say so, as Windows writes it.

    >>> decoded("1. draw".encode("utf-16")), decoded("1. draw".encode("utf-8-sig"))
    ('1. draw', '1. draw')
    """
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_wide else "utf-8-sig", errors="replace")


def read_record(text: str) -> Record:
    """A record from its text or its JSON.

    Raises:
        CardsError: Naming what is wrong with it.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        raise RecordError(0, f"it is empty; {_HEADERS_EXPECTED}")
    if "\0" in text:  # which no text holds, and nearly every photo
        raise RecordError(0, f"it is no text, perhaps a photo; {_HEADERS_EXPECTED}")
    return record_from_json(read_json(text)) if text.lstrip().startswith("{") else parse_record(text)


def parse_record(text: str) -> Record:
    """Reads a record's text.

    Raises:
        RecordError: Naming the step and what is wrong with it.
    """
    lines = [line.strip() for line in text.removeprefix(BYTE_ORDER_MARK).splitlines() if line.strip()]
    headers: dict[str, str] = {}
    while lines and (match := _HEADER.fullmatch(lines[0])):
        if match[1] in headers:
            raise RecordError(0, f"the header {match[1]} stands twice; expected each once")
        headers[match[1]] = _unquoted(match[2], 0)
        lines.pop(0)
    if missing := [name for name in OWN_HEADERS if name not in headers]:
        raise RecordError(0, f"no header {missing[0]}; {_HEADERS_EXPECTED}")
    start = _position(headers["Start"], headers["Game"], 0)
    steps = tuple(_read_step(line, number, start.game) for number, line in enumerate(lines, 1))
    return Record(start, steps, {name: value for name, value in headers.items() if name not in OWN_HEADERS})


def record_from_json(data: object) -> Record:
    """Reads a record's JSON object.

    Raises:
        RecordError: Naming the step and what is wrong with it.
    """
    if not isinstance(data, Mapping) or not isinstance(steps := data.get("steps", []), Sequence):
        raise RecordError(0, 'no record; expected {"game", "start", "headers", "steps"}')
    headers = data.get("headers") or {}
    if not isinstance(headers, Mapping) or not all(isinstance(part, str) for pair in headers.items() for part in pair):
        raise RecordError(0, "headers are no object of texts")
    start = _of_json(data.get("start"), 0)
    return Record(start, tuple(_step_of_json(step, n, start.game) for n, step in enumerate(steps, 1)), dict(headers))


def _play(position: Position[Any], steps: Iterable[Step]) -> Iterator[Position[Any]]:
    """The table, and the table after each step."""
    yield position
    for number, step in enumerate(steps, 1):
        if step.move is None:
            assert step.table is not None
            position = step.table
        else:
            position = _after(position, step, number)
        yield position


def _is_only_unseen(fault: str, number: int) -> bool:
    """Whether a table has a fault only as nobody saw all of it; at the start all cards are told, hidden ones as ??."""
    return isinstance(fault, Fault) and (fault.unnamed or (fault.unfinished and number > 0))


def _after(position: Position[Any], step: Step, number: int) -> Position[Any]:
    try:
        paths = position.turned_up(step.move)
        if step.turned_up and len(paths) != len(step.turned_up):
            said, found = cards_text(step.turned_up), f"{len(paths)} hidden card{'s' * (len(paths) != 1)}"
            raise RecordError(number, f"{step.move} turns up {found} here; expected so many behind =, not {said}")
        return with_cards(position, dict(zip(paths, step.turned_up, strict=False))).play(step.move)
    except RecordError:
        raise
    except CardsError as error:
        raise RecordError(number, str(error)) from error


def _trace(start: Position[Any], steps: Sequence[Step]) -> Position[Any]:
    """The first table with the cards that the last of the steps turned up, where they lay then.

    Hidden cards take no part in a game until they are turned up, so each may be given any card as a label: the labels
    of the cards turned up tell their first places. There may be more hidden cards than labels, hence two rounds.
    """
    *before, last = steps
    hidden = [path for path, text in _leaves(start.to_json()) if text == HIDDEN]
    known = list(_play(start, map(_unsaid, before)))[-1].turned_up(last.move)
    found = []
    for labels in (range(len(hidden)), [n // len(DECK) for n in range(len(hidden))]):
        labelled = with_cards(
            start, {path: DECK[label % len(DECK)] for path, label in zip(hidden, labels, strict=True)}
        )
        body = list(_play(labelled, map(_unsaid, before)))[-1].to_json()
        found.append([DECK.index(card) for path in known if (card := _card_at(body, path)) is not None])
    places = [low + len(DECK) * high for low, high in zip(*found, strict=True)]
    return with_cards(start, {hidden[n]: card for n, card in zip(places, last.turned_up, strict=True)})


def _completed(start: Position[Any], deal: Position[Any]) -> Position[Any]:
    """The first table with all of its cards as a record tells them. Raises RecordError where it is another table."""
    known, told = (dict(_leaves(table.to_json())) for table in (start, deal))
    if known.keys() != told.keys() or any(text not in (HIDDEN, told[path]) for path, text in known.items()):
        raise RecordError(0, f"the header {DEAL} is another table; expected the game's first one with all its cards")
    return deal


def _unsaid(step: Step) -> Step:
    """The step without the cards that it turned up: the table holds them already."""
    return replace(step, turned_up=())


def with_cards(position: Table, cards: Mapping[str, MaybeCard]) -> Table:
    """The position with cards at paths of its JSON object; None leaves what is there."""
    if all(card is None for card in cards.values()):
        return position
    body = position.to_json()
    for path, card in cards.items():
        if card is not None:
            *way, key = path.split("/")
            holder = _value_at(body, way)
            holder[int(key) if isinstance(holder, list) else key] = str(card)
    return type(position).from_json(body)


def _value_at(value: Any, way: Iterable[str]) -> Any:
    for key in way:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def _card_at(body: Mapping[str, Any], path: str) -> MaybeCard:
    (card,) = parse_maybe_cards(_value_at(body, path.split("/")))
    return card


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a JSON object with their paths."""
    if isinstance(value, Mapping | list):
        for key, part in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _leaves(part, f"{path}/{key}" if path else str(key))
    else:
        yield path, value


def _shape(table: Any) -> object:
    """How many cards lie where on a table, its JSON, by whatever rules.

    >>> _shape({"rules": {"draw": 3}, "columns": [{"down": ["??"], "up": ["KS"]}], "foundations": {"C": 2}})
    {'columns': [{'down': 1, 'up': 1}], 'foundations': {'C': 2}}
    """
    if isinstance(table, Mapping):
        return {name: _shape(held) for name, held in table.items() if name != "rules"}
    if isinstance(table, list):
        return len(table) if all(isinstance(card, str) for card in table) else list(map(_shape, table))
    return table


def _quoted(value: object) -> str:
    return json.dumps(str(value), ensure_ascii=False)


def _unquoted(text: str, step: int) -> str:
    try:
        return str(json.loads(text, strict=False))
    except json.JSONDecodeError as error:
        raise RecordError(step, f"{text[:40]} is no JSON string ({error.msg})") from error


def _position(text: str, game: str, step: int) -> Position[Any]:
    try:
        position = find_game(game).position.parse(text)
    except CardsError as error:
        raise RecordError(step, str(error)) from error
    return position


def _read_step(line: str, number: int, game: str) -> Step:
    match = _STEP.fullmatch(line)
    if match is None:
        raise RecordError(number, f"{line[:40]!r} is no step; expected {_STEP_EXPECTED}")
    if (match["number"] or str(number)).lstrip("0") != str(number):
        raise RecordError(number, f"it is numbered {match['number'][:9]}; expected {number}, or no number")
    tags = [(name, _unquoted(value, number)) for name, value in _TAG.findall(match["tags"])]
    return _said_step(
        number,
        None if match["move"] is None else _move(match["move"], game, number),
        None if match["now"] is None else _position(_unquoted(match["now"], number), game, number),
        (match["cards"] or "").strip(),
        tags,
    )


def _step_of_json(data: object, number: int, game: str) -> Step:
    if not isinstance(data, Mapping) or ("move" in data) == ("now" in data):
        raise RecordError(number, 'no step; expected {"move", "turned_up"} or {"now"}')
    cards, photos = data.get("turned_up", []), data.get("photos", [])
    if not all(isinstance(part, list) and all(isinstance(word, str) for word in part) for part in (cards, photos)):
        raise RecordError(number, "turned_up and photos are lists of texts")
    tags = [("photo", name) for name in photos] + [(name, data[name]) for name in ("time", "comment") if name in data]
    if not all(isinstance(value, str) for _, value in tags):
        raise RecordError(number, "time and comment are texts")
    if "now" in data:
        return _said_step(number, None, _of_json(data["now"], number, game), "", tags)
    return _said_step(number, _move(str(data["move"]), game, number), None, " ".join(cards), tags)


def _said_step(
    number: int, move: Any, table: Position[Any] | None, cards: str, tags: Sequence[tuple[str, str]]
) -> Step:
    if move is None and cards:
        raise RecordError(number, "a step that says how the table lies now turns up no cards")
    said: dict[str, Any] = {"photos": tuple(value for name, value in tags if name == "photo")}
    for name, value in tags:
        if name not in ("photo", "time", "comment") or name in said:
            raise RecordError(number, f"[{name} ...] is unknown or stands twice; expected photo, time and comment")
        if name != "photo":
            said[name] = value
    try:
        return Step(move, parse_maybe_cards(cards), table, **said)
    except NotationError as error:
        raise RecordError(number, str(error)) from error


def _move(text: str, game: str, number: int) -> Any:
    try:
        return find_game(game).solver.Move.parse(text.strip())
    except CardsError as error:
        raise RecordError(number, str(error)) from error


def _of_json(data: object, number: int, game: str | None = None) -> Position[Any]:
    try:
        position = position_from_json(data)
    except CardsError as error:
        raise RecordError(number, str(error)) from error
    if game not in (None, position.game):
        raise RecordError(number, f"the game is {position.game!r}; expected {game!r}")
    return position
