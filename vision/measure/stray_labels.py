"""Labels of a folder of photos that no photo uses, or that two use: a slip in a name that nothing else would show."""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from solver.games import GAMES
from solver.notation import game_of
from vision.measure.labels import label_files

SHOWN: Final = 10
"""Names that a line lists at most."""
COCO: Final = {"images", "annotations", "categories"}
"""What a COCO file holds."""
_OF_SEVERAL: Final = "photos"
"""What our JSON of a table, a game or a reading holds, and a photo's label does not."""


def label_notes(folder: Path, photos: Sequence[Path], *, some_lack: bool) -> Iterator[str]:
    """What is odd about the labels of a folder, a line each.

    Args:
        folder: The folder.
        photos: All photos in it and the folders in it.
        some_lack: Whether a photo has no label: then it is said how COCO labels become some.
    """
    users: dict[Path, list[Path]] = defaultdict(list)
    for photo in photos:
        for file in label_files(photo):
            users[file].append(photo)
    shared = [
        f"{' and '.join(photo.name for photo in users[file])} ({file.relative_to(folder)})"
        for file in sorted(users)
        if len(users[file]) > 1 and file.is_file() and file.is_relative_to(folder)
    ]
    if shared:
        yield f"photos that share a label, each counted by itself: {_listed(shared)}"
    files = [file for file in sorted(folder.rglob("*.*")) if file not in users and file.is_file()]
    if stray := [str(file.relative_to(folder)) for file in files if _is_label(file)]:
        yield f"labels that are no photo's, by their names: {_listed(stray)}"
    if some_lack:
        for file in files:
            if file.suffix == ".json" and _keys(file) >= COCO:
                command = shlex.join(["python", "-m", "vision.convert_labels", str(folder), "--coco", str(file)])
                yield f"{file.relative_to(folder)} holds COCO labels, which are converted first: {command}"


def _listed(names: Sequence[str]) -> str:
    """Names one behind the other, or the first ones and how many more there are.

    >>> _listed(["a.txt", "b.txt"]), _listed(["a.txt"] * 12)[-16:]
    ('a.txt, b.txt', 'a.txt and 2 more')
    """
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _is_label(file: Path) -> bool:
    """Whether a file looks like the label of one photo."""
    if file.suffix == ".json":
        keys = _keys(file)
        return bool(keys & {"position", "cards"}) and _OF_SEVERAL not in keys
    if file.suffix == ".txt":
        of_yolo = file.parent.name == "labels" and (file.parent.parent / "classes.txt").is_file()
        return of_yolo or game_of(_text(file)) in GAMES
    return file.suffix == ".xml" and "<annotation" in _text(file)


def _keys(file: Path) -> set[str]:
    """The names in a file's JSON object; none where it holds none."""
    try:
        found = json.loads(_text(file))
    except (ValueError, RecursionError):
        return set()
    return set(found) if isinstance(found, dict) else set()


def _text(file: Path) -> str:
    """The text of a file; empty where it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
