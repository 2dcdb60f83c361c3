"""Prints the one-deck Tomb's figures: `python -m tests.bench.tomb_single [--deals N] [--orders N] [--lookahead N]`.

`--side-by-side N` plays the same N deals with each player of free play instead, and does nothing else.

CPU time of one core, after warm-up: speed of forced play, win rates of all players, how many random deals the search
decides and how fast (every line is replayed by the verifier), and the forced game's independence of the order of plays.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from plumbing.parallel import chunks
from solver.solution import Limits, Verdict, wilson
from solver.tomb_single import FREE, Position, estimate, random_deal, simulate, solve
from solver.tomb_single.forced_kernels import forced_deals
from solver.tomb_single.free_kernels import REACHES, lookahead_deals, policy_deals
from tests.bench.paired import compare_wins
from tests.naive import tomb_single as naive


def speed() -> None:
    forced_deals(1000, 1000, np.uint64(1))
    best = 0.0
    for seed in range(10):
        start = time.thread_time()
        forced_deals(200_000, 200_000, np.uint64(seed))
        best = max(best, 200_000 / (time.thread_time() - start))
    print(f"forced play: {best / 1e6:.2f} million games/s on one core (shuffles included)")
    position = Position.parse("corners: 9C | 7D | - | -; centre: 4C; spares: 2H KS QD JC; discard: 3D")
    estimate(position)
    start = time.thread_time()
    estimate(position)
    print(f"estimate of a photo, 100,000 forced and 100,000 free completions: {time.thread_time() - start:.3f} s")


def rates(lookahead: int) -> None:
    print(simulate(1_000_000, seed=1))
    print(simulate(1_000_000, player="simple", seed=1))
    start = time.thread_time()
    print(simulate(lookahead, player="lookahead", seed=1))
    print(f"  {(time.thread_time() - start) / lookahead * 1000:.1f} ms a game")


def _wins_simply(deal: np.uint64) -> bool:
    return bool(policy_deals(1, 1, REACHES[0], deal)[0])


def _wins_by_lookahead(samples: int, deal: np.uint64) -> bool:
    return bool(lookahead_deals(1, 1, samples, deal)[0])


PLAYERS: Final[dict[str, Callable[[np.uint64], bool]]] = {
    "simple": _wins_simply,
    "lookahead 64": partial(_wins_by_lookahead, 64),
    "lookahead 256": partial(_wins_by_lookahead, 256),
}
"""Of free play; each shuffles the deck with the deal's seed before it does anything else."""


def side_by_side(games: int, seed: int) -> None:
    deals = [np.uint64(chunk.seed) for chunk in chunks(games, 1, seed)]
    won = {name: [play(deal) for deal in deals] for name, play in PLAYERS.items()}
    print(f"free play without seeing the deck, the same {games} deals for each player, seed {seed}")
    for name, wins in won.items():
        low, high = wilson(sum(wins), games)
        print(f"  {name:14} {sum(wins) / games:.2%} won (95% interval {low:.2%} to {high:.2%})")
    for old, new in pairwise(won):
        print(f"  {new} beside {old}: {compare_wins(won[new], won[old])}")


def solver(deals: int, nodes: int) -> None:
    solve(random_deal(0, rules=FREE))
    times, verdicts, lengths = [], dict.fromkeys(Verdict, 0), []
    for number in range(deals):
        position = random_deal(20261121, FREE, number=number)
        start = time.thread_time()
        solution = solve(position, Limits(time=None, nodes=nodes))
        times.append(time.thread_time() - start)
        verdicts[solution.verdict] += 1
        if solution.verdict is Verdict.WIN:
            lengths.append(len(solution.line))
    decided = deals - verdicts[Verdict.UNKNOWN]
    low, high = wilson(decided, deals)
    counts = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.items())
    print(f"free play, all cards known, {nodes:,} states a deal: {counts} of {deals} deals")
    print(f"  decided {decided / deals:.2%} (95% interval {low:.2%} to {high:.2%})")
    p95 = sorted(times)[int(0.95 * deals)]
    print(
        f"  median {1000 * statistics.median(times):.1f} ms, p95 {1000 * p95:.0f} ms, worst {1000 * max(times):.0f} ms"
    )
    print(f"  length of a line: mean {statistics.mean(lengths):.1f}, median {statistics.median(lengths):.0f} moves")


def orders(deals: int) -> None:
    generator, most = random.Random(1), 0
    for _ in range(deals):
        ranks = [1 + index % 13 for index in range(52)]
        generator.shuffle(ranks)
        ends = naive.forced_ends(naive.Table(ranks))
        most = max(most, len(ends))
    print(f"forced play: all orders of plays of {deals} deals searched; at most {most} different end a deal")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=400_000)
    parser.add_argument("--orders", type=int, default=2000)
    parser.add_argument("--lookahead", type=int, default=2000)
    parser.add_argument("--side-by-side", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1, help="of --side-by-side")
    args = parser.parse_args()
    if args.side_by_side:
        side_by_side(args.side_by_side, args.seed)
        return
    speed()
    rates(args.lookahead)
    solver(args.deals, args.nodes)
    orders(args.orders)


if __name__ == "__main__":
    main()
