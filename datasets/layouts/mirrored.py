"""A table laid the other way round: left and right exchanged, or the far side and the near one.

People who are left-handed, or who sit elsewhere, lay a game so. Each card stays as it is printed. Numbered places that
people count from left to right are counted anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, Literal

from datasets.scenes.renderer import LaidCard

Axis = Literal["sideways", "lengthways"]

_SWAPS: Final[Mapping[tuple[str, Axis], tuple[int, ...]]] = {
    ("corner", "sideways"): (1, 0, 3, 2),
    ("corner", "lengthways"): (2, 3, 0, 1),
    ("spare", "sideways"): (0, 2, 1, 3),
    ("spare", "lengthways"): (3, 1, 2, 0),
    ("reserve", "sideways"): (0, 2, 1, 3),
    ("reserve", "lengthways"): (3, 1, 2, 0),
}
"""The new number of each place of a Tomb's nine."""
_COUNTED: Final = frozenset({"column", "tableau", "waste"})
"""Piles that are counted as one reads: from left to right, and line after line from the far end."""
_SAME_LINE: Final = 0.4
"""Piles lie in one line if the next one is no further down than this, in card widths."""


def mirrored(cards: Sequence[LaidCard], axis: Axis) -> list[LaidCard]:
    """The same cards with left and right exchanged (`sideways`), or far and near (`lengthways`).

    >>> pair = [LaidCard(None, 0, 0, 0.1, "waste/0"), LaidCard(None, 2, 0, 0, "waste/1")]
    >>> [(card.x, card.angle, card.zone) for card in mirrored(pair, "sideways")]
    [(0, -0.1, 'waste/1'), (-2, 0, 'waste/0')]
    """
    turned = [
        replace(card, x=-card.x, angle=-card.angle)
        if axis == "sideways"
        else replace(card, y=-card.y, angle=-card.angle)
        for card in cards
    ]
    new = _new_zones(turned, axis)
    return [replace(card, zone=new.get(card.zone, card.zone)) for card in turned]


def _new_zones(cards: Sequence[LaidCard], axis: Axis) -> dict[str, str]:
    new: dict[str, str] = {}
    for kind, numbers in _numbers_of(cards).items():
        if (kind, axis) in _SWAPS:
            new |= {f"{kind}/{k}": f"{kind}/{_SWAPS[kind, axis][k]}" for k in numbers}
        elif kind in _COUNTED:
            order = _as_read({k: _first(cards, f"{kind}/{k}") for k in numbers})
            new |= {f"{kind}/{old}": f"{kind}/{k}" for old, k in zip(order, sorted(numbers), strict=True)}
    return new


def _numbers_of(cards: Sequence[LaidCard]) -> dict[str, list[int]]:
    pairs = sorted(
        {(kind, int(number)) for kind, _, number in (c.zone.partition("/") for c in cards) if number.isdigit()}
    )
    return {kind: [number for _, number in group] for kind, group in groupby(pairs, key=lambda pair: pair[0])}


def _first(cards: Sequence[LaidCard], zone: str) -> LaidCard:
    return next(card for card in cards if card.zone == zone)


def _as_read(piles: Mapping[int, LaidCard]) -> list[int]:
    """The piles' numbers as one reads them."""
    lines: list[list[int]] = []
    lowest = 0.0
    for number in sorted(piles, key=lambda k: piles[k].y):
        if not lines or piles[number].y - lowest > _SAME_LINE:
            lines.append([])
        lines[-1].append(number)
        lowest = piles[number].y
    return [number for line in lines for number in sorted(line, key=lambda k: piles[k].x)]
