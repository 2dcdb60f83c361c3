"""The compiled tree search of the Klondike player that does not peek.

Each visit lays the unknown cards anew, as chance may have laid them, and walks down a tree of what a person would see:
two deals that look alike lead to the same node. So a choice is never made by what lies face down. At a new node the
network of `player_kernels` says what each choice is worth; visits then go where the worth is high or unsure.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from solver.klondike.kernels import reachable
from solver.klondike.player_kernels import (
    CHOICE,
    DRAW,
    FEATURES,
    LEFT,
    LOCKED,
    MAX_CHOICES,
    MAX_MEMBERS,
    ODD,
    RAISED,
    REDEALS,
    SHOWN,
    STATE,
    STOCK,
    UNSEEN,
    VISIBLE,
    WASTE,
    count_features,
    features,
    find_choices,
    is_won,
    lay_faces,
    make,
    playable,
    reveal,
    settle,
    value,
)
from solver.klondike.position import MAX_STOCK
from solver.numeric.bits import trailing_zeros
from solver.numeric.hash_table import slot_of
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Int, Ints
from solver.numeric.random_numbers import below, seeded

EDGE: Final = 10
VISITS, SUM, WORTH, SQUARES = range(CHOICE, CHOICE + 4)
"""An edge: its choice, how often it was visited, the sum of what these visits were worth, and what the network said."""
FIRST, COUNT, SEEN, NODE = 0, 1, 2, 4
"""A node: its first edge, how many it has, and how often it was visited."""
PROGRESS: Final = 3
"""Which of a search's rows of numbers says how far it is; all zero before it begins."""
DONE, NODES, EDGES, RANDOM = range(4)
"""Such a row: the work done, the nodes and edges there are, and the four words of the random numbers' state."""
SURE: Final = 1 << 16
"""A probability of 1."""
LEARNT_VISITS: Final = 12
"""A choice looked at less often tells a network nothing."""

EXPLORE, TRUST, POWER = range(3)
"""Tuning: how far visits spread, in 1/256; for how many visits the network's word counts; and the power of priors."""


@kernel(makes_arrays=False)
def _key(state: Ints) -> Int:
    key = np.uint64(0)
    for item in (VISIBLE, LOCKED, RAISED, STOCK, LEFT, WASTE, ODD, SHOWN):
        key ^= np.uint64(state[item])
        key *= np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
        key *= np.uint64(0xBF58476D1CE4E5B9)
        key ^= key >> np.uint64(32)
    return np.int64(key) | 1


@kernel(makes_arrays=False)
def lay(unknown: Ints, many: Int, spots: Ints, columns: Ints, slots: Ints, stock: Ints, random: Any) -> Any:
    """Lays the unknown cards at random in their places; a place is column + depth << 3, or 7 + stock place << 3."""
    for at in range(many - 1, -1, -1):
        other, random = below(np.uint64(at + 1), random)
        card = unknown[np.int64(other)]
        unknown[np.int64(other)] = unknown[at]
        unknown[at] = card
        spot = spots[at]
        if spot & 7 == 7:
            stock[spot >> 3] = card
            slots[card] = spot >> 3
        else:
            columns[spot & 7, spot >> 3] = card
            slots[card] = spot
    return random


@kernel(makes_arrays=False)
def chance_of(odds: Int, chances: Ints) -> Int:
    """The probability, SURE for 1, that belongs to the network's word."""
    return chances[min(max((odds >> 4) + 512, 0), 1023)]


@kernel(makes_arrays=False)
def _expand(
    state: Ints, rules: Ints, slots: Ints, columns: Ints, stock: Ints, turns: Ints, faces: Ints, net: Any,
    chances: Ints, members: Ints, choices: Ints, ints: Ints, edges: Ints, start: Int, every: Int,
) -> tuple[Int, Int]:  # fmt: skip
    """Writes the edges of a state from row `start` on; gives how many there are, and the best worth."""
    trial, rows = ints[1], ints[2]
    known = count_features(net[0].shape[0] - 1)
    turned = playable(state, rules, turns, faces)
    count = find_choices(state, rules, turned, members, choices, MAX_MEMBERS, every)
    worth = np.int64(0)
    for at in range(count):
        make(state, trial, choices[at], slots, turns, rules)
        settle(trial, rules)
        features(trial, rules, slots, stock, turns, faces, rows, known)
        found = chance_of(value(rows, net), chances)
        for item in range(CHOICE):
            edges[start + at, item] = choices[at, item]
        edges[start + at, VISITS] = 0
        edges[start + at, SUM] = 0
        edges[start + at, SQUARES] = 0
        edges[start + at, WORTH] = found
        worth = max(worth, found)
    return count, worth


