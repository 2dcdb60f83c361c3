"""The verdict as the board shows it: what is known, how reliable it is, and what the visitor can do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from drawing.boards import board, faulty_places
from solver import parse
from solver.game_review import SUPPOSED
from solver.games import GAMES, find_game, position_from_json
from solver.position import Fault, Position
from vision.confidence import WHOLE_STANDS_FROM
from vision.film.film_file import NO_SWEEP
from vision.question import Question, QuestionKind
from vision.reading import Reading
from webapp.corrections import places_of_cards
from webapp.games.game import page_of
from webapp.jobs import Job, Json
from webapp.photo_session import PhotoSession
from webapp.questions import is_of_fault
from webapp.session import QUICK, Session
from webapp.trust import (
    FIRM,
    Trust,
    assess_trust,
    is_handless,
    leaves_rest,
    open_questions,
    say_unsure,
    trust_left_open,
)
from webapp.verdicts import PATIENCE, can_be_judged, find_judgement, request_verdict
from webapp.wording import UNSURE, VerdictText, count, describe_outs, describe_result, sentence

LADDER: Final = (QUICK, 10.0, 60.0, 300.0)
"""Seconds of one search after the other. Where the first leaves the answer open, the second starts
without being asked."""
NARROW: Final = 0.1
"""An estimate whose 95% interval is no wider than this is not looked at for longer."""
ABOUT_PHOTOS: Final = (QuestionKind.PHOTOS, QuestionKind.APART)
"""Questions without whose answers no verdict on several photos is told."""
SHORT: Final = 50
"""Characters of a fault that is told as a headline."""
ASKED: Final = "The answer depends on what is asked."
"""Why a verdict is a first guess where the reading itself is sure."""
TAKEN: Final = "{} The answer depends on it: until you say, I go by {}."
"""The same, with a question that is open, and the answer that it goes by until then."""
GUESSED: Final = Trust(
    False,
    "This table is a guess: what no photo of its game shows lies here as is likeliest. Its review counts other ways in"
    " which the hidden cards may lie, too.",
)
EMPTY_TABLE: Final = "Tap a place on the table, then each card that lies there."
NOT_WHOLE: Final = "The photo may not show the whole table"
FIRST_ASKED: Final = "Please answer what is asked first. The table cannot be right as it is:"
TRULY_SO: Final = "Tap a card to change it. If the table truly lies like this, a rule of the game was broken."
BY_HAND: Final[Json] = {
    "name": "by_hand",
    "label": "Lay it out by hand",
    "games": [(game.word, game.title) for game in GAMES.values()],
}
"""The way on from a photo in which no table is recognised."""
HAND_PHOTO: Final[Json] = {"name": "photo", "purpose": "hand", "label": "Photo of the hand", "sign": "back_hand"}
MORE_PHOTO: Final[Json] = {
    "name": "photo",
    "purpose": "more",
    "label": "Another photo of this table",
    "sign": "add_a_photo",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known about a table.

    Attributes:
        said: The verdict, or what keeps the table from having one, as the board shows it.
        result: The solver's result, None while there is none.
        job: A search that still runs.
        longer: Seconds of a longer search that can be offered; None if a longer search does not help.
        trust: How far the table can be relied on.
        asks_in_vain: Whether it cannot be right and no answer to what is asked would put it right.
    """

    said: Json | None
    result: Json | None = None
    job: Job | None = None
    longer: float | None = None
    trust: Trust = FIRM
    asks_in_vain: bool = False


