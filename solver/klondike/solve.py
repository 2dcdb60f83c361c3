"""Could this deal be won? The exact answer where every card is known.

Several searches take turns, and their budgets grow. One searches the game as asked, each time with another order of
moves. Where the rules are tight, another one searches the same cards under looser rules: what cannot be won there
cannot be won here. Searches keep the losses that they have proved, so the last turn completes the proof.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from plumbing.clock import Clock
from plumbing.errors import PositionError
from solver.klondike.line import shortened
from solver.klondike.one_card import OneCardSearch
from solver.klondike.position import Position
from solver.klondike.rules import ColumnMoves, Move
from solver.klondike.run_moves import RunSearch
from solver.position import check
from solver.solution import Limits, SearchStats, Solution, StopReason, Verdict
from solver.verifier import verify

FIRST_BUDGET: Final = 1_000
GROWTH: Final = 1.5
MAX_BUDGET: Final = 1_000_000
"""States a turn visits; the last one bounds how late a time limit is noticed."""
REFUTER_SHARE: Final = 0.3
"""A search under looser rules gets this share of the main search's budget."""


class Searcher(Protocol):
    """A search that works in turns and never forgets what it has proved."""

    nodes: int

    def run(self, budget: int) -> Verdict | StopReason:
        """Visits about `budget` further states; gives the verdict, or what stopped it."""
        ...

    def line(self, *, beginning: bool = False) -> tuple[Move, ...]:
        """The line of the win that `run` has found, or only its beginning, which is not empty."""
        ...


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
    limits = limits or Limits()
    check(position)
    if not position.is_known:
        raise PositionError(position.game, ["some cards are not known (??); estimate() answers for those"])
    clock = Clock()
    line: tuple[Move, ...] = ()
    if position.is_won:
        outcome: Verdict | StopReason = Verdict.WIN
        nodes = 0
    else:
        outcome, winner, nodes = _decide(position, limits, clock)
        if winner is not None:
            line = shortened(position, winner.line())
    return verify(
        Solution(
            position=position,
            verdict=outcome if isinstance(outcome, Verdict) else Verdict.UNKNOWN,
            stop_reason=outcome if isinstance(outcome, StopReason) else StopReason.SOLVED,
            line=line,
            stats=SearchStats(clock.seconds, nodes),
        )
    )


def verdict_of(position: Position, limits: Limits) -> tuple[Verdict | StopReason, int]:
    """Only the verdict (or the limit that was hit) and the states visited: for samples of many deals."""
    if position.is_won:
        return Verdict.WIN, 0
    outcome, _, nodes = _decide(position, limits, Clock())
    return outcome, nodes


def first_move(position: Position, limits: Limits) -> Move | None:
    """The first move of a winning line, None where none is found."""
    if position.is_won:
        return None
    _, winner, _ = _decide(position, limits, Clock())
    return winner.line(beginning=True)[0] if winner is not None else None


def _decide(position: Position, limits: Limits, clock: Clock) -> tuple[Verdict | StopReason, Searcher | None, int]:
    """Lets the searches take turns; gives the outcome, the search that won, and the states visited."""
    main: Searcher = OneCardSearch(position) if position.rules.column_moves is ColumnMoves.ONE else RunSearch(position)
    searches: list[Searcher] = [main]
    nodes = 0
    budget = float(FIRST_BUDGET)
    pace = 1e6  # states a second: a guess until measured
    while True:
        for search in tuple(searches):
            turn = budget if search is main else budget * REFUTER_SHARE
            if limits.nodes is not None:
                turn = min(turn, limits.nodes - nodes)
                if turn <= 0:
                    return StopReason.NODE_LIMIT, None, nodes
            now = clock.seconds
            if limits.time is not None:
                left = limits.time - now
                turn = min(turn, max(pace * left, 100.0))
                if left <= 0:
                    return StopReason.TIME_LIMIT, None, nodes
            before = search.nodes
            outcome = search.run(int(turn))
            nodes += search.nodes - before
            pace = (search.nodes - before + 100) / (clock.seconds - now + 1e-4)
            if outcome is Verdict.NO_WIN or (search is main and outcome is Verdict.WIN):
                return outcome, main if outcome is Verdict.WIN else None, nodes
            if outcome is StopReason.MEMORY_LIMIT and search is main:
                return outcome, None, nodes
            if search is not main and outcome in (Verdict.WIN, StopReason.MEMORY_LIMIT):
                searches.remove(search)  # no refutation from there
        if budget == FIRST_BUDGET:
            searches += [RunSearch(easier) for easier in _looser(position)]
        budget = min(budget * GROWTH, MAX_BUDGET)


def _looser(position: Position) -> list[Position]:
    """The same cards under rules that allow more and are searched faster.

    Each line under the tighter rules is one under the looser: a run may be a single card, and whatever `draw` cards at
    a time and few redeals turn up, one card at a time and many redeals turn up too.
    """
    runs = replace(position.rules, column_moves=ColumnMoves.RUN)
    free = replace(runs, draw=1, redeals=None)
    return [position.with_rules(rules) for rules in dict.fromkeys((runs, free)) if rules != position.rules]
