"""A way to lay a table, and a table laid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from datasets.games.game import Position
from datasets.layouts.blocks import Shape
from datasets.scenes.renderer import LaidCard, Rng


@dataclass(frozen=True, slots=True)
class Family:
    """One way to lay a game, or cards that are no game of ours.

    Attributes:
        name: Unique, as `klondike/mirrored`.
        game: The game's word; None for no game of ours.
        lay: The cards in painting order, in card widths; y runs towards the player. For no game the position is empty
            and the family chooses its cards itself.
        held_out: Whether it is kept from training and tuning.
        weight: How often it is drawn, against the others of its game.
        position: Draws a position that the family can show; None for any of the game.
    """

    name: str
    game: str | None
    lay: Callable[[Rng, Position, Shape], Sequence[LaidCard]]
    held_out: bool = False
    weight: float = 1.0
    position: Callable[[Rng], Position] | None = None


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
    position: Position | None
    cards: tuple[LaidCard, ...]
