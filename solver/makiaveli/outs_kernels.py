"""Compiled test of all 52 outs at once, from the aces up and from the kings down.

A hand with one more card differs from the hand as it is at the rank of that card only. Below it the states of the
win test (see `kernels`) are those that the table is in without the card, above it those from which the table is
finished without it. So all cards share one search: a card is an out where its own rank leads from a state below to
a state above that ends well. Which aces stand after their king is decided at rank one: states carry the ways to keep
aces as the bits of a mask.

Cards are sorted out in four steps, each dearer than the one before: suit by suit; the steps of their own rank, suit by
suit; a table that plays the hand as it is, where there is one, laid on with the card; all states, rank by rank.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solver.makiaveli.kernels import (
    _ACES_END,
    _AFTER,
    _ENTER,
    _INTO,
    _LEADS,
    _START,
    _UNION,
    _WORD_FIRST,
    _WORDS,
    aces_accepted,
    begin,
    can_win,
    ends_with,
    high_aces,
    next_states,
    rank_code,
    refused,
    spread_ways,
    started,
)

# What one more card, to be used, adds to the digit of `rank_code` of a card that is there so often; 0: none is left.
_CODE_STEP = np.array([2, 3, 0], dtype=np.int64)
# The states that come after a set of states (ten bits) by any of the allowed numbers of copies (three bits).
_REACH = np.zeros((8, 1024), dtype=np.int64)
for _may in range(8):
    for _used in range(3):
        for _state in range(10):
            if _may >> _used & 1 and _AFTER[_used, _state] < 10:
                _REACH[_may] |= (np.arange(1024) >> _state & 1) << _AFTER[_used, _state]

_EACH_SUIT = np.uint64(0x1111)
_ABOVE = np.uint64(1 << 20)

UNKNOWN: Final = np.uint64(0xFFFFFFFF)
ANY: Final = 1 << 40
FEW: Final = 16
"""Steps tried to find a table with one more card beside a known one, before all states are visited."""
ONE_BY_ONE: Final = 4
"""Where the hand can be played as it is, so many cards are sooner asked one by one than by visiting all states."""

KEY, WAYS = range(2)
"""Columns of the table of states: what state of which search it is, and ways to keep aces: while a table is sought,
those known to end badly; afterwards, of a state below, those that lead to it and, of one above, those that end well."""


class Room(NamedTuple):
    """Where the states of a search are kept, from one call to the next.

    Attributes:
        table: uint64 (1 + n, 2), states by hash; row 0 holds the stamp of the last search and the rows in use.
        below: int64 (n / 2,), the rows of the states below, rank by rank.
        above: int64 (n / 2, 2), the rows of the states above, rank by rank, each with the end of its edges.
        edges: int64 (4 n,), for the states above in this order the rows of those that follow.
        joins: uint64 (2 n, 3), cards, the rows of the states above that they lead to, and the ways in which they do.
    """

    table: NDArray[np.uint64]
    below: NDArray[np.int64]
    above: NDArray[np.int64]
    edges: NDArray[np.int64]
    joins: NDArray[np.uint64]


def new_room(bits: int) -> Room:
    """Room for half of 2**bits states."""
    n = 1 << bits
    return Room(
        np.zeros((1 + n, 2), dtype=np.uint64),
        np.empty(n // 2, dtype=np.int64),
        np.empty((n // 2, 2), dtype=np.int64),
        np.empty(4 * n, dtype=np.int64),
        np.empty((2 * n, 3), dtype=np.uint64),
    )


@njit(cache=True)
def find_outs(need, total, room, visited, out):  # type: ignore[no-untyped-def]
    """Writes for each card whether a hand with one more copy could be played; False where both copies are seen.

    Args:
        need: uint8 (52,), copies that must be used: those of the floor and of the hand.
        total: uint8 (52,), copies there are.
        room: From `new_room`; kept between calls.
        visited: See `can_win`.
        out: bool (52,).

    Returns:
        1, or -1 where there is too little room.
    """
    out[:] = False
    codes = np.empty(14, dtype=np.int64)
    # States of a suit after a rank that end well as things are, and those that can be reached as things are.
    goal, reach = np.empty((14, 4), dtype=np.int64), np.empty((14, 4), dtype=np.int64)
    for rank in range(1, 14):
        codes[rank] = rank_code(need, total, rank)
    for suit in range(4):
        goal[13, suit] = ends_with(high_aces(total, suit))
    lowest = 1  # no card below these ranks mends what is above, nor the other way round
    for rank in range(13, 1, -1):
        union = _UNION[codes[rank]]
        goal[rank - 1, 0] = _ENTER[union & 7, goal[rank, 0]]
        goal[rank - 1, 1] = _ENTER[(union >> 3) & 7, goal[rank, 1]]
        goal[rank - 1, 2] = _ENTER[(union >> 6) & 7, goal[rank, 2]]
        goal[rank - 1, 3] = _ENTER[(union >> 9) & 7, goal[rank, 3]]
        if goal[rank - 1, 0] == 0 or goal[rank - 1, 1] == 0 or goal[rank - 1, 2] == 0 or goal[rank - 1, 3] == 0:
            lowest = rank
            break
    for suit in range(4):
        reach[1, suit] = _starts(int(total[13 * suit]))
    highest = 13
    for rank in range(2, 13):
        union = _UNION[codes[rank]]
        reach[rank, 0] = _REACH[union & 7, reach[rank - 1, 0]]
        reach[rank, 1] = _REACH[(union >> 3) & 7, reach[rank - 1, 1]]
        reach[rank, 2] = _REACH[(union >> 6) & 7, reach[rank - 1, 2]]
        reach[rank, 3] = _REACH[(union >> 9) & 7, reach[rank - 1, 3]]
        if reach[rank, 0] == 0 or reach[rank, 1] == 0 or reach[rank, 2] == 0 or reach[rank, 3] == 0:
            highest = rank
            break
    if lowest <= highest and _search(need, total, room, visited, codes, goal, reach, lowest, highest, out) < 0:
        return -1
    # So far no more aces stand after their kings than there are ways for as things are.
    for suit in range(4):
        card = _raising(total, suit)
        if card < 0 or card % 13 + 1 > highest or out[card]:
            continue
        if _may_raise(total, codes, reach, suit, card % 13 + 1):
            status = _wins_with(need, total, card, visited)
            if status < 0:
                return -1
            out[card] = status == 1
    return 1


@njit(cache=True, inline="always")
def _starts(most):  # type: ignore[no-untyped-def]
    """The states of a suit, ten bits, after at most so many aces began runs."""
    states = 0
    for used in range(most + 1):
        states |= 1 << int(_START[used])
    return states


@njit(cache=True, inline="always")
def _raising(total, suit):  # type: ignore[no-untyped-def]
    """The card of which one more allows one more ace after the king; -1 where there is none."""
    ace, queen, king = int(total[13 * suit]), int(total[13 * suit + 11]), int(total[13 * suit + 12])
    most = min(ace, queen, king)
    if most == 2 or int(ace == most) + int(queen == most) + int(king == most) > 1:
        return -1
    return 13 * suit + (0 if ace == most else 11 if queen == most else 12)


@njit(cache=True)
def _may_raise(total, codes, reach, suit, rank):  # type: ignore[no-untyped-def]
    """Whether no suit by itself rules out that one more ace follows its king thanks to one more card of a rank."""
    aces = high_aces(total, suit) + 1
    more = np.zeros(4, dtype=np.int64)
    for other in range(4):
        if other != suit:
            more[other] = ends_with(high_aces(total, other))
    for x in range(10):
        more[suit] |= ((int(_ACES_END[x]) >> aces) & 1) << x
    for at in range(13, max(rank, 2) - 1, -1):
        code = codes[at]
        if at == rank:
            code += _CODE_STEP[total[13 * suit + rank - 1]] * 6**suit
        for other in range(4):
            more[other] = _ENTER[(_UNION[code] >> (3 * other)) & 7, more[other]]
    for other in range(4):
        before = reach[max(rank, 2) - 1, other]
        if rank == 1 and other == suit:
            before = _starts(int(total[13 * suit]) + 1 - aces)
        if more[other] & before == 0:
            return False
    return True


@njit(cache=True)
def _search(need, total, room, visited, codes, goal, reach, lowest, highest, out):  # type: ignore[no-untyped-def]
    """The search for outs with no more aces after their kings than there are ways for now; adds to `out`."""
    # Cards that no suit by itself rules out, from the aces up; their codes; and where those of each rank begin.
    cards = np.empty((52, 2), dtype=np.int64)
    first = np.zeros(16, dtype=np.int64)
    n = 0
    for rank in range(1, 14):
        first[rank] = n
        if rank < lowest or rank > highest:
            continue
        linked = 0xFFF
        if rank > 1:
            linked = 0
            for suit in range(4):
                for used in range(3):
                    if int(_INTO[used, goal[rank, suit]]) & reach[rank - 1, suit]:
                        linked |= 1 << (3 * suit + used)
        digit = 1
        for suit in range(4):
            step = _CODE_STEP[total[13 * suit + rank - 1]]
            code = codes[rank] + step * digit
            digit *= 6
            if step and _UNION[code] & linked != 0:
                fits = rank == 1 and _ace_fits(need, total, goal, suit)
                if rank > 1:
                    for k in range(_WORD_FIRST[code], _WORD_FIRST[code + 1]):
                        if _WORDS[k] & 0xFFF & ~linked == 0:
                            fits = True
                            break
                if fits:
                    cards[n, 0] = 13 * suit + rank - 1
                    cards[n, 1] = code
                    n += 1
    first[14:] = n
    if n == 0:
        return 1
    ways = np.empty((81, 4), dtype=np.int64)
    n_ways = 0
    for c0 in range(high_aces(total, 0) + 1):
        for c1 in range(high_aces(total, 1) + 1):
            for c2 in range(high_aces(total, 2) + 1):
                for c3 in range(high_aces(total, 3) + 1):
                    ways[n_ways, 0], ways[n_ways, 1], ways[n_ways, 2], ways[n_ways, 3] = c0, c1, c2, c3
                    n_ways += 1
    leads = np.empty((14, 4), dtype=np.uint64)  # for each rank and suit the steps that end well, see `refused`
    for rank in range(max(2, lowest), 14):
        for suit in range(4):
            leads[rank, suit] = _LEADS[goal[rank, suit]]
    may_win = lowest == 1 and highest == 13
    for start in range(0, n_ways, 64):
        chosen = ways[start : min(start + 64, n_ways)]
        status = _sort_out(
            need, total, room, visited, codes, goal, reach, leads, cards[:n], first, chosen, may_win, out
        )
        if status < 0:
            return -1
    return 1


@njit(cache=True)
def _ace_fits(need, total, goal, suit):  # type: ignore[no-untyped-def]
    """Whether all aces of a suit that have to be used with one more could go to sets, runs and beyond kings."""
    suits, copies = 0, 0
    for other in range(4):
        if other != suit:
            suits += int(total[13 * other] > 0)
            copies += int(total[13 * other])
    in_sets = 0 if suits < 2 else 1 if copies < 4 else 2
    in_runs = 0
    for used in range(1, 3):
        in_runs = used if (goal[1, suit] >> int(_START[used])) & 1 else in_runs
    return int(need[13 * suit]) + 1 <= in_sets + in_runs + high_aces(total, suit)


@njit(cache=True)
def _sort_out(need, total, room, visited, codes, goal, reach, leads, cards, first, ways, may_win, out):  # type: ignore[no-untyped-def]
    """Sorts the cards out for at most 64 ways to keep aces; adds to `out`. Gives 1, or -1 where there is no room."""
    table = room.table
    with_aces = np.zeros((4, 8), dtype=np.uint64)
    spread_ways(ways, with_aces)
    initial = np.zeros(81, dtype=np.uint64)
    path = np.full((14, 2), UNKNOWN, dtype=np.uint64)
    aside = np.empty((14, 2), dtype=np.uint64)
    steps, aside_steps = np.empty(14, dtype=np.int64), np.empty(14, dtype=np.int64)
    won = 0
    table[0, 1] = 0
    table[0, 0] += np.uint64(1)
    if may_win:
        begin(need, total, with_aces, goal[1], initial)
        for i in range(81):
            if initial[i] != 0 and won == 0:
                won = _path(1, started(i), initial[i], codes, leads, with_aces, table, ANY, path, aside, steps)
            initial[i] = 0
        if won < 0:
            return -1
        if won:
            path[:] = aside
    left = np.uint64(0)  # cards, by their place in `cards`, of which nothing is known yet
    n_left = 0
    for n in range(len(cards)):
        card = cards[n, 0]
        if out[card]:
            continue
        found = 0
        if won and n < first[2]:
            need[card] += 1
            total[card] += 1
            begin(need, total, with_aces, goal[1], initial)
            need[card] -= 1
            total[card] -= 1
            for i in range(81):
                if initial[i] != 0 and found == 0 and _follows(1, started(i), initial[i], path, steps, with_aces):
                    found = 1
            for i in range(81):
                if initial[i] != 0 and found == 0:
                    found = _path(
                        1, started(i), initial[i], codes, leads, with_aces, table, FEW, path, aside, aside_steps
                    )
                initial[i] = 0
        elif won:
            rank = card % 13 + 1
            state, mask = path[rank - 1, 0], path[rank - 1, 1]
            not_may = refused(state, leads[rank])
            first_word, end_word = _WORD_FIRST[cards[n, 1]], _WORD_FIRST[cards[n, 1] + 1]
            for k in range(end_word - 1, first_word - 1, -1):
                if _WORDS[k] & not_may == 0 and found == 0:
                    found = int(_follows(rank, next_states(state, _WORDS[k]), mask, path, steps, with_aces))
            for k in range(end_word - 1, first_word - 1, -1):
                if _WORDS[k] & not_may == 0 and found == 0:
                    found = _path(
                        rank, next_states(state, _WORDS[k]), mask, codes, leads, with_aces, table, FEW, path, aside,
                        aside_steps,
                    )  # fmt: skip
        if found < 0:
            return -1
        if found:
            out[card] = True
        else:
            left |= np.uint64(1) << np.uint64(n)
            n_left += 1
    if n_left > ONE_BY_ONE or (n_left and not won):
        return _all_states(need, total, room, codes, goal, reach, leads, cards, first, with_aces, left, initial, out)
    for n in range(len(cards)):
        if (left >> np.uint64(n)) & np.uint64(1):
            status = _wins_with(need, total, cards[n, 0], visited)
            if status < 0:
                return -1
            out[cards[n, 0]] = status == 1
    return 1


@njit(cache=True)
def _wins_with(need, total, card, visited):  # type: ignore[no-untyped-def]
    """The win test with one more copy of a card; see `can_win`."""
    need[card] += 1
    total[card] += 1
    status = can_win(need, total, visited)
    need[card] -= 1
    total[card] -= 1
    return status


@njit(cache=True)
def _path(rank, state, mask, codes, leads, with_aces, table, most, known, path, steps):  # type: ignore[no-untyped-def]
    """Seeks a way from a state after a rank, in one of the ways of a mask, to one after the kings that ends well.

    States that are left in vain are remembered in the table.

    Args:
        rank: The rank.
        state: The state after it.
        mask: Ways to keep aces.
        codes: The codes of all ranks.
        leads: The steps that may end well, see `refused`.
        with_aces: See `spread_ways`.
        table: The states known to end badly.
        most: How many steps are tried at most.
        known: uint64 (14, 2), states of a table that ends well, and ways to keep aces; to come upon one is enough.
        path: uint64 (14, 2), gets the same for the table found.
        steps: int64 (14,), gets the words that lead to its states.

    Returns:
        1 found, 0 not found, -1 the table is too small.
    """
    stamp = table[0, 0]
    spot = np.empty((13, 3), dtype=np.int64)  # the last word tried, the words refused and the row
    at = rank
    row = 0
    found = 0
    while True:
        path[at, 0] = state
        path[at, 1] = mask
        if at < 13:
            spot[at, 2] = row
        if state == known[at, 0] and mask & known[13, 1] != 0:
            found = 1
        elif at == 13:
            path[13, 1] = mask & aces_accepted(state, with_aces)
            found = int(path[13, 1] != 0)
            if rank == 13:
                return found
            at = 12
        else:
            spot[at, 0] = _WORD_FIRST[codes[at + 1] + 1]
            spot[at, 1] = refused(state, leads[at + 1])
        while not found:
            k = spot[at, 0] - 1
            first_word = _WORD_FIRST[codes[at + 1]]
            while k >= first_word and _WORDS[k] & spot[at, 1]:
                k -= 1
            spot[at, 0] = k
            if k < first_word:
                at -= 1
                if at < rank:
                    return 0
                continue
            most -= 1
            if most < 0:
                break
            state = next_states(path[at, 0], _WORDS[k])
            mask = path[at, 1]
            if at < 12:
                row, _ = _row(table, stamp, state | np.uint64((at + 1) << 16))
                if row < 0:
                    return -1
                mask &= ~table[row, WAYS]
                table[row, WAYS] |= mask
            if mask != 0:
                break
        if found or most < 0:
            # What has not been left in vain is forgotten.
            for before in range(rank + 1, min(at, 12) + 1):
                table[spot[before, 2], WAYS] &= ~path[before, 1]
            return found
        at += 1
        steps[at] = _WORDS[k]


@njit(cache=True, inline="always")
def _follows(rank, state, mask, path, steps, with_aces):  # type: ignore[no-untyped-def]
    """Whether a state after a rank ends well by the steps of a path that does."""
    while state != path[rank, 0]:
        if state & (state >> np.uint64(1)) & (state >> np.uint64(2)) & (state >> np.uint64(3)) & _EACH_SUIT:
            return False  # a short run ended
        if rank == 13:
            return mask & aces_accepted(state, with_aces) != 0
        rank += 1
        state = next_states(state, steps[rank])
    return mask & path[13, 1] != 0


@njit(cache=True)
def _all_states(  # type: ignore[no-untyped-def]
    need, total, room, codes, goal, reach, leads, cards, first, with_aces, left, initial, out
):
    """Visits all states that may lead to one of the cards `left` or from a card; adds to `out`."""
    table, below, above, edges, joins = room.table, room.below, room.above, room.edges, room.joins
    table[0, 1] = 0
    table[0, 0] += np.uint64(1)
    stamp = table[0, 0]
    one, fifteen, low_16 = np.uint64(1), np.uint64(15), np.uint64(0xFFFF)
    n_below, n_above, n_edges, n_joins = 0, 0, 0, 0
    for n in range(first[2]):
        if not (left >> np.uint64(n)) & one:
            continue
        card = cards[n, 0]
        need[card] += 1
        total[card] += 1
        begin(need, total, with_aces, goal[1], initial)
        need[card] -= 1
        total[card] -= 1
        for i in range(81):
            if initial[i] != 0:
                row, is_new = _row(table, stamp, started(i) | np.uint64(1 << 16) | _ABOVE)
                if row < 0 or n_joins == len(joins):
                    return -1
                if is_new:
                    above[n_above, 0] = row
                    n_above += 1
                joins[n_joins, 0], joins[n_joins, 1], joins[n_joins, 2] = np.uint64(card), np.uint64(row), initial[i]
                n_joins += 1
                initial[i] = 0
    helps = np.empty((14, 4, 10), dtype=np.uint64)
    leads_below = np.empty((14, 4), dtype=np.uint64)
    if left >> np.uint64(first[2]) != 0:
        begins = np.empty(4, dtype=np.int64)
        _find_helps(codes, goal, reach, cards, first, left, helps, leads_below, begins)
        begin(need, total, with_aces, begins, initial)
        for i in range(81):
            if initial[i] != 0:
                row, _ = _row(table, stamp, started(i) | np.uint64(1 << 16))
                if row < 0:
                    return -1
                table[row, WAYS] = initial[i]
                below[n_below] = row
                n_below += 1
    below_from, above_from = 0, 0
    for rank in range(2, 14):
        bits = np.uint64(rank << 16)
        first_word, end_word = _WORD_FIRST[codes[rank]], _WORD_FIRST[codes[rank] + 1]
        below_to, above_to = n_below, n_above
        for j in range(above_from, above_to):
            state = table[above[j, 0], KEY] & low_16
            not_may = refused(state, leads[rank])
            for k in range(first_word, end_word):
                if _WORDS[k] & not_may:
                    continue
                row, is_new = _row(table, stamp, next_states(state, _WORDS[k]) | bits | _ABOVE)
                if row < 0 or n_edges == len(edges):
                    return -1
                if is_new:
                    above[n_above, 0] = row
                    n_above += 1
                edges[n_edges] = row
                n_edges += 1
            above[j, 1] = n_edges
        for j in range(below_from, below_to):
            state = table[below[j], KEY] & low_16
            mask = table[below[j], WAYS]
            helped = helps[rank - 1, 0, state & fifteen] & helps[rank - 1, 1, (state >> np.uint64(4)) & fifteen]
            helped &= helps[rank - 1, 2, (state >> np.uint64(8)) & fifteen]
            helped &= helps[rank - 1, 3, (state >> np.uint64(12)) & fifteen]
            if helped == 0:
                continue
            if helped & ((one << np.uint64(first[rank + 1])) - one) != 0:
                not_may = refused(state, leads[rank])
                for n in range(first[rank], first[rank + 1]):
                    if not (helped >> np.uint64(n)) & one:
                        continue
                    for k in range(_WORD_FIRST[cards[n, 1]], _WORD_FIRST[cards[n, 1] + 1]):
                        if _WORDS[k] & not_may:
                            continue
                        row, is_new = _row(table, stamp, next_states(state, _WORDS[k]) | bits | _ABOVE)
                        if row < 0 or n_joins == len(joins):
                            return -1
                        if is_new:
                            above[n_above, 0] = row
                            n_above += 1
                        joins[n_joins, 0] = np.uint64(cards[n, 0])
                        joins[n_joins, 1] = np.uint64(row)
                        joins[n_joins, 2] = mask
                        n_joins += 1
            if helped >> np.uint64(first[rank + 1]) == 0:
                continue
            not_may = refused(state, leads_below[rank])
            for k in range(first_word, end_word):
                if _WORDS[k] & not_may:
                    continue
                row, is_new = _row(table, stamp, next_states(state, _WORDS[k]) | bits)
                if row < 0:
                    return -1
                table[row, WAYS] |= mask
                if is_new:
                    below[n_below] = row
                    n_below += 1
        below_from, above_from = below_to, above_to
    # What a state above ends with, from the kings down.
    for j in range(n_above - 1, above_from - 1, -1):
        table[above[j, 0], WAYS] = aces_accepted(table[above[j, 0], KEY] & low_16, with_aces)
    for j in range(above_from - 1, -1, -1):
        live = np.uint64(0)
        for e in range(above[j - 1, 1] if j > 0 else 0, above[j, 1]):
            live |= table[edges[e], WAYS]
        table[above[j, 0], WAYS] = live
    for j in range(n_joins):
        if joins[j, 2] & table[np.int64(joins[j, 1]), WAYS] != 0:
            out[np.int64(joins[j, 0])] = True
    return 1


@njit(cache=True)
def _find_helps(codes, goal, reach, cards, first, left, helps, leads_below, begins):  # type: ignore[no-untyped-def]
    """Finds which of the cards `left` may help, suit by suit.

    Args:
        codes: The codes of all ranks.
        goal: The states of each suit after a rank that end well as things are.
        reach: The states of each suit after a rank that can be reached as things are.
        cards: The cards and their codes.
        first: Where the cards of each rank begin.
        left: Cards by their place, as bits.
        helps: uint64 (14, 4, 10), gets the cards above a rank thanks to which a suit's state there may end well.
        leads_below: uint64 (14, 4), gets the steps to states that may end well thanks to any, see `refused`.
        begins: int64 (4,), gets the states after the aces that may.
    """
    top = 13
    while left >> np.uint64(first[top]) == 0:
        top -= 1
    helps[top:] = 0
    for rank in range(top, 1, -1):
        for suit in range(4):
            may = (_UNION[codes[rank]] >> (3 * suit)) & 7
            some = 0
            for x in range(10):
                if not (reach[rank - 1, suit] >> x) & 1:
                    continue
                helped = np.uint64(0)
                if rank < top:
                    for used in range(3):
                        if (may >> used) & 1 and _AFTER[used, x] < 10:
                            helped |= helps[rank, suit, _AFTER[used, x]]
                for n in range(first[rank], first[rank + 1]):
                    enters = _ENTER[(_UNION[cards[n, 1]] >> (3 * suit)) & 7, goal[rank, suit]]
                    helped |= np.uint64((enters >> x) & 1) << np.uint64(n)
                helps[rank - 1, suit, x] = helped & left
                some |= int(helped & left != 0) << x
            if rank == 2:
                begins[suit] = some
            else:
                leads_below[rank - 1, suit] = _LEADS[some]


@njit(cache=True, inline="always")
def _row(table, stamp, state):  # type: ignore[no-untyped-def]
    """The row of a state, 21 bits, and whether it is new; row -1 where the table is too full."""
    size = len(table) - 1
    row = 1 + (int((state * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) & (size - 1))
    full = (stamp << np.uint64(21)) | state
    while table[row, KEY] != full:
        if table[row, KEY] >> np.uint64(21) != stamp:
            if table[0, 1] >= np.uint64(size // 2):
                return -1, False
            table[0, 1] += np.uint64(1)
            table[row, KEY] = full
            table[row, WAYS] = 0
            return row, True
        row = 1 + (row & (size - 1))
    return row, False
