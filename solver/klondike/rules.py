"""The rule parameters of Klondike and their named presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from solver.errors import RulesError


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
        """Reads the contract's `rules` object; what is left out is as in `SEED`.

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

    def to_json(self) -> dict[str, Any]:
        """The contract's `rules` object."""
        return {
            "draw": self.draw,
            "redeals": self.redeals,
            "column_moves": str(self.column_moves),
            "worrying_back": self.worrying_back,
        }

    def __str__(self) -> str:
        redeals = "unlimited" if self.redeals is None else str(self.redeals)
        back = "yes" if self.worrying_back else "no"
        return f"draw: {self.draw}; redeals: {redeals}; moves: {self.column_moves}; worrying_back: {back}"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


SEED: Final = KlondikeRules()
"""The seed document's game: draw 1, unlimited redeals, one card at a time, no worrying back."""

STANDARD: Final = KlondikeRules(draw=3, column_moves=ColumnMoves.RUN, worrying_back=True)
"""The usual table rules: draw 3, unlimited redeals, any part of a run, worrying back."""

STANDARD_DRAW_1: Final = KlondikeRules(draw=1, column_moves=ColumnMoves.RUN, worrying_back=True)
"""The usual table rules, one card at a time."""
