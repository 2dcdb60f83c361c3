"""Compiled search for the fewest moved cards, proved: of any table, or of those that break the fewest melds.

The automata of the suits (see `rank_kernels`) are joined by the sets of each rank. The search is best-first: by the
cards moved so far plus those that must still move. A state joins the queue only if it can still reach the best number
of hand cards left behind and of melds broken. `broken_kernels` tells that.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from solver.makiaveli.fewest_broken_kernels import (
    FOUND,
    FULL,
    MORE_ROOM,
    NOTHING,
    best_finish,
    finish_of,
    game_of,
    joint_of,
    known_within,
    larger_memo,
    melds_on,
    new_memo,
    suit_state_of,
    within,
)
from solver.makiaveli.kernels import _USAGE, _USAGE_COUNT, SET
from solver.makiaveli.plan_kernels import compared
from solver.makiaveli.rank_kernels import (
    BROKEN_SHIFT,
    BROKEN_WEIGHT,
    INFINITE,
    crossing,
    set_options,
    steps_from,
)
from solver.numeric.hash_table import grown_numbers, slot_of_number
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int

RANK, SUIT = 26, 30  # where the ranks read and the suit stand in the key of a suit's state, above its code
CODE: Final = (1 << RANK) - 1

KEY, BEGIN, END, OFFERS, COARSE = range(5)
"""Columns of the suits' states: key, first step and end of the steps (-1 where they are not known yet), what the steps
offer to the sets of their rank, and what `broken_kernels` calls the state."""

TO, ORIGINS, USED, OFFER, COST = range(5)
"""Columns of the suits' steps: next state, origins of its runs, copies used in runs, what they offer to sets, cost.

