"""Compiled search for the fewest moved cards, proved: of any table, or of those that break the fewest melds.

The automata of the suits (see `rank_kernels`) are joined by the sets of each rank. The search is best-first: by the
cards moved so far plus those that must still move. A state joins the queue only if it can still reach the best number
of hand cards left behind and of melds broken. `fewest_broken_kernels` tells that.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from solver.makiaveli.fewest_broken_kernels import (
    CompletionSearch,
    SearchInput,
    best_completion,
    completion_search_of,
    joint_of,
    known_within,
    larger_memo,
    melds_on,
    new_memo,
    search_input_of,
    suit_state_of,
    within,
)
from solver.makiaveli.floor_comparison_kernels import compared
from solver.makiaveli.kernels import _USAGE, _USAGE_COUNT, SET
from solver.makiaveli.rank_kernels import (
    BROKEN_SHIFT,
    BROKEN_WEIGHT,
    INFINITE,
    SuitRank,
    ace_wraps_of,
    set_options,
    steps_from,
)
from solver.numeric.hash_table import grown_numbers, slot_of_number
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int
from solver.numeric.outcomes import FOUND, NOTHING, OPEN, POOL_FULL, SUITS_FULL, TABLE_FULL

RANK, SUIT = 26, 30  # where the ranks read and the suit stand in the key of a suit's state, above its code
CODE: Final = (1 << RANK) - 1

KEY, BEGIN, END, OFFERS, COARSE = range(5)
"""Columns of the suits' states: key, first step and end of the steps (-1 where they are not known yet), what the steps
offer to the sets of their rank, and what `fewest_broken_kernels` calls the state."""

TO, ORIGINS, USED, OFFER, COST = range(5)
"""Columns of the suits' steps: next state, origins of its runs, copies used in runs, what they offer to sets, cost.

An offer is a bit for each of 27 combinations of copies in sets, x and y (see `steps_from`).
"""

BOUND, SPENT, LEFT = range(3)
"""Columns of the costs of nodes: moved cards of any table through it at least, moved cards so far, and what may not
exceed that of the best table: hand cards left behind, shifted, and broken melds so far."""

NODES, NOW_AT, TOP, POPS = range(4)
"""Numbers that say how far a search has come: nodes so far, the bound that it is at, the highest bound at which a node
waits, and how many nodes were taken from the queue."""


class Task(NamedTuple):
    """What is asked for, and what holds during the whole search.

    Attributes:
        given: The position.
        ace_wraps: int64 (4,), see `ace_wraps_of`.
        options: See `set_options`.
        option_first: int64 (16,), where the options of each rank begin.
        asked: int64 (n, 4), the offer that each suit's step has to make for an option.
        broken_cost: Cost of a broken meld, 0 where these do not count.
        least: Melds that are broken at least; each of them moves a card.
        limit: Moved cards above which a table is of no interest.
        most_left: What may be left behind and broken, see LEFT.
    """

    given: Any
    ace_wraps: Any
    options: Any
    option_first: Any
    asked: Any
    broken_cost: Any
    least: Any
    limit: Any
    most_left: Any


class Suits(NamedTuple):
    """The states and steps of the suits' automata as far as they are known.

    Attributes:
        states: int64 (n, 5).
        place_of_state: int64, where each state stands by its key, see `slot_of_number`.
        edges: int64 (n, 5), the steps.
        counts: int64 (2,), states so far, steps so far.
    """

    states: Any
    place_of_state: Any
    edges: Any
    counts: Any


class Nodes(NamedTuple):
    """The joint states that were come to, and the queue of those that wait.

    Attributes:
        keys: uint64, the suits' states.
        costs: int64 (n, 3).
        parents: int64, the node that each was come to from.
        how: int64 (n, 5), by which option and by which step of each suit.
        following: int64, the next in the queue at the same bound, -1 for none.
        place_of: int64, where the best node of each joint state stands, see `slot_of_number`.
        heads: int64 (256,), the first in the queue at each bound.
        progress: int64 (4,), see NODES.
    """

    keys: Any
    costs: Any
    parents: Any
    how: Any
    following: Any
    place_of: Any
    heads: Any
    progress: Any


@kernel(makes_arrays=False)
def _state_of(key: Int, states: Array, place_of_state: Array, counts: Array) -> Int:
    """The number of a suit's state, begun where it is new."""
    place = slot_of_number(place_of_state, states[:, KEY], key)
    if place_of_state[place] >= 0:
        return place_of_state[place]
    state = counts[0]
    counts[0] += 1
    place_of_state[place] = state
    states[state, KEY] = key
    states[state, END] = -1
    return state


