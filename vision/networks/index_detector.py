"""Finds the corner indices of cards, and card backs, in a photo: one small network on ONNX Runtime.

    detections, backs = Detector().detect(image)

The network sees the whole photo from far and from near (320, 640 and 1280 px), because it knows indices of some 10 to
80 px. Where the indices turn out smaller still, or lie close together as in a tight fan, what lies round them is cut
out, enlarged and laid side by side, and the network looks again. Raw outputs are decoded here in numpy
(`models/index_detector/net.py` says what they are).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import channels_first, shrunk
from vision.networks.outputs import SPREAD, Backs, Detections
from vision.networks.runtime import MODELS, Network

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

UNUSUAL_WEIGHTS: Final = MODELS / "unusual_detector.onnx"
"""The same network trained on to decks with unusual indices, such as the suit above the rank."""
GRID: Final = 32
"""Sides of what the network sees are multiples of this, px."""
FILL: Final = 114
"""Brightness of what is no part of the photo."""
GAP: Final = 16
"""Between pieces of a photo that lie on one sheet, px."""
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
        sure_confidence: A look between the farthest and the closest one is taken only where one of these two surely,
            with this confidence, sees an index
        middle_size_px: that is as large in it, or larger.
        small_index_px: Indices that are smaller than this at the closest look are looked at again.
        enlarged_index_px: About the size that they reach there.
        shown_round_indices: What is shown round an index that is looked at again, in typical indices.
        seen_confidence: Findings that are less certain tell nothing of the look that found them.
        most_unsure_share: Where more of the others are not sure, everything between them is looked at again,
        shown_round_all_indices: and so much round them.
        crowded_share: Indices whose middles are nearer to each other than this share of a typical index's longer side
            lie in a tight fan, where others between them may be missed: what lies round them is looked at again,
        crowded_index_px: enlarged until an index has about this size.
        sheet_px: Side of a sheet of such parts, which the network sees at once; longer parts are seen in pieces
        piece_overlap_px: that overlap by so much.
        most_enlarged_px: Area of all sheets at most; parts are enlarged less where more would be needed.
    """

    least_index_confidence: float = 0.05
    least_back_confidence: float = 0.4
    same_index_iou: float = 0.5
    same_back_iou: float = 0.3
    backs_apart_share: float = 0.5
    points_below_share: float = 0.075
    diagonal_difference: float = 0.35
    looks_px: tuple[int, ...] = (320, 640, 1280)
    largest_enlargement: float = 2.0
    trusted_sizes_px: tuple[float, float] = (20.0, 80.0)
    sure_confidence: float = 0.5
    middle_size_px: float = 30.0
    small_index_px: float = 16.0
    enlarged_index_px: float = 24.0
    shown_round_indices: float = 2.0
    seen_confidence: float = 0.25
    most_unsure_share: float = 0.15
    shown_round_all_indices: float = 4.0
    crowded_share: float = 1.0
    crowded_index_px: float = 40.0
    sheet_px: int = 1280
    piece_overlap_px: int = 96
    most_enlarged_px: int = 6_000_000


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
        ends = [self._look(image, scales, number, limits) for number in sorted({0, len(scales) - 1})]
        between = [n for n in range(1, len(scales) - 1) if _shows_as_large(ends, TUNING.middle_size_px / scales[n])]
        parts = [*ends, *(self._look(image, scales, number, limits) for number in between)]
        indices = _distinct_of(parts)
        size, closest = _typical_size(indices), scales[-1]
        if size is not None and size * closest < TUNING.small_index_px:
            shown = _parts_to_enlarge(indices, size)
            closer, closest = self._see_cuts(image, shown, closest, TUNING.enlarged_index_px / size, limits)
            parts += closer
            indices = _distinct_of(parts)
        if size is not None:
            shown = _crowded_parts(indices, size)
            closer, _ = self._see_cuts(image, shown, closest, TUNING.crowded_index_px / size, limits)
            parts = [_without_several(_concatenate(parts), _distinct_of(closer)), *closer] if closer else parts
        return _finish(_concatenate(parts), width, height)

    def _look(self, image: Image, scales: list[float], number: int, limits: tuple[float, float]) -> _Found:
        """What one of the looks at the whole photo sees well."""
        found = self._see(image, scales[number], limits)
        return found.take(_seen_well(found, scales[number], number > 0, number < len(scales) - 1))

    def _see(self, image: Image, scale: float, limits: tuple[float, float]) -> _Found:
        """Findings in a picture looked at `scale` times as big, in its own px."""
        height, width = image.shape[:2]
        size = max(8, round(width * scale)), max(8, round(height * scale))
        padded = cv2.copyMakeBorder(
            _resized(image, size), 0, -size[1] % GRID, 0, -size[0] % GRID, cv2.BORDER_CONSTANT, value=(FILL,) * 3
        )
        maps = self._run(channels_first(padded))
        parts = [_decode(grid[0], stride, limits) for grid, stride in zip(maps, (8, 16), strict=True)]
        return _concatenate(parts).moved(scale, np.zeros(2, np.float32))

    def _see_cuts(
        self, image: Image, shown: Floats, closest: float, wanted: float, limits: tuple[float, float]
    ) -> tuple[list[_Found], float]:
        """Indices in parts (n, 4) of a photo at the scale `wanted`, or as near to it as the size of them all allows.

        Nothing is looked at where that is hardly nearer than the `closest` look so far. The scale of the closest look
        comes with what was found.
        """
        parts = _whole_px(shown, image.shape[1], image.shape[0])
        scale = min(wanted, TUNING.largest_enlargement) if len(parts) else 0.0
        while scale > closest * 1.15:
            pieces = np.concatenate([_pieces_of(part, scale) for part in parts])
            sizes = np.maximum(np.round((pieces[:, 2:] - pieces[:, :2]) * scale).astype(np.int64), 8)
            if sizes.prod(1).sum() <= TUNING.most_enlarged_px:
                break
            scale *= 0.93
        else:
            return [], closest
        found = []
        for rows, corners in _sheets_of(sizes):
            width, height = (corners + sizes[rows]).max(0)
            sheet = np.full((height, width, 3), FILL, np.uint8)
            for (left, top, right, bottom), (x, y), size in zip(pieces[rows], corners, sizes[rows], strict=True):
                sheet[y : y + size[1], x : x + size[0]] = _resized(image[top:bottom, left:right], tuple(size))
            seen = self._see(sheet, 1.0, limits)
            for piece, corner in zip(pieces[rows], corners, strict=True):
                own = seen.moved(scale, piece[:2] - corner / scale)
                found.append(own.take((own.kind == 0) & _inside(own.boxes, piece, image.shape, 4 / scale)))
        return found, scale


