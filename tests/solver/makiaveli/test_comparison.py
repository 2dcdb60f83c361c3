"""Two tables compared: what changed, whether it was a legal turn, and steps that lead back to exactly the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from plumbing.errors import IllegalMoveError
from solver.cards import Card, cards_text, parse_cards
from solver.makiaveli import Position, Turn, solve
from solver.makiaveli.comparison import Comparison, compare, most_playable
from solver.makiaveli.melds import all_melds
from solver.place import Place
from tests.naive import makiaveli as naive

CLOSE = [meld for meld in all_melds() if all(card.rank <= 6 and card.suit < 3 for card in meld)]


def random_table(rng: Random) -> Position:
    """A few melds close to each other, some cross cards and a hand, of two decks."""
    left = Counter({card: 2 for meld in CLOSE for card in meld})
    floor = []
    for _ in range(rng.randint(1, 4)):
        meld = rng.choice(CLOSE)
        if all(left[card] for card in meld):
            left -= Counter(meld)
            floor.append(meld)
    rest = list(left.elements())
    rng.shuffle(rest)
    cross = tuple(rest.pop() if rng.random() < 0.5 else None for _ in range(4))
    return Position(tuple(floor), cross, tuple(rest[:3]))


def disturbed(rng: Random, table: Position) -> Position:
    """The table after anybody did anything with it: cards from anywhere to anywhere."""
    places = [list(meld) for meld in table.floor] + [[], list(table.hand), [c for c in table.cross if c is not None]]
    for _ in range(rng.randint(0, 4)):
        giver, taker = rng.choice(places), rng.choice(places)
        if giver and not (taker is places[-1] and len(taker) == 4):
            taker.append(giver.pop(rng.randrange(len(giver))))
    *floor, hand, cross = places
    rng.shuffle(floor)
    rng.shuffle(cross)
    return Position(tuple(map(tuple, floor)), tuple(cross), tuple(hand))


def groups(floor: Iterable[Iterable[Card]]) -> Counter[tuple[Card, ...]]:
    return Counter(tuple(sorted(cards)) for cards in floor if cards)


def put_back(found: Comparison, before: Position, after: Position) -> None:
    """Does the steps with the second table's places, and checks that they end in the first table."""
    places = {Place("floor", n): list(meld) for n, meld in enumerate(after.floor)}
    places[Place("cross")] = [card for card in after.cross if card is not None]
    places[Place("hand")] = list(found.gone)
    laid_again: list[tuple[Counter[Card], str]] = []
    for step in found.put_back:
        for card in step.cards:
            places[step.source].remove(card)
        if step.target is None:
            laid_again.append((Counter(step.cards), step.text))
        elif step.target.kind == "cross":
            places[Place("cross")] += step.cards
            assert before.cross[step.target.ordinal] == step.cards[0]
        else:
            places.setdefault(step.target, []).extend(step.cards)
    assert Counter(places[Place("hand")]) == Counter(found.played)
    assert Counter(places[Place("cross")]) == Counter(card for card in before.cross if card is not None)
    kept = groups(cards for place, cards in places.items() if place.kind == "floor")
    again = groups(before.floor) - kept
    assert not kept - groups(before.floor)
    assert sum((cards for cards, _ in laid_again), Counter()) == Counter(c for meld in again.elements() for c in meld)


@pytest.mark.parametrize("seed", range(300))
def test_change_and_way_back_agree_with_the_naive_twin(seed: int) -> None:
    rng = Random(seed)
    before = random_table(rng)
    after = disturbed(rng, before)
    found = compare(before, after, before.hand)
    first = Counter(card for meld in before.floor for card in meld)
    there = first + Counter(card for card in before.cross if card is not None)
    now = Counter(card for meld in after.floor for card in meld) + Counter(c for c in after.cross if c is not None)
    assert (Counter(found.played), Counter(found.gone)) == (now - there, there - now)
    if not found.gone and all(len(meld) == len(set(meld)) for meld in after.floor):
        tables = ([frozenset((int(c.suit), int(c.rank)) for c in meld) for meld in p.floor] for p in (before, after))
        assert len(found.moved) == naive.moved(*tables)
    put_back(found, before, after)
    assert sum(len(step.cards) for step in found.put_back) >= len(found.moved)


