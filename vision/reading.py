"""What photos of a table show: the position with how sure it is, what else it could be, and what should be checked.

`vision.photo_to_reading` makes a reading, and `vision.judgement` asks the solver about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from drawing.zones import place_in_words
from plumbing.errors import CardsError
from solver.games import find_game, parse, position_from_json
from solver.notation import json_error
from solver.position import Position
from vision.confidence import WHOLE_STANDS_FROM, chance_of_whole
from vision.question import Question, QuestionKind, chance_without
from vision.read_card import Photo, ReadBack, ReadCard

NO_HAND: Final = "no hand is seen in the photo: give its cards, or a photo of it"
NOTEBOOK_WIDTH: Final = 900
"""Largest width of a photo in a notebook, px."""


@dataclass(frozen=True, slots=True)
class Readable:
    """Whether what is seen is enough for a position.

    Attributes:
        ok: Whether a verdict may be given at all.
        reasons: What stands in the way and what would help, one sentence each.
    """

    ok: bool = True
    reasons: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a reading's `readable`."""
        return {"ok": self.ok, "reasons": list(self.reasons)}


@dataclass(frozen=True, slots=True)
class Reading:
    """What one or several photos of a table show. `Reading.from_json(reading.to_json()) == reading`.

    Attributes:
        photos: The photos, in the order in which they were given; one of the hand comes last.
        game: The game's word; `cards` if it is no game that is known; None if no card was found and no game was named.
        game_confidence: Probability that it is this game (or none), 1 if it was named.
        cards: Face-up cards, each with its places in the photos.
        backs: Face-down cards.
        position: The position, None if there is none; `problems` says whether it is legal.
        notes: What the photos cannot show.
        checks: What a person should look at besides doubtful cards.
        others: Further likely positions with their log-probability relative to this one, best first.
        times: Seconds of each stage; two readings are equal whatever time they took.
        readable: Whether what is seen is enough for a position.
        position_probability: Probability that the position is right in everything: cards, layout and game.
        likeliest: The known game that is nearest if `game` is `cards`; None if none is near.
        also_asked: Numbers of cards that are sure enough by themselves, but not for the whole to stand.
    """

    photos: tuple[Photo, ...]
    game: str | None
    game_confidence: float
    cards: tuple[ReadCard, ...]
    backs: tuple[ReadBack, ...]
    position: Position[Any] | None
    notes: tuple[str, ...] = ()
    checks: tuple[Question, ...] = ()
    others: tuple[tuple[float, Position[Any]], ...] = ()
    times: Mapping[str, float] = field(default_factory=dict, compare=False)
    readable: Readable = Readable()
    position_probability: float = 1.0
    likeliest: str | None = None
    also_asked: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """Width of the first photo, px."""
        return self.photos[0].width

    @property
    def height(self) -> int:
        """Height of the first photo, px."""
        return self.photos[0].height

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the position is not legal, one sentence each."""
        return () if self.position is None else self.position.problems()

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Numbers of the cards that a person should look at, the most doubtful first."""
        rows = [n for n, card in enumerate(self.cards) if card.doubtful or n in self.also_asked]
        return tuple(sorted(rows, key=lambda n: self.cards[n].confidence))

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that a person should look at: doubtful cards, the most doubtful first, then `checks`."""
        return (*(_ask_about_card(n, self.cards[n]) for n in self.doubtful), *self.checks)

    @property
    def unquestioned(self) -> bool:
        """Whether nothing is put to a person: no card, no place is in doubt, and the position is legal and stands."""
        asked = self.doubtful or self.checks or self.problems or self.position is None
        return not asked and self.readable.ok and self.position_probability >= WHOLE_STANDS_FROM

    def chance_while_open(self, waiting: Iterable[Question]) -> float:
        """Probability that the whole is right once a person has answered all questions but these.

        What is too sure to be asked about lets the whole stand, so it does once nothing waits; unless nothing was asked
        or the rules are broken.
        """
        if self.problems or not self.questions:
            return self.position_probability
        left = chance_of_whole(chance_without(waiting)) * WHOLE_STANDS_FROM
        return max(self.position_probability, left)

    @property
    def lacks_hand(self) -> bool:
        """Whether the game is about a hand, and none was seen or given."""
        position = self.position
        return position is not None and find_game(position.game).takes_hand and not position.to_json()["hand"]

    def with_rules(self, rules: Mapping[str, Any] | None) -> Reading:
        """The reading with its positions under other rules, given as in a position's JSON; None: the game's own."""
        if self.position is None:
            return self

        def under_rules(position: Position[Any]) -> Position[Any]:
            body = {name: value for name, value in position.to_json().items() if name != "rules"}
            return position_from_json(body | ({"rules": dict(rules)} if rules else {}))

        others = tuple((relative, under_rules(other)) for relative, other in self.others)
        return replace(self, position=under_rules(self.position), others=others)

    def to_json(self) -> dict[str, Any]:
        """The reading's JSON object. If there are several photos, each card says which of them its numbers are of."""
        several = len(self.photos) > 1
        doubtful = [
            {"number": n, "card": card.text, "zone": str(card.place), "confidence": card.confidence}
            for n in self.doubtful
            for card in [self.cards[n]]
        ]
        return {
            "image": {"width": self.width, "height": self.height},
            "photos": [photo.to_json() for photo in self.photos],
            "game": self.game,
            "game_confidence": self.game_confidence,
            "likeliest": self.likeliest,
            "readable": self.readable.to_json(),
            "stands": self.position_probability,
            "cards": [card.to_json(named=several) for card in self.cards],
            "backs": [back.to_json(named=several) for back in self.backs],
            "position": None if self.position is None else self.position.to_json(),
            "line": None if self.position is None else str(self.position),
            "others": [[relative, str(position)] for relative, position in self.others],
            "problems": [str(problem) for problem in self.problems],
            "notes": [*self.notes, *map(str, self.checks)],
            "checks": [str(check) for check in self.checks],
            "doubtful": doubtful,
            "questions": [question.to_json() for question in self.questions],
            "times": dict(self.times),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """The reading of a JSON object that `to_json` made; what an older version did not write has its default.

        Raises:
            NotationError: For what is no reading.
        """
        expected = "an object that Reading.to_json or vision.detect --json made"
        if not isinstance(data, Mapping):
            raise json_error(data, "not a JSON object", expected)
        try:
            return cls._from_json(data)
        except CardsError:
            raise
        except KeyError as error:
            raise json_error(data, f"a reading without {error}", expected) from error
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise json_error(data, f"no reading ({error})", expected) from error

    @classmethod
    def _from_json(cls, data: Mapping[str, Any]) -> Reading:
        questions = [Question.from_json(row) for row in data.get("questions", ())]
        notes, checks = data.get("notes", ()), data.get("checks", ())
        readable = data.get("readable", {"ok": True, "reasons": ()})
        position = data.get("position")
        cards = tuple(map(ReadCard.from_json, data["cards"]))
        asked = [n for question in questions if question.kind is QuestionKind.CARD for n in question.cards]
        return cls(
            photos=tuple(map(Photo.from_json, data.get("photos") or [data["image"]])),
            game=data["game"],
            game_confidence=data.get("game_confidence", 1.0),
            cards=cards,
            backs=tuple(map(ReadBack.from_json, data["backs"])),
            position=None if position is None else position_from_json(position),
            notes=tuple(notes[: len(notes) - len(checks)]),
            checks=tuple(question for question in questions if question.kind is not QuestionKind.CARD),
            others=tuple((relative, parse(line)) for relative, line in data.get("others", ())),
            times=dict(data.get("times", {})),
            readable=Readable(readable["ok"], tuple(readable["reasons"])),
            position_probability=data.get("stands", 1.0),
            likeliest=data.get("likeliest"),
            also_asked=tuple(sorted(n for n in asked if not cards[n].doubtful)),
        )

    def _repr_html_(self) -> str:
        """Photos with outlines, the table, and what should be checked, for a notebook."""
        from vision.notebook_view import reading_html

        pictures = []
        for number, photo in enumerate(self.photos):
            image = _image_of(photo)
            if image is not None:
                pictures.append(annotate(image, self, number))
        table = None if self.position is None else self.position.to_json()
        return reading_html(pictures, table, [*self.questions, *self.readable.reasons], NOTEBOOK_WIDTH)


def annotate(image: NDArray[np.uint8], reading: Reading, photo: int = 0) -> NDArray[np.uint8]:
    """A copy of a photo with the reading drawn on it; the photo itself is left alone.

    Args:
        image: uint8 (height, width, 3), red first, the photo that was read.
        reading: What was read from it.
        photo: Number of the photo among those of the reading.
    """
    from vision.annotated_photo import draw_outlines

    return draw_outlines(image, reading.cards, reading.backs, photo, all_backs=reading.game is None)


def _image_of(photo: Photo) -> NDArray[np.uint8] | None:
    """The photo as an array; None if it was neither given as one nor is a file that is still there."""
    from vision.image import load

    return load(photo.name) if photo.image is None and Path(photo.name).is_file() else photo.image


def _ask_about_card(number: int, card: ReadCard) -> Question:
    """The question which card one is."""
    choices = (card.text, *(str(other) for other, _ in card.alternatives))
    text = f"{card.text} {place_in_words(card.place)} is {card.confidence:.0%} sure: please check it"
    doubt = round(1 - card.confidence, 4)
    sights = tuple(replace(sight, indices=()) for sight in card.sights)
    photos = tuple(sight.photo for sight in sights)
    return Question(QuestionKind.CARD, text, card.place, choices, (number,), photos, doubt, sights)
