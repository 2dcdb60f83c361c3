"""The command `python -m vision.evaluate`: reads every photo of a folder and compares it with its ground truth."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plumbing.arguments import add_worker_arguments, command_parser, named_path, number, run_command, whole_number
from plumbing.resumable import NamedRows
from vision import fingerprints
from vision.errors import FileError, LabelError, NoFolderError

if TYPE_CHECKING:
    from vision.framing import Rect
    from vision.history.read_tables import ReadTable
    from vision.measure.records import GameTruth, Score

RECORDS: Final = "records"
STORE: Final = "rows.jsonl"
"""The file of a report in which what is done is kept."""
THIRDS: Final = "every third photo left out"
COLUMNS: Final = ", fanned columns", ", squared columns"
"""How sums over games of each kind are called: what lies under the last cards of squared columns no photo may tell."""
ANSWERS: Final = (1, 3, 5, 10)
"""After so many answers at most to the questions about a record it is measured again."""
SIDES: Final = ("left", "top", "right", "bottom")
"""Sides of a photo at which a part may be left out."""
SHOWN_ERRORS: Final = 10
"""Errors that are printed; all of them stand in the report's rows."""

_EPILOG: Final = """examples:
  python -m vision.evaluate datasets/samples --out out/samples
  python -m vision.evaluate labelled.zip --out out/labelled
  python -m vision.evaluate out/games --records --out out/records
  python -m vision.evaluate photos/white_deck_webcam --out out/white --workers 2

DIR holds photos, and beside each its truth: <name>.txt (a position's line) or <name>.json (datasets/README.md). YOLO
labels (images/, labels/, classes.txt) and VOC <name>.xml (whole cards, ranks only) are read, too; COCO labels are
converted first (python -m vision.convert_labels). Photos in a folder with table.json are read as one table.
REPORT gets rows.csv, rows.parquet, summary.json and report.html. What is done is kept in
rows.jsonl: after Ctrl-C the same command goes on; rows of other weights, code, options or photos are dropped and done
again.
Status 0: every photo evaluated; 1: some could not be; 2: wrong usage."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = command_parser(
        "vision.evaluate", "Read a folder of photos and measure the readings against their ground truth.", _EPILOG
    )
    made.add_argument("photos", type=named_path, metavar="DIR", help="folder of photos with ground truth, or a ZIP")
    made.add_argument(
        "--out",
        type=named_path,
        default=Path("out/evaluation"),
        metavar="REPORT",
        help="folder of the report (out/evaluation)",
    )
    add_worker_arguments(made, default=1)
    made.add_argument("--limit", type=whole_number(1, 10**9), metavar="N", help="only the first N photos")
    made.add_argument(
        "--verdicts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="compare the solver's answers too (default: yes)",
    )
    made.add_argument(
        "--time-limit",
        type=number(0.001, 1e6),
        default=5.0,
        metavar="S",
        help="seconds for each verdict (5); a wrong reading needs up to three verdicts",
    )
    made.add_argument(
        "--turn",
        type=int,
        choices=(0, 90, 180, 270),
        default=0,
        help="degrees by which each photo is turned counter-clockwise first: 180 is a photo taken from across (0)",
    )
    made.add_argument(
        "--cut",
        nargs=2,
        metavar=("SIDE", "SHARE"),
        help="leave out a part of each photo, such as right 0.25: a reading of the rest ought to ask what lay there",
    )
    made.add_argument(
        "--records", action="store_true", help="DIR is a game, or holds games: measure their records (vision.record)"
    )
    made.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    made = parser()
    args = made.parse_args(argv)
    if args.records and (args.turn or args.cut):
        made.error("photos of a game are neither turned nor cut; leave out --turn and --cut, or --records")
    args.cut = _cut(made, *args.cut) if args.cut else None
    return run_command(_run, args)


def _cut(made: argparse.ArgumentParser, side: str, share: str) -> Rect:
    """What is left of a photo without a share of one side, as `Frame.rect` has it."""
    try:
        left_out = float(share)
    except ValueError:
        left_out = 0.0
    if side not in SIDES or not 0 < left_out < 1:
        made.error(f"--cut {side} {share}: expected one of {', '.join(SIDES)}, and a share between 0 and 1")
    number = SIDES.index(side)
    left, top, right, bottom = (left_out if k == number else 0.0 for k in range(4))
    return left, top, 1 - right, 1 - bottom


def _run(args: argparse.Namespace) -> int:
    from vision.image import photos_in
    from vision.measure.labels import NO_TRUTH
    from vision.measure.report import write_report
    from vision.measure.stray_labels import label_notes

    if args.photos.suffix.lower() == ".zip" and not args.records:
        args.photos = _unpacked(args.photos, args.out / "photos")
    if not args.photos.is_dir():
        raise NoFolderError(args.photos)
    if args.records:
        return _evaluate_records(args)
    there = photos_in(args.photos)
    photos = _measured_alone(there)[: args.limit]
    if not photos:
        raise FileError(str(args.photos), "no photo in this folder")
    args.out.mkdir(parents=True, exist_ok=True)
    rows = _Rows(_store(args), [str(photo.relative_to(args.photos)) for photo in photos])
    whole = _evaluate_missing(args, rows)
    summary = write_report(rows, args.photos, args.out)
    for line in summary["lines"]:
        print(line)
    print(f"report: {args.out / 'report.html'}", file=sys.stderr)
    for row in islice((row for row in rows if row.get("error")), SHOWN_ERRORS):
        print(f"error: {row['photo']}: {row['error']}", file=sys.stderr)
    some_lack = any(row.get("error") == NO_TRUTH for row in rows)
    for note in label_notes(args.photos, there, some_lack=some_lack):
        print(f"note: {note}", file=sys.stderr)
    if not whole:
        return 130
    return 1 if summary["errors"] else 0


def _evaluate_records(args: argparse.Namespace) -> int:
    """Records each game, also without every third photo, and prints how right they are beside single photos."""
    from tqdm import tqdm

    from vision.measure.records import GAME, TRUTH, Score, load_game, score_single
    from vision.record import read_tables, single_positions

    folders = sorted({file.parent for name in (GAME, TRUTH) for file in args.photos.rglob(name)})[: args.limit]
    if not folders:
        raise FileError(str(args.photos), f"no game in this folder: none holds {GAME} or {TRUTH}")
    args.out.mkdir(parents=True, exist_ok=True)
    sums: dict[str, list[Score]] = {}
    single = Score()
    for folder in tqdm(folders, unit="game", disable=None):
        truth = load_game(folder)
        files = [folder / photo.file for photo in truth.photos]
        _, tables = read_tables(files, args.workers, args.out / f"{folder.name}.read.jsonl")
        scores = _scores_by_answers(truth, files, tables)
        course = ", ".join(str(score.exact) for score in scores)
        print(f"{folder.name}: {course} of {scores[0].photos} positions exact, {scores[0].tops} tops", file=sys.stderr)
        single += score_single(truth, single_positions(tables))
        kept = [at for at in range(len(files)) if at % 3 != 2]
        part = truth.without_every_third(), [files[n] for n in kept], [tables[n] for n in kept]
        for name, own in ((RECORDS, scores), (THIRDS, _scores_by_answers(*part))):
            for sum_ in (name, name + COLUMNS[truth.squared]):
                sums[sum_] = _added(sums.get(sum_, [Score()] * (1 + len(ANSWERS))), own)
    for name in (RECORDS, THIRDS):
        totals = sums[name]
        print(*totals[0].lines(name), sep="\n")
        for most, score in zip(ANSWERS, totals[1:], strict=True):
            print(score.lines(f"{name}, after at most {most} answer{'s' * (most > 1)}")[0])
        for kind in (name + columns for columns in COLUMNS if name + columns in sums):
            print(*sums[kind][0].lines(kind)[:2], sep="\n")
    print(*single.lines("single photos")[:2], sep="\n")
    return 0


def _scores_by_answers(truth: GameTruth, files: Sequence[Path], tables: Sequence[ReadTable | str]) -> list[Score]:
    """How right the record of a game is, and how right after each answer, until it is whole."""
    from vision.measure.records import TruthfulAsker, score_record
    from vision.record import settle_tables

    scores = []
    for game in settle_tables(files, tables, ask=TruthfulAsker(truth, ANSWERS[-1])):
        scores.append(score_record(truth, game))
        if scores[-1].whole:
            break
    return scores


def _added(totals: Sequence[Score], scores: Sequence[Score]) -> list[Score]:
    """The sums without an answer and after so many, with a game's scores."""
    own = (scores[min(most, len(scores) - 1)] for most in (0, *ANSWERS))
    return [total + score for total, score in zip(totals, own, strict=True)]


