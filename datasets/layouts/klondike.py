"""Klondike as people lay it: seven columns towards the player, stock, waste and foundations wherever there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from datasets.games.game import Position
from datasets.games.klondike import random_position
from datasets.layouts.blocks import Shape, cards_of, lay_column
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng
from solver.cards import RANK_CHARS, Card, parse_card

SEEN_WASTE: Final = 3

Stock = Literal["row", "below left", "below right", "beside", "none"]
Foundations = Literal["slots", "touching", "spread", "loose"]
Columns = Literal["overlapped", "triangle", "faces clear", "mixed steps"]


@dataclass(frozen=True, slots=True)
class Style:
    """One way to lay Klondike.

    Attributes:
        stock: Where stock and waste lie: in the row above, below the columns at a side, beside the row, or nowhere.
        foundations: How the foundations lie in the row above: over columns 4 to 7, touching, anywhere in the row's
            free places, or loosely.
        columns: How the columns overlap: as usual, not at all, backs only, or each as it came.
        mirrored: Stock at the right, foundations at the left.
        careless: How much more carelessly than usual the piles are placed.
        waste_down: The waste is spread towards the player.
    """

    stock: Stock = "row"
    foundations: Foundations = "slots"
    columns: Columns = "overlapped"
    mirrored: bool = False
    careless: float = 1.0
    waste_down: bool = False


def lay(rng: Rng, position: Position, shape: Shape, style: Style) -> list[LaidCard]:
    """The cards of a position laid in a style."""
    gap = 1 + (rng.uniform(0.0, 0.08) if rng.random() < 0.15 else rng.gamma(2.0, 0.16) + 0.05)
    rough = style.careless
    placed: list[LaidCard] = []
    slots = list(range(7)) if not style.mirrored else list(range(6, -1, -1))

    def put(card: Card | None, x: float, y: float, zone: str) -> None:
        placed.append(
            LaidCard(
                card,
                x + rng.normal(0, 0.025 * rough),
                y + rng.normal(0, 0.02 * rough),
                rng.normal(0, 0.02 * rough),
                zone,
            )
        )

    depth, columns = lay_columns(rng, position, shape, style, gap)
    stock_x, stock_y = _stock_place(rng, shape, style, gap, depth, columns)
    if position["stock"] and style.stock != "none":
        for k in range(int(rng.integers(1, 4))):
            put(None, stock_x, stock_y - 0.01 * k, "stock")
    waste = cards_of(position["waste"])[-SEEN_WASTE:]
    for card, place in zip(waste, _waste_places(rng, shape, style, gap, (stock_x, stock_y), len(waste)), strict=True):
        put(card, *place, "waste")
    _foundations(rng, position, style, slots, gap, put)
    return placed + columns


def _stock_place(
    rng: Rng, shape: Shape, style: Style, gap: float, depth: float, columns: Sequence[LaidCard]
) -> tuple[float, float]:
    """Where the stock lies; `depth` is how deep the deepest column is."""
    if style.stock in ("below left", "below right"):
        x = (0 if style.stock == "below left" else 5.2) * gap + rng.uniform(-1.0, 0.6)
        near = [c for c in columns if abs(c.x - x) < 2.2 * gap]
        y = max((c.y for c in near), default=shape.aspect) + shape.aspect + rng.uniform(0.1, 0.6)
        return x, max(y, rng.uniform(0.5, 1.1) * depth)
    if style.stock == "beside":
        x = (-1.2 - rng.uniform(0.1, 0.8)) if rng.random() < 0.5 else 7 * gap + rng.uniform(0.1, 0.8)
        return x, rng.uniform(0, 0.6 * depth)
    return (6 if style.mirrored else 0) * gap, 0.0


def _waste_places(
    rng: Rng, shape: Shape, style: Style, gap: float, stock: tuple[float, float], count: int
) -> list[tuple[float, float]]:
    """Where the waste's cards lie beside the stock, the top card last."""
    step = shape.aside(rng.uniform(0.22, 0.45))
    toward = -1.0 if style.mirrored and style.stock == "row" else 1.0
    x = stock[0] + toward * (gap if rng.random() < 0.7 else rng.uniform(1.02, 1.8)) * rng.uniform(1.0, 1.1)
    if style.waste_down:
        return [(x, stock[1] + k * shape.down(0.3)) for k in range(count)]
    return [(x + step * (k if toward > 0 else k - count + 1), stock[1]) for k in range(count)]


