"""Ground truth of photos, in the three ways people write it: our JSON, YOLO boxes, VOC boxes.

A photo's truth is `<name>.json` beside it (datasets/README.md), or `labels/<name>.txt` with a `classes.txt` one folder
up (YOLO, boxes of corner indices), or `<name>.xml` beside it (VOC, boxes of whole cards, ranks only).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final

from defusedxml import DefusedXmlException, ElementTree

from plumbing.errors import CardsError, NotationError
from solver.cards import Card, Rank, parse_card
from solver.games import GAMES, parse, position_from_json
from solver.notation import game_of
from vision.errors import LabelError

VISIBLE: Final = 0.5
"""A card counts as visible if one of its indices is seen at least this far."""

NO_TRUTH: Final = "no ground truth beside the photo"
"""What is wrong with a photo that nobody has labelled."""
TABLE: Final = "table.json"
"""The truth of a table in a folder of several photos of it, named in its `photos`."""

_WORDS: Final = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
RANK_WORDS: Final = dict(zip(_WORDS, Rank, strict=True))
"""The ranks by their names."""
_BROKEN: Final = (
    CardsError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
    OSError,
    ElementTree.ParseError,
    DefusedXmlException,
)
_ROUNDED: Final = 0.001
"""By so much a share of a YOLO box may lie above 1: tools round them."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class TrueCard:
    """A card that a photo shows.

    Attributes:
        rank: Its rank.
        card: The card, None where the labels tell the rank only.
        zone: Where it lies, empty where the labels do not tell.
        boxes: Boxes x1, y1, x2, y2 in which it can be read: its visible indices, or the whole card; px.
    """

    rank: Rank
    card: Card | None
    zone: str
    boxes: tuple[Box, ...]

    def moved(self, right: int, down: int) -> TrueCard:
        """The card in a photo that begins elsewhere, so that all lies so many px farther right and down there."""
        boxes = tuple((x1 + right, y1 + down, x2 + right, y2 + down) for x1, y1, x2, y2 in self.boxes)
        return replace(self, boxes=boxes)

    def turned(self, quarters: int, size: tuple[int, int]) -> TrueCard:
        """The card in the photo turned counter-clockwise by so many quarters, whose width and height were `size`, px.

        >>> TrueCard(Rank.ACE, None, "", ((0, 0, 10, 20),)).turned(1, (100, 50)).boxes
        ((0, 90, 20, 100),)
        """
        width, height = size
        boxes = self.boxes
        for _ in range(quarters % 4):
            boxes = tuple((y1, width - x2, y2, width - x1) for x1, y1, x2, y2 in boxes)
            width, height = height, width
        return replace(self, boxes=boxes)


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """What a photo shows.

    Attributes:
        kind: `json`, `line`, `yolo` or `voc`.
        cards: Its visible cards.
        game: The game's word, None where there is none, or the labels do not tell it.
        position: The position as its JSON object, None where the labels tell none.
        deck: The deck's name, empty where unknown.
        ignored: Cards that may be read or not, as they show in part or may be no card of their own: neither right nor
            wrong.
        tells_cards: Whether the labels say which cards show; where they do not, `cards` is empty and says nothing.
        file: The file that says it; empty where there is none.
        tells_game: Whether the labels say which game it is, or that it is none.
    """

    kind: str
    cards: tuple[TrueCard, ...]
    game: str | None = None
    position: Mapping[str, Any] | None = None
    deck: str = ""
    ignored: tuple[Card, ...] = ()
    tells_cards: bool = True
    file: str = ""
    tells_game: bool = True

    def refuse_impossible(self) -> None:
        """Raises LabelError for a position that breaks its game's rules: a slip, with which no reading can agree.

        Not so where cards are learned: a table that people laid against the rules shows its cards as well as another.
        """
        if self.position is None:
            return
        problems = position_from_json(self.position).problems()
        if problems:
            said = "; ".join(map(str, problems))
            raise LabelError(self.file, f"the position breaks the rules of {self.position['game']}: {said}")


def label_files(photo: Path) -> tuple[Path, Path, Path, Path]:
    """Where a photo's truth may lie, the first that is there counts: our JSON, text in two places, VOC boxes."""
    beside = photo.parent.parent / "labels" / f"{photo.stem}.txt"
    return photo.with_suffix(".json"), beside, photo.with_suffix(".txt"), photo.with_suffix(".xml")


def truth_of(photo: Path, size: tuple[int, int]) -> PhotoTruth | None:
    """The truth that lies beside a photo, None where there is none.

    Args:
        photo: The photo's path.
        size: Its width and height, px.

    Raises:
        LabelError: For labels that cannot be read.
    """
    for path, read in zip(label_files(photo), (_json, _text, _text, read_voc), strict=True):
        if path.is_file():
            with _naming(path, "labels"):
                truth = read(path, size)
            if truth.kind == "json":
                _refuse_another_line(path, truth, photo.with_suffix(".txt"))
            return truth
    return None


