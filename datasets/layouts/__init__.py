"""How people lay tables: the one place that knows it. Renderer, training and tests all draw from it.

A *family* is one way to lay one game, or to lay cards that are no game of ours. `sample` draws a family, a position and
the cards laid so. Some families are held out: no training ever sees them, so what is measured on them tells how a
layout is read that nobody thought of. What was chosen after a look at them stands in `models/README.md`.

    table = sample(rng, shape_of=Shape.of(deck, DECK))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from datasets.games.game import PositionJson, scene_of
from datasets.layouts import klondike, makiaveli, no_game, tombs
from datasets.layouts.family import Family, Laid
from datasets.layouts.geometry import Shape
from datasets.picture_tools import Rng
from datasets.scenes.renderer import LaidCard

Part = Literal["train", "held out", "all"]

FAMILIES: Final[tuple[Family, ...]] = (*klondike.FAMILIES, *makiaveli.FAMILIES, *tombs.FAMILIES, *no_game.FAMILIES)
"""All families; a name stands once."""


def families(game: str | None, part: Part = "all") -> list[Family]:
    """The families of a game (None: no game of ours) that a part may draw from."""
    return [f for f in FAMILIES if f.game == game and (part == "all" or f.held_out == (part == "held out"))]


def sample(
    rng: Rng,
    game: str | None,
    shape: Shape,
    *,
    part: Part = "train",
    family: Family | None = None,
    position: PositionJson | None = None,
) -> Laid:
    """A table: a family of the game, a position that it can show, and the cards as they lie.

    Args:
        rng: Random generator.
        game: The game's word, None for no game of ours.
        shape: The deck's measures.
        part: Which families to draw from.
        family: A family instead of a drawn one.
        position: A position (its JSON object) instead of a random legal one.
    """
    if family is None:
        choices = families(game, part)
        weights = [f.weight for f in choices]
        family = choices[int(rng.choice(len(choices), p=[w / sum(weights) for w in weights]))]
    if family.game is None:
        return Laid(family.name, None, None, tuple(family.lay(rng, {}, shape)))
    if position is None:
        position = (family.position or scene_of(family.game).random_position)(rng)
    laid: Sequence[LaidCard] = family.lay(rng, position, shape)
    return Laid(family.name, family.game, position, tuple(laid))


__all__ = ["FAMILIES", "Family", "Laid", "Part", "Shape", "families", "sample"]