@kernel(inline=True, makes_arrays=False)
def _joint(one: Int, two: Int, three: Int, four: Int) -> Int:
    """The states of the four suits as one key."""
    low = np.uint64(one) | np.uint64(two) << np.uint64(16)
    return low | np.uint64(three) << np.uint64(32) | np.uint64(four) << np.uint64(48)


@kernel()
def _masks(rows: Array) -> Array:
    """Melds (see `melds_on`) as the bits of their cards' numbers."""
    masks = np.zeros(len(rows), dtype=np.int64)
    for m in range(len(rows)):
        if rows[m, 0] == SET:
            for suit in range(4):
                if (rows[m, 2] >> suit) & 1:
                    masks[m] |= 1 << (13 * suit + rows[m, 1] - 1)
        else:
            for rank in range(rows[m, 1], rows[m, 2] + 1):
                masks[m] |= 1 << (13 * rows[m, 0] + (rank - 1) % 13)
    return masks


@kernel()
def _moved(runs: Array, sets: Array, melds: Array) -> Int:
    """The moved cards of a table."""
    floor = np.full((len(runs) + len(sets), 3), SET, dtype=np.int64)
    for m in range(len(runs)):
        for column in range(3):
            floor[m, column] = runs[m, column]
    for m in range(len(sets)):
        for column in range(2):
            floor[len(runs) + m, 1 + column] = sets[m, column]
    masks = _masks(floor)
    size = 0
    for mask in masks:
        while mask:
            mask &= mask - 1
            size += 1
    return size - compared(masks, _masks(melds))[1]


@kernel(nogil=True)
def fewest_moved(
    need: Array,
    total: Array,
    forced: Array,
    runs: Array,
    sets: Array,
    count_broken: Int,
    lost: Int,
    most_lost: Int,
    stop: Array,
    most_nodes: Int,
) -> tuple[Int, Int, Array, Int]:
    """The table with the fewest moved cards among those that leave the fewest hand cards behind.

    Where broken melds count, only tables that break the fewest of them are looked at.

    A node is popped with a bound; only its children at that bound join the queue, and the node returns with the
    bound of the next. Of two ways to a joint state the better is the one that leaves fewer cards behind, then the one
    that broke fewer melds, then the cheaper: the other, were it finished within what is allowed, could be outdone.

    Arguments are those of `best_table`; `most_nodes` bounds the joint states visited.

    Returns:
        status: FOUND, NOTHING (there is no such table) or OPEN (stopped, or there was no room).
        lost: Hand cards left behind.
        melds: The table (see `melds_on`); with OPEN one of those looked at, or none.
        nodes: Joint states visited.

    Worked example. Hearts 3 to 7 lie on the floor, and the hand holds another 5. The first table that breaks the fewest
    melds is 3 4 5 and 5 6 7, which breaks the one meld and moves two cards. A better one would move one card, no fewer,
    since a broken meld moves one at least. So the queue begins with bound 1, and bound 1 is also its limit. Whatever is
    done with the 5 of the hand, two cards leave the meld. When the second one does, the bound would be 2. So nothing is
    left in the queue, and the first table is proved the best.

    >>> from solver.numeric.jit import interpreted, as_int64
    >>> from solver.makiaveli.encoding import Counts
    >>> from solver.makiaveli.position import Position
    >>> counts = Counts.of(Position.parse("floor: 3H 4H 5H 6H 7H; hand: 5H"))
    >>> need, floor, stop = as_int64(counts.total), (counts.runs, counts.sets), np.zeros(1, np.uint8)
    >>> status, lost, melds, nodes = interpreted(fewest_moved)(need, need, need, *floor, 1, 0, 0, stop, 1000)
    >>> status == FOUND, melds.tolist()
    (True, [[2, 3, 5], [2, 5, 7]])
    """
    given = search_input_of(need, total, forced, runs, sets, count_broken)
    search = completion_search_of(given)
    memo, follow = new_memo()
    least, most = lost << BROKEN_SHIFT, ((most_lost + 1) << BROKEN_SHIFT) - 1
    status, most_left, melds, memo, follow = best_completion(search, memo, follow, least, most, stop, most_nodes)
    lost = most_left >> BROKEN_SHIFT
    if status != FOUND:
        return status, lost, melds, search.counts[1]
    least = most_left & ((1 << BROKEN_SHIFT) - 1)
    limit = _moved(runs, sets, melds) - 1
    if limit < least:
        return FOUND, lost, melds, search.counts[1]
    task = _task_of(given, least, limit, most_left)
    # With nothing to lose and any meld to break, to look ahead costs more than it spares.
    looks_ahead = count_broken > 0 or lost > 0
    status, better, n_nodes = _search(task, search, memo, follow, looks_ahead, stop, most_nodes)
    if status == FOUND:
        melds = better
    return OPEN if status == OPEN else FOUND, lost, melds, n_nodes + search.counts[1]


