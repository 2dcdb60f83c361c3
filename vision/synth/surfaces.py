"""Backgrounds and stray objects: table tops of many materials, papers with print, keyboards, cups, hands."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from solver.files import whole_file
from vision.synth.backs import random_colour
from vision.synth.fonts import fonts
from vision.synth.pips import glyphs, squeeze
from vision.synth.splits import SPLITS, Split, split_of

Image = NDArray[np.uint8]
Rng = np.random.Generator

TEXTURES: Final = {"train": 160, "validation": 30, "test": 50}
"""How many procedural textures each split has."""
_SIDE: Final = 768
_PHOTO_FOLDERS: Final = ("/usr/share/backgrounds",)


def cache_folder() -> Path:
    """Where rasterised decks and textures are kept: `$SYNTH_CACHE`, else `out/synth-cache` in the current folder."""
    folder = Path(os.environ.get("SYNTH_CACHE", "out/synth-cache"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def save_array(path: Path, array: NDArray[np.uint8]) -> None:
    """Writes an array so that no reader, in this process or another, ever sees half of it."""
    with whole_file(path) as part, part.open("wb") as file:
        np.save(file, array)


@lru_cache(maxsize=128)
def texture(split: Split, number: int) -> Image:
    """A procedural table top as RGB (768, 768, 3), kept on disk once drawn."""
    path = cache_folder() / f"texture-{split}-{number}.npy"
    if not path.exists():
        rng = np.random.default_rng((4001, SPLITS.index(split), number))
        save_array(path, _TEXTURES[int(rng.integers(len(_TEXTURES)))](rng))
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
    image = _surface(rng, split, width, height)
    if rng.random() < 0.25:  # the table's edge
        other = _surface(rng, split, width, height)
        angle, where = rng.uniform(0, 2 * np.pi), rng.uniform(0.18, 0.5)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        distance = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
        if rng.random() < 0.3:
            distance += 0.1 * np.cos(rng.uniform(1, 6) * (x - y) / width + rng.uniform(0, 6)).astype(np.float32)
        beyond = distance > where
        image[beyond] = other[beyond]
    return image


def _surface(rng: Rng, split: Split, width: int, height: int) -> Image:
    kind = rng.random()
    if kind < 0.1:
        tone = np.array(random_colour(rng, 20, 245), np.float32)
        if rng.random() < 0.5:
            tone = tone * 0.3 + rng.uniform(100, 240) * 0.7
        image = np.empty((height, width, 3), np.uint8)
        image[:] = np.clip(tone, 0, 255)
        return image
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
    hue = [(50, 85), (50, 85), (100, 125), (0, 10), (0, 180)][int(rng.integers(5))]
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


# Stray objects: each gives an RGB picture and its mask (0..255), to be laid under or over the cards.


def stray_object(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A random object, `size` px in its longer direction, and its mask in 0..255.

    Half of those to train on come from a second list, so that scenes of validation and test stay what they were.
    """
    draw = _OBJECTS[int(rng.integers(len(_OBJECTS)))]
    if split == "train" and rng.random() < 0.5:
        draw = _MORE_OBJECTS[int(rng.integers(len(_MORE_OBJECTS)))]
    return draw(rng, split, size)