def _resized(image: Image, size: tuple[int, int]) -> Any:
    """A picture made larger or smaller to a width and height."""
    if size == image.shape[1::-1]:
        return image
    return shrunk(image, size) if size[0] < image.shape[1] else cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)


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


def _shows_as_large(looks: list[_Found], size: float) -> bool:
    """Whether one of the looks surely shows an index of so many px, or a larger one."""
    sure = [look.boxes[(look.kind == 0) & (look.score >= TUNING.sure_confidence)] for look in looks]
    return any((boxes[:, 2:] - boxes[:, :2]).max(initial=0) >= size for boxes in sure)


def _distinct_of(looks: list[_Found]) -> _Found:
    """The indices that the looks show, each once, best first."""
    found = _concatenate(looks)
    indices = found.take(found.kind == 0)
    return indices.take(_distinct(indices))


def _typical_size(indices: _Found) -> float | None:
    """Median of the longer sides of indices, px; None without any."""
    return float(np.median((indices.boxes[:, 2:] - indices.boxes[:, :2]).max(1))) if len(indices.score) else None


def _parts_to_enlarge(indices: _Found, size: float) -> Floats:
    """The parts (k, 4) of a photo in which small indices of that size are looked for again, px.

    Where many of those found are unsure, others were not found at all: then it is all that lies between them.
    """
    seen = indices.score >= TUNING.seen_confidence
    unsure = seen & (indices.score < TUNING.sure_confidence)
    if unsure.sum() <= TUNING.most_unsure_share * seen.sum():
        return _parts_round(indices.boxes, TUNING.shown_round_indices * size)
    margin = TUNING.shown_round_all_indices * size
    boxes = indices.boxes[seen]
    return np.concatenate([boxes[:, :2].min(0) - margin, boxes[:, 2:].max(0) + margin], dtype=np.float32)[None]


