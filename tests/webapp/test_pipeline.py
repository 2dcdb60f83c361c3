"""Photos of parts of a table, put together."""

from __future__ import annotations

from typing import Any

import pytest

from solver.answer import parse_position
from vision import reading as reading_module
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
    crops = {number: f"{name}{number}".encode() for number in range(len(cards))}
    told = tuple((-1.0 - n, str(parse_position(other))) for n, other in enumerate(others))
    return Shot(name, (name.encode(),), reading, str(parse_position(line)), crops, told)


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
    assert whole.pictures == (b"a", b"b")
    assert [card["zone"] for card in whole.reading["cards"]] == ["floor/0", "floor/1", "cross/0", "floor/2", "hand"]
    assert [doubt["number"] for doubt in whole.reading["doubtful"]] == [0, 3]
    assert whole.crops[3] == b"b1"
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
