"""What a film has shown so far, by place, while it is still being made; and where the camera ought to go next.

Everything has been seen when two frames show each card from near enough, and some frame what lies round it: a card that
is not known yet would show there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from solver.cards import Card
from vision.cards.geometry import Array, project
from vision.cards.seen_table import SeenCard, SeenTable
from vision.film.key_frames import KeyFrame
from vision.photo_to_reading import SMALL

SURE_READ: Final = 0.9
"""A card counts as read while the film runs from this probability on."""
SAME_PLACE_SHARE: Final = 0.5
"""Equal cards whose middles lie no farther apart, in lengths of a card, are one card."""
OFTEN: Final = 2
"""A card that so many frames show from near enough has been seen."""
SETTLED: Final = 4
"""A place that so many frames show needs no other: what only one of them read there may be nothing."""
ROUND: Final = 0.75 * np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
"""(8, 2) what ought to be in view round the middle of a card, in lengths of a card."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenPlace:
    """A card where it lies.

    Attributes:
        quad: (4, 2) its corners in the latest frame, shares of its width and height; may lie outside.
        times: How many frames show it from near enough; 1 where it was only seen from afar.
    """

    quad: Array
    times: int


@dataclass(frozen=True, slots=True, eq=False)
class SeenSoFar:
    """What has been seen since the way of the camera is known.

    Attributes:
        frame: How many frames were read before the latest one.
        cards: Each card once.
        wanted: (2,) the nearest point of the table that ought to be seen, or seen once more, in the latest frame as
            shares of its width and height; None where there is none.
        index_px: Median way from rank to suit in the latest frame, px; None without cards.
    """

    frame: int
    cards: tuple[SeenPlace, ...]
    wanted: Array | None
    index_px: float | None

    @property
    def is_whole(self) -> bool:
        """Whether everything has been seen."""
        return bool(self.cards) and self.wanted is None

    @property
    def is_far(self) -> bool:
        """Whether the camera ought to come closer: the latest frame's indices are small."""
        return self.index_px is not None and self.index_px < SMALL


@dataclass(slots=True, eq=False)
class _Place:
    """A card in the first frame of a run, px there; its length; and the frames that show it, by their numbers.

    `near` are those of them in which its index is no smaller than `SMALL`.
    """

    card: Card
    quad: Array
    length: float
    frames: set[int]
    near: set[int]

    @property
    def middle(self) -> Array:
        return np.asarray(self.quad.mean(0))


def seen_so_far(keys: Sequence[KeyFrame], tables: Sequence[SeenTable], index_px: float | None) -> SeenSoFar:
    """What the frames read so far show, at least one, with what each shows and the size of the last one's indices."""
    latest = keys[-1]
    run = [number for number, key in enumerate(keys) if key.run == latest.run]
    places = _places([keys[n] for n in run], [tables[n] for n in run])
    near = [keys[n] for n in run if not _is_far(tables[n])]
    back: Array = np.linalg.inv(latest.to_run).astype(np.float64)
    cards = tuple(SeenPlace(project(back, place.quad) / latest.size, max(1, len(place.near))) for place in places)
    wanted = project(back, _open_points([keys[n] for n in run], near, places)) / latest.size
    nearest = None if not len(wanted) else wanted[np.abs(wanted - 0.5).max(1).argmin()]
    return SeenSoFar(len(keys) - 1, cards, nearest, index_px)


def _places(keys: Sequence[KeyFrame], tables: Sequence[SeenTable]) -> list[_Place]:
    """Each card that frames of one run surely show, once."""
    places: list[_Place] = []
    for number, (key, table) in enumerate(zip(keys, tables, strict=True)):
        for card in table.cards:
            if np.exp(card.log_card.max()) <= SURE_READ:
                continue
            quad = project(key.to_run, card.quad)
            length = float(np.linalg.norm(quad[3] - quad[0]))
            near = (p for p in places if p.card == card.best and number not in p.frames)
            same = next((p for p in near if _is_near(p, quad)), None)
            if same is None:
                same = _Place(card.best, quad, length, set(), set())
                places.append(same)
            same.frames.add(number)
            if _index_px(card, table) >= SMALL:
                same.near.add(number)
    return places


def _index_px(card: SeenCard, table: SeenTable) -> float:
    """How long a card's index is in its frame, px, by the length of the card there."""
    return float(np.linalg.norm(card.quad[3] - card.quad[0])) / table.template.height


def _is_far(table: SeenTable) -> bool:
    """Whether a frame shows its cards from so far away that they had better be seen once more."""
    return bool(table.cards) and float(np.median([_index_px(card, table) for card in table.cards])) < SMALL


def _is_near(place: _Place, quad: Array) -> bool:
    return bool(np.linalg.norm(place.middle - quad.mean(0)) < SAME_PLACE_SHARE * place.length)


def _open_points(keys: Sequence[KeyFrame], near: Sequence[KeyFrame], places: Sequence[_Place]) -> Array:
    """(n, 2) the points of the table that ought to be seen still, px of the first frame of the run.

    Only frames that are `near` settle what a card is; that there is none is seen from afar too.
    """
    if not places:
        return np.zeros((0, 2))
    middles = np.array([place.middle for place in places])
    often = np.array([len(place.near) >= OFTEN for place in places])
    settled = _count_views(near, middles) >= SETTLED
    again = middles[~often & ~settled]
    true = [place for place, is_true in zip(places, often | ~settled, strict=True) if is_true]
    round_them = np.concatenate([np.zeros((0, 2)), *(place.middle + place.length * ROUND for place in true)])
    return np.concatenate([again, round_them[_count_views(keys, round_them) == 0]])


def _count_views(keys: Sequence[KeyFrame], points: Array) -> Array:
    """(n,) how many frames show each point of their run, and not only blurred."""
    views = np.zeros(len(points))
    for key in keys:
        if not key.is_blurred:
            there = project(np.linalg.inv(key.to_run).astype(np.float64), points)
            views += ((there > 0) & (there < key.size)).all(1)
    return views
