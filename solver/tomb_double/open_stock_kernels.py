"""The game as if its stock lay open: what decides it, and how four redeals make it come true. Private kernels.

In the *open game* every card of stock and wastes can be played at any time; the rest is as in the rules. Whatever can
be played in the real game can be played in the open one, so **a loss there is a loss**, however the stock lies.

The other way round, **four redeals put the stock into any order**. Turned onto n wastes by a digit from 0 to n - 1 and
gathered waste after waste, each from its bottom card on, the stock is sorted by that digit and keeps its order among
equals: one round of a radix sort. Passes with 5, 4, 3 and 2 wastes sort by numbers below 5 * 4 * 3 * 2 = 120, and the
stock has 60 cards; in the last pass each is turned when it is wanted. Worked example: the card that is wanted at place
13, counted from 0, goes to waste 13 % 5 = 3 in the first pass and to waste 13 // 5 % 4 = 2 in the second. So a line of
the open game becomes one of the real game, without a look into the stock before it is turned: at the start of a game
both are won or lost together, and a player who does not see the stock wins whatever can be won. Later in the game, with
fewer redeals left, `play_schedule` tries it.

The search is small: cards of the stock move only right before a card from elsewhere needs them. `_moves` says why.

A row holds foundations, sizes of reserves, tableau and centre as in `kernels`, then how many copies of each kind of
card lie in the stock. A move is one of `kernels` and brings along the cards of the stock that it needs: onto a
foundation those before it, onto a tableau pile or the centre those between. With `LAP` it brings all thirteen more. A
plan is a list of single moves of `kernels`; `FROM_STOCK + 16 * card + target` plays a card from stock or wastes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from solver.numeric.hash_table import slot_of_pair
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Bytes, Floats, Int, Ints, Words
from solver.numeric.outcomes import FOUND, NOTHING, OPEN
from solver.numeric.random_numbers import State as Rng
from solver.numeric.random_numbers import seeded, uniform
from solver.tomb_double import kernels as k
from solver.tomb_double.kernels import (
    CENTRE,
    FOUNDATION,
    RESERVE,
    STOCK,
    WASTE,
    WHOLE,
)

FOUNDATION_AT: Final = 0
RESERVE_SIZE_AT: Final = 4
TABLEAU_AT: Final = 8
CENTRE_SUIT_AT: Final = 20
CENTRE_SIZE_AT: Final = 21
POOL_AT: Final = 22
ROW: Final = POOL_AT + 52
LAP: Final = 512
FROM_STOCK: Final = 1024
LONGEST_RUN: Final = 26
DEEPEST: Final = 500
"""Moves that a line of the open game may take; where one is longer the search proves nothing."""
PLAN: Final = 2000
"""Room for a plan: each card leaves stock, reserve or tableau for a pile, and piles for foundations."""
MOST: Final = 128
_AT_CENTRE: Final = np.int64(CENTRE)
"""Numbers of NumPy's types, as here and in calls: of a plain one Numba would compile a version of the function."""


def open_stock_of(state: Bytes) -> Bytes:
    """The row of a position of `kernels`; cards of stock and wastes must be known, in any order."""
    row = np.zeros(ROW, np.int8)
    row[FOUNDATION_AT : FOUNDATION_AT + 4] = state[k.FOUNDATION_AT : k.FOUNDATION_AT + 4]
    row[RESERVE_SIZE_AT : RESERVE_SIZE_AT + 4] = state[k.RESERVE_SIZE_AT : k.RESERVE_SIZE_AT + 4]
    row[TABLEAU_AT : TABLEAU_AT + 12] = state[k.TABLEAU_AT : k.TABLEAU_AT + 12]
    row[CENTRE_SUIT_AT], row[CENTRE_SIZE_AT] = state[k.CENTRE_SUIT_AT], state[k.CENTRE_SIZE_AT]
    heights = state[k.WASTE_SIZE_AT : k.WASTE_SIZE_AT + 5]
    wastes = [
        waste[:height] for waste, height in zip(state[k.WASTE_AT : k.STOCK_AT].reshape(5, 60), heights, strict=True)
    ]
    stock = state[k.STOCK_AT :][state[k.STOCK_NEXT_AT] : state[k.STOCK_END_AT]]
    row[POOL_AT:] = np.bincount(np.concatenate([*wastes, stock]), minlength=52)
    return row


