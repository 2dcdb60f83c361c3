"""The compiled game of Klondike as a person sees it.

A state is that of `kernels`: which cards lie open in the columns, which of them lie on face-down cards, which are on
the foundations, which places of the stock are filled. How runs are arranged is left out, as it is there. Under the
one-card rule each loose card also says on which card of the pair above it lies (see `one_card_kernels`).

States joined by moves that can be taken back at once form a component. A *choice* is a move that cannot be taken back,
legal somewhere in the component: a card that lies on face-down cards leaves, or a card of the stock is played. So a
choice is what a person decides, with all moves that prepare it; a game has about forty. After a choice the state is
brought into its normal form: all cards that can go up and come back are up.

With unlimited redeals a person may look through the whole stock for nothing, so the game here begins with a stock
whose order is known. Where redeals are counted, each turn of a stock that hides cards is a choice too, and what it
shows becomes known. The cards face down in the columns are never looked at before they are turned.

What a state is worth is told by a small network over what is seen (see `value`), in whole numbers, so that every
machine computes the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from solver.klondike.kernels import (
    ALL,
    BLACK,
    COVERED,
    EVEN,
    KINGS,
    PLACES,
    RED,
    bare,
    next_up,
    places,
    reachable,
    safe,
)
from solver.klondike.kernels import _every as every_third
from solver.klondike.kernels import _this_pass as this_pass
from solver.klondike.position import MAX_STOCK
from solver.numeric.bits import leading_zeros, popcount, trailing_zeros
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Int, Ints
from solver.numeric.layers import whole_network
from solver.numeric.random_numbers import below, next_u64, seeded

VISIBLE, LOCKED, RAISED, STOCK, LEFT, WASTE, ODD, PENDING, UNSEEN, SHOWN = range(10)
STATE: Final = 10
"""A state: the first six as in `kernels`; loose cards that lie on the odd card of their pair (one-card rule only); what
a choice uncovers before it is looked at (1 + the column, `STOCK_TURNED`, or 0); where redeals are counted, the filled
places of the stock that have not been seen; and a number that stands for what has been seen of it since the root."""
STOCK_TURNED: Final = 8

BIT, WAY, AT_VISIBLE, AT_RAISED, AT_ODD = range(5)
CHOICE: Final = 5
"""A choice: the card, the way it goes, and the member of the component where it goes."""
UP, ONTO, ONTO_ODD, TURN = range(4)
NO_CARD: Final = 62
"""The card of a choice that turns the stock."""
MAX_CHOICES: Final = 160
MAX_MEMBERS: Final = 64

DRAW, REDEALS, BACK, ONE = range(4)
"""The rules as numbers: cards turned at a time, redeals left (-1: unlimited), worrying back, only single cards move."""

STATUSES: Final = 256
PAIRS: Final = 26
EMPTY_ROW: Final = PAIRS * STATUSES
PENDING_ROW: Final = EMPTY_ROW + 8
DOWN_ROW: Final = PENDING_ROW + 9
BURIED_ROW: Final = DOWN_ROW + 22
STOCK_ROW: Final = BURIED_ROW + 8 * 25
DEEPEST_ROW: Final = STOCK_ROW + 25 * 5
PLAIN_ROWS: Final = DEEPEST_ROW + 8
KINDS: Final = 36
PARENT_ROW: Final = PLAIN_ROWS
PLACE_ROW: Final = PARENT_ROW + 12 * KINDS * KINDS
BEHIND_ROW: Final = PLACE_ROW + 52 * MAX_STOCK
WASTE_ROW: Final = BEHIND_ROW + 52 * 52
NO_ROW: Final = WASTE_ROW + MAX_STOCK + 1
ROWS: Final = NO_ROW + 1
PLAIN_FEATURES: Final = PAIRS + 6
PARENT_FEATURES: Final = PLAIN_FEATURES + 24
FEATURES: Final = PARENT_FEATURES + 2 * MAX_STOCK + 4
"""The network's rows: plain ones, which every network has; one for each pair with the pair that takes its cards; and
where the order of the stock matters, one for each card's place in it, for each card with the one it lies on there, and
for the waste's size. Under the one-card rule the rows of places and of cards that lie on others tell of columns, see
`_place_columns`. `NO_ROW` says nothing."""
HIDDEN: Final = 32
HIDDEN2: Final = 16
"""Units of the network's hidden layers."""
_network_value: Final = whole_network(HIDDEN, HIDDEN2)


