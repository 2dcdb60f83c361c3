"""Runs long work in a few worker processes that all visitors share. Jobs report progress and can be stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, Literal, get_args

Json = dict[str, Any]
Queue = Literal["first", "look", "batch"]
"""The queue of a job: for a first answer, a longer search, or work of minutes. The queues run independently."""
WORKER: Final = (sys.executable, "-m", "webapp.worker")
READY: Final = '{"ready": true}'
"""What a worker writes once it can be asked something."""
GRACE: Final = 300.0
"""Seconds beyond a job's own limit after which its process is ended.

On a busy machine a search of one second took more than 60, because kernels still had to be loaded. Visitors need not
wait: there is a button to stop it.
"""
PREPARING_S: Final = 900.0
"""Seconds until a job has to begin: a game's very first search compiles its kernels, on a busy machine for minutes."""
PREPARING: Final = "Getting the solver ready. The first time this may take minutes."
"""Shown of a job that has not begun after a moment: kernels are compiled or loaded."""
OVERDUE: Final = "This takes longer than usual."
"""Shown, after what is done, of a job that is not done in its time."""
ENDED_S: Final = 30.0
"""Seconds at most until a process that was killed has ended."""
IN_LINE: Final = "Other searches are still running. This one begins after them."


class Job:
    """One request to a worker, seen from the page. Safe to read from any thread.

    Attributes:
        request: What was asked.
        progress: The latest progress message, empty before the first.
        result: The answer, None until there is one.
        error: Why there is no answer, "" while none is missing.
    """

    def __init__(self, request: Mapping[str, Any], limit: float) -> None:
        self.request = dict(request)
        self.limit = limit
        self.progress: Json = {}
        self.result: Json | None = None
        self.error = ""
        self.stopped = False
        self.started: float | None = None
        self._done = threading.Event()
        self._worker: _Worker | None = None
        self._lock = threading.Lock()

    @property
    def done(self) -> bool:
        """Whether nothing more will come."""
        return self._done.is_set()

    @property
    def seconds(self) -> float:
        """How long it has been running; 0 while it waits for a free worker or for its solver to be loaded."""
        return 0.0 if self.started is None else time.monotonic() - self.started

    @property
    def in_line(self) -> bool:
        """Whether it waits for a free worker."""
        return self._worker is None and not self.done

    def to_json(self, words: str) -> Json:
        """How far it is, as the board shows it; `words` say what is done."""
        if self.started is not None:
            return {
                "words": words,
                "late": f"{words}. {OVERDUE}",
                "seconds": self.limit,
                "since": round(self.seconds, 1),
            }
        return {"words": IN_LINE, "late": IN_LINE} if self.in_line else {"words": words, "late": PREPARING}

    def wait(self, seconds: float) -> bool:
        """Waits for the end, at most `seconds`; whether it came."""
        return self._done.wait(seconds)

    def stop(self) -> None:
        """Stops the job unless it has ended; its progress so far can still be read."""
        with self._lock:
            self.stopped = self.stopped or not self.done
            if self._worker is not None:
                self._worker.kill()

    def _attach(self, worker: _Worker) -> bool:
        with self._lock:
            if not self.stopped:
                self._worker = worker
            return not self.stopped

    def _finish(self) -> None:
        with self._lock:
            self._worker = None
            self._done.set()


def stop(job: Job | None) -> None:
    """Stops a job, where there is one."""
    if job is not None:
        job.stop()


def end(job: Job | None) -> None:
    """Stops a job, where there is one, and waits until its process writes into no file any more."""
    if job is not None and not job.done:
        job.stop()
        if not job.in_line:
            job.wait(ENDED_S)


