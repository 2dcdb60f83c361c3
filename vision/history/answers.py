"""What somebody who was there says of a table: facts under which the whole history is found anew.

An answer is a line of text: the photo, the place, and what is said of it.

>>> for line in ("02.jpg column/5: 4S from the stock", "02.jpg column/5: KH", "02.jpg column/5: 4"):
...     print(Answer.parse(line).says)
4S from the stock
KH
4
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from drawing.zones import place_name
from plumbing.errors import NotationError
from solver.cards import SUIT_CHARS, Card, MaybeCard, parse_card, parse_maybe_cards
from solver.place import Place
from vision.history.doubts import NEITHER, NO_CARD_UP, twin_of
from vision.history.sight import NO_CARD, STOCK, Belief, SeenPile, TableSight, ToldPile, belief_of, likeliest
from vision.history.table_state import COLUMNS
from vision.question import Question, QuestionKind

DRAW_PLACE: Final = Place("stock")
"""Of what it is said how many cards are turned at a time."""
DEAL_PLACE: Final = Place("column")
"""Of what it is said how many cards each column hides."""
NOTHING: Final = "none"
_EXPECTED: Final = "such as 02.jpg column/5: 4S from the stock"
_LINE: Final = re.compile(r"(?P<photo>.+?) (?P<place>[a-z]+(?:/[0-9CDHS])?): (?P<says>.+)")
_ORIGIN: Final = re.compile(r"(?P<card>\S+) from (?:the stock|column (?P<column>[1-7]))")
_CONTENT: Final = re.compile(r"(?P<down>[0-9]+) face down, (?P<up>.+)")
_LACKS: Final = re.compile(NEITHER.format(r"(?P<one>\S+)", r"(?P<other>\S+)"))
_COUNTS: Final = re.compile(r"[0-9]+(?: [0-9]+){6}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a place in a photo.

    Attributes:
        photo: The photo's name.
        place: Where: a column, all of them (`column`), the waste, the stock, or a suit's foundation (`foundation/C`).
        says: Of a column how many cards it hides, a card that lies in it, `neither 8D nor 8H` for two that do not,
            `4 face down, 5D 4S`, or where a card that came into sight had lain, as `4S from the stock` or `4S from
            column 6`; of all columns how many each hides; of the waste its top card or `none`, and of a foundation
            as well; of the stock how many cards are turned at a time.
    """

    photo: str
    place: Place
    says: str

    def __str__(self) -> str:
        return f"{self.photo} {self.place}: {self.says}"

    @classmethod
    def parse(cls, line: str) -> Self:
        """Reads an answer. Raises NotationError."""
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise NotationError(line, 1, "this is no answer", _EXPECTED)
        answer = cls(match["photo"], Place.parse(match["place"]), match["says"].strip())
        answer.check()
        return answer

    def check(self) -> None:
        """Raises NotationError where nothing that is said can be said of the place."""
        number, says = self.place.number, self.says
        match self.place.kind:
            case "column" if number is None:
                is_known = bool(_COUNTS.fullmatch(says)) and all(map(_is_count, says.split()))
            case "column" if (number or 0) < COLUMNS:
                is_known = _is_count(says) or bool(origins_told(says) or lacking_told(says)) or _is_content(says)
            case "waste":
                is_known = says == NOTHING or bool(origins_told(says)) or bool(parse_card(says))
            case "foundation":
                is_known = number is not None and (says == NOTHING or parse_card(says).suit == number)
            case "stock":
                is_known = says in ("1", "3") or bool(origins_told(says))
            case _:
                is_known = False
        if not is_known:
            raise NotationError(says, 1, f"{says!r} says nothing of {self.place}", self._expected)

    @property
    def _expected(self) -> str:
        """What would say something of the place."""
        match self.place.kind:
            case "stock":
                return "how many cards are turned at a time, 1 or 3"
            case "waste":
                return f"the card on top, such as 4S, or {NOTHING}"
            case "foundation" if self.place.number is not None:
                return f"its top card, such as 2{SUIT_CHARS[self.place.number]}, or {NOTHING}"
            case _:
                return _EXPECTED

    @property
    def is_count(self) -> bool:
        """Whether it says how many cards columns hide, and nothing else."""
        return self.place.kind == "column" and all(map(_is_count, self.says.split()))

    def settles(self, photo: str, question: Question) -> bool:
        """Whether a question about a photo is answered."""
        if self.photo != photo:
            return False
        is_origin = question.kind is QuestionKind.ORIGIN
        if origins := dict(origins_told(self.says)):
            return is_origin and any(
                {card for card, _ in origins_told(choice)} <= origins.keys() for choice in question.choices
            )
        if self.place != question.place or is_origin:
            return False
        return self._tells_all or not question.choices or self.says in question.choices

    @property
    def _tells_all(self) -> bool:
        """Whether it leaves nothing open of its place: not so where it names one card of a column, which holds more."""
        return self.place.kind != "column" or self.is_count or bool(_CONTENT.fullmatch(self.says))


