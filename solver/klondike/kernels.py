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

from typing import Final, NamedTuple

import numpy as np

from solver.numeric.bits import leading_zeros, popcount, trailing_zeros
from solver.numeric.hash_table import home_of, slot_of
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Floats, Int, Ints
from solver.numeric.outcomes import FOUND, NOTHING, OPEN, POOL_FULL, TABLE_FULL

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
_UP: Final = np.int64(TO_FOUNDATION)
"""A number of NumPy's type: of a plain one Numba would compile a version of the function."""

EVEN: Final = 0x5555555555555
RED: Final = 0x1111111111111
BLACK: Final = 0x4444444444444
KINGS: Final = 0xF << 48
COVERED: Final = sum(0x1E << 5 * column for column in range(7))
"""The bits of LEFT that are set where a column's original stack holds more than its bottom card."""
ALL: Final = (1 << 52) - 1
PLACES: Final = (1 << 24) - 1
"""The bits of STOCK and of WASTE that stand for places of the stock."""


class EncodedDeal(NamedTuple):
    """A position as the kernels take it: how it begins, and what stays the same while it is searched.

    Attributes:
        row: The state: `ROW` int64.
        columns: (7, 32) int64: bits of each column's original stack, bottom to top.
        stock: 24 int64: bits of waste and stock in the order of turning.
        key_units: `UNITS` int64: what each part of a state counts in its key.
        card_home: 64 int64, where each card was at first: stock place, or column + place in its original stack << 3.
        draw_table: (draw, 256) int64: of eight stock places that are filled or not, with so many filled ones since the
            last card turned up: those turned up, + filled ones since the last of them << 8.
        stock_cards: (3, 256) int64: the cards in eight stock places that are filled or not.
        bottoms: The bottom cards of the columns' original stacks.
        draw: How many cards are turned at a time.
        redeals: How often the waste may still be turned over, -1 for unlimited.
        worrying_back: Whether cards may come back from a foundation.
        defers_idle_moves: Whether idle moves are put off; not where a key has no room for the number of one.
    """

    row: Ints
    columns: Ints
    stock: Ints
    key_units: Ints
    card_home: Ints
    draw_table: Ints
    stock_cards: Ints
    bottoms: Int
    draw: Int
    redeals: Int
    worrying_back: Int
    defers_idle_moves: Int


class Workspace(NamedTuple):
    """Room for a search.

    Attributes:
        pool: (n, `ROW`) int64: the states that wait for their turn, those of the same depth side by side.
        scores: n float64: how promising each looks.
        begin: The first row of each depth.
        end: The row behind the last of each depth.
        keys: The key under which the state of each depth is filed once it is lost.
        stamps: 1 << 16 int64, by foundation code: the last component in which it was seen.
        members: (n, `MEMBER`) int64: the members of a component.
    """

    pool: Ints
    scores: Floats
    begin: Ints
    end: Ints
    keys: Ints
    stamps: Ints
    members: Ints


class Member(NamedTuple):
    """A member of a component: its visible cards, those on foundations, and the foundations' heights."""

    visible: Int
    raised: Int
    code: Int


class Component(NamedTuple):
    """A component, or what was seen of it before a move was found that must be made.

    Attributes:
        size: Members that were found.
        visited: Members that were looked at.
        best: The largest foundation code.
        forced: The card that goes up without a thought, -1 where the component was enumerated whole.
        at: The member at which it goes up.
    """

    size: Int
    visited: Int
    best: Int
    forced: Int
    at: Member


class IdleMove(NamedTuple):
    """The idle move that led to a state, and what could have been moved without it.

    Attributes:
        number: As in `IDLE`, 0 for none.
        card: The card that was moved.
        is_up: Whether it went up.
        is_of_stock: Whether it came from the stock.
        locked: Cards that were locked before it.
        movable: Of these and of the stock's, those that could have been moved before it.
    """

    number: Int
    card: Int
    is_up: Int
    is_of_stock: Int
    locked: Int
    movable: Int


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
def room_for(pairs: Int, locked: Int, loose: Int) -> Int:
    """The cards that find a place on these bare pairs or, if they are kings, in an empty column."""
    has_empty_column = popcount(locked) + popcount(loose & KINGS) < 7
    return places(pairs) | (KINGS if has_empty_column else 0)


