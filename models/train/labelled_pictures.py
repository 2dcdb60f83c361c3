"""What the networks learn from: rendered scenes and labelled photos, read into one form.

Two sources: scenes of `datasets` (`<name>.json` beside `<name>.jpg`, see datasets/README.md) and photo sets with
YOLO labels of indices (`images/`, `labels/`, `classes.txt`). A photo set knows no direction of its indices; their
points are marked as unknown and only the box is learned.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from plumbing.errors import CardsError
from solver.cards import MaybeCard, parse_card

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

INDEX, BACK = 0, 1


@dataclass(frozen=True, slots=True)
class Tuning:
    """From which visible share something is learned; shares are 0 to 1.

    Attributes:
        learned_index_share: An index of which less is visible is neither learned nor counted; a rank or a suit neither.
        least_index_share: Less of an index is nothing at all: a detection there is wrong.
        learned_back_share: A back of which less is visible is neither learned nor counted.
        samples_to_list_again: After so many samples the folders are listed again: a renderer may still be at work.
    """

    learned_index_share: float = 0.5
    least_index_share: float = 0.2
    learned_back_share: float = 0.03
    samples_to_list_again: int = 1000


TUNING: Final = Tuning()


@dataclass(frozen=True, slots=True)
class Row:
    """One object while its label file is read; what the fields mean is told in `Sample`."""

    kind: int
    box: Any
    points: Any = None
    ignore: bool = False
    card: MaybeCard = None
    rank_visible: float = 0.0
    suit_visible: float = 0.0
    upright: Any = None


class DataError(CardsError):
    """Training data that is missing or cannot be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One picture and what is to be found in it; rows are objects.

    Attributes:
        path: The picture's file.
        label: The file it was read from.
        kind: (n,) `INDEX` or `BACK`.
        boxes: (n, 4) x1, y1, x2, y2, px.
        points: (n, 2, 2) rank and suit centre of an index, the two `ends` of a back; px.
        has_points: (n,) whether `points` are known.
        ignore: (n,) too hidden to be learned or to be counted.
        cards: (n,) the card of each index; None for a back and for what is no card of the 52 (a joker).
        source: Name of the deck or photo set.
        rank_seen: (n,) whether an index's rank is visible enough to be read.
        suit_seen: (n,) whether its suit is.
        upright: (n, 2, 2) the points by which the reader's crop is cut, from the index's upper half to its lower; other
            ones than `points` where the suit does not stand below the rank.
    """

    path: Path
    label: Path
    kind: NDArray[np.int64]
    boxes: Floats
    points: Floats
    has_points: NDArray[np.bool_]
    ignore: NDArray[np.bool_]
    cards: tuple[MaybeCard, ...]
    source: str
    rank_seen: NDArray[np.bool_]
    suit_seen: NDArray[np.bool_]
    upright: Floats

    def __len__(self) -> int:
        return len(self.boxes)


def read_image(path: Path) -> Image:
    """A training picture as uint8 RGB (H, W, 3).

    Raises:
        DataError: Where there is no picture.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise DataError(f"{path}: not a picture; expected a JPEG or PNG beside its label file")
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def find_files(folders: Sequence[Path]) -> list[Path]:
    """Label files of scenes and photo sets below `folders`, sorted; each is read by `read_sample`.

    What is a label file itself stands for itself.

    Raises:
        DataError: Where a folder is missing or holds none.
    """
    found: list[Path] = []
    for folder in folders:
        if folder.is_file():
            found.append(folder)
            continue
        if not folder.is_dir():
            raise DataError(f"{folder}: no such folder; expected rendered scenes or a photo set")
        labels = sorted((folder / "labels").glob("*.txt")) if (folder / "classes.txt").is_file() else []
        here = labels or sorted(path for path in folder.rglob("*.json") if path.with_suffix(".jpg").is_file())
        if not here:
            raise DataError(f"{folder}: no scenes; expected NAME.json beside NAME.jpg, or images/ labels/ classes.txt")
        found += here
    return found


