"""Backs with something printed on them: suit symbols, letters, pictures, a logo; backs without a border; dark backs.

None of it is an index, whatever it looks like. A quarter of the families and more is never trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from datasets.decks.fonts import fonts, symbol_fonts
from datasets.decks.patterned_backs import draw_back
from datasets.decks.symbol_masks import font_pips, glyphs, pip_shapes
from datasets.picture_tools import Colour, Image, Mask, Rng, choose, random_colour
from datasets.scenes.stray_objects import stray_object
from datasets.scenes.surfaces import background
from datasets.splits import SPLITS, Split
from solver.cards import Suit

HELD_BACKS: Final = ("pips_large", "digits", "logo")
"""Families that no network is trained on."""


def draw_printed_back(family: str, seed: int, split: Split, width: int, height: int) -> Image:
    """A printed back as an RGB image (height, width, 3); the same seed gives the same back at any size.

    Args:
        family: One of `PRINTED_BACKS`.
        seed: Decides what is printed, where, and in which colours.
        split: Whose fonts and pictures are used.
        width: Of the image, px.
        height: Of the image, px.
    """
    rng = np.random.default_rng((8017, SPLITS.index(split), seed, list(PRINTED_BACKS).index(family)))
    return np.clip(PRINTED_BACKS[family](rng, split, width, height), 0, 255).astype(np.uint8)


def _pips(rng: Rng, split: Split, width: int, height: int) -> Image:
    """One suit's symbol, or several, in rows all over."""
    return _rows(rng, some_pips(rng, split), width, height, float(np.exp(rng.uniform(np.log(4), np.log(13)))))


def _pips_large(rng: Rng, split: Split, width: int, height: int) -> Image:
    """One suit's symbol, or several, few and large, in rows all over."""
    return _rows(rng, some_pips(rng, split), width, height, rng.uniform(1.2, 3.5))


def _pips_scattered(rng: Rng, split: Split, width: int, height: int) -> Image:
    """Suit symbols thrown anywhere, turned any way."""
    marks = some_pips(rng, split)
    ground, inks = ground_and_inks(rng)
    image = np.full((height, width, 3), ground, np.uint8)
    size = float(np.exp(rng.uniform(np.log(0.06), np.log(0.22))))
    for _ in range(int(rng.integers(12, 70))):
        x, y = rng.uniform(0, 1), rng.uniform(0, height / width)
        mark, ink = choose(rng, marks), choose(rng, inks)
        stamp_mark(image, mark, (x, y), size * float(np.exp(rng.normal(0, 0.25))), rng.uniform(0, 2 * np.pi), ink)
    return _bordered(rng, image, ground)


