"""Prints how well clubs are told from spades: `python -m tests.bench.black_suits DIR...`.

The folders hold rendered scenes. Each is read as it is and as a phone at a table spoils it (`tests.bench.spoiled`). The
indices of each photo count by themselves and weighed together (`vision/cards/black_suits.py`): how many nats the truth
costs, and how often the other suit is taken, and is taken surely.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from solver.cards import Suit, parse_card
from tests.bench.spoiled import WAYS
from vision.cards.black_suits import CLUB, SPADE, weigh_black_suits
from vision.image import load, photos_in
from vision.networks.outputs import Detections, Reads
from vision.photo_to_table import detect_and_read

KEEPING_PLACES: Final = ("as they are", "packed", "out of focus", "moved", "noisy", "night")
"""Ways to spoil a photo in which everything stays where it was."""
NEAR: Final = 0.6
"""A finding is an index of the scene if both its points lie nearer to that one's, in lengths of the index."""
CLEAR: Final = 0.5
"""Indices of which less can be seen are left out."""
SURE: Final = 0.95
"""What is said with more is said surely."""


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a row for each way to spoil photos."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="folders of rendered scenes")
    parser.add_argument("--ways", nargs="+", choices=KEEPING_PLACES, default=list(KEEPING_PLACES), metavar="WAY")
    args = parser.parse_args(argv)
    alone: dict[str, Counter[str]] = {way: Counter() for way in args.ways}
    together: dict[str, Counter[str]] = {way: Counter() for way in args.ways}
    for photo in tqdm([photo for folder in args.folders for photo in photos_in(folder)], unit="photo", disable=None):
        image = load(photo)
        cards = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))["cards"]
        for way in args.ways:
            spoiled = WAYS[way](image)
            found = detect_and_read(spoiled)
            is_club = clubs_and_spades(found.detections, cards, spoiled.shape[1] / image.shape[1])
            alone[way] += count_mistakes(found.reads, is_club)
            together[way] += count_mistakes(weigh_black_suits(found.reads), is_club)
    print("| photos | indices | each by itself: nats, wrong, surely wrong | together: nats, wrong, surely wrong |")
    print("|---|---|---|---|")
    for way in args.ways:
        print(f"| {way} | {alone[way]['indices']} | {_row(alone[way])} | {_row(together[way])} |")


def clubs_and_spades(found: Detections, cards: Sequence[dict[str, Any]], scale: float) -> NDArray[np.int_]:
    """(n,) 1 for findings that are clubs, 0 for spades, -1 for all else and for what is hardly seen.

    Args:
        found: The n findings.
        cards: Those of the scene, as its label has them.
        scale: Width of the photo, in widths of the scene.
    """
    truth = np.full(len(found), -1)
    indices = [(parse_card(card["card"]).suit, index) for card in cards for index in card["indices"]]
    for suit, index in indices:
        if suit in (Suit.CLUBS, Suit.SPADES) and index["visible"] >= CLEAR:
            at = np.array([index["rank"], index["suit"]]) * scale
            apart = np.linalg.norm(np.stack([found.rank_xy, found.suit_xy], axis=1) - at, axis=-1).max(axis=1)
            truth[apart < NEAR * np.linalg.norm(found.suit_xy - found.rank_xy, axis=1)] = suit == Suit.CLUBS
    return truth


def count_mistakes(reads: Reads, is_club: NDArray[np.int_]) -> Counter[str]:
    """How many black indices there are, what they cost, and how many of them are taken for the other suit."""
    log = reads.log_suit[:, [SPADE, CLUB]].astype(float)
    log -= np.logaddexp(log[:, 0], log[:, 1])[:, None]
    known = is_club >= 0
    right = log[known, is_club[known]]
    chance = np.exp(right)
    return Counter(
        indices=int(known.sum()),
        nats=float(-right.sum()),
        wrong=int((chance < 0.5).sum()),
        surely=int((chance < 1 - SURE).sum()),
    )


def _row(count: Counter[str]) -> str:
    return f"{count['nats']:.1f}, {count['wrong']}, {count['surely']}"


if __name__ == "__main__":
    main()
