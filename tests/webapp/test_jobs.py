from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from webapp.advice import describe_advice
from webapp.games.game import page_of
from webapp.jobs import IN_LINE, READY, Job, Pool, end
from webapp.worker import evaluate_task, moves_task, serve

SLEEPER = (
    sys.executable,
    "-c",
    f"import json, os, sys, time\nprint({READY!r}, flush=True)\nfor line in sys.stdin:\n"
    " print(json.dumps({'progress': {'begun': 1}}), flush=True)\n"
    " time.sleep(json.loads(line)['seconds'])\n"
    " while not os.path.exists(json.loads(line).get('until', '/')): time.sleep(0.02)\n"
    " print(json.dumps({'result': {}}), flush=True)",
)
WRITER = (
    sys.executable,
    "-c",
    f"import json, pathlib, sys\nprint({READY!r}, flush=True)\n"
    "folder = pathlib.Path(json.loads(sys.stdin.readline())['folder'])\n"
    "for number in range(10**9):\n"
    " (folder / str(number % 99)).write_text('')\n"
    " print(json.dumps({'progress': {'written': number}}), flush=True)",
)
DYING = (sys.executable, "-c", "import sys\nsys.exit(1)")
WAIT, HOUR = 300, 3600
"""Seconds that are waited for what comes at once, and that no test takes."""
EASY = "makiaveli floor: 7C 7D 7H; hand: 3S 4S 5S"
KLONDIKE = "klondike moves: run; columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    pool = Pool(2)
    yield pool
    pool.close()


def test_an_answer_comes_with_the_table_after_each_move(pool: Pool) -> None:
    job = pool.submit({"task": "answer", "line": EASY, "seconds": 10}, limit=WAIT)
    assert job.wait(WAIT)
    assert job.result is not None, job.error
    assert job.result["verdict"] == "win"
    assert job.result["frames"][-1]["position"]["hand"] == []


def test_a_bad_table_is_a_sentence_and_the_worker_lives_on(pool: Pool) -> None:
    job = pool.submit({"task": "answer", "line": "makiaveli floor: 7C 7D 8H; hand: 3S", "seconds": 10}, limit=WAIT)
    assert job.wait(WAIT)
    assert job.result is None
    assert "is no meld" in job.error
    again = pool.submit({"task": "answer", "line": EASY, "seconds": 10}, limit=WAIT)
    assert again.wait(WAIT)
    assert again.result is not None


def test_a_job_tells_how_far_it_is_and_whether_it_waits() -> None:
    pool = Pool(1, SLEEPER)
    try:
        first, second = (pool.submit({"seconds": HOUR}, limit=HOUR) for _ in range(2))
        while first.started is None:
            time.sleep(0.01)
        told = first.to_json("Searching")
        assert (told["words"], told["seconds"]) == ("Searching", HOUR)
        assert told["late"] == "Searching. This takes longer than usual.", "it is ready, and searches"
        assert second.to_json("Searching")["words"] == IN_LINE
        second.stop()
        first.stop()
    finally:
        pool.close()


def test_a_job_stops_at_once_while_others_go_on() -> None:
    pool = Pool(2, SLEEPER)
    try:
        long, short = (pool.submit({"seconds": seconds}, limit=HOUR) for seconds in (HOUR, 0))
        assert short.wait(WAIT)
        assert short.result == {}
        assert not long.done
        long.stop()
        assert long.wait(WAIT)
        assert long.error == "stopped"
        assert long.result is None
    finally:
        pool.close()


def test_a_job_that_has_ended_writes_no_more(tmp_path: Path) -> None:
    pool = Pool(1, WRITER)
    try:
        job, waiting = (pool.submit({"folder": str(tmp_path)}, limit=HOUR) for _ in range(2))
        deadline = time.monotonic() + WAIT
        while not job.progress and time.monotonic() < deadline:
            time.sleep(0.02)
        end(waiting)
        end(job)
        assert job.done
        for file in tmp_path.iterdir():
            file.unlink()
        tmp_path.rmdir()
        assert not tmp_path.exists()
    finally:
        pool.close()


def test_a_job_stopped_in_the_queue_never_runs() -> None:
    pool = Pool(1, SLEEPER)
    try:
        first, second = (pool.submit({"seconds": HOUR}, limit=HOUR) for _ in range(2))
        second.stop()
        first.stop()
        assert first.wait(WAIT)
        assert second.wait(WAIT)
        assert second.started is None
    finally:
        pool.close()