def _refuse_another_line(path: Path, truth: PhotoTruth, line: Path) -> None:
    """Raises LabelError where a line of text beside our JSON tells another position: one of them is wrong."""
    words = " ".join(_lines(line)) if line.is_file() else ""
    if game_of(words) not in GAMES:
        return
    with _naming(line, "labels"):
        told = parse(words).to_json()
    here = {} if truth.position is None else position_from_json(truth.position).to_json()
    if _without_rules(told) != _without_rules(here):
        raise LabelError(os.fspath(path), f"{line.name} beside it tells another position; leave one of the two")


def _without_rules(position: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in position.items() if name != "rules"}


@contextmanager
def _naming(path: Path, what: str) -> Iterator[None]:
    """Makes a `LabelError` that names the file of whatever goes wrong in reading it."""
    try:
        yield
    except LabelError:
        raise
    except NotationError as error:
        where = "" if path.suffix == ".json" else f"column {error.column}: "  # of a text that the file does not hold
        raise LabelError(os.fspath(path), f"{where}{error.problem}; expected {error.expected}") from error
    except _BROKEN as error:
        raise LabelError(os.fspath(path), f"cannot be read as {what} ({error!r})") from error


def photos_of_table(table: Path) -> list[Path]:
    """The photos of one table that its `table.json` names.

    Raises:
        LabelError: For a file that names none, or one that is not beside it.
    """
    with _naming(table, "the truth of several photos"):
        names = [str(name) for name in json.loads(table.read_text(encoding="utf-8"))["photos"]]
    photos = [table.parent / name for name in names]
    missing = [
        name for name, photo in zip(names, photos, strict=True) if Path(name).name != name or not photo.is_file()
    ]
    if missing or not photos:
        raise LabelError(os.fspath(table), f"names {missing or 'no photos'}; expected photos in the same folder")
    return photos


def truth_of_table(table: Path) -> PhotoTruth:
    """What several photos show together, as a `table.json` says.

    Raises:
        LabelError: For a file that cannot be read so.
    """
    with _naming(table, "labels"):
        return _json(table, (0, 0))


def _json(path: Path, size: tuple[int, int]) -> PhotoTruth:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise LabelError(os.fspath(path), f"broken JSON in line {error.lineno} ({error.msg})") from error
    if not isinstance(data, dict):
        raise LabelError(os.fspath(path), 'no JSON object; expected {"game": ..., "position": ...}')
    game, position, rows = (data.get(name) for name in ("game", "position", "cards"))
    _check_game(path, game, position)
    cards = tuple(card for row in rows or () if (card := _true_card(row, size)) is not None)
    ignored = tuple(map(parse_card, data.get("ignore") or ()))
    deck = data.get("deck") or ""
    tells = {"tells_cards": rows is not None, "tells_game": "game" in data}
    return PhotoTruth("json", cards, game, position, deck, ignored, file=os.fspath(path), **tells)


def _check_game(path: Path, game: object, position: object) -> None:
    """Raises an error for a game that is not known, and for a position that cannot be read or is another game's."""
    if game not in (None, *GAMES):
        expected = f"one of {', '.join(GAMES)}, or null for cards that are no game"
        raise LabelError(os.fspath(path), f"unknown game {game!r}; expected {expected}")
    if position is not None and (word := position_from_json(position).game) != game:
        said = f"the game is {game or 'null'}, but its position is of {word}; expected one game"
        raise LabelError(os.fspath(path), said)


def _true_card(row: Mapping[str, Any], size: tuple[int, int]) -> TrueCard | None:
    """A card of a label; None for one that lies face down, or whose indices are all hidden."""
    if row["card"] is None:
        return None
    seen = [index for index in row.get("indices", []) if _readable(index, size)]
    if row.get("indices") and not seen:
        return None
    card = parse_card(row["card"])
    boxes = tuple(tuple(map(float, index["box"])) for index in seen)
    return TrueCard(card.rank, card, row.get("zone") or "", boxes)  # type: ignore[arg-type]


def _readable(index: Mapping[str, Any], size: tuple[int, int]) -> bool:
    parts = (index["visible"], index.get("rank_visible", 1.0), index.get("suit_visible", 1.0))
    middle = [(index["rank"][k] + index["suit"][k]) / 2 for k in (0, 1)]
    return bool(min(parts) >= VISIBLE and 0 <= middle[0] < size[0] and 0 <= middle[1] < size[1])


