"""The state of the compiled two-deck game, and what the rules let one do with it. Private to this package.

A state is one int8 array of `SIZE` bytes. Cards are `13 * suit + rank - 1`. A tableau pile and the centre are runs of
one suit, so suit, lowest card and size say all. A move is `16 * source + target`, plus `WHOLE` for a whole pile; piles
are numbered 0-3 T, 4-7 R, 8-12 W, 13 C, 14 F as target and S as source; `REDEAL` is a number of its own. Callers
validate.

Worked example, `T2>>C`: the whole of the second tableau pile goes to the centre.

    >>> WHOLE + 16 * 1 + CENTRE
    285
"""

from __future__ import annotations

from typing import Final

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Bytes, Int

F: Final = 0
"""Cards on each of 4 foundations."""
C_SUIT: Final = 4
C_SIZE: Final = 5
T: Final = 6
"""4 x (suit, lowest rank - 1, size)."""
R_SIZE: Final = 18
W_SIZE: Final = 22
S_NEXT: Final = 27
"""Place of the card that the stock turns next; `S_END` is the place after the last."""
S_END: Final = 28
REDEALS: Final = 29
R: Final = 30
"""4 x 10 cards, bottom to top."""
W: Final = 70
"""5 x 60 cards, bottom to top."""
S: Final = 370
SIZE: Final = 430

RESERVE: Final = 4
WASTE: Final = 8
CENTRE: Final = 13
FOUNDATION: Final = 14
STOCK: Final = 14
REDEAL: Final = 15 * 16
WHOLE: Final = 256

LONGEST: Final = 1000
"""No game takes so many moves: 5 x 60 turns, 4 redeals, and each card moves at most four times besides."""


LOST, WON, OPEN = range(3)


@kernel(makes_arrays=False)
def top(state: Bytes, pile: Int) -> Int:
    """The top card of a pile of T, R, W or C, -1 if it is empty."""
    if pile < RESERVE:
        o = T + 3 * pile
        n = state[o + 2]
        return -1 if n == 0 else state[o] * 13 + (state[o + 1] + n - 1) % 13
    if pile < WASTE:
        n = state[R_SIZE + pile - RESERVE]
        return -1 if n == 0 else np.int64(state[R + 10 * (pile - RESERVE) + n - 1])
    if pile < CENTRE:
        n = state[W_SIZE + pile - WASTE]
        return -1 if n == 0 else np.int64(state[W + 60 * (pile - WASTE) + n - 1])
    n = state[C_SIZE]
    return -1 if n == 0 else state[C_SUIT] * 13 + (n - 1) % 13


@kernel(makes_arrays=False)
def above(card: Int) -> Int:
    """The card that may lie on `card`: one rank higher, ace on king."""
    return card - 12 if card % 13 == 12 else card + 1


@kernel(makes_arrays=False)
def goes_up(state: Bytes, card: Int) -> bool:
    """Whether the foundation of its suit takes `card` next."""
    placed = state[F + card // 13]
    return bool(placed < 26 and 12 - placed % 13 == card % 13)


@kernel(makes_arrays=False)
def wastes_empty(state: Bytes) -> bool:
    """Whether no waste holds a card, so that a redeal would gather nothing."""
    cards = 0
    for w in range(5):
        cards += state[W_SIZE + w]
    return bool(cards == 0)


@kernel(makes_arrays=False)
def copy(start: Bytes, state: Bytes) -> None:
    """Makes `state` the same as `start`."""
    for i in range(SIZE):
        state[i] = start[i]


@kernel(makes_arrays=False)
def on_foundations(state: Bytes) -> Int:
    """How many cards lie on the foundations; 104 is a win."""
    return np.int64(state[F]) + state[F + 1] + state[F + 2] + state[F + 3]


@kernel(makes_arrays=False)
def legal(state: Bytes, move: Int) -> bool:
    """Whether the rules allow a move."""
    source, target = (move >> 4) & 15, move & 15
    if source == 15:
        return bool(state[S_NEXT] == state[S_END] and state[REDEALS] > 0 and not wastes_empty(state))
    if source == STOCK:
        return bool(state[S_NEXT] < state[S_END] and 0 <= target - WASTE <= state[REDEALS])
    if move & WHOLE:
        o = T + 3 * source
        centre = top(state, CENTRE)
        return bool(state[o + 2] > 0 and centre >= 0 and state[o] * 13 + state[o + 1] == above(centre))
    card = top(state, source)
    if card < 0 or source == target:
        return False
    if target == FOUNDATION:
        return bool(goes_up(state, card))
    if source == CENTRE:
        return False
    below = top(state, target)
    if below < 0:
        return bool(target != CENTRE or card % 13 == 0)
    return bool(card == above(below))


@kernel(makes_arrays=False)
def apply(state: Bytes, move: Int) -> None:
    """Makes a legal move in place."""
    source, target = (move >> 4) & 15, move & 15
    if source == 15:
        k = 0
        for w in range(5):
            for j in range(state[W_SIZE + w]):
                state[S + k] = state[W + 60 * w + j]
                k += 1
            state[W_SIZE + w] = 0
        state[S_NEXT] = 0
        state[S_END] = k
        state[REDEALS] -= 1
        return
    if source == STOCK:
        w = target - WASTE
        state[W + 60 * w + state[W_SIZE + w]] = state[S + state[S_NEXT]]
        state[W_SIZE + w] += 1
        state[S_NEXT] += 1
        return
    if move & WHOLE:
        o = T + 3 * source
        state[C_SIZE] += state[o + 2]
        state[o + 2] = 0
        return
    card = top(state, source)
    if source < RESERVE:
        state[T + 3 * source + 2] -= 1
    elif source < WASTE:
        state[R_SIZE + source - RESERVE] -= 1
    elif source < CENTRE:
        state[W_SIZE + source - WASTE] -= 1
    else:
        state[C_SIZE] -= 1
    if target == FOUNDATION:
        state[F + card // 13] += 1
    elif target == CENTRE:
        state[C_SUIT] = card // 13
        state[C_SIZE] += 1
    else:
        o = T + 3 * target
        if state[o + 2] == 0:
            state[o] = card // 13
            state[o + 1] = card % 13
        state[o + 2] += 1