def read_sample(path: Path) -> Sample:
    """Reads the label file of a scene (`.json`) or of a photo (`.txt`).

    Raises:
        DataError: Where it is broken.
    """
    try:
        return _read_scene(path) if path.suffix == ".json" else _read_yolo(path)
    except DataError:
        raise
    except (ValueError, KeyError, TypeError, IndexError) as error:
        expected = "expected a scene (datasets/README.md) or YOLO labels"
        raise DataError(f"{path}: a label file that is broken ({type(error).__name__}: {error}); {expected}") from error


Groups = Sequence[tuple[Sequence[Path], float]]
"""Folders of samples, and the share that is taken from them."""


def draw_samples(groups: Groups, rng: np.random.Generator) -> Iterator[Sample]:
    """Endless random samples: a group is drawn by its share, then a file of it.

    The folders are listed again from time to time, since a renderer may still be writing scenes. What was read once is
    kept.
    """
    shares = np.asarray([share for _, share in groups], float)
    known: dict[Path, Sample] = {}
    for turn in itertools.count():
        if turn % TUNING.samples_to_list_again == 0:
            lists = [find_files(folders) for folders, _ in groups]
        files = lists[rng.choice(len(lists), p=shares / shares.sum())]
        path = files[rng.integers(len(files))]
        if path not in known:
            known[path] = read_sample(path)
        yield known[path]


# --- rendered scenes ---------------------------------------------------------------------------------------------


def _read_scene(path: Path) -> Sample:
    scene = json.loads(path.read_text())
    size = scene["image"]["width"], scene["image"]["height"]
    rows = [*_index_rows(scene["cards"]), *_back_rows(scene["cards"], size)]
    return _sample(path.with_suffix(".jpg"), path, rows, str(scene.get("deck")))


