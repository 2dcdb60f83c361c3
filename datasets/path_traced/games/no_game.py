"""Cards that are no game of ours: a hand of poker, a fan, the suits in rows, three cards, a heap, a hand of bridge."""

from __future__ import annotations

from typing import Final

from datasets.path_traced.decks import Deck
from datasets.path_traced.tables import Laid, Maker, Person, Table, bounds, by_suit, group, moved, shuffled_deck, turned
from datasets.picture_tools import Rng
from solver.cards import RANK_CHARS, SUIT_CHARS

_ZONE: Final = "none"


def _poker(rng: Rng, person: Person, deck: Deck, cards: list[str]) -> list[Laid]:
    wide, high = deck.width, deck.height
    laid = [person.lay(cards[i], _ZONE, i * (wide + 8), 0) for i in range(5)]
    for i in range(2):
        laid.append(person.lay(cards[6 + i], _ZONE, 130 + i * (wide * 0.6), -high - 50, float(rng.normal(0, 6))))
        laid.append(person.lay(cards[8 + i], _ZONE, 130 + i * 30, high + 60, float(rng.normal(0, 8)), up=False))
    return laid


def _fan(rng: Rng, person: Person, deck: Deck, cards: list[str]) -> list[Laid]:
    return group(rng, person, deck, cards[:9], _ZONE, "fan", 400)


def _suits(rng: Rng, person: Person, deck: Deck, cards: list[str]) -> list[Laid]:
    laid = []
    for row, suit in enumerate(SUIT_CHARS):
        run = [rank + suit for rank in RANK_CHARS]
        laid += moved(group(rng, person, deck, run, _ZONE, "row", 420), 0, -row * (deck.height + 8))
    return laid


def _three(rng: Rng, person: Person, deck: Deck, cards: list[str]) -> list[Laid]:
    laid = []
    for i in range(3):
        x, y, turn = i * (deck.width + float(rng.uniform(10, 50))), rng.normal(0, 15), rng.normal(0, 20)
        laid.append(person.lay(cards[i], _ZONE, x, float(y), float(turn)))
    return laid


def _heap(rng: Rng, person: Person, deck: Deck, cards: list[str]) -> list[Laid]:
    laid = []
    for face in cards[:18]:
        x, y = rng.normal(0, 70, 2)
        up, turn = bool(rng.random() < 0.7), float(rng.uniform(0, 360))
        laid.append(person.lay(face, _ZONE, float(x), float(y), turn, up=up, must=False))
    return laid


def _bridge(rng: Rng, person: Person, deck: Deck, cards: list[str]) -> list[Laid]:
    laid = []
    for seat in range(4):
        mine = group(rng, person, deck, by_suit(cards[seat * 13 : seat * 13 + 13]), _ZONE, "row", 270)
        left, near, right, far = bounds(mine, deck)
        laid += turned(moved(mine, -(left + right) / 2, -(near + far) / 2 - 230), seat * 90)
    return laid


_WAYS: Final = (_poker, _fan, _suits, _three, _heap, _bridge)


def _lay(rng: Rng, deck: Deck, number: int) -> Table:
    person = Person.draw(rng)
    cards = shuffled_deck(rng)
    way = _WAYS[number % len(_WAYS)]
    laid = way(rng, person, deck, cards)
    notes = {"kind": way.__name__[1:]}
    return Table(None, None, tuple(laid), notes=notes, azimuths=(0.0, 90.0, 30.0, -45.0))


MAKER: Final = Maker(_lay, 4)
