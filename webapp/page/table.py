"""The main view: from a photo, a deal or a line of text to the verdict and the winning moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import wait
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Final

import streamlit as st

from drawing.boards import board as drawn_board
from drawing.boards import faulty_places
from drawing.card_names import pretty
from plumbing.errors import CardsError
from solver import parse
from solver.cards import card_text
from solver.games import GAMES, find_game
from solver.position import Position
from vision.cards.joining.joined import MOST_PHOTOS
from vision.errors import OtherTableError
from vision.film.film_file import NO_SWEEP
from vision.framing import Frame
from vision.question import QuestionKind
from webapp import advice, board, board_json, events, questions, rules, sample_photos, turns
from webapp import streamlit_link as state
from webapp.corrections import carry_corrections, find_corrections, places_now, places_of_cards
from webapp.filming import Filming
from webapp.games.game import page_of
from webapp.jobs import Job, Json, stop
from webapp.photo_session import PhotoSession, annotated, labelled, read, read_film, turned_over
from webapp.session import STOPPED, Begun, Session, Settled, Wanted, with_rules
from webapp.trust import CARD, PLACED, WHOLE, Trust, card_id, cards_of
from webapp.verdict_view import (
    HAND_PHOTO,
    MORE_PHOTO,
    Outcome,
    asks_for_the_rest,
    better,
    offer_actions,
    outcome,
    said_of_no_sweep,
    this_is,
    trusted,
    waiting_questions,
)
from webapp.verdicts import find_judgement, judge
from webapp.wording import count, describe_error, sentence

EXAMPLE: Final = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - 9H -; hand: 3S 4S 5S"
EXPLAINED: Final = (
    ("Floor", "All the melds on the table. In your turn you may rearrange them, if all are melds again at its end."),
    ("Meld", "Three or four cards of one rank in different suits, or three and more of one suit in a row."),
    ("Cross", "Up to four single cards round the deck. They may be played into melds like those of the hand."),
    ("Hand", "Your own cards. Whoever plays the last one has won."),
)
"""The zones of Makiaveli, explained to people who have never played it."""
LABELLED: Final = (
    "The photo with the table as you corrected it, to test or teach the program with. It is saved among your own files"
    " and sent nowhere."
)
LEFT_OUT: Final = (
    "This photo was left out.",
    "It seems to show another table, or too little of this one.",
)
"""Told of a photo that was added and shows nothing that lies as in the photos before."""
JOINED: Final = "The new photo is joined to your table."
"""Told of one that does."""
BEFORE_TURN: Final[Json] = {
    "tone": "open",
    "headline": "The table before the turn",
    "detail": "Whether the turn was legal is told once the photo after it is compared with this one.",
}
"""What is said of a table to which a turn is compared: what could be won is not told there."""
FILM_LOOK_S: Final = 0.3
"""Between two looks at how far a film is."""
PHOTO_LOOK_S: Final = 1.0
"""The same for photos; a browser that was not told that they have come, as it was slow, is told again then."""
SEARCHING: Final = ", still searching"
"""Behind the title, while a longer search may still change what is told."""
PLAY_ON: Final = 'Tap "Play on" to make the moves here and to tell which cards come up.'
NEW: Final[Json] = {"name": "new", "label": "New table", "sign": "home"}
HERO: Final = "makiaveli_1"
"""The sample that the start shows turning into its board."""


def page() -> None:
    """The start view if there is nothing yet, else the photo and its table with the verdict."""
    session = state.session()
    state.follow_address(session)
    begun = session.being_read(partial(_begin, session))
    if begun is not None and not begun.shot.done():
        told = {"view": "reading", "reading": True, "film": begun.film and begun.film.to_json()}
        board.show(told, key="table", handlers=events.table_events(session))
        st.empty()  # takes the place of what stands below a table
        wait([begun.shot], PHOTO_LOOK_S if begun.film is None else FILM_LOOK_S)
        st.rerun()
    _read(session)
    turns.hold_rest_of_hand(session)
    position = session.position()
    if position is not None:
        _table(session, position)
    elif session.shot is not None:
        board.show(_photo_only(session, session.shot), key="table", handlers=events.table_events(session))
    else:
        board.show(_start(session), key="table", handlers=events.start_events(session))


def _begin(session: Session, wanted: Wanted) -> Begun:
    """Begins to read photos or a film in the background."""
    submit = state.readers().submit
    if not wanted.is_film:
        return Begun(submit(_shot_of, wanted, session.shot, session.position()))
    film, (name, data) = Filming(), wanted.film or wanted.photos[0]
    return Begun(submit(read_film, name, data, wanted.game, film.tell, film.watch), film)


def _shot_of(wanted: Wanted, before: PhotoSession | None, position: Position[Any] | None) -> PhotoSession:
    """Reads photos; those of cards turned over belong to the photo before and its table. Raises CardsError."""
    if wanted.turned_over and before is not None and position is not None:
        return turned_over(before, position, [data for _, data in wanted.photos])
    shot = replace(read(wanted.photos, wanted.game, hand=wanted.hand, needs_all=wanted.carries), frames=wanted.frames)
    return replace(shot, what=before.what) if wanted.carries and before is not None else shot


def _read(session: Session) -> None:
    """Takes what the photos or the film show that were wanted, and begins with that."""
    taken = session.take_read()
    if taken is None:
        return
    wanted, begun = taken
    try:
        shot = begun.shot.result()
    except OtherTableError as error:
        session.refuse(LEFT_OUT[0], sentence(str(error)))
        return
    except CardsError as error:
        reason = str(getattr(error, "reason", None) or describe_error(error))
        what = "photo" if begun.film is None else "film"
        session.refuse(f"This {what} could not be read.", sentence(reason))
        return
    if wanted.turned_over and session.shot is not None:
        session.turn_over(shot)  # what is open about its hidden cards is asked
        st.query_params[state.PARAMETER] = str(shot.line)
        return
    if wanted.carries and _is_left_out(session, shot):
        session.refuse(*LEFT_OUT)
        return
    if wanted.if_same and not session.is_read_in(shot):
        return  # the table is one of a link that was opened while the photo was being read
    line = _line_of(session, shot)
    if wanted.keeps is not None:
        settled = wanted.settled if wanted.settled.reading == shot.fingerprint else Settled()
        if wanted.turn is not None:
            session.begin(None)  # another table
        session.attach(shot, wanted.keeps, settled)
    elif not wanted.carries or session.shot is None or session.line is None:
        session.begin(line, shot)
    elif line is None:
        session.notice = "No table was recognised this way, so your photo stays as it was."
    else:
        _begin_with_corrections(session, line, session.shot, shot, wanted.frame)
    if shot.unread:
        told = [sentence(f"not read: {fault}") for fault in shot.unread.values()]
        session.notice = " ".join([*told, "All else was read."])
    if wanted.turn is not None:
        turns.place_in_turn(session, wanted.turn)
    if session.line is not None:
        st.query_params[state.PARAMETER] = session.line


def _is_left_out(session: Session, shot: PhotoSession) -> bool:
    """Whether photos were added to those of a table, and one more does not join: it would only spoil that table."""
    if session.line is None or session.shot is None or len(shot.photos) <= len(session.shot.photos):
        return False
    now, before = (sum(bool(photo.apart) for photo in one.reading.photos) for one in (shot, session.shot))
    return now > before


def _line_of(session: Session, shot: PhotoSession) -> str | None:
    """The table that was read, under the rules chosen for the last photo, because a photo does not show them."""
    if shot.line is None or not shot.reading.cards:
        return None
    return with_rules(shot.line, session.agreed.get(str(shot.reading.game)))


def _begin_with_corrections(
    session: Session, line: str, before: PhotoSession, shot: PhotoSession, frame: Frame | None
) -> None:
    """Shows a table that was read again, with the corrections made before."""
    table, answered = parse(session.line or line).to_json(), session.answered
    checked = cards_of(answered)
    found = carry_corrections(line, session.as_read, table, checked, before, shot, frame)
    session.begin(line, shot, is_same=True)
    numbered = {id_ for id_ in answered if id_.startswith((CARD, PLACED))}  # the cards have other numbers now
    session.take_over(found.line, answered - {WHOLE} - numbered | set(map(card_id, found.checked)))
    session.notice = JOINED if len(shot.photos) > len(before.photos) else ""
    if found.lost:
        session.notice = (
            f"Please look again at {' '.join(map(pretty, found.lost))}: in the new reading there is no place for it."
        )


def _with_left(notice: str, left: int) -> str:
    """What is told once, and how many questions are left where a photo was joined.

    >>> _with_left(JOINED, 1), _with_left("", 1)
    ('The new photo is joined to your table. 1 question is left.', '')
    """
    told = sentence(f"{count(left, 'question')} {'is' if left == 1 else 'are'} left")
    return f"{JOINED} {told}" if notice == JOINED else notice


def _say_joined(session: Session) -> str:
    """How many photos are joined to the table that is shown; "" where it is of one."""
    shot = session.shot
    if shot is None or shot.what != "photo":
        return ""
    joined = sum(not (photo.is_hand or photo.apart) for photo in shot.reading.photos)
    return f", {joined} photos joined" if joined > 1 else ""


# -- the start ---------------------------------------------------------------------------------------------------------


def _start(session: Session) -> Json:
    samples = _samples()
    refusal = session.refusal
    return {
        "view": "start",
        "key": "start",
        "games": [
            {"word": game.word, "title": game.title, "about": page.about, "example": page.warm_up[0]}
            for game in GAMES.values()
            for page in [page_of(game.word)]
        ],
        "samples": samples,
        "hero": _hero(samples),
        "refused": refusal and {"title": refusal[0], "text": refusal[1], "stopped": refusal == STOPPED},
        "explained": {"board": board_json.table_json(parse(EXAMPLE).to_json()), "words": EXPLAINED},
        "asks": "" if session.has_chosen_rules() else "rules",
    }


def _samples() -> list[dict[str, str]]:
    """The sample photos as the start shows them."""
    return [
        {
            "name": path.stem,
            "title": sample_photos.title(path),
            "url": state.served(sample_photos.small(path), path.stem),
        }
        for path in sample_photos.paths()
    ]


@st.cache_data(show_spinner=False)
def _hero(samples: list[dict[str, str]]) -> Json | None:
    """What the start's picture shows: a sample photo, its true table, and the verdict on that."""
    path = sample_photos.FOLDER / f"{HERO}.json"
    url = next((sample["url"] for sample in samples if sample["name"] == HERO), None)
    if url is None or not path.is_file():
        return None
    table = json.loads(path.read_text(encoding="utf-8"))["position"]
    return {"url": url, "board": board_json.table_json(table), "headline": "Yes, you could have won: here is how"}


