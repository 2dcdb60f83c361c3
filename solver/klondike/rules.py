"""The rule parameters of Klondike, their named presets, and the notation of moves.

Which moves are legal, `Position.play` and `Position.moves` say in `position.py`; what lies on what, `fits` there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Final

from plumbing.errors import NotationError, RulesError
from solver.cards import SUIT_CHARS
from solver.notation import Field, Fields, parse_count


class ColumnMoves(StrEnum):
    """How much of a column may move to another column at once."""

    ONE = "one"
    RUN = "run"


MAX_DRAW: Final = 24
"""Drawing the whole stock at once; card tables know 1, 2 and 3, test suites of other solvers go further."""


@dataclass(frozen=True, slots=True)
class KlondikeRules:
    """What differs from table to table.

    Attributes:
        draw: Cards turned at a time, 1 to 24 (people play 1, 2 or 3).
        redeals: How often the waste may be turned over; None for as often as one likes.
        column_moves: `one`: only a column's last card moves; `run`: any part of its face-up run.
        worrying_back: Whether a foundation's top card may return to a column.

    Raises:
        RulesError: For a value out of range.

    >>> KlondikeRules(draw=3, column_moves=ColumnMoves.RUN, worrying_back=True) == STANDARD
    True
    """

    draw: int = 1
    redeals: int | None = None
    column_moves: ColumnMoves = ColumnMoves.ONE
    worrying_back: bool = False

    def __post_init__(self) -> None:
        if not _is_count(self.draw) or not 1 <= self.draw <= MAX_DRAW:
            raise RulesError("draw", self.draw, f"1 to {MAX_DRAW}")
        if self.redeals is not None and (not _is_count(self.redeals) or self.redeals < 0):
            raise RulesError("redeals", self.redeals, "0 or more, or null for unlimited")
        if self.column_moves not in tuple(ColumnMoves):
            raise RulesError("column_moves", self.column_moves, "'one' or 'run'")
        object.__setattr__(self, "column_moves", ColumnMoves(self.column_moves))
        if not isinstance(self.worrying_back, bool):
            raise RulesError("worrying_back", self.worrying_back, "true or false")

    @classmethod
    def from_json(cls, data: object) -> KlondikeRules:
        """Reads the `rules` object of a position's JSON; what is left out is as in `ONE_CARD`.

        >>> KlondikeRules.from_json({"draw": 3, "column_moves": "run", "worrying_back": True}) == STANDARD
        True
        """
        if not isinstance(data, Mapping):
            raise RulesError("rules", data, "an object with draw, redeals, column_moves, worrying_back")
        for key in data:
            if key not in ("draw", "redeals", "column_moves", "worrying_back"):
                raise RulesError("rules", key, "the keys draw, redeals, column_moves, worrying_back")
        values: dict[str, Any] = dict(data)
        if values.get("redeals") == "unlimited":
            values["redeals"] = None
        if not isinstance(values.get("column_moves", ""), str):
            raise RulesError("column_moves", values["column_moves"], "'one' or 'run'")
        return cls(**values)

    @classmethod
    def from_fields(cls, fields: Fields) -> KlondikeRules:
        """Reads the rules' fields of the one-line notation; what is left out is as in `ONE_CARD`.

        Raises:
            NotationError: For a value that cannot be read.
            RulesError: For a value out of range.
        """
        values: dict[str, Any] = {}
        if "draw" in fields:
            values["draw"] = parse_count(fields["draw"])
        if "redeals" in fields:
            unlimited = fields["redeals"].value.lower() == "unlimited"
            values["redeals"] = None if unlimited else parse_count(fields["redeals"], "a number or 'unlimited'")
        if "moves" in fields:
            values["column_moves"] = _parse_word(fields["moves"], {str(way): way for way in ColumnMoves})
        if "worrying_back" in fields:
            values["worrying_back"] = _parse_word(fields["worrying_back"], {"yes": True, "no": False})
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The `rules` object of a position's JSON."""
        return {
            "draw": self.draw,
            "redeals": self.redeals,
            "column_moves": str(self.column_moves),
            "worrying_back": self.worrying_back,
        }

    def describe(self) -> str:
        """The rules as people say them.

        >>> print(STANDARD.describe())
        three cards are turned at a time, the stock is gone through as often as you like, runs move as a whole, and a foundation's card may come back
        """  # noqa: E501
        turned = "one card is" if self.draw == 1 else f"{ {2: 'two', 3: 'three'}.get(self.draw, self.draw) } cards are"
        often = (
            "as often as you like"
            if self.redeals is None
            else "once"
            if not self.redeals
            else f"{self.redeals + 1} times"
        )
        moves = "runs move as a whole" if self.column_moves is ColumnMoves.RUN else "only single cards move"
        back = "a foundation's card may come back" if self.worrying_back else "what lies on a foundation stays there"
        return f"{turned} turned at a time, the stock is gone through {often}, {moves}, and {back}"

    def __str__(self) -> str:
        redeals = "unlimited" if self.redeals is None else str(self.redeals)
        back = "yes" if self.worrying_back else "no"
        return f"draw: {self.draw}; redeals: {redeals}; moves: {self.column_moves}; worrying_back: {back}"


