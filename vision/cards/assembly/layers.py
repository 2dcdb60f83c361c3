"""Which cards lie on which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.indices_in_plane import IndicesInPlane
from vision.cards.geometry import Array, Plane, across, gaps, inside, rectangle
from vision.cards.seen_table import SeenCard
from vision.cards.template import Template


def order_cards(
    cards: Sequence[SeenCard], flat: IndicesInPlane, template: Template, plane: Plane, size: tuple[int, int]
) -> tuple[SeenCard, ...]:
    """Tells which of two overlapping cards lies on top by whose index is seen in the shared part."""
    count = len(cards)
    if count < 2:
        return tuple(cards)
    centres = np.array([card.centre for card in cards])
    downs = np.array([card.down for card in cards])
    quads = rectangle(centres, downs, template.width, template.height)
    overlap = gaps(quads) < -0.05
    signs = [(1, 1), (-1, -1)] + ([(1, -1), (-1, 1)] if template.corners == 4 else [])
    votes = np.zeros((count, count))
    for x, y in signs:  # the middle of the index in this corner of every card
        spot = centres - across(downs) * (x * template.across / 2) - downs * (y * (template.along / 2 - 0.5))
        photo = plane.to_photo(spot)
        shown = ((photo > 0) & (photo < np.array(size))).all(1)
        middles = flat.rank + 0.5 * flat.down
        seen = np.linalg.norm(spot[:, None] - middles[None], axis=-1).min(1) < 0.9
        under = inside(quads[:, None], spot, 0.4) & overlap & shown  # (the card there, the card whose corner it is)
        np.fill_diagonal(under, False)
        votes += np.where(under, np.where(seen, 1.0, -1.0), 0.0).T  # positive: the row lies on the column
    layers = order_layers(votes - votes.T)
    return tuple(replace(card, layer=int(layer)) for card, layer in zip(cards, layers, strict=True))


def order_layers(net: Array) -> NDArray[np.intp]:
    """Painting order (n,) of cards of which the row's lies on the column's where `net` (n, n) is above 0."""
    count = len(net)
    layer = np.zeros(count, np.intp)
    left = set(range(count))
    while left:
        rows = sorted(left)
        covered = (net[np.ix_(rows, rows)] > 0).sum(1)  # how many remaining cards each still lies on
        lowest, place = covered.min(), count - len(left)
        for row, under in zip(rows, covered, strict=True):
            if under == lowest:  # nothing tells which of these lies on which
                layer[row] = place
                left.discard(row)
    return np.asarray(np.unique(layer, return_inverse=True)[1], np.intp)
