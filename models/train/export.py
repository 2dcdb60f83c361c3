"""The one way to ONNX: torch's exporter that needs no further package, with its notice of age kept quiet.

`to_int8` makes such a file smaller and faster on processors with 8-bit instructions.
"""

from __future__ import annotations

import logging
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray

from plumbing.files import whole_file
from vision.networks.runtime import ModelError, Network


def to_onnx(
    model: Any, example: torch.Tensor, path: Path, kind: type[Network], free: Mapping[str, Any] | None = None
) -> None:
    """Writes `model` as ONNX, for a kind of network to read with.

    Args:
        model: A module of one input.
        example: An input.
        path: File to be written.
        kind: What takes and gives the same.
        free: For each input or output the axes that may have any length, as torch's `dynamic_axes`; the first axis of
            all by default.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), whole_file(path) as part:
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            model.cpu().float().eval(),
            (example,),
            str(part),
            opset_version=17,
            dynamo=False,
            input_names=[kind.takes],
            output_names=list(kind.gives),
            dynamic_axes=dict(free or {name: {0: "n"} for name in (kind.takes, *kind.gives)}),
        )


def read_onnx(path: Path) -> onnx.ModelProto:
    """An ONNX file. Raises ModelError where it is none."""
    try:
        return onnx.load(str(path))
    except Exception as error:  # whatever the parser makes of a file that is none
        raise ModelError(f"{path}: no ONNX file ({error})") from error


def to_int8(path: Path, inputs: Sequence[NDArray[np.uint8]]) -> None:
    """Replaces the weights and activations of an ONNX file by 8-bit ones; its inputs and outputs stay what they are.

    Args:
        path: The file, changed in place.
        inputs: Typical inputs, from which the ranges of the activations are measured.
    """
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(quantization.CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left: Iterator[NDArray[np.uint8]] = iter(inputs)

        def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
            given = next(self.left, None)
            return None if given is None else {name: given}

    name = str(read_onnx(path).graph.input[0].name)
    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        ready, done = Path(folder) / "ready.onnx", Path(folder) / "done.onnx"
        quant_pre_process(str(path), str(ready), skip_symbolic_shape=True)
        quantization.quantize_static(
            str(ready),
            str(done),
            Reader(),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )
        with whole_file(path) as part:
            part.write_bytes(done.read_bytes())