@kernel(makes_arrays=False)
def _step(
    state: Ints, trial: Ints, choice: Ints, columns: Ints, slots: Ints, stock: Ints, turns: Ints, rules: Ints
) -> None:
    """Plays a choice and turns the card that it uncovers."""
    make(state, trial, choice, slots, turns, rules)
    reveal(trial, columns, stock)
    settle(trial, rules)
    for item in range(STATE):
        state[item] = trial[item]


@kernel(nogil=True, makes_arrays=False)
def search(
    root: Ints, rules: Ints, unknown: Ints, many: Int, spots: Ints, columns: Ints, slots: Ints, stock: Ints,
    turns: Ints, faces: Ints, chances: Ints, net: Any, keys: Ints, homes: Ints, nodes: Ints, edges: Ints,
    members: Ints, choices: Ints, ints: Ints, path: Ints, tuning: Ints, seed: Int, work: Int, most: Int,
) -> bool:  # fmt: skip
    """Searches on from a settled state until about `work` choices have been tried in all.

    Its stock is known, or redeals are counted: then each turn of a stock that hides cards is a choice.

    Node 0 is the root, and its edges are the first ones. Where the table of nodes is full and there are `most` of them,
    new nodes are weighed but not kept.

    Returns:
        Whether the table of nodes is full though it may grow: then to search on in a larger one gives what a table that
        was large from the beginning would have given.
    """
    progress = ints[PROGRESS]
    done = progress[DONE]
    node_count, edge_count = progress[NODES], progress[EDGES]
    if done == 0:
        random = seeded(np.uint64(seed))
        keys[:] = 0
    else:
        random = (
            np.uint64(progress[RANDOM]),
            np.uint64(progress[RANDOM + 1]),
            np.uint64(progress[RANDOM + 2]),
            np.uint64(progress[RANDOM + 3]),
        )
    state, trial = ints[0], ints[1]
    is_full = False
    while done < work:
        is_full = node_count >= keys.size // 2 or edge_count + 2 * MAX_CHOICES >= edges.shape[0]
        if is_full and keys.size // 2 < most:
            break
        random = lay(unknown, many, spots, columns, slots, stock, random)
        if root[UNSEEN]:
            lay_faces(stock, MAX_STOCK, faces)
        for item in range(STATE):
            state[item] = root[item]
        length = 0
        worth = np.int64(0)
        while True:
            if is_won(state, rules):
                worth = np.int64(SURE)
                break
            key = _key(state)
            slot = slot_of(keys, key, 0)
            if keys[slot] == 0:
                count, worth = _expand(
                    state, rules, slots, columns, stock, turns, faces, net, chances, members, choices, ints, edges,
                    edge_count, length == 0,
                )  # fmt: skip
                done += count + 1
                if not is_full:
                    keys[slot] = key
                    homes[slot] = node_count
                    nodes[node_count, FIRST] = edge_count
                    nodes[node_count, COUNT] = count
                    nodes[node_count, SEEN] = 0
                    node_count += 1
                    edge_count += count
                    if length == 0 and count > 0:
                        continue
                break
            node = homes[slot]
            count = nodes[node, COUNT]
            if count == 0:
                break
            edge = _choose(edges, nodes[node, FIRST], count, nodes[node, SEEN], tuning)
            nodes[node, SEEN] += 1
            path[length] = edge
            length += 1
            _step(state, trial, edges[edge], columns, slots, stock, turns, rules)
            done += 1
        for at in range(length):
            edges[path[at], VISITS] += 1
            edges[path[at], SUM] += worth
            edges[path[at], SQUARES] += worth * worth >> 16
        is_full = False
        if length == 0:
            break
    progress[DONE], progress[NODES], progress[EDGES] = done, node_count, edge_count
    for word in range(4):
        progress[RANDOM + word] = np.int64(random[word])
    return is_full


