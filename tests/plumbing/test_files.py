"""Files appear whole or not at all, and a full disk is told with the file's name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plumbing.files import naming, whole_file

FULL = """
import json, resource, sys
from pathlib import Path
from plumbing.result_files import ResultFile
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
with ResultFile(Path(sys.argv[1]), "work") as results:
    for number in range(1000):
        results.add({"id": number, "line": "draw " * 20})
"""


def test_what_was_there_stays_until_the_new_file_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError), whole_file(file) as part:
        part.write_text("half\udcff")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
    assert file.read_text() == "old"
    with whole_file(file) as part:
        part.write_text("new")
        assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
    assert file.read_text() == "new"


def test_errors_name_the_file_that_was_wanted(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"rows\.csv'$"), whole_file(tmp_path / "missing" / "rows.csv") as part:
        part.write_text("new")
    with pytest.raises(OSError, match=r"No space left on device: 'rows\.csv'"), naming(Path("rows.csv")):
        Path("/dev/full").write_text("new")


def test_a_full_disk_names_the_file_and_keeps_the_rows(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    done = subprocess.run([sys.executable, "-c", FULL, str(file)], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith("OSError: [Errno 27] File too large: ")
    assert done.stderr.strip().endswith(f"'{file}.part'")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl.part"]
    again = subprocess.run(
        [sys.executable, "-c", FULL.replace("10_000", "10_000_000").replace("range(1000)", "range(results.done, 1000)"),
         str(file)], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not again.stderr
    assert file.read_text().count("\n") == 1000
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]
