"""What plain Python makes of a kernel is what Numba makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest

from solver import jit
from solver.makiaveli import Position, solve, verdict
from solver.makiaveli.counts import Counts
from solver.makiaveli.solve import MakiaveliSolution
from tests.bench.makiaveli_tables import of_melds


def as_if(monkeypatch: pytest.MonkeyPatch, *, compiled: bool) -> None:
    """Has kernels compiled from the first call, or never, as in a process of its own."""
    monkeypatch.setattr(jit, "_work_left", 0 if compiled else 10**9)
    for name in [name for name in sys.modules if name.startswith("solver.makiaveli.")]:
        for value in vars(sys.modules[name]).values():
            if isinstance(value, jit._Kernel):
                monkeypatch.setattr(value, "is_loaded", compiled)


def told(position: Position) -> tuple[object, ...]:
    solution: MakiaveliSolution = solve(position)
    return (
        str(solution.verdict), solution.max_cards, solution.broken, solution.moved, solution.minimal,
        solution.describe_steps(),
        json.dumps(solution.to_json() | {"stats": None}),
        solution.stats.nodes, solution.blockers, str(verdict(position)),
    )  # fmt: skip


TABLES = [(seed, melds) for melds in (3, 6, 10, 14, 20) for seed in range(8)]


@pytest.mark.parametrize(("seed", "melds"), TABLES)
def test_both_ways_give_the_same_table_step_by_step(seed: int, melds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    position = of_melds(melds)(Random(1000 * melds + seed))
    results = []
    for compiled in (False, True):
        with monkeypatch.context() as patch:
            as_if(patch, compiled=compiled)
            counts = Counts.of(position)
            arrays = [getattr(counts, name).tolist() for name in ("floor", "hand", "total", "runs", "sets")]
            results.append((told(position), arrays))
    assert results[0] == results[1]


def test_a_table_needs_neither_numba_nor_a_compiler() -> None:
    code = (
        "import sys\n"
        "from solver import answer, parse\n"
        "table = parse('makiaveli floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S 4S')\n"
        "assert str(answer(table).verdict) == 'win'\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
