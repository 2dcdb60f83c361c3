"""A turn of Makiaveli between two photos: the table to remember, and what has changed since then.

The browser keeps the table that is remembered. It comes back with the question what has changed, so nothing of it stays
here, and it outlives a reload.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from zlib import crc32

from solver.cards import UNKNOWN, parse_card
from solver.games import find_game
from solver.place import NOWHERE, Place
from solver.position import Position
from vision.compare import DIFFERENT
from vision.question import Question, QuestionKind
from vision.reading import NO_HAND, Reading
from vision.turn import PHOTOS
from webapp import streamlit_link as state
from webapp.corrections import Corrections, find_corrections, places_now
from webapp.jobs import Job, Json
from webapp.photo_session import PhotoSession
from webapp.questions import may_be_turn, questions_json
from webapp.session import Session
from webapp.trust import (
    Trust,
    card_id,
    cards_of,
    certainty,
    missed_by,
    missed_id,
    open_questions,
    placed_by,
    placed_id,
    question_id,
)
from webapp.wording import count, sentence

WON: Final = "A legal turn, and it won the game"
"""What is said of a legal turn that left no card in the hand."""
LEGALITY: Final = {True: ("A legal turn", "good"), False: ("Not a legal turn", "bad")}
FIRM: Final = (WON, *(headline for headline, _ in LEGALITY.values()))
"""What is said of a turn where nothing is asked on which it hangs."""
AS_FAR: Final = ", as far as I can see"
LIMIT_S: Final = 60.0
"""That a comparison may take."""
OTHER: Final = (
    "So I cannot tell if the turn was legal. If it is the same table, take a photo that shows all of it, from above. Or"
    " put its cards right: then it can be compared again."
)
"""What can be done where two photos seem to show different tables."""


def settled_reading(session: Session, shot: PhotoSession) -> Reading:
    """The reading of the present photo with all that was put right: what a person has looked at is sure."""
    reading, position = shot.reading, session.position()
    assert position is not None
    checked = cards_of(session.answered)
    found = _corrections(session, shot, position)
    places = places_now(found)
    waiting = [] if session.vouched else open_questions(reading, session.answered, position.to_json())
    cards = []
    for number, card in enumerate(reading.cards):
        name = found.cards.get(number, card.text)  # None where there is no card
        settled = replace(card, place=NOWHERE if name is None else places.get(number, card.place))
        if session.vouched or number in checked or number in found.cards:
            settled = replace(settled, confidence=1.0, why="")
            if name is not None:
                settled = replace(settled, card=None if name == UNKNOWN else parse_card(name))
        cards.append(settled)
    return replace(
        reading,
        position=position,
        cards=tuple(cards),
        others=() if not waiting or session.changed() else reading.others,
        checks=tuple(question for question in reading.checks if question in waiting),
        position_probability=1.0 if session.vouched else certainty(reading, session.answered),
    )


def _corrections(session: Session, shot: PhotoSession, position: Position[Any]) -> Corrections:
    """How the table differs from the reading of its photo."""
    return find_corrections(shot.reading.cards, session.as_read, position.to_json(), cards_of(session.answered))


def settled_places(session: Session, shot: PhotoSession) -> list[int]:
    """Numbers of the cards of the present photo of which a person has told where they lie."""
    position, cards = session.position(), shot.reading.cards
    assert position is not None
    if session.vouched:
        return list(range(len(cards)))
    found = _corrections(session, shot, position)
    nowhere = {n for n in found.cards if found.cards[n] is None}
    nowhere |= {n for n in cards_of(session.answered) - found.zones.keys() if cards[n].place == NOWHERE}
    return sorted(found.moved | nowhere | placed_by(session.answered))


def table_to_remember(session: Session, trust: Trust) -> Json | None:
    """Where the browser finds the table that it may remember, and by what it knows the photo; None for another game."""
    shot, position = session.shot, session.position()
    if shot is None or position is None or trust.unread or not find_game(position.game).takes_hand:
        return None
    waiting = [] if session.vouched else open_questions(shot.reading, session.answered, position.to_json())
    if any(question.kind in (QuestionKind.APART, QuestionKind.PHOTOS) for question in waiting):
        return None  # the photos may show two tables
    in_photo = any(card.place.kind == "hand" and card.sight_in(0) for card in shot.reading.cards)
    hand = "" if in_photo else " ".join(map(str, position.to_json()["hand"]))
    key = crc32(shot.files[0], shot.fingerprint)  # two photos may show the same cards
    table = {"reading": settled_reading(session, shot).to_json(), "hand": hand, "key": key}
    url = state.served(json.dumps(table).encode(), "table", "application/json")
    return {"url": url, "key": key, "waits": bool(waiting), "isHandTold": bool(hand)}


def ask_what_changed(session: Session, before: Json, hand: str) -> None:
    """Has the table that the browser remembered, and the hand that no photo shows, compared with the present photo."""
    shot = session.shot
    if shot is None or session.line is None:
        raise KeyError("photo")
    is_one = sum(not photo.is_hand for photo in shot.reading.photos) < 2
    is_plain = shot.what == "photo" and len(shot.files) == 1 and shot.asked == "auto"
    request = {
        "task": "compare",
        "before": before,
        "after": settled_reading(session, shot).to_json(),
        "hand": hand[: state.MAX_TEXT],
        "photo": b64encode(shot.files[0]).decode() if is_one else None,  # the way back is drawn on one that shows all
        "settled": settled_places(session, shot),
        "absent": missed_by(session.answered),  # but for those that the answer has put on the table
        "as_read": not session.changed() and not session.vouched,
        "told": bool(session.answered) or not is_plain,  # more than the photo shows
    }
    session.comparing = shot, session.line, session.answered, state.pool().submit(request, limit=LIMIT_S, queue="look")


def place_in_turn(session: Session, turn: Json) -> None:
    """Notes which side of a turn a photo shows that was just read; one after it is compared with the table before."""
    before, shot, position = turn.get("before"), session.shot, session.position()
    session.begins_turn = before is None and not turn.get("verdict")  # else what could be won waits for the turn
    if before is None or shot is None or position is None:
        return
    if shot.reading.readable.ok and find_game(position.game).takes_hand:
        ask_what_changed(session, before["reading"], str(before.get("hand") or ""))


def change_json(session: Session) -> Json | None:
    """What has changed since the table that was remembered, as the board shows it; None where nobody asked."""
    if session.comparing is None or session.comparing[0] is not session.shot or session.line is None:
        return None
    *_, line, answered, job = session.comparing
    if (line, answered) != (session.line, session.answered):  # put right meanwhile
        if not is_open(job) and session.answered <= answered:  # by hand, not by an answer
            return None
        job.stop()
        ask_what_changed(session, job.request["before"], job.request["hand"])
        job = session.comparing[-1]
    if not job.done:
        return {"running": job.to_json("Comparing the two tables")}
    if job.result is None:
        return {"tone": "warn", "headline": "The tables could not be compared", "lines": [sentence(job.error)]}
    picture = job.result["picture"]
    url = None if picture is None else state.served(b64decode(picture), "way-back")
    position = session.position()
    played = [] if position is None else _places_played(job.result, position.to_json()["floor"])
    said = describe_change(job.result)
    if said["headline"] in FIRM and _has_unread(session):
        said["headline"] += AS_FAR
    return said | {"picture": url, "played": played}


def _has_unread(session: Session) -> bool:
    """Whether something in the present photo seems to be a card that was not read: it may be of the turn."""
    shot, position = session.shot, session.position()
    if shot is None or position is None or session.vouched:
        return False
    asked = open_questions(shot.reading, session.answered, position.to_json())
    return any(one.kind is QuestionKind.UNREAD and not one.cards for one in asked)


def hold_rest_of_hand(session: Session) -> None:
    """Puts what a legal turn left of a hand that was named into the hand after it, where no photo shows that."""
    if session.comparing is None or session.comparing[:3] != (session.shot, session.line, session.answered):
        return
    shot, _, answered, job = session.comparing
    position, found = session.position(), job.result if job.done else None
    if not found or position is None or is_open(job) or found["legal"] is not True or position.to_json()["hand"]:
        return
    left = Counter[str](found["hand"]) - Counter[str](found["played"])
    if left and NO_HAND not in answered:
        session.edit(lambda now: now | {"hand": [*left.elements()]})
        if session.line is not None:
            session.comparing = shot, session.line, answered, job  # it holds as before


def is_open(job: Job) -> bool:
    """Whether something is asked in a comparison, or it is not known yet if anything is."""
    return not job.done or bool(job.result and (job.result["checks"] or job.result["questions"]))


def asked_in_turn(session: Session) -> dict[str, Question]:
    """What the comparison with the present photo asks that a choice of answers settles, by what it is known by."""
    if session.comparing is None or session.comparing[0] is not session.shot:
        return {}
    asked = map(Question.from_json, (session.comparing[-1].result or {}).get("questions", ()))
    return {_id_of(one): one for one in asked}


def _id_of(asked: Question) -> str:
    """What a question about a turn is known by."""
    if asked.kind is QuestionKind.MISSED:
        return missed_id(asked.choices[0])
    return question_id(asked) if asked.kind is QuestionKind.CARD else placed_id(asked.cards)


def ask_about_turn(session: Session, held: Mapping[int, str]) -> list[Json]:
    """What the comparison asks, as the board shows it; `held` are the places of the reading's cards on the board."""
    shot, position = session.shot, session.position()
    if shot is None or position is None:
        return []
    own = {question_id(question) for question in open_questions(shot.reading, session.answered, position.to_json())}
    asked = {id_: one for id_, one in asked_in_turn(session).items() if id_ not in {*own, *session.answered}}
    made = [questions_json(shot.reading, [one], position.to_json(), held, None)[0] for one in asked.values()]
    # Each is asked by itself, not among those that a glance answers: it contradicts what was read.
    return [one | {"id": id_, "read": None} for id_, one in zip(asked, made, strict=True)]


