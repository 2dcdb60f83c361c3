"""Compiled loops: all deals of a shoe counted, and rounds dealt at random.

Both return the tally that `solver.baccarat.tally.Tally` wraps, an int64 array of `CELLS` numbers: twelve cells
`3 * row + cards in the round - 4` with the rows player, banker with any points but six, tie, banker with six; then
player pairs and banker pairs. Worked example: a tie after five cards is row 2 and so cell 3 * 2 + 5 - 4 = 7.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from solver.baccarat.rules import BANKER_DRAWS, STOOD
from solver.numeric.jit import kernel
from solver.numeric.random_numbers import State, below, next_u64, seeded

Int = int | np.int64
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

CELLS: Final = 14
PLAYER_PAIR: Final = 12
BANKER_PAIR: Final = 13

_DRAWS: Final = np.zeros((10, 11), np.uint8)
_DRAWS[:8] = BANKER_DRAWS

_BITS: Final = np.uint64(21)
_MASK: Final = np.uint64((1 << 21) - 1)
_1, _2, _3, _4, _5, _7, _9, _15 = (np.uint64(n) for n in (1, 2, 3, 4, 5, 7, 9, 15))


@kernel()
def count_deals(values: Ints, put_back: int) -> Ints:
    """Counts the ordered deals of six cards by the round they make, over all deals there are.

    A round that ends with four or five cards counts every way that the cards behind it can lie.

    Args:
        values: Number of cards of value 0 to 9; shape (10,). The sixth power of the sum must fit 63 bits.
        put_back: 0 to deal without replacement, 1 with.

    Returns:
        The tally without the pairs (those cells are 0); shape (CELLS,).
    """
    tally = np.zeros(CELLS, np.int64)
    left = values.copy()
    taken = 1 - put_back
    size = values.sum()
    ways_5 = size - 5 * taken
    ways_4 = (size - 4 * taken) * ways_5
    for p0 in range(10):
        w0 = left[p0]
        left[p0] -= taken
        for p1 in range(10):
            w1 = w0 * left[p1]
            if w1 <= 0:
                continue
            left[p1] -= taken
            player = (p0 + p1) % 10
            for b0 in range(10):
                w2 = w1 * left[b0]
                if w2 <= 0:
                    continue
                left[b0] -= taken
                for b1 in range(10):
                    w3 = w2 * left[b1]
                    if w3 <= 0:
                        continue
                    left[b1] -= taken
                    banker = (b0 + b1) % 10
                    if player >= 8 or banker >= 8:
                        tally[_cell(player, banker, 0)] += w3 * ways_4
                    elif player > 5:
                        if _DRAWS[banker, STOOD]:
                            for c in range(10):
                                tally[_cell(player, (banker + c) % 10, 1)] += w3 * left[c] * ways_5
                        else:
                            tally[_cell(player, banker, 0)] += w3 * ways_4
                    else:
                        for c in range(10):
                            w4 = w3 * left[c]
                            if w4 <= 0:
                                continue
                            third = (player + c) % 10
                            if _DRAWS[banker, c]:
                                left[c] -= taken
                                for d in range(10):
                                    tally[_cell(third, (banker + d) % 10, 2)] += w4 * left[d]
                                left[c] += taken
                            else:
                                tally[_cell(third, banker, 1)] += w4 * ways_5
                    left[b1] += taken
                left[b0] += taken
            left[p1] += taken
        left[p0] += taken
    return tally


@kernel(inline=True)
def _cell(player: int, banker: int, drawn: Int) -> Int:
    """The tally's cell for these final points and number of third cards."""
    banker_won = np.int64(banker > player)
    row = banker_won + 2 * np.int64(banker == player) + 2 * (banker_won & np.int64(banker == 6))
    return 3 * row + drawn


