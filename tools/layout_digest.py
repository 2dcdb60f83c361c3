"""Tells whether tables are still laid as before: a digest of what every family lays, one line a family.

Run it before and after a change of `datasets/layouts/`; two equal outputs mean equal tables, to the last bit.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from datasets.layouts import FAMILIES, Family, Shape, sample
from plumbing.arguments import command_parser, run_command, whole_number

EXAMPLE: Final = """example:
  python -m tools.layout_digest > out/before
  (change datasets/layouts/)
  python -m tools.layout_digest | diff out/before - && echo same tables
A line is a family's digest and its name; the last line is the digest over all, in the order of FAMILIES. Seeds take
turns with four decks' measures: usual, laid tightly, thin steps of backs, squared backs."""

SHAPES: Final = (
    Shape(1.4, 0.23, 0.45),
    Shape(1.55, 0.19, 0.38, tight=0.7),
    Shape(1.38, 0.27, 0.52, back_steps=(0.014, 0.08)),
    Shape(1.42, 0.21, 0.41, back_steps=(0.014, 0.08), least_back_step=0.0),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the digests; returns the exit status."""
    parser = command_parser("tools.layout_digest", "Print a digest of the tables that each family lays.", EXAMPLE)
    parser.add_argument("--seeds", type=whole_number(1, 10_000), default=12, metavar="N", help="tables a family (12)")
    return run_command(lambda args: _print_digests(args.seeds), parser.parse_args(argv), "stopped")


def _print_digests(seeds: int) -> int:
    whole = hashlib.sha256()
    for family in FAMILIES:
        digest = _digest(family, range(seeds))
        whole.update(f"{digest} {family.name}\n".encode())
        print(digest, family.name)
    print(whole.hexdigest()[:16], f"all {len(FAMILIES)} families")
    return 0


def _digest(family: Family, seeds: Iterable[int]) -> str:
    """A digest of the tables that a family lays: each card's place and turn to the last bit, and its zone."""
    found = hashlib.sha256()
    for seed in seeds:
        laid = sample(np.random.default_rng(seed), family.game, SHAPES[seed % len(SHAPES)], family=family)
        found.update(repr(laid.position).encode())
        for card in laid.cards:
            place = " ".join(float(number + 0.0).hex() for number in (card.x, card.y, card.angle))
            found.update(f"{card.card} {place} {card.zone}\n".encode())
    return found.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
