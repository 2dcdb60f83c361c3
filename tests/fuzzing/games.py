"""Moves and lines falsified: the rules and the verifier refuse just what a naive twin refuses; and the text game."""

from __future__ import annotations

import random
from typing import Final
from unittest import mock

from plumbing.errors import CardsError, IllegalMoveError
from solver import tomb_double as double
from solver.klondike import ONE_CARD, STANDARD, Move, Position, best_move, play, random_deal
from solver.tomb_double.rules import Move as TombMove
from tests.corruptions import ATTEMPTS
from tests.fuzzing.text import mutated
from tests.naive import klondike as naive_klondike
from tests.naive import tomb_double as naive_tomb
from tests.solver.klondike.tables import naive_rules, table_of


def won_line(rng: random.Random) -> str | None:
    """Winning lines of all games, falsified: none passes the verifier that its twin does not find won."""
    return ATTEMPTS[rng.choice(tuple(ATTEMPTS))](rng)[1]


def klondike_line(rng: random.Random) -> str | None:
    """A random line of Klondike, corrupted: the rules refuse just what the twin refuses."""
    position = random_deal(rng.randrange(10**6), rng.choice((ONE_CARD, STANDARD)))
    table, twin_rules = table_of(position), naive_rules(position.rules)
    for _ in range(rng.randrange(1, 40)):
        moves = naive_klondike.successors(table, twin_rules)
        text = rng.choice(list(moves) or ["draw"])
        if rng.random() < 0.3:
            text = mutated(rng.choice((text, "W>F", f"T{rng.randrange(9)}>T{rng.randrange(9)}", "draw")), rng)
        try:
            position = position.play(Move.parse(text))
        except (CardsError, IllegalMoveError):
            if text in moves:
                return f"{text!r} is legal, but refused on {position}"
            continue
        said = text if text in moves else None
        if said is None:  # written another way, perhaps
            same = [move for move, after in moves.items() if after == table_of(position)]
            if not same:
                return f"{text!r} is illegal, but accepted; after it: {position}"
            said = same[0]
        table = moves[said]
        if table_of(position) != table:
            return f"after {text!r} the twin has another table than {position}"
    return None


def tomb_line(rng: random.Random) -> str | None:
    """The same for the two-deck tomb."""
    position = double.random_deal(rng.randrange(10**6))
    table = naive_tomb.table_of(position)
    for _ in range(rng.randrange(1, 40)):
        moves = naive_tomb.successors(table)
        text = rng.choice(list(moves))
        if rng.random() < 0.3:
            text = mutated(rng.choice((text, f"R{rng.randrange(6)}>W{rng.randrange(6)}", "W1>F", "C>T1")), rng)
        try:
            after = position.play(TombMove.parse(text))
        except (CardsError, IllegalMoveError):
            if text in moves:
                return f"{text!r} is legal, but refused on {position}"
            continue
        if text not in moves and naive_tomb.table_of(after) not in moves.values():
            return f"{text!r} is illegal, but accepted on {position}"
        position, table = after, naive_tomb.table_of(after)
        if text in moves and moves[text] != table:
            return f"after {text!r} the twin has another table than {position}"
    return None


WORDS: Final = (*play.COMMANDS, "SW", "SW", "SW", "TF", "TT", "0", "1", "2", "3", "7", "8", "9" * 20, "-1", "")


def text_game(rng: random.Random) -> str | None:
    """Lines typed into the text game: an error changes nothing, and all cards stay on the table."""
    game = play.TextGame(rng.choice((ONE_CARD, STANDARD)), rng.randrange(10**6))
    for _ in range(rng.randrange(1, 60)):
        line = " ".join(rng.choices(WORDS, k=rng.randrange(4)))
        line = mutated(line, rng) if rng.random() < 0.1 else line
        before = game.position, game.suits
        try:
            with mock.patch.object(play, "best_move", lambda seen: best_move(seen, 200)):  # a hint in a moment
                said = play.carry_out(game, line) if play.read_command(line, game.rules)[0] != "Q" else ""
        except CardsError as error:
            if not str(error) or (game.position, game.suits) != before:
                return f"{line!r} is refused with {str(error)!r}, and the game has changed"
            continue
        board = play.board(game) + said
        cards = [card for card in game.position.cards() if card is not None]
        if len(cards) != 52 or len(set(cards)) != 52 or "\x00" in board:
            return f"after {line!r} the cards are {game.position}"
        if Position.parse(str(game.position)) != game.position:
            return f"after {line!r} the position does not read back"
    return None
