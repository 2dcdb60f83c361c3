"""Outs: the unseen cards that would have made it a win, and how likely the next draw is one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.cards import DECK, Card
from solver.makiaveli.encoding import Counts, winnable_with_each
from solver.makiaveli.position import COPIES, Position
from solver.makiaveli.solve import verdict


@dataclass(frozen=True, slots=True)
class Out:
    """A card that would have won, had it been in the hand.

    Attributes:
        card: The card.
        unseen: Its copies that lie neither on the floor nor in the cross nor in the hand, 1 or 2.
    """

    card: Card
    unseen: int


@dataclass(frozen=True, slots=True)
class Outs:
    """All outs of a position.

    Attributes:
        cards: The outs in the order of the deck.
        unseen: All unseen cards of the two decks.
    """

    cards: tuple[Out, ...]
    unseen: int

    @property
    def chance(self) -> float:
        """The probability that a card drawn from the unseen ones is an out; 0 where none is unseen."""
        return sum(out.unseen for out in self.cards) / self.unseen if self.unseen else 0.0

    def to_json(self) -> dict[str, Any]:
        """The `outs` of a result's JSON, with the copies and the chance beside them."""
        return {
            "outs": [str(out.card) for out in self.cards],
            "outs_unseen": [out.unseen for out in self.cards],
            "unseen": self.unseen,
            "next_draw": round(self.chance, 6),
        }


def outs(position: Position) -> Outs:
    """The cards that would have made the position a win, had one copy been in the hand.

    Raises:
        PositionError: With every fault, if the position is not legal.

    >>> found = outs(Position.parse("hand: 3S 4S"))
    >>> [str(out.card) for out in found.cards], round(found.chance, 4)
    (['2S', '5S'], 0.0392)
    """
    counts = Counts.of(position)
    if position.strict_cross:
        wins = np.array(
            [
                counts.total[card.index] < COPIES and verdict(replace(position, hand=(*position.hand, card))) == "win"
                for card in DECK
            ]
        )
    else:
        wins = winnable_with_each(counts.floor + counts.hand, counts.total)
    unseen = COPIES - counts.total.astype(int)
    found = tuple(Out(card, int(unseen[card.index])) for card in DECK if wins[card.index])
    return Outs(found, int(unseen.sum()))
