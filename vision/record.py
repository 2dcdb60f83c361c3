"""The command `python -m vision.record`: photos or a film of a game in; its record out."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from plumbing.arguments import (
    add_worker_arguments,
    command_parser,
    error_as_json,
    named_path,
    overwriting_fault,
    run_command,
    written_file,
    wrong_usage,
)
from plumbing.errors import CardsError
from vision.errors import FileError, FilmError, PhotosError

if TYPE_CHECKING:
    from vision.history.answers import Answer
    from vision.history.drawn_order import DrawnOrder
    from vision.history.game_history import Ask, RecordedGame
    from vision.history.lattice import Memory
    from vision.history.progress import Done
    from vision.history.read_tables import ReadTable
    from vision.history.record_writer import PhotoRow
    from vision.image import RGB
    from vision.question import Question

FEWEST_PHOTOS: Final = 2
FEWEST_OF_A_TABLE: Final = 3
"""So many photos that go together, and not with the others, are of another table; a single one may be spoilt."""
FEW_SHARE: Final = 0.6
"""Where a photo shows a smaller share of the cards that the next ones show, it is spoilt, not of another table."""
NEIGHBOURS: Final = 4
HAND: Final = "something reaches in from the border that is gone again later, such as a hand"
"""Why a moment at which a film rests is left out."""

_EPILOG: Final = """examples:
  python -m vision.record photos/ --out game.txt
  python -m vision.record 01.jpg 02.jpg 03.jpg --json
  python -m vision.record game.mp4 --out game.txt
  python -m vision.record photos/ --ask --answers answers.txt
  python -m solver review game.txt

Photos of one game of Klondike, taken after each move or after every few. They count in the order in which you name
them; those of a folder in the order of the times at which they were taken, if each says its time, else of their names.
If their cards speak against that, you are told the order that these speak for: name them so.
Between two photos may lie any number of draws and a few other moves. Of a film by a
camera that stands still, each moment at which nothing moves is a photo. --out writes the record (its notation:
docs/notation.md). Photos that show no table, another one, or a hand over it are left out and named.
Where the game may have gone otherwise, you are asked: --ask asks one question after the other, and finds the whole game
anew under each answer; or write answers in a file for --answers, as the report shows them.
What was read is kept in a file, beside --out or, without it, in the folder for temporary files: after Ctrl-C the same
command goes on.
Status 0: recorded; 1: no photo shows a game; 2: wrong usage."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = command_parser(
        "vision.record", "Read photos or a film of a game of Klondike and write down its moves.", _EPILOG
    )
    made.add_argument(
        "photo", type=named_path, nargs="+", help="photos or films in the order of time, or a folder of photos"
    )
    made.add_argument("--out", type=written_file, metavar="GAME.txt", help="write the record there")
    made.add_argument("--json", action="store_true", help="print the record with each photo's position as JSON")
    made.add_argument(
        "--draw",
        type=int,
        choices=(1, 3),
        help="cards turned at a time (default: recognised from the waste; else asked)",
    )
    made.add_argument("--answers", type=written_file, metavar="FILE.txt", help="answers to its questions, one a line")
    made.add_argument(
        "--ask", action="store_true", help="ask one question after the other; --answers keeps what is said"
    )
    made.add_argument("--kept", type=written_file, metavar="FILE.jsonl", help="where what was read is kept")
    add_worker_arguments(made, default=2)
    made.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    return run_command(_run, parser().parse_args(argv), "stopped; the same command goes on")


