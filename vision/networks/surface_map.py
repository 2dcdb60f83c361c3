"""What lies at each spot of a photo: the face of a card, the back of a card, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import channels_first, shrunk
from vision.networks.runtime import MODELS, Network

SIDE: Final = 640
"""Longer side of the photo as the network sees it, px."""
STRIDE: Final = 8
GRID: Final = 32
"""The network takes sides that are multiples of it."""
NEITHER, FACE, BACK = range(3)
LOOKED_AT: Final = 8
"""So many points along each side of an outline are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """What lies where in a photo.

    Attributes:
        probabilities: (h, w, 3) of `NEITHER`, `FACE` and `BACK` at each spot, 0 to 1; they sum to 1.
        spot_px: Width and height of a spot in the photo, px.
    """

    probabilities: NDArray[np.float32]
    spot_px: float

    def at(self, xy: NDArray[np.floating]) -> NDArray[np.float32]:
        """The probabilities (n, 3) at points (n, 2) of the photo, px; outside it those of the nearest spot."""
        height, width = self.probabilities.shape[:2]
        column, row = np.floor(np.asarray(xy).reshape(-1, 2) / self.spot_px).astype(int).T
        return np.asarray(self.probabilities[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)])

    def card_share(self, quads: NDArray[np.floating]) -> NDArray[np.float64]:
        """How much of outlines (n, 4, 2), px, shows cards, faces or backs: (n, 2) of the whole and of its barest strip.

        A strip goes from side to side, away from the edges: two cards that lie apart leave one bare between them.

        >>> left = np.stack([np.array([[0.0, 1.0]] * 2), np.array([[1.0, 0.0]] * 2), np.zeros((2, 2))], axis=-1)
        >>> quad = np.array([[0.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]])
        >>> Surfaces(np.asarray(left, np.float32), 8.0).card_share(np.stack([quad, quad / 2])).round(2).tolist()
        [[0.5, 0.0], [1.0, 1.0]]
        """
        steps = (np.arange(LOOKED_AT) + 0.5) / LOOKED_AT
        along, down = (part.reshape(-1, 1) for part in np.meshgrid(steps, steps))
        first, second, third, fourth = np.asarray(quads)[:, :, None].transpose(1, 0, 2, 3)
        upper, lower = first + along * (second - first), fourth + along * (third - fourth)
        spots = upper + down * (lower - upper)
        shown = 1 - self.at(spots)[:, NEITHER].astype(np.float64).reshape(-1, LOOKED_AT, LOOKED_AT)
        inner = shown[:, 1:-1, 1:-1]
        barest = np.minimum(inner.mean(1).min(1), inner.mean(2).min(1))
        return np.stack([shown.mean((1, 2)), barest], axis=1)


@cache
def load_surface_map() -> SurfaceMap:
    """The network, loaded once."""
    return SurfaceMap()


class SurfaceMap(Network):
    """The network that tells faces, backs and the rest apart."""

    weights = MODELS / "surface_map.onnx"
    takes = "image"
    gives = ("surfaces",)

    def see(self, image: NDArray[np.uint8]) -> Surfaces:
        """The surfaces of a photo, uint8 RGB (H, W, 3)."""
        scale = SIDE / max(image.shape[:2])
        height, width = (max(1, round(side * scale)) for side in image.shape[:2])
        small = shrunk(image, (width, height))
        fill = (-height % GRID, -width % GRID)
        padded = cv2.copyMakeBorder(small, 0, fill[0], 0, fill[1], cv2.BORDER_REPLICATE)
        (found,) = self.run(channels_first(np.asarray(padded, np.uint8)))
        shown = found[0].transpose(1, 2, 0)[: -(-height // STRIDE), : -(-width // STRIDE)]
        return Surfaces(np.ascontiguousarray(shown), STRIDE / scale)
