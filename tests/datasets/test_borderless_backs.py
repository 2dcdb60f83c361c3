"""Ornate backs: the same at any size, held-out kinds apart, and no part of what lies on the table."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks.borderless_backs import (
    HELD_ORNATE_BACKS,
    ORNATE_BACKS,
    TRAINED_ORNATE_BACKS,
    back_names,
    draw_ornate_back,
)
from datasets.decks.deck import BackOfFamily
from datasets.decks.deck_choice import back_sheet, drawn_deck, with_ornate_back
from datasets.layouts import FAMILIES
from datasets.scenes.loose_card_scenes import render_scene
from datasets.scenes.whole_tables import render_table
from datasets.splits import SPLITS
from solver.cards import DECK

DEALT = next(family for family in FAMILIES if family.name == "klondike/usual, fresh")


@pytest.fixture(autouse=True)
def _small_textures(own_fonts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Textures are small, and drawn with the tests' own fonts."""
    monkeypatch.setattr("datasets.scenes.surfaces._SIDE", 96)


@pytest.mark.parametrize("family", list(ORNATE_BACKS))
def test_an_ornate_back_is_the_same_at_any_time_and_much_the_same_at_any_size(family: str) -> None:
    large, again = (draw_ornate_back(family, 5, "train", 160, 224) for _ in range(2))
    small = draw_ornate_back(family, 5, "train", 80, 112)
    assert np.array_equal(large, again)
    assert np.abs(large.reshape(112, 2, 80, 2, 3).mean((1, 3)) - small).mean() < 5
    others = [draw_ornate_back(family, seed, "train", 160, 224) for seed in range(4)]
    assert all(np.abs(others[0].astype(float) - other).mean() > 3 for other in others[1:])


def test_kinds_and_names_that_are_held_out_are_never_drawn_for_training() -> None:
    assert set(HELD_ORNATE_BACKS) | set(TRAINED_ORNATE_BACKS) == set(ORNATE_BACKS)
    assert not set(HELD_ORNATE_BACKS) & set(TRAINED_ORNATE_BACKS)
    names = [name for split in SPLITS for name in back_names(split)]
    assert len(names) == len(set(names))
    assert all(back_names(split) for split in SPLITS)
    deck, rng = drawn_deck("test", 3), np.random.default_rng(1)
    for kind, families in (("held", HELD_ORNATE_BACKS), ("ornate", TRAINED_ORNATE_BACKS)):
        drawn = [with_ornate_back(rng, deck, kind) for _ in range(60)]
        assert {one.family for one in drawn if isinstance(one, BackOfFamily)} == set(families)
    with pytest.raises(ValueError, match="never rendered for training"):
        with_ornate_back(rng, drawn_deck("train", 3), "held")


def test_a_deck_with_an_ornate_back_has_its_own_faces() -> None:
    deck = drawn_deck("validation", 3)
    ornate = with_ornate_back(np.random.default_rng(2), deck, "ornate")
    assert ornate.name.startswith(f"{deck.name}+")
    assert np.array_equal(ornate.face(DECK[7], 60), deck.face(DECK[7], 60))
    assert ornate.back(60).shape == deck.back(60).shape


def test_ornate_backs_change_no_table() -> None:
    for render in (
        lambda backs: render_table(np.random.default_rng(4), "test", "klondike", (320, 240), family=DEALT, backs=backs),
        lambda backs: render_scene(np.random.default_rng(4), "test", 160, "cascades", backs=backs),
    ):
        (usual, before), (held, after) = render("usual"), render("held")
        assert before["cards"] == after["cards"]
        assert after["deck"].split("+")[-1] in HELD_ORNATE_BACKS
        assert not np.array_equal(usual, held)


def test_the_sheet_shows_each_family_in_a_row() -> None:
    assert back_sheet("test", 20, 3).shape == (len(ORNATE_BACKS) * 36, 3 * 28, 3)
