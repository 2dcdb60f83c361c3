"""Training of the reader of faces on straightened cards of rendered scenes, and on what is none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.card_face import net as face_net
from models.index_reader import net as reader_net
from models.train import augment, loop
from models.train.pictures import find_files, read_image
from solver.cards import parse_card
from vision.networks.card_face import HEIGHT, WIDTH, cut_faces

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

BATCH: Final = 128
POOL: Final = 16_000
FIRST_FILL: Final = 1_500
"""Faces in the pool before the first batch."""
FRESH: Final = 32
"""Faces that enter the pool for each 64 used."""
VIEWS: Final = 2
"""Views of a scene each time its picture is decoded."""
NEGATIVES: Final = 0.25
"""Share of pictures that show no face, or a face where it does not lie."""
LEAST_SEEN: Final = 0.12
"""A card of which less is seen is not shown."""
FORGOTTEN: Final = 0.06
"""Share of cards whose covers the parser has missed."""
COARSER: Final = 0.4
"""Share of pictures that lose resolution."""


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


def cut(scene: Scene, image: Image, rng: np.random.Generator) -> list[Face]:
    """The faces of a scene as a parser may cut them, and negatives beside them."""
    shown = np.flatnonzero((scene.cards >= 0) & (scene.visible >= LEAST_SEEN))
    covers = _covers(scene.quads)
    rough = float(rng.choice([0.5, 1.0, 2.0], p=[0.4, 0.4, 0.2]))
    quads = np.array([perturbed(quad, rng, rough) for quad in scene.quads]).reshape(-1, 4, 2)
    turned = [np.roll(quads[i], 2, axis=0) if rng.random() < 0.5 else quads[i] for i in shown]
    above = [quads[[j for j in covers[i] if rng.random() >= FORGOTTEN]].reshape(-1, 4, 2) for i in shown]
    labels = [(int(scene.cards[i]) % 13, int(scene.cards[i]) // 13, True) for i in shown]
    for _ in range(round(len(shown) * NEGATIVES / (1 - NEGATIVES))):
        turned.append(_wrong_quad(scene, image, rng))
        above.append(np.zeros((0, 4, 2)))
        labels.append((-1, -1, False))
    if not turned:
        return []
    pictures = cut_faces(image, np.array(turned), above)
    for i in range(len(shown), len(pictures)):  # what is none may be covered as faces are
        if len(shown) and rng.random() < 0.5:
            pictures[i] *= pictures[rng.integers(len(shown)), ..., 3:] > 0
    seen = pictures[..., 3].reshape(len(pictures), -1).mean(1) / 255 > LEAST_SEEN / 2
    return [Face(p, *label) for p, label, good in zip(pictures, labels, seen, strict=True) if good]


def _covers(quads: Floats) -> list[list[int]]:
    """The later cards whose boxes meet each card's."""
    low, high = quads.min(1), quads.max(1)
    meet = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(-1)
    return [[j for j in range(i + 1, len(quads)) if meet[i, j]] for i in range(len(quads))]


def perturbed(quad: Floats, rng: np.random.Generator, rough: float) -> Floats:
    """Corners (4, 2) as far off as a parser may take them."""
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
    """Corners (4, 2) where no face lies so: beside a card, turned, too large or small, of a back, anywhere."""
    backs = np.flatnonzero((scene.cards < 0) & (scene.visible > 0.5))
    if len(backs) and rng.random() < 0.25:
        return perturbed(scene.quads[rng.choice(backs)], rng, 1.0)
    if not len(scene.quads):
        middle, side = rng.uniform(0, 1, 2) * image.shape[1::-1], rng.uniform(40, 120)
        return np.asarray(middle + np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]]) * side / 2)
    quad = perturbed(scene.quads[rng.integers(len(scene.quads))], rng, 1.0)
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


def changed(face: Face, rng: np.random.Generator) -> Image:
    """A face as another camera would show it, uint8 (HEIGHT, WIDTH, 4)."""
    rgb, seen = face.picture[..., :3], face.picture[..., 3]
    out: Image = np.ascontiguousarray(rgb)
    if rng.random() < COARSER:
        factor = float(np.exp(rng.uniform(np.log(0.25), 0)))
        small = cv2.resize(out, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        out = np.asarray(cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.2:
        out = augment.ink(out, rng)
    if rng.random() < augment.BLACK_PAPER:
        out = augment.negative(out)
    out = augment.photometric(out, rng, strength=0.5)
    return np.dstack([out * (seen > 0)[..., None], seen])


def batches(folders: Sequence[Path], batch: int, seed: int) -> loop.PooledBatches[Face]:
    """Endless batches of faces from folders of scenes; `seed` starts the random numbers."""
    fresh = partial(_fresh, list(folders))
    return loop.PooledBatches(fresh, batch_of, batch, seed, FIRST_FILL, FRESH * batch // 64, POOL)


def _fresh(folders: Sequence[Path], rng: np.random.Generator) -> Iterator[Face]:
    files = find_files(folders)
    while True:
        path = files[rng.integers(len(files))]
        scene, image = read_scene(path), read_image(path.with_suffix(".jpg"))
        for _ in range(VIEWS):
            yield from cut(scene, image, rng)


def batch_of(chosen: Sequence[Face], rng: np.random.Generator | None) -> loop.Batch:
    """A batch: `image` uint8 (n, 4, HEIGHT, WIDTH) in channels-last memory, `rank`, `suit`; `is_index` means a face."""
    pictures = np.stack([face.picture if rng is None else changed(face, rng) for face in chosen])
    return {
        "image": torch.from_numpy(pictures).permute(0, 3, 1, 2),
        "rank": torch.tensor([face.rank for face in chosen]),
        "suit": torch.tensor([face.suit for face in chosen]),
        "is_index": torch.tensor([float(face.is_face) for face in chosen]),
    }


def fit(loader: Iterable[loop.Batch], out: Path, plan: loop.Plan, device: torch.device) -> Any:
    """Trains (or goes on training) the reader of faces; returns the averaged network."""
    return reader_net.fit(face_net.FaceNet(), loader, out, plan, device)


def calibrate(net: torch.nn.Module, folders: Sequence[Path]) -> reader_net.Temperatures:
    """Temperatures that make the probabilities on validation scenes most likely.

    Args:
        net: The trained network.
        folders: Scenes of decks that were not trained on.
    """
    rng = np.random.default_rng(0)
    cuts = (cut(read_scene(path), read_image(path.with_suffix(".jpg")), rng) for path in find_files(folders))
    return reader_net.calibrate(net, (batch_of(got, None) for got in cuts if got))
