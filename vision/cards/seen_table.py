"""What is seen on a table: its cards and backs, in the table's plane and in the photo."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from vision.cards.disputes import LEAST_DOUBT
from vision.cards.geometry import Array, Plane, rectangle
from vision.cards.template import Template

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False, slots=True)
class SeenCard:
    """One face-up card on the table.

    Attributes:
        log_card: (52,) log-probabilities of its identity, summing to 1 once exponentiated.
        is_card: Probability that there is a card at all.
        indices: Rows of its indices in the detections; empty for a card that was only inferred.
        centre: (2,) its centre in the plane.
        down: (2,) unit vector from its top to its bottom in the plane.
        quad: (4, 2) its own corners in the photo, px: top-left, top-right, bottom-right, bottom-left; may leave it.
        layer: Painting order: a card lies on those of lower layers that it overlaps.
        ranks: (k, 2) where the rank symbols of its k indices were seen, in the plane.
        disputed: Identities of which different opinions are sure; none where none disagree.
        is_doubted: Whether one corner in a single photo tells of it, and hardly: there rather is no card.
    """

    log_card: Array
    is_card: float
    indices: tuple[int, ...]
    centre: Array
    down: Array
    quad: Array
    layer: int = 0
    ranks: Array = field(default_factory=lambda: np.zeros((0, 2)))
    disputed: tuple[int, ...] = ()
    is_doubted: bool = False

    @property
    def best(self) -> Card:
        """The likeliest identity by the read alone."""
        return Card.from_index(int(self.log_card.argmax()))

    def belief(self) -> tuple[float, tuple[tuple[Card, float], ...]]:
        """Probability of the likeliest identity, and the next three with theirs, by the read alone."""
        chance = np.exp(self.log_card)
        first, *others = (int(c) for c in np.argsort(-chance)[:4])
        listed = tuple((Card.from_index(c), float(chance[c])) for c in others if chance[c] > 1e-5)
        return self.with_dispute(Card.from_index(first), float(chance[first]), listed)

    def with_dispute(
        self, card: Card, confidence: float, others: Sequence[tuple[Card, float]]
    ) -> tuple[float, tuple[tuple[Card, float], ...]]:
        """How sure an identity can be, and what else it may be: what opinions dispute is never sure."""
        if not self.disputed or confidence <= 1 - LEAST_DOUBT:
            return confidence, tuple(others)
        rivals = [Card.from_index(c) for c in self.disputed if Card.from_index(c) != card]
        rest = {rival: LEAST_DOUBT / len(rivals) for rival in rivals}
        listed = {**rest, **{other: chance for other, chance in others if other not in rest}}
        return 1 - LEAST_DOUBT, tuple(listed.items())


@dataclass(frozen=True, eq=False, slots=True)
class SeenBack:
    """One face-down card, or the top of a pile of them.

    Attributes:
        confidence: 0 to 1.
        centre: (2,) centre of the whole card in the plane.
        down: (2,) unit vector along its long side, from the free end.
        visible: Visible length along `down`, in card heights (1 is a whole card).
        quad: (4, 2) the whole card's outline in the photo, px.
    """

    confidence: float
    centre: Array
    down: Array
    visible: float
    quad: Array


@dataclass(frozen=True, eq=False, slots=True)
class SeenTable:
    """All that is seen on a table, in its plane.

    Attributes:
        size: Width and height of the photo, px.
        plane: Photo to plane.
        template: The deck's.
        cards: Face-up cards, the doubted ones last.
        backs: Face-down cards.
        rejected: Rows of detections that are no cards.
        count_backs: Looks again: strips (n, 4, 2) of the photo to `BackCounter.count`; None where there is no photo.
        is_seen_twice: Of several photos, whether (n,) two or more of them show a strip clearly; None for one photo.
        best_margins: Of several photos, each card's largest margin in any of them, see `margins`; None for one photo.
    """

    size: tuple[int, int]
    plane: Plane
    template: Template
    cards: tuple[SeenCard, ...]
    backs: tuple[SeenBack, ...] = ()
    rejected: tuple[int, ...] = ()
    count_backs: Callable[[Array], Array] | None = None
    is_seen_twice: Callable[[Array], NDArray[np.bool_]] | None = None
    best_margins: Array | None = None
    _kept: dict[Hashable, Any] = field(init=False, default_factory=dict, repr=False)

    def once(self, name: Hashable, make: Callable[[], Made]) -> Made:
        """The result of `make`, which is called once and kept under this name."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast(Made, self._kept[name])

    @property
    def firm(self) -> SeenTable:
        """The table without its doubted cards, of which each other one has the same number; it is made once."""
        kept = [card for card in self.cards if not card.is_doubted]
        return self if len(kept) == len(self.cards) else self.once("firm", lambda: self.with_cards(kept))

    def with_cards(self, kept: Sequence[SeenCard]) -> SeenTable:
        """The table with some of its cards only: what the others show is rejected."""
        gone = {row for card in self.cards if card not in kept for row in card.indices}
        return replace(self, cards=tuple(kept), rejected=tuple(sorted({*self.rejected, *gone}))) if gone else self

    @property
    def centres(self) -> Array:
        """(n, 2) centres of the cards in the plane."""
        return self._of_cards("centre", 2)

    @property
    def downs(self) -> Array:
        """(n, 2) downs of the cards in the plane."""
        return self._of_cards("down", 2)

    @property
    def log_card(self) -> Array:
        """(n, 52) identities of the cards."""
        return self._of_cards("log_card", 52)

    @property
    def outlines(self) -> Array:
        """(n, 4, 2) the cards' rectangles in the plane."""
        return rectangle(self.centres, self.downs, self.template.width, self.template.height)

    @property
    def margins(self) -> Array:
        """(n,) how far the cards lie from the edges of the photo, card widths; negative where they leave it.

        Of several photos the one counts that shows a card farthest from its edges: the map of them has edges of its
        own, which cut nothing off.
        """
        if self.best_margins is not None:
            return self.best_margins
        quads = self._of_cards("quad", 4, 2)
        if not len(quads):
            return np.zeros(0)
        width = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
        return np.asarray(np.minimum(quads, np.array(self.size) - quads).min((1, 2)) / width)

    @property
    def from_left(self) -> list[int]:
        """Rows of the cards from left to right in the photo."""
        return sorted(range(len(self.cards)), key=lambda row: float(self.cards[row].quad[:, 0].mean()))

    def _of_cards(self, name: str, *shape: int) -> Array:
        """One attribute of all cards as an array (n, *shape), made once and read-only."""

        def put_together() -> Array:
            array = np.array([getattr(card, name) for card in self.cards]).reshape(-1, *shape)
            array.flags.writeable = False
            return array

        return self.once(name, put_together)
