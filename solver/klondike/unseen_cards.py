"""Where cards are missing in a run, while a table is put right."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from solver.cards import Card
from solver.klondike.position import Position, fits

MOST_MISSING: Final = 2
"""Cards in a row that may be missing in a run; where more are, rather one beside them was read wrong."""


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
