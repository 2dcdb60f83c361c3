"""Compiled search for tables that play the most cards and break the fewest melds.

A joint state is the state of all four suits after a rank, as in `rank_kernels` but without heirs. Its cost is the least
that a table must pay from there on: hand cards left behind and, where these count, melds broken. A depth-first search
with a budget finds whether a state can be finished within the budget. It remembers for each state between which bounds
its cost lies.

Two callers use it. One asks for the start with a growing budget; the first budget that suffices gives the best table.
The other is the finer search of `fewest_moved_kernels`, which may spend as much and no more. It asks for each of its
states and drops those that cannot be finished, which are nearly all.

A joint state is packed into one word: for each suit nine bits, and the rank above them.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from solver.makiaveli.kernels import _USAGE, SET
from solver.makiaveli.rank_kernels import (
    BROKEN_SHIFT,
    HIGH_ACES,
    INFINITE,
    PAIR,
    SECOND,
    SETS_MADE,
    SuitRank,
    ace_wraps_of,
    fewest_lost,
    places_of_runs,
    set_options,
    steps_from,
    viable,
)
from solver.numeric.hash_table import slot_of
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int
from solver.numeric.outcomes import FOUND, NOTHING, OPEN, TABLE_FULL

JOINT_RANK: Final = 36
"""Where the rank stands in the word of a joint state."""

FREE: Final = -1

KEY, LEAST, MOST = range(3)
"""Columns of the joint states known: their word (FREE in a free row), and bounds on the cost of finishing them."""

COST, OPTION, STEPS = range(1, 4)
"""Columns of what follows a joint state, after its word: the cost, the sets and the four steps that lead to it."""

ROW, BUDGET, UNSEEN, BEYOND = range(4)
"""Columns of the path: a state's row, what may still be spent from there, how many of those that follow it have not
been looked at (the one behind these is on the path), and the least that the others were seen to cost."""

TO, USED, STEP_COST, ORIGINS = range(4)
"""Columns of the suits' steps: next state, copies used in runs, cost, and origins of its runs."""

_WORDS = np.array([low | run for low in (0, 1 << 6) for run in (0, 1, 2, 3, 7, 11)], dtype=np.int64)
_INDEX_OF_WORD = np.zeros(80, dtype=np.int64)
_INDEX_OF_WORD[_WORDS] = np.arange(12)
SUIT_STATES: Final = 3 * 144


class SearchInput(NamedTuple):
    """What the searches know of a position.

    Attributes:
        need: uint8 (52,), cards that have to be used.
        total: uint8 (52,), all cards.
        forced: uint8 (52,), floor and hand cards: each copy of these that is not used is lost.
        runs: int64 (n, 3), floor runs as suit, first and last rank (14 for a high ace).
        sets: int64 (n, 2), floor sets as rank and mask of suits.
        count_broken: 1 where broken melds count, else 0.
        slots: See `places_of_runs`.
        goal: See `viable`.
        loss: See `viable`.
        lost: See `fewest_lost`.
    """

    need: Any
    total: Any
    forced: Any
    runs: Any
    sets: Any
    count_broken: Any
    slots: Any
    goal: Any
    loss: Any
    lost: Any


class CompletionSearch(NamedTuple):
    """The steps of the suits as far as they are known, and room for the search.

    Attributes:
        given: The position.
        ace_wraps: int64 (4,), see `ace_wraps_of`.
        options: See `set_options`.
        option_first: int64 (16,), where the options of each rank begin.
        begin: int32 (14, 4, SUIT_STATES), first step of a suit's state after a rank.
        end: int32, end of its steps; -1 where they are not known yet.
        steps: int64 (n, 4).
        counts: int64 (2,), steps so far, joint states so far.
        path: int64 (13, 4), the joint states on the way to where the search stands.
        out: Room for `steps_from`.
        now: Room for `steps_from`.
    """

    given: Any
    ace_wraps: Any
    options: Any
    option_first: Any
    begin: Any
    end: Any
    steps: Any
    counts: Any
    path: Any
    out: Any
    now: Any