@kernel(makes_arrays=False)
def _source(row: Bytes, reserves: Bytes, pile: Int) -> Int:
    """The top card of a pile of T, R or C, -1 if it is empty. `reserves` holds 4 x 10 cards."""
    if pile < RESERVE:
        o = TABLEAU_AT + 3 * pile
        return -1 if row[o + 2] == 0 else row[o] * 13 + (np.int64(row[o + 1]) + row[o + 2] - 1) % 13
    if pile < WASTE:
        n = row[RESERVE_SIZE_AT + pile - RESERVE]
        return -1 if n == 0 else np.int64(reserves[10 * (pile - RESERVE) + n - 1])
    n = row[CENTRE_SIZE_AT]
    return -1 if n == 0 else row[CENTRE_SUIT_AT] * 13 + (np.int64(n) - 1) % 13


@kernel(makes_arrays=False)
def _next_rank(row: Bytes, target: Int, suit: Int) -> Int:
    """The rank - 1 that a pile with cards of this suit, or the empty centre, takes next; -1 for another suit's pile."""
    if target == CENTRE:
        if row[CENTRE_SIZE_AT] == 0:
            return 0
        return np.int64(row[CENTRE_SIZE_AT]) % 13 if row[CENTRE_SUIT_AT] == suit else -1
    o = TABLEAU_AT + 3 * target
    return (np.int64(row[o + 1]) + row[o + 2]) % 13 if row[o] == suit else -1


@kernel(makes_arrays=False)
def _steps_up(row: Bytes, suit: Int, start: Int, end: Int) -> Int:
    """How many cards of the stock bridge the ranks from `start` up to but not with `end`, -1 if one is missing."""
    steps = 0
    while start != end:
        if row[POOL_AT + 13 * suit + start] == 0:
            return -1
        start = (start + 1) % 13
        steps += 1
    return steps


@kernel(makes_arrays=False)
def _steps_down(row: Bytes, suit: Int, rank: Int) -> Int:
    """How many cards of the stock the foundation takes before this one, -1 if it never comes to it."""
    placed = np.int64(row[FOUNDATION_AT + suit])
    steps = 0
    while placed < 26 and 12 - placed % 13 != rank:
        if row[POOL_AT + 13 * suit + 12 - placed % 13] == 0:
            return -1
        placed += 1
        steps += 1
    return -1 if placed == 26 else steps


@kernel(makes_arrays=False)
def _moves(row: Bytes, reserves: Bytes, moves: Ints) -> Int:
    """The moves that a complete search must try, the most promising last.

    Cards of the stock move only right before a card of T, R or C that needs them, in the same move. Proof: take a line
    that wins, and a play of a stock card onto pile P in it. Put it off up to the next move that is no stock card's and
    touches P; nothing in between needs it, and it stays at hand.

    - That move lays a card on P (P a foundation, the centre, a tableau pile): the stock cards laid on P before it are
      those between, perhaps and a whole lap of thirteen; that is a move here. But if P was an empty tableau pile, the
      other card goes there at once and the stock keeps those below it. From then on P lacks some cards at its bottom,
      which the stock has instead. What the line takes from P's top or, as a whole pile, to the centre can still be
      taken, those cards straight from the stock; what it lays on P fits, or P is empty and takes any card.
    - That move takes the card from P: leave the play out, and play it from the stock.
    - That move takes the whole pile P to the centre: play it onto the centre afterwards.
    - There is none: once reserves, tableau and centre are empty, the foundations take the stock.

    Each step leaves fewer moves of stock cards to be put right. Left out are also moves that give the same position but
    for the order of the tableau piles. A card whose foundation has its first thirteen goes up at once, as in
    `proof_kernels._all_moves`: the proof holds here too, with the stock cards before it, which are just as safe.
    """
    n = _onto_foundations(row, reserves, 13, moves, np.int64(0))
    if n > 0:
        return 1
    empty = -1
    for t in range(4):
        if row[TABLEAU_AT + 3 * t + 2] == 0:
            empty = t
    for p in range(4):  # tableau cards change places
        card = _source(row, reserves, p)
        if card < 0:
            continue
        if empty >= 0 and row[TABLEAU_AT + 3 * p + 2] > 1:
            moves[n] = 16 * p + empty
            n += 1
        n = _onto_piles(row, p, card, moves, n)
        n = _onto_centre(row, p, card, moves, n)
    for p in range(RESERVE, WASTE):
        card = _source(row, reserves, p)
        if empty >= 0 and card >= 0:
            moves[n] = 16 * p + empty
            n += 1
    for p in range(RESERVE, WASTE):
        card = _source(row, reserves, p)
        if card >= 0:
            n = _onto_piles(row, p, card, moves, n)
            n = _onto_centre(row, p, card, moves, n)
    n = _whole_piles(row, moves, n)
    return _onto_foundations(row, reserves, 0, moves, n)


