"""Rows by name in a file, for work that is done again for some of them only, such as photos that changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from plumbing.files import naming, whole_file
from plumbing.results import json_object


class RowStore:
    """Rows by name in a file of JSON lines; only names and places in the file are held in memory.

    A row counts as long as its stamp is the one that its name has now. Others, and a line that a crash cut off, are
    dropped when the store is opened. A context manager: rows are added inside.

    Args:
        file: The file, made where it is missing.
        key: Under which of its keys a row holds its name.
        stamp: What tells a name's present rows from those of other input, options or code.

    Attributes:
        stale: How many rows were dropped because of their stamp.
    """

    def __init__(self, file: Path, key: str, stamp: Callable[[str], str]) -> None:
        self.file = file
        self.stale = 0
        self._key = key
        self._stamp = stamp
        self._places: dict[str, int] = {}
        self._open: IO[bytes] | None = None
        if file.is_file():
            self._read_again()

    def _read_again(self) -> None:
        with self.file.open("rb") as old, whole_file(self.file) as part, part.open("wb") as kept:
            for line in old:
                row = json_object(line)
                name = None if row is None else row.get(self._key)
                if row is None or not isinstance(name, str) or name in self._places:
                    continue
                if row.get("stamp") != self._stamp(name):
                    self.stale += 1
                    continue
                self._places[name] = kept.tell()
                kept.write(line)

    def __enter__(self) -> RowStore:
        self._open = self.file.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open is not None:
            with naming(self.file):
                self._open.close()

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __len__(self) -> int:
        return len(self._places)

    def add(self, row: Mapping[str, Any]) -> None:
        """Writes a row down; it must hold its name."""
        assert self._open is not None, "rows are added inside `with`"
        name = row[self._key]
        place = self._open.tell()
        with naming(self.file):
            self._open.write((json.dumps(dict(row) | {"stamp": self._stamp(name)}) + "\n").encode())
            self._open.flush()
        self._places[name] = place

    def rows(self, names: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The rows of those of `names` that are there, one at a time, without their stamps."""
        with self.file.open("rb") as file:
            for name in names:
                if name in self._places:
                    file.seek(self._places[name])
                    row: dict[str, Any] = json.loads(file.readline())
                    row.pop("stamp", None)
                    yield row
