"""Prints how labelled photos are read once they are spoiled: `python -m tests.bench.spoiled DIR...`.

Each photo of a whole position is read as it is and dark, blurred, small, turned and so on. What counts is that a
spoiled photo is asked about or not read at all: a position that is wrong with nothing asked is named. With `--games`
each folder holds the photos of one game, of which the records are measured.
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

from vision.history.read_tables import read_table
from vision.image import RGB, at_most, load, photos_in
from vision.measure.labels import truth_of
from vision.measure.metrics import proportion
from vision.measure.one_photo import is_exact
from vision.measure.records import Score, load_game, score_record
from vision.photo_to_reading import read_images
from vision.record import settle_tables

SHARP_PX: Final = 1600
"""Longer side to which photos are reduced before they are blurred: then a blur means the same for all."""


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a row for each way to spoil photos."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="folders of labelled photos")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--games", action="store_true", help="each folder holds the photos of one game")
    args = parser.parse_args(argv)
    if args.games:
        _measure_games(args.folders, args.ways)
        return
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


def _measure_games(folders: Sequence[Path], ways: Sequence[str]) -> None:
    """Prints what records of spoiled photos get right, a row for each way."""
    print(
        "| photos | games whole | positions exact | last cards exact | wrong with nothing asked |",
        "|---" * 5 + "|",
        sep="\n",
    )
    for way in tqdm(ways, unit="way", disable=None):
        total = Score()
        for folder in folders:
            truth = load_game(folder)
            files = [folder / photo.file for photo in truth.photos]
            tables = [read_table(WAYS[way](load(file))) for file in files]
            total += score_record(truth, next(settle_tables(files, tables)))
        shares = (proportion(part, total.photos) for part in (total.exact, total.tops, total.wrong_unasked))
        tqdm.write(f"| {way} | {total.whole} of {total.games} | {' | '.join(shares)} |")


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


def _tilted(image: RGB, corners: Sequence[tuple[float, float]]) -> RGB:
    """The photo with its corners elsewhere, in widths and heights; around it lies its middle colour."""
    high, wide = image.shape[:2]
    whole = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    matrix = cv2.getPerspectiveTransform(*(np.float32(at * (wide, high)) for at in (whole, np.array(corners))))
    colour = np.median(image[::9, ::9].reshape(-1, 3), axis=0)
    return cv2.warpPerspective(image, matrix, (wide, high), flags=cv2.INTER_AREA, borderValue=colour.tolist()).astype(
        np.uint8
    )


def _bent(image: RGB, strength: float) -> RGB:
    """The photo as a wide lens bends it: straight lines bulge."""
    high, wide = image.shape[:2]
    rows, columns = np.mgrid[:high, :wide].astype(np.float32)
    across, down = 2 * columns / wide - 1, (2 * rows - high) / wide
    grown = 1 + strength * (across**2 + down**2)
    at = (across * grown + 1) * wide / 2, (down * grown * wide + high) / 2
    return cv2.remap(image, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)


def _striped(image: RGB) -> RGB:
    """The photo under the shadow of a blind."""
    high, wide = image.shape[:2]
    rows, columns = np.mgrid[:high, :wide]
    stripes = np.tanh(6 * np.sin(2 * np.pi * 9 * (0.8 * columns + 0.5 * rows) / wide))
    return _lit(image, (0.725 + 0.375 * stripes)[..., None])


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
    "from a low seat": lambda image: _tilted(image, ((0.22, 0.3), (0.78, 0.3), (1, 1), (0, 1))),
    "from the left": lambda image: _tilted(image, ((0, 0), (0.8, 0.25), (0.8, 0.75), (0, 1))),
    "from a corner": lambda image: _tilted(image, ((0.1, 0.25), (0.75, 0.05), (1, 0.75), (0.05, 0.95))),
    "bent by the lens": lambda image: _bent(image, 0.18),
    "striped by shadows": _striped,
    "noisy": lambda image: _lit(at_most(image, SHARP_PX), 0.5, 22.0),
    "red light": lambda image: _lit(image, np.array([1.1, 0.55, 0.35])),
}
"""What is done to a photo. All of it could happen to a phone at a table."""


if __name__ == "__main__":
    main()