def _number_kinds() -> Ints:
    """What a pair's status says in short: which of eight kinds its two cards are, in either order."""
    kinds = [0, 1, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 7, 7, 7]
    numbers = np.zeros(STATUSES, np.int64)
    for status in range(STATUSES):
        cards = [sum((status >> 2 * plane + card & 1) << plane for plane in range(4)) for card in range(2)]
        low, high = sorted(kinds[card] for card in cards)
        numbers[status] = high * (high + 1) // 2 + low
    return numbers


KIND_OF_PAIR: Final = _number_kinds()
"""The kinds: hidden, on its foundation, loose or locked (bare, covered each), in the stock (within reach, not)."""


@kernel(makes_arrays=False)
def covered(loose: Int, odd: Int) -> Int:
    """The cards on which a loose card lies, under the one-card rule."""
    on_even = loose & ~odd
    on_odd = loose & odd
    on_even = (on_even | on_even >> 1) & EVEN
    on_odd = (on_odd | on_odd >> 1) & EVEN
    on_even = (on_even & RED) << 6 | (on_even & BLACK) << 2
    on_odd = (on_odd & RED) << 6 | (on_odd & BLACK) << 2
    return (on_even | on_odd << 1) & ALL


@kernel(makes_arrays=False)
def bare_cards(visible: Int, locked: Int, odd: Int, one: Int) -> tuple[Int, Int, Int]:
    """Cards that can be played, and those that find a place on a column's last card: on an even one, on an odd one.

    Where runs move it does not matter which card of a pair a card lies on: all places count as even.
    """
    loose = visible & ~locked
    if one:
        top = visible & ~covered(loose, odd)
        return top, places(top & EVEN), places(top >> 1 & EVEN)
    pairs = bare(visible, loose)
    return pairs | pairs << 1, places(pairs), np.int64(0)


@kernel(makes_arrays=False)
def settle(state: Ints, rules: Ints) -> None:
    """Brings a state into its normal form: every loose card goes up that may go without harm."""
    visible, raised, odd = state[VISIBLE], state[RAISED], state[ODD]
    locked = state[LOCKED]
    while True:
        top, _, _ = bare_cards(visible, locked, odd, rules[ONE])
        ups = visible & ~locked & top & next_up(raised)
        if not rules[BACK] or rules[ONE]:
            ups &= safe(raised, rules[BACK])
        if not ups:
            break
        card = ups & -ups  # one at a time: of a pair with a card on it either can be made bare, but not both
        visible ^= card
        raised |= card
        odd &= ~card
    state[VISIBLE], state[RAISED], state[ODD] = visible, raised, odd


@kernel(makes_arrays=False)
def is_won(state: Ints, rules: Ints) -> bool:
    """Whether the rest plays itself, see `kernels`."""
    if state[PENDING] or state[LEFT] & COVERED:
        return False
    return bool(state[STOCK] == 0 or (rules[DRAW] == 1 and rules[REDEALS] < 0))


@kernel(makes_arrays=False)
def _add(choices: Ints, count: Int, cards: Int, way: Int, visible: Int, raised: Int, odd: Int) -> Int:
    while cards and count < MAX_CHOICES:
        choices[count, BIT] = trailing_zeros(cards)
        choices[count, WAY] = way
        choices[count, AT_VISIBLE] = visible
        choices[count, AT_RAISED] = raised
        choices[count, AT_ODD] = odd
        cards &= cards - 1
        count += 1
    return count


