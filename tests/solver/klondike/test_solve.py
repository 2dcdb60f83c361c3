"""The solver against the naive twin, against public suites, and at its limits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from plumbing.errors import PositionError
from solver.cards import Card, Suit
from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, KlondikeRules, Position, random_deal, solve
from solver.klondike import deal as deal_out
from solver.klondike.solve import verdict_of
from solver.solution import Limits, StopReason, Verdict
from tests.naive import klondike as naive
from tests.solver.klondike.tables import RULE_SETS, naive_rules, position_of, table_of

SHARED = Path(__file__).resolve().parents[4] / "shared" / "positions"
BOUNDED = Limits(None, 30_000)


def test_a_line_plays_all_cards_home_once_nothing_is_in_the_way() -> None:
    columns = "[KH QC JH] | [KC QD JS] | [KD QS] | [KS] | - | [QH] | -"
    start = f"klondike draw: 1; moves: run; columns: {columns}; foundations: C11 D11 H10 S10"
    line = solve(Position.parse(start)).line
    assert len(line) == 10
    assert all(move.target.kind == "foundation" for move in line)


def test_no_card_comes_back_from_a_foundation_where_none_has_to() -> None:
    columns = "[KH QS JD TS 9H 8S 7H 6S 5H] | [TD 9C 8D 7C 6H 5C 4H] | [KC QD JC] | [9D 8C] | [4D]"
    columns += " | [KS QH JS TH 9S 8H 7S 6D] | 3H [JH TC]"
    rest = "foundations: C4 D3 H2 S5; stock: 6C KD 7D; waste: QC 5D"
    line = solve(Position.parse(f"klondike draw: 3; moves: run; worrying_back: yes; columns: {columns}; {rest}")).line
    assert len(line) < 60, "it had 148 moves, a dozen of them from a foundation in a row"
    assert all(move.source.kind != "foundation" for move in line)


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_random_endgames_agree_with_exhaustive_search(rules: naive.Rules) -> None:
    random = Random(repr(rules))
    decided = {True: 0, False: 0}
    while min(decided.values()) < 4:
        table = naive.random_endgame(random, random.randint(4, 10))
        position = position_of(table, rules)
        if position.problems():
            continue
        expected = naive.solve(table, rules, limit=300)
        if expected is None or decided[expected] > 8:
            continue
        solution = solve(position, Limits(None, None))
        assert solution.verdict is (Verdict.WIN if expected else Verdict.NO_WIN), str(position)
        replay(solution.position, solution.line)
        decided[expected] += 1


def replay(position: Position, line: tuple) -> None:
    """Every move of the line is legal for the twin, and a line ends won."""
    table, rules = table_of(position), naive_rules(position.rules)
    for move in line:
        table = naive.successors(table, rules)[str(move)]
    assert naive.is_won(table) or not line


def rules_of(row: dict) -> KlondikeRules:
    runs = "run" if row["column_moves"] == "any run part" else "one"
    return KlondikeRules(row["draw"], None, runs, row["worrying_back"])


@pytest.mark.skipif(not SHARED.exists(), reason="the shared positions are not here")
def test_public_suites_hold_no_contradiction() -> None:
    deals = json.loads((SHARED / "klondike_known.json").read_text())["deals"]
    decided = 0
    for row in deals:
        position = Position.from_json({**row["deal"], "rules": rules_of(row["rules"]).to_json()})
        solution = solve(position, BOUNDED)
        if solution.verdict is not Verdict.UNKNOWN:
            decided += 1
            assert (solution.verdict is Verdict.WIN) == (row["verdict"] == "W"), str(position)
        replay(position, solution.line)
    assert decided > len(deals) // 2


@pytest.mark.skipif(not SHARED.exists(), reason="the shared positions are not here")
@pytest.mark.parametrize(
    ("name", "rules"),
    [("d1", STANDARD_DRAW_1), ("d2", KlondikeRules(2, None, "run", True)), ("d3", STANDARD)]
    + [
        (f"{prefix}_{back}_d{draw}", KlondikeRules(draw, None, moves, back == "wb"))
        for prefix, moves, backs in (("one", "one", ("wb", "nowb")), ("grp", "run", ("nowb",)))
        for back in backs
        for draw in (1, 3)
    ],
)
def test_random_deals_hold_no_contradiction(name: str, rules: KlondikeRules) -> None:
    deals = json.loads((SHARED / "klondike_random.json").read_text())["deals"]
    decided = 0
    for row in deals:
        position = Position.from_json({"columns": row["columns"], "stock": row["stock"], "rules": rules.to_json()})
        outcome, _ = verdict_of(position, BOUNDED)
        expected = row["verdict"].get(name) or row["variants"].get(name)
        decided += isinstance(outcome, Verdict)
        if isinstance(outcome, Verdict) and expected in ("W", "L"):
            assert (outcome is Verdict.WIN) == (expected == "W"), row["id"]
    assert decided > 20


@pytest.mark.skipif(not SHARED.exists(), reason="the shared positions are not here")
def test_worrying_back_changes_verdicts() -> None:
    """The suites hold deals that are lost without worrying back and won with it: the looser safe rule misses those."""
    deals = json.loads((SHARED / "klondike_known.json").read_text())["deals"]
    changed = 0
    for row in deals:
        if row["verdict"] == "L" and row.get("lonelybot_check_with_worrying_back") == "W" and row["rules"]["draw"] <= 3:
            position = Position.from_json({**row["deal"], "rules": rules_of(row["rules"]).to_json()})
            outcome, _ = verdict_of(position.with_rules(replace(position.rules, worrying_back=True)), BOUNDED)
            changed += outcome is Verdict.WIN
            assert outcome is not Verdict.NO_WIN
    assert changed > 0


def test_stock_cards_that_wait_for_each_other() -> None:
    """A card that needs its foundation's next card and a place for its child, both from the stock: both orders work."""
    random = Random(5)
    rules = naive.Rules(1, None, True, True)
    for _ in range(40):
        table = naive.random_endgame(random, 10, columns=3)
        expected = naive.solve(table, rules, limit=400)
        if expected is not None and not position_of(table, rules).problems():
            outcome, _ = verdict_of(position_of(table, rules), Limits(None, None))
            assert (outcome is Verdict.WIN) == expected