def _needed(session: Session) -> set[str]:
    """By what the questions are known without whose answers the comparison with the present photo stays open."""
    if session.comparing is None or session.comparing[0] is not session.shot or not session.comparing[-1].result:
        return set()
    before, after = (f"photo {when} the turn" for when in PHOTOS)
    checks = [check for check in session.comparing[-1].result["checks"] if before not in check]
    named = {
        card_id(number)
        for number, card in enumerate(session.shot.reading.cards)
        if any(card.text in check for check in checks)
    }
    return {*asked_in_turn(session), *named, *(check.removeprefix(f"{after}: ") for check in checks)}


def order_for_turn(session: Session, asked: Sequence[Json]) -> list[Json]:
    """What is asked, first that on which a comparison hangs: it is marked as such."""
    needed = _needed(session)
    marked = [one | {"isOfTurn": one["id"] in needed} for one in asked]
    return sorted(marked, key=lambda one: not one["isOfTurn"])


def with_first_question(change: Json | None, asked: Sequence[Json]) -> Json | None:
    """An open comparison with the question that is asked first, in the page's words: one text for one doubt.

    Whether the photos come the other way round is not asked until then.

    >>> asked = [{"text": "Which card is this?", "isOfTurn": True}, {"text": "Where does it lie?", "isOfTurn": False}]
    >>> with_first_question({"asks": ["is the 7H right?"]}, asked)["told"]
    '1 question is about the turn. Please answer it first. Then I compare again:'
    >>> with_first_question({"asks": ["is the 7H right?"]}, [asked[0]] * 3)["told"]
    'Please answer what is asked. Then I compare again. The first question is:'
    """
    needed = sum(one.get("isOfTurn", False) for one in asked)
    if change is None or not change.get("asks") or not needed:
        return change
    are, them, then = ("is", "it", ":") if needed == 1 else ("are", "them", ". The first question is:")
    few = f"{count(needed, 'question')} {are} about the turn. Please answer {them} first."  # as the question counts
    told = f"{'Please answer what is asked.' if needed == len(asked) else few} Then I compare again{then}"
    return change | {"asks": [asked[0]["text"]], "told": told, "otherWay": False}  # the answer may decide that, too


