"""Less usual ways to lay tables, written without a look at the other families.

They were held out from training until 2026-11-23.

A pile or group here is a list of cards about the origin; groups are put
together by their boxes, so that nothing lies on what it should not hide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar

import numpy as np

from datasets.games.game import Position, foundation_top
from datasets.games.makiaveli import random_position
from datasets.layouts.blocks import (
    Block,
    Shape,
    beside,
    boxed,
    cards_of,
    in_lines,
    lay_column,
    lay_fan,
    lay_pile,
    lay_row,
    moved,
    turned,
)
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng
from solver.cards import SUIT_CHARS, Card, deck, parse_card
from solver.games import position_from_json

Side = Literal["left", "right", "far", "near"]
Step = tuple[float, float]
Group = list[LaidCard]
Way = Callable[[Rng, Sequence[Card | None], str, Shape], Block]
T = TypeVar("T")

_QUARTER: Final = np.pi / 2
_SIDES: Final[tuple[tuple[Side, float], ...]] = (
    ("near", 0.0),
    ("left", _QUARTER),
    ("far", 2 * _QUARTER),
    ("right", -_QUARTER),
)
"""Where somebody sits, and how the cards in front of them are turned."""
_OPPOSITE: Final[tuple[tuple[Side, Side], ...]] = (("left", "right"), ("right", "left"))


# What groups are made of


def _pick(rng: Rng, choices: Sequence[T]) -> T:
    return choices[int(rng.integers(len(choices)))]


def _step(*way: float) -> Step:
    return float(way[0]), float(way[1])


def _trail(rng: Rng, cards: Sequence[Card | None], zone: str, steps: Sequence[Step], crooked: float = 0.015) -> Group:
    """Cards one after another from the origin; the last of `steps` goes on for all that follow."""
    placed, x, y = Group(), 0.0, 0.0
    for k, card in enumerate(cards):
        loose = rng.normal(0, (crooked / 2, crooked / 2, crooked))
        placed.append(LaidCard(card, x + loose[0], y + loose[1], loose[2], zone))
        dx, dy = steps[min(k, len(steps) - 1)]
        x, y = x + dx, y + dy
    return placed


def _line(rng: Rng, piles: Sequence[Group], step: Step, ragged: float = 0.0) -> Group:
    """Piles a step from each other; `ragged` is how far they stand off to either side of the line."""
    across = np.array([-step[1], step[0]]) / np.hypot(*step)
    placed = Group()
    for k, pile in enumerate(piles):
        off = rng.normal(0, ragged) * across
        placed += moved(pile, k * step[0] + off[0], k * step[1] + off[1])
    return placed


def _jitter(rng: Rng, cards: Sequence[LaidCard], place: float, turn: float) -> Group:
    """Every card knocked a little, as nobody squares a table."""
    return [
        replace(c, x=c.x + rng.normal(0, place), y=c.y + rng.normal(0, place), angle=c.angle + rng.normal(0, turn))
        for c in cards
    ]


def _mound(rng: Rng, zone: str) -> Group:
    """A pile face down."""
    return _jitter(rng, lay_pile(rng, None, zone, under=int(rng.integers(0, 3))), 0.01, 0.03)


def _in_arcs(rng: Rng, blocks: Sequence[Block], inner: float, arc: float, gap: float) -> Group:
    """Blocks in arcs behind the origin and facing it; where the first is full, the next begins behind it."""
    placed, depth = Group(), 0.0
    at = -arc / 2
    for block in blocks:
        # Blocks that are clear of each other at their near ends are clear everywhere.
        wedge = 2 * float(np.arctan((block.width / 2 + gap) / inner))
        if at + wedge > arc / 2 and depth:
            inner, depth, at = inner + depth + gap, 0.0, -arc / 2
            wedge = 2 * float(np.arctan((block.width / 2 + gap) / inner))
        far = block.height + abs(rng.normal(0, 0.1))
        placed += turned(block.at(-block.width / 2, -inner - far), at + wedge / 2)
        at, depth = at + wedge, max(depth, far)
    return placed


def _stock(rng: Rng, position: Position) -> Group:
    return _mound(rng, "stock") if position["stock"] else []


# Klondike


def _foundations(rng: Rng, position: Position) -> list[Group]:
    """Four places, some of them empty, suits in any order; some people fill them one by one from the first."""
    piles: list[Group] = []
    for suit in rng.permutation(list(SUIT_CHARS)):
        word = foundation_top(suit, position["foundations"][suit])
        top = lay_pile(rng, parse_card(word), f"foundation/{suit}") if word else []
        piles.append(_jitter(rng, top, 0.02, 0.03))
    return sorted(piles, key=len, reverse=True) if rng.random() < 0.5 else piles


def _talon(rng: Rng, position: Position, waste_at: Step, fan: Step) -> Group:
    """Stock and waste, the waste's cards spread by `fan`."""
    stock = _stock(rng, position)
    return [*stock, *moved(_trail(rng, cards_of(position["waste"]), "waste", [fan], 0.04), *waste_at)]


def _columns(rng: Rng, position: Position, back: Step, face: Step) -> list[Group]:
    """The seven columns about their first cards, by the steps after a card face down and after one face up."""
    crooked = float(rng.choice([0.008, 0.02, 0.04]))
    columns = []
    for number, column in enumerate(position["columns"]):
        steps = [back] * len(column["down"]) + [face]
        columns.append(_trail(rng, cards_of([*column["down"], *column["up"]]), f"column/{number}", steps, crooked))
    return columns


def _usual_columns(rng: Rng, position: Position, shape: Shape) -> Group:
    drift = rng.normal(0, 0.015)
    face = _step(drift, shape.down(rng.uniform(0.25, 0.5)))
    columns = _columns(rng, position, _step(drift, rng.uniform(0.04, 0.3)), face)
    return _line(rng, columns, _step(1 + rng.uniform(0.06, 0.45), rng.normal(0, 0.02)), rng.uniform(0, 0.12))


