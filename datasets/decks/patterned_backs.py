"""Card backs: seeded patterns, drawn at the size asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.picture_tools import Image, Rng, choose, random_colour


def draw_back(seed: int, width: int, height: int, frames: int = 0) -> Image:
    """A card back as an RGB image; the same seed gives the same pattern at any size.

    Args:
        seed: Of the pattern, its colours and its border.
        width: Of the image, px.
        height: Of the image, px.
        frames: How many lines run round the pattern, one inside the other.
    """
    rng = np.random.default_rng((8011, seed))
    u, v = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / width)
    u = np.abs(u - 0.5)  # mirrored, as most backs are
    v = np.abs(v - height / width / 2)
    pattern = choose(rng, _PATTERNS)(rng, u.astype(np.float32), v.astype(np.float32))
    if rng.random() < 0.35:
        other = choose(rng, _PATTERNS)(rng, u.astype(np.float32), v.astype(np.float32))
        inside = (u / rng.uniform(0.1, 0.35)) ** 2 + (v / rng.uniform(0.15, 0.5)) ** 2 < 1
        pattern = np.where(inside, other, pattern)
    dark = np.array(random_colour(rng, 20, 170), np.float32)
    paper = rng.uniform(225, 255)
    light = np.array([paper, paper, paper * rng.uniform(0.9, 1)], np.float32)
    if rng.random() < 0.25:
        light = np.array(random_colour(rng, 60, 255), np.float32)
    if rng.random() < 0.08:
        dark, light = np.array([18, 18, 20], np.float32), np.array([45, 45, 48], np.float32)
    picture = dark + (light - dark) * pattern[..., None]
    border = rng.choice([0, 0.02, 0.05, 0.08, 0.1])
    edge = np.minimum(0.5 - u, height / width / 2 - v)
    if border:
        picture[edge < border] = light if rng.random() < 0.8 else dark
        if rng.random() < 0.5:
            picture[(edge > border + 0.015) & (edge < border + 0.03)] = light
    if frames:
        start, step = rng.uniform(0.03, 0.08), rng.uniform(0.03, 0.07)
        inside = (edge > start) & (edge < start + frames * step)
        picture[inside] = light
        picture[inside & (np.mod(edge - start, step) < step * rng.uniform(0.35, 0.7))] = dark
    return np.clip(picture, 0, 255).astype(np.uint8)


Field = NDArray[np.floating[Any]]


def _soft(wave: Field, edge: float) -> Field:
    """A wave in -1..1 turned into stripes with edges of some softness."""
    return np.asarray(np.clip(wave / edge * 0.5 + 0.5, 0, 1), np.float32)


def _lattice(rng: Rng, u: Field, v: Field) -> Field:
    count, slope, thin = rng.uniform(6, 26), rng.uniform(0.5, 1.6), rng.uniform(0.05, 0.6)
    first = np.abs(np.sin(np.pi * count * (u + slope * v)))
    second = np.abs(np.sin(np.pi * count * (u - slope * v)))
    return 1 - _soft(np.minimum(first, second) - thin, 0.3)


def _checks(rng: Rng, u: Field, v: Field) -> Field:
    count = rng.uniform(5, 24)
    return _soft(np.sin(np.pi * count * u) * np.sin(np.pi * count * v * rng.uniform(0.6, 1.4)), rng.uniform(0.1, 0.6))


def _dots(rng: Rng, u: Field, v: Field) -> Field:
    count = rng.uniform(6, 22)
    return _soft(np.cos(2 * np.pi * count * u) + np.cos(2 * np.pi * count * v) - rng.uniform(-0.6, 1.2), 0.3)


def _rings(rng: Rng, u: Field, v: Field) -> Field:
    radius = np.sqrt(u**2 + (v * rng.uniform(0.6, 1.1)) ** 2)
    angle = np.arctan2(v, u)
    wave = np.sin(2 * np.pi * rng.uniform(4, 16) * radius + rng.uniform(0, 4) * np.sin(rng.integers(2, 9) * angle))
    return _soft(wave - rng.uniform(-0.4, 0.4), 0.3)


def _petals(rng: Rng, u: Field, v: Field) -> Field:
    total = np.zeros_like(u)
    for _ in range(int(rng.integers(3, 6))):
        kx, ky = rng.uniform(2, 14, 2)
        total += np.cos(2 * np.pi * (kx * u) + rng.uniform(0, 6)) * np.cos(2 * np.pi * ky * v + rng.uniform(0, 6))
    return _soft(np.sin(rng.uniform(2, 6) * total), 0.35)


def _stripes(rng: Rng, u: Field, v: Field) -> Field:
    angle = rng.uniform(0, np.pi)
    wave = np.sin(2 * np.pi * rng.uniform(4, 22) * (np.cos(angle) * u + np.sin(angle) * v))
    return _soft(wave - rng.uniform(-0.7, 0.7), 0.3)


def _plain(rng: Rng, u: Field, v: Field) -> Field:
    return np.full_like(u, rng.uniform(0, 0.3)) + 0.2 * u


_PATTERNS = (_lattice, _lattice, _checks, _dots, _rings, _petals, _petals, _stripes, _plain)