@kernel(makes_arrays=False)
def find_choices(state: Ints, rules: Ints, turned: Int, members: Ints, choices: Ints, most: Int, every: Int) -> Int:
    """Lists the choices of a settled state into `choices`; gives their number.

    `turned` holds the cards of the stock that can be played now, see `playable`. At most `most` members of the
    component are looked at. Where a card may go up that no other card can ever want, that is the only choice given,
    unless `every` is asked.
    """
    locked = state[LOCKED]
    owned = popcount(locked)
    one, back = rules[ONE], rules[BACK]
    ordered = rules[DRAW] > 1 or rules[REDEALS] >= 0
    settled = safe(state[RAISED], back)
    members[0, 0], members[0, 1], members[0, 2] = state[VISIBLE], state[RAISED], state[ODD]
    size = 1
    at = 0
    count: Int = 0
    if state[UNSEEN] and (state[WASTE] & PLACES != state[STOCK] or state[WASTE] >> 24 < rules[REDEALS]):
        count = _add(choices, count, np.int64(1) << NO_CARD, TURN, state[VISIBLE], state[RAISED], state[ODD])
    done_up = np.int64(0)
    done_even = np.int64(0)
    done_odd = np.int64(0)
    while at < size:
        visible, raised, odd = members[at, 0], members[at, 1], members[at, 2]
        loose = visible & ~locked
        top, on_even, on_odd = bare_cards(visible, locked, odd, one)
        takes = next_up(raised)
        if owned + popcount(loose & KINGS) < 7:
            on_even |= KINGS
        up = (locked & top | turned) & takes
        sure = up & safe(raised, back)
        if ordered:
            sure &= locked
        if sure and not every:
            return _add(choices, np.int64(0), sure & -sure, UP, visible, raised, odd)
        mine = locked & top | turned if one else locked | turned
        flips = np.int64(0)
        if back:
            flips = loose & top & takes
        else:
            up |= loose & top & takes
        to_even = mine & on_even & ~done_even
        to_odd = mine & on_odd & ~done_odd
        if back:
            to_even &= ~up
            to_odd &= ~up
        up &= ~done_up
        count = _add(choices, count, up, UP, visible, raised, odd)
        count = _add(choices, count, to_even, ONTO, visible, raised, odd)
        count = _add(choices, count, to_odd, ONTO_ODD, visible, raised, odd)
        done_up |= up
        done_even |= to_even
        done_odd |= to_odd
        if back:
            downs = raised & ~(raised >> 4) & ~settled
            size = _flip(members, size, flips, visible, raised, odd, np.int64(0), most)
            size = _flip(members, size, downs & on_even, visible, raised, odd, np.int64(0), most)
            if one:
                size = _flip(members, size, downs & on_odd, visible, raised, odd, np.int64(1), most)
        if one:
            switches = loose & top & (odd & on_even | ~odd & on_odd) & ~KINGS
            while switches:
                card = switches & -switches
                switches ^= card
                size = _new_member(members, size, visible, raised, odd ^ card, most)
        at += 1
    return count


@kernel(makes_arrays=False)
def _flip(members: Ints, size: Int, cards: Int, visible: Int, raised: Int, odd: Int, onto: Int, most: Int) -> Int:
    """Adds the members in which one of `cards` went up or came back, onto an odd card if `onto`."""
    while cards:
        card = cards & -cards
        cards ^= card
        size = _new_member(members, size, visible ^ card, raised ^ card, odd & ~card | (card if onto else 0), most)
    return size


@kernel(makes_arrays=False)
def _new_member(members: Ints, size: Int, visible: Int, raised: Int, odd: Int, most: Int) -> Int:
    if size >= most:
        return size
    for at in range(size):
        if members[at, 1] == raised and members[at, 2] == odd:
            return size
    members[size, 0], members[size, 1], members[size, 2] = visible, raised, odd
    return size + 1


@kernel(makes_arrays=False)
def playable(state: Ints, rules: Ints, turns: Ints, faces: Ints) -> Int:
    """The cards of the stock that can be played with no choice before: while some are unseen, the waste's top alone."""
    filled, waste = state[STOCK], state[WASTE]
    if not state[UNSEEN]:
        return reachable(filled, waste, rules[DRAW], rules[REDEALS], turns, faces)
    if not waste & PLACES:
        return np.int64(0)
    return cards_at(np.int64(1) << 63 - leading_zeros(waste & PLACES) & ~state[UNSEEN], faces)


@kernel(makes_arrays=False)
def cards_at(stock_places: Int, faces: Ints) -> Int:
    """The cards at places of the stock."""
    return faces[0, stock_places & 255] | faces[1, stock_places >> 8 & 255] | faces[2, stock_places >> 16]


@kernel(makes_arrays=False)
def _turn_stock(waste: Int, filled: Int, draw: Int) -> Int:
    """The waste, with the redeals used, after the stock is turned; where it is empty, it is turned over before."""
    used = waste >> 24
    waste &= PLACES
    if waste == filled:
        waste = np.int64(0)
        used += 1
    left = filled & ~waste
    for _ in range(draw):
        waste |= left & -left
        left &= left - 1
    return waste | used << 24