def _klondike_side(rng: Rng, position: Position, shape: Shape) -> Group:
    """Foundations as a column, block or row beside the columns; the rest far off, the stock perhaps in the hand."""
    sides: list[Side] = ["left", "right", "near"]
    side, away = (sides[int(k)] for k in rng.permutation(3)[:2])
    piles = _foundations(rng, position)
    upright = _step(rng.normal(0, 0.03), shape.aspect + rng.uniform(0.05, 0.4))
    flat = _step(1 + rng.uniform(0.03, 0.45), rng.normal(0, 0.03))
    if rng.random() < 0.4:
        home = _line(rng, [_line(rng, piles[k : k + 2], flat) for k in (0, 2)], upright, 0.03)
    else:
        home = _line(rng, piles, flat if side == "near" else upright, 0.05)
    table = beside(_usual_columns(rng, position, shape), home, shape, side, rng.uniform(0.2, 1), rng.uniform(0, 0.7))
    at = _step(1.2 + rng.uniform(0, 0.8), 0) if rng.random() < 0.6 else _step(0, shape.aspect + rng.uniform(0.1, 0.5))
    talon = _talon(rng, position, at, _step(shape.aside(rng.uniform(0.2, 0.5)), rng.normal(0, 0.03)))
    if position["waste"] and rng.random() < 0.15:
        talon = [card for card in talon if card.zone == "waste"]
    talon = turned(talon, rng.choice([0.0, 0.0, rng.normal(0, 0.25), _QUARTER, -_QUARTER]))
    away = "far" if rng.random() < 0.4 else away
    return beside(table, talon, shape, away, rng.uniform(0.3, 2.5), rng.uniform(0, 1))


def _klondike_between(rng: Rng, position: Position, shape: Shape) -> Group:
    """Above the columns: foundations with stock and waste between them, or them between stock and waste."""
    homes = _foundations(rng, position)
    fan = _step(shape.aside(rng.uniform(0.2, 0.4)), rng.normal(0, 0.02))
    waste = _trail(rng, cards_of(position["waste"]), "waste", [fan], 0.03)
    stock = _stock(rng, position)
    row = _line(rng, homes[:2], _step(1 + rng.uniform(0.02, 0.4), 0), 0.03)
    rest = _line(rng, homes[2:], _step(1 + rng.uniform(0.02, 0.4), 0), 0.03)
    order = [row, stock, waste, rest] if rng.random() < 0.6 else [stock, row, rest, waste]
    if rng.random() < 0.3:
        order.reverse()
    table = Group()
    for group in order:
        table = beside(table, group, shape, "right", rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.7))
    columns = _usual_columns(rng, position, shape)
    return beside(columns, table, shape, "far", rng.uniform(0.1, 0.7), rng.uniform(0.2, 0.8))


def _klondike_arc(rng: Rng, position: Position, shape: Shape) -> Group:
    """Columns that fan apart towards the player or run together, the row above bent as they are."""
    face = shape.down(rng.uniform(0.25, 0.45))
    columns = _columns(rng, position, _step(0, rng.uniform(0.05, 0.25)), _step(0, face))
    longest = max((column[-1].y for column in columns if column), default=0.0) + 2 * shape.aspect
    together = rng.random() < 0.5
    pitch = rng.uniform(1.3, 1.6) if together else rng.uniform(1.08, 1.25)
    # Where columns run together, the pivot stands so far off that their ends still have a card's width each.
    radius = longest * (pitch / (pitch - 1.05) if together else rng.uniform(1.5, 4))
    homes = _foundations(rng, position)
    stock = _stock(rng, position)
    waste = _trail(rng, cards_of(position["waste"]), "waste", [_step(shape.aside(0.3), 0)], 0.03)
    above = [stock, waste, [], *homes] if rng.random() < 0.6 else [*homes, [], stock, waste]
    placed = Group()
    for k in range(7):
        angle = (k - 3) * pitch / radius + rng.normal(0, 0.006)
        pair = [*moved(above[k], 0, -shape.aspect - rng.uniform(0.15, 0.3)), *columns[k]]
        away = -radius if together else radius
        placed += moved(turned(moved(pair, 0, away), angle if together else -angle), 0, -away)
    return placed


def _klondike_squared(rng: Rng, position: Position, shape: Shape) -> Group:
    """No room: backs squared, face-up cards tight, the waste spread downwards at the side, foundations touching."""
    columns = _columns(rng, position, _step(0, rng.uniform(0.0, 0.03)), _step(0, shape.down(0.0)))
    table = _line(rng, columns, _step(1 + rng.uniform(0.0, 0.12), 0), rng.uniform(0.02, 0.3))
    homes = _line(rng, _foundations(rng, position), _step(1 + rng.uniform(-0.02, 0.06), rng.normal(0, 0.01)))
    table = beside(table, homes, shape, "far", rng.uniform(0.05, 0.3), rng.uniform(0, 1))
    down = _step(rng.normal(0, 0.05), shape.down(rng.uniform(0.2, 0.5)))
    talon = _talon(rng, position, _step(rng.normal(0, 0.05), shape.aspect + rng.uniform(0.05, 0.4)), down)
    return beside(table, talon, shape, _pick(rng, ("left", "right")), rng.uniform(0.1, 0.5), rng.uniform(0, 0.6))