def _store(args: argparse.Namespace) -> NamedRows:
    """The rows of earlier runs that the same weights, code and photos would give again."""
    settings = _settings(args)
    store = NamedRows(
        args.out / STORE,
        "photo",
        lambda name: f"{settings} {fingerprints.fingerprint_photo(args.photos / name)}",
    )
    if store.stale:
        dropped = f"{store.stale} rows of other weights, code, options or photos are dropped and done again"
        print(dropped, file=sys.stderr)
    return store


def _evaluate_missing(args: argparse.Namespace, rows: _Rows) -> bool:
    """Adds the rows that are missing; returns whether all are there, False after Ctrl-C."""
    from tqdm import tqdm

    from plumbing.parallel import ordered_map

    todo = [name for name in rows.names if name not in rows.store]
    try:
        with rows.store, tqdm(total=len(todo), unit="photo", disable=None) as bar:
            quarters = args.turn // 90
            tasks = (
                _Task(args.photos / name, name, args.verdicts, args.time_limit, quarters, args.cut) for name in todo
            )
            for row in ordered_map(_row, tasks, workers=args.workers):
                rows.store.add(row)
                bar.update()
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return False
    return True


def _unpacked(archive: Path, folder: Path) -> Path:
    """The folder that a ZIP file of labelled photos was unpacked into."""
    from vision.measure.uploaded_zip import unpack

    if folder.is_dir():
        if not (folder.parent / STORE).is_file():
            raise FileError(str(folder), "photos would be unpacked there, but it is no report's; name another --out")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder.parent / STORE).touch()  # what lies beside it is a report's from now on
    unpack([(archive.name, archive.read_bytes())], folder)
    return folder


