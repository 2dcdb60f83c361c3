"""Makes a won line of Klondike shorter: without plays that it can do without, and with fewer turns of the stock.

A line is taken as plays, each of a card to a place. How the card gets there follows from where it lies: the stock is
turned as often as it takes, and what lies on a card of a column goes along with it. So a line stays one where a play is
left out that nothing needs, or is made at another time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from solver.cards import DECK, Card, MaybeCard, Suit
from solver.klondike.house_rules import ColumnMoves, KlondikeRules
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.position import COLUMN_PLACES, FOUNDATION_PLACES, Position
from solver.klondike.shorten_kernels import (
    COLUMNS_AT,
    COUNT_AT,
    DEPTH,
    DOWN_AT,
    HEIGHTS_AT,
    HOME,
    LEFT_AT,
    PILE_AT,
    REDEALT_AT,
    STOCK,
    TABLE_SIZE,
    TURNED_AT,
    shorten,
)
from solver.numeric.kernel_types import Ints
from solver.place import Place

MOST_TRIES: Final = 20_000
"""Lines that are tried at most while one is made shorter."""

Play = tuple[Card, int]
"""A card, and where it goes, with what lies on it: to a column of this number, or `HOME`."""


def shortened(position: Position, line: Sequence[Move]) -> tuple[Move, ...]:
    """A line that still wins, without detours that are cheap to find.

    As soon as all cards lie open and can go home one after the other, they do.

    Args:
        position: Where the line begins; every card is known.
        line: Moves to a won end.

    >>> table = Position.parse("klondike columns: [KH QS] | [KD] | [KS] | - | - | - | -; foundations: C13 D12 H12 S11")
    >>> line = [Move.parse(move) for move in ("T1>T2", "T2>F", "T1>F", "T2>F", "T3>F")]
    >>> [str(move) for move in shortened(table, line)]
    ['T1>F', 'T1>F', 'T2>F', 'T3>F']
    """
    found = _ended_at_home(position, _without_loops(position, line))
    plays = np.array([(card.index, target) for card, target in found], np.int64).reshape(-1, 2)
    kept = shorten(
        _table_of(position),
        plays,
        len(plays),
        _numbers_of(position.rules),
        MOST_TRIES,
        np.zeros(TABLE_SIZE, np.int64),
        np.zeros_like(plays),
    )
    moves = _moves_of(position, [(DECK[card], int(target)) for card, target in plays[:kept]])
    return tuple(_without_loops(position, moves))


def _without_loops(position: Position, line: Iterable[Move]) -> list[Move]:
    """The line without moves that lead back to a table that there was before."""
    kept: list[Move] = []
    lengths = {position: 0}  # after how many of the moves that are kept each table lies there
    for move in line:
        position = position.play(move)
        if position in lengths:
            del kept[lengths[position] :]
            lengths = {table: length for table, length in lengths.items() if length <= len(kept)}
        else:
            kept.append(move)
            lengths[position] = len(kept)
    return kept


def _ended_at_home(position: Position, line: Iterable[Move]) -> Iterator[Play]:
    """The plays of a line, up to where all cards can go home one after the other, which they then do."""
    for move in line:
        if not position.stock and not any(column.down for column in position.columns):
            home = _all_home(position)
            if home is not None:
                yield from home
                return
        if move != DRAW:
            card = position.carried(move)[0]
            assert card is not None, "a line is shortened where every card is known"
            yield card, move.target.ordinal if move.target.kind == "column" else HOME
        position = position.play(move)


def _all_home(position: Position) -> list[Play] | None:
    """The plays that send all cards home; None where others are needed."""
    plays: list[Play] = []
    while not position.is_won:
        at_hand = [(pile[-1], Move(place, FOUNDATION)) for place, pile in _piles(position) if pile]
        move = next((move for card, move in at_hand if card and position.foundations[card.suit] + 1 == card.rank), None)
        if move is None:
            return None
        plays += [(card, HOME) for card in position.carried(move) if card is not None]
        position = position.play(move)
    return plays


def _piles(position: Position) -> Iterator[tuple[Place, Sequence[MaybeCard]]]:
    """The piles whose last card may be played."""
    yield WASTE, position.waste
    yield from zip(COLUMN_PLACES, (column.up for column in position.columns), strict=True)


def _table_of(position: Position) -> Ints:
    """A position as the kernels take it."""
    table = np.full(TABLE_SIZE, HOME, np.int64)
    table[HEIGHTS_AT : HEIGHTS_AT + len(Suit)] = position.foundations
    for number, column in enumerate(position.columns):
        cards = _indices(column.down + column.up)
        table[DOWN_AT + number], table[COUNT_AT + number] = len(column.down), len(cards)
        table[COLUMNS_AT + DEPTH * number :][: len(cards)] = cards
        table[cards] = number
    cards = _indices(position.waste + position.stock)
    table[PILE_AT : PILE_AT + len(cards)], table[cards] = cards, STOCK
    table[TURNED_AT], table[LEFT_AT], table[REDEALT_AT] = len(position.waste), len(cards), position.redealt
    return table


def _indices(cards: Iterable[MaybeCard]) -> list[int]:
    return [card.index for card in cards if card is not None]


def _numbers_of(rules: KlondikeRules) -> Ints:
    """Rules as the kernels take them."""
    redeals = -1 if rules.redeals is None else rules.redeals
    return np.array([rules.draw, redeals, rules.worrying_back, rules.column_moves is ColumnMoves.ONE], np.int64)


def _moves_of(position: Position, plays: Iterable[Play]) -> Iterator[Move]:
    """The moves of plays, on a real position, which refuses what its rules do not allow."""
    for card, target in plays:
        while card in (*position.stock, *position.waste[:-1]):
            yield DRAW
            position = position.play(DRAW)
        move = _move_of(position, card, target)
        if move is not None:
            yield move
            position = position.play(move)


def _move_of(position: Position, card: Card, target: int) -> Move | None:
    """The move that takes a card to its goal; None where it lies there."""
    goal = FOUNDATION if target == HOME else COLUMN_PLACES[target]
    for place, pile in _piles(position):
        if card in pile:
            count = len(pile) - pile.index(card) if place != WASTE and target != HOME else 1
            return None if place == goal else Move(place, goal, count)
    return None if target == HOME else Move(FOUNDATION_PLACES[card.suit], goal)