def _klondike_rows(rng: Rng, position: Position, shape: Shape) -> Group:
    """Columns laid as rows to the right, as on a narrow train table; what else there is stands at their beginning."""
    face = _step(shape.aside(rng.uniform(0.25, 0.45)), rng.normal(0, 0.015))
    rows = _columns(rng, position, _step(rng.uniform(0.04, 0.2), 0), face)
    table = _line(rng, rows, _step(0, shape.aspect + rng.uniform(0.04, 0.25)), rng.uniform(0.0, 0.1))
    homes = _line(rng, _foundations(rng, position), _step(0, shape.aspect + rng.uniform(0.05, 0.3)), 0.04)
    side: Side = "left" if rng.random() < 0.6 else "right"
    table = beside(table, homes, shape, side, rng.uniform(0.2, 0.7), rng.uniform(0, 1))
    fan = _step(shape.aside(rng.uniform(0.2, 0.4)), 0)
    talon = _talon(rng, position, _step(1.1 + rng.uniform(0, 0.4), 0), fan)
    return beside(table, talon, shape, _pick(rng, ("far", "near")), rng.uniform(0.15, 0.5), rng.uniform(0, 0.4))


# Makiaveli


def _overlapped(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    return lay_row(rng, cards, zone, shape, shape.aside(rng.uniform(0.22, 0.55)))


def _upright(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    return lay_column(rng, cards, zone, shape, [shape.down(rng.uniform(0.25, 0.55))])


def _side_by_side(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    return lay_row(rng, cards, zone, shape, rng.uniform(1.0, 1.12))


def _fan(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    return lay_fan(rng, cards, zone, shape, rng.uniform(1.6, 3) * shape.aspect)


def _stairs(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    """Cards up or down to the right."""
    step = _step(shape.aside(rng.uniform(0.3, 0.6)), rng.uniform(0.08, 0.35) * rng.choice([-1, 1]))
    return boxed(_trail(rng, cards, zone, [step], 0.03), shape.aspect)


def _plus(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    """A set about a point: all upright, or each turned outwards as a windmill."""
    windmill = rng.random() < 0.5
    first, way = int(rng.integers(4)), int(rng.choice([-1, 1]))
    far = (shape.aspect + 1) / 2 + rng.uniform(-0.15, 0.15)
    reach = (far, far) if windmill else (rng.uniform(0.9, 1.1), shape.aspect * rng.uniform(0.52, 0.7))
    placed = Group()
    for k, card in enumerate(cards):
        angle = (first + way * k) % 4 * _QUARTER
        x, y = reach[0] * np.sin(angle), -reach[1] * np.cos(angle)
        placed.append(LaidCard(card, float(x), float(y), angle if windmill else 0.0, zone))
    return boxed(_jitter(rng, placed, 0.02, 0.05), shape.aspect)


def _folded(rng: Rng, cards: Sequence[Card | None], zone: str, shape: Shape) -> Block:
    """A long run there and, below, back again, where the table ends."""
    half = (len(cards) + 1) // 2
    step = shape.aside(rng.uniform(0.25, 0.5)) if rng.random() < 0.6 else rng.uniform(1.0, 1.1)
    low = rng.uniform(0.75, 1.1) * shape.aspect
    steps = [_step(step, 0)] * (half - 1) + [_step(0, low), _step(-step, 0)]
    return boxed(_trail(rng, cards, zone, steps, 0.02), shape.aspect)


def _melds(
    rng: Rng, position: Position, shape: Shape, sets: Sequence[Way], runs: Sequence[Way], long: Sequence[Way]
) -> list[Block]:
    """The melds in any order; a run of seven or more is `long`."""
    blocks = []
    for number in rng.permutation(len(position["floor"])):
        words = position["floor"][int(number)]
        ways = sets if words[0][0] == words[1][0] else long if len(words) >= 7 else runs
        blocks.append(_pick(rng, ways)(rng, cards_of(words), f"floor/{number}", shape))
    return blocks


def _deck_and_cross(rng: Rng, position: Position, shape: Shape, gap: float) -> Group:
    """The deck and its cross `gap` away; with a negative gap the cross's cards lie under the deck's edge."""
    sideways = rng.random() < 0.5
    reach_x, reach_y = ((shape.aspect + 1) / 2 if sideways else 1.0) + gap, shape.aspect + gap
    placed = Group()
    for place, card in enumerate(cards_of(position["cross"])):
        if card is not None:
            angle = place * _QUARTER
            turn = angle if sideways and place % 2 else 0.0
            x, y = reach_x * np.sin(angle), -reach_y * np.cos(angle)
            placed.append(LaidCard(card, float(x), float(y), turn, f"cross/{place}"))
    return [*_jitter(rng, placed, 0.04, 0.06), *_mound(rng, "deck")]


def _sorted_hand(rng: Rng, position: Position, shape: Shape) -> Group:
    """The hand by suits in two rows, the second one below the first or over its lower part."""
    cards = sorted((parse_card(word) for word in position["hand"]), key=lambda card: card.index)
    half = len(cards) if len(cards) < 4 else (len(cards) + 1) // 2
    step = _step(shape.aside(rng.uniform(0.22, 0.5)), rng.normal(0, 0.01))
    low = shape.down(rng.uniform(0.5, 0.9)) if rng.random() < 0.5 else shape.aspect + rng.uniform(0.03, 0.2)
    rows = [_trail(rng, part, "hand", [step], 0.02) for part in (cards[:half], cards[half:])]
    return _line(rng, rows, _step(0, low), 0.1)


def _fanned_hand(rng: Rng, position: Position, shape: Shape) -> Group:
    cards = cards_of(position["hand"])
    return list(_fan(rng, cards, "hand", shape).cards) if cards else []


def _makiaveli_seats(rng: Rng, position: Position, shape: Shape) -> Group:
    """Every player's melds lie before them and face them, round the deck; others' hands may lie face down."""
    ways: Sequence[Way] = (_overlapped, _overlapped, _upright, _fan, _side_by_side)
    seats = [_SIDES[int(k)] for k in rng.permutation(4)[: int(rng.integers(2, 5))]]
    shares: list[list[Block]] = [[] for _ in seats]
    for block in _melds(rng, position, shape, ways, ways[:4], ways[:2]):
        _pick(rng, shares).append(block)
    table = _deck_and_cross(rng, position, shape, rng.uniform(-0.2, 0.35))
    for (side, angle), blocks in zip(seats, shares, strict=True):
        gaps = (rng.uniform(0.15, 0.5), rng.uniform(0.1, 0.4))
        wide = rng.uniform(2, 3.2) * np.sqrt(len(blocks)) + 2
        cards = turned(in_lines(rng, blocks, wide, gaps)[0], angle + rng.normal(0, 0.05))
        table = beside(table, cards, shape, side, rng.uniform(0.1, 0.6), rng.uniform(0.25, 0.75))
        if side != "near" and rng.random() < 0.3:
            backs = _fan(rng, [None] * int(rng.integers(3, 10)), "none", shape)
            table = beside(table, turned(backs.cards, angle), shape, side, rng.uniform(0.2, 0.8), rng.uniform(0, 1))
    hand = _fanned_hand(rng, position, shape)
    return beside(table, hand, shape, "near", rng.uniform(0.4, 1), rng.uniform(0.2, 0.8))


def _makiaveli_amphitheatre(rng: Rng, position: Position, shape: Shape) -> Group:
    """Melds in arcs that face one player; the hand at the right or in the middle, the deck at the left."""
    ways: Sequence[Way] = (_upright, _overlapped, _fan) if rng.random() < 0.5 else (_upright,)
    blocks = _melds(rng, position, shape, ways, ways, ways)
    inner, arc = rng.uniform(3, 5), rng.uniform(0.7, 1.05) * np.pi
    table = _in_arcs(rng, blocks, inner, arc, rng.uniform(0.08, 0.2))
    hand = _sorted_hand(rng, position, shape) if rng.random() < 0.5 else _fanned_hand(rng, position, shape)
    corner = _deck_and_cross(rng, position, shape, rng.uniform(-0.1, 0.3))
    if rng.random() < 0.5:
        table = beside(table, hand, shape, "right", rng.uniform(0.2, 0.6), rng.uniform(0.7, 1.1))
        return beside(table, corner, shape, "left", rng.uniform(0.3, 0.8), rng.uniform(0.1, 1))
    near = beside(corner, hand, shape, "right", rng.uniform(0.5, 1.5), rng.uniform(0.5, 1))
    return beside(table, near, shape, "near", rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.7))


def _makiaveli_plus(rng: Rng, position: Position, shape: Shape) -> Group:
    """Sets as pluses and windmills, runs as stairs, anywhere about the table; the deck at its left or right."""
    blocks = _melds(rng, position, shape, (_plus, _plus, _stairs), (_stairs,), (_stairs, _folded))
    blocks = [block.turned(rng.normal(0, 0.12), shape.aspect) for block in blocks]
    wide = rng.uniform(3, 4) * np.sqrt(len(blocks)) + 2
    table, _ = in_lines(rng, blocks, wide, (rng.uniform(0.25, 0.5), rng.uniform(0.2, 0.5)), careless=0.05)
    # Apart from the melds: a windmill beside the deck would look like a second cross.
    corner = _deck_and_cross(rng, position, shape, rng.uniform(-0.2, 0.3))
    table = beside(table, corner, shape, _pick(rng, ("left", "right")), rng.uniform(0.6, 1.4), rng.uniform(0, 1))
    return beside(table, _sorted_hand(rng, position, shape), shape, "near", rng.uniform(0.3, 0.9), rng.uniform(0, 1))


def _makiaveli_edge(rng: Rng, position: Position, shape: Shape) -> Group:
    """Little room: lines pushed together, long runs folded, the deck at a far corner with its cross half under it."""
    usual: Sequence[Way] = (_overlapped, _overlapped, _side_by_side)
    blocks = _melds(rng, position, shape, usual, (_overlapped,), (_folded,))
    gaps = (rng.uniform(0.06, 0.25), rng.uniform(0.02, 0.15))
    table, _ = in_lines(rng, blocks, rng.uniform(1.8, 2.8) * np.sqrt(len(blocks)) + 2, gaps)
    corner = turned(_deck_and_cross(rng, position, shape, rng.uniform(-0.45, -0.05)), rng.normal(0, 0.1))
    side: Side = _pick(rng, ("far", "far", "left"))
    table = beside(table, corner, shape, side, rng.uniform(0.15, 0.6), rng.choice([0.0, 1.0]))
    return beside(table, _sorted_hand(rng, position, shape), shape, "near", rng.uniform(0.2, 0.6), rng.uniform(0, 1))


def _makiaveli_no_deck(rng: Rng, position: Position, shape: Shape) -> Group:
    """Neither deck nor cross: melds as columns in a row, the hand as a column or fan at the right."""
    blocks = _melds(rng, position, shape, (_upright,), (_upright, _upright, _stairs), (_upright,))
    table, _ = in_lines(rng, blocks, rng.uniform(6, 12), (rng.uniform(0.05, 0.4), rng.uniform(0.1, 0.5)))
    cards = cards_of(position["hand"])
    hand = [*_upright(rng, cards, "hand", shape).cards] if rng.random() < 0.5 else _fanned_hand(rng, position, shape)
    side: Side = _pick(rng, ("right", "right", "left"))
    return beside(table, hand, shape, side, rng.uniform(0.6, 1.5), rng.uniform(0.3, 1))


def _without_cross(rng: Rng) -> Position:
    while True:
        position = {**random_position(rng), "cross": [None] * 4}
        if not position_from_json(position).problems():
            return position


# Napoleon's Tombs

_GRID_CORNERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_GRID_EDGES: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))


def _top(rng: Rng, pile: Any, zone: str) -> Group:
    """The top of a pile, which may be a list, a single word or nothing."""
    words = [pile] if isinstance(pile, str) else pile
    return _jitter(rng, lay_pile(rng, cards_of(words)[-1], zone), 0.01, 0.02) if words else []


def _tops(rng: Rng, position: Position, field: str) -> list[Group]:
    """The tops of a field's piles; `wastes` lie in the zones `waste/0`, `waste/1` and so on."""
    return [_top(rng, pile, f"{field.removesuffix('s')}/{k}") for k, pile in enumerate(position[field])]


def _grid(
    rng: Rng, position: Position, step: Step, careless: float, diagonal: float = 0.0, sideways: bool = False
) -> Group:
    """The nine places of either Tomb; corners may point outwards, the cards left and right of the centre lie across."""
    if position["game"] == "tomb_single":
        corners, edges = _tops(rng, position, "corners"), _tops(rng, position, "spares")
    else:
        counts = [(suit, position["foundations"][suit]) for suit in rng.permutation(list(SUIT_CHARS))]
        corners = [_top(rng, foundation_top(suit, n, from_king=True), f"foundation/{suit}") for suit, n in counts]
        edges = _tops(rng, position, "reserves")
    placed = _top(rng, position["centre"], "centre")
    for (x, y), pile in zip(_GRID_CORNERS, corners, strict=True):
        placed += moved(turned(pile, -diagonal * x * y), x * step[0], y * step[1])
    for (x, y), pile in zip(_GRID_EDGES, edges, strict=True):
        placed += moved(turned(pile, _QUARTER * x if sideways else 0.0), x * step[0], y * step[1])
    return _jitter(rng, placed, careless, careless)


def _pointed_grid(rng: Rng, position: Position, shape: Shape) -> Group:
    """Corners at an angle, as patience books draw the tomb."""
    sideways = rng.random() < 0.5
    reach = (shape.aspect + 1) / 2
    step = _step((1.55 if sideways else 1.38) + rng.uniform(0, 0.3), reach + 0.35 + rng.uniform(0, 0.3))
    return _grid(rng, position, step, rng.uniform(0.01, 0.05), rng.uniform(0.6, 0.95), sideways)


def _side_piles(rng: Rng, position: Position) -> list[Group]:
    """Spare six, discard pile and deck of the small Tomb, those that are there, in any order."""
    piles = [_top(rng, position[name], name) for name in ("spare_six", "discard")]
    piles += [_mound(rng, "deck")] if position.get("deck", ["??"]) else []
    return [piles[int(k)] for k in rng.permutation(len(piles)) if piles[int(k)]]


def _single_below(rng: Rng, position: Position, shape: Shape) -> Group:
    """The grid touches; side piles as a row below or above."""
    grid = _grid(rng, position, _step(1, shape.aspect), rng.uniform(0.005, 0.02))
    row = _line(rng, _side_piles(rng, position), _step(1 + rng.uniform(0.05, 0.9), 0), 0.1)
    side: Side = "near" if rng.random() < 0.75 else "far"
    return beside(grid, row, shape, side, rng.uniform(0.25, 1), rng.uniform(-0.1, 1.1))


def _single_pointed(rng: Rng, position: Position, shape: Shape) -> Group:
    """Corners at an angle; side piles as a column at the left or right, leaning."""
    step = _step(rng.normal(0, 0.15), shape.aspect + rng.uniform(0.05, 0.6))
    column = _line(rng, _side_piles(rng, position), step, 0.08)
    side: Side = _pick(rng, ("left", "right"))
    return beside(_pointed_grid(rng, position, shape), column, shape, side, rng.uniform(0.3, 1.2), rng.uniform(0, 1))


def _single_loose(rng: Rng, position: Position, shape: Shape) -> Group:
    """A wide careless grid; every side pile lies somewhere else round it, the deck perhaps in the hand."""
    step = _step(1.3 + rng.uniform(0, 0.6), shape.aspect + rng.uniform(0.2, 0.6))
    table = _grid(rng, position, step, rng.uniform(0.04, 0.12), sideways=rng.random() < 0.3)
    for pile, side in zip(_side_piles(rng, position), rng.permutation(["left", "right", "near"]), strict=False):
        if pile[0].zone != "deck" or rng.random() > 0.2:
            pile = turned(pile, rng.normal(0, 0.15))
            table = beside(table, pile, shape, side, rng.uniform(0.3, 1.5), rng.uniform(0, 1))
    return table


def _double_arc(rng: Rng, position: Position, shape: Shape) -> Group:
    """Wastes in an arc below the grid or above, the stock in its bend or at its end; the tableau at a side."""
    step = _step(1.05 + rng.uniform(0, 0.35), shape.aspect + rng.uniform(0.05, 0.35))
    tableau = _line(rng, _tops(rng, position, "tableau"), _step(0, shape.aspect + rng.uniform(0.02, 0.2)), 0.05)
    table = _grid(rng, position, step, rng.uniform(0.01, 0.05))
    side: Side = _pick(rng, ("left", "right"))
    table = beside(table, tableau, shape, side, rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.8))
    radius, pitch = rng.uniform(2.5, 5), rng.uniform(1.25, 1.5)
    smile = float(rng.choice([-1, 1]))
    arc = Group()
    for k, pile in enumerate(_tops(rng, position, "wastes")):
        arc += turned(moved(pile, 0, smile * radius), smile * (2 - k) * pitch / radius)
    stock = moved(_stock(rng, position), 0, smile * (radius - shape.aspect - rng.uniform(0.2, 0.6)))
    arc = [*arc, *stock] if rng.random() < 0.3 and radius > 3 else beside(arc, stock, shape, "left", 0.3, 0.8)
    across: Side = "near" if rng.random() < 0.75 else "far"
    return beside(table, arc, shape, across, rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.7))


def _double_column(rng: Rng, position: Position, shape: Shape) -> Group:
    """The grid touches; wastes as a column at one side with the stock at its end, the tableau a row above or below."""
    tableau = _line(rng, _tops(rng, position, "tableau"), _step(1 + rng.uniform(0.01, 0.3), 0), 0.04)
    table = _grid(rng, position, _step(1.03, shape.aspect + 0.03), rng.uniform(0.005, 0.02))
    level: Side = _pick(rng, ("far", "near"))
    table = beside(table, tableau, shape, level, rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.8))
    down = _step(rng.normal(0, 0.05), shape.aspect + rng.uniform(0.03, 0.2))
    column = _line(rng, _tops(rng, position, "wastes"), down, 0.05)
    column = beside(column, _stock(rng, position), shape, _pick(rng, ("far", "near")), rng.uniform(0.1, 0.4), 0.5)
    side: Side = _pick(rng, ("left", "right"))
    return beside(table, column, shape, side, rng.uniform(0.3, 0.9), rng.uniform(0, 1))


