"""How good findings are: one average precision, one way of counting cards, one interval (Wilson's)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from solver.solution import wilson

Floats = NDArray[np.floating]

BINS: Final = 15
"""Bins of the expected calibration error."""


def iou_matrix(first: Floats, second: Floats) -> NDArray[np.float64]:
    """Intersection over union of every box of `first` (n, 4) with every box of `second` (m, 4): (n, m).

    >>> iou_matrix(np.array([[0, 0, 2, 2.0]]), np.array([[1, 0, 3, 2.0]])).round(3).tolist()
    [[0.333]]
    """
    a, b = np.asarray(first, float).reshape(-1, 4), np.asarray(second, float).reshape(-1, 4)
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = (high - low).clip(0).prod(2)
    areas = (a[:, 2:] - a[:, :2]).prod(1)[:, None] + (b[:, 2:] - b[:, :2]).prod(1)[None]
    return np.asarray(shared / np.maximum(areas - shared, 1e-9), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Findings of any number of pictures against their truth.

    Attributes:
        score: (n,) confidence of each finding that counts.
        right: (n,) whether it found a thing that nothing better had found.
        wanted: Number of things to be found.
    """

    score: NDArray[np.float64]
    right: NDArray[np.bool_]
    wanted: int

    @classmethod
    def of(cls, boxes: Floats, score: Floats, truth: Floats, ignore: NDArray[np.bool_], iou: float) -> Self:
        """Matches of one picture: each finding, best first, takes the best free thing at `iou` or more.

        Args:
            boxes: (n, 4) findings, px.
            score: (n,) their confidence.
            truth: (m, 4) what is there.
            ignore: (m,) things that need not be found: a finding there counts neither as right nor as wrong.
            iou: Smallest overlap that counts.
        """
        overlap = iou_matrix(boxes, truth)
        free = np.ones(len(truth), np.bool_)
        rows: list[tuple[float, bool]] = []
        for row in np.argsort(-np.asarray(score), kind="stable"):
            places = np.flatnonzero(free & (overlap[row] >= iou))
            counted = places[~ignore[places]]
            if len(counted):
                best = counted[np.argmax(overlap[row, counted])]
                free[best] = False
            elif len(places) or (ignore.any() and _covered(boxes[row], truth[ignore]) > 0.5):
                continue
            rows.append((float(score[row]), bool(len(counted))))
        return cls(np.asarray([r[0] for r in rows]), np.asarray([r[1] for r in rows], np.bool_), int((~ignore).sum()))

    @classmethod
    def joined(cls, parts: Iterable[Matches]) -> Self:
        """The matches of many pictures as one."""
        every = list(parts)
        return cls(
            np.concatenate([np.zeros(0), *(p.score for p in every)]),
            np.concatenate([np.zeros(0, np.bool_), *(p.right for p in every)]),
            sum(p.wanted for p in every),
        )

    @property
    def average_precision(self) -> float:
        """Area under the precision-recall curve, every point of it used; NaN where there was nothing to find.

        >>> Matches(np.array([0.9, 0.8, 0.7]), np.array([True, False, True]), 2).average_precision.__round__(4)
        0.8333
        """
        if not self.wanted:
            return float("nan")
        order = np.argsort(-self.score, kind="stable")
        hits = np.cumsum(self.right[order])
        precision = hits / np.arange(1, len(order) + 1)
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        return float((envelope * self.right[order]).sum() / self.wanted)

    def at(self, confidence: float) -> Rates:
        """Precision and recall when findings below `confidence` are dropped."""
        kept = self.score >= confidence
        return Rates(int(self.right[kept].sum()), int(kept.sum()), self.wanted)


def _covered(box: Floats, others: Floats) -> float:
    """Largest share of `box` that one of `others` covers."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    area = float((box[2:] - box[:2]).prod())
    return float((high - low).clip(0).prod(1).max() / max(area, 1e-9))


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision and recall as counts, so that they add up over pictures and have intervals.

    Attributes:
        right: Found and there.
        found: Found at all.
        wanted: There.
    """

    right: int = 0
    found: int = 0
    wanted: int = 0

    def __add__(self, other: Rates) -> Rates:
        return Rates(self.right + other.right, self.found + other.found, self.wanted + other.wanted)

    def __str__(self) -> str:
        return f"precision {proportion(self.right, self.found)}, recall {proportion(self.right, self.wanted)}"


def card_rates(found: Sequence[Card], there: Sequence[Card]) -> Rates:
    """Cards counted as multisets: two copies of a card must be found twice.

    >>> from solver.cards import parse_cards
    >>> card_rates(parse_cards("7C 7C 8D"), parse_cards("7C 8D 9H"))
    Rates(right=2, found=3, wanted=3)
    """
    shared = Counter(found) & Counter(there)
    return Rates(shared.total(), len(found), len(there))


def proportion(successes: int, n: int) -> str:
    """A proportion with its 95% interval, as printed.

    >>> proportion(8, 10)
    '80.0% [49.0, 94.3] (8/10)'
    """
    low, high = wilson(successes, n)
    mean = f"{successes / n:.1%}" if n else "not measured"
    return f"{mean} [{100 * low:.1f}, {100 * high:.1f}] ({successes}/{n})"


class Calibration:
    """Confidence against accuracy in bins, one finding at a time; what it holds does not grow with them.

    Args:
        edges: Where bins begin, ascending from 0, and the last one's end; 15 bins of equal width by default.

    Attributes:
        edges: The edges.
        count: (bins,) findings in each bin.
        right: (bins,) how many of them are right.
        confidence: (bins,) the sum of their confidences.

    >>> calibration = Calibration()
    >>> for right in (True, True, True, False):
    ...     calibration.add(0.9, right)
    >>> round(calibration.error, 3)
    0.15
    """

    def __init__(self, edges: Sequence[float] | None = None) -> None:
        self.edges = tuple(edges) if edges is not None else tuple(k / BINS for k in range(BINS + 1))
        bins = len(self.edges) - 1
        self.count, self.right, self.confidence = [0] * bins, [0] * bins, [0.0] * bins

    def add(self, confidence: float, right: bool) -> None:
        """Counts a finding of that confidence, 0 to 1."""
        place = min(max(bisect_right(self.edges, confidence) - 1, 0), len(self.count) - 1)
        self.count[place] += 1
        self.right[place] += bool(right)
        self.confidence[place] += confidence

    @property
    def n(self) -> int:
        """How many findings were counted."""
        return sum(self.count)

    @property
    def error(self) -> float:
        """Mean distance of confidence and accuracy over the bins, weighted by their counts; NaN of nothing.

        Source: Naeini, Cooper, Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", 2015.
        """
        if not self.n:
            return float("nan")
        gaps = (abs(sure - right) for sure, right in zip(self.confidence, self.right, strict=True))
        return sum(gaps) / self.n


def expected_calibration_error(confidence: Floats, right: NDArray[np.bool_]) -> float:
    """`Calibration.error` of (n,) confidences, 0 to 1, and whether each finding is right, (n,).

    >>> expected_calibration_error(np.array([0.9, 0.9, 0.9, 0.9]), np.array([True, True, True, False])).__round__(3)
    0.15
    """
    calibration = Calibration()
    for sure, is_right in zip(np.asarray(confidence).tolist(), np.asarray(right).tolist(), strict=True):
        calibration.add(sure, is_right)
    return calibration.error
