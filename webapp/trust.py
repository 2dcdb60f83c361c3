"""Whether a verdict may be shown in green or red: only if the table was read reliably.

Pure functions. A table that a person laid out, typed or confirmed is always reliable.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from solver.games import find_game
from vision.confidence import WHOLE_STANDS_FROM
from vision.reading import Reading
from webapp.wording import count, sentence


@dataclass(frozen=True, slots=True)
class Trust:
    """How far a table can be relied on.

    Attributes:
        firm: Whether a verdict on it may be shown in green or red.
        why: Why not, in a sentence or two; "" if it is firm.
        unread: Whether so little was read that another photo helps more than checking.
        handless: Whether a hand is missing that the question is about.
    """

    firm: bool
    why: str = ""
    unread: bool = False
    handless: bool = False


FIRM: Final = Trust(True)


def assess_trust(
    reading: Reading, table: Mapping[str, Any] | None, checked: Collection[int], survives: float | None
) -> Trust:
    """How far the table of a photo can be relied on.

    Args:
        reading: The reading.
        table: The position's JSON; None where no game was recognised.
        checked: Numbers of the doubtful cards that a person has looked at.
        survives: Probability that the verdict is the same whatever the doubtful cards are; None where not known.
    """
    if table is None or not reading.readable.ok:
        return Trust(False, " ".join(map(sentence, reading.readable.reasons)) or _nothing(reading), unread=True)
    if find_game(table["game"]).takes_hand and not table["hand"]:
        why = "I see no hand in this photo. Add a photo of your hand, or write its cards."
        return Trust(False, why, handless=True)
    waiting = open_doubts(reading, checked)
    if certainty(reading, checked) >= WHOLE_STANDS_FROM or (survives is not None and survives >= WHOLE_STANDS_FROM):
        return FIRM
    if not waiting:
        matters = "" if survives is None else " The answer may depend on it."
        return Trust(False, f"Some of it may be read wrong.{matters} Please compare the table with your photo.")
    cards = cards_unsure(reading, checked)[:-1]
    if survives is None:
        return Trust(False, f"{cards}; whether that matters is being found out.")
    return Trust(False, f"{cards}, and the answer may depend on {'it' if len(waiting) == 1 else 'them'}.")


def cards_unsure(reading: Reading, checked: Collection[int]) -> str:
    """How many cards are in doubt, as a sentence; "" where none is."""
    waiting = len(open_doubts(reading, checked))
    return f"{count(waiting, 'card')} {'is' if waiting == 1 else 'are'} unsure." if waiting else ""


def open_doubts(reading: Reading, checked: Collection[int]) -> list[int]:
    """Numbers of the doubtful cards that nobody has looked at yet."""
    return [number for number in reading.doubtful if number not in checked]


def certainty(reading: Reading, checked: Collection[int]) -> float:
    """Probability that the whole table is right, once a person has looked at some of its doubtful cards.

    What was looked at is certain, so the chance rises by what it had been in doubt; and a table is never surer than
    the doubtful cards that are left.

    >>> from solver.place import NOWHERE
    >>> from vision.read_card import ReadCard
    >>> cards = tuple(ReadCard(None, confidence, (), NOWHERE) for confidence in (0.7, 0.9))
    >>> reading = Reading((), "makiaveli", 1.0, cards, (), None, position_probability=0.6)
    >>> [round(certainty(reading, seen), 2) for seen in ((), (0,), (0, 1))]
    [0.6, 0.86, 0.95]
    """
    doubts = {number: reading.cards[number].confidence for number in reading.doubtful}
    left = math.prod(confidence for number, confidence in doubts.items() if number not in checked)
    seen = math.prod(max(1e-6, confidence) for number, confidence in doubts.items() if number in checked)
    return min(1.0, left, reading.position_probability / seen)


def _nothing(reading: Reading) -> str:
    if not reading.cards:
        return "I found no cards in this photo. Take it from above, with every card's corner in view and without glare."
    return f"I see {count(len(reading.cards), 'card')}, but not how a game that I know is laid. Which game is it?"
