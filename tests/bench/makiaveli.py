"""Prints the speed of the Makiaveli solver beside CP-SAT and HiGHS.

The table of the solvers' README is what `python -m tests.bench.makiaveli --markdown` prints.

CPU time of one core, after warm-up, on the same random positions. The win test is timed inside the compiled loop of
`solve_many` and the outs inside one like it; every other time is that of a call from Python, the best of a few. The
peers answer the win question in processes of their own; their time covers building the model and solving it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from tqdm import tqdm

from solver.cards import DECK
from solver.makiaveli import Position, outs, solve, verdict
from solver.makiaveli.encoding import Counts, dead_ends, visited_table
from solver.makiaveli.fewest_broken_kernels import best_table
from solver.makiaveli.kernels import win_each
from solver.makiaveli.outs_kernels import find_outs
from solver.numeric.jit import compile_at_once
from tests.bench.makiaveli_tables import positions

MELDS = (6, 12, 20, 28)
REPEATS = 50
STOP = np.zeros(1, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Row:
    """Times in microseconds, one for each position of a number of melds."""

    name: str
    times: list[list[float]]

    def text(self, *, with_p99: bool) -> str:
        """The row of the table; the 99th percentile says something only beside many positions."""
        cells = [
            f"{np.median(t):,.1f} / " + (f"{np.percentile(t, 99):,.1f} / " if with_p99 else "") + f"{max(t):,.1f}"
            for t in self.times
        ]
        return f"| {self.name} | " + " | ".join(cells) + " |"


def win_kernel(position: Position) -> float:
    """One win test in microseconds: the mean of many equal rows of one kernel call."""
    counts = Counts.of(position)
    rows = [np.repeat(array[None], REPEATS, axis=0) for array in (counts.floor, counts.hand, counts.total)]
    floor, hand, total = rows
    cross, out = total - floor - hand, np.zeros(REPEATS, dtype=np.int8)
    return best(lambda: win_each(floor, cross, hand, visited_table(), out), 4) / REPEATS


def outs_kernel(position: Position) -> float:
    """The test of all 52 cards in microseconds: the mean of many equal ones in one compiled loop, as for a win."""
    counts = Counts.of(position)
    need, out = counts.floor + counts.hand, np.zeros(52, dtype=np.bool_)
    return best(lambda: find_outs_often(need, counts.total, visited_table(), dead_ends(), out, REPEATS), 4) / REPEATS


@njit(cache=True)
def find_outs_often(need, total, visited, dead_ends, out, repeats):  # type: ignore[no-untyped-def]
    """Finds the same outs again and again."""
    for _ in range(repeats):
        find_outs(need, total, visited, dead_ends, out)


def best(work: Callable[[], object], repeats: int = 5) -> float:
    """The best CPU time in microseconds."""
    times = []
    for _ in range(repeats):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times) * 1e6


def table_kernel(position: Position, count_broken: int) -> float:
    """The search for the most cards, or for the fewest broken melds among as many cards, in microseconds."""
    counts = Counts.of(position)
    lost, most_lost = 0, 0
    if verdict(position) != "win":
        lost, most_lost = 1, len(position.hand)  # as the solver calls it, after the win test
        if count_broken:
            lost = most_lost = most_lost - (solve(position, objective="cards").max_cards or 0)
    forced = counts.floor + counts.hand
    need = counts.floor if most_lost else forced
    game = need, counts.total, forced, counts.runs, counts.sets
    return best(lambda: best_table(*game, count_broken, lost, most_lost, STOP, 10**7))


def peer(name: str, groups: Sequence[Sequence[Position]]) -> tuple[Row, list[list[bool | None]]]:
    """A peer's times and answers, from a process of its own."""
    lines = "\n".join(str(position) for group in groups for position in group)
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.makiaveli_peers", name],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    times, wins = [], []
    for group in groups:
        own, answers = answers[: len(group)], answers[len(group) :]
        times.append([answer["us"] for answer in own])
        wins.append([answer["win"] for answer in own])
    return Row({"cp-sat": "CP-SAT, win", "highs": "HiGHS, win"}[name], times), wins


def of_all(row: Row) -> str:
    """A row over all positions together."""
    times = np.concatenate([np.array(own) for own in row.times])
    return (
        f"{row.name.capitalize()}, all {len(times)} positions: median {np.median(times):,.0f} µs, "
        f"p99 {np.percentile(times, 99):,.0f} µs."
    )