def _is_count(says: str) -> bool:
    """Whether so many cards may lie in a column."""
    return says.isdecimal() and len(says) < 3 and int(says) <= NO_CARD


def _is_content(says: str) -> bool:
    """Whether it is all that lies in a column, or one card of it. Raises NotationError for what are no cards."""
    content = _CONTENT.fullmatch(says)
    if content is None:
        return bool(parse_card(says))
    cards = content["up"]
    return _is_count(content["down"]) and (cards == NO_CARD_UP or 0 < len(parse_maybe_cards(cards)) <= NO_CARD)


def origins_told(says: str) -> tuple[tuple[int, int], ...]:
    """The cards that came into sight, and the column in which each lay, or STOCK; empty for another answer."""
    found = [_ORIGIN.fullmatch(part) for part in says.split(", ")]
    if not all(found):
        return ()
    parts = ((parse_card(m["card"]).index, m["column"]) for m in found if m is not None)
    return tuple((card, STOCK if column is None else int(column) - 1) for card, column in parts)


def say_origins(origins: Iterable[tuple[int, int]]) -> str:
    """Where cards lay that came into sight, as an answer says it; `origins_told` reads it.

    >>> say_origins([(7, STOCK), (20, 2)])
    '8C from the stock, 8D from column 3'
    """
    return ", ".join(f"{Card.from_index(card)} from {say_origin(column)}" for card, column in origins)


def say_origin(column: int) -> str:
    """What people call the pile where a card lay: a column, or STOCK."""
    return "the stock" if column == STOCK else place_name(Place("column", column))


def lacking_told(says: str) -> frozenset[int]:
    """The cards that do not lie in a column; empty for another answer. Raises NotationError for what are no cards."""
    lacks = _LACKS.fullmatch(says)
    return frozenset() if lacks is None else frozenset(parse_card(name).index for name in lacks.groups())


def draw_told(answers: Iterable[Answer]) -> int | None:
    """How many cards are turned at a time; None where nobody said it."""
    return next((int(a.says) for a in answers if a.place == DRAW_PLACE and a.says.isdecimal()), None)


