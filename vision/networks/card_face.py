"""Reads cards by their faces: pips and pictures are larger than indices, and show more of the card.

    reads = FaceReader().read(cut_faces(image, quads, covers))

The corners, where indices stand, are left out. So what a face says and what its indices say are two opinions, of
which each may be right where the other is not: a small club looks like a spade, its five pips do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    if not len(quads):
        return out
    pyramid = [image]
    matrices = np.array([matrix_of(quad) for quad in quads])
    sides = np.linalg.norm(quads[:, [3, 2]] - quads[:, [0, 1]], axis=2).min(1) / HEIGHT
    levels = (np.log2(np.maximum(sides, 1.0)) + 0.5).astype(int).clip(0, 5).tolist()
    for number, seen in enumerate(_seen(matrices, covers, image.shape)):
        if not seen.any():
            continue
        level = levels[number]
        while len(pyramid) <= level:
            pyramid.append(halved(pyramid[-1]))
        scaled = matrices[number] * (2.0**level, 2.0**level, 1.0)
        picture = cv2.warpPerspective(pyramid[level], scaled, (WIDTH, HEIGHT), None, cv2.INTER_LINEAR)
        picture = cv2.bitwise_and(picture, picture, mask=seen)
        cv2.mixChannels([picture, seen], [out[number]], [0, 0, 1, 1, 2, 2, 3, 3])
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


def _seen(matrices: Floats, covers: Sequence[Floats], photo: tuple[int, ...]) -> Iterator[Image]:
    """For each picture of a card (HEIGHT, WIDTH) 255 where the face shows: inside the photo, and under no other card.

    A cover that reaches behind the camera is left out.
    """
    height, width = photo[:2]
    edges = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], float)
    quads = np.concatenate([part for cover in covers for part in (edges, np.reshape(cover, (-1, 4, 2)))])
    counts = [1 + len(cover) for cover in covers]
    ends = np.concatenate([quads, np.ones((*quads.shape[:2], 1))], axis=2)
    ends = ends @ np.repeat(matrices, counts, axis=0).swapaxes(1, 2)
    ahead = np.asarray((ends[..., 2] > 1e-6).all(1))
    at = np.clip(ends[..., :2] / np.where(ahead[:, None], ends[..., 2], 1.0)[..., None], -1e4, 1e4)
    rounded, row = np.round(at * 16).astype(np.int32), 0
    for count in counts:
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        for number in np.flatnonzero(ahead[row : row + count]).tolist():
            cv2.fillConvexPoly(mask, rounded[row + number], 0 if number else 255, shift=4)
        mask[_CORNERS] = 0
        row += count
        yield mask


def _corners() -> NDArray[np.bool_]:
    """(HEIGHT, WIDTH) where the corners are."""
    x = (np.arange(WIDTH) + 0.5) / WIDTH * (1 + 2 * MARGIN) - MARGIN
    y = (np.arange(HEIGHT) + 0.5) / HEIGHT * (1 + 2 * MARGIN) - MARGIN
    side, end = np.minimum(x, 1 - x) < CORNER[0], np.minimum(y, 1 - y) < CORNER[1]
    return end[:, None] & side[None]


_CORNERS: Final = _corners()
