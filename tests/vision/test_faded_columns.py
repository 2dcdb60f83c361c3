"""Columns that fade into black: more cards may lie there than anybody can see."""

from __future__ import annotations

import numpy as np
import pytest

from vision.networks.back_counter import ABOVE, BELOW, HEIGHT, MOST, WIDTH, Floats, Image, at_least, fades_out

FACE = round(HEIGHT * ABOVE / (ABOVE + BELOW))
TOP = FACE // 2
"""The rows of the first face-up card's upper edge, and of the uppermost card found."""


def strip(face: float, uppermost: float, above: float) -> tuple[Image, Floats]:
    """A strip that is so bright at its face-up card, at its uppermost card, and above it, with its edges."""
    light = np.concatenate(
        [np.full(TOP, above), np.linspace(uppermost, face, FACE - TOP), np.full(HEIGHT - FACE, face)]
    )
    edges = np.zeros((1, HEIGHT))
    edges[0, [TOP, FACE]] = 1.0
    return np.repeat(light, WIDTH * 3).reshape(1, HEIGHT, WIDTH, 3).astype(np.uint8), edges


@pytest.mark.parametrize(
    ("face", "uppermost", "above", "is_faded"),
    [
        (64, 29, 14, True),
        (230, 220, 10, False),  # a black cloth
        (240, 6, 4, False),  # the picture's black frame
        (110, 105, 104, False),  # dark, but all is seen
        (64, 29, 60, False),  # a black back on a cloth
    ],
)
def test_a_column_fades_out_where_its_paper_grows_black(
    face: float, uppermost: float, above: float, is_faded: bool
) -> None:
    assert fades_out(*strip(face, uppermost, above)).tolist() == [is_faded]


def test_of_no_columns_none_fades_out() -> None:
    assert fades_out(np.zeros((0, HEIGHT, WIDTH, 3), np.uint8), np.zeros((0, HEIGHT))).tolist() == []


def test_a_faded_count_is_a_least_one() -> None:
    sure = np.log(np.eye(MOST + 1)[[2, MOST]] * 0.94 + 0.06 / (MOST + 1))
    chance = np.exp(at_least(sure))
    assert chance.sum(1) == pytest.approx(1)
    assert chance[0, :2].max() < 0.02
    assert np.ptp(chance[0, 2:]) < 0.05
    assert chance[1].argmax() == MOST
