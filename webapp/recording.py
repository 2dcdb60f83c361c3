"""A game from its photos: they are read once, and the game is found anew under each answer. Runs in a worker.

A folder holds the photos. Once they are read only small copies stay there, from which the pieces beside the questions
are cut, and what was read.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drawing.card_names import pretty
from drawing.zones import place_name
from plumbing.errors import CardsError
from plumbing.files import whole_file
from solver.cards import UNKNOWN, Card
from solver.place import Place
from solver.record import LEFT_OUT, OPEN, Record
from vision.errors import FileError
from vision.history.answers import (
    NOTHING,
    Answer,
    lacking_told,
    order_questions,
    origins_told,
    say_origin,
    say_origins,
)
from vision.history.doubts import OPEN_DOUBT
from vision.history.pieces import cut_piece
from vision.history.sight import STOCK
from vision.image import at_most, encode, load
from vision.question import Question, QuestionKind
from webapp.jobs import Json
from webapp.questions import MOST_HIDDEN, answer_json, asked_json, count_answers
from webapp.wording import count, join_names, sentence, with_symbols

if TYPE_CHECKING:
    from vision.history.drawn_order import DrawnOrder
    from vision.history.lattice import Memory
    from vision.history.read_tables import ReadTable
    from vision.history.record_writer import PhotoRow
    from vision.read_card import Sight

COPY_PX: Final = 1600
"""The longer side of the copies that stay."""
WHOLE_PX: Final = 800
"""The longer side of a whole photo beside a question."""
SMALL_PX: Final = 480
"""The same of a photo beside its table in the review."""
MOST_ASKED: Final = 12
"""Questions that come with pieces of photos; the others are told, and an answer may settle them."""
READ: Final = "read.json"
PHOTOS_READ: Final = "Photos read"
MOVES_REVIEWED: Final = "Moves looked at"
"""Works of a review, as the page names them."""
_PHOTO: Final = re.compile(r"\bphoto ([0-9]+)", re.IGNORECASE)
_SENT: Final = re.compile("[0-9]{3} (.+)")
"""A file as it was sent, behind its number."""
PART_BY_PART: Final = "part by part"
"""The answer after which each part of a question is asked about by itself."""


Read = tuple[Path, "ReadTable | str"]
"""The copy of a photo, and what the photo shows, or why it cannot be read."""


def find_game(
    folder: Path, answers: Sequence[str], emit: Callable[[Json], object], order: Sequence[int] = ()
) -> tuple[Record, Json]:
    """The record of a game from the photos or films of a folder; what is asked about it, what else is open, what it is.

    Args:
        folder: The folder; what was read of it before is not read again.
        answers: What was answered, as `vision.history.answers` writes it.
        emit: Is told how far it is.
        order: The photos' numbers in the order in which they count, from 0; those that it does not name follow.
    """
    from vision.history.drawn_order import say_open
    from vision.history.game_history import DISORDERED
    from vision.record import order_of_photos, settle_tables

    given = _tables(folder, emit)
    by_draws = _order_by_draws(folder, [given[number] for number in order], emit, tuple(order))
    order = [order[number] for number in by_draws.order]
    read = [*(given[number] for number in order), *given[len(order) :]]
    files = [Path(f"photo {number}") for number in range(1, len(read) + 1)]
    tables = [table for _, table in read]
    is_first = not answers and not order
    wrong = order_of_photos(files, tables) if is_first else ()  # said before a search that may take long
    done = _counted(len(files), lambda news: emit(news | {"order": list(wrong)}))
    memory = _memory(str(folder), tuple(order))
    game = next(settle_tables(files, tables, None, done, list(map(Answer.parse, answers)), memory=memory))
    if game.record is None:
        raise CardsError("no photo shows a game of Klondike")
    asked = order_questions((photo.file, photo.checks) for photo in game.photos)
    asked = asked[:MOST_ASKED]
    told = [check for photo in game.photos for check in photo.checks if (photo.file, check) not in asked]
    told = [check for check in told if not check.text.startswith(DISORDERED)]  # the page offers to sort them
    open_, left_out = ([str(check) for check in told if (check.doubt == 0) is is_sure] for is_sure in (False, True))
    places = {number: file.name for number, file in zip(by_draws.order, files, strict=False)}
    open_ += [say_open([places[number] for number in numbers]) for numbers in by_draws.open]
    questions = [question_json(file, question, read, _hiding(game.photos, file)) for file, question in asked]
    shown = {picture["photo"] for question in questions for picture in question["pictures"]}
    wholes = {number: encode(at_most(load(read[number][0]), WHOLE_PX)) for number in sorted(shown)}
    photos = {str(number): b64encode(whole).decode() for number, whole in wholes.items()}
    pairs = list(zip(files, read, strict=True))
    small = {file.name: _small(path) for file, (path, table) in pairs if not isinstance(table, str)}
    names = {file.name: sent[1] for file, (path, _) in pairs if (sent := _SENT.fullmatch(path.name))}
    notes = {"open": say_once(open_), "left_out": [_with_file(text, names) for text in say_once(left_out)]}
    unused = [photo.file for photo in game.photos if photo.position is None]
    left: Json = {"questions": questions, "photos": photos, "small": small, "unused": unused}
    left |= {"order": list(game.order), "is_from_across": game.is_from_across, "what": count(len(read), "photo")}
    return game.record, left | notes


def say_once(texts: Iterable[str]) -> list[str]:
    """Notes about photos as sentences; what is the same of several photos is said once.

    >>> say_once(["photo 3 is left out: no card", "photo 5: a hand", "photo 7 is left out: no card"])
    ['Photo 3 is left out: no card. The same goes for photo 7.', 'Photo 5: a hand.']
    """
    alike: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        alike.setdefault(_PHOTO.sub("", text, count=1), []).append(text)
    return [_with_others(*map(sentence, same)) for same in alike.values()]


def _with_others(first: str, *others: str) -> str:
    """The first of several sentences that differ in the photo alone, and of which photos it is true, too."""
    numbers = [found[1] for text in others if (found := _PHOTO.search(text))]
    if not numbers:
        return first
    return f"{first} The same goes for photo{'s' * (len(numbers) > 1)} {join_names(numbers)}."


def _with_file(text: str, names: Mapping[str, str]) -> str:
    """A note with the file's name behind the first photo that it names.

    >>> _with_file("Photo 15 is left out.", {"photo 15": "21.jpg"}), _with_file("Photo 3 is left out.", {})
    ('Photo 15 (21.jpg) is left out.', 'Photo 3 is left out.')
    """
    found = _PHOTO.search(text)
    name = names.get(found[0].lower()) if found else None
    return _PHOTO.sub(lambda photo: f"{photo[0]} ({name})", text, count=1) if name else text


def with_doubts(
    record: Record, asked: Sequence[Json], left_open: Sequence[str], left_out: Sequence[str] = ()
) -> Record:
    r"""A record that tells in headers which photos were left out, and what is open: what is asked, and what else is.

    >>> from solver.record import parse_record
    >>> record = parse_record('[Game "klondike"]\n[Start "klondike columns: [KS] | - | - | - | - | - | -"]\n')
    >>> asked = [{"text": "Where did 7♦ come from?", "asked": "photo 3 column/1"}]
    >>> with_doubts(record, asked, ["Photo 2 is left out."]).left_open
    ['Photo 3: Where did 7♦ come from?', 'Photo 2 is left out.']
    """
    questions = [_noted(" ".join(question["asked"].split()[:2]), question["text"]) for question in asked]
    told = {OPEN: "\n".join([*questions, *left_open]), LEFT_OUT: "\n".join(left_out)}
    headers = {name: value for name, value in record.headers.items() if name not in told}
    return replace(record, headers=headers | {name: lines for name, lines in told.items() if lines})


def _noted(photo: str, text: str) -> str:
    """A question with its photo, once.

    >>> _noted("photo 3", "Which card lies in the waste?"), _noted("photo 3", "K♣ was turned up before photo 3.")
    ('Photo 3: Which card lies in the waste?', 'K♣ was turned up before photo 3.')
    """
    return text if photo in text else sentence(f"{photo}: {text}")


@lru_cache(maxsize=256)
def _small(photo: Path) -> str:
    """A small picture of a photo's copy."""
    return b64encode(encode(at_most(load(photo), SMALL_PX))).decode()


