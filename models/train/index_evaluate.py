"""How good the two networks are by themselves: `python -m models.train.index_evaluate [options] FOLDER...`.

A folder holds rendered scenes (`NAME.json` beside `NAME.jpg`) or a photo set with YOLO labels of indices
(`classes.txt`, `images/`, `labels/`). Whole positions, and photos with labels of whole cards, are judged by
`python -m vision.evaluate`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.decks.index_conventions import convention_of
from models.train.labelled_pictures import BACK, INDEX, Sample, find_files, read_image, read_sample
from plumbing.arguments import command_parser, named_path, number, run_command, whole_number
from solver.cards import DECK, RANK_CHARS, SUIT_CHARS, Card, Rank
from vision.cards.suit_place import read_indices
from vision.measure.metrics import Matches, Rates, card_rates, expected_calibration_error, iou_matrix, proportion
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader
from vision.networks.outputs import Backs, Detections, Reads

LEAST_OVERLAP: Final = {"scene": 0.5, "photo": 0.35}
"""Overlap that counts; hand-drawn boxes of photos are looser than those of scenes."""
SIZE_LIMITS_PX: Final = (0, 14, 18, 24, 36, 60, 10_000)
CONFIDENCE: Final = 0.25
FOUND_FROM: Final = 0.5
"""A card counts as found if index confidence times the reader's 'is an index' reaches this."""


Networks = tuple[Detector, Reader]