# -- the table ---------------------------------------------------------------------------------------------------------


def _photo_only(session: Session, shot: PhotoSession) -> Json:
    """A photo in which no table was recognised."""
    trust = trusted(session, None)
    headline = "Which game is this?" if shot.reading.cards else f"No cards in this {shot.what}"
    said = {"tone": "open", "headline": headline, "detail": trust.why}
    if NO_SWEEP in trust.why:
        said = said_of_no_sweep(shot, trust)
    elif shot.reading.cards:
        said["details"] = f"The cards that I read: {' '.join(pretty(card.text) for card in shot.reading.cards)}."
    return {
        "view": "table",
        "key": "",
        "title": f"Your {shot.what}",
        "tools": [NEW],
        "notice": session.notice,
        "said": _with_notes(session, said),
        "trust": offer_actions(session, trust, legal=False),
        **_photos(session, None, trust),
    }


def _table(session: Session, position: Position[Any]) -> None:
    table = position.to_json()
    handlers = dict(events.table_events(session))
    asked = advice.find_comparison(session, position)
    handlers |= {
        "advise": lambda event: advice.request_advice(session, position),
        "stop_advice": lambda event: stop(asked),
        "play_on": lambda event: session.play_on(),
    }
    turned = turns.change_json(session)
    change = session.comparing and session.comparing[-1]
    comparing, known = state.running(asked, change), find_judgement(session)
    further = _further_questions(session, position)
    found = outcome(session, position, asked=further)
    judging = judge(session) if found.result is not None and known is None else None
    searching = SEARCHING if found.job is not None and found.result is not None else ""
    is_estimate = found.result is not None and "verdict" not in found.result
    problems, game_page = position.problems(), page_of(position.game)
    handless = found.trust.handless
    first = BEFORE_TURN if session.begins_turn and not problems else turns.stand_in(turned, is_handless=handless)
    waiting = waiting_questions(session, table)
    first = first or turns.ask_if_one_table(waiting, table)
    if first is None:
        found = replace(found, said=turns.name_turn(turned, found.said and turns.name_others(found.said, waiting)))
    else:  # one answer at a time
        found = replace(found, said=first, result=None, job=None, longer=None)
    photos = _photos(session, position, found.trust, faulty_places(drawn_board(table), problems), further)
    turned = turns.with_first_question(turned, photos.get("questions", ()))
    if turns.waits_for_no_answer(session, turned) or found.asks_in_vain:
        photos["urgent"] = False  # whatever else is unsure on its table
    if found.result is not None and not (found.trust.unread or found.trust.handless):  # a first guess tells of them too
        photos["marks"] = {**game_page.mark_answer(table, found.result), **photos["marks"]}
    photos["marks"] = dict.fromkeys((turned or {}).get("played", ()), "played") | photos["marks"]
    is_told = found.result is not None and "unseen" in (found.result.get("details") or found.result)
    advised = asked and _advice(asked, position, is_told=is_told)
    photos["marks"] = dict.fromkeys((advised or {}).get("places", ()), "selected") | photos["marks"]
    board.show(
        {
            "view": "table",
            "key": session.line,
            "line": session.line,
            "title": f"{find_game(position.game).title}{_say_joined(session)}{searching}",
            "tools": [NEW],
            "notice": _with_left(session.notice, len(photos.get("questions", ()))),
            "refused": session.refusal is not None,
            "leftOut": session.notice == " ".join(LEFT_OUT),
            "noticeSign": {" ".join(STOPPED): "stop", JOINED: "check_circle"}.get(session.notice),
            "said": found.said and _with_made(session, position, _with_notes(session, found.said)),
            "trust": [] if first else offer_actions(session, found.trust, legal=not problems),
            # Before a turn nobody has played the whole hand.
            "ask": ("hand" if first is None else "hand before") if handless and first in (None, BEFORE_TURN) else None,
            "searching": found.job and found.job.to_json("Searching" if found.result is None else "Looking further"),
            # A photo of the hidden cards would settle it.
            "hidden": is_estimate and session.shot is not None and None in position.cards() and not found.trust.unread,
            "longer": None if found.longer is None or found.trust.unread else found.longer,
            "rules": rules.rules_json(table),
            "board": board_json.table_json(table),
            "undo": bool(session.past),
            "reread": session.as_read is not None and session.shot is not None and session.changed(),
            "laid": session.is_laid(),
            "playable": game_page.is_played_on and not (problems or found.trust.unread) and session.is_laid(),
            "used": Counter(map(card_text, position.cards())),
            "copies": find_game(position.game).decks,
            "unknown": game_page.cards_may_be_unknown,
            "fault": session.fault,
            "turn": turns.table_to_remember(session, found.trust),
            "change": turned,
            **_way(session, table, found, after_turn=bool(turned and turned.get("isLegal"))),
            **photos,
            "advisable": is_estimate and asked is None and game_page.compare is not None,
            "advice": advised,
        },
        key="table",
        handlers=handlers,
    )
    _files(session, table, found, legal=not problems)
    state.rerun_when_done([job for job in (found.job, judging, *comparing) if job is not None])