@kernel()
def _task_of(given: SearchInput, least: Int, limit: Int, most_left: Int) -> Task:
    """What the search looks for, given what a table that breaks the fewest melds leaves behind and moves."""
    broken_cost, moved_cost = BROKEN_WEIGHT * given.count_broken, np.int64(1)
    ace_wraps = np.empty(4, dtype=np.int64)
    for suit in range(4):
        ace_wraps[suit] = ace_wraps_of(suit, given.total, given.runs, moved_cost)
    options = np.empty((21 * 14 * 50, 10), dtype=np.int64)
    first = np.zeros(16, dtype=np.int64)
    for rank in range(1, 14):
        first[rank + 1] = set_options(
            rank, given.total, given.runs, given.sets, broken_cost, moved_cost, BROKEN_WEIGHT * least, limit,
            first[rank], options,
        )  # fmt: skip
    asked = np.empty((first[14], 4), dtype=np.int64)
    for o in range(first[14]):
        for suit in range(4):
            asked[o, suit] = 1 << (9 * _USAGE[options[o, 0], suit] + 3 * options[o, 1 + suit] + options[o, 5 + suit])
    return Task(given, ace_wraps, options, first, asked, broken_cost, least, limit, most_left)


@kernel()
def _new_suits() -> Suits:
    """The first state of each suit, the steps of which are not known yet."""
    states = np.empty((128, 5), dtype=np.int64)
    for suit in range(4):
        states[suit, KEY] = suit << SUIT
        states[suit, END] = -1
        states[suit, COARSE] = 0
    counts = np.array([4, 0], dtype=np.int64)
    return Suits(states, np.full(512, -1, dtype=np.int64), np.empty((256, 5), dtype=np.int64), counts)


@kernel()
def _larger_suits(suits: Suits) -> Suits:
    """The same states and steps with room for as many again."""
    states = _grown(suits.states)
    place_of_state = grown_numbers(suits.place_of_state, states[:, KEY])
    return Suits(states, place_of_state, _grown(suits.edges), suits.counts)


@kernel()
def _new_nodes(bound: Int) -> Nodes:
    """The node that the search starts from, in the queue at its bound."""
    nodes = Nodes(
        np.empty(128, dtype=np.uint64), np.zeros((128, 3), dtype=np.int64), np.empty(128, dtype=np.int64),
        np.empty((128, 5), dtype=np.int64), np.empty(128, dtype=np.int64), np.full(256, -1, dtype=np.int64),
        np.full(256, -1, dtype=np.int64), np.zeros(4, dtype=np.int64),
    )  # fmt: skip
    nodes.keys[0] = _joint(0, 1, 2, 3)
    nodes.costs[0, BOUND] = bound
    nodes.parents[0] = -1
    nodes.following[0] = -1
    nodes.heads[bound] = 0
    nodes.place_of[slot_of_number(nodes.place_of, nodes.keys, nodes.keys[0])] = 0
    nodes.progress[NODES], nodes.progress[NOW_AT], nodes.progress[TOP] = 1, bound, bound
    return nodes


