"""What all that is drawn here shares: types, one of several things, colours, masks, and the folder where art is kept.

A mask is the ink of a sign: float32 (height, width) in 0..1.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from plumbing.files import whole_file

Image = NDArray[np.uint8]
Mask = NDArray[np.floating[Any]]
Points = NDArray[np.float64]
Rng = np.random.Generator
Colour = tuple[int, int, int]
T = TypeVar("T")


def cache_folder() -> Path:
    """Where rasterised decks and textures are kept: `$SYNTH_CACHE`, else `out/synth-cache` in the current folder."""
    folder = Path(os.environ.get("SYNTH_CACHE", "out/synth-cache"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def save_array(path: Path, array: NDArray[np.uint8]) -> None:
    """Writes an array so that no reader, in this process or another, ever sees half of it."""
    with whole_file(path) as part, part.open("wb") as file:
        np.save(file, array)


def choose(rng: Rng, things: Sequence[T]) -> T:
    """One of several things."""
    return things[int(rng.integers(len(things)))]


def random_colour(rng: Rng, low: int = 20, high: int = 235) -> Colour:
    """An RGB colour, now and then grey."""
    if rng.random() < 0.15:
        grey = int(rng.integers(low, high))
        return grey, grey, grey
    hue, saturation, value = rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(low, high)
    return from_hsv(hue, saturation, value)


def from_hsv(hue: float, saturation: float, value: float) -> Colour:
    """An RGB colour by its hue (0 to 180), saturation and value (0 to 255)."""
    pixel = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def crop_to_ink(mask: Mask, threshold: float = 0.2) -> Mask:
    """The part of a mask with ink; at least one pixel."""
    rows, columns = (np.flatnonzero(mask.max(axis=axis) > threshold) for axis in (1, 0))
    if not len(rows):
        return np.zeros((1, 1), np.float32)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def squeeze(mask: Mask, width: float, height: float) -> Mask:
    """A mask resized to `width` x `height` px (rounded, at least 1)."""
    size = (max(1, round(width)), max(1, round(height)))
    smaller = size[0] * size[1] < mask.shape[0] * mask.shape[1]
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR), np.float32)


def squeeze_to_line(mask: Mask, height: float, most: float) -> Mask:
    """A mask `height` px high and as wide as its shape says, at most `most`."""
    return squeeze(mask, min(most, mask.shape[1] * height / mask.shape[0]), height)


def print_mask(image: Image, mask: Mask, x: int, y: int, ink: Sequence[float] | NDArray[Any]) -> None:
    """Prints a sign with its upper left corner at (x, y); what would be outside the picture is left out."""
    top, left = max(0, -y), max(0, -x)
    part = image[max(0, y) : max(0, y + mask.shape[0]), max(0, x) : max(0, x + mask.shape[1])]
    cover = mask[top : top + part.shape[0], left : left + part.shape[1], None]
    part[:] = part * (1 - cover) + np.asarray(ink) * cover