def record_photos(
    *photos: str | Path,
    draw: int | None = None,
    workers: Any = 2,
    kept: Path | None = None,
    answers: Sequence[Answer] = (),
    ask: Ask | None = None,
) -> RecordedGame:
    """The record of a game of Klondike from its photos.

    Args:
        photos: Files in the order of time, also films by a camera that stands still, or one folder.
        draw: Cards turned at a time; told from the waste if None.
        workers: Processes that read photos.
        kept: A file in which what was read is kept, so that a stopped run goes on.
        answers: What somebody who was there said: the history is found under it.
        ask: Gives further answers, one at a time.

    Raises:
        FileError: For a file or folder that is not there, and a folder without photos.
        FilmError: For a film that cannot be read, or in which nothing rests.
        PhotosError: For fewer than two photos.
    """
    from tqdm import tqdm

    from vision.film.film_file import is_film
    from vision.history.game_history import with_order_by_draws

    named = photos_in_order([Path(photo) for photo in photos])
    works = 3  # each photo is read, put together with the others, and checked for other moves
    total = None if any(map(is_film, named)) else works * len(named)  # how often a film rests shows only as it is read
    with tqdm(total=total, unit="step", disable=None) as bar:
        files, tables = read_tables(named, workers, kept, bar.update)
        check_count(files)  # a film may rest only once
        bar.total = total = works * len(files)

        def done(_: str, photos: int) -> None:
            bar.update(min(photos, total - bar.n))  # what is done twice counts once

        *_, game = settle_tables(files, tables, draw, done, answers, ask)
        return with_order_by_draws(game, _sights(files, tables), draw) if game.order else game


def settle_tables(
    files: Sequence[Path],
    tables: Sequence[ReadTable | str],
    draw: int | None = None,
    done: Done = lambda work, photos: None,
    answers: Sequence[Answer] = (),
    ask: Ask | None = None,
    memory: Memory | None = None,
) -> Iterator[RecordedGame]:
    """The record of a game from what `read_tables` read of its photos, and those after each further answer.

    Arguments are as of `record_photos`; `done` is told what is done, and `memory` holds what was searched of these
    photos before.
    """
    from vision.history.game_history import settle_game

    if strange := {said.photo for said in answers} - {file.name for file in files}:
        text = f"an answer is about {min(strange)}, which is none of the photos; expected one such as {files[0].name}"
        raise PhotosError(text)
    yield from settle_game(_sights(files, tables), draw, done, answers, ask, memory)


def order_of_photos(files: Sequence[Path], tables: Sequence[ReadTable | str]) -> tuple[int, ...]:
    """The photos' numbers in the order that their cards speak for; empty where they seem to be in order."""
    from vision.history.game_history import order_of

    return order_of(_sights(files, tables), range(len(files)))


def order_by_draws(
    files: Sequence[Path], tables: Sequence[ReadTable | str], done: Done, memory: Memory | None = None
) -> DrawnOrder:
    """Photos that were sorted by their cards, in the order that takes the fewest draws of the stock.

    Arguments are as of `settle_tables`.
    """
    from vision.history.game_history import order_by_draws

    return order_by_draws(_sights(files, tables), done=done, memory=memory)


def single_positions(tables: Sequence[ReadTable | str]) -> list[Any]:
    """The position that each photo shows by itself; None for one that cannot be read."""
    from vision.layout.klondike import parse

    return [None if isinstance(table, str) else parse(table.table, table.layout).position for table in tables]


def photos_in_order(named: Sequence[Path]) -> list[Path]:
    """The photos and films of a game in the order of time: as given, a folder's by the time taken, then by name."""
    from vision.film.film_file import is_film, open_film
    from vision.image import load, photos_in

    files: list[Path] = []
    for path in named:
        if path.is_dir():
            found = photos_in(path)
            if not found:
                raise FileError(str(path), "no photo in this folder")
            files += by_time(found)
        elif path.exists():
            files.append(path)
        else:
            raise FileError(str(path), "no such file or folder")
    if alike := [name for name, count in Counter(file.name for file in files).items() if count > 1]:
        raise PhotosError(f"two photos are called {alike[0]}; rename one, as answers tell photos by their names")
    films = [file for file in files if is_film(file)]
    for film in films:
        with open_film(film):
            pass  # one that is broken is named before any photo is read
    if not films:
        if len(files) == 1:
            load(files[0])  # a file that is no photo is named before it is said that one is too few
        check_count(files)
    return files


