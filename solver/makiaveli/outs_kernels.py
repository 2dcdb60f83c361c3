"""Compiled test of all 52 outs at once. An out is a card that would make the table a win.

Only sets join the suits. Once it is settled which sets each rank makes (its usage, an index into `SET_USAGES`), every
suit can be read by itself, as the set of all states that its runs may be in after a rank. And a hand with one more card
differs from the hand as it is at the rank of that card only, so all cards share what lies below their rank and what
lies above it. Three steps, each dearer than the one before, sort the cards out:

1. Each suit's states are followed from the aces up and from the kings down. At each rank a usage counts if some state
   of every suit allows it. These are more states than any real table has. So if even they do not meet at the rank of a
   card, the card is no out. If they meet, what follows from the meeting is followed up and down, and they must still
   meet. Few wrong cards pass.
2. Where the hand can be played as it is, the usages of such a table are kept at all ranks but the card's own. Then the
   states are exact: where they meet by any usage of that rank the card is an out.
3. For each card that is left a search over the usages of all ranks begins with those of the last table found. What it
   cannot settle in a few steps is asked of the win test.

A word holds states of two suits, 60 bits: for each suit, and for 0, 1 or 2 of its aces that stand after the king, the
ten bits of `RUN_STATES`. Below `x` is always the word of clubs and diamonds, `y` that of hearts and spades. Numbers of
copies, in sets or in runs, are sets of 0, 1 and 2: three bits a suit, six for a word.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from solver.makiaveli.kernels import _ACES_END, _START, SET_USAGES, can_win, rank_code
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int
from solver.numeric.outcomes import FOUND, TABLE_FULL

CARD_STEPS: Final = 64
"""Usages tried for one card before the win test is asked instead."""
HAND_STEPS: Final = 3000
"""Usages tried for the hand as it is: its table settles most outs."""

CARD, RANK, CODE_X, CODE_Y = range(4)
"""Columns of the cards that may be outs: the codes of their rank are those with one more copy."""

STATES_X, STATES_Y, SEARCH = range(3)
"""Columns of the dead ends: the states of all suits, with the rank above those of `x`, and which search left them."""

_FORGOTTEN: Final = 63
"""Stands in place of the card in rows of dead ends that are none."""


def _each(*run_states: int) -> int:
    """A word with these run states of both suits, whatever their aces."""
    return sum(1 << (10 * part + state) for part in range(6) for state in run_states)


_SUIT: Final = (1 << 30) - 1
_ALL: Final = (1 << 60) - 1
_S0, _S3, _S6, _S8, _S9 = (_each(state) for state in (0, 3, 6, 8, 9))
_S012, _S345, _S67 = _each(0, 1, 2), _each(3, 4, 5), _each(6, 7)
_ENDS: Final = sum(  # the states after the king in which all runs end well
    1 << (30 * suit + 10 * aces + state)
    for suit in range(2) for aces in range(3) for state in range(10) if int(_ACES_END[state]) >> aces & 1
)  # fmt: skip


def _tables_of_codes() -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]:
    """For two suits' code (a half of `rank_code`, 36 ways) and six bits, as one index of twelve bits.

    Returns:
        For numbers of copies in runs the numbers in sets that fit them.
        For numbers in sets the numbers in runs that fit them.
        For numbers of aces in sets the states after the aces.
    """
    in_sets, in_runs, begun = (np.zeros((6, 8), dtype=np.int64) for _ in range(3))
    may = np.arange(8)
    pairs = [(need, total) for total in range(3) for need in range(total + 1)]  # the digits of `rank_code`
    for code, (need, total) in enumerate(pairs):
        for sets in range(total + 1):
            for rest in range(max(0, need - sets), total - sets + 1):
                in_sets[code] |= (may >> rest & 1) << sets
                in_runs[code] |= (may >> sets & 1) << rest
                for aces in range(rest + 1):
                    begun[code] |= (may >> sets & 1) << (10 * aces + int(_START[rest - aces]))
    codes, bits = np.divmod(np.arange(36 << 6), 64)

    def of_two(table: NDArray[np.int64], width: int) -> NDArray[np.int64]:
        both: NDArray[np.int64] = table[codes % 6, bits % 8] | table[codes // 6, bits // 8] << width
        return both

    return of_two(in_sets, 3).astype(np.uint8), of_two(in_runs, 3).astype(np.uint8), of_two(begun, 30)


_IN_SETS, _IN_RUNS, _BEGUN = _tables_of_codes()
# The copies of the four suits that each usage puts into sets, twelve bits of which four are set.
_USED = np.array([sum(1 << (3 * suit + used) for suit, used in enumerate(usage)) for usage in SET_USAGES], np.int64)
# For numbers of copies that each suit may put into sets, twelve bits: the usages that all allow, and their copies.
_FITTING = _USED & ~np.arange(1 << 12)[:, None] == 0
_USAGES = (_FITTING << np.arange(len(_USED))).sum(axis=1).astype(np.int32)
_TOGETHER = np.bitwise_or.reduce(np.where(_FITTING, _USED, 0), axis=1).astype(np.int16)
# For numbers of copies, six bits: all states of the suits that may put none, one or two into runs.
_NONE, _ONE, _TWO = np.array(
    [
        [sum(_SUIT << (30 * suit) for suit in range(2) if may >> (3 * suit + used) & 1) for may in range(64)]
        for used in range(3)
    ],
    dtype=np.int64,
)
# What one more card, to be used, adds to the digit of `rank_code` of a card that is there so often; 0: none is left.
_CODE_STEP = np.array([2, 3, 0], dtype=np.int64)


def new_dead_ends(bits: int = 13) -> NDArray[np.int64]:
    """A table of dead ends, 2**bits rows under a row 0 that holds the number of the last search and of its rows."""
    return np.zeros((1 + (1 << bits), 3), dtype=np.int64)


@kernel(inline=True)
def _after(states: Int) -> tuple[Int, Int, Int]:
    """Run states of two suits once no, one or two copies of the next rank went to runs; see `kernels._next_state`."""
    none = states & _S0 | (states & _S3) >> 3 | (states & _S9) >> 9
    one = (states & _S012) << 1 | states & _S3 | (states & _S6) >> 4 | (states & _S8) >> 5 | (states & _S9) >> 6
    two = (states & _S012) << 4 | (states & _S345) << 3 | (states & _S67) << 2 | (states & _S8) << 1 | states & _S9
    return none, one, two


@kernel(inline=True)
def _before(states: Int) -> tuple[Int, Int, Int]:
    """Run states of two suits from which no, one or two copies in runs lead to the given states."""
    none = states & _S0 | (states & _S0) << 3 | (states & _S0) << 9
    one = states >> 1 & _S012 | states & _S3 | states << 4 & _S6 | states << 5 & _S8 | states << 6 & _S9
    two = states >> 4 & _S012 | states >> 3 & _S345 | states >> 2 & _S67 | states >> 1 & _S8 | states & _S9
    return none, one, two


@kernel(inline=True)
def _numbers(by: tuple[Int, Int, Int], within: Int) -> Int:
    """The numbers of copies in runs by which each of two suits comes (see `_after`) to a state `within`; six bits."""
    none, one, two = by[0] & within, by[1] & within, by[2] & within
    found = int(none & _SUIT != 0) | int(one & _SUIT != 0) << 1 | int(two & _SUIT != 0) << 2
    return found | int(none > _SUIT) << 3 | int(one > _SUIT) << 4 | int(two > _SUIT) << 5


@kernel(inline=True)
def _in_sets(code: Int, in_runs: Int) -> Int:
    """The numbers of copies that sets may take where runs take one of these numbers; six bits."""
    return np.int64(_IN_SETS[np.uint64(code << 6 | in_runs)])


@kernel(inline=True)
def _fitting_all(low: Int, high: Int) -> Int:
    """The numbers of copies in sets that occur in a usage which all four suits allow; twelve bits."""
    return np.int64(_TOGETHER[np.uint64(low | high << 6)])


@kernel(inline=True)
def _chosen(code: Int, in_sets: Int, by: tuple[Int, Int, Int]) -> Int:
    """The run states that two suits reach (see `_after`) where sets take one of these numbers of copies."""
    may = np.uint64(_IN_RUNS[np.uint64(code << 6 | in_sets)])
    return by[0] & _NONE[may] | by[1] & _ONE[may] | by[2] & _TWO[may]


@kernel(inline=True)
def _begun(code: Int, in_sets: Int) -> Int:
    """The run states of two suits after the aces, where sets take one of these numbers of aces."""
    return _BEGUN[np.uint64(code << 6 | in_sets)]


@kernel(inline=True)
def _aces_in_sets(code: Int, within: Int) -> Int:
    """The numbers of aces that sets may take so that each of two suits reaches a state `within`; six bits."""
    return _numbers((_begun(code, 0o11), _begun(code, 0o22), _begun(code, 0o44)), within)


@kernel(inline=True)
def _share_states(one: Int, two: Int) -> Int:
    """Whether two words share states of both suits."""
    return one & two & _SUIT != 0 and one & two > _SUIT


@kernel()
def find_outs(need: Array, total: Array, visited: Array, dead_ends: Array, out: Array) -> Int:
    """Writes for each card whether a hand with one more copy could be played; False where both copies are seen.

    Args:
        need: uint8 (52,), copies that must be used: those of the floor and of the hand.
        total: uint8 (52,), copies there are.
        visited: See `can_win`.
        dead_ends: From `new_dead_ends`; kept between calls.
        out: bool (52,).

    Returns:
        `FOUND`, or `TABLE_FULL` where `visited` is too small.
    """
    out[:] = False
    codes = np.empty((14, 2), dtype=np.int64)
    for rank in range(1, 14):
        code = rank_code(need, total, rank)
        codes[rank, 0], codes[rank, 1] = code % 36, code // 36
    reach, goal = np.empty((14, 2), dtype=np.int64), np.empty((14, 2), dtype=np.int64)
    cards = np.empty((52, 4), dtype=np.int64)
    n, may_win = _candidates(total, codes, _reach(codes, reach), reach, goal, cards)
    if n == 0:
        return FOUND
    dead_ends[0, 0] += 1
    dead_ends[0, 1] = 0
    # The last table found: its usages and the states after each rank below `sound`, and above `since` the states from
    # which its usages end well, `known`. At the rank of its own card it is of no use to others.
    usages = np.empty(14, dtype=np.int64)
    states, known = np.empty((14, 2), dtype=np.int64), np.empty((14, 2), dtype=np.int64)
    known[13] = _ENDS
    sound, since = 0, 13
    won = may_win and _search_usages(-1, 0, codes, goal, goal, known, since, dead_ends, states, usages, 0) > 0
    if won:
        n = _beside_table(codes, states, usages, known, cards[:n], out)
        sound, since = 14, 1
    below = np.empty((14, 2), dtype=np.int64)
    tried = np.empty(14, dtype=np.int64)
    passed = np.empty((14, 2), dtype=np.int64)
    for i in range(n):
        card, rank = cards[i, CARD], cards[i, RANK]
        if not _agree_around(cards[i], codes, reach, goal, below):
            continue
        code_x, code_y = codes[rank, 0], codes[rank, 1]
        codes[rank, 0], codes[rank, 1] = cards[i, CODE_X], cards[i, CODE_Y]
        start = 0  # so far the states of the table may lead to the card
        while start + 1 < min(sound, rank):
            if not _share_states(states[start + 1, 0], below[start + 1, 0]):
                break
            if not _share_states(states[start + 1, 1], below[start + 1, 1]):
                break
            start += 1
            passed[start, 0], passed[start, 1], tried[start] = states[start, 0], states[start, 1], usages[start]
        at = _search_usages(card, rank, codes, below, goal, known, max(rank, since), dead_ends, passed, tried, start)
        codes[rank, 0], codes[rank, 1] = code_x, code_y
        if at < 0:
            need[card] += 1
            total[card] += 1
            found = can_win(need, total, visited)
            need[card] -= 1
            total[card] -= 1
            if found == TABLE_FULL:
                return TABLE_FULL
            out[card] = found == FOUND
        elif at > 0:
            out[card] = True
            if not won:
                for r in range(1, rank):
                    states[r, 0], states[r, 1], usages[r] = passed[r, 0], passed[r, 1], tried[r]
                _fill_known(codes, tried, at, rank, known)
                sound, since = rank, rank
    return FOUND


@kernel()
def _reach(codes: Array, reach: Array) -> Int:
    """Finds the states after each rank to which usages that all suits allow lead.

    Args:
        codes: The codes of all ranks, int64 (14, 2).
        reach: int64 (14, 2), gets the states, up to rank 12.

    Returns:
        The lowest rank where no usage is allowed, 13 where there is none below it.
    """
    in_sets = _fitting_all(_aces_in_sets(codes[1, 0], _ALL), _aces_in_sets(codes[1, 1], _ALL))
    x, y = _begun(codes[1, 0], in_sets & 63), _begun(codes[1, 1], in_sets >> 6)
    reach[1, 0], reach[1, 1] = x, y
    for rank in range(2, 13):
        code_x, code_y = codes[rank, 0], codes[rank, 1]
        by_x, by_y = _after(x), _after(y)
        in_sets = _fitting_all(_in_sets(code_x, _numbers(by_x, _ALL)), _in_sets(code_y, _numbers(by_y, _ALL)))
        if in_sets == 0:
            return rank
        x, y = _chosen(code_x, in_sets & 63, by_x), _chosen(code_y, in_sets >> 6, by_y)
        reach[rank, 0], reach[rank, 1] = x, y
    return 13


@kernel()
def _candidates(total: Array, codes: Array, highest: Int, reach: Array, goal: Array, cards: Array) -> tuple[Int, bool]:
    """The cards at whose rank the states below and above may meet, from the kings down.

    Args:
        total: Copies there are.
        codes: The codes of all ranks, int64 (14, 2).
        highest: The highest rank that is reached; no card above it mends what is wrong there.
        reach: See `_reach`.
        goal: int64 (14, 2), gets the states after each rank from which usages that all suits allow end well.
        cards: int64 (52, 4), gets the cards.

    Returns:
        n: Their number.
        may_win: Whether the hand as it is may be played.
    """
    n = 0
    x, y = np.int64(_ENDS), np.int64(_ENDS)
    goal[13, 0], goal[13, 1] = x, y
    for rank in range(13, 0, -1):
        code_x, code_y = codes[rank, 0], codes[rank, 1]
        by_x, by_y = _before(x), _before(y)
        low, high, sets_x, sets_y = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        if rank == 1:
            sets_x, sets_y = _aces_in_sets(code_x, x), _aces_in_sets(code_y, y)
        elif rank <= highest:
            low, high = _numbers(by_x, reach[rank - 1, 0]), _numbers(by_y, reach[rank - 1, 1])
            sets_x, sets_y = _in_sets(code_x, low), _in_sets(code_y, high)
        for suit in range(4 if rank <= highest else 0):
            step = _CODE_STEP[total[13 * suit + rank - 1]] * (1 + 5 * (suit & 1))
            if step == 0:
                continue
            if suit < 2:
                more = _in_sets(code_x + step, low) if rank > 1 else _aces_in_sets(code_x + step, x)
                fits = _fitting_all(more, sets_y)
            else:
                more = _in_sets(code_y + step, high) if rank > 1 else _aces_in_sets(code_y + step, y)
                fits = _fitting_all(sets_x, more)
            if fits:
                cards[n, CARD], cards[n, RANK] = 13 * suit + rank - 1, rank
                cards[n, CODE_X], cards[n, CODE_Y] = code_x, code_y
                cards[n, CODE_X + (suit >> 1)] += step
                n += 1
        if rank == 1:
            return n, highest == 13 and _fitting_all(sets_x, sets_y) != 0
        in_sets = _fitting_all(_in_sets(code_x, _numbers(by_x, _ALL)), _in_sets(code_y, _numbers(by_y, _ALL)))
        if in_sets == 0:
            break  # no card below mends what is wrong here
        x, y = _chosen(code_x, in_sets & 63, by_x), _chosen(code_y, in_sets >> 6, by_y)
        goal[rank - 1, 0], goal[rank - 1, 1] = x, y
    return n, False


@kernel()
def _beside_table(codes: Array, states: Array, usages: Array, known: Array, cards: Array, out: Array) -> Int:
    """Adds to `out` the cards for which a table has a place at their rank while its other ranks keep their usages.

    Args:
        codes: The codes of all ranks.
        states: int64 (14, 2), the states after each rank by the usages of the table.
        usages: int64 (14,), the usages.
        known: int64 (14, 2), gets the states after each rank from which they end well.
        cards: The cards by falling rank; those that are not settled move to its front.
        out: bool (52,).

    Returns:
        The number of cards that are left.
    """
    left, i = 0, 0
    x, y = np.int64(_ENDS), np.int64(_ENDS)
    for rank in range(13, 0, -1):
        by_x, by_y = _before(x), _before(y)
        low, high = np.int64(0), np.int64(0)
        if rank > 1:
            low, high = _numbers(by_x, states[rank - 1, 0]), _numbers(by_y, states[rank - 1, 1])
        while i < len(cards) and cards[i, RANK] == rank:
            code_x, code_y = cards[i, CODE_X], cards[i, CODE_Y]
            if rank > 1:
                fits = _fitting_all(_in_sets(code_x, low), _in_sets(code_y, high))
            else:
                fits = _fitting_all(_aces_in_sets(code_x, x), _aces_in_sets(code_y, y))
            if fits:
                out[cards[i, CARD]] = True
            else:
                cards[left] = cards[i]
                left += 1
            i += 1
        if rank > 1:
            used = _USED[usages[rank]]
            x, y = _chosen(codes[rank, 0], used & 63, by_x), _chosen(codes[rank, 1], used >> 6, by_y)
            known[rank - 1, 0], known[rank - 1, 1] = x, y
    return left


@kernel()
def _fill_known(codes: Array, usages: Array, top: Int, bottom: Int, known: Array) -> None:
    """Fills `known` from rank `top` down to `bottom`: the states from which usages lead to those known at the top."""
    x, y = known[top, 0], known[top, 1]
    for rank in range(top, bottom, -1):
        used = _USED[usages[rank]]
        x = _chosen(codes[rank, 0], used & 63, _before(x))
        y = _chosen(codes[rank, 1], used >> 6, _before(y))
        known[rank - 1, 0], known[rank - 1, 1] = x, y


@kernel()
def _agree_around(card: Array, codes: Array, reach: Array, goal: Array, below: Array) -> Int:
    """Whether the states at a card's rank can be traced down and up, rank by rank, by usages that all suits allow.

    Args:
        card: A row of the cards.
        codes: The codes of all ranks.
        reach: See `_reach`.
        goal: See `_candidates`.
        below: int64 (14, 2), gets the states after each rank below that may lead to the card and on.
    """
    rank, code_x, code_y = card[RANK], card[CODE_X], card[CODE_Y]
    to_x, to_y = goal[rank, 0], goal[rank, 1]
    if rank > 1:
        by_x, by_y = _after(reach[rank - 1, 0]), _after(reach[rank - 1, 1])
        in_sets = _fitting_all(_in_sets(code_x, _numbers(by_x, to_x)), _in_sets(code_y, _numbers(by_y, to_y)))
        to_x &= _chosen(code_x, in_sets & 63, by_x)
        to_y &= _chosen(code_y, in_sets >> 6, by_y)
    else:
        in_sets = _fitting_all(_aces_in_sets(code_x, to_x), _aces_in_sets(code_y, to_y))
        to_x &= _begun(code_x, in_sets & 63)
        to_y &= _begun(code_y, in_sets >> 6)
    x, y = to_x, to_y
    for above in range(rank + 1, 14):
        by_x, by_y = _after(x), _after(y)
        x, y = goal[above, 0], goal[above, 1]
        in_sets = _fitting_all(
            _in_sets(codes[above, 0], _numbers(by_x, x)), _in_sets(codes[above, 1], _numbers(by_y, y))
        )  # fmt: skip
        if in_sets == 0:
            return False
        x &= _chosen(codes[above, 0], in_sets & 63, by_x)
        y &= _chosen(codes[above, 1], in_sets >> 6, by_y)
    x, y = to_x, to_y
    for before in range(rank - 1, 0, -1):
        by_x, by_y = _before(x), _before(y)
        x, y = reach[before, 0], reach[before, 1]
        in_sets = _fitting_all(_in_sets(code_x, _numbers(by_x, x)), _in_sets(code_y, _numbers(by_y, y)))
        if in_sets == 0:
            return False
        x &= _chosen(code_x, in_sets & 63, by_x)
        y &= _chosen(code_y, in_sets >> 6, by_y)
        below[before, 0], below[before, 1] = x, y
        code_x, code_y = codes[before, 0], codes[before, 1]
    return rank == 1 or _fitting_all(_aces_in_sets(code_x, x), _aces_in_sets(code_y, y)) != 0


@kernel()
def _search_usages(
    card: Int,
    card_rank: Int,
    codes: Array,
    below: Array,
    above: Array,
    known: Array,
    since: Int,
    dead_ends: Array,
    states: Array,
    usages: Array,
    start: Int,
) -> Int:
    """Seeks usages of all ranks by which every suit ends well, in depth from the usages given.

    Args:
        card: The card that is added, -1 for the hand as it is.
        card_rank: Its rank, 0 for the hand as it is.
        codes: The codes of all ranks, with the card.
        below: int64 (14, 2), the states after each rank below the card's that may end well.
        above: The same from the card's rank on.
        known: int64 (14, 2), states after each rank from which known usages end well.
        since: The lowest rank for which `known` holds; rank 13 at the latest.
        dead_ends: States of all suits that were left in vain; those from the card's rank on serve other cards too.
        states: int64 (14, 2), the states after each rank by the usages.
        usages: int64 (14,), the usages of the ranks up to `start`; gets those found.
        start: The rank up to which usages and states are given.

    Returns:
        The rank from which on the known usages end well, 0 where there are no such usages, -1 where that was not found
        out.

    Worked example. The hand 3C 3D 3H 3S 4S 5S is asked about as it is, without any table known before: `known` is what
    runs may be in after the king, and `above` comes from the kings down. The search goes up from the aces. At rank 3
    sets of three or four cards are allowed, but the 4 and 5 of spades are left without their 3 by any set with spades.
    So one copy each of clubs, diamonds and hearts is used there, and nothing at all other ranks. Without the 3 of
    spades there is no such way: 0.

    >>> from solver.makiaveli.encoding import Counts
    >>> from solver.makiaveli.position import Position
    >>> def find_usages(line):
    ...     total = Counts.of(Position.parse(line)).total
    ...     codes, reach, goal, known, states = np.zeros((5, 14, 2), np.int64)
    ...     for rank in range(1, 14):
    ...         codes[rank] = divmod(rank_code(total, total, rank), 36)[::-1]
    ...     _candidates(total, codes, _reach(codes, reach), reach, goal, np.empty((52, 4), np.int64))
    ...     known[13], dead_ends, usages = _ENDS, new_dead_ends(), np.zeros(14, np.int64)
    ...     dead_ends[0, 0] = 1
    ...     at = _search_usages(-1, 0, codes, goal, goal, known, 13, dead_ends, states, usages, 0)
    ...     return at, {rank: SET_USAGES[usages[rank]] for rank in range(1, at + 1) if usages[rank]}
    >>> find_usages("hand: 3C 3D 3H 3S 4S 5S"), find_usages("hand: 3C 3D 3H 4S 5S")
    ((13, {3: (1, 1, 1, 0)}), (0, {}))
    """
    left = np.empty(14, dtype=np.int64)  # usages of each rank that have yet to be tried; -1: all but the one given
    rows = np.zeros(14, dtype=np.int64)  # of dead ends, for what lies on the way
    left[: start + 1] = -1
    left_steps = CARD_STEPS if card_rank else HAND_STEPS
    stamp = dead_ends[0, 0]
    last_row = len(dead_ends) - 1
    rank = start + 1
    is_new, found = True, False
    while rank > 0:
        code_x, code_y = codes[rank, 0], codes[rank, 1]
        by_x, by_y = _after(states[rank - 1, 0]), _after(states[rank - 1, 1])  # of no meaning at the aces
        if is_new or left[rank] < 0:
            to_x, to_y = (below[rank, 0], below[rank, 1]) if rank < card_rank else (above[rank, 0], above[rank, 1])
            if rank == 1:
                may_x, may_y = _aces_in_sets(code_x, to_x), _aces_in_sets(code_y, to_y)
            else:
                may_x, may_y = _in_sets(code_x, _numbers(by_x, to_x)), _in_sets(code_y, _numbers(by_y, to_y))
            if rank >= since:
                to_x, to_y = known[rank, 0], known[rank, 1]
                if rank == 1:
                    end_x, end_y = _aces_in_sets(code_x, to_x), _aces_in_sets(code_y, to_y)
                else:
                    end_x, end_y = _in_sets(code_x, _numbers(by_x, to_x)), _in_sets(code_y, _numbers(by_y, to_y))
                ending = _USAGES[np.uint64(end_x | end_y << 6)]
                if ending:
                    usages[rank] = _lowest_bit(ending)
                    found = True
                    break
            others = ~np.int64(0) if is_new else ~(1 << usages[rank])
            left[rank] = _USAGES[np.uint64(may_x | may_y << 6)] & others
            is_new = False
        if left[rank] == 0:
            rank -= 1
            continue
        left_steps -= 1
        if left_steps < 0 or 2 * dead_ends[0, 1] > last_row:
            break
        usages[rank] = _lowest_bit(left[rank])
        left[rank] &= left[rank] - 1
        used = _USED[usages[rank]]
        if rank == 1:
            x, y = _begun(code_x, used & 63), _begun(code_y, used >> 6)
        else:
            x, y = _chosen(code_x, used & 63, by_x), _chosen(code_y, used >> 6, by_y)
        states[rank, 0], states[rank, 1] = x, y
        # States that cannot end well do not tell dead ends apart.
        search = stamp << 6
        if rank < card_rank:
            search |= card + 1
            x &= below[rank, 0]
            y &= below[rank, 1]
        else:
            x &= above[rank, 0]
            y &= above[rank, 1]
        x |= rank << 60
        row = 1 + ((x * 0x1E3779B97F4A7C15 + y) * 0x3F58476D1CE4E5B9 >> 40 & (last_row - 1))
        while dead_ends[row, SEARCH] >> 6 == stamp:
            if dead_ends[row, SEARCH] == search and dead_ends[row, STATES_X] == x and dead_ends[row, STATES_Y] == y:
                break
            row = 1 + (row & (last_row - 1))
        else:
            dead_ends[0, 1] += 1
            dead_ends[row, STATES_X], dead_ends[row, STATES_Y], dead_ends[row, SEARCH] = x, y, search
            rows[rank] = row
            rank += 1
            is_new = True
    if rank == 0:
        return 0
    for before in range(1, rank):  # these were not left in vain
        if rows[before]:
            dead_ends[rows[before], SEARCH] |= _FORGOTTEN
    return rank if found else -1


@kernel(inline=True)
def _lowest_bit(bits: Int) -> Int:
    """The place of the lowest bit that is set; there is one."""
    place = 0
    while not bits >> place & 1:
        place += 1
    return place
