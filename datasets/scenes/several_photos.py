"""One table in several photos: laid once, seen by several cameras, a few cards pushed between the shots.

Either the photos are parts of the table, of which neighbours have a fifth in common, or the first one shows all of it
and the others are close-ups with gaps between them. Each photo is turned and tilted anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from datasets.decks.deck import Deck
from datasets.decks.deck_choice import choose_deck
from datasets.games.game import PositionJson, scene_of
from datasets.layouts import FAMILIES, Family, Shape, sample
from datasets.picture_tools import Image, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import LaidCard, Stage, Truth, scene_truth
from datasets.scenes.surfaces import background
from datasets.scenes.whole_tables import fitted
from datasets.splits import Split
from solver.cards import DECK
from solver.games import position_from_json

MOST_VIEWS: Final = 6


@dataclass(frozen=True, slots=True)
class ViewTuning:
    """How the photos of one table differ.

    Attributes:
        common_share: Share of the table that neighbouring parts both show.
        turned_chance: That a photo after the first one is taken from another side of the table.
        pushed_chance: That cards are pushed between the photos of a table.
        push_card_widths: How far they are, standard deviation.
        pushed_meld_share: Share of the melds that are pushed, and half as many single cards.
    """

    common_share: float = 0.2
    turned_chance: float = 0.2
    pushed_chance: float = 0.5
    push_card_widths: float = 0.08
    pushed_meld_share: float = 0.1


TUNING: Final = ViewTuning()


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A table that is laid and may be photographed from anywhere.

    Attributes:
        game: The game's word.
        split: Whose decks and backgrounds are used.
        deck: The deck.
        position: What it shows.
        cards: The cards as they lie, in painting order.
        surface: Seed of the surface.
    """

    game: str
    split: Split
    deck: Deck
    position: PositionJson
    cards: tuple[LaidCard, ...]
    surface: int

    def truth(self, photos: Sequence[str]) -> Truth:
        """The ground truth of all photos together, as JSON object."""
        return {
            "game": self.game,
            "deck": self.deck.name,
            "split": self.split,
            "photos": list(photos),
            "cards": [{"card": None if p.card is None else str(p.card), "zone": p.zone} for p in self.cards],
            "position": self.position,
        }


def lay_table(
    rng: Rng, split: Split, game: str, position: PositionJson | None = None, family: Family | None = None
) -> LaidTable:
    """A table of a game in a way to lay it, the usual one by default.

    Unless a position is given, it shows a random legal one, of those that this way can show.
    """
    family = family or next(one for one in FAMILIES if one.name == f"{game}/usual")
    drawn = (family.position or scene_of(game).random_position)(rng) if position is None else position
    position = position_from_json(drawn).to_json()
    deck = choose_deck(rng, split, 0.5)
    laid = sample(rng, game, Shape.of(deck, DECK), family=family, position=position)
    return LaidTable(game, split, deck, position, laid.cards, int(rng.integers(2**31)))


def views(
    rng: Rng, table: LaidTable, size: tuple[int, int], count: int, *, closeups: bool = False, strength: float = 0.7
) -> list[tuple[Image, Truth]]:
    """Photos of a table, each with the ground truth of what it shows.

    Args:
        rng: Random generator.
        table: The table.
        size: Width and height of each photo, px.
        count: How many photos, 1 to `MOST_VIEWS`; one alone shows the whole table.
        closeups: The first photo shows the whole table, the others parts of it with gaps between them.
        strength: Chance factor of harsh light and blur, 0 to 1.

    Returns:
        uint8 RGB pictures and their ground truth; a photo's `position` is null, as it may show a part of one.
    """
    if not 1 <= count <= MOST_VIEWS:
        raise ValueError(f"{count} photos of a table; expected 1 to {MOST_VIEWS}")
    aims = _aims(table.cards, count, closeups=closeups)
    lying, shots = table.cards, []
    moves = rng.random() < TUNING.pushed_chance
    for number, aim in enumerate(aims):
        if number and moves:
            lying = pushed(rng, lying)
        camera = fitted(rng, [lying[k] for k in aim], table.deck, size, TUNING.turned_chance if number else 0.0)
        ground = background(np.random.default_rng(table.surface), table.split, *size)
        stage = Stage(rng, ground, camera, [table.deck])
        for card in lying:
            stage.lay(card)
        truth = scene_truth(stage, game=table.game, split=table.split, seed=-1, position=None)
        shots.append((develop(rng, stage.image, stage.owner >= 0, strength=strength), truth))
    return shots


def _aims(cards: Sequence[LaidCard], count: int, *, closeups: bool) -> list[list[int]]:
    """Which cards each photo of a table is to show, by their rows."""
    every, common = list(range(len(cards))), TUNING.common_share
    if count == 1:
        return [every]
    return [every, *parts(cards, count - 1, -common)] if closeups else parts(cards, count, common)


def parts(cards: Sequence[LaidCard], count: int, common: float) -> list[list[int]]:
    """Rows of the cards in `count` parts of a table, side by side along its longer side, from four on in two lines.

    Args:
        cards: The cards as they lie.
        count: How many parts.
        common: Share of the table that neighbours both show; below 0 the share that lies between them.
    """
    at = np.array([[card.x, card.y] for card in cards]).reshape(-1, 2)
    low, spread = at.min(0), np.maximum(np.ptp(at, axis=0), 1e-6)
    long = int(spread.argmax())
    lines = 2 if count in (4, 6) else 1
    found = []
    for place in range(count // lines):
        for line in range(lines):
            shares = np.array([_share(place, count // lines, common), _share(line, lines, common)])
            share = shares if long == 0 else shares[::-1]
            inside = ((at >= low + share[:, 0] * spread) & (at <= low + share[:, 1] * spread)).all(1)
            found.append(np.flatnonzero(inside).tolist())
    return [part for part in found if len(part) > 1]


def _share(place: int, of: int, common: float) -> tuple[float, float]:
    """Where the part at a place begins and ends, as shares of the whole; a little is added at the outer ends."""
    if of == 1:
        return -0.01, 1.01
    wide = (1 + (of - 1) * common) / of
    first = place * (wide - common)
    return first - 0.01 * (place == 0), first + wide + 0.01 * (place == of - 1)


def pushed(rng: Rng, cards: Sequence[LaidCard]) -> tuple[LaidCard, ...]:
    """The cards after some melds, and some single cards, were pushed a little."""
    push, share = TUNING.push_card_widths, TUNING.pushed_meld_share
    moves: dict[str, Any] = {}
    out = []
    for card in cards:
        move = moves.setdefault(card.zone, rng.normal(0, push, 2) * (rng.random() < share))
        move = move + rng.normal(0, push, 2) * (rng.random() < share / 2)
        out.append(replace(card, x=card.x + float(move[0]), y=card.y + float(move[1])))
    return tuple(out)
