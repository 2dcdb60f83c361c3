"""Columns of Klondike that would lie beyond the edge of the picture, and the row above them, are asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from solver.cards import parse_card
from solver.place import Place
from vision.cut_off import ask_about_cut_off
from vision.read_card import Photo, ReadBack, ReadCard, Sight

WIDTH, HEIGHT, STEP = 60.0, 90.0, 70.0
LEFT, UPPER = 20.0, 150.0
PHOTO = Photo("one", 540, 400)
"""Seven columns fit, and a row above them."""
FOUNDATIONS = {Place("foundation", suit): (LEFT + (3 + suit) * STEP, UPPER - 1.2 * HEIGHT) for suit in range(4)}


def lying(place: Place, x: float, y: float, quarter: int = 0) -> ReadCard:
    """A card by its upper left corner; `quarter` turns the whole picture about its middle."""
    corners = np.array([(x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT)])
    middle = np.array([PHOTO.width, PHOTO.height]) / 2
    for _ in range(quarter):
        corners = (corners - middle) @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + middle
    quad = tuple((float(px), float(py)) for px, py in corners)
    return ReadCard(parse_card("5H"), 1.0, (), place, (Sight(0, quad),))  # type: ignore[arg-type]


def asked(
    columns: Sequence[int],
    others: Mapping[Place, tuple[float, float]] | None = None,
    *,
    cut: tuple[float, float, float, float] = (0, 0, 0, 0),
    quarter: int = 0,
    in_words: bool = False,
) -> list[str]:
    """What is asked where a picture without so many px (left, upper, right, lower) shows these columns."""
    left, upper, right, lower = cut
    table = {Place("column", k): (LEFT + k * STEP, UPPER + 10 * k) for k in columns} | dict(others or {})
    cards = [lying(place, x, y, quarter) for place, (x, y) in table.items()]
    photo = Photo("one", int(PHOTO.width - left - right), int(PHOTO.height - upper - lower))
    moved = np.array([[1.0, 0, -left], [0, 1, -upper], [0, 0, 1]])
    shown = [
        ReadCard(card.card, 1.0, (), card.place, (Sight(0, tuple((x - left, y - upper) for x, y in card.quad or ())),))  # type: ignore[arg-type]
        for card in cards
    ]
    to_map = np.linalg.inv(moved)
    found = ask_about_cut_off(shown, [], [photo], [to_map])
    open_ones = [question for question in found if "I see no stock" not in question.text]
    return [str(question.place or (question.text if in_words else "above")) for question in open_ones]


@pytest.mark.parametrize("quarter", [0, 2])
def test_a_picture_that_shows_all_places_leaves_nothing_to_ask(quarter: int) -> None:
    assert asked(range(7), quarter=quarter) == []
    assert asked([0, 2, 3, 4, 6], FOUNDATIONS, quarter=quarter) == []
    assert asked([1, 2, 3, 4, 5], quarter=quarter) == [], "columns 1 and 7 are empty, and one sees that they are"


def test_a_column_beyond_the_edge_is_asked_about() -> None:
    assert asked(range(1, 7), cut=(LEFT + STEP, 0, 0, 0)) == ["column/0"]
    assert asked(range(5), cut=(0, 0, PHOTO.width - LEFT - 5 * STEP, 0)) == ["column/5", "column/6"]


def test_the_row_above_is_not_said_to_be_beyond_a_picture_that_shows_some_room_for_it() -> None:
    text = "the picture does not show the whole row above the columns: does a card lie beyond its edge?"
    assert asked(range(7), cut=(0, UPPER - 60, 0, 0), in_words=True) == [text]


def test_the_row_above_is_asked_about_where_the_picture_cuts_it() -> None:
    assert asked(range(7), cut=(0, UPPER - 5, 0, 0)) == ["above"]
    only_one = {Place("foundation", 0): FOUNDATIONS[Place("foundation", 0)]}
    assert asked(range(7), only_one) == []
    assert asked(range(7), only_one, cut=(LEFT + STEP, 0, 0, 0)) == ["above"], "the row goes on beyond the left edge"


def test_a_row_that_lies_elsewhere_or_is_seen_whole_is_not() -> None:
    aside = {Place("foundation", 1): (LEFT, UPPER + 1.5 * HEIGHT)}
    assert asked(range(7), aside, cut=(0, UPPER - 5, 0, 0)) == []
    waste_aside = {Place("waste"): (LEFT, UPPER + 1.5 * HEIGHT)}
    assert asked(range(7), waste_aside, cut=(0, UPPER - 5, 0, 0)) == ["above"], "the foundations may lie there"
    assert asked(range(7), waste_aside, cut=(0, UPPER - 60, 0, 0)) == [], "their lower ends would be seen"
    assert asked(range(7), waste_aside, cut=(0, UPPER - 40, 0, 0)) == ["above"], "too little room to tell"
    seen_whole = FOUNDATIONS | {Place("waste"): (LEFT + 2 * STEP, UPPER - 1.25 * HEIGHT)}
    assert asked(range(7), seen_whole, cut=(LEFT + STEP, 0, 0, 0)) == []
    assert asked(range(7), FOUNDATIONS, cut=(LEFT + STEP, 0, 0, 0)) == ["above"], "the waste may lie there"


def test_a_column_whose_last_card_the_picture_cuts_may_go_on() -> None:
    def asked_above(lower_edge: float) -> list[str]:
        return asked(range(7), cut=(0, 0, 0, PHOTO.height - UPPER - lower_edge))

    assert asked_above(HEIGHT + 60) == []
    assert asked_above(0.2 * HEIGHT) == ["column/0"]
    assert asked_above(0.6 * HEIGHT + 8) == ["above"], "one question about all of them, of no single place"
    cards = [lying(Place("column", k), LEFT + k * STEP, UPPER + 10 * k) for k in range(7)]
    photo = Photo("one", PHOTO.width, int(UPPER + 0.6 * HEIGHT + 8))
    (question,) = ask_about_cut_off(cards, [], [photo], [np.eye(3)])
    assert question.text == "the picture ends in columns 2, 3, 4, 5 and 6: does a card lie there?"


def test_waste_and_foundations_that_the_picture_cuts_may_go_on() -> None:
    row = {Place("waste"): (LEFT + 6 * STEP, UPPER - 120), Place("foundation", 0): (LEFT, UPPER - 120)}
    assert asked(range(7), row) == []
    assert asked(range(7), row, cut=(0, 0, 55, 0)) == ["waste"]
    assert asked(range(7), row, cut=(LEFT + 25, 0, 0, 0)) == ["above"]
    assert asked(range(7), row, cut=(LEFT + 5, 0, 45, 0)) == []


@pytest.mark.parametrize(("x", "question"), [(PHOTO.width - 30.0, ["waste"]), (PHOTO.width - 75.0, [])])
def test_the_waste_is_asked_about_where_the_stock_beside_it_is_cut(x: float, question: list[str]) -> None:
    stock = ReadBack(Place("stock"), 0.9, lying(Place("stock"), x, 10.0).sights)
    cards = [lying(Place("column", k), LEFT + k * STEP, UPPER) for k in range(7)]
    found = ask_about_cut_off(cards, [stock], [PHOTO], [np.eye(3)])
    assert [str(one.place) for one in found] == question
    waste = lying(Place("waste"), x - 80, 10.0)
    assert ask_about_cut_off([*cards, waste], [stock], [PHOTO], [np.eye(3)]) == []


def test_after_the_deal_a_picture_without_stock_and_waste_does_not_show_the_whole_table() -> None:
    def texts(cards: Sequence[ReadCard]) -> list[str]:
        return [question.text for question in ask_about_cut_off(cards, [], [PHOTO], [np.eye(3)])]

    deal = [lying(Place("column", k), LEFT + k * STEP, UPPER) for k in range(7)]
    beyond = "I see no stock: does a waste of turned cards lie beyond the edge of the picture?"
    assert texts(deal) == []
    assert texts([*deal, lying(Place("column", 2), LEFT + 2 * STEP, UPPER + 20)]) == [beyond]
    assert texts([*deal, lying(Place("foundation", 0), LEFT, UPPER - 120)]) == [beyond]
    assert texts([*deal, *(lying(Place(kind, 0), LEFT, UPPER - 120) for kind in ("foundation", "waste"))]) == []


def test_two_columns_tell_of_no_other() -> None:
    assert asked([3, 4], cut=(LEFT + 3 * STEP, UPPER, 0, 0)) == []


def test_another_picture_that_shows_the_places_is_enough() -> None:
    cards = [lying(Place("column", k), LEFT + k * STEP - 200, UPPER) for k in range(3, 7)]
    photos = [Photo("one", 340, 400), Photo("other", 540, 400)]
    aside = np.array([[1.0, 0, -200], [0, 1, 0], [0, 0, 1]])
    waste = lying(Place("waste"), 200, 20)
    assert len(ask_about_cut_off([*cards, waste], [], photos, [np.eye(3), None])) == 3
    assert ask_about_cut_off([*cards, waste], [], photos, [np.eye(3), aside]) == []


NINE = {
    Place("corner", 0): (100.0, 50.0),
    Place("spare", 0): (180.0, 50.0),
    Place("corner", 1): (260.0, 50.0),
    Place("spare", 1): (100.0, 160.0),
    Place("centre"): (180.0, 160.0),
    Place("spare", 2): (260.0, 160.0),
    Place("corner", 2): (100.0, 270.0),
    Place("spare", 3): (180.0, 270.0),
}
LAST = Place("corner", 3)


TURNED = {Place("discard"): (30.0, 150.0), Place("waste", 0): (30.0, 150.0)}
"""The cards that were turned from the deck, with one deck and with two."""


def asked_of_tomb(
    table: Mapping[Place, tuple[float, float]], width: int, height: int, closed: str | None = None
) -> list[str]:
    """What is asked of a table beside which turned cards lie, or else only a pile face down, or neither."""
    beside = {} if closed is not None else TURNED
    cards = [lying(place, x, y) for place, (x, y) in {**table, **beside}.items()]
    deck = [ReadBack(Place(closed), 0.9, lying(Place(closed), 20, 150).sights)] if closed else []
    found = ask_about_cut_off(cards, deck, [Photo("one", width, height)], [np.eye(3)])
    return [str(question.place or "corner") for question in found]


def test_a_pile_of_the_nine_beyond_the_edge_is_asked_about() -> None:
    assert asked_of_tomb(NINE, 400, 400) == [], "the last corner is empty, and one sees that it is"
    above = {place: at for place, at in NINE.items() if at[1] < 200}
    assert asked_of_tomb(above, 400, 300) == ["corner/2", "corner/3", "spare/3"]
    assert asked_of_tomb({**NINE, LAST: (260.0, 270.0)}, 400, 400) == []


def test_piles_that_lie_in_no_grid_tell_of_no_other() -> None:
    strewn = {place: (x + 170 * (n % 2), y) for n, (place, (x, y)) in enumerate(NINE.items())}
    assert asked_of_tomb(strewn, 400, 300) == []
    assert asked_of_tomb({place: NINE[place] for place in list(NINE)[:3]}, 400, 130) == [], "three in a row"


def test_foundations_of_the_two_deck_tomb_and_its_tableau_are_asked_about() -> None:
    edges = (NINE[Place("spare", n)] for n in range(4))
    table = {Place("reserve", n): at for n, at in enumerate(edges)} | {Place("centre"): NINE[Place("centre")]}
    tableau = {Place("tableau", n): (340.0, 20.0 + 100 * n) for n in range(4)}
    assert asked_of_tomb(table | tableau, 420, 430) == []
    assert asked_of_tomb(table | tableau, 420, 330) == [], "no corner's middle is cut, all of the tableau is read"
    without_last = {place: at for place, at in tableau.items() if place.number != 3}
    assert asked_of_tomb(table | without_last, 420, 340) == ["tableau/3"]
    assert asked_of_tomb({place: at for place, at in table.items() if place.number != 3}, 420, 250) == [
        "reserve/3",
        "corner",
    ]


@pytest.mark.parametrize(("kind", "closed"), [("spare", "deck"), ("reserve", "stock")])
def test_where_no_card_was_turned_the_picture_is_to_show_the_deck_and_end_at_no_pile(kind: str, closed: str) -> None:
    edges = {Place(kind, n): NINE[Place("spare", n)] for n in range(4)} | {Place("centre"): NINE[Place("centre")]}
    assert asked_of_tomb(edges, 400, 400, closed) == []
    assert asked_of_tomb(edges, 400, 400, "") == ["corner"]
    assert asked_of_tomb(edges, 400, 362, closed) == ["corner"]
