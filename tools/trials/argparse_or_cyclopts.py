"""Prints how long `--help` of one small command takes with argparse and with cyclopts (`pip install cyclopts`).

python tools/trials/argparse_or_cyclopts.py
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

COMMANDS = {
    "argparse": """
import argparse
parser = argparse.ArgumentParser(description="Trains a network.")
parser.add_argument("data", nargs="+", help="folders of scenes")
parser.add_argument("--minutes", type=float, default=10.0, help="how long to train")
parser.add_argument("--batch", type=int, default=32, help="pictures in a step")
parser.parse_args()
""",
    "cyclopts": '''
from cyclopts import App
app = App()
@app.default
def train(*data: str, minutes: float = 10.0, batch: int = 32) -> None:
    """Trains a network.

    Parameters
    ----------
    data: folders of scenes
    minutes: how long to train
    batch: pictures in a step
    """
app()
''',
}


def seconds_of_help(source: str) -> float:
    """Seconds from the start of a process to its end that prints the help."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", source, "--help"], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Prints the best of some runs of each, taken in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=10, help="runs of each (10)")
    runs = parser.parse_args().n
    times = [{name: seconds_of_help(source) for name, source in COMMANDS.items()} for _ in range(runs)]
    for name in COMMANDS:
        print(f"{name}: {1000 * min(row[name] for row in times):.0f} ms")


if __name__ == "__main__":
    main()
