"""What a search for the moves between two photos holds: prices, events, and the states that it has reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from vision.history.table_state import FIRST_LABEL, Bindings, TableState, Turned


@dataclass(frozen=True, slots=True)
class MoveTuning:
    """How moves are weighed and searched.

    Attributes:
        move: Log-price of a move between columns and foundations.
        back: Of a card that comes back from a foundation, besides.
        split: Of a part of a run that moves, besides.
        detour: Of a move at a place that looks as it did, besides.
        draw: Of each card that was turned.
        uncovered: Of a card never seen that comes to the top of the waste as the one on it is played; where cards are
            turned one by one, it was turned between two photos.
        redeal: Of turning the waste over.
        none_under: Of cards that were turned three at a time and all played.
        turned_over: Of a waste that was turned over and of which nothing is drawn yet.
        waste_ignored: Of a waste that shows what cannot lie there.
        waste_reversed: Of a waste whose cards are read from the top to the bottom: of several that are fanned out, the
            photo may have taken the first for the last.
        against_told: Of a card on a waste of which somebody said that none lies there.
        most_moves: Moves between two photos, draws not counted.
        most_tries: States from which moves are tried; `most_tries_again` where that explains a photo badly.
        stalled_after: Tries after which no better state was found, and none is looked for any more.
        hopeless: No more than `most_tries` are made where the best state explains a photo so much worse than any could.
        badly_explained: A photo is explained badly where the best state explains it so much worse than any could.
        unlike: What a column or foundation counts at most that is not as it is seen, in the order of search.
        well_explained: It is explained well where that is less.
        many_moves: So many moves may be others that explain a photo as well, so the search for those goes on.
        other_origins: Cards at most that came from the waste unseen and are each looked for under columns, too.
        moved_labels: Columns at most whose first card, which nobody saw, went elsewhere before the first photo.
        plain: A card is plainly seen where its log-probability is higher.
        width: States that are kept.
        margin: States whose log-probability is lower than the best one's by more are given up.
        search_margin: No moves are tried from a state from which none can come nearer than so much to the best one.
        differs: A column differs from what is seen of it where it explains that so much worse than any could.
    """

    move: float = -1.5
    back: float = -4.0
    split: float = -1.0
    detour: float = -4.0
    draw: float = -0.3
    uncovered: float = -1.5
    redeal: float = -1.0
    none_under: float = -5.0
    turned_over: float = -4.5
    waste_ignored: float = -9.0
    waste_reversed: float = -5.0
    against_told: float = -30.0
    most_moves: int = 8
    most_tries: int = 80
    most_tries_again: int = 1000
    stalled_after: int = 600
    hopeless: float = 40.0
    badly_explained: float = 6.0
    unlike: float = 6.0
    well_explained: float = 0.7
    many_moves: int = 3
    other_origins: int = 3
    moved_labels: int = 2
    plain: float = -0.1
    width: int = 20
    margin: float = 12.0
    search_margin: float = 3.0
    differs: float = 2.5


TUNING: Final = MoveTuning()
Pile = TypeVar("Pile")
LOG_COUNTS: Final = tuple(log(max(52 - known, 1)) for known in range(53))
"""Logarithms of the numbers of cards that have been seen nowhere, by how many have been."""


class Event(NamedTuple):
    """Something that happened.

    Attributes:
        kind: `run` (column to column), `up` (column to foundation), `waste` (waste to column), `waste_up`, `back`
            (foundation to column), `turn` (the waste shows another card) or `redeal` (it shows none).
        source: Column or suit.
        target: Column.
        cards: Cards moved.
        card: The card that the waste shows or gives.
        turned: How it came to the top of the waste.
    """

    kind: str
    source: int = -1
    target: int = -1
    cards: int = 1
    card: int = -1
    turned: Turned | None = None


class Reached(NamedTuple):
    """A state that explains a photo.

    Attributes:
        score: Log-probability of the moves and of the photo.
        state: The state.
        events: What happened before it.
        bindings: Labels that turned out to be cards.
    """

    score: float
    state: TableState
    events: tuple[Event, ...]
    bindings: Bindings


class Node(NamedTuple):
    """A state that the search has reached.

    Attributes:
        price: Log-probability of the moves.
        state: The state.
        events: What happened before it.
        bindings: Labels that turned out to be cards.
        moved: Labels that are taken to go elsewhere, so none of them is what the photo shows in its column.
        told: For each card of which somebody said where it came from the labels that it may have had: none of those
            that come from the stock.
    """

    price: float
    state: TableState
    events: tuple[Event, ...] = ()
    bindings: Bindings = ()
    moved: tuple[int, ...] = ()
    told: Mapping[int, frozenset[int]] = MappingProxyType({})

    def may_be(self, label: int, card: int) -> bool:
        """Whether a label may turn out to be a card, by what was said of it."""
        return label in self.told.get(card, (label,))


class Differing(NamedTuple):
    """Columns and suits of which the photo shows something else than lies there, and the cards that it shows last."""

    columns: frozenset[int]
    suits: frozenset[int]
    tops: frozenset[int]


def bind(node: Node, label: int, card: int) -> Node | None:
    """The node in which a label is a card; None where that card lies elsewhere."""
    if label == card:
        return node
    if label < FIRST_LABEL or not node.state.is_unseen(card) or not node.may_be(label, card):
        return None
    state = node.state
    price = node.price - LOG_COUNTS[state.known.bit_count()]
    return Node(price, state.bound(label, card), node.events, (*node.bindings, (label, card)), node.moved, node.told)


def after_move(node: Node, price: float, state: TableState, event: Event) -> Node:
    """The node after one more event, which leads to a state at this log-price."""
    return Node(node.price + price, state, (*node.events, event), node.bindings, node.moved, node.told)


def put(piles: tuple[Pile, ...], place: int, pile: Pile) -> tuple[Pile, ...]:
    """The piles, or heights, with another one at a place."""
    return (*piles[:place], pile, *piles[place + 1 :])
