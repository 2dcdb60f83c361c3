"""The network that tells faces, backs and the rest apart: the detector's own features, frozen, and a small head."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any, Final

import onnx
import torch
from onnx import compose
from onnx.utils import Extractor
from torch import nn
from torch.nn import functional

from models.train import loop
from models.train.layers import conv
from models.train.onnx_files import read_onnx
from plumbing.files import whole_file
from vision.networks.runtime import MODELS
from vision.networks.surface_map import SurfaceMap

DETECTOR: Final = MODELS / "index_detector.onnx"
FEATURES: Final = {4: (64, 1), 15: (64, 1), 12: (128, 2), 9: (160, 4)}
"""Layers of the detector that the head sees: their channels, and how many strides of 8 they shrink the picture."""


def feature_name(layer: int) -> str:
    """The name of a layer's output in the detector's file."""
    return f"/layers.{layer}/cv2/act/Relu_output_0"


def backbone(detector: Path = DETECTOR) -> onnx.ModelProto:
    """The part of a detector's file from the picture to its `FEATURES`."""
    model = onnx.shape_inference.infer_shapes(read_onnx(detector))
    return Extractor(model).extract_model(["image"], [feature_name(layer) for layer in FEATURES])


class SurfaceHead(nn.Module):
    """Features (n, channels, h, w) of the detector to logits (n, 3, H / 8, W / 8) of neither, face and back."""

    def __init__(self, narrow: int = 24, width: int = 48) -> None:
        super().__init__()
        self.narrow = nn.ModuleList(
            nn.Sequential(nn.Conv2d(channels, narrow, 1, bias=False), nn.BatchNorm2d(narrow), nn.ReLU(inplace=True))
            for channels, _ in FEATURES.values()
        )
        self.mix = nn.Sequential(conv(narrow * len(FEATURES), width), _spread(width, 2), _spread(width, 4))
        self.leave = nn.Conv2d(width, 3, 1)

    def forward(self, *features: torch.Tensor) -> torch.Tensor:
        """Logits of a batch of feature maps, in the order of `FEATURES`."""
        maps = []
        for part, given, (_, shrunk) in zip(self.narrow, features, FEATURES.values(), strict=True):
            found = part(given)
            maps.append(found if shrunk == 1 else functional.interpolate(found, scale_factor=float(shrunk)))
        out: torch.Tensor = self.leave(self.mix(torch.cat(maps, 1)))
        return out


def _spread(width: int, step: int) -> nn.Sequential:
    """A 3x3 convolution that looks `step` places far."""
    return nn.Sequential(
        nn.Conv2d(width, width, 3, 1, step, step, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
    )


def _step(network: Any, batch: loop.Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropy of each spot against the shares of its surfaces."""
    with loop.autocast(batch["wanted"].device):
        logits = network(*(batch[f"layer{layer}"].float() for layer in FEATURES))
    logits, wanted = logits.float(), batch["wanted"].float()
    cost = -(wanted * functional.log_softmax(logits, 1)).sum(1)
    right = (logits.argmax(1) == wanted.argmax(1)).float()
    return cost.mean(), {"wrong": 1 - float(right.mean())}


TASK: Final = loop.Task(SurfaceHead, lambda _: _step)


class _Probabilities(nn.Module):
    """What is exported behind the backbone: the head, and probabilities in the place of logits."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head

    def forward(self, *features: torch.Tensor) -> torch.Tensor:
        """Probabilities (n, 3, H / 8, W / 8)."""
        return torch.softmax(self.head(*features), 1)


def export(net: nn.Module, path: Path, _: None = None) -> None:
    """Writes backbone and head as one ONNX file: `image` uint8 (1, 3, H, W) RGB to `surfaces` (1, 3, H / 8, W / 8)."""
    names = [f"layer{layer}" for layer in FEATURES]
    example = tuple(torch.zeros(1, channels, 24 // shrunk, 32 // shrunk) for channels, shrunk in FEATURES.values())
    free = {name: {2: f"h{name}", 3: f"w{name}"} for name in (*names, *SurfaceMap.gives)}
    whole = backbone()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore", DeprecationWarning)
        file = str(Path(folder) / "head.onnx")
        torch.onnx.export(
            _Probabilities(net.cpu().float()).eval(),
            example,
            file,
            opset_version=17,
            dynamo=False,
            input_names=names,
            output_names=list(SurfaceMap.gives),
            dynamic_axes=free,
        )
        head = onnx.load(file)
    head.ir_version = whole.ir_version
    joints = list(zip(map(feature_name, FEATURES), names, strict=True))
    model = compose.merge_models(
        whole, compose.add_prefix(head, "head/", rename_inputs=False, rename_outputs=False), joints
    )
    with whole_file(path) as part:
        part.write_bytes(model.SerializeToString())
