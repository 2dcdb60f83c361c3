"""How many cards squared columns hid, by all that is known of it in the course of a game.

A card that came into sight between two photos may have lain under a column, or come from the stock: nothing between
these two photos tells. But counts add up. A column hides no fewer than no cards, none where it is empty, and as many as
somebody counted. So one stretch is weighed with all others: where a column would hide one card more or less by it,
another stretch must make up for it, or the column is never seen empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Final

import numpy as np

from vision.history.lattice import TUNING as LATTICE
from vision.history.lattice import Edge, History
from vision.history.moves_between import find_moves
from vision.history.sight import STOCK, TableSight
from vision.history.table_state import COLUMNS, FIRST_LABEL, Bindings, TableState

MOST_OFF: Final = 3
"""No column is taken to hide more cards than so many besides what a history says, or fewer."""
MOST_KEPT: Final = 200
"""After each stretch the likeliest numbers are kept, so many combinations of all columns."""
NO_CHANGE: Final = (0,) * COLUMNS

Counts = tuple[int, ...]
"""A number for each column."""
Told = Mapping[int, Mapping[int, int]]
"""For photos, by number, how many cards columns hide in them, as somebody counted it."""
Origins = Mapping[int, int]
"""For cards that came into sight the column in which they lay face down, or STOCK."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way from one photo's table to the next.

    Attributes:
        weight: Its share of all ways, by this stretch alone.
        off: How many cards more each column hides after it than the history says.
        origins: Where the cards lay that came into sight.
    """

    weight: float
    off: Counts
    origins: Origins


@dataclass(frozen=True, slots=True)
class Stretch:
    """What may have happened between two photos.

    Attributes:
        own: Where the history says that the cards lay that came into sight.
        ways: The ways, whatever they hide; one that hides what the history says is among them.
        is_told: Whether the history tells it at all.
    """

    own: Origins
    ways: tuple[Way, ...]
    is_told: bool = True

    @property
    def offs(self) -> dict[Counts, float]:
        """What columns may hide besides, with its share."""
        shares: dict[Counts, float] = defaultdict(float)
        for way in self.ways:
            shares[way.off] += way.weight
        return dict(shares)


def find_stretches(history: History, count: int, done: Callable[[], object] = lambda: None) -> list[Stretch]:
    """The stretches before each of the first so many photos of a history; `done` is called after each."""
    before, found = history.layers[0][history.path[0]].state, []
    for edge, state, sight in zip(history.edges[:count], history.states, history.sights, strict=False):
        found.append(Stretch({}, (), is_told=False) if edge.left_out else _find_stretch(before, edge, state, sight))
        before = state
        done()
    return found


def _find_stretch(before: TableState, edge: Edge, state: TableState, sight: TableSight) -> Stretch:
    said = {card for card, _ in sight.origins}
    said |= {card for label, card in edge.bindings if any(label in up for up in before.up)}  # those lay face up
    own = {card: column for card, column in origins_of(before, edge.bindings, state).items() if card not in said}
    ends = find_moves([before], sight)[0] if own else []
    ways = [(exp(end.score - ends[0].score), end.state, origins_of(before, end.bindings, end.state)) for end in ends]
    ways = [way for way in ways if own.keys() <= way[2].keys()]
    offs = [_more_hidden(state, after) for _, after, _ in ways]
    if NO_CHANGE not in offs:  # it was told otherwise than the search finds it
        ways.append((exp(LATTICE.miscounted), state, own))
        offs.append(NO_CHANGE)
    total = sum(weight for weight, *_ in ways)
    made = (Way(weight / total, off, way) for (weight, _, way), off in zip(ways, offs, strict=True))
    return Stretch(own, tuple(made))


def _more_hidden(own: TableState, other: TableState) -> Counts:
    return tuple(len(new) - len(old) for old, new in zip(own.down, other.down, strict=True))


def origins_of(before: TableState, bindings: Bindings, after: TableState) -> dict[int, int]:
    """Where the cards lay that came into sight between two tables."""
    where = {label: k for k in range(len(before.down)) for label in (*before.down[k], *before.up[k])}
    found = {card: where[label] for label, card in bindings if label in where}
    new = (card for card in range(FIRST_LABEL) if after.known & ~before.known & 1 << card)
    return {card: found.get(card, STOCK) for card in new}


# --- all stretches together -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bound:
    """What a table tells of the numbers of cards that columns hide besides what the history says.

    Attributes:
        least: At least so many.
        most: At most so many.
    """

    least: Counts = (-MOST_OFF,) * COLUMNS
    most: Counts = (MOST_OFF,) * COLUMNS

    def allows(self, off: Counts) -> bool:
        """Whether columns may hide so many more."""
        return all(a <= n <= b for a, n, b in zip(self.least, off, self.most, strict=True))


def find_bounds(history: History, count: int, told: Told) -> list[Bound]:
    """What each of the first so many photos tells of what columns hide; `told` is what somebody counted."""
    bounds = []
    for photo, state in enumerate(history.states[:count]):
        counts = [len(down) for down in state.down]
        shown = history.sights[photo].hides(state)
        counted = {column: number - shown[column] for column, number in told.get(photo, {}).items()}
        empty = [not up and not history.sights[photo].columns[k].cards for k, up in enumerate(state.up)]
        least = tuple(counted.get(k, max(-own, -MOST_OFF)) for k, own in enumerate(counts))
        most = tuple(counted.get(k, 0 if is_empty else MOST_OFF) for k, is_empty in enumerate(empty))
        bounds.append(Bound(least, most))
    return bounds


def weigh_together(stretches: Sequence[Stretch], bounds: Sequence[Bound]) -> list[dict[Counts, float]]:
    """For each stretch what columns may hide besides after it alone, with its probability by all stretches together.

    Empty where no way through all of them keeps within the bounds.
    """
    forward: list[dict[Counts, float]] = [{NO_CHANGE: 1.0}]
    for stretch, bound in zip(stretches, bounds, strict=True):
        forward.append(_scaled(_step(forward[-1], stretch.offs or {NO_CHANGE: 1.0}, bound)))
    backward: dict[Counts, float] = dict.fromkeys(forward[-1], 1.0)
    chances: list[dict[Counts, float]] = []
    for number in range(len(stretches) - 1, -1, -1):
        offs = stretches[number].offs or {NO_CHANGE: 1.0}
        own: dict[Counts, float] = defaultdict(float)
        earlier: dict[Counts, float] = defaultdict(float)
        for before, weight in forward[number].items():
            for off, share in offs.items():
                later = backward.get(_sum(before, off), 0.0)
                own[off] += weight * share * later
                earlier[before] += share * later
        chances.append(_scaled(own))
        backward = _scaled(earlier)
    return chances[::-1]


def choose_together(stretches: Sequence[Stretch], bounds: Sequence[Bound]) -> list[Counts] | None:
    """The likeliest numbers that columns hide besides after each stretch alone; None where none keep within bounds."""
    best: dict[Counts, tuple[float, tuple[Counts, ...]]] = {NO_CHANGE: (0.0, ())}
    for stretch, bound in zip(stretches, bounds, strict=True):
        following: dict[Counts, tuple[float, tuple[Counts, ...]]] = {}
        for before, (score, chosen) in best.items():
            for off, share in (stretch.offs or {NO_CHANGE: 1.0}).items():
                after, own = _sum(before, off), score + log(max(share, 1e-12))
                if bound.allows(after) and own > following.get(after, (-np.inf, ()))[0]:
                    following[after] = own, (*chosen, off)
        kept = sorted(following, key=lambda off: -following[off][0])[:MOST_KEPT]
        best = {off: following[off] for off in kept}
    return list(max(best.values())[1]) if best else None


def _step(before: Mapping[Counts, float], offs: Mapping[Counts, float], bound: Bound) -> dict[Counts, float]:
    after: dict[Counts, float] = defaultdict(float)
    for old, weight in before.items():
        for off, share in offs.items():
            now = _sum(old, off)
            if bound.allows(now):
                after[now] += weight * share
    return {off: after[off] for off in sorted(after, key=lambda off: -after[off])[:MOST_KEPT]}


def _sum(one: Counts, other: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _scaled(weights: Mapping[Counts, float]) -> dict[Counts, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()} if total > 0 else {}


@dataclass(frozen=True, slots=True)
class CountEvidence:
    """All stretches of a history with what is known of the numbers of cards that columns hid.

    Attributes:
        stretches: What may have happened before each photo.
        bounds: What each photo tells of what columns hide.
    """

    stretches: tuple[Stretch, ...]
    bounds: tuple[Bound, ...]

    @classmethod
    def of_history(
        cls, history: History, count: int, told: Told, done: Callable[[], object] = lambda: None
    ) -> CountEvidence:
        """That of the first so many photos of a history.

        Args:
            history: The history.
            count: How many photos.
            told: What somebody counted in some of them.
            done: Called after each photo.
        """
        return cls(tuple(find_stretches(history, count, done)), tuple(find_bounds(history, count, told)))

    @property
    def chances(self) -> list[dict[Counts, float]]:
        """For each stretch what columns may hide besides after it alone, with its probability."""
        return weigh_together(self.stretches, self.bounds)

    @property
    def chances_of_counts(self) -> list[float]:
        """How likely it is that each stretch changes the counts as the history says."""
        return [chance.get(NO_CHANGE, 0.0) for chance in self.chances]

    @property
    def origins_to_tell(self) -> dict[int, Origins] | None:
        """Where cards lay that the history tells otherwise, before which photo, by what somebody counted.

        None where no other origins of cards lead to what was counted.
        """
        chosen = choose_together(self.stretches, self.bounds)
        if chosen is None:
            return None
        return {number: self._origins(number, off) for number, off in enumerate(chosen) if off != NO_CHANGE}

    def _origins(self, number: int, off: Counts) -> Origins:
        stretch = self.stretches[number]
        way = max((way for way in stretch.ways if way.off == off), key=lambda way: way.weight)
        return {card: column for card, column in way.origins.items() if card in stretch.own}

    @property
    def retold(self) -> CountEvidence:
        """The same with the origins of cards that lead to what was counted."""
        told = self.origins_to_tell or {}
        stretches = (replace(stretch, own=told.get(n, stretch.own)) for n, stretch in enumerate(self.stretches))
        return replace(self, stretches=tuple(stretches))


__all__ = ["CountEvidence", "Counts", "Origins", "Stretch", "Way"]
