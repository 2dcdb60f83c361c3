"""What the networks are built of."""

from __future__ import annotations

from torch import nn


def conv(inputs: int, outputs: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    """A 3x3 convolution with batch normalisation and ReLU; `stride` of rows and columns."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )
