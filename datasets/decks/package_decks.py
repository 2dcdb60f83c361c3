"""Decks from card packages: Debian's `gnome-cards-data` and `kdegames-card-data-kf5`, and four of npm's.

The npm packages are looked for in the cache folder; `datasets/README.md` says how they are installed.

Each sheet is rasterised once by `rsvg-convert` and kept in the cache folder as an array. Decks that share their art are
one group and so in one split.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.decks import index_boxes
from datasets.decks.deck import Box, Deck, Index
from datasets.picture_tools import Image, cache_folder, save_array
from datasets.splits import Split
from plumbing.files import whole_file
from solver.cards import DECK, Card, Rank, Suit

_GNOME: Final = Path("/usr/share/aisleriot/cards")
_KDE: Final = Path("/usr/share/carddecks")
_WIDTH: Final = 360
_GROUPS: Final[dict[str, tuple[Split, str]]] = {
    # group: split, decks. Shared art or indices put decks into one group.
    "paris": ("test", "gnome/paris"),
    "slavic": ("test", "gnome/slavic_costumes"),
    "neoclassical": ("test", "gnome/neoclassical gnome/neoclassical_4_color"),
    "berlin": ("test", "gnome/berlin"),
    "standard": ("test", "kde/svg-standard"),
    "poker": ("test", "gnome/anglo_poker"),
    "plastic": ("validation", "gnome/plastic"),
    "lattmann": ("validation", "gnome/lattmann"),
    "orell": ("validation", "gnome/orell"),
    "anglo": ("train", "gnome/anglo gnome/anglo_bitmap gnome/gnomangelo gnome/gnomangelo_bitmap"),
    "modern": ("train", "gnome/anglo_modern gnome/anglo_modern_4_color"),
    "atlas": ("train", "gnome/atlasnye gnome/atlasnye_skat gnome/Атласные"),
    "bellot": ("train", "gnome/bellot gnome/ancient_french"),
    "dondorf": ("train", "gnome/dondorf"),
    "ornamental": ("train", "gnome/ornamental kde/svg-nicu-ornamental kde/svg-nicu-white"),
    "rheinland": ("train", "gnome/rheinland"),
    "simplistic": ("train", "gnome/simplistic"),
    "tango": ("train", "gnome/tango"),
    "tarocco": ("train", "gnome/tarocco"),
    "tigullio": ("train", "gnome/tigullio kde/svg-tigullio-international"),
    "egyptians": ("train", "kde/svg-ancient-egyptians"),
    "jolly": ("train", "kde/svg-jolly-royal"),
    "kennard": ("train", "npm/letele npm/kennard-4-colour npm/kennard-big npm/kennard-big-4-colour"),
    "aguilar": ("train", "npm/aguilar npm/casino"),
}
NAMES: Final = tuple(name for _, names in _GROUPS.values() for name in names.split())
"""All decks of packages that are known."""
COMMON: Final = {"npm/aguilar", "npm/casino", "npm/letele", "npm/kennard-4-colour", "gnome/anglo"}
"""Training decks of the English pattern, which lies on most tables: drawn three times as often as the others."""
_KENNARD: Final = "@heruka_urgyen/react-playing-cards/src/images"
_FILES: Final[dict[str, tuple[str, str]]] = {
    # deck: one file a card, below node_modules; the back's file. {rank}: 1 to 13, {letter}: A 2 ... T J Q K.
    "npm/kennard-4-colour": (_KENNARD + "/4color/{letter}{SUIT}.svg", _KENNARD + "/back.svg"),
    "npm/kennard-big": (_KENNARD + "/2color-bf/{letter}{SUIT}.svg", _KENNARD + "/back.svg"),
    "npm/kennard-big-4-colour": (_KENNARD + "/4color-bf/{letter}{SUIT}.svg", _KENNARD + "/back.svg"),
    "npm/aguilar": (
        "@younestouati/playing-cards-standard-deck/cards/{rank}{suit}.svg",
        "@younestouati/playing-cards-standard-deck/cards/back.svg",
    ),
    "npm/casino": (
        "react-casino/src/assets/png/cards/{letter}{SUIT}.png",
        "react-casino/src/assets/png/cards/BACK.png",
    ),
}
_FOUR_CORNERS: Final = {"gnome/dondorf"}
_CARDS_AND_BACK: Final = (*((suit, rank) for suit in range(4) for rank in range(13)), (4, 2))
_JOKERS: Final = ((4, 0), (4, 1))
"""Where a sheet of GNOME's has them, row and column."""


