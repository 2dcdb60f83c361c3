"""Backs as brands, casinos and airlines print them: pictures to the very edge, waves, names, suits, faces, small cards.

None of it is an index, whatever it looks like. `HELD_ORNATE_BACKS` are never trained on, and the names on backs are
split like fonts: by a hash of the name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np

from datasets.decks.drawn_deck import DrawnDeck
from datasets.decks.fonts import fonts
from datasets.decks.motif_backs import draw_rows, ground_and_inks, some_pips, stamp_mark
from datasets.decks.package_decks import court_art
from datasets.decks.patterned_backs import draw_back
from datasets.decks.symbol_masks import glyphs
from datasets.picture_tools import Colour, Image, Mask, Points, Rng, choose, random_colour
from datasets.scenes.stray_objects import stray_object
from datasets.scenes.surfaces import background
from datasets.splits import SPLITS, Split, split_of
from solver.cards import DECK

BackKind = Literal["usual", "ornate", "held"]
"""The backs of decks: their own; of families to train on; of those that are held back."""
Way = tuple[float, float]
_WIDTH: Final = 720
"""Pixels that a back is drawn with, whatever the size that is asked for."""
_NAMES: Final = (
    *("GOLDEN REEF", "SILVER PALACE", "LUCKY HARBOUR", "CORAL BAY CASINO", "MIRAMONT", "RIVER DUCHESS", "BLUE ORCHID"),
    *("MONTE SERENO", "SEVEN LANTERNS", "GRAND VALDORA", "ROUGE & NOIR", "CASINO BELLARIVA", "EMERALD ROOM", "ZEPHYR"),
    *(
        "AERO NORD",
        "TRANSLUX",
        "AIR BOREAL",
        "WESTERN WINGS",
        "JETLINE",
        "AIR MERIDIA",
        "SOLARIS AIRWAYS",
        "FLY KESTREL",
    ),
    *("POLAR JET", "COMET 99", "RED HERON", "TRUMPETER", "STARGAZER No. 4", "WAGTAIL", "OLD FERRYMAN", "PLASTICA 100"),
    *("CARTA LUMINA", "NEPTUN", "ROYAL OTTER", "FOX & GRAPES", "LA RANA", "TIGERLILY", "KOSMOS", "THE LAMPLIGHTER"),
)
"""Names of casinos, airlines and brands that there are not."""


def draw_ornate_back(family: str, seed: int, split: Split, width: int, height: int) -> Image:
    """An ornate back as an RGB image (height, width, 3); the same seed gives the same back at any size.

    Args:
        family: One of `ORNATE_BACKS`.
        seed: Decides what is printed, where, and in which colours.
        split: Whose fonts, names and pictures are used.
        width: Of the image, px.
        height: Of the image, px.
    """
    large = _drawn(family, seed, split, round(100 * height / width))
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=8)
def _drawn(family: str, seed: int, split: Split, percent: int) -> Image:
    """A back `_WIDTH` wide and so many hundredths of that high."""
    rng = np.random.default_rng((8023, SPLITS.index(split), seed, list(ORNATE_BACKS).index(family)))
    picture = ORNATE_BACKS[family](rng, split, round(_WIDTH * percent / 100))
    return np.clip(picture, 0, 255).astype(np.uint8)


def back_names(split: Split) -> list[str]:
    """The names that are printed on a split's backs."""
    return [name for name in _NAMES if split_of("back", name) == split]


def _photo(rng: Rng, split: Split, height: int) -> Image:
    """A picture to the very edge: a photo or a drawn surface with things on it, perhaps the same from both ends."""
    image = np.ascontiguousarray(background(rng, split, _WIDTH, height))
    for _ in range(int(rng.integers(0, 5))):
        thing, mask = stray_object(rng, split, int(_WIDTH * rng.uniform(0.2, 0.9)))
        _paste(image, thing, mask.astype(np.float32) / 255, rng.uniform(0, 1, 2) * (_WIDTH, height))
    return _both_ways(image) if rng.random() < 0.4 else image


