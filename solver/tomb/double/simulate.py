"""Games of random deals on all cores: how often each kind of player wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Final

import numpy as np

from solver.errors import RulesError
from solver.parallel import Chunk, Workers, chunks, ordered_map
from solver.solution import Estimate
from solver.tomb.double import kernels as k
from solver.tomb.double.rules import shuffled
from solver.tomb.double.solve import HEAT, encode_deal, line_found

_CHUNK: Final = 64
_TRIES: Final = 128
_NESTED: Final = 0


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
    Player.FAIR: "plays by the rule, does not see the stock; remembers what was turned and thinks ahead after a redeal",
    Player.OPEN: "all cards open: a line that wins was found",
}


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was played.

    Attributes:
        player: Who played.
        won: Estimate of the win rate.
        mean_moves: Mean number of moves of a won game, turned cards and redeals counted; nan if none was won.
    """

    player: Player
    won: Estimate
    mean_moves: float

    def to_json(self) -> dict[str, Any]:
        """Everything that the command prints."""
        moves = None if np.isnan(self.mean_moves) else round(self.mean_moves, 2)
        return {"game": "tomb_double", "player": str(self.player), "won": self.won.to_json(), "mean_moves": moves}


def simulate(
    n: int,
    *,
    player: Player = Player.FAIR,
    seed: int = 0,
    workers: Workers = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """Plays deals 0 to n - 1 of the series that `seed` names (`Position.deal(seed, number)`).

    Args:
        n: Number of deals.
        player: Who plays.
        seed: The same seed gives the same result, whatever the number of workers.
        workers: Processes; None for all cores.
        progress: Called now and then with the games played and won since.

    Raises:
        RulesError: If `n` is below 1.

    >>> simulate(64, player=Player.RULE, seed=1).won.n
    64
    """
    if n < 1:
        raise RulesError("n", n, "1 or more")
    won = moves = 0
    for lengths in ordered_map(partial(_play, player, seed), chunks(n, _CHUNK, seed), workers=workers):
        wins = lengths[lengths >= 0]
        won += len(wins)
        moves += int(wins.sum())
        if progress is not None:
            progress(len(lengths), len(wins))
    what = f"won, player {player}"
    return Simulation(player, Estimate.from_counts(won, n, seed=seed, what=what), moves / won if won else float("nan"))


def _play(player: Player, seed: int, chunk: Chunk) -> k.Ints:
    """The length of each won game of a chunk, -1 for a lost one."""
    starts = np.array([encode_deal(shuffled(seed, number)) for number in range(chunk.start, chunk.start + chunk.size)])
    lengths = np.full(chunk.size, -1, np.int64)
    seeds = np.random.default_rng(chunk.seed).integers(0, 2**63, chunk.size).astype(np.uint64)
    if player is Player.OPEN:
        line = np.zeros(k.LONGEST, np.int64)
        for game, start in enumerate(starts):
            length = line_found(start, seeds[game], line)
            lengths[game] = length if length else -1
        return lengths
    greedy = player is Player.GREEDY
    weights = np.array(k.GREEDY if greedy else k.WEIGHTS)
    heat = 1.0 if greedy else HEAT if player is Player.FAIR else 0.0
    tries, budget = (_TRIES, _NESTED) if player is Player.FAIR else (0, 0)
    k.hidden_games(starts, weights, heat, tries, budget, seeds, lengths)
    return lengths
