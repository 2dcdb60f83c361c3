"""Prints where the Makiaveli solver and CP-SAT differ: `python -m tests.bench.makiaveli_crosscheck -n 5600`.

Each position is checked for the most cards and the fewest broken melds; every `--moved-every`-th also for the fewest
moved cards, alone and among the tables with the fewest broken melds. With `--outs` the outs are checked instead,
against the win test of each of the 52 cards by itself, which takes a fraction of the time. One contradiction makes the
status 1.

The work is done seed by seed, `--chunk` positions each. With `--resume FILE` the counts of each finished seed and kind
are kept as a line of JSON, and a later run of the same command goes on after the last:

    python -m tests.bench.makiaveli_crosscheck -n 5600 --moved-every 50 --resume crosscheck.jsonl

The table counts all that the file holds, whatever was asked for now; delete the file once the kernels have changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from tqdm import tqdm

from solver.cards import DECK, Card
from solver.makiaveli import Position, outs, solve, verdict
from solver.numeric.jit import compile_at_once
from solver.solution import Limits, Verdict
from tests.bench.makiaveli_peers import Claim, proved
from tests.bench.makiaveli_tables import KINDS, positions

UNBOUNDED: Final = Limits(time=None)
COLUMNS: Final = {
    "positions": "positions",
    "wins": "wins",
    "agree": "cards and broken agree",
    "moved": "moved agree",
    "unproved": "unproved",
    "wrong": "contradictions",
}
OUTS_COLUMNS: Final = {
    "positions": "positions",
    "some": "with outs",
    "outs": "outs",
    "agree": "positions agree",
    "wrong": "contradictions",
}


def main() -> int:
    """Checks, prints a table of counts, and gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5600, help="positions, spread evenly over the kinds (default 5600)")
    parser.add_argument("--chunk", type=int, default=350, help="positions of one seed (default 350)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--moved-every", type=int, default=10, metavar="K", help="default 10")
    parser.add_argument("--outs", action="store_true", help="check the outs, card by card, and nothing else")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep the counts here and go on from them")
    args = parser.parse_args()
    compile_at_once()
    if args.outs and args.resume:
        parser.error("--resume keeps what CP-SAT was asked; --outs takes no file")
    known: dict[tuple[int, str], Counter[str]] = {}
    if args.resume and args.resume.exists():
        for line in args.resume.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            known[row["seed"], row["kind"]] = Counter(row["seen"])
    each = max(1, args.chunk // len(args.kinds))
    seeds = range(args.seed, args.seed - (-args.n // (each * len(args.kinds))))
    todo = [(seed, kind) for seed in seeds for kind in args.kinds if (seed, kind) not in known]
    stopped = False
    try:
        for seed, kind in tqdm(todo, disable=not sys.stderr.isatty()):
            chosen = positions(kind, each, seed)
            if args.outs:
                known[seed, kind] = outs_checked(chosen)
                continue
            known[seed, kind] = checked(chosen, seed * each, args.moved_every)
            if args.resume:
                with args.resume.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"seed": seed, "kind": kind, "seen": known[seed, kind]}) + "\n")
    except KeyboardInterrupt:
        stopped = True
        print("stopped; the counts so far:", file=sys.stderr)
    columns = OUTS_COLUMNS if args.outs else COLUMNS
    print("| kind | " + " | ".join(columns.values()) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for kind in KINDS:
        seen = sum((counts for (_, own), counts in known.items() if own == kind), Counter[str]())
        if seen:
            print(table_row(kind, seen, columns))
    total = sum(known.values(), Counter[str]())
    print(table_row("all", total, columns))
    return 1 if total["wrong"] or stopped else 0


def checked(chosen: list[Position], first: int, moved_every: int) -> Counter[str]:
    """Counts of what agrees with CP-SAT; a contradiction is printed.

    Args:
        chosen: The positions.
        first: The number of the first of them, from which every `moved_every`-th is counted.
        moved_every: How often moved cards are checked.
    """
    seen: Counter[str] = Counter()
    for number, position in enumerate(chosen, start=first):
        with_moved = number % moved_every == 0
        ours = [solve(position, UNBOUNDED, objective="broken")]
        claims = [Claim(ours[0].final.melds, broken=ours[0].broken)] if ours[0].final else []
        if with_moved:
            ours += [solve(position, UNBOUNDED, objective=goal) for goal in ("moved", "least")]
            if ours[0].final and ours[1].final and ours[2].final:
                claims.append(Claim(ours[1].final.melds, moved=ours[1].moved))
                claims.append(Claim(ours[2].final.melds, broken=ours[2].broken, moved=ours[2].moved))
        cards = ours[0].max_cards
        right = None
        if cards is not None and all(solution.minimal for solution in ours):
            right = proved(position, cards, claims)
            if {verdict(position), *(solution.verdict for solution in ours)} != {
                Verdict.WIN if cards == len(position.hand) else Verdict.NO_WIN
            }:
                right = False
        seen["positions"] += 1
        seen["wins"] += cards == len(position.hand)
        seen["agree"] += right is True
        seen["moved"] += right is True and with_moved
        seen["unproved"] += right is None
        if right is False:
            seen["wrong"] += 1
            print(f"contradiction: {position}: {[solution.to_json() for solution in ours]}", file=sys.stderr)
    return seen


def outs_checked(chosen: list[Position]) -> Counter[str]:
    """Counts of outs that are those of asking card by card; a contradiction is printed."""
    seen: Counter[str] = Counter()
    for position in chosen:
        cards = [out.card for out in outs(position).cards]
        expected = outs_one_by_one(position)
        seen["positions"] += 1
        seen["some"] += bool(expected)
        seen["outs"] += len(expected)
        seen["agree"] += cards == expected
        if cards != expected:
            seen["wrong"] += 1
            print(f"contradiction: {position}: {cards}, one by one {expected}", file=sys.stderr)
    return seen


def outs_one_by_one(position: Position) -> list[Card]:
    """The outs by asking for each card whether the hand with it could be played."""
    seen = Counter(position.cards())
    return [
        card for card in DECK if seen[card] < 2 and verdict(replace(position, hand=(*position.hand, card))) == "win"
    ]


def table_row(name: str, seen: Counter[str], columns: Mapping[str, str]) -> str:
    """One line of the table."""
    return f"| {name} | " + " | ".join(f"{seen[key]:,}" for key in columns) + " |"


if __name__ == "__main__":
    sys.exit(main())
