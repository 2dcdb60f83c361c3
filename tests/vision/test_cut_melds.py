"""A row of cards that the edge of the picture cuts may go on beyond it."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards import parse_card
from solver.place import Place
from vision.cut_off import ask_about_cut_off
from vision.read_card import Photo, ReadCard, Sight

FLOOR = Place("floor", 0)


def card(x: float, y: float, place: Place) -> ReadCard:
    quad = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
    return ReadCard(parse_card("5H"), 1.0, (), place, (Sight(0, quad),))


def cut(*at: float, y: float = 100.0, place: Place = FLOOR) -> list[int]:
    questions = ask_about_cut_off([card(x, y, place) for x in at], [], [Photo("one", 640, 360)], [np.eye(3)])
    return [number for question in questions for number in question.cards]


def test_the_end_that_the_edge_cuts_is_asked_about() -> None:
    assert cut(20, 60, 100) == []
    assert cut(-10, 30, 70) == [0]
    assert cut(540, 560, 600) == [2]
    assert cut(540, 560, 600, place=Place("hand")) == [2]


@pytest.mark.parametrize("place", [Place("cross", 0), Place("column", 1)])
def test_what_lies_in_no_row_is_not(place: Place) -> None:
    assert cut(-10, 30, 70, place=place) == []


def test_a_row_along_the_edge_ends_where_a_corner_shows_it() -> None:
    assert cut(100, 140, 180, y=320.0, place=Place("hand")) == []


def test_a_card_at_the_edge_that_lies_far_from_its_row_is_asked_about() -> None:
    row = [card(x, 250.0, Place("hand")) for x in (300, 340, 380)]
    questions = ask_about_cut_off([*row, card(600, 20.0, Place("hand"))], [], [Photo("one", 640, 360)], [np.eye(3)])
    assert [question.cards for question in questions] == [(3,)]
    assert cut(600) == [0], "a card by itself, too"


def test_another_picture_that_shows_the_end_is_enough() -> None:
    meld = [card(x, 100.0, FLOOR) for x in (540, 560, 600)]
    aside = np.array([[1.0, 0, 300], [0, 1, 0], [0, 0, 1]])
    photos = [Photo("one", 640, 360), Photo("other", 640, 360)]
    assert ask_about_cut_off(meld, [], photos, [np.eye(3), aside]) == []
    assert len(ask_about_cut_off(meld, [], photos, [np.eye(3), None])) == 1
