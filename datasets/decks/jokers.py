"""Jokers: cards that are none of the 52, with a word, a sign or both where the others have their index.

Nothing on them is an index, whatever it looks like. They come from card packages or are drawn from fonts.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from datasets.decks.fonts import Font, fonts, symbol_fonts
from datasets.decks.package_decks import package_jokers
from datasets.decks.symbol_masks import glyphs
from datasets.picture_tools import Image, Mask, Rng, choose, random_colour, squeeze
from datasets.splits import Split

_LATIN_WORDS: Final = ("JOKER", "JOKER", "Joker", "JOLLY", "JKR")
_WORDS: Final = (*_LATIN_WORDS, "ДЖОКЕР", "Джокер")
_SIGNS: Final = "★☆✪✯♔♛♕☺☻✿❀☼☀☾⚜♞●◉◎♫†✠"
_PACKAGED: Final = 0.5
"""Share of jokers that come from a package, where any is installed."""


def joker_face(rng: Rng, split: Split, width: int, aspect: float) -> Image:
    """A joker as RGB (round(width * aspect), width, 3).

    Args:
        rng: Random generator.
        split: Whose packages and fonts are used.
        width: Width of the card, px.
        aspect: Height over width of the deck's cards.
    """
    height = round(width * aspect)
    packaged = package_jokers(split)
    if packaged and rng.random() < _PACKAGED:
        picture = choose(rng, packaged)
        return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return _drawn(rng, split, width, height)


def _drawn(rng: Rng, split: Split, width: int, height: int) -> Image:
    paper = (250, 249, 246) if rng.random() < 0.85 else random_colour(rng, 190, 255)
    image = np.full((height, width, 3), paper, np.uint8)
    ink = (20, 20, 24) if rng.random() < 0.4 else (205, 25, 35) if rng.random() < 0.6 else random_colour(rng, 0, 190)
    top, left = int(height * rng.uniform(0.14, 0.3)), int(width * rng.uniform(0.18, 0.3))
    for _ in range(int(rng.integers(0, 16))):
        centre = (int(rng.integers(left, width - left)), int(rng.integers(top, height - top)))
        axes = (int(rng.integers(1, max(2, left))), int(rng.integers(1, max(2, left))))
        cv2.ellipse(image, centre, axes, rng.uniform(0, 180), 0, 360, random_colour(rng), -1, cv2.LINE_AA)
    font = choose(rng, fonts(split))
    corner = _corner_mask(rng, split, font, width)
    whole = np.zeros((height, width), np.float32)
    edge = round(width * rng.uniform(0.02, 0.07)), round(width * rng.uniform(0.03, 0.08))
    part = corner[: height - edge[1], : width - edge[0]]
    whole[edge[1] : edge[1] + part.shape[0], edge[0] : edge[0] + part.shape[1]] = part
    if rng.random() < 0.2:  # in both upper corners
        right = width - edge[0] - part.shape[1]
        whole[edge[1] : edge[1] + part.shape[0], right : right + part.shape[1]] = part
    whole = np.maximum(whole, whole[::-1, ::-1])[..., None]
    return np.asarray(image + (np.asarray(ink, np.float32) - image) * whole, np.uint8)


def _corner_mask(rng: Rng, split: Split, font: Font, width: int) -> Mask:
    """What stands in a joker's corner: a word down or across the card, a sign, or a sign with a word."""
    letter = round(width * rng.uniform(0.08, 0.2))
    word = str(rng.choice(_WORDS if font.cyrillic else _LATIN_WORDS))
    sign = _sign(rng, split, round(letter * rng.uniform(0.9, 1.6)))
    kind = int(rng.choice(6, p=[0.3, 0.12, 0.12, 0.2, 0.16, 0.1]))
    if kind == 3:
        return sign
    if kind in (1, 2):
        line = _fitted(glyphs(font, word), letter, 0.7 * width)
        return line if kind == 1 else np.ascontiguousarray(np.rot90(line, int(rng.choice([1, 3]))))
    letters = [_fitted(glyphs(font, char), letter, 1.4 * letter) for char in (word if kind != 5 else word[0])]
    down = _stacked(letters, round(letter * rng.uniform(0.08, 0.3)))
    if kind == 0:
        return down
    order = [sign, down] if rng.random() < 0.5 else [down, sign]
    return _stacked(order, round(letter * 0.2))


def _sign(rng: Rng, split: Split, size: int) -> Mask:
    """A sign of a font with symbols or a drawn star, now and then cut out of a disc."""
    symbols = symbol_fonts(split)
    if not symbols or rng.random() < 0.5:
        mask = _star(size, int(rng.choice([5, 5, 5, 6, 8])), rng.uniform(0.35, 0.6))
    else:
        font = choose(rng, symbols)
        mask = _fitted(glyphs(font, str(rng.choice(list(_SIGNS)))), size, 1.4 * size)
    if rng.random() < 0.3:
        side = round(1.5 * max(mask.shape))
        disc = np.zeros((side, side), np.float32)
        cv2.circle(disc, (side // 2, side // 2), side // 2 - 1, 1.0, -1, cv2.LINE_AA)
        y, x = (side - mask.shape[0]) // 2, (side - mask.shape[1]) // 2
        disc[y : y + mask.shape[0], x : x + mask.shape[1]] -= mask
        return disc.clip(0, 1)
    return mask


def _star(size: int, points: int, inner: float) -> Mask:
    """A star, `size` px wide and high; `inner` is where its edges meet, as a share of its points' distance."""
    angles = np.pi * np.arange(2 * points) / points - np.pi / 2
    radii = np.where(np.arange(2 * points) % 2, inner, 1.0)[:, None]
    corners = 8 * size * (1 + radii * np.stack([np.cos(angles), np.sin(angles)], 1)) / 2
    large = np.zeros((8 * size, 8 * size), np.uint8)
    cv2.fillPoly(large, [corners.astype(np.int32)], 255)
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.float32) / 255


def _fitted(mask: Mask, height: float, most: float) -> Mask:
    """A mask `height` px high, no wider than `most`."""
    return squeeze(mask, max(2, round(min(most, mask.shape[1] * height / mask.shape[0]))), max(2, round(height)))


def _stacked(masks: list[Mask], gap: int) -> Mask:
    """Masks below one another, each in the middle of the widest."""
    wide = max(mask.shape[1] for mask in masks)
    rows = []
    for mask in masks:
        left = (wide - mask.shape[1]) // 2
        rows += [np.pad(mask, ((0, gap), (left, wide - mask.shape[1] - left)))]
    return np.concatenate(rows)
