"""Prints strength and speed of the Klondike solver, beside pyksolve where it is installed.

    python tests/bench/klondike.py                         standard rules, draw 1 and 3, 200 deals each
    python tests/bench/klondike.py --one-card --draw 1 --nodes 12_000_000
                                                           the one-card rule, about 4 s for the hardest deals
    python tests/bench/klondike.py --peer --deals 12       beside pyksolve on the same deals
    python tests/bench/klondike.py --lines --deals 100     how long winning lines are, as found and as told

All times are CPU seconds of this process, so that a busy machine does not blur them. Kernel time is the median over
repeated searches of a deal, without building and shortening the line.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Final

from solver.klondike import ColumnMoves, KlondikeRules, Position, random_deal, solve
from solver.klondike.known_deal_search import RunSearch
from solver.klondike.move import Move
from solver.klondike.shorten import shortened
from solver.klondike.solve import verdict_of
from solver.solution import Limits, StopReason, Verdict, wilson

SOON: Final = 4.0
"""Seconds that are called soon, as in the comparisons of others."""


def share(count: int, n: int) -> str:
    low, high = wilson(count, n)
    return f"{count / n:7.2%} ({low:.2%} to {high:.2%})"


def strength(rules: KlondikeRules, deals: int, first: int, limits: Limits) -> None:
    """Prints how many deals are decided, and what that costs."""
    counts = {Verdict.WIN: 0, Verdict.NO_WIN: 0}
    seconds, nodes, stuck, soon = [], [], [], 0
    for seed in range(first, first + deals):
        started = time.process_time()
        outcome, states = verdict_of(random_deal(seed, rules), limits)
        seconds.append(time.process_time() - started)
        nodes.append(states)
        if isinstance(outcome, StopReason):
            stuck.append(seed)
        else:
            counts[outcome] += 1
            soon += seconds[-1] <= SOON
    decided = deals - len(stuck)
    bound = f"{limits.nodes:,} states" if limits.nodes else f"{limits.time:g} s"
    print(f"{rules}: {deals} deals (seeds from {first}), at most {bound} each")
    print(f"  decided {share(decided, deals)}; win {share(counts[Verdict.WIN], deals)}", end="; ")
    print(f"no win {share(counts[Verdict.NO_WIN], deals)}")
    print(f"  decided in {SOON:g} s {share(soon, deals)}; undecided seeds {stuck}")
    print(f"  states: median {median(nodes):,.0f}, sum {sum(nodes):,}; {sum(nodes) / sum(seconds):.3g} a second")
    print(f"  a deal, all told: median {1e3 * median(seconds):.3f} ms, worst {max(seconds):.3f} s", flush=True)


def kernel_times(rules: KlondikeRules, deals: int, first: int) -> None:
    """Prints the time of the first turn, the one that decides most deals: the best of 5 repetitions for each deal."""
    times = []
    for seed in range(first, first + deals):
        position = random_deal(seed, rules)
        tries = []
        for _ in range(5):
            search = RunSearch(position)
            started = time.process_time_ns()
            outcome = search.run(1_000)
            while isinstance(outcome, StopReason) and search.nodes < 3_000_000:
                outcome = search.run(2 * search.nodes)
            tries.append((time.process_time_ns() - started) / 1e6)
            if tries[-1] > 50:
                break
        times.append(min(tries))
    print(f"  kernel: median {median(times):.4f} ms over {deals} deals", flush=True)


def line_lengths(rules: KlondikeRules, deals: int, first: int) -> None:
    """Prints how long winning lines are, as the search finds them and as they are told."""
    lines: list[tuple[Sequence[Move], Sequence[Move]]] = []
    started = time.process_time()
    for seed in range(first, first + deals):
        position = random_deal(seed, rules)
        search = RunSearch(position)
        if search.run(100_000) is Verdict.WIN:
            found = search.line()
            lines.append((found, shortened(position, found)))
    for number, name in enumerate(("found", "told")):
        moves = [line[number] for line in lines]
        draws, back = (
            sum(move.source.kind == kind for line in moves for move in line) for kind in ("stock", "foundation")
        )
        count = sum(map(len, moves))
        each = [f"{n / len(lines):.1f} {what}" for n, what in ((count, "moves"), (draws, "draws"), (back, "back"))]
        print(f"  {len(lines)} lines as {name}: {', '.join(each)} on average")
    print(f"  {1e3 * (time.process_time() - started) / len(lines):.1f} ms a line, search included", flush=True)


def beside_peer(rules: KlondikeRules, deals: int, first: int, seconds: float) -> None:
    """Prints our time and pyksolve's on the same deals."""
    try:
        from pyksolve import solver as peer
    except ImportError:
        print("pyksolve is not installed; it comes with the extra [bench]", file=sys.stderr)
        return
    print(f"{rules}: beside pyksolve, at most {seconds:g} s a deal")
    for seed in range(first, first + deals):
        position = random_deal(seed, rules)
        started = time.process_time()
        ours = solve(position, Limits(seconds))
        mine = time.process_time() - started
        game = peer.Solitaire()
        game.draw_count = rules.draw
        if not game.load_pysol(pysol(position)):
            raise RuntimeError(f"pyksolve did not read deal {seed}")
        game.reset_game()
        started = time.process_time()
        result = game.solve_fast(max_closed_count=2_000_000)
        theirs = time.process_time() - started
        both = f"{ours.verdict!s:8} {mine:8.4f} s   pyksolve {result.name:20} {theirs:8.4f} s"
        print(f"  deal {seed}: {both}", flush=True)


def pysol(position: Position) -> str:
    """The deal in PySol's text format, face-down cards in angle brackets."""
    lines = ["Talon: " + " ".join(f"{card}" for card in position.stock)]
    for column in position.columns:
        lines.append(" ".join([*(f"<{card}>" for card in column.down), *(str(card) for card in column.up)]))
    return "\r\n".join(lines)  # with plain line feeds pyksolve reads nothing and solves a deck of its own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="seed of the first deal")
    parser.add_argument("--draw", type=int, nargs="*", default=[1, 3])
    parser.add_argument("--nodes", type=int, default=3_000_000)
    parser.add_argument("--one-card", action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0, help="bound of a deal for --peer")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--lines", action="store_true", help="how long winning lines are")
    args = parser.parse_args()
    for draw in args.draw:
        standard = KlondikeRules(draw, None, ColumnMoves.RUN, True)
        verdict_of(random_deal(0, standard), Limits(None, 2_000))  # compiles, or loads what was compiled
        if args.lines:
            print(standard)
            line_lengths(standard, args.deals, args.first)
        elif args.peer:
            beside_peer(standard, args.deals, args.first, args.seconds)
        elif args.one_card:
            for back in (False, True):
                rules = KlondikeRules(draw, None, ColumnMoves.ONE, back)
                verdict_of(random_deal(0, rules), Limits(None, 2_000))
                strength(rules, args.deals, args.first, Limits(None, args.nodes))
        else:
            strength(standard, args.deals, args.first, Limits(None, args.nodes))
            kernel_times(standard, args.deals, args.first)


if __name__ == "__main__":
    main()