def counts_told(answers: Iterable[Answer]) -> dict[str, dict[int, int]]:
    """How many cards columns hide in photos, by column, as somebody said it of one column or of all."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for answer in answers:
        if answer.is_count:
            says = (
                enumerate(answer.says.split()) if answer.place == DEAL_PLACE else [(answer.place.ordinal, answer.says)]
            )
            found[answer.photo] |= {column: int(count) for column, count in says}
    return dict(found)


def deal_told(answers: Iterable[Answer], photo: str) -> bool:
    """Whether it was said how many cards each column hides in a photo."""
    return any(answer.place == DEAL_PLACE and answer.photo == photo for answer in answers)


def tell_sights(files: Sequence[str], sights: Sequence[TableSight], answers: Iterable[Answer]) -> list[TableSight]:
    """What photos show, with what was said of them.

    Args:
        files: The names of the photos.
        sights: What each shows.
        answers: What was said.
    """
    told = list(sights)
    for answer in answers:
        if answer.photo in files:
            _tell(told, files.index(answer.photo), answer)
    return told


def _tell(sights: list[TableSight], photo: int, answer: Answer) -> None:
    says, place = answer.says, answer.place
    if origins := origins_told(says):
        sights[photo] = replace(sights[photo], origins=(*sights[photo].origins, *origins))
    elif place.kind == "waste":
        is_empty = says == NOTHING
        shown = () if is_empty else (*sights[photo].waste[:-1], _sure(parse_card(says).index))
        sights[photo] = replace(sights[photo], waste=shown, no_waste=is_empty)
    elif place.kind == "foundation":
        others = tuple(top for top in sights[photo].foundations if likeliest(top) // 13 != place.number)
        told_top = () if says == NOTHING else (_sure(parse_card(says).index),)
        sights[photo] = replace(sights[photo], foundations=others + told_top)
    elif place == DEAL_PLACE:
        for column, count in enumerate(says.split()):
            _tell_count(sights, photo, column, int(count))
    elif place.kind == "column" and says.isdecimal():
        _tell_count(sights, photo, place.ordinal, int(says))
    elif content := _CONTENT.fullmatch(says):
        down, shows_none = int(content["down"]), content["up"] == NO_CARD_UP
        _tell_count(sights, photo, place.ordinal, down)
        cards = tuple(map(_sure_of, () if shows_none else parse_maybe_cards(content["up"])))
        pile = sights[photo].columns[place.ordinal]
        told = (pile.told or ToldPile())._replace(shown=len(cards))
        backs = max(pile.backs, int(shows_none and down > 0))
        _put(sights, photo, place.ordinal, replace(pile, cards=cards, backs=backs, told=told))
    elif lacks := lacking_told(says):
        pile = sights[photo].columns[place.ordinal]
        told = pile.told or ToldPile()
        _put(sights, photo, place.ordinal, replace(pile, told=told._replace(lacks=told.lacks | lacks)))
    elif place.kind == "column":
        _tell_card(sights, photo, place.ordinal, parse_card(says).index)


def _tell_count(sights: list[TableSight], photo: int, column: int, count: int) -> None:
    """Before that photo no column hides less, and after it none more, as long as it is not emptied."""
    for number, sight in enumerate(sights):
        pile = sight.columns[column]
        told = pile.told or ToldPile()
        if number <= photo:
            told = told._replace(least=max(told.least, count))
        if number >= photo:
            told = told._replace(most=count if told.most is None else min(told.most, count))
        _put(sights, number, column, replace(pile, told=told))


def _tell_card(sights: list[TableSight], photo: int, column: int, card: int) -> None:
    pile = sights[photo].columns[column]
    told = pile.told or ToldPile()
    names = (card, twin_of(card))
    cards = tuple(_sure(card) if likeliest(belief) in names else belief for belief in pile.cards)
    _put(sights, photo, column, replace(pile, cards=cards, told=told._replace(holds=told.holds | {card})))


def _put(sights: list[TableSight], photo: int, column: int, pile: SeenPile) -> None:
    columns = sights[photo].columns
    sights[photo] = replace(sights[photo], columns=(*columns[:column], pile, *columns[column + 1 :]))


def _sure_of(card: MaybeCard) -> Belief:
    return belief_of(np.zeros(NO_CARD)) if card is None else _sure(card.index)


def _sure(card: int) -> Belief:
    return belief_of(np.where(np.arange(NO_CARD) == card, 0.0, -60.0))


def order_questions(rows: Iterable[tuple[str, Sequence[Question]]]) -> list[tuple[str, Question]]:
    """The questions about photos that an answer settles, in the order in which they are put, with the photos' names.

    Args:
        rows: The photos in the order of time, with what is asked of them.

    First comes how many cards are turned at a time: that is easy to say, and all draws hang on it. Then what lies face
    down in columns: a look at the photo settles it, and much of what else is asked may hang on a wrong number. Then
    those by which most tables are likely to be put right: their own and all later ones, but for the waste, which
    changes with each draw. Last comes which card it was that lay in a column: no other table hangs on it.
    """
    photos = list(rows)
    found = [
        (number, photo, question)
        for number, (photo, checks) in enumerate(photos)
        for question in checks
        if question.choices and question.place
    ]

    def rank(item: tuple[int, str, Question]) -> tuple[bool, bool, bool, float]:
        number, _, question = item
        columns = [[column for _, column in origins_told(choice)] for choice in question.choices]
        names_one = bool(columns[0]) and all(own == columns[0] for own in columns)
        is_draw, is_seen = question.kind is QuestionKind.DRAW, question.kind is QuestionKind.HIDDEN
        is_of_waste = question.place == Place("waste")
        tables = 1 if is_of_waste else len(photos) - min((number, *question.photos))
        return not is_draw, names_one, not is_seen, -(question.doubt or 0.0) * tables

    return [(photo, question) for _, photo, question in sorted(found, key=rank)]
