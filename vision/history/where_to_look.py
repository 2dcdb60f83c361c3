"""Where photos show what a question about a recorded game is about: its own photo, and the one before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from solver.place import Place
from vision.history.answers import origins_told
from vision.history.sight import STOCK, TableSight, likeliest
from vision.history.table_state import COLUMNS
from vision.question import Question, QuestionKind
from vision.read_card import Point, Quad, Sight


def with_sights(question: Question, photo: int, sights: Sequence[TableSight | None]) -> Question:
    """A question with the part of its photo, and of the one before it, where a person has to look.

    Args:
        question: The question.
        photo: The number of its photo.
        sights: What each photo shows; None for one that was left out.
    """
    before = next((number for number in range(photo - 1, -1, -1) if sights[number] is not None), None)
    shown = ((number, sights[number]) for number in (before, photo) if number is not None)
    places = list(_places_of(question))
    cards = {card for card, _ in _origins_of(question)}
    seen = [(number, sight) for number, sight in shown if sight is not None]
    places += [place for _, sight in seen for place in _showing(sight, cards)]  # the same piles of both photos
    quads = ((number, _around(sight, places)) for number, sight in seen)
    ends = {number: tuple(_column_ends(sight)) for number, sight in seen}
    found = tuple(Sight(number, quad, columns=ends[number]) for number, quad in quads if quad is not None)
    has_place = question.place is not None and question.kind is not QuestionKind.DRAW  # which no photo shows
    return replace(question, sights=found) if has_place else question


def _places_of(question: Question) -> Iterator[Place]:
    """The piles between which a person has to tell: its own place, and those that its answers name."""
    if question.place is None:
        return
    if question.kind is QuestionKind.DEAL:
        yield from (Place("column", number) for number in range(COLUMNS))
    else:
        yield question.place.any_of_kind if question.place.kind == "foundation" else question.place
    for _, column in _origins_of(question):
        yield Place("stock") if column == STOCK else Place("column", column)


def _origins_of(question: Question) -> Iterator[tuple[int, int]]:
    """The cards that its answers name, and where each of them came from."""
    return chain.from_iterable(map(origins_told, question.choices))


def _showing(sight: TableSight, cards: Collection[int]) -> Iterator[Place]:
    """The piles in which a photo shows one of some cards."""
    piles = {Place("column", number): pile.cards for number, pile in enumerate(sight.columns)}
    piles |= {Place("waste"): sight.waste, Place("foundation"): sight.foundations}
    return (place for place, shown in piles.items() if not set(cards).isdisjoint(map(likeliest, shown)))


def _around(sight: TableSight, places: Sequence[Place]) -> Quad | None:
    """The box round some piles in a photo; round all that lies there where none of them holds a card."""
    found = [quad for place in places for quad in sight.outlines.get(place, ())]
    found = found or list(chain.from_iterable(sight.outlines.values()))
    return _box(found) if found else None


def is_from_across(sights: Sequence[TableSight]) -> bool:
    """Whether most photos show the first columns at the right, and the last at the left."""
    rows = [ends for sight in sights if len(ends := [end for _, end in _column_ends(sight)]) > 1]
    return 2 * sum(first - last > abs(y - top) for (first, top), *_, (last, y) in rows) > len(rows)


def _column_ends(sight: TableSight) -> Iterator[tuple[int, Point]]:
    """The number of each column that a photo shows, from 1, and the middle of the lower edge of what lies there.

    A photo may be taken from any side: which column is the first, nobody sees in it.
    """
    for number in range(COLUMNS):
        if quads := sight.outlines.get(Place("column", number)):
            _, _, (right, bottom), (left, _) = _box(quads)
            yield number + 1, ((left + right) / 2, bottom)


def _box(quads: Sequence[Quad]) -> Quad:
    xs, ys = zip(*chain.from_iterable(quads), strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    return (left, top), (right, top), (right, bottom), (left, bottom)
