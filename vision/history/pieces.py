"""Pieces of the photos of a recorded game, to be shown beside what is asked about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.image import RGB, at_most
from vision.read_card import Sight

PIECE_PX: Final = 640
"""The longer side of a piece."""
MARGIN: Final = 0.12
"""Round what a question is about, as a share of the longer side."""
LEAST_PIECE: Final = 0.4
"""Side of a piece, as a share of the photo's longer side: a pile by itself does not show where it lies."""
CLOSE: Final = 1.5
"""The margin round a card's corner that is to be read by itself, with little of its neighbours."""
MOST_SPOT: Final = 0.5
"""Of a piece, as a share of it, what is framed in it as the place to look at."""


def cut_piece(
    image: RGB, sight: Sight, size: Sequence[float], *, margin: float = MARGIN, least: float = LEAST_PIECE
) -> tuple[RGB, list[float], list[float] | None]:
    """The piece of a photo that shows what is asked about, and its left, top, right and bottom as shares of the photo.

    With it comes where in it to look, as shares of the piece; None where that is most of it.

    Args:
        image: A copy of the photo, of any size.
        sight: Where to look.
        size: Width and height of the photo when it was read, px.
        margin: Round what is asked about, as a share of its longer side.
        least: Side of the piece at the least, as a share of the photo's longer side.
    """
    height, width = image.shape[:2]
    share = width / size[0]
    xs, ys = ([corner[axis] * share for corner in sight.quad] for axis in (0, 1))
    wide, side = margin * max(max(xs) - min(xs), max(ys) - min(ys)), least * max(width, height)
    (left, right), (top, bottom) = _span(xs, wide, side, width), _span(ys, wide, side, height)
    piece = at_most(image[top:bottom, left:right], PIECE_PX)
    box = [left / width, top / height, right / width, bottom / height]
    return piece, box, _spot_in(box, sight, size)


def _spot_in(box: Sequence[float], sight: Sight, size: Sequence[float]) -> list[float] | None:
    """Where in a piece that lies so in its photo to look."""
    spot = [0.0] * 4
    for axis in (0, 1):
        low, high = box[axis], box[axis + 2]
        shares = [(corner[axis] / size[axis] - low) / (high - low) for corner in sight.quad]
        spot[axis], spot[axis + 2] = max(0.0, min(shares)), min(1.0, max(shares))
    return spot if (spot[2] - spot[0]) * (spot[3] - spot[1]) < MOST_SPOT else None


def _span(ends: Sequence[float], margin: float, least: float, most: int) -> tuple[int, int]:
    """Where a piece begins and ends: round some points, not too short, and within a photo of so many px.

    >>> _span([100, 150], 5, 160, 400), _span([10, 20], 0, 160, 400), _span([10, 380], 50, 160, 400)
    ((45, 205), (0, 160), (0, 400))
    """
    size = min(float(most), max(least, max(ends) - min(ends) + 2 * margin))
    low = min(max(0.0, (min(ends) + max(ends) - size) / 2), most - size)
    return int(low), min(most, int(low + size + 0.5))
