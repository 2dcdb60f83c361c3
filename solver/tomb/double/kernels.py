"""Compiled play and search. Private to this package: callers validate.

A state is one int8 array of `SIZE` bytes. Cards are `13 * suit + rank - 1`. A tableau pile and the centre are runs of
one suit, so suit, lowest card and size say all. A move is `16 * source + target`, plus `WHOLE` for a whole pile; piles
are numbered 0-3 T, 4-7 R, 8-12 W, 13 C, 14 F as target and S as source; `REDEAL` is a number of its own.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from solver.rng import State as Rng
from solver.rng import next_u64, seeded

Int: TypeAlias = Any  # Python's int outside, NumPy's inside a kernel
Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]

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
"""No rollout takes so many moves: 5 x 60 turns, 4 redeals, and each card moves at most four times besides."""

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
"""The baseline: makes every play there is, fills from the reserves first, and else chooses blindly."""

LOST, WON, OPEN = range(3)
"""What `prove` found."""


@njit(cache=True)
def uniform(rng: Rng) -> tuple[float, Rng]:
    """A number between 0 and 1, both excluded, and the next state."""
    bits, rng = next_u64(rng)
    return (np.float64(bits >> np.uint64(11)) + 0.5) * (1.0 / 9007199254740992.0), rng


@njit(cache=True)
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


@njit(cache=True)
def _above(card: Int) -> Int:
    """The card that may lie on `card`: one rank higher, ace on king."""
    return card - 12 if card % 13 == 12 else card + 1


@njit(cache=True)
def _goes_up(state: Bytes, card: Int) -> bool:
    placed = state[F + card // 13]
    return bool(placed < 26 and 12 - placed % 13 == card % 13)


@njit(cache=True)
def _wastes_empty(state: Bytes) -> bool:
    return bool(state[W_SIZE : W_SIZE + 5].max() == 0)


@njit(cache=True)
def on_foundations(state: Bytes) -> Int:
    """How many cards lie on the foundations; 104 is a win."""
    return np.int64(state[F]) + state[F + 1] + state[F + 2] + state[F + 3]


@njit(cache=True)
def legal(state: Bytes, move: Int) -> bool:
    """Whether the rules allow a move."""
    source, target = (move >> 4) & 15, move & 15
    if source == 15:
        return bool(state[S_NEXT] == state[S_END] and state[REDEALS] > 0 and not _wastes_empty(state))
    if source == STOCK:
        return bool(state[S_NEXT] < state[S_END] and 0 <= target - WASTE <= state[REDEALS])
    if move & WHOLE:
        o = T + 3 * source
        centre = top(state, CENTRE)
        return bool(state[o + 2] > 0 and centre >= 0 and state[o] * 13 + state[o + 1] == _above(centre))
    card = top(state, source)
    if card < 0 or source == target:
        return False
    if target == FOUNDATION:
        return _goes_up(state, card)
    if source == CENTRE:
        return False
    below = top(state, target)
    if below < 0:
        return bool(target != CENTRE or card % 13 == 0)
    return bool(card == _above(below))


@njit(cache=True)
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


@njit(cache=True)
def _efforts(state: Bytes, weights: Floats, speed: Floats, effort: Floats) -> None:
    """How much must happen before each kind of card goes up next; shape (52,), the distance to need.

    The efforts of all cards that its foundation takes before it are summed, each for the copy that is easier to reach.
    The order of the stock is not used, so that a player who has not seen it may play by this.
    """
    cost = effort[52:]
    cost[:] = 1e9
    lying = weights[LYING]
    for t in range(4):
        o = T + 3 * t
        for j in range(state[o + 2]):
            cost[state[o] * 13 + (state[o + 1] + j) % 13] = lying
    for j in range(state[C_SIZE]):
        cost[state[C_SUIT] * 13 + j % 13] = lying
    for r in range(4):
        n = state[R_SIZE + r]
        for j in range(n):
            card = state[R + 10 * r + j]
            cost[card] = min(cost[card], lying + weights[UNDER_RESERVE] * (n - 1 - j))
    for w in range(5):
        n = state[W_SIZE + w]
        for j in range(n):
            card = state[W + 60 * w + j]
            cost[card] = min(cost[card], lying + weights[UNDER_WASTE] * (n - 1 - j))
    for k in range(state[S_NEXT], state[S_END]):
        card = state[S + k]
        cost[card] = min(cost[card], weights[IN_STOCK])
    for s in range(4):
        total = 0.0
        placed = state[F + s]
        for k in range(placed, min(placed + 13, 26)):
            card = s * 13 + 12 - k % 13
            total += cost[card] * speed[s]
            effort[card] = total


@njit(cache=True)
def _plain_play(state: Bytes, first: Int) -> Int:
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
        if _goes_up(state, card):
            return p * 16 + FOUNDATION
        if p == CENTRE:
            continue
        if p < RESERVE:
            o = T + 3 * p
            if rank < 2 and centre >= 0 and state[o] * 13 + state[o + 1] == _above(centre):
                best, rank = p * 16 + CENTRE + WHOLE, 2
            if state[o + 2] > 1:
                continue
        elif rank < 2 and centre >= 0 and card == _above(centre):
            best, rank = p * 16 + CENTRE, 2
        if rank < 1:
            for t in range(4):
                below = top(state, t)
                if t != p and below >= 0 and card == _above(below):
                    best, rank = p * 16 + t, 1
    return best


@njit(cache=True)
def _options(state: Bytes, weights: Floats, speed: Floats, effort: Floats, moves: Ints, worth: Floats) -> Int:
    """Choices once no plain play is left: start the centre, free a card that goes up, fill an empty pile."""
    k = 0
    empty, spare = -1, -1
    for t in range(4):
        if state[T + 3 * t + 2] == 0:
            empty = t
            spare += 1
    centre = top(state, CENTRE)
    if centre < 0:
        for p in range(CENTRE):
            card = top(state, p)
            if card >= 0 and card % 13 == 0 and (p >= RESERVE or state[T + 3 * p + 2] == 1):
                moves[k], worth[k] = p * 16 + CENTRE, 20.0
                k += 1
    if empty < 0:
        return k
    for p in range(4):
        o = T + 3 * p
        if state[o + 2] > 1 and _goes_up(state, state[o] * 13 + (state[o + 1] + state[o + 2] - 2) % 13):
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
            o, n = R + 10 * (p - RESERVE), state[R_SIZE + p - RESERVE]
        else:
            o, n = W + 60 * (p - WASTE), state[W_SIZE + p - WASTE]
        value += weights[FILL_HEIGHT] * n
        for q in range(RESERVE, CENTRE):
            if q != p and top(state, q) == _above(card):
                value += weights[FILL_NEXT]
                break
        if n > 1:
            below = np.int64(state[o + n - 2])
            opens = _goes_up(state, below) or below == _above(card) or (centre < 0 and below % 13 == 0)
            for t in range(4):
                opens = opens or (t != empty and state[T + 3 * t + 2] > 0 and below == _above(top(state, t)))
            if opens or (centre >= 0 and below == _above(centre)):
                value += weights[FILL_OPENS]
        most, fade = 0.0, 1.0
        for j in range(n - 2, -1, -1):
            most = max(most, fade * exp(-effort[state[o + j]] * weights[FADE]))
            fade *= weights[FILL_DEPTH]
        moves[k], worth[k] = p * 16 + empty, value + weights[FILL_DIGS] * most
        k += 1
    return k


@njit(cache=True)
def _wastes(state: Bytes, weights: Floats, speed: Floats, effort: Floats, moves: Ints, worth: Floats) -> Int:
    """The wastes that the stock's next card may go to; of several empty ones the first."""
    _efforts(state, weights, speed, effort)
    card = state[S + state[S_NEXT]]
    k = 0
    empty = False
    for w in range(state[REDEALS] + 1):
        n = state[W_SIZE + w]
        value = weights[EMPTY_WASTE]
        if n == 0:
            if empty:
                continue
            empty = True
        else:
            value = 0.0
            soonest = 1e18
            for j in range(n):
                below = effort[state[W + 60 * w + j]]
                soonest = min(soonest, below)
                if below < effort[card]:
                    value -= weights[BURY] * exp(-below * weights[FADE])
            last = state[W + 60 * w + n - 1]
            if last // 13 == card // 13 and effort[last] >= effort[card]:
                value += weights[SAME_SUIT]
            if soonest >= effort[card]:
                value -= (soonest - effort[card]) * weights[GAP]
        moves[k], worth[k] = STOCK * 16 + WASTE + w, value
        k += 1
    return k


