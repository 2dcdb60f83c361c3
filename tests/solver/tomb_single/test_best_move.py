from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from plumbing.errors import PositionError
from solver.cards import DECK, Card
from solver.tomb_single import Position, estimate
from solver.tomb_single.best_move import choices
from solver.tomb_single.rules import Move

OPEN = "rules: free; corners: 7H | - | - | -; spares: KH 9D TS -; discard: QC"
LATE = "rules: free; corners: 6 KC | 6 KD | 6 KH | 4 JS; centre: 17 AC"
"""Queen and king are missing in a corner, a round in the centre."""


def test_a_spare_that_fits_is_played_and_nothing_else_asked() -> None:
    table = Position.parse("rules: free; corners: 7H | - | - | -; spares: 8C 9D - -; discard: QC")
    assert [str(choice) for choice in choices(table, rollouts=50)] == ["S1>K1"]


def test_to_take_or_to_turn_are_both_weighed() -> None:
    found = choices(Position.parse(OPEN), rollouts=20_000)
    assert {str(choice) for choice in found} == {"X>S4", "D"}
    assert str(found[0]) == "D", "a queen is not worth the last spare"
    assert found == choices(Position.parse(OPEN), rollouts=20_000), "the same seed gives the same"


def test_what_can_be_built_is_not_left_for_a_chance() -> None:
    table = Position.parse("rules: free; corners: 7H | - | - | -; spares: KH 9D - -; discard: 8C")
    assert [str(choice) for choice in choices(table, rollouts=2000)] == ["X>K1", "D"]


def test_under_forced_play_there_is_nothing_to_weigh() -> None:
    table = Position.parse(OPEN.replace("free", "forced"))
    (choice,) = choices(table, rollouts=2000, seed=3)
    assert choice.estimate.mean == estimate(table, n=2000, seed=3).mean
    assert choice.move in table.moves()


def test_at_the_end_there_is_no_choice() -> None:
    done = "corners: 6 KC | 6 KD | 6 KH | 6 KS; centre: 23 AC; deck:"
    assert choices(Position.parse(f"rules: free; {done}")) == choices(Position.parse(done)) == ()


def test_an_impossible_table_is_refused() -> None:
    with pytest.raises(PositionError):
        choices(Position.parse("rules: free; deck: 3"))


@pytest.mark.parametrize("piles", ["spares: KS - - -; discard: 5C", "spares: KS 4D 3D 2D; discard: 5C AH; deck: 2"])
def test_turning_a_card_counts_every_card_that_it_may_be(piles: str) -> None:
    table = Position.parse(f"{LATE}; {piles}")
    found = next(choice for choice in choices(table, rollouts=40_000) if choice.move is None)
    assert found.estimate.mean == pytest.approx(slowly(table), abs=0.012)


def test_hidden_spares_are_no_sixes() -> None:
    table = Position.parse(f"{LATE}; spares: KS ?? - -; discard: ?? 5C")
    found = next(choice for choice in choices(table, rollouts=40_000) if choice.move is None)
    assert found.estimate.mean == pytest.approx(slowly(table), abs=0.012)


def slowly(table: Position) -> float:
    """The same share, over every order of the hidden cards."""
    seen = set(table.cards())
    wins: Counter[str] = Counter()
    for order in set(permutations(table.unseen_ranks())):
        cards, taken = [], set(seen)
        for rank in order:
            card = next(card for card in DECK if card.rank == rank and card not in taken)
            taken.add(card)
            cards.append(card)
        known = filled(table, cards)
        if known is None:
            continue
        first = known.deck[0]
        assert first is not None
        after = estimate(known.play(Move.parse("D>6" if first.rank == 6 else "D>X")), n=1)
        wins.update(simple=round(after.mean), forced=round(after.details["forced"]["mean"]), all=1)
    return max(wins["simple"], wins["forced"]) / wins["all"]


def filled(table: Position, cards: list[Card]) -> Position | None:
    """The table with its hidden cards named; None where a 6 would lie in a spare or in the discard pile."""
    queue = iter(cards)
    spares = tuple(tuple(card or next(queue) for card in spare) for spare in table.spares)
    discard = tuple(card or next(queue) for card in table.discard)
    if any(card.rank == 6 for pile in (*spares, discard) for card in pile):
        return None
    return replace(table, spares=spares, discard=discard, deck=tuple(next(queue) for _ in table.deck))
