"""The table's plane and the shapes that lie in it.

A card's corner index looks equally long wherever its card lies on the table, so the indices of one photo tell how the
camera looked at it. `fit_plane` finds the homography from the photo to a plane in which every index has length 1
(rank centre to suit centre); there all cards are congruent rectangles and piles are straight.

Points are (..., 2) arrays of x to the right and y down. A unit vector `down` points from a card's top to its bottom;
`across(down)` is the card's own left to right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlaneTuning:
    """What is usual of cards and cameras when a plane is fitted.

    Attributes:
        point_noise_px: Expected error of a detected symbol centre.
        square_spread_rad: How far cards that are meant to lie square to each other are turned.
        meant_square_rad: Cards turned less than this against each other in the photo are meant to lie square.
        usual_focal_length: Of a phone's main camera, in half diagonals of the photo.
        fit_steps: Gauss-Newton steps of a fit at most.
        usual_lean_rad: Angle between a card's long side and the line through its opposite rank symbols: cards of 57-63
            x 88 mm.
    """

    point_noise_px: float = 1.2
    square_spread_rad: float = 0.1
    meant_square_rad: float = 0.35
    usual_focal_length: float = 1.8
    fit_steps: int = 8
    usual_lean_rad: float = 0.6


TUNING: Final = PlaneTuning()


def across(down: Array) -> Array:
    """The direction from a card's left to its right, given its top to bottom.

    >>> across(np.array([0.0, 1.0])).tolist()
    [1.0, -0.0]
    """
    return np.stack([down[..., 1], -down[..., 0]], axis=-1)


def unit(vectors: Array) -> Array:
    """Vectors scaled to length 1; a zero vector becomes (0, 1)."""
    length = np.hypot(vectors[..., :1], vectors[..., 1:])
    return np.where(length > 1e-9, vectors / np.maximum(length, 1e-9), np.array([0.0, 1.0]))


def project(matrix: Array, points: Array) -> Array:
    """Points (..., 2) through a 3x3 homography, or points (n, 2) through each of several (g, 3, 3): (g, n, 2)."""
    shift = matrix[:, 2] if matrix.ndim == 2 else matrix[:, None, :, 2]
    top = np.asarray(points, dtype=np.float64) @ matrix[..., :2].swapaxes(-1, -2) + shift
    depth = top[..., 2:]
    return np.asarray(top[..., :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth))


def rectangle(centre: Array, down: Array, width: float, height: float) -> Array:
    """Corners (..., 4, 2) of upright rectangles: own top-left, top-right, bottom-right, bottom-left."""
    x, y = across(down) * width / 2, down * height / 2
    return np.stack([centre - x - y, centre + x - y, centre + x + y, centre - x + y], axis=-2)


def inside(quad: Array, points: Array, margin: float = 0.0) -> NDArray[np.bool_]:
    """Which points lie inside a convex quad (corners clockwise on the screen), at least `margin` from each side.

    Args:
        quad: (4, 2), or (..., 1, 4, 2) where several are asked about the same points.
        points: (..., 2).
        margin: Negative for points that may lie a little outside.

    >>> square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    >>> inside(square, np.array([[1.0, 1], [3, 1]])).tolist()
    [True, False]
    >>> inside(np.stack([square, square + 2])[:, None], np.array([[1.0, 1], [3, 3]])).tolist()
    [[True, False], [False, True]]
    """
    side = quad[..., [1, 2, 3, 0], :] - quad
    long = np.maximum(_length(side), 1e-9)
    away = points[..., None, :] - quad
    depth = (away[..., 1] * side[..., 0] - away[..., 0] * side[..., 1]) / long
    return np.asarray((depth >= margin).all(axis=-1))


def gaps(quads: Array) -> Array:
    """How far rectangles (n, 4, 2) lie from each other along their best separating axis, (n, n).

    Negative where they overlap; a rectangle with itself is minus its smaller side.

    >>> square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    >>> gaps(np.stack([square, square + [3.0, 0], square + [1.5, 0]]))[0].tolist()
    [-2.0, 1.0, -0.5]
    """
    side = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], axis=1)
    axes = side / np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-9)  # (n, 2, 2)
    own = np.einsum("nak,nck->nac", axes, quads)
    spans = (axes.reshape(-1, 2) @ quads.reshape(-1, 2).T).reshape(len(quads), 2, len(quads), 4)
    low, high = spans.min(-1), spans.max(-1)  # (n, 2, n), along the sides of the first
    own_low, own_high = own.min(-1)[..., None], own.max(-1)[..., None]
    apart = np.maximum(low - own_high, own_low - high).max(1)
    return np.asarray(np.maximum(apart, apart.T))


@dataclass(frozen=True, eq=False, slots=True)
class Plane:
    """The table seen from straight above.

    Attributes:
        matrix: 3x3 homography from photo pixels to the plane, whose unit is the length of an index.
    """

    matrix: Array

    def from_photo(self, points: Array) -> Array:
        """Pixels to the plane."""
        return project(self.matrix, points)

    def to_photo(self, points: Array) -> Array:
        """The plane to pixels."""
        return project(np.asarray(np.linalg.inv(self.matrix), np.float64), points)


def _length(vectors: Array) -> Array:
    return np.hypot(vectors[..., 0], vectors[..., 1])


def _stretch(line: Array) -> Array:
    """How a pinhole camera whose vanishing lines are `line` (g, 2) foreshortens a plane, as stretches (g, 2).

    A tilt t shortens lengths along the line's normal by cos t, and tan t is the focal length times the line's slope.
    """
    along = -0.5 * np.log(np.cos(np.arctan(TUNING.usual_focal_length * _length(line))))
    angle = 2 * np.arctan2(line[:, 1], line[:, 0])
    return np.stack([along * np.cos(angle), along * np.sin(angle)], axis=1)


def _angles(lines: Array) -> Array:
    """Angles (..., n) of undirected lines against the first, -pi/2 to pi/2."""
    angle = np.arctan2(lines[..., 1], lines[..., 0])
    return np.asarray(np.mod(angle - angle[..., :1] + np.pi / 2, np.pi) - np.pi / 2)


def _parallel(rank: Array, couples: NDArray[np.intp]) -> NDArray[np.intp]:
    """Rows of the largest set of couples whose lines from corner to corner point nearly the same way."""
    if not len(couples):
        return np.zeros(0, np.intp)
    line = rank[couples[:, 1]] - rank[couples[:, 0]]
    angle = np.arctan2(line[:, 1], line[:, 0])
    apart = np.abs(np.mod(angle[:, None] - angle[None] + np.pi / 2, np.pi) - np.pi / 2)
    near = apart < TUNING.meant_square_rad
    return np.flatnonzero(near[near.sum(1).argmax()])


def _median(values: Array) -> Array:
    """The median of rows (..., n), kept as (..., 1); `numpy.median` takes many times as long for so few."""
    ordered = np.sort(values, axis=-1)
    middle = values.shape[-1] // 2
    return np.asarray((ordered[..., -middle - 1 : ordered.shape[-1] - middle] + ordered[..., middle : middle + 1]) / 2)


def fit_plane(rank_xy: Array, suit_xy: Array, size: tuple[int, int], pairs: NDArray[np.intp] | None = None) -> Plane:
    """The plane in which all indices are equally long, and the two indices of a card equally far apart.

    Four numbers are found by robust Gauss-Newton steps (the vanishing line and the stretch); a weak expectation of a
    photo from above decides what the indices leave open, as where all cards lie the same way.

    Args:
        rank_xy: (n, 2) rank centres, px.
        suit_xy: (n, 2) suit centres, px.
        size: Width and height of the photo.
        pairs: (k, 2) rows of the two indices of one card, if already known.
    """
    middle = np.array(size, dtype=np.float64) / 2
    half = float(np.hypot(*size)) / 2
    rank, suit = (np.asarray(rank_xy, float) - middle) / half, (np.asarray(suit_xy, float) - middle) / half
    length = np.linalg.norm(suit - rank, axis=1) * half
    if len(rank) == 0:
        return Plane(np.diag([1.0, 1.0, 1.0]))
    spread = TUNING.point_noise_px * 1.4 / np.maximum(length, 1.0) + 0.04
    couples = np.zeros((0, 2), np.intp) if pairs is None else np.asarray(pairs, np.intp)
    straight = _parallel(rank, couples)

    def matrix_of(p: Array) -> Array:  # of several guesses (g, 4) at a time, as a step needs five
        grow = np.hypot(p[:, 2], p[:, 3])
        cosh, sinh = np.cosh(grow), np.where(grow > 1e-9, np.sinh(grow) / np.maximum(grow, 1e-9), 1.0)
        m = np.zeros((len(p), 3, 3))
        m[:, 0, 0], m[:, 1, 1] = cosh + p[:, 2] * sinh, cosh - p[:, 2] * sinh
        m[:, 0, 1] = m[:, 1, 0] = p[:, 3] * sinh
        m[:, 2, :2], m[:, 2, 2] = p[:, :2], 1.0
        return m

    i, j = couples.T
    both = np.concatenate([rank, suit])

    def residuals(p: Array) -> Array:
        ends = project(matrix_of(p), both)  # (g, 2n, 2)
        a, b = ends[:, : len(rank)], ends[:, len(rank) :]
        log_length = np.log(np.maximum(_length(b - a), 1e-9))
        parts = [(log_length - _median(log_length)) / spread]
        if len(couples):
            line = a[:, j] - a[:, i]
            far = np.log(np.maximum(_length(line), 1e-9))
            parts.append((far - _median(far)) / 0.02)
            down = unit(unit(b[:, i] - a[:, i]) - unit(b[:, j] - a[:, j]))
            angle = np.abs(np.arctan2((line * across(down)).sum(-1), (line * down).sum(-1)))
            usual_angle = _median(angle)
            parts.append((angle - usual_angle) / 0.08)
            parts.append((usual_angle - TUNING.usual_lean_rad) / 0.04)
            # Most cards lie square to the table: lines from corner to corner are parallel, and longer than an index.
            if len(straight) > 2:
                square = _angles(line[:, straight])
                parts.append((square - _median(square)) / TUNING.square_spread_rad)
        usual = _stretch(p[:, :2])
        parts += [p[:, :2] / 0.35, (p[:, 2:] - usual) / (0.02 + 0.3 * _length(usual)[:, None])]
        return np.concatenate(parts, axis=1)

    def step_cost(p: Array) -> float:
        r = residuals(p[None])[0]
        return float((4 * np.log1p(r * r / 4)).sum())

    guess = np.zeros(4)
    cost = step_cost(guess)
    damping = 1e-3
    for _ in range(TUNING.fit_steps):
        r, *moved = residuals(guess + np.concatenate([np.zeros((1, 4)), 1e-4 * np.eye(4)]))
        slope = (np.stack(moved, axis=1) - r[:, None]) / 1e-4
        weight = 1 / (1 + r * r / 4)
        normal = slope.T @ (weight[:, None] * slope) + 1e-6 * np.eye(4)
        right = slope.T @ (weight * r)
        while damping < 1e6:
            trial = guess - np.linalg.solve(normal + damping * np.diag(np.diag(normal)), right)
            if np.hypot(trial[0], trial[1]) < 0.9 and (new := step_cost(trial)) < cost:
                gain, guess, cost, damping = cost - new, trial, new, damping / 5
                break
            damping *= 6
        else:
            break
        if gain < 1e-2:
            break
    scaled = np.array([[1 / half, 0, -middle[0] / half], [0, 1 / half, -middle[1] / half], [0, 0, 1]])
    m = matrix_of(guess[None])[0] @ scaled
    tips = project(m, np.asarray(suit_xy, float)) - project(m, np.asarray(rank_xy, float))
    scale = 1 / max(float(np.median(np.linalg.norm(tips, axis=1))), 1e-9)
    return Plane(np.diag([scale, scale, 1.0]) @ m)
