"""One table in several photos: the same cards in all, every card in one of them, neighbours with some in common."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.__main__ import main
from datasets.games.makiaveli import crowded_position
from datasets.scenes.several_photos import TUNING, lay_table, parts, pushed, views
from solver.games import position_from_json
from vision.image import load
from vision.measure.labels import TABLE, LabelError, photos_of_table, truth_of_table
from vision.measure.one_photo import evaluate_photo


@pytest.fixture(autouse=True)
def _fonts(own_fonts: None) -> None:
    """Tables are drawn with the tests' own fonts."""


@pytest.mark.parametrize("cards", [20, 60, 85, 104])
def test_crowded_tables_are_legal_and_hold_so_many_cards(cards: int) -> None:
    for seed in range(30):
        position = crowded_position(np.random.default_rng(seed), cards)
        assert not position_from_json(position).problems()
        on_table = sum(map(len, position["floor"])) + sum(card is not None for card in position["cross"])
        assert on_table + len(position["hand"]) == cards


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_parts_show_every_card_and_neighbours_have_some_in_common(count: int) -> None:
    rng = np.random.default_rng(count)
    table = lay_table(rng, "test", "makiaveli", crowded_position(rng, 90))
    found = parts(table.cards, count, TUNING.common_share)
    assert set().union(*map(set, found)) == set(range(len(table.cards)))
    assert all(any(set(a) & set(b) for b in found if b is not a) for a in found)
    apart = parts(table.cards, count, -TUNING.common_share)
    assert sum(map(len, apart)) == len(set().union(*map(set, apart))) < len(table.cards)


def test_pushed_cards_stay_near_and_keep_their_faces() -> None:
    rng = np.random.default_rng(0)
    table = lay_table(rng, "test", "makiaveli", crowded_position(rng, 60))
    moved = pushed(rng, table.cards)
    assert [card.card for card in moved] == [card.card for card in table.cards]
    away = [np.hypot(a.x - b.x, a.y - b.y) for a, b in zip(moved, table.cards, strict=True)]
    assert 0 < max(away) < 0.6


def test_photos_of_a_table_and_their_truth(tmp_path: Path) -> None:
    arguments = ["--game", "makiaveli", "--views", "2", "--cards", "30", "34", "-n", "1", "--split", "test"]
    assert main([*arguments, "--size", "900", "--out", str(tmp_path)]) == 0
    folder = next(tmp_path.iterdir())
    photos = photos_of_table(folder / TABLE)
    truth = truth_of_table(folder / TABLE)
    assert [photo.name for photo in photos] == ["1.jpg", "2.jpg"]
    assert truth.position is not None
    assert 30 <= len(truth.cards) <= 34
    for photo in photos:
        label = json.loads(photo.with_suffix(".json").read_text())
        assert load(photo).shape[1] == label["image"]["width"] == 900
        assert label["position"] is None
    row = evaluate_photo(photos[0], "1.jpg", verdicts=False)
    assert row["error"] == ""
    assert row["photos"] == 2
    assert row["cards_right"] > 20


def test_the_same_table_whatever_the_photos() -> None:
    tables = []
    for count in (1, 3):
        rng = np.random.default_rng(7)
        table = lay_table(rng, "test", "makiaveli", crowded_position(rng, 24))
        shots = views(np.random.default_rng(count), table, (160, 120), count)
        assert len(shots) == count
        tables.append(table)
    assert tables[0].cards == tables[1].cards


def test_a_table_that_names_photos_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / TABLE).write_text(json.dumps({"photos": ["../1.jpg"]}))
    with pytest.raises(LabelError, match="expected photos in the same folder"):
        photos_of_table(tmp_path / TABLE)
