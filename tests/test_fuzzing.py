"""A short slice of the fuzzing; `python -m tests.bench.fuzz` does a hundred thousand cases."""

from __future__ import annotations

import random
import time

import pytest

from tests import corruptions
from tests.fuzzing import SURFACES, commands

CASES = {
    "notation": 600, "json": 200, "photo": 400, "film": 200, "command": 40, "klondike_line": 60, "tomb_line": 60,
    "won_line": 100, "model": 80, "vision_command": 25, "address": 300, "kept_counts": 200,
    "kept_rows": 200, "labels": 200, "archive": 150, "text_game": 40,
}  # fmt: skip
SLOWEST = 400.0
"""Units of work that a case may take, compiling included: about 20 s of a usual core; the bench allows 5 s."""


def cpu_seconds_of_a_unit() -> float:
    """What a fixed piece of work takes this machine, the best of three: a slow processor fails no test."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        sum(number * number for number in range(1_000_000))
        spent.append(time.process_time() - start)
    return min(spent)


@pytest.mark.parametrize("surface", SURFACES)
def test_hostile_input_is_refused_kindly_or_understood(surface: str) -> None:
    if surface == "won_line":
        corruptions.prepare()
    if surface == "command":
        commands.prepare()
    unit = cpu_seconds_of_a_unit()
    for seed in range(CASES[surface]):
        start = time.process_time()
        assert SURFACES[surface](random.Random(f"{surface} {seed}")) is None, f"{surface}, seed {seed}"
        assert time.process_time() - start < SLOWEST * unit, f"{surface}, seed {seed} takes too long"
