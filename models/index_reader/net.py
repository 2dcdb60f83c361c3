"""The network that reads indices, and its way to ONNX; `models.train.layers` has its heads and its loss."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.train.layers import Calibrated, ReadingNet, Residual, Temperatures, conv, reading_task
from models.train.onnx_files import to_onnx
from vision.networks.index_reader import HEIGHT, WIDTH, Reader


class ReaderNet(ReadingNet):
    """A small residual network; its pictures (n, 3, HEIGHT, WIDTH) are RGB."""

    def __init__(self, width: int = 40) -> None:
        features = nn.Sequential(
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
        super().__init__(features, width * (HEIGHT // 8) * (WIDTH // 8))


TASK = reading_task(ReaderNet)


def export(net: nn.Module, path: Path, temperatures: Temperatures | None = None) -> None:
    """Writes the network with its calibration as ONNX: uint8 (n, HEIGHT, WIDTH, 3) RGB to the fields of `Reads`."""
    example = torch.zeros(2, HEIGHT, WIDTH, 3, dtype=torch.uint8)
    to_onnx(Calibrated(net, temperatures or Temperatures()), example, path, Reader)
