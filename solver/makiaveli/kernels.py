"""Compiled win test: a search over ranks that remembers every state it has left in vain.

The table is read rank by rank. Of each suit it matters only which runs are open and how long they are, capped at
three, because a run of three may end anywhere: ten states a suit. Copies of a card go to sets, to runs, and at the
ace also to runs after the king. Given how many copies of a suit go to runs the step is forced: short runs must be
extended, and extending a long one is never worse than ending it and starting anew.

Which aces stand after their king is decided at rank one and paid for at rank fourteen; all ways are carried at once
as the bits of a mask.

Arrays of counts are uint8 of shape (52,), indexed as `Card.index`.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np
from numba import njit

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

# Next states, four bits a state, one word for 0, 1 and 2 copies.
_NEXT = np.array([sum(_next_state(x, u) << (4 * x) for x in range(10)) for u in range(3)], dtype=np.uint64)
# Which states lead into a given set of states by 0, 1 or 2 copies; sets of states are ten bits.
_INTO = np.array(
    [
        [sum(1 << x for x in range(10) if (n := _next_state(x, u)) != DEAD and goal >> n & 1) for goal in range(1024)]
        for u in range(3)
    ],
    dtype=np.uint64,
)
# Ten bits spread to every third bit.
_SPREAD = np.array([sum(1 << (3 * x) for x in range(10) if m >> x & 1) for m in range(1024)], dtype=np.uint64)
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

TABLE_BITS: Final = 15
STACK: Final = 4096


def new_table(bits: int = TABLE_BITS) -> np.ndarray[Any, Any]:
    """An empty table of visited states: rows of key and mask, and a row 0 that holds the stamp of the last search."""
    return np.zeros((1 + (1 << bits), 2), dtype=np.uint64)


@njit(cache=True, inline="always")
def _bit_range(low: int, high: int) -> int:
    """The bits `low` to `high` of three, none where the range is empty."""
    if low < 0:
        low = 0
    if high > 2:
        high = 2
    if low > high:
        return 0
    return ((2 << high) - 1) & ~((1 << low) - 1)


@njit(cache=True)
def _rank_options(need, total, rank, options, start):  # type: ignore[no-untyped-def]
    """Writes the ways to use a rank's copies in runs, one word each, and gives their number and union.

    A word holds the copies of each suit as one bit of three (bits 0 to 11) and as two bits (bits 16 to 23).
    """
    t0, t1, t2, t3 = total[rank - 1], total[rank + 12], total[rank + 25], total[rank + 38]
    n0, n1, n2, n3 = need[rank - 1], need[rank + 12], need[rank + 25], need[rank + 38]
    code = t0 + 3 * t1 + 9 * t2 + 27 * t3
    count = 0
    union = 0
    exact = t0 == n0 and t1 == n1 and t2 == n2 and t3 == n3
    for k in range(_USAGE_COUNT[code]):
        v = _USAGE_LIST[code, k]
        h0, h1, h2, h3 = t0 - _USAGE[v, 0], t1 - _USAGE[v, 1], t2 - _USAGE[v, 2], t3 - _USAGE[v, 3]
        if exact:
            word = (1 << h0) | (8 << h1) | (64 << h2) | (512 << h3)
            word |= (h0 << 16) | (h1 << 18) | (h2 << 20) | (h3 << 22)
            options[start + count] = word
            count += 1
            union |= word
            continue
        for u0 in range(max(0, n0 - _USAGE[v, 0]), h0 + 1):
            for u1 in range(max(0, n1 - _USAGE[v, 1]), h1 + 1):
                for u2 in range(max(0, n2 - _USAGE[v, 2]), h2 + 1):
                    for u3 in range(max(0, n3 - _USAGE[v, 3]), h3 + 1):
                        word = (1 << u0) | (8 << u1) | (64 << u2) | (512 << u3)
                        word |= (u0 << 16) | (u1 << 18) | (u2 << 20) | (u3 << 22)
                        known = False
                        for i in range(start, start + count):
                            if options[i] == word:
                                known = True
                                break
                        if not known:
                            options[start + count] = word
                            count += 1
                            union |= word
    return count, union & 0xFFF


@njit(cache=True)
def can_win(need, total, table):  # type: ignore[no-untyped-def]
    """Whether some table of valid melds uses of each card at least `need` and at most `total` copies.

    Args:
        need: Copies that must be used.
        total: Copies there are.
        table: From `new_table`; kept between calls.

    Returns:
        1 yes, 0 no, -1 the table is too small.
    """
    options = np.empty((14, 81), dtype=np.int64)
    counts = np.empty(14, dtype=np.int64)
    allowed = np.empty((14, 4), dtype=np.uint64)
    goal = np.empty(4, dtype=np.int64)
    for suit in range(4):
        aces = min(total[13 * suit], total[13 * suit + 11], total[13 * suit + 12])
        mask = 0
        for x in range(10):
            if int(_ACES_END[x]) & ((2 << aces) - 1):
                mask |= 1 << x
        goal[suit] = mask
    for rank in range(13, 1, -1):
        flat = options[rank]
        count, union = _rank_options(need, total, rank, flat, 0)
        counts[rank] = count
        for suit in range(4):
            may = (union >> (3 * suit)) & 7
            into = 0
            word = 0
            for used in range(3):
                if (may >> used) & 1:
                    sources = int(_INTO[used, goal[suit]])
                    into |= sources
                    word |= int(_SPREAD[sources]) << used
            if into == 0:
                return 0
            goal[suit] = into
            allowed[rank, suit] = word
    return _search(need, total, table, options, counts, allowed, goal)


@njit(cache=True)
def _search(need, total, table, options, counts, allowed, goal):  # type: ignore[no-untyped-def]
    """The search from the aces on; see `can_win`."""
    # All ways to keep aces for after the king.
    ways = np.empty((81, 4), dtype=np.int64)
    n_ways = 0
    most = np.empty(4, dtype=np.int64)
    for suit in range(4):
        most[suit] = min(total[13 * suit], total[13 * suit + 11], total[13 * suit + 12])
    for c0 in range(most[0] + 1):
        for c1 in range(most[1] + 1):
            for c2 in range(most[2] + 1):
                for c3 in range(most[3] + 1):
                    ways[n_ways, 0], ways[n_ways, 1], ways[n_ways, 2], ways[n_ways, 3] = c0, c1, c2, c3
                    n_ways += 1
    for first in range(0, n_ways, 64):
        found = _search_ways(need, total, table, options, counts, allowed, goal, ways[first : min(first + 64, n_ways)])
        if found != 0:
            return found
    return 0


@njit(cache=True)
def _search_ways(need, total, table, options, counts, allowed, goal, ways):  # type: ignore[no-untyped-def]
    """The search for at most 64 ways to keep aces."""
    one = np.uint64(1)
    with_aces = np.zeros((4, 8), dtype=np.uint64)
    for i in range(len(ways)):
        for suit in range(4):
            for accepted in range(8):
                if (accepted >> ways[i, suit]) & 1:
                    with_aces[suit, accepted] |= one << np.uint64(i)
    stack = np.empty((STACK, 2), dtype=np.uint64)
    height = 0
    stamp = table[0, 0] + one
    table[0, 0] = stamp
    size = len(table) - 1
    room = size // 2
    # Rank one: copies in sets, at the start of runs and kept for after the king.
    t0, t1, t2, t3 = total[0], total[13], total[26], total[39]
    n0, n1, n2, n3 = need[0], need[13], need[26], need[39]
    code = t0 + 3 * t1 + 9 * t2 + 27 * t3
    initial = np.zeros(81, dtype=np.uint64)
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
    for i in range(81):
        if initial[i] != 0:
            state = _START[i % 3] | (_START[i // 3 % 3] << np.uint64(4))
            state |= (_START[i // 9 % 3] << np.uint64(8)) | (_START[i // 27] << np.uint64(12))
            stack[height, 0] = state | np.uint64(1 << 16)
            stack[height, 1] = initial[i]
            height += 1
    visited = 0
    while height > 0:
        height -= 1
        state = stack[height, 0]
        mask = stack[height, 1]
        rank = int(state >> np.uint64(16)) + 1
        x0 = state & np.uint64(15)
        x1 = (state >> np.uint64(4)) & np.uint64(15)
        x2 = (state >> np.uint64(8)) & np.uint64(15)
        x3 = (state >> np.uint64(12)) & np.uint64(15)
        if rank == 14:
            mask &= with_aces[0, _ACES_END[x0]] & with_aces[1, _ACES_END[x1]]
            mask &= with_aces[2, _ACES_END[x2]] & with_aces[3, _ACES_END[x3]]
            if mask != 0:
                return 1
            continue
        three = np.uint64(3)
        may = (allowed[rank, 0] >> (three * x0)) & np.uint64(7)
        may |= ((allowed[rank, 1] >> (three * x1)) & np.uint64(7)) << np.uint64(3)
        may |= ((allowed[rank, 2] >> (three * x2)) & np.uint64(7)) << np.uint64(6)
        may |= ((allowed[rank, 3] >> (three * x3)) & np.uint64(7)) << np.uint64(9)
        not_may = np.int64(0xFFF & ~may)
        s0, s1, s2, s3 = x0 << np.uint64(2), x1 << np.uint64(2), x2 << np.uint64(2), x3 << np.uint64(2)
        fifteen = np.uint64(15)
        for k in range(counts[rank]):
            word = options[rank, k]
            if word & not_may:
                continue
            after = (_NEXT[(word >> 16) & 3] >> s0) & fifteen
            after |= ((_NEXT[(word >> 18) & 3] >> s1) & fifteen) << np.uint64(4)
            after |= ((_NEXT[(word >> 20) & 3] >> s2) & fifteen) << np.uint64(8)
            after |= ((_NEXT[(word >> 22) & 3] >> s3) & fifteen) << np.uint64(12)
            after |= np.uint64(rank << 16)
            key = (stamp << np.uint64(20)) | after
            slot = int((after * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) & (size - 1)
            fresh = mask
            while True:
                held = table[slot + 1, 0]
                if held == key:
                    fresh = mask & ~table[slot + 1, 1]
                    table[slot + 1, 1] |= mask
                    break
                if (held >> np.uint64(20)) != stamp:
                    table[slot + 1, 0] = key
                    table[slot + 1, 1] = mask
                    visited += 1
                    break
                slot = (slot + 1) & (size - 1)
            if fresh != 0:
                if visited > room or height >= STACK:
                    return -1
                stack[height, 0] = after
                stack[height, 1] = fresh
                height += 1
    table[0, 1] = np.uint64(visited)
    return 0


SET: Final = 4
"""What stands in place of the suit in a row that describes a set."""

ILLEGAL: Final = -2


@njit(cache=True)
def counted(seen, floor, hand, total, sets_and_runs):  # type: ignore[no-untyped-def]
    """Counts the cards of a table and checks it.

    Args:
        seen: uint8, one byte each: number of floor melds, cross cards and hand cards, whether bad melds may stay;
            then the length of each meld; then the indices of all floor, cross and hand cards.
        floor: uint8 (52,), gets the floor's counts.
        hand: uint8 (52,), gets the hand's counts.
        total: uint8 (52,), gets the counts of all cards.
        sets_and_runs: int64 (n, 3), gets the melds: runs as (suit, first, last), sets as (4, rank, mask of suits),
            loose cards as (-1, 0, 0).

    Returns:
        1, or ILLEGAL where the position breaks the rules.
    """
    floor[:] = 0
    hand[:] = 0
    total[:] = 0
    melds, crossed, held, repair = int(seen[0]), int(seen[1]), int(seen[2]), seen[3]
    place = 4 + melds
    for m in range(melds):
        size = int(seen[4 + m])
        suits = 0
        ranks = 0
        for i in range(place, place + size):
            suits |= 1 << (seen[i] // 13)
            ranks |= 2 << (seen[i] % 13)
            floor[seen[i]] += 1
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
            return ILLEGAL
        place += size
    for i in range(place, place + crossed):
        total[seen[i]] += 1
    place += crossed
    for i in range(place, place + held):
        hand[seen[i]] += 1
    for card in range(52):
        total[card] += floor[card] + hand[card]
        if total[card] > 2:
            return ILLEGAL
    return 1


@njit(cache=True)
def judged(seen, table):  # type: ignore[no-untyped-def]
    """Whether the whole hand of a table (see `counted`) can be played; like `can_win`, or ILLEGAL."""
    floor = np.empty(52, dtype=np.uint8)
    hand = np.empty(52, dtype=np.uint8)
    total = np.empty(52, dtype=np.uint8)
    melds = np.empty((max(1, int(seen[0])), 3), dtype=np.int64)
    status = counted(seen, floor, hand, total, melds)
    if status < 0:
        return status
    for card in range(52):
        floor[card] += hand[card]
    return can_win(floor, total, table)


@njit(cache=True, nogil=True)
def win_each(floor, cross, hand, table, out):  # type: ignore[no-untyped-def]
    """Writes for each row of counts, uint8 (n, 52), what `can_win` says."""
    need = np.empty(52, dtype=np.uint8)
    total = np.empty(52, dtype=np.uint8)
    for row in range(len(floor)):
        for card in range(52):
            need[card] = floor[row, card] + hand[row, card]
            total[card] = need[card] + cross[row, card]
        out[row] = can_win(need, total, table)


@njit(cache=True)
def win_with_each(need, total, table, out):  # type: ignore[no-untyped-def]
    """Writes for each card whether a hand with one more copy could be played; 0 where both copies are seen."""
    for card in range(52):
        out[card] = 0
        if total[card] < 2:
            need[card] += 1
            total[card] += 1
            out[card] = can_win(need, total, table)
            need[card] -= 1
            total[card] -= 1


@njit(cache=True)
def inheritance(overlap):  # type: ignore[no-untyped-def]
    """The matching of rows to columns with the largest sum: the column of each row.

    Args:
        overlap: int64 (n, n).

    Source: the Hungarian method with potentials (Kuhn 1955, Munkres 1957) on the negated weights.
    """
    n = len(overlap)
    row_price = np.zeros(n + 1, dtype=np.int64)
    column_price = np.zeros(n + 1, dtype=np.int64)
    row_of = np.full(n + 1, -1, dtype=np.int64)
    for row in range(n):
        row_of[n] = row
        column = n
        slack = np.full(n, 1 << 40, dtype=np.int64)
        before = np.full(n, n, dtype=np.int64)
        done = np.zeros(n + 1, dtype=np.bool_)
        while row_of[column] >= 0:
            done[column] = True
            at = row_of[column]
            least = 1 << 40
            following = n
            for j in range(n):
                if not done[j]:
                    price = -overlap[at, j] - row_price[at] - column_price[j]
                    if price < slack[j]:
                        slack[j] = price
                        before[j] = column
                    if slack[j] < least:
                        least = slack[j]
                        following = j
            for j in range(n + 1):
                if done[j]:
                    row_price[row_of[j]] += least
                    column_price[j] -= least
                elif j < n:
                    slack[j] -= least
            column = following
        while column != n:
            row_of[column] = row_of[before[column]]
            column = before[column]
    result = np.empty(n, dtype=np.int64)
    for column in range(n):
        result[row_of[column]] = column
    return result
