"""What tables are put together from: cards laid in a row, column, fan or heap, in card widths.

A block's cards stand in painting order, later ones on top. x runs to the right and y towards the player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.decks.deck import Deck
from datasets.scenes.renderer import LaidCard, Points, Rng
from solver.cards import Card, parse_card

CROOKED: Final = (0.005, 0.02, 0.05)
"""How carelessly a row of cards is laid: standard deviation of turns (radians) and places, one of these a row."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the way cards are laid depends on, in card widths.

    Attributes:
        aspect: A card's height.
        right: Room that a card needs at its left side for its index to be read.
        below: The same at its upper end.
        tight: Share of the room below that is left, where cards lie so tightly that they hide a part of each other's
            indices; at the side, where both symbols are cut, half as much is taken away.
        back_steps: Least and greatest height of the strip that an overlapped back shows, drawn log-uniformly.
        least_back_step: No single strip is less high than this; 0 has the backs lie squared, so that none shows.
    """

    aspect: float
    right: float
    below: float
    tight: float | None = None
    back_steps: tuple[float, float] = (0.04, 0.75)
    least_back_step: float = 0.02

    @classmethod
    def of(cls, deck: Deck, cards: Sequence[Card]) -> Shape:
        """The shape of a deck; its largest index decides."""
        boxes = [deck.indices(card)[0].box for card in cards] or [(0.0, 0.0, 0.2, 0.4)]
        return cls(deck.aspect, max(box[2] for box in boxes) + 0.02, max(box[3] for box in boxes) + 0.03)

    def aside(self, wanted: float) -> float:
        """The way from a card to the next one in a row or fan, if `wanted` is what one would like."""
        return max(wanted, self.right) if self.tight is None else (1 + self.tight) / 2 * self.right

    def down(self, wanted: float) -> float:
        """The same in a column."""
        return max(wanted, self.below) if self.tight is None else self.tight * self.below


@dataclass(frozen=True, slots=True)
class Block:
    """Cards laid together: relative places and the size of the box they need."""

    cards: tuple[LaidCard, ...]
    width: float
    height: float

    def at(self, x: float, y: float) -> list[LaidCard]:
        """The cards with the box's upper left corner at (x, y)."""
        return [replace(card, x=card.x + x, y=card.y + y) for card in self.cards]

    def turned(self, angle: float, aspect: float) -> Block:
        """The block turned about its middle by an angle in radians."""
        return boxed(turned(self.cards, angle), aspect)


def cards_of(words: Sequence[str | None]) -> list[Card | None]:
    """Cards of a position's JSON; None for a card face down."""
    return [None if word is None or word == "??" else parse_card(word) for word in words]


def lay_card(
    rng: Rng, word: str | None, zone: str, at: tuple[float, float] = (0.0, 0.0), turn: float = 0.0, mess: float = 0.01
) -> list[LaidCard]:
    """One card put down by hand, face down for `??`; nothing without a word.

    Args:
        rng: Random generator.
        word: The card in a position's JSON.
        zone: Where it lies.
        at: Where it should lie.
        turn: How it should be turned, radians.
        mess: Standard deviation of place (card widths) and turn (radians) from that.
    """
    if not word:
        return []
    x, y, askew = (float(off) for off in rng.normal(0, mess, 3))
    return [LaidCard(cards_of([word])[0], at[0] + x, at[1] + y, turn + askew, zone)]


def side_by_side(rng: Rng, columns: Iterable[Sequence[LaidCard]], pitch: float, stagger: float = 0.0) -> list[LaidCard]:
    """Columns at even steps to the right, each begun up to about `stagger` farther or nearer."""
    return [card for k, column in enumerate(columns) for card in moved(column, k * pitch, rng.normal(0, stagger))]


def turned(cards: Sequence[LaidCard], angle: float) -> list[LaidCard]:
    """Cards turned about the origin by an angle in radians."""
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return [
        replace(card, x=cos * card.x - sin * card.y, y=sin * card.x + cos * card.y, angle=card.angle + angle)
        for card in cards
    ]


