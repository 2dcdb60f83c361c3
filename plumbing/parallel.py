"""Work on all cores: an ordered map over local processes with bounded work in flight.

Whatever is spread out (deals of a simulation, rows of a batch, photos) is cut into chunks first. A chunk's size and
seed never depend on the number of workers, and results come back in the order of the chunks, so the same seed gives
the same result on one core and on sixty-four:

    def play(chunk: Chunk) -> int: ...          # a function of a module, so that it can be sent to a process

    for won in ordered_map(play, chunks(n, 10_000, seed)):
        bar.update(...)                         # results arrive one by one: progress is the caller's own

`_executor` is the only place that knows what kind of workers there are: processes of this machine, or those of a Dask
cluster, whose machines have this package installed and see the same files. What it needs is imported when there are
workers: every command takes its arguments' limits from here, and most work in one process.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from plumbing.errors import CardsError, RulesError, check_whole_number

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from multiprocessing.context import BaseContext

Workers = int | str | None
"""So many processes of this machine, one a core (None), or all of the Dask cluster whose scheduler has this address."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

RETRIES: Final = 3
"""How often a cluster starts an item again whose worker was lost."""
CONNECT_SECONDS: Final = 10
AWAY_SECONDS: Final = 300.0
"""How long a cluster may be without workers before it counts as lost. A machine needs minutes to restart, but workers
that cannot load the work never come back, and no error says so."""
CHECK_SECONDS: Final = 10.0
"""How often a cluster that gives no result is checked."""
AHEAD: Final = 2
"""Items handed out per worker: one in progress and one waiting, so that no worker is ever idle."""


class ClusterError(CardsError):
    """A cluster that cannot be reached, or was lost."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a sample: `size` draws, the first of which is number `start` (from 0), seeded on its own.

    Attributes:
        index: The chunk's number, from 0.
        start: How many draws all earlier chunks hold.
        size: How many draws this one holds.
        seed: This chunk's own seed, 64 bits.
    """

    index: int
    start: int
    size: int
    seed: int


def chunks(total: int, size: int, seed: int) -> Iterator[Chunk]:
    """Cuts `total` draws into chunks of `size` (the last may be smaller).

    Seeds come from NumPy's SeedSequence, whose children are independent streams.

    >>> [(c.start, c.size) for c in chunks(10, 4, seed=1)]
    [(0, 4), (4, 4), (8, 2)]
    """
    check_whole_number("seed", seed, 0)
    import numpy as np  # here, so that a command's --help need not load it

    for index, start in enumerate(range(0, total, size)):
        state = np.random.SeedSequence(seed, spawn_key=(index,)).generate_state(1, np.uint64)
        yield Chunk(index, start, min(size, total - start), int(state[0]))


def new_seed() -> int:
    """A random seed, short enough to be typed."""
    return secrets.randbelow(10**9)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ordered_map(
    work: Callable[[ItemT], ResultT], items: Iterable[ItemT], *, workers: Workers = None
) -> Iterator[ResultT]:
    """Yields `work(item)` for each item, in order, from `workers` processes.

    Items are read when they are needed. No worker has more than `AHEAD` of them at a time, so the iterator may be
    endless. Leaving the loop early, an error and Ctrl-C stop the workers at once.

    Args:
        work: A function that a module defines by name; its arguments and results travel between processes.
        items: What to work on.
        workers: How many processes; 1 works in this process, None takes all cores, and a text is the address of a Dask
            scheduler, `tcp://host:8786`, all of whose workers are used.

    Raises:
        ChildProcessError: If a worker of this machine was killed; a cluster does its work again elsewhere.
        ClusterError: If a cluster cannot be reached, is lost, or loses workers again and again.

    >>> list(ordered_map(abs, [-1, 2, -3], workers=1))
    [1, 2, 3]
    """
    if isinstance(workers, int) and workers < 1:
        raise RulesError("workers", workers, "1 or more")
    if workers == 1 or (workers is None and cores() == 1):
        yield from map(work, items)
        return
    from multiprocessing.reduction import ForkingPickler

    needs_script = b"__main__" in bytes(ForkingPickler.dumps(work))
    with _executor(workers) as pool:
        yield from _in_order(pool, work, iter(items), needs_script=needs_script)


