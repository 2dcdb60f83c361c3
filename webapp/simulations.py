"""Simulations in small batches that can be watched, stopped and continued. Runs in the process of `webapp.worker`.

A simulation of `n` trials is cut into batches, each with its own seed. So a simulation that was stopped and continued
ends with the same counts as one that ran without a break.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from solver.games import COMMANDS
from webapp.games.game import Simulation, page_of

BATCHES: Final = 100
SIMULATED: Final[Mapping[str, Simulation]] = {
    game.word: found for game in COMMANDS.values() if (found := page_of(game.word).simulation) is not None
}
"""What is simulated of a game, by its word."""


def batch_seed(seed: int, batch: int) -> int:
    """The seed of one batch: 63 bits drawn from the simulation's seed and the batch's number.

    >>> batch_seed(1, 0) == batch_seed(1, 0), batch_seed(1, 0) == batch_seed(1, 1)
    (True, False)
    """
    return int(np.random.SeedSequence((seed, batch)).generate_state(1, np.uint64)[0] >> np.uint64(1))


def run(request: Mapping[str, Any], emit: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Plays the batches of a simulation that are still to come.

    Args:
        request: `what`, `n`, `seed` and, to continue, the `points` so far.
        emit: Is given `{"points": [[trials, count, ...], ...]}` after each batch.
    """
    simulation = SIMULATED[request["what"]]
    n, seed = int(request["n"]), int(request["seed"])
    points: list[list[int]] = [list(point) for point in request.get("points", ())]
    sizes = [n // BATCHES + (batch < n % BATCHES) for batch in range(min(BATCHES, n))]
    for batch in range(len(points), len(sizes)):
        counts = simulation.play(sizes[batch], batch_seed(seed, batch))
        before = points[-1] if points else [0] * (len(simulation.labels) + 1)
        points.append([total + new for total, new in zip(before, (sizes[batch], *map(int, counts)), strict=True)])
        emit({"points": points})
    return {"points": points, "exact": None if simulation.exact is None else list(simulation.exact())}