def _double_pointed(rng: Rng, position: Position, shape: Shape) -> Group:
    """Corners at an angle; the tableau a block of four at a side, wastes a slanting row above or below, stock apart."""
    four = _tops(rng, position, "tableau")
    pairs = [_line(rng, four[k : k + 2], _step(1 + rng.uniform(0.02, 0.2), 0)) for k in (0, 2)]
    block = _line(rng, pairs, _step(0, shape.aspect + rng.uniform(0.02, 0.2)))
    side, other = _pick(rng, _OPPOSITE)
    table = beside(_pointed_grid(rng, position, shape), block, shape, side, rng.uniform(0.3, 1), rng.uniform(0, 1))
    table = beside(table, _stock(rng, position), shape, other, rng.uniform(0.3, 1.5), rng.uniform(0, 1))
    row = _line(rng, _tops(rng, position, "wastes"), _step(1 + rng.uniform(0.05, 0.4), rng.normal(0, 0.08)), 0.05)
    return beside(table, row, shape, _pick(rng, ("far", "near")), rng.uniform(0.2, 0.7), rng.uniform(0.2, 0.8))


# No game of ours


def _pack(rng: Rng, decks: int = 1) -> list[Card]:
    """Shuffled cards."""
    cards = deck(decks)
    return [cards[int(k)] for k in rng.permutation(len(cards))]


