"""The counter of face-down cards: what it is shown, what it says, and how it is trained."""

import json
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.scenes.whole_tables import render_table
from models.train.labelled_pictures import DataError
from vision.image import load
from vision.networks.back_counter import (
    ABOVE,
    BELOW,
    FARTHEST,
    HEIGHT,
    MOST,
    NEAREST,
    SIDE,
    WIDTH,
    BackCounter,
    nearer,
    nearness_of,
    reaches_of,
    region,
    strips,
)
from vision.networks.runtime import ModelError
from vision.photo_to_reading import read_photo

torch = pytest.importorskip("torch")
from models.back_counter import data as counter_data  # noqa: E402  (needs torch)
from models.back_counter import net as counter_net  # noqa: E402  (needs torch)
from models.back_counter import repaint  # noqa: E402  (needs torch)
from models.train import loop  # noqa: E402  (needs torch)

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "klondike_1.jpg"


def test_a_strip_is_cut_straight_whatever_the_photo_does_to_it() -> None:
    """A red line across the strip at the face's upper edge is found at the same height from every side."""
    picture = np.zeros((1200, 1200, 3), np.uint8)
    card = np.array([[500, 700], [620, 690], [640, 880], [515, 890]], np.float32)
    unit = np.array([[-0.5, 0], [0.5, 0], [0.5, 1.4], [-0.5, 1.4]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, card)
    line = cv2.perspectiveTransform(np.array([[[-0.9, 0.0], [0.9, 0.0]]], np.float32), matrix)[0]
    cv2.line(picture, line[0].round().astype(int).tolist(), line[1].round().astype(int).tolist(), (255, 0, 0), 5)
    quad = cv2.perspectiveTransform(region()[None].astype(np.float32), matrix)
    (strip,) = strips(picture, quad.astype(float))
    assert strip.shape == (HEIGHT, WIDTH, 3)
    row = int(strip[:, WIDTH // 2, 0].argmax())
    assert row == pytest.approx(HEIGHT * ABOVE / (ABOVE + BELOW), abs=2)
    assert np.ptp([int(strip[:, x, 0].argmax()) for x in range(2, WIDTH - 2)]) <= 2
    assert 2 * SIDE * HEIGHT / (ABOVE + BELOW) >= WIDTH  # rows are cut at least as finely as columns


def test_the_counter_counts_the_sample_and_gives_probabilities() -> None:
    image = load(SAMPLE)
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())["position"]
    reading = read_photo(image, game="klondike")
    assert reading.position is not None
    found = [len(column["down"]) for column in reading.position.to_json()["columns"]]
    assert found == [len(column["down"]) for column in truth["columns"]]
    quad = np.array([[[0, 0], [80, 0], [80, 240], [0, 240]]], float)
    log_count = BackCounter().count(image, np.concatenate([quad, quad + 200]))
    assert log_count.shape == (2, MOST + 1)
    assert np.exp(log_count).sum(1) == pytest.approx(1, abs=1e-3)
    assert BackCounter().count(image, np.zeros((0, 4, 2))).shape == (0, MOST + 1)


def test_a_nearer_look_shows_the_same_place_larger() -> None:
    """The face-up card's edge stays where it is, and a line above it is farther away."""
    picture = np.zeros((900, 400, 3), np.uint8)
    quad = np.array([[[100, 40], [280, 40], [280, 520], [100, 520]]], float)
    face = 40 + 480 * ABOVE / (ABOVE + BELOW)
    cv2.line(picture, (100, round(face)), (280, round(face)), (255, 0, 0), 3)
    cv2.line(picture, (100, round(face - 30)), (280, round(face - 30)), (0, 255, 0), 3)
    apart = {}
    for nearness in (1.0, 3.0):
        (strip,) = strips(picture, nearer(quad, nearness))
        red, green = (int(strip[:, WIDTH // 2, channel].argmax()) for channel in (0, 1))
        assert red == pytest.approx(HEIGHT * ABOVE / (ABOVE + BELOW), abs=8)  # the line is thicker, too
        apart[nearness] = red - green
    assert apart[3.0] == pytest.approx(3 * apart[1.0], rel=0.15)


def test_it_looks_as_near_as_the_tallest_column_fits() -> None:
    rows = HEIGHT // 4
    edges = np.zeros((2, rows))
    face = rows * ABOVE / (ABOVE + BELOW)
    edges[0, int(face - rows * 0.02)] = 0.9
    assert nearness_of(edges) == NEAREST
    edges[1, int(face - face * 0.5)] = 0.9
    assert nearness_of(edges) == pytest.approx(1.5, abs=0.1)
    edges[1, int(face * 0.2)] = 0.9
    assert nearness_of(edges) == 1.0
    edges[0, 2] = 0.9
    assert nearness_of(edges) == FARTHEST  # the first column may go on beyond its strip
    assert reaches_of(edges).round(1).tolist() == [1.0, 0.8]


def test_a_column_that_goes_on_beyond_its_strip_is_counted_from_farther_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its own strip cannot show has no say; the other column is weighed by both looks."""
    edges = np.zeros((2, HEIGHT // 4))
    edges[0, 1], edges[1, 70] = 0.9, 0.9
    near, far = np.log([[0.1, 0.2, 0.7], [0.1, 0.6, 0.3]]), np.log([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]])
    looks = iter([(np.pad(near, ((0, 0), (0, MOST - 2)), constant_values=-20.0), edges),
                  (np.pad(far, ((0, 0), (0, MOST - 2)), constant_values=-20.0), edges)])  # fmt: skip
    monkeypatch.setattr(BackCounter, "_look", lambda self, cut: next(looks))
    quad = np.array([[[0, 0], [80, 0], [80, 240], [0, 240]]], float)
    picture = np.full((300, 300, 3), 90, np.uint8)
    found = np.exp(BackCounter.__new__(BackCounter).count(picture, np.concatenate([quad, quad + 50])))
    assert found[0, :3] == pytest.approx([0.8, 0.1, 0.1], abs=0.01)
    assert found[1].argmax() == 1
    assert 0.6 < found[1, 1] < 0.8


@pytest.mark.parametrize(("sureness", "looks"), [(0.95, 1), (0.3, 2)])
def test_it_looks_again_only_where_a_column_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch, sureness: float, looks: int
) -> None:
    seen = np.full((2, MOST + 1), 0.01)
    seen[0, 2], seen[1, 1] = 0.94, sureness
    seen /= seen.sum(1, keepdims=True)
    edges = np.zeros((2, HEIGHT // 4))
    edges[:, int(HEIGHT // 4 * ABOVE / (ABOVE + BELOW)) - 4] = 0.9
    taken = []
    monkeypatch.setattr(BackCounter, "_look", lambda self, cut: taken.append(cut) or (np.log(seen), edges))
    quad = np.array([[[0, 0], [80, 0], [80, 240], [0, 240]]], float)
    picture = np.full((300, 300, 3), 90, np.uint8)
    found = BackCounter.__new__(BackCounter).count(picture, np.concatenate([quad, quad + 50]))
    assert len(taken) == looks
    assert found.argmax(1).tolist() == [2, 1]


def test_a_file_that_is_no_counter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such weights"):
        BackCounter(tmp_path / "missing.onnx")


@pytest.fixture
def tables(own_fonts: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    for seed in range(2):
        picture, truth = render_table(np.random.default_rng(seed), "train", "klondike", (800, 600))
        cv2.imwrite(str(folder / f"{seed}.jpg"), picture[..., ::-1])
        (folder / f"{seed}.json").write_text(json.dumps(truth))
    (folder / "other.json").write_text(json.dumps({"game": "makiaveli", "cards": []}))
    cv2.imwrite(str(folder / "other.jpg"), np.zeros((8, 8, 3), np.uint8))
    return folder


def test_columns_are_cut_with_their_counts_and_edges(tables: Path) -> None:
    path = tables / "0.json"
    columns = counter_data.read_columns(path)
    position = json.loads(path.read_text())["position"]
    wanted = sorted(len(column["down"]) for column in position["columns"] if column["up"])
    assert sorted(len(column.tops) for column in columns) == wanted
    assert counter_data.read_columns(tables / "other.json") == []
    for rng in (None, np.random.default_rng(3)):
        for strip, count, edge in counter_data.cut_examples(columns, load(path.with_suffix(".jpg")), rng):
            assert strip.shape == (HEIGHT, WIDTH, 3)
            peaks = (edge[1:-1] >= edge[:-2]) & (edge[1:-1] > edge[2:]) & (edge[1:-1] > 0.5)
            assert peaks.sum() <= count <= MOST
            assert (count == 0) == (edge.max() < 0.5)


def test_repainting_changes_the_backs_and_nothing_else(tables: Path) -> None:
    scene = json.loads((tables / "0.json").read_text())
    before = load(tables / "0.jpg")
    cards = repaint.cards_of(scene)
    after = repaint.repaint_backs(before, cards, np.random.default_rng(1))
    changed = (before != after).any(2)
    near = np.zeros(changed.shape, np.uint8)
    for quad in cards.backs:
        cv2.fillConvexPoly(near, quad.round().astype(np.int32), 1)
    shadows = cv2.dilate(near, np.ones((31, 31), np.uint8)) > 0
    assert changed[near > 0].mean() > 0.3
    assert not changed[~shadows].any()
    faces = np.zeros(changed.shape, np.uint8)
    for quad in cards.faces:
        cv2.fillConvexPoly(faces, quad.round().astype(np.int32), 1)
    assert not changed[faces > 0].any()


@pytest.mark.parametrize("seed", range(12))
def test_a_back_that_is_cut_out_shows_nothing_but_the_photo_and_frames(seed: int) -> None:
    plain = np.full((300, 400, 3), (40, 90, 160), np.uint8)
    art = repaint._cut_art(plain, np.random.default_rng(seed))
    assert (art.shape, art.dtype) == ((repaint.ART_HEIGHT, repaint.ART_WIDTH, 3), np.uint8)
    assert len(np.unique(art.reshape(-1, 3), axis=0)) <= 3  # one colour, and those of two frames at most
    shaded = plain.copy()
    shaded[..., 1] = np.arange(400) * 5 % 250
    assert len(np.unique(repaint._cut_art(shaded, np.random.default_rng(seed)).reshape(-1, 3), axis=0)) > 3


def test_a_column_that_runs_to_a_side_is_cut_along_its_backs(tables: Path, tmp_path: Path) -> None:
    """The same table, of which each quad names its corners as a card turned by a quarter would."""
    scene = json.loads((tables / "0.json").read_text())
    upright = counter_data.read_columns(tables / "0.json")
    for card in scene["cards"]:
        card["quad"] = card["quad"] and [*card["quad"][1:], card["quad"][0]]
    (tmp_path / "turned.json").write_text(json.dumps(scene))
    for column, turned in zip(upright, counter_data.read_columns(tmp_path / "turned.json"), strict=True):
        if len(column.tops):
            assert turned.tops == pytest.approx(column.tops, abs=1)


def test_the_tables_of_a_batch_do_not_meet() -> None:
    """A strip is counted in the light of its own table's strips, and of no other's."""
    torch.manual_seed(0)
    net = counter_net.CounterNet().eval()
    strips = torch.rand(5, 3, HEIGHT, WIDTH)
    with torch.no_grad():
        alone = torch.cat([net(strips[:2])[0], net(strips[2:])[0]])
        together = net(strips, torch.tensor([0, 0, 1, 1, 1]))[0]
        mixed = net(strips)[0]
    assert torch.allclose(together, alone, atol=1e-5)
    assert not torch.allclose(mixed, alone, atol=1e-5)


def test_training_and_calibration_end_in_a_file_that_counts(tables: Path, tmp_path: Path) -> None:
    """A few steps only: the way from tables to an ONNX file, not what it learns."""
    stream = iter(counter_data.batches([tables], 3, 0))
    batch = next(stream)
    strips = len(batch["table"])
    assert sorted(set(batch["table"].tolist())) == [0, 1, 2]
    assert batch["image"].shape == (strips, 3, HEIGHT, WIDTH)
    assert batch["edge"].shape == (strips, counter_net.ROWS)
    two_steps = islice(counter_data.batches([tables], 3, 0), 2)
    net = loop.fit(counter_net.TASK, two_steps, tmp_path / "run", loop.Plan(minutes=60), torch.device("cpu"))
    found = counter_data.calibrate(net, [tables])
    assert found.count > 0
    assert found.right is not None
    assert 0 <= found.right <= 1
    counter_net.export(net, tmp_path / "counter.onnx", found)
    quad = np.array([[[0, 0], [80, 0], [80, 240], [0, 240]]], float)
    assert BackCounter(tmp_path / "counter.onnx").count(load(tables / "0.jpg"), quad).shape == (1, MOST + 1)
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "other.json").write_text((tables / "other.json").read_text())
    (empty / "other.jpg").write_bytes((tables / "other.jpg").read_bytes())
    with pytest.raises(DataError, match="Klondike"):
        next(iter(counter_data.batches([empty], 3, 0)))
    with pytest.raises(DataError, match="Klondike"):
        counter_data.calibrate(net, [empty])
