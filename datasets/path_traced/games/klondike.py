"""Tables of Klondike: a game that was played for a while, and the ways to lay it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast

import numpy as np

from datasets.path_traced.decks import Deck
from datasets.path_traced.tables import Json, Laid, Maker, Person, Table, shuffled_deck, shuffled_suits, value
from datasets.picture_tools import Points, Rng
from solver.cards import RANK_CHARS, SUIT_CHARS
from solver.klondike.position import Position
from solver.record import Record

_STAGES: Final = ("fresh", "mid", "late", "mid", "fresh", "mid", "late", "mid")
_STEPS: Final = {"neat": (6.0, 10.0), "wide": (10.0, 15.0), "small": (3.6, 6.0), "squared": (0.0, 1.2)}
"""How far overlapped backs lie apart, mm."""
_STYLES: Final = ("usual", "mirrored", "stock below", "foundations beside", "stock beside")
_FROM: Final = (0.0,) * 14 + (180.0, 90.0, -90.0)
_Move = tuple[float, Callable[[], None]]


def _is_red(card: str) -> bool:
    return card[1] in "DH"


@dataclass(slots=True)
class _Game:
    """A game in play; `fan` counts the cards of the last draw that still lie fanned."""

    down: list[list[str]]
    up: list[list[str]]
    stock: list[str]
    waste: list[str]
    foundations: dict[str, int]
    draw: int
    fan: int = 0

    @classmethod
    def deal(cls, rng: Rng, draw: int) -> _Game:
        cards = shuffled_deck(rng)
        down: list[list[str]] = []
        up: list[list[str]] = []
        for column in range(7):
            down.append([cards.pop() for _ in range(column)])
            up.append([cards.pop()])
        return cls(down, up, cards, [], dict.fromkeys(SUIT_CHARS, 0), draw)

    def moves(self) -> list[_Move]:
        """What can be played, each with how much it tempts."""
        found: list[_Move] = []
        for column, cards in enumerate(self.up):
            if cards and self._goes_home(cards[-1]):
                found.append((6.0 if value(cards[-1]) < 4 else 2.0, partial(self._home, column)))
            for start in range(len(cards)):
                for target in range(7):
                    if target == column or not self._fits(cards[start], target):
                        continue
                    if start == 0 and (self.down[column] or self.up[target]):
                        found.append((8.0, partial(self._run, column, start, target)))
                    elif start > 0:
                        found.append((0.15, partial(self._run, column, start, target)))
        if self.waste:
            if self._goes_home(self.waste[-1]):
                found.append((5.0, self._waste_home))
            targets = (target for target in range(7) if self._fits(self.waste[-1], target))
            found.extend((4.0, partial(self._waste_down, target)) for target in targets)
        if self.stock or self.waste:
            found.append((2.0, self.turn_stock))
        return found

    def turn_stock(self) -> None:
        if not self.stock:
            self.stock, self.waste = self.waste[::-1], []
        self.fan = min(self.draw, len(self.stock))
        for _ in range(self.fan):
            self.waste.append(self.stock.pop())

    def _goes_home(self, card: str) -> bool:
        return self.foundations[card[1]] == value(card) - 1

    def _fits(self, card: str, column: int) -> bool:
        if not self.up[column]:
            return not self.down[column] and card[0] == "K"
        below = self.up[column][-1]
        return _is_red(below) != _is_red(card) and value(below) == value(card) + 1

    def _turn_up(self, column: int) -> None:
        if not self.up[column] and self.down[column]:
            self.up[column].append(self.down[column].pop())

    def _home(self, column: int) -> None:
        self.foundations[self.up[column].pop()[1]] += 1
        self._turn_up(column)

    def _run(self, column: int, start: int, target: int) -> None:
        self.up[target].extend(self.up[column][start:])
        del self.up[column][start:]
        self._turn_up(column)

    def _from_waste(self) -> str:
        self.fan = max(1, self.fan - 1)
        return self.waste.pop()

    def _waste_home(self) -> None:
        self.foundations[self._from_waste()[1]] += 1

    def _waste_down(self, target: int) -> None:
        self.up[target].append(self._from_waste())


def _played(rng: Rng, stage: str) -> _Game:
    """A game at a stage: `fresh`, `mid` or `late`."""
    draw = 3 if rng.random() < 0.35 else 1
    while True:
        game = _Game.deal(rng, draw)
        if stage == "fresh":
            if rng.random() < 0.3:
                game.turn_stock()
            return game
        for _ in range(int(rng.integers(6, 45) if stage == "mid" else rng.integers(60, 220))):
            moves = game.moves()
            if not moves:
                break
            weights = np.array([weight for weight, _ in moves])
            moves[int(rng.choice(len(moves), p=weights / weights.sum()))][1]()
        hidden, home = sum(map(len, game.down)), sum(game.foundations.values())
        if (hidden >= 6 and home < 26) if stage == "mid" else (hidden <= 9 and home <= 44):
            return game


def _position(game: _Game, waste: list[str]) -> Json:
    """The position as a photo shows it: with the cards of the waste that are seen, all others in the stock."""
    seen = sum(map(len, (*game.down, *game.up, waste))) + sum(game.foundations.values())
    columns = zip(game.down, game.up, strict=True)
    return {
        "game": "klondike",
        "rules": {"draw": 3 if len(waste) > 1 else 1, "redeals": None, "column_moves": "run", "worrying_back": True},
        "columns": [{"down": ["??"] * len(down), "up": list(up)} for down, up in columns],
        "foundations": dict(game.foundations),
        "stock": ["??"] * (52 - seen),
        "waste": waste,
    }


@dataclass(frozen=True, slots=True)
class _Columns:
    """How the columns lie: their distance, the steps of backs and faces, and of each its lean, drift and start."""

    pitch: float
    squared: bool
    down_step: float
    up_step: float
    lean: Points
    drift: Points
    starts: Points

    def lay(self, rng: Rng, person: Person, deck: Deck, game: _Game) -> tuple[list[Laid], float]:
        """The cards, and how near the longest column comes, mm."""
        cards: list[Laid] = []
        longest = 0.0
        for column in range(7):
            x, y = column * self.pitch + float(self.drift[column]), float(self.starts[column])
            lean, zone, top = float(self.lean[column]), f"column/{column}", y
            slope, own_step = math.tan(math.radians(lean)), self.down_step * float(rng.uniform(0.9, 1.15))
            for face in game.down[column]:
                cards.append(person.lay(face, zone, x, y, lean, up=False, steady=0.3 if self.squared else 0.5))
                y -= max(own_step * float(rng.normal(1, 0.1)), 0.0 if self.squared else 2.6)
                x -= slope * own_step
            for place, face in enumerate(game.up[column]):
                if place == 0 and game.down[column] and self.squared:
                    y = top
                cards.append(person.lay(face, zone, x, y, lean, steady=0.7))
                y -= max(self.up_step * float(rng.normal(1, 0.06)), deck.index[1])
                x -= slope * self.up_step
            longest = min(longest, y)
        return cards, longest


_Place = tuple[float, float]


def _pile_places(
    rng: Rng, style: str, deck: Deck, pitch: float, row: float, longest: float, waste_wide: float
) -> tuple[list[_Place], _Place, _Place]:
    """Where the four foundations, the stock and the waste lie."""
    right = 6 * pitch
    homes = [((3 + i) * pitch, row) for i in range(4)]
    match style:
        case "mirrored":
            return [(i * pitch, row) for i in range(4)], (right, row), (5 * pitch - waste_wide, row)
        case "stock below":
            x, y = 0.0 if rng.random() < 0.5 else 4.5 * pitch, longest - deck.height * 0.95 - 12
            return [(i * pitch + 1.5 * pitch, row) for i in range(4)], (x, y), (x + pitch, y)
        case "foundations beside":
            homes = [(right + pitch * 1.15, 20 - i * (deck.height + 5)) for i in range(4)]
        case "stock beside":
            return homes, (-pitch * 1.2, -10.0), (-pitch * 1.2, -10.0 - deck.height - 14)
    return homes, (0.0, row), (pitch, row)


def _lay(rng: Rng, deck: Deck, number: int) -> Table:
    stage = _STAGES[number % len(_STAGES)]
    return _lay_game(rng, rng, deck, _played(rng, stage), {"stage": stage})


def _lay_step(seed: Sequence[int], deck: Deck, record: Record, step: int) -> Table:
    """A recorded game on the table: laid in the same way whatever was played."""
    rng, for_piles = (np.random.default_rng([*seed, part]) for part in range(2))
    return _lay_game(rng, for_piles, deck, _recorded(record, step), {"step": step})


def _recorded(record: Record, step: int) -> _Game:
    """A recorded game after some steps."""
    position = cast("Position", record.positions[step])
    columns = [([str(card) for card in column.down], [str(card) for card in column.up]) for column in position.columns]
    homes = dict(zip(SUIT_CHARS, position.foundations, strict=True))
    stock, waste = ([str(card) for card in cards] for cards in (position.stock, position.waste))
    fan = 0
    for before, taken in zip(record.positions, record.steps[:step], strict=False):
        if taken.move.source.kind == "stock":
            fan = min(position.rules.draw, len(cast("Position", before).stock))
        elif taken.move.source.kind == "waste":
            fan = max(1, fan - 1)
    down, up = ([list(part) for part in parts] for parts in zip(*columns, strict=True))
    return _Game(down, up, stock[::-1], waste, homes, position.rules.draw, fan)


def _lay_game(rng: Rng, for_piles: Rng, deck: Deck, game: _Game, notes: Json) -> Table:
    """A table on which a game is laid; what chance decides of its piles is drawn from a generator of their own."""
    person = Person.draw(rng)
    pitch = deck.width + float(rng.uniform(3, 14))
    steps = str(rng.choice(["neat", "wide", "small"], p=[0.5, 0.25, 0.25])) if rng.random() < 0.82 else "squared"
    down_step = float(rng.uniform(*_STEPS[steps]))
    up_step = float(rng.uniform(deck.index[1] + 1.0, deck.index[1] + 10.0))
    lean, drift = rng.normal(0, 0.9, 7), rng.normal(0, 2.0, 7)
    starts = rng.normal(0, float(rng.choice([1.0, 4.0, 9.0])), 7)
    style = str(rng.choice(_STYLES, p=[0.55, 0.15, 0.1, 0.1, 0.1]))
    columns = _Columns(pitch, steps == "squared", down_step, up_step, lean, drift, starts)
    cards, longest = columns.lay(rng, person, deck, game)
    person, rng = replace(person, rng=for_piles), for_piles
    row = deck.height + float(rng.uniform(6, 22)) + max(0.0, float(starts.max()))
    shown = min(len(game.waste), game.fan if game.draw == 3 else 1)
    upright = style == "stock beside" or (rng.random() < 0.2 and style == "stock below")
    across, along = deck.index
    fan = float(rng.uniform(along + 1, along + 6) if upright else rng.uniform(across + 2, across + 9))
    suits = shuffled_suits(rng)
    homes, stock, waste = _pile_places(rng, style, deck, pitch, row, longest, fan * max(0, shown - 1))
    for suit, place in zip(suits, homes, strict=True):
        faces = [rank + suit for rank in RANK_CHARS[: game.foundations[suit]]]
        cards += person.pile(f"foundation/{suit}", faces, place)
    cards += person.pile("stock", game.stock, stock, up=False)
    covered = len(game.waste) - shown
    cards += [replace(card, must=False) for card in person.pile("waste", game.waste[:covered], waste)]
    for i, face in enumerate(game.waste[covered:]):
        x, y = (waste[0], waste[1] - i * fan) if upright else (waste[0] + i * fan, waste[1])
        cards.append(person.lay(face, "waste", x, y, steady=0.6))
    notes = notes | {"style": style, "steps": steps, "down_step": round(down_step, 1)}
    position = _position(game, game.waste[covered:])
    return Table("klondike", position, tuple(cards), steps != "squared", notes, _FROM)


MAKER: Final = Maker(_lay, 0, stands=False, lay_step=_lay_step)
