"""Stray objects, to be laid under or over the cards: papers with print, keyboards, screens, cups, things, hands.

Each is drawn as an RGB picture and its mask in 0..255.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.fonts import fonts
from datasets.decks.symbol_masks import glyphs
from datasets.picture_tools import Image, Rng, choose, from_hsv, print_mask, random_colour, squeeze_to_line
from datasets.scenes.surfaces import noise_field, surface
from datasets.splits import Split

Thing = tuple[Image, NDArray[np.uint8]]
"""A picture and its mask in 0..255."""


def stray_object(rng: Rng, split: Split, size: int) -> Thing:
    """A random object, `size` px in its longer direction, and its mask in 0..255.

    Half of those to train on come from a second list, so that scenes of validation and test stay what they were.
    """
    draw = choose(rng, _OBJECTS)
    if split == "train" and rng.random() < 0.5:
        draw = choose(rng, _MORE_OBJECTS)
    return draw(rng, split, size)


def hand(rng: Rng, size: int) -> Thing:
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


def _page(rng: Rng, split: Split, size: int) -> Thing:
    """A sheet with printed lines: letters and digits that are no indices."""
    height, width = size, int(size * rng.uniform(0.5, 1))
    ground = random_colour(rng, 180, 255) if rng.random() < 0.5 else (245, 244, 240)
    image = np.full((height, width, 3), ground, np.uint8)
    font = choose(rng, fonts(split))
    ink = np.array(random_colour(rng, 0, 120), np.float32)
    line = max(7, int(size * rng.uniform(0.025, 0.12)))
    for top in range(line, height - 2 * line, int(line * 1.5)):
        text = "".join(rng.choice(list("AJQK1023456789abcdehiknortuDVB  "), size=int(rng.integers(2, 26))))
        if not text.strip():
            continue
        print_mask(image, squeeze_to_line(glyphs(font, text), line, width * 0.9), int(width * 0.05), top, ink)
    return image, np.full((height, width), 255, np.uint8)


def _joker(rng: Rng, split: Split, size: int) -> Thing:
    """A joker: a card that is none of the 52, with letters in its corners."""
    height, width = size, round(size / rng.uniform(1.35, 1.6))
    image = np.full((height, width, 3), 248, np.uint8)
    font = choose(rng, fonts(split))
    ink = np.array(random_colour(rng, 0, 120), np.float32)
    word = str(rng.choice(["JOKER", "Joker", "★", "JOLLY"]))
    line = max(4, int(height * rng.uniform(0.035, 0.07)))
    for number, char in enumerate(word):
        sign = squeeze_to_line(glyphs(font, char), line, 1.6 * line)
        print_mask(image, sign, int(width * 0.05), int(height * 0.05 + number * line * 1.15), ink)
    top, left = int(height * 0.18), int(width * 0.24)
    for _ in range(int(rng.integers(4, 16))):
        centre = (int(rng.integers(left, width - left)), int(rng.integers(top, height - top)))
        axes = (int(rng.integers(2, max(3, left))), int(rng.integers(2, max(3, left))))
        cv2.ellipse(image, centre, axes, rng.uniform(0, 180), 0, 360, random_colour(rng), -1, cv2.LINE_AA)
    image[height - height // 2 :] = image[: height // 2][::-1, ::-1]
    return image, np.full((height, width), 255, np.uint8)


def _keyboard(rng: Rng, split: Split, size: int) -> Thing:
    key = max(12, int(size * rng.uniform(0.07, 0.14)))
    height, width = int(key * rng.integers(2, 6)), size
    body = np.array(random_colour(rng, 10, 230), np.float32)
    keys = np.clip(body + rng.uniform(-60, 60), 0, 255)
    ink = np.full(3, 235.0) if keys.mean() < 120 else np.full(3, 25.0)
    image = np.full((height, width, 3), body, np.uint8)
    font = choose(rng, fonts(split))
    letters = [glyphs(font, char) for char in rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890"), size=12)]
    for top in range(0, height - key + 1, key):
        for left in range((top // key * key // 3) % key, width - key, key):
            cv2.rectangle(image, (left + 1, top + 1), (left + key - 3, top + key - 3), keys.tolist(), -1)
            letter = squeeze_to_line(choose(rng, letters), max(3, int(key * 0.35)), key * 0.5)
            print_mask(image, letter, left + 4, top + 3, ink)
    return image, np.full((height, width), 255, np.uint8)


def _cup(rng: Rng, split: Split, size: int) -> Thing:
    mask = np.zeros((size, size), np.uint8)
    centre = (size // 2, size // 2)
    cv2.circle(mask, centre, size // 2 - 1, 255, -1, cv2.LINE_AA)
    image = np.full((size, size, 3), random_colour(rng), np.uint8)
    for share, low, high in ((0.46, 80, 255), (0.4, 20, 255), (0.36, 10, 160), (0.2, 10, 160)):
        if rng.random() < 0.7:
            cv2.circle(image, centre, int(size * share), random_colour(rng, low, high), -1, cv2.LINE_AA)
    return image, mask


def _box(rng: Rng, split: Split, size: int) -> Thing:
    """A phone, wallet, coaster or box: a rounded rectangle, plain or with a pattern or a picture on it."""
    height, width = size, max(8, int(size * rng.uniform(0.15, 0.95)))
    image = np.full((height, width, 3), random_colour(rng, 5, 245), np.uint8)
    if rng.random() < 0.5:
        inner = surface(rng, split, max(4, width - 8), max(4, height - 8))
        image[4 : 4 + inner.shape[0], 4 : 4 + inner.shape[1]] = inner
    mask = np.zeros((height, width), np.uint8)
    radius = int(min(height, width) * rng.uniform(0.02, 0.25))
    cv2.rectangle(mask, (radius, radius), (width - radius - 1, height - radius - 1), 255, -1)
    if radius:
        round_off = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
        mask = np.asarray(cv2.dilate(mask, round_off), np.uint8)
    return image, mask


def _pen(rng: Rng, split: Split, size: int) -> Thing:
    height = max(4, int(size * rng.uniform(0.03, 0.08)))
    shade = (0.5 + 0.5 * np.sin(np.linspace(0.3, np.pi, height, dtype=np.float32)))[:, None, None]
    image = np.clip(np.array(random_colour(rng), np.float32) * shade, 0, 255) * np.ones((1, size, 1), np.float32)
    return image.astype(np.uint8), np.full((height, size), 255, np.uint8)


def _lit_keyboard(rng: Rng, split: Split, size: int) -> Thing:
    """Dark keys whose letters shine in changing colours, as if an index stood on each."""
    key = max(10, int(size * rng.uniform(0.06, 0.13)))
    height, width = int(key * rng.integers(3, 7)), size
    body = rng.uniform(5, 45)
    light = np.zeros((height, width, 3), np.float32)
    image = np.full((height, width, 3), body, np.float32)
    font = choose(rng, fonts(split))
    signs = [glyphs(font, char) for char in rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890"), size=14)]
    hue, change, two = rng.uniform(0, 180), rng.uniform(-60, 60), rng.random() < 0.4
    for top in range(0, height - key + 1, key):
        for left in range((top // key * key // 3) % key, width - key, key):
            grey = [body * rng.uniform(0.5, 1.8)] * 3
            cv2.rectangle(image, (left + 2, top + 2), (left + key - 3, top + key - 3), grey, -1)
            colour = np.array(from_hsv((hue + change * left / width) % 180, 200, 255), np.uint8)
            tall = max(3, int(key * rng.uniform(0.25, 0.42)))
            for row in range(1 + int(two and rng.random() < 0.5)):  # a second sign below the first
                small = squeeze_to_line(choose(rng, signs), tall, key * 0.5)[..., None]
                y, x = top + 3 + row * (tall + 2), left + key // 4
                part = light[y : min(y + tall, top + key), x : x + small.shape[1]]
                part[:] = np.maximum(part, colour * small[: part.shape[0], : part.shape[1]])
    glow = cv2.GaussianBlur(light, (0, 0), key * rng.uniform(0.08, 0.3))
    shining = image + light * rng.uniform(0.4, 1.0) + glow * rng.uniform(0.3, 1.5)
    return np.clip(shining, 0, 255).astype(np.uint8), np.full((height, width), 255, np.uint8)


def _screen(rng: Rng, split: Split, size: int) -> Thing:
    """A phone's or a monitor's screen: tiles with signs in them on a plain or a pictured ground."""
    height, width = size, int(size * rng.uniform(0.45, 0.8))
    if rng.random() < 0.5:
        width = round(size * rng.uniform(1.3, 1.8))
        height, width = round(height * size / width), size
    ground = random_colour(rng, 0, 60) if rng.random() < 0.5 else random_colour(rng, 160, 255)
    image = np.full((height, width, 3), ground, np.uint8)
    if rng.random() < 0.4:
        inner = surface(rng, split, width, height)
        image[: inner.shape[0], : inner.shape[1]] = inner[:height, :width]
    tile = max(8, int(min(height, width) * rng.uniform(0.08, 0.25)))
    for top in range(tile // 3, height - tile, round(tile * 1.6)):
        for left in range(tile // 3, width - tile, round(tile * 1.5)):
            if rng.random() < 0.25:
                continue
            ground, ink = random_colour(rng), random_colour(rng, *((200, 255) if rng.random() < 0.6 else (0, 60)))
            if rng.random() < 0.7:
                cv2.rectangle(image, (left, top), (left + tile, top + tile), ground, -1)
            text = "".join(rng.choice(list("AKQJ1023456789abgtx♠♥♦♣◆●▲"), size=int(rng.integers(1, 3))))
            mask = glyphs(choose(rng, fonts(split)), text)
            sign = squeeze_to_line(mask, max(4, int(tile * rng.uniform(0.3, 0.8))), 0.9 * tile)
            print_mask(image, sign, left + tile // 5, top + 2, ink)
    return image, np.full((height, width), 255, np.uint8)


@lru_cache(maxsize=1)
def _pictured() -> tuple[Path, ...]:
    """Photographed things of Debian's `tuxpaint-stamps-default`, each cut out; none where it is not installed."""
    root = Path("/usr/share/tuxpaint/stamps")
    kinds = ("food", "household", "hobbies", "medical", "clothes", "plants", "animals", "vehicles", "symbols")
    return tuple(sorted(path for kind in kinds for path in (root / kind).rglob("*.png") if "_mirror" not in path.name))


def _thing(rng: Rng, split: Split, size: int) -> Thing:
    """A photographed thing, or a page where none is installed."""
    paths = _pictured()
    number = int(rng.integers(1 << 30))
    picture = cv2.imread(str(paths[number % len(paths)]), cv2.IMREAD_UNCHANGED) if paths else None
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        return _page(rng, split, size)
    factor = size / max(picture.shape[:2])
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    scaled = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how)
    colours, cover = (np.ascontiguousarray(part) for part in (scaled[..., 2::-1], scaled[..., 3]))
    return colours.astype(np.uint8), cover.astype(np.uint8)


_OBJECTS: Final = (_page, _page, _joker, _keyboard, _cup, _box, _box, _pen)
_MORE_OBJECTS: Final = (_lit_keyboard, _screen, _joker, _thing, _thing, _thing)
