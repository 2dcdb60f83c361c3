"""A position as the kernels take it: cards as bits, each part of a state with its own share of a 64-bit key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import numpy as np

from plumbing.errors import PositionError
from solver.cards import Card, MaybeCard, Rank, Suit
from solver.kernel_types import Ints
from solver.klondike import kernels
from solver.klondike.position import COLUMNS, MAX_STOCK, Position

_SHOWN: Final = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
"""[byte, place]: which of eight places a byte holds."""


@dataclass(frozen=True, slots=True)
class Game:
    """A position as the kernels take it.

    Attributes:
        row: The state: `kernels.ROW` int64.
        columns: (7, 32) int64: bits of each column's original stack, bottom to top.
        stock: 24 int64: bits of waste and stock in the order of turning.
        units: `kernels.UNITS` int64: what each part of a state counts in its key.
        slots: 64 int64, where each card was at first: stock place, or column + place in its original stack << 3.
        turns: (draw, 256) int64: of eight stock places that are filled or not, with so many filled ones since the last
            card turned up: those turned up, + filled ones since the last of them << 8.
        faces: (3, 256) int64: the cards in eight stock places that are filled or not.
        bottoms: The bottom cards of the columns' original stacks.
        redeals: How often the waste may still be turned over, -1 for unlimited.
        lazy: Whether a key has room for the number of an idle move.
    """

    row: Ints
    columns: Ints
    stock: Ints
    units: Ints
    slots: Ints
    turns: Ints
    faces: Ints
    bottoms: int
    redeals: int
    lazy: bool


def bit_of(card: MaybeCard) -> int:
    """The bit that stands for a known card."""
    assert card is not None, "the solver refuses hidden cards"
    return 4 * (card.rank - 1) + kernels.LANES[card.suit]


def card_of(bit: int) -> Card:
    """The card that a bit stands for.

    >>> card_of(bit_of(Card(Suit.SPADES, Rank.KING)))
    Card('KS')
    """
    return Card(Suit(kernels.LANES.index(bit & 3)), Rank(bit // 4 + 1))


def _mask(cards: tuple[MaybeCard, ...]) -> int:
    return sum(1 << bit_of(card) for card in cards)


def encode(position: Position) -> Game:
    """The position for the kernels. Every card must be known."""
    columns = np.zeros((COLUMNS, 32), np.int64)
    slots = np.zeros(64, np.int64)
    visible = locked = left = bottoms = 0
    depths = []
    for place, column in enumerate(position.columns):
        original = [*column.down, *column.up[:1]]
        bits = [bit_of(card) for card in original]
        columns[place, : len(bits)] = bits
        slots[bits] = [place | depth << 3 for depth in range(len(bits))]
        bottoms |= sum(1 << bit for bit in bits[:1])
        owned = len(original) == 1 and columns[place, 0] >= 48  # by a king: any king's column is as good
        depths.append(0 if owned else len(original))
        if depths[-1]:
            locked |= 1 << bit_of(original[-1])
        visible |= _mask(column.up)
        left |= depths[-1] << 5 * place
    cards = (*position.waste, *position.stock)
    stock = np.zeros(MAX_STOCK, np.int64)
    stock[: len(cards)] = [bit_of(card) for card in cards]
    slots[stock[: len(cards)]] = range(len(cards))
    raised = code = 0
    for suit, height in enumerate(position.foundations):
        raised |= sum(1 << 4 * rank + kernels.LANES[suit] for rank in range(height))
        code |= height << 4 * kernels.LANES[suit]
    draw, waste = position.rules.draw, len(position.waste)
    redeals = -1 if position.rules.redeals is None else position.rules.redeals - position.redealt
    if redeals >= len(cards):
        redeals = -1  # turning the waste over twice with no card played between is pointless
    if redeals < 0 and (waste % draw == 0 or waste == len(cards)):
        waste = 0
    units, lazy = _units(tuple(depths), len(cards), draw, redeals)
    key = (1 << len(cards)) - 1 + int(units[kernels.WASTES + waste]) * int(units[kernels.UNIT_WASTE])
    key += sum(int(units[place]) * depth for place, depth in enumerate(depths))
    row = np.zeros(kernels.ROW, np.int64)
    filled, in_waste = (1 << len(cards)) - 1, (1 << waste) - 1
    row[: kernels.CODE + 1] = [visible, locked, raised, filled, left, in_waste, _signed(key), code]
    held = (1 << stock) * (np.arange(MAX_STOCK) < len(cards))
    faces = np.bitwise_or.reduce(np.where(_SHOWN, held.reshape(3, 1, 8), 0), axis=2)
    return Game(row, columns, stock, units, slots, _turns(draw), faces, bottoms, redeals, lazy)


@cache
def _turns(draw: int) -> Ints:
    table = np.zeros((draw, 256), np.int64)
    for before in range(draw):
        for filled in range(256):
            since, shown = before, 0
            for place in range(8):
                if filled >> place & 1:
                    since += 1
                    if since == draw:
                        since, shown = 0, shown | 1 << place
            table[before, filled] = shown | since << 8
    return table


@lru_cache(maxsize=64)  # the deals of an estimate share them
def _units(depths: tuple[int, ...], cards: int, draw: int, redeals: int) -> tuple[Ints, bool]:
    """What each part of a state counts in its key: a mixed radix, so that no two states share a key.

    Returns:
        The units as `kernels` names them, and whether the number of an idle move finds room in a key as well.
    """
    units: list[int] = [0] * kernels.UNITS
    # Where redeals are unlimited only the waste's remainder matters, see `kernels.search`.
    wastes = [w for w in range(cards + 1) if redeals >= 0 or w == 0 or (w % draw and w < cards)]
    for number, waste in enumerate(wastes):
        units[kernels.WASTES + waste] = number
    unit = 1 << cards
    units[kernels.UNIT_WASTE] = unit
    unit *= len(wastes)
    units[kernels.UNIT_REDEALS] = unit
    unit *= redeals + 1 if redeals >= 0 else 1
    for place, depth in enumerate(depths):
        units[place] = unit
        unit *= depth + 1
    units[kernels.UNIT_HEIGHTS] = unit
    unit *= 14**4
    units[kernels.UNIT_IDLE] = unit
    if unit > 1 << 64:
        # No game comes here: it takes 21 face-down cards spread as no deal spreads them, and counted redeals.
        raise PositionError(Position.game, ["its face-down cards lie as in no deal; that is beyond the search's keys"])
    most_idle = kernels.IDLE_MOVES if draw == 1 and redeals < 0 else kernels.IDLE_MOVES // 2
    lazy = unit * most_idle <= 1 << 64
    return np.array([_signed(value) for value in units], np.int64), lazy


def _signed(value: int) -> int:
    """The number with the same low 64 bits that an int64 can hold."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
