"""Where photos show what a question about a recorded game is about: its own photo, and the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from solver.place import Place
from vision.history.sight import TableSight
from vision.history.table_state import COLUMNS
from vision.question import Question
from vision.read_card import Quad, Sight

_NAMED: Final = re.compile(r"from (the stock|column ([1-7]))")


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
    found = (Sight(number, quad) for number, sight in shown if sight is not None and (quad := _around(sight, places)))
    return replace(question, sights=tuple(found)) if places else question


def _places_of(question: Question) -> Iterator[Place]:
    """The piles between which a person has to tell: its own place, and those that its answers name."""
    if question.place is None:
        return
    if question.place == Place("column"):
        yield from (Place("column", number) for number in range(COLUMNS))
    else:
        yield question.place
    for match in chain.from_iterable(map(_NAMED.finditer, question.choices)):
        yield Place("stock") if match[2] is None else Place("column", int(match[2]) - 1)


def _around(sight: TableSight, places: Sequence[Place]) -> Quad | None:
    """The box round some piles in a photo; round all that lies there where none of them holds a card."""
    found = [quad for place in places for quad in sight.outlines.get(place, ())]
    corners = list(chain.from_iterable(found or chain.from_iterable(sight.outlines.values())))
    if not corners:
        return None
    xs, ys = zip(*corners, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    return (left, top), (right, top), (right, bottom), (left, bottom)
