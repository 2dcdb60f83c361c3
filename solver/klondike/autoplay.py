"""Moves that play themselves: by which nothing can be lost, and those that finish a game that is as good as won."""

from __future__ import annotations

from plumbing.errors import IllegalMoveError
from solver.klondike import kernels
from solver.klondike.encoding import LineBuilder, bit_of, home_cards, redeals_left
from solver.klondike.move import FOUNDATION, WASTE, Move
from solver.klondike.position import Position
from solver.numeric.jit import interpreted


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
    """A move to a foundation by which nothing can be lost; None where there is none.

    `kernels.safe` proves which cards no play can want any more. One of the waste is left there where taking it changes
    which of the others can be turned up: then when it is taken is a choice.

    >>> table = "columns: [4H] | - | - | - | - | - | -; foundations: C1 D0 H3 S0; waste: AS"
    >>> [str(find_safe_move(Position.parse(f"klondike draw: {draw}; {table}"))) for draw in (1, 3)]
    ['W>F', 'None']
    """
    cards = interpreted(kernels.safe)(home_cards(position), position.rules.worrying_back)
    has_order = interpreted(kernels.has_order)(position.rules.draw, redeals_left(position)[0])
    for move in position.moves():
        if move.target == FOUNDATION and not (has_order and move.source == WASTE):
            (card,) = position.carried(move)
            if card is not None and cards >> bit_of(card) & 1:
                return move
    return None
