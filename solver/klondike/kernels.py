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
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

LANES: Final = (2, 0, 1, 3)
"""Lane of each suit C, D, H, S in a rank's four bits: red cards first."""

ROW: Final = 11
VISIBLE, LOCKED, RAISED, STOCK, LEFT, WASTE, KEY, CODE, MOVE, AT, IDLE = range(ROW)
"""Columns of a state's row: visible cards, locked ones, cards on foundations; stock places still filled; cards left of
each column's original stack (5 bits each); cards in the waste + redeals used << 8; the key without its foundations;
foundation heights (4 bits a lane); and how the state arose: the move (bit + destination << 8), the foundations of the
member of the component before that made it, and the number of an idle move or 0:
1 + stock place and 25 + column for moves to columns, 33 + stock place for one that went up."""

UNIT_WASTE, UNIT_REDEALS, UNIT_HEIGHTS, UNIT_IDLE = range(7, 11)
WASTES: Final = 16
UNITS: Final = 48
"""What each part of a state counts in its 64-bit key: columns 0 to 6, then the named ones; `units[WASTES + w]` numbers
the values that the waste's size can take, 0 for sizes that count as none. A stock place counts its own bit."""
IDLE_MOVES: Final = 64

MEMBER: Final = 9
"""Width of the scratch rows for a component's members."""

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
HASH: Final = np.uint64(0x9E3779B97F4A7C15)


def _count_trailing_zeros(_context: Any, _value: Any) -> Any:
    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


def _count_ones(_context: Any, _value: Any) -> Any:
    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


_lowest: Final[Any] = intrinsic(_count_trailing_zeros)
"""Index of the lowest set bit of a value that is not zero."""
_count: Final[Any] = intrinsic(_count_ones)
"""How many bits are set."""


@njit(cache=True, inline="always")
def bare(visible: int, loose: int) -> int:
    """Pairs (at their even bit) of which a card can be played and which offer a place to a child."""
    any_parent = (visible | visible >> 1) & EVEN
    both_parents = visible & visible >> 1 & EVEN
    any_child = (loose | loose >> 1) & EVEN
    both_children = loose & loose >> 1 & EVEN
    any_child = (any_child & RED) << 6 | (any_child & BLACK) << 2
    both_children = (both_children & RED) << 6 | (both_children & BLACK) << 2
    return (any_parent & ~any_child) | (both_parents & ~both_children)


@njit(cache=True, inline="always")
def places(pairs: int) -> int:
    """The cards that find a place on these bare pairs."""
    children = (pairs & BLACK) >> 6 | (pairs & RED) >> 2
    return children | children << 1


@njit(cache=True, inline="always")
def next_up(raised: int) -> int:
    """The four cards (fewer at the end) that the foundations take next."""
    return (raised << 4 | 0xF) & ~raised & ALL


@njit(cache=True, inline="always")
def safe(raised: int, worrying_back: bool) -> int:
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


@njit(cache=True, inline="always")
def _slot(key: int, mask: int) -> Any:
    mixed = np.uint64(key)
    mixed = (mixed ^ mixed >> np.uint64(32)) * HASH
    return np.int64(mixed >> np.uint64(32)) & mask


@njit(cache=True)
def _contains(table: Any, key: int) -> bool:
    mask = table.size - 1
    place = _slot(key, mask)
    while table[place] != 0:
        if table[place] == key:
            return True
        place = (place + 1) & mask
    return False


@njit(cache=True)
def _insert(table: Any, key: int) -> int:
    """Files a key; gives 1 if it is new. Zero is never a key: it would be a position without a card below a king."""
    mask = table.size - 1
    place = _slot(key, mask)
    while table[place] != 0:
        if table[place] == key:
            return 0
        place = (place + 1) & mask
    table[place] = key
    return 1


@njit(cache=True)
def grow(old: Any, new: Any) -> None:
    """Moves all keys to a larger table."""
    for key in old:
        if key != 0:
            _insert(new, key)


