"""Whole games of Klondike without peeking: how many a good player wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from plumbing.clock import Clock
from plumbing.parallel import Chunk, Workers, chunks, ordered_map
from plumbing.resumable import resumable_map
from solver.klondike.chances import completions
from solver.klondike.house_rules import KlondikeRules
from solver.klondike.player import WORK, hide, next_move, seen_after
from solver.klondike.position import Position, random_deal
from solver.position import check
from solver.solution import Estimate, wilson

PLAY_ON_WORK: Final = 20_000
"""Choices tried for a move where games are played on from a table: a few milliseconds."""
PLAYED_ON: Final = "games won by playing on without peeking"
MOST_MOVES: Final = 5_000
"""More than any game takes: each choice is one of some fifty, and a few passes through the stock lead to it."""


@dataclass(frozen=True, slots=True)
class UnseenSample:
    """Deals to play without peeking.

    Attributes:
        n: How many.
        rules: The rules of each.
        seed: The same seed gives the same deals and the same games.
        work: How long the player thinks, see `player.best_move`.
    """

    n: int
    rules: KlondikeRules
    seed: int
    work: int = WORK

    def identity(self) -> dict[str, Any]:
        """What the results depend on beside the number of deals, as a JSON value."""
        return {"game": "klondike unseen", "rules": self.rules.to_json(), "seed": self.seed, "work": self.work}


@dataclass(frozen=True, slots=True)
class UnseenGames:
    """What became of games played without peeking.

    Attributes:
        n: Games played.
        won: How many of them were won.
        moves: Moves made in all.
        seconds: What they took in all, on one core.
    """

    n: int = 0
    won: int = 0
    moves: int = 0
    seconds: float = 0.0

    def __add__(self, other: UnseenGames) -> UnseenGames:
        return UnseenGames(
            self.n + other.n, self.won + other.won, self.moves + other.moves, self.seconds + other.seconds
        )

    def to_json(self) -> dict[str, Any]:
        """What the command prints."""
        low, high = wilson(self.won, self.n)
        n = self.n or 1
        body = {"n": self.n, "won": self.won, "mean": self.won / self.n if self.n else None, "low": low, "high": high}
        return body | {"moves_a_game": self.moves / n, "seconds_a_game": self.seconds / n}


def play_unseen(truth: Position, seen: Position, work: int, seed: int) -> tuple[bool, int]:
    """Plays a game to its end without peeking: `truth` only answers what is uncovered.

    Returns:
        Whether it is won, and how many moves were made.
    """
    for count in range(MOST_MOVES):
        move, _, _ = next_move(seen, work, seed)
        if move is None:
            return seen.is_won, count
        truth = truth.play(move)
        seen = seen_after(seen, truth, move)
    raise AssertionError(f"a game of {MOST_MOVES} moves: {seen}")


def play_on(
    position: Position,
    n: int,
    seed: int,
    *,
    work: int = PLAY_ON_WORK,
    workers: Workers = None,
    progress: Callable[[Estimate], None] | None = None,
) -> Estimate:
    """How often a player wins from here who knows only what is seen; each game is a deal that agrees with it."""
    check(position)
    found = partial(Estimate.from_counts, seed=seed, what=PLAYED_ON, details={"work": work})
    estimate = found(0, 0)
    won = 0
    games = ordered_map(partial(_play_completion, position, work), chunks(n, 1, seed), workers=workers)
    for played, win in enumerate(games, start=1):
        won += win
        estimate = found(won, played)
        if progress is not None:
            progress(estimate)
    return estimate


def _play_completion(position: Position, work: int, chunk: Chunk) -> bool:
    truth = next(completions(position, Random(chunk.seed)))
    return play_unseen(truth, position, work, chunk.seed)[0]


def measure_unseen(sample: UnseenSample, *, workers: Workers = 1, resume: Path | None = None) -> Iterator[UnseenGames]:
    """Plays the deals of a sample, a game at a time.

    Args:
        sample: The deals.
        workers: See `plumbing.parallel`.
        resume: A file that keeps the games, so that a stopped run can be continued (see `plumbing.resumable`).

    Raises:
        CardsError: If the file keeps the games of other deals or rules, or of more of them.
    """
    parts = chunks(sample.n, 1, sample.seed)
    work = partial(_play_deal, sample)
    for won, moves, seconds in resumable_map(work, parts, resume=resume, what=sample.identity(), workers=workers):
        yield UnseenGames(1, won, moves, seconds)


def _play_deal(sample: UnseenSample, chunk: Chunk) -> list[Any]:
    truth = random_deal(Random(chunk.seed), sample.rules)
    clock = Clock()
    won, moves = play_unseen(truth, hide(truth), sample.work, chunk.seed)
    return [int(won), moves, round(clock.seconds, 3)]
