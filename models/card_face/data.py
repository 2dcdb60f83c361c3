"""Straightened cards of rendered scenes, and what is none, for the reader of faces to learn from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.train import augment, loop
from models.train.labelled_pictures import find_files, read_image
from models.train.layers import Temperatures, best_temperatures
from solver.cards import parse_card
from vision.networks.card_face import HEIGHT, WIDTH, cut_faces

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

BATCH: Final = 128


@dataclass(frozen=True, slots=True)
class Tuning:
    """How pictures of faces are made of scenes; shares are 0 to 1.

    Attributes:
        pool_faces: Faces from which batches are drawn.
        first_faces: Faces in the pool before the first batch.
        fresh_faces: Faces that enter the pool for each 64 used.
        views: Views of a scene each time its picture is decoded.
        negative_share: Share of pictures that show no face, or a face where it does not lie.
        least_seen: A card of which a smaller share is seen is not shown.
        forgotten_share: Share of cards whose covers the parser has missed.
        coarser_share: Share of pictures that lose resolution.
    """

    pool_faces: int = 16_000
    first_faces: int = 1_500
    fresh_faces: int = 32
    views: int = 2
    negative_share: float = 0.25
    least_seen: float = 0.12
    forgotten_share: float = 0.06
    coarser_share: float = 0.4


TUNING: Final = Tuning()


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The cards of a rendered scene in the order in which they were laid.

    Attributes:
        quads: (n, 4, 2) corners, px.
        cards: (n,) 0 to 51, -1 for a card that shows its back or a joker.
        visible: (n,) share of each that is seen.
    """

    quads: Floats
    cards: NDArray[np.int64]
    visible: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A straightened card, uint8 (HEIGHT, WIDTH, 4), and what it shows; -1 for none."""

    picture: Image
    rank: int
    suit: int
    is_face: bool


def read_scene(path: Path) -> Scene:
    """The cards of a scene's label file that lie in the picture."""
    rows = [card for card in json.loads(path.read_text())["cards"] if card["quad"]]
    known = [-1 if (card := parse_card(row["card"]) if row["card"] else None) is None else card.index for row in rows]
    quads = np.array([row["quad"] for row in rows], float).reshape(-1, 4, 2)
    return Scene(quads, np.array(known, np.int64), np.array([row["visible"] for row in rows], float))


