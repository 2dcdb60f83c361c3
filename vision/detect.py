"""The command `python -m vision.detect`: photos in; cards, position, verdict and winning line out."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from drawing.zones import place_in_words, place_name
from plumbing.arguments import (
    PRECISION,
    add_worker_arguments,
    command_parser,
    error_as_json,
    named_path,
    naming_argument,
    number,
    overwriting_fault,
    run_command,
    written_as,
    wrong_usage,
)
from plumbing.errors import CardsError, describe_fault
from plumbing.result_files import ROWS
from solver.cards import UNKNOWN, parse_cards
from solver.games import GAMES
from vision.errors import FileError

if TYPE_CHECKING:
    from solver.solution import Solution
    from vision.judgement import Judged
    from vision.read_card import ReadCard
    from vision.reading import Reading

ONLY_CARDS: Final = "cards"
CHOICES: Final = ("auto", *GAMES, ONLY_CARDS)
STDIN: Final = "-"
COLUMNS: Final = dict.fromkeys(("file", "game", "verdict", "error"), "string")
"""What a Parquet file of readings has as columns (see `plumbing.result_files`)."""

_EPILOG: Final = """examples:
  python -m vision.detect table.jpg
  python -m vision.detect table.jpg --game makiaveli --hand "3S 4S 5S" --out annotated.jpg
  python -m vision.detect table.jpg --hand-photo hand.jpg
  python -m vision.detect left.jpg right.jpg hand.jpg --together --out annotated/
  python -m vision.detect sweep.mp4 --out table.jpg
  python -m vision.detect stuck.jpg --revealed columns.jpg stock.jpg
  python -m vision.detect photos/ --json > readings.jsonl
  python -m vision.detect photos/ --rows readings.parquet --workers 8

Of a folder every photo is read; with --json each gives one line with its "file", a broken one its "error", and --out
names a folder for the annotated copies. --rows writes these lines to a file instead, which appears when all photos are
read; stopped or killed before, the same command goes on behind the last one. With --together
the photos (two to six, in any order and turn) show parts of one table and are read as one; neighbouring photos must
share some cards, and one that shows only the hand is taken for it. --out then names a folder. With --revealed the later
photos show what lay face down: each column's cards fanned, or turned over in place, and the stock fanned such that the
card that would be turned first lies lowest. A film (MP4, MOV, AVI, WebM) of a sweep over a table is read as one table;
--out is then the whole table, put together from its frames.
Status 0: all read; 1: something could not be read; 2: wrong usage."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = command_parser(
        "vision.detect",
        "Read a photo of a card table: the cards, the position, and whether it could have been won.",
        _EPILOG,
    )
    made.add_argument(
        "photo",
        type=named_path,
        nargs="+",
        help="a photo (JPEG, PNG, WebP, HEIC, GIF, BMP, TIFF; - is standard input), a folder of photos, or a film",
    )
    made.add_argument("--together", action="store_true", help="the photos show one table: read them as one")
    made.add_argument(
        "--game",
        choices=CHOICES,
        default="auto",
        help="the game on the table, or only its cards (default: recognised from the photo)",
    )
    made.add_argument("--json", action="store_true", help="print the reading as JSON, one line a photo")
    made.add_argument(
        "--out", type=named_path, metavar="PICTURE", help="write an annotated copy (for a folder: a folder)"
    )
    made.add_argument(
        "--rows",
        type=written_as(*ROWS),
        metavar="R.jsonl",
        help="of a folder: write the readings there; R.parquet writes Parquet",
    )
    group = made.add_mutually_exclusive_group()
    group.add_argument("--hand", metavar="CARDS", help='your hand, where the photo does not show it, as "3S 4S"')
    group.add_argument(
        "--hand-photo", type=named_path, metavar="PHOTO", help="a second photo that shows only your hand"
    )
    made.add_argument(
        "--revealed",
        type=named_path,
        nargs="+",
        default=(),
        metavar="PHOTO",
        help="photos of the same table with its hidden cards turned over: then the answer is a proof",
    )
    made.add_argument(
        "--solve",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="ask the solver for the verdict (default: yes)",
    )
    made.add_argument("--time-limit", type=number(0.001, 1e6), metavar="S", help="seconds for the solver (10)")
    made.add_argument(
        "--precision",
        type=number(0.001, 1.0),
        metavar="W",
        help=f"of an estimate: {PRECISION}. --time-limit is then 600",
    )
    add_worker_arguments(made, default=1)
    made.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    options = parser()
    args = options.parse_args(argv)
    args.photos, args.photo = args.photo, args.photo[0]
    if (wrong := _wrong_usage(args)) is not None:
        options.error(wrong)
    return run_command(_run, args)


