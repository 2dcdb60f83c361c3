"""Prepares pictures for training with the detector's help: `python -m models.index_detector.prepare ...`.

`directions PHOTOS --out DIR` finds out which way the indices of a photo set point. Photo sets with YOLO labels know an
index's box and card but not its direction, and without it neither the reader nor the detector's points can learn from
them. The detector proposes a direction for each labelled box, the other three turns are tried beside it, and the one
in which the reader finds the labelled card most likely is kept; where even that is unlikely, only the index's box can
be learned from. The result is written as scenes (datasets/README.md), which both trainings read.

`negatives DIR ...` finds what the detector takes for an index and is none. The reader has the last word on what the
detector finds, and learns it best from the detector's own errors: court art, textures, lamps, print on objects. They
are written beside each scene (`<name>.negatives.txt`: x and y of both points, px, a line each), where the reader's
training finds them. What is there already is skipped.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models.train.labelled_pictures import INDEX, Sample, find_files, read_image, read_sample
from plumbing.arguments import command_parser, named_path, run_command, whole_number
from plumbing.files import whole_file
from vision.measure.metrics import iou_matrix
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader, upright_crops
from vision.networks.outputs import SPREAD


@dataclass(frozen=True, slots=True)
class Tuning:
    """From which confidence or overlap something is believed.

    Attributes:
        least_proposal: Confidence from which the detector's directions are tried.
        least_overlap: Overlap from which a finding is the labelled index.
        least_card_probability: Probability of the labelled card from which a direction is believed.
        least_finding: Findings of less confidence never reach the reader.
        unlabelled_index: Where labels were made by hand, a finding of which the reader is so sure is an index without a
            label.
        away: How far from every index, in lengths of its box, a wrong finding's middle lies at least.
    """

    least_proposal: float = 0.05
    least_overlap: float = 0.3
    least_card_probability: float = 0.3
    least_finding: float = 0.12
    unlabelled_index: float = 0.9
    away: float = 0.8


TUNING: Final = Tuning()
TURNS: Final = np.deg2rad([0, 90, 180, 270])


def find_directions(
    sample: Sample, image: NDArray[np.uint8], detector: Detector, reader: Reader
) -> dict[int, NDArray[np.float32]]:
    """For each row of `sample` whose direction is found: the centres of rank and suit, (2, 2).

    Args:
        sample: A photo with boxes and cards.
        image: The photo, uint8 RGB.
        detector: Proposes directions.
        reader: Judges them.
    """
    found, _ = detector.detect(image, confidence=TUNING.least_proposal)
    out: dict[int, NDArray[np.float32]] = {}
    if not len(found) or not len(sample):
        return out
    overlap = iou_matrix(sample.boxes, found.boxes)
    for row, card in enumerate(sample.cards):
        best = int(overlap[row].argmax())
        if card is None or overlap[row, best] < TUNING.least_overlap:
            continue
        box = sample.boxes[row]
        axis = found.suit_xy[best] - found.rank_xy[best]
        start = np.arctan2(axis[1], axis[0])
        pairs = []
        for turn in start + TURNS:
            down = np.asarray([np.cos(turn), np.sin(turn)])
            half = down * SPREAD * float((box[2:] - box[:2]).sum()) / float(np.abs(down).sum()) / 2
            pairs.append(np.stack([(box[:2] + box[2:]) / 2 - half, (box[:2] + box[2:]) / 2 + half]))
        points = np.stack(pairs).astype(np.float32)
        reads = reader.read_crops(upright_crops(image, points[:, 0], points[:, 1]))
        score = reads.log_card[:, card.index] + reads.log_index
        choice = int(score.argmax())
        if score[choice] > np.log(TUNING.least_card_probability):
            out[row] = points[choice]
    return out


def label_of(sample: Sample, image: NDArray[np.uint8], points: dict[int, NDArray[np.float32]]) -> dict[str, Any]:
    """A label file for the sample; the two points of an index without direction coincide."""
    cards = []
    for row, card in enumerate(sample.cards):
        x1, y1, x2, y2 = (float(v) for v in sample.boxes[row])
        middle = [(x1 + x2) / 2, (y1 + y2) / 2]
        rank, suit = points[row].tolist() if row in points else (middle, middle)
        # A joker or a back that is labelled like an index: there is something, but nothing to be learned.
        visible = 1.0 if card is not None else 0.4
        index = {"box": [x1, y1, x2, y2], "rank": rank, "suit": suit, "visible": visible}
        name = "AS" if card is None else str(card)
        cards.append({"card": name, "zone": "none", "quad": None, "visible": 1.0, "indices": [index]})
    size = {"width": image.shape[1], "height": image.shape[0]}
    head = {"image": size, "game": None, "deck": f"photos/{sample.source}", "split": "train", "seed": 0}
    return head | {"cards": cards, "position": None}


def negatives_file(path: Path) -> Path:
    """The file for the wrong findings of a sample, beside its label file."""
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
    found, _ = detector.detect(image, confidence=TUNING.least_finding)
    pairs = np.stack([found.rank_xy, found.suit_xy], axis=1).astype(np.float32).reshape(-1, 2, 2)
    boxes = sample.boxes[sample.kind == INDEX]
    if not len(pairs) or not len(boxes):
        return pairs
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    reach = TUNING.away * (boxes[:, 2:] - boxes[:, :2]).max(1)
    apart = np.linalg.norm(pairs.mean(1)[:, None] - middles[None], axis=-1)
    return np.asarray(pairs[(apart > reach).all(1)])


def are_surely_indices(pairs: NDArray[np.float32], image: NDArray[np.uint8], reader: Reader) -> NDArray[np.bool_]:
    """Mask (n,) of the wrong findings (n, 2, 2) of which the reader is sure that they are an index."""
    reads = reader.read_crops(upright_crops(image, pairs[:, 0], pairs[:, 1]))
    return np.asarray(reads.log_index + reads.log_card.max(axis=1, initial=-50.0) > np.log(TUNING.unlabelled_index))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.index_detector.prepare",
        "Prepare pictures for training with the detector's help.",
        "examples:\n  python -m models.index_detector.prepare directions photos/my_deck --out out/my_deck\n"
        "  python -m models.index_detector.prepare negatives out/train --most 1000\n"
        "  python -m models.index_detector.prepare negatives out/photos --by-hand",
    )
    parts = parser.add_subparsers(metavar="directions|negatives", required=True)
    directions = parts.add_parser("directions", help="turn photo sets with YOLO labels into scenes")
    directions.set_defaults(work=_write_directions)
    add = directions.add_argument
    add("photos", type=named_path, nargs="+", metavar="PHOTOS", help="folders with images/ labels/ classes.txt")
    add("--out", type=named_path, required=True, metavar="DIR", help="folder for the scenes")

    negatives = parts.add_parser("negatives", help="find what the detector takes for an index and is none")
    negatives.set_defaults(work=_write_negatives)
    add = negatives.add_argument
    add("folders", type=named_path, nargs="+", metavar="DIR", help="rendered scenes, or what `directions` wrote")
    add(
        "--most",
        type=whole_number(1, 10**9),
        default=10**9,
        metavar="N",
        help="N pictures of each folder, evenly chosen",
    )
    add("--by-hand", action="store_true", help="labels may have missed indices: leave out what the reader is sure of")
    add("--detector", type=named_path, metavar="FILE.onnx", help="weights (models/index_detector.onnx)")

    return run_command(lambda options: options.work(options), parser.parse_args(arguments))


def _with_bar(files: Iterable[Path], name: str) -> Iterable[Path]:
    return tqdm(files, desc=name, unit="picture", disable=not sys.stderr.isatty(), file=sys.stderr)


def _write_directions(options: argparse.Namespace) -> int:
    detector, reader = Detector(), Reader()
    files = find_files(options.photos)
    options.out.mkdir(parents=True, exist_ok=True)
    known = total = 0
    for path in _with_bar(files, "directions"):
        sample = read_sample(path)
        image = read_image(sample.path)
        points = find_directions(sample, image, detector, reader)
        known, total = known + len(points), total + sum(card is not None for card in sample.cards)
        name = f"{sample.source}-{path.stem}"
        shutil.copyfile(sample.path, options.out / f"{name}.jpg")
        with whole_file(options.out / f"{name}.json") as part:
            part.write_text(json.dumps(label_of(sample, image, points)))
    print(f"{len(files)} photos; the direction of {known} of {total} indices was found")
    return 0


def _write_negatives(options: argparse.Namespace) -> int:
    count = pictures = 0
    detector, reader = Detector(options.detector), Reader()
    for folder in options.folders:
        files = find_files([folder])
        files = files[:: max(1, -(-len(files) // options.most))]
        for path in _with_bar(files, folder.name):
            if negatives_file(path).is_file():
                continue
            sample = read_sample(path)
            image = read_image(sample.path)
            wrong = wrong_findings(sample, image, detector)
            if options.by_hand:
                wrong = wrong[~are_surely_indices(wrong, image, reader)]
            with whole_file(negatives_file(path)) as part:
                np.savetxt(part, wrong.reshape(-1, 4), fmt="%.1f")
            count, pictures = count + len(wrong), pictures + 1
    print(f"{count} wrong findings in {pictures} pictures", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
