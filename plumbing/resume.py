"""Simulations that go on where they were stopped: each chunk's result is kept in a file as soon as it is there."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, tee
from pathlib import Path
from typing import IO, Any, TypeVar

from plumbing.errors import CardsError
from plumbing.files import naming
from plumbing.parallel import Chunk, Workers, ordered_map

ResultT = TypeVar("ResultT")


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
        workers: See `plumbing.parallel`.

    Raises:
        CardsError: If the file keeps the results of other work, or of more draws, or is something else.

    >>> from plumbing.parallel import chunks
    >>> list(resumable_map(lambda part: part.size, chunks(10, 4, seed=1), resume=None, what="sizes", workers=1))
    [4, 4, 2]
    """
    if resume is None:
        yield from ordered_map(work, parts, workers=workers)
        return
    head = (json.dumps({"work": what}) + "\n").encode()
    left = iter(parts)
    with naming(resume), resume.open("a+b") as file:
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