def outcome(session: Session, position: Position[object], *, asked: Sequence[Json] = ()) -> Outcome:
    """The verdict on a session's table, waiting a moment for it.

    Args:
        session: Whose table.
        position: The table.
        asked: What is asked besides the doubts of the reading, as by which rules.
    """
    table, further = position.to_json(), len(asked)
    trust = trusted(session, table, further)
    taken = " ".join(TAKEN.format(one["text"], one["taken"]) for one in asked if "taken" in one)
    told = trust  # how the verdict is worded
    if further:
        told = replace(trust, firm=False, why=f"{'' if trust.firm else trust.why} {taken}".strip() or ASKED)
    if (said := _before_any_search(session, position, trust, further)) is not None:
        return Outcome(said, trust=trust, asks_in_vain=_asks_in_vain(session, position, further))
    known = session.result_so_far()
    found = request_verdict(session, wait=0.0 if known else PATIENCE)
    if isinstance(found, dict) and _is_open(found):
        known = session.remember_result(found)
        if session.seconds == LADDER[0]:  # searches on without being asked
            session.search_anew(LADDER[1])
            found = request_verdict(session, wait=0.0)
    if isinstance(found, dict):
        longer = next((step for step in LADDER if step > session.seconds), LADDER[-1]) if _is_open(found) else None
        return Outcome(said_json(table, found, session.seconds, told), found, longer=longer, trust=trust)
    running = None if found.done and found.result is None else found  # one that has just ended is looked at once more
    if known is not None:
        said = said_json(table, known[0], known[1], told)
        return Outcome(said, known[0], running, session.seconds if running is None else None, trust)
    if running is not None:
        headline = "Getting the solver ready ..." if running.started is None else "Looking ..."
        return Outcome({"tone": "wait", "headline": headline}, job=running, trust=trust)
    return Outcome(_said_of_no_answer(found), longer=LADDER[1], trust=trust)


def _before_any_search(session: Session, position: Position[object], trust: Trust, further: int) -> Json | None:
    """What keeps a table from having a verdict: it is not read, not legal, or empty; None where nothing does."""
    if trust.unread:
        if session.shot is not None and NO_SWEEP in trust.why:
            return said_of_no_sweep(session.shot, trust)
        headline = f"This {session.shot.what if session.shot else 'photo'} is not read well enough for an answer"
        is_asked = asks_for_the_rest(session, trust)  # with the photo beside the table
        return {"tone": "open", "headline": headline, "detail": trust.why, "unfolded": not is_asked}
    if not session.is_laid():
        return {"tone": "open", "headline": "An empty table", "detail": EMPTY_TABLE, "unfolded": True}
    problems = position.problems()
    is_unfinished = all(isinstance(fault, Fault) and fault.unfinished for fault in problems)
    if problems and session.shot is None and is_unfinished:
        told = " ".join(map(sentence, problems))
        return {"tone": "open", "headline": "Go on adding cards", "detail": told, "folded": True}
    if problems:
        faults = [sentence(str(problem)) for problem in problems]
        waiting = waiting_questions(session, position.to_json())
        unsure = say_unsure(waiting, further) or ("" if is_unfinished else TRULY_SO)
        if any(question.asks_beyond_edge for question in waiting):  # what lies there may be all that is wrong
            return {"tone": "warn", "headline": NOT_WHOLE, "list": faults, "detail": unsure}
        if _asks_in_vain(session, position, further):
            unsure = f"{TRULY_SO} {unsure}"
        elif waiting and _misread_elsewhere(session, position, waiting):
            return {"tone": "warn", "headline": unsure[:-1], "list": faults, "detail": FIRST_ASKED}
        first, _, rest = faults[0].rstrip(".").partition("; ")
        if len(problems) == 1 and len(first) <= SHORT:
            detail = " ".join(filter(None, (rest and sentence(rest), unsure)))
            return {"tone": "warn", "headline": first, "detail": detail}
        headline = f"{count(len(problems), 'thing')} on this table cannot be right"
        return {"tone": "warn", "headline": headline, "list": faults, "detail": unsure}
    if (
        is_handless(position.to_json(), session.answered) and not trust.handless
    ):  # nobody has laid it yet: that is no win
        told = "Tap the place of the hand and add them. Then I can tell if they can be played."
        return {"tone": "open", "headline": "Which cards are in the hand?", "detail": told, "unfolded": True}
    return None


def _misread_elsewhere(session: Session, position: Position[object], waiting: list[Question]) -> bool:
    """Whether a table was read with its faults, and nothing that is asked is about them: it is asked first."""
    read = session.as_read
    if read is None or set(map(str, position.problems())) - set(map(str, parse(read).problems())):
        return False  # what was just changed is at fault
    return _asks_elsewhere(session, position, waiting)


def _asks_elsewhere(session: Session, position: Position[object], waiting: list[Question]) -> bool:
    """Whether nothing that is asked about a photo is about the faults of its table."""
    shot, drawn = session.shot, board(position.to_json())
    if shot is None:
        return False
    faults = faulty_places(drawn, position.problems())
    held = places_of_cards(drawn, shot.reading.cards, session.as_read)
    return not any(is_of_fault(question, held, faults) for question in waiting)