@kernel(makes_arrays=False)
def make(state: Ints, into: Ints, choice: Ints, slots: Ints, turns: Ints, rules: Ints) -> None:
    """Plays a choice. A card that it uncovers is not turned yet, see `reveal`."""
    into[UNSEEN], into[SHOWN] = state[UNSEEN], state[SHOWN]
    if choice[WAY] == TURN:
        for item in range(UNSEEN):
            into[item] = state[item]
        into[WASTE] = _turn_stock(state[WASTE], state[STOCK], rules[DRAW])
        into[PENDING] = STOCK_TURNED
        return
    bit = choice[BIT]
    card = np.int64(1) << bit
    visible, raised, odd = choice[AT_VISIBLE], choice[AT_RAISED], choice[AT_ODD]
    locked, left, filled, waste = state[LOCKED], state[LEFT], state[STOCK], state[WASTE]
    into[PENDING] = 0
    if locked & card:
        column, depth = slots[bit] & 7, slots[bit] >> 3
        locked ^= card
        left -= np.int64(1) << 5 * column
        if depth > 0:
            into[PENDING] = column + 1
    elif not visible & card:
        place = np.int64(1) << slots[bit]
        used = waste >> 24
        if rules[REDEALS] >= 0 and not this_pass(filled, waste, turns) & place:
            used += 1
        filled ^= place
        waste = filled & (place - 1)
        if rules[REDEALS] < 0 and (popcount(waste) % rules[DRAW] == 0 or waste == filled):
            waste = np.int64(0)
        waste |= used << 24
    odd &= ~card
    if choice[WAY] == UP:
        visible &= ~card
        raised |= card
    else:
        visible |= card
        if choice[WAY] == ONTO_ODD:
            odd |= card
    into[VISIBLE], into[LOCKED], into[RAISED] = visible, locked, raised
    into[STOCK], into[LEFT], into[WASTE], into[ODD] = filled, left, waste, odd


@kernel(makes_arrays=False)
def reveal(state: Ints, columns: Ints, stock: Ints) -> Int:
    """Turns the uncovered card, if there is one, and gives its bit; -1 where no card of a column is turned."""
    column = state[PENDING] - 1
    if column < 0:
        return -1
    state[PENDING] = 0
    if column == STOCK_TURNED - 1:
        seen = state[UNSEEN] & state[WASTE]
        state[UNSEEN] ^= seen
        while seen:
            place = trailing_zeros(seen)
            seen &= seen - 1
            mixed = np.uint64(1 + place << 6 | stock[place]) * np.uint64(0x9E3779B97F4A7C15)
            state[SHOWN] ^= np.int64((mixed ^ mixed >> np.uint64(29)) & np.uint64(0x7FFFFFFFFFFFFFFF))
        return -1
    left = state[LEFT] >> 5 * column & 31
    bit = columns[column, left - 1]
    card = np.int64(1) << bit
    state[VISIBLE] |= card
    if left == 1 and bit >= 48:
        state[LEFT] -= np.int64(1) << 5 * column  # a king at a column's bottom owns it as any other king does
    else:
        state[LOCKED] |= card
    return bit


@kernel(makes_arrays=False)
def _stock_codes(state: Ints, rules: Ints, stock: Ints, turns: Ints, faces: Ints) -> tuple[Int, Int, Int]:
    """With unlimited redeals: the cards in the stock, and two bits for each.

    Both are 0 for cards within reach on any pass; both are set for those within reach on this pass alone; others have
    one set, by how many cards come before them.
    """
    filled = state[STOCK]
    in_stock = cards_at(filled, faces)
    code0 = np.int64(0)
    code1 = np.int64(0)
    if rules[DRAW] > 1:
        turned = reachable(filled, state[WASTE], rules[DRAW], rules[REDEALS], turns, faces)
        code0 = code1 = turned & ~reachable(filled, np.int64(0), rules[DRAW], np.int64(-1), turns, faces)
        out = in_stock & ~turned
        phase = 0
        places_left = filled
        while places_left:
            card = np.int64(1) << stock[trailing_zeros(places_left)]
            places_left &= places_left - 1
            if out & card:
                if phase == 0:
                    code0 |= card
                else:
                    code1 |= card
            phase = phase + 1 if phase < rules[DRAW] - 1 else 0
    return in_stock, code0, code1


