"""The player that does not peek: its game beside the naive twin, its answers, and whole games."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from plumbing.errors import PositionError
from solver.cards import parse_card
from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, KlondikeRules, Move, Position, player, random_deal
from solver.klondike import player_kernels as game
from solver.klondike import player_search_kernels as tree
from solver.klondike.chances import completed, completions
from solver.klondike.encoding import bit_of, card_of
from solver.klondike.move import DRAW
from solver.klondike.player import (
    _choose,
    _decide,
    _Decision,
    _encode,
    _EncodedTable,
    _find_low,
    _laid,
    _network,
    _Option,
    best_move,
    hide,
    seen_after,
)
from solver.klondike.player_games import UnseenSample, measure_unseen, play_on, play_unseen
from solver.klondike.solve import solve
from solver.solution import Limits, Verdict
from tests.naive.klondike_player import choices as naive_choices
from tests.solver.klondike.tables import LAST_OF_STOCK, naive_rules, table_of

KINGS = "foundations: C12 D12 H12 S12"
PRESETS = (STANDARD, STANDARD_DRAW_1, ONE_CARD)
OTHERS = (
    replace(STANDARD, redeals=2),
    replace(STANDARD, worrying_back=False),
    replace(ONE_CARD, worrying_back=True, redeals=0),
    replace(STANDARD, draw=2),
)


def choices_of(position: Position, *, every: bool = True) -> set[tuple[int, bool]]:
    """The kernel's choices of a position in which every card is known: the card's number, and whether it goes up."""
    table, _ = _encode(position)
    members, choices = np.zeros((2000, 3), np.int64), np.zeros((game.MAX_CHOICES, game.CHOICE), np.int64)
    state, rules = np.array(table.state, np.int64), np.array(table.rules, np.int64)
    count = game.find_choices(state, rules, table.turned, members, choices, 2000, every)
    return {(card_of(bit).index, way == game.UP) for bit, way in choices[:count, :2].tolist()}


@pytest.mark.parametrize("rules", [*PRESETS, *OTHERS], ids=str)
def test_choices_are_those_of_the_naive_twin(rules: KlondikeRules) -> None:
    random = Random(3)
    compared = 0
    for seed in range(8):
        position = random_deal(seed, rules)
        for _ in range(60):
            wanted = naive_choices(table_of(position), naive_rules(rules), 300)
            table, member = _encode(position)
            if wanted is not None:
                found = choices_of(position)
                # What goes up and can come back need not be tried in a column as well.
                ups = {card for card, up in found if up} if rules.worrying_back else set()
                is_home = rules.worrying_back or member[1] == table.state[game.RAISED]
                if is_home:
                    assert found <= wanted, str(position)
                    assert {(card, up) for card, up in wanted if up or card not in ups} <= found, str(position)
                    compared += 1
            moves = position.moves()
            if not moves:
                break
            position = position.play(random.choice(moves))
    assert compared > 100


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_moves_that_can_be_taken_back_change_no_decision(rules: KlondikeRules) -> None:
    random = Random(5)
    compared = 0
    for seed in range(20):
        position = random_deal(seed, rules)
        for _ in range(80):
            moves = position.moves()
            if not moves:
                break
            after = position.play(random.choice(moves))
            if any(after.play(move) == position for move in after.moves()):
                assert _encode(hide(after))[0] == _encode(hide(position))[0], str(position)
                compared += 1
            position = after
    assert compared > 10


def test_a_king_that_goes_up_changes_no_decision() -> None:
    table = "columns: [KH] | ?? [TH 9S 8H 7S] | [KS QH] | [KC] | - | ?? [KD QS JH TS] | [9H 8S 7H 6S]"
    rules = "draw: 1; redeals: unlimited; moves: run; worrying_back: yes"
    before = Position.parse(f"klondike {rules}; {table}; foundations: C12 D12 H6 S4")
    after = before.play(Move.parse("T4>F"))
    assert _encode(after)[0] == _encode(before)[0]


@pytest.mark.parametrize("name", [name + way for name in ("draw_3", "draw_1", "one_card") for way in ("", "_counted")])
def test_the_network_computes_as_numpy_does(name: str) -> None:
    random = np.random.default_rng(1)
    first, second, last = _network(name)
    count = int(game.count_features(len(first) - 1))
    assert (count + 1) * int(abs(first).max()) < 1 << 15, "the sums must stay within 16 bits"
    rows = random.integers(len(first) - 1, size=count)
    sums = np.maximum(first[rows].sum(axis=0, dtype=np.int64) + first[-1], 0)
    hidden = np.maximum(sums @ second[:-1].astype(np.int64) + (second[-1].astype(np.int64) << 8), 0) >> 8
    expected = (int(hidden @ last[:-1]) + (int(last[-1]) << 8)) >> 6
    assert game.value(rows, (first, second, last)) == expected


def test_the_network_sees_the_order_of_the_stock_and_what_takes_what() -> None:
    random = Random(9)
    for seed in range(6):
        position = random_deal(seed, STANDARD)
        for _ in range(40):
            table, _ = _encode(position)
            _, slots, faces, turns = _laid(table)
            state, rules, rows = np.array(table.state), np.array(table.rules), np.zeros(128, np.int64)
            stock = np.array([*table.stock, *[0] * (24 - len(table.stock))])
            game.features(state, rules, slots, stock, turns, faces, rows, game.FEATURES)
            seen = set(rows[game.PARENT_FEATURES : game.FEATURES].tolist())
            order = list(enumerate(table.stock))
            wanted = {game.PLACE_ROW + bit * 24 + place for place, bit in order}
            wanted |= {game.BEHIND_ROW + bit * 52 + table.stock[place - 1] for place, bit in order if place}
            wanted |= {game.WASTE_ROW + int(state[game.WASTE]).bit_count()}
            assert seen - {game.NO_ROW} == wanted, str(position)
            turned = {bit for place, bit in order if place % 3 == 2 or place == len(order) - 1}
            parents = rows[game.PLAIN_FEATURES : game.PARENT_FEATURES].tolist()
            assert parents == [_parent_row(table, turned, pair) for pair in range(2, 26)], str(position)
            if not (moves := position.moves()):
                break
            position = position.play(random.choice(moves))


def test_the_network_sees_what_lies_on_what_under_the_one_card_rule() -> None:
    random = Random(9)
    compared = 0
    for seed in range(12):
        position = random_deal(seed, ONE_CARD)
        for _ in range(40):
            table, member = _encode(position)
            state, rules, rows = np.array(table.state), np.array(table.rules), np.zeros(128, np.int64)
            if member == (state[game.VISIBLE], state[game.RAISED], state[game.ODD]):  # else it stands for another table
                _, slots, faces, turns = _laid(table)
                game.features(state, rules, slots, np.zeros(24, np.int64), turns, faces, rows, game.FEATURES)
                seen = set(rows[game.PARENT_FEATURES : game.FEATURES].tolist())
                assert seen - {game.NO_ROW} == _rows_of_columns(position), str(position)
                compared += 1
            if not (moves := position.moves()):
                break
            position = position.play(random.choice(moves))
    assert compared > 100


def _rows_of_columns(position: Position) -> set[int]:
    """The rows of all cards on which another lies."""
    rows = set()
    for column in position.columns:
        bits = [bit_of(card) for card in column.up]
        depth = len(column.down)
        owned = 0 if depth == 0 and bits[:1] and bits[0] >= 48 else 1 if depth == 0 else 2 if depth <= 2 else 3
        for at, (under, over) in enumerate(pairwise(bits)):
            kind = owned if at == 0 else 0
            rows |= {game.PLACE_ROW + under * 24 + 6 * kind + min(len(bits) - at - 1, 6) - 1}
            rows |= {game.BEHIND_ROW + under * 52 + over}
    return rows


def _parent_row(table: _EncodedTable, turned: set[int], pair: int) -> int:
    """The row of a pair with the one that it takes: 36 ways for either, by the kinds of their two cards."""
    visible, locked, raised = table.state[:3]

    def kind(bit: int) -> int:
        if bit in table.stock:
            return 6 if bit in turned else 7
        return 1 if raised >> bit & 1 else 4 if locked >> bit & 1 else 2 if visible >> bit & 1 else 0

    ways = [(low, high) for high in range(8) for low in range(high + 1)]
    rank, black = divmod(pair, 2)
    below = 4 * (rank - 1) + (0 if black else 2)
    first, second = (ways.index((min(kinds), max(kinds))) for kinds in (
        (kind(2 * pair), kind(2 * pair + 1)), (kind(below), kind(below + 1))
    ))  # fmt: skip
    return game.PARENT_ROW + ((rank - 1) * 36 + first) * 36 + second


@pytest.mark.parametrize("rules", [STANDARD_DRAW_1, ONE_CARD, replace(STANDARD, redeals=2)], ids=str)
@pytest.mark.parametrize("is_stock_known", [False, True])
def test_a_search_that_goes_on_finds_what_one_from_the_beginning_finds(
    rules: KlondikeRules, is_stock_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "NODES_FIRST", 8)  # so the tree grows
    deal = random_deal(2, rules)
    seen = replace(hide(deal), stock=deal.stock) if is_stock_known else hide(deal)
    found = []
    for works in ((200, 1000, 3000), (3000,)):
        monkeypatch.setattr(player, "_SPACES", player._Spaces())
        _decide.cache_clear()
        found.append([best_move(seen, work) for work in works][-1])
    assert found[0] == found[1]


def test_more_work_goes_on_with_the_search_that_there_is() -> None:
    deal = random_deal(2, STANDARD)
    seen = replace(hide(deal), stock=deal.stock)
    _decide.cache_clear()
    best_move(seen, 2000, 5)
    space = player._SPACES.take(0)
    before = space.ints[tree.PROGRESS].tolist()
    space.begin(_encode(seen)[0], 5, 3000)
    assert space.ints[tree.PROGRESS].tolist() == before
    assert before[tree.DONE] >= 2000
    _decide.cache_clear()
    best_move(seen, 3000, 5)
    space.begin(_encode(seen)[0], 5, 2000)  # less than it has been searched for: from the beginning
    assert not space.ints[tree.PROGRESS].any()


@pytest.mark.parametrize(("kept", "places"), [(10**6, 1 + player.FEWEST_TRIED), (0, 2)])
def test_only_small_searches_of_orders_that_are_tried_out_are_kept(
    kept: int, places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large ones of 48 orders filled some hundred megabytes."""
    found = []
    for limit in (player.KEPT_WORK, kept):
        monkeypatch.setattr(player, "KEPT_WORK", limit)
        monkeypatch.setattr(player, "_SPACES", player._Spaces())
        _decide.cache_clear()
        found.append(best_move(hide(random_deal(2, STANDARD_DRAW_1)), 3000))
    assert found[0] == found[1]
    assert len(player._SPACES.all) == places


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_advice_is_the_same_for_all_truths(rules: KlondikeRules) -> None:
    seen = hide(random_deal(5, rules))
    for _ in range(12):
        advice = best_move(seen, 500)
        _decide.cache_clear()
        _laid.cache_clear()
        assert best_move(seen, 500) == advice
        assert {one.move for one in advice.moves} == set(seen.moves())
        assert all(0 <= one.low <= one.chance <= one.high <= 1 for one in advice.moves)
        assert advice.move is not None
        assert advice.line[0] == advice.move
        end = reduce(Position.play, advice.line, seen)
        assert advice.line[-1] != DRAW or None not in end.stock, "it ends with what is aimed at, or with all seen"
        truths = completions(seen, Random(1))
        after = {str(seen_after(seen, next(truths).play(advice.move), advice.move)) for _ in range(3)}
        assert all(Position.parse(text).problems() == () for text in after)
        seen = Position.parse(min(after))


