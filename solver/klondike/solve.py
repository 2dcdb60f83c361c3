"""Could this deal be won? The exact answer where every card is known.

Several searches take turns, and their budgets grow. One searches the game as asked, each time with another order of
moves. Where the rules are tight, another one searches the same cards under looser rules: what cannot be won there
cannot be won here. Searches keep the losses that they have proved, so the last turn completes the proof.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from plumbing.clock import Clock
from plumbing.errors import PositionError
from solver.klondike.house_rules import ColumnMoves
from solver.klondike.known_deal_search import OneCardSearch, RunSearch
from solver.klondike.move import Move
from solver.klondike.position import Position
from solver.klondike.shorten import shortened
from solver.position import check
from solver.solution import Limits, SearchStats, Solution, StopReason, Verdict
from solver.verifier import verify

FIRST_BUDGET: Final = 1_000
GROWTH: Final = 1.5
MAX_BUDGET: Final = 1_000_000
"""States a turn visits; the last one bounds how late a time limit is noticed."""
CALM_BUDGET: Final = 1_000
"""States visited to find a line without cards that come back from the foundations."""
REFUTER_SHARE: Final = 0.3
"""A search under looser rules gets this share of the main search's budget."""

Searcher = RunSearch | OneCardSearch
"""A search that works in turns of about so many states. Between them it keeps the losses that it has proved."""


def solve(position: Position, limits: Limits | None = None) -> Solution:
    """Decides a position in which every card is known.

    Args:
        position: What to decide, under its own rules.
        limits: When to give up; 10 seconds by default.

    Returns:
        `win` with a line that has been replayed, `no_win` when proved, `unknown` at a limit.

    Raises:
        PositionError: If the position is not legal, or hides cards.

    >>> from solver.klondike import STANDARD, random_deal
    >>> solution = solve(random_deal(1, STANDARD))
    >>> solution.verdict
    <Verdict.WIN: 'win'>
    """
    check(position)
    if not position.is_known:
        raise PositionError(position.game, ["some cards are not known (??); estimate() answers for those"])
    if position.is_won:
        return verify(Solution(position=position, verdict=Verdict.WIN))
    contest = _Contest(position, limits or Limits())
    outcome = contest.decide()
    line = _calm(position, shortened(position, contest.main.line())) if outcome is Verdict.WIN else ()
    return verify(
        Solution(
            position=position,
            verdict=outcome if isinstance(outcome, Verdict) else Verdict.UNKNOWN,
            stop_reason=outcome if isinstance(outcome, StopReason) else StopReason.SOLVED,
            line=line,
            stats=SearchStats(contest.clock.seconds, contest.nodes),
        )
    )


def verdict_of(position: Position, limits: Limits) -> tuple[Verdict | StopReason, int]:
    """Only the verdict (or the limit that was hit) and the states visited: for samples of many deals."""
    if position.is_won:
        return Verdict.WIN, 0
    contest = _Contest(position, limits)
    return contest.decide(), contest.nodes


def _search(position: Position) -> Searcher:
    return OneCardSearch(position) if position.rules.column_moves is ColumnMoves.ONE else RunSearch(position)


def _calm(position: Position, line: tuple[Move, ...]) -> tuple[Move, ...]:
    """A line that wins, or a shorter one that takes no card back from a foundation.

    The search knows no such detours: what can be taken back is one state for it. So its line may bring a dozen cards
    back and home again where none has to move.
    """
    if not any(move.source.kind == "foundation" for move in line):
        return line
    search = _search(position.with_rules(replace(position.rules, worrying_back=False)))
    if search.run(CALM_BUDGET) is not Verdict.WIN:
        return line
    return min(line, shortened(position, search.line()), key=len)


class _Contest:
    """Searches that take turns: one of the game as asked, others of looser rules, which can only prove a loss."""

    def __init__(self, position: Position, limits: Limits) -> None:
        self.main = _search(position)
        self.refuters: list[Searcher] = []
        self.position = position
        self.limits = limits
        self.clock = Clock()
        self.nodes = 0
        self._pace = 1e6  # states a second: a guess until measured

    def decide(self) -> Verdict | StopReason:
        """The verdict, whose line `main` knows where it is a win, or the limit that was hit."""
        budget = float(FIRST_BUDGET)
        while True:
            for search in (self.main, *self.refuters):
                reason = self.limits.reached(self.clock.seconds, self.nodes)
                if reason is not None:
                    return reason
                outcome = self._run(search, budget if search is self.main else budget * REFUTER_SHARE)
                if self._is_final(search, outcome):
                    return outcome
            if budget == FIRST_BUDGET:
                self.refuters = [RunSearch(easier) for easier in _looser(self.position)]
            budget = min(budget * GROWTH, MAX_BUDGET)

    def _run(self, search: Searcher, budget: float) -> Verdict | StopReason:
        """One turn of about `budget` states, or fewer where a limit is near."""
        start = self.clock.seconds
        if self.limits.nodes is not None:
            budget = min(budget, self.limits.nodes - self.nodes)
        if self.limits.time is not None:
            budget = min(budget, max(self._pace * (self.limits.time - start), 100.0))
        before = search.nodes
        outcome = search.run(int(budget))
        visited = search.nodes - before
        self.nodes += visited
        self._pace = (visited + 100) / (self.clock.seconds - start + 1e-4)
        return outcome

    def _is_final(self, search: Searcher, outcome: Verdict | StopReason) -> bool:
        """Whether a search's outcome answers the question; drops a search that can no longer refute anything."""
        if outcome is Verdict.NO_WIN:
            return True
        is_spent = outcome in (Verdict.WIN, StopReason.MEMORY_LIMIT)
        if search is not self.main and is_spent:
            self.refuters.remove(search)
        return search is self.main and is_spent


def _looser(position: Position) -> list[Position]:
    """The same cards under rules that allow more and are searched faster.

    Each line under the tighter rules is one under the looser: a run may be a single card, and whatever `draw` cards at
    a time and few redeals turn up, one card at a time and many redeals turn up too.
    """
    runs = replace(position.rules, column_moves=ColumnMoves.RUN)
    free = replace(runs, draw=1, redeals=None)
    return [position.with_rules(rules) for rules in dict.fromkeys((runs, free)) if rules != position.rules]
