"""What a table costs, and steps that lead to exactly that table."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import VerificationError
from solver.cards import Card, parse_cards
from solver.makiaveli import Position, Turn, disruption, solve, steps
from solver.makiaveli.melds import all_melds
from solver.makiaveli.turn_steps import replayed
from tests.naive import makiaveli as naive
from tests.strategies import makiaveli_positions


def as_int64(meld: tuple[Card, ...]) -> naive.Meld:
    return frozenset((int(card.suit), int(card.rank)) for card in meld)


def melds_of(text: str) -> list[tuple[Card, ...]]:
    return [parse_cards(meld) for meld in text.split("|") if meld.strip()]


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[Card, ...]]:
    """A few melds of two decks, close to each other."""
    close = [meld for meld in all_melds() if all(card.rank <= 6 and card.suit < 3 for card in meld)]
    left = Counter({card: 2 for meld in close for card in meld})
    chosen = []
    for meld in draw(st.lists(st.sampled_from(close), max_size=4)):
        if all(left[card] for card in meld):
            left -= Counter(meld)
            chosen.append(meld)
    return chosen


@given(tables(), tables())
@settings(max_examples=150, deadline=None)
def test_costs_are_those_of_trying_every_matching(floor: list[tuple[Card, ...]], melds: list[tuple[Card, ...]]) -> None:
    spent = disruption(floor, melds)
    before, after = [as_int64(meld) for meld in floor], [as_int64(meld) for meld in melds]
    assert spent.broken == naive.broken(before, after)
    assert spent.moved == naive.moved(before, after)
    heirs = [heir for heir in spent.heirs if heir is not None]
    assert len(heirs) == len(set(heirs))
    stays = sum(len(set(floor[i]) & set(melds[j])) for j, i in enumerate(spent.heirs) if i is not None)
    assert sum(map(len, floor)) - stays == spent.moved


@pytest.mark.parametrize(
    ("floor", "melds", "broken", "moved"),
    [
        ("3H 4H 5H 6H 7H", "3H 4H 5H | 5H 6H 7H", 1, 2),
        ("3C 4C 5C | 6C 7C 8C", "3C 4C 5C 6C 7C 8C", 0, 3),
        ("7C 7D 7H | 7C 7D 7H", "7C 7D 7H 7S | 7C 7D 7H", 0, 0),
        ("7C 7D 7H | 7C 8C 9C", "7C 7D 7H 7S | 7C 8C 9C TC", 0, 0),
        ("4C 5C 6C 7C | 7D 7H 7S", "4C 5C 6C | 7C 7D 7H 7S", 1, 1),
        ("3S 3H 3D | 4S 4H 4D | 5S 5H 5D", "3S 4S 5S | 3H 4H 5H | 3D 4D 5D", 3, 6),
        ("", "7C 7D 7H", 0, 0),
        ("7C 7D 7H", "7C 7D 7H", 0, 0),
    ],
)
def test_costs_by_hand(floor: str, melds: str, broken: int, moved: int) -> None:
    spent = disruption(melds_of(floor), melds_of(melds))
    assert (spent.broken, spent.moved) == (broken, moved)


@given(makiaveli_positions(max_melds=4, max_hand=5, max_run=8))
@settings(max_examples=100, deadline=None)
def test_replaying_the_steps_gives_exactly_the_final_table(position: Position) -> None:
    solution = solve(position)
    plan = solution.steps
    if solution.final is None:
        assert plan == ()
        return
    end = replayed(position, plan)
    assert sorted(map(sorted, end.melds)) == sorted(map(sorted, solution.final.melds))
    assert end.cross == solution.final.cross
    assert sorted(end.hand) == sorted(solution.final.hand)
    assert len(plan) >= len({step.target for step in plan})
    assert all(step.cards or step.hand or step.cross for step in plan)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (
            "floor: 5C 6C 7C 8C; hand: 8D 8H",
            ["From meld 1 (5C 6C 7C 8C) take 8C; put it with 8D 8H from your hand as new meld 2."],
        ),
        ("hand: 3S 4S 5S", ["Put down 3S 4S 5S from your hand as new meld 1."]),
        ("floor: 5D 6D 7D; hand: 8D", ["Add 8D from your hand to meld 1 (5D 6D 7D)."]),
        (
            "floor: 3H 4H 5H 6H 7H; hand: 5H",
            ["Split meld 1 (3H 4H 5H 6H 7H): 6H 7H begin new meld 2 with 5H from your hand."],
        ),
        (
            "floor: 3C 4C 5C | 7C 8C 9C; hand: 6C AD",
            ["Add 6C from your hand to meld 1 (3C 4C 5C)."],
        ),
        (
            "cross: - 7S - -; hand: 7C 7D",
            ["Put down 7S from the cross and 7C 7D from your hand as new meld 1."],
        ),
    ],
)
def test_steps_in_words(position: str, said: list[str]) -> None:
    assert [str(step) for step in solve(Position.parse(position)).steps] == said


def test_a_step_names_cards_of_the_cross_at_no_side_of_the_deck() -> None:
    turn = Turn.parse("melds: 5D 6D 7D 8D 9D TD; cross: QS - - -")
    (step,) = steps(Position.parse("floor: 5D 6D 7D; cross: QS 8D - 9D; hand: TD"), turn)
    assert str(step) == "Add 8D 9D from the cross and TD from your hand to meld 1 (5D 6D 7D)."


def test_a_step_names_each_meld_in_the_order_in_which_it_lies() -> None:
    position = Position.parse("floor: QC JC TC | 9C 9D 9H 9S | 8S 8D 8C 8H; hand: 7C")
    solution = solve(position)
    lies = position.to_json()["floor"]
    named = []
    for text, table in solution.tables():
        named += [(lies[int(place) - 1], cards.split()) for place, cards in re.findall(r"meld (\d+) \((.*?)\)", text)]
        lies = table["floor"]
    assert all(laid == said for laid, said in named)
    assert lies == [["QC", "JC", "TC", "9C", "8C", "7C"], ["9D", "9H", "9S"], ["8S", "8D", "8H"]]
    assert len(named) == 4


def test_two_cross_cards_of_a_kind_keep_their_places() -> None:
    position = Position.parse("floor: 5D 6D 7D; cross: QS 8D - 8D; hand: 9D")
    for cross in ("QS - - 8D", "QS 8D - -"):
        turn = Turn.parse(f"melds: 5D 6D 7D 8D 9D; cross: {cross}")
        assert position.play(turn).is_won
        assert replayed(position, steps(position, turn)).cross == turn.cross


def test_a_joined_meld_is_taken_as_a_whole() -> None:
    position = Position.parse("floor: 3C 4C 5C | 7C 8C 9C; hand: 6C")
    plan = steps(position, Turn.parse("melds: 3C 4C 5C 6C 7C 8C 9C"))
    assert [step.kind for step in plan] in (["join"], ["extend", "join"])


def test_steps_that_take_what_is_not_there_are_refused() -> None:
    position = Position.parse("floor: 5C 6C 7C 8C; hand: 8D 8H")
    plan = solve(position).steps
    with pytest.raises(VerificationError, match="a card is not there"):
        replayed(position, plan * 2)


def test_of_two_identical_cards_the_one_goes_that_costs_no_step() -> None:
    position = Position.parse(
        "floor: 9S 9D 9C | 7S 7H 7D 7C | 6S 6H 6D | 5S 5D 5C | 2S 3S 4S 5S 6S | 3H 4H 5H | AD 2D 3D 4D 5D 6D 7D 8D"
        " | 2C 3C 4C 5C | 7C 8C 9C TC | TC JC QC; cross: AH QS 4H -; hand: 4D 8S 6C 2D"
    )
    found = solve(position)
    assert (found.verdict, found.broken, found.moved) == ("win", 4, 6)
    assert len(found.steps) == 5  # 2D goes from the hand to 2C 2S, so that AD 2D 3D are taken at once
