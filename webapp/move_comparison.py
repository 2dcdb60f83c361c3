"""The search behind `webapp.advice`: tries every move on the same possible deals, in the process of `webapp.worker`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from solver.solution import wilson
from webapp.jobs import Json

ROUND: Final = 4
"""Deals on which all moves are compared before the clock is looked at."""
DEALS: Final = 400


MoveShares = Callable[[Any, int, int], Iterator[tuple[str, int, int]]]
"""Tries each move of a position on so many deals of a seed, the same for each. Gives the move, the number of deals on
which it can still be won, and the number that stay undecided."""


def compare_on_deals(
    shares: MoveShares, position: Any, seconds: float, seed: int, emit: Callable[[Json], object]
) -> Json:
    """Compares moves on deals that fit what is seen, as `webapp.games.game.Compare` says.

    Rounds of a few deals are added up until `seconds` have passed, so that every move has had the same deals.
    """
    end = time.monotonic() + seconds
    won: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    n = 0
    while n < DEALS and (not n or time.monotonic() < end):
        for move, wins, open_ones in shares(position, ROUND, seed + n):
            won[move] += wins
            undecided[move] += open_ones
        n += ROUND
        emit({"deals": n})
    rows = []
    for move, wins in won.items():
        low, high = wilson(wins, n, undecided=undecided[move])
        rows.append({"move": move, "share": wins / n, "low": low, "high": high, "undecided": undecided[move], "n": n})
    return {
        "moves": sorted(rows, key=lambda row: (-won[row["move"]], _idle(row["move"]))),
        "seed": seed,
        "by": "knowing",
    }


def _idle(move: str) -> int:
    """The order of equally good moves: to a foundation, off a reserve, between columns, the rest.

    >>> sorted(["F:H>T4", "draw", "W>T3", "T1>T2", "W>F", "S>W1", "R1>T2"], key=_idle)
    ['W>F', 'R1>T2', 'T1>T2', 'W>T3', 'draw', 'S>W1', 'F:H>T4']
    """
    return 0 if move.endswith(">F") else {"R": 1, "C": 1, "T": 2, "W": 3, "d": 4, "S": 4}.get(move[0], 5)