def idle(pool: Pool) -> object:
    """The one worker that waits for a job, once one does."""
    deadline = time.monotonic() + WAIT
    while not pool._idle and time.monotonic() < deadline:
        time.sleep(0.02)
    (worker,) = pool._idle
    return worker


def test_in_place_of_a_worker_that_was_stopped_another_stands_ready() -> None:
    pool = Pool(2, SLEEPER)
    try:
        job = pool.submit({"seconds": HOUR}, limit=HOUR)
        deadline = time.monotonic() + WAIT
        while not job.progress and time.monotonic() < deadline:
            time.sleep(0.02)
        job.stop()
        spare = idle(pool)
        again = pool.submit({"seconds": 0}, limit=HOUR)
        assert again.wait(WAIT)
        assert again.result == {}
        assert idle(pool) is spare
    finally:
        pool.close()


def test_a_job_stopped_just_as_it_has_ended_costs_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    finish = Job._finish

    def finish_and_stop(job: Job) -> None:
        finish(job)
        job.stop()

    monkeypatch.setattr(Job, "_finish", finish_and_stop)
    pool = Pool(1, SLEEPER)
    try:
        job = pool.submit({"seconds": 0}, limit=HOUR)
        assert job.wait(WAIT)
        worker = idle(pool)
        again = pool.submit({"seconds": 0}, limit=HOUR)
        assert again.wait(WAIT)
        assert idle(pool) is worker
        assert not job.stopped, "it ended by itself"
    finally:
        pool.close()


