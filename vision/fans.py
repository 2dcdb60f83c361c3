"""Fans: cards that lie on one another along a line or an arc, from the one that lies lowest on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from solver.cards import Card
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.neighbours import card_gaps, groups

OVERLAP_CARD_WIDTHS: Final = -0.2
"""Cards whose gap is smaller are of one fan; those of two fans overlap by chance, and less."""
LINES_APART_CARD_WIDTHS: Final = 0.4
"""Overlapping cards that leave so wide a step across their line lie in two lines."""
MOST_BEND_DEGREES: Final = 60.0
"""From one card of a fan to the next its line turns no more."""
SHOWN_SIDE_CARD_WIDTHS: Final = 0.15
"""Where the indices seen lie farther to one side of their cards on average, the other side is covered."""


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """Cards that lie on one another.

    Attributes:
        log_card: (n, 52) log-probabilities of what they are, from the lowest card to the one that covers all.
        at: Where it lies: number of the photo, and how far its middle is to the player's right and near there, px.
        is_sure: Whether it is sure which end lies lowest.
        steps: (n - 1,) how far each card lies from the one before it, in any unit; empty where that is not known.
    """

    log_card: Array
    at: tuple[int, float, float]
    is_sure: bool = True
    steps: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards as read."""
        return tuple(Card.from_index(int(row.argmax())) for row in self.log_card)


def fans_of(table: SeenTable, photo: int = 0) -> list[Fan]:
    """The fans that a photo shows, from left to right as the player sees them."""
    if not table.cards:
        return []
    near = groups(card_gaps(table) < OVERLAP_CARD_WIDTHS)
    told = [_from_lowest(table, line) for rows in near for line in _lines(table, rows)]
    middles = np.array([np.mean([table.cards[row].quad.mean(0) for row in order], axis=0) for order, _ in told])
    right = sum((_right_of(table, order) for order, is_sure in told if is_sure), np.zeros(2))
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0])
    down = np.array([-right[1], right[0]])
    found = [
        Fan(
            np.array([table.cards[row].log_card for row in order]),
            (photo, float(at @ right), float(at @ down)),
            is_sure,
            np.linalg.norm(np.diff(table.centres[order], axis=0), axis=1),
        )
        for (order, is_sure), at in zip(told, middles, strict=True)
    ]
    return sorted(found, key=lambda fan: fan.at[1])


def _lines(table: SeenTable, rows: list[int]) -> list[list[int]]:
    """Cards that overlap, parted where they lie in two lines that touch."""
    if len(rows) < 3 or _along_bend(table.centres[rows]) is not None:
        return [rows]
    off = (table.centres[rows] - table.centres[rows].mean(0)) / table.template.width
    downs = table.downs[rows] * np.sign(table.downs[rows] @ table.downs[rows[0]])[:, None]  # either end may be the top
    down = downs.mean(0) / np.linalg.norm(downs.mean(0))
    along, across = off @ down, off @ np.array([down[1], -down[0]])
    aside = along if np.ptp(along) < np.ptp(across) else across
    order = np.argsort(aside)
    steps = np.diff(aside[order])
    if steps.max() < LINES_APART_CARD_WIDTHS:
        return [rows]
    cut = int(steps.argmax()) + 1
    return [line for part in (order[:cut], order[cut:]) for line in _lines(table, [rows[k] for k in part])]


def _along_bend(centres: Array) -> list[int] | None:
    """The order of cards along the line or arc in which they lie; None where no such line goes through all.

    From an end each card is the nearest that is left, and the way from card to card nowhere turns sharply.
    """
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    order = [int(np.unravel_index(gaps.argmax(), gaps.shape)[0])]
    while len(order) < len(centres):
        order.append(min(set(range(len(centres))) - set(order), key=lambda k: float(gaps[order[-1], k])))
    steps = np.diff(centres[order], axis=0)
    steps /= np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-9)
    is_smooth = np.sum(steps[1:] * steps[:-1], axis=1) > math.cos(math.radians(MOST_BEND_DEGREES))
    return order if bool(is_smooth.all()) else None


def _right_of(table: SeenTable, order: Sequence[int]) -> Array:
    """The player's right in the photo, px: a row is fanned to the right, and a column towards the player."""
    first, last = (table.cards[order[end]].quad.mean(0) for end in (0, -1))
    line = last - first
    down = np.mean([np.abs((table.cards[row].quad[3] - table.cards[row].quad[0]) @ line) for row in order])
    across = np.mean([np.abs((table.cards[row].quad[1] - table.cards[row].quad[0]) @ line) for row in order])
    return line if across > down else np.array([line[1], -line[0]])


def _from_lowest(table: SeenTable, rows: Sequence[int]) -> tuple[list[int], bool]:
    """The cards of a fan along it, from the end that lies lowest, and whether it is sure which end that is.

    A card shows the indices on the side that the next card leaves free. Where nothing tells, it is the left or far end.
    """
    if len(rows) == 1:
        return list(rows), True
    centres = table.centres[rows]
    axis = np.linalg.svd(centres - centres.mean(0))[2][0]
    axis *= np.sign(axis[np.abs(axis).argmax()])
    order = _along_bend(centres) or np.argsort(centres @ axis).tolist()
    order = order if centres[order[-1]] @ axis >= centres[order[0]] @ axis else order[::-1]
    onward = np.gradient(centres[order], axis=0)
    onward /= np.maximum(np.linalg.norm(onward, axis=1, keepdims=True), 1e-9)
    shown = [
        (table.cards[rows[k]].ranks - table.cards[rows[k]].centre).mean(0) @ way
        for k, way in zip(order, onward, strict=True)
    ]
    of_covered = [float(by) / table.template.width for by in shown if abs(by) > 0.1 * table.template.width]
    side = float(np.mean(of_covered)) if of_covered else 0.0
    order = order[::-1] if side > 0 else order
    return [rows[k] for k in order], abs(side) > SHOWN_SIDE_CARD_WIDTHS
