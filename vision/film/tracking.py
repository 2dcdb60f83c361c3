"""How two pictures of one table lie on each other: the same points of the table in both, told by the picture itself.

Points are followed by optical flow from one picture to the other, after this was turned as a guess says. What most of
them agree on is the way of the camera; hands that move and cards that are picked up do not agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, project
from vision.image import RGB

Grey = NDArray[np.uint8]

SMALL_PX: Final = 640
"""Longer side of the pictures in which points are followed."""
MOST_POINTS: Final = 260
POINT_QUALITY: Final = 0.01
POINTS_APART_PX: Final = 9
WINDOW_PX: Final = 17
LEVELS: Final = 3
"""The picture is halved so many times: farther ways are followed."""
BACK_PX: Final = 1.0
"""A point followed there and back comes out no farther from where it was."""
SAME_PX: Final = 2.0
"""Points that agree on how the pictures lie do so to this."""
FEWEST_AGREEING: Final = 12
LEAST_AGREEING_SHARE: Final = 0.35
LEAST_LIKENESS: Final = 0.55
"""Rows of cards look alike when shifted by a card, so that many points agree on a wrong way. Then what both pictures
show correlates by 0.4 or a little more; by the true way by 0.7 and more."""
PLAIN_LIKENESS: Final = 0.85
"""Where views are so much alike, no other way is looked for."""
KEPT_POINTS: Final = 48

DETAIL_PX: Final = 160
"""Longer side of the pictures that are compared as a whole,"""
FINE_PX: Final = 2.0
"""without what varies over more than this, for glare stays with the camera."""
COARSE_PX: Final = 4.0
"""The same where pictures are looked up in each other: they may be turned a little."""
SHIFTS_TRIED: Final = 5
LARGEST_SHIFT_SHARE: Final = 0.55


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A frame as it is followed.

    Attributes:
        grey: (h, w) small and grey.
        scale: Pixels of the frame to a pixel of `grey`.
        sharpness: How much detail it shows; compared between neighbouring frames only.
    """

    grey: Grey
    scale: float
    sharpness: float
    _corners: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, image: RGB) -> View:
        """The view of a frame."""
        scale = max(1.0, max(image.shape[:2]) / SMALL_PX)
        size = (round(image.shape[1] / scale), round(image.shape[0] / scale))
        large = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
        small = cv2.resize(large, size, interpolation=cv2.INTER_AREA) if scale > 1 else large
        grey = np.asarray(small, np.uint8)
        detail = cv2.Laplacian(grey, cv2.CV_16S)
        return cls(grey, scale, float(np.abs(detail).mean()))

    @property
    def corners(self) -> NDArray[np.float32]:
        """(n, 2) points that can be followed."""
        if not self._corners:
            found = cv2.goodFeaturesToTrack(self.grey, MOST_POINTS, POINT_QUALITY, POINTS_APART_PX)
            self._corners.append(np.zeros((0, 2), np.float32) if found is None else found.reshape(-1, 2))
        return np.asarray(self._corners[0], np.float32)

    def contrast_and_sharpness(self) -> tuple[float, float]:
        """How strong its edges are on the whole, grey levels, and how steep they are: about 1 where sharp."""
        across, down = (np.asarray(cv2.Sobel(self.grey, cv2.CV_32F, x, 1 - x)) for x in (1, 0))
        contrast = float(np.hypot(across, down).mean()) / 4
        return contrast, self.sharpness / max(contrast, 1e-6)

    def detail(self, spread_px: float) -> tuple[NDArray[np.float32], float]:
        """A smaller picture of what varies over less than `spread_px` of its own, and its px to one of `grey`."""
        share = DETAIL_PX / max(self.grey.shape)
        small = cv2.resize(self.grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA).astype(np.float32)
        return np.asarray(small - cv2.GaussianBlur(small, (0, 0), spread_px), np.float32), share

    @property
    def outline(self) -> Array:
        """(4, 2) its corners, px of `grey`."""
        height, width = self.grey.shape
        return np.array([[0.0, 0], [width, 0], [width, height], [0, height]])


@dataclass(frozen=True, slots=True, eq=False)
class Tie:
    """How one view lies on another.

    Attributes:
        matrix: 3x3 from px of the one `grey` to px of the other.
        here: (n, 2) points of the one.
        there: (n, 2) the same points of the table in the other.
        likeness: How much both show the same where they overlap, at most 1.
    """

    matrix: Array
    here: Array
    there: Array
    likeness: float


