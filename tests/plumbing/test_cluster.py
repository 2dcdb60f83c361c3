"""Work on a Dask cluster: the same results, also when workers are killed; and kind words where there is none."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet
import pytest

pytest.importorskip("distributed")

from distributed import LocalCluster

from plumbing.errors import NotationError
from plumbing.parallel import ClusterError, ordered_map
from solver.__main__ import main
from solver.cards import parse_card
from tests.pausing import end_command
from tests.solver.test_batch import LOSS, WIN, rows_of, write

pytestmark = pytest.mark.xdist_group("makiaveli")  # whose rows these are


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50, host="127.0.0.1"
    ) as made:
        yield made


def slow_square(number: int) -> int:
    time.sleep(0.2)
    return number * number


def test_results_come_in_order_from_a_cluster(cluster: LocalCluster) -> None:
    assert list(ordered_map(abs, range(-30, 0), workers=cluster.scheduler_address)) == list(range(30, 0, -1))


def test_a_killed_workers_work_is_done_again(cluster: LocalCluster) -> None:
    results = ordered_map(slow_square, range(12), workers=cluster.scheduler_address)
    got = [next(results), next(results)]
    victim = next(iter(cluster.workers.values()))
    os.kill(victim.pid, signal.SIGKILL)
    assert got + list(results) == [n * n for n in range(12)]


def test_an_error_of_the_work_arrives_as_itself(cluster: LocalCluster) -> None:
    with pytest.raises(NotationError, match="is no card"):
        list(ordered_map(parse_card, ["AS", "QX"], workers=cluster.scheduler_address))


def test_solve_gives_the_same_rows_on_a_cluster(cluster: LocalCluster, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [WIN, LOSS] * 10)
    for name, where in (("here", ["--workers", "1"]), ("there", ["--scheduler", cluster.scheduler_address])):
        assert main(["solve", source, "--out", str(tmp_path / name), *where]) == 0
    here, there = rows_of(tmp_path / "here"), rows_of(tmp_path / "there")
    for row in (*here, *there):
        row.pop("stats")
    assert here == there


def test_a_cluster_whose_workers_never_come_back_is_lost(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plumbing.parallel.AWAY_SECONDS", 0.5)
    monkeypatch.setattr("plumbing.parallel.CHECK_SECONDS", 0.1)
    results = ordered_map(slow_square, range(100), workers=cluster.scheduler_address)
    assert next(results) == 0
    cluster.scale(0)
    with pytest.raises(ClusterError, match="no workers for"):
        list(results)


def test_no_scheduler_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbing.parallel.CONNECT_SECONDS", 1)
    with pytest.raises(ClusterError, match="no Dask scheduler answers"):
        list(ordered_map(abs, [1, 2], workers="tcp://127.0.0.1:9"))
    with pytest.raises(SystemExit) as caught:
        main(["solve", "x", "--scheduler", "somewhere"])
    assert caught.value.code == 2
    assert "tcp://host:8786" in capsys.readouterr().err


def test_a_killed_run_goes_on_to_the_same_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**WIN, "id": n} for n in range(60)]
    source, out = write(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    part = tmp_path / "out.jsonl.part"
    command = ["solve", source, "--out", str(out), "--workers", "1"]
    status, *said = end_command("plumbing.result_files.ResultFile.add", 21, ["solver.__main__", *command])
    assert status == -signal.SIGKILL, said
    assert not out.exists()
    half = part.read_bytes()
    assert half.count(b"\n") == 21
    part.write_bytes(half + b'{"id": 1, "gam')  # what a crash in the middle of a line leaves
    assert main(command) == 0
    assert "continuing after row 20" in capsys.readouterr().err
    assert [row["id"] for row in rows_of(out)] == list(range(60))
    assert not part.exists()


def test_other_rows_do_not_go_on_from_these(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = tmp_path / "out.jsonl.part"
    part.write_text(json.dumps({"work": "other"}) + "\n" + json.dumps({"id": 1}) + "\n")
    command = ["solve", write(tmp_path / "in.jsonl", [WIN]), "--out", str(tmp_path / "out.jsonl"), "--workers", "1"]
    assert main(command) == 1
    assert "keeps other work" in capsys.readouterr().err
    part.unlink()
    assert main(command) == 0


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", [WIN, LOSS, "{broken"]), tmp_path / "out.parquet"
    assert main(["solve", source, "--out", str(out), "--workers", "1"]) == 1, "one row is broken"
    table = pyarrow.parquet.read_table(out).to_pydict()
    assert table["id"] == ["w", "2", "3"]
    assert table["verdict"] == ["win", "no_win", None]
    assert json.loads(table["row"][0])["max_cards"] == 3
    assert "row 3" in table["error"][2]
