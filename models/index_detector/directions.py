"""Finds out which way the indices of a photo set point: `python -m models.index_detector.directions PHOTOS --out DIR`.

Photo sets with YOLO labels know an index's box and card but not its direction, and without it neither the reader nor
the detector's points can learn from them. The detector proposes a direction for each labelled box, the other three
turns are tried beside it, and the one in which the reader finds the labelled card most likely is kept; where even
that is unlikely, only the index's box can be learned from. The result is written as scenes (datasets/README.md), which
both trainings read.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models.train.pictures import Sample, find_files, read_image, read_sample
from plumbing.arguments import command_parser, named_path, run_command
from plumbing.files import whole_file
from vision.measure.metrics import iou_matrix
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader, upright_crops
from vision.networks.outputs import SPREAD

LIKELY: Final = 0.3
"""Smallest probability of the labelled card at which a direction is believed."""
TURNS: Final = np.deg2rad([0, 90, 180, 270])


def directed(
    sample: Sample, image: NDArray[np.uint8], detector: Detector, reader: Reader
) -> dict[int, NDArray[np.float32]]:
    """Rank and suit centre (2, 2) of each row of `sample` whose direction is found.

    Args:
        sample: A photo with boxes and cards.
        image: The photo, uint8 RGB.
        detector: Proposes directions.
        reader: Judges them.
    """
    found, _ = detector.detect(image, confidence=0.05)
    out: dict[int, NDArray[np.float32]] = {}
    if not len(found) or not len(sample):
        return out
    overlap = iou_matrix(sample.boxes, found.boxes)
    for row, card in enumerate(sample.cards):
        best = int(overlap[row].argmax())
        if card is None or overlap[row, best] < 0.3:
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
        if score[choice] > np.log(LIKELY):
            out[row] = points[choice]
    return out


def scene(sample: Sample, image: NDArray[np.uint8], points: dict[int, NDArray[np.float32]]) -> dict[str, Any]:
    """The sample as a scene; the two points of an index without direction coincide."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.index_detector.directions",
        "Turn photo sets with YOLO labels into scenes.",
        "example:\n  python -m models.index_detector.directions photos/my_deck --out out/my_deck",
    )
    parser.add_argument(
        "photos", type=named_path, nargs="+", metavar="PHOTOS", help="folders with images/ labels/ classes.txt"
    )
    parser.add_argument("--out", type=named_path, required=True, metavar="DIR", help="folder for the scenes")
    return run_command(_run, parser.parse_args(arguments))


def _run(options: argparse.Namespace) -> int:
    detector, reader = Detector(), Reader()
    files = find_files(options.photos)
    options.out.mkdir(parents=True, exist_ok=True)
    known = total = 0
    for path in tqdm(files, unit="photo", disable=not sys.stderr.isatty(), file=sys.stderr):
        sample = read_sample(path)
        image = read_image(sample.path)
        points = directed(sample, image, detector, reader)
        known, total = known + len(points), total + sum(card is not None for card in sample.cards)
        name = f"{sample.source}-{path.stem}"
        shutil.copyfile(sample.path, options.out / f"{name}.jpg")
        with whole_file(options.out / f"{name}.json") as part:
            part.write_text(json.dumps(scene(sample, image, points)))
    print(f"{len(files)} photos; the direction of {known} of {total} indices was found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
