"""What plain Python makes of a kernel is what Numba makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from plumbing import clock
from solver.makiaveli import Position, outs, solve, verdict
from solver.makiaveli.encoding import Counts
from solver.makiaveli.solve import MakiaveliSolution
from solver.numeric import jit
from solver.solution import Limits, StopReason, Verdict
from tests.bench.makiaveli_tables import of_melds


def as_if(monkeypatch: pytest.MonkeyPatch, *, compiled: bool) -> None:
    """Has kernels compiled from the first call, or never, as in a process of its own."""
    monkeypatch.setattr(jit, "_work_left", 0 if compiled else 10**9)
    for name in [name for name in sys.modules if name.startswith("solver.makiaveli.")]:
        for value in vars(sys.modules[name]).values():
            if isinstance(value, jit._Kernel):
                monkeypatch.setattr(value, "is_loaded", compiled)


def answers_of(position: Position) -> tuple[object, ...]:
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
            results.append((answers_of(position), arrays, outs(position)))
    assert results[0] == results[1]


@pytest.mark.parametrize("stands_still", [True, False])
def test_a_limit_under_strict_cross_leaves_out_what_stands_in_for_compiling(
    stands_still: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock of its own: a minute passes with each kernel that runs uncompiled, and none otherwise.
    as_if(monkeypatch, compiled=False)
    search, minutes, interpreted = sys.modules["solver.makiaveli.solve"], [0], jit.interpreted

    def slowly(kernel: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            minutes[0] += 1
            return interpreted(kernel)(*args)

        return run

    monkeypatch.setattr(clock, "time", SimpleNamespace(perf_counter=lambda: 60.0 * minutes[0]))
    for module in (jit, search):
        monkeypatch.setattr(module, "interpreted", slowly)
        if not stands_still:
            monkeypatch.setattr(module, "paused_clocks", nullcontext)
    table = Position.parse("rules: strict_cross; floor: 7C 7D 7H; cross: 7S; hand: 8D 9D")
    solution = solve(table, Limits(time=2.0))
    assert minutes[0] > 0
    if stands_still:
        assert (solution.verdict, solution.minimal) == (Verdict.NO_WIN, True)
    else:
        assert (solution.verdict, solution.stop_reason) == (Verdict.UNKNOWN, StopReason.TIME_LIMIT)


def test_a_table_needs_neither_numba_nor_a_compiler() -> None:
    code = (
        "import sys\n"
        "from solver import answer, makiaveli, parse\n"
        "table = parse('makiaveli floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S 4S')\n"
        "assert str(answer(table).verdict) == 'win'\n"
        "assert makiaveli.outs(parse('makiaveli hand: 3S 4S')).unseen == 102\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