def _measured_alone(photos: Sequence[Path]) -> list[Path]:
    """Photos of which each is a table of its own; of several photos of one table the first."""
    from vision.measure.labels import TABLE

    firsts = {photo.parent: photo for photo in reversed(photos)}
    tables = {folder: folder / TABLE for folder in firsts}
    alone = {folder: _first_named(table, firsts[folder]) for folder, table in tables.items() if table.is_file()}
    return [photo for photo in photos if alone.get(photo.parent, photo) == photo]


def _first_named(table: Path, first: Path) -> Path:
    """The first photo that a `table.json` names; `first` where it is broken, so that the photo's row says so."""
    from vision.measure.labels import photos_of_table

    try:
        return photos_of_table(table)[0]
    except LabelError:
        return first


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of these photos, read from the store again and again."""

    store: NamedRows
    names: Sequence[str]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.store.of(self.names)


def _settings(args: argparse.Namespace) -> str:
    return fingerprints.fingerprint_work(f"{args.verdicts} {args.time_limit} {args.turn} {args.cut}")


@dataclass(frozen=True, slots=True)
class _Task:
    """One photo with what a worker needs to know."""

    photo: Path
    name: str
    verdicts: bool
    time_limit: float
    quarters: int
    rect: Rect | None


def _row(task: _Task) -> dict[str, Any]:
    from vision.measure.one_photo import evaluate_photo

    try:
        return evaluate_photo(task.photo, task.name, task.verdicts, task.time_limit, task.quarters, task.rect)
    except Exception as error:  # one photo's failure must not take the others with it
        return {"photo": task.name, "error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.exit(main())
