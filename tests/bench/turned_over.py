"""Prints how surely turned-over cards give the whole deal: `python -m tests.bench.turned_over --out out/turned_over`.

Klondike tables are rendered with test decks in ways to lay them that no training sees, and then their hidden cards
turned over: in place or fanned, in one photo or two. Pictures are kept, so a stopped run goes on; Ctrl-C prints the
figures of what is done.
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from datasets.scenes.turned_over import given_up, photograph_turned_over
from datasets.splits import SPLITS
from plumbing.files import whole_file
from solver.klondike import Position
from solver.solution import Limits, Solution, Verdict
from vision.image import load, save
from vision.judgement import judge
from vision.measure.metrics import proportion
from vision.photo_to_reading import read_photo
from vision.photo_to_table import detect_and_read, see_table
from vision.turned_over import fans_in, with_turned_over


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the figures, and a line for each table that is not wholly known, or not proved."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=40, help="tables (40)")
    parser.add_argument("--start", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--size", type=int, default=3000, help="width of the photos, px (3000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--split", choices=SPLITS, default="test", help="whose decks; look for causes on those of validation (test)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args(argv)
    rows: list[dict[str, Any]] = []
    with contextlib.suppress(KeyboardInterrupt):  # the figures of what is done are printed
        for number in tqdm(range(args.start, args.start + args.n), unit="table", disable=None):
            rows.append(_measure(args, number))
    for row in rows:
        if not (row["whole"] and row["proved"]):
            print(json.dumps(row))
    whole = [row for row in rows if row["whole"]]
    print(f"whole deal known: {proportion(len(whole), len(rows))}")
    print(f"of those, proof given: {proportion(sum(row['proved'] for row in whole), len(whole))}")
    print(f"wrong with nothing asked: {proportion(sum(row['wrong'] for row in rows), len(rows))}")


def _measure(args: argparse.Namespace, number: int) -> dict[str, Any]:
    """One table: rendered, unless it was, and read."""
    folder = args.out / f"{args.seed}-{args.size}-{number:04d}"
    if not (folder / "truth.txt").exists():
        rng = np.random.default_rng((args.seed, number))
        seen, deal = given_up(rng)
        images = photograph_turned_over(rng, args.split, seen, deal, (args.size, 3 * args.size // 4))
        folder.mkdir(parents=True, exist_ok=True)
        for place, image in enumerate(images):
            save(image, folder / f"{place}.jpg")
        with whole_file(folder / "truth.txt") as part:
            part.write_text(str(deal))
    deal = Position.parse((folder / "truth.txt").read_text())
    first, *later = (folder / f"{place}.jpg" for place in range(len(list(folder.glob("*.jpg")))))
    reading = with_turned_over(read_photo(first), fans_in([see_table(detect_and_read(load(photo))) for photo in later]))
    judged = judge(reading, Limits(time=10.0))
    whole = isinstance(reading.position, Position) and _as_seen(reading.position) == _as_seen(deal)
    proved = isinstance(judged.answer, Solution) and judged.answer.verdict is not Verdict.UNKNOWN
    return {
        "number": number,
        "whole": whole,
        "proved": proved and judged.is_announced,
        "wrong": not whole and judged.is_announced and not reading.checks and not reading.doubtful,
        "game": reading.game,
        "checks": [str(check) for check in reading.checks],
        "stands": reading.position_probability,
    }


def _as_seen(deal: Position) -> tuple[Any, ...]:
    """What a photo can tell: it does not show at which place a column lacks."""
    columns = [column for column in deal.columns if column.up]
    return columns, deal.foundations, deal.stock, deal.waste


if __name__ == "__main__":
    main()
