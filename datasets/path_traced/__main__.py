"""`python -m datasets.path_traced`: path-traced pictures of card tables with ground truth, for measuring only."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from datasets.counts import say_made
from datasets.path_traced.games import KINDS, maker_of
from datasets.path_traced.recorded_film import FILM_TRIES, TracedFilm
from datasets.path_traced.recorded_game import TracedGame
from datasets.path_traced.recorded_turn import AFTER, BEFORE, TURN, TracedTurn
from datasets.path_traced.trace import MOST, TRIES, Order, trace
from plumbing.arguments import command_parser, named_path, run_command, whole_number
from plumbing.files import whole_file
from solver.makiaveli import Position
from vision.measure.records import GAME

_EXAMPLE = f"""example:
  python -m datasets.path_traced --game klondike -n 24 --split test --out out/traced
  python -m vision.evaluate out/traced
  python -m datasets.path_traced --game klondike --photos 12 -n 4 --split test --out out/traced_games
  python -m vision.evaluate out/traced_games --records
  python -m datasets.path_traced --game makiaveli --turns -n 8 --split test --out out/traced_turns
  python -m datasets.path_traced --game makiaveli --films -n 4 --split test --out out/traced_films
Writes <name>.jpg and <name>.json pairs (format: datasets/README.md). A table takes about a minute on one core. The same
seed gives the same table; what is there already is skipped, so a broken run goes on where it stopped. Each picture
shows the index of every card that is to be read; a table is left out if none of {TRIES} photos of it does.
With --photos each game is a folder of numbered photos with {GAME}, with --turns each turn a folder of {BEFORE}, {AFTER}
and {TURN}. With --films it writes <name>.mp4 and <name>.json; a film takes ten minutes and more, and its frames are
kept in <name>.frames until it is whole."""


def _parser() -> argparse.ArgumentParser:
    description = (
        "Trace photograph-like pictures of card tables with Blender's Cycles. Nothing is ever trained on them."
    )
    parser = command_parser("datasets.path_traced", description, _EXAMPLE)
    parser.add_argument("--game", choices=KINDS, required=True, help="whose tables; no_game: cards that are no game")
    parser.add_argument("-n", type=whole_number(1, MOST), default=10, metavar="N", help="how many tables (10)")
    parser.add_argument("--seed", type=whole_number(1, MOST), default=1, help="number of the first table (1)")
    parser.add_argument(
        "--photos",
        type=whole_number(2, 40),
        metavar="N",
        help="so many photos of each game of klondike, a folder a game",
    )
    parser.add_argument(
        "--turns", action="store_true", help="photos of tables of makiaveli before and after a turn, a folder a turn"
    )
    parser.add_argument("--films", action="store_true", help="films of tables, by a phone that a hand moves over them")
    parser.add_argument(
        "--split",
        choices=("validation", "test"),
        default="validation",
        help="whose decks, backs and surfaces: there are none to train on (validation)",
    )
    parser.add_argument(
        "--size", type=whole_number(64, 8192), help="longer side in pixels (1600 to 2200, by the table)"
    )
    parser.add_argument(
        "--samples",
        type=whole_number(1, 4096),
        metavar="N",
        help="samples of light for each pixel (5, in films 2)",
    )
    parser.add_argument("--out", type=named_path, required=True, metavar="DIR", help="folder for the pairs")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    parser = _parser()
    args = parser.parse_args(argv)
    args.samples = args.samples or (2 if args.films else 5)
    if args.seed + args.n - 1 > MOST:
        parser.error(f"--seed and -n reach beyond table {MOST}, the last of a split")
    if args.photos and maker_of(args.game).lay_step is None:
        parser.error("--photos: no whole games of this kind are traced; --game klondike has some")
    if args.turns and (args.photos or args.game != Position.game):
        parser.error("--turns: only turns of makiaveli are traced, and without --photos; --game makiaveli has some")
    if args.films and (args.photos or args.turns or args.size):
        parser.error("--films: without --photos, --turns and --size")
    return run_command(_run, args, "stopped; the same command goes on")


def _run(args: argparse.Namespace) -> int:
    orders = [Order(args.game, args.split, seed) for seed in range(args.seed, args.seed + args.n)]
    if args.films:
        return _trace_films(args, orders)
    if args.turns:
        return _trace_turns(args, orders)
    if args.photos:
        return _trace_games(args, orders)
    missing = [order for order in orders if not (args.out / f"{order.name}.json").exists()]
    made = 0
    for order in tqdm(missing, unit="table", disable=None):
        traced = trace(order, args.size, args.samples)
        if traced is None:
            print(f"{order.name} is left out: none of {TRIES} photos shows all that it should", file=sys.stderr)
            continue
        picture, label = traced
        _write(args.out / f"{order.name}.jpg", picture)
        _write(args.out / f"{order.name}.json", _as_json(label))
        made += 1
    left_out = len(missing) - made
    print(f"{say_made(made, 'table', 'traced', len(orders) - len(missing))}, {left_out} left out", file=sys.stderr)
    return 0


def _trace_games(args: argparse.Namespace, orders: Sequence[Order]) -> int:
    """Traces photos of whole games, a folder a game; with another number of photos it is another game."""
    folders = {order: args.out / f"{order.name}-{args.photos}" for order in orders}
    missing = [order for order in orders if not (folders[order] / GAME).exists()]
    with tqdm(total=len(missing) * args.photos, unit="photo", disable=None) as bar:
        for order in missing:
            game, folder = TracedGame.draw(order, args.photos), folders[order]
            names = {number: f"{number + 1:02d}.jpg" for number in range(args.photos)}
            for number, name in names.items():
                if not (folder / name).exists() and (traced := game.trace(number, args.size, args.samples)):
                    _write(folder / name, traced[0])
                bar.update()
            there = {number: name for number, name in names.items() if (folder / name).exists()}
            for number in names.keys() - there.keys():
                print(f"{folder / names[number]} is left out: none of {TRIES} tries shows all", file=sys.stderr)
            _write(folder / GAME, _as_json(game.truth(there)))
    print(say_made(len(missing), "game", "traced", len(orders) - len(missing)), file=sys.stderr)
    return 0


def _trace_turns(args: argparse.Namespace, orders: Sequence[Order]) -> int:
    """Traces the photos before and after turns, a folder a turn; one that cannot be shown fairly is left out."""
    missing = [order for order in orders if not (args.out / order.name / TURN).exists()]
    made = 0
    for order in tqdm(missing, unit="turn", disable=None):
        turn, folder = TracedTurn.draw(order), args.out / order.name
        photos = [turn.trace(number, args.size, args.samples) for number in range(2)]
        if None in photos:
            print(f"{order.name} is left out: none of {TRIES} tries shows all", file=sys.stderr)
            continue
        for name, photo in zip((BEFORE, AFTER), filter(None, photos), strict=True):
            _write(folder / name, photo[0])
        _write(folder / TURN, _as_json(turn.truth()))
        made += 1
    left_out = len(missing) - made
    print(f"{say_made(made, 'turn', 'traced', len(orders) - len(missing))}, {left_out} left out", file=sys.stderr)
    return 0


def _trace_films(args: argparse.Namespace, orders: Sequence[Order]) -> int:
    """Traces films; a table of which no film is fair is left out."""
    missing = [order for order in orders if not (args.out / f"{order.name}.json").exists()]
    made = 0
    for order in missing:
        film, frames = TracedFilm.draw(order), args.out / f"{order.name}.frames"
        if film is None:
            print(f"{order.name} is left out: none of {FILM_TRIES} films shows all that it should", file=sys.stderr)
            continue
        frames.mkdir(parents=True, exist_ok=True)
        for _ in tqdm(film.trace(frames, args.samples), order.name, len(film.sweep.shots), unit="frame", disable=None):
            pass
        truth = film.write(args.out / f"{order.name}.mp4", frames)
        _write(args.out / f"{order.name}.json", _as_json(truth))
        shutil.rmtree(frames)
        made += 1
    left_out = len(missing) - made
    print(f"{say_made(made, 'film', 'traced', len(orders) - len(missing))}, {left_out} left out", file=sys.stderr)
    return 0


def _as_json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _write(path: Path, data: bytes) -> None:
    """Writes a file so that a broken run leaves no half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part:
        part.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
