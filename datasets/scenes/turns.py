"""Turns of Makiaveli in two photos: the table before and after, of another angle each.

What a turn leaves alone stays where it lies, but for what somebody pushed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from datasets.games.played_turns import TurnScene
from datasets.layouts import Part, families
from datasets.layouts.geometry import Cards, extent, moved
from datasets.picture_tools import Image, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import LaidCard, Stage
from datasets.scenes.several_photos import LaidTable, lay_table, pushed
from datasets.scenes.surfaces import background
from datasets.scenes.whole_tables import fitted
from datasets.splits import Split
from solver.cards import MaybeCard
from solver.makiaveli import Position

MARGIN: Final = 0.12
"""Between melds, card widths."""


def photograph_turn(
    rng: Rng, split: Split, scene: TurnScene, size: tuple[int, int], *, hand: bool, strength: float = 0.7
) -> tuple[list[Image], str]:
    """The two photos of a turn; with test decks on a table laid in a way that no training sees.

    Args:
        rng: Random generator.
        split: Whose decks and backgrounds are used.
        scene: The turn.
        size: Width and height of each photo, px.
        hand: Whether the hand lies in the photos.
        strength: Chance factor of harsh light and blur, 0 to 1.

    Returns:
        uint8 RGB pictures, and the name of the way to lay them.
    """
    part: Part = "held out" if split == "test" else "train"
    choices = [family for family in families(Position.game, part) if family.position is None]  # others lay no cross
    family = choices[int(rng.integers(len(choices)))]
    seed = int(rng.integers(2**31))
    laid = []
    for position in (scene.before, scene.after):
        shown = position if hand else replace(position, hand=())
        laid.append(lay_table(np.random.default_rng(seed), split, Position.game, shown.to_json(), family))
    first, second = laid
    second = replace(first, cards=pushed(rng, _lie_after(scene, first, second)))
    return [shoot(rng, table, size, strength) for table in (first, second)], family.name


def _lie_after(scene: TurnScene, first: LaidTable, second: LaidTable) -> Cards:
    """The cards after the turn: what it left alone where it lay, the rest as the second table has it, where room is."""
    kept = _kept_melds(scene)
    lying = list(_left_alone(first.cards, scene.after, kept))
    hand: Counter[MaybeCard] = Counter(scene.after.hand)
    hand.subtract(card.card for card in lying if card.zone == "hand")
    pieces: dict[str, Cards] = {}
    for card in second.cards:
        if card.zone.startswith("floor/") and int(card.zone[6:]) not in kept.values():
            pieces.setdefault(card.zone, []).append(card)
        elif card.zone == "hand" and hand[card.card]:
            hand[card.card] -= 1
            pieces.setdefault("hand", []).append(card)
    for cards in pieces.values():
        lying += _where_room_is(lying, cards, first.deck.aspect)
    return lying


def _kept_melds(scene: TurnScene) -> dict[int, int]:
    """The number after the turn of each meld that it left alone, by the number before it."""
    left = {n: sorted(meld) for n, meld in enumerate(scene.before.floor)}
    kept: dict[int, int] = {}
    for number, meld in enumerate(scene.after.floor):
        same = next((n for n, cards in left.items() if cards == sorted(meld)), None)
        if same is not None:
            kept[same] = number
            del left[same]
    return kept


def _left_alone(laid: Sequence[LaidCard], after: Position, kept: Mapping[int, int]) -> Iterator[LaidCard]:
    """The cards of the first table that lie so after the turn too, in the zones that they have then."""
    hand: Counter[MaybeCard] = Counter(after.hand)
    for card in laid:
        kind, _, place = card.zone.partition("/")
        if kind == "floor":
            if int(place) in kept:
                yield replace(card, zone=f"floor/{kept[int(place)]}")
        elif kind == "hand":
            if hand[card.card]:
                hand[card.card] -= 1
                yield card
        elif kind != "cross" or after.cross[int(place)] is not None:
            yield card


def _where_room_is(lying: Cards, cards: Cards, aspect: float) -> Cards:
    """The cards moved as little as needed to cover nothing that lies there."""
    zones: dict[str, Cards] = {}
    for card in lying:
        zones.setdefault(card.zone, []).append(card)
    boxes = np.array([extent(group, aspect) for group in zones.values()]).reshape(-1, 4)
    left, far, right, near = extent(cards, aspect)
    for distance in np.arange(0, 40, 0.4):
        for angle in np.arange(0, 2 * np.pi, np.pi / 8) if distance else (0.0,):
            x, y = distance * np.cos(angle), distance * np.sin(angle)
            apart = (
                (boxes[:, 0] > right + x + MARGIN)
                | (boxes[:, 2] < left + x - MARGIN)
                | (boxes[:, 1] > near + y + MARGIN)
                | (boxes[:, 3] < far + y - MARGIN)
            )
            if apart.all():
                return moved(cards, float(x), float(y))
    raise AssertionError("there is always room far off")


def shoot(rng: Rng, table: LaidTable, size: tuple[int, int], strength: float) -> Image:
    """A photo of a whole table."""
    camera = fitted(rng, table.cards, table.deck, size)
    stage = Stage(rng, background(np.random.default_rng(table.surface), table.split, *size), camera, [table.deck])
    for card in table.cards:
        stage.lay(card)
    return develop(rng, stage.image, stage.owner >= 0, strength=strength)
