"""The sample photos of the page, at least one for each game."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from solver.games import GAMES
from webapp.photo_session import thumbnail

FOLDER: Final = Path(__file__).with_name("samples")
"""A link to `datasets/samples`; in a wheel a folder of its own."""


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
    return thumbnail(path, 480)
