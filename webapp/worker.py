"""A solver in a separate process: `python -m webapp.worker` reads requests and writes answers, one JSON line each.

A long search must not block other visitors, and it must stop when asked. Killing its process is the only way that works
for every solver. `webapp.jobs` starts these processes, and nothing else talks to them.

The process first writes `webapp.jobs.READY`. A request is `{"task": NAME, ...}`. The answer is any number of
`{"progress": {...}}` lines and then one last line, `{"result": {...}}` or `{"error": "a sentence"}`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from drawing.card_names import pretty
from plumbing.errors import CardsError
from solver import answer, parse
from solver.cards import DECK, parse_cards
from solver.games import GAMES, find_game
from solver.numeric.jit import compile_at_once
from solver.position import Position
from solver.record import Record, read_record
from solver.review_page import whole_page
from solver.solution import Limits, Solution, Verdict
from vision.image import at_most, encode, load, photos_in
from vision.measure.labels import NO_TRUTH
from webapp import simulations
from webapp.games.game import page_of
from webapp.jobs import PREPARING, READY, Json
from webapp.wording import count

if TYPE_CHECKING:
    from vision.compare import Compared

Emit = Callable[[Json], object]
"""Sends a progress message."""
PATIENT: Final = 19
"""The niceness (0 to 19) of a worker while nobody waits for its work."""
MOST_ROWS: Final = 50
"""Photos of a report that are shown one by one; those that could not be read come first."""
PICTURE_PX: Final = 200
"""The longer side of their pictures."""
NO_ANSWER: Final = "no file with the same name says which cards it shows"
"""What `NO_TRUTH` is called here."""
_loaded: Final[set[tuple[str, str, bool]]] = set()
"""What `load_solver` has loaded: game, rules, and whether cards are unknown."""


def answer_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """Answers `line` within `seconds`; a solution comes with the table after each of its steps or moves."""
    position = parse(request["line"])
    load_solver(position)
    emit({"begun": True})
    return _answer_in_full(position, Limits(time=float(request["seconds"])))


def _answer_in_full(position: Position[Any], limits: Limits) -> Json:
    """The answer on a position with the tables on the way, and the outs of a hand that is lost."""
    found = answer(position, limits)
    result = found.to_json()
    if isinstance(found, Solution):
        result["frames"] = [{"move": name, "position": table} for name, table in found.tables()]
        outs = getattr(find_game(found.position.game).solver, "outs", None)
        if outs is not None and found.verdict is Verdict.NO_WIN:
            result |= outs(found.position).to_json()
    return result


def load_solver(position: Position[Any]) -> None:
    """Loads, and if necessary compiles, what the search for a position needs, before its time limit starts."""
    kind = (position.game, str(position.to_json().get("rules")), None in position.cards())
    if kind not in _loaded:
        _loaded.add(kind)
        with suppress(CardsError):
            answer(position, Limits(time=None, nodes=1))


def prepare_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """Loads everything that later requests may need, at the lowest priority, so that no visitor has to wait for it."""
    with ThreadPoolExecutor(1, initializer=_give_way) as thread:
        thread.submit(_load_everything).result()
    return {}


def _give_way() -> None:
    """Gives this thread the lowest priority, on systems that have priorities for threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), PATIENT)


def _load_everything() -> None:
    from vision import judgement  # noqa: F401

    compile_at_once()
    # First the games that hide cards: only a table of known cards can be answered before anything is compiled.
    for page in sorted(map(page_of, GAMES), key=lambda page: not page.cards_may_be_unknown):
        for line in page.warm_up:
            with suppress(CardsError):
                _answer_in_full(parse(line), Limits(time=0.2 if "?" in line else None, nodes=100_000))


def moves_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """Compares the legal moves of the table of `line`, for about `seconds`."""
    position = parse(request["line"])
    load_solver(position)
    emit({"deals": 0})
    compare = page_of(position.game).compare
    assert compare is not None, "nobody asks where moves are not compared"
    return compare(position, float(request["seconds"]), emit)


def judge_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """How sure a photo's verdict is, and which doubtful card would settle it; `reading` is a reading's JSON object."""
    from vision.judgement import judge
    from vision.reading import Reading

    seconds = float(request["seconds"])
    judged = judge(Reading.from_json(request["reading"]), Limits(time=seconds), budget=seconds)
    return {"probability": judged.verdict_probability, "ask": judged.ask, "error": judged.error}


def evaluate_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """Reads every photo of `folder` and gives the report of `vision.evaluate`."""
    from vision.measure.one_photo import evaluate_photo
    from vision.measure.report import write_report

    folder = Path(request["folder"])
    photos = photos_in(folder)
    if not photos:
        raise CardsError("there is no photo among these files")
    rows = []
    for number, photo in enumerate(photos):
        emit({"done": number, "total": len(photos)})
        rows.append(evaluate_photo(photo, str(photo.relative_to(folder))))
    out = folder / "report"
    out.mkdir(exist_ok=True)
    summary = write_report(rows, folder, out)
    return {
        "said": say_in_all(rows),
        "lines": summary["lines"],
        "rows": [
            *_rows_of_no_photo(folder, photos),
            *(photo_row(row, folder) for row in sorted(rows, key=lambda row: not row["error"])[:MOST_ROWS]),
        ],
        "report": (out / "report.html").read_text(encoding="utf-8"),
        "csv": (out / "rows.csv").read_text(encoding="utf-8"),
    }


