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

from typing import Final, NamedTuple

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
    MOVE,
    RAISED,
    RED,
    STOCK,
    TO_COLUMN,
    TO_FOUNDATION,
    UNIT_HEIGHTS,
    VISIBLE,
    WASTE,
    EncodedDeal,
    Member,
    has_order,
    heights_key,
    is_won,
    next_up,
    places,
    reachable,
    safe,
    successor,
)
from solver.numeric.bits import popcount, trailing_zeros
from solver.numeric.hash_table import slot_of_pair
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Int, Ints
from solver.numeric.outcomes import FOUND, NOTHING, OPEN

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


class Workspace(NamedTuple):
    """Room for a search.

    Attributes:
        pool: (n, `WIDTH`) int64: the states that were found.
        keys: Their keys, 0 where free; 2 * n int64.
        odds: What else tells a state, beside its key; as many or more.
        heads: The first row of each bucket, -1 for an empty one.
    """

    pool: Ints
    keys: Ints
    odds: Ints
    heads: Ints


class Offers(NamedTuple):
    """The cards that can be moved in each of the five ways, and whether one goes up without a thought."""

    up: Int
    onto_even: Int
    onto_odd: Int
    back_even: Int
    back_odd: Int
    is_forced: Int


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


@kernel(makes_arrays=False, inline=True)
def _offers(deal: EncodedDeal, pool: Ints, at: Int, top: Int, turned: Int) -> Offers:
    """What can be moved from a state, given the columns' last cards and those of the stock that can be turned up."""
    locked, visible, raised, odd = pool[at, LOCKED], pool[at, VISIBLE], pool[at, RAISED], pool[at, ODD_PARENT]
    nothing = np.int64(0)
    loose = visible & ~locked
    takes = next_up(raised)
    settled = safe(raised, deal.worrying_back)
    sure = top & takes & settled
    if not has_order(deal.draw, deal.redeals):
        sure |= turned & takes & settled
    if sure:
        return Offers(sure & -sure, nothing, nothing, nothing, nothing, True)
    has_empty_column = popcount(locked) + popcount(loose & KINGS) < 7
    on_even = places(top & EVEN)
    on_odd = places(top >> 1 & EVEN)
    room = on_even | (KINGS if has_empty_column else 0)
    up = (top | turned) & takes
    movable = (top & locked) | turned
    # A loose card changes to its parent's twin; one that is locked or in the stock finds a place. A king's place is an
    # empty column and counts as even.
    onto_even = (movable & room) | (top & loose & odd & on_even)
    onto_odd = (movable & on_odd) | (top & loose & ~odd & on_odd & ~KINGS)
    back_even = back_odd = nothing
    if deal.worrying_back:
        down = raised & ~(raised >> 4) & ~settled
        back_even = down & room
        back_odd = down & on_odd
    if pool[at, IDLE]:
        idle = deal.stock[pool[at, IDLE] - 1]
        children = places(np.int64(1) << (idle & ~1))
        on_idle_even, on_idle_odd = (nothing, children) if idle & 1 else (children, nothing)
        free = turned if has_order(deal.draw, deal.redeals) else nothing
        up &= free
        onto_even &= free | on_idle_even
        onto_odd &= free | on_idle_odd
        back_even &= on_idle_even
        back_odd &= on_idle_odd
    return Offers(up, onto_even, onto_odd, back_even, back_odd, False)


@kernel(makes_arrays=False)
def _put_back(pool: Ints, at: Int, into: Int, bit: Int) -> None:
    """Writes the state after a card came back from a foundation."""
    card = np.int64(1) << bit
    for item in range(IDLE):
        pool[into, item] = pool[at, item]
    pool[into, VISIBLE] = pool[at, VISIBLE] | card
    pool[into, RAISED] = pool[at, RAISED] ^ card
    pool[into, CODE] = pool[at, CODE] - (np.int64(1) << 4 * (bit & 3))
    pool[into, IDLE] = 0


