"""The reader's network, its loss and its way to ONNX."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn
from torch.nn import functional

from models.train import loop, warm_start
from models.train.export import to_onnx
from models.train.layers import conv
from vision.networks.index_reader import HEIGHT, WIDTH, Reader
from vision.networks.outputs import RANKS, SUITS

SUIT_GAIN: Final = 1.6
"""Weight of the suit's loss: clubs and spades in a blurred index differ by few pixels and are learned last."""
TYPICAL: Final = 1024
"""So many pictures tell the statistics of weights that a run starts from."""


@dataclass(frozen=True, slots=True)
class Temperatures:
    """What the logits are divided by so that their probabilities come true."""

    rank: float = 1.0
    suit: float = 1.0
    index: float = 1.0


class Residual(nn.Module):
    """Two 3x3 convolutions with a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """As many channels as went in."""
        return functional.relu(x + self.second(self.first(x)))


class ReaderNet(nn.Module):
    """A small residual network with three heads on a flattened last map: where a shape stands in the crop matters.

    Input: float (n, 3, HEIGHT, WIDTH) RGB, 0 to 1. Output: logits (n, 13 + 4 + 1) of rank, suit and being an index.
    """

    def __init__(self, width: int = 40) -> None:
        super().__init__()
        self.features = nn.Sequential(
            conv(3, width // 2, 2),
            conv(width // 2, width, 2),
            Residual(width),
            conv(width, 2 * width, 2),
            Residual(2 * width),
            Residual(2 * width),
            nn.Conv2d(2 * width, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
        )
        self.heads = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(width * (HEIGHT // 8) * (WIDTH // 8), 192),
            nn.ReLU(inplace=True),
            nn.Linear(192, RANKS + SUITS + 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits of a batch of crops."""
        out: torch.Tensor = self.heads(self.features(x))
        return out


def loss(
    logits: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor, is_index: torch.Tensor
) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropies of the three heads; rank or suit -1 is unknown and not judged.

    Args:
        logits: (n, 18).
        rank: (n,) 0 to 12 or -1.
        suit: (n,) 0 to 3 or -1.
        is_index: (n,) 1.0 or 0.0.
    """

    def mean(part: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:  # also of a batch that shows no index at all
        total = functional.cross_entropy(part, wanted, ignore_index=-1, label_smoothing=0.02, reduction="sum")
        return total / (wanted >= 0).sum().clamp(min=1)

    of_rank, of_suit = mean(logits[:, :RANKS], rank), mean(logits[:, RANKS:-1], suit)
    of_index = functional.binary_cross_entropy_with_logits(logits[:, -1], is_index)
    right = (logits[:, :RANKS].argmax(1) == rank)[rank >= 0].float().mean()
    right_suit = (logits[:, RANKS:-1].argmax(1) == suit)[suit >= 0].float().mean()
    parts = {"rank": float(of_rank.detach()), "suit": float(of_suit.detach()), "index": float(of_index.detach())}
    parts |= {"wrong_rank": 1 - float(right), "wrong_suit": 1 - float(right_suit)}
    return of_rank + SUIT_GAIN * of_suit + of_index, {
        name: 0.0 if math.isnan(value) else value for name, value in parts.items()
    }


def fit(model: nn.Module, loader: Iterable[loop.Batch], out: Path, plan: loop.Plan, device: torch.device) -> Any:
    """Trains a reader of indices or of faces, or goes on training it; returns the averaged network.

    Args:
        model: A network with this module's three heads.
        loader: Endless batches: `image` uint8 (n, channels, H, W), `rank`, `suit` and `is_index`, as `loss` wants them;
            of faces the last one says whether there is a face.
        out: Folder of the run.
        plan: How long and how fast, and the file to start from.
        device: Where to compute.
    """

    def step(network: nn.Module, got: dict[str, torch.Tensor]) -> tuple[torch.Tensor, dict[str, float]]:
        with loop.autocast(device):
            logits = network(got["image"].float() / 255)
        return loss(logits.float(), got["rank"], got["suit"], got["is_index"])

    if start := plan.starts(out):
        pictures = warm_start.pictures_of(loader, TYPICAL).permute(0, 2, 3, 1)
        warm_start.restore(Calibrated(model, Temperatures()), start, pictures)
    return loop.train(model, loader, step, out, plan, device)


def calibrate(net: nn.Module, batches: Iterable[loop.Batch]) -> Temperatures:
    """Temperatures that make the probabilities of a trained network on these batches most likely."""
    net = net.cpu().float().eval()
    logits, labels = [], []
    with torch.no_grad():
        for got in batches:
            logits.append(net(got["image"].float() / 255))
            labels.append(torch.stack([got["rank"], got["suit"], got["is_index"].long()], 1))
    values, (rank, suit, is_index) = torch.cat(logits), torch.cat(labels).T
    known, known_suit = rank >= 0, suit >= 0

    def of_named(part: torch.Tensor, wanted: torch.Tensor) -> float:
        return loop.best_temperature(lambda heat: functional.cross_entropy(part / heat, wanted))

    truth = is_index.float()
    return Temperatures(
        rank=of_named(values[known, :RANKS], rank[known]),
        suit=of_named(values[known_suit, RANKS:-1], suit[known_suit]),
        index=loop.best_temperature(
            lambda heat: functional.binary_cross_entropy_with_logits(values[:, -1] / heat, truth)
        ),
    )


class Calibrated(nn.Module):
    """What is exported: the network from uint8 pictures to calibrated log-probabilities."""

    def __init__(self, net: nn.Module, temperatures: Temperatures) -> None:
        super().__init__()
        self.net = net
        self.temperatures = temperatures

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Log-probabilities of rank, suit and being an index of uint8 crops (n, HEIGHT, WIDTH, 3)."""
        logits = self.net(crops.permute(0, 3, 1, 2).float() / 255)
        t = self.temperatures
        return (
            functional.log_softmax(logits[:, :RANKS] / t.rank, 1),
            functional.log_softmax(logits[:, RANKS:-1] / t.suit, 1),
            -functional.softplus(-logits[:, -1] / t.index),
        )


def export(net: nn.Module, path: Path, temperatures: Temperatures | None = None) -> None:
    """Writes the network with its calibration as ONNX: uint8 (n, HEIGHT, WIDTH, 3) RGB to the fields of `Reads`."""
    example = torch.zeros(2, HEIGHT, WIDTH, 3, dtype=torch.uint8)
    to_onnx(Calibrated(net, temperatures or Temperatures()), example, path, Reader)
