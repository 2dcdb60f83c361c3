"""How many cards each column hides, by all photos that show the same pile.

As long as the same card lies first in a column, no card under it is turned: all these photos count one pile, and err
alike. What they say together counts where the pile is first seen. So the search for the likeliest history does not go
on with a number that later photos contradict, and a count that is wrong in ten photos weighs little more than in one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.history.sight import TUNING, TableSight, likeliest

AGAIN: Final = 0.4
"""What n photos of the same pile say together is what one says, times n to this power."""
COUNTED_AT: Final = 2
"""So many photos share what is said: one of them may be left out."""

LogCount = tuple[float, ...]


def count_piles_once(sights: Sequence[TableSight]) -> list[TableSight]:
    """What photos show, with the counts of each pile together where it is first seen, and nothing after that."""
    columns = [list(sight.columns) for sight in sights]
    for place in range(len(columns[0])):
        for photos in _photos_of_piles(sights, place):
            together = say_together([sights[photo].columns[place].log_count for photo in photos])
            first = photos[:COUNTED_AT]
            share = tuple(log / len(first) for log in together)
            for photo in photos:
                said = share if photo in first else (0.0,) * len(share)
                columns[photo][place] = replace(columns[photo][place], log_count=said)
    return [replace(sight, columns=tuple(own)) for sight, own in zip(sights, columns, strict=True)]


def _photos_of_piles(sights: Sequence[TableSight], place: int) -> Iterator[list[int]]:
    """The photos that count a column, by the card that lies first in it."""
    photos: dict[int, list[int]] = defaultdict(list)
    for photo, sight in enumerate(sights):
        pile = sight.columns[place]
        if pile.cards and pile.log_count and not sight.squared:
            photos[likeliest(pile.cards[0])].append(photo)
    yield from photos.values()


def say_together(counts: Sequence[LogCount]) -> LogCount:
    """What photos of the same pile say together of how many cards it hides; the likeliest number has 0."""
    rows = np.array(counts)
    rows = np.maximum(rows - rows.max(1, keepdims=True), TUNING.least_count)
    said = rows.mean(0) * len(rows) ** AGAIN
    return tuple((said - said.max()).tolist())
