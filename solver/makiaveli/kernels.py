"""Compiled win test: a search over ranks that remembers every state from which it found no win.

The table is read rank by rank. For each suit only its open runs matter, and how long they are. Lengths are capped at
three, because a run of three or more may end anywhere. That gives ten states a suit. Copies of a card go to sets, to
runs, and at the ace also to runs after the king. How many copies of a suit go to runs decides the step: short runs must
be extended, and extending a long one is never worse than ending it and starting anew.

An ace can stand after its king. That is decided at rank one, and the ace is used at rank fourteen. All such choices are
carried at once, as the bits of a mask.

Worked example. Clubs have one 3, one 4 and no 5. After the 3 one run of length 1 is open, after the 4 one of length 2.
At the 5 that run is too short to end, so this way is dead:

    >>> after_3 = _next_state(0, 1)
    >>> after_4 = _next_state(after_3, 1)
    >>> RUN_STATES[after_3], RUN_STATES[after_4], _next_state(after_4, 0) == DEAD
    ((1,), (2,), True)

Arrays of counts are uint8 of shape (52,), indexed as `Card.index`.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int
from solver.numeric.outcomes import FOUND, ILLEGAL, NOTHING, TABLE_FULL

RUN_STATES: Final = ((), (1,), (2,), (3,), (1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (3, 3))
"""The capped lengths of a suit's open runs, longest first."""

DEAD: Final = 15


def _next_state(state: int, used: int) -> int:
    """The suit's state once `used` copies of the next rank went to its runs, DEAD where a short run ends."""
    runs = RUN_STATES[state]
    if sum(length < 3 for length in runs) > used:
        return DEAD
    grown = [min(length + 1, 3) for length in sorted(runs)[:used]]
    return RUN_STATES.index(tuple(sorted(grown + [1] * (used - len(grown)), reverse=True)))


def _set_usages() -> tuple[tuple[int, ...], ...]:
    """The 21 ways in which copies of one rank make up no, one or two sets: copies used of each suit."""
    single = [tuple(int(suit != left_out) for suit in range(4)) for left_out in range(5)]
    pairs = [
        tuple(a + b for a, b in zip(one, two, strict=True)) for one, two in combinations_with_replacement(single, 2)
    ]
    return ((0, 0, 0, 0), *single, *pairs)


SET_USAGES: Final = _set_usages()

# The next state by copies used and state; sets of states are ten bits.
_AFTER = np.array([[_next_state(x, u) for x in range(10)] for u in range(3)])
# Which states lead into a given set of states by 0, 1 or 2 copies, as bits by set and state and as one word.
_LEADING = (_AFTER[:, None] != DEAD) & ((np.arange(1024)[:, None] >> _AFTER[:, None]) & 1 == 1)
_INTO = (_LEADING << np.arange(10)).sum(axis=2).astype(np.uint64)
# The same by any of the allowed numbers of copies (three bits).
_ENTER = np.bitwise_or.reduce(
    (np.arange(8)[:, None, None] >> np.arange(3)[:, None] & 1) * _INTO.astype(np.int64), axis=1
)
# For a set of states: by which numbers of copies each state (three bits of a word) leads into it.
_LEADS = (_LEADING << (3 * np.arange(10) + np.arange(3)[:, None, None])).sum(axis=(0, 2)).astype(np.uint64)
_EACH_STATE: Final = np.uint64(0o1111111111)
"""Times three bits: those bits for each state of a word of `_LEADS`."""
# The states of two suits after a rank, by copies used (four bits) and states before (eight bits).
_two_suits = np.zeros((4, 4, 16, 16), dtype=np.uint64)  # second suit, first suit, both for copies and for states
_two_suits[:3, :3, :10, :10] = _AFTER[None, :, None, :] | _AFTER[:, None, :, None] << 4
_NEXT_TWO = _two_suits.reshape(-1)
# Which numbers of high aces end all runs of a state well, three bits.
_ACES_END = np.array(
    [
        sum(1 << c for c in range(3) if (n := _next_state(x, c)) != DEAD and min(RUN_STATES[n], default=3) == 3)
        for x in range(10)
    ],
    dtype=np.uint64,
)
_START = np.array([RUN_STATES.index((1,) * used) for used in range(3)], dtype=np.uint64)

