"""Games of random deals on all cores: how often each kind of player wins."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from plumbing.errors import check_whole_number
from plumbing.parallel import Chunk, Workers, chunks
from plumbing.resumable import resumable_map
from solver.numeric.kernel_types import Bytes, Ints
from solver.numeric.outcomes import NOTHING
from solver.solution import Estimate, Progress
from solver.tomb_double import kernels as k
from solver.tomb_double.playing_rule_kernels import GREEDY, WEIGHTS
from solver.tomb_double.rules import shuffled
from solver.tomb_double.search_kernels import hidden_games
from solver.tomb_double.solve import encode_deal, fair_line, open_line

_CHUNK: Final = 64
_LOST: Final = -1
_UNDECIDED: Final = -2


class Player(StrEnum):
    """Who plays. Only `OPEN` ever looks into the stock."""

    GREEDY = "greedy"
    RULE = "rule"
    FAIR = "fair"
    OPEN = "open"

    @property
    def explained(self) -> str:
        """The player in words."""
        return _EXPLAINED[self]


_EXPLAINED: Final = {
    Player.GREEDY: "makes every play there is, fills empty piles from the reserves first, turns onto any waste",
    Player.RULE: "plays by the rule, does not see the stock, looks at the table only",
    Player.FAIR: "does not see the stock; sorts it over the redeals into the order in which a plan needs it",
    Player.OPEN: "all cards open: wins whatever can be won, by a shorter line",
}


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was played.

    Attributes:
        player: Who played.
        won: Estimate of the win rate.
        mean_moves: Mean number of moves of a won game, turned cards and redeals counted; nan if none was won.
        median_moves: The median of the same.
        undecided: Games of `FAIR` and `OPEN` that were not won though no proof of loss was found.
    """

    player: Player
    won: Estimate
    mean_moves: float
    median_moves: float
    undecided: int = 0

    def to_json(self) -> dict[str, Any]:
        """Everything that the command prints."""
        mean, median = (None if np.isnan(x) else round(x, 2) for x in (self.mean_moves, self.median_moves))
        body: dict[str, Any] = {"game": "tomb_double", "player": str(self.player), "won": self.won.to_json()}
        return body | {"mean_moves": mean, "median_moves": median, "undecided": self.undecided}


def simulate(
    n: int,
    *,
    player: Player = Player.FAIR,
    seed: int = 0,
    workers: Workers = 1,
    resume: Path | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Plays deals 0 to n - 1 of the series that `seed` names (`random_deal(seed, number=number)`).

    Args:
        n: Number of deals.
        player: Who plays.
        seed: The same seed gives the same result, whatever the number of workers.
        workers: Processes; None for all cores.
        resume: A file that keeps the counts, so that a stopped run can be continued (see `plumbing.resumable`).
        progress: Called now and then with the games played since, and how many were won.

    Raises:
        RulesError: If `n` is below 1 or `seed` below 0.
        CardsError: If `resume` keeps the counts of other games.

    >>> simulate(64, player=Player.RULE, seed=1).won.n
    64
    """
    check_whole_number("n", n, 1)
    what = {"game": "tomb_double", "player": player, "seed": seed, "chunk": _CHUNK}
    games: Counter[int] = Counter()
    parts = chunks(n, _CHUNK, seed)
    for lengths in resumable_map(partial(_play, player, seed), parts, resume=resume, what=what, workers=workers):
        games.update(lengths)
        if progress is not None:
            progress(len(lengths), [sum(length >= 0 for length in lengths)])
    wins = {length: count for length, count in sorted(games.items()) if length >= 0}
    won = Estimate.from_counts(sum(wins.values()), n, seed=seed, what=f"won, player {player}")
    return Simulation(player, won, *_mean_and_median(wins), games[_UNDECIDED])


def _mean_and_median(counts: Mapping[int, int]) -> tuple[float, float]:
    """Of numbers with how often each occurs, the smallest first; nan where there are none.

    >>> _mean_and_median({1: 2, 3: 1, 6: 1})
    (2.75, 2.0)
    """
    if not counts:
        return math.nan, math.nan
    numbers, often = np.array(list(counts)), np.array(list(counts.values()))
    total = int(often.sum())
    middle = numbers[np.searchsorted(often.cumsum(), [(total - 1) // 2, total // 2], side="right")]
    return float(numbers @ often) / total, float(middle.mean())


def _play(player: Player, seed: int, chunk: Chunk) -> list[int]:
    """The length of each won game of a chunk, `_LOST` or `_UNDECIDED`."""
    starts = np.array([encode_deal(shuffled(seed, number)) for number in range(chunk.start, chunk.start + chunk.size)])
    seeds = np.random.default_rng(chunk.seed).integers(0, 2**63, chunk.size).astype(np.uint64)
    if player in (Player.FAIR, Player.OPEN):
        search = fair_line if player is Player.FAIR else open_line
        return [_searched(search, start, seed) for start, seed in zip(starts, seeds, strict=True)]
    weights, heat = (GREEDY, 1.0) if player is Player.GREEDY else (WEIGHTS, 0.0)
    lengths = np.full(chunk.size, _LOST, np.int64)
    hidden_games(starts, np.array(weights), heat, 0, seeds, lengths)
    return list(map(int, lengths))


def _searched(search: Callable[[Bytes, np.uint64, Ints], tuple[int, int]], start: Bytes, seed: np.uint64) -> int:
    """The length of the line that a search finds, `_LOST` or `_UNDECIDED`."""
    found, length = search(start, seed, np.zeros(k.LONGEST, np.int64))
    return length or (_LOST if found == NOTHING else _UNDECIDED)
