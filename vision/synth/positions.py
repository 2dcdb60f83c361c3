"""Random legal positions of the four games as JSON objects, as a photo shows them: `??` is what nobody can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from solver.cards import RANK_CHARS, SUIT_CHARS

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
    hand = [rest.pop() for _ in range(int(rng.choice([0, 1, *range(2, 12)])))]
    return {"game": "makiaveli", "floor": floor, "cross": cross, "hand": hand}


def _set(rng: Rng) -> list[str]:
    rank = RANK_CHARS[int(rng.integers(13))]
    return [rank + suit for suit in rng.permutation(list(SUIT_CHARS))[: int(rng.integers(3, 5))]]


def _run(rng: Rng) -> list[str]:
    line = RANK_CHARS + "A"
    length = min(13, 3 + int(rng.geometric(0.4)) - 1)
    first = int(rng.integers(len(line) - length + 1))
    suit = SUIT_CHARS[int(rng.integers(4))]
    return [rank + suit for rank in line[first : first + length]]


def klondike(rng: Rng) -> Position:
    """A deal played on for some random moves. How stock and waste share the unseen cards is not in a photo: all of
    them are counted as stock."""
    draw = int(rng.choice([1, 3]))
    cards = [rank + suit for rank in RANK_CHARS for suit in SUIT_CHARS]
    rng.shuffle(cards)
    columns: list[tuple[list[str], list[str]]] = []
    for number in range(7):
        down, cards = cards[:number], cards[number:]
        columns.append((down, [cards.pop()]))
    stock, waste = cards, list[str]()
    built = dict.fromkeys(SUIT_CHARS, 0)
    for _ in range(int(rng.choice([0, rng.integers(1, 20), rng.integers(10, 120)]))):
        moves = _klondike_moves(columns, waste, built)
        if stock or waste:
            moves += [("draw", 0, 0)] * (1 + (len(moves) < 2))
        if not moves:
            break
        kind, source, target = moves[int(rng.integers(len(moves)))]
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
            part = columns[source][1][kind_size(kind) :]
            del columns[source][1][kind_size(kind) :]
            columns[target][1].extend(part)
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


def kind_size(kind: str) -> int:
    """Where the moved part of a column begins, from a move's word `from 3`."""
    return int(kind.split()[1])


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


POSITIONS: Final[dict[str, Callable[[Rng], Position]]] = {
    "makiaveli": makiaveli,
    "klondike": klondike,
}
"""Game word to a random position."""
