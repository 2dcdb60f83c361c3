"""Reads the rank and suit of each index found: upright crops at the photo's own resolution, one small network.

    reads = Reader().read(image, detections)

The two points of a detection say where "down" is, so the crop is turned upright before it is read and the network
never has to tell a 6 from a 9 lying on its side. Outputs are calibrated log-probabilities (see models/README.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import across
from vision.image import halved
from vision.networks.outputs import Detections, Reads
from vision.networks.runtime import MODELS, Network

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

UNUSUAL_WEIGHTS: Final = MODELS / "unusual_reader.onnx"
"""The same network trained on to decks with unusual indices, such as the suit above the rank."""
HEIGHT: Final = 64
WIDTH: Final = 48
SPAN: Final = 2.8
"""Height of a crop as a multiple of the distance from rank centre to suit centre, in training."""
VIEWS: Final = ((2.5, -6.0), (2.5, 6.0))
"""How an index is cut when it is read: span, and turn in degrees. Several views are averaged; which ones read best was
measured on validation scenes, see docs/experiments.md."""
BATCH: Final = 64


class Reader(Network):
    """The rank and suit reader."""

    weights = MODELS / "index_reader.onnx"
    takes = "crops"
    gives = ("log_rank", "log_suit", "log_index")

    def read(self, image: Image, detections: Detections, side: Floats | None = None) -> Reads:
        """Log-probabilities of rank, suit and of being an index at all, one row a detection.

        Args:
            image: uint8 RGB (H, W, 3), the photo in which `detections` were found.
            detections: Their points decide what is read.
            side: See `crop_matrix`.
        """
        rank, suit = detections.rank_xy, detections.suit_xy
        middle, down = (rank + suit) / 2, suit - rank
        right = across(down.astype(float)).astype(np.float32) if side is None else side
        views = []
        for span, turn in VIEWS:
            cos, sin = np.asarray([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))], np.float32)
            half, turned = (cos * down - sin * right) / 2, cos * right + sin * down
            views.append(self.read_crops(upright_crops(image, middle - half, middle + half, span=span, side=turned)))
        return views[0] if len(views) == 1 else averaged(views)

    def read_crops(self, crops: Image) -> Reads:
        """Reads upright crops, uint8 RGB (n, HEIGHT, WIDTH, 3)."""
        if not len(crops):
            return Reads.empty()
        parts = [self.run(crops[i : i + BATCH]) for i in range(0, len(crops), BATCH)]
        return Reads(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def averaged(views: Sequence[Reads]) -> Reads:
    """Reads of the same indices in several views as one: mean logarithms, made probabilities again."""
    rank, suit, index = (np.mean([getattr(v, n) for v in views], 0) for n in ("log_rank", "log_suit", "log_index"))
    rank, suit = (part - np.log(np.exp(part).sum(1, keepdims=True)) for part in (rank, suit))
    return Reads(rank, suit, index)


def crop_matrix(
    rank: Floats,
    suit: Floats,
    width: int = WIDTH,
    height: int = HEIGHT,
    span: float = SPAN,
    side: Floats | None = None,
) -> Floats:
    """The maps (..., 2, 3) from photo to crop that put indices upright into the crop's middle.

    Args:
        rank: (..., 2) the rank symbols' centres.
        suit: (..., 2) the suit symbols' centres.
        width: Width of the crop, px.
        height: Height of the crop, px.
        span: Height of the crop as a multiple of the distance of the points.
        side: (..., 2) what lies in the photo from left to right of a card, and is as long as from rank to suit. By
            default as it is seen from straight above.

    >>> (crop_matrix(np.float32([30, 20]), np.float32([30, 30]), 40, 60, 3.0) + 0.0).tolist()
    [[2.0, 0.0, -40.0], [0.0, 2.0, -20.0]]
    >>> seen_from_the_left = np.float32([5, 0])
    >>> (crop_matrix(np.float32([30, 20]), np.float32([30, 30]), 40, 60, 3.0, seen_from_the_left) + 0.0).tolist()
    [[4.0, 0.0, -100.0], [0.0, 2.0, -20.0]]
    """
    down = np.asarray(suit, np.float64) - rank
    none = np.hypot(down[..., :1], down[..., 1:]) < 1.0
    down = np.where(none, (0.0, 1.0), down)
    right = across(down) if side is None else np.where(none, across(down), side)
    turn = np.linalg.inv(np.stack([right, down], -1)) * (height / span)
    middle = (np.asarray(rank, np.float64) + suit) / 2
    shift = np.asarray([width / 2, height / 2]) - (turn @ middle[..., None])[..., 0]
    return np.concatenate([turn, shift[..., None]], -1).astype(np.float32)


def upright_crops(
    image: Image,
    rank_xy: Floats,
    suit_xy: Floats,
    *,
    width: int = WIDTH,
    height: int = HEIGHT,
    span: float = SPAN,
    side: Floats | None = None,
) -> Image:
    """Upright crops round indices, uint8 RGB (n, height, width, 3); what lies outside the photo is its edge repeated.

    Args:
        image: uint8 RGB (H, W, 3).
        rank_xy: (n, 2) rank centres, px.
        suit_xy: (n, 2) suit centres, px.
        width: Width of the crops, px.
        height: Height of the crops, px.
        span: Height of a crop as a multiple of the distance of its points.
        side: See `crop_matrix`.
    """
    crops = np.empty((len(rank_xy), height, width, 3), np.uint8)
    pyramid = [image]
    matrices = crop_matrix(rank_xy, suit_xy, width, height, span, side)
    scales = np.sqrt(np.abs(np.linalg.det(matrices[:, :, :2])))
    for number, (matrix, shown) in enumerate(zip(matrices, scales.tolist(), strict=True)):
        # A warp takes single pixels: from a photo that is shrunk by more than half, it takes them from a shrunk photo.
        level = 0
        while shown < 0.5 and min(pyramid[level].shape[:2]) > 8:
            if len(pyramid) == level + 1:
                pyramid.append(halved(pyramid[level]))
            shown, level = 2 * shown, level + 1
        matrix[:, :2] *= 2**level
        cv2.warpAffine(pyramid[level], matrix, (width, height), crops[number], cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    return crops
