"""What the page asks about a photo, one question at a time, and what each answer changes on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from drawing.boards import Board, Spot, Zone, board
from drawing.card_names import BACK, EMPTY, pretty
from drawing.zones import place_name
from plumbing.errors import CardsError
from solver import parse
from solver.cards import DECK, RANK_CHARS, card_text, parse_card
from solver.games import GAMES, position_from_json
from solver.place import NOWHERE, Place
from vision.confidence import PART_SURE_FROM
from vision.question import LAID, Question, QuestionKind
from vision.read_card import ReadCard, Sight
from vision.reading import Reading
from vision.where_asked import part_to_count, sights_of, start_of_pile
from webapp import edits
from webapp.board_json import LIKELY, likely
from webapp.corrections import place_in_list
from webapp.games.game import page_of
from webapp.jobs import Json
from webapp.trust import WHOLE, all_questions, question_id
from webapp.wording import capitalised, count, join_names, sentence

MANY_BARE: Final = 4
"""Columns that are asked about and show no back: so many lie squared, not by chance."""
SQUARED: Final = "No backs to see? Count them by hand, or spread the cards a little for another photo."
"""What is said beside the question how many cards such a column hides."""
TURNED: Final = "turned "
"""Begins what a question is known by that asks which card comes up; the path of the face-down ones follows."""
ROUND_WHERE: Final = 1.0
"""So many card lengths of the photo are shown round a card, to see beside what it lies, and"""
ROUND_SPOT: Final = 0.5
"""so many round what may be a card: that it is one shows only by what lies round it."""
NEAREST: Final = 3
"""Nearest places that are offered."""
MOST_HIDDEN: Final = 7
"""Cards face down that can be answered with one tap."""
MOST_DOUBT: Final = 0.3
"""Probability that a count is wrong, above which it is not called likelier than the others that are likely."""
MOST_NAMED: Final = 4
"""Cards of a meld that are all named."""
GAP: Final = "gap "
"""As what it is asked which card is missing at the place that follows."""
UNSEEN: Final = "unseen"
"""As what it is asked where the last cards lie that nobody saw."""
MOST_UNSEEN: Final = 3
"""Of more the photo rather does not show the stock."""
NONE: Final = "none"
"""The answer that there is no such card."""
RIGHT: Final = "right"
"""The answer that it is as it was read."""
GO_ON: Final = "Go on without it"
"""The answer that leaves it at what is known; it is the only way to do so, as nobody can be less sure."""
NO: Final = "No, I will change it"
"""What leaves a question open, for somebody who changes the table by hand."""
FIRST: Final = (QuestionKind.GAME, QuestionKind.APART, QuestionKind.PHOTOS, QuestionKind.TURNED)
"""Of these an answer may change the whole table, or they are about photos that were just taken."""
ONE_MELD: Final = "one meld"
"""The answer that cards make one meld."""
TWO_MELDS: Final = "two melds"
"""The answer that there is a gap in a meld: it is two."""
WAYS_OF_MELDS: Final = (ONE_MELD, TWO_MELDS, "hand", "floor")
"""Answers about melds that tell how cards lie."""
Held = Mapping[int, str]


def questions_json(
    reading: Reading,
    waiting: Sequence[Question],
    table: Json | None,
    held: Held,
    decisive: int | None,
    faults: Collection[str] = (),
) -> list[Json]:
    """The open questions as the board shows them.

    Args:
        reading: The reading.
        waiting: Its open questions.
        table: The position's JSON as it is now; None where there is none.
        held: The place of each card of the reading on the board.
        decisive: Number of the card on which the answer depends, None where there is none.
        faults: The places of the board that cannot be right.
    """

    def rank(question: Question) -> tuple[bool, bool, float]:
        is_first = question.kind is QuestionKind.CARD and question.cards == (decisive,)
        is_first |= is_of_fault(question, held, faults)  # it is told in the headline
        return question.kind not in FIRST, not is_first, -(1.0 if question.doubt is None else question.doubt)

    drawn = None if table is None else board(table)
    bare = _bare_columns(reading)
    return [
        _question_json(question, reading, drawn, table, held)
        | ({"hint": SQUARED} if question.kind is QuestionKind.HIDDEN and question.place in bare else {})
        for question in sorted(waiting, key=rank)
    ]


def _bare_columns(reading: Reading) -> set[Place]:
    """The columns whose hidden cards are asked about and show no back, if these are many."""
    asked = {question.place for question in all_questions(reading) if question.kind is QuestionKind.HIDDEN}
    places = {place for place in asked if place is not None and place.kind == "column"}
    bare = places - {back.place for back in reading.backs}
    return bare if len(bare) >= MANY_BARE else set()


def is_of_fault(question: Question, held: Held, faults: Collection[str]) -> bool:
    """Whether a question is about a card or a pile that cannot be right."""
    pile = "" if question.place in (None, NOWHERE) else f"{question.place.path}/"
    at_pile = bool(pile) and any(f"{fault}/".startswith(pile) for fault in faults)
    return at_pile or any(held.get(number) in faults for number in question.cards)


def ask_for_the_rest(all_asked: bool) -> Json:
    """The question whether the table is right in everything else."""
    text = "Is the rest of the table as in your photo?" if all_asked else "Is this table the same as in your photo?"
    return asked_json(WHOLE, text, [answer_json(RIGHT, "Yes, it is")], no=NO)


def ask_for_all(left_open: int) -> Json:
    """The question whether a table is right whose photo is not here any more, with so many open questions about it."""
    were = f"{count(left_open, 'question')} about it {'was' if left_open == 1 else 'were'} open"
    text = f"The photo is not here any more{f', and {were}' if left_open else ''}. Are all cards right?"
    return asked_json(WHOLE, text, [answer_json(RIGHT, "Yes, they are")], no=NO)


def ask_for_turned(drawn: Board, table: Json, reading: Reading, as_read: str | None) -> list[Json]:
    """Which cards come up where a pile ends face down: they are turned at once, and the photo was taken before.

    What was read open there and taken away is offered to be put back.
    """
    asked = []
    for zone in drawn.zones():
        if zone.under in ("", zone.path) or not zone.spots or any(spot.card != BACK for spot in zone.spots):
            continue
        sights = [back.sights[0].to_json() | {"back": True} for back in reading.backs if back.place == zone.place]
        text = f"Turn over the last card of {zone.title}. Which card is it?"
        place = f"{zone.under}/{edits.count_hidden(table, zone.under) - 1}"
        back = [answer_json(card, f"Put {pretty(card)} back") for card in _taken_away(table, zone.under, as_read)]
        made = asked_json(f"{TURNED}{zone.under}", text, back, other="Choose a card", place=place)
        asked.append(made | {"sights": sights})
    return asked


def _taken_away(table: Json, under: str, as_read: str | None) -> list[str]:
    """The cards that were read open on a pile's face-down ones and lie nowhere any more, the last one first."""
    try:
        read = [] if as_read is None else edits.value_at(parse(as_read).to_json(), _up(under))
    except KeyError:
        return []
    there = set(map(card_text, position_from_json(table).cards()))
    return [card for card in reversed(read) if card not in there]


