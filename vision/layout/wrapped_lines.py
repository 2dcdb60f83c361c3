"""Long runs of whole cards that go on in a second line, as a text does.

The network looks for neighbours nearby only; the end of a line and the beginning of the next one are far apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from vision.cards.geometry import Array, across
from vision.layout.neighbours import groups

ASIDE_WIDTHS: Final = 0.35
"""So far aside of a line its cards may lie, and so far apart along it the beginnings of two lines, card widths."""
LEAST_STEP_WIDTHS: Final = 0.9
"""From card to card. Overlapping cards need no second line; two rows of them rather are two melds."""
FEWEST_CARDS: Final = 3
"""Of a line that goes on below."""


def wrapped_pairs(link: Array, xy: Array, down: Array, aspect: float) -> Iterator[tuple[int, int]]:
    """The last card of a line and the first card of a line no longer that begins beside its beginning.

    Args:
        link: (n, n) log-odds that two cards lie next to each other.
        xy: (n, 2) their middles, card widths.
        down: (n, 2) their unit vectors from top to bottom, or from bottom to top.
        aspect: A card's height in its width.

    >>> xy = np.array([[0, 0], [1, 0], [2, 0], [0, 1.5]])
    >>> link = np.full((4, 4), -9.0)
    >>> link[[0, 1], [1, 2]] = link[[1, 2], [0, 1]] = 5
    >>> list(wrapped_pairs(link, xy, np.tile([0.0, 1.0], (4, 1)), 1.4))
    [(2, 3)]
    """
    lines = [line for group in groups(link > 0) if (line := _in_line(group, xy))]
    for line in lines:
        reach = float(np.linalg.norm(xy[line[-1]] - xy[line[0]]))
        if len(line) >= FEWEST_CARDS and reach > LEAST_STEP_WIDTHS * (len(line) - 1):
            for way in (line, line[::-1]):
                for other in lines:
                    if other is not line and len(other) <= len(line):
                        first = _beside(way, other, xy, down, aspect)
                        if first is not None:
                            yield way[-1], first


def _in_line(group: Sequence[int], xy: Array) -> list[int] | None:
    """The cards of a group in the order in which they lie along a line; None where they lie along none."""
    if len(group) == 1:
        return list(group)
    offsets = xy[group] - xy[group].mean(0)
    along, aside = np.linalg.svd(offsets)[2] @ offsets.T
    return None if np.abs(aside).max() > ASIDE_WIDTHS else [group[k] for k in np.argsort(along)]


def _beside(line: Sequence[int], other: Sequence[int], xy: Array, down: Array, aspect: float) -> int | None:
    """The card with which another line begins, if it lies beside the beginning of a line."""
    way = xy[line[-1]] - xy[line[0]]
    way = way / np.linalg.norm(way)
    first = other[int((xy[other] @ way).argmin())]
    offset, side = xy[first] - xy[line[0]], across(way)
    deep = aspect if abs(down[line[0]] @ side) > 0.7 else 1.0
    near = abs(offset @ way) < ASIDE_WIDTHS and ASIDE_WIDTHS < abs(offset @ side) < deep + ASIDE_WIDTHS
    return first if near else None
