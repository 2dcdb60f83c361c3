"""Training of the counter on strips above the first face-up cards of rendered Klondike tables."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from vision.counter import HEIGHT, MOST, region, strips
from vision.geometry import project
from vision.training import augment, counter_net, loop
from vision.training.data import DataError, find_files, read_image

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

USUAL_HEIGHT: Final = 1.4
"""Of a card, in its width."""
POOL: Final = 6000
LIST_AGAIN: Final = 2000
"""After this many pictures the folders are listed again."""
VIEWS: Final = 3
"""Strips cut of a column each time its picture is decoded."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a rendered table.

    Attributes:
        face: (4, 2) corners of its first face-up card in the photo, px, top left first and clockwise.
        tops: (n, 2) middles of the upper edges of its n face-down cards, px.
    """

    face: Floats
    tops: Floats


def read_columns(path: Path) -> list[Column]:
    """The columns of a scene's label file that show a face-up card; none for a scene that is no Klondike table."""
    scene = json.loads(path.read_text())
    if scene.get("game") != "klondike":
        return []
    columns: dict[str, list[dict[str, Any]]] = {}
    for card in scene["cards"]:
        if card["zone"].startswith("column/"):
            columns.setdefault(card["zone"], []).append(card)
    found = []
    for cards in columns.values():
        down = [card for card in cards if card["card"] is None]
        if len(down) < len(cards) and len(down) <= MOST and all(card["quad"] for card in cards):
            tops = np.array([np.mean(card["quad"][:2], axis=0) for card in down]).reshape(-1, 2)
            found.append(Column(np.array(cards[len(down)]["quad"], float), tops))
    return found


Example = tuple[Image, int, NDArray[np.float32]]
"""A strip, its count and its edges, as `counter_net.loss` wants them."""


def cut(columns: Sequence[Column], image: Image, rng: np.random.Generator | None) -> list[Example]:
    """The strips above the columns' first face-up cards.

    With `rng` each is off as the place found for a card is off, and another camera took it.
    """
    if not columns:
        return []
    quads = np.stack([_quad(column, rng) for column in columns])
    return [
        _example(column, quad, strip, rng)
        for column, quad, strip in zip(columns, quads, strips(image, quads), strict=True)
    ]


def _quad(column: Column, rng: np.random.Generator | None) -> Floats:
    """Corners of a strip in the photo, px."""
    height = USUAL_HEIGHT
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


def _example(column: Column, quad: Floats, strip: Image, rng: np.random.Generator | None) -> Example:
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_strip = np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), flat), float)
    at = project(to_strip, column.tops)[:, 1] * HEIGHT / 2 if len(column.tops) else np.zeros(0)
    rows = np.arange(counter_net.ROWS) + 0.5
    edge = np.exp(-0.5 * ((rows[:, None] - at[None]) / 0.8) ** 2).max(1, initial=0.0)
    if rng is not None:
        if rng.random() < 0.5:
            strip = strip[:, ::-1]
        strip = _other_colours(strip, rng)
        strip = augment.photometric(np.ascontiguousarray(strip), rng, strength=0.8)
    return strip, len(column.tops), edge.astype(np.float32)


def _other_colours(strip: Image, rng: np.random.Generator) -> Image:
    """Half of the strips in colours that no deck has: edges are to be counted, whatever is printed on the backs."""
    if rng.random() < 0.5:
        return strip
    strip = strip[:, :, rng.permutation(3)]
    if rng.random() < 0.4:
        strip = np.where(rng.random(3) < 0.6, 255 - strip, strip)
    return strip


