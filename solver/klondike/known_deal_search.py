"""The two searches of a deal of which every card is known: where runs move, and where single cards do.

Each works in turns of about so many states, so that several searches can take turns with each other.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

import numpy as np

from solver.klondike import kernels
from solver.klondike import one_card_kernels as one
from solver.klondike.encoding import LineBuilder, bit_of, card_of, encode, moves_of
from solver.klondike.move import Move
from solver.klondike.position import Position
from solver.numeric.kernel_types import Ints
from solver.numeric.outcomes import FOUND, NOTHING, OPEN, POOL_FULL
from solver.solution import StopReason, Verdict


@dataclass(frozen=True, slots=True)
class SearchTuning:
    """Room and order of the two searches.

    Attributes:
        smallest_loss_table: Slots of 8 bytes for proved losses, of which 5/8 are filled before the table grows.
        largest_loss_table: The same at most: 256 MiB.
        doubled_loss_table: From here on a table is doubled, below it grows fourfold.
        run_members: States of a component that a search for run moves may find: more than the 14**4 ways to fill four
            foundations.
        run_orders: Orders of moves, which the turns of that search take one after the other: what is added to a random
            number from 0 to 1. A stock card or loose card scores its way (to a column, to the foundation, a loose card
            up); so does a locked card (to a column, to the foundation, unused), and for each card left below it, and
            for emptying its column.
        one_card_weights: What the scores of the one-card search weigh, a row a turn, see `one_card_kernels.FOR_RAISED`.
        smallest_pool: States of a turn of the one-card search at least.
        largest_pool: The same at most: 150 MiB with what finds them again.
        states_a_visit: For which a turn has room.
    """

    smallest_loss_table: int = 1 << 12
    largest_loss_table: int = 1 << 25
    doubled_loss_table: int = 1 << 22
    run_members: int = 40_000
    run_orders: tuple[tuple[float, ...], ...] = (
        (0.0, 1.0, 0.6, 0.5, 2.0, 0.0, 0.2, -0.5),
        (0.0, 2.0, 0.6, 0.5, 2.0, 0.0, 0.0, 1.0),
        (-1.0, 2.0, 0.6, 0.0, 2.0, 0.0, -0.3, 0.0),
        (-1.0, 0.5, 0.6, 1.0, 2.0, 0.0, 0.1, -0.5),
    )
    one_card_weights: tuple[tuple[int, ...], ...] = (
        (40, 5, -4, 80, 0, 2),
        (40, 10, -2, 120, 0, 2),
        (20, 10, -2, 60, 0, 6),
        (20, 40, 0, 40, 8, 24),
        (40, 10, -2, 60, 0, 12),
        (30, 60, -2, 40, 0, 60),
    )
    smallest_pool: int = 1 << 14
    largest_pool: int = 1 << 20
    states_a_visit: int = 12


TUNING: Final = SearchTuning()


class _RunScratch(threading.local):
    """The arrays that the kernel works in, others in each thread."""

    def __init__(self) -> None:
        self.stamp = 0
        self.work = kernels.Workspace(
            pool=np.zeros((1 << 12, kernels.ROW), np.int64),
            scores=np.zeros(1 << 12),
            begin=np.zeros(256, np.int64),
            end=np.zeros(256, np.int64),
            keys=np.zeros(256, np.int64),
            stamps=np.zeros(1 << 16, np.int64),
            members=np.zeros((TUNING.run_members, kernels.MEMBER), np.int64),
        )

    def grow_pool(self) -> None:
        """Makes room for twice as many states that wait for their turn."""
        rows = 2 * len(self.work.pool)
        self.work = self.work._replace(pool=np.zeros((rows, kernels.ROW), np.int64), scores=np.zeros(rows))


_RUN_SCRATCH: Final = _RunScratch()


class RunSearch:
    """The search of a deal where runs of cards move; each turn knows the losses that earlier ones proved."""

    def __init__(self, position: Position) -> None:
        self.nodes = 0
        self._position = position
        self._deal = encode(position)
        self._table: Ints = np.zeros(TUNING.smallest_loss_table, np.int64)
        self._filed = 0
        self._turns = 0
        self._random = np.random.default_rng(0)
        self.rows: list[list[int]] = []

    def run(self, budget: int) -> Verdict | StopReason:
        """One turn: the next order of moves, with the losses known so far. The first turn's order is not shuffled."""
        noise = self._random.random(64) if self._turns else np.zeros(64)
        order = np.array(TUNING.run_orders[self._turns % len(TUNING.run_orders)])
        self._turns += 1
        end = self.nodes + budget
        while True:
            work = _RUN_SCRATCH.work
            work.pool[0] = self._deal.row
            how, nodes, self._filed, _RUN_SCRATCH.stamp, depth = kernels.search(
                self._deal, self._table, self._filed, work, _RUN_SCRATCH.stamp, order, noise, end - self.nodes
            )
            self.nodes += nodes
            if how == FOUND:
                self.rows = [work.pool[work.end[level] - 1].tolist() for level in range(depth + 1)]
                return Verdict.WIN
            if how == NOTHING:
                return Verdict.NO_WIN
            if how == OPEN:
                return StopReason.NODE_LIMIT
            if how == POOL_FULL:
                _RUN_SCRATCH.grow_pool()
            elif self._table.size >= TUNING.largest_loss_table:
                return StopReason.MEMORY_LIMIT
            else:
                self._grow_table()

    def _grow_table(self) -> None:
        size = self._table.size
        larger = np.zeros((4 if size < TUNING.doubled_loss_table else 2) * size, np.int64)
        kernels.grow(self._table, larger)
        self._table = larger

    def line(self) -> tuple[Move, ...]:
        """The line of the win that `run` has found."""
        return moves_of(self._position, self.rows)


