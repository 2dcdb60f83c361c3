"""The exact answer for one Makiaveli table: can the whole hand be played this turn?"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any

from solver.cards import DECK, Card, Rank, Suit
from solver.makiaveli.melds import run_of, set_of
from solver.makiaveli.position import Position, Turn
from solver.position import check
from solver.solution import Limits, SearchStats, Solution, Verdict
from solver.verify import verified


@dataclass(frozen=True, slots=True, kw_only=True)
class MakiaveliSolution(Solution):
    """The verdict on a turn with the table that proves it.

    Attributes:
        max_cards: The most hand cards that one turn can play.
        final: The table at the end of the best turn; None where no card can be played or none had to be.
    """

    max_cards: int
    final: Turn | None

    def to_json(self) -> dict[str, Any]:
        """The contract's result object."""
        final = None if self.final is None else self.final.to_json()
        return Solution.to_json(self) | {"max_cards": self.max_cards, "final": final}


def solve(position: Position, limits: Limits | None = None) -> MakiaveliSolution:
    """The verdict with a final table that plays the most hand cards."""
    check(position)
    start = time.perf_counter()
    turn = _most_cards(position)
    played = len(position.hand) - len(turn.hand) if turn else 0
    won = played == len(position.hand)
    return verified(
        MakiaveliSolution(
            position=position,
            verdict=Verdict.WIN if won else Verdict.NO_WIN,
            line=(turn,) if turn and played else (),
            stats=SearchStats(time.perf_counter() - start),
            max_cards=played,
            final=turn if played else None,
        )
    )


def _most_cards(position: Position) -> Turn | None:
    need = Counter(c for meld in position.floor for c in meld)
    hand = Counter(position.hand)
    total = Counter(position.cards())
    sets = [frozenset(s for s in Suit if s != out) for out in (*Suit, None)]
    layers: list[dict[Any, Any]] = [{(((),) * 4, None): (0, None)}]
    for rank in range(1, 15):
        layer: dict[Any, Any] = {}
        for state, (loss, *_rest) in layers[-1].items():
            runs, kept = state
            for option in _options(rank, need, hand, total, sets, kept):
                lost, chosen, used, aces = option
                after = []
                for s in range(4):
                    nxt = _extend(runs[s], used[s])
                    if nxt is None:
                        break
                    after.append(nxt)
                else:
                    key = (tuple(after), aces)
                    if key not in layer or layer[key][0] > loss + lost:
                        layer[key] = (loss + lost, state, chosen, used)
        layers.append(layer)
    ends = [(value[0], key) for key, value in layers[-1].items() if all(n >= 3 for run in key[0] for n in run)]
    if not ends:
        return None
    _, key = min(ends, key=lambda end: end[0])
    chosen_ranks = []
    for layer in reversed(layers[1:]):
        value = layer[key]
        chosen_ranks.append((value[2], value[3]))
        key = value[1]
    return _decode(position, chosen_ranks[::-1])


def _options(rank: int, need: Any, hand: Any, total: Any, sets: Any, kept: Any) -> list[Any]:
    if rank == 14:
        return [(0, (), kept, kept)]
    cards = [DECK[13 * s + rank - 1] for s in range(4)]
    found = []
    pairs = [(), *((a,) for a in sets), *((a, b) for i, a in enumerate(sets) for b in sets[i:])]
    for chosen in pairs:
        in_sets = [sum(s in group for group in chosen) for s in Suit]
        for used in product(range(3), repeat=4):
            for high in product(range(3), repeat=4) if rank == 1 else ((0, 0, 0, 0),):
                sums = [a + b + c for a, b, c in zip(in_sets, used, high, strict=True)]
                if all(need[c] <= n <= total[c] for c, n in zip(cards, sums, strict=True)):
                    lost = sum(max(0, hand[c] - (n - need[c])) for c, n in zip(cards, sums, strict=True))
                    found.append((lost, chosen, used, high if rank == 1 else kept))
    return found


def _extend(runs: tuple[int, ...], used: int) -> tuple[int, ...] | None:
    short = [n for n in runs if n < 3]
    if len(short) > used:
        return None
    order = sorted(runs)[:used]
    grown = [min(n + 1, 3) for n in order] + [1] * (used - len(order))
    return tuple(sorted(grown))


def _decode(position: Position, ranks: list[Any]) -> Turn:
    melds: list[tuple[Card, ...]] = []
    open_runs: list[list[list[int]]] = [[], [], [], []]
    for rank, (chosen, used) in enumerate(ranks, start=1):
        melds += [set_of(Rank(rank), group) for group in chosen]
        for s in range(4):
            runs = sorted(open_runs[s], key=len)
            for done in runs[used[s] :]:
                melds.append(run_of(Suit(s), done[0], done[-1]))
            runs = runs[: used[s]]
            for run in runs:
                run.append(rank)
            runs += [[rank] for _ in range(used[s] - len(runs))]
            open_runs[s] = runs
    for s in range(4):
        for run in open_runs[s]:
            parts = [run] if len(run) < 14 else [run[:7], run[7:]]
            melds += [run_of(Suit(s), part[0], part[-1]) for part in parts]
    left = Counter(position.cards()) - Counter(c for meld in melds for c in meld)
    stay = []
    for card in position.cross:
        keep = card is not None and left[card] > (0)
        if keep and card is not None:
            left[card] -= 1
        stay.append(card if keep else None)
    return Turn(tuple(melds), tuple(stay), tuple(sorted(left.elements())))