def waits_for_no_answer(session: Session, change: Json | None) -> bool:
    """Whether a turn comes before all that is asked about its table: whose photo shows no hand asks about it alone."""
    if change is None or session.shot is None:
        return False
    is_illegal = change.get("tone") == "bad" and not change["asks"]
    shows_hand = any(card.place.kind == "hand" for card in session.shot.reading.cards)
    return "running" in change or is_illegal or (bool(change.get("isLegal")) and not shows_hand)


def about_one_table(waiting: Iterable[Question], table: Json | None) -> list[Question]:
    """The questions whether a turn lies between two photos; nothing else is worth an answer before."""
    return [question for question in waiting if may_be_turn(question, table)]


def ask_if_one_table(waiting: Sequence[Question], table: Json) -> Json | None:
    """What is said in place of a verdict on two photos between which a turn may lie: there may be no such table."""
    if not about_one_table(waiting, table):
        return None
    detail = "Your photos do not show all cards alike. I tell what could be won once you have said why."
    return name_others({"tone": "open", "headline": "Before and after a turn?", "detail": detail}, waiting)


def name_others(said: Json, waiting: Iterable[Question]) -> Json:
    """What is said of a table, with the photos that may show another: many questions may stand before that about them.

    >>> apart = Question(QuestionKind.APART, "photo 1 does not join", photos=(0,))
    >>> name_others({"headline": "Yes, you could have won"}, [apart])["list"]
    ['Photo 1 seems to show another table, or too little of this one.']
    """
    apart = (photo + 1 for question in waiting if question.kind is QuestionKind.APART for photo in question.photos)
    others = [f"Photo {photo} seems to show another table, or too little of this one." for photo in apart]
    return said | {"list": [*others, *said.get("list", ())], "unfolded": True} if others else said