def tie_views(one: View, other: View, guess: Array | None = None) -> Tie | None:
    """How a view lies on another by the points that both show; None where too few agree.

    Args:
        one: A view.
        other: One that shows a part of the same.
        guess: About where it lies, as 3x3 from px of `one` to px of `other`; the same place by default.
    """
    guess = np.eye(3) if guess is None else guess
    corners = one.corners
    if len(corners) < FEWEST_AGREEING:
        return None
    height, width = one.grey.shape
    back_way = np.linalg.inv(guess)
    turned = np.asarray(
        cv2.warpPerspective(other.grey, back_way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    ahead = _follow(one.grey, turned, corners)
    back = _follow(turned, one.grey, ahead)
    there = project(guess, ahead.astype(np.float64))
    room = np.array(other.grey.shape[::-1])
    good = (np.abs(back - corners).max(1) < BACK_PX) & ((there > 0) & (there < room)).all(1)
    here, there = corners[good].astype(np.float64), there[good]
    if len(here) < FEWEST_AGREEING:
        return None
    matrix, agreeing = cv2.findHomography(here, there, cv2.USAC_MAGSAC, SAME_PX, maxIters=500)
    if matrix is None or not _is_likely(matrix, one):
        return None
    alike = _likeness(one, other, matrix)
    if alike < LEAST_LIKENESS:
        return None
    chosen = np.flatnonzero(agreeing.ravel())
    if len(chosen) < max(FEWEST_AGREEING, LEAST_AGREEING_SHARE * len(here)):
        return None
    kept = chosen[np.linspace(0, len(chosen) - 1, min(len(chosen), KEPT_POINTS)).astype(int)]
    return Tie(np.asarray(matrix, np.float64), here[kept], there[kept], alike)


def tie_far(one: View, other: View) -> Tie | None:
    """`tie_views` for views between which the camera went on by up to half the picture, nobody knows where."""
    best = None
    for guess in (np.eye(3), *_likely_shifts(one, other)):
        tie = tie_views(one, other, guess)
        if tie is not None and (best is None or tie.likeness > best.likeness):
            best = tie
        if best is not None and best.likeness > PLAIN_LIKENESS:
            break
    return best


def _likely_shifts(one: View, other: View) -> list[Array]:
    """By how much a view may be shifted against another, as 3x3 from px of the one to px of the other, likeliest first.

    It may be up to half the picture: first guesses for `tie_views`.
    """
    (here, share), (there, _) = one.detail(COARSE_PX), other.detail(COARSE_PX)
    down, right = (int(LARGEST_SHIFT_SHARE * side) for side in here.shape)

    def padded(picture: NDArray[np.float32]) -> Any:
        return cv2.copyMakeBorder(picture, down, down, right, right, cv2.BORDER_CONSTANT, value=0)

    whole = np.ones_like(here)
    energy = cv2.matchTemplate(padded(here**2), whole, cv2.TM_CCORR) * cv2.matchTemplate(
        padded(whole), there**2, cv2.TM_CCORR
    )
    alike = cv2.matchTemplate(padded(here), there, cv2.TM_CCORR) / np.sqrt(np.maximum(energy, 1.0))
    found = []
    for _ in range(SHIFTS_TRIED):
        _, _, _, (x, y) = cv2.minMaxLoc(alike)
        found.append(np.array([[1.0, 0, (right - x) / share], [0, 1, (down - y) / share], [0, 0, 1]]))
        cv2.circle(alike, (x, y), round(COARSE_PX), -1.0, -1)
    return found


def _likeness(one: View, other: View, matrix: Array) -> float:
    """How much two views show the same where they overlap, if one lies on the other so: a correlation, at most 1."""
    (here, share), (there, _) = one.detail(FINE_PX), other.detail(FINE_PX)
    grow = np.diag([share, share, 1.0])
    way, size = grow @ matrix @ np.linalg.inv(grow), there.shape[::-1]
    shown = cv2.warpPerspective(np.ones_like(here), way, size) > 0.99
    a, b = np.asarray(cv2.warpPerspective(here, way, size))[shown], there[shown]
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1.0))


def _follow(one: Grey, other: Grey, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where points of a picture are in another; far away those that were lost."""
    start = points.reshape(-1, 1, 2)
    window = (WINDOW_PX, WINDOW_PX)
    end, found, _ = cv2.calcOpticalFlowPyrLK(one, other, start, start.copy(), winSize=window, maxLevel=LEVELS)
    there = np.asarray(end, np.float32).reshape(-1, 2)
    there[np.asarray(found).ravel() == 0] = -1e6
    return there


def _is_likely(matrix: Array, view: View) -> bool:
    """Whether a camera can have moved so between two frames: nothing mirrored, no corner behind it."""
    corners = view.outline
    depth = corners @ matrix[2, :2] + matrix[2, 2]
    if (depth * depth[0] <= 0).any():
        return False
    area = cv2.contourArea(project(matrix, corners).astype(np.float32), oriented=True)
    return bool(0.1 < area / cv2.contourArea(corners.astype(np.float32), oriented=True) < 10)


def overlap_share(one: View, other: View, matrix: Array) -> float:
    """Which share of the larger view the other one shows too, 0 to 1."""
    there = project(matrix, one.outline).astype(np.float32)
    both, _ = cv2.intersectConvexConvex(there, other.outline.astype(np.float32))
    areas = cv2.contourArea(there), cv2.contourArea(other.outline.astype(np.float32))
    return float(both / max(*areas, 1.0))