@dataclass(frozen=True, slots=True)
class PackageDeck:
    """A rasterised deck. See `datasets.decks.deck.Deck` for what every deck offers.

    Attributes:
        faces: RGB of the 52 cards and the back, (53, height, 360, 3).
        boxes: Rank and suit box of each card's top-left index, in card widths.
    """

    name: str
    split: Split
    aspect: float
    corner: float
    faces: NDArray[np.uint8]
    boxes: tuple[tuple[Box, Box], ...]

    def indices(self, card: Card) -> tuple[Index, ...]:
        """The card's indices, the top-left one first."""
        return Index(*self.boxes[card.index]).corners(self.aspect, 4 if self.name in _FOUR_CORNERS else 2)

    def face(self, card: Card, width: int) -> Image:
        """The face as RGB (round(width * aspect), width, 3)."""
        return self._sized(card.index, width)

    def back(self, width: int) -> Image:
        """The back as RGB (round(width * aspect), width, 3)."""
        return self._sized(52, width)

    def _sized(self, number: int, width: int) -> Image:
        smaller = width < self.faces.shape[2]
        size = (width, round(width * self.aspect))
        picture = cv2.resize(
            np.asarray(self.faces[number]), size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
        )
        return picture.astype(np.uint8)


@lru_cache(maxsize=4)
def package_decks(split: Split) -> tuple[Deck, ...]:
    """The installed package decks of a split, rasterised on first use; none where no package is installed."""
    names = [name for group_split, names in _GROUPS.values() if group_split == split for name in names.split()]
    bar = tqdm(names, desc="card packages", unit="deck", leave=False, disable=None)
    return tuple(deck for deck in map(package_deck, bar) if deck is not None)


@lru_cache(maxsize=4)
def court_art(split: Split) -> tuple[tuple[Image, ...], ...]:
    """For each package deck of a split with framed courts, the pictures of its twelve court cards, indices cut away."""
    plain = {"gnome/simplistic", "gnome/tango"}
    art = []
    for deck in package_decks(split):
        if deck.name in plain or not isinstance(deck, PackageDeck) or deck.name in _FOUR_CORNERS:
            continue
        pictures = []
        for card in DECK:
            if card.rank > Rank.TEN:
                x1, height = max(0.13, deck.indices(card)[0].box[2] + 0.01), deck.faces.shape[1]
                left, top = round(x1 * _WIDTH), round(0.06 * height)
                pictures.append(np.ascontiguousarray(deck.faces[card.index][top : height - top, left : _WIDTH - left]))
        art.append(tuple(pictures))
    return tuple(art)


@lru_cache(maxsize=4)
def package_jokers(split: Split) -> tuple[Image, ...]:
    """The jokers of a split's installed decks, RGB (height, 360, 3); of GNOME's, whose sheets hold two each."""
    names = [name for group_split, names in _GROUPS.values() if group_split == split for name in names.split()]
    found = (_jokers_of(name) for name in names if name.startswith("gnome/"))
    return tuple(joker for pair in found if pair is not None for joker in pair)


def _jokers_of(name: str) -> NDArray[np.uint8] | None:
    cached = cache_folder() / ("jokers-" + name.replace("/", "-") + ".npy")
    program, path = shutil.which("rsvg-convert"), _sheet_of(name)
    if not cached.exists() and program is not None and path.exists():
        jokers = _cut_sheet(program, path, _JOKERS)
        if jokers is not None:
            save_array(cached, jokers)
    return np.load(cached) if cached.exists() else None


