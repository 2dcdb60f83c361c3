"""Upright crops of indices, and of what is none, for the reader to learn from.

Large patches round indices are cut from scenes at their own resolution and kept in a pool; each use of a patch gets
new errors of the two points (like the detector's), a new resolution and a new camera.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.index_detector.prepare import read_negatives
from models.index_reader.net import ReaderNet
from models.train import augment, loop
from models.train.labelled_pictures import INDEX, Groups, Sample, draw_samples, find_files, read_image, read_sample
from models.train.layers import Calibrated, Temperatures, best_temperatures
from models.train.onnx_files import restore
from solver.cards import MaybeCard, Suit
from vision.networks.index_reader import HEIGHT, SPAN, WIDTH, Reader, upright_crops
from vision.networks.outputs import RANKS

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tuning:
    """How crops are made of scenes and photos; shares are 0 to 1.

    Attributes:
        margin: A patch is this many times as wide and high as a crop, so that a crop can be moved and turned inside it.
        pool_patches: Patches from which batches are drawn.
        first_patches: Patches in the pool before the first batch.
        fresh_patches: Patches that enter the pool for each 64 crops used.
        negative_share: Share of patches that show no index, or show one wrongly.
        wrong_shares: Shares of what is wrong about an index that is shown wrongly: turned, too far up or down, aside,
            of the wrong size. A photo's convention is told by which turn of its indices is no index
            (`vision/cards/suit_place.py`).
        mild_share: Share of crops that stay easy to read: what tells two suits apart is learned from these.
        covered_share: Share of crops on which another card is laid that hides a part: scenes are rendered with whole
            indices or none.
        paper_px: Paper between a card's edge and its index, px of a crop, about.
        judged_suit_share: A suit of which less can be seen is not judged.
        smallest_index_px: Height of an index down to which resolution is taken away.
    """

    margin: float = 1.7
    pool_patches: int = 24_000
    first_patches: int = 2_000
    fresh_patches: int = 24
    negative_share: float = 0.3
    wrong_shares: tuple[float, ...] = (0.58, 0.14, 0.14, 0.14)
    mild_share: float = 0.5
    covered_share: float = 0.15
    paper_px: int = 12
    judged_suit_share: float = 0.25
    smallest_index_px: float = 11.0


TUNING: Final = Tuning()
BATCH: Final = 128
PATCH: Final = (round(HEIGHT * TUNING.margin), round(WIDTH * TUNING.margin))
"""Height and width of a patch, px."""
INDEX_SHARE: Final = 1.8 / SPAN
"""Height of an index as a share of its crop's, about."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A picture round an index, upright, with its truth; rank or suit -1 where none is to be seen."""

    image: Image
    rank: int
    suit: int
    is_index: bool
    height: float
    """Height of the index in its photo, px."""
    suit_below: bool = True
    """Whether the suit stands below the rank; a card is laid only on such ones, of which it is known what it hides."""


