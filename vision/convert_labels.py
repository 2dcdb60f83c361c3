"""The command `python -m vision.convert_labels`: other tools' labels, YOLO or COCO, to our own; ZIPs of photos merged.

A YOLO folder has `images/`, `labels/` and `classes.txt`; a COCO set is one JSON file beside its images. Either way each
photo gets a `<name>.json` in the format of `datasets/README.md`. Class names are cards (`10H`, `QS`, `ten of hearts`),
or `BACK`; other classes, jokers for example, are left out and counted.

    >>> str(card_of_class("ten of hearts"))
    'TH'
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plumbing.arguments import command_parser, named_path, overwriting_fault, run_command, wrong_usage
from plumbing.errors import NotationError
from plumbing.files import whole_file
from solver.cards import RANK_CHARS, SUIT_CHARS, Card, parse_card
from vision.errors import FileError, LabelError, NoFolderError
from vision.measure.labels import RANK_WORDS, Box, class_names, yolo_boxes

BACK: Final = "BACK"

_EXAMPLE: Final = """examples:
  python -m vision.convert_labels photos/holiday --boxes index
  python -m vision.convert_labels photos/holiday --coco photos/holiday/annotations.json --boxes card --out out/holiday
  python -m vision.convert_labels labelled-1.zip labelled-2.zip --out out/mine
With --boxes index the labelled boxes are corner indices: boxes of one class in one photo are taken to be one card's,
two at most; where they are of two copies, the second one counts neither as right nor as wrong. With --boxes card they
go round whole cards. ZIP files are those that the page saves from corrected readings: their photos and labels go to
one folder, each photo once."""
_SUIT_WORDS: Final = ("club", "diamond", "heart", "spade")
_WORDS: Final = {
    **{word: str(rank) for word, rank in RANK_WORDS.items()},
    **dict(zip(_SUIT_WORDS, SUIT_CHARS, strict=True)),
    **{f"{word}s": char for word, char in zip(_SUIT_WORDS, SUIT_CHARS, strict=True)},
    "of": "",
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A photo with its labelled boxes.

    Attributes:
        photo: The photo's file.
        boxes: Class name and box x1, y1, x2, y2 in px of each label.
    """

    photo: Path
    boxes: tuple[tuple[str, Box], ...]


def card_of_class(name: str) -> Card | str | None:
    """The card that a class name means, `BACK` for a back, None for anything else.

    >>> card_of_class("10h"), card_of_class("Queen_of_Spades"), card_of_class("back"), card_of_class("RED_JOKER")
    (Card('TH'), Card('QS'), 'BACK', None)
    """
    if name.strip().upper() in (BACK, "CARD BACK", "CARD_BACK", "FACE DOWN"):
        return BACK
    words = re.split(r"[\s_-]+", name.strip())
    text = "".join(_WORDS.get(word.lower(), word) for word in words)
    for candidate in (text, text[1:] + text[:1]):  # QS or SQ
        try:
            return parse_card(candidate)
        except NotationError:
            continue
    return None


def yolo(folder: Path) -> Iterator[Labelled]:
    """The photos of a YOLO folder with their labels.

    Raises:
        LabelError: For a folder without classes or photos, or a line that is no label.
    """
    from vision.image import load, photos_in

    names = class_names(folder / "classes.txt")
    photos = photos_in(folder / "images" if (folder / "images").is_dir() else folder)
    if not photos:
        raise LabelError(str(folder), "no photo there or in its folder images/")
    for photo in photos:
        labels = next((path for path in _label_files(folder, photo) if path.is_file()), None)
        if labels is not None:
            height, width = load(photo).shape[:2]
            yield Labelled(photo, tuple(yolo_boxes(labels, names, (width, height))))


def _label_files(folder: Path, photo: Path) -> tuple[Path, ...]:
    return folder / "labels" / f"{photo.stem}.txt", photo.with_suffix(".txt")


