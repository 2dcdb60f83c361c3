"""Handles the board's events: what each named event changes in a session."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any, Final

from drawing.boards import board
from drawing.card_names import BACK
from plumbing.errors import CardsError, NotationError
from solver import parse
from solver.cards import parse_card, parse_cards
from solver.games import GAMES, position_from_json
from vision.cards.joining.joined import MOST_PHOTOS
from vision.film.film_file import is_film
from vision.framing import Frame
from vision.question import QuestionKind
from vision.reading import NO_HAND
from webapp import edits, questions, rules, sample_photos, turns
from webapp import streamlit_link as state
from webapp.board import Handler
from webapp.corrections import places_of_cards
from webapp.filming import LiveFrames
from webapp.games.game import page_of
from webapp.jobs import Json, stop
from webapp.photo_session import PhotoSession, reframed, without_card
from webapp.session import Session, Settled, Wanted, with_rules
from webapp.trust import RULES, WHOLE, all_questions, card_id, find_question, placed_id, question_id
from webapp.wording import describe_error, pointer

MOST_SENT: Final = 8
"""Photos that are taken at a time; too many of one table are refused when they are read."""
MOST_BYTES: Final = 30_000_000
"""Size of a photo that is taken."""
MOST_FILM_BYTES: Final = 100_000_000
"""Size of a film that is taken."""
MOST_FILM_FRAMES: Final = 80
"""Frames that are taken of a film."""
MOST_ANSWERED: Final = 200
"""Answered questions about a photo that a browser may bring along."""
MOST_FRAMES: Final = 20
"""Cuts and turns of photos that a browser may bring along."""
LEAST_SHARE: Final = 0.02
"""Share of a photo's side that a part of it has at the least."""
Files = tuple[tuple[str, bytes], ...]


def table_events(session: Session) -> Mapping[str, Handler]:
    """The handlers of the table view."""

    def set_card(event: Json) -> None:
        place, card = event["place"], _card(event["card"])
        was = event.get("was") or None

        def changed(now: Json) -> Json:
            now = edits.unchanged(now, place, was) if was else now
            if was == BACK:
                return questions.with_turned(now, place, card, session.as_read)
            return edits.change(now, place, card)

        session.edit(changed, _asked(event))

    def add(event: Json) -> None:
        path, card = event["path"], _card(event["card"])
        session.edit(lambda now: questions.with_added(now, path, card))

    def remove(event: Json) -> None:
        place, was = event["place"], event["was"]
        ended = questions.end_with(int(event["number"]), _shot(session).reading) if _asked(event) else ()
        session.edit(lambda now: edits.remove(edits.unchanged(now, place, was), place), _asked(event), *ended)

    def move(event: Json) -> None:
        place, to, was = event["place"], event["to"], event["was"]

        def moved(now: Json) -> Json:
            edits.unchanged(now, place, was)
            zone = board(now).zone_of(place)
            is_column = zone is not None and zone.under not in ("", zone.path)  # what lies on a card goes along
            return (edits.move_run if is_column else edits.move)(now, place, to)

        session.edit(moved, *_asked_where(session, place))

    def put(event: Json) -> None:
        number, to, reading = int(event["number"]), event["to"], _shot(session).reading
        card = _card(event["card"]) if "card" in event else reading.cards[number].text

        def placed(now: Json) -> Json:
            held = places_of_cards(board(now), reading.cards, session.as_read)
            return questions.with_placed(now, number, to, reading, held, card)

        session.edit(placed, _asked(event))

    def hand(event: Json) -> None:
        try:
            cards = [str(card) for card in parse_cards(str(event["text"])[: state.MAX_TEXT])]
        except NotationError as error:
            session.notice = f"The hand: {describe_error(error)}"
            return
        session.edit(lambda now: now | {"hand": [*now["hand"], *cards]} if "hand" in now else now)

    def by_hand(event: Json) -> None:
        # That it is right is answered with it: it is no reading of the photo.
        session.put(_usual_rules(session, event["game"]), frozenset({WHOLE}) - session.answered)

    return {
        "set_card": set_card,
        "add": add,
        "remove": remove,
        "move": move,
        "put": put,
        "raise": lambda event: session.edit(lambda now: edits.change_height(now, event["path"], int(event["by"]))),
        "bury": lambda event: session.edit(lambda now: edits.change_hidden(now, event["path"], int(event["by"]))),
        "answer": lambda event: _answer(
            session, *map(str, (event["value"], event["id"], *(event.get("others") or ())))
        ),
        "undo": lambda event: session.undo(),
        "reread": lambda event: session.reread(),
        "rule": lambda event: rules.choose(session, event["key"], event.get("value")),
        "agreed": lambda event: _agreed(session, event["rules"]),
        "line": lambda event: put_line(session, event["text"]),
        "hand": hand,
        "no_hand": lambda event: session.edit(lambda now: now, NO_HAND),
        "longer": lambda event: session.search_anew(min(300.0, max(0.1, float(event["seconds"])))),
        "stop": lambda event: stop(session.search),
        "by_hand": by_hand,
        "new": lambda event: session.clear(),
        **photo_events(session),
    }


