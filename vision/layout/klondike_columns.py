"""Klondike's columns: which cards and backs make one, and which of the seven it is.

Cards that lie in line and near each other make a pile, unless the network is sure that they do not lie together; each
back joins the pile that it most likely lies in. Piles get numbers that rise as one reads, and a wider step leaves a
column empty. Where a pile does not go down in alternating colours and is not in line either, a part of it is taken out,
if what the network says of the places and what the rules say are together likelier then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.layout.constrained_decoding import RULE_BROKEN
from vision.layout.neighbours import groups
from vision.networks.table_layout import Layout
from vision.preferences import preferences_of

GAME: Final = "klondike"
COLUMNS: Final = 7
Piles = list[list[int]]
"""The rows of each pile."""


@dataclass(frozen=True, slots=True)
class ColumnsTuning:
    """How columns are told.

    Attributes:
        out_of_order_log_price: Of a card in a pile for which the columns have no place.
        loose_back_log_price: Of a back in a pile of nothing but backs for which they have none.
        unusual_columns_log_price: Of columns in two lines, or laid as rows: few people have so little room.
        aligned_card_widths: Cards of a column are at most so far out of line with the next.
        reach_card_heights: Cards of a column are at most so far from the next, unless the network is sure that it is
            one column.
        one_column_probability: Two cards lie in one column if the network gives that a higher probability.
        other_column_probability: Two cards that nothing links lie in different columns if the network gives one column
            a lower probability.
        unlinked_log_odds: Nothing links two cards if the log-odds of their link are lower.
        far_back_share: What the network says of a back counts so much for a column that is not near it.
        in_line_card_widths: What lies less far aside of the next card is not taken out of a pile,
        touching_card_heights: unless it lies farther along the pile.
        beside_card_widths: What is taken out may join a pile that is so near.
        most_broken: A pile whose order breaks more often is laid without the rules: nothing is taken out of it.
        uneven_share: Standard deviation of the steps from column to column, in their usual step.
        uneven_log_price: Of a step that fits no number of columns, at most: somebody pushed the cards.
    """

    out_of_order_log_price: float
    loose_back_log_price: float
    unusual_columns_log_price: float
    aligned_card_widths: float = 0.6
    reach_card_heights: float = 1.6
    one_column_probability: float = 0.5
    other_column_probability: float = 0.05
    unlinked_log_odds: float = -3.0
    far_back_share: float = 0.5
    in_line_card_widths: float = 0.25
    touching_card_heights: float = 1.0
    beside_card_widths: float = 1.2
    most_broken: int = 4
    uneven_share: float = 0.12
    uneven_log_price: float = -6.0


TUNING: Final = ColumnsTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class Numbered:
    """Columns of cards and backs by their rows, the log-probability, and whether columns are laid as rows."""

    column: Mapping[int, int]
    likelihood: float
    run_to_right: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Spread:
    """What lies in columns, which run along `y`.

    Attributes:
        x, y: (n,) places, card widths.
        height: A card's, card widths.
        cards: So many of them are cards; the rest are backs.
        log_column: (n, COLUMNS) log-probabilities.
        follows: (cards, cards) log-probabilities that the second may lie on the first by the rules.
        run_to_right: Whether columns are rows for the player.
    """

    x: Array
    y: Array
    height: float
    cards: int
    log_column: Array
    follows: Array
    run_to_right: bool


def number_columns(
    spots: Array,
    layout: Layout,
    rows: NDArray[np.intp],
    height: float,
    log_card: Array,
    run_to_right: bool | None = None,
) -> Numbered:
    """Column of each of the rows that lie in one: numbers rise as one reads, from left to right or from line to line.

    Args:
        spots: (n, 2) places of the cards, and behind them of the backs, in the player's frame, card widths.
        layout: What the network says.
        rows: Those that lie in columns, ascending.
        height: A card's, card widths.
        log_card: (cards, 52) log-probabilities of what each card is.
        run_to_right: Whether columns are laid as rows, where that is known.
    """
    if not len(rows):
        return Numbered({}, 0.0)
    cards = rows[rows < len(log_card)]
    log_column, follows = layout.log_zone[GAME][rows, :COLUMNS], _log_follows(log_card[cards])
    ways = []
    for to_right in (False, True) if run_to_right is None else (run_to_right,):
        x, y = spots[rows].T[::-1] if to_right else spots[rows].T
        piles = find_piles(np.stack([x, y], axis=1), layout, rows, height, len(cards))
        spread = _Spread(x, y, height, len(cards), log_column, follows, to_right)
        ways.append((_number(piles, spread), piles, spread))
    _, piles, spread = max(ways, key=lambda way: way[0][1])
    column, likelihood = _number(_mend(piles, spread), spread)
    column = _number_by_steps(column, spread)
    return Numbered({int(rows[k]): number for k, number in column.items()}, likelihood, spread.run_to_right)


def _number_by_steps(column: Mapping[int, int], spread: _Spread) -> dict[int, int]:
    """The column of each row, as columns of these piles are likeliest by the steps between them, too."""
    if not column:
        return {}
    numbers = sorted(set(column.values()))
    piles = [[row for row in column if column[row] == number] for number in numbers]
    ways = weigh_numbers([_middle(pile, spread) for pile in piles], [spread.log_column[pile] for pile in piles])
    best = max(ways, key=ways.__getitem__)
    return {row: number for pile, number in zip(piles, best, strict=True) for row in pile}


def weigh_numbers(x: Sequence[float], log_column: Sequence[Array]) -> dict[tuple[int, ...], float]:
    """Log-weight of each way to number piles that lie in this order, by what is said of them and by their steps.

    What the network says of a row of piles is nearly one opinion, of which side of the row is empty above all: the mean
    over cards and piles counts once.

    Args:
        x: Where the piles lie, card widths; where they do not rise, they lie in two lines, and steps tell nothing.
        log_column: For each pile, (rows, COLUMNS) log-probabilities of its cards and backs.

    >>> even = [np.zeros((1, COLUMNS))] * 4
    >>> ways = weigh_numbers([0.0, 1.2, 2.4, 4.8], even)
    >>> max(ways, key=ways.__getitem__), round(ways[0, 1, 2, 4] - ways[0, 1, 2, 3])
    ((0, 1, 2, 4), 6)
    """
    own = [log.mean(0) for log in log_column]
    gaps = np.diff(x)
    return {
        way: float(np.mean([log[k] for k, log in zip(way, own, strict=True)])) + _weigh_steps(gaps, np.diff(way))
        for way in combinations(range(COLUMNS), len(own))
    }


def _weigh_steps(gaps: Array, steps: NDArray[np.intp]) -> float:
    """Log-weight of the gaps between piles if so many columns lie between each pile and the next."""
    if len(gaps) < 2 or gaps.min() <= 0:
        return 0.0
    off = (gaps / np.median(gaps / steps) - steps) / TUNING.uneven_share
    return float(np.maximum(-(off**2) / (2 * steps), TUNING.uneven_log_price).sum())


@cache
def lies_on(card: int) -> tuple[int, ...]:
    """The cards that may lie on a card in a column: one lower, of the other colour."""
    return () if card % 13 == 0 else tuple(13 * suit + card % 13 - 1 for suit in _other_colour(card))


@cache
def may_carry(card: int) -> tuple[int, ...]:
    """The cards on which a card may lie in a column."""
    return () if card % 13 == 12 else tuple(13 * suit + card % 13 + 1 for suit in _other_colour(card))


def _other_colour(card: int) -> tuple[int, int]:
    return (0, 3) if card // 13 in (1, 2) else (1, 2)


_MAY_FOLLOW: Final = np.array([[above in lies_on(below) for above in range(52)] for below in range(52)], float)


def _log_follows(log_card: Array) -> Array:
    """(n, n) log-probabilities that the second card may lie on the first, as both are read; at least `RULE_BROKEN`."""
    card = np.exp(log_card)
    return np.asarray(np.log(np.maximum(card @ _MAY_FOLLOW @ card.T, np.exp(RULE_BROKEN))))


def find_piles(spots: Array, layout: Layout, rows: NDArray[np.intp], height: float, cards: int) -> Piles:
    """Which of the rows make a column; columns run along the second coordinate of their spots."""
    x, y = spots.T
    same, apart = _same_column(layout, rows)
    near = (np.abs(x[:, None] - x) < TUNING.aligned_card_widths) & (
        (np.abs(y[:, None] - y) < TUNING.reach_card_heights * height) | (same > TUNING.one_column_probability)
    )
    linked = near & ~apart
    backs = np.arange(cards, len(rows))
    piles = groups(linked[:cards, :cards])
    loose = []
    whole = [list(pile) for pile in piles]
    for back in backs.tolist():
        # A back may be found between two columns, or far aside in one that slants: it must neither hold two columns
        # together nor be a column beside its own.
        is_near = [bool(linked[back, pile].any()) for pile in piles]
        chances = [float(same[back, pile].max()) for pile in piles]
        fits = [chance * (1 if near else TUNING.far_back_share) for chance, near in zip(chances, is_near, strict=True)]
        best = int(np.argmax(fits)) if piles else 0
        if piles and (is_near[best] or chances[best] > TUNING.one_column_probability):
            whole[best].append(back)
        else:
            loose.append(back)
    return whole + [[loose[k] for k in pile] for pile in groups(linked[np.ix_(loose, loose)])]


def _same_column(layout: Layout, rows: NDArray[np.intp]) -> tuple[Array, Any]:
    """(n, n) probabilities that two of the rows lie in one column, and whether they surely do not, as in a bow."""
    chance = np.exp(layout.log_zone[GAME][rows, :COLUMNS])
    chance /= chance.sum(1, keepdims=True)
    same = chance @ chance.T
    return same, (same < TUNING.other_column_probability) & (layout.link[np.ix_(rows, rows)] < TUNING.unlinked_log_odds)


def _mend(piles: Piles, spread: _Spread) -> Piles:
    """The piles, with parts taken out as long as that makes places, numbers and rules together likelier."""
    kept = _keep_rules(piles, spread)
    best = _number(piles, spread)[1] + kept
    while True:
        ruled = [(_keep_rules(other, spread), other) for other in _mended(piles, spread)]
        ways = [(_number(other, spread)[1] + rules, rules, other) for rules, other in ruled if rules > kept]
        found = max(ways, key=lambda way: way[0], default=(best, kept, piles))
        if found[0] <= best:
            return piles
        best, kept, piles = found


def _mended(piles: Piles, spread: _Spread) -> Iterator[Piles]:
    """The piles with a part of one taken out, where its cards neither follow each other nor lie in line."""
    for number, pile in enumerate(piles):
        cards = _from_far(pile, spread)
        if sum(_breaks(pair, spread) for pair in pairwise(cards)) > TUNING.most_broken:
            continue
        for k, (below, above) in enumerate(pairwise(cards)):
            aside, along = abs(spread.x[below] - spread.x[above]), spread.y[above] - spread.y[below]
            in_line = aside < TUNING.in_line_card_widths and along < TUNING.touching_card_heights * spread.height
            if in_line or not _breaks((below, above), spread):
                continue
            for part in ([below], [above], cards[: k + 1], cards[k + 1 :]):
                if len(part) < len(cards):
                    yield from _taken_out(piles, number, part, spread)


def _breaks(pair: tuple[int, int], spread: _Spread) -> bool:
    """Whether the second of two cards rather may not lie on the first."""
    return bool(spread.follows[pair] < np.log(0.5))


def _taken_out(piles: Piles, number: int, part: Sequence[int], spread: _Spread) -> Iterator[Piles]:
    """The piles with a part of one as a pile of its own, or joined to one beside it."""
    left = [row for row in piles[number] if row not in part]
    others = [left if n == number else pile for n, pile in enumerate(piles)]
    yield [*others, list(part)]
    for n, pile in enumerate(others):
        aside = np.abs(spread.x[pile][:, None] - spread.x[list(part)])
        along = np.abs(spread.y[pile][:, None] - spread.y[list(part)])
        near = (aside < TUNING.beside_card_widths) & (along < TUNING.reach_card_heights * spread.height)
        if n != number and near.any():
            yield [[*other, *part] if m == n else other for m, other in enumerate(others)]


def _from_far(pile: Sequence[int], spread: _Spread) -> list[int]:
    """A pile's cards, without its backs, from the far end to the player."""
    return sorted((row for row in pile if row < spread.cards), key=lambda row: float(spread.y[row]))


