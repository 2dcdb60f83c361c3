"""What the pictures of a table show of its map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from solver.place import NOWHERE, Place
from vision.cards.geometry import Array, project
from vision.read_card import Photo, ReadBack, ReadCard

EDGE_SHARE: Final = 0.01
"""What comes nearer to the edge of a picture, as a share of its width, may be cut off by it."""
Spot = tuple[str, Place | None, Array]
"""What no picture shows: as a question, its place if it is a single one, and where it would lie on the map."""
Hidden = tuple[str, Place | None, int]
"""The same with the number of the card that is nearest to it."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a table.

    Attributes:
        photos: Each with its size.
        to_map: For each of the first of them the 3x3 homography from its pixels to one map; None where it has none.
    """

    photos: Sequence[Photo]
    to_map: Sequence[Array | None]

    def outline(self, card: ReadCard | ReadBack) -> Array | None:
        """(4, 2) a card's outline on the map, from its best sight; None where that is in no picture of the map."""
        if not card.sights or card.sights[0].photo >= len(self.to_map):
            return None
        own = self.to_map[card.sights[0].photo]
        return None if own is None else project(own, np.array(card.sights[0].quad))

    def outlines(self, cards: Sequence[ReadCard]) -> dict[int, Array]:
        """The outlines on the map of those cards that have one, by their numbers."""
        found = ((number, self.outline(card)) for number, card in enumerate(cards))
        return {number: quad for number, quad in found if quad is not None}

    def show(self, *points: Array) -> bool:
        """Whether a picture shows one of some points (2,) of the map."""
        return any(self._shows(photo, own, points) for photo, own in zip(self.photos, self.to_map, strict=False))

    @staticmethod
    def _shows(photo: Photo, to_map: Array | None, points: Sequence[Array]) -> bool:
        if to_map is None:
            return False
        at = project(np.asarray(np.linalg.inv(to_map), np.float64), np.array(points))
        return bool(((at > 0) & (at < (photo.width, photo.height))).all(1).any())

    def show_whole(self, card: ReadCard | ReadBack) -> bool:
        """Whether a picture shows a card with something around it."""
        for sight in card.sights:
            photo, quad = self.photos[sight.photo], np.array(sight.quad)
            margin = EDGE_SHARE * photo.width
            if ((quad > margin) & (quad < np.array([photo.width, photo.height]) - margin)).all():
                return True
        return False


def ask_there(seen: str) -> str:
    """The question whether a card lies where no picture shows it; `seen` says what is cut off, or would lie there."""
    return f"{seen}: does a card lie there?"


def near_cards(spots: Iterable[Spot], cards: Sequence[ReadCard], quads: Mapping[int, Array]) -> Iterator[Hidden]:
    """What no picture shows, each with the number of the nearest card that has a place."""
    middles = {number: quad.mean(0) for number, quad in quads.items() if cards[number].place != NOWHERE}
    for text, place, spot in spots:
        yield text, place, min(middles, key=lambda number: float(np.linalg.norm(middles[number] - spot)))


def line_step(numbers: Array, middles: Array) -> Array:
    """(2,) how far each of some numbered piles lies from the one before; `middles` (n, 2) are theirs."""
    away = numbers - numbers.mean()
    return np.asarray((away[:, None] * (middles - middles.mean(0))).sum(0) / (away**2).sum())
