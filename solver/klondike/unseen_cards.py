"""Where the cards of a deck lie that nobody has seen, while a table is put right."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from solver.cards import DECK, Card, MaybeCard
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

    In a column that breaks the rules elsewhere, too, rather a card was read wrong.

    >>> table = Position.parse("klondike columns: [KH QS TS 9H] | [JH] | [7C QH TH] | - | - | - | -; foundations: C3")
    >>> [(*place, *map(str, cards)) for place, cards in find_gaps(table).items()]
    [(0, 2, 'JD')]
    """
    found = {}
    for number, column in enumerate(position.columns):
        steps = [_steps(upper, lower) for upper, lower in pairwise(column.up)]
        if None not in steps:
            for at, upper in enumerate(column.up[:-1]):
                if upper is not None and steps[at] != 1:
                    found[number, at + 1] = tuple(card for card in position.unseen() if fits(card, upper))
    return {place: cards for place, cards in found.items() if cards}


def _steps(upper: MaybeCard, lower: MaybeCard) -> int | None:
    """How far down a run the second of two cards may lie below the first; None where it may not.

    >>> from solver.cards import parse_cards
    >>> [_steps(*parse_cards(pair)) for pair in ("KH QS", "KH JD", "KH JS")]
    [1, 2, None]
    """
    if upper is None or lower is None:
        return 1
    steps = upper.rank - lower.rank
    in_run = 1 <= steps <= MOST_MISSING + 1 and (upper.is_red == lower.is_red) == (steps % 2 == 0)
    return steps if in_run else None
