"""The one way to ONNX: torch's exporter that needs no further package, with its notice of age kept quiet."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch


def to_onnx(
    model: Any, example: torch.Tensor, path: Path, *, name: str, outputs: Sequence[str], free: Mapping[str, Any]
) -> None:
    """Writes `model` as ONNX.

    Args:
        model: A module of one input.
        example: An input.
        path: File to be written.
        name: Name of the input.
        outputs: Names of the outputs.
        free: For each input or output the axes that may have any length, as torch's `dynamic_axes`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            model.eval(),
            (example,),
            str(path),
            opset_version=17,
            dynamo=False,
            input_names=[name],
            output_names=list(outputs),
            dynamic_axes=dict(free),
        )
