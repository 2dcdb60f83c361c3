"""Compiled search for a shorter line of Klondike, see `shorten.py`: what plays come to, and which are not needed.

A table is one array of numbers: where each card lies, how high the foundations are, the columns with all their cards,
and the cards of stock and waste in the order in which they are turned.
"""

from __future__ import annotations

from typing import Final

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Int, Ints

STOCK: Final = 7
"""Stock and waste, as the place of a card; a column's place is its number from 0."""
HOME: Final = 8
"""The foundations, as the place of a card."""
HEIGHTS_AT: Final = 52
DOWN_AT: Final = 56
"""How many cards of each column lie face down."""
COUNT_AT: Final = 63
"""How many cards lie in each column."""
TURNED_AT: Final = 70
"""How many cards lie on the waste."""
LEFT_AT: Final = 71
"""How many cards lie in stock and waste."""
REDEALT_AT: Final = 72
PILE_AT: Final = 73
COLUMNS_AT: Final = 97
DEPTH: Final = 40
"""So many cards a column has room for."""
TABLE_SIZE: Final = COLUMNS_AT + 7 * DEPTH
DRAW, REDEALS, BACK, ONE_CARD = range(4)
"""The rules: cards turned at a time, times that the waste may be turned over (-1: any number), whether cards come back
from the foundations, whether single cards alone move."""
_KING: Final = 12


@kernel(makes_arrays=False)
def _copy(source: Ints, target: Ints) -> None:
    for k in range(len(source)):
        target[k] = source[k]


@kernel(makes_arrays=False)
def _turn_to(table: Ints, card: Int, rules: Ints) -> Int:
    """Turns the stock until a card of it lies on the waste's top: how often, or -1 where it cannot come there."""
    left, turned, draw = table[LEFT_AT], table[TURNED_AT], rules[DRAW]
    end = 1
    while table[PILE_AT + end - 1] != card:
        end += 1
    if end == turned:
        return 0
    turns = 0
    if end < turned or ((end - turned) % draw and end < left):
        turns = (left - turned + draw - 1) // draw
        turned = 0
        table[REDEALT_AT] += 1
        if (end % draw and end < left) or (rules[REDEALS] >= 0 and table[REDEALT_AT] > rules[REDEALS]):
            return -1
    table[TURNED_AT] = end
    return turns + (end - turned + draw - 1) // draw


@kernel(makes_arrays=False)
def _fits(table: Ints, card: Int, column: Int) -> Int:
    """Whether a card may go to a column."""
    count = table[COUNT_AT + column]
    if count == 0:
        return card % 13 == _KING
    last = table[COLUMNS_AT + DEPTH * column + count - 1]
    last_is_red, is_red = last // 13 == 1 or last // 13 == 2, card // 13 == 1 or card // 13 == 2
    return last % 13 == card % 13 + 1 and last_is_red != is_red


@kernel(makes_arrays=False)
def _play(table: Ints, card: Int, target: Int, rules: Ints) -> Int:
    """Makes a play: how many moves it takes, 0 where the card lies there already, or -1 where it cannot be made.

    A card that comes back from a foundation counts two: that looks like a mistake, even where it is none.
    """
    place = table[card]
    if place == target:
        return 0
    suit = card // 13
    first: Int = 0
    last: Int = 1
    cost: Int = 1
    if place == STOCK:
        turns = _turn_to(table, card, rules)
        if turns < 0:
            return -1
        cost += turns
    elif place == HOME:
        if not rules[BACK] or card % 13 != table[HEIGHTS_AT + suit] - 1:
            return -1
        cost = 2
    else:
        first, last = table[DOWN_AT + place], table[COUNT_AT + place]
        while first < last and table[COLUMNS_AT + DEPTH * place + first] != card:
            first += 1
        if first == last or (rules[ONE_CARD] and last > first + 1):
            return -1
    if target == HOME:
        if last > first + 1 or card % 13 != table[HEIGHTS_AT + suit]:
            return -1
    elif not _fits(table, card, target):
        return -1
    if target == HOME:
        table[HEIGHTS_AT + suit] += 1
        table[card] = HOME
    for k in range(first, last) if target != HOME else range(0):
        moved = table[COLUMNS_AT + DEPTH * place + k] if place < STOCK else card
        table[COLUMNS_AT + DEPTH * target + table[COUNT_AT + target]] = moved
        table[COUNT_AT + target] += 1
        table[moved] = target
    if place == STOCK:
        table[TURNED_AT] -= 1
        table[LEFT_AT] -= 1
        for k in range(table[TURNED_AT], table[LEFT_AT]):
            table[PILE_AT + k] = table[PILE_AT + k + 1]
    elif place == HOME:
        table[HEIGHTS_AT + suit] -= 1
    else:
        table[COUNT_AT + place] = first
        if table[DOWN_AT + place] == first and first > 0:
            table[DOWN_AT + place] -= 1
    return cost


