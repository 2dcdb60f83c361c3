"""The most likely legal history of a table for all its photos together, and how likely each part of it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from math import exp
from operator import itemgetter
from typing import Final

import numpy as np

from vision.history.doubts import shown_cards, twin_of
from vision.history.hidden_counts import count_piles_once
from vision.history.moves_between import contradicted_columns, find_moves
from vision.history.search_node import Event, Reached
from vision.history.sight import TableSight
from vision.history.table_state import COLUMNS, FIRST_LABEL, Bindings, Cards, StockWaste, TableState


@dataclass(frozen=True, slots=True)
class LatticeTuning:
    """How histories are searched.

    Attributes:
        left_out: Log-price of a photo that tells nothing of the table.
        states: States that are kept after each photo.
        alike: Of them, states that differ in nothing but what lies under the waste's top card, and in the stock.
        others: States that are kept beside them where somebody said something of the game, the likeliest of each
            further set of cards that are known by then: what was said may tell that a photo was misread, and so many
            ways there are to hide what is hidden that all states would take it as read.
        margin: States whose best history is less likely by more are given up (logarithm).
        looks_ahead: So many photos after one tell what a card that it misread may be.
        edges: Ways from one state to another that are kept.
        own_share: How much a way counts beside all that lead through the same tables.
        miscounted: Log-price of a squared column that hides one card more or less than the history said: an early card
            lay under it that was told to come from the stock, or the other way round.
        given_up_after: Photos in a row that nothing explains, after which no further one is looked at.
        moved_before: Log-price of cards that were moved before a first photo of squared columns: nearly all such games
            are photographed from the deal on, and nothing shows what else they hide.
    """

    left_out: float = -48.0
    states: int = 40
    alike: int = 4
    others: int = 6
    margin: float = 12.0
    looks_ahead: int = 2
    edges: int = 6
    own_share: float = 0.01
    miscounted: float = -9.0
    given_up_after: int = 4
    moved_before: float = -3.2


TUNING: Final = LatticeTuning()


@dataclass(frozen=True, slots=True)
class Edge:
    """A way from a state before a photo to one that explains it.

    Attributes:
        before: Number of the state before.
        score: Log-probability.
        events: What happened.
        bindings: Labels that turned out to be cards.
        left_out: Whether the photo explains nothing.
        exchanged: Cards that the photo tells to be their twins, wherever they were placed without being seen.
    """

    before: int
    score: float
    events: tuple[Event, ...] = ()
    bindings: Bindings = ()
    left_out: bool = False
    exchanged: Cards = ()


@dataclass(slots=True)
class Node:
    """A state after a photo, with the likeliest way to it.

    Attributes:
        state: The state.
        edges: The ways to it.
        best: Log-probability of the likeliest of them.
        best_edge: Its last part.
        forward: Log-probability of all ways to it.
        backward: Log-probability of all that later photos show.
        group: The number of what it shows: nodes of one group differ in nothing but what lies under the waste's top.
        is_kept: Whether the next photos are searched from it. Where not, what they show counts as for its group.
    """

    state: TableState
    edges: list[Edge] = field(default_factory=list)
    best: float = -np.inf
    best_edge: Edge | None = None
    forward: float = -np.inf
    backward: float = -np.inf
    group: int = 0
    is_kept: bool = True


@dataclass(slots=True)
class Memory:
    """The states that were found after each photo, for a search that begins in the same way.

    Attributes:
        sights: What the photos showed.
        layers: The states after each photo; before the first, where it began.
        is_told: Whether somebody had said something of the game.
    """

    sights: list[TableSight] = field(default_factory=list)
    layers: list[list[Node]] = field(default_factory=list)
    is_told: bool = False
    _again: Memory | None = None
    _others: dict[str, Memory] = field(default_factory=dict)

    @property
    def again(self) -> Memory:
        """What was searched of the same photos once more, with what the first search told of them."""
        if self._again is None:
            self._again = Memory(list(self.sights), list(self.layers), self.is_told)
        return self._again

    def other(self, what: str) -> Memory:
        """What was searched of other photos, or of the same from other starts, by what is other about it."""
        return self._others.setdefault(what, Memory())

    def begin(self, sights: Sequence[TableSight], start: list[Node], is_told: bool) -> list[list[Node]]:
        """The layers that photos have in common with those that were searched, without what later photos said."""
        found = [start]
        if self.is_told != is_told:
            return found  # other states were kept
        if [(n.state, n.best) for n in start] == [(n.state, n.best) for layer in self.layers[:1] for n in layer]:
            for old, new, layer in zip(self.sights, sights, self.layers[1:], strict=False):
                if old != new:
                    break
                found.append([replace(node, backward=-np.inf) for node in layer])
        return found

    def share(self, sights: Sequence[TableSight]) -> list[TableSight]:
        """What photos show, with all that was found for it where it is as before."""
        kept = self.sights[: len(sights)]
        return [old if old == new else new for old, new in zip(kept, sights, strict=False)] + list(sights[len(kept) :])

    def keep(self, sights: Sequence[TableSight], layers: Sequence[list[Node]], is_told: bool) -> None:
        """Keeps what was searched."""
        self.sights, self.layers, self.is_told = list(sights), list(layers), is_told


@dataclass(frozen=True, slots=True)
class History:
    """The likeliest history.

    Attributes:
        layers: All histories that were kept: the states after each photo; before the first, where it began.
        path: The number of the state after each photo.
        edges: The ways between them.
        sights: What each photo shows, with what the others say of it.
    """

    layers: tuple[tuple[Node, ...], ...]
    path: tuple[int, ...]
    edges: tuple[Edge, ...]
    sights: tuple[TableSight, ...]

    def exchanged(self, card: int, other: int) -> History:
        """The history in which two cards lie where the other one lay."""
        return self._exchanged_before(len(self.edges), {card: other, other: card})

    def _exchanged_before(self, photo: int, swap: _Swap) -> History:
        """The history in which cards are others up to a photo, not counted."""
        earlier = tuple(tuple(_exchange_in_node(node, swap) for node in layer) for layer in self.layers[: photo + 1])
        edges = tuple(_exchange_in_edge(edge, swap) for edge in self.edges[:photo])
        return replace(self, layers=(*earlier, *self.layers[photo + 1 :]), edges=(*edges, *self.edges[photo:]))

    @property
    def states(self) -> tuple[TableState, ...]:
        """The state after each photo."""
        return tuple(layer[number].state for layer, number in zip(self.layers[1:], self.path[1:], strict=True))

    @property
    def start(self) -> TableState:
        """Where it began."""
        return self.layers[0][self.path[0]].state

    @property
    def score(self) -> tuple[int, float]:
        """How far it leads, and its log-probability: the higher one explains the photos better."""
        return len(self.edges), self.layers[-1][self.path[-1]].best

    def chance(self, photo: int, alike: Callable[[TableState], object]) -> float:
        """Probability of what the likeliest history says of a photo's state: of all that are alike in it."""
        nodes = self.layers[photo + 1]
        weights = np.array([node.forward + node.backward for node in nodes])
        if np.isneginf(weights.max()):
            return 0.0  # no way leads through these states to the last photo: nothing is sure of them
        weights = np.exp(weights - weights.max())
        own = alike(nodes[self.path[photo + 1]].state)
        same = np.array([alike(node.state) == own for node in nodes])
        return float(weights[same].sum() / weights.sum())

    def bindings(self) -> dict[int, dict[int, float]]:
        """For each label the cards that it may be, with their probabilities."""
        found: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for before, layer in zip(self.layers, self.layers[1:], strict=False):
            weights = [(before[e.before].forward + e.score + n.backward, e) for n in layer for e in n.edges]
            most = max(weight for weight, _ in weights)
            total = sum(exp(weight - most) for weight, _ in weights)
            for weight, edge in weights:
                for label, card in edge.bindings:
                    found[label][card] += exp(weight - most) / total
        return {label: dict(cards) for label, cards in found.items()}