def _advice(asked: Job, position: Position[Any], *, is_told: bool) -> Json:
    """The best next move; where a turned card has to be told, this view has no place for it."""
    told = advice.comparison_json(asked, position, is_told=is_told)
    if "rows" not in told or not page_of(position.game).is_played_on:
        return told
    return told | {"detail": f"{told['detail']} {PLAY_ON}"}


def _way(session: Session, table: Json, found: Outcome, *, after_turn: bool) -> Json:
    """The steps of the winning line, which may go on after a turn; none if the table is not reliable."""
    result = found.result
    if result is None or found.trust.unread or found.trust.handless:
        return {"steps": [], "stepsKey": "", "stepsTitle": ""}
    title = "How" if result.get("verdict") == "win" else "How to play the most cards"
    title = "How to go on after this turn" if after_turn else title
    return {"steps": session.make_steps(table, result), "stepsKey": session.line, "stepsTitle": title}


def _photos(
    session: Session,
    position: Position[Any] | None,
    trust: Trust,
    faults: Mapping[str, str] | None = None,
    further: Sequence[Json] = (),
) -> Json:
    """The photos, what was read in them and where it lies on the table, what is asked about it, and what is marked."""
    faults = faults or {}
    keep: dict[str, Any] = {"rules": session.agreed} if session.has_chosen_rules() else {}
    shot = session.shot
    if shot is None:
        asks = "table" if position is not None else ""
        if session.is_laid() and trust.firm:  # a guess would come back as a sure table
            keep["table"] = session.line
        all_asked = [*further, *[questions.ask_for_all(session.left_open or 0)] * asks_for_the_rest(session, trust)]
        left = {"open": None if session.vouched else session.left_open}
        asked = {"questions": all_asked, "urgent": bool(all_asked)}
        return {"photos": [], "marks": faults, "asks": asks, "keep": keep, **asked, **left}
    table = None if position is None else position.to_json()
    drawn = None if table is None else drawn_board(table)
    held = {} if drawn is None else places_of_cards(drawn, shot.reading.cards, session.as_read)
    waiting = waiting_questions(session, table)
    parted = turns.about_one_table(waiting, table)
    if parted:
        waiting = parted[:1]
    if parted or trust.unread:
        further = []
    unsure = {number for question in waiting if question.kind is QuestionKind.CARD for number in question.cards}
    urls = [state.served(picture, f"photo-{number}") for number, picture in enumerate(shot.shown)]
    decisive = (find_judgement(session) or {}).get("ask")
    told = questions.questions_json(shot.reading, waiting, table, held, decisive, faults)
    of_the_rest = questions.ask_for_the_rest(bool(waiting))
    return {
        "photos": board_json.photo_json(shot, urls, drawn, held, unsure, cards_of(session.answered) - held.keys()),
        "cards": [{"card": card.text, "likely": board_json.likely(card)} for card in shot.reading.cards],
        "places": {str(number): place for number, place in held.items()},
        "questions": [
            *turns.order_for_turn(session, [*(_with_pieces(one, shot) for one in told), *further]),
            *[of_the_rest] * (not parted and asks_for_the_rest(session, trust)),
        ],
        "open": None if trust.firm and not further else len(told) + len(further),
        "urgent": bool(further) or not trust.firm or any(one.kind is QuestionKind.TURNED for one in waiting),
        "marks": {held[number]: "doubtful" for number in unsure if number in held} | dict.fromkeys(faults, "fault"),
        "notes": [] if shot.what == "film" else _notes(session),
        "more": _further_photos(shot, trust),
        "better": better(shot),
        "games": [] if position is None else this_is(shot.reading),
        "asks": "" if session.has_chosen_rules() else "rules",
        "keep": keep,
        "unread": list(shot.unread),
        "kept": _kept(session, shot),
    }


