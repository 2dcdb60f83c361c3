"""Scenes and tables: exact ground truth, legal positions, the command."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from datasets.__main__ import main
from datasets.decks.deck import Deck
from datasets.decks.deck_choice import drawn_deck
from datasets.decks.drawn_deck import DeckKind
from datasets.decks.jokers import _drawn, joker_face
from datasets.games.game import scene_of
from datasets.layouts import FAMILIES
from datasets.scenes.loose_card_scenes import KINDS, render_scene
from datasets.scenes.renderer import Camera, LaidCard, Stage
from datasets.scenes.whole_tables import render_table
from datasets.splits import Split
from solver.cards import parse_card
from solver.games import GAMES, position_from_json

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"


@pytest.fixture(autouse=True)
def _small_textures(own_fonts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Textures are small, and drawn with the tests' own fonts."""
    monkeypatch.setattr("datasets.scenes.surfaces._SIDE", 96)


def two_corners() -> Deck:
    return next(deck for n in range(30) if len((deck := drawn_deck("train", n)).indices(parse_card("AS"))) == 2)


def stage(size: int = 400, **changes: float) -> Stage:
    from dataclasses import replace

    camera = Camera((0, 0), (size / 2, size / 2), 100.0, 0.0, 0.0, 500.0, 0.0, 1.0, (size, size))
    image = np.full((size, size, 3), 90, np.uint8)
    return Stage(np.random.default_rng(0), image, replace(camera, **changes), [two_corners()])


@pytest.mark.parametrize("kind", ["unusual", "held"])
def test_scenes_of_unusual_decks_tell_what_is_up(kind: DeckKind) -> None:
    seen = 0
    for number in range(6):
        _, truth = render_scene(np.random.default_rng(number), "test", 320, "few", decks=kind)
        for row in truth["cards"]:
            quad = np.array(row["quad"])
            down = (quad[3] + quad[2] - quad[0] - quad[1]) / 2
            for index in row["indices"]:
                upper, lower = np.array(index.get("upright", (index["rank"], index["suit"])))
                along = (lower - upper) @ down / np.linalg.norm(lower - upper) / np.linalg.norm(down)
                assert abs(along) > 0.8, "an index stands upright on its card, or on its head"
                seen += 1
            assert row["card"] or not row["indices"], "nothing on a back is an index"
    assert seen > 10


def test_thin_tables_show_a_millimetre_of_a_back_or_nothing() -> None:
    squared = thin = 0
    for number in range(12):
        rng = np.random.default_rng(number)
        _, truth = render_table(rng, "test", "klondike", (320, 240), thin=True)
        columns: dict[str, list[float]] = {}
        for row in truth["cards"]:
            if row["zone"].startswith("column") and row["card"] is None:
                quad = np.array(row["quad"])
                width = np.linalg.norm(quad[1] - quad[0])
                columns.setdefault(row["zone"], []).append(float(quad[:2].mean(axis=0)[1] / width))
        steps = [b - a for tops in columns.values() for a, b in itertools.pairwise(tops)]
        if steps:
            squared += np.median(np.abs(steps)) < 0.006
            thin += 0.008 < np.median(np.abs(steps)) < 0.12
    assert squared >= 1
    assert thin >= 4


def test_a_free_card_is_wholly_visible_and_its_boxes_lie_in_its_quad() -> None:
    table = stage()
    table.lay(LaidCard(parse_card("8H"), 0, 0))
    [row] = table.truth()
    assert row["card"] == "8H"
    assert row["visible"] > 0.98
    quad = np.array(row["quad"])
    assert quad[0] == pytest.approx([150, 200 - 50 * table.decks[0].aspect], abs=0.1)
    for index in row["indices"]:
        assert index["visible"] > 0.98
        assert quad[:, 0].min() <= index["box"][0] < index["box"][2] <= quad[:, 0].max()
        assert index["box"][1] <= index["rank"][1] <= index["box"][3]
    first, last = row["indices"][0], row["indices"][-1]
    assert first["rank"][1] < first["suit"][1]
    assert last["rank"][1] > last["suit"][1]