def _up(under: str) -> str:
    return f"{under.removesuffix('down')}up"


def with_turned(table: Json, place: str, card: str, as_read: str | None) -> Json:
    """The table with the last face-down card of a pile turned, or with the card on it that was taken away there."""
    under = place.rpartition("/")[0]
    if card in _taken_away(table, under, as_read):
        return put_back(table, under, card, as_read)
    return edits.change(table, place, card)


def put_back(table: Json, under: str, card: str, as_read: str | None) -> Json:
    """The table with a card that was taken away put back on face-down ones; the same where it lies there again."""
    return edits.add(table, _up(under), card) if card in _taken_away(table, under, as_read) else table


def ask_for_unseen(table: Json, reading: Reading, held: Held) -> list[Json]:
    """Whether the last cards that nobody saw lie under the waste's, where the table has a stock and no photo shows one.

    One that was missed, or that a column hides, is put there by hand.
    """
    left, waste = len(table.get("stock") or ()), table.get("waste")
    if not 0 < left <= MOST_UNSEEN or not waste or any(back.place.kind == "stock" for back in reading.backs):
        return []
    which = "1 card lies nowhere else. Where does it" if left == 1 else f"{left} cards lie nowhere else. Where do they"
    text, top = f"I see no stock, and {which} lie?", pretty(waste[-1])
    choices = [answer_json("waste", f"Under {top} in the waste"), answer_json(NONE, "In the stock")]
    zone = board(table).zone_of(f"waste/{len(waste) - 1}")
    sights = [] if zone is None else _sights_at(zone.spots[-1:], reading, held)
    return [asked_json(UNSEEN, text, choices, no="Elsewhere: I change it") | {"sights": sights}]


def ask_for_missing(drawn: Board, gaps: Mapping[str, Iterable[str]], reading: Reading, held: Held) -> list[Json]:
    """Whether a card is missing in a pile, and which: one of those that the game's page names at each of its `gaps`."""
    asked = []
    for place, cards in gaps.items():
        zone = drawn.zone_of(place)
        if zone is None:
            continue
        number = edits.number_in_list(place)  # at the start of a pile it is not told where in it the card is missing
        where, beside = ("between", zone.spots[number - 1 : number + 1]) if number else ("beside", zone.spots)
        named = " and ".join(pretty(spot.card) for spot in beside)
        text = f"Is a card missing {where} {named}?"
        made = asked_json(f"{GAP}{place}", text, [answer_json(card) for card in cards])
        asked.append(made | {"sights": _sights_at(beside, reading, held), "none": "No, none is missing"})
    return asked


def asked_json(id_: str, text: str, choices: Sequence[Json], **more: Any) -> Json:
    """A question as the board shows it, by what it is known by, with its words and answers."""
    return {"id": id_, "text": text, "choices": list(choices), "sights": [], "number": None, **more}


def answer_json(value: str, label: str = "") -> Json:
    """An answer: a card is shown as one, anything else by its label."""
    return {"value": value, "label": label}


