"""Somebody who lays cards: chance, and the parts that tables are put together from, in card widths.

These parts are geometry: a row, a column, a fan, a pile, piles in a line, one thing beside another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, TypeVar

import numpy as np

from datasets.games.game import PositionJson, shuffled
from datasets.layouts.geometry import Block, Cards, Face, Shape, Way, boxed, extent, face, joined, moved
from datasets.picture_tools import Rng
from datasets.scenes.renderer import LaidCard

T = TypeVar("T")

SIDES: Final = ("far", "near", "left", "right")
CORNERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
EDGES: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))
"""Places in a grid of nine about its middle, numbered line by line from the far side."""
GRID: Final = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))
"""All nine in the order in which they are read."""


Top = tuple[str | None, str]
"""A single card or a pile's top card by its word, None where nothing lies, and its zone."""


@dataclass(frozen=True)
class Dealer:
    """Lays one table.

    Attributes:
        rng: Random generator; what is drawn in the same order lies the same.
        position: What the table shows, as a JSON object; empty for no game of ours.
        shape: The deck's measures.
        author: Whose idea of laying tables this is.
        held_out: Whether no training and no tuning ever sees that author's tables.
    """

    author: ClassVar[str] = "house"
    held_out: ClassVar[bool] = False
    rng: Rng
    position: PositionJson
    shape: Shape

    # Chance

    def uniform(self, low: float, high: float) -> float:
        """A number between two."""
        return float(self.rng.uniform(low, high))

    def normal(self, spread: float) -> float:
        """A number about 0 with this standard deviation."""
        return float(self.rng.normal(0, spread))

    def count(self, low: int, end: int) -> int:
        """A whole number from `low` to below `end`."""
        return int(self.rng.integers(low, end))

    def coin(self, chance: float = 0.5) -> bool:
        """True with a chance."""
        return bool(self.rng.random() < chance)

    def pick(self, *choices: T) -> T:
        """One of the choices."""
        return choices[int(self.rng.integers(len(choices)))]

    def either(self, first: str = "left", second: str = "right", chance: float = 0.5) -> str:
        """One of two words, the first one with a chance."""
        return first if self.coin(chance) else second

    def mixed(self, items: Iterable[T]) -> list[T]:
        """The items in any order."""
        items = list(items)
        return [items[k] for k in self.rng.permutation(len(items))]

    def words(self, decks: int = 1) -> list[str]:
        """All cards of so many decks, shuffled."""
        return shuffled(self.rng, decks)

    # The deck's measures

    @property
    def aspect(self) -> float:
        """A card's height."""
        return self.shape.aspect

    def aside(self, low: float, high: float | None = None) -> float:
        """A step to the next card in a row or fan that leaves its index free, between two numbers or as wanted."""
        return self.shape.aside(low if high is None else self.rng.uniform(low, high))

    def down(self, low: float, high: float | None = None) -> float:
        """The same in a column."""
        return self.shape.down(low if high is None else self.rng.uniform(low, high))

    def extent(self, cards: Sequence[LaidCard]) -> tuple[float, float, float, float]:
        """Left, far, right and near end of what lies there."""
        return extent(cards, self.aspect)

    def boxed(self, cards: Sequence[LaidCard]) -> Block:
        """Cards as a block."""
        return boxed(cards, self.aspect)

    def turned(self, block: Block, angle: float) -> Block:
        """A block turned about its middle."""
        return block.turned(angle, self.aspect)

    # Cards one by one

    def card(
        self, word: str | None, zone: str = "none", at: Way = (0.0, 0.0), turn: float = 0.0, mess: float | Way = 0.01
    ) -> Cards:
        """One card put down by hand, face down for `??`; nothing without a word.

        Args:
            word: The card in a position's JSON.
            zone: Where it lies.
            at: Where it should lie.
            turn: How it should be turned, radians.
            mess: Standard deviation of place (card widths) and turn (radians) from that; given or drawn.
        """
        mess = self._drawn(mess)
        if not word:
            return []
        x, y, askew = (float(off) for off in self.rng.normal(0, mess, 3))
        return [LaidCard(face(word), at[0] + x, at[1] + y, turn + askew, zone)]

    def tops(
        self, tops: Sequence[Top], places: Sequence[Way], turn: float | Sequence[float] = 0.0, mess: float | Way = 0.012
    ) -> Cards:
        """Single cards or piles' top cards at their places, all turned alike or each by itself; nothing for None."""
        turns = [turn] * len(tops) if isinstance(turn, int | float) else turn
        laid = zip(tops, places, turns, strict=True)
        return joined(self.card(word, zone, at, turned_by, mess) for (word, zone), at, turned_by in laid)

    def string(self, words: Sequence[str], zone: str, step: Way, mess: float = 0.01, stretch: float = 1.0) -> Cards:
        """Cards at even steps, `stretch` times as long, each on the one before; the first lies at the origin."""
        x, y = step
        return joined(
            self.card(word, zone, (k * x * stretch, k * y * stretch), mess=mess) for k, word in enumerate(words)
        )

    def trail(
        self, cards: Sequence[Face], zone: str, steps: Sequence[Way], mess: float = 0.015, across: bool = False
    ) -> Cards:
        """Cards one after another from the origin.

        Args:
            cards: The cards.
            zone: Where they lie.
            steps: From each card to the next; the last one goes on for all that follow.
            mess: Standard deviation of turns in radians, and twice that of places.
            across: Places are off only across the step.
        """
        placed, x, y = Cards(), 0.0, 0.0
        for k, card in enumerate(cards):
            dx, dy = steps[min(k, len(steps) - 1)]
            upright = abs(dy) > abs(dx)
            off_x = self.normal(mess / 2) if upright or not across else 0.0
            off_y = self.normal(mess / 2) if not upright or not across else 0.0
            placed.append(LaidCard(face(card), x + off_x, y + off_y, self.normal(mess), zone))
            x, y = x + dx, y + dy
        return placed

    def jitter(self, cards: Sequence[LaidCard], place: float, turn: float) -> Cards:
        """Every card knocked a little, as nobody squares a table."""
        return [
            replace(c, x=c.x + self.normal(place), y=c.y + self.normal(place), angle=c.angle + self.normal(turn))
            for c in cards
        ]

    # Rows, columns, fans, piles

    def row(self, cards: Sequence[Face], zone: str, step: float) -> Block:
        """Cards from left to right, now and then in a bow."""
        crooked = self.pick(0.005, 0.02, 0.05)
        bow = self.normal(0.015) if self.coin(0.3) else 0.0
        middle = (len(cards) - 1) / 2
        placed = tuple(
            LaidCard(
                face(card),
                0.5 + k * step + self.normal(0.012),
                self.aspect / 2 + bow * (k - middle) ** 2 + self.normal(crooked / 2),
                self.normal(crooked) + 2 * bow * (k - middle),
                zone,
            )
            for k, card in enumerate(cards)
        )
        return Block(placed, 1 + (len(cards) - 1) * step, self.aspect)

    def column(self, cards: Sequence[Face], zone: str, steps: Sequence[float]) -> Block:
        """Cards towards the player; the last of `steps` goes on for all that follow."""
        crooked = self.pick(0.004, 0.015, 0.035)
        drift = self.normal(0.02) if self.coin(0.3) else 0.0
        placed, y = Cards(), self.aspect / 2
        for k, card in enumerate(cards):
            x = 0.5 + k * drift + self.normal(crooked / 2)
            placed.append(LaidCard(face(card), x, y, self.normal(crooked), zone))
            if k < len(cards) - 1 and steps:
                y += steps[min(k, len(steps) - 1)]
        return Block(tuple(placed), 1.0, y + self.aspect / 2)

    def fan(self, cards: Sequence[Face], zone: str, radius: Way | float) -> Block:
        """Cards turned about a point below them, at a distance that is given or drawn between two."""
        radius = self._drawn(radius)
        step = self.aside(0.28, 0.42) / radius
        middle = (len(cards) - 1) / 2
        placed = []
        for k, card in enumerate(cards):
            angle = (k - middle) * step + self.normal(0.01)
            placed.append(LaidCard(face(card), radius * np.sin(angle), radius * (1 - np.cos(angle)), angle, zone))
        return self.boxed(placed)

    def square(self, cards: Sequence[Face], zone: str, columns: int = 2) -> Block:
        """Cards in lines of `columns`, there and back, so that neighbours in the list lie beside each other."""
        gap_x, gap_y = 1 + self.uniform(0.0, 0.12), self.aspect + self.uniform(0.0, 0.15)
        placed = []
        for k, card in enumerate(cards):
            line, at = divmod(k, columns)
            x = (at if line % 2 == 0 else columns - 1 - at) * gap_x
            place = (x + self.normal(0.02), line * gap_y + self.normal(0.02), self.normal(0.02))
            placed.append(LaidCard(face(card), *place, zone))
        return self.boxed(placed)

    def pile(self, card: Face, zone: str = "none", under: int = 0, loose: float = 0.012) -> Cards:
        """A squared pile at the origin: its top, and the edges of `under` backs below it."""
        angle = self.normal(0.01)
        pile = [
            LaidCard(None, self.normal(loose), loose * (under - k) + self.normal(loose / 3), angle, zone)
            for k in range(under)
        ]
        return [*pile, LaidCard(face(card), 0.0, 0.0, angle + self.normal(0.01), zone)]

    def pack(self, zone: str = "none", most: int = 6, loose: float | Way = 0.008, scale: float = 1.0) -> Cards:
        """A pile face down at the origin with the edges of up to `most` backs, off by `loose` (given or drawn)."""
        under = self.count(0, most + 1)
        return self.pile(None, zone, under, self._drawn(loose) * scale)

    # Several things

    def side_by_side(self, columns: Iterable[Sequence[LaidCard]], pitch: float, stagger: float = 0.0) -> Cards:
        """Columns at even steps to the right, each begun up to about `stagger` farther or nearer."""
        return joined(moved(column, k * pitch, self.normal(stagger)) for k, column in enumerate(columns))

    def line(self, piles: Sequence[Sequence[LaidCard]], step: Way, ragged: float = 0.0) -> Cards:
        """Piles a step from each other; `ragged` is how far they stand off to either side of the line."""
        across = np.array([-step[1], step[0]]) / np.hypot(*step)
        placed = Cards()
        for k, pile in enumerate(piles):
            off = self.normal(ragged) * across
            placed += moved(pile, k * step[0] + off[0], k * step[1] + off[1])
        return placed

    def beside(
        self,
        placed: Sequence[LaidCard],
        more: Sequence[LaidCard],
        side: str,
        gap: float | Way,
        share: float | Way = 0.5,
    ) -> Cards:
        """What lies there, and more at its `left`, `right`, `far` or `near` side.

        Args:
            placed: What lies there.
            more: What is laid beside it, as it lies.
            side: The side.
            gap: Room between the two, in card widths; given, or drawn between two numbers.
            share: 0 has their left or far ends in line, 1 their right or near ones; given or drawn.
        """
        gap, share = self._drawn(gap), self._drawn(share)
        if not placed or not more:
            return [*placed, *more]
        (left, far, right, near), (a, b, c, d) = self.extent(placed), self.extent(more)
        along = (left - a + share * (right - left - c + a), far - b + share * (near - far - d + b))
        x, y = {
            "left": (left - gap - c, along[1]),
            "right": (right + gap - a, along[1]),
            "far": (along[0], far - gap - d),
            "near": (along[0], near + gap - b),
        }[side]
        return [*placed, *moved(more, x, y)]

    def in_lines(self, blocks: Sequence[Block], limit: float, gaps: Way, careless: float = 0.03) -> tuple[Cards, float]:
        """Blocks in lines at most `limit` wide, from the far end to the player; with the lines' height together."""
        lines: list[list[Block]] = [[]]
        x = 0.0
        for block in blocks:
            if lines[-1] and x + block.width > limit:
                lines.append([])
                x = 0.0
            lines[-1].append(block)
            x += block.width + gaps[0]
        placed, y = Cards(), 0.0
        for line in lines:
            tall = max((block.height for block in line), default=0.0)
            x = self.uniform(0, max(0.05, 0.5 * (limit - sum(b.width + gaps[0] for b in line))))
            for block in line:
                slack = tall - block.height
                placed += block.at(x + self.normal(careless), y + slack * self.uniform(0.2, 0.8))
                x += block.width + gaps[0] * self.uniform(0.8, 1.5)
            y += tall + gaps[1]
        return placed, y - gaps[1]

    def apart(self, blocks: Sequence[Block], spread: float | Way, turn: float = np.pi) -> Cards:
        """Blocks at random places that do not lie on each other.

        Args:
            blocks: What to lay.
            spread: How much room there is, as a multiple of what the blocks need; given or drawn.
            turn: Each is turned by up to this, in radians.
        """
        area = sum((b.width + 0.3) * (b.height + 0.3) for b in blocks)
        side = float(np.sqrt(area * self._drawn(spread)))
        placed, taken = Cards(), list[tuple[float, float, float]]()
        for block in blocks:
            piece = self.turned(block, self.uniform(-turn, turn))
            radius = 0.5 * float(np.hypot(piece.width, piece.height))
            for attempt in range(60):
                reach = side * (1 + attempt / 20)
                x, y = self.uniform(0, reach * 1.3), self.uniform(0, reach)
                if all(np.hypot(x - a, y - b) > 0.8 * (radius + r) for a, b, r in taken):
                    break
            taken.append((x, y, radius))
            placed += piece.at(x - piece.width / 2, y - piece.height / 2)
        return placed

    def _drawn(self, number: float | Way) -> float:
        """A number as it is given, or drawn between two."""
        return self.uniform(*number) if isinstance(number, tuple) else float(number)
