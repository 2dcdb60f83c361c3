"""Whether a verdict may be shown in green or red: only if the table was read reliably.

Pure functions. A table that a person laid out, typed or confirmed is always reliable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from solver.games import find_game
from vision.confidence import WHOLE_STANDS_FROM
from vision.film.screen import NO_CARD_ON_SCREEN, SCREEN
from vision.question import Question, QuestionKind
from vision.reading import NO_HAND, Reading
from webapp.wording import count, sentence


@dataclass(frozen=True, slots=True)
class Trust:
    """How far a table can be relied on.

    Attributes:
        firm: Whether a verdict on it may be shown in green or red.
        why: Why not, in a sentence or two; of a firm one what is unsure all the same, "" if nothing is.
        unread: Whether so little was read that another photo helps more than checking.
        handless: Whether a hand is missing that the question is about.
    """

    firm: bool
    why: str = ""
    unread: bool = False
    handless: bool = False


FIRM: Final = Trust(True)
CARD: Final = "card "
"""As what it is asked about a card whose number in the reading follows."""
PLACED: Final = "placed "
"""As what it is asked where cards lie whose numbers in the reading follow, if the question is not the reading's own."""
MISSED: Final = "missed "
"""As what it is asked whether a card whose name follows lies where only the photo before a turn shows it."""
WHOLE: Final = "whole"
"""As what it is asked whether the whole table, or the rest of it, is right."""
RULES: Final = "rules"
"""As what it is asked which rules are played."""


def assess_trust(
    reading: Reading,
    table: Mapping[str, Any] | None,
    answered: Collection[str],
    survives: float | None,
    further: int = 0,
) -> Trust:
    """How far the table of a photo can be relied on.

    Args:
        reading: The reading.
        table: The position's JSON; None where no game was recognised.
        answered: The questions that a person has answered.
        survives: Probability that the verdict is the same whatever the doubtful cards are; None where not known.
        further: How much is asked besides the doubts of the reading, as by which rules.
    """
    if table is None or not reading.readable.ok:
        return Trust(False, _nothing(reading), unread=True)
    if is_handless(table, answered):
        return Trust(False, "I see no hand. Tap its dashed place on the table, or add a photo of it.", handless=True)
    waiting = open_questions(reading, answered, table)
    if certainty(reading, answered) >= WHOLE_STANDS_FROM and not waiting:
        return FIRM
    if survives is not None and survives >= WHOLE_STANDS_FROM:
        return Trust(True, f"{say_unsure(waiting)} The answer most likely stays the same." if waiting else "")
    if not waiting:
        matters = "" if survives is None else " The answer may depend on it."
        return Trust(False, f"Some of it may be read wrong.{matters} Please compare the table with your photo.")
    further += leaves_rest(reading)  # all that is asked is counted, as the questions count it
    unsure = say_unsure(waiting, further)[:-1]
    if survives is None:
        return Trust(False, f"{unsure}. I am finding out if that matters.")
    return Trust(False, f"{unsure}, and the answer may depend on {'it' if len(waiting) + further == 1 else 'them'}.")


def leaves_rest(reading: Reading) -> bool:
    """Whether answers to all questions of a reading do not make it sure: then it is asked if the rest is right, too."""
    return certainty(reading, set(map(question_id, all_questions(reading)))) < WHOLE_STANDS_FROM


def trust_left_open(number: int) -> Trust:
    """How far a table can be relied on that was left with so many open questions about a photo that is gone.

    >>> trust_left_open(1).why
    'When this table was left, 1 question was open. Its photo is not here any more, so please check the cards.'
    """
    left = f"{count(number, 'question')} {'was' if number == 1 else 'were'} open" if number else "some of it was unsure"
    return Trust(False, f"When this table was left, {left}. Its photo is not here any more, so please check the cards.")


def is_handless(table: Mapping[str, Any], answered: Collection[str]) -> bool:
    """Whether a table (its JSON) lacks the hand that the question is about; not where a person has none left."""
    return find_game(table["game"]).takes_hand and not table["hand"] and NO_HAND not in answered


