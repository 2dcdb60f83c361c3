"""The search for the one-card rule, in turns."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

from solver.klondike import kernels
from solver.klondike import one_card_kernels as one
from solver.klondike.line import LineBuilder
from solver.klondike.position import Position
from solver.klondike.rules import Move
from solver.klondike.state import bit_of, card_of, encode
from solver.numeric.kernel_types import Ints
from solver.solution import StopReason, Verdict

WEIGHTS: Final = (
    (40, 5, -4, 80, 0, 2),
    (40, 10, -2, 120, 0, 2),
    (20, 10, -2, 60, 0, 6),
    (20, 40, 0, 40, 8, 24),
    (40, 10, -2, 60, 0, 12),
    (30, 60, -2, 40, 0, 60),
)
"""What the turns' scores weigh, see `one_card_kernels.FOR_RAISED`; the turns go round."""

SMALLEST_POOL: Final = 1 << 14
LARGEST_POOL: Final = 1 << 20
"""States of a turn: 150 MiB with what finds them again."""
STATES_A_VISIT: Final = 12


class _Scratch(threading.local):
    """The kernel's room, one a thread; it grows with the turns."""

    def __init__(self) -> None:
        self.heads: Ints = np.zeros(one.BUCKETS, np.int64)
        self.resize(SMALLEST_POOL)

    def resize(self, size: int) -> None:
        """Makes room for `size` states."""
        pool, keys, odds = (
            np.zeros((size, one.WIDTH), np.int64),
            np.zeros(2 * size, np.int64),
            np.zeros(2 * size, np.int64),
        )
        self.work = one.Workspace(pool, keys, odds, self.heads)

    def of_size(self, size: int) -> one.Workspace:
        """Room for `size` states or more, of which a search takes up no more than so many."""
        if size > len(self.work.pool):
            self.resize(size)
        return self.work._replace(pool=self.work.pool[:size], keys=self.work.keys[: 2 * size])


_SCRATCH: Final = _Scratch()


class OneCardSearch:
    """Turns of a best-first search, each with other weights and its own chance."""

    def __init__(self, position: Position) -> None:
        self.nodes = 0
        self._position = position
        self._deal = encode(position)
        self._turns = 0
        self._moves: list[int] = []

    def run(self, budget: int) -> Verdict | StopReason:
        """One turn: a search afresh that visits at most `budget` states."""
        size = SMALLEST_POOL
        while size < min(budget * STATES_A_VISIT, LARGEST_POOL):
            size *= 2
        work = _SCRATCH.of_size(size)
        work.pool[0, : kernels.ROW] = self._deal.row
        work.pool[0, one.ODD_PARENT] = _odd_parents(self._position)
        weights = np.array(WEIGHTS[self._turns % len(WEIGHTS)], np.int64)
        how, nodes, won = one.search_one_card(self._deal, work, weights, self._turns, budget)
        self._turns += 1
        self.nodes += nodes
        if how == kernels.WON:
            while won:
                self._moves.append(int(work.pool[won, kernels.MOVE]))
                won = int(work.pool[won, one.FROM])
            self._moves.reverse()
            return Verdict.WIN
        if how == kernels.LOST:
            return Verdict.NO_WIN
        return StopReason.NODE_LIMIT

    def line(self, *, beginning: bool = False) -> tuple[Move, ...]:
        """The line of the win that `run` has found, or only its beginning."""
        player = LineBuilder(self._position)
        beginning = beginning and len(self._moves) > 0
        for move in self._moves[: 1 if beginning else None]:
            card, way = card_of(move & 0xFF), move >> 8
            if way == one.UP:
                player.raise_card(card)
            else:
                player.place_card(card, player.open_parent(card, odd=way in (one.ONTO_ODD, one.BACK_ODD)))
        if not beginning:
            player.finish()
        return tuple(player.moves)


def _odd_parents(position: Position) -> int:
    """The loose cards that lie on the odd card of the pair above them."""
    odd = 0
    for column in position.columns:
        for parent, card in zip(column.up, column.up[1:], strict=False):
            odd |= (bit_of(parent) & 1) << bit_of(card)
    return odd
