"""The rule parameters of Klondike, their named presets, and the notation of moves.

Which moves are legal, `Position.play` and `Position.moves` say in `position.py`; what lies on what, `fits` there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from plumbing.errors import NotationError, RulesError
from solver.cards import SUIT_CHARS
from solver.notation import Field, Fields, parse_count
from solver.place import Letters, Place


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
"""The text game with which this project began: draw 1, unlimited redeals, one card at a time, no worrying back."""

STANDARD: Final = KlondikeRules(draw=3, column_moves=ColumnMoves.RUN, worrying_back=True)
"""The usual table rules: draw 3, unlimited redeals, any part of a run, worrying back."""

STANDARD_DRAW_1: Final = KlondikeRules(draw=1, column_moves=ColumnMoves.RUN, worrying_back=True)
"""The usual table rules, one card at a time."""


STOCK: Final = Place("stock")
WASTE: Final = Place("waste")
FOUNDATION: Final = Place("foundation")
"""Where a card goes up: to the foundation of its suit."""

_LETTERS: Final = Letters({"W": "waste", "F": "foundation", "T": "column"})
_COLUMN: Final = "T[0-9]{1,9}"
_MOVE: Final = re.compile(
    rf"\s*(?:(draw)|(W|{_COLUMN}|F:[CDHS](?=>T))>(F|{_COLUMN})(?:(?<=[0-9]):([0-9]{{1,9}}))?)\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Move:
    """A move; it prints as `draw`, `W>F`, `W>T3`, `T3>F`, `T3>T5:2` (two cards) or `F:H>T4`.

    Attributes:
        source: Where cards come from: the waste, a column or a foundation; the stock, where cards are turned.
        target: A column, the foundations, or the waste.
        count: Cards moved from column to column.

    >>> Move.parse("T3>T5:2") == Move(Place("column", 2), Place("column", 4), 2)
    True
    >>> str(Move.parse("f:h>t4"))
    'F:H>T4'
    """

    source: Place
    target: Place
    count: int = 1

    @property
    def is_run(self) -> bool:
        """Whether it goes from column to column, with one card or more."""
        return self.source.kind == self.target.kind

    def __str__(self) -> str:
        if self.source == STOCK:
            return "draw"
        is_back = self.source.kind == "foundation"
        source = f"F:{SUIT_CHARS[self.source.ordinal]}" if is_back else _LETTERS.text(self.source)
        return f"{source}>{_LETTERS.text(self.target)}" + (f":{self.count}" if self.is_run else "")

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads a printed move; `T3>T5` means one card."""
        match = _MOVE.fullmatch(text.upper() if text.isascii() else text)
        draw, source, target, count = match.groups() if match else (None, "", "", None)
        if match is None or (count and source[0] != "T"):
            raise NotationError(text, 1, f"{text[:20]!r} is no move", "draw, W>F, W>T3, T3>F, T3>T5:2 or F:H>T4")
        if draw:
            return DRAW
        is_back = source[0] == "F"
        start = Place("foundation", SUIT_CHARS.index(source[2])) if is_back else _LETTERS.parse(source)
        return cls(start, _LETTERS.parse(target), int(count or 1))


DRAW: Final = Move(STOCK, WASTE)
