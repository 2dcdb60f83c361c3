"""What the photos of a game leave open is asked, however well one history explains them."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from solver.cards import parse_card
from solver.klondike.position import Position
from solver.place import Place
from vision.history.doubts import (
    ask_about_counts,
    ask_about_hidden_moves,
    ask_about_misread,
    ask_about_rivals,
    ask_about_twins,
    ask_about_unseen,
    ask_about_untold,
    ask_about_unturned,
    find_counts,
    find_hidden_moves,
    find_misread,
    find_rival_counts,
    find_told,
    find_unseen,
    find_untold,
    is_same_doubt,
    shown_cards,
    twin_of,
    weigh_twins,
)
from vision.history.hidden_counts import count_piles_once
from vision.history.lattice import Edge, History, Node
from vision.history.record_writer import _ask_about_contradictions, _without_covered
from vision.history.search_node import Event
from vision.history.sight import SeenPile, TableSight, ToldPile, belief_of
from vision.history.table_state import COLUMNS, FIRST_LABEL, StockWaste, TableState

DOWN = (FIRST_LABEL, FIRST_LABEL + 1)


def pile(cards: str = "", counted: int | None = None) -> SeenPile:
    beliefs = tuple(belief_of(np.where(np.arange(52) == parse_card(card).index, 0.0, -20.0)) for card in cards.split())
    counts = () if counted is None else tuple(np.where(np.arange(7) == counted, -0.01, -6.0).tolist())
    return SeenPile(beliefs, counts)


def sight(first: SeenPile, foundations: str = "") -> TableSight:
    return TableSight((first, *[SeenPile()] * (COLUMNS - 1)), pile(foundations).cards)


def state(up: str, down: tuple[int, ...] = DOWN) -> TableState:
    cards = tuple(parse_card(card).index for card in up.split())
    return TableState((down, *[()] * 6), (cards, *[()] * 6), (0,) * 4, StockWaste((), (), 0), 0)


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
    assert asked.choices == ("8C", "8S", "neither 8C nor 8S")
    assert str(asked.place) == "column/0"
    assert str(asked) == "a.jpg: no photo shows whether 8C or 8S lies under 7D in column 1: which?"
    (longer,) = ask_about_untold("a.jpg", state("9D 8C 7D 6S"), untold)
    assert str(longer).endswith("lies under 7D in column 1, whose last card is 6S: which?"), "which any photo shows"
    assert find_untold(states, shown_cards([sight(pile("9D 7D")), sight(pile("8S"))])) == set()


def test_what_lies_under_the_top_of_a_foundation_is_shown() -> None:
    assert find_untold([state("9D 8C 7D")], shown_cards([sight(pile("9D 7D"), foundations="TS")])) == set()


def test_a_pile_that_several_photos_count_otherwise_is_asked_about() -> None:
    states = [state("9D")] * 2
    counts = find_counts(states, [sight(pile("9D", 1)), sight(pile("9D", 1))])
    (asked,) = ask_about_counts("a.jpg", states[0], sight(pile("9D", 1)), counts)
    assert asked.choices == ("2", "1")
    assert not find_counts(states, [sight(pile("9D", 2)), sight(pile("9D", 2))])
    assert not find_counts(states[:1], [sight(pile("9D", 1))]), "one photo alone may be wrong"
    assert not find_counts(states, [sight(pile("9D", 1)), sight(pile("9D", 2))])


def test_what_somebody_counted_in_one_photo_is_settled_in_all_of_the_pile() -> None:
    states = [state("9D"), state("9D"), state("5C", DOWN[:1]), state("5C", DOWN[:1])]
    seen = [sight(pile("9D", 1)), sight(pile("9D", 1)), sight(pile("5C", 0)), sight(pile("5C", 0))]
    assert find_counts(states, seen) == {(0, DOWN): 1, (0, DOWN[:1]): 0}
    for photo in (0, 1):
        told = replace(seen[photo], columns=(replace(pile("9D", 1), told=ToldPile(2, 2)), *seen[photo].columns[1:]))
        assert find_counts(states, [told if k == photo else own for k, own in enumerate(seen)]) == {(0, DOWN[:1]): 0}


def test_of_one_card_it_is_said_that_a_column_hides_one_card() -> None:
    shown = state("5C", DOWN[:1]), sight(pile("5C", 1))
    (count,) = ask_about_counts("a.jpg", *shown, {(0, DOWN[:1]): 0})
    (rival,) = ask_about_rivals("a.jpg", *shown, {0: (2, 0.4)}, 0.03)
    assert str(count) == "a.jpg: by the game column 1 hides 1 card, by the photos 0: which?"
    assert str(rival) == "a.jpg: column 1 hides 1 card, or 2: please count them"


def test_photos_of_one_pile_count_it_once() -> None:
    shown = count_piles_once(
        [sight(pile("9D 8C", 1)), sight(pile("9D", 1)), sight(pile("9D", 2)), sight(pile("7D", 1))]
    )
    first, second, third, other = (photo.columns[0].log_count for photo in shown)
    assert first == second
    assert first[1] == max(first) > first[2] > first[4], "two photos to one"
    assert set(third) == {0.0}, "what it says is in the first two"
    assert other[1] == max(other) > other[2], "under another card lies another pile"


def test_a_doubt_that_two_photos_share_is_one_question() -> None:
    counts = {(0, state("9D").down[0]): 1}
    shown = state("9D"), sight(pile("9D")), counts
    first, again = (next(iter(ask_about_counts(file, *shown))) for file in ("a.jpg", "b.jpg"))
    assert is_same_doubt(first, again)
    assert not is_same_doubt(first, replace(again, place=Place("column", 1)))
    twins = next(iter(ask_about_twins("a.jpg", state("8C"), {parse_card("8C").index: 0.4})))
    elsewhere = replace(twins, place=Place("waste"), choices=twins.choices[::-1])
    assert is_same_doubt(twins, elsewhere), "both twins are told by one answer"
    assert not is_same_doubt(twins, first)


def test_a_column_that_shows_backs_alone_is_asked_about() -> None:
    label = state("9D")._replace(up=((FIRST_LABEL + 30,), *[()] * 6))
    table = "foundations: C0 D0 H0 S0; stock: ; waste: ; columns: ?? ?? [9D] | | | | | |"
    truth = Position.parse(f"klondike draw: 1; {table}")
    (asked,) = ask_about_unturned("a.jpg", label, sight(SeenPile(backs=2)), truth, frozenset())
    assert str(asked.place) == "column/0"
    assert asked.choices == ("3 face down, no card face up", "2 face down, 9D")
    (missed,) = ask_about_unturned("a.jpg", label, sight(SeenPile()), truth, frozenset())
    assert missed.choices == asked.choices[::-1], "where no back is seen either, the card is likelier to be missed"
    assert not list(ask_about_unturned("a.jpg", label, sight(pile("9D")), truth, frozenset()))
    backs, is_told = SeenPile(backs=2), replace(SeenPile(backs=2), told=ToldPile(shown=1))
    told = find_told([label] * 2, [sight(backs), sight(is_told)])
    assert not list(ask_about_unturned("a.jpg", label, sight(is_told), truth, told))
    assert not list(ask_about_unturned("b.jpg", label, sight(backs), truth, told)), "nor in another photo of it"


def test_a_card_that_photo_after_photo_does_not_show_is_asked_about() -> None:
    lies, king = state("KC QD"), parse_card("KC").index
    unseen = find_unseen([(lies, sight(pile("QD")))] * 3)
    assert unseen == {(0, king)}
    (asked,) = ask_about_unseen("a.jpg", lies, unseen)
    assert asked.choices == ("2 face down, KC QD", "2 face down, QD")
    assert not find_unseen([(lies, sight(pile("QD")))]), "one photo may miss a card"
    shown = [(lies, sight(pile("KC QD")))] * 3
    assert not find_unseen([*shown, *[(lies, sight(pile("QD")))] * 3]), "three photos show it, three miss it"
    squared = [(lies, replace(sight(pile("QD")), squared=True))] * 3
    assert not find_unseen(squared), "of squared columns only the last card shows"


def test_a_foundation_that_photo_after_photo_does_not_show_is_asked_about() -> None:
    lies = state("KC")._replace(heights=(0, 0, 1, 0))
    unseen = find_unseen([(lies, sight(pile("KC")))] * 2)
    (asked,) = ask_about_unseen("a.jpg", lies, unseen)
    assert str(asked) == "a.jpg: by the game AH lies on its foundation, and the photos do not show it: does it?"
    assert not find_unseen([(lies, sight(pile("KC"))), (lies, sight(pile("KC"), foundations="AH"))])


def test_a_card_that_photos_show_where_another_one_lies_may_be_that_one_before() -> None:
    """A T for the ten is read as an ace; that no nine lies on an ace shows only in later photos."""
    early, later = (state("AH"), sight(pile("AH"))), (state("TH 9S"), sight(pile("AH 9S")))
    misread = find_misread([early, later, later])
    assert misread == {parse_card("AH").index: parse_card("TH").index}
    (asked,) = ask_about_misread("a.jpg", early[0], misread)
    assert (str(asked), asked.choices) == ("a.jpg: is the card in column 1 AH or TH?", ("AH", "TH"))
    assert not list(ask_about_misread("c.jpg", later[0], misread)), "no AH lies there"
    assert not find_misread([early, early, later]), "one photo may err by chance"
    assert not find_misread([early, (state("TH 9S"), sight(pile("9S")))] * 2), "of a card that is not seen none is told"


def test_a_card_that_photos_show_below_one_that_may_not_lie_on_it_may_be_another() -> None:
    """Nothing else tells it where the game goes on without what lies on it."""
    ace, ten = parse_card("AH").index, parse_card("TH").index
    misread = find_misread([(state("AH"), sight(pile("AH 9S")))] * 2)
    assert set(misread) == {ace}
    assert misread[ace] in (ten, parse_card("TD").index), "a nine of spades lies on a red ten"
    assert not find_misread([(state("AH"), sight(pile("AH 9S")))]), "one photo may err by chance"
    assert not find_misread([(state("AH"), sight(pile("AH KS")))] * 2), (
        "nothing carries a king: no other card may lie there"
    )


def two_columns(first: str, second: str, seen: str) -> tuple[TableState, TableSight]:
    """A table of two columns, and a photo of it that shows `seen`, with a comma between the two."""
    ups = tuple(tuple(parse_card(card).index for card in cards.split()) for cards in (first, second))
    piles = tuple(map(pile, seen.split(",")))
    return (
        state("", down=())._replace(up=(*ups, *[()] * 5)),
        TableSight((*piles, *[SeenPile()] * (COLUMNS - 2)), ()),
    )


@pytest.mark.parametrize(
    ("seen", "later", "asked"),
    [
        (",4C", "", [["0 face down, 3H", "0 face down, no card face up"], []]),
        (",4C", "KC", [["0 face down, 3H", "0 face down, no card face up"], []]),
        ("3H,4C", "", [[], []]),
    ],
    ids=["hidden at both places", "another card has come there since", "seen where it lay"],
)
def test_a_run_that_a_photo_shows_at_neither_place_may_have_moved_before_it(
    seen: str, later: str, asked: list[list[str]]
) -> None:
    shown = [two_columns("3H", "4C", seen), two_columns(later, "4C 3H", f"{later},4C 3H")]
    moves = find_hidden_moves(shown)
    questions = [list(ask_about_hidden_moves("a.jpg", own)) for own in moves]
    assert [[*chain.from_iterable(question.choices for question in own)] for own in questions] == asked


def test_a_run_that_a_photo_shows_at_neither_place_may_have_moved_after_it() -> None:
    (_, (move,)) = find_hidden_moves([two_columns("3H", "4C", "3H,4C"), two_columns("", "4C 3H", ",4C")])
    assert (move.column, move.to, move.ways) == (0, 1, ("0 face down, no card face up", "0 face down, 3H"))


@pytest.mark.parametrize(
    ("seen", "seen_later", "asked"),
    [(",4C", "9S,4C 3H", [0, 0]), ("3H,4C", ",4C", [0, 1])],
    ids=["the first photo would show the card under it, too", "the second shows neither"],
)
def test_a_card_that_is_turned_up_tells_that_a_run_has_moved(seen: str, seen_later: str, asked: list[int]) -> None:
    (lies, first), (moved, second) = two_columns("3H", "4C", seen), two_columns("9S", "4C 3H", seen_later)
    lies = lies._replace(down=((FIRST_LABEL,), *[()] * 6))
    moves = find_hidden_moves([(lies, first), (moved, second)])
    assert list(map(len, moves)) == asked
    assert all(move.ways == ("0 face down, 9S", "1 face down, 3H") for own in moves for move in own)


def test_a_card_that_somebody_named_is_told_from_its_twin() -> None:
    eight = parse_card("8C").index
    named = replace(pile("9D 7D"), told=ToldPile(holds=frozenset({eight})))
    assert find_untold([state("9D 8C 7D")], shown_cards([sight(named)])) == set()


def unsure(card: str, share: float) -> SeenPile:
    """A column's last card, read as this one with a probability, else as its twin."""
    chance = np.full(52, 1e-9)
    number = parse_card(card).index
    chance[number], chance[twin_of(number)] = share, 1 - share
    return SeenPile((belief_of(np.log(chance)),))


