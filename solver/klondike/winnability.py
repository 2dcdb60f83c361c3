"""How many deals can be won: random deals solved on all cores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, Final

from plumbing.parallel import Chunk, Workers, chunks, ordered_map
from plumbing.results import ResultFile
from plumbing.resumable import resumable_map
from solver.klondike.position import random_deal
from solver.klondike.rules import KlondikeRules
from solver.klondike.solve import verdict_of
from solver.solution import Limits, StopReason, Verdict, wilson

CHUNK: Final = 50
"""Deals in one piece of work."""
COLUMNS: Final = {"id": "int64", "verdict": "string", "stop_reason": "string", "nodes": "int64", "position": "string"}
"""What a Parquet file of deals has as columns."""


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
        """What the results depend on beside the number of deals, as a JSON value."""
        limits = {"node_limit": self.limits.nodes, "time_limit": self.limits.time}
        return {"game": "klondike", "rules": self.rules.to_json(), "seed": self.seed, "chunk": CHUNK, **limits}


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
    parts = chunks(sample.n, CHUNK, sample.seed)
    work = partial(_counted, sample)
    for counts in resumable_map(work, parts, resume=resume, what=sample.work(), workers=workers):
        yield Winnability(*counts)


def _counted(sample: Sample, chunk: Chunk) -> list[int]:
    rows = solve_deals(sample, chunk)
    verdicts = Counter(row["verdict"] for row in rows)
    return [len(rows), verdicts[Verdict.WIN], verdicts[Verdict.NO_WIN], sum(row["nodes"] for row in rows)]


def measure_rows(sample: Sample, file: Path, *, workers: Workers = 1) -> Iterator[Winnability]:
    """The same with a row for each deal in a file, a deal at a time.

    The file appears when all deals are solved; until then a `.part` keeps the rows (see `plumbing.results.ResultFile`).

    Args:
        sample: The deals.
        file: JSON lines, or Parquet where the name ends so.
        workers: See `plumbing.parallel`.

    Raises:
        CardsError: If the file holds the rows of other deals or rules.
    """
    out = ResultFile(file, f"{sample.n} deals, {sample.work()}", COLUMNS)
    yield from map(_count, out.rows())
    with out:
        parts = islice(chunks(sample.n, CHUNK, sample.seed), out.done // CHUNK, None)
        solved = chain.from_iterable(ordered_map(partial(solve_deals, sample), parts, workers=workers))
        for row in islice(solved, out.done % CHUNK, None):
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
