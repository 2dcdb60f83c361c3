"""Makiaveli as people lay it: melds on the floor, the deck with its cross, a hand at somebody's edge of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from datasets.games.game import Position
from datasets.games.makiaveli import random_position
from datasets.layouts.blocks import (
    Block,
    Shape,
    apart,
    boxed,
    cards_of,
    extent,
    in_lines,
    lay_column,
    lay_fan,
    lay_pile,
    lay_row,
    lay_square,
    moved,
)
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng
from solver.cards import Card

MELDS: Final = ("row", "side by side", "fan", "column", "square", "gaps")
USUAL: Final = (0.62, 0.12, 0.13, 0.13, 0.0, 0.0)
VARIED: Final = (0.4, 0.15, 0.12, 0.13, 0.1, 0.1)
COLUMNS: Final = (0.1, 0.0, 0.0, 0.9, 0.0, 0.0)
GAPPED: Final = (0.1, 0.3, 0.0, 0.0, 0.2, 0.4)

Hand = Literal["near", "right", "two rows", "beside the deck"]
Floor = Literal["lines", "apart"]


@dataclass(frozen=True, slots=True)
class Style:
    """One way to lay Makiaveli.

    Attributes:
        melds: Chance of each of `MELDS`.
        floor: Melds in lines, or anywhere and turned.
        gaps: Smallest and largest gap between melds, card widths.
        turned: Chance that a meld stands upside down or sideways, as another player laid it.
        hand: Where the hand lies.
        deck: Whether the deck is in the photo.
    """

    melds: tuple[float, ...] = USUAL
    floor: Floor = "lines"
    gaps: tuple[float, float] = (0.22, 0.7)
    turned: float = 0.0
    hand: Hand = "near"
    deck: bool = True


def lay(rng: Rng, position: Position, shape: Shape, style: Style) -> list[LaidCard]:
    """The cards of a position laid in a style."""
    grown = _grown(rng, position) if style.deck else {}
    blocks = []
    for number, meld in enumerate(position["floor"]):
        if number in grown.values():
            continue
        block = lay_meld(rng, meld, f"floor/{number}", shape, style.melds)
        if rng.random() < style.turned:
            block = block.turned(float(rng.choice([np.pi, np.pi, np.pi / 2, -np.pi / 2])), shape.aspect)
        blocks.append(block)
    middle = [lay_cross(rng, position, grown, shape)] if style.deck else []
    area = sum((block.width + 0.5) * (block.height + 0.4) for block in (*blocks, *middle))
    limit = max([block.width + 0.5 for block in (*blocks, *middle)] + [float(np.sqrt(area * rng.uniform(1.4, 3.2)))])
    first, last = len(blocks) // 3, len(blocks) - len(blocks) // 3
    where = int(rng.integers(first, last + 1))
    blocks[where:where] = middle
    if style.floor == "apart":
        placed = apart(rng, blocks, shape.aspect, rng.uniform(1.6, 3.0))
        width, depth = extent(placed, shape.aspect)[2:] if placed else (0.0, 0.0)
    else:
        placed, depth = in_lines(rng, blocks, limit, (rng.uniform(*style.gaps), rng.uniform(*style.gaps) * 0.8))
        width = limit
    return placed + _hand(rng, position, shape, style, width, depth)


def lay_meld(rng: Rng, meld: Sequence[str], zone: str, shape: Shape, chances: Sequence[float]) -> Block:
    """A meld as somebody lays it."""
    cards = cards_of(meld)
    if rng.random() < 0.15:
        cards = cards[::-1]
    kind = str(rng.choice(MELDS, p=chances))
    if kind == "side by side":
        return lay_row(rng, cards, zone, shape, rng.uniform(1.0, 1.07))
    if kind == "gaps":
        return lay_row(rng, cards, zone, shape, rng.uniform(1.05, 1.3))
    if kind == "fan":
        return lay_fan(rng, cards, zone, shape, rng.uniform(1.8, 3.5) * shape.aspect)
    if kind == "column":
        return lay_column(rng, cards, zone, shape, [shape.down(rng.uniform(0.28, 0.5))])
    if kind == "square" and (len(cards) == 4 or len(cards) > 6):
        return lay_square(rng, cards, zone, shape, 2 if len(cards) == 4 else (len(cards) + 1) // 2)
    return lay_row(rng, cards, zone, shape, shape.aside(rng.uniform(0.2, 0.5)))


def _hand(rng: Rng, position: Position, shape: Shape, style: Style, width: float, depth: float) -> list[LaidCard]:
    cards = cards_of(position["hand"])
    if not cards:
        return []
    block = _held(rng, cards, shape, style.hand == "two rows")
    if style.hand == "right":
        if rng.random() < 0.5:
            block = block.turned(-np.pi / 2, shape.aspect)
        return block.at(width + rng.uniform(0.6, 1.6), rng.uniform(0, max(depth - block.height, 0.1)))
    return block.at((width - block.width) * rng.uniform(0.2, 0.8), depth + rng.uniform(0.35, 1.0) * shape.aspect)


def _held(rng: Rng, cards: Sequence[Card | None], shape: Shape, two_rows: bool) -> Block:
    if two_rows and len(cards) > 3:
        half = len(cards) // 2
        step = shape.aside(rng.uniform(0.25, 0.5))
        upper = lay_row(rng, cards[:half], "hand", shape, step)
        lower = lay_row(rng, cards[half:], "hand", shape, step)
        under = shape.down(rng.uniform(0.4, 1.3))
        return boxed([*upper.cards, *moved(lower.cards, rng.normal(0, 0.2), under)], shape.aspect)
    if len(cards) > 1 and rng.random() < 0.5:
        return lay_fan(rng, cards, "hand", shape, rng.uniform(1.6, 3) * shape.aspect)
    return lay_row(rng, cards, "hand", shape, float(rng.choice([shape.aside(rng.uniform(0.25, 0.5)), 1.06])))


def _grown(rng: Rng, position: Position) -> dict[int, int]:
    """Place of the cross to number of the floor meld that grew there: now and then one, at a place without a card."""
    free = [place for place, card in enumerate(position["cross"]) if card is None]
    short = [number for number, meld in enumerate(position["floor"]) if len(meld) <= 4]
    if not free or not short or rng.random() > 0.2:
        return {}
    return {free[int(rng.integers(len(free)))]: short[int(rng.integers(len(short)))]}


def lay_cross(rng: Rng, position: Position, grown: Mapping[int, int], shape: Shape) -> Block:
    """The deck face down with up to four cards, or melds that grew from them: above, right, below, left."""
    sideways = rng.random() < 0.5  # the cards at the sides turned by a quarter
    gap = rng.uniform(-0.25, 0.1) if rng.random() < 0.2 else rng.uniform(0.08, 0.5)  # under the deck's edge, or off it
    away_x, away_y = 0.5 + gap + (shape.aspect if sideways else 1.0) / 2, shape.aspect + gap
    placed: list[LaidCard] = []
    for place, card in enumerate(cards_of(position["cross"])):
        if card is None:
            continue
        x = (0, away_x, 0, -away_x)[place] + rng.normal(0, 0.03)
        y = (-away_y, 0, away_y, 0)[place] + rng.normal(0, 0.03)
        angle = rng.choice([-np.pi / 2, np.pi / 2]) if sideways and place % 2 else np.pi * (rng.random() < 0.2)
        placed.append(LaidCard(card, x, y, float(angle + rng.normal(0, 0.03)), f"cross/{place}"))
    placed += lay_pile(rng, None, "deck", under=int(rng.integers(0, 3)))
    for place, number in grown.items():
        meld = cards_of(position["floor"][number])
        placed += _grown_meld(rng, meld, f"floor/{number}", shape, place, (1.0 + max(gap, 0.08), away_y))
    return boxed(placed, shape.aspect)


def _grown_meld(
    rng: Rng, meld: Sequence[Card | None], zone: str, shape: Shape, place: int, away: tuple[float, float]
) -> list[LaidCard]:
    """A meld that grew at a place of the cross, away from the deck, each card showing its upper left corner.

    Args:
        rng: Random generator.
        meld: Its cards.
        zone: Its zone.
        shape: The deck's measures.
        place: 0 above the deck, 1 at its right, 2 below, 3 at its left.
        away: From the deck to the first card, sideways and towards the player, in card widths.
    """
    step = (shape.aside if place % 2 else shape.down)(rng.uniform(0.3, 0.45))
    placed = []
    for k, card in enumerate(meld):
        out = (k if place in (1, 2) else len(meld) - 1 - k) * step
        x = (0, away[0] + out, 0, -(away[0] + out))[place]
        y = (-away[1] - out, 0, away[1] + out, 0)[place]
        angle = float(rng.normal(0, 0.015))
        placed.append(LaidCard(card, x + rng.normal(0, 0.01), y + rng.normal(0, 0.01), angle, zone))
    return placed


def without_deck(rng: Rng) -> Position:
    """A table whose deck is not in the photo, so it has no cross."""
    return random_position(rng) | {"cross": [None] * 4}


def floor_only(rng: Rng) -> Position:
    """Only melds: the hand is told, or is in another photo."""
    return random_position(rng) | {"cross": [None] * 4, "hand": []}


def few_melds(rng: Rng) -> Position:
    """The beginning of a game: one to three melds, a full hand."""
    position = random_position(rng)
    return position | {"floor": position["floor"][: int(rng.integers(1, 4))]}


def _family(name: str, weight: float = 1.0, position: Any = None, **style: Any) -> Family:
    return Family(
        f"makiaveli/{name}", "makiaveli", partial(lay, style=Style(**style)), weight=weight, position=position
    )


FAMILIES: Final = (
    _family("usual", 4.0),
    _family("few melds", 1.5, few_melds, melds=VARIED),
    _family("varied melds", 2.0, melds=VARIED),
    _family("columns", 1.0, melds=COLUMNS),
    _family("gaps", 1.0, melds=GAPPED, gaps=(0.4, 0.9)),
    _family("crowded", 1.5, gaps=(0.03, 0.2)),
    _family("across the table", 1.0, melds=VARIED, turned=0.4),
    _family("apart", 1.0, melds=VARIED, floor="apart"),
    _family("no deck", 1.0, without_deck, deck=False, melds=VARIED),
    _family("floor only", 1.0, floor_only, deck=False),
    _family("hand at the right", 1.0, hand="right"),
    _family("hand in two rows", 1.0, hand="two rows"),
)
