"""Which cards and backs make a column of Klondike, and which column that is, whatever the network's words.

What the network says is written by hand, so that no test depends on any weights.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import parse_card
from vision.layout.klondike_columns import COLUMNS, find_piles, lies_on, number_columns, weigh_numbers
from vision.layout.vocabulary import ZONES
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout

CARD_HEIGHT = 1.4
Chances = list[dict[int, float]]


def layout_that_says(chances: Chances) -> Layout:
    """A layout with the likeliest columns of each card and back, which links nothing."""
    log_zone = np.full((len(chances), len(ZONES["klondike"])), np.log(1e-6))
    for row, own in enumerate(chances):
        for column, chance in own.items():
            log_zone[row, column] = np.log(chance)
    unlinked = np.full((len(chances), len(chances)), -9.0)
    return Layout(
        np.zeros(5), np.array([0.0, 1.0]), {"klondike": log_zone}, np.zeros((len(chances), MOST + 1)), unlinked
    )


def columns_of_piles(spots: list[list[float]], chances: Chances, cards: int) -> list[list[int]]:
    """Which cards (the first ones) and backs make a column, by their places and the likeliest columns of each."""
    rows = np.arange(len(spots))
    return sorted(map(sorted, find_piles(np.array(spots), layout_that_says(chances), rows, CARD_HEIGHT, cards)))


def numbers(cards: list[str], spots: list[list[float]], chances: Chances) -> list[int | None]:
    """The column of each card, and of each back behind them; None for none."""
    log_card = np.full((len(cards), 52), np.log(0.01 / 51))
    log_card[np.arange(len(cards)), [parse_card(card).index for card in cards]] = np.log(0.99)
    rows = np.arange(len(spots))
    found = number_columns(np.array(spots), layout_that_says(chances), rows, CARD_HEIGHT, log_card)
    return [found.column.get(row) for row in rows.tolist()]


def test_a_back_between_two_columns_does_not_hold_them_together() -> None:
    spots = [[0.0, 0.0], [1.1, 0.1], [0.55, -0.5]]
    assert columns_of_piles(spots, [{0: 1.0}, {1: 1.0}, {0: 0.3, 1: 0.7}], cards=2) == [[0], [1, 2]]


def test_a_back_far_aside_lies_in_the_slanting_column_that_it_belongs_to() -> None:
    spots = [[0.0, 0.0], [1.4, 0.1], [0.5, -1.4]]
    assert columns_of_piles(spots, [{0: 1.0}, {1: 1.0}, {0: 0.1, 1: 0.9}], cards=2) == [[0], [1, 2]]


def test_backs_without_a_card_are_a_column_of_their_own() -> None:
    spots = [[0.0, 0.0], [1.4, 0.1], [1.4, -0.2], [1.5, -0.4]]
    assert columns_of_piles(spots, [{0: 1.0}, {2: 0.5}, {2: 0.9}, {2: 0.9}], cards=1) == [[0], [1, 2, 3]]


def test_a_back_lies_in_the_column_above_whose_card_it_is_found() -> None:
    spots = [[0.0, 0.0], [1.3, 0.2], [1.3, -0.7]]
    assert columns_of_piles(spots, [{4: 1.0}, {4: 0.8, 5: 0.2}, {4: 0.9, 5: 0.1}], cards=2) == [[0], [1, 2]]


def test_a_card_beside_a_column_that_breaks_its_order_is_a_column_of_its_own() -> None:
    cards = ["9S", "8H", "7S", "6H", "2S"]
    spots = [[0.2, 0.0], [0.3, 0.4], [0.3, 0.9], [0.3, 1.4], [0.85, 0.4]]
    assert numbers(cards, spots, [{4: 0.95}] * 4 + [{4: 0.4, 5: 0.6}]) == [4, 4, 4, 4, 5]


def test_a_card_found_in_the_column_beside_its_own_lies_where_the_rules_put_it() -> None:
    cards = ["KD", "QC", "JH", "KH", "QS", "7D"]
    spots = [[-0.9, -1.3], [-0.8, -0.9], [-0.8, -0.4], [-0.3, -1.3], [0.4, -1.0], [1.5, -1.0]]
    chances: Chances = [{2: 0.99}] * 3 + [{2: 0.8, 3: 0.1}, {3: 0.99}, {4: 0.99}]
    assert numbers(cards, spots, chances) == [2, 2, 2, 3, 3, 4]


def test_a_card_in_line_stays_in_its_column_though_it_is_misread() -> None:
    cards = ["9S", "8H", "2S", "6H"]
    spots = [[0.0, 0.0], [0.05, 0.4], [0.1, 0.8], [0.1, 1.2]]
    assert numbers(cards, spots, [{4: 0.9, 5: 0.1}] * 4) == [4, 4, 4, 4]


def test_two_columns_one_below_the_other_part_where_the_order_breaks() -> None:
    cards = ["3C", "2D", "KH", "QC"]
    spots = [[-1.7, 0.3], [-1.7, 0.8], [-1.4, 2.9], [-1.3, 3.4]]
    assert numbers(cards, spots, [{0: 0.9}, {0: 0.4, 3: 0.5}, {3: 0.5}, {3: 0.7}]) == [0, 0, 3, 3]


def test_a_wide_step_leaves_a_column_empty_whatever_the_network_says() -> None:
    cards = ["KS", "QS", "JS", "TS", "9S", "8S"]
    spots = [[1.2 * column, 0.0] for column in (0, 1, 3, 4, 5, 6)]
    chances: Chances = [{column: 0.9, column + 1: 0.05} for column in range(6)]
    assert numbers(cards, spots, chances) == [0, 1, 3, 4, 5, 6]


def test_even_steps_leave_it_open_which_end_is_empty() -> None:
    says = [np.log(np.where(np.arange(COLUMNS) == column, 0.7, 0.05))[None] for column in range(1, 7)]
    ways = weigh_numbers([1.2 * column for column in range(6)], says)
    first, second = sorted(ways.values())[-1:-3:-1]
    assert max(ways, key=ways.__getitem__) == (1, 2, 3, 4, 5, 6)
    assert 1 < first - second < 4


def test_of_eight_piles_a_lone_back_is_no_column() -> None:
    cards = ["KS", "QS", "JS", "TS", "9S", "8S", "7S"]
    spots = [[1.3 * column, 0.0] for column in range(8)]
    chances: Chances = [{column: 0.9, column + 1: 0.02} for column in range(6)] + [{6: 0.5, 5: 0.5}, {6: 0.97}]
    assert numbers(cards, spots, chances) == [0, 1, 2, 3, 4, 5, 6, None]


@given(st.lists(st.integers(1, 6), min_size=COLUMNS, max_size=COLUMNS), st.integers(0, 2**32 - 1))
def test_columns_that_keep_the_rules_are_found_as_they_lie(lengths: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    cards, spots, chances = [], [], []
    for column, length in enumerate(lengths):
        card = int(rng.integers(52))
        for step in range(length):
            cards.append(card)
            spots.append([1.3 * column + rng.uniform(-0.1, 0.1), 0.4 * step + rng.uniform(-0.1, 0.1)])
            chances.append({column: 0.8, (column + 1) % COLUMNS: 0.15})
            following = lies_on(card)
            if not following:
                break
            card = int(rng.choice(following))
    names = ["A23456789TJQK"[card % 13] + "CDHS"[card // 13] for card in cards]
    assert numbers(names, spots, chances) == [int(max(own, key=own.__getitem__)) for own in chances]


def test_backs_below_the_card_of_a_column_are_no_column_of_their_own() -> None:
    """Lines of a cloth look like cards face down; a column's own lie on the far side of its cards."""
    cards = ["KS", "4H", "8S"]
    spots = [[0.0, 0.0], [1.2, 0.0], [2.4, 0.0], [1.2, 2.6], [1.2, 3.1], [1.2, 3.6]]
    chances: Chances = [{0: 0.9}, {0: 0.3, 1: 0.4, 2: 0.3}, {2: 0.9}, *[{1: 0.9}] * 3]
    assert numbers(cards, spots, chances)[:3] == [0, 1, 2]
    above = [[x, -y] if number > 2 else [x, y] for number, (x, y) in enumerate(spots)]
    assert numbers(cards, above, chances)[:3] == [0, None, 2], "a foundation may lie below a column without a card"
