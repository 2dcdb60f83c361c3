"""Random crops of scenes and photos for the detector to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.train import augment, loop
from models.train.labelled_pictures import BACK, INDEX, Groups, Sample, draw_samples, find_files, read_image

BATCH: Final = 16
STRIDES: Final = (8, 16)


@dataclass(frozen=True, slots=True)
class Tuning:
    """How crops are cut; shares are 0 to 1.

    Attributes:
        index_px: Smallest and largest longer side of an index in a crop, drawn log-uniformly: what inference will show.
        least_index_px: An index smaller than this in the crop is not judged.
        least_inside: An object cut by the crop's edge is learned if this share of its box is inside.
        aimed_share: Share of crops that are cut round an object.
        crops_of_a_picture: Crops of each picture that is decoded, which is expensive.
    """

    index_px: tuple[float, float] = (11.0, 64.0)
    least_index_px: float = 5.0
    least_inside: float = 0.6
    aimed_share: float = 0.85
    crops_of_a_picture: int = 3


TUNING: Final = Tuning()


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A square crop and its objects, px of the crop; `ignore` marks the ones not judged."""

    image: NDArray[np.uint8]
    kind: NDArray[np.int64]
    boxes: NDArray[np.float32]
    points: NDArray[np.float32]
    has_points: NDArray[np.bool_]
    ignore: NDArray[np.bool_]


def crop(sample: Sample, image: NDArray[np.uint8], side: int, rng: np.random.Generator) -> Example:
    """A random `side` x `side` crop, scaled so that its indices get a random size, turned by a multiple of 90 degrees.

    Other angles come from the scenes themselves, whose boxes fit exactly; turning a box by them would widen it. A
    mirrored index is no index, so nothing is flipped.
    """
    height, width = image.shape[:2]
    sizes = (sample.boxes[:, 2:] - sample.boxes[:, :2]).max(1) if len(sample) else np.zeros(0)
    indices = np.flatnonzero((sample.kind == INDEX) & ~sample.ignore)
    if len(indices):
        target = float(np.exp(rng.uniform(*np.log(TUNING.index_px))))
        scale = float(np.clip(target / sizes[rng.choice(indices)], 0.3, 2.0))
    else:
        scale = float(rng.uniform(0.5, 1.3))
    scale = max(scale, side / max(height, width) * 0.85)
    if len(sample) and rng.random() < TUNING.aimed_share:
        backs = np.flatnonzero(sample.kind == BACK)  # few among many indices: each is looked at more often
        row = rng.choice(backs) if len(backs) and rng.random() < 0.5 else rng.integers(len(sample))
        box = sample.boxes[row]
        centre = (box[:2] + box[2:]) / 2 + rng.uniform(-0.45, 0.45, 2) * side / scale
    else:
        centre = rng.uniform(0, 1, 2) * (width, height)
    reach = side / scale / 2
    bounds = np.asarray([width, height])
    centre = np.where(bounds > 2 * reach, np.clip(centre, reach, bounds - reach), bounds / 2)
    low = centre - reach
    first = np.floor(low).clip(0).astype(int)
    last = np.minimum(np.ceil(low + 2 * reach).astype(int) + 1, (width, height))
    source: Any = image[first[1] : last[1], first[0] : last[0]]
    zoom = scale
    if scale < 0.7:  # a warp does not average: shrink first
        size = np.maximum(np.round((last - first) * scale).astype(int), 1)
        source, zoom = cv2.resize(source, size.tolist(), interpolation=cv2.INTER_AREA), 1.0
    shift = (first - low) * scale
    matrix = np.asarray([[zoom, 0, shift[0]], [0, zoom, shift[1]]], np.float32)
    fill = rng.integers(0, 255, 3).tolist()
    out = cv2.warpAffine(source, matrix, (side, side), flags=cv2.INTER_LINEAR, borderValue=fill)
    boxes = (sample.boxes - np.tile(low, 2)) * scale
    points = (sample.points - low) * scale
    for _ in range(rng.integers(4)):
        out = np.rot90(out)  # anticlockwise: (x, y) -> (y, side - x)
        points = np.stack([points[..., 1], side - points[..., 0]], -1)
        boxes = np.stack([boxes[:, 1], side - boxes[:, 2], boxes[:, 3], side - boxes[:, 0]], 1)
    if rng.random() < augment.BLACK_PAPER:
        out = augment.negative(np.asarray(out, np.uint8))
    out = augment.photometric(np.ascontiguousarray(out), rng)
    return _clip_to_crop(Example(out, sample.kind, boxes, points, sample.has_points, sample.ignore), side)


