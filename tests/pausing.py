"""Commands that are ended where a test says, however fast or busy the machine is.

A process that is to be ended calls `pause_before`: it works up to there, says so, and waits for its end.
A test that only waits for a file to grow ends it too late on a busy machine, when all is done.
"""

from __future__ import annotations

import os
import pkgutil
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAUSED = "paused"


def pause_before(where: str, calls: int) -> None:
    """Lets this process wait for a signal before a function or method is called for the `calls`-th time from now.

    Args:
        where: Its full name, as `plumbing.result_files.ResultFile.add`.
        calls: 1 or more.
    """
    owner_name, name = where.rsplit(".", 1)
    owner: Any = pkgutil.resolve_name(owner_name)
    function, left = getattr(owner, name), calls

    def counted(*args: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            print(PAUSED, flush=True)
            while True:  # not `signal.pause`, which would miss a signal that comes just before it
                time.sleep(0.1)
        return function(*args)

    setattr(owner, name, counted)


def end(command: list[str], how: signal.Signals = signal.SIGKILL) -> tuple[int, str, str]:
    """Runs Python with these arguments and sends it a signal when it pauses.

    Returns:
        Its exit status, and what it wrote besides.
    """
    run = subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A background job of a shell ignores SIGINT, and so would this child; a person's Ctrl-C is what is tested.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert run.stdout is not None
    before = ""
    for line in run.stdout:
        if line.strip() == PAUSED:
            os.kill(run.pid, how)
            break
        before += line
    out, err = run.communicate()
    return run.returncode, before + out, err


def end_command(where: str, calls: int, words: list[str], how: signal.Signals = signal.SIGKILL) -> tuple[int, str, str]:
    """`end` for the command of a module: `words` are its name and arguments, `where` and `calls` as above."""
    return end(["-m", "tests.pausing", where, str(calls), *words], how)


if __name__ == "__main__":
    pause_before(sys.argv[1], int(sys.argv[2]))
    sys.exit(import_module(sys.argv[3]).main(sys.argv[4:]))