def _keep_rules(piles: Piles, spread: _Spread) -> float:
    """Log-probability that the cards of each pile follow each other as the rules ask, from whichever end."""
    total = 0.0
    for pile in piles:
        cards = _from_far(pile, spread)
        total += max(
            sum(float(spread.follows[below, above]) for below, above in pairwise(order))
            for order in (cards, cards[::-1])
        )
    return total


def _number(piles: Piles, spread: _Spread) -> tuple[dict[int, int], float]:
    """The likeliest column of each row, of piles that lie side by side or in two lines, and its log-probability."""
    unusual = TUNING.unusual_columns_log_price
    in_line = sorted(piles, key=lambda pile: _middle(pile, spread))
    prices = [0.0 if _lies_below_cards(pile, piles, spread) else _price_left_out(pile, spread) for pile in in_line]
    ways = [(in_line, prices, unusual if spread.run_to_right else 0.0)]
    if not spread.run_to_right:
        in_two = _by_line(piles, spread)
        ways.append((in_two, [_price_left_out(pile, spread) for pile in in_two], unusual))
    return max((_number_in_order(*way, spread) for way in ways), key=lambda found: found[1])


def _price_left_out(pile: Sequence[int], spread: _Spread) -> float:
    """Log-price of a pile that has no column."""
    is_of_cards = min(pile) < spread.cards
    return len(pile) * (TUNING.out_of_order_log_price if is_of_cards else TUNING.loose_back_log_price)


