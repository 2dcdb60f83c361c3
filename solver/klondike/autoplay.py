"""Moves that play themselves: by which nothing can be lost, and those that finish a game that is as good as won."""

from __future__ import annotations

from plumbing.errors import IllegalMoveError
from solver.cards import Suit
from solver.klondike.encoding import LineBuilder
from solver.klondike.move import Move
from solver.klondike.position import Position


def find_finish(position: Position) -> tuple[str, ...] | None:
    """The moves that finish the game once no card is face down; None if there are none.

    >>> find_finish(Position.parse("columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12"))
    ('T7>F', 'T6>F')
    """
    if any(column.down for column in position.columns) or None in position.cards():
        return None
    player = LineBuilder(position)
    try:
        player.finish()
    except IllegalMoveError:
        return None
    return tuple(map(str, player.moves))


def find_safe_move(position: Position) -> Move | None:
    """A move of a column's last card to its foundation by which nothing can be lost; None where there is none.

    Only a card of the other colour and one rank lower could ever want to lie on it. Once both of those are home, no
    play needs it in a column any more.

    >>> table = "klondike columns: [2C] | [3H] | - | - | - | - | -; foundations: C1 D0 H2 S0"
    >>> str(find_safe_move(Position.parse(table)))
    'T1>F'
    """
    for move in position.moves():
        if move.source.kind == "column" and move.target.kind == "foundation":
            card = position.columns[move.source.ordinal].up[-1]
            others = [
                height
                for suit, height in zip(Suit, position.foundations, strict=True)
                if card and suit.is_red != card.suit.is_red
            ]
            if card is not None and (card.rank <= 2 or min(others) >= card.rank - 1):
                return move
    return None