def test_twins_are_told_by_all_photos_of_them() -> None:
    eight = parse_card("8C").index
    states = [state("8C")] * 3
    plain = weigh_twins(states, [sight(unsure("8C", 0.99))] * 3)[eight]
    assert plain.plain > plain.shared > 4
    unlikely = weigh_twins(states, [sight(unsure("8C", share)) for share in (0.6, 0.2, 0.1)])[eight]
    assert unlikely.plain < unlikely.shared < 0
    (asked,) = ask_about_twins("a.jpg", states[0], {eight: 0.4})
    assert (asked.choices, str(asked.place), asked.doubt) == (("8C", "8S"), "column/0", 0.4)


def test_twins_are_not_exchanged_once_one_lies_on_its_foundation() -> None:
    up = state("8C")._replace(heights=(8, 0, 0, 0))
    assert parse_card("8C").index not in weigh_twins([state("8C"), up], [sight(unsure("8C", 0.5))] * 2)


def test_an_exchange_is_made_in_all_of_a_history() -> None:
    eight, other = parse_card("8C").index, parse_card("8S").index
    known = state("8C 7D")._replace(known=1 << eight, stock_waste=StockWaste((other,), (), 0))
    edge = Edge(0, 0.0, (Event("waste", target=0, card=eight),), ((FIRST_LABEL, eight),))
    before = History(((Node(known),), (Node(known, [edge]),)), (0, 0), (edge,), (sight(unsure("8C", 0.99)),))
    after = before.exchanged(eight, other)
    assert after.states[0].up[0] == (other, parse_card("7D").index)
    assert after.states[0].known == 1 << other
    assert after.states[0].stock_waste.waste == (eight,)
    assert after.edges[0].bindings == ((FIRST_LABEL, other),)
    assert after.edges[0].events[0].card == other
    assert after.exchanged(eight, other) == before


