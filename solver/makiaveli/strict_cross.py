"""The house rule that every meld made with a cross card holds a hand card too.

The kernels do not know this rule. If their best table breaks it, a branch and bound takes over. For each cross card it
decides whether the card stays single, or in which meld it lies and with which hand card. The kernels bound each branch.
That is done twice: first for the most cards, then for the least disruption among the tables that play so many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import chain, count, product, repeat
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from solver.makiaveli.encoding import Counts
from solver.makiaveli.melds import all_melds, is_meld
from solver.makiaveli.position import Meld, Position, Turn, strict_cross_holds
from solver.makiaveli.turn_steps import Disruption

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
        joined = position.joined(turn)
        if strict_cross_holds(turn.melds, joined, position.played(turn)):
            best, allowed = turn, lost - 1
            continue
        # A card of which no copy is left lies in a fixed meld, which is fed.
        open_cards = [
            card for card in (Counter(joined) - Counter(branch.decided)).elements() if branch.total[card.index]
        ]
        if open_cards:
            stack.extend(_branches(branch, open_cards[0], counts))
    return best, True


def _branches(branch: _Branch, card: Card, counts: Counts) -> Iterator[_Branch]:
    """All that may become of a cross card; the likeliest last, because it is tried first."""
    if any(card in meld for meld in branch.melds):  # it may be the one that lies there
        yield replace(branch, decided=(*branch.decided, card))
    for meld in all_melds():
        if card in meld and all(branch.total[other.index] for other in meld):
            feeders = (feeder for feeder in meld if feeder != card and counts.hand[feeder.index])
            yield from filter(_has_its_cards, (_with_fed_meld(branch, card, meld, feeder) for feeder in feeders))
    total = branch.total.copy()
    total[card.index] -= 1
    yield from filter(_has_its_cards, [replace(branch, total=total)])


def _with_fed_meld(branch: _Branch, card: Card, meld: Meld, feeder: Card) -> _Branch:
    """The branch with one more decision: the cross card lies in `meld` together with the hand card `feeder`."""
    need, total, forced = branch.need.copy(), branch.total.copy(), branch.forced.copy()
    of_meld = [other.index for other in meld]
    need[feeder.index] += 1
    total[of_meld] -= 1
    for counted in (need, forced):
        counted[of_meld] = np.maximum(counted[of_meld], 1) - 1
    return _Branch(need, total, forced, (*branch.melds, meld), (*branch.decided, card))


def _has_its_cards(branch: _Branch) -> bool:
    return bool((branch.need <= branch.total).all())


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


@dataclass(order=True, frozen=True, slots=True)
class _Partial:
    """A table of which some melds and some single cross cards are decided; ordered by what it costs at least."""

    bound: Cost
    number: int
    fixed: tuple[Fixed, ...] = field(compare=False)
    single: tuple[Card, ...] = field(compare=False)


class LeastSearch:
    """Finds the least disruptive turn that keeps the strict rule.

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

    def __init__(
        self,
        position: Position,
        turn: Turn,
        cost_of: Callable[[Disruption], Cost],
        compared: Callable[[tuple[Meld, ...]], Disruption],
        best_of: Callable[[Position, int], Rest | None],
        turn_of: Callable[[tuple[Meld, ...]], Turn],
        is_over: Callable[[], bool],
    ) -> None:
        self.position = position
        self.lost = len(turn.hand)
        self.cost_of, self.compared, self.best_of = cost_of, compared, best_of
        self.turn_of, self.is_over = turn_of, is_over
        self.best, self.best_cost = turn, cost_of(compared(turn.melds))
        self.numbers = count()
        self.heap: list[_Partial] = []
        self.dead_ends: list[Cost] = []  # what branches that cannot be looked into any further cost at least
        self._push((), (), ())

    def run(self) -> tuple[Turn, bool]:
        """The least disruptive turn that was found, and whether it is proved to be that."""
        while self.heap and self.heap[0].bound < self.best_cost:
            if self.is_over() or not self._look_into(heappop(self.heap)):
                return self.best, False
        return self.best, min(self.dead_ends, default=self.best_cost) >= self.best_cost

    def _push(self, bound: Cost, fixed: tuple[Fixed, ...], single: tuple[Card, ...]) -> None:
        heappush(self.heap, _Partial(bound, next(self.numbers), fixed, single))

    def _look_into(self, branch: _Partial) -> bool:
        """Offers the branch's best table and pushes its children; False where a limit was hit meanwhile."""
        rest = _rest(self.position, branch.fixed, branch.single)
        if rest is None:
            return True
        found = self.best_of(rest, self.lost)
        if self.is_over():
            return False
        if found is None:
            return True
        bound = self._bound(branch, found)
        if self.heap and self.heap[0].bound < bound < self.best_cost:
            self._push(bound, branch.fixed, branch.single)  # others come first now
            return True
        whole = self.turn_of((*(tuple(card for card, _ in meld) for meld in branch.fixed), *found.melds))
        self._offer(whole)
        if bound < self.best_cost:
            self._split(bound, branch, whole, found.melds)
        return True

    def _bound(self, branch: _Partial, found: Rest) -> Cost:
        """The least that any table of the branch costs."""
        if found.disruption is None:
            return branch.bound
        given = _given(self.position.floor, branch.fixed)
        both = Disruption(given.broken + found.disruption.broken, given.moved + found.disruption.moved, ())
        return max(branch.bound, self.cost_of(both))

    def _offer(self, turn: Turn) -> None:
        """Makes a turn the best one if it keeps the rule, plays enough and costs less."""
        joined, played = self.position.joined(turn), self.position.played(turn)
        if len(turn.hand) <= self.lost and strict_cross_holds(turn.melds, joined, played):
            self.best, self.best_cost = min(
                (self.best, self.best_cost), (turn, self.cost_of(self.compared(turn.melds))), key=itemgetter(1)
            )

    def _split(self, bound: Cost, branch: _Partial, whole: Turn, melds: Sequence[Meld]) -> None:
        """Pushes the branches in which one more cross card is decided."""
        joined, played = self.position.joined(whole), self.position.played(whole)
        card = _next_to_decide(branch.fixed, joined, played, melds)
        if card is None:
            self.dead_ends.append(bound)
            return
        for fixed, single in _decisions(self.position, branch.fixed, branch.single, card):
            self._push(bound, fixed, single)


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
    piles = {place: list(meld) for place, meld in enumerate(position.floor)}
    piles[HAND], piles[CROSS] = list(position.hand), [card for card in position.cross if card is not None]
    try:
        for card, source in chain(((card, CROSS) for card in single), *fixed):
            piles[source].remove(card)
    except ValueError:
        return None
    left = [piles[place] for place in range(len(position.floor))]
    floor = chain.from_iterable(map(_whole_or_loose, position.floor, left))
    return replace(
        position,
        floor=tuple(floor),
        cross=tuple(piles[CROSS]),
        hand=tuple(piles[HAND]),
        strict_cross=False,
        repair=True,
    )


