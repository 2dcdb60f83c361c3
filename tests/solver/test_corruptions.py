"""Falsified lines of all five games: the verifier refuses them, and passes only what a slow twin still finds won."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.corruptions import ATTEMPTS

EACH = {"klondike": 60, "tomb_single": 60, "tomb_double": 30, "makiaveli": 120, "baccarat": 200}
"""Lines of each kind; some 4,000 in all."""


@pytest.mark.parametrize("game", EACH)
def test_falsified_lines_are_refused(game: str) -> None:
    refused: Counter[str] = Counter()
    for (name, kind), attempt in ATTEMPTS.items():
        if name != game:
            continue
        for seed in range(EACH[game]):
            was_refused, fault = attempt(random.Random(f"{kind} {seed}"))
            assert fault is None, f"seed {seed}: {fault}"
            refused[kind] += was_refused
        assert refused[kind], f"nothing was refused of {kind!r}"
    kinds = sum(name == game for name, _ in ATTEMPTS)
    assert refused.total() > 0.5 * kinds * EACH[game]
