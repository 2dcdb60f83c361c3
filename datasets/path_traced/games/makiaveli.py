"""Tables of Makiaveli: melds in rows, columns and fans, the cross with the deck, and a hand."""

from __future__ import annotations

from typing import Final

import numpy as np

from datasets.path_traced.decks import Deck
from datasets.path_traced.tables import (
    Laid,
    Maker,
    Person,
    Table,
    bounds,
    by_suit,
    group,
    moved,
    shelves,
    shuffled_suits,
    turned,
)
from datasets.picture_tools import Rng
from solver.cards import DECK, RANK_CHARS, SUIT_CHARS

_TARGETS: Final = (24, 40, 56, 34, 70, 20, 48, 80)
"""Cards on the floor."""


def _melds(rng: Rng, target: int) -> tuple[list[list[str]], list[str]]:
    """Melds of some `target` cards, and what is left of two decks."""
    left = dict.fromkeys(map(str, DECK), 2)
    melds: list[list[str]] = []
    total = 0
    for _ in range(4000):
        if total >= target:
            break
        if rng.random() < 0.45:
            rank = RANK_CHARS[int(rng.integers(13))]
            meld = [rank + suit for suit in shuffled_suits(rng)[: int(rng.choice([3, 3, 4]))]]
        else:
            length = int(rng.choice([3, 3, 3, 4, 4, 5, 6, 7, 8]))
            start = int(rng.integers(0, 15 - length))
            suit = SUIT_CHARS[int(rng.integers(4))]
            meld = [rank + suit for rank in (RANK_CHARS + "A")[start : start + length]]
        if total + len(meld) > target + 2 or any(left[card] < meld.count(card) for card in meld):
            continue
        for card in meld:
            left[card] -= 1
        melds.append(meld)
        total += len(meld)
    return melds, [card for card, count in left.items() for _ in range(count)]


def _floor(rng: Rng, person: Person, deck: Deck, melds: list[list[str]], widest: float) -> list[list[Laid]]:
    """The cards of each meld."""
    few = sum(map(len, melds)) < 45
    main = str(rng.choice(["row", "row", "row", "column", "fan", *["apart"] * few]))
    groups = []
    for number, meld in enumerate(melds):
        style = main if rng.random() < 0.8 else str(rng.choice(["row", "column", "fan"]))
        if style == "column" and len(meld) > 5:
            style = "row"
        if len(meld) == 4 and meld[0][0] == meld[1][0] and rng.random() < 0.06:
            style = "block"
        items = group(rng, person, deck, meld, f"floor/{number}", style, widest)
        turn = float(rng.normal(0, 3))
        if number < len(melds) * 0.25 and rng.random() < 0.12:
            turn += 180
        elif rng.random() < 0.04:
            turn += float(rng.choice([90, -90]))
        groups.append(turned(items, turn))
    return groups


def _cross(rng: Rng, person: Person, deck: Deck, rest: list[str]) -> tuple[list[str | None], list[Laid]]:
    """The cards of the cross, taken from the rest, and those with the deck between them as they lie."""
    cross: list[str | None] = [None] * 4
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.15, 0.15, 0.2, 0.25, 0.25]))
    for side in sorted(rng.permutation(4)[:count].tolist()):
        cross[side] = rest.pop()
    radial = rng.random() < 0.3
    gap = float(rng.uniform(2, 12))
    size = min(len(rest) - 14, int(rng.integers(6, 40)))
    pieces = person.pile(
        "deck",
        rest[-size:] if size > 1 else rest[:1],
        (0, 0),
        float(rng.choice([0, 0, 90])) if radial else 0.0,
        up=False,
    )
    wide, high = deck.width, deck.height
    far, aside = high + gap, wide / 2 + (high if radial else wide) / 2 + gap
    if radial and abs(pieces[0].turn) > 45:
        far, aside = wide / 2 + high / 2 + gap, high + gap
    places = [(0.0, far), (aside, 0.0), (0.0, -far), (-aside, 0.0)]
    for side, face in enumerate(cross):
        if face:
            pieces.append(person.lay(face, f"cross/{side}", *places[side], 90.0 if radial and side % 2 else 0.0))
    return cross, pieces


def _lay(rng: Rng, deck: Deck, number: int) -> Table:
    target = _TARGETS[number % len(_TARGETS)] + int(rng.integers(-4, 5))
    melds, left = _melds(rng, max(20, min(80, target)))
    rest = [left[i] for i in rng.permutation(len(left))]
    person = Person.draw(rng)
    total = sum(map(len, melds))
    widest = float(np.interp(total, [20, 50, 84], [480, 760, 1000])) * float(rng.uniform(0.9, 1.1))
    groups = _floor(rng, person, deck, melds, widest)
    cross: list[str | None] = [None] * 4
    if rng.random() < 0.85:
        cross, pieces = _cross(rng, person, deck, rest)
        groups.insert(int(rng.integers(0, len(groups) + 1)), pieces)
    held = rest[: int(rng.integers(3, 13))]
    if rng.random() < 0.5:
        held = by_suit(held)
    cards = shelves(rng, groups, deck, widest, float(rng.uniform(12, 32)))
    left_, near, right, _ = bounds(cards, deck)
    style = str(rng.choice(["row", "row", "fan", "apart"] if len(held) < 6 else ["row", "fan"]))
    mine = group(rng, person, deck, held, "hand", style, max(widest, 350))
    x0, _, x1, far = bounds(mine, deck)
    middle = (left_ + right) / 2 + float(rng.uniform(-0.15, 0.15)) * (right - left_)
    cards += moved(mine, middle - (x0 + x1) / 2, near - far - float(rng.uniform(40, 75)))
    position = {"game": "makiaveli", "floor": melds, "cross": cross, "hand": held}
    return Table("makiaveli", position, tuple(cards), notes={"floor": total})


MAKER: Final = Maker(_lay, 1, sides=(1760, 1840, 1920), closer=2200)
