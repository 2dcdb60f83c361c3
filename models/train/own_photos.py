"""Teaching the reader or the detector photos of one's own: which of them are kept for measuring, and what it did.

Whoever trains on a few photos of one deck wants to know two things: is that deck read better now, on photos that the
training did not see, and is any other deck read worse? The first is told by photos held out, the second by the samples
that come with the project.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from models.train.index_evaluate import Tally, measured
from models.train.labelled_pictures import DataError, find_files
from vision.image import load
from vision.measure.labels import truth_of
from vision.measure.metrics import proportion
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader
from vision.networks.runtime import MODELS

HELD_OUT: Final = 0.25
"""Share of the photos that is kept for measuring."""
SAMPLES: Final = MODELS.parent / "datasets" / "samples"
Weights = Mapping[str, Path]
"""The files of `detector` and `reader`, which read a photo."""
SHIPPED: Final = {"detector": MODELS / "index_detector.onnx", "reader": MODELS / "index_reader.onnx"}


def split_files(folders: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Splits label files into those to train on and those to measure with; always in the same way.

    Raises:
        DataError: For fewer than two photos.
    """
    files = sorted(find_files(folders), key=lambda path: hashlib.sha256(path.stem.encode()).hexdigest())
    if len(files) < 2:
        raise DataError(f"{folders[0]}: {len(files)} labelled photo; expected two or more, one to measure with")
    count = max(1, round(HELD_OUT * len(files)))
    return files[count:], files[:count]


def describe_effect(before: Weights, after: Weights, held_out: Sequence[Path]) -> list[str]:
    """Lines that compare held-out photos and samples before and after a training."""
    lines = []
    for name, files, whole in (("held-out photos", held_out, False), ("shipped samples", find_files([SAMPLES]), True)):
        tallies = [measured(files, (Detector(w["detector"]), Reader(w["reader"]))) for w in (before, after)]
        lines += [f"{name} ({len(files)}):", *_compare(tallies[0], tallies[1])]
        if whole:
            exact = [_exact(files, w) for w in (before, after)]
            lines.append(f"  whole positions right: {exact[0]} before, {exact[1]} after, of {len(files)}")
    return lines


def _compare(before: Tally, after: Tally) -> list[str]:
    def line(what: str, shares: Sequence[str]) -> str:
        return f"  {what}: {shares[0]} before, {shares[1]} after"

    tallies = before, after
    reads = [name for name in ("card", "rank", "suit") if all(name in tally.read for tally in tallies)]
    lines = [
        line(f"{name} of an index right", [proportion(t.read[name].right, t.read[name].found) for t in tallies])
        for name in reads
    ]
    lines.append(line("recall of visible cards", [proportion(t.cards.right, t.cards.wanted) for t in tallies]))
    lines.append(line("precision of visible cards", [proportion(t.cards.right, t.cards.found) for t in tallies]))
    return lines


def _exact(files: Sequence[Path], weights: Weights) -> int:
    """How many photos are read to the right position with these networks."""
    from vision.cards.suit_place import read_indices
    from vision.measure.one_photo import is_exact
    from vision.photo_to_reading import read_findings
    from vision.photo_to_table import Findings

    detector, reader = Detector(weights["detector"]), Reader(weights["reader"])
    right = 0
    for file in files:
        image = load(file.with_suffix(".jpg"))
        size = (image.shape[1], image.shape[0])
        truth = truth_of(file.with_suffix(".jpg"), size)
        found, backs = detector.detect(image)
        found, reads = read_indices(reader, image, found)
        assert truth is not None, "each sample has its label"
        reading = read_findings([Findings(found, backs, reads, size, image)], truth.game)
        right += is_exact(reading, truth)
    return right