class _Worker:
    """A worker process; dead once it was killed or lost its pipe."""

    def __init__(self, command: Sequence[str]) -> None:
        self._lost = False
        self._ready = False
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )

    @property
    def alive(self) -> bool:
        return not self._lost and self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def run(self, job: Job) -> None:
        """Sends the job and follows it to its last line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if not self._ready:  # it says so once it has loaded what it needs
            self._ready = self._process.stdout.readline().strip() == READY
        if not self._ready:
            self._fail(job)
            return
        watchdog = self._watch(PREPARING_S + job.limit)
        try:
            self._process.stdin.write(json.dumps(job.request) + "\n")
            self._process.stdin.flush()
            for line in self._process.stdout:
                message = json.loads(line)
                if "progress" in message:
                    job.progress = message["progress"]
                    if job.started is None:
                        job.started = time.monotonic()
                        watchdog.cancel()
                        watchdog = self._watch(job.limit + GRACE)
                    continue
                job.result, job.error = message.get("result"), message.get("error", "")
                return
        except OSError:
            pass
        finally:
            watchdog.cancel()
        self._fail(job)

    def _watch(self, seconds: float) -> threading.Timer:
        """Ends the process after some seconds, unless it is cancelled before."""
        watchdog = threading.Timer(seconds, self.kill)
        watchdog.daemon = True
        watchdog.start()
        return watchdog

    def _fail(self, job: Job) -> None:
        self._lost = True
        job.error = "stopped" if job.stopped else "It ended unexpectedly; please try again."


class Pool:
    """Runs at most `size` jobs of each queue at a time on worker processes; further jobs wait in line.

    Args:
        size: How many, of workers that are kept for the next jobs too; as many as there are cores, and two at least, by
            default.
        command: What starts a worker.
    """

    def __init__(self, size: int | None = None, command: Sequence[str] = WORKER) -> None:
        self._command = command
        self._size = size or max(2, os.cpu_count() or 2)
        self._queues = {name: ThreadPoolExecutor(self._size, thread_name_prefix=name) for name in get_args(Queue)}
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._closed = False
        self._lessons = [Job({"task": "prepare"}, PREPARING_S) for _ in range(2)]

    def warm(self) -> None:
        """Starts a worker before the first job and lets two load every game in the background."""
        with suppress(OSError):
            first = _Worker(self._command)
            with self._lock:
                self._idle.append(first)
        threading.Thread(target=self._teach, name="teach", daemon=True).start()

    def _teach(self) -> None:
        with suppress(OSError):
            self._run(self._lessons[0], _Worker(self._command))
        with self._lock:
            # Of the two one is free for visitors all the time.
            first = self._idle.pop(0) if len(self._idle) > 1 else None
        if first is not None:
            self._run(self._lessons[1], first)

    def submit(self, request: Mapping[str, Any], *, limit: float, queue: Queue = "first") -> Job:
        """Starts a job as soon as its queue allows.

        Args:
            request: What `webapp.worker` is asked.
            limit: Seconds that the work itself is allowed; the process is ended a little later.
            queue: What it waits for, and what waits for it.
        """
        job = Job(request, limit)
        self._queues[queue].submit(self._run, job)
        return job

    def _run(self, job: Job, worker: _Worker | None = None) -> None:
        with self._lock:
            if worker is None and self._idle:
                worker = self._idle.pop()
        attached = False
        try:
            for _ in range(2):  # a worker that dies before the job begins is not the job's fault: silently once more
                if worker is not None and not worker.alive:
                    worker.close()
                    worker = None
                worker = worker or _Worker(self._command)
                attached = job._attach(worker)
                if attached:
                    worker.run(job)
                if worker.alive or job.started is not None or job.stopped:
                    break
            if not attached:
                job.error = "stopped"
        except Exception as error:
            job.error = f"the search could not be started ({type(error).__name__})"
        finally:
            job._finish()
            if worker is not None:
                self._take_back(worker, killed=attached and job.stopped)

    def _take_back(self, worker: _Worker, killed: bool) -> None:
        """Keeps a worker for the next job. If it was stopped, a new one is started in advance."""
        with self._lock:
            room = not self._closed and len(self._idle) < self._size
            keep = room and worker.alive and not killed
            if keep:
                self._idle.append(worker)
            elif room and killed:
                with suppress(OSError):
                    self._idle.insert(0, _Worker(self._command))  # the last one to be taken: it is not ready yet
        if not keep:
            worker.close()

    def close(self) -> None:
        """Ends every idle or learning worker; running jobs end with their own limits."""
        for queue in self._queues.values():
            queue.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._closed = True
        for lesson in self._lessons:
            lesson.stop()
        with self._lock:
            for worker in self._idle:
                worker.close()
            self._idle.clear()
