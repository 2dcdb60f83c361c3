"""The decks of the path-traced tables: drawn here from fonts, or public art from npm packages.

The npm packages are looked for in the cache folder, as those of `datasets.decks.package_decks`.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from PIL import Image, ImageChops

from datasets.decks.fonts import SynthError
from datasets.path_traced.court_figures import court_figure
from datasets.path_traced.signs import PLAIN, sign, stamp
from datasets.picture_tools import Colour, cache_folder
from solver.cards import DECK, Card, Rank, parse_card

HEIGHT: Final = 700
"""Pixels of a card's height in textures."""
_COLUMNS, _ROWS = 8, 7  # of the atlas
_BLACK, _RED, _NIGHT = (18, 18, 20), (196, 18, 34), (20, 20, 60)


@dataclass(frozen=True, slots=True)
class Deck:
    """How a deck looks. Lengths in millimetres.

    Attributes:
        name: Its name in labels.
        index: Width and height of the corner that must be seen to read a card.
        art: The npm package (of `_ART`) whose faces it has; empty for a deck that is drawn here.
        width: Width of a card.
        height: Height of a card.
        font: The font of its ranks.
        symbols: The font of its suits.
        rank_height: Height of an index's rank.
        suit_height: Height of an index's suit.
        courts: The npm package whose court pictures it has; empty for figures drawn here.
        colours: Ink of clubs, diamonds, hearts and spades.
        paper: Colour of the paper.
        corners: How many corners have an index, 2 or 4.
        squeeze: Width of the rank's letters, as a share of the font's.
    """

    name: str
    index: tuple[float, float]
    art: str = ""
    width: float = 63.0
    height: float = 88.0
    font: str = ""
    symbols: str = PLAIN
    rank_height: float = 8.5
    suit_height: float = 6.5
    courts: str = ""
    colours: tuple[Colour, Colour, Colour, Colour] = ((15, 15, 18), (200, 20, 30), (200, 20, 30), (15, 15, 18))
    paper: Colour = (252, 251, 248)
    corners: int = 2
    squeeze: float = 1.0


DECKS: Final[dict[str, tuple[Deck, ...]]] = {
    "validation": (
        Deck("traced/heath", (11, 22), font="RobotoCondensed-Bold.ttf", courts="react", rank_height=9, suit_height=7),
        Deck(
            "traced/caslon",
            (11, 21),
            font="CaslonBold.ttf",
            symbols="FreeSerif.ttf",
            colours=(_BLACK, (214, 30, 30), (214, 30, 30), _BLACK),
            paper=(248, 243, 230),
            corners=4,
        ),
        Deck(
            "traced/spartan",
            (11, 20),
            font="LeagueSpartan-Bold.otf",
            width=57,
            courts="standard-deck",
            rank_height=7.5,
            suit_height=6.2,
            squeeze=0.8,
        ),
        Deck(
            "traced/quattro",
            (14, 27),
            font="RobotoSlab-Bold.otf",
            courts="react",
            squeeze=0.85,
            colours=((0, 120, 50), (20, 70, 200), (205, 20, 30), _BLACK),
            rank_height=11,
            suit_height=9,
        ),
        Deck("npm/standard-deck", (9.5, 21), "standard-deck"),
        Deck("npm/react-2color", (9.5, 20), "react"),
    ),
    "test": (
        Deck(
            "traced/schola",
            (11, 21),
            font="texgyreschola-bold.otf",
            courts="svg-cards",
            squeeze=0.85,
            symbols="Symbola_hint.ttf",
            rank_height=8,
        ),
        Deck(
            "traced/bebas",
            (13, 27),
            font="BebasNeue-Bold.otf",
            colours=(_NIGHT, (225, 40, 60), (225, 40, 60), _NIGHT),
            rank_height=12,
            suit_height=8.5,
        ),
        Deck(
            "traced/vollkorn",
            (10.5, 19),
            font="Vollkorn-Bold.ttf",
            symbols="FreeSans.ttf",
            width=58,
            height=89,
            courts="svg-cards",
            rank_height=7.5,
            suit_height=6,
            paper=(250, 247, 238),
            corners=4,
            squeeze=0.9,
        ),
        Deck(
            "traced/oldstandard",
            (11.5, 22),
            font="OldStandard-Bold.ttf",
            courts="svg-cards",
            suit_height=7,
            colours=(_BLACK, (235, 110, 20), (205, 15, 40), (25, 40, 130)),
            squeeze=0.85,
        ),
        Deck("npm/svg-cards", (9.5, 20), "svg-cards"),
        Deck("npm/react-4color-jumbo", (15, 33), "react-jumbo"),
    ),
}
"""The decks of each split."""
_REACT: Final = "@heruka_urgyen/react-playing-cards/src/images"
_ART: Final[dict[str, tuple[str, float, tuple[int, int, int, int]]]] = {
    # package: a card's file below node_modules, outline to cut off, picture of a court card of 1000 x 1400 px
    "standard-deck": (
        "@younestouati/playing-cards-standard-deck/cards/{number}{suit}.svg",
        0.002,
        (140, 112, 860, 1288),
    ),
    "react": (_REACT + "/2color/{card}.svg", 0.012, (145, 133, 855, 1267)),
    "react-jumbo": (_REACT + "/4color-bf/{card}.svg", 0.012, (145, 133, 855, 1267)),
    "svg-cards": ("svg-cards/png/2x/{word}_{name}.png", 0.022, (125, 15, 875, 1385)),
}
_MARGIN: Final = (3.2, 3.6)
"""Of an index from the card's edges, mm."""
_MIDDLE_COLUMN: Final = {1: (2,), 2: (0, 4), 3: (0, 2, 4), 5: (2,), 7: (1,), 8: (1, 3), 9: (2,), 10: (2 / 3, 10 / 3)}
"""Rows of the pips in the middle, 0 at the top to 4, by rank."""
_SIDE_COLUMNS: Final = {4: (0, 4), 5: (0, 4), 6: (0, 2, 4), 7: (0, 2, 4), 8: (0, 2, 4)}
_SIDE_COLUMNS_OF_FOUR: Final = (0, 4 / 3, 8 / 3, 4)


