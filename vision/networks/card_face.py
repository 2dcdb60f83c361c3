"""Reads cards by their faces: pips and pictures are larger than indices, and show more of the card.

    reads = FaceReader().read(cut_faces(image, quads, covers))

The corners, where indices stand, are left out. So what a face says and what its indices say are two opinions, of
which each may be right where the other is not: a small club looks like a spade, its five pips do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import halved
from vision.networks.outputs import Reads
from vision.networks.runtime import MODELS, Network

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

HEIGHT: Final = 96
WIDTH: Final = 64
"""Size of a straightened face, px."""
MARGIN: Final = 0.06
"""What a picture shows beyond each side of the card, in the card's width or height."""
CORNER: Final = (0.2, 0.27)
"""What is left out at each corner, in the card's width and height."""
BATCH: Final = 8


class FaceReader(Network):
    """The reader of faces."""

    weights = MODELS / "card_face.onnx"
    takes = "faces"
    gives = ("log_rank", "log_suit", "log_face")

    def read(self, pictures: Image) -> Reads:
        """Log-probabilities of rank, suit and of being a card's face at all, one row a picture.

        Args:
            pictures: uint8 (n, HEIGHT, WIDTH, 4), as `faces` gives them.
        """
        if not len(pictures):
            return Reads.empty()
        parts = [self.run(pictures[i : i + BATCH]) for i in range(0, len(pictures), BATCH)]
        return Reads(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def cut_faces(image: Image, quads: Floats, covers: Sequence[Floats]) -> Image:
    """Straightened faces, uint8 (n, HEIGHT, WIDTH, 4): RGB, and 255 where the face is to be seen.

    What lies under another card, at a corner or outside the photo is black and 0.

    Args:
        image: uint8 RGB (H, W, 3).
        quads: (n, 4, 2) the cards' corners in the photo, px: top left, top right, bottom right, bottom left.
        covers: For each card the corners (k, 4, 2) of those that lie on it.
    """
    out = np.zeros((len(quads), HEIGHT, WIDTH, 4), np.uint8)
    pyramid = [image]
    height, width = image.shape[:2]
    edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    for number, (quad, above) in enumerate(zip(quads, covers, strict=True)):
        matrix = matrix_of(quad)
        seen = np.zeros((HEIGHT, WIDTH), np.uint8)
        _fill(seen, matrix, edges, 255)
        for cover in above:
            _fill(seen, matrix, cover, 0)
        seen[_CORNERS] = 0
        if not seen.any():
            continue
        tall = min(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1])))
        level = int(np.clip(np.floor(np.log2(max(tall / HEIGHT, 1.0)) + 0.5), 0, 5))
        while len(pyramid) <= level:
            pyramid.append(halved(pyramid[-1]))
        scaled = matrix @ np.diag([2.0**level, 2.0**level, 1.0])
        picture = cv2.warpPerspective(pyramid[level], scaled, (WIDTH, HEIGHT), None, cv2.INTER_LINEAR)
        out[number, ..., :3] = picture * (seen > 0)[..., None]
        out[number, ..., 3] = seen
    return out


def matrix_of(quad: Floats) -> Floats:
    """The homography (3, 3) from the photo to the picture of the card with these corners (4, 2).

    >>> matrix = matrix_of(np.array([[0, 0], [56, 0], [56, 84], [0, 84]], float))
    >>> (matrix @ [28, 42, 1]).round().tolist()
    [32.0, 48.0, 1.0]
    """
    left, top = WIDTH * MARGIN / (1 + 2 * MARGIN), HEIGHT * MARGIN / (1 + 2 * MARGIN)
    right, bottom = WIDTH - left, HEIGHT - top
    target = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target), np.float64)


def _fill(mask: Image, matrix: Floats, quad: Floats, value: int) -> None:
    """Sets a quad (4, 2) of the photo in the picture's mask; one that reaches behind the camera is left out."""
    ends = np.c_[quad, np.ones(4)] @ matrix.T
    if (ends[:, 2] > 1e-6).all():
        at = np.clip(ends[:, :2] / ends[:, 2:], -1e4, 1e4)
        cv2.fillConvexPoly(mask, np.round(at * 16).astype(np.int32), value, shift=4)


def _corners() -> NDArray[np.bool_]:
    """(HEIGHT, WIDTH) where the corners are."""
    x = (np.arange(WIDTH) + 0.5) / WIDTH * (1 + 2 * MARGIN) - MARGIN
    y = (np.arange(HEIGHT) + 0.5) / HEIGHT * (1 + 2 * MARGIN) - MARGIN
    side, end = np.minimum(x, 1 - x) < CORNER[0], np.minimum(y, 1 - y) < CORNER[1]
    return end[:, None] & side[None]


_CORNERS: Final = _corners()
