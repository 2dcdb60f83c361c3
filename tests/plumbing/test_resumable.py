"""Samples that are stopped or killed go on to the same totals."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow.parquet
import pytest

from plumbing.errors import CardsError
from plumbing.parallel import Chunk, chunks
from plumbing.resumable import resumable_map
from solver.__main__ import main
from tests.pausing import end_command

SAMPLES = {
    "klondike": "klondike --random 600 --draw 1 --node-limit 3000",
    "tomb-single": "tomb-single -n 2e6",
    "tomb-double": "tomb-double -n 1000 --player rule",
    "baccarat": "baccarat -n 1.4e7",
}
"""A dozen chunks each, or some more."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_killed_sample_goes_on_to_the_same_totals(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.jsonl"
    words = [*SAMPLES[name].split(), "--seed", "1", "--plot", "none", "--workers", "1", "--json"]
    command = ["solver.__main__", *words, "--resume", str(kept)]
    status, *said = end_command("plumbing.resumable._checksum", 9, command)
    assert status == -signal.SIGKILL, said
    done = kept.read_bytes()
    kept.write_bytes(done[:-7])  # a crash may cut a line
    assert main([*words, "--resume", str(kept)]) == 0
    assert kept.read_bytes().startswith(done)
    resumed = capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().out == resumed


def test_killed_and_stopped_rows_of_deals_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, straight = tmp_path / "deals.jsonl", tmp_path / "straight.jsonl"
    words = [*SAMPLES["klondike"].split(), "--seed", "1", "--plot", "none", "--json", "--workers"]
    part = tmp_path / "deals.jsonl.part"
    command = ["solver.__main__", *words, "2", "--rows", str(out)]
    status, *said = end_command("plumbing.result_files.ResultFile.add", 170, command)
    assert status == -signal.SIGKILL, said
    assert not out.exists()
    assert part.read_text().count("\n") == 170
    status, *said = end_command("plumbing.result_files.ResultFile.add", 85, command, signal.SIGINT)
    assert status == 130, said
    assert "run the same command again to continue" in said[1]
    assert part.read_text().count("\n") == 169 + 85
    assert not out.exists()
    assert main([*words, "1", "--rows", str(out)]) == 0
    assert not part.exists()
    total = json.loads(capsys.readouterr().out)
    assert main([*words, "1", "--rows", str(straight)]) == 0
    assert json.loads(capsys.readouterr().out) == total
    assert out.read_bytes() == straight.read_bytes()
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in rows] == list(range(1, 601))
    for verdict in ("win", "no_win", "unknown"):
        assert sum(row["verdict"] == verdict for row in rows) == total[verdict]
    assert main([*words[:-1], "--workers", "1"]) == 0
    assert json.loads(capsys.readouterr().out) == total


def test_rows_of_deals_as_parquet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deals.parquet"
    words = ["klondike", "--random", "60", "--draw", "1", "--node-limit", "2000", "--seed", "1", "--plot", "none"]
    assert main([*words, "--workers", "1", "--json", "--rows", str(out)]) == 0
    total, table = json.loads(capsys.readouterr().out), pyarrow.parquet.read_table(out).to_pydict()
    assert table["id"] == list(range(1, 61))
    assert sum(table["nodes"]) == total["nodes"]
    assert set(table["stop_reason"]) == {"solved", "node_limit"}
    assert main(["klondike", table["position"][0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == table["verdict"][0] == "win"


def test_rows_of_other_deals_are_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deals.jsonl"
    (tmp_path / "deals.jsonl.part").write_text('{"work": "other"}\n{"id": 1}\n')
    assert main(["klondike", "--random", "5", "--seed", "1", "--plot", "none", "--rows", str(out)]) == 1
    assert "keeps other work" in capsys.readouterr().err


def _sizes(calls: list[int], part: Chunk) -> list[int]:
    calls.append(part.index)
    return [part.start, part.size]


def _run(n: int, file: Path, what: str = "sizes") -> tuple[list[list[int]], list[int]]:
    """The results of `n` draws, and the numbers of the chunks that were worked out now."""
    calls: list[int] = []
    results: Iterator[list[int]] = resumable_map(
        partial(_sizes, calls), chunks(n, 10, 1), resume=file, what=what, workers=1
    )
    return list(results), calls


def test_what_is_kept_is_not_worked_out_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    assert _run(25, file) == ([[0, 10], [10, 10], [20, 5]], [0, 1, 2])
    assert _run(25, file) == ([[0, 10], [10, 10], [20, 5]], [])
    assert _run(40, file) == ([[0, 10], [10, 10], [20, 10], [30, 10]], [2, 3])  # the short one is done again, whole
    assert _run(20, file) == ([[0, 10], [10, 10]], [])
    assert _run(40, file)[1] == []
    file.write_bytes(file.read_bytes()[:-3])
    assert _run(40, file)[1] == [3]
    with pytest.raises(CardsError, match="more draws than are asked for"):
        _run(35, file)
    assert _run(40, file)[1] == []


def test_what_an_early_end_leaves_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    results = resumable_map(partial(_sizes, []), chunks(10**9, 10, 1), resume=file, what="sizes", workers=1)
    assert [next(results) for _ in range(3)] == [[0, 10], [10, 10], [20, 10]]
    results.close()
    assert _run(50, file)[1] == [3, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"work": "others"}\n', "keeps other work"),
        ("no counts\n", "keeps other work"),
        ('{"work": "sizes"}\n{"broken\n', "line 2 is damaged"),
        ('{"work": "sizes"}\n[1]\n', "damaged"),
        ('{"work": "sizes"}\n[10, [0, 11], 1234567]\n', "damaged"),
    ],
)
def test_a_file_of_something_else_is_named_and_left(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_text(text)
    with pytest.raises(CardsError, match=message):
        _run(20, file)
    assert file.read_text() == text


@pytest.mark.parametrize("start", ["", '{"wo'])
def test_a_file_cut_off_in_its_first_line_begins_anew(start: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_text(start)
    assert _run(20, file) == ([[0, 10], [10, 10]], [0, 1])
    assert _run(20, file)[1] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("klondike --random 5 --rows r.jsonl", "--rows needs --seed"),
        ("klondike --random 5 --seed 1 --rows r.jsonl --resume c.jsonl", "either --resume or --rows"),
        ("klondike --deal 1 --rows r.jsonl", "--rows belongs to a sample"),
        ("tomb-single -n 5 --resume r.jsonl", "--resume needs --seed"),
        ("tomb-single --trace --seed 1 --resume r.jsonl", "--resume belongs to a sample"),
        ("tomb-double --deal 1 --seed 1 --resume r.jsonl", "--resume belongs to a sample"),
        ("baccarat --resume r.jsonl", "--resume belongs to a sample"),
    ],
)
def test_wrong_usage_is_status_2(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert message in capsys.readouterr().err