def find_history(
    sights: Sequence[TableSight],
    starts: Iterable[tuple[float, TableState]],
    done: Callable[[], object] = lambda: None,
    memory: Memory | None = None,
) -> History:
    """The likeliest legal history; it ends early where it explains several photos in a row by nothing.

    Args:
        sights: What each photo shows, in the order of time.
        starts: States from which the first photo may be reached, with their log-probabilities.
        done: Called after each photo.
        memory: What was searched before; the photos of which nothing else is known now are not searched again.
    """
    kept = memory if memory is not None else Memory()
    sights = kept.share(_prepare_sights(sights))
    layer = [Node(state, best=score, forward=score) for score, state in starts]
    is_told = any(sight.is_told for sight in sights)
    layers = kept.begin(sights, layer, is_told)
    shown: frozenset[int] = frozenset()
    for number, sight in enumerate(sights):
        layer, shown_before = layers[number], shown
        shown |= shown_cards([sight])
        if number + 1 == len(layers):
            nodes = _next_layer(layer, sight, shown_before, first=not number)
            layers.append(_keep_likely(nodes, layer, shown, TUNING.others if is_told else 0))
        layer = layers[number + 1]
        done()
        if _is_given_up(layers):
            break
    kept.keep(sights, layers, is_told)
    for node in layer:
        node.backward = 0.0
    for before, after in zip(layers[-2::-1], layers[:0:-1], strict=True):
        if after is not layer:
            _share_backward(after)
        for node in after:
            for edge in node.edges:
                other = before[edge.before]
                other.backward = float(np.logaddexp(other.backward, edge.score + node.backward))
    return _best_history(layers, sights)