_SCRIPT: Final = threading.Lock()
"""Held while the script that was started is out of sight: two threads would take each other's stand-in for it."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """Workers.

    Attributes:
        submit: Takes a function and an item; gives a future.
        count: How many items it works on at a time.
        check_alive: Called now and then while there is no result; raises if there will never be one.
    """

    submit: Callable[..., Any]
    count: int
    check_alive: Callable[[], None] | None = None


def _in_order(
    pool: _Pool, work: Callable[[ItemT], ResultT], items: Iterator[ItemT], *, needs_script: bool
) -> Iterator[ResultT]:
    from concurrent.futures.process import BrokenProcessPool

    def submitted(most: int) -> Iterator[Any]:
        for item in islice(items, most):
            with _ctrl_c_waits(), nullcontext() if needs_script else _script_aside():
                future = pool.submit(work, item)
            yield future

    try:
        waiting = deque(submitted(AHEAD * pool.count))
        while waiting:
            result = _result_of(waiting.popleft(), pool)
            waiting.extend(submitted(1))
            yield result
    except BrokenProcessPool as error:
        raise ChildProcessError("a worker process ended: killed, out of memory, or it could not start") from error


@contextmanager
def _script_aside() -> Iterator[None]:
    """Puts the script that was started out of sight of the processes that start meanwhile.

    They would run it again to know its functions, and a script without `if __name__ == "__main__":` would start more
    processes in each of them.
    """
    with _SCRIPT:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def _result_of(future: Any, pool: _Pool) -> Any:
    if pool.check_alive is None:
        return future.result()
    while future.status != "error":  # Dask's future: its work's own error, also a TimeoutError, is raised below
        with suppress(TimeoutError):
            return future.result(timeout=CHECK_SECONDS)
        pool.check_alive()
    return future.result()


@contextmanager
def _executor(workers: Workers) -> Iterator[_Pool]:
    if isinstance(workers, str):
        with _cluster(workers) as cluster:
            yield cluster
    else:
        count = cores() if workers is None else workers
        with _local_processes(count) as pool:
            yield _Pool(pool.submit, count)


@contextmanager
def _cluster(address: str) -> Iterator[_Pool]:
    try:
        import distributed
    except ImportError:
        need = "pip install 'could-i-have-won[cluster]'"
        raise ClusterError(f"--scheduler needs the package `distributed`, which is not installed: {need}") from None
    from concurrent.futures import CancelledError

    made: Any = distributed.Client  # not annotated
    try:
        client = made(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address} ({error}); expected tcp://host:port") from error
    seen = time.monotonic()

    def watch_workers() -> None:
        nonlocal seen
        if client.nthreads():
            seen = time.monotonic()
        elif time.monotonic() - seen > AWAY_SECONDS:
            asked = "do its machines have this package, in this version?"
            raise ClusterError(f"the Dask cluster at {address} has had no workers for {AWAY_SECONDS:g} s; {asked}")

    try:
        count = sum(client.nthreads().values())
        if not count:
            raise ClusterError(f"the Dask cluster at {address} has no workers; start some with `dask worker {address}`")
        # Not the client's executor: it takes a result that its worker lost for an error, though it is computed again.
        yield _Pool(partial(client.submit, pure=False, retries=RETRIES), count, watch_workers)
    except (distributed.KilledWorker, CancelledError) as error:
        raise ClusterError(f"the Dask cluster at {address} lost its workers or its scheduler: {error}") from error
    finally:
        client.close(timeout=CONNECT_SECONDS)  # whatever is still under way is released


@contextmanager
def _local_processes(workers: int) -> Iterator[Executor]:
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_start_worker)
    try:
        yield pool
    except BaseException:
        for process in list(pool._processes.values()):  # Python 3.14 has terminate_workers() for this
            process.terminate()
        # Half a result of a worker that was ended as it wrote is never completed: only with no writer left, not even
        # this process, does the pool's thread stop waiting for the rest.
        results: Any = pool._result_queue  # whose ends are not public
        results._writer.close()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _context() -> BaseContext:
    import multiprocessing
    from multiprocessing import forkserver

    # Not `fork`: a page or a progress bar runs threads, whose locks a forked child would inherit locked.
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["numba", __name__])
    with _ctrl_c_waits():
        if threading.current_thread() is threading.main_thread():
            waits = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited by the workers: Ctrl-C is the parent's
            forkserver.ensure_running()
            signal.signal(signal.SIGINT, waits)
    return context


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Delays Ctrl-C to the end of the block: workers that are half started when their pool is closed print errors."""
    if threading.current_thread() is not threading.main_thread() or (
        signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


def _start_worker() -> None:
    """Leaves Ctrl-C to the parent, which stops its workers; exits if the parent was killed.

    Under `forkserver` a worker ignores Ctrl-C from its first moment, see `_context`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
