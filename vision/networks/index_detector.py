"""Finds the corner indices of cards, and card backs, in a photo: one small network on ONNX Runtime.

    detections, backs = Detector().detect(image)

The network sees the whole photo from far and from near (320, 640 and 1280 px), because it knows indices of some 10 to
80 px. Where the indices turn out smaller still and the photo has more pixels, it looks again at overlapping tiles. Raw
outputs are decoded here in numpy (`models/index_detector/net.py` says what they are).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import shrunk
from vision.measure.metrics import iou_matrix
from vision.networks.outputs import SPREAD, Backs, Detections
from vision.networks.runtime import MODELS, Network

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

UNUSUAL_WEIGHTS: Final = MODELS / "unusual_detector.onnx"
"""The same network trained on to decks with unusual indices, such as the suit above the rank."""
GRID: Final = 32
"""Sides of what the network sees are multiples of this, px."""
BINS: Final = 16
"""Bins of a side's distance distribution, in strides."""


@dataclass(frozen=True, slots=True)
class DetectorTuning:
    """How the detector looks at a photo and what it hands on; measured on validation scenes, see docs/experiments.md.

    Attributes:
        least_index_confidence: Of an index that is handed on: reader and neighbours tell better than the detector what
            is an index, and half hidden ones are found weakly.
        least_back_confidence: The same for backs, which nothing looks at again.
        same_index_iou: Two indices that overlap by more are one.
        same_back_iou: Two backs that overlap by more may be one, see `backs_apart_share`.
        backs_apart_share: Two backs are two cards if their middles are further apart than this share of the shorter
            visible length.
        points_below_share: How far the points' middle lies below the box's, as a share of their distance: ranks are
            taller than suits.
        diagonal_difference: Where |x| and |y| of a direction (x, y) are nearer to each other than this, a box does not
            tell its card's length.
        looks_px: Longer sides at which the whole photo is seen.
        largest_enlargement: A small photo is enlarged at most by this.
        trusted_sizes_px: Longer sides of an index, as seen, from which and up to which the network is trusted; a
            smaller one is left to the next closer look and a bigger one to a farther look, where there is such a look.
        small_index_px: Indices that are smaller than this at the closest look ask for tiles.
        tiled_index_px: About the size that they reach there.
        tiled_round_confidence: Tiles show what was found as surely as this,
        tiled_margin_indices: and so much round it, in typical indices.
        tile_px: Longest side of a tile.
        tile_overlap_px: By how much neighbouring tiles overlap.
        most_tiles: Fewer, coarser tiles are used where more would be needed.
    """

    least_index_confidence: float = 0.05
    least_back_confidence: float = 0.35
    same_index_iou: float = 0.5
    same_back_iou: float = 0.3
    backs_apart_share: float = 0.5
    points_below_share: float = 0.075
    diagonal_difference: float = 0.35
    looks_px: tuple[int, ...] = (320, 640, 1280)
    largest_enlargement: float = 2.0
    trusted_sizes_px: tuple[float, float] = (20.0, 80.0)
    small_index_px: float = 16.0
    tiled_index_px: float = 24.0
    tiled_round_confidence: float = 0.25
    tiled_margin_indices: float = 4.0
    tile_px: int = 1280
    tile_overlap_px: int = 96
    most_tiles: int = 4