def _rows_of_no_photo(folder: Path, photos: Sequence[Path]) -> list[Json]:
    """Of each text beside the photos that is the answer to none of them what a report says: else nobody names it."""
    names = {photo.stem for photo in photos}
    told = "not read: no picture, and no photo has this name, whose answer it could be"
    texts = sorted(path.name for path in folder.glob("*.txt") if path.stem not in names)
    return [{"photo": name, "picture": "", "told": told} for name in texts[:MOST_ROWS]]


def say_in_all(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many photos of a report were read without a mistake, and how many could not be compared, and why.

    >>> say_in_all([{"error": "", "exact_auto": True}, {"error": "", "exact_auto": False}, {"error": NO_TRUTH}])
    '1 of 2 photos was read without a mistake. 1 more photo has no answer.'
    >>> say_in_all([{"photo": "a.jpg", "error": "a.txt: broken"}, {"photo": "b.jpg", "error": "b.jpg: no image"}])
    'No photo could be compared. The answer of 1 photo cannot be used. 1 photo could not be read.'
    """
    compared = [row for row in rows if not row["error"]]
    right, unanswered = sum(bool(_say_right(row)) for row in compared), sum(NO_TRUTH in row["error"] for row in rows)
    unread = sum(_is_unread(row) for row in rows)
    unusable = len(rows) - len(compared) - unanswered - unread
    photo = "more photo" if compared else "photo"
    told = ["No photo could be compared."]
    if compared:
        told = [f"{right} of {count(len(compared), 'photo')} {'was' if right == 1 else 'were'} read without a mistake."]
    if unanswered:
        told.append(f"{count(unanswered, photo)} {'has' if unanswered == 1 else 'have'} no answer.")
    if unusable:
        told.append(f"The answer of {count(unusable, photo)} cannot be used.")
    if unread:
        told.append(f"{count(unread, photo)} could not be read.")
    return " ".join(told)


def _is_unread(row: Mapping[str, Any]) -> bool:
    """Whether a row's error is about its photo, and not about the answer beside it."""
    return f"{row.get('photo')}: " in row["error"]


def photo_row(row: Mapping[str, Any], folder: Path) -> Json:
    """A photo of a report: its picture, its name, and in a few words how it was read."""
    picture = ""
    with suppress(CardsError):
        picture = b64encode(encode(at_most(load(folder / row["photo"]), PICTURE_PX))).decode()
    parts = [f"{what} {row[name]}" for name, what in (("missing", "missing:"), ("extra", "too many:")) if row.get(name)]
    if row.get("error"):
        name, text = str(row["photo"]), str(row["error"]).replace(f"{folder}/", "")
        what = "not read" if _is_unread(row) else "not compared"
        told = f"{what}: {text.removeprefix(f'{name}: ')}".replace(NO_TRUTH, NO_ANSWER)
    else:
        told = "; ".join(parts) or _say_right(row) or _say_wrong(row)
    return {"picture": picture, "photo": row["photo"], "told": told}


def _say_right(row: Mapping[str, Any]) -> str:
    """What was compared in a photo that was read without a mistake; "" where there is one."""
    if row.get("exact_auto"):
        return "read without a mistake: every card, its place, and how many lie face down there"
    cards = "every card is right; where they lie and what is face down was not compared, as the answer does not tell it"
    return cards if row.get("cards_exact") and "exact_auto" not in row else ""


def _say_wrong(row: Mapping[str, Any]) -> str:
    """What is wrong in a photo of which every card was found."""
    if row.get("wrong_cards"):
        wrong = [(was, said) for was, said, _, is_right in row.get("pairs", ()) if not is_right]
        misread = [f"{pretty(was)} was read as {pretty(said)}" for was, said in wrong]
        elsewhere = [f"{pretty(card)} lies in another place" for card in row.get("misplaced", "").split()]
        which = "; ".join([*misread, *elsewhere])
        return f"read, with {count(row['wrong_cards'], 'card')} wrong or in another place{which and f': {which}'}"
    return "read as another game" if row.get("exact") else "read, with mistakes"


def review_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """Looks at a game again: at the text of its `record`, or at photos of a `folder` in an `order`, with `answers`.

    What is told of photos, as `webapp.recording.find_game` gives it, is not there where none are looked at.
    """
    from solver.game_review import review
    from webapp.recording import MOVES_REVIEWED, find_game, with_doubts

    emit({})
    if "record" in request:
        record = _read_saved(request["record"])
        what = count(len(record.steps), "move")
        asked: Json = {"open": record.left_open, "left_out": record.left_out, "what": what}
    else:
        record, asked = find_game(Path(request["folder"]), request["answers"], emit, request.get("order", ()))
        record = with_doubts(record, asked["questions"], asked["open"], asked["left_out"])
    size = {"total": len(record.steps), "what": MOVES_REVIEWED}
    emit({"done": 0, **size, "words": PREPARING})  # the solver may have to be compiled first
    reviewed = review(record, progress=lambda done: emit({"done": done, **size}))
    plays_on = page_of(record.game).is_played_on
    guess = {"is_guess": reviewed.is_guess or bool(reviewed.supposed)}  # what lies hidden may lie otherwise
    told = {"page": whole_page(reviewed), "answer": reviewed.answer, "detail": reviewed.detail}
    return {**told, "record": f"{record}\n", "plays_on": plays_on, **guess, **asked}


def _read_saved(text: str) -> Record:
    """A record that was saved here. Raises CardsError, which says first what was expected of the file."""
    try:
        return read_record(text)
    except CardsError as error:
        saved = 'choose its photos, or a game that was saved here with "Game as text"'
        raise CardsError(f"this text is no game that can be read: {saved}. What is wrong in it: {error}") from error


def compare_task(request: Mapping[str, Any], emit: Emit) -> Json:
    """Compares the tables of two readings of Makiaveli, and draws the way back on the second photo, if it is one."""
    from vision.compare import compare_photos, compare_readings, decisive_questions, draw_way_back, lie_alike
    from vision.reading import Reading
    from vision.turn import PHOTOS

    before, after = (Reading.from_json(request[name]) for name in ("before", "after"))
    shown: tuple[Any, Any] = before.position, after.position
    hand, settled = parse_cards(request["hand"]) or None, request["settled"]
    absent = [card for card in DECK if str(card) in request.get("absent", ())]
    image = None if request["photo"] is None else load(b64decode(request["photo"]))
    if image is not None and request["as_read"] and (hand or after.problems or after.checks):
        names = [f"the photo {when} the turn" for when in PHOTOS]
        told = after if request["told"] or not hand else None  # where a hand is named, photos show none
        found = compare_photos(before, image, hand, names=names, told=told, settled=settled, absent=absent)
    else:  # a second look at the photo would show the same
        found = compare_readings(before, after, hand, settled=settled, absent=absent)
    numbered = [[(card.sights, card.place) for card in reading.cards] for reading in (after, found.readings[1])]
    steps = found.comparison.put_back if found.comparison is not None else ()
    can_ask = numbered[0] == numbered[1]
    decisive = decisive_questions(found, hand, settled, absent) if can_ask else []  # they come before the verdict
    asked = [f"photo {PHOTOS[1]} the turn: {question.text}" for question in decisive]
    return found.to_json() | {
        "legal": None if asked else found.legal,
        "checks": [*found.checks, *asked],
        "questions": [question.to_json() for question in found.questions if can_ask],
        "other_way": found.legal is False and compare_readings(*found.readings[::-1]).legal is True,
        "taken_up": found.legal is False and _took_up_only(found),
        "is_named": hand is not None,
        "as_shown": all(map(lie_alike, found.positions, shown)),
        "hand": None if found.hand is None else [str(card) for card in found.hand],
        "playable": found.playable,
        "picture": b64encode(encode(draw_way_back(image, found), ".jpg")).decode()
        if steps and image is not None
        else None,
    }


def _took_up_only(found: Compared) -> bool:
    """Whether all that a turn did was to take cards up: the other way round it played them."""
    after, told = found.positions[1], found.comparison
    if told is None or after is None or told.played:
        return False
    return bool(told.gone) and not Counter(told.gone) - Counter(after.hand)


TASKS: Final[Mapping[str, Callable[[Mapping[str, Any], Emit], Json]]] = {
    "prepare": prepare_task,
    "answer": answer_task,
    "moves": moves_task,
    "judge": judge_task,
    "simulate": simulations.run,
    "evaluate": evaluate_task,
    "review": review_task,
    "compare": compare_task,
}


def serve(lines: Iterator[str], write: Callable[[str], object]) -> None:
    """Works through request lines until there are no more."""

    def tell(what: str, told: Any) -> None:
        write(json.dumps({what: told}) + "\n")

    for line in lines:
        try:
            request = json.loads(line)
            tell("result", TASKS[request["task"]](request, partial(tell, "progress")))
        except BrokenPipeError:
            raise  # nobody listens any more
        except CardsError as error:
            tell("error", str(error))
        except MemoryError:
            tell("error", "not enough memory for this search")
        except Exception as error:
            traceback.print_exc()  # for the console; the page gets a sentence
            tell("error", f"something went wrong inside ({type(error).__name__}); please report it")


def _end_with(parent: int) -> None:
    """Ends this process soon after the one that started it, whatever it is at: nobody waits for its answer then."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main() -> int:
    """Serves standard input until it closes; anything a library prints goes to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()

    def write(text: str) -> None:
        out.write(text)
        out.flush()

    try:
        write(READY + "\n")
        serve(iter(sys.stdin.readline, ""), write)
    except (KeyboardInterrupt, BrokenPipeError):
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
