"""Prints what the first answer costs after an installation: `python -m tests.bench.cold [--kernels] [--only WORD]`.

    python -m tests.bench.cold --samples        what `vision.detect` takes for each sample once all is compiled

Each question is asked in a process of its own with an empty cache of compiled kernels, then again with what that left;
photos are the samples at 1280 px. A star stands where the first answer took more than eight times the later ones.
Seconds are those of the wall, and of the processor (which other processes on a busy machine do not lengthen). With
`--kernels` each kernel of all games is compiled from an empty cache and told with the seconds of the processor that it
took without those it calls, the longest first. With `--samples` each sample is read as it is, by one thread, from the
start of Python to the answer as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "datasets" / "samples"
LONG_SIDE = 1280
"""Pixels: what the page makes of a photo."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
TIMES = 8
"""So many times the warm command's seconds are allowed for the first answer."""
COMMANDS = {
    "Makiaveli, photo": ["-m", "vision.detect", "makiaveli_1.jpg"],
    "Makiaveli, line": [
        "-m", "solver", "makiaveli", "floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S 4S",
    ],
    "Klondike, photo": ["-m", "vision.detect", "klondike_1.jpg"],
    "Klondike, deal": ["-m", "solver", "klondike", "--deal", "7", "--draw", "3"],
    "Tomb, one deck, photo": ["-m", "vision.detect", "tomb_single_1.jpg"],
    "Tomb, two decks, photo": ["-m", "vision.detect", "tomb_double_1.jpg"],
    "Baccarat, odds": ["-m", "solver", "baccarat", "-n", "1000", "--seed", "1", "--plot", "none"],
}  # fmt: skip
KERNELS = {
    "makiaveli": "makiaveli floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S 4S",
    "klondike": "klondike columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12",
    "klondike, runs": (
        "klondike draw: 3; moves: run; columns: - | - | - | - | KH [KS] | - | -; foundations: C13 D13 H12 S12"
    ),
    "tomb_single": "tomb_single corners: 7H | - | - | -; deck: 51",
    "tomb_double": "tomb_double foundations: C26 D26 H26 S18; tableau: 8S | - | - | -; stock: ?? ?? ?? ?? ?? ?? ??",
}
COMPILING = """
import json, sys, time
from numba.core import event
import solver.numeric.jit
from solver import answer, parse
from solver.solution import Limits

class Listener(event.Listener):
    def __init__(self):
        self.open, self.rows = [], {}
    def on_start(self, event):
        self.open.append([time.process_time(), 0.0])
    def on_end(self, event):
        began, inner = self.open.pop()
        spent = time.process_time() - began
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}"
        own, times = self.rows.get(name, (0.0, 0))
        self.rows[name] = (own + spent - inner, times + 1)
        if self.open:
            self.open[-1][1] += spent

listener = Listener()
event.register("numba:compile", listener)
solver.numeric.jit.compile_at_once()
answer(parse(sys.argv[1]), Limits(time=1.0))
print(json.dumps(listener.rows))
"""


def asked(command: list[str], cache: Path) -> tuple[float, float, float]:
    """Seconds of the wall and of the processor, and the most memory in MB, of one command."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | dict.fromkeys(THREADS, "1")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # few set it, and without bytecode each run compiles all modules
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        said = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {said}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def answer_samples(wanted: str, repeats: int) -> None:
    """Prints a row for each sample photo: what its answer takes where kernels and modules are compiled."""
    print("| photo | wall | processor | memory |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as cache:
        for photo in sorted(SAMPLES.glob("*.jpg")):
            if wanted not in photo.stem:
                continue
            command = ["-m", "vision.detect", str(photo), "--json"]
            asked(command, Path(cache))
            wall, processor, memory = (
                min(column) for column in zip(*(asked(command, Path(cache)) for _ in range(repeats)), strict=True)
            )
            print(f"| {photo.stem} | {wall:.2f} s | {processor:.2f} s | {memory:.0f} MB |", flush=True)


def smaller(name: str, folder: Path) -> str:
    """A sample photo with a long side of `LONG_SIDE` px, written to a folder."""
    import cv2
    import numpy as np

    from vision.image import load, save

    image = load(SAMPLES / name)
    scale = LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    save(small.astype(np.uint8), folder / name)
    return str(folder / name)


def compiled(line: str, cache: Path) -> dict[str, tuple[float, int]]:
    """Seconds and compilations of each kernel that a position's answer needs, Numba's own functions among them."""
    done = subprocess.run(
        [sys.executable, "-c", COMPILING, line], cwd=ROOT, env=os.environ | {"NUMBA_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    rows: dict[str, tuple[float, int]] = json.loads(done.stdout.splitlines()[-1])
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", action="store_true", help="compile each kernel and tell what it takes")
    parser.add_argument("--samples", action="store_true", help="what the answer to each sample photo takes later on")
    parser.add_argument("--only", default="", metavar="WORD", help="only questions, or games, with this word")
    parser.add_argument("--repeats", type=int, default=3, help="warm runs, of which the fastest counts (default 3)")
    args = parser.parse_args()
    wanted = args.only.lower()
    if args.samples:
        answer_samples(wanted, args.repeats)
        return 0
    if args.kernels:
        for game, line in KERNELS.items():
            if wanted not in game:
                continue
            with tempfile.TemporaryDirectory() as folder:
                rows = compiled(line, Path(folder))
            print(
                f"{game}: {sum(own for own, _ in rows.values()):.1f} s, {sum(n for _, n in rows.values())} compilations"
            )
            for name, (own, times) in sorted(rows.items(), key=lambda row: -row[1][0]):
                if own >= 0.05:
                    print(f"  {own:6.2f} s  {times:3d}  {name}")
        return 0
    print("| question | empty cache: wall | processor | memory | warm: wall | processor | memory |")
    print("|---|---|---|---|---|---|---|")
    for name, command in COMMANDS.items():
        if wanted not in name.lower():
            continue
        with tempfile.TemporaryDirectory() as folder:
            last = smaller(command[-1], Path(folder)) if command[-1].endswith(".jpg") else command[-1]
            cold = asked([*command[:-1], last], Path(folder))
            again = [asked([*command[:-1], last], Path(folder)) for _ in range(args.repeats)]
        warm = [min(column) for column in zip(*again, strict=True)]
        star = " *" if cold[1] > TIMES * warm[1] else ""
        print(
            f"| {name} | {cold[0]:.1f} s | {cold[1]:.1f} s{star} | {cold[2]:.0f} MB "
            f"| {warm[0]:.2f} s | {warm[1]:.2f} s | {warm[2]:.0f} MB |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
