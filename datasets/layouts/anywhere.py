"""Tables of no fixed plan: each zone laid out in some way of its own, wherever there is room.

The other families say how people usually lay a game. These draw each choice by itself, so that a model learns from what
lies on, beside and with what a card is, and not at which place of a known plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from datasets.games.game import Position
from datasets.layouts import klondike, makiaveli, no_game, tombs
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
    turned,
)
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng
from solver.cards import RANK_CHARS, Card

Side = Literal["far", "near", "left", "right"]
SIDES: Final[tuple[Side, ...]] = ("far", "near", "left", "right")

Box = tuple[float, float, float, float]


def around(
    rng: Rng, core: Sequence[LaidCard], blocks: Sequence[tuple[Block, Side | None]], aspect: float
) -> list[LaidCard]:
    """Blocks about what lies already: each beside a side of it, as near as the blocks before it leave room.

    Args:
        rng: Random generator.
        core: What lies already.
        blocks: What to lay, and at which side; None for any.
        aspect: A card's height.
    """
    placed = list(core)
    middle = _box(core, aspect)
    taken = [middle]
    for block, wanted in blocks:
        side = wanted or SIDES[int(rng.integers(4))]
        gap = float(rng.gamma(2.0, 0.2) + 0.08)
        along = float(rng.uniform(-0.1, 1.1) if rng.random() < 0.7 else rng.choice([0.0, 0.5, 1.0]))
        x = middle[0] + along * (middle[2] - middle[0] - block.width)
        y = middle[1] + along * (middle[3] - middle[1] - block.height)
        for step in np.arange(gap, 60, 0.25):
            if side in ("far", "near"):
                y = middle[1] - step - block.height if side == "far" else middle[3] + step
            else:
                x = middle[0] - step - block.width if side == "left" else middle[2] + step
            own = (x - 0.05, y - 0.05, x + block.width + 0.05, y + block.height + 0.05)
            if not any(_overlap(own, other) for other in taken):
                break
        taken.append((x, y, x + block.width, y + block.height))
        placed += block.at(x, y)
    return placed


def arrange(rng: Rng, piles: Sequence[Sequence[LaidCard]], shape: Shape) -> Block:
    """A few piles, each at the origin, laid as a row, a column, two lines, a bow, or loosely.

    Piles stand in the order in which one reads them: left to right, then from the far end to the player.
    """
    kind = str(rng.choice(("row", "row", "row", "column", "lines", "bow")))
    gap = float(rng.uniform(-0.02, 0.06) if rng.random() < 0.3 else rng.gamma(2.0, 0.15) + 0.03)
    right, down = 1 + gap, shape.aspect + gap
    loose = float(rng.choice([0.01, 0.03, 0.1]))
    bow = rng.uniform(0.03, 0.2) * rng.choice([-1, 1])
    per_line = max(1, (len(piles) + 1) // 2)
    cards: list[LaidCard] = []
    for k, pile in enumerate(piles):
        x, y = k * right, 0.0
        if kind == "column":
            x, y = 0.0, k * down
        elif kind == "lines":
            x, y = (k % per_line) * right, (k // per_line) * down
        elif kind == "bow":
            y = float(bow * (k - (len(piles) - 1) / 2) ** 2)
        cards += moved(pile, x + rng.normal(0, loose), y + rng.normal(0, loose))
    return boxed(cards, shape.aspect)


def _box(cards: Sequence[LaidCard], aspect: float) -> Box:
    return extent(cards, aspect) if cards else (0.0, 0.0, 0.0, 0.0)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _turn(rng: Rng) -> float:
    """How the cards of a zone are turned: mostly upright, some sideways, a few anyhow."""
    kind = rng.random()
    if kind < 0.8:
        return 0.0
    return float(rng.choice([-np.pi / 2, np.pi / 2]) if kind < 0.92 else rng.uniform(-np.pi, np.pi))


def _pile(rng: Rng, word: str | None, zone: str, turn: float, under: int = 0) -> list[LaidCard]:
    """A pile's top at the origin, with the edges of so many cards below it."""
    loose = float(rng.choice([0.008, 0.015, 0.06]))
    return turned(lay_pile(rng, cards_of([word])[0], zone, under, loose), turn)