@njit(cache=True)
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


@njit(cache=True)
def rollout(
    state: Bytes,
    weights: Floats,
    speed: Floats,
    heat: float,
    rng: Rng,
    line: Ints,
    n: Int,
    limit: Int,
    first_pass: bool,
) -> tuple[Int, Rng]:
    """Plays on by the rule to the end, in place.

    Args:
        state: Changed in place.
        weights: The rule's weights; shape (17,).
        speed: A factor on each suit's efforts; shape (4,).
        heat: 0 plays the rule as it is; more strays from it.
        rng: Random numbers.
        line: Takes the moves made; shape (LONGEST,).
        n: Moves that `line` holds already.
        limit: Play stops once `line` holds so many.
        first_pass: Whether to stop before the first redeal.

    Returns:
        How many moves `line` holds, and the random numbers' next state.
    """
    effort = np.zeros(104)
    moves = np.zeros(32, np.int64)
    worth = np.zeros(32)
    while n < limit:
        bits, rng = next_u64(rng)
        move = _plain_play(state, np.int64(bits >> np.uint64(40)) % 14)
        if move < 0:
            turns = state[S_NEXT] < state[S_END]
            k = _options(state, weights, speed, effort, moves, worth)
            if turns or (state[REDEALS] > 0 and not _wastes_empty(state)):
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
                k = _wastes(state, weights, speed, effort, moves, worth)
                move, rng = _pick(moves, worth, k, heat * 0.25, rng)
        apply(state, move)
        line[n] = move
        n += 1
    return n, rng