@kernel(makes_arrays=False)
def safe(raised: Int, worrying_back: Int) -> Int:
    """Cards that can do no harm on their foundation once it takes them.

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
def _every(filled: Int, draw_table: Ints) -> Int:
    """Every `draw`-th of these stock places: those that show when they are turned from the first one on."""
    low = draw_table[0, filled & 255]
    middle = draw_table[low >> 8, filled >> 8 & 255]
    high = draw_table[middle >> 8, filled >> 16]
    return (low & 255) | (middle & 255) << 8 | (high & 255) << 16


@kernel(makes_arrays=False)
def _this_pass(filled: Int, waste: Int, draw_table: Ints) -> Int:
    """The stock places (some are filled) whose cards can be turned up without turning the waste over."""
    found = _every(filled & ~waste, draw_table) | np.int64(1) << 63 - leading_zeros(filled)
    if waste & PLACES:
        found |= np.int64(1) << 63 - leading_zeros(waste & PLACES)
    return found


@kernel(makes_arrays=False)
def has_order(draw: Int, redeals: Int) -> Int:
    """Whether taking a card from the stock changes which of its other cards can be turned up."""
    return draw > 1 or redeals >= 0


@kernel(makes_arrays=False)
def reachable(filled: Int, waste: Int, draw: Int, redeals: Int, draw_table: Ints, stock_cards: Ints) -> Int:
    """Which stock cards can be turned up now: their bits.

    With `draw` cards at a time the waste's top can be played, then every `draw`-th card of the stock and its last one,
    and after turning the waste over every `draw`-th of all these cards and the last one.
    """
    if filled and has_order(draw, redeals):
        found = _this_pass(filled, waste, draw_table)
        if redeals < 0 or waste >> 24 < redeals:
            found |= _every(filled, draw_table)
        filled = found
    return stock_cards[0, filled & 255] | stock_cards[1, filled >> 8 & 255] | stock_cards[2, filled >> 16]


@kernel(makes_arrays=False)
def heights_key(code: Int, unit: Int) -> Int:
    """What the foundations' heights count in a key."""
    return ((((code >> 12) * 14 + (code >> 8 & 15)) * 14 + (code >> 4 & 15)) * 14 + (code & 15)) * unit


@kernel(makes_arrays=False, inline=True)
def successor(deal: EncodedDeal, pool: Ints, at: Int, into: Int, member: Member, bit: Int, to: Int) -> Int:
    """Writes the state after playing card `bit` from row `at`; gives the cards left in its column, -1 for the stock."""
    visible, raised, code = member
    columns, units = deal.columns, deal.key_units
    card = np.int64(1) << bit
    locked = pool[at, LOCKED]
    left = pool[at, LEFT]
    filled = pool[at, STOCK]
    waste = pool[at, WASTE]
    key = pool[at, KEY]
    idle: Int = 0
    depth: Int = -1
    if locked & card:
        column, depth = deal.card_home[bit] & 7, deal.card_home[bit] >> 3
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
        index = deal.card_home[bit]
        place = np.int64(1) << index
        used = waste >> 24
        if deal.redeals >= 0 and not _this_pass(filled, waste, deal.draw_table) & place:
            used += 1
        filled ^= place
        below_it = filled & (place - 1)
        if deal.redeals < 0 and (units[WASTES + popcount(below_it)] == 0 or below_it == filled):
            below_it = np.int64(0)  # a multiple of `draw`, or the end: it shows what it shows after turning it over
        key -= place
        key += (units[WASTES + popcount(below_it)] - units[WASTES + popcount(waste & PLACES)]) * units[UNIT_WASTE]
        key += (used - (waste >> 24)) * units[UNIT_REDEALS]
        waste = below_it | used << 24
        idle = 1 + index
        if to == TO_FOUNDATION:
            idle = 0 if has_order(deal.draw, deal.redeals) else 33 + index
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
    pool[into, IDLE] = idle
    return depth