def class_names(path: Path) -> tuple[str, ...]:
    """The class names of a YOLO set's `classes.txt`. Raises LabelError where it is missing or no text."""
    if not path.is_file():
        raise LabelError(os.fspath(path), "missing; expected the class names, one a line")
    return tuple(line.strip() for line in _lines(path) if line.strip())


_known_names = lru_cache(maxsize=16)(class_names)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise LabelError(os.fspath(path), f"is no text ({error.reason} at byte {error.start})") from error


def yolo_boxes(path: Path, names: Sequence[str], size: tuple[int, int]) -> Iterator[tuple[str, Box]]:
    """Class name and box of each line of a YOLO label file.

    Args:
        path: The file: a line a box, with its class, and its middle x and y, width and height as shares of the photo.
        names: The class names.
        size: The photo's width and height, px.

    Raises:
        LabelError: For a line that is no label.
    """
    for number, line in enumerate(_lines(path), start=1):
        words = line.split()
        if not words:
            continue
        try:
            number_of_class, (x, y, w, h) = int(words[0]), map(float, words[1:5])
            if not all(map(isfinite, (x, y, w, h))):
                raise ValueError
        except ValueError as error:
            what = f"line {number} is {line[:40]!r}; expected class x y width height"
            raise LabelError(os.fspath(path), what) from error
        if not 0 <= number_of_class < len(names):
            what = f"line {number} names class {number_of_class}; expected one of classes.txt, 0 to {len(names) - 1}"
            raise LabelError(os.fspath(path), what)
        if not all(0 <= share <= 1 + _ROUNDED for share in (x, y, w, h)):
            what = f"line {number} is {line[:40]!r}; expected x, y, width and height as shares of the photo from 0 to 1"
            raise LabelError(os.fspath(path), what)
        yield (
            names[number_of_class],
            ((x - w / 2) * size[0], (y - h / 2) * size[1], (x + w / 2) * size[0], (y + h / 2) * size[1]),
        )


def _text(path: Path, size: tuple[int, int]) -> PhotoTruth:
    """The table as its one line of text, or YOLO boxes."""
    line = " ".join(_lines(path)).strip()
    if game_of(line) not in GAMES:
        return _yolo(path, size)
    position = parse(line)
    return PhotoTruth("line", (), position.game, position.to_json(), tells_cards=False, file=os.fspath(path))


def _yolo(path: Path, size: tuple[int, int]) -> PhotoTruth:
    classes = [folder / "classes.txt" for folder in (path.parent.parent, path.parent)]
    found_classes = next((file for file in classes if file.is_file()), None)
    if found_classes is None:
        is_empty = not "".join(_lines(path)).strip()
        what = "empty" if is_empty else "no position, and no YOLO labels, as no classes.txt lies there"
        raise LabelError(os.fspath(path), f"{what}; expected the position in a line, such as klondike columns: ...")
    names = _known_names(found_classes)
    boxes: dict[Card, list[Box]] = {}
    for name, box in yolo_boxes(path, names, size):
        if name != "BACK" and "JOKER" not in name:
            boxes.setdefault(parse_card(name), []).append(box)
    copies = [(card, copy) for card, found in boxes.items() for copy in by_card(found)]
    cards = tuple(TrueCard(card.rank, card, "", copy) for card, copy in copies)
    ignored = tuple(card for card, copy in copies for _ in copy[1:])  # two boxes may be two copies of the card, too
    return PhotoTruth("yolo", cards, ignored=ignored, tells_game=False)


def by_card(indices: Sequence[Box]) -> list[tuple[Box, ...]]:
    """The labelled indices of one name card by card, two each: so many cards lie there at least.

    >>> len(by_card([(0, 0, 1, 1)] * 3))
    2
    """
    return [tuple(indices[k : k + 2]) for k in range(0, len(indices), 2)]


def read_voc(path: Path, size: tuple[int, int]) -> PhotoTruth:
    """The ranks of whole cards in a VOC file of a photo of this width and height, px. Raises LabelError."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    labelled_size = [float(root.findtext(f"size/{side}") or 0) for side in ("width", "height")]
    scale = [own / labelled if labelled else 1.0 for own, labelled in zip(size, labelled_size, strict=True)]
    cards = []
    for thing in root.iter("object"):
        word = (thing.findtext("name") or "").strip().lower()
        if word not in RANK_WORDS:
            raise LabelError(os.fspath(path), f"object {word!r} is no rank; expected one of " + ", ".join(RANK_WORDS))
        x1, y1, x2, y2 = (float(thing.findtext(f"bndbox/{side}") or 0) for side in ("xmin", "ymin", "xmax", "ymax"))
        box = (x1 * scale[0], y1 * scale[1], x2 * scale[0], y2 * scale[1])
        cards.append(TrueCard(RANK_WORDS[word], None, "", (box,)))
    return PhotoTruth("voc", tuple(cards), tells_game=False)
