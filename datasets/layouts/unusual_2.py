"""Families written by somebody who had not seen the others. They were held out from training until 2026-11-23."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Final

import numpy as np

from datasets.games.game import Position, foundation_top, shuffled
from datasets.layouts.blocks import (
    Block,
    Shape,
    beside,
    boxed,
    cards_of,
    extent,
    lay_card,
    lay_fan,
    lay_pile,
    moved,
    side_by_side,
    turned,
)
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng
from solver.cards import RANK_CHARS, SUIT_CHARS

Way = tuple[float, float]

CORNERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
EDGES: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))
"""Places in a grid of nine, numbered line by line from the far side."""


def _one(rng: Rng, word: str | None, zone: str, x: float, y: float, turn: float = 0.0) -> list[LaidCard]:
    """A card laid by hand; nothing without a word."""
    return lay_card(rng, word, zone, (x, y), turn, rng.uniform(0.003, 0.025))


def _backs(rng: Rng, zone: str, x: float, y: float, turn: float = 0.0, there: object = True) -> list[LaidCard]:
    """A pile face down, if it is there."""
    pile = lay_pile(rng, None, zone, int(rng.integers(0, 5)), rng.uniform(0.003, 0.012))
    return moved(turned(pile, turn + rng.normal(0, 0.02)), x, y) if there else []


def _strung(
    rng: Rng, words: Sequence[str], zone: str, ways: Sequence[Way], mess: float | None = None
) -> list[LaidCard]:
    """Cards one upon the other, the first at the origin; the last of `ways` goes on."""
    mess = float(rng.choice((0.004, 0.01, 0.018))) if mess is None else mess
    placed, x, y = [], 0.0, 0.0
    for k, card in enumerate(cards_of(words)):
        dx, dy = ways[min(k, len(ways) - 1)]
        aslant = rng.normal(0, mess / 2)
        across = (aslant, 0.0) if abs(dy) > abs(dx) else (0.0, aslant)
        placed.append(LaidCard(card, x + across[0], y + across[1], rng.normal(0, mess), zone))
        x, y = x + dx, y + dy
    return placed


def _shelves(rng: Rng, blocks: Sequence[Block], limit: float, gap: float, level: float = 0.5) -> list[LaidCard]:
    """Blocks in lines no wider than `limit`; level 0 hangs them from a line's far edge, 1 stands them on its near."""
    lines: list[list[tuple[float, Block]]] = [[]]
    x = 0.0
    for block in blocks:
        if lines[-1] and x + block.width > limit:
            lines.append([])
            x = 0.0
        lines[-1].append((x, block))
        x += block.width + gap * rng.uniform(1, 1.7)
    placed, y = list[LaidCard](), 0.0
    for line in lines:
        tall = max((block.height for _, block in line), default=0.0)
        end = max((x + block.width for x, block in line), default=0.0)
        slack = rng.uniform(0, 0.5) * max(0.0, limit - end)
        for x, block in line:
            placed += block.at(x + slack, y + level * (tall - block.height))
        y += tall + gap * rng.uniform(1, 1.5)
    return placed


def _columns(
    rng: Rng, position: Position, shape: Shape, lean: float = 0.0, aside: bool = False
) -> list[list[LaidCard]]:
    """The seven columns, each with its first card at the origin, towards the player or to the right."""
    back = float(np.exp(rng.uniform(np.log(0.05), np.log(0.4))))
    face = shape.aside(rng.uniform(0.25, 0.5)) if aside else shape.down(rng.uniform(0.25, 0.7))
    mess = float(rng.choice((0.004, 0.012, 0.022)))
    columns = []
    for k, column in enumerate(position["columns"]):
        words = ["??"] * len(column["down"]) + column["up"]
        steps = [back * rng.uniform(0.85, 1.2) if word == "??" else face * rng.uniform(1, 1.08) for word in words]
        ways = [(step, lean * step) if aside else (lean * step, step) for step in steps] or [(0.0, 0.0)]
        columns.append(_strung(rng, words, f"column/{k}", ways, mess))
    return columns


def _waste(rng: Rng, position: Position, shape: Shape, to: str) -> list[LaidCard]:
    """The waste's cards from the origin on: to the right, the left, down or aslant."""
    aside, down = shape.aside(rng.uniform(0.25, 0.4)), shape.down(rng.uniform(0.3, 0.55))
    way = {"right": (aside, 0.0), "left": (-aside, 0.0), "down": (0.0, down), "aslant": (aside, rng.uniform(0.1, 0.3))}
    return _strung(rng, position["waste"], "waste", [way[to]])


def _tops(rng: Rng, position: Position) -> list[tuple[str | None, str]]:
    """The foundations' top cards, None where there is none, with their zones; the suits in any order."""
    from_king = position["game"] == "tomb_double"
    counts = [(suit, position["foundations"][suit]) for suit in rng.permutation(list(SUIT_CHARS))]
    return [(foundation_top(suit, n, from_king=from_king), f"foundation/{suit}") for suit, n in counts]