@kernel()
def _larger_nodes(nodes: Nodes) -> Nodes:
    """The same nodes with room for as many again."""
    keys, place_of = _grown(nodes.keys), nodes.place_of
    if 2 * len(keys) > len(place_of):
        place_of = grown_numbers(place_of, keys)
    return Nodes(
        keys, _grown(nodes.costs), _grown(nodes.parents), _grown(nodes.how), _grown(nodes.following), place_of,
        nodes.heads, nodes.progress,
    )  # fmt: skip


@kernel(makes_arrays=False)
def _add_steps(task: Task, suits: Suits, rank: Int, suit: Int, state: Int, search: CompletionSearch) -> bool:
    """Finds the steps of a suit's state from the rank before to this one; False where there is no room for them."""
    given, out = task.given, search.out
    states, place_of_state, edges, counts = suits
    card = 13 * suit + (rank - 1) % 13
    copies = np.int64(given.total[card])
    set_here = np.int64(0)
    if rank < 14:
        i, total = rank - 1, given.total
        code = total[i] + 3 * total[i + 13] + 9 * total[i + 26] + 27 * total[i + 39]
        set_here += int(copies > 0 and _USAGE_COUNT[code] > 1)
    floor_sets = np.int64(0)
    for k in range(len(given.sets)):
        if given.sets[k, 0] == rank and (given.sets[k, 1] >> suit) & 1:
            floor_sets += 1
    here = SuitRank(
        rank, copies, given.slots[suit], given.runs, task.broken_cost, np.int64(1), BROKEN_WEIGHT * task.least,
        task.limit, set_here, floor_sets, given.loss[suit, min(rank, 13)], given.goal[suit], task.ace_wraps[suit],
    )  # fmt: skip
    count = steps_from(states[state, KEY] & CODE, here, out, search.now)
    most_states = counts[0] + count
    if counts[1] + count > len(edges) or most_states > len(states) or 2 * most_states > len(place_of_state):
        return False
    first = counts[1]
    offers = 0
    for k in range(count):
        to = 0
        if rank < 14:
            target, used = out[k, 0], out[k, 2]
            to = _state_of(target | rank << RANK | suit << SUIT, states, place_of_state, counts)
            states[to, COARSE] = suit_state_of(target)
            offer = 0
            for in_sets in range(max(0, int(given.need[card]) - used), min(2, copies - used) + 1):
                offer |= 1 << (9 * in_sets + 3 * out[k, 3] + out[k, 4])
            edges[counts[1], OFFER] = offer
            offers |= offer
        edges[counts[1], TO] = to
        edges[counts[1], ORIGINS] = out[k, 1]
        edges[counts[1], USED] = out[k, 2]
        edges[counts[1], COST] = out[k, 5]
        counts[1] += 1
    states[state, BEGIN] = first
    states[state, END] = counts[1]
    states[state, OFFERS] = offers
    return True


@kernel()
def _search(
    task: Task, search: CompletionSearch, memo: Array, follow: Array, looks_ahead: Int, stop: Array, most_nodes: Int
) -> tuple[Int, Array, Int]:
    """The best-first search of `fewest_moved`.

    Returns:
        status: FOUND, NOTHING (no table is better than the one that is known) or OPEN.
        melds: The table that was found.
        nodes: Joint states visited.
    """
    suits, nodes = _new_suits(), _new_nodes(task.least)
    candidates = np.empty((4, len(search.out), 3), dtype=np.int64)
    numbers = np.zeros((2, 4), dtype=np.int64)
    while True:
        status, node = _advance(
            task, suits, nodes, search, memo, follow, candidates, numbers, looks_ahead, stop, most_nodes
        )
        if status == SUITS_FULL:
            suits = _larger_suits(suits)
        elif status == POOL_FULL:
            nodes = _larger_nodes(nodes)
        elif status == TABLE_FULL:
            memo, follow = larger_memo(search, memo, follow)
        else:
            break
    if status != FOUND:
        return status, np.empty((0, 3), dtype=np.int64), nodes.progress[NODES]
    usages, origins = _way_to(node, nodes, suits, task.options)
    return FOUND, melds_on(usages, origins), nodes.progress[NODES]