@pytest.mark.parametrize("rules", [*PRESETS, *OTHERS], ids=str)
def test_games_end_and_all_their_moves_are_legal(rules: KlondikeRules) -> None:
    for seed in range(6):
        truth = random_deal(seed, rules)
        won, moves = play_unseen(truth, hide(truth), 300, seed)
        assert moves < 2000
        assert not won or moves >= 52


def test_a_player_who_looks_at_what_is_open_wins_more_often_than_luck() -> None:
    games = list(measure_unseen(UnseenSample(12, STANDARD_DRAW_1, 7, 500)))
    assert sum(one.won for one in games) >= 4


def test_of_choices_as_good_one_uncovers_then_plays_home_and_turns_the_stock_last() -> None:
    columns = "[8S 7H] | [7C] | ?? [JH] | ?? ?? [QS] | ?? ?? ?? [4C] | ?? ?? ?? ?? [4S] | ?? ?? ?? ?? ?? [8C]"
    rules = "draw: 3; redeals: 2; moves: run; worrying_back: yes"
    cards = f"waste: 3D; foundations: C1 D2 H1 S1; stock: {'?? ' * 23}"
    table, member = _encode(Position.parse(f"{rules}; columns: {columns}; {cards}"))

    def option(card: str, way: int, chance: float = 0.3) -> _Option:
        bit = bit_of(parse_card(card)) if card else game.NO_CARD
        return _Option(bit, way, member, 100, chance, 0.01)

    jack, home = option("JH", game.ONTO), option("3D", game.UP)
    onto, turn = option("3D", game.ONTO), option("", game.TURN)
    for last in range(1, 5):
        options = [turn, onto, home, jack][:last]
        assert _choose(table, options, None) == options[-1]
    assert _choose(table, [replace(turn, chance=0.35), jack], None) == replace(turn, chance=0.35)