def _tiled_photo(rng: Rng, split: Split, height: int) -> Image:
    """A small picture again and again, to the very edge, perhaps with every other one the other way round."""
    side = int(_WIDTH / rng.uniform(1.5, 6))
    tile = cv2.resize(_photo(rng, split, _WIDTH), (side, side), interpolation=cv2.INTER_AREA)
    turned = rng.random() < 0.5
    rows = [
        np.concatenate([np.rot90(tile, 2 * ((row + k) % 2) * turned) for k in range(_WIDTH // side + 1)], 1)
        for row in range(height // side + 1)
    ]
    return np.concatenate(rows)[:height, :_WIDTH].astype(np.uint8)


def _waves(rng: Rng, split: Split, height: int) -> Image:
    """Waves of two to four colours that follow each other in even steps, to the very edge."""
    return _wave_picture(rng, height)[0]


def _wave_picture(rng: Rng, height: int) -> tuple[Image, float, float]:
    """The picture of waves, the step from one to the next in card widths, and their turn."""
    y, x = np.mgrid[0:height, 0:_WIDTH].astype(np.float32) / _WIDTH
    turn, step = rng.choice([0.0, 0.0, np.pi / 2, rng.uniform(-0.8, 0.8)]), rng.uniform(0.05, 0.3)
    along, across = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
    swing = rng.uniform(0.1, 0.9) * step * np.sin(2 * np.pi * along * rng.uniform(1, 5) + rng.uniform(0, 6))
    swing += rng.uniform(0, 0.3) * step * np.sin(2 * np.pi * along * rng.uniform(4, 9) + rng.uniform(0, 6))
    place = np.mod((across + swing) / step, 1.0)
    colours = np.array([random_colour(rng, 30, 250) for _ in range(int(rng.integers(2, 5)))], np.float32)
    bands = colours[np.minimum((place * len(colours)).astype(int), len(colours) - 1)]
    shaded = bands * (1 - rng.uniform(0, 0.5) * place[..., None])
    return shaded.astype(np.uint8), step, float(turn)


def _names(rng: Rng, split: Split, height: int) -> Image:
    """One name at each step all over, level or slanting, to the very edge or in a frame."""
    ground, inks = ground_and_inks(rng)
    image = np.full((height, _WIDTH, 3), ground, np.uint8)
    mask, size = _name_mask(rng, split), float(np.exp(rng.uniform(np.log(0.025), np.log(0.2))))
    turn = rng.choice([0.0, 0.0, np.pi / 2, rng.uniform(-0.9, 0.9)])
    _repeat(image, mask, size, (size * rng.uniform(1.1, 2.5), size * rng.uniform(0.4, 2)), turn, inks)
    return _framed(rng, image)


def _wave_names(rng: Rng, split: Split, height: int) -> Image:
    """A name on every other wave, to the very edge."""
    image, step, turn = _wave_picture(rng, height)
    mask, size = _name_mask(rng, split), step * rng.uniform(0.35, 0.7)
    _repeat(image, mask, size, (2 * step, step), turn, [random_colour(rng, 180, 255)])
    return image


def _repeat(image: Image, mask: Mask, size: float, step: Way, turn: float, inks: Sequence[Colour]) -> None:
    """Prints a sign `size` high again and again in staggered lines.

    Args:
        image: What it is printed on.
        mask: The sign.
        size: Its height, in card widths.
        step: From one line to the next, and the gap between two signs in a line, card widths.
        turn: How the lines are turned, radians.
        inks: For the lines in turn.
    """
    long = size * mask.shape[1] / mask.shape[0] + step[1]
    down, aside = np.array([-np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    for line in range(-int(2 / step[0]) - 1, int(2 / step[0]) + 2):
        for number in range(-int(2 / long) - 1, int(2 / long) + 2):
            x, y = (0.5, 0.7) + line * step[0] * down + (number + 0.5 * (line % 2)) * long * aside
            stamp_mark(image, mask, (float(x), float(y)), size, turn, inks[line % len(inks)])


def _brand(rng: Rng, split: Split, height: int) -> Image:
    """A name large in the middle or at both ends, on stripes, a pattern or a plain ground, with a line or an emblem."""
    ground, inks = ground_and_inks(rng)
    image = np.full((height, _WIDTH, 3), ground, np.uint8)
    if rng.random() < 0.5:
        pattern = draw_back(int(rng.integers(1 << 30)), _WIDTH, height).astype(np.float32)
        image = (0.7 * image + 0.3 * pattern).astype(np.uint8)
    tall = height / _WIDTH
    band = rng.uniform(0.1, 0.4) * tall
    if rng.random() < 0.6:
        top, end = (round((tall / 2 + sign * band / 2) * _WIDTH) for sign in (-1, 1))
        cv2.rectangle(image, (0, top), (_WIDTH, end), random_colour(rng, 20, 250), -1)
    mask, upright = _name_mask(rng, split), rng.random() < 0.4
    size = min(0.25, rng.uniform(0.6, 0.95) * (tall if upright else 1.0) * mask.shape[0] / mask.shape[1])
    turn, away = (np.pi / 2 if upright else 0.0), (0.0 if upright else rng.choice([0.0, 0.25, 0.35]) * tall)
    stamp_mark(image, mask, (0.5, tall / 2 - away), size, turn, inks[0])
    if away:
        stamp_mark(image, mask, (0.5, tall / 2 + away), size, turn + np.pi, inks[0])
        stamp_mark(image, some_pips(rng, split)[0], (0.5, tall / 2), rng.uniform(0.1, 0.3), 0.0, inks[-1])
    return image


def _monograms(rng: Rng, split: Split, height: int) -> Image:
    """Letters in the cells of a lattice."""
    letters = "".join(choose(rng, "ABCDEFGHKLMNOPRSTVWZ") for _ in range(int(rng.integers(1, 4))))
    return _lattice(rng, [glyphs(choose(rng, fonts(split)), letters)], height)


def _suit_lattice(rng: Rng, split: Split, height: int) -> Image:
    """Suit symbols, often the leaf of clubs, in the cells of a lattice."""
    return _lattice(rng, some_pips(rng, split), height)


def _lattice(rng: Rng, marks: list[Mask], height: int) -> Image:
    """Marks in the cells of two sets of slanting lines, to the very edge or in a frame."""
    ground, inks = ground_and_inks(rng)
    image = np.full((height, _WIDTH, 3), ground, np.uint8)
    step, slope = _WIDTH / rng.uniform(2.5, 10), rng.uniform(0.7, 1.5)
    reach, line = round(height / slope), max(1, round(step * rng.uniform(0.02, 0.12)))
    for x in np.arange(-reach, _WIDTH + reach, step):
        for way in (-reach, reach):
            cv2.line(image, (round(x), 0), (round(x) + way, height), inks[-1], line, cv2.LINE_AA)
    size, turns = rng.uniform(0.3, 0.6) * step / _WIDTH, rng.random() < 0.4
    for row in range(round(2 * height / (slope * step)) + 2):
        y = row * slope * step / 2
        for column in range(-1, round(_WIDTH / step) + 2):
            x = (column + (y / slope / step) % 1 + 0.5) * step
            turn = np.pi * (turns and y > height / 2)
            stamp_mark(image, choose(rng, marks), (x / _WIDTH, y / _WIDTH), size, turn, inks[0])
    return _framed(rng, image)


def _faces(rng: Rng, split: Split, height: int) -> Image:
    """A picture of a court at each end, or again and again; drawn heads where no package is installed."""
    half = np.full((height // 2, _WIDTH, 3), random_colour(rng, 20, 250), np.uint8)
    art = court_art(split)
    for number in range(across := int(rng.integers(1, 4))):
        wide = _WIDTH // across
        picture = choose(rng, choose(rng, art)) if art else _drawn_head(rng)
        sized = cv2.resize(picture, (wide, half.shape[0]), interpolation=cv2.INTER_AREA)
        half[:, number * wide : number * wide + wide] = sized
    return _framed(rng, np.concatenate([half, half[::-1, ::-1], half[:1]])[:height])


def _drawn_head(rng: Rng) -> Image:
    """A head with hair, eyes, mouth and perhaps a crown, 240 x 300 px."""
    image = np.full((300, 240, 3), random_colour(rng, 40, 250), np.uint8)
    skin, hair, ink = (225, 185, 150), random_colour(rng, 10, 160), random_colour(rng, 0, 90)
    cv2.ellipse(image, (120, 330), (130, 120), 0, 0, 360, random_colour(rng), -1, cv2.LINE_AA)
    cv2.ellipse(image, (120, 150), (85, 105), 0, 0, 360, hair, -1, cv2.LINE_AA)
    cv2.ellipse(image, (120, 165), (60, 82), 0, 0, 360, skin, -1, cv2.LINE_AA)
    for x in (97, 143):
        cv2.ellipse(image, (x, 155), (10, int(rng.integers(4, 9))), 0, 0, 360, ink, -1, cv2.LINE_AA)
    cv2.line(image, (120, 160), (116, 190), ink, 3, cv2.LINE_AA)
    cv2.ellipse(image, (120, 212), (22, 9), 0, 0, 180, (190, 60, 60), 4, cv2.LINE_AA)
    if rng.random() < 0.6:
        points = [(60, 70), (60, 20), (90, 50), (120, 10), (150, 50), (180, 20), (180, 70)]
        cv2.fillPoly(image, [np.array(points, np.int32)], (225, 180, 40), cv2.LINE_AA)
    return image


def _small_cards(rng: Rng, split: Split, height: int) -> Image:
    """Whole small cards thrown or fanned as ornament; the picture is the same from both ends."""
    image = np.full((height, _WIDTH, 3), random_colour(rng, 10, 230), np.uint8)
    deck = DrawnDeck(split, int(rng.integers(200)))
    wide = int(_WIDTH * rng.uniform(0.12, 0.4))
    fanned, count = rng.random() < 0.5, int(rng.integers(3, 10))
    for k in range(count):
        face = deck.face(choose(rng, DECK), wide)
        turn = (k - count / 2) * 0.25 if fanned else rng.uniform(0, 2 * np.pi)
        at = rng.uniform(0, 1, 2) * (_WIDTH, height / 2)
        if fanned:
            at = (_WIDTH / 2, height / 2 - wide / 2) + 1.2 * wide * np.array([np.sin(turn), -np.cos(turn)])
        _paste(image, face, np.ones(face.shape[:2], np.float32), at, turn)
    return _both_ways(image)


def _indices(rng: Rng, split: Split, height: int) -> Image:
    """Ranks with their suits below them, as in a card's corner, in rows."""
    font, suits = choose(rng, fonts(split)), some_pips(rng, split)
    marks = []
    for rank in rng.permutation(list("AKQJ98765432"))[: int(rng.integers(1, 5))]:
        letter, suit = glyphs(font, str(rank)), choose(rng, suits)
        small = cv2.resize(suit, (letter.shape[1], letter.shape[1]), interpolation=cv2.INTER_AREA)
        gap = np.zeros((letter.shape[0] // 6, letter.shape[1]), np.float32)
        marks.append(np.concatenate([letter, gap, small]).astype(np.float32))
    return _framed(rng, draw_rows(rng, marks, _WIDTH, height, rng.uniform(2, 8))[0])


ORNATE_BACKS: Final[dict[str, Callable[[Rng, Split, int], Image]]] = {
    "photo": _photo,
    "waves": _waves,
    "names": _names,
    "brand": _brand,
    "monograms": _monograms,
    "suit_lattice": _suit_lattice,
    "faces": _faces,
    "small_cards": _small_cards,
    "tiled_photo": _tiled_photo,
    "wave_names": _wave_names,
    "indices": _indices,
}
"""Family of ornate backs to what draws one. New ones go to the end, so that a seed's back stays what it was."""
HELD_ORNATE_BACKS: Final = ("tiled_photo", "wave_names", "indices")
"""Families that no network is trained on."""
TRAINED_ORNATE_BACKS: Final = tuple(name for name in ORNATE_BACKS if name not in HELD_ORNATE_BACKS)


def _name_mask(rng: Rng, split: Split) -> Mask:
    """A name in one line, or its words below each other."""
    font, name = choose(rng, fonts(split)), choose(rng, back_names(split))
    if " " not in name or rng.random() < 0.5:
        return glyphs(font, name)
    lines = [glyphs(font, word) for word in name.split()]
    wide, gap = max(line.shape[1] for line in lines), 40
    return np.concatenate([np.pad(line, ((0, gap), (0, wide - line.shape[1]))) for line in lines])[:-gap].astype(
        np.float32
    )


def _paste(image: Image, picture: Image, mask: Mask, at: Points, turn: float = 0.0) -> None:
    """Lays a picture with its middle at a pixel, turned; what leaves the card is lost."""
    cos, sin = np.cos(turn), np.sin(turn)
    about = np.array([[cos, -sin], [sin, cos]])
    middle = np.array([picture.shape[1], picture.shape[0]]) / 2
    matrix = np.concatenate([about, (at - about @ middle)[:, None]], 1)
    size = (image.shape[1], image.shape[0])
    alpha = cv2.warpAffine(mask, matrix, size)[..., None]
    image[:] = image * (1 - alpha) + cv2.warpAffine(picture, matrix, size) * alpha


def _both_ways(image: Image) -> Image:
    """The upper half of a picture, and the same again from the other end."""
    half = image[: (len(image) + 1) // 2]
    return np.concatenate([half, half[::-1, ::-1]])[: len(image)]


def _framed(rng: Rng, image: Image) -> Image:
    """The picture to the very edge, or in a narrow frame."""
    if rng.random() < 0.7:
        return image
    colour: Colour = (246, 245, 242) if rng.random() < 0.7 else random_colour(rng)
    edge = 2 * round(rng.uniform(0.015, 0.06) * _WIDTH) - 1
    cv2.rectangle(image, (0, 0), (_WIDTH - 1, len(image) - 1), colour, edge)
    return image
