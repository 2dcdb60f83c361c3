"""`python -m solver baccarat`: simulate beside the exact odds, print the exact odds, or settle a round."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from plumbing.arguments import (
    add_json_argument,
    add_plot_arguments,
    add_sampling_arguments,
    number,
    print_answer,
    resume_fault,
    seed_of,
    whole_number,
    wrong_usage,
)
from plumbing.errors import PositionError, RulesError
from solver.baccarat.exact import Removal, exact_tally, finishing_odds, removal_effects
from solver.baccarat.rules import INFINITE, MAX_DECKS, Outcome, Payouts, Position, Shoe
from solver.baccarat.simulate import CUT, MIN_CUT, Simulation, simulate
from solver.baccarat.tally import Tally
from solver.convergence_plot import Curve, follow_rates
from solver.solution import Z95

_EPILOG: Final = """\
examples:
  python -m solver baccarat                                   exact odds of 8 decks
  python -m solver baccarat -n 1e7 --seed 1                   ten million rounds beside them, and a plot
  python -m solver baccarat -n 1e7 --shoe whole --cut 14      the same from whole shoes
  python -m solver baccarat "player: 4S 7D 5C; banker: KD 5H 2C"
                                                              who won, and the odds of the next round
  python -m solver baccarat "dealt: 9S 9D 8C 8H" --decks 1    odds once these cards are gone
"""


def _decks(text: str) -> Shoe:
    if text.lower() == INFINITE:
        return Shoe.endless()
    try:
        return Shoe.of_decks(int(text))
    except ValueError:  # no number, or RulesError
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of decks from 1 to {MAX_DECKS}, nor {INFINITE}"
        ) from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("round", nargs="?", metavar="ROUND", help='as "player: 4S 7D 5C; banker: KD 5H; dealt: AS"')
    add_sampling_arguments(parser, "rounds")
    parser.add_argument(
        "--decks", type=_decks, default="8", metavar="D", help=f"1 to {MAX_DECKS}, or {INFINITE} (default 8)"
    )
    parser.add_argument(
        "--shoe",
        choices=("fresh", "whole"),
        default="fresh",
        help="fresh: every round from a full shoe (default); whole: shoes are dealt down to the cut card",
    )
    parser.add_argument(
        "--cut",
        type=whole_number(MIN_CUT, 52 * MAX_DECKS),
        default=CUT,
        metavar="N",
        help=f"cards behind the cut card; a round that has begun is finished (default {CUT})",
    )
    parser.add_argument(
        "--commission", type=number(0, 1), default=0.05, metavar="C", help="taken from banker wins (default 0.05)"
    )
    parser.add_argument(
        "--tie-pays", type=number(0, 1000), default=8.0, metavar="T", help="a won tie bet's gain (default 8)"
    )
    parser.add_argument("--removal", action="store_true", help="also print what removing one card does to each bet")
    add_json_argument(parser)
    add_plot_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command; returns its exit status."""
    if fault := resume_fault(args, sampled=args.n is not None and args.round is None):
        return wrong_usage(fault)
    payouts = Payouts(args.commission, args.tie_pays)
    shoe: Shoe = args.decks
    if args.round is not None and args.n is not None:
        return wrong_usage("give either a ROUND or -n, not both")
    if args.round is not None:
        return _settle(Position.parse(args.round), shoe, payouts, args)
    if args.n is None:
        return _print_exact(shoe, payouts, args)
    try:
        return _simulate(shoe, payouts, args)
    except RulesError as error:
        return wrong_usage(f"argument --{error}")


def _simulate(shoe: Shoe, payouts: Payouts, args: argparse.Namespace) -> int:
    seed = seed_of(args)
    exact = exact_tally(shoe)
    curves = [Curve(str(outcome), float(exact.probability(outcome))) for outcome in Outcome]
    title = f"Baccarat, {_shoe_name(shoe)}"
    with follow_rates(args, title, curves, total=args.n, png="baccarat.png", trials_name="rounds") as progress:
        result = simulate(
            args.n,
            shoe=shoe,
            mode=args.shoe,
            cut=args.cut,
            seed=seed,
            workers=args.workers,
            resume=args.resume,
            progress=progress,
        )
    return _print_odds(args, result.to_json(payouts), _simulation_lines(result, payouts), shoe, payouts)


