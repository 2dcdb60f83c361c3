"""The compiled search for run moves: exact, on states that leave out how the runs are arranged.

A state is (foundations, how many cards are left of each column's original stack, stock). Cards are bits of an int64:
four a rank, colours adjacent (bit `4 * (rank - 1) + lane`, lanes D H C S). Names used throughout:

- *visible*: face-up cards in the columns. *locked*: of these, the lowest face-up card of each column, where it lies on
  face-down cards or is the column's bottom card and no king. All other visible cards are *loose*: each lies on a
  visible card one rank higher of the other colour, or is a king that owns a column.
- a *pair*: the two cards of one rank and colour. They take the same children.

Why the arrangement may be left out when runs move: let a pair have v visible cards, and let n loose cards of the pair
below (one rank lower, other colour) be visible. Those n lie on the v, one each. If n < v some card of the pair is
bare, and *any* of them can be made bare: should the wanted one carry a child, its twin is bare, and the child's run
moves over. If n = v none can be bared before a child leaves. So `v - n >= 1` alone says whether a card of the pair can
be played and whether the pair offers a place to a child.

A loose card that can go up can also come back at once where worrying back is allowed: its place is still free. Such
moves are undone freely, so states joined by them form one *component* with one verdict. All other moves (a locked card
moves; a stock card is played) never return. Hence the search walks an acyclic graph of components:

- A component is enumerated whole, and filed under its member with the largest foundation code.
- An irreversible move that is legal at two neighbours f and g = f + (x goes up) leads to neighbours again (by counting
  v and n at both ends: if the move is still legal without x, then x is still bare after the move). So it is tried only
  where it becomes legal along the enumeration's tree.
- A card that may go up instead of to a column: going up comes first, since it can come back to the same place.
- A component is filed when all its successors are lost. As the graph is acyclic each filed state is a proved loss, so
  filed states stay true when a search is stopped and started again with another order of moves: nothing is lost.

Without worrying back, all moves are irreversible and each component is a single state.

Worked example. Both black sevens and the six of diamonds are visible, and the six is loose: it lies on one of the
sevens. The sevens have v = 2 and n = 1, so one of them is bare or can be made so. The sixes have v = 1 and n = 0. A
pair stands at its even bit: 26 for the black sevens, 20 for the red sixes. With the six of hearts on the other seven,
the sevens have v - n = 0, and only the sixes are left:

    >>> sevens, six_of_diamonds, six_of_hearts = 0b11 << 26, 1 << 20, 1 << 21
    >>> pairs = bare.py_func(sevens | six_of_diamonds, six_of_diamonds)
    >>> [bit for bit in range(52) if pairs >> bit & 1]
    [20, 26]
    >>> sixes = six_of_diamonds | six_of_hearts
    >>> bare.py_func(sevens | sixes, sixes) == 1 << 20
    True

Idle moves. Some moves are made only right before they are needed. A stock card goes to a column: that only offers its
pair as a place and helps to bare its twin. A column's bottom card goes to another column: that only empties a column
for a king. What any other move needs of this kind (a place in one pair, a pair to be bared, a column) one such move
supplies. And with one card at a time and unlimited redeals a stock card goes up: that only lets the next of its suit go
up. So any line of play can be brought into this form: before each other move comes a chain of stock cards that go up,
each needed by the next, then a chain of moves to columns, each needed by the next, and the move needs the last of
each chain; whatever is not needed is put off past the move. (The chains are told apart since a card that goes up may
need both.) With one card at a time and unlimited redeals, putting off a stock card never costs its turn; otherwise it
is put off past moves of locked cards only, which leave the stock alone. After an idle move the search therefore leaves
out what was legal, at the same member, without it, but after a stock card went up it keeps all idle moves to columns.
Members where that comparison holds are called lean: they were reached by moves that did not need the idle move either.
A state after an idle move is filed with that move's number, since not all its successors are tried.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from solver.numeric.bits import leading_zeros, popcount, trailing_zeros
from solver.numeric.hash_table import home_of, slot_of
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Floats, Int, Ints

LANES: Final = (2, 0, 1, 3)
"""Lane of each suit C, D, H, S in a rank's four bits: red cards first."""

