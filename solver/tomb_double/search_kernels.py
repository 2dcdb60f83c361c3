"""Compiled searches: many games by the playing rule with random exceptions, and shortening of winning lines."""

from __future__ import annotations

from math import exp

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Bytes, Floats, Int, Ints, Words
from solver.numeric.random_numbers import State as Rng
from solver.numeric.random_numbers import next_u64, seeded, uniform
from solver.tomb_double.kernels import (
    CENTRE,
    LONGEST,
    REDEAL,
    REDEALS_AT,
    RESERVE,
    STOCK_END_AT,
    STOCK_NEXT_AT,
    TABLEAU_AT,
    WHOLE,
    apply,
    copy,
    legal,
    on_foundations,
    wastes_empty,
)
from solver.tomb_double.playing_rule_kernels import Scratch, options, plain_play, rollout, scratch, waste_options


@kernel(makes_arrays=False)
def _stray(speed: Floats, most: float, rng: Rng) -> tuple[float, Rng]:
    """A random heat up to `most`, and random factors on the suits: what makes one try differ from the next."""
    for s in range(4):
        u, rng = uniform(rng)
        speed[s] = exp(1.2 * (u - 0.5))
    u, rng = uniform(rng)
    return most * u, rng


def restarts(
    start: Bytes, weights: Floats, heat: float, tries: int, more: int, seed: np.uint64, line: Ints
) -> tuple[int, int]:
    """Rollouts from the start until one wins, then `more` to find a shorter win.

    Returns:
        Tries made, and the length of the winning line in `line`, 0 where none won.
    """
    found: tuple[int, int] = _restarts(start, weights, heat, tries, more, seed, line, scratch())
    return found


@kernel(makes_arrays=False)
def _restarts(
    start: Bytes, weights: Floats, heat: float, tries: Int, more: Int, seed: np.uint64, line: Ints, memory: Scratch
) -> tuple[Int, Int]:
    """`restarts` with its memory, whose speeds are 1."""
    rng = seeded(seed)
    state, trial = memory.state, memory.line
    best = 0
    k = 0
    while k < tries:
        warmth = 0.0
        if k > 0:
            warmth, rng = _stray(memory.speed, heat, rng)
        copy(start, state)
        n, rng = rollout(state, weights, warmth, rng, trial, 0, best if best else LONGEST, False, memory)
        k += 1
        if on_foundations(state) == 104:
            if best == 0:
                tries = k + more
            for i in range(n):
                line[i] = trial[i]
            best = n
            if n == 0:
                break
    return k, best


def nested(
    start: Bytes, weights: Floats, heat: float, each: int, budget: int, seed: np.uint64, line: Ints
) -> tuple[int, int]:
    """One game in which every choice is tried out with `each` rollouts; the first rollout that wins ends it.

    Returns:
        Rollouts made, and the length of the winning line in `line`, 0 where none won.
    """
    found: tuple[int, int] = _nested(start.copy(), weights, heat, each, budget, seed, line, scratch(), scratch())
    return found


@kernel(makes_arrays=False)
def _nested(
    state: Bytes, weights: Floats, heat: float, each: Int, budget: Int, seed: np.uint64, line: Ints, memory: Scratch,
    rollouts: Scratch,
) -> tuple[Int, Int]:  # fmt: skip
    """`nested` with memory for itself and its rollouts, all speeds 1; `state` is changed in place."""
    rng = seeded(seed)
    speed, effort, moves, worth, trial = memory.speed, memory.effort, memory.moves, memory.worth, memory.other
    n = 0
    made = 0
    while made < budget and n < LONGEST:
        bits, rng = next_u64(rng)
        move = plain_play(state, np.int64(bits >> np.uint64(40)) % 14)
        if move < 0:
            k = options(state, weights, speed, effort, moves, worth)
            if state[STOCK_NEXT_AT] < state[STOCK_END_AT]:
                k += waste_options(state, weights, speed, effort, moves[k:], worth[k:])
            elif state[REDEALS_AT] > 0 and not wastes_empty(state):
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
                    copy(state, trial)
                    apply(trial, moves[c])
                    line[n] = moves[c]
                    warmth, rng = _stray(rollouts.speed, heat, rng)
                    length, rng = rollout(trial, weights, warmth, rng, line, n + 1, LONGEST, False, rollouts)
                    made += 1
                    placed = on_foundations(trial)
                    if placed == 104:
                        return made, length
                    total += placed
                if total > most:
                    move, most = moves[c], total
        apply(state, move)
        line[n] = move
        n += 1
    return made, n if on_foundations(state) == 104 else 0


def hidden_games(starts: Bytes, weights: Floats, heat: float, tries: int, seeds: Words, lengths: Ints) -> None:
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
    _hidden_games(starts, weights, heat, tries, seeds, lengths, line, scratch(), scratch())


@kernel(makes_arrays=False)
def _hidden_games(
    starts: Bytes, weights: Floats, heat: float, tries: Int, seeds: Words, lengths: Ints, line: Ints, memory: Scratch,
    retries: Scratch,
) -> None:  # fmt: skip
    """`hidden_games` with memory for the player, whose speeds are 1, and for thinking ahead."""
    state = memory.state
    for g in range(len(starts)):
        rng = seeded(seeds[g])
        copy(starts[g], state)
        known, rng = rollout(state, weights, 0.0 if tries else heat, rng, line, 0, LONGEST, tries > 0, memory)
        n = 0
        if tries > 0 and on_foundations(state) < 104:
            for suit in range(4):
                retries.speed[suit] = 1.0
            n = _restarts(state, weights, heat, tries, 0, ~seeds[g], line, retries)[1]
        lengths[g] = known + n if n > 0 or on_foundations(state) == 104 else -1


def shorten(start: Bytes, line: Ints, n: int) -> int:
    """Leaves out detours: a card that goes to a tableau pile stays where it is until it leaves that pile again.

    Returns:
        The new length of `line`, which still wins.
    """
    return int(_shorten(start.copy(), line, n, np.zeros_like(start), np.zeros(LONGEST, np.int64)))


@kernel(makes_arrays=False)
def _shorten(here: Bytes, line: Ints, n: Int, state: Bytes, trial: Ints) -> Int:
    """`shorten` with its memory; `here` is changed in place."""
    i = 0
    while i < n:
        move = line[i]
        source, target = (move >> 4) & 15, move & 15
        if source < CENTRE and target < RESERVE and not move & WHOLE:
            leaves = _leaves(here, line, i, n, state)
            copy(here, state)
            k = i
            for j in range(i + 1, n):
                later = line[j] if j != leaves else source * 16 + (line[j] & 15)
                if leaves < 0 or not legal(state, later):
                    break
                apply(state, later)
                trial[k] = later
                k += 1
            if k == n - 1 and on_foundations(state) == 104:
                for j in range(i, k):
                    line[j] = trial[j]
                n = k
                continue
        apply(here, move)
        i += 1
    return n


@kernel(makes_arrays=False)
def _leaves(here: Bytes, line: Ints, i: Int, n: Int, state: Bytes) -> Int:
    """When the card that move `i` puts on a tableau pile leaves it by itself, -1 if never; `state` is overwritten."""
    copy(here, state)
    apply(state, line[i])
    pile = line[i] & 15
    height = state[TABLEAU_AT + 3 * pile + 2]
    for j in range(i + 1, n):
        if (line[j] >> 4) & 15 == pile:
            if line[j] & WHOLE:
                return -1
            if state[TABLEAU_AT + 3 * pile + 2] == height:
                return j
        apply(state, line[j])
    return -1
