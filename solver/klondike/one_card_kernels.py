"""The compiled search for the one-card rule: only a column's last card moves.

Here it matters which card lies on which. A state is that of `kernels` and one bit for each loose card: whether it lies
on the even or the odd card of the pair above it (clubs and diamonds are even, spades and hearts odd). Columns need no
numbers: a locked card names its column, kings own theirs, and every other card lies on one of two.

The search is best-first. States wait in buckets by a score, and the latest state of the best bucket comes first. A turn
ends in one of three ways: with a win; with nothing left to visit, which proves the loss; or with a full pool of states.
In that case another turn begins with other weights. Two 64-bit words hold a whole state, so states are told apart
exactly.

A stock card goes to a column only right before a card goes onto it: that is all it is good for, and no other move needs
two such cards, so in any line of play it can be put off until then (see idle moves in `kernels`; where the order of
the stock matters it is put off past moves that leave the stock alone).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from solver.klondike.kernels import (
    ALL,
    BLACK,
    CODE,
    EVEN,
    IDLE,
    KEY,
    KINGS,
    LEFT,
    LOCKED,
    LOST,
    MOVE,
    POOL_FULL,
    RAISED,
    RED,
    STOCK,
    TO_COLUMN,
    TO_FOUNDATION,
    UNIT_HEIGHTS,
    VISIBLE,
    WASTE,
    WON,
    _heights_key,
    _is_won,
    _successor,
    next_up,
    places,
    reachable,
    safe,
)
from solver.numeric.bits import popcount, trailing_zeros
from solver.numeric.hash_table import slot_of_pair
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Int, Ints

WIDTH: Final = 14
ODD_PARENT, FROM, NEXT = range(IDLE + 1, WIDTH)
"""Further columns of a state's row: the loose cards that lie on the odd card of their pair, the row this state came
from, and the next row in its bucket."""

UP, ONTO_EVEN, ONTO_ODD, BACK_EVEN, BACK_ODD = range(5)
"""How a card moved: to its foundation, to the even or odd card of a pair (an empty column counts as even), or there
from a foundation. A row's MOVE is the card's bit + way << 8."""

BUCKETS: Final = 4096
FOR_RAISED, FOR_LEFT, FOR_STOCK, FOR_BLOCKED, FOR_TAKEN, FOR_NOISE = range(6)
"""What a score weighs: cards on foundations, cards left in the columns' original stacks, cards left in the stock,
covered cards that lie on face-down ones, next cards of the foundations at hand, and chance."""


@kernel(inline=True, makes_arrays=False)
def covered(loose: Int, odd: Int) -> Int:
    """The cards on which a loose card lies."""
    on_even = loose & ~odd
    on_odd = loose & odd
    on_even = (on_even | on_even >> 1) & EVEN
    on_odd = (on_odd | on_odd >> 1) & EVEN
    on_even = (on_even & RED) << 6 | (on_even & BLACK) << 2
    on_odd = (on_odd & RED) << 6 | (on_odd & BLACK) << 2
    return (on_even | on_odd << 1) & ALL


@kernel(makes_arrays=False)
def _score(pool: Ints, at: Int, top: Int, turned: Int, weights: Ints, noise: Int) -> Int:
    """How good a state looks, as its bucket."""
    left = pool[at, LEFT]
    cards = 0
    for column in range(7):
        cards += left >> 5 * column & 31
    score = BUCKETS // 2 + weights[FOR_RAISED] * popcount(pool[at, RAISED]) - weights[FOR_LEFT] * cards
    score -= weights[FOR_STOCK] * popcount(pool[at, STOCK])
    score -= weights[FOR_BLOCKED] * popcount(pool[at, LOCKED] & ~top)
    score += weights[FOR_TAKEN] * popcount((top | turned) & next_up(pool[at, RAISED]))
    if weights[FOR_NOISE] > 0:
        score += np.int64(noise % weights[FOR_NOISE])
    return min(max(score, 0), BUCKETS - 2)


@kernel(nogil=True, makes_arrays=False)
def search_one_card(
    pool: Ints, size: Int, keys: Ints, odds: Ints, heads: Ints, columns: Ints, stock: Ints, units: Ints,
    slots: Ints, turns: Ints, faces: Ints, draw: Int, redeals: Int, worrying_back: Int, weights: Ints, seed: Int,
    budget: Int,
) -> tuple[Int, Int, Int]:  # fmt: skip
    """Searches from the state in `pool[0]`, in the first `size` rows of the pool.

    `keys` and `odds` hold the states seen, a word each (`keys` is 0 where free), and have at least twice as many
    places; `heads` the first row of each bucket, -1 for an empty one.

    Returns:
        How it ended, states visited, and the row of the win.

    Worked example. The king of hearts lies face down under the queen of hearts, and the king of spades is alone in a
    column; all other cards are up. The queen is locked, and its foundation takes it next: that is safe, so nothing else
    is tried, and the state behind goes into the uppermost bucket. It is the next to be taken from the buckets. The king
    of hearts lies open there, no card lies on a face-down one, and the stock is empty: a win, after two states.

    >>> from solver.klondike.searches import OneCardSearch
    >>> from solver.klondike.position import Position
    >>> queen = "moves: one; columns: KH [QH] | [KS] | - | - | - | - | -; foundations: C13 D13 H11 S12"
    >>> work = OneCardSearch(Position.parse(queen))
    >>> str(work.run(10)), work.nodes, *map(str, work.line())
    ('win', 2, 'T1>F', 'T1>F', 'T2>F')
    """
    heads[:] = -1
    keys[:] = 0
    nodes = 0
    rows = 1
    best = 0
    heads[0] = 0
    pool[0, NEXT] = -1
    noise = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    while True:
        while best >= 0 and heads[best] < 0:
            best -= 1
        if best < 0:
            return LOST, nodes, 0
        if nodes >= budget:
            return POOL_FULL, nodes, 0
        at = heads[best]
        heads[best] = pool[at, NEXT]
        nodes += 1
        if _is_won(pool[at, STOCK], pool[at, LEFT], draw, redeals):
            return WON, nodes, at
        locked, visible, raised, odd = pool[at, LOCKED], pool[at, VISIBLE], pool[at, RAISED], pool[at, ODD_PARENT]
        loose = visible & ~locked
        top = visible & ~covered(loose, odd)
        turned = reachable(pool[at, STOCK], pool[at, WASTE], draw, redeals, turns, faces)
        takes = next_up(raised)
        settled = safe(raised, worrying_back)
        owned = popcount(locked) + popcount(loose & KINGS)
        room = np.int64(KINGS) if owned < 7 else np.int64(0)
        on_even = places(top & EVEN)
        on_odd = places(top >> 1 & EVEN)
        sure = top & takes & settled
        if draw == 1 and redeals < 0:
            sure |= turned & takes & settled
        if sure:
            sure &= -sure
            to_foundation = sure
            to_even = to_odd = np.int64(0)
            back_even = back_odd = np.int64(0)
        else:
            to_foundation = (top | turned) & takes
            movable = (top & locked) | turned
            # A loose card changes to its parent's twin; one that is locked or in the stock finds a place. A king's
            # place is an empty column and counts as even.
            to_even = (movable & (on_even | room)) | (top & loose & odd & on_even)
            to_odd = (movable & on_odd) | (top & loose & ~odd & on_odd & ~KINGS)
            back_even = back_odd = np.int64(0)
            if worrying_back:
                down = raised & ~(raised >> 4) & ~settled
                back_even = down & (on_even | room)
                back_odd = down & on_odd
            if pool[at, IDLE]:
                idle = stock[pool[at, IDLE] - 1]
                kids = places(np.int64(1) << (idle & ~1))
                free = turned if draw > 1 or redeals >= 0 else np.int64(0)
                to_foundation &= free
                to_even &= free | (0 if idle & 1 else kids)
                to_odd &= free | (kids if idle & 1 else 0)
                back_even &= 0 if idle & 1 else kids
                back_odd &= kids if idle & 1 else 0
        for way in range(5):
            cards = to_foundation
            if way == ONTO_EVEN:
                cards = to_even
            elif way == ONTO_ODD:
                cards = to_odd
            elif way == BACK_EVEN:
                cards = back_even
            elif way == BACK_ODD:
                cards = back_odd
            while cards:
                bit = trailing_zeros(cards)
                card = cards & -cards
                cards ^= card
                if rows + 1 >= size:
                    return POOL_FULL, nodes, 0
                if way >= BACK_EVEN:
                    for item in range(IDLE + 1):
                        pool[rows, item] = pool[at, item]
                    pool[rows, VISIBLE] = visible | card
                    pool[rows, RAISED] = raised ^ card
                    pool[rows, CODE] = pool[at, CODE] - (np.int64(1) << 4 * (bit & 3))
                    pool[rows, IDLE] = 0
                else:
                    _successor(
                        pool, at, rows, visible, raised, pool[at, CODE], bit, TO_FOUNDATION if way == UP else TO_COLUMN,
                        columns, units, slots, turns, draw, redeals, True,
                    )  # fmt: skip
                    if way == UP or not turned & card:
                        pool[rows, IDLE] = 0
                pool[rows, MOVE] = bit | way << 8
                pool[rows, ODD_PARENT] = odd | card if way in (ONTO_ODD, BACK_ODD) else odd & ~card
                key = pool[rows, KEY] + _heights_key(pool[rows, CODE], units[UNIT_HEIGHTS])
                other = pool[rows, ODD_PARENT] | pool[rows, IDLE] << 52
                slot = slot_of_pair(keys, odds, key, other)
                if keys[slot] != 0:
                    continue
                keys[slot] = key
                odds[slot] = other
                child_loose = pool[rows, VISIBLE] & ~pool[rows, LOCKED]
                child_top = pool[rows, VISIBLE] & ~covered(child_loose, pool[rows, ODD_PARENT])
                noise ^= noise << np.uint64(13)
                noise ^= noise >> np.uint64(7)
                noise ^= noise << np.uint64(17)
                bucket = BUCKETS - 1
                if not sure:
                    bucket = _score(pool, rows, child_top, turned, weights, np.int64(noise >> np.uint64(40)))
                pool[rows, FROM] = at
                pool[rows, NEXT] = heads[bucket]
                heads[bucket] = rows
                best = max(best, bucket)
                rows += 1
