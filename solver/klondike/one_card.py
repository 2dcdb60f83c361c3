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


class _Workspace(threading.local):
    """The kernel's arrays, one set a thread; they grow with the turns."""

    def __init__(self) -> None:
        self.heads: Ints = np.zeros(one.BUCKETS, np.int64)
        self.resize(SMALLEST_POOL)

    def resize(self, size: int) -> None:
        """Makes room for `size` states."""
        self.pool: Ints = np.zeros((size, one.WIDTH), np.int64)
        self.keys: Ints = np.zeros(2 * size, np.int64)
        self.odds: Ints = np.zeros(2 * size, np.int64)


_WORKSPACE: Final = _Workspace()


class OneCardSearch:
    """Turns of a best-first search, each with other weights and its own chance."""

    def __init__(self, position: Position) -> None:
        self.nodes = 0
        self._position = position
        self._game = encode(position)
        self._turns = 0
        self._moves: list[int] = []

    def run(self, budget: int) -> Verdict | StopReason:
        """One turn: a search afresh that visits at most `budget` states."""
        game, work, rules = self._game, _WORKSPACE, self._position.rules
        size = SMALLEST_POOL
        while size < min(budget * STATES_A_VISIT, LARGEST_POOL):
            size *= 2
        if size > len(work.pool):
            work.resize(size)
        work.pool[0, : kernels.ROW] = game.row
        work.pool[0, one.ODD_PARENT] = _odd_parents(self._position)
        weights = np.array(WEIGHTS[self._turns % len(WEIGHTS)], np.int64)
        how, nodes, won = one.search_one_card(
            work.pool, size, work.keys[: 2 * size], work.odds, work.heads, game.columns, game.stock, game.units,
            game.slots, game.turns, game.faces, rules.draw, game.redeals, rules.worrying_back, weights, self._turns,
            budget,
        )  # fmt: skip
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
