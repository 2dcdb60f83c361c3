"""Decks from card packages: Debian's `gnome-cards-data` and `kdegames-card-data-kf5`, and four of npm's.

The npm packages are looked for in the cache folder: `npm install --prefix out/synth-cache @letele/playing-cards
@heruka_urgyen/react-playing-cards @younestouati/playing-cards-standard-deck react-casino`.

Each sheet is rasterised once by `rsvg-convert` and kept in the cache folder as an array. Where a deck's indices lie is
measured from its own pixels: aces, twos and threes have nothing else in the upper left, so their ink tells the rows of
rank and suit symbol, and within those rows each card's own ink gives its boxes. Decks that share their art are one
group and so in one split.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from solver.cards import DECK, Card, Rank, Suit
from solver.files import whole_file
from vision.synth.deck import Box, Deck, Image, Index
from vision.synth.splits import Split
from vision.synth.surfaces import cache_folder, save_array

_GNOME: Final = Path("/usr/share/aisleriot/cards")
_KDE: Final = Path("/usr/share/carddecks")
_WIDTH: Final = 360
_MEASURE: Final = 3
"""Number of the way of measuring, so that older files in the cache are not taken for its results."""

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
_FOUR_CORNERS: Final = {"gnome/dondorf", "kde/svg-dondorf"}


@dataclass(frozen=True, slots=True)
class PackageDeck:
    """A rasterised deck. See `vision.synth.deck.Deck` for what every deck offers.

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


def package_deck(name: str) -> PackageDeck | None:
    """One of `NAMES`: from the cache, rasterised and measured before where it is not there; None if not installed."""
    split = next(split for split, names in _GROUPS.values() if name in names.split())
    stem = cache_folder() / ("deck-" + name.replace("/", "-"))
    pixels, boxes = stem.with_suffix(".npy"), stem.with_suffix(f".{_MEASURE}.json")
    if not boxes.exists():
        faces = np.load(pixels) if pixels.exists() else _rasterise(name)
        if faces is None:
            return None
        if not pixels.exists():
            save_array(pixels, faces)
        measured = measure(faces)
        if measured is None:
            print(f"warning: the indices of the deck {name} were not found; it is left out", file=sys.stderr)
        with whole_file(boxes) as part:
            part.write_text(json.dumps(measured))
    measured = json.loads(boxes.read_text())
    if measured is None:
        return None
    array: NDArray[np.uint8] = np.load(pixels, mmap_mode="r")
    pairs = tuple((_box(rank), _box(suit)) for rank, suit in measured)
    return PackageDeck(name, split, array.shape[1] / array.shape[2], 0.05, array, pairs)


def _box(values: list[float]) -> Box:
    x1, y1, x2, y2 = values
    return x1, y1, x2, y2


def _rasterise(name: str) -> NDArray[np.uint8] | None:
    program = shutil.which("rsvg-convert")
    if program is None:
        return None
    source, deck = name.split("/")
    if source == "gnome":
        path = _GNOME / f"{deck}.svgz"
        return _cut_sheet(program, path) if path.exists() else None
    if source == "kde":
        found = sorted((_KDE / deck).glob("*.svgz"))
        return _elements(program, found[0]) if found else None
    return _from_react(program) if name == "npm/letele" else _from_files(program, *_FILES[name])


def _from_files(program: str, face: str, back: str) -> NDArray[np.uint8] | None:
    """One SVG or PNG file a card."""
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
    height = round(_WIDTH * cards[0].shape[0] / cards[0].shape[1])
    return np.stack(
        [_on_paper(cv2.resize(c, (_WIDTH, height), interpolation=cv2.INTER_AREA).astype(np.uint8)) for c in cards]
    )


def _cut_sheet(program: str, path: Path) -> NDArray[np.uint8] | None:
    """A sheet of 13 x 5 cards: clubs, diamonds, hearts, spades; then jokers and back."""
    sheet = _convert([program, "-w", str(13 * _WIDTH), str(path)])
    if sheet is None:
        return None
    height = round(sheet.shape[0] / 5)
    sheet = cv2.resize(sheet, (13 * _WIDTH, 5 * height), interpolation=cv2.INTER_AREA).astype(np.uint8)
    cells = [(suit, rank) for suit in range(4) for rank in range(13)] + [(4, 2)]
    return np.stack(
        [
            _on_paper(sheet[row * height : row * height + height, col * _WIDTH : (col + 1) * _WIDTH])
            for row, col in cells
        ]
    )


def _elements(program: str, path: Path) -> NDArray[np.uint8] | None:
    """A file with one element a card, named `king_heart`, `10_club`, `back`."""
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
    height = round(_WIDTH * float(np.median([card.shape[0] / card.shape[1] for card in cards])))
    sized = [cv2.resize(card, (_WIDTH, height), interpolation=cv2.INTER_AREA).astype(np.uint8) for card in cards]
    return np.stack([_on_paper(card) for card in sized])


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


