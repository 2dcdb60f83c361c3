"""Prints how many cards are named rightly for each weight of their faces.

`TUNING.face_weight` and `TUNING.other_face_doubt` of vision/cards/face_evidence.py rest on it.

    python -m datasets --kind mixed -n 80 --split validation --size 960 --seed 22 --out out/validation
    python tests/bench/face_weight.py out/validation

For each trust in faces and each weight it prints how many cards found are named rightly, and the log loss.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.card_face.data import Scene, read_scene
from models.train.labelled_pictures import find_files
from vision.cards.assembly import assemble_cards
from vision.cards.face_evidence import TUNING, faces_of
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.image import load
from vision.photo_to_table import detect_and_read

NEAR = 0.3
"""A card found lies where a true one does if their middles are so near, in the true one's width."""
TRUSTS = (0.8, 0.9, 0.95, 0.98, 0.99)
WEIGHTS = (0.0, 0.25, 0.5, 0.7, 0.85, 1.0, 1.2)


def matched(table: SeenTable, scene: Scene) -> Iterator[tuple[int, int]]:
    """Cards found, and what lies there."""
    middles, width = scene.quads.mean(1), np.linalg.norm(scene.quads[:, 1] - scene.quads[:, 0], axis=1)
    for number, card in enumerate(table.cards):
        apart = np.linalg.norm(middles - card.quad.mean(0), axis=1) / width
        apart[scene.cards < 0] = np.inf
        if apart.min(initial=np.inf) < NEAR:
            yield number, int(scene.cards[apart.argmin()])


def read_folder(folder: Path) -> tuple[list[tuple[Array, Array]], list[int]]:
    """What indices and faces say of each card, and the truth."""
    said, truth = [], []
    for path in tqdm(find_files([folder]), desc=folder.name):
        image = load(path.with_suffix(".jpg"))
        found = detect_and_read(image)
        table = assemble_cards(found.detections, found.backs, found.reads, found.size)
        if not table.cards:
            continue
        face = faces_of(table, image)
        for number, card in matched(table, read_scene(path)):
            said.append((table.cards[number].log_card, face[number]))
            truth.append(card)
    return said, truth


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="rendered scenes")
    for folder in parser.parse_args().folders:
        said, truth = read_folder(folder)
        indices, face = (np.array(part) for part in zip(*said, strict=True))
        rows = np.arange(len(truth))
        print(f"{folder.name}: {len(truth)} cards found")
        for trust in TRUSTS:
            trusted = np.log1p(np.expm1(face) * trust / (1 - TUNING.other_face_doubt))
            for weight in WEIGHTS:
                log = indices + weight * trusted
                print(f"  faces trusted at {trust:g}, with weight {weight:g}: {described(log, rows, truth)}")


def described(log: Array, rows: Array, truth: list[int]) -> str:
    """Share named rightly and log loss."""
    log = log - np.logaddexp.reduce(log, axis=1)[:, None]
    right = int((log.argmax(1) == truth).sum())
    return f"{right}/{len(truth)} right, log loss {-log[rows, truth].mean():.4f}"


if __name__ == "__main__":
    main()
