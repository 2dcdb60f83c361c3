"""Blends two exported networks of one shape: `python -m models.train.blend FIRST.onnx SECOND.onnx --share 0.75 ...`.

Weights that were trained on from shipped ones, on what those did not know, read that better and the rest a little
worse. Between the two lies often one that keeps both (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from models.train.export import read_onnx
from plumbing.arguments import command_parser, named_path, number, run_command, written_file
from plumbing.files import whole_file
from vision.networks.runtime import ModelError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.train.blend",
        "Blends the weights of two exported networks, the second one trained on from the first.",
        "example:\n  python -m models.train.blend models/index_reader.onnx out/reader.onnx --share 0.75 "
        "--out out/blend.onnx",
    )
    parser.add_argument("first", type=named_path, metavar="FIRST.onnx", help="the weights that were trained on")
    parser.add_argument("second", type=named_path, metavar="SECOND.onnx", help="what became of them, not calibrated")
    parser.add_argument("--share", type=number(0, 1), default=0.5, help="of the second, 0 to 1 (0.5)")
    parser.add_argument("--out", type=written_file, required=True, metavar="FILE.onnx", help="where the blend goes")
    return run_command(_run, parser.parse_args(arguments))


def _run(options: argparse.Namespace) -> int:
    model = blended(options.first, options.second, options.share)
    with whole_file(options.out) as part:
        part.write_bytes(model.SerializeToString())
    print(f"wrote {options.out}", file=sys.stderr)
    return 0


def blended(first: Path, second: Path, share: float) -> onnx.ModelProto:
    """The second network with weights of which `share` is its own and the rest the first one's.

    Raises:
        ModelError: If a file is none, or the two are not of one shape.
    """
    given, model = read_onnx(first), read_onnx(second)
    others = {part.name: numpy_helper.to_array(part) for part in given.graph.initializer}
    for part in model.graph.initializer:
        own = numpy_helper.to_array(part)
        other = others.get(part.name)
        if other is None or other.shape != own.shape:
            raise ModelError(f"{first}: another network than {second}, at {part.name}; expected two of one shape")
        if own.dtype == np.float32:
            mixed = (share * own + (1 - share) * other).astype(np.float32)
            part.CopyFrom(numpy_helper.from_array(mixed, part.name))
    return model


if __name__ == "__main__":
    sys.exit(main())
