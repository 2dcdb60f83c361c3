"""The house rule that every meld made with a cross card holds a hand card too.

The kernels do not know it. Where their best table breaks it, a branch and bound decides for each cross card whether
it stays single or in which meld it lies, and with which hand card; the kernels bound each branch from above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from solver.makiaveli.counts import Counts
from solver.makiaveli.melds import all_melds
from solver.makiaveli.position import Meld, Position, Turn, strict_cross_holds

Counted = NDArray[np.uint8]
Relaxed = Callable[[Counted, Counted, Counted, int], tuple[int, tuple[Meld, ...]] | None]
"""From copies needed, there, and lost if not used, and the most that may be lost, to the fewest lost and the melds."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """Some cross cards are decided: their melds are fixed, or they stay single."""

    need: Counted
    total: Counted
    forced: Counted
    melds: tuple[Meld, ...]
    decided: tuple[Card, ...]


def strict_turn(
    position: Position, counts: Counts, relaxed: Relaxed, turn_of: Callable[[tuple[Meld, ...]], Turn],
    is_over: Callable[[], bool],
) -> tuple[Turn | None, bool]:  # fmt: skip
    """The turn that plays the most hand cards under the strict rule, and whether that is proved.

    Args:
        position: The table.
        counts: Its counts.
        relaxed: The best table without the rule.
        turn_of: The turn that leaves some melds.
        is_over: Whether a limit was hit.
    """
    best: Turn | None = None
    allowed = len(position.hand) - 1
    stack = [_Branch(counts.floor, counts.total, counts.floor + counts.hand, (), ())]
    while stack and allowed >= 0:
        if is_over():
            return best, False
        branch = stack.pop()
        found = relaxed(branch.need, branch.total, branch.forced, allowed)
        if found is None:
            continue
        lost, melds = found
        turn = turn_of((*branch.melds, *melds))
        joined = [b for b, a in zip(position.cross, turn.cross, strict=True) if b is not None and a is None]
        played = list(position.hand)
        for card in turn.hand:
            played.remove(card)
        if strict_cross_holds(turn.melds, joined, played):
            best, allowed = turn, lost - 1
            continue
        open_cards = list(joined)
        for card in branch.decided:
            if card in open_cards:
                open_cards.remove(card)
        if open_cards:
            stack.extend(_branches(branch, open_cards[0], counts))
    return best, True


def _branches(branch: _Branch, card: Card, counts: Counts) -> Iterator[_Branch]:
    """All that may become of a cross card; the likeliest last, because it is tried first."""
    for meld in all_melds():
        if card in meld and all(branch.total[other.index] for other in meld):
            for feeder in meld:
                if feeder != card and counts.hand[feeder.index]:
                    need, total, forced = branch.need.copy(), branch.total.copy(), branch.forced.copy()
                    need[feeder.index] += 1
                    for other in meld:
                        total[other.index] -= 1
                        need[other.index] = max(int(need[other.index]), 1) - 1
                        forced[other.index] = max(int(forced[other.index]), 1) - 1
                    if (need <= total).all():
                        yield _Branch(need, total, forced, (*branch.melds, meld), (*branch.decided, card))
    total = branch.total.copy()
    total[card.index] -= 1
    if (branch.need <= total).all():
        yield _Branch(branch.need, total, branch.forced, branch.melds, (*branch.decided, card))