def count_answers(most: int, likely: Sequence[str], doubt: float | None = None) -> list[Json]:
    """The answers to how many there are, each one tap, less than `most`; the likely ones, likeliest first, stand out.

    Of a large doubt, the probability that it is not the first of those, none stands out more than the others.

    >>> [[answer["likely"] for answer in count_answers(4, ["3", "2"], doubt)] for doubt in (None, 0.4)]
    [[0, 0, 2, 1], [0, 0, 1, 1]]
    """
    ranks = {number: 1 if (doubt or 0.0) > MOST_DOUBT else rank for rank, number in enumerate(likely, 1)}
    numbers = map(str, range(most))
    return [answer_json(number, number) | {"likely": ranks.get(number, 0)} for number in numbers]


def _question_json(question: Question, reading: Reading, drawn: Board | None, table: Json | None, held: Held) -> Json:
    """An open question as the board shows it."""
    number = question.cards[0] if question.kind is QuestionKind.CARD else None
    found = list(sights_of(question, reading))
    sights = [{"photo": sight.photo, "quad": sight.quad, "back": back} for sight, back in found]
    told, part = False, None
    if question.kind is QuestionKind.HIDDEN and found:  # a back that was not found lies there
        photo, start = found[0][0].photo, start_of_pile(question, [sight for sight, _ in found], reading)
        sights.append({"photo": photo, "quad": start, "back": False, "room": True})
        backs, cards = (
            [sight for sight, is_back in found if is_back == which and sight.photo == photo] for which in (True, False)
        )
        part = part_to_count(backs, cards, start)
        told = bool(cards) and str(len(backs)) == _likeliest(question)  # else their numbers would contradict it
    place = None if number is None else held.get(number)
    zone = None if drawn is None or place is None else drawn.zone_of(place)
    if not found and zone is not None and place is not None:  # no photo shows the card, but those beside it
        at = edits.number_in_list(place)
        sights = _sights_at(zone.spots[max(0, at - 1) : at + 2], reading, held)
    lies = next((held[n] for n in question.cards if n in held), question.place and question.place.path)
    made = asked_json(question_id(question), "", (), sights=sights, number=number, told=told, part=part, at=lies)
    if number is None:
        there = _as_it_lies(question, reading, held)
        names = [pretty(_card_now(number, reading, drawn, held)) for number in there.cards]
        worded = WORDED.get(question.kind, _as_text)(there, names, drawn, table)
        if "read" in worded and names:
            worded["read"] = f"{' '.join(names)}: {worded['read']}"
        worded["choices"] = [*_turn_between(question, reading, table), *worded["choices"]]
        if drawn is not None and any(choice["value"] == "floor" for choice in worded["choices"]):
            worded["choices"] += _new_melds(drawn, reading, held)
        return made | worded
    if place is None:
        return made | _place_json(number, reading, drawn, held)
    where = "" if drawn is None or zone is None else f" ({_where(drawn, zone, place)})"
    now = _card_now(number, reading, drawn, held)
    return made | _card_json(reading.cards[number], now, where, is_seen=bool(found))


def _likeliest(question: Question) -> str | None:
    """The count that stands out from the others; None where none does."""
    return question.choices[0] if question.choices and (question.doubt or 0.0) <= MOST_DOUBT else None


def _place_json(number: int, reading: Reading, drawn: Board | None, held: Held) -> Json:
    """Where a card lies that the board does not hold: the nearest places."""
    card = reading.cards[number]
    titles = {}
    if drawn is not None:
        zones = (
            *_nearest_zones(drawn, reading, held, card.sights),
            *_single_lists(drawn),
            *_foundations(drawn, card.text),
        )
        titles = {zone.path: _pile_name(drawn, zone) for zone in zones}
        titles |= {section.grows: "A new meld" for section in drawn.sections if section.grows}
    choices = [answer_json(path, title) for path, title in titles.items()]
    made = {"round": ROUND_WHERE, "other": "Elsewhere, or another card"}
    if 0 < card.by_looks < PART_SURE_FROM:  # it was left out, and may well be none
        text = f"Is a card here, perhaps {pretty(card.text)}? If so, where does it lie?"
        return made | {"text": text, "choices": [answer_json(NONE, "No such card"), *choices]}
    return made | {"text": f"Where does {pretty(card.text)} lie?", "choices": choices, "none": "No such card"}


def _pile_name(drawn: Board, zone: Zone) -> str:
    """What a zone is called in an answer: a meld by its cards, for on the board no number stands at it."""
    return _name_cards(zone.spots) if _is_meld(drawn, zone) and zone.spots else capitalised(zone.title)


def _where(drawn: Board, zone: Zone, place: str) -> str:
    """Where a card lies, in a question: in a meld beside the others of that."""
    others = [spot for spot in zone.spots if spot.path != place]
    return f"beside {_name_cards(others)}" if _is_meld(drawn, zone) and others else zone.title


def _is_meld(drawn: Board, zone: Zone) -> bool:
    return any(section.grows and zone in section.zones for section in drawn.sections)


def _name_cards(spots: Sequence[Spot]) -> str:
    names = [pretty(spot.card) for spot in spots]
    return " ".join([*names[:2], "…", names[-1]] if len(names) > MOST_NAMED else names)


