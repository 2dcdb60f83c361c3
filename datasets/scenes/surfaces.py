"""Backgrounds: table tops of many materials, drawn or photographed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture_tools import Image, Rng, cache_folder, choose, random_colour, save_array
from datasets.splits import SPLITS, Split, split_of

TEXTURES: Final = {"train": 160, "validation": 30, "test": 50}
"""How many procedural textures each split has."""
_SIDE: Final = 768
_PHOTO_FOLDERS: Final = ("/usr/share/backgrounds",)


@lru_cache(maxsize=128)
def texture(split: Split, number: int) -> Image:
    """A procedural table top as RGB (768, 768, 3), kept on disk once drawn."""
    path = cache_folder() / f"texture-{split}-{number}.npy"
    if not path.exists():
        rng = np.random.default_rng((4001, SPLITS.index(split), number))
        save_array(path, choose(rng, _TEXTURES)(rng))
    array: Image = np.load(path, mmap_mode="r")
    return array


@lru_cache(maxsize=4)
def photos(split: Split) -> tuple[Path, ...]:
    """Photographic backgrounds of a split that this machine has."""
    found = (path for folder in _PHOTO_FOLDERS for path in Path(folder).rglob("*.*"))
    images = (
        path for path in found if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp") and not path.is_symlink()
    )
    return tuple(sorted(path for path in images if split_of("photo", path.name) == split))


@lru_cache(maxsize=64)
def photo(path: Path) -> Image | None:
    """A photographic background, about 1000 px wide, or None where it cannot be read."""
    image = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2)
    if image is None or min(image.shape[:2]) < 200:
        return None
    height, width = image.shape[:2]
    scale = 1000 / max(height, width)
    resized = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(resized[..., ::-1]).astype(np.uint8)


def background(rng: Rng, split: Split, width: int, height: int) -> Image:
    """A random background (height, width, 3): one or two surfaces with an edge between them."""
    image = surface(rng, split, width, height)
    if rng.random() < 0.25:  # the table's edge
        other = surface(rng, split, width, height)
        angle, where = rng.uniform(0, 2 * np.pi), rng.uniform(0.18, 0.5)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        distance = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
        if rng.random() < 0.3:
            distance += 0.1 * np.cos(rng.uniform(1, 6) * (x - y) / width + rng.uniform(0, 6)).astype(np.float32)
        beyond = distance > where
        image[beyond] = other[beyond]
    return image


def surface(rng: Rng, split: Split, width: int, height: int) -> Image:
    """A piece of one random surface (height, width, 3): a plain colour, a photo or a texture."""
    kind = rng.random()
    if kind < 0.1:
        tone = np.array(random_colour(rng, 20, 245), np.float32)
        if rng.random() < 0.5:
            tone = tone * 0.3 + rng.uniform(100, 240) * 0.7
        return np.full((height, width, 3), np.clip(tone, 0, 255), np.uint8)
    files = photos(split)
    whole: Image | None = None
    if kind < 0.22 and files:
        whole = photo(files[int(rng.integers(len(files)))])
    if whole is None:
        whole = texture(split, int(rng.integers(TEXTURES[split])))
    share = rng.uniform(0.35, 1.0)
    side_y, side_x = max(32, int(whole.shape[0] * share)), max(32, int(whole.shape[1] * share))
    y = int(rng.integers(whole.shape[0] - side_y + 1))
    x = int(rng.integers(whole.shape[1] - side_x + 1))
    part = np.asarray(whole[y : y + side_y, x : x + side_x])
    if rng.random() < 0.5:
        part = part.transpose(1, 0, 2)
    image = np.asarray(cv2.resize(np.ascontiguousarray(part), (width, height)), np.uint8)
    if rng.random() < 0.5:
        gain = rng.uniform(0.7, 1.25, 3)
        table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        image = np.asarray(cv2.LUT(image, table[None].reshape(1, 256, 3)), np.uint8)
    return image


def noise_field(rng: Rng, height: int, width: int, cells_y: float, cells_x: float) -> NDArray[np.float32]:
    """Smooth noise about -1..1 with so many cells down and across."""
    shape = (max(2, round(cells_y)) + 1, max(2, round(cells_x)) + 1)
    coarse = rng.standard_normal(shape).astype(np.float32) * 0.5
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _octaves(rng: Rng, cells_y: float, cells_x: float, count: int = 4, fall: float = 0.5) -> NDArray[np.float32]:
    total = np.zeros((_SIDE, _SIDE), np.float32)
    for k in range(count):
        total += fall**k * noise_field(rng, _SIDE, _SIDE, min(cells_y * 2**k, _SIDE), min(cells_x * 2**k, _SIDE))
    return total


def _tinted(value: NDArray[np.float32], dark: NDArray[np.float32], light: NDArray[np.float32]) -> Image:
    mix = np.clip(value, 0, 1)[..., None]
    return np.clip(dark * (1 - mix) + light * mix, 0, 255).astype(np.uint8)


def _two_tones(
    rng: Rng, hue: tuple[float, float], value: tuple[float, float], spread: float
) -> list[NDArray[np.float32]]:
    h, s, v = rng.uniform(*hue), rng.uniform(30, 200), rng.uniform(*value)
    tones = []
    for level in (v * (1 - spread), v):
        pixel = np.array([[[h % 180, s, np.clip(level, 0, 255)]]], np.uint8)
        tones.append(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32))
    return tones


def _wood(rng: Rng) -> Image:
    dark, light = _two_tones(rng, (5, 22), (70, 245), rng.uniform(0.2, 0.55))
    x = np.linspace(0, rng.uniform(3, 22), _SIDE, dtype=np.float32)[None]
    wave = x + rng.uniform(0.3, 1.6) * _octaves(rng, 2, 4, 3)
    grain = 0.5 + 0.35 * np.sin(2 * np.pi * wave) + 0.35 * _octaves(rng, 4, 180, 3, 0.7)
    image = _tinted(grain, dark, light)
    if rng.random() < 0.6:  # boards
        step = int(rng.integers(90, 380))
        for left in range(int(rng.integers(step)), _SIDE, step):
            shade = rng.uniform(0.8, 1.15)
            image[:, left : left + step] = np.clip(image[:, left : left + step] * shade, 0, 255)
            image[:, left : left + int(rng.integers(1, 5))] = image[:, left : left + 4].mean(axis=(0, 1)) * 0.4
    return image


def _felt(rng: Rng) -> Image:
    hue = choose(rng, [(50, 85), (50, 85), (100, 125), (0, 10), (0, 180)])
    dark, light = _two_tones(rng, hue, (35, 190), rng.uniform(0.15, 0.4))
    fibre = rng.standard_normal((_SIDE, _SIDE)).astype(np.float32)
    fibre = np.asarray(cv2.GaussianBlur(fibre, (0, 0), rng.uniform(0.6, 1.6)), np.float32)
    fibre /= fibre.std()
    return _tinted(0.5 + 0.25 * fibre + 0.2 * _octaves(rng, 3, 3), dark, light)


def _cloth(rng: Rng) -> Image:
    dark, light = _two_tones(rng, (0, 180), (30, 245), rng.uniform(0.15, 0.6))
    y, x = np.mgrid[0:_SIDE, 0:_SIDE].astype(np.float32)
    pitch = rng.uniform(3, 9)
    weave = np.sin(2 * np.pi * x / pitch) * np.sin(2 * np.pi * y / pitch)
    folds = _octaves(rng, 3, 2, 3)
    value = 0.5 + 0.2 * weave + 0.35 * folds + 0.1 * rng.standard_normal((_SIDE, _SIDE)).astype(np.float32)
    image = _tinted(value, dark, light)
    if rng.random() < 0.35:  # checked or striped
        period = rng.uniform(40, 160)
        stripe = (np.sin(2 * np.pi * x / period) > 0).astype(np.float32)
        if rng.random() < 0.6:
            stripe = stripe / 2 + (np.sin(2 * np.pi * y / period) > 0) / 2
        other = np.array(random_colour(rng), np.float32)
        image = np.clip(image * (1 - 0.6 * stripe[..., None]) + 0.6 * stripe[..., None] * other, 0, 255).astype(
            np.uint8
        )
    return image


def _carpet(rng: Rng) -> Image:
    dark, light = _two_tones(rng, (0, 180) if rng.random() < 0.4 else (8, 25), (60, 235), rng.uniform(0.4, 0.8))
    value = 0.5 + 0.5 * _octaves(rng, rng.uniform(50, 140), rng.uniform(50, 140), 3, 0.7)
    return _tinted(value, dark, light)


def _stone(rng: Rng) -> Image:
    dark, light = _two_tones(rng, (0, 180), (60, 250), rng.uniform(0.2, 0.7))
    vein = np.abs(_octaves(rng, 4, 4, 5, 0.6)) * rng.uniform(1, 3)
    speckle = 0.15 * rng.standard_normal((_SIDE, _SIDE)).astype(np.float32)
    grey = rng.random() < 0.6
    image = _tinted(vein + speckle * (rng.random() < 0.5), dark, light)
    return np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8) if grey else image


def _desk(rng: Rng) -> Image:
    """A smooth light or dark desk with faint stains."""
    level = rng.uniform(150, 250) if rng.random() < 0.7 else rng.uniform(15, 90)
    tone = level * rng.uniform(0.93, 1.03, 3).astype(np.float32)
    value = 1 + 0.06 * _octaves(rng, 3, 3, 5, 0.6) + 0.01 * rng.standard_normal((_SIDE, _SIDE)).astype(np.float32)
    return np.asarray(np.clip(tone * value[..., None], 0, 255), np.uint8)


def _tiles(rng: Rng) -> Image:
    dark, light = _two_tones(rng, (0, 180), (60, 240), rng.uniform(0.1, 0.5))
    image = _tinted(0.5 + 0.4 * _octaves(rng, 6, 6), dark, light)
    step, gap = int(rng.integers(60, 260)), int(rng.integers(2, 8))
    joint = np.array(random_colour(rng, 40, 220), np.float32)
    for start in range(0, _SIDE, step):
        image[start : start + gap] = joint
        image[:, start : start + gap] = joint
    return image


_TEXTURES: Final = (_wood, _wood, _wood, _felt, _felt, _cloth, _cloth, _carpet, _stone, _desk, _desk, _tiles)