ROW: Final = 11
VISIBLE, LOCKED, RAISED, STOCK, LEFT, WASTE, KEY, CODE, MOVE, AT, IDLE = range(ROW)
"""Columns of a state's row: visible cards, locked ones, cards on foundations; stock places still filled; cards left of
each column's original stack (5 bits each); stock places in the waste + redeals used << 24; the key without its
foundations; foundation heights (4 bits a lane); and how the state arose: the move (bit + destination << 8), the
foundations of the member of the component before that made it, and the number of an idle move or 0:
1 + stock place and 25 + column for moves to columns, 33 + stock place for one that went up."""

UNIT_WASTE, UNIT_REDEALS, UNIT_HEIGHTS, UNIT_IDLE = range(7, 11)
WASTES: Final = 16
UNITS: Final = 48
"""What each part of a state counts in its 64-bit key: columns 0 to 6, then the named ones; `units[WASTES + w]` numbers
the values that the waste's size can take, 0 for sizes that count as none. A stock place counts its own bit."""
IDLE_MOVES: Final = 64

MEMBER: Final = 9
M_VISIBLE, M_RAISED, M_CODE, M_PARENT, M_TO_COLUMN, M_TO_FOUNDATION, M_UP, M_LEAN, M_EARLIER = range(MEMBER)
"""Columns of the scratch rows for a component's members: its cards, the member it was found from, the cards that can go
to a column, locked and stock cards that can go up, loose ones that can, and two for idle moves, see `search`."""

TO_COLUMN: Final = 0
TO_FOUNDATION: Final = 1

LOST, WON, BUDGET, TABLE_FULL, POOL_FULL = range(5)
"""How a search ended."""

EVEN: Final = 0x5555555555555
RED: Final = 0x1111111111111
BLACK: Final = 0x4444444444444
KINGS: Final = 0xF << 48
COVERED: Final = sum(0x1E << 5 * column for column in range(7))
"""The bits of LEFT that are set where a column's original stack holds more than its bottom card."""
ALL: Final = (1 << 52) - 1
PLACES: Final = (1 << 24) - 1
"""The bits of STOCK and of WASTE that stand for places of the stock."""


@kernel(makes_arrays=False)
def bare(visible: Int, loose: Int) -> Int:
    """Pairs (at their even bit) of which a card can be played and which offer a place to a child."""
    any_parent = (visible | visible >> 1) & EVEN
    both_parents = visible & visible >> 1 & EVEN
    any_child = (loose | loose >> 1) & EVEN
    both_children = loose & loose >> 1 & EVEN
    any_child = (any_child & RED) << 6 | (any_child & BLACK) << 2
    both_children = (both_children & RED) << 6 | (both_children & BLACK) << 2
    return (any_parent & ~any_child) | (both_parents & ~both_children)


@kernel(makes_arrays=False)
def places(pairs: Int) -> Int:
    """The cards that find a place on these bare pairs."""
    children = (pairs & BLACK) >> 6 | (pairs & RED) >> 2
    return children | children << 1


@kernel(makes_arrays=False)
def next_up(raised: Int) -> Int:
    """The four cards (fewer at the end) that the foundations take next."""
    return (raised << 4 | 0xF) & ~raised & ALL


@kernel(makes_arrays=False)
def safe(raised: Int, worrying_back: Int) -> Int:
    """Cards that may go up without a thought once their foundation takes them.

    Let card c of rank r go up while both foundations of the other colour hold r - 2 and that of c's twin holds r - 3.
    Let S be c, the other colour up to r - 1, c's suit up to r, the twin's up to r - 2. Only cards of S ever lie on
    cards of S, and each card of S goes up as soon as it is played, for what it needs lies there and never comes down.
    So any line of play works with the cards of S sent up instead of moved, and all others undisturbed. This holds with
    and without worrying back. Without it c may also go up when both foundations of the other colour hold r - 1: then
    nothing can ever lie on c. (With worrying back that is unsound: c may be wanted to bear a card that comes down.)
    """
    both = raised & raised >> 1 & EVEN
    two_lower = (both & BLACK) << 6 | (both & RED) << 10 | 0x55
    twin = (raised & EVEN) << 1 | (raised & EVEN << 1) >> 1
    result = (two_lower | two_lower << 1) & (twin << 12 | 0xFFF)
    if not worrying_back:
        one_lower = (both & BLACK) << 2 | (both & RED) << 6 | 0x5
        result |= one_lower | one_lower << 1
    return result