@kernel(makes_arrays=False)
def move_homes(keys: Ints, homes: Ints, more_keys: Ints, more_homes: Ints) -> None:
    """Puts all keys and the nodes that they name into a larger table, which is empty."""
    for old in range(keys.size):
        if keys[old]:
            slot = slot_of(more_keys, keys[old], 0)
            more_keys[slot] = keys[old]
            more_homes[slot] = homes[old]


@kernel(nogil=True, makes_arrays=False)
def weigh_unseen_stock(
    root: Ints, rules: Ints, unknown: Ints, many: Int, spots: Ints, stock_size: Int, columns: Ints,
    slots: Ints, stock: Ints, turns: Ints, faces: Ints, chances: Ints, net: Any, members: Ints, choices: Ints,
    ints: Ints, edges: Ints, seed: Int, samples: Int,
) -> tuple[Int, Int]:  # fmt: skip
    """Compares playing a card that is seen with first looking through the stock, for nothing, as redeals are unlimited.

    For each sample the cards are laid as they may lie, and each choice is weighed as one who had seen the stock would.
    The first edges are the choices with cards that are seen; SUM and SQUARES gather their worth.

    Returns:
        How many such choices there are, and the sum of the best worth of all.
    """
    random = seeded(np.uint64(seed))
    hidden = np.int64(0)
    for at in range(many):
        hidden |= np.int64(1) << unknown[at]
    lay_faces(stock, stock_size, faces)
    turned = reachable(root[STOCK], root[WASTE], rules[DRAW], rules[REDEALS], turns, faces) & ~hidden
    count = find_choices(root, rules, turned, members, choices, MAX_MEMBERS, True)
    for at in range(count):
        for item in range(CHOICE):
            edges[at, item] = choices[at, item]
        edges[at, VISITS] = samples
        edges[at, SUM] = 0
        edges[at, SQUARES] = 0
        edges[at, WORTH] = 0
    best_sum: Int = 0
    trial, rows = ints[1], ints[2]
    known = count_features(net[0].shape[0] - 1)
    for _ in range(samples):
        random = lay(unknown, many, spots, columns, slots, stock, random)
        lay_faces(stock, stock_size, faces)
        _, best = _expand(
            root, rules, slots, columns, stock, turns, faces, net, chances, members, choices, ints, edges, count, False
        )
        for at in range(count):
            make(root, trial, edges[at], slots, turns, rules)
            settle(trial, rules)
            features(trial, rules, slots, stock, turns, faces, rows, known)
            worth = chance_of(value(rows, net), chances)
            edges[at, SUM] += worth
            edges[at, SQUARES] += worth * worth >> 16
            best = max(best, worth)
        best_sum += best
    return count, best_sum


@kernel(makes_arrays=False)
def _choose(edges: Ints, start: Int, count: Int, seen: Int, tuning: Ints) -> Int:
    """The edge to visit next: of high worth, or visited less than its prior asks for."""
    total = 0.0
    for edge in range(start, start + count):
        total += _prior(edges[edge, WORTH], tuning[POWER])
    spread = tuning[EXPLORE] / 256.0 * np.sqrt(float(seen + 1)) * SURE / total
    best: Int = start
    best_score = -1.0
    trust = tuning[TRUST]
    for edge in range(start, start + count):
        n = edges[edge, VISITS]
        score = float(edges[edge, SUM] + trust * edges[edge, WORTH]) / float(n + trust)
        score += spread * _prior(edges[edge, WORTH], tuning[POWER]) / float(n + 1)
        if score > best_score:
            best, best_score = edge, score
    return best


@kernel(makes_arrays=False)
def _prior(worth: Int, power: Int) -> float:
    base = float(worth + 64) / SURE
    prior = base
    for _ in range(power - 1):
        prior *= base
    return prior


