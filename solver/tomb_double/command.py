"""`python -m solver tomb-double`: solve a position or a deal, or simulate many."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
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
from solver.convergence_plot import Curve, follow_rates
from solver.games import read_position
from solver.solution import Estimate, Limits, Solution
from solver.tomb_double.position import Position, random_deal
from solver.tomb_double.rules import REDEAL, Move
from solver.tomb_double.simulate import Player, simulate
from solver.tomb_double.solve import COMPLETIONS, answer

_EPILOG: Final = """\
examples:
  python -m solver tomb-double -n 10000 --seed 1              ten thousand games with a hidden stock, and a plot
  python -m solver tomb-double -n 10000 --seed 1 --player open
                                                              how many of the same deals could have been won
  python -m solver tomb-double --deal 3 --seed 1              the fourth of them, every card known
  python -m solver tomb-double "foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0"

  python -m solver tomb-double "tableau: 7C | QH | 2D | 5D; reserves: 9 3C | 9 4C | 9 5C | 9 KC; stock: 60" -n 200
                                                              the chances of what a photo shows, from 200 samples

a position: foundations by number of cards; piles bottom to top, | between them, - for an empty one; ?? for a hidden
card of a reserve, a waste or the stock, or a number of them (reserves: 9 3C | ... has nine hidden cards under the 3C);
the stock left out holds all that is missing; redeals still to come, one waste more than that
moves: R1>F, W3>T2, T2>>C (the whole pile), C>F, S>W4 (turned onto waste 4), redeal
players:
""" + "\n".join(f"  {player!s:8}{player.explained}" for player in Player)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.epilog = _EPILOG
    add_position_argument(parser)
    parser.add_argument(
        "--deal", type=whole_number(0, 10**12), metavar="D", help="solve deal number D of the series --seed instead"
    )
    add_sampling_arguments(
        parser, "games (for a position: completions of its hidden cards)", "a new one, printed; for a position 0"
    )
    parser.add_argument(
        "--player", choices=[str(player) for player in Player], default="fair", help="who plays them (default fair)"
    )
    parser.add_argument(
        "--time-limit", type=number(0.001, 1e6), default=10.0, metavar="S", help="seconds for a position (default 10)"
    )
    add_json_argument(parser)
    add_plot_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command; returns its exit status."""
    if fault := resume_fault(args, sampled=args.position is None and args.n is not None):
        return wrong_usage(fault)
    if args.position is not None and args.deal is None:
        return _answer(read_position(args.position, Position), args)
    if args.position is not None or (args.deal is None) == (args.n is None):
        return wrong_usage("give exactly one of POSITION, --deal D or -n N; --help shows examples")
    if args.n is not None:
        return _simulate(args)
    seed = seed_of(args)
    position = random_deal(seed, number=args.deal)
    if not args.json:
        print(f"{position}\ndeal {args.deal} of seed {seed}")
    return _answer(position, args)


def _answer(position: Position, args: argparse.Namespace) -> int:
    result = answer(position, Limits(time=args.time_limit), n=args.n or COMPLETIONS, seed=args.seed or 0)
    if isinstance(result, Estimate):
        return print_answer(args, {"game": position.game} | result.to_json(), _estimate_lines(result))
    return print_answer(args, result.to_json(), _solution_lines(result))


def _estimate_lines(result: Estimate) -> list[str]:
    fair = result.details["fair"]
    return [
        str(result),
        *result.caveats(),
        f"{fair['what']}: {fair['mean']:.2%} (95% interval {fair['low']:.2%} to {fair['high']:.2%}, n = {fair['n']})",
    ]


def _solution_lines(result: Solution) -> list[str]:
    return [f"{result.headline} ({result.stats.seconds:.3f} s, {result.stats.nodes} states)", *_by_pass(result.line)]


def _by_pass(line: Sequence[Move], width: int = 100) -> list[str]:
    """The moves, wrapped, a redeal on a line of its own."""
    rows = [""]
    for move in line:
        word = str(move)
        if move == REDEAL:
            rows += [word, ""]
        elif len(rows[-1]) + len(word) >= width:
            rows.append(word)
        else:
            rows[-1] = f"{rows[-1]} {word}".strip()
    return [row for row in rows if row]


def _simulate(args: argparse.Namespace) -> int:
    seed = seed_of(args)
    player = Player(args.player)
    title = f"Napoleon's Tomb, two decks: player {player}, seed {seed}"
    with follow_rates(args, title, [Curve("games won")], total=args.n, png="tomb-double.png") as progress:
        result = simulate(args.n, player=player, seed=seed, workers=args.workers, resume=args.resume, progress=progress)
    lines = [f"player {player}: {player.explained}", str(result.won)]
    if result.won.mean:
        lines.append(f"length of a won game: mean {result.mean_moves:.1f}, median {result.median_moves:.0f} moves")
    if player in (Player.FAIR, Player.OPEN):
        lines.append(f"undecided: {result.undecided}; all others that were not won are proved lost")
    return print_answer(args, result.to_json(), lines)
