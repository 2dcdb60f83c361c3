"""Held-out families, for measuring only: their author had seen neither the families of training nor any parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Final

import numpy as np

from datasets.games.game import Position, foundation_top, shuffled
from datasets.games.klondike import random_position
from datasets.games.tomb_single import random_position as random_single
from datasets.layouts.blocks import (
    Shape,
    beside,
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

Spot = tuple[float, float]
Piece = list[LaidCard]
"""Cards that were laid together, in painting order."""

_RED: Final = "DH"


@dataclass(frozen=True, slots=True)
class _Habit:
    """How somebody lays the columns of Klondike.

    Attributes:
        back: Height of the strip that an overlapped back shows, card widths.
        face: The same of a card face up, if its index leaves the choice.
        mess: Standard deviation of places (card widths) and turns (radians).
        depth: Room that the table has for a column; longer ones are pushed together as far as indices allow.
    """

    back: float
    face: float
    mess: float
    depth: float = 9.0


def _coin(rng: Rng, chance: float = 0.5) -> bool:
    return bool(rng.random() < chance)


def _row(rng: Rng, words: Sequence[str], zone: str, step: Spot, mess: float = 0.01) -> Piece:
    """Cards at even steps, each on the one before; the first lies at the origin."""
    return [
        card for k, word in enumerate(words) for card in lay_card(rng, word, zone, (k * step[0], k * step[1]), 0, mess)
    ]


def _pack(rng: Rng, zone: str, loose: float = 0.008, most: int = 6) -> Piece:
    """A pack face down at the origin."""
    return lay_pile(rng, None, zone, int(rng.integers(0, most + 1)), loose)


def _lines(pieces: Sequence[Piece], shape: Shape, limit: float, gaps: Spot, share: float = 0.0) -> Piece:
    """Pieces in lines at most `limit` wide, from the far end; `share` 0 has them begin in line, 1 end in line."""
    lines: list[Piece] = []
    for piece in pieces:
        longer = beside(lines[-1] if lines else [], piece, shape, "right", gaps[0])
        left, _, right, _ = extent(longer, shape.aspect)
        if lines and right - left <= limit:
            lines[-1] = longer
        else:
            lines.append(list(piece))
    placed: Piece = []
    for line in lines:
        placed = beside(placed, line, shape, "near", gaps[1], share)
    return placed


# Klondike


def _habit(
    rng: Rng, shape: Shape, back: Spot, face: Spot, mess: Sequence[float] = (0.004, 0.01, 0.018), depth: float = 9.0
) -> _Habit:
    """A habit drawn between bounds; how high a strip of a back can be, the deck's measures say too."""
    low, high = shape.back_steps
    wanted = float(np.exp(rng.uniform(*np.log(back))))
    strip = min(max(wanted, low), high) if shape.least_back_step else 0.0
    return _Habit(strip, rng.uniform(*face), float(rng.choice(mess)), depth)


def _column(rng: Rng, position: Position, number: int, shape: Shape, habit: _Habit) -> Piece:
    """One of the seven columns, its first card at the origin."""
    down, up = position["columns"][number]["down"], position["columns"][number]["up"]
    room = (habit.depth - len(down) * habit.back - shape.aspect) / max(1, len(up) - 1)
    face = shape.down(min(habit.face, room) + habit.mess)
    placed: Piece = []
    y = 0.0
    for k, word in enumerate([*down, *up]):
        [card] = lay_card(rng, word, f"column/{number}", (0, 0), 0, habit.mess)
        placed.append(LaidCard(card.card, card.x, y, card.angle, card.zone))
        if k < len(down):
            y += max(shape.least_back_step, habit.back * float(np.exp(rng.normal(0, 0.12))))
        else:
            y += face * (1 + abs(rng.normal(0, 2 * habit.mess)))
    return placed


def _columns(rng: Rng, position: Position, shape: Shape, habit: _Habit) -> list[Piece]:
    """All seven columns, each with its first card at the origin."""
    return [_column(rng, position, number, shape, habit) for number in range(7)]


def _foundations(rng: Rng, position: Position, spots: Sequence[Spot], mess: float, under: int = 0) -> Piece:
    """Foundations on four spots, each suit where its ace came to lie.

    Args:
        rng: Random generator.
        position: The position.
        spots: Their middles; the first ones are taken first, or each suit has its own.
        mess: How carelessly they lie.
        under: How many cards below each top peep out of a pile that nobody squares up.
    """
    suits = list(map(str, rng.permutation(list(SUIT_CHARS))))
    if _coin(rng, 0.6):
        suits.sort(key=lambda suit: not position["foundations"][suit])
    placed: Piece = []
    for suit, spot in zip(suits, spots, strict=True):
        built = position["foundations"][suit]
        for rank in RANK_CHARS[max(0, built - 1 - under) : built]:
            placed += lay_card(rng, rank + suit, f"foundation/{suit}", spot, 0, mess)
    return placed


def _stock(rng: Rng, position: Position, loose: float = 0.008) -> Piece:
    """The stock as a pack, none where it is used up."""
    return _pack(rng, "stock", loose) if position["stock"] else []


def _waste(rng: Rng, position: Position, shape: Shape, way: str, mess: float = 0.012) -> Piece:
    """The waste's last cards, the first of them at the origin, fanned one `way`: `right`, `left` or `down`."""
    aside, down = shape.aside(rng.uniform(0.22, 0.42)) + mess, shape.down(rng.uniform(0.25, 0.4)) + mess
    step = {"right": (aside, 0.0), "left": (-aside, 0.0), "down": (0.0, down)}[way]
    return _row(rng, position["waste"], "waste", step, mess)


def _midgame(rng: Rng) -> Position:
    """A game under way for some minutes."""
    return random_position(rng, moves=int(rng.integers(12, 90)))


