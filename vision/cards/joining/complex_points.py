"""Points of a plane as complex numbers, so that a product turns them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array


def invert(matrix: Array) -> Array:
    """The homography (3, 3) the other way."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def as_complex(points: Array) -> NDArray[np.complex128]:
    """Points (..., 2) as complex numbers (...)."""
    return np.asarray(points[..., 0] + 1j * points[..., 1])


def as_xy(points: NDArray[np.complex128]) -> Array:
    """Complex numbers (...) as points (..., 2)."""
    return np.stack([points.real, points.imag], -1)


def map_points(warp: Array, points: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Complex points through a homography (3, 3), as `vision.cards.geometry.project` takes plain ones."""
    (a, b, c), (d, e, f), (g, h, i) = warp.tolist()
    top = complex(a + e, d - b) / 2 * points + complex(a - e, d + b) / 2 * points.conj() + complex(c, f)
    depth = g * points.real + h * points.imag + i
    return np.asarray(top * (1 / np.where(np.abs(depth) < 1e-9, 1e-9, depth)))