def _notes(session: Session) -> list[str]:
    """What photos or a film cannot show; nothing once the table was changed: they count what was read."""
    return [] if session.shot is None or session.changed() else list(map(sentence, session.shot.reading.notes))


def _with_notes(session: Session, said: Json) -> Json:
    """The answer with the notes about a film: the whole of it rests on how that was taken."""
    is_film = session.shot is not None and session.shot.what == "film"
    notes = [note for note in _notes(session) if is_film and note not in said.get("detail", "")]
    return said | {"list": [*said.get("list", ()), *notes], "unfolded": True} if notes else said


def _with_made(session: Session, position: Position[Any], said: Json) -> Json:
    """The answer at a table of a review, which says what was played there; what else there is to say is folded."""
    made = advice.describe_made(position, session.made)
    more = " ".join(filter(None, (said.get("detail"), said.get("details"))))
    return said | {"detail": made, "details": more, "unfolded": True} if made else said


def _with_pieces(asked: Json, shot: PhotoSession) -> Json:
    """A question as the board shows it, with what the photos of turned cards show of it."""
    pieces = shot.pieces.get(asked["id"], ())
    pictures = [
        {
            "url": state.served(piece.picture, f"{asked['id']} {number}"),
            "close": state.served(piece.close, f"{asked['id']} {number} close"),
            "closeSpot": piece.close_spot,
            "whole": state.served(piece.whole, f"{asked['id']} {number} whole"),
            "box": piece.box,
            "spot": piece.spot,
            "title": f"Card {number}" if len(pieces) > 1 else "Turned over",
        }
        for number, piece in enumerate(pieces, 1)
    ]
    return asked | ({"pictures": pictures} if pictures else {})