@pytest.mark.parametrize("seed", range(300))
def test_a_turn_is_legal_where_the_rules_of_play_say_so(seed: int) -> None:
    rng = Random(seed)
    before = random_table(rng)
    best = solve(before)
    after = disturbed(rng, before) if best.final is None or rng.random() < 0.5 else before.play(best.final)
    turn = Turn(after.floor, after.cross, after.hand)
    try:
        before.play(replace(turn, cross=_in_their_places(before, after)))
        is_legal = True
    except IllegalMoveError:
        is_legal = False
    assert compare(before, after, before.hand).is_legal == is_legal


def _in_their_places(before: Position, after: Position) -> tuple[Card | None, ...]:
    """The cross after the turn with each card where it lay: no photo tells its places for sure."""
    left = Counter(card for card in after.cross if card is not None)
    cross: list[Card | None] = []
    for card in before.cross:
        stays = card is not None and left[card] > 0
        cross.append(card if stays else None)
        left -= Counter([card] if stays and card is not None else [])
    for card in left.elements():
        cross[cross.index(None)] = card
    return tuple(cross)


@pytest.mark.parametrize(
    ("before", "after", "faults"),
    [
        ("floor: 7C 7D 7H 7S", "floor: 7C 7D 7H", ["7S lay on the floor and is not on the table any more", "no card"]),
        ("floor: 7C 7D 7H; cross: 2S 3S", "floor: 7C 7D 7H 7S; cross: 2S", ["3S lay in the cross"]),
        ("floor: 7C 7D 7H", "floor: 7C 7D 7H 8S", ["7C 7D 7H 8S is no meld: neither one rank"]),
        ("floor: 7C 7D 7H; cross: 2S", "floor: 7C 7D 7H 7S; cross: 2S 9S", ["9S lies in the cross now"]),
        ("floor: 7C 7D 7H", "floor: 7C 7D 7H", ["no card was played"]),
        ("floor: 7C 7D 7H; hand: 8C", "floor: 7C 7D 7H 7S", ["7S was not in the hand"]),
        ("floor: 7C 7D 7H; cross: 2S 3S; hand: 4S", "floor: 2S 3S 4S | 7H 7D 7C", []),
        ("floor: 4C 5C 6C | 4C 5C 6C; hand: 7C", "floor: 6C 5C 4C | 7C 4C 6C 5C", []),
    ],
)
def test_what_was_wrong_about_a_turn(before: str, after: str, faults: list[str]) -> None:
    first = Position.parse(before)
    found = compare(first, Position.parse(after), first.hand or None)
    assert len(found.faults) == len(faults)
    assert all(said.startswith(fault) for said, fault in zip(found.faults, faults, strict=True))


def test_a_card_that_was_not_in_the_hand_goes_not_back_into_it() -> None:
    before = Position.parse("floor: 7C 7D 7H | 4C 5C 6C")
    found = compare(before, Position.parse("floor: 7C 7D 7H 7S | 3C 4C 5C 6C"), parse_cards("3C KS"))
    assert [str(step) for step in found.put_back] == [
        "Take 3C from 3C 4C 5C 6C back into the hand.",
        "Take 7S from 7C 7D 7H 7S away: 7S was not in the hand.",
    ]
    assert {str(step.target) for step in found.put_back} == {"hand"}


def test_of_cards_of_one_meld_those_of_the_hand_go_back_into_it_and_only_the_others_away() -> None:
    before, after = Position.parse("floor: KC KD"), Position.parse("floor: KC KD KH KS")
    assert [str(step) for step in compare(before, after, parse_cards("KS 2C")).put_back] == [
        "Take KS from KC KD KH KS back into the hand.",
        "Take KH from KC KD KH away: KH was not in the hand.",
    ]


def test_identical_cards_go_back_in_the_fewest_steps() -> None:
    before = Position.parse("floor: 4C 5C 6C | 4C 5C 6C | 7D 7H 7S")
    after = Position.parse("floor: 4C 5C 6C 7C | 4C 4D 4H | 5C 5D 5H | 6C 6D 6H | 7D 7H 7S")
    found = compare(before, after)
    assert cards_text(found.moved) == "5C 6C"
    assert len(found.put_back) == 6
    assert "Take 7C from 4C 5C 6C 7C back into the hand." in map(str, found.put_back)


def test_a_hand_that_could_have_played_more() -> None:
    before = Position.parse("floor: 3H 4H 5H 6H 7H")
    assert most_playable(before, parse_cards("5H 8H KC")) == 2