def _foundations(rng: Rng, position: Position, style: Style, slots: Sequence[int], gap: float, put: Any) -> None:
    """The tops of the foundations in the row above."""
    suits = [suit for suit in rng.permutation(list("CDHS")) if position["foundations"][suit]]
    tops = [parse_card(RANK_CHARS[position["foundations"][suit] - 1] + suit) for suit in suits]
    places = _foundation_places(rng, style, slots, gap, len(tops))
    for place, card in zip(places, tops, strict=False):
        put(card, place, rng.normal(0, 0.05 * style.careless), f"foundation/{card.suit}")


def _foundation_places(rng: Rng, style: Style, slots: Sequence[int], gap: float, begun: int) -> list[float]:
    """Where in the row above four foundations lie, of which some are begun: those come first."""
    if style.foundations == "slots":
        places = [slots[3 + k] * gap for k in rng.permutation(4)]
        return sorted(places[:begun]) if rng.random() < 0.5 else places
    if style.foundations == "touching":
        first = min(slots[3], slots[6]) * gap + rng.uniform(-0.6, 0.6)
        return [first + k * (1 + rng.uniform(-0.02, 0.06)) for k in range(4)]
    if style.foundations == "spread":
        free = slots[2:] if style.stock == "row" else slots
        return sorted(rng.choice(free, 4, replace=False) * gap)
    first = slots[3] * gap if not style.mirrored else 0.0
    return [first + k * gap * rng.uniform(0.9, 1.2) for k in range(4)]


def lay_columns(rng: Rng, position: Position, shape: Shape, style: Style, gap: float) -> tuple[float, list[LaidCard]]:
    """The columns' cards, and how deep the deepest is."""
    top = shape.aspect + rng.gamma(2.0, 0.2) + 0.05
    back_step = float(np.exp(rng.uniform(*np.log(shape.back_steps))))
    face_step = shape.down(rng.uniform(0.25, 0.5))
    if not shape.least_back_step:
        back_step = float(rng.uniform(0.0, 0.004))  # squared: what shows is what a hand leaves uneven
    uneven = rng.choice([0.03, 0.12, 0.25])  # how much care was taken with each single strip
    placed: list[LaidCard] = []
    deepest = top
    for number, column in enumerate(position["columns"]):
        down, up = column["down"], cards_of(column["up"])
        cards: list[Card | None] = [*[None] * len(down), *up]
        backs = back_step * rng.uniform(0.8, 1.2) * np.exp(rng.normal(0, uneven, len(down)))
        backs = backs.clip(shape.least_back_step, 0.95).tolist()
        steps = _column_steps(rng, shape, style, backs, face_step * rng.uniform(0.95, 1.15), len(up))
        block = lay_column(rng, cards, f"column/{number}", shape, steps)
        x = number * gap - 0.5 + rng.normal(0, 0.03 * style.careless)
        laid = block.at(x, top - shape.aspect / 2 + rng.normal(0, 0.03 * style.careless))
        placed += laid
        deepest = max([deepest, *(card.y for card in laid)])
    return deepest + shape.aspect / 2, placed


def _column_steps(
    rng: Rng, shape: Shape, style: Style, backs: Sequence[float], faces: float, face_up: int
) -> list[float]:
    """The steps from each card of a column to the next; the last one goes on.

    Args:
        rng: Random generator.
        shape: The deck's measures.
        style: How columns overlap.
        backs: The steps after cards face down, if they overlap as usual.
        faces: The step after a card face up.
        face_up: How many of those there are.
    """
    if style.columns == "triangle":
        return [shape.aspect * (1 + rng.uniform(0.02, 0.15))] * max(len(backs), 1) + [faces]
    if style.columns == "faces clear":
        return [*backs[:-1], shape.aspect * (1 + rng.uniform(0.0, 0.1)), faces] if backs else [faces]
    if style.columns == "mixed steps":
        usual = np.array([*backs, *[faces] * face_up])
        mixed: list[float] = (usual * np.exp(rng.normal(0, 0.25, len(usual)))).clip(0.02, 1.6).tolist()
        return mixed
    return [*backs, faces]


