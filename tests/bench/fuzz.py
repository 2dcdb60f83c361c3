"""Prints what hostile input does to each surface: `python -m tests.bench.fuzz [-n CASES] [--surface NAME] [--seed S]`.

Status 1 if anything but a kind refusal came of it. A fault's number repeats it:
`--surface NAME --start NUMBER -n 1`.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
import traceback

from tqdm import tqdm

from plumbing.errors import CardsError
from solver import answer, parse
from tests import corruptions
from tests.fuzzing import SURFACES, commands
from tests.fuzzing.text import FUZZ_LIMITS, notations

SHARES = {
    "notation": 0.20, "json": 0.12, "photo": 0.15, "film": 0.05, "command": 0.03, "klondike_line": 0.06,
    "tomb_line": 0.06, "won_line": 0.06, "model": 0.03, "vision_command": 0.02, "address": 0.10, "kept_counts": 0.02,
    "kept_rows": 0.02, "labels": 0.05, "archive": 0.02, "text_game": 0.01,
}  # fmt: skip
SLOW = 5.0


def compile_kernels() -> None:
    """Has every search's kernels compiled, so that no case is timed with them."""
    corruptions.prepare()
    commands.prepare()
    for text in tqdm(notations(), desc="kernels", disable=None):
        with contextlib.suppress(CardsError):
            answer(parse(text), FUZZ_LIMITS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=100_000, metavar="CASES", help="cases in all (100000)")
    parser.add_argument("--surface", choices=sorted(SURFACES), help="only this one, with all the cases")
    parser.add_argument("--start", type=int, default=0, metavar="NUMBER", help="the first case's number")
    parser.add_argument("--seed", type=int, default=1, help="start of the random numbers (1)")
    options = parser.parse_args()
    compile_kernels()
    bad = 0
    for surface, case in SURFACES.items():
        if options.surface not in (None, surface):
            continue
        count = options.n if options.surface else round(options.n * SHARES[surface])
        faults, slowest = 0, 0.0
        for number in tqdm(range(options.start, options.start + count), desc=surface, disable=None):
            start = time.process_time()
            try:
                fault = case(random.Random(f"{options.seed} {surface} {number}"))
            except Exception:
                fault = traceback.format_exc(limit=-4)
            spent = time.process_time() - start
            slowest = max(slowest, spent)
            if fault is None and spent > SLOW:
                fault = f"took {spent:.1f} s"
            if fault is not None:
                faults += 1
                print(f"{surface} {number}: {fault}", file=sys.stderr)
        print(f"{surface}: {count} cases, {faults} faults, slowest {slowest:.2f} s of CPU", flush=True)
        bad += faults
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
