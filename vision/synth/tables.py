"""Whole tables of the four games: a legal position, its cards laid as people lay them, a phone's photo of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from solver.answer import position_from_json
from solver.cards import DECK, Card, parse_card
from vision.synth.deck import Deck, OtherBack
from vision.synth.decks import choose_deck, choose_unusual
from vision.synth.drawn import DeckKind
from vision.synth.effects import develop
from vision.synth.positions import POSITIONS, Position
from vision.synth.splits import Split
from vision.synth.stage import (
    Camera,
    Image,
    Placed,
    Points,
    Rng,
    Stage,
    Truth,
    lay_hand,
    lay_object,
    scene_truth,
)
from vision.synth.surfaces import background

_TIGHT: Final = (0.6, 0.95)
"""Share of the room that an index needs, where cards are laid tightly."""
_BACK_STEPS: Final = (0.07, 0.4)
"""Height of the strip that an overlapped back shows, card widths, drawn log-uniformly."""
_THIN_STEPS: Final = (0.014, 0.08)
"""The same where they show little more than a millimetre of the 57 to 63 that a card is wide."""
SQUARED: Final = 0.15
"""Share of the tables with thin steps whose backs lie squared: nobody can count those."""
TRAINING_BACKS: Final = (1_000_000, 2_000_000)
"""Seeds of backs that no drawn deck has."""


@dataclass(frozen=True, slots=True)
class _Shape:
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
    back_steps: tuple[float, float] = _BACK_STEPS
    least_back_step: float = 0.05

    @classmethod
    def of(cls, deck: Deck, cards: Sequence[Card]) -> _Shape:
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
class _Block:
    """Cards laid together: relative places and the size of the box they need, in card widths."""

    cards: tuple[Placed, ...]
    width: float
    height: float

    def at(self, x: float, y: float) -> list[Placed]:
        """The cards with the box's upper left corner at (x, y)."""
        return [replace(card, x=card.x + x, y=card.y + y) for card in self.cards]


def render_table(
    rng: Rng,
    split: Split,
    game: str,
    size: tuple[int, int] = (1280, 960),
    *,
    position: Position | None = None,
    deck: Deck | None = None,
    strength: float = 0.7,
    tight: bool = False,
    thin: bool = False,
    decks: DeckKind = "usual",
) -> tuple[Image, Truth]:
    """A photo of a random table of one game.

    Args:
        rng: Random generator.
        split: Whose decks, fonts and backgrounds are used.
        game: One of `LAYOUTS`.
        size: Width and height in pixels.
        position: The position to show as a JSON object; a random legal one by default.
        deck: The deck to show it with.
        strength: Chance factor of harsh light and blur, 0 to 1.
        tight: Cards hide a part of the index below: of the suit in a column, of both symbols in a row or fan.
        thin: Overlapped backs show a millimetre or four, or nothing at all where they lie squared.
        decks: Which decks it is chosen from: `usual` ones, `unusual` ones, or those `held` back from training.

    Returns:
        The picture as RGB uint8 and its ground truth with the position.
    """
    position = position_from_json(POSITIONS[game](rng) if position is None else position).to_json()
    if deck is None and decks != "usual":
        deck = choose_unusual(rng, split, decks, 0.5)
    elif deck is None:
        deck = choose_deck(rng, split, 0.5)
        if split == "train" and rng.random() < 0.6:
            deck = OtherBack(deck, int(rng.integers(*TRAINING_BACKS)), int(rng.choice([0, 0, 1, 2, 3, 4])))
    shape = _Shape.of(deck, DECK)
    if tight:
        shape = replace(shape, tight=rng.uniform(*_TIGHT))
    if thin:
        shape = replace(
            shape, back_steps=_THIN_STEPS, least_back_step=0.0 if rng.random() < SQUARED else _THIN_STEPS[0]
        )
    cards, turns = LAYOUTS[game](rng, position, shape)
    camera = fitted(rng, cards, deck, size, turns)
    stage = Stage(rng, background(rng, split, *size), camera, [deck])
    corners = np.concatenate([stage.quad(card) for card in cards]) if cards else np.zeros((0, 2))
    if rng.random() < 0.35:
        _lay_beside(rng, split, stage, corners)
    for card in cards:
        stage.lay(card)
    if rng.random() < 0.1 * strength:
        lay_hand(rng, stage, reach=0.16)
    truth = scene_truth(stage, game=game, split=split, seed=-1, position=position)
    return develop(rng, stage.image, stage.owner >= 0, strength=strength), truth