An offer is a bit for each of 27 combinations of copies in sets, x and y (see `steps_from`).
"""

BOUND, SPENT, LEFT = range(3)
"""Columns of the costs of nodes: moved cards of any table through it at least, moved cards so far, and what may not
exceed that of the best table: hand cards left behind, shifted, and broken melds so far."""


@kernel()
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


@kernel(inline=True)
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
        status: FOUND, NOTHING (there is no such table) or FULL (stopped, or there was no room).
        lost: Hand cards left behind.
        melds: The table (see `melds_on`); with FULL one of those looked at, or none.
        nodes: Joint states visited.

    Worked example. Hearts 3 to 7 lie on the floor, and the hand holds another 5. The first table that breaks the fewest
    melds is 3 4 5 and 5 6 7, which breaks the one meld and moves two cards. A better one would move one card, no fewer,
    since a broken meld moves one at least. So the queue begins with bound 1, and bound 1 is also its limit. Whatever is
    done with the 5 of the hand, two cards leave the meld. When the second one does, the bound would be 2. So nothing is
    left in the queue, and the first table is proved the best.

    >>> from solver.numeric.jit import interpreted, as_int64
    >>> from solver.makiaveli.counts import Counts
    >>> from solver.makiaveli.position import Position
    >>> counts = Counts.of(Position.parse("floor: 3H 4H 5H 6H 7H; hand: 5H"))
    >>> need, floor, stop = as_int64(counts.total), (counts.runs, counts.sets), np.zeros(1, np.uint8)
    >>> status, lost, melds, nodes = interpreted(fewest_moved)(need, need, need, *floor, 1, 0, 0, stop, 1000)
    >>> status == FOUND, melds.tolist()
    (True, [[2, 3, 5], [2, 5, 7]])
    """
    game = game_of(need, total, forced, runs, sets, count_broken)
    finish = finish_of(game)
    memo, follow = new_memo()
    least, most = lost << BROKEN_SHIFT, ((most_lost + 1) << BROKEN_SHIFT) - 1
    status, most_left, melds, memo, follow = best_finish(finish, memo, follow, least, most, stop, most_nodes)
    lost = most_left >> BROKEN_SHIFT
    if status != FOUND:
        return status, lost, melds, finish.counts[1]
    least = most_left & ((1 << BROKEN_SHIFT) - 1)  # each broken meld moves a card
    limit = _moved(runs, sets, melds) - 1
    if limit < least:
        return FOUND, lost, melds, finish.counts[1]
    broken_cost, moved_cost = BROKEN_WEIGHT * count_broken, np.int64(1)
    most_broken = BROKEN_WEIGHT * least
    slots, goal, loss = game.slots, game.goal, game.loss
    crossings = np.empty(4, dtype=np.int64)
    for suit in range(4):
        crossings[suit] = crossing(suit, total, runs, moved_cost)
    options = np.empty((21 * 14 * 50, 10), dtype=np.int64)
    option_first = np.zeros(16, dtype=np.int64)
    for rank in range(1, 14):
        option_first[rank + 1] = set_options(
            rank, total, runs, sets, broken_cost, moved_cost, most_broken, limit, option_first[rank], options
        )
    # The offer that each suit's step has to make for an option.
    asked = np.empty((option_first[14], 4), dtype=np.int64)
    for o in range(option_first[14]):
        for suit in range(4):
            asked[o, suit] = 1 << (9 * _USAGE[options[o, 0], suit] + 3 * options[o, 1 + suit] + options[o, 5 + suit])

    states = np.empty((128, 5), dtype=np.int64)
    place_of_state = np.full(512, -1, dtype=np.int64)
    edges = np.empty((256, 5), dtype=np.int64)
    out = np.empty((4096, 6), dtype=np.int64)
    now = np.zeros((5, 2), dtype=np.int64)
    counts = np.array([4, 0], dtype=np.int64)  # states and steps so far
    for suit in range(4):
        states[suit, KEY] = suit << SUIT
        states[suit, END] = -1
        states[suit, COARSE] = 0

    keys = np.empty(128, dtype=np.uint64)
    costs = np.empty((128, 3), dtype=np.int64)
    parents = np.empty(128, dtype=np.int64)
    how = np.empty((128, 5), dtype=np.int64)
    following = np.empty(128, dtype=np.int64)
    heads = np.full(256, -1, dtype=np.int64)
    place_of = np.full(256, -1, dtype=np.int64)
    bound = least
    top = least
    keys[0] = _joint(0, 1, 2, 3)
    costs[0, BOUND], costs[0, SPENT], costs[0, LEFT] = bound, 0, 0
    parents[0] = -1
    following[0] = -1
    heads[bound] = 0
    place_of[slot_of_number(place_of, keys, keys[0])] = 0
    n_nodes = 1
    cand = np.empty((4, 64, 3), dtype=np.int64)  # step; its cost; hand cards and broken melds left, see LEFT
    n_cand = np.zeros(4, dtype=np.int64)
    state_of = np.zeros(4, dtype=np.int64)
    pops = 0
    while bound <= min(top, limit):
        node = heads[bound]
        if node < 0:
            bound += 1
            continue
        heads[bound] = following[node]
        key = keys[node]
        if place_of[slot_of_number(place_of, keys, key)] != node:
            continue  # a better way to the state was found
        pops += 1
        if (pops & 255) == 0 and stop[0]:
            return FULL, lost, melds, n_nodes + finish.counts[1]
        for suit in range(4):
            state_of[suit] = np.int64((key >> np.uint64(16 * suit)) & np.uint64(0xFFFF))
        rank = ((states[state_of[0], KEY] >> RANK) & 15) + 1
        for suit in range(4):
            state = state_of[suit]
            if states[state, END] >= 0:
                continue
            card = 13 * suit + (rank - 1) % 13
            set_here = np.int64(0)
            if rank < 14:
                i = rank - 1
                code = total[i] + 3 * total[i + 13] + 9 * total[i + 26] + 27 * total[i + 39]
                set_here += int(total[card] > 0 and _USAGE_COUNT[code] > 1)
            floor_sets = np.int64(0)
            for k in range(len(sets)):
                if sets[k, 0] == rank and (sets[k, 1] >> suit) & 1:
                    floor_sets += 1
            count = steps_from(
                states[state, KEY] & CODE, rank, total[card], slots[suit], runs, broken_cost, moved_cost,
                most_broken, limit, set_here, floor_sets, loss[suit, min(rank, 13)], goal[suit], crossings[suit],
                out, now,
            )  # fmt: skip
            while counts[1] + count > len(edges):
                edges = _grown(edges)
            while counts[0] + count > len(states):
                states = _grown(states)
            while 2 * (counts[0] + count) > len(place_of_state):
                place_of_state = grown_numbers(place_of_state, states[:, KEY])
            if count > cand.shape[1]:
                cand = np.empty((4, 2 * count, 3), dtype=np.int64)
            first = counts[1]
            offers = 0
            for k in range(count):
                to = 0
                if rank < 14:
                    target, used = out[k, 0], out[k, 2]
                    to = _state_of(target | rank << RANK | suit << SUIT, states, place_of_state, counts)
                    if to >= 1 << 16:
                        return FULL, lost, melds, n_nodes + finish.counts[1]
                    states[to, COARSE] = suit_state_of(target)
                    offer = 0
                    for in_sets in range(max(0, int(need[card]) - used), min(2, int(total[card]) - used) + 1):
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
        own = costs[node, BOUND]
        spent = costs[node, SPENT]
        left = costs[node, LEFT]
        later = INFINITE
        if rank == 14:
            spent += _spent_at_end(states, edges, state_of)
            if spent >= INFINITE:
                continue
            if spent <= bound:
                usages, origins = _way_to(node, parents, how, keys, states, edges, options)
                return FOUND, lost, melds_on(usages, origins), n_nodes + finish.counts[1]
            later = spent
        else:
            offered0, offered1 = states[state_of[0], OFFERS], states[state_of[1], OFFERS]
            offered2, offered3 = states[state_of[2], OFFERS], states[state_of[3], OFFERS]
        for o in range(option_first[rank], option_first[rank + 1] if rank < 14 else 0):
            if asked[o, 0] & offered0 == 0 or asked[o, 1] & offered1 == 0:
                continue
            if asked[o, 2] & offered2 == 0 or asked[o, 3] & offered3 == 0:
                continue
            fine = True
            for suit in range(4):
                unused = int(forced[13 * suit + rank - 1]) - _USAGE[options[o, 0], suit]
                n_cand[suit] = _offering_steps(
                    states, edges, state_of[suit], asked[o, suit], unused, most_left - left, cand[suit]
                )
                if n_cand[suit] == 0:
                    fine = False
                    break
            if not fine:
                continue
            f_set = spent + (options[o, 9] & (BROKEN_WEIGHT - 1))
            l_set = left + (options[o, 9] >> BROKEN_SHIFT)
            for i0 in range(n_cand[0]):
                f0 = f_set + cand[0, i0, 1]
                l0 = l_set + cand[0, i0, 2]
                if l0 > most_left:
                    continue
                for i1 in range(n_cand[1]):
                    f1 = f0 + cand[1, i1, 1]
                    l1 = l0 + cand[1, i1, 2]
                    if l1 > most_left:
                        continue
                    for i2 in range(n_cand[2]):
                        f2 = f1 + cand[2, i2, 1]
                        l2 = l1 + cand[2, i2, 2]
                        if l2 > most_left:
                            continue
                        for i3 in range(n_cand[3]):
                            l3 = l2 + cand[3, i3, 2]
                            if l3 > most_left:
                                continue
                            cost = f2 + cand[3, i3, 1]
                            # Each meld that has yet to be broken moves a card.
                            f = max(own, cost + least - (l3 & (BROKEN_WEIGHT - 1)))
                            if f > bound:
                                if f <= limit:
                                    later = min(later, f)
                                continue
                            if f < bound:
                                continue  # joined the queue when the node was popped with that bound
                            e0, e1, e2, e3 = cand[0, i0, 0], cand[1, i1, 0], cand[2, i2, 0], cand[3, i3, 0]
                            to0, to1, to2, to3 = edges[e0, TO], edges[e1, TO], edges[e2, TO], edges[e3, TO]
                            child = _joint(to0, to1, to2, to3)
                            place = slot_of_number(place_of, keys, child)
                            known = place_of[place]
                            if known >= 0 and (
                                costs[known, LEFT] < l3 or (costs[known, LEFT] == l3 and costs[known, SPENT] <= cost)
                            ):
                                continue
                            coarse = joint_of(
                                rank, states[to0, COARSE], states[to1, COARSE], states[to2, COARSE], states[to3, COARSE]
                            )
                            # With nothing to lose and any meld to break, to look ahead costs more than it spares.
                            status = known_within(memo, coarse, most_left - l3) if count_broken or lost else FOUND
                            while status == MORE_ROOM:
                                status = within(finish, memo, follow, coarse, most_left - l3, stop, most_nodes)
                                if status == MORE_ROOM:
                                    memo, follow = larger_memo(finish, memo, follow)
                            if status == NOTHING:
                                continue
                            if status == FULL:
                                return FULL, lost, melds, n_nodes + finish.counts[1]
                            if n_nodes >= most_nodes:
                                return FULL, lost, melds, n_nodes + finish.counts[1]
                            if n_nodes == len(keys):
                                keys = _grown(keys)
                                costs = _grown(costs)
                                parents = _grown(parents)
                                how = _grown(how)
                                following = _grown(following)
                            keys[n_nodes] = child
                            costs[n_nodes, BOUND] = f
                            costs[n_nodes, SPENT] = cost
                            costs[n_nodes, LEFT] = l3
                            parents[n_nodes] = node
                            how[n_nodes, 0] = o
                            how[n_nodes, 1] = e0
                            how[n_nodes, 2] = e1
                            how[n_nodes, 3] = e2
                            how[n_nodes, 4] = e3
                            following[n_nodes] = heads[f]
                            heads[f] = n_nodes
                            place_of[place] = n_nodes
                            n_nodes += 1
                            if 2 * n_nodes > len(place_of):
                                place_of = grown_numbers(place_of, keys)
        if later < len(heads):
            following[node] = heads[later]
            heads[later] = node
            top = max(top, later)
    return FOUND, lost, melds, n_nodes + finish.counts[1]


