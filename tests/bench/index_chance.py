"""Fits and prints the weights `index_weights` of vision/cards/assembly/tuning.py: how likely a detection is an index.

    python -m datasets --kind mixed -n 80 --split validation --size 960 --seed 7 --out out/validation
    python tests/bench/index_chance.py out/validation PHOTOS/black_deck_phone

Half of the pictures are fitted, the other half tells the log loss and the calibration. Photos with YOLO labels show
clutter that no scene has: keyboards with lit keys, screens, print.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from tqdm import tqdm

from solver.cards import DECK
from vision.cards.assembly import TUNING, assemble_cards
from vision.cards.assembly.index_chance import evidence
from vision.image import RGB, load, photos_in
from vision.measure.labels import PhotoTruth, truth_of
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader
from vision.networks.outputs import Backs, Detections

Array = NDArray[np.float64]

NEAR = 0.6
"""A detection whose two points lie this near to the truth's (in lengths of the index) is right."""
RIDGE = 1e-4


def looked_at(image: RGB, detector: Detector, reader: Reader) -> tuple[Detections, NDArray[np.str_], Array]:
    """What was found in a picture, each finding's best card and its evidence (n, 8)."""
    found, _ = detector.detect(image)
    reads = reader.read(image, found)
    seen = assemble_cards(found, Backs.empty(), reads, (image.shape[1], image.shape[0]))
    parts = evidence(found, reads, seen.plane if len(seen.cards) >= TUNING.enough_indices else None)
    return found, np.array([str(DECK[k]) for k in reads.log_card.argmax(axis=1)]), parts


def scene(truth: Path, detector: Detector, reader: Reader) -> tuple[Array, Array]:
    """Evidence (n, 8) and whether each detection is an index read right.

    A clear index read wrong counts as neither: that there is a card is true; of a half hidden one nothing is.
    """
    image = load(truth.with_suffix(".jpg"))
    found, best, parts = looked_at(image, detector, reader)
    if not len(found.boxes):
        return parts, np.zeros(0)
    cards = json.loads(truth.read_text(encoding="utf-8"))["cards"]
    indices = [i | {"card": card["card"]} for card in cards for i in card["indices"]]
    if not indices:
        return parts, np.zeros(len(found.boxes))
    rank, suit = (np.array([i[key] for i in indices], dtype=float) for key in ("rank", "suit"))
    visible = np.array([i["visible"] for i in indices])
    length = np.linalg.norm(found.suit_xy - found.rank_xy, axis=1)
    apart = np.linalg.norm(found.rank_xy[:, None] - rank[None], axis=-1)
    apart = np.maximum(apart, np.linalg.norm(found.suit_xy[:, None] - suit[None], axis=-1)) / length[:, None]
    nearest = apart.argmin(axis=1)
    near = apart.min(axis=1) < NEAR
    same = np.array([card == indices[n]["card"] for card, n in zip(best, nearest, strict=True)])
    right = near & same
    counts = ~near | same | (visible[nearest] < 0.5)
    return parts[counts], right[counts].astype(float)


def photo(path: Path, truth: PhotoTruth, detector: Detector, reader: Reader) -> tuple[Array, Array]:
    """The same for a photo whose indices have labelled boxes."""
    image = load(path)
    found, best, parts = looked_at(image, detector, reader)
    if not len(found.boxes):
        return parts, np.zeros(0)
    middle = (found.boxes[:, :2] + found.boxes[:, 2:]) / 2
    near, right = np.zeros(len(best), bool), np.zeros(len(best), bool)
    for card in truth.cards:
        for box in np.asarray(card.boxes, float).reshape(-1, 4):
            inside = ((middle > box[:2]) & (middle < box[2:])).all(axis=1)
            near |= inside
            right |= inside & (best == str(card.card))
    counts = ~near | right
    return parts[counts], right[counts].astype(float)


def pictures(folder: Path, detector: Detector, reader: Reader) -> list[tuple[Array, Array]]:
    """Evidence and what is right in each picture of a folder of scenes or of a photo set."""
    if (folder / "classes.txt").is_file():
        truths = [(path, truth_of(path, load(path).shape[1::-1])) for path in photos_in(folder)]
        return [photo(path, truth, detector, reader) for path, truth in tqdm(truths, disable=None) if truth]
    return [scene(truth, detector, reader) for truth in tqdm(sorted(folder.glob("*.json")), disable=None)]


def loss(weights: Array, parts: Array, right: Array) -> float:
    return float(np.logaddexp(0, -(2 * right - 1) * (parts @ weights)).mean() + RIDGE * (weights**2).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="DIR", help="scenes of validation decks, photo sets with YOLO labels"
    )
    folders = parser.parse_args().folders
    detector, reader = Detector(), Reader()
    found = [pictures(folder, detector, reader) for folder in folders]
    halves = [
        [np.concatenate(part) for part in zip(*(one for each in found for one in each[k::2]), strict=True)]
        for k in (0, 1)
    ]
    fitted = minimize(loss, np.zeros(len(TUNING.index_weights)), args=tuple(halves[0])).x
    parts, right = halves[1]
    print(f"index_weights: {', '.join(f'{weight:.2f}' for weight in fitted)}")
    print(f"log loss: fitted half {loss(fitted, *halves[0]):.3f}, other half {loss(fitted, parts, right):.3f}")
    chance = 1 / (1 + np.exp(-(parts @ fitted)))
    for folder, each in zip(folders, found, strict=True):
        there, true = (np.concatenate(part) for part in zip(*each[1::2], strict=True))
        taken = there @ fitted >= 0
        print(
            f"{folder.name}: {(taken & (true == 0)).sum()} wrong taken, {(~taken & (true == 1)).sum()} right left out"
        )
    for low in np.arange(0, 1, 0.2):
        within = (chance >= low) & (chance < low + 0.2)
        if within.any():
            print(f"chance {low:.1f} to {low + 0.2:.1f}: {right[within].mean():.2f} of {within.sum()} are indices")


if __name__ == "__main__":
    main()
