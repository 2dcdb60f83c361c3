"""The most likely legal history of a table for all its photos together, and how likely each part of it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import Final

import numpy as np

from vision.history.moves_between import Event, Reached, find_moves
from vision.history.sight import TableSight
from vision.history.table_state import COLUMNS, Bindings, TableState


@dataclass(frozen=True, slots=True)
class LatticeTuning:
    """How histories are searched.

    Attributes:
        left_out: Log-price of a photo that tells nothing of the table.
        states: States that are kept after each photo.
        margin: States whose best history is less likely by more are given up (logarithm).
        looks_ahead: So many photos after one tell what a card that it misread may be.
        edges: Ways from one state to another that are kept.
    """

    left_out: float = -48.0
    states: int = 16
    margin: float = 12.0
    looks_ahead: int = 2
    edges: int = 6


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
    """

    before: int
    score: float
    events: tuple[Event, ...] = ()
    bindings: Bindings = ()
    left_out: bool = False


@dataclass(slots=True)
class Node:
    """A state after a photo, with the likeliest way to it."""

    state: TableState
    edges: list[Edge] = field(default_factory=list)
    best: float = -np.inf
    best_edge: Edge | None = None
    forward: float = -np.inf
    backward: float = -np.inf


@dataclass(frozen=True, slots=True)
class History:
    """The likeliest history.

    Attributes:
        layers: All histories that were kept: the states after each photo; before the first, where it began.
        path: The number of the state after each photo.
        edges: The ways between them.
    """

    layers: tuple[tuple[Node, ...], ...]
    path: tuple[int, ...]
    edges: tuple[Edge, ...]

    @property
    def states(self) -> tuple[TableState, ...]:
        """The state after each photo."""
        return tuple(layer[number].state for layer, number in zip(self.layers[1:], self.path[1:], strict=True))

    def chance(self, photo: int, alike: Callable[[TableState], object]) -> float:
        """Probability of what the likeliest history says of a photo's state: of all that are alike in it."""
        nodes = self.layers[photo + 1]
        weights = np.array([node.forward + node.backward for node in nodes])
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
    sights: Sequence[TableSight], starts: Iterable[tuple[float, TableState]], done: Callable[[], object] = lambda: None
) -> History:
    """The likeliest legal history.

    Args:
        sights: What each photo shows, in the order of time.
        starts: States from which the first photo may be reached, with their log-probabilities.
        done: Called after each photo.
    """
    sights = [_with_later(sights, number) for number in range(len(sights))]
    layer = [Node(state, best=score, forward=score) for score, state in starts]
    layers = [layer]
    for number, sight in enumerate(sights):
        layer = _next_layer(layer, sight, first=not number)
        layers.append(layer)
        done()
    for node in layer:
        node.backward = 0.0
    for before, after in zip(layers[-2::-1], layers[:0:-1], strict=True):
        for node in after:
            for edge in node.edges:
                other = before[edge.before]
                other.backward = float(np.logaddexp(other.backward, edge.score + node.backward))
    return _best_history(layers)


def _with_later(sights: Sequence[TableSight], number: int) -> TableSight:
    """What a photo shows, with the cards that the next photos show in each column."""
    following = sights[number + 1 : number + 1 + TUNING.looks_ahead]
    later = tuple(frozenset().union(*(sight.plain(k) for sight in following)) for k in range(COLUMNS))
    return replace(sights[number], seen_later=later)


def _next_layer(layer: Sequence[Node], sight: TableSight, first: bool) -> list[Node]:
    """The states after a photo."""
    nodes: dict[TableState, Node] = {}
    most = max(node.best for node in layer)
    likely = [number for number, node in enumerate(layer) if node.best >= most - TUNING.margin]
    for number, ends in zip(likely, find_moves([layer[n].state for n in likely], sight), strict=True):
        node = layer[number]
        for end in ends:
            edge = Edge(number, end.score, end.events, end.bindings)
            _add(nodes, end.state, node, edge)
        if not first:
            _add(nodes, node.state, node, Edge(number, TUNING.left_out, left_out=True))
    kept = sorted(nodes.values(), key=lambda node: -node.best)[: TUNING.states]
    for node in kept:
        node.edges = sorted(node.edges, key=lambda edge: -edge.score - layer[edge.before].forward)[: 4 * TUNING.edges]
        node.forward = float(np.logaddexp.reduce([layer[e.before].forward + e.score for e in node.edges]))
    return kept


def _add(nodes: dict[TableState, Node], state: TableState, before: Node, edge: Edge) -> None:
    node = nodes.setdefault(state, Node(state))
    node.edges.append(edge)
    if before.best + edge.score > node.best:
        node.best, node.best_edge = before.best + edge.score, edge


def _best_history(layers: Sequence[Sequence[Node]]) -> History:
    number = max(range(len(layers[-1])), key=lambda k: layers[-1][k].best)
    path, edges = [number], []
    for layer in layers[:0:-1]:
        edge = layer[number].best_edge
        assert edge is not None, "every state but the first ones was reached"
        number = edge.before
        path.append(number)
        edges.append(edge)
    return History(tuple(map(tuple, layers)), tuple(path[::-1]), tuple(edges[::-1]))


__all__ = ["Edge", "Event", "History", "Node", "Reached", "find_history"]
