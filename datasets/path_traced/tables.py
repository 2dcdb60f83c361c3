"""Cards as people lay them: single ones, piles, rows and fans. Lengths in millimetres, y away from the player."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from datasets.path_traced.decks import Deck
from datasets.picture_tools import Points, Rng
from solver.cards import DECK, RANK_CHARS, SUIT_CHARS
from solver.record import Record

Json = dict[str, Any]
Box = tuple[float, float, float, float]
CORNERS: Final = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
"""A card's own upper left, upper right, lower right and lower left corner, in halves of its width and height."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the table.

    Attributes:
        face: What is printed on it, such as `TH`.
        zone: Where it lies, as labels say it.
        x: Its middle, mm.
        y: Its middle, mm.
        turn: Degrees, counter-clockwise.
        up: Whether it lies face up.
        must: Whether a fair photo shows its index.
    """

    face: str
    zone: str
    x: float
    y: float
    turn: float
    up: bool = True
    must: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A position and its cards as they lie.

    Attributes:
        game: The game's word, None for cards that are no game.
        position: The position's JSON object, as a photo shows it.
        cards: The cards; later ones lie on top.
        countable: Whether the face-down cards of columns can be counted.
        notes: How it was laid, for the label.
        azimuths: From where it may be photographed, degrees round the table; 0 is the player's side.
    """

    game: str | None
    position: Json | None
    cards: tuple[Laid, ...]
    countable: bool = True
    notes: Json = field(default_factory=dict)
    azimuths: tuple[float, ...] = (0.0,)


@dataclass(frozen=True, slots=True)
class Maker:
    """How tables of one kind are made.

    Attributes:
        lay: Lays a table with a deck; the table's number chooses among the kinds of stages or layouts.
        stream: The kind's own number in the seeds of what chance decides.
        sides: Longer sides of its pictures, px.
        closer: The longer side after some unfair photos; None for none other.
        stands: Whether the phone may be held upright where a table is higher than wide.
        lay_step: Lays a recorded game as its player has it after so many steps; the seed is the player's.
    """

    lay: Callable[[Rng, Deck, int], Table]
    stream: int
    sides: tuple[int, ...] = (1600, 1600, 1680, 1760)
    closer: int | None = None
    stands: bool = True
    lay_step: Callable[[Sequence[int], Deck, Record, int], Table] | None = None


def value(card: str) -> int:
    """A card's rank as a number, ace 1 to king 13."""
    return RANK_CHARS.index(card[0]) + 1


def by_suit(cards: Sequence[str]) -> list[str]:
    """Cards as people sort a hand."""
    return sorted(cards, key=lambda card: (card[1], value(card)))


def shuffled_suits(rng: Rng) -> list[str]:
    """The four suits in any order."""
    return [SUIT_CHARS[i] for i in rng.permutation(4)]


