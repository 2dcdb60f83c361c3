"""Backs of one to four layers that nobody has seen: frames in frames, rings, rays, waves, contours.

What counts face-down cards must tell one card from the next whatever is printed on them. A family of backs with a name
is learned by heart; here ground, lines, their steps, inks and places are all drawn by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture_tools import Image, Rng, choose, random_colour

Field = NDArray[np.floating[Any]]
Floats = NDArray[np.float32]

_FINER: Final = 2
"""A back is drawn so many times as large as it is asked for, so that thin lines stay smooth."""
_STEP: Final = (0.02, 0.3)
"""From one line to the next, card widths."""


def draw_layered_back(rng: Rng, width: int, height: int) -> Image:
    """A back as an RGB image (height, width, 3).

    Args:
        rng: Decides what is printed.
        width: Of the image, px.
        height: Of the image, px.
    """
    wide, high = _FINER * width, _FINER * height
    x, y = np.meshgrid((np.arange(wide) + 0.5) / wide - 0.5, (np.arange(high) + 0.5) / wide - high / wide / 2)
    x, y = x.astype(np.float32), y.astype(np.float32)
    picture = choose(rng, _GROUNDS)(rng, x, y)
    for _ in range(int(rng.choice([1, 1, 2, 2, 3, 4]))):
        picture = _with_lines(rng, picture, x, y)
    if rng.random() < 0.5:  # the same from both ends
        half = picture[: high // 2]
        picture = np.concatenate([half, half[::-1, ::-1]])
    if rng.random() < 0.25:
        picture = np.where((_to_edge(x, y) < rng.uniform(0.01, 0.09))[..., None], rng.uniform(215, 255), picture)
    return np.asarray(
        cv2.resize(np.clip(picture, 0, 255).astype(np.uint8), (width, height), None, 0, 0, cv2.INTER_AREA)
    )


def _with_lines(rng: Rng, picture: Floats, x: Field, y: Field) -> Floats:
    """The picture with lines of one kind over all of it, inside or outside an oval or a frame."""
    step, duty = float(np.exp(rng.uniform(*np.log(_STEP)))), rng.uniform(0.08, 0.6)
    place = np.mod(choose(rng, _COURSES)(rng, x, y) / step, 1.0)
    cover = np.clip((duty / 2 - np.abs(place - 0.5)) / rng.uniform(0.02, 0.15) + 0.5, 0, 1)
    if rng.random() < 0.45:
        inside = choose(rng, _PLACES)(rng, x, y)
        cover = cover * (inside if rng.random() < 0.5 else ~inside)
    ink = np.array(random_colour(rng, 5, 255), np.float32)
    if rng.random() < 0.3:  # hardly another colour than the ground
        ink = picture.mean((0, 1)) + rng.normal(0, 22, 3)
    strength = (rng.uniform(0.5, 1) * cover)[..., None]
    return np.asarray(picture + (ink - picture) * strength, np.float32)


def _to_edge(x: Field, y: Field) -> Field:
    """How far each spot is from the card's nearest edge, card widths."""
    return np.asarray(np.minimum(np.float32(0.5) - np.abs(x), -y[0, 0] - np.abs(y)))


def _noise(rng: Rng, shape: tuple[int, int], octaves: int) -> Floats:
    """Clouds of 0 to 1, from broad to fine."""
    total, first = np.zeros(shape, np.float32), int(rng.integers(2, 6))
    for octave in range(octaves):
        few = first * 2**octave
        small = rng.uniform(0, 1, (int(few * shape[0] / shape[1]) + 2, few + 1)).astype(np.float32)
        total += cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC) / 2**octave
    low, high = float(total.min()), float(total.max())
    return np.asarray((total - low) / max(high - low, 1e-6), np.float32)


def _flat(rng: Rng, x: Field, y: Field) -> Floats:
    return np.broadcast_to(np.array(random_colour(rng, 5, 250), np.float32), (*x.shape, 3)).copy()


def _shaded(rng: Rng, x: Field, y: Field) -> Floats:
    """From one colour to another, along a line or from the middle outwards."""
    turn = rng.uniform(0, np.pi)
    way = np.hypot(x, y) * 2 if rng.random() < 0.4 else np.cos(turn) * x + np.sin(turn) * y + 0.5
    first, last = (np.array(random_colour(rng, 5, 250), np.float32) for _ in range(2))
    return np.asarray(first + (last - first) * np.clip(way, 0, 1)[..., None], np.float32)


