"""The legal moves that lead from one state of a table to what the next photo shows, the likely ones first.

The search goes from the state forwards, move by move. It tries only moves between places at which the photo shows
something else than lies there, so it needs few tries even for six moves. A card that nobody has seen takes its identity
when it is seen, or when it goes where only certain cards may go.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, islice, product
from math import exp, log
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from vision.history.sight import NO_CARD, STOCK, Belief, TableSight, likeliest
from vision.history.sight import TUNING as SIGHT
from vision.history.table_state import (
    COLUMNS,
    FIRST_LABEL,
    GAP,
    KINGS,
    MOST_KEPT,
    SUITS,
    Bindings,
    Cards,
    StockWaste,
    TableState,
    Turned,
    lies_on,
    may_carry,
    play_top,
    redealt,
    turn_to,
    turn_to_unseen,
    with_cards_below_top,
)


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
ANY: Final = -1
"""The bits of all cards."""
_LOG_COUNTS: Final = tuple(log(max(52 - known, 1)) for known in range(53))
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


class _Node(NamedTuple):
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


def find_moves(states: Sequence[TableState], sight: TableSight) -> list[list[Reached]]:
    """For each state before a photo the states that explain it, with the moves that lead there; the likeliest first.

    Args:
        states: What the table may have looked like before, the likeliest first. Where several differ in nothing but
            stock and waste, and know of the same cards, moves are searched for the first of them only, and tried with
            the others.
        sight: What the photo shows.
    """
    searched: dict[object, tuple[TableState, list[tuple[float, _Node]]]] = {}
    reached = []
    for state in states:
        board = state.down, state.up, state.heights, state.known
        if board not in searched:
            searched[board] = state, _search_all(state, sight) if not searched else _search(state, sight)
        first, found = searched[board]
        own = (
            found if state is first else [pair for score, node in found for pair in _rebase(first, state, score, node)]
        )
        reached.append(_complete_best(own, sight))
    return reached


def _complete_best(found: Sequence[tuple[float, _Node]], sight: TableSight) -> list[Reached]:
    best = max((score for score, _ in found), default=0.0)
    reached = [end for score, node in found if score >= best - TUNING.margin for end in _complete(node, score, sight)]
    reached.sort(key=lambda end: -end.score)
    return [end for end in reached if end.score >= reached[0].score - TUNING.margin]


def _rebase(old: TableState, new: TableState, score: float, node: _Node) -> Iterator[tuple[float, _Node]]:
    """The moves of a node with another stock and waste."""
    ways: list[tuple[float, StockWaste, tuple[Event, ...]]] = [(0.0, new.stock_waste, ())]
    own, own_price, known = old.stock_waste, 0.0, old.known
    for event in node.events:
        if event.kind not in ("waste", "waste_up"):
            ways = [(price, stock_waste, (*events, event)) for price, stock_waste, events in ways]
            continue
        is_new = not known >> event.card & 1
        ways = [
            (price + played.price, played.stock_waste, (*events, event._replace(turned=played.turned)))
            for price, stock_waste, events in ways
            for played in _play_waste(stock_waste, event.card, is_new)
        ][:3]
        same = next(played for played in _play_waste(own, event.card, is_new) if played.turned == event.turned)
        own, own_price = same.stock_waste, own_price + same.price
        known |= 1 << event.card
    for _, card in node.bindings:
        known |= 1 << card
    down, up, heights = node.state[:3]
    for price, stock_waste, events in ways:
        state = TableState(down, up, heights, stock_waste, known)
        off = price - own_price
        yield score + off, _Node(node.price + off, state, events, node.bindings, told=node.told)


def _search_all(state: TableState, sight: TableSight) -> list[tuple[float, _Node]]:
    """States that explain a photo but for its waste and for cards never seen before, with their log-probabilities."""
    found: list[tuple[float, _Node]] = sight.find_once(("moves", state), lambda: _search_thoroughly(state, sight))
    return found


def _search_thoroughly(state: TableState, sight: TableSight) -> list[tuple[float, _Node]]:
    best_possible = sight.best_possible
    limits = _Limits(TUNING.most_tries_again, sight.plausible)
    found = _search_with(state, sight, best_possible, limits)
    if unexplained(found[0][1].state, sight, best_possible) > TUNING.hopeless:
        return found
    for barred in _other_origins(state, found[0][1]):
        found += _search_with(state, sight, best_possible, limits._replace(not_from_waste=barred))
    left = unexplained(max(found, key=itemgetter(0))[1].state, sight, best_possible)
    if left > TUNING.badly_explained and sight.plausible != ANY:
        found += _search_with(state, sight, best_possible, limits._replace(plausible=ANY))
    return heapq.nlargest(TUNING.width, found, key=itemgetter(0))


def _other_origins(state: TableState, node: _Node) -> Iterator[int]:
    """Bits of cards that may have lain under columns, of those the waste gave unseen: all, and each choice of them."""
    cards = [event.card for event in node.events if _comes_unseen(state, event)]
    if cards:
        yield ANY
    few = cards[: TUNING.other_origins]
    for count in range(1, len(few) + 1):
        if count < len(cards):  # all are barred already
            yield from (sum(1 << card for card in chosen) for chosen in combinations(few, count))


def _search(state: TableState, sight: TableSight) -> list[tuple[float, _Node]]:
    """What few tries find of them."""
    limits = _Limits(TUNING.most_tries, sight.plausible)
    key = "few moves", state  # an answer about another photo asks for the same again
    found: list[tuple[float, _Node]] = sight.find_once(
        key, lambda: _search_with(state, sight, sight.best_possible, limits)
    )
    return found


def _bind_all_plain(found: Sequence[tuple[float, _Node]], sight: TableSight) -> list[tuple[float, _Node]]:
    """Nodes in which each label that photos plainly show is that card, one for each state; the likeliest first.

    Without this, one state would be found many times, with other labels left open each time.
    """
    best: dict[TableState, tuple[float, _Node]] = {}
    for _, node in found:
        bound = _bind_plain(node._replace(moved=()), sight, unless_misread=True)
        score = bound.price + sight.score(bound.state)
        if bound.state not in best or score > best[bound.state][0]:
            best[bound.state] = score, bound
    return sorted(best.values(), key=lambda pair: -pair[0])


def _comes_unseen(state: TableState, event: Event) -> bool:
    """Whether a card that nobody saw goes from the waste to a column or a foundation."""
    return event.kind in ("waste", "waste_up") and state.is_unseen(event.card)


class _Limits(NamedTuple):
    """What a search leaves out.

    Attributes:
        tries: States from which moves are tried.
        plausible: A bit for each card that may be laid on a column.
        not_from_waste: A bit for each card that does not go from the waste to columns and foundations if nobody saw it.
    """

    tries: int
    plausible: int
    not_from_waste: int = 0

    def allow(self, before: TableState, node: _Node) -> bool:
        """Whether the last move of a node is looked at."""
        event = node.events[-1]
        if _comes_unseen(before, event) and self.not_from_waste >> event.card & 1:
            return False
        if event.kind == "waste":
            return bool(self.plausible >> event.card & 1)
        if event.kind != "run" or self.plausible == ANY:
            return True
        cards = node.state.up[event.target][-event.cards :]
        return all(card >= FIRST_LABEL or self.plausible >> card & 1 for card in cards)


def unexplained(state: TableState, sight: TableSight, best_possible: float) -> float:
    """How much worse a state explains a photo than any could; that a card was never seen before is no fault of it."""
    labels = sum(len(sight.explain_column(k, state.up[k], len(state.down[k])).labels) for k in range(COLUMNS))
    return best_possible - sight.score(state) + labels * SIGHT.label


def contradicted_columns(state: TableState, sight: TableSight) -> list[int]:
    """The columns of which a photo shows something else than lies there, where it is explained badly."""
    best_possible = sight.best_possible
    if unexplained(state, sight, best_possible) <= TUNING.badly_explained:
        return []
    return sorted(_differing(state, sight, sight.score_columns(state)).columns)


def _weigh(state: TableState, sight: TableSight, scores: Sequence[float]) -> tuple[float, float]:
    """How well a state explains what is seen, but for its waste, and how far it is from it.

    A place that is quite different is no farther than one that needs a move: a run that moves on makes its first goal
    look worse before all is well.

    Args:
        state: The state.
        sight: What the photo shows.
        scores: How well each column explains it.
    """
    score, suits = sight.explain_foundations(state.heights)
    far = TUNING.unlike * len(suits)
    unlike = TUNING.unlike
    for own, best in zip(scores, sight.bests, strict=True):
        score += own
        off = best - own
        far += off if off < unlike else unlike
    return score, far


@dataclass(slots=True)
class _Frontier:
    """What a search has found, and what it tries next.

    Attributes:
        sight: What the photo shows.
        best_possible: No state explains it better.
        queue: Nodes from which no moves were tried yet, the most promising first.
        found: Nodes with their log-probabilities.
        prices: The best price of each state that was reached.
        best: The highest log-probability.
        tries: States from which moves were tried.
        best_at: After how many tries the best one was found.
    """

    sight: TableSight
    best_possible: float
    queue: list[tuple[float, int, _Node]] = field(default_factory=list)
    found: list[tuple[float, _Node]] = field(default_factory=list)
    prices: dict[TableState, float] = field(default_factory=dict)
    best: float = -1e9
    tries: int = 0
    best_at: int = 0

    def add(self, node: _Node, before: TableState | None = None, scores: Sequence[float] = ()) -> None:
        """Adds a node, unless its state was reached at a better price; the rest is as of `TableSight.score_columns`."""
        if node.price + self.best_possible < self.best - TUNING.margin:
            return  # nothing that follows is near the best one
        if node.price <= self.prices.get(node.state, -1e9):
            return
        self.prices[node.state] = node.price
        explained, far = _weigh(node.state, self.sight, self.sight.score_columns(node.state, before, scores))
        score = node.price + explained
        if score > self.best - TUNING.margin:
            self.found.append((score, node))
        if score > self.best:
            self.best, self.best_at = score, self.tries
        heapq.heappush(self.queue, (far - node.price, len(self.prices), node))

    def pop(self) -> _Node:
        """Takes the most promising node."""
        self.tries += 1
        return heapq.heappop(self.queue)[2]

    @property
    def likeliest(self) -> _Node:
        """The likeliest node."""
        return max(self.found, key=itemgetter(0))[1]

    @property
    def is_settled(self) -> bool:
        """Whether more tries are of no use: the photo is explained, or far from it, or long nothing better came."""
        if self.tries < TUNING.most_tries:
            return False
        if self.tries - self.best_at > TUNING.stalled_after:
            return True
        likeliest = self.likeliest
        left = unexplained(likeliest.state, self.sight, self.best_possible)
        if left < TUNING.well_explained:
            return len(likeliest.events) < TUNING.many_moves
        return left > TUNING.hopeless

    def list_likely(self) -> list[tuple[float, _Node]]:
        """The nodes that are kept, with their log-probabilities; the likeliest first."""
        near_best = [pair for pair in self.found if pair[0] > self.best - TUNING.margin]
        return _bind_all_plain(near_best, self.sight)[: TUNING.width]


def _search_with(
    state: TableState, sight: TableSight, best_possible: float, limits: _Limits
) -> list[tuple[float, _Node]]:
    """The states that a search within limits finds, with their log-probabilities; the likeliest first."""
    frontier = _Frontier(sight, best_possible)
    for start in _starts_of_search(state, sight):
        frontier.add(start)
    while frontier.queue and frontier.tries < limits.tries and not frontier.is_settled:
        node = frontier.pop()
        scores = sight.score_columns(node.state)
        differs = _differing(node.state, sight, scores)
        moves_left = -(-(len(differs.columns) + len(differs.suits)) // 2)
        if node.price + TUNING.move * moves_left + best_possible < frontier.best - TUNING.search_margin:
            continue
        if moves_left and len(node.events) < TUNING.most_moves:
            for after in _moves_of(node, differs):
                if limits.allow(node.state, after):
                    frontier.add(after, node.state, scores)
                    bound = _bind_plain(after, sight)
                    if bound is not after:
                        frontier.add(bound, node.state, scores)
    return frontier.list_likely()


def _starts_of_search(state: TableState, sight: TableSight) -> Iterator[_Node]:
    """The state itself, and those in which the first card of a few columns had gone before the photo."""
    first = _Node(0.0, state, told=_labels_told(state, sight))
    yield first
    labelled = [k for k, up in enumerate(state.up) if up and up[-1] >= FIRST_LABEL]
    for count in range(TUNING.moved_labels + 1):
        for moved in combinations(labelled, count):
            yield _bind_plain(first._replace(moved=tuple(state.up[k][-1] for k in moved)), sight)


def _labels_told(state: TableState, sight: TableSight) -> Mapping[int, frozenset[int]]:
    """For each card of which somebody said where it came from the labels that it may have."""
    return {
        card: frozenset() if column == STOCK else frozenset((*state.down[column], *state.up[column]))
        for card, column in sight.origins
    }


def _bind_plain(node: _Node, sight: TableSight, *, unless_misread: bool = False) -> _Node:
    """The node in which each label that the photo plainly shows is that card.

    Args:
        node: The node.
        sight: What the photo shows.
        unless_misread: Leaves out a card that the next photos do not show in that column, but others.
    """
    down, up, heights, stock_waste, known = node.state
    price, columns, bindings = node.price, list(up), list(node.bindings)
    moved, told = node.moved, node.told
    for k, cards in enumerate(up):
        if not cards or max(cards) < FIRST_LABEL:
            continue
        for label, card in _plain_labels(sight, k, cards, len(down[k]), unless_misread):
            if label in moved or known >> card & 1 or (told and not node.may_be(label, card)):
                continue
            price -= _LOG_COUNTS[known.bit_count()]
            known |= 1 << card
            columns[k] = tuple([card if other == label else other for other in columns[k]])
            bindings.append((label, card))
    if len(bindings) == len(node.bindings):
        return node
    state = TableState(down, tuple(columns), heights, stock_waste, known)
    return _Node(price, state, node.events, tuple(bindings), node.moved, node.told)


def _plain_labels(sight: TableSight, column: int, up: Cards, down: int, unless_misread: bool) -> Bindings:
    """The labels in a column that the photo plainly shows, with the cards that they are."""
    key = "plain labels", column, up, down, unless_misread
    found: Bindings = sight.find_once(key, lambda: _find_plain_labels(sight, column, up, down, unless_misread))
    return found


def _find_plain_labels(sight: TableSight, column: int, up: Cards, down: int, unless_misread: bool) -> Bindings:
    found = []
    for label, number in sight.explain_column(column, up, down).labels:
        belief = sight.columns[column].cards[number if sight.squared else min(up.index(label), number)]
        card = likeliest(belief)
        is_doubtful = unless_misread and _may_be_misread(card, belief, sight, column)
        if belief[card] > TUNING.plain and not is_doubtful:
            found.append((label, card))
    return tuple(found)


def _may_be_misread(card: int, belief: Belief, sight: TableSight, column: int) -> bool:
    """Whether the next photos show other cards in a column; where only the last card shows, one for which it passes."""
    later = sight.seen_later[column]
    if not later or card in later:
        return False
    return not sight.squared or any(belief[other] > SIGHT.unlikely for other in later)


class _Differing(NamedTuple):
    """Columns and suits of which the photo shows something else than lies there, and the cards that it shows last."""

    columns: frozenset[int]
    suits: frozenset[int]
    tops: frozenset[int]


def _differing(state: TableState, sight: TableSight, scores: Sequence[float]) -> _Differing:
    pairs = enumerate(zip(scores, sight.bests, strict=True))
    columns = frozenset([k for k, (own, best) in pairs if own < best - TUNING.differs])
    tops = frozenset(likeliest(sight.columns[k].cards[-1]) for k in columns if sight.columns[k].cards)
    return _Differing(columns, sight.explain_foundations(state.heights)[1], tops)


# --- moves -----------------------------------------------------------------------------------------------------------


def _moves_of(node: _Node, differs: _Differing) -> Iterator[_Node]:
    """The moves at places that differ from what is seen."""
    columns, suits, _ = differs
    for source in range(COLUMNS):
        if node.state.up[source]:
            yield from _up(node, source, columns, suits)
            yield from _runs(node, source, differs)
    for target in columns:
        yield from _waste_down(node, target, differs.tops)
        yield from _back(node, target, suits)
    for suit in suits:
        yield from _waste_up(node, suit)


def _price(*differs: bool) -> float | None:
    """The log-price of a move by which of its places differ from what is seen; None where none does."""
    return None if not any(differs) else TUNING.move + (0.0 if all(differs) else TUNING.detour)


def _bind(node: _Node, label: int, card: int) -> _Node | None:
    """The node in which a label is a card; None where that card lies elsewhere."""
    if label == card:
        return node
    if label < FIRST_LABEL or not node.state.is_unseen(card) or not node.may_be(label, card):
        return None
    state = node.state
    price = node.price - _LOG_COUNTS[state.known.bit_count()]
    return _Node(price, state.bound(label, card), node.events, (*node.bindings, (label, card)), node.moved, node.told)


def _after(node: _Node, price: float, state: TableState, event: Event) -> _Node:
    return _Node(node.price + price, state, (*node.events, event), node.bindings, node.moved, node.told)


def _without(state: TableState, source: int, count: int) -> TableState:
    """The state after a column's last cards have left; a card uncovered turns up."""
    up, down = state.up[source][:-count], state.down[source]
    if not up and down:
        up, down = down[-1:], down[:-1]
    downs = _put(state.down, source, down)
    return TableState(downs, _put(state.up, source, up), state.heights, state.stock_waste, state.known)