@kernel(makes_arrays=False)
def _advance(
    task: Task, suits: Suits, nodes: Nodes, search: CompletionSearch, memo: Array, follow: Array, candidates: Array,
    numbers: Array, looks_ahead: Int, stop: Array, most_nodes: Int,
) -> tuple[Int, Int]:  # fmt: skip
    """Takes nodes from the queue until a table is found or something more is needed.

    Where there is no room, the node returns to the front of the queue. To look at it once more does no harm: what it
    let join the queue before is known by then.

    Args:
        task: What is asked for.
        suits: The suits' states and steps.
        nodes: The nodes.
        search: The search for completions, asked where `looks_ahead`.
        memo: The joint states that it knows.
        follow: Its room for those that follow.
        candidates: int64 (4, n, 3), for each suit a step; its cost; hand cards and broken melds left, see LEFT.
        numbers: int64 (2, 4), the suits' states of the node, and how many candidates each suit has.
        looks_ahead: Whether nodes are dropped that cannot be completed.
        stop: uint8 (1,); another thread sets it to end the search.
        most_nodes: Nodes that there may be.

    Returns:
        status: FOUND, NOTHING, OPEN (stopped, or too many states), or SUITS_FULL, POOL_FULL, TABLE_FULL.
        node: The node from which a table can be finished at no further cost.
    """
    progress, heads, following = nodes.progress, nodes.heads, nodes.following
    state_of = numbers[0]
    while progress[NOW_AT] <= min(progress[TOP], task.limit):
        bound = progress[NOW_AT]
        node = heads[bound]
        if node < 0:
            progress[NOW_AT] += 1
            continue
        heads[bound] = following[node]
        key = nodes.keys[node]
        if nodes.place_of[slot_of_number(nodes.place_of, nodes.keys, key)] != node:
            continue  # a better way to the state was found
        progress[POPS] += 1
        if (progress[POPS] & 255) == 0 and stop[0]:
            return OPEN, node
        for suit in range(4):
            state_of[suit] = np.int64((key >> np.uint64(16 * suit)) & np.uint64(0xFFFF))
        rank = ((suits.states[state_of[0], KEY] >> RANK) & 15) + 1
        status, later = FOUND, np.int64(INFINITE)
        for suit in range(4):
            if suits.states[state_of[suit], END] < 0 and not _add_steps(
                task, suits, rank, suit, state_of[suit], search
            ):
                status = SUITS_FULL
        if status == FOUND and suits.counts[0] > 1 << 16:
            return OPEN, node
        if status == FOUND and rank == 14:
            later = nodes.costs[node, SPENT] + _spent_at_end(suits, state_of)
            if later <= bound:
                return FOUND, node
        elif status == FOUND:
            status, later = _join_children(
                task, suits, nodes, search, memo, follow, candidates, numbers, node, rank, bound, looks_ahead, stop,
                most_nodes,
            )  # fmt: skip
        if status == OPEN:
            return OPEN, node
        if status != FOUND:
            progress[POPS] -= 1
            later = bound
        if later < len(heads):
            following[node] = heads[later]
            heads[later] = node
            progress[TOP] = max(progress[TOP], later)
        if status != FOUND:
            return status, node
    return NOTHING, np.int64(-1)


