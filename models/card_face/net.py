"""The network that reads faces, and its way to ONNX; `reader_net` has the loss of what both readers say."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.index_reader.net import Calibrated, Residual, Temperatures
from models.train.export import to_onnx
from models.train.layers import conv
from vision.networks.card_face import HEIGHT, WIDTH, FaceReader
from vision.networks.outputs import RANKS, SUITS


class FaceNet(nn.Module):
    """A small residual network with three heads on a flattened last map: where pips stand matters.

    Input: float (n, 4, HEIGHT, WIDTH), RGB and what is seen, 0 to 1. Output: logits (n, 13 + 4 + 1) of rank, suit and
    being a card's face.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            conv(4, 24, 2),
            conv(24, 40, 2),
            Residual(40),
            conv(40, 64, 2),
            Residual(64),
            Residual(64),
            conv(64, 64, 2),
        )
        self.heads = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(64 * (HEIGHT // 16) * (WIDTH // 16), 192),
            nn.ReLU(inplace=True),
            nn.Linear(192, RANKS + SUITS + 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits of a batch of pictures."""
        out: torch.Tensor = self.heads(self.features(x))
        return out


def export(net: nn.Module, path: Path, temperatures: Temperatures | None = None) -> None:
    """Writes the network with its calibration as ONNX: uint8 (n, HEIGHT, WIDTH, 4) to the fields of `Reads`."""
    example = torch.zeros(2, HEIGHT, WIDTH, 4, dtype=torch.uint8)
    to_onnx(Calibrated(net, temperatures or Temperatures()), example, path, FaceReader)
