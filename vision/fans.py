"""Fans: cards that lie on one another along a line or an arc, from the one that lies lowest on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

import numpy as np

from solver.cards import Card
from vision.cards.geometry import Array, rectangle
from vision.cards.seen_table import SeenTable
from vision.layout.neighbours import card_gaps, groups
from vision.read_card import Sight

OVERLAP_CARD_WIDTHS: Final = -0.2
"""Cards whose gap is smaller are of one fan; those of two fans overlap by chance, and less."""
LINES_APART_CARD_WIDTHS: Final = 0.4
"""Overlapping cards that leave so wide a step across their line lie in two lines."""
MOST_BEND_DEGREES: Final = 60.0
"""From one card of a fan to the next its line turns no more."""
SHOWN_SIDE_CARD_WIDTHS: Final = 0.15
"""Where the indices seen lie farther to one side of their cards on average, the other side is covered."""
INDEX_SIZE: Final = (1.8, 2.4)
"""Width and height that hold an index, in lengths of one from rank to suit, as the plane has them."""
NEAREST: Final = 4
"""So many cards near one tell which way the cards there lie."""
FEWEST_OF_ARC: Final = 3
"""Of fewer cards nothing tells that they are an arc of their own."""
BESIDE_SHARE: Final = 0.5
"""Arcs lie side by side that have so much of the shorter one's length in common."""
MOST_SECOND: Final = 3
"""So many cards at the most are left out as the second corners of others."""


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """Cards that lie on one another.

    Attributes:
        log_card: (n, 52) log-probabilities of what they are, from the lowest card to the one that covers all.
        at: Where it lies: number of the photo, and how far its middle is to the player's right and near there, px.
        is_sure: Whether it is sure which end lies lowest.
        steps: (n - 1,) how far each card lies from the one before it, in any unit; empty where that is not known.
        sights: Where each card's index is seen; None for one that is not, and nothing where that is not known.
        against: Numbers of the cards that point the other way than those near them: a card's second corner does.
    """

    log_card: Array
    at: tuple[int, float, float]
    is_sure: bool = True
    steps: Array = field(default_factory=lambda: np.zeros(0))
    sights: tuple[Sight | None, ...] = ()
    against: frozenset[int] = frozenset()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards as read."""
        return tuple(Card.from_index(int(row.argmax())) for row in self.log_card)

    def part(self, rows: Sequence[int]) -> Fan:
        """Some of its cards, by their numbers, in order."""
        along = np.concatenate([np.zeros(1), np.cumsum(self.steps)])
        return replace(
            self,
            log_card=self.log_card[list(rows)],
            steps=np.diff(along[list(rows)]) if len(self.steps) else self.steps,
            sights=tuple(self.sights[row] for row in rows) if self.sights else (),
            against=frozenset(n for n, row in enumerate(rows) if row in self.against),
        )


def fans_of(table: SeenTable, photo: int = 0) -> list[Fan]:
    """The fans that a photo shows, from left to right as the player sees them."""
    if not table.cards:
        return []
    near = groups(card_gaps(table) < OVERLAP_CARD_WIDTHS)
    told = [_from_lowest(table, line) for rows in near for line in _lines(table, rows)]
    middles = np.array([np.mean([table.cards[row].quad.mean(0) for row in order], axis=0) for order, _ in told])
    right = sum((_right_of(table, order) for order, is_sure in told if is_sure), np.zeros(2))
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0])
    down, against = np.array([-right[1], right[0]]), _against(table)
    found = [
        Fan(
            np.array([table.cards[row].log_card for row in order]),
            (photo, float(at @ right), float(at @ down)),
            is_sure,
            np.linalg.norm(np.diff(_corners(table, order), axis=0), axis=1),
            tuple(_sight(table, row, photo) for row in order),
            frozenset(n for n, row in enumerate(order) if row in against),
        )
        for (order, is_sure), at in zip(told, middles, strict=True)
    ]
    return sorted(found, key=lambda fan: fan.at[1])


def _sight(table: SeenTable, row: int, photo: int) -> Sight:
    """Where an index of a card is seen; of one without the whole card. Most of a card in a fan lies under others."""
    card = table.cards[row]
    quad = card.quad
    if len(card.ranks):
        quad = table.plane.to_photo(rectangle(card.ranks[:1] + card.down / 2, card.down[None], *INDEX_SIZE)[0])
    upper_left, upper_right, lower_right, lower_left = ((float(x), float(y)) for x, y in quad)
    return Sight(photo, (upper_left, upper_right, lower_right, lower_left))


def without_second_corners(fans: Sequence[Fan]) -> Iterator[list[Fan]]:
    """The fans without some cards that are seen once more and that lie against those near them, few before many.

    The two corners of a card that lies on top are read as two cards where they are not seen to belong together.
    """
    often = Counter(card for fan in fans for card in fan.cards)
    second = [(n, row) for n, fan in enumerate(fans) for row in sorted(fan.against) if often[fan.cards[row]] > 1]
    for count in range(1, min(len(second), MOST_SECOND) + 1):
        for chosen in combinations(second, count):
            yield without(fans, chosen)


def without(fans: Sequence[Fan], cards: Collection[tuple[int, int]]) -> list[Fan]:
    """The fans without some cards, each by the numbers of its fan and of its place in that."""
    kept = [[row for row in range(len(fan.log_card)) if (n, row) not in cards] for n, fan in enumerate(fans)]
    return [fan.part(rows) for fan, rows in zip(fans, kept, strict=True) if rows]


def _against(table: SeenTable) -> set[int]:
    """Rows of the cards that point the other way than most of those nearest to them."""
    apart = np.linalg.norm(table.centres[:, None] - table.centres[None], axis=2)
    near = np.argsort(apart, axis=1)[:, 1 : NEAREST + 1]
    turn = np.einsum("nkd,nd->n", table.downs[near], table.downs)
    return set(np.flatnonzero(turn < 0.0).tolist())


def _lines(table: SeenTable, rows: list[int]) -> list[list[int]]:
    """Cards that overlap, parted where they lie in two lines that touch."""
    if len(rows) < 3 or _along_bend(table, rows) is not None:
        return [rows]
    off = (table.centres[rows] - table.centres[rows].mean(0)) / table.template.width
    downs = table.downs[rows] * np.sign(table.downs[rows] @ table.downs[rows[0]])[:, None]  # either end may be the top
    down = downs.mean(0) / np.linalg.norm(downs.mean(0))
    along, across = off @ down, off @ np.array([down[1], -down[0]])
    aside = along if np.ptp(along) < np.ptp(across) else across
    order = np.argsort(aside)
    steps = np.diff(aside[order])
    if steps.max() >= LINES_APART_CARD_WIDTHS:
        cut = int(steps.argmax()) + 1
        return [line for part in (order[:cut], order[cut:]) for line in _lines(table, [rows[k] for k in part])]
    at = _corners(table, rows)
    arcs = _smooth_parts(at, _path(at))
    return [[rows[k] for k in arc] for arc in arcs] if _lie_side_by_side(at, arcs) else [rows]


def _lie_side_by_side(at: Array, arcs: Sequence[Sequence[int]]) -> bool:
    """Whether parts of a path go along each other; one line of cards that lie unevenly is cut into pieces of itself."""
    along = (at - at.mean(0)) @ np.linalg.svd(at - at.mean(0))[2][0]
    ends = [(along[list(arc)].min(), along[list(arc)].max()) for arc in arcs]
    return min(map(len, arcs)) >= FEWEST_OF_ARC and all(
        min(one[1], other[1]) - max(one[0], other[0]) > BESIDE_SHARE * min(one[1] - one[0], other[1] - other[0])
        for one, other in combinations(ends, 2)
    )


def _corners(table: SeenTable, rows: Sequence[int]) -> Array:
    """(n, 2) where cards of a fan have the one corner that most of them show: indices lie surer than whole cards.

    The one index that shows of a card may be taken for that of its other upper corner, and the card for one beside.
    """
    cards = [table.cards[row] for row in rows]
    axis = np.linalg.svd(np.array([card.down for card in cards]))[2][0]
    downs = [card.down if card.down @ axis >= 0 else -card.down for card in cards]  # either end may be the top
    frames = [np.array([[down[1], -down[0]], down]) for down in downs]
    offsets = [(card.ranks - card.centre) @ frame.T for card, frame in zip(cards, frames, strict=True)]
    shown = Counter(tuple(np.sign(offset)) for own in offsets for offset in own)
    if not shown:
        return table.centres[rows]
    corner = np.array(shown.most_common(1)[0][0])
    usual = np.concatenate([own[(np.sign(own) == corner).all(1)] for own in offsets]).mean(0)
    seen = [own[np.sign(own[:, 1]) == corner[1]] for own in offsets]
    nearest = [own[np.abs(own - usual).sum(1).argmin()] if len(own) else usual for own in seen]
    there = [offset @ frame for offset, frame in zip(nearest, frames, strict=True)]
    return np.asarray(table.centres[rows] + np.array(there))


def _along_bend(table: SeenTable, rows: Sequence[int]) -> list[int] | None:
    """The order of cards along their line or arc, by their numbers in `rows`; None where no such line goes through all.

    The way from card to card nowhere turns sharply. Corners turn with their cards, so cards that lie more unevenly than
    they are wide apart are told by their middles.
    """
    orders = ((at, _path(at)) for at in (_corners(table, rows), table.centres[rows]))
    return next((order for at, order in orders if not _turns(at, order)), None)


def _path(at: Array) -> list[int]:
    """From one of the two that lie farthest apart on, each time the nearest that is left."""
    gaps = np.linalg.norm(at[:, None] - at[None], axis=2)
    order = [int(np.unravel_index(gaps.argmax(), gaps.shape)[0])]
    while len(order) < len(at):
        order.append(min(set(range(len(at))) - set(order), key=lambda k: float(gaps[order[-1], k])))
    return order


def _turns(at: Array, order: Sequence[int]) -> list[int]:
    """The places in a path at which it turns sharply."""
    steps = np.diff(at[list(order)], axis=0)
    steps /= np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-9)
    is_sharp = np.sum(steps[1:] * steps[:-1], axis=1) <= math.cos(math.radians(MOST_BEND_DEGREES))
    return (np.flatnonzero(is_sharp) + 1).tolist()


def _smooth_parts(at: Array, order: list[int]) -> list[list[int]]:
    """A path in parts that turn nowhere sharply: it is cut beside each sharp turn, where the way is longer."""
    turn = next(iter(_turns(at, order)), None)
    if turn is None:
        return [order]
    before, after = (np.linalg.norm(at[order[turn + k]] - at[order[turn + k - 1]]) for k in (0, 1))
    cut = turn if before > after else turn + 1
    return [*_smooth_parts(at, order[:cut]), *_smooth_parts(at, order[cut:])]


def _right_of(table: SeenTable, order: Sequence[int]) -> Array:
    """The player's right in the photo, px: a row is fanned to the right, and a column towards the player."""
    first, last = (table.cards[order[end]].quad.mean(0) for end in (0, -1))
    line = last - first
    down = np.mean([np.abs((table.cards[row].quad[3] - table.cards[row].quad[0]) @ line) for row in order])
    across = np.mean([np.abs((table.cards[row].quad[1] - table.cards[row].quad[0]) @ line) for row in order])
    return line if across > down else np.array([line[1], -line[0]])


