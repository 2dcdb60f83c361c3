"""`python -m solver klondike`: solve a position, estimate one with hidden cards, or measure how many can be won."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from tqdm import tqdm

from plumbing.arguments import (
    PRECISION,
    add_json_argument,
    add_plot_arguments,
    add_position_argument,
    add_resume_argument,
    add_worker_arguments,
    number,
    print_answer,
    resume_fault,
    seed_of,
    whole_number,
    written_as,
    wrong_usage,
)
from plumbing.result_files import ROWS
from solver.convergence_plot import Curve, follow_rates
from solver.games import read_position
from solver.klondike.chances import (
    Sample,
    Winnability,
    estimate,
    measure,
    measure_rows,
    prove,
)
from solver.klondike.house_rules import MAX_DRAW, ONE_CARD, STANDARD, ColumnMoves, KlondikeRules
from solver.klondike.player import WORK, Advice, MoveChance, best_move
from solver.klondike.player_games import PLAY_ON_WORK, UnseenGames, UnseenSample, measure_unseen, play_on
from solver.klondike.position import Position, random_deal
from solver.klondike.solve import solve
from solver.position import check
from solver.solution import Estimate, Limits, Solution

DEAL_NODES: Final = 20_000_000
"""States that one deal of --random may cost before it counts as undecided."""
PRECISE_SECONDS: Final = 600.0
"""Time limit of an estimate that is to be precise; the count of deals ends it sooner on most machines."""
IN_A_ROW: Final = 10
"""Moves of a line that are printed beside each other."""

_EPILOG: Final = """\
examples:
  python -m solver klondike "moves: run; columns: [KS QH] | QS [KH] | - | - | - | - | -; foundations: C13 D13 H11 S11"
  python -m solver klondike --deal 7 --rules standard --draw 3
                                          the deal of that seed, with its winning line
  python -m solver klondike --random 10000 --draw 3 --seed 1 --resume draw3.jsonl
                                          how many deals can be won; stop with Ctrl-C, repeat to continue
  python -m solver klondike --random 10000 --draw 3 --seed 1 --rows deals.parquet
                                          the same with each deal, its verdict and its cost in a file
  python -m solver klondike --random 1000 --draw 3 --unseen --seed 1 --resume unseen.jsonl
                                          how many are won by a good player who sees what a person sees
  python -m solver klondike "$(cat table.txt)" --moves-share --play-on 100
                                          a table with ?? cards: chances, best move, and playing on without peeking
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.epilog = _EPILOG
    what = parser.add_argument_group("what to look at (one of these)")
    add_position_argument(what)
    what.add_argument("--deal", type=whole_number(0, 2**63 - 1), metavar="SEED", help="the random deal of this seed")
    what.add_argument("--random", type=whole_number(1, 10**9), metavar="N", help="N random deals: how many can be won?")
    rules = parser.add_argument_group(
        "rules (default: those that the position names; where it names none one-card; of --deal and --random standard)"
    )
    rules.add_argument(
        "--rules",
        choices=("one-card", "standard"),
        help="one-card (default of a position that names no rules): draw 1, single cards move, none comes back; "
        "standard (default of --deal and --random): draw 3, runs move, foundation cards may come back",
    )
    rules.add_argument(
        "--draw", type=whole_number(1, MAX_DRAW), metavar="N", help="cards turned at a time (one-card 1, standard 3)"
    )
    rules.add_argument(
        "--redeals", type=_redeals, metavar="N", help="how often the waste turns over, or unlimited (both: unlimited)"
    )
    rules.add_argument(
        "--moves",
        choices=[str(way) for way in ColumnMoves],
        help="what moves between columns: its last card, or a run (one-card one, standard run)",
    )
    rules.add_argument(
        "--worrying-back",
        choices=("yes", "no"),
        help="whether foundation cards may come back (one-card no, standard yes)",
    )
    parser.add_argument("--time-limit", type=number(0.001, 1e6), metavar="S", help="seconds (default 10)")
    parser.add_argument("--node-limit", type=whole_number(1, 10**15), metavar="N", help="states to visit in one deal")
    add_json_argument(parser)
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1), metavar="S", help="of samples (default: a new one)")
    add_worker_arguments(parser)
    parser.add_argument(
        "--work",
        type=whole_number(100, 10**9),
        metavar="W",
        help=f"how long the player that does not peek thinks: choices tried a move (default {WORK:,})",
    )
    hidden = parser.add_argument_group("positions with ?? cards")
    hidden.add_argument("-n", type=whole_number(1, 10**7), metavar="N", help="deals to sample (default: enough)")
    hidden.add_argument(
        "--precision",
        type=number(0.001, 1.0),
        metavar="W",
        help=f"{PRECISION}. -n is then the most deals, and --time-limit 600",
    )
    hidden.add_argument("--moves-share", action="store_true", help="for each move, how often it wins without peeking")
    hidden.add_argument("--play-on", type=whole_number(1, 10**6), metavar="N", help="play N games without peeking")
    many = parser.add_argument_group("--random")
    many.add_argument("--unseen", action="store_true", help="play the deals without peeking, and count those won")
    add_resume_argument(many)
    many.add_argument(
        "--rows",
        type=written_as(*ROWS),
        metavar="R.jsonl",
        help="write a row for each deal there; R.parquet writes Parquet. The file appears when all deals are solved; "
        "if stopped before, the same command continues",
    )
    add_plot_arguments(parser)