def _wrong_usage(args: argparse.Namespace) -> str | None:
    """What is wrong about arguments that do not go together; None where all do."""
    return _wrong_photos(args) or _wrong_hand(args) or _wrong_folder(args)


def _wrong_photos(args: argparse.Namespace) -> str | None:
    """What is wrong about how the photos are to be taken together."""
    from vision.film.film_file import is_film

    if len(args.photos) > 1 and not args.together:
        return "several photos: name the folder they are in, or add --together if they show one table"
    if any(map(is_film, args.photos)) and (args.together or args.revealed or args.hand_photo is not None):
        return "a film is read alone, with no other photo; --hand gives the cards of a hand"
    if args.together and (args.rows is not None or any(photo.is_dir() for photo in args.photos)):
        return "--together takes the photos of one table, no folder and no --rows"
    return None


def _wrong_hand(args: argparse.Namespace) -> str | None:
    """What is wrong about a hand that is given beside the game's word."""
    with_hands = [game.word for game in GAMES.values() if game.takes_hand]
    if args.game not in ("auto", *with_hands) and (args.hand is not None or args.hand_photo):
        return f"a hand belongs to --game {' or '.join(with_hands)} only"
    return None


def _wrong_folder(args: argparse.Namespace) -> str | None:
    """What is wrong about options that take a photo where a folder is named, or a folder where a photo is."""
    if args.revealed and (len(args.photos) > 1 or args.photo.is_dir()):
        return "--revealed belongs to one photo of the table as it was"
    if args.rows is not None and not args.photo.is_dir():
        return "--rows belongs to a folder of photos; of one photo --json prints the reading"
    return None


def _run(args: argparse.Namespace) -> int:
    from vision.film.film_file import is_film
    from vision.image import opencv, photos_in, picture_fault

    opencv()  # a missing system library is named before anything else imports OpenCV
    with naming_argument("--hand"):
        args.hand_cards = parse_cards(args.hand or "") or None  # a hand of no cards tells nothing
    photos = photos_in(args.photo) if args.photo.is_dir() else args.photos
    if fault := overwriting_fault("--out", _copies(args, photos), [*photos, args.hand_photo, *args.revealed]):
        return wrong_usage(fault)
    if faults := [fault for copy in _copies(args, photos) if copy and (fault := picture_fault(copy))]:
        return wrong_usage(f"--out {args.out}: {faults[0]}")
    if args.together:
        with error_as_json(args, {"files": [str(photo) for photo in args.photos]}):
            said = _read_together(args)
        print(said)
        return 0
    if not args.photo.is_dir():
        with error_as_json(args, {"file": str(args.photo)}):
            said = _read_film(args) if is_film(args.photo) else _read_one(args, args.photo, args.out)
        print(said)
        return 0
    if not photos:
        raise FileError(str(args.photo), "no photo in this folder")
    return _print_all(args, photos) if args.rows is None else _write_rows(args, photos)


def _print_all(args: argparse.Namespace, photos: Sequence[Path]) -> int:
    """Prints the readings of a folder's photos."""
    from tqdm import tqdm

    from plumbing.parallel import ordered_map

    failed = 0
    results = ordered_map(partial(_read_one_of_many, args), _with_copies(args, photos), workers=args.workers)
    for text, error in tqdm(results, total=len(photos), unit="photo", disable=None):
        failed += error is not None
        if text is not None:
            print(text, flush=True)
        else:
            print(f"error: {error}", file=sys.stderr)
    return 1 if failed else 0


def _write_rows(args: argparse.Namespace, photos: Sequence[Path]) -> int:
    """Writes the readings of a folder's photos to `--rows`, and goes on where an earlier run was stopped."""
    from tqdm import tqdm

    from plumbing.parallel import ordered_map
    from plumbing.result_files import ResultFile
    from vision import fingerprints

    digest = hashlib.sha256()
    for photo in [*photos, *([] if args.hand_photo is None else [args.hand_photo])]:
        digest.update(f"{photo} {fingerprints.fingerprint_photo(photo)}\n".encode("utf-8", "surrogateescape"))
    said = fingerprints.fingerprint_work(
        f"{args.game} {args.hand} {args.hand_photo} {args.solve} {args.time_limit} {args.precision} {args.out}"
    )
    args.json = True
    results = ResultFile(args.rows, f"{said} {digest.hexdigest()[:16]}", COLUMNS)
    if results.done:
        print(f"going on behind photo {results.done}", file=sys.stderr)
    failed = results.failed
    try:
        with results, tqdm(total=len(photos), initial=results.done, unit="photo", disable=None) as bar:
            todo = _with_copies(args, photos)[results.done :]
            for text, error in ordered_map(partial(_read_one_of_many, args), todo, workers=args.workers):
                results.add(json.loads(text or "{}"))
                failed += error is not None
                bar.update()
    except KeyboardInterrupt:
        print(f"stopped; what is done is kept in {results.file}, and the same command goes on", file=sys.stderr)
        return 130
    if failed:
        print(f"photos that could not be read: {failed}; see their error", file=sys.stderr)
    return 1 if failed else 0


