"""Prints how right the histories of played games are, on simulated sights: `python -m tests.bench.records -n 20`.

A player plays and photographs, and a simulated reader sees each table with a few mistakes: no photo is rendered, and no
network runs. So this measures the search for the likeliest history alone, in seconds a game. Squared columns show
nothing but their last cards: there, all depends on what the search takes for likely.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
from tqdm import tqdm

from datasets.games.played_klondike import PlayedGame, play_game
from tests.vision.simulated_sights import see
from vision.history.game_history import PhotoSight, tell_game
from vision.measure.records import GameTruth, PhotoTruth, Score, score_record, shown_of


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a line for each game, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=20, help="games (20)")
    parser.add_argument("--start", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fanned", action="store_true", help="columns whose cards all show, instead of squared ones")
    parser.add_argument("--noise", type=float, default=1.0, help="scale of the reader's mistakes (1); 0: none")
    parser.add_argument("--third", action="store_true", help="every third photo is left out")
    args = parser.parse_args(argv)
    total = Score()
    for number in tqdm(range(args.start, args.start + args.n), unit="game", disable=None):
        truth, sights = simulate(args.seed, number, squared=not args.fanned, noise=args.noise)
        if args.third:
            sights = [sight for k, sight in enumerate(sights) if k % 3 != 2]
            truth = truth.without_every_third()
        began = process_time()
        score = score_record(truth, tell_game(sights))
        total += score
        print(f"{args.seed}-{number}: {score.exact} of {score.photos} positions exact, {process_time() - began:.1f} s")
    print("\n".join(total.lines("records")))


def simulate(seed: int, number: int, *, squared: bool, noise: float) -> tuple[GameTruth, list[PhotoSight]]:
    """A played game, and what a reader sees of it.

    Args:
        seed: First part of the game's seed.
        number: Second part.
        squared: Whether of each column only the last card shows; then the first photo shows the deal.
        noise: Scale of the reader's mistakes.
    """
    rng = np.random.default_rng((seed, number, squared))
    game = play_game(rng)
    if squared:
        game = PlayedGame(game.record, (0, *game.photos[1:]))
    photos, sights = [], []
    for photo, step in enumerate(game.photos):
        position = game.position(photo)
        file = f"{photo:02d}.jpg"
        photos.append(PhotoTruth(file, shown_of(position), step=step, position=position))
        sights.append(PhotoSight(file, see(rng, position, squared=squared, noise=noise)))
    moves = tuple(str(step.move) for step in game.record.steps)
    return GameTruth(Path(), tuple(photos), moves, game.position(0)), sights


if __name__ == "__main__":
    main()
