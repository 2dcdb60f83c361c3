"""From the bytes of a photo to what the page shows of its reading. Pure: no session, nothing stored, nothing shared.

The verdict itself is `webapp.worker`'s business, in a process of its own; `vision.reading` does the reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

MARGIN: Final = 0.6
"""How much of its surroundings the small picture of a doubtful card shows, as a share of the index's size."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo that was read.

    Attributes:
        name: What the photo was called.
        picture: The annotated photo as a JPEG.
        reading: The reading of the JSON contract.
        line: The position as one line, None where there is none.
        crops: Small pictures (PNG) of the doubtful cards, by their number in the reading.
        others: Further likely positions: log-probability relative to the best one, and the line.
    """

    name: str
    picture: bytes
    reading: Mapping[str, Any]
    line: str | None
    crops: Mapping[int, bytes] = field(default_factory=dict)
    others: tuple[tuple[float, str], ...] = ()


def read(data: bytes, name: str, game: str, *, hand: str = "", hand_data: bytes | None = None) -> Shot:
    """Reads a photo of a table.

    Args:
        data: The photo's file: JPEG, PNG, WebP or HEIC.
        name: What to call it.
        game: The game's word or `auto`.
        hand: The hand's cards, where the photo does not show them.
        hand_data: A second photo's file that shows only the hand.

    Raises:
        CardsError: For a file that is no photo, a hand that cannot be read, or missing networks.
    """
    from vision.annotate import annotate  # OpenCV and the networks are loaded with the first photo
    from vision.image import encode, load
    from vision.reading import read_photo

    image = load(data)
    second = None if hand_data is None else load(hand_data)
    reading = read_photo(image, game, hand=hand if hand.strip() and second is None else None, hand_photo=second)
    crops = {}
    for number in reading.doubtful:
        boxes = reading.cards[number].indices
        if boxes:
            crops[number] = encode(_around(image, boxes[0]), ".png")
    return Shot(
        name=name,
        picture=encode(annotate(image, reading), ".jpg"),
        reading=reading.to_json(),
        line=None if reading.position is None else str(reading.position),
        crops=crops,
        others=tuple((float(relative), str(position)) for relative, position in reading.others),
    )


def _around(image: Any, box: tuple[float, float, float, float]) -> Any:
    """The part of a photo round a box, cut where the photo ends."""
    x1, y1, x2, y2 = box
    margin = MARGIN * max(x2 - x1, y2 - y1)
    height, width = image.shape[:2]
    left, right = (int(np.clip(x, 0, width - 1)) for x in (x1 - margin, x2 + margin))
    top, bottom = (int(np.clip(y, 0, height - 1)) for y in (y1 - margin, y2 + margin))
    return image[top : bottom + 1, left : right + 1].copy()
