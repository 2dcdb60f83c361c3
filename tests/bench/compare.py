"""Prints how well two photos of a Makiaveli table are compared: `python -m tests.bench.compare --out out/compare`.

Turns are rendered on tables of 40 to 104 cards with test decks, laid in ways that no training sees; half are legal. In
half of them the hand is named, else it lies in the photos. Pictures are kept, so a stopped run goes on;
Ctrl-C prints the figures of what is done. `--traced` measures turns that `datasets.path_traced --turns` traced.
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

from datasets.games.played_turns import given_hand, random_turn
from datasets.path_traced.recorded_turn import AFTER, BEFORE, TURN
from datasets.scenes.turns import photograph_turn
from datasets.splits import SPLITS
from plumbing.files import whole_file
from solver.cards import parse_cards
from solver.makiaveli import Position
from solver.makiaveli.comparison import compare
from vision.compare import compare_photos
from vision.image import save
from vision.measure.metrics import proportion


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the figures, and a line for each turn that was told wrong or asked about."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=40, help="turns (40)")
    parser.add_argument("--start", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--size", type=int, default=4000, help="width of the photos, px (4000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--split",
        choices=SPLITS,
        default="test",
        help="whose decks; look for causes on those of validation (test)",
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--out", type=Path, metavar="DIR", help="folder for what is rendered")
    source.add_argument("--traced", type=Path, metavar="DIR", help="folder of path-traced turns: nothing is rendered")
    args = parser.parse_args(argv)
    rows: list[dict[str, Any]] = []
    with contextlib.suppress(KeyboardInterrupt):  # the figures of what is done are printed
        for folder in tqdm(_folders(args), unit="turn", disable=None):
            if not (folder / TURN).exists():
                _render(args, folder)
            rows.append(_measure(folder))
    for row in rows:
        if not row["exact"] or row["said"] != row["legal"]:
            print(json.dumps({name: row[name] for name in ("turn", "kind", "legal", "said", "exact", "checks")}))
    for name, count in (
        ("change exact", sum(row["exact"] for row in rows)),
        ("verdict on legality right", sum(row["said"] == row["legal"] for row in rows)),
        ("legality asked about", sum(row["said"] is None for row in rows)),
        ("wrong said with certainty", sum(row["wrong"] for row in rows)),
        ("wrong while something is asked", sum(row["seems_wrong"] for row in rows)),
    ):
        print(f"{name}: {proportion(count, len(rows))}")


def _folders(args: argparse.Namespace) -> list[Path]:
    """The folder of each turn."""
    if args.traced:
        return sorted(path.parent for path in args.traced.glob(f"*/{TURN}"))
    return [args.out / f"{args.seed}-{args.size}-{number:04d}" for number in range(args.start, args.start + args.n)]


def _measure(folder: Path) -> dict[str, Any]:
    """One turn, compared with the truth."""
    truth = json.loads((folder / TURN).read_text())
    first, second = Position.parse(truth["before"]), Position.parse(truth["after"])
    hand = None if truth["hand"] is None else parse_cards(" ".join(truth["hand"]))
    right = compare(first, second, first.hand if hand is None else hand)
    found = compare_photos(folder / BEFORE, folder / AFTER, hand)
    told = found.comparison
    exact = told is not None and (told.played, told.gone, told.moved) == (right.played, right.gone, right.moved)
    legal = right.is_legal
    assert legal == (truth["kind"] == "legal"), f"{folder}: the rules and the scene differ about the turn"
    return {
        "turn": folder.name,
        "kind": truth["kind"],
        "legal": legal,
        "said": found.legal,
        "exact": exact,
        "wrong": not found.checks and (found.legal not in (None, legal) or not exact),
        "seems_wrong": bool(found.checks) and found.legal not in (None, legal),
        "checks": list(found.checks),
    }


def _render(args: argparse.Namespace, folder: Path) -> None:
    """Writes the two photos of a turn and, last, its truth."""
    rng = np.random.default_rng((args.seed, int(folder.name.rpartition("-")[2])))
    scene = random_turn(rng, int(rng.integers(40, 105)))
    is_named = scene.kind == "not of the hand" or bool(rng.random() < 0.5)
    size = (args.size, 3 * args.size // 4)
    images, family = photograph_turn(rng, args.split, scene, size, hand=not is_named)
    folder.mkdir(parents=True, exist_ok=True)
    for name, image in zip((BEFORE, AFTER), images, strict=True):
        save(image, folder / name)
    hand = [str(card) for card in given_hand(rng, scene)] if is_named else None
    truth = {"kind": scene.kind, "family": family, "hand": hand, "before": str(scene.before), "after": str(scene.after)}
    with whole_file(folder / TURN) as part:
        part.write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
