"""Prints answers, time, CPU and memory of the page with ten people at once: `python -m tests.bench.page --help`.

Each user speaks to a real server as a browser does, but draws nothing, so that what is measured is the page alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from solver import answer, parse
from solver.cards import deck
from solver.games import position_from_json
from solver.makiaveli import Position
from solver.solution import Limits, Solution
from tests.webapp.browser import ROOT, processes, served
from tests.webapp.taps import event
from tests.webapp.visitor import OPTIONS, visitor
from webapp.games.klondike import PRESETS
from webapp.session import with_rules
from webapp.wording import describe_result

SAMPLES: Final = tuple(sorted((ROOT / "datasets" / "samples").glob("*.jpg")))
SOLVE: Final = 2.0
"""Seconds to solve a table here, for comparison."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a user saw.

    Attributes:
        board: Seconds to the board.
        verdict: Seconds to the verdict.
        line: The table in the address.
        headline: The verdict.
        truth: The table as it lies, "" where it is the one in the address.
        cpu: Seconds of CPU that server and workers had used up to the verdict, where one user was alone.
    """

    board: float
    verdict: float
    line: str
    headline: str
    truth: str = ""
    cpu: float = 0.0

    def is_read(self) -> bool:
        """Whether the photo was read right in every card; rules and the order of melds are in no photo."""
        return not self.truth or _cards(self.line) == _cards(self.truth)

    def is_right(self) -> bool:
        """Whether the verdict is that of the solver on the table in the address; an estimate has to be called one.

        Where the page is not sure of its photo it says so, and what the verdict would be.
        """
        wanted = headline(self.line)
        said = self.headline.removeprefix("As read: ")
        if not wanted:
            return any(word in said for word in ("possible deals", "deals that were tried", "in 10 deals"))
        return said.lower() == wanted.lower()

    def is_told(self) -> bool:
        """Whether the verdict was told as one, and not as what it would be if the photo is read right."""
        return not self.headline.startswith("As read: ")


def _cards(line: str) -> dict[str, object]:
    table = parse(line).to_json()
    table.pop("rules", None)
    return table | ({"floor": sorted(table["floor"])} if "floor" in table else {})


@cache
def headline(line: str) -> str:
    """What the page should say of a table; "" where it can only be estimated."""
    position = parse(line)
    found = answer(position, Limits(time=SOLVE))
    if not isinstance(found, Solution):
        return ""
    return describe_result(found.to_json(), SOLVE, len(position.to_json().get("hand", ()))).headline


def table(seed: int) -> Position:
    """A hand and a cross at random, without a floor: wins and losses both occur."""
    cards = list(deck(2))
    random.Random(seed).shuffle(cards)
    start = 13 * (seed % 4) if seed % 2 else 0
    run = tuple(deck()[start : start + 3 + seed % 5])
    hand = run if seed % 2 else tuple(cards[:5])
    return Position((), (cards[-1], None, None, None) if cards[-1] not in run else (None,) * 4, hand)


def opens(address: str, line: str) -> Seen:
    """One user opens the link of a table."""
    with visitor(address) as user:
        start = time.perf_counter()
        user.open(line)
        user.wait(lambda: "table" in user.shown)
        board = time.perf_counter() - start
        user.wait(lambda: bool(user.said))
        return Seen(board, time.perf_counter() - start, line, user.said)


def uploads(address: str, photo: Path, together: threading.Barrier, pid: int = 0) -> Seen:
    """One user sends a photo at the moment when all the others do; with the server's `pid` its CPU is taken too."""
    truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))["position"]
    data = photo.read_bytes()
    with visitor(address) as user:
        user.open()
        user.wait(user.is_at_start)
        together.wait()
        if pid:
            rest(pid)
        before = load(pid)[1] if pid else 0.0
        start = time.perf_counter()
        user.upload(photo.name, data)
        user.wait(lambda: user.shown.get("table", {}).get("view") == "table")
        board = time.perf_counter() - start
        user.wait(lambda: bool(user.said))
        verdict = time.perf_counter() - start
        cpu = load(pid)[1] - before if pid else 0.0
        return Seen(board, verdict, user.table, user.said, str(position_from_json(truth)), cpu)


def hidden(number: int) -> str:
    """A Klondike table with hidden cards, whose verdict is searched for seconds; each number gives another one."""
    text = (ROOT / "datasets" / "samples" / "klondike_1.json").read_text(encoding="utf-8")
    table = json.loads(text)["position"]
    seen = {card for column in table["columns"] for card in column["up"]} | set(table["waste"])
    unseen = [str(card) for card in deck() if str(card) not in seen]
    return str(position_from_json(table | {"waste": [*table["waste"][:-1], unseen[number % len(unseen)]]}))