@kernel(makes_arrays=False, inline=True)
def is_won(deal: EncodedDeal, filled: Int, left: Int) -> Int:
    """Whether all cards that are left can go up without a further decision.

    Once no card lies on a face-down one, the lowest card left is bare or in the stock. So nothing can go wrong if the
    stock is empty, or if each of its cards can be turned up at any time.
    """
    return (left & COVERED) == 0 and (filled == 0 or not has_order(deal.draw, deal.redeals))


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


@kernel(makes_arrays=False)
def _going_up(visible: Int, locked: Int, raised: Int, worrying_back: Int) -> Int:
    """The lowest loose card that may go up without harm, 0 if there is none; where cards can come back all may."""
    loose = visible & ~locked
    pairs = bare(visible, loose)
    ups = loose & (pairs | pairs << 1) & next_up(raised)
    if not worrying_back:
        ups &= safe(raised, worrying_back)
    return ups & -ups


@kernel(makes_arrays=False)
def _first_member(pool: Ints, row: Int, worrying_back: Int) -> Member:
    """The member of a state's component in which no loose card can go up any more without harm."""
    visible, raised, code = pool[row, VISIBLE], pool[row, RAISED], pool[row, CODE]
    while True:
        card = _going_up(visible, pool[row, LOCKED], raised, worrying_back)
        if not card:
            return Member(visible, raised, code)
        visible ^= card
        raised |= card
        code += np.int64(1) << 4 * (trailing_zeros(card) & 3)


@kernel(makes_arrays=False, inline=True)
def _enumerated(deal: EncodedDeal, work: Workspace, locked: Int, turned: Int, first: Member, stamp: Int) -> Component:
    """Finds the members of a component, and what can be moved at each, up to a move that must be made."""
    members, stamps = work.members, work.stamps
    settled = safe(first.raised, deal.worrying_back)  # these never come down again, see `safe`
    members[0, M_VISIBLE], members[0, M_RAISED], members[0, M_CODE] = first.visible, first.raised, first.code
    stamps[first.code] = stamp
    size = 1
    best = first.code
    at = 0
    while at < size:
        visible, raised, code = members[at, M_VISIBLE], members[at, M_RAISED], members[at, M_CODE]
        loose = visible & ~locked
        pairs = bare(visible, loose)
        takes = next_up(raised)
        room = room_for(pairs, locked, loose)
        top = pairs | pairs << 1
        to_foundation = (locked & top | turned) & takes
        if to_foundation:
            sure = to_foundation & safe(raised, deal.worrying_back)
            if has_order(deal.draw, deal.redeals):
                sure &= locked
            if sure:
                return Component(size, at + 1, best, trailing_zeros(sure), Member(visible, raised, code))
        members[at, M_TO_COLUMN] = (locked | turned) & room
        members[at, M_TO_FOUNDATION] = to_foundation
        members[at, M_UP] = loose & top & takes
        if deal.worrying_back:
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
    return Component(size, size, best, np.int64(-1), first)


@kernel(makes_arrays=False, inline=True)
def _idle_move(deal: EncodedDeal, number: Int, locked: Int, turned: Int) -> IdleMove:
    """What an idle move moved, and what could have been moved without it."""
    if number == 0:
        return IdleMove(number, np.int64(0), False, False, locked, np.int64(0))
    if 25 <= number <= 32:
        card = np.int64(1) << deal.columns[number - 25, 0]
        return IdleMove(number, card, False, False, locked | card, locked | card | turned)
    is_up = number > 32
    card = np.int64(1) << deal.stock[number - 33 if is_up else number - 1]
    movable = locked if has_order(deal.draw, deal.redeals) else locked | turned | card
    return IdleMove(number, card, is_up, True, locked, movable)


@kernel(makes_arrays=False)
def _without(idle: IdleMove, visible: Int) -> tuple[Int, Int]:
    """The visible and the loose cards that a member would have if the idle move had not been made."""
    visible = visible & ~idle.card if idle.is_of_stock else visible | idle.card
    return visible, visible & ~idle.locked


