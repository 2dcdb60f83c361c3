"""Prints how the Klondike player that does not peek does: `python -m tests.bench.klondike_player WHAT [--rules ...]`.

    curve        share of games won over work, all on the same deals, with the median and longest time of a move
    vote         beside a vote of players who see everything, which advised before, on the same deals
    calibration  what it said of its chances, and how often the games were won
    endurance    plays many games with little work; stops at the first illegal move, and at a loop

One core. The same seed gives the same deals, and the same games of the player; only times differ.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from plumbing.clock import Clock
from plumbing.parallel import Chunk, chunks
from plumbing.resumable import resumable_map
from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, KlondikeRules, Move, Position, random_deal
from solver.klondike.chances import completions
from solver.klondike.player import best_move, hide, next_move, seen_after
from solver.klondike.player_games import play_unseen
from solver.klondike.solve import solve, verdict_of
from solver.solution import Limits, Verdict, wilson
from tests.bench.paired import compare_wins

RULES: Final = {
    "draw_3": STANDARD,
    "draw_1": STANDARD_DRAW_1,
    "one_card": ONE_CARD,
    "draw_3_redeals_2": replace(STANDARD, redeals=2),
    "draw_1_redeals_2": replace(STANDARD_DRAW_1, redeals=2),
    "draw_1_redeals_0": replace(STANDARD_DRAW_1, redeals=0),
}
VOTES: Final = 12
VOTE_LIMITS: Final = Limits(None, 5_000)
MOST_VOTES: Final = 400
"""Moves after which the vote's game counts as lost."""
BINS: Final = 10


def deals(rules: KlondikeRules, n: int, seed: int) -> list[tuple[Position, int]]:
    """The deals of `python -m solver klondike --unseen --random N --seed S`, each with the seed of its game."""
    return [(random_deal(Random(chunk.seed), rules), chunk.seed) for chunk in chunks(n, 1, seed)]


def say(name: str, won: Sequence[bool]) -> str:
    low, high = wilson(sum(won), len(won))
    return f"{name:16} {sum(won):5} of {len(won)} won: {np.mean(won):.2%}   95% interval {low:.2%} to {high:.2%}"


def curve(rules: KlondikeRules, n: int, seed: int, works: Sequence[int], _: Path | None) -> None:
    for work in works:
        won, seconds = [], []
        for truth, game_seed in tqdm(deals(rules, n, seed), unit=" games", disable=None, leave=False):
            seen = hide(truth)
            while True:
                clock = Clock()
                move = next_move(seen, work, game_seed)[0]
                seconds.append(clock.seconds)
                if move is None:
                    break
                truth = truth.play(move)
                seen = seen_after(seen, truth, move)
            won.append(seen.is_won)
        times = f"median {1000 * np.median(seconds):.1f} ms a move, longest {1000 * max(seconds):.0f} ms"
        print(f"{say(f'work {work:,}', won)}   {times}", flush=True)


def vote(rules: KlondikeRules, n: int, seed: int, works: Sequence[int], resume: Path | None) -> None:
    what = {"bench": "vote", "rules": rules.to_json(), "seed": seed}
    by_vote = list(_games(partial(_vote_on, rules), n, seed, what, resume))
    print(say("vote", by_vote))
    for work in works:
        name = f"work {work:,}"
        games = tqdm(deals(rules, n, seed), unit=" games", disable=None, leave=False)
        won = [play_unseen(truth, hide(truth), work, game_seed)[0] for truth, game_seed in games]
        print(say(name, won))
        print(f"{name} beside the vote: {compare_wins(won, by_vote)}")


def _games(play: Callable[[Chunk], Any], n: int, seed: int, what: dict[str, Any], resume: Path | None) -> Iterator[Any]:
    """What `play` says of each deal; the deals of `python -m solver klondike --unseen --random N --seed S`."""
    played = resumable_map(play, chunks(n, 1, seed), resume=resume, what=what, workers=1)
    yield from tqdm(played, total=n, unit=" games", disable=None, leave=False)