def _put(piles: tuple, place: int, pile: object) -> tuple:  # type: ignore[type-arg]
    return (*piles[:place], pile, *piles[place + 1 :])


def _up(node: _Node, source: int, columns: frozenset[int], suits: frozenset[int]) -> Iterator[_Node]:
    """A column's last card goes up."""
    last = node.state.up[source][-1]
    for suit in range(SUITS):
        height = node.state.heights[suit]
        price = _price(source in columns, suit in suits)
        if height == 13 or price is None:
            continue
        bound = _bind(node, last, 13 * suit + height)
        if bound is not None:
            state = _without(bound.state, source, 1)
            state = state._replace(heights=_put(state.heights, suit, height + 1))
            yield _after(bound, price, state, Event("up", source))


def _runs(node: _Node, source: int, differs: _Differing) -> Iterator[_Node]:
    """Cards go from a column to another."""
    up = node.state.up[source]
    for target in range(COLUMNS):
        price = _price(source in differs.columns, target in differs.columns)
        if target == source or price is None:
            continue
        for count in range(1, len(up) + 1):
            whole = count == len(up)
            if not node.state.up[target] and whole and not node.state.down[source]:
                continue  # from one empty column to the next
            for bound in _bound_to_fit(node, up[-count], target, differs.tops if count == 1 else frozenset()):
                down, ups, heights, stock_waste, known = bound.state
                ups = _put(ups, target, (*ups[target], *ups[source][-count:]))
                state = TableState(down, ups, heights, stock_waste, known)
                event = Event("run", source, target, count)
                yield _after(bound, price + (0.0 if whole else TUNING.split), _without(state, source, count), event)


