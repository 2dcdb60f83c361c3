"""How well face-down cards are counted: `python -m models.back_counter.evaluate FOLDER...` of Klondike tables.

Strips are cut as wrongly as the parser may cut them. Columns are told apart by how much each back shows, down to
nothing: there no photo tells the number, and a good counter says so by giving no count a high probability.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.back_counter.data import Column, perturbed_quad, read_columns
from models.train.labelled_pictures import DataError, find_files, read_image
from plumbing.arguments import command_parser, named_path, run_command
from vision.confidence import PART_SURE_FROM
from vision.measure.metrics import expected_calibration_error, proportion
from vision.networks.back_counter import BackCounter

Floats = NDArray[np.float64]

STRIP_LIMITS_WIDTHS: Final = (0.0, 0.006, 0.03, 0.06, 0.1, 1.0)
"""Limits of what a back shows, card widths; a millimetre is 0.016 to 0.018."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.back_counter.evaluate",
        "Measures the counter of face-down cards on rendered Klondike tables.",
        "example:\n  python -m models.back_counter.evaluate out/thin out/klondike",
    )
    parser.add_argument("folders", type=named_path, nargs="+", metavar="FOLDER", help="rendered Klondike tables")
    parser.add_argument("--counter", type=named_path, metavar="FILE.onnx", help="weights (models/back_counter.onnx)")
    return run_command(_run, parser.parse_args(arguments))


def _run(options: argparse.Namespace) -> int:
    counter = BackCounter(options.counter)
    for folder in options.folders:
        print("\n".join(report(folder.name, *count_strips(folder, counter))), flush=True)
    return 0


def count_strips(folder: Path, counter: BackCounter) -> tuple[Floats, NDArray[np.int64], Floats]:
    """What the counter says of all columns that hide cards, on the tables of a folder.

    Returns:
        Log-probabilities (n, MOST + 1), the true counts (n,) and what a back of each column shows, card widths (n,).

    Raises:
        DataError: Where no table hides a card.
    """
    rng = np.random.default_rng(0)
    said: list[Floats] = []
    there: list[int] = []
    steps: list[float] = []
    for path in find_files([folder]):
        columns = read_columns(path)
        hides = [number for number, column in enumerate(columns) if len(column.tops)]
        if hides:
            image = read_image(path.with_suffix(".jpg"))
            quads = np.stack([perturbed_quad(column, rng) for column in columns])
            said.append(counter.count(image, quads)[hides])
            there += [len(columns[number].tops) for number in hides]
            steps += [_strip_height(columns[number]) for number in hides]
    if not said:
        raise DataError(f"{folder}: no face-down cards; expected scenes of `python -m datasets --game klondike`")
    return np.concatenate(said), np.asarray(there), np.asarray(steps)


def _strip_height(column: Column) -> float:
    """Height of the visible strip of a column's backs, in card widths, the median."""
    ends = np.concatenate([column.tops, column.face[:2].mean(axis=0, keepdims=True)])
    width = np.linalg.norm(column.face[1] - column.face[0])
    return float(np.median(np.linalg.norm(np.diff(ends, axis=0), axis=1)) / width)


def report(name: str, said: Floats, there: NDArray[np.int64], steps: Floats) -> list[str]:
    """The lines to print: counts right, log loss and calibration, for all columns and by the height of the strips."""
    best, sure = said.argmax(1), np.exp(said.max(1))
    right = best == there
    loss = -said[np.arange(len(there)), there]
    lines = [
        f"{name}: {len(there)} columns that hide cards",
        f"  counts right: {proportion(int(right.sum()), len(right))}, log loss {loss.mean():.3f}",
        f"  expected calibration error of the count: {expected_calibration_error(sure, right):.3f}",
        f"  right of those said with {PART_SURE_FROM:.0%} or more: {_share(right, sure >= PART_SURE_FROM)}",
    ]
    for low, high in itertools.pairwise(STRIP_LIMITS_WIDTHS):
        part = (steps >= low) & (steps < high)
        if part.any():
            lines.append(
                f"  backs that show {low:g} to {high:g} widths: right {_share(right, part)}, log loss "
                f"{loss[part].mean():.3f}, mean confidence {sure[part].mean():.2f}, said with "
                f"{PART_SURE_FROM:.0%} or more: right {_share(right, part & (sure >= PART_SURE_FROM))}"
            )
    return lines


def _share(right: NDArray[np.bool_], part: NDArray[np.bool_]) -> str:
    return proportion(int(right[part].sum()), int(part.sum()))


if __name__ == "__main__":
    sys.exit(main())
