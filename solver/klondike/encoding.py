"""A deal as the kernels take it, and the moves that their lines mean.

Cards become bits, and each part of a state gets its own share of a 64-bit key. On the way back, the search for run
moves leaves out how runs are arranged (see `kernels`): its steps say "this card goes up" or "this card goes to a
column". Here each step becomes real moves on a real table. If another card lies on the wanted one, it first moves over
to the twin, the card of the same rank and colour. A card of the stock is turned up first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from operator import mul
from typing import Final

import numpy as np

from plumbing.errors import IllegalMoveError, PositionError
from solver.cards import DECK, Card, MaybeCard, Rank, Suit
from solver.klondike import kernels
from solver.klondike.house_rules import ColumnMoves
from solver.klondike.kernels import EncodedDeal
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.position import COLUMNS, MAX_STOCK, Position, fits
from solver.numeric.kernel_types import Ints
from solver.place import Place

_PLACES_IN_BYTE: Final = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
"""[byte, place]: which of eight places a byte holds."""


_BITS: Final = tuple(4 * (card.rank - 1) + kernels.LANES[card.suit] for card in DECK)
_CARDS: Final = tuple(sorted(DECK, key=lambda card: _BITS[card.index]))


def bit_of(card: MaybeCard) -> int:
    """The bit that stands for a known card."""
    assert card is not None, "the solver refuses hidden cards"
    return _BITS[card.index]


def card_of(bit: int) -> Card:
    """The card that a bit stands for.

    >>> card_of(bit_of(Card(Suit.SPADES, Rank.KING)))
    Card('KS')
    """
    return _CARDS[bit]


def _mask(bits: Iterable[int]) -> int:
    """The number in which these bits are set; each stands once."""
    return sum(1 << bit for bit in bits)


def encode(position: Position) -> EncodedDeal:
    """The position for the kernels. Every card must be known."""
    stacks = [[bit_of(card) for card in (*column.down, *column.up[:1])] for column in position.columns]
    turning = [bit_of(card) for card in (*position.waste, *position.stock)]
    depths = tuple(map(stack_depth, stacks))
    redeals, waste = redeals_left(position)
    draw, filled = position.rules.draw, (1 << len(turning)) - 1
    key_units, defers_idle_moves = _key_units(depths, len(turning), draw, redeals)
    unit = key_units.tolist()  # Python's numbers, which do not wrap around
    key = filled + unit[kernels.WASTES + waste] * unit[kernels.UNIT_WASTE] + sum(map(mul, unit, depths))
    stock = np.zeros(MAX_STOCK, np.int64)
    stock[: len(turning)] = turning
    row = np.zeros(kernels.ROW, np.int64)
    row[: kernels.CODE + 1] = [
        _mask(bit_of(card) for column in position.columns for card in column.up),
        _mask(stack[-1] for stack, depth in zip(stacks, depths, strict=True) if depth),
        home_cards(position),
        filled,
        sum(depth << 5 * place for place, depth in enumerate(depths)),
        (1 << waste) - 1,
        _signed(key),
        sum(height << 4 * kernels.LANES[suit] for suit, height in enumerate(position.foundations)),
    ]
    bottoms = _mask(bit for stack in stacks for bit in stack[:1])
    columns, card_home = _columns_and_homes(stacks, turning)
    return EncodedDeal(
        row, columns, stock, key_units, card_home, draw_table_of(draw),
        cards_in_bytes([1 << bit for bit in turning]), bottoms, draw, redeals,
        position.rules.worrying_back, defers_idle_moves,
    )  # fmt: skip


def home_cards(position: Position) -> int:
    """The bits of the cards on the foundations."""
    return _mask(4 * rank + kernels.LANES[suit] for suit in Suit for rank in range(position.foundations[suit]))


def stack_depth(stack: Sequence[int]) -> int:
    """How many cards a column's original stack counts for: 0 for a king alone, since all such columns are alike."""
    return 0 if len(stack) == 1 and stack[0] >= 48 else len(stack)


