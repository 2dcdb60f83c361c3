"""Order, bounds, errors and interruption of the map over processes."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plumbing import parallel
from plumbing.errors import NotationError, PositionError
from plumbing.parallel import AHEAD, chunks, ordered_map
from solver.cards import parse_card

ROOT = Path(__file__).resolve().parents[2]


def test_results_come_in_order_whatever_the_workers() -> None:
    numbers = list(range(40))
    expected = [math.factorial(n) for n in numbers]
    for workers in (1, 2, 3):
        assert list(ordered_map(math.factorial, numbers, workers=workers)) == expected


def test_work_in_flight_is_bounded_and_an_endless_iterator_can_be_left() -> None:
    read = itertools.count()
    results = ordered_map(abs, read, workers=2)
    assert next(results) == 0
    results.close()
    assert next(read) <= 2 * AHEAD + 1


def test_an_error_in_a_worker_arrives_as_itself() -> None:
    with pytest.raises(NotationError, match="is no card") as caught:
        list(ordered_map(parse_card, ["AS", "QX", "2C"], workers=2))
    assert caught.value.column == 1


@pytest.mark.parametrize("error", [NotationError("x", 3, "bad", "good"), PositionError("tomb_single", ["a", "b"])])
def test_errors_survive_pickling(error: NotationError | PositionError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_a_killed_worker_is_an_error_not_a_hang() -> None:
    with pytest.raises(ChildProcessError, match="worker process"):
        list(ordered_map(os._exit, [3, 3, 3], workers=2))


def test_workers_is_positive() -> None:
    with pytest.raises(ValueError, match="workers is 0"):
        list(ordered_map(abs, [1], workers=0))


def test_chunks_cover_the_sample_and_do_not_depend_on_later_ones() -> None:
    some, more = list(chunks(1000, 300, seed=5)), list(chunks(5000, 300, seed=5))
    assert sum(chunk.size for chunk in some) == 1000
    assert some[:3] == more[:3]
    assert len({chunk.seed for chunk in more}) == len(more)
    assert some[0].seed != next(chunks(1000, 300, seed=6)).seed


SLEEPERS = """
import time
from plumbing.parallel import ordered_map
if __name__ == "__main__":
    print("started", flush=True)
    try:
        for _ in ordered_map(time.sleep, [0.1] + [3600] * 8, workers=2):
            print("first", flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_and_kill_leave_no_workers_behind(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "sleepers.py"
    script.write_text(SLEEPERS)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
        # A background job of a shell ignores SIGINT, and so would this child; a person's Ctrl-C is what is tested.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert run.stdout is not None
    assert [run.stdout.readline().strip() for _ in range(2)] == ["started", "first"]
    os.kill(run.pid, how)
    out, err = run.communicate(timeout=600)
    assert out.strip() == ("stopped" if how == signal.SIGINT else "")
    assert "Traceback" not in err
    group = run.pid
    for _ in range(6000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("workers outlived the run")


UNGUARDED = """
print("started", flush=True)
import math
from plumbing.parallel import ordered_map
print(*ordered_map(math.factorial, [3, 4], workers=2))
"""


def test_a_script_needs_no_guard_and_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(UNGUARDED)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment, timeout=600)
    assert (run.stdout, run.stderr) == ("started\n6 24\n", "")


HALF_WRITTEN = """
import os, struct, sys, time
from plumbing.parallel import ordered_map

def work(item):
    if item:
        while not os.path.exists(sys.argv[1] + ".first"):  # the first result must be read whole
            time.sleep(0.1)
        frame = sys._getframe()
        while "result_queue" not in frame.f_locals:
            frame = frame.f_back
        os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1000) + b"half of it")
        open(sys.argv[1], "w").close()
        time.sleep(3600)

if __name__ == "__main__":
    try:
        for _ in ordered_map(work, [0, 1], workers=2):
            open(sys.argv[1] + ".first", "w").close()
            while not os.path.exists(sys.argv[1]):
                time.sleep(0.1)
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


def test_a_worker_ended_in_the_midst_of_a_result_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """Under load Ctrl-C once came as a result was being written, and the command never ended."""
    script = tmp_path / "half_written.py"
    script.write_text(HALF_WRITTEN)
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "written")],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=600,
    )
    assert run.stdout.strip() == "stopped"
    assert "Traceback" not in run.stderr


def test_ctrl_c_comes_when_a_worker_is_started_and_not_before() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = False
    try:
        with contextlib.suppress(KeyboardInterrupt), parallel._ctrl_c_waits():
            os.kill(os.getpid(), signal.SIGINT)
            started = True
        assert started
        with pytest.raises(KeyboardInterrupt), parallel._ctrl_c_waits():
            os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