def cut_patches(sample: Sample, image: Image, rng: np.random.Generator, most: int = 48) -> list[Patch]:
    """Patches of up to `most` readable indices of a sample, and patches that show none."""
    readable = [i for i in range(len(sample)) if sample.has_points[i] and sample.cards[i] and not sample.ignore[i]]
    chosen = rng.permutation(readable)[:most] if readable else np.zeros(0, int)
    truth = [(*_labels(sample, i), True) for i in chosen]
    points = sample.upright[chosen] if len(chosen) else np.zeros((0, 2, 2), np.float32)
    count = max(2, round(len(chosen) * TUNING.negative_share / (1 - TUNING.negative_share)))
    hard = rng.permutation(read_negatives(sample.label))[: max(1, count // 2)]
    wrong = np.concatenate([hard, _wrong_points(sample, image, rng, max(1, count - len(hard)))])
    every = np.concatenate([points, wrong])
    cut = upright_crops(image, every[:, 0], every[:, 1], width=PATCH[1], height=PATCH[0], span=SPAN * TUNING.margin)
    heights = np.linalg.norm(every[:, 1] - every[:, 0], axis=1) * SPAN * INDEX_SHARE
    truth += [(-1, -1, False)] * len(wrong)
    below = [bool((sample.upright[i] == sample.points[i]).all()) for i in chosen] + [True] * len(wrong)
    return [Patch(*row) for row in zip(cut, *zip(*truth, strict=True), heights.tolist(), below, strict=True)]


def _labels(sample: Sample, row: int) -> tuple[int, int]:
    """Rank and suit of an index as numbers; -1 for what another card hides."""
    card = sample.cards[row]
    if card is None:
        return -1, -1
    return (int(card.rank) - 1 if sample.rank_seen[row] else -1), (int(card.suit) if sample.suit_seen[row] else -1)


def _wrong_points(sample: Sample, image: Image, rng: np.random.Generator, count: int) -> Floats:
    """Pairs of points (n, 2, 2) that show no index: turned or moved ones, and places beside indices."""
    known = np.flatnonzero(sample.has_points & (sample.kind == INDEX))
    typical = [float(np.linalg.norm(sample.upright[i, 1] - sample.upright[i, 0])) for i in known] or [18.0]
    middles = sample.upright[known].mean(1) if len(known) else np.zeros((0, 2), np.float32)
    out: list[Floats] = []
    while len(out) < count:
        length = float(rng.choice(typical)) * float(np.exp(rng.normal(0, 0.3)))
        turn = rng.uniform(0, 2 * np.pi)
        down = np.asarray([np.cos(turn), np.sin(turn)], np.float32) * length
        what = rng.random()
        if what < 0.5 and len(known):
            out.append(_shown_wrongly(sample, rng.choice(known), rng))
            continue
        middle = _anywhere(sample, image, length, rng, near_cards=what < 0.8)
        inside = (middle > 0).all() and (middle < image.shape[1::-1]).all()
        if inside and np.linalg.norm(middles - middle, axis=1).min(initial=np.inf) > 1.2 * length:
            out.append(np.stack([middle - down / 2, middle + down / 2]).astype(np.float32))
    return np.stack(out)


def _anywhere(
    sample: Sample, image: Image, length: float, rng: np.random.Generator, *, near_cards: bool
) -> NDArray[np.float64]:
    """A random point (2,) of a picture, or one near its cards: there are pips, courts, edges and backs."""
    if near_cards and len(sample):
        box = sample.boxes[rng.integers(len(sample))]
        return np.asarray((box[:2] + box[2:]) / 2 + rng.normal(0, 4, 2) * length)
    return np.asarray(rng.uniform(0, 1, 2) * image.shape[1::-1])


def _shown_wrongly(sample: Sample, row: int, rng: np.random.Generator) -> Floats:
    """The points (2, 2) of an index, turned, moved, or too far or close."""
    rank, suit = sample.upright[row]
    axis, middle = suit - rank, (rank + suit) / 2
    side = np.asarray([axis[1], -axis[0]])
    kind = rng.choice(4, p=TUNING.wrong_shares)
    if kind == 0:  # upside down or on its side
        half = (axis if rng.random() < 0.65 and not _reads_upside_down(sample.cards[row]) else side) / 2
        pair = np.stack([middle + half, middle - half])
    elif kind == 1:  # too far up or down: rank or suit alone
        pair = np.stack([rank, suit]) + axis * rng.choice([-1, 1]) * rng.uniform(0.75, 1.6)
    elif kind == 2:  # beside it
        pair = np.stack([rank, suit]) + side * rng.choice([-1, 1]) * rng.uniform(0.8, 2.5)
    else:  # much too big or too small
        factor = rng.choice([0.4, 0.5, 2.0, 2.6])
        pair = np.stack([middle - axis * factor / 2, middle + axis * factor / 2])
    return np.asarray(pair, np.float32)


def _reads_upside_down(card: MaybeCard) -> bool:
    """Whether an index looks like an index upside down too: 6, 8 and 9 of diamonds."""
    return card is not None and card.suit == Suit.DIAMONDS and int(card.rank) in (6, 8, 9)


def cover(patch: Patch, other: Patch, rng: np.random.Generator) -> Patch:
    """A patch with another card on it: from below, as in a tight column, or from the right, as in a tight fan.

    Args:
        patch: What is covered.
        other: Any patch; its surroundings are painted as the covering card, on paper like the covered one's.
        rng: Random generator.
    """
    middle_y, middle_x = PATCH[0] / 2, PATCH[1] / 2
    half = HEIGHT * INDEX_SHARE / 2
    around = slice(int(middle_y - half), int(middle_y + half)), slice(int(middle_x - 12), int(middle_x + 12))
    paper, own = (np.median(part.image[around].reshape(-1, 3), axis=0) + 1 for part in (patch, other))
    card = np.clip(other.image * np.clip(paper / own, 0.3, 3.0), 0, 255).astype(np.float32)
    y, x = np.mgrid[: PATCH[0], : PATCH[1]].astype(np.float32)
    lean, suit = float(rng.normal(0, 0.05)), patch.suit
    if rng.random() < 0.6:
        seen = float(rng.uniform(0.15, 1.0))  # of the suit, which is about as high as the rank
        edge = middle_y + half * (0.1 + 0.9 * seen)
        depth, shift = y - edge - lean * (x - middle_x), (0.0, edge - (middle_y - half - TUNING.paper_px))
        suit = suit if seen >= TUNING.judged_suit_share else -1
    else:
        edge = middle_x + float(rng.uniform(-1, 10))
        depth, shift = x - edge - lean * (y - middle_y), (edge - (middle_x - half / 2 - TUNING.paper_px / 2), 0.0)
    matrix = np.asarray([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    laid = cv2.warpAffine(card, matrix, PATCH[::-1], borderMode=cv2.BORDER_REPLICATE)
    rim = np.exp(-((depth / float(rng.uniform(0.4, 1.2))) ** 2))[..., None] * float(rng.uniform(0, 0.5))
    shade = np.where(depth < 0, np.exp(depth / float(rng.uniform(1, 5))), 0)[..., None] * float(rng.uniform(0, 0.4))
    on_top = np.clip(depth + 0.5, 0, 1)[..., None]
    image = (patch.image * (1 - shade) * (1 - on_top) + laid * on_top) * (1 - rim)
    return replace(patch, image=np.asarray(image, np.uint8), suit=suit)


def spoiled_crop(patch: Patch, rng: np.random.Generator) -> Image:
    """A crop of a patch with errors like the detector's, of a smaller photo, by another camera."""
    mild = rng.random() < TUNING.mild_share
    rough = 1.0 if mild or rng.random() < 0.6 else 2.2
    turn = rng.normal(0, 0.09) * rough
    size = float(np.exp(rng.normal(0, 0.09) * rough))
    shift = rng.normal(0, 0.035, 2) * HEIGHT * rough
    squeeze = float(np.exp(rng.normal(0, 0.14)))  # a tilted card, a stretched photo
    shear = rng.normal(0, 0.08)
    small = _lower_resolution(patch, rng, 0.15 if mild else 0.6)
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    out = _warp(patch, np.asarray([[cos * squeeze, -sin + shear], [sin, cos / squeeze]]), shift, small)
    if rng.random() < 0.25:
        out = augment.ink(out, rng)
    if rng.random() < augment.BLACK_PAPER:
        out = augment.negative(out)
    strength = 0.45 if mild else 0.8 if small > 0.6 else 0.5
    out = augment.photometric(out, rng, strength=strength)
    if out.shape[:2] != (HEIGHT, WIDTH):
        out = np.asarray(cv2.resize(out, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)
    return out


def _lower_resolution(patch: Patch, rng: np.random.Generator, share: float) -> float:
    """The resolution of a crop, 1 at most; a `share` of the crops that have more than they need lose some of it."""
    native = patch.height / (HEIGHT * INDEX_SHARE)  # px of the photo per px of the crop
    low = TUNING.smallest_index_px / (HEIGHT * INDEX_SHARE)
    if native > low and rng.random() < share:
        return float(np.exp(rng.uniform(np.log(low), np.log(min(1.0, max(native, low * 1.01))))))
    return min(native, 1.0)


def _warp(patch: Patch, turn: NDArray[np.float64], shift: NDArray[np.float64], small: float) -> Image:
    """A patch's middle, turned, stretched and moved, at the resolution `small`."""
    width, height = max(8, round(WIDTH * small)), max(10, round(HEIGHT * small))
    middle = np.asarray([PATCH[1] / 2, PATCH[0] / 2])
    scale = np.asarray([[width / WIDTH], [height / HEIGHT]])
    source: Any = patch.image
    if small < 0.6:  # a warp takes single pixels
        source = cv2.resize(source, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        turn, middle = turn * 2, middle / 2
    turn = turn * scale
    target = scale[:, 0] * (np.asarray([WIDTH / 2, HEIGHT / 2]) + shift)
    matrix = np.concatenate([turn, (target - turn @ middle)[:, None]], 1).astype(np.float32)
    out = cv2.warpAffine(source, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def batches(groups: Groups, batch: int, seed: int) -> loop.Batches:
    """Endless batches of crops.

    Args:
        groups: Folders of samples and the share of patches taken from them.
        batch: Crops a batch.
        seed: Start of the random numbers.
    """
    for folders, _ in groups:
        find_files(folders)
    size = loop.PoolSize(TUNING.first_patches, TUNING.fresh_patches * batch // 64, TUNING.pool_patches)
    return loop.pooled_batches(partial(_fresh, groups), batch_of, batch, size, seed)


def _fresh(groups: Groups, rng: np.random.Generator) -> Iterator[Patch]:
    for sample in draw_samples(groups, rng):
        yield from cut_patches(sample, read_image(sample.path), rng)


def batch_of(chosen: Sequence[Patch], rng: np.random.Generator | None) -> loop.Batch:
    """A batch: `image` uint8 (n, 3, H, W) in channels-last memory, `rank`, `suit`, `is_index`; plain without `rng`."""
    if rng is not None:
        others = [*chosen[1:], *chosen[:1]]
        pairs = zip(chosen, others, strict=True)
        chosen = [
            cover(p, other, rng) if p.suit_below and rng.random() < TUNING.covered_share else p for p, other in pairs
        ]
    images = np.stack([exact_crop(p) if rng is None else spoiled_crop(p, rng) for p in chosen])
    return {
        "image": torch.from_numpy(images).permute(0, 3, 1, 2),
        "rank": torch.tensor([p.rank for p in chosen]),
        "suit": torch.tensor([p.suit for p in chosen]),
        "is_index": torch.tensor([float(p.is_index) for p in chosen]),
    }


def exact_crop(patch: Patch) -> Image:
    """The crop of a patch with exact points, unspoiled."""
    top, left = (PATCH[0] - HEIGHT) // 2, (PATCH[1] - WIDTH) // 2
    return np.ascontiguousarray(patch.image[top : top + HEIGHT, left : left + WIDTH])


def calibrate(net: torch.nn.Module, folders: Sequence[Path], most: int = 400) -> Temperatures:
    """Temperatures that make the probabilities on validation scenes most likely.

    Args:
        net: The trained network.
        folders: Scenes of decks that were not trained on.
        most: Scenes used at most.
    """
    rng = np.random.default_rng(0)
    files = find_files(folders)
    samples = (read_sample(files[i]) for i in rng.permutation(len(files))[:most])
    return best_temperatures(net, (batch_of(cut_patches(s, read_image(s.path), rng), rng) for s in samples))


def temperatures_of(file: Path, folders: Sequence[Path], most: int = 20) -> Temperatures:
    """The temperatures with which a reader's file was exported, found by comparing its outputs with its logits.

    Args:
        file: The ONNX file.
        folders: Any labelled pictures.
        most: Pictures used at most.
    """
    rng = np.random.default_rng(0)
    samples = [read_sample(path) for path in find_files(folders)[:most]]
    crops = np.stack([exact_crop(p) for sample in samples for p in cut_patches(sample, read_image(sample.path), rng)])
    net = ReaderNet()
    restore(Calibrated(net, Temperatures()), file, torch.from_numpy(crops))
    with torch.no_grad():
        raw = net(torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 255).numpy()
    read = Reader(file).run(crops)
    index = read[2] - np.log(-np.expm1(np.minimum(read[2], -1e-6)))

    def slope(logits: Floats, told: Floats) -> float:
        x, y = (part - part.mean(-1, keepdims=True) for part in (told, logits))
        return float((x * y).sum() / max(float((x * x).sum()), 1e-9))

    known = np.abs(index) < 12  # beyond, float32 has no digits left
    return Temperatures(
        rank=slope(raw[:, :RANKS], read[0]),
        suit=slope(raw[:, RANKS:-1], read[1]),
        index=slope(raw[known, -1], index[known]),
    )
