"""Could this deal be won? The exact answer where every card is known.

Several searches take turns with growing budgets: the game as asked, each time with another order of moves, and, where
the rules are tight, the same cards under looser rules, since what cannot be won there cannot be won here. Searches keep
the losses that they have proved, so nothing is lost between turns and the last turn is the exhaustive proof.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.cards import MaybeCard
from solver.errors import PositionError
from solver.klondike import kernels
from solver.klondike.line import moves_of, shortened
from solver.klondike.one_card import OneCardSearch
from solver.klondike.position import COLUMNS, MAX_STOCK, Move, Position
from solver.klondike.rules import ColumnMoves
from solver.position import check
from solver.solution import Limits, SearchStats, Solution, StopReason, Verdict
from solver.verify import verified

Ints = NDArray[np.int64]

FIRST_BUDGET: Final = 1_000
GROWTH: Final = 1.5
MAX_BUDGET: Final = 1_000_000
"""States a turn visits; the last one bounds how late a time limit is noticed."""
REFUTER_SHARE: Final = 0.3
"""A search under looser rules gets this share of the main search's budget."""
SMALLEST_TABLE: Final = 1 << 12
LARGEST_TABLE: Final = 1 << 25
"""Slots of 8 bytes for proved losses, of which 5/8 are filled before the table grows: 256 MiB at most."""
MAX_STATES: Final = 40_000
"""More than the 14**4 ways to fill four foundations."""

ORDERS: Final = (np.array([-1.0, 0.5, 0.6, 1.0, 2.0, 0.0, 0.1, -0.5]),)
"""Orders of moves. A stock card's or loose card's score: to a column, to the foundation, a loose card up; a locked
card's: to a column, to the foundation, unused, for each card left below it, for emptying the column."""


class Searcher(Protocol):
    """A search that works in turns and never forgets what it has proved."""

    visits: int

    def run(self, budget: int) -> Verdict | StopReason:
        """Visits about `budget` further states; gives the verdict, or what stopped it."""
        ...

    def line(self) -> tuple[Move, ...]:
        """The line of the win that `run` has found."""
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
    if position.is_hidden:
        raise PositionError(position.game, ["some cards are not known (??); solve_hidden gives an estimate"])
    started = time.perf_counter()
    line: tuple[Move, ...] = ()
    if position.is_won:
        outcome: Verdict | StopReason = Verdict.WIN
        visits = 0
    else:
        outcome, winner, visits = _decide(position, limits, started)
        if winner is not None:
            line = shortened(position, winner.line())
    seconds = time.perf_counter() - started
    return verified(
        Solution(
            position=position,
            verdict=outcome if isinstance(outcome, Verdict) else Verdict.UNKNOWN,
            stop_reason=outcome if isinstance(outcome, StopReason) else StopReason.SOLVED,
            line=line,
            stats=SearchStats(seconds, visits),
        )
    )


def verdict_of(position: Position, limits: Limits) -> tuple[Verdict | StopReason, int]:
    """Only the verdict (or the limit that was hit) and the states visited: for samples of many deals."""
    if position.is_won:
        return Verdict.WIN, 0
    outcome, _, visits = _decide(position, limits, time.perf_counter())
    return outcome, visits


def _decide(position: Position, limits: Limits, started: float) -> tuple[Verdict | StopReason, Searcher | None, int]:
    """Lets the searches take turns; gives the outcome, the search that won, and the states visited."""
    main: Searcher = OneCardSearch(position) if position.rules.column_moves is ColumnMoves.ONE else RunSearch(position)
    searches: list[Searcher] = [main]
    visits = 0
    budget = float(FIRST_BUDGET)
    pace = 1e6  # states a second: a guess until measured
    while True:
        for search in tuple(searches):
            turn = budget if search is main else budget * REFUTER_SHARE
            if limits.visits is not None:
                turn = min(turn, limits.visits - visits)
                if turn <= 0:
                    return StopReason.VISIT_LIMIT, None, visits
            now = time.perf_counter()
            if limits.time is not None:
                left = limits.time - (now - started)
                turn = min(turn, max(pace * left, 100.0))
                if left <= 0:
                    return StopReason.TIME_LIMIT, None, visits
            before = search.visits
            outcome = search.run(int(turn))
            visits += search.visits - before
            pace = (search.visits - before + 100) / (time.perf_counter() - now + 1e-4)
            if outcome is Verdict.NO_WIN or (search is main and outcome is Verdict.WIN):
                return outcome, main if outcome is Verdict.WIN else None, visits
            if outcome is StopReason.MEMORY_LIMIT and search is main:
                return outcome, None, visits
            if search is not main and outcome in (Verdict.WIN, StopReason.MEMORY_LIMIT):
                searches.remove(search)  # no refutation from there
        if budget == FIRST_BUDGET:
            searches += [RunSearch(easier) for easier in _looser(position)]
        budget = min(budget * GROWTH, MAX_BUDGET)