def changes(address: str, number: int) -> int:
    """How many changes of a table stay, each made at any moment of the search for the verdict on the one before.

    Half of them are written as a line of text or are other rules, half are taken back with a tap on Undo. The browser
    is busy for a while after each, and polls before it hears what has become of it.
    """
    moments = random.Random(number)
    kept, lines = 0, [hidden(0)]
    with visitor(address) as user:
        user.open(lines[0])
        user.wait(lambda: bool(user.said))
        for turn in range(number):
            user.follow(moments.uniform(0, 0.8))
            if turn % 20 >= 10:
                lines.pop()
                user.send("table", event("undo"))
            elif turn % 2:
                name = next(name for name, rules in PRESETS.items() if rules != rules_of(lines[-1]))
                lines.append(with_rules(lines[-1], PRESETS[name]))
                user.send("table", event("rule", key="preset", value=name))
            else:
                lines.append(with_rules(hidden(turn + 1), rules_of(lines[-1])))
                user.send("table", event("line", text=lines[-1]))
            time.sleep(moments.choice((0, moments.uniform(0, 1.5))))
            wanted = lines[-1]
            with suppress(TimeoutError):
                user.wait(lambda: user.table == wanted, 20)  # noqa: B023
            user.follow(moments.uniform(0, 0.8))
            kept += user.table == wanted
            lines = [*lines[:-1], user.table]  # what went wrong once is counted once
    return kept


def rules_of(line: str) -> dict[str, object]:
    """The rules of a table."""
    rules: dict[str, object] = parse(line).to_json()["rules"]
    return rules


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
    return processes(f"--server.port={address.rsplit(':', 1)[1]}")[0]


def rest(pid: int) -> None:
    """Waits until a server has nothing left to do: after its first visitor it loads networks and solvers."""
    before = -1.0
    while (now := load(pid)[1]) > before + 0.1:
        before = now
        time.sleep(3)


@contextmanager
def watched(pid: int, what: str) -> Iterator[list[Seen]]:
    """Collects what a crowd sees and prints what it cost: time, CPU, the most memory at any moment."""
    answers: list[Seen] = []
    before, cpu = load(pid)
    ended, most = threading.Event(), [before]

    def watch() -> None:
        while not ended.wait(0.5):
            most.append(load(pid)[0])

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield answers
    finally:
        ended.set()
        watching.join()
    after, used = load(pid)
    if not answers:
        return
    for name, times in (("board", [seen.board for seen in answers]), ("verdict", [seen.verdict for seen in answers])):
        print(f"{what}: to the {name}: median {statistics.median(times):.2f} s, worst {max(times):.2f} s")
    used_before = [seen.cpu for seen in answers if seen.cpu]
    if used_before:
        median, worst = statistics.median(used_before), max(used_before)
        print(f"{what}: CPU up to the verdict: median {median:.2f} s, worst {worst:.2f} s")
    if any(seen.truth for seen in answers):
        print(f"{what}: read right in every card: {sum(seen.is_read() for seen in answers)} of {len(answers)}")
    print(f"{what}: right verdicts: {sum(seen.is_right() for seen in answers)} of {len(answers)}")
    print(f"{what}: told without a doubt: {sum(seen.is_told() for seen in answers)} of {len(answers)}")
    print(f"{what}: {(used - cpu) / len(answers):.2f} s of CPU each, server and workers together")
    print(f"{what}: memory of both: {before:.0f} MB before, {max(most):.0f} MB at the most, {after:.0f} MB after")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: python -m tests.bench.page --users 4")
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--tables", type=int, default=5, help="tables that each user opens")
    parser.add_argument("--changes", type=int, default=40, help="quick changes that one user makes")
    parser.add_argument("--rounds", type=int, default=2, help="photos that each user uploads")
    args = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    log = Path(tempfile.gettempdir()) / "page-bench.log"
    with served(log, *OPTIONS) as address, ThreadPoolExecutor(args.users) as crowd:
        pid = server_pid(address)
        opens(address, "makiaveli hand: 3S 4S 5S")
        rest(pid)
        alone = threading.Barrier(1)
        with watched(pid, "one user, photos") as answers:
            answers += [uploads(address, photo, alone, pid) for photo in SAMPLES]
        with watched(pid, f"{args.users} users at once, photos") as answers:
            for turn in range(args.rounds):
                together = threading.Barrier(args.users)
                photos = [SAMPLES[(turn + number) % len(SAMPLES)] for number in range(args.users)]
                answers += crowd.map(lambda photo: uploads(address, photo, together), photos)  # noqa: B023
        lines = [str(table(100 * turn + number)) for turn in range(args.tables) for number in range(args.users)]
        with watched(pid, f"{args.users} users at once, tables") as answers:
            answers += crowd.map(lambda line: opens(address, line), lines)
        if args.changes:
            print(f"changes amid a search that stay: {changes(address, args.changes)} of {args.changes}")
        with urlopen(f"{address}/_stcore/health", timeout=60):
            pass  # it still serves
    # A visitor who leaves while the server still writes is an error in the log of the server's own libraries.
    if f'File "{ROOT / "webapp"}' in log.read_text(encoding="utf-8"):
        raise SystemExit(f"the server met an error: see {log}")


if __name__ == "__main__":
    main()