@kernel(nogil=True, makes_arrays=False)
def play_searching(
    seed: Int, game: Ints, rules: Ints, unknown: Ints, spots: Ints, columns: Ints, slots: Ints, stock: Ints,
    turns: Ints, faces: Ints, truth: Ints, truth_slots: Ints, truth_stock: Ints, chances: Ints, net: Any,
    keys: Ints, homes: Ints, nodes: Ints, edges: Ints, members: Ints, choices: Ints, ints: Ints, path: Ints,
    tuning: Ints, work: Int, samples: Any, worths: Any,
) -> tuple[Int, Int, Int, Int]:  # fmt: skip
    """Plays a dealt game on, searching before each choice; the stock is known, or its turns are choices.

    `game` is the settled state; `truth`, `truth_slots` and `truth_stock` say where the cards lie in truth.
    For each choice that was looked at often enough `samples` gets the rows that it switches on, and `worths` what the
    search said it is worth, and whether it was made: what a network can learn from.

    Returns:
        Whether it was won, choices made, work done, and samples written.
    """
    spent: Int = 0
    moves: Int = 0
    learnt: Int = 0
    trial, rows = ints[4], ints[5]
    while True:
        if is_won(game, rules):
            return 1, moves, spent, learnt
        many = 0
        hidden = np.int64(0)
        for column in range(7):
            for depth in range((game[LEFT] >> 5 * column & 31) - 1):
                hidden |= np.int64(1) << truth[column, depth]
                spots[many] = column | depth << 3
                many += 1
        places_left = game[UNSEEN]
        while places_left:
            place = trailing_zeros(places_left)
            places_left &= places_left - 1
            hidden |= np.int64(1) << truth_stock[place]
            spots[many] = 7 | place << 3
            many += 1
        for at in range(many):
            unknown[at] = trailing_zeros(hidden)  # an order that tells nothing
            hidden &= hidden - 1
        lay_faces(truth_stock, MAX_STOCK, faces)
        turned = playable(game, rules, turns, faces)
        count = find_choices(game, rules, turned, members, choices, MAX_MEMBERS, False)
        if count == 0:
            return 0, moves, spent, learnt
        best = 0
        if count > 1:
            ints[PROGRESS, :] = 0
            search(
                game, rules, unknown, many, spots, columns, slots, stock, turns, faces, chances, net, keys, homes,
                nodes, edges, members, choices, ints, path, tuning, seed, work, keys.size // 2,
            )  # fmt: skip
            spent += ints[PROGRESS, DONE]
            for edge in range(nodes[0, COUNT]):
                if edges[edge, VISITS] > edges[best, VISITS]:
                    best = edge
            lay_faces(truth_stock, MAX_STOCK, faces)  # what is unseen of it no feature tells
            for edge in range(nodes[0, COUNT]):
                if edges[edge, VISITS] >= LEARNT_VISITS and learnt < len(samples):
                    make(game, trial, edges[edge], truth_slots, turns, rules)
                    settle(trial, rules)
                    features(trial, rules, truth_slots, truth_stock, turns, faces, rows, np.int64(FEATURES))
                    for feature in range(FEATURES):
                        samples[learnt, feature] = rows[feature]
                    worths[learnt, 0] = edges[edge, SUM] // edges[edge, VISITS]
                    worths[learnt, 1] = edge == best
                    learnt += 1
            for item in range(CHOICE):
                choices[0, item] = edges[best, item]
        make(game, trial, choices[0], truth_slots, turns, rules)
        settle(trial, rules)
        turned_card = reveal(trial, truth, truth_stock)
        if turned_card >= 0:
            spot = truth_slots[turned_card]
            columns[spot & 7, spot >> 3] = turned_card
            slots[turned_card] = spot
        settle(trial, rules)
        for item in range(STATE):
            game[item] = trial[item]
        seen_places = game[STOCK] & ~game[UNSEEN]
        while seen_places:
            place = trailing_zeros(seen_places)
            seen_places &= seen_places - 1
            stock[place] = truth_stock[place]
            slots[stock[place]] = place
        moves += 1
