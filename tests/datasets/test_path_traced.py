"""The path tracer: tables, cameras, cards at rest, fairness and developing need no Blender; one test traces a table."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.decks.fonts import SynthError
from datasets.path_traced import __main__ as command
from datasets.path_traced import blender, decks, signs, trace
from datasets.path_traced.backs import BACKS, back
from datasets.path_traced.camera import Camera, View, framed
from datasets.path_traced.decks import DECKS, Deck
from datasets.path_traced.developing import develop
from datasets.path_traced.fairness import judge, paint_ids, shows_from_above
from datasets.path_traced.games import NO_GAME, maker_of
from datasets.path_traced.recorded_game import TracedGame
from datasets.path_traced.recorded_turn import TracedTurn
from datasets.path_traced.rest import Bend, Ground, Rest, settle
from datasets.path_traced.surfaces import SURFACES
from datasets.path_traced.tables import Laid, Table, bounds, turned
from solver.cards import DECK, parse_card
from solver.games import GAMES, position_from_json

PLAIN = Deck("plain", (11, 22))
TURNS = range(8)


def laid(kind: str, number: int) -> Table:
    return maker_of(kind).lay(np.random.default_rng([number, 5]), PLAIN, number)


def zones(table: Table) -> dict[str, list[str]]:
    """What lies in each zone, `??` for a card face down."""
    found: dict[str, list[str]] = defaultdict(list)
    for card in table.cards:
        found[card.zone].append(card.face if card.up else "??")
    return found


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("number", TURNS)
def test_positions_are_legal(kind: str, number: int) -> None:
    table = laid(kind, number)
    assert table.game == kind
    assert table.position is not None
    assert not position_from_json(table.position).problems()


def test_a_recorded_game_lies_in_the_same_places_in_all_its_photos() -> None:
    game = TracedGame.draw(trace.Order("klondike", "validation", 3), 12)
    tables = [game.table(number) for number in range(12)]
    stocks = [bounds([next(card for card in table.cards if card.zone == "stock")], PLAIN) for table in tables]
    assert np.ptp(stocks, axis=0).max() < 10, "the stock stays where it is, mm"
    for number, table in enumerate(tables):
        played = game.played.position(number)
        assert table.position is not None
        shown: Any = position_from_json(table.position)
        assert [[str(card) for card in column.up] for column in shown.columns] == [
            [str(card) for card in column.up] for column in played.columns
        ]
        assert shown.foundations == played.foundations
        assert Counter(card.face for card in table.cards) == dict.fromkeys(map(str, DECK), 1)
    truth = game.truth({0: "01.jpg", 5: "06.jpg"})
    assert [row["photo"] for row in truth["photos"]] == ["01.jpg", "06.jpg"]


@pytest.mark.parametrize("number", TURNS)
def test_after_a_turn_cards_lie_as_its_position_says(number: int) -> None:
    turn = TracedTurn.draw(trace.Order("makiaveli", "validation", number + 1))
    for table, position in zip(turn.tables, (turn.scene.before, turn.scene.after), strict=True):
        found = zones(table)
        for place, meld in enumerate(position.floor):
            assert sorted(found[f"floor/{place}"]) == sorted(map(str, meld))
        for place, card in enumerate(position.cross):
            assert found[f"cross/{place}"] == ([str(card)] if card else [])
        assert sorted(found["hand"]) == ([] if turn.hand else sorted(map(str, position.hand)))
    assert json.loads(json.dumps(turn.truth()))["kind"] == turn.scene.kind


@pytest.mark.parametrize("number", TURNS)
def test_a_turn_leaves_cards_where_they_lie_and_covers_none(number: int) -> None:
    turn = TracedTurn.draw(trace.Order("makiaveli", "test", number + 1))
    assert all(shows_from_above(table.cards, turn.order.look.deck) for table in turn.tables)
    lay, lies = ({(card.face, card.x, card.y): card.zone for card in table.cards} for table in turn.tables)
    assert len(lay.keys() & lies.keys()) > len(lay) / 5
    groups: dict[str, list[Laid]] = defaultdict(list)
    for card in turn.tables[1].cards:
        groups[card.zone].append(card)
    kept = [sorted(map(str, meld)) for meld in turn.scene.before.floor]
    boxes = {zone: bounds(cards, turn.order.look.deck) for zone, cards in groups.items()}
    for zone, cards in groups.items():
        if zone.startswith("floor") and sorted(card.face for card in cards) not in kept:
            left, near, right, far = boxes.pop(zone)
            for x0, y0, x1, y1 in boxes.values():
                assert left > x1 or x0 > right or near > y1 or y0 > far


@pytest.mark.parametrize(("kind", "copies"), [("klondike", 1), ("tomb_single", 1), ("tomb_double", 2)])
@pytest.mark.parametrize("number", TURNS)
def test_all_cards_are_laid(kind: str, copies: int, number: int) -> None:
    faces = Counter(card.face for card in laid(kind, number).cards)
    assert faces == dict.fromkeys(map(str, DECK), copies)


@pytest.mark.parametrize("number", TURNS)
def test_klondike_lies_as_its_position_says(number: int) -> None:
    table = laid("klondike", number)
    found, position = zones(table), table.position
    assert position is not None
    for i, column in enumerate(position["columns"]):
        assert found[f"column/{i}"] == column["down"] + column["up"]
    assert found["waste"][len(found["waste"]) - len(position["waste"]) :] == position["waste"]
    for suit, count in position["foundations"].items():
        assert len(found[f"foundation/{suit}"]) == count
    assert set(found["stock"]) <= {"??"}


@pytest.mark.parametrize("number", TURNS)
def test_makiaveli_lies_as_its_position_says(number: int) -> None:
    table = laid("makiaveli", number)
    found, position = zones(table), table.position
    assert position is not None
    for i, meld in enumerate(position["floor"]):
        assert found[f"floor/{i}"] == meld
    for i, card in enumerate(position["cross"]):
        assert found[f"cross/{i}"] == [card] * (card is not None)
    assert found["hand"] == position["hand"]
    assert max(Counter(card.face for card in table.cards).values()) <= 2


@pytest.mark.parametrize("number", TURNS)
def test_tombs_lie_as_their_positions_say(number: int) -> None:
    single, double = laid("tomb_single", number), laid("tomb_double", number)
    assert single.position is not None
    assert double.position is not None
    found, position = zones(single), single.position
    for zone in ("centre", "spare_six", "discard"):
        assert found[zone][-1:] == position[zone][-1:]
    for i, pile in enumerate(position["corners"]):
        assert len(found[f"corner/{i}"]) == len(pile)
        assert found[f"corner/{i}"][-1:] == pile[-1:]
        assert found[f"spare/{i}"] == [position["spares"][i]]
    found, position = zones(double), double.position
    for name, key in (("reserve", "reserves"), ("waste", "wastes"), ("tableau", "tableau")):
        for i, pile in enumerate(position[key]):
            assert found[f"{name}/{i}"][-1:] == pile[-1:]
    for suit, count in position["foundations"].items():
        assert len(found[f"foundation/{suit}"]) == count


@pytest.mark.parametrize("number", TURNS)
def test_cards_that_are_no_game_have_no_position(number: int) -> None:
    table = laid(NO_GAME, number)
    assert table.game is None
    assert table.position is None
    assert {card.zone for card in table.cards} == {"none"}


def test_the_same_seed_lays_the_same_table() -> None:
    assert laid("klondike", 3) == laid("klondike", 3)


def test_splits_share_nothing() -> None:
    for things in (DECKS, BACKS, SURFACES):
        validation, test = ({str(getattr(thing, "name", thing)) for thing in things[s]} for s in ("validation", "test"))
        assert validation
        assert not validation & test


def at_rest(*cards: Laid) -> list[Rest]:
    ground = Ground((-200, -200, 200, 200))
    flat = Bend(0.0, 0.0, (1, 1), 0.0, (PLAIN.width / 2, PLAIN.height / 2))
    return [settle(card, PLAIN, flat, 0.3, ground) for card in cards]


def test_cards_rest_on_each_other() -> None:
    lower, upper = at_rest(Laid("AS", "none", 0, 0, 0), Laid("KH", "none", 20, 10, 30))
    assert np.allclose(lower.corners[:, 2], 0.00033)
    assert np.allclose(lower.corners[:, :2] * 1000, [[-31.5, 44], [31.5, 44], [31.5, -44], [-31.5, -44]])
    middle = np.array([[0.0, 0.0]])
    assert upper.points(middle)[0, 2] - lower.points(middle)[0, 2] > 0.00029
    assert upper.corners[:, 2].min() > 0, "no corner goes through the table"


def above(rests: list[Rest], tilt: float = 0.0, turn: float = 0.0) -> Camera:
    points = np.concatenate([rest.corners for rest in rests])
    return framed(np.random.default_rng(1), points, View(tilt, turn, 2.0, 26.0, (1600, 1200)), 0.05)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 50.0])
@pytest.mark.parametrize("turn", [0.0, 90.0, -30.0])
def test_the_camera_shows_all_cards(tilt: float, turn: float) -> None:
    rests = at_rest(Laid("AS", "none", -120, 0, 0), Laid("KH", "none", 90, 60, 20))
    camera = above(rests, tilt, turn)
    pixels = np.concatenate([camera.project(rest.corners) for rest in rests])
    assert (pixels > 0).all()
    assert (pixels < camera.size).all()


def test_corners_are_where_a_pinhole_sees_them() -> None:
    camera = View(0.0, 0.0, 0.0, 36.0, (1000, 800)).camera(np.zeros(3), 1.0)
    corners = at_rest(Laid("AS", "none", 0, 0, 0))[0].corners
    scale = 1000 / (1 - 0.00033)
    expected = [[500 + x * scale, 400 - y * scale] for x, y in corners[:, :2]]
    assert np.allclose(camera.project(corners), expected)
    assert (np.diff(camera.project(corners)[:2, 0]) > 0).all(), "the upper left corner is left of the upper right one"


def test_a_photo_that_shows_all_is_fair() -> None:
    cards = (Laid("AS", "hand", -60, 0, 0), Laid("KH", "hand", -45, 0, 0), Laid("2C", "deck", 60, 0, 5, up=False))
    rests = at_rest(*cards)
    camera = above(rests)
    labels, faults = judge(Table(None, None, cards), rests, camera, paint_ids(rests, camera))
    assert not faults
    assert [(label["card"], label["zone"]) for label in labels] == [("AS", "hand"), ("KH", "hand"), (None, "deck")]
    assert labels[0]["visible"] < 0.3 < 0.97 < labels[1]["visible"]
    assert np.allclose(labels[1]["quad"], camera.project(rests[1].corners), atol=0.1)


def test_a_photo_that_hides_an_index_is_unfair() -> None:
    cards = (Laid("AS", "hand", 0, 0, 0), Laid("KH", "hand", 6, 0, 0))
    rests = at_rest(*cards)
    camera = above(rests)
    _, faults = judge(Table(None, None, cards), rests, camera, paint_ids(rests, camera))
    assert [fault.split(" 0.")[0] for fault in faults] == ["AS in hand"]


@pytest.mark.parametrize("turn", [0.0, 90.0, 200.0])
@pytest.mark.parametrize(("step", "shows"), [(6, False), (20, True), (-6, False), (-20, True)])
def test_a_table_that_hides_an_index_is_told_before_a_photo_is_taken(turn: float, step: int, shows: bool) -> None:
    cards = turned([Laid("AS", "hand", 0, 0, 0), Laid("KH", "hand", step, 0, 0)], turn)
    assert shows_from_above(cards, PLAIN) is shows
    assert shows_from_above(cards[::-1], PLAIN) is shows
    assert shows_from_above([replace(card, must=False) for card in cards], PLAIN)


def test_a_photo_that_hides_a_back_of_a_column_is_unfair() -> None:
    cards = (Laid("AS", "column/0", 0, 1, 0, up=False), Laid("KH", "column/0", 0, 0, 0))
    rests = at_rest(*cards)
    camera = above(rests)
    ids = paint_ids(rests, camera)
    ids[ids == 0] = 1
    assert judge(Table(None, None, cards), rests, camera, ids)[1] == ["back in column/0 0.0 px"]
    assert not judge(Table(None, None, cards, countable=False), rests, camera, ids)[1]


@pytest.mark.parametrize("brightness", [0.0, 0.01, 1.0, 50.0])
def test_developing_gives_a_picture_and_the_same_one_again(brightness: float) -> None:
    light = np.random.default_rng(3).random((120, 160, 3), np.float32) * np.float32(brightness)
    paper = np.zeros((120, 160), bool)
    paper[20:60, 30:90] = True
    for seed in range(6):  # some of them shake
        picture, notes = develop(np.random.default_rng(seed), light, paper, "evening")
        assert picture.dtype == np.uint8
        assert picture.shape == light.shape
        again, _ = develop(np.random.default_rng(seed), light, paper, "evening")
        assert (picture == again).all()
        assert notes["shake"] in (0.0, 1.5, 2.5)


def test_paper_is_bright_however_dark_the_light() -> None:
    light = np.full((80, 80, 3), 0.01, np.float32)
    light[20:60, 20:60] = 0.05
    picture, _ = develop(np.random.default_rng(0), light, light[..., 0] > 0.02, "window")
    assert picture[30:50, 30:50].mean() > 150 > picture[:10].mean()


def call(tmp_path: Path, *more: str) -> int:
    return command.main(["--game", "klondike", "-n", "2", "--split", "test", "--out", str(tmp_path), *more])


def test_without_blender_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(blender, "bpy", None)
    assert call(tmp_path / "new") == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: Blender is missing; install it with pip install -e '.[trace]'")
    assert not (tmp_path / "new").exists()


def test_missing_packages_and_fonts_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path))
    monkeypatch.setattr(signs, "data_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr("datasets.path_traced.backs.data_folders", lambda: iter([tmp_path]))
    signs._font_file.cache_clear()
    signs.sign.cache_clear()
    by_name = {deck.name: deck for split in DECKS.values() for deck in split}
    with pytest.raises(SynthError, match=r"run npm install --prefix .* @younestouati/playing-cards-standard-deck$"):
        decks.face(by_name["npm/standard-deck"], parse_card("KH"))
    with pytest.raises(
        SynthError, match=r"font DejaVuSans\.ttf is missing; install the Debian package fonts-dejavu-core"
    ):
        decks.face(by_name["traced/bebas"], parse_card("KH"))
    with pytest.raises(SynthError, match="install the Debian package plasma-workspace-wallpapers"):
        back("picture-Autumn", PLAIN)
    signs._font_file.cache_clear()


def test_tables_that_are_there_are_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def traced(order: trace.Order, size: int | None, samples: int) -> tuple[bytes, dict[str, Any]] | None:
        asked.append(order.name)
        return None if order.seed == 2 else (b"picture", {"seed": order.seed})

    monkeypatch.setattr(command, "trace", traced)
    assert call(tmp_path) == 0
    assert "1 table traced, 0 were there, 1 left out" in capsys.readouterr().err
    assert json.loads((tmp_path / "klondike-test-0001.json").read_text()) == {"seed": 1}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["klondike-test-0001.jpg", "klondike-test-0001.json"]
    assert call(tmp_path) == 0
    assert asked == ["klondike-test-0001", "klondike-test-0002", "klondike-test-0002"]
    with pytest.raises(SystemExit):
        call(tmp_path, "--seed", "1000")


def test_splits_have_tables_of_their_own() -> None:
    first, second = (trace.Order("klondike", split, 3) for split in ("validation", "test"))
    assert first.rng(0).random() != second.rng(0).random()
    assert first.look.deck.name == "npm/standard-deck"
    assert second.look.deck.name == "npm/svg-cards"


def test_blender_traces_a_table() -> None:
    pytest.importorskip("bpy", reason="Blender is not installed")
    orders = [trace.Order(NO_GAME, "validation", seed) for seed in range(1, 100)]
    drawn = [o for o in orders if not (o.look.deck.art or o.look.deck.courts or o.look.back.startswith("picture"))]
    try:
        found = next(filter(None, (trace.trace(order, 400, 1) for order in drawn)))
    except SynthError as error:
        pytest.skip(str(error))
    picture, label = found
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[:2] == (label["image"]["height"], label["image"]["width"])
    assert max(image.shape) == 400
    assert label["cards"]
    assert all(card["visible"] > 0 for card in label["cards"])