def test_limits_are_verdicts() -> None:
    hard = random_deal(0, KlondikeRules(3, None, "one", False))
    stopped = solve(hard, Limits(None, 50))
    assert (stopped.verdict, stopped.stop_reason) == (Verdict.UNKNOWN, StopReason.NODE_LIMIT)
    assert stopped.stats.nodes <= 60
    stopped = solve(hard, Limits(0.0))
    assert (stopped.verdict, stopped.stop_reason) == (Verdict.UNKNOWN, StopReason.TIME_LIMIT)


def test_solver_refuses_what_it_cannot_judge() -> None:
    deal = random_deal(1)
    hidden = Position.from_json(deal.to_json() | {"stock": ["??"] * 24})
    with pytest.raises(PositionError, match="not known"):
        solve(hidden)
    with pytest.raises(PositionError, match="instead of 52"):
        solve(Position.from_json(deal.to_json() | {"stock": []}))


def test_a_won_position_needs_no_move() -> None:
    won = Position.parse("foundations: C13 D13 H13 S13")
    assert (solve(won).verdict, solve(won).line) == (Verdict.WIN, ())


def test_the_same_deal_gives_the_same_answer() -> None:
    first, second = solve(random_deal(2, STANDARD)), solve(random_deal(2, STANDARD))
    assert (first.verdict, first.line, first.stats.nodes) == (second.verdict, second.line, second.stats.nodes)


def dealt(position: Position) -> list[Card]:
    """The deck in the order in which it was dealt."""
    columns = [[*column.down, *column.up] for column in position.columns]
    rows = [columns[place][row] for row in range(7) for place in range(row, 7)]
    return [card for card in (*rows, *position.stock) if card is not None]


def test_suits_of_one_colour_may_change_places() -> None:
    """Renaming the suits within the colours, or swapping the colours, changes no verdict."""
    deal = random_deal(3, STANDARD)
    verdicts = set()
    for order in ("CDHS", "SDHC", "CHDS", "DCSH", "HSCD"):
        new = {suit: Suit(place) for place, suit in zip(map("CDHS".index, order), Suit, strict=True)}
        cards = [Card(new[card.suit], card.rank) for card in dealt(deal)]
        verdicts.add(verdict_of(deal_out(cards, STANDARD), Limits(None, 300_000))[0])
    assert len(verdicts) == 1


def test_seed_rules_are_solved_with_single_cards_only() -> None:
    wins = 0
    for seed in range(20):
        solution = solve(random_deal(seed, ONE_CARD), Limits(None, 5_000))
        replay(solution.position, solution.line)
        wins += solution.verdict is Verdict.WIN
    assert wins > 2