# For the copies there are of a rank (base three, clubs lowest): which of SET_USAGES they allow.
_USAGE = np.array(SET_USAGES, dtype=np.int64)
_USAGE_LIST = np.zeros((81, 21), dtype=np.int64)
_USAGE_COUNT = np.zeros(81, dtype=np.int64)
for _code in range(81):
    _have = [_code // 3**suit % 3 for suit in range(4)]
    _fits = [i for i, usage in enumerate(SET_USAGES) if all(a <= b for a, b in zip(usage, _have, strict=True))]
    _USAGE_LIST[_code, : len(_fits)] = _fits
    _USAGE_COUNT[_code] = len(_fits)


def _ways_of_ranks() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For each rank code (see `rank_code`): where its words begin, all words, and the union of its words.

    A word is a way to use the copies of a rank in runs such that sets take the rest that must be used: the copies of
    each suit as one bit of three (bits 0 to 11) and as two bits (bits 16 to 23).
    """
    pairs = [(need, total) for total in range(3) for need in range(total + 1)]
    fits = np.array(  # by need and total, copies in sets, copies in runs
        [[[v <= t and n - v <= u <= t - v for u in range(3)] for v in range(3)] for n, t in pairs]
    )
    # Digits run from spades to clubs, so that clubs are the lowest of a code.
    can = np.zeros((1296, 81), dtype=np.bool_)
    for usage in SET_USAGES:
        clubs, diamonds, hearts, spades = (fits[:, v] for v in usage)
        can |= np.einsum("ai,bj,ck,dl->abcdijkl", spades, hearts, diamonds, clubs).reshape(1296, 81)
    used = np.arange(81)[:, None] // 3 ** np.arange(4) % 3
    words = ((1 << used << 3 * np.arange(4)) | (used << 2 * np.arange(4) << 16)).sum(axis=1)
    codes, ways = np.nonzero(can[:, ::-1])
    first = np.searchsorted(codes, np.arange(1297))
    union = np.bitwise_or.reduce(np.where(can, words & 0xFFF, 0), axis=1)
    return first.astype(np.int64), words[::-1][ways].astype(np.int64), union.astype(np.int64)


_WORD_FIRST, _WORDS, _UNION = _ways_of_ranks()

TABLE_BITS: Final = 15
STACK: Final = 4096


def new_table(bits: int = TABLE_BITS) -> np.ndarray[Any, Any]:
    """An empty table of visited states: rows of key and mask, and a row 0 that holds the stamp of the last search."""
    return np.zeros((1 + (1 << bits), 2), dtype=np.uint64)


@kernel(inline=True)
def _bit_range(low: int, high: int) -> int:
    """The bits `low` to `high` of three, none where the range is empty."""
    if low < 0:
        low = 0
    if high > 2:
        high = 2
    if low > high:
        return 0
    return ((2 << high) - 1) & ~((1 << low) - 1)


@kernel(inline=True)
def rank_code(need: Array, total: Array, rank: Int) -> Int:
    """The number of copies needed and there of a rank's four cards, six ways each, clubs lowest; need <= total."""
    i = rank - 1
    t0, t1, t2, t3 = int(total[i]), int(total[i + 13]), int(total[i + 26]), int(total[i + 39])
    code = t3 * (t3 + 1) // 2 + int(need[i + 39])
    code = 6 * code + t2 * (t2 + 1) // 2 + int(need[i + 26])
    code = 6 * code + t1 * (t1 + 1) // 2 + int(need[i + 13])
    return 6 * code + t0 * (t0 + 1) // 2 + int(need[i])


@kernel(inline=True)
def _next_states(states: Int, word: Int) -> Int:
    """The states of all suits, four bits each, after the copies that a word puts into runs."""
    low = _NEXT_TWO[((word >> 16) & 15) << 8 | int(states & np.uint64(255))]
    high = _NEXT_TWO[((word >> 20) & 15) << 8 | int((states >> np.uint64(8)) & np.uint64(255))]
    return low | (high << np.uint64(8))


@kernel(inline=True)
def _refused(states: Int, allowed: Array) -> Int:
    """The numbers of copies in runs that the suits' states do not allow, as bits 0 to 11 of a word."""
    three, seven = np.uint64(3), np.uint64(7)
    may = (allowed[0] >> (three * (states & np.uint64(15)))) & seven
    may |= ((allowed[1] >> (three * ((states >> np.uint64(4)) & np.uint64(15)))) & seven) << three
    may |= ((allowed[2] >> (three * ((states >> np.uint64(8)) & np.uint64(15)))) & seven) << np.uint64(6)
    may |= ((allowed[3] >> (three * ((states >> np.uint64(12)) & np.uint64(15)))) & seven) << np.uint64(9)
    return np.int64(np.uint64(0xFFF) & ~may)


@kernel(inline=True)
def _high_aces(total: Array, suit: Int) -> Int:
    """How many runs of a suit may end with an ace after the king, at most."""
    return min(int(total[13 * suit]), int(total[13 * suit + 11]), int(total[13 * suit + 12]))


@kernel(inline=True)
def _ends_with(most: Int) -> Int:
    """The states after the king that end well with at most so many aces, ten bits."""
    mask = 0
    for x in range(10):
        if int(_ACES_END[x]) & ((2 << most) - 1):
            mask |= 1 << x
    return mask


@kernel()
def can_win(need: Array, total: Array, table: Array) -> Int:
    """Whether some table of valid melds uses of each card at least `need` and at most `total` copies.

    Args:
        need: Copies that must be used.
        total: Copies there are.
        table: From `new_table`; kept between calls.

    Returns:
        `FOUND`, `NOTHING` (proved) or `TABLE_FULL`.
    """
    codes = np.empty(14, dtype=np.int64)
    allowed = np.empty((14, 4), dtype=np.uint64)
    goal = np.empty(4, dtype=np.int64)
    for suit in range(4):
        goal[suit] = _ends_with(_high_aces(total, suit))
    for rank in range(13, 1, -1):
        code = rank_code(need, total, rank)
        codes[rank] = code
        union = _UNION[code]
        for suit in range(4):
            may = (union >> (3 * suit)) & 7
            allowed[rank, suit] = _LEADS[goal[suit]] & (np.uint64(may) * _EACH_STATE)
            goal[suit] = _ENTER[may, goal[suit]]
            if goal[suit] == 0:
                return NOTHING
    return _search(need, total, table, codes, allowed, goal)


@kernel()
def _search(need: Array, total: Array, table: Array, codes: Array, allowed: Array, goal: Array) -> Int:
    """The search from the aces on; see `can_win`."""
    # All ways to keep aces for after the king.
    ways = np.empty((81, 4), dtype=np.int64)
    n_ways = 0
    most = np.empty(4, dtype=np.int64)
    for suit in range(4):
        most[suit] = _high_aces(total, suit)
    for c0 in range(most[0] + 1):
        for c1 in range(most[1] + 1):
            for c2 in range(most[2] + 1):
                for c3 in range(most[3] + 1):
                    ways[n_ways, 0], ways[n_ways, 1], ways[n_ways, 2], ways[n_ways, 3] = c0, c1, c2, c3
                    n_ways += 1
    for first in range(0, n_ways, 64):
        found = _search_ways(need, total, table, codes, allowed, goal, ways[first : min(first + 64, n_ways)])
        if found != NOTHING:
            return found
    return NOTHING


@kernel()
def _spread_ways(ways: Array, with_aces: Array) -> None:
    """Fills `with_aces[suit, accepted]`, uint64 (4, 8): which ways keep an accepted number of that suit's aces."""
    for suit in range(4):
        kept = np.zeros(3, dtype=np.uint64)
        for i in range(len(ways)):
            kept[ways[i, suit]] |= np.uint64(1) << np.uint64(i)
        for accepted in range(8):
            for aces in range(3):
                if (accepted >> aces) & 1:
                    with_aces[suit, accepted] |= kept[aces]


@kernel(inline=True)
def _aces_accepted(state: Int, with_aces: Array) -> Int:
    """The ways to keep aces in which all runs end well from the states after the king."""
    fifteen = np.uint64(15)
    mask = with_aces[0, _ACES_END[state & fifteen]] & with_aces[1, _ACES_END[(state >> np.uint64(4)) & fifteen]]
    mask &= with_aces[2, _ACES_END[(state >> np.uint64(8)) & fifteen]]
    return mask & with_aces[3, _ACES_END[(state >> np.uint64(12)) & fifteen]]


@kernel(inline=True)
def _started(i: Int) -> Int:
    """The states after the aces, given how many runs begin in each suit, base three."""
    state = _START[i % 3] | (_START[i // 3 % 3] << np.uint64(4))
    return state | (_START[i // 9 % 3] << np.uint64(8)) | (_START[i // 27] << np.uint64(12))


@kernel()
def _begin(need: Array, total: Array, with_aces: Array, goal: Array, initial: Array) -> None:
    """Reads the aces: fills `initial`, uint64 (81,), with the ways in which so many runs begin in each suit."""
    # Rank one: copies in sets, at the start of runs and kept for after the king.
    t0, t1, t2, t3 = total[0], total[13], total[26], total[39]
    n0, n1, n2, n3 = need[0], need[13], need[26], need[39]
    code = t0 + 3 * t1 + 9 * t2 + 27 * t3
    for k in range(_USAGE_COUNT[code]):
        v = _USAGE_LIST[code, k]
        h0, h1, h2, h3 = t0 - _USAGE[v, 0], t1 - _USAGE[v, 1], t2 - _USAGE[v, 2], t3 - _USAGE[v, 3]
        l0, l1, l2, l3 = n0 - _USAGE[v, 0], n1 - _USAGE[v, 1], n2 - _USAGE[v, 2], n3 - _USAGE[v, 3]
        for u0 in range(h0 + 1):
            m0 = with_aces[0, _bit_range(l0 - u0, h0 - u0)]
            if m0 == 0 or not (goal[0] >> int(_START[u0])) & 1:
                continue
            for u1 in range(h1 + 1):
                m1 = m0 & with_aces[1, _bit_range(l1 - u1, h1 - u1)]
                if m1 == 0 or not (goal[1] >> int(_START[u1])) & 1:
                    continue
                for u2 in range(h2 + 1):
                    m2 = m1 & with_aces[2, _bit_range(l2 - u2, h2 - u2)]
                    if m2 == 0 or not (goal[2] >> int(_START[u2])) & 1:
                        continue
                    for u3 in range(h3 + 1):
                        m3 = m2 & with_aces[3, _bit_range(l3 - u3, h3 - u3)]
                        if m3 == 0 or not (goal[3] >> int(_START[u3])) & 1:
                            continue
                        initial[u0 + 3 * u1 + 9 * u2 + 27 * u3] |= m3


@kernel()
def _search_ways(
    need: Array, total: Array, table: Array, codes: Array, allowed: Array, goal: Array, ways: Array
) -> Int:
    """The search for at most 64 ways to keep aces."""
    one = np.uint64(1)
    with_aces = np.zeros((4, 8), dtype=np.uint64)
    _spread_ways(ways, with_aces)
    stack = np.empty((STACK, 2), dtype=np.uint64)
    height = 0
    stamp = table[0, 0] + one
    table[0, 0] = stamp
    size = len(table) - 1
    room = size // 2
    initial = np.zeros(81, dtype=np.uint64)
    _begin(need, total, with_aces, goal, initial)
    for i in range(81):
        if initial[i] != 0:
            stack[height, 0] = _started(i) | np.uint64(1 << 16)
            stack[height, 1] = initial[i]
            height += 1
    visited = 0
    while height > 0:
        height -= 1
        state = stack[height, 0]
        mask = stack[height, 1]
        rank = int(state >> np.uint64(16)) + 1
        if rank == 14:
            if mask & _aces_accepted(state, with_aces) != 0:
                return FOUND
            continue
        not_may = _refused(state, allowed[rank])
        for k in range(_WORD_FIRST[codes[rank]], _WORD_FIRST[codes[rank] + 1]):
            word = _WORDS[k]
            if word & not_may:
                continue
            after = _next_states(state, word) | np.uint64(rank << 16)
            key = (stamp << np.uint64(20)) | after
            slot = int((after * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) & (size - 1)
            fresh = mask
            while True:
                there = table[slot + 1, 0]
                if there == key:
                    fresh = mask & ~table[slot + 1, 1]
                    table[slot + 1, 1] |= mask
                    break
                if (there >> np.uint64(20)) != stamp:
                    table[slot + 1, 0] = key
                    table[slot + 1, 1] = mask
                    visited += 1
                    break
                slot = (slot + 1) & (size - 1)
            if fresh != 0:
                if visited > room or height >= STACK:
                    return TABLE_FULL
                stack[height, 0] = after
                stack[height, 1] = fresh
                height += 1
    table[0, 1] = np.uint64(visited)
    return NOTHING


SET: Final = 4
"""What stands in place of the suit in a row that describes a set."""


@kernel()
def count_cards(seen: Array, floor: Array, hand: Array, total: Array, sets_and_runs: Array) -> bool:
    """Counts the cards of a table; whether it keeps to the rules.

    Args:
        seen: uint8, one byte each: number of floor melds, cross cards and hand cards, whether bad melds may stay;
            then the length of each meld; then the indices of all floor, cross and hand cards.
        floor: uint8 (52,), gets the floor's counts.
        hand: uint8 (52,), gets the hand's counts.
        total: uint8 (52,), gets the counts of all cards.
        sets_and_runs: int64 (n, 3), gets the melds: runs as (suit, first, last), sets as (4, rank, mask of suits),
            loose cards as (-1, 0, 0).

    Worked example. Two melds lie on the floor, 7C 7D 7H and QS KS AS, and a further 7C is in the hand. Clubs are the
    cards 0 to 12, diamonds 13 to 25, and so on.

    >>> from solver.numeric.jit import interpreted
    >>> floor, hand, total = (np.zeros(52, np.uint8) for _ in range(3))
    >>> melds = np.zeros((2, 3), np.int64)
    >>> seen = np.array([2, 0, 1, 0, 3, 3, 6, 19, 32, 50, 51, 39, 6], np.uint8)
    >>> interpreted(count_cards)(seen, floor, hand, total, melds), melds.tolist(), int(total[6])
    (True, [[4, 7, 7], [3, 12, 14]], 2)
    """
    floor[:] = 0
    hand[:] = 0
    total[:] = 0
    melds, in_cross, in_hand, repair = int(seen[0]), int(seen[1]), int(seen[2]), int(seen[3])
    place = 4 + melds
    for m in range(melds):
        size = int(seen[4 + m])
        suits = 0
        ranks = 0
        for i in range(place, place + size):
            card = int(seen[i])
            suits |= 1 << (card // 13)
            ranks |= 2 << (card % 13)
            floor[card] += 1
        first = 0
        rank = 0
        n_ranks = 0
        n_suits = 0
        for r in range(1, 14):
            if (ranks >> r) & 1:
                n_ranks += 1
                rank = r
                if first == 0:
                    first = r
        for s in range(4):
            n_suits += (suits >> s) & 1
        sets_and_runs[m, 0] = -1
        sets_and_runs[m, 1] = 0
        sets_and_runs[m, 2] = 0
        if size >= 3 and n_ranks == 1 and n_suits == size:
            sets_and_runs[m, 0] = SET
            sets_and_runs[m, 1] = rank
            sets_and_runs[m, 2] = suits
        elif size >= 3 and n_suits == 1 and n_ranks == size:
            if rank - first != size - 1 and first == 1:
                ranks = (ranks & ~2) | (1 << 14)
                rank = 14
                first = 2
                while not (ranks >> first) & 1:
                    first += 1
            if rank - first == size - 1:
                suit = 0
                while suits >> suit != 1:
                    suit += 1
                sets_and_runs[m, 0] = suit
                sets_and_runs[m, 1] = first
                sets_and_runs[m, 2] = rank
        if sets_and_runs[m, 0] < 0 and not repair:
            return False
        place += size
    for i in range(place, place + in_cross):
        total[seen[i]] += 1
    place += in_cross
    for i in range(place, place + in_hand):
        hand[seen[i]] += 1
    for card in range(52):
        total[card] += floor[card] + hand[card]
        if total[card] > 2:
            return False
    return True


@kernel()
def judge_table(seen: Array, table: Array) -> Int:
    """Whether the whole hand of a table (see `count_cards`) can be played, as `can_win` says it, or `ILLEGAL`."""
    floor = np.empty(52, dtype=np.uint8)
    hand = np.empty(52, dtype=np.uint8)
    total = np.empty(52, dtype=np.uint8)
    melds = np.empty((max(1, int(seen[0])), 3), dtype=np.int64)
    if not count_cards(seen, floor, hand, total, melds):
        return ILLEGAL
    for card in range(52):
        floor[card] += hand[card]
    return can_win(floor, total, table)


@kernel(nogil=True)
def win_each(floor: Array, cross: Array, hand: Array, table: Array, out: Array) -> None:
    """Writes for each row of counts, uint8 (n, 52), what `can_win` says."""
    need = np.empty(52, dtype=np.uint8)
    total = np.empty(52, dtype=np.uint8)
    for row in range(len(floor)):
        for card in range(52):
            need[card] = floor[row, card] + hand[row, card]
            total[card] = need[card] + cross[row, card]
        out[row] = can_win(need, total, table)
