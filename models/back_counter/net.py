"""The counter's network, its loss and its way to ONNX."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from torch import nn
from torch.nn import functional

from models.train import loop
from models.train.layers import conv
from models.train.onnx_files import to_onnx
from vision.networks.back_counter import HEIGHT, MOST, WIDTH, BackCounter

ROWS: Final = HEIGHT // 4
"""Rows in which the network says whether a card's upper edge lies there."""
EDGE_GAIN: Final = 2.0
EDGE_WEIGHT: Final = 4.0
"""Of a row with an edge against one without."""
LABEL_SMOOTHING: Final = 0.002
"""Of the counts. More would keep a count that is plain to see from ever being sure."""


class _Fine(nn.Module):
    """Halves a strip. Averaging would lose thin things, such as the edge of a white card: learned filters see those."""

    def __init__(self, seen: int = 16) -> None:
        super().__init__()
        self.seen = nn.Sequential(conv(3, 12, 2), conv(12, seen))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([functional.avg_pool2d(x, 2), self.seen(x)], 1)


def _shrinking(deep: int) -> list[nn.Module]:
    """Layers that turn a strip into `deep` values at each of ROWS x WIDTH // 16 places."""
    return [_Fine(), conv(19, 16, (2, 2)), conv(16, 24, (1, 2)), conv(24, 32), conv(32, deep, (1, 2))]


class _Row(nn.Module):
    """A dilated convolution along the column, with a shortcut round it."""

    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation, bias=False),
            nn.BatchNorm1d(width),
            nn.ReLU(inplace=True),
            nn.Conv1d(width, width, 1, bias=False),
            nn.BatchNorm1d(width),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.inner(x))