@kernel()
def search_input_of(need: Array, total: Array, forced: Array, runs: Array, sets: Int, count_broken: Int) -> SearchInput:
    """What the searches know of a position."""
    goal = np.zeros((4, 3, 14), dtype=np.int64)
    loss = np.zeros((4, 15, 3), dtype=np.int64)
    viable(need, total, forced, goal, loss)
    slots = np.empty((4, 2, 15), dtype=np.int64)
    for suit in range(4):
        places_of_runs(runs, suit, slots[suit])
    return SearchInput(need, total, forced, runs, sets, count_broken, slots, goal, loss, fewest_lost(total, goal, loss))


@kernel()
def completion_search_of(given: SearchInput) -> CompletionSearch:
    """A search that does not know any steps yet."""
    nothing, any_cost = np.int64(0), np.int64(INFINITE)  # see `steps_from`
    options = np.empty((21 * 14, 10), dtype=np.int64)
    first = np.zeros(16, dtype=np.int64)
    for rank in range(1, 14):
        first[rank + 1] = set_options(
            rank,
            given.total,
            given.runs,
            given.sets,
            given.count_broken,
            nothing,
            any_cost,
            any_cost,
            first[rank],
            options,
        )
    ace_wraps = np.empty(4, dtype=np.int64)
    for suit in range(4):
        ace_wraps[suit] = ace_wraps_of(suit, given.total, given.runs, nothing)
    begin = np.empty((14, 4, SUIT_STATES), dtype=np.int32)
    end = np.full((14, 4, SUIT_STATES), -1, dtype=np.int32)
    steps = np.empty((1 << 15, 4), dtype=np.int64)
    out = np.empty((4096, 6), dtype=np.int64)
    return CompletionSearch(
        given, ace_wraps, options, first, begin, end, steps, np.zeros(2, dtype=np.int64),
        np.empty((13, 4), dtype=np.int64), out, np.zeros((5, 2), dtype=np.int64),
    )  # fmt: skip


@kernel()
def new_memo() -> tuple[Array, Array]:
    """An empty table of known joint states, and room for what follows each joint state on a path."""
    return np.full((1 << 9, 3), FREE, dtype=np.int64), np.empty((13, 64, 4), dtype=np.int64)


@kernel()
def larger_memo(search: CompletionSearch, memo: Array, follow: Array) -> tuple[Array, Array]:
    """The table of known joint states and the room for what follows, the one that was full four times as large."""
    if 2 * search.counts[1] + 2 > len(memo):
        larger = np.full((4 * len(memo), 3), FREE, dtype=np.int64)
        for row in range(len(memo)):
            if memo[row, KEY] >= 0:
                larger[slot_of(larger[:, KEY], memo[row, KEY], FREE)] = memo[row]
        return larger, follow
    return memo, np.empty((13, 4 * follow.shape[1], 4), dtype=np.int64)


@kernel(inline=True, makes_arrays=False)
def suit_state_of(code: Int) -> Int:
    """A suit's state in nine bits: what its word (see `rank_kernels`) says of lengths, kept runs, low and high aces."""
    one, two = code & 15, (code >> SECOND) & 15
    one |= 64 * int((code >> 6) & 3 == 1)
    two |= 64 * int((code >> (SECOND + 6)) & 3 == 1)
    one, two = max(one, two), min(one, two)
    return ((code >> HIGH_ACES) & 3) * 144 + _INDEX_OF_WORD[one] * 12 + _INDEX_OF_WORD[two]


@kernel(inline=True, makes_arrays=False)
def joint_of(rank: Int, one: Int, two: Int, three: Int, four: Int) -> Int:
    """The states of the four suits after a rank as one word."""
    return rank << JOINT_RANK | one | two << 9 | three << 18 | four << 27


