"""The face-down cards of several photos: each heap as one of them shows it, counted in all that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, Plane, gaps, project, rectangle, unit
from vision.cards.joining.complex_points import invert
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.weighed_reads import weigh_reads
from vision.cards.seen_table import SeenBack, SeenTable
from vision.cards.template import Template
from vision.layout.neighbours import groups
from vision.networks.back_counter import ABOVE, BELOW

_PLACES: Final = 10
"""Places of a strip, along it and across, at which is looked whether they lie in a photo."""
_BESIDE: Final = 0.25
"""So far beside a strip's middle a back of its heap lies at most, in widths of the strip."""
_EDGE: Final = 0.05
"""So much of the face-up card is to be seen below its edge, in lengths of the strip."""
_FACE: Final = ABOVE / (ABOVE + BELOW)
"""Where along a strip the first face-up card begins, from 0 to 1."""


def join_backs(
    tables: Sequence[SeenTable],
    to_plane: Mapping[int, Array],
    plane: Plane,
    template: Template,
) -> tuple[tuple[SeenBack, ...], tuple[tuple[int, int], ...]]:
    """Each heap of face-down cards from the photo that shows most of it, the larger one of two alike.

    Where most photos see none, there is none.
    """
    rows = [(photo, row) for photo in to_plane for row in range(len(tables[photo].backs))]
    if not rows:
        return (), ()
    ends = np.array([_ends_on_map(tables[photo], to_plane[photo], row) for photo, row in rows])
    middles, lying = ends.mean(1), unit(ends[:, 1] - ends[:, 0])
    quads = rectangle(middles, lying, template.width, template.height)
    heaps = groups(gaps(quads) < -0.3 * template.width)
    heaps = [heap for heap in heaps if _is_seen_often([rows[n][0] for n in heap], middles[heap], tables, to_plane)]
    kept = [n for heap in heaps for n in _of_best_photo(tables, [rows[n] for n in heap], heap)]
    backs = []
    for n in kept:
        back = tables[rows[n][0]].backs[rows[n][1]]
        backs.append(replace(back, centre=middles[n], down=lying[n], quad=plane.to_photo(quads[n])))
    return tuple(backs), tuple(rows[n] for n in kept)


def _is_seen_often(
    photos: Sequence[int], middles: Array, tables: Sequence[SeenTable], to_plane: Mapping[int, Array]
) -> bool:
    """Whether enough photos see a heap of face-down cards, of those that show its place."""
    showing = set(photos)
    for photo, matrix in to_plane.items():
        at, size = project(invert(matrix), middles), np.array(tables[photo].size)
        if ((at > 0.15 * size) & (at < 0.85 * size)).all():
            showing.add(photo)
    return len(set(photos)) >= TUNING.fewest_back_views_share * len(showing)


def _ends_on_map(table: SeenTable, to_plane: Array, row: int) -> Array:
    """(2, 2) two points of a back's long middle axis in the joined plane."""
    back = table.backs[row]
    into = to_plane @ invert(table.plane.matrix)
    return project(into, np.stack([back.centre - back.down, back.centre + back.down]))


def _of_best_photo(tables: Sequence[SeenTable], views: Sequence[tuple[int, int]], heap: Sequence[int]) -> list[int]:
    """Of a heap's backs, those that the photo with most of them shows; `views` are their photos and rows."""
    own: dict[int, list[int]] = {}
    size: dict[int, float] = {}
    for n, (photo, row) in zip(heap, views, strict=True):
        own.setdefault(photo, []).append(n)
        diagonal = np.subtract(*tables[photo].backs[row].quad[[0, 2]])
        size[photo] = max(size.get(photo, 0.0), float(np.linalg.norm(diagonal)))
    return own[max(own, key=lambda photo: (len(own[photo]), size[photo]))]


