"""`python -m solver tomb-single`: simulate many deals, follow one, or answer a position."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from textwrap import fill
from typing import Final

from plumbing.arguments import (
    add_json_argument,
    add_plot_arguments,
    add_position_argument,
    add_sampling_arguments,
    number,
    print_answer,
    resume_fault,
    seed_of,
    whole_number,
    wrong_usage,
)
from solver.cards import cards_text
from solver.convergence_plot import Curve, follow_rates
from solver.games import read_position
from solver.place import Place
from solver.position import check
from solver.solution import Estimate, Limits, Solution, Verdict
from solver.tomb_single.position import Position, random_deal
from solver.tomb_single.rules import DECK, Move, TombRules
from solver.tomb_single.simulate import PLAYERS, SAMPLES, Player, simulate
from solver.tomb_single.solve import ROLLOUTS, estimate, forced_line, solve

POLICY_IS_WORSE: Final = (
    "Who plays freely may also make every legal play, so the best free play wins at least as often as forced play. The"
    " simple policy is one fixed way to play, and here it does worse."
)

_EPILOG: Final = """\
examples:
  python -m solver tomb-single -n 1e6 --seed 1           a million deals by the rules, and a plot of the rate
  python -m solver tomb-single -n 1e6 --mode free        the same, played freely without seeing the deck
  python -m solver tomb-single --trace --seed 1          one deal, move by move
  python -m solver tomb-single --trace --seed 1 --mode free
                                                         its winning line, if there is one
  python -m solver tomb-single "corners: 9C | 7D | - | -; centre: 4C; spares: 2H KS QD JC; discard: 3D"
                                                         the chances from here, the rest hidden
