"""Prints how labelled photos are read once they are spoiled: `python -m tests.bench.spoiled DIR...`.

Each photo of a whole position is read as it is and dark, blurred, small, turned and so on. What counts is that a
spoiled photo is asked about or not read at all: a position that is wrong with nothing asked is named.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from vision.image import RGB, at_most, load, photos_in
from vision.measure.labels import truth_of
from vision.measure.metrics import proportion
from vision.measure.one_photo import is_exact
from vision.photo_to_reading import read_images

SHARP_PX: Final = 1600
"""Longer side to which photos are reduced before they are blurred: then a blur means the same for all."""


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a row for each way to spoil photos."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="folders of labelled photos")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY", help=", ".join(WAYS))
    args = parser.parse_args(argv)
    counts: dict[str, Counter[str]] = {way: Counter() for way in args.ways}
    for photo in tqdm([photo for folder in args.folders for photo in photos_in(folder)], unit="photo", disable=None):
        image = load(photo)
        truth = truth_of(photo, image.shape[1::-1])
        if truth is None or truth.position is None:
            continue
        for way, count in counts.items():
            reading = read_images([WAYS[way](image)])
            exact = reading.game == truth.game and is_exact(reading, truth)
            silent = reading.unquestioned and not exact
            count.update(photos=1, exact=exact, stands=reading.unquestioned, silent=silent)
            if silent:
                tqdm.write(f"wrong with nothing asked: {photo.name}, {way}")
    print("| photos | exact | said to stand | wrong with nothing asked |\n|---|---|---|---|")
    for way, count in counts.items():
        print(f"| {way} | {' | '.join(proportion(count[k], count['photos']) for k in ('exact', 'stands', 'silent'))} |")


def _lit(image: RGB, light: NDArray[np.float64] | float, noise: float = 0.0) -> RGB:
    """The photo in another light, with noise of so many levels."""
    levels = image * light
    if noise:
        levels = levels + np.random.default_rng(1).normal(0, noise, image.shape)
    return np.clip(levels, 0, 255).astype(np.uint8)


def _place(image: RGB, x: float, y: float) -> NDArray[np.float64]:
    """How far each spot (H, W, 1) lies from a place, in widths and heights of the photo."""
    high, wide = image.shape[:2]
    rows, columns = np.mgrid[:high, :wide]
    return np.hypot(columns / wide - x, rows / high - y)[..., None]


def _moved(image: RGB) -> RGB:
    return cv2.filter2D(at_most(image, SHARP_PX), -1, np.full((1, 13), 1 / 13)).astype(np.uint8)


def _packed(image: RGB) -> RGB:
    packed = cv2.imencode(".jpg", at_most(image, 1280)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 12])[1]
    return np.ascontiguousarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)[..., ::-1], np.uint8)


def _turned(image: RGB, degrees: float) -> RGB:
    """The photo turned, and as small as it must be for its corners to stay; around it lies its middle colour."""
    high, wide = image.shape[:2]
    cos, sin = abs(np.cos(np.radians(degrees))), abs(np.sin(np.radians(degrees)))
    scale = min(wide / (wide * cos + high * sin), high / (wide * sin + high * cos))
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, scale)
    colour = np.median(image[::9, ::9].reshape(-1, 3), axis=0)
    return cv2.warpAffine(image, matrix, (wide, high), borderValue=colour.tolist()).astype(np.uint8)


WAYS: Final[Mapping[str, Callable[[RGB], RGB]]] = {
    "as they are": lambda image: image,
    "dark": lambda image: _lit(np.maximum(image, 60) - np.uint8(60), 0.55),
    "night": lambda image: _lit(image, 0.22 * (image / 255.0) ** 0.6, 3.0),
    "dark at one side": lambda image: _lit(image, np.clip(1.05 - 1.15 * _place(image, 0.3, 0.3), 0.03, 1.0)),
    "too bright": lambda image: _lit(np.maximum(image, 17), 1.6),
    "yellow light": lambda image: _lit(image, np.array([1.15, 0.9, 0.55])),
    "glare": lambda image: _lit(image, 1 + 2 * np.exp(-((_place(image, 0.55, 0.5) / 0.12) ** 2))),
    "out of focus": lambda image: cv2.GaussianBlur(at_most(image, SHARP_PX), (0, 0), 2.2).astype(np.uint8),
    "moved": _moved,
    "packed": _packed,
    "640 px": lambda image: at_most(image, 640),
    "480 px": lambda image: at_most(image, 480),
    "turned by 9 degrees": lambda image: _turned(image, 9),
    "turned by 45 degrees": lambda image: _turned(image, 45),
    "turned by 90 degrees": lambda image: np.ascontiguousarray(np.rot90(image)),
}
"""What is done to a photo. All of it could happen to a phone at a table."""


if __name__ == "__main__":
    main()
