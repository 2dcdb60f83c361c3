"""Prints the speed of the Baccarat kernels, CPU time of one core after warm-up: `python -m tests.bench.baccarat`."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from solver.baccarat.exact import exact_tally, removal_effects
from solver.baccarat.rules import Shoe
from solver.baccarat.simulate import ShoeMode, simulate
from tests.naive import baccarat as naive


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best CPU time of a few runs, after one for compilation."""
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def naive_rounds(rounds: int) -> None:
    generator = np.random.default_rng(1)
    shoe = [rank for rank in range(1, 14) for _ in range(32)]
    for _ in range(rounds):
        naive.play([shoe[i] for i in generator.choice(416, 6, replace=False)])


def main() -> None:
    n = 20_000_000
    modes: tuple[tuple[ShoeMode, Shoe, str], ...] = (
        ("fresh", Shoe.of_decks(8), "fresh shoes, 8 decks"),
        ("fresh", Shoe.of_decks(1), "fresh shoes, 1 deck"),
        ("fresh", Shoe.endless(), "infinite decks"),
        ("whole", Shoe.of_decks(8), "whole shoes, 8 decks"),
    )
    for mode, shoe, name in modes:
        took = seconds(lambda mode=mode, shoe=shoe: simulate(n, shoe=shoe, mode=mode))
        print(f"{name:24}{n / took / 1e6:8.1f} million rounds/s on one core")
    print(f"{'plain Python twin':24}{2000 / seconds(lambda: naive_rounds(2000)) / 1e6:8.4f} million rounds/s")
    for decks in (1, 8):
        took = seconds(lambda decks=decks: exact_tally(Shoe.of_decks(decks)))
        print(f"exact odds of {decks} decks: {1000 * took:.2f} ms")
    print(f"removal effects of 8 decks: {1000 * seconds(lambda: removal_effects(Shoe.of_decks(8))):.1f} ms")


if __name__ == "__main__":
    main()
