"""The compiled complete search of a position: a win, or the proof that there is none."""

from __future__ import annotations

import numpy as np

from solver.numeric.hash_table import slot_of_pair
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Bytes, Int, Ints, Words
from solver.numeric.outcomes import FOUND, NOTHING, OPEN
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
    apply,
    copy,
    goes_up,
    legal,
    on_foundations,
    top,
    wastes_empty,
)


@kernel(makes_arrays=False)
def _digest(state: Bytes, factor: np.uint64) -> np.uint64:
    """A hash of all that matters; tableau piles, and wastes once no redeal is left, count in any order."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for i in range(4):
        h = (h ^ np.uint64(state[FOUNDATION_AT + i])) * factor
        h = (h ^ np.uint64(state[RESERVE_SIZE_AT + i])) * factor
    h = (h ^ np.uint64(state[REDEALS_AT])) * factor
    h = (h ^ np.uint64(state[CENTRE_SIZE_AT] * 4 + state[CENTRE_SUIT_AT] if state[CENTRE_SIZE_AT] else 0)) * factor
    for k in range(state[STOCK_NEXT_AT], state[STOCK_END_AT]):
        h = (h ^ np.uint64(state[STOCK_AT + k] + 1)) * factor
        h ^= h >> np.uint64(29)
    piles = np.uint64(0)
    for t in range(4):
        o = TABLEAU_AT + 3 * t
        if state[o + 2]:
            x = np.uint64(np.int64(state[o]) * 416 + np.int64(state[o + 1]) * 32 + state[o + 2] + 7) * factor
            x ^= x >> np.uint64(31)
            x *= factor
            piles += x ^ (x >> np.uint64(27))
    for w in range(5):
        x = np.uint64(w + 1 if state[REDEALS_AT] else 1)
        for j in range(state[WASTE_SIZE_AT + w]):
            x = (x ^ np.uint64(state[WASTE_AT + 60 * w + j] + 1)) * factor
            x ^= x >> np.uint64(29)
        x *= factor
        piles += x ^ (x >> np.uint64(32))
    h = (h ^ piles) * factor
    return h ^ (h >> np.uint64(30))


@kernel(makes_arrays=False)
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
        if card >= 0 and state[FOUNDATION_AT + card // 13] >= 13 and goes_up(state, card):
            moves[0] = p * 16 + FOUNDATION
            return 1
    k = _stock_moves(state, moves, k)
    empty_pile = -1
    for t in range(4):
        if state[TABLEAU_AT + 3 * t + 2] == 0:
            empty_pile = t
    for p in range(CENTRE):
        if top(state, p) >= 0:
            k = _moves_of_pile(state, p, empty_pile, moves, k)
    for p in range(CENTRE + 1):
        card = top(state, p)
        if card >= 0 and goes_up(state, card):
            moves[k] = p * 16 + FOUNDATION
            k += 1
    return k


@kernel(makes_arrays=False)
def _stock_moves(state: Bytes, moves: Ints, k: Int) -> Int:
    """Adds the redeal, or the wastes that the stock's next card may be turned onto."""
    if state[STOCK_NEXT_AT] == state[STOCK_END_AT] and state[REDEALS_AT] > 0 and not wastes_empty(state):
        moves[k] = REDEAL
        k += 1
    if state[STOCK_NEXT_AT] < state[STOCK_END_AT]:
        empty = False
        for w in range(state[REDEALS_AT], -1, -1):
            if state[WASTE_SIZE_AT + w] == 0 and state[REDEALS_AT] == 0:
                if empty:
                    continue
                empty = True
            moves[k] = STOCK * 16 + WASTE + w
            k += 1
    return k


@kernel(makes_arrays=False)
def _moves_of_pile(state: Bytes, p: Int, empty_pile: Int, moves: Ints, k: Int) -> Int:
    """Adds the moves of a pile that is not empty to the tableau and the centre; `empty_pile` is -1 for none."""
    alone = p < RESERVE and state[TABLEAU_AT + 3 * p + 2] == 1
    if empty_pile >= 0 and not alone:
        moves[k] = p * 16 + empty_pile
        k += 1
    for t in range(4):
        if state[TABLEAU_AT + 3 * t + 2] > 0 and legal(state, p * 16 + t):
            moves[k] = p * 16 + t
            k += 1
    if legal(state, p * 16 + CENTRE):
        moves[k] = p * 16 + CENTRE
        k += 1
    if p < RESERVE and not alone and legal(state, p * 16 + CENTRE + WHOLE):
        moves[k] = p * 16 + CENTRE + WHOLE
        k += 1
    return k


def prove(start: Bytes, budget: int, line: Ints) -> tuple[int, int, int]:
    """A complete depth-first search of up to `budget` positions.

    Visited positions are remembered by 128 bits of hash: in a table of 2^20 the chance of one confusion is below 1e-26.

    Returns:
        `FOUND`, `NOTHING` (a proof) or `OPEN`; positions visited; the length of the winning line in `line`.
    """
    table = np.zeros((1 << (2 * budget).bit_length(), 2), np.uint64)
    states = np.zeros((LONGEST + 1, STATE_SIZE), np.int8)
    states[0] = start
    moves = np.zeros((LONGEST + 1, 96), np.int64)
    found: tuple[int, int, int] = _prove(budget, line, table, states, moves, np.zeros(LONGEST + 1, np.int64))
    return found


@kernel(makes_arrays=False)
def _prove(budget: Int, line: Ints, table: Words, states: Bytes, moves: Ints, left: Ints) -> tuple[Int, Int, Int]:
    """`prove` with its memory: positions seen, and for each depth the position, its moves, and how many are left."""
    left[0] = _all_moves(states[0], moves[0])
    depth = 0
    visited = 1
    if on_foundations(states[0]) == 104:
        return FOUND, visited, 0
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        move = moves[depth, left[depth]]
        if depth == LONGEST:
            return OPEN, visited, 0
        child = states[depth + 1]
        copy(states[depth], child)
        apply(child, move)
        line[depth] = move
        if on_foundations(child) == 104:
            return FOUND, visited, depth + 1
        one = _digest(child, np.uint64(0xD6E8FEB86659FD93)) | np.uint64(1)
        two = _digest(child, np.uint64(0xA0761D6478BD642F))
        slot = slot_of_pair(table[:, 0], table[:, 1], one, two)
        if table[slot, 0] != 0:
            continue
        if visited >= budget:
            return OPEN, visited, 0
        table[slot, 0] = one
        table[slot, 1] = two
        visited += 1
        depth += 1
        left[depth] = _all_moves(child, moves[depth])
    return NOTHING, visited, 0
