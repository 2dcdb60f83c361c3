"""What the surface map learns from: the detector's features of rendered scenes, and what lies at each spot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray

from models.surface_map.net import FEATURES, backbone
from models.train import augment, loop
from models.train.labelled_pictures import find_files, read_image
from vision.networks.surface_map import SIDE, STRIDE

Image = NDArray[np.uint8]

BATCH: Final = 8
SHOWN: Final = (640, 480)
"""Width and height of a picture in training, px."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How pictures are shown; shares are 0 to 1.

    Attributes:
        pool_pictures: Pictures from which batches are drawn.
        first_pictures: Pictures in the pool before the first batch.
        fresh_pictures: Pictures that enter the pool for each batch.
        zoom: Smallest and largest part of the longer side that is shown, of the whole.
        turned_share: Share of pictures that are turned upside down.
    """

    pool_pictures: int = 240
    first_pictures: int = 24
    fresh_pictures: int = 2
    zoom: tuple[float, float] = (0.55, 1.0)
    turned_share: float = 0.5


TUNING: Final = Tuning()


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The detector's features of a picture, (channels, h, w) each, and the shares (3, h, w) of surfaces."""

    features: tuple[NDArray[np.float16], ...]
    wanted: NDArray[np.float16]


def surfaces(scene: dict[str, Any], scale: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """Shares (3, h / 8, w / 8) of neither, face and back, of a scene shown `scale` times as large.

    Args:
        scene: A scene's label file; its cards are listed as they were laid, the uppermost last.
        scale: Pixels shown for each pixel of the scene.
        size: Width and height of what is shown, px, multiples of 8.
    """
    half = 2
    drawn = np.zeros((size[1] // half, size[0] // half), np.uint8)
    for card in scene["cards"]:
        if card["quad"]:
            corners = np.asarray(card["quad"]) * scale / half
            cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), 1 if card["card"] else 2, shift=4)
    cells = drawn.reshape(size[1] // STRIDE, STRIDE // half, size[0] // STRIDE, STRIDE // half)
    return np.stack([(cells == kind).mean((1, 3)) for kind in range(3)]).astype(np.float32)


def shown(image: Image, scene: dict[str, Any], rng: np.random.Generator | None) -> tuple[Image, NDArray[np.float32]]:
    """A scene as the network sees it and its surfaces: whole, or with `rng` a part of it, turned, by another camera."""
    height, width = image.shape[:2]
    share = 1.0 if rng is None else float(rng.uniform(*TUNING.zoom))
    scale = SIDE / (max(height, width) * share)
    size = [int(np.ceil(side * scale / 32) * 32) for side in (width, height)]
    whole = surfaces(scene, scale, (size[0], size[1]))
    picture = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = cv2.copyMakeBorder(
        picture, 0, size[1] - picture.shape[0], 0, size[0] - picture.shape[1], cv2.BORDER_REPLICATE
    )
    if rng is None:
        return np.asarray(picture, np.uint8), whole
    across = size[0] >= size[1]
    if not across:  # all are shown wider than high, so that they fill a batch
        picture, whole = np.rot90(picture), np.rot90(whole, 1, (1, 2))
    low = max(0, SHOWN[1] - picture.shape[0]), max(0, SHOWN[0] - picture.shape[1])
    picture = np.pad(picture, ((0, low[0]), (0, low[1]), (0, 0)))
    whole = np.pad(whole, ((0, 0), (0, low[0] // STRIDE), (0, low[1] // STRIDE)))
    top, left = (
        int(rng.integers((have - part) // 32 + 1)) * 32
        for have, part in zip(picture.shape[:2], SHOWN[::-1], strict=True)
    )
    picture = picture[top : top + SHOWN[1], left : left + SHOWN[0]]
    whole = whole[:, top // STRIDE : (top + SHOWN[1]) // STRIDE, left // STRIDE : (left + SHOWN[0]) // STRIDE]
    if rng.random() < TUNING.turned_share:
        picture, whole = np.rot90(picture, 2), np.rot90(whole, 2, (1, 2))
    if rng.random() < augment.BLACK_PAPER:
        picture = augment.negative(np.asarray(picture, np.uint8))
    return augment.photometric(np.ascontiguousarray(picture), rng), np.ascontiguousarray(whole)


class Backbone:
    """The detector up to its features, on ONNX Runtime and one thread."""

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(backbone().SerializeToString(), options)

    def features(self, picture: Image) -> tuple[NDArray[np.float16], ...]:
        """Feature maps (channels, h, w) of a picture, uint8 RGB (H, W, 3)."""
        given = np.ascontiguousarray(picture.transpose(2, 0, 1)[None])
        return tuple(found[0].astype(np.float16) for found in self._session.run(None, {"image": given}))


def batches(folders: Sequence[Path], batch: int, seed: int) -> loop.Batches:
    """Endless batches of feature maps from folders of scenes; `seed` starts the random numbers."""
    size = loop.PoolSize(TUNING.first_pictures, TUNING.fresh_pictures, TUNING.pool_pictures)
    return loop.pooled_batches(partial(_fresh, list(folders)), batch_of, batch, size, seed)


def _fresh(folders: Sequence[Path], rng: np.random.Generator) -> Iterator[Example]:
    network = Backbone()
    while True:
        files = find_files(folders)
        for _ in range(200):
            path = files[rng.integers(len(files))]
            scene = json.loads(path.read_text())
            picture, wanted = shown(read_image(path.with_suffix(".jpg")), scene, rng)
            yield Example(network.features(picture), wanted.astype(np.float16))


def batch_of(chosen: Sequence[Example], _: np.random.Generator | None = None) -> loop.Batch:
    """A batch: `wanted` (n, 3, h, w) and each layer's features."""
    maps = {f"layer{layer}": [e.features[k] for e in chosen] for k, layer in enumerate(FEATURES)}
    return {
        name: torch.from_numpy(np.stack(parts))
        for name, parts in ({"wanted": [e.wanted for e in chosen]} | maps).items()
    }
