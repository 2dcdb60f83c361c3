"""Random tables of Makiaveli: melds from two decks, up to four cross cards and a hand."""

from __future__ import annotations

from collections import Counter
from typing import Final

from datasets.games.game import GameScene, PositionJson, all_cards
from datasets.picture_tools import Rng
from solver.cards import RANK_CHARS, SUIT_CHARS

Meld = list[str]


def random_position(rng: Rng) -> PositionJson:
    """A table anywhere between the first turns and the last ones."""
    left = Counter(all_cards(decks=2))
    floor = _random_melds(rng, left)
    rest = list(left.elements())
    rng.shuffle(rest)
    cross = [rest.pop() if rng.random() < 0.75 else None for _ in range(4)]
    hand = [rest.pop() for _ in range(int(rng.integers(0, 12)))]
    return {"game": "makiaveli", "floor": floor, "cross": cross, "hand": hand}


def _random_melds(rng: Rng, left: Counter[str]) -> list[Meld]:
    """Melds of 6 to about 75 cards, which are taken from those that are left."""
    target = int(rng.choice([rng.integers(6, 25), rng.integers(20, 50), rng.integers(40, 75)]))
    floor: list[Meld] = []
    for _ in range(200):
        if sum(map(len, floor)) >= target:
            break
        meld = _set(rng) if rng.random() < 0.5 else _run(rng)
        if all(left[card] for card in meld):
            floor.append(meld)
            left.subtract(meld)
    return floor


def _set(rng: Rng) -> Meld:
    rank = RANK_CHARS[int(rng.integers(13))]
    return [rank + suit for suit in rng.permutation(list(SUIT_CHARS))[: int(rng.integers(3, 5))]]


def _run(rng: Rng) -> Meld:
    line = RANK_CHARS + "A"
    length = min(13, 3 + int(rng.geometric(0.4)) - 1)
    first = int(rng.integers(len(line) - length + 1))
    suit = SUIT_CHARS[int(rng.integers(4))]
    return [rank + suit for rank in line[first : first + length]]


def crowded_position(rng: Rng, cards: int) -> PositionJson:
    """A table late in the game, with so many cards on it: both decks in melds, from which single cards were taken.

    Args:
        rng: Random generator.
        cards: Cards of floor, cross and hand together, 20 to 104.
    """
    floor = [meld for _ in range(2) for meld in _whole_deck(rng)]
    rng.shuffle(floor)
    cross, hand = int(rng.integers(0, 5)), int(rng.integers(0, 12))
    away = 104 - cards
    floor, free = _take_from_melds(rng, floor, away, away + cross + hand)
    rng.shuffle(free)
    cross = min(cross, len(free) - away)
    places: list[str | None] = [*free[away : away + cross], *[None] * (4 - cross)]
    rng.shuffle(places)
    return {"game": "makiaveli", "floor": floor, "cross": places, "hand": free[away + cross :]}


def _whole_deck(rng: Rng) -> list[Meld]:
    """All 52 cards in melds: sets of some ranks, and between them runs of each suit."""
    ranks = RANK_CHARS if rng.random() < 0.5 else RANK_CHARS[1:] + RANK_CHARS[0]
    melds: list[Meld] = []
    first = 0
    while first < len(ranks):
        left = len(ranks) - first
        length = int(min(left, 3 + rng.geometric(0.4) - 1))
        if length < 3 or rng.random() < 0.45:
            melds.append([ranks[first] + suit for suit in rng.permutation(list(SUIT_CHARS))])
            first += 1
        else:
            melds += [[rank + suit for rank in ranks[first : first + length]] for suit in SUIT_CHARS]
            first += length
    return melds


def _take_from_melds(rng: Rng, floor: list[Meld], least: int, wanted: int) -> tuple[list[Meld], Meld]:
    """What is left of the melds, and the cards that were taken from them; those that are left stay melds.

    Args:
        rng: Random generator.
        floor: The melds; longer ones are made shorter.
        least: Cards to take at the least, of which whole melds may be a part.
        wanted: Cards to take where melds of four and more give them.
    """
    free: Meld = []
    while len(free) < wanted:
        longer = [meld for meld in floor if len(meld) > 3]
        whole = [meld for meld in floor if len(meld) <= least - len(free)]
        if whole and (not longer or rng.random() < 0.4):
            taken = _choose(rng, whole)
            floor = [meld for meld in floor if meld is not taken]
            free += taken
        elif longer:
            free.append(_choose(rng, longer).pop(0 if rng.random() < 0.5 else -1))
        elif len(free) < least:
            free += floor.pop()
        else:
            break
    return floor, free


def _choose(rng: Rng, melds: list[Meld]) -> Meld:
    return melds[int(rng.integers(len(melds)))]


SCENE: Final = GameScene(random_position, crowded_position)
