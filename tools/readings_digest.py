"""Prints a digest of how a folder of photos is read, to show that a change of the code changes no reading.

    python tools/readings_digest.py photos/                        the code in the working directory
    python tools/readings_digest.py photos/ --rows before.jsonl    keeps the readings too
    python tools/readings_digest.py before.jsonl after.jsonl       names the first differences of two such files

The readings come from `python -m vision.detect photos/ --no-solve --rows`, whose files can be compared as well. Times
and fields that were added to the JSON are left out. The digest has a line for each field: its name, how many readings
have it, and the SHA-256 of all its values. Equal lines mean equal readings. Comparing exits with 1 if files differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

FIELDS: Final = (
    *("image", "game", "game_confidence", "likeliest", "readable", "stands", "cards", "backs", "position", "line"),
    *("problems", "notes", "checks", "doubtful", "error"),
)
"""The fields of a reading that are compared."""
PART_FIELDS: Final = {
    "cards": ("card", "confidence", "alternatives", "zone", "quad", "indices", "why"),
    "backs": ("quad", "zone", "confidence"),
}
"""The fields of the objects in a list that are compared."""


def main() -> int:
    """Runs the command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a folder of photos, or files of readings")
    parser.add_argument("--rows", type=Path, metavar="R.jsonl", help="keep the readings of a folder in this file")
    parser.add_argument("--workers", type=int, default=1, help="processes that read photos (1)")
    parser.add_argument("--shown", type=int, default=20, metavar="N", help="differences that are printed (20)")
    args = parser.parse_args()
    if len(args.paths) > 2:
        parser.error("expected a folder, or one or two files of readings")
    with tempfile.TemporaryDirectory() as temporary:
        rows = args.rows or Path(temporary, "readings.jsonl")
        files = [_read_folder(path, rows, args.workers) if path.is_dir() else path for path in args.paths]
        before, *others = (readings_of(file) for file in files)
    for line in digest(before):
        print(line)
    return compare(before, others[0], args.shown) if others else 0


def _read_folder(folder: Path, rows: Path, workers: int) -> Path:
    """The file of the readings of a folder's photos."""
    command = [sys.executable, "-m", "vision.detect", str(folder), "--no-solve", "--rows", str(rows)]
    subprocess.run([*command, "--workers", str(workers)], check=True)
    return rows


def readings_of(file: Path) -> dict[str, dict[str, Any]]:
    """The compared fields of each reading in a file, by the photo's name."""
    with file.open(encoding="utf-8") as lines:
        return {Path(row["file"]).name: _compared(row) for row in map(json.loads, lines)}


def _compared(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: row[name] for name in FIELDS if name in row}
    for name, fields in PART_FIELDS.items():
        kept[name] = [{field: part[field] for field in fields if field in part} for part in kept.get(name, ())]
    return kept


def digest(readings: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A line for each field: its name, how many readings have it, and the SHA-256 of all its values."""
    for name in FIELDS:
        found = {photo: reading[name] for photo, reading in sorted(readings.items()) if name in reading}
        if found:
            text = json.dumps(found, sort_keys=True, ensure_ascii=False)
            yield f"{name:16} {len(found):5} {hashlib.sha256(text.encode()).hexdigest()[:24]}"


def compare(before: Mapping[str, Any], after: Mapping[str, Any], shown: int) -> int:
    """Prints the first differences and how many photos and fields differ; returns the exit status."""
    found = list(differences(before, after))
    for photo, path, was, now in islice(found, shown):
        print(f"{photo} {path}: {json.dumps(was)} -> {json.dumps(now)}"[:300])
    fields = Counter(path.split("/")[0] for _, path, _, _ in found)
    print(f"{len({photo for photo, *_ in found})} of {len(before)} readings differ" + (f": {fields}" if fields else ""))
    return 1 if found else 0


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Any]]:
    """Photo, place in the reading, old and new value of everything that differs."""
    for photo in sorted(before.keys() | after.keys()):
        for path, was, now in _differing(before.get(photo), after.get(photo), ""):
            yield photo, path, was, now


def _differing(was: Any, now: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Place, old and new value of every part of two JSON values that differs."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in sorted(was.keys() | now.keys()):
            yield from _differing(was.get(name), now.get(name), f"{path}/{name}".lstrip("/"))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, pair in enumerate(zip(was, now, strict=True)):
            yield from _differing(*pair, f"{path}/{number}")
    elif was != now:
        yield path, was, now


if __name__ == "__main__":
    sys.exit(main())