def check_count(photos: Sequence[Path]) -> None:
    """Raises PhotosError for fewer photos, or moments of films, than make a game."""
    if len(photos) < FEWEST_PHOTOS:
        raise PhotosError("one photo is no game; choose two or more of one game, or a film in which cards are moved")


def by_time(photos: Iterable[Path]) -> list[Path]:
    """Photos by the time that each says it was taken, if all of them do; else by name."""
    from vision.image import time_taken

    rows = [(time_taken(photo), photo) for photo in photos]
    return [photo for _, photo in sorted(rows)] if all(time for time, _ in rows) else [photo for _, photo in rows]


# --- reading ------------------------------------------------------------------------------------------


def read_tables(
    files: Sequence[Path], workers: Any, kept: Path | None = None, done: Callable[[], object] = lambda: None
) -> tuple[list[Path], list[ReadTable | str]]:
    """The photos, and what each shows or why it cannot be read; arguments as of `record_photos`.

    In the place of a film stand its moments of rest, named as `game.mp4 0:12.4`.
    """
    from plumbing.parallel import ordered_map
    from vision.history.read_tables import read_shot

    if kept is None:
        rows = []
        for row in ordered_map(read_shot, shots_of(files), workers=workers):
            rows.append(row)
            done()
        return [photo for photo, _ in rows], [_table(read) for _, read in rows]
    photos: list[Path] = []
    with _store(kept) as store:

        def unread() -> Iterator[tuple[Path, RGB | str | None]]:
            for photo, picture in shots_of(files):
                photos.append(photo)
                if str(photo.resolve()) in store:
                    done()
                else:
                    yield photo, picture

        for photo, read in ordered_map(read_shot, unread(), workers=workers):
            store.add({"photo": str(photo.resolve()), "read": read})
            done()
    return photos, [_table(row["read"]) for row in store.of(str(photo.resolve()) for photo in photos)]


def shots_of(files: Iterable[Path]) -> Iterator[tuple[Path, RGB | str | None]]:
    """The photos by name, a film's with their pictures, or why they are none: they are in no file of their own.

    Raises FilmError.
    """
    from vision.film.film_file import is_film, open_film
    from vision.film.rests import REST_SECONDS, find_rests

    for file in files:
        if not is_film(file):
            yield file, None
            continue
        rest = None
        for rest, is_hand in find_rests(file):
            minutes, tenths = divmod(round(10 * rest.seconds), 600)
            yield file.with_name(f"{file.name} {minutes}:{tenths / 10:04.1f}"), HAND if is_hand else rest.image
        if rest is None:
            with open_film(file) as film:
                seconds = film.seconds
            wrong = f"no moment at which nothing moves for {REST_SECONDS} s; set the camera on a stand"
            if 0 < seconds < FEWEST_PHOTOS * REST_SECONDS:
                wrong = f"this film is only {seconds:.1f} s long; film the whole game, with the camera on a stand"
            raise FilmError(str(file), wrong)


def _store(kept: Path) -> Any:
    from plumbing.resumable import NamedRows
    from vision import fingerprints

    work = fingerprints.fingerprint_work("record", only_reads=True)
    return NamedRows(kept, "photo", lambda name: f"{work} {_stamp(_file_of(name))}")


def _stamp(file: Path) -> str:
    """Tells a file from others of that name. Labels do not count: `game.txt` beside `game.mp4` is the record itself."""
    if not file.is_file():
        return ""
    status = file.stat()
    return f"{status.st_size}-{status.st_mtime_ns}"


def _file_of(photo: str) -> Path:
    """The file that holds a photo: its own, or the film of which it is a moment."""
    from vision.film.film_file import is_film

    film, _, _ = photo.rpartition(" ")
    return Path(film) if is_film(film) and not Path(photo).exists() else Path(photo)


