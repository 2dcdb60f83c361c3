"""Fingerprints of what decides a result: weights, code, options, photo. Where one changed, the work is done again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from vision.measure.labels import TABLE, label_files

_LEFT_OUT: Final = {"report.py", "totals.py"}
"""Files of the code that change no reading."""


def fingerprint_work(options: str) -> str:
    """A short name of the weights, the code that reads and solves, and the options."""
    import plumbing
    import solver
    from vision.networks.runtime import MODELS

    digest = hashlib.sha256(options.encode())
    rooms = (Path(str(file)).parent for file in (__file__, plumbing.__file__, solver.__file__))
    code = [path for room in rooms for path in room.rglob("*.py")]
    for path in sorted([*MODELS.glob("*.onnx"), *(p for p in code if not _LEFT_OUT & set(p.parts))]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def fingerprint_photo(photo: Path) -> str:
    """Tells a photo, or several of a table, and the labels from others of that name: their sizes and times."""
    table = photo.parent / TABLE
    parts = sorted(photo.parent.iterdir()) if table.is_file() else [photo, *label_files(photo)]
    return " ".join(f"{s.st_size}-{s.st_mtime_ns}" for s in (path.stat() for path in parts if path.is_file()))
