"""Tables of Napoleon's Tomb with two decks, played for a while."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from datasets.path_traced.decks import Deck
from datasets.path_traced.tables import Json, Laid, Maker, Person, Table, shuffled_deck, shuffled_suits
from datasets.picture_tools import Rng
from solver.cards import SUIT_CHARS

_ORDER: Final = "KQJT98765432A" * 2
"""How foundations are built."""


@dataclass(slots=True)
class _Game:
    """A game in play."""

    reserves: list[list[str]]
    tableau: list[list[str]]
    stock: list[str]
    wastes: list[list[str]] = field(default_factory=lambda: [[] for _ in range(5)])
    foundations: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SUIT_CHARS, 0))
    centre: list[str] = field(default_factory=list)

    @classmethod
    def deal(cls, rng: Rng) -> _Game:
        both = shuffled_deck(rng) + shuffled_deck(rng)
        cards = [both[i] for i in rng.permutation(104)]
        reserves = [[cards.pop() for _ in range(10)] for _ in range(4)]
        return cls(reserves, [[cards.pop()] for _ in range(4)], cards)

    def sweep(self, rng: Rng) -> bool:
        """Plays one card; returns whether one could be."""
        sources = [*self.reserves, *self.wastes]
        for pile in [*sources, *self.tableau]:
            count = self.foundations[pile[-1][1]] if pile else 26
            if count < 26 and _ORDER[count] == pile[-1][0]:
                self.foundations[pile.pop()[1]] += 1
                return True
        for pile in sources:
            if pile and pile[-1][0] == "A" and not self.centre and rng.random() < 0.5:
                self.centre.append(pile.pop())
                return True
        for target in self.tableau:
            for pile in sources:
                if pile and not target:
                    target.append(pile.pop())
                    return True
        return False


def _played(rng: Rng) -> _Game:
    while True:
        game = _Game.deal(rng)
        for _ in range(int(rng.integers(0, 50))):
            while game.sweep(rng):
                pass
            if game.stock:
                game.wastes[int(rng.integers(5))].append(game.stock.pop())
        if game.stock and all(game.reserves):
            return game


def _position(game: _Game) -> Json:
    """The position as a photo shows it: the stock as full as the rules allow, the rest under the reserves."""
    wastes, tableau = [pile[-1:] for pile in game.wastes], [pile[-1:] for pile in game.tableau]
    room = 104 - 60 - sum(game.foundations.values()) - len(game.centre) - sum(map(len, tableau))
    hidden = [room // 4 + (i < room % 4) - 1 for i in range(4)]
    return {
        "game": "tomb_double",
        "foundations": game.foundations,
        "centre": list(game.centre),
        "tableau": tableau,
        "reserves": [["??"] * count + pile[-1:] for count, pile in zip(hidden, game.reserves, strict=True)],
        "wastes": wastes,
        "stock": ["??"] * (60 - sum(map(len, wastes))),
        "redeals": 4,
    }


def _lay(rng: Rng, deck: Deck, number: int) -> Table:
    game = _played(rng)
    person = Person.draw(rng)
    wide, high = deck.width, deck.height
    px, py = wide + float(rng.uniform(3, 18)), high + float(rng.uniform(3, 18))
    cards: list[Laid] = []
    corners = [(-px, py), (px, py), (-px, -py), (px, -py)]
    for suit, place in zip(shuffled_suits(rng), corners, strict=True):
        faces = [rank + suit for rank in _ORDER[: game.foundations[suit]]]
        cards += person.pile(f"foundation/{suit}", faces, place)
    for i, place in enumerate([(0.0, py), (-px, 0.0), (px, 0.0), (0.0, -py)]):
        cards += person.pile(f"reserve/{i}", game.reserves[i], place)
    cards += person.pile("centre", game.centre, (0, 0))
    side = float(rng.choice([-1, 1]))
    away = side * (2 * px + float(rng.uniform(10, 35)))
    for i, pile in enumerate(game.tableau):
        cards += person.pile(f"tableau/{i}", pile, (away, py * 1.15 - i * (high + 4)))
    row = min(-2 * py - float(rng.uniform(15, 30)), py * 1.15 - 4 * (high + 4) - 14)  # below the tableau too
    cards += person.pile("stock", game.stock, (-px * 2, row), up=False)
    for i, pile in enumerate(game.wastes):
        cards += person.pile(f"waste/{i}", pile, (-px * 2 + (i + 1) * (wide + 6) + 6, row))
    return Table("tomb_double", _position(game), tuple(cards), azimuths=(0.0,) * 3)


MAKER: Final = Maker(_lay, 3)