def start_events(session: Session) -> Mapping[str, Handler]:
    """The handlers of the start view."""

    def deal(event: Json) -> None:
        made = GAMES[event["game"]].solver.random_deal(state.fresh_seed())
        session.begin(_usual_rules(session, event["game"], str(made)))

    def line(event: Json) -> None:
        try:
            session.begin(state.read_typed_line(event["text"]))
        except CardsError as error:
            session.refusal = ("This is no table.", describe_error(error))

    return {
        "begin": lambda event: session.begin(_usual_rules(session, event["game"])),
        "deal": deal,
        "line": line,
        "agreed": lambda event: _agreed(session, event["rules"]),
        **photo_events(session),
    }


def photo_events(session: Session) -> Mapping[str, Handler]:
    """The handlers for new photos, and for reading photos in another way."""

    def photo(event: Json) -> None:
        if event["purpose"] == "what_changed":
            turns.ask_what_changed(session, event["before"]["reading"], str(event["before"].get("hand") or ""))
            return
        if event.get("film"):
            _film(session, event["film"])
            return
        files = tuple(_file(file) for file in event["files"][:MOST_SENT])
        purpose, shot = event["purpose"], session.shot
        if purpose == "hand" and shot is not None:
            _read_again(session, shot, _game_with_hand(session), hand=files[0][1])
        elif purpose == "more" and shot is not None:
            _read_again(session, shot, shot.reading.game or "auto", more=files)
        elif purpose == "turned_over" and shot is not None:
            session.request_photos(Wanted(files, turned_over=True))
        elif any(is_film(name) for name, _ in files) and len(files) > 1:
            session.refuse("A film is read alone.", "Please choose one film, or photos of one table.")
        elif purpose == "again":
            hand = event.get("hand")
            session.request_photos(_kept(session, event, files, _file(hand)[1] if hand else None, "auto"))
        elif len(files) > MOST_PHOTOS:
            whole = 'Photos of a whole game are looked at together: tap "Whole game" on the start page.'
            session.refuse(f"These are too many photos. One table takes {MOST_PHOTOS} at most.", whole)
        else:
            session.request_photos(Wanted(files, turn=event.get("turn")))

    def too_large(event: Json) -> None:
        session.refuse(*_too_large(int(event["bytes"]), is_film=bool(event.get("film"))))

    def again(event: Json) -> None:
        shot, frame = _shot(session), _frame(event)
        try:
            files, hand = _reframed(_named(shot.photos), shot.hand, frame)
        except CardsError as error:
            session.notice = describe_error(error)
            return
        frames = frame.after(shot.frames)
        session.request_photos(Wanted(files, shot.asked, hand, carries=True, frame=frame, frames=frames))

    def sample(event: Json) -> None:
        path = next(path for path in sample_photos.paths() if path.stem == event["sample"])
        files: Files = ((path.name, path.read_bytes()),)
        game = sample_photos.game(path) or "auto"
        session.request_photos(_kept(session, event, files, None, game) if event.get("keeps") else Wanted(files, game))

    return {
        "photo": photo,
        "too_large": too_large,
        "again": again,
        "this_is": lambda event: _read_as(session, event["game"]),
        "sample": sample,
        "stop_reading": lambda event: session.stop_reading(),
        "forget": lambda event: session.forget(),
    }


