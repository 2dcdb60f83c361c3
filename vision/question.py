"""What a person is asked about a reading: a place on the table, a question, and its choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from solver.place import Place


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
    """Whether photos of one table were put together right."""
    APART = "apart"
    """A photo that does not join the others."""
    RULES = "rules"
    """The cards as read break the rules: it ends where the position is put right."""


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
    """

    kind: QuestionKind
    text: str
    place: Place | None = None
    choices: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    photos: tuple[int, ...] = ()
    doubt: float | None = None

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {
            "kind": str(self.kind),
            "text": self.text,
            "place": None if self.place is None else str(self.place),
            "choices": list(self.choices),
            "cards": list(self.cards),
            "photos": list(self.photos),
            "doubt": self.doubt,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        """The question of a JSON object that `to_json` made."""
        lists = {name: tuple(data[name]) for name in ("choices", "cards", "photos")}
        place = None if data["place"] is None else Place.parse(data["place"])
        return cls(QuestionKind(data["kind"]), data["text"], place, doubt=data["doubt"], **lists)


def ask_about_broken_rules(places: int) -> Question:
    """The question about places at which the cards as read break the rules."""
    return Question(
        QuestionKind.RULES, f"at {places} place{'s' if places > 1 else ''} the cards as read break the rules"
    )