def test_a_job_stopped_in_the_queue_costs_no_worker(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    pool = Pool(1, SLEEPER)
    try:
        first, second = (pool.submit({"seconds": 0, "until": str(gate)}, limit=HOUR) for _ in range(2))
        second.stop()
        gate.touch()
        assert first.wait(WAIT)
        worker = idle(pool)
        assert second.wait(WAIT)
        third = pool.submit({"seconds": 0}, limit=HOUR)
        assert third.wait(WAIT)
        assert idle(pool) is worker
    finally:
        pool.close()


def test_progress_is_seen_while_the_job_runs() -> None:
    pool = Pool(1, SLEEPER)
    try:
        job = pool.submit({"seconds": HOUR}, limit=HOUR)
        deadline = time.monotonic() + WAIT
        while not job.progress and time.monotonic() < deadline:
            time.sleep(0.02)
        assert job.progress == {"begun": 1}
        assert not job.done
        job.stop()
    finally:
        pool.close()


def test_a_fault_inside_is_a_sentence_and_the_worker_lives_on(pool: Pool) -> None:
    job = pool.submit({"task": "no such task"}, limit=WAIT)
    assert job.wait(WAIT)
    assert "went wrong inside (KeyError)" in job.error


def test_a_worker_that_dies_is_replaced() -> None:
    pool = Pool(1, DYING)
    try:
        for _ in range(2):
            job = pool.submit({}, limit=HOUR)
            assert job.wait(WAIT)
            assert job.result is None
            assert "unexpectedly" in job.error
    finally:
        pool.close()


def test_a_worker_that_dies_before_it_begins_is_not_noticed(tmp_path: Path) -> None:
    first = f"import pathlib, sys\nflag = pathlib.Path({str(tmp_path / 'flag')!r})\n"
    first += (
        f"if not flag.exists():\n flag.touch()\n print({READY!r}, flush=True)\n sys.stdin.readline()\n sys.exit()\n"
    )
    pool = Pool(1, (sys.executable, "-c", first + SLEEPER[2]))
    try:
        job = pool.submit({"seconds": 0}, limit=HOUR)
        assert job.wait(WAIT)
        assert (job.result, job.error) == ({}, "")
    finally:
        pool.close()


def test_an_unknown_game_is_one_error_line() -> None:
    written: list[str] = []
    serve(iter(['{"task": "answer", "line": "poker hand: 3S", "seconds": 1}\n']), written.append)
    assert len(written) == 1
    assert "unknown game" in written[0]


def test_a_photo_that_cannot_be_read_is_named_as_it_was_sent(tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"this is no picture")
    (tmp_path / "bad.json").write_text(
        '{"image": {"width": 4, "height": 4}, "game": null, "cards": [], "position": null}'
    )
    (tmp_path / "bare.jpg").write_bytes(b"neither")
    rows = evaluate_task({"folder": str(tmp_path)}, lambda news: None)["rows"]
    assert [row["photo"] for row in rows] == ["bad.jpg", "bare.jpg"]
    assert all(row["told"].startswith("not read: ") for row in rows)
    assert str(tmp_path) not in "".join(row["told"] for row in rows)


@pytest.mark.parametrize(
    ("rules", "moves"), [("free", {"D", "X>S4"}), ("forced", {"X>S4"})], ids=["the player chooses", "all is forced"]
)
def test_the_one_deck_tombs_choices_are_weighed(rules: str, moves: set[str]) -> None:
    line = f"tomb_single rules: {rules}; corners: 7H | - | - | -; spares: KH 9D TS -; discard: QC"
    found = moves_task({"line": line, "seconds": 1}, lambda news: None)
    assert {row["move"] for row in found["moves"]} == moves
    assert all(row["low"] <= row["share"] <= row["high"] for row in found["moves"])
    said = describe_advice(found, found["moves"], str)
    assert said.headline == f"Next: {found['moves'][0]['move']}"
    assert ("in any order" in said.detail) == (rules == "forced")


@pytest.mark.parametrize(
    ("game", "move", "why"),
    [
        ("tomb_single", "S2>K1", "What fits"),
        ("tomb_double", "S>W1", "It is"),
        ("klondike", "draw", "Only the stock can be turned now"),
        ("klondike", "T1>F", "It is the only move"),
    ],
)
def test_an_only_move_is_explained_by_its_own_games_rules(game: str, move: str, why: str) -> None:
    row = {"move": move, "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    assert describe_advice({"by": "knowing"}, [row], str, page_of(game).describe_only_move).detail.startswith(why)


def compiled(cache: Path) -> set[str]:
    """The modules of which kernels lie in a cache, each with its folder."""
    return {f"{file.parent.name.rsplit('_', 1)[0]}.{file.name.split('.')[0]}" for file in cache.rglob("*.nbc")}


def test_a_worker_that_nobody_listens_to_ends_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    def write(text: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        serve(iter(['{"task": "answer", "line": "makiaveli hand: 3S", "seconds": 1}']), write)
    assert capsys.readouterr().err == ""


def test_a_new_worker_compiles_what_a_question_needs_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    pool = Pool(1)
    try:
        for line, verdict, modules in (
            (EASY, "win", set()),
            ("makiaveli floor: 7C 7D 7H; hand: 3S 4S", "no_win", set()),
            (KLONDIKE, "win", {"klondike.kernels", "klondike.shorten_kernels", "numeric.hash_table"}),
        ):
            job = pool.submit({"task": "answer", "line": line, "seconds": 10}, limit=WAIT)
            assert job.wait(WAIT)
            assert job.result is not None, job.error
            assert job.result["verdict"] == verdict
            assert compiled(tmp_path) == modules
    finally:
        pool.close()


STUDENT = (
    sys.executable,
    "-c",
    f"import json, sys\nprint({READY!r}, flush=True)\nfor line in sys.stdin:\n"
    " if json.loads(line).get('task') == 'prepare': sys.stdin.read()\n"
    " print(json.dumps({'result': {}}), flush=True)",
)
"""Never ends to prepare itself, and answers all else at once."""


def test_nobody_waits_for_a_worker_that_prepares_itself() -> None:
    pool = Pool(2, STUDENT)
    try:
        pool.warm()
        lesson = pool._lessons[0]
        deadline = time.monotonic() + WAIT
        while lesson.in_line and time.monotonic() < deadline:
            time.sleep(0.02)
        for _ in range(2):
            job = pool.submit({}, limit=HOUR)
            assert job.wait(WAIT)
            assert job.result == {}
        assert not lesson.done
    finally:
        pool.close()
    assert lesson.wait(WAIT)
    assert lesson.error == "stopped"


def test_a_busy_worker_ends_with_the_process_that_started_it() -> None:
    """The pipe stays open as long as either of the two lives."""
    busy = (
        "import os, threading, time; from webapp.worker import _end_with;"
        "threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start();"
        "print('busy', flush=True); time.sleep(900)"
    )
    starts_it = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {busy!r}]); sys.stdin.read(1)"
    with subprocess.Popen([sys.executable, "-c", starts_it], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline().strip() == b"busy"
        server.kill()
        assert server.communicate(timeout=300)[0] == b""
