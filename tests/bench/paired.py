"""Two players on the same deals: by how much one wins more often."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solver.solution import Z95


def compare_wins(new: Sequence[bool], old: Sequence[bool]) -> str:
    """What `new` won of the deals beyond `old`, in points, with the 95% interval of the pairs (Agresti and Min).

    >>> compare_wins([True, True, False, False], [False, True, False, True])
    'wins 1 deals that the other loses, loses 1 that it wins; +0.0 points, 95% interval -56.6 to +56.6'
    """
    n = len(new)
    better = sum(one > other for one, other in zip(new, old, strict=True))
    worse = sum(one < other for one, other in zip(new, old, strict=True))
    mean = (better - worse) / (n + 2)  # half a pair more of each kind, so that few pairs never look sure
    half = Z95 * math.sqrt(((better + worse + 1) / (n + 2) - mean**2) / (n + 2))
    gained = 100 * (better - worse) / n
    interval = f"95% interval {100 * (mean - half):+.1f} to {100 * (mean + half):+.1f}"
    return f"wins {better} deals that the other loses, loses {worse} that it wins; {gained:+.1f} points, {interval}"
