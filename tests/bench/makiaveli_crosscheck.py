"""The Makiaveli solver against CP-SAT on fresh positions: `python -m tests.bench.makiaveli_crosscheck -n 5600`.

Each position is checked for the most cards and the fewest broken melds; every `--moved-every`-th also for the fewest
moved cards, alone and among the tables with the fewest broken melds. One contradiction makes the status 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tqdm import tqdm

from solver.makiaveli import solve, verdict
from tests.bench.makiaveli_peers import by_cp_sat
from tests.bench.makiaveli_tables import KINDS, positions


def main() -> int:
    """Checks, prints a table of counts, and gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5600, help="positions, spread evenly over the kinds (default 5600)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moved-every", type=int, default=10, metavar="K", help="default 10")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    args = parser.parse_args()
    print("| kind | positions | wins | cards and broken agree | moved agree | unproved by CP-SAT | contradictions |")
    print("|---|---|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for kind in args.kinds:
        seen: Counter[str] = Counter()
        chosen = positions(kind, args.n // len(args.kinds), args.seed)
        for number, position in enumerate(tqdm(chosen, desc=kind, disable=not sys.stderr.isatty(), leave=False)):
            with_moved = number % args.moved_every == 0
            theirs = by_cp_sat(position, broken=True, moved=with_moved)
            ours = solve(position, objective="least" if with_moved else "broken")
            seen["positions"] += 1
            seen["wins"] += ours.max_cards == len(position.hand)
            if theirs is None or not ours.minimal:
                seen["unproved"] += 1
                continue
            right = ours.max_cards == theirs.cards and ours.broken == theirs.broken
            right = right and (verdict(position) == "win") == (theirs.cards == len(position.hand))
            seen["agree"] += right
            if with_moved:
                alone = solve(position, objective="moved")
                same = theirs.least == (ours.broken, ours.moved) and alone.moved == theirs.moved
                seen["moved"] += same
                right = right and (same or not alone.minimal)
            if not right:
                seen["wrong"] += 1
                print(f"contradiction: {position}: {theirs} but {ours.to_json()}", file=sys.stderr)
        total += seen
        print(row(kind, seen), flush=True)
    print(row("all", total))
    return 1 if total["wrong"] else 0


def row(name: str, seen: Counter[str]) -> str:
    """One line of the table."""
    keys = ("positions", "wins", "agree", "moved", "unproved", "wrong")
    return f"| {name} | " + " | ".join(f"{seen[key]:,}" for key in keys) + " |"


if __name__ == "__main__":
    sys.exit(main())
