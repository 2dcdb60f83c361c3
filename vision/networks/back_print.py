"""Counts face-down cards by the print on their backs, which starts anew at each card's upper edge.

No network: it learns the print of the deck from the photo itself. Where the columns above the first face-up cards are
cut into cards rightly, each piece shows the same print from its upper edge on, one way up or the other. A cut too few
leaves a piece whose lower part is like nothing else, a cut too many one that begins in the middle of the print. So it
tells counts of borderless and ornamented backs, whose edges alone are hard to see. It needs a first guess, which the
`back_counter` gives, and it says nothing where that knows too little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks.lab_colours import to_lab

Floats = NDArray[np.floating[Any]]
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tuning:
    """How prints are compared; what a row costs is a share of how much two rows of backs differ at random.

    Attributes:
        rows: Of a shrunken strip, px.
        columns: Of a shrunken strip, px.
        width_px: How wide the part of a card's print is that is compared.
        lefts_px: Columns of a shrunken strip in which that part may begin: a card may lie aside.
        rounds: How often the columns are cut anew.
        edge: Where the first guess sees a card's edge at all.
        first_edge: Where it sees an edge above the strongest ones that may be the first card's.
        card_widths: Height of a card, and of what a first guess may add to it.
        least_step_widths: Where less shows of each card its print tells nothing.
        least_sure: How sure the first guess must be of columns with backs, on average.
        unseen: What a row costs that lies lower in the print than any other piece shows.
        no_back: What a row costs that lies above the first card.
        alike: A piece whose rows cost less than this share of unseen ones shows the print the same way up.
        piece_share: What each piece costs, as a share of a typical piece's rows; rows are counted as in the far look.
        least_piece: The least that each piece costs.
        weight: Natural logarithm of odds that a row's cost stands for: rows of a print are not independent.
        most_log_odds: No count is made less likely by more than this.
        doubt: Probability that the print tells nothing.
    """

    rows: int = 192
    columns: int = 24
    width_px: int = 13
    lefts_px: tuple[int, ...] = tuple(range(2, 10))
    rounds: int = 2
    edge: float = 0.05
    first_edge: float = 0.3
    card_widths: float = 1.6
    least_step_widths: float = 0.08
    least_sure: float = 0.55
    unseen: float = 0.75
    no_back: float = 0.5
    alike: float = 0.6
    piece_share: float = 0.25
    least_piece: float = 0.5
    weight: float = 0.7
    most_log_odds: float = 3.0
    doubt: float = 0.1


TUNING: Final = Tuning()
SHORTEST: Final = 2
"""Rows of a piece at least."""
NEAR_FACE: Final = 2
"""So many rows above the first face-up card may show its edge."""
FAR_WIDTH_ROWS: Final = 48.0
"""Rows of a shrunken strip in the farthest look that are as high as a card is wide."""
NEAR_TOP: Final = 3
"""A column may begin so many rows above or below where the first guess says."""


class _Piece(NamedTuple):
    """A card of a column that shows from row `start` to row `end`."""

    column: int
    start: int
    end: int


class _Begin(NamedTuple):
    """The rows from `highest` to `lowest` in which a column may begin."""

    highest: int
    lowest: int


class _Placed(NamedTuple):
    """A piece, which way up its print is, and how far aside it lies, as numbers."""

    piece: _Piece
    way: int
    shift: int


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """What is printed in each row below a card's upper edge.

    Attributes:
        rows: (rows, width) the print.
        seen: (rows,) how many pieces show each row.
    """

    rows: Floats
    seen: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Strips:
    """The strips of one table.

    Attributes:
        windows: (n, shifts, rows, width) the middle of each strip, from each shift.
        face: The row in which the first face-up cards begin.
        width_rows: A card's width, in rows.
        unit: The mean squared difference of two rows of backs.
    """

    windows: Floats
    face: int
    width_rows: float
    unit: float = 1.0

    @property
    def print_rows(self) -> int:
        """Height of a print, in rows."""
        return min(round(TUNING.card_widths * self.width_rows), self.face)


def weigh_print(log_count: Floats, images: Image, edges: Floats, face: float, width_rows: float) -> Floats:
    """Log-probabilities (n, counts) of 0, 1, ... face-down cards, with what the backs' print tells.

    Args:
        log_count: (n, counts) what is known without the print.
        images: uint8 RGB (n, H, W, 3) a table's columns above their first face-up cards, straightened: strips.
        edges: (n, rows) how likely each row of a strip holds a card's upper edge.
        face: The first face-up card's upper edge, as a share of a strip's height.
        width_rows: A card's width as a share of a strip's height.
    """
    hides = log_count.argmax(1) > 0
    if not hides.any() or np.exp(log_count.max(1))[hides].mean() < TUNING.least_sure:
        return log_count
    strips = _Strips(_windows(images), round(face * TUNING.rows) - NEAR_FACE, width_rows * TUNING.rows)
    tops = [_guess_tops(edges[n], int(log_count[n].argmax()), strips.face) for n in range(len(edges))]
    begins = [
        _find_begin(edges[n], found[0], strips) if found and _shows_print(strips, found) else None
        for n, found in enumerate(tops)
    ]
    excess: Floats = np.zeros_like(log_count)
    for _ in range(TUNING.rounds):
        pieces = [piece for n, found in enumerate(tops) if begins[n] is not None for piece in _pieces(n, found, strips)]
        if len(pieces) < 2:
            return log_count
        strips = _Strips(strips.windows, strips.face, strips.width_rows, _unit(strips, pieces))
        placed = _place(strips, pieces)
        price = _piece_price(pieces, strips)
        for n, begin in enumerate(begins):
            prints = _prints(strips, [part for part in placed if part.piece.column != n])
            if begin is None or not prints:
                continue
            costs, cuts = _cut(strips, n, begin, prints, price, log_count.shape[1] - 1)
            excess[n, 1:] = costs - costs.min()
            best = int((log_count[n, 1:] - TUNING.weight * excess[n, 1:]).argmax())
            tops[n] = cuts[best]
    return _combine(log_count, excess)


def _windows(images: Image) -> Floats:
    size = TUNING.columns, TUNING.rows
    small = np.array([cv2.resize(image, size, interpolation=cv2.INTER_AREA) for image in images], np.float32)
    colours = to_lab(small / np.float32(255))
    colours /= np.array([100, 60, 60], np.float32)
    parts = [colours[:, :, left : left + TUNING.width_px] for left in TUNING.lefts_px]
    return np.stack(parts, axis=1).reshape(len(images), len(parts), TUNING.rows, -1)


def _guess_tops(edges: Floats, count: int, face: int) -> list[int]:
    """Rows of the strongest edges above the face-up card, at most `count`, from above."""
    left = edges[: round(face / TUNING.rows * len(edges))].copy()
    found: list[int] = []
    while len(found) < count and len(left) and left.max() >= TUNING.edge:
        at = int(left.argmax())
        found.append(at)
        left[max(0, at - 1) : at + 2] = 0
    return sorted(int((at + 0.5) / len(edges) * TUNING.rows) for at in found)


def _find_begin(edges: Floats, first: int, strips: _Strips) -> _Begin | None:
    """The rows in which a column may begin: a weaker edge above the first of the strongest may be its first card's.

    None for a column that reaches the upper end of its strip: nobody knows what lies above it.
    """
    if first <= NEAR_TOP + 1:
        return None
    scale = TUNING.rows / len(edges)
    above = np.flatnonzero(edges[: int(first / scale)] >= TUNING.first_edge)
    rows = (above + 0.5) * scale
    rows = rows[rows > first - strips.print_rows]
    return _Begin(max(int(rows.min(initial=first)) - NEAR_TOP, 0), first + NEAR_TOP)


def _shows_print(strips: _Strips, tops: list[int]) -> bool:
    return bool((strips.face - tops[0]) / len(tops) >= TUNING.least_step_widths * strips.width_rows)


def _pieces(column: int, tops: list[int], strips: _Strips) -> list[_Piece]:
    ends = [*tops[1:], strips.face]
    return [_Piece(column, start, end) for start, end in zip(tops, ends, strict=True) if end - start >= SHORTEST]


def _unit(strips: _Strips, pieces: list[_Piece]) -> float:
    """The mean squared difference of two rows of backs: twice their variance."""
    unmoved = len(TUNING.lefts_px) // 2
    rows = np.concatenate([strips.windows[n, unmoved, start:end] for n, start, end in pieces])
    return max(2 * float(rows.var(axis=0).mean()), 1e-6)


def _piece_price(pieces: list[_Piece], strips: _Strips) -> float:
    """What each piece costs, in rows of a strip."""
    typical = float(np.median([end - start for _, start, end in pieces]))
    return max(TUNING.piece_share * typical, TUNING.least_piece * _rows_of_far_look(strips))


def _rows_of_far_look(strips: _Strips) -> float:
    """Rows of these strips that are as high as one row of the farthest look's."""
    return strips.width_rows / FAR_WIDTH_ROWS