def klondike_rows(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """On a bed tray: each column runs to the right, all other piles in one line along a side."""
    pitch = shape.aspect + rng.uniform(0.05, 0.3)
    placed = []
    for k, column in enumerate(_columns(rng, position, shape, aside=True)):
        placed += moved(column, rng.normal(0, 0.04), k * pitch)
    left, _, right, _ = extent(placed, shape.aspect)
    x = left - 0.5 - rng.uniform(0.4, 1.2) if rng.random() < 0.5 else right + 0.5 + rng.uniform(0.4, 1.5)
    stock_first = rng.random() < 0.5
    at, first = (0.0, 3.0) if stock_first else (4.3, 0.0)
    placed += _backs(rng, "stock", x, at * pitch, there=position["stock"])
    placed += moved(_waste(rng, position, shape, "down"), x, at * pitch + shape.aspect + rng.uniform(0.1, 0.25))
    for k, (top, zone) in enumerate(_tops(rng, position)):
        placed += _one(rng, top, zone, x, (first + k + 0.3 * stock_first) * pitch)
    return placed


def klondike_ends_in_line(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The columns' last cards stand in one line at the table's edge; the other piles beyond the longest column."""
    pitch, left_handed = 1 + rng.uniform(0.07, 0.35), rng.random() < 0.5
    placed = []
    for k, column in enumerate(_columns(rng, position, shape)):
        if column:
            placed += moved(column, k * pitch, rng.normal(0, 0.06) - extent(column, shape.aspect)[3])
    y = extent(placed, shape.aspect)[1] - shape.aspect / 2 - rng.uniform(0.15, 0.8)
    stock, waste, first = (6.0, 5.0, 0) if left_handed else (0.0, 1.0, 3)
    placed += _backs(rng, "stock", stock * pitch, y, there=position["stock"])
    placed += moved(_waste(rng, position, shape, "left" if left_handed else "right"), waste * pitch, y)
    for k, (top, zone) in enumerate(_tops(rng, position)):
        placed += _one(rng, top, zone, (first + k) * pitch, y)
    return placed


def klondike_arc(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """On the floor: the columns in an arc about the sitting player, or spread towards the player like rays."""
    columns = _columns(rng, position, shape)
    spacing, rays = rng.uniform(1.08, 1.25), rng.random() < 0.4
    long = max(extent(column, shape.aspect)[3] for column in columns if column)
    head = rng.uniform(8, 14) if rays else -long - rng.uniform(6, 12)
    side, beyond = (-1 if rays else 1), head - shape.aspect - rng.uniform(0.2, 0.6)
    bend = spacing / (head - shape.aspect / 2 if rays else -head - long)
    placed = []
    for k, column in enumerate(columns):
        placed += turned(moved(column, 0, head + rng.normal(0, 0.05)), side * (k - 3) * bend)
    bend = 1.1 * spacing / (abs(beyond) - shape.aspect / 2)
    left_handed = rng.random() < 0.4
    stock, waste, first = (3.0, 1.4, -3) if left_handed else (-3.0, -2.0, 0)
    placed += turned(_backs(rng, "stock", 0, beyond, there=position["stock"]), side * stock * bend)
    placed += turned(moved(_waste(rng, position, shape, "right"), 0, beyond), side * waste * bend)
    for k, (top, zone) in enumerate(_tops(rng, position)):
        placed += turned(_one(rng, top, zone, 0, beyond), side * (first + k) * bend)
    return placed


def klondike_two_lines(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """On a train's folding table: four columns, three below them with the stock, the foundations along a side."""
    pitch, left_handed = 1 + rng.uniform(0.06, 0.25), rng.random() < 0.5
    columns = _columns(rng, position, shape)
    placed = side_by_side(rng, columns[:4], pitch, 0.04)
    near = max(extent(placed, shape.aspect)[3] if placed else 0.0, shape.aspect / 2)
    y = near + shape.aspect / 2 + rng.uniform(0.2, 0.6)
    for k in range(4, 7):
        placed += moved(columns[k], (k - 4 + left_handed) * pitch, y + rng.normal(0, 0.04))
    x = (-0.1 if left_handed else 3.1) * pitch
    placed += _backs(rng, "stock", x, y + 0.1, there=position["stock"])
    to = "left" if left_handed else "down"
    placed += moved(_waste(rng, position, shape, to), x, y + 0.1 + shape.aspect + rng.uniform(0.08, 0.3))
    turn = float(rng.choice((0, 0, -pi / 2, pi / 2)))
    step = (1 if turn else shape.aspect) + rng.uniform(0.05, 0.25)
    gap = 0.75 + rng.uniform(0.3, 0.7)
    x = 3 * pitch + 0.5 + gap if left_handed else -0.5 - gap
    for k, (top, zone) in enumerate(_tops(rng, position)):
        placed += _one(rng, top, zone, x, k * step, turn)
    return placed


def klondike_slanted(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """All columns slanted as the arm moves, beside them the foundations as a square and the stock lying across."""
    lean = rng.uniform(0.1, 0.3) * rng.choice((-1, 1))
    pitch = 1.06 + abs(lean) * shape.aspect + rng.uniform(0, 0.25)
    placed = side_by_side(rng, _columns(rng, position, shape, lean=lean), pitch, 0.04)
    gap = rng.uniform(0.03, 0.3)
    wide, tall = 1 + gap, shape.aspect + gap
    side: list[LaidCard] = []
    for k, (top, zone) in enumerate(_tops(rng, position)):
        side += _one(rng, top, zone, k % 2 * wide, k // 2 * tall)
    y = 2 * tall + rng.uniform(0.1, 0.5) if rng.random() < 0.6 else -2 * tall - rng.uniform(1.0, 1.4)
    side += _backs(rng, "stock", 0.2, y, pi / 2, there=position["stock"])
    side += moved(_waste(rng, position, shape, "aslant"), 0, y + 0.5 + shape.aspect / 2 + rng.uniform(0.1, 0.3))
    left, _, right, _ = extent(placed, shape.aspect)
    if side:
        begin, _, end, _ = extent(side, shape.aspect)
        gap = rng.uniform(0.8, 1.7)
        placed += moved(side, left - gap - end if rng.random() < 0.5 else right + gap - begin, 0)
    return placed


def _melds(rng: Rng, position: Position, shape: Shape, ways: Sequence[Way]) -> list[Block]:
    """The floor's melds, each strung along one of the ways, in any order."""
    floor = [
        boxed(_strung(rng, meld, f"floor/{k}", [ways[int(rng.integers(len(ways)))]]), shape.aspect)
        for k, meld in enumerate(position["floor"])
    ]
    return [floor[k] for k in rng.permutation(len(floor))]


def _cross(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The deck at the origin with its four cards; those at its sides upright or turned."""
    turn, gap = float(rng.choice((0, pi / 2))), rng.uniform(0.1, 0.4)
    far, wide = shape.aspect + gap, (1 + (shape.aspect if turn else 1)) / 2 + gap
    placed = _backs(rng, "deck", 0, 0) if any(position["cross"]) or rng.random() < 0.7 else []
    for k, (x, y) in enumerate(((0.0, -far), (wide, 0.0), (0.0, far), (-wide, 0.0))):
        placed += _one(rng, position["cross"][k], f"cross/{k}", x, y, turn if x else 0.0)
    return placed


def _with_hand(rng: Rng, placed: list[LaidCard], position: Position, shape: Shape, way: int = 1) -> list[LaidCard]:
    """The table with the hand at its near edge: a row (to the left with `way` -1), two rows, or a fan."""
    words, step = position["hand"], (way * shape.aside(rng.uniform(0.28, 0.6)), 0.0)
    if not words:
        return placed
    if way == 1 and rng.random() < 0.35:
        block = lay_fan(rng, cards_of(words), "hand", shape, rng.uniform(2, 4))
    else:
        first = len(words) // 2 if len(words) > 5 and rng.random() < 0.5 else 0
        down = shape.aspect + 0.1 if way < 0 else shape.down(rng.uniform(0.5, 1.5)) + 0.04
        cards = _strung(rng, words[:first], "hand", [step])
        block = boxed(cards + moved(_strung(rng, words[first:], "hand", [step]), 0, down), shape.aspect)
    left, _, right, near = extent(placed, shape.aspect) if placed else (0.0, 0.0, 5.0, 0.0)
    x = left + rng.uniform(0.1, 0.9) * (right - left - block.width)
    return placed + block.at(x, near + rng.uniform(0.7, 1.6))


def _beside(rng: Rng, placed: list[LaidCard], other: list[LaidCard], shape: Shape, side: str) -> list[LaidCard]:
    """Two parts of a table, the other one at the left, right or far side of what lies there."""
    if not placed or not other:
        return placed + other
    return beside(placed, other, shape, side, rng.uniform(0.5, 1.1), rng.uniform(0, 1))


def makiaveli_four_sides(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A round of two to four: each player's melds lie before that player, the deck and its cross amid them."""
    melds = _melds(rng, position, shape, [(shape.aside(rng.uniform(0.27, 0.36)), 0.0)])
    half = max([2.9, *(meld.width / 2 + 0.05 for meld in melds)]) + rng.uniform(0, 0.6)
    sides = sorted(rng.permutation(4)[: int(rng.integers(2, 5))])
    shares = np.array_split(np.arange(len(melds)), len(sides))
    placed = _cross(rng, position, shape)
    for side, share in zip(sides, shares, strict=True):
        cards = _shelves(rng, [melds[k] for k in share], 2 * half, rng.uniform(0.15, 0.35))
        placed += turned(moved(cards, -half, half), side * pi / 2)
    return _with_hand(rng, placed, position, shape)


def makiaveli_pillars(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A narrow table filled pillar by pillar: melds run towards the player, each below the one before."""
    melds = _melds(rng, position, shape, [(0.0, shape.down(rng.uniform(0.3, 0.55)))])
    depths = [0.0] * int(np.clip(round(len(melds) * rng.uniform(0.35, 0.7)), 3, 11))
    gap, placed = rng.uniform(0.15, 0.4), list[LaidCard]()
    pitch = max([1.0, *(meld.width for meld in melds)]) + gap * rng.uniform(0.4, 1)
    for meld in melds:
        slot = int(np.argmin(depths))
        placed += meld.at(slot * pitch, depths[slot])
        depths[slot] += meld.height + gap * rng.uniform(1, 1.5)
    side = str(rng.choice(["left", "right", "far"]))
    return _with_hand(rng, _beside(rng, placed, _cross(rng, position, shape), shape, side), position, shape)


def makiaveli_left_handed(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A left-hander's rows: each card lies on the left part of the one before, so that right ends show."""
    melds = _melds(rng, position, shape, [(-shape.aside(rng.uniform(0.27, 0.5)), 0.0)])
    placed = _shelves(rng, melds, rng.uniform(7, 15), rng.uniform(0.15, 0.5), float(rng.choice((0.0, 0.5))))
    side = str(rng.choice(["left", "right"], p=[0.8, 0.2]))
    placed = _beside(rng, placed, _cross(rng, position, shape), shape, side)
    return _with_hand(rng, placed, position, shape, way=-1)


def makiaveli_stairs(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Melds as stairs, going down or up to the right, packed on a blanket; all together may lie askew."""
    aside, rise = shape.aside(rng.uniform(0.27, 0.4)), rng.uniform(0.1, 0.4)
    ways = [[(aside, rise)], [(aside, -rise)], [(aside, rise), (aside, -rise)]][int(rng.integers(3))]
    melds = _melds(rng, position, shape, ways)
    placed = _shelves(rng, melds, rng.uniform(8, 15), rng.uniform(0.12, 0.35), rng.uniform(0, 1))
    placed = turned(placed, rng.normal(0, 0.06))
    side = str(rng.choice(["left", "right", "far"]))
    return _with_hand(rng, _beside(rng, placed, _cross(rng, position, shape), shape, side), position, shape)


def makiaveli_sorted(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A tidy club: the runs by suit as rows in one half, the sets as short columns in the other, the deck beyond."""
    runs, sets = list[tuple[str, Block]](), list[tuple[str, Block]]()
    aside, down = shape.aside(rng.uniform(0.27, 0.5)), shape.down(rng.uniform(0.3, 0.5))
    for k, meld in enumerate(position["floor"]):
        is_run = meld[0][1] == meld[1][1]
        cards = _strung(rng, meld, f"floor/{k}", [(aside, 0.0) if is_run else (0.0, down)])
        key = meld[0][1] if is_run else f"{RANK_CHARS.index(meld[0][0]):02}"
        (runs if is_run else sets).append((key, boxed(cards, shape.aspect)))
    rows, columns = ([block for _, block in sorted(half, key=lambda pair: pair[0])] for half in (runs, sets))
    gap = rng.uniform(0.12, 0.4)
    placed = _shelves(rng, rows, rng.uniform(5, 10), gap, 0.0) if rows else []
    other = _shelves(rng, columns, rng.uniform(4, 8), gap, 0.0) if columns else []
    placed = _beside(rng, placed, other, shape, str(rng.choice(["left", "right"])))
    placed = _beside(rng, placed, _cross(rng, position, shape), shape, "far")
    return _with_hand(rng, placed, position, shape)


def _nine(rng: Rng, position: Position, pitch: Way, turns: Way = (0.0, 0.0)) -> list[LaidCard]:
    """A grid of nine about the origin; `turns` are those of the corners (as rays) and of the left and right edge."""
    if position["game"] == "tomb_single":
        corners = [(pile[-1] if pile else None, f"corner/{k}") for k, pile in enumerate(position["corners"])]
        edges = [(spare, f"spare/{k}") for k, spare in enumerate(position["spares"])]
    else:
        corners = _tops(rng, position)
        edges = [(pile[-1] if pile else None, f"reserve/{k}") for k, pile in enumerate(position["reserves"])]
    placed = _one(rng, position["centre"][-1] if position["centre"] else None, "centre", 0, 0)
    for (word, zone), (x, y) in zip(corners + edges, CORNERS + EDGES, strict=True):
        placed += _one(rng, word, zone, x * pitch[0], y * pitch[1], -x * y * turns[0] if x and y else x * x * turns[1])
    return placed


def _sides(rng: Rng, position: Position, places: Sequence[Way], turn: float = 0.0) -> list[LaidCard]:
    """The one-deck Tomb's deck, discard pile and sixes, in any order."""
    placed = []
    for name, (x, y) in zip(rng.permutation(["deck", "discard", "spare_six"]), places, strict=True):
        if position[name]:
            lay = position[name][-1]
            placed += _backs(rng, "deck", x, y, turn) if name == "deck" else _one(rng, lay, str(name), x, y, turn)
    return placed


def tomb_single_lying_spares(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The spares at the left and right lie across; the side piles in a row before the player."""
    pitch = ((1 + shape.aspect) / 2 + rng.uniform(0.05, 0.4), shape.aspect + rng.uniform(0.05, 0.4))
    y = 2 * pitch[1] + rng.uniform(0.4, 1.2)
    begin, step = rng.uniform(-3.5, 1), rng.uniform(1.15, 1.8)
    placed = _nine(rng, position, pitch, (0.0, float(rng.choice((-1, 1))) * pi / 2))
    return placed + _sides(rng, position, [(begin + k * step, y) for k in range(3)])


def tomb_single_rays(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """For a picture: the corners turned like rays of a star, the side piles in a column at the left or right."""
    pitch = (1.45 + rng.uniform(0.05, 0.4), (1 + 1.71 * shape.aspect) / 2 + rng.uniform(-0.05, 0.35))
    turn, step = rng.uniform(0.45, 0.8) * rng.choice((-1, 1)), shape.aspect + rng.uniform(0.1, 0.6)
    x = (pitch[0] + 1.4 + rng.uniform(0.5, 1.5)) * float(rng.choice((-1, 1)))
    down = rng.normal(0, 0.6)
    placed = _nine(rng, position, pitch, (turn, 0.0))
    return placed + _sides(rng, position, [(x, (k - 1) * step + down) for k in range(3)])


def tomb_single_three_sides(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The nine cards all but touch on a small table; each side pile has a side of the grid for itself."""
    pitch = (1.08 + rng.uniform(0, 0.08), shape.aspect + 0.08 + rng.uniform(0, 0.08))
    turn = float(rng.choice((0, 0, pi / 2)))
    gap = rng.uniform(0.6, 1.4) + 0.71
    x, y = pitch[0] + 0.5 + gap, pitch[1] + shape.aspect / 2 + gap
    sides = [(-x, rng.uniform(-2, 2)), (x, rng.uniform(-2, 2)), (rng.uniform(-2, 2), -y), (rng.uniform(-2, 2), y)]
    places = [sides[k] for k in rng.permutation(4)[:3]]
    return _nine(rng, position, pitch) + _sides(rng, position, places, turn)


def _piles(rng: Rng, piles: Sequence[list[str]], zone: str, at: Sequence[Way], turn: float = 0.0) -> list[LaidCard]:
    """Tableau piles or wastes at their places."""
    laid = [(pile[-1], k, place) for k, (pile, place) in enumerate(zip(piles, at, strict=True)) if pile]
    return [card for word, k, (x, y) in laid for card in _one(rng, word, f"{zone}/{k}", x, y, turn)]


def _wastes(rng: Rng, position: Position, start: Way, step: Way, stock_last: bool, bow: float = 0.0) -> list[LaidCard]:
    """The wastes in a line from `start` on, the stock at one of its ends, the wastes next to it."""
    count = sum(map(bool, position["wastes"]))
    at = [(start[0] + k * step[0], start[1] + k * step[1] + bow * (k - 2.5) ** 2) for k in range(6)]
    placed = _piles(rng, position["wastes"][:count], "waste", at[5 - count : 5] if stock_last else at[1 : 1 + count])
    x, y = at[5] if stock_last else at[0]
    push = rng.uniform(0.08, 0.3) * (1 if stock_last else -1)  # a little off the wastes
    return placed + _backs(rng, "stock", x + push * (step[0] > 0), y + push * (step[1] > 0), there=position["stock"])


def tomb_double_tableau_beyond(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The tableau as a row beyond the nine, the wastes as a column at a side with the stock near or far."""
    pitch = (1 + rng.uniform(0.06, 0.5), shape.aspect + rng.uniform(0.06, 0.4))
    step, y = 1 + rng.uniform(0.1, 0.5), -2 * pitch[1] - rng.uniform(0.3, 0.9)
    placed = _nine(rng, position, pitch)
    placed += _piles(rng, position["tableau"], "tableau", [((k - 1.5) * step, y) for k in range(4)])
    down = shape.aspect + rng.uniform(0.05, 0.2)
    x = (max(pitch[0], 1.5 * step) + 1 + rng.uniform(0.4, 1.2)) * float(rng.choice((-1, 1)))
    return placed + _wastes(rng, position, (x, -3.5 * down), (0.0, down), rng.random() < 0.5)


def tomb_double_star(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """On a blanket: foundations as rays, the tableau a square beside them, the wastes in an arc before the player."""
    pitch = (1.45 + rng.uniform(0.05, 0.4), (1 + 1.71 * shape.aspect) / 2 + rng.uniform(-0.05, 0.35))
    placed = _nine(rng, position, pitch, (rng.uniform(0.45, 0.8) * rng.choice((-1, 1)), 0.0))
    wide, tall = 1 + rng.uniform(0.05, 0.3), shape.aspect + rng.uniform(0.05, 0.3)
    x = pitch[0] + 1.4 + rng.uniform(0.5, 1.1)
    x, y = (x if rng.random() < 0.5 else -x - wide), rng.uniform(-1.2, 0)
    square = [(x + k % 2 * wide, y + k // 2 * tall) for k in range(4)]
    placed += _piles(rng, position["tableau"], "tableau", square)
    step, bow = 1 + rng.uniform(0.1, 0.35), rng.uniform(0.03, 0.08) * rng.choice((-1, 1))
    y = pitch[1] + 2 * shape.aspect + rng.uniform(0.2, 0.7) + max(0.0, -7 * bow)
    return placed + _wastes(rng, position, (rng.normal(0, 0.5) - 2.5 * step, y), (step, 0.0), rng.random() < 0.5, bow)


def tomb_double_wings(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Two tableau piles at each side of the nine like wings, upright or across; the wastes in a row below."""
    pitch = (1 + rng.uniform(0.09, 0.4), shape.aspect + rng.uniform(0.09, 0.4))
    turn = float(rng.choice((0, pi / 2)))
    x = pitch[0] + 0.5 + (shape.aspect if turn else 1) / 2 + rng.uniform(0.5, 1.3)
    tall = (shape.aspect + rng.uniform(0.1, 1)) / 2
    wings = [(-x, -tall), (x, -tall), (-x, tall), (x, tall)]
    placed = _nine(rng, position, pitch) + _piles(rng, position["tableau"], "tableau", wings, turn)
    step, y = 1 + rng.uniform(0.06, 0.4), 2 * pitch[1] + rng.uniform(0.3, 0.9)
    return placed + _wastes(rng, position, (rng.normal(0, 0.4) - 2.5 * step, y), (step, 0.0), rng.random() < 0.8)


def tomb_double_wastes_beyond(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A small table: the wastes and the stock beyond the nine, side reserves across, the tableau at the left hand."""
    pitch = ((1 + shape.aspect) / 2 + rng.uniform(0.08, 0.2), shape.aspect + rng.uniform(0.08, 0.2))
    placed = _nine(rng, position, pitch, (0.0, float(rng.choice((-1, 1))) * pi / 2))
    x = (pitch[0] + shape.aspect / 2 + 0.5 + rng.uniform(0.4, 1)) * float(rng.choice((-1, 1), p=(0.8, 0.2)))
    down, lift = shape.aspect + rng.uniform(0.03, 0.2), rng.normal(0, 0.3)
    placed += _piles(rng, position["tableau"], "tableau", [(x, (k - 1) * down + lift) for k in range(4)])
    y = -2 * pitch[1] - rng.uniform(0.8, 1.4) - max(0.0, -lift)
    step = 1 + rng.uniform(0.05, 0.25)
    return placed + _wastes(rng, position, (-2.5 * step, y), (step, 0.0), rng.random() < 0.5)


def memory(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Memory: cards face down in lines or strewn a little, pairs gone, one or two turned up, the pairs won in heaps."""
    cards, across, mess = shuffled(rng), int(rng.integers(5, 14)), float(rng.choice((0.01, 0.05, 0.1)))
    pitch, count, left = 1.35 + rng.uniform(0, 0.4), int(rng.integers(5, 27)) * 2, rng.uniform(0.4, 1)
    places = [(k % across * pitch, k // across * (pitch + 0.35)) for k in range(count) if rng.random() < left]
    shown, near = set(rng.permutation(len(places))[: int(rng.integers(0, 3))].tolist()), (count - 1) // across
    placed = list[LaidCard]()
    for k, (x, y) in enumerate(places):
        word = cards.pop() if k in shown else "??"
        placed += _one(rng, word, "none", x + rng.normal(0, mess), y + rng.normal(0, mess), rng.normal(0, 2 * mess))
    for _pair in range((count - len(places)) // 2):
        x, y = rng.normal((1, near * (pitch + 0.35) + 2.3), 0.15)
        placed += _one(rng, cards.pop(), "none", float(x), float(y), rng.normal(0, 0.3))
    return placed


def free_cell(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """FreeCell: eight columns face up, cells at the upper left, foundations at the upper right."""
    cards, pitch, face = shuffled(rng), 1 + rng.uniform(0.06, 0.3), shape.down(rng.uniform(0.3, 0.5))
    y, placed = -shape.aspect - rng.uniform(0.15, 0.6), list[LaidCard]()
    for k, suit in enumerate(SUIT_CHARS):
        built = int(rng.integers(0, 6))
        cards = [card for card in cards if card[1] != suit or RANK_CHARS.index(card[0]) >= built]
        placed += _one(rng, foundation_top(suit, built), "none", (4 + k) * pitch, y)
    for k in range(int(rng.integers(0, 5))):
        placed += _one(rng, cards.pop(), "none", k * pitch, y)
    cuts = np.sort(rng.choice(np.arange(1, len(cards)), 7, replace=False)) if rng.random() < 0.5 else None
    for k, share in enumerate(np.array_split(np.arange(len(cards)), 8 if cuts is None else cuts)):
        words = [cards[i] for i in share][:13]
        placed += moved(_strung(rng, words, "none", [(0.0, face)]), k * pitch, rng.normal(0, 0.04))
    return placed


def pyramid(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Pyramid: seven lines of cards half upon each other, some pairs gone, stock and two heaps."""
    cards, pitch = shuffled(rng), 1 + rng.uniform(0.05, 0.3)
    step, gone = shape.down(rng.uniform(0.45, 0.8)), set[tuple[int, int]]()
    for _turn in range(int(rng.integers(0, 14))):
        places = [(r, k) for r in range(7) for k in range(r + 1) if (r, k) not in gone]
        free = [(r, k) for r, k in places if r == 6 or {(r + 1, k), (r + 1, k + 1)} <= gone]
        gone.add(free[int(rng.integers(len(free)))])
    placed: list[LaidCard] = []
    for row in range(7):
        for k in range(row + 1):
            if (row, k) not in gone:
                placed += _one(rng, cards.pop(), "none", (k - row / 2) * pitch, row * step)
    y = 6 * step + shape.aspect + rng.uniform(0.2, 0.6)
    placed += _backs(rng, "none", -2 * pitch, y) + _one(rng, cards.pop(), "none", -pitch, y)
    return placed + (_one(rng, cards.pop(), "none", 2.5 * pitch, y) if gone else [])


def clock(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Clock patience: twelve piles in a round, one amid them, some already turned up."""
    cards, radius = shuffled(rng), rng.uniform(3.3, 4.5)
    done, radial, placed = rng.uniform(0, 1), rng.random() < 0.5, list[LaidCard]()
    for hour in range(13):
        angle = hour * pi / 6
        reach = 0.0 if hour == 12 else -radius
        shown = next(card for card in cards if card[0] == RANK_CHARS[hour])
        pile = _backs(rng, "none", 0, 0)
        if rng.random() < done:
            low = rng.random() < 0.5  # slipped below the pile, so that it looks out
            pile = _one(rng, shown, "none", 0, -0.4) + pile if low else pile + _one(rng, shown, "none", 0, 0)
        place = (-reach * float(np.sin(angle)), reach * float(np.cos(angle)))
        placed += moved(turned(pile, angle * radial), place[0], place[1])
    return placed


def bridge(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Bridge: dummy's four suits, a trick in the middle, declarer's fan, tricks won, the others' cards face down."""
    cards, left = shuffled(rng), int(rng.integers(3, 14))
    dummy, hand, trick = cards[:left], cards[13 : 13 + left], cards[26 : 26 + int(rng.integers(0, 5))]
    placed, pitch = list[LaidCard](), rng.uniform(1.1, 1.4)
    for k, suit in enumerate(rng.permutation(list(SUIT_CHARS))):
        words = sorted((card for card in dummy if card[1] == suit), key=lambda card: -(RANK_CHARS.index(card[0]) or 13))
        placed += moved(_strung(rng, words, "none", [(0.0, shape.down(0.4))]), (k - 1.5) * pitch, 0)
    middle = extent(placed, shape.aspect)[3] + 2.2
    for k, word in enumerate(trick):
        x, y = EDGES[k]
        placed += _one(rng, word, "none", 0.75 * x, middle + 0.7 * y, rng.normal(0, 0.2) + x * pi / 2)
    fan = lay_fan(rng, cards_of(hand), "none", shape, rng.uniform(3, 5))
    placed += fan.at(-fan.width / 2, middle + 2.6)
    for side in (-1, 1) if rng.random() < 0.6 else ():
        other = lay_fan(rng, [None] * left, "none", shape, 3.5)
        placed += moved(turned(moved(other.cards, -other.width / 2, 0), -side * pi / 2), side * 5.5, middle)
    for k in range(13 - left):
        placed += _one(rng, "??", "none", -3 + 0.3 * k, middle + 7.5, float(rng.choice((0, pi / 2))))
    return placed


def durak(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Durak: the trump across below the deck, attacks with the cards that beat them, two hands, the heap."""
    cards = [card for card in shuffled(rng) if card[0] not in "2345"]
    placed = _one(rng, cards.pop(), "none", 0, 0, pi / 2)
    placed += _backs(rng, "none", -0.6, 0) if rng.random() < 0.8 else []
    aside, across = shape.aside(rng.uniform(0.25, 0.5)), int(rng.integers(2, 4))
    for k in range(int(rng.integers(1, 7))):
        words = [cards.pop() for _ in range(1 + (rng.random() < 0.7))]
        pair = _strung(rng, words, "none", [(aside, rng.uniform(0.1, 0.6))])
        placed += moved(pair, 2 + k % across * 1.9, k // across * 2.2 - 0.8 + rng.normal(0, 0.08))
    for y, turn in ((extent(placed, shape.aspect)[3] + 0.8, 0.0), (extent(placed, shape.aspect)[1] - 1.2, pi)):
        words = [cards.pop() if not turn else "??" for _ in range(int(rng.integers(1, 8)))]
        fan = lay_fan(rng, cards_of(words), "none", shape, rng.uniform(2, 3.5))
        placed += moved(turned(moved(fan.cards, -fan.width / 2, 0), turn), 2.5, y)
    for _card in range(int(rng.integers(0, 9))):
        placed += _one(rng, "??", "none", -3.2 + rng.normal(0, 0.4), rng.normal(0, 0.4), rng.uniform(0, pi))
    return placed


def fortune(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Fortunes told with cards: a cross with a staff, all 36 in lines, a horseshoe, or a few drawn from a ribbon."""
    cards, wide, tall = shuffled(rng), 1 + rng.uniform(0.1, 0.6), shape.aspect + rng.uniform(0.1, 0.5)
    manner, placed = int(rng.integers(4)), list[LaidCard]()
    if manner == 0:
        staff = [(2.6 * wide + 0.8, (1.5 - k) * tall) for k in range(4)]
        places = [(x * (wide + 0.4), y * tall) for x, y in EDGES] + staff
        placed = _one(rng, cards.pop(), "none", 0, 0) + _one(rng, cards.pop(), "none", 0, 0.15, pi / 2)
    elif manner == 1:
        places = [(k % 8 * wide, k // 8 * tall) for k in range(32)] + [((2 + k) * wide, 4 * tall) for k in range(4)]
    elif manner == 2:
        places = [(k * wide, -0.35 * tall * (9 - (k - 3) ** 2)) for k in range(7)]
    else:
        bow, first, backs = rng.uniform(0, 0.004), rng.uniform(0, 3), int(rng.integers(15, 40))
        for k, card in enumerate(_strung(rng, ["??"] * backs, "none", [(rng.uniform(0.14, 0.3), 0.0)])):
            placed += moved([card], 0, bow * (k - backs / 2) ** 2)
        y = extent(placed, shape.aspect)[3] + 1 + rng.uniform(0, 0.6)
        places = [(first + k * wide, y) for k in range(int(rng.integers(1, 8)))]
    hidden = rng.uniform(0, 0.6) * (rng.random() < 0.4)
    for x, y in places:
        placed += _one(rng, "??" if rng.random() < hidden else cards.pop(), "none", x, y)
    return placed


FAMILIES: Final[tuple[Family, ...]] = (
    Family("klondike/columns as rows on a tray", "klondike", klondike_rows),
    Family("klondike/ends in line at the edge", "klondike", klondike_ends_in_line),
    Family("klondike/in an arc on the floor", "klondike", klondike_arc),
    Family("klondike/two lines in a train", "klondike", klondike_two_lines),
    Family("klondike/slanted, foundations in a square", "klondike", klondike_slanted),
    Family("makiaveli/facing each player", "makiaveli", makiaveli_four_sides),
    Family("makiaveli/pillars", "makiaveli", makiaveli_pillars),
    Family("makiaveli/left-handed rows", "makiaveli", makiaveli_left_handed),
    Family("makiaveli/stairs on a blanket", "makiaveli", makiaveli_stairs),
    Family("makiaveli/runs apart from sets", "makiaveli", makiaveli_sorted),
    Family("tomb_single/spares lying across", "tomb_single", tomb_single_lying_spares),
    Family("tomb_single/corners as rays", "tomb_single", tomb_single_rays),
    Family("tomb_single/a side for each pile", "tomb_single", tomb_single_three_sides),
    Family("tomb_double/tableau beyond the nine", "tomb_double", tomb_double_tableau_beyond),
    Family("tomb_double/star on a blanket", "tomb_double", tomb_double_star),
    Family("tomb_double/tableau as wings", "tomb_double", tomb_double_wings),
    Family("tomb_double/wastes beyond the nine", "tomb_double", tomb_double_wastes_beyond),
    Family("no game/memory in pairs", None, memory),
    Family("no game/free cell", None, free_cell),
    Family("no game/pyramid half played", None, pyramid),
    Family("no game/clock patience", None, clock),
    Family("no game/bridge with a dummy", None, bridge),
    Family("no game/durak", None, durak),
    Family("no game/fortune telling", None, fortune),
)
"""How a stranger would lay them."""
