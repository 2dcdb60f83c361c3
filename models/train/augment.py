"""What a camera does to a picture: light, colour, blur, noise, compression. Shared by all networks."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

BLACK_PAPER: Final = 0.1
"""Share of crops that training turns into their negative: black decks are few, and each has its own colours."""


def photometric(image: Image, rng: np.random.Generator, *, strength: float = 1.0) -> Image:
    """A copy of `image` (uint8 RGB) as another camera under another light would show it.

    Args:
        image: (H, W, 3) RGB, 0 to 255.
        rng: Source of chance.
        strength: 0 leaves the picture nearly as it is, 1 is the usual spread.
    """
    out = _light(image, rng, strength)
    for change, chance in (
        (_darken, 0.15 * strength),
        (_grey, 0.12),
        (_blur, 0.35 * strength),
        (_coarsen, 0.25 * strength),
        (_sharpen, 0.25 * strength),
        (_noise, 0.35 * strength),
        (_salt_and_pepper, 0.06 * strength),
        (_jpeg, 0.3),
    ):
        if rng.random() < chance:
            out = change(out, rng)
    return out


def ink(image: Image, rng: np.random.Generator) -> Image:
    """A copy with fatter or thinner print, as with much or little ink.

    Args:
        image: (H, W, 3) RGB, 0 to 255.
        rng: Source of chance.
    """
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE if rng.random() < 0.5 else cv2.MORPH_CROSS, (3, 3))
    changed = (cv2.erode if rng.random() < 0.6 else cv2.dilate)(image, kernel)
    share = float(rng.uniform(0.3, 1.0))
    return np.asarray(cv2.addWeighted(changed, share, image, 1 - share, 0), np.uint8)


def negative(image: Image) -> Image:
    """A copy with black paper in the place of white, and light print; hues stay, so red stays red.

    Args:
        image: (H, W, 3) RGB, 0 to 255.

    >>> negative(np.array([[[250, 250, 250], [10, 10, 10], [200, 0, 20]]], np.uint8)).tolist()
    [[[5, 5, 5], [245, 245, 245], [255, 55, 75]]]
    """
    red, green, blue = cv2.split(image)  # OpenCV's min and max of planes are many times as fast as numpy's of an axis
    lowest, highest = cv2.min(cv2.min(red, green), blue), cv2.max(cv2.max(red, green), blue)
    lift = (255 - lowest.astype(np.int16) - highest)[..., None]
    return np.asarray(lift + image, np.uint8)


def _sharpen(image: Image, rng: np.random.Generator) -> Image:
    """A sharpened copy, with the halo that phones and webcams draw round dark shapes."""
    soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.7, 2.5)))
    gain = float(rng.uniform(0.4, 2.0))
    return np.asarray(cv2.addWeighted(image, 1 + gain, soft, -gain, 0), np.uint8)


def _light(image: Image, rng: np.random.Generator, strength: float) -> Image:
    """A copy with another exposure, contrast, gamma, colour cast and saturation."""
    ramp = np.arange(256, dtype=np.float32) / 255
    gamma = float(np.exp(rng.normal(0, 0.22 * strength)))
    contrast = float(np.exp(rng.normal(0, 0.18 * strength)))
    lift = rng.normal(0, 0.08 * strength)
    cast = np.exp(rng.normal(0, 0.09 * strength, 3))
    table = ((ramp[:, None] ** gamma - 0.5) * contrast + 0.5 + lift) * cast
    out = np.asarray(cv2.LUT(image, (np.clip(table, 0, 1) * 255).astype(np.uint8)[None]), np.uint8)
    if rng.random() < 0.5:
        colour = float(rng.uniform(0.35, 1.5))
        out = np.asarray(cv2.addWeighted(out, colour, _grey(out, rng), 1 - colour, 0), np.uint8)
    return out


def _darken(image: Image, rng: np.random.Generator) -> Image:
    """A copy as in the evening by one lamp: dark, darker at one side, often grainy."""
    height, width = image.shape[:2]
    slope = rng.uniform(-0.5, 0.5, 2)
    y, x = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    gain = (rng.uniform(0.15, 0.5) * (1 + slope[0] * x + slope[1] * y)).astype(np.float32)
    dark = (image * gain[..., None]).astype(np.uint8)
    return _noise(dark, rng) if rng.random() < 0.6 else dark


def _grey(image: Image, _: np.random.Generator) -> Image:
    return np.repeat(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)


def _jpeg(image: Image, rng: np.random.Generator) -> Image:
    quality = int(rng.integers(25, 92))
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _blur(image: Image, rng: np.random.Generator) -> Image:
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.6))), np.uint8)
    length = int(rng.integers(3, 7))
    angle = rng.uniform(0, np.pi)
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    reach = np.asarray([np.cos(angle), np.sin(angle)]) * length / 2
    ends = np.round(length + np.stack([-reach, reach])).astype(int)
    cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _coarsen(image: Image, rng: np.random.Generator) -> Image:
    """A copy with less detail, as from a small sensor, a digital zoom or a thumbnail."""
    height, width = image.shape[:2]
    factor = rng.uniform(0.45, 0.9)
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    how = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (width, height), interpolation=how), np.uint8)


_NOISE = np.random.default_rng(0).normal(0, 16, 1 << 20).clip(-127, 127).astype(np.int8)


def _noise(image: Image, rng: np.random.Generator) -> Image:
    """A copy with grain of 2 to 14 grey levels, from a fixed table because drawing numbers is slow."""
    start = int(rng.integers(_NOISE.size // 4))
    grain = np.resize(_NOISE[start:], image.shape)
    return np.asarray(
        cv2.scaleAdd(grain.astype(np.float32), float(rng.uniform(2, 14) / 16), image.astype(np.float32)).clip(0, 255),
        np.uint8,
    )


def _salt_and_pepper(image: Image, rng: np.random.Generator) -> Image:
    share = rng.uniform(0.002, 0.03)
    out = image.copy()
    spots = rng.random(image.shape[:2], dtype=np.float32)
    out[spots < share] = 0
    out[spots > 1 - share] = 255
    return out