def _redeals(text: str) -> int | str:
    return "unlimited" if text.lower() == "unlimited" else whole_number(0, 10**6)(text)


def run(args: argparse.Namespace) -> int:
    """Runs the command; returns its exit status."""
    if fault := _usage_fault(args):
        return wrong_usage(fault)
    if args.random is not None:
        return _measure_unseen(args) if args.unseen else _measure(args)
    position = _position(args)
    if not position.is_known and len(position.unseen()) > 1:
        return _estimate(position, args)
    limits = Limits(args.time_limit or 10.0, args.node_limit)
    return _print_solution(solve(position, limits), position.rules, args)


def _usage_fault(args: argparse.Namespace) -> str | None:
    """What does not go together in how the command was called; None where all does."""
    given = [args.position is not None, args.deal is not None, args.random is not None]
    if sum(given) != 1:
        return "give exactly one of a position, --deal and --random"
    if args.resume is not None and args.rows is not None:
        return "give either --resume or --rows; each keeps what is done"
    if args.unseen and (args.random is None or args.rows is not None):
        return "--unseen belongs to --random, and keeps its games with --resume"
    faults = (resume_fault(args, sampled=args.random is not None, name=name) for name in ("resume", "rows"))
    return next(filter(None, faults), None)


def _rules(args: argparse.Namespace, base: KlondikeRules) -> KlondikeRules:
    if args.rules is not None:
        base = ONE_CARD if args.rules == "one-card" else STANDARD
    back = None if args.worrying_back is None else args.worrying_back == "yes"
    given = {"draw": args.draw, "redeals": args.redeals, "column_moves": args.moves, "worrying_back": back}
    changes = {name: value for name, value in given.items() if value is not None}
    return KlondikeRules.from_json(base.to_json() | changes)


def _position(args: argparse.Namespace) -> Position:
    if args.deal is not None:
        return random_deal(args.deal, _rules(args, STANDARD))
    position = read_position(args.position, Position)
    position = position.with_rules(_rules(args, position.rules))
    check(position)
    return position


def _print_solution(solution: Solution, rules: KlondikeRules, args: argparse.Namespace) -> int:
    words = list(map(str, solution.line))
    rows = (words[start : start + IN_A_ROW] for start in range(0, len(words), IN_A_ROW))
    lines = ["  " + " ".join(f"{word:9}" for word in row).rstrip() for row in rows]
    head = solution.headline + (":" if lines else "")
    print_answer(args, solution.to_json(), [head, *lines, _say_rules(rules, args)])
    if not args.json:
        print(f"{solution.stats.nodes:,} states in {solution.stats.seconds:.3f} s", file=sys.stderr)
    return 0


def _say_rules(rules: KlondikeRules, args: argparse.Namespace) -> str:
    """By which rules the answer is: another one may be right by others."""
    told = f"rules: {rules.describe()}"
    if rules == ONE_CARD and args.rules is None:
        return f"{told} (those of a position that names no others; most people play by --rules standard)"
    return told


# -- positions that hide cards -----------------------------------------------------------------------------------------


def _estimate(position: Position, args: argparse.Namespace) -> int:
    seed = seed_of(args)
    limits = Limits(args.time_limit or 10.0, args.node_limit)
    proved = prove(position, limits)
    if proved is not None:
        return _print_solution(proved, position.rules, args)
    if args.precision is not None:
        limits = Limits(args.time_limit or PRECISE_SECONDS, args.node_limit)
    with tqdm(unit=" deals", disable=None, leave=False) as bar:
        winnable = estimate(
            position,
            limits,
            seed=seed,
            n=args.n,
            width=args.precision,
            workers=args.workers,
            progress=partial(_show, bar),
        )
    advice = best_move(position, args.work or WORK, seed)
    played = None
    if args.play_on:
        with tqdm(total=args.play_on, unit=" games", disable=None, leave=False) as bar:
            work = args.work or PLAY_ON_WORK
            progress = partial(_show, bar)
            played = play_on(position, args.play_on, seed, work=work, workers=args.workers, progress=progress)
    moves = advice.moves if args.moves_share else None
    body = {"game": position.game} | _estimate_json(winnable, advice, moves, played)
    lines = [*_estimate_lines(winnable, advice, moves, played), _say_rules(position.rules, args)]
    return print_answer(args, body, lines)


