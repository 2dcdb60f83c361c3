"""Prints what a million of each costs here, and what more machines give: `python -m tests.bench.scale [--markdown]`.

Each job is timed with one process and with two, on as many items as take some seconds, start-up included in neither
(a short run comes first). The cost of a million is the two-process wall time scaled up; a cluster of N such machines
is this divided by N, as chunks are independent and the driver only counts (its own share is printed).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from plumbing.parallel import chunks, ordered_map
from solver.batch import Task, solve_chunk
from solver.klondike import STANDARD, random_deal, solve
from solver.solution import Limits
from solver.tomb_single.simulate import simulate
from vision.measure.one_photo import evaluate_photo

ROOT = Path(__file__).resolve().parents[2]
PHOTOS = tuple(sorted((ROOT / "datasets" / "samples").glob("*.jpg")))
TURN = "makiaveli floor: 7C 7D 7H | 9S TS JS | 4H 5H 6H 7H | QC QD QS; cross: 2S - KD -; hand: 3S 4S 5S 8C TD"


def klondike(number: int) -> str:
    return str(solve(random_deal(number, STANDARD), Limits(nodes=300_000)).verdict)


def rows(numbers: range) -> int:
    return len(solve_chunk([(number, TURN) for number in numbers], Task(Limits())))


def photo(number: int) -> str:
    path = PHOTOS[number % len(PHOTOS)]
    return str(evaluate_photo(path, path.name, verdicts=False)["error"])


def run(work: Callable, items: Callable[[], Iterator], workers: int) -> float:
    """Wall seconds of a map, its workers already started."""
    begin = 0.0
    for number, _ in enumerate(ordered_map(work, items(), workers=workers)):
        if number == 2 * workers - 1:  # every worker has compiled or loaded what it needs
            begin = time.perf_counter()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--quick", action="store_true", help="a quarter of the items")
    options = parser.parse_args()
    part = 4 if options.quick else 1
    jobs: list[tuple[str, Callable, list, int]] = [
        ("Klondike deals solved (draw 3, 300,000 states at most)", klondike, list(range(640 // part)), 1),
        (
            "Makiaveli rows solved with table and steps",
            rows,
            [range(k, k + 50) for k in range(0, 8000 // part, 50)],
            50,
        ),
        ("photos read (1280 px)", photo, list(range(64 // part)), 1),
    ]
    table = []
    for name, work, items, size in jobs:
        one, two = (run(work, partial(iter, items), workers) for workers in (1, 2))
        singles, pairs = (len(items) - 2) * size, (len(items) - 4) * size
        rate = [singles / one, pairs / two]
        table.append((name, rate[0], rate[1], rate[1] / rate[0]))
    for workers in (1, 2):
        simulate(200_000, seed=1, workers=workers)
    rates = []
    for workers in (1, 2):
        begin = time.perf_counter()
        simulate(20_000_000 // part, seed=1, workers=workers)
        rates.append(20_000_000 // part / (time.perf_counter() - begin))
    table.append(("Napoleon's Tomb, forced games (start-up included)", rates[0], rates[1], rates[1] / rates[0]))
    begin = time.process_time()
    driven = sum(chunk.size for chunk in chunks(10**9, 10_000, 1) if chunk.index < 10**5)
    driver = (time.process_time() - begin) / (driven / 1e6)
    if options.markdown:
        print("| what | a second, 1 process | 2 processes | gain | a million here | on 10 such machines |")
        print("|---|---|---|---|---|---|")
    for name, one, two, gain in table:
        million = 1e6 / two
        if options.markdown:
            print(f"| {name} | {one:,.1f} | {two:,.1f} | {gain:.2f} | {duration(million)} | {duration(million / 10)} |")
        else:
            rates_text = f"{one:,.1f}/s with one process, {two:,.1f}/s with two ({gain:.2f})"
            print(f"{name}: {rates_text}, a million {duration(million)}")
    print(f"\nthe driver's own share: {driver * 1e3:.1f} ms of CPU a million draws")


def duration(seconds: float) -> str:
    for unit, length in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"


if __name__ == "__main__":
    main()