def _first_moves(rng: Rng) -> Position:
    """A deal, or the first moves after it, as rules and tutorials show it."""
    return random_position(rng, moves=int(rng.choice([0, 0, 0, 1, 3, 6])))


def _late(rng: Rng) -> Position:
    """A game that is nearly over, one way or the other; something still lies in the columns."""
    while True:
        position = random_position(rng, moves=int(rng.integers(110, 260)), eager=_coin(rng, 0.4))
        if sum(len(column["up"]) for column in position["columns"]) > 4:
            return position


def klondike_school_desk(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A pupil on one desk, or on two with a seam: columns close together, the other piles in lines at both sides."""
    pitch = 1 + rng.uniform(0.02, 0.1)
    seam, edge = (rng.uniform(0.25, 0.6) if _coin(rng, 0.3) else 0.0), int(rng.integers(3, 5))
    placed: Piece = []
    habit = _habit(rng, shape, (0.06, 0.2), (0.2, 0.3), depth=rng.uniform(3.6, 5.5))
    for number, column in enumerate(_columns(rng, position, shape, habit)):
        placed += moved(column, number * pitch + seam * (number >= edge), rng.normal(0, 0.03))
    sides = [-1 - rng.uniform(0.15, 0.5), 6 * pitch + seam + 1 + rng.uniform(0.15, 0.5)]
    here, there = sides if _coin(rng, 0.6) else sides[::-1]
    tall = shape.aspect + rng.uniform(0.02, 0.15)
    start = rng.uniform(-0.2, 0.5)
    placed += moved(_stock(rng, position), here, start)
    placed += moved(_waste(rng, position, shape, "down"), here, start + tall)
    spots = [(there, (k - 0.3) * tall) for k in range(4)]
    return turned([*placed, *_foundations(rng, position, spots, 0.015)], rng.normal(0, 0.06))


def klondike_in_bed(rng: Rng, position: Position, shape: Shape) -> Piece:
    """Somebody ill on a duvet: columns lean and begin anywhere, no pile is squared up, the photo is taken aslant."""
    pitch = 1 + rng.uniform(0.14, 0.3)
    habit = _habit(rng, shape, (0.12, 0.3), (0.3, 0.45), (0.025, 0.035))
    columns = [turned(piece, rng.normal(0, 0.04)) for piece in _columns(rng, position, shape, habit)]
    placed = side_by_side(rng, columns, pitch, 0.1)
    above = -shape.aspect - rng.uniform(0.4, 0.7)
    right = _coin(rng, 0.25)
    spots = [((k + (0 if right else 3)) * pitch, above + rng.normal(0, 0.12)) for k in range(4)]
    placed += _foundations(rng, position, spots, 0.025, under=2)
    first = 5.0 if right else 0.0
    placed += moved(turned(_stock(rng, position, 0.03), rng.normal(0, 0.12)), first * pitch, above + rng.normal(0, 0.1))
    waste = turned(_waste(rng, position, shape, "right", 0.03), rng.normal(0, 0.15))
    placed += moved(waste, (first + 1) * pitch, above + rng.normal(0, 0.12))
    return turned(placed, rng.uniform(-0.35, 0.35))


def klondike_book(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A tutorial's photo or somebody who squares everything up: an exact grid, in older books the stock below it."""
    pitch = 1 + rng.uniform(0.1, 0.35)
    habit = _habit(rng, shape, (0.1, 0.3), (0.28, 0.4), (0.001, 0.003))
    placed = side_by_side(rng, _columns(rng, position, shape, habit), pitch)
    above = -shape.aspect - rng.uniform(0.12, 0.5)
    old = _coin(rng, 0.35)
    tops = _foundations(rng, position, [((k + (1.5 if old else 3)) * pitch, above) for k in range(4)], 0.003)
    waste = _waste(rng, position, shape, "right", 0.003)
    packs = [*_stock(rng, position, 0.003), *moved(waste, pitch, 0)]
    if old:
        _, _, _, near = extent(placed, shape.aspect)
        return [*placed, *tops, *moved(packs, rng.choice([0.0, 2.5]) * pitch, near + 0.25 + shape.aspect / 2)]
    return [*placed, *tops, *moved(packs, 0, above)]


def klondike_late_evening(rng: Rng, position: Position, shape: Shape) -> Piece:
    """Late in a game: high foundations, empty columns, long runs pushed together before the table's edge."""
    pitch = 1 + rng.uniform(0.06, 0.25)
    habit = _habit(rng, shape, (0.05, 0.2), (0.24, 0.4), depth=rng.uniform(3.6, 5.5))
    bend = rng.normal(0, 0.012)
    columns = [
        [LaidCard(card.card, card.x + bend * k, card.y, card.angle, card.zone) for k, card in enumerate(piece)]
        for piece in _columns(rng, position, shape, habit)
    ]
    placed = side_by_side(rng, columns, pitch, 0.03)
    above = -shape.aspect - rng.uniform(0.1, 0.4)
    placed += _foundations(rng, position, [((k + 3) * pitch, above) for k in range(4)], 0.02, under=1)
    waste = _waste(rng, position, shape, "right")
    if not waste or _coin(rng, 0.7):  # else what is left lies under the waste
        placed += moved(_stock(rng, position), 0, above)
    return [*placed, *moved(waste, pitch, above)]


def klondike_left_hander(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A left-hander: the stock at the upper right, the waste fanned leftwards or down, foundations at the left."""
    pitch = 1 + rng.uniform(0.05, 0.22)
    habit = _habit(rng, shape, (0.06, 0.22), (0.25, 0.36))
    placed = side_by_side(rng, _columns(rng, position, shape, habit), pitch, 0.02)
    above = -shape.aspect - rng.uniform(0.15, 0.5)
    side = _coin(rng, 0.3)  # the piles lie beside the columns, the waste below the stock
    stock = 6 * pitch + (1.1 if side else 0.0) + rng.uniform(0, 0.2)
    waste = _waste(rng, position, shape, "down" if side else "left")
    at = (stock, above + shape.aspect + 0.15) if side else (stock - pitch - rng.uniform(0, 0.1), above)
    placed += [*moved(_stock(rng, position), stock, above), *moved(waste, *at)]
    upright = _coin(rng, 0.35)
    tall, left = shape.aspect + rng.uniform(0.04, 0.2), -1 - rng.uniform(0.1, 0.5)
    spots = [(left, above + k * tall) if upright else (k * pitch, above) for k in range(4)]
    return [*placed, *_foundations(rng, position, spots, 0.014)]


def klondike_cafe(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A round cafe table: the columns' tops follow its edge, foundations in a square at a side, the stock opposite."""
    pitch, bow = 1 + rng.uniform(0.08, 0.16), rng.uniform(0.015, 0.05)
    habit = _habit(rng, shape, (0.06, 0.2), (0.24, 0.32), depth=rng.uniform(4, 6))
    placed: Piece = []
    for number, column in enumerate(_columns(rng, position, shape, habit)):
        lean = turned(column, -(number - 3) * rng.uniform(0.6, 1) * bow * 0.5)
        placed += moved(lean, number * pitch, bow * (number - 3) ** 2)
    right = _coin(rng, 0.6)
    tall, wide = shape.aspect + rng.uniform(0.03, 0.15), 1 + rng.uniform(0.03, 0.15)
    square = 6 * pitch + 1.15 + rng.uniform(0.05, 0.4) if right else -1.15 - wide - rng.uniform(0.05, 0.4)
    far = rng.uniform(-0.6, 1.0)
    placed += _foundations(rng, position, [(square + k % 2 * wide, far + k // 2 * tall) for k in range(4)], 0.02)
    packs = -1.2 - rng.uniform(0.1, 0.5) if right else 6 * pitch + 1.2 + rng.uniform(0.1, 0.5)
    start = bow * 9 + rng.uniform(-0.3, 0.8)
    placed += moved(turned(_stock(rng, position), rng.normal(0, 0.08)), packs, start)
    return [*placed, *moved(_waste(rng, position, shape, "down", 0.02), packs, start + tall)]


# Makiaveli


def _melds(position: Position) -> list[tuple[list[str], str]]:
    """The melds with their zones."""
    return [(meld, f"floor/{number}") for number, meld in enumerate(position["floor"])]


def _cross(rng: Rng, position: Position, shape: Shape, gap: float, mess: float, flat: bool) -> Piece:
    """The deck with its cross; `flat` has the cards left and right of it lie on their sides."""
    placed = _pack(rng, "deck", mess / 2, 5)
    tall, wide = shape.aspect + gap, (1 + shape.aspect) / 2 + gap if flat else 1 + gap
    spots = [(0.0, -tall), (wide, 0.0), (0.0, tall), (-wide, 0.0)]
    for number, (word, spot) in enumerate(zip(position["cross"], spots, strict=True)):
        placed += lay_card(rng, word, f"cross/{number}", spot, pi / 2 * (flat and number % 2), mess)
    return placed


def _hand(rng: Rng, position: Position, shape: Shape, ways: str = "row fan two") -> Piece:
    """The player's cards, sorted or as they came: in a row, in a fan or in two rows."""
    words = list(position["hand"])
    if _coin(rng, 0.7):
        words.sort(key=lambda word: (SUIT_CHARS.index(word[1]), RANK_CHARS.index(word[0])))
    way = str(rng.choice(ways.split()))
    step = shape.aside(rng.uniform(0.3, 0.6)) + 0.02
    if way == "fan" and len(words) > 2:
        return list(lay_fan(rng, cards_of(words), "hand", shape, rng.uniform(2.5, 5)).cards)
    if way == "two" and len(words) > 5:
        half = (len(words) + 1) // 2
        lines = [_row(rng, part, "hand", (step, 0), 0.015) for part in (words[:half], words[half:])]
        return beside(lines[0], lines[1], shape, "near", rng.uniform(0.04, 0.2), 0)
    return _row(rng, words, "hand", (step, 0), 0.015)


def makiaveli_grandmother(rng: Rng, position: Position, shape: Shape) -> Piece:
    """Somebody who keeps order: sets first, then runs, in lines that begin below each other, all squared up."""
    step, mess = shape.aside(rng.uniform(0.28, 0.5)), float(rng.choice([0.003, 0.008]))
    melds = sorted(_melds(position), key=lambda meld: (meld[0][0][0] != meld[0][1][0], len(meld[0])))
    pieces = [_row(rng, words, zone, (step, 0), mess) for words, zone in melds]
    limit = max(7.0, 1.5 * float(np.sqrt(sum(map(len, position["floor"])))))
    floor = _lines(pieces, shape, limit, (rng.uniform(0.3, 0.6), rng.uniform(0.12, 0.35)))
    cross = _cross(rng, position, shape, rng.uniform(0.03, 0.15), mess, _coin(rng, 0.25))
    side = str(rng.choice(["far", "right", "left"]))
    placed = beside(floor, cross, shape, side, rng.uniform(0.4, 0.9), 0.5 if side == "far" else rng.uniform(0, 0.5))
    return beside(placed, _hand(rng, position, shape, "row fan"), shape, "near", rng.uniform(0.5, 1))


def makiaveli_left_hander(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A left-hander lays each card at the left of the one before: lower right indices stay free, lines end in line."""
    step = shape.aside(rng.uniform(0.3, 0.45)) + 0.02
    pieces = [_row(rng, words, zone, (-step, 0), 0.014) for words, zone in _melds(position)]
    limit = max(7.0, 1.6 * float(np.sqrt(sum(map(len, position["floor"])))))
    floor = _lines(pieces, shape, limit, (rng.uniform(0.3, 0.7), rng.uniform(0.15, 0.4)), 1.0)
    cross = _cross(rng, position, shape, rng.uniform(0.05, 0.25), 0.015, False)
    placed = beside(floor, cross, shape, str(rng.choice(["left", "far"])), rng.uniform(0.4, 1), rng.uniform(0.2, 0.8))
    hand = _row(rng, position["hand"], "hand", (-step, 0), 0.015)
    return beside(placed, hand, shape, "near", rng.uniform(0.6, 1.2), rng.uniform(0.2, 0.8))


def makiaveli_card_table(rng: Rng, position: Position, shape: Shape) -> Piece:
    """Two to four friends about a card table: the deck in the middle, each one's melds before them, facing them."""
    sides: list[list[Piece]] = [[] for _ in range(4)]
    seats = [0, *map(int, rng.permutation([1, 2, 3])[: int(rng.integers(1, 4))])]
    for words, zone in _melds(position):
        step = shape.aside(rng.uniform(0.28, 0.4)) + 0.02
        sides[int(rng.choice(seats))].append(_row(rng, words, zone, (step, 0), 0.02))
    placed = _cross(rng, position, shape, rng.uniform(0.04, 0.3), 0.02, _coin(rng, 0.2))
    backs = _coin(rng, 0.4)
    order = [side for side in (1, 3, 0, 2) if side in seats]
    for side in order:
        melds = _lines(sides[side], shape, 5 if side % 2 else 8, (0.4, rng.uniform(0.12, 0.3)), 0.5)
        if side and backs:
            theirs = _row(rng, ["??"] * int(rng.integers(2, 9)), "none", (rng.uniform(0.15, 0.3), 0), 0.02)
            melds = beside(melds, theirs, shape, "near", rng.uniform(0.3, 0.7))
        piece = turned(melds, -pi / 2 * side + rng.normal(0, 0.05))
        where = ("near", "right", "far", "left")[side]
        placed = beside(placed, piece, shape, where, rng.uniform(0.3, 0.6))
    return beside(placed, _hand(rng, position, shape), shape, "near", rng.uniform(0.5, 1))


def makiaveli_beach_towel(rng: Rng, position: Position, shape: Shape) -> Piece:
    """On a towel: melds as columns towards the player, a few as rows, all a little aslant, the deck beside them."""
    pieces = []
    for words, zone in _melds(position):
        down = shape.down(rng.uniform(0.28, 0.4)) + 0.03
        aside = shape.aside(rng.uniform(0.3, 0.45)) + 0.03
        upright = len(words) < 8 and _coin(rng, 0.8)
        step = (rng.normal(0, 0.03), down) if upright else (aside, rng.normal(0, 0.02))
        pieces.append(turned(_row(rng, words, zone, step, 0.02), rng.normal(0, 0.06)))
    limit = max(6.5, 1.4 * float(np.sqrt(sum(map(len, position["floor"])))))
    floor = _lines(pieces, shape, limit, (rng.uniform(0.2, 0.45), rng.uniform(0.2, 0.4)), 0.5)
    cross = turned(_cross(rng, position, shape, rng.uniform(0.1, 0.4), 0.035, False), rng.normal(0, 0.1))
    side = str(rng.choice(["left", "right", "far"]))
    placed = beside(floor, cross, shape, side, rng.uniform(0.4, 0.8), rng.uniform(0.1, 0.9))
    placed = beside(placed, _hand(rng, position, shape), shape, "near", rng.uniform(0.5, 1))
    return turned(placed, rng.normal(0, 0.12))


def makiaveli_kitchen_counter(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A counter, long and narrow: two or three long lines, the deck at one end, the hand spread before them."""
    step = shape.aside(rng.uniform(0.26, 0.36)) + 0.015
    pieces = [_row(rng, words, zone, (step, 0), float(rng.choice([0.01, 0.02]))) for words, zone in _melds(position)]
    wide = sum(right - left + 0.4 for left, _, right, _ in (extent(piece, shape.aspect) for piece in pieces))
    limit = max(6.0, 1.1 * wide / (2 if wide < 26 else 3))
    floor = _lines(pieces, shape, limit, (rng.uniform(0.15, 0.45), rng.uniform(0.06, 0.3)), float(rng.choice([0, 0.5])))
    cross = _cross(rng, position, shape, rng.uniform(0.02, 0.1), 0.015, _coin(rng, 0.5))
    placed = beside(floor, cross, shape, str(rng.choice(["left", "right"])), rng.uniform(0.35, 0.8))
    words = list(position["hand"])
    hand = _row(rng, words, "hand", (max(step, rng.uniform(0.5, 1.08)), 0), 0.02)
    return beside(placed, hand, shape, "near", rng.uniform(0.35, 0.8), rng.uniform(0, 1))


# Napoleon's Tomb with one deck


def _top(pile: Sequence[str | None] | str | None) -> str | None:
    """The word of a pile's top card, or of a single card."""
    return pile if pile is None or isinstance(pile, str) else (pile[-1] if pile else None)


def _grid(rng: Rng, cells: Sequence[tuple[str | None, str, float]], pitch: Spot, mess: float) -> Piece:
    """Three by three places: word, zone and turn of each, in reading order; the first one's middle is the origin."""
    placed: Piece = []
    for k, (word, zone, turn) in enumerate(cells):
        placed += lay_card(rng, word, zone, (k % 3 * pitch[0], k // 3 * pitch[1]), turn, mess)
    return placed


def _single_cells(
    position: Position, corner_turns: Sequence[float] = (0,) * 4, spare_turns: Sequence[float] = (0,) * 4
) -> list[tuple[str | None, str, float]]:
    """The grid's nine places in reading order, corners and spares turned."""
    corners = [(_top(position["corners"][k]), f"corner/{k}", corner_turns[k]) for k in range(4)]
    spares = [(_top(position["spares"][k]), f"spare/{k}", spare_turns[k]) for k in range(4)]
    centre = (_top(position["centre"]), "centre", 0.0)
    return [corners[0], spares[0], corners[1], spares[1], centre, spares[2], corners[2], spares[3], corners[3]]


def _side_piles(rng: Rng, position: Position, step: Spot, mess: float, order: str = "deck discard spare_six") -> Piece:
    """Deck, discard pile and spare sixes at even steps, each with its place kept where it is empty."""
    placed: Piece = []
    for k, name in enumerate(order.split()):
        pile = _pack(rng, "deck", mess / 2) if name == "deck" else lay_card(rng, _top(position[name]), name, mess=mess)
        placed += moved(pile, k * step[0], k * step[1])
    return placed


def tomb_single_book(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A book's picture, or a tidy player: an exact grid, the side piles in a line at the right or below."""
    gap = rng.uniform(0.08, 0.4)
    pitch, mess = (1 + gap, shape.aspect + gap), float(rng.choice([0.002, 0.005]))
    placed = _grid(rng, _single_cells(position), pitch, mess)
    order = str(rng.choice(["deck discard spare_six", "spare_six discard deck"]))
    if _coin(rng):
        piles = _side_piles(rng, position, (0, pitch[1]), mess, order)
        return [*placed, *moved(piles, 2 * pitch[0] + 1 + gap + rng.uniform(0.2, 0.8), 0)]
    piles = _side_piles(rng, position, (pitch[0], 0), mess, order)
    return [*placed, *moved(piles, 0, 2 * pitch[1] + shape.aspect + gap + rng.uniform(0.2, 0.6))]


def _with_corners(rng: Rng) -> Position:
    """A game with at least two corners begun, so that their turn is seen."""
    while True:
        position = random_single(rng)
        if sum(map(bool, position["corners"])) > 1:
            return position


def tomb_single_star(rng: Rng, position: Position, shape: Shape) -> Piece:
    """Somebody fond of ornaments: the corners point outwards, the side piles lie apart at the left or right."""
    gap, lean = rng.uniform(0.3, 0.45), rng.uniform(0.5, pi / 4)
    cells = _single_cells(position, (-lean, lean, lean, -lean))
    placed = _grid(rng, cells, (1.2 + gap, shape.aspect + gap), float(rng.choice([0.008, 0.02])))
    piles = _side_piles(rng, position, (0, shape.aspect + rng.uniform(0.1, 0.3)), 0.015)
    return beside(
        placed, piles, shape, str(rng.choice(["left", "right"])), rng.uniform(0.4, 0.9), rng.uniform(0.2, 0.8)
    )


def tomb_single_flat_spares(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A grandfather's way: the spares at the sides lie across, so that the grid looks like a cross."""
    gap = rng.uniform(0.04, 0.2)
    way = float(rng.choice([-1, 1]))
    cells = _single_cells(position, spare_turns=(0, way * pi / 2, way * pi / 2, 0))
    pitch = ((1 + shape.aspect) / 2 + gap, shape.aspect + gap)
    placed = _grid(rng, cells, pitch, float(rng.choice([0.006, 0.015])))
    piles = _side_piles(rng, position, (1 + rng.uniform(0.1, 0.4), 0), 0.012, "spare_six deck discard")
    return beside(placed, piles, shape, str(rng.choice(["near", "near", "far"])), rng.uniform(0.25, 0.6))


def tomb_single_railway(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A train's small table that shakes: the grid's cards touch, the deck and its piles at either hand."""
    mess = rng.uniform(0.02, 0.04)
    pitch = (1.02 + mess, shape.aspect + 0.02 + mess)
    placed = _grid(rng, _single_cells(position), pitch, mess)
    deck = _pack(rng, "deck", 0.02)
    six, discard = (lay_card(rng, _top(position[name]), name, mess=mess) for name in ("spare_six", "discard"))
    hand, other = ("right", "left") if _coin(rng, 0.7) else ("left", "right")
    at_hand = beside(deck, discard, shape, "far" if _coin(rng) else "near", rng.uniform(0.04, 0.2))
    placed = beside(placed, at_hand, shape, hand, rng.uniform(0.25, 0.5), rng.uniform(0.6, 1))
    placed = beside(placed, six, shape, other, rng.uniform(0.25, 0.6), rng.uniform(0, 1))
    return turned(placed, rng.normal(0, 0.1))


# Napoleon's Tomb with two decks


def _double_grid(rng: Rng, position: Position, pitch: Spot, mess: float) -> Piece:
    """Foundations in the corners, each suit where its first king came, reserves on the edges, the centre."""
    tops = []
    for suit in map(str, rng.permutation(list(SUIT_CHARS))):
        built = position["foundations"][suit]
        tops.append((foundation_top(suit, built, from_king=True), f"foundation/{suit}", 0.0))
    reserves = [(_top(pile), f"reserve/{k}", 0.0) for k, pile in enumerate(position["reserves"])]
    centre = (_top(position["centre"]), "centre", 0.0)
    cells = [tops[0], reserves[0], tops[1], reserves[1], centre, reserves[2], tops[2], reserves[3], tops[3]]
    return _grid(rng, cells, pitch, mess)


def _piles(rng: Rng, position: Position, field: str, step: Spot, mess: float) -> Piece:
    """The piles of `tableau` or `wastes` at even steps, the first one's place at the origin."""
    placed: Piece = []
    for k, pile in enumerate(position[field]):
        placed += lay_card(rng, _top(pile), f"{field.removesuffix('s')}/{k}", (k * step[0], k * step[1]), 0, mess)
    return placed


def tomb_double_book(rng: Rng, position: Position, shape: Shape) -> Piece:
    """As the rules' picture has it: the tableau a column at the right, stock and wastes in a row below, all exact."""
    gap, mess = rng.uniform(0.08, 0.3), float(rng.choice([0.003, 0.008]))
    pitch = (1 + gap, shape.aspect + gap)
    placed = _double_grid(rng, position, pitch, mess)
    aside = 3 * pitch[0] + rng.uniform(0.2, 0.7)
    far = pitch[1] * float(rng.choice([-0.5, 0]))
    placed += moved(_piles(rng, position, "tableau", (0, pitch[1]), mess), aside, far)
    below = far + 4 * pitch[1] + rng.uniform(0, 0.4)
    placed += moved(_pack(rng, "stock", 0.004), 0, below)
    return [
        *placed,
        *moved(_piles(rng, position, "wastes", (pitch[0], 0), mess), pitch[0] + rng.uniform(0, 0.3), below),
    ]


def tomb_double_wide_desk(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A wide desk: the tableau left of the grid, the wastes in a column at its right, the stock beside them."""
    gap, mess = rng.uniform(0.03, 0.2), float(rng.choice([0.008, 0.015]))
    pitch = (1 + gap, shape.aspect + gap)
    placed = _double_grid(rng, position, pitch, mess)
    shift = -pitch[1] / 2 + rng.normal(0, 0.1)
    placed += moved(_piles(rng, position, "tableau", (0, pitch[1]), mess), -1.3 - gap - rng.uniform(0, 0.6), shift)
    right = 2 * pitch[0] + 1.4 + rng.uniform(0, 0.6)
    column = _piles(rng, position, "wastes", (0, shape.aspect + gap / 2), mess)
    placed += moved(column, right, -pitch[1] * rng.uniform(0.5, 1))
    return [*placed, *moved(_pack(rng, "stock", 0.012), right + 1.3 + rng.uniform(0, 0.4), rng.uniform(-0.5, 2.5))]


def tomb_double_on_the_floor(rng: Rng, position: Position, shape: Shape) -> Piece:
    """On the floor with much room: wide gaps, careless places, the tableau a row above, the wastes a bent row below."""
    gap, mess = rng.uniform(0.3, 0.7), rng.uniform(0.03, 0.06)
    pitch = (1 + gap, shape.aspect + gap)
    placed = _double_grid(rng, position, pitch, mess)
    row = _piles(rng, position, "tableau", (1 + gap * 0.7, 0), mess)
    placed += moved(row, (2 * pitch[0] - 3 * (1 + gap * 0.7)) / 2, -shape.aspect - gap - rng.uniform(0.4, 0.9))
    wastes = [
        LaidCard(card.card, card.x, card.y + 0.05 * (card.x - 2) ** 2, card.angle + 0.05 * (card.x - 2), card.zone)
        for card in _piles(rng, position, "wastes", (1 + rng.uniform(0.1, 0.3), 0), mess)
    ]
    below = 2 * pitch[1] + shape.aspect + gap + rng.uniform(0.3, 0.7)
    left = -rng.uniform(0.8, 1.2)
    placed += moved(wastes, left + 1.7, below)
    return turned([*placed, *moved(_pack(rng, "stock", 0.025), left, below)], rng.normal(0, 0.08))


def tomb_double_left_hander(rng: Rng, position: Position, shape: Shape) -> Piece:
    """A left-hander: the stock at the near right, the wastes go leftwards from it, the tableau lies at the left."""
    gap, mess = rng.uniform(0.06, 0.25), float(rng.choice([0.01, 0.02]))
    pitch = (1 + gap, shape.aspect + gap)
    placed = _double_grid(rng, position, pitch, mess)
    far = -pitch[1] * float(rng.choice([0.5, 1]))
    placed += moved(_piles(rng, position, "tableau", (0, pitch[1]), mess), -1.3 - gap - rng.uniform(0, 0.5), far)
    below, right = 3 * pitch[1] + rng.uniform(0.1, 0.4), 3 * pitch[0] + rng.uniform(0, 0.4)
    count = sum(bool(pile) for pile in position["wastes"])
    placed += moved(
        _piles(rng, position, "wastes", (1 + gap, 0), mess), right - 1.3 - (count - 1) * (1 + gap), below + pitch[1] / 2
    )
    return [*placed, *moved(_pack(rng, "stock", 0.012), right, below + pitch[1] / 2)]


# No game of ours


def cribbage(rng: Rng, _: Position, shape: Shape) -> Piece:
    """Hands of cribbage at the show, often with the crib; the starter lies turned up on the pack."""
    words = shuffled(rng)
    step = (shape.aside(rng.uniform(0.35, 1.1)) + 0.02, 0.0)
    across = turned(_row(rng, words[:4], "none", step, 0.02), pi + rng.normal(0, 0.08))
    mine = turned(_row(rng, words[4:8], "none", step, 0.02), rng.normal(0, 0.06))
    placed = beside(across, mine, shape, "near", rng.uniform(0.6, 1.8), rng.uniform(0.3, 0.7))
    pack = [*_pack(rng, "none"), *lay_card(rng, words[8], "none", turn=rng.normal(0, 0.1), mess=0.03)]
    placed = beside(placed, pack, shape, str(rng.choice(["left", "right"])), rng.uniform(0.4, 1))
    if _coin(rng, 0.4):
        crib = _row(rng, words[9:13] if _coin(rng) else ["??"] * 4, "none", (rng.uniform(0.4, 1.05), 0), 0.03)
        placed = beside(placed, crib, shape, "near", rng.uniform(0.2, 0.5), rng.uniform(0, 1))
    return placed


def _fitting(rng: Rng, words: list[str], column: list[str], most: int) -> list[str]:
    """A column built down in alternating colours, kings on aces too, with cards taken from the words."""
    for _ in range(int(rng.integers(0, most))):
        rank, red = RANK_CHARS.index(column[-1][0]), column[-1][1] in _RED
        fits = [w for w in words if w[0] == RANK_CHARS[rank - 1] and (w[1] in _RED) != red]
        if not fits:
            break
        words.remove(fits[0])
        column = [*column, fits[0]]
    return column


def canfield(rng: Rng, _: Position, shape: Shape) -> Piece:
    """Canfield under way: four columns, a reserve at their left, foundations that begin with any rank but a low one."""
    words, base = shuffled(rng), int(rng.integers(4, 13))
    suits = [str(suit) for suit in rng.permutation(list(SUIT_CHARS))]
    tops = [RANK_CHARS[base] + suit for suit in suits[: int(rng.integers(1, 5))]]
    low = RANK_CHARS[int(rng.integers(0, base - 1))] + suits[0]  # lower than its foundation: in Klondike it lay there
    words = [word for word in words if word not in tops and word != low]
    first = [low, *(words.pop() for _ in range(3))]
    columns = [_fitting(rng, words, [word], 5) for word in map(str, rng.permutation(first))]
    pitch, mess = 1 + rng.uniform(0.1, 0.35), float(rng.choice([0.005, 0.015, 0.03]))
    placed: Piece = []
    for k, column in enumerate(columns):
        placed += moved(_row(rng, column, "none", (0, shape.down(rng.uniform(0.28, 0.4)) + mess), mess), k * pitch, 0)
    above = -shape.aspect - rng.uniform(0.1, 0.4)
    placed += moved(_row(rng, tops, "none", (pitch, 0), mess), 0, above)
    left = -1.3 - rng.uniform(0, 0.4)
    reserve = [*_pack(rng, "none"), *lay_card(rng, words.pop(), "none", mess=0.02)]
    placed += moved(reserve, left, rng.uniform(-0.1, 0.1))
    placed += moved(_pack(rng, "none"), left, shape.aspect + rng.uniform(0.15, 0.4))
    waste = _row(rng, [words.pop() for _ in range(int(rng.integers(0, 4)))], "none", (shape.aside(0.3), 0), mess)
    return [*placed, *moved(waste, left, 2 * shape.aspect + 0.6)]


def beleaguered_castle(rng: Rng, _: Position, shape: Shape) -> Piece:
    """Beleaguered castle: four foundations one below the other, rows of open cards at their left and right."""
    words = [word for word in shuffled(rng) if word[0] != "A"]
    step, mess = shape.aside(rng.uniform(0.28, 0.4)) + 0.02, float(rng.choice([0.005, 0.015]))
    outward = _coin(rng)
    tall = shape.aspect + rng.uniform(0.04, 0.2)
    placed: Piece = []
    for k, suit in enumerate(map(str, rng.permutation(list(SUIT_CHARS)))):
        sizes = rng.integers(2, 8, 2) if _coin(rng) else (6, 6)
        left, right = ([words.pop() for _ in range(min(int(size), len(words)))] for size in sizes)
        line = lay_card(rng, "A" + suit, "none", mess=mess)
        wing = _row(rng, left, "none", (-step if outward else step, 0), mess)
        line = beside(line, wing, shape, "left", rng.uniform(0.12, 0.35))
        line = beside(line, _row(rng, right, "none", (step, 0), mess), shape, "right", rng.uniform(0.12, 0.35))
        placed += moved(line, 0, k * tall)
    return placed


def accordion(rng: Rng, _: Position, shape: Shape) -> Piece:
    """Accordion: open piles side by side in lines, as many as the table is wide; the rest of the pack beside them."""
    words = shuffled(rng)[: int(rng.integers(20, 42))]
    wide, mess = 1 + rng.uniform(0.02, 0.2), float(rng.choice([0.01, 0.03]))
    tall, line = shape.aspect + rng.uniform(0.05, 0.3), int(rng.integers(6, 12))
    placed: Piece = []
    for k, word in enumerate(words):
        placed += lay_card(rng, word, "none", (k % line * wide, k // line * tall), 0, mess)
    return beside(placed, _pack(rng, "none"), shape, str(rng.choice(["near", "right", "left"])), rng.uniform(0.3, 1))


def pairs(rng: Rng, _: Position, shape: Shape) -> Piece:
    """Children play pairs: backs in lines or anyhow, gaps where pairs were taken, one or two cards turned up."""
    lines, wide = int(rng.integers(3, 6)), int(rng.integers(5, 10))
    words = ["??"] * (lines * wide)
    for k in rng.permutation(len(words))[: 2 * int(rng.integers(0, len(words) // 4))]:
        words[k] = ""
    for k, word in zip(rng.permutation(len(words))[: int(rng.integers(1, 3))], shuffled(rng), strict=False):
        words[k] = word
    mess = float(rng.choice([0.02, 0.06]))
    pitch = (1.15 + 2 * mess, shape.aspect + 0.12 + 2 * mess)
    placed: Piece = []
    for k, word in enumerate(words):
        placed += lay_card(rng, word, "none", (k % wide * pitch[0], k // wide * pitch[1]), 0, mess)
    return placed


def pyramid(rng: Rng, _: Position, shape: Shape) -> Piece:
    """Pyramid: seven lines of open cards, each half upon the one before, some of them gone, stock and waste."""
    words = shuffled(rng)
    wide, step, mess = 1 + rng.uniform(0.08, 0.3), max(shape.below + 0.1, rng.uniform(0.5, 0.8)), 0.012
    left = [7 - int(gone) for gone in sorted(rng.integers(0, 4, 2))] if _coin(rng) else [7, 7]
    placed: Piece = []
    for line in range(7):
        for k in range(line + 1):
            kept = line < 5 or k < left[line - 5]
            word = words.pop()
            if kept:
                placed += lay_card(rng, word, "none", ((k - line / 2) * wide, line * step), 0, mess)
    packs = _pack(rng, "none")
    if _coin(rng, 0.7):
        packs = beside(packs, lay_card(rng, words.pop(), "none", mess=0.02), shape, "right", rng.uniform(0.1, 0.4))
    return beside(placed, packs, shape, str(rng.choice(["near", "left", "right"])), rng.uniform(0.3, 0.8), 0.2)


def three_columns_trick(rng: Rng, _: Position, shape: Shape) -> Piece:
    """The trick with twenty-one cards in three columns, as it is shown to a guest; the rest of the pack beside."""
    words, count = shuffled(rng), int(rng.choice([5, 7, 7, 9]))
    step, mess = shape.down(rng.uniform(0.28, 0.45)) + 0.02, float(rng.choice([0.01, 0.025]))
    pitch = 1 + rng.uniform(0.15, 0.8)
    placed: Piece = []
    for k in range(3):
        placed += moved(_row(rng, [words.pop() for _ in range(count)], "none", (0, step), mess), k * pitch, 0)
    if _coin(rng):
        placed = beside(placed, _pack(rng, "none"), shape, str(rng.choice(["right", "left"])), rng.uniform(0.5, 1.2))
    return placed


def hearts(rng: Rng, _: Position, shape: Shape) -> Piece:
    """A trick of hearts or whist: its cards lie across each other, a hand is held below, tricks taken lie face down."""
    words = shuffled(rng)
    trick: Piece = []
    for k in rng.permutation(4)[: int(rng.integers(2, 5))]:
        card = lay_card(rng, words.pop(), "none", (0, 0.55), rng.normal(0, 0.2), 0.04)
        trick += turned(card, -pi / 2 * float(k))
    hand = [words.pop() for _ in range(int(rng.integers(3, 13)))]
    hand.sort(key=lambda word: (SUIT_CHARS.index(word[1]), RANK_CHARS.index(word[0])))
    fan = list(lay_fan(rng, cards_of(hand), "none", shape, rng.uniform(2.5, 4.5)).cards)
    placed = beside(trick, fan, shape, "near", rng.uniform(0.4, 1.2))
    for side in map(str, rng.permutation(["left", "right", "far"])[: int(rng.integers(1, 4))]):
        taken = turned(_pack(rng, "none", 0.02), pi / 2 * (side != "far") + rng.normal(0, 0.1))
        placed = beside(placed, taken, shape, side, rng.uniform(0.3, 1), rng.uniform(0.2, 0.8))
    return placed


FAMILIES: Final[tuple[Family, ...]] = (
    Family("klondike/at a school desk", "klondike", klondike_school_desk, held_out=True, position=_midgame),
    Family("klondike/in bed", "klondike", klondike_in_bed, held_out=True, position=_midgame),
    Family("klondike/as in a book", "klondike", klondike_book, held_out=True, position=_first_moves),
    Family("klondike/late in the evening", "klondike", klondike_late_evening, held_out=True, position=_late),
    Family("klondike/left-hander", "klondike", klondike_left_hander, held_out=True, position=_midgame),
    Family("klondike/on a cafe table", "klondike", klondike_cafe, held_out=True, position=_midgame),
    Family("makiaveli/grandmother", "makiaveli", makiaveli_grandmother, held_out=True),
    Family("makiaveli/left-hander", "makiaveli", makiaveli_left_hander, held_out=True),
    Family("makiaveli/friends about a card table", "makiaveli", makiaveli_card_table, held_out=True),
    Family("makiaveli/on a beach towel", "makiaveli", makiaveli_beach_towel, held_out=True),
    Family("makiaveli/along a kitchen counter", "makiaveli", makiaveli_kitchen_counter, held_out=True),
    Family("tomb_single/as in a book", "tomb_single", tomb_single_book, held_out=True),
    Family(
        "tomb_single/corners point outwards", "tomb_single", tomb_single_star, held_out=True, position=_with_corners
    ),
    Family("tomb_single/spares lie across", "tomb_single", tomb_single_flat_spares, held_out=True),
    Family("tomb_single/in a train", "tomb_single", tomb_single_railway, held_out=True),
    Family("tomb_double/as in a book", "tomb_double", tomb_double_book, held_out=True),
    Family("tomb_double/wide desk", "tomb_double", tomb_double_wide_desk, held_out=True),
    Family("tomb_double/on the floor", "tomb_double", tomb_double_on_the_floor, held_out=True),
    Family("tomb_double/left-hander", "tomb_double", tomb_double_left_hander, held_out=True),
    Family("no game/cribbage", None, cribbage, held_out=True),
    Family("no game/canfield", None, canfield, held_out=True),
    Family("no game/beleaguered castle", None, beleaguered_castle, held_out=True),
    Family("no game/accordion", None, accordion, held_out=True),
    Family("no game/pairs", None, pairs, held_out=True),
    Family("no game/pyramid of open cards", None, pyramid, held_out=True),
    Family("no game/trick with three columns", None, three_columns_trick, held_out=True),
    Family("no game/trick of hearts", None, hearts, held_out=True),
)
"""How a newcomer would lay them."""
