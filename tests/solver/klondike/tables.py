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


LAST_OF_STOCK = (
    "klondike draw: 1; redeals: unlimited; moves: run; worrying_back: yes; columns: [KC] | ?? [TD] | ?? [3H 2C]"
    " | ?? ?? ?? [8S 7D 6S] | ?? ?? ?? [7H] | ?? ?? ?? ?? ?? [KD QS] | ?? ?? ?? ?? ?? [4H 3C];"
    " foundations: C0 D0 H1 S0; stock: ??; waste: 8H 9S 5D JC 2H 4S JD 9C QH 6D AS TC 3D 5C KH AD 2S 6H 7C 4D"
)
"""A table of which one card of the stock is not known yet: if it is the ace of clubs, that is good luck."""
