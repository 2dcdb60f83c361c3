"""Lab colours are those of OpenCV, but for what its tables are inexact."""

from __future__ import annotations

import cv2
import numpy as np

from vision.networks.lab_colours import to_lab


def test_colours_are_those_of_opencv() -> None:
    given = np.random.default_rng(0).uniform(0, 1, (60, 40, 3)).astype(np.float32)
    np.testing.assert_allclose(to_lab(given), cv2.cvtColor(given, cv2.COLOR_RGB2LAB), atol=1.0)


def test_black_is_dark_and_white_light_and_both_are_grey() -> None:
    found = to_lab(np.array([[0, 0, 0], [1, 1, 1]], np.float32))
    np.testing.assert_allclose(found, [[0, 0, 0], [100, 0, 0]], atol=1e-3)