def outlines(cards: Sequence[LaidCard], aspect: float) -> Points:
    """(n, 4, 2) corners of cards."""
    corner = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (1, aspect)
    angle = np.array([card.angle for card in cards])
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x = cos * corner[:, 0] - sin * corner[:, 1] + np.array([card.x for card in cards])[:, None]
    y = sin * corner[:, 0] + cos * corner[:, 1] + np.array([card.y for card in cards])[:, None]
    return np.stack([x, y], axis=-1)


def extent(cards: Sequence[LaidCard], aspect: float) -> tuple[float, float, float, float]:
    """Left, far, right and near end of what lies there; of a card at the origin where nothing does."""
    corners = outlines(cards or [LaidCard(None, 0.0, 0.0)], aspect).reshape(-1, 2)
    (left, far), (right, near) = corners.min(0).tolist(), corners.max(0).tolist()
    return left, far, right, near


def beside(
    placed: Sequence[LaidCard], more: Sequence[LaidCard], shape: Shape, side: str, gap: float, share: float = 0.5
) -> list[LaidCard]:
    """What lies there, and more at its `left`, `right`, `far` or `near` side.

    Args:
        placed: What lies there.
        more: What is laid beside it, as it lies.
        shape: The deck's measures.
        side: The side.
        gap: Room between the two, in card widths.
        share: 0 has their left or far ends in line, 1 their right or near ones.
    """
    if not placed or not more:
        return [*placed, *more]
    (left, far, right, near), (a, b, c, d) = (extent(cards, shape.aspect) for cards in (placed, more))
    along = (left - a + share * (right - left - c + a), far - b + share * (near - far - d + b))
    x, y = {
        "left": (left - gap - c, along[1]),
        "right": (right + gap - a, along[1]),
        "far": (along[0], far - gap - d),
        "near": (along[0], near + gap - b),
    }[side]
    return [*placed, *moved(more, x, y)]


def boxed(cards: Sequence[LaidCard], aspect: float) -> Block:
    """A block of cards that lie anyhow, moved so that its box begins at (0, 0)."""
    corners = outlines(cards, aspect).reshape(-1, 2)
    (x, y), (width, height) = corners.min(0), np.ptp(corners, axis=0)
    return Block(tuple(replace(c, x=c.x - x, y=c.y - y) for c in cards), float(width), float(height))


def lay_row(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape, step: float) -> Block:
    """Cards from left to right."""
    crooked = rng.choice(CROOKED)
    bow = rng.normal(0, 0.015) if rng.random() < 0.3 else 0.0  # a curved row
    middle = (len(cards) - 1) / 2
    placed = tuple(
        LaidCard(
            card,
            0.5 + k * step + rng.normal(0, 0.012),
            shape.aspect / 2 + bow * (k - middle) ** 2 + rng.normal(0, crooked / 2),
            rng.normal(0, crooked) + 2 * bow * (k - middle),
            zone,
        )
        for k, card in enumerate(cards)
    )
    return Block(placed, 1 + (len(cards) - 1) * step, shape.aspect)


def lay_column(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape, steps: Sequence[float]) -> Block:
    """Cards towards the player; the last of `steps` goes on for all that follow."""
    crooked = rng.choice((0.004, 0.015, 0.035))
    drift = rng.normal(0, 0.02) if rng.random() < 0.3 else 0.0
    placed, y = [], shape.aspect / 2
    for k, card in enumerate(cards):
        placed.append(LaidCard(card, 0.5 + k * drift + rng.normal(0, crooked / 2), y, rng.normal(0, crooked), zone))
        if k < len(cards) - 1 and steps:
            y += steps[min(k, len(steps) - 1)]
    return Block(tuple(placed), 1.0, y + shape.aspect / 2)


