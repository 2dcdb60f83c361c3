"""Random legal positions of the four games as JSON objects, as a photo shows them: `??` is what nobody can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from solver.cards import RANK_CHARS, SUIT_CHARS
from solver.games import position_from_json

Position = dict[str, Any]
Rng = np.random.Generator


def makiaveli(rng: Rng) -> Position:
    """Melds from two decks, up to four cross cards and a hand."""
    left = Counter({rank + suit: 2 for rank in RANK_CHARS for suit in SUIT_CHARS})
    target = int(rng.choice([rng.integers(6, 25), rng.integers(20, 50), rng.integers(40, 75)]))
    floor: list[list[str]] = []
    for _ in range(200):
        if sum(map(len, floor)) >= target:
            break
        meld = _set(rng) if rng.random() < 0.5 else _run(rng)
        if all(left[card] for card in meld):
            floor.append(meld)
            left.subtract(meld)
    rest = [card for card, count in left.items() for _ in range(count)]
    rng.shuffle(rest)
    cross: list[str | None] = [rest.pop() if rng.random() < 0.75 else None for _ in range(4)]
    hand = [rest.pop() for _ in range(int(rng.integers(0, 12)))]
    return {"game": "makiaveli", "floor": floor, "cross": cross, "hand": hand}


def crowded_makiaveli(rng: Rng, cards: int) -> Position:
    """A table late in the game, with so many cards on it: both decks in melds, from which single cards were taken.

    Args:
        rng: Random generator.
        cards: Cards of floor, cross and hand together, 20 to 104.
    """
    floor = [meld for _ in range(2) for meld in _whole_deck(rng)]
    rng.shuffle(floor)
    cross, hand = int(rng.integers(0, 5)), int(rng.integers(0, 12))
    away, free = 104 - cards, list[str]()
    while len(free) < away + cross + hand:
        longer = [meld for meld in floor if len(meld) > 3]
        whole = [meld for meld in floor if len(meld) <= away - len(free)]
        if whole and (not longer or rng.random() < 0.4):
            meld = whole[int(rng.integers(len(whole)))]
            floor = [other for other in floor if other is not meld]
            free += meld
        elif longer:
            meld = longer[int(rng.integers(len(longer)))]
            free.append(meld.pop(0 if rng.random() < 0.5 else -1))
        elif len(free) < away:
            free += floor.pop()
        else:
            break
    rng.shuffle(free)
    cross = min(cross, len(free) - away)
    places: list[str | None] = [*free[away : away + cross], *[None] * (4 - cross)]
    rng.shuffle(places)
    return {"game": "makiaveli", "floor": floor, "cross": places, "hand": free[away + cross :]}


def _whole_deck(rng: Rng) -> list[list[str]]:
    """All 52 cards in melds: sets of some ranks, and between them runs of each suit."""
    ranks = RANK_CHARS if rng.random() < 0.5 else RANK_CHARS[1:] + RANK_CHARS[0]
    melds: list[list[str]] = []
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


def _set(rng: Rng) -> list[str]:
    rank = RANK_CHARS[int(rng.integers(13))]
    return [rank + suit for suit in rng.permutation(list(SUIT_CHARS))[: int(rng.integers(3, 5))]]


def _run(rng: Rng) -> list[str]:
    line = RANK_CHARS + "A"
    length = min(13, 3 + int(rng.geometric(0.4)) - 1)
    first = int(rng.integers(len(line) - length + 1))
    suit = SUIT_CHARS[int(rng.integers(4))]
    return [rank + suit for rank in line[first : first + length]]


def klondike(rng: Rng, *, moves: int | None = None, eager: bool = False) -> Position:
    """A deal played on for some random moves.

    How stock and waste share the unseen cards is not in a photo: all of them are counted as stock.

    Args:
        rng: Random generator.
        moves: How many to make; drawn by default, none in a third of the deals.
        eager: Cards go up to the foundations whenever they can.
    """
    made = int(rng.integers(*((0, 1), (1, 20), (10, 120))[int(rng.integers(3))])) if moves is None else moves
    draw = int(rng.choice([1, 3]))
    cards = [rank + suit for rank in RANK_CHARS for suit in SUIT_CHARS]
    rng.shuffle(cards)
    columns: list[tuple[list[str], list[str]]] = []
    for number in range(7):
        down, cards = cards[:number], cards[number:]
        columns.append((down, [cards.pop()]))
    stock, waste = cards, list[str]()
    built = dict.fromkeys(SUIT_CHARS, 0)
    for _ in range(made):
        choices = _klondike_moves(columns, waste, built)
        if eager:
            choices = [move for move in choices if move[0] in ("up", "waste up")] or choices
        if stock or waste:
            choices += [("draw", 0, 0)] * (1 + (len(choices) < 2))
        if not choices:
            break
        kind, source, target = choices[int(rng.integers(len(choices)))]
        if kind == "draw":
            if not stock:
                stock, waste = waste[::-1], []
            for _ in range(min(draw, len(stock))):
                waste.append(stock.pop())
        elif kind == "waste up":
            built[waste.pop()[1]] += 1
        elif kind == "up":
            built[columns[source][1].pop()[1]] += 1
        elif kind == "waste down":
            columns[target][1].append(waste.pop())
        else:
            first = int(kind.split()[1])
            columns[target][1].extend(columns[source][1][first:])
            del columns[source][1][first:]
        for down, up in columns:
            if down and not up:
                up.append(down.pop())
    seen = waste[-min(draw, len(waste)) :] if waste else []
    return {
        "game": "klondike",
        "rules": {"draw": draw, "redeals": None, "column_moves": "run", "worrying_back": True},
        "columns": [{"down": ["??"] * len(down), "up": list(up)} for down, up in columns],
        "foundations": built,
        "stock": ["??"] * (len(stock) + len(waste) - len(seen)),
        "waste": seen,
    }


def _klondike_moves(
    columns: list[tuple[list[str], list[str]]], waste: list[str], built: dict[str, int]
) -> list[tuple[str, int, int]]:
    moves = []

    def fits(card: str, pile: list[str]) -> bool:
        if not pile:
            return card[0] == "K"
        top = pile[-1]
        other = (card[1] in "DH") != (top[1] in "DH")
        return other and RANK_CHARS.index(card[0]) + 1 == RANK_CHARS.index(top[0])

    def ready(card: str) -> bool:
        return built[card[1]] == RANK_CHARS.index(card[0])

    if waste:
        moves += [("waste up", 0, 0)] * (3 * ready(waste[-1]))
        moves += [("waste down", 0, t) for t in range(7) if fits(waste[-1], columns[t][1])]
    for source, (down, up) in enumerate(columns):
        if up and ready(up[-1]):
            moves += [("up", source, 0)] * 3
        for first in range(len(up)):
            if first == 0 and not down and up[0][0] == "K":
                continue
            useful = first == 0 and bool(down)
            targets = [t for t in range(7) if t != source and fits(up[first], columns[t][1])]
            moves += [(f"from {first}", source, t) for t in targets] * (3 if useful else 1 if first == 0 else 0)
    return moves


def tomb_single(rng: Rng) -> Position:
    """A game under way as its tops tell it; what lies under them follows from the rules or is in the deck."""
    while True:
        cards = [rank + suit for rank in RANK_CHARS for suit in SUIT_CHARS]
        rng.shuffle(cards)

        def take(ranks: str, chance: float, cards: list[str] = cards) -> str | None:
            found = next((card for card in cards if card[0] in ranks), None)
            if found is None or rng.random() >= chance:
                return None
            cards.remove(found)
            return found

        stage = rng.uniform(0.2, 1)
        corners = [take("789TJQK", stage) for _ in range(4)]
        centre = take("A23456", stage)
        data: Position = {
            "game": "tomb_single",
            "corners": [[corner] if corner else [] for corner in corners],
            "centre": [centre] if centre else [],
            "spares": [take("A234589TJQK", 0.95) for _ in range(4)],
            "spare_six": [six] if (six := take("6", 0.5)) else [],
            "discard": [top] if (top := take("A234589TJQK", 0.8)) else [],
        }
        position = position_from_json(data)
        if not position.problems():
            return position.to_json()


def tomb_double(rng: Rng) -> Position:
    """A game under way as its tops tell it, with foundations as in their first round."""
    while True:
        position = position_from_json(_tomb_double_tops(rng))
        if not position.problems():
            return position.to_json()


def _tomb_double_tops(rng: Rng) -> Position:
    cards = [rank + suit for rank in RANK_CHARS for suit in SUIT_CHARS] * 2
    rng.shuffle(cards)
    foundations = dict.fromkeys(SUIT_CHARS, 0)
    for suit in SUIT_CHARS:
        if rng.random() < 0.7:
            foundations[suit] = int(rng.integers(1, 11))
            for rank in RANK_CHARS[13 - foundations[suit] :]:
                cards.remove(rank + suit)
    wastes = int(rng.integers(0, 6))
    centre: list[str] = []
    if rng.random() < 0.5:
        suit = SUIT_CHARS[int(rng.integers(4))]
        for rank in RANK_CHARS[: int(rng.integers(1, 6))]:
            if rank + suit not in cards:
                break
            cards.remove(rank + suit)
            centre.append(rank + suit)
    return {
        "game": "tomb_double",
        "foundations": foundations,
        "centre": centre,
        "tableau": [[cards.pop()] if rng.random() < 0.92 else [] for _ in range(4)],
        "reserves": [[cards.pop()] if rng.random() < 0.96 else [] for _ in range(4)],
        "wastes": [[cards.pop()] if number < wastes else [] for number in range(5)],
        "redeals": 4,
    }


POSITIONS: Final[dict[str, Callable[[Rng], Position]]] = {
    "makiaveli": makiaveli,
    "klondike": klondike,
    "tomb_single": tomb_single,
    "tomb_double": tomb_double,
}
"""Game word to a random position."""
