"""How sure the cards are on which a comparison of two photos hangs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import chain, product
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.comparison import Comparison
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn.tuning import TUNING

CardOf = tuple[int, int]
"""A card of two readings: the number of the photo, 0 or 1, and of the card in it."""


def weigh_change(
    readings: tuple[Reading, Reading],
    positions: tuple[Position, Position],
    found: Comparison,
    hand: tuple[Card, ...] | None,
) -> dict[CardOf, float]:
    """How sure each card is on which the comparison hangs, by the numbers of the photo and of the card in it.

    They are the cards of melds, and of the cross, that do not lie alike in the other photo. One that both photos show
    was read twice.
    """
    changed = _changed_cards(positions)
    left = changed[0].copy(), changed[1].copy()
    differ = Counter(found.played) + Counter(found.gone)
    rows: list[tuple[int, int, ReadCard]] = []
    sureness: dict[CardOf, float] = {}
    for photo, reading in enumerate(readings):
        for number, card in _changed_first(reading, positions):
            if card.card is None:
                continue
            if card.place.kind == "none":
                if differ[card.card]:
                    sureness[photo, number] = card.by_looks if card.is_seen_whole else TUNING.left_out_confidence
            elif left[photo][card.card]:
                left[photo][card.card] -= 1
                rows.append((photo, number, card))
    for photo, number, card in rows:
        twins = [twin.confidence for where, _, twin in rows if where != photo and twin.card == card.card]
        assert card.card is not None, "a card of the change was read"
        if not (card.sights or _lies_alike(card.card, positions)):
            twins = []  # the other photo shows the card, but not where this one seems to hide it
        doubt = (1 - card.confidence) * (1 - max(twins, default=0.0))
        if card.card in (hand or ()) and card.card in found.played:
            doubt *= TUNING.of_hand_doubt_share
        sureness[photo, number] = 1 - doubt
    return sureness


def _changed_first(reading: Reading, positions: tuple[Position, Position]) -> list[tuple[int, ReadCard]]:
    """The cards of a reading with their numbers, those of melds that lie alike on both tables last.

    Of two copies the other one changed.
    """
    shown: Any = reading.position
    alike = {tuple(sorted(meld)) for meld in positions[0].floor} & {tuple(sorted(meld)) for meld in positions[1].floor}

    def lies_alike(card: ReadCard) -> bool:
        return card.place.kind == "floor" and tuple(sorted(shown.floor[card.place.ordinal])) in alike

    return sorted(enumerate(reading.cards), key=lambda row: lies_alike(row[1]))


def chance_of_change(readings: tuple[Reading, Reading], sureness: Mapping[CardOf, float]) -> float:
    """Probability that all cards were read right on which a comparison hangs; what both photos show is one doubt."""
    doubts: dict[Card | None, tuple[list[float], list[float]]] = {}
    for (photo, number), sure in sureness.items():
        doubts.setdefault(readings[photo].cards[number].card, ([], []))[photo].append(sure)
    return math.prod(min(math.prod(first), math.prod(second)) for first, second in doubts.values())


def _lies_alike(card: Card, positions: tuple[Position, Position]) -> bool:
    """Whether a card lies with another one in one meld on both tables, among the melds that do not lie alike."""
    first, second = ([set(meld) for meld in melds if card in meld] for melds in _changed_melds(positions))
    return any(len(one & other) > 1 for one, other in product(first, second))


def are_different(positions: tuple[Position, Position], gone: int) -> bool:
    """Whether two photos rather show different tables than one before and after a turn.

    Args:
        positions: The tables.
        gone: How many cards of the first are not on the second one.
    """
    changed, _ = _changed_cards(positions)
    first, second = (sum(map(len, position.floor)) + cross_cards(position).total() for position in positions)
    alike = first - changed.total()
    return gone >= TUNING.fewest_gone and alike < TUNING.most_alike_share * min(first, second)


def cross_cards(position: Position) -> Counter[Card]:
    """The cards of the cross, wherever in it they lie."""
    return Counter(card for card in position.cross if card is not None)


def _changed_melds(positions: tuple[Position, Position]) -> tuple[Counter[tuple[Card, ...]], Counter[tuple[Card, ...]]]:
    """Of each table the melds that do not lie so on the other one."""
    first, second = (Counter(tuple(sorted(meld)) for meld in position.floor) for position in positions)
    return first - second, second - first


def _changed_cards(positions: tuple[Position, Position]) -> tuple[Counter[Card], Counter[Card]]:
    """Of each table the cards of melds, and of the cross, that do not lie so in the other one."""
    crosses = [cross_cards(position) for position in positions]
    first, second = (
        Counter(chain.from_iterable(melds.elements())) + (crosses[k] - crosses[1 - k])
        for k, melds in enumerate(_changed_melds(positions))
    )
    return first, second
