"""`python -m solver makiaveli "<notation>"`: the verdict on one table, with the turn that proves it."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import get_args

from plumbing.arguments import number
from solver.cards import cards_text
from solver.games import read_position
from solver.makiaveli.outs import Outs, outs
from solver.makiaveli.position import Position, cross_text
from solver.makiaveli.solve import MakiaveliSolution, Objective, solve
from solver.solution import Limits, Verdict

EXAMPLE = 'python -m solver makiaveli "floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S 4S" --outs'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.epilog = f"example: {EXAMPLE}"
    parser.add_argument(
        "position",
        help='the table, as "floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 5S", its JSON object, or - to '
        "read it from standard input; the cross is written above, right, below, left, with - for an empty place",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--outs", action="store_true", help="also list the unseen cards that would have won")
    parser.add_argument(
        "--objective",
        choices=get_args(Objective),
        default="least",
        help="what to minimise among the tables that play the most cards: broken melds and then moved cards (least, "
        "the default), one of the two alone, or nothing (cards)",
    )
    parser.add_argument(
        "--strict-cross",
        action="store_true",
        help="house rule: each meld made with a cross card also holds a card of the hand",
    )
    parser.add_argument("--repair", action="store_true", help="accept floor groups that are no melds, as loose cards")
    parser.add_argument("--time-limit", type=number(0.001, 1e6), default=10.0, metavar="S", help="seconds (default 10)")


def run(args: argparse.Namespace) -> int:
    """Solves one position and prints the answer."""
    position = read_position(args.position, Position)
    position = replace(
        position, strict_cross=position.strict_cross or args.strict_cross, repair=position.repair or args.repair
    )
    solution = solve(position, Limits(time=args.time_limit), objective=args.objective)
    found = outs(position) if args.outs else None
    if args.json:
        print(json.dumps(solution.to_json() | (found.to_json() if found is not None else {})))
    else:
        print("\n".join(_lines(position, solution, found)))
    return 0


def _lines(position: Position, solution: MakiaveliSolution, found: Outs | None) -> list[str]:
    """The answer in words."""
    held = len(position.hand)
    if solution.verdict is Verdict.UNKNOWN:
        return [solution.headline]
    if not held:
        return ["win: the hand is empty already"]
    lines = []
    if solution.verdict is Verdict.WIN:
        lines.append(f"win: all {held} hand cards can be played" if held > 1 else "win: the hand card can be played")
    elif solution.max_cards == 0:
        lines.append("no win: no hand card can be played, so a card must be drawn")
    else:
        most = "an unknown number" if solution.max_cards is None else f"at most {solution.max_cards}"
        lines.append(f"no win: {most} of {held} hand cards can be played")
    if solution.blockers:
        together = "together" if len(solution.blockers) > 1 else "at all"
        lines.append(f"why not: no table can place {cards_text(solution.blockers)} {together}")
    if solution.final is not None:
        proof = "" if solution.minimal else " (not proved to be the fewest)"
        lines.append(f"broken melds: {solution.broken}, moved floor cards: {solution.moved}{proof}")
        lines.append("steps:")
        lines += [f"  {place}. {step}" for place, step in enumerate(solution.steps, start=1)]
        lines.append("final table:")
        lines += [f"  {cards_text(meld)}" for meld in solution.final.melds]
        lines.append(f"  cross: {cross_text(solution.final.cross)}")
        if solution.final.hand:
            lines.append(f"  stays in the hand: {cards_text(solution.final.hand)}")
    if found is not None:
        shown = ", ".join(f"{out.card} ({out.unseen} unseen)" for out in found.cards) or "none"
        lines.append(f"outs: {shown}")
        lines.append(f"chance that the next draw is an out: {found.chance:.1%}")
    return lines
