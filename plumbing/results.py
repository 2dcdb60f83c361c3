"""Results on their way to a file: nothing is lost on a crash, and nobody ever sees a half-written file.

In a `ResultFile` rows go to `<file>.part`, one JSON object a line, behind a first line that names the work. When all
rows are there, the file itself appears at once. A run that was stopped, or killed, leaves its `.part`; the same work
goes on behind its last whole row. `row_store` keeps rows by name instead, `resume` a simulation's counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from plumbing.errors import CardsError
from plumbing.files import naming, whole_file

COLUMNS: Final[Mapping[str, str]] = dict.fromkeys(("id", "game", "verdict", "stop_reason", "error"), "string")
"""What a Parquet file of results has as columns; the whole row stands beside them as JSON, under `row`."""
BATCH: Final = 10_000
"""Rows of a Parquet row group: the most that are held in memory."""


class ResultFile:
    """A file of results under way; a context manager.

    Args:
        file: Where the results go in the end: JSON lines, or Parquet where the name ends so.
        work: A text that is the same only for the same work.
        columns: Keys of rows that a Parquet file has as columns, with their types (see `write_parquet`), beside the
            whole row as JSON under `row`.

    Attributes:
        done: Rows that an earlier run left.
        failed: How many of them hold an `error`.

    Raises:
        CardsError: Where the `.part` of other work lies there, or Parquet is asked for without `pyarrow`.
    """

    def __init__(self, file: Path, work: str, columns: Mapping[str, str] = COLUMNS) -> None:
        if file.suffix == ".parquet":
            _pyarrow()
        self.file = file
        self.columns = dict(columns)
        self.part = file.with_name(file.name + ".part")
        self._head = json.dumps({"work": work})
        self.failed = 0
        self.done = self._whole_rows()
        self._open: IO[str] | None = None

    def _whole_rows(self) -> int:
        """Counts the rows of an earlier run and cuts off a half one."""
        if not self.part.is_file() or not self.part.stat().st_size:
            return 0
        end = lines = 0
        with self.part.open("rb") as old:
            for line in old:
                if not line.endswith(b"\n"):
                    break
                if lines == 0 and line.decode("utf-8", "replace").rstrip("\n") != self._head:
                    raise CardsError(
                        f"{self.part} holds results of other rows or options; delete it or write to another file"
                    )
                end += len(line)
                if lines:
                    row = json_object(line)
                    if row is None:
                        raise CardsError(f"{self.part}: line {lines + 1} is damaged; delete it and those behind it")
                    self.failed += bool(row.get("error"))
                lines += 1
        os.truncate(self.part, end)
        return max(0, lines - 1)

    def forget(self) -> None:
        """Drops what an earlier run left."""
        self.part.unlink(missing_ok=True)
        self.done = self.failed = 0

    def __enter__(self) -> ResultFile:
        fresh = not self.part.is_file() or not self.part.stat().st_size
        self._open = self.part.open("a", encoding="utf-8")
        if fresh:
            with naming(self.part):
                print(self._head, file=self._open, flush=True)
        return self

    def kept(self) -> Iterator[dict[str, Any]]:
        """The rows that an earlier run left, one at a time; to be read before any is added."""
        if self.done:
            with self.part.open(encoding="utf-8") as lines:
                next(lines)
                yield from map(json.loads, lines)

    def add(self, row: dict[str, Any]) -> None:
        """Writes a row down."""
        with naming(self.part):
            print(json.dumps(row), file=self._open, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open is not None:
            with naming(self.part):
                self._open.close()
        if kind is None:
            self._finish()

    def _finish(self) -> None:
        with self.part.open(encoding="utf-8") as lines:
            next(lines)
            if self.file.suffix == ".parquet":
                rows = (json.loads(line) | {"row": line.rstrip("\n")} for line in lines)
                write_parquet(rows, self.columns | {"row": "string"}, self.file)
            else:
                with whole_file(self.file) as ready, ready.open("w", encoding="utf-8") as out:
                    out.writelines(lines)
        self.part.unlink()


def json_object(line: bytes) -> dict[str, Any] | None:
    """A whole line's object; None for anything else."""
    try:
        row = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise CardsError(
            "a Parquet file needs the package `pyarrow`, which is not installed: pip install pyarrow"
        ) from None
    return pyarrow


def _text(value: object) -> str | None:
    # A file's name may hold bytes that are no text.
    return None if value is None else str(value).encode("utf-8", "backslashreplace").decode()


def write_parquet(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], file: Path) -> None:
    """Writes rows as a Parquet file, which appears when it is whole; `BATCH` rows are held in memory.

    Args:
        rows: The rows; what they have beside the columns is left out, and what they lack is null.
        columns: Each column's name and type: `string`, `int64`, `float64` or `bool_`.
        file: Where to.

    Raises:
        CardsError: Where `pyarrow` is not installed.
    """
    pyarrow = _pyarrow()
    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in columns.items()])
    waiting = iter(rows)
    with whole_file(file) as part, pyarrow.parquet.ParquetWriter(part, schema) as writer:
        while batch := list(islice(waiting, BATCH)):
            values = {
                name: [_text(row.get(name)) if kind == "string" else row.get(name) for row in batch]
                for name, kind in columns.items()
            }
            writer.write_table(pyarrow.table(values, schema=schema))