def _share_backward(layer: Sequence[Node]) -> None:
    """Gives nodes that were given up what later photos say of those that show the same.

    Without this, one of two readings of a card on the waste would be certain long after, when the last history with the
    other one is given up for want of room, though nothing speaks against it.
    """
    kept: dict[int, list[Node]] = defaultdict(list)
    for node in layer:
        if node.is_kept:
            kept[node.group].append(node)
    for node in layer:
        if not node.is_kept:
            own = [other.forward for other in kept[node.group]]
            with_later = [other.forward + other.backward for other in kept[node.group]]
            node.backward = float(np.logaddexp.reduce(with_later) - np.logaddexp.reduce(own))


def _prepare_sights(sights: Sequence[TableSight]) -> list[TableSight]:
    """What photos show, with what the others say of it."""
    counted = count_piles_once(sights)
    return [_with_later(counted, number) for number in range(len(counted))]


def _is_given_up(layers: Sequence[Sequence[Node]]) -> bool:
    """Whether the likeliest history leaves out so many of the last photos that it leads nowhere."""
    edge = max(layers[-1], key=lambda node: node.best).best_edge
    for layer in layers[-2 : -TUNING.given_up_after - 1 : -1]:
        if edge is None or not edge.left_out:
            return False
        edge = layer[edge.before].best_edge
    return len(layers) > TUNING.given_up_after


def _with_later(sights: Sequence[TableSight], number: int) -> TableSight:
    """What a photo shows, with the cards that the next photos show in each column."""
    following = sights[number + 1 : number + 1 + TUNING.looks_ahead]
    later = tuple(frozenset().union(*(sight.plain(k) for sight in following)) for k in range(COLUMNS))
    return replace(sights[number], seen_later=later)


def _next_layer(layer: Sequence[Node], sight: TableSight, shown: frozenset[int], first: bool) -> list[Node]:
    """The states after a photo; `shown` are the cards that photos before it show."""
    nodes: dict[TableState, Node] = {}
    most = max(node.best for node in layer)
    likely = [n for n, node in enumerate(layer) if first or (node.is_kept and node.best >= most - TUNING.margin)]
    told = shown_cards([sight])
    sources = [(n, way, cards) for n in likely for way, cards in _with_twins_told(layer[n].state, told, shown)]
    for (number, _, cards), ends in zip(sources, find_moves([way for _, way, _ in sources], sight), strict=True):
        for end in ends:
            is_moved = first and sight.squared and any(event.kind not in ("turn", "redeal") for event in end.events)
            score = end.score + TUNING.moved_before * is_moved
            _add(nodes, end.state, layer[number], Edge(number, score, end.events, end.bindings, exchanged=cards))
    if sight.squared and not first:
        _add_recounted(nodes, layer, sight)
    for number in likely if not first else ():
        _add(nodes, layer[number].state, layer[number], Edge(number, TUNING.left_out, left_out=True))
    return sorted(nodes.values(), key=lambda node: -node.best)


