"""Results on their way to a file: nothing is lost on a crash, and nobody ever sees a half-written file.

In a `ResultFile` rows go to `<file>.part`, one JSON object a line, behind a first line that names the work. When all
rows are there, the file itself appears at once. A run that was stopped, or killed, leaves its `.part`; the same work
goes on behind its last whole row.

A `RowStore` keeps rows by name instead, for work that is done again for some of them only (photos that changed), and
`resumable_map` the results of a simulation's chunks.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, tee
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, TypeVar

from solver.errors import CardsError
from solver.parallel import Chunk, Workers, ordered_map

ResultT = TypeVar("ResultT")

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
                    row = _json_object(line)
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
            with self.part.open(encoding="utf-8") as lines:
                next(lines)
                rows = (json.loads(line) | {"row": line.rstrip("\n")} for line in lines)
                write_parquet(rows, self.columns | {"row": "string"}, ready)
        else:
            with self.part.open(encoding="utf-8") as lines, ready.open("w", encoding="utf-8") as out:
                next(lines)
                out.writelines(lines)
        ready.replace(self.file)
        self.part.unlink()


def _json_object(line: bytes) -> dict[str, Any] | None:
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
    return None if value is None else str(value)


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
    part = file.with_name(file.name + ".part")
    with pyarrow.parquet.ParquetWriter(part, schema) as writer:
        while batch := list(islice(waiting, BATCH)):
            values = {
                name: [_text(row.get(name)) if kind == "string" else row.get(name) for row in batch]
                for name, kind in columns.items()
            }
            writer.write_table(pyarrow.table(values, schema=schema))
    os.replace(part, file)


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
        part = self.file.with_name(self.file.name + ".part")
        with self.file.open("rb") as old, part.open("wb") as kept:
            for line in old:
                row = _json_object(line)
                name = None if row is None else row.get(self._key)
                if row is None or not isinstance(name, str) or name in self._places:
                    continue
                if row.get("stamp") != self._stamp(name):
                    self.stale += 1
                    continue
                self._places[name] = kept.tell()
                kept.write(line)
        part.replace(self.file)

    def __enter__(self) -> RowStore:
        self._open = self.file.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open is not None:
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


def resumable_map(
    work: Callable[[Chunk], ResultT], parts: Iterable[Chunk], *, resume: Path | None, what: object, workers: Workers
) -> Iterator[ResultT]:
    """`ordered_map` over chunks that writes each result down; those that are there already are not worked out again.

    A run that was stopped or killed loses the chunks under way, and one with more draws goes on from one with fewer.

    Args:
        work: Gives a chunk's result as a JSON value.
        parts: The chunks, in order.
        resume: The file of JSON lines that keeps the results, made where it is missing; None keeps nothing.
        what: Says, as a JSON value, what the results depend on beside their chunks; it stands in the file's first line.
        workers: See `solver.parallel`.

    Raises:
        CardsError: If the file keeps the results of other work, or of more draws, or is something else.

    >>> from solver.parallel import chunks
    >>> list(resumable_map(lambda part: part.size, chunks(10, 4, seed=1), resume=None, what="sizes", workers=1))
    [4, 4, 2]
    """
    if resume is None:
        yield from ordered_map(work, parts, workers=workers)
        return
    head = (json.dumps({"work": what}) + "\n").encode()
    left = iter(parts)
    with resume.open("a+b") as file:
        file.seek(0)
        end = _check_head(file, head, resume)
        for part in left:
            line = file.readline()
            size, result = _kept_result(line, part.start, file.tell(), resume)
            if size != part.size:
                if size > part.size:
                    raise CardsError(
                        f"{resume} keeps more draws than are asked for; ask for more, or name another file"
                    )
                left = chain([part], left)  # cut off by a crash, or the end of a run of fewer draws: done again
                break
            end = file.tell()
            yield result
        else:
            return
        file.truncate(end)
        todo, sent = tee(left)  # no more apart than what is under way
        for result, part in zip(ordered_map(work, todo, workers=workers), sent, strict=False):
            file.write((json.dumps([part.size, result, _checksum(part.start, part.size, result)]) + "\n").encode())
            file.flush()
            yield result


def _check_head(file: IO[bytes], head: bytes, path: Path) -> int:
    """Where the results begin in a file whose first line is `head`, or which is empty."""
    first = file.readline()
    if first and head.startswith(first) and first != head:  # cut off by a crash
        file.truncate(0)
        first = b""
    if not first:
        file.write(head)
        file.flush()
    elif first != head:
        said = first[:200].decode("utf-8", "replace").strip()
        raise CardsError(f"{path} keeps other work ({said}); name another file, or delete it")
    return len(head)


def _kept_result(line: bytes, start: int, end: int, path: Path) -> tuple[int, Any]:
    """The size and result of the chunk that begins with draw `start`; size 0 for a line that is not whole."""
    if not line.endswith(b"\n"):
        return 0, None
    try:
        size, result, checksum = json.loads(line)
        whole = checksum == _checksum(start, size, result)
    except (TypeError, ValueError, RecursionError):
        whole = False
    if not whole:
        raise CardsError(f"{path}: the line before byte {end} is damaged; delete the file, or the lines from there on")
    return size, result


def _checksum(start: int, size: int, result: object) -> int:
    return zlib.crc32(json.dumps([start, size, result]).encode())