@kernel(makes_arrays=False)
def _contains(table: Ints, key: Int) -> bool:
    """Whether a key is filed. Zero is never a key: it would be a position without a card below a king."""
    return bool(table[slot_of(table, key, 0)] == key)


@kernel(makes_arrays=False)
def _insert(table: Ints, key: Int) -> Int:
    """Files a key; gives 1 if it is new."""
    slot = slot_of(table, key, 0)
    is_new = table[slot] == 0
    table[slot] = key
    return 1 if is_new else 0


@kernel(makes_arrays=False)
def grow(old: Ints, new: Ints) -> None:
    """Moves all keys to a larger table."""
    for key in old:
        if key != 0:
            _insert(new, key)


@kernel(makes_arrays=False)
def _every(filled: Int, turns: Ints) -> Int:
    """Every `draw`-th of these stock places: those that show when they are turned from the first one on."""
    low = turns[0, filled & 255]
    middle = turns[low >> 8, filled >> 8 & 255]
    high = turns[middle >> 8, filled >> 16]
    return (low & 255) | (middle & 255) << 8 | (high & 255) << 16


@kernel(makes_arrays=False)
def _this_pass(filled: Int, waste: Int, turns: Ints) -> Int:
    """The stock places (some are filled) whose cards can be turned up without turning the waste over."""
    found = _every(filled & ~waste, turns) | np.int64(1) << 63 - leading_zeros(filled)
    if waste & PLACES:
        found |= np.int64(1) << 63 - leading_zeros(waste & PLACES)
    return found


@kernel(makes_arrays=False)
def reachable(filled: Int, waste: Int, draw: Int, redeals: Int, turns: Ints, faces: Ints) -> Int:
    """Which stock cards can be turned up now: their bits.

    With `draw` cards at a time the waste's top can be played, then every `draw`-th card of the stock and its last one,
    and after turning the waste over every `draw`-th of all these cards and the last one.
    """
    if filled and (draw > 1 or redeals >= 0):
        found = _this_pass(filled, waste, turns)
        if redeals < 0 or waste >> 24 < redeals:
            found |= _every(filled, turns)
        filled = found
    return faces[0, filled & 255] | faces[1, filled >> 8 & 255] | faces[2, filled >> 16]


@kernel(makes_arrays=False)
def _heights_key(code: Int, unit: Int) -> Int:
    return ((((code >> 12) * 14 + (code >> 8 & 15)) * 14 + (code >> 4 & 15)) * 14 + (code & 15)) * unit


@kernel(makes_arrays=False)
def _successor(
    pool: Ints, at: Int, into: Int, visible: Int, raised: Int, code: Int, bit: Int, to: Int, columns: Ints, units: Ints,
    slots: Ints, turns: Ints, draw: Int, redeals: Int, lazy: Int,
) -> Int:  # fmt: skip
    """Writes the state after playing card `bit` from row `at`; gives the cards left in its column, -1 for the stock."""
    card = np.int64(1) << bit
    locked = pool[at, LOCKED]
    left = pool[at, LEFT]
    filled = pool[at, STOCK]
    waste = pool[at, WASTE]
    key = pool[at, KEY]
    idle: Int = 0
    depth: Int = -1
    if locked & card:
        column, depth = slots[bit] & 7, slots[bit] >> 3
        locked ^= card
        gone = 1
        if depth > 0:
            below = columns[column, depth - 1]
            visible |= np.int64(1) << below
            if depth == 1 and below >= 48:
                gone = 2  # a king at a column's bottom owns it as any other king does
            else:
                locked |= np.int64(1) << below
        left -= np.int64(gone) << 5 * column
        key -= gone * units[column]
        if depth == 0 and to == TO_COLUMN:
            idle = 25 + column
    elif not visible & card:
        index = slots[bit]
        place = np.int64(1) << index
        used = waste >> 24
        if redeals >= 0 and not _this_pass(filled, waste, turns) & place:
            used += 1
        filled ^= place
        below_it = filled & (place - 1)
        if redeals < 0 and (units[WASTES + popcount(below_it)] == 0 or below_it == filled):
            below_it = np.int64(0)  # a multiple of `draw`, or the end: it shows what it shows after turning it over
        key -= place
        key += (units[WASTES + popcount(below_it)] - units[WASTES + popcount(waste & PLACES)]) * units[UNIT_WASTE]
        key += (used - (waste >> 24)) * units[UNIT_REDEALS]
        waste = below_it | used << 24
        idle = 1 + index
        if to == TO_FOUNDATION:
            idle = 33 + index if draw == 1 and redeals < 0 else 0
    if to == TO_FOUNDATION:
        visible &= ~card
        pool[into, RAISED] = raised | card
        pool[into, CODE] = code + (np.int64(1) << 4 * (bit & 3))
    else:
        visible |= card
        pool[into, RAISED] = raised
        pool[into, CODE] = code
    pool[into, VISIBLE] = visible
    pool[into, LOCKED] = locked
    pool[into, STOCK] = filled
    pool[into, LEFT] = left
    pool[into, WASTE] = waste
    pool[into, KEY] = key
    pool[into, MOVE] = bit | to << 8
    pool[into, AT] = raised
    pool[into, IDLE] = idle if lazy else 0
    return depth


