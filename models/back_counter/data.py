"""Strips above the first face-up cards of rendered Klondike tables, for the counter to learn from."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from models.back_counter.net import ROWS, Temperature
from models.back_counter.repaint import cards_of, repaint_backs
from models.train import augment, loop
from models.train.labelled_pictures import DataError, find_files, read_image
from vision.cards.geometry import project
from vision.layout.game_layout import layout_of
from vision.layout.vocabulary import GAMES
from vision.networks.back_counter import ABOVE, BELOW, FARTHEST, HEIGHT, MOST, WIDTH, nearer, region, strips

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

BATCH: Final = 10


@dataclass(frozen=True, slots=True)
class Tuning:
    """How strips are cut from tables; shares are 0 to 1.

    Attributes:
        card_height: Of a card, in card widths.
        pool_tables: Tables from which batches are drawn.
        views: Views of a table each time its picture is decoded.
        pictures_to_list_again: After so many pictures the folders are listed again: a renderer may still be at work.
        repainted_share: Share of tables whose backs are exchanged for ones never seen before: else the network learns
            the backs by heart.
        near_share: Share of tables that are looked at from another distance.
        fits_share: The nearest look shows the tallest column on this share of what lies above the face-up cards.
        most_near: A near look shows things this much larger at most.
        farther_share: The farthest look shows things so many times as large as the nearest, and no larger than usual.
    """

    card_height: float = 1.4
    pool_tables: int = 600
    views: int = 3
    pictures_to_list_again: int = 2000
    repainted_share: float = 0.7
    near_share: float = 0.65
    fits_share: float = 0.95
    most_near: float = 5.0
    farther_share: float = 0.7


TUNING: Final = Tuning()


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a rendered table, turned so that it runs downwards.

    Attributes:
        face: (4, 2) corners in the photo, px, of an upright card at its first face-up one: top left first, clockwise,
            the upper edge where the column's backs end.
        tops: (n, 2) middles of the upper edges of its n face-down cards, px.
    """

    face: Floats
    tops: Floats


def read_columns(path: Path) -> list[Column]:
    """The columns of a scene that show a face-up card; an empty list if the game hides no cards in columns."""
    scene = json.loads(path.read_text())
    if scene.get("game") not in GAMES or not layout_of(scene["game"]).columns:
        return []
    columns: dict[str, list[dict[str, Any]]] = {}
    for card in scene["cards"]:
        if card["zone"].startswith("column/"):
            columns.setdefault(card["zone"], []).append(card)
    found = []
    for cards in columns.values():
        down = [card for card in cards if card["card"] is None]
        if len(down) < len(cards) and len(down) <= MOST and all(card["quad"] for card in cards):
            quads = np.array([card["quad"] for card in cards], float)
            found.append(_turn_downwards(quads[: len(down)], quads[len(down)]))
    return found


def _turn_downwards(backs: Floats, face: Floats) -> Column:
    """The column of face-down cards (n, 4, 2) and the face-up one (4, 2) on them: some columns run to a side.

    >>> face = np.array([[20, 0], [30, 0], [30, 14], [20, 14]], float)
    >>> column = _turn_downwards(face[None] - (8, 0), face)
    >>> column.face.round().tolist(), column.tops.round().tolist()
    ([[20.0, 12.0], [20.0, 2.0], [34.0, 2.0], [34.0, 12.0]], [[12.0, 7.0]])
    """
    wide, high = 0.5, TUNING.card_height / 2
    card = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]])
    to_card = np.asarray(cv2.getPerspectiveTransform(face.astype(np.float32), card.astype(np.float32)), float)
    lie = project(to_card, backs.reshape(-1, 2)).reshape(-1, 4, 2)
    x, y = lie.mean((0, 1)) if len(backs) else (0.0, -1.0)
    up = np.array([np.sign(x), 0.0] if abs(x) > abs(y) else [0.0, np.sign(y)])
    right = np.array([-up[1], up[0]])
    edge = up * (wide if up[0] else high)
    upright = edge + np.outer(card[:, 0], right) - np.outer(card[:, 1] + high, up)
    ends = np.take_along_axis(lie, np.argsort(-(lie @ up), axis=1)[:, :2, None], axis=1).mean(1)
    from_card = np.linalg.inv(to_card)
    return Column(project(from_card, upright), project(from_card, ends) if len(backs) else np.zeros((0, 2)))