def _bound_to_fit(node: _Node, card: int, target: int, tops: frozenset[int]) -> Iterator[_Node]:
    """The nodes in which a card may lie on a column: whatever of both is not known is what it must be.

    Where neither is known, the card is one of `tops`, which the photo shows where something else lay.
    """
    up = node.state.up[target]
    if not up:
        for king in KINGS:
            bound = _bind(node, card, king)
            if bound is not None:
                yield bound
        return
    last = up[-1]
    if card < FIRST_LABEL and last < FIRST_LABEL:
        if card in lies_on(last):
            yield node
        return
    if last < FIRST_LABEL:
        pairs = [(card, other) for other in lies_on(last)]
    elif card < FIRST_LABEL:
        pairs = [(last, other) for other in may_carry(card)]
    else:
        shown = [bound for top in tops if (bound := _bind(node, card, top)) is not None]
        for bound in shown:
            yield from _bound_to_fit(bound, bound.bindings[-1][1], target, frozenset())
        return
    for label, other in pairs:
        bound = _bind(node, label, other)
        if bound is not None:
            yield bound


class _Played(NamedTuple):
    """A way in which a card comes to the waste's top and leaves it.

    Attributes:
        price: Its log-probability, but for which of the unseen cards it is.
        stock_waste: Stock and waste without the card.
        turned: How it came to the top.
    """

    price: float
    stock_waste: StockWaste
    turned: Turned