@kernel(makes_arrays=False)
def _onto_foundations(row: Bytes, reserves: Bytes, least: Int, moves: Ints, n: Int) -> Int:
    """Adds the moves onto foundations that hold `least` cards or more."""
    for p in range(CENTRE + 1):
        if WASTE <= p < CENTRE:
            continue
        card = _source(row, reserves, p)
        if card >= 0 and row[FOUNDATION_AT + card // 13] >= least and _steps_down(row, card // 13, card % 13) >= 0:
            moves[n] = 16 * p + FOUNDATION
            n += 1
    return n


@kernel(makes_arrays=False)
def _whole_piles(row: Bytes, moves: Ints, n: Int) -> Int:
    """Adds the moves of whole tableau piles to the centre."""
    for p in range(4):
        o = TABLEAU_AT + 3 * p
        if row[o + 2] > 1 and _fits_centre(row, p):
            suit, lowest = np.int64(row[o]), np.int64(row[o + 1])
            steps = _steps_up(row, suit, _next_rank(row, _AT_CENTRE, suit), lowest)
            if (
                steps >= 0
                and row[CENTRE_SIZE_AT] + steps > 0
                and row[CENTRE_SIZE_AT] + steps + row[o + 2] <= LONGEST_RUN
            ):
                moves[n] = 16 * p + CENTRE + WHOLE
                n += 1
    return n


@kernel(makes_arrays=False)
def _fits_centre(row: Bytes, pile: Int) -> bool:
    return bool(row[CENTRE_SIZE_AT] == 0 or row[CENTRE_SUIT_AT] == row[TABLEAU_AT + 3 * pile])


@kernel(makes_arrays=False)
def _onto_piles(row: Bytes, p: Int, card: Int, moves: Ints, n: Int) -> Int:
    for t in range(4):
        size = row[TABLEAU_AT + 3 * t + 2]
        if t != p and size > 0:
            n = _onto(row, 16 * p + t, _next_rank(row, t, card // 13), card, size, moves, n)
    return n


@kernel(makes_arrays=False)
def _onto_centre(row: Bytes, p: Int, card: Int, moves: Ints, n: Int) -> Int:
    return _onto(row, 16 * p + CENTRE, _next_rank(row, _AT_CENTRE, card // 13), card, row[CENTRE_SIZE_AT], moves, n)


@kernel(makes_arrays=False)
def _onto(row: Bytes, move: Int, start: Int, card: Int, size: Int, moves: Ints, n: Int) -> Int:
    """Adds the move of a card to a pile that takes rank `start` next, if the stock bridges the gap."""
    if start < 0:
        return n
    suit, rank = card // 13, card % 13
    steps = _steps_up(row, suit, start, rank)
    if steps < 0 or size + steps >= LONGEST_RUN:
        return n
    moves[n] = move
    n += 1
    if size + steps + 13 < LONGEST_RUN:
        for r in range(13):
            between = (r - start) % 13 < steps
            if row[POOL_AT + 13 * suit + r] < 1 + between:
                return n
        moves[n] = move | LAP
        n += 1
    return n


@kernel(makes_arrays=False)
def _play(row: Bytes, reserves: Bytes, move: Int, plan: Ints, n: Int) -> Int:
    """Makes a move in place and writes its single moves into `plan` from place `n` on; gives the place after them."""
    source, target = (move >> 4) & 15, move & 15
    whole = (move & WHOLE) != 0
    o = TABLEAU_AT + 3 * source
    card = row[o] * 13 + np.int64(row[o + 1]) if whole else _source(row, reserves, source)
    suit, rank = card // 13, card % 13
    if target == FOUNDATION:
        while 12 - np.int64(row[FOUNDATION_AT + suit]) % 13 != rank:
            other = suit * 13 + 12 - np.int64(row[FOUNDATION_AT + suit]) % 13
            row[POOL_AT + other] -= 1
            row[FOUNDATION_AT + suit] += 1
            plan[n] = FROM_STOCK + 16 * other + FOUNDATION
            n += 1
        row[FOUNDATION_AT + suit] += 1
    elif target == CENTRE or row[TABLEAU_AT + 3 * target + 2] > 0:
        start = _next_rank(row, target, suit)
        steps = (rank - start) % 13 + (13 if move & LAP else 0)
        for i in range(steps):
            other = suit * 13 + (start + i) % 13
            row[POOL_AT + other] -= 1
            plan[n] = FROM_STOCK + 16 * other + target
            n += 1
        added = steps + (np.int64(row[o + 2]) if whole else 1)
        if target == CENTRE:
            row[CENTRE_SUIT_AT] = suit
            row[CENTRE_SIZE_AT] += added
        else:
            row[TABLEAU_AT + 3 * target + 2] += added
    else:
        row[TABLEAU_AT + 3 * target] = suit
        row[TABLEAU_AT + 3 * target + 1] = rank
        row[TABLEAU_AT + 3 * target + 2] = 1
    if whole:
        row[o + 2] = 0
    elif source < RESERVE:
        row[o + 2] -= 1
    elif source < WASTE:
        row[RESERVE_SIZE_AT + source - RESERVE] -= 1
    else:
        row[CENTRE_SIZE_AT] -= 1
    plan[n] = move & ~LAP
    return n + 1


@kernel(makes_arrays=False)
def _keys(row: Bytes) -> tuple[np.uint64, np.uint64]:
    """Two words that hold all of a position but the order of its tableau piles; the first is never 0."""
    one = np.uint64(1)  # ends up above all the rest
    for i in range(4):
        one = one << np.uint64(5) | np.uint64(row[FOUNDATION_AT + i])
        one = one << np.uint64(4) | np.uint64(row[RESERVE_SIZE_AT + i])
    one = one << np.uint64(7) | np.uint64(
        np.int64(row[CENTRE_SIZE_AT]) * 4 + row[CENTRE_SUIT_AT] if row[CENTRE_SIZE_AT] else 0
    )
    a, b = _in_order(_pile(row, np.int64(TABLEAU_AT)), _pile(row, np.int64(TABLEAU_AT + 3)))
    c, d = _in_order(_pile(row, np.int64(TABLEAU_AT + 6)), _pile(row, np.int64(TABLEAU_AT + 9)))
    a, c = _in_order(a, c)
    b, d = _in_order(b, d)
    b, c = _in_order(b, c)
    eleven = np.uint64(11)
    return one, ((a << eleven | b) << eleven | c) << eleven | d


@kernel(makes_arrays=False)
def _pile(row: Bytes, o: Int) -> Any:
    """A number below 2^11 for what a tableau pile holds, 0 where it is empty."""
    return np.uint64((np.int64(row[o]) * 13 + row[o + 1]) * 32 + row[o + 2] if row[o + 2] else 0)


@kernel(makes_arrays=False)
def _in_order(a: Any, b: Any) -> tuple[Any, Any]:
    return (a, b) if a < b else (b, a)


@kernel(makes_arrays=False)
def _is_over(row: Bytes) -> bool:
    """Whether all that is left lies in the stock, whence the foundations take it."""
    left = row[CENTRE_SIZE_AT]
    for i in range(4):
        left += row[RESERVE_SIZE_AT + i] + row[TABLEAU_AT + 3 * i + 2]
    return bool(left == 0)


@kernel(makes_arrays=False)
def _shuffled(moves: Ints, n: Int, heat: float, rng: Rng, places: Floats) -> tuple[Int, Rng]:
    """Moves each of `n` moves by up to `heat` places; gives `n` and the random numbers' next state."""
    if heat > 0.0:
        for i in range(n):
            u, rng = uniform(rng)
            place, move = i + heat * u, moves[i]
            j = i
            while j > 0 and places[j - 1] > place:  # few have to make way: those that strayed past it
                places[j], moves[j] = places[j - 1], moves[j - 1]
                j -= 1
            places[j], moves[j] = place, move
    return n, rng


def search(
    start: Bytes, reserves: Bytes, budget: int, heat: float, seed: np.uint64, plan: Ints
) -> tuple[int, int, int]:
    """Searches the open game depth first, complete up to `budget` positions; positions seen are told apart exactly.

    Args:
        start: The row to start from; shape (ROW,).
        reserves: 4 x 10 cards, bottom to top; shape (40,).
        budget: Positions to visit at most.
        heat: How far the order of moves strays from `_moves`: by so many places at most.
        seed: Another one strays otherwise.
        plan: Takes the single moves of a win; shape (PLAN,).

    Returns:
        `FOUND`, `NOTHING` (a proof for the real game, too) or `OPEN`; positions visited; the length of the plan.
    """
    table = np.zeros((1 << (2 * budget).bit_length(), 2), np.uint64)
    rows = np.zeros((DEEPEST + 1, ROW), np.int8)
    rows[0] = start
    moves = np.zeros((DEEPEST + 1, MOST), np.int64)
    ends = np.zeros((DEEPEST + 1, 2), np.int64)
    found: tuple[int, int, int] = _search(reserves, budget, heat, seed, plan, table, rows, moves, ends, np.zeros(MOST))
    return found


@kernel(makes_arrays=False)
def _search(
    reserves: Bytes, budget: Int, heat: float, seed: np.uint64, plan: Ints, table: Words, rows: Bytes, moves: Ints,
    ends: Ints, places: Floats,
) -> tuple[Int, Int, Int]:  # fmt: skip
    """`search` with its memory: positions seen; for each depth a row, its moves, how many are left, the plan's end."""
    rng = seeded(seed)
    ends[0, 0], rng = _shuffled(moves[0], _moves(rows[0], reserves, moves[0]), heat, rng, places)
    depth, visited, too_deep = 0, 1, False
    if _is_over(rows[0]):
        return FOUND, visited, _rest(rows[0], plan, np.int64(0))
    while depth >= 0:
        if ends[depth, 0] == 0:
            depth -= 1
            continue
        ends[depth, 0] -= 1
        if depth == DEEPEST:
            too_deep = True
            continue
        row = rows[depth + 1]
        for i in range(ROW):
            row[i] = rows[depth, i]
        end = _play(row, reserves, moves[depth, ends[depth, 0]], plan, ends[depth, 1])
        if _is_over(row):
            return FOUND, visited, _rest(row, plan, end)
        one, other = _keys(row)
        slot = slot_of_pair(table[:, 0], table[:, 1], one, other)
        if table[slot, 0] != 0:
            continue
        if visited >= budget:
            return OPEN, visited, 0
        table[slot, 0], table[slot, 1] = one, other
        visited += 1
        depth += 1
        ends[depth, 1] = end
        ends[depth, 0], rng = _shuffled(moves[depth], _moves(row, reserves, moves[depth]), heat, rng, places)
    return OPEN if too_deep else NOTHING, visited, 0


@kernel(makes_arrays=False)
def _rest(row: Bytes, plan: Ints, n: Int) -> Int:
    """Writes the end of a plan: the foundations take the stock."""
    for suit in range(4):
        while row[FOUNDATION_AT + suit] < 26:
            plan[n] = FROM_STOCK + 16 * (13 * suit + 12 - np.int64(row[FOUNDATION_AT + suit]) % 13) + FOUNDATION
            row[FOUNDATION_AT + suit] += 1
            n += 1
    return n


@kernel(makes_arrays=False)
def _assign(state: Bytes, plan: Ints, length: Int, uses: Ints) -> None:
    """Says which play of the plan each card of stock and wastes is for: its place there, -1 for none.

    It is written where `kernels` keeps the card. Of two copies the stock's first one turned is used first, so that no
    look into the stock is needed to tell them apart.
    """
    uses[:] = -1
    for i in range(length):
        if plan[i] < FROM_STOCK:
            continue
        card = (plan[i] - FROM_STOCK) >> 4
        found = False
        for j in range(state[k.STOCK_NEXT_AT], state[k.STOCK_END_AT]):
            if not found and state[k.STOCK_AT + j] == card and uses[k.STOCK_AT + j] < 0:
                uses[k.STOCK_AT + j] = i
                found = True
        for w in range(5):
            for j in range(state[k.WASTE_SIZE_AT + w]):
                if not found and state[k.WASTE_AT + 60 * w + j] == card and uses[k.WASTE_AT + 60 * w + j] < 0:
                    uses[k.WASTE_AT + 60 * w + j] = i
                    found = True


@kernel(makes_arrays=False)
def _number(state: Bytes, uses: Ints, seen: bool | np.bool_, number: Ints, order: Ints) -> None:
    """Numbers the stock's cards in the order of their use: those that lie in it already share a number.

    Where the order of the stock has not been seen, each use has its own number. `order` is overwritten; shape (60,).
    """
    first, end = np.int64(state[k.STOCK_NEXT_AT]), np.int64(state[k.STOCK_END_AT])
    for i in range(first, end):
        j = i
        while j > first and uses[k.STOCK_AT + order[j - 1]] > uses[k.STOCK_AT + i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    current = 0
    for i in range(first, end):
        if i > first and (order[i] < order[i - 1] or not seen):
            current += 1
        number[order[i]] = current


def play_schedule(start: Bytes, plan: Ints, length: int, seen: bool, line: Ints) -> int:
    """Plays a plan of the open game in the real one, sorting the stock meanwhile.

    Args:
        start: The position, all its cards known, that the plan is for.
        plan: From `search`.
        length: Its length.
        seen: Whether the player knows the order of the stock before it is turned for the first time. Afterwards it is
            known in any case. Without it the choices depend only on which cards have been turned.
        line: Takes the line; shape (k.LONGEST,).

    Returns:
        The length of the winning line, 0 if the redeals did not suffice.
    """
    uses, number, order = np.zeros(k.STATE_SIZE, np.int64), np.zeros(60, np.int64), np.zeros(60, np.int64)
    return int(_scheduled(start.copy(), plan, length, seen, line, uses, number, order))


@kernel(makes_arrays=False)
def _scheduled(
    state: Bytes, plan: Ints, length: Int, seen: bool, line: Ints, uses: Ints, number: Ints, order: Ints
) -> Int:
    """`play_schedule` with its memory; `state` is changed in place."""
    _assign(state, plan, length, uses)
    _number(state, uses, seen, number, order)
    n = i = 0
    while n < k.LONGEST:
        while i < length and n < k.LONGEST:
            move = plan[i]
            if move >= FROM_STOCK:
                target, move = move & 15, -1
                for w in range(5):
                    size = np.int64(state[k.WASTE_SIZE_AT + w])
                    if size > 0 and uses[k.WASTE_AT + 60 * w + size - 1] == i:
                        move = 16 * (WASTE + w) + target
                if move < 0:
                    break
            k.apply(state, move)
            line[n] = move
            n += 1
            i += 1
        if i == length:
            return n
        if state[k.STOCK_NEXT_AT] < state[k.STOCK_END_AT]:
            j = np.int64(state[k.STOCK_NEXT_AT])
            w = number[j] % (np.int64(state[k.REDEALS_AT]) + 1)
            uses[k.WASTE_AT + 60 * w + state[k.WASTE_SIZE_AT + w]] = uses[k.STOCK_AT + j]
            move = 16 * STOCK + WASTE + w
        elif state[k.REDEALS_AT] > 0:
            place = k.STOCK_AT
            for w in range(5):
                for height in range(state[k.WASTE_SIZE_AT + w]):
                    uses[place] = uses[k.WASTE_AT + 60 * w + height]
                    place += 1
            move = k.REDEAL
        else:
            break
        k.apply(state, move)
        line[n] = move
        n += 1
        if move == k.REDEAL:
            _number(state, uses, np.bool_(True), number, order)
    return 0
