"""Prints a digest of what all solvers answer on fixed seeds, to show that a change of the code changes no answer.

    python tools/answers_digest.py                     the code in the working directory
    python tools/answers_digest.py --tree ../before    that of another checkout
    python tools/answers_digest.py klondike            only sections whose names begin so
    python tools/answers_digest.py klondike --rows     every answer, one a line, to see which one differs

Run it in both checkouts and compare: equal lines mean equal answers. A line has the section's name, how many answers
it holds, the SHA-256 of them all, and the states that the searches visited (equal where the search is the same one).
Time goes to stderr. All limits are of states and not of time, so a slow machine prints the same. It takes half a
minute, and two minutes more where the kernels have to be compiled first.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

Rows = Iterator[tuple[Any, int]]
"""Answers as JSON values, each with the states that were visited for it."""


def answered(result: Any) -> tuple[Any, int]:
    """A solution's or an estimate's JSON without times, and the states that were visited for it."""
    body = without_times(result.to_json())
    return body, getattr(getattr(result, "stats", None), "nodes", 0)


def without_times(value: Any) -> Any:
    """A JSON value without its objects' `seconds` and `stats`."""
    if isinstance(value, Mapping):
        return {key: without_times(part) for key, part in value.items() if key not in ("seconds", "stats")}
    if isinstance(value, list | tuple):
        return [without_times(part) for part in value]
    return value


def in_words(value: Any) -> dict[str, str]:
    """The fields of a dataclass as they print, so that their types may change."""
    return {field.name: str(getattr(value, field.name)) for field in fields(value)}


def after_some_moves(position: Any, rng: Random, most: int) -> Any:
    """The position after up to so many random moves."""
    for _ in range(rng.randint(0, most)):
        moves = position.moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


def makiaveli_tables() -> Rows:
    """All four objectives, the outs and the blockers of tables of seven kinds."""
    from solver import Limits, makiaveli

    tables = import_module("tests.bench.makiaveli_tables")
    counts = {"6 melds": 40, "12 melds": 40, "20 melds": 30, "28 melds": 6, "duplicates": 30, "ace chains": 40}
    for kind, count in counts.items():
        for position in tables.positions(kind, count, 33):
            yield from makiaveli_questions(makiaveli, position, Limits(None, 200_000))


def makiaveli_questions(makiaveli: Any, position: Any, limits: Any) -> Rows:
    """All that can be asked of one table."""
    for objective in ("least", "broken", "moved", "cards"):
        yield answered(makiaveli.solve(position, limits, objective=objective))
    outs = makiaveli.outs(position).to_json()
    yield [str(makiaveli.verdict(position)), [str(card) for card in makiaveli.blockers(position)], outs], 0


def makiaveli_strict() -> Rows:
    """Tables under the rule that each meld with a cross card holds a hand card too."""
    from dataclasses import replace

    from solver import Limits, makiaveli

    tables = import_module("tests.bench.makiaveli_tables")
    for kind, count in {"6 melds": 12, "12 melds": 6, "ace chains": 4}.items():
        for position in tables.positions(kind, count, 34):
            yield from makiaveli_questions(makiaveli, replace(position, strict_cross=True), Limits(None, 100_000))


def makiaveli_repair() -> Rows:
    """Tables whose floor holds loose cards."""
    from dataclasses import replace

    from solver import Limits, makiaveli

    tables = import_module("tests.bench.makiaveli_tables")
    for position in tables.positions("12 melds", 20, 35):
        floor = (*position.floor[1:], *((card,) for card in position.floor[0]))
        yield from makiaveli_questions(makiaveli, replace(position, floor=floor, repair=True), Limits(None, 200_000))