def test_a_covered_card_is_not_visible_and_a_fanned_one_shows_its_first_index() -> None:
    table = stage()
    table.lay(LaidCard(parse_card("2C"), 0, 0))
    table.lay(LaidCard(parse_card("3C"), 0, 0))
    assert [row["visible"] > 0.9 for row in table.truth()] == [False, True]
    table = stage()
    table.lay(LaidCard(parse_card("2C"), 0, 0))
    table.lay(LaidCard(parse_card("3C"), 0.6, 0))
    below = table.truth()[0]
    assert below["visible"] == pytest.approx(0.6, abs=0.03)
    assert below["indices"][0]["visible"] > 0.5
    assert not below["indices"][-1]["visible"]


def test_a_card_half_out_of_the_picture_is_half_visible() -> None:
    table = stage()
    table.lay(LaidCard(parse_card("KS"), 2.0, 0))
    assert table.truth()[0]["visible"] == pytest.approx(0.5, abs=0.03)


def test_an_index_at_the_horizon_shows_nothing() -> None:
    flat, corners = stage(), np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    flat.lay(LaidCard(parse_card("AS"), 0, 0))
    assert flat._share(200 + 5 * corners, 0) == 1
    assert flat._share(200 + 1e7 * corners, 0) == 0


def test_a_turned_card_keeps_its_own_corners() -> None:
    table = stage()
    table.lay(LaidCard(parse_card("KS"), 0, 0, np.pi))
    row = table.truth()[0]
    assert row["quad"][0][1] > row["quad"][2][1]
    assert row["indices"][0]["rank"][1] > row["indices"][0]["suit"][1]


def test_a_tilted_camera_sees_far_cards_smaller() -> None:
    table = stage(tilt=0.8)
    for y in (-1.0, 1.0):
        table.lay(LaidCard(parse_card("5D"), 0, y))
    far, near = (np.array(row["quad"]) for row in table.truth())
    assert np.linalg.norm(far[1] - far[0]) < 0.9 * np.linalg.norm(near[1] - near[0])


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_scene(kind: str) -> None:
    first, second = (render_scene(np.random.default_rng((4, 2)), "train", 160, kind) for _ in range(2))
    assert np.array_equal(first[0], second[0])
    assert first[1] == second[1]
    assert first[0].shape == (160, 160, 3)
    json.dumps(first[1])


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_legal_and_tables_show_them(game: str) -> None:
    for seed in range(12):
        position = position_from_json(scene_of(game).random_position(np.random.default_rng((1, seed))))
        if game != "tomb_double":  # its unseen cards are all counted as stock, more than lie there in play
            assert position.problems() == ()
    _, truth = render_table(np.random.default_rng(3), "test", game, (320, 240))
    assert position_from_json(truth["position"]).to_json() == truth["position"]
    shown = Counter(row["card"] for row in truth["cards"] if row["card"])
    told = truth["position"]
    wanted = Counter(
        card
        for card in _words({key: value for key, value in told.items() if key not in ("game", "foundations", "rules")})
        if card != "??"
    )
    tops = [row["card"] for row in truth["cards"] if row["zone"].startswith("foundation")]
    assert shown - Counter(tops) == wanted


@pytest.mark.parametrize("game", ["klondike", "makiaveli"])
def test_tight_tables_hide_parts_of_indices_and_others_hardly_any(game: str) -> None:
    def hidden(tight: bool) -> float:
        tables = [render_table(np.random.default_rng((6, k)), "test", game, (480, 360), tight=tight) for k in range(12)]
        cards = [card for _, truth in tables for card in truth["cards"] if card["card"]]
        return float(np.mean([0.1 < card["indices"][0]["visible"] < 0.95 for card in cards]))

    assert hidden(True) > 3 * hidden(False) + 0.03


def _words(data: object) -> list[str]:
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        return [word for entry in data for word in _words(entry)]
    return [data] if isinstance(data, str) else []


