"""The page with readings made by hand: what a photo shows is named by its file. The fixture `made` serves it.

A file whose name ends with `HELD` and a word is read only once a file of that word lies in the temporary folder:
so a test sees for sure what the page shows meanwhile.
"""

from __future__ import annotations

import os
import time
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import gettempdir
from threading import Thread
from typing import Any

import numpy as np
from PIL import Image

from plumbing.errors import CardsError
from solver import klondike, parse
from solver.klondike.chances import completions
from solver.place import Place
from vision.errors import OtherTableError
from vision.film.film_to_reading import Progress, Watch
from vision.film.seen_so_far import SeenPlace, SeenSoFar
from vision.question import MOVED, Question, QuestionKind
from vision.read_card import Sight
from vision.reading import NO_HAND, Reading
from webapp import app
from webapp.jobs import Job, Json
from webapp.page import review, table
from webapp.photo_session import FilmData, PhotoSession
from webapp.questions import answer_json, asked_json
from webapp.recording import question_json

FLOOR = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 9D"
MIXED = FLOOR.replace("7C 7D 7H", "7C 7D 9D 7H")
LARGE = "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS | AD 2D 3D 4D | 5H 6H 7H; cross: 2S - - -; hand: 3S 4S 9D"
RUNS = [f"{a}{suit} {b}{suit} {c}{suit} {d}{suit}" for a, b, c, d in ("A234", "5678", "9TJQ") for suit in "CDHS"]
MANY = f"makiaveli floor: {' | '.join([*RUNS, 'KC KD KH KS', *RUNS[:5]])}; cross: 6H 9H JD KS; hand: 3S 4S 5S 6S 9D"
GROUPS = [f"{rank}C {rank}H {rank}S" for rank in "349TJQ"]
OTHERS = f"makiaveli floor: {' | '.join([*GROUPS, RUNS[5], RUNS[5]])}; cross: - - - -; hand: KS QS"
HANDLESS = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand:"
HIDDEN = (
    "klondike draw: 1; moves: run; worrying_back: yes; columns: ?? ?? [2C] | ?? ?? [7C] | ?? ?? [JH] | - | - | - | -;"
    " foundations: C1 D13 H9 S13; stock: ?? ?? ?? ?? ?? ??; waste: 3C"
)
DEALT_COLUMNS = " | ".join(f"{'?? ' * n}[{card}]" for n, card in enumerate(("3D", "4D", "5S", "6H", "7S", "8H", "9S")))
DEALT = f"klondike columns: {DEALT_COLUMNS}; stock: {'?? ' * 24}"
BEFORE = "makiaveli floor: 4C 5C 6C 7C | KC KD KH; cross: - - - -; hand: 7D 7H 7S"
AFTER = "makiaveli floor: KC KD KH | 4C 5C 6C | 7C 7D 7H; cross: - - - -; hand: 7S"
BARE = BEFORE.partition("; hand")[0]
STRANGE = BEFORE.replace("; cross", " | 9S; cross")
OTHER_TABLE = b"other_table.jpg"
NO_PICTURE = "no picture in it that can be read"
SIZE = (640, 480)
PER_ROW = 10
HELD = "-held-"
HELD_S = 240  # after which a reading that is held goes on all the same; as a text of its own it would stand on the page


