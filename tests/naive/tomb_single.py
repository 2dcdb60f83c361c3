"""A slow twin of the one-deck Tomb: the document's rules on lists of ranks, no bits, no tricks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class Table:
    deck: list[int]
    corners: list[int] = field(default_factory=list)  # the rank on top of each corner begun
    centre: list[int] = field(default_factory=list)
    spares: list[int] = field(default_factory=list)
    sixes: int = 0
    discard: list[int] = field(default_factory=list)

    def copy(self) -> Table:
        return Table(*(list(x) if isinstance(x, list) else x for x in vars(self).values()))

    def key(self) -> tuple[object, ...]:
        piles = (len(self.deck), tuple(sorted(self.corners)), len(self.centre), tuple(sorted(self.spares)))
        return (*piles, self.sixes, tuple(self.discard))

    @property
    def centre_takes(self) -> int | None:
        if not self.centre:
            return 6
        if len(self.centre) == 24:
            return None
        return 6 if self.centre[-1] == 1 else self.centre[-1] - 1

    def takes(self, rank: int) -> bool:
        return rank == self.centre_takes or (rank >= 8 and rank - 1 in self.corners)

    def build(self, rank: int) -> None:
        if rank == self.centre_takes:
            self.centre.append(rank)
        else:
            self.corners[self.corners.index(rank - 1)] = rank

    @property
    def won(self) -> bool:
        return self.corners == [13] * 4 and len(self.centre) == 24


def forced_choices(table: Table) -> Iterator[Table]:
    """Every table after one play or refill that the forced rules ask for."""
    for rank in set(table.spares):
        if table.takes(rank):
            after = table.copy()
            after.spares.remove(rank)
            after.build(rank)
            yield after
    if table.discard and table.takes(table.discard[-1]):
        after = table.copy()
        after.build(after.discard.pop())
        yield after
    if table.sixes and table.centre_takes == 6:
        after = table.copy()
        after.sixes -= 1
        after.build(6)
        yield after
    if table.discard and len(table.spares) < 4:
        after = table.copy()
        after.spares.append(after.discard.pop())
        yield after


def draw(table: Table, *, free: bool = False) -> Table:
    after = table.copy()
    rank = after.deck.pop(0)
    if rank == 7:
        after.corners.append(7)
    elif rank == 6:
        if after.centre_takes == 6:
            after.build(6)
        else:
            after.sixes += 1
    elif len(after.spares) < 4 and not free:
        after.spares.append(rank)
    else:
        after.discard.append(rank)
    return after


def forced_game(deck: Sequence[int], generator: random.Random) -> bool:
    """Plays by the forced rules in a random order of plays."""
    table = Table(list(deck))
    while True:
        choices = list(forced_choices(table))
        if choices:
            table = generator.choice(choices)
        elif table.deck:
            table = draw(table)
        else:
            return table.won


def forced_ends(table: Table) -> set[tuple[object, ...]]:
    """The ends of all forced games that any order of plays can lead to."""
    ends, open_tables, seen = set(), [table], set()
    while open_tables:
        current = open_tables.pop()
        if current.key() in seen:
            continue
        seen.add(current.key())
        choices = list(forced_choices(current))
        if not choices and current.deck:
            choices = [draw(current)]
        if not choices:
            ends.add(current.key())
        open_tables += choices
    return ends


def free_wins(table: Table, limit: int = 200_000) -> bool | None:
    """Whether any way to play freely wins, by trying all of them; None when there are too many tables."""
    open_tables, seen = [table], set()
    while open_tables:
        current = open_tables.pop()
        if current.won:
            return True
        if current.key() in seen:
            continue
        seen.add(current.key())
        if len(seen) > limit:
            return None
        open_tables += forced_choices(current)  # plays and refills, each of which may be declined:
        if current.deck:
            open_tables.append(draw(current, free=True))
    return False