TUNING: Final = DetectorTuning()


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Raw findings: kind 0 index or 1 back, box, score, two points; px."""

    kind: NDArray[np.int64]
    boxes: Floats
    score: Floats
    points: Floats

    def moved(self, scale: float, shift: Floats) -> _Found:
        """The findings in px of the photo, which the network saw `scale` times as big and from `shift` on."""
        boxes = self.boxes / scale + np.tile(shift, 2)
        return _Found(self.kind, boxes, self.score, self.points / scale + shift)

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> _Found:
        return _Found(self.kind[rows], self.boxes[rows], self.score[rows], self.points[rows])


class DetectorNetwork(Network):
    """The network alone: a picture, uint8 (1, 3, H, W) with sides that are multiples of `GRID`, to raw maps."""

    weights = MODELS / "index_detector.onnx"
    takes = "image"
    gives = ("stride8", "stride16")


class Detector:
    """The index and back detector.

    Args:
        path: An ONNX file as `python -m models.train detector` exports it; the project's own weights by default.

    Raises:
        ModelError: Where the file is missing or holds another network.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._run = DetectorNetwork(path).run

    def detect(
        self,
        image: Image,
        *,
        confidence: float = TUNING.least_index_confidence,
        back_confidence: float = TUNING.least_back_confidence,
    ) -> tuple[Detections, Backs]:
        """Indices and backs in a photo, best first.

        Args:
            image: uint8 RGB (H, W, 3), upright.
            confidence: Indices that are less certain are left out, 0 to 1.
            back_confidence: Backs that are less certain are left out, 0 to 1.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise ValueError(f"image is {image.dtype} {image.shape}; expected uint8 (H, W, 3) RGB")
        height, width = image.shape[:2]
        if min(height, width) < 8:
            return Detections.empty(), Backs.empty()
        limits = confidence, back_confidence
        scales = sorted({min(side / max(height, width), TUNING.largest_enlargement) for side in TUNING.looks_px})
        parts = []
        for number, scale in enumerate(scales):
            part = self._see(image, scale, limits)
            parts.append(part.take(_seen_well(part, scale, number > 0, number < len(scales) - 1)))
        found = _concatenate(parts)
        size = _typical_index(found)
        if size is not None and size * scales[-1] < TUNING.small_index_px:
            sure = found.boxes[found.score >= min(TUNING.tiled_round_confidence, found.score.max())]
            x, y, right, bottom = _region_of(sure, TUNING.tiled_margin_indices * size, width, height)
            tiles = self._see_tiles(image[y:bottom, x:right], scales[-1], TUNING.tiled_index_px / size, limits)
            shift = np.asarray([x, y], np.float32)
            found = _concatenate([*parts, tiles.moved(1.0, shift)]) if tiles else found
        return _finish(found, width, height)

    def _see(
        self, image: Image, scale: float, limits: tuple[float, float], shift: tuple[float, float] = (0.0, 0.0)
    ) -> _Found:
        """Findings in one picture looked at `scale` times as big, in px of the photo it was cut from at `shift`."""
        height, width = image.shape[:2]
        size = max(8, round(width * scale)), max(8, round(height * scale))
        resized: Any = image
        if size != (width, height):
            resized = shrunk(image, size) if scale < 1 else cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
        padded = cv2.copyMakeBorder(
            resized, 0, -size[1] % GRID, 0, -size[0] % GRID, cv2.BORDER_CONSTANT, value=(114, 114, 114)
        )
        maps = self._run(np.ascontiguousarray(padded.transpose(2, 0, 1)[None]))
        parts = [_decode(grid[0], stride, limits) for grid, stride in zip(maps, (8, 16), strict=True)]
        return _concatenate(parts).moved(scale, np.asarray(shift, np.float32))

    def _see_tiles(self, image: Image, first: float, wanted: float, limits: tuple[float, float]) -> _Found | None:
        """Findings in overlapping tiles at the scale `wanted`, or as near to it as the number of tiles allows."""
        height, width = image.shape[:2]
        scale = min(wanted, TUNING.largest_enlargement)
        while scale > first * 1.15:
            columns, rows = (_spans(side, scale) for side in (width, height))
            if len(columns) * len(rows) <= TUNING.most_tiles:
                break
            scale *= 0.93
        else:
            return None
        found = []
        for y, bottom in rows:
            for x, right in columns:
                tile = image[y:bottom, x:right]
                part = self._see(tile, scale, limits, (x, y))
                found.append(part.take(_inside_tile(part.boxes, (x, y), tile.shape, image.shape, 4 / scale)))
        return _concatenate(found)


def _decode(grid: Floats, stride: int, limits: tuple[float, float]) -> _Found:
    """One raw map (4 * BINS + 2 + 4, h, w) to findings in px of what the network saw; `limits` of index and back."""
    logits = grid[4 * BINS : 4 * BINS + 2]
    share = np.clip(limits, 1e-9, 1 - 1e-9)
    floor = np.log(share / (1 - share))
    kind, y, x = np.nonzero(logits >= floor[:, None, None])
    values = grid[:, y, x]
    sides = values[: 4 * BINS].reshape(4, BINS, -1)
    weights = np.exp(sides - sides.max(1, keepdims=True))
    left, top, right, bottom = (weights * np.arange(BINS)[:, None]).sum(1) / weights.sum(1)
    boxes = np.stack([x + 0.5 - left, y + 0.5 - top, x + 0.5 + right, y + 0.5 + bottom], 1) * stride
    corner = np.stack([x, y], 1)[:, None]
    points = (values[4 * BINS + 2 :].reshape(2, 2, -1).transpose(2, 0, 1) * 2 + corner) * stride
    score = 1 / (1 + np.exp(-logits[kind, y, x]))
    return _Found(kind, boxes.astype(np.float32), score.astype(np.float32), points.astype(np.float32))


def _concatenate(parts: list[_Found]) -> _Found:
    return _Found(
        np.concatenate([p.kind for p in parts]),
        np.concatenate([p.boxes for p in parts]),
        np.concatenate([p.score for p in parts]),
        np.concatenate([p.points for p in parts]),
    )


def _seen_well(found: _Found, scale: float, farther: bool, closer: bool) -> NDArray[np.bool_]:
    """Mask (n,) of findings whose size this look sees well; `farther` and `closer` say if there are such looks."""
    sides = (found.boxes[:, 2:] - found.boxes[:, :2]).max(1, initial=0) * scale
    low, high = TUNING.trusted_sizes_px[0] if closer else 0.0, TUNING.trusted_sizes_px[1] if farther else np.inf
    return np.asarray((found.kind == 1) | ((sides >= low) & (sides <= high)), np.bool_)


def _typical_index(found: _Found) -> float | None:
    """Median of the longer sides of the indices after suppression, px; None without any."""
    indices = found.take(found.kind == 0)
    if not len(indices.score):
        return None
    kept = indices.take(_distinct(indices))
    return float(np.median((kept.boxes[:, 2:] - kept.boxes[:, :2]).max(1)))


def _region_of(boxes: Floats, margin: float, width: int, height: int) -> tuple[int, int, int, int]:
    """The part of a photo that shows the boxes (n, 4) and so much round them, px: left, top, right and bottom."""
    left, top = np.clip(boxes[:, :2].min(0) - margin, 0, None).astype(int)
    right, bottom = np.ceil(np.minimum(boxes[:, 2:].max(0) + margin, (width, height))).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _spans(side: int, scale: float) -> list[tuple[int, int]]:
    """Where tiles begin and end along a side of the photo, px: as few as there can be, all of one length."""
    overlap = TUNING.tile_overlap_px / scale
    count = max(1, math.ceil((side - overlap) / (TUNING.tile_px / scale - overlap)))
    reach = (side - overlap) / count + overlap
    return [
        (math.floor(k * (reach - overlap)), min(side, math.ceil(k * (reach - overlap) + reach))) for k in range(count)
    ]


def _inside_tile(
    boxes: Floats, shift: tuple[int, int], tile: tuple[int, ...], image: tuple[int, ...], margin: float
) -> NDArray[np.bool_]:
    """Mask (n,) of the findings that touch no inner edge of their tile; the neighbouring tile sees those better."""
    (x, y), (h, w) = shift, tile[:2]
    whole = np.ones(len(boxes), np.bool_)
    if x > 0:
        whole &= boxes[:, 0] > x + margin
    if y > 0:
        whole &= boxes[:, 1] > y + margin
    if x + w < image[1]:
        whole &= boxes[:, 2] < x + w - margin
    if y + h < image[0]:
        whole &= boxes[:, 3] < y + h - margin
    return whole


def _distinct(found: _Found) -> NDArray[np.int64]:
    """Rows that are left, best first, when each finding has removed worse ones of its kind that show the same thing."""
    middles, down = found.points.mean(1), np.abs(found.points[:, 1] - found.points[:, 0])
    lengths = np.linalg.norm(down, axis=1)
    askew = np.abs(down[:, 0] - down[:, 1]) < TUNING.diagonal_difference * lengths
    # An end that is hardly seen must not make every finding a card of its own.
    lengths = np.maximum(lengths, 0.08 * np.linalg.norm(found.boxes[:, 2:] - found.boxes[:, :2], axis=1))
    order = np.argsort(-found.score, kind="stable")
    kept: list[int] = []
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(int(best))
        iou = iou_matrix(found.boxes[best], found.boxes[rest])[0]
        if found.kind[best] == 0:
            same = iou > TUNING.same_index_iou
        else:
            apart = np.linalg.norm(middles[rest] - middles[best], axis=1)
            same = (iou > TUNING.same_back_iou) & (
                apart < TUNING.backs_apart_share * np.minimum(lengths[rest], lengths[best])
            )
            same |= (iou > TUNING.same_index_iou) & ~(
                askew[rest] & askew[best]
            )  # strips that overlap so much lie slanting
        order = rest[~(same & (found.kind[rest] == found.kind[best]))]
    return np.asarray(kept, np.int64)


def _align_points(boxes: Floats, points: Floats) -> Floats:
    """The points of indices (n, 2, 2) put where their boxes say, in the direction that they give.

    The network is surer of a box than of two points: it tells their direction well, but where it wavers it draws them
    together. For an index of height h and width w that points to (x, y), |(x, y)| = 1, the upright box round it has
    the sides h|x| + w|y| and h|y| + w|x|, so h + w follows from the box, and from h + w the distance of the points.
    """
    down = points[:, 1] - points[:, 0]
    length = np.linalg.norm(down, axis=1, keepdims=True)
    down = np.where(length > 1e-3, down / length.clip(1e-3), np.asarray([0.0, 1.0]))
    around = (boxes[:, 2:] - boxes[:, :2]).sum(1, keepdims=True) / np.abs(down).sum(1, keepdims=True)
    half = down * SPREAD * around / 2
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2 + 2 * half * TUNING.points_below_share
    return np.stack([middle - half, middle + half], 1).astype(np.float32)


def _stretch_ends(boxes: Floats, points: Floats) -> Floats:
    """The ends of backs (n, 2, 2) put where their boxes say, in the direction that they give.

    As with `_align_points`: a visible part of length l and width w that points to (x, y) has a box with the sides
    l|x| + w|y| and l|y| + w|x|, which gives l unless the card lies at about 45 degrees; there the points stay.
    """
    down = points[:, 1] - points[:, 0]
    length = np.linalg.norm(down, axis=1)
    down = np.where(length[:, None] > 1e-3, down / length[:, None].clip(1e-3), np.asarray([0.0, 1.0]))
    x, y = np.abs(down).T
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    askew = np.abs(x - y) < TUNING.diagonal_difference
    measured = ((width + height) / (x + y) + (width - height) / np.where(askew, 1, x - y)) / 2
    length = np.where(askew, length, measured.clip(1.0))
    half = down * length[:, None] / 2
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    return np.stack([middle - half, middle + half], 1).astype(np.float32)


def _finish(found: _Found, width: int, height: int) -> tuple[Detections, Backs]:
    is_index = (found.kind == 0)[:, None, None]
    points = np.where(is_index, _align_points(found.boxes, found.points), _stretch_ends(found.boxes, found.points))
    found = _Found(found.kind, found.boxes, found.score, points)
    found = found.take(_distinct(found))
    boxes = np.clip(found.boxes, 0, np.asarray([width, height, width, height], np.float32))
    found = _Found(found.kind, boxes, found.score, found.points).take((boxes[:, 2:] - boxes[:, :2]).min(1) > 1)
    index, back = found.take(found.kind == 0), found.take(found.kind == 1)
    detections = Detections(index.boxes, index.score, index.points[:, 0], index.points[:, 1])
    return detections, Backs(back.boxes, back.score, back.points)
