"""The legal moves that lead from one state of a table to what the next photo shows, the likely ones first.

The search goes from the state forwards, move by move. It tries only moves between places at which the photo shows
something else than lies there, so it needs few tries even for six moves. A card that nobody has seen takes its identity
when it is seen, or when it goes where only certain cards may go.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple

from vision.history.legal_moves import moves_of
from vision.history.search_node import TUNING, Differing, Event, Node, Reached
from vision.history.seen_labels import bind_all_plain, bind_plain, bind_seen
from vision.history.sight import STOCK, TableSight, likeliest
from vision.history.sight import TUNING as SIGHT
from vision.history.table_state import COLUMNS, FIRST_LABEL, StockWaste, TableState
from vision.history.waste_plays import play_waste
from vision.history.waste_seen import explain_waste

ANY: Final = -1
"""The bits of all cards."""


def find_moves(states: Sequence[TableState], sight: TableSight) -> list[list[Reached]]:
    """For each state before a photo the states that explain it, with the moves that lead there; the likeliest first.

    Args:
        states: What the table may have looked like before, the likeliest first. Where several differ in nothing but
            stock and waste, and know of the same cards, moves are searched for the first of them only, and tried with
            the others.
        sight: What the photo shows.
    """
    searched: dict[object, tuple[TableState, list[tuple[float, Node]]]] = {}
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


def _complete_best(found: Sequence[tuple[float, Node]], sight: TableSight) -> list[Reached]:
    best = max((score for score, _ in found), default=0.0)
    reached = [end for score, node in found if score >= best - TUNING.margin for end in _complete(node, score, sight)]
    reached.sort(key=lambda end: -end.score)
    return [end for end in reached if end.score >= reached[0].score - TUNING.margin]


def _rebase(old: TableState, new: TableState, score: float, node: Node) -> Iterator[tuple[float, Node]]:
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
            for played in play_waste(stock_waste, event.card, is_new)
        ][:3]
        same = next(played for played in play_waste(own, event.card, is_new) if played.turned == event.turned)
        own, own_price = same.stock_waste, own_price + same.price
        known |= 1 << event.card
    for _, card in node.bindings:
        known |= 1 << card
    down, up, heights = node.state[:3]
    for price, stock_waste, events in ways:
        state = TableState(down, up, heights, stock_waste, known)
        off = price - own_price
        yield score + off, Node(node.price + off, state, events, node.bindings, told=node.told)


def _search_all(state: TableState, sight: TableSight) -> list[tuple[float, Node]]:
    """States that explain a photo but for its waste and for cards never seen before, with their log-probabilities."""
    found: list[tuple[float, Node]] = sight.find_once(("moves", state), lambda: _search_thoroughly(state, sight))
    return found


def _search_thoroughly(state: TableState, sight: TableSight) -> list[tuple[float, Node]]:
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


def _other_origins(state: TableState, node: Node) -> Iterator[int]:
    """Bits of cards that may have lain under columns, of those the waste gave unseen: all, and each choice of them."""
    cards = [event.card for event in node.events if _comes_unseen(state, event)]
    if cards:
        yield ANY
    few = cards[: TUNING.other_origins]
    for count in range(1, len(few) + 1):
        if count < len(cards):  # all are barred already
            yield from (sum(1 << card for card in chosen) for chosen in combinations(few, count))


def _search(state: TableState, sight: TableSight) -> list[tuple[float, Node]]:
    """What few tries find of them."""
    limits = _Limits(TUNING.most_tries, sight.plausible)
    key = "few moves", state  # an answer about another photo asks for the same again
    found: list[tuple[float, Node]] = sight.find_once(
        key, lambda: _search_with(state, sight, sight.best_possible, limits)
    )
    return found


def _complete(node: Node, score: float, sight: TableSight) -> Iterator[Reached]:
    """The node with what the photo shows of new cards and of the waste."""
    for bound_score, bound in bind_seen(node, score, sight):
        for (
            waste_score,
            state,
            events,
        ) in explain_waste(bound.state, sight, bound.events):
            yield Reached(bound_score + waste_score, state, (*bound.events, *events), bound.bindings)


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

    def allow(self, before: TableState, node: Node) -> bool:
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


def _differing(state: TableState, sight: TableSight, scores: Sequence[float]) -> Differing:
    pairs = enumerate(zip(scores, sight.bests, strict=True))
    columns = frozenset([k for k, (own, best) in pairs if own < best - TUNING.differs])
    tops = frozenset(likeliest(sight.columns[k].cards[-1]) for k in columns if sight.columns[k].cards)
    return Differing(columns, sight.explain_foundations(state.heights)[1], tops)


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
    queue: list[tuple[float, int, Node]] = field(default_factory=list)
    found: list[tuple[float, Node]] = field(default_factory=list)
    prices: dict[TableState, float] = field(default_factory=dict)
    best: float = -1e9
    tries: int = 0
    best_at: int = 0

    def add(self, node: Node, before: TableState | None = None, scores: Sequence[float] = ()) -> None:
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

    def pop(self) -> Node:
        """Takes the most promising node."""
        self.tries += 1
        return heapq.heappop(self.queue)[2]

    @property
    def likeliest(self) -> Node:
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

    def list_likely(self) -> list[tuple[float, Node]]:
        """The nodes that are kept, with their log-probabilities; the likeliest first."""
        near_best = [pair for pair in self.found if pair[0] > self.best - TUNING.margin]
        return bind_all_plain(near_best, self.sight)[: TUNING.width]


def _search_with(
    state: TableState, sight: TableSight, best_possible: float, limits: _Limits
) -> list[tuple[float, Node]]:
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
            for after in moves_of(node, differs):
                if limits.allow(node.state, after):
                    frontier.add(after, node.state, scores)
                    bound = bind_plain(after, sight)
                    if bound is not after:
                        frontier.add(bound, node.state, scores)
    return frontier.list_likely()


def _starts_of_search(state: TableState, sight: TableSight) -> Iterator[Node]:
    """The state itself, and those in which the first card of a few columns had gone before the photo."""
    first = Node(0.0, state, told=_labels_told(state, sight))
    yield first
    labelled = [k for k, up in enumerate(state.up) if up and up[-1] >= FIRST_LABEL]
    for count in range(TUNING.moved_labels + 1):
        for moved in combinations(labelled, count):
            yield bind_plain(first._replace(moved=tuple(state.up[k][-1] for k in moved)), sight)


def _labels_told(state: TableState, sight: TableSight) -> Mapping[int, frozenset[int]]:
    """For each card of which somebody said where it came from the labels that it may have."""
    return {
        card: frozenset() if column == STOCK else frozenset((*state.down[column], *state.up[column]))
        for card, column in sight.origins
    }
