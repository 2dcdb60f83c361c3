"""The decks that there are, by split: the choice of one, and a sheet to check one by eye."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, cast

import cv2
import numpy as np

from datasets.decks.borderless_backs import (
    HELD_ORNATE_BACKS,
    ORNATE_BACKS,
    TRAINED_ORNATE_BACKS,
    BackKind,
    draw_ornate_back,
)
from datasets.decks.deck import BackOfFamily, Deck
from datasets.decks.drawn_deck import DeckKind, DrawnDeck
from datasets.decks.motif_backs import HELD_BACKS, TRAINED_BACKS, draw_printed_back
from datasets.decks.package_decks import COMMON, NAMES, package_deck, package_decks
from datasets.picture_tools import Image, Rng, choose
from datasets.splits import Split
from solver.cards import DECK

DRAWN_DECKS: Final = {"train": 4000, "validation": 200, "test": 400}
"""How many drawn decks each split has."""
UNUSUAL_DECKS: Final = 3000
"""How many of every split's there are with unusual indices, and how many with conventions that are held back."""


@lru_cache(maxsize=48)
def drawn_deck(split: Split, number: int, kind: DeckKind = "usual") -> DrawnDeck:
    """The drawn deck of a split and kind with a number below `DRAWN_DECKS[split]`, or `UNUSUAL_DECKS` if not usual."""
    return DrawnDeck(split, number, kind)


def choose_deck(rng: Rng, split: Split, package_share: float = 0.4) -> Deck:
    """A random deck of a split: one from a card package in `package_share` of the cases, else one drawn from fonts."""
    packages = [deck for deck in package_decks(split) for _ in range(3 if deck.name in COMMON else 1)]
    share, place, number = rng.random(), rng.random(), int(rng.integers(DRAWN_DECKS[split]))
    if packages and share < package_share:
        return packages[int(place * len(packages))]
    return drawn_deck(split, number)


def named_deck(name: str) -> Deck | None:
    """The deck of a name as ground truth tells it, such as `gnome/paris` or `drawn/test-0012`; None for none."""
    found = re.fullmatch(r"drawn/(train|validation|test)-(\d{1,4})", name)
    if not found:
        return package_deck(name) if name in NAMES else None
    split, number = cast(Split, found[1]), int(found[2])
    return drawn_deck(split, number) if number < DRAWN_DECKS[split] else None


def with_ornate_back(rng: Rng, deck: Deck, kind: BackKind) -> Deck:
    """A deck with an ornate back of a kind's families; the deck itself for usual backs.

    What is drawn does not come from `rng` itself, so that with and without it the same table is laid.
    """
    if kind == "usual":
        return deck
    if kind == "held" and deck.split == "train":
        raise ValueError("backs that are held back are never rendered for training")
    own = rng.spawn(1)[0]
    family = choose(own, HELD_ORNATE_BACKS if kind == "held" else TRAINED_ORNATE_BACKS)
    return BackOfFamily(deck, draw_ornate_back, family, int(own.integers(1 << 30)))


def choose_unusual(rng: Rng, split: Split, kind: DeckKind, package_share: float = 0.4) -> Deck:
    """A random deck with unusual indices, or with an unusual back, or with both.

    Args:
        rng: Random generator.
        split: Whose decks, fonts and pictures are used.
        kind: `unusual`, of the families that are trained on; `held`, of those that never are.
        package_share: As in `choose_deck`, for decks whose back alone is unusual.
    """
    if kind == "held" and split == "train":
        raise ValueError("families that are held back are never rendered for training")
    backs = HELD_BACKS if kind == "held" else TRAINED_BACKS
    odd, family, seed = rng.random() < 0.65, choose(rng, backs), int(rng.integers(1 << 30))
    printed = not odd or rng.random() < 0.5
    number = int(rng.integers(UNUSUAL_DECKS))
    deck = drawn_deck(split, number, kind) if odd else choose_deck(rng, split, package_share)
    return BackOfFamily(deck, draw_printed_back, family, seed) if printed else deck


def check_sheet(deck: Deck, width: int = 90) -> Image:
    """All faces of a deck with their index boxes drawn, to check a deck by eye."""
    height = round(width * deck.aspect)
    sheet = np.full((4 * (height + 4), 14 * (width + 4), 3), (70, 110, 80), np.uint8)
    for card in DECK:
        face = deck.face(card, 3 * width).copy()
        for index in deck.indices(card):
            for box, colour in ((index.rank_box, (0, 160, 255)), (index.suit_box, (0, 220, 0))):
                x1, y1, x2, y2 = (round(3 * width * value) for value in box)
                cv2.rectangle(face, (x1 - 2, y1 - 2), (x2 + 1, y2 + 1), colour, 2)
        small = cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA)
        y, x = card.suit * (height + 4), (card.rank - 1) * (width + 4)
        sheet[y : y + height, x : x + width] = small
    sheet[:height, 13 * (width + 4) : 13 * (width + 4) + width] = deck.back(width)
    return sheet


def back_sheet(split: Split, width: int = 120, count: int = 10) -> Image:
    """Ornate backs of a split to look at, a family in each row in the order of `ORNATE_BACKS`."""
    size, room = (width, round(1.4 * width)), ((4, 4), (4, 4), (0, 0))
    rows = [
        [np.pad(draw_ornate_back(family, seed, split, *size), room) for seed in range(count)] for family in ORNATE_BACKS
    ]
    return np.concatenate([np.concatenate(row, 1) for row in rows])