def _print_exact(shoe: Shoe, payouts: Payouts, args: argparse.Namespace) -> int:
    tally = exact_tally(shoe)
    body = {"game": "baccarat", "exact": _exact_json(tally, payouts)}
    head = f"Baccarat, {_shoe_name(shoe)}: exact odds, {tally.total:,} deals counted"
    return _print_odds(args, body, [head, *_exact_lines(tally, payouts)], shoe, payouts)


def _settle(position: Position, shoe: Shoe, payouts: Payouts, args: argparse.Namespace) -> int:
    problems = [*position.problems(), *_too_many(position, shoe)]
    if problems:
        raise PositionError(position.game, problems)
    left = shoe.without(position.cards())
    has_begun = bool(position.player or position.banker)
    explained = position.explain() if has_begun else ()
    odds = finishing_odds(position, left) if has_begun and position.outcome is None else None
    tally = exact_tally(left) if odds is None else None
    body = position.to_json() | _settled_json(position.outcome, explained, odds, tally, payouts)
    blocks = ["\n".join(explained)] if explained else []
    if odds is not None:
        chances = (f"  {result!s:8}{float(chance):>12.6%}" for result, chance in odds.items())
        blocks.append("\n".join(["from here, exact:", *chances]))
    if tally is not None:
        cards = "" if left.infinite else f" from the {left.size} cards left of {_shoe_name(shoe)}"
        blocks.append("\n".join([f"the next round{cards}, exact:", *_exact_lines(tally, payouts)]))
    return _print_odds(args, body, ["\n\n".join(blocks)], left, payouts)


def _settled_json(
    outcome: Outcome | None,
    explained: Sequence[str],
    odds: Mapping[Outcome, Fraction] | None,
    tally: Tally | None,
    payouts: Payouts,
) -> dict[str, Any]:
    body: dict[str, Any] = {"outcome": None if outcome is None else str(outcome), "tableau": list(explained)}
    if odds is not None:
        body["odds"] = {str(result): float(chance) for result, chance in odds.items()}
    if tally is not None:
        body["next_round"] = _exact_json(tally, payouts)
    return body


def _too_many(position: Position, shoe: Shoe) -> list[str]:
    """The cards that stand more often than the shoe's decks hold them."""
    if shoe.infinite:
        return []
    decks = shoe.size // 52
    limit = f"the limit with {_shoe_name(shoe)} is {decks}"
    return [f"{card} stands {n} times; {limit}" for card, n in sorted(Counter(position.cards()).items()) if n > decks]


def _shoe_name(shoe: Shoe) -> str:
    if shoe.infinite:
        return "infinitely many decks"
    decks = shoe.size // 52
    return f"{decks} deck{'s' if decks > 1 else ''}"


def _exact_json(tally: Tally, payouts: Payouts) -> dict[str, Any]:
    return tally.to_json() | {"bets": [bet.to_json() for bet in tally.bets(payouts)]}


def _print_odds(
    args: argparse.Namespace, body: dict[str, Any], lines: Sequence[str], shoe: Shoe, payouts: Payouts
) -> int:
    """Prints odds, with `--removal` also what each card that leaves the shoe does to them."""
    if args.removal:
        effects = removal_effects(shoe, payouts)
        body["removal"] = [{"value": e.value, "effects": {n: float(x) for n, x in e.effects}} for e in effects]
        lines = [*lines, *_removal_lines(effects)]
    return print_answer(args, body, lines)