def lay_klondike(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Columns side by side; foundations, stock and waste about them."""
    style = klondike.Style(
        stock="none",
        columns=str(rng.choice(["overlapped", "overlapped", "mixed steps", "faces clear"])),  # type: ignore[arg-type]
        careless=float(rng.choice([1.0, 2.0, 4.0])),
    )
    gap = 1 + float(rng.uniform(0.0, 0.06) if rng.random() < 0.2 else rng.gamma(2.0, 0.16) + 0.04)
    columns = klondike.lay_columns(rng, position, shape, style, gap)[1]
    core = _columns_arranged(rng, columns, shape, gap)
    blocks: list[tuple[Block, Side | None]] = []
    turn = _turn(rng)
    suits = [suit for suit in rng.permutation(list("CDHS")) if position["foundations"][suit]]
    tops = [RANK_CHARS[position["foundations"][suit] - 1] + suit for suit in suits]
    if tops:
        piles = [_pile(rng, top, f"foundation/{top[1]}", turn, int(rng.integers(0, 2))) for top in tops]
        side: Side | None = "far" if rng.random() < 0.5 else None
        blocks.append((arrange(rng, piles, shape), side))
    blocks += _stock_and_waste(rng, position, shape)
    order = rng.permutation(len(blocks))
    return around(rng, core, [blocks[k] for k in order], shape.aspect)


def _columns_arranged(rng: Rng, cards: Sequence[LaidCard], shape: Shape, gap: float) -> list[LaidCard]:
    """Columns side by side, in two lines, in a bow, or each as a row of its own that grows to the right."""
    by_zone = {f"column/{k}": [card for card in cards if card.zone == f"column/{k}"] for k in range(7)}
    start = float(rng.choice([0.0, 0.05, 0.3]))  # how unevenly the columns begin
    kind = str(rng.choice(["side by side", "two lines", "bow", "rows"], p=[0.7, 0.1, 0.12, 0.08]))
    lean = float(rng.choice([0.0, 0.02, 0.06]))
    upper = int(rng.integers(3, 5))
    angle, bulge = rng.uniform(0.03, 0.2), rng.choice([-1, 1])
    turning = rng.choice([0.0, 1.0, 1.0]) * bulge
    result: list[LaidCard] = []
    line = 0.0
    for number, own in enumerate(by_zone.values()):
        if not own:
            continue
        x, y = own[0].x, own[0].y
        column = moved(own, -x, -y)
        y += float(abs(rng.normal(0, start)))
        if kind == "two lines":
            if number >= upper:
                line = line or max((card.y for card in result), default=0.0) + shape.aspect * rng.uniform(1.05, 1.4)
                x, y = x - gap * upper, y - own[0].y + line
        elif kind == "bow":
            place = (number - 3) * angle
            x, y = gap / angle * np.sin(place), y + bulge * gap / angle * (1 - np.cos(place))
            column = turned(column, place * turning)
        elif kind == "rows":
            faces = shape.aside(rng.uniform(0.25, 0.5)) / shape.down(0.0)
            column = [replace(card, x=card.y * max(faces, 0.5), y=card.x) for card in column]
            x, y = start * rng.normal(), number * (shape.aspect + gap - 1)
        result += moved(turned(column, float(rng.normal(0, lean))), x, y)
    return result


def _stock_and_waste(rng: Rng, position: Position, shape: Shape) -> list[tuple[Block, Side | None]]:
    """Stock and waste, in most cases beside each other."""
    blocks: list[tuple[Block, Side | None]] = []
    stock: list[LaidCard] = []
    if position["stock"] and rng.random() < 0.85:
        stock = _pile(rng, None, "stock", _turn(rng), int(rng.integers(0, 3)))
    seen = cards_of(position["waste"])[-int(rng.integers(1, 4)) :]
    if not seen:
        return [(boxed(stock, shape.aspect), None)] if stock else []
    waste = _waste(rng, seen, shape)
    side: Side | None = "far" if rng.random() < 0.35 else None
    if not stock or rng.random() < 0.25:
        return [(waste, None), *([(boxed(stock, shape.aspect), side)] if stock else [])]
    beside = SIDES[int(rng.choice(4, p=[0.1, 0.25, 0.2, 0.45]))]
    both = boxed(around(rng, boxed(stock, shape.aspect).cards, [(waste, beside)], shape.aspect), shape.aspect)
    blocks.append((both, side))
    return blocks


def _waste(rng: Rng, seen: Sequence[Card | None], shape: Shape) -> Block:
    """The waste as a pile, of which the last card is seen, or its cards in a row, a column or a fan."""
    step = shape.aside(rng.uniform(0.2, 0.5))
    kind = str(rng.choice(["pile", "row", "row", "column", "fan"]))
    if kind == "pile" or len(seen) == 1:
        return boxed(_pile(rng, str(seen[-1]), "waste", 0.0, int(rng.integers(0, 3))), shape.aspect)
    if kind == "row":
        return lay_row(rng, seen, "waste", shape, step)
    if kind == "column":
        return lay_column(rng, seen, "waste", shape, [shape.down(rng.uniform(0.25, 0.5))])
    return lay_fan(rng, seen, "waste", shape, rng.uniform(1.6, 3.0) * shape.aspect)


def _floor(rng: Rng, melds: Sequence[Block], shape: Shape) -> list[LaidCard]:
    """Melds in lines, or wherever there is room."""
    if rng.random() >= 0.6:
        return apart(rng, melds, shape.aspect, rng.uniform(1.3, 3.0), float(rng.choice([0.1, 0.5, np.pi])))
    area = sum((meld.width + 0.4) * (meld.height + 0.3) for meld in melds)
    limit = max([float(np.sqrt(area * rng.uniform(1.0, 3.5))), *(meld.width + 0.3 for meld in melds)])
    gap = rng.uniform(0.03, 0.9), rng.uniform(0.03, 0.7)
    return in_lines(rng, melds, limit, gap, careless=float(rng.choice([0.03, 0.15])))[0]


def lay_makiaveli(rng: Rng, position: Position, shape: Shape, deck: bool = True) -> list[LaidCard]:
    """Melds each in a way of its own; the deck with its cross among them or beside; a hand at some side."""
    chances = tuple(rng.dirichlet(np.full(len(makiaveli.MELDS), 0.6)))
    quarters = float(rng.choice([0.0, 0.0, 0.2, 0.6]))
    blocks = []
    for number, meld in enumerate(position["floor"]):
        block = makiaveli.lay_meld(rng, meld, f"floor/{number}", shape, chances)
        if rng.random() < quarters:
            block = block.turned(float(rng.choice([np.pi, np.pi / 2, -np.pi / 2])), shape.aspect)
        elif rng.random() < 0.2:
            block = block.turned(float(rng.normal(0, 0.25)), shape.aspect)
        blocks.append(block)
    middle = makiaveli.lay_cross(rng, position, {}, shape) if deck else None
    if middle is not None and rng.random() < 0.6:
        blocks.insert(int(rng.integers(0, len(blocks) + 1)), middle)
        middle = None
    core = _floor(rng, blocks, shape)
    others: list[tuple[Block, Side | None]] = []
    hand = cards_of(position["hand"])
    if hand:
        side = SIDES[int(rng.choice(4, p=[0.12, 0.64, 0.12, 0.12]))]
        others.append((_hand(rng, hand, shape, side), side))
    if middle is not None:
        others.insert(int(rng.integers(0, len(others) + 1)), (middle, None))
    return around(rng, core, others, shape.aspect)


def _hand(rng: Rng, cards: Sequence[Card | None], shape: Shape, side: Side) -> Block:
    """A hand as it lies before somebody at that side, who may have turned it to the camera."""
    kind = str(rng.choice(["row", "row", "fan", "column", "two rows", "single"]))
    step = shape.aside(rng.uniform(0.2, 0.5))
    if kind == "fan" and len(cards) > 1:
        block = lay_fan(rng, cards, "hand", shape, rng.uniform(1.5, 3.2) * shape.aspect)
    elif kind == "column":
        block = lay_column(rng, cards, "hand", shape, [shape.down(rng.uniform(0.28, 0.5))])
    elif kind == "two rows" and len(cards) > 3:
        half = int(rng.integers(2, len(cards) - 1))
        rows = [lay_row(rng, part, "hand", shape, step) for part in (cards[:half], cards[half:])]
        under = shape.down(rng.uniform(0.4, 1.5))
        block = boxed([*rows[0].cards, *moved(rows[1].cards, rng.normal(0, 0.3), under)], shape.aspect)
    else:
        block = lay_row(rng, cards, "hand", shape, step if kind != "single" else rng.uniform(1.02, 1.3))
    turn = {"far": np.pi, "near": 0.0, "left": np.pi / 2, "right": -np.pi / 2}[side]
    return block.turned(turn, shape.aspect) if turn and rng.random() < 0.6 else block


def lay_tomb_single(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The grid, and spare sixes, discard and deck about it."""
    grid = tombs.lay_single(rng, {**position, "spare_six": [], "discard": [], "deck": []}, shape, _tomb_style(rng))
    piles = []
    for zone in ("spare_six", "discard", "deck"):
        cards = position.get(zone, ["??"])
        if cards:
            top = None if zone == "deck" else cards[-1]
            piles.append(_pile(rng, top, zone, _turn(rng), int(rng.integers(0, 3))))
    piles = [piles[k] for k in rng.permutation(len(piles))]
    parts = [piles] if rng.random() < 0.4 else [[pile] for pile in piles]
    blocks: list[tuple[Block, Side | None]] = [(arrange(rng, part, shape), None) for part in parts if part]
    return around(rng, _zones_turned(rng, grid), blocks, shape.aspect)


def lay_tomb_double(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The grid, and tableau, wastes and stock about it."""
    bare = {**position, "tableau": [[]] * 4, "wastes": [[]] * 5, "stock": []}
    grid = tombs.lay_double(rng, bare, shape, _tomb_style(rng))
    stock = [_pile(rng, None, "stock", _turn(rng), int(rng.integers(0, 3)))] if position["stock"] else []
    rows: dict[str, list[list[LaidCard]]] = {}
    for zone, name in (("tableau", "tableau"), ("waste", "wastes")):
        turn = _turn(rng)
        tops = [(number, pile[-1]) for number, pile in enumerate(position[name]) if pile]
        rows[zone] = [_pile(rng, top, f"{zone}/{number}", turn, int(rng.integers(0, 2))) for number, top in tops]
    if stock and rng.random() < 0.8:  # the stock at an end of the wastes
        rows["waste"] = [*stock, *rows["waste"]] if rng.random() < 0.7 else [*rows["waste"], *stock]
        stock = []
    blocks: list[tuple[Block, Side | None]] = [
        (arrange(rng, piles, shape), None) for piles in (*rows.values(), stock) if piles
    ]
    order = rng.permutation(len(blocks))
    return around(rng, _zones_turned(rng, grid), [blocks[k] for k in order], shape.aspect)


def _tomb_style(rng: Rng) -> tombs.Style:
    gap = float(rng.choice([0.0, 0.1, 0.5]))
    crooked = ((0.01, 0.03), (0.05, 0.12))[int(rng.random() < 0.3)]
    return tombs.Style(gap=(gap, gap + 0.5), crooked=crooked, piles=float(rng.choice([0.0, 0.5])))


def _zones_turned(rng: Rng, cards: Sequence[LaidCard]) -> list[LaidCard]:
    """Each kind of pile turned in a way of its own, as some lay the centre sideways; or each pile by itself."""
    turns: dict[str, float] = {}
    result = []
    singly = rng.random() < 0.15
    for card in cards:
        turn = turns.setdefault(card.zone if singly else card.zone.split("/")[0], _turn(rng))
        result.append(replace(card, angle=card.angle + turn))
    return result


def lay_no_game(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Rows, fans, columns, squares and piles of any cards, wherever there is room."""
    decks = 1 + (rng.random() < 0.3)
    cards: list[Card | None] = list(no_game.draw(rng, int(rng.integers(3, 52 * decks)), decks))
    if rng.random() < 0.35:
        cards = sorted(cards, key=lambda card: str(card)[:: int(rng.choice([-1, 1]))])
    backs = float(rng.choice([0.0, 0.0, 0.2, 0.6]))
    kinds = rng.dirichlet(np.full(5, 0.5))
    largest = int(rng.choice([2, 4, 7, 14]))
    blocks = []
    while cards:
        count = int(rng.integers(1, largest + 1))
        part, cards = cards[:count], cards[count:]
        shown = [None if rng.random() < backs else card for card in part]
        blocks.append(_block(rng, int(rng.choice(5, p=kinds)), shown, shape))
    return _strewn(rng, blocks, shape)


def _strewn(rng: Rng, blocks: Sequence[Block], shape: Shape) -> list[LaidCard]:
    """Blocks of any cards in lines, or wherever there is room."""
    if rng.random() >= 0.5:
        return apart(rng, blocks, shape.aspect, rng.uniform(1.2, 3.0), float(rng.choice([0.1, 0.5, np.pi])))
    area = sum((block.width + 0.4) * (block.height + 0.3) for block in blocks)
    limit = max([float(np.sqrt(area * rng.uniform(0.8, 3.5))), *(block.width for block in blocks)])
    return in_lines(rng, blocks, limit, (rng.uniform(0.0, 0.9), rng.uniform(0.0, 0.9)))[0]


def _block(rng: Rng, kind: int, cards: Sequence[Card | None], shape: Shape) -> Block:
    """Any cards as a row (kind 0), a fan, a column, a square, or a pile of which only the first is seen."""
    if kind == 0:
        step = rng.uniform(1.0, 1.3) if rng.random() < 0.4 else shape.aside(rng.uniform(0.2, 0.5))
        return lay_row(rng, cards, no_game.NONE, shape, step)
    if kind == 1:
        return lay_fan(rng, cards, no_game.NONE, shape, rng.uniform(1.5, 3.5) * shape.aspect)
    if kind == 2:
        steps = [shape.down(rng.uniform(0.2, 1.2)) for _ in range(2)]
        return lay_column(rng, cards, no_game.NONE, shape, steps)
    if kind == 3:
        return lay_square(rng, cards, no_game.NONE, shape, int(rng.integers(2, 5)))
    return boxed(lay_pile(rng, cards[0], no_game.NONE, int(rng.integers(0, 4)), 0.03), shape.aspect)


def _family(game: str | None, lay: Any, weight: float, name: str = "anywhere", position: Any = None) -> Family:
    return Family(f"{game or 'no game'}/{name}", game, lay, weight=weight, position=position)


FAMILIES: Final = (
    _family("klondike", lay_klondike, 6.0),
    _family("klondike", lay_klondike, 5.0, "anywhere, late", klondike.late),
    _family("klondike", lay_klondike, 2.0, "anywhere, staged", klondike.staged),
    _family("klondike", lay_klondike, 1.0, "anywhere, fresh", klondike.fresh),
    _family("makiaveli", lay_makiaveli, 6.0),
    _family("makiaveli", lay_makiaveli, 1.5, "anywhere, few melds", makiaveli.few_melds),
    _family("makiaveli", partial(lay_makiaveli, deck=False), 2.0, "anywhere without a deck", makiaveli.without_deck),
    _family("tomb_single", lay_tomb_single, 5.0),
    _family("tomb_double", lay_tomb_double, 6.0),
    _family(None, lay_no_game, 8.0),
)