def _card_json(read: ReadCard, now: str, where: str, *, is_seen: bool) -> Json:
    """Which card lies at a place of a zone: the likeliest ones, and the one that it was corrected to meanwhile."""
    text = f"Which card is this?{where}" if is_seen else f"A card seems to be missing{where}. Is it this one?"
    choices = [answer_json(card) for card in dict.fromkeys([now, *likely(read)])]
    is_of_suit = len({choice["value"][0] for choice in choices[:2]}) < len(choices[:2])  # its pips show that best
    made = {"text": text, "choices": choices, "none": "No card", "other": "Another", "isOfSuit": is_of_suit}
    return made | ({"read": pretty(now)} if is_seen else {})


def _count_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    """How many cards lie face down: any number is one tap; of all piles together the counts that were taken are."""
    under = _zone_at(drawn, question.place, under=True)
    if under is None or table is None:
        return _as_text(question, names, drawn, table)
    now = edits.count_hidden(table, under.under)
    if "columns" in table and all(len(pile["down"]) <= n for n, pile in enumerate(table["columns"])):
        # of Klondike, dealt from the left: each hides one more than the column before it, and the first none
        most = 1 + max(under.place.number or 0, now, *(int(count) for count in question.choices if count.isdecimal()))
    elif "columns" in table and now < MOST_HIDDEN:
        most = MOST_HIDDEN
    else:
        most = max(MOST_HIDDEN, now + 2)
    choices = count_answers(most, question.choices, question.doubt)
    read = {"read": f"{under.title}: {now}", "taken": f"{now}", "every": answer_json("0", "No card is face down")}
    return {"text": f"How many face down in {under.title}?", "choices": choices, "strip": True, **read}


def _zone_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    """Where cards lie: the places that the board has; of a row of piles their columns, or their order."""
    if question.place is None and table is not None and "columns" in table:
        empty = sorted((_empty_columns(table, way), way) for way in question.choices)
        choices = [answer_json(way, label) | {"likely": way == question.choices[0]} for label, way in empty]
        is_one = all(label.isdecimal() for label, _ in empty)
        which = "column is empty, or was" if is_one else "columns are empty, or were"
        return {"text": f"Which {which} not found?", "choices": choices}
    if question.place is None:
        row = [pretty(waste[-1]) for waste in (table or {}).get("wastes", ()) if waste]  # cards may have been moved
        first = " the first, or ".join((*row[:1], *row[-1:]))
        text = f"The wastes may count from the other end of their row: is {first}?"
        labels = zip(question.choices, (row, row[::-1]), strict=True)
        return {"text": text, "choices": [answer_json(way, " ".join(label)) for way, label in labels]}
    found = {}
    for choice in question.choices:
        zone = _target_zone(drawn, choice)
        if zone is not None:
            found[choice] = zone
    lone = {f"floor/{n}": "By itself" for n, meld in enumerate((table or {}).get("floor", ())) if len(meld) == 1}
    free_first = sorted(found.items(), key=lambda one: one[0] != question.choices[0] and _is_taken(drawn, one[1][0]))
    choices = [answer_json(choice, lone.get(choice, capitalised(title))) for choice, (_, title) in free_first]
    if "floor" not in {choice.partition("/")[0] for choice in found} and _target_zone(drawn, "floor"):
        choices.append(
            answer_json("floor", "A new meld")
        )  # a card of a meld that is cut off may be taken for the cross's
    read = {"read": found[question.choices[0]][1]} if question.cards and question.choices[0] in found else {}
    return {"text": f"Where {_do_lie(names)}?", "choices": choices, "round": ROUND_WHERE, **read}


def _is_taken(drawn: Board | None, path: str) -> bool:
    """Whether a card lies where only one can lie."""
    zone = None if drawn is None else drawn.zone_of(path)
    return zone is not None and zone.kind == "slot" and zone.spots[0].card != EMPTY


def _do_lie(names: Sequence[str]) -> str:
    """That cards lie somewhere, as it stands in a question.

    >>> _do_lie(["7C", "7D"])
    'do 7C and 7D lie'
    """
    return f"{'do' if len(names) > 1 else 'does'} {join_names(names)} lie"


def _new_melds(drawn: Board, reading: Reading, held: Held) -> list[Json]:
    """The melds as answers that answers made: none of their cards was read on the floor."""
    read = {held[number] for number, card in enumerate(reading.cards) if number in held and card.place.kind == "floor"}
    melds = (zone for zone in drawn.zones() if _is_meld(drawn, zone) and zone.spots)
    made = (zone for zone in melds if not any(spot.path in read for spot in zone.spots))
    return [answer_json(str(zone.place), _pile_name(drawn, zone)) for zone in made]


def _empty_columns(table: Json, piles: str) -> str:
    """The columns in which none of the piles lies.

    >>> _empty_columns({"columns": [{}] * 7}, "2 3 4 5 6")
    '1 and 7'
    """
    taken = piles.split()
    empty = [str(number) for number in range(1, len(table["columns"]) + 1) if str(number) not in taken]
    return join_names(empty) or "none"