@kernel(inline=True, makes_arrays=False)
def _join_children(
    task: Task, suits: Suits, nodes: Nodes, search: CompletionSearch, memo: Array, follow: Array, candidates: Array,
    numbers: Array, node: Int, rank: Int, bound: Int, looks_ahead: Int, stop: Array, most_nodes: Int,
) -> tuple[Int, Int]:  # fmt: skip
    """Adds to the queue the children that a node has at its bound.

    Returns:
        status: FOUND, OPEN (stopped, or too many states), POOL_FULL or TABLE_FULL.
        later: The bound of the next child that could join, INFINITE for none.
    """
    edges, states, asked = suits.edges, suits.states, task.asked
    state_of, n = numbers[0], numbers[1]
    own, spent, left = nodes.costs[node, BOUND], nodes.costs[node, SPENT], nodes.costs[node, LEFT]
    most_left = task.most_left
    later = np.int64(INFINITE)
    offered = (
        states[state_of[0], OFFERS], states[state_of[1], OFFERS], states[state_of[2], OFFERS],
        states[state_of[3], OFFERS],
    )  # fmt: skip
    for o in range(task.option_first[rank], task.option_first[rank + 1]):
        if asked[o, 0] & offered[0] == 0 or asked[o, 1] & offered[1] == 0:
            continue
        if asked[o, 2] & offered[2] == 0 or asked[o, 3] & offered[3] == 0:
            continue
        if not _find_candidates(task, suits, state_of, o, rank, most_left - left, candidates, n):
            continue
        f_set = spent + (task.options[o, 9] & (BROKEN_WEIGHT - 1))
        l_set = left + (task.options[o, 9] >> BROKEN_SHIFT)
        for i0 in range(n[0]):
            f0 = f_set + candidates[0, i0, 1]
            l0 = l_set + candidates[0, i0, 2]
            if l0 > most_left:
                continue
            for i1 in range(n[1]):
                f1 = f0 + candidates[1, i1, 1]
                l1 = l0 + candidates[1, i1, 2]
                if l1 > most_left:
                    continue
                for i2 in range(n[2]):
                    f2 = f1 + candidates[2, i2, 1]
                    l2 = l1 + candidates[2, i2, 2]
                    if l2 > most_left:
                        continue
                    for i3 in range(n[3]):
                        l3 = l2 + candidates[3, i3, 2]
                        if l3 > most_left:
                            continue
                        cost = f2 + candidates[3, i3, 1]
                        # Each meld that has yet to be broken moves a card.
                        f = max(own, cost + task.least - (l3 & (BROKEN_WEIGHT - 1)))
                        if f > bound:
                            if f <= task.limit:
                                later = min(later, f)
                            continue
                        if f < bound:
                            continue  # joined the queue when the node was popped with that bound
                        steps = (
                            candidates[0, i0, 0], candidates[1, i1, 0], candidates[2, i2, 0], candidates[3, i3, 0],
                        )  # fmt: skip
                        to0, to1 = edges[steps[0], TO], edges[steps[1], TO]
                        to2, to3 = edges[steps[2], TO], edges[steps[3], TO]
                        child = _joint(to0, to1, to2, to3)
                        place = slot_of_number(nodes.place_of, nodes.keys, child)
                        if _is_outdone(nodes, nodes.place_of[place], l3, cost):
                            continue
                        status = FOUND
                        if looks_ahead:
                            joint = joint_of(
                                rank, states[to0, COARSE], states[to1, COARSE], states[to2, COARSE], states[to3, COARSE]
                            )
                            status = known_within(memo, joint, most_left - l3)
                            if status == OPEN:
                                status = within(search, memo, follow, joint, most_left - l3, stop, most_nodes)
                        if status == NOTHING:
                            continue
                        if status == FOUND and nodes.progress[NODES] >= most_nodes:
                            status = OPEN
                        if status == FOUND and nodes.progress[NODES] == len(nodes.keys):
                            status = POOL_FULL
                        if status != FOUND:
                            return status, later
                        _push(nodes, child, place, f, cost, l3, node, o, steps)
    return FOUND, later


@kernel(inline=True, makes_arrays=False)
def _is_outdone(nodes: Nodes, known: Int, left: Int, spent: Int) -> bool:
    """Whether the known way to a joint state, if there is any, is as good as one that leaves and spends so much."""
    if known < 0:
        return False
    known_left = nodes.costs[known, LEFT]
    return bool(known_left < left or (known_left == left and nodes.costs[known, SPENT] <= spent))


