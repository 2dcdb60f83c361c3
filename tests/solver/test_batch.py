"""`python -m solver solve`: rows of any game, in order, whatever some of them hold."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from solver.__main__ import main
from solver.batch import Task, solve_rows
from solver.solution import Limits

pytestmark = pytest.mark.xdist_group("makiaveli")  # whose rows these are

WIN = {"id": "w", "game": "makiaveli", "floor": [["7C", "7D", "7H"]], "cross": ["2S"], "hand": ["3S", "4S", "5S"]}
LOSS = {"game": "makiaveli", "floor": [], "hand": ["KS", "AS", "2S"]}
BAD = {"id": "b", "game": "makiaveli", "floor": [["7C", "7D"]], "hand": ["XS"]}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, rows: list[Any]) -> str:
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8"
    )
    return str(path)


def test_every_row_gets_a_result_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        WIN,
        LOSS,
        "",
        BAD,
        "no json {",
        "{broken",
        '{"id": ' + "9" * 5000 + "}",
        "[1, 2]",
        {"id": 0, "game": "whist"},
        {"id": "ill", "game": "makiaveli", "floor": [["7C", "7D"]], "hand": []},
        {"id": "nogame", "floor": [], "hand": []},
        "makiaveli hand: 3S 4S 5S",
        {"id": "typo", "game": "makiaveli", "floor": [], "hnd": ["3S"]},
        {**WIN, "id": None, "note": "a key of the file's own"},
    ]
    out = tmp_path / "out.jsonl"
    assert main(["solve", write(tmp_path / "in.jsonl", rows), "--out", str(out), "--workers", "1"]) == 1, "some failed"
    found = rows_of(out)
    assert [row["id"] for row in found] == ["w", 2, "b", 5, 6, 7, 8, 0, "ill", "nogame", 12, "typo", None]
    assert [row.get("verdict", "error") for row in found] == ["win", "no_win", *["error"] * 8, "win", "error", "win"]
    assert all(("error" in row) != ("verdict" in row) for row in found)
    assert "XS" in found[2]["error"]
    assert "row 4" in found[2]["error"]
    assert "at least 3" in found[8]["error"]
    assert found[0]["max_cards"] == 3
    assert found[0]["stop_reason"] == "solved"
    assert {"line", "stats", "broken", "moved", "final", "steps"} <= set(found[0])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "9 of 13 rows" in captured.err


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(WIN) + "\n"))
    assert main(["solve", "-", "--outs", "--workers", "1"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["verdict"] == "win"
    assert isinstance(row["outs"], list)


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    lines = [json.dumps(row) for row in (WIN, LOSS, BAD) for _ in range(7)]
    alone, together = (list(solve_rows(lines, Task(Limits()), workers)) for workers in (1, 2))
    for row in (*alone, *together):
        row.pop("stats", None)
    assert alone == together


def test_rows_are_read_only_as_they_are_needed() -> None:
    def endless() -> Any:
        while True:
            yield json.dumps(LOSS)

    results = solve_rows(endless(), Task(Limits()))
    assert [next(results)["id"] for _ in range(3)] == [1, 2, 3]


def test_a_parquet_file_shows_verdicts_and_estimates_in_columns(tmp_path: Path) -> None:
    import pyarrow.parquet

    out = tmp_path / "out.parquet"
    path = write(tmp_path / "in.jsonl", [WIN, {"id": 5, "game": "tomb_single", "deck": ["??"] * 52}])
    assert main(["solve", path, "--out", str(out), "--workers", "1"]) == 0
    won, estimated = pyarrow.parquet.read_table(out).to_pylist()
    assert (won["id"], won["verdict"], won["mean"]) == ("w", "win", None)
    assert (estimated["id"], estimated["verdict"]) == ("5", None)
    assert estimated["mean"] == json.loads(estimated["row"])["mean"]


def test_the_game_of_rows_that_name_none(tmp_path: Path) -> None:
    row = {key: value for key, value in WIN.items() if key != "game"}
    out = tmp_path / "out.jsonl"
    path = write(tmp_path / "in.jsonl", [row])
    assert main(["solve", path, "--out", str(out), "--workers", "1", "--game", "makiaveli"]) == 0
    assert rows_of(out)[0]["verdict"] == "win"


def test_a_file_that_is_not_there_is_one_line_and_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path / "none.jsonl")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_is_never_written_over_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "in.jsonl", [WIN])
    assert main(["solve", path, "--out", path]) == 2
    assert rows_of(tmp_path / "in.jsonl") == [WIN]
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--time-limit", "0"], ["--workers", "-1"], ["--node-limit", "x"], []])
def test_wrong_usage_is_status_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["solve", *(["f"] if arguments else []), *arguments])
    assert caught.value.code == 2


def test_these_tests_share_a_worker_with_the_games_own(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("loadgroup", False):
        pytest.skip("tests are not dealt out in groups")
    assert request.node.nodeid.endswith("@makiaveli"), "pytest-xdist does not see groups: each worker compiles it all"