def _order_by_draws(
    folder: Path, read: Sequence[Read], emit: Callable[[Json], object], order: tuple[int, ...]
) -> DrawnOrder:
    """The order of photos that were sorted by their cards, as the fewest draws have it; found once in this process."""
    from vision.record import order_by_draws

    found = _found_orders(str(folder), order)
    if not found:
        files = [Path(f"photo {number}") for number in range(1, len(read) + 1)]
        done = _counted(len(read), emit)
        found.append(order_by_draws(files, [table for _, table in read], done, _memory(str(folder), order)))
    return found[0]


@lru_cache(maxsize=2)
def _found_orders(folder: str, order: tuple[int, ...]) -> list[DrawnOrder]:
    """Where the order by draws of a folder's photos is kept, once it is found."""
    from vision.history.drawn_order import DrawnOrder

    return [] if order else [DrawnOrder(())]


@lru_cache(maxsize=3)
def _memory(folder: str, order: tuple[int, ...]) -> Memory:
    """What was searched of a folder's photos, in some order, in this process."""
    from vision.history.lattice import Memory

    return Memory()


def _counted(total: int, emit: Callable[[Json], object]) -> Callable[[str, int], object]:
    """A function that tells on how many photos a work is done, each time that more of them are."""
    counts: Counter[str] = Counter()

    def done(work: str, photos: int) -> None:
        counts[work] = min(counts[work] + photos, total)
        emit({"done": counts[work], "total": total, "what": work})

    return done


