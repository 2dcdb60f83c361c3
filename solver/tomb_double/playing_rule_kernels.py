"""A fixed playing rule, compiled: which card to play, which pile to fill, which waste to use; games played by it."""

from __future__ import annotations

from math import exp, log
from typing import Final, NamedTuple

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Bytes, Floats, Int, Ints
from solver.numeric.random_numbers import State as Rng
from solver.numeric.random_numbers import next_u64, uniform
from solver.tomb_double.kernels import (
    CENTRE,
    CENTRE_SIZE_AT,
    CENTRE_SUIT_AT,
    FOUNDATION,
    FOUNDATION_AT,
    LONGEST,
    REDEAL,
    REDEALS_AT,
    RESERVE,
    RESERVE_AT,
    RESERVE_SIZE_AT,
    STATE_SIZE,
    STOCK,
    STOCK_AT,
    STOCK_END_AT,
    STOCK_NEXT_AT,
    TABLEAU_AT,
    WASTE,
    WASTE_AT,
    WASTE_SIZE_AT,
    WHOLE,
    above,
    apply,
    goes_up,
    top,
    wastes_empty,
)

# Weights of the playing rule, found by hill climbing on the win rate of 2,000 deals of a hidden stock at a time.
(
    LYING,  # effort to play a card that lies open or in a run
    UNDER_RESERVE,  # effort for each card above it in a reserve
    UNDER_WASTE,  # the same in a waste
    IN_STOCK,  # effort for a card still in the stock
    EMPTY_WASTE,  # worth of turning a card onto an empty waste
    GAP,  # a card lies on one needed later: cost for each effort that lies between
    BURY,  # a card buries one needed sooner: cost, fading with the buried card's effort
    FADE,
    SAME_SUIT,  # worth of lying on a later card of the same suit
    FILL,  # worth of filling an empty tableau pile rather than turning a card
    FILL_RESERVE,  # more if the card comes from a reserve
    FILL_OPENS,  # more if the card below can be played at once
    FILL_DIGS,  # more for a needed card below, fading with its effort and by `FILL_DEPTH` a card above it
    FILL_DEPTH,
    FILL_NEXT,  # more if the next higher card is open to follow
    FILL_HEIGHT,  # more for each card in the pile it leaves
    FILL_SPARE,  # more for each further empty pile
) = range(17)
# fmt: off
WEIGHTS: Final = (
    0.463, 1.04, 0.753, 0.0, -2.06, 0.093, -1.079, 0.149, 2.088, 3.8, 6.853, 2.673, 9.111, 0.937, 3.059, 0.138, 2.205,
)
# fmt: on
GREEDY: Final = (0.0,) * FILL + (1000.0, 1000.0) + (0.0,) * (15 - FILL)


class Scratch(NamedTuple):
    """Memory of kernels that play by the rule, see `scratch`.

    Attributes:
        speed: A factor on each suit's efforts; shape (4,).
        effort: See `_efforts`; shape (104,).
        moves: Choices; shape (32,).
        worth: Their worth; shape (32,).
        state: A position; shape (STATE_SIZE,).
        other: Another.
        line: Moves; shape (LONGEST,).
    """

    speed: Floats
    effort: Floats
    moves: Ints
    worth: Floats
    state: Bytes
    other: Bytes
    line: Ints


def scratch() -> Scratch:
    """New memory, its speeds 1."""
    return Scratch(
        np.ones(4), np.zeros(104), np.zeros(32, np.int64), np.zeros(32), np.zeros(STATE_SIZE, np.int8),
        np.zeros(STATE_SIZE, np.int8), np.zeros(LONGEST, np.int64),
    )  # fmt: skip


@kernel(makes_arrays=False)
def _efforts(state: Bytes, weights: Floats, speed: Floats, effort: Floats) -> None:
    """How much must happen before each kind of card goes up next; shape (52,), the distance to need.

    The efforts of all cards that its foundation takes before it are summed, each for the copy that is easier to reach.
    The order of the stock is not used, so that a player who has not seen it may play by this.
    """
    cost = effort[52:]
    for card in range(52):
        cost[card] = 1e9
    lying = weights[LYING]
    for t in range(4):
        o = TABLEAU_AT + 3 * t
        for j in range(state[o + 2]):
            cost[state[o] * 13 + (state[o + 1] + j) % 13] = lying
    for j in range(state[CENTRE_SIZE_AT]):
        cost[state[CENTRE_SUIT_AT] * 13 + j % 13] = lying
    for r in range(4):
        n = state[RESERVE_SIZE_AT + r]
        for j in range(n):
            card = state[RESERVE_AT + 10 * r + j]
            cost[card] = min(cost[card], lying + weights[UNDER_RESERVE] * (n - 1 - j))
    for w in range(5):
        n = state[WASTE_SIZE_AT + w]
        for j in range(n):
            card = state[WASTE_AT + 60 * w + j]
            cost[card] = min(cost[card], lying + weights[UNDER_WASTE] * (n - 1 - j))
    for k in range(state[STOCK_NEXT_AT], state[STOCK_END_AT]):
        card = state[STOCK_AT + k]
        cost[card] = min(cost[card], weights[IN_STOCK])
    for s in range(4):
        total = 0.0
        placed = state[FOUNDATION_AT + s]
        for k in range(placed, min(placed + 13, 26)):
            card = s * 13 + 12 - k % 13
            total += cost[card] * speed[s]
            effort[card] = total