def hand(rng: Rng, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A hand that reaches in from the left side of its picture, fingers to the right."""
    mask = np.zeros((size, size), np.uint8)
    base = (int(size * 0.38), size // 2)
    cv2.ellipse(mask, base, (int(size * 0.22), int(size * 0.19)), 0, 0, 360, 255, -1)
    cv2.line(mask, (0, size // 2), base, 255, int(size * rng.uniform(0.22, 0.3)))
    for k, spread in enumerate((-0.55, -0.2, 0.1, 0.4)):
        angle = spread + rng.uniform(-0.12, 0.12)
        length = size * (0.4, 0.47, 0.44, 0.34)[k] * rng.uniform(0.75, 1)
        start = (int(base[0] + 0.08 * size), int(base[1] + spread * 0.3 * size))
        tip = (int(start[0] + length * np.cos(angle)), int(start[1] + length * np.sin(angle)))
        cv2.line(mask, start, tip, 255, max(2, int(size * 0.075)))
    thumb = (int(base[0] + size * 0.2), int(base[1] + size * 0.33))
    cv2.line(mask, base, thumb, 255, max(2, int(size * 0.09)))
    depth = cv2.GaussianBlur(cv2.erode(mask, np.ones((3, 3), np.uint8)), (0, 0), size * 0.03).astype(np.float32) / 255
    skin = np.array([rng.uniform(140, 240), 0, 0], np.float32)
    skin[1] = skin[0] * rng.uniform(0.66, 0.8)
    skin[2] = skin[1] * rng.uniform(0.7, 0.92)
    shade = (0.55 + 0.5 * depth + 0.05 * noise_field(rng, size, size, 12, 12))[..., None]
    return np.clip(skin * shade, 0, 255).astype(np.uint8), mask


def _page(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A sheet with printed lines: letters and digits that are no indices."""
    height, width = size, int(size * rng.uniform(0.5, 1))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = random_colour(rng, 180, 255) if rng.random() < 0.5 else (245, 244, 240)
    font = fonts(split)[int(rng.integers(len(fonts(split))))]
    ink = np.array(random_colour(rng, 0, 120), np.float32)
    line = max(7, int(size * rng.uniform(0.025, 0.12)))
    for top in range(line, height - 2 * line, int(line * 1.5)):
        text = "".join(rng.choice(list("AJQK1023456789abcdehiknortuDVB  "), size=int(rng.integers(2, 26))))
        if not text.strip():
            continue
        mask = glyphs(font, text)
        small = squeeze(mask, min(width * 0.9, mask.shape[1] * line / mask.shape[0]), line)[..., None]
        left = int(width * 0.05)
        part = image[top : top + small.shape[0], left : left + small.shape[1]]
        part[:] = part * (1 - small[: part.shape[0], : part.shape[1]]) + ink * small[: part.shape[0], : part.shape[1]]
    return image, np.full((height, width), 255, np.uint8)


def _joker(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A joker: a card that is none of the 52, with letters in its corners."""
    height, width = size, round(size / rng.uniform(1.35, 1.6))
    image = np.full((height, width, 3), 248, np.uint8)
    choice = fonts(split)
    font = choice[int(rng.integers(len(choice)))]
    ink = np.array(random_colour(rng, 0, 120), np.float32)
    word = str(rng.choice(["JOKER", "Joker", "★", "JOLLY"]))
    line = max(4, int(height * rng.uniform(0.035, 0.07)))
    for number, char in enumerate(word):
        mask = glyphs(font, char)
        small = squeeze(mask, min(1.6 * line, line * mask.shape[1] / mask.shape[0]), line)[..., None]
        y, x = int(height * 0.05 + number * line * 1.15), int(width * 0.05)
        part = image[y : y + small.shape[0], x : x + small.shape[1]]
        part[:] = part + (ink - part) * small[: part.shape[0], : part.shape[1]]
    top, left = int(height * 0.18), int(width * 0.24)
    for _ in range(int(rng.integers(4, 16))):
        centre = (int(rng.integers(left, width - left)), int(rng.integers(top, height - top)))
        axes = (int(rng.integers(2, max(3, left))), int(rng.integers(2, max(3, left))))
        cv2.ellipse(image, centre, axes, rng.uniform(0, 180), 0, 360, random_colour(rng), -1, cv2.LINE_AA)
    image[height - height // 2 :] = image[: height // 2][::-1, ::-1]
    return image, np.full((height, width), 255, np.uint8)


def _keyboard(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    key = max(12, int(size * rng.uniform(0.07, 0.14)))
    height, width = int(key * rng.integers(2, 6)), size
    body = np.array(random_colour(rng, 10, 230), np.float32)
    keys = np.clip(body + rng.uniform(-60, 60), 0, 255)
    ink = np.full(3, 235.0) if keys.mean() < 120 else np.full(3, 25.0)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = body
    font = fonts(split)[int(rng.integers(len(fonts(split))))]
    letters = [glyphs(font, char) for char in rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890"), size=12)]
    for top in range(0, height - key + 1, key):
        for left in range((top // key * key // 3) % key, width - key, key):
            cv2.rectangle(image, (left + 1, top + 1), (left + key - 3, top + key - 3), keys.tolist(), -1)
            mask = letters[int(rng.integers(len(letters)))]
            tall = max(3, int(key * 0.35))
            small = squeeze(mask, min(key * 0.5, tall * mask.shape[1] / mask.shape[0]), tall)[..., None]
            part = image[top + 3 : top + 3 + small.shape[0], left + 4 : left + 4 + small.shape[1]]
            part[:] = part * (1 - small) + ink * small
    return image, np.full((height, width), 255, np.uint8)


def _cup(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    mask = np.zeros((size, size), np.uint8)
    centre = (size // 2, size // 2)
    cv2.circle(mask, centre, size // 2 - 1, 255, -1, cv2.LINE_AA)
    image = np.empty((size, size, 3), np.uint8)
    image[:] = random_colour(rng)
    for share, low, high in ((0.46, 80, 255), (0.4, 20, 255), (0.36, 10, 160), (0.2, 10, 160)):
        if rng.random() < 0.7:
            cv2.circle(image, centre, int(size * share), random_colour(rng, low, high), -1, cv2.LINE_AA)
    return image, mask


def _box(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A phone, wallet, coaster or box: a rounded rectangle, plain or with a pattern or a picture on it."""
    height, width = size, max(8, int(size * rng.uniform(0.15, 0.95)))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = random_colour(rng, 5, 245)
    if rng.random() < 0.5:
        inner = _surface(rng, split, max(4, width - 8), max(4, height - 8))
        image[4 : 4 + inner.shape[0], 4 : 4 + inner.shape[1]] = inner
    mask = np.zeros((height, width), np.uint8)
    radius = int(min(height, width) * rng.uniform(0.02, 0.25))
    cv2.rectangle(mask, (radius, radius), (width - radius - 1, height - radius - 1), 255, -1)
    if radius:
        round_off = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
        mask = np.asarray(cv2.dilate(mask, round_off), np.uint8)
    return image, mask


def _pen(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    height = max(4, int(size * rng.uniform(0.03, 0.08)))
    shade = (0.5 + 0.5 * np.sin(np.linspace(0.3, np.pi, height, dtype=np.float32)))[:, None, None]
    image = np.clip(np.array(random_colour(rng), np.float32) * shade, 0, 255) * np.ones((1, size, 1), np.float32)
    return image.astype(np.uint8), np.full((height, size), 255, np.uint8)


def _lit_keyboard(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """Dark keys whose letters shine in changing colours, as if an index stood on each."""
    key = max(10, int(size * rng.uniform(0.06, 0.13)))
    height, width = int(key * rng.integers(3, 7)), size
    body = rng.uniform(5, 45)
    light = np.zeros((height, width, 3), np.float32)
    image = np.full((height, width, 3), body, np.float32)
    font = fonts(split)[int(rng.integers(len(fonts(split))))]
    signs = [glyphs(font, char) for char in rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890"), size=14)]
    hue, change, two = rng.uniform(0, 180), rng.uniform(-60, 60), rng.random() < 0.4
    for top in range(0, height - key + 1, key):
        for left in range((top // key * key // 3) % key, width - key, key):
            cv2.rectangle(
                image, (left + 2, top + 2), (left + key - 3, top + key - 3), [body * rng.uniform(0.5, 1.8)] * 3, -1
            )
            colour = cv2.cvtColor(
                np.array([[[(hue + change * left / width) % 180, 200, 255]]], np.uint8), cv2.COLOR_HSV2RGB
            )[0, 0]
            tall = max(3, int(key * rng.uniform(0.25, 0.42)))
            for row in range(1 + int(two and rng.random() < 0.5)):  # a second sign below the first
                mask = signs[int(rng.integers(len(signs)))]
                small = squeeze(mask, min(key * 0.5, tall * mask.shape[1] / mask.shape[0]), tall)[..., None]
                y, x = top + 3 + row * (tall + 2), left + key // 4
                part = light[y : min(y + tall, top + key), x : x + small.shape[1]]
                part[:] = np.maximum(part, colour * small[: part.shape[0], : part.shape[1]])
    glow = cv2.GaussianBlur(light, (0, 0), key * rng.uniform(0.08, 0.3))
    shining = image + light * rng.uniform(0.4, 1.0) + glow * rng.uniform(0.3, 1.5)
    return np.clip(shining, 0, 255).astype(np.uint8), np.full((height, width), 255, np.uint8)


def _screen(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A phone's or a monitor's screen: tiles with signs in them on a plain or a pictured ground."""
    height, width = size, int(size * rng.uniform(0.45, 0.8))
    if rng.random() < 0.5:
        width = round(size * rng.uniform(1.3, 1.8))
        height, width = round(height * size / width), size
    image = np.empty((height, width, 3), np.uint8)
    image[:] = random_colour(rng, 0, 60) if rng.random() < 0.5 else random_colour(rng, 160, 255)
    if rng.random() < 0.4:
        inner = _surface(rng, split, width, height)
        image[: inner.shape[0], : inner.shape[1]] = inner[:height, :width]
    choice = fonts(split)
    tile = max(8, int(min(height, width) * rng.uniform(0.08, 0.25)))
    for top in range(tile // 3, height - tile, round(tile * 1.6)):
        for left in range(tile // 3, width - tile, round(tile * 1.5)):
            if rng.random() < 0.25:
                continue
            ground, ink = (
                random_colour(rng),
                np.array(random_colour(rng, *((200, 255) if rng.random() < 0.6 else (0, 60)))),
            )
            if rng.random() < 0.7:
                cv2.rectangle(image, (left, top), (left + tile, top + tile), ground, -1)
            text = "".join(rng.choice(list("AKQJ1023456789abgtx♠♥♦♣◆●▲"), size=int(rng.integers(1, 3))))
            mask = glyphs(choice[int(rng.integers(len(choice)))], text)
            tall = max(4, int(tile * rng.uniform(0.3, 0.8)))
            small = squeeze(mask, min(0.9 * tile, tall * mask.shape[1] / mask.shape[0]), tall)[..., None]
            part = image[top + 2 : top + 2 + tall, left + tile // 5 : left + tile // 5 + small.shape[1]]
            small = small[: part.shape[0], : part.shape[1]]
            part[:] = part * (1 - small) + ink * small
    return image, np.full((height, width), 255, np.uint8)


@lru_cache(maxsize=1)
def _pictured() -> tuple[Path, ...]:
    """Photographed things of Debian's `tuxpaint-stamps-default`, each cut out; none where it is not installed."""
    root = Path("/usr/share/tuxpaint/stamps")
    kinds = ("food", "household", "hobbies", "medical", "clothes", "plants", "animals", "vehicles", "symbols")
    return tuple(sorted(path for kind in kinds for path in (root / kind).rglob("*.png") if "_mirror" not in path.name))


def _thing(rng: Rng, split: Split, size: int) -> tuple[Image, NDArray[np.uint8]]:
    """A photographed thing, or a page where none is installed."""
    paths = _pictured()
    number = int(rng.integers(1 << 30))
    picture = cv2.imread(str(paths[number % len(paths)]), cv2.IMREAD_UNCHANGED) if paths else None
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        return _page(rng, split, size)
    factor = size / max(picture.shape[:2])
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    scaled = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how)
    return np.ascontiguousarray(scaled[..., 2::-1]).astype(np.uint8), np.ascontiguousarray(scaled[..., 3]).astype(
        np.uint8
    )


_OBJECTS: Final = (_page, _page, _joker, _keyboard, _cup, _box, _box, _pen)
_MORE_OBJECTS: Final = (_lit_keyboard, _screen, _joker, _thing, _thing, _thing)