def _further_questions(session: Session, position: Position[Any]) -> list[Json]:
    """What is asked beside the doubts of a reading: which cards come up or lie covered, and by which rules."""
    shot = session.shot
    has_answer = session.is_laid() and not position.problems()  # else none waits for the rules yet
    of_rules = rules.question(session, position.game) if has_answer else None
    asked = [of_rules] if of_rules else []
    if shot is None:
        return asked
    drawn = drawn_board(position.to_json())
    held = places_of_cards(drawn, shot.reading.cards, session.as_read)
    gaps = {} if session.vouched else page_of(position.game).find_gaps(position)
    missing = questions.ask_for_missing(drawn, gaps, shot.reading, held)
    if has_answer and not session.vouched:
        missing += questions.ask_for_unseen(position.to_json(), shot.reading, held)
    return [
        *questions.ask_for_turned(drawn, position.to_json(), shot.reading, session.as_read),
        *(question for question in missing if question["id"] not in session.answered),
        *asked,
        *turns.ask_about_turn(session, held),
    ]


def _further_photos(shot: PhotoSession, trust: Trust) -> list[Json]:
    """The photos that may be added to those that are there, but what the verdict asks for."""
    game = GAMES.get(str(shot.reading.game))
    takes_hand = game is not None and game.takes_hand and not trust.handless
    return [HAND_PHOTO] * takes_hand + [MORE_PHOTO] * (len(shot.photos) < MOST_PHOTOS)