moves: D deck, X discard pile, S1-S4 spares, 6 spare sixes, C centre, K1-K4 corners; D>S2 draws a card to spare 2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.epilog = _EPILOG
    add_position_argument(parser)
    add_sampling_arguments(
        parser, "deals (for a position: completions of its hidden cards)", "a new one, printed; for a position 0"
    )
    parser.add_argument(
        "--mode",
        choices=("forced", "free"),
        help="forced: every legal play is made (default); free: the player decides",
    )
    parser.add_argument(
        "--lookahead",
        type=whole_number(1, 100_000),
        nargs="?",
        const=SAMPLES,
        metavar="K",
        help=f"free play that tries each choice on K imagined decks (default {SAMPLES}): slower, wins more",
    )
    parser.add_argument("--trace", action="store_true", help="follow one deal (of --seed) move by move")
    parser.add_argument(
        "--time-limit", type=number(0.001, 86400), default=10.0, metavar="S", help="seconds for one search (default 10)"
    )
    add_json_argument(parser)
    add_plot_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command; returns its exit status."""
    if fault := resume_fault(args, sampled=args.position is None and not args.trace):
        return wrong_usage(fault)
    if args.position is not None:
        position = read_position(args.position, Position)
        return _answer(position if args.mode is None else position.with_rules(TombRules(args.mode)), args)
    if args.trace:
        seed = seed_of(args)
        return _trace(random_deal(seed, rules=TombRules(args.mode or "forced")), seed, args)
    if args.n is None:
        return wrong_usage("give -n (how many deals), a POSITION, or --trace")
    if args.lookahead is not None and args.mode == "forced":
        return wrong_usage("--lookahead needs --mode free: forced play has no choices")
    return _simulate(args)


def _simulate(args: argparse.Namespace) -> int:
    seed = seed_of(args)
    player: Player = "lookahead" if args.lookahead else "simple" if args.mode == "free" else "forced"
    title = f"Napoleon's Tomb, one deck: {PLAYERS[player]}"
    with follow_rates(args, title, [Curve("games won")], total=args.n, png="tomb-single.png") as progress:
        result = simulate(
            args.n,
            player=player,
            samples=args.lookahead or SAMPLES,
            seed=seed,
            workers=args.workers,
            resume=args.resume,
            progress=progress,
        )
    return print_answer(args, {"game": Position.game, "player": player} | result.to_json(), [str(result)])


def _answer(position: Position, args: argparse.Namespace) -> int:
    check(position)
    if position.is_known:
        solution = solve(position, Limits(time=args.time_limit))
        return print_answer(args, solution.to_json(), _solution_lines(solution))
    result = estimate(position, n=args.n or ROLLOUTS, seed=args.seed or 0)
    return print_answer(args, {"game": position.game} | result.to_json(), _estimate_lines(position, result))


def _estimate_lines(position: Position, result: Estimate) -> list[str]:
    ((other, found),) = result.details.items()
    rates = {position.rules.mode: result.mean, other: found["mean"]}
    return [str(result), str(Estimate(**found)), *([POLICY_IS_WORSE] if rates["free"] < rates["forced"] else [])]


def _solution_lines(solution: Solution) -> list[str]:
    lines = [f"{solution.headline} ({solution.stats.seconds:.3f} s, {solution.stats.nodes} states)"]
    return lines + ([" ".join(map(str, solution.line))] if solution.line else [])


def _trace(position: Position, seed: int, args: argparse.Namespace) -> int:
    if position.rules.mode == "forced":
        line = list(forced_line(position))
    else:
        solution = solve(position, Limits(time=args.time_limit))
        if solution.verdict is not Verdict.WIN:
            print("\n".join(_solution_lines(solution)))
            return 0
        line = list(solution.line)
    if args.json:
        print(json.dumps({**position.to_json(), "seed": seed, "line": [str(move) for move in line]}))
        return 0
    print(f"Deal of seed {seed}, {position.rules.mode} play. Suits never matter.")
    print(f"deck, first card first:\n{fill(cards_text(position.deck), 78)}\n")
    print(f"{'':59} the table afterwards: corners | centre | spares | discard pile's top (cards)")
    drawn = 0
    for step, move in enumerate(line, start=1):
        drawn += move.source == DECK
        words = _describe_move(position, move) + (f" ({drawn} of 52 drawn)" if move.source == DECK else "")
        position = position.play(move)
        print(f"{step:3}  {move!s:6} {words:47} {_tops(position)}")
    print()
    print("\n".join(_picture(position)))
    built = sum(map(len, position.corners)) + len(position.centre)
    print("won: all 52 cards are built" if position.is_won else f"lost: {built} of 52 cards are built, no play is left")
    return 0


_PLACE_WORDS: Final = {"discard": "the discard pile", "centre": "the centre", "spare_six": "the spare sixes"}


def _describe_move(position: Position, move: Move) -> str:
    """A move in words.

    >>> _describe_move(random_deal(1), Move.parse("D>S1"))
    'draw 3C to spare 1'
    """
    card = cards_text([position.top(move.source)])
    target = _place(move.target)
    if move.source == DECK:
        return f"draw {card} to {target}"
    source = _place(move.source)
    return (
        f"fill {target} with {card} from {source}"
        if move.target.kind == "spare"
        else f"play {card} from {source} to {target}"
    )


def _place(place: Place) -> str:
    return _PLACE_WORDS[place.kind] if place.number is None else f"{place.kind} {place.number + 1}"


def _top(pile: Sequence[object]) -> str:
    return str(pile[-1] or "??") if pile else "--"


def _tops(position: Position) -> str:
    corners, spares = " ".join(map(_top, position.corners)), " ".join(map(_top, position.spares))
    sixes = f" +{len(position.spare_six)} six" if position.spare_six else ""
    return f"{corners} | {_top(position.centre)} | {spares}{sixes} | {_top(position.discard)} ({len(position.discard)})"


def _picture(position: Position) -> list[str]:
    k, s = list(map(_top, position.corners)), list(map(_top, position.spares))
    beside = [
        f"spare sixes: {cards_text(position.spare_six) or '-'}",
        f"discard pile: {cards_text(position.discard) or '-'}",
        f"deck: {len(position.deck)} cards",
    ]
    rows = [f"{k[0]}  {s[0]}  {k[1]}", f"{s[3]}  {_top(position.centre)}  {s[1]}", f"{k[3]}  {s[2]}  {k[2]}"]
    return [f"  {row}      {text}" for row, text in zip(rows, beside, strict=True)]
