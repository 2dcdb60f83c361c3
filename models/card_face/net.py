"""The network that reads faces, and its way to ONNX; `models.train.layers` has its heads and its loss."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.train.layers import Calibrated, ReadingNet, Residual, Temperatures, conv, reading_task
from models.train.onnx_files import to_onnx
from vision.networks.card_face import HEIGHT, WIDTH, FaceReader


class FaceNet(ReadingNet):
    """A small residual network; its pictures (n, 4, HEIGHT, WIDTH) are RGB and what is seen."""

    def __init__(self) -> None:
        features = nn.Sequential(
            conv(4, 24, 2),
            conv(24, 40, 2),
            Residual(40),
            conv(40, 64, 2),
            Residual(64),
            Residual(64),
            conv(64, 64, 2),
        )
        super().__init__(features, 64 * (HEIGHT // 16) * (WIDTH // 16))


TASK = reading_task(FaceNet)


def export(net: nn.Module, path: Path, temperatures: Temperatures | None = None) -> None:
    """Writes the network with its calibration as ONNX: uint8 (n, HEIGHT, WIDTH, 4) to the fields of `Reads`."""
    example = torch.zeros(2, HEIGHT, WIDTH, 4, dtype=torch.uint8)
    to_onnx(Calibrated(net, temperatures or Temperatures()), example, path, FaceReader)