@kernel(makes_arrays=False)
def _counted_stock_codes(state: Ints, rules: Ints, turns: Ints, faces: Ints) -> tuple[Int, Int, Int]:
    """Where redeals are counted: the cards seen in the stock, and two bits for each.

    One is set where a card is out of reach on this pass, the other where it is on the next.
    """
    filled, waste, unseen = state[STOCK], state[WASTE], state[UNSEEN]
    if not filled:
        return np.int64(0), np.int64(0), np.int64(0)
    last = np.int64(1) << 63 - leading_zeros(filled)
    now = this_pass(filled, waste, turns)
    later = every_third(filled, turns) | last if waste >> 24 < rules[REDEALS] else np.int64(0)
    seen = filled & ~unseen
    return cards_at(seen, faces), cards_at(seen & ~now, faces), cards_at(seen & ~later, faces)


@kernel(makes_arrays=False)
def features(
    state: Ints, rules: Ints, slots: Ints, stock: Ints, turns: Ints, faces: Ints, rows: Ints, known: Int
) -> None:
    """Writes which of the network's rows a settled state switches on, at least the `known` first ones.

    The plain ones are one for each pair, and six more. See `_relate_pairs` and `_place_stock` for the others.

    A pair's row tells the status of both cards, four bits each: hidden, on the foundation, loose (bare or covered),
    locked on 0, 1, 2 to 3 or more face-down cards (bare or covered), in the stock (see `_stock_codes` and
    `_counted_stock_codes`).
    """
    visible, locked, raised, left, filled = state[VISIBLE], state[LOCKED], state[RAISED], state[LEFT], state[STOCK]
    loose = visible & ~locked
    cover = covered(loose, state[ODD]) if rules[ONE] else np.int64(0)
    plane0 = raised | loose & cover
    plane1 = loose
    plane2 = locked & ~cover
    plane3 = locked & cover
    cards = locked
    while cards:
        card = cards & -cards
        depth = slots[trailing_zeros(card)] >> 3
        if depth == 1 or depth >= 4:
            plane0 |= card
        if depth >= 2:
            plane1 |= card
        cards ^= card
    if rules[REDEALS] < 0:
        in_stock, code0, code1 = _stock_codes(state, rules, stock, turns, faces)
        passes = np.int64(0)
    else:
        in_stock, code0, code1 = _counted_stock_codes(state, rules, turns, faces)
        passes = min(rules[REDEALS] - (state[WASTE] >> 24), np.int64(4))
    plane0 |= code0
    plane1 |= code1
    plane2 |= in_stock
    plane3 |= in_stock
    for pair in range(PAIRS):
        at = 2 * pair
        status = (plane0 >> at & 3) | (plane1 >> at & 3) << 2 | (plane2 >> at & 3) << 4 | (plane3 >> at & 3) << 6
        rows[pair] = pair * STATUSES + status
    down = 0
    buried = 0
    deepest = 0
    pending = state[PENDING] - 1
    waits = 8 if pending == STOCK_TURNED - 1 else 7
    for column in range(7):
        count = left >> 5 * column & 31
        if column == pending:
            waits = min(count, 6)
            count += 1
        if count > 1:
            down += count - 1
            buried += 1
            deepest = max(deepest, count - 1)
    empty = 7 - popcount(locked) - popcount(loose & KINGS) - (1 if 0 <= pending < 7 else 0)
    rows[PAIRS] = EMPTY_ROW + min(max(empty, 0), 7)
    rows[PAIRS + 1] = PENDING_ROW + waits
    rows[PAIRS + 2] = DOWN_ROW + min(down, 21)
    rows[PAIRS + 3] = BURIED_ROW + buried + 8 * min(popcount(state[UNSEEN]), 24)
    rows[PAIRS + 4] = STOCK_ROW + min(popcount(filled), 24) + 25 * passes
    rows[PAIRS + 5] = DEEPEST_ROW + min(deepest, 7)
    if known <= PLAIN_FEATURES:
        return
    _relate_pairs(rows)
    if known <= PARENT_FEATURES:
        return
    if rules[ONE]:
        _place_columns(visible, locked, state[ODD], slots, rows)
    elif rules[DRAW] > 1 and rules[REDEALS] < 0:
        _place_stock(filled, state[WASTE], stock, rows)