def package_deck(name: str) -> PackageDeck | None:
    """One of `NAMES`: from the cache, rasterised and measured before where it is not there; None if not installed."""
    split = next(split for split, names in _GROUPS.values() if name in names.split())
    stem = cache_folder() / ("deck-" + name.replace("/", "-"))
    pixels, boxes = stem.with_suffix(".npy"), stem.with_suffix(f".{index_boxes.VERSION}.json")
    if not boxes.exists():
        faces = np.load(pixels) if pixels.exists() else _rasterise(name)
        if faces is None:
            return None
        if not pixels.exists():
            save_array(pixels, faces)
        measured = index_boxes.measure(faces)
        if measured is None:
            print(f"warning: the indices of the deck {name} were not found; it is left out", file=sys.stderr)
        with whole_file(boxes) as part:
            part.write_text(json.dumps(measured))
    measured = json.loads(boxes.read_text())
    if measured is None:
        return None
    array: NDArray[np.uint8] = np.load(pixels, mmap_mode="r")
    pairs: tuple[tuple[Box, Box], ...] = tuple((tuple(rank), tuple(suit)) for rank, suit in measured)
    return PackageDeck(name, split, array.shape[1] / array.shape[2], 0.05, array, pairs)


def _rasterise(name: str) -> NDArray[np.uint8] | None:
    program = shutil.which("rsvg-convert")
    if program is None:
        return None
    source, deck = name.split("/")
    if source == "gnome":
        path = _sheet_of(name)
        return _cut_sheet(program, path) if path.exists() else None
    if source == "kde":
        found = sorted((_KDE / deck).glob("*.svgz"))
        return _elements(program, found[0]) if found else None
    return _from_react(program) if name == "npm/letele" else _from_files(program, *_FILES[name])


def _sheet_of(name: str) -> Path:
    """The file of one of GNOME's decks."""
    return _GNOME / f"{name.removeprefix('gnome/')}.svgz"


def _from_files(program: str, face: str, back: str) -> NDArray[np.uint8] | None:
    """A deck's faces from one SVG or PNG file for each card; None where one is missing."""
    names = [face.format(rank=int(c.rank), letter=str(c)[0], suit=str(c)[1].lower(), SUIT=str(c)[1]) for c in DECK]
    cards: list[NDArray[np.uint8]] = []
    for name in [*names, back]:
        path = cache_folder() / "node_modules" / name
        if not path.is_file():
            return None
        picture = _decode(path.read_bytes()) if path.suffix == ".png" else _convert([program, "-w", "720", str(path)])
        if picture is None:
            return None
        cards.append(picture)
    return _stacked(cards, cards[0].shape[0] / cards[0].shape[1])