def test_a_column_may_hide_one_card_less_where_another_came_from_the_stock() -> None:
    five = parse_card("5C").index
    states = [state("9D"), state("5C", DOWN[:1]), state("5C", DOWN[:1])]
    step = [Event("run", 0, 1), Event("waste", target=2, card=parse_card("4H").index)], ((DOWN[1], five),)
    steps = [([], ()), step, ([], ())]
    counted = [sight(pile("9D", 2)), sight(pile("5C")), sight(pile("5C"))]
    rivals = find_rival_counts(states, steps, counted)
    assert rivals == [{}, {0: (0, 0.5)}, {0: (0, 0.5)}]
    (asked,) = ask_about_rivals("a.jpg", states[1], counted[1], rivals[1], 0.03)
    assert asked.choices == ("1", "0")
    (asked,) = ask_about_rivals("a.jpg", states[1], counted[1], {0: (0, 0.9)}, 0.03)
    assert asked.choices == ("0", "1"), "the likeliest first, whatever the history says"
    unturned = states[1]._replace(up=((FIRST_LABEL + 30,), *[()] * 6))
    (asked,) = ask_about_rivals("a.jpg", unturned, sight(SeenPile(backs=2)), rivals[1], 0.03)
    assert asked.choices == ("2", "1"), "a card that is not turned yet lies face down, too"
    sure = find_rival_counts(states, steps, [counted[0], *[sight(pile("5C", 1))] * 2])
    assert sure[2][0][1] < 0.01
    opened = [*states, state("6D", ())]
    shown = [*counted, sight(pile("6D", 0))]
    assert not any(find_rival_counts(opened, [*steps, ([], ())], shown)), "its last card was seen where it lay"
    is_told = sight(replace(pile("5C"), told=ToldPile(0, 1)))
    assert find_rival_counts(states, steps, [*counted[:2], is_told]) == rivals, "fewer cards are as well"
    is_told = sight(replace(pile("5C"), told=ToldPile(1, 1)))
    assert not any(find_rival_counts(states, steps, [*counted[:2], is_told])), "somebody counted them"


@pytest.mark.parametrize(
    ("seen", "shows_it"),
    [
        (["4D 3C 2D", "2D", "4D 3C 2D"], True),
        (["4D 3C 2D", "", "2D", "4D 3C 2D"], True),
        (["4D 3C 2D", "5S", "4D 3C 2D"], False),  # a card that does not lie there
        (["4D 3C 2D", "2D"], False),
        (["2D", "2D", "4D 3C 2D"], False),
    ],
)
def test_cards_under_a_hand_contradict_nothing_where_photos_around_show_them(seen: list[str], shows_it: bool) -> None:
    states = [state("4D 3C 2D")] * len(seen)
    sights = [sight(pile(cards)) for cards in seen]
    layers = [[Node(states[0])], *[[Node(own, forward=0.0, backward=0.0)] for own in states]]
    history = History(tuple(map(tuple, layers)), (0,) * len(layers), (Edge(0, 0.0),) * len(seen), tuple(sights))
    asked = _ask_about_contradictions("2", sights[1], states[1], _without_covered(history, 1))
    assert (not list(asked)) is shows_it
    assert list(_ask_about_contradictions("2", sights[1], states[1], states[1])) or not seen[1]