class Strips(IterableDataset[dict[str, torch.Tensor]]):
    """Endless batches of strips from a pool that is renewed all the time.

    Args:
        folders: Folders of scenes, Klondike tables among them.
        batch: Strips a batch.
        seed: Start of the random numbers.
    """

    def __init__(self, folders: Sequence[Path], batch: int, seed: int) -> None:
        self.folders = list(folders)
        self.batch = batch
        self.seed = seed

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = torch.utils.data.get_worker_info()
        if worker:
            cv2.setNumThreads(0)  # each worker is one core's work
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        fresh = self._fresh(rng)
        pool = list(itertools.islice(fresh, 4 * self.batch))
        while True:
            for strip in itertools.islice(fresh, max(1, self.batch // 2)):
                if len(pool) < POOL:
                    pool.append(strip)
                else:
                    pool[rng.integers(POOL)] = strip
            yield batch_of([pool[i] for i in rng.integers(len(pool), size=self.batch)])

    def _fresh(self, rng: np.random.Generator) -> Iterator[Example]:
        known: dict[Path, list[Column]] = {}
        tables: list[Path] = []
        for turn in itertools.count():
            if turn % LIST_AGAIN == 0:  # scenes may still be coming in from a renderer
                new = [path for path in find_files(self.folders) if path not in known]
                known |= {path: read_columns(path) for path in new}
                tables = [path for path, columns in known.items() if columns]
                if not tables:
                    where = ", ".join(map(str, self.folders))
                    raise DataError(
                        f"{where}: no Klondike tables; expected scenes of `python -m vision.synth --game klondike`"
                    )
            path = tables[rng.integers(len(tables))]
            columns = known[path]
            image = read_image(path.with_suffix(".jpg"))
            # Columns that hide nothing are many, and easy.
            views = [column for column in columns for _ in range(VIEWS if len(column.tops) else 1)]
            yield from cut(views, image, rng)


def batch_of(chosen: Sequence[Example]) -> dict[str, torch.Tensor]:
    """A batch: `image` uint8 (n, 3, HEIGHT, WIDTH), `count` (n,), `edge` (n, ROWS)."""
    image, count, edge = (np.stack(part) for part in zip(*chosen, strict=True))
    return {
        "image": torch.from_numpy(image).permute(0, 3, 1, 2),
        "count": torch.from_numpy(count),
        "edge": torch.from_numpy(edge),
    }


def train(
    folders: Sequence[Path],
    out: Path,
    plan: loop.Plan,
    *,
    device: torch.device,
    batch: int = 64,
    workers: int = 0,
    seed: int = 0,
) -> Any:
    """Trains (or goes on training) the counter; returns the averaged network."""
    loader = DataLoader(Strips(folders, batch, seed), batch_size=None, num_workers=workers)

    def step(network: torch.nn.Module, got: dict[str, torch.Tensor]) -> tuple[torch.Tensor, dict[str, float]]:
        moved = {name: value.to(device, non_blocking=True) for name, value in got.items()}
        with loop.autocast(device):
            counts, edges = network(moved["image"].float() / 255)
        return counter_net.loss(counts.float(), edges.float(), moved["count"], moved["edge"])

    return loop.train(counter_net.CounterNet(), loader, step, out, plan, device)


def calibrate(net: torch.nn.Module, folders: Sequence[Path]) -> tuple[float, float]:
    """The temperature that makes the counts of validation tables most likely, and the share of counts it gets right.

    Args:
        net: The trained network.
        folders: Klondike tables of decks that were not trained on.
    """
    rng = np.random.default_rng(0)
    got: list[Example] = []
    for path in find_files(folders):
        columns = [column for column in read_columns(path) if len(column.tops)]
        if columns:
            got += cut(columns, read_image(path.with_suffix(".jpg")), rng)
    if not got:
        raise DataError(f"{', '.join(map(str, folders))}: no Klondike tables to calibrate with")
    net = net.cpu().float().eval()
    with torch.no_grad():
        batches = [batch_of(got[k : k + 64]) for k in range(0, len(got), 64)]
        logits = torch.cat([net(batch["image"].float() / 255)[0] for batch in batches])
    truth = torch.cat([batch["count"] for batch in batches])
    grid = np.exp(np.linspace(np.log(0.5), np.log(4), 85)).tolist()
    best = min(grid, key=lambda t: float(functional.cross_entropy(logits / t, truth)))
    return float(best), float((logits.argmax(1) == truth).float().mean())
