"""Backs of the path-traced decks: patterns, printed signs, a medallion, photos of a desktop's wallpapers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from datasets.decks.fonts import SynthError
from datasets.path_traced.decks import HEIGHT, Deck
from datasets.path_traced.signs import PLAIN, data_folders, sign, stamp
from datasets.picture_tools import Colour

BACKS: Final[dict[str, tuple[str, ...]]] = {
    "validation": (
        *("lattice-red", "lattice-blue", "waves-teal", "picture-Autumn", "plain-navy", "rings-green", "pips-grey"),
        *("stripes-black", "medallion-blue", "picture-Path"),
    ),
    "test": (
        *("diamonds-blue", "diamonds-maroon", "scales-orange", "picture-ColorfulCups", "picture-FallenLeaf"),
        *("plain-black", "weave-green", "letters-red", "stars-violet", "rider-red"),
    ),
}
"""The backs of each split: a kind, and a colour or the wallpaper's name."""
_COLOURS: Final[dict[str, Colour]] = {
    "red": (176, 24, 36),
    "blue": (28, 58, 140),
    "teal": (10, 120, 125),
    "navy": (20, 30, 70),
    "green": (20, 95, 60),
    "grey": (95, 100, 110),
    "black": (22, 22, 26),
    "maroon": (110, 20, 40),
    "orange": (215, 110, 30),
    "violet": (85, 45, 130),
}
_BORDERS: Final = {
    "diamonds": 3.0,
    "lattice": 4.6,
    "medallion": 4.2,
    "picture-FallenLeaf": 3.2,
    "picture-Path": 3.2,
    "pips": 3.6,
    "plain-navy": 3.5,
    "rider": 4.2,
    "rings": 4.0,
}
"""White borders, mm, by kind or name; the other backs are printed to the edge."""
_Numbers = NDArray[np.float64]
_Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Plane:
    """The places of a back's pixels, and pixels per millimetre."""

    x: _Numbers
    y: _Numbers
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        return self.x.shape[1], self.x.shape[0]

    def diagonals(self, pitch: float) -> tuple[_Numbers, _Numbers]:
        """Coordinates along both diagonals, in pitches of so many mm from the middle."""
        wide, high = self.size
        pitch *= self.scale
        right, down = self.x - wide / 2, self.y - high / 2
        return (right + down) / pitch, (right - down) / pitch


def _lattice(plane: _Plane) -> _Bools:
    a, b = plane.diagonals(4.2)
    lines = (np.abs(a % 1 - 0.5) > 0.36) | (np.abs(b % 1 - 0.5) > 0.36)
    return lines | (np.hypot(a % 1 - 0.5, b % 1 - 0.5) < 0.12)


def _diamonds(plane: _Plane) -> _Bools:
    a, b = plane.diagonals(7.5)
    inner = np.maximum(np.abs(a % 1 - 0.5), np.abs(b % 1 - 0.5))
    return (inner > 0.43) | ((inner < 0.3) & (inner > 0.2)) | (inner < 0.08)


def _weave(plane: _Plane) -> _Bools:
    a, b = plane.diagonals(3.0)
    is_even = (a.astype(int) + b.astype(int)) % 2 == 0
    return np.asarray(is_even & (np.abs(a % 1 - 0.5) < 0.38))


def _waves(plane: _Plane) -> _Bools:
    x, y = plane.x / plane.scale, plane.y / plane.scale
    phase = y / 5.5 + 0.9 * np.sin(x / 6) + 0.3 * np.sin(x / 2.3)
    return np.asarray(np.sin(phase * 2 * math.pi) > 0.1)


def _rings(plane: _Plane) -> _Bools:
    side = 12 * plane.scale
    distance = np.hypot(plane.x % side - side / 2, plane.y % side - side / 2)
    return np.asarray(distance / plane.scale % 1.7 < 0.6)


def _stripes(plane: _Plane) -> _Bools:
    wide, high = plane.size
    edge = np.minimum(np.minimum(plane.x, wide - plane.x), np.minimum(plane.y, high - plane.y))
    return np.asarray(edge / plane.scale % 2.4 < 0.5)


def _scales(plane: _Plane) -> _Bools:
    row = (plane.y / (5 * plane.scale)).astype(int)
    x = (plane.x + row % 2 * 4 * plane.scale) % (8 * plane.scale) - 4 * plane.scale
    return np.hypot(x, plane.y - (row + 1) * 5 * plane.scale) / plane.scale % 1.6 < 0.45


_PATTERNS: Final[dict[str, tuple[Callable[[_Plane], _Bools], tuple[float, float, float] | float]]] = {
    # kind: where it is printed, and in which colour, or how far towards the pale tone
    "lattice": (_lattice, 1.0),
    "diamonds": (_diamonds, 1.0),
    "weave": (_weave, 1.0),
    "waves": (_waves, 0.85),
    "rings": (_rings, 1.0),
    "stripes": (_stripes, (200, 170, 90)),
    "scales": (_scales, (250, 235, 205)),
}


def _pattern(kind: str, colour: Colour, pale: _Numbers, plane: _Plane) -> Image.Image:
    """The pattern of a kind; one colour for a kind that has none."""
    ground = np.array(colour, float)
    art = np.broadcast_to(ground, (*plane.x.shape, 3))
    if kind in _PATTERNS:
        printed, tone = _PATTERNS[kind]
        ink = ground + (pale - ground) * tone if isinstance(tone, float) else np.array(tone)
        art = np.where(printed(plane)[..., None], ink, ground)
    return Image.fromarray(art.astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.6))