def _hidden(rng: Rng, cards: Sequence[Card], chance: float) -> list[Card | None]:
    """Cards, each with a chance to lie face down."""
    return [None if rng.random() < chance else card for card in cards]


def _crossed_tricks(rng: Rng, count: int) -> Group:
    """Tricks won, face down, each one across the one before."""
    backs = [LaidCard(None, 0.45 * k, 0.0, _QUARTER * (k % 2)) for k in range(count)]
    return _jitter(rng, backs, 0.08, 0.12)


def _poker(rng: Rng, _: Position, shape: Shape) -> Group:
    """Community cards, two before each player, shown, hidden or thrown away; a deck and a burnt card perhaps."""
    cards = _pack(rng)
    board = [cards.pop() for _ in range(int(rng.choice([0, 3, 4, 5, 5])))]
    placed = _trail(rng, board, "none", [_step(rng.uniform(0.85, 1.25), rng.normal(0, 0.02))], 0.04)
    placed = moved(placed, -len(board) / 2 + 0.5, 0)
    if rng.random() < 0.6:
        placed += moved(_jitter(rng, _mound(rng, "none"), 0.2, 0.4), -4.2, rng.uniform(-0.5, 0.5))
    mucked = [LaidCard(None, rng.normal(2.5, 0.5), rng.normal(-1.6, 0.3), rng.uniform(-3, 3)) for _ in range(12)]
    placed += mucked[: int(rng.integers(0, 9))]
    players, reach = int(rng.integers(2, 8)), (rng.uniform(5, 7), rng.uniform(3.2, 4.2))
    showdown, turn = rng.uniform(0, 1), rng.uniform(0, 2 * np.pi)
    for k in range(players):
        seat = (turn if players > 2 else 0.0) + 2 * np.pi * k / players + rng.normal(0, 0.1)
        two = _hidden(rng, [cards.pop(), cards.pop()], 0.0 if rng.random() < showdown else 1.0)
        held = _trail(rng, two, "none", [_step(rng.uniform(0.3, 1.1), rng.normal(0, 0.08))], 0.12)
        placed += moved(turned(held, seat), -reach[0] * np.sin(seat), reach[1] * np.cos(seat))
    return placed