def _columns_and_homes(stacks: Sequence[Sequence[int]], turning: Sequence[int]) -> tuple[Ints, Ints]:
    columns = np.zeros((COLUMNS, 32), np.int64)
    card_home = np.zeros(64, np.int64)
    card_home[turning] = range(len(turning))
    for place, stack in enumerate(stacks):
        columns[place, : len(stack)] = stack
        card_home[stack] = [place | depth << 3 for depth in range(len(stack))]
    return columns, card_home


def redeals_left(position: Position) -> tuple[int, int]:
    """How often the waste may still be turned over, -1 for unlimited, and how many of its cards matter."""
    draw, waste, cards = position.rules.draw, len(position.waste), len(position.waste) + len(position.stock)
    left = -1 if position.rules.redeals is None else position.rules.redeals - position.redealt
    if left >= cards:
        left = -1  # turning the waste over twice with no card played between is pointless
    return left, 0 if left < 0 and (waste % draw == 0 or waste == cards) else waste


def cards_in_bytes(masks: Sequence[int]) -> Ints:
    """`EncodedDeal.stock_cards`, of the bits of each stock place's card."""
    cards = np.zeros(MAX_STOCK, np.int64)
    cards[: len(masks)] = masks
    shown: Ints = np.bitwise_or.reduce(np.where(_PLACES_IN_BYTE, cards.reshape(3, 1, 8), 0), axis=2)
    return shown


@cache
def draw_table_of(draw: int) -> Ints:
    """Which of eight places of the stock are turned up, see `EncodedDeal.draw_table`."""
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
    """The sizes of the waste that states differ by; with unlimited redeals only the remainder, see `kernels.search`."""
    if redeals >= 0:
        return list(range(cards + 1))
    return [0, *(waste for waste in range(1, cards) if waste % draw)]


def _signed(value: int) -> int:
    """The number with the same low 64 bits that an int64 can hold."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


class LineBuilder:
    """Plays steps on a real position and keeps the moves made."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.moves: list[Move] = []

    def raise_card(self, card: Card) -> None:
        """Sends a card to its foundation."""
        place = self._find(card)
        if place is None:
            self._turn_up(card)
            self._make(Move(WASTE, FOUNDATION))
        else:
            self._bare(place, card)
            self._make(Move(Place("column", self._find(card) or 0), FOUNDATION))

    def place_card(self, card: Card, parent: Card | None = None) -> None:
        """Sends a card, with what lies on it, to a column that takes it: the one that ends with `parent` if given."""
        place = self._find(card)
        target = self._target(card, place) if parent is None else self._find(parent) or 0
        if place is not None:
            up = self.position.columns[place].up
            self._make(Move(Place("column", place), Place("column", target), len(up) - up.index(card)))
        elif self.position.foundations[card.suit] >= card.rank:
            self._make(Move(Place("foundation", card.suit), Place("column", target)))
        else:
            self._turn_up(card)
            self._make(Move(WASTE, Place("column", target)))

    def open_parent(self, card: Card, *, odd: bool) -> Card | None:
        """The last card that takes `card`, the even or the odd one of its pair; None stands for an empty column."""
        lasts = (last for _, last in self._lasts() if fits(card, last) and bool(bit_of(last) & 1) == odd)
        return next(lasts, None)

    def finish(self) -> None:
        """Sends all cards up, once nothing is covered and each stock card can be turned up."""
        while not self.position.is_won:
            heights = self.position.foundations
            takes = [Card(suit, Rank(heights[suit] + 1)) for suit in Suit if heights[suit] < 13]
            turned = self.position.waste[-1:]
            at_hand = [card for card in takes if card in turned or self.can_bare(card)]
            # The lowest card cannot be under another: if none is at hand it is in the stock.
            self.raise_card(at_hand[0] if at_hand else min(takes, key=lambda card: card.rank))

    def _make(self, move: Move) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)

    def _find(self, card: Card) -> int | None:
        for place, column in enumerate(self.position.columns):
            if card in column.up:
                return place
        return None

    def _turn_up(self, card: Card) -> None:
        # Twice through stock and waste at most: the position refuses what the rules do not allow.
        for _ in range(2 * len(self.position.stock + self.position.waste) + 2):
            if self.position.waste and self.position.waste[-1] == card:
                return
            self._make(DRAW)
        raise IllegalMoveError(DRAW, f"{card} cannot be turned up")

    def can_bare(self, card: Card) -> bool:
        """Whether a card of a column is its last, or can be made so."""
        place = self._find(card)
        if place is None:
            return False
        if self.position.columns[place].up[-1] == card:
            return True
        return self.position.rules.column_moves is ColumnMoves.RUN and self._twin_place(card) is not None

    def _twin_place(self, card: Card) -> int | None:
        for place, last in self._lasts():
            if last != card and last.rank == card.rank and last.is_red == card.is_red:
                return place
        return None

    def _lasts(self) -> Iterator[tuple[int, Card]]:
        for place, column in enumerate(self.position.columns):
            if column.up and column.up[-1] is not None:
                yield place, column.up[-1]

    def _bare(self, place: int, card: Card) -> None:
        up = self.position.columns[place].up
        if up[-1] != card:
            target = self._twin_place(card)
            count = len(up) - up.index(card) - 1
            self._make(Move(Place("column", place), Place("column", -1 if target is None else target), count))

    def _target(self, card: Card, source: int | None) -> int:
        for place, column in enumerate(self.position.columns):
            if place == source:
                continue
            last = column.up[-1] if column.up else None
            if (last is None and card.rank is Rank.KING and not column.down) or (last is not None and fits(card, last)):
                return place
        return -1  # `play` says what is wrong