@kernel(inline=True, makes_arrays=False)
def _push(
    nodes: Nodes, key: Int, place: Int, bound: Int, spent: Int, left: Int, parent: Int, option: Int, steps: Any
) -> None:
    """Adds a node to the queue; `place` is the slot of its key, and it was come to by an option and four steps."""
    node = nodes.progress[NODES]
    nodes.keys[node] = key
    nodes.costs[node, BOUND], nodes.costs[node, SPENT], nodes.costs[node, LEFT] = bound, spent, left
    nodes.parents[node] = parent
    nodes.how[node, 0] = option
    for suit in range(4):
        nodes.how[node, 1 + suit] = steps[suit]
    nodes.following[node] = nodes.heads[bound]
    nodes.heads[bound] = node
    nodes.place_of[place] = node
    nodes.progress[NODES] = node + 1


@kernel(inline=True, makes_arrays=False)
def _find_candidates(
    task: Task, suits: Suits, state_of: Array, option: Int, rank: Int, most_left: Int, candidates: Array, n: Array
) -> bool:
    """Writes each suit's steps that an option allows, and their numbers; False where a suit has none."""
    for suit in range(4):
        unused = int(task.given.forced[13 * suit + rank - 1]) - _USAGE[task.options[option, 0], suit]
        n[suit] = _offering_steps(suits, state_of[suit], task.asked[option, suit], unused, most_left, candidates[suit])
        if n[suit] == 0:
            return False
    return True


@kernel()
def _grown(array: Array) -> Array:
    """A copy of twice the length."""
    bigger = np.empty((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    for row in range(len(array)):  # to assign a slice takes Numba seconds to compile
        bigger[row] = array[row]
    return bigger


@kernel(inline=True, makes_arrays=False)
def _offering_steps(suits: Suits, state: Int, asked: Int, unused: Int, most_left: Int, out: Array) -> Int:
    """Writes the steps of a suit's state that offer what is asked; gives their number.

    Args:
        suits: The suits' states and steps.
        state: The state.
        asked: The bit of an offer.
        unused: Floor and hand cards that the sets do not use.
        most_left: What the steps may leave behind and break, see LEFT.
        out: Rows of step, moved cards, and what it leaves behind and breaks.
    """
    n = 0
    edges = suits.edges
    for e in range(suits.states[state, BEGIN], suits.states[state, END]):
        if edges[e, OFFER] & asked == 0:
            continue
        cost = edges[e, COST]
        out[n, 0] = e
        out[n, 1] = cost & (BROKEN_WEIGHT - 1)
        out[n, 2] = (max(0, unused - edges[e, USED]) << BROKEN_SHIFT) + (cost >> BROKEN_SHIFT)
        if out[n, 2] <= most_left:
            n += 1
    return n


@kernel(inline=True, makes_arrays=False)
def _spent_at_end(suits: Suits, state_of: Array) -> Int:
    """The moved cards of the cheapest steps after the king; INFINITE where some suit's runs cannot end."""
    spent = 0
    for suit in range(4):
        best = _cheapest(suits, state_of[suit])
        if best < 0:
            return INFINITE
        spent += suits.edges[best, COST] & (BROKEN_WEIGHT - 1)
    return spent


@kernel(inline=True, makes_arrays=False)
def _cheapest(suits: Suits, state: Int) -> Int:
    """The cheapest step of a suit's state after the king; -1 where its runs cannot end."""
    best = -1
    edges = suits.edges
    for e in range(suits.states[state, BEGIN], suits.states[state, END]):
        if best < 0 or edges[e, COST] < edges[best, COST]:
            best = e
    return best


@kernel()
def _way_to(node: Int, nodes: Nodes, suits: Suits, options: Array) -> tuple[Array, Array]:
    """Usages and origins (see `melds_on`) on the way to a node that has read rank 13, and on from it."""
    usages = np.zeros(15, dtype=np.int64)
    origins = np.zeros((15, 4), dtype=np.int64)
    for suit in range(4):
        state = np.int64((nodes.keys[node] >> np.uint64(16 * suit)) & np.uint64(0xFFFF))
        origins[14, suit] = suits.edges[_cheapest(suits, state), ORIGINS]
    for rank in range(13, 0, -1):
        usages[rank] = options[nodes.how[node, 0], 0]
        for suit in range(4):
            origins[rank, suit] = suits.edges[nodes.how[node, 1 + suit], ORIGINS]
        node = nodes.parents[node]
    return usages, origins
