"""Random tables of Klondike: deals played on for some random moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from datasets.games.game import GameScene, PositionJson, shuffled
from datasets.picture_tools import Rng
from solver.cards import RANK_CHARS, SUIT_CHARS

Move = tuple[int | None, int, int | None]
"""The column that cards leave (None: the waste), which of its face-up cards goes first (-1: the last one alone), and
the column that they go to (None: a foundation)."""


@dataclass
class _GameUnderWay:
    """A game that each move changes.

    Attributes:
        columns: Face-down and face-up cards of each.
        stock: The next card to be turned last.
        waste: Its top card last.
        built: Cards on each foundation.
    """

    columns: list[tuple[list[str], list[str]]]
    stock: list[str]
    waste: list[str] = field(default_factory=list)
    built: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SUIT_CHARS, 0))

    def moves(self) -> list[Move]:
        """Moves that a player may think of, the more useful ones several times."""
        found: list[Move] = []
        if self.waste:
            found += self._to_foundation(None, self.waste[-1])
            found += [(None, -1, target) for target in self._columns_for(self.waste[-1])]
        for source, (down, up) in enumerate(self.columns):
            if up:
                found += self._to_foundation(source, up[-1])
            if up and (down or up[0][0] != "K"):
                runs: list[Move] = [(source, 0, target) for target in self._columns_for(up[0]) if target != source]
                found += runs * (3 if down else 1)
        return found

    def _to_foundation(self, source: int | None, card: str) -> list[Move]:
        return [(source, -1, None)] * (3 * (self.built[card[1]] == RANK_CHARS.index(card[0])))

    def _columns_for(self, card: str) -> list[int]:
        return [number for number, (_, up) in enumerate(self.columns) if _fits(card, up)]

    def turn_stock(self, draw: int) -> None:
        """Turns so many cards of the stock, after the waste was turned over where there is none."""
        if not self.stock:
            self.stock, self.waste = self.waste[::-1], []
        for _ in range(min(draw, len(self.stock))):
            self.waste.append(self.stock.pop())

    def make(self, move: Move) -> None:
        """Moves cards, and turns up what they leave."""
        source, first, target = move
        pile = self.waste if source is None else self.columns[source][1]
        cards = pile[first:]
        del pile[first:]
        if target is None:
            self.built[cards[0][1]] += 1
        else:
            self.columns[target][1].extend(cards)
        for down, up in self.columns:
            if down and not up:
                up.append(down.pop())


def _fits(card: str, pile: list[str]) -> bool:
    """Whether a card may be laid on a column's face-up cards."""
    if not pile:
        return card[0] == "K"
    differ = (card[1] in "DH") != (pile[-1][1] in "DH")
    return differ and RANK_CHARS.index(card[0]) + 1 == RANK_CHARS.index(pile[-1][0])


def _deal(rng: Rng) -> _GameUnderWay:
    cards = shuffled(rng)
    columns: list[tuple[list[str], list[str]]] = []
    for number in range(7):
        down, cards = cards[:number], cards[number:]
        columns.append((down, [cards.pop()]))
    return _GameUnderWay(columns, cards)


def random_position(rng: Rng, *, moves: int | None = None, eager: bool = False) -> PositionJson:
    """A deal played on for some random moves.

    How stock and waste share the unseen cards is not in a photo: all of them are counted as stock.

    Args:
        rng: Random generator.
        moves: How many to make; drawn by default, none in a third of the deals.
        eager: Cards go up to the foundations whenever they can.
    """
    made = int(rng.integers(*((0, 1), (1, 20), (10, 120))[int(rng.integers(3))])) if moves is None else moves
    draw = int(rng.choice([1, 3]))
    game = _deal(rng)
    for _ in range(made):
        if not _play_on(rng, game, draw, eager=eager):
            break
    seen = game.waste[-draw:]
    return {
        "game": "klondike",
        "rules": {"draw": draw, "redeals": None, "column_moves": "run", "worrying_back": True},
        "columns": [{"down": ["??"] * len(down), "up": list(up)} for down, up in game.columns],
        "foundations": game.built,
        "stock": ["??"] * (len(game.stock) + len(game.waste) - len(seen)),
        "waste": seen,
    }


def _play_on(rng: Rng, game: _GameUnderWay, draw: int, *, eager: bool) -> bool:
    """Makes a random move; whether there was one."""
    choices: list[Move | None] = [*game.moves()]  # None turns the stock
    if eager:
        choices = [move for move in choices if move and move[2] is None] or choices
    if game.stock or game.waste:
        choices += [None] * (1 + (len(choices) < 2))
    if not choices:
        return False
    move = choices[int(rng.integers(len(choices)))]
    if move is None:
        game.turn_stock(draw)
    else:
        game.make(move)
    return True


SCENE: Final = GameScene(random_position, has_overlapped_backs=True)