def _table(row: Any) -> ReadTable | str:
    from vision.history.read_tables import ReadTable

    return row if isinstance(row, str) else ReadTable.from_json(row)


def _sights(files: Sequence[Path], tables: Sequence[ReadTable | str]) -> list[Any]:
    """What each photo shows of the game; photos of no table or another one show nothing."""
    from vision.history.common_layout import group_by_table, lay_together, read_as_squared, see_from_one_side
    from vision.history.record_writer import PhotoSight
    from vision.history.table_sights import read_as_one_deck, sights_of

    shown = {n: table for n, table in enumerate(tables) if not isinstance(table, str) and table.table.cards}
    read, seen = list(shown), read_as_squared(read_as_one_deck(list(shown.values())))
    seen = see_from_one_side(seen, lay_together(seen))
    laid = [(n, table, s) for n, table, s in zip(read, seen, lay_together(seen), strict=True) if s is not None]
    others = sorted(group_by_table(seen), key=len)[:-1]
    apart = [[read[k] for k in sorted(group)] for group in others if len(group) >= FEWEST_OF_A_TABLE]
    sights = dict(zip([n for n, *_ in laid], sights_of([t for _, t, _ in laid], [s for *_, s in laid]), strict=True))

    def why(n: int) -> str:
        table = tables[n]
        if isinstance(table, str):
            return f"{files[n].name} is left out: {table}"
        if not table.table.cards:
            return f"{files[n].name} is left out: no card in it can be read. Is it blurred, or is a hand in it?"
        for photos in apart:
            if n in photos:
                names = ", ".join(files[k].name for k in photos)
                return f"{names} show another table or another game: record them by themselves" * (n == photos[0])
        count = len(table.table.cards)
        beside = sorted((abs(k - n), len(other.table.cards)) for k, other, _ in laid)[:NEIGHBOURS]
        if beside and count < FEW_SHARE * median(cards for _, cards in beside):
            few = f"only {count} card{'s' * (count > 1)} can be read in it"
            return f"{files[n].name} is left out: {few}. Is it blurred, or is a hand in it?"
        return f"{files[n].name} is left out: it shows another table or another game than most photos do"

    return [PhotoSight(file.name, sights.get(n), "" if n in sights else why(n)) for n, file in enumerate(files)]


# --- the command ------------------------------------------------------------------------------------------


def _run(args: argparse.Namespace) -> int:
    from vision.image import opencv

    opencv()  # a missing system library is named before anything else imports OpenCV
    if fault := _overwriting(args):
        return wrong_usage(fault)
    kept = args.kept or (args.out or _kept_name(args.photo)).with_suffix(".read.jsonl")
    with error_as_json(args, {"files": [str(photo) for photo in args.photo]}):
        answers = _read_answers(args.answers, may_be_new=args.ask)
        ask = _Asker(args.answers) if args.ask else None
        game = record_photos(*args.photo, draw=args.draw, workers=args.workers, kept=kept, answers=answers, ask=ask)
        if args.out is not None and game.record is not None:
            args.out.write_text(f"{game.record}\n", encoding="utf-8")
    if args.json:
        print(json.dumps(game.to_json(), ensure_ascii=False))
    else:
        for line in _report(game, args.out):
            print(line)
    return 0 if game.record is not None else 1


def _overwriting(args: argparse.Namespace) -> str | None:
    """What is wrong with files to be written that are read, too; answers are read, and written with `--ask`."""
    from vision.image import photos_in

    photos = [file for path in args.photo for file in (photos_in(path) if path.is_dir() else [path])]
    return (
        overwriting_fault("--out", [args.out], [*photos, args.answers])
        or overwriting_fault("--kept", [args.kept], [*photos, args.answers])
        or overwriting_fault("--answers", [args.answers], photos)
    )


