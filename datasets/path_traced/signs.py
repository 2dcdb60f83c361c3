"""Signs of fonts, stamped on faces and backs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from os import environ
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from datasets.decks.fonts import SynthError
from datasets.picture_tools import Colour

PLAIN: Final = "DejaVuSans.ttf"
"""A font with suits and chessmen."""
_PACKAGES: Final = {
    PLAIN: "fonts-dejavu-core",
    "BebasNeue-Bold.otf": "fonts-bebas-neue",
    "CaslonBold.ttf": "fonts-georgewilliams",
    "FreeSans.ttf": "fonts-freefont-ttf",
    "FreeSerif.ttf": "fonts-freefont-ttf",
    "Lato-Black.ttf": "fonts-lato",
    "LeagueSpartan-Bold.otf": "fonts-league-spartan",
    "OldStandard-Bold.ttf": "fonts-oldstandard",
    "RobotoCondensed-Bold.ttf": "fonts-roboto-unhinted",
    "RobotoSlab-Bold.otf": "fonts-roboto-slab",
    "Symbola_hint.ttf": "fonts-symbola",
    "Vollkorn-Bold.ttf": "fonts-vollkorn",
    "texgyreschola-bold.otf": "fonts-texgyre",
}
"""The fonts, and the Debian packages that hold them."""


def data_folders() -> Iterator[Path]:
    """Where a desktop's fonts and wallpapers lie, `$XDG_DATA_DIRS`."""
    yield from map(Path, (environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":"))


@cache
def _font_file(name: str) -> Path:
    for folder in (*data_folders(), Path("/usr/share/texmf")):
        found = next((folder / "fonts").rglob(name), None)
        if found is not None:
            return found
    raise SynthError(f"the font {name} is missing; install the Debian package {_PACKAGES[name]}")


@lru_cache(maxsize=512)
def sign(font: str, text: str) -> Image.Image:
    """The mask of a text in one of the fonts, cut to its ink; it is some 400 px high.

    Raises:
        SynthError: If the font is not installed.
    """
    face = ImageFont.truetype(str(_font_file(font)), 400)
    left, top, right, bottom = face.getbbox(text)
    mask = Image.new("L", (int(right - left) + 40, int(bottom - top) + 40), 0)
    ImageDraw.Draw(mask).text((20 - left, 20 - top), text, fill=255, font=face)
    return mask.crop(mask.getbbox())


def stamp(
    image: Image.Image,
    mask: Image.Image,
    centre: tuple[float, float],
    height: float,
    colour: Colour,
    *,
    turned: bool = False,
) -> None:
    """Stamps a sign, `height` px high, on a picture; `turned` puts it upside down."""
    high = max(2, round(height))
    wide = max(2, round(mask.width * high / mask.height))
    mask = mask.resize((wide, high), Image.Resampling.LANCZOS)
    if turned:
        mask = mask.rotate(180)
    place = (round(centre[0] - wide / 2), round(centre[1] - high / 2))
    image.paste(Image.new("RGB", mask.size, colour), place, mask)
