"""Makiaveli once more, slow and obvious: every table that a turn can leave is built and looked at.

Shares no code with the solver: a card is (suit, rank) with suits 0 to 3 and ranks 1 to 13, a meld a frozenset of
cards, a table a list of melds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import NamedTuple

Card = tuple[int, int]
Meld = frozenset[Card]


class Best(NamedTuple):
    """The best of all tables; each minimum is taken among the tables that play the most cards.

    `least` is the smallest pair of broken melds and moved cards.
    """

    cards: int
    broken: int
    moved: int
    least: tuple[int, int]


def all_melds() -> list[Meld]:
    melds = [frozenset((suit, rank) for suit in suits) for rank in range(1, 14) for suits in suit_sets()]
    for suit in range(4):
        ranks = [*range(1, 14), 1]
        for first in range(14):
            for size in range(3, 14):
                if first + size <= 14:
                    melds.append(frozenset((suit, rank) for rank in ranks[first : first + size]))
    return melds


def suit_sets() -> list[tuple[int, ...]]:
    return [*combinations(range(4), 3), (0, 1, 2, 3)]


MELDS = all_melds()


def tables(need: Counter[Card], total: Counter[Card]) -> Iterator[list[Meld]]:
    """Every list of melds that uses each card at least `need` and at most `total` times."""
    useful = [meld for meld in MELDS if all(total[card] for card in meld)]

    def cover(chosen: list[Meld], need: Counter[Card], left: Counter[Card]) -> Iterator[list[Meld]]:
        missing = min((card for card in need if need[card] > 0), default=None)
        if missing is None:
            yield from add(chosen, left, 0)
            return
        for meld in useful:
            if missing in meld and all(left[card] for card in meld):
                yield from cover([*chosen, meld], need - Counter(meld), left - Counter(meld))

    def add(chosen: list[Meld], left: Counter[Card], start: int) -> Iterator[list[Meld]]:
        yield chosen
        for i in range(start, len(useful)):
            if all(left[card] for card in useful[i]):
                yield from add([*chosen, useful[i]], left - Counter(useful[i]), i)

    yield from cover([], +need, +total)


def best(floor: list[Meld], cross: Iterable[Card], hand: Iterable[Card]) -> Best:
    need = Counter(card for meld in floor for card in meld)
    held = Counter(hand)
    total = need + Counter(cross) + held
    found: list[tuple[int, int, int]] = []
    for table in tables(need, total):
        used = Counter(card for meld in table for card in meld)
        played = sum(min(held[card], used[card] - need[card]) for card in used)
        if played or not held:
            found.append((played, broken(floor, table), moved(floor, table)))
    if not found or not held:
        return Best(0, 0, 0, (0, 0))
    most = max(played for played, _, _ in found)
    costs = [(b, m) for played, b, m in found if played == most]
    return Best(most, min(b for b, _ in costs), min(m for _, m in costs), min(costs))


def wins(floor: list[Meld], cross: Iterable[Card], hand: Iterable[Card]) -> bool:
    need = Counter(card for meld in floor for card in meld) + Counter(hand)
    return next(tables(need, need + Counter(cross)), None) is not None


def broken(floor: list[Meld], table: list[Meld]) -> int:
    """Floor melds that cannot lie whole in the table, however the others are laid into it."""

    def kept(place: int, free: tuple[Meld, ...]) -> int:
        if place == len(floor):
            return 0
        most = kept(place + 1, free)
        for i, meld in enumerate(free):
            if floor[place] <= meld:
                most = max(most, 1 + kept(place + 1, (*free[:i], meld - floor[place], *free[i + 1 :])))
        return most

    return len(floor) - kept(0, tuple(table))


def moved(floor: list[Meld], table: list[Meld]) -> int:
    """Floor cards outside their meld's heir, over all ways to give melds their heirs."""
    heirs = [*table, *[frozenset[Card]()] * len(floor)]
    most = max(
        sum(len(meld & heir) for meld, heir in zip(floor, chosen, strict=True))
        for chosen in permutations(heirs, len(floor))
    )
    return sum(map(len, floor)) - most
