"""How well surfaces are told: `python -m models.surface_map.evaluate FOLDER...` of rendered scenes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from models.surface_map.data import surfaces
from models.train.labelled_pictures import find_files, read_image
from plumbing.arguments import command_parser, named_path, run_command
from vision.networks.surface_map import STRIDE, SurfaceMap

CLEAR_SHARE: Final = 0.9
"""A spot is clear if this share of it is of one surface."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.surface_map.evaluate",
        "Measures the map of faces and backs on rendered scenes.",
        "example:\n  python -m models.surface_map.evaluate out/test datasets/samples",
    )
    parser.add_argument("folders", type=named_path, nargs="+", metavar="FOLDER", help="rendered scenes")
    parser.add_argument("--map", type=named_path, metavar="FILE.onnx", help="weights (models/surface_map.onnx)")
    return run_command(_run, parser.parse_args(arguments))


def _run(options: argparse.Namespace) -> int:
    network = SurfaceMap(options.map)
    for folder in options.folders:
        shares = measure(network, [folder])
        print(f"{folder.name}: " + ", ".join(f"{name} {share:.3f}" for name, share in shares.items()), flush=True)
    return 0


def measure(network: SurfaceMap, folders: Sequence[Path]) -> dict[str, float]:
    """How well a file tells surfaces on scenes: the share of spots told right, and each class's overlap with the truth.

    "Right where clear" counts the spots of which at least `CLEAR_SHARE` is of one surface.
    """
    counts = np.zeros((3, 3))
    clear_right = clear = 0
    for path in find_files(folders):
        image, scene = read_image(path.with_suffix(".jpg")), json.loads(path.read_text())
        found = network.see(image)
        h, w = found.probabilities.shape[:2]
        scale = STRIDE / found.spot_px
        wanted = surfaces(scene, scale, (w * STRIDE, h * STRIDE)).transpose(1, 2, 0)
        told, truth = found.probabilities.argmax(2), wanted.argmax(2)
        np.add.at(counts, (truth.ravel(), told.ravel()), 1)
        sure = wanted.max(2) >= CLEAR_SHARE
        clear_right, clear = clear_right + int((told == truth)[sure].sum()), clear + int(sure.sum())
    overlap = np.diag(counts) / (counts.sum(0) + counts.sum(1) - np.diag(counts)).clip(1)
    shares = {"right": float(np.trace(counts) / counts.sum()), "right where clear": clear_right / max(clear, 1)}
    return shares | {f"IoU of {name}": float(v) for name, v in zip(("neither", "face", "back"), overlap, strict=True)}


if __name__ == "__main__":
    sys.exit(main())
