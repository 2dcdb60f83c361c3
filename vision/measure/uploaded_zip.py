"""Uploaded photos with their ground truth, unpacked into a folder with every limit checked before a byte is written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import IO, Final

from plumbing.errors import CardsError

SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".json", ".txt", ".xml", ".yaml", ".csv")
MAX_FILES: Final = 1000
MAX_BYTES: Final = 500_000_000
_PIECE: Final = 1 << 20


class ArchiveError(CardsError):
    """Uploaded files that are not taken.

    Attributes:
        reason: What is wrong and what would be right.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def unpack(files: Iterable[tuple[str, bytes]], folder: Path) -> int:
    """Writes uploaded files, and what ZIP files among them hold, into a folder; other kinds of files are left out.

    Args:
        files: Name and content of each.
        folder: An empty folder.

    Returns:
        How many files were written.

    Raises:
        ArchiveError: For a broken ZIP file, a path that leads out of the folder, too many files or too many bytes.
    """
    written = room = 0
    for name, data in files:
        parts = _members(name, data) if name.lower().endswith(".zip") else [(name, io.BytesIO(data))]
        for path, stream in parts:
            target = folder / _safe(path)
            if target.suffix.lower() not in SUFFIXES:
                continue
            written += 1
            if written > MAX_FILES:
                raise ArchiveError(f"more than {MAX_FILES:,} files; please send fewer")
            with _placed(target, path) as out:
                # Sizes that an archive states may be false: what counts is what really comes out of it.
                while piece := _read(stream, name):
                    room += len(piece)
                    if room > MAX_BYTES:
                        raise ArchiveError(f"more than {MAX_BYTES // 1_000_000:,} MB unpacked; please send less")
                    out.write(piece)
    return written


def _members(name: str, data: bytes) -> Iterable[tuple[str, io.BufferedIOBase]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        raise ArchiveError(f"{name} is no ZIP file that can be read") from None
    for info in archive.infolist():
        if info.is_dir():
            continue
        try:
            stream = archive.open(info)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, ValueError):
            raise ArchiveError(f"{name} is damaged, encrypted or packed in a way that is not known here") from None
        with stream:
            yield info.filename, stream  # type: ignore[misc]


def _read(stream: io.BufferedIOBase, name: str) -> bytes:
    try:
        return stream.read(_PIECE)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError):
        raise ArchiveError(f"{name} is damaged") from None
    except Exception as error:
        # Each kind of compression has an error of its own.
        raise ArchiveError(f"{name} is damaged ({type(error).__name__})") from None


def _placed(target: Path, path: str) -> IO[bytes]:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("wb")
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise ArchiveError(f"{path!r} is a file and a folder at once") from None


def _safe(name: str) -> Path:
    """A path inside the folder.

    >>> _safe("photos/a.jpg").as_posix()
    'photos/a.jpg'
    >>> _safe("../a.jpg")
    Traceback (most recent call last):
    vision.measure.uploaded_zip.ArchiveError: '../a.jpg' is no path inside a folder
    """
    path = PurePosixPath(name.replace("\\", "/"))
    bad = path.is_absolute() or not path.parts or any(part == ".." or ":" in part for part in path.parts)
    if bad or len(name.encode()) > 250 or any(not char.isprintable() for char in name):
        raise ArchiveError(f"{name[:80]!r} is no path inside a folder")
    return Path(*path.parts)