def _parse_word(part: Field, words: Mapping[str, Any]) -> Any:
    word = part.value.lower()
    if word not in words:
        raise part.error(f"{part.value!r} is not known", " or ".join(map(repr, words)))
    return words[word]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


ONE_CARD: Final = KlondikeRules()
"""The seed document's game: draw 1, unlimited redeals, one card at a time, no worrying back."""

STANDARD: Final = KlondikeRules(draw=3, column_moves=ColumnMoves.RUN, worrying_back=True)
"""The usual table rules: draw 3, unlimited redeals, any part of a run, worrying back."""

STANDARD_DRAW_1: Final = KlondikeRules(draw=1, column_moves=ColumnMoves.RUN, worrying_back=True)
"""The usual table rules, one card at a time."""


class MoveKind(Enum):
    """The six ways to move."""

    DRAW = "draw"
    WASTE_TO_FOUNDATION = "W>F"
    WASTE_TO_COLUMN = "W>T"
    COLUMN_TO_FOUNDATION = "T>F"
    COLUMN_TO_COLUMN = "T>T"
    FOUNDATION_TO_COLUMN = "F>T"


_NUMBER: Final = r"([0-9]{1,9})"
_MOVE = re.compile(
    rf"\s*(?:(draw)|W>F|W>T{_NUMBER}|T{_NUMBER}>F|T{_NUMBER}>T{_NUMBER}(?::{_NUMBER})?|F:([CDHS])>T{_NUMBER})\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Move:
    """A move; it prints as `draw`, `W>F`, `W>T3`, `T3>F`, `T3>T5:2` (two cards) or `F:H>T4`.

    Attributes:
        kind: Which way.
        source: The column (0-based), or the suit's number where a foundation is the source.
        target: The column (0-based).
        count: Cards moved.

    >>> Move.parse("T3>T5:2")
    Move(kind=<MoveKind.COLUMN_TO_COLUMN: 'T>T'>, source=2, target=4, count=2)
    >>> str(Move.parse("f:h>t4"))
    'F:H>T4'
    """

    kind: MoveKind
    source: int = 0
    target: int = 0
    count: int = 1

    def __str__(self) -> str:
        match self.kind:
            case MoveKind.WASTE_TO_COLUMN:
                return f"W>T{self.target + 1}"
            case MoveKind.COLUMN_TO_FOUNDATION:
                return f"T{self.source + 1}>F"
            case MoveKind.COLUMN_TO_COLUMN:
                return f"T{self.source + 1}>T{self.target + 1}:{self.count}"
            case MoveKind.FOUNDATION_TO_COLUMN:
                return f"F:{SUIT_CHARS[self.source]}>T{self.target + 1}"
        return str(self.kind.value)

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads a printed move; `T3>T5` means one card."""
        match = _MOVE.fullmatch(text)
        if match is None:
            raise NotationError(text, 1, f"{text[:20]!r} is no move", "draw, W>F, W>T3, T3>F, T3>T5:2 or F:H>T4")
        draw, to, from_f, a, b, count, suit, back = match.groups()
        if draw:
            return cls(MoveKind.DRAW)
        if to:
            return cls(MoveKind.WASTE_TO_COLUMN, target=int(to) - 1)
        if from_f:
            return cls(MoveKind.COLUMN_TO_FOUNDATION, source=int(from_f) - 1)
        if a:
            return cls(MoveKind.COLUMN_TO_COLUMN, int(a) - 1, int(b) - 1, int(count or 1))
        if suit:
            return cls(MoveKind.FOUNDATION_TO_COLUMN, SUIT_CHARS.index(suit.upper()), int(back) - 1)
        return cls(MoveKind.WASTE_TO_FOUNDATION)


DRAW: Final = Move(MoveKind.DRAW)
