"""`python -m datasets`: renders scenes with ground truth into a folder."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from tqdm import tqdm

from datasets.counts import say_made
from datasets.decks.deck import Deck
from datasets.decks.deck_choice import back_sheet, check_sheet, named_deck
from datasets.decks.fonts import SynthError
from datasets.decks.package_decks import NAMES, package_deck
from datasets.games.game import scene_of
from datasets.games.played_klondike import play_game
from datasets.layouts import FAMILIES, Family, families
from datasets.picture_tools import Image
from datasets.scenes.loose_card_scenes import KINDS, render_scene
from datasets.scenes.played_game_photos import HELD_OUT, WAYS, photograph, truth_of
from datasets.scenes.renderer import Truth
from datasets.scenes.several_photos import MOST_VIEWS, lay_table, views
from datasets.scenes.whole_tables import render_table
from datasets.splits import SPLITS
from plumbing.arguments import command_parser, named_path, run_command, whole_number
from plumbing.files import whole_file
from solver.games import GAMES
from vision.layout.vocabulary import CARDS
from vision.measure.labels import TABLE
from vision.measure.records import GAME

BACKS: Final = "backs"
"""The word for a sheet of backs instead of a deck."""
_EXAMPLE = """example:
  python -m datasets --game klondike -n 100 --out out/klondike
  python -m datasets --kind mixed -n 400 --split train --out out/scenes
  python -m datasets --game makiaveli --views 2 --cards 60 104 -n 20 --split test --out out/together
  python -m datasets --games -n 10 --split test --part "held out" --out out/games
  python -m datasets --sheet gnome/paris --out out/sheets
