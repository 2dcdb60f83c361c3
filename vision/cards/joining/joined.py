"""What photos of one table show together. A single photo needs no more of this package than this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.question import Question

MOST_PHOTOS: Final = 6
"""Photos of one table that are joined at most."""

View = tuple[int, int]
"""A photo, and the row of a card among those that it shows."""


@dataclass(frozen=True, eq=False, slots=True)
class Joined:
    """Photos of one table, joined.

    Attributes:
        table: The whole table. Its "photo" is a map of it from straight above, upright as most photos are.
        sights: For each of its cards its views, the best one first.
        back_sights: The same for each of its backs, one view each.
        to_map: For each photo the 3x3 homography from its pixels to those of the map; None where it does not join.
        apart: Number of each photo that does not join, and the question that says why.
        checks: What a person should look at, where cards may be there twice.
        checks_of_one_deck: The same where each card is there once.
        loose: Views, two each, that were taken for one card though they lie farther apart than photos usually put one.
    """

    table: SeenTable
    sights: tuple[tuple[View, ...], ...]
    back_sights: tuple[View, ...]
    to_map: tuple[Array | None, ...]
    apart: Mapping[int, Question] = field(default_factory=dict)
    checks: tuple[Question, ...] = ()
    checks_of_one_deck: tuple[Question, ...] = ()
    loose: tuple[frozenset[View], ...] = ()

    @classmethod
    def of_one(cls, table: SeenTable) -> Joined:
        """A single photo, which is its own map."""
        sights = tuple(((0, row),) for row in range(len(table.cards)))
        return cls(table, sights, tuple((0, row) for row in range(len(table.backs))), (np.eye(3),))


def stacked_rows(tables: Sequence[SeenTable]) -> list[int]:
    """The row at which each photo's detections begin when those of all photos are stacked."""
    return [int(n) for n in np.cumsum([0, *(count_rows(table) for table in tables[:-1])])]


def count_rows(table: SeenTable) -> int:
    """How many detections a photo has: each is a card's index or rejected."""
    return max([*table.rejected, *(row for card in table.cards for row in card.indices)], default=-1) + 1