def _print_signs(image: Image.Image, kind: str, pale: Colour, scale: float) -> None:
    """Suits or stars all over."""
    for row in range(9):
        for column in range(6):
            place = (column + 0.5 + 0.5 * (row % 2)) * image.width / 6, (row + 0.5) * image.height / 9
            text = "♣♦♥♠"[(row + column) % 4] if kind == "pips" else "★"
            stamp(image, sign(PLAIN, text), place, 5.2 * scale, pale)


def _print_letters(image: Image.Image, pale: Colour, scale: float) -> None:
    word = sign("Lato-Black.ttf", "ROYAL")
    for row in range(11):
        place = image.width * (0.32 + 0.36 * (row % 2)), (row + 0.5) * image.height / 11
        stamp(image, word, place, 4.6 * scale, pale)


def _print_ornament(image: Image.Image, name: str, pale: Colour, deck: Deck, scale: float) -> None:
    """Scrolls in either half, and a medallion or a rider between them."""
    rng = np.random.default_rng(sum(map(ord, name)))
    kind, _, colour = name.partition("-")
    middle = (image.width / 2, image.height / 2)
    for turn in range(2):
        half = Image.new("L", image.size, 0)
        brush = ImageDraw.Draw(half)
        for _ in range(26):
            x, y = rng.uniform(9, deck.width - 9) * scale, rng.uniform(9, deck.height / 2 - 4) * scale
            r, start = rng.uniform(2, 7) * scale, rng.uniform(0, 360)
            box = (x - r, y - r, x + r, y + r)
            brush.arc(box, start, start + rng.uniform(150, 300), fill=255, width=round(0.7 * scale))
            brush.ellipse((x - scale, y - scale, x + scale, y + scale), fill=255)
        image.paste(Image.new("RGB", image.size, pale), mask=half.rotate(180 * turn))
    brush = ImageDraw.Draw(image)
    for r in (15 * scale, 12.5 * scale, 9 * scale, 4 * scale):
        box = (middle[0] - r, middle[1] - r, middle[0] + r, middle[1] + r)
        brush.ellipse(box, fill=_COLOURS[colour], outline=pale, width=round(0.9 * scale))
    if kind == "rider":
        stamp(image, sign(PLAIN, "♞"), middle, 16 * scale, pale)
    _frame(image, 6.5 * scale, pale, 4)


def _frame(image: Image.Image, inset: float, colour: Colour, width: int) -> None:
    box = (inset, inset, image.width - inset, image.height - inset)
    ImageDraw.Draw(image).rectangle(box, outline=colour, width=width)


def _wallpaper(name: str, size: tuple[int, int]) -> Image.Image:
    """The middle of a wallpaper of KDE Plasma."""
    folders = [folder / "wallpapers" / name / "contents/images" for folder in data_folders()]
    files = [path for folder in folders for path in sorted(folder.glob("*")) if path.suffix in (".jpg", ".png")]
    if not files:
        raise SynthError(f"the wallpaper {name} is missing; install the Debian package plasma-workspace-wallpapers")
    photo = Image.open(max(files, key=_size_of)).convert("RGB")
    high = min(photo.height, photo.width * size[1] / size[0]) * 0.9
    wide = high * size[0] / size[1]
    left, top = (photo.width - wide) * 0.5, (photo.height - high) * 0.5
    box = (round(left), round(top), round(left + wide), round(top + high))
    return photo.crop(box).resize(size, Image.Resampling.LANCZOS)


def _size_of(path: Path) -> int:
    return path.stat().st_size


def _bordered(art: Image.Image, border: float) -> Image.Image:
    mask = Image.new("L", art.size, 0)
    box = (border, border, art.width - border, art.height - border)
    ImageDraw.Draw(mask).rounded_rectangle(box, 14, fill=255)
    image = Image.new("RGB", art.size, (250, 249, 245))
    image.paste(art, mask=mask)
    return image


def _printed(name: str, deck: Deck, size: tuple[int, int]) -> Image.Image:
    """A back that is drawn here, without its border."""
    kind, _, tail = name.partition("-")
    scale, colour = HEIGHT / deck.height, _COLOURS[tail]
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(float)
    tone = 255 - (255 - np.array(colour)) * 0.12
    image = _pattern(kind, colour, tone, _Plane(x, y, scale))
    pale: Colour = (int(tone[0]), int(tone[1]), int(tone[2]))
    if kind == "lattice":
        _frame(image, 7 * scale, pale, 5)
    elif kind in ("pips", "stars"):
        _print_signs(image, kind, pale, scale)
    elif kind == "letters":
        _print_letters(image, pale, scale)
    elif kind in ("medallion", "rider"):
        _print_ornament(image, name, pale, deck, scale)
    return image


@cache
def back(name: str, deck: Deck) -> Image.Image:
    """The back of that name for a deck's cards, 700 px high.

    Raises:
        SynthError: If a font or the wallpapers are not installed.
    """
    kind, _, tail = name.partition("-")
    scale = HEIGHT / deck.height
    size = (round(deck.width * scale), HEIGHT)
    image = _wallpaper(tail, size) if kind == "picture" else _printed(name, deck, size)
    border = _BORDERS.get(name, _BORDERS.get(kind))
    return image if border is None else _bordered(image, border * scale)
