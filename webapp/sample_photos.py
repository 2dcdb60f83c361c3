"""The sample photos of the page, at least one for each game."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from solver.games import GAMES

FOLDER: Final = Path(__file__).with_name("samples")
"""A link to `datasets/samples`; in a wheel a folder of its own."""
SMALL_PX: Final = (480, 480)


def paths() -> tuple[Path, ...]:
    """The sample photos; empty where a checkout made no link of `FOLDER`."""
    return tuple(sorted(FOLDER.glob("*.jpg")))


def game(path: Path) -> str | None:
    """The game that a sample's name says."""
    return next((game for game in GAMES if path.stem.startswith(game)), None)


def title(path: Path) -> str:
    """What a sample is called."""
    known, number = game(path), path.stem.rpartition("_")[2]
    return f"{GAMES[known].title} {number}" if known and number.isdigit() else path.stem.replace("_", " ").capitalize()


@cache
def small(path: Path) -> bytes:
    """A sample as a small JPEG."""
    with Image.open(path) as photo:
        photo.draft("RGB", SMALL_PX)
        photo.thumbnail(SMALL_PX)
        file = BytesIO()
        photo.save(file, "JPEG", quality=85)
    return file.getvalue()