@pytest.mark.parametrize("stock", ["?? " * 8, "3D 4D 6S 9D 3S KD 9H 3C"])
def test_an_ace_is_not_left_lying_for_the_order_of_the_stock(stock: str) -> None:
    columns = "[KS QH] | [KC QD JC TH 9C 8H 7C 6D 5C] | - | ?? ?? ?? [5H 4S 3H 2C] | ?? ?? [JH TC] | ?? ?? [5D]"
    cards = f"columns: {columns} | ?? ?? ?? [7S]; foundations: C0 D1 H2 S2; waste: 7H 8D 4H 7D 9S 8C 6H JS TD AC"
    seen = Position.parse(f"draw: 3; moves: run; worrying_back: yes; {cards}; stock: {stock}")
    assert str(best_move(seen, 20_000).move) == "W>F"
    _, member = _encode(seen)
    ace = _Option(bit_of(parse_card("AC")), game.UP, member, 100, 0.5, 0.01)
    three = _Option(bit_of(parse_card("3S")), game.UP, member, 900, 0.51, 0.01)
    decision = _Decision((three, ace), three, None, 1000)
    assert _find_low(decision) == ace
    for better in (replace(decision, options=(ace, replace(three, chance=0.6))), replace(decision, look=0.6)):
        assert _find_low(better) is None, "something else is clearly better"
    assert _find_low(replace(decision, is_proved=True)) is None