@lru_cache(MOST_KEPT)
def _play_waste(stock_waste: StockWaste, card: int, is_new: bool) -> tuple[_Played, ...]:
    """The ways in which a card, a new one where nobody has seen it, comes to the waste's top and leaves it."""
    ways = []
    for turned in (turn_to_unseen if is_new else turn_to)(stock_waste, card):
        price = _price_turned(turned) + (_log_chance_to_come(turned) if is_new else 0.0)
        ways.append(_Played(price, play_top(turned.stock_waste), turned))
    return tuple(ways)


def _plays_from_waste(
    node: _Node, card: int, up: tuple[Cards, ...], heights: Cards, target: int = -1
) -> Iterator[_Node]:
    """The nodes in which a card of the waste was played, after which columns and foundations are these."""
    state = node.state
    is_new = state.is_unseen(card)
    if is_new and node.told.get(card):
        return
    price = node.price + TUNING.move - (_LOG_COUNTS[state.known.bit_count()] if is_new else 0.0)
    known, kind = state.known | 1 << card, "waste_up" if target < 0 else "waste"
    for played in _play_waste(state.stock_waste, card, is_new):
        after = TableState(state.down, up, heights, played.stock_waste, known)
        events = (*node.events, Event(kind, target=target, card=card, turned=played.turned))
        yield _Node(price + played.price, after, events, node.bindings, node.moved, node.told)


