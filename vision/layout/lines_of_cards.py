"""What the lines in which cards lie tell of neighbours, beyond what the network says of two cards.

A long run of whole cards goes on in a second line, as a text does: the network looks for neighbours nearby only. And
two runs in one line are told apart by the step between them, which is wider than the steps within them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, across
from vision.layout.neighbours import groups
from vision.preferences import preferences_of

ASIDE_WIDTHS: Final = 0.35
"""So far aside of a line its cards may lie, and so far apart along it the beginnings of two lines, card widths."""
LEAST_STEP_WIDTHS: Final = 0.9
"""From card to card. Overlapping cards need no second line; two rows of them rather are two melds."""
FEWEST_CARDS: Final = 3
"""Of a line that another one goes on."""
SURE_LOG_ODDS: Final[float] = preferences_of(__name__)["SURE_LOG_ODDS"]
"""Neighbours with higher ones lie in one meld, whatever the step between them."""
NO_LOG_ODDS: Final[float] = preferences_of(__name__)["NO_LOG_ODDS"]
"""Cards with lower ones are no neighbours in any case."""
WIDE_STEP: Final = 1.4
"""Times the usual step within one of two lines: so wide is the step between them if they are two."""
LEAST_COSINE: Final = 0.85
"""Of the angle between a line and the step to the next one in the same row."""


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
    for line, other in permutations(_lines(link > 0, xy), 2):
        if FEWEST_CARDS <= len(line) >= len(other) and _reach(line, xy) > LEAST_STEP_WIDTHS * (len(line) - 1):
            for way in (line, line[::-1]):
                first = _beside(way, other, xy, down, aspect)
                if first is not None:
                    yield way[-1], first


def folded_lines(link: Array, xy: Array, down: Array, aspect: float) -> Iterator[tuple[list[int], list[int]]]:
    """Two lines of which one goes on beside the end of the other and runs back, each in the order of a run.

    Args:
        link: (n, n) log-odds that two cards lie next to each other.
        xy: (n, 2) their middles, card widths.
        down: (n, 2) their unit vectors from top to bottom, or from bottom to top.
        aspect: A card's height in its width.

    >>> xy = np.array([[0, 0], [0.4, 0], [0.8, 0], [0.8, 1.2], [0.4, 1.2]])
    >>> link = np.full((5, 5), -9.0)
    >>> link[[0, 1, 3], [1, 2, 4]] = link[[1, 2, 4], [0, 1, 3]] = 5
    >>> ([0, 1, 2], [3, 4]) in folded_lines(link, xy, np.tile([0.0, 1.0], (5, 1)), 1.4)
    True
    """
    lines = [line for line in _lines(link > 0, xy) if len(line) > 1]
    for line, other in permutations(lines, 2):
        for back in (line, line[::-1]):
            first = _beside(back, other, xy, down, aspect)
            if first is not None and first in (other[0], other[-1]):
                yield back[::-1], other if first == other[0] else other[::-1]


def wide_steps(link: Array, xy: Array) -> Iterator[tuple[int, int]]:
    """The last card of a line and the first card of one that goes on in the same row after a wider step.

    >>> xy = np.array([[0, 0], [0.3, 0], [0.6, 0], [1.3, 0], [1.6, 0], [1.9, 0]])
    >>> link = np.full((6, 6), -9.0)
    >>> for k, odds in enumerate((5, 5, -1, 5, 5)):
    ...     link[k, k + 1] = link[k + 1, k] = odds
    >>> list(wide_steps(link, xy))
    [(2, 3)]
    """
    lines = [line for line in _lines(link > SURE_LOG_ODDS, xy) if len(line) >= FEWEST_CARDS]
    for line, other in permutations(lines, 2):
        for one in (line, line[::-1]):
            for two in (other, other[::-1]):
                if one[-1] < two[0] and link[one[-1], two[0]] > NO_LOG_ODDS and _goes_on(one, two, xy):
                    yield one[-1], two[0]


def cards_in_row(line: Sequence[int], others: Sequence[int], xy: Array) -> list[int]:
    """The other cards in the row of a line, if one of them goes on at one of its ends at about the line's own step.

    >>> xy = np.array([[0, 0], [0.3, 0], [0.6, 0], [0.95, 0], [1.9, 0]])
    >>> cards_in_row([0, 1, 2], [3, 4], xy), cards_in_row([0, 1, 2], [4], xy)
    ([3, 4], [])
    """
    if len(line) < 2 or not others or _in_line(list(line), xy) is None:
        return []
    usual = float(np.median(np.linalg.norm(np.diff(xy[list(line)], axis=0), axis=1)))
    along = (xy[line[-1]] - xy[line[0]]) / _reach(line, xy)
    found, goes_on = [], False
    for other in others:
        if abs((xy[other] - xy[line[0]]) @ across(along)) < ASIDE_WIDTHS:
            found.append(other)
            ahead = max((xy[other] - xy[line[-1]]) @ along, (xy[line[0]] - xy[other]) @ along)
            goes_on |= bool(0 < ahead < WIDE_STEP * usual)
    return found if goes_on else []


def lines_of(link: Array, xy: Array) -> list[list[int]]:
    """The lines of two cards and more that lie next to each other."""
    return [line for line in _lines(link > 0, xy) if len(line) > 1]


def _lines(near: NDArray[np.bool_], xy: Array) -> list[list[int]]:
    """The groups of neighbours that lie in a line, each in the order in which they lie."""
    return [line for group in groups(near) if (line := _in_line(group, xy))]


def _in_line(group: Sequence[int], xy: Array) -> list[int] | None:
    """The cards of a group in the order in which they lie along a line; None where they lie along none."""
    if len(group) == 1:
        return list(group)
    offsets = xy[group] - xy[group].mean(0)
    along, aside = np.linalg.svd(offsets)[2] @ offsets.T
    return None if np.abs(aside).max() > ASIDE_WIDTHS else [group[k] for k in np.argsort(along)]


def _reach(line: Sequence[int], xy: Array) -> float:
    return float(np.linalg.norm(xy[line[-1]] - xy[line[0]]))


def _beside(line: Sequence[int], other: Sequence[int], xy: Array, down: Array, aspect: float) -> int | None:
    """The card with which another line begins, if it lies beside the beginning of a line."""
    way = (xy[line[-1]] - xy[line[0]]) / _reach(line, xy)
    first = other[int((xy[other] @ way).argmin())]
    offset, side = xy[first] - xy[line[0]], across(way)
    deep = aspect if abs(down[line[0]] @ side) > 0.7 else 1.0
    near = abs(offset @ way) < ASIDE_WIDTHS and ASIDE_WIDTHS < abs(offset @ side) < deep + ASIDE_WIDTHS
    return first if near else None


def _goes_on(line: Sequence[int], other: Sequence[int], xy: Array) -> bool:
    """Whether another line goes on in the row of a line, after a step wider than those of one of the two."""
    step = xy[other[0]] - xy[line[-1]]
    far = float(np.linalg.norm(step))
    ways = [(xy[own[-1]] - xy[own[0]]) / _reach(own, xy) for own in (line, other)]
    usual = min(float(np.median(np.linalg.norm(np.diff(xy[list(own)], axis=0), axis=1))) for own in (line, other))
    return far > WIDE_STEP * usual and min(float(step @ way) for way in ways) > LEAST_COSINE * far
