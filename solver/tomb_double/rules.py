"""The rules of Napoleon's Tomb with two decks, as data, and the notation of its moves.

Four reserves (R) of ten face-up cards, the centre (C), four tableau piles (T), up to five wastes (W), the stock (S) and
a foundation (F) a suit. A foundation takes its suit from king down to ace, twice. Tableau piles and the centre build up
in suit, ace on king continues; the centre begins with an ace. The top cards of R, T and W play to F, T and C, the
centre's top plays to F only. Each time the stock is used up the wastes become the new stock, one waste less each time.

    R1>F     the top card of reserve 1 to its foundation
    W3>T2    the top card of waste 3 to tableau pile 2
    T2>C     the top card of tableau pile 2 to the centre
    T2>>C    the whole of tableau pile 2 to the centre
    C>F      the centre's top card to its foundation
    S>W4     the next card of the stock, turned onto waste 4
    redeal   the wastes, gathered, become the stock
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Final

from plumbing.errors import NotationError
from solver.cards import Card, Rank, deck
from solver.place import Letters, Place

RESERVES: Final = 4
"""They are never filled again."""
RESERVE_CARDS: Final = 10
"""Cards in each reserve, all face up."""
TABLEAU: Final = 4
"""Tableau piles, one card each at the start."""
WASTES: Final = 5
"""Wastes before the first redeal; each redeal takes one away, the last leaves one."""
REDEALS: Final = WASTES - 1
"""How often the wastes may become the stock again."""
STOCK: Final = 104 - RESERVES * RESERVE_CARDS - TABLEAU
"""Cards in the stock at the start; there are never more in stock and wastes."""

FULL: Final = 26
"""Cards on a complete foundation: king to ace, twice."""

FOUNDATION: Final = Place("foundation")
CENTRE: Final = Place("centre")
STOCK_PLACE: Final = Place("stock")
TABLEAU_PLACES: Final = tuple(Place("tableau", number) for number in range(TABLEAU))
RESERVE_PLACES: Final = tuple(Place("reserve", number) for number in range(RESERVES))
WASTE_PLACES: Final = tuple(Place("waste", number) for number in range(WASTES))
ALL_WASTES: Final = Place("waste")
PLACES: Final = frozenset((FOUNDATION, CENTRE, STOCK_PLACE, *TABLEAU_PLACES, *RESERVE_PLACES, *WASTE_PLACES))

LETTERS: Final = Letters({"F": "foundation", "C": "centre", "S": "stock", "T": "tableau", "R": "reserve", "W": "waste"})
_MOVE = re.compile(r"([A-Z][1-9]?)(>>?)([A-Z][1-9]?)")


@dataclass(frozen=True, slots=True)
class Move:
    """One move.

    Attributes:
        source: Where the card comes from; for a redeal all wastes.
        target: Where it goes; for a redeal the stock.
        whole: Whether the whole tableau pile goes to the centre.
    """

    source: Place
    target: Place
    whole: bool = False

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads a printed move, in either case.

        Raises:
            NotationError: For anything else.

        >>> Move.parse("t2>>c").whole
        True
        >>> str(Move.parse("redeal"))
        'redeal'
        """
        word = text.strip().upper()
        if word == "REDEAL":
            return REDEAL
        match = _MOVE.fullmatch(word)
        expected = "such as R1>F, W3>T2, T2>>C (the whole pile), C>F, S>W4 or redeal"
        if match is None:
            raise NotationError(text, 1, f"{text!r} is no move", expected)

        def place(group: int) -> Place:
            found = LETTERS.parse(match[group]) if match[group][0] in LETTERS.kinds else None
            if found is None or found not in PLACES:
                raise NotationError(text, match.start(group) + 1, f"there is no pile {match[group]!r}", expected)
            return found

        return cls(place(1), place(3), match[2] == ">>")

    def __str__(self) -> str:
        if self.source == ALL_WASTES:
            return "redeal"
        return f"{LETTERS.text(self.source)}{'>>' if self.whole else '>'}{LETTERS.text(self.target)}"


REDEAL: Final = Move(ALL_WASTES, STOCK_PLACE)
"""The redeal, printed `redeal`."""


def next_down(count: int) -> Rank:
    """The rank that a foundation with `count` cards (0 to 25) takes next.

    Ruling: the second king of a suit waits until its foundation shows the ace.

    >>> next_down(0), next_down(12), next_down(13)
    (<Rank.KING: 13>, <Rank.ACE: 1>, <Rank.KING: 13>)
    """
    return Rank(13 - count % 13)


def follows(card: Card, below: Card) -> bool:
    """Whether `card` may lie on `below` in a tableau pile or the centre: one rank higher in suit, ace on king.

    Ruling: the rule sheet says "a king may be played on an ace" for the centre; it is read as ace on king, as in the
    tableau.

    >>> from solver.cards import parse_card as c
    >>> follows(c("6H"), c("5H")), follows(c("AH"), c("KH")), follows(c("KH"), c("AH")), follows(c("6D"), c("5H"))
    (True, True, False, False)
    """
    return card.suit == below.suit and card.rank == below.rank % 13 + 1


def shuffled(seed: int, number: int = 0) -> tuple[Card, ...]:
    """Both decks, shuffled: the same cards for the same seed and deal number on any machine.

    >>> len(shuffled(1)), shuffled(1) == shuffled(1, 0), shuffled(1) == shuffled(1, 1)
    (104, True, False)
    """
    cards = list(deck(2))
    random.Random(f"tomb_double {seed} {number}").shuffle(cards)
    return tuple(cards)