def _exact_lines(tally: Tally, payouts: Payouts) -> list[str]:
    lines = ["", f"{'':10}{'all rounds':>14}{'ties left out':>16}{'ordered deals':>22}"]
    for outcome in Outcome:
        decided = "" if outcome is Outcome.TIE else f"{float(tally.decided(outcome)):.8%}"
        share = float(tally.probability(outcome))
        lines.append(f"{outcome!s:10}{share:>14.8%}{decided:>16}{tally.count(outcome):>22}")
    lines += [f"{cards} cards   {float(tally.with_cards(cards)):>14.8%}" for cards in (4, 5, 6)]
    lines += ["", f"{'a bet of 1 on':40}{'expected value':>16}{'house edge':>14}"]
    for bet in tally.bets(payouts):
        lines.append(f"{bet.name:40}{float(bet.expected_value):>+16.8f}{float(bet.house_edge):>14.6%}")
    return lines


def _simulation_lines(result: Simulation, payouts: Payouts) -> list[str]:
    tally, exact = result.tally, result.exact
    shoes = "a fresh shoe for each round"
    if result.mode == "whole":
        shoes = f"{result.shoes:,} whole shoes, cut card {result.cut} from the end"
    lines = [f"Baccarat, {_shoe_name(result.shoe)}, {shoes}: {tally.total:,} rounds, seed {result.seed}", ""]
    lines.append(f"{'all rounds':14}{'simulated':>12}{'95% interval':>26}{'exact':>14}{'z':>8}")
    for outcome in Outcome:
        share = result.estimate(outcome)
        interval = f"{share.low:.4%} to {share.high:.4%}"
        expected = float(exact.probability(outcome))
        lines.append(f"{outcome!s:14}{share.mean:>12.4%}{interval:>26}{expected:>14.6%}{result.z(outcome):>+8.2f}")
    lines += ["", f"{'ties left out':14}{'simulated':>12}{'95% interval':>26}{'exact':>14}"]
    for outcome in (Outcome.PLAYER, Outcome.BANKER):
        share = result.decided(outcome)
        interval = f"{share.low:.4%} to {share.high:.4%}"
        lines.append(f"{outcome!s:14}{share.mean:>12.4%}{interval:>26}{float(exact.decided(outcome)):>14.6%}")
    lines += ["", f"{'cards':14}{'simulated':>12}{'':26}{'exact':>14}"]
    for cards in (4, 5, 6):
        seen, expected = float(tally.with_cards(cards)), float(exact.with_cards(cards))
        lines.append(f"{cards:<14}{seen:>12.4%}{'':26}{expected:>14.6%}")
    lines += ["", f"{'house edge of a bet on':40}{'simulated':>12}{'95%':>12}{'exact':>14}"]
    for bet, true in zip(tally.bets(payouts), exact.bets(payouts), strict=True):
        half = Z95 * bet.deviation / tally.total**0.5
        lines.append(f"{bet.name:40}{float(bet.house_edge):>12.4%}{f'± {half:.4%}':>12}{float(true.house_edge):>14.6%}")
    statistic, p = result.chi_square()
    lines += ["", f"winner and cards together: chi-square {statistic:.2f}, 8 degrees of freedom, p = {p:.3f}"]
    if result.mode == "whole":
        lines.append("(exact values are those of a full shoe; intervals and z take the rounds of a shoe together)")
    return lines


def _removal_lines(effects: Sequence[Removal]) -> list[str]:
    if not effects:
        return ["", "removing a card changes nothing here"]
    names = [name for name, _ in effects[0].effects]
    lines = ["", "change of a bet's expected value when one card leaves the shoe (in millionths of the bet)"]
    lines += [f"  {chr(ord('a') + i)}: {name}" for i, name in enumerate(names)]
    lines.append(f"{'card':10}" + "".join(f"{chr(ord('a') + i):>12}" for i in range(len(names))))
    for removal in effects:
        cells = "".join(f"{float(change) * 1e6:>+12.2f}" for _, change in removal.effects)
        lines.append(f"{removal.name:10}{cells}")
    return lines
