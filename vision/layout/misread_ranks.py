"""Ranks that a deck's print makes alike: what the rules put right tells of the cards that they leave as they were read.

In a run its neighbours tell what a card is, and no card lies on a table more often than there are copies. A king that
was read as a queen there shows how surely this deck's kings are misread. So a queen that no run tells, and that was
read no more surely, may be a king, too. In a set all cards are misread alike, and would make each other sure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.cards.disputes import count_odds_from
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenCard, SeenTable

RANKS: Final = 13
SURELY_MISREAD: Final = 1.0
"""Log-odds from which a misread rank is no chance of a bad photo."""
PLAINLY_APART: Final = 2.0
"""Log-odds between the surest misread card and the least sure of those read right from which the two are told apart."""
MORE_LOG_ODDS: Final = 3.0
"""Where they are, a card that was read surer than the surest misread one by no more than this may be misread, too."""
AS_SURE: Final = 1.5
"""Where they are not, one that was read so many times as surely."""


@dataclass(frozen=True, slots=True)
class _Confusion:
    """A rank that is read where another one lies.

    Attributes:
        read: The rank that is read.
        true: The rank that lies there.
        limit: Log-odds of the first one over the second up to which it is in doubt.
        middle: Log-odds that the second one is as likely from; 0 where the two are not told apart.
    """

    read: int
    true: int
    limit: float
    middle: float


def doubt_misread_ranks(
    table: SeenTable, runs: Mapping[int, int], others: Sequence[Mapping[int, int]], surplus: Collection[int]
) -> SeenTable:
    """The table in which cards are in dispute that look like others which were misread; the same where none is.

    Args:
        table: The table as it was read.
        runs: The cards of runs: each row and its identity.
        others: The others, of which no neighbour tells the rank: those of a set together, else each by itself.
        surplus: Rows of the cards without a place of which all copies lie elsewhere. By itself it tells nothing, as one
            may be a card that was seen twice.
    """
    ranks = np.logaddexp.reduce(table.log_card.reshape(-1, 4, RANKS), axis=1)
    cards = dict[int, SeenCard]()
    for confusion in _confusions(ranks, runs, others, surplus):
        for group in others:
            is_read = all(card % RANKS == confusion.read for card in group.values())
            if is_read and _margins(ranks, list(group), confusion.read, confusion.true).mean() <= confusion.limit:
                middle = confusion.middle if len(group) > 1 else 0.0  # one card may be read badly by itself
                for row, card in group.items():
                    cards[row] = _disputed(cards.get(row, table.cards[row]), card, confusion, middle)
    return replace(table, cards=tuple(cards.get(row, card) for row, card in enumerate(table.cards))) if cards else table


def _confusions(
    ranks: Array, runs: Mapping[int, int], others: Sequence[Mapping[int, int]], surplus: Collection[int]
) -> Iterator[_Confusion]:
    """The ranks that are misread, by all cards' log-probabilities (n, 13); other arguments as above."""
    order = ranks.argsort(1)[:, ::-1]
    known = {row: card % RANKS for group in (runs, *others) for row, card in group.items()}
    misread: dict[tuple[int, int], list[int]] = {}
    for row, rank in known.items():
        if order[row, 0] != rank:
            misread.setdefault((int(order[row, 0]), rank), []).append(row)
    for (read, true), found in misread.items():
        rows = [*found, *(row for row in surplus if (order[row, 0], order[row, 1]) == (read, true))]
        right = [row for row, card in runs.items() if order[row, 0] == card % RANKS == read]
        surest = float(_margins(ranks, rows, read, true).max())
        least = float(_margins(ranks, right, read, true).min(initial=np.inf))
        if surest >= SURELY_MISREAD:
            if np.isfinite(least) and least - surest >= PLAINLY_APART:
                middle = (surest + least) / 2
                yield _Confusion(read, true, min(middle, surest + MORE_LOG_ODDS), middle)
            else:
                yield _Confusion(read, true, AS_SURE * surest, 0.0)


def _margins(ranks: Array, rows: Sequence[int], read: int, true: int) -> Array:
    """Log-odds of one rank over another, of some cards."""
    return np.asarray(ranks[rows, read] - ranks[rows, true])


def _disputed(card: SeenCard, identity: int, confusion: _Confusion, middle: float) -> SeenCard:
    """A card of which it is in dispute which of two ranks it has; its log-odds are counted from `middle`."""
    log = count_odds_from(middle, card.log_card, 1, confusion.read, confusion.true)
    own = {identity, identity - confusion.read + confusion.true}
    return replace(card, log_card=log, disputed=tuple(sorted({*card.disputed, *own})))