def _answer(session: Session, value: str, id_: str, *others: str) -> None:
    """Changes the table by an answer to what is asked about a photo, and asks it no more.

    Others that were answered alike with the same tap are taken back with it.
    """
    if id_ == WHOLE:
        session.edit(lambda now: now, WHOLE)
        return
    if id_ == RULES:
        rules.choose(session, rules.PRESET, value)
        return
    if id_ == questions.UNSEEN:
        are_below = value != questions.NONE
        session.edit(lambda now: now | {"waste": now["stock"] * are_below + now["waste"]}, id_)
        return
    if id_.startswith(questions.GAP):
        answers = id_ if value == questions.NONE else ""  # a card settles it by itself
        session.edit(lambda now: _filled(now, id_.removeprefix(questions.GAP), value), answers)
        return
    if id_.startswith(questions.TURNED):  # what was taken away is put back
        under, card = id_.removeprefix(questions.TURNED), _card(value)
        session.edit(lambda now: questions.put_back(now, under, card, session.as_read))
        return
    shot = _shot(session)
    alike = [turns.asked_in_turn(session).get(own) or find_question(shot.reading, own) for own in (id_, *others)]
    question = alike[0]
    if question.kind is QuestionKind.GAME and value != shot.reading.game:
        _read_as(session, value)
    if question.kind is QuestionKind.TURNED and question.number is None and value in question.choices:
        session.turn_over(without_card(shot, question, question.choices.index(value)))
        return

    def answered(now: Json) -> Json:
        for one in alike:
            held = places_of_cards(board(now), shot.reading.cards, session.as_read)
            now = questions.with_answer(now, one, value, shot.reading, held)
        return now

    is_told = question.kind in (QuestionKind.ZONE, QuestionKind.MELDS) and value != questions.RIGHT  # card by card
    is_none = question.kind is QuestionKind.CARD and value == questions.NONE
    ended = questions.end_with(question.cards[0], shot.reading) if is_none else []
    if value == questions.TWO_MELDS:
        ended = questions.end_with_parted(question, shot.reading)
    session.edit(answered, id_, *others, placed_id(question.cards) if is_told else "", *ended)


def _filled(now: Json, place: str, card: str) -> Json:
    """The table with a card where one is missing between two others; the same where none is."""
    if card == questions.NONE:
        return now
    return edits.insert(now, page_of(now["game"]).find_gaps(position_from_json(now))[place][card], card)


def _read_as(session: Session, game: str) -> None:
    """Asks for the photos to be read as a game."""
    shot = _shot(session)
    if game in GAMES:
        _read_again(session, shot, game)


def _read_again(
    session: Session, shot: PhotoSession, game: str, *, more: Files = (), hand: bytes | None = None
) -> None:
    """Asks for the present photos to be read once more, with further ones; what was corrected is kept."""
    photos = (*_named(shot.photos), *more)
    session.request_photos(Wanted(photos, game, hand or shot.hand, carries=True, frames=shot.frames))


def _usual_rules(session: Session, game: str, line: str = "") -> str:
    """A table of a game, else an empty one, under the rules that were agreed on or that people play it by.

    Raises KeyError where there is no such game.
    """
    page = page_of(GAMES[game].word)
    return with_rules(str(parse(line or game)), session.agreed.get(game, page.presets.get(page.dealt_preset)))


def put_line(session: Session, text: str) -> None:
    """Replaces the table by a line of text. If it is faulty, the fault is kept so that the visitor can correct it."""
    session.fault = None
    try:
        session.put(state.read_typed_line(text))
    except CardsError as error:
        where = pointer(error) if isinstance(error, NotationError) else ""
        session.fault = {"text": text[: state.MAX_TEXT], "sentence": describe_error(error), "where": where}


def _game_with_hand(session: Session) -> str:
    """The game for a photo that is sent with a photo of the hand: the one read or laid before, if it has a hand."""
    position = session.position()
    near = (session.shot and session.shot.reading.game, position and position.game)
    games = [game.word for game in GAMES.values() if game.takes_hand]
    return next((str(game) for game in near if game in games), games[0])


def _shot(session: Session) -> PhotoSession:
    """The current photo. Raises KeyError if an earlier tap has removed it."""
    if session.shot is None:
        raise KeyError("photo")
    return session.shot


def _file(sent: Json) -> tuple[str, bytes]:
    data, name = b64decode(sent["data"], validate=True), str(sent.get("name") or "photo")[-200:]
    if len(data) > (MOST_FILM_BYTES if is_film(name) else MOST_BYTES):
        raise ValueError("too large")
    return name, data


def _film(session: Session, sent: Json) -> None:
    """Takes frames that a browser has chosen from a film, or further ones of the film that it is making."""
    frames = _chosen_frames(sent["frames"])
    if sent.get("live") is None:
        if not frames:
            raise ValueError("no frames")
        session.request_photos(
            Wanted((), film=(str(sent.get("name") or "film")[-200:], (float(sent["seconds"]), frames)))
        )
        return
    if sent["begins"]:
        session.request_photos(Wanted((), film=("live film", (0.0, LiveFrames(sent["live"], MOST_FILM_FRAMES)))))
    wanted = session.wanted
    coming = wanted.film[1][1] if wanted is not None and wanted.film is not None else None
    if isinstance(coming, LiveFrames) and coming.key == sent["live"]:  # else it was given up meanwhile
        coming.add(frames, ends=bool(sent["ends"]))


