"""Errors of the vision half, each one line that says what was wrong, where, and what would be right."""

from __future__ import annotations

from pathlib import Path

from plumbing.errors import CardsError


class FileError(CardsError):
    """A file that cannot be used.

    Attributes:
        source: The file, or `<bytes>`.
        reason: What is wrong with it and what would be right.
    """

    def __init__(self, source: str, reason: str) -> None:
        self.source = source
        self.reason = reason
        super().__init__(f"{source}: {reason}")


class PhotoError(FileError):
    """A file that cannot be used as a photo."""


class FilmError(FileError):
    """A file that cannot be used as a film."""


class NoFolderError(FileError):
    """What was given as a folder, and is none."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), "a file; expected a folder" if path.exists() else "no such folder")


class PhotosError(CardsError):
    """Photos that cannot be read as one table."""


class OtherTableError(CardsError):
    """A photo of cards that were turned over, of which some lie face up in the table that they are to be of.

    Attributes:
        cards: Those cards.
    """

    def __init__(self, cards: str) -> None:
        self.cards = cards
        super().__init__(f"the turned cards do not fit this table: {cards} lie face up in it")


class LabelError(FileError):
    """A ground-truth file that cannot be read."""


class SystemLibraryError(CardsError):
    """A shared library that Python packages cannot bring along is missing on this machine.

    Attributes:
        library: The library's file name.
        package: The Debian package that holds it.
    """

    def __init__(self, library: str, package: str) -> None:
        self.library = library
        self.package = package
        super().__init__(f"the system library {library} is missing; on Debian or Ubuntu: apt-get install {package}")