def _vote_on(rules: KlondikeRules, chunk: Chunk) -> bool:
    return play_by_vote(random_deal(Random(chunk.seed), rules), Random(chunk.seed))


def play_by_vote(truth: Position, random: Random) -> bool:
    """Whether a player wins who lays the hidden cards anew twelve times, solves that, and plays the commonest start.

    Its game ends where the truth is proved lost, and it does not vote on a single move that leads to something new:
    that saves most of the time and changes nothing.
    """
    seen = hide(truth)
    visited = {seen}
    for _ in range(MOST_VOTES):
        if seen.is_won:
            return True
        others = [move for move in seen.moves() if seen.play(move) not in visited]
        if not others or verdict_of(truth, VOTE_LIMITS)[0] is Verdict.NO_WIN:
            return False
        move = others[0] if len(others) == 1 else _vote(seen, others, random)
        truth = truth.play(move)
        seen = seen_after(seen, truth, move)
        visited.add(seen)
    return False


def _vote(seen: Position, moves: Sequence[Move], random: Random) -> Move:
    """The commonest of these moves with which winning lines begin, or any where none does."""
    lines = (solve(deal, VOTE_LIMITS).line for deal in islice(completions(seen, random), VOTES))
    votes = Counter(line[0] for line in lines if line)
    return next((move for move, _ in votes.most_common() if move in moves), random.choice(moves))


def calibration(rules: KlondikeRules, n: int, seed: int, works: Sequence[int], _: Path | None) -> None:
    for work in works:
        said: list[float] = []
        came: list[bool] = []
        for truth, game_seed in tqdm(deals(rules, n, seed), unit=" games", disable=None, leave=False):
            seen, start = hide(truth), len(said)
            while (advice := best_move(seen, work, game_seed)).move is not None:
                said.append(advice.chance)
                truth = truth.play(advice.move)
                seen = seen_after(seen, truth, advice.move)
            came += [seen.is_won] * (len(said) - start)
        print(f"work {work:,}: {n} games; the moves by the chance that was said, and the share of them in games won")
        chances, outcomes = np.array(said), np.array(came)
        bins = np.minimum((chances * BINS).astype(int), BINS - 1)
        for number in np.unique(bins):
            here = bins == number
            shares = f"{np.mean(chances[here]):6.1%} said  {np.mean(outcomes[here]):6.1%} won"
            print(f"  {shares}  {here.sum():7} moves")
        error = np.mean(chances - outcomes)
        print(f"  mean error {error:+.1%}; Brier score {np.mean((chances - outcomes) ** 2):.3f}")


def endurance(rules: KlondikeRules, n: int, seed: int, works: Sequence[int], resume: Path | None) -> None:
    what = {"bench": "endurance", "rules": rules.to_json(), "seed": seed, "works": list(works)}
    rows = list(_games(partial(_endure, rules, works), n, seed, what, resume))
    for number, work in enumerate(works):
        won, moves = zip(*(row[number] for row in rows), strict=True)
        print(f"{say(f'work {work:,}', won)}   no illegal move, no loop, at most {max(moves)} moves")


def _endure(rules: KlondikeRules, works: Sequence[int], chunk: Chunk) -> list[tuple[bool, int]]:
    """Plays a deal; an illegal move and a loop raise an error."""
    truth = random_deal(Random(chunk.seed), rules)
    return [play_unseen(truth, hide(truth), work, chunk.seed) for work in works]


MODES: Final = {"curve": curve, "vote": vote, "calibration": calibration, "endurance": endurance}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=MODES)
    parser.add_argument("--rules", choices=RULES, default="draw_3")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=500001)
    parser.add_argument("--work", type=int, nargs="+", default=[20_000])
    parser.add_argument(
        "--resume", type=Path, help="keeps the games of endurance, and of vote those of the vote; a larger -n goes on"
    )
    args = parser.parse_args()
    print(f"Klondike, {RULES[args.rules]}: seed {args.seed}")
    MODES[args.what](RULES[args.rules], args.n, args.seed, args.work, args.resume)


if __name__ == "__main__":
    main()
