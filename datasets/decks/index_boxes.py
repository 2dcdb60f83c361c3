"""Where a deck's indices lie, measured from its own pixels.

Aces, twos and threes have nothing else in the upper left, so their ink tells the rows of rank and suit symbol, and
within those rows each card's own ink gives its boxes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck import Box
from solver.cards import DECK, Card, Rank, Suit

_Pixels = tuple[int, int, int, int]
VERSION: Final = 3
"""Number of the way of measuring, so that older files in the cache are not taken for its results."""


def measure(faces: NDArray[np.uint8]) -> list[tuple[Box, Box]] | None:
    """Rank and suit box of each card's top-left index in card widths, or None where they cannot be found.

    Args:
        faces: RGB pictures in the order of `solver.cards.DECK`, (52 or more, height, width, 3).
    """
    width = faces.shape[2]
    margin = round(0.022 * width)
    ink = np.stack([_ink(faces[number], margin) for number in range(52)])
    low = [Card(suit, rank).index for suit in Suit for rank in (Rank.ACE, Rank.TWO, Rank.THREE)]
    corner = ink[low][:, : round(0.62 * width), : round(0.27 * width)]
    rows = _rows(corner, width)
    if rows is None:
        return None
    columns = _runs(np.asarray(corner[:, rows[0] : rows[3]].any(axis=(0, 1))), round(0.02 * width), round(0.03 * width))
    if not columns:
        return None
    found = [_card_boxes(card, ink[card.index], rows, columns[0]) for card in DECK]
    boxes = [pair for pair in found if pair is not None]
    if len(boxes) < len(DECK):
        return None
    ranks = {rank: _median([boxes[Card(suit, rank).index][0] for suit in Suit]) for rank in Rank}
    suits = {suit: _median([boxes[Card(suit, rank).index][1] for rank in Rank]) for suit in Suit}
    return [(_scaled(ranks[card.rank], width), _scaled(suits[card.suit], width)) for card in DECK]


def _rows(corner: NDArray[np.bool_], width: int) -> _Pixels | None:
    """First row and end of the rank, first row and end of the suit, from the ink in the corners of low cards."""
    found = _rank_and_suit(np.asarray(corner.any(axis=(0, 2))), width)
    if found is not None:
        return found
    # One card's rank reaches down to another's suit.
    apart = [rows for card in corner if (rows := _rank_and_suit(np.asarray(card.any(axis=1)), width)) is not None]
    return _median(apart) if apart else None


def _card_boxes(
    card: Card, ink: NDArray[np.bool_], rows: _Pixels, column: tuple[int, int]
) -> tuple[_Pixels, _Pixels] | None:
    """A card's own boxes of rank and suit, from its ink (height, width); None where there is too little of it.

    Args:
        card: The card.
        ink: Where it is printed.
        rows: First row and end of the rank, first row and end of the suit.
        column: Left end and right end of the index on low cards.
    """
    width = ink.shape[1]
    rank_top, rank_bottom, suit_top, suit_bottom = rows
    left, right = column
    slack = round(0.012 * width)
    end = right + slack
    if card.rank == Rank.TEN:
        limit = min(round(0.45 * width), round(left + 2.1 * (right - left)))
        end = _end_of_run(np.asarray(ink[rank_top:rank_bottom].any(axis=0)), right, limit)
    rank = _ink_box(ink, max(0, left - slack), rank_top - slack, end, rank_bottom + slack)
    suit = _ink_box(ink, max(0, left - slack), suit_top - slack // 2, right + slack, suit_bottom + slack)
    return None if rank is None or suit is None else (rank, suit)


def _rank_and_suit(rows: NDArray[np.bool_], width: int) -> tuple[int, int, int, int] | None:
    """First row and end of the rank, first row and end of the suit, from the rows that hold ink."""
    runs = _runs(rows, round(0.008 * width), round(0.035 * width))
    return (*runs[0], *runs[1]) if len(runs) >= 2 else None


def _median(boxes: list[tuple[int, int, int, int]]) -> tuple[int, int, int, int]:
    """The median of a symbol's boxes; what touches the symbol on some cards alone drops out."""
    x1, y1, x2, y2 = (int(value) for value in np.median(np.array(boxes), axis=0))
    return x1, y1, x2, y2


def _ink(face: NDArray[np.uint8], margin: int) -> NDArray[np.bool_]:
    """Where a face differs from its paper, but for the outermost edge."""
    height, width = face.shape[:2]
    paper = np.median(face[margin * 2 : margin * 4, width // 3 : 2 * width // 3].reshape(-1, 3), axis=0)
    side = np.median(face[height // 3 : 2 * height // 3, margin + 1 : margin + 5].reshape(-1, 3), axis=0)
    tone = side if abs(side - paper).max() > 40 else paper
    different: NDArray[np.bool_] = np.abs(face.astype(np.int16) - tone).max(axis=2) > 70
    different[:margin] = False
    different[:, :margin] = False
    return different


def _runs(line: NDArray[Any], join: int, shortest: int) -> list[tuple[int, int]]:
    """Stretches (first, last + 1) of true values; gaps up to `join` are bridged, stretches below `shortest` dropped."""
    places = np.flatnonzero(line)
    if not len(places):
        return []
    cuts = np.flatnonzero(np.diff(places) > join + 1)
    starts, ends = places[np.r_[0, cuts + 1]], places[np.r_[cuts, len(places) - 1]] + 1
    return [(int(a), int(b)) for a, b in zip(starts, ends, strict=True) if b - a >= shortest]


def _end_of_run(line: NDArray[Any], start: int, limit: int) -> int:
    gap = max(3, round(0.012 * len(line)))
    end = start
    for x in range(start, limit):
        if line[x]:
            end = x + 1
        elif x - end >= gap:
            break
    return end + 2


def _ink_box(ink: NDArray[np.bool_], x1: int, y1: int, x2: int, y2: int) -> tuple[int, int, int, int] | None:
    part = ink[max(0, y1) : y2, x1:x2]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if len(rows) < 4 or len(columns) < 2:
        return None
    top = max(0, y1)
    return x1 + int(columns[0]), top + int(rows[0]), x1 + int(columns[-1]) + 1, top + int(rows[-1]) + 1


def _scaled(box: tuple[int, int, int, int], width: int) -> Box:
    x1, y1, x2, y2 = (round(value / width, 4) for value in box)
    return x1, y1, x2, y2