@kernel(makes_arrays=False)
def plain_play(state: Bytes, first: Int) -> Int:
    """A play that is made whenever there is one, -1 if there is none: to a foundation, on the centre, on a run.

    Runs are built in the order in which the foundation takes them back, so all three keep every card within reach. Only
    a second copy on a run can hurt, which the choice between equal plays (the search begins at pile `first`) decides.
    """
    best, rank = -1, 0
    centre = top(state, CENTRE)
    for i in range(14):
        p = (first + i) % 14
        card = top(state, p)
        if card < 0:
            continue
        if goes_up(state, card):
            return p * 16 + FOUNDATION
        if p == CENTRE:
            continue
        if p < RESERVE:
            o = TABLEAU_AT + 3 * p
            if rank < 2 and centre >= 0 and state[o] * 13 + state[o + 1] == above(centre):
                best, rank = p * 16 + CENTRE + WHOLE, 2
            if state[o + 2] > 1:
                continue
        elif rank < 2 and centre >= 0 and card == above(centre):
            best, rank = p * 16 + CENTRE, 2
        if rank < 1:
            for t in range(4):
                below = top(state, t)
                if t != p and below >= 0 and card == above(below):
                    best, rank = p * 16 + t, 1
    return best


@kernel(makes_arrays=False)
def options(state: Bytes, weights: Floats, speed: Floats, effort: Floats, moves: Ints, worth: Floats) -> Int:
    """Choices once no plain play is left: start the centre, free a card that goes up, fill an empty pile.

    Args:
        state: The position; shape (STATE_SIZE,).
        weights: See `WEIGHTS`.
        speed: A factor on each suit's efforts; shape (4,).
        effort: Memory for `_efforts`; shape (104,).
        moves: Gets the choices, each the pile it takes from, times 16, and the pile it lies on; shape (32,).
        worth: Gets their worth; shape (32,).

    Returns:
        How many there are.

    Worked example. Of clubs and hearts the 2 and the ace are left. Either ace may start the centre (pile 13), or fill
    the last empty pile (3) and free the 2 below it, which goes up. Taken from a reserve (4) that is worth more than
    from a waste (8), and both are worth more than a start of the centre.

    >>> from solver.tomb_double import Position
    >>> from solver.tomb_double.solve import encode
    >>> left = "reserves: 2C AC | - | - | -; wastes: 2H AH | - | - | - | -"
    >>> position = Position.parse(f"foundations: C24 D26 H24 S26; {left}")
    >>> speed, effort, moves, worth, *_ = scratch()
    >>> k = options(encode(position), np.array(WEIGHTS), speed, effort, moves, worth)
    >>> [(*divmod(int(move), 16), round(float(value), 1)) for move, value in zip(moves[:k], worth, strict=False)]
    [(4, 13, 20.0), (8, 13, 20.0), (4, 3, 27.5), (8, 3, 21.0)]
    """
    k = 0
    empty, spare = -1, -1
    for t in range(4):
        if state[TABLEAU_AT + 3 * t + 2] == 0:
            empty = t
            spare += 1
    centre = top(state, CENTRE)
    if centre < 0:
        for p in range(CENTRE):
            card = top(state, p)
            if card >= 0 and card % 13 == 0 and (p >= RESERVE or state[TABLEAU_AT + 3 * p + 2] == 1):
                moves[k], worth[k] = p * 16 + CENTRE, 20.0
                k += 1
    if empty < 0:
        return k
    for p in range(4):
        o = TABLEAU_AT + 3 * p
        if state[o + 2] > 1 and goes_up(state, state[o] * 13 + (state[o + 1] + state[o + 2] - 2) % 13):
            moves[k], worth[k] = p * 16 + empty, 20.0
            k += 1
    _efforts(state, weights, speed, effort)
    for p in range(RESERVE, CENTRE):
        card = top(state, p)
        if card < 0:
            continue
        value = weights[FILL] + weights[FILL_SPARE] * spare
        if p < WASTE:
            value += weights[FILL_RESERVE]
            o, n = RESERVE_AT + 10 * (p - RESERVE), state[RESERVE_SIZE_AT + p - RESERVE]
        else:
            o, n = WASTE_AT + 60 * (p - WASTE), state[WASTE_SIZE_AT + p - WASTE]
        value += weights[FILL_HEIGHT] * n
        for q in range(RESERVE, CENTRE):
            if q != p and top(state, q) == above(card):
                value += weights[FILL_NEXT]
                break
        if n > 1:
            below = np.int64(state[o + n - 2])
            opens = goes_up(state, below) or below == above(card) or (centre < 0 and below % 13 == 0)
            for t in range(4):
                opens = opens or (t != empty and state[TABLEAU_AT + 3 * t + 2] > 0 and below == above(top(state, t)))
            if opens or (centre >= 0 and below == above(centre)):
                value += weights[FILL_OPENS]
        most, fade = 0.0, 1.0
        for j in range(n - 2, -1, -1):
            most = max(most, fade * exp(-effort[state[o + j]] * weights[FADE]))
            fade *= weights[FILL_DEPTH]
        moves[k], worth[k] = p * 16 + empty, value + weights[FILL_DIGS] * most
        k += 1
    return k


