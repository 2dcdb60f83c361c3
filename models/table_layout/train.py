"""Training of the layout network on tables that are laid and seen without a picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from datasets.layouts import Part
from models.table_layout import net as layout_net
from models.table_layout.data import ASIDE, Example, examples
from models.train import loop
from plumbing.errors import CardsError
from vision.layout.tokens import WIDTH
from vision.layout.vocabulary import CARDS, CLASSES, GAMES, ZONES

NEAR: Final = 4.0
"""Only tokens nearer than this, in card widths, may follow each other."""
POOL: Final = 8
"""So many batches of tables are sorted by size, so that a batch holds tables of about one size."""

Batch = dict[str, Any]


class Tables(IterableDataset[Batch]):
    """Endless batches; each worker has a seed of its own."""

    def __init__(self, seed: int, batch: int) -> None:
        self.seed, self.batch = seed, batch

    def __iter__(self) -> Iterator[Batch]:
        worker = torch.utils.data.get_worker_info()
        seed = self.seed + 7919 * (worker.id if worker else 0)
        source = examples(seed, "train")
        rng = np.random.default_rng(seed)
        while True:
            pool = sorted((next(source) for _ in range(POOL * self.batch)), key=lambda e: len(e.tokens.xy))
            for k in rng.permutation(POOL):
                yield collate(pool[k * self.batch : (k + 1) * self.batch])


def collate(tables: Sequence[Example]) -> Batch:
    """Tables side by side, the smaller ones filled up."""
    b, n = len(tables), max(len(t.tokens.xy) for t in tables)
    rows, mask = np.zeros((b, n, WIDTH), np.float32), np.zeros((b, n), np.float32)
    zone, count, after = (np.full((b, n), ASIDE, np.int64) for _ in range(3))
    for k, table in enumerate(tables):
        m = len(table.tokens.xy)
        rows[k, :m], mask[k, :m] = table.tokens.rows(), 1
        zone[k, :m], count[k, :m], after[k, :m] = table.zone, table.count, table.after
    return {
        "rows": torch.from_numpy(rows),
        "mask": torch.from_numpy(mask),
        "zone": torch.from_numpy(zone),
        "count": torch.from_numpy(count),
        "after": torch.from_numpy(after),
        "game": torch.tensor([t.game for t in tables]),
        "toward": torch.tensor([t.toward for t in tables]),
    }


def to_device(batch: Batch, device: Any) -> Batch:
    """The batch where the network computes."""
    return {name: part.to(device, non_blocking=True) for name, part in batch.items()}


def loss(model: Any, batch: Batch) -> tuple[Any, dict[str, float]]:
    """The sum of all heads' losses, and each."""
    game, toward, zone, count, link = (part.float() for part in model(batch["rows"], batch["mask"]))
    known = batch["game"] < len(GAMES)
    losses = {"game": functional.cross_entropy(game, batch["game"])}
    losses["toward"] = _mean(functional.cross_entropy(toward, batch["toward"], reduction="none"), known)
    total, first = zone.new_zeros(()), 0
    for number, name in enumerate(GAMES):
        own = batch["game"] == number
        logits = zone[own][..., first : first + len(ZONES[name])]
        truth = batch["zone"][own]
        if own.any():
            part = functional.cross_entropy(logits.flatten(0, 1), truth.flatten(), ignore_index=ASIDE, reduction="none")
            total = total + part.sum()
        first += len(ZONES[name])
    losses["zone"] = total / (batch["zone"] >= 0).sum().clamp(min=1)
    counted = batch["count"] >= 0
    losses["count"] = _mean(
        functional.cross_entropy(count.flatten(0, 1), batch["count"].flatten().clamp(min=0), reduction="none"),
        counted.flatten(),
    )
    losses["link"] = _link_loss(link, batch, known)
    weight = {"game": 0.6, "toward": 0.3, "zone": 1.5, "count": 0.6, "link": 3.0}
    total = sum(weight[name] * part for name, part in losses.items())
    return total, {name: float(part.detach()) for name, part in losses.items()}


def _mean(values: Any, which: Any) -> Any:
    return (values * which).sum() / which.sum().clamp(min=1)


def _link_loss(link: Any, batch: Batch, known: Any) -> Any:
    rows, mask = batch["rows"], batch["mask"]
    xy, face = rows[..., :2], rows[..., 4] * mask * known[:, None]
    near = (torch.cdist(xy, xy) < NEAR) & (face[:, :, None] * face[:, None] > 0.5)
    near = near & ~torch.eye(xy.shape[1], dtype=torch.bool, device=xy.device)
    truth = torch.zeros_like(link)
    at = torch.nonzero(batch["after"] >= 0)
    to = batch["after"][at[:, 0], at[:, 1]]
    truth[at[:, 0], at[:, 1], to] = 1
    truth = torch.maximum(truth, truth.transpose(1, 2))  # in a meld nobody can tell which comes first
    both = link + link.transpose(1, 2)
    return _mean(functional.binary_cross_entropy_with_logits(both, truth, reduction="none"), near.float())


def train(out: Path, plan: loop.Plan, *, batch: int, device: torch.device, workers: int, seed: int) -> Any:
    """Trains, or goes on training, in `out`; returns the averaged network."""
    if plan.starts(out) is not None:
        raise CardsError("the layout network is trained from nothing, which takes an hour; leave --start away")
    model = layout_net.LayoutNet()
    data = DataLoader(Tables(seed, batch), batch_size=None, num_workers=workers)
    batches = (to_device(part, device) for part in data)

    def step(net: Any, part: Batch) -> tuple[Any, dict[str, float]]:
        with loop.autocast(device):
            return loss(net, part)

    return loop.train(model, batches, step, out, plan, device)


def measure(model: Any, part: Part, count: int, seed: int = 1) -> dict[str, float]:
    """Shares of tables whose game, zones of all cards, and counts come out right, by game and by family."""
    model.eval()
    right: dict[str, list[float]] = defaultdict(list)
    source = examples(seed, part)
    for _ in range(count):
        table = next(source)
        batch = collate([table])
        with torch.no_grad():
            game, toward, zone, counts, _ = model(batch["rows"], batch["mask"])
        told = int(game[0].argmax()) == table.game
        names = [CLASSES[table.game], table.family]
        for name in names:
            right[f"{name}: game"].append(told)
        if CLASSES[table.game] == CARDS:
            continue
        first = sum(len(ZONES[name]) for name in GAMES[: table.game])
        guess = zone[0, :, first : first + len(ZONES[GAMES[table.game]])].argmax(-1).numpy()
        counted = table.count >= 0
        fits = bool((counts[0].argmax(-1).numpy()[counted] == table.count[counted]).all())
        hit = (guess == table.zone)[(table.zone >= 0) & (table.tokens.is_face > 0.5)]
        for name in names:
            right[f"{name}: zone"].append(float(hit.mean()) if len(hit) else 1.0)
            right[f"{name}: all zones"].append(bool(hit.all()))
            right[f"{name}: toward"].append(int(toward[0].argmax()) == table.toward)
            if counted.any():
                right[f"{name}: counts"].append(fits)
    return {name: float(np.mean(values)) for name, values in sorted(right.items())}