def _estimate_json(
    winnable: Estimate, advice: Advice, moves: Sequence[MoveChance] | None, played: Estimate | None
) -> dict[str, Any]:
    body = winnable.to_json() | {"unseen": {"mean": advice.chance, "work": advice.work}}  # as `answer` has it
    body["best"] = {"move": str(advice.move) if advice.move else None, "why": advice.why}
    if moves is not None:
        body["moves"] = [move.to_json() for move in moves]
    if played is not None:
        body["played_on"] = played.to_json()
    return body


def _estimate_lines(
    winnable: Estimate, advice: Advice, moves: Sequence[MoveChance] | None, played: Estimate | None
) -> list[str]:
    lines = [str(winnable), *winnable.caveats(), _both_numbers(winnable, advice)]
    if moves:
        lines.append("moves by the share of such games that is won by playing on without peeking:")
        lines += map(_move_line, moves)
    return lines if played is None else [*lines, str(played)]


def _both_numbers(winnable: Estimate, advice: Advice) -> str:
    share = f"{100 * winnable.mean:.0f}"
    if winnable.details.get("undecided"):  # they count as not won in the mean, and may be
        share = f"between {100 * winnable.low:.0f} and {100 * winnable.high:.0f}"
    knowing = f"someone who sees every card wins {share} of 100 such deals"
    best = f": {advice.move}, {advice.why}" if advice.move else f": {advice.why}"
    return f"{knowing}; played well without seeing, {100 * advice.chance:.0f}{best}"


def _move_line(move: MoveChance) -> str:
    return f"  {move.move!s:10} {move.chance:7.1%}   95% interval {move.low:.1%} to {move.high:.1%}"


def _show(bar: Any, estimate: Estimate) -> None:
    bar.set_postfix_str(f"{estimate.mean:.1%} ({estimate.low:.1%} to {estimate.high:.1%})")
    bar.update(estimate.n - bar.n)


# -- many deals --------------------------------------------------------------------------------------------------------


def _measure(args: argparse.Namespace) -> int:
    rules = _rules(args, STANDARD)
    seed = seed_of(args)
    sample = Sample(args.random, rules, seed, Limits(args.time_limit, args.node_limit or DEAL_NODES))
    if args.rows is None:
        parts = measure(sample, workers=args.workers, resume=args.resume)
    else:
        parts = measure_rows(sample, args.rows, workers=args.workers)
    total = Winnability()
    stopped = False
    shown = follow_rates(
        args, f"Klondike, {rules}", [Curve("winnable")], total=args.random, png="klondike.png", trials_name="deals"
    )
    with shown as add:
        try:
            for part in parts:
                total += part
                add(part.deals, [part.won])
        except KeyboardInterrupt:
            stopped = True
    _print_winnability(total, sample, args)
    return _stop_early(args.resume is not None or args.rows is not None) if stopped else 0


def _measure_unseen(args: argparse.Namespace) -> int:
    sample = UnseenSample(args.random, _rules(args, STANDARD), seed_of(args), args.work or WORK)
    total = UnseenGames()
    stopped = False
    shown = follow_rates(
        args, f"Klondike unseen, {sample.rules}", [Curve("won without peeking")], total=sample.n, png="klondike.png"
    )
    with shown as add:
        try:
            for game in measure_unseen(sample, workers=args.workers, resume=args.resume):
                total += game
                add(game.n, [game.won])
        except KeyboardInterrupt:
            stopped = True
    found = total.to_json()
    lines = [f"Klondike, {sample.rules}: {total.n:,} games without peeking, seed {sample.seed}, work {sample.work:,}"]
    if total.n:
        lines += [
            f"won   {found['mean']:9.2%}   95% interval {found['low']:.2%} to {found['high']:.2%}",
            f"{found['moves_a_game']:.0f} moves and {found['seconds_a_game']:.2f} s a game",
        ]
    head = {"game": Position.game, "rules": sample.rules.to_json(), "seed": sample.seed, "work": sample.work}
    print_answer(args, head | found, lines)
    return _stop_early(args.resume is not None) if stopped else 0


def _stop_early(kept: bool) -> int:
    print("stopped early" + ("; run the same command again to continue" if kept else ""), file=sys.stderr)
    return 130


def _print_winnability(total: Winnability, sample: Sample, args: argparse.Namespace) -> None:
    n = total.deals
    lines = [f"Klondike, {sample.rules}: {n:,} deals, seed {sample.seed}"]
    if n:
        low, high = total.interval()
        lines += [
            f"winnable   {total.won / n:9.3%}   95% interval {low:.3%} to {high:.3%} (undecided deals both ways)",
            f"proved no  {total.lost / n:9.3%}",
            f"undecided  {total.undecided / n:9.3%}   {total.undecided} deals",
            f"{total.nodes / n:,.0f} states a deal",
        ]
    head = {"game": Position.game, "rules": sample.rules.to_json(), "seed": sample.seed}
    print_answer(args, head | total.to_json(), lines)
