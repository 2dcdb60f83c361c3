"""The state of the compiled two-deck game, and what the rules let one do with it. Private to this package.

A state is one int8 array of `STATE_SIZE` bytes; names that end in AT say at which byte something begins. Cards are
`13 * suit + rank - 1`. A tableau pile and the centre are runs of one suit, so suit, lowest card and size say all. A
move is `16 * source + target`, plus `WHOLE` for a whole pile; piles are numbered 0-3 T, 4-7 R, 8-12 W, 13 C, 14 F as
target and S as source; `REDEAL` is a number of its own. Callers validate.

Worked example, `T2>>C`: the whole of the second tableau pile goes to the centre.

    >>> WHOLE + 16 * 1 + CENTRE
    285
"""

from __future__ import annotations

from typing import Final

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Bytes, Int

FOUNDATION_AT: Final = 0
"""Cards on each of 4 foundations."""
CENTRE_SUIT_AT: Final = 4
CENTRE_SIZE_AT: Final = 5
TABLEAU_AT: Final = 6
"""4 x (suit, lowest rank - 1, size)."""
RESERVE_SIZE_AT: Final = 18
WASTE_SIZE_AT: Final = 22
STOCK_NEXT_AT: Final = 27
"""Place of the card that the stock turns next; `STOCK_END_AT` is the place after the last."""
STOCK_END_AT: Final = 28
REDEALS_AT: Final = 29
RESERVE_AT: Final = 30
"""4 x 10 cards, bottom to top."""
WASTE_AT: Final = 70
"""5 x 60 cards, bottom to top."""
STOCK_AT: Final = 370
STATE_SIZE: Final = 430

RESERVE: Final = 4
WASTE: Final = 8
CENTRE: Final = 13
FOUNDATION: Final = 14
STOCK: Final = 14
REDEAL: Final = 15 * 16
WHOLE: Final = 256

LONGEST: Final = 1000
"""No game takes so many moves: 5 x 60 turns, 4 redeals, and each card moves at most four times besides."""


@kernel(makes_arrays=False)
def top(state: Bytes, pile: Int) -> Int:
    """The top card of a pile of T, R, W or C, -1 if it is empty."""
    if pile < RESERVE:
        o = TABLEAU_AT + 3 * pile
        n = state[o + 2]
        return -1 if n == 0 else state[o] * 13 + (state[o + 1] + n - 1) % 13
    if pile < WASTE:
        n = state[RESERVE_SIZE_AT + pile - RESERVE]
        return -1 if n == 0 else np.int64(state[RESERVE_AT + 10 * (pile - RESERVE) + n - 1])
    if pile < CENTRE:
        n = state[WASTE_SIZE_AT + pile - WASTE]
        return -1 if n == 0 else np.int64(state[WASTE_AT + 60 * (pile - WASTE) + n - 1])
    n = state[CENTRE_SIZE_AT]
    return -1 if n == 0 else state[CENTRE_SUIT_AT] * 13 + (n - 1) % 13


@kernel(makes_arrays=False)
def above(card: Int) -> Int:
    """The card that may lie on `card`: one rank higher, ace on king."""
    return card - 12 if card % 13 == 12 else card + 1


@kernel(makes_arrays=False)
def goes_up(state: Bytes, card: Int) -> bool:
    """Whether the foundation of its suit takes `card` next."""
    placed = state[FOUNDATION_AT + card // 13]
    return bool(placed < 26 and 12 - placed % 13 == card % 13)


@kernel(makes_arrays=False)
def wastes_empty(state: Bytes) -> bool:
    """Whether no waste holds a card, so that a redeal would gather nothing."""
    cards = 0
    for w in range(5):
        cards += state[WASTE_SIZE_AT + w]
    return bool(cards == 0)


@kernel(makes_arrays=False)
def copy(start: Bytes, state: Bytes) -> None:
    """Makes `state` the same as `start`."""
    for i in range(STATE_SIZE):
        state[i] = start[i]


@kernel(makes_arrays=False)
def on_foundations(state: Bytes) -> Int:
    """How many cards lie on the foundations; 104 is a win."""
    return (
        np.int64(state[FOUNDATION_AT]) + state[FOUNDATION_AT + 1] + state[FOUNDATION_AT + 2] + state[FOUNDATION_AT + 3]
    )


@kernel(makes_arrays=False)
def legal(state: Bytes, move: Int) -> bool:
    """Whether the rules allow a move."""
    source, target = (move >> 4) & 15, move & 15
    if source == 15:
        return bool(state[STOCK_NEXT_AT] == state[STOCK_END_AT] and state[REDEALS_AT] > 0 and not wastes_empty(state))
    if source == STOCK:
        return bool(state[STOCK_NEXT_AT] < state[STOCK_END_AT] and 0 <= target - WASTE <= state[REDEALS_AT])
    if move & WHOLE:
        o = TABLEAU_AT + 3 * source
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
            for j in range(state[WASTE_SIZE_AT + w]):
                state[STOCK_AT + k] = state[WASTE_AT + 60 * w + j]
                k += 1
            state[WASTE_SIZE_AT + w] = 0
        state[STOCK_NEXT_AT] = 0
        state[STOCK_END_AT] = k
        state[REDEALS_AT] -= 1
        return
    if source == STOCK:
        w = target - WASTE
        state[WASTE_AT + 60 * w + state[WASTE_SIZE_AT + w]] = state[STOCK_AT + state[STOCK_NEXT_AT]]
        state[WASTE_SIZE_AT + w] += 1
        state[STOCK_NEXT_AT] += 1
        return
    if move & WHOLE:
        o = TABLEAU_AT + 3 * source
        state[CENTRE_SIZE_AT] += state[o + 2]
        state[o + 2] = 0
        return
    card = top(state, source)
    if source < RESERVE:
        state[TABLEAU_AT + 3 * source + 2] -= 1
    elif source < WASTE:
        state[RESERVE_SIZE_AT + source - RESERVE] -= 1
    elif source < CENTRE:
        state[WASTE_SIZE_AT + source - WASTE] -= 1
    else:
        state[CENTRE_SIZE_AT] -= 1
    if target == FOUNDATION:
        state[FOUNDATION_AT + card // 13] += 1
    elif target == CENTRE:
        state[CENTRE_SUIT_AT] = card // 13
        state[CENTRE_SIZE_AT] += 1
    else:
        o = TABLEAU_AT + 3 * target
        if state[o + 2] == 0:
            state[o] = card // 13
            state[o + 1] = card % 13
        state[o + 2] += 1