@njit(cache=True)
def _stray(speed: Floats, most: float, rng: Rng) -> tuple[float, Rng]:
    """A random heat up to `most`, and random factors on the suits: what makes one try differ from the next."""
    for s in range(4):
        u, rng = uniform(rng)
        speed[s] = exp(1.2 * (u - 0.5))
    u, rng = uniform(rng)
    return most * u, rng


@njit(cache=True)
def restarts(
    start: Bytes, weights: Floats, heat: float, tries: Int, more: Int, seed: np.uint64, line: Ints
) -> tuple[Int, Int]:
    """Rollouts from the start until one wins, then `more` to find a shorter win.

    Returns:
        Tries made, and the length of the winning line in `line`, 0 where none won.
    """
    rng = seeded(seed)
    speed = np.ones(4)
    state = start.copy()
    trial = np.zeros(LONGEST, np.int64)
    best = 0
    k = 0
    while k < tries:
        warmth = 0.0
        if k > 0:
            warmth, rng = _stray(speed, heat, rng)
        state[:] = start
        n, rng = rollout(state, weights, speed, warmth, rng, trial, 0, best if best else LONGEST, False)
        k += 1
        if on_foundations(state) == 104:
            if best == 0:
                tries = k + more
            line[:n] = trial[:n]
            best = n
            if n == 0:
                break
    return k, best


@njit(cache=True)
def nested(
    start: Bytes, weights: Floats, heat: float, each: Int, budget: Int, seed: np.uint64, line: Ints
) -> tuple[Int, Int]:
    """One game in which every choice is tried out with `each` rollouts; the first rollout that wins ends it.

    Returns:
        Rollouts made, and the length of the winning line in `line`, 0 where none won.
    """
    rng = seeded(seed)
    speed = np.ones(4)
    effort = np.zeros(104)
    moves = np.zeros(32, np.int64)
    worth = np.zeros(32)
    state = start.copy()
    trial = start.copy()
    n = 0
    made = 0
    while made < budget and n < LONGEST:
        bits, rng = next_u64(rng)
        move = _plain_play(state, np.int64(bits >> np.uint64(40)) % 14)
        if move < 0:
            k = _options(state, weights, speed, effort, moves, worth)
            if state[S_NEXT] < state[S_END]:
                k += _wastes(state, weights, speed, effort, moves[k:], worth[k:])
            elif state[REDEALS] > 0 and not _wastes_empty(state):
                moves[k] = REDEAL
                k += 1
            if k == 0:
                break
            move = moves[0]
            most = -1.0
            for c in range(k):
                if k == 1:
                    break
                total, rng = uniform(rng)
                for _ in range(each):
                    trial[:] = state
                    apply(trial, moves[c])
                    line[n] = moves[c]
                    warmth, rng = _stray(speed, heat, rng)
                    length, rng = rollout(trial, weights, speed, warmth, rng, line, n + 1, LONGEST, False)
                    made += 1
                    placed = on_foundations(trial)
                    if placed == 104:
                        return made, length
                    total += placed
                if total > most:
                    move, most = moves[c], total
            speed[:] = 1.0
        apply(state, move)
        line[n] = move
        n += 1
    return made, n if on_foundations(state) == 104 else 0


