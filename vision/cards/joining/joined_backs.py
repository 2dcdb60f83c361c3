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

_PLACES: Final = 10
"""Places of a strip, along it and across, at which is looked whether they lie in a photo."""


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
        corners = self.plane.from_photo(regions).reshape(-1, 2)
        places = {photo: project(invert(self.to_plane[photo]), corners).reshape(-1, 4, 2) for photo in self.counters}
        shares = [[_share_inside(quad, self.tables[photo].size) for quad in quads] for photo, quads in places.items()]
        whole = np.array(shares) >= TUNING.whole_strip_share
        lengths = np.array([np.linalg.norm(quads[:, 0] - quads[:, 3], axis=1) for quads in places.values()])
        lengths = np.where(whole, lengths, lengths * 1e-3)  # a photo that cuts a strip counts where no other shows it
        return places, whole, lengths >= TUNING.clear_strip_share * lengths.max(0)


def _share_inside(quad: Array, size: tuple[int, int]) -> float:
    """Share of a strip's places that lie in a photo of this size, px.

    >>> _share_inside(np.array([[-50, 0], [50, 0], [50, 100], [-50, 100]], float), (200, 100))
    0.5
    """
    right, down = (np.arange(_PLACES) + 0.5)[:, None] / _PLACES, (np.arange(_PLACES) + 0.5)[:, None, None] / _PLACES
    upper, lower = quad[0] + right * (quad[1] - quad[0]), quad[3] + right * (quad[2] - quad[3])
    places = upper + down * (lower - upper)
    return float(((places >= 0) & (places <= size)).all(-1).mean())