@kernel()
def _grown(array: Array) -> Array:
    """A copy of twice the length."""
    bigger = np.empty((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    for row in range(len(array)):  # to assign a slice takes Numba seconds to compile
        bigger[row] = array[row]
    return bigger


@kernel()
def _offering_steps(
    states: Array, edges: Array, state: Int, asked: Int, unused: Int, most_left: Int, out: Array
) -> Int:
    """Writes the steps of a suit's state that offer what is asked; gives their number.

    Args:
        states: The suits' states.
        edges: Their steps.
        state: The state.
        asked: The bit of an offer.
        unused: Floor and hand cards that the sets do not use.
        most_left: What the steps may leave behind and break, see LEFT.
        out: Rows of step, moved cards, and what it leaves behind and breaks.
    """
    n = 0
    for e in range(states[state, BEGIN], states[state, END]):
        if edges[e, OFFER] & asked == 0:
            continue
        cost = edges[e, COST]
        out[n, 0] = e
        out[n, 1] = cost & (BROKEN_WEIGHT - 1)
        out[n, 2] = (max(0, unused - edges[e, USED]) << BROKEN_SHIFT) + (cost >> BROKEN_SHIFT)
        if out[n, 2] <= most_left:
            n += 1
    return n


@kernel()
def _spent_at_end(states: Array, edges: Array, state_of: Array) -> Int:
    """The moved cards of the cheapest steps after the king; INFINITE where some suit's runs cannot end."""
    spent = 0
    for suit in range(4):
        best = _cheapest(states, edges, state_of[suit])
        if best < 0:
            return INFINITE
        spent += edges[best, COST] & (BROKEN_WEIGHT - 1)
    return spent


@kernel()
def _cheapest(states: Array, edges: Array, state: Int) -> Int:
    """The cheapest step of a suit's state after the king; -1 where its runs cannot end."""
    best = -1
    for e in range(states[state, BEGIN], states[state, END]):
        if best < 0 or edges[e, COST] < edges[best, COST]:
            best = e
    return best


@kernel()
def _way_to(
    node: Int, parents: Array, how: Array, keys: Array, states: Array, edges: Array, options: Array
) -> tuple[Array, Array]:
    """Usages and origins (see `melds_on`) on the way to a node that has read rank 13, and on from it."""
    usages = np.zeros(15, dtype=np.int64)
    origins = np.zeros((15, 4), dtype=np.int64)
    for suit in range(4):
        state = np.int64((keys[node] >> np.uint64(16 * suit)) & np.uint64(0xFFFF))
        origins[14, suit] = edges[_cheapest(states, edges, state), ORIGINS]
    for rank in range(13, 0, -1):
        usages[rank] = options[how[node, 0], 0]
        for suit in range(4):
            origins[rank, suit] = edges[how[node, 1 + suit], ORIGINS]
        node = parents[node]
    return usages, origins