def _looser(position: Position) -> list[Position]:
    """The same cards under rules that allow more and are searched faster.

    Each line under the tighter rules is one under the looser: a run may be a single card, and whatever `draw` cards at a
    time and few redeals turn up, one card at a time and many redeals turn up too.
    """
    runs = replace(position.rules, column_moves=ColumnMoves.RUN)
    free = replace(runs, draw=1, redeals=None)
    return [position.with_rules(rules) for rules in dict.fromkeys((runs, free)) if rules != position.rules]


@dataclass(frozen=True, slots=True)
class _Encoded:
    """A position as the kernel takes it; see `kernels` for each array."""

    row: Ints
    columns: Ints
    stock: Ints
    units: Ints
    redeals: int
    lazy: bool


class _Workspace(threading.local):
    """The kernel's scratch arrays, one set a thread."""

    def __init__(self) -> None:
        self.pool: Ints = np.zeros((1 << 12, kernels.ROW), np.int64)
        self.scores = np.zeros(1 << 12)
        self.low, self.high, self.keys = (np.zeros(256, np.int64) for _ in range(3))
        self.stamps: Ints = np.zeros(1 << 16, np.int64)
        self.stamp = 0
        self.members: Ints = np.zeros((MAX_STATES, kernels.MEMBER), np.int64)
        self.reach: Ints = np.zeros(64, np.int64)

    def grow_pool(self) -> None:
        """Makes room for twice as many states that wait for their turn."""
        self.pool = np.zeros((2 * len(self.pool), kernels.ROW), np.int64)
        self.scores = np.zeros(len(self.pool))


_WORKSPACE: Final = _Workspace()


class RunSearch:
    """The search for rules by which runs move."""

    def __init__(self, position: Position) -> None:
        self.visits = 0
        self._position = position
        self._game = _encode(position)
        self._table: Ints = np.zeros(SMALLEST_TABLE, np.int64)
        self._filed = 0
        self._turns = 0
        self._random = np.random.default_rng(0)
        self._rows: list[list[int]] = []

    def run(self, budget: int) -> Verdict | StopReason:
        """One turn: the next order of moves, with the losses known so far. The first turn's order is not shuffled."""
        game, work, rules = self._game, _WORKSPACE, self._position.rules
        noise = self._random.random(64) if self._turns else np.zeros(64)
        order = ORDERS[self._turns % len(ORDERS)]
        self._turns += 1
        end = self.visits + budget
        while True:
            work.pool[0] = game.row
            how, visits, self._filed, work.stamp, depth = kernels.search(
                work.pool, work.low, work.high, work.keys, self._table, self._filed, game.columns, game.stock,
                game.units, rules.draw, game.redeals, rules.worrying_back, game.lazy, order, noise, end - self.visits,
                work.stamps, work.stamp, work.members, work.scores, work.reach,
            )  # fmt: skip
            self.visits += visits
            if how == kernels.WON:
                self._rows = [work.pool[work.high[level] - 1].tolist() for level in range(depth + 1)]
                return Verdict.WIN
            if how == kernels.LOST:
                return Verdict.NO_WIN
            if how == kernels.BUDGET:
                return StopReason.VISIT_LIMIT
            if how == kernels.POOL_FULL:
                work.grow_pool()
            elif self._table.size >= LARGEST_TABLE:
                return StopReason.MEMORY_LIMIT
            else:
                larger = np.zeros(4 * self._table.size if self._table.size < 1 << 22 else 2 * self._table.size, np.int64)
                kernels.grow(self._table, larger)
                self._table = larger

    def line(self) -> tuple[Move, ...]:
        """The line of the win that `run` has found."""
        return moves_of(self._position, self._rows)


