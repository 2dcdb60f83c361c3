"""How many cards each column of Klondike hides, by what the network says of each and what the rules leave room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cards.geometry import Array
from vision.confidence import PART_SURE_FROM
from vision.layout.klondike_columns import COLUMNS
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout
from vision.preferences import preferences_of

DECK_SIZE: Final = 52
DEALT_UP_AND_DOWN: Final = 28


@dataclass(frozen=True, slots=True)
class CountTuning:
    """How the counts of all columns are weighed together.

    Attributes:
        no_room_log_price: Of each card for which neither column nor stock has room.
        more_than_dealt_log_price: Of a column that hides more cards than were dealt to it: it is another column then.
        dealt_from_right_log_odds: One table in twenty or so is dealt from the right.
        miscounted_back_log_price: Of each card more or less than backs are found, in a column of nothing but backs.
    """

    no_room_log_price: float
    more_than_dealt_log_price: float
    dealt_from_right_log_odds: float
    miscounted_back_log_price: float


TUNING: Final = CountTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How many cards lie face down: the likeliest number of each column, and (7, MOST + 1) probabilities."""

    best: tuple[int, ...]
    chance: Array

    def unsure(self, sure_from: float = PART_SURE_FROM) -> list[tuple[int, int, int]]:
        """Column, number and next likeliest number, where the number is less probable than that."""
        found = []
        for column, (best, chance) in enumerate(zip(self.best, self.chance, strict=True)):
            if chance[best] < sure_from:
                second = int(np.where(np.arange(MOST + 1) == best, -1, chance).argmax())
                found.append((column, best, second))
        return found


def count_down(
    columns: Sequence[Sequence[int]],
    backs: Sequence[Sequence[int]],
    layout: Layout,
    out: int,
    decoding: bool = True,
    *,
    room: int = DECK_SIZE,
) -> Counts:
    """How many cards each column hides, by the network and by how many the rules leave room for.

    At the deal 28 cards lie in the columns and 24 in the stock. So of 28 cards those that are not out, face up in
    columns or on foundations, are still face down, and more where cards came from the stock.

    Args:
        columns: Rows of the face-up cards of each column.
        backs: Rows of the backs found in each.
        layout: What the network says.
        out: Cards face up in columns and on foundations.
        decoding: Whether the rules count.
        room: Cards of the deck that lie nowhere face up: no more can lie face down.
    """
    own = np.array([_count_alone(column, len(found), layout) for column, found in zip(columns, backs, strict=True)])
    if not decoding:
        return _counts(own, np.zeros(COLUMNS * MOST + 1))
    least = DEALT_UP_AND_DOWN - out
    hidden_by_all = np.arange(COLUMNS * MOST + 1)
    from_left = np.arange(COLUMNS)  # so many cards were dealt face down to each column
    weighed = []
    for dealt, prior in ((from_left, 0.0), (from_left[::-1], TUNING.dealt_from_right_log_odds)):
        late = np.arange(MOST + 1) > dealt[:, None]
        limited = np.where(late & (not layout.tops_only), np.minimum(own, TUNING.more_than_dealt_log_price), own)
        possible = sum(int(hidden) for hidden, *seen in zip(dealt, columns, backs, strict=True) if any(seen))
        missing = np.clip(least - hidden_by_all, 0, None)
        # Where more are missing than the columns can hide, only a part of the table is in the photo.
        wrong = missing * (least <= possible) + np.clip(hidden_by_all - room, 0, None)
        price = np.asarray(-TUNING.no_room_log_price * wrong)
        weighed.append((_weight(limited, price) + prior, limited, price))
    _, limited, price = max(weighed, key=lambda found: found[0])
    return _counts(limited, price)


def _counts(own: Array, price: Array) -> Counts:
    return Counts(_likeliest(own, price), _chances(own, price))


def _weight(own: Array, price: Array) -> float:
    """Log-probability of what is seen: the sum over all ways in which columns may hide cards."""
    total = np.full(len(price), -np.inf)
    total[0] = 0.0
    for row in own:
        total = _shifted(total, row)
    return float(np.logaddexp.reduce(total + price))


def _count_alone(column: Sequence[int], backs: int, layout: Layout) -> Array:
    """(MOST + 1,) log-probabilities of how many cards a column hides, whatever the others hide."""
    hidden = np.arange(MOST + 1)
    if column:
        return np.asarray(layout.log_count[column[0]])
    if backs:  # nothing but backs: what is found, though nobody can be sure of it
        log = TUNING.miscounted_back_log_price * np.abs(hidden - min(backs, MOST))
        return np.asarray(log - np.logaddexp.reduce(log))
    return np.where(hidden == 0, 0.0, -np.inf)


def _chances(own: Array, price: Array) -> Array:
    """(COLUMNS, MOST + 1) probabilities of what each column hides, by all columns together.

    Args:
        own: (COLUMNS, MOST + 1) log-probabilities of each column by itself.
        price: (COLUMNS * MOST + 1,) log-price of each number of cards that all columns hide together.
    """
    total = len(price)
    forward = [np.full(total, -np.inf)]
    forward[0][0] = 0.0
    for number in range(COLUMNS):
        forward.append(_shifted(forward[-1], own[number]))
    backward = [price]
    for number in reversed(range(COLUMNS)):
        backward.append(_shifted(backward[-1][::-1], own[number])[::-1])
    backward.reverse()
    chance = np.zeros((COLUMNS, MOST + 1))
    for number, hidden in np.ndindex(*chance.shape):
        joint = forward[number][: total - hidden] + backward[number + 1][hidden:]
        chance[number, hidden] = np.exp(np.logaddexp.reduce(joint) + own[number, hidden])
    return np.asarray(chance / np.maximum(chance.sum(1, keepdims=True), 1e-300))


def _shifted(log: Array, step: Array) -> Array:
    """The sum, in logarithms, of `log` shifted by each number of cards and weighted with its step."""
    parts = np.full((len(step), len(log)), -np.inf)
    for by, weight in enumerate(step):
        parts[by, by:] = log[: len(log) - by] + weight
    return np.asarray(np.logaddexp.reduce(parts))


def _likeliest(own: Array, price: Array) -> tuple[int, ...]:
    """The counts that are likeliest together."""
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in own:
        possible = np.flatnonzero(row > -np.inf).tolist()
        grown: dict[int, tuple[float, tuple[int, ...]]] = {}
        for total, (score, counts) in best.items():
            for hidden in possible:
                new = score + float(row[hidden])
                if new > grown.get(total + hidden, (-np.inf,))[0]:
                    grown[total + hidden] = new, (*counts, hidden)
        best = grown
    return max(best.items(), key=lambda item: item[1][0] + float(price[item[0]]))[1][1]
