"""A deck to render: where its indices lie, and how its faces and its back look.

Coordinates of a card are in card widths: x in 0..1 from its left edge, y in 0..`aspect` from its top edge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.patterned_backs import draw_back
from datasets.picture_tools import Image
from datasets.splits import Split
from solver.cards import Card
from vision.networks.outputs import SPREAD

Box = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Index:
    """One corner index of a card.

    Attributes:
        rank_box: Box (x1, y1, x2, y2) of the rank's ink.
        suit_box: Box of the suit symbol's ink; the rank's own box where no suit stands by the rank.
        upside_down: Whether it stands on its head, as those at the card's lower end do.
    """

    rank_box: Box
    suit_box: Box
    upside_down: bool = False

    @property
    def box(self) -> Box:
        """The box round rank and suit symbol."""
        a, b = self.rank_box, self.suit_box
        return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])

    @property
    def suit_below(self) -> bool:
        """Whether the suit stands below the rank, as on most decks, so that both centres tell what is down."""
        (x1, y1), (x2, y2) = _centre(self.rank_box), _centre(self.suit_box)
        down = y1 - y2 if self.upside_down else y2 - y1
        return down > abs(x2 - x1)

    @property
    def points(self) -> tuple[Point, Point]:
        """Rank centre and suit centre; of a rank that stands alone two points as far apart, the second one below."""
        return self.upright if self.rank_box == self.suit_box else (_centre(self.rank_box), _centre(self.suit_box))

    @property
    def upright(self) -> tuple[Point, Point]:
        """Two points of the middle axis, from the upper to the lower, as the reader's crops are cut by them.

        Where the suit stands below the rank these are the two centres, else points that far apart.
        """
        if self.suit_below:
            return _centre(self.rank_box), _centre(self.suit_box)
        x1, y1, x2, y2 = self.box
        (rank_x, rank_y), (suit_x, suit_y) = _centre(self.rank_box), _centre(self.suit_box)
        x, y = (rank_x + suit_x) / 2, (rank_y + suit_y) / 2
        half = SPREAD * (x2 - x1 + y2 - y1) / 2 * (-1 if self.upside_down else 1)
        return (x, y - half), (x, y + half)

    def mirrored(self) -> Index:
        """The index in the other upper corner, upright too."""
        rank, suit = ((1 - x2, y1, 1 - x1, y2) for x1, y1, x2, y2 in (self.rank_box, self.suit_box))
        return Index(rank, suit, self.upside_down)

    def turned(self, aspect: float) -> Index:
        """The index at the opposite corner, upside down."""
        rank, suit = ((1 - x2, aspect - y2, 1 - x1, aspect - y1) for x1, y1, x2, y2 in (self.rank_box, self.suit_box))
        return Index(rank, suit, not self.upside_down)

    def corners(self, aspect: float, count: int) -> tuple[Index, ...]:
        """This top-left index with the card's others: `count` is 2 or 4."""
        upper = (self, self.mirrored()) if count == 4 else (self,)
        return (*upper, *(index.turned(aspect) for index in upper))


def _centre(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


class Deck(Protocol):
    """52 faces and a back."""

    @property
    def name(self) -> str:
        """As in the ground truth's `deck`, for example `gnome/paris`."""

    @property
    def split(self) -> Split:
        """The only split it is rendered for."""

    @property
    def aspect(self) -> float:
        """Height over width."""

    @property
    def corner(self) -> float:
        """Radius of the rounded corners in card widths."""

    def indices(self, card: Card) -> tuple[Index, ...]:
        """The card's indices, the top-left one first."""

    def face(self, card: Card, width: int) -> Image:
        """The face as RGB (round(width * aspect), width, 3)."""

    def back(self, width: int) -> Image:
        """The back as RGB (round(width * aspect), width, 3)."""


@dataclass(frozen=True, slots=True)
class SameFaces:
    """A deck with the faces of another one, to be given a back of its own.

    Attributes:
        deck: The other deck.
    """

    deck: Deck

    name = property(attrgetter("deck.name"))
    split = property(attrgetter("deck.split"))
    aspect = property(attrgetter("deck.aspect"))
    corner = property(attrgetter("deck.corner"))

    def indices(self, card: Card) -> tuple[Index, ...]:
        """The other deck's indices of a card."""
        return self.deck.indices(card)

    def face(self, card: Card, width: int) -> Image:
        """The other deck's face of a card."""
        return self.deck.face(card, width)


@dataclass(frozen=True, slots=True)
class OtherBack(SameFaces):
    """A deck with a drawn back in the place of its own: card packages have few backs.

    Attributes:
        deck: The deck.
        seed: Of the back, as in `draw_back`.
        frames: Lines round its pattern.
    """

    seed: int
    frames: int = 0

    def back(self, width: int) -> Image:
        """The drawn back as RGB (round(width * aspect), width, 3)."""
        return draw_back(self.seed, width, round(width * self.deck.aspect), self.frames)


@dataclass(frozen=True, slots=True)
class BackOfFamily(SameFaces):
    """A deck with a back of a family, such as `waves`, in the place of its own.

    Attributes:
        deck: The deck.
        draw: From family, seed, split, width and height to the back, such as `draw_printed_back`.
        family: One that `draw` knows.
        seed: Decides what is printed, where, and in which colours.
    """

    draw: Callable[[str, int, Split, int, int], Image]
    family: str
    seed: int

    @property
    def name(self) -> str:
        """The deck's name, then the back's family."""
        return f"{self.deck.name}+{self.family}"

    def back(self, width: int) -> Image:
        """The back as RGB (round(width * aspect), width, 3)."""
        return self.draw(self.family, self.seed, self.split, width, round(width * self.aspect))


@lru_cache(maxsize=32)
def outline(width: int, height: int, corner: float) -> NDArray[np.uint8]:
    """A card's shape (height, width) in 0..255: 255 inside the rounded rectangle, softened at the edge."""
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    radius = round(corner * width * scale)
    w, h = width * scale - 1, height * scale - 1
    cv2.rectangle(mask, (radius, 0), (w - radius, h), 255, -1)
    cv2.rectangle(mask, (0, radius), (w, h - radius), 255, -1)
    for x in (radius, w - radius):
        for y in (radius, h - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
