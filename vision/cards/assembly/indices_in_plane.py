"""The indices of a photo in the table's plane, and how each two of them lie to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, Plane, across, unit


@dataclass(frozen=True, eq=False, slots=True)
class IndicesInPlane:
    """Indices in the plane.

    Attributes:
        rank: (n, 2) rank centres.
        down: (n, 2) directions.
        log_card: (n, 52) reads.
        same: (n, n) log-ratio of two indices showing one identity against any two.
        turn: (n, n) cosine between directions.
        apart: (n, n) distances between ranks.
        photo: (n, 2, 2) rank and suit centres in the photo, px.
    """

    rank: Array
    down: Array
    log_card: Array
    same: Array
    turn: Array
    apart: Array
    photo: Array

    @classmethod
    def of(cls, plane: Plane, rank: Array, suit: Array, log_card: Array, chance: Array) -> IndicesInPlane:
        """The indices whose ranks and suits (n, 2) are seen at these places, px, each an index by a chance (n,)."""
        start = plane.from_photo(rank)
        down = unit(plane.from_photo(suit) - start)
        p, doubted = np.exp(log_card), np.exp(allow_doubt(log_card, chance))
        same = np.log(52 * np.maximum(p @ p.T, doubted @ doubted.T) + 1e-9)
        line = start[None] - start[:, None]
        apart = np.hypot(line[..., 0], line[..., 1])
        return cls(start, down, log_card, same, down @ down.T, apart, np.stack([rank, suit], axis=1))

    def opposed(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """(k, 2) from i to j in the frame of a card that both are opposite corners of."""
        return _in_frame(self.rank[j] - self.rank[i], unit(self.down[i] - self.down[j]))

    def level(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """(k, 2) from i to j in the frame of a card that both are corners of, pointing the same way."""
        return _in_frame(self.rank[j] - self.rank[i], unit(self.down[i] + self.down[j]))

    def local(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """As `opposed`, but measured in the photo by the two indices themselves, whatever plane their card lies in."""
        down = self.photo[:, 1] - self.photo[:, 0]
        axis = (down[i] - down[j]) / 2
        line = _in_frame(self.photo[j, 0] - self.photo[i, 0], axis)
        return np.asarray(line / np.maximum((axis**2).sum(-1, keepdims=True), 1e-6))


def _in_frame(line: Array, down: Array) -> Array:
    """Vectors (k, 2) in frames whose y axes are these downs."""
    return np.stack([(line * across(down)).sum(-1), (line * down).sum(-1)], axis=-1)


def misfit(offset: Array, target: tuple[float, float], distance: float, angle: float) -> Array:
    """Distances of offsets from a target, in standard deviations along it and around it."""
    length, wanted = np.hypot(offset[..., 0], offset[..., 1]), float(np.hypot(*target))
    along = np.log(np.maximum(length, 1e-6) / wanted) / distance
    difference = np.arctan2(offset[..., 0], offset[..., 1]) - np.arctan2(*target)
    around = (np.mod(difference + np.pi, 2 * np.pi) - np.pi) / angle
    return np.asarray(np.hypot(along, around))


def upper_pairs(which: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column numbers of the true entries above the diagonal of a matrix (n, n)."""
    rows, columns = np.nonzero(which)
    above = rows < columns
    return rows[above], columns[above]


def select_pairs(pairs: tuple[NDArray[np.intp], NDArray[np.intp]], which: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The pairs for which `which` holds, as a list."""
    return list(zip(pairs[0][which].tolist(), pairs[1][which].tolist(), strict=True))


def allow_doubt(log_card: Array, chance: Array) -> Array:
    """Reads (n, 52) of findings that are whole indices with a chance (n,): a part of one may be of any card."""
    return np.asarray(np.log(chance[:, None] * np.exp(log_card) + (1 - chance[:, None]) / 52))


def combine_reads(log_card: Array) -> Array:
    """(52,) normalised log-probabilities of what several reads (n, 52) of one card show."""
    total = log_card.sum(0)
    return np.asarray(total - total.max() - np.log(np.exp(total - total.max()).sum()))
