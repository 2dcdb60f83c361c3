"""Prints how a 52-class YOLO, the usual way to find cards, does on the scenes of our two networks.

    python tests/bench/yolo52.py --data out/train --test out/test960 PHOTOS/white_deck_webcam --out runs/yolo52

Each index is a box of one of 52 classes; ultralytics trains and finds. A second call with the same --out goes on from
the last weights. Prints visible cards' precision and recall as `python -m models.train.index_evaluate` does.
"""

from __future__ import annotations

import argparse
import sys
import types
from pathlib import Path
from typing import Any

from tqdm import tqdm

from models.train import torchvision_stand_in
from models.train.labelled_pictures import Sample, find_files, read_sample
from solver.cards import DECK
from vision.measure.metrics import Rates, card_rates, proportion

torchvision_stand_in.register()


def write_yolo(folders: list[Path], out: Path) -> Path:
    """The scenes of `folders` as a YOLO data set of links and labels; returns its YAML file."""
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    for path in tqdm(find_files(folders), desc="labels", disable=None):
        sample = read_sample(path)
        link = out / "images" / sample.path.name
        if not link.exists():
            link.symlink_to(sample.path.resolve())
            (out / "labels" / (sample.path.stem + ".txt")).write_text("\n".join(rows(sample)))
    names = "\n".join(f"  {card.index}: {card}" for card in DECK)
    yaml = out / "data.yaml"
    yaml.write_text(f"path: {out.resolve()}\ntrain: images\nval: images\nnames:\n{names}\n")
    return yaml


def rows(sample: Sample) -> list[str]:
    """YOLO label rows of the readable indices."""
    import cv2

    height, width = cv2.imread(str(sample.path)).shape[:2]
    out = []
    for row in range(len(sample)):
        card = sample.cards[row]
        if card is not None and not sample.ignore[row]:
            x1, y1, x2, y2 = sample.boxes[row] / (width, height, width, height)
            out.append(f"{card.index} {(x1 + x2) / 2:.6f} {(y1 + y2) / 2:.6f} {x2 - x1:.6f} {y2 - y1:.6f}")
    return out


def measure(model: Any, folder: Path, size: int, confidence: float) -> str:
    """One line: distinct visible cards of each picture against the truth."""
    rates, exact, files = Rates(), 0, find_files([folder])
    for path in tqdm(files, desc=folder.name, disable=None):
        sample = read_sample(path)
        result = model.predict(str(sample.path), imgsz=size, conf=confidence, device="cpu", verbose=False)[0]
        seen = {DECK[int(k)] for k in result.boxes.cls.tolist()}
        readable = ~sample.ignore & sample.rank_seen & sample.suit_seen
        clear = {c for c, shown in zip(sample.cards, readable, strict=True) if c is not None and shown}
        partly = {c for c in sample.cards if c is not None}
        got = card_rates(sorted(seen - (partly - clear)), sorted(clear))
        rates += got
        exact += got.right == got.found == got.wanted
    return f"{folder.name}: visible cards {rates}; pictures all right {proportion(exact, len(files))}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--data", type=Path, nargs="+", required=True, metavar="DIR", help="rendered scenes to train on")
    add("--test", type=Path, nargs="+", default=[], metavar="DIR", help="scenes or photos to measure on")
    add("--out", type=Path, required=True, metavar="DIR", help="folder of the run")
    add("--minutes", type=float, default=60, help="training time (60); 0 only measures")
    add("--model", default="yolo11n.yaml", help="ultralytics' shape (yolo11n.yaml)")
    add("--size", type=int, default=640, help="input size, px (640)")
    add("--confidence", type=float, default=0.25, help="findings below it do not count (0.25)")
    options = parser.parse_args()
    # The trainer imports torchvision whole, for non-maximum suppression alone; see `torchvision_stand_in`.
    whole: Any = types.ModuleType("torchvision")
    whole.__version__, whole.ops = "0", types.SimpleNamespace(nms=torchvision_stand_in.nms)
    sys.modules.setdefault("torchvision", whole)
    from ultralytics import YOLO

    last = options.out / "train" / "weights" / "last.pt"
    if options.minutes > 0:
        data = write_yolo(options.data, options.out / "data")
        YOLO(str(last) if last.is_file() else options.model).train(
            data=str(data), imgsz=options.size, time=options.minutes / 60, batch=8, workers=0, fliplr=0.0, val=False,
            project=str(options.out.resolve()), name="train", exist_ok=True, plots=False, save_period=-1, amp=False,
        )  # fmt: skip
    if not last.is_file():
        sys.exit(f"{last}: no weights; expected a training first (--minutes)")
    model = YOLO(str(last))
    for folder in options.test:
        print(measure(model, folder, options.size, options.confidence), flush=True)


if __name__ == "__main__":
    main()