def name_turn(change: Json | None, said: Json | None) -> Json | None:
    """What is said of the table after a legal turn, or of another one: first that, then what its hand could win.

    >>> said = {"tone": "bad", "headline": "No, not in one turn", "detail": "At most 4 of 10 cards."}
    >>> name_turn({"isLegal": True, "tone": "good", "headline": "A legal turn"}, said)["detail"]
    'After this turn, with the hand that is left: no, not in one turn. At most 4 of 10 cards.'
    >>> name_turn({"isOther": True, "tone": "open", "headline": "I take this for another table"}, said)["detail"]
    'This photo alone: no, not in one turn. At most 4 of 10 cards.'
    >>> name_turn(None, said) is said
    True
    """
    is_legal = change is not None and change.get("isLegal")
    if said is None or change is None or not (is_legal or change.get("isOther")) or said["tone"] == "warn":
        return said
    headline = str(said["headline"])
    about = "After this turn, with the hand that is left" if is_legal else "This photo alone"
    rest = f"{about}: {headline[:1].lower()}{headline[1:]}."
    more = " ".join(filter(None, (rest, said.get("detail"))))
    return said | {"tone": change["tone"], "headline": change["headline"], "detail": more, "unfolded": True}


def stand_in(change: Json | None, *, is_handless: bool = False) -> Json | None:
    """What is said in place of a table's verdict while the turn that led to it comes first; None where it does not.

    Args:
        change: The turn, as the board shows it.
        is_handless: Whether the table's own verdict waits for a hand, which the turn's does not need.

    >>> legal = {"tone": "good", "asks": [], "isLegal": True}
    >>> stand_in(legal | {"headline": "A legal turn"}) is stand_in(None) is None
    True
    >>> stand_in({"tone": "bad", "asks": [], "headline": "Not a legal turn"})["detail"]
    'What can be won is told once the turn is taken back.'
    >>> stand_in(legal | {"headline": WON, "isWon": True})["detail"]
    'All cards of the hand were played.'
    """
    if change is None:
        return None
    if "running" in change:
        return {"tone": "wait", "headline": "Was the turn legal?"}
    tone, headline = change["tone"], change["headline"]
    if tone == "bad":
        detail = "What can be won is told once the turn is taken back."
    elif change.get("isWon"):
        seen = "All cards of the hand were played"
        detail = f"{seen}." if headline == WON else f"{seen}{AS_FAR}: then the turn won the game."
    elif change.get("isLegal"):
        if not is_handless:
            return None
        known = "What can be won next is told once I know the hand after the turn"
        detail = f"{known}: add a photo of it, or tap its place on the table."
    elif "asks" in change:
        detail = "What can be won is told once it is clear what was done in the turn."
    else:
        return None
    return {"tone": tone, "headline": headline, "detail": detail}


