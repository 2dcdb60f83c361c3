"""Detector weights as torch has them (`.pt`), used in place of an ONNX file; slower, for trying out a training."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from models.index_detector import net as detector_net
from vision.networks.index_detector import BINS, Detector
from vision.networks.runtime import ModelError

ULTRALYTICS_WARNING = (
    "{path} is a file of ultralytics: loading it runs code that it holds; use only weights whose source you trust"
)


def torch_detector(path: Path) -> Detector:
    """The detector with a `.pt` file.

    The file is a checkpoint of `python -m models.train detector`, or one that ultralytics wrote for a pose model of
    the same heads (2 classes, 2 points of 2 values, strides 8 and 16); of the latter kind a warning is given, because
    loading it runs code from the file.

    Args:
        path: The file.

    Raises:
        ModelError: Where there is none, or it holds another network.
    """
    if not path.is_file():
        raise ModelError(f"{path}: no such weights; expected a .pt file")
    torch.set_num_threads(1)
    model = _load(path)
    head = model.model[-1]
    shape = (getattr(head, "nc", None), list(getattr(head, "kpt_shape", [])), getattr(head, "reg_max", None))
    strides = [int(s) for s in getattr(model, "stride", [])]
    if shape != (2, [2, 2], BINS) or strides != [8, 16]:
        raise ModelError(
            f"{path}: classes, points, bins {shape} at strides {strides}; expected (2, [2, 2], {BINS}) at [8, 16]"
        )
    maps = detector_net.RawMaps(model.float()).eval()

    def run(image: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        with torch.inference_mode():
            return [grid.numpy() for grid in maps(torch.from_numpy(image))]

    return Detector(network=run)


def _load(path: Path) -> Any:
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:
        warnings.warn(ULTRALYTICS_WARNING.format(path=path), stacklevel=4)
        try:
            # A file that its user named, who was warned of what it may do.
            state = torch.load(path, map_location="cpu", weights_only=False)  # nosec B614
        except Exception as error:
            raise ModelError(f"{path}: not weights that torch can load ({error})") from error
    model = state.get("ema") or state.get("model") if isinstance(state, dict) else None
    if isinstance(state, dict) and "average" in state:
        model = detector_net.build()
        model.load_state_dict(state["average"])
    if not hasattr(model, "model"):
        raise ModelError(f"{path}: holds no network; expected a checkpoint of this project or of ultralytics")
    return model