def _place(strips: _Strips, pieces: list[_Piece]) -> list[_Placed]:
    """Which way up each piece lies, and how far aside, the longest piece being the first way up."""
    order = sorted(pieces, key=lambda piece: piece.start - piece.end)
    unmoved = len(TUNING.lefts_px) // 2
    prints = _prints(strips, [_Placed(order[0], 0, unmoved)])
    placed = [_place_piece(strips, piece, prints) for piece in order]
    strange = [part for part, cost in placed if cost >= TUNING.alike * TUNING.unseen]
    like = [part for part, cost in placed if cost < TUNING.alike * TUNING.unseen]
    if strange:
        other = _Placed(strange[0].piece, 1, unmoved)
        prints = _prints(strips, [*like, other])
        placed = [_place_piece(strips, piece, prints) for piece in order]
    return [part for part, _ in placed]


def _place_piece(strips: _Strips, piece: _Piece, prints: list[_Print]) -> tuple[_Placed, float]:
    """A piece where it fits a print best, and what a row of it costs there."""
    height = min(piece.end - piece.start, strips.print_rows)
    rows = strips.windows[piece.column, :, piece.start : piece.start + height]
    costs = np.stack([_costs(strips, rows, known).mean(1) for known in prints])
    way, shift = (int(at) for at in np.unravel_index(costs.argmin(), costs.shape))
    return _Placed(piece, way, shift), float(costs[way, shift])