@kernel(makes_arrays=False, inline=True)
def _write_child(deal: EncodedDeal, work: Workspace, at: Int, into: Int, bit: Int, way: Int, turned: Int) -> Int:
    """Writes the state after a move; gives whether it had not been seen."""
    pool = work.pool
    card = np.int64(1) << bit
    if way >= BACK_EVEN:
        _put_back(pool, at, into, bit)
    else:
        member = Member(pool[at, VISIBLE], pool[at, RAISED], pool[at, CODE])
        successor(deal, pool, at, into, member, bit, TO_FOUNDATION if way == UP else TO_COLUMN)
        if way == UP or not turned & card:
            pool[into, IDLE] = 0
    pool[into, MOVE] = bit | way << 8
    odd = pool[at, ODD_PARENT]
    pool[into, ODD_PARENT] = odd | card if way in (ONTO_ODD, BACK_ODD) else odd & ~card
    key = pool[into, KEY] + heights_key(pool[into, CODE], deal.key_units[UNIT_HEIGHTS])
    other = pool[into, ODD_PARENT] | pool[into, IDLE] << 52
    slot = slot_of_pair(work.keys, work.odds, key, other)
    if work.keys[slot] != 0:
        return False
    work.keys[slot] = key
    work.odds[slot] = other
    return True


@kernel(nogil=True, makes_arrays=False)
def search_one_card(deal: EncodedDeal, work: Workspace, weights: Ints, seed: Int, budget: Int) -> tuple[Int, Int, Int]:
    """Searches from the state in `work.pool[0]`; visits at most `budget` states.

    Returns:
        How it ended, states visited, and the row of the win.

    Worked example. The king of hearts lies face down under the queen of hearts, and the king of spades is alone in a
    column; all other cards are up. The queen is locked, and its foundation takes it next: that is safe, so nothing else
    is tried, and the state behind goes into the uppermost bucket. It is the next to be taken from the buckets. The king
    of hearts lies open there, no card lies on a face-down one, and the stock is empty: a win, after two states.

    >>> from solver.klondike.known_deal_search import OneCardSearch
    >>> from solver.klondike.position import Position
    >>> queen = "moves: one; columns: KH [QH] | [KS] | - | - | - | - | -; foundations: C13 D13 H11 S12"
    >>> work = OneCardSearch(Position.parse(queen))
    >>> str(work.run(10)), work.nodes, *map(str, work.line())
    ('win', 2, 'T1>F', 'T1>F', 'T2>F')
    """
    pool, heads = work.pool, work.heads
    heads[:] = -1
    work.keys[:] = 0
    nodes = 0
    rows = np.int64(1)  # a plain 1 would have what it is passed to compiled once more
    best = 0
    heads[0] = 0
    pool[0, NEXT] = -1
    noise = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    while True:
        while best >= 0 and heads[best] < 0:
            best -= 1
        if best < 0:
            return NOTHING, nodes, 0
        if nodes >= budget:
            return OPEN, nodes, 0
        at = heads[best]
        heads[best] = pool[at, NEXT]
        nodes += 1
        if is_won(deal, pool[at, STOCK], pool[at, LEFT]):
            return FOUND, nodes, at
        visible = pool[at, VISIBLE]
        top = visible & ~covered(visible & ~pool[at, LOCKED], pool[at, ODD_PARENT])
        turned = reachable(pool[at, STOCK], pool[at, WASTE], deal.draw, deal.redeals, deal.draw_table, deal.stock_cards)
        offers = _offers(deal, pool, at, top, turned)
        for way in range(5):
            cards = offers.up
            if way == ONTO_EVEN:
                cards = offers.onto_even
            elif way == ONTO_ODD:
                cards = offers.onto_odd
            elif way == BACK_EVEN:
                cards = offers.back_even
            elif way == BACK_ODD:
                cards = offers.back_odd
            while cards:
                bit = trailing_zeros(cards)
                cards &= cards - 1
                if rows + 1 >= len(pool):
                    return OPEN, nodes, 0
                if not _write_child(deal, work, at, rows, bit, way, turned):
                    continue
                noise ^= noise << np.uint64(13)
                noise ^= noise >> np.uint64(7)
                noise ^= noise << np.uint64(17)
                bucket = BUCKETS - 1
                if not offers.is_forced:
                    child = pool[rows, VISIBLE]
                    child_top = child & ~covered(child & ~pool[rows, LOCKED], pool[rows, ODD_PARENT])
                    bucket = _score(pool, rows, child_top, turned, weights, np.int64(noise >> np.uint64(40)))
                pool[rows, FROM] = at
                pool[rows, NEXT] = heads[bucket]
                heads[bucket] = rows
                best = max(best, bucket)
                rows += 1
