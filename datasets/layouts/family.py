"""A way to lay a table, and a table laid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from datasets.games.game import PositionJson
from datasets.layouts.dealer import Dealer
from datasets.layouts.geometry import Shape
from datasets.picture_tools import Rng
from datasets.scenes.renderer import LaidCard

Draw = Callable[[Rng], PositionJson]
NO_GAME: Final = ("no game", "none")
"""What the names of families begin with that are no game of ours."""


@dataclass(frozen=True, slots=True)
class Family:
    """One way to lay a game, or cards that are no game of ours.

    Attributes:
        name: Unique, as `klondike/mirrored`.
        game: The game's word; None for no game of ours.
        lay: The cards in painting order, in card widths; y runs towards the player. For no game the position is empty
            and the family chooses its cards itself.
        author: Whose idea it is.
        held_out: Whether it is kept from training and tuning.
        weight: How often it is drawn, against the others of its game.
        position: Draws a position that the family can show; None for any of the game.
    """

    name: str
    game: str | None
    lay: Callable[[Rng, PositionJson, Shape], Sequence[LaidCard]]
    author: str = "house"
    held_out: bool = False
    weight: float = 1.0
    position: Draw | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A table as it lies.

    Attributes:
        family: The family's name.
        game: The game's word; None for no game of ours.
        position: What it shows, as a JSON object; None for no game.
        cards: The cards in painting order.
    """

    family: str
    game: str | None
    position: PositionJson | None
    cards: tuple[LaidCard, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a dealer lays one family: its name, the method that lays it, and what else a `Family` says."""

    name: str
    lay: Callable[[Any], Sequence[LaidCard]]
    position: Draw | None = None
    weight: float = 1.0


def lays(
    name: str, position: Draw | None = None, weight: float = 1.0
) -> Callable[[Callable[[Any], Sequence[LaidCard]]], Recipe]:
    """Makes a dealer's method the recipe of a family."""
    return partial(Recipe, name, position=position, weight=weight)


def families(dealer: type[Dealer], *more: Recipe) -> tuple[Family, ...]:
    """The families of a dealer: those of its class in order, then more."""
    recipes = [*(recipe for recipe in vars(dealer).values() if isinstance(recipe, Recipe)), *more]
    return tuple(_family(dealer, recipe) for recipe in recipes)


def _family(dealer: type[Dealer], recipe: Recipe) -> Family:
    game = recipe.name.partition("/")[0]
    return Family(
        recipe.name,
        None if game in NO_GAME else game,
        lambda rng, position, shape: recipe.lay(dealer(rng, position, shape)),
        dealer.author,
        dealer.held_out,
        recipe.weight,
        recipe.position,
    )
