"""Between the naive twin's tables and the solver's positions."""

from __future__ import annotations

from solver.cards import DECK, Card
from solver.klondike import Column, ColumnMoves, KlondikeRules, Position
from tests.naive import klondike as naive


def cards(pile: naive.Pile) -> tuple[Card, ...]:
    return tuple(DECK[number] for number in pile)


def numbers(pile: tuple) -> naive.Pile:
    return tuple(card.index for card in pile)


def position_of(table: naive.Table, rules: naive.Rules) -> Position:
    moves = ColumnMoves.RUN if rules.runs else ColumnMoves.ONE
    return Position(
        tuple(Column(cards(down), cards(up)) for down, up in table.columns),
        table.foundations,  # type: ignore[arg-type]
        cards(table.stock),
        cards(table.waste),
        KlondikeRules(rules.draw, rules.redeals, moves, rules.worrying_back),
        table.redealt,
    )


def table_of(position: Position) -> naive.Table:
    return naive.Table(
        position.foundations,
        tuple((numbers(column.down), numbers(column.up)) for column in position.columns),
        numbers(position.stock),
        numbers(position.waste),
        position.redealt,
    )


def naive_rules(rules: KlondikeRules) -> naive.Rules:
    return naive.Rules(rules.draw, rules.redeals, rules.column_moves is ColumnMoves.RUN, rules.worrying_back)


RULE_SETS = [
    naive.Rules(draw, redeals, runs, back)
    for draw, redeals in ((1, None), (2, None), (3, None), (1, 0), (2, 2), (3, 1))
    for runs in (True, False)
    for back in (True, False)
]
