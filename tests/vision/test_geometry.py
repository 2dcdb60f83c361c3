"""The plane is found from indices alone, and its shapes measure what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision import simulate
from vision.cards.geometry import fit_plane, gaps, inside, rectangle


@pytest.mark.parametrize("seed", range(6))
def test_indices_are_equally_long_in_the_plane(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = simulate.Camera(tilt=0.15 * seed, roll=0.2 * seed, size=(1600, 1200))
    truth = simulate.makiaveli(rng, camera=camera)
    found, _, _ = simulate.observe(truth, rng, simulate.PERFECT)
    plane = fit_plane(found.rank_xy.astype(float), found.suit_xy.astype(float), (1600, 1200))
    tips = plane.from_photo(found.suit_xy.astype(float)) - plane.from_photo(found.rank_xy.astype(float))
    length = np.linalg.norm(tips, axis=1)
    photo = np.linalg.norm(found.suit_xy - found.rank_xy, axis=1)
    assert np.std(length) / np.mean(length) < 0.03
    assert np.std(length) / np.mean(length) <= np.std(photo) / np.mean(photo) + 1e-3
    back = plane.to_photo(plane.from_photo(found.rank_xy.astype(float)))
    assert np.allclose(back, found.rank_xy, atol=1e-3)


def test_no_index_gives_the_photo_itself() -> None:
    none = np.zeros((0, 2))
    assert np.allclose(fit_plane(none, none, (640, 480)).from_photo(np.array([[3.0, 4.0]])), [[3, 4]])


def convex_gap(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The slow twin of `gaps`, for two quads."""
    best = -np.inf
    for quad in (first, second):
        side = np.roll(quad, -1, axis=0) - quad
        normals = np.stack([side[:, 1], -side[:, 0]], axis=-1) / np.maximum(np.linalg.norm(side, axis=1), 1e-9)[:, None]
        a, b = first @ normals.T, second @ normals.T
        best = max(best, float((np.maximum(b.min(0) - a.max(0), a.min(0) - b.max(0))).max()))
    return best


places = st.floats(-5, 5).map(lambda v: round(v, 2))


@settings(max_examples=60, deadline=None)
@given(places, places, places, places, st.floats(0, 6), st.floats(0, 6))
def test_gaps_of_all_pairs_are_those_of_two(ax: float, ay: float, bx: float, by: float, s: float, t: float) -> None:
    centres = np.array([[ax, ay], [bx, by]])
    downs = np.array([[np.sin(s), np.cos(s)], [np.sin(t), np.cos(t)]])
    quads = rectangle(centres, downs, 2.0, 3.0)
    both = gaps(quads)
    assert both[0, 1] == both[1, 0] == pytest.approx(convex_gap(quads[0], quads[1]))
    if both[0, 1] > 1e-6:
        assert not inside(quads[0], quads[1]).any()