def _art(package: str, card: Card, size: tuple[int, int]) -> Image.Image:
    """A card of a package, its outline cut off."""
    pattern, cut, _ = _ART[package]
    number, word = int(card.rank), card.suit.name.lower().rstrip("s")
    name = {11: "jack", 12: "queen", 13: "king"}.get(number, number)
    path = (
        cache_folder()
        / "node_modules"
        / pattern.format(number=number, suit=str(card.suit).lower(), card=card, word=word, name=name)
    )
    if not path.exists():
        package = "/".join(pattern.split("/")[: 1 + pattern.startswith("@")])
        raise SynthError(f"{path} is missing; run npm install --prefix {cache_folder()} {package}")
    source: io.BytesIO | str = str(path)
    if path.suffix == ".svg":
        program = shutil.which("rsvg-convert")
        if program is None:
            raise SynthError("rsvg-convert is missing; install the Debian package librsvg2-bin")
        done = subprocess.run([program, "-h", "1000", "-a", str(path)], capture_output=True, check=True)
        source = io.BytesIO(done.stdout)
    image = Image.open(source).convert("RGBA")
    base = Image.new("RGB", image.size, (255, 255, 255))
    base.paste(image, mask=image.getchannel("A"))
    x, y = round(base.width * cut * 1.2), round(base.height * cut)
    return base.crop((x, y, base.width - x, base.height - y)).resize(size, Image.Resampling.LANCZOS)


def _index_mask(deck: Deck, card: Card, size: tuple[int, int], middle: float) -> Image.Image:
    """The index in the upper left corner, its middle axis at `middle` px."""
    scale = HEIGHT / deck.height
    text = sign(deck.font, "10" if card.rank is Rank.TEN else str(card.rank))
    suit = sign(deck.symbols, card.suit.symbol)
    top, rank_high, suit_high = (length * scale for length in (_MARGIN[1], deck.rank_height, deck.suit_height))
    most = 1.12 * _index_width(deck) * scale
    placed = (
        (text, top + rank_high / 2, rank_high, min(text.width * rank_high / text.height * deck.squeeze, most)),
        (suit, top + rank_high + 1.4 * scale + suit_high / 2, suit_high, suit.width * suit_high / suit.height),
    )
    mask = Image.new("L", size, 0)
    for shape, y, high, wide in placed:
        small = shape.resize((max(2, round(wide)), round(high)), Image.Resampling.LANCZOS)
        mask.paste(small, (round(middle - small.width / 2), round(y - small.height / 2)))
    return mask