class CounterOfPhotos:
    """Counts face-down cards in all photos that show a strip of the map whole and large; their counts are weighed."""

    def __init__(self, tables: Sequence[SeenTable], to_plane: Mapping[int, Array], plane: Plane) -> None:
        self.counters = {photo: counter for photo in to_plane if (counter := tables[photo].count_backs) is not None}
        self.tables, self.to_plane, self.plane = tables, to_plane, plane

    def __call__(self, regions: Array) -> Array:
        """What `BackCounter.count` says of strips (n, 4, 2) of the map."""
        places, whole, used = self._clear_places(regions)
        reads: list[list[Array]] = [[] for _ in regions]
        for (photo, counter), shown, clear in zip(self.counters.items(), whole | used, used, strict=True):
            # A photo's strips are weighed together: what is too small to count still says how the backs look.
            for row, read in zip(np.flatnonzero(shown), counter(places[photo][shown]), strict=True):
                if clear[row]:
                    reads[row].append(read)
        log = np.array([weigh_reads(own) for own in reads])
        return np.asarray(log - np.logaddexp.reduce(log, axis=1)[:, None])

    def is_seen_twice(self, regions: Array) -> NDArray[np.bool_]:
        """Whether (n,) two photos or more show a strip clearly."""
        return np.asarray(self._clear_places(regions)[2].sum(0) > 1)

    def _clear_places(self, regions: Array) -> tuple[dict[int, Array], NDArray[np.bool_], NDArray[np.bool_]]:
        """Where each photo has the strips, px; which ones (photos, n) it shows whole, and which clearly."""
        strips = self.plane.from_photo(regions)
        corners, tops = strips.reshape(-1, 2), self._find_tops(strips)
        places = {photo: project(invert(self.to_plane[photo]), corners).reshape(-1, 4, 2) for photo in self.counters}
        shares = np.array(
            [
                [_share_inside(quad, self.tables[photo].size, top) for quad, top in zip(quads, tops, strict=True)]
                for photo, quads in places.items()
            ]
        )
        whole = shares >= TUNING.whole_strip_share
        # Where one photo shows a heap from its uppermost back on, those that cut some of it off have no say.
        whole &= (shares >= TUNING.whole_heap_share * shares.max(0)) | (tops == 0)
        lengths = np.array([np.linalg.norm(quads[:, 0] - quads[:, 3], axis=1) for quads in places.values()])
        lengths = np.where(whole, lengths, lengths * 1e-3)  # a photo that cuts a strip counts where no other shows it
        return places, whole, lengths >= TUNING.clear_strip_share * lengths.max(0)

    def _find_tops(self, strips: Array) -> Array:
        """(n,) where along strips of the plane their uppermost backs begin, from 0 to 1; 0 where none is found."""
        found = [project(matrix, _quads(self.tables[photo])) for photo, matrix in self.to_plane.items()]
        quads = np.concatenate(found)
        tops = np.zeros(len(strips))
        for row, (left, right, _, low) in enumerate(strips):
            axes = np.stack([right - left, low - left])
            place = (quads - left) @ np.linalg.inv(axes)  # (backs, 4, 2) across and along the strip
            middle = place.mean(1)
            own = (np.abs(middle[:, 0] - 0.5) < _BESIDE) & (middle[:, 1] > 0) & (middle[:, 1] < 1)
            own &= place[..., 1].min(1) < _FACE
            if own.any():
                tops[row] = max(place[own][..., 1].min(), 1e-3)
        return tops


def _quads(table: SeenTable) -> Array:
    """(n, 4, 2) outlines of a photo's backs, px."""
    return np.array([back.quad for back in table.backs], np.float64).reshape(-1, 4, 2)


def _share_inside(quad: Array, size: tuple[int, int], top: float = 0.0) -> float:
    """Share of a strip's places that lie in a photo of this size, px.

    Args:
        quad: (4, 2) the strip's corners, px.
        size: The photo's.
        top: Where its heap begins, from 0 to 1; the places from there to the first face-up card count. 0: all count.

    >>> strip = np.array([[-50, 0], [50, 0], [50, 100], [-50, 100]], float)
    >>> _share_inside(strip, (200, 100)), _share_inside(strip + [50, -40], (200, 100), 0.5)
    (0.5, 1.0)
    """
    start, end = (top, _FACE + _EDGE) if top else (0.0, 1.0)
    right, down = (np.arange(_PLACES) + 0.5)[:, None] / _PLACES, (np.arange(_PLACES) + 0.5)[:, None, None] / _PLACES
    down = start + down * (end - start)
    upper, lower = quad[0] + right * (quad[1] - quad[0]), quad[3] + right * (quad[2] - quad[3])
    places = upper + down * (lower - upper)
    return float(((places >= 0) & (places <= size)).all(-1).mean())