def describe_change(found: Mapping[str, Any]) -> Json:
    """A comparison in a few plain sentences.

    >>> found = {"legal": True, "played": ["7D"], "moved": [], "why": "", "checks": [], "put_back": [], "hand": None}
    >>> found["before"] = {"hand": []}
    >>> said = describe_change(found | {"playable": None, "as_shown": True})
    >>> said["headline"], said["lines"][0]
    ('Legal, if 7♦ came from the hand', 'Played: 7♦.')
    >>> back = [
    ...     {"text": "Put 5S back", "cards": ["5S"], "from": "floor/0", "to": "cross/2"},
    ...     {"text": "Put 9H back", "cards": ["9H"], "from": "hand", "to": "cross/3"},  # gone from the table
    ... ]
    >>> after = {"floor": [["4S", "5S", "6S"]]}
    >>> more = {"playable": None, "as_shown": True, "put_back": back, "after": after}
    >>> describe_change(found | more)["lines"][1]
    'From the cross: 5♠ into 4♠ 5♠ 6♠.'
    >>> describe_change(found | {"legal": False, "played": [], "playable": None, "as_shown": True})["headline"]
    'Nothing was played'
    """
    asks = [sentence(check) for check in found["checks"]]
    if found["checks"] == [DIFFERENT]:
        return {"tone": "open", "headline": "I take this for another table", "lines": [*asks, OTHER], "isOther": True}
    if found["played"] is None:
        return {"tone": "open", "headline": "I cannot tell yet", "lines": [], "asks": asks, "steps": []}
    played, moved = (" ".join(found[name]) for name in ("played", "moved"))
    taken = ", ".join(_say_taken(found))
    marked = _places_played(found, found.get("after", {}).get("floor", ()))
    lines = [
        *(["As far as I can see:"] if asks else []),
        *(map(sentence, found["why"].split("; ")) if found["legal"] is False else []),
        *([sentence(f"played: {played}")] if played else []),
        *(
            ["On the table they have a plus." if len(found["played"]) > 1 else "On the table it has a plus."]
            if marked
            else []
        ),
        *([sentence(f"from the cross: {taken}")] if taken else []),
    ]
    if found["as_shown"]:  # nothing is told of melds that the board does not show
        lines.append(sentence(f"Moved to another meld: {moved}" if moved else "No card moved to another meld"))
    lines += _say_hand(found)
    if found["legal"] is not False and not played:
        lines.append("No card was played.")
    is_won = _is_won(found)
    could_more = found["legal"] is True and _played_less(found)
    if found["legal"] is True and not is_won and (could_more or not asks):
        lines.append(_could_more(found))
    if not (found["played"] or found["moved"] or asks or "; " in found["why"]):
        drawn = ["The table is as it was. Whoever plays no card of the hand draws one.", _could_more(found)]
        said = {"tone": "open", "headline": "Nothing was played", "lines": drawn, "steps": []}
        return said | {"couldMore": _played_less(found)}
    headline, tone = LEGALITY.get(found["legal"], ("I cannot tell yet if the turn was legal", "open"))
    if asks and found["legal"] is not None:
        headline, tone = f"{headline}{AS_FAR}", "open"
    headline = WON if is_won and not asks else headline
    hangs_on_hand = bool(found["legal"] and played and found["hand"] is None)
    if hangs_on_hand:
        headline, tone = sentence(f"legal, if {played} came from the hand").rstrip("."), "open"
    # A legal turn stays, and who followed steps of one that is not clear yet might only disturb the table.
    is_taken_back = found["legal"] is False and found["as_shown"] and not asks
    steps = [sentence(step["text"]) for step in found["put_back"]] if is_taken_back else []
    if found["legal"] is False and asks:
        lines.append("How to put it back is shown once you have answered what is asked.")
    before, other_way = f"photo {PHOTOS[0]} the turn", _say_other_way(found)
    of_before = [sentence(check.removeprefix(f"{before}: ")) for check in found["checks"] if before in check]
    more = {
        "ofBefore": of_before,
        "otherWay": bool(other_way),
        "whyOtherWay": other_way,
        "isLegal": found["legal"] is True,
        "isWon": is_won,
        "couldMore": could_more,
        "asksHand": hangs_on_hand and not found["before"]["hand"],  # one that the photo shows is somebody else's
    }
    return {"tone": tone, "headline": headline, "lines": lines, "asks": asks, "steps": steps} | more


