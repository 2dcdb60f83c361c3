"""The surface map's truth, and its way from scenes to a file."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from models.surface_map import data, evaluate, net  # noqa: E402
from models.train import loop  # noqa: E402
from vision.networks.surface_map import BACK, FACE, NEITHER, SurfaceMap  # noqa: E402


def quad(x: float, y: float, width: float, height: float) -> list[list[float]]:
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


SCENE: dict[str, Any] = {
    "image": {"width": 320, "height": 240},
    "cards": [
        {"card": None, "quad": quad(32, 32, 64, 96)},
        {"card": "8H", "quad": quad(64, 64, 64, 96)},
        {"card": "AS", "quad": None},
    ],
}


def test_later_cards_cover_earlier_ones() -> None:
    wanted = data.surfaces(SCENE, 1.0, (320, 240))
    assert wanted.shape == (3, 30, 40)
    assert np.allclose(wanted.sum(0), 1)
    kinds = wanted.argmax(0)
    assert [int(kinds[y // 8, x // 8]) for x, y in ((40, 40), (80, 100), (120, 150), (8, 8), (200, 200))] == [
        BACK, FACE, FACE, NEITHER, NEITHER,
    ]  # fmt: skip
    twice = data.surfaces(SCENE, 2.0, (640, 480)).argmax(0)
    assert (twice[::2, ::2] == kinds).mean() > 0.95


def test_a_spot_that_an_edge_cuts_has_shares() -> None:
    wanted = data.surfaces({"cards": [{"card": "8H", "quad": quad(4, 0, 100, 100)}]}, 1.0, (64, 64))
    assert wanted[FACE, 2, 0] == pytest.approx(0.5, abs=0.13)


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    folder = tmp_path / "scenes"
    folder.mkdir()
    image = np.full((240, 320, 3), 80, np.uint8)
    cv2.rectangle(image, (32, 32), (96, 128), (40, 40, 180), -1)
    cv2.rectangle(image, (64, 64), (128, 160), (250, 250, 250), -1)
    cv2.imwrite(str(folder / "one.jpg"), image)
    (folder / "one.json").write_text(json.dumps(SCENE))
    return folder


def test_pictures_and_truth_are_turned_alike() -> None:
    """Where the truth says that a card lies, the picture is bright."""
    image = np.full((240, 320, 3), 10, np.uint8)
    cv2.rectangle(image, (64, 64), (128, 160), (250, 250, 250), -1)
    scene = {"cards": [{"card": "8H", "quad": quad(64, 64, 64, 96)}]}
    for seed in range(6):
        picture, wanted = data.shown(image, scene, np.random.default_rng(seed))
        assert picture.shape == (*data.SHOWN[::-1], 3)
        face = cv2.resize(wanted[FACE], data.SHOWN) > 0.5
        light = picture.mean(2)
        inverted = np.median(light[~face]) > np.median(light[face]) if face.any() else False
        if face.mean() > 0.02:
            assert abs(np.median(light[face]) - np.median(light[~face])) > 30 or inverted


def test_a_file_says_what_the_head_says(scenes: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    batches = islice(data.batches([scenes], 2, 0), 2)
    head = loop.fit(net.TASK, batches, tmp_path / "run", loop.Plan(minutes=60), torch.device("cpu"))
    file = tmp_path / "surfaces.onnx"
    net.export(head, file)
    picture = np.random.default_rng(0).integers(0, 255, (96, 160, 3), np.uint8)
    maps = [torch.from_numpy(part.astype(np.float32))[None] for part in data.Backbone().features(picture)]
    with torch.no_grad():
        wanted = torch.softmax(head.float().eval()(*maps), 1).numpy()
    (found,) = SurfaceMap(file).run(np.ascontiguousarray(picture.transpose(2, 0, 1)[None]))
    assert found.shape == wanted.shape == (1, 3, 12, 20)
    assert np.abs(found - wanted).max() < 0.02, "features are kept in half precision for training"


def test_measuring_compares_with_the_truth(scenes: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    net.export(net.SurfaceHead(), tmp_path / "surfaces.onnx")
    shares = evaluate.measure(SurfaceMap(tmp_path / "surfaces.onnx"), [scenes])
    assert set(shares) == {"right", "right where clear", "IoU of neither", "IoU of face", "IoU of back"}
    assert all(0 <= share <= 1 for share in shares.values())