def _asks_in_vain(session: Session, position: Position[object], further: int) -> bool:
    """Whether a table has more faults than is asked, and nothing that is asked is about one of them."""
    waiting = waiting_questions(session, position.to_json())
    is_few = bool(waiting) and not further and len(position.problems()) > len(waiting)
    edge = any(question.asks_beyond_edge for question in waiting)
    return is_few and not edge and _asks_elsewhere(session, position, waiting)


def _said_of_no_answer(search: Job) -> Json:
    """What to say about a search that ended without an answer, because it was stopped or failed."""
    if search.stopped:
        return {"tone": "open", "headline": "Not decided", "detail": "You stopped the search before it could tell."}
    return {"tone": "warn", "headline": "No verdict", "detail": sentence(search.error)}


def trusted(session: Session, table: Json | None, further: int = 0) -> Trust:
    """How reliable a session's table is. Without a photo, or confirmed, it always is unless a review has guessed it.

    One that was left with open questions is no surer for its photo being gone, until a person says that it is right.
    `further` is how much is asked besides the doubts of its reading.
    """
    if session.is_guess:
        return GUESSED
    if session.vouched or (session.shot is None and session.left_open is None):
        return FIRM
    if session.shot is None:
        return trust_left_open(session.left_open or 0)
    judgement = find_judgement(session) if can_be_judged(session.shot) else {}
    waiting = open_questions(session.shot.reading, session.answered, table)
    survives = None if judgement is None else float(judgement.get("probability") or 0.0)
    if judgement and any(question.cards == (judgement["ask"],) for question in waiting):
        survives = 0.0  # with the card that is asked about another verdict comes out
    trust = assess_trust(session.shot.reading, table, session.answered, survives, further)
    if trust.firm and any(question.kind in ABOUT_PHOTOS for question in waiting):  # that is in no card's probability
        return Trust(False, "Please look first at what is asked about your photos.")
    return trust


def waiting_questions(session: Session, table: Json | None) -> list[Question]:
    """The questions that wait for the visitor; none where the photo is too bad for answers to help, or is no table.

    No number of cards face down puts right what is wrong with the others: how many there are is asked after that.
    """
    shot = session.shot
    if shot is None or session.vouched or table is None or not shot.reading.readable.ok:
        return []
    faults = (fault for fault in position_from_json(table).problems() if isinstance(fault, Fault))
    later = {QuestionKind.HIDDEN} if any(fault.cards for fault in faults) else set()
    if is_handless(table, session.answered):  # the verdict asks for them
        later.add(QuestionKind.HAND)
    return [
        question for question in open_questions(shot.reading, session.answered, table) if question.kind not in later
    ]


def asks_for_the_rest(session: Session, trust: Trust) -> bool:
    """Whether it is asked if the table is as in the photo: where all other answers do not settle it."""
    shot, position = session.shot, session.position()
    if position is None or trust.firm or is_handless(position.to_json(), session.answered):
        return False
    if position.problems() or not session.is_laid():
        return False
    if shot is None:
        return session.left_open is not None and not session.is_guess
    if trust.unread:
        # So little may have been read, or marks on the table were taken for cards: a glance tells. No glance tells what
        # a film did not pass.
        return NO_SWEEP not in trust.why
    return leaves_rest(shot.reading)


def _is_open(result: Json) -> bool:
    """Whether a longer search may say more: nothing decided, or an estimate that is still wide."""
    if "verdict" in result:
        return bool(result["verdict"] == "unknown")
    return not result.get("n") or float(result["high"]) - float(result["low"]) > NARROW


def said_json(table: Json, result: Json, seconds: float, trust: Trust) -> Json:
    """A result in words; grey if the table may have been read wrongly."""
    # Where a hand is played, no move only ends the turn.
    position = position_from_json(table)
    stuck = not find_game(table["game"]).takes_hand and not position.moves()
    fits = "would fit" in page_of(table["game"]).mark_answer(table, result).values()
    hidden = position.cards().count(None)
    told = describe_result(result, seconds, len(table.get("hand", ())), stuck=stuck, fits=fits, hidden=hidden)
    body: Json = asdict(as_trusted(told, trust))
    if trust.handless:
        body["unfolded"] = True
    further = describe_outs(result) if trust.firm else ""
    return body | ({"outs": further} if further else {})


