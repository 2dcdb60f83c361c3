"""Hidden cards turned over later: the whole deal where it can be told, a question where it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from solver import klondike, tomb_double
from solver.cards import Card, parse_cards
from solver.klondike.chances import completions
from solver.place import NOWHERE, Place
from tests.vision import simulate
from vision.errors import OtherTableError
from vision.fans import Fan, fans_of
from vision.question import Question, QuestionKind
from vision.read_card import Photo, ReadCard, Sight
from vision.reading import Reading
from vision.turned_over import (
    TurnedOver,
    _best_turned_over,
    _orders,
    _recounted,
    check_fit,
    fans_in,
    hidden_piles,
    leave_out,
    turn_over,
    with_turned_over,
)

DECK = simulate.DECKS[next(iter(simulate.DECKS))]
ARC = parse_cards("9S 2D KH 4C JD 7S 3H AD TC 8S 5D QC")


def fan(cards: Sequence[Card | None], x: float = 0.0, y: float = 0.0, photo: int = 0, sure: float = 0.999) -> Fan:
    """Cards from the lowest on, each read with this probability, and as its neighbour in the deck with the rest."""
    log = np.full((len(cards), 52), -16.0)
    for row, card in enumerate(cards):
        assert card is not None
        log[row, card.index] = np.log(sure)
        log[row, (card.index + 1) % 52] = np.log(1 - sure)
    return Fan(log, (photo, x, y))


def texts(found: TurnedOver) -> list[str]:
    """What is asked, as sentences."""
    return list(map(str, found.checks))


def seen_at(fan: Fan, x: float, against: Sequence[int] = ()) -> Fan:
    """A fan whose cards are seen side by side, some of which point the other way than those near them."""
    quads = [((n + x, 0.0), (n + x + 1, 0.0), (n + x + 1, 1.0), (n + x, 1.0)) for n in range(len(fan.log_card))]
    return replace(fan, sights=tuple(Sight(fan.at[0], quad) for quad in quads), against=frozenset(against))


def photo_of(position: klondike.Position) -> Reading:
    return Reading((Photo("photo", 9, 9),), "klondike", 1.0, (), (), position)


@pytest.fixture
def seen() -> klondike.Position:
    """A table of which 5 columns were dealt, so that stock and columns hold the whole deck."""
    columns = " | ".join(f"{'?? ' * n}[{card}]" for n, card in enumerate(("KS", "QC", "9H", "5D", "2S", "7D", "JC")))
    return klondike.Position.parse(f"klondike columns: {columns}; stock: {'?? ' * 24}".strip())


@pytest.fixture
def deal(seen: klondike.Position) -> klondike.Position:
    return next(completions(seen, Random(1)))


def in_place(deal: klondike.Position) -> list[Fan]:
    return [fan((*column.down, *column.up), 100.0 * n) for n, column in enumerate(deal.columns)]


def by_themselves(deal: klondike.Position) -> list[Fan]:
    return [fan(column.down, 0.0, 100.0 * n) for n, column in enumerate(deal.columns) if column.down]


def test_columns_turned_in_place_and_a_fanned_stock_give_the_deal(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    found = turn_over(seen, [*in_place(deal), fan(deal.stock, 0.0, 900.0)])
    assert (found.position, found.checks) == (deal, ())
    assert found.stands > 0.99
    photo = replace(photo_of(seen), notes=("the other 24 cards are taken to lie in the stock", "small"))
    assert with_turned_over(photo, in_place(deal)).notes == photo.notes
    known = with_turned_over(photo, [*in_place(deal), fan(deal.stock, 0.0, 900.0)])
    assert known.notes == ("small",), "every card is known now"


def test_hidden_cards_fanned_by_themselves_are_told_by_their_number(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    for stock in ([fan(deal.stock, photo=1)], [fan(deal.stock[:11], photo=1), fan(deal.stock[11:], 0.0, 50.0, 1)]):
        found = turn_over(seen, [*by_themselves(deal), *stock])
        assert (found.position, found.checks) == (deal, ())


def test_how_the_fans_of_one_photo_lie_does_not_hang_on_where_another_photo_has_its_own() -> None:
    left, right = fan(parse_cards("7S 3D"), y=1.0), fan(parse_cards("JS 2D"), x=100.0)
    stock = fan(parse_cards("QS 9S KD"), x=50.0, y=900.0, photo=1)
    assert _orders([right, stock, left], [])[0] == [left, right, stock]


def test_what_is_not_turned_over_is_asked_for_and_a_last_card_is_known(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    found = turn_over(seen, in_place(deal))
    (asked,) = found.checks
    assert "not turned over, or not seen" in asked.text
    assert asked.needs_photo
    assert not found.position.is_known
    but_one = [fan for fan in [*in_place(deal), fan(deal.stock, 0.0, 900.0)] if len(fan.log_card) != 2]
    found = turn_over(seen, but_one)
    assert (found.position, found.checks) == (deal, ())


def test_a_misread_card_is_put_right_by_all_others(seen: klondike.Position, deal: klondike.Position) -> None:
    stock = fan(deal.stock, 0.0, 900.0)
    own = deal.stock[0]
    assert own is not None
    there = next(card for card in deal.stock[1:] if card is not None)
    stock.log_card[0, [own.index, there.index]] = np.log([0.3, 0.69])
    found = turn_over(seen, [*in_place(deal), stock])
    assert found.position == deal


def test_a_card_that_lies_face_up_elsewhere_is_asked_about(seen: klondike.Position, deal: klondike.Position) -> None:
    stock = list(deal.stock)
    stock[3] = parse_cards("KS")[0]
    found = turn_over(seen, [*in_place(deal), fan(stock, 0.0, 900.0)])
    assert found.position == deal, "the deck tells which card it must be"
    assert any("looks like KS, which lies elsewhere" in check for check in texts(found))


def test_fans_of_other_sizes_are_asked_about(seen: klondike.Position, deal: klondike.Position) -> None:
    wanted = "; please take one more photo of the turned cards, each pile in a row of its own"
    found = turn_over(seen, [fan(deal.stock[:5]), fan(deal.stock[5:9], 10.0)])
    assert found.position == seen
    few = "only 9 cards of the 45 that lay face down are seen, and not the stock as a row of 24"
    assert texts(found) == [f"this may be a photo of another table: {few}{wanted}"]
    assert texts(turn_over(seen, [])) == ["no card that lay face down is seen in the later photos"]
    whole = replace(deal, columns=seen.columns)
    found = turn_over(whole, [*in_place(deal), fan(by_themselves(deal)[5].cards, 0.0, 900.0)])
    assert texts(found) == [f"the rows show 6 cards more than lay face down{wanted}"]


def test_which_piles_are_as_long_as_no_row_is_named(seen: klondike.Position, deal: klondike.Position) -> None:
    rows = [fan(deal.stock[n : n + 6], 0.0, 900.0 + n) for n in range(0, 24, 6)]
    (asked,) = texts(turn_over(seen, [*in_place(deal), *rows]))
    assert asked.startswith("no row is as long as the stock (24 cards); I see rows of 6 instead; please")
    (asked,) = texts(turn_over(seen, [*by_themselves(deal)[1:], *rows[:3]]))
    assert asked.startswith("no row is as long as column 2 (1 card) and the stock (24 cards); I see rows of 6 instead;")


@pytest.mark.parametrize("is_in_place", [True, False])
def test_turned_cards_of_another_table_are_refused_and_those_of_this_one_are_not(
    seen: klondike.Position, deal: klondike.Position, is_in_place: bool
) -> None:
    def laid(table: klondike.Position) -> list[Fan]:
        return [*(in_place if is_in_place else by_themselves)(table), fan(table.stock, 0.0, 900.0)]

    misread = list(deal.stock)
    misread[3], misread[7] = parse_cards("KS QC")
    check_fit(seen, laid(replace(deal, stock=tuple(misread))))
    with pytest.raises(OtherTableError, match=r"do not fit this table: .* lie face up in it"):
        check_fit(seen, laid(klondike.random_deal(9)))


def test_the_waste_and_other_open_cards_beside_turned_ones_are_of_this_table(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    up = [column.up[-1] for column in deal.columns]
    check_fit(seen, [*in_place(deal), fan(up[:5], 0.0, 900.0)])


def test_the_hidden_piles_of_a_tomb_are_found() -> None:
    table = tomb_double.random_deal(1).to_json()
    table["reserves"][2][:9] = ["??"] * 9
    piles = hidden_piles(tomb_double.Position.from_json(table))
    assert [(pile.path, pile.count, len(pile.upon)) for pile in piles] == [("reserves/2", 9, 1)]


@pytest.mark.parametrize("seed", range(4))
def test_a_fan_is_read_from_its_lowest_card_on_from_any_side(seed: int) -> None:
    cards = parse_cards("9S 2D KH 4C JD 7S")
    laid = [simulate.Laid(card, 20.0 * n, 0.0, 0.0, "stock") for n, card in enumerate(cards)]
    camera = simulate.turned(simulate.random_camera(np.random.default_rng(seed)), seed)
    truth = simulate.photograph(laid, game=None, position=None, deck=DECK, camera=camera)
    (found,) = fans_of(simulate.seen(truth, seed, simulate.Noise(missed=0.0, false=0.0)))
    assert found.cards == cards
    assert found.is_sure


def test_a_column_that_was_counted_wrong_is_counted_anew(seen: klondike.Position, deal: klondike.Position) -> None:
    body = seen.to_json()
    body["columns"][5]["down"].pop()
    body["stock"].append("??")
    miscounted = klondike.Position.from_json(body)
    photo = Reading((Photo("photo", 9, 9),), "klondike", 1.0, (), (), miscounted)
    fans = [*in_place(deal), fan(deal.stock, 0.0, 900.0)]
    assert turn_over(miscounted, fans).checks
    assert turn_over(_recounted(miscounted, fans), fans).position == deal
    assert with_turned_over(photo, []).checks


def test_late_in_a_game_the_stock_may_be_smaller_than_what_a_column_hides(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    late = replace(seen, stock=(None,) * 3, waste=deal.stock[3:])
    *columns, last = in_place(deal)
    columns.append(last.part(range(6)))
    rows = [fan(deal.stock[:2], 0.0, 900.0), fan(deal.stock[2:3], 0.0, 990.0)]
    found = turn_over(late, [*columns, *rows])
    assert (found.position, found.checks) == (replace(deal, stock=deal.stock[:3], waste=deal.stock[3:]), ())
    short = turn_over(late, [*columns, rows[0]])
    assert texts(short) == ["2 of the 3 cards of the stock are read; please take one more photo of all of them"]


def test_two_rows_that_touch_are_two_fans() -> None:
    rows = (parse_cards("9S 2D KH 4C JD 7S"), parse_cards("3H AD TC 8S 5D QC"))
    laid = [
        simulate.Laid(card, 20.0 * n, 0.75 * DECK.height * row, 0.0, "stock")
        for row, cards in enumerate(rows)
        for n, card in enumerate(cards)
    ]
    seen = simulate.seen(simulate.photograph(laid, game=None, position=None, deck=DECK), 1)
    assert {found.cards for found in fans_of(seen)} == set(rows)


def arc(cards: Sequence[Card], down: float = 0.0, reach: float = 1.2) -> list[simulate.Laid]:
    """Cards in an arc of so many radians on each side of its middle, which lies so many units down the table."""
    turns = np.linspace(-reach, reach, len(cards))
    radius = 2.2 * DECK.height
    return [
        simulate.Laid(
            card, radius * float(np.sin(turn)), down + radius * (1 - float(np.cos(turn))), float(turn), "stock"
        )
        for card, turn in zip(cards, turns, strict=True)
    ]


def test_an_arc_is_one_fan_in_its_order() -> None:
    seen = simulate.seen(simulate.photograph(arc(ARC), game=None, position=None, deck=DECK), 1)
    assert [found.cards for found in fans_of(seen)] == [ARC]


@pytest.mark.parametrize("seed", [2, 4, 6])
def test_a_row_that_lies_unevenly_with_cards_either_way_up_is_one_fan(seed: int) -> None:
    turns = np.random.default_rng(seed).normal(0.0, 0.14, len(ARC))
    laid = [
        simulate.Laid(card, 18.0 * n, 0.0, float(turn) + np.pi * (n % 2), "stock")
        for n, (card, turn) in enumerate(zip(ARC, turns, strict=True))
    ]
    seen = simulate.seen(simulate.photograph(laid, game=None, position=None, deck=DECK), 1)
    assert [found.cards for found in fans_of(seen)] == [ARC]


def test_two_arcs_that_touch_are_two_fans() -> None:
    other = parse_cards("2C 9D KC 4S JH 7C 3D AC TH 8D 5H QS")
    laid = [*arc(ARC, reach=0.8), *arc(other, 0.6 * DECK.height, 0.5)]
    seen = simulate.seen(simulate.photograph(laid, game=None, position=None, deck=DECK), 1)
    assert {found.cards for found in fans_of(seen)} == {ARC, other}


@pytest.mark.parametrize("row", [1, 5, 8])
def test_a_card_that_is_taken_for_one_beside_keeps_its_place_in_a_fan(row: int) -> None:
    seen = simulate.seen(simulate.photograph(arc(ARC, reach=0.6), game=None, position=None, deck=DECK), 1)
    card = next(card for card in seen.cards if card.best == ARC[row])
    right = np.array([card.down[1], -card.down[0]])
    side = 2 * ((card.ranks - card.centre) @ right).mean() * right
    beside = replace(card, centre=card.centre + side)  # its index is taken for that of its other upper corner
    beside = replace(seen, cards=tuple(beside if one is card else one for one in seen.cards))
    assert [found.cards for found in fans_of(beside)] == [ARC]


def test_a_column_that_seemed_to_hide_nothing_is_counted_anew(deal: klondike.Position) -> None:
    columns = [
        replace(column, down=(None,) * (len(column.down) + more))
        for column, more in zip(deal.columns, (0, -1, 1, 0, 0, 0, 0), strict=True)
    ]
    miscounted = replace(deal, columns=tuple(columns), stock=(None,) * len(deal.stock))
    assert (
        turn_over(_recounted(miscounted, in_place(deal)), [*in_place(deal), fan(deal.stock, 0.0, 900.0)]).position
        == deal
    )


def test_fans_that_show_all_that_is_hidden_tell_how_much_each_column_hides(deal: klondike.Position) -> None:
    columns = [
        replace(column, down=(None,) * (len(column.down) + more))
        for column, more in zip(deal.columns, (0, 0, 1, -1, 0, 1, 0), strict=True)
    ]
    miscounted = replace(deal, columns=tuple(columns), stock=(None,) * (len(deal.stock) - 1))
    photo = Reading((Photo("photo", 9, 9),), "klondike", 1.0, (), (), miscounted)
    rows = [fan(column.down, 0.0, 100.0 * n) for n, column in enumerate(deal.columns) if column.down]
    fans = [*rows, fan(deal.stock, 0.0, 900.0)]
    assert _best_turned_over(photo, fans).position == deal


def test_a_card_of_the_stock_that_was_missed_is_told_by_its_gap(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    shown = fan(deal.stock[:9] + deal.stock[10:], 0.0, 900.0)
    steps = np.linspace(30.0, 20.0, len(deal.stock) - 1)  # the far end looks smaller
    gapped = np.concatenate([steps[:8], [steps[8] + steps[9]], steps[10:]])
    assert turn_over(seen, [*in_place(deal), replace(shown, steps=gapped)]).position == deal
    even = turn_over(seen, [*in_place(deal), replace(shown, steps=steps[1:])])
    assert "23 of the 24 cards of the stock are read" in texts(even)[0]


def test_a_card_that_the_waste_covers_is_known_by_the_deck_and_asked_about(deal: klondike.Position) -> None:
    lowest, top, *stock = deal.stock
    turned = replace(deal, stock=tuple(stock), waste=(lowest, top))
    hidden = tuple(replace(column, down=(None,) * len(column.down)) for column in deal.columns)
    reading = Reading(
        (Photo("photo", 9, 9),),
        "klondike",
        1.0,
        (),
        (),
        replace(turned, columns=hidden, stock=(None,) * (len(stock) + 1), waste=(top,)),
    )
    found = _best_turned_over(reading, [*in_place(deal), fan(stock, 0.0, 900.0)])
    assert found.position == turned
    assert texts(found) == [f"was the {lowest} the lowest card of the waste? It is in none of the photos"]


def test_where_every_card_is_known_no_card_can_be_missed(
    seen: klondike.Position, deal: klondike.Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = Question(QuestionKind.UNREAD, "the picture ends above the columns: does a card lie there?")
    photo = Reading((Photo("photo", 9, 9),), "klondike", 1.0, (), (), seen, checks=(cut,))
    fans = [*in_place(deal), fan(deal.stock, 0.0, 900.0)]
    monkeypatch.setattr("vision.turned_over.fans_of", lambda table, photo: fans)
    laid = [simulate.Laid(Card.from_index(0), 0.0, 0.0, 0.0, "stock")]
    found = with_turned_over(photo, fans_in([simulate.seen(simulate.photograph(laid, game=None, position=None), 1)]))
    assert (found.position, found.checks) == (deal, ())


def test_a_column_by_itself_is_no_row_of_a_stock_in_another_photo(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    columns = by_themselves(deal)
    assert turn_over(seen, [*columns, fan(deal.stock, photo=1)]).position == deal
    found = turn_over(seen, [*columns, fan(deal.stock[1:], photo=1)])
    assert found.checks, "where its first card lies is not seen"


def test_columns_are_kept_where_too_few_cards_of_the_stock_are_read(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    short = [fan(deal.stock[:10], photo=1), fan(deal.stock[12:20], 0.0, 50.0, photo=1)]
    for columns in (by_themselves(deal), in_place(deal)):
        found = turn_over(seen, [*columns, *short])
        assert found.position.columns == deal.columns
        assert texts(found) == ["18 of the 24 cards of the stock are read; please take one more photo of all of them"]
        again = turn_over(seen, [*columns, *short, fan(deal.stock, photo=2)])
        assert (again.position, again.checks) == (deal, ()), "the next photo shows them once more"
        part = turn_over(seen, [*columns, fan(deal.stock, photo=1), fan(deal.stock[4:20], photo=2)])
        assert (part.position, part.checks) == (deal, ()), "the next photo shows a part of them"


@pytest.mark.parametrize(
    ("read", "is_exchanged", "is_sure"), [(0.999, True, True), (0.8, True, False), (0.1, False, False)]
)
def test_a_misread_face_up_card_is_exchanged_for_one_turned_over(
    seen: klondike.Position, deal: klondike.Position, read: float, is_exchanged: bool, is_sure: bool
) -> None:
    up, under = deal.columns[0].up[0], deal.columns[3].down[0]
    assert up is not None
    assert under is not None
    card = ReadCard(up, 0.5, ((under, 0.45),), Place("column", 0))
    fans = [fan(column.down, 100.0 * n) for n, column in enumerate(deal.columns) if column.down]
    fans[2].log_card[0] = -16.0
    fans[2].log_card[0, [up.index, under.index]] = np.log([read, 1 - read])  # it looks like the one that lies face up
    found = with_turned_over(replace(photo_of(seen), cards=(card,)), [*fans, fan(deal.stock, 0.0, 900.0)])
    position = found.position
    assert position is not None
    assert (position.columns[0].up[0] == under) == is_exchanged
    assert len(set(position.cards())) == 52
    assert found.cards[0].card == position.columns[0].up[0]
    assert (found.cards[0].doubtful is False) == is_sure


def test_a_card_that_was_read_against_all_appearance_may_be_exchanged(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    up, under = deal.columns[0].up[0], deal.columns[3].down[0]
    assert under is not None
    card = ReadCard(up, 0.0, ((under, 0.9999),), Place("column", 0))
    found = with_turned_over(replace(photo_of(seen), cards=(card,)), [*in_place(deal), fan(deal.stock, 0.0, 900.0)])
    assert found.cards[0].alternatives == ((under, 0.9999),)


@pytest.mark.parametrize("chance", [0.02, 0.5])
def test_what_has_no_place_is_no_card_once_the_whole_deck_is_known(
    seen: klondike.Position, deal: klondike.Position, chance: float
) -> None:
    up, under = deal.columns[0].up[0], deal.columns[3].down[0]
    assert under is not None
    fans = [*in_place(deal), fan(deal.stock, 0.0, 900.0)]
    left_out = ReadCard(up, chance, ((under, 0.49),), NOWHERE, why="left out")
    whole = with_turned_over(photo_of(seen), fans)
    found = with_turned_over(replace(photo_of(seen), cards=(left_out,)), fans)
    assert (found.position, found.position_probability) == (whole.position, whole.position_probability)
    assert not found.questions, "nothing is asked of it"


def test_the_second_corner_of_a_card_is_left_out_where_the_rest_fits(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    rows = [fan(deal.stock[:12], 0.0, 900.0), fan(deal.stock[12:], 0.0, 950.0)]
    second = replace(fan(deal.stock[11:12], 0.0, 800.0), against=frozenset({0}))
    assert (_best_turned_over(photo_of(seen), [*in_place(deal), *rows, second]).position) == deal
    within = replace(fan((*deal.stock[:5], *deal.stock[11:12], *deal.stock[5:12]), 0.0, 900.0), against=frozenset({5}))
    found = with_turned_over(photo_of(seen), [*in_place(deal), within, rows[1]])
    assert (found.position, found.checks) == (deal, ())


def test_where_a_card_is_read_twice_it_is_asked_which_of_the_two_is_none(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    twice = seen_at(fan((*deal.stock[:5], deal.stock[11], *deal.stock[5:]), 0.0, 900.0, 1), 0.0)
    fans = [*in_place(deal), twice]
    asked = with_turned_over(photo_of(seen), fans).checks[0]
    assert (asked.kind, asked.choices) == (QuestionKind.TURNED, ("1", "2"))
    assert f"of the two {deal.stock[11]} that are read one is no card: which?" in str(asked)
    assert [sight.photo for sight in asked.sights] == [2, 2], "counted on from the reading's only photo"
    first, second = (replace(sight, photo=sight.photo - 1) for sight in asked.sights)
    assert with_turned_over(photo_of(seen), leave_out(fans, first)).position == deal
    assert with_turned_over(photo_of(seen), leave_out(fans, second)).position != deal


def test_a_table_that_the_photos_contradict_is_not_taken_to_know_more(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    body = seen.to_json()
    body["columns"][3]["down"].append("??")
    body["stock"].pop()
    reading = replace(photo_of(seen), others=((-1.0, klondike.Position.from_json(body)),))
    found = _best_turned_over(reading, in_place(deal))
    assert [len(column.down) for column in found.position.columns] == [len(column.down) for column in deal.columns]


def test_what_is_open_after_one_photo_is_asked_anew_after_the_next(
    seen: klondike.Position, deal: klondike.Position
) -> None:
    once = with_turned_over(photo_of(seen), in_place(deal))
    assert [str(check).partition(";")[0] for check in once.checks] == [
        "not turned over, or not seen: 24 cards of the stock"
    ]
    assert with_turned_over(once, [fan(deal.stock)]).checks == ()


def test_a_doubtful_card_is_asked_about_where_it_is_seen(seen: klondike.Position, deal: klondike.Position) -> None:
    stock = list(deal.stock)
    stock[3] = parse_cards("KS")[0]
    found = with_turned_over(photo_of(seen), [*in_place(deal), seen_at(fan(stock, 0.0, 900.0), 0.0)])
    (asked,) = found.checks
    assert (asked.number, str(asked.place), asked.choices[0]) == (3, "stock", str(deal.stock[3]))
    assert set(asked.choices) == {str(card) for card in deal.cards()} - {str(card) for card in seen.cards() if card}
    assert [sight.quad[0] for sight in asked.sights] == [(3.0, 0.0)]
    assert found.position_probability < 0.5, "a card that the photo contradicts lets no answer stand"
    assert Question.from_json(asked.to_json()) == asked