def _lies_below_cards(pile: Sequence[int], piles: Piles, spread: _Spread) -> bool:
    """Whether a pile of nothing but backs lies in line with cards, nearer to the player: rather lines of a cloth.

    A column's backs lie on the far side of its cards.
    """
    if min(pile) < spread.cards:
        return False
    middle, end = _middle(pile, spread), float(spread.y[list(pile)].min())
    others = (other for other in piles if min(other) < spread.cards)
    return any(
        abs(_middle(other, spread) - middle) < TUNING.aligned_card_widths and spread.y[other].min() < end
        for other in others
    )


def _middle(pile: Sequence[int], spread: _Spread) -> float:
    """Where a column lies: where its cards lie, since backs of its neighbour may be taken for its own."""
    return float(spread.x[[row for row in pile if row < spread.cards] or list(pile)].mean())


def _by_line(piles: Piles, spread: _Spread) -> Piles:
    """Columns in reading order if they lie in two lines, which part where their upper ends differ most."""
    ends = sorted(float(spread.y[pile].min()) for pile in piles)
    _, line = max(((after - before, (before + after) / 2) for before, after in pairwise(ends)), default=(0.0, 0.0))
    return sorted(piles, key=lambda pile: (float(spread.y[pile].min()) > line, float(spread.x[pile].mean())))