class StripNet(nn.Module):
    """Looks at each strip by itself: convolutions that shrink it to one value a row, and dilated ones along it.

    Strips (n, 3, HEIGHT, WIDTH), 0 to 1, become logits of the counts (n, MOST + 1) and of edges (n, ROWS).
    """

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.picture = nn.Sequential(*_shrinking(48), conv(48, width))
        self.along = nn.Sequential(*(_Row(width, step) for step in (1, 2, 4, 8, 16)))
        self.edges = nn.Conv1d(width, 1, 1)
        self.counts = nn.Sequential(
            nn.Conv1d(width + 1, 32, 5, 2, 2),
            nn.ReLU(inplace=True),
            nn.Conv1d(32, 24, 5, 2, 2),
            nn.ReLU(inplace=True),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(24 * ROWS // 4, 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, MOST + 1),
        )

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of a batch of strips."""
        rows = self.along(self.picture(x).mean(3))
        edges = self.edges(rows)
        return self.counts(torch.cat([rows, torch.sigmoid(edges)], 1)), edges[:, 0]


class _Attention(nn.Module):
    """A transformer's layer; written out, since the exporter knows no fused attention."""

    def __init__(self, width: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.scale = (width // heads) ** -0.5
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.asked = nn.Linear(width, 3 * width)
        self.mixed = nn.Linear(width, width)
        self.inner = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

    def forward(self, x: torch.Tensor, apart: torch.Tensor | None = None) -> torch.Tensor:
        """Tokens (b, t, width) after attention; those that `apart` (t, t) marks do not see each other."""
        b, t, width = x.shape
        parts = self.asked(self.before(x)).reshape(b, t, 3, self.heads, width // self.heads)
        query, key, value = (parts[:, :, k].transpose(1, 2) for k in range(3))
        seen = query @ key.transpose(2, 3) * self.scale
        if apart is not None:
            seen = seen.masked_fill(apart, -1e4)
        got = (seen.softmax(3) @ value).transpose(1, 2).reshape(b, t, width)
        x = x + self.mixed(got)
        out: torch.Tensor = x + self.inner(self.between(x))
        return out


class TableNet(nn.Module):
    """Looks at all strips of a table together, because its backs are alike: a frame round a pattern is no second card.

    Each strip becomes one token a row, so that rows can be compared, and one for the whole of it, which also meets
    those of the table's other strips. What goes in and comes out is as with `StripNet`.
    """

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.picture = nn.Sequential(*_shrinking(32))
        self.row = nn.Linear(32 * WIDTH // 16, width)
        self.place = nn.Parameter(torch.randn(1, ROWS + 1, width) * 0.02)
        self.first = nn.ModuleList(_Attention(width) for _ in range(2))
        self.table = _Attention(width)
        self.second = nn.ModuleList(_Attention(width) for _ in range(2))
        self.last = _Attention(width)
        self.edges = nn.Linear(width, 1)
        self.sums = nn.Linear(width, 16)
        self.counts = nn.Sequential(nn.Linear(width + 16, 64), nn.ReLU(inplace=True), nn.Linear(64, MOST + 1))

    def forward(self, x: torch.Tensor, table: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of strips; `table` (n,) tells which table each is of, all of one where it is left out."""
        apart = None if table is None else table[:, None] != table[None]
        rows = self.row(self.picture(x).permute(0, 2, 1, 3).flatten(2))
        tokens = torch.cat([torch.zeros_like(rows[:, :1]), rows], 1) + self.place
        for layer in self.first:
            tokens = layer(tokens)
        whole = self.table(tokens[None, :, 0], apart)[0]
        tokens = torch.cat([whole[:, None], tokens[:, 1:]], 1)
        for layer in self.second:
            tokens = layer(tokens)
        whole, rows = self.last(tokens[None, :, 0], apart)[0], tokens[:, 1:]
        sums = torch.sigmoid(self.sums(rows)).sum(1) / MOST  # attention averages, counting needs sums
        return self.counts(torch.cat([whole, sums], 1)), self.edges(rows)[..., 0]


CountsAndEdges = tuple[torch.Tensor, torch.Tensor]
"""Logits of counts (n, MOST + 1) and of edges (n, ROWS)."""


class CounterNet(nn.Module):
    """Averages `StripNet` and `TableNet`, which err on different columns."""

    def __init__(self) -> None:
        super().__init__()
        self.alone = StripNet()
        self.together = TableNet()

    def looks(self, x: torch.Tensor, table: torch.Tensor | None = None) -> tuple[CountsAndEdges, CountsAndEdges]:
        """What each look says; `table` (n,) tells which table each strip is of, all of one where it is left out."""
        return self.alone(x), self.together(x, table)

    def forward(self, x: torch.Tensor, table: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, MOST + 1) mean log-probabilities of the two, and (n, ROWS) probabilities of edges by the first."""
        (alone, edges), (together, _) = self.looks(x, table)
        one, other = functional.log_softmax(alone, 1), functional.log_softmax(together, 1)
        return (one + other) / 2, torch.sigmoid(edges)


def loss(
    looks: tuple[CountsAndEdges, CountsAndEdges], count: torch.Tensor, edge: torch.Tensor
) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropy of the count and of the edges, of each look.

    Args:
        looks: As `CounterNet.looks` gives them.
        count: (n,) cards face down.
        edge: (n, ROWS) 0 to 1, near 1 where a card's upper edge lies.
    """
    total, parts = torch.zeros((), device=count.device), {}
    for name, (counts, edges) in zip(("alone", "together"), looks, strict=True):
        of_count = functional.cross_entropy(counts.float(), count, label_smoothing=LABEL_SMOOTHING)
        of_edges = functional.binary_cross_entropy_with_logits(edges.float(), edge, weight=1 + EDGE_WEIGHT * edge)
        total = total + of_count + EDGE_GAIN * of_edges
        parts[f"{name} count"], parts[f"{name} edges"] = float(of_count.detach()), float(of_edges.detach())
        parts[f"{name} wrong"] = float((counts.argmax(1) != count).float().mean())
    return total, parts


@dataclass(frozen=True, slots=True)
class Temperature:
    """What the counts' logits are divided by so that their probabilities come true, and the share of counts right."""

    count: float = 1.0
    right: float | None = None


class Calibrated(nn.Module):
    """What is exported: the network from uint8 pictures to calibrated log-probabilities."""

    def __init__(self, net: nn.Module, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, strips: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (n, MOST + 1) and edges (n, ROWS) of uint8 strips (n, HEIGHT, WIDTH, 3)."""
        counts, edges = self.net(strips.permute(0, 3, 1, 2).float() / 255)
        return functional.log_softmax(counts / self.temperature, 1), edges


def _step(network: CounterNet, batch: loop.Batch) -> tuple[torch.Tensor, dict[str, float]]:
    with loop.autocast(batch["image"].device):
        looks = network.looks(batch["image"].float() / 255, batch["table"])
    return loss(looks, batch["count"], batch["edge"])


TASK: Final = loop.Task(
    CounterNet,
    lambda _: _step,
    lambda net: Calibrated(net, 1.0),
    pictures_to_start=256,
    not_exported=("net.together.edges",),  # the second look's edges are asked for in training only
)


def export(net: nn.Module, path: Path, temperature: Temperature | None = None) -> None:
    """Writes the network as ONNX: uint8 (n, HEIGHT, WIDTH, 3) RGB to log-probabilities and edges."""
    example = torch.zeros(2, HEIGHT, WIDTH, 3, dtype=torch.uint8)
    to_onnx(Calibrated(net, (temperature or Temperature()).count), example, path, BackCounter)
