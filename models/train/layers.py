"""What several networks are built of: convolutions, and the three heads of the networks that read rank and suit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import nn
from torch.nn import functional

from models.train import loop
from vision.networks.outputs import RANKS, SUITS

SUIT_GAIN: Final = 1.6
"""Weight of the suit's loss: clubs and spades in a blurred index differ by few pixels and are learned last."""


def conv(inputs: int, outputs: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    """A 3x3 convolution with batch normalisation and ReLU; `stride` of rows and columns."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions with a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The map after both convolutions, with as many channels as before."""
        return functional.relu(x + self.second(self.first(x)))


class ReadingNet(nn.Module):
    """A network that reads rank and suit: from pictures 0 to 1, float (n, channels, H, W), to logits (n, 13 + 4 + 1).

    The logits are of rank, suit and "there is one", from a whole map: where a shape stands matters.

    Args:
        features: From a picture to its map.
        values: Values of a flattened map.
    """

    def __init__(self, features: nn.Module, values: int) -> None:
        super().__init__()
        self.features = features
        self.heads = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(values, 192),
            nn.ReLU(inplace=True),
            nn.Linear(192, RANKS + SUITS + 1),
        )

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Logits of a batch of pictures."""
        logits: torch.Tensor = self.heads(self.features(pictures))
        return logits


@dataclass(frozen=True, slots=True)
class Temperatures:
    """What the logits of each head are divided by, so that their probabilities are calibrated."""

    rank: float = 1.0
    suit: float = 1.0
    index: float = 1.0


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


def reading_task(build: Callable[[], nn.Module]) -> loop.Task:
    """The task of a `ReadingNet`; its batches hold `image`, `rank`, `suit` and `is_index`."""

    def step(network: Any, batch: loop.Batch) -> tuple[torch.Tensor, dict[str, float]]:
        with loop.autocast(batch["image"].device):
            logits = network(batch["image"].float() / 255)
        return loss(logits.float(), batch["rank"], batch["suit"], batch["is_index"])

    return loop.Task(build, lambda _: step, lambda net: Calibrated(net, Temperatures()))


def best_temperatures(net: nn.Module, batches: Iterable[loop.Batch]) -> Temperatures:
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