@kernel(makes_arrays=False)
def waste_options(state: Bytes, weights: Floats, speed: Floats, effort: Floats, moves: Ints, worth: Floats) -> Int:
    """The wastes that the stock's next card may go to; of several empty ones the first."""
    _efforts(state, weights, speed, effort)
    card = state[STOCK_AT + state[STOCK_NEXT_AT]]
    k = 0
    empty = False
    for w in range(state[REDEALS_AT] + 1):
        n = state[WASTE_SIZE_AT + w]
        value = weights[EMPTY_WASTE]
        if n == 0:
            if empty:
                continue
            empty = True
        else:
            value = 0.0
            soonest = 1e18
            for j in range(n):
                below = effort[state[WASTE_AT + 60 * w + j]]
                soonest = min(soonest, below)
                if below < effort[card]:
                    value -= weights[BURY] * exp(-below * weights[FADE])
            last = state[WASTE_AT + 60 * w + n - 1]
            if last // 13 == card // 13 and effort[last] >= effort[card]:
                value += weights[SAME_SUIT]
            if soonest >= effort[card]:
                value -= (soonest - effort[card]) * weights[GAP]
        moves[k], worth[k] = STOCK * 16 + WASTE + w, value
        k += 1
    return k


@kernel(makes_arrays=False)
def _pick(moves: Ints, worth: Floats, n: Int, heat: float, rng: Rng) -> tuple[Int, Rng]:
    """The most worthy of `n` moves at heat 0; otherwise one at random, likelier by exp(worth / heat)."""
    best, most = moves[0], -1e18
    for i in range(n):
        value = worth[i]
        if heat > 0.0:
            u, rng = uniform(rng)
            value -= heat * log(-log(u))
        if value > most:
            best, most = moves[i], value
    return best, rng


@kernel(makes_arrays=False)
def rollout(
    state: Bytes,
    weights: Floats,
    heat: float,
    rng: Rng,
    line: Ints,
    n: Int,
    limit: Int,
    first_pass: bool,
    memory: Scratch,
) -> tuple[Int, Rng]:
    """Plays on by the rule to the end, in place.

    Args:
        state: Changed in place.
        weights: The rule's weights; shape (17,).
        heat: 0 plays the rule as it is; more strays from it.
        rng: Random numbers.
        line: Takes the moves made; shape (LONGEST,).
        n: Moves that `line` holds already.
        limit: Play stops once `line` holds so many.
        first_pass: Whether to stop before the first redeal.
        memory: Its speeds count; choices are written there.

    Returns:
        How many moves `line` holds, and the random numbers' next state.
    """
    speed, effort, moves, worth = memory.speed, memory.effort, memory.moves, memory.worth
    while n < limit:
        bits, rng = next_u64(rng)
        move = plain_play(state, np.int64(bits >> np.uint64(40)) % 14)
        if move < 0:
            turns = state[STOCK_NEXT_AT] < state[STOCK_END_AT]
            k = options(state, weights, speed, effort, moves, worth)
            if turns or (state[REDEALS_AT] > 0 and not wastes_empty(state)):
                moves[k], worth[k] = -1, 0.0
                k += 1
            if k == 0:
                break
            move, rng = _pick(moves, worth, k, heat, rng)
            if move < 0 and not turns:
                if first_pass:
                    break
                move = REDEAL
            elif move < 0:
                k = waste_options(state, weights, speed, effort, moves, worth)
                move, rng = _pick(moves, worth, k, heat * 0.25, rng)
        apply(state, move)
        line[n] = move
        n += 1
    return n, rng