def shuffled_deck(rng: Rng) -> list[str]:
    """The 52 cards in any order."""
    return [str(DECK[i]) for i in rng.permutation(52)]


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who lays cards, more or less exactly.

    Attributes:
        rng: Random generator.
        shift: How far cards lie off, mm.
        turn: How far cards are turned, degrees.
    """

    rng: Rng
    shift: float
    turn: float

    @classmethod
    def draw(cls, rng: Rng) -> Person:
        """Any person."""
        return cls(rng, float(rng.choice([0.5, 1.0, 1.6, 2.4])), float(rng.choice([0.4, 0.9, 1.5, 2.4])))

    def lay(
        self,
        face: str,
        zone: str,
        x: float,
        y: float,
        turn: float = 0.0,
        *,
        up: bool = True,
        must: bool = True,
        steady: float = 1.0,
    ) -> Laid:
        """A card near a place; with `steady` below 1 it lies more exactly than usual."""
        dx, dy = np.clip(self.rng.normal(0, self.shift * steady, 2), -2.2 * self.shift, 2.2 * self.shift)
        turned = turn + float(np.clip(self.rng.normal(0, self.turn * steady), -3 * self.turn, 3 * self.turn))
        return Laid(face, zone, x + float(dx), y + float(dy), turned, up, must)

    def pile(
        self, zone: str, faces: Sequence[str], place: tuple[float, float], turn: float = 0.0, *, up: bool = True
    ) -> list[Laid]:
        """A squared pile; a fair photo shows the last card where it lies face up."""
        loose = float(self.rng.choice([0.25, 0.5, 0.9]))
        lean = self.rng.normal(0, 0.04, 2)
        laid = []
        for number, face in enumerate(faces):
            x, y = place[0] + float(lean[0]) * number, place[1] + float(lean[1]) * number
            last = number == len(faces) - 1
            laid.append(self.lay(face, zone, x, y, turn, up=up, must=up and last, steady=loose))
        return laid


def group(
    rng: Rng, person: Person, deck: Deck, faces: Sequence[str], zone: str, style: str, widest: float
) -> list[Laid]:
    """Cards that lie together, round the point 0, 0.

    Args:
        rng: Random generator.
        person: Who lays them.
        deck: Whose measures they have.
        faces: The cards.
        zone: Their zone.
        style: `row`, `apart`, `column`, `fan` or `block`.
        widest: How wide rows may be, mm.
    """
    wide, high = deck.width, deck.height
    step = float(rng.uniform(deck.index[0] + 2.5, deck.index[0] + 13))
    if style == "apart":
        step = wide + float(rng.uniform(1, 6))
    if style in ("row", "apart") and step * (len(faces) - 1) + wide > widest:
        step = max(deck.index[0] + 1.5, (widest - wide) / max(1, len(faces) - 1))
    count, steady = len(faces), 0.8
    match style:
        case "column":
            step = float(rng.uniform(deck.index[1] + 1, deck.index[1] + 8))
            places = [(0.0, -i * step, 0.0) for i in range(count)]
        case "fan":
            radius, steady = float(rng.uniform(95, 190)), 0.7
            spread = (deck.index[0] + float(rng.uniform(3, 8))) / (radius + high * 0.3)
            spread = min(spread, math.radians(120) / count)
            angles = [(i - (count - 1) / 2) * spread for i in range(count)]
            places = [(math.sin(a) * radius, (math.cos(a) - 1) * radius, -math.degrees(a)) for a in angles]
        case "block":
            places = [(i % 2 * (wide + 3), -(i // 2) * (high + 3), 0.0) for i in range(count)]
        case _:
            slope = math.radians(float(rng.normal(0, 1.5)))
            places = [(i * step, i * step * math.sin(slope), 0.0) for i in range(count)]
    return [person.lay(face, zone, *place, steady=steady) for face, place in zip(faces, places, strict=True)]


def moved(cards: Sequence[Laid], dx: float, dy: float) -> list[Laid]:
    """Cards pushed together over the table."""
    return [replace(card, x=card.x + dx, y=card.y + dy) for card in cards]


def turned(cards: Sequence[Laid], degrees: float) -> list[Laid]:
    """Cards turned together round the point 0, 0."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [
        replace(card, x=card.x * c - card.y * s, y=card.x * s + card.y * c, turn=card.turn + degrees) for card in cards
    ]


def on_table(card: Laid, local: Points) -> Points:
    """Points of a card, from its middle along its own axes, as x and y on the table; (N, 2), mm."""
    c, s = math.cos(math.radians(card.turn)), math.sin(math.radians(card.turn))
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + (card.x, card.y))


def from_table(card: Laid, points: Points) -> Points:
    """Points of the table along a card's own axes, from its middle: `on_table` the other way; (N, 2), mm."""
    c, s = math.cos(math.radians(card.turn)), math.sin(math.radians(card.turn))
    return np.asarray((points - (card.x, card.y)) @ np.array([[c, -s], [s, c]]))


def bounds(cards: Sequence[Laid], deck: Deck) -> Box:
    """The box round cards: left, near, right, far; mm."""
    half = np.array([deck.width, deck.height]) / 2
    points = np.concatenate([on_table(card, CORNERS * half) for card in cards])
    (left, near), (right, far) = points.min(0), points.max(0)
    return float(left), float(near), float(right), float(far)


def shelves(rng: Rng, groups: Sequence[Sequence[Laid]], deck: Deck, widest: float, gap: float) -> list[Laid]:
    """Groups side by side, in rows from the far edge to the near one."""
    cards: list[Laid] = []
    x, y, deepest = 0.0, 0.0, 0.0
    for items in groups:
        left, near, right, far = bounds(items, deck)
        if x > 0 and x + right - left > widest:
            x, y, deepest = float(rng.uniform(0, 20)), y - deepest - gap * float(rng.uniform(0.6, 1.3)), 0.0
        slack = float(rng.uniform(0, 6))
        cards += moved(items, x - left, y - far - slack)
        x += right - left + gap * float(rng.uniform(0.8, 1.6))
        deepest = max(deepest, far - near + slack)
    return cards
