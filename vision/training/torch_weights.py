"""Detector weights as torch has them (`.pt`), used in place of an ONNX file; slower, for trying out a training."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from vision.network import ModelError
from vision.training import detector_net

ULTRALYTICS_WARNING = (
    "{path} is a file of ultralytics: loading it runs code that it holds; use only weights whose source you trust"
)


class TorchSession:
    """What `vision.index_detector.DetectorNetwork` is to the detector, for a `.pt` file.

    The file is a checkpoint of `python -m vision.train detector`, or one that ultralytics wrote for a pose model of
    the same heads (2 classes, 2 points of 2 values, strides 8 and 16); of the latter kind a warning is given, because
    loading it runs code from the file.

    Args:
        path: The file.
        threads: Processor cores used; 0 leaves torch's own choice.
        bins: In how many bins the detector expects each side of a box.

    Raises:
        ModelError: Where it holds another network.
    """

    def __init__(self, path: Path, threads: int, bins: int) -> None:
        if threads:
            torch.set_num_threads(threads)
        model = _load(path)
        head = model.model[-1]
        shape = (getattr(head, "nc", None), list(getattr(head, "kpt_shape", [])), getattr(head, "reg_max", None))
        strides = [int(s) for s in getattr(model, "stride", [])]
        if shape != (2, [2, 2], bins) or strides != [8, 16]:
            raise ModelError(
                f"{path}: classes, points, bins {shape} at strides {strides}; expected (2, [2, 2], {bins}) at [8, 16]"
            )
        self._network = detector_net.RawMaps(model.float()).eval()

    def run(self, image: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """The raw maps of one picture, as the ONNX file gives them."""
        with torch.inference_mode():
            return [grid.numpy() for grid in self._network(torch.from_numpy(image))]


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