class _OneCardScratch(threading.local):
    """The arrays that the kernel works in, others in each thread; they grow with the turns."""

    def __init__(self) -> None:
        self.heads: Ints = np.zeros(one.BUCKETS, np.int64)
        self.resize(TUNING.smallest_pool)

    def resize(self, size: int) -> None:
        """Makes arrays for `size` states."""
        pool, keys, odds = (
            np.zeros((size, one.WIDTH), np.int64),
            np.zeros(2 * size, np.int64),
            np.zeros(2 * size, np.int64),
        )
        self.work = one.Workspace(pool, keys, odds, self.heads)

    def of_size(self, size: int) -> one.Workspace:
        """The arrays for `size` states; larger ones are made first where they are too small."""
        if size > len(self.work.pool):
            self.resize(size)
        return self.work._replace(pool=self.work.pool[:size], keys=self.work.keys[: 2 * size])


_ONE_CARD_SCRATCH: Final = _OneCardScratch()


class OneCardSearch:
    """The search of a deal where only single cards move: a turn begins anew with other weights and numbers."""

    def __init__(self, position: Position) -> None:
        self.nodes = 0
        self._position = position
        self._deal = encode(position)
        self._turns = 0
        self._moves: list[int] = []

    def run(self, budget: int) -> Verdict | StopReason:
        """One turn: a search afresh that visits at most `budget` states."""
        size = TUNING.smallest_pool
        while size < min(budget * TUNING.states_a_visit, TUNING.largest_pool):
            size *= 2
        work = _ONE_CARD_SCRATCH.of_size(size)
        work.pool[0, : kernels.ROW] = self._deal.row
        work.pool[0, one.ODD_PARENT] = odd_parents(self._position)
        every = TUNING.one_card_weights
        weights = np.array(every[self._turns % len(every)], np.int64)
        how, nodes, won = one.search_one_card(self._deal, work, weights, self._turns, budget)
        self._turns += 1
        self.nodes += nodes
        if how == FOUND:
            while won:
                self._moves.append(int(work.pool[won, kernels.MOVE]))
                won = int(work.pool[won, one.FROM])
            self._moves.reverse()
            return Verdict.WIN
        if how == NOTHING:
            return Verdict.NO_WIN
        return StopReason.NODE_LIMIT

    def line(self) -> tuple[Move, ...]:
        """The line of the win that `run` has found."""
        player = LineBuilder(self._position)
        for move in self._moves:
            card, way = card_of(move & 0xFF), move >> 8
            if way == one.UP:
                player.raise_card(card)
            else:
                player.place_card(card, player.open_parent(card, odd=way in (one.ONTO_ODD, one.BACK_ODD)))
        player.finish()
        return tuple(player.moves)


def odd_parents(position: Position) -> int:
    """A word with the bits of the loose cards that lie on the odd card of the pair above them."""
    odd = 0
    for column in position.columns:
        for parent, card in zip(column.up, column.up[1:], strict=False):
            odd |= (bit_of(parent) & 1) << bit_of(card)
    return odd