@kernel(makes_arrays=False)
def _is_first_lean(pool: Ints, row: Int, idle: IdleMove, raised: Int, worrying_back: Int) -> Int:
    """Whether the cards that went up on the way to the first member could have done so without the idle move.

    Args:
        pool: The states.
        row: The state's row.
        idle: The idle move that led to it.
        raised: The cards on foundations at the first member.
        worrying_back: Whether cards may come back from a foundation.
    """
    visible, before = pool[row, VISIBLE], pool[row, RAISED]
    while before != raised:
        card = _going_up(visible, pool[row, LOCKED], before, worrying_back)
        if card != idle.card:
            other_visible, other_loose = _without(idle, visible)
            pairs = bare(other_visible, other_loose)
            if not card & other_loose & (pairs | pairs << 1) & next_up(before & ~idle.card):
                return False
        visible ^= card
        before |= card
    return True


@kernel(makes_arrays=False, inline=True)
def _legal_before(
    deal: EncodedDeal, idle: IdleMove, visible: Int, raised: Int, locked: Int, turned: Int
) -> tuple[Int, Int, Int]:
    """What was legal at a member without the idle move: cards to columns, to foundations, and moves to neighbours."""
    visible, loose = _without(idle, visible)
    raised &= ~idle.card
    pairs = bare(visible, loose)
    takes = next_up(raised)
    room = room_for(pairs, idle.locked, loose)
    top = pairs | pairs << 1
    to_column = idle.movable & room
    if idle.is_up:
        to_column &= ~(turned | locked & deal.bottoms)  # idle moves come after it
    flips = idle.card | loose & top & takes | raised & ~(raised >> 4) & room
    return to_column, idle.movable & (top | ~idle.locked) & takes, flips


@kernel(makes_arrays=False, inline=True)
def _write_successors(
    deal: EncodedDeal, work: Workspace, row: Int, turned: Int, size: Int, weights: Floats, noise: Floats
) -> Int:
    """Writes what follows a state's component into the rows behind it; gives their end, -1 where they find no room."""
    pool, members, worrying_back = work.pool, work.members, deal.worrying_back
    locked = pool[row, LOCKED]
    idle = _idle_move(deal, pool[row, IDLE], locked, turned)
    if idle.number:
        members[0, M_LEAN] = _is_first_lean(pool, row, idle, members[0, M_RAISED], worrying_back)
    last = row + 1
    for at in range(size):
        member = Member(members[at, M_VISIBLE], members[at, M_RAISED], members[at, M_CODE])
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
            if idle.number:
                card = member.raised ^ members[parent, M_RAISED]
                members[at, M_LEAN] = members[parent, M_LEAN] and (card & members[parent, M_EARLIER]) != 0
        if idle.number and members[at, M_LEAN]:
            earlier_column, earlier_foundation, earlier_flips = _legal_before(
                deal, idle, member.visible, member.raised, locked, turned
            )
            members[at, M_EARLIER] = earlier_flips
            to_column &= ~earlier_column
            to_foundation &= ~earlier_foundation
            ups &= ~earlier_flips
        for way in range(3):
            cards = to_column if way == 0 else to_foundation if way == 1 else ups
            while cards:
                bit = trailing_zeros(cards)
                cards &= cards - 1
                if last + 1 >= pool.shape[0]:
                    return np.int64(-1)
                left = successor(deal, pool, row, last, member, bit, TO_COLUMN if way == 0 else TO_FOUNDATION)
                if not deal.defers_idle_moves:
                    pool[last, IDLE] = 0
                score = noise[bit] + weights[way if left < 0 else 3 + way]
                if left >= 0:
                    score += weights[6] * left + (weights[7] if left == 0 else 0)
                work.scores[last] = score
                last += 1
    return last


