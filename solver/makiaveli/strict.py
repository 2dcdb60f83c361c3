"""The house rule that every meld made with a cross card holds a hand card too.

The kernels do not know this rule. If their best table breaks it, a branch and bound takes over. For each cross card it
decides whether the card stays single, or in which meld it lies and with which hand card. The kernels bound each branch.
That is done twice: first for the most cards, then for the least disruption among the tables that play so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from solver.makiaveli.counts import Counts
from solver.makiaveli.melds import all_melds, is_meld
from solver.makiaveli.plan import Disruption
from solver.makiaveli.position import Meld, Position, Turn, strict_cross_holds

Counted = NDArray[np.uint8]
Relaxed = Callable[[Counted, Counted, Counted, int], tuple[int, tuple[Meld, ...]] | None]
"""From copies needed, there, and lost if not used, and the most that may be lost, to the fewest lost and the melds."""

Cost = tuple[int, ...]
"""What is minimised of a disruption, in the order of importance."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """Some cross cards are decided: `decided` lie in the fixed melds; those that stay single are not in `total`."""

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
            if is_over():
                return best, False
            continue
        lost, melds = found
        turn = turn_of((*branch.melds, *melds))
        joined, played = _joined_and_played(position, turn)
        if strict_cross_holds(turn.melds, joined, played):
            best, allowed = turn, lost - 1
            continue
        # A card of which no copy is left lies in a fixed meld, which is fed.
        open_cards = [
            card for card in (Counter(joined) - Counter(branch.decided)).elements() if branch.total[card.index]
        ]
        if open_cards:
            stack.extend(_branches(branch, open_cards[0], counts))
    return best, True


def _joined_and_played(position: Position, turn: Turn) -> tuple[list[Card], list[Card]]:
    """The cross cards that end in a meld, and the hand cards that are played."""
    joined = [b for b, a in zip(position.cross, turn.cross, strict=True) if b is not None and a is None]
    played = list(position.hand)
    for card in turn.hand:
        played.remove(card)
    return joined, played


def _branches(branch: _Branch, card: Card, counts: Counts) -> Iterator[_Branch]:
    """All that may become of a cross card; the likeliest last, because it is tried first."""
    if any(card in meld for meld in branch.melds):  # it may be the one that lies there
        yield replace(branch, decided=(*branch.decided, card))
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
        yield replace(branch, total=total)


HAND: Final = -1
CROSS: Final = -2
"""Where a card of a fixed meld comes from, beside the floor melds by their number."""

Fixed = tuple[tuple[Card, int], ...]
"""A meld that is on the final table, each card with where it comes from."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The least disruptive table of what is left of a table, without the rule.

    Attributes:
        lost: Hand cards that it leaves behind.
        melds: Its melds.
        disruption: What it costs the floor melds; None where it leaves fewer cards behind than allowed, because then
            it may not be the least disruptive.
    """

    lost: int
    melds: tuple[Meld, ...]
    disruption: Disruption | None


def strict_least(
    position: Position,
    turn: Turn,
    cost_of: Callable[[Disruption], Cost],
    compared: Callable[[tuple[Meld, ...]], Disruption],
    best_of: Callable[[Position, int], Rest | None],
    turn_of: Callable[[tuple[Meld, ...]], Turn],
    is_over: Callable[[], bool],
) -> tuple[Turn, bool]:
    """The least disruptive turn that keeps the strict rule, and whether that is proved.

    Branches are taken in the order of what they cost at least: floor melds that give cards to a fixed meld are broken
    if not all their cards lie in it; what is left of them may at best stay together.

    Args:
        position: The table.
        turn: A turn that keeps the rule and plays the most cards that can be played so.
        cost_of: What is minimised.
        compared: The disruption of a final table.
        best_of: The least disruptive table of a position, without the rule, that leaves at most so many hand cards
            behind; None where there is none.
        turn_of: The turn that leaves some melds.
        is_over: Whether a limit was hit, also while one of the above was called.
    """
    lost = len(turn.hand)
    best, best_cost = turn, cost_of(compared(turn.melds))
    least_open: Cost | None = None  # what a branch that cannot be looked into any further costs at least
    order = count()
    heap: list[tuple[Cost, int, tuple[Fixed, ...], tuple[Card, ...]]] = [((), next(order), (), ())]
    while heap and heap[0][0] < best_cost:
        if is_over():
            return best, False
        bound, _, fixed, single = heappop(heap)
        rest = _rest(position, fixed, single)
        if rest is None:
            continue
        found = best_of(rest, lost)
        if is_over():
            return best, False
        if found is None:
            continue
        if found.disruption is not None:
            given = _given(position.floor, fixed)
            both = Disruption(given.broken + found.disruption.broken, given.moved + found.disruption.moved, ())
            bound = max(bound, cost_of(both))
            if heap and heap[0][0] < bound < best_cost:
                heappush(heap, (bound, next(order), fixed, single))
                continue
        whole = turn_of((*(tuple(card for card, _ in meld) for meld in fixed), *found.melds))
        joined, played = _joined_and_played(position, whole)
        if len(whole.hand) <= lost and strict_cross_holds(whole.melds, joined, played):
            cost = cost_of(compared(whole.melds))
            if cost < best_cost:
                best, best_cost = whole, cost
        if bound >= best_cost:
            continue
        card = _next_to_decide(fixed, joined, played, found.melds)
        if card is None:
            least_open = bound if least_open is None else min(least_open, bound)
            continue
        for children in _decisions(position, fixed, single, card):
            heappush(heap, (bound, next(order), *children))
    return best, least_open is None or least_open >= best_cost


def _next_to_decide(
    fixed: Sequence[Fixed], joined: Sequence[Card], played: Sequence[Card], melds: Sequence[Meld]
) -> Card | None:
    """The cross card to decide about next, one that no played card goes with if there is any; None if all are decided.

    Args:
        fixed: The melds that are decided.
        joined: The cross cards that end in a meld.
        played: The hand cards that are played.
        melds: The other melds.
    """
    decided = Counter(card for meld in fixed for card, source in meld if source == CROSS)
    undecided = list((Counter(joined) - decided).elements())
    hungry = [card for card in undecided if not any(card in meld and set(meld) & set(played) for meld in melds)]
    return next(iter(hungry or undecided), None)


def _rest(position: Position, fixed: Sequence[Fixed], single: Sequence[Card]) -> Position | None:
    """The table without the fixed melds and single cross cards; None where it has not got their cards.

    Cards of floor melds that gave some away lie loose.
    """
    floor = [list(meld) for meld in position.floor]
    cross = [card for card in position.cross if card is not None]
    hand = list(position.hand)
    try:
        for card in single:
            cross.remove(card)
        for meld in fixed:
            for card, source in meld:
                (hand if source == HAND else cross if source == CROSS else floor[source]).remove(card)
    except ValueError:
        return None
    groups: list[Meld] = []
    for before, after in zip(position.floor, floor, strict=True):
        groups += [before] if len(before) == len(after) else [(card,) for card in after]
    return replace(position, floor=tuple(groups), cross=tuple(cross), hand=tuple(hand), strict_cross=False, repair=True)


def _given(floor: Sequence[Meld], fixed: Sequence[Fixed]) -> Disruption:
    """What the fixed melds cost the floor melds that they take cards from, at least."""
    taken = Counter((source, n) for n, meld in enumerate(fixed) for _, source in meld if source >= 0)
    givers = sorted({source for source, _ in taken if is_meld(floor[source])})
    broken = sum(len(floor[giver]) not in (taken[giver, n] for n in range(len(fixed))) for giver in givers)
    moved = []
    for heirs in product(range(-1, len(fixed)), repeat=len(givers)):
        chosen = [heir for heir in heirs if heir >= 0]
        if len(set(chosen)) == len(chosen):
            total = 0
            for giver, heir in zip(givers, heirs, strict=True):
                size, gave = len(floor[giver]), sum(taken[giver, n] for n in range(len(fixed)))
                total += gave if heir < 0 else size - taken[giver, heir]
            moved.append(total)
    return Disruption(broken, min(moved), ())


def _decisions(
    position: Position, fixed: tuple[Fixed, ...], single: tuple[Card, ...], card: Card
) -> Iterator[tuple[tuple[Fixed, ...], tuple[Card, ...]]]:
    """All that may become of a cross card: it stays single, or it lies in a meld with a hand card."""
    yield fixed, (*single, card)
    rest = _rest(position, fixed, single)
    if rest is None:
        return
    gone = Counter((source, other) for meld in fixed for other, source in meld)
    sources: dict[Card, list[int]] = {}
    for place, meld in enumerate(position.floor):
        for other in meld:
            if not gone[place, other]:
                sources.setdefault(other, []).append(place)
    for other in set(rest.hand):
        sources.setdefault(other, []).append(HAND)
    for other in {other for other in rest.cross if other is not None}:
        sources.setdefault(other, []).append(CROSS)
    for meld in all_melds():
        if card in meld and all(other in sources for other in meld):
            for chosen in product(*([CROSS] if other == card else sources[other] for other in meld)):
                if HAND in chosen:
                    yield (*fixed, tuple(zip(meld, chosen, strict=True))), single