@kernel(makes_arrays=False)
def _measure(start: Ints, plays: Ints, n: Int, rules: Ints, most: Int, table: Ints) -> Int:
    """How many moves plays take that win, or -1 where they do not, or take more than the most."""
    _copy(start, table)
    length = 0
    for k in range(n):
        cost = _play(table, plays[k, 0], plays[k, 1], rules)
        length += cost
        if cost < 0 or length > most:
            return -1
    for suit in range(4):
        if table[HEIGHTS_AT + suit] < 13:
            return -1
    return length


@kernel(makes_arrays=False)
def _leave_out(plays: Ints, n: Int, one: Int, other: Int, trial: Ints) -> Int:
    """Fills in the plays without two of them, or without one; how many are left."""
    kept = 0
    for k in range(n):
        if k not in (one, other):
            trial[kept, 0], trial[kept, 1] = plays[k, 0], plays[k, 1]
            kept += 1
    return kept


@kernel(makes_arrays=False)
def _make_elsewhen(plays: Ints, n: Int, place: Int, other: Int, trial: Ints) -> None:
    """Fills in the plays with one of them made at another time."""
    k = 0
    for at in range(n):
        if at == other:
            source = place
        else:
            k += k == place
            source = k
            k += 1
        trial[at, 0], trial[at, 1] = plays[source, 0], plays[source, 1]


@kernel(makes_arrays=False)
def shorten(start: Ints, plays: Ints, n: Int, rules: Ints, most_tries: Int, table: Ints, trial: Ints) -> Int:
    """Leaves out plays that nothing needs, and makes others at a time at which the stock is turned less for them.

    Args:
        start: Where they begin, a table.
        plays: (more, 2) int64: cards and where they go; the result is left here.
        n: How many there are.
        rules: See `DRAW`.
        most_tries: Lines that are tried at most.
        table: A table to work in.
        trial: As plays, to work in.

    Returns:
        How many plays are left; 0 where these do not win.
    """
    length = _measure(start, plays, n, rules, 1 << 30, table)
    if length < 0:
        return 0
    tries, before = 0, length + 1
    while length < before:
        before = length
        for gap in range(2):  # single plays, then two of the same card, such as up and down again
            for one in range(n - 1, -1, -1):
                for other in range(one - 1, -1, -1) if gap else range(one, one + 1):
                    if tries >= most_tries or one >= n or (gap and plays[one, 0] != plays[other, 0]):
                        continue
                    tries += 1
                    kept = _leave_out(plays, n, one, other, trial)
                    found = _measure(start, trial, kept, rules, length, table)
                    if found >= 0:
                        _copy_plays(trial, plays, kept)
                        n, length = kept, found
        for one in range(n):
            for other in range(n):
                if tries >= most_tries or one == other:
                    continue
                tries += 1
                _make_elsewhen(plays, n, one, other, trial)
                found = _measure(start, trial, n, rules, length - 1, table)
                if found >= 0:
                    _copy_plays(trial, plays, n)
                    length = found
    return n


@kernel(makes_arrays=False)
def _copy_plays(source: Ints, target: Ints, n: Int) -> None:
    for k in range(n):
        target[k, 0], target[k, 1] = source[k, 0], source[k, 1]
