"""The counter's network, its loss and its way to ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import nn
from torch.nn import functional

from vision.counter import HEIGHT, MOST, WIDTH
from vision.training.export import to_onnx

ROWS: Final = HEIGHT // 2
"""Rows in which the network says whether a card's upper edge lies there."""
EDGE_GAIN: Final = 2.0
EDGE_WEIGHT: Final = 4.0
"""Of a row with an edge against one without."""


def _conv(inputs: int, outputs: int, stride: tuple[int, int] = (1, 1)) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class _Row(nn.Module):
    """A dilated step along the column with a shortcut."""

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


class CounterNet(nn.Module):
    """Strips (n, 3, HEIGHT, WIDTH), 0 to 1, to logits of the counts (n, MOST + 1) and of edges (n, ROWS)."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.picture = nn.Sequential(
            _conv(3, 16, (2, 2)),
            _conv(16, 24, (1, 2)),
            _conv(24, 32),
            _conv(32, 48, (1, 2)),
            _conv(48, width),
        )
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


def loss(
    counts: torch.Tensor, edges: torch.Tensor, count: torch.Tensor, edge: torch.Tensor
) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropy of the count and of the edges.

    Args:
        counts: (n, MOST + 1) logits.
        edges: (n, ROWS) logits.
        count: (n,) cards face down.
        edge: (n, ROWS) 0 to 1, near 1 where a card's upper edge lies.
    """
    of_count = functional.cross_entropy(counts, count, label_smoothing=0.02)
    of_edges = functional.binary_cross_entropy_with_logits(edges, edge, weight=1 + EDGE_WEIGHT * edge)
    wrong = (counts.argmax(1) != count).float().mean()
    parts = {"count": float(of_count.detach()), "edges": float(of_edges.detach()), "wrong": float(wrong)}
    return of_count + EDGE_GAIN * of_edges, parts


class _Calibrated(nn.Module):
    def __init__(self, net: nn.Module, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, strips: torch.Tensor) -> torch.Tensor:
        counts, _ = self.net(strips.permute(0, 3, 1, 2).float() / 255)
        return functional.log_softmax(counts / self.temperature, 1)


def export(net: nn.Module, path: Path, temperature: float = 1.0) -> None:
    """Writes the network as ONNX: uint8 (n, HEIGHT, WIDTH, 3) RGB to log-probabilities (n, MOST + 1)."""
    wrapped = _Calibrated(net.cpu().float(), temperature).eval()
    example = torch.zeros(2, HEIGHT, WIDTH, 3, dtype=torch.uint8)
    names = ("strips", "log_count")
    to_onnx(wrapped, example, path, name=names[0], outputs=names[1:], free={name: {0: "n"} for name in names})
