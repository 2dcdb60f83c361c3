"""The two tables that go together best: of those that two photos of one turn may show.

A turn changes little and keeps the rules nearly always, so each photo helps to read the other one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.comparison import Comparison, compare
from solver.makiaveli.melds import is_meld
from vision.reading import Reading
from vision.turn.possible_tables import (
    Tables,
    keeps,
    pairs_over,
    possible_tables,
    with_cards_upon_melds,
    with_hand_apart,
)
from vision.turn.sureness import cross_cards
from vision.turn.tuning import TUNING


@dataclass(frozen=True, slots=True)
class LikelyTurn:
    """What most likely happened between two photos.

    Attributes:
        before: The table before the turn.
        after: The table after it.
        found: What happened between them.
        chance: Probability that just this did.
        agree: Probability that the verdict on its legality is this one.
    """

    before: Position
    after: Position
    found: Comparison
    chance: float
    agree: float


def likely_turn(
    before: Reading,
    after: Reading,
    hand: Sequence[Card] | None,
    laid: Sequence[Position] = (),
    settled: Collection[int] = (),
    absent: Collection[Card] = (),
) -> LikelyTurn:
    """The two tables that go together best, and what happened between them.

    Args:
        before: The reading of the first photo.
        after: The reading of the second.
        hand: The player's hand before the turn, if it was named.
        laid: The tables that the second may show if it breaks the rules.
        settled: Numbers of the cards after the turn of which a person has told where they lie.
        absent: Cards of which a person has told that the table after the turn has no more than its photo shows.
    """
    shown: Any = before.position
    left: Any = after.position
    held = shown.hand if hand is None else hand
    rows = possible_tables(before, after, left.hand), possible_tables(after, before, held, laid)
    rows = rows[0], with_cards_upon_melds(with_hand_apart(rows[1], shown, after), before, after, settled)
    kept = [row for row in rows[1] if keeps(row[1], after, settled) and not _adds(row[1], left, absent)]
    rows = _likeliest(rows[0]), _likeliest(kept or rows[1])
    weighed: list[tuple[float, Position, Position, Comparison]] = []
    for bound, first, second in sorted(_bounded(*rows, hand), key=lambda row: -row[0]):
        if weighed and bound < max(row[0] for row in weighed) - TUNING.negligible_log_odds:
            break
        found = compare(first, second, hand)
        weighed.append((bound + TUNING.moved_log_price * len(found.moved), first, second, found))
    best = max(weighed, key=lambda row: row[0])
    total = same = agree = 0.0
    for log, _, _, found in weighed:
        weight = math.exp(log - best[0])
        total += weight
        same += weight if _told(found) == _told(best[3]) else 0.0
        agree += weight if found.is_legal == best[3].is_legal else 0.0
    return LikelyTurn(*best[1:], same / total, agree / total)


def _adds(table: Position, shown: Position, absent: Collection[Card]) -> bool:
    """Whether a table has more of some cards than its photo shows."""
    return any((Counter(table.cards()) - Counter(shown.cards()))[card] for card in absent)


def _bounded(before: Tables, after: Tables, hand: Sequence[Card] | None) -> Iterator[tuple[float, Position, Position]]:
    """All pairs of tables, with how likely each is if nothing moved."""
    for (log_first, first), (log_second, second) in product(before, after):
        yield log_first + log_second + _log_prior(first, second, hand), first, second


def _told(found: Comparison) -> tuple[Any, ...]:
    """What is said of a turn."""
    return found.played, found.gone, found.moved, found.faults


def _likeliest(rows: Tables) -> Tables:
    """The likeliest tables, best first, each once."""
    once: dict[Any, tuple[float, Any]] = {}
    for log, table in sorted(rows, key=lambda row: -row[0]):
        lying = (tuple(sorted(cards)) for cards in (cross_cards(table).elements(), table.hand))
        once.setdefault((tuple(sorted(map(tuple, map(sorted, table.floor)))), *lying), (log, table))
    return list(once.values())[: TUNING.most_tables]


def _log_prior(before: Position, after: Position, hand: Sequence[Card] | None) -> float:
    """How likely such a change is, but for what moved."""
    floors = [Counter(chain.from_iterable(position.floor)) for position in (before, after)]
    crosses = cross_cards(before), cross_cards(after)
    played = floors[1] + crosses[1] - floors[0] - crosses[0]
    gone = floors[0] + crosses[0] - floors[1] - crosses[1]
    is_unseen = hand is not None and not after.hand
    if hand is None and Counter(before.hand) & played:
        hand = before.hand  # the player's, as it lies in the photo
    strange = Counter[Card]() if hand is None else played - Counter(hand)
    may_be_taken = bool(gone if is_unseen else gone & Counter(after.hand)) and not strange
    broken = [meld for position in (before, after) for meld in position.floor if not is_meld(meld)]
    lone = sum(len(meld) == 1 for meld in broken)
    return (
        TUNING.gone_log_price * (gone.total() - may_be_taken)
        + TUNING.taken_log_price * may_be_taken
        + TUNING.broken_log_price * (len(broken) - lone)
        + TUNING.lone_log_price * lone
        + TUNING.played_log_price * played.total()
        + TUNING.strange_log_price * strange.total()
        + TUNING.joined_log_price * (crosses[0] - crosses[1]).total()
        + TUNING.nothing_log_price * (not played)
        + TUNING.laid_log_price * (crosses[1] - crosses[0]).total()
        + TUNING.split_log_price * (len(pairs_over(before, after)) + len(pairs_over(after, before)))
    )
