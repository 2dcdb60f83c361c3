"""Where the cards of a deck lie that nobody has seen, while a table is put right."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from solver.cards import DECK, Card
from solver.klondike.position import MAX_STOCK, Position, fits

MOST_MISSING: Final = 2
"""Cards in a row that may be missing in a run; where more are, rather one beside them was read wrong."""


def with_full_stock(position: Position) -> Position:
    """The table whose stock holds as many unknown cards as lie nowhere else; one with a known stock stays as it is.

    >>> table = Position.parse("klondike columns: ?? [9C] | - | - | - | - | - | -; foundations: C13 D13 H4; stock:")
    >>> len(with_full_stock(table).stock)
    20
    """
    if any(card is not None for card in position.stock):
        return position
    elsewhere = len(position.cards()) - len(position.stock) - len(position.waste)
    left = min(len(DECK) - elsewhere, MAX_STOCK) - len(position.waste)
    return replace(position, stock=(None,) * max(0, left))


def find_gaps(position: Position) -> dict[tuple[int, int], tuple[Card, ...]]:
    """Where cards of a run are missing between two that are not: the column, the place in it, and what may lie there.

    >>> table = Position.parse("klondike columns: [KH QS TS 9H] | [JH] | - | - | - | - | -; foundations: C3")
    >>> [(*place, *map(str, cards)) for place, cards in find_gaps(table).items()]
    [(0, 2, 'JD')]
    """
    found = {}
    for number, column in enumerate(position.columns):
        for at, (upper, lower) in enumerate(pairwise(column.up), 1):
            if upper is None or lower is None:
                continue
            steps = upper.rank - lower.rank
            if 1 < steps <= MOST_MISSING + 1 and (upper.is_red == lower.is_red) == (steps % 2 == 0):
                found[number, at] = tuple(card for card in position.unseen() if fits(card, upper))
    return {place: cards for place, cards in found.items() if cards}