def _with_backs_beside(rng: Rng, table: Group, held: int, shape: Shape) -> Group:
    """A table with the fans of the players at its sides, whose backs are seen; now and then one holds none."""
    for side, angle in (_SIDES[1], _SIDES[3]):
        if rng.random() < 0.7:
            backs = turned(_fan(rng, [None] * held, "none", shape).cards, angle)
            table = beside(table, backs, shape, side, rng.uniform(0.3, 1), rng.uniform(0.3, 0.9))
    return table


def _bridge(rng: Rng, _: Position, shape: Shape) -> Group:
    """Dummy's suits as columns, a trick in the middle, one's own fan, others' backs and tricks won."""
    cards = _pack(rng)
    played = int(rng.integers(0, 11))
    hand, dummy = (sorted((cards.pop() for _ in range(13 - played)), key=lambda c: -c.index) for _ in range(2))
    suits = [[card for card in dummy if card.suit == suit] for suit in rng.permutation(4)]
    down = _step(0, shape.down(rng.uniform(0.25, 0.5)))
    table = _line(rng, [_trail(rng, suit, "none", [down], 0.03) for suit in suits], _step(rng.uniform(1.05, 1.5), 0))
    table = turned(table, np.pi if rng.random() < 0.3 else 0.0)
    trick = _thrown(rng, [cards.pop() for _ in range(int(rng.integers(0, 5)))])
    table = beside(table, trick, shape, "near", rng.uniform(0.2, 0.8), rng.uniform(0.35, 0.65))
    table = _with_backs_beside(rng, table, 13 - played, shape)
    if rng.random() < 0.7:
        own = list(_fan(rng, hand, "none", shape).cards)
        table = beside(table, own, shape, "near", rng.uniform(0.4, 1), rng.uniform(0.35, 0.65))
    if played and rng.random() < 0.6:
        tricks = _crossed_tricks(rng, played)
        table = beside(table, tricks, shape, "near", rng.uniform(0.3, 0.8), rng.uniform(0, 1))
    return table


