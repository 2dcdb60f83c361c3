"""Files of results, as JSON lines or Parquet. The file appears when all rows are done.

Until then a journal beside it, `<file>.part`, holds the rows. If a run is stopped or killed, it remains, and the same
command continues after its last complete row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from plumbing.files import whole_file
from plumbing.resumable import Journal

COLUMNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("id", "game", "verdict", "stop_reason", "error"), "string"),
    **dict.fromkeys(("mean", "low", "high"), "float64"),
}
"""The columns of a Parquet file of results, those of an estimate last; a further one, `row`, has the row as JSON."""
ROWS: Final = (".jsonl", ".parquet")
"""What the name of a file of results ends in: as JSON lines, or as Parquet."""
BATCH: Final = 10_000
"""Rows of a Parquet row group: the most that are held in memory."""


class ResultFile(Journal):
    """A file of results in progress; a context manager inside which rows (JSON objects) are added.

    Args:
        target: Where the results go in the end: JSON lines, or Parquet where the name ends so.
        work: A text that identifies the work.
        columns: Keys of rows that a Parquet file has as columns, with their types (see `write_parquet`), beside the
            whole row as JSON under `row`.

    Attributes:
        file: The journal that keeps the rows until then.
        failed: How many rows of an earlier run hold an `error`.

    Raises:
        CardsError: If the file holds the rows of other work.
    """

    def __init__(self, target: Path, work: str, columns: Mapping[str, str] = COLUMNS) -> None:
        super().__init__(target.with_name(target.name + ".part"), work)
        self.target = target
        self.columns = dict(columns)
        self.failed = 0
        for number, row in enumerate(self.rows()):
            if not isinstance(row, dict):
                raise self.damaged(number)
            self.failed += bool(row.get("error"))

    def forget(self) -> None:
        """Drops what an earlier run left."""
        self.file.unlink(missing_ok=True)
        self.done = self.failed = 0

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        super().__exit__(kind)
        if kind is not None:
            return
        if self.target.suffix == ".parquet":
            rows = (row | {"row": json.dumps(row)} for row in self.rows())
            write_parquet(rows, self.columns | {"row": "string"}, self.target)
        else:
            with self.file.open("rb") as lines, whole_file(self.target) as ready, ready.open("wb") as out:
                out.writelines(islice(lines, 1, None))
        self.file.unlink()


def _text(value: object) -> str | None:
    # A file's name may hold bytes that are no text.
    return None if value is None else str(value).encode("utf-8", "backslashreplace").decode()


def write_parquet(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], file: Path) -> None:
    """Writes rows as a Parquet file, which appears when it is whole; `BATCH` rows are held in memory.

    Args:
        rows: The rows; what they have beside the columns is left out, and what they lack is null.
        columns: Each column's name and type: `string`, `int64`, `float64` or `bool_`.
        file: Where to.
    """
    import pyarrow.parquet  # here: it takes longer to load than a short command

    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in columns.items()])
    waiting = iter(rows)
    with whole_file(file) as part, pyarrow.parquet.ParquetWriter(part, schema) as writer:
        while batch := list(islice(waiting, BATCH)):
            values = {
                name: [_text(row.get(name)) if kind == "string" else row.get(name) for row in batch]
                for name, kind in columns.items()
            }
            writer.write_table(pyarrow.table(values, schema=schema))
