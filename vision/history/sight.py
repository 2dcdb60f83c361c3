"""What one photo shows of a Klondike table, by place, and how well a state of the table explains it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from solver.place import Place
from vision.cards.geometry import Array
from vision.history.table_state import COLUMNS, FIRST_LABEL, Cards, TableState
from vision.read_card import Quad

Belief = tuple[float, ...]
"""Log-probabilities of the 52 identities of a card that is seen, and last the price at which there is none."""
NO_CARD: Final = 52
STOCK: Final = -1
"""In the place of a column's number: the stock."""


@dataclass(frozen=True, slots=True)
class SightTuning:
    """Log-prices of what a photo may get wrong.

    Attributes:
        misread_share: So often a card is read as any other, however sure the reader is.
        missed: Of a face-up card that is there and not seen; `missed_top` of the last one of a pile.
        missed_column: At most of all cards of a column, over which something may lie.
        unturned: Of a card that its player has not turned up yet; `unturned_missed` where no back is seen there either.
        invented: Of a card that is seen where none lies.
        label: Of a card that nobody had seen, before its identity is weighed.
        count_weight: How much a count of cards face down weighs; photos of one table err alike.
        least_count: What a count says against a number at most.
        unlikely: A card is none whose log-probability is lower.
        gone_up: So many cards of a foundation may have gone through columns on their way since the photo before.
        plain: A card is plainly seen whose log-probability is higher.
        peeking: Of a card that is seen under the top one of a squared pile.
        told: Of each card by which a column differs from what somebody who was there said of it.
    """

    misread_share: float = 0.004
    missed: float = -4.5
    missed_top: float = -6.0
    missed_column: float = -9.0
    unturned: float = -2.5
    unturned_missed: float = -7.0
    invented: float = -8.0
    label: float = -3.4
    count_weight: float = 0.6
    least_count: float = -6.0
    unlikely: float = -6.0
    gone_up: int = 3
    plain: float = -0.1
    peeking: float = -1.0
    told: float = -60.0


TUNING: Final = SightTuning()


def belief_of(log_card: Sequence[float] | Array, is_card: float = 1.0) -> Belief:
    """Log-probabilities of identities that leave room for a misread card, and for none at all.

    Args:
        log_card: (52,) log-probabilities as read.
        is_card: Probability that there is a card.
    """
    chance = np.exp(np.asarray(log_card, float))
    chance = (1 - TUNING.misread_share) * chance / chance.sum() + TUNING.misread_share / len(chance)
    none = max(float(np.log(max(1 - is_card, 1e-9))), TUNING.invented)
    return (*np.log(chance).tolist(), none)


def likeliest(belief: Belief) -> int:
    """The likeliest identity."""
    return belief.index(max(belief[:NO_CARD]))


class ToldPile(NamedTuple):
    """What somebody who was there said of a column.

    Attributes:
        least: How many cards it hides at least.
        most: How many at most; None for any number.
        holds: Cards that lie face up in it.
        lacks: Cards that do not.
        shown: How many cards lie face up in it; None where nobody said it.
    """

    least: int = 0
    most: int | None = None
    holds: frozenset[int] = frozenset()
    lacks: frozenset[int] = frozenset()
    shown: int | None = None

    def price(self, up: Cards, down: int) -> float:
        """The log-price of a column that is not as it was said."""
        off = max(self.least - down, 0) + (max(down - self.most, 0) if self.most is not None else 0)
        off += len(self.holds.difference(up)) + len(self.lacks.intersection(up))
        off += abs(len(up) - self.shown) if self.shown is not None else 0
        return TUNING.told * off

    def leaves_open(self, down: int) -> bool:
        """Whether so many cards may lie face down in it, and nobody counted just how many do."""
        return self.least <= down and (self.most is None or self.least < self.most >= down)


@dataclass(frozen=True, slots=True)
class SeenPile:
    """What is seen of a column.

    Attributes:
        cards: Its face-up cards, from the far end to the player.
        log_count: Log-probabilities of 0, 1, ... cards face down; empty where nothing tells.
        backs: How many face-down cards were found.
        told: What somebody said of it.
    """

    cards: tuple[Belief, ...] = ()
    log_count: tuple[float, ...] = ()
    backs: int = 0
    told: ToldPile | None = None

    @property
    def best(self) -> float:
        """Log-probability of the likeliest identities: no state explains the cards better."""
        return sum(map(max, self.cards))

    def price_told(self, up: Cards, down: int) -> float:
        """The log-price of a column that is not as somebody said it."""
        return 0.0 if self.told is None else self.told.price(up, down)

    def contradicts_told(self, up: Cards, down: int) -> bool:
        """Whether a column is not as somebody said it, whether its only open card is turned up yet or not."""
        is_open = self.shows_no_card_of(up)
        return self.price_told(up, down) < 0 and not (is_open and self.price_told((), down + 1) == 0)

    def price_unseen(self, up: Cards, down: int) -> tuple[float, bool]:
        """The log-price of a column whose only open card was never seen, and whether that is not turned up yet.

        Else the photo missed it. Who counts backs counts one that is not turned up with the others.
        """
        missed = TUNING.unturned_missed + self.price_told(up, down)
        unturned = (TUNING.unturned if self.backs else TUNING.unturned_missed) + self.price_told((), down + 1)
        return (unturned, True) if unturned > missed else (missed, False)

    def hides(self, up: Cards, down: int) -> int:
        """How many cards of a column lie face down in the photo: with the last one, where that is not turned up yet."""
        return down + (self.shows_no_card_of(up) and self.price_unseen(up, down)[1])

    def shows_no_card_of(self, up: Cards) -> bool:
        """Whether no card is seen of a column whose only open card was never seen."""
        return not self.cards and len(up) == 1 and up[0] >= FIRST_LABEL


