"""Joining measured on simulated tables: `python -m tests.bench.joining [-n 200] [--cards 60 104] [--photos 2 4]`.

Each table of Makiaveli is laid once and seen by several cameras, each turned anew, whose networks err; of some, cards
were pushed between the shots. Printed are the shares of tables whose cards came out right, whose positions did, and
where something was wrong without a question; and the milliseconds of joining, the best of three runs.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from datasets.games.makiaveli import crowded_position
from tests.vision import simulate
from vision.cards.assembly import Table, assemble_cards
from vision.cards.joining import Joined, join
from vision.confidence import PART_SURE_FROM
from vision.layout.game_choice import parse_as
from vision.measure.metrics import proportion
from vision.networks.outputs import Detections


def main(argv: Sequence[str] | None = None) -> None:
    """Prints one line for each number of photos and kind of table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=200, help="tables of each kind (200)")
    parser.add_argument("--cards", type=int, nargs=2, default=(60, 104), help="fewest and most cards (60 104)")
    parser.add_argument("--photos", type=int, nargs="+", default=(1, 2, 4), help="numbers of photos (1 2 4)")
    parser.add_argument("--push", type=float, nargs="+", default=(0.0, 0.2), help="share of melds pushed (0 0.2)")
    parser.add_argument("--turn", type=float, default=0.15, help="turn of the cameras, radians (0.15)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="name every table that is not right")
    args = parser.parse_args(argv)
    for push in args.push:
        for photos in args.photos:
            _measure(args, photos, push)


def _measure(args: argparse.Namespace, photos: int, push: float) -> None:
    counts: Counter[str] = Counter()
    times = []
    for seed in range(args.n):
        truths, position = table_of(args.seed, seed, photos, tuple(args.cards), push, args.turn)
        noise = [np.random.default_rng([seed, photos, k]) for k in range(len(truths))]
        looks = [simulate.observe(truth, rng, simulate.Noise()) for truth, rng in zip(truths, noise, strict=True)]
        tables = [assemble_cards(*look, size_of(truth)) for look, truth in zip(looks, truths, strict=True)]
        laid = [numbers_of(table, look[0], truth) for table, look, truth in zip(tables, looks, truths, strict=True)]
        spent = []
        for _ in range(3):
            start = time.process_time()
            joined = join(tables)
            spent.append(1000 * (time.process_time() - start))
        times.append(min(spent))
        found = verdict(joined, laid, position)
        counts.update(found)
        if args.show and not found["joined right"]:
            print(seed, dict(found), joined.apart, joined.checks)
    shares = ", ".join(
        f"{name} {proportion(counts[name], args.n)}"
        for name in (
            "joined right",
            "a card twice",
            "two cards as one",
            "photo apart",
            "asked about joining",
            "positions exact",
        )
    )
    wrong = proportion(counts["wrong, nothing asked"], args.n)
    print(
        f"{photos} photos, {args.cards[0]} to {args.cards[1]} cards, {push:.0%} of melds pushed: {shares}; "
        f"wrong with nothing asked {wrong}; joining {np.median(times):.1f} ms, at most {max(times):.1f} ms",
        flush=True,
    )


def table_of(
    seed: int, number: int, photos: int, cards: tuple[int, int], push: float, turn: float
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Photos of one simulated table, and its position; the table is the same whatever the photos."""
    rng = np.random.default_rng([seed, number])
    deck = simulate.DECKS[list(simulate.DECKS)[number % len(simulate.DECKS)]]
    position = crowded_position(rng, int(rng.integers(cards[0], cards[1] + 1)))
    laid = simulate.lay_makiaveli(rng, position, deck=deck, gap=20.0, width=float(rng.uniform(11, 18)))
    aims = [laid] if photos == 1 else simulate.parts(laid, photos)
    rng = np.random.default_rng([seed, number, photos])
    shots = simulate.several(rng, laid, aims, position=position, deck=deck, push=push, turn=turn)
    return shots, position


def size_of(truth: dict[str, Any]) -> tuple[int, int]:
    """Width and height of a simulated photo."""
    return truth["image"]["width"], truth["image"]["height"]


def numbers_of(table: Table, detections: Detections, truth: dict[str, Any]) -> list[int | None]:
    """The number, in the order laid, of the true card whose index each seen card has; None where none is there."""
    shown = [(row["number"], index) for row in truth["cards"] for index in row["indices"] if index["visible"] > 0.5]
    spots, numbers = np.array([index["rank"] for _, index in shown]), [number for number, _ in shown]
    found: list[int | None] = []
    for card in table.cards:
        off = np.linalg.norm(spots - detections.rank_xy[card.indices[0]], axis=1)
        found.append(int(numbers[int(off.argmin())]) if off.min() < 5 else None)
    return found


def verdict(joined: Joined, laid: Sequence[Sequence[int | None]], position: dict[str, Any]) -> Counter[str]:
    """What is right and wrong with a joined table; `laid` has the true number of each card of each photo."""
    cards = [{laid[photo][row] for photo, row in sights} - {None} for sights in joined.sights]
    numbers = [number for card in cards for number in card]
    twice, mixed = len(numbers) - len(set(numbers)), sum(len(card) > 1 for card in cards)
    parsed = parse_as("makiaveli", joined.table)
    assert parsed.position is not None
    found = parsed.position.to_json()
    floors = [sorted(sorted(meld) for meld in data["floor"]) for data in (found, position)]
    same = floors[0] == floors[1] and all(
        sorted(map(str, found[part])) == sorted(map(str, position[part])) for part in ("cross", "hand")
    )
    doubtful = any(placed.confidence < PART_SURE_FROM for placed in parsed.placed)
    asked = bool(joined.checks or joined.apart)
    return Counter(
        {
            "joined right": int(not twice and not mixed and not joined.apart),
            "a card twice": int(twice > 0),
            "two cards as one": int(mixed > 0),
            "photo apart": int(bool(joined.apart)),
            "asked about joining": int(asked),
            "positions exact": int(same),
            "wrong, nothing asked": int(not same and not asked and not doubtful and not parsed.checks),
        }
    )


if __name__ == "__main__":
    main()
