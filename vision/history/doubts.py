"""What the photos of a game leave open, however well one history explains them.

The search keeps few rivals of the likeliest history, so it may be sure of what nothing shows. Two things are asked for
that reason: a card that no photo shows and that may as well be its twin, the other card of its rank and colour; and a
pile face down that the photos, taken together, count otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from solver.cards import Card
from solver.place import Place
from vision.cards.geometry import Array
from vision.history.sight import TUNING as SIGHT
from vision.history.sight import TableSight, likeliest
from vision.history.table_state import FIRST_LABEL, Cards, TableState
from vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class DoubtTuning:
    """When something is open.

    Attributes:
        counted_otherwise: Log-odds of another number of cards face down, by all photos of the same pile together.
        photo_weight: What each photo's count adds to them; photos of one table err alike.
    """

    counted_otherwise: float = 3.0
    photo_weight: float = 0.5


TUNING: Final = DoubtTuning()
OPEN_DOUBT: Final = 0.5
"""Doubt of a part that is open: one of two answers that nothing tells apart."""
_SUIT_OF_TWIN: Final = (3, 2, 1, 0)


def twin_of(card: int) -> int:
    """The other card of the same rank and colour.

    >>> [str(Card.from_index(n)) for n in (7, twin_of(7))]
    ['8C', '8S']
    """
    return 13 * _SUIT_OF_TWIN[card // 13] + card % 13


def shown_cards(sights: Sequence[TableSight]) -> frozenset[int]:
    """The cards that photos plainly show, and those that lie under a foundation's top that one shows."""
    seen: set[int] = set()
    for sight in sights:
        piles = chain(sight.waste, *(pile.cards for pile in sight.columns))
        seen |= {likeliest(belief) for belief in piles if max(belief) > SIGHT.plain}
        for top in (likeliest(belief) for belief in sight.foundations if max(belief) > SIGHT.plain):
            seen |= set(range(top - top % 13, top + 1))
    return frozenset(seen)


def find_untold(states: Sequence[TableState], shown: frozenset[int]) -> frozenset[int]:
    """The cards of columns that may as well be their twins, since no photo shows either."""
    placed = set(chain.from_iterable(up for state in states for up in state.up))
    untold = (card for card in placed if card < FIRST_LABEL and card not in shown and twin_of(card) not in shown)
    return frozenset(untold)


def ask_about_untold(file: str, state: TableState, untold: frozenset[int]) -> Iterator[Question]:
    """Which of two twins lies in a column."""
    for number, up in enumerate(state.up):
        for card in untold.intersection(up):
            names = tuple(str(Card.from_index(k)) for k in (card, twin_of(card)))
            text = f"{file}: no photo shows whether {names[0]} or {names[1]} lies in column {number + 1}: which?"
            yield Question(QuestionKind.CARD, text, Place("column", number), names, doubt=OPEN_DOUBT)


def find_counts(states: Sequence[TableState], sights: Sequence[TableSight]) -> dict[tuple[int, Cards], int]:
    """How many cards piles hide by all photos that show them, where that is plainly not what the history says.

    Returns:
        The number for a column with its labels, which name a pile as long as no card of it is turned.
    """
    odds: dict[tuple[int, Cards], list[Array]] = defaultdict(list)
    for state, sight in zip(states, sights, strict=True):
        for number, (down, pile) in enumerate(zip(state.down, sight.columns, strict=True)):
            if pile.log_count and not sight.squared:
                own = pile.log_count[min(len(down), len(pile.log_count) - 1)]
                odds[number, down].append(np.maximum(np.array(pile.log_count), SIGHT.least_count) - own)
    found = {pile: TUNING.photo_weight * np.sum(rows, axis=0) for pile, rows in odds.items()}
    return {pile: int(row.argmax()) for pile, row in found.items() if row.max() > TUNING.counted_otherwise}


def ask_about_counts(file: str, state: TableState, counts: dict[tuple[int, Cards], int]) -> Iterator[Question]:
    """How many cards a column hides that the photos count otherwise."""
    for number, down in enumerate(state.down):
        if (number, down) in counts:
            choices = (str(len(down)), str(counts[number, down]))
            text = (
                f"{file}: by the game column {number + 1} hides {choices[0]} cards, by the photos {choices[1]}: which?"
            )
            yield Question(QuestionKind.HIDDEN, text, Place("column", number), choices, doubt=OPEN_DOUBT)