def picture(brightest: int = 255) -> bytes:
    file = BytesIO()
    grey = Image.linear_gradient("L").resize(SIZE).point(lambda light: light * brightest // 255)
    grey.convert("RGB").save(file, "JPEG")
    return file.getvalue()


def card(number: int, name: str, zone: str, confidence: float = 1.0, *others: str) -> dict[str, Any]:
    """A card of a reading, each in a place of its own in the photo."""
    x, y = 20 + 60 * (number % PER_ROW), 20 + 90 * (number // PER_ROW % 5)
    quad = [[x, y], [x + 50, y], [x + 50, y + 70], [x, y + 70]]
    index = {"box": [x + 3, y + 3, x + 13, y + 25], "rank": [x + 8, y + 8], "suit": [x + 8, y + 20]}
    alternatives = [[other, 0.1] for other in others]
    return {
        "card": name,
        "confidence": confidence,
        "alternatives": alternatives,
        "zone": zone,
        "quad": quad,
        "indices": [index],
    }


def back(zone: str, y: float) -> dict[str, Any]:
    """A face-down card of a reading, in the column of the second card."""
    return {"quad": [[80, y], [130, y], [130, y + 70], [80, y + 70]], "zone": zone, "confidence": 1.0}


def cards_of(line: str, doubtful: int = 0) -> list[dict[str, Any]]:
    """The cards of a table, the first ones in doubt; the hand lies in a row of its own, beside no meld."""
    found: list[dict[str, Any]] = []
    body = parse(line).to_json()
    zones = [(f"floor/{n}", meld) for n, meld in enumerate(body.get("floor", ()))] + [("hand", body.get("hand", ()))]
    zones += [(f"column/{n}", column["up"]) for n, column in enumerate(body.get("columns", ()))]
    for zone, names in zones:
        skipped = -len(found) % PER_ROW if zone == "hand" else 0
        for number, name in enumerate(names, len(found) + skipped):
            sure = len(found) >= doubtful
            found.append(card(number, name, zone, 1.0 if sure else 0.7, *(() if sure else ("KD", "QD", "JD"))))
    return found


def reading(game: str | None, cards: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A reading's JSON object."""
    return {"image": {"width": SIZE[0], "height": SIZE[1]}, "game": game, "cards": cards, "backs": []} | more


PHOTO = {"width": SIZE[0], "height": SIZE[1]}
FUZZ_LIMITS = {"ok": False, "reasons": ["I could read only 2 of about 40 cards; one taken from nearer would help"]}
NOTHING = {"ok": False, "reasons": ["I found no cards in this photo"]}
ASKED = "column 2 may hide 2 or 3 face down instead of 2: please count them"
COUNTS = tuple(
    Question(QuestionKind.HIDDEN, f"count column {n + 1}", Place("column", n), (f"{n}", f"{n - 1}"), doubt=0.3)
    for n in range(1, 7)
)
CUT = Question(
    QuestionKind.UNREAD, "the picture ends at JS: does a card lie beyond it?", Place("floor", 1), cards=(5,), doubt=0.3
)
IN_HAND = Question(
    QuestionKind.MELDS, "9S TS JS may lie in the hand", choices=("floor", "hand"), cards=(3, 4, 5), doubt=0.3
)
LOW = Question(QuestionKind.ZONE, "where does 3S lie?", Place("hand"), ("hand", "floor"), cards=(72,), doubt=0.3)
SPOT = Question(
    QuestionKind.UNREAD,
    "a card was not read here: which one is it?",
    doubt=0.3,
    sights=(Sight(0, ((400, 300), (410, 300), (410, 330), (400, 330))),),
)
CHECK = Question(QuestionKind.HIDDEN, ASKED, Place("column", 1))
OPEN_TOMB = "tomb_single corners: 7H | - | - | -; spares: KH 8C - -; deck: 49"
TOMB = "tomb_double foundations: C24 D26 H26 S18; tableau: 2C | - | - | -; stock: ?? ?? ?? ?? ?? ?? ?? ?? ??"
WHICH_GAME = Question(QuestionKind.GAME, "is this klondike?", choices=("cards", "klondike"), doubt=0.3)
BESIDE = [*cards_of(AFTER)[:-1], card(9, "7S", "hand")]  # upon the last meld, but not in line with it
BESIDE[-1]["quad"] = [[x - 20, y + 40] for x, y in BESIDE[-1]["quad"]]
UNSURE = [one | {"confidence": {"7H": 0.6, "7S": 0.5}.get(one["card"], 1.0)} for one in cards_of(AFTER)]
PAIR = [PHOTO | {"name": name} for name in "12"]
DOES_NOT_JOIN = Question(QuestionKind.APART, "photo 2 does not join", photos=(1,), moved=("7C",))
WERE_MOVED = Question(
    QuestionKind.PHOTOS,
    "7C at different places in photo 1 and photo 2: taken for one card that was moved; is that right?",
    choices=MOVED,
    photos=(0, 1),
    moved=("7C",),
)
READINGS: dict[str, tuple[dict[str, Any], str | None, tuple[Question, ...]]] = {
    "unread": (
        reading("makiaveli", cards_of("makiaveli floor: 7C 7D 7H"), readable=FUZZ_LIMITS, stands=0.02),
        "makiaveli floor: 7C 7D 7H",
        (),
    ),
    "doubts": (reading("makiaveli", cards_of(FLOOR, 5), stands=0.2), FLOOR, ()),
    "suit": (
        reading("makiaveli", [card(0, "7C", "floor/0", 0.7, "7S"), *cards_of(FLOOR)[1:]], stands=0.6),
        FLOOR,
        (),
    ),
    "worst": (reading("makiaveli", cards_of(LARGE, 12), stands=0.001), LARGE, ()),
    "hard": (reading("makiaveli", cards_of(LARGE, 18), stands=0.0), LARGE, ()),
    "scattered": (
        reading("makiaveli", cards_of(LARGE, 18), stands=0.0),
        LARGE,
        (Question(QuestionKind.GAME, "is this makiaveli?", choices=("makiaveli", "cards"), doubt=0.1),),
    ),
    "many": (reading("makiaveli", cards_of(MANY, 5), stands=0.01), MANY, ()),
    "seven": (reading("makiaveli", cards_of(LARGE, 7), stands=0.01), LARGE, ()),
    "low": (reading("makiaveli", cards_of(MANY), stands=0.2), MANY, (LOW,)),
    "others": (reading("makiaveli", cards_of(OTHERS)), OTHERS, ()),
    "handless": (
        reading("makiaveli", cards_of(HANDLESS)),
        HANDLESS,
        (Question(QuestionKind.HAND, NO_HAND, Place("hand")),),
    ),
    "sure": (reading("makiaveli", cards_of(FLOOR)), FLOOR, ()),
    "spot": (reading("makiaveli", cards_of(AFTER.replace("hand: 7S", "hand:")), stands=0.2), AFTER[:-3], (SPOT,)),
    "cut": (reading("makiaveli", cards_of(FLOOR), stands=0.2), FLOOR, (CUT,)),
    "in_hand": (reading("makiaveli", cards_of(FLOOR), stands=0.2), FLOOR, (IN_HAND,)),
    "mixed": (reading("makiaveli", cards_of(MIXED)), MIXED, ()),
    "pair": (reading("makiaveli", cards_of(FLOOR), photos=PAIR), FLOOR, ()),
    "before": (reading("makiaveli", cards_of(BEFORE)), BEFORE, ()),
    "spot before": (reading("makiaveli", cards_of(BEFORE), stands=0.2), BEFORE, (SPOT,)),
    "bare": (reading("makiaveli", cards_of(BARE)), BARE, (Question(QuestionKind.HAND, NO_HAND, Place("hand")),)),
    "after": (reading("makiaveli", cards_of(AFTER)), AFTER, ()),
    "strange": (reading("makiaveli", cards_of(STRANGE)), STRANGE, ()),
    "beside": (reading("makiaveli", BESIDE), AFTER, ()),
    "unsure": (reading("makiaveli", UNSURE, stands=0.3), AFTER, ()),
    "before after": (reading("makiaveli", cards_of(AFTER), photos=PAIR), AFTER, (WERE_MOVED,)),
    "after before": (reading("makiaveli", cards_of(AFTER), photos=PAIR), AFTER, (DOES_NOT_JOIN,)),
    "nogame": (reading("cards", cards_of(FLOOR), likeliest="klondike"), None, ()),
    "nothing": (reading("cards", [], readable=NOTHING), None, ()),
    "klondike": (reading("klondike", cards_of(HIDDEN)), HIDDEN, (CHECK,)),
    "backs": (
        reading("klondike", cards_of(HIDDEN), backs=[back("column/1", 40 + 10 * n) for n in range(3)]),
        HIDDEN,
        (replace(CHECK, choices=("3", "4")),),
    ),
    "columns": (reading("klondike", cards_of(DEALT, 2), stands=0.01), DEALT, COUNTS),
    "which": (reading("klondike", cards_of(HIDDEN), stands=0.2), HIDDEN, (WHICH_GAME,)),
    "tomb_double": (reading("tomb_double", cards_of(HIDDEN)), TOMB, ()),
    "tomb_single": (reading("tomb_single", cards_of(HIDDEN)), OPEN_TOMB, ()),
}


BRIGHT_AND_DARK = [b64encode(picture(brightest)).decode() for brightest in (255, 60)]


AT = {"box": [0.2, 0.1, 0.6, 0.7], "spot": [0.4, 0.3, 0.6, 0.6], "columns": [[6, 0.5, 0.5]]}
# A piece of two photos of a game.
PIECES = [{"title": f"Photo {n + 1}", "data": data, "photo": n, **AT} for n, data in enumerate(BRIGHT_AND_DARK)]
UNTOLD = Question(
    QuestionKind.CARD,
    "photo 2: no photo shows whether QD or QH lies under JS in column 5: which?",
    Place("column", 4),
    ("QD", "QH", "neither QH nor QD"),
)


def asked_of_record(asked: str, text: str, *values: str) -> Json:
    """A question about the photos of a game, with a piece of two of them."""
    return asked_json(asked, text, [answer_json(value, value) for value in values], asked=asked, pictures=PIECES)


RECORD_QUESTIONS = [
    asked_of_record("photo 2 column/5", "Where did 4S come from?", "4S from the stock", "4S from column 6"),
    asked_of_record("photo 1 stock", "How many cards of the stock are turned at a time?", "1", "3"),
    question_json("photo 2", UNTOLD, []) | {"pictures": PIECES},
]


def wait_until_let_go(file: str) -> str:
    """What a file shows, by its name, as soon as its reading is no longer held."""
    name, _, word = Path(file).stem.partition(HELD)
    ends = time.monotonic() + HELD_S
    while word and not Path(gettempdir(), word).exists() and time.monotonic() < ends:
        time.sleep(0.02)
    return name


def read(photos: Sequence[tuple[str, bytes]], game: str, **more: Any) -> PhotoSession:
    """A reading by the name of its file; of a photo that is read again as a game that of the game."""
    unread = {n: f"{name}: {NO_PICTURE}" for n, (name, _) in enumerate(photos) if Path(name).stem == "broken"}
    photos = [photo for number, photo in enumerate(photos) if number not in unread]
    if not photos:
        raise CardsError(NO_PICTURE)
    stem = wait_until_let_go(photos[0][0])
    stems = " ".join(Path(file).stem for file, _ in photos)
    name = game if game in ("klondike", "tomb_double") else stems if stems in READINGS else stem
    found, line, checks = READINGS.get(name, READINGS["sure"])
    position = None if line is None else parse(line).to_json()
    whole = replace(Reading.from_json(found | {"position": position}), checks=checks)
    shown = (picture(),) * len(whole.photos)
    return PhotoSession(tuple(data for _, data in photos), whole, shown, unread=unread)


def live_word() -> Path:
    """While this file is not there, a live film shows a single card, and more to its right."""
    return Path(gettempdir(), f"go-live-{os.getppid()}")


def read_live(frames: Iterable[tuple[float, bytes]], watch: Watch) -> PhotoSession:
    """A reading of what a camera films, which is whole as soon as a test says so."""
    quad = np.array([[0.6, 0.4], [0.8, 0.4], [0.8, 0.7], [0.6, 0.7]])
    for number, _ in enumerate(frames):
        is_whole = live_word().exists()
        card = SeenPlace(quad, 2 if is_whole else 1)
        watch(SeenSoFar(number, (card,), None if is_whole else np.array([1.4, 0.5]), 12.0))
    return read([("sure", picture())], "auto")


def read_film(name: str, film: FilmData, game: str, progress: Progress, watch: Watch) -> PhotoSession:
    """A reading by the name of its file, which tells first how far it is, and notes how many frames came."""
    if name == "live film":
        return read_live(film[1], watch)  # type: ignore[arg-type]
    if name.startswith("broken"):
        raise CardsError("no pictures in it that can be read")
    progress(7.0, 10.0, 12)
    wait_until_let_go(name)
    if isinstance(film, bytes):
        return replace(read([(name, film)], game), what="film")
    shot = read([(name, picture()) for _ in film[1]], game)
    note = f"{len(shot.photos)} frames, {film[0]:.1f} s"
    return replace(shot, photos=shot.photos[:1], reading=replace(shot.reading, notes=(note,)))


def turned_over(shot: PhotoSession, position: klondike.Position, photos: Sequence[bytes]) -> PhotoSession:
    """The table with its hidden cards named as some deal has them; each file holds its name."""
    wait_until_let_go(photos[0].decode())
    if photos[0] == OTHER_TABLE:
        raise OtherTableError("9D JS")
    return replace(shot, reading=replace(shot.reading, position=next(completions(position, Random(1))), checks=()))


def look(held: review.Reviewing, request: Json) -> None:
    """Finds a game, at once but for one that is held: what is asked about its photos is what was not answered."""
    held.job = job = Job({"task": "review", **request}, 1.0)
    lines = request.get("answers", [])
    left = (
        []
        if "record" in request
        else [asked for asked in RECORD_QUESTIONS if not any(str(line).startswith(asked["asked"]) for line in lines)]
    )
    headline = f'<h1>Found under {len(lines)} answers</h1><i data-photo="photo 1"></i>'
    told = {
        "page": headline,
        "answer": f"Found under {len(lines)} answers.",
        "detail": "",
        "record": request.get("record", '[Game "klondike"]\n[Start "klondike columns: - | - | - | - | - | - | -"]\n'),
        "plays_on": True,
        "what": "2 photos",
        "small": {} if "record" in request else {"photo 1": BRIGHT_AND_DARK[0]},
        "order": [],
        "is_from_across": "record" not in request,
        "photos": dict(zip("01", BRIGHT_AND_DARK, strict=True)),
        "questions": left,
        "open": ["photo 2: which?"],
        "left_out": ["photo 3 is left out"],
        "unused": ["photo 3"],
        "is_guess": bool(left),
    }
    files = sorted(path.name for path in Path(request["folder"]).iterdir()) if "folder" in request else [""]

    def finish() -> None:
        wait_until_let_go(files[0])
        job.result = told
        job._finish()

    finishing = Thread(target=finish)
    finishing.start()
    finishing.join(0.2)


if __name__ == "__main__":
    review.Reviewing._look = look  # type: ignore[method-assign]
    for stand_in in (read, read_film, turned_over):
        setattr(table, stand_in.__name__, stand_in)
    app.main()
