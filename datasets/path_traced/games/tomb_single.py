"""Tables of Napoleon's Tomb with one deck: forced play for a while, in the centre's first round only.

So the tops of the piles tell how many cards lie in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from datasets.path_traced.decks import Deck
from datasets.path_traced.tables import Json, Laid, Maker, Person, Table, shuffled_deck, value
from datasets.picture_tools import Rng


@dataclass(slots=True)
class _Game:
    """A game in play."""

    stock: list[str]
    spares: list[str | None] = field(init=False)
    corners: list[list[str]] = field(default_factory=list)
    centre: list[str] = field(default_factory=list)
    six: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spares = [self.stock.pop() for _ in range(4)]
        self._settle()

    def turn_card(self) -> None:
        """Plays the next card of the stock, and all that can be played then."""
        card = self.stock.pop()
        if not self._place(card):
            self.discard.append(card)
        self._settle()

    def _place(self, card: str) -> bool:
        if card[0] == "7" and len(self.corners) < 4:
            self.corners.append([card])
            return True
        for pile in self.corners:
            if value(pile[-1]) == value(card) - 1 and card[0] != "7":
                pile.append(card)
                return True
        if card[0] == "6":
            (self.six if self.centre else self.centre).append(card)
            return True
        if self.centre and value(self.centre[-1]) == value(card) + 1 and value(card) < 6:
            self.centre.append(card)
            return True
        return False

    def _settle(self) -> None:
        again = True
        while again:
            again = False
            while self.discard and self._place(self.discard[-1]):
                self.discard.pop()
                again = True
            for i, spare in enumerate(self.spares):
                if spare and self._place(spare):
                    self.spares[i] = self.discard.pop() if self.discard else self.stock.pop() if self.stock else None
                    again = True


def _played(rng: Rng) -> _Game:
    while True:
        game = _Game(shuffled_deck(rng))
        for _ in range(int(rng.integers(4, 38))):
            if not game.stock:
                break
            game.turn_card()
        first_round = not game.centre or game.centre[-1][0] != "A"
        if first_round and game.stock and None not in game.spares:
            return game


def _position(game: _Game, corners: list[list[str]]) -> Json:
    def tops(pile: list[str]) -> list[str]:
        return ["??"] * (len(pile) - 1) + pile[-1:]

    shown = sum(map(len, corners)) + len(game.centre) + 4 + len(game.six) + min(1, len(game.discard))
    return {
        "game": "tomb_single",
        "rules": {"mode": "forced"},
        "corners": [tops(pile) for pile in corners],
        "centre": tops(game.centre),
        "spares": game.spares,
        "spare_six": tops(game.six),
        "discard": game.discard[-1:],
        "deck": ["??"] * (52 - shown),
    }


def _lay(rng: Rng, deck: Deck, number: int) -> Table:
    game = _played(rng)
    seats = [int(i) for i in rng.permutation(4)]
    corners: list[list[str]] = [[], [], [], []]
    for seat, pile in zip(seats, game.corners, strict=False):
        corners[seat] = pile
    person = Person.draw(rng)
    px, py = deck.width + float(rng.uniform(3, 30)), deck.height + float(rng.uniform(3, 25))
    cards: list[Laid] = []
    for i, place in enumerate([(-px, py), (px, py), (-px, -py), (px, -py)]):
        cards += person.pile(f"corner/{i}", corners[i], place)
    cards += person.pile("centre", game.centre, (0, 0))
    for i, place in enumerate([(0.0, py), (-px, 0.0), (px, 0.0), (0.0, -py)]):
        cards += person.pile(f"spare/{i}", [spare for spare in game.spares[i : i + 1] if spare], place)
    side = float(rng.choice([-1, 1]))
    away = px * 2 + float(rng.uniform(8, 40))
    beside = [(side * away, py), (side * away, 0.0), (side * away, -py)]
    if rng.random() < 0.25:
        beside = [(-px, -2 * py - 15), (0.0, -2 * py - 15), (px, -2 * py - 15)]
    order = [int(i) for i in rng.permutation(3)]
    cards += person.pile("spare_six", game.six, beside[order[0]])
    cards += person.pile("discard", game.discard, beside[order[1]])
    cards += person.pile("deck", game.stock, beside[order[2]], up=False)
    return Table("tomb_single", _position(game, corners), tuple(cards), azimuths=(0.0,) * 3)


MAKER: Final = Maker(_lay, 2)