def _crowded_parts(indices: _Found, size: float) -> Floats:
    """The parts (k, 4) of a photo, px, in which indices of that size are so near each other that some may be missed."""
    boxes = indices.boxes[indices.score >= TUNING.seen_confidence]
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    np.fill_diagonal(apart, np.inf)
    crowded = boxes[apart.min(1, initial=np.inf) < TUNING.crowded_share * size]
    return _parts_round(crowded, TUNING.shown_round_indices * size) if len(crowded) else np.zeros((0, 4), np.float32)


def _without_several(found: _Found, closer: _Found) -> _Found:
    """The findings but for indices in whose box a closer look has seen several: from afar they looked like one."""
    middles = ((closer.boxes[:, :2] + closer.boxes[:, 2:]) / 2)[closer.score >= TUNING.seen_confidence]
    low, high = found.boxes[:, None, :2], found.boxes[:, None, 2:]
    inside = ((middles > low) & (middles < high)).all(2).sum(1)
    return found.take((found.kind == 1) | (inside < 2))


def _parts_round(boxes: Floats, margin: float) -> Floats:
    """Few and small parts (k, 4) of a photo that show boxes (n, 4) and so much round each, px.

    Two parts become one as long as that one is smaller than both together.
    """
    low, high = boxes[:, :2].T.astype(float) - margin, boxes[:, 2:].T.astype(float) + margin
    area = (high - low).prod(0)

    def saved_by_joining(one: Any) -> Floats:
        """(..., n) how much less area a part, or each of all, and every other take if they are made one."""
        sides = np.maximum(high[:, one, None], high[:, None]) - np.minimum(low[:, one, None], low[:, None])
        return np.asarray(area[one, None] + area - sides[0] * sides[1])

    saved = saved_by_joining(slice(None))
    np.fill_diagonal(saved, -np.inf)
    while True:
        kept, gone = divmod(int(saved.argmax()), len(boxes))
        if saved[kept, gone] <= 0:
            break
        low[:, kept], high[:, kept] = np.minimum(low[:, kept], low[:, gone]), np.maximum(high[:, kept], high[:, gone])
        area[kept], area[gone] = (high[:, kept] - low[:, kept]).prod(), -np.inf
        saved[gone] = saved[:, gone] = -np.inf
        saved[kept] = saved[:, kept] = saved_by_joining([kept])[0]
        saved[kept, kept] = -np.inf
    left = area > 0
    return np.concatenate([low[:, left], high[:, left]]).T.astype(np.float32)


def _whole_px(parts: Floats, width: int, height: int) -> NDArray[np.int64]:
    """Parts (n, 4) in whole px of a photo."""
    low, high = np.floor(parts[:, :2]).clip(0), np.ceil(parts[:, 2:]).clip(0, (width, height))
    return np.concatenate([low, high], 1).astype(np.int64)


def _pieces_of(part: NDArray[np.int64], scale: float) -> NDArray[np.int64]:
    """A part of the photo in pieces (n, 4), px, none of which is too large at that scale."""
    left, top, right, bottom = part
    columns, rows = _spans(right - left, scale), _spans(bottom - top, scale)
    return np.array([(left + x, top + y, left + to_x, top + to_y) for y, to_y in rows for x, to_x in columns])


def _spans(side: int, scale: float) -> list[tuple[int, int]]:
    """Where pieces begin and end along a side of a part, px: as few as there can be, all of one length."""
    overlap = TUNING.piece_overlap_px / scale
    count = max(1, math.ceil((side - overlap) / (TUNING.sheet_px / scale - overlap)))
    reach = (side - overlap) / count + overlap
    return [
        (math.floor(k * (reach - overlap)), min(side, math.ceil(k * (reach - overlap) + reach))) for k in range(count)
    ]