@njit(cache=True)
def reachable(row: Any, stock: Any, draw: int, redeals: int, reach: Any) -> int:
    """Which stock cards can be turned up now: their bits; `reach[bit]` tells place, waste below it and redeals used.

    With `draw` cards at a time and w in the waste, the p-th of N cards is turned up as the waste's top (p = w), in this
    pass (p = w + k * draw, or p = N), or after turning the waste over (p = k * draw, or p = N).
    """
    filled, waste, used = row[STOCK], row[WASTE] & 0xFF, row[WASTE] >> 8
    total = _count(filled)
    may_redeal = redeals < 0 or used < redeals
    redealt = used + (0 if redeals < 0 else 1)
    this_pass = waste if waste else draw
    next_pass = draw
    cards = 0
    place = 0
    while filled:
        index = _lowest(filled)
        filled &= filled - 1
        place += 1
        now = place == total and place >= waste
        later = place == total
        if place == this_pass:
            now = True
            this_pass += draw
        if place == next_pass:
            later = True
            next_pass += draw
        if now or (later and may_redeal):
            bit = stock[index]
            cards |= np.int64(1) << bit
            reach[bit] = index | (place - 1) << 8 | (used if now else redealt) << 16
    return cards


@njit(cache=True)
def _heights_key(code: int, unit: int) -> int:
    return ((((code >> 12) * 14 + (code >> 8 & 15)) * 14 + (code >> 4 & 15)) * 14 + (code & 15)) * unit


@njit(cache=True)
def _successor(
    parent: Any, child: Any, visible: Any, raised: Any, code: Any, bit: Any, to: int, columns: Any, units: Any,
    reach: Any, draw: int, redeals: int, lazy: bool,
) -> int:  # fmt: skip
    """Writes the state after playing card `bit`; gives the cards left in its column, -1 for a stock card."""
    card = np.int64(1) << bit
    locked = parent[LOCKED]
    left = parent[LEFT]
    filled = parent[STOCK]
    waste = parent[WASTE]
    key = parent[KEY]
    idle = 0
    depth = -1
    if locked & card:
        for column in range(7):
            depth = left >> 5 * column & 31
            if depth and columns[column, depth - 1] == bit:
                break
        locked ^= card
        gone = 1
        if depth > 1:
            below = columns[column, depth - 2]
            visible |= np.int64(1) << below
            if depth == 2 and below >= 48:
                gone = 2  # a king at a column's bottom owns it as any other king does
            else:
                locked |= np.int64(1) << below
        left -= np.int64(gone) << 5 * column
        key -= gone * units[column]
        depth -= 1
        if depth == 0 and to == TO_COLUMN:
            idle = 25 + column
    elif not visible & card:
        index, below, used = reach[bit] & 0xFF, reach[bit] >> 8 & 0xFF, reach[bit] >> 16
        filled ^= np.int64(1) << index
        if redeals < 0 and (units[WASTES + below] == 0 or below == _count(filled)):
            below = 0  # a multiple of `draw`, or the end: the same cards can be turned up as after turning it over
        key -= np.int64(1) << index
        key += (units[WASTES + below] - units[WASTES + (waste & 0xFF)]) * units[UNIT_WASTE]
        key += (used - (waste >> 8)) * units[UNIT_REDEALS]
        waste = below | used << 8
        idle = 1 + index
        if to == TO_FOUNDATION:
            idle = 33 + index if draw == 1 and redeals < 0 else 0
    if to == TO_FOUNDATION:
        visible &= ~card
        child[RAISED] = raised | card
        child[CODE] = code + (np.int64(1) << 4 * (bit & 3))
    else:
        visible |= card
        child[RAISED] = raised
        child[CODE] = code
    child[VISIBLE] = visible
    child[LOCKED] = locked
    child[STOCK] = filled
    child[LEFT] = left
    child[WASTE] = waste
    child[KEY] = key
    child[MOVE] = bit | to << 8
    child[AT] = raised
    child[IDLE] = idle if lazy else 0
    return depth


