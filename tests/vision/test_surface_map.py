"""The map of faces, backs and the rest: its shape, its probabilities, and what it says of known photos."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.image import load
from vision.networks.surface_map import FACE, NEITHER, SIDE, STRIDE, SurfaceMap, Surfaces

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"


@pytest.mark.parametrize("size", [(1280, 960), (300, 700), (4000, 3000), (33, 9)])
def test_a_spot_has_the_probabilities_of_three_surfaces(size: tuple[int, int]) -> None:
    width, height = size
    found = SurfaceMap().see(np.full((height, width, 3), 120, np.uint8))
    h, w, kinds = found.probabilities.shape
    assert kinds == 3
    assert max(h, w) == SIDE // STRIDE
    assert abs(h * found.spot_px - height) <= found.spot_px
    assert abs(w * found.spot_px - width) <= found.spot_px
    assert np.allclose(found.probabilities.sum(2), 1, atol=1e-5)


def test_points_are_looked_up_in_the_photos_pixels() -> None:
    probabilities = np.zeros((2, 3, 3), np.float32)
    probabilities[..., NEITHER] = 1
    probabilities[1, 2] = [0, 1, 0]
    surfaces = Surfaces(probabilities, 10.0)
    assert surfaces.at(np.array([[25.0, 15.0], [5.0, 5.0], [500.0, 500.0]]))[:, FACE].tolist() == [1, 0, 1]


@pytest.mark.parametrize("name", ["klondike_1", "makiaveli_1", "tomb_double_1", "tomb_single_1"])
def test_cards_of_a_sample_are_told_from_the_table(name: str) -> None:
    pytest.importorskip("torch")
    from models.surface_map.evaluate import measure

    shares = measure(SurfaceMap(), [SAMPLES / f"{name}.json"])
    assert shares["right where clear"] > 0.95
    assert shares["IoU of face"] > 0.75


def test_an_empty_table_is_neither() -> None:
    rng = np.random.default_rng(0)
    felt = np.clip(rng.normal(0, 5, (720, 960, 3)) + np.array([30, 110, 60]), 0, 255).astype(np.uint8)
    assert (SurfaceMap().see(felt).probabilities.argmax(2) == NEITHER).mean() > 0.95


def test_the_table_round_a_samples_cards_has_few_faces() -> None:
    image = load(SAMPLES / "klondike_1.jpg")
    found = SurfaceMap().see(image).probabilities.argmax(2)
    assert 0.05 < (found == FACE).mean() < 0.6