def _cut_sheet(
    program: str, path: Path, cells: Sequence[tuple[int, int]] = _CARDS_AND_BACK
) -> NDArray[np.uint8] | None:
    """Cells (row, column) of a sheet of 13 x 5 cards: clubs, diamonds, hearts, spades; then two jokers and the back."""
    sheet = _convert([program, "-w", str(13 * _WIDTH), str(path)])
    if sheet is None:
        return None
    height = round(sheet.shape[0] / 5)
    sheet = cv2.resize(sheet, (13 * _WIDTH, 5 * height), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return np.stack(
        [
            _on_paper(sheet[row * height : row * height + height, col * _WIDTH : (col + 1) * _WIDTH])
            for row, col in cells
        ]
    )


def _elements(program: str, path: Path) -> NDArray[np.uint8] | None:
    """A deck's faces from a file with one element for each card, named `king_heart`, `10_club`, `back`."""
    names = {1: "1", 11: "jack", 12: "queen", 13: "king"}
    suits = {Suit.CLUBS: "club", Suit.DIAMONDS: "diamond", Suit.HEARTS: "heart", Suit.SPADES: "spade"}
    wanted = [f"{names.get(card.rank, str(int(card.rank)))}_{suits[card.suit]}" for card in DECK] + ["back"]
    zoom = 1.0
    cards: list[NDArray[np.uint8]] = []
    for name in wanted:
        picture = _element(program, path, name, zoom)
        if picture is None:
            return None
        if zoom == 1.0 and picture.shape[1] < _WIDTH:  # the first one tells the scale of the file
            zoom = min(8.0, 1.1 * _WIDTH / picture.shape[1])
            picture = _element(program, path, name, zoom)
            if picture is None:
                return None
        cards.append(picture)
    return _stacked(cards, float(np.median([card.shape[0] / card.shape[1] for card in cards])))


def _from_react(program: str) -> NDArray[np.uint8] | None:
    """The npm package `@letele/playing-cards`: React components, called with a stand-in for React that writes SVG."""
    source = cache_folder() / "node_modules/@letele/playing-cards/dist/index.esm.js"
    node = shutil.which("node")
    if node is None or not source.is_file():
        return None
    done = subprocess.run([node, "-e", _REACT_TO_SVG, str(source)], capture_output=True, text=True)
    if done.returncode:
        return None
    pictures: dict[str, str] = json.loads(done.stdout)
    names = [f"{card.suit}{'10' if card.rank == Rank.TEN else str(card.rank).lower()}" for card in DECK] + ["B1"]
    cards = [_convert([program, "-w", str(_WIDTH)], pictures[name].encode()) for name in names]
    found = [_on_paper(card) for card in cards if card is not None]
    return np.stack(found) if len(found) == len(names) else None


_REACT_TO_SVG: Final = """
const fs = require("fs");
const name = key => key === "className" ? "class" : key === "xlinkHref" ? "xlink:href" : key === "xmlnsXlink"
  ? "xmlns:xlink" : /^(viewBox|preserveAspectRatio|pattern|gradient)/.test(key) ? key
  : key.replace(/[A-Z]/g, letter => "-" + letter.toLowerCase());
const React = {createElement: (tag, props, ...inner) => "<" + tag + Object.entries(props || {})
  .filter(([key, value]) => value != null && key !== "style")
  .map(([key, value]) => " " + name(key) + '="' + String(value).replace(/"/g, "&quot;") + '"').join("")
  + ">" + inner.filter(part => part != null).join("") + "</" + tag + ">"};
const source = fs.readFileSync(process.argv[1], "utf8").replace(/^import .*$/mg, "");
const names = source.match(/export \\{([^}]*)\\}/)[1].split(",").map(pair => pair.trim().split(" as "));
const body = source.replace(/export \\{[^}]*\\};?/, "");
const made = new Function("React", "_extends", body + ";return {" + names.map(([from, to]) => to + ":" + from) + "}");
const cards = Object.entries(made(React, Object.assign));
console.log(JSON.stringify(Object.fromEntries(cards.map(([key, draw]) => [key, draw({})]))));
"""


def _element(program: str, path: Path, name: str, zoom: float) -> NDArray[np.uint8] | None:
    picture = _convert([program, "-z", f"{zoom:.4f}", "--export-id", name, str(path)])
    if picture is None:
        return None
    inside = picture[..., 3] > 100
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if len(rows) < 8 or len(columns) < 8:
        return None
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _convert(command: list[str], picture_text: bytes | None = None) -> NDArray[np.uint8] | None:
    done = subprocess.run(command, capture_output=True, input=picture_text)
    if done.returncode or not done.stdout:
        return None
    return _decode(done.stdout)


def _decode(data: bytes) -> NDArray[np.uint8] | None:
    """A PNG with transparency as RGBA; None where it is none."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3:
        return None
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return picture[..., [2, 1, 0, 3]].astype(np.uint8)


def _stacked(cards: Sequence[NDArray[np.uint8]], aspect: float) -> NDArray[np.uint8]:
    """RGBA pictures of any size as a deck's faces, all alike in size."""
    size = (_WIDTH, round(_WIDTH * aspect))
    return np.stack([_on_paper(cv2.resize(c, size, interpolation=cv2.INTER_AREA).astype(np.uint8)) for c in cards])


def _on_paper(picture: NDArray[np.uint8]) -> Image:
    """RGBA laid on the colour that the card has beside its corners."""
    height = picture.shape[0]
    alpha = picture[..., 3:].astype(np.float32) / 255
    edge = picture[height // 2 - 10 : height // 2 + 10, 6:14, :3].reshape(-1, 3)
    paper = np.median(edge, axis=0)
    return np.asarray(picture[..., :3] * alpha + paper * (1 - alpha), np.uint8)