def _costs(strips: _Strips, rows: Floats, known: _Print) -> Floats:
    """What rows (shifts, n, width) cost as the first n rows of a print, (shifts, n)."""
    n = rows.shape[1]
    apart = _mean_squares(rows - known.rows[:n]) / strips.unit
    return np.where(known.seen[None, :n] > 0, np.minimum(apart, 1.0), TUNING.unseen)


def _mean_squares(rows: Floats) -> Floats:
    return np.asarray(np.einsum("...w,...w->...", rows, rows) / rows.shape[-1])


def _prints(strips: _Strips, placed: list[_Placed]) -> list[_Print]:
    """The print each way up, as these pieces show it."""
    found = []
    for way in range(1 + max((part.way for part in placed), default=-1)):
        total = np.zeros((strips.print_rows, strips.windows.shape[-1]), np.float32)
        seen = np.zeros(strips.print_rows, np.float32)
        for (column, start, end), own, shift in placed:
            if own == way:
                height = min(end - start, strips.print_rows)
                total[:height] += strips.windows[column, shift, start : start + height]
                seen[:height] += 1
        if seen.any():
            found.append(_Print(total / np.maximum(seen, 1)[:, None], seen))
    return found


def _cut(
    strips: _Strips, column: int, begin: _Begin, prints: list[_Print], price: float, most: int
) -> tuple[Floats, list[list[int]]]:
    """The cheapest way to cut a column into 1, 2, ... `most` pieces.

    Args:
        strips: The strips.
        column: Its number.
        begin: Where it begins.
        prints: What other columns show.
        price: Of each piece.
        most: Pieces at most.

    Returns:
        What each costs (most,), in rows of the far look, and the rows in which its pieces begin.
    """
    span = strips.face - begin.highest
    costs = np.full((span + 1, span + 1), np.inf)  # of a piece from one row to another
    for known in prints:
        rows = strips.windows[column, :, begin.highest : strips.face]
        np.minimum(costs, _piece_costs(strips, rows, known), out=costs)
    best = np.arange(span + 1) * TUNING.no_back
    best[begin.lowest - begin.highest + 1 :] = np.inf
    totals, back = [], []
    for _ in range(most):
        through = best[:, None] + costs
        back.append(through.argmin(0))
        best = through.min(0) + price
        totals.append(best[span])
    scale = _rows_of_far_look(strips)
    cuts = [[at + begin.highest for at in _trace(back[: pieces + 1], span)] for pieces in range(most)]
    finite = np.minimum(np.array(totals) / scale, np.min(totals) / scale + 1e3)
    return finite, cuts


def _trace(back: list[NDArray[np.intp]], end: int) -> list[int]:
    found: list[int] = []
    for starts in reversed(back):
        end = int(starts[end])
        found.append(end)
    return found[::-1]


def _piece_costs(strips: _Strips, rows: Floats, known: _Print) -> Floats:
    """What a piece from each row to each other costs, (n + 1, n + 1); rows (shifts, n, width) of one column."""
    shifts, n, width = rows.shape
    high = min(strips.print_rows, n)
    wanted = known.rows[:high]
    products = rows.reshape(shifts * n, width) @ wanted.T
    apart = _mean_squares(rows)[:, :, None] + _mean_squares(wanted) - 2 / width * products.reshape(shifts, n, high)
    cost = np.where(known.seen[:high] > 0, np.minimum(apart / strips.unit, 1.0), TUNING.unseen)
    padded = np.concatenate([cost, np.full((shifts, high, high), np.inf, cost.dtype)], axis=1)
    a, b, c = padded.strides
    along = np.lib.stride_tricks.as_strided(
        padded, (shifts, n, high), (a, b, b + c)
    )  # from each row on, down the print
    sums = np.cumsum(along, axis=2).min(0)
    found = np.full((n + 1, n + 1), np.inf)
    starts, heights = np.nonzero(np.isfinite(sums))
    long = heights + 1 >= SHORTEST
    found[starts[long], starts[long] + heights[long] + 1] = sums[starts[long], heights[long]]
    return found


def _combine(log_count: Floats, excess: Floats) -> Floats:
    """What is known with the print: it tells how many cards lie there, not whether any does, and may tell nothing."""
    hidden = log_count[:, 1:]
    told = hidden - np.minimum(TUNING.weight * excess[:, 1:], TUNING.most_log_odds)
    told += np.logaddexp.reduce(hidden, axis=1, keepdims=True) - np.logaddexp.reduce(told, axis=1, keepdims=True)
    mixed = np.logaddexp(np.log(1 - TUNING.doubt) + told, np.log(TUNING.doubt) + hidden)
    return np.concatenate([log_count[:, :1], mixed], axis=1)
