"""Whole tables of the four games and of none: cards laid as `layouts` knows it, and a phone's photo of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.decks.borderless_backs import BackKind
from datasets.decks.deck import Deck, OtherBack
from datasets.decks.deck_choice import choose_deck, choose_unusual, with_ornate_back
from datasets.decks.drawn_deck import DeckKind
from datasets.games.game import PositionJson
from datasets.layouts import Family, Part, Shape, sample
from datasets.picture_tools import Image, Points, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import Camera, LaidCard, Stage, Truth, lay_hand, lay_object, scene_truth
from datasets.scenes.surfaces import background
from datasets.splits import Split
from solver.cards import DECK
from solver.games import position_from_json

TRAINING_BACKS: Final = (1_000_000, 2_000_000)
"""Seeds of backs that no drawn deck has."""


@dataclass(frozen=True, slots=True)
class TableTuning:
    """How tables are laid and photographed.

    Attributes:
        tight_share: Share of the room that an index needs, where cards are laid tightly.
        thin_step_card_widths: Height of an overlapped back's strip where it is little more than a millimetre.
        squared_share: Share of the tables with thin steps whose backs lie squared: nobody can count those.
        quarter_turned_share: Share of the photos that are taken from another side than the player's.
    """

    tight_share: tuple[float, float] = (0.6, 0.95)
    thin_step_card_widths: tuple[float, float] = (0.014, 0.08)
    squared_share: float = 0.15
    quarter_turned_share: float = 0.2


TUNING: Final = TableTuning()


def render_table(
    rng: Rng,
    split: Split,
    game: str | None,
    size: tuple[int, int] = (1280, 960),
    *,
    position: PositionJson | None = None,
    deck: Deck | None = None,
    strength: float = 0.7,
    tight: bool = False,
    thin: bool = False,
    decks: DeckKind = "usual",
    backs: BackKind = "usual",
    part: Part = "all",
    family: Family | None = None,
) -> tuple[Image, Truth]:
    """A photo of a random table of one game.

    Args:
        rng: Random generator.
        split: Whose decks, fonts and backgrounds are used.
        game: The game's word; None for cards that are no game of ours.
        size: Width and height in pixels.
        position: The position to show as a JSON object; a random legal one by default.
        deck: The deck to show it with.
        strength: Chance factor of harsh light and blur, 0 to 1.
        tight: Cards hide a part of the index below: of the suit in a column, of both symbols in a row or fan.
        thin: Overlapped backs show a millimetre or four, or nothing at all where they lie squared.
        decks: Which decks it is chosen from: `usual` ones, `unusual` ones, or those `held` back from training.
        backs: `usual`: the deck's own; `ornate`: of families to train on; `held`: of those held back from training.
        part: Which families of layouts are drawn from.
        family: A family instead of a drawn one.

    Returns:
        The picture as RGB uint8 and its ground truth with the position.
    """
    deck = with_ornate_back(rng, deck or _random_deck(rng, split, decks), backs)
    shape = _shape(rng, deck, tight=tight, thin=thin)
    laid = sample(rng, game, shape, part=part, family=family, position=position)
    cards = laid.cards
    camera = fitted(rng, cards, deck, size)
    stage = Stage(rng, background(rng, split, *size), camera, [deck])
    corners = np.concatenate([stage.quad(card) for card in cards]) if cards else np.zeros((0, 2))
    if rng.random() < 0.35:
        _lay_beside(rng, split, stage, corners)
    for card in cards:
        stage.lay(card)
    if rng.random() < 0.1 * strength:
        lay_hand(rng, stage, reach=0.16)
    shown = None if laid.position is None else position_from_json(laid.position)
    legal = shown is not None and not shown.problems()  # what is staged for a picture keeps no rule
    told = shown.to_json() if shown is not None and legal else None
    truth = scene_truth(stage, game=game, split=split, seed=-1, position=told) | {"family": laid.family}
    return develop(rng, stage.image, stage.owner >= 0, strength=strength), truth


def _random_deck(rng: Rng, split: Split, decks: DeckKind) -> Deck:
    """A deck of a kind; usual ones of the training split often with a back that no other has."""
    if decks != "usual":
        return choose_unusual(rng, split, decks, 0.5)
    deck = choose_deck(rng, split, 0.5)
    if split == "train" and rng.random() < 0.6:
        return OtherBack(deck, int(rng.integers(*TRAINING_BACKS)), int(rng.choice([0, 0, 1, 2, 3, 4])))
    return deck


def _shape(rng: Rng, deck: Deck, *, tight: bool, thin: bool) -> Shape:
    """The shape of a deck's cards, and how tightly they are laid."""
    shape = Shape.of(deck, DECK)
    if tight:
        shape = replace(shape, tight=rng.uniform(*TUNING.tight_share))
    if thin:
        steps = TUNING.thin_step_card_widths
        least = 0.0 if rng.random() < TUNING.squared_share else steps[0]
        shape = replace(shape, back_steps=steps, least_back_step=least)
    return shape


def _lay_beside(rng: Rng, split: Split, stage: Stage, corners: Points) -> None:
    """A stray object in a corner of the picture that the cards leave free, where there is one."""
    height, width = stage.image.shape[:2]
    side = min(width, height) * rng.uniform(0.12, 0.3)
    for _ in range(6):
        middle = rng.uniform(0, 1, 2) * (width, height)
        if not len(corners) or np.abs(corners - middle).max(axis=1).min() > 0.8 * side:
            lay_object(rng, split, stage, hides=False, middle=middle, size=side)
            return


def fitted(
    rng: Rng, cards: Sequence[LaidCard], deck: Deck, size: tuple[int, int], turned: float = TUNING.quarter_turned_share
) -> Camera:
    """A camera that shows all cards with a little room around them; `turned` is the chance that not from their side."""
    width, height = size
    turn = rng.normal(0, 0.07)
    if rng.random() < turned:
        turn += np.pi / 2 * int(rng.integers(1, 4))
    camera = Camera(
        centre=(float(np.mean([c.x for c in cards] or [0])), float(np.mean([c.y for c in cards] or [0]))),
        middle=(width / 2, height / 2),
        scale=width / 12,
        turn=turn,
        tilt=min(abs(rng.normal(0, 0.4)), 1.0),
        focal=max(size) * rng.uniform(0.8, 1.6),
        barrel=rng.uniform(-0.08, 0.02) if rng.random() < 0.3 else 0.0,
        stretch=1.0,
        size=size,
    )
    room = rng.uniform(0.82, 0.95)
    for _ in range(6):
        stage = Stage(np.random.default_rng(0), np.zeros((1, 1, 3), np.uint8), camera, [deck])
        points = np.concatenate([stage.quad(card) for card in cards]) if cards else np.array([[0.0, 0.0], [1.0, 1.0]])
        low, high = points.min(axis=0), points.max(axis=0)
        grow = room * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
        middle = np.array(camera.middle) + (np.array(size) / 2 - (low + high) / 2)
        camera = replace(camera, scale=min(camera.scale * grow, min(size) / 2.2), middle=(middle[0], middle[1]))
    return camera
