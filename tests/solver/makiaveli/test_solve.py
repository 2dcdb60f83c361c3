"""The answers against trying everything, against recorded positions, and at the edges of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings

from plumbing.errors import PositionError, RulesError
from solver.cards import DECK, Card
from solver.makiaveli import MakiaveliSolution, Position, blockers, outs, solve, solve_many, verdict
from solver.makiaveli.encoding import copies
from solver.makiaveli.kernels import DEAD, _next_state
from solver.makiaveli.melds import is_meld
from solver.makiaveli.outs_kernels import _after, _before
from solver.makiaveli.solve import Objective, solve_each, turn_of
from solver.makiaveli.turn_steps import disruption
from solver.solution import Failure, Limits, StopReason, Verdict
from solver.verifier import replay
from tests.bench.makiaveli_tables import KINDS, positions
from tests.naive import makiaveli as naive
from tests.strategies import makiaveli_positions

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "positions" / "makiaveli.jsonl"
UNBOUNDED = Limits(time=None)  # a busy machine must not turn a proof into a limit
FULL_SUIT = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"


def as_int64(cards: Iterable[Card | None]) -> list[naive.Card]:
    return [(int(card.suit), int(card.rank)) for card in cards if card is not None]


def floor_of(position: Position) -> list[naive.Meld]:
    return [frozenset(as_int64(meld)) for meld in position.floor]


def best_of(position: Position) -> naive.Best:
    return naive.best(floor_of(position), as_int64(position.cross), as_int64(position.hand))


def check(position: Position, solution: MakiaveliSolution) -> None:
    """What must hold for any solution: it replays, and says of its table what is true of it."""
    end = replay(position, solution.line)
    assert isinstance(end, Position)
    assert end.is_won == (solution.verdict is Verdict.WIN)
    assert len(position.hand) - len(end.hand) == solution.max_cards
    if solution.final is not None:
        final = [frozenset(as_int64(meld)) for meld in solution.final.melds]
        assert solution.broken == naive.broken(floor_of(position), final)
    assert solution.minimal


@pytest.mark.parametrize("kind", KINDS)
def test_no_card_of_the_cross_is_taken_that_nothing_needs(kind: str) -> None:
    for position in positions(kind, 8, 3):
        assert not list(idle_cross_cards(position, solve(position)))
    winning = solve(Position.parse("floor: TC JC QC | TH JH QH; cross: - KC - AH; hand: KH"))
    assert str(winning.final) == "melds: TC JC QC | TH JH QH KH; cross: - KC - AH; hand:"


def idle_cross_cards(position: Position, solution: MakiaveliSolution) -> Iterator[Card]:
    """Cards that a turn takes from the cross, though its table without one of them is as good."""
    melds = () if solution.final is None else solution.final.melds
    for card in set(filter(None, position.cross)):
        if solution.final is not None and position.cross.count(card) > solution.final.cross.count(card):
            for number, meld in enumerate(melds):
                rest = tuple(other for other in meld if other != card)
                if rest != meld and is_meld(rest):
                    spent = disruption(position.floor, (*melds[:number], rest, *melds[number + 1 :]))
                    if spent.broken <= solution.broken and spent.moved <= solution.moved:
                        yield card


@given(makiaveli_positions())
@settings(max_examples=150, deadline=None)
def test_answers_are_those_of_trying_everything(position: Position) -> None:
    best = best_of(position)
    solution = solve(position, UNBOUNDED)
    check(position, solution)
    assert solution.max_cards == best.cards
    assert (solution.broken, solution.moved) == best.least
    assert verdict(position) is solution.verdict
    assert solution.verdict is (Verdict.WIN if best.cards == len(position.hand) else Verdict.NO_WIN)
    assert solve(position, objective="broken").broken == best.broken
    assert solve(position, objective="moved").moved == best.moved
    assert solve(position, objective="cards").max_cards == best.cards


@given(makiaveli_positions(max_melds=2, max_hand=3, max_run=13))
@settings(max_examples=50, deadline=None)
def test_outs_are_those_of_trying_every_card(position: Position) -> None:
    expected = [
        card
        for card in DECK
        if position.cards().count(card) < 2
        and naive.wins(floor_of(position), as_int64(position.cross), as_int64((*position.hand, card)))
    ]
    found = outs(position)
    assert [out.card for out in found.cards] == expected
    assert all(out.unseen == 2 - position.cards().count(out.card) for out in found.cards)
    assert found.unseen == 104 - len(position.cards())
    assert found.chance == pytest.approx(sum(out.unseen for out in found.cards) / found.unseen)


@pytest.mark.parametrize("kind", KINDS)
def test_outs_of_crowded_tables_are_those_of_asking_card_by_card(kind: str) -> None:
    for position in positions(kind, 12, seed=5):
        expected = [
            card
            for card in DECK
            if position.cards().count(card) < 2
            and verdict(replace(position, hand=(*position.hand, card))) is Verdict.WIN
        ]
        assert [out.card for out in outs(position).cards] == expected, position


def test_states_of_two_suits_step_as_one_suit_does() -> None:
    for part, state, used in product(range(6), range(10), range(3)):
        word = 1 << (10 * part + state)
        after = _next_state(state, used)
        expected = 0 if after == DEAD else 1 << (10 * part + after)
        assert _after(word)[used] == expected
        into = [before for before in range(10) if _next_state(before, used) == state]
        assert _before(word)[used] == sum(1 << (10 * part + before) for before in into)


@given(makiaveli_positions(max_melds=2))
@settings(max_examples=50, deadline=None)
def test_blockers_block_and_none_is_idle(position: Position) -> None:
    blocked = blockers(position)
    if verdict(position) is Verdict.WIN:
        assert blocked == ()
        return

    def placed(cards: tuple[Card, ...]) -> bool:
        # The other hand cards may help, as if they lay single in the cross.
        rest = list(position.hand)
        for card in cards:
            rest.remove(card)
        return naive.wins(floor_of(position), as_int64((*position.cross, *rest)), as_int64(cards))

    assert not placed(blocked)
    for place in range(len(blocked)):
        assert placed(blocked[:place] + blocked[place + 1 :])


@pytest.mark.parametrize(
    ("text", "cards", "broken", "moved"),
    [
        ("hand: KS AS 2S", 0, 0, 0),
        ("floor: 7C 7D 7H", 0, 0, 0),
        (f"floor: {FULL_SUIT}; hand: AS", 1, 1, 2),
        (f"floor: {FULL_SUIT[3:]} AS; hand: AS", 1, 1, 2),
        (f"floor: {FULL_SUIT[3:]}; hand: AS AS", 2, 1, 2),
        (f"floor: {FULL_SUIT[:17]} | {FULL_SUIT[18:]}; hand: AS", 1, 0, 0),
        (f"floor: {FULL_SUIT} | {FULL_SUIT[:-3]}; hand: KS", 1, 0, 0),
        (f"floor: {FULL_SUIT}; hand: 4S TS", 2, 1, 6),
        ("floor: AC AD AH | QC KC AC; hand: AS", 1, 0, 0),
        ("floor: AC AD AH AS; hand: QS KS", 2, 1, 1),
        ("floor: 7S 7H 7D 7C; hand: 7S", 0, 0, 0),
        ("floor: 7S 7H 7D 7C; hand: 7S 7H 7D", 3, 0, 0),
        ("floor: 3C 4C 5C | 6C 7C 8C; cross: 9C; hand: TC", 1, 0, 0),
        ("floor: 5D 6D 7D; cross: 8D 8D; hand: 9D", 1, 0, 0),
        # A floor run's ace that stays with its heir at the other end of it does not move.
        ("floor: AC 2C 3C | 2D 2H 2S | 3D 3H 3S; cross: KC; hand: QC", 1, 1, 2),
        ("floor: QC KC AC | QD QH QS | KD KH KS; cross: 3C; hand: 2C", 1, 1, 2),
        ("floor: AC 2C 3C 4C 5C; cross: 6C 7C 8C 9C; hand: TC JC QC KC 3C", 5, 1, 2),
        ("floor: TC JC QC KC AC; cross: 2C 3C 4C 5C; hand: 6C 7C 8C 9C QC", 5, 1, 2),
        (
            f"floor: {FULL_SUIT[6:]} AS | {FULL_SUIT[3:]} AS | {FULL_SUIT.replace('S', 'C')} | AC AD AH; "
            "cross: 2D 4H TH TD; hand: AH AD 9C 8D TC 3H 9D 9D",
            8, 2, 10,
        ),
    ],
)  # fmt: skip
def test_the_edges_of_the_rules(text: str, cards: int, broken: int, moved: int) -> None:
    solution = solve(Position.parse(text))
    assert (solution.max_cards, solution.broken, solution.moved) == (cards, broken, moved)


@pytest.mark.skipif(not RECORDED.exists(), reason="the recorded positions are not here")
def test_recorded_positions() -> None:
    rows = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    positions = [Position.from_json({key: row[key] for key in ("floor", "cross", "hand")}) for row in rows]
    for row, position in zip(rows, positions, strict=True):
        assert (verdict(position) is Verdict.WIN) == row["winnable"], row["id"]
        solution = solve(position, objective="broken")
        assert replay(position, solution.line).is_won == row["winnable"], row["id"]
        assert solution.minimal
        assert solution.max_cards == row["max_cards"], row["id"]
        assert solution.broken == row["min_broken"], row["id"]
        if "outs" in row:
            assert sorted(str(out.card) for out in outs(position).cards) == sorted(row["outs"]), row["id"]
    some = list(zip(rows, positions, strict=True))[::40]
    enough = Limits(time=None, nodes=100_000)  # a few proofs need millions
    proved = 0
    for row, position in some:
        least = solve(position, enough)
        assert least.broken == row["min_broken"], row["id"]
        assert sum(len(step.hand) for step in least.steps) == row["max_cards"], row["id"]
        if row["min_moved"] is not None:
            alone = solve(position, enough, objective="moved")
            assert least.moved >= row["min_moved"], row["id"]
            assert alone.moved >= row["min_moved"], row["id"]
            assert not alone.minimal or alone.moved == row["min_moved"], row["id"]
            proved += least.minimal and alone.minimal
    assert proved > 0.8 * len(some)


def test_strict_cross_asks_each_cross_meld_for_a_hand_card() -> None:
    loose = Position.parse("floor: 7C 7D 7H; cross: 7S; hand: 8S 9S")
    assert verdict(loose) is Verdict.WIN
    # 7S 8S 9S holds hand cards; the set keeps its three.
    assert verdict(replace(loose, strict_cross=True)) is Verdict.WIN
    # Here the cross card would have to replace 7D with floor cards only.
    loose = Position.parse("floor: 7C 7D 7H; cross: 7S; hand: 8D 9D")
    assert verdict(loose) is Verdict.WIN
    strict = solve(replace(loose, strict_cross=True))
    assert (strict.verdict, strict.max_cards, strict.final, strict.minimal) == (Verdict.NO_WIN, 0, None, True)


@given(makiaveli_positions(max_melds=2, max_hand=3))
@settings(max_examples=60, deadline=None)
def test_strict_cross_against_trying_everything(position: Position) -> None:
    strict = replace(position, strict_cross=True)
    solution = solve(strict)
    end = replay(strict, solution.line)
    cards, least = naive_strict(position)
    assert len(position.hand) - len(end.hand) == solution.max_cards == cards
    assert (solution.broken, solution.moved) == least
    assert solution.minimal


@pytest.mark.parametrize(
    ("text", "cards", "least"),
    [
        # A cross card twice: one may stay single while the other joins.
        ("floor: 4H 5H 6H 7H | 5S 6S 7S; cross: 3H 3H 4S; hand: 3S", 1, (0, 0)),
        ("floor: 2D 3D 4D | 2S 3S 4S; cross: 3S AD 3D AD; hand: 4S 5S 2S", 3, (0, 0)),
        # A cross card that also lies on the floor, in the same meld as another cross card.
        ("floor: 2C 3C 4C; cross: 4D 4C 3H 5C; hand: 4H", 1, (0, 0)),
        ("floor: 8D 9D TD JD | 8C 9C TC JC; cross: 8H 9C QD QD; hand: TC QC 8H", 2, (1, 1)),
        # No copy of a cross card is left once it lies in the meld of another.
        ("floor: 6S 7S 8S 9S | 5C 6C 7C; cross: 5S 7S 7D 8C; hand: 7C 6D", 1, (0, 0)),
    ],
)
def test_strict_cross_with_copies(text: str, cards: int, least: tuple[int, int]) -> None:
    position = Position.parse(text)
    assert naive_strict(position) == (cards, least)
    solution = solve(replace(position, strict_cross=True))
    assert (solution.max_cards, (solution.broken, solution.moved), solution.minimal) == (cards, least, True)


def test_strict_cross_on_crowded_tables_is_never_better_than_without() -> None:
    enough = Limits(time=None, nodes=20_000)
    for kind in KINDS:
        for position in positions(kind, 3, seed=4):
            free = solve(position, enough)
            strict = solve(replace(position, strict_cross=True), enough)
            assert strict.max_cards is None or free.max_cards is None or strict.max_cards <= free.max_cards
            if strict.minimal and free.minimal and strict.max_cards == free.max_cards:
                assert (strict.broken, strict.moved) >= (free.broken, free.moved)


def naive_strict(position: Position) -> tuple[int, tuple[int, int]]:
    """The most cards under the strict rule, and the fewest broken melds and then moved cards among those tables.

    By giving each copy of a card a name of its own.
    """
    need = naive.Counter(card for meld in floor_of(position) for card in meld)
    total = naive.Counter(as_int64(position.cards()))
    most, least = 0, (0, 0)
    for table in naive.tables(need, total):
        melds = tuple(tuple(sorted(Card.from_index(13 * s + r - 1) for s, r in meld)) for meld in table)
        turn = turn_of(position, melds)
        played = len(position.hand) - len(turn.hand)
        if played >= max(most, 1):
            try:
                replace(position, strict_cross=True).play(turn)
            except ValueError:
                continue
            cost = naive.broken(floor_of(position), table), naive.moved(floor_of(position), table)
            least = cost if played > most else min(least, cost)
            most = played
    return most, least


def test_repair_solves_from_the_counts() -> None:
    broken_floor = Position.parse("floor: 7C 7D | 8H 9H TH; hand: 7H")
    with pytest.raises(PositionError, match="at least 3"):
        solve(broken_floor)
    with pytest.raises(PositionError, match="at least 3"):
        verdict(broken_floor)
    assert solve(replace(broken_floor, repair=True)).verdict is Verdict.WIN


@pytest.mark.parametrize(
    "text", ["floor: 7C 7D", "cross: 2C 3C 4C 5C 6C", "floor: 7C 7D 7H; cross: 7C; hand: 7C 8C", "hand: 3S 3S 3S"]
)
def test_bad_positions_are_refused_by_name(text: str) -> None:
    position = Position.parse(text)
    for call in (solve, verdict, outs, blockers):
        with pytest.raises(PositionError) as caught:
            call(position)
        assert caught.value.problems == position.problems()


def test_far_too_many_cards_are_refused_too() -> None:
    for position in (Position(hand=DECK * 6), Position(floor=(DECK * 6,)), Position(floor=(DECK[:3],) * 300)):
        for call in (solve, verdict):
            with pytest.raises(PositionError, match="two decks hold 2"):
                call(position)


@pytest.mark.parametrize("objective", ["", "fewest", None])
def test_an_unknown_objective_is_refused(objective: Objective) -> None:
    with pytest.raises(RulesError, match="least, broken, moved, cards"):
        solve(Position(), objective=objective)


def test_a_limit_is_never_a_loss() -> None:
    position = Position.parse("floor: 3H 4H 5H 6H 7H; hand: 5H")
    for limits in (Limits(time=0.0), Limits(time=None, nodes=1)):
        for objective in get_args(Objective):
            solution = solve(position, limits, objective=objective)
            assert solution.verdict is not Verdict.NO_WIN
            if solution.verdict is Verdict.UNKNOWN:
                assert solution.stop_reason is not StopReason.SOLVED
                assert solution.max_cards is None


def test_both_decks_in_one_hand() -> None:
    assert verdict(Position(hand=DECK + DECK)) is Verdict.WIN
    solution = solve(Position(hand=DECK + DECK[:-1]))
    assert solution.verdict is Verdict.WIN
    assert solution.max_cards == 103


def test_many_positions_at_once() -> None:
    texts = ["hand: 3S 4S 5S", "hand: 3S 4S", "cross: 5S; hand: 3S 4S", "floor: 3S 4S 5S"]
    positions = [Position.parse(text) for text in texts]
    arrays = [
        np.stack([copies(card for card in pile(position) if card) for position in positions])
        for pile in (lambda p: [c for m in p.floor for c in m], lambda p: p.cross, lambda p: p.hand)
    ]
    assert solve_many(*arrays).tolist() == [True, False, True, True]
    assert solve_many(*(array[:0] for array in arrays)).tolist() == []
    each = solve_each([*positions, Position.parse("hand: 3S 3S 3S")])
    assert [isinstance(result, Failure) for result in each] == [False] * 4 + [True]
    assert isinstance(each[4], Failure)
    assert isinstance(each[4].error, PositionError)
    for result in each[:4]:
        assert isinstance(result, MakiaveliSolution)
        assert result.verdict is solve(result.position).verdict


@pytest.mark.parametrize("shape", [(2, 51), (52,), (1, 1, 52)])
def test_arrays_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    counts = np.zeros(shape, dtype=np.uint8)
    with pytest.raises(ValueError, match=r"allowed: three times \(n, 52\)"):
        solve_many(counts, counts, counts)


def test_a_third_copy_in_an_array_is_named() -> None:
    counts = np.ones((2, 52), dtype=np.uint8)
    nothing = np.zeros((2, 52), dtype=np.uint8)
    with pytest.raises(ValueError, match="row 0: AC"):
        solve_many(counts, counts, counts)
    assert solve_many(counts, counts, nothing).tolist() == [True, True]
