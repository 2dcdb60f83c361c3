"""The order of the stock and the draws, from what photos show of the waste."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from vision.history.search_node import Event
from vision.history.stock_order import ONE, THREE, Draws, ShownWaste, turn_by
from vision.history.table_state import StockWaste, Turned, fresh_deal
from vision.history.turned_singly import HIDDEN, TUNING, SinglyTurned

ANY = Turned(StockWaste((), (), 0), 0)
"""How a card came to the top, of which the order of the stock knows nothing."""


def shows(card: int) -> Event:
    return Event("turn", card=card, turned=ANY)


def plays(card: int, column: int = 0) -> Event:
    return Event("waste", target=column, card=card, turned=ANY)


def order_of(draw: int, *photos: tuple[Event, ...] | ShownWaste) -> Draws:
    """The order that photos of a fresh deal tell."""
    shown = [photo if isinstance(photo, ShownWaste) else ShownWaste(photo) for photo in photos]
    return turn_by(draw, fresh_deal(draw), (ShownWaste(), *shown))


def known(draws: Draws) -> list[int]:
    return [card for card in (*draws.waste, *draws.stock) if card != HIDDEN]


@pytest.mark.parametrize("draw", [ONE, THREE])
def test_a_stock_that_is_never_turned_takes_no_draws(draw: int) -> None:
    found = turn_by(draw, fresh_deal(draw), ())
    assert (found.counts, found.stock) == ((), (HIDDEN,) * 24)


def test_a_card_that_is_turned_after_one_was_played_lies_behind_it() -> None:
    found = order_of(ONE, (shows(1),), (shows(2),), (plays(3), shows(2)), (plays(4), shows(2)))
    assert known(found) == [1, 2, 3, 4]
    assert found.counts == (1, 1, 1, 0, 1, 0)
    assert found.broken == 0


def test_a_card_that_comes_up_under_one_that_was_played_lies_before_it() -> None:
    found = order_of(ONE, (shows(1),), (shows(3),), (plays(3), shows(2)))
    assert known(found) == [1, 2, 3]
    assert found.counts == (1, 2, 0, 0)


def test_no_card_comes_up_under_the_last_one_of_the_waste() -> None:
    found = order_of(ONE, (shows(3),), ShownWaste((plays(3),), is_empty=True), (plays(2),))
    assert known(found) == [3, 2]
    assert found.counts == (1, 0, 1)
    by_three = order_of(THREE, (plays(1), plays(2), plays(3)), ShownWaste(is_empty=True), (shows(4),))
    assert (by_three.counts, by_three.broken) == ((1, 0, 0, 1), 0)


def test_an_order_is_told_anew_where_a_later_pass_shows_it() -> None:
    again = ShownWaste((shows(1),), stock=True), (shows(3),), (shows(2),)
    found = order_of(ONE, (shows(1),), (shows(2),), ShownWaste((), stock=False), *again)
    assert known(found) == [1, 3, 2]
    assert found.counts[:2] == (1, 23)  # all of the stock was turned


def test_cards_that_were_played_between_two_photos_are_played_as_the_stock_gives_them() -> None:
    found = order_of(THREE, (plays(1, 0), plays(3, 1), plays(2, 2)))
    assert found.broken == 0
    assert sum(found.counts) == 1
    piled = order_of(ONE, (plays(1), plays(3), plays(2)), (shows(3),))
    assert [event.card for event in piled.events[1]] == [1, 3, 2]  # they lie on each other


def test_three_at_a_time_show_every_third_card() -> None:
    found = order_of(THREE, (shows(1),), (shows(2),), (plays(2), shows(3)))
    assert found.stock[:6] == (HIDDEN, HIDDEN, 1, HIDDEN, 3, 2)
    assert order_of(THREE, ShownWaste((shows(3),), (1, 2, 3))).stock[:3] == (1, 2, 3)


def test_what_cannot_be_is_counted() -> None:
    twice = order_of(ONE, (plays(1), shows(2)), (shows(1),))
    assert twice.broken > 0
    assert len(twice.stock) == 24


def test_where_no_stock_is_left_nothing_lies_behind_what_is_shown() -> None:
    gone = order_of(ONE, (shows(1),), ShownWaste((shows(2),), stock=False))
    assert gone.stock[-1] == 2
    assert known(gone) == [1, 2]


def test_unseen_cards_that_can_lie_nowhere_are_no_end_of_the_search() -> None:
    nowhere = SinglyTurned((1,), open=(False, False), unseen=2, turned=1)
    assert list(nowhere.without_stock()) == [(TUNING.other_stock, nowhere)]


@pytest.mark.parametrize("draw", [ONE, THREE])
@pytest.mark.parametrize("seed", range(12))
def test_draws_of_a_game_that_was_played_are_never_more_than_were_made(seed: int, draw: int) -> None:
    rng = np.random.default_rng(seed)
    stock, waste = [int(card) for card in rng.permutation(24)], list[int]()
    photos, made = [ShownWaste()], 0
    for _ in range(8):
        events: list[Event] = []
        for _ in range(int(rng.integers(0, 3))):
            if not stock:
                stock, waste = waste, []
            waste, stock = waste + stock[:draw], stock[draw:]
            made += 1
            if rng.random() < 0.4:
                events.append(plays(waste.pop(), int(rng.integers(7))))
        events += [shows(waste[-1])] if waste else []
        photos.append(ShownWaste(tuple(events), tuple(waste[-1:]), bool(stock)))
    found = turn_by(draw, fresh_deal(draw), tuple(photos))
    assert len(found.stock) == 24
    assert found.broken == 0
    assert sum(found.counts) <= made


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_what_is_known_of_a_pile_stays_in_order(order: tuple[int, ...]) -> None:
    pile = SinglyTurned.of(StockWaste((), (-1,), 24))
    for card in order:
        _, _, pile = next(pile.shows(card))
    cards, at_first = pile.all_cards(SinglyTurned.of(StockWaste((), (-1,), 24)))
    assert (cards[:3], at_first, len(cards)) == (order, 0, 24)