def test_the_command_writes_pairs_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    command = ["--kind", "few", "--size", "128", "--out", str(tmp_path), "-n"]
    assert main([*command, "1"]) == 0
    first = next(tmp_path.glob("*.jpg"))
    stamp = first.stat().st_mtime_ns
    assert main([*command, "2"]) == 0
    assert first.stat().st_mtime_ns == stamp
    names = {path.name for path in tmp_path.iterdir()}
    assert len(names) == 4
    assert {path.with_suffix(".json").name for path in tmp_path.glob("*.jpg")} <= names


def test_the_ways_to_lay_tables_are_named_without_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--family", "list"]) == 0
    names = [line.removesuffix(" (held out)") for line in capsys.readouterr().out.splitlines()]
    assert names == [family.name for family in FAMILIES]
    assert len(set(names)) == len(names), "--family names one of them"


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--kind", "few"], "--out"),
        (["--family", "klondike/sideways", "--out", "x"], "--family list"),
        (["--tight", "--out", "x"], "--tight needs --game"),
        (["--game", "makiaveli", "--thin", "--out", "x"], "--thin needs --game klondike"),
        (["--game", "klondike", "--views", "2", "--out", "x"], "--views and --cards need --game makiaveli"),
        (["--game", "makiaveli", "--cards", "60", "70", "--out", "x"], "--cards needs --views"),
        (["--game", "makiaveli", "--closeups", "--views", "1", "--out", "x"], "--closeups needs --views 2"),
        (["--decks", "held", "--out", "x"], "--decks held needs --split"),
        (["--deck", "gnome/paris", "--out", "x"], "--deck belongs to tables"),
        (["--backs", "held", "--out", "x"], "--backs held needs --split"),
        (["--game", "makiaveli", "--views", "2", "--backs", "ornate", "--out", "x"], "usual decks and backs"),
    ],
)
def test_what_does_not_go_together_is_told(words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert wrong in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("words", [["-n", "0"], ["--size", "3"], ["--kind", "tarot"], ["--game", "chess"]])
def test_wrong_usage_is_status_2(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*words, "--out", str(tmp_path)])
    assert caught.value.code == 2


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_samples_are_whole(path: Path) -> None:
    from PIL import Image

    truth = json.loads(path.read_text())
    with Image.open(path.with_suffix(".jpg")) as image:
        assert image.size == (truth["image"]["width"], truth["image"]["height"])
    assert truth["split"] == "test"
    assert position_from_json(truth["position"]).to_json() == truth["position"]


def test_jokers_lie_among_the_cards_and_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[np.ndarray] = []
    lay_joker = Stage.lay_joker

    def remember(self: Stage, split: Split, placed: LaidCard) -> None:
        laid.append(self.quad(placed).round(1))
        lay_joker(self, split, placed)

    monkeypatch.setattr(Stage, "lay_joker", remember)
    _, truth = render_scene(np.random.default_rng(2), "test", 320, "jokers")
    assert laid
    assert truth["cards"], "not all are jokers"
    for quad in laid:
        assert not any(np.array_equal(quad, row["quad"]) for row in truth["cards"])
    laid.clear()
    for number in range(12):
        render_scene(np.random.default_rng(number), "test", 160, "few")
    assert not laid, "other scenes of test have none: they stay what they were"


def test_a_joker_hides_what_lies_below_it() -> None:
    there = stage()
    there.lay(LaidCard(parse_card("AS"), 0, 0))
    there.lay_joker("train", LaidCard(None, 0, 0))
    (card,) = there.truth()
    assert card["visible"] < 0.02


@pytest.mark.parametrize("seed", range(12))
def test_a_drawn_joker_has_something_in_its_corners(seed: int) -> None:
    face = _drawn(np.random.default_rng(seed), "train", 100, 140)
    assert (face.shape, face.dtype) == ((140, 100, 3), np.uint8)
    assert min(np.ptp(corner) for corner in (face[:60, :40], face[-60:, -40:])) > 30


def test_a_joker_has_the_size_of_its_decks_cards() -> None:
    assert {joker_face(np.random.default_rng(seed), "train", 100, 1.4).shape for seed in range(9)} == {(140, 100, 3)}
