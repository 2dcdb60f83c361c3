"""The games' tables: the module of each game, and of `no_game`, has a `MAKER`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

from datasets.path_traced.tables import Maker
from solver.games import GAMES

NO_GAME: Final = "no_game"
"""The word for cards that are no game."""
KINDS: Final = tuple(kind for kind in (*GAMES, NO_GAME) if Path(__file__).with_name(f"{kind}.py").exists())
"""What tables can be made of; a game need not be among them."""


def maker_of(kind: str) -> Maker:
    """How tables of a kind are made."""
    maker: Maker = import_module(f"datasets.path_traced.games.{kind}").MAKER
    return maker