def test_with_redeals_counted_a_turn_is_a_choice_with_a_chance_of_its_own() -> None:
    truth = random_deal(11, OTHERS[0])
    seen, turns = hide(truth), 0
    while (advice := best_move(seen, 500)).move is not None:
        draws = [one for one in advice.moves if one.move == DRAW]
        if None in seen.stock:
            assert len(draws) == 1
        turns += advice.move == draws[0].move if draws else 0
        truth = truth.play(advice.move)
        seen = seen_after(seen, truth, advice.move)
    assert turns >= 8
    assert truth.redealt <= 2


def test_before_the_last_card_of_the_stock_comes_up_the_chance_is_what_it_is_on_average_after() -> None:
    seen = Position.parse(LAST_OF_STOCK)
    before = best_move(seen, 20_000).moves[0]
    after = [best_move(replace(seen, stock=(card,)), 20_000).chance for card in seen.unseen()]
    assert before.low <= sum(after) / len(after) <= before.high
    assert before.high - before.low < 0.15


def test_sure_wins_and_ends_are_said() -> None:
    kings = Position.parse(
        "moves: run; columns: [KS] | - | - | - | - | - | -; stock: ?? ??; waste: KC; foundations: C12 D12 H12 S12"
    )
    advice = best_move(kings)
    assert (str(advice.move), advice.why, advice.chance) in {
        ("T1>F", "lets the rest play itself", 1.0),
        ("W>F", "lets the rest play itself", 1.0),
    }
    hearts = "klondike draw: 1; columns: - | - | - | - | - | - | -; foundations: C13 D13 H10 S13; stock: "
    for stock, line in (("KH QH JH", "draw draw draw W>F"), ("?? ?? ??", "draw draw draw")):
        told = " ".join(map(str, best_move(Position.parse(hearts + stock)).line))
        assert told == line, "how often the stock is turned is told at once"
    stuck = Position.parse(
        "columns: ?? ?? 3C [2C] | 4C 5C 6C [7C] | 8C 9C TC [JC] | QC KC 2S [3S] | 4S 5S 6S [7S] | 8S 9S TS [JS] | "
        "QS [KS]; foundations: D13 H13"
    )
    assert best_move(stuck).move is None
    with pytest.raises(PositionError):
        best_move(Position())