def _round_tables() -> tuple[npt.NDArray[np.uint16], Bytes]:
    """The tableau as two tables, so that a round takes two look-ups and no branch that a processor could not predict.

    Returns:
        `first[player * 512 + banker * 16 + fifth card]` for the sums of either hand's two cards (0 to 18): in its three
        low bits the cards of the round, 4 to 6; the rest leads to `last[rest + sixth card]`, the tally's cell.
    """
    first = np.zeros((32, 32, 16), np.uint16)
    last = np.repeat(np.arange(12), 10).astype(np.uint8).tolist()  # rounds that are over with five cards or fewer
    places: dict[tuple[int, int], int] = {}
    cell = cast(Any, _cell).py_func  # not worth compiling for a few hundred cells
    for player_sum, banker_sum, card in np.ndindex(19, 19, 10):
        player, banker = player_sum % 10, banker_sum % 10
        nobody_draws = player >= 8 or banker >= 8
        player_draws = not nobody_draws and player <= 5
        banker_draws = not nobody_draws and BANKER_DRAWS[banker][card if player_draws else STOOD]
        drawn = player_draws + banker_draws
        player_end = (player + card) % 10 if player_draws else player
        if drawn == 2:
            place = places.setdefault((player_end, banker), len(last))
            if place == len(last):
                last += [int(cell(player_end, (banker + sixth) % 10, 2)) for sixth in range(10)]
        else:
            place = 10 * int(cell(player_end, (banker + card) % 10 if banker_draws else banker, drawn))
        first[player_sum, banker_sum, card] = 8 * place + 4 + drawn
    return first.ravel(), np.array(last, np.uint8)


_FIRST, _LAST = _round_tables()


