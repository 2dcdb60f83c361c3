"""What a meld is: sets and runs, why some cards are not a meld, and the order in which a meld is written.

>>> from solver.cards import parse_cards
>>> is_meld(parse_cards("QS KS AS"))
True
>>> meld_problem(parse_cards("KS AS 2S"))
'an ace is low (A23) or high (QKA), never between'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from plumbing.errors import PositionError
from solver.cards import DECK, Card, Rank, Suit, cards_text

MIN_MELD: Final = 3
MAX_RUN: Final = 13
"""A2..QK and 23..KA are legal runs of 13; A2..KA, 14 cards with two aces, is no meld and has to be split."""

ACE_HIGH: Final = 14
"""The rank of an ace that stands after its king."""


def set_of(rank: Rank, suits: Iterable[Suit]) -> tuple[Card, ...]:
    """The set of a rank in some suits, in suit order."""
    return tuple(DECK[13 * suit + rank - 1] for suit in sorted(suits))


def run_of(suit: Suit, first: int, last: int) -> tuple[Card, ...]:
    """The run of a suit from rank `first` to `last`, where 14 is the ace after the king.

    >>> cards_text(run_of(Suit.SPADES, 12, 14))
    'QS KS AS'
    """
    return tuple(DECK[13 * suit + (rank - 1) % 13] for rank in range(first, last + 1))


def is_meld(cards: Sequence[Card]) -> bool:
    """Whether the cards, in any order, are a set or a run."""
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return mask in _meld_masks() and mask.bit_count() == len(cards)


def is_set(meld: Sequence[Card]) -> bool:
    """Whether a meld is a set; a meld that is none is a run."""
    return meld[0].rank == meld[1].rank


def meld_problem(cards: Sequence[Card]) -> str | None:
    """Why the cards are no meld, in words; None where they are one. Their order does not matter."""
    if is_meld(cards):
        return None
    if len(cards) < MIN_MELD:
        return f"{len(cards)} card{'s' if len(cards) != 1 else ''}, a meld has at least {MIN_MELD}"
    if sorted(cards) == sorted(run_of(cards[0].suit, 1, ACE_HIGH)):
        return "14 cards with two aces: a run ends at 13, split it"
    twice = [card for card, copies in sorted(Counter(cards).items()) if copies > 1]
    if twice:
        return f"{cards_text(twice)} twice, a meld never holds identical cards"
    if len({card.suit for card in cards}) > 1:
        return "neither one rank (a set) nor one suit (a run)"
    if {Rank.KING, Rank.ACE, Rank.TWO} <= {card.rank for card in cards}:
        return "an ace is low (A23) or high (QKA), never between"
    return "the ranks are not consecutive"


def run_start(cards: Sequence[Card]) -> int | None:
    """The lowest rank of different cards of one suit that follow each other, None where there is a gap.

    The ace counts as 14 where it follows the king; all 13 cards of a suit start at the ace.
    """
    ranks = sorted(int(card.rank) for card in cards)
    if ranks[-1] - ranks[0] == len(ranks) - 1:
        return ranks[0]
    if ranks[0] == Rank.ACE and ACE_HIGH - ranks[1] == len(ranks) - 1:
        return ranks[1]
    return None


def in_order(meld: Sequence[Card]) -> tuple[Card, ...]:
    """A meld as it is written: a set by suit, a run upwards with a high ace last.

    >>> from solver.cards import parse_cards
    >>> cards_text(in_order(parse_cards("AS KS QS")))
    'QS KS AS'
    """
    if is_set(meld):
        return tuple(sorted(meld))
    start = run_start(meld)
    if start is None:
        raise PositionError("makiaveli", [f"{cards_text(meld)} is no meld: {meld_problem(meld)}"])
    return run_of(meld[0].suit, start, start + len(meld) - 1)


def missing_cards(cards: Sequence[Card]) -> dict[Card, int]:
    """The cards of which any one makes a group a meld, and the number at which each stands in it; none for a meld.

    >>> from solver.cards import parse_cards
    >>> {str(card): at for card, at in missing_cards(parse_cards("4C 5C")).items()}
    {'3C': 0, '6C': 2}
    """
    whole = {} if is_meld(cards) else {card: (*cards, card) for card in DECK if is_meld((*cards, card))}
    return {card: in_order(meld).index(card) for card, meld in whole.items()}


@cache
def all_melds() -> tuple[tuple[Card, ...], ...]:
    """Every meld there is, written in order.

    >>> len(all_melds())
    373
    """
    suits = tuple(Suit)
    sets = [set_of(rank, (s for s in suits if s != left_out)) for rank in Rank for left_out in (*suits, None)]
    runs = [
        run_of(suit, first, last)
        for suit in suits
        for first in range(1, ACE_HIGH - 1)
        for last in range(first + 2, min(first + MAX_RUN - 1, ACE_HIGH) + 1)
    ]
    return tuple(sets + runs)


@cache
def _meld_masks() -> frozenset[int]:
    """Every meld as the bits of its cards' numbers."""
    return frozenset(sum(1 << card.index for card in meld) for meld in all_melds())