def _clouds(rng: Rng, x: Field, y: Field) -> Floats:
    """Two to four colours that run into each other, as in a painting or a photo out of focus."""
    octaves = int(rng.integers(1, 6))
    picture = _flat(rng, x, y)
    for _ in range(int(rng.integers(1, 4))):
        amount = _noise(rng, (x.shape[0], x.shape[1]), octaves)[..., None]
        amount = np.clip((amount - 0.5) * rng.uniform(1, 6) + 0.5, 0, 1)
        picture += (np.array(random_colour(rng, 5, 250), np.float32) - picture) * amount
    return picture


def _blocks(rng: Rng, x: Field, y: Field) -> Floats:
    """A plain scene: a few fields of colour, each with an edge that runs straight through the card."""
    picture = _shaded(rng, x, y)
    for _ in range(int(rng.integers(1, 5))):
        turn = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)])
        beyond = np.cos(turn) * x + np.sin(turn) * y > rng.uniform(-0.4, 0.6)
        picture = np.where(beyond[..., None], _shaded(rng, x, y), picture)
    return np.asarray(picture, np.float32)


def _frames(rng: Rng, x: Field, y: Field) -> Field:
    return _to_edge(x, y)


def _rings(rng: Rng, x: Field, y: Field) -> Field:
    power = float(rng.choice([1.0, 2.0, 2.0, 4.0]))
    return np.asarray((np.abs(x) ** power + np.abs(y * rng.uniform(0.6, 1.2)) ** power) ** (1 / power))


def _rays(rng: Rng, x: Field, y: Field) -> Field:
    """Rays or spirals: the steps are card widths at a third of the card's width."""
    return np.asarray(np.arctan2(y, x) / 3 + rng.choice([0.0, 0.0, rng.uniform(-2, 2)]) * np.hypot(x, y))


def _waves(rng: Rng, x: Field, y: Field) -> Field:
    """Straight lines, waves or zigzags in any direction, most often level."""
    turn = rng.choice([0.0, 0.0, 0.0, np.pi / 2, np.pi / 4, rng.uniform(0, np.pi)])
    along, across = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
    swing = np.sin(2 * np.pi * along * rng.uniform(1, 9) + rng.uniform(0, 6))
    if rng.random() < 0.4:
        swing = np.arcsin(np.clip(swing, -1, 1)) / (np.pi / 2)
    return np.asarray(across + rng.choice([0.0, rng.uniform(0, 0.12)]) * swing)


def _petals(rng: Rng, x: Field, y: Field) -> Field:
    """Two waves that cross: lozenges, scales and what engravers turn."""
    first, second = _waves(rng, x, y), _waves(rng, np.abs(x), np.abs(y))
    often = 2 * np.pi * rng.uniform(1, 6)
    return np.asarray(first + 0.15 * np.sin(often * second))


def _contours(rng: Rng, x: Field, y: Field) -> Field:
    """Lines as on a map or in marble."""
    return _noise(rng, (x.shape[0], x.shape[1]), int(rng.integers(1, 4)))


def _oval(rng: Rng, x: Field, y: Field) -> NDArray[np.bool_]:
    return np.asarray((x / rng.uniform(0.12, 0.5)) ** 2 + (y / rng.uniform(0.12, 0.7)) ** 2 < 1)


def _frame(rng: Rng, x: Field, y: Field) -> NDArray[np.bool_]:
    return np.asarray(_to_edge(x, y) > rng.uniform(0.03, 0.3))


_GROUNDS: Final[tuple[Callable[[Rng, Field, Field], Floats], ...]] = (_flat, _flat, _shaded, _clouds, _clouds, _blocks)
_COURSES: Final[tuple[Callable[[Rng, Field, Field], Field], ...]] = (
    *(_frames, _frames, _rings, _rays, _waves, _waves, _petals, _contours),
)
_PLACES: Final[tuple[Callable[[Rng, Field, Field], NDArray[np.bool_]], ...]] = (_oval, _frame)