def _kept(session: Session, shot: PhotoSession) -> Json:
    """What the browser keeps with the photo, so that a reload loses nothing that was done to it."""
    return {
        "game": None if shot.asked == "auto" else shot.asked,
        "frames": [asdict(frame) for frame in shot.frames],
        "settled": {"answered": sorted(session.answered), "reading": shot.fingerprint},
    }


def _files(session: Session, table: Json, found: Outcome, *, legal: bool) -> None:
    """Files to download."""
    shot = session.shot
    body: dict[str, Any] = {"position": table, "result": found.result}
    if shot is not None:
        body["reading"] = shot.reading.to_json()
    row = st.container(key="files").expander("Files", icon=":material/folder:").container(horizontal=True, gap="small")
    text = partial(json.dumps, body, indent=1)  # made when it is asked for: the next change would take its file away
    state.offer_download(row, "Table as data (JSON)", text, "could-i-have-won.json", "data_object", "save_json")
    if shot is None:
        return
    put_right = find_corrections(shot.reading.cards, session.as_read, table)
    labels = partial(labelled, shot, table, put_right.cards, places_now(put_right))
    name, tip = "Save as labelled photo", LABELLED
    state.offer_download(row, name, labels, "labelled.zip", "label", "save_labels", disabled=not legal, tip=tip)
    for number in range(len(shot.files)):
        name = f"Annotated photo {number + 1}" if len(shot.files) > 1 else "Annotated photo"
        picture = partial(annotated, shot, number)
        state.offer_download(row, name, picture, f"annotated_{number + 1}.jpg", "image", f"save_photo{number}")