def _clip_to_crop(example: Example, side: int) -> Example:
    """Clips boxes to the crop: objects outside are dropped, those mostly outside or too small are marked `ignore`."""
    clipped = np.clip(example.boxes, 0, side)
    inside = (clipped[:, 2:] - clipped[:, :2]).prod(1) / (example.boxes[:, 2:] - example.boxes[:, :2]).prod(1).clip(
        1e-6
    )
    present = inside > 0.02
    small = (clipped[:, 2:] - clipped[:, :2]).max(1) < TUNING.least_index_px
    index = example.kind == INDEX
    ignore = example.ignore | (index & (inside < TUNING.least_inside)) | (index & small)
    # The ends of a back that leaves the crop are unknown there; its visible box can still be learned.
    off = ~((example.points > -0.1 * side) & (example.points < 1.1 * side)).all((1, 2))
    known = example.has_points & ~(off & ~index) & (index | (inside > 0.95))
    return Example(
        example.image, example.kind[present], clipped[present], example.points[present], known[present], ignore[present]
    )


def batches(groups: Groups, batch: int, seed: int, side: int) -> loop.Batches:
    """Endless batches of random crops, others in each worker process.

    Args:
        groups: Folders of samples and the share of crops taken from them.
        batch: Crops a batch.
        seed: Start of the random numbers.
        side: Size of the crops, px.
    """
    for folders, _ in groups:
        find_files(folders)
    return loop.Batches(partial(_stream, groups, batch, side), seed)


def _stream(groups: Groups, batch: int, side: int, rng: np.random.Generator) -> Iterator[loop.Batch]:
    crops = _crops(groups, side, rng)
    while True:
        yield collate([next(crops) for _ in range(batch)])


def _crops(groups: Groups, side: int, rng: np.random.Generator) -> Iterator[Example]:
    for sample in draw_samples(groups, rng):
        image = read_image(sample.path)
        for _ in range(TUNING.crops_of_a_picture):
            yield crop(sample, image, side, rng)


def collate(examples: Sequence[Example]) -> loop.Batch:
    """A batch as the detector's `Loss` wants it; `image` is uint8 (b, 3, H, W) in channels-last memory."""
    side = examples[0].image.shape[0]
    image = torch.from_numpy(np.stack([e.image for e in examples])).permute(0, 3, 1, 2)
    rows: dict[str, list[Any]] = {"batch_idx": [], "cls": [], "bboxes": [], "keypoints": []}
    for number, e in enumerate(examples):
        judged = ~e.ignore
        box = e.boxes[judged]
        rows["batch_idx"].append(np.full(judged.sum(), number, np.float32))
        rows["cls"].append(e.kind[judged, None].astype(np.float32))
        rows["bboxes"].append(np.concatenate([box[:, :2] + box[:, 2:], 2 * (box[:, 2:] - box[:, :2])], 1) / (2 * side))
        flag = np.broadcast_to(e.has_points[judged, None, None], (int(judged.sum()), 2, 1))
        rows["keypoints"].append(np.concatenate([e.points[judged] / side, flag], 2))
    batch = {name: torch.from_numpy(np.concatenate(parts).astype(np.float32)) for name, parts in rows.items()}
    free = torch.from_numpy(np.stack([_unjudged_anchors(e, side) for e in examples]))
    return {"image": image, "free": free} | batch  # pictures first: the log counts them


def _unjudged_anchors(example: Example, side: int) -> NDArray[np.bool_]:
    """Anchors (n,) that are not judged: those in an ignored object and in no other."""
    flat = []
    for stride in STRIDES:
        grid = np.zeros((side // stride, side // stride), np.bool_)
        for ignored in (True, False):
            boxes = example.boxes[example.ignore == ignored] + (np.asarray([-4, -4, 4, 4]) if ignored else 0)
            cells = np.ceil(boxes / stride - 0.5).clip(0).astype(int)  # anchors stand in the middle of their cell
            for x1, y1, x2, y2 in cells:
                grid[y1:y2, x1:x2] = ignored
        flat.append(grid.ravel())
    return np.concatenate(flat)
