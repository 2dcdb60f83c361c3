"""Converts positions to the arrays that the kernels read, and the kernels' rows back to melds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain, starmap
from operator import attrgetter
from threading import local
from typing import Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card, Rank, Suit
from solver.makiaveli.kernels import SET, TABLE_BITS, can_win, count_cards, new_table
from solver.makiaveli.melds import run_of, set_of
from solver.makiaveli.outs_kernels import find_outs, new_dead_ends
from solver.makiaveli.position import COPIES, Meld, Position
from solver.numeric.jit import call_light, is_compiled, work_left
from solver.numeric.outcomes import FOUND, TABLE_FULL
from solver.position import check

_INDEX = attrgetter("index")
LARGEST_TABLE_BITS: Final = 19
"""Enough for every state there can be: 13 ranks of 10 states in each of four suits, twice over."""
_WORK: Final = 20
"""States that a test whether a hand can be played is reckoned with, see `solver.numeric.jit`."""

_scratch = local()


def seen_bytes(position: Position) -> NDArray[np.uint8]:
    """The position as the kernel `count_cards` reads it.

    Raises:
        PositionError: For more cards than two decks hold, or more than four in the cross.
    """
    floor = position.floor
    crossed = [card.index for card in position.cross if card is not None]
    cards = list(map(_INDEX, chain.from_iterable(floor)))
    if len(cards) + len(crossed) + len(position.hand) > 104 or len(position.cross) > 4:
        check(position)
    head = (len(floor), len(crossed), len(position.hand), position.repair)
    return np.frombuffer(bytes((*head, *map(len, floor), *cards, *crossed, *map(_INDEX, position.hand))), np.uint8)


def visited_table() -> NDArray[np.uint64]:
    """This thread's table of visited states."""
    table: NDArray[np.uint64] | None = getattr(_scratch, "table", None)
    if table is None:
        table = _scratch.table = new_table(TABLE_BITS)
    return table


def larger_table() -> NDArray[np.uint64]:
    """A larger table for this thread, once `visited_table` was too small."""
    bits = (len(visited_table()) - 1).bit_length() + 1
    if bits > LARGEST_TABLE_BITS:
        raise MemoryError("the table of visited states is full, which cannot be")
    _scratch.table = new_table(bits)
    return visited_table()


def dead_ends() -> NDArray[np.int64]:
    """This thread's table of the states that the search for outs has found to lead nowhere."""
    table: NDArray[np.int64] | None = getattr(_scratch, "dead_ends", None)
    if table is None:
        table = _scratch.dead_ends = new_dead_ends()
    return table


@dataclass(frozen=True, slots=True)
class Counts:
    """A legal position as counts.

    Attributes:
        floor: uint8 (52,), copies of each card on the floor.
        hand: The same in the hand.
        total: The same on the whole table.
        runs: int64 (n, 3), floor runs as suit, first and last rank (14 for a high ace).
        sets: int64 (n, 2), floor sets as rank and mask of suits.
    """

    floor: NDArray[np.uint8]
    hand: NDArray[np.uint8]
    total: NDArray[np.uint8]
    runs: NDArray[np.int64]
    sets: NDArray[np.int64]

    @classmethod
    def of(cls, position: Position) -> Counts:
        """Counts a position.

        Raises:
            PositionError: With every fault, if the position is not legal.
        """
        floor, hand, total = (np.empty(52, dtype=np.uint8) for _ in range(3))
        melds = np.empty((max(1, len(position.floor)), 3), dtype=np.int64)
        if not call_light(count_cards, seen_bytes(position), floor, hand, total, melds, work=10):
            check(position)
        melds = melds[: len(position.floor)]
        runs = melds[(melds[:, 0] >= 0) & (melds[:, 0] < SET)]
        sets = melds[melds[:, 0] == SET, 1:]
        return cls(floor, hand, total, np.ascontiguousarray(runs), np.ascontiguousarray(sets))


def winnable(need: NDArray[np.uint8], total: NDArray[np.uint8]) -> bool:
    """Whether valid melds can use at least `need` and at most `total` copies of each card, uint8 (52,)."""
    found = call_light(can_win, need, total, visited_table(), work=_WORK)
    while found == TABLE_FULL:
        found = can_win(need, total, larger_table())
    return bool(found == FOUND)


def winnable_with_each(need: NDArray[np.uint8], total: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether the hand could be played with one more copy of each card; False where both are seen; bool (52,)."""
    if not is_compiled(find_outs) and not is_compiled(can_win) and work_left() >= len(need) * _WORK:
        # 52 uncompiled tests take some milliseconds, to compile the kernel ten seconds and more.
        one_more = np.eye(len(need), dtype=np.uint8)
        return np.array(
            [n < COPIES and winnable(need + one, total + one) for n, one in zip(total, one_more, strict=True)]
        )
    out = np.empty(52, dtype=np.bool_)
    found = find_outs(need, total, visited_table(), dead_ends(), out)
    while found == TABLE_FULL:
        found = find_outs(need, total, larger_table(), dead_ends(), out)
    return out


def melds_of(rows: NDArray[np.int64]) -> tuple[Meld, ...]:
    """The melds that rows of a kernel describe, sorted."""
    return tuple(meld for _, meld in sorted(starmap(_numbered_meld, rows.tolist())))


@cache
def _numbered_meld(kind: int, first: int, last: int) -> tuple[tuple[int, ...], Meld]:
    """A meld behind its cards' numbers, by which melds are sorted in a fraction of the time that cards take."""
    if kind == SET:
        meld = set_of(Rank(first), (suit for suit in Suit if last >> suit & 1))
    else:
        meld = run_of(Suit(kind), first, last)
    return tuple(map(_INDEX, meld)), meld


def copies(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Counts of some cards, uint8 (52,)."""
    counts = np.zeros(52, dtype=np.uint8)
    for card in cards:
        counts[card.index] += 1
    return counts
