"""What differs from table to table in Klondike: the rules that one may choose, and their named presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from plumbing.errors import RulesError
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
        readers: dict[str, tuple[str, Callable[[Field], Any]]] = {
            "draw": ("draw", parse_count),
            "redeals": ("redeals", _parse_redeals),
            "moves": ("column_moves", lambda part: _parse_word(part, {str(way): way for way in ColumnMoves})),
            "worrying_back": ("worrying_back", lambda part: _parse_word(part, {"yes": True, "no": False})),
        }
        return cls(**{name: read(fields[key]) for key, (name, read) in readers.items() if key in fields})

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


def _parse_redeals(part: Field) -> int | None:
    return None if part.value.lower() == "unlimited" else parse_count(part, "a number or 'unlimited'")


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