@kernel(inline=True)
def _play(
    v0: np.uint64, v1: np.uint64, v2: np.uint64, v3: np.uint64, v4: np.uint64, v5: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The tally's cell and the number of cards of the round that six values in dealing order make."""
    entry = np.uint64(_FIRST[((v0 + v2) << _9) + ((v1 + v3) << _4) + v4])
    return np.uint64(_LAST[(entry >> _3) + v5]), entry & _7


@kernel(nogil=True)
def fresh_rounds(cards: Bytes, replaced: bool, rounds: int, block: int, seed: np.uint64) -> Ints:
    """Deals `rounds` rounds, each from the whole shoe.

    Six cards come from two random numbers, three of 21 bits each; a deal with a card twice, or with bits that would
    favour some cards, is thrown away whole, which leaves all others exactly as likely as each other.

    Args:
        cards: The shoe: each card's rank, 1 to 13; any order; at most 2^20 cards.
        replaced: Whether a card may come twice (an infinite shoe).
        rounds: How many to deal.
        block: Size of the blocks that are tallied apart, for a plot.
        seed: Of the stream.

    Returns:
        One tally a block; shape (ceil(rounds / block), CELLS).
    """
    tallies = np.zeros(((rounds + block - 1) // block, CELLS), np.int64)
    values = np.empty(cards.size, np.uint64)
    for i in range(cards.size):
        values[i] = np.uint64(cards[i] if cards[i] < 10 else 0)
    n = np.uint64(cards.size)
    unfair = (_MASK + _1) % n
    state = seeded(seed)
    for b in range(tallies.shape[0]):
        tally = tallies[b]
        player_pairs = banker_pairs = 0
        for _ in range(min(block, rounds - b * block)):
            while True:
                x, state = next_u64(state)
                y, state = next_u64(state)
                m0 = (x & _MASK) * n
                m1 = ((x >> _BITS) & _MASK) * n
                m2 = ((x >> (_BITS + _BITS)) & _MASK) * n
                m3 = (y & _MASK) * n
                m4 = ((y >> _BITS) & _MASK) * n
                m5 = ((y >> (_BITS + _BITS)) & _MASK) * n
                least = min(min(m0 & _MASK, m1 & _MASK), min(m2 & _MASK, m3 & _MASK))
                least = min(least, min(m4 & _MASK, m5 & _MASK))
                c0, c1, c2 = m0 >> _BITS, m1 >> _BITS, m2 >> _BITS
                c3, c4, c5 = m3 >> _BITS, m4 >> _BITS, m5 >> _BITS
                twice = (c0 == c1) | (c0 == c2) | (c0 == c3) | (c0 == c4) | (c0 == c5) | (c1 == c2) | (c1 == c3)
                twice |= (c1 == c4) | (c1 == c5) | (c2 == c3) | (c2 == c4) | (c2 == c5) | (c3 == c4) | (c3 == c5)
                twice |= c4 == c5
                if least >= unfair and (replaced or not twice):
                    break
            cell, _ = _play(values[c0], values[c1], values[c2], values[c3], values[c4], values[c5])
            tally[cell] += 1
            player_pairs += cards[c0] == cards[c2]
            banker_pairs += cards[c1] == cards[c3]
        tally[PLAYER_PAIR] = player_pairs
        tally[BANKER_PAIR] = banker_pairs
    return tallies


@kernel(nogil=True)
def shoe_rounds(cards: Bytes, cut: int, rounds: int, block: int, seed: np.uint64) -> tuple[Ints, Ints]:
    """Deals `rounds` rounds from whole shoes: a round begins while more than `cut` cards are left.

    Args:
        cards: The shoe: each card's rank, 1 to 13; any order.
        cut: Cards behind the cut card, 6 or more, so that a round that has begun can always end.
        rounds: How many to deal; the last shoe is left where they end.
        block: Size of the blocks that are tallied apart, for a plot.
        seed: Of the stream.

    Returns:
        One tally a block, shape (ceil(rounds / block), CELLS); and sums over shoes that tell how much rounds of one
        shoe hang together, shape (8,): shoes, sum of n^2 and, for player, banker and tie, sum of o * n, then of o^2,
        where a shoe of n rounds has o of the outcome.
    """
    tallies = np.zeros(((rounds + block - 1) // block, CELLS), np.int64)
    sums = np.zeros(8, np.int64)
    tally = np.zeros(CELLS, np.int64)
    before_block = tally.copy()
    before_shoe = tally.copy()
    deck = np.empty(cards.size, np.uint8)
    for i in range(cards.size):
        deck[i] = cards[i] if cards[i] < 10 else (cards[i] - 9) << 4  # the points in the low four bits
    stop = np.uint64(cards.size - cut)  # no round begins here or later
    within_reach = min(cards.size - 1, cards.size - cut + 5)
    used = stop
    state = seeded(seed)
    for b in range(tallies.shape[0]):
        player_pairs = banker_pairs = 0
        for _ in range(min(block, rounds - b * block)):
            if used >= stop:
                _close_shoe(tally, before_shoe, sums)
                state = _shuffle_front(deck, within_reach, state)
                used = np.uint64(0)
            c0, c1, c2 = np.uint64(deck[used]), np.uint64(deck[used + _1]), np.uint64(deck[used + _2])
            c3, c4, c5 = np.uint64(deck[used + _3]), np.uint64(deck[used + _4]), np.uint64(deck[used + _5])
            player_pairs += c0 == c2
            banker_pairs += c1 == c3
            cell, dealt = _play(c0 & _15, c1 & _15, c2 & _15, c3 & _15, c4 & _15, c5 & _15)
            tally[cell] += 1
            used += dealt
        tally[PLAYER_PAIR] += player_pairs
        tally[BANKER_PAIR] += banker_pairs
        tallies[b] = tally - before_block
        before_block[:] = tally
    _close_shoe(tally, before_shoe, sums)
    return tallies, sums


@kernel()
def _shuffle_front(deck: Bytes, count: int, state: State) -> State:
    """Puts random cards in the first `count` places (fewer than there are cards), every order as likely as any other.

    Fisher-Yates, three places of 21 bits each from one random number; a number with bits that would favour some places
    is thrown away whole. Returns the generator's next state.
    """
    n = np.uint64(deck.size)
    place = np.uint64(0)
    for _ in range(count // 3):
        while True:
            bits, state = next_u64(state)
            m0 = (bits & _MASK) * n
            m1 = ((bits >> _BITS) & _MASK) * (n - _1)
            m2 = ((bits >> (_BITS + _BITS)) & _MASK) * (n - _2)
            if min(m0 & _MASK, m1 & _MASK, m2 & _MASK) >= n:
                break
            words = _MASK + _1  # as many values as 21 bits have; what is left over would favour some places
            fair = (m0 & _MASK) >= words % n
            fair &= (m1 & _MASK) >= words % (n - _1)
            if fair and (m2 & _MASK) >= words % (n - _2):
                break
        for other in (place + (m0 >> _BITS), place + _1 + (m1 >> _BITS), place + _2 + (m2 >> _BITS)):
            card = deck[other]
            deck[other] = deck[place]
            deck[place] = card
            place += _1
        n -= _3
    for _ in range(count % 3):
        chosen, state = below(n, state)
        other = place + chosen
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
        place += _1
        n -= _1
    return state


@kernel()
def _close_shoe(tally: Ints, before_shoe: Ints, sums: Ints) -> None:
    rows = (tally - before_shoe)[:12].reshape(4, 3).sum(axis=1)
    rounds = rows.sum()
    if rounds == 0:
        return
    rows[1] += rows[3]
    sums[0] += 1
    sums[1] += rounds * rounds
    for outcome in range(3):
        sums[2 + outcome] += rows[outcome] * rounds
        sums[5 + outcome] += rows[outcome] * rows[outcome]
    before_shoe[:] = tally
