"""Two players on the same deals: by how much one wins more often."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solver.solution import Z95


def compare_wins(new: Sequence[bool], old: Sequence[bool]) -> str:
    """What `new` won of the deals beyond `old`, in points, with the 95% interval of the pairs.

    >>> compare_wins([True, True, False, False], [False, True, False, True])
    'wins 1 deals that the other loses, loses 1 that it wins; +0.0 points, 95% interval -69.3 to +69.3'
    """
    n = len(new)
    better = sum(one > other for one, other in zip(new, old, strict=True))
    worse = sum(one < other for one, other in zip(new, old, strict=True))
    mean = (better - worse) / n
    half = Z95 * math.sqrt(((better + worse) / n - mean**2) / n)
    interval = f"95% interval {100 * (mean - half):+.1f} to {100 * (mean + half):+.1f}"
    return f"wins {better} deals that the other loses, loses {worse} that it wins; {100 * mean:+.1f} points, {interval}"
