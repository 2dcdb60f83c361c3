"""The moves of a history as a record has them: positions before and after, and what each move uncovers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from plumbing.errors import CardsError
from solver.cards import Card, MaybeCard
from solver.klondike.house_rules import KlondikeRules
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.position import Column, Position
from solver.place import Place
from solver.record import Step, with_cards
from vision.history.search_node import Event
from vision.history.sight import TableSight
from vision.history.stock_order import Draws
from vision.history.table_state import FIRST_LABEL, GAP, TableState


def first_position(
    state: TableState, draws: Draws, bound: Mapping[int, int], rules: KlondikeRules, *, only_seen: bool = False
) -> Position:
    """The first table; `only_seen` without what was turned up later."""
    c, d, h, s = state.heights
    stock = tuple(None if only_seen else _card(card, {}) for card in draws.stock)
    return Position(_columns(state, bound), (c, d, h, s), stock, tuple(_card(card, {}) for card in draws.waste), rules)


def position_of(state: TableState, bound: Mapping[int, int], rules: KlondikeRules) -> Position:
    """A table by itself, with the cards that nobody saw in the stock."""
    c, d, h, s = state.heights
    waste, stock = (tuple(_card(card, {}) for card in pile if card != GAP) for pile in state.stock_waste[:2])
    return Position(_columns(state, bound), (c, d, h, s), (*stock, *[None] * state.stock_waste.unseen), waste, rules)


def _columns(state: TableState, bound: Mapping[int, int]) -> tuple[Column, ...]:
    return tuple(
        Column(tuple(_card(c, bound) for c in down), tuple(_card(c, bound) for c in up))
        for down, up in zip(state.down, state.up, strict=True)
    )


def _card(card: int, bound: Mapping[int, int]) -> MaybeCard:
    card = bound.get(card, card)
    return Card.from_index(card) if 0 <= card < FIRST_LABEL else None


def all_moves(events: Iterable[Event], counts: Iterator[int]) -> Iterator[Move]:
    """The moves of events one after the other; `counts` tells how often cards are turned before each that needs it."""
    for event in events:
        yield from _moves_of(event, next(counts) if event.turned is not None else 0)


def _moves_of(event: Event, draws: int) -> list[Move]:
    """The moves of an event, with so many draws before it."""
    moves = [DRAW] * draws
    source, target = Place("column", event.source), Place("column", event.target)
    match event.kind:
        case "run":
            moves.append(Move(source, target, event.cards))
        case "up":
            moves.append(Move(source, FOUNDATION))
        case "waste":
            moves.append(Move(WASTE, target))
        case "waste_up":
            moves.append(Move(WASTE, FOUNDATION))
        case "back":
            moves.append(Move(Place("foundation", event.source), target))
    return moves


def play_all(seen: Position, truth: Position, moves: Iterable[Move]) -> tuple[Position, Position, list[Step]]:
    """The positions after moves, as seen and as they were, and the steps; moves that cannot be are left out."""
    steps = []
    for move in moves:
        played = _played(seen, truth, move)
        if played is not None:
            seen, truth, cards = played
            steps.append(Step(move, cards))
    return seen, truth, steps


def _played(seen: Position, truth: Position, move: Move) -> tuple[Position, Position, tuple[MaybeCard, ...]] | None:
    """Both tables after a move and the cards that it turned up; None where it cannot be played.

    Nor can it be written down where it goes onto a card that nobody had seen by then: nobody could replay it.
    """
    paths = seen.turned_up(move)
    try:
        after = truth.play(move)
        cards = tuple(_at(truth, path) for path in paths)
        return with_cards(seen, dict(zip(paths, cards, strict=True))).play(move), after, cards
    except CardsError:
        return None


def _at(position: Position, path: str) -> MaybeCard:
    pile, *rest = path.split("/")
    if pile == "columns":
        column, _, number = rest
        return position.columns[int(column)].down[int(number)]
    card: MaybeCard = getattr(position, pile)[int(rest[0])]
    return card


def differs(position: Position, state: TableState) -> bool:
    """Whether a table is not the one that the history says."""
    columns = _columns(state, {})
    same = all(
        len(a.down) == len(b.down)
        and len(a.up) == len(b.up)
        and all(y is None or x == y for x, y in zip(a.up, b.up, strict=True))
        for a, b in zip(position.columns, columns, strict=True)
    )
    return not same or position.foundations != state.heights


def as_it_lies(truth: Position, state: TableState, sight: TableSight, hidden: set[int]) -> Position:
    """A photo's table: doubtful cards as `??`, and a card that is not turned up yet still face down.

    A column of which nothing is seen, no back either, holds a card that the photo missed.
    """
    columns, hides = [], sight.hides(state)
    for k, column in enumerate(truth.columns):
        down = tuple(None if card is not None and card.index in hidden else card for card in column.down)
        if hides[k] > len(state.down[k]):
            columns.append(Column((*down, *column.up), ()))
        else:
            columns.append(Column(down, column.up))
    return replace(with_waste_of(truth, state), columns=tuple(columns))


def with_waste_of(truth: Position, state: TableState) -> Position:
    """The table with the waste's top card that the history tells, where no way to turn the stock agrees with it."""
    waste = state.stock_waste.waste
    told = _card(waste[-1], {}) if waste else None
    shows = truth.waste[-1] if truth.waste else None
    if waste[-1:] == (GAP,) or told == shows:
        return truth
    lies = position_of(state, {}, truth.rules)
    return replace(truth, waste=lies.waste, stock=lies.stock)
