"""One training loop for all networks: resumable, safe to interrupt, the same on CPU and GPU.

The learning rate warms up, stays, and falls only in a last stage (`decay`), so that a training can be cut into stages
of any length and go on for as long as there is time; a moving average of the weights is what gets used.
"""

from __future__ import annotations

import copy
import json
import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Final, TypeVar

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import IterableDataset
from tqdm import tqdm

from models.train.onnx_files import pictures_of, restore
from plumbing.errors import CardsError
from plumbing.files import whole_file

CHECKPOINT: Final = "checkpoint.pt"
LOG: Final = "log.jsonl"

Item = TypeVar("Item")
Batch = dict[str, torch.Tensor]
Step = Callable[[Any, Any], tuple[Any, dict[str, float]]]
"""The loss of a network on a batch that is on its device, and the parts of that loss by name."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How every network is trained.

    Attributes:
        save_seconds: A checkpoint is written this often.
        log_seconds: A row is added to the log this often.
        weight_decay: AdamW's, on weights that are matrices or kernels.
        largest_gradient: Gradients with a larger norm are scaled down to it.
        averaged_steps: Longest memory of the moving average of the weights; a tenth of the steps made, before that.
        remembered_batches: So many batches are kept to be learned again, where that is wanted.
    """

    save_seconds: float = 120.0
    log_seconds: float = 20.0
    weight_decay: float = 0.02
    largest_gradient: float = 10.0
    averaged_steps: float = 2000.0
    remembered_batches: int = 64


TUNING: Final = Tuning()


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What the loop must know of one network.

    Attributes:
        build: Makes the untrained network.
        step_of: Makes the loss of a network that lies on its device.
        exported: Wraps the network as it is exported; None for one that cannot start from an exported file.
        as_exported: Turns what a batch holds under `takes`, by default uint8 pictures (n, 3, H, W), into what the
            exported network takes.
        pictures_to_start: Pictures that tell the statistics of weights from a file.
        not_exported: Layers that serve training alone.
        takes: What of a batch the network looks at.
    """

    build: Callable[[], Any]
    step_of: Callable[[Any], Step]
    exported: Callable[[Any], nn.Module] | None = None
    as_exported: Callable[[torch.Tensor], torch.Tensor] = lambda pictures: pictures.permute(0, 2, 3, 1)
    pictures_to_start: int = 1024
    not_exported: tuple[str, ...] = ()
    takes: str = "image"


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to train.

    Attributes:
        minutes: Wall-clock time of this stage; 0 trains nothing and gives the checkpoint's average.
        decay: Whether the learning rate falls to zero over this stage (the last one).
        rate: Learning rate of AdamW after the warm-up.
        warmup: Steps of warm-up, counted over all stages.
        start: An exported file whose weights a run without a checkpoint starts from; None for random ones.
        times: How often each batch is learned: more than once where making batches takes longer than learning them.
    """

    minutes: float
    decay: bool = False
    rate: float = 1e-3
    warmup: int = 200
    start: Path | None = None
    times: int = 1

    def starts(self, out: Path) -> Path | None:
        """The file that a run in `out` takes its first weights from: None where it has a checkpoint."""
        return None if (out / CHECKPOINT).is_file() else self.start

    def rate_at(self, steps: int, share: float) -> float:
        """The learning rate after so many steps over all stages, and this share of the stage.

        >>> Plan(1.0, decay=True, rate=0.5).rate_at(99, 0.2)
        0.2
        """
        return self.rate * min(1.0, (steps + 1) / self.warmup) * (max(1 - share, 0.01) if self.decay else 1.0)