def _letters(rng: Rng, split: Split, width: int, height: int) -> Image:
    """A monogram or a word in rows, upright or slanting."""
    return _rows(rng, [_word(rng, split, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")], width, height, rng.uniform(2, 9))


def _digits(rng: Rng, split: Split, width: int, height: int) -> Image:
    """Numbers in rows."""
    marks = [_word(rng, split, "0123456789") for _ in range(int(rng.integers(1, 4)))]
    return _rows(rng, marks, width, height, rng.uniform(3, 9))


def _logo(rng: Rng, split: Split, width: int, height: int) -> Image:
    """One emblem in the middle, or one at either end."""
    ground, inks = ground_and_inks(rng)
    image = np.full((height, width, 3), ground, np.uint8)
    mark = _word(rng, split, "ABCDEFGHIKLMNOPRSTUVWXYZ") if rng.random() < 0.5 else some_pips(rng, split)[0]
    middle, size, turn = height / width / 2, rng.uniform(0.2, 0.6), rng.choice([0, 0, -np.pi / 2, 0.6])
    if rng.random() < 0.5:
        centre = (round(width / 2), round(height / 2))
        cv2.circle(image, centre, round(width * (size / 2 + 0.1)), inks[-1], max(1, width // 60), cv2.LINE_AA)
    away = rng.choice([0, 0, 0.33])
    stamp_mark(image, mark, (0.5, middle - away), size, turn, inks[0])
    if away:
        stamp_mark(image, mark, (0.5, middle + away), size, turn + np.pi, inks[0])
    return _bordered(rng, image, ground)


def _picture(rng: Rng, split: Split, width: int, height: int) -> Image:
    """A picture that has a top and a bottom: a photo, a drawing, things."""
    side = 360
    image = np.ascontiguousarray(background(rng, split, side, round(side * height / width)))
    for _ in range(int(rng.integers(0, 4))):
        thing, mask = stray_object(rng, split, int(side * rng.uniform(0.3, 0.9)))
        y, x = int(rng.integers(-40, image.shape[0] - 40)), int(rng.integers(-40, side - 40))
        top, left = max(0, -y), max(0, -x)
        part = image[max(0, y) : max(0, y + thing.shape[0]), max(0, x) : max(0, x + thing.shape[1])]
        cut = slice(top, top + part.shape[0]), slice(left, left + part.shape[1])
        alpha = mask[cut][..., None] / np.float32(255)
        part[:] = part * (1 - alpha) + thing[cut] * alpha
    sized = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return _bordered(rng, sized, (245, 244, 240))


def _dark(rng: Rng, split: Split, width: int, height: int) -> Image:
    """Hardly any pattern on black, dark blue, brown or green, to the very edge."""
    base = np.asarray(random_colour(rng, 8, 75), np.float32)
    pattern = draw_back(int(rng.integers(1 << 30)), width, height).astype(np.float32).mean(2, keepdims=True) / 255
    return np.asarray(base + rng.choice([0, 8, 25, 60]) * (pattern - 0.5) + 4, np.float32).clip(0, 255).astype(np.uint8)


def _one_way(rng: Rng, split: Split, width: int, height: int) -> Image:
    """A pattern without any symmetry, to the very edge or with a border."""
    x, y = rng.uniform(0.05, 0.95, 2)
    large = draw_back(int(rng.integers(1 << 30)), 2 * width, 2 * height)
    cut = large[int(y * height) : int(y * height) + height, int(x * width) : int(x * width) + width]
    return _bordered(rng, np.ascontiguousarray(cut), (246, 245, 242))


_Draw = Callable[[Rng, Split, int, int], Image]
PRINTED_BACKS: Final[dict[str, _Draw]] = {
    "pips": _pips,
    "pips_scattered": _pips_scattered,
    "letters": _letters,
    "picture": _picture,
    "dark": _dark,
    "one_way": _one_way,
    "pips_large": _pips_large,
    "digits": _digits,
    "logo": _logo,
}
"""Family of backs to what draws one."""
TRAINED_BACKS: Final = tuple(name for name in PRINTED_BACKS if name not in HELD_BACKS)


def _rows(rng: Rng, marks: Sequence[Mask], width: int, height: int, across: float) -> Image:
    """Marks in rows all over, with a border or without."""
    image, ground = draw_rows(rng, marks, width, height, across)
    return _bordered(rng, image, ground)


def draw_rows(rng: Rng, marks: Sequence[Mask], width: int, height: int, across: float) -> tuple[Image, Colour]:
    """Marks in rows to the very edge, `across` of them side by side, and the ground's colour."""
    ground, inks = ground_and_inks(rng)
    image = np.full((height, width, 3), ground, np.uint8)
    pitch = 1 / across
    size, shift = pitch * rng.uniform(0.4, 0.85), rng.uniform(0, pitch, 2)
    staggered, turn = rng.random() < 0.6, rng.choice([0, 0, 0, np.pi / 2, rng.uniform(-0.8, 0.8)])
    turns = rng.choice(["none", "rows", "half", "quarters"], p=[0.4, 0.2, 0.25, 0.15])
    row_pitch = pitch * rng.uniform(0.8, 1.2)
    for row in range(-1, round(height / width / row_pitch) + 2):
        y = shift[1] + row * row_pitch
        for column in range(-1, round(across) + 2):
            x = shift[0] + (column + 0.5 * (staggered and row % 2)) * pitch
            number = row + column
            extra = {
                "none": 0.0,
                "rows": np.pi * (row % 2),
                "half": np.pi * (y > height / width / 2),
                "quarters": np.pi / 2 * (number % 4),
            }[turns]
            stamp_mark(image, marks[number % len(marks)], (x, y), size, turn + extra, inks[number % len(inks)])
    return image, ground


def stamp_mark(image: Image, mark: Mask, at: tuple[float, float], size: float, turn: float, ink: Colour) -> None:
    """Prints a mark, `size` high, about `at`, both in card widths; what leaves the card is lost."""
    width = image.shape[1]
    factor = size * width / mark.shape[0]
    if factor * max(mark.shape) < 2:
        return
    reach = int(np.ceil(factor * np.hypot(*mark.shape) / 2)) + 1
    x, y = round(at[0] * width), round(at[1] * width)
    x0, y0 = max(0, x - reach), max(0, y - reach)
    x1, y1 = min(width, x + reach), min(image.shape[0], y + reach)
    if x1 <= x0 or y1 <= y0:
        return
    source = mark
    while factor < 0.5 and min(source.shape) > 4:  # a warp takes single pixels
        source = np.asarray(cv2.resize(source, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        factor *= 2
    cos, sin = np.cos(turn) * factor, np.sin(turn) * factor
    about = np.array([[cos, -sin], [sin, cos]])
    target = np.array([at[0] * width - x0, at[1] * width - y0])
    matrix = np.concatenate([about, (target - about @ (np.array(source.shape[::-1]) / 2))[:, None]], 1)
    alpha = cv2.warpAffine(np.asarray(source, np.float32), matrix, (x1 - x0, y1 - y0))[..., None]
    part = image[y0:y1, x0:x1]
    part[:] = part + (np.asarray(ink, np.float32) - part) * alpha


def some_pips(rng: Rng, split: Split) -> list[Mask]:
    """One suit's symbol, or two, or all four."""
    shapes = _pip_family(split, int(rng.integers(60)))
    count = int(rng.choice([1, 2, 4], p=[0.55, 0.15, 0.3]))
    return [shapes[Suit(int(k))] for k in rng.permutation(4)[:count]]


@lru_cache(maxsize=64)
def _pip_family(split: Split, number: int) -> dict[Suit, Mask]:
    rng = np.random.default_rng((8019, number))
    found = symbol_fonts(split)
    return font_pips(found[number % len(found)]) if found and rng.random() < 0.4 else pip_shapes(rng)


def _word(rng: Rng, split: Split, signs: str) -> Mask:
    font = choose(rng, fonts(split))
    count = int(rng.choice([1, 1, 2, 3, 6]))
    return glyphs(font, "".join(signs[int(k)] for k in rng.integers(len(signs), size=count)))


def ground_and_inks(rng: Rng) -> tuple[Colour, list[Colour]]:
    """The ground and one or two inks that stand out from it."""
    white, black = (247, 246, 243), (22, 22, 24)
    kind = rng.random()
    if kind < 0.35:
        ground, inks = random_colour(rng, 30, 170), [white, random_colour(rng, 150, 255)]
    elif kind < 0.75:
        ground, inks = white, [random_colour(rng, 10, 150), black if rng.random() < 0.5 else (200, 25, 35)]
    elif kind < 0.88:
        ground, inks = black, [random_colour(rng, 120, 250), white]
    else:
        ground = random_colour(rng, 60, 220)
        inks = [(int(ground[0] * 0.6), int(ground[1] * 0.6), int(ground[2] * 0.6))]
    return ground, inks[: 1 + int(rng.random() < 0.4)]


def _bordered(rng: Rng, image: Image, ground: Colour) -> Image:
    """The picture to the very edge, or in a white border or one of its ground's colour."""
    kind, wide = rng.random(), rng.uniform(0.03, 0.1)
    if kind < 0.5:
        return image
    edge = max(1, round(wide * image.shape[1]))
    colour = (246, 245, 242) if kind < 0.85 else ground
    height, width = image.shape[:2]
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), colour, 2 * edge - 1)
    return image