def coco(annotations: Path, folder: Path) -> Iterator[Labelled]:
    """The photos of a COCO file with their labels.

    Args:
        annotations: The JSON file with `images`, `annotations` and `categories`.
        folder: Where the photos lie, themselves or in `images/`.

    Raises:
        LabelError: For a file that is no COCO JSON or names a photo that is not there.
    """
    try:
        named_boxes = _coco_boxes(json.loads(annotations.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise LabelError(str(annotations), f"is no COCO file ({error!r})") from error
    for name, boxes in named_boxes:
        photo = next((path for path in (folder / name, folder / "images" / name) if path.is_file()), None)
        if photo is None:
            raise LabelError(str(annotations), f"names {name!r}, which is not in {folder}")
        yield Labelled(photo, boxes)


def _coco_boxes(data: Mapping[str, Any]) -> list[tuple[str, tuple[tuple[str, Box], ...]]]:
    """File names and labelled boxes of a COCO object's photos."""
    names = {row["id"]: str(row["name"]) for row in data["categories"]}
    boxes: dict[Any, list[tuple[str, Box]]] = {row["id"]: [] for row in data["images"]}
    for row in data["annotations"]:
        x, y, w, h = (float(value) for value in row["bbox"])
        boxes[row["image_id"]].append((names[row["category_id"]], (x, y, x + w, y + h)))
    return [(str(row["file_name"]), tuple(boxes[row["id"]])) for row in data["images"]]


def truth_json(labelled: Labelled, size: tuple[int, int], *, whole_cards: bool) -> tuple[dict[str, Any], Counter[str]]:
    """The ground truth of a photo, and how often each class that is no card was left out.

    Args:
        labelled: The photo's labels.
        size: Its width and height in px.
        whole_cards: Boxes go round whole cards, not round indices.
    """
    cards: list[dict[str, Any]] = []
    pending: dict[str, dict[str, Any]] = {}
    may_be_two: list[str] = []
    left_out: Counter[str] = Counter()
    for name, box in labelled.boxes:
        card = card_of_class(name)
        if card is None:
            left_out[name] += 1
            continue
        middle = [round((box[0] + box[2]) / 2, 1), round((box[1] + box[3]) / 2, 1)]
        entry: dict[str, Any] = {"card": None, "zone": "none", "quad": None, "visible": 1.0, "indices": []}
        if whole_cards or card == BACK:
            x1, y1, x2, y2 = (round(value, 1) for value in box)
            entry["quad"] = [[x1, y1], [x2, y1], [x2, y2], [x1, y2]]
        if isinstance(card, Card):
            entry["card"] = str(card)
            if not whole_cards:
                index = {"box": [round(v, 1) for v in box], "rank": middle, "suit": middle, "visible": 1.0}
                first = pending.pop(str(card), None)
                if first is not None:
                    first["indices"].append(index)
                    may_be_two.append(str(card))
                    continue
                entry["indices"].append(index)
                pending[str(card)] = entry
        cards.append(entry)
    body = {"image": {"width": size[0], "height": size[1]}, "deck": None, "split": "test", "seed": None}
    ignored = {"ignore": may_be_two} if may_be_two else {}
    return {
        **body,
        "cards": cards,
        **ignored,
        "position": None,
    }, left_out  # no "game": boxes do not tell which it is, or that none


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    parser = command_parser(
        "vision.convert_labels",
        "Turn YOLO or COCO labels into this project's ground truth, one JSON file a photo.",
        _EXAMPLE,
    )
    parser.add_argument(
        "folder",
        type=named_path,
        nargs="+",
        metavar="DIR",
        help="folder of the photos (YOLO: with labels/, classes.txt), or ZIP files of labelled photos",
    )
    parser.add_argument("--coco", type=named_path, metavar="FILE", help="read this COCO file instead of YOLO labels")
    parser.add_argument("--boxes", choices=["index", "card"], default="index", help="what the boxes go round (index)")
    parser.add_argument("--out", type=named_path, metavar="DIR", help="folder for the JSON files (beside the photos)")
    args = parser.parse_args(argv)
    zips = [path for path in args.folder if path.suffix.lower() == ".zip"]
    if zips:
        if len(zips) < len(args.folder) or args.coco or args.out is None:
            parser.error("ZIP files are merged alone: name no folder and no --coco, and add --out")
        return run_command(_merge, args)
    if len(args.folder) > 1:
        parser.error("one folder at a time, please; several arguments are ZIP files to merge")
    args.folder = args.folder[0]
    return run_command(_run, args)


def _merge(args: argparse.Namespace) -> int:
    """Unpacks ZIP files of labelled photos into one folder; of a photo that is in two of them the last labels count."""
    from vision.image import photos_in
    from vision.measure.labels import NO_TRUTH, truth_of
    from vision.measure.uploaded_zip import unpack

    args.out.mkdir(parents=True, exist_ok=True)
    for path in args.folder:
        unpack([(path.name, path.read_bytes())], args.out)
    photos = photos_in(args.out)
    bare = [photo for photo in photos if truth_of(photo, (0, 0)) is None]
    for photo in bare:
        print(f"error: {photo}: {NO_TRUTH}", file=sys.stderr)
    print(f"{len(photos)} labelled photos in {args.out}", file=sys.stderr)
    return 1 if bare or not photos else 0


def _label_of(args: argparse.Namespace, photo: Path) -> Path:
    """The file that a photo's label is written to."""
    return (args.out or photo.parent) / f"{photo.stem}.json"


def _run(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from vision.image import load

    if not args.folder.is_dir():
        raise NoFolderError(args.folder)
    photos, left_out = 0, Counter[str]()
    if args.coco is None:
        found = yolo(args.folder)
    else:
        rows = [*coco(args.coco, args.folder)]
        labels = [_label_of(args, row.photo) for row in rows]
        what, instead = "the label of a photo", "name another folder with --out"
        if fault := overwriting_fault(what, labels, [args.coco, *(row.photo for row in rows)], instead):
            return wrong_usage(fault)
        found = iter(rows)
    for labelled in tqdm(found, unit="photo", disable=None):
        height, width = load(labelled.photo).shape[:2]
        truth, unknown = truth_json(labelled, (width, height), whole_cards=args.boxes == "card")
        left_out += unknown
        target = _label_of(args, labelled.photo)
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as part:
            part.write_text(json.dumps(truth, separators=(",", ":")) + "\n", encoding="utf-8")
        photos += 1
    if left_out:
        print("left out, no card: " + ", ".join(f"{name} ({n})" for name, n in left_out.most_common()), file=sys.stderr)
    if not photos:
        needed = f"class names need ranks {RANK_CHARS}, suits {SUIT_CHARS}"
        raise FileError(str(args.folder), f"no photo had labels; {needed}")
    print(f"{photos} photos converted", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