def _copies(args: argparse.Namespace, photos: Sequence[Path]) -> list[Path | None]:
    """The files that `--out` writes."""
    if args.together:
        return [*_together_copies(args)]
    return [copy for _, copy in _with_copies(args, photos)] if args.photo.is_dir() else [args.out]


def _together_copies(args: argparse.Namespace) -> list[Path]:
    """The files of the annotated copies of photos that are read together; none where no copies are wanted."""
    photos = args.photos if args.out is not None else ()
    return [args.out / f"{place}-{photo.stem}.jpg" for place, photo in enumerate(photos, start=1)]


def _with_copies(args: argparse.Namespace, photos: Sequence[Path]) -> list[tuple[Path, Path | None]]:
    """The photos of a folder, each with the file of its annotated copy; None where no copies are wanted.

    Where two photos differ in their suffix alone, their copies keep it: `a.heic.jpg` and `a.png.jpg`.
    """
    if args.out is None:
        return [(photo, None) for photo in photos]
    count = Counter(photo.with_suffix("") for photo in photos)
    named = (photo if count[photo.with_suffix("")] > 1 else photo.with_suffix("") for photo in photos)
    return [
        (photo, args.out / f"{name.relative_to(args.photo)}.jpg") for photo, name in zip(photos, named, strict=True)
    ]


def _read_one_of_many(args: argparse.Namespace, task: tuple[Path, Path | None]) -> tuple[str | None, str | None]:
    """What is printed of a photo, and its error; with --json an error is printed as a row too."""
    photo, out = task
    try:
        return _read_one(args, photo, out), None
    except Exception as error:  # one photo's failure must not take the others with it
        if args.debug:
            raise
        known = isinstance(error, CardsError | OSError)
        said = describe_fault(error) if known else f"{type(error).__name__}: {error}"
        text = json.dumps({"file": str(photo), "error": said}) if args.json else None
        return text, said


def _read_one(args: argparse.Namespace, photo: Path, out: Path | None) -> str:
    """Reads a photo, writes the annotated one to `out`, and returns what is to be printed."""
    reading = _read(args, [photo], [out] if out is not None else [])
    judged = _ask_solver(args, reading, bool(reading.cards))
    if args.json:
        return _json({"file": str(photo)} | reading.to_json(), reading, judged)
    size = f"{photo}: {reading.width} x {reading.height} px"
    return "\n".join(
        [
            size,
            *_report(args, reading, judged),
            *([] if out is None else [f"annotated: {out}"]),
        ]
    )


def _read_film(args: argparse.Namespace) -> str:
    """Reads a film of one table, writes the whole table to `--out`, and returns what is to be printed."""
    from tqdm import tqdm

    from vision.film.film_to_reading import read_film
    from vision.image import save

    with tqdm(unit="s", disable=None, bar_format="{desc}{n:.0f}/{total:.0f} s of the film {bar}") as bar:

        def progress(seconds: float, whole: float, cards: int) -> None:
            bar.total, bar.n = max(whole, seconds), seconds
            bar.set_description(f"{cards} cards so far, ")

        read = read_film(
            args.photo,
            game=None if args.game == "auto" else args.game,
            hand=args.hand_cards,
            progress=progress,
        )
    if args.out is not None:
        save(read.annotated, args.out)
    reading = read.reading
    judged = _ask_solver(args, reading, bool(reading.cards))
    if args.json:
        return _json({"file": str(args.photo)} | reading.to_json(), reading, judged)
    count = f"{len(reading.photos)} frame{'s' * (len(reading.photos) > 1)}"
    frames = f"{args.photo}: {count} of {reading.width} x {reading.height} px"
    return "\n".join(
        [
            frames,
            *_report(args, reading, judged),
            *([] if args.out is None else [f"annotated: {args.out}"]),
        ]
    )


