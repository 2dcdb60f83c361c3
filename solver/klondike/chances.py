"""Positions that hide cards: how likely the deal can be won by someone who knows every card.

Of the deals that agree with what is seen some are sampled and solved; where few cards are unknown, all are. What a
person wins who sees only what is seen is another question, which `player` and `player_games` answer. How many deals of
a whole sample can be won, `measure` counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, permutations
from pathlib import Path
from random import Random
from typing import Any, Final

from plumbing.clock import Clock
from plumbing.errors import RulesError, check_whole_number
from plumbing.parallel import Chunk, Workers, chunks, ordered_map
from plumbing.result_files import ResultFile
from plumbing.resumable import resumable_map
from solver.cards import Card, MaybeCard
from solver.klondike.house_rules import KlondikeRules
from solver.klondike.player import best_move
from solver.klondike.position import Column, Position, random_deal
from solver.klondike.solve import solve, verdict_of
from solver.position import check
from solver.solution import Estimate, Limits, SearchStats, Solution, StopReason, Verdict, WinInAnyCase, wilson
from solver.verifier import verify


@dataclass(frozen=True, slots=True)
class ChanceTuning:
    """How closely chances are looked at.

    Attributes:
        samples_per_chunk: Sampled deals in one piece of work; fixed, so that they do not depend on the number of cores.
        deals_per_chunk: Deals of a random sample in one piece of work, fixed for the same reason.
        fewest_samples: Deals that an estimate samples at least.
        most_samples: Deals that it samples at most.
        width: Sampling ends when chance widens the interval by no more than this.
        nodes_per_deal: States that one sampled deal may cost before it counts as undecided.
        quick_width: The width for `answer`, which a person waits for: a quarter of a second.
        quick_nodes_per_deal: The states a deal for `answer`.
        quick_work: How many choices `answer` tries for the best move.
        most_enumerated_cards: Up to this many unknown cards all ways to lay them are solved.
        most_reached_positions: Positions looked at for the proof that unknown cards are out of reach.
    """

    samples_per_chunk: int = 8
    deals_per_chunk: int = 50
    fewest_samples: int = 32
    most_samples: int = 100_000
    width: float = 0.04
    nodes_per_deal: int = 200_000
    quick_width: float = 0.08
    quick_nodes_per_deal: int = 50_000
    quick_work: int = 20_000
    most_enumerated_cards: int = 6
    most_reached_positions: int = 2_000


TUNING: Final = ChanceTuning()
WHAT: Final = "deals winnable with every card known"
ROW_COLUMNS: Final = {
    "id": "int64",
    "verdict": "string",
    "stop_reason": "string",
    "nodes": "int64",
    "position": "string",
}
"""What a Parquet file of deals has as columns."""


def answer(position: Position, limits: Limits | None = None) -> Solution | Estimate:
    """Could it have been won? The exact answer where every card is known, otherwise an estimate.

    A verdict is given where it holds for every completion, see `prove`. Beside an estimate, `details["unseen"]` says
    how many of the deals are won by playing well without peeking. The same deals are sampled each time: what is
    asked again, in a batch that was stopped for example, is answered alike.

    Raises:
        PositionError: For a position that breaks the rules.
    """
    check(position)
    if len(position.unseen()) < 2:
        return solve(completed(position, list(position.unseen())), limits)
    limits = limits or Limits()
    clock = Clock()
    proved = prove(position, limits)
    if proved is not None:
        return proved
    limits = replace(limits, nodes=limits.nodes or TUNING.quick_nodes_per_deal)
    if limits.time is not None:
        limits = replace(limits, time=max(0.0, limits.time - clock.seconds))
    found = estimate(position, limits, seed=0, width=TUNING.quick_width, workers=1)
    advice = best_move(position, TUNING.quick_work)
    return replace(found, details={**found.details, "unseen": {"mean": advice.chance, "work": advice.work}})


def prove(position: Position, limits: Limits | None = None) -> Solution | None:
    """The verdict that holds for every completion, None where none is found.

    Two proofs are tried. *Out of reach*: all positions that can be reached are looked at; if no unknown card is ever
    uncovered or turned to the waste's top, all completions are played alike, and as unknown cards never go up none is
    won. *All completions*: where few cards are unknown, each way to lay them is solved; if all are won, each by a line
    of its own, the answer is a `WinInAnyCase`.
    """
    if _out_of_reach(position):
        return verify(Solution(position=position, verdict=Verdict.NO_WIN))
    unseen = position.unseen()
    if not 2 <= len(unseen) <= TUNING.most_enumerated_cards:
        return None
    limits = limits or Limits()
    share = None if limits.time is None else limits.time / 2  # the rest is for an estimate
    count = nodes = 0
    found: set[Verdict] = set()
    clock = Clock()
    for cards in permutations(unseen):
        left = None if share is None else max(0.0, share - clock.seconds)
        outcome, cost = verdict_of(completed(position, list(cards)), Limits(left, limits.nodes))
        nodes += cost
        if isinstance(outcome, StopReason):
            return None
        found.add(outcome)
        count += 1
        if len(found) > 1:
            return None
    stats = SearchStats(clock.seconds, nodes)
    if found == {Verdict.NO_WIN}:
        return verify(Solution(position=position, verdict=Verdict.NO_WIN, stats=stats))
    example = solve(completed(position, list(unseen)), Limits(None))  # won within the limits above
    proof = f"each of the {count} ways in which the unknown cards may lie can be won"
    return verify(WinInAnyCase(position=position, verdict=Verdict.WIN, stats=stats, proof=proof, example=example))


def estimate(
    position: Position,
    limits: Limits | None = None,
    *,
    seed: int = 0,
    n: int | None = None,
    width: float | None = None,
    workers: Workers = None,
    progress: Callable[[Estimate], None] | None = None,
) -> Estimate:
    """Estimates the share of deals that can be won among those that agree with what is seen.

    Undecided deals are left out of the wins and reported in `details`: the true share lies between `wins / n` and
    `(wins + undecided) / n` up to chance, and the interval covers both ends.

    Args:
        position: What is seen.
        limits: `time` bounds the whole, `nodes` one sampled deal.
        seed: The same seed gives the same deals.
        n: How many deals to sample, at most where a width is given; by default as many as the width asks for.
        width: Sampling ends when chance widens the 95% interval by no more than this (`TUNING.width`); undecided deals
            widen it too, however many are sampled, and are not counted here.
        workers: Processes; all cores by default.
        progress: Called with the estimate so far as chunks come in.

    Raises:
        PositionError: If the position is not legal.
        RulesError: For a number of samples below 1, a seed below 0 or a width out of 0 to 1.
    """
    check(position)
    check_whole_number("seed", seed, 0)
    _check_samples(n, width)
    if width is None and n is None:
        width = TUNING.width
    limits = limits or Limits()
    clock = Clock()
    work = partial(_solve_chunk, position, limits.nodes or TUNING.nodes_per_deal)
    count = partial(_estimate, seed=seed, rules=position.rules)
    wins = undecided = done = 0
    parts = chunks(n or TUNING.most_samples, TUNING.samples_per_chunk, seed)
    for chunk_wins, chunk_undecided, size in ordered_map(work, parts, workers=workers):
        wins, undecided, done = wins + chunk_wins, undecided + chunk_undecided, done + size
        found = count(wins, undecided, done, stopped_by="time_limit")
        if progress is not None:
            progress(found)
        if width is not None and _is_narrow(found, width):
            return count(wins, undecided, done, stopped_by="narrow")
        if limits.time is not None and clock.seconds >= limits.time:
            return found
    return count(wins, undecided, done, stopped_by="samples")


def _check_samples(n: int | None, width: float | None) -> None:
    if n is not None:
        check_whole_number("n", n, 1)
    if width is not None and not 0 < width <= 1:
        raise RulesError("width", width, "more than 0, at most 1")


def _is_narrow(found: Estimate, width: float) -> bool:
    """Whether enough deals are sampled for chance to widen the interval by no more than `width`."""
    return found.n >= TUNING.fewest_samples and found.high - found.low - found.details["undecided"] <= width


def completions(position: Position, random: Random) -> Iterator[Position]:
    """Endless random deals that agree with what is seen, all equally likely."""
    unseen = list(position.unseen())
    while True:
        random.shuffle(unseen)
        yield completed(position, unseen)


def completed(position: Position, cards: list[Card]) -> Position:
    """The position with its unknown places filled from `cards` in order."""
    queue = iter(cards)

    def fill(pile: tuple[MaybeCard, ...]) -> tuple[MaybeCard, ...]:
        return tuple(next(queue) if card is None else card for card in pile)

    columns = tuple(Column(fill(column.down), fill(column.up)) for column in position.columns)
    return replace(position, columns=columns, stock=fill(position.stock), waste=fill(position.waste))


def _count_wins(deals: Iterable[Position], nodes: int) -> tuple[int, int]:
    outcomes = [verdict_of(deal, Limits(None, nodes))[0] for deal in deals]
    return outcomes.count(Verdict.WIN), sum(isinstance(outcome, StopReason) for outcome in outcomes)


def _solve_chunk(position: Position, nodes: int, chunk: Chunk) -> tuple[int, int, int]:
    """Wins, undecided deals and size of a chunk of completions."""
    deals = islice(completions(position, Random(chunk.seed)), chunk.size)
    return *_count_wins(deals, nodes), chunk.size


def _estimate(wins: int, undecided: int, n: int, *, seed: int, rules: KlondikeRules, stopped_by: str) -> Estimate:
    details = {"undecided": undecided / n if n else None, "stopped_by": stopped_by, "rules": rules.to_json()}
    return Estimate.from_counts(wins, n, seed=seed, what=WHAT, undecided=undecided, details=details)


def _out_of_reach(position: Position) -> bool:
    """Whether no line of play ever uncovers an unknown card, and none wins."""
    seen = {position}
    todo = [position]
    while todo:
        here = todo.pop()
        if here.is_won or None in here.waste[-1:] or any(None in column.up for column in here.columns):
            return False
        for move in here.moves():
            after = here.play(move)
            if after not in seen:
                seen.add(after)
                todo.append(after)
        if len(seen) > TUNING.most_reached_positions:
            return False
    return True


# -- many random deals ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """Deals to solve.

    Attributes:
        n: How many.
        rules: The rules of each.
        seed: The same seed gives the same deals, whatever the number of workers.
        limits: Bounds on the search for each deal.
    """

    n: int
    rules: KlondikeRules
    seed: int
    limits: Limits

    def work(self) -> dict[str, Any]:
        """All that decides the results but the number of deals, as a JSON value: a file of other work is refused."""
        limits = {"node_limit": self.limits.nodes, "time_limit": self.limits.time}
        sample = {"game": "klondike", "rules": self.rules.to_json(), "seed": self.seed}
        return sample | {"chunk": TUNING.deals_per_chunk} | limits


@dataclass(frozen=True, slots=True)
class Winnability:
    """What became of some deals.

    Attributes:
        deals: How many there were.
        won: How many of them can be won.
        lost: How many are proved lost; the others are undecided.
        nodes: States visited for all of them.
    """

    deals: int = 0
    won: int = 0
    lost: int = 0
    nodes: int = 0

    def __add__(self, other: Winnability) -> Winnability:
        return Winnability(
            self.deals + other.deals, self.won + other.won, self.lost + other.lost, self.nodes + other.nodes
        )

    @property
    def undecided(self) -> int:
        """Deals whose search hit a limit."""
        return self.deals - self.won - self.lost

    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share that can be won; undecided deals count both ways."""
        return wilson(self.won, self.deals, undecided=self.undecided)

    def to_json(self) -> dict[str, Any]:
        """What the command prints."""
        low, high = self.interval()
        share = self.won / self.deals if self.deals else None
        counts = {"n": self.deals, "win": self.won, "no_win": self.lost, "unknown": self.undecided}
        return {**counts, "mean": share, "low": low, "high": high, "nodes": self.nodes}


