"""`python -m solver makiaveli "<notation>"`: the verdict on one table, with the turn that proves it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import get_args

from plumbing.arguments import add_json_argument, number, print_answer
from solver.cards import cards_text
from solver.games import read_position
from solver.makiaveli.outs import Outs, outs
from solver.makiaveli.position import Position, Turn, cross_text
from solver.makiaveli.solve import MakiaveliSolution, Objective, misfits, solve
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
    add_json_argument(parser)
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
    body = solution.to_json() | (found.to_json() if found is not None else {})
    return print_answer(args, body, _lines(position, solution, found))


def _lines(position: Position, solution: MakiaveliSolution, found: Outs | None) -> list[str]:
    if solution.verdict is Verdict.UNKNOWN:
        return [solution.headline]
    if not position.hand:
        return ["win: the hand is empty already"]
    lines = [_verdict_line(solution, len(position.hand))]
    if solution.blockers:
        lines.append(f"why not: no table can place {_say_blockers(position, solution)}")
    if solution.final is not None:
        lines += _table_lines(solution, solution.final)
    if found is not None:
        shown = ", ".join(f"{out.card} ({out.unseen} unseen)" for out in found.cards) or "none"
        lines.append(f"outs: {shown}")
        lines.append(f"chance that the next draw is an out: {found.chance:.1%}")
    return lines


def _say_blockers(position: Position, solution: MakiaveliSolution) -> str:
    alone = misfits(position)
    if len(alone) > 1:
        return f"any of {cards_text(alone)}"
    return f"{cards_text(solution.blockers)} {'together' if len(solution.blockers) > 1 else 'at all'}"


def _verdict_line(solution: MakiaveliSolution, hand_cards: int) -> str:
    if solution.verdict is Verdict.WIN:
        whole = {1: "the hand card", 2: "both hand cards"}.get(hand_cards, f"all {hand_cards} hand cards")
        return f"win: {whole} can be played"
    if solution.max_cards == 0:
        return "no win: no hand card can be played, so a card must be drawn"
    most = "an unknown number" if solution.max_cards is None else f"at most {solution.max_cards}"
    return f"no win: {most} of {hand_cards} hand cards can be played"


def _table_lines(solution: MakiaveliSolution, final: Turn) -> list[str]:
    proof = "" if solution.minimal else " (not proved to be the fewest)"
    stays = [f"  stays in the hand: {cards_text(final.hand)}"] if final.hand else []
    return [
        f"broken melds: {solution.broken}, moved floor cards: {solution.moved}{proof}",
        "steps:",
        *(f"  {place}. {step}" for place, step in enumerate(solution.steps, start=1)),
        "final table:",
        *(f"  {cards_text(meld)}" for meld in final.melds),
        f"  cross: {cross_text(final.cross)}",
        *stays,
    ]