def _say_taken(found: Mapping[str, Any]) -> Iterator[str]:
    """The cards that went from the cross into each meld; the melds are named where the board shows them."""
    taken: dict[str, list[str]] = {}
    for step in found["put_back"]:
        source = Place.parse(step["from"])
        if str(step["to"]).startswith("cross") and source.kind == "floor":  # else it is gone, and told as a fault
            meld = found["after"]["floor"][source.ordinal] if found["as_shown"] else ()
            taken.setdefault(" ".join(meld), []).extend(step["cards"])
    for where, cards in taken.items():
        yield " ".join(cards) + (f" into {where}" if where else "")


def _places_played(found: Mapping[str, Any], floor: Sequence[Sequence[str]]) -> list[str]:
    """The places of the cards that a legal turn has played on a floor with the melds of the table after it.

    >>> back = [{"cards": ["5S"], "from": "floor/0", "to": "hand"}]
    >>> found = {"legal": True, "as_shown": True, "put_back": back, "after": {"floor": [["4S", "5S", "6S"]]}}
    >>> _places_played(found, [["KC", "KD", "KH"], ["6S", "5S", "4S"]])
    ['floor/1/1']
    """
    if not (found["legal"] and found["as_shown"]):
        return []
    places = []
    for step in found["put_back"]:
        source = Place.parse(step["from"])
        if step["to"] == "hand" and source.kind == "floor":
            meld = sorted(found["after"]["floor"][source.ordinal])
            number, there = next((n, list(cards)) for n, cards in enumerate(floor) if sorted(cards) == meld)
            places += [f"floor/{number}/{there.index(card)}" for card in step["cards"]]
    return places


def _say_hand(found: Mapping[str, Any]) -> Iterator[str]:
    """By which hand a turn is told."""
    if found["hand"] and found["legal"] is not None:
        whose = "that you told me" if found.get("is_named") else "in the photo before the turn"
        yield sentence(f"I go by the hand {whose}: {' '.join(found['hand'])}")


def _say_other_way(found: Mapping[str, Any]) -> str:
    """Why the photos may come the other way round; "" where they rather do not."""
    if found.get("other_way"):
        return "The other way round the turn would be legal. Was this photo taken before it?"
    if not found.get("taken_up"):
        return ""
    gone = [card for step in found["put_back"] if step["from"] == "hand" for card in step["cards"]]
    was = "was" if len(gone) == 1 else "were"
    return sentence(f"Or was this photo taken before the other one? Then {' '.join(gone)} {was} played")


def _is_won(found: Mapping[str, Any]) -> bool:
    """Whether a legal turn played the whole hand."""
    return bool(found["legal"] and found["hand"]) and len(found["played"]) == len(found["hand"])


def _played_less(found: Mapping[str, Any]) -> bool:
    """Whether it is known that the hand could have played more."""
    return (found["playable"] or 0) > len(found["played"])


def _could_more(found: Mapping[str, Any]) -> str:
    """Whether the hand could have played more."""
    hand, most = found["hand"], found["playable"]
    if hand is None:
        return "I can tell if more could have been played where the photo before the turn shows the player's hand."
    if most is None:
        return "I could not find out if more could have been played."
    played = len(found["played"])
    if _played_less(found):
        won = " That is the whole hand: this turn could have won." if most == len(hand) else ""
        return f"In this turn the hand could have played more: {count(most, 'card')} instead of {played}.{won}"
    return f"The hand of {count(len(hand), 'card')} could not have played more."
