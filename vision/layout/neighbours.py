"""Who lies beside whom: gaps between cards, connected groups, and which way is up on a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, gaps
from vision.cards.seen_table import SeenTable


def card_gaps(table: SeenTable) -> Array:
    """(n, n) gap between every two cards in card widths, negative where they overlap."""
    return gaps(table.outlines) / table.template.width


def groups(near: NDArray[np.bool_]) -> list[list[int]]:
    """Connected groups of a symmetric relation, each in ascending order.

    >>> groups(np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], bool))
    [[0, 2], [1]]
    """
    left = set(range(len(near)))
    found = []
    while left:
        group, fresh = set(), {min(left)}
        while fresh:
            group |= fresh
            fresh = set(np.flatnonzero(near[sorted(fresh)].any(0)).tolist()) - group
        left -= group
        found.append(sorted(group))
    return found


def up_of(table: SeenTable) -> Array:
    """The table's own "up" in the plane: along the cards' common direction that is nearest to up in the photo."""
    seen = table.cards or table.backs
    if not seen:
        return np.array([0.0, -1.0])
    middle = table.plane.to_photo(np.array([one.centre for one in seen]).mean(0))
    step = table.plane.from_photo(np.stack([middle, middle - [0, 0.02 * table.size[1]]]))
    angle = float(np.arctan2(*(step[1] - step[0])[::-1]))
    downs = np.array([one.down for one in seen])
    fourfold = np.exp(4j * np.arctan2(downs[:, 1], downs[:, 0])).mean()
    if abs(fourfold) > 0.3:  # most cards lie along two common axes
        own = float(np.angle(fourfold)) / 4
        angle = own + np.pi / 2 * round((angle - own) / (np.pi / 2))
    return np.array([np.cos(angle), np.sin(angle)])