def _index_width(deck: Deck) -> float:
    return 7.6 * (deck.rank_height / 8.5)


def _all_indices(deck: Deck, mask: Image.Image) -> Image.Image:
    """The index of the upper left corner in all corners that have one."""
    if deck.corners == 4:
        box = mask.getbbox()
        assert box is not None
        beside = Image.new("L", mask.size, 0)
        beside.paste(mask.crop(box), (mask.width - box[2], box[1]))
        mask = ImageChops.lighter(mask, beside)
    return ImageChops.lighter(mask, mask.transpose(Image.Transpose.ROTATE_180))


def _print_pips(image: Image.Image, deck: Deck, card: Card, ink: Colour) -> None:
    scale, symbol = HEIGHT / deck.height, sign(deck.symbols, card.suit.symbol)
    side = _MARGIN[0] + _index_width(deck) + 6.2
    high = 12.5 if deck.width > 60 else 11.5
    big = 1.0 if card.rank > 1 else 2.1 if str(card) == "AS" else 1.4
    sides = _SIDE_COLUMNS_OF_FOUR if card.rank > 8 else _SIDE_COLUMNS.get(card.rank, ())
    pips = [(column, row) for column in (0, 2) for row in sides]
    for column, row in pips + [(1, row) for row in _MIDDLE_COLUMN.get(card.rank, ())]:
        x, y = side + column / 2 * (deck.width - 2 * side), 14.5 + row / 4 * (deck.height - 29)
        stamp(image, symbol, (x * scale, y * scale), high * scale * big, ink, turned=row > 2)


def _print_court(image: Image.Image, deck: Deck, card: Card) -> None:
    scale = HEIGHT / deck.height
    if deck.courts:
        art = _art(deck.courts, card, (1000, 1400)).crop(_ART[deck.courts][2])
    else:
        art = court_figure(card, deck.colours[card.suit], sign(deck.symbols, card.suit.symbol), deck.paper)
    left, top = (_MARGIN[0] + _index_width(deck) + 2) * scale, 6.5 * scale
    box = (round(left), round(top), round(image.width - left), round(image.height - top))
    art = art.resize((box[2] - box[0], box[3] - box[1]), Image.Resampling.LANCZOS)
    tinted = np.asarray(art, float) * (np.array(deck.paper) / 255 if deck.paper != (255, 255, 255) else 1)
    image.paste(Image.fromarray(tinted.astype(np.uint8)), box[:2])


def face(deck: Deck, card: Card) -> Image.Image:
    """The face of a card, 700 px high.

    Raises:
        SynthError: If a font, a package or a program is not installed.
    """
    scale = HEIGHT / deck.height
    size = (round(deck.width * scale), HEIGHT)
    if deck.art:
        return _art(deck.art, card, size)
    ink = deck.colours[card.suit]
    image = Image.new("RGB", size, deck.paper)
    if card.rank <= Rank.TEN:
        _print_pips(image, deck, card, ink)
    else:
        _print_court(image, deck, card)
    mask = _index_mask(deck, card, size, (_MARGIN[0] + _index_width(deck) / 2) * scale)
    image.paste(Image.new("RGB", size, ink), mask=_all_indices(deck, mask))
    return image


@lru_cache(maxsize=2)
def atlas(deck: Deck) -> Image.Image:
    """All faces in one picture. Raises SynthError as `face` does."""
    wide = round(deck.width * HEIGHT / deck.height)
    sheet = Image.new("RGB", (wide * _COLUMNS, HEIGHT * _ROWS), deck.paper)
    for card in DECK:
        sheet.paste(face(deck, card), (card.index % _COLUMNS * wide, card.index // _COLUMNS * HEIGHT))
    return sheet


def cell(card: str) -> tuple[float, float, float, float]:
    """A card's part of the atlas: left, bottom, width, height in texture coordinates, 0 to 1.

    >>> cell("AC")[:2]
    (0.0, 0.8571428571428572)
    """
    row, column = divmod(parse_card(card).index, _COLUMNS)
    return column / _COLUMNS, 1 - (row + 1) / _ROWS, 1 / _COLUMNS, 1 / _ROWS
