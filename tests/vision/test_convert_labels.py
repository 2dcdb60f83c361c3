"""Labels of other tools become ground truth."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver.cards import Card, parse_card
from vision.convert_labels import card_of_class, coco, main
from vision.errors import LabelError
from vision.image import save
from vision.measure.labels import truth_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    save(np.zeros((100, 200, 3), np.uint8), tmp_path / "images" / "a.png")
    (tmp_path / "classes.txt").write_text("10H\nBACK\nRED_JOKER\n")
    lines = ["0 0.25 0.5 0.1 0.2", "0 0.75 0.5 0.1 0.2", "1 0.5 0.5 0.2 0.4", "2 0.5 0.5 0.2 0.4"]
    (tmp_path / "labels" / "a.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("name", ["TH", "10h", "H10", "ten of hearts", "Ten_Of_Hearts", "10♥"])
def test_class_names(name: str) -> None:
    assert card_of_class(name) == parse_card("TH")


def test_what_is_no_card() -> None:
    assert card_of_class("card_back") == "BACK"
    assert card_of_class("dog") is None
    assert all(isinstance(card_of_class(str(card)), Card) for card in map(parse_card, ("AS", "9D", "QC")))


def test_yolo_indices_of_one_class_are_one_card(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder)]) == 0
    truth = json.loads((folder / "images" / "a.json").read_text())
    assert truth["image"] == {"width": 200, "height": 100}
    assert [row["card"] for row in truth["cards"]] == ["TH", None]
    assert [index["box"] for index in truth["cards"][0]["indices"]] == [[40, 40, 60, 60], [140, 40, 160, 60]]
    assert truth["cards"][1]["quad"] == [[80, 30], [120, 30], [120, 70], [80, 70]]
    assert "RED_JOKER (1)" in capsys.readouterr().err


def test_a_second_copy_may_be_read_or_not_where_boxes_go_round_indices(folder: Path) -> None:
    """Two boxes of one name are one card's or two copies': either is right, and a third copy is not there."""
    photo, size = folder / "images" / "a.png", (200, 100)
    direct = truth_of(photo, size)
    assert main([str(folder)]) == 0
    for truth in (direct, truth_of(photo, size)):
        assert truth is not None
        assert ([str(there.card) for there in truth.cards], list(map(str, truth.ignored))) == (["TH"], ["TH"])
    (folder / "labels" / "a.txt").write_text("0 0.25 0.5 0.1 0.2\n" * 3)
    photo.with_suffix(".json").unlink()
    direct = truth_of(photo, size)
    assert main([str(folder)]) == 0
    for truth in (direct, truth_of(photo, size)):
        assert truth is not None
        assert (len(truth.cards), list(map(str, truth.ignored))) == (2, ["TH"])


def test_coco_of_whole_cards(folder: Path, tmp_path: Path) -> None:
    body = {
        "images": [{"id": 7, "file_name": "a.png"}],
        "categories": [{"id": 3, "name": "queen of spades"}],
        "annotations": [{"image_id": 7, "category_id": 3, "bbox": [10, 20, 30, 40]}],
    }
    (tmp_path / "coco.json").write_text(json.dumps(body))
    out = tmp_path / "out"
    assert main([str(folder), "--coco", str(tmp_path / "coco.json"), "--boxes", "card", "--out", str(out)]) == 0
    [row] = json.loads((out / "a.json").read_text())["cards"]
    assert row["card"] == "QS"
    assert row["quad"] == [[10, 20], [40, 20], [40, 60], [10, 60]]


def test_a_coco_file_that_is_named_like_a_photo_stays(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = {"images": [{"id": 7, "file_name": "a.png"}], "categories": [], "annotations": []}
    annotations = folder / "images" / "a.json"
    annotations.write_text(json.dumps(body))
    assert main([str(folder), "--coco", str(annotations)]) == 2
    assert "would write over" in capsys.readouterr().err
    assert json.loads(annotations.read_text()) == body
    assert main([str(folder), "--coco", str(annotations), "--out", str(folder / "out")]) == 0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("classes.txt", None, "class names"),
        ("classes.txt", b"AS\n\xff", "no text"),
        ("labels/a.txt", b"9 0 0 0 0", "line 1 names class 9; expected one of classes.txt, 0 to 2"),
        ("labels/a.txt", b"-1 0 0 0 0", "line 1 names class -1"),
        ("labels/a.txt", b"0 1.7 0.5 0.1 0.1", "shares of the photo from 0 to 1"),
        ("labels/a.txt", b"0 x", "line 1"),
        ("labels/a.txt", b"0 nan 0.5 0.1 0.1", "line 1"),
        ("labels/a.txt", b"\x89PNG", "no text"),
    ],
)
def test_broken_labels_are_named(folder: Path, name: str, text: bytes | None, message: str, capsys) -> None:
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(text)
    assert main([str(folder)]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"cards": [{"card": "AS", "indices": [{"visible": 1, "rank": [], "suit": []}]}]}']
)
def test_a_broken_label_file_of_our_own_is_named(folder: Path, text: str) -> None:
    (folder / "images" / "a.json").write_text(text)
    with pytest.raises(LabelError, match="cannot be read as labels"):
        truth_of(folder / "images" / "a.png", (200, 100))
    (folder / "coco.json").write_text(text)
    with pytest.raises(LabelError, match="is no COCO file"):
        list(coco(folder / "coco.json", folder))
