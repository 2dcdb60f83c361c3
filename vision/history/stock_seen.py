"""Whether a photo shows the stock: where it shows none though others show where it lies, all cards have been turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from vision.cards.geometry import Array
from vision.history.common_layout import Shift
from vision.history.read_tables import ReadTable
from vision.layout.klondike import TablePlaces, spots_of, spots_to_photo


@dataclass(frozen=True, slots=True)
class StockTuning:
    """When a photo tells that there is no stock. Lengths are in card widths.

    Attributes:
        least_seen: In so many photos it is seen in one place at least, where another one tells that there is none.
        near: What lies so near to its place may be it, or may hide it.
        edge: Its place lies in a photo that shows so much round its middle.
    """

    least_seen: int = 3
    near: float = 1.0
    edge: float = 0.5


TUNING: Final = StockTuning()


def find_stocks(
    tables: Sequence[ReadTable], places: Sequence[TablePlaces], shifts: Sequence[Shift | None]
) -> list[bool | None]:
    """Whether each photo shows a stock; None where it cannot tell.

    Args:
        tables: What each photo shows.
        places: Where its piles lie.
        shifts: How each lies on the first.
    """
    spots = [spots_of(t.table, t.layout) for t in tables]
    laid = [
        shift(own[len(t.table.cards) :][list(place.stock)]) if shift is not None else own[:0]
        for t, own, place, shift in zip(tables, spots, places, shifts, strict=True)
    ]
    near = [_are_near(own, np.concatenate(laid)) for own in laid]
    most = np.sum([shown.any(0) for shown in near], axis=0)  # lines of a tablecloth look like backs, each in few photos
    if most.max(initial=0) < TUNING.least_seen:
        return [True if place.stock else None for place in places]
    lies_at = np.concatenate(laid)[most == most.max()].mean(0, keepdims=True)
    return [
        (bool(_are_near(found, lies_at).any()) or None) if place.stock else _lacks_stock(table, own, shift, lies_at)
        for table, place, own, found, shift in zip(tables, places, spots, laid, shifts, strict=True)
    ]


def _are_near(spots: Array, others: Array) -> Any:
    """(n, m) whether each of the spots is near each of the others."""
    return np.linalg.norm(spots[:, None] - others, axis=-1) < TUNING.near


def _lacks_stock(table: ReadTable, spots: Array, shift: Shift | None, lies_at: Array) -> bool | None:
    """False where a photo shows that nothing lies in the place of the stock, else None.

    Nor does it tell where something looks like a back there, though none was found.
    """
    if shift is None:
        return None
    there = shift.inverse(lies_at)
    if len(spots) and np.linalg.norm(spots - there, axis=1).min() < TUNING.near:
        return None
    corners = there + TUNING.edge * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    pixels = spots_to_photo(table.table, table.layout, corners)
    width = float(np.linalg.norm(pixels[1] - pixels[0])) / (2 * TUNING.edge)
    is_shown = bool((pixels >= 0).all() and (pixels < table.table.size).all())
    away = np.linalg.norm(table.missed_backs - pixels.mean(0), axis=1)
    return False if is_shown and not (away < TUNING.near * width).any() else None
