"""Patterns of table cloths, and folds of sheets."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from datasets.picture_tools import Points, Rng

_SIDE: Final = 800
_BANDS: Final = (
    # of a tartan: start, width, colour
    (0, 120, (150, 28, 36)),
    (200, 30, (225, 190, 70)),
    (420, 160, (18, 30, 70)),
    (480, 14, (235, 235, 230)),
    (660, 30, (150, 28, 36)),
)
_PETALS: Final = ((196, 70, 90), (230, 160, 60), (90, 110, 170), (170, 90, 150))
_Array = NDArray[Any]


def cloth_pattern(name: str, rng: Rng) -> Image.Image:
    """A pattern that repeats, 800 x 800 px: `gingham-red`, `linen`, `tartan`, `stripes`, `flowers` or `dots`."""
    y, x = np.mgrid[0:_SIDE, 0:_SIDE]
    match name:
        case "gingham-red":
            art = _gingham(x, y)
        case "linen":
            tone = rng.normal(0, 7, (1, _SIDE)) + rng.normal(0, 7, (_SIDE, 1))
            art = np.array([214, 204, 186.0]) + tone[..., None]
        case "tartan":
            art = _tartan(x, y)
        case "stripes":
            is_blue = (x % 200 < 70) | ((x % 200 > 90) & (x % 200 < 100))
            art = np.where(is_blue[..., None], (120, 148, 190.0), (232, 230, 226.0))
        case _:
            drawn = _flowers(rng) if name == "flowers" else _dots()
            art = np.asarray(drawn.filter(ImageFilter.GaussianBlur(0.8)), float)
    return Image.fromarray(np.clip(art, 0, 255).astype(np.uint8))


def _gingham(x: _Array, y: _Array) -> _Array:
    share = (x // 100 % 2 + y // 100 % 2)[..., None] / 2
    return np.asarray(np.array([240, 236, 228]) * (1 - share) + np.array([188, 32, 40]) * share)


def _tartan(x: _Array, y: _Array) -> _Array:
    art = np.broadcast_to(np.array([28, 66, 52.0]), (_SIDE, _SIDE, 3))
    for axis in (x, y):
        for start, wide, colour in _BANDS:
            stripe = (axis >= start) & (axis < start + wide)
            art = np.where(stripe[..., None], art * 0.45 + np.array(colour) * 0.55, art)
    return art


def _dots() -> Image.Image:
    image = Image.new("RGB", (_SIDE, _SIDE), (206, 214, 222))
    brush = ImageDraw.Draw(image)
    for row in range(8):
        for column in range(8):
            x, y = column * 100 + 50 * (row % 2), row * 100 + 50
            for wrap in (0, _SIDE):
                brush.ellipse((x - 18 + wrap, y - 18, x + 18 + wrap, y + 18), fill=(70, 84, 120))
    return image


def _flowers(rng: Rng) -> Image.Image:
    image = Image.new("RGB", (_SIDE, _SIDE), (238, 232, 216))
    brush = ImageDraw.Draw(image)
    for _ in range(26):
        x, y, r = rng.uniform(60, _SIDE - 60), rng.uniform(60, _SIDE - 60), rng.uniform(14, 30)
        tint = _PETALS[int(rng.integers(4))]
        brush.line((x, y, x + rng.normal(0, 40), y + rng.uniform(20, 55)), fill=(80, 120, 70), width=6)
        for angle in np.arange(6) * np.pi / 3:
            px, py = x + r * np.cos(angle), y + r * np.sin(angle)
            brush.ellipse((px - r * 0.6, py - r * 0.6, px + r * 0.6, py + r * 0.6), fill=tint)
        brush.ellipse((x - r * 0.5, y - r * 0.5, x + r * 0.5, y + r * 0.5), fill=(240, 210, 90))
    return image


def folds(rng: Rng, height: float, xs: Points, ys: Points) -> Points:
    """Heights of a crumpled sheet over a grid, rows by `ys`; all in mm, 0 at its lowest place.

    The same generator gives the same sheet on every grid, but for the height of that place.
    """
    x, y = np.meshgrid(xs, ys)
    total = np.zeros_like(x)
    for _ in range(9):
        angle = rng.uniform(0, np.pi)
        along, across = x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)
        bend = rng.uniform(10, 45) * np.sin(along / rng.uniform(90, 240) + rng.uniform(0, 6))
        distance = (across - rng.uniform(-420, 420) + bend) / rng.uniform(7, 22)
        extent = np.exp(-(((along - rng.uniform(-350, 350)) / rng.uniform(120, 350)) ** 2))
        total += rng.uniform(0.4, 1.0) * np.exp(-(distance**2)) * extent
    for _ in range(4):
        angle, wave = rng.uniform(0, np.pi), rng.uniform(120, 320)
        phase = (x * np.cos(angle) + y * np.sin(angle)) / wave * 2 * np.pi
        total += 0.25 * np.sin(phase + rng.uniform(0, 6))
    heights: Points = height * (total - total.min())
    return heights
