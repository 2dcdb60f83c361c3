"""Napoleon's Tomb with one deck: where a card may go, and how a move is written.

A move is a source and a target, as `D>S2`:

    D   the deck's first card        X   the discard pile's top card      S1 S2 S3 S4   the spares
    6   the spare-six pile           C   the centre                       K1 K2 K3 K4   the corners

Suits never matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from plumbing.errors import NotationError, RulesError
from solver.cards import Rank
from solver.place import Letters, Place

Mode = Literal["forced", "free"]

CORNERS: Final = 4
SPARES: Final = 4
CORNER_CARDS: Final = 7
"""Seven to king."""
CENTRE_CARDS: Final = 24
"""Six to ace, four times."""

DECK: Final = Place("deck")
DISCARD: Final = Place("discard")
SPARE_SIX: Final = Place("spare_six")
CENTRE: Final = Place("centre")
SPARE_PLACES: Final = tuple(Place("spare", number) for number in range(SPARES))
CORNER_PLACES: Final = tuple(Place("corner", number) for number in range(CORNERS))
BUILT: Final = (CENTRE, *CORNER_PLACES)
"""The piles that are built up; cards never leave them."""
SOURCES: Final = (*SPARE_PLACES, DISCARD, SPARE_SIX, DECK)
TARGETS: Final = (*BUILT, *SPARE_PLACES, SPARE_SIX, DISCARD)

LETTERS: Final = Letters({"D": "deck", "X": "discard", "S": "spare", "6": "spare_six", "C": "centre", "K": "corner"})
_MOVE: Final = re.compile(r"\s*(D|X|6|S[1-4])\s*>\s*(X|6|C|S[1-4]|K[1-4])\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TombRules:
    """Who decides.

    Attributes:
        mode: `forced`: every legal play is made, empty spares are refilled first from the discard pile, and a card is
            drawn only when nothing else is left (the order never matters). `free`: the player may decline plays and
            refills, and choose where a drawn card goes; only a 6 and a 7 have their places.
    """

    mode: Mode = "forced"

    def __post_init__(self) -> None:
        if self.mode not in ("forced", "free"):
            raise RulesError("mode", self.mode, "forced or free")

    def to_json(self) -> dict[str, Any]:
        """The `rules` object of a position's JSON."""
        return {"mode": self.mode}


FORCED: Final = TombRules("forced")
FREE: Final = TombRules("free")


@dataclass(frozen=True, slots=True)
class Move:
    """One card from `source` to `target`; prints as `D>S2`."""

    source: Place
    target: Place

    def __str__(self) -> str:
        return f"{LETTERS.text(self.source)}>{LETTERS.text(self.target)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `D>S2`.

        >>> print(Move.parse("x > k1"))
        X>K1
        """
        match = _MOVE.fullmatch(text)
        if match is None:
            raise NotationError(text, 1, f"{text!r} is no move", "source>target such as D>S2, X>C, S1>K3 or 6>C")
        return cls(LETTERS.parse(match[1].upper()), LETTERS.parse(match[2].upper()))


def centre_next(cards: int) -> Rank | None:
    """The rank that a centre of so many cards takes next; None once it is complete.

    >>> [str(centre_next(n)) for n in (0, 1, 5, 6, 24)]
    ['6', '5', 'A', '6', 'None']
    """
    return None if cards >= CENTRE_CARDS else Rank(6 - cards % 6)


def corner_next(cards: int) -> Rank | None:
    """The rank that a corner of so many cards takes next; None once it is complete."""
    return None if cards >= CORNER_CARDS else Rank(7 + cards)