def lay_fan(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape, radius: float) -> Block:
    """Cards turned about a point below them."""
    step = shape.aside(rng.uniform(0.28, 0.42)) / radius
    middle = (len(cards) - 1) / 2
    placed = []
    for k, card in enumerate(cards):
        angle = (k - middle) * step + rng.normal(0, 0.01)
        placed.append(LaidCard(card, radius * np.sin(angle), radius * (1 - np.cos(angle)), angle, zone))
    return boxed(placed, shape.aspect)


def lay_square(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape, columns: int = 2) -> Block:
    """Cards in lines of `columns`, there and back, so that neighbours in the list lie beside each other."""
    gap_x, gap_y = 1 + rng.uniform(0.0, 0.12), shape.aspect + rng.uniform(0.0, 0.15)
    placed = []
    for k, card in enumerate(cards):
        line, at = divmod(k, columns)
        x = (at if line % 2 == 0 else columns - 1 - at) * gap_x
        placed.append(
            LaidCard(card, x + rng.normal(0, 0.02), line * gap_y + rng.normal(0, 0.02), rng.normal(0, 0.02), zone)
        )
    return boxed(placed, shape.aspect)


def lay_pile(rng: Rng, card: Card | None, zone: str, under: int = 0, loose: float = 0.012) -> list[LaidCard]:
    """A squared pile at the origin: its top, and the edges of `under` backs below it."""
    angle = rng.normal(0, 0.01)
    pile = [
        LaidCard(None, rng.normal(0, loose), loose * (under - k) + rng.normal(0, loose / 3), angle, zone)
        for k in range(under)
    ]
    return [*pile, LaidCard(card, 0.0, 0.0, angle + rng.normal(0, 0.01), zone)]


def moved(cards: Sequence[LaidCard], x: float, y: float) -> list[LaidCard]:
    """Cards moved by (x, y)."""
    return [replace(card, x=card.x + x, y=card.y + y) for card in cards]


def in_lines(
    rng: Rng, blocks: Sequence[Block], limit: float, gaps: tuple[float, float], careless: float = 0.03
) -> tuple[list[LaidCard], float]:
    """Blocks in lines at most `limit` wide, from the far end to the player; with the lines' height together."""
    lines: list[list[Block]] = [[]]
    x = 0.0
    for block in blocks:
        if lines[-1] and x + block.width > limit:
            lines.append([])
            x = 0.0
        lines[-1].append(block)
        x += block.width + gaps[0]
    placed: list[LaidCard] = []
    y = 0.0
    for line in lines:
        tall = max((block.height for block in line), default=0.0)
        x = rng.uniform(0, max(0.05, 0.5 * (limit - sum(b.width + gaps[0] for b in line))))
        for block in line:
            slack = tall - block.height
            placed += block.at(x + rng.normal(0, careless), y + slack * rng.uniform(0.2, 0.8))
            x += block.width + gaps[0] * rng.uniform(0.8, 1.5)
        y += tall + gaps[1]
    return placed, y - gaps[1]


def apart(rng: Rng, blocks: Sequence[Block], aspect: float, spread: float, turn: float = np.pi) -> list[LaidCard]:
    """Blocks at random places, each turned by up to `turn`, that do not lie on each other.

    Args:
        rng: Random generator.
        blocks: What to lay.
        aspect: A card's height.
        spread: How much room there is, as a multiple of what the blocks need.
        turn: Largest turn in radians.
    """
    area = sum((b.width + 0.3) * (b.height + 0.3) for b in blocks)
    side = float(np.sqrt(area * spread))
    placed: list[LaidCard] = []
    taken: list[tuple[float, float, float]] = []
    for block in blocks:
        piece = block.turned(rng.uniform(-turn, turn), aspect)
        radius = 0.5 * float(np.hypot(piece.width, piece.height))
        for attempt in range(60):
            reach = side * (1 + attempt / 20)
            x, y = rng.uniform(0, reach * 1.3), rng.uniform(0, reach)
            if all(np.hypot(x - a, y - b) > 0.8 * (radius + r) for a, b, r in taken):
                break
        taken.append((x, y, radius))
        placed += piece.at(x - piece.width / 2, y - piece.height / 2)
    return placed
