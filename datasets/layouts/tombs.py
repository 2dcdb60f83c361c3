"""Napoleon's Tomb as people lay it: a 3x3 grid, with one deck a column beside it, with two a tableau and wastes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from datasets.games.game import Position, foundation_top
from datasets.layouts.blocks import Shape, cards_of, lay_pile, moved
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng

_CORNERS: Final = ((0, 0), (2, 0), (0, 2), (2, 2))
_EDGES: Final = ((1, 0), (0, 1), (2, 1), (1, 2))

Side = Literal["column", "row below", "free"]


@dataclass(frozen=True, slots=True)
class Style:
    """One way to lay a Tomb.

    Attributes:
        gap: Smallest and largest gap between piles, card widths.
        crooked: Standard deviations of places and turns, one of which is drawn.
        side: One deck: where spare sixes, discard and deck lie. Two decks: whether the tableau is a column beside the
            grid, or a row below it with the wastes under that.
        piles: Chance that a pile shows the edges of cards below its top.
    """

    gap: tuple[float, float] = (0.1, 0.5)
    crooked: tuple[float, ...] = (0.008, 0.02, 0.04)
    side: Side = "column"
    piles: float = 0.0


@dataclass(slots=True)
class _Grid:
    """Lays single piles on a 3x3 grid and around it; places are counted in cells from the upper left one."""

    rng: Rng
    shape: Shape
    style: Style
    placed: list[LaidCard] = field(default_factory=list)
    right: float = 0.0
    below: float = 0.0
    crooked: float = 0.0

    def __post_init__(self) -> None:
        rng = self.rng
        self.right = 1 + rng.uniform(*self.style.gap)
        self.below = self.shape.aspect + rng.uniform(*self.style.gap)
        self.crooked = float(rng.choice(self.style.crooked))

    def lay(self, column: float, row: float, zone: str, top: str | None, under: int = 0) -> None:
        """A pile's top, and the edges of `under` backs below it."""
        rng = self.rng
        if rng.random() < self.style.piles:
            under = max(under, int(rng.integers(1, 3)))
        x, y = column * self.right + rng.normal(0, self.crooked), row * self.below + rng.normal(0, self.crooked)
        self.placed += moved(lay_pile(rng, cards_of([top])[0], zone, under), x, y)

    def lay_tops(
        self, zone: str, piles: Sequence[str | Sequence[str] | None], places: Sequence[tuple[float, float]]
    ) -> None:
        """The tops of numbered piles, or single cards, each at its place; nothing for one that is empty."""
        for number, (pile, place) in enumerate(zip(piles, places, strict=False)):
            if pile:
                self.lay(*place, f"{zone}/{number}", pile if isinstance(pile, str) else pile[-1])

    def lay_centre(self, pile: Sequence[str]) -> None:
        """The top of the pile in the middle of the nine."""
        if pile:
            self.lay(1, 1, "centre", pile[-1])


def lay_single(rng: Rng, position: Position, shape: Shape, style: Style) -> list[LaidCard]:
    """One deck: corners, centre and spares as a 3x3 grid; spare sixes, discard and deck beside or below it."""
    grid = _Grid(rng, shape, style)
    grid.lay_tops("corner", position["corners"], _CORNERS)
    grid.lay_centre(position["centre"])
    grid.lay_tops("spare", position["spares"], _EDGES)
    order = rng.permutation(3) if rng.random() < 0.4 else np.arange(3)
    left = rng.random() < 0.3
    beside = (-1.2 - rng.uniform(0, 0.6)) if left else (3.1 + rng.uniform(0, 0.6))
    others = {zone: position.get(zone, ["??"]) for zone in ("spare_six", "discard", "deck")}
    for at, (zone, cards) in zip(order, others.items(), strict=True):
        if cards:
            place = _place_beside(rng, style, float(at), beside)
            grid.lay(*place, zone, None if zone == "deck" else cards[-1], under=2 * (zone == "deck"))
    return grid.placed


def _place_beside(rng: Rng, style: Style, at: float, beside: float) -> tuple[float, float]:
    """Where one of three piles lies that are beside the nine, or below them."""
    if style.side == "row below":
        return at + rng.normal(0, 0.05), 3.1 + rng.uniform(0, 0.2)
    if style.side == "free":
        return beside + rng.normal(0, 0.2), at * rng.uniform(0.9, 1.3) + rng.normal(0, 0.15)
    return beside, at


def lay_double(rng: Rng, position: Position, shape: Shape, style: Style) -> list[LaidCard]:
    """Two decks: foundations in the corners, reserves on the edges, the centre; tableau beside or below; wastes."""
    grid = _Grid(rng, shape, style)
    suits = list("CDHS")
    rng.shuffle(suits)
    for place, suit in zip(_CORNERS, suits, strict=True):
        top = foundation_top(suit, position["foundations"][suit], from_king=True)
        if top:
            grid.lay(*place, f"foundation/{suit}", top)
    grid.lay_tops("reserve", position["reserves"], _EDGES)
    grid.lay_centre(position["centre"])
    row = style.side == "row below"
    beside = 3.1 + rng.uniform(0.1, 0.6) if rng.random() < 0.75 else -1.2 - rng.uniform(0.1, 0.5)
    first = rng.uniform(-0.7, 0.05)
    step = rng.uniform(1.0, 1.12) if first < -0.4 else 1.0
    places = [(k - 0.5, 3.1) if row else (beside, k * step + first) for k in range(4)]
    grid.lay_tops("tableau", position["tableau"], places)
    down = (4.2 if row else 3.15 if beside > 0 else 3.55) + rng.uniform(0, 0.3)
    aside = 0.6 if row else 0.0
    grid.lay_tops("waste", position["wastes"], [(k - 0.2 - aside, down) for k in range(5)])
    if position["stock"]:
        grid.lay(-1.35 - (0.5 if row else 0.0), down, "stock", None, under=2)
    return grid.placed


def _single(name: str, weight: float = 1.0, **style: Any) -> Family:
    return Family(f"tomb_single/{name}", "tomb_single", partial(lay_single, style=Style(**style)), weight=weight)


def _double(name: str, weight: float = 1.0, **style: Any) -> Family:
    return Family(f"tomb_double/{name}", "tomb_double", partial(lay_double, style=Style(**style)), weight=weight)


FAMILIES: Final = (
    _single("usual", 3.0),
    _single("loose piles", 1.0, crooked=(0.06, 0.1), piles=0.5),
    _single("side piles below", 1.0, side="row below"),
    _single("side piles anywhere", 1.0, side="free"),
    _single("touching", 0.7, gap=(0.0, 0.06)),
    _single("wide", 0.7, gap=(0.5, 1.1)),
    _double("usual", 3.0),
    _double("loose piles", 1.0, crooked=(0.06, 0.1), piles=0.5),
    _double("tableau below", 1.0, side="row below"),
    _double("touching", 0.7, gap=(0.0, 0.06)),
    _double("wide", 0.7, gap=(0.5, 1.0)),
)
