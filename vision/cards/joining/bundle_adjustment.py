"""The planes of all photos adjusted to each other at once, by robust Gauss-Newton steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.tuning import TUNING


@dataclass(frozen=True, eq=False, slots=True)
class CommonPoints:
    """What two photos have in common.

    Attributes:
        one: A photo.
        other: Another one.
        here: Points of the one's plane.
        there: The same points of the table in the other's plane.
        noise: How exactly they tell it, card widths.
    """

    one: int
    other: int
    here: NDArray[np.complex128]
    there: NDArray[np.complex128]
    noise: float


STEPS: Final = 6
"""Gauss-Newton steps by which all warps are adjusted."""
_PARAMETERS: Final = 8
"""Of how a plane lies: shift x and y; turn and size s, r; stretch and shear e, f; perspective g, h. A point z of the
plane, from its middle and as a share of its reach, lies at shift + reach * M z / (1 + g x + h y), where M is
((s + e, -r + f), (r + f, s - e))."""


def adjust_warps(
    clouds: Sequence[Cloud], warps: Mapping[int, Array], known: Sequence[CommonPoints]
) -> dict[int, Array]:
    """The warps that suit everything best that two photos have in common, by robust Gauss-Newton steps.

    As in `fit_warp`, stretch, shear and perspective are expected to be small: each photo knows its own plane. The first
    photo stays where it is but for these.
    """
    order = {photo: n for n, photo in enumerate(warps)}
    middles = np.array([clouds[photo].at.mean() for photo in order])
    reaches = np.array([clouds[photo].reach for photo in order])
    guess = np.array([_to_parameters(warps[photo], m, r) for photo, m, r in zip(order, middles, reaches, strict=True)])
    rows = [(order[common.one], order[common.other]) for common in known]
    shares = [
        ((common.here - middles[i]) / reaches[i], (common.there - middles[j]) / reaches[j])
        for (i, j), common in zip(rows, known, strict=True)
    ]
    count = len(order) * _PARAMETERS
    for _ in range(STEPS):
        normal, right = _expectations(clouds, list(order), guess)
        for (i, j), (here, there), common in zip(rows, shares, known, strict=True):
            at, slope = _place(guess[i], here, reaches[i])
            other_at, other_slope = _place(guess[j], there, reaches[j])
            off = at - other_at
            weight = 1 / (1 + (np.abs(off) / (2.5 * common.noise)) ** 2) / common.noise**2
            jacobian = np.concatenate([slope, -other_slope], axis=2)
            weighed = jacobian * weight[None, :, None]
            own = np.r_[i * _PARAMETERS : (i + 1) * _PARAMETERS, j * _PARAMETERS : (j + 1) * _PARAMETERS]
            normal[np.ix_(own, own)] += np.einsum("ckp,ckq->pq", weighed, jacobian)
            right[own] -= np.einsum("ckp,ck->p", weighed, np.stack([off.real, off.imag]))
        step = np.linalg.solve(normal + 1e-9 * np.eye(count), right)
        guess = guess + step.reshape(-1, _PARAMETERS)
        if np.abs(step).max() < 1e-4:
            break
    return {photo: _from_parameters(guess[n], middles[n], float(reaches[n])) for n, photo in enumerate(order)}


def _expectations(clouds: Sequence[Cloud], order: Sequence[int], guess: Array) -> tuple[Array, Array]:
    """Normal matrix and right side of what is expected of the planes of photos before anything is in common."""
    count = len(order) * _PARAMETERS
    normal, right = np.zeros((count, count)), np.zeros(count)
    for n, photo in enumerate(order):
        loose = np.hypot(1.0, TUNING.planed_cards / len(clouds[photo]))
        first = n * _PARAMETERS
        size = float(np.hypot(*guess[n, 2:4]))
        direction = guess[n, 2:4] / size
        tight = 1 / (TUNING.scale_share * loose) ** 2
        normal[first + 2 : first + 4, first + 2 : first + 4] += tight * np.outer(direction, direction)
        right[first + 2 : first + 4] += tight * (1 - size) * direction
        small = 1 / (TUNING.stretch_share * loose) ** 2
        for k in range(4, 8):
            normal[first + k, first + k] += small
            right[first + k] -= small * guess[n, k]
        if n == 0:
            for k in range(4):
                normal[k, k] += 1e8
    return normal, right


def _place(parameters: Array, z: NDArray[np.complex128], reach: float) -> tuple[NDArray[np.complex128], Array]:
    """Where points lie, and how that changes with each parameter: (2, n, 8), first all x, then all y."""
    tx, ty, s, r, e, f, g, h = parameters
    x, y = z.real, z.imag
    depth = 1 + g * x + h * y
    depth = np.where(np.abs(depth) < 0.05, 0.05, depth)
    u = reach * np.stack([(s + e) * x + (f - r) * y, (r + f) * x + (s - e) * y]) / depth
    slope = np.zeros((2, len(z), _PARAMETERS))
    slope[0, :, 0] = slope[1, :, 1] = 1
    near = reach / depth
    slope[0, :, 2], slope[0, :, 3], slope[0, :, 4], slope[0, :, 5] = near * x, -near * y, near * x, near * y
    slope[1, :, 2], slope[1, :, 3], slope[1, :, 4], slope[1, :, 5] = near * y, near * x, -near * y, near * x
    slope[:, :, 6], slope[:, :, 7] = -u * x / depth, -u * y / depth
    return np.asarray(u[0] + tx + 1j * (u[1] + ty)), slope


def _to_parameters(warp: Array, middle: complex, reach: float) -> Array:
    grow = np.array([[reach, 0, middle.real], [0, reach, middle.imag], [0, 0, 1]])
    matrix = warp @ grow
    matrix = matrix / matrix[2, 2]
    shift, slant = matrix[:2, 2], matrix[2, :2]
    (a, b), (c, d) = (matrix[:2, :2] - np.outer(shift, slant)) / reach
    return np.array([*shift, (a + d) / 2, (c - b) / 2, (a - d) / 2, (b + c) / 2, *slant])


def _from_parameters(parameters: Array, middle: complex, reach: float) -> Array:
    tx, ty, s, r, e, f, g, h = parameters
    linear = reach * np.array([[s + e, f - r], [r + f, s - e]]) + np.outer([tx, ty], [g, h])
    matrix = np.array([[*linear[0], tx], [*linear[1], ty], [g, h, 1.0]])
    shrink = np.array([[1 / reach, 0, -middle.real / reach], [0, 1 / reach, -middle.imag / reach], [0, 0, 1]])
    return np.asarray(matrix @ shrink)
