"""The detector's network, its loss and its way to ONNX."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import torch
from torch import nn

from models.train import loop, torchvision_stand_in
from models.train.onnx_files import to_onnx
from vision.networks.index_detector import DetectorNetwork

torchvision_stand_in.register()

from ultralytics.nn.modules import Conv  # noqa: E402  (needs torchvision_stand_in)
from ultralytics.nn.tasks import PoseModel  # noqa: E402  (needs torchvision_stand_in)
from ultralytics.utils.loss import v8PoseLoss  # noqa: E402

SHAPE: Final = Path(__file__).with_name("shape.yaml")
GAINS: Final = {"box": 6.0, "pose": 8.0, "kobj": 0.0, "cls": 1.0, "dfl": 1.5}
CLASS_WEIGHTS: Final = (1.0, 2.5)
"""Of index and back in the class loss: there are some 15 indices to a back."""
POINT_CHANNELS: Final = 48
NOTHING: Final = -20.0
"""The logit given to places that the loss must not judge."""


def build(shape: Path = SHAPE) -> Any:
    """The untrained network; `shape` is a model file in ultralytics' notation."""
    network: Any = PoseModel
    model = network(str(shape), ch=3, verbose=False)
    head = model.model[-1]
    # Which symbol is the rank is harder to see than where the box ends: the points get wider layers than the 16
    # channels that ultralytics gives them.
    head.cv4 = nn.ModuleList(_points(part[0].conv.in_channels, head.nk) for part in head.cv4)
    model.args = SimpleNamespace(**GAINS)
    return model


def _points(channels: int, outputs: int) -> nn.Module:
    conv: Any = Conv
    wide = POINT_CHANNELS
    first, second = (conv(c, wide, 3, act=nn.ReLU(inplace=True)) for c in (channels, wide))
    return nn.Sequential(first, second, nn.Conv2d(wide, outputs, 1))


class _Distance(nn.Module):
    """Distance of the points, as a share of the object's size.

    It stands where ultralytics has its object keypoint similarity, whose gradient dies where a point is far off, as
    the ends of a long thin strip of a back are at the start.
    """

    def forward(
        self, found: torch.Tensor, wanted: torch.Tensor, known: torch.Tensor, area: torch.Tensor
    ) -> torch.Tensor:
        square = (found[..., :2] - wanted[..., :2]).square().sum(-1) / area.clamp(min=1e-3)
        return ((square + 1e-4).sqrt() * known).sum() / known.sum().clamp(min=1)


class Loss:
    """ultralytics' pose loss on a batch, but for places that are not judged.

    Args:
        model: What `build` gave.
    """

    def __init__(self, model: Any) -> None:
        pose_loss: Any = v8PoseLoss
        model.class_weights = torch.tensor(CLASS_WEIGHTS)
        self.inner = pose_loss(model)
        self.inner.keypoint_loss = _Distance()
        self.strides = [float(s) for s in model.stride]

    def __call__(
        self, predicted: dict[str, Any], batch: dict[str, torch.Tensor]
    ) -> tuple[torch.Tensor, dict[str, float]]:
        """The loss of one picture, and its parts.

        Args:
            predicted: The network's training output.
            batch: `batch_idx` (n,), `cls` (n, 1), `bboxes` (n, 4) centre and size and `keypoints` (n, 2, 3) with a
                known flag, both as shares of the picture; `free` (b, anchors), true where nothing is judged.
        """
        scores = torch.where(batch["free"][:, None], predicted["scores"].new_tensor(NOTHING), predicted["scores"])
        parts, _ = self.inner.loss(predicted | {"scores": scores}, batch)
        parts = parts / scores.shape[0]
        names = ("box", "points", "_", "class", "dfl")
        return parts.sum(), {n: float(p.detach()) for n, p in zip(names, parts, strict=True) if n != "_"}


class RawMaps(nn.Module):
    """Each head's raw output as one map, so that decoding stays in numpy and any picture size works."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.layers = model.model[:-1]
        self.head = model.model[-1]
        self.keep = set(model.save)

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The maps, (1, 4 * 16 + 2 + 4, H / s, W / s) each, of a uint8 picture (1, 3, H, W)."""
        kept: list[Any] = []
        x: Any = image.float() / 255
        for layer in self.layers:
            if layer.f != -1:
                x = kept[layer.f] if isinstance(layer.f, int) else [x if j == -1 else kept[j] for j in layer.f]
            x = layer(x)
            kept.append(x)
        maps = []
        for number, source in enumerate(self.head.f):
            x = kept[source]
            maps.append(torch.cat([part[number](x) for part in (self.head.cv2, self.head.cv3, self.head.cv4)], 1))
        return tuple(maps)


def _step_of(model: Any) -> loop.Step:
    loss = Loss(model)

    def step(network: nn.Module, batch: loop.Batch) -> tuple[torch.Tensor, dict[str, float]]:
        pictures = batch["image"].to(memory_format=torch.channels_last)
        with loop.autocast(pictures.device):
            predicted = network(pictures.float() / 255)
        return loss({n: v.float() if torch.is_tensor(v) else v for n, v in predicted.items()}, batch)

    return step


TASK: Final = loop.Task(build, _step_of, RawMaps, as_exported=lambda pictures: pictures, pictures_to_start=64)


def export(model: Any, path: Path, _: None = None) -> None:
    """Writes the network as ONNX.

    Input `image`: uint8 (1, 3, H, W) RGB, H and W multiples of 32. Outputs `stride8`, `stride16`: float (1, 4 * 16 +
    2 + 4, H / s, W / s): the distributions of the distances left, top, right, bottom in strides, the logits of index
    and back, and two points in strides as ultralytics codes them.
    """
    kind = DetectorNetwork
    axes = {name: {2: f"h{name[6:]}", 3: f"w{name[6:]}"} for name in kind.gives} | {kind.takes: {2: "h", 3: "w"}}
    to_onnx(RawMaps(model), torch.zeros(1, 3, 64, 96, dtype=torch.uint8), path, kind, axes)