def _thrown(rng: Rng, cards: Sequence[Card]) -> Group:
    """A trick: every player's card before them, thrown towards the middle."""
    reach, first = rng.uniform(0.3, 1.0), int(rng.integers(4))
    placed = Group()
    for k, card in enumerate(cards):
        seat = (first + k) * _QUARTER
        placed.append(LaidCard(card, -reach * np.sin(seat), 1.15 * reach * np.cos(seat), float(seat)))
    return _jitter(rng, placed, 0.12, 0.25)


def _trick(rng: Rng, _: Position, shape: Shape) -> Group:
    """Hearts, skat and the like: a trick in the middle, tricks won beside, perhaps one's own fan."""
    cards = _pack(rng)
    table = _thrown(rng, [cards.pop() for _ in range(int(rng.integers(2, 5)))])
    for side, angle in (_SIDES[int(k)] for k in rng.permutation(4)[: int(rng.integers(0, 4))]):
        won = turned(_crossed_tricks(rng, int(rng.integers(1, 7))), angle)
        table = beside(table, won, shape, side, rng.uniform(0.6, 1.8), rng.uniform(0, 1))
    if rng.random() < 0.7:
        hand = sorted((cards.pop() for _ in range(int(rng.integers(3, 14)))), key=lambda card: card.index)
        table = beside(table, list(_fan(rng, hand, "none", shape).cards), shape, "near", rng.uniform(0.5, 1.2), 0.5)
    return table