def say_unsure(waiting: Collection[Question], further: int = 0) -> str:
    """How much is in doubt, with what is asked further, as a sentence; "" where nothing is."""
    number, are_cards = len(waiting) + further, all(question.kind is QuestionKind.CARD for question in waiting)
    noun, verb = "card" if are_cards and not further else "thing", "is" if number == 1 else "are"
    return f"{count(number, noun)} {verb} unsure." if waiting else ""


def question_id(question: Question) -> str:
    """What a question is known by for as long as a reading lasts."""
    return card_id(question.cards[0]) if question.kind is QuestionKind.CARD else question.text


def card_id(number: int) -> str:
    """What the question which card a card of the reading is, or where it lies, is known by."""
    return f"{CARD}{number}"


def cards_of(answered: Collection[str]) -> frozenset[int]:
    """Numbers of the cards of a reading that a person has looked at.

    >>> cards_of({"card 12", "card or none", "column 2"})
    frozenset({12})
    """
    return _numbers(answered, CARD)


def placed_id(numbers: Iterable[int]) -> str:
    """What the question where cards of the reading lie is known by."""
    return PLACED + " ".join(map(str, numbers))


def placed_by(answered: Collection[str]) -> frozenset[int]:
    """Numbers of the cards of a reading of which a person has told where they lie.

    >>> sorted(placed_by({"placed 12 13", "card 14"}))
    [12, 13]
    """
    return _numbers(answered, PLACED)


def missed_id(card: str) -> str:
    """What the question is known by whether a card lies in a meld where only the photo before a turn shows it."""
    return f"{MISSED}{card}"


def missed_by(answered: Collection[str]) -> list[str]:
    """The cards of which a person has told whether they lie where only the photo before a turn shows them.

    >>> missed_by({"missed KS", "card 14"})
    ['KS']
    """
    return sorted(id_.removeprefix(MISSED) for id_ in answered if id_.startswith(MISSED))


def _numbers(answered: Collection[str], kind: str) -> frozenset[int]:
    """The numbers in what the questions of a kind are known by."""
    numbers = (word for id_ in answered if id_.startswith(kind) for word in id_.removeprefix(kind).split())
    return frozenset(int(number) for number in numbers if number.isdecimal())


def open_questions(
    reading: Reading, answered: Collection[str], table: Mapping[str, Any] | None = None
) -> list[Question]:
    """The questions of a reading that nobody has answered yet. Broken rules of a position are told as faults instead.

    Where the table (its JSON) has a hand by now, it is no question any more that none was seen.
    """
    settled = {NO_HAND} if table is not None and table.get("hand") else set()
    return [question for question in all_questions(reading) if question_id(question) not in {*answered, *settled}]


def find_question(reading: Reading, id_: str) -> Question:
    """The question of an id. Raises StopIteration where there is none."""
    return next(question for question in all_questions(reading) if question_id(question) == id_)


def all_questions(reading: Reading) -> Iterator[Question]:
    """The questions, each about one card where it is about which card it is, or where one without a place lies."""
    asked = set(reading.doubtful)
    for question in reading.questions:
        if question.kind is QuestionKind.UNPLACED:
            yield from (replace(question, kind=QuestionKind.CARD, cards=(n,)) for n in question.cards if n not in asked)
        elif question.kind is not QuestionKind.RULES or (question.cards and not reading.problems):
            yield question


def certainty(reading: Reading, answered: Collection[str]) -> float:
    """Probability that the whole table is right, once a person has answered some of the questions about it."""
    waiting = open_questions(reading, answered)
    return reading.chance_while_open(question for question in waiting if question.doubt is not None)


def _nothing(reading: Reading) -> str:
    """Why no table was read."""
    if NO_CARD_ON_SCREEN in reading.notes:
        return sentence(NO_CARD_ON_SCREEN)
    if reading.readable.reasons:
        return " ".join(map(sentence, reading.readable.reasons))
    if not reading.cards:
        return "I found no cards in this photo. Take it from above, with every card's corner in view and without glare."
    cards = count(len(reading.cards), "card")
    screen = f" {sentence(SCREEN)}" if SCREEN in reading.notes else ""
    return f"I see {cards}, but they do not lie as in a game that I know.{screen} Is it one of these?"
