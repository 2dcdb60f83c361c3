"""The search for rules by which runs move, in turns."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

from solver.klondike import kernels
from solver.klondike.line import moves_of
from solver.klondike.position import Position
from solver.klondike.rules import Move
from solver.klondike.state import encode
from solver.numeric.kernel_types import Ints
from solver.solution import StopReason, Verdict

SMALLEST_TABLE: Final = 1 << 12
LARGEST_TABLE: Final = 1 << 25
"""Slots of 8 bytes for proved losses, of which 5/8 are filled before the table grows: 256 MiB at most."""
MAX_STATES: Final = 40_000
"""More than the 14**4 ways to fill four foundations."""

ORDERS: Final = (
    np.array([0.0, 1.0, 0.6, 0.5, 2.0, 0.0, 0.2, -0.5]),
    np.array([0.0, 2.0, 0.6, 0.5, 2.0, 0.0, 0.0, 1.0]),
    np.array([-1.0, 2.0, 0.6, 0.0, 2.0, 0.0, -0.3, 0.0]),
    np.array([-1.0, 0.5, 0.6, 1.0, 2.0, 0.0, 0.1, -0.5]),
)
"""Orders of moves, which the turns take one after the other: what is added to a random number from 0 to 1. A stock card
or loose card scores its way (to a column, to the foundation, a loose card up); so does a locked card (to a column, to
the foundation, unused), and for each card left below it, and for emptying its column."""


class _Scratch(threading.local):
    """The kernel's room, one a thread."""

    def __init__(self) -> None:
        self.stamp = 0
        self.work = kernels.Workspace(
            pool=np.zeros((1 << 12, kernels.ROW), np.int64),
            scores=np.zeros(1 << 12),
            begin=np.zeros(256, np.int64),
            end=np.zeros(256, np.int64),
            keys=np.zeros(256, np.int64),
            stamps=np.zeros(1 << 16, np.int64),
            members=np.zeros((MAX_STATES, kernels.MEMBER), np.int64),
        )

    def grow_pool(self) -> None:
        """Makes room for twice as many states that wait for their turn."""
        rows = 2 * len(self.work.pool)
        self.work = self.work._replace(pool=np.zeros((rows, kernels.ROW), np.int64), scores=np.zeros(rows))


_SCRATCH: Final = _Scratch()


class RunSearch:
    """The search for rules by which runs move."""

    def __init__(self, position: Position) -> None:
        self.nodes = 0
        self._position = position
        self._deal = encode(position)
        self._table: Ints = np.zeros(SMALLEST_TABLE, np.int64)
        self._filed = 0
        self._turns = 0
        self._random = np.random.default_rng(0)
        self._rows: list[list[int]] = []

    def run(self, budget: int) -> Verdict | StopReason:
        """One turn: the next order of moves, with the losses known so far. The first turn's order is not shuffled."""
        noise = self._random.random(64) if self._turns else np.zeros(64)
        order = ORDERS[self._turns % len(ORDERS)]
        self._turns += 1
        end = self.nodes + budget
        while True:
            work = _SCRATCH.work
            work.pool[0] = self._deal.row
            how, nodes, self._filed, _SCRATCH.stamp, depth = kernels.search(
                self._deal, self._table, self._filed, work, _SCRATCH.stamp, order, noise, end - self.nodes
            )
            self.nodes += nodes
            if how == kernels.WON:
                self._rows = [work.pool[work.end[level] - 1].tolist() for level in range(depth + 1)]
                return Verdict.WIN
            if how == kernels.LOST:
                return Verdict.NO_WIN
            if how == kernels.BUDGET:
                return StopReason.NODE_LIMIT
            if how == kernels.POOL_FULL:
                _SCRATCH.grow_pool()
            elif self._table.size >= LARGEST_TABLE:
                return StopReason.MEMORY_LIMIT
            else:
                larger = np.zeros(
                    4 * self._table.size if self._table.size < 1 << 22 else 2 * self._table.size, np.int64
                )
                kernels.grow(self._table, larger)
                self._table = larger

    def line(self, *, beginning: bool = False) -> tuple[Move, ...]:
        """The line of the win that `run` has found, or only its beginning."""
        if beginning and len(self._rows) > 1:
            return moves_of(self._position, self._rows[:2], to_the_end=False)
        return moves_of(self._position, self._rows)
