"""Which cards are which where the same photos were read twice: with more photos, cut, turned, or as another game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.framing import Frame
from vision.reading import Reading

SAME: Final = 0.25
"""The largest distance between two readings of one card in a photo, in diagonals of the card."""


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """Two readings of the same photos.

    Attributes:
        before: The first reading.
        after: The second.
        photos: The numbers that each photo has in the two, where both have it.
        frame: Which photo of the first was cut or turned in between, and how; None for none.
    """

    before: Reading
    after: Reading
    photos: tuple[tuple[int, int], ...]
    frame: Frame | None = None

    def same_cards(self) -> dict[int, int]:
        """The number of each card in the second reading, by its number in the first: of what lies at the same place."""
        found: dict[int, int] = {}
        for first, second in self.photos:
            there = list(_cards_in(self.after, second))
            for card, quad in _cards_in(self.before, first):
                placed = self._placed(quad, first, second)
                size = float(np.linalg.norm(placed[0] - placed[2]))
                far = [(float(np.linalg.norm(other.mean(0) - placed.mean(0))), name) for name, other in there]
                if far and min(far)[0] < SAME * size:
                    found.setdefault(card, min(far)[1])
        return found

    def cut_off(self) -> frozenset[int]:
        """Numbers of the cards that the photo showed before it was cut and that no photo shows now."""
        inside, outside = set[int](), set[int]()
        for first, second in self.photos:
            width, height = _size(self.after, second)
            for number, quad in _cards_in(self.before, first):
                x, y = self._placed(quad, first, second).mean(0)
                is_there = not self._is_framed(first) or (0 <= x < width and 0 <= y < height)
                (inside if is_there else outside).add(number)
        return frozenset(outside - inside)

    def _placed(self, quad: NDArray[np.float64], first: int, second: int) -> NDArray[np.float64]:
        if self.frame is None or not self._is_framed(first):
            return quad
        return self.frame.placed(quad, _size(self.before, first), _size(self.after, second))

    def _is_framed(self, first: int) -> bool:
        return self.frame is not None and self.frame.photo == first


def _cards_in(reading: Reading, photo: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Each card that a photo shows: its number and its corners (4, 2), px."""
    for number, card in enumerate(reading.cards):
        sight = card.sight_in(photo)
        if sight is not None:
            yield number, np.array(sight.quad)


def _size(reading: Reading, photo: int) -> tuple[int, int]:
    read = reading.photos[photo]
    return read.width, read.height
