"""Random Makiaveli tables of the kinds that solvers find hard, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from solver.cards import DECK, Card, Suit
from solver.makiaveli import Position
from solver.makiaveli.melds import all_melds, run_of
from solver.makiaveli.position import Meld

SHORT: Final = tuple(meld for meld in all_melds() if len(meld) <= 4)
THREES: Final = tuple(meld for meld in all_melds() if len(meld) == 3)


def floor_of(rng: Random, melds: int) -> tuple[list[Meld], Counter[Card]]:
    """A floor of so many melds and the cards that are left of two decks."""
    pool = THREES if melds > 24 else SHORT
    while True:
        left = Counter(dict.fromkeys(DECK, 2))
        floor: list[Meld] = []
        fitting = list(pool)
        while len(floor) < melds and fitting:
            meld = rng.choice(fitting)
            floor.append(meld)
            left.subtract(meld)
            fitting = [other for other in fitting if all(left[card] for card in other)]
        if len(floor) == melds:
            if pool is THREES:  # let some melds grow, so that not all are of the same length
                for i, meld in enumerate(floor):
                    longer = [
                        m for m in all_melds() if len(m) == len(meld) + 1 and set(meld) < set(m)
                        and left[next(iter(set(m) - set(meld)))]
                    ]  # fmt: skip
                    if longer and rng.random() < 0.3:
                        floor[i] = rng.choice(longer)
                        left.subtract(set(floor[i]) - set(meld))
            return floor, left


def dealt(rng: Random, floor: list[Meld], left: Counter[Card], cross: int, hand: int) -> Position:
    """The floor with a cross and a hand from the cards that are left."""
    cards = list((+left).elements())
    rng.shuffle(cards)
    cross = min(cross, len(cards))
    return Position(tuple(floor), tuple(cards[:cross]), tuple(cards[cross : cross + hand]))


def of_melds(melds: int) -> Callable[[Random], Position]:
    """Tables with so many melds, up to four cross cards and one to twelve hand cards."""

    def make(rng: Random) -> Position:
        return dealt(rng, *floor_of(rng, melds), cross=rng.randint(0, 4), hand=rng.randint(1, 12))

    return make


def duplicates(rng: Random) -> Position:
    """Each floor meld lies there twice."""
    left = Counter(DECK)
    floor: list[Meld] = []
    for _ in range(rng.randint(3, 14)):
        fitting = [meld for meld in SHORT if all(left[card] for card in meld)]
        if fitting:
            meld = rng.choice(fitting)
            left.subtract(meld)
            floor += [meld, meld]
    return dealt(rng, floor, left + left, rng.randint(0, 4), rng.randint(1, 12))


def ace_chains(rng: Random) -> Position:
    """Long runs from or to an ace, with aces still to come: most splits cut a meld that lay whole."""
    left = Counter(dict.fromkeys(DECK, 2))
    floor: list[Meld] = []
    for suit in rng.sample(list(Suit), rng.randint(1, 3)):
        for _ in range(rng.randint(1, 2)):
            first, last = rng.choice([(1, 13), (2, 14), (1, rng.randint(10, 13)), (rng.randint(2, 5), 14)])
            run = run_of(suit, first, last)
            if all(left[card] for card in run):
                floor.append(run)
                left.subtract(run)
    for _ in range(rng.randint(0, 8)):
        meld = rng.choice(SHORT)
        if all(left[card] for card in meld):
            floor.append(meld)
            left.subtract(meld)
    aces = [card for card in (+left).elements() if card.rank == 1]
    rng.shuffle(aces)
    aces = aces[: rng.randint(1, 4)]
    left.subtract(aces)
    table = dealt(rng, floor, left, rng.randint(0, 4), rng.randint(0, 6))
    return Position(table.floor, table.cross, (*aces, *table.hand))


def all_out(rng: Random) -> Position:
    """All 104 cards are on the table or in the hand."""
    return dealt(rng, *floor_of(rng, rng.randint(18, 27)), cross=4, hand=104)


KINDS: Final[dict[str, Callable[[Random], Position]]] = {
    "6 melds": of_melds(6),
    "12 melds": of_melds(12),
    "20 melds": of_melds(20),
    "28 melds": of_melds(28),
    "duplicates": duplicates,
    "ace chains": ace_chains,
    "104 cards": all_out,
}


def positions(kind: str, count: int, seed: int) -> list[Position]:
    """So many tables of a kind."""
    rng = Random(f"{kind} {seed}")
    return [KINDS[kind](rng) for _ in range(count)]