def _number_in_order(
    piles: Piles, left_out: Sequence[float], price: float, spread: _Spread
) -> tuple[dict[int, int], float]:
    score = np.array([spread.log_column[pile].sum(0) for pile in piles])
    likelihood, chosen = _rising(score, left_out)
    numbered = [(pile, number) for pile, number in zip(piles, chosen, strict=True) if number is not None]
    return {row: number for pile, number in numbered for row in pile}, likelihood + price


def _rising(score: Array, left_out: Sequence[float]) -> tuple[float, tuple[int | None, ...]]:
    """The likeliest column of each pile, None for none, such that columns rise from pile to pile.

    Args:
        score: (piles, COLUMNS) log-probabilities.
        left_out: Log-price of each pile that has no column.

    Returns:
        Its log-probability and the columns.
    """
    best: list[tuple[float, tuple[int | None, ...]]] = [(0.0, ())] * (COLUMNS + 1)  # by the first number that is free
    for own, price in zip(score, left_out, strict=True):
        grown: list[tuple[float, tuple[int | None, ...]]] = [(value + price, (*path, None)) for value, path in best]
        for number in range(COLUMNS):
            value, path = max(best[: number + 1], key=lambda found: found[0])
            if value + own[number] > grown[number + 1][0]:
                grown[number + 1] = (value + float(own[number]), (*path, number))
        best = grown
    return max(best, key=lambda found: found[0])
