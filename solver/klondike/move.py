"""A move of Klondike and its notation; whether it is legal, `position.py` says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from plumbing.errors import NotationError
from solver.cards import SUIT_CHARS
from solver.place import Letters, Place

STOCK: Final = Place("stock")
WASTE: Final = Place("waste")
FOUNDATION: Final = Place("foundation")
"""Where a card goes up: to the foundation of its suit."""

_LETTERS: Final = Letters({"W": "waste", "F": "foundation", "T": "column"})
_COLUMN: Final = "T[0-9]{1,9}"
_MOVE: Final = re.compile(
    rf"\s*(?:(draw)|(W|{_COLUMN}|F:[CDHS](?=>T))>(F|{_COLUMN})(?:(?<=[0-9]):([0-9]{{1,9}}))?)\s*", re.IGNORECASE
)

_IN_TEXT: Final = re.compile(r"\bdraw\b|\b(?:W|T[0-9]|F:[CDHS])>(?:F\b|T[0-9](?::[0-9]+)?)")


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


def describe_moves(text: str) -> str:
    """A text with the moves in it as people say them.

    >>> describe_moves("You could have won until move 2: draw lost it; T4>T5:2 keeps it.")
    'You could have won until move 2: turning the stock lost it; column 4 to column 5 (2 cards) keeps it.'
    >>> describe_moves("W>F or F:H>T4")
    'waste to foundation or foundation to column 4'
    """
    return _IN_TEXT.sub(lambda found: _say(Move.parse(found[0])), text)


def _say(move: Move) -> str:
    if move == DRAW:
        return "turning the stock"
    ends = (f"column {end.ordinal + 1}" if end.kind == "column" else end.kind for end in (move.source, move.target))
    return " to ".join(ends) + (f" ({move.count} cards)" if move.count > 1 else "")
