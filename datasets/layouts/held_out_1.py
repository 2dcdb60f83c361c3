"""Held-out families, for measuring only: their author had seen neither the families of training nor any parser."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Final

import numpy as np

from datasets.games.game import Position, foundation_top, shuffled
from datasets.games.klondike import random_position
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
Top = tuple[str | None, str]
"""A pile's top card, None where there is no pile, with its zone."""

RED: Final = "DH"


def _pack(rng: Rng, zone: str, at: Way, turn: float = 0.0, loose: float = 0.01) -> list[LaidCard]:
    """A pack face down, neat or loose."""
    pack = lay_pile(rng, None, zone, int(rng.integers(0, 6)), rng.uniform(0.2, 1) * loose)
    return moved(turned(pack, turn + rng.normal(0, 0.03)), *at)


def _string(rng: Rng, words: Sequence[str], zone: str, way: Way, mess: float = 0.01) -> list[LaidCard]:
    """Cards at even steps, each upon the one before, the first at the origin; the messier, the longer the steps."""
    placed, (x, y) = list[LaidCard](), way
    more = 1 + 1.5 * mess / max(abs(x), abs(y), 0.1)
    for k, word in enumerate(words):
        placed += lay_card(rng, word, zone, (k * x * more, k * y * more), mess=mess)
    return placed


def _either(rng: Rng, first: str = "left", second: str = "right", chance: float = 0.5) -> str:
    """One of two words."""
    return first if rng.random() < chance else second


def _below(card: str, on: str) -> bool:
    """Whether a card is one rank below another."""
    return RANK_CHARS.index(card[0]) + 1 == RANK_CHARS.index(on[0])


def _follows(card: str, on: str) -> bool:
    """Whether a card goes on another in a column that builds down in alternating colours."""
    return (card[1] in RED) != (on[1] in RED) and _below(card, on)


# Klondike


def _columns(
    rng: Rng, position: Position, shape: Shape, face: float, mess: float, back: float | None = None
) -> list[list[LaidCard]]:
    """The seven columns towards the player, each with its first card at the origin; `face` and `back` are steps."""
    back = float(np.exp(rng.uniform(*np.log(shape.back_steps)))) if back is None else back
    face, back = shape.down(face), min(back, 0.45)
    columns = []
    for k, column in enumerate(position["columns"]):
        placed, y, drift = list[LaidCard](), 0.0, rng.normal(0, mess)
        for n, word in enumerate(["??"] * len(column["down"]) + column["up"]):
            placed += lay_card(rng, word, f"column/{k}", (drift * n, y), mess=mess)
            step = back * rng.uniform(0.8, 1.25) if word == "??" else face * rng.uniform(1, 1.1) + mess
            y += max(step, shape.least_back_step)
        columns.append(placed)
    return columns


def _stock(rng: Rng, position: Position, loose: float = 0.01) -> list[LaidCard]:
    """The stock at the origin, if it is there."""
    return _pack(rng, "stock", (0.0, 0.0), loose=loose) if position["stock"] else []


def _foundations(rng: Rng, position: Position, gather: bool) -> list[Top]:
    """The foundations' tops in any order; gathered, those that are not begun come last."""
    counts = [(suit, position["foundations"][suit]) for suit in rng.permutation(list(SUIT_CHARS))]
    if gather:
        counts.sort(key=lambda pair: pair[1] == 0)
    from_king = position["game"] == "tomb_double"
    return [(foundation_top(suit, count, from_king=from_king), f"foundation/{suit}") for suit, count in counts]


def _tops(
    rng: Rng, tops: Sequence[Top], places: Sequence[Way], turn: float = 0.0, mess: float = 0.012
) -> list[LaidCard]:
    """Piles' tops at their places."""
    placed = list[LaidCard]()
    for (word, zone), at in zip(tops, places, strict=True):
        placed += lay_card(rng, word, zone, at, turn, mess)
    return placed


def _from_right(rng: Rng) -> Position:
    """A deal whose longest column is the first."""
    position = random_position(rng)
    return {**position, "columns": position["columns"][::-1]}


def _with_waste(rng: Rng, count: int) -> Position:
    """A game that turns single cards, with so many cards of the waste to be seen, if there are so many."""
    position = random_position(rng)
    seen = {card for column in position["columns"] for card in column["up"]} | set(position["waste"])
    for suit, built in position["foundations"].items():
        seen |= {rank + suit for rank in RANK_CHARS[:built]}
    hidden = [card for card in shuffled(rng) if card not in seen]
    all_of_it = len(position["stock"]) + len(position["waste"])
    more = max(0, min(count, all_of_it) - len(position["waste"])) if position["waste"] or count > 1 else 0
    waste = (hidden[:more] + position["waste"])[-count:]
    rules = {**position["rules"], "draw": 1}
    return {**position, "rules": rules, "waste": waste, "stock": ["??"] * (all_of_it - len(waste))}


def _squared_waste(rng: Rng) -> Position:
    """A game whose waste is a squared pile."""
    return _with_waste(rng, 1)


def _long_waste(rng: Rng) -> Position:
    """A game whose waste is spread so that all of it is seen."""
    return _with_waste(rng, int(rng.integers(4, 17)))


