"""The tables of a photo with the groups of cards as they were laid, though the rules forbid them.

The reader takes what lies together for melds wherever it can: a card that fits no meld is taken for one of the cross or
of the hand, or for a lone one. A turn may break the rules, so the table may also be as it was laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.melds import is_meld
from vision.reading import Reading


def tables_as_laid(reading: Reading, plain: Reading) -> list[Position]:
    """The table of a photo with each group that was laid against the rules, and with all of them.

    Args:
        reading: What the photo shows by the rules.
        plain: What it shows without them.
    """
    there: Any = plain.position
    table: Any = reading.position
    if table is None or there is None:
        return []
    left_out = tuple(card.card for card in reading.cards if card.place.kind == "none")
    found, every = [], table
    for group in there.floor:
        laid = None if is_meld(group) else _with_group(table, group, left_out)
        if laid is not None:
            found.append(laid)
            every = _with_group(every, group, left_out) or every
    return [*found, every] if len(found) > 1 else found


def _with_group(table: Position, group: Sequence[Card], left_out: Sequence[Card | None]) -> Position | None:
    """The table with these cards in one group; None where half of them lie in cross or hand, or one was seen twice."""
    rest, parts, others = Counter(group), list[tuple[Card, ...]](), list[tuple[Card, ...]]()
    for meld in table.floor:  # of two equal melds one is a part
        is_part = not Counter(meld) - rest
        (parts if is_part else others).append(meld)
        rest -= Counter(meld) if is_part else Counter()
    elsewhere = rest - Counter(card for card in left_out if card is not None)
    if len(set(group)) < len(group) or len(parts) + rest.total() < 2 or 2 * elsewhere.total() >= len(group):
        return None
    if not rest and all(map(is_meld, parts)):
        return None  # two melds that touch
    cross, hand = list(table.cross), list(table.hand)
    for card in rest:
        if card in cross:
            cross[cross.index(card)] = None
        elif card in hand:
            hand.remove(card)
        elif card not in left_out:
            return None
    return replace(table, floor=(*others, tuple(group)), cross=tuple(cross), hand=tuple(hand))
