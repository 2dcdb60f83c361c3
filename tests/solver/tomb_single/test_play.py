"""Forced and free play against the slow twin; the search against trying everything."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plumbing.errors import IllegalMoveError
from solver.numeric.random_numbers import seeded
from solver.solution import Limits, Verdict, wilson
from solver.tomb_single import FORCED, FREE, Move, Position, estimate, random_deal, simulate, solve
from solver.tomb_single.forced_kernels import forced_deals, forced_game
from solver.tomb_single.kernels import START, new_deck, shuffle
from solver.tomb_single.rules import BUILT, CENTRE, DECK
from solver.tomb_single.search_kernels import hopeless
from solver.tomb_single.simulate import PLAYERS
from solver.tomb_single.solve import encode, forced_line
from solver.verifier import replay
from tests.naive import tomb_single as naive


def ranks_of(position: Position) -> list[int]:
    return [card.rank for card in position.deck if card is not None]


def late(seed: int, cards: int) -> Position:
    """A free position late in a game: forced play and some declined plays until `cards` are left in the deck."""
    position, generator = random_deal(seed, rules=FREE), random.Random(seed)
    while len(position.deck) > cards:
        moves = position.moves()
        plays = [move for move in moves if move.source != DECK]
        draws = [move for move in moves if move.source == DECK and move.target != CENTRE]
        builds = [move for move in plays if move.target in BUILT]
        if builds and generator.random() < 0.9:
            position = position.play(generator.choice(builds))
        elif plays and generator.random() < 0.5:
            position = position.play(generator.choice(plays))
        else:
            position = position.play(draws[0])
    return position


def naive_table(position: Position) -> naive.Table:
    spares, sixes, discard, deck = position.rank_piles()
    return naive.Table(
        deck=[rank for rank in deck if rank],
        corners=[6 + len(corner) for corner in position.corners if corner],
        centre=[6 - place % 6 for place in range(len(position.centre))],
        spares=[rank for rank in spares if rank],
        sixes=len(sixes),
        discard=[rank for rank in discard if rank],
    )


def test_forced_games_equal_the_twin() -> None:
    generator = random.Random(3)
    stack = np.zeros(54, np.uint64)
    won = 0
    for _ in range(600):
        ranks = [1 + index % 13 for index in range(52)]
        generator.shuffle(ranks)
        deck = np.array([1 << 4 * rank for rank in ranks] + [0], np.uint64)
        result = forced_game(deck, stack, 0, START)
        assert result == naive.forced_game(ranks, generator)
        won += result
    assert 80 < won < 160


def test_games_played_side_by_side_equal_games_played_one_by_one() -> None:
    games, block = 2001, 10
    deck, stack = new_deck(), np.zeros(54, np.uint64)
    state = tuple(np.uint64(x) for x in seeded(np.uint64(8)))
    wins = np.zeros((games + block - 1) // block, np.int64)
    for game in range(games):
        state = tuple(np.uint64(x) for x in shuffle(deck, state))
        wins[game // block] += forced_game(deck, stack, 0, START)
    assert wins.tolist() == forced_deals(games, block, np.uint64(8)).tolist()
    assert forced_deals(1, 1, np.uint64(8)).tolist() == forced_deals(2, 1, np.uint64(8)).tolist()[:1]


def test_under_forced_play_the_order_never_matters() -> None:
    generator = random.Random(5)
    for _ in range(60):
        ranks = [1 + index % 13 for index in range(52)]
        generator.shuffle(ranks)
        assert len(naive.forced_ends(naive.Table(ranks))) == 1


@pytest.mark.parametrize("seed", range(12))
def test_forced_lines_replay_to_the_twins_result(seed: int) -> None:
    position = random_deal(seed)
    line = list(forced_line(position))
    end = replay(position, line)
    assert not end.moves()
    assert end.is_won == naive.forced_game(ranks_of(position), random.Random(1))
    solution = solve(position)
    assert solution.verdict == (Verdict.WIN if end.is_won else Verdict.NO_WIN)


def test_a_deal_is_the_first_game_of_its_seed() -> None:
    for seed in range(20):
        won = solve(random_deal(seed)).verdict is Verdict.WIN
        assert simulate(1, seed=seed).mean == won


def test_search_equals_trying_everything() -> None:
    verdicts = []
    for seed in range(120):
        position = late(seed, cards=9 + seed % 6)
        assert position.problems() == ()
        expected = naive.free_wins(naive_table(position), limit=3000)
        if expected is None:
            continue
        solution = solve(position, Limits(time=None))
        assert (solution.verdict is Verdict.WIN) == expected, str(position)
        assert solution.verdict is not Verdict.UNKNOWN
        verdicts.append(expected)
    assert verdicts.count(True) >= 10
    assert verdicts.count(False) >= 10


def is_hopeless(position: Position) -> bool:
    piles, table = encode(position)
    return bool(hopeless(piles.deck, 0, piles.stack, piles.height, table))


def test_no_position_on_the_way_to_a_win_is_called_hopeless() -> None:
    checked = lost = 0
    for seed in range(60):
        position = random_deal(seed)
        way = [position]
        for move in forced_line(position):
            position = position.play(move)
            way.append(position)
        if position.is_won:
            assert not any(map(is_hopeless, way))
            checked += len(way)
        else:
            lost += is_hopeless(position)
    assert checked > 500
    assert lost > 40


def test_random_deals_are_decided_with_lines_that_replay() -> None:
    verdicts = []
    for seed in range(60):
        solution = solve(random_deal(seed, rules=FREE), Limits(time=None, nodes=20_000))
        verdicts.append(solution.verdict)
        if solution.verdict is Verdict.WIN:
            assert replay(solution.position, solution.line).is_won
    assert verdicts.count(Verdict.WIN) >= 55
    assert verdicts.count(Verdict.UNKNOWN) <= 2


def test_a_limit_is_unknown_never_a_loss() -> None:
    for seed in range(60):
        solution = solve(random_deal(seed, rules=FREE), Limits(nodes=1))
        assert solution.verdict is not Verdict.NO_WIN


def test_measured_rates() -> None:
    forced = simulate(200_000, seed=11)
    assert forced.low - 0.002 < 0.1960 < forced.high + 0.002
    simple = simulate(50_000, player="simple", seed=11)
    assert simple.mean > 0.25
    lookahead = simulate(300, player="lookahead", samples=16, seed=11)
    assert lookahead.mean > 0.2


@pytest.mark.parametrize("player", PLAYERS)
def test_the_seed_decides(player: str) -> None:
    games = {"forced": (1 << 17) + 500, "simple": (1 << 16) + 500, "lookahead": 70}[player]
    samples = 2
    one = simulate(games, player=player, samples=samples, seed=2)  # type: ignore[arg-type]
    two = simulate(games, player=player, samples=samples, seed=2, workers=2)  # type: ignore[arg-type]
    assert one == two


def test_progress_reports_every_game_once() -> None:
    rows: list[list[int]] = []
    result = simulate(10_000, seed=1, progress=lambda games, won: rows.append([games, *won]))
    assert sum(games for games, _ in rows) == 10_000
    assert sum(won for _, won in rows) == round(result.mean * 10_000)


def test_shuffles_are_uniform() -> None:
    counts = np.zeros((52, 13))
    deck = new_deck()
    state = tuple(np.uint64(x) for x in seeded(np.uint64(8)))
    for _ in range(4000):
        state = tuple(np.uint64(x) for x in shuffle(deck, state))
        for place in (0, 1, 25, 50, 51):
            counts[place, int(deck[place]).bit_length() // 4 - 1] += 1
    for place in (0, 1, 25, 50, 51):
        expected = 4000 / 13
        assert ((counts[place] - expected) ** 2 / expected).sum() < 32.9  # 12 degrees of freedom, p = 0.001


def test_estimate_of_a_whole_hidden_deck_is_the_simulated_rate() -> None:
    result = estimate(Position.parse("deck: 52"), n=100_000, seed=4)
    assert result.low - 0.002 < 0.1960 < result.high + 0.002
    free = estimate(Position.parse("rules: free; deck: 52"), n=20_000, seed=4)
    assert free.details["forced"]["mean"] == pytest.approx(0.196, abs=0.012)
    assert free.mean > 0.24


def test_estimates_equal_the_average_over_all_completions() -> None:
    # Late positions with three hidden cards: all their orders, by hand.
    from itertools import permutations

    for seed in (1, 4, 9):
        whole = late(seed, cards=3).with_rules(FORCED)
        hidden = Position(
            corners=whole.corners,
            centre=whole.centre,
            spares=whole.spares,
            spare_six=whole.spare_six,
            discard=whole.discard,
            deck=(None,) * 3,
        )
        generator = random.Random(1)
        wins = []
        for order in permutations(ranks_of(whole)):
            table = naive_table(whole)
            table.deck = list(order)
            wins.append(all(key[2] == 24 and key[1] == (13,) * 4 for key in naive.forced_ends(table)))
        share = sum(wins) / len(wins)
        result = estimate(hidden, n=2000, seed=generator.randrange(100))
        low, high = wilson(round(share * 2000), 2000, z=4)
        assert low <= result.mean <= high


def test_only_legal_moves_are_applied() -> None:
    position = Position.parse("deck: 2C 9D ?? 49")
    for text in ("D>C", "D>K1", "D>6", "X>S1", "S1>C", "6>C", "D>X"):
        with pytest.raises(IllegalMoveError):
            position.play(Move.parse(text))
    after = position.play(Move.parse("D>S3"))
    assert str(after).startswith("tomb_single spares: - - 2C -; deck: 9D")
    with pytest.raises(IllegalMoveError, match="not known"):
        after.play(Move.parse("D>S1")).play(Move.parse("D>S2"))