def _from_lowest(table: SeenTable, rows: Sequence[int]) -> tuple[list[int], bool]:
    """The cards of a fan along it, from the end that lies lowest, and whether it is sure which end that is.

    A card shows the indices on the side that the next card leaves free. Where nothing tells, it is the left or far end.
    """
    if len(rows) == 1:
        return list(rows), True
    centres = table.centres[rows]
    axis = np.linalg.svd(centres - centres.mean(0))[2][0]
    axis *= np.sign(axis[np.abs(axis).argmax()])
    order = _along_bend(table, rows) or np.argsort(centres @ axis).tolist()
    order = order if centres[order[-1]] @ axis >= centres[order[0]] @ axis else order[::-1]
    onward = np.gradient(centres[order], axis=0)
    onward /= np.maximum(np.linalg.norm(onward, axis=1, keepdims=True), 1e-9)
    shown = [
        (table.cards[rows[k]].ranks - table.cards[rows[k]].centre).mean(0) @ way
        for k, way in zip(order, onward, strict=True)
    ]
    of_covered = [float(by) / table.template.width for by in shown if abs(by) > 0.1 * table.template.width]
    side = float(np.mean(of_covered)) if of_covered else 0.0
    order = order[::-1] if side > 0 else order
    return [rows[k] for k in order], abs(side) > SHOWN_SIDE_CARD_WIDTHS