Writes <name>.jpg and <name>.json pairs (format: datasets/README.md). The same seed gives the same pictures; what is
there already is skipped, so a broken run goes on where it stopped. With --views each table is a folder: its photos
1.jpg, 2.jpg, ... with what each shows, and table.json with the whole; the same tables whatever the number of photos."""


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("datasets", "Render card scenes with ground truth.", _EXAMPLE)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--game",
        choices=[*GAMES, CARDS],
        help="whole tables of a game, with the position as ground truth; cards: tables that are no game of ours",
    )
    what.add_argument(
        "--family",
        metavar="NAME",
        help="tables laid in one way, such as klondike/mirrored; --family list names them all",
    )
    what.add_argument(
        "--sheet",
        choices=[*NAMES, BACKS],
        metavar="DECK",
        help=f"one deck with its index boxes, to look at, such as gnome/paris; {BACKS}: the ornate backs",
    )
    what.add_argument("--kind", choices=["mixed", *KINDS], default="mixed", help="square scenes of cards (mixed)")
    what.add_argument(
        "--games", action="store_true", help="whole games of Klondike in 20 to 40 photos each, a folder a game"
    )
    parser.add_argument(
        "--tight", action="store_true", help="tables on which cards hide a part of the index of the one below"
    )
    parser.add_argument(
        "--thin", action="store_true", help="klondike tables on which overlapped backs show a millimetre or nothing"
    )
    parser.add_argument(
        "--decks",
        choices=["usual", "unusual", "held"],
        default="usual",
        help="unusual: suit above or beside the rank, other letters, huge indices, printed backs; held: such as are "
        "never trained on (usual)",
    )
    parser.add_argument(
        "--backs",
        choices=["usual", "ornate", "held"],
        default="usual",
        help="ornate: all decks have backs with pictures to the edge, waves, names of casinos and airlines, suits, "
        "faces or small cards; held: of kinds that are never trained on (usual)",
    )
    parser.add_argument("--deck", metavar="DECK", help="all tables with one deck, such as gnome/paris or drawn/test-12")
    parser.add_argument(
        "--views",
        type=whole_number(1, MOST_VIEWS),
        metavar="N",
        help=f"N photos of each table (1 to {MOST_VIEWS}): parts, of which neighbours have a fifth in common",
    )
    parser.add_argument(
        "--closeups", action="store_true", help="the first of the views shows all, the others parts with gaps"
    )
    parser.add_argument(
        "--cards",
        type=whole_number(20, 104),
        nargs=2,
        metavar=("FEWEST", "MOST"),
        help="makiaveli tables late in the game, with so many cards on them",
    )
    parser.add_argument(
        "--part",
        choices=("train", "held out", "all"),
        default="all",
        help="ways to lay that training sees, that no training ever sees, or both (all)",
    )
    parser.add_argument("-n", type=whole_number(1, 10**9), default=100, metavar="N", help="how many (100)")
    parser.add_argument(
        "--size",
        type=whole_number(64, 16_384),
        default=None,
        help="width in pixels (tables 1600 x 1200, scenes 640 x 640)",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, 2**63 - 1), default=1, help="first part of every picture's seed (1)"
    )
    parser.add_argument(
        "--start", type=whole_number(0, 10**9), default=0, help="number of the first picture, to share work (0)"
    )
    parser.add_argument("--split", choices=SPLITS, default="train", help="whose decks and backgrounds (train)")
    parser.add_argument("--out", type=named_path, metavar="DIR", help="folder for the pairs, or for the sheet")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.family == "list":
        print(*(f"{f.name}{' (held out)' * f.held_out}" for f in FAMILIES), sep="\n")
        return 0
    if args.out is None:
        parser.error("the following arguments are required: --out")
    if args.family:
        args.family = _find_family(parser, args.family)
        args.game = args.family.game or CARDS
    for wrong in [*_wrong_tables(args), *_wrong_views(args), *_wrong_decks(args)]:
        parser.error(wrong)
    command = _sheet if args.sheet else _render_games if args.games else _render_views if args.views else _render
    return run_command(command, args, "stopped; the same command goes on")


def _find_family(parser: argparse.ArgumentParser, name: str) -> Family:
    """The way to lay tables of a name; ends the program where there is none."""
    found = next((family for family in FAMILIES if family.name == name), None)
    if found is None:
        parser.error(f"argument --family: unknown {name!r}; --family list names them all")
    return found


def _wrong_tables(args: argparse.Namespace) -> list[str]:
    """What does not go together with tables and ways to lay them, in sentences."""
    backs = [game for game in GAMES if scene_of(game).has_overlapped_backs]
    return _sentences(
        (not families(_game(args), args.part), f"argument --part: no way to lay {args.game} is {args.part}"),
        (args.tight and not args.game, "--tight needs --game: scenes lay their cards in their own ways"),
        (args.thin and args.game not in backs, f"--thin needs --game {' or '.join(backs)}: there columns have backs"),
    )


def _wrong_views(args: argparse.Namespace) -> list[str]:
    """What does not go together with several photos of a table."""
    crowded = [game for game in GAMES if scene_of(game).crowded_position]
    unusual = args.tight or args.thin or args.decks != "usual" or args.backs != "usual"
    return _sentences(
        (
            (args.views or args.cards) and args.game not in crowded,
            f"--views and --cards need --game {' or '.join(crowded)}: it fills a table",
        ),
        (args.cards and not args.views, "--cards needs --views; --views 1 is one photo of each table"),
        (args.closeups and (args.views or 0) < 2, "--closeups needs --views 2 or more: the whole table and its parts"),
        (args.views and unusual, "--views takes usual decks and backs, nothing tight or thin"),
    )


def _wrong_decks(args: argparse.Namespace) -> list[str]:
    """What does not go together with the choice of decks."""
    chosen_otherwise = args.views or args.decks != "usual"
    return _sentences(
        (
            args.deck and (not args.game or chosen_otherwise),
            "--deck belongs to tables: add --game, without --views and --decks",
        ),
        (
            args.decks == "held" and args.split == "train",
            "--decks held needs --split validation or test: nothing is trained on them",
        ),
        (
            args.backs == "held" and args.split == "train",
            "--backs held needs --split validation or test: nothing is trained on them",
        ),
    )


def _sentences(*faults: tuple[object, str]) -> list[str]:
    return [sentence for is_wrong, sentence in faults if is_wrong]


def _game(args: argparse.Namespace) -> str | None:
    """The word of the game whose tables are asked for; None for none."""
    return None if args.game == CARDS else args.game


def _sheet(args: argparse.Namespace) -> int:
    """Draws one deck, or ornate backs, as `DIR/<deck>.png`."""
    deck = None if args.sheet == BACKS else package_deck(args.sheet)
    if deck is None and args.sheet != BACKS:
        raise SynthError(f"the deck {args.sheet} is not installed, or not to be read; see datasets/README.md")
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"{args.sheet.replace('/', '-')}.png"
    sheet = back_sheet(args.split) if deck is None else check_sheet(deck)
    _write(path, cv2.imencode(".png", sheet[..., ::-1])[1].tobytes())
    print(path, file=sys.stderr)
    return 0


def _render(args: argparse.Namespace) -> int:
    """Renders tables or scenes, a picture each."""
    args.out.mkdir(parents=True, exist_ok=True)
    deck = named_deck(args.deck) if args.deck else None
    if args.deck and deck is None:
        raise SynthError(f"unknown deck {args.deck!r}; expected drawn/<split>-<number> or one of {', '.join(NAMES)}")
    begun, made, cards = time.process_time(), 0, 0
    for number in tqdm(range(args.start, args.start + args.n), unit="scene", disable=None):
        path = args.out / _picture_name(args, number)
        if path.with_suffix(".json").exists():
            continue
        image, truth = _rendered(args, number, deck)
        _write_pair(path, image, truth | {"seed": number})
        made += 1
        cards += len(truth["cards"])
    spent = time.process_time() - begun
    each = f", {1000 * spent / made:.0f} CPU-ms and {cards / made:.1f} cards a scene" if made else ""
    print(f"{say_made(made, 'scene', 'rendered', args.n - made)}{each}", file=sys.stderr)
    return 0


def _picture_name(args: argparse.Namespace, number: int) -> str:
    """What a picture is called: all that it was asked for with."""
    named = ["tight"] * args.tight + ["thin"] * args.thin + [args.decks] * (args.decks != "usual")
    named += [f"{args.backs}_backs"] * (args.backs != "usual")
    named += [args.part.replace(" ", "_")] * (args.part != "all")
    what = args.family.name.replace("/", "_").replace(" ", "_") if args.family else args.game or args.kind
    return "-".join([what, *named, args.split, str(args.seed), f"{number:06d}"])


def _rendered(args: argparse.Namespace, number: int, deck: Deck | None) -> tuple[Image, Truth]:
    """The picture of a number and its ground truth."""
    size = args.size or (1600 if args.game else 640)
    rng = np.random.default_rng((args.seed, number, SPLITS.index(args.split), size))
    if not args.game:
        return render_scene(rng, args.split, size, args.kind, decks=args.decks, backs=args.backs)
    upright = rng.random() < 0.25  # the phone held upright
    shape = (3 * size // 4, size) if upright else (size, 3 * size // 4)
    ways = {"tight": args.tight, "thin": args.thin, "decks": args.decks, "backs": args.backs, "deck": deck}
    return render_table(rng, args.split, _game(args), shape, part=args.part, family=args.family, **ways)


def _render_views(args: argparse.Namespace) -> int:
    """Renders tables in several photos each, a folder a table."""
    size = args.size or 1600
    fewest, most = args.cards or (0, 0)
    crowded = scene_of(args.game).crowded_position
    made = 0
    for number in tqdm(range(args.start, args.start + args.n), unit="table", disable=None):
        folder = args.out / f"{args.game}-{args.split}-{args.seed}-{number:06d}"
        if (folder / TABLE).exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng((args.seed, number, SPLITS.index(args.split)))
        position = crowded(rng, int(rng.integers(min(fewest, most), most + 1))) if crowded and most else None
        table = lay_table(rng, args.split, args.game, position, args.family)
        rng = np.random.default_rng((args.seed, number, SPLITS.index(args.split), size, args.views))
        shots = views(rng, table, (size, 3 * size // 4), args.views, closeups=args.closeups)
        for place, (image, truth) in enumerate(shots, start=1):
            _write_pair(folder / str(place), image, truth | {"seed": number})
        truth = table.truth([f"{place}.jpg" for place in range(1, len(shots) + 1)]) | {"seed": number}
        _write(folder / TABLE, json.dumps(truth, separators=(",", ":")).encode())
        made += 1
    print(say_made(made, "table", "rendered", args.n - made), file=sys.stderr)
    return 0


def _render_games(args: argparse.Namespace) -> int:
    """Renders whole games, a folder a game."""
    size = args.size or 1280
    ways = [way for way in WAYS if args.part == "all" or (way in HELD_OUT) == (args.part == "held out")]
    made = 0
    for number in tqdm(range(args.start, args.start + args.n), unit="game", disable=None):
        folder = args.out / f"game-{args.split}-{args.seed}-{number:06d}"
        if (folder / GAME).exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng((args.seed, number, SPLITS.index(args.split), size))
        game = play_game(rng)
        way = ways[int(rng.integers(len(ways)))]
        table, game, photos = photograph(rng, game, args.split, (size, 3 * size // 4), way)
        names, spoilt = [], []
        for place, photo in enumerate(photos, start=1):
            names.append(f"{place:02d}.jpg")
            spoilt.append(photo.spoilt)
            encoded = cv2.imencode(".jpg", photo.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])[1]
            _write(folder / names[-1], encoded.tobytes())
        truth = truth_of(game, table, names, spoilt)
        _write(folder / GAME, json.dumps(truth, separators=(",", ":")).encode())
        made += 1
    print(say_made(made, "game", "rendered", args.n - made), file=sys.stderr)
    return 0


def _write_pair(path: Path, image: Image, truth: Truth) -> None:
    """Writes a picture and, last, its ground truth."""
    encoded = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])[1]
    _write(path.with_suffix(".jpg"), encoded.tobytes())
    _write(path.with_suffix(".json"), json.dumps(truth, separators=(",", ":")).encode())


def _write(path: Path, data: bytes) -> None:
    """Writes a file so that a broken run leaves no half of one."""
    with whole_file(path) as part:
        part.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