def _game_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    titles = [(word, GAMES[word].title) for word in question.choices if word in GAMES]
    if len(titles) == 1:
        ((word, title),) = titles
        return {"text": f"Is this {title}?", "choices": [answer_json(word, "Yes")], "games": True}
    return {"text": "Which game is this?", "choices": [answer_json(word, title) for word, title in titles]}


def _unread_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    if question.asks_beyond_edge and question.place is None:  # the picture ends there: there may be any number of cards
        nothing = answer_json(NONE, "No, nothing")
        return {"text": sentence(question.text), "choices": [nothing], "no": "Yes, I add it", "ends": True}
    choices = [answer_json(card) for card in question.choices if _is_card(card)]
    return {
        "text": sentence(question.text) if question.cards else "Does a card lie here? Which one?",  # it may be none
        "choices": choices[: LIKELY + 1],
        "none": "No" if question.cards else "No card",
        "other": "Yes, I name the card" if question.cards else "Choose a card",
        "ends": question.asks_beyond_edge,
        "round": None if question.cards else ROUND_SPOT,
    }


def _missed_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    """Whether a card lies in a meld: the answer that it does puts it there."""
    (card,), zone = question.choices, _zone_at(drawn, question.place)
    beside = "" if zone is None else f" with {_name_cards(zone.spots)}"
    text = f"Does {pretty(card)} lie{beside}, as before the turn? It may be covered."
    return {"text": text, "choices": [answer_json(card, "Yes, it lies there")], "none": "No", "round": ROUND_WHERE}


def _melds_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    known = [choice for choice in question.choices if choice in WAYS_OF_MELDS]
    if len(known) == 1:  # which other way it is no answer says
        (one,) = known
        return {"text": f"Do {' '.join(names)} make one meld?", "choices": [answer_json(one, "Yes")], "no": NO}
    choices = [answer_json(choice, capitalised(choice)) for choice in known]
    if not question.gap:
        return {"text": f"{capitalised(_do_lie(names))} in the hand or on the floor?", "choices": choices}
    at = max(map(question.cards.index, question.gap))  # not where they lie: a run may begin at either end
    text = f"Are {' '.join(names[:at])} and {' '.join(names[at:])} one meld, or two?"
    return {"text": text, "choices": choices}


def _card_now(number: int, reading: Reading, drawn: Board | None, held: Held) -> str:
    """What a card of a reading is by now: an answer may have told that it is another one."""
    now = None if drawn is None or number not in held else drawn.card_at(held[number])
    return now or reading.cards[number].text


def _as_it_lies(question: Question, reading: Reading, held: Held) -> Question:
    """A question with the cards and melds that lie there now: answers part, join and end melds."""
    if question.kind is QuestionKind.ZONE and question.place is not None:
        there = (held[number].rpartition("/")[0] for number in question.cards[:1] if number in held)
        own = [place for place in there if place.startswith("floor/")]
        choices = (place for choice in question.choices for place in _melds_now(choice, reading, held))
        return replace(question, choices=tuple(dict.fromkeys([*own, *choices])))
    if not question.gap or not set(question.gap) <= held.keys():
        return question
    melds = {held[number].rpartition("/")[0] for number in question.gap}
    still = (number for number in question.cards if number in held and held[number].rpartition("/")[0] in melds)
    return replace(question, cards=tuple(still))


def _melds_now(place: str, reading: Reading, held: Held) -> list[str]:
    """The melds in which cards lie by now that were read in a meld, most of them first; another place as it is."""
    if not place.startswith("floor/"):
        return [place]
    read = (held.get(number, "") for number, card in enumerate(reading.cards) if str(card.place) == place)
    melds = Counter(path.rpartition("/")[0] for path in read if path.startswith("floor/"))
    return [meld for meld, _ in melds.most_common()] or [place]