def _read_together(args: argparse.Namespace) -> str:
    """Reads photos of one table, writes the annotated ones to `--out`, and returns what is to be printed."""
    written = _together_copies(args)
    reading = _read(args, args.photos, written)
    judged = _ask_solver(args, reading, reading.position is not None)
    if args.json:
        return _json({"files": [str(photo) for photo in args.photos]} | reading.to_json(), reading, judged)
    sizes = [f"{p.name}: {p.width} x {p.height} px{' (the hand)' if p.is_hand else ''}" for p in reading.photos]
    return "\n".join(
        [
            *sizes,
            *_report(args, reading, judged),
            *(f"annotated: {path}" for path in written),
        ]
    )


def _read(args: argparse.Namespace, photos: Sequence[Path], written: Sequence[Path]) -> Reading:
    """The reading of photos of one table, of which annotated copies are `written` to these files."""
    from vision.image import load, save
    from vision.photo_to_reading import read_images
    from vision.photo_to_table import detect_and_read, see_table
    from vision.reading import annotate

    every = [*photos, *([] if args.hand_photo is None else [args.hand_photo])]
    images = [load(sys.stdin.buffer.read() if str(photo) == STDIN else photo) for photo in every]
    reading = read_images(
        images,
        None if args.game == "auto" else args.game,
        names=[str(photo) for photo in every],
        hand=args.hand_cards,
        hand_is_last=args.hand_photo is not None,
    )
    if args.revealed:
        from vision.turned_over import check_fit, fans_in, with_turned_over

        fans = fans_in([see_table(detect_and_read(load(photo))) for photo in args.revealed])
        if reading.position is not None:
            check_fit(reading.position, fans)
        reading = with_turned_over(reading, fans)
    for place, path in enumerate(written):
        save(annotate(images[place], reading, place), path)
    return reading


def _ask_solver(args: argparse.Namespace, reading: Reading, has_question: bool) -> Judged | None:
    """The solver's answer on a reading, where it is asked for one."""
    from solver.solution import Limits
    from vision.judgement import Judged, judge

    if not args.solve or not has_question:
        return None
    if args.game == ONLY_CARDS:
        return Judged(None, error=f"no game was looked for: --game {ONLY_CARDS} asks for the cards alone")
    judged = judge(reading, Limits(time=args.time_limit or 10.0))
    return judged if args.precision is None else _sharpened(args, reading, judged)


def _sharpened(args: argparse.Namespace, reading: Reading, judged: Judged) -> Judged:
    """The answer with an estimate as precise as asked for."""
    from tqdm import tqdm

    from solver.games import sharpened
    from solver.solution import Estimate

    found = judged.answer
    if not isinstance(found, Estimate) or reading.position is None:
        return judged
    with tqdm(unit=" deals", disable=None, leave=False) as bar:

        def progress(found: Estimate) -> None:
            bar.set_postfix_str(f"{found.low:.1%} to {found.high:.1%}")
            bar.update(found.n - bar.n)

        sharp = sharpened(found, reading.position, args.precision, seconds=args.time_limit or 600.0, progress=progress)
    return replace(judged, answer=sharp)


def _json(body: dict[str, Any], reading: Reading, judged: Judged | None) -> str:
    return json.dumps(body | (judged.to_json(reading) if judged else {}), ensure_ascii=False)


def _report(args: argparse.Namespace, reading: Reading, judged: Judged | None) -> list[str]:
    return report(reading, judged, only_cards=args.game == ONLY_CARDS)


def report(reading: Reading, judged: Judged | None, *, only_cards: bool = False) -> list[str]:
    """What a person wants to know, in lines; of `only_cards` no game was looked for."""
    lines = [*_report_cards(reading), *_report_game(reading, only_cards=only_cards), *_report_position(reading)]
    lines += [f"note: {note}" for note in reading.notes]
    reasons = reading.readable.reasons if judged is None else ()  # else the verdict says why there is none
    lines += [f"check: {check}" for check in (*reading.checks, *reasons)]
    lines += [_report_doubt(reading.cards[place]) for place in reading.doubtful]
    return lines if judged is None else lines + _verdict(reading, judged)