def makiaveli_whole_deck() -> Rows:
    """Tables of all 104 cards, opening hands, and a reference of tables where there is one."""
    from solver import Limits, makiaveli

    tables = import_module("tests.bench.makiaveli_tables")
    for position in tables.positions("104 cards", 10, 33):
        for objective in ("broken", "cards"):
            yield answered(makiaveli.solve(position, Limits(None, 200_000), objective=objective))
    for seed in range(200):
        position = makiaveli.random_deal(seed)
        yield [answered(makiaveli.solve(position))[0], makiaveli.outs(position).to_json()], 0
    reference = Path("..", "shared", "positions", "makiaveli.jsonl")
    for line in reference.read_text().splitlines()[::7] if reference.exists() else ():
        body = {key: value for key, value in json.loads(line).items() if key in ("floor", "cross", "hand")}
        yield answered(makiaveli.solve(makiaveli.Position.from_json({"game": "makiaveli"} | body)))


def klondike_rules(klondike: Any) -> Iterator[tuple[str, Any]]:
    """The presets, and combinations of draw, redeals, moves and worrying back."""
    for name in ("ONE_CARD", "STANDARD", "STANDARD_DRAW_1"):
        yield name, getattr(klondike, name)
    for draw, redeals, way, back in product((1, 2, 3), (None, 0, 2), klondike.ColumnMoves, (False, True)):
        rules = klondike.KlondikeRules(draw, redeals, way, back)
        yield str(rules), rules


def klondike_deals() -> Rows:
    """Whole deals and positions some moves later under all rules."""
    from solver import Limits, klondike

    for name, rules in klondike_rules(klondike):
        preset = name.isupper()
        for seed in range(24 if preset else 4):
            rng = Random(f"{name} {seed}")
            position = after_some_moves(klondike.random_deal(seed, rules), rng, 60 if seed % 2 else 0)
            body, states = answered(klondike.solve(position, Limits(None, 60_000 if preset else 20_000)))
            yield {"position": str(position)} | body, states


def klondike_long() -> Rows:
    """A few hard deals with many states each."""
    from solver import Limits, klondike

    for name, rules in klondike_rules(klondike):
        if name.isupper():
            for seed in range(100, 104):
                yield answered(klondike.solve(klondike.random_deal(seed, rules), Limits(None, 600_000)))


def klondike_hidden() -> Rows:
    """Estimates of deals with hidden cards."""
    from solver import Limits, klondike

    for name, rules in klondike_rules(klondike):
        if not name.isupper():
            continue
        for seed in range(3):
            deal = after_some_moves(klondike.random_deal(seed, rules), Random(seed), 40)
            seen = as_seen(deal)
            yield answered(klondike.estimate(seen, Limits(None, 2_000), n=40, seed=seed, workers=1))


def as_seen(position: Any) -> Any:
    """A Klondike position with its face-down cards and its stock unknown."""
    body = position.to_json()
    body["columns"] = [body_of_seen(column) for column in body["columns"]]
    body["stock"] = ["??"] * len(body["stock"])
    return type(position).from_json(body)


def body_of_seen(column: Any) -> Any:
    """The JSON of a Klondike column with its face-down cards unknown."""
    return {"down": ["??"] * len(column["down"]), "up": column["up"]}


def tomb_single() -> Rows:
    """Free and forced play, whole deals and positions some moves later; players; hidden decks."""
    from solver import Limits
    from solver import tomb_single as game

    names = [f"{game.__name__}.{part}" for part in ("best_move", "hidden")]  # older checkouts have the second
    choices = import_module(next(filter(find_spec, names))).choices
    for number in range(60):
        for rules in (game.FREE, game.FORCED):
            deal = game.random_deal(33, rules, number=number)
            position = after_some_moves(deal, Random(number), 40) if number % 2 else deal
            body, states = answered(game.solve(position, Limits(None, 60_000)))
            yield {"position": str(position)} | body, states
            body = position.to_json()
            hidden = type(position).from_json(body | {"deck": ["??"] * len(body["deck"])})
            if number < 12:
                yield answered(game.estimate(hidden, n=2_000, seed=number))
                yield [in_words(choice) for choice in choices(hidden, rollouts=500, seed=number)], 0
    for player, games in {"forced": 300_000, "simple": 100_000, "lookahead": 64}.items():
        yield answered(game.simulate(games, player=player, seed=33))