def _add_recounted(nodes: dict[TableState, Node], layer: Sequence[Node], sight: TableSight) -> None:
    """Adds states in which a column hid one card more or less than the likeliest history said, where that is at odds.

    Nothing shows how many cards squared columns hide before they are empty, so what was told wrong comes to light long
    after all that was as likely was given up.
    """
    if not nodes:
        return
    best = max(nodes.values(), key=lambda node: node.best)
    wrong = contradicted_columns(best.state, sight)
    if not wrong or best.best_edge is None:
        return
    number = best.best_edge.before
    states = [new for k in wrong for off in (1, -1) if (new := _recounted(layer[number].state, k, off)) is not None]
    for ends in find_moves(states, sight) if states else ():
        for end in ends:
            edge = Edge(number, end.score + TUNING.miscounted, end.events, end.bindings)
            _add(nodes, end.state, layer[number], edge)


def _recounted(state: TableState, column: int, off: int) -> TableState | None:
    """The state with one card more or less face down in a column, and in the stock instead; None where none can be."""
    stock_waste, down, up = state.stock_waste, list(state.down), list(state.up)
    if off > 0:
        if not stock_waste.unseen:
            return None
        label = 1 + max(FIRST_LABEL, *chain.from_iterable((*down, *up)))
        if up[column]:
            down[column] = (label, *down[column])
        else:
            up[column] = (label,)
    elif down[column]:
        down[column] = down[column][1:]
    else:
        return None
    stock_waste = stock_waste._replace(unseen=stock_waste.unseen - off)
    return state._replace(down=tuple(down), up=tuple(up), stock_waste=stock_waste)


def _keep_likely(nodes: Sequence[Node], before: Sequence[Node], shown: frozenset[int], most_others: int) -> list[Node]:
    """The likeliest nodes, of those that nothing shown so far tells apart the first; beside them `most_others`."""
    boards: dict[object, set[object]] = defaultdict(set)
    groups: dict[object, int] = {}
    kept: list[Node] = []
    others: list[Node] = []
    given_up: list[Node] = []
    known: set[int] = set()
    for node in nodes:
        if node.best < nodes[0].best - TUNING.margin and len(kept) + len(others) >= TUNING.states + most_others:
            break
        board, stock_waste = _with_lower_twins(node.state, shown)
        shows = board, stock_waste.waste[-1:]
        alike = boards[shows]
        if stock_waste in alike:
            continue
        node.group = groups.setdefault(shows, len(groups))
        alike.add(stock_waste)
        if len(kept) < TUNING.states and len(alike) <= TUNING.alike:
            kept.append(node)
        elif len(others) < most_others and node.state.known not in known:
            others.append(node)
        else:
            given_up.append(node)
            continue
        known.add(node.state.known)
    kept += others
    searched = {node.group for node in kept}
    given_up = [replace(node, is_kept=False) for node in given_up if node.group in searched]
    kept += given_up
    for node in kept:
        node.edges = sorted(node.edges, key=lambda edge: -edge.score - before[edge.before].forward)[: 4 * TUNING.edges]
        node.forward = float(np.logaddexp.reduce([before[e.before].forward + e.score for e in node.edges]))
    return kept


def _untold_twins(state: TableState, shown: frozenset[int]) -> list[int]:
    """The cards that were placed in columns without being seen, and may as well be their twins."""
    placed = (card for up in state.up for card in up if card < FIRST_LABEL and card not in shown)
    return [card for card in placed if state.is_unseen(twin_of(card))]


def _with_twins_told(
    state: TableState, told: frozenset[int], shown: frozenset[int]
) -> Iterator[tuple[TableState, Cards]]:
    """A state, and the same with its untold cards exchanged of which a photo shows either twin."""
    yield state, ()
    open_ = tuple(card for card in _untold_twins(state, shown) if card in told or twin_of(card) in told)
    choices = {open_, *((card,) for card in open_)} if open_ else set()
    for cards in sorted(choices):
        yield _exchange_in_state(state, {card: twin_of(card) for card in cards}), cards


def _with_lower_twins(state: TableState, shown: frozenset[int]) -> tuple[object, StockWaste]:
    """A state's board and its stock and waste, with the lower of two twins wherever nothing tells them apart."""
    lower = {card: min(card, twin_of(card)) for card in _untold_twins(state, shown)}
    return (state.down, tuple(_exchange(up, lower) for up in state.up), state.heights), state.stock_waste