class Explained(NamedTuple):
    """How well cards explain a pile.

    Attributes:
        score: Log-probability.
        labels: Labels that were seen, with the number of the seen card.
        missed: How many of the cards that should show were not seen.
        invented: How many seen cards none explains.
    """

    score: float
    labels: tuple[tuple[int, int], ...]
    missed: int
    invented: int


@dataclass(frozen=True, slots=True)
class TableSight:
    """What a photo shows, by place.

    Attributes:
        columns: The seven columns from left to right.
        foundations: The cards that lie on foundations.
        waste: The waste's cards that show, bottom to top.
        squared: Whether of each column only the last card shows.
        seen_later: For each column the cards that the next photos plainly show there: a card read wrong may be one.
        origins: Cards of which somebody said where they lay in the photo before, with the column, or STOCK.
        no_waste: Whether somebody said that no card lies on the waste.
        stock: Whether a stock is seen; None where the photo cannot tell.
        outlines: Where the photo shows the cards of each pile: their corners, px.
    """

    columns: tuple[SeenPile, ...]
    foundations: tuple[Belief, ...] = ()
    waste: tuple[Belief, ...] = ()
    squared: bool = False
    seen_later: tuple[frozenset[int], ...] = (frozenset(),) * COLUMNS
    origins: tuple[tuple[int, int], ...] = ()
    no_waste: bool = False
    stock: bool | None = None
    outlines: Mapping[Place, tuple[Quad, ...]] = field(default_factory=dict, repr=False, compare=False)
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False, init=False)

    def explain_column(self, number: int, up: Cards, down: int) -> Explained:
        """How well a column with these cards explains what is seen of it."""
        key = number, up, down
        if key not in self._kept:
            self._kept[key] = _explain_column(self.columns[number], up, down, self.squared)
        found: Explained = self._kept[key]
        return found

    def explain_foundations(self, heights: Cards) -> tuple[float, frozenset[int]]:
        """How well foundations explain what is seen of them, and the suits that do not fit."""
        key = "foundations", heights
        if key not in self._kept:
            self._kept[key] = _explain_foundations(self.foundations, heights)
        found: tuple[float, frozenset[int]] = self._kept[key]
        return found

    def hides(self, state: TableState) -> tuple[int, ...]:
        """How many cards of each column of a table lie face down in the photo."""
        piles = zip(self.columns, state.up, state.down, strict=True)
        return tuple(pile.hides(up, len(down)) for pile, up, down in piles)

    @property
    def is_told(self) -> bool:
        """Whether somebody who was there said where its cards came from, or what a column holds."""
        return bool(self.origins) or any(pile.told is not None for pile in self.columns)

    def score(self, state: TableState) -> float:
        """Log-probability of all but the waste."""
        score = self.explain_foundations(state.heights)[0]
        for own in self.score_columns(state):
            score += own
        return score

    def score_columns(
        self, state: TableState, before: TableState | None = None, scores: Sequence[float] = ()
    ) -> list[float]:
        """How well each column explains what is seen of it.

        Args:
            state: The state.
            before: Another state that has these scores: a move leaves most columns the objects that they were.
            scores: How well its columns explain it.
        """
        kept, own = self._kept, []  # looked up here: a search calls this for each state that it reaches
        ups, downs = (state.up, state.down) if before is None else (before.up, before.down)
        for number, (up, down) in enumerate(zip(state.up, state.down, strict=True)):
            if before is not None and up is ups[number] and down is downs[number]:
                own.append(scores[number])
                continue
            found = kept.get((number, up, len(down)))
            own.append((self.explain_column(number, up, len(down)) if found is None else found).score)
        return own

    def find_once(self, key: object, find: Callable[[], Any]) -> Any:
        """What is found for a key, found when it is first asked for."""
        if key not in self._kept:
            self._kept[key] = find()
        return self._kept[key]

    @property
    def bests(self) -> tuple[float, ...]:
        """For each column the log-probability of its likeliest identities."""
        bests: tuple[float, ...] = self.find_once("bests", lambda: tuple(pile.best for pile in self.columns))
        return bests

    @property
    def best_possible(self) -> float:
        """No state explains columns and foundations better."""
        return sum(self.bests) + sum(map(max, self.foundations))

    def plain(self, number: int) -> frozenset[int]:
        """The cards that are plainly seen in a column."""
        cards = ((likeliest(belief), max(belief)) for belief in self.columns[number].cards)
        return frozenset(card for card, chance in cards if chance > TUNING.plain)

    @property
    def plausible(self) -> int:
        """A bit for each card that may lie in a column or went up through one: of squared ones any."""
        if self.squared:
            return -1
        if "plausible" not in self._kept:
            likely = {
                c for pile in self.columns for belief in pile.cards for c in range(52) if belief[c] > TUNING.unlikely
            }
            for top in map(likeliest, self.foundations):
                likely |= set(range(max(top - TUNING.gone_up + 1, top - top % 13), top + 1))
            self._kept["plausible"] = sum(1 << card for card in likely)
        bits: int = self._kept["plausible"]
        return bits

    @property
    def seen(self) -> int:
        """How many cards are seen face up."""
        return sum(len(pile.cards) for pile in self.columns) + len(self.foundations) + len(self.waste)