def _read_answers(file: Path | None, *, may_be_new: bool) -> list[Answer]:
    """The answers of a file; none where it is not there yet, if that may be. Raises FileError."""
    from vision.history.answers import Answer

    if file is None:
        return []
    if not file.is_file():
        if may_be_new:
            return []
        raise FileError(str(file), "no such file; with --ask it is made")
    answers, faults = [], []
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if line.strip():
            try:
                answers.append(Answer.parse(line))
            except CardsError as error:
                faults.append(f"line {number}: {error}")
    if faults:
        raise FileError(str(file), "; ".join(faults))
    return answers


class _Asker:
    """Asks in the terminal, and adds each answer to a file where one is named."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._skipped: set[str] = set()

    def __call__(self, _: RecordedGame, questions: Sequence[tuple[str, Question]]) -> Answer | None:
        """The answer to the first question to which there is one."""
        for photo, question in questions:
            answer = None if str(question) in self._skipped else self._answer(photo, question)
            if answer is not None:
                return answer
        return None

    def _answer(self, photo: str, question: Question) -> Answer | None:
        from vision.question import QuestionKind

        print(f"{photo}: {question}", file=sys.stderr)
        # Where numbers are the answers, the number of an answer would be taken for one.
        is_count = any(map(str.isdecimal, question.choices))
        numbered = {} if is_count else {str(number): choice for number, choice in enumerate(question.choices, 1)}
        for number, choice in numbered.items():
            print(f"  {number}  {choice}", file=sys.stderr)
        wanted = "its number, or what it was" if numbered else f"{', '.join(question.choices)} or another number"
        if question.kind is QuestionKind.DRAW:
            wanted = " or ".join(question.choices)
        while said := _read_line(f"  {wanted}; empty if you do not know: "):
            answer = _understood(photo, question, said, numbered)
            if answer is None:
                print(f"  {said} is no answer to this", file=sys.stderr)
                continue
            if self._file is not None:
                with self._file.open("a", encoding="utf-8") as lines:
                    lines.write(f"{answer}\n")
            return answer
        self._skipped.add(str(question))
        return None


def _understood(photo: str, question: Question, said: str, numbered: Mapping[str, str]) -> Answer | None:
    """The answer that was typed, or the one of that number; None for what is none.

    Where answers have numbers, a number that none of them has is a slip, and no count of cards.
    """
    from vision.history.answers import Answer

    assert question.place is not None, "only such questions are put"
    answer = Answer(photo, question.place, numbered.get(said, said))
    try:
        answer.check()
    except CardsError:
        return None
    return None if numbered and said.isdecimal() and said not in numbered else answer


def _read_line(prompt: str) -> str:
    """What is typed; empty at the end of the input."""
    print(prompt, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def _kept_name(photos: Sequence[Path]) -> Path:
    """Where what was read is kept: in the folder for temporary files, under a name that the photos give."""
    import tempfile

    name = hashlib.sha256("\n".join(str(photo.resolve()) for photo in photos).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"could_i_have_won_{name}"


def _report(game: RecordedGame, out: Path | None) -> Iterator[str]:
    """What a person wants to know, in lines."""
    for photo in game.photos:
        yield from _report_photo(photo)
    if game.record is None:
        yield "no photo shows a game of Klondike"
        return
    yield ""
    yield from [str(game.record)] if out is None else filter(None, [f"record: {out}", game.record.note])
    yield f"the start, with all that the game revealed: {game.record.hindsight}"


def _report_photo(photo: PhotoRow) -> Iterator[str]:
    if photo.position is not None:
        moves = " ".join(map(str, photo.moves)) or "no move"
        yield f"{photo.file}: {moves} ({photo.stands:.1%} sure)"
        yield f"  {photo.position}"
    for check in photo.checks:
        yield f"  check: {check}" if photo.position is not None else f"{check}"
        if check.choices and check.place is not None:
            yield f"    {photo.file} {check.place}: {' | '.join(check.choices)}"


__all__ = ["main", "parser", "photos_in_order", "record_photos"]

if __name__ == "__main__":
    sys.exit(main())