@kernel(inline=True, makes_arrays=False)
def _least_lost(lost: Array, key: Int) -> Int:
    """The least cost of the hand cards that stay behind after a joint state."""
    least = np.int64(0)
    if key > 0:
        for suit in range(4):
            state = (key >> (9 * suit)) & 511
            lengths = PAIR[_WORDS[state % 144 // 12] & 3, _WORDS[state % 12] & 3]
            least += lost[suit, state // 144, key >> JOINT_RANK, lengths]
    return min(least << BROKEN_SHIFT, INFINITE)


@kernel(makes_arrays=False)
def _add_steps(search: CompletionSearch, rank: Int, suit: Int, state: Int) -> bool:
    """Finds the steps of a suit's state from a rank to the next; False where there is no room for them."""
    given = search.given
    code = _WORDS[state % 144 // 12] | _WORDS[state % 12] << SECOND | (state // 144) << HIGH_ACES
    card = 13 * suit + rank % 13
    nothing, any_cost = np.int64(0), np.int64(INFINITE)  # see `steps_from`
    here = SuitRank(
        rank + 1, np.int64(given.total[card]), given.slots[suit], given.runs, given.count_broken, nothing, any_cost,
        any_cost, nothing, nothing, given.loss[suit, min(rank + 1, 13)], given.goal[suit], search.ace_wraps[suit],
    )  # fmt: skip
    count = steps_from(code, here, search.out, search.now)
    first = search.counts[0]
    if first + count > len(search.steps) or count > 255:
        return False
    for k in range(count):
        search.steps[first + k, TO] = suit_state_of(search.out[k, 0])
        search.steps[first + k, ORIGINS] = search.out[k, 1]
        search.steps[first + k, USED] = search.out[k, 2]
        search.steps[first + k, STEP_COST] = search.out[k, 5]
    search.counts[0] += count
    search.begin[rank, suit, state] = first
    search.end[rank, suit, state] = first + count
    return True


@kernel(inline=True, makes_arrays=False)
def _follow(
    key: Int,
    budget: Int,
    need: Array,
    total: Array,
    forced: Array,
    options: Array,
    option_first: Array,
    begin: Array,
    end: Array,
    steps: Array,
    follow: Array,
) -> tuple[Int, Int]:
    """Writes the joint states that may follow one within a budget.

    Returns:
        n: Their number, -1 where they find no room.
        beyond: The least that any other that follows would cost.
    """
    rank = key >> JOINT_RANK
    s0, s1, s2, s3 = key & 511, (key >> 9) & 511, (key >> 18) & 511, (key >> 27) & 511
    b0, b1, b2, b3 = begin[rank, 0, s0], begin[rank, 1, s1], begin[rank, 2, s2], begin[rank, 3, s3]
    e0, e1, e2, e3 = end[rank, 0, s0], end[rank, 1, s1], end[rank, 2, s2], end[rank, 3, s3]
    beyond = INFINITE
    n = 0
    for o in range(option_first[rank + 1], option_first[rank + 2]):
        usage = options[o, 0]
        set_cost = options[o, 9]
        if set_cost > budget:
            beyond = min(beyond, set_cost)
            continue
        for k0 in range(b0, e0):
            out = steps[k0, USED] + _USAGE[usage, 0]
            if out < need[rank] or out > total[rank]:
                continue
            c0 = set_cost + steps[k0, STEP_COST] + (max(0, int(forced[rank]) - out) << BROKEN_SHIFT)
            if c0 > budget:
                beyond = min(beyond, c0)
                continue
            for k1 in range(b1, e1):
                out = steps[k1, USED] + _USAGE[usage, 1]
                if out < need[13 + rank] or out > total[13 + rank]:
                    continue
                c1 = c0 + steps[k1, STEP_COST] + (max(0, int(forced[13 + rank]) - out) << BROKEN_SHIFT)
                if c1 > budget:
                    beyond = min(beyond, c1)
                    continue
                for k2 in range(b2, e2):
                    out = steps[k2, USED] + _USAGE[usage, 2]
                    if out < need[26 + rank] or out > total[26 + rank]:
                        continue
                    c2 = c1 + steps[k2, STEP_COST] + (max(0, int(forced[26 + rank]) - out) << BROKEN_SHIFT)
                    if c2 > budget:
                        beyond = min(beyond, c2)
                        continue
                    for k3 in range(b3, e3):
                        out = steps[k3, USED] + _USAGE[usage, 3]
                        if out < need[39 + rank] or out > total[39 + rank]:
                            continue
                        cost = c2 + steps[k3, STEP_COST] + (max(0, int(forced[39 + rank]) - out) << BROKEN_SHIFT)
                        if cost > budget:
                            beyond = min(beyond, cost)
                            continue
                        if n == len(follow):
                            return -1, beyond
                        follow[n, KEY] = joint_of(rank + 1, steps[k0, TO], steps[k1, TO], steps[k2, TO], steps[k3, TO])
                        follow[n, COST] = cost
                        follow[n, OPTION] = o
                        follow[n, STEPS] = (k0 - b0) | (k1 - b1) << 8 | (k2 - b2) << 16 | (k3 - b3) << 24
                        n += 1
    return n, beyond


@kernel(inline=True, makes_arrays=False)
def known_within(memo: Array, key: Int, budget: Int) -> Int:
    """Whether it is known that a joint state can be finished within a budget, or not: OPEN where it is not."""
    row = slot_of(memo[:, KEY], key, FREE)
    if memo[row, KEY] < 0 or memo[row, LEAST] <= budget < memo[row, MOST]:
        return OPEN
    return FOUND if memo[row, MOST] <= budget else NOTHING


@kernel(makes_arrays=False)
def within(
    search: CompletionSearch, memo: Array, follow: Array, key: Int, budget: Int, stop: Array, most_nodes: Int
) -> Int:
    """Whether a joint state can be finished within a budget; `search.path` then leads from it to what is known to be.

    Args:
        search: The search, see `completion_search_of`.
        memo: The joint states known, see `new_memo`; gets what is learned.
        follow: Room for those that follow.
        key: The joint state.
        budget: What may be spent from there.
        stop: uint8 (1,); another thread sets it to end the search.
        most_nodes: Joint states that may be visited.

    Returns:
        FOUND, NOTHING, OPEN (stopped, or too many states), or TABLE_FULL where `larger_memo` has to be called first.

    Worked example. Hearts 3 to 7 lie on the floor, and the hand holds another 5, of which none may be left behind. With
    nothing to spend six states are looked at, and none gets past the kings: whatever is done with the second 5, the run
    is broken. So the start is now known to cost 1 at least. With 1 to spend there is a way.

    >>> from solver.numeric.jit import interpreted, as_int64
    >>> from solver.makiaveli.encoding import Counts
    >>> from solver.makiaveli.position import Position
    >>> counts = Counts.of(Position.parse("floor: 3H 4H 5H 6H 7H; hand: 5H"))
    >>> need, runs, sets, stop = as_int64(counts.total), counts.runs, counts.sets, np.zeros(1, np.uint8)
    >>> def asked(budget):
    ...     search = completion_search_of(search_input_of(need, need, need, runs, sets, 1))
    ...     memo, follow = new_memo()
    ...     status = within(search, memo, follow, 0, budget, stop, 1000)
    ...     return status, memo[slot_of(memo[:, KEY], 0, FREE), LEAST], search.counts[1]
    >>> interpreted(asked)(0) == (NOTHING, 1, 6), interpreted(asked)(1)[0] == FOUND
    (True, True)
    """
    need, total, forced, lost = search.given.need, search.given.total, search.given.forced, search.given.lost
    options, option_first, counts, path = search.options, search.option_first, search.counts, search.path
    begin, end, steps = search.begin, search.end, search.steps
    keys = memo[:, KEY]
    depth = 0
    while True:
        # Here stands a state that was come to with so much of the budget left.
        row = slot_of(keys, key, FREE)
        if memo[row, KEY] < 0:
            if 2 * counts[1] + 2 > len(memo):
                return TABLE_FULL
            counts[1] += 1
            if counts[1] > most_nodes or ((counts[1] & 255) == 0 and stop[0]):
                return OPEN
            memo[row, KEY] = key
            memo[row, LEAST] = _least_lost(lost, key)
            memo[row, MOST] = INFINITE
        is_open = memo[row, LEAST] <= budget < memo[row, MOST]
        if is_open:
            rank = key >> JOINT_RANK
            for suit in range(4):
                state = (key >> (9 * suit)) & 511
                if end[rank, suit, state] < 0 and not _add_steps(search, rank, suit, state):
                    return OPEN
                if end[rank, suit, state] == begin[rank, suit, state]:
                    memo[row, LEAST] = INFINITE
                    is_open = False
            if is_open and rank == 13:
                memo[row, LEAST], memo[row, MOST] = 0, 0
                is_open = False
        if memo[row, MOST] <= budget:
            for d in range(depth):
                memo[path[d, ROW], MOST] = min(memo[path[d, ROW], MOST], path[d, BUDGET])
            return FOUND
        if is_open:
            n, beyond = _follow(
                key, budget, need, total, forced, options, option_first, begin, end, steps, follow[depth]
            )
            if n < 0:
                return TABLE_FULL
            path[depth, ROW], path[depth, BUDGET], path[depth, UNSEEN], path[depth, BEYOND] = row, budget, n, beyond
            depth += 1
        # Of a state that is of no use, its parent learns what it costs. The next to look at is what follows from the
        # last state with anything left that does.
        while not is_open or path[depth - 1, UNSEEN] == 0:
            if is_open:
                depth -= 1
                row = path[depth, ROW]
                memo[row, LEAST] = max(memo[row, LEAST], min(path[depth, BEYOND], INFINITE))
            if depth == 0:
                return NOTHING
            cost = follow[depth - 1, path[depth - 1, UNSEEN], COST] + memo[row, LEAST]
            path[depth - 1, BEYOND] = min(path[depth - 1, BEYOND], cost)
            is_open = True
        path[depth - 1, UNSEEN] -= 1
        key = follow[depth - 1, path[depth - 1, UNSEEN], KEY]
        budget = path[depth - 1, BUDGET] - follow[depth - 1, path[depth - 1, UNSEEN], COST]


@kernel()
def best_completion(
    search: CompletionSearch, memo: Array, follow: Array, least: Int, most: Int, stop: Array, most_nodes: Int
) -> tuple[Int, Int, Array, Array, Array]:
    """The least cost of a whole table between two bounds, and that table.

    Returns:
        status: FOUND, NOTHING or OPEN.
        cost: Hand cards left behind, shifted, and broken melds.
        melds: See `melds_on`.
        memo: The joint states known.
        follow: The room for those that follow.
    """
    start = np.int64(0)
    budget = least
    while True:
        status = within(search, memo, follow, start, budget, stop, most_nodes)
        if status == TABLE_FULL:
            memo, follow = larger_memo(search, memo, follow)
        elif status == NOTHING:
            budget = memo[slot_of(memo[:, KEY], start, FREE), LEAST]
            if budget > most:
                return NOTHING, 0, np.empty((0, 3), dtype=np.int64), memo, follow
        elif status == OPEN:
            return OPEN, 0, np.empty((0, 3), dtype=np.int64), memo, follow
        else:
            break
    usages = np.zeros(15, dtype=np.int64)
    origins = np.zeros((15, 4), dtype=np.int64)
    key = start
    for rank in range(14):
        chosen = np.int64(0)
        before = key
        if rank < 13:
            taken = follow[rank, search.path[rank, UNSEEN]]
            usages[rank + 1] = search.options[taken[OPTION], 0]
            chosen = taken[STEPS]
            key = taken[KEY]
        for suit in range(4):
            step = search.begin[rank, suit, (before >> (9 * suit)) & 511] + ((chosen >> (8 * suit)) & 255)
            origins[rank + 1, suit] = search.steps[step, ORIGINS]
    return FOUND, budget, melds_on(usages, origins), memo, follow


@kernel(nogil=True)
def best_table(
    need: Array,
    total: Array,
    forced: Array,
    runs: Array,
    sets: Int,
    count_broken: Int,
    lost: Int,
    most_lost: Int,
    stop: Array,
    most_nodes: Int,
) -> tuple[Int, Int, Array, Int]:
    """The table that leaves the fewest hand cards behind, and among these breaks the fewest melds where they count.

    Args:
        need: uint8 (52,), floor cards: all have to be used. With the hand cards where none may be left behind.
        total: uint8 (52,), all cards.
        forced: uint8 (52,), floor and hand cards: each copy of these that is not used is lost.
        runs: int64 (n, 3), floor runs as suit, first and last rank (14 for a high ace).
        sets: int64 (n, 2), floor sets as rank and mask of suits.
        count_broken: 1 where broken melds count.
        lost: Hand cards that are left behind at least.
        most_lost: Hand cards that may be left behind.
        stop: uint8 (1,); another thread sets it to end the search.
        most_nodes: Joint states that may be known.

    Returns:
        status: FOUND, NOTHING (there is no such table) or OPEN (stopped, or too many states).
        lost: Hand cards left behind.
        melds: The table, see `melds_on`.
        nodes: Joint states known.
    """
    search = completion_search_of(search_input_of(need, total, forced, runs, sets, count_broken))
    memo, follow = new_memo()
    least, most = lost << BROKEN_SHIFT, ((most_lost + 1) << BROKEN_SHIFT) - 1
    status, cost, melds, memo, follow = best_completion(search, memo, follow, least, most, stop, most_nodes)
    return status, cost >> BROKEN_SHIFT, melds, search.counts[1]


@kernel()
def melds_on(usages: Array, origins: Array) -> Array:
    """The melds of a table: int64 (n, 3), runs as (suit, first, last), sets as (4, rank, mask of suits).

    Args:
        usages: int64 (15,), for each rank from 1 to 13 the index in SET_USAGES.
        origins: int64 (15, 4), for each rank from 1 to 14 and suit the origins of its runs (see `steps_from`).
    """
    melds = np.empty((64, 3), dtype=np.int64)
    n = 0
    open_from = np.zeros((4, 2), dtype=np.int64)
    for rank in range(1, 15):
        if rank < 14:
            for made in SETS_MADE[usages[rank]]:
                if made:
                    melds[n, 0], melds[n, 1], melds[n, 2] = SET, rank, made
                    n += 1
        for suit in range(4):
            one, two = origins[rank, suit] & 3, origins[rank, suit] >> 2
            for old in range(2):
                if open_from[suit, old] and one != old + 1 and two != old + 1:
                    melds[n, 0], melds[n, 1], melds[n, 2] = suit, open_from[suit, old], rank - 1
                    n += 1
            a, b = open_from[suit, 0], open_from[suit, 1]
            open_from[suit, 0] = 0 if one == 0 else a if one == 1 else b if one == 2 else rank
            open_from[suit, 1] = 0 if two == 0 else a if two == 1 else b if two == 2 else rank
    for suit in range(4):
        for old in range(2):
            if open_from[suit, old]:
                melds[n, 0], melds[n, 1], melds[n, 2] = suit, open_from[suit, old], 14
                n += 1
    return melds[:n].copy()
