"""What a person is asked about a reading: a place on the table, a question, and its choices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from drawing.zones import place_in_words
from solver.place import Place
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM, chance_of_whole
from vision.read_card import Sight

MOVED: Final = ("not moved", "moved")
"""The choices where cards lie at different places in two photos: they show one table, or it was changed in between."""
LAID: Final = ("not laid", "laid")
"""The same where cards are in one photo only."""


class QuestionKind(StrEnum):
    """What a question is about."""

    CARD = "card"
    """Which card it is."""
    HIDDEN = "hidden"
    """How many cards lie face down at a place."""
    MELDS = "melds"
    """Whether cards make one meld, and where it lies."""
    UNPLACED = "unplaced"
    """Where cards belong for which no place was found."""
    HAND = "hand"
    """Which cards are in the hand."""
    PHOTOS = "photos"
    """Whether photos of one table were put together right, and from which side a photo shows it."""
    APART = "apart"
    """A photo that does not join the others."""
    RULES = "rules"
    """The cards as read break the rules: it ends where the position is put right."""
    UNREAD = "unread"
    """What a card is that could not be read, or that the picture may have cut off, or whether it is a card at all."""
    ZONE = "zone"
    """Where cards lie whose place is not plain."""
    GAME = "game"
    """Which game it is."""
    TURNED = "turned"
    """What cards are that were turned over, or what is missing of them."""
    DRAW = "draw"
    """How many cards of the stock are turned at a time in a recorded game."""
    DEAL = "deal"
    """How many cards each column hides in a recorded game."""
    MISSED = "missed"
    """Whether a card lies in a meld in which only the photo before a turn shows it."""
    ORIGIN = "origin"
    """Where cards had lain that came into sight in a recorded game, or which card came from a column."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a person should look at.

    Attributes:
        kind: What it is about.
        text: The question as a sentence; `str()` gives it too.
        place: Where on the table; None if it has no single place.
        choices: The possible answers, the likeliest first; empty if anything may be the answer.
        cards: Numbers of the reading's cards that it is about.
        photos: Numbers of the photos that it is about.
        doubt: Probability that the reading is wrong here; None where it is not known.
        sights: Where the photos show what it is about; the quad need not be a card's whole outline. Photos of cards
            that were turned over are counted on from those of the reading.
        number: Of a card that was turned over its number in its pile, from 0; of one of several that were turned up in
            a column of a recorded game how many were before it.
        gap: Numbers of the two cards between which a meld may be parted; empty if it asks for no gap.
        moved: Names of the cards that its photos show at different places, or that only the second one shows: somebody
            may have moved or laid them in between.
        needs_photo: Whether nothing but another photo answers it.
    """

    kind: QuestionKind
    text: str
    place: Place | None = None
    choices: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    photos: tuple[int, ...] = ()
    doubt: float | None = None
    sights: tuple[Sight, ...] = ()
    number: int | None = None
    gap: tuple[int, ...] = ()
    moved: tuple[str, ...] = ()
    needs_photo: bool = False

    @property
    def asks_beyond_edge(self) -> bool:
        """Whether it is about what may lie where the picture ends, beside cards that it shows."""
        return self.kind is QuestionKind.UNREAD and bool(self.cards) and not self.choices

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        few = {"gap": list(self.gap), "moved": list(self.moved), "needs_photo": self.needs_photo}
        return {
            "kind": str(self.kind),
            "text": self.text,
            "place": None if self.place is None else str(self.place),
            "choices": list(self.choices),
            "cards": list(self.cards),
            "photos": list(self.photos),
            "doubt": self.doubt,
            "sights": [sight.to_json() for sight in self.sights],
            **({} if self.number is None else {"number": self.number}),
            **{name: value for name, value in few.items() if value},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        """The question of a JSON object that `to_json` made."""
        lists: dict[str, Any] = {name: tuple(data[name]) for name in ("choices", "cards", "photos")}
        lists |= {name: tuple(data.get(name, ())) for name in ("gap", "moved")}
        place = None if data["place"] is None else Place.parse(data["place"])
        sights = tuple(map(Sight.from_json, data.get("sights", ())))
        more = {"number": data.get("number"), "needs_photo": data.get("needs_photo", False)}
        kind, text, doubt = QuestionKind(data["kind"]), data["text"], data["doubt"]
        return cls(kind, text, place, doubt=doubt, sights=sights, **lists, **more)


def ask_where(cards: str, place: Place, *, are_many: bool = False) -> str:
    """The question where cards lie, in words, if perhaps they do not lie where they were read."""
    verb, they = ("do", "they lie") if are_many else ("does", "it lies")
    return f"perhaps {cards} {verb} not lie {place_in_words(place)}: please check where {they}"


def chance_without(doubts: Iterable[Question]) -> float:
    """Probability that none of these questions has another answer than the reading gives.

    >>> parts = [Question(QuestionKind.CARD, "", doubt=0.1), Question(QuestionKind.HIDDEN, "", doubt=0.5)]
    >>> chance_without(parts)
    0.45
    """
    return math.prod(1 - (question.doubt or 0.0) for question in doubts)


def to_be_asked(doubts: Iterable[Question], *, may_stand: bool = True) -> list[Question]:
    """Which of a reading's doubts are put to a person: those that are no small ones, and what keeps it from standing.

    Many small doubts together may keep the whole from standing. Then the largest of them are asked about, as many as
    must be settled: so a reading that does not stand always has a question, and stands once all are answered. Where it
    cannot stand, since it breaks the rules, only what is no small doubt by itself is asked.

    >>> small, large = (Question(QuestionKind.HIDDEN, text, doubt=d) for text, d in (("few?", 0.04), ("many?", 0.3)))
    >>> [str(question) for question in to_be_asked([small, large])]
    ['many?']
    >>> [str(question) for question in to_be_asked([small] * 3)]
    ['few?']
    """
    ordered = sorted(doubts, key=lambda question: -(question.doubt or 0.0))
    left = chance_without(ordered)
    asked = []
    for question in ordered:
        doubt = question.doubt or 0.0
        if doubt <= 1 - PART_SURE_FROM and (chance_of_whole(left) >= WHOLE_STANDS_FROM or not may_stand):
            break
        asked.append(question)
        left = left / (1 - doubt) if doubt < 1 else chance_without(ordered[len(asked) :])
    return asked


def ask_about_broken_rules(places: int) -> Question:
    """The question about places at which the cards as read break the rules."""
    return Question(
        QuestionKind.RULES, f"at {places} place{'s' if places > 1 else ''} the cards as read break the rules"
    )