def moves_of(position: Position, rows: Sequence[Sequence[int]]) -> tuple[Move, ...]:
    """The real moves along a line of the search's states, from `position` to the won end.

    Args:
        position: Where the search began.
        rows: The states of the line as `kernels.search` leaves them: the first one that of `position`, and the last one
            the won end, from which the rest plays itself.
    """
    player = LineBuilder(position)
    for row, after in pairwise(rows):
        for card, up in _flips(row, after[kernels.AT], position.rules.worrying_back):
            (player.raise_card if up else player.place_card)(card)
        card = card_of(after[kernels.MOVE] & 0xFF)
        (player.raise_card if after[kernels.MOVE] >> 8 == kernels.TO_FOUNDATION else player.place_card)(card)
    player.finish()
    return tuple(player.moves)


def _flips(row: Sequence[int], goal: int, worrying_back: bool) -> Iterable[tuple[Card, bool]]:
    """The fewest loose cards to send up (True) or bring down (False) until the foundations hold `goal`."""
    locked, start = int(row[kernels.LOCKED]), int(row[kernels.RAISED])
    faces = start | int(row[kernels.VISIBLE])
    came: dict[int, tuple[int, int]] = {start: (0, 0)}
    queue = deque([start])
    while goal not in came:
        raised = queue.popleft()
        for card in _neighbours(faces, locked, raised, worrying_back):
            if raised ^ card not in came:
                came[raised ^ card] = raised, card
                queue.append(raised ^ card)
    steps = []
    while goal != start:
        before, card = came[goal]
        steps.append((card_of(card.bit_length() - 1), bool(goal & card)))
        goal = before
    return reversed(steps)


def _neighbours(faces: int, locked: int, raised: int, worrying_back: bool) -> Iterator[int]:
    loose = faces & ~raised & ~locked
    pairs = int(kernels.bare(faces & ~raised, loose))
    flips = loose & (pairs | pairs << 1) & int(kernels.next_up(raised))
    if worrying_back:
        room = int(kernels.places(pairs))
        if (loose & kernels.KINGS).bit_count() + locked.bit_count() < COLUMNS:
            room |= kernels.KINGS
        flips |= raised & ~(raised >> 4) & room
    while flips:
        yield flips & -flips
        flips &= flips - 1
