"""The cards of several photos in one plane: the views that show each, and what they say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cards.disputes import disputed_cards, mix_opinions
from vision.cards.geometry import Array
from vision.cards.joining.cloud import LaidCards
from vision.cards.joining.joined import View
from vision.cards.joining.weighed_reads import weigh_reads

_LAID: Final = ("at", "down", "spots", "ranks")


@dataclass(eq=False, slots=True)
class UnitedCards:
    """The cards of all joined photos in one plane, while they are put together.

    Attributes:
        members: The views of each card.
        reads: Each card's reads, (52,) log-probabilities each.
        laid: Where each photo's cards lie in the plane.
        moved: Card, photo and row where a view shows a card elsewhere than the others: it was moved.
        unsure: The same where it may as well be the other copy.
        loose: Views that were taken for one card though they lie rather far apart.
    """

    members: list[list[View]] = field(default_factory=list)
    reads: list[list[Array]] = field(default_factory=list)
    laid: dict[int, LaidCards] = field(default_factory=dict)
    moved: list[tuple[int, int, int]] = field(default_factory=list)
    unsure: list[tuple[int, int, int]] = field(default_factory=list)
    loose: list[frozenset[View]] = field(default_factory=list)

    def log_card(self) -> Array:
        """(n, 52) the weighed reads of all cards."""
        log = np.array(
            [
                mix_opinions(reads) if disputed else weigh_reads(reads)
                for reads, disputed in zip(self.reads, self.disputed(), strict=True)
            ]
        ).reshape(-1, 52)
        log -= log.max(1, keepdims=True)
        return np.asarray(log - np.log(np.exp(log).sum(1, keepdims=True)))

    def disputed(self) -> list[tuple[int, ...]]:
        """The identities of which different photos are sure, of each card."""
        return [disputed_cards(reads) for reads in self.reads]

    def keep(self, rows: Sequence[int]) -> None:
        """Leaves out all other cards."""
        place = {k: number for number, k in enumerate(rows)}
        self.members = [self.members[k] for k in rows]
        self.reads = [self.reads[k] for k in rows]
        self.moved = [(place[k], photo, row) for k, photo, row in self.moved if k in place]
        self.unsure = [(place[k], photo, row) for k, photo, row in self.unsure if k in place]

    def join_groups(self, heaps: Sequence[Sequence[int]]) -> None:
        """Makes one card of the cards of each group."""
        place = {k: number for number, heap in enumerate(heaps) for k in heap}
        self.members = [[view for k in heap for view in self.members[k]] for heap in heaps]
        self.reads = [[read for k in heap for read in self.reads[k]] for heap in heaps]
        self.moved = [(place[k], photo, row) for k, photo, row in self.moved]
        self.unsure = [(place[k], photo, row) for k, photo, row in self.unsure]

    def shared_views(self, photo: int) -> dict[int, list[tuple[int, int]]]:
        """For each other photo the rows of the cards that both show and that were not moved: this one's and its own."""
        moved = {(number, row) for _, number, row in self.moved}
        found: dict[int, list[tuple[int, int]]] = {}
        for members in self.members:
            for _, row in (view for view in members if view[0] == photo and view not in moved):
                for other, their_row in members:
                    if other != photo:
                        found.setdefault(other, []).append((row, their_row))
        return dict(sorted(found.items()))

    def cards(self) -> LaidCards:
        """All cards, each as the first of the photos has it that show most of its indices."""
        shown = {photo: laid.shown for photo, laid in self.laid.items()}
        chosen = [max(members, key=lambda view: int(shown[view[0]][view[1]])) for members in self.members]
        photos = {photo: n for n, photo in enumerate(self.laid)}
        starts = np.cumsum([0, *(len(laid.at) for laid in self.laid.values())])
        rows = [int(starts[photos[photo]]) + row for photo, row in chosen]
        parts = (np.concatenate([getattr(laid, name) for laid in self.laid.values()])[rows] for name in _LAID)
        return LaidCards(*parts)