def _index_rows(cards: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    for card in cards:
        for index in card["indices"] if card["card"] is not None else ():
            if index["visible"] >= TUNING.least_index_share:
                points = (index["rank"], index["suit"]) if index["rank"] != index["suit"] else None
                ignore, name = index["visible"] < TUNING.learned_index_share, parse_card(card["card"])
                visible = index.get("rank_visible", 1.0), index.get("suit_visible", 1.0)
                yield Row(INDEX, index["box"], points, ignore, name, *visible, index.get("upright"))


def _back_rows(cards: Sequence[Mapping[str, Any]], size: tuple[int, int]) -> Iterator[Row]:
    for number, card in enumerate(cards):
        if card["card"] is None and card["visible"] > 0 and card["quad"] is not None:
            part = visible_part([c["quad"] for c in cards[number:] if c["quad"] is not None], size)
            if part is not None:
                yield Row(BACK, *part, card["visible"] < TUNING.learned_back_share)


def visible_part(quads: Sequence[Any], size: tuple[int, int]) -> tuple[Floats, Floats] | None:
    """Box and ends of the visible part of a card, as in `vision.networks.outputs.Backs`.

    Args:
        quads: The card's corners (top left, top right, bottom right, bottom left) and then those of every card on it.
        size: Width and height of the picture, px.

    Returns:
        The box (4,) and the ends (2, 2), px; None where nothing is visible.

    >>> card, cover = [[0, 0], [10, 0], [10, 20], [0, 20]], [[0, 5], [10, 5], [10, 25], [0, 25]]
    >>> box, ends = visible_part([card, cover], (40, 40))
    >>> box.round().tolist(), ends.round().tolist()
    ([0.0, 0.0, 10.0, 5.0], [[5.0, 0.0], [5.0, 5.0]])
    """
    quad = np.asarray(quads[0], dtype=np.float32)
    low = np.floor(quad.min(0)) - 2
    span = np.ceil(quad.max(0)) + 2 - low
    factor = float(min(8.0, 192 / span.max()))
    width, height = (np.ceil(span * factor)).astype(int)
    mask = np.zeros((height, width), np.uint8)
    for number, other in enumerate(quads):
        outline = (np.asarray(other, np.float32) - low) * factor
        cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), int(number == 0), shift=4)
    # A sliver beside a card that lies a little askew is not what shows that there is a back.
    short = min(np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))) * factor
    across_sliver = max(1, round(0.06 * short))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((across_sliver, across_sliver), np.uint8))
    ys, xs = np.nonzero(mask)
    points = np.stack([xs + 0.5, ys + 0.5], 1).astype(np.float32) / factor + low
    points = points[((points >= 0) & (points <= np.asarray(size))).all(1)]
    if len(points) < 12:
        return None
    box = np.concatenate([points.min(0), points.max(0)])
    unit = np.asarray([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_unit = cv2.getPerspectiveTransform(quad, unit)
    along = cv2.perspectiveTransform(points[None], to_unit)[0]
    across = float(np.clip((along[:, 0].min() + along[:, 0].max()) / 2, 0, 1))
    first, last = (float(np.clip(v, 0, 1)) for v in (along[:, 1].min(), along[:, 1].max()))
    ends = cv2.perspectiveTransform(
        np.asarray([[[across, first], [across, last]]], np.float32), np.linalg.inv(to_unit).astype(np.float32)
    )[0]
    free_first, free_last = first < 0.04, last > 0.96
    upside = free_last if free_first != free_last else (ends[1, 1], ends[1, 0]) < (ends[0, 1], ends[0, 0])
    return box.astype(np.float32), (ends[::-1] if upside else ends).astype(np.float32)


# --- photo sets --------------------------------------------------------------------------------------------------


def _read_yolo(path: Path) -> Sample:
    """Rows are `class x y width height`, or `class x y x y ...` of an outline; all as shares of the picture."""
    folder = path.parent.parent
    names = (folder / "classes.txt").read_text().split()
    image = folder / "images" / (path.stem + ".jpg")
    size = read_image(image).shape[1::-1]
    rows: list[Row] = []
    for line in path.read_text().splitlines():
        number, *values = line.split()
        pairs = np.asarray(values, float).reshape(-1, 2) * np.asarray(size)
        low, high = (
            (pairs[0] - pairs[1] / 2, pairs[0] + pairs[1] / 2) if len(pairs) == 2 else (pairs.min(0), pairs.max(0))
        )
        name = names[int(number)]
        card = None if name in ("BACK", "BLACK_JOKER", "RED_JOKER") else parse_card(name)
        # A joker's or a back's box is drawn in ways of its own: neither learned nor counted.
        rows.append(Row(INDEX, [*low, *high], None, card is None, card, 1.0, 1.0))
    return _sample(image, path, rows, folder.name)


def _sample(path: Path, label: Path, rows: Sequence[Row], source: str) -> Sample:
    nowhere = ((0.0, 0.0), (0.0, 0.0))
    points = np.asarray([nowhere if row.points is None else row.points for row in rows], np.float32)
    points = points.reshape(-1, 2, 2)
    upright = [own if row.upright is None else row.upright for row, own in zip(rows, points, strict=True)]
    return Sample(
        path=path,
        label=label,
        kind=np.asarray([row.kind for row in rows], np.int64),
        boxes=np.asarray([row.box for row in rows], np.float32).reshape(-1, 4),
        points=points,
        has_points=np.asarray([row.points is not None for row in rows], np.bool_),
        ignore=np.asarray([row.ignore for row in rows], np.bool_),
        cards=tuple(row.card for row in rows),
        source=source,
        rank_seen=np.asarray([row.rank_visible >= TUNING.learned_index_share for row in rows], np.bool_),
        suit_seen=np.asarray([row.suit_visible >= TUNING.learned_index_share for row in rows], np.bool_),
        upright=np.asarray(upright, np.float32).reshape(-1, 2, 2),
    )
