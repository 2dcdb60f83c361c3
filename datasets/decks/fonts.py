"""The fonts that decks are drawn from, split by family before anything is rendered.

Those of npm's @fontsource packages are for training alone: validation and test decks stay what they were. Their names
stand in `fontsource.txt`; `datasets/README.md` says how they are installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from datasets.picture_tools import cache_folder
from datasets.splits import Split, split_of
from plumbing.errors import CardsError

_LATIN: Final = "30 31 32 33 34 35 36 37 38 39 41 42 44 46 4a 4b 51 52 56 57"
_CYRILLIC: Final = "412 414 41a 422"
_UNFIT: Final = re.compile(
    "symbol|keyboard|initials|keyfont|nushu|8x16|caliban|cupola|abogado|it wasn't me|junkyard|penguin|wargames|d050000|"
    "unifur|ecolier|domestic|fantasma|unifont|emoji|math|barcode|braille|z003|chorus|chancery|script",
    re.IGNORECASE,
)
_CLONES: Final = {
    "helvetica": "Nimbus Sans|TeX Gyre Heros|FreeSans|Liberation Sans|Arimo|IndUni-H|Nimbus Sans Narrow"
    "|TeX Gyre Heros Cn",
    "times": "Nimbus Roman|TeX Gyre Termes|FreeSerif|Liberation Serif|Tinos|IndUni-T|STIX|STIXGeneral",
    "courier": "Nimbus Mono PS|TeX Gyre Cursor|FreeMono|Liberation Mono|Cousine|Courier Prime|Courier Prime Code",
    "century": "C059|TeX Gyre Schola|IndUni-C",
    "palatino": "P052|TeX Gyre Pagella|IndUni-P",
    "bookman": "URW Bookman|TeX Gyre Bonum",
    "avant garde": "URW Gothic|TeX Gyre Adventor",
    "vera": "DejaVu Sans|DejaVu Sans Mono|DejaVu Serif|DejaVu Math TeX Gyre|Verana|Verana Sans|Verana Sans Demi"
    "|Verana Sans Medium|Hack",
    "lato": "Lato|Carlito",
    "m": "Mplus Code 50|Mplus Code 60",
    "gentium": "GentiumAlt",
    "biolinum": "Linux Biolinum O|Linux Biolinum Keyboard O",
}
_FORMAT: Final = "%{file}|%{index}|%{family[0]}|%{weight[0]}|%{slant[0]}|%{variable}\n"
_FONTSOURCE: Final = "node_modules/@fontsource/*/files/*-latin-[479]00-normal.woff2"
_GROUP: Final = {family: group for group, families in _CLONES.items() for family in families.split("|")}


class SynthError(CardsError):
    """Something that rendering needs is missing; the message names the package to install."""


def font_group(family: str) -> str:
    """What a family shares its split with: clones of one design, and families of one name.

    >>> font_group("Liberation Sans"), font_group("Roboto Slab")
    ('helvetica', 'roboto')
    """
    return _GROUP.get(family) or family.split()[0].lower()


@dataclass(frozen=True, slots=True)
class Font:
    """One face of a font file.

    Attributes:
        path: The font file.
        face: Number of the face in a collection file.
        family: Family name.
        cyrillic: Whether the face has the letters В Д К Т.
        weight: fontconfig's weight, 0 (thin) to 210 (black); 80 is regular.
        slant: 0 for an upright face.
    """

    path: str
    face: int
    family: str
    cyrillic: bool
    weight: int
    slant: int


@cache
def fonts(split: Split) -> tuple[Font, ...]:
    """The fonts of a split, grouped in families, sorted so that the same seed picks the same font.

    Raises:
        SynthError: If the machine has no fontconfig or fewer than three families for the split.
    """
    every = _installed() + (_fontsource() if split == "train" else ())
    chosen = [font for font in every if split_of("font", font_group(font.family)) == split]
    if len({font.family for font in chosen}) < 3:
        raise SynthError(
            f"too few fonts for the {split} split ({len(chosen)}); install more, such as the Debian packages "
            "fonts-texgyre fonts-adf-* fonts-liberation2 fonts-noto-core fonts-urw-base35"
        )
    return tuple(chosen)


@cache
def families(split: Split) -> tuple[tuple[Font, ...], ...]:
    """The fonts of a split by family."""
    by_family: dict[str, list[Font]] = {}
    for font in fonts(split):
        by_family.setdefault(font.family, []).append(font)
    return tuple(tuple(by_family[name]) for name in sorted(by_family))


@cache
def symbol_fonts(split: Split) -> tuple[Font, ...]:
    """The fonts of a split with the four suits' symbols."""
    found = _query("2660 2663 2665 2666")
    return tuple(
        font
        for font in found
        if split_of("font", font_group(font.family)) == split and not font.slant and "8x16" not in font.family
    )


@cache
def _installed() -> tuple[Font, ...]:
    return tuple(font for font in _query(_LATIN) if not _UNFIT.search(font.family + font.path))


@cache
def _fontsource() -> tuple[Font, ...]:
    """The installed fonts of npm, regular, bold and black; their files of Latin letters hold no Cyrillic ones."""
    files = sorted(map(str, cache_folder().glob(_FONTSOURCE)))
    found = _parsed(_run("fc-scan", *files), frozenset()) if files else ()
    return tuple(font for font in found if not _UNFIT.search(font.family))


def _query(charset: str) -> tuple[Font, ...]:
    lines = _run("fc-list", f":charset={charset}")
    cyrillic = frozenset(_run("fc-list", f":charset={charset} {_CYRILLIC}"))
    return _parsed([line for line in lines if line.split("|")[0].lower().endswith((".ttf", ".otf", ".ttc"))], cyrillic)


def _run(program: str, *arguments: str) -> list[str]:
    """What one of fontconfig's programs says of fonts, a line each, in order."""
    path = shutil.which(program)
    if path is None:
        raise SynthError(f"{program} not found; install the Debian package fontconfig")
    done = subprocess.run([path, "--format", _FORMAT, *arguments], capture_output=True, text=True, check=True)
    return sorted(set(done.stdout.splitlines()))


def _parsed(lines: Sequence[str], cyrillic: Collection[str]) -> tuple[Font, ...]:
    """Fonts from lines of `_run`; those among `cyrillic` have the Cyrillic letters too."""
    found = []
    for line in lines:
        parts = line.split("|")
        if len(parts) != 6 or parts[5] == "True":
            continue
        path, face, family, weight, slant, _ = parts
        found.append(
            Font(path, int(face) & 0xFFFF, family, line in cyrillic, int(float(weight or 80)), int(float(slant or 0)))
        )
    return tuple(found)
