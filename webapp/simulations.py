"""Simulations in small batches that can be watched, stopped and gone on with. Runs in `webapp.worker`'s process.

A simulation of `n` trials with a seed is cut into batches that have seeds of their own, so one that was stopped and
gone on with ends with the same counts as one that ran through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

BATCHES: Final = 100


@dataclass(frozen=True, slots=True)
class Simulation:
    """What can be simulated.

    Attributes:
        title: Its name on the page.
        labels: What is counted, one name a count.
        play: Plays `size` trials with a seed and gives the counts.
        exact: The exact shares, where they are known.
        note: What is played, in a sentence.
    """

    title: str
    labels: tuple[str, ...]
    play: Callable[[int, int], Sequence[int]]
    exact: Callable[[], Sequence[float]] | None = None
    note: str = ""


def _baccarat(size: int, seed: int) -> Sequence[int]:
    from solver.baccarat.rules import Outcome
    from solver.baccarat.simulate import simulate

    tally = simulate(size, seed=seed).tally
    return [tally.count(outcome) for outcome in Outcome]


def _baccarat_exact() -> Sequence[float]:
    from solver.baccarat.exact import exact_tally
    from solver.baccarat.rules import Outcome, Shoe

    tally = exact_tally(Shoe.of_decks(8))
    return [float(tally.probability(outcome)) for outcome in Outcome]


def _tomb_single(size: int, seed: int) -> Sequence[int]:
    from solver.tomb.single.simulate import simulate

    won = simulate(size, seed=seed)
    return [round(won.mean * won.n)]


def _tomb_double(size: int, seed: int) -> Sequence[int]:
    from solver.tomb.double.simulate import Player, simulate

    won = simulate(size, player=Player.RULE, seed=seed).won
    return [round(won.mean * won.n)]


SIMULATIONS: Final[Mapping[str, Simulation]] = {
    "tomb_single": Simulation(
        "Napoleon's Tomb, one deck",
        ("won",),
        _tomb_single,
        note="Every legal play is made, spares are filled from the discard pile first: the order never matters.",
    ),
    "tomb_double": Simulation(
        "Napoleon's Tomb, two decks",
        ("won",),
        _tomb_double,
        note="A player who does not see the stock and goes by a fixed rule; how often the game comes out.",
    ),
    "baccarat": Simulation(
        "Baccarat",
        ("player", "banker", "tie"),
        _baccarat,
        _baccarat_exact,
        "Punto banco from eight decks, each round from a full shoe; dashed lines are the exact chances.",
    ),
}


def batch_seed(seed: int, batch: int) -> int:
    """The seed of one batch: 63 bits drawn from the simulation's seed and the batch's number.

    >>> batch_seed(1, 0) == batch_seed(1, 0), batch_seed(1, 0) == batch_seed(1, 1)
    (True, False)
    """
    return int(np.random.SeedSequence((seed, batch)).generate_state(1, np.uint64)[0] >> np.uint64(1))


def run(request: Mapping[str, Any], emit: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Plays the batches of a simulation that are still to come.

    Args:
        request: `what`, `n`, `seed` and, to go on, `points` as far as they are known.
        emit: Is given `{"points": [[trials, count, ...], ...], "n": n}` after each batch.
    """
    simulation = SIMULATIONS[request["what"]]
    n, seed = int(request["n"]), int(request["seed"])
    points: list[list[int]] = [list(point) for point in request.get("points", ())]
    sizes = [n // BATCHES + (batch < n % BATCHES) for batch in range(min(BATCHES, n))]
    for batch in range(len(points), len(sizes)):
        counts = simulation.play(sizes[batch], batch_seed(seed, batch))
        before = points[-1] if points else [0] * (len(simulation.labels) + 1)
        points.append([total + new for total, new in zip(before, (sizes[batch], *map(int, counts)), strict=True)])
        emit({"points": points, "n": n})
    return {"points": points, "n": n, "exact": None if simulation.exact is None else list(simulation.exact())}
