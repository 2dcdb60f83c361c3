"""Finds what the detector takes for an index and is none: `python -m models.index_detector.negatives DIR ...`.

The reader has the last word on what the detector finds, and learns it best from the detector's own errors: court art,
textures, lamps, print on objects. They are written beside each scene (`<name>.negatives.txt`: x and y of both points,
px, a line each), where the reader's training finds them. What is there already is skipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models.train.pictures import INDEX, Sample, find_files, read_image, read_sample
from plumbing.arguments import command_parser, named_path, run_command, whole_number
from plumbing.files import whole_file
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader, upright_crops

CONFIDENCE: Final = 0.12
"""Findings below it never reach the reader."""
UNLABELLED_INDEX: Final = 0.9
"""Where labels were made by hand, a finding that the reader is so sure of is an index that nobody labelled."""
AWAY: Final = 0.8
"""How far from every index, in lengths of its box, a wrong finding's middle lies at least."""


def negatives_file(path: Path) -> Path:
    """Where the wrong findings of a sample's label file lie."""
    return path.with_suffix(".negatives.txt")


def read_negatives(path: Path) -> NDArray[np.float32]:
    """Wrong findings beside a label file: (n, 2, 2) pairs of points, px; none where nobody looked.

    Args:
        path: The label file.
    """
    file = negatives_file(path)
    values = np.loadtxt(file, dtype=np.float32, ndmin=2) if file.is_file() and file.stat().st_size else np.zeros((0, 4))
    return np.asarray(values, np.float32).reshape(-1, 2, 2)


def wrong_findings(sample: Sample, image: NDArray[np.uint8], detector: Detector) -> NDArray[np.float32]:
    """Pairs of points (n, 2, 2), px, of findings far from every index of `sample`, half hidden ones included."""
    found, _ = detector.detect(image, confidence=CONFIDENCE)
    pairs = np.stack([found.rank_xy, found.suit_xy], axis=1).astype(np.float32).reshape(-1, 2, 2)
    boxes = sample.boxes[sample.kind == INDEX]
    if not len(pairs) or not len(boxes):
        return pairs
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    reach = AWAY * (boxes[:, 2:] - boxes[:, :2]).max(1)
    apart = np.linalg.norm(pairs.mean(1)[:, None] - middles[None], axis=-1)
    return np.asarray(pairs[(apart > reach).all(1)])


def unlabelled(pairs: NDArray[np.float32], image: NDArray[np.uint8], reader: Reader) -> NDArray[np.bool_]:
    """Which wrong findings (n, 2, 2) the reader surely takes for an index."""
    reads = reader.read_crops(upright_crops(image, pairs[:, 0], pairs[:, 1]))
    return np.asarray(reads.log_index + reads.log_card.max(axis=1, initial=-50.0) > np.log(UNLABELLED_INDEX))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.index_detector.negatives",
        "Finds what the detector takes for an index and is none, for the reader's training.",
        "examples:\n  python -m models.index_detector.negatives out/train --most 1000\n"
        "  python -m models.index_detector.negatives out/photos --by-hand",
    )
    add = parser.add_argument
    add(
        "folders",
        type=named_path,
        nargs="+",
        metavar="DIR",
        help="rendered scenes, or photos made scenes by ...directions",
    )
    add(
        "--most",
        type=whole_number(1, 10**9),
        default=10**9,
        metavar="N",
        help="only N pictures of each folder, evenly chosen",
    )
    add(
        "--by-hand",
        action="store_true",
        help="the labels may have missed indices: leave out what the reader is sure of",
    )
    add("--detector", type=named_path, metavar="FILE.onnx", help="weights (models/index_detector.onnx)")
    return run_command(_run, parser.parse_args(arguments))


def _run(options: argparse.Namespace) -> int:
    count = pictures = 0
    detector, reader = Detector(options.detector), Reader()
    for folder in options.folders:
        files = find_files([folder])
        files = files[:: max(1, -(-len(files) // options.most))]
        for path in tqdm(files, desc=folder.name, unit="picture", disable=not sys.stderr.isatty()):
            if negatives_file(path).is_file():
                continue
            sample = read_sample(path)
            image = read_image(sample.path)
            wrong = wrong_findings(sample, image, detector)
            if options.by_hand:
                wrong = wrong[~unlabelled(wrong, image, reader)]
            with whole_file(negatives_file(path)) as part:
                np.savetxt(part, wrong.reshape(-1, 4), fmt="%.1f")
            count, pictures = count + len(wrong), pictures + 1
    print(f"{count} wrong findings in {pictures} pictures", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