def _report_cards(reading: Reading) -> list[str]:
    if not reading.cards:
        return [f"cards: none found; {len(reading.backs)} face down"]
    zones: dict[str, list[str]] = {}
    kinds = list(dict.fromkeys(card.place.kind for card in reading.cards))
    in_order = sorted(reading.cards, key=lambda card: (kinds.index(card.place.kind), card.place.number or 0))
    for card in in_order:
        zones.setdefault(place_name(card.place), []).append(card.text + ("?" if card.doubtful else ""))
    face_down = f", {len(reading.backs)} face down" if reading.backs else ""
    head = f"cards: {len(reading.cards)}{face_down}"
    width = max(14, *(len(zone) + 2 for zone in zones))
    piles = [] if reading.position is None else list(_piles(reading.position.to_json()))
    return [head, *(f"  {zone + ':':{width}}{' '.join(_in_order(cards, piles))}" for zone, cards in zones.items())]


def _piles(data: object) -> Iterator[list[str]]:
    """The cards of each pile of a position's JSON, in the pile's order."""
    if isinstance(data, dict):
        for value in data.values():
            yield from _piles(value)
    elif isinstance(data, list):
        if cards := [card for card in data if isinstance(card, str) and card != UNKNOWN]:
            yield cards
        for value in data:
            yield from _piles(value)


def _in_order(cards: Sequence[str], piles: Iterable[Sequence[str]]) -> Sequence[str]:
    """The cards of a zone as the position has them, if one of its piles holds just these; else as they were found.

    >>> _in_order(["4H", "9H?", "AH"], [["9S"], ["9H", "4H", "AH"]])
    ['9H?', '4H', 'AH']
    """
    named = [card.rstrip("?") for card in cards]
    pile = next((pile for pile in piles if sorted(pile) == sorted(named)), named)
    return sorted(cards, key=lambda card: pile.index(card.rstrip("?")))


def _report_game(reading: Reading, *, only_cards: bool) -> list[str]:
    from vision.layout.vocabulary import CARDS

    if reading.game is None or only_cards:
        return []
    if reading.game != CARDS:
        sure = "" if reading.game_confidence >= 0.9995 else f" ({reading.game_confidence:.1%} sure)"
        return [f"game: {reading.game}{sure}"]
    near = f"; the nearest is {reading.likeliest}: if it is that, say --game {reading.likeliest}"
    return [f"game: none that is known here ({reading.game_confidence:.0%} sure{near if reading.likeliest else ''})"]


def _report_position(reading: Reading) -> list[str]:
    from vision.layout.game_layout import layout_of

    position: Any = reading.position
    if position is None:
        return []
    rules = [f"rules: {position.rules.describe()}"] if layout_of(position.game).house_rules is not None else []
    return [f"position: {position}", *rules]


def _report_doubt(card: ReadCard) -> str:
    others = ", ".join(f"{other} {p:.0%}" for other, p in card.alternatives[:3])
    why = f"; {card.why}" if card.why else ""
    return f"doubtful: {card.text} {place_in_words(card.place)}, {card.confidence:.0%} sure{why}" + (
        f"; else {others}" if others else ""
    )


def _verdict(reading: Reading, judged: Judged) -> list[str]:
    from solver.solution import Solution

    if judged.answer is None:
        return [f"verdict: none ({judged.error})"]
    if not isinstance(judged.answer, Solution):
        unsure = (
            ""
            if judged.is_announced
            else f" (of the position as read, which is right with {reading.position_probability:.0%})"
        )
        beside = (f"estimate: {line}" for line in judged.answer.beside())
        return [f"estimate: {judged.answer}{unsure}", *judged.answer.caveats(), *beside]
    lines = _say_verdict(judged, judged.answer) if judged.is_announced else _say_doubt(judged, judged.answer)
    if judged.ask is not None:
        card = reading.cards[judged.ask]
        lines.append(f"check this card first: {card.text} {place_in_words(card.place)}")
    return lines


def _say_verdict(judged: Judged, answer: Solution) -> list[str]:
    """What is told where the verdict stands: it, and the steps to a win."""
    doubt = judged.verdict_probability
    sure = "" if doubt is None or doubt > 0.9995 else f" (stands with probability {doubt:.1%})"
    stop = "" if str(answer.stop_reason) == "solved" else f", stopped by the {answer.stop_reason}"
    steps = (f"  {number}. {step}" for number, step in enumerate(answer.describe_steps(), start=1))
    return [f"verdict: {answer.verdict}{stop}{sure}", *steps]


def _say_doubt(judged: Judged, answer: Solution) -> list[str]:
    """What is told where too much is in doubt for a verdict."""
    chance = judged.verdict_probability or 0.0
    return [f"verdict: not sure yet; as read it would be {answer.verdict}, which stands with {chance:.0%}"]


if __name__ == "__main__":
    sys.exit(main())