def outs_beside_wins(wins: Row, outs_of_all: Row) -> str:
    """How many win tests the outs of 52 cards cost."""
    medians, sums = [], []
    for one, all_cards in zip(wins.times, outs_of_all.times, strict=True):
        medians.append(f"{np.median(np.array(all_cards) / np.array(one)):.1f}")
        sums.append(f"{sum(all_cards) / sum(one):.1f}")
    return (
        f"Outs of 52 cards cost a median of {', '.join(medians)} win tests of the same position; summed over all "
        f"positions of a size {', '.join(sums)}."
    )


def large_hands() -> str:
    """The time for a hand of 100 cards."""
    crossed = Position(cross=DECK[:4], hand=(DECK + DECK)[4:])
    alone = Position(hand=(DECK + DECK)[:100])
    times = [best(lambda p=p: solve(p, objective="cards"), 3) / 1e3 for p in (crossed, alone)]
    return f"A 100-card hand, most cards with table, replayed: {max(times):.1f} ms."


def first_call() -> str:
    """CPU seconds from the start of Python to the first verdict of a process, with the kernels cached."""
    code = (
        "import time\n"
        "from solver.makiaveli import Position, solve, verdict\n"
        "verdict(Position.parse('hand: 3S 4S 5S'))\n"
        "one = time.process_time()\n"
        "solve(Position.parse('floor: 3H 4H 5H 6H 7H; hand: 5H'))\n"
        "print(one, time.process_time())"
    )
    runs = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        runs.append([float(word) for word in done.stdout.split()])
    one, two = np.min(runs, axis=0)
    return f"A new process, kernels cached: first verdict after {one:.2f} s of CPU, first table after {two:.2f} s."


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=100, help="positions for each number of melds (default 100)")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--markdown", action="store_true", help="print README's table: median / worst, no more")
    parser.add_argument("--no-peers", action="store_true", help="leave CP-SAT and HiGHS out")
    args = parser.parse_args()
    compile_at_once()
    groups = [positions(f"{melds} melds", args.n, args.seed) for melds in MELDS]

    def measured(name: str, work: Callable[[Position], float]) -> Row:
        bar = tqdm(total=args.n * len(groups), desc=name, disable=not sys.stderr.isatty(), leave=False)

        def each(group: Iterable[Position]) -> list[float]:
            times = []
            for position in group:
                times.append(work(position))
                bar.update()
            return times

        with bar:
            return Row(name, [each(group) for group in groups])

    wins = measured("win, kernel", win_kernel)
    calls = measured("`verdict(position)`", lambda p: best(lambda: verdict(p), 20))
    rows = [
        wins,
        calls,
        measured("most cards with table, kernel", lambda p: table_kernel(p, 0)),
        measured("fewest broken with table, kernel", lambda p: table_kernel(p, 1)),
        measured("outs of 52 cards, kernel", outs_kernel),
        measured(
            "`solve(position, objective='broken')`, replayed", lambda p: best(lambda: solve(p, objective="broken"), 3)
        ),
        measured("`solve(position)`, broken then moved, replayed", lambda p: best(lambda: solve(p), 3)),
        measured("the same and its steps", lambda p: best(lambda: solve(p).steps, 3)),
        measured("`outs(position)`", lambda p: best(lambda: outs(p), 3)),
    ]
    notes = [of_all(rows[3]), outs_beside_wins(rows[0], rows[4]), large_hands(), first_call()]
    if not args.no_peers:
        for name in ("cp-sat", "highs"):
            row, answers = peer(name, groups)
            rows.append(row)
            ours = [[verdict(position) == "win" for position in group] for group in groups]
            pairs = [
                (a, b) for mine, theirs in zip(ours, answers, strict=True) for a, b in zip(mine, theirs, strict=True)
            ]
            differ = sum(a != b for a, b in pairs if b is not None)
            ratios = [
                f"{np.median(np.array(theirs) / np.array(own)):,.0f}"
                for theirs, own in zip(row.times, calls.times, strict=True)
            ]
            notes.append(
                f"{row.name.split(',')[0]}: {differ} of {len(pairs)} answers differ; `verdict(position)` is faster "
                f"by a median factor of {', '.join(ratios)}."
            )
    p99 = "" if args.markdown else " / p99"
    print(f"| µs of CPU, median{p99} / worst | " + " | ".join(f"{m} melds" for m in MELDS) + " |")
    print("|---" * (len(MELDS) + 1) + "|")
    for row in rows:
        print(row.text(with_p99=not args.markdown))
    print()
    for note in notes:
        print(note)


if __name__ == "__main__":
    main()