def _tables(folder: Path, emit: Callable[[Json], object]) -> list[Read]:
    """The copies of a folder's photos in the order of time, and what each shows, or why it cannot be read."""
    from vision.history.read_tables import ReadTable
    from vision.record import read_tables

    kept = folder / READ
    rows = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else []
    try:
        shots = _shots_of(folder, [name for name, _ in rows])
    except FileError as error:  # it names the folder, which is nobody's, and the number of the file there
        file, named = Path(error.source), ""
        if file.parent == folder:  # the others are looked at without it
            file.unlink(missing_ok=True)
            named = f'"{re.sub(r"^[0-9]+ ", "", file.name)}": '
        raise CardsError(f"{named}{error.reason}") from error
    if shots:
        photos = [photo for photo, why in shots if not why]
        done = partial(_counted(len(photos), emit), PHOTOS_READ)
        done(0)
        _, tables = read_tables(photos, 2, done=partial(done, 1))
        for photo in photos:
            _shrink(photo)
        read = dict(zip(photos, tables, strict=True))
        rows += [
            [p.name, t.removeprefix(f"{p}: ") if isinstance(t, str) else t.to_json()]
            for p, t in ((p, why or read[p]) for p, why in shots)
        ]
        with whole_file(kept) as path:
            path.write_text(json.dumps(rows), encoding="utf-8")
    return [(folder / name, row if isinstance(row, str) else ReadTable.from_json(row)) for name, row in rows]


