"""Work that can be stopped or killed and then continued: each result is saved to a file as soon as it is known.

A `Journal` is a file of JSON lines. Its first line names the work. Three use it: `resumable_map` for the counts of a
simulation, `NamedRows` for work that is repeated for some rows only, and `plumbing.result_files` for files of results.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, tee
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from plumbing.errors import CardsError
from plumbing.files import naming, whole_file
from plumbing.parallel import Chunk, Workers, ordered_map

ResultT = TypeVar("ResultT")


class Journal:
    """Rows of a piece of work in a file; a context manager inside which rows are added.

    A run that was stopped or killed leaves complete rows and at most one incomplete row, which is cut off.

    Args:
        file: The file of JSON lines, made where it is missing.
        work: A JSON value that identifies the work; None if each row says itself what it belongs to.

    Attributes:
        file: The file.
        done: How many rows an earlier run left.

    Raises:
        CardsError: If the file keeps other work, or is damaged.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Journal(Path(folder) / "kept.jsonl", "squares") as journal:
    ...         journal.add([3, 9])
    ...     again = Journal(Path(folder) / "kept.jsonl", "squares")
    ...     print(again.done, list(again.rows()))
    1 [[3, 9]]
    """

    def __init__(self, file: Path, work: object) -> None:
        self.file = file
        self._head = b"" if work is None else (json.dumps({"work": work}) + "\n").encode()
        self._open: IO[bytes] | None = None
        self.done = self._cut_half_row()

    def _cut_half_row(self) -> int:
        """Checks the first line and cuts off a row that is not whole; returns how many are."""
        if not self.file.is_file():
            return 0
        with naming(self.file), self.file.open("rb") as old:
            first = old.readline() if self._head else b""
            if not self._head.startswith(first):
                said = first[:200].decode("utf-8", "replace").strip()
                raise CardsError(f"{self.file} keeps other work ({said}); name another file, or delete it")
            count, end = 0, len(first) if first == self._head else 0
            for line in old:
                if line.endswith(b"\n"):
                    count, end = count + 1, end + len(line)
        os.truncate(self.file, end)
        return count

    def damaged(self, row: int) -> CardsError:
        """The error of a row, counted from 0, that is not what it should be."""
        line = row + 1 + bool(self._head)
        return CardsError(f"{self.file}: line {line} is damaged; delete the file, or the lines from there on")

    def rows(self) -> Iterator[Any]:
        """The rows that are there, one at a time. Raises CardsError at one that is no JSON."""
        if not self.file.is_file():
            return
        with naming(self.file), self.file.open("rb") as lines:
            for number, line in enumerate(islice(lines, bool(self._head), None)):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    raise self.damaged(number) from None
                yield row

    def keep(self, count: int) -> None:
        """Drops all rows but the first `count`."""
        with self.file.open("rb") as lines:
            end = sum(map(len, islice(lines, count + bool(self._head))))
        os.truncate(self.file, end)
        self.done = count

    def __enter__(self) -> Self:
        with naming(self.file):
            self._open = self.file.open("ab")
            if not self._open.tell():
                self._write(self._head)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._open is not None:
            with naming(self.file):
                self._open.close()

    def add(self, row: Any) -> None:
        """Saves a row."""
        self._write((json.dumps(row) + "\n").encode())

    def _write(self, line: bytes) -> None:
        assert self._open is not None, "rows are added inside `with`"
        with naming(self.file):
            self._open.write(line)
            self._open.flush()


class NamedRows(Journal):
    """Rows by name, for work that is repeated for some of them only, such as photos that have changed.

    A row is valid as long as its fingerprint is the current one of its name. Invalid rows are dropped when the file
    is opened. Only the names and their places in the file are held in memory.

    Args:
        file: The file, made where it is missing.
        key: Under which of its keys a row holds its name.
        fingerprint: A name's current fingerprint; it differs if input, options or code have changed.

    Attributes:
        stale: How many rows were dropped because of their fingerprint.
    """

    def __init__(self, file: Path, key: str, fingerprint: Callable[[str], str]) -> None:
        self.stale = 0
        self._key = key
        self._fingerprint = fingerprint
        self._places: dict[str, int] = {}
        if file.is_file():
            with file.open("rb") as old, whole_file(file) as part, part.open("wb") as kept:
                kept.writelines(self._present(old))
        super().__init__(file, None)

    def _present(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines to keep: whole ones that are not out of date, the first of each name."""
        end = 0
        for line in lines:
            row = json_object(line)
            name = None if row is None else row.get(self._key)
            if row is None or not isinstance(name, str) or name in self._places:
                continue
            if row.get("fingerprint") != self._fingerprint(name):
                self.stale += 1
                continue
            self._places[name] = end
            end += len(line)
            yield line

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __len__(self) -> int:
        return len(self._places)

    def add(self, row: Mapping[str, Any]) -> None:
        """Saves a row, which must contain its name."""
        assert self._open is not None, "rows are added inside `with`"
        name, place = row[self._key], self._open.tell()
        super().add(dict(row) | {"fingerprint": self._fingerprint(name)})
        self._places[name] = place

    def of(self, names: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The saved rows of some names, one at a time, without their fingerprints."""
        with self.file.open("rb") as file:
            for name in names:
                if name in self._places:
                    file.seek(self._places[name])
                    row: dict[str, Any] = json.loads(file.readline())
                    row.pop("fingerprint", None)
                    yield row


def json_object(line: bytes) -> dict[str, Any] | None:
    """A whole line's object; None for anything else."""
    try:
        row = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def resumable_map(
    work: Callable[[Chunk], ResultT], parts: Iterable[Chunk], *, resume: Path | None, what: object, workers: Workers
) -> Iterator[ResultT]:
    """`ordered_map` over chunks that saves each result; results that are saved already are not computed again.

    A run that was stopped or killed loses only the chunks in progress. A run with more draws continues one with fewer.

    Args:
        work: Gives a chunk's result as a JSON value.
        parts: The chunks, in order.
        resume: The file that keeps the results, made where it is missing; None keeps nothing.
        what: Says, as a JSON value, what the results depend on beside their chunks.
        workers: See `plumbing.parallel`.

    Raises:
        CardsError: If the file keeps the results of other work, or of more draws, or is damaged.

    >>> from plumbing.parallel import chunks
    >>> list(resumable_map(lambda part: part.size, chunks(10, 4, seed=1), resume=None, what="sizes", workers=1))
    [4, 4, 2]
    """
    if resume is None:
        yield from ordered_map(work, parts, workers=workers)
        return
    journal, left = Journal(resume, what), iter(parts)
    short: list[Chunk] = []
    for number, (row, part) in enumerate(zip(journal.rows(), left, strict=False)):
        if not _is_result(row, part.start):
            raise journal.damaged(number)
        size, result, _ = row
        if size > part.size:
            raise CardsError(f"{resume} keeps more draws than are asked for; ask for more, or name another file")
        if size < part.size:  # the end of a run of fewer draws: done again, whole
            journal.keep(number)
            short = [part]
            break
        yield result
    todo, sent = tee(chain(short, left))  # no more apart than what is under way
    with journal:
        for result, part in zip(ordered_map(work, todo, workers=workers), sent, strict=False):
            journal.add([part.size, result, _checksum(part.start, part.size, result)])
            yield result


def _is_result(row: object, start: int) -> bool:
    """Whether a row is the result of the chunk that begins with draw `start`, with its checksum."""
    return isinstance(row, list) and len(row) == 3 and row[2] == _checksum(start, row[0], row[1])


def _checksum(start: int, size: object, result: object) -> int:
    return zlib.crc32(json.dumps([start, size, result]).encode())