@njit(cache=True)
def shorten(start: Bytes, line: Ints, n: Int) -> Int:
    """Leaves out detours: a card that goes to a tableau pile stays where it is until it leaves that pile again.

    Returns:
        The new length of `line`, which still wins.
    """
    here = start.copy()
    state = start.copy()
    trial = np.zeros(LONGEST, np.int64)
    i = 0
    while i < n:
        move = line[i]
        source, target = (move >> 4) & 15, move & 15
        if source < CENTRE and target < RESERVE and not move & WHOLE:
            leaves = _leaves(here, line, i, n, state)
            state[:] = here
            k = i
            for j in range(i + 1, n):
                later = line[j] if j != leaves else source * 16 + (line[j] & 15)
                if leaves < 0 or not legal(state, later):
                    break
                apply(state, later)
                trial[k] = later
                k += 1
            if k == n - 1 and on_foundations(state) == 104:
                line[i:k] = trial[i:k]
                n = k
                continue
        apply(here, move)
        i += 1
    return n


@njit(cache=True)
def _leaves(here: Bytes, line: Ints, i: Int, n: Int, state: Bytes) -> Int:
    """When the card that move `i` puts on a tableau pile leaves it by itself, -1 if never; `state` is overwritten."""
    state[:] = here
    apply(state, line[i])
    pile = line[i] & 15
    height = state[T + 3 * pile + 2]
    for j in range(i + 1, n):
        if (line[j] >> 4) & 15 == pile:
            if line[j] & WHOLE:
                return -1
            if state[T + 3 * pile + 2] == height:
                return j
        apply(state, line[j])
    return -1


@njit(cache=True)
def hidden_games(starts: Bytes, weights: Floats, heat: float, tries: Int, seeds: Words, lengths: Ints) -> None:
    """Games of a player who has not seen the stock but remembers every card that was turned.

    The first pass is played by the rule, which does not look into the stock. From the first redeal on the order of
    the stock is known, and the player thinks ahead.

    Args:
        starts: Positions; shape (games, SIZE).
        weights: The rule's weights.
        heat: How far the rollouts stray from the rule; with no `tries`, how far the player does.
        tries: Rollouts that start anew; 0 plays on by the rule to the end.
        seeds: One for each game.
        lengths: Takes the moves of each won game, -1 for a lost one; shape (games,).
    """
    line = np.zeros(LONGEST, np.int64)
    speed = np.ones(4)
    for g in range(len(starts)):
        rng = seeded(seeds[g])
        state = starts[g].copy()
        known, rng = rollout(state, weights, speed, 0.0 if tries else heat, rng, line, 0, LONGEST, bool(tries > 0))
        n = 0
        if tries > 0 and on_foundations(state) < 104:
            n = restarts(state, weights, heat, tries, 0, ~seeds[g], line)[1]
        lengths[g] = known + n if n > 0 or on_foundations(state) == 104 else -1


