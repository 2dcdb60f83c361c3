"""What the photos of a game leave open is asked, however well one history explains them."""

from __future__ import annotations

import numpy as np

from solver.cards import parse_card
from vision.history.doubts import ask_about_counts, ask_about_untold, find_counts, find_untold, shown_cards, twin_of
from vision.history.sight import SeenPile, TableSight, belief_of
from vision.history.table_state import COLUMNS, FIRST_LABEL, TableState, Talon

DOWN = (FIRST_LABEL, FIRST_LABEL + 1)


def pile(cards: str = "", counted: int | None = None) -> SeenPile:
    beliefs = tuple(belief_of(np.where(np.arange(52) == parse_card(card).index, 0.0, -20.0)) for card in cards.split())
    counts = () if counted is None else tuple(np.where(np.arange(7) == counted, -0.01, -6.0).tolist())
    return SeenPile(beliefs, counts)


def sight(first: SeenPile, foundations: str = "") -> TableSight:
    return TableSight((first, *[SeenPile()] * (COLUMNS - 1)), pile(foundations).cards)


def state(up: str, down: tuple[int, ...] = DOWN) -> TableState:
    cards = tuple(parse_card(card).index for card in up.split())
    return TableState((down, *[()] * 6), (cards, *[()] * 6), (0,) * 4, Talon((), (), 0), 0)


def test_a_twin_is_of_the_same_rank_and_colour() -> None:
    for card in range(52):
        assert twin_of(twin_of(card)) == card != twin_of(card)
        assert twin_of(card) % 13 == card % 13
        assert (twin_of(card) // 13 in (0, 3)) == (card // 13 in (0, 3))


def test_a_card_that_no_photo_shows_is_asked_about_unless_its_twin_is_shown() -> None:
    states = [state("9D 8C 7D")]
    untold = find_untold(states, shown_cards([sight(pile("9D 7D"))]))
    assert untold == {parse_card("8C").index}
    (asked,) = ask_about_untold("a.jpg", states[0], untold)
    assert asked.choices == ("8C", "8S")
    assert str(asked.place) == "column/0"
    assert find_untold(states, shown_cards([sight(pile("9D 7D")), sight(pile("8S"))])) == set()


def test_what_lies_under_the_top_of_a_foundation_is_shown() -> None:
    assert find_untold([state("9D 8C 7D")], shown_cards([sight(pile("9D 7D"), foundations="TS")])) == set()


def test_a_pile_that_several_photos_count_otherwise_is_asked_about() -> None:
    states = [state("9D")] * 2
    counts = find_counts(states, [sight(pile("9D", 1)), sight(pile("9D", 1))])
    (asked,) = ask_about_counts("a.jpg", states[0], counts)
    assert asked.choices == ("2", "1")
    assert not find_counts(states, [sight(pile("9D", 2)), sight(pile("9D", 2))])
    assert not find_counts(states[:1], [sight(pile("9D", 1))]), "one photo alone may be wrong"
    assert not find_counts(states, [sight(pile("9D", 1)), sight(pile("9D", 2))])