def _memory(rng: Rng, _: Position, shape: Shape) -> Group:
    """Backs in lines or strewn, pairs taken away, up to two cards turned up."""
    cards = _pack(rng)
    across, down = int(rng.integers(4, 10)), int(rng.integers(3, 6))
    strewn = rng.random() < 0.4
    place, turn = (rng.uniform(0.05, 0.12), 0.6) if strewn else (0.03, 0.04)
    gap = (0.45, 0.25) if strewn else rng.uniform(0.05, 0.4, 2)
    step = _step(1 + gap[0], shape.aspect + gap[1])
    left = rng.permutation(across * down)[: int(rng.integers(6, across * down + 1))]
    up = set(left[: int(rng.integers(0, 3))].tolist())
    grid = [
        LaidCard(cards.pop() if k in up else None, k % across * step[0], k // across * step[1])
        for k in sorted(left.tolist())
    ]
    return _jitter(rng, grid, place, turn)


def _descending(cards: list[Card], count: int) -> list[Card]:
    """Takes up to `count` cards downwards in rank, in any suits."""
    run = [cards.pop()]
    while len(run) < count and (below := next((c for c in cards if c.rank == run[-1].rank - 1), None)):
        cards.remove(below)
        run.append(below)
    return run


def _patience_columns(rng: Rng, _: Position, shape: Shape) -> Group:
    """Spider (ten columns, backs, stock as heaps) or FreeCell (eight, all face up, cells and foundations above)."""
    spider = rng.random() < 0.5
    cards = _pack(rng, 2 if spider else 1)
    down = _step(0, shape.down(rng.uniform(0.22, 0.4)))
    columns = []
    for k in range(10 if spider else 8):
        backs = int(rng.integers(0, 6 - (k > 3))) if spider else 0
        dealt = max(0, 7 - (k > 3) - int(rng.poisson(1)))
        faces = _descending(cards, int(rng.geometric(0.35))) if spider else [cards.pop() for _ in range(dealt)]
        steps = [_step(0, rng.uniform(0.08, 0.2))] * backs + [down]
        columns.append(_trail(rng, [*[None] * backs, *faces], "none", steps, 0.02))
    table = _line(rng, columns, _step(1 + rng.uniform(0.04, 0.3), 0), rng.uniform(0, 0.08))
    if spider:
        heaps = _line(rng, [_mound(rng, "none") for _ in range(int(rng.integers(0, 6)))], _step(0.25, 0))
        side: Side = _pick(rng, ("near", "far", "right"))
        return beside(table, heaps, shape, side, rng.uniform(0.2, 0.8), rng.uniform(0, 1))
    top = [[LaidCard(cards.pop(), 0.0, 0.0)] if cards and rng.random() < 0.6 else [] for _ in range(8)]
    row = _line(rng, top, _step(1 + rng.uniform(0.02, 0.2), 0), 0.03)
    return beside(table, row, shape, "far", rng.uniform(0.15, 0.5), rng.uniform(0, 1))


def _pyramid_or_golf(rng: Rng, _: Position, shape: Shape) -> Group:
    """A pyramid of seven rows, or golf's seven columns of five; stock and waste below."""
    cards = _pack(rng)
    table = Group()
    if rng.random() < 0.55:
        across, low, gone = 1 + rng.uniform(0.03, 0.3), rng.uniform(0.4, 0.7) * shape.aspect, rng.uniform(0, 0.6)
        rows = int(rng.choice([6, 7, 7]))
        for row in range(rows):
            kept = [k for k in range(row + 1) if row < rows - 2 or rng.random() > gone]
            table += [LaidCard(cards.pop(), (k - row / 2) * across, row * low) for k in kept]
        table = _jitter(rng, table, 0.02, 0.03)
    else:
        down = _step(0, shape.down(rng.uniform(0.3, 0.6)))
        lengths = rng.integers(1, 6, 7) if rng.random() < 0.6 else np.full(7, 5)
        columns = [_trail(rng, [cards.pop() for _ in range(int(n))], "none", [down], 0.02) for n in lengths]
        table = _line(rng, columns, _step(1 + rng.uniform(0.05, 0.3), 0), 0.05)
    spread = [_step(rng.choice([0.02, shape.aside(0.3)]), 0)]
    waste = _trail(rng, [cards.pop() for _ in range(int(rng.integers(1, 6)))], "none", spread, 0.04)
    below = beside(_mound(rng, "none"), waste, shape, "right", rng.uniform(0.1, 0.5), 0.5)
    return beside(table, below, shape, "near", rng.uniform(0.2, 0.7), rng.uniform(0.1, 0.9))


def _ribbon(rng: Rng, _: Position, shape: Shape) -> Group:
    """A magician's spread, straight or bent, face up or down, with a card or two turned over or pulled out."""
    count, step = int(rng.integers(12, 49)), rng.uniform(0.08, 0.3)
    radius = rng.uniform(0.5, 3) * count * step
    back = rng.random() < 0.5
    cards = _pack(rng)
    odd = set(rng.permutation(count)[: int(rng.integers(0, 3))].tolist())
    placed, angle = Group(), -count * step / radius / 2
    for k in range(count):
        angle += step * rng.uniform(0.6, 1.4) / radius
        out = rng.uniform(0, 0.7) if k in odd else 0.0
        x, y = (radius + out) * np.sin(angle), radius - (radius + out) * np.cos(angle)
        face = None if back != (k in odd) else cards.pop()
        placed.append(LaidCard(face, float(x), float(y), angle + rng.normal(0, 0.015)))
    chosen = _jitter(rng, [LaidCard(cards.pop(), 0.0, 0.0) for _ in range(int(rng.integers(0, 4)))], 1.2, 0.4)
    ribbon = turned(placed, rng.normal(0, 0.15))
    return beside(ribbon, chosen, shape, "near", rng.uniform(0.3, 1.5), rng.uniform(0, 1))


def _fortune(rng: Rng, _: Position, shape: Shape) -> Group:
    """A fortune teller's spread: a cross with a staff beside it, a horseshoe or a star; some cards yet to be turned."""
    tall, gap = shape.aspect, rng.uniform(0.1, 0.5)
    kind = rng.integers(3)
    if kind == 0:
        side = (tall + 1) / 2 + gap
        places = [(0, 0, 0.0), (0, 0, _QUARTER), (0, tall + gap, 0.0), (-side, 0, 0.0), (0, -tall - gap, 0.0)]
        places += [(side, 0, 0.0), *((side + 1 + gap, (1.5 - k) * (tall + 0.1), 0.0) for k in range(4))]
    else:
        count = int(rng.integers(5, 13))
        whole = 2 * np.pi if kind == 1 else 1.3 * np.pi
        radius = count * (1.25 + gap) / whole + 0.3
        leaning = rng.random() < 0.6
        angles = [(k - (count - 1) / 2) * whole / count for k in range(count)]
        places = [(radius * np.sin(a), -radius * np.cos(a), a if leaning else 0.0) for a in angles]
        places += [(0, 0, 0.0)] * int(rng.random() < 0.5)
    cards = _hidden(rng, _pack(rng), float(rng.choice([0.0, 0.0, 0.3, 0.7])))
    # A fortune teller's cards may stand on their heads.
    cards_turns = [a + np.pi * (rng.random() < 0.2) for _, _, a in places]
    spread = [LaidCard(cards[k], float(x), float(y), cards_turns[k]) for k, (x, y, _) in enumerate(places)]
    return _jitter(rng, spread, 0.04, 0.04)


def _family(name: str, lay: Callable[[Rng, Position, Shape], Sequence[LaidCard]], **more: Any) -> Family:
    game = name.split("/")[0]
    return Family(name, None if game == "none" else game, lay, **more)


FAMILIES: Final[tuple[Family, ...]] = (
    _family("klondike/foundations beside", _klondike_side),
    _family("klondike/stock between foundations", _klondike_between),
    _family("klondike/arc", _klondike_arc),
    _family("klondike/squared", _klondike_squared),
    _family("klondike/rows", _klondike_rows),
    _family("makiaveli/seats", _makiaveli_seats),
    _family("makiaveli/amphitheatre", _makiaveli_amphitheatre),
    _family("makiaveli/plus", _makiaveli_plus),
    _family("makiaveli/deck at the edge", _makiaveli_edge),
    _family("makiaveli/columns without a deck", _makiaveli_no_deck, position=_without_cross),
    _family("tomb_single/piles below", _single_below),
    _family("tomb_single/pointed corners", _single_pointed),
    _family("tomb_single/loose", _single_loose),
    _family("tomb_double/wastes in an arc", _double_arc),
    _family("tomb_double/wastes in a column", _double_column),
    _family("tomb_double/pointed corners", _double_pointed),
    _family("none/poker", _poker),
    _family("none/bridge", _bridge),
    _family("none/trick", _trick),
    _family("none/memory", _memory),
    _family("none/spider or freecell", _patience_columns),
    _family("none/pyramid or golf", _pyramid_or_golf),
    _family("none/ribbon", _ribbon),
    _family("none/fortune", _fortune),
)