def test_squared_piles_and_known_cards_are_taken() -> None:
    truth = random_deal(3, STANDARD)
    for _ in range(4):
        truth = truth.play(truth.moves()[0])
    squared = replace(hide(truth), waste=(*(None,) * (len(truth.waste) - 1), truth.waste[-1]))
    assert best_move(squared, 500).move in squared.moves()
    whole = completed(squared, list(squared.unseen()))
    assert best_move(whole, 500).move in whole.moves()


def test_where_every_card_is_known_single_cards_are_played_as_the_solver_says() -> None:
    for rules in (ONE_CARD, replace(ONE_CARD, worrying_back=True)):
        position = random_deal(Random(2), rules)
        assert solve(position, Limits(None, 30_000)).verdict is Verdict.WIN
        assert best_move(position, 100).chance == 1  # each move is proved, not only the one that is named
        worth = {Verdict.WIN: 1.0, Verdict.NO_WIN: 0.0}
        for one in best_move(position, 100).moves[1:]:
            verdict = solve(position.play(one.move), Limits(None, 30_000)).verdict
            assert worth.get(verdict, one.chance) == one.chance, str(one.move)
        for _ in range(400):
            move = best_move(position, 100).move
            if move is None:
                break
            position = position.play(move)
        assert position.is_won, str(position)


def test_the_player_does_not_peek() -> None:
    truth = random_deal(4, STANDARD_DRAW_1)
    seen = hide(truth)
    random = Random(1)
    shown = {card for column in truth.columns for card in column.up}
    for _ in range(40):
        move = random.choice(seen.moves())
        truth = truth.play(move)
        seen = seen_after(seen, truth, move)
        shown |= {card for column in truth.columns for card in column.up} | set(truth.waste[-1:])
        known = {card for column in seen.columns for card in (*column.down, *column.up)} | set(seen.stock + seen.waste)
        assert known - {None} <= shown
        assert completed(seen, list(seen.unseen())).problems() == ()


def test_playing_on_is_reported_apart() -> None:
    near = Position.parse(f"moves: run; columns: [KS] | - | - | - | - | - | -; stock: ?? ?? ??; {KINGS}")
    result = play_on(near, 2, seed=1, workers=1)
    assert result.mean == 1.0
    assert "without peeking" in result.what


def test_an_ace_that_lies_on_another_card_goes_home_before_the_stock_is_turned() -> None:
    """A search takes the tables before and after it for one, so no other move seems better or worse."""
    table = Position.parse(
        "columns: - | ?? [2S AD] | ?? [4H] | ?? ?? ?? [7D 6S 5D] | ?? ?? ?? ?? [JC TH] | ?? ?? ?? ?? ?? [QS] |"
        " ?? ?? ?? ?? ?? ?? [4D 3C 2D]; foundations: C2 D0 H1 S0; stock: ?? ?? ?? ?? ?? ?? ?? ??"
        " ?? ?? ?? ?? ?? ?? ?? ??; waste: JH"
    )
    advice = best_move(table, 20_000)
    assert (str(advice.move), advice.why, list(map(str, advice.line))) == ("T2>F", "plays home", ["T2>F"])
    assert advice.moves[0].move == advice.move
