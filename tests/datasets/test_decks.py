"""Decks: where their indices lie, and that no deck or font is in two splits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets import __main__ as command
from datasets.decks import index_conventions as conventions
from datasets.decks.deck import outline
from datasets.decks.deck_choice import DRAWN_DECKS, choose_unusual, drawn_deck
from datasets.decks.drawn_deck import DeckKind, DrawnDeck
from datasets.decks.fonts import SynthError, families, font_group, fonts
from datasets.decks.index_boxes import measure
from datasets.decks.motif_backs import HELD_BACKS, PRINTED_BACKS, TRAINED_BACKS, draw_printed_back
from datasets.decks.package_decks import _GROUPS
from datasets.splits import SPLITS, split_of
from solver.cards import DECK, parse_card


@pytest.fixture(scope="module")
def deck():
    try:
        return drawn_deck("train", 3)
    except SynthError as error:
        pytest.skip(str(error))


def test_every_index_lies_on_the_card_and_its_symbols_in_its_box(deck) -> None:
    for card in DECK:
        indices = deck.indices(card)
        assert len(indices) in (2, 4)
        for index in indices:
            x1, y1, x2, y2 = index.box
            assert 0 <= x1 < x2 <= 1
            assert 0 <= y1 < y2 <= deck.aspect
        first = indices[0]
        assert first.rank_box[3] <= first.suit_box[1] + 1e-6, "the suit symbol stands below the rank"


def test_the_boxes_hold_ink_and_the_margin_above_them_none(deck) -> None:
    width = 300
    for card in map(parse_card, ("AS", "TH", "7D", "QC")):
        face = deck.face(card, width).astype(int)
        index = deck.indices(card)[0]
        paper = face[2 + width // 20, width // 2]
        for x1, y1, x2, y2 in (index.rank_box, index.suit_box):
            part = face[round(y1 * width) : round(y2 * width), round(x1 * width) : round(x2 * width)]
            assert (np.abs(part - paper).max(axis=2) > 60).mean() > 0.1
        above = face[6 : max(7, round(index.box[1] * width) - 3), 6 : width // 3]
        assert np.abs(above - paper).max() < 60


def test_a_sheet_shows_every_face_with_its_index_boxes(
    deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "package_deck", {"gnome/paris": deck}.get)
    assert command.main(["--sheet", "gnome/paris", "--out", str(tmp_path)]) == 0
    sheet = np.asarray(Image.open(tmp_path / "gnome-paris.png")).astype(int)
    assert sheet.shape[1] == 14 * (90 + 4)
    assert (sheet[..., 1] - sheet[..., [0, 2]].max(axis=2) > 70).sum() > 500, "boxes of suit symbols are green"
    assert command.main(["--sheet", "npm/casino", "--out", str(tmp_path)]) == 1
    assert "npm/casino is not installed" in capsys.readouterr().err


def test_opposite_indices_are_point_reflections(deck) -> None:
    indices = deck.indices(parse_card("9C"))
    first, opposite = indices[0], indices[len(indices) // 2]
    assert opposite.box[0] == pytest.approx(1 - first.box[2])
    assert opposite.box[1] == pytest.approx(deck.aspect - first.box[3])


def test_the_same_deck_is_the_same_at_any_time(deck) -> None:
    again = DrawnDeck("train", 3)
    for card in DECK[::7]:
        assert np.array_equal(deck.face(card, 90), again.face(card, 90))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["unusual", "held"])
def test_unusual_decks_print_the_suit_where_their_name_says_and_upright_points_down(kind: DeckKind) -> None:
    places = {"above": (0, -1), "right": (1, 0), "left": (-1, 0)}
    seen = set()
    for number in range(40):
        try:
            unusual = drawn_deck("test", number, kind)
        except SynthError as error:
            pytest.skip(str(error))
        name = unusual.name.split("-", 1)[1].rsplit("-", 1)[0]
        convention = (conventions.HELD if kind == "held" else conventions.TRAINED)[name]
        seen.add(name)
        for card in map(parse_card, ("TD", "QS")):
            indices = unusual.indices(card)
            assert len(indices) == (4 if convention.corners == "four" else 2)
            assert (convention.corners == "top") == (not any(index.upside_down for index in indices))
            for index in indices:
                (x1, y1), (x2, y2) = index.upright
                assert abs(x2 - x1) < 0.08 * abs(y2 - y1)
                assert (y2 < y1) == index.upside_down
                rank, suit = np.array(index.points) * (-1 if index.upside_down else 1)
                if convention.place in places:
                    way = (suit - rank) / np.linalg.norm(suit - rank)
                    assert way @ places[convention.place] > 0.9
                else:
                    assert suit[1] > rank[1]
    assert len(seen) >= 4, "forty decks show most conventions"


def test_nothing_held_back_is_trained_on() -> None:
    assert len(conventions.HELD) * 3 >= len(conventions.TRAINED)
    assert not set(conventions.HELD) & set(conventions.TRAINED)
    assert not set(conventions.HELD_ALPHABETS) & set(conventions.TRAINED_ALPHABETS)
    assert len(HELD_BACKS) * 3 >= len(TRAINED_BACKS)
    rng = np.random.default_rng(0)
    for number in range(300):
        name, _ = conventions.choose_convention(rng, held=number % 2 == 0)
        assert (name in conventions.HELD) == (number % 2 == 0)
    with pytest.raises(ValueError, match="never rendered for training"):
        choose_unusual(rng, "train", "held")


def test_a_thing_that_lies_wholly_outside_a_back_is_left_out(own_fonts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = np.zeros((8, 8, 3), np.uint8), np.full((8, 8), 255, np.uint8)
    monkeypatch.setattr("datasets.decks.motif_backs.stray_object", lambda *_: tiny)
    for seed in range(30):
        assert draw_printed_back("picture", seed, "train", 60, 84).shape == (84, 60, 3)


@pytest.mark.parametrize("family", list(PRINTED_BACKS))
def test_a_printed_back_is_the_same_at_any_time_and_much_the_same_at_any_size(family: str) -> None:
    try:
        large, again = (draw_printed_back(family, 5, "train", 160, 224) for _ in range(2))
        small = draw_printed_back(family, 5, "train", 80, 112)
    except SynthError as error:
        pytest.skip(str(error))
    assert np.array_equal(large, again)
    shrunk = large.reshape(112, 2, 80, 2, 3).mean((1, 3))
    assert np.abs(shrunk - small).mean() < 25


def test_no_font_group_and_no_package_deck_is_in_two_splits() -> None:
    names = [name for _, decks in _GROUPS.values() for name in decks.split()]
    assert len(names) == len(set(names))
    seen: dict[str, str] = {}
    try:
        for split in SPLITS:
            for font in fonts(split):
                assert seen.setdefault(font_group(font.family), split) == split
    except SynthError as error:
        pytest.skip(str(error))
    assert all(DRAWN_DECKS[split] > 0 and families(split) for split in SPLITS)


def test_splits_have_about_their_shares() -> None:
    splits = [split_of("photo", f"name {n}") for n in range(3000)]
    assert splits.count("train") / 3000 == pytest.approx(0.76, abs=0.04)
    assert splits.count("test") / 3000 == pytest.approx(0.14, abs=0.04)


def test_too_few_fonts_names_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets.decks.fonts as module

    monkeypatch.setattr(module, "_installed", lambda: ())
    with pytest.raises(SynthError, match="fonts-texgyre"):
        fonts.__wrapped__("validation")


def test_the_outline_is_a_rounded_rectangle() -> None:
    mask = outline(100, 140, 0.08)
    assert mask.shape == (140, 100)
    assert mask[0, 0] == 0
    assert mask[70, 50] == mask[0, 50] == mask[70, 0] == 255


@pytest.mark.slow
def test_measured_boxes_of_a_sheet_are_those_it_was_drawn_with(deck) -> None:
    if len(deck.indices(DECK[0])) == 4 or deck.style.paper[0] < 120:
        deck = next(
            d
            for n in range(4, 40)
            if (d := drawn_deck("train", n)).style.paper[0] > 230
            and d.style.edge is None
            and not d.style.four_corners
            and d.style.rank_height < 0.2
            and d.style.gap > 0.02
        )
    faces = np.stack([deck.face(card, 360) for card in DECK])
    measured = measure(faces)
    assert measured is not None
    wrong = 0
    for card, (rank, suit) in zip(DECK, measured, strict=True):
        index = deck.indices(card)[0]
        close = (
            np.abs(np.subtract(rank, index.rank_box)).max() < 0.04
            and np.abs(np.subtract(suit, index.suit_box)).max() < 0.04
        )
        wrong += not close
    assert wrong <= 4  # a ten may touch its first pip