def _whole_or_loose(before: Meld, after: Sequence[Card]) -> list[Meld]:
    """A floor meld as it was, or its cards one by one where it gave some away."""
    return [before] if len(before) == len(after) else [(card,) for card in after]


def _given(floor: Sequence[Meld], fixed: Sequence[Fixed]) -> Disruption:
    """The least that the fixed melds cost the floor: broken melds and moved cards of those that gave them cards."""
    taken = Counter((source, n) for n, meld in enumerate(fixed) for _, source in meld)
    givers = sorted({source for source, _ in taken if source >= 0 and is_meld(floor[source])})
    sizes = [len(floor[giver]) for giver in givers]
    gave = [[taken[giver, n] for n in range(len(fixed))] for giver in givers]
    broken = sum(size not in to_each for size, to_each in zip(sizes, gave, strict=True))
    heirs_of_all = filter(_are_distinct, product(range(-1, len(fixed)), repeat=len(givers)))
    return Disruption(broken, min(sum(map(_moved_cards, sizes, gave, heirs)) for heirs in heirs_of_all), ())


def _are_distinct(heirs: Sequence[int]) -> bool:
    """Whether no final meld inherits from two floor melds; -1 stands for a floor meld without an heir."""
    chosen = [heir for heir in heirs if heir >= 0]
    return len(set(chosen)) == len(chosen)


def _moved_cards(size: int, gave: Sequence[int], heir: int) -> int:
    """How many cards of a floor meld move at least: those that it gave, or those that its heir did not get."""
    return sum(gave) if heir < 0 else size - gave[heir]


def _decisions(
    position: Position, fixed: tuple[Fixed, ...], single: tuple[Card, ...], card: Card
) -> Iterator[tuple[tuple[Fixed, ...], tuple[Card, ...]]]:
    """All that may become of a cross card: it stays single, or it lies in a meld with a hand card."""
    yield fixed, (*single, card)
    rest = _rest(position, fixed, single)
    if rest is None:
        return
    sources = _sources(position.floor, rest, fixed)
    sources_here = sources | {card: [CROSS]}
    for meld in all_melds():
        if card in meld and all(other in sources for other in meld):
            for chosen in product(*(sources_here[other] for other in meld)):
                if HAND in chosen:
                    yield (*fixed, tuple(zip(meld, chosen, strict=True))), single


def _sources(floor: Sequence[Meld], rest: Position, fixed: Sequence[Fixed]) -> dict[Card, list[int]]:
    """Where each card of what is left of a table may come from; of a floor meld one copy that no fixed meld took."""
    gone = set(chain.from_iterable(fixed))
    of_floor = ((card, place) for place, meld in enumerate(floor) for card in meld if (card, place) not in gone)
    of_hand = zip(set(rest.hand), repeat(HAND))
    of_cross = zip({card for card in rest.cross if card is not None}, repeat(CROSS))
    sources: defaultdict[Card, list[int]] = defaultdict(list)
    for card, source in chain(of_floor, of_hand, of_cross):
        sources[card].append(source)
    return dict(sources)
