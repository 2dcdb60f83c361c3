"""Training of the detector on random crops of scenes and photos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import IterableDataset

from models.index_detector import net as detector_net
from models.train import augment, loop, warm_start
from models.train.pictures import BACK, INDEX, Groups, Sample, draw_samples, find_files, read_image, read_sample

BATCH: Final = 16
STRIDES: Final = (8, 16)
TARGET_HEIGHT: Final = (11.0, 64.0)
"""Longer side of an index in a crop, px, drawn log-uniformly: the sizes that inference will show."""
MIN_SIDE: Final = 5.0
"""An index smaller than this in the crop is not judged."""
KEEP_INSIDE: Final = 0.6
"""An object cut by the crop's edge is learned if this share of its box is inside."""


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
        target = float(np.exp(rng.uniform(*np.log(TARGET_HEIGHT))))
        scale = float(np.clip(target / sizes[rng.choice(indices)], 0.3, 2.0))
    else:
        scale = float(rng.uniform(0.5, 1.3))
    scale = max(scale, side / max(height, width) * 0.85)
    if len(sample) and rng.random() < 0.85:
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
    return _cut(Example(out, sample.kind, boxes, points, sample.has_points, sample.ignore), side)


def _cut(example: Example, side: int) -> Example:
    """Clips the boxes to the crop; what is mostly outside or too small is not judged, what is outside is dropped."""
    clipped = np.clip(example.boxes, 0, side)
    inside = (clipped[:, 2:] - clipped[:, :2]).prod(1) / (example.boxes[:, 2:] - example.boxes[:, :2]).prod(1).clip(
        1e-6
    )
    present = inside > 0.02
    small = (clipped[:, 2:] - clipped[:, :2]).max(1) < MIN_SIDE
    index = example.kind == INDEX
    ignore = example.ignore | (index & (inside < KEEP_INSIDE)) | (index & small)
    # The ends of a back that leaves the crop are unknown there; its visible box can still be learned.
    off = ~((example.points > -0.1 * side) & (example.points < 1.1 * side)).all((1, 2))
    known = example.has_points & ~(off & ~index) & (index | (inside > 0.95))
    return Example(
        example.image, example.kind[present], clipped[present], example.points[present], known[present], ignore[present]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Batches(IterableDataset[loop.Batch]):
    groups: Groups
    batch: int
    seed: int
    side: int

    def __iter__(self) -> Iterator[loop.Batch]:
        crops = self._crops(loop.worker_rng(self.seed))
        while True:
            yield collate([next(crops) for _ in range(self.batch)])

    def _crops(self, rng: np.random.Generator) -> Iterator[Example]:
        for sample in draw_samples(self.groups, rng):
            image = read_image(sample.path)
            for _ in range(3):  # decoding a picture is expensive: three crops of each
                yield crop(sample, image, self.side, rng)


def batches(groups: Groups, batch: int, seed: int, side: int) -> IterableDataset[loop.Batch]:
    """Endless batches of random crops, others in each worker process.

    Args:
        groups: Folders of samples and the share of crops taken from them.
        batch: Crops a batch.
        seed: Start of the random numbers.
        side: Size of the crops, px.
    """
    for folders, _ in groups:
        find_files(folders)
    return _Batches(groups, batch, seed, side)


def collate(examples: Sequence[Example]) -> loop.Batch:
    """A batch as `detector_net.Loss` wants it; `image` is uint8 (b, 3, H, W) in channels-last memory."""
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
    free = torch.from_numpy(np.stack([_free(e, side) for e in examples]))
    return {"image": image, "free": free} | batch  # pictures first: the log counts them


def _free(example: Example, side: int) -> NDArray[np.bool_]:
    """Anchors in an object that is not judged, and in none that is."""
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


def typical_inputs(folders: Sequence[Path], count: int = 24, side: int = 640) -> list[NDArray[np.uint8]]:
    """Pictures (1, 3, `side`, `side`) as the detector gets them, `count` at most, evenly chosen.

    Args:
        folders: Folders of samples.
        count: How many.
        side: Their size, px, a multiple of 32.
    """
    files = find_files(folders)
    chosen = files[:: max(1, len(files) // count)][:count]
    pictures = []
    for path in chosen:
        image = read_image(read_sample(path).path)
        factor = 1.5 * side / max(image.shape)  # a corner: indices as large as inference shows them
        scaled = cv2.resize(image, None, fx=factor, fy=factor)[:side, :side]
        filled = np.zeros((side, side, 3), np.uint8)
        filled[: scaled.shape[0], : scaled.shape[1]] = scaled
        pictures.append(np.ascontiguousarray(filled.transpose(2, 0, 1)[None]))
    return pictures


def fit(loader: Iterable[loop.Batch], out: Path, plan: loop.Plan, device: torch.device) -> Any:
    """Trains (or goes on training) the detector; returns the averaged network."""
    model = detector_net.build()
    loss = detector_net.Loss(model.to(device))

    def step(network: torch.nn.Module, got: loop.Batch) -> tuple[torch.Tensor, dict[str, float]]:
        with loop.autocast(device):
            predicted = network(got["image"].to(memory_format=torch.channels_last).float() / 255)
        as_float = {n: v.float() if torch.is_tensor(v) else v for n, v in predicted.items()}
        return loss(as_float, got)

    if start := plan.starts(out):
        warm_start.restore(detector_net.RawMaps(model.cpu()), start, warm_start.pictures_of(loader, 64))
    return loop.train(model, loader, step, out, plan, device)