def tomb_double() -> Rows:
    """Whole deals and positions some moves later; players; hidden cards."""
    from solver import Limits
    from solver import tomb_double as game

    for number in range(60):
        deal = game.random_deal(33, number=number)
        position = after_some_moves(deal, Random(number), 60) if number % 2 else deal
        body, states = answered(game.solve(position, Limits(None, 60_000)))
        yield {"position": str(position)} | body, states
    for number in range(6):
        body = after_some_moves(game.random_deal(34, number=number), Random(number), 40 * (number % 2)).to_json()
        stock_hidden = game.Position.from_json(body | {"stock": ["??"] * len(body["stock"])})
        yield answered(game.answer(stock_hidden, Limits(None, 20_000), n=20, seed=number))
        piles = [["??"] * (len(pile) - 1) + pile[-1:] for pile in body["reserves"]]
        hidden = game.Position.from_json(body | {"stock": ["??"] * len(body["stock"]), "reserves": piles})
        yield answered(game.answer(hidden, Limits(None, 20_000), n=20, seed=number))
    for player in game.Player:
        games = 2_000 if str(player) in ("greedy", "rule") else 40
        yield answered(game.simulate(games, player=player, seed=33))


def baccarat() -> Rows:
    """Exact odds of shoes of all sizes, what a card's removal does, and simulated rounds."""
    from solver import baccarat as game

    shoes = [game.Shoe.of_decks(decks) for decks in (1, 2, 6, 8)] + [game.Shoe.endless()]
    for shoe in shoes:
        yield game.exact_tally(shoe).to_json(), 0
        yield [in_words(removal) for removal in game.removal_effects(shoe)], 0
        yield answered(game.simulate(300_000, shoe=shoe, seed=33))
        if not shoe.infinite:
            yield answered(game.simulate(300_000, shoe=shoe, mode="whole", seed=34))
    for seed in range(100):
        position = game.random_deal(seed)
        odds = game.finishing_odds(position, game.Shoe.of_decks(8).without(position.cards()))
        yield [str(position), {str(outcome): str(share) for outcome, share in odds.items()}], 0


SECTIONS: dict[str, Callable[[], Rows]] = {
    "baccarat": baccarat,
    "klondike-deals": klondike_deals,
    "klondike-hidden": klondike_hidden,
    "klondike-long": klondike_long,
    "makiaveli-repair": makiaveli_repair,
    "makiaveli-strict": makiaveli_strict,
    "makiaveli-tables": makiaveli_tables,
    "makiaveli-whole-deck": makiaveli_whole_deck,
    "tomb-double": tomb_double,
    "tomb-single": tomb_single,
}


def check_origin(tree: Path) -> None:
    """Ends the program where a module came from another checkout, such as one that is installed for editing."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name.split(".")[0] in ("plumbing", "solver", "tests") and file and not Path(file).is_relative_to(tree):
            sys.exit(f"{name} was loaded from {file}, not from {tree}")


def main() -> None:
    """Prints the digest of each section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"(default: all) {', '.join(SECTIONS)}")
    parser.add_argument("--tree", type=Path, default=Path(), help="the checkout whose code runs (default: here)")
    parser.add_argument("--rows", action="store_true", help="print every answer instead of the digests")
    args = parser.parse_args()
    chosen = [name for name in SECTIONS if name.startswith(tuple(args.sections or [""]))]
    if not chosen:
        parser.error(f"no section begins with {' or '.join(args.sections)}: {', '.join(SECTIONS)}")
    sys.path.insert(0, str(args.tree.resolve()))
    print(f"code: {Path(str(import_module('solver').__file__)).parent}", file=sys.stderr)
    for name in chosen:
        started, digest, answers, states = time.process_time(), hashlib.sha256(), 0, 0
        for answer, visited in SECTIONS[name]():
            line = json.dumps(answer, sort_keys=True, default=str)
            if args.rows:
                print(f"{name} {answers}: {line}; {visited} states")
            digest.update(line.encode() + b"\n")
            answers, states = answers + 1, states + visited
        check_origin(args.tree.resolve())
        if not args.rows:
            print(f"{name:20} {answers:5,} answers  {digest.hexdigest()[:32]}  {states:12,} states", flush=True)
        print(f"{name}: {time.process_time() - started:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
