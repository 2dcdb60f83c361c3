"""Lab colours are those of OpenCV, bit for bit."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from vision.networks.lab_colours import CELLS, to_lab

LEVELS = np.arange(0, 256, 15)


@pytest.mark.parametrize(
    "colours",
    [
        np.random.default_rng(0).uniform(-0.1, 1.1, (40, 24, 3)),
        np.array(list(product(LEVELS, repeat=3))).reshape(18, -1, 3) / 255,
        np.array(list(product(range(CELLS + 1), repeat=3))).reshape(CELLS + 1, -1, 3) / CELLS,
    ],
    ids=["any", "of a photo", "corners of cells"],
)
def test_colours_are_those_of_opencv(colours: np.ndarray) -> None:
    given = colours.astype(np.float32)
    np.testing.assert_array_equal(to_lab(given), cv2.cvtColor(given, cv2.COLOR_RGB2LAB))


def test_black_is_dark_and_white_light_and_both_are_grey() -> None:
    found = to_lab(np.array([[0, 0, 0], [1, 1, 1]], np.float32))
    np.testing.assert_allclose(found, [[0, 0, 0], [100, 0, 0]], atol=0.02)