def _on_paper(picture: NDArray[np.uint8]) -> Image:
    """RGBA laid on the colour that the card has beside its corners."""
    height = picture.shape[0]
    alpha = picture[..., 3:].astype(np.float32) / 255
    edge = picture[height // 2 - 10 : height // 2 + 10, 6:14, :3].reshape(-1, 3)
    paper = np.median(edge, axis=0)
    return np.asarray(picture[..., :3] * alpha + paper * (1 - alpha), np.uint8)


def measure(faces: NDArray[np.uint8]) -> list[tuple[Box, Box]] | None:
    """Rank and suit box of each card's top-left index in card widths, or None where they cannot be found.

    Args:
        faces: RGB pictures in the order of `solver.cards.DECK`, (52 or more, height, width, 3).
    """
    width = faces.shape[2]
    margin = round(0.022 * width)
    ink = np.stack([_ink(faces[number], margin) for number in range(52)])
    low = [Card(suit, rank).index for suit in Suit for rank in (Rank.ACE, Rank.TWO, Rank.THREE)]
    corner = ink[low][:, : round(0.62 * width), : round(0.27 * width)]
    found = _rank_and_suit(np.asarray(corner.any(axis=(0, 2))), width)
    if found is None:  # one card's rank reaches down to another's suit
        apart = [rows for card in corner if (rows := _rank_and_suit(np.asarray(card.any(axis=1)), width)) is not None]
        if not apart:
            return None
        found = _median(apart)
    rank_top, rank_bottom, suit_top, suit_bottom = found
    columns = _runs(
        np.asarray(corner[:, rank_top:suit_bottom].any(axis=(0, 1))), round(0.02 * width), round(0.03 * width)
    )
    if not columns:
        return None
    left, right = columns[0]
    slack = round(0.012 * width)
    boxes = []
    for card in DECK:
        end = right + slack
        if card.rank == Rank.TEN:
            end = _end_of_run(
                np.asarray(ink[card.index : card.index + 1, rank_top:rank_bottom].any(axis=(0, 1))),
                right,
                min(round(0.45 * width), round(left + 2.1 * (right - left))),
            )
        rank = _ink_box(ink[card.index], max(0, left - slack), rank_top - slack, end, rank_bottom + slack)
        suit = _ink_box(
            ink[card.index], max(0, left - slack), suit_top - slack // 2, right + slack, suit_bottom + slack
        )
        if rank is None or suit is None:
            return None
        boxes.append((rank, suit))
    ranks = {rank: _median([boxes[Card(suit, rank).index][0] for suit in Suit]) for rank in Rank}
    suits = {suit: _median([boxes[Card(suit, rank).index][1] for rank in Rank]) for suit in Suit}
    return [(_scaled(ranks[card.rank], width), _scaled(suits[card.suit], width)) for card in DECK]


def _rank_and_suit(rows: NDArray[np.bool_], width: int) -> tuple[int, int, int, int] | None:
    """First row and end of the rank, first row and end of the suit, from the rows that hold ink."""
    runs = _runs(rows, round(0.008 * width), round(0.035 * width))
    return (*runs[0], *runs[1]) if len(runs) >= 2 else None


def _median(boxes: list[tuple[int, int, int, int]]) -> tuple[int, int, int, int]:
    """A symbol is the same on every card: what touches it on some cards drops out."""
    x1, y1, x2, y2 = (int(value) for value in np.median(np.array(boxes), axis=0))
    return x1, y1, x2, y2


def _ink(face: NDArray[np.uint8], margin: int) -> NDArray[np.bool_]:
    """Where a face differs from its paper, but for the outermost edge."""
    height, width = face.shape[:2]
    paper = np.median(face[margin * 2 : margin * 4, width // 3 : 2 * width // 3].reshape(-1, 3), axis=0)
    side = np.median(face[height // 3 : 2 * height // 3, margin + 1 : margin + 5].reshape(-1, 3), axis=0)
    tone = side if abs(side - paper).max() > 40 else paper
    different: NDArray[np.bool_] = np.abs(face.astype(np.int16) - tone).max(axis=2) > 70
    different[:margin] = False
    different[:, :margin] = False
    return different


def _runs(line: NDArray[Any], join: int, shortest: int) -> list[tuple[int, int]]:
    """Stretches (first, last + 1) of true values; gaps up to `join` are bridged, stretches below `shortest` dropped."""
    places = np.flatnonzero(line)
    if not len(places):
        return []
    cuts = np.flatnonzero(np.diff(places) > join + 1)
    starts, ends = places[np.r_[0, cuts + 1]], places[np.r_[cuts, len(places) - 1]] + 1
    return [(int(a), int(b)) for a, b in zip(starts, ends, strict=True) if b - a >= shortest]


def _end_of_run(line: NDArray[Any], start: int, limit: int) -> int:
    gap = max(3, round(0.012 * len(line)))
    end = start
    for x in range(start, limit):
        if line[x]:
            end = x + 1
        elif x - end >= gap:
            break
    return end + 2


def _ink_box(ink: NDArray[np.bool_], x1: int, y1: int, x2: int, y2: int) -> tuple[int, int, int, int] | None:
    part = ink[max(0, y1) : y2, x1:x2]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if len(rows) < 4 or len(columns) < 2:
        return None
    top = max(0, y1)
    return x1 + int(columns[0]), top + int(rows[0]), x1 + int(columns[-1]) + 1, top + int(rows[-1]) + 1


def _scaled(box: tuple[int, int, int, int], width: int) -> Box:
    x1, y1, x2, y2 = (round(value / width, 4) for value in box)
    return x1, y1, x2, y2