Example = tuple[Image, int, NDArray[np.float32]]
"""A strip, its count and its edges, as the counter's `loss` wants them."""


def cut_examples(columns: Sequence[Column], image: Image, rng: np.random.Generator | None) -> list[Example]:
    """The strips above the first face-up cards of a table's columns.

    With `rng` each is off as the place found for a card is off, another camera took the picture, the table is mirrored
    now and then, and its backs have other colours.
    """
    if not columns:
        return []
    quads = np.stack([perturbed_quad(column, rng) for column in columns])
    if rng is not None and rng.random() < TUNING.near_share:
        fits = TUNING.fits_share / _reach(columns, quads)
        least, most = np.clip([TUNING.farther_share * fits, fits], FARTHEST, (1.0, TUNING.most_near))
        quads = nearer(quads, float(np.exp(rng.uniform(np.log(least), np.log(most)))))
    cut_out = strips(image, quads)
    if rng is not None:
        side_by_side = np.ascontiguousarray(cut_out.transpose(1, 0, 2, 3).reshape(HEIGHT, -1, 3))
        side_by_side = augment.photometric(_other_colours(side_by_side, rng), rng, strength=0.8)
        cut_out = side_by_side.reshape(HEIGHT, len(quads), WIDTH, 3).transpose(1, 0, 2, 3)
        if rng.random() < 0.5:
            cut_out = cut_out[:, :, ::-1]
    return [
        (strip, len(column.tops), _edge_targets(column, quad))
        for column, quad, strip in zip(columns, quads, cut_out, strict=True)
    ]


def _reach(columns: Sequence[Column], quads: Floats) -> float:
    """Height of the tallest column, as a share of what its strip (n, 4, 2) shows above the face-up card."""
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    face, reach = ABOVE / (ABOVE + BELOW), 0.02
    for column, quad in zip(columns, quads, strict=True):
        if len(column.tops):
            to_strip = np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), flat), float)
            reach = max(reach, float(face - project(to_strip, column.tops)[:, 1].min()) / face)
    return reach


def perturbed_quad(column: Column, rng: np.random.Generator | None) -> Floats:
    """Corners (4, 2) of a column's strip in the photo, px; with `rng` as far off as a parser may cut it."""
    height = TUNING.card_height
    wanted = region()
    if rng is not None:
        height *= float(np.exp(rng.normal(0, 0.03)))
        rough = rng.choice([0.5, 1.0, 1.8])
        turn, size = rng.normal(0, 0.02) * rough, np.exp(rng.normal(0, 0.05, 2) * rough)
        about = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        wanted = wanted * size @ about.T + rng.normal(0, 0.05, 2) * rough
        wanted += rng.normal(0, 0.02, (4, 2)) * rough
    card = np.array([[-0.5, 0], [0.5, 0], [0.5, height], [-0.5, height]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(card, column.face.astype(np.float32)), float)
    return project(matrix, wanted)


def _edge_targets(column: Column, quad: Floats) -> NDArray[np.float32]:
    """What `edge` should be, (ROWS,): near 1 in rows where the upper edge of a face-down card lies."""
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_strip = np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), flat), float)
    at = project(to_strip, column.tops)[:, 1] * ROWS if len(column.tops) else np.zeros(0)
    rows = np.arange(ROWS) + 0.5
    near = np.exp(-0.5 * ((rows[:, None] - at[None]) / 0.8) ** 2)
    return np.asarray(near.max(1, initial=0.0), np.float32)