def staged(rng: Rng) -> Position:
    """A table that keeps no rule, as people lay one for a picture: it still lies as Klondike does."""
    position = random_position(rng)
    deck = [rank + suit for rank in RANK_CHARS for suit in "CDHS"]
    rng.shuffle(deck)
    columns = [
        {
            "down": ["??"] * int(rng.integers(0, number + 1) * (rng.random() < 0.6)),
            "up": [deck.pop() for _ in range(int(rng.choice([0, 1, 1, 1, 2, 3, 5])))],
        }
        for number in range(7)
    ]
    built = {suit: int(rng.integers(0, 14)) if rng.random() < 0.6 else 0 for suit in "CDHS"}
    stock = ["??"] * (10 * (rng.random() < 0.8))
    return position | {
        "columns": columns,
        "foundations": built,
        "waste": [deck.pop() for _ in range(int(rng.integers(0, 4)))],
        "stock": stock,
    }


def late(rng: Rng) -> Position:
    """A game played on towards its end: high foundations, long runs, few cards face down."""
    for _ in range(20):
        position = random_position(rng, moves=int(rng.integers(60, 300)), eager=True)
        if sum(position["foundations"].values()) >= 4:
            break
    return position


def fresh(rng: Rng) -> Position:
    """The table as it is dealt."""
    return random_position(rng, moves=0)


def part(rng: Rng) -> Position:
    """One to three columns that a photo shows by themselves."""
    position = late(rng) if rng.random() < 0.5 else random_position(rng)
    first, count = int(rng.integers(0, 7)), int(rng.choice([1, 1, 2, 3]))
    kept = range(first, min(first + count, 7))
    columns = [
        {"down": column["down"] * (rng.random() < 0.5), "up": column["up"]} if k in kept else {"down": [], "up": []}
        for k, column in enumerate(position["columns"])
    ]
    shown = sum(len(column["down"]) + len(column["up"]) for column in columns)
    rest = {"foundations": dict.fromkeys("CDHS", 0), "waste": [], "stock": ["??"] * (52 - shown)}
    return position | {"columns": columns} | rest


def _family(name: str, weight: float = 1.0, position: Any = None, **style: Any) -> Family:
    return Family(f"klondike/{name}", "klondike", partial(lay, style=Style(**style)), weight=weight, position=position)


FAMILIES: Final = (
    _family("usual", 4.0),
    _family("usual, late", 2.0, late),
    _family("usual, fresh", 1.5, fresh),
    _family("staged", 1.5, staged, careless=1.5),
    _family("mirrored", 2.0, mirrored=True),
    _family("mirrored, late", 1.0, late, mirrored=True),
    _family("stock below left", 1.5, stock="below left"),
    _family("stock below right", 1.0, stock="below right", foundations="spread"),
    _family("stock below, late", 1.0, late, stock="below left", foundations="loose"),
    _family("stock beside", 0.7, stock="beside", foundations="spread"),
    _family("no stock", 1.0, stock="none"),
    _family("foundations touching", 1.5, late, foundations="touching"),
    _family("foundations spread", 1.5, late, foundations="spread"),
    _family("triangle", 1.0, fresh, columns="triangle", stock="row"),
    _family("triangle, stock beside", 1.0, fresh, columns="triangle", stock="beside"),
    _family("triangle, played", 0.5, columns="triangle", stock="beside"),
    _family("faces clear of the backs", 1.0, columns="faces clear"),
    _family("mixed steps", 1.0, columns="mixed steps", careless=2.0, foundations="loose"),
    _family("careless", 1.0, careless=3.0, foundations="loose"),
    _family("waste spread down", 0.7, waste_down=True),
    _family("a column or a few", 0.8, part, stock="none"),
)