def _lay_beside(rng: Rng, split: Split, stage: Stage, corners: Points) -> None:
    """A stray object in a corner of the picture that the cards leave free, where there is one."""
    height, width = stage.image.shape[:2]
    side = min(width, height) * rng.uniform(0.12, 0.3)
    for _ in range(6):
        middle = rng.uniform(0, 1, 2) * (width, height)
        if not len(corners) or np.abs(corners - middle).max(axis=1).min() > 0.8 * side:
            lay_object(rng, split, stage, hides=False, middle=middle, size=side)
            return


def fitted(rng: Rng, cards: Sequence[Placed], deck: Deck, size: tuple[int, int], turns: bool) -> Camera:
    """A camera that shows all cards with a little room around them."""
    width, height = size
    turn = rng.normal(0, 0.07)
    if turns and rng.random() < 0.3:
        turn += np.pi / 2 * int(rng.integers(1, 4))
    camera = Camera(
        centre=(float(np.mean([c.x for c in cards] or [0])), float(np.mean([c.y for c in cards] or [0]))),
        middle=(width / 2, height / 2),
        scale=width / 12,
        turn=turn,
        tilt=min(abs(rng.normal(0, 0.4)), 1.0),
        focal=max(size) * rng.uniform(0.8, 1.6),
        barrel=rng.uniform(-0.08, 0.02) if rng.random() < 0.3 else 0.0,
        stretch=1.0,
        size=size,
    )
    room = rng.uniform(0.82, 0.95)
    for _ in range(6):
        stage = Stage(np.random.default_rng(0), np.zeros((1, 1, 3), np.uint8), camera, [deck])
        points = np.concatenate([stage.quad(card) for card in cards]) if cards else np.array([[0.0, 0.0], [1.0, 1.0]])
        low, high = points.min(axis=0), points.max(axis=0)
        grow = room * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
        middle = np.array(camera.middle) + (np.array(size) / 2 - (low + high) / 2)
        camera = replace(camera, scale=min(camera.scale * grow, min(size) / 2.2), middle=(middle[0], middle[1]))
    return camera


def _row(rng: Rng, cards: Sequence[Card | None], zone: str, shape: _Shape, step: float) -> _Block:
    crooked = rng.choice([0.005, 0.02, 0.05])
    bow = rng.normal(0, 0.015) if rng.random() < 0.3 else 0.0  # a curved row
    middle = (len(cards) - 1) / 2
    placed = tuple(
        Placed(
            card,
            0.5 + k * step + rng.normal(0, 0.012),
            shape.aspect / 2 + bow * (k - middle) ** 2 + rng.normal(0, crooked / 2),
            rng.normal(0, crooked) + 2 * bow * (k - middle),
            zone,
        )
        for k, card in enumerate(cards)
    )
    return _Block(placed, 1 + (len(cards) - 1) * step, shape.aspect)


def _column(rng: Rng, cards: Sequence[Card | None], zone: str, shape: _Shape, steps: Sequence[float]) -> _Block:
    crooked = rng.choice([0.004, 0.015, 0.035])
    drift = rng.normal(0, 0.02) if rng.random() < 0.3 else 0.0
    placed, y = [], shape.aspect / 2
    for k, card in enumerate(cards):
        placed.append(Placed(card, 0.5 + k * drift + rng.normal(0, crooked / 2), y, rng.normal(0, crooked), zone))
        y += steps[min(k, len(steps) - 1)] if steps else 0.0
    return _Block(tuple(placed), 1.0, y - (steps[-1] if steps else 0) + shape.aspect / 2 if cards else shape.aspect)