def _other_colours(image: Image, rng: np.random.Generator) -> Image:
    """The picture, or in half of the cases the same in colours that no deck has: edges count, not what is printed."""
    if rng.random() < 0.5:
        return image
    image = image[:, :, rng.permutation(3)]
    if rng.random() < 0.4:
        image = np.where(rng.random(3) < 0.6, 255 - image, image)
    return np.ascontiguousarray(image)


def batches(folders: Sequence[Path], batch: int, seed: int) -> loop.Batches:
    """Endless batches of Klondike tables from folders of scenes; `seed` starts the random numbers."""
    renewed = max(1, batch // 2)
    size = loop.PoolSize(4 * batch + renewed, renewed, TUNING.pool_tables)
    return loop.pooled_batches(partial(_fresh, list(folders)), batch_of, batch, size, seed)


def _fresh(folders: Sequence[Path], rng: np.random.Generator) -> Iterator[list[Example]]:
    known: dict[Path, list[Column]] = {}
    tables: list[Path] = []
    for turn in itertools.count():
        if turn % TUNING.pictures_to_list_again == 0:
            new = [path for path in find_files(folders) if path not in known]
            known |= {path: read_columns(path) for path in new}
            tables = [path for path, columns in known.items() if any(len(column.tops) for column in columns)]
            if not tables:
                where = ", ".join(map(str, folders))
                raise DataError(f"{where}: no Klondike tables; expected scenes of `python -m datasets --game klondike`")
        path = tables[rng.integers(len(tables))]
        image = read_image(path.with_suffix(".jpg"))
        if rng.random() < TUNING.repainted_share:
            image = repaint_backs(image, cards_of(json.loads(path.read_text())), rng)
        for _ in range(TUNING.views):
            yield cut_examples(_choose_columns(known[path], rng), image, rng)


def _choose_columns(columns: Sequence[Column], rng: np.random.Generator) -> Sequence[Column]:
    """All columns of a table, or in three of ten cases only some, as if the photo showed a part of it."""
    if rng.random() < 0.7:
        return columns
    chosen = rng.permutation(len(columns))[: rng.integers(1, len(columns) + 1)]
    return [columns[k] for k in sorted(chosen)]


def batch_of(tables: Sequence[Sequence[Example]], _: np.random.Generator | None = None) -> loop.Batch:
    """A batch of n strips: `image` uint8 (n, 3, HEIGHT, WIDTH), `count` (n,), `edge` (n, ROWS), `table` (n,)."""
    image, count, edge = (np.stack(part) for part in zip(*itertools.chain(*tables), strict=True))
    return {
        "image": torch.from_numpy(image).permute(0, 3, 1, 2),
        "count": torch.from_numpy(count),
        "edge": torch.from_numpy(edge),
        "table": torch.from_numpy(np.repeat(np.arange(len(tables)), [len(table) for table in tables])),
    }


def calibrate(net: torch.nn.Module, folders: Sequence[Path]) -> Temperature:
    """The temperature that makes the counts of validation tables most likely.

    Args:
        net: The trained network.
        folders: Klondike tables of decks that were not trained on.
    """
    rng = np.random.default_rng(0)
    got: list[list[Example]] = []
    for path in find_files(folders):
        columns = read_columns(path)
        if any(len(column.tops) for column in columns):
            got.append(cut_examples(columns, read_image(path.with_suffix(".jpg")), rng))
    if not got:
        raise DataError(f"{', '.join(map(str, folders))}: no Klondike tables to calibrate with")
    net = net.cpu().float().eval()
    with torch.no_grad():
        logits = torch.cat([net(batch_of([table])["image"].float() / 255)[0] for table in got])
    truth = torch.tensor([count for table in got for _, count, _ in table])
    hides = truth > 0
    logits, truth = logits[hides], truth[hides]
    best = loop.best_temperature(lambda heat: functional.cross_entropy(logits / heat, truth))
    return Temperature(best, float((logits.argmax(1) == truth).float().mean()))