@dataclass(slots=True)
class Tally:
    """What has been counted in one folder."""

    pictures: int = 0
    index: list[Matches] = field(default_factory=list)
    back: list[Matches] = field(default_factory=list)
    by_size: dict[int, list[Matches]] = field(default_factory=dict)
    read: dict[str, Rates] = field(default_factory=dict)
    confused: Counter[str] = field(default_factory=Counter)
    sure: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    cards: Rates = field(default_factory=Rates)
    exact: int = 0
    on_backs: int = 0
    backs: int = 0
    seconds: list[tuple[float, float]] = field(default_factory=list)
    worst: list[tuple[int, str]] = field(default_factory=list)

    def reads(self, name: str, right: bool) -> None:
        """Counts one reading of a kind."""
        self.read[name] = self.read.get(name, Rates()) + Rates(int(right), 1, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = command_parser(
        "models.train.index_evaluate",
        "Measures detector and reader on labelled pictures.",
        "example:\n  python -m models.train.index_evaluate out/test photos/white_deck_webcam --worst 5",
    )
    add = parser.add_argument
    add("folders", type=named_path, nargs="+", metavar="FOLDER", help="scenes, or photos with YOLO labels")
    add("--detector", type=named_path, metavar="FILE.onnx", help="weights of the detector (models/index_detector.onnx)")
    add("--reader", type=named_path, metavar="FILE.onnx", help="weights of the reader (models/index_reader.onnx)")
    add("--most", type=whole_number(1, 10**9), metavar="N", help="only the first N pictures of each folder")
    add(
        "--confidence",
        type=number(0, 1),
        default=CONFIDENCE,
        help=f"indices below it are dropped ({CONFIDENCE})",
    )
    add("--worst", type=whole_number(0, 10**9), default=0, metavar="N", help="name the N pictures with most mistakes")
    return run_command(_run, parser.parse_args(arguments))


def _run(options: argparse.Namespace) -> int:
    networks = Detector(options.detector), Reader(options.reader)
    for folder in options.folders:
        print("\n".join(_report(folder, _measure(folder, networks, options), options.worst)), flush=True)
    return 0


def _measure(folder: Path, networks: Networks, options: argparse.Namespace) -> Tally:
    files = find_files([folder])[: options.most]
    bar = tqdm(files, desc=folder.name, unit="picture", disable=not sys.stderr.isatty(), file=sys.stderr)
    return measured(bar, networks, options.confidence)


def measured(files: Iterable[Path], networks: Networks, confidence: float = CONFIDENCE) -> Tally:
    """What detector and reader find and read on the pictures of these label files.

    Args:
        files: Label files of scenes or YOLO (`.txt`).
        networks: The two networks.
        confidence: Indices below it are dropped.
    """
    tally = Tally()
    for path in files:
        sample = read_sample(path)
        kept, reads, backs, every = _detect_and_read(tally, read_image(sample.path), networks, confidence)
        _count_indices(tally, sample, every, backs)
        _count_reads(tally, sample, kept, reads)
        _count_on_backs(tally, sample, kept, reads)
        _count_cards(tally, sample, kept, reads)
    return tally


def _detect_and_read(
    tally: Tally, image: NDArray[np.uint8], networks: Networks, confidence: float
) -> tuple[Detections, Reads, Backs, Detections]:
    """Indices from `confidence` on, their reads, backs, and all indices; adds the time to the tally."""
    begin = time.thread_time()
    detections, backs = networks[0].detect(image, confidence=0.02, back_confidence=0.02)
    middle = time.thread_time()
    kept, reads = read_indices(networks[1], image, detections[detections.confidence >= confidence])
    tally.seconds.append((middle - begin, time.thread_time() - middle))
    tally.pictures += 1
    return kept, reads, backs, detections


def _count_indices(tally: Tally, sample: Sample, found: Detections, backs: Backs) -> None:
    iou = LEAST_OVERLAP["scene" if sample.path.with_suffix(".json").is_file() else "photo"]
    for kind, boxes, score, matches in (
        (INDEX, found.boxes, found.confidence, tally.index),
        (BACK, backs.boxes, backs.confidence, tally.back),
    ):
        rows = sample.kind == kind
        matches.append(Matches.of(boxes, score, sample.boxes[rows], sample.ignore[rows], iou))
    rows = sample.kind == INDEX
    sides = (sample.boxes - np.tile(sample.boxes[:, :2], 2))[rows, 2:].max(1, initial=0)
    for low, high in itertools.pairwise(SIZE_LIMITS_PX):
        other = (sides < low) | (sides >= high) | sample.ignore[rows]
        if not other.all():
            part = Matches.of(found.boxes, found.confidence, sample.boxes[rows], other, iou)
            tally.by_size.setdefault(low, []).append(part)


def _count_reads(tally: Tally, sample: Sample, found: Detections, reads: Reads) -> None:
    """Counts which of the indices that were found are read right."""
    if not len(sample) or not len(found):
        return
    convention = convention_of(sample.source)
    for row, (card, overlap) in enumerate(zip(sample.cards, iou_matrix(sample.boxes, found.boxes), strict=True)):
        if card is None or sample.ignore[row]:
            continue
        place = int(overlap.argmax())
        is_found, is_index = bool(overlap[place] >= 0.35), bool(reads.log_index[place] > np.log(0.5))
        if convention and sample.rank_seen[row] and sample.suit_seen[row]:
            right = is_found and is_index and reads.log_card[place].argmax() == card.index
            tally.reads(f"'{convention}': card found and", bool(right))
        if is_found:
            tally.reads("is an index", is_index)
            _count_read(tally, sample, row, card, reads, place)
            _count_points(tally, sample, row, found, place)


def _count_read(tally: Tally, sample: Sample, row: int, card: Card, reads: Reads, place: int) -> None:
    """Counts whether rank and suit of an index are read right, if they are visible."""
    rank, suit = int(reads.log_rank[place].argmax()), int(reads.log_suit[place].argmax())
    rank_right, suit_right = rank == int(card.rank) - 1, suit == int(card.suit)
    if sample.rank_seen[row]:
        _count_part(tally, "rank", rank_right, f"{card.rank} read as {RANK_CHARS[rank]}")
    if sample.suit_seen[row]:
        _count_part(tally, "suit", suit_right, f"{card.suit} read as {SUIT_CHARS[suit]}")
    if sample.rank_seen[row] and card.rank in (Rank.SIX, Rank.NINE):
        tally.reads("rank of 6 and 9", rank_right)
    if sample.rank_seen[row] and sample.suit_seen[row]:
        right = rank_right and suit_right
        if sample.has_points[row] and _lies_on_its_side(sample.upright[row]):
            tally.reads("card turned by 45 to 135 degrees", right)
        tally.reads("card", right)
        tally.sure.append(float(np.exp(reads.log_rank[place].max() + reads.log_suit[place].max())))
        tally.right.append(right)


def _count_part(tally: Tally, name: str, right: bool, mistake: str) -> None:
    tally.reads(name, right)
    if not right:
        tally.confused[mistake] += 1


def _lies_on_its_side(points: NDArray[np.float32]) -> bool:
    """Whether an index of these points (2, 2) is turned by 45 to 135 degrees."""
    x, y = np.abs(points[1] - points[0])
    return bool(x > y)


def _count_points(tally: Tally, sample: Sample, row: int, found: Detections, place: int) -> None:
    """Adds the distance between the points found and the true ones."""
    if not sample.has_points[row]:
        return
    size = float(np.linalg.norm(sample.upright[row, 1] - sample.upright[row, 0]))
    seen = np.stack([found.rank_xy[place], found.suit_xy[place]])
    tally.points.append(float(np.linalg.norm(seen - sample.upright[row], axis=1).mean()) / max(size, 1))


def _count_on_backs(tally: Tally, sample: Sample, found: Detections, reads: Reads) -> None:
    """Counts the indices that are read on backs."""
    backs = sample.boxes[sample.kind == BACK]
    tally.backs += len(backs)
    sure = found.confidence * np.exp(reads.log_index) >= FOUND_FROM
    if not len(backs) or not sure.any():
        return
    boxes = found.boxes[sure]
    x, y = (boxes[:, :2] + boxes[:, 2:]).T[..., None] / 2
    inside = ((x > backs[:, 0]) & (x < backs[:, 2]) & (y > backs[:, 1]) & (y < backs[:, 3])).any(1)
    true = sample.boxes[sample.kind == INDEX]
    near = iou_matrix(boxes, true).max(1) > 0.1 if len(true) else np.zeros(len(boxes), np.bool_)
    tally.on_backs += int((inside & ~near).sum())


def _count_cards(tally: Tally, sample: Sample, found: Detections, reads: Reads) -> None:
    """Counts the different cards of the picture that are read; copies count once."""
    sure = found.confidence * np.exp(reads.log_index) >= FOUND_FROM if len(found) else np.zeros(0, np.bool_)
    seen = {DECK[i] for i in reads.log_card.argmax(1)[sure]} if len(found) else set()
    readable = ~sample.ignore & sample.rank_seen & sample.suit_seen
    clear = {c for c, shown in zip(sample.cards, readable, strict=True) if c is not None and shown}
    partly = {c for c in sample.cards if c is not None}
    rates = card_rates(sorted(seen - (partly - clear)), sorted(clear))
    tally.cards += rates
    wrong = rates.found + rates.wanted - 2 * rates.right
    tally.exact += wrong == 0
    missing, extra = sorted(clear - seen), sorted(seen - partly)
    tally.worst.append((wrong, f"{sample.path.name}: missing {_names(missing)}, extra {_names(extra)}"))


def _names(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "none"


def _report(folder: Path, tally: Tally, worst: int) -> list[str]:
    detector, reader = np.median(np.asarray(tally.seconds) * 1000, axis=0)
    lines = [
        f"{folder.name}: {tally.pictures} pictures",
        f"  median CPU a picture on one thread: detector {detector:.0f} ms, reader {reader:.0f} ms",
        *_report_found(tally),
    ]
    if tally.points:
        lines.append(f"  point error: median {np.median(tally.points):.3f} of the distance rank to suit")
    lines += [f"  {name} right: {proportion(rates.right, rates.found)}" for name, rates in tally.read.items()]
    if tally.backs:
        lines.append(f"  read on backs: {tally.on_backs} indices on {tally.backs} backs")
    if tally.sure:
        error = expected_calibration_error(np.asarray(tally.sure), np.asarray(tally.right, np.bool_))
        lines.append(f"  expected calibration error of the card: {error:.3f}")
    if tally.cards.wanted:
        lines.append(f"  visible cards: {tally.cards}")
        lines.append(f"  pictures with every visible card and nothing else: {proportion(tally.exact, tally.pictures)}")
    if tally.confused:
        lines.append("  confused: " + ", ".join(f"{name} {n}" for name, n in tally.confused.most_common(12)))
    return lines + [f"  {text}" for count, text in sorted(tally.worst, reverse=True)[:worst] if count]


def _report_found(tally: Tally) -> list[str]:
    """Lines that say how many indices and backs were found, and indices by their size."""
    index, back = Matches.joined(tally.index), Matches.joined(tally.back)
    lines = [f"  index: AP {index.average_precision:.3f} of {index.wanted}; {index.at(CONFIDENCE)}"]
    if back.wanted:
        lines.append(f"  back: AP {back.average_precision:.3f} of {back.wanted}; {back.at(CONFIDENCE)}")
    for low in sorted(tally.by_size):
        part = Matches.joined(tally.by_size[low])
        high = SIZE_LIMITS_PX[SIZE_LIMITS_PX.index(low) + 1]
        upper = f"to {high - 1}" if high < SIZE_LIMITS_PX[-1] else "and more"
        lines.append(f"  indices of {low} {upper} px: recall {proportion(part.at(CONFIDENCE).right, part.wanted)}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
