"""Prints how right the histories of played games are, on simulated sights: `python -m tests.bench.records -n 20`.

A player plays and photographs, and a simulated reader sees each table with a few mistakes: no photo is rendered, and no
network runs. So this measures the search for the likeliest history alone, in seconds a game. Squared columns show
nothing but their last cards: there, all depends on what the search takes for likely.

    python -m datasets --games -n 1 --split test --part "held out" --size 4000 --seed 95 --start 1 --out out/large_game
    python -m tests.bench.records --time out/large_game/*
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Final

import numpy as np
import psutil
from tqdm import tqdm

from datasets.games.played_klondike import PlayedGame, play_game
from solver.klondike.position import Position
from tests.vision.simulated_sights import see
from vision.history.game_history import _starts, order_by_draws, order_of, settle_game
from vision.history.lattice import find_history
from vision.history.record_writer import PhotoSight
from vision.history.sight import STOCK
from vision.image import photos_in
from vision.measure.records import GameTruth, PhotoTruth, Score, TruthfulAsker, score_record, shown_of

TIMED: Final = 30
CARDS, DRAWS = "cards", "draws"


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a line for each game, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=20, help="games (20)")
    parser.add_argument("--start", type=int, default=0, help="number of the first (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fanned", action="store_true", help="columns whose cards all show, instead of squared ones")
    parser.add_argument("--noise", type=float, default=1.0, help="scale of the reader's mistakes (1); 0: none")
    parser.add_argument("--answers", type=int, default=0, metavar="N", help="questions that are answered at most (0)")
    parser.add_argument("--told", action="store_true", help="somebody says of every card where it lay before")
    parser.add_argument("--photos", type=int, metavar="N", help="only the first N photos of each game")
    parser.add_argument("--third", action="store_true", help="every third photo is left out")
    parser.add_argument(
        "--mixed",
        choices=(CARDS, DRAWS),
        help="photos are shuffled, then sorted: by cards, or by draws, too",
    )
    parser.add_argument("--why", action="store_true", help="tell of each game that is not whole why it is not")
    parser.add_argument(
        "--time", type=Path, metavar="DIR", help="what it takes to record the photos in a folder instead"
    )
    args = parser.parse_args(argv)
    if args.time:
        print(_time_record(photos_in(args.time)[:TIMED]))
        return
    totals, given_up = [Score() for _ in range(args.answers + 1)], 0
    for number in tqdm(range(args.start, args.start + args.n), unit="game", disable=None):
        truth, sights = simulate(args.seed, number, squared=not args.fanned, noise=args.noise)
        sights, truth = sights[: args.photos], replace(truth, photos=truth.photos[: args.photos])
        if args.told:
            sights = tell_origins(truth, sights)
        if args.third:
            sights = [sight for k, sight in enumerate(sights) if k % 3 != 2]
            truth = truth.without_every_third()
        began = process_time()
        if args.mixed:
            shuffled = np.random.default_rng((args.seed, number)).permutation(len(sights))
            sights = sort_photos([sights[k] for k in shuffled], by_draws=args.mixed == DRAWS)
        scores = list(_score_course(truth, sights, args.answers))
        course = ", ".join(str(score.exact) for score in scores)
        seconds = process_time() - began
        print(f"{args.seed}-{number}: {course} of {scores[0].photos} positions exact, {seconds:.1f} s", flush=True)
        if args.why and not scores[0].whole:
            found, played = weigh(sights), weigh(tell_origins(truth, sights))
            given_up += played > found
            print(f"  log-probability found {found:.1f}, as it was played {played:.1f}", flush=True)
        totals = [total + scores[min(k, len(scores) - 1)] for k, total in enumerate(totals)]
    print("\n".join(totals[0].lines("records")))
    for most, total in enumerate(totals[1:], 1):
        print(total.lines(f"after at most {most} answer{'s' * (most > 1)}")[0])
    if args.why:
        print(f"what was played is likelier than what was found, and was given up: {given_up} games")


def _time_record(photos: Sequence[Path]) -> str:
    """What it takes `vision.record` to record photos by two processes."""
    memory = 0.0
    with TemporaryDirectory() as folder:
        kept = str(Path(folder) / "read.jsonl")
        start = perf_counter()
        command = [sys.executable, "-m", "vision.record", *map(str, photos), "--workers", "2", "--kept", kept]
        with psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None:
                memory = max(memory, _memory_of_all(process))
                sleep(0.05)
        seconds = perf_counter() - start
    return f"{len(photos)} photos: {seconds:.1f} s, {memory:.0f} MB in all processes at most"


def _memory_of_all(process: psutil.Process) -> float:
    """Memory of a process and all that it started, MB; what several share counts once."""
    total = 0.0
    with suppress(psutil.Error):  # one has ended
        for own in (process, *process.children(recursive=True)):
            total += own.memory_full_info().pss / 2**20
    return total


def _score_course(truth: GameTruth, sights: Sequence[PhotoSight], most: int) -> Iterator[Score]:
    """How right the record is, and how right after each answer, until it is whole."""
    for game in settle_game(sights, ask=TruthfulAsker(truth, most)):
        score = score_record(truth, game)
        yield score
        if score.whole:
            return


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


def sort_photos(photos: Sequence[PhotoSight], *, by_draws: bool) -> list[PhotoSight]:
    """Photos of a game in the order that their cards speak for, if that is another one.

    Args:
        photos: The photos.
        by_draws: Whether those between which only the stock was turned are put right by the draws that they take.
    """
    in_order = [photos[n] for n in order_of(photos, range(len(photos)))]
    if in_order and by_draws:
        return [in_order[n] for n in order_by_draws(in_order).order]
    return in_order or list(photos)


def weigh(sights: Sequence[PhotoSight]) -> float:
    """Log-probability of the likeliest history that the search finds."""
    shown = [photo.sight for photo in sights if photo.sight is not None]
    return max(node.best for node in find_history(shown, _starts(shown[0], None)).layers[-1])


def tell_origins(truth: GameTruth, sights: Sequence[PhotoSight]) -> list[PhotoSight]:
    """What photos show, with where each card lay in the photo before, as answers to all questions would tell it."""
    told, before = [], truth.start
    for photo, seen in zip(truth.photos, sights, strict=True):
        assert seen.sight is not None
        assert isinstance(before, Position)
        columns = {card.index: k for k, pile in enumerate(before.columns) for card in (*pile.down, *pile.up) if card}
        stock = {card.index: STOCK for card in (*before.stock, *before.waste) if card}
        told.append(replace(seen, sight=replace(seen.sight, origins=tuple((columns | stock).items()))))
        before = photo.position
    return told


if __name__ == "__main__":
    main()