def cut_examples(scene: Scene, image: Image, rng: np.random.Generator) -> list[Face]:
    """The faces of a scene, cut as inexactly as a parser cuts them, and pictures that show no face."""
    shown = np.flatnonzero((scene.cards >= 0) & (scene.visible >= TUNING.least_seen))
    turned, above = _inexact_quads(scene, shown, rng)
    labels = [(int(scene.cards[i]) % 13, int(scene.cards[i]) // 13, True) for i in shown]
    for _ in range(round(len(shown) * TUNING.negative_share / (1 - TUNING.negative_share))):
        turned.append(_wrong_quad(scene, image, rng))
        above.append(np.zeros((0, 4, 2)))
        labels.append((-1, -1, False))
    if not turned:
        return []
    pictures = cut_faces(image, np.array(turned), above)
    for i in range(len(shown), len(pictures)):  # what is none may be covered as faces are
        if len(shown) and rng.random() < 0.5:
            pictures[i] *= pictures[rng.integers(len(shown)), ..., 3:] > 0
    seen = pictures[..., 3].reshape(len(pictures), -1).mean(1) / 255 > TUNING.least_seen / 2
    return [Face(p, *label) for p, label, good in zip(pictures, labels, seen, strict=True) if good]


def _inexact_quads(
    scene: Scene, shown: NDArray[np.intp], rng: np.random.Generator
) -> tuple[list[Floats], list[Floats]]:
    """Corners of the shown cards, either end up, and of the cards on each, all as far off as a parser's."""
    covers = _covers(scene.quads)
    rough = float(rng.choice([0.5, 1.0, 2.0], p=[0.4, 0.4, 0.2]))
    quads = np.array([perturb(quad, rng, rough) for quad in scene.quads]).reshape(-1, 4, 2)
    turned = [np.roll(quads[i], 2, axis=0) if rng.random() < 0.5 else quads[i] for i in shown]
    above = [quads[[j for j in covers[i] if rng.random() >= TUNING.forgotten_share]].reshape(-1, 4, 2) for i in shown]
    return turned, above


def _covers(quads: Floats) -> list[list[int]]:
    """For each card the numbers of the later ones whose boxes overlap its own."""
    low, high = quads.min(1), quads.max(1)
    meet = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(-1)
    return [[j for j in range(i + 1, len(quads)) if meet[i, j]] for i in range(len(quads))]


def perturb(quad: Floats, rng: np.random.Generator, rough: float) -> Floats:
    """The corners (4, 2), moved as far as a parser errs."""
    middle = quad.mean(0)
    right, down = quad[1] - quad[0], quad[3] - quad[0]
    turn, size = rng.normal(0, 0.012) * rough, np.exp(rng.normal(0, 0.03, 2) * rough)
    x, y = np.array([-0.5, 0.5, 0.5, -0.5]), np.array([-0.5, -0.5, 0.5, 0.5])
    change = np.outer(x * (size[0] - 1), right) + np.outer(y * (size[1] - 1), down)
    cos, sin = np.cos(turn), np.sin(turn)
    bent = (quad + change - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    width = float(np.hypot(*right))
    return np.asarray(bent + (rng.normal(0, 0.025, 2) + rng.normal(0, 0.008, (4, 2))) * width * rough)


def _wrong_quad(scene: Scene, image: Image, rng: np.random.Generator) -> Floats:
    """Corners (4, 2) that do not fit a face: beside a card, turned, too large or small, on a back, or anywhere."""
    backs = np.flatnonzero((scene.cards < 0) & (scene.visible > 0.5))
    if len(backs) and rng.random() < 0.25:
        return perturb(scene.quads[rng.choice(backs)], rng, 1.0)
    if not len(scene.quads):
        middle, side = rng.uniform(0, 1, 2) * image.shape[1::-1], rng.uniform(40, 120)
        return np.asarray(middle + np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * side / 2)
    quad = perturb(scene.quads[rng.integers(len(scene.quads))], rng, 1.0)
    middle, right, down = quad.mean(0), quad[1] - quad[0], quad[3] - quad[0]
    kind = rng.random()
    if kind < 0.5:  # moved
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.22, 1.0)
        return np.asarray(quad + far * (np.cos(angle) * right + np.sin(angle) * down))
    if kind < 0.75:  # turned
        angle = rng.choice([-1, 1]) * rng.uniform(0.3, np.pi / 2)
        cos, sin = np.cos(angle), np.sin(angle)
        return np.asarray((quad - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle)
    if kind < 0.9:  # too large or too small
        return np.asarray((quad - middle) * rng.choice([0.55, 0.65, 1.45, 1.7]) + middle)
    return np.asarray(quad - middle + rng.uniform(0, 1, 2) * image.shape[1::-1])


def spoil(face: Face, rng: np.random.Generator) -> Image:
    """A face as another camera would show it, uint8 (HEIGHT, WIDTH, 4)."""
    rgb, seen = face.picture[..., :3], face.picture[..., 3]
    out: Image = np.ascontiguousarray(rgb)
    if rng.random() < TUNING.coarser_share:
        factor = float(np.exp(rng.uniform(np.log(0.25), 0)))
        small = cv2.resize(out, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        out = np.asarray(cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.2:
        out = augment.ink(out, rng)
    if rng.random() < augment.BLACK_PAPER:
        out = augment.negative(out)
    out = augment.photometric(out, rng, strength=0.5)
    return np.dstack([out * (seen > 0)[..., None], seen])


def batches(folders: Sequence[Path], batch: int, seed: int) -> loop.Batches:
    """Endless batches of faces from folders of scenes; `seed` starts the random numbers."""
    size = loop.PoolSize(TUNING.first_faces, TUNING.fresh_faces * batch // 64, TUNING.pool_faces)
    return loop.pooled_batches(partial(_fresh, list(folders)), batch_of, batch, size, seed)


def _fresh(folders: Sequence[Path], rng: np.random.Generator) -> Iterator[Face]:
    files = find_files(folders)
    while True:
        path = files[rng.integers(len(files))]
        scene, image = read_scene(path), read_image(path.with_suffix(".jpg"))
        for _ in range(TUNING.views):
            yield from cut_examples(scene, image, rng)


def batch_of(chosen: Sequence[Face], rng: np.random.Generator | None) -> loop.Batch:
    """A batch: `image` uint8 (n, 4, HEIGHT, WIDTH) in channels-last memory, `rank`, `suit`; `is_index` means a face."""
    pictures = np.stack([face.picture if rng is None else spoil(face, rng) for face in chosen])
    return {
        "image": torch.from_numpy(pictures).permute(0, 3, 1, 2),
        "rank": torch.tensor([face.rank for face in chosen]),
        "suit": torch.tensor([face.suit for face in chosen]),
        "is_index": torch.tensor([float(face.is_face) for face in chosen]),
    }


def calibrate(net: torch.nn.Module, folders: Sequence[Path]) -> Temperatures:
    """Temperatures that make the probabilities on validation scenes most likely.

    Args:
        net: The trained network.
        folders: Scenes of decks that were not trained on.
    """
    rng = np.random.default_rng(0)
    cuts = (cut_examples(read_scene(path), read_image(path.with_suffix(".jpg")), rng) for path in find_files(folders))
    return best_temperatures(net, (batch_of(got, None) for got in cuts if got))
