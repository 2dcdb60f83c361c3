"""Simulates random deals on all cores."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final, Literal

import numpy as np

from plumbing.errors import RulesError, check_whole_number
from plumbing.parallel import Chunk, Workers, chunks
from plumbing.resumable import resumable_map
from solver.solution import Estimate, Progress
from solver.tomb_single.forced_kernels import forced_deals
from solver.tomb_single.free_kernels import REACHES, lookahead_deals, policy_deals

Player = Literal["forced", "simple", "lookahead"]

PLAYERS: Final[dict[Player, str]] = {
    "forced": "forced play",
    "simple": "free play by a simple policy",
    "lookahead": "free play with lookahead on imagined decks",
}
SAMPLES: Final = 64
"""Imagined decks for each choice of the lookahead."""

_CHUNK: Final[dict[Player, int]] = {"forced": 1 << 17, "simple": 1 << 16, "lookahead": 64}
_BLOCKS: Final = 500
"""Points that a plot of the running rate gets, at least."""


def _play(player: Player, block: int, samples: int, chunk: Chunk) -> list[list[int]]:
    """(games, wins) of each block of `block` games, the last of which may be smaller."""
    block, seed = min(block, chunk.size), np.uint64(chunk.seed)
    if player == "forced":
        wins = forced_deals(chunk.size, block, seed)
    elif player == "simple":
        wins = policy_deals(chunk.size, block, REACHES[0], seed)
    else:
        wins = lookahead_deals(chunk.size, block, samples, seed)
    games = np.full(wins.size, block, np.int64)
    games[-1] = chunk.size - block * (wins.size - 1)
    rows: list[list[int]] = np.column_stack([games, wins]).tolist()
    return rows


def simulate(
    n: int,
    *,
    player: Player = "forced",
    samples: int = SAMPLES,
    seed: int = 0,
    workers: Workers = 1,
    resume: Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Plays `n` random deals; the share that is won, with its interval.

    Args:
        n: Number of deals.
        player: `forced` makes every legal play; `simple` and `lookahead` play freely and see neither the
            deck nor anything else that a person at the table does not.
        samples: Imagined decks for each choice of the lookahead.
        seed: The same seed gives the same result, whatever the number of workers.
        workers: Processes; None for all cores.
        resume: A file that keeps the counts, so that a stopped run can be continued (see `plumbing.resumable`).
        progress: Called with the games played, a block at a time, and how many were won.

    Raises:
        RulesError: For a number out of its range, or a player that there is not.
        CardsError: If `resume` keeps the counts of other games.

    >>> simulate(1000, seed=1).n
    1000
    """
    check_whole_number("n", n, 1)
    if player not in PLAYERS:
        raise RulesError("player", player, ", ".join(PLAYERS))
    check_whole_number("samples", samples, 1)
    size = _CHUNK[player]
    work = partial(_play, player, max(1, min(size, n // _BLOCKS)), samples)
    what = {"game": "tomb_single", "player": player, "seed": seed, "chunk": size}
    what |= {"samples": samples} if player == "lookahead" else {}
    wins = 0
    parts = chunks(n, size, seed)
    for rows in resumable_map(work, parts, resume=resume, what=what, workers=workers):
        wins += sum(won for _, won in rows)
        if progress is not None:
            for games, won in rows:
                progress(games, [won])
    return Estimate.from_counts(wins, n, seed=seed, what=f"{PLAYERS[player]} wins")