@kernel(nogil=True, makes_arrays=False)
def search(
    deal: EncodedDeal,
    losses: Ints,
    filed: Int,
    work: Workspace,
    stamp: Int,
    weights: Floats,
    noise: Floats,
    budget: Int,
) -> tuple[Int, Int, Int, Int, Int]:
    """Searches from the state in `work.pool[0]`, depth first.

    Args:
        deal: The position.
        losses: The hash table of proved losses; gets those that are found.
        filed: How many it holds.
        work: Room.
        stamp: The last stamp that was used in `work.stamps`.
        weights: What is added to a move's score, see `solver.klondike.known_deal_search.TUNING`.
        noise: What is added for each card.
        budget: States that may be visited.

    Returns:
        How it ended, states visited (all members of the components looked at), keys filed in all, the last stamp
        used, and the depth of the line; its states are `work.pool[work.end[level] - 1]` for each level up to that
        depth.

    Worked example. The king of hearts lies face down under the king of spades, and all other cards are up:

        depth 0  KS is visible and locked, since it lies on a face-down card. Its foundation takes it next, and that is
                 safe: nothing can lie on a king that matters any more. So this is the only move, and the component is
                 not enumerated.
        depth 1  KH has been turned and is a king that owns its column. No card lies on a face-down one, and the stock
                 is empty: the rest plays itself, which is a win.

    >>> from solver.klondike.position import Position
    >>> from solver.klondike.known_deal_search import RunSearch
    >>> two_kings = "draw: 3; moves: run; columns: KH [KS] | - | - | - | - | - | -; foundations: C13 D13 H12 S12"
    >>> work = RunSearch(Position.parse(two_kings))
    >>> str(work.run(10)), work.nodes, *map(str, work.line())
    ('win', 2, 'T1>F', 'T1>F')
    """
    pool, begin, end, keys = work.pool, work.begin, work.end, work.keys
    unit_heights, unit_idle = deal.key_units[UNIT_HEIGHTS], deal.key_units[UNIT_IDLE]
    states = 0
    depth = 0
    begin[0] = 0
    end[0] = 1
    limit = losses.size // 8 * 5
    while True:
        if end[depth] == begin[depth]:
            if depth == 0:
                return NOTHING, states, filed, stamp, 0
            filed += _insert(losses, keys[depth])
            depth -= 1
            end[depth] -= 1
            continue
        _bring_best_last(pool, work.scores, begin[depth], end[depth])
        if states >= budget:
            return OPEN, states, filed, stamp, depth
        if filed >= limit:
            return TABLE_FULL, states, filed, stamp, depth
        row = end[depth] - 1
        if is_won(deal, pool[row, STOCK], pool[row, LEFT]):
            return FOUND, states + 1, filed, stamp, depth

        turned = reachable(
            pool[row, STOCK], pool[row, WASTE], deal.draw, deal.redeals, deal.draw_table, deal.stock_cards
        )
        first = _first_member(pool, row, deal.worrying_back)
        # Looked up long before it is needed: the table is far larger than the processor's caches.
        idle = pool[row, IDLE]
        likely = pool[row, KEY] + heights_key(first.code, unit_heights)
        found = losses[home_of(likely, losses.size - 1)]
        likely_idle = likely + idle * unit_idle
        found_idle = losses[home_of(likely_idle, losses.size - 1)]
        stamp += 1
        component = _enumerated(deal, work, pool[row, LOCKED], turned, first, stamp)
        states += component.visited
        depth += 1
        begin[depth] = end[depth] = row + 1
        # Where a move is forced the verdict is the successor's: the state that was reached is filed.
        is_forced = component.forced >= 0
        code = component.at.code if is_forced else component.best
        keys[depth] = pool[row, KEY] + heights_key(code, unit_heights)
        known = (not is_forced and (found == likely or found_idle == likely_idle)) or _contains(losses, keys[depth])
        if idle and not known and not is_forced:
            keys[depth] += idle * unit_idle
            known = _contains(losses, keys[depth])
        if known:
            depth -= 1
            end[depth] -= 1
        elif is_forced:
            successor(deal, pool, row, row + 1, component.at, component.forced, _UP)
            pool[row + 1, IDLE] = 0
            work.scores[row + 1] = 0
            end[depth] = row + 2
        else:
            last = _write_successors(deal, work, row, turned, component.size, weights, noise)
            if last < 0:
                return POOL_FULL, states, filed, stamp, depth
            end[depth] = last