@njit(cache=True)
def _digest(state: Bytes, factor: np.uint64) -> np.uint64:
    """A hash of all that matters; tableau piles, and wastes once no redeal is left, count in any order."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for i in range(4):
        h = (h ^ np.uint64(state[F + i])) * factor
        h = (h ^ np.uint64(state[R_SIZE + i])) * factor
    h = (h ^ np.uint64(state[REDEALS])) * factor
    h = (h ^ np.uint64(state[C_SIZE] * 4 + state[C_SUIT] if state[C_SIZE] else 0)) * factor
    for k in range(state[S_NEXT], state[S_END]):
        h = (h ^ np.uint64(state[S + k] + 1)) * factor
        h ^= h >> np.uint64(29)
    piles = np.uint64(0)
    for t in range(4):
        o = T + 3 * t
        if state[o + 2]:
            x = np.uint64(np.int64(state[o]) * 416 + np.int64(state[o + 1]) * 32 + state[o + 2] + 7) * factor
            x ^= x >> np.uint64(31)
            x *= factor
            piles += x ^ (x >> np.uint64(27))
    for w in range(5):
        x = np.uint64(w + 1 if state[REDEALS] else 1)
        for j in range(state[W_SIZE + w]):
            x = (x ^ np.uint64(state[W + 60 * w + j] + 1)) * factor
            x ^= x >> np.uint64(29)
        x *= factor
        piles += x ^ (x >> np.uint64(32))
    h = (h ^ piles) * factor
    return h ^ (h >> np.uint64(30))


@njit(cache=True)
def _all_moves(state: Bytes, moves: Ints) -> Int:
    """Every move that a complete search must try, the most promising last.

    A play to a foundation that holds its first thirteen cards or more is safe, and then the only move tried. Proof: it
    plays the last copy c of its card, and all cards that could lie on c are on the foundation too, unless c is a king.
    Take a line that wins from here without playing c at once. Play c first, then follow that line, leaving out the
    moves of c: no card ever lies on c but turned cards of a waste, which lie there without c as well; piles without c
    only accept more. If c is a king, the line may lay the last ace of the suit on it in a tableau pile: then the
    cards below c, queen and down in suit, follow c to the foundation, and the ace finds the pile empty. (The centre
    plays no part: one of this suit would hold a third ace.)

    Left out because another move gives the same position but for the order of the tableau piles: all empty piles but
    one, and moving a pile's only card to an empty pile. Once no redeal is left this holds for empty wastes too.
    """
    k = 0
    for p in range(CENTRE, -1, -1):
        card = top(state, p)
        if card >= 0 and state[F + card // 13] >= 13 and _goes_up(state, card):
            moves[0] = p * 16 + FOUNDATION
            return 1
    if state[S_NEXT] == state[S_END] and state[REDEALS] > 0 and not _wastes_empty(state):
        moves[k] = REDEAL
        k += 1
    if state[S_NEXT] < state[S_END]:
        empty = False
        for w in range(state[REDEALS], -1, -1):
            if state[W_SIZE + w] == 0 and state[REDEALS] == 0:
                if empty:
                    continue
                empty = True
            moves[k] = STOCK * 16 + WASTE + w
            k += 1
    empty_pile = -1
    for t in range(4):
        if state[T + 3 * t + 2] == 0:
            empty_pile = t
    for p in range(CENTRE):
        if top(state, p) < 0:
            continue
        alone = p < RESERVE and state[T + 3 * p + 2] == 1
        if empty_pile >= 0 and not alone:
            moves[k] = p * 16 + empty_pile
            k += 1
        for t in range(4):
            if state[T + 3 * t + 2] > 0 and legal(state, p * 16 + t):
                moves[k] = p * 16 + t
                k += 1
        if legal(state, p * 16 + CENTRE):
            moves[k] = p * 16 + CENTRE
            k += 1
        if p < RESERVE and not alone and legal(state, p * 16 + CENTRE + WHOLE):
            moves[k] = p * 16 + CENTRE + WHOLE
            k += 1
    for p in range(CENTRE + 1):
        card = top(state, p)
        if card >= 0 and _goes_up(state, card):
            moves[k] = p * 16 + FOUNDATION
            k += 1
    return k


@njit(cache=True)
def prove(start: Bytes, budget: Int, line: Ints) -> tuple[Int, Int, Int]:
    """A complete depth-first search of up to `budget` positions.

    Visited positions are remembered by 128 bits of hash: in a table of 2^20 the chance of one confusion is below 1e-26.

    Returns:
        `WON`, `LOST` (a proof) or `OPEN`; positions visited; the length of the winning line in `line`.
    """
    bits = 10
    while (1 << bits) < 2 * budget:
        bits += 1
    mask = np.uint64((1 << bits) - 1)
    table = np.zeros((1 << bits, 2), np.uint64)
    states = np.zeros((LONGEST + 1, len(start)), np.int8)
    moves = np.zeros((LONGEST + 1, 96), np.int64)
    left = np.zeros(LONGEST + 1, np.int64)
    states[0] = start
    left[0] = _all_moves(start, moves[0])
    depth = 0
    visited = 1
    if on_foundations(start) == 104:
        return WON, visited, 0
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        move = moves[depth, left[depth]]
        if depth == LONGEST:
            return OPEN, visited, 0
        child = states[depth + 1]
        child[:] = states[depth]
        apply(child, move)
        line[depth] = move
        if on_foundations(child) == 104:
            return WON, visited, depth + 1
        one = _digest(child, np.uint64(0xD6E8FEB86659FD93)) | np.uint64(1)
        two = _digest(child, np.uint64(0xA0761D6478BD642F))
        slot = (one >> np.uint64(7)) & mask
        known = False
        while table[slot, 0] != 0:
            if table[slot, 0] == one and table[slot, 1] == two:
                known = True
                break
            slot = (slot + np.uint64(1)) & mask
        if known:
            continue
        if visited >= budget:
            return OPEN, visited, 0
        table[slot, 0] = one
        table[slot, 1] = two
        visited += 1
        depth += 1
        left[depth] = _all_moves(child, moves[depth])
    return LOST, visited, 0
