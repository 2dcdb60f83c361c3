"""Cards that would lie on each other at once are asked about."""

from __future__ import annotations

from solver.cards import parse_card
from solver.place import Place
from vision.crossed_cards import ask_about_crossed_cards
from vision.read_card import ReadCard, ReadIndex, Sight

HAND = Place("hand")
WIDE, HIGH, IN = 100.0, 140.0, 12.0


def index(x: float, y: float = IN) -> ReadIndex:
    """An index whose rank lies there."""
    return ReadIndex((x - 8, y - 10, x + 8, y + 30), (x, y), (x, y + 20))


def sight(left: float, *corners: float, photo: int = 0) -> Sight:
    """A card whose left edge is there, with indices at so many px from it."""
    quad = ((left, 0.0), (left + WIDE, 0.0), (left + WIDE, HIGH), (left, HIGH))
    return Sight(photo, quad, tuple(index(left + corner) for corner in corners))


def card(name: str, *sights: Sight, place: Place = HAND) -> ReadCard:
    return ReadCard(parse_card(name), 1.0, (), place, sights)


def test_two_copies_that_were_read_as_one_card_are_asked_about() -> None:
    both_sides = card("2D", sight(0, IN, WIDE - IN))
    between = card("2H", sight(42, IN))
    (question,) = ask_about_crossed_cards([between, both_sides])
    assert str(question) == "2D may be two cards, as 2H seems to lie between its corners: which is the other?"
    assert (question.cards, question.choices) == ((1, 0), ("2D",)), "without one of the two it ends"
    assert not question.asks_beyond_edge
    assert question.place == HAND
    assert question.doubt
    assert [s.quad for s in question.sights] == [both_sides.sights[0].quad]


def test_nothing_is_asked_of_cards_that_lie_one_on_the_other() -> None:
    fan = [card("2D", sight(0, IN)), card("2H", sight(42, IN)), card("2S", sight(84, IN, WIDE - IN))]
    assert ask_about_crossed_cards(fan) == []
    assert ask_about_crossed_cards([]) == []
    assert ask_about_crossed_cards([card("2D"), card("2H")]) == []


def test_nothing_is_asked_of_a_meld_as_it_holds_no_card_twice() -> None:
    def run(other: Place) -> list[ReadCard]:
        meld = Place("floor", 1)
        return [card("8H", sight(0, IN, WIDE - IN), place=meld), card("9H", sight(42, IN), place=other)]

    assert ask_about_crossed_cards(run(Place("floor", 1))) == []
    assert len(ask_about_crossed_cards(run(Place("floor", 2)))) == 1


def test_one_photo_of_several_that_shows_it_so_is_not_believed() -> None:
    aside = [(card("2D", *sights), card("2H", *others)) for sights, others in (_views(1), _views(2))]
    assert [len(ask_about_crossed_cards(pair)) for pair in aside] == [0, 1]


def _views(crossed: int) -> tuple[list[Sight], list[Sight]]:
    """Three photos of two cards, of which so many have them cross each other."""
    sides = [(IN, WIDE - IN) if photo < crossed else (IN,) for photo in range(3)]
    return [sight(0, *side, photo=photo) for photo, side in enumerate(sides)], [
        sight(42, IN, photo=photo) for photo in range(3)
    ]