def _explain_column(seen: SeenPile, up: Cards, down: int, squared: bool) -> Explained:
    counted = 0.0
    if seen.log_count and not squared:
        said = seen.log_count[min(down, len(seen.log_count) - 1)] - max(seen.log_count)
        counted += TUNING.count_weight * max(said, TUNING.least_count)
    if seen.shows_no_card_of(up):
        return Explained(counted + seen.price_unseen(up, down)[0], (), 0, 0)
    counted += seen.price_told(up, down)
    if not seen.cards and up:
        price = (
            TUNING.missed_top
            if squared
            else max(TUNING.missed_top + TUNING.missed * (len(up) - 1), TUNING.missed_column)
        )
        return Explained(counted + price, (), 1 if squared else len(up), 0)
    score, labels, missed, invented = _align(seen.cards, up, squared)
    return Explained(counted + score, labels, missed, invented)


def _price_missed(place: int, count: int, squared: bool) -> float:
    if place == count - 1:
        return TUNING.missed_top
    return 0.0 if squared else TUNING.missed


def _align(cards: Sequence[Belief], up: Cards, squared: bool) -> Explained:
    """The best way to match the cards that are seen with those that lie there, in order."""
    best: list[list[Explained]] = [[Explained(0.0, (), 0, 0)]]
    for place in range(len(up)):
        before = best[0][-1]
        hidden = squared and place < len(up) - 1
        best[0].append(
            before._replace(
                score=before.score + _price_missed(place, len(up), squared), missed=before.missed + (not hidden)
            )
        )
    for number, belief in enumerate(cards):
        above = best[-1]
        row: list[Explained] = []
        for place in range(len(up) + 1):
            old = above[place]
            found = old._replace(score=old.score + belief[NO_CARD], invented=old.invented + 1)
            if place:
                card, last = up[place - 1], place == len(up)
                met = above[place - 1]
                score = met.score + (belief[card] if card < FIRST_LABEL else max(belief) + TUNING.label)
                score += TUNING.peeking if squared and not last else 0.0
                if score > found.score:
                    labels = met.labels if card < FIRST_LABEL else (*met.labels, (card, number))
                    found = met._replace(score=score, labels=labels)
                left = row[place - 1]
                price = _price_missed(place - 1, len(up), squared)
                if left.score + price > found.score:
                    found = left._replace(score=left.score + price, missed=left.missed + (not squared or last))
            row.append(found)
        best.append(row)
    return best[-1][-1]


def _match_tops(seen: Sequence[Belief], tops: Sequence[int]) -> tuple[float, tuple[int, ...]]:
    """The best way to match seen cards with the tops of foundations: its score, and for each the top's number or -1.

    For each set of tops that are taken, only the best way to take them can be part of it.
    """
    ways: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {frozenset(): (0.0, ())}
    for belief in seen:
        following: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
        for taken, (score, chosen) in ways.items():
            for k in (k for k in range(-1, len(tops)) if k not in taken):
                own = score + belief[NO_CARD if k < 0 else tops[k]]
                after = taken | {k} if k >= 0 else taken
                if after not in following or own > following[after][0]:
                    following[after] = own, (*chosen, k)
        ways = following
    whole = [(score + TUNING.missed_top * (len(tops) - len(taken)), way) for taken, (score, way) in ways.items()]
    return max(whole, key=itemgetter(0))


def _explain_foundations(seen: Sequence[Belief], heights: Cards) -> tuple[float, frozenset[int]]:
    tops = [13 * suit + height - 1 for suit, height in enumerate(heights) if height]
    best, chosen = _match_tops(seen, tops)
    wrong = {tops[k] // 13 for k in range(len(tops)) if k not in chosen}
    for belief, k in zip(seen, chosen, strict=True):
        if (belief[NO_CARD] if k < 0 else belief[tops[k]]) < max(belief) - 2:
            wrong.add(likeliest(belief) // 13)
            wrong |= {tops[k] // 13} if k >= 0 else set()
    return best, frozenset(wrong)