@njit(cache=True, inline="always")
def _is_won(row: Any, draw: int, redeals: int) -> bool:
    """Whether the rest plays itself.

    Once no card lies on a face-down one, the lowest card left is bare or in the stock. So nothing can go wrong if the
    stock is empty, or if each of its cards can be turned up at any time.
    """
    if row[STOCK] and (draw > 1 or redeals >= 0):
        return False
    return bool((row[LEFT] & COVERED) == 0)


@njit(cache=True)
def _bring_best_last(pool: Any, scores: Any, start: int, end: int) -> None:
    best = end - 1
    for place in range(start, end - 1):
        if scores[place] > scores[best]:
            best = place
    if best != end - 1:
        scores[best], scores[end - 1] = scores[end - 1], scores[best]
        for item in range(ROW):
            pool[best, item], pool[end - 1, item] = pool[end - 1, item], pool[best, item]


@njit(cache=True, nogil=True)
def search(
    pool: Any, lo: Any, hi: Any, keys: Any, table: Any, filed: int, columns: Any, stock: Any, units: Any, draw: int,
    redeals: int, worrying_back: bool, lazy: bool, weights: Any, noise: Any, budget: int, stamps: Any,
    stamp: int, members: Any, scores: Any, reach: Any,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Searches from the state in `pool[0]`, depth first.

    Returns:
        How it ended, states visited (members of components whose moves were listed), keys filed in all, the last stamp
        used, and the depth of the line; its states are `pool[hi[level] - 1]` for each level up to that depth.
    """
    states = 0
    depth = 0
    lo[0] = 0
    hi[0] = 1
    limit = table.size // 8 * 5
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
        row = pool[first - 1]
        if _is_won(row, draw, redeals):
            return WON, states + 1, filed, stamp, depth

        locked = row[LOCKED]
        visible = row[VISIBLE]
        raised = row[RAISED]
        code = row[CODE]
        owned = 0  # columns that a locked card keeps; the others hold a loose king or nothing
        bottoms = np.int64(0)  # locked cards that lie on none
        for column in range(7):
            cards_left = row[LEFT] >> 5 * column & 31
            if cards_left:
                owned += 1
            if cards_left == 1:
                bottoms |= np.int64(1) << columns[column, 0]
        idle = row[IDLE]
        idle_card = np.int64(0)
        idle_up = idle > 32
        idle_stock = idle <= 24 or idle_up
        if idle_up:
            idle_card = np.int64(1) << stock[idle - 33]
        elif idle_stock and idle:
            idle_card = np.int64(1) << stock[idle - 1]
        elif idle:
            idle_card = np.int64(1) << columns[idle - 25, 0]
        lean = idle > 0
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
            if lean and card != idle_card:
                other_visible = visible & ~idle_card if idle_stock else visible | idle_card
                other_loose = other_visible & ~locked if idle_stock else other_visible & ~locked & ~idle_card
                pairs = bare(other_visible, other_loose)
                lean = card & other_loose & (pairs | pairs << 1) & next_up(raised & ~idle_card) != 0
            visible ^= card
            raised |= card
            code += np.int64(1) << 4 * (_lowest(card) & 3)
        settled = safe(raised, worrying_back)  # these never come down again, see `safe`

        turned = reachable(row, stock, draw, redeals, reach)
        stamp += 1
        stamps[code] = stamp
        members[0, 0] = visible
        members[0, 1] = raised
        members[0, 2] = code
        members[0, 3] = 0
        members[0, 4] = 0
        members[0, 8] = lean
        size = 1
        best = code
        at = 0
        forced: Any = np.int64(-1)
        while at < size:
            visible = members[at, 0]
            raised = members[at, 1]
            code = members[at, 2]
            loose = visible & ~locked
            pairs = bare(visible, loose)
            takes = next_up(raised)
            room = places(pairs)
            if owned + _count(loose & KINGS) < 7:
                room |= KINGS
            top = pairs | pairs << 1
            to_column = (locked | turned) & room
            to_foundation = (locked & top | turned) & takes
            sure = to_foundation & safe(raised, worrying_back)
            if draw > 1 or redeals >= 0:
                sure &= locked  # taking a card from the stock changes which others can be turned up
            if sure:
                forced = _lowest(sure)
                break
            lean = members[at, 8] != 0
            earlier_flips = np.int64(0)
            earlier_column = np.int64(0)
            earlier_foundation = np.int64(0)
            if lean:
                other_raised = raised & ~idle_card
                if idle_stock:
                    other_visible = visible & ~idle_card
                    other_locked = locked
                    other_turned: Any = turned | idle_card
                    other_owned = owned
                else:
                    other_visible = visible | idle_card
                    other_locked = locked | idle_card
                    other_turned = turned
                    other_owned = owned + 1
                other_loose = other_visible & ~other_locked
                pairs = bare(other_visible, other_loose)
                other_takes = next_up(other_raised)
                other_room = places(pairs)
                if other_owned + _count(other_loose & KINGS) < 7:
                    other_room |= KINGS
                other_top = pairs | pairs << 1
                mine = other_locked | other_turned
                if idle_stock and (draw > 1 or redeals >= 0):
                    mine = other_locked
                earlier_column = mine & other_room
                if idle_up:
                    earlier_column &= ~(turned | bottoms)  # idle moves come after it
                earlier_foundation = mine & (other_top | ~other_locked) & other_takes
                earlier_flips = idle_card | other_loose & other_top & other_takes
                earlier_flips |= other_raised & ~(other_raised >> 4) & other_room
            # What its parent in the tree could do as well leads to a neighbour of a known successor.
            members[at, 5] = to_column & ~members[at, 3] & (~to_foundation if worrying_back else -1) & ~earlier_column
            members[at, 6] = to_foundation & ~members[at, 4] & ~earlier_foundation
            members[at, 7] = 0
            if worrying_back:
                flips = loose & top & takes | (raised & ~(raised >> 4)) & room & ~settled
                while flips:
                    card = flips & -flips
                    flips ^= card
                    step = np.int64(1) << 4 * (_lowest(card) & 3)
                    other = code + step if visible & card else code - step
                    if stamps[other] != stamp:
                        stamps[other] = stamp
                        members[size, 0] = visible ^ card
                        members[size, 1] = raised ^ card
                        members[size, 2] = other
                        members[size, 3] = to_column
                        members[size, 4] = to_foundation
                        members[size, 8] = lean and (card & earlier_flips) != 0
                        size += 1
                        best = max(best, other)
            else:
                members[at, 7] = loose & top & takes & ~earlier_flips
            at += 1

        states += at + 1 if forced >= 0 else size
        depth += 1
        lo[depth] = first
        hi[depth] = first
        if forced >= 0:
            # The verdict is the successor's: file the state that was reached, the component was not enumerated.
            keys[depth] = row[KEY] + _heights_key(code, units[UNIT_HEIGHTS])
            if _contains(table, keys[depth]):
                depth -= 1
                hi[depth] -= 1
                continue
            _successor(
                row, pool[first], visible, raised, code, forced, TO_FOUNDATION, columns, units, reach, draw, redeals,
                False,
            )  # fmt: skip
            scores[first] = 0
            hi[depth] = first + 1
            continue
        keys[depth] = row[KEY] + _heights_key(best, units[UNIT_HEIGHTS])
        known = _contains(table, keys[depth])
        if idle and not known:
            keys[depth] += idle * units[UNIT_IDLE]
            known = _contains(table, keys[depth])
        if known:
            depth -= 1
            hi[depth] -= 1
            continue
        last = first
        for at in range(size):
            for way in range(3):
                cards = members[at, 5 + way]
                to = TO_COLUMN if way == 0 else TO_FOUNDATION
                while cards:
                    bit = _lowest(cards)
                    cards &= cards - 1
                    if last + 1 >= pool.shape[0]:
                        return POOL_FULL, states, filed, stamp, depth
                    left = _successor(
                        row, pool[last], members[at, 0], members[at, 1], members[at, 2], bit, to, columns, units, reach,
                        draw, redeals, lazy,
                    )  # fmt: skip
                    score = noise[bit] + weights[way if left < 0 else 3 + way]
                    if left >= 0:
                        score += weights[6] * left + (weights[7] if left == 0 else 0)
                    scores[last] = score
                    last += 1
        hi[depth] = last