@kernel(makes_arrays=False)
def _is_won(filled: Int, left: Int, draw: Int, redeals: Int) -> Int:
    """Whether the rest plays itself.

    Once no card lies on a face-down one, the lowest card left is bare or in the stock. So nothing can go wrong if the
    stock is empty, or if each of its cards can be turned up at any time.
    """
    return (left & COVERED) == 0 and (filled == 0 or (draw == 1 and redeals < 0))


@kernel(makes_arrays=False)
def _bring_best_last(pool: Ints, scores: Floats, start: Int, end: Int) -> None:
    best = end - 1
    for place in range(start, end - 1):
        if scores[place] > scores[best]:
            best = place
    if best != end - 1:
        scores[best], scores[end - 1] = scores[end - 1], scores[best]
        for item in range(ROW):
            pool[best, item], pool[end - 1, item] = pool[end - 1, item], pool[best, item]


@kernel(nogil=True, makes_arrays=False)
def search(
    pool: Ints, lo: Ints, hi: Ints, keys: Ints, table: Ints, filed: Int, columns: Ints, stock: Ints, units: Ints,
    slots: Ints, turns: Ints, faces: Ints, bottoms: Int, draw: Int, redeals: Int, worrying_back: Int, lazy: Int,
    weights: Floats, noise: Floats, budget: Int, stamps: Ints, stamp: Int, members: Ints, scores: Floats,
) -> tuple[Int, Int, Int, Int, Int]:  # fmt: skip
    """Searches from the state in `pool[0]`, depth first.

    Returns:
        How it ended, states visited (all members of the components looked at), keys filed in all, the last stamp
        used, and the depth of the line; its states are `pool[hi[level] - 1]` for each level up to that depth.

    Worked example. The king of hearts lies face down under the king of spades, and all other cards are up:

        depth 0  KS is visible and locked, since it lies on a face-down card. Its foundation takes it next, and that is
                 safe: nothing can lie on a king that matters any more. So this is the only move, and the component is
                 not enumerated.
        depth 1  KH has been turned and is a king that owns its column. No card lies on a face-down one, and the stock
                 is empty: the rest plays itself, which is a win.

    >>> from solver.klondike.position import Position
    >>> from solver.klondike.searches import RunSearch
    >>> two_kings = "draw: 3; moves: run; columns: KH [KS] | - | - | - | - | - | -; foundations: C13 D13 H12 S12"
    >>> work = RunSearch(Position.parse(two_kings))
    >>> str(work.run(10)), work.nodes, *map(str, work.line())
    ('win', 2, 'T1>F', 'T1>F')
    """
    states = 0
    depth = 0
    lo[0] = 0
    hi[0] = 1
    limit = table.size // 8 * 5
    ordered = draw > 1 or redeals >= 0  # whether taking a card from the stock changes which others can be turned up
    while True:
        if hi[depth] == lo[depth]:
            if depth == 0:
                return LOST, states, filed, stamp, 0
            filed += _insert(table, keys[depth])
            depth -= 1
            hi[depth] -= 1
            continue
        _bring_best_last(pool, scores, lo[depth], hi[depth])
        if states >= budget:
            return BUDGET, states, filed, stamp, depth
        if filed >= limit:
            return TABLE_FULL, states, filed, stamp, depth
        first = hi[depth]
        row = first - 1
        if _is_won(pool[row, STOCK], pool[row, LEFT], draw, redeals):
            return WON, states + 1, filed, stamp, depth

        locked = pool[row, LOCKED]
        visible = pool[row, VISIBLE]
        raised = pool[row, RAISED]
        code = pool[row, CODE]
        owned = popcount(locked)  # columns that a locked card keeps; the others hold a loose king or nothing
        turned = reachable(pool[row, STOCK], pool[row, WASTE], draw, redeals, turns, faces)
        # Up with every loose card that may go without harm: all of them where they can come back.
        while True:
            loose = visible & ~locked
            pairs = bare(visible, loose)
            ups = loose & (pairs | pairs << 1) & next_up(raised)
            if not worrying_back:
                ups &= safe(raised, False)
            if not ups:
                break
            card = ups & -ups
            visible ^= card
            raised |= card
            code += np.int64(1) << 4 * (trailing_zeros(card) & 3)
        settled = safe(raised, worrying_back)  # these never come down again, see `safe`

        # Looked up long before it is needed: the table is far larger than the processor's caches.
        idle = pool[row, IDLE]
        likely = pool[row, KEY] + _heights_key(code, units[UNIT_HEIGHTS])
        found = table[home_of(likely, table.size - 1)]
        likely_idle = likely + idle * units[UNIT_IDLE]
        found_idle = table[home_of(likely_idle, table.size - 1)]
        stamp += 1
        stamps[code] = stamp
        members[0, M_VISIBLE] = visible
        members[0, M_RAISED] = raised
        members[0, M_CODE] = code
        size = 1
        best = code
        at = 0
        forced: Any = np.int64(-1)
        while at < size:
            visible = members[at, M_VISIBLE]
            raised = members[at, M_RAISED]
            code = members[at, M_CODE]
            loose = visible & ~locked
            pairs = bare(visible, loose)
            takes = next_up(raised)
            room = places(pairs)
            if owned + popcount(loose & KINGS) < 7:
                room |= KINGS
            top = pairs | pairs << 1
            to_foundation = (locked & top | turned) & takes
            if to_foundation:
                sure = to_foundation & safe(raised, worrying_back)
                if ordered:
                    sure &= locked
                if sure:
                    forced = trailing_zeros(sure)
                    break
            members[at, M_TO_COLUMN] = (locked | turned) & room
            members[at, M_TO_FOUNDATION] = to_foundation
            members[at, M_UP] = loose & top & takes
            if worrying_back:
                flips = loose & top & takes | (raised & ~(raised >> 4)) & room & ~settled
                while flips:
                    card = flips & -flips
                    flips ^= card
                    step = np.int64(1) << 4 * (trailing_zeros(card) & 3)
                    other = code + step if visible & card else code - step
                    if stamps[other] != stamp:
                        stamps[other] = stamp
                        members[size, M_VISIBLE] = visible ^ card
                        members[size, M_RAISED] = raised ^ card
                        members[size, M_CODE] = other
                        members[size, M_PARENT] = at
                        size += 1
                        best = max(best, other)
            at += 1

        states += at + 1 if forced >= 0 else size
        depth += 1
        lo[depth] = first
        hi[depth] = first
        if forced >= 0:
            # The verdict is the successor's: file the state that was reached, the component was not enumerated.
            keys[depth] = pool[row, KEY] + _heights_key(code, units[UNIT_HEIGHTS])
            if _contains(table, keys[depth]):
                depth -= 1
                hi[depth] -= 1
                continue
            _successor(
                pool, row, first, visible, raised, code, forced, np.int64(TO_FOUNDATION), columns, units, slots, turns,
                draw, redeals, lazy and forced < 0,  # typed as below, or it is compiled twice
            )  # fmt: skip
            scores[first] = 0
            hi[depth] = first + 1
            continue
        keys[depth] = pool[row, KEY] + _heights_key(best, units[UNIT_HEIGHTS])
        known = found == likely or found_idle == likely_idle or _contains(table, keys[depth])
        if idle and not known:
            keys[depth] += idle * units[UNIT_IDLE]
            known = _contains(table, keys[depth])
        if known:
            depth -= 1
            hi[depth] -= 1
            continue

        # What is left out after an idle move: first whether the way up to the first member did without it.
        idle_card = np.int64(0)
        idle_up = idle > 32
        idle_stock = idle <= 24 or idle_up
        if idle:
            idle_card = np.int64(1) << (
                stock[idle - 33] if idle_up else stock[idle - 1] if idle_stock else columns[idle - 25, 0]
            )
            lean = True
            visible = pool[row, VISIBLE]
            raised = pool[row, RAISED]
            while lean and raised != members[0, M_RAISED]:
                loose = visible & ~locked
                pairs = bare(visible, loose)
                ups = loose & (pairs | pairs << 1) & next_up(raised)
                if not worrying_back:
                    ups &= safe(raised, False)
                card = ups & -ups
                if card != idle_card:
                    other_visible = visible & ~idle_card if idle_stock else visible | idle_card
                    other_loose = other_visible & ~locked if idle_stock else other_visible & ~locked & ~idle_card
                    pairs = bare(other_visible, other_loose)
                    lean = card & other_loose & (pairs | pairs << 1) & next_up(raised & ~idle_card) != 0
                visible ^= card
                raised |= card
            members[0, M_LEAN] = lean
            other_locked = locked if idle_stock else locked | idle_card
            other_turned = turned | idle_card if idle_stock else turned
            mine = other_locked if idle_stock and ordered else other_locked | other_turned
        last = first
        for at in range(size):
            visible = members[at, M_VISIBLE]
            raised = members[at, M_RAISED]
            code = members[at, M_CODE]
            # What its parent in the tree could do as well leads to a neighbour of a known successor.
            to_column = members[at, M_TO_COLUMN]
            to_foundation = members[at, M_TO_FOUNDATION]
            ups = np.int64(0) if worrying_back else members[at, M_UP]
            if worrying_back:
                to_column &= ~to_foundation
            if at:
                parent = members[at, M_PARENT]
                to_column &= ~members[parent, M_TO_COLUMN]
                to_foundation &= ~members[parent, M_TO_FOUNDATION]
                if idle:
                    card = raised ^ members[parent, M_RAISED]
                    members[at, M_LEAN] = members[parent, M_LEAN] and (card & members[parent, M_EARLIER]) != 0
            if idle and members[at, M_LEAN]:
                other_visible = visible & ~idle_card if idle_stock else visible | idle_card
                other_raised = raised & ~idle_card
                other_loose = other_visible & ~other_locked
                pairs = bare(other_visible, other_loose)
                other_takes = next_up(other_raised)
                other_room = places(pairs)
                if popcount(other_locked) + popcount(other_loose & KINGS) < 7:
                    other_room |= KINGS
                other_top = pairs | pairs << 1
                earlier_column = mine & other_room
                if idle_up:
                    earlier_column &= ~(turned | locked & bottoms)  # idle moves come after it
                earlier_flips = idle_card | other_loose & other_top & other_takes
                earlier_flips |= other_raised & ~(other_raised >> 4) & other_room
                members[at, M_EARLIER] = earlier_flips
                to_column &= ~earlier_column
                to_foundation &= ~(mine & (other_top | ~other_locked) & other_takes)
                ups &= ~earlier_flips
            for way in range(3):
                cards = to_column if way == 0 else to_foundation if way == 1 else ups
                to = TO_COLUMN if way == 0 else TO_FOUNDATION
                while cards:
                    bit = trailing_zeros(cards)
                    cards &= cards - 1
                    if last + 1 >= pool.shape[0]:
                        return POOL_FULL, states, filed, stamp, depth
                    left = _successor(
                        pool, row, last, visible, raised, code, bit, to, columns, units, slots, turns, draw, redeals,
                        lazy,
                    )  # fmt: skip
                    score = noise[bit] + weights[way if left < 0 else 3 + way]
                    if left >= 0:
                        score += weights[6] * left + (weights[7] if left == 0 else 0)
                    scores[last] = score
                    last += 1
        hi[depth] = last
