"""Times one Python command in two checkouts, in turn, and prints how many times as long the one here takes.

    python tools/compare_speed.py ../before tests/bench/vision_speed.py datasets/samples/klondike_1.jpg
    python tools/compare_speed.py -n 9 ../before -m tests.bench.baccarat

The first run of each, which may compile kernels, does not count. Times are CPU seconds of all its processes, the best
of the runs; running in turn lets a busy machine slow both alike.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage


def cpu_seconds(tree: Path, command: list[str]) -> float:
    """CPU seconds of a Python command that runs the code of a checkout."""
    environment = os.environ | {"PYTHONPATH": str(tree)}
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Prints the times of both checkouts and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the checkout to compare with")
    parser.add_argument("-n", type=int, default=5, metavar="RUNS", help="runs of each that count (5)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what to give to Python, run in the checkout")
    args = parser.parse_args()
    if not args.command:
        parser.error("no command to time")
    trees = (args.before.resolve(), Path().resolve())
    runs = [[cpu_seconds(tree, args.command) for tree in trees] for _ in range(args.n + 1)][1:]
    before, now = (min(times) for times in zip(*runs, strict=True))
    print(f"before {before:.2f} s, now {now:.2f} s, ratio {now / before:.3f}")


if __name__ == "__main__":
    main()