def _add(nodes: dict[TableState, Node], state: TableState, before: Node, edge: Edge) -> None:
    node = nodes.setdefault(state, Node(state))
    node.edges.append(edge)
    if before.best + edge.score > node.best:
        node.best, node.best_edge = before.best + edge.score, edge


_Step = tuple[object, object]
"""A table, whatever lies hidden, and the one after it."""


def _weigh_steps(before: Sequence[Node], layer: Sequence[Node]) -> dict[_Step, float]:
    """Log-weights of the steps from table to table, whatever lies hidden, of all histories together."""
    weights: dict[_Step, float] = defaultdict(lambda: -np.inf)
    for node in layer:
        for edge in node.edges:
            step = before[edge.before].state.visible, node.state.visible
            weight = before[edge.before].forward + edge.score + node.backward
            weights[step] = float(np.logaddexp(weights[step], weight))
    return weights


def _value(
    edge: Edge, node: Node, before: Sequence[Node], values: Sequence[float], weights: Mapping[_Step, float]
) -> float:
    """What a way is worth: how likely all tables are through which it leads, and a little how likely it is itself."""
    step = before[edge.before].state.visible, node.state.visible
    return values[edge.before] + weights[step] + TUNING.own_share * edge.score


def _best_history(layers: Sequence[Sequence[Node]], sights: Sequence[TableSight]) -> History:
    """The history through the likeliest tables, each with all the ways that lead through it.

    One table may be reached in many ways of which none is likely, as the stock may lie in any order: so the likeliest
    single way may lead through a table that is not likely.
    """
    values = [0.0] * len(layers[0])
    chosen: list[list[Edge]] = []
    for before, layer in pairwise(layers):
        weights = _weigh_steps(before, layer)
        ways = [[(_value(edge, node, before, values, weights), edge) for edge in node.edges] for node in layer]
        best = [max(own, key=itemgetter(0)) for own in ways]
        values = [value for value, _ in best]
        chosen.append([edge for _, edge in best])
    number = max((n for n, node in enumerate(layers[-1]) if node.is_kept), key=lambda n: values[n])
    path, edges = [number], []
    for best_edges in chosen[::-1]:
        edges.append(best_edges[number])
        number = best_edges[number].before
        path.append(number)
    history = History(tuple(map(tuple, layers)), tuple(path[::-1]), tuple(edges[::-1]), tuple(sights))
    for photo in range(len(edges) - 1, -1, -1):
        for card in history.edges[photo].exchanged:
            history = history._exchanged_before(photo, {card: twin_of(card), twin_of(card): card})
    return history


# --- the exchange of two cards ----------------------------------------------------------------------------------------

_Swap = Mapping[int, int]


def _exchange(cards: Cards, swap: _Swap) -> Cards:
    return tuple(swap.get(card, card) for card in cards)


def _exchange_in_stock_waste(stock_waste: StockWaste, swap: _Swap) -> StockWaste:
    return stock_waste._replace(waste=_exchange(stock_waste.waste, swap), stock=_exchange(stock_waste.stock, swap))


def _exchange_in_state(state: TableState, swap: _Swap) -> TableState:
    gone = sum(1 << card for card in swap if state.known >> card & 1)
    come = sum(1 << other for card, other in swap.items() if state.known >> card & 1)
    up = tuple(_exchange(cards, swap) for cards in state.up)
    stock_waste = _exchange_in_stock_waste(state.stock_waste, swap)
    return state._replace(up=up, stock_waste=stock_waste, known=state.known & ~gone | come)


def _exchange_in_node(node: Node, swap: _Swap) -> Node:
    edges = [_exchange_in_edge(edge, swap) for edge in node.edges]
    return replace(node, state=_exchange_in_state(node.state, swap), edges=edges)


def _exchange_in_edge(edge: Edge, swap: _Swap) -> Edge:
    bindings = tuple((label, swap.get(card, card)) for label, card in edge.bindings)
    return replace(edge, bindings=bindings, events=tuple(_exchange_in_event(event, swap) for event in edge.events))


def _exchange_in_event(event: Event, swap: _Swap) -> Event:
    turned = event.turned
    if turned is not None:
        turned = turned._replace(stock_waste=_exchange_in_stock_waste(turned.stock_waste, swap))
    return event._replace(card=swap.get(event.card, event.card), turned=turned)


__all__ = ["Edge", "Event", "History", "Node", "Reached", "find_history"]