def _shots_of(folder: Path, known: Sequence[str]) -> list[tuple[Path, str]]:
    """A folder's photos but the known ones in the order of time; in the place of a film the moments at which it rests.

    Each comes with why it is left out, if it is: then there is no picture of it.
    """
    from vision.film.film_file import is_film
    from vision.record import by_time, check_count, photos_in_order, shots_of

    files = sorted(path for path in folder.iterdir() if path.name not in {READ, *known})
    films = [file for file in files if is_film(file)]
    named = by_time(files) if known and not films else photos_in_order(files if films else [folder])
    shots = []
    for number, (path, picture) in enumerate(shots_of(named), len(known)):
        photo, why = path if picture is None else folder / f"rest {number:04}.jpg", ""
        if isinstance(picture, str):
            why = f"at {path.name.rpartition(' ')[2]} {picture}"
        elif picture is not None:
            photo.write_bytes(encode(picture))
        shots.append((photo, why))
    for film in films:
        film.unlink()
    check_count([*map(Path, known), *(photo for photo, why in shots if not why)])
    return shots


def _shrink(photo: Path) -> None:
    """Puts a small copy in the place of a photo; one that cannot be read goes."""
    try:
        photo.write_bytes(encode(at_most(load(photo), COPY_PX)))
    except (CardsError, OSError):
        photo.unlink(missing_ok=True)


# -- what is asked -----------------------------------------------------------------------------------------------------


def _hiding(photos: Sequence[PhotoRow], file: str) -> tuple[int, ...]:
    """Where a card lay face down in the last table before a photo: its columns, and the stock."""
    before = [row.position for row in takewhile(lambda row: row.file != file, photos) if row.position is not None]
    columns = (n for table in before[-1:] for n, column in enumerate(table.columns) if column.down)
    return (*columns, *(STOCK for table in before[-1:] if None in table.cards()))


def question_json(file: str, question: Question, read: Sequence[Read], hiding: Sequence[int] = ()) -> Json:
    """A question about a photo as the board shows it, with the pieces of photos side by side.

    Where a card had lain, any place is offered that hid cards before; the likely ones come first.
    """
    pictures = [_piece(sight, *read[sight.photo]) for sight in question.sights]
    made = asked_json(f"{file} {question}", "", (), asked=f"{file} {question.place}", pictures=pictures)
    if question.kind is not QuestionKind.DEAL:
        return made | _worded(file, question, hiding)
    counts = question.choices[0].split()
    columns = [Place("column", number) for number in range(len(counts))]
    parts = [
        asked_json(f"{file} {column}", **_count(file, column, [count]), asked=f"{file} {column}", pictures=pictures)
        for column, count in zip(columns, counts, strict=True)
    ]
    is_dealt = sorted(counts) == list("0123456")
    told = [f"{count} in {place_name(column)}" for column, count in zip(columns, counts, strict=True) if count != "0"]
    where = ", ".join((*told, *["none elsewhere"] * (len(told) < len(counts))))
    asks = "Is that right? So a game begins." if is_dealt else "As far as you see or remember, is that right?"
    text = f"Face down in {file}: {where}. {asks}"
    choices = [answer_json(question.choices[0], "Yes"), answer_json(PART_BY_PART, "No")]
    id_ = made["asked"]  # an answer may change the cards in the text
    return made | {"id": id_, "text": text, "choices": choices, "parts": parts}


def _worded(file: str, question: Question, hiding: Sequence[int]) -> Json:
    """The words of a question and its answers; the value of each is what `vision.history.answers` reads."""
    place, choices = question.place, question.choices
    where = "" if place is None else f"{'the ' * (place.kind != 'column')}{place_name(place)}"
    as_text = [answer_json(text, with_symbols(text.replace(UNKNOWN, "a card that nobody saw"))) for text in choices]
    if question.kind is QuestionKind.DRAW:
        return {"text": "How many cards of the stock are turned at a time?", "choices": as_text}
    if question.kind is QuestionKind.HIDDEN and place is not None and all(map(str.isdecimal, choices)):
        return _count(file, place, choices if question.doubt != OPEN_DOUBT else ())  # nothing tells
    if question.kind is QuestionKind.ORIGIN:
        return _origins_worded(file, question, where, hiding)
    if all(" " not in text or lacking_told(text) for text in choices):
        neither = dict.fromkeys(filter(lacking_told, choices), "Neither")
        cards = [answer_json(text, ({NOTHING: "No card"} | neither).get(text, "")) for text in choices]
        if neither:  # its text says between which cards it lies
            return {"text": sentence(question.text.removeprefix(f"{file}: ")), "choices": cards}
        lies = "on top of" if "foundation" in where else "in"
        return {"text": f"Which card lies {lies} {where} in {file}?", "choices": cards, "other": "Another card"}
    # of squared piles no photo shows it
    return {"text": f"Do you see or remember what lay in {where} in {file}?", "choices": as_text}


