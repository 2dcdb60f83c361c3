"""Fingerprints of what decides a result: weights, code, options, photo. Where one changed, the work is done again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from vision.measure.labels import TABLE, label_files

_CHANGE_NO_RESULT: Final = {"report.py", "totals.py"}
"""Files of the code that change no row."""
_READ_NO_PHOTO: Final = (
    *("history/*.py", "measure/records.py", "record.py", "evaluate.py", "detect.py"),
    *("compare.py", "turn/*.py", "turned_over.py", "fans.py"),
)
"""Files that work with what was seen in photos, but for this one:"""
_READS: Final = "history/read_tables.py"


def fingerprint_work(options: str, *, only_reads: bool = False) -> str:
    """A short name of the weights, the code that reads and solves, and the options.

    Args:
        options: Whatever else decides the result.
        only_reads: Whether the work is no more than to see what a photo shows.
    """
    from vision.networks.runtime import MODELS
    from vision.preferences import FILE

    digest = hashlib.sha256(options.encode())
    for path in sorted([*MODELS.glob("*.onnx"), FILE, *find_code(only_reads=only_reads)]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def find_code(*, only_reads: bool) -> list[Path]:
    """The files of the code that decide a result, or only what is seen in a photo."""
    import plumbing
    import solver

    rooms = [Path(str(file)).parent for file in (__file__, plumbing.__file__, solver.__file__)]
    code = {path for room in rooms for path in room.rglob("*.py") if path.name not in _CHANGE_NO_RESULT}
    if only_reads:
        code -= {path for name in _READ_NO_PHOTO for path in rooms[0].glob(name)} - {rooms[0] / _READS}
    return sorted(code)


def fingerprint_photo(photo: Path) -> str:
    """Tells a photo, or several of a table, and the labels from others of that name: their sizes and times."""
    table = photo.parent / TABLE
    parts = sorted(photo.parent.iterdir()) if table.is_file() else [photo, *label_files(photo)]
    return " ".join(f"{s.st_size}-{s.st_mtime_ns}" for s in (path.stat() for path in parts if path.is_file()))
