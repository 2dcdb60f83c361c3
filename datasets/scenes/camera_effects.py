"""What light and camera do to a clean picture: shade, glare, colour casts, blur, noise, compression."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture_tools import Image, Rng
from datasets.scenes.surfaces import noise_field

USUAL_SIDE: Final = 1600
"""Longer side, px, up to which blur is given in pixels."""


def develop(rng: Rng, image: Image, on_cards: NDArray[np.bool_], *, strength: float = 1.0) -> Image:
    """Lights and photographs a clean RGB picture.

    Args:
        rng: Random generator.
        image: Clean RGB picture (H, W, 3).
        on_cards: Where cards are (H, W): coated cards glare more than the table.
        strength: Chance factor of the harsher effects; 0 leaves light, little noise and compression only.
    """
    picture = _light(rng, image, on_cards, strength)
    if rng.random() < 0.55 * strength + 0.1:
        picture = _blur(rng, picture)
    picture = _noise(rng, picture, strength)
    if rng.random() < 0.07 * strength:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB).astype(np.uint8)
    if rng.random() < 0.15 * strength:  # a small picture made larger
        height, width = picture.shape[:2]
        share = rng.uniform(0.55, 0.9)
        small = cv2.resize(picture, (int(width * share), int(height * share)), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    if rng.random() < 0.2 * strength:  # sharpened by the phone
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        amount = rng.uniform(0.3, 1.2)
        picture = cv2.addWeighted(picture, 1 + amount, soft, -amount, 0).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(35, 92))
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _light(rng: Rng, image: Image, on_cards: NDArray[np.bool_], strength: float) -> Image:
    height, width = image.shape[:2]
    gain = np.ones((24, 24), np.float32)
    y, x = np.mgrid[-1:1:24j, -1:1:24j].astype(np.float32)
    slope = rng.uniform(-0.35, 0.35, 2) * (rng.random() < 0.7)
    gain += slope[0] * x + slope[1] * y
    gain += 0.12 * rng.random() * noise_field(rng, 24, 24, 3, 3)
    if rng.random() < 0.3:  # vignette
        gain -= rng.uniform(0.1, 0.35) * (x**2 + y**2)
    if rng.random() < 0.25:  # a lamp
        cx, cy, reach = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.3, 1.2)
        gain += rng.uniform(0.2, 0.6) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / reach**2)
    exposure = np.exp(rng.normal(0, 0.22)) * rng.choice([1, 1, 1, 1, 0.6])
    field = cv2.resize(np.clip(gain, 0.2, 2) * exposure, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.22 * strength + 0.03:
        field = field * _cast_shadow(rng, width, height)
    cast = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    warm = rng.normal(0, 0.1)
    cast *= np.exp(np.array([warm, 0, -warm], np.float32))
    cast /= cast.mean()
    lit = image.astype(np.float32)
    for channel in range(3):
        lit[..., channel] *= field * cast[channel]
    if rng.random() < 0.25 * strength:
        _glare(rng, lit, on_cards)
    if rng.random() < 0.4:  # black level and haze
        haze = rng.uniform(0, 40)
        lit = lit * (1 - haze / 255) + haze
    np.clip(lit, 0, 255, out=lit)
    picture = lit.astype(np.uint8)
    if rng.random() < 0.6:
        gamma = np.exp(rng.normal(0, 0.2))
        table = (255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
        picture = cv2.LUT(picture, table).astype(np.uint8)
    return picture


def _cast_shadow(rng: Rng, width: int, height: int) -> NDArray[np.float32]:
    """The shadow of a hand, a phone or a window frame: 1 in the light, less in the shade."""
    small_w, small_h = max(8, width // 4), max(8, height // 4)
    shade = np.zeros((small_h, small_w), np.float32)
    corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 7)), 2)) * (small_w, small_h)
    if rng.random() < 0.4:  # one straight edge
        angle, middle = rng.uniform(0, np.pi), rng.uniform(0.2, 0.8, 2) * (small_w, small_h)
        along = np.array([np.cos(angle), np.sin(angle)]) * 4 * small_w
        across = np.array([-np.sin(angle), np.cos(angle)]) * 4 * small_w
        corners = np.array([middle - along, middle + along, middle + along + across, middle - along + across])
    cv2.fillPoly(shade, [corners.astype(np.int32)], 1.0)
    soft = cv2.resize(cv2.GaussianBlur(shade, (0, 0), rng.choice([0.6, 1.5, 4, 10])), (width, height))
    return np.asarray(1 - rng.uniform(0.2, 0.6) * soft, np.float32)


def _glare(rng: Rng, lit: NDArray[np.float32], on_cards: NDArray[np.bool_]) -> None:
    height, width = lit.shape[:2]
    y, x = np.mgrid[-1:1:64j, -1:1:64j].astype(np.float32)
    spot = np.zeros_like(x)
    for _ in range(int(rng.integers(1, 4))):
        cx, cy, angle = rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9), rng.uniform(0, np.pi)
        u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
        v = (y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)
        spot += rng.uniform(0.2, 0.9) * np.exp(-((u / rng.uniform(0.1, 0.6)) ** 2) - (v / rng.uniform(0.05, 0.3)) ** 2)
    field = cv2.resize(spot, (width, height), interpolation=cv2.INTER_LINEAR)
    field *= np.where(on_cards, 1.0, rng.uniform(0.0, 0.6)).astype(np.float32)
    lit += (field * rng.uniform(60, 190))[..., None]


def _blur(rng: Rng, picture: Image) -> Image:
    """A lens that is a little soft, a focus that is a little off, or a hand that moved.

    Focus and hand blur a share of the picture, so more pixels of a large one; a lens's softness is about a pixel.
    """
    share = max(1.0, max(picture.shape[:2]) / USUAL_SIDE)
    kind = rng.random()
    if kind < 0.7:
        sigma = rng.uniform(0.35, 1.35)
        if share > 1 and rng.random() < 0.5:
            sigma *= share
        return cv2.GaussianBlur(picture, (0, 0), sigma).astype(np.uint8)
    length, angle = rng.uniform(1.5, 6) * share, rng.uniform(0, np.pi)
    side = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((side * 8, side * 8), np.float32)
    middle, reach = side * 4, length * 4
    a = (int(middle - reach * np.cos(angle)), int(middle - reach * np.sin(angle)))
    b = (int(middle + reach * np.cos(angle)), int(middle + reach * np.sin(angle)))
    cv2.line(kernel, a, b, 1.0, 8)
    small = np.asarray(cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    return cv2.filter2D(picture, -1, small / small.sum()).astype(np.uint8)


@lru_cache(maxsize=1)
def _grain() -> NDArray[np.int8]:
    """Normal noise with standard deviation 32, made once: cutting from it is far cheaper than making more."""
    rng = np.random.default_rng(5)
    return np.clip(rng.normal(0, 32, (2048, 1024, 3)), -127, 127).astype(np.int8)


def _noise(rng: Rng, picture: Image, strength: float) -> Image:
    height, width = picture.shape[:2]
    level = rng.exponential(4.0) if rng.random() < 0.75 else 0.0
    level = min(level, 22.0)
    if level > 0.6:
        bank = _grain()
        down, across = -(-height // 1024), -(-width // 512)
        y, x = int(rng.integers(1024)), int(rng.integers(512))
        cut = bank[y : y + 1024, x : x + 512]
        grain: NDArray[Any] = (
            np.tile(cut, (down, across, 1))[:height, :width] if (down, across) != (1, 1) else cut[:height, :width]
        )
        if rng.random() < 0.3:
            grain = np.repeat(grain[..., :1], 3, axis=2)
        if rng.random() < 0.3:
            grain = cv2.blur(grain.astype(np.float32), (2, 2)) * 1.6
        noisy = picture.astype(np.float32) + grain * np.float32(level / 32)
        picture = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.22 * strength:  # salt and pepper, as old webcams and augmented data sets have
        count = int(height * width * rng.uniform(0.0005, 0.012))
        ys, xs = rng.integers(0, height, count), rng.integers(0, width, count)
        picture[ys, xs] = np.where(rng.random(count) < 0.5, 0, 255).astype(np.uint8)[:, None]
    return picture