def _chosen_frames(sent: list[Json]) -> tuple[tuple[float, bytes], ...]:
    """The frames that a browser has chosen from a film, each with its time; of too many some all over the film."""
    count = min(len(sent), MOST_FILM_FRAMES)
    chosen = (sent[number * len(sent) // count] for number in range(count))
    frames = tuple((float(frame["seconds"]), _file(frame)[1]) for frame in chosen)
    if sum(len(picture) for _, picture in frames) > MOST_BYTES:
        raise ValueError("too large")
    return frames


def _too_large(size: int, *, is_film: bool) -> tuple[str, str]:
    """What is told of a file that the browser did not send."""
    if not is_film:
        return "This photo is too large.", f"It has {size / 1e6:.0f} MB; a photo may have {MOST_BYTES / 1e6:.0f} MB."
    told = f"It has {size / 1e6:.0f} MB; a film may have {MOST_FILM_BYTES / 1e6:.0f} MB, half a minute in most phones."
    return "This film is too large.", f"{told} Make one slow sweep of ten seconds, in 1080p and not in 4K."


def _named(photos: tuple[bytes, ...]) -> tuple[tuple[str, bytes], ...]:
    return tuple((f"photo {number}", data) for number, data in enumerate(photos, 1))


def _frame(sent: Json) -> Frame:
    rect = sent.get("rect")
    if rect is not None:
        left, top, right, bottom = (min(1.0, max(0.0, float(share))) for share in rect[:4])
        if right - left < LEAST_SHARE or bottom - top < LEAST_SHARE:
            raise ValueError("too small a part")
        rect = (left, top, right, bottom)
    return Frame(int(sent.get("photo") or 0), rect, int(sent.get("turn") or 0))


def _reframed(files: Files, hand: bytes | None, frame: Frame) -> tuple[Files, bytes | None]:
    """The files with one of them cut or turned; the hand's photo comes after all others."""
    if frame.photo == len(files) and hand is not None:
        return files, reframed(hand, frame)
    made = list(files)
    name, data = made[frame.photo]
    made[frame.photo] = (name, reframed(data, frame))
    return tuple(made), hand


def _kept(session: Session, event: Json, files: Files, hand: bytes | None, game: str) -> Wanted:
    """Photos that a browser kept over a reload, cut and turned as they were, with what was settled about them.

    Args:
        session: Whose photos.
        event: What the browser kept beside the files.
        files: Name and file of each.
        hand: A further photo's file that shows only the hand.
        game: What they are read as where the browser names no game.
    """
    frames = tuple(_frame(frame) for frame in (event.get("frames") or ())[:MOST_FRAMES])
    for frame in frames:
        files, hand = _reframed(files, hand, frame)
    read_as = str(event["game"]) if event.get("game") in GAMES else game
    turn, line = event.get("turn"), _known_line(event.get("line"))
    keeps = line if turn is not None else session.line or line  # beside a turn there are two tables
    settled = _settled(event.get("settled") or {})
    same = bool(event.get("if_same"))
    return Wanted(files, read_as, hand, keeps=keeps, if_same=same, frames=frames, settled=settled, turn=turn)


def _known_line(sent: object) -> str | None:
    """The table of a photo that the browser kept, None where there is none."""
    try:
        return None if sent is None else state.read_line(str(sent))
    except CardsError:
        return None


def _settled(sent: Json) -> Settled:
    answered = frozenset(str(id_)[:500] for id_ in (sent.get("answered") or ())[:MOST_ANSWERED])
    return Settled(int(sent.get("reading") or 0), answered)


def _agreed(session: Session, sent: Any) -> None:
    """Takes over the rules that the browser kept, unless others have been chosen since."""
    for game, held in sent.items():
        if game not in GAMES or game in session.agreed:
            continue
        try:
            with_rules(game, held)
        except CardsError:
            continue
        if session.shot is not None and session.line is not None and session.line.startswith(game) and not session.past:
            session.agree(game, held, kept=True)
        else:
            session.agreed = {**session.agreed, game: dict(held)}


def _asked_where(session: Session, place: str) -> list[str]:
    """The questions where the card at a place lies, which somebody answers who moves it."""
    shot, position = session.shot, session.position()
    if shot is None or position is None:
        return []
    held = places_of_cards(board(position.to_json()), shot.reading.cards, session.as_read)
    own = tuple(number for number, path in held.items() if path == place)
    asked = (one for one in all_questions(shot.reading) if one.kind is QuestionKind.ZONE and one.cards == own)
    return [question_id(one) for one in asked if own]


def _asked(event: Json) -> str:
    """The question that an event answers by its card of the reading; "" for another card."""
    number = event.get("number")
    return "" if number is None else card_id(int(number))


def _card(sent: object) -> str:
    """A card that a browser sends, as the solver writes it. Raises ValueError."""
    text = str(sent)
    return text if text == BACK else str(parse_card(text))
