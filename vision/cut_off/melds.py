"""Melds and hands that the edge of every picture cuts: nothing misses a card that lies beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from solver.place import Place
from vision.cards.geometry import Array
from vision.cut_off.pictures import Hidden, Pictures
from vision.read_card import ReadCard

ROWS: Final = ("floor", "hand")
"""Kinds of places where cards lie in a row."""


def find_cut_melds(cards: Sequence[ReadCard], pictures: Pictures) -> Iterator[Hidden]:
    """Each end of a row that no picture shows."""
    quads = pictures.outlines(cards)
    places: dict[Place, list[int]] = {}
    for number in quads:
        if cards[number].place.kind in ROWS:
            places.setdefault(cards[number].place, []).append(number)
    for place, numbers in places.items():
        for number in _cut_cards(numbers, quads, pictures):
            yield f"the picture ends at {cards[number].text}: does a card lie beyond it?", place, number


def _cut_cards(numbers: Sequence[int], quads: Mapping[int, Array], pictures: Pictures) -> list[int]:
    """The cards of a row beyond which no picture looks: its ends, and those of which a whole side is in no picture.

    A card of another row that begins at a picture's edge may be taken into this one, and is no end of it.
    """
    ends = set(_cut_ends(numbers, quads, pictures)) if len(numbers) > 1 else set()
    return [number for number in numbers if number in ends or _has_cut_side(quads[number], pictures)]


def _has_cut_side(quad: Array, pictures: Pictures) -> bool:
    """Whether no picture shows either corner of one of a card's long sides, beside which the next card would lie."""
    sides = [quad[[k, (k + 1) % 4]] for k in range(4)]
    lengths = [float(np.hypot(*(side[1] - side[0]))) for side in sides]
    long_sides = sides[::2] if lengths[0] + lengths[2] > lengths[1] + lengths[3] else sides[1::2]
    return any(not pictures.show(*side) for side in long_sides)


def _cut_ends(numbers: Sequence[int], quads: Mapping[int, Array], pictures: Pictures) -> Iterator[int]:
    """Which end cards of a row no picture shows to a corner of their far edge."""
    own = np.array([quads[number] for number in numbers])
    middles = own.mean(1)
    line = np.linalg.svd(middles - middles.mean(0))[2][0]
    order = (middles @ line).argsort()
    for end, before in ((order[0], order[1]), (order[-1], order[-2])):
        step = middles[end] - middles[before]
        far = own[end][(own[end] @ step).argsort()[2:]]
        if not pictures.show(*far):
            yield numbers[int(end)]
