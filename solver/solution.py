"""What a solver answers: a verdict with its line, or an estimate with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final

from plumbing.errors import CardsError, RulesError, check_whole_number
from solver.notebook_drawing import draw_tables
from solver.position import Position


class Verdict(StrEnum):
    """`win` and `no_win` are proved; a limit that was hit gives `unknown`."""

    WIN = "win"
    NO_WIN = "no_win"
    UNKNOWN = "unknown"


class StopReason(StrEnum):
    """Why a search ended."""

    SOLVED = "solved"
    TIME_LIMIT = "time_limit"
    NODE_LIMIT = "node_limit"
    MEMORY_LIMIT = "memory_limit"


Progress = Callable[[int, Sequence[int]], object]
"""Receives a batch of trials: how many, and how often each counted event happened."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one search; None means unbounded.

    Attributes:
        time: Seconds of wall clock.
        nodes: States visited.

    Raises:
        RulesError: For a bound below 0.
    """

    time: float | None = 10.0
    nodes: int | None = None

    def __post_init__(self) -> None:
        seconds: Any = self.time
        if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
            raise RulesError("time", seconds, "0 or more seconds, or None for no limit")
        if self.nodes is not None:
            check_whole_number("nodes", self.nodes, 0)

    def reached(self, seconds: float, nodes: int) -> StopReason | None:
        """The limit that a search has reached; None while it may go on.

        >>> Limits(time=1.0, nodes=100).reached(0.5, 100)
        <StopReason.NODE_LIMIT: 'node_limit'>
        """
        if self.nodes is not None and nodes >= self.nodes:
            return StopReason.NODE_LIMIT
        if self.time is not None and seconds >= self.time:
            return StopReason.TIME_LIMIT
        return None


@dataclass(frozen=True, slots=True)
class SearchStats:
    """What a search cost.

    Attributes:
        seconds: Wall-clock time.
        nodes: States visited.
    """

    seconds: float
    nodes: int = 0

    def to_json(self) -> dict[str, Any]:
        """The `stats` object of a result's JSON."""
        return {"seconds": round(self.seconds, 6), "nodes": self.nodes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A verdict on one position.

    Build one through `solver.verifier.verify`, which replays the line before anyone sees it.

    Attributes:
        MOVE: What people call one element of the line.
        position: What was asked.
        verdict: `win`, `no_win` or `unknown`.
        line: Moves of the position's own type; for a win they lead to a won position.
        stats: What the search cost.
        stop_reason: `solved`, or the limit that made the verdict `unknown`.
    """

    MOVE: ClassVar[str] = "move"

    position: Position[Any]
    verdict: Verdict
    line: tuple[Any, ...] = ()
    stats: SearchStats = field(default_factory=lambda: SearchStats(0.0))
    stop_reason: StopReason = StopReason.SOLVED

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.UNKNOWN) == (self.stop_reason is StopReason.SOLVED):
            raise RulesError(
                "stop_reason", self.stop_reason, f"a limit where the verdict is unknown, not {self.verdict}"
            )

    @property
    def headline(self) -> str:
        """The verdict in a few words, as `win in 98 moves`."""
        if self.verdict is Verdict.UNKNOWN:
            return f"unknown: stopped by the {self.stop_reason.replace('_', ' ')}"
        if self.verdict is Verdict.NO_WIN:
            return "no win: proved, whatever is played"
        return f"win in {len(self.line)} {self.MOVE}{'s' if len(self.line) != 1 else ''}"

    def __str__(self) -> str:
        return self.headline

    def describe_steps(self) -> tuple[str, ...]:
        """The line as a person follows it, one entry a step; the moves as written where a game has no words."""
        return tuple(str(move) for move in self.line)

    def tables(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each step of the line, as its move is written, with the JSON object of the table after it."""
        position = self.position
        for move in self.line:
            position = position.play(move)
            yield str(move), position.to_json()

    def _repr_svg_(self) -> str | None:
        """The table before the line and after it, for a notebook."""
        last = self.position
        for move in self.line:
            last = last.play(move)
        tables = [(self.headline, self.position.to_json())]
        return draw_tables([*tables, ("after the last move", last.to_json())] if self.line else tables)

    def to_json(self) -> dict[str, Any]:
        """The result's JSON object; games with more to say add their own keys."""
        rules = getattr(self.position, "rules", None)  # of a game that is played in more than one way
        return {
            "game": self.position.game,
            **({} if rules is None else {"rules": rules.to_json()}),
            "verdict": str(self.verdict),
            "stop_reason": str(self.stop_reason),
            "line": [str(move) for move in self.line],
            "stats": self.stats.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class WinInAnyCase(Solution):
    """A win wherever the hidden cards are. Each arrangement has its own line, so there is no single line to show.

    Attributes:
        proof: Why each way is won, in words.
        example: The win of one way to lay the hidden cards, whose line has been replayed.
    """

    proof: str
    example: Solution

    @property
    def headline(self) -> str:
        """The verdict with its proof."""
        return f"win: {self.proof}"

    def describe_steps(self) -> tuple[str, ...]:
        """The proof: which moves win depends on cards that nobody has seen."""
        return (self.proof,)

    def to_json(self) -> dict[str, Any]:
        """The result's JSON object, with the proof and the example's line."""
        example = {"position": str(self.example.position), "line": [str(move) for move in self.example.line]}
        return Solution.to_json(self) | {"proof": self.proof, "example": example}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one of many positions has no answer.

    Attributes:
        position: What was asked.
        error: What went wrong; a `CardsError` for whatever is wrong with the position.
    """

    position: Position[Any]
    error: Exception

    def __str__(self) -> str:
        return str(self.error) if isinstance(self.error, CardsError) else f"{type(self.error).__name__}: {self.error}"

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a row that could not be answered."""
        return {"game": self.position.game, "error": str(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A proportion measured on random samples; never a verdict.

    Attributes:
        mean: The measured proportion.
        low: Lower end of the 95% Wilson interval.
        high: Upper end of it.
        n: Number of samples.
        seed: The seed that gives the same samples again, and as many unless a time limit ends the sampling.
        what: What the proportion is of, in words.
        details: Further figures of the game's own (JSON values).
    """

    mean: float
    low: float
    high: float
    n: int
    seed: int
    what: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_counts(
        cls,
        successes: int,
        n: int,
        *,
        seed: int,
        what: str,
        undecided: int = 0,
        details: Mapping[str, Any] | None = None,
    ) -> Estimate:
        """An estimate from `successes` out of `n` samples; the interval covers `undecided` ones both ways."""
        low, high = wilson(successes, n, undecided=undecided)
        mean = successes / n if n else math.nan
        return cls(mean=mean, low=low, high=high, n=n, seed=seed, what=what, details=details or {})

    def to_json(self) -> dict[str, Any]:
        """The estimate's JSON object."""
        mean = None if math.isnan(self.mean) else self.mean
        body: dict[str, Any] = {"mean": mean, "low": self.low, "high": self.high, "n": self.n}
        return body | {"seed": self.seed, "what": self.what} | dict(self.details)

    def caveats(self) -> list[str]:
        """What its interval and its seed do not tell, in sentences: undecided samples, and a time limit that ended it.

        >>> found = Estimate.from_counts(1, 4, seed=1, what="wins", undecided=1, details={"stopped_by": "time_limit"})
        >>> found.caveats()
        ['stopped by the time limit after 4 deals: the same seed may give another estimate']
        """
        found = []
        if undecided := self.details.get("undecided"):
            wider = "the interval covers both ways, and more deals do not narrow that part of it"
            found.append(f"undecided: {undecided:.2%} of the deals ({wider})")
        if self.details.get("stopped_by") == StopReason.TIME_LIMIT:
            deals = f"{self.n:,} deal{'s' if self.n != 1 else ''}"
            found.append(f"stopped by the time limit after {deals}: the same seed may give another estimate")
        return found

    def beside(self) -> list[str]:
        """The other shares that it holds, a line each: of a Tomb that by the other rule, of Klondike that of `unseen`.

        >>> other = Estimate.from_counts(3, 4, seed=1, what="free play wins").to_json()
        >>> Estimate.from_counts(1, 4, seed=1, what="wins", details={"free": other, "unseen": {"mean": 0.5}}).beside()
        ['free play wins: 75.00% (95% interval 30.06% to 95.44%, n = 4, seed 1)', 'played well without peeking: 50.0%']
        """
        held = (value for value in self.details.values() if isinstance(value, Mapping) and "what" in value)
        told = [str(Estimate(**value)) for value in held]
        unseen = self.details.get("unseen")
        return told if unseen is None else [*told, f"played well without peeking: {unseen['mean']:.1%}"]

    def __str__(self) -> str:
        if not self.n:
            return f"{self.what}: not measured"
        interval = f"95% interval {self.low:.2%} to {self.high:.2%}"
        return f"{self.what}: {self.mean:.2%} ({interval}, n = {self.n}, seed {self.seed})"


Z95: Final = 1.959963984540054
"""Half the width of a 95% interval, in standard errors."""


def wilson(successes: int, n: int, z: float = Z95, *, undecided: int = 0) -> tuple[float, float]:
    """Wilson's score interval of a proportion, 95% by default; (0, 1) where nothing was sampled.

    Where it is not known of `undecided` further samples whether they are successes, the interval covers both.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.

    >>> low, high = wilson(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    if not 0 <= successes <= n:
        raise RulesError("successes", successes, f"0 to {n}, the number of samples")
    if n == 0:
        return 0.0, 1.0
    if undecided:
        return wilson(successes, n, z)[0], wilson(successes + undecided, n, z)[1]
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))  # rounding must not push p out