def _bit(card: MaybeCard) -> int:
    assert card is not None, "solve has refused hidden cards"
    return 4 * (card.rank - 1) + kernels.LANES[card.suit]


def _mask(cards: tuple[MaybeCard, ...]) -> int:
    return sum(1 << _bit(card) for card in cards)


def _encode(position: Position) -> _Encoded:
    columns = np.zeros((COLUMNS, 32), np.int64)
    visible = locked = left = 0
    depths = []
    for place, column in enumerate(position.columns):
        original = [*column.down, *column.up[:1]]
        columns[place, : len(original)] = [_bit(card) for card in original]
        owned = len(original) == 1 and columns[place, 0] >= 48  # by a king: any king's column is as good
        depths.append(0 if owned else len(original))
        if depths[-1]:
            locked |= 1 << _bit(original[-1])
        visible |= _mask(column.up)
        left |= depths[-1] << 5 * place
    cards = (*position.waste, *position.stock)
    stock = np.zeros(MAX_STOCK, np.int64)
    stock[: len(cards)] = [_bit(card) for card in cards]
    raised = code = 0
    for suit, height in enumerate(position.foundations):
        raised |= sum(1 << 4 * rank + kernels.LANES[suit] for rank in range(height))
        code |= height << 4 * kernels.LANES[suit]
    draw, waste = position.rules.draw, len(position.waste)
    redeals = -1 if position.rules.redeals is None else position.rules.redeals - position.redealt
    if redeals >= len(cards):
        redeals = -1  # turning the waste over twice with no card played between is pointless
    if redeals < 0 and (waste % draw == 0 or waste == len(cards)):
        waste = 0
    units, lazy = _units(depths, len(cards), draw, redeals)
    key = (1 << len(cards)) - 1 + int(units[kernels.WASTES + waste]) * int(units[kernels.UNIT_WASTE])
    key += sum(int(units[place]) * depth for place, depth in enumerate(depths))
    row = np.zeros(kernels.ROW, np.int64)
    row[: kernels.CODE + 1] = [visible, locked, raised, (1 << len(cards)) - 1, left, waste, _signed(key), code]
    return _Encoded(row, columns, stock, units, redeals, lazy)


def _units(depths: list[int], cards: int, draw: int, redeals: int) -> tuple[Ints, bool]:
    """What each part of a state counts in its key: a mixed radix, so that no two states share a key.

    Returns:
        The units as `kernels` names them, and whether the number of an idle move finds room in a key as well.
    """
    units: list[int] = [0] * kernels.UNITS
    # Where redeals are unlimited only the waste's remainder matters, see `kernels.search`.
    wastes = [w for w in range(cards + 1) if redeals >= 0 or w == 0 or (w % draw and w < cards)]
    for number, waste in enumerate(wastes):
        units[kernels.WASTES + waste] = number
    unit = 1 << cards
    units[kernels.UNIT_WASTE] = unit
    unit *= len(wastes)
    units[kernels.UNIT_REDEALS] = unit
    unit *= redeals + 1 if redeals >= 0 else 1
    for place, depth in enumerate(depths):
        units[place] = unit
        unit *= depth + 1
    units[kernels.UNIT_HEIGHTS] = unit
    unit *= 14**4
    units[kernels.UNIT_IDLE] = unit
    if unit > 1 << 64:
        # No game comes here: it takes 21 face-down cards spread as no deal spreads them, and counted redeals.
        raise PositionError(Position.game, ["its face-down cards lie as in no deal; that is beyond the search's keys"])
    lazy = unit * kernels.IDLE_MOVES <= 1 << 64
    return np.array([_signed(value) for value in units], np.int64), lazy


def _signed(value: int) -> int:
    """The number with the same low 64 bits that an int64 can hold."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value

