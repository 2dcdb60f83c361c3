"""Writing files completely or not at all, and errors that name the file."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Puts a file's name into an `OSError` raised inside that has none: the error of a full disk has none."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Gives a path beside `path` to write to; in the end that file replaces `path` in one step.

    So there is never half a file, whatever stops the writing. An error or Ctrl-C leaves nothing behind. A crash of the
    machine leaves a file with another name, `<path>.<random>.part`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "answer.txt") as part:
    ...         _ = part.write_text("win")
    ...     print(*(path.name for path in Path(folder).iterdir()))
    answer.txt
    """
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    with naming(path):
        try:
            yield part
            part.replace(path)
        except BaseException as error:
            if isinstance(error, OSError) and str(error.filename) == str(part):
                error.filename = str(path)
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
