"""Suit symbols and index letters as masks, cropped to their ink."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.decks.fonts import Font
from datasets.picture_tools import Mask, Rng, crop_to_ink, squeeze
from solver.cards import Suit

_SIZE = 200


@lru_cache(maxsize=64)
def _loaded(path: str, face: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, index=face)


def glyphs(font: Font, text: str, bold: int = 0) -> Mask:
    """A text's ink drawn about 200 px high, `bold` px fatter on each side."""
    drawn = _loaded(font.path, font.face, 260)
    left, top, right, bottom = (int(v) for v in drawn.getbbox(text, stroke_width=bold))
    picture = Image.new("L", (max(1, right - left + 4), max(1, bottom - top + 4)))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), text, fill=255, font=drawn, stroke_width=bold)
    return crop_to_ink(np.asarray(picture, np.float32) / 255)


def pip_shapes(rng: Rng) -> dict[Suit, Mask]:
    """One random family of the four suit symbols, drawn from curves."""
    scale = 4 * _SIZE
    lean = rng.uniform(0.85, 1.15)
    stem_width = rng.uniform(0.03, 0.1)
    stem_foot = rng.uniform(0.12, 0.26)
    stem = (stem_width, stem_foot, rng.uniform(0.3, 0.9))
    heart = _heart(rng)
    draw: dict[Suit, Callable[[NDArray[np.uint8]], None]] = {
        Suit.HEARTS: lambda image: _fill(image, heart),
        Suit.DIAMONDS: lambda image: _fill(image, diamond),
        Suit.SPADES: lambda image: _spade(image, heart, stem),
        Suit.CLUBS: lambda image: _club(image, club, stem),
    }
    power = rng.uniform(0.65, 1.02)
    angle = np.linspace(0, 2 * np.pi, 160, endpoint=False)
    width = rng.uniform(0.62, 0.98)
    diamond = np.stack(
        [
            0.5 + 0.5 * width * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** (2 / power),
            0.5 + 0.5 * np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** (2 / power),
        ],
        axis=1,
    )
    radius = rng.uniform(0.2, 0.26)
    side = rng.uniform(0.9, 1.15) * radius
    # Leaves from far apart to grown into one another, where small print shows hardly more than a spade's outline.
    spread = rng.uniform(0.62, 1.12) * side
    fit = min(1.0, 0.49 / (spread + side))
    club = (radius * fit, side * fit, spread * fit, rng.uniform(0.22, 0.36))
    gain = round(scale * max(0.0, rng.normal(0, 0.02)))
    shapes = {}
    for suit, paint in draw.items():
        image = np.zeros((scale, scale), np.uint8)
        paint(image)
        if gain:  # ink that runs
            around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * gain + 1, 2 * gain + 1))
            image = np.asarray(cv2.dilate(cv2.copyMakeBorder(image, gain, gain, gain, gain, 0), around), np.uint8)
        small = cv2.resize(image, (_SIZE, _SIZE), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        mask = crop_to_ink(small)
        shapes[suit] = squeeze(mask, mask.shape[1] * lean, mask.shape[0])
    return shapes


def font_pips(font: Font) -> dict[Suit, Mask]:
    """The four suit symbols of a font."""
    return {suit: glyphs(font, suit.symbol) for suit in Suit}


def _fill(image: NDArray[np.uint8], points: NDArray[np.float64]) -> None:
    cv2.fillPoly(image, [np.round(points * image.shape[0]).astype(np.int32)], 255)


def _heart(rng: Rng) -> NDArray[np.float64]:
    """A heart in the unit square: two lobes of a power curve that meet in a point below."""
    t = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = -(
        13 * np.cos(t) - rng.uniform(4, 5.5) * np.cos(2 * t) - 2 * np.cos(3 * t) - rng.uniform(0.2, 1.2) * np.cos(4 * t)
    )
    x = np.sign(x) * np.abs(x / 16) ** rng.uniform(0.85, 1.2)
    points = np.stack([x, y], axis=1)
    points -= points.min(axis=0)
    points /= points.max(axis=0)
    points[:, 0] = 0.5 + (points[:, 0] - 0.5) * rng.uniform(0.8, 1.0)
    return points * 0.96 + 0.02


def _stem(image: NDArray[np.uint8], top: float, stem: tuple[float, float, float]) -> None:
    width, foot, bow = stem
    y = np.linspace(0, 1, 30)
    half = width / 2 + (foot - width / 2) * y ** (1 + 2 * bow)
    left = np.stack([0.5 - half, top + (0.98 - top) * y], axis=1)
    right = np.stack([0.5 + half, top + (0.98 - top) * y], axis=1)[::-1]
    _fill(image, np.concatenate([left, right]))


def _spade(image: NDArray[np.uint8], heart: NDArray[np.float64], stem: tuple[float, float, float]) -> None:
    blade = heart.copy()
    blade[:, 1] = (1 - blade[:, 1]) * 0.82
    _fill(image, blade)
    _stem(image, 0.5, stem)


def _club(image: NDArray[np.uint8], club: tuple[float, float, float, float], stem: tuple[float, float, float]) -> None:
    top_radius, side_radius, spread, drop = club
    size = image.shape[0]
    centres = ((0.5, 0.02 + top_radius, top_radius), (0.5 - spread, 0.26 + drop, side_radius))
    for x, y, radius in (*centres, (0.5 + spread, 0.26 + drop, side_radius)):
        cv2.circle(image, (round(x * size), round(y * size)), round(radius * size), 255, -1)
    _fill(image, np.array([[0.46, 0.3], [0.54, 0.3], [0.62, 0.58], [0.38, 0.58]]))
    _stem(image, 0.45, stem)