def _sheets_of(sizes: NDArray[np.int64]) -> list[tuple[NDArray[np.intp], NDArray[np.int64]]]:
    """Lays pieces of these widths and heights (n, 2) on sheets, px: for each its pieces' numbers and their corners."""
    corners, sheet = np.zeros_like(sizes), np.zeros(len(sizes), np.intp)
    number = x = y = shelf = 0
    side = TUNING.sheet_px + GAP
    for row in np.argsort(-sizes[:, 1], kind="stable"):
        width, height = sizes[row] + GAP
        if x and x + width > side:
            x, y, shelf = 0, y + shelf, 0
        if y and y + height > side:
            number, x, y, shelf = number + 1, 0, 0, 0
        corners[row], sheet[row] = (x, y), number
        x, shelf = x + width, max(shelf, height)
    on = [np.flatnonzero(sheet == k) for k in range(number + 1)]
    return [(rows, corners[rows]) for rows in on]


def _inside(boxes: Floats, piece: NDArray[np.int64], photo: tuple[int, ...], margin: float) -> NDArray[np.bool_]:
    """Mask (n,) of the boxes that lie in a piece of the photo and touch no edge of it but the photo's own."""
    low = piece[:2] + np.where(piece[:2] > 0, margin, -margin)
    high = piece[2:] - np.where(piece[2:] < (photo[1], photo[0]), margin, -margin)
    return np.asarray(((boxes[:, :2] > low) & (boxes[:, 2:] < high)).all(1))


def _distinct(found: _Found) -> NDArray[np.int64]:
    """Rows that are left, best first, when each finding has removed worse ones of its kind that show the same thing."""
    order = np.argsort(-found.score, kind="stable")
    is_index = found.kind[order] == 0
    kept = {*_distinct_indices(found, order[is_index]), *_distinct_backs(found, order[~is_index])}
    return order[[row in kept for row in order.tolist()]]


def _distinct_indices(found: _Found, order: NDArray[np.int64]) -> list[int]:
    low, high = found.boxes[order, :2].astype(float), found.boxes[order, 2:].astype(float)
    boxes = np.concatenate([low, high - low], axis=1)
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), found.score[order].tolist(), 0.0, TUNING.same_index_iou)
    return [int(row) for row in order[np.asarray(kept, np.intp)]]


def _distinct_backs(found: _Found, order: NDArray[np.int64]) -> list[int]:
    middles, down = found.points.mean(1), np.abs(found.points[:, 1] - found.points[:, 0])
    lengths = np.linalg.norm(down, axis=1)
    askew = np.abs(down[:, 0] - down[:, 1]) < TUNING.diagonal_difference * lengths
    # An end that is hardly seen must not make every finding a card of its own.
    lengths = np.maximum(lengths, 0.08 * np.linalg.norm(found.boxes[:, 2:] - found.boxes[:, :2], axis=1))
    boxes = found.boxes.T.astype(float)
    area = (boxes[2] - boxes[0]) * (boxes[3] - boxes[1])
    kept: list[int] = []
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(int(best))
        iou = _iou(boxes, area, best, rest)
        apart = np.linalg.norm(middles[rest] - middles[best], axis=1)
        same = (iou > TUNING.same_back_iou) & (
            apart < TUNING.backs_apart_share * np.minimum(lengths[rest], lengths[best])
        )
        # Strips that overlap so much lie slanting.
        same |= (iou > TUNING.same_index_iou) & ~(askew[rest] & askew[best])
        order = rest[~same]
    return kept


def _iou(boxes: NDArray[np.float64], area: NDArray[np.float64], one: int, others: NDArray[np.int64]) -> Any:
    """Intersection over union of one of boxes (4, n) and others (m,); `vision.measure` asks for all pairs at once."""
    left, top, right, bottom = boxes[:, others]
    wide = np.minimum(right, boxes[2, one]) - np.maximum(left, boxes[0, one])
    high = np.minimum(bottom, boxes[3, one]) - np.maximum(top, boxes[1, one])
    shared = wide.clip(0) * high.clip(0)
    return shared / np.maximum(area[others] + area[one] - shared, 1e-9)


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
