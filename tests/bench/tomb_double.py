"""Prints the figures of the two-deck Napoleon's Tomb: `python -m tests.bench.tomb_double [--deals N] [--games N]`.

CPU time of one core, after warm-up; the time of a solved deal includes the check of the position, the search, and the
replay of the line by `solver.verifier`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np

from solver.solution import Limits, Verdict, wilson
from solver.tomb_double.position import random_deal
from solver.tomb_double.simulate import Player, simulate
from solver.tomb_double.solve import estimate, solve


def share(count: int, n: int) -> str:
    low, high = wilson(count, n)
    return f"{count} of {n} = {count / n:.2%} (95% interval {low:.2%} to {high:.2%})"


def open_cards(deals: int, seconds: float, nodes: int, seed: int) -> None:
    # The limit is one of CPU time, which `Limits` does not know: a busy machine must not turn a win into an unknown.
    for number in range(30):  # some need every stage of the search: compiled before it is timed
        solve(random_deal(seed + 1, number=number), Limits(time=None, nodes=2000))
    times, lengths, lost, late, unknown = [], [], [], [], []
    for number in range(deals):
        position = random_deal(seed, number=number)
        start = time.process_time()
        solution = solve(position, Limits(time=None, nodes=nodes))
        times.append(time.process_time() - start)
        if solution.verdict is Verdict.UNKNOWN:
            unknown.append(number)
        elif times[-1] > seconds:
            late.append(number)
        elif solution.verdict is Verdict.WIN:
            lengths.append(len(solution.line))
        else:
            lost.append(number)
    print(f"all cards open, seed {seed}, up to {nodes:,} nodes a deal")
    print(f"  won within {seconds:g} s: {share(len(lengths), deals)}")
    print(f"  proved lost: {lost}; decided later: {late}; unknown: {unknown}")
    ms = 1000 * np.array(times)
    print(f"  ms a deal: median {np.median(ms):.2f}, p90 {np.percentile(ms, 90):.1f}, worst {ms.max():.0f}")
    print(f"  length of a line: mean {np.mean(lengths):.1f}, median {np.median(lengths):.0f} moves", flush=True)


def hidden_stock(games: int, seed: int) -> None:
    print(f"hidden stock, seed {seed}; outside baseline (a greedy player): 17.9% ± 0.5")
    for player in (Player.GREEDY, Player.RULE, Player.FAIR):
        simulate(8, player=player, seed=seed)
        start = time.process_time()
        result = simulate(games, player=player, seed=seed)
        cost = (time.process_time() - start) / games * 1000
        print(f"  {player:7} {result.won}; {result.undecided} undecided")
        print(f"          {result.mean_moves:.1f} moves a win, {cost:.2f} ms a game", flush=True)


def hidden_cards(seed: int) -> None:
    deal = random_deal(seed)
    position = replace(deal, reserves=tuple((None,) * 9 + pile[9:] for pile in deal.reserves), stock=(None,) * 60)
    start = time.process_time()
    result = estimate(position, Limits(time=None))
    fair = result.details["fair"]
    print(f"tops of an opening, {time.process_time() - start:.2f} s")
    print(f"  {result}\n  {fair['what']}: {fair['mean']:.2%} ({fair['low']:.2%} to {fair['high']:.2%})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000, help="deals with open cards (default 1000)")
    parser.add_argument("--games", type=int, default=10_000, help="games a player (default 10000)")
    parser.add_argument("--time", type=float, default=5.0, help="seconds a deal with open cards (default 5)")
    parser.add_argument(
        "--nodes", type=int, default=1_500_000, help="nodes a deal with open cards (default 1.5 million)"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    open_cards(args.deals, args.time, args.nodes, args.seed)
    hidden_cards(args.seed)
    hidden_stock(args.games, args.seed)


if __name__ == "__main__":
    main()