def _as_text(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    passes = question.kind is QuestionKind.APART or question.needs_photo
    label = GO_ON if passes else "That is right"
    return {"text": sentence(question.text), "choices": [answer_json(RIGHT, label)], "passes": passes}


def _photos_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    """Whether photos were put together right; where cards were moved, also whether a turn lies between the photos."""
    asked = _as_text(question, names, drawn, table)
    if not may_be_turn(question, table):
        return asked
    first, second = (photo + 1 for photo in question.photos)
    moved, is_new = [*map(pretty, question.moved)], question.choices == LAID
    why = f"{_do_lie(moved)} at different places in photo {first} and photo {second}"
    if is_new:
        why = f"{'are' if len(moved) > 1 else 'is'} {join_names(moved)} in photo {second} only"
    text = "Which photo was taken first?" if len(moved) > MOST_NAMED else f"Why {why}?"
    turns = [
        answer_json("", f"Photo {one} before a turn, photo {other} after it") | {"turn": [one - 1, other - 1]}
        for one, other in ((first, second), (second, first))
    ]
    done = "laid" if is_new else "moved"
    return asked | {"text": text, "choices": [*turns, answer_json(RIGHT, f"No card was {done} in between")]}


def _turn_between(question: Question, reading: Reading, table: Json | None) -> list[Json]:
    """The answer to why two photos that have cards in common do not join: a turn lies between them."""
    is_pair = question.kind is QuestionKind.APART and bool(question.moved) and len(reading.photos) == 2
    return [answer_json("", "Before and after a turn") | {"turn": [0, 1]}] if is_pair and _has_turns(table) else []


def _has_turns(table: Json | None) -> bool:
    """Whether two photos of a table may be compared: it is of a game of turns."""
    return table is not None and GAMES[table["game"]].takes_hand


def may_be_turn(question: Question, table: Json | None) -> bool:
    """Whether a question about two photos may be answered by that a turn lies between them."""
    return question.kind is QuestionKind.PHOTOS and bool(question.moved) and _has_turns(table)


def _turned_json(question: Question, names: Sequence[str], drawn: Board | None, table: Json | None) -> Json:
    """What is asked of cards that were turned over: which one it is, or which of two is none; else one more photo."""
    if question.number is not None and question.place is not None:
        where = f"card {question.number + 1} of those face down in {place_name(question.place)}, from the lowest"
        choices = [answer_json(card) for card in question.choices[: LIKELY + 1]]
        used = {str(card): 2 for card in DECK if str(card) not in question.choices}  # none of those lay face down
        text = f"Which card is this? ({where})"
        return {"text": text, "choices": choices, "other": "Another", "used": used, "turned": True}
    if question.choices:
        choices = [answer_json(number, f"Card {number} is not there") for number in question.choices]
        return {"text": sentence(question.text), "choices": choices, "turned": True}
    return _as_text(question, names, drawn, table) | {"turned": True}


WORDED: Final[Mapping[QuestionKind, Callable[[Question, Sequence[str], Board | None, Json | None], Json]]] = {
    QuestionKind.HIDDEN: _count_json,
    QuestionKind.ZONE: _zone_json,
    QuestionKind.GAME: _game_json,
    QuestionKind.UNREAD: _unread_json,
    QuestionKind.MELDS: _melds_json,
    QuestionKind.MISSED: _missed_json,
    QuestionKind.TURNED: _turned_json,
    QuestionKind.PHOTOS: _photos_json,
}


# -- answers -----------------------------------------------------------------------------------------------------------


def with_answer(table: Json, question: Question, value: str, reading: Reading, held: Held) -> Json:
    """The table after an answer. Raises CardsError for a card that cannot lie there, KeyError for no such answer.

    Args:
        table: The position's JSON.
        question: What was asked.
        value: The answer: one of the choices, `NONE`, or a card.
        reading: The reading.
        held: The place of each card of the reading on the board.
    """
    if value == RIGHT:
        return table
    drawn, question = board(table), _as_it_lies(question, reading, held)
    if question.kind is QuestionKind.CARD:
        return _with_card(table, question.cards[0], value, reading, held)
    if question.kind is QuestionKind.HIDDEN:
        zone = _zone_at(drawn, question.place, under=True)
        if zone is None:
            raise KeyError(question.place)
        return edits.change_hidden(table, zone.under, int(value) - edits.count_hidden(table, zone.under))
    if question.kind is QuestionKind.TURNED:
        return _with_turned(table, drawn, question, value)
    if question.kind is QuestionKind.MISSED and value in question.choices:
        zone = _zone_at(drawn, question.place)
        if zone is None:
            raise KeyError(question.place)
        return with_added(table, zone.path, value)
    if question.kind is QuestionKind.UNREAD and value != NONE:
        card, zone = str(parse_card(value)), _zone_at(drawn, question.place)
        near = [zone] if zone is not None else _nearest_zones(drawn, reading, held, question.sights)
        own = () if question.cards else question.sights  # else they are those of a card beside it
        at = place_in_list(near[0].path, own, drawn, reading.cards, held)
        return with_added(table, zone.path, card, at) if zone else _with_unread(table, drawn, near, card, at)
    if question.kind is QuestionKind.ZONE and value != question.choices[0]:
        return _rearranged(table, value) if question.place is None else _moved(table, question, value, reading, held)
    if question.kind is QuestionKind.MELDS and value in (ONE_MELD, TWO_MELDS):
        return _one_or_two_melds(table, question, value, held)
    if question.kind is QuestionKind.MELDS and value in WAYS_OF_MELDS:
        return _put_together(table, drawn, [held[number] for number in question.cards], value)
    return table


def _with_turned(table: Json, drawn: Board, question: Question, value: str) -> Json:
    """The table with another card where one was turned over; the one that lay there lies where that did."""
    if value not in question.choices:
        raise CardsError(f"{pretty(value)} lay face up before, so it is none of the cards that were turned over")
    if question.number is None or question.place is None:
        raise KeyError(question.text)
    path = question.place.path
    place = f"{path}{'/down' if 'down' in edits.value_at(table, path) else ''}/{question.number}"
    was = str(edits.value_at(table, place))
    there = next((spot.path for zone in drawn.zones() for spot in zone.spots if spot.card == value and spot.path), "")
    table = edits.change(table, place, value)
    return edits.change(table, there, was) if there and there != place else table


def _with_card(table: Json, number: int, value: str, reading: Reading, held: Held) -> Json:
    place = held.get(number)
    if place is None:
        return table if value == NONE else with_placed(table, number, value, reading, held, reading.cards[number].text)
    return edits.remove(table, place) if value == NONE else edits.change(table, place, str(parse_card(value)))


def end_with(number: int, reading: Reading) -> list[str]:
    """What the questions are known by that end where a card of the reading is none: those that need it."""
    about = (question for question in all_questions(reading) if number in question.cards)
    return [question_id(one) for one in about if one.kind is QuestionKind.UNREAD or len(one.cards) == 1]


def with_placed(table: Json, number: int, path: str, reading: Reading, held: Held, card: str) -> Json:
    """The table with a card of the reading, which may be named another one, put on a zone where the photo shows it."""
    at = place_in_list(path, reading.cards[number].sights, board(table), reading.cards, held)
    return with_added(table, path, card, at)


def with_added(table: Json, path: str, card: str, at: str | None = None) -> Json:
    """The table with a card put on a zone: before the place `at`, where a photo shows it.

    Without one it goes where it is missing between two cards of the zone, or under what it can carry. On a foundation
    it lies on all cards below it, which no photo shows.

    >>> from solver import parse
    >>> table = parse("klondike columns: [TC 8C] | - | - | - | - | - | -").to_json()
    >>> [with_added(table, "columns/0/up", card)["columns"][0]["up"] for card in ("9D", "7D")]
    [['TC', '9D', '8C'], ['TC', '8C', '7D']]
    >>> with_added(table, "columns/0/up", "JD")["columns"][0]["up"]
    ['JD', 'TC', '8C']
    >>> with_added(table, "foundations/H", "5H")["foundations"]["H"]
    5
    """
    if any(zone.path == path for zone in _foundations(board(table), card)):
        return table | {"foundations": table["foundations"] | {card[1]: RANK_CHARS.index(card[0]) + 1}}
    if at is not None:
        return edits.insert(table, at, card)
    gaps = page_of(table["game"]).find_gaps(position_from_json(table)).values()
    place = next((cards[card] for cards in gaps if cards.get(card, "").startswith(f"{path}/")), None)
    if place is not None:
        return edits.insert(table, place, card)
    last, first = edits.add(table, path, card), f"{path}/0"
    ways = [last] if board(table).card_at(first) in (None, EMPTY) else [last, edits.insert(table, first, card)]
    return min(ways, key=lambda way: len(position_from_json(way).problems()))


def _with_unread(table: Json, drawn: Board, near: Sequence[Zone], card: str, at: str | None) -> Json:
    """The table with a card put on the nearest zone, `at` a place; elsewhere if that is a meld that it does not fit."""
    places = [zone.path for zone in near[:1]]
    if _is_meld(drawn, near[0]):
        places = [zone.path for zone in near if _is_meld(drawn, zone)]
        places += [section.grows for section in drawn.sections if section.grows]
    before = len(position_from_json(table).problems())
    ways = [with_added(table, path, card, at) for path in places]
    return next((way for way in ways if len(position_from_json(way).problems()) <= before), ways[-1])


def _moved(table: Json, question: Question, value: str, reading: Reading, held: Held) -> Json:
    """The table with cards put where they are said to lie."""
    found = _target_zone(board(table), value)
    if found is None:
        raise KeyError(value)
    places = ((held[number], reading.cards[number].text) for number in question.cards)
    for place, read in sorted(places, key=lambda one: edits.number_in_list(one[0]), reverse=True):
        there = edits.value_at(table, place)
        if isinstance(there, int):  # the top of a foundation: nothing but it tells of the cards below it
            table = with_added(edits.change_height(table, place, -there), found[0], read)
        else:
            table = edits.remove(with_added(table, found[0], str(there)), place)
    return table


def _rearranged(table: Json, value: str) -> Json:
    """The table with a whole row of piles in other columns, or with its wastes counted from the other end."""
    if "columns" in table:
        return _in_columns(table, value)
    wastes = [waste for waste in table["wastes"] if waste]
    return table | {"wastes": [*wastes[::-1], *([] for _ in range(len(table["wastes"]) - len(wastes)))]}


def _in_columns(table: Json, value: str) -> Json:
    """The table with its piles in other columns.

    >>> _in_columns({"columns": [{"down": [], "up": ["9C"]}, {"down": [], "up": []}]}, "2")["columns"][1]
    {'down': [], 'up': ['9C']}
    """
    piles = [column for column in table["columns"] if column["down"] or column["up"]]
    numbers = [int(number) - 1 for number in value.split()]
    columns: list[Json] = [{"down": [], "up": []} for _ in table["columns"]]
    for number, pile in zip(numbers, piles, strict=True):
        columns[number] = pile
    return table | {"columns": columns}


def _put_together(table: Json, drawn: Board, places: Sequence[str], to: str) -> Json:
    """The table with the cards that do not lie there yet in the hand, or on the floor in a meld of their own."""
    away = [place for place in places if place.partition("/")[0] != to]
    cards = [drawn.card_at(place) or EMPTY for place in away]
    for place in sorted(away, key=edits.number_in_list, reverse=True):
        table = edits.remove(table, place)
    return table | {to: [*table[to], *([cards] if cards and to == "floor" else cards)]}


def _one_or_two_melds(table: Json, question: Question, value: str, held: Held) -> Json:
    """The table with cards in one meld, or in two that are parted at the gap; the same where they lie so."""
    places = sorted((held[number] for number in question.gap or question.cards), key=edits.number_in_list)
    if any(not place.startswith("floor/") for place in places):
        raise KeyError(question.text)
    melds = sorted({int(place.split("/")[1]) for place in places})
    first, *others = melds
    floor = list(table["floor"])
    if value == TWO_MELDS and not others:
        at = edits.number_in_list(places[-1])
        floor[first : first + 1] = [floor[first][:at], floor[first][at:]]
    elif value == ONE_MELD:
        floor[first] = [card for meld in melds for card in floor[meld]]
        floor = [meld for number, meld in enumerate(floor) if number not in others]
    return table | {"floor": floor}


def end_with_parted(question: Question, reading: Reading) -> list[str]:
    """What the questions are known by that end where a meld is parted at a gap: whether it is one."""
    apart = set(question.gap)
    others = (one for one in all_questions(reading) if one.kind is QuestionKind.MELDS and apart <= set(one.cards))
    return [question_id(one) for one in others if TWO_MELDS not in one.choices]


# -- where things lie --------------------------------------------------------------------------------------------------


def _sights_at(spots: Iterable[Spot], reading: Reading, held: Held) -> list[Json]:
    """Where the photos show the cards of a board, as the board is told."""
    numbers = {place: number for number, place in held.items()}
    seen = (reading.cards[numbers[spot.path]].sights for spot in spots if spot.path in numbers)
    return [{"photo": sight.photo, "quad": sight.quad, "back": False} for sights in seen for sight in sights]


def _nearest_zones(drawn: Board, reading: Reading, held: Held, sights: Sequence[Sight]) -> list[Zone]:
    """The zones whose cards lie nearest in the photo, the nearest first; of a board without a card its lists.

    Where an empty one lies no card tells: it may be the place beside the nearest one.
    """
    lists = [zone for zone in drawn.zones() if zone.kind == "list" and zone.path]
    found: dict[str, float] = {}
    for sight in sights[:1]:
        for number, place in held.items():
            there, zone = reading.cards[number].sight_in(sight.photo), drawn.zone_of(place)
            if there is not None and zone in lists:
                far = abs(sight.middle - there.middle)
                found[zone.path] = min(far, found.get(zone.path, far))
    lists.sort(key=lambda zone: found.get(zone.path, float("inf")))
    empty = (zone for zone in lists[NEAREST:] if not any(spot.card != EMPTY for spot in zone.spots))
    return lists[:NEAREST] + [zone for zone in empty if found and _lie_side_by_side(zone.place, lists[0].place)]


def _lie_side_by_side(one: Place, other: Place) -> bool:
    """Whether two places are neighbours in a row."""
    if one.number is None or other.number is None:
        return False
    return one.kind == other.kind and abs(one.number - other.number) == 1


def _single_lists(drawn: Board) -> list[Zone]:
    """The lists of which a table has one, as a waste or a hand: any card may lie there, however far from its cards."""
    kinds = Counter(zone.place.kind for zone in drawn.zones())  # a stock is drawn twice, as a pile and spread out
    return [zone for zone in drawn.zones() if zone.kind == "list" and zone.path and kinds[zone.place.kind] == 1]


def _foundations(drawn: Board, card: str) -> list[Zone]:
    """The foundation that a card may have been built on, however high: only its top is seen. Not one that is higher."""
    if not _is_card(card):
        return []
    zones = (zone for zone in drawn.zones() if zone.kind == "height" and zone.most == len(RANK_CHARS))
    lower = ["", *RANK_CHARS[: RANK_CHARS.index(card[0])]]
    return [zone for zone in zones if zone.ghost == card[1] and zone.spots[0].card[:1] in lower]


def _zone_at(drawn: Board | None, place: Place | None, *, under: bool = False) -> Zone | None:
    """The zone at a place that takes cards; the one with a pile face down where `under`."""
    if drawn is None or place is None or place == NOWHERE:
        return None
    wanted = (zone for zone in drawn.zones() if zone.place == place and zone.kind != "fixed")
    return next((zone for zone in wanted if zone.under or not under), None)


def _target_zone(drawn: Board | None, choice: str) -> tuple[str, str] | None:
    """The path to which a card goes by an answer, and what that is called; None where the board has no such place."""
    if drawn is None:
        return None
    place = Place.parse(choice)
    zone = _zone_at(drawn, place)
    if zone is not None:
        return zone.path, _pile_name(drawn, zone) if _is_meld(drawn, zone) else zone.title
    grows = next((part.grows for part in drawn.sections if part.grows.partition("/")[0] == place.kind), "")
    return (grows, "a new meld") if grows else None


def _is_card(text: str) -> bool:
    return len(text) == 2 and text != BACK
