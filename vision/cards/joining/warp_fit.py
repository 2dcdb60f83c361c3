"""The homography that lays one photo's plane on another's by points that both have."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.complex_points import map_points
from vision.cards.joining.tuning import TUNING

ROUNDS: Final = 3
"""How often the points are weighed anew, by how far they lie from where the last homography lays them."""


def fit_warp(
    cloud: Cloud,
    points: NDArray[np.complex128],
    targets: NDArray[np.complex128],
    *,
    noise_widths: float = TUNING.place_card_widths,
    loose: float = 1.0,
) -> Array:
    """The homography (3, 3) that lays points of a photo's plane on targets, hardly distorted where few of them tell.

    Turn and shift are free, size nearly given; stretch, shear and perspective are expected to be small over the reach
    of all the photo's cards, so that a few cards at its edge do not bend the rest of it. `loose` expects them to be so
    many times larger, and a point tells its place to `noise_widths`, card widths.
    """
    middle, reach = cloud.at.mean(), cloud.reach
    z, v = (points - middle) / reach, targets / reach
    weight = np.ones(len(z))
    centre, turn = _similarity(z, v, weight)
    noise = noise_widths / reach
    # unknown: s, r (turn and size), e, f (stretch, shear), shift x and y, g, h (perspective); first all x, then all y
    x, y = z.real, z.imag
    rows = np.zeros((2, len(z), 8))
    rows[0, :, 0], rows[0, :, 1], rows[0, :, 2], rows[0, :, 3], rows[0, :, 4] = x, -y, x, y, 1
    rows[1, :, 0], rows[1, :, 1], rows[1, :, 2], rows[1, :, 3], rows[1, :, 5] = y, x, -y, x, 1
    prior = np.diag(np.array([0, 0, 1, 1, 0, 0, 1, 1]) / (loose * TUNING.stretch_share) ** 2)
    scale_share = loose * TUNING.scale_share
    for round_ in range(ROUNDS):
        u = v - centre
        wanted = np.stack([u.real, u.imag])
        rows[:, :, 6], rows[:, :, 7] = -wanted * x, -wanted * y
        weighed = rows * (weight / noise**2)[None, :, None]
        direction = np.array([turn.real, turn.imag]) / abs(turn)
        known = prior + 1e-9 * np.eye(8)
        known[:2, :2] += np.outer(direction, direction) / scale_share**2
        given = (weighed * wanted[:, :, None]).sum((0, 1))
        given[:2] += direction / scale_share**2
        square = weighed.reshape(-1, 8).T @ rows.reshape(-1, 8) + known
        s, r, e, f, tx, ty, g, h = np.linalg.solve(square, given).tolist()
        warp = np.array([[s + e, -r + f, tx], [r + f, s - e, ty], [g, h, 1.0]])
        off = np.abs(map_points(warp, z) - u) / noise
        weight, turn = 1 / (1 + (off / 2.5) ** 2), complex(s, r)
        if round_ == 0:  # perspective is small about the middle of the photo, not about any other point
            centre += complex(tx, ty)
    grow = np.array([[reach, 0, reach * centre.real], [0, reach, reach * centre.imag], [0, 0, 1]])
    shrink = np.array([[1 / reach, 0, -middle.real / reach], [0, 1 / reach, -middle.imag / reach], [0, 0, 1]])
    return np.asarray(grow @ warp @ shrink)


def _similarity(z: NDArray[np.complex128], v: NDArray[np.complex128], weight: Array) -> tuple[complex, complex]:
    """Where 0 comes to lie, and turn and size as a complex number, of the best v = turn z + shift."""
    share = weight / weight.sum()
    mz, mv = (share * z).sum(), (share * v).sum()
    spread = (share * np.abs(z - mz) ** 2).sum()
    turn = (share * (z - mz).conj() * (v - mv)).sum() / max(float(spread), 1e-12)
    turn = turn if abs(turn) > 1e-6 else 1.0
    return complex(mv - turn * mz), complex(turn)