def as_trusted(said: VerdictText, trust: Trust) -> VerdictText:
    """A verdict worded according to how reliable its table is.

    >>> won = VerdictText("Yes, you could have won", "All can be played.", "good")
    >>> as_trusted(won, Trust(False, "1 card is unsure.")).headline
    'First guess: yes, you could have won'
    >>> as_trusted(won, GUESSED).headline
    'First guess: yes, you could have won, if the cards lay as the photos suggest'
    >>> as_trusted(VerdictText("Not sure yet: it can be won", "", "open"), Trust(False, "")).headline
    'First guess: it can be won'
    """
    if trust.firm:
        return replace(said, detail=f"{said.detail} {trust.why}".strip())
    if trust.handless:
        return VerdictText("Which cards are in your hand?", trust.why, "open")
    guess = said.headline.removeprefix(UNSURE)  # a guess is not sure
    if trust == GUESSED and said.tone != "open":  # an estimate tries many ways
        guess = f"{guess}, {SUPPOSED}"
    headline = f"First guess: {guess[:1].lower()}{guess[1:]}"
    # Nothing is proved about a table that may have been read wrongly.
    detail = re.sub("^Proved:? (.)", lambda found: found[1].upper(), said.detail)
    return replace(said, headline=headline, detail=f"{trust.why} {detail}".strip(), tone="open")


def offer_actions(session: Session, trust: Trust, *, legal: bool) -> list[Json]:
    """Buttons that help if the table of a photo is not reliable."""
    shot = session.shot
    if shot is None or (trust.firm and legal):
        return []
    if NO_SWEEP in trust.why:
        return []  # the verdict offers the one way on
    if session.line is None:
        games = _doubted_games(shot.reading, trust)
        return [*games, better(shot) | {"main": not games}, BY_HAND]
    if not legal and not trust.unread and session.changed():
        return [better(shot)]  # the visitor is correcting the table: its faults are listed, and the game is right
    asks_more = any(question.asks_beyond_edge for question in waiting_questions(session, parse(session.line).to_json()))
    hand = [HAND_PHOTO | {"main": not asks_more}] * trust.handless  # what is asked offers the photo that is needed most
    is_bad = trust.unread or not legal
    other = better(shot) | {"main": is_bad and not (asks_more or hand)}
    if hand and _is_cut_off(shot):
        other = MORE_PHOTO
    return [*hand, other, *(_doubted_games(shot.reading, trust) if is_bad else ())]


def _is_cut_off(shot: PhotoSession) -> bool:
    """Whether a single photo cuts off a card: then the table goes on beyond it."""
    read = shot.reading
    points = (point for card in read.cards for sight in card.sights for point in sight.quad)
    is_single = shot.what == "photo" and len(shot.photos) == 1
    return is_single and any(
        not (0 <= x <= read.photos[0].width and 0 <= y <= read.photos[0].height) for x, y in points
    )


def better(shot: PhotoSession) -> Json:
    """Another photo in the place of one; another film in the place of one."""
    is_film = shot.what == "film"
    sign = "videocam" if is_film else "photo_camera"
    return {"name": "photo", "purpose": "new", "label": f"A better {shot.what}", "sign": sign, "film": is_film}


def said_of_no_sweep(shot: PhotoSession, trust: Trust) -> Json:
    """What is said of a film that is too short, with the one way on: another film."""
    headline, _, detail = trust.why.partition("; ")
    way = better(shot) | {"main": True}
    return {"tone": "open", "headline": headline, "detail": sentence(detail), "way": way, "unfolded": True}


def _doubted_games(reading: Reading, trust: Trust) -> list[Json]:
    """The games that a photo may show instead; none where it shows no card, or where rather a card is wrong."""
    doubted = trust.unread or reading.game_confidence < WHOLE_STANDS_FROM
    return this_is(reading) if reading.cards and doubted else []


def this_is(reading: Reading) -> list[Json]:
    """A button for each game that a photo may show, the likeliest first: the same photo is then read as that game."""
    read_as = None if reading.position is None else reading.game  # to read it so again would change nothing
    nearest = reading.likeliest or reading.game
    games = sorted((game for game in GAMES if game != read_as), key=lambda game: game != nearest)
    return [
        {
            "name": "this_is",
            "given": {"game": game},
            "label": f"This is {GAMES[game].title}",
            "sign": "playing_cards",
            "main": read_as not in GAMES and game == nearest,
        }
        for game in games
    ]
