"""Prints how long a review of a Klondike game takes: `python -m tests.bench.game_review`.

The game is the first of some seeds that takes so many moves or more to win, with its cards face down until they are
turned up. Beside the whole the time of the first half of the moves is printed, which a person looks at meanwhile. The
time of the processor is what counts where other programs share it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from time import process_time

from tqdm import tqdm

from solver import klondike
from solver.game_review import review
from solver.record import Record


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the seconds of a review, and of its first half."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--moves", type=int, default=120, help="of the game (120)")
    parser.add_argument("--given-up", action="store_true", help="stop half-way, so that cards are never seen")
    args = parser.parse_args(argv)
    record = game_of(args.moves)
    if args.given_up:
        record = replace(record, steps=record.steps[: args.moves // 2])
    review(replace(record, steps=record.steps[-1:], start=record.positions[-2]))  # kernels are loaded
    times = [process_time()]
    with tqdm(total=len(record.steps), unit="move", disable=None, leave=False) as bar:

        def progress(_: int) -> None:
            times.append(process_time())
            bar.update()

        found = review(record, progress=progress)
    print(f"{len(record.steps)} moves, {record.hindsight.cards().count(None)} cards never seen: {found.headline}")
    print(f"first half: {times[len(record.steps) // 2] - times[0]:.1f} s of CPU")
    print(f"whole: {times[-1] - times[0]:.1f} s of CPU")


def game_of(moves: int) -> Record:
    """A won game of draw 1, cut behind so many moves."""
    for seed in count(1):
        deal = klondike.random_deal(seed, klondike.STANDARD_DRAW_1)
        line = klondike.solve(deal).line
        if len(line) >= moves:
            break
    columns = tuple(replace(column, down=(None,) * len(column.down)) for column in deal.columns)
    record, table = Record(replace(deal, columns=columns, stock=(None,) * len(deal.stock))), deal
    for move in line[:moves]:
        record, table = record.append(move, table), table.play(move)
    return record


if __name__ == "__main__":
    main()
