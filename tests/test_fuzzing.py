"""A short slice of the fuzzing; `python -m tests.bench.fuzz` does a hundred thousand cases."""

from __future__ import annotations

import random
import time

import pytest

from tests import corruptions
from tests.fuzzing import SURFACES, commands

CASES = {
    "notation": 600, "json": 200, "photo": 400, "command": 40, "klondike_line": 60, "tomb_line": 60,
    "won_line": 100, "model": 80, "vision_command": 25, "address": 300, "kept_counts": 200,
    "kept_rows": 200, "labels": 200, "archive": 150, "text_game": 40,
}  # fmt: skip
SLOWEST = 20.0
"""Seconds that a case may take here, where other tests run beside it and kernels are compiled; 5 in the bench."""


@pytest.mark.parametrize("surface", SURFACES)
def test_hostile_input_is_refused_kindly_or_understood(surface: str) -> None:
    if surface == "won_line":
        corruptions.prepare()
    if surface == "command":
        commands.prepare()
    for seed in range(CASES[surface]):
        start = time.process_time()
        assert SURFACES[surface](random.Random(f"{surface} {seed}")) is None, f"{surface}, seed {seed}"
        assert time.process_time() - start < SLOWEST, f"{surface}, seed {seed} takes too long"
