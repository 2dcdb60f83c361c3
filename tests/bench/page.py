"""Ten people at once: right verdicts, time to the verdict, memory. `python -m tests.bench.page --help`.

Each user opens tables of their own over Streamlit's agent interface, which runs the real page without a browser.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from solver.cards import deck
from solver.makiaveli import Position, solve
from tests.webapp.browser import served


def table(seed: int) -> Position:
    """A hand and a cross at random, without a floor: wins and losses both occur."""
    cards = list(deck(2))
    random.Random(seed).shuffle(cards)
    start = 13 * (seed % 4) if seed % 2 else 0
    run = tuple(deck()[start : start + 3 + seed % 5])
    hand = run if seed % 2 else tuple(cards[:5])
    return Position((), (cards[-1], None, None, None) if cards[-1] not in run else (None,) * 4, hand)


def ask(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """One request to the page."""
    data = json.dumps(body).encode()
    request = Request(f"{address}/_stcore/agent/interact", data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=300) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def user(address: str, number: int, tables: int) -> tuple[list[float], int]:
    """Opens tables one after the other; the seconds to each verdict and how many were right."""
    times, right = [], 0
    for turn in range(tables):
        position = table(100 * number + turn)
        wanted = "Yes, you could have won" if str(solve(position).verdict) == "win" else "No, you could not have won"
        start = time.perf_counter()
        seen = ask(address, {"query_params": {"p": [str(position)]}})
        while wanted not in json.dumps(seen) and time.perf_counter() - start < 120:
            time.sleep(0.2)
            seen = ask(address, {"session_id": seen["session_id"]})
        times.append(time.perf_counter() - start)
        right += wanted in json.dumps(seen)
    return times, right


def load(pid: int) -> tuple[float, float]:
    """Megabytes and seconds of CPU of a process and its children."""
    megabytes = seconds = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
            times = (folder / "stat").read_text().rpartition(")")[2].split()[11:15]
        except OSError:
            continue
        if int(fields["Pid"]) == pid or int(fields["PPid"]) == pid:
            megabytes += int(fields.get("VmRSS", "0 kB").split()[0]) / 1024
            seconds += sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return megabytes, seconds


def server_pid(address: str) -> int:
    """The process that serves an address."""
    port = address.rsplit(":", 1)[1]
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"--server.port={port}" in cmdline.read_text():
                return int(cmdline.parent.name)
        except OSError:
            continue
    raise RuntimeError("the server is not to be found")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--tables", type=int, default=5, help="tables that each user opens")
    args = parser.parse_args()
    log = Path(tempfile.gettempdir()) / "page-bench.log"
    with served(log, "--server.enableAgentApi=true") as address:
        pid = server_pid(address)
        with ThreadPoolExecutor(2) as crowd:
            list(
                crowd.map(lambda number: user(address, number, 2), (998, 999))
            )  # both workers have loaded their solvers
        before, cpu = load(pid)
        first, _ = user(address, 1, 3)
        cost = (load(pid)[1] - cpu) / len(first)
        print(f"one user, warm: median {statistics.median(first):.2f} s to the verdict, {cost:.2f} s of CPU")
        cpu = load(pid)[1]
        with ThreadPoolExecutor(args.users) as crowd:
            done = list(crowd.map(lambda number: user(address, number, args.tables), range(2, args.users + 2)))
        times = [seconds for some, _ in done for seconds in some]
        right = sum(count for _, count in done)
        print(f"{args.users} users at once: median {statistics.median(times):.2f} s, worst {max(times):.2f} s")
        print(f"right verdicts: {right} of {len(times)}")
        after, used = load(pid)
        print(f"{(used - cpu) / len(times):.2f} s of CPU a table, server and workers together")
        print(f"memory, server and workers: {before:.0f} MB before, {after:.0f} MB after")


if __name__ == "__main__":
    main()
