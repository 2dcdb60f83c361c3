"""Random tables of Klondike: deals played on for some random moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from datasets.games.game import GameScene, PositionJson, Rng, shuffled
from solver.cards import RANK_CHARS, SUIT_CHARS

ONE: Final = -1
"""As the first of the cards that a move takes: the last one alone."""


@dataclass(frozen=True, slots=True)
class _Move:
    """A move of cards.

    Attributes:
        source: The column that they leave, None for the waste.
        first: Which of its face-up cards goes first.
        target: The column that they go to, None for a foundation.
    """

    source: int | None
    first: int
    target: int | None


@dataclass
class _Table:
    """A game under way, changed by each move.

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

    def moves(self) -> list[_Move]:
        """Moves that a player may think of, the more useful ones several times."""
        return [*self._from_waste(), *(move for source in range(7) for move in self._from_column(source))]

    def _from_waste(self) -> Iterator[_Move]:
        if self.waste:
            yield from [_Move(None, ONE, None)] * (3 * self._is_next(self.waste[-1]))
            yield from (_Move(None, ONE, target) for target in self._targets(self.waste[-1]))

    def _from_column(self, source: int) -> Iterator[_Move]:
        """Its last card to a foundation, and all its face-up cards to another column."""
        down, up = self.columns[source]
        if not up:
            return
        yield from [_Move(source, ONE, None)] * (3 * self._is_next(up[-1]))
        if down or up[0][0] != "K":
            yield from [_Move(source, 0, target) for target in self._targets(up[0]) if target != source] * (
                3 if down else 1
            )

    def _is_next(self, card: str) -> bool:
        """Whether a card can go to its foundation."""
        return self.built[card[1]] == RANK_CHARS.index(card[0])

    def _targets(self, card: str) -> list[int]:
        return [number for number, (_, up) in enumerate(self.columns) if _fits(card, up)]

    def turn_stock(self, draw: int) -> None:
        """Turns so many cards of the stock, after the waste was turned over where there is none."""
        if not self.stock:
            self.stock, self.waste = self.waste[::-1], []
        for _ in range(min(draw, len(self.stock))):
            self.waste.append(self.stock.pop())

    def make(self, move: _Move) -> None:
        """Moves cards, and turns up what they leave."""
        pile = self.waste if move.source is None else self.columns[move.source][1]
        cards = pile[move.first :]
        del pile[move.first :]
        if move.target is None:
            self.built[cards[0][1]] += 1
        else:
            self.columns[move.target][1].extend(cards)
        for down, up in self.columns:
            if down and not up:
                up.append(down.pop())


def _fits(card: str, pile: list[str]) -> bool:
    """Whether a card may be laid on a column's face-up cards."""
    if not pile:
        return card[0] == "K"
    top = pile[-1]
    other = (card[1] in "DH") != (top[1] in "DH")
    return other and RANK_CHARS.index(card[0]) + 1 == RANK_CHARS.index(top[0])


def _deal(rng: Rng) -> _Table:
    cards = shuffled(rng)
    columns: list[tuple[list[str], list[str]]] = []
    for number in range(7):
        down, cards = cards[:number], cards[number:]
        columns.append((down, [cards.pop()]))
    return _Table(columns, cards)


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
    table = _deal(rng)
    for _ in range(made):
        if not _play_on(rng, table, draw, eager=eager):
            break
    seen = table.waste[-draw:]
    return {
        "game": "klondike",
        "rules": {"draw": draw, "redeals": None, "column_moves": "run", "worrying_back": True},
        "columns": [{"down": ["??"] * len(down), "up": list(up)} for down, up in table.columns],
        "foundations": table.built,
        "stock": ["??"] * (len(table.stock) + len(table.waste) - len(seen)),
        "waste": seen,
    }


def _play_on(rng: Rng, table: _Table, draw: int, *, eager: bool) -> bool:
    """Makes a random move; whether there was one."""
    choices: list[_Move | None] = [*table.moves()]  # None turns the stock
    if eager:
        choices = [move for move in choices if move and move.target is None] or choices
    if table.stock or table.waste:
        choices += [None] * (1 + (len(choices) < 2))
    if not choices:
        return False
    move = choices[int(rng.integers(len(choices)))]
    if move is None:
        table.turn_stock(draw)
    else:
        table.make(move)
    return True


SCENE: Final = GameScene(random_position, has_overlapped_backs=True)
