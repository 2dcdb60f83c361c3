"""The network that reads faces, and its way to ONNX; `models.train.layers` has its heads and its loss."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.train.layers import Calibrated, Residual, Temperatures, conv, reading_heads, reading_task
from models.train.onnx_files import to_onnx
from vision.networks.card_face import HEIGHT, WIDTH, FaceReader


class FaceNet(nn.Module):
    """A small residual network with three heads.

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
        self.heads = reading_heads(64 * (HEIGHT // 16) * (WIDTH // 16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits of a batch of pictures."""
        out: torch.Tensor = self.heads(self.features(x))
        return out


TASK = reading_task(FaceNet)


def export(net: nn.Module, path: Path, temperatures: Temperatures | None = None) -> None:
    """Writes the network with its calibration as ONNX: uint8 (n, HEIGHT, WIDTH, 4) to the fields of `Reads`."""
    example = torch.zeros(2, HEIGHT, WIDTH, 4, dtype=torch.uint8)
    to_onnx(Calibrated(net, temperatures or Temperatures()), example, path, FaceReader)