def _fan(rng: Rng, cards: Sequence[Card | None], zone: str, shape: _Shape, radius: float) -> _Block:
    step = shape.aside(rng.uniform(0.28, 0.42)) / radius
    middle = (len(cards) - 1) / 2
    placed = []
    for k, card in enumerate(cards):
        angle = (k - middle) * step + rng.normal(0, 0.01)
        placed.append((card, radius * np.sin(angle), radius * (1 - np.cos(angle)), angle))
    corners = np.array(
        [
            (
                x + sx * np.cos(a) / 2 - sy * shape.aspect * np.sin(a) / 2,
                y + sx * np.sin(a) / 2 + sy * shape.aspect * np.cos(a) / 2,
            )
            for _, x, y, a in placed
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
    )
    low, high = corners.min(axis=0), corners.max(axis=0)
    moved = tuple(Placed(card, x - low[0], y - low[1], angle, zone) for card, x, y, angle in placed)
    return _Block(moved, float(high[0] - low[0]), float(high[1] - low[1]))


def _cards(words: Sequence[str | None]) -> list[Card | None]:
    return [None if word is None or word == "??" else parse_card(word) for word in words]


# Makiaveli


def _makiaveli(rng: Rng, position: Position, shape: _Shape) -> tuple[list[Placed], bool]:
    """Melds in loose lines round the deck with its cross; the hand nearest the viewer."""
    grown = _grown(rng, position)
    blocks = [
        _meld(rng, meld, f"floor/{number}", shape)
        for number, meld in enumerate(position["floor"])
        if number not in grown.values()
    ]
    middle = _cross(rng, position, grown, shape)
    area = sum((block.width + 0.5) * (block.height + 0.4) for block in (*blocks, middle))
    limit = max(middle.width + 0.5, np.sqrt(area * rng.uniform(1.4, 3.2)))
    blocks.insert(int(rng.integers(len(blocks) // 3, len(blocks) - len(blocks) // 3 + 1)), middle)
    gap_x, gap_y = rng.uniform(0.25, 0.7), rng.uniform(0.22, 0.5)
    placed: list[Placed] = []
    y, line, x = 0.0, list[_Block](), 0.0
    lines = []
    for block in blocks:
        if line and x + block.width > limit:
            lines.append(line)
            line, x = [], 0.0
        line.append(block)
        x += block.width + gap_x
    lines.append(line)
    for line in lines:
        tall = max(block.height for block in line)
        x = rng.uniform(0, max(0.05, 0.5 * (limit - sum(b.width + gap_x for b in line))))
        for block in line:
            slack = tall - block.height
            placed += block.at(x + rng.normal(0, 0.03), y + slack * rng.uniform(0.2, 0.8))
            x += block.width + gap_x * rng.uniform(0.8, 1.5)
        y += tall + gap_y
    hand = position["hand"]
    if hand:
        cards = _cards(hand)
        fanned = len(cards) > 1 and rng.random() < 0.5
        block = (
            _fan(rng, cards, "hand", shape, rng.uniform(1.6, 3) * shape.aspect)
            if fanned
            else _row(rng, cards, "hand", shape, rng.choice([shape.aside(rng.uniform(0.3, 0.5)), 1.06]))
        )
        placed += block.at((limit - block.width) / 2 + rng.normal(0, 0.5), y + rng.uniform(0.5, 1.0) * shape.aspect)
    return placed, False


def _meld(rng: Rng, meld: Sequence[str], zone: str, shape: _Shape) -> _Block:
    cards = _cards(meld)
    kind = rng.random()
    if kind < 0.62:
        return _row(rng, cards, zone, shape, shape.aside(rng.uniform(0.24, 0.5)))
    if kind < 0.74:
        return _row(rng, cards, zone, shape, rng.uniform(1.0, 1.07))
    if kind < 0.87:
        return _fan(rng, cards, zone, shape, rng.uniform(1.8, 3.5) * shape.aspect)
    return _column(rng, cards, zone, shape, [shape.down(rng.uniform(0.34, 0.5))])


def _grown(rng: Rng, position: Position) -> dict[int, int]:
    """Place of the cross to number of the floor meld that grew there: now and then one, at a place without a card."""
    free = [place for place, card in enumerate(position["cross"]) if card is None]
    short = [number for number, meld in enumerate(position["floor"]) if len(meld) <= 4]
    if not free or not short or rng.random() > 0.2:
        return {}
    return {free[int(rng.integers(len(free)))]: short[int(rng.integers(len(short)))]}


def _cross(rng: Rng, position: Position, grown: Mapping[int, int], shape: _Shape) -> _Block:
    """The deck face down with up to four cards, or melds that grew from them: above, right, below, left."""
    sideways = rng.random() < 0.5  # the cards at the sides turned by a quarter
    gap = rng.uniform(0.08, 0.4)
    across = (shape.aspect if sideways else 1.0) + 0.5 + gap
    middle_x, middle_y = across, shape.aspect + gap + shape.aspect / 2
    away_x, away_y = 0.5 + gap + (shape.aspect if sideways else 1.0) / 2, shape.aspect + gap
    placed = [
        Placed(None, middle_x + rng.normal(0, 0.01), middle_y - 0.012 * k, rng.normal(0, 0.01), "deck")
        for k in range(3)
    ]
    for place, card in enumerate(_cards(position["cross"])):
        if card is None:
            continue
        x = middle_x + (0, away_x, 0, -away_x)[place] + rng.normal(0, 0.03)
        y = middle_y + (-away_y, 0, away_y, 0)[place] + rng.normal(0, 0.03)
        angle = rng.choice([-np.pi / 2, np.pi / 2]) if sideways and place % 2 else np.pi * (rng.random() < 0.2)
        placed.append(Placed(card, x, y, float(angle + rng.normal(0, 0.03)), f"cross/{place}"))
    for place, number in grown.items():  # away from the deck, each card showing its upper left corner
        meld = _cards(position["floor"][number])
        step = (shape.aside if place % 2 else shape.down)(rng.uniform(0.3, 0.45))
        for k, card in enumerate(meld):
            out = k if place in (1, 2) else len(meld) - 1 - k
            x = middle_x + (0, 0.5 + gap + 0.5 + out * step, 0, -(0.5 + gap + 0.5 + out * step))[place]
            y = middle_y + (-away_y - out * step, 0, away_y + out * step, 0)[place]
            angle = float(rng.normal(0, 0.015))
            placed.append(Placed(card, x + rng.normal(0, 0.01), y + rng.normal(0, 0.01), angle, f"floor/{number}"))
    left, top = min(p.x for p in placed), min(p.y for p in placed)
    right, bottom = max(p.x for p in placed), max(p.y for p in placed)
    shift_x, shift_y = max(0.0, 0.7 - left), max(0.0, shape.aspect / 2 - top)
    moved = tuple(replace(p, x=p.x + shift_x, y=p.y + shift_y) for p in placed)
    return _Block(
        moved,
        max(2 * across, right + shift_x + 0.7),
        max(3 * shape.aspect + 2 * gap, bottom + shift_y + shape.aspect / 2),
    )


# Klondike


def _klondike(rng: Rng, position: Position, shape: _Shape) -> tuple[list[Placed], bool]:
    """Seven columns towards the viewer; above them stock and waste at one side, foundations at the other."""
    gap = 1 + rng.uniform(0.08, 0.5)
    back_step, face_step = float(np.exp(rng.uniform(*np.log(shape.back_steps)))), shape.down(rng.uniform(0.3, 0.48))
    if not shape.least_back_step:
        back_step *= 0.04
    uneven = rng.choice([0.03, 0.12, 0.25])  # how much care was taken with each single strip
    placed: list[Placed] = []
    stock_left = rng.random() < 0.6
    row_y = 0.0
    columns = list(range(7)) if stock_left else list(range(6, -1, -1))
    waste = _cards(position["waste"])[-3:]
    if position["stock"]:
        for k in range(min(3, len(position["stock"]))):
            x, y = columns[0] * gap + rng.normal(0, 0.008), row_y - 0.01 * k
            placed.append(Placed(None, x, y, rng.normal(0, 0.01), "stock"))
    step = shape.aside(rng.uniform(0.26, 0.4))
    for k, card in enumerate(waste):
        shift = k * step if stock_left else (k - len(waste) + 1) * step
        placed.append(
            Placed(card, columns[1] * gap + shift, row_y + rng.normal(0, 0.015), rng.normal(0, 0.02), "waste")
        )
    suits = list("CDHS")
    rng.shuffle(suits)
    for place, suit in zip(columns[3:], suits, strict=True):
        if position["foundations"][suit]:
            card = parse_card("A23456789TJQK"[position["foundations"][suit] - 1] + suit)
            placed.append(
                Placed(card, place * gap, row_y + rng.normal(0, 0.01), rng.normal(0, 0.02), f"foundation/{suit}")
            )
    top = shape.aspect + rng.uniform(0.15, 0.6)
    for number, column in enumerate(position["columns"]):
        down, up = column["down"], _cards(column["up"])
        backs = back_step * rng.uniform(0.8, 1.2) * np.exp(rng.normal(0, uneven, len(down)))
        steps = [*backs.clip(shape.least_back_step, 0.5).tolist(), face_step * rng.uniform(1.0, 1.15)]
        block = _column(rng, [*[None] * len(down), *up], f"column/{number}", shape, steps)
        placed += block.at(number * gap - 0.5 + rng.normal(0, 0.02), top - shape.aspect / 2 + rng.normal(0, 0.03))
    return placed, True


# Napoleon's Tomb

_CORNERS: Final = ((0, 0), (2, 0), (0, 2), (2, 2))
_EDGES: Final = ((1, 0), (0, 1), (2, 1), (1, 2))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Lays single piles on a 3x3 grid and around it."""

    rng: Rng
    right: float
    below: float
    crooked: float
    placed: list[Placed]

    def lay(self, column: float, row: float, zone: str, top: str | None, under: int = 0) -> None:
        """A pile's top, and the edges of `under` backs below it."""
        rng = self.rng
        x = column * self.right + rng.normal(0, self.crooked)
        y = row * self.below + rng.normal(0, self.crooked)
        angle = rng.normal(0, self.crooked)
        for k in range(under):
            self.placed.append(Placed(None, x + rng.normal(0, 0.012), y + 0.012 * (under - k), angle, zone))
        self.placed.append(Placed(_cards([top])[0], x, y, angle + rng.normal(0, 0.01), zone))


def _grid(rng: Rng, shape: _Shape) -> _Grid:
    right = 1 + rng.uniform(0.1, 0.5)
    return _Grid(rng, right, shape.aspect + rng.uniform(0.1, 0.5), rng.choice([0.008, 0.02, 0.04]), [])


def _tomb_single(rng: Rng, position: Position, shape: _Shape) -> tuple[list[Placed], bool]:
    """Corners, centre and spares as a 3x3 grid; spare sixes, discard and deck in a column beside it."""
    grid = _grid(rng, shape)
    for number, corner in enumerate(position["corners"]):
        if corner:
            grid.lay(*_CORNERS[number], f"corner/{number}", corner[-1])
    if position["centre"]:
        grid.lay(1, 1, "centre", position["centre"][-1])
    for number, spare in enumerate(position["spares"]):
        if spare:
            grid.lay(*_EDGES[number], f"spare/{number}", spare if isinstance(spare, str) else spare[-1])
    beside = 3.3 if rng.random() < 0.7 else -1.3
    rows = rng.permutation(3) if rng.random() < 0.3 else np.arange(3)
    if position["spare_six"]:
        grid.lay(beside, rows[0], "spare_six", position["spare_six"][-1])
    if position["discard"]:
        grid.lay(beside, rows[1], "discard", position["discard"][-1])
    if position.get("deck", ["??"]):
        grid.lay(beside, rows[2], "deck", None, under=2)
    return grid.placed, False


def _tomb_double(rng: Rng, position: Position, shape: _Shape) -> tuple[list[Placed], bool]:
    """Foundations in the corners, reserves on the edges, the centre; the tableau a column beside; wastes below."""
    grid = _grid(rng, shape)
    suits = list("CDHS")
    rng.shuffle(suits)
    for place, suit in zip(_CORNERS, suits, strict=True):
        count = position["foundations"][suit]
        if count:
            grid.lay(*place, f"foundation/{suit}", "KQJT98765432A"[(count - 1) % 13] + suit)
    for number, reserve in enumerate(position["reserves"]):
        if reserve:
            grid.lay(*_EDGES[number], f"reserve/{number}", reserve[-1])
    if position["centre"]:
        grid.lay(1, 1, "centre", position["centre"][-1])
    beside = 3.4 if rng.random() < 0.75 else -1.4
    for number, pile in enumerate(position["tableau"]):
        if pile:
            grid.lay(beside, (number * 1.08 - 0.6), f"tableau/{number}", pile[-1])
    down = (3.15 if beside > 0 else 3.55) + rng.uniform(0, 0.3)
    for number, waste in enumerate(position["wastes"]):
        if waste:
            grid.lay(number - 0.2, down, f"waste/{number}", waste[-1])
    if position["stock"]:
        grid.lay(-1.35, down, "stock", None, under=2)
    return grid.placed, False


Layout = Callable[[Rng, Position, _Shape], tuple[list[Placed], bool]]

LAYOUTS: Final[dict[str, Layout]] = {
    "makiaveli": _makiaveli,
    "klondike": _klondike,
    "tomb_single": _tomb_single,
    "tomb_double": _tomb_double,
}
"""Game word to the function that lays its position: the cards in painting order, and whether the table may be seen
from any side."""
