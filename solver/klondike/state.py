"""A position as the kernels take it: cards as bits, each part of a state with its own share of a 64-bit key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import mul
from typing import Final

import numpy as np

from plumbing.errors import PositionError
from solver.cards import Card, MaybeCard, Rank, Suit
from solver.klondike import kernels
from solver.klondike.kernels import EncodedDeal
from solver.klondike.position import COLUMNS, MAX_STOCK, Position
from solver.numeric.kernel_types import Ints

_SHOWN: Final = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
"""[byte, place]: which of eight places a byte holds."""


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


def _mask(bits: Iterable[int]) -> int:
    """The number in which these bits are set; each stands once."""
    return sum(1 << bit for bit in bits)


def encode(position: Position) -> EncodedDeal:
    """The position for the kernels. Every card must be known."""
    stacks = [[bit_of(card) for card in (*column.down, *column.up[:1])] for column in position.columns]
    turning = [bit_of(card) for card in (*position.waste, *position.stock)]
    depths = tuple(map(_depth, stacks))
    redeals, waste = _redeals_left(position)
    draw, filled = position.rules.draw, (1 << len(turning)) - 1
    units, defers = _key_units(depths, len(turning), draw, redeals)
    unit = units.tolist()  # Python's numbers, which do not wrap around
    key = filled + unit[kernels.WASTES + waste] * unit[kernels.UNIT_WASTE] + sum(map(mul, unit, depths))
    stock = np.zeros(MAX_STOCK, np.int64)
    stock[: len(turning)] = turning
    row = np.zeros(kernels.ROW, np.int64)
    row[: kernels.CODE + 1] = [
        _mask(bit_of(card) for column in position.columns for card in column.up),
        _mask(stack[-1] for stack, depth in zip(stacks, depths, strict=True) if depth),
        _mask(4 * rank + kernels.LANES[suit] for suit in Suit for rank in range(position.foundations[suit])),
        filled,
        sum(depth << 5 * place for place, depth in enumerate(depths)),
        (1 << waste) - 1,
        _signed(key),
        sum(height << 4 * kernels.LANES[suit] for suit, height in enumerate(position.foundations)),
    ]
    bottoms = _mask(bit for stack in stacks for bit in stack[:1])
    columns, homes = _columns_and_homes(stacks, turning)
    return EncodedDeal(
        row, columns, stock, units, homes, _draw_table(draw), _stock_cards(turning), bottoms, draw, redeals,
        position.rules.worrying_back, defers,
    )  # fmt: skip


def _depth(stack: Sequence[int]) -> int:
    """How many cards a column's original stack counts for: 0 with a king alone, as any king's column is as good."""
    return 0 if len(stack) == 1 and stack[0] >= 48 else len(stack)


def _columns_and_homes(stacks: Sequence[Sequence[int]], turning: Sequence[int]) -> tuple[Ints, Ints]:
    """`EncodedDeal.columns` and `EncodedDeal.card_home`."""
    columns = np.zeros((COLUMNS, 32), np.int64)
    homes = np.zeros(64, np.int64)
    homes[turning] = range(len(turning))
    for place, stack in enumerate(stacks):
        columns[place, : len(stack)] = stack
        homes[stack] = [place | depth << 3 for depth in range(len(stack))]
    return columns, homes


def _redeals_left(position: Position) -> tuple[int, int]:
    """How often the waste may still be turned over, -1 for unlimited, and how many of its cards matter."""
    draw, waste, cards = position.rules.draw, len(position.waste), len(position.waste) + len(position.stock)
    left = -1 if position.rules.redeals is None else position.rules.redeals - position.redealt
    if left >= cards:
        left = -1  # turning the waste over twice with no card played between is pointless
    return left, 0 if left < 0 and (waste % draw == 0 or waste == cards) else waste


def _stock_cards(turning: Sequence[int]) -> Ints:
    """`EncodedDeal.stock_cards`."""
    cards = np.zeros(MAX_STOCK, np.int64)
    cards[: len(turning)] = [1 << bit for bit in turning]
    shown: Ints = np.bitwise_or.reduce(np.where(_SHOWN, cards.reshape(3, 1, 8), 0), axis=2)
    return shown


@cache
def _draw_table(draw: int) -> Ints:
    """`EncodedDeal.draw_table`."""
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
def _key_units(depths: tuple[int, ...], cards: int, draw: int, redeals: int) -> tuple[Ints, bool]:
    """What each part of a state counts in its key: a mixed radix, so that no two states share a key.

    Returns:
        The units as `kernels` names them, and whether the number of an idle move finds room in a key as well.
    """
    units: list[int] = [0] * kernels.UNITS
    wastes = _waste_sizes(cards, draw, redeals)
    for number, waste in enumerate(wastes):
        units[kernels.WASTES + waste] = number
    unit = 1 << cards
    for place, values in (
        (kernels.UNIT_WASTE, len(wastes)),
        (kernels.UNIT_REDEALS, max(redeals, 0) + 1),
        *((place, depth + 1) for place, depth in enumerate(depths)),
        (kernels.UNIT_HEIGHTS, 14**4),
    ):
        units[place] = unit
        unit *= values
    units[kernels.UNIT_IDLE] = unit
    if unit > 1 << 64:
        # No game comes here: it takes 21 face-down cards spread as no deal spreads them, and counted redeals.
        raise PositionError(Position.game, ["its face-down cards lie as in no deal; that is beyond the search's keys"])
    most_idle = kernels.IDLE_MOVES if draw == 1 and redeals < 0 else kernels.IDLE_MOVES // 2
    defers_idle_moves = unit * most_idle <= 1 << 64
    return np.array([_signed(value) for value in units], np.int64), defers_idle_moves


def _waste_sizes(cards: int, draw: int, redeals: int) -> list[int]:
    """The sizes of the waste that are told apart; of unlimited redeals only its remainder, see `kernels.search`."""
    if redeals >= 0:
        return list(range(cards + 1))
    return [0, *(waste for waste in range(1, cards) if waste % draw)]


def _signed(value: int) -> int:
    """The number with the same low 64 bits that an int64 can hold."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
