"""Cards on a plane, in card widths: x runs to the right and y towards the player; later cards lie on earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from datasets.decks.deck import Deck
from datasets.picture_tools import Points
from datasets.scenes.renderer import LaidCard
from solver.cards import Card, parse_card

Cards = list[LaidCard]
Way = tuple[float, float]
"""Two numbers: a place, a step to the right and towards the player, or the least and greatest value of a draw."""
Face = Card | str | None
"""A card, also by its word in a position's JSON; None and `??` are a card face down."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the way cards are laid depends on, in card widths.

    Attributes:
        aspect: A card's height.
        right: Room that a card needs at its left side for its index to be read.
        below: The same at its upper end.
        tight: Share of the room below that is left, where cards lie so tightly that they hide a part of each other's
            indices; at the side, where both symbols are cut, half as much is taken away.
        back_steps: Least and greatest height of the strip that an overlapped back shows, drawn log-uniformly.
        least_back_step: No single strip is less high than this; 0 has the backs lie squared, so that none shows.
    """

    aspect: float
    right: float
    below: float
    tight: float | None = None
    back_steps: Way = (0.04, 0.75)
    least_back_step: float = 0.02

    @classmethod
    def of(cls, deck: Deck, cards: Sequence[Card]) -> Shape:
        """The shape of a deck; its largest index decides."""
        boxes = [deck.indices(card)[0].box for card in cards] or [(0.0, 0.0, 0.2, 0.4)]
        return cls(deck.aspect, max(box[2] for box in boxes) + 0.02, max(box[3] for box in boxes) + 0.03)

    def aside(self, wanted: float) -> float:
        """The way from a card to the next one in a row or fan, if `wanted` is what one would like."""
        return max(wanted, self.right) if self.tight is None else (1 + self.tight) / 2 * self.right

    def down(self, wanted: float) -> float:
        """The same in a column."""
        return max(wanted, self.below) if self.tight is None else self.tight * self.below


@dataclass(frozen=True, slots=True)
class Block:
    """Cards laid together: relative places and the size of the box they need."""

    cards: tuple[LaidCard, ...]
    width: float
    height: float

    def at(self, x: float, y: float) -> Cards:
        """The cards with the box's upper left corner at (x, y)."""
        return moved(self.cards, x, y)

    def turned(self, angle: float, aspect: float) -> Block:
        """The block turned about its middle by an angle in radians."""
        return boxed(turned(self.cards, angle), aspect)


def face(card: Face) -> Card | None:
    """The card of a face; None for one face down."""
    return parse_card(card) if isinstance(card, str) and card != "??" else None if isinstance(card, str) else card


def joined(parts: Iterable[Sequence[LaidCard]]) -> Cards:
    """The cards of all parts, one part after the other."""
    return list(chain.from_iterable(parts))


def moved(cards: Sequence[LaidCard], x: float, y: float) -> Cards:
    """Cards moved by (x, y)."""
    return [replace(card, x=card.x + x, y=card.y + y) for card in cards]


def turned(cards: Sequence[LaidCard], angle: float) -> Cards:
    """Cards turned about the origin by an angle in radians."""
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return [
        replace(card, x=cos * card.x - sin * card.y, y=sin * card.x + cos * card.y, angle=card.angle + angle)
        for card in cards
    ]


def outlines(cards: Sequence[LaidCard], aspect: float) -> Points:
    """(n, 4, 2) corners of cards."""
    corner = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (1, aspect)
    angle = np.array([card.angle for card in cards])
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x = cos * corner[:, 0] - sin * corner[:, 1] + np.array([card.x for card in cards])[:, None]
    y = sin * corner[:, 0] + cos * corner[:, 1] + np.array([card.y for card in cards])[:, None]
    return np.stack([x, y], axis=-1)


def extent(cards: Sequence[LaidCard], aspect: float) -> tuple[float, float, float, float]:
    """Left, far, right and near end of what lies there; of a card at the origin where nothing does."""
    corners = outlines(cards or [LaidCard(None, 0.0, 0.0)], aspect).reshape(-1, 2)
    (left, far), (right, near) = corners.min(0).tolist(), corners.max(0).tolist()
    return left, far, right, near


def boxed(cards: Sequence[LaidCard], aspect: float) -> Block:
    """A block of cards that lie anyhow, moved so that its box begins at (0, 0)."""
    corners = outlines(cards, aspect).reshape(-1, 2)
    (x, y), (width, height) = corners.min(0), np.ptp(corners, axis=0)
    return Block(tuple(replace(c, x=c.x - x, y=c.y - y) for c in cards), float(width), float(height))