@kernel(makes_arrays=False)
def _relate_pairs(rows: Ints) -> None:
    """Writes a row for each pair with the pair of one rank lower and the other colour, whose cards it takes."""
    at = PLAIN_FEATURES
    for parent in range(2, PAIRS):
        child = (parent - 2) ^ 1
        kind = KIND_OF_PAIR[rows[parent] - parent * STATUSES]
        kind_below = KIND_OF_PAIR[rows[child] - child * STATUSES]
        rows[at] = PARENT_ROW + ((parent // 2 - 1) * KINDS + kind) * KINDS + kind_below
        at += 1


@kernel(makes_arrays=False)
def _place_stock(filled: Int, waste: Int, stock: Ints, rows: Ints) -> None:
    """Writes the rows of a stock whose order matters."""
    at = PARENT_FEATURES
    place = 0
    before = -1
    rows[at] = WASTE_ROW + popcount(waste & PLACES)
    places_left = filled
    while places_left:
        card = stock[trailing_zeros(places_left)]
        places_left &= places_left - 1
        rows[at + 1] = PLACE_ROW + card * MAX_STOCK + place
        rows[at + 2] = BEHIND_ROW + card * 52 + before if before >= 0 else NO_ROW
        at += 2
        place += 1
        before = card
    while at < FEATURES - 1:
        at += 1
        rows[at] = NO_ROW


@kernel(makes_arrays=False)
def card_on(card: Int, loose: Int, odd: Int) -> Int:
    """The loose card that lies on a card of a column, under the one-card rule; -1 where there is none."""
    if card < 4:
        return -1
    low = 2 * ((card >> 1) - 2 ^ 1)
    for child in range(low, low + 2):
        if loose >> child & 1 and odd >> child & 1 == card & 1:
            return child
    return -1


@kernel(makes_arrays=False)
def _place_columns(visible: Int, locked: Int, odd: Int, slots: Ints, rows: Ints) -> None:
    """Writes the rows of columns whose order matters, for the first `MAX_STOCK` cards on which another lies.

    For each such card: how many lie on it, six or more as six, and whether it is loose or lies on no, up to two, or
    more face-down cards; and which card lies on it.
    """
    at = PARENT_FEATURES
    rows[at] = NO_ROW
    loose = visible & ~locked
    under = visible & covered(loose, odd)
    while under and at < PARENT_FEATURES + 2 * MAX_STOCK:
        card = trailing_zeros(under)
        under &= under - 1
        first = child = card_on(card, loose, odd)
        count = 0
        while child >= 0:
            count += 1
            child = card_on(child, loose, odd)
        kind = 0
        if locked >> card & 1:
            depth = slots[card] >> 3
            kind = 1 if depth == 0 else 2 if depth <= 2 else 3
        rows[at + 1] = PLACE_ROW + card * MAX_STOCK + 6 * kind + min(count, 6) - 1
        rows[at + 2] = BEHIND_ROW + card * 52 + first
        at += 2
    while at < FEATURES - 1:
        at += 1
        rows[at] = NO_ROW


@kernel(makes_arrays=False)
def count_features(rows: Int) -> Int:
    """How many features a network of so many rows knows."""
    return PLAIN_FEATURES if rows == PLAIN_ROWS else PARENT_FEATURES if rows == PLACE_ROW else FEATURES


@kernel(makes_arrays=False)
def value(rows: Ints, net: Any) -> Int:
    """What the network says of the rows switched on: 1024 times the logarithm of the odds of winning.

    The network is a tuple of its layers: (rows + 1, HIDDEN) int16, (HIDDEN + 1, HIDDEN2) int32, both with the biases as
    the last row, and (HIDDEN2 + 1) int32, all in 1/256. How many rows it has says which features it knows.
    """
    first, second, last = net
    return _network_value(first, second, last, rows, count_features(first.shape[0] - 1))


@kernel(makes_arrays=False)
def best_choice(
    state: Ints, rules: Ints, columns: Ints, slots: Ints, stock: Ints, turns: Ints, faces: Ints, members: Ints,
    choices: Ints, net: Any, rows: Ints, best_rows: Ints, trial: Ints, noise: Int,
) -> tuple[Int, Int]:  # fmt: skip
    """The choice after which the network sees the best odds, -1 where there is none, and these odds."""
    turned = playable(state, rules, turns, faces)
    count = find_choices(state, rules, turned, members, choices, MAX_MEMBERS, False)
    best: Int = -1
    best_value: Int = -(1 << 40)
    wanted = noise % count if noise >= 0 and count > 0 else -1
    for at in range(count):
        if wanted >= 0 and at != wanted:
            continue
        make(state, trial, choices[at], slots, turns, rules)
        settle(trial, rules)
        features(trial, rules, slots, stock, turns, faces, rows, np.int64(FEATURES))
        found = value(rows, net)
        if found > best_value:
            best, best_value = at, found
            for feature in range(FEATURES):
                best_rows[feature] = rows[feature]
    return best, best_value


@kernel(makes_arrays=False)
def lay_faces(stock: Ints, count: Int, faces: Ints) -> None:
    """The cards in eight stock places that are filled or not, see `state.Game.faces`."""
    for part in range(3):
        faces[part, 0] = 0
        for byte in range(1, 256):
            place = 8 * part + trailing_zeros(np.int64(byte))
            card = np.int64(1) << stock[place] if place < count else np.int64(0)
            faces[part, byte] = faces[part, byte & byte - 1] | card


@kernel(makes_arrays=False)
def deal(seed: Int, cards: Ints, columns: Ints, slots: Ints, stock: Ints, faces: Ints, state: Ints) -> None:
    """Deals a random game."""
    random = seeded(np.uint64(seed))
    for at in range(52):
        cards[at] = at
    for at in range(51, 0, -1):
        other, random = below(np.uint64(at + 1), random)
        swap = cards[at]
        cards[at] = cards[np.int64(other)]
        cards[np.int64(other)] = swap
    at = 0
    state[:] = 0
    for column in range(7):
        for depth in range(column + 1):
            columns[column, depth] = cards[at]
            slots[cards[at]] = column | depth << 3
            at += 1
        bit = columns[column, column]
        state[VISIBLE] |= np.int64(1) << bit
        if column > 0 or bit < 48:
            state[LOCKED] |= np.int64(1) << bit
            state[LEFT] |= np.int64(column + 1) << 5 * column
    for place in range(24):
        stock[place] = cards[at]
        slots[cards[at]] = place
        at += 1
    state[STOCK] = (1 << 24) - 1
    lay_faces(stock, 24, faces)


@kernel(nogil=True, makes_arrays=False)
def self_play(
    seed: Int, games: Int, rules: Ints, turns: Ints, net: Any, noise: Int, samples: Any, labels: Any, ints: Ints,
    choices: Ints, members: Ints, columns: Ints, faces: Ints,
) -> tuple[Int, Int, Int]:  # fmt: skip
    """Plays random games by the network alone; gives wins, samples and moves.

    Each state after a choice becomes a sample: the rows it switches on, and how many cards were up in the end, 52 if
    the game was won. With chance 1 / noise a move is random (never for 0).
    """
    cards, slots, stock = ints[0], ints[1], ints[2]
    state, trial, rows, best_rows = ints[3], ints[4], ints[5], ints[6]
    wins: Int = 0
    count: Int = 0
    moves: Int = 0
    random = seeded(np.uint64(seed) ^ np.uint64(0x5EED))
    for game in range(games):
        deal(seed + game, cards, columns, slots, stock, faces, state)
        state[UNSEEN] = state[STOCK] if rules[REDEALS] >= 0 else 0
        settle(state, rules)
        start = count
        won = False
        while True:
            if is_won(state, rules):
                won = True
                break
            wild: Int = -1
            if noise:
                chance, random = below(np.uint64(noise), random)
                if chance == 0:
                    bits, random = next_u64(random)
                    wild = np.int64(bits >> np.uint64(33))
            best, _ = best_choice(
                state, rules, columns, slots, stock, turns, faces, members, choices, net, rows, best_rows, trial,
                wild,
            )  # fmt: skip
            if best < 0:
                break
            make(state, trial, choices[best], slots, turns, rules)
            settle(trial, rules)
            reveal(trial, columns, stock)
            settle(trial, rules)
            for item in range(STATE):
                state[item] = trial[item]
            moves += 1
            if count < len(samples):
                for feature in range(FEATURES):
                    samples[count, feature] = best_rows[feature]
                count += 1
        wins += won
        for at in range(start, count):
            labels[at] = 52 if won else popcount(state[RAISED])
    return wins, count, moves