def device_of(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU if there is one, else the CPU."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(name)


def worker_rng(seed: int) -> np.random.Generator:
    """The random generator of this worker process, whose OpenCV is limited to one thread."""
    worker = torch.utils.data.get_worker_info()
    if worker:
        cv2.setNumThreads(0)
    return np.random.default_rng([seed, worker.id if worker else 0])


@dataclass(frozen=True, slots=True, eq=False)
class Batches(IterableDataset[Batch]):
    """Endless batches; each worker process has its own.

    Attributes:
        stream: Makes batches with a random generator.
        seed: Start of the random numbers.
    """

    stream: Callable[[np.random.Generator], Iterator[Batch]]
    seed: int

    def __iter__(self) -> Iterator[Batch]:
        return self.stream(worker_rng(self.seed))


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Sizes of a pool of items from which batches are drawn, and which is renewed all the time.

    Attributes:
        first: Items in the pool before the first batch.
        renewed: Items that enter the pool for each batch.
        most: Items that the pool holds; once it is full, a fresh one takes the place of another.
    """

    first: int
    renewed: int
    most: int


def pooled_batches(
    fresh: Callable[[np.random.Generator], Iterator[Item]],
    batch_of: Callable[[list[Item], np.random.Generator], Batch],
    batch: int,
    size: PoolSize,
    seed: int,
) -> Batches:
    """Batches of `batch` items from a pool; `fresh` gives endless items, `batch_of` makes a batch of some."""
    return Batches(partial(_draw_from_pool, fresh, batch_of, batch, size), seed)


def _draw_from_pool(
    fresh: Callable[[np.random.Generator], Iterator[Item]],
    batch_of: Callable[[list[Item], np.random.Generator], Batch],
    batch: int,
    size: PoolSize,
    rng: np.random.Generator,
) -> Iterator[Batch]:
    pool: list[Item] = []
    items = fresh(rng)
    while True:
        for item in islice(items, max(size.first - len(pool), size.renewed)):
            if len(pool) < size.most:
                pool.append(item)
            else:
                pool[rng.integers(size.most)] = item
        yield batch_of([pool[i] for i in rng.integers(len(pool), size=batch)], rng)


def repeated(batches: Iterable[Item], times: int) -> Iterator[Item]:
    """Each batch as it comes, then others of the last ones again, so that each comes up `times` times on average.

    >>> list(repeated("abc", 1)), len(list(repeated("abc", 3)))
    (['a', 'b', 'c'], 9)
    """
    rng, last = np.random.default_rng(0), deque[Item](maxlen=TUNING.remembered_batches)
    for batch in batches:
        last.append(batch)
        yield batch
        for _ in range(times - 1):
            yield last[rng.integers(len(last))]


def best_temperature(loss: Callable[[float], torch.Tensor]) -> float:
    """The temperature with the smallest loss, of 85 between 0.5 and 4."""
    grid = np.exp(np.linspace(np.log(0.5), np.log(4), 85)).tolist()
    return float(min(grid, key=lambda temperature: float(loss(temperature))))


def fit(task: Task, batches: Iterable[Batch], out: Path, plan: Plan, device: torch.device) -> Any:
    """Trains a network, or goes on training the one whose checkpoint lies in `out`; returns the averaged network.

    Args:
        task: The network.
        batches: Endless batches.
        out: Folder of the run.
        plan: How long, how fast, and the file to start from.
        device: Where to compute.

    Raises:
        CardsError: Where the plan names a file to start from and the network cannot start from one.
    """
    model = task.build()
    if start := plan.starts(out):
        if task.exported is None:
            raise CardsError("this network takes its first weights from the detector; leave --start away")
        pictures = task.as_exported(pictures_of(batches, task.pictures_to_start, task.takes))
        restore(task.exported(model), start, pictures, left_out=task.not_exported)
    return train(model.to(device), batches, task.step_of(model), out, plan, device)


def train(model: Any, batches: Iterable[Any], step: Step, out: Path, plan: Plan, device: torch.device) -> Any:
    """Trains `model` in place and returns the averaged copy.

    A checkpoint lies in `out` every two minutes and at the end, also on Ctrl-C; where there is one already, training
    goes on from it. The log (`log.jsonl`) and its picture (`log.png`) grow beside it.

    Args:
        model: The network; bf16 autocast is used on a GPU and on a CPU that has it.
        batches: Endless batches.
        step: Loss and its parts of a batch already on the device.
        out: Folder of this run.
        plan: How long and how fast.
        device: Where to compute.
    """
    out.mkdir(parents=True, exist_ok=True)
    run = _Run(model.to(device, memory_format=torch.channels_last).train(), out / CHECKPOINT, plan, device)
    if plan.minutes <= 0:
        return run.average
    begin = saved = time.monotonic()
    hours_before, log = run.hours, _Log(out / LOG)
    bar = tqdm(total=round(plan.minutes * 60), unit="s", disable=not sys.stderr.isatty(), file=sys.stderr)
    with _Stop() as stop:
        for batch in repeated(batches, plan.times):
            now = time.monotonic()
            share = (now - begin) / (plan.minutes * 60)
            if stop.asked or share >= 1:
                break
            rate = plan.rate_at(run.steps, share)
            log.add(run.learn({name: part.to(device, non_blocking=True) for name, part in batch.items()}, step, rate))
            run.hours = hours_before + (now - begin) / 3600
            if row := log.write(now, run, rate):
                bar.set_postfix(loss=row["loss"], images=run.images)
            if now - saved > TUNING.save_seconds:
                run.save()
                saved = now
            bar.n = round(now - begin)
            bar.refresh()
    bar.close()
    run.hours = hours_before + (time.monotonic() - begin) / 3600
    run.save()
    plot(out)
    return run.average


class _Run:
    """What a run has learned so far, as its checkpoint keeps it."""

    def __init__(self, model: Any, checkpoint: Path, plan: Plan, device: torch.device) -> None:
        self.model, self.average = model, copy.deepcopy(model).eval()
        self.optimizer = torch.optim.AdamW(_groups(model), lr=plan.rate)
        self.steps, self.images, self.hours = 0, 0, 0.0
        self._checkpoint = checkpoint
        self._parts = {"model": model, "average": self.average, "optimizer": self.optimizer}
        if checkpoint.is_file():
            state = torch.load(checkpoint, map_location=device, weights_only=True)
            for name, part in self._parts.items():
                part.load_state_dict(state[name])
            self.steps, self.images, self.hours = state["steps"], state["images"], state["hours"]

    def save(self) -> None:
        """Writes the checkpoint."""
        state: dict[str, Any] = {name: part.state_dict() for name, part in self._parts.items()}
        with whole_file(self._checkpoint) as part:
            torch.save(state | {"steps": self.steps, "images": self.images, "hours": self.hours}, part)

    def learn(self, batch: Batch, step: Step, rate: float) -> dict[str, float]:
        """One step on a batch that is on the device; gives the loss and its parts."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss, parts = step(self.model, batch)
        loss.backward()
        if torch.isfinite(nn.utils.clip_grad_norm_(self.model.parameters(), TUNING.largest_gradient)):
            self.optimizer.step()  # one broken batch must not spoil the weights
        self.optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        self.images += len(next(iter(batch.values())))
        _move(self.average, self.model, math.exp(-1 / min(TUNING.averaged_steps, 10 + self.steps / 10)))
        return {"loss": float(loss.detach())} | parts


class _Log:
    """The mean losses between two rows of a run's log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: list[dict[str, float]] = []
        self._written = time.monotonic()

    def add(self, losses: dict[str, float]) -> None:
        """Adds the losses of one step."""
        self._rows.append(losses)

    def write(self, now: float, run: _Run, rate: float) -> dict[str, Any] | None:
        """Writes a row where it is time for one, and returns it."""
        if now - self._written <= TUNING.log_seconds:
            return None
        names, count = dict.fromkeys(name for losses in self._rows for name in losses), len(self._rows)
        row = {"hours": round(run.hours, 4), "steps": run.steps, "images": run.images, "rate": rate}
        row |= {name: round(sum(losses.get(name, 0.0) for losses in self._rows) / count, 5) for name in names}
        with self._path.open("a") as log:
            log.write(json.dumps(row) + "\n")
        self._rows, self._written = [], now
        return row


def autocast(device: torch.device) -> torch.autocast:
    """bf16 on a GPU, and on a CPU with bf16 instructions; elsewhere plain fp32."""
    fast = device.type == "cuda" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return torch.autocast(device.type, torch.bfloat16, enabled=fast)


def plot(out: Path) -> None:
    """Draws the losses of `log.jsonl` into `log.png`."""
    rows = [json.loads(line) for line in (out / LOG).read_text().splitlines()] if (out / LOG).is_file() else []
    if not rows:
        return
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    for name in rows[-1]:
        if name not in ("hours", "steps", "images", "rate"):
            axes.plot([r["images"] for r in rows if name in r], [r[name] for r in rows if name in r], label=name)
    axes.set(xlabel="pictures seen", ylabel="loss", yscale="log")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    with whole_file(out / "log.png") as part:
        figure.savefig(part, dpi=90, format="png")
    pyplot.close(figure)


def _groups(model: nn.Module) -> list[dict[str, Any]]:
    weights = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in weights if p.ndim > 1], "weight_decay": TUNING.weight_decay},
        {"params": [p for p in weights if p.ndim <= 1], "weight_decay": 0.0},
    ]


@torch.no_grad()
def _move(average: nn.Module, model: nn.Module, memory: float) -> None:
    """Moves the average's weights and buffers towards the model's, by the share 1 - `memory`."""
    mine, theirs = average.state_dict(), model.state_dict()
    floats = [name for name, value in mine.items() if value.dtype.is_floating_point]
    torch._foreach_lerp_([mine[n] for n in floats], [theirs[n].detach() for n in floats], 1 - memory)


class _Stop:
    """Turns the first Ctrl-C or SIGTERM into a request, so that the running step ends and a checkpoint is written."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> _Stop:
        self.before = {s: signal.signal(s, self._ask) for s in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            os._exit(130)
        self.asked = True
        print("stopping after this step; a checkpoint is being written", file=sys.stderr)