def klondike_dealt_from_right(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Dealt by the left hand from the right: the longest column lies at the left; stock at either end above."""
    pitch, stagger = 1 + rng.uniform(0.05, 0.35), rng.uniform(0, 0.05)
    placed = side_by_side(
        rng, _columns(rng, position, shape, rng.uniform(0.25, 0.6), rng.choice((0.006, 0.015))), pitch, stagger
    )
    y, aside = -shape.aspect - rng.uniform(0.1, 0.7), shape.aside(rng.uniform(0.25, 0.45))
    waste = _string(rng, position["waste"], "waste", (aside, 0.0), 0.015)
    if stock_right := rng.random() < 0.7:
        waste = moved(waste, 5 * pitch - (len(waste) - 1) * aside, y)
    else:
        waste = moved(waste, pitch, y)
    if position["stock"]:
        placed += _pack(rng, "stock", ((6 if stock_right else 0) * pitch, y + rng.normal(0, 0.05)))
    tops = _foundations(rng, position, rng.random() < 0.7)
    first = rng.uniform(0, 0.25) if stock_right else 3 * pitch
    places = [(first + k * pitch * 0.98, y) for k in range(4)]
    return placed + waste + _tops(rng, tops, places[::-1] if rng.random() < 0.5 else places, mess=0.02)


def klondike_much_room(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """An elderly player's large table: columns wide apart and drawn out, the stock by the hand, the waste squared."""
    pitch = rng.uniform(1.4, 1.95)
    longest = max(len(column["up"]) for column in position["columns"])
    face = min(rng.uniform(0.55, 1.02) * shape.aspect, max(0.5, 7 / max(1, longest)))
    placed = list[LaidCard]()
    for k, column in enumerate(_columns(rng, position, shape, face, 0.015, rng.uniform(0.12, 0.45))):
        placed += moved(column, k * pitch + rng.normal(0, 0.06), rng.normal(0, 0.06))
    step, upright = 1 + rng.uniform(0.3, 0.9), rng.random() < 0.5
    tall = shape.aspect + rng.uniform(0.15, 0.5)
    places = [(0.0, k * tall) if upright else (k * step, 0.0) for k in range(4)]
    tops = _tops(rng, _foundations(rng, position, rng.random() < 0.6), places, mess=0.025)
    hand = _either(rng, chance=0.35)
    other = "right" if hand == "left" else "left"
    placed = beside(placed, tops, shape, other if upright else "far", rng.uniform(0.4, 1.1), rng.uniform(0, 0.6))
    stock = _pack(rng, "stock", (0.0, 0.0), rng.normal(0, 0.1)) if position["stock"] else []
    way = (1 + rng.uniform(0.15, 0.5), 0.0) if rng.random() < 0.4 else (0.0, tall)
    waste = _tops(rng, [(word, "waste") for word in position["waste"]], [way] * len(position["waste"]), mess=0.03)
    return beside(placed, stock + waste, shape, hand, rng.uniform(0.5, 1.3), rng.uniform(0.6, 1))


def klondike_aeroplane_tray(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """On an aeroplane's tray: columns lie on each other's sides, the foundations half upon each other above."""
    pitch = max(rng.uniform(0.8, 1.0), shape.right + 0.1)
    placed = side_by_side(rng, _columns(rng, position, shape, rng.uniform(0.2, 0.35), 0.006), pitch, 0.02)
    aside, between = shape.aside(rng.uniform(0.25, 0.32)), shape.aside(rng.uniform(0.4, 0.75))
    tops = _foundations(rng, position, True)
    upper = _tops(rng, tops, [(k * between, rng.normal(0, 0.02)) for k in range(4)], mess=0.01)
    waste = _string(rng, position["waste"], "waste", (aside, 0.0), 0.01)
    stock = _stock(rng, position, loose=0.004)
    if rng.random() < 0.5:
        side = beside(stock, waste, shape, "right", rng.uniform(0.03, 0.15))
        gap = max(0.1, 7 * pitch - 5.2 - rng.uniform(0, 1))
        side = beside(side, upper, shape, _either(rng, "right", "left", 0.7), gap)
        return beside(placed, side, shape, "far", rng.uniform(0.03, 0.2), rng.uniform(0, 0.4))
    placed = beside(placed, upper, shape, "far", rng.uniform(0.03, 0.2), rng.uniform(0, 1))
    side = beside(stock, waste, shape, "near", rng.uniform(0.03, 0.2), 0.0)
    return beside(placed, side, shape, _either(rng, chance=0.3), rng.uniform(0.05, 0.2), rng.uniform(0.3, 1))


def klondike_child(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A child on the carpet: crooked columns that begin at any height, foundations about anyhow, a slipped stock."""
    pitch, placed = rng.uniform(1.3, 1.6), list[LaidCard]()
    longest = max(len(column["up"]) + 0.4 * len(column["down"]) for column in position["columns"])
    lean = min(0.07, 0.5 * (pitch - 1.1) / (0.5 * longest + 1))  # so that no column meets the next
    for k, column in enumerate(_columns(rng, position, shape, rng.uniform(0.4, 0.65), rng.uniform(0.02, 0.035))):
        placed += moved(turned(column, rng.uniform(-lean, lean)), k * pitch, rng.uniform(-0.3, 0.3))
    tops = [
        lay_card(rng, word, zone, (0.0, 0.0), rng.normal(0, 0.2), 0.012)
        for word, zone in _foundations(rng, position, True)
    ]
    upright, row = rng.random() < 0.3, list[LaidCard]()
    for k, top in enumerate(tops):
        x, y = (0.0, k * (shape.aspect + 0.5)) if upright else (k * rng.uniform(1.45, 1.7), 0.0)
        row += moved(top, x + rng.normal(0, 0.1), y + rng.normal(0, 0.1))
    side = _either(rng)
    placed = beside(placed, row, shape, side if upright else "far", rng.uniform(0.4, 0.9), rng.uniform(0, 1))
    stock = _pack(rng, "stock", (0.0, 0.0), rng.normal(0, 0.4), 0.06) if position["stock"] else []
    waste = _string(rng, position["waste"], "waste", (shape.aside(0.4) + 0.1, rng.normal(0, 0.1)), 0.05)
    waste = turned(waste, rng.normal(0, 0.15))
    pair = beside(stock, waste, shape, _either(rng, "right", "near"), rng.uniform(0.1, 0.5))
    where = {"left": "right", "right": "left"}[side]
    return beside(placed, pair, shape, where, rng.uniform(0.4, 0.9), rng.uniform(0, 1))


def klondike_parted_foundations(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The foundations in two parts: a pair at each side, or the last ones beside the columns for want of room above."""
    pitch = 1 + rng.uniform(0.06, 0.3)
    placed = side_by_side(
        rng, _columns(rng, position, shape, rng.uniform(0.25, 0.55), rng.choice((0.006, 0.014))), pitch, 0.03
    )
    tops, tall = _foundations(rng, position, rng.random() < 0.6), shape.aspect + rng.uniform(0.05, 0.3)
    y, gap, aside = -shape.aspect - rng.uniform(0.1, 0.5), rng.uniform(0.45, 1.1), shape.aside(rng.uniform(0.25, 0.4))
    stock = _stock(rng, position)
    waste = _string(rng, position["waste"], "waste", (aside, 0.0), 0.014)
    pair = beside(stock, waste, shape, "right", rng.uniform(0.06, 0.3))
    if rng.random() < 0.5:
        lift = rng.choice((y, 0.0, rng.uniform(0, 1.5)))
        left, right = -1 - gap, 6 * pitch + 1 + gap
        places = [(x, float(lift) + k * tall) for x in (left, right) for k in range(2)]
        middle = rng.uniform(1, 3) * pitch
        return placed + moved(pair, middle, y) + _tops(rng, tops, places, mess=0.02)
    above, mirrored = int(rng.integers(1, 4)), rng.random() < 0.4
    side = extent(placed, shape.aspect)[0 if mirrored else 2] + (-1 if mirrored else 1) * (0.5 + gap)
    inner = [(0 if mirrored else 6 - above + 1) * pitch + k * pitch for k in range(above)]
    places = [(x, y) for x in inner] + [(side, (k + rng.uniform(0, 0.3)) * tall) for k in range(4 - above)]
    return placed + moved(pair, 4.2 * pitch if mirrored else 0.0, y) + _tops(rng, tops, places, mess=0.02)


def klondike_spread_waste(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The waste lies spread in one long line, along the table's edge or beyond the columns."""
    pitch = 1 + rng.uniform(0.06, 0.3)
    placed = side_by_side(
        rng, _columns(rng, position, shape, rng.uniform(0.25, 0.5), rng.choice((0.006, 0.014))), pitch, 0.03
    )
    aside = max(shape.aside(0.2), min(rng.uniform(0.3, 0.45), 6 / max(1, len(position["waste"]))))
    line = _string(rng, position["waste"], "waste", (aside, rng.normal(0, 0.01)), 0.014)
    stock = _stock(rng, position)
    line = beside(stock, line, shape, "right", rng.uniform(0.08, 0.4))
    below = rng.random() < 0.5
    tops, tall = _foundations(rng, position, rng.random() < 0.6), shape.aspect + rng.uniform(0.05, 0.3)
    upright = not below or rng.random() < 0.3
    places = [(0.0, k * tall) if upright else (k * pitch, 0.0) for k in range(4)]
    where = _either(rng) if upright else "far"
    share = rng.uniform(0, 0.3) if upright else rng.uniform(0, 1)
    placed = beside(placed, _tops(rng, tops, places), shape, where, rng.uniform(0.15, 0.9), share)
    return beside(placed, line, shape, "near" if below else "far", rng.uniform(0.15, 0.7), rng.uniform(0, 0.3))


def klondike_all_near(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A lap board: the foundations and the stock lie before the player, the columns beyond them."""
    pitch = 1 + rng.uniform(0.05, 0.3)
    placed = side_by_side(
        rng, _columns(rng, position, shape, rng.uniform(0.25, 0.45), rng.choice((0.006, 0.014))), pitch, 0.03
    )
    tops = _foundations(rng, position, rng.random() < 0.6)
    near = _tops(rng, tops, [(k * pitch, 0.0) for k in range(4)], mess=0.02)
    stock = _stock(rng, position)
    waste = _string(rng, position["waste"], "waste", (shape.aside(rng.uniform(0.25, 0.4)), 0.0), 0.014)
    hand = _either(rng, "right", "left", 0.7)
    pair = beside(stock, waste, shape, "right", rng.uniform(0.08, 0.3))
    near = beside(near, pair, shape, hand, rng.uniform(0.3, 1.0))
    return beside(placed, near, shape, "near", rng.uniform(0.3, 0.9), rng.uniform(0, 1))


# Makiaveli


def _meld(rng: Rng, words: Sequence[str], zone: str, shape: Shape, manner: str, mess: float = 0.012) -> Block:
    """One meld: as a `row`, a `column`, a `fan`, `whole` cards side by side, or a `square`."""
    if manner == "fan":
        return lay_fan(rng, cards_of(words), zone, shape, rng.uniform(1.6, 3))
    if manner == "square":
        wide, tall = 1 + rng.uniform(0.02, 0.15), shape.aspect + rng.uniform(0.02, 0.15)
        places = [(k % 2 * wide, k // 2 * tall) for k in range(len(words))]
        return boxed(_tops(rng, [(word, zone) for word in words], places, mess=mess), shape.aspect)
    way = {
        "row": (shape.aside(rng.uniform(0.27, 0.45)) + mess, 0.0),
        "column": (0.0, shape.down(rng.uniform(0.3, 0.5)) + mess),
        "whole": (1 + rng.uniform(0.01, 0.08), 0.0),
    }[manner]
    return boxed(_string(rng, words, zone, way, mess), shape.aspect)


def _is_run(meld: Sequence[str]) -> bool:
    """Whether a meld is a run, not a set."""
    return meld[0][1] == meld[1][1]


def _flow(rng: Rng, blocks: Sequence[Block], width: float, gap: float) -> list[LaidCard]:
    """Blocks line by line from the far left, no wider than `width`; wider where all would become far too deep."""
    width = max(width, float(np.sqrt(1.3 * sum((block.width + gap) * (block.height + gap) for block in blocks))))
    placed, x, y, tall = list[LaidCard](), 0.0, 0.0, 0.0
    for block in blocks:
        if x and x + block.width > width:
            x, y, tall = rng.uniform(0, 0.3), y + tall + gap * rng.uniform(0.8, 1.6), 0.0
        placed += block.at(x, y + rng.uniform(0, 0.4) * gap)
        x, tall = x + block.width + gap * rng.uniform(0.8, 2), max(tall, block.height)
    return placed


def _cross(rng: Rng, position: Position, shape: Shape, gap: float, lying: bool, mess: float = 0.015) -> list[LaidCard]:
    """The deck and the cards about it; with a negative gap they stick out from under the deck."""
    wide = 0.5 + gap + (shape.aspect if lying else 1.0) / 2
    places = [(0.0, -shape.aspect - gap), (wide, 0.0), (0.0, shape.aspect + gap), (-wide, 0.0)]
    placed = list[LaidCard]()
    for k, (word, at) in enumerate(zip(position["cross"], places, strict=True)):
        turn = (1 if at[0] > 0 else -1) * pi / 2 if lying and at[0] else 0.0
        placed += lay_card(rng, word, f"cross/{k}", at, turn, mess)
    return placed + (_pack(rng, "deck", (0.0, 0.0)) if placed or rng.random() < 0.7 else [])


def _hand(rng: Rng, position: Position, shape: Shape, manner: str, mess: float = 0.012) -> list[LaidCard]:
    """The hand as a row, a fan, or whole cards in lines; sorted by some players."""
    words = list(position["hand"])
    if not words:
        return []
    if rng.random() < 0.6:
        words.sort(key=lambda card: (card[1], RANK_CHARS.index(card[0])))
    if manner == "fan":
        return list(lay_fan(rng, cards_of(words), "hand", shape, rng.uniform(2, 4)).cards)
    if manner == "row":
        return _string(rng, words, "hand", (shape.aside(rng.uniform(0.28, 0.65)) + mess, 0.0), mess)
    tall = shape.aspect + rng.uniform(0.04, 0.2)
    places = [(k % 6 * 1.06, k // 6 * tall) for k in range(len(words))]
    return _tops(rng, [(word, "hand") for word in words], places, mess=mess)


def makiaveli_across(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Two players: melds upside down on the far side, the deck amid them or at an end, a hand face down beyond."""
    manner = str(rng.choice(["row", "fan", "column"], p=[0.6, 0.2, 0.2]))
    melds = [_meld(rng, meld, f"floor/{k}", shape, manner) for k, meld in enumerate(position["floor"])]
    cut, width, gap = round(rng.uniform(0.3, 0.7) * len(melds)), rng.uniform(8, 13), rng.uniform(0.15, 0.45)
    own, theirs = _flow(rng, melds[cut:], width, gap), turned(_flow(rng, melds[:cut], width, gap), pi)
    cross, side = _cross(rng, position, shape, rng.uniform(0.05, 0.35), rng.random() < 0.4), _either(rng)
    if rng.random() < 0.4:
        placed = beside(own, cross, shape, "far", rng.uniform(0.3, 0.7), rng.uniform(0.1, 0.9))
        placed = beside(placed, theirs, shape, "far", rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.8))
    else:
        placed = beside(own, theirs, shape, "far", rng.uniform(0.4, 1.2), rng.uniform(0.2, 0.8))
        placed = beside(placed, cross, shape, side, rng.uniform(0.4, 1.2), rng.uniform(0.3, 0.7))
    hand = _hand(rng, position, shape, _either(rng, "fan", "row"))
    placed = beside(placed, hand, shape, "near", rng.uniform(0.7, 1.6))
    if rng.random() < 0.6:
        backs = lay_fan(rng, [None] * int(rng.integers(2, 14)), "none", shape, rng.uniform(2, 4))
        placed = beside(placed, turned(backs.cards, pi), shape, "far", rng.uniform(0.7, 1.5), rng.uniform(0.2, 0.8))
    return placed


def makiaveli_about_deck(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A round table: the cross in the middle, upright melds at its left and right, then beyond and before it."""
    ways = [["row"], ["column"], ["row", "column"], ["row", "fan"]][int(rng.integers(4))]
    melds = [_meld(rng, meld, f"floor/{k}", shape, str(rng.choice(ways))) for k, meld in enumerate(position["floor"])]
    placed = _cross(rng, position, shape, rng.uniform(0.08, 0.5), rng.random() < 0.4)
    gap, turn = rng.uniform(0.15, 0.45), int(rng.integers(2))
    shares = np.array_split(np.arange(len(melds)), min(4, max(1, len(melds) // 2)))
    for k, share in enumerate(shares):
        side = ("left", "right", "far", "near")[(k + turn) % 2 if k < 2 else k]
        limit = rng.uniform(4, 6) if side in ("left", "right") else rng.uniform(8, 14)
        cards = _flow(rng, [melds[n] for n in share], limit, gap)
        placed = beside(placed, cards, shape, side, rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.7))
    hand = _hand(rng, position, shape, str(rng.choice(["row", "fan", "whole"])))
    return beside(placed, hand, shape, "near", rng.uniform(0.7, 1.5), rng.uniform(0.2, 0.8))


def makiaveli_train(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A train's narrow table: all packed in few long lines, sets on end, the cross tucked under the deck."""
    up = rng.random() < 0.7  # whether sets stand as columns
    melds = [
        _meld(rng, meld, f"floor/{k}", shape, "row" if _is_run(meld) or not up else "column", 0.006)
        for k, meld in enumerate(position["floor"])
    ]
    placed = _flow(rng, melds, rng.uniform(12, 19), rng.uniform(0.06, 0.2))
    lying = rng.random() < 0.8
    cross = _cross(rng, position, shape, -rng.uniform(0.25, 0.4) if lying else rng.uniform(0.02, 0.08), lying)
    placed = beside(placed, cross, shape, _either(rng), rng.uniform(0.2, 0.5), rng.uniform(0, 1))
    hand = _hand(rng, position, shape, _either(rng, "row", "fan", 0.8))
    return beside(placed, hand, shape, "near", rng.uniform(0.4, 0.8), float(rng.choice((0.05, 0.5, 0.95))))


def makiaveli_children(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Children on a blanket: melds askew and crooked, some fanned; a card added last lies a little off its meld."""
    blocks = list[Block]()
    for k, meld in enumerate(position["floor"]):
        manner = str(rng.choice(["row", "fan", "whole", "square"] if not _is_run(meld) else ["row", "fan"]))
        mess = rng.uniform(0.015, 0.035)
        cards = list(_meld(rng, meld, f"floor/{k}", shape, manner, mess).cards)
        if rng.random() < 0.3 and manner == "row":
            cards[-1:] = moved(cards[-1:], rng.uniform(0.05, 0.2), rng.normal(0, 0.15))
        blocks.append(boxed(turned(cards, rng.normal(0, 0.18)), shape.aspect))
    placed = _flow(rng, blocks, rng.uniform(9, 14), rng.uniform(0.3, 0.6))
    cross = turned(_cross(rng, position, shape, rng.uniform(0.2, 0.6), False, 0.06), rng.normal(0, 0.15))
    side = str(rng.choice(["left", "right", "far"]))
    placed = beside(placed, cross, shape, side, rng.uniform(0.5, 1.2), rng.uniform(0, 1))
    hand = turned(_hand(rng, position, shape, _either(rng, "fan", "row"), 0.03), rng.normal(0, 0.12))
    return beside(placed, hand, shape, "near", rng.uniform(0.9, 1.8), rng.uniform(0, 1))


def makiaveli_whole_cards(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Poor eyes and a large table: whole cards side by side, long runs on a second line, the hand laid out whole."""
    blocks, most = list[Block](), int(rng.integers(5, 8))
    tall = shape.aspect + rng.uniform(0.02, 0.1)
    step = 1 + rng.uniform(0.01, 0.1)
    for k, meld in enumerate(position["floor"]):
        places = [(n % most * step, n // most * tall) for n in range(len(meld))]
        cards = _tops(rng, [(word, f"floor/{k}") for word in meld], places, mess=0.014)
        blocks.append(boxed(cards, shape.aspect))
    placed = _flow(rng, blocks, rng.uniform(11, 18), rng.uniform(0.4, 0.8))
    cross = _cross(rng, position, shape, rng.uniform(0.15, 0.6), rng.random() < 0.3)
    side = str(rng.choice(["left", "right", "far"]))
    placed = beside(placed, cross, shape, side, rng.uniform(0.6, 1.4), rng.uniform(0, 1))
    hand = _hand(rng, position, shape, _either(rng, "whole", "row", 0.7))
    return beside(placed, hand, shape, "near", rng.uniform(0.8, 1.8))


# Napoleon's Tombs

GRID: Final = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))
"""The nine places in the order in which they are read."""


def _nine(position: Position, rng: Rng) -> list[Top]:
    """The tops of the nine piles, in the order of `GRID`."""
    centre = (_top(position["centre"]), "centre")
    if position["game"] == "tomb_single":
        c = [(_top(pile), f"corner/{k}") for k, pile in enumerate(position["corners"])]
        e = [(spare, f"spare/{k}") for k, spare in enumerate(position["spares"])]
    else:
        c = _foundations(rng, position, False)
        e = [(_top(pile), f"reserve/{k}") for k, pile in enumerate(position["reserves"])]
    return [c[0], e[0], c[1], e[1], centre, e[2], c[2], e[3], c[3]]


def _top(pile: Sequence[str]) -> str | None:
    return pile[-1] if pile else None


def _side_pile(rng: Rng, position: Position, name: str, turn: float = 0.0) -> list[LaidCard]:
    """The one-deck Tomb's deck, discard pile or sixes, at the origin."""
    if not position[name]:
        return []
    if name == "deck":
        return _pack(rng, name, (0.0, 0.0), turn)
    return lay_card(rng, position[name][-1], name, (0.0, 0.0), turn, 0.02)


def tomb_single_deck_in_hand(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Laid loosely on a cloth, all askew; the deck often in the player's hand, discards and sixes at either side."""
    pitch = (1 + rng.uniform(0.15, 0.7), shape.aspect + rng.uniform(0.15, 0.6))
    places = [(x * pitch[0], y * pitch[1]) for x, y in GRID]
    placed = _tops(rng, _nine(position, rng), places, mess=rng.uniform(0.02, 0.06))
    names = [str(name) for name in rng.permutation(["discard", "spare_six"])]
    for name, side in zip(names, ("left", "right"), strict=True):
        pile, place = _side_pile(rng, position, name), rng.uniform(0, 1)
        x = (pitch[0] + 1 + rng.uniform(0.2, 0.9)) * (-1 if side == "left" else 1)
        placed += moved(pile, x, (2 * place - 1) * pitch[1])
    if rng.random() < 0.4:
        deck = _side_pile(rng, position, "deck", rng.normal(0, 0.15))
        placed += moved(deck, rng.uniform(-1, 1) * pitch[0], 2 * pitch[1] + rng.uniform(0.3, 0.9))
    return turned(placed, rng.normal(0, 0.05))


def tomb_single_tray(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A tray with no room: the nine lie on each other's edges, all side piles close by in one line."""
    wide, tall = rng.uniform(0.8, 1.0), rng.uniform(0.75, 1.0) * shape.aspect
    pitch = (max(wide, shape.right + 0.12), max(tall, shape.below + 0.15))
    placed = _tops(rng, _nine(position, rng), [(x * pitch[0], y * pitch[1]) for x, y in GRID], mess=0.015)
    side = str(rng.choice(["left", "right", "near"]))
    step = max(pitch[0], 0.97) if side == "near" else max(pitch[1], 0.97 * shape.aspect)
    line = list[LaidCard]()
    for k, name in enumerate(rng.permutation(["deck", "discard", "spare_six"])):
        line += moved(_side_pile(rng, position, str(name)), *((k * step, 0.0) if side == "near" else (0.0, k * step)))
    return beside(placed, line, shape, side, rng.uniform(0.3, 0.6), rng.uniform(0.2, 0.8))


def tomb_single_close_cross(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The spares close about the centre, the corners a little way off; deck and discard by the hand, sixes beyond."""
    gap, off = rng.uniform(0.03, 0.12), rng.uniform(0.15, 0.5)
    pitch = (1 + gap, shape.aspect + gap)
    places = [(x * (pitch[0] + off * abs(y)), y * (pitch[1] + off * abs(x))) for x, y in GRID]
    placed = _tops(rng, _nine(position, rng), places, mess=0.018)
    hand = _either(rng, chance=0.4)
    deck, discard = (_side_pile(rng, position, name) for name in ("deck", "discard"))
    if rng.random() < 0.6:  # the discard pile nearer to the grid, where the hand passes
        pair = beside(discard, deck, shape, hand, rng.uniform(0.1, 0.4))
    else:
        pair = beside(deck, discard, shape, "near", rng.uniform(0.08, 0.4))
    placed = beside(placed, pair, shape, hand, rng.uniform(0.5, 1.3), rng.uniform(0.5, 1))
    sixes = _side_pile(rng, position, "spare_six", float(rng.choice((0.0, pi / 2))))
    x, y = rng.uniform(-1, 1) * pitch[0], 2 * pitch[1] + off + rng.uniform(0.25, 0.8)
    return placed + moved(sixes, x, -y if rng.random() < 0.6 else y)


def _piles(piles: Sequence[Sequence[str]], zone: str) -> list[Top]:
    """Tops of tableau piles or wastes."""
    return [(pile[-1] if pile else None, f"{zone}/{k}") for k, pile in enumerate(piles)]


def tomb_double_two_lines(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The wastes in two short lines beside the stock, the tableau a column at the other side."""
    pitch = (1 + rng.uniform(0.06, 0.35), shape.aspect + rng.uniform(0.06, 0.3))
    placed = _tops(rng, _nine(position, rng), [(x * pitch[0], y * pitch[1]) for x, y in GRID], mess=0.014)
    tall, wide = shape.aspect + rng.uniform(0.04, 0.25), 1 + rng.uniform(0.05, 0.25)
    tableau = _tops(rng, _piles(position["tableau"], "tableau"), [(0.0, k * tall) for k in range(4)], mess=0.018)
    side, other = ("left", "right") if rng.random() < 0.5 else ("right", "left")
    placed = beside(placed, tableau, shape, side, rng.uniform(0.4, 1.1), rng.uniform(0.2, 0.8))
    places = [(k % 3 * wide, k // 3 * tall) for k in range(5)]
    wastes = _tops(rng, _piles(position["wastes"], "waste"), places, mess=0.018)
    stock = _stock(rng, position)
    wastes = beside(wastes, stock, shape, _either(rng), rng.uniform(0.15, 0.5), rng.uniform(0, 1))
    where = "near" if rng.random() < 0.6 else other
    return beside(placed, wastes, shape, where, rng.uniform(0.4, 1.0), rng.uniform(0.1, 0.9))


def tomb_double_small_table(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A small table: the nine touch, tableau and wastes each half upon one another in a line."""
    pitch = (1 + rng.uniform(0.01, 0.06), shape.aspect + rng.uniform(0.01, 0.06))
    placed = _tops(rng, _nine(position, rng), [(x * pitch[0], y * pitch[1]) for x, y in GRID], mess=0.01)
    down, aside = shape.down(rng.uniform(0.5, 0.9)), shape.aside(rng.uniform(0.45, 0.85))
    tableau = _tops(rng, _piles(position["tableau"], "tableau"), [(0.0, k * down) for k in range(4)], mess=0.01)
    placed = beside(placed, tableau, shape, _either(rng, chance=0.4), rng.uniform(0.2, 0.5), rng.uniform(0, 1))
    wastes = _tops(rng, _piles(position["wastes"], "waste"), [(k * aside, 0.0) for k in range(5)], mess=0.01)
    stock = _stock(rng, position)
    wastes = beside(stock, wastes, shape, "right", rng.uniform(0.06, 0.25))
    return beside(placed, wastes, shape, "near", rng.uniform(0.12, 0.4), rng.uniform(0, 0.6))


def tomb_double_tableau_between(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """The tableau in a row between the nine and the wastes, the stock off at a side; a child's cards lie askew."""
    mess = float(rng.choice((0.012, 0.03, 0.05)))
    pitch = (1.08 + rng.uniform(0.05, 0.6), shape.aspect + 0.08 + rng.uniform(0.05, 0.4))
    placed = _tops(rng, _nine(position, rng), [(x * pitch[0], y * pitch[1]) for x, y in GRID], mess=mess)
    step = 1.08 + rng.uniform(0.05, 0.5)
    tableau = _tops(rng, _piles(position["tableau"], "tableau"), [(k * step, 0.0) for k in range(4)], mess=mess)
    wastes = _tops(rng, _piles(position["wastes"], "waste"), [(k * step, 0.0) for k in range(5)], mess=mess)
    placed = beside(placed, tableau, shape, "near", rng.uniform(0.35, 0.9), rng.uniform(0.3, 0.7))
    placed = beside(placed, wastes, shape, "near", rng.uniform(0.35, 0.9), rng.uniform(0.1, 0.9))
    stock = _pack(rng, "stock", (0.0, 0.0), float(rng.choice((0, 0, pi / 2))), mess) if position["stock"] else []
    return beside(placed, stock, shape, _either(rng), rng.uniform(0.3, 1.2), rng.uniform(0.1, 1))


# No game of ours


def _stack(rng: Rng, down: int, up: Sequence[str], back: float, face: float) -> list[LaidCard]:
    """A column of some backs and the cards on them."""
    backs = _string(rng, ["??"] * down, "none", (0.0, back))
    return backs + moved(_string(rng, up, "none", (0.0, face)), 0, down * back)


def forty_thieves(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Forty thieves: two decks, ten columns face up that build down in suit, eight foundations, the waste in lines."""
    columns, built, waste, cards = _played_forty_thieves(rng)
    pitch, face = 1 + rng.uniform(0.04, 0.25), shape.down(rng.uniform(0.28, 0.5))
    strings = (_string(rng, column, "none", (0.0, face)) for column in columns)
    placed = side_by_side(rng, strings, pitch, 0.03)
    tops = [(foundation_top(SUIT_CHARS[n % 4], count), "none") for n, count in enumerate(built)]
    row = _tops(rng, tops, [(n * pitch, 0.0) for n in rng.permutation(8)])
    placed = beside(placed, row, shape, "far", rng.uniform(0.1, 0.5), rng.uniform(0, 1))
    across, aside = int(rng.integers(12, 25)), shape.aside(rng.uniform(0.3, 0.4))
    lines = list[LaidCard]()
    for n in range(0, len(waste), across):
        line = _string(rng, waste[n : n + across], "none", (aside, 0.0))
        lines += moved(line, 0, n // across * (shape.aspect + 0.12))
    lines = beside(_pack(rng, "none", (0.0, 0.0)) if cards else [], lines, shape, "right", rng.uniform(0.1, 0.4), 0.0)
    return beside(placed, lines, shape, "near", rng.uniform(0.3, 0.8), rng.uniform(0, 1))


def _played_forty_thieves(rng: Rng) -> tuple[list[list[str]], list[int], list[str], list[str]]:
    """Its columns, how many cards each foundation holds, the waste and the stock after some turns."""
    cards = shuffled(rng, 2)
    columns, built = [[cards.pop() for _ in range(4)] for _ in range(10)], [0] * 8
    waste = list[str]()
    for _turn in range(int(rng.integers(0, 60))):
        for pile in (*columns, waste):
            _build_up(pile, built)
        moves = [(a, b) for a in (*columns, waste) for b in columns if a and b and a is not b]
        moves = [(a, b) for a, b in moves if a[-1][1] == b[-1][1] and _below(a[-1], b[-1])]
        if moves:
            source, target = moves[int(rng.integers(len(moves)))]
            target.append(source.pop())
        elif cards:
            waste.append(cards.pop())
    return columns, built, waste, cards


def _build_up(pile: list[str], built: list[int]) -> None:
    """Takes a pile's last card to one of eight foundations, if it fits on any."""
    if pile:
        rank, suit = RANK_CHARS.index(pile[-1][0]), SUIT_CHARS.index(pile[-1][1])
        slots = [n for n in (suit, suit + 4) if built[n] == rank]
        if slots:
            built[slots[0]] += 1
            pile.pop()


def golf(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Golf: seven columns of five, ends taken in turn to one pile, which lies squared or as a long line."""
    columns, pile, cards = _played_golf(rng)
    pitch, face = 1 + rng.uniform(0.05, 0.3), shape.down(rng.uniform(0.3, 0.8))
    strings = (_string(rng, column, "none", (0.0, face)) for column in columns)
    placed = side_by_side(rng, strings, pitch, 0.03)
    aside = max(shape.aside(0.2), min(0.4, 7 / len(pile)))
    line = _string(rng, pile if rng.random() < 0.5 and len(pile) * aside < 10 else pile[-1:], "none", (aside, 0.0))
    line = beside(_pack(rng, "none", (0.0, 0.0)) if cards else [], line, shape, "right", rng.uniform(0.1, 0.6))
    return beside(placed, line, shape, _either(rng, "near", "far", 0.8), rng.uniform(0.3, 0.9), rng.uniform(0, 1))


def _played_golf(rng: Rng) -> tuple[list[list[str]], list[str], list[str]]:
    """Its columns, the pile of what was taken, and the stock after some turns."""
    cards = shuffled(rng)
    columns = [[cards.pop() for _ in range(5)] for _ in range(7)]
    pile, stop = [cards.pop()], int(rng.integers(0, 40))
    for _turn in range(stop):
        near = [c for c in columns if c and abs(RANK_CHARS.index(c[-1][0]) - RANK_CHARS.index(pile[-1][0])) == 1]
        if not near and not cards:
            break
        pile.append(near[int(rng.integers(len(near)))].pop() if near else cards.pop())
    return columns, pile, cards


def yukon(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Yukon: all cards dealt to seven columns, five more face up on each but the first; out of order, no stock."""
    columns, built = _played_yukon(rng)
    pitch, back, face = 1 + rng.uniform(0.05, 0.4), rng.uniform(0.06, 0.3), shape.down(rng.uniform(0.28, 0.5))
    stacks = (_stack(rng, len(down), up, back, face) for down, up in columns)
    placed = side_by_side(rng, stacks, pitch, 0.04)
    tops = [(foundation_top(suit, count), "none") for suit, count in built.items()]
    upright, tall = rng.random() < 0.5, shape.aspect + rng.uniform(0.05, 0.3)
    row = _tops(rng, tops, [(0.0, k * tall) if upright else (k * pitch, 0.0) for k in range(4)])
    return beside(placed, row, shape, _either(rng) if upright else "far", rng.uniform(0.2, 0.9), rng.uniform(0, 0.6))


def _played_yukon(rng: Rng) -> tuple[list[tuple[list[str], list[str]]], dict[str, int]]:
    """Its columns, as cards face down and face up, and how many cards each foundation holds after some turns."""
    cards = shuffled(rng)
    columns = [([cards.pop() for _ in range(k)], [cards.pop() for _ in range(5 if k else 1)]) for k in range(7)]
    built = dict.fromkeys(SUIT_CHARS, 0)
    for _turn in range(int(rng.integers(0, 22))):
        for _down, up in columns:
            if up and RANK_CHARS.index(up[-1][0]) == built[up[-1][1]]:
                built[up.pop()[1]] += 1
        moves = _yukon_moves([up for _, up in columns])
        if moves:
            a, n, b = moves[int(rng.integers(len(moves)))]
            columns[b][1].extend(columns[a][1][n:])
            del columns[a][1][n:]
        for down, up in columns:
            if down and not up:
                up.append(down.pop())
    return columns, built


def _yukon_moves(columns: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
    """From which column, from which of its cards on, and to which other one."""
    ends = {number: column[-1] for number, column in enumerate(columns) if column}
    return [
        (a, n, b)
        for a, column in enumerate(columns)
        for n, card in enumerate(column)
        for b, end in ends.items()
        if a != b and _follows(card, end)
    ]


def cassino(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Cassino or scopa: single cards loose in the middle, few in the hand, the tricks won in heaps, the pack aside."""
    cards, count = shuffled(rng), int(rng.integers(1, 11))
    across, mess = int(rng.integers(3, 6)), float(rng.choice((0.02, 0.06, 0.12)))
    placed = list[LaidCard]()
    for k in range(count):
        at = (k % across * (1.25 + 2 * mess), k // across * (shape.aspect + 0.2 + 2 * mess))
        placed += lay_card(rng, cards.pop(), "none", at, mess=mess)
    if rng.random() < 0.8:
        pack = _pack(rng, "none", (0.0, 0.0), rng.normal(0, 0.3))
        placed = beside(placed, pack, shape, _either(rng), rng.uniform(0.4, 1.2), rng.uniform(0, 1))
    left, for_me, for_them = int(rng.integers(1, 5)), rng.random() < 0.8, rng.random() < 0.8
    hand = [cards.pop() for _ in range(left)]
    if rng.random() < 0.5:
        own: Sequence[LaidCard] = lay_fan(rng, cards_of(hand), "none", shape, rng.uniform(1.8, 3)).cards
    else:
        own = _string(rng, hand, "none", (rng.uniform(1.02, 1.3), 0.0), 0.025)
    theirs: Sequence[LaidCard] = lay_fan(rng, [None] * left, "none", shape, rng.uniform(1.6, 3)).cards
    if rng.random() < 0.5:
        theirs = _string(rng, ["??"] * left, "none", (rng.uniform(0.4, 1.2), 0.0), 0.03)
    heaps = [
        _string(rng, ["??"] * int(rng.integers(1, 8)), "none", (0.0, 0.0), rng.uniform(0.03, 0.12)) for _ in range(2)
    ]
    own = beside(own, heaps[0] if for_me else [], shape, _either(rng), rng.uniform(0.4, 1.0))
    theirs = beside(theirs, heaps[1] if for_them else [], shape, _either(rng), rng.uniform(0.4, 1.0))
    placed = beside(placed, own, shape, "near", rng.uniform(0.7, 1.7), rng.uniform(0.2, 0.8))
    return beside(placed, turned(theirs, pi), shape, "far", rng.uniform(0.7, 1.7), rng.uniform(0.2, 0.8))


def gin_rummy(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Gin rummy under way: ten cards sorted in a fan or row, stock and discards amid, ten backs across the table."""
    cards = shuffled(rng)
    hand = [cards.pop() for _ in range(int(rng.choice((10, 10, 11))))]
    hand.sort(key=lambda card: (card[1], RANK_CHARS.index(card[0])))
    if rng.random() < 0.5:
        hand.sort(key=lambda card: RANK_CHARS.index(card[0]))
    strewn = int(rng.integers(1, 9)) if rng.random() < 0.3 else 1
    discards = _string(rng, [cards.pop() for _ in range(strewn)], "none", (shape.aside(0.3) + 0.05, 0.0), 0.04)
    placed = beside(_pack(rng, "none", (0.0, 0.0)), discards, shape, _either(rng), rng.uniform(0.1, 0.6))
    if rng.random() < 0.65:
        own: Sequence[LaidCard] = lay_fan(rng, cards_of(hand), "none", shape, rng.uniform(2.2, 4)).cards
    else:
        own = _string(rng, hand, "none", (shape.aside(rng.uniform(0.35, 0.7)), 0.0), 0.02)
    placed = beside(placed, own, shape, "near", rng.uniform(0.8, 2.0), rng.uniform(0.3, 0.7))
    if rng.random() < 0.7:
        fan = turned(lay_fan(rng, [None] * 10, "none", shape, rng.uniform(2, 3.5)).cards, pi + rng.normal(0, 0.1))
        placed = beside(placed, fan, shape, "far", rng.uniform(0.8, 2.0), rng.uniform(0.2, 0.8))
    return placed


def collection(rng: Rng, _: Position, shape: Shape) -> list[LaidCard]:
    """Single cards somebody has found or brought home, laid out to be looked at; some show their backs."""
    count = int(rng.integers(3, 36))
    across = max(2, round(float(np.sqrt(count)) * rng.uniform(0.8, 1.7)))
    cards, mess = shuffled(rng, 2), float(rng.choice((0.01, 0.03, 0.08)))
    wide, tall = 1.15 + rng.uniform(0, 0.6), shape.aspect + 0.15 + rng.uniform(0, 0.5)
    shifted, backs, upset = rng.uniform(0, 0.5) * (rng.random() < 0.4), rng.uniform(0, 0.4), rng.uniform(0, 0.3)
    placed = list[LaidCard]()
    for k in range(count):
        x, y = k % across + shifted * (k // across % 2), k // across
        turn = pi if rng.random() < upset else 0.0
        placed += lay_card(rng, "??" if rng.random() < backs else cards.pop(), "none", (x * wide, y * tall), turn, mess)
    return placed


FAMILIES: Final[tuple[Family, ...]] = (
    Family("klondike/dealt from the right", "klondike", klondike_dealt_from_right, held_out=True, position=_from_right),
    Family("klondike/much room", "klondike", klondike_much_room, held_out=True, position=_squared_waste),
    Family("klondike/on an aeroplane's tray", "klondike", klondike_aeroplane_tray, held_out=True),
    Family("klondike/a child's on the carpet", "klondike", klondike_child, held_out=True),
    Family("klondike/foundations in two parts", "klondike", klondike_parted_foundations, held_out=True),
    Family("klondike/whole waste in a line", "klondike", klondike_spread_waste, held_out=True, position=_long_waste),
    Family("klondike/other piles before the player", "klondike", klondike_all_near, held_out=True),
    Family("makiaveli/two across a table", "makiaveli", makiaveli_across, held_out=True),
    Family("makiaveli/melds about the deck", "makiaveli", makiaveli_about_deck, held_out=True),
    Family("makiaveli/packed in a train", "makiaveli", makiaveli_train, held_out=True),
    Family("makiaveli/children on a blanket", "makiaveli", makiaveli_children, held_out=True),
    Family("makiaveli/whole cards", "makiaveli", makiaveli_whole_cards, held_out=True),
    Family("tomb_single/deck in the hand", "tomb_single", tomb_single_deck_in_hand, held_out=True),
    Family("tomb_single/on a tray", "tomb_single", tomb_single_tray, held_out=True),
    Family("tomb_single/spares close about the centre", "tomb_single", tomb_single_close_cross, held_out=True),
    Family("tomb_double/wastes in two lines", "tomb_double", tomb_double_two_lines, held_out=True),
    Family("tomb_double/small table", "tomb_double", tomb_double_small_table, held_out=True),
    Family("tomb_double/tableau between", "tomb_double", tomb_double_tableau_between, held_out=True),
    Family("no game/forty thieves", None, forty_thieves, held_out=True),
    Family("no game/golf", None, golf, held_out=True),
    Family("no game/yukon", None, yukon, held_out=True),
    Family("no game/cassino or scopa", None, cassino, held_out=True),
    Family("no game/gin rummy", None, gin_rummy, held_out=True),
    Family("no game/collection of cards", None, collection, held_out=True),
)
"""How a visitor would lay them."""