def _price_turned(turned: Turned) -> float:
    """The log-price of the draws that bring a card to the top of the waste."""
    draw = turned.stock_waste.draw
    uncovered = TUNING.uncovered if turned.uncovered and draw == 1 else 0.0
    return TUNING.draw * -(-turned.draws // draw) + TUNING.redeal * turned.redealt + uncovered


def _log_chance_to_come(turned: Turned) -> float:
    """Log-probability that draws, of which each shows another one, go on until one unseen card of the stock comes."""
    if turned.uncovered:
        return 0.0
    goes_on_no_more = log(1 - exp(TUNING.draw))
    return goes_on_no_more + _log_weight_of_draws(turned.stock_waste.unseen, turned.stock_waste.draw)


def _log_weight_of_draws(unseen: int, draw: int) -> float:
    """Log-weight of all numbers of draws after which one more card than so many unseen ones may lie on top."""
    draws = -(-(unseen + 1) // draw)
    again = exp(TUNING.draw)
    return log(again * (1 - again**draws) / (1 - again))


def _in_stock_waste(state: TableState, card: int) -> bool:
    return state.is_unseen(card) or card in state.stock_waste.waste or card in state.stock_waste.stock


def _waste_down(node: _Node, target: int, tops: frozenset[int]) -> Iterator[_Node]:
    """A card of the waste goes to a column."""
    for bound, card in _ready_for_waste(node, target, tops):
        up = bound.state.up
        yield from _plays_from_waste(bound, card, _put(up, target, (*up[target], card)), bound.state.heights, target)


def _ready_for_waste(node: _Node, target: int, tops: frozenset[int]) -> Iterator[tuple[_Node, int]]:
    """The cards of the waste that may go to a column; one that nobody saw there is what it must be to carry them."""
    up = node.state.up[target]
    if not up or up[-1] < FIRST_LABEL:
        yield from ((node, card) for card in (lies_on(up[-1]) if up else KINGS))
        return
    for card in tops:
        for other in may_carry(card):
            bound = _bind(node, up[-1], other)
            if bound is not None:
                yield bound, card


def _waste_up(node: _Node, suit: int) -> Iterator[_Node]:
    """A card of the waste goes to its foundation."""
    up, heights = node.state.up, node.state.heights
    height = heights[suit]
    if height < 13:
        yield from _plays_from_waste(node, 13 * suit + height, up, _put(heights, suit, height + 1))


def _back(node: _Node, target: int, suits: frozenset[int]) -> Iterator[_Node]:
    """A foundation's card comes back to a column."""
    state = node.state
    up = state.up[target]
    for suit in suits:
        card = 13 * suit + state.heights[suit] - 1
        if state.heights[suit] and up and up[-1] < FIRST_LABEL and card in lies_on(up[-1]):
            after = state._replace(
                heights=_put(state.heights, suit, state.heights[suit] - 1), up=_put(state.up, target, (*up, card))
            )
            yield _after(node, TUNING.move + TUNING.back, after, Event("back", suit, target))


# --- what the photo tells of cards that nobody had seen, and of the waste ---------------------------------------------


def _complete(node: _Node, score: float, sight: TableSight) -> Iterator[Reached]:
    """The node with what the photo shows of new cards and of the waste."""
    for bound_score, bound in _bind_seen(node, score, sight):
        for (
            waste_score,
            state,
            events,
        ) in _explain_waste(bound.state, sight, bound.events):
            yield Reached(bound_score + waste_score, state, (*bound.events, *events), bound.bindings)


def _candidates(belief: Belief, state: TableState, most: int = 4) -> list[tuple[float, int]]:
    """The likely identities of a card that was never seen before, with their log-probabilities."""
    open_ = ((belief[card], card) for card in range(FIRST_LABEL) if state.is_unseen(card))
    return heapq.nlargest(most, open_)


class _Binding(NamedTuple):
    """A label that may be a card.

    Attributes:
        score: Log-probability of it.
        label: The label.
        card: The card.
    """

    score: float
    label: int
    card: int


def _bind_seen(node: _Node, score: float, sight: TableSight) -> Iterator[tuple[float, _Node]]:
    """The likely identities of all labels that the photo shows."""
    state = node.state
    options = [
        _likely_bindings(node, sight, k, label, number)
        for k in range(COLUMNS)
        for label, number in sight.explain_column(k, state.up[k], len(state.down[k])).labels
    ]
    combined = sorted(islice(product(*options), 4000), key=lambda way: -_score_together(way))
    for way in combined[:6]:
        if len({binding.card for binding in way}) == len(way):
            yield score + _score_together(way), _with_bindings(node, way)


def _score_together(way: Sequence[_Binding]) -> float:
    return sum(binding.score for binding in way)


def _likely_bindings(node: _Node, sight: TableSight, column: int, label: int, number: int) -> list[_Binding]:
    """The cards that a label may be, seen as a column's card of that number; the likeliest first."""
    state = node.state
    belief = sight.columns[column].cards[number]
    likely = _candidates(belief, state)
    later = [card for card in sight.seen_later[column] if state.is_unseen(card)]
    likely += [(belief[card], card) for card in later if (belief[card], card) not in likely]
    taken = max(belief) + SIGHT.label
    new = log(max(state.unseen, 1))
    bindings = [_Binding(chance - taken - new, label, card) for chance, card in likely if node.may_be(label, card)]
    bindings.sort(reverse=True)
    return [binding for binding in bindings if binding.score > bindings[0].score - TUNING.margin]


def _with_bindings(node: _Node, way: Sequence[_Binding]) -> _Node:
    """The node in which labels are cards."""
    state = node.state
    for binding in way:
        state = state.bound(binding.label, binding.card)
    new = tuple((binding.label, binding.card) for binding in way)
    return node._replace(state=state, bindings=(*node.bindings, *new))


_Way = tuple[float, TableState, tuple[Event, ...]]


def _explain_waste(state: TableState, sight: TableSight, before: Sequence[Event]) -> Iterator[_Way]:
    """The ways in which the waste comes to show what is seen of it after some events."""
    waste = sight.waste
    if not waste:
        yield from _explain_no_waste(state, before, sight.no_waste)
        return
    yield sum(max(belief[NO_CARD], TUNING.waste_ignored) for belief in waste) + _waste_missed(state), state, ()
    ways = list(_explain_fan(state, waste, before))
    if len(waste) > 1:
        turned_round = _explain_fan(state, waste[::-1], before)
        ways += [(score + TUNING.waste_reversed, after, events) for score, after, events in turned_round]
    ways.sort(key=lambda way: -way[0])
    yield from ways[:6]


def _explain_fan(state: TableState, waste: Sequence[Belief], before: Sequence[Event]) -> Iterator[_Way]:
    """The ways in which the waste comes to show these cards, bottom to top."""
    *below, top = waste
    for chance, card in heapq.nlargest(4, ((chance, card) for card, chance in enumerate(top[:NO_CARD]))):
        if chance < max(top) - 9 or not _in_stock_waste(state, card):
            continue
        is_new = state.is_unseen(card)
        new = log(max(state.unseen, 1)) if is_new else 0.0
        for turned in (turn_to_unseen if is_new else turn_to)(state.stock_waste, card):
            shows = state.stock_waste.waste[-1:] == (card,)
            event = () if shows else (Event("turn", card=card, turned=turned),)
            price = chance - new + _price_turned(turned)
            if state.stock_waste.waste[-2:] == (card, GAP) and not turned.redealt:
                price += _price_closed(state.stock_waste, before)
            after = state._replace(stock_waste=turned.stock_waste, known=state.known | 1 << card)
            yield from _show_below(after, price, event, below)


def _price_closed(stock_waste: StockWaste, events: Sequence[Event]) -> float:
    """The log-price of no card lying in the last gap of the waste: all that were turned there were played.

    Each of them was weighed as if any number of draws had brought it, and one did.
    """
    turned = (event.turned for event in events if event.turned is not None)
    played = [t for t in turned if t.stock_waste.waste[:-1] == stock_waste.waste]
    uncovered = sum(turned.uncovered for turned in played)
    draws = max(len(played) - uncovered, 1)
    once = TUNING.draw - _log_weight_of_draws(stock_waste.unseen, stock_waste.draw)
    is_lacking = stock_waste.under and draws * (stock_waste.draw - 1) > uncovered
    return draws * once + (TUNING.none_under if is_lacking else 0.0)


def _waste_missed(state: TableState) -> float:
    """The log-price where no card of the waste is seen."""
    waste = state.stock_waste.waste
    return 0.0 if not waste else -0.7 if waste == (GAP,) else SIGHT.missed_top


def _show_below(state: TableState, price: float, event: tuple[Event, ...], below: list[Belief]) -> list[_Way]:
    """The way with the cards that show under the waste's top one; those that cannot lie there are left out."""
    if not below:
        return [(price, state, event)]
    cards = tuple(map(likeliest, below))
    best = (price + sum(belief[NO_CARD] for belief in below), state, event)
    for first in range(len(cards)):
        shown = with_cards_below_top(state.stock_waste, cards[first:], ~state.known)
        if shown is not None:
            stock_waste, new = shown
            known = state.known | sum(1 << card for card in set(cards[first:]))
            score = price - new * log(max(state.unseen, 1)) + sum(belief[NO_CARD] for belief in below[:first])
            score += sum(belief[card] for belief, card in zip(below[first:], cards[first:], strict=True))
            if score > best[0]:
                best = score, state._replace(stock_waste=stock_waste, known=known), event
    return [best]


def _explain_no_waste(state: TableState, before: Sequence[Event], is_told: bool) -> Iterator[_Way]:
    """No card of the waste is seen; `is_told` where somebody said that none lies there."""
    waste = state.stock_waste.waste
    if not waste:
        yield 0.0, state, ()
        return
    if waste == (GAP,):  # every card that was turned may have been played, where they were the first to be turned
        stock = (
            GAP,
            *(token for token in state.stock_waste.stock if token != GAP or state.stock_waste.stock[0] != GAP),
        )
        yield (
            _price_closed(state.stock_waste, before),
            state._replace(stock_waste=state.stock_waste._replace(waste=(), stock=stock)),
            (),
        )
    yield TUNING.against_told if is_told else SIGHT.missed_top, state, ()
    yield (
        TUNING.turned_over,
        state._replace(stock_waste=redealt(state.stock_waste)),
        (Event("redeal"),),
    )