def measure(sample: Sample, *, workers: Workers = 1, resume: Path | None = None) -> Iterator[Winnability]:
    """Solves the deals of a sample and counts them, a chunk at a time.

    Args:
        sample: The deals.
        workers: See `plumbing.parallel`.
        resume: A file that keeps the counts, so that a stopped run can be continued (see `plumbing.resumable`).

    Raises:
        CardsError: If the file keeps the counts of other deals or rules, or of more of them.
    """
    parts = chunks(sample.n, TUNING.deals_per_chunk, sample.seed)
    work = partial(_counted, sample)
    for counts in resumable_map(work, parts, resume=resume, what=sample.work(), workers=workers):
        yield Winnability(*counts)


def _counted(sample: Sample, chunk: Chunk) -> list[int]:
    rows = solve_deals(sample, chunk)
    verdicts = Counter(row["verdict"] for row in rows)
    return [len(rows), verdicts[Verdict.WIN], verdicts[Verdict.NO_WIN], sum(row["nodes"] for row in rows)]


def measure_rows(sample: Sample, file: Path, *, workers: Workers = 1) -> Iterator[Winnability]:
    """The same with a row for each deal in a file, a deal at a time.

    The file appears when all deals are solved; until then a `.part` keeps the rows, see `plumbing.result_files`.

    Args:
        sample: The deals.
        file: JSON lines, or Parquet where the name ends so.
        workers: See `plumbing.parallel`.

    Raises:
        CardsError: If the file holds the rows of other deals or rules.
    """
    out = ResultFile(file, f"{sample.n} deals, {sample.work()}", ROW_COLUMNS)
    yield from map(_count, out.rows())
    with out:
        parts = islice(chunks(sample.n, TUNING.deals_per_chunk, sample.seed), out.done // TUNING.deals_per_chunk, None)
        solved = chain.from_iterable(ordered_map(partial(solve_deals, sample), parts, workers=workers))
        for row in islice(solved, out.done % TUNING.deals_per_chunk, None):
            out.add(row)
            yield _count(row)


def _count(row: Mapping[str, Any]) -> Winnability:
    return Winnability(1, row["verdict"] == Verdict.WIN, row["verdict"] == Verdict.NO_WIN, row["nodes"])


def solve_deals(sample: Sample, chunk: Chunk) -> list[dict[str, Any]]:
    """A row for each deal of a chunk; `id` counts the deals of the sample from 1."""
    random = Random(chunk.seed)
    rows = []
    for number in range(chunk.start + 1, chunk.start + chunk.size + 1):
        position = random_deal(random, sample.rules)
        outcome, nodes = verdict_of(position, sample.limits)
        decided = isinstance(outcome, Verdict)
        rows.append(
            {
                "id": number,
                "verdict": str(outcome if decided else Verdict.UNKNOWN),
                "stop_reason": str(StopReason.SOLVED if decided else outcome),
                "nodes": nodes,
                "position": str(position),
            }
        )
    return rows
