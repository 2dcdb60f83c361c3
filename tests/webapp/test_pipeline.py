"""Photos of parts of a table, put together."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from solver.answer import parse_position
from vision import reading as reading_module
from vision.image import encode, load
from webapp import pipeline
from webapp.pipeline import PartsError, Shot, together


def seen(card: str, zone: str) -> dict[str, Any]:
    return {"card": card, "confidence": 0.8, "alternatives": [], "zone": zone, "quad": None, "indices": []}


def part(name: str, line: str, cards: list[dict[str, Any]], doubtful: list[int], *others: str) -> Shot:
    reading = {
        "image": {"width": 4, "height": 4},
        "game": "makiaveli",
        "game_confidence": 1.0,
        "cards": cards,
        "doubtful": [{"number": n, "card": cards[n]["card"], "zone": cards[n]["zone"]} for n in doubtful],
        "backs": [],
        "problems": ["no hand"],
        "notes": [f"note of {name}"],
    }
    told = tuple((-1.0 - n, str(parse_position(other))) for n, other in enumerate(others))
    data = name.encode()
    return Shot(name, (data,), reading, str(parse_position(line)), (data,), ((4, 4),), told)


LEFT = part(
    "a",
    "makiaveli floor: 7C 7D 7H | 4S 5S 6S; cross: 2S - - -",
    [seen("7C", "floor/0"), seen("4S", "floor/1"), seen("2S", "cross/0")],
    [0],
    "makiaveli floor: 7S 7D 7H | 4S 5S 6S; cross: 2S - - -",
)
RIGHT = part(
    "b",
    "makiaveli floor: 4S 5S 6S | KC KD KH; cross: - 9D - -; hand: 3S",
    [seen("4S", "floor/0"), seen("KC", "floor/1"), seen("3S", "hand")],
    [1],
    "makiaveli floor: 4S 5S 6S | KS KD KH; cross: - 9D - -; hand: 3S",
)


def test_parts_of_a_floor_become_one_table_and_a_meld_in_both_is_taken_once() -> None:
    whole = together([LEFT, RIGHT])
    assert whole.line == str(
        parse_position("makiaveli floor: 7C 7D 7H | 4S 5S 6S | KC KD KH; cross: 2S 9D - -; hand: 3S")
    )
    assert whole.photos == whole.shown == (b"a", b"b")
    assert [card.get("photo", 0) for card in whole.reading["cards"]] == [0, 0, 0, 1, 1]
    assert [card["zone"] for card in whole.reading["cards"]] == ["floor/0", "floor/1", "cross/0", "floor/2", "hand"]
    assert [doubt["number"] for doubt in whole.reading["doubtful"]] == [0, 3]
    assert any("4S 5S 6S is in two photos" in note for note in whole.reading["notes"])
    assert [line for _, line in whole.others] == [
        str(parse_position("makiaveli floor: 7S 7D 7H | 4S 5S 6S | KC KD KH; cross: 2S 9D - -; hand: 3S")),
        str(parse_position("makiaveli floor: 7C 7D 7H | 4S 5S 6S | KS KD KH; cross: 2S 9D - -; hand: 3S")),
    ]


def test_one_photo_stays_as_it_is() -> None:
    assert together([LEFT]) is LEFT


def test_photos_of_another_game_are_not_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_read_one", lambda *args: LEFT)
    monkeypatch.setattr("vision.image.load", lambda data: data)
    with pytest.raises(PartsError, match="one photo has to show"):
        pipeline.read([("a", b""), ("b", b"")], "klondike")
    with pytest.raises(PartsError, match="at most 4"):
        pipeline.read([("a", b"")] * 5, "makiaveli")
    assert reading_module.AUTO == "auto"


def test_the_networks_are_loaded_ahead() -> None:
    pipeline.warm()
    assert reading_module._networks.cache_info().currsize == 1


def test_a_part_of_a_photo_is_cut_and_turned() -> None:
    photo = np.zeros((60, 100, 3), np.uint8)
    photo[:30, 50:] = 255
    cut = load(pipeline.reframed(encode(photo, ".png"), [0.5, 0.0, 1.0, 0.5], 0))
    assert cut.shape == (30, 50, 3)
    assert cut.min() > 240
    turned = load(pipeline.reframed(encode(photo, ".png"), None, 90))
    assert turned.shape == (100, 60, 3)
    assert turned[75, 45].min() > 240, "clockwise: the upper right corner is the lower right one"
    assert turned[25, 45].max() < 15


def test_a_picture_for_the_page_is_the_photo_itself_where_it_can_be() -> None:
    photo = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    jpeg = encode(photo, ".jpg")
    assert pipeline._shown(load(jpeg), jpeg) is jpeg
    png = encode(photo, ".png")
    assert Image.open(BytesIO(pipeline._shown(load(png), png))).format == "JPEG"
    exif = Image.Exif()
    exif[0x0112] = 6
    file = BytesIO()
    Image.fromarray(photo).save(file, "JPEG", exif=exif)
    turned = pipeline._shown(load(file.getvalue()), file.getvalue())
    assert Image.open(BytesIO(turned)).size == (40, 60), "upright"
    large = np.zeros((30, 2 * pipeline.LONGER, 3), np.uint8)
    shown = Image.open(BytesIO(pipeline._shown(large, encode(large, ".jpg"))))
    assert shown.width == pipeline.LONGER
