"""Results on their way to a file: nothing is lost on a crash, and nobody ever sees a half-written file.

Rows go to `<file>.part`, one JSON object a line, behind a first line that names the work. When all rows are there, the
file itself appears at once. A run that was stopped, or killed, leaves its `.part`; the same work goes on behind its
last whole row.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from solver.errors import CardsError

COLUMNS: Final = ("id", "game", "verdict", "stop_reason", "error")
"""What a Parquet file has as columns of text; the whole row stands beside them as JSON, under `row`."""
BATCH: Final = 10_000
"""Rows of a Parquet row group: the most that are held in memory."""


class ResultFile:
    """A file of results under way; a context manager.

    Args:
        file: Where the results go in the end: JSON lines, or Parquet where the name ends so.
        work: A text that is the same only for the same work.

    Raises:
        CardsError: Where the `.part` of other work lies there, or Parquet is asked for without `pyarrow`.
    """

    def __init__(self, file: Path, work: str) -> None:
        if file.suffix == ".parquet":
            _pyarrow()
        self.file = file
        self.part = file.with_name(file.name + ".part")
        self._head = json.dumps({"work": work})
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
                lines += 1
        os.truncate(self.part, end)
        return max(0, lines - 1)

    def forget(self) -> None:
        """Drops what an earlier run left."""
        self.part.unlink(missing_ok=True)
        self.done = 0

    def __enter__(self) -> ResultFile:
        fresh = not self.part.is_file() or not self.part.stat().st_size
        self._open = self.part.open("a", encoding="utf-8")
        if fresh:
            print(self._head, file=self._open, flush=True)
        return self

    def add(self, row: dict[str, Any]) -> None:
        """Writes a row down."""
        print(json.dumps(row), file=self._open, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open is not None:
            self._open.close()
        if kind is None:
            self._finish()

    def _finish(self) -> None:
        ready = self.file.with_name(self.file.name + ".ready")
        if self.file.suffix == ".parquet":
            _write_parquet(self.part, ready)
        else:
            with self.part.open(encoding="utf-8") as rows, ready.open("w", encoding="utf-8") as out:
                next(rows)
                out.writelines(rows)
        ready.replace(self.file)
        self.part.unlink()


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise CardsError(
            "a Parquet file needs the package `pyarrow`, which is not installed: pip install pyarrow"
        ) from None
    return pyarrow


def _batches(part: Path) -> Iterator[list[str]]:
    with part.open(encoding="utf-8") as rows:
        next(rows)
        batch = []
        for line in rows:
            batch.append(line.rstrip("\n"))
            if len(batch) == BATCH:
                yield batch
                batch = []
        yield batch


def _write_parquet(part: Path, out: Path) -> None:
    pyarrow = _pyarrow()
    schema = pyarrow.schema([(name, pyarrow.string()) for name in (*COLUMNS, "row")])
    with pyarrow.parquet.ParquetWriter(out, schema) as writer:
        for lines in _batches(part):
            rows = [json.loads(line) for line in lines]
            columns = {name: [None if row.get(name) is None else str(row[name]) for row in rows] for name in COLUMNS}
            writer.write_table(pyarrow.table(columns | {"row": lines}, schema=schema))
