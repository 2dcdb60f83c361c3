"""Prints how large tables are read from one photo, two and four: `python -m tests.bench.together --out out/together`.

The same tables of Makiaveli with 60 to 104 cards are rendered with test decks (`datasets --views`), once for each
number of photos and size, and measured (`vision.evaluate`). Printed is the table of datasets/README.md. What is done
is kept, so a stopped run goes on.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets.__main__ import main as render
from vision.evaluate import main as evaluate
from vision.measure.metrics import proportion

HEAD = "| photos | px | {} |\n|---|---|" + "---|" * 6
COLUMNS = (
    "exact positions",
    "at most one card wrong",
    "wrong without a question",
    "cards found and right",
    "of the cards read, right",
    "joining asked about, or a photo apart",
)


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a row a number of photos and size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=40, help="tables (40)")
    parser.add_argument("--cards", type=int, nargs=2, default=(60, 104), help="fewest and most cards (60 104)")
    parser.add_argument("--photos", type=int, nargs="+", default=(1, 2, 4), help="numbers of photos (1 2 4)")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=(4000, 1600), help="widths of the photos, px (4000 1600)"
    )
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args(argv)
    print(HEAD.format(" | ".join(COLUMNS)))
    for size in args.sizes:
        for photos in args.photos:
            print(_row(args, size, photos), flush=True)


def _row(args: argparse.Namespace, size: int, photos: int) -> str:
    fewest, most = (str(count) for count in args.cards)
    folder = args.out / f"{fewest}-{most}-{photos}x{size}"
    common = ["--seed", str(args.seed), "-n", str(args.n), "--split", "test", "--size", str(size)]
    with contextlib.redirect_stdout(io.StringIO()):
        render(["--game", "makiaveli", "--views", str(photos), "--cards", fewest, most, *common, "--out", str(folder)])
        report = folder.with_name(f"{folder.name}-report")
        evaluate([str(folder), "--no-verdicts", "--workers", str(args.workers), "--out", str(report)])
    rows = [json.loads(line) for line in (report / "rows.jsonl").read_text().splitlines()]
    rows = [row for row in rows if "photo" in row]
    shares: dict[str, Any] = json.loads((report / "summary.json").read_text())["shares"]
    cells = [shares[f"makiaveli: {name}"] for name in COLUMNS[:3]] + [shares["card recall"], shares["card precision"]]
    asked = sum(any(re.search(r"\bphoto \d", check) for check in row.get("checks", ())) for row in rows)
    told = [proportion(cell["right"], cell["of"]) for cell in cells] + [proportion(asked, len(rows))]
    return f"| {photos} | {size} | " + " | ".join(told) + " |"


if __name__ == "__main__":
    main()