def _count(file: str, place: Place, likely: Sequence[str] = ()) -> Json:
    """The question how many cards a column hides in a photo; the one before it is shown beside it."""
    text = f"How many cards are face down in {place_name(place)} in {file}?"
    return {"text": text, "choices": count_answers(MOST_HIDDEN, likely)}


_TURNED: Final = {None: ("a card was", "which one"), 0: ("cards were", "which came first")}
_TURNED_NEXT: Final = "cards were", "which came next"


def _origins_worded(file: str, question: Question, where: str, hiding: Sequence[int]) -> Json:
    """The question where a card had lain that came into sight, or which one came from a place.

    Of several cards it asks about one, the one that parts the ways best: the answer leaves fewer of them for the next.
    Who passes one of these questions about a photo does not remember that moment, so it passes them all.
    """
    choices = question.choices
    ways = [dict(origins_told(text)) for text in choices]
    moment = {"moment": f"{file} origins"}
    if len({frozenset(way) for way in ways}) > 1:
        cards, which = _TURNED.get(question.number, _TURNED_NEXT)
        text = f"Before {file} {cards} turned over in {where} and moved on. Do you remember {which}?"
        one_each = ((text, Card.from_index(card)) for text, way in zip(choices, ways, strict=True) for card in way)
        named = [answer_json(text) | {"card": str(card)} for text, card in one_each]
        return {"text": text, "choices": named, **moment}
    open_ = {card: Counter(way[card] for way in ways) for card in ways[0]}
    card = min(open_, key=lambda card: max(open_[card].values()))
    is_last = sum(len(origins) > 1 for origins in open_.values()) == 1  # then a way says where the others lay, too
    pairs = zip(ways, choices, strict=True)
    lain = {way[card]: text if is_last else say_origins([(card, way[card])]) for way, text in pairs}
    lain |= {origin: say_origins([(card, origin)]) for origin in hiding if origin not in lain}
    name = str(Card.from_index(card))
    text = f"{pretty(name)} was turned up before {file}. Do you remember where it lay until then?"
    named = [answer_json(value, f"In {say_origin(origin)}") for origin, value in lain.items()]
    return {"id": f"{file} origin of {name}", "text": text, "choices": named, **moment}


def _piece(sight: Sight, copy: Path, table: ReadTable | str) -> Json:
    """A piece of a photo's copy, what the photo is called, which part of it the piece is, and where in it to look.

    With it come the columns that it shows: the number of each, and where it ends in the piece.
    """
    assert not isinstance(table, str), "only photos that were read show a pile"
    piece, box, spot = cut_piece(load(copy), sight, table.table.size)
    title, data = f"Photo {sight.photo + 1}", b64encode(encode(piece)).decode()
    left, top, right, bottom = box
    width, height = table.table.size
    ends = (
        (number, (x / width - left) / (right - left), (y / height - top) / (bottom - top))
        for number, (x, y) in sight.columns
    )
    columns = [[*end] for end in ends if 0 <= min(end[1:]) <= max(end[1:]) <= 1]
    return {"title": title, "data": data, "photo": sight.photo, "box": box, "spot": spot, "columns": columns}
