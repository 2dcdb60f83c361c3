"""Compiled test of all 52 outs at once, from the aces up and from the kings down.

A hand with one more card differs from the hand as it is at the rank of that card only. Below it the states of the
win test (see `kernels`) are those that the table is in without the card, above it those from which the table is
finished without it. So what becomes of a state above is found out once for all cards and kept, the states below are
visited once for all cards, and a card is an out where its own rank leads from the one to the other. Which aces stand
after their king is decided at rank one: states carry the ways to keep aces as the bits of a mask.

Cards are sorted out in four steps, each dearer than the one before: suit by suit; the steps of their own rank, suit by
suit; the states of a table that plays the hand as it is, where there is one; all states.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from solver.makiaveli.kernels import (
    _AFTER,
    _ENTER,
    _INTO,
    _LEADS,
    _START,
    _UNION,
    _WORD_FIRST,
    _WORDS,
    EACH_STATE,
    STACK,
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

KEY, DEAD_WAYS, LIVE_WAYS = range(3)
"""Columns of the table of states above: which ways to keep aces are known to end badly, and which well."""


def new_outs_table(bits: int) -> np.ndarray[Any, Any]:
    """An empty table of states; row 0 holds the stamp of the last search and the number of rows in use."""
    return np.zeros((1 + (1 << bits), 3), dtype=np.uint64)


@njit(cache=True)
def find_outs(need, total, table, visited, out):  # type: ignore[no-untyped-def]
    """Writes for each card whether a hand with one more copy could be played; False where both copies are seen.

    Args:
        need: uint8 (52,), copies that must be used: those of the floor and of the hand.
        total: uint8 (52,), copies there are.
        table: From `new_outs_table`; kept between calls.
        visited: See `can_win`.
        out: bool (52,).

    Returns:
        1, or -1 where one of the tables is too small.
    """
    out[:] = False
    codes = np.empty(14, dtype=np.int64)
    # States of a suit after a rank: [0] end well as things are; [1] end well if one more card allows one more ace after
    # the king; [2] can be reached as things are.
    states = np.zeros((3, 14, 4), dtype=np.int64)
    goal, goal_raised, reach = states[0], states[1], states[2]
    raising = np.empty(4, dtype=np.int64)  # the rank of the card that allows one more high ace, 0 where there is none
    most = np.empty(4, dtype=np.int64)
    for suit in range(4):
        ace, queen, king = int(total[13 * suit]), int(total[13 * suit + 11]), int(total[13 * suit + 12])
        most[suit] = high_aces(total, suit)
        by_ace, by_queen, by_king = int(ace == most[suit]), int(queen == most[suit]), int(king == most[suit])
        raising[suit] = 0
        if by_ace + by_queen + by_king == 1 and most[suit] < 2:
            raising[suit] = by_ace + 12 * by_queen + 13 * by_king
            goal_raised[13, suit] = ends_with(most[suit] + 1)
        goal[13, suit] = ends_with(most[suit])
        for used in range(ace + 1):
            reach[1, suit] |= 1 << int(_START[used])
    for rank in range(1, 14):
        codes[rank] = rank_code(need, total, rank)
    lowest = 1  # no card below these ranks mends what is above, nor the other way round
    for rank in range(13, 1, -1):
        union = _UNION[codes[rank]]
        dead = False
        for suit in range(4):
            may = (union >> (3 * suit)) & 7
            goal[rank - 1, suit] = _ENTER[may, goal[rank, suit]]
            goal_raised[rank - 1, suit] = _ENTER[may, goal_raised[rank, suit]]
            dead = dead or goal[rank - 1, suit] | goal_raised[rank - 1, suit] == 0
        if dead:
            lowest = rank
            break
    highest = 13
    for rank in range(2, 13):
        union = _UNION[codes[rank]]
        dead = False
        for suit in range(4):
            reach[rank, suit] = _REACH[(union >> (3 * suit)) & 7, reach[rank - 1, suit]]
            dead = dead or reach[rank, suit] == 0
        if dead:
            highest = rank
            break
    if lowest > highest:
        return 1
    # Cards that no suit by itself rules out, from the aces up; their codes; and where those of each rank begin.
    cards = np.empty(52, dtype=np.int64)
    cards_codes = np.empty(52, dtype=np.int64)
    first = np.zeros(16, dtype=np.int64)
    n = 0
    for rank in range(1, 14):
        first[rank] = n
        if rank < lowest or rank > highest:
            continue
        if goal[rank, 0] == 0 or goal[rank, 1] == 0 or goal[rank, 2] == 0 or goal[rank, 3] == 0:
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
            if step:
                for k in range(_WORD_FIRST[code], _WORD_FIRST[code + 1]):
                    if _WORDS[k] & 0xFFF & ~linked == 0 or rank == 1:
                        cards[n] = 13 * suit + rank - 1
                        cards_codes[n] = code
                        n += 1
                        break
    first[14] = n
    if n > 0 and _search(need, total, table, codes, goal, reach, cards[:n], cards_codes, first, most, out) < 0:
        return -1
    for suit in range(4):
        rank = raising[suit]
        card = 13 * suit + rank - 1
        if rank < max(1, lowest) or rank > highest or out[card] or goal_raised[rank, suit] == 0:
            continue
        fine = True
        for other in range(4):
            fine = fine and (other == suit or goal[rank, other] != 0)
        if fine:
            need[card] += 1
            total[card] += 1
            status = can_win(need, total, visited)
            need[card] -= 1
            total[card] -= 1
            if status < 0:
                return -1
            out[card] = status == 1
    return 1


@njit(cache=True)
def _search(need, total, table, codes, goal, reach, cards, cards_codes, first, most, out):  # type: ignore[no-untyped-def]
    """The search for outs with no more aces after their kings than there are ways for now; adds to `out`."""
    ways = np.empty((81, 4), dtype=np.int64)
    n_ways = 0
    for c0 in range(most[0] + 1):
        for c1 in range(most[1] + 1):
            for c2 in range(most[2] + 1):
                for c3 in range(most[3] + 1):
                    ways[n_ways, 0], ways[n_ways, 1], ways[n_ways, 2], ways[n_ways, 3] = c0, c1, c2, c3
                    n_ways += 1
    for start in range(0, n_ways, 64):
        chosen = ways[start : min(start + 64, n_ways)]
        if _sort_out(need, total, table, codes, goal, reach, cards, cards_codes, first, chosen, out) < 0:
            return -1
    return 1


@njit(cache=True)
def _sort_out(need, total, table, codes, goal, reach, cards, cards_codes, first, ways, out):  # type: ignore[no-untyped-def]
    """Sorts the cards out for at most 64 ways to keep aces; adds to `out`. Gives 1, or -1 where the table is full."""
    table[0, 0] += np.uint64(1)
    table[0, 1] = 0
    with_aces = np.zeros((4, 8), dtype=np.uint64)
    spread_ways(ways, with_aces)
    allowed = np.empty((14, 4), dtype=np.uint64)
    for rank in range(2, 14):
        for suit in range(4):
            may = np.uint64((_UNION[codes[rank]] >> (3 * suit)) & 7)
            allowed[rank, suit] = _LEADS[goal[rank, suit]] & (may * EACH_STATE)
    initial = np.zeros(81, dtype=np.uint64)
    path = np.empty((15, 2), dtype=np.uint64)
    way = np.empty((15, 2), dtype=np.uint64)
    spot = np.empty((15, 3), dtype=np.int64)
    left = np.uint64(0)  # cards, by their place in `cards`, of which nothing is known yet
    for n in range(first[2], len(cards)):
        if not out[cards[n]]:
            left |= np.uint64(1) << np.uint64(n)
    on_path = False
    if goal[1, 0] != 0 and goal[1, 1] != 0 and goal[1, 2] != 0 and goal[1, 3] != 0:
        begin(need, total, with_aces, goal[1], initial)
        for i in range(81):
            if initial[i] != 0:
                status = _ends(1, started(i), initial[i], codes, allowed, with_aces, table, path, spot)
                if status < 0:
                    return -1
                initial[i] = 0
                if status > 0:
                    way[:] = path  # whole: nothing was known of any state above
                    on_path = True
                    initial[i:] = 0
                    break
        for n in range(first[2]):
            card = cards[n]
            need[card] += 1
            total[card] += 1
            begin(need, total, with_aces, goal[1], initial)
            need[card] -= 1
            total[card] -= 1
            for i in range(81):
                if initial[i] != 0:
                    if not out[card]:
                        status = _ends(1, started(i), initial[i], codes, allowed, with_aces, table, path, spot)
                        if status < 0:
                            return -1
                        out[card] = status > 0
                    initial[i] = 0
    if left == 0:
        return 1
    allowed_more = np.empty((len(cards), 4), dtype=np.uint64)
    for rank in range(2, 14):
        for n in range(first[rank], first[rank + 1]):
            for suit in range(4):
                may = np.uint64((_UNION[cards_codes[n]] >> (3 * suit)) & 7)
                allowed_more[n, suit] = _LEADS[goal[rank, suit]] & (may * EACH_STATE)
    if on_path:
        for rank in range(2, 14):
            for n in range(first[rank], first[rank + 1]):
                if (left >> np.uint64(n)) & np.uint64(1):
                    status = _joins(
                        rank, way[rank - 1, 0], way[rank - 1, 1], cards_codes[n], allowed_more[n],
                        codes, allowed, with_aces, table, path, spot,
                    )  # fmt: skip
                    if status < 0:
                        return -1
                    if status > 0:
                        out[cards[n]] = True
                        left &= ~(np.uint64(1) << np.uint64(n))
        if left == 0:
            return 1
    return _from_below(
        need, total, table, codes, goal, reach, cards, cards_codes, first, out,
        left, with_aces, allowed, allowed_more, path, spot,
    )  # fmt: skip


@njit(cache=True)
def _joins(rank, state, mask, code, allowed_more, codes, allowed, with_aces, table, path, spot):  # type: ignore[no-untyped-def]
    """Whether a state below a rank is finished well in one of some ways, with one more card at the rank."""
    not_may = refused(state, allowed_more)
    for k in range(_WORD_FIRST[code + 1] - 1, _WORD_FIRST[code] - 1, -1):
        if _WORDS[k] & not_may == 0:
            after = next_states(state, _WORDS[k])
            status = _ends(rank, after, mask, codes, allowed, with_aces, table, path, spot)
            if status != 0:
                return status
    return 0


@njit(cache=True)
def _from_below(  # type: ignore[no-untyped-def]
    need, total, table, codes, goal, reach, cards, cards_codes, first, out,
    left, with_aces, allowed, allowed_more, path, spot,
):  # fmt: skip
    """Visits all states that may lead to one of the cards `left`; adds to `out`."""
    one, seven, fifteen = np.uint64(1), np.uint64(7), np.uint64(15)
    # For which of the cards above a rank a suit's state there may end well; and the states that do for any.
    helps = np.zeros((14, 4, 10), dtype=np.uint64)
    allowed_below = np.zeros((14, 4), dtype=np.uint64)
    begins = np.zeros(4, dtype=np.int64)
    top = 13
    while left >> np.uint64(first[top]) == 0:
        top -= 1
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
                    if (allowed_more[n, suit] >> np.uint64(3 * x)) & seven:
                        helped |= one << np.uint64(n)
                helps[rank - 1, suit, x] = helped & left
                some |= int(helped & left != 0) << x
            if rank > 2:
                below = np.uint64((_UNION[codes[rank - 1]] >> (3 * suit)) & 7)
                allowed_below[rank - 1, suit] = _LEADS[some] & (below * EACH_STATE)
            else:
                begins[suit] = some
    initial = np.zeros(81, dtype=np.uint64)
    begin(need, total, with_aces, begins, initial)
    stack = np.empty((STACK, 2), dtype=np.uint64)
    height = 0
    for i in range(81):
        if initial[i] != 0:
            stack[height, 0] = started(i) | np.uint64(1 << 16)
            stack[height, 1] = initial[i]
            height += 1
    while height > 0:
        height -= 1
        state = stack[height, 0] & np.uint64(0xFFFF)
        rank = int(stack[height, 0] >> np.uint64(16)) + 1
        mask = stack[height, 1]
        helped = helps[rank - 1, 0, state & fifteen] & helps[rank - 1, 1, (state >> np.uint64(4)) & fifteen]
        helped &= helps[rank - 1, 2, (state >> np.uint64(8)) & fifteen] & left
        helped &= helps[rank - 1, 3, (state >> np.uint64(12)) & fifteen]
        if helped == 0:
            continue
        for n in range(first[rank], first[rank + 1]):
            if (helped >> np.uint64(n)) & one:
                status = _joins(
                    rank, state, mask, cards_codes[n], allowed_more[n], codes, allowed, with_aces, table, path, spot
                )
                if status < 0:
                    return -1
                if status > 0:
                    out[cards[n]] = True
                    left &= ~(one << np.uint64(n))
                    if left == 0:
                        return 1
        if helped >> np.uint64(first[rank + 1]) == 0:
            continue
        not_may = refused(state, allowed_below[rank])
        for k in range(_WORD_FIRST[codes[rank]], _WORD_FIRST[codes[rank] + 1]):
            if _WORDS[k] & not_may:
                continue
            after = next_states(state, _WORDS[k]) | np.uint64(rank << 16)
            slot = _slot(table, after)
            if slot < 0:
                return -1
            fresh = mask & ~table[slot, DEAD_WAYS]
            table[slot, DEAD_WAYS] |= mask
            if fresh != 0:
                stack[height, 0] = after
                stack[height, 1] = fresh
                height += 1
    return 1


@njit(cache=True)
def _ends(rank, state, mask, codes, allowed, with_aces, table, path, spot):  # type: ignore[no-untyped-def]
    """Whether the states after a rank end well as things are, in one of the ways of a mask.

    Fills `path`, uint64 (15, 2), with states and ways, from the rank to the first state of which something was known.

    Returns:
        1 yes, 0 no, -1 the table is too small.
    """
    at = rank
    while True:
        # Here stands a state that was not looked at yet.
        slot = _slot(table, state | np.uint64(at << 16) | np.uint64(1 << 20))
        if slot < 0:
            return -1
        live = mask & table[slot, LIVE_WAYS]
        fresh = mask & ~table[slot, DEAD_WAYS]
        if live == 0 and fresh != 0 and at == 13:
            live = mask & aces_accepted(state, with_aces)
            table[slot, LIVE_WAYS] |= live
            table[slot, DEAD_WAYS] |= mask & ~live
        if live != 0:
            for before in range(rank, at):
                table[spot[before, 0], LIVE_WAYS] |= live
            return 1
        if fresh != 0 and at < 13:
            path[at, 0] = state
            path[at, 1] = fresh
            spot[at, 0] = slot
            spot[at, 1] = _WORD_FIRST[codes[at + 1] + 1]
            spot[at, 2] = refused(state, allowed[at + 1])
        else:
            at -= 1
        # The next step from the last state that has one.
        while True:
            if at < rank:
                return 0
            k = spot[at, 1] - 1
            begin_at = _WORD_FIRST[codes[at + 1]]
            while k >= begin_at and _WORDS[k] & spot[at, 2]:
                k -= 1
            spot[at, 1] = k
            if k >= begin_at:
                break
            table[spot[at, 0], DEAD_WAYS] |= path[at, 1]
            at -= 1
        state = next_states(path[at, 0], _WORDS[k])
        mask = path[at, 1]
        at += 1


@njit(cache=True, inline="always")
def _slot(table, key):  # type: ignore[no-untyped-def]
    """The row of a key of 21 bits, begun where it is new; -1 where the table is too full."""
    size = len(table) - 1
    slot = int((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) & (size - 1)
    full = (table[0, 0] << np.uint64(21)) | key
    while table[slot + 1, KEY] != full:
        if table[slot + 1, KEY] >> np.uint64(21) != table[0, 0]:
            if table[0, 1] > np.uint64(size // 2):
                return -1
            table[0, 1] += np.uint64(1)
            table[slot + 1, KEY] = full
            table[slot + 1, DEAD_WAYS] = 0
            table[slot + 1, LIVE_WAYS] = 0
            break
        slot = (slot + 1) & (size - 1)
    return slot + 1
