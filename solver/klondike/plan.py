"""What to do next in Klondike, and why just that: words for the moves that lead to what a player aims at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate, repeat, takewhile

from solver.cards import MaybeCard
from solver.klondike.autoplay import find_safe_move
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.position import Position


def next_part(line: Sequence[str], seen: Position | None = None) -> Sequence[str]:
    """What of a line is done with one tap: the turns of the stock with which it begins, else its first move.

    They end with the first that shows what nobody has seen on a table, so that no new card is passed.

    >>> next_part(["draw", "draw", "W>F"]), next_part(["W>F", "T1>F"])
    (['draw', 'draw'], ['W>F'])
    >>> table = Position.parse("klondike draw: 1; columns: [9C] | - | - | - | - | - | -; stock: 4C ?? ??")
    >>> next_part(["draw"] * 3, table)
    ['draw', 'draw']
    """
    turns = next((number for number, move in enumerate(line) if move != "draw"), len(line))
    return line[: max((seen and _turns_to_unseen(seen, turns)) or turns, 1)]


def to_gain(line: Sequence[str]) -> Sequence[str]:
    """What of a line says why its `next_part` is done: up to the next move that takes no card back from a foundation.

    >>> to_gain(["draw", "W>F", "T1>F"]), to_gain(["F:H>T1", "F:D>T2", "T3>T1", "T3>F"]), to_gain(["T1>F", "T2>F"])
    (['draw', 'W>F'], ['F:H>T1', 'F:D>T2', 'T3>T1'], ['T1>F', 'T2>F'])
    """
    done = len(next_part(line))
    backs = sum(1 for _ in takewhile(_is_back, map(Move.parse, line[done:])))
    return line[: done + backs + 1]


def describe_plan(position: Position, line: Sequence[str], why: str, seen: Position | None = None) -> tuple[str, str]:
    """What to do next on the way to what a line ends with, as `next_part` says, and why just that.

    Args:
        position: The table; a card that nobody can name has to be told once it is turned, before anything else is done.
        line: The moves.
        why: What the last of them does, such as "plays home".
        seen: The table as its player knows it, where the program has dealt the cards and can name more.

    >>> table = Position.parse("klondike columns: ?? [9C] | [TH] | [KS] | - | - | - | -; stock: 4C QH; foundations: C3")
    >>> describe_plan(table, ["draw", "draw", "W>T3"], "makes a place")
    ('turn the stock twice', 'Then Q♥ goes on K♠. That makes a place.')
    >>> describe_plan(table, ["T1>T2:1"], "uncovers a card")
    ('9♣ goes on 10♥', 'It turns over the last hidden card of column 1.')
    >>> describe_plan(table, ["draw", "draw"], "shows what the stock holds")
    ('turn the stock twice', 'It shows what the stock holds. 4♣ comes up again, and can go home then.')
    >>> describe_plan(table, ["draw", "draw"], "", Position.parse(str(table).replace("4C QH", "?? ??")))[0]
    'turn the next card'
    >>> table = Position.parse("klondike draw: 3; columns: [9C] | - | - | - | - | - | -; stock: ?? ?? ?? ??")
    >>> describe_plan(table, ["draw", "draw"], "shows what the stock holds")
    ('turn the next 3 cards, then tell which they are', 'It shows what the stock holds.')
    >>> table = Position.parse("klondike draw: 1; columns: [9C] | - | - | - | - | - | -; stock: 4C QH ??")
    >>> describe_plan(table, ["draw", "draw", "draw"], "")[0]
    'turn the stock 3 times, then tell what comes up'
    >>> describe_plan(table, ["draw", "draw", "draw"], "")[1]
    'It shows what the stock holds. Nothing that comes up before can be played.'
    """
    moves = [Move.parse(move) for move in line]
    turns = len(next_part(line)) if moves[0] == DRAW else 0
    seen = position if seen is None else seen
    if unseen := _turns_to_unseen(seen, turns):
        later, passed = _say_later(seen, unseen), _say_passed(seen, unseen)
        return _say_unseen(position, unseen), f"It shows what the stock holds.{later}{passed}"
    turned = reduce(Position.play, moves[:turns], position)
    if not turns:
        return describe_play(turned, moves[0]), f"It {_say_why(turned, moves, why)}."
    what = _say_turns(position, turns)
    if turns == len(moves):
        return what, f"It {why}.{_say_later(seen, turns)}{_say_passed(seen, turns)}"
    then = f"Then {describe_play(turned, moves[turns])}. That {_say_why(turned, moves[turns:], why)}."
    return what, f"{then}{_say_passed(seen, turns)}"


def _say_later(seen: Position, turns: int) -> str:
    """Why cards that may go home before the last of some turns of the stock are passed; "" where none may or is lost.

    What goes home without harm is not passed where the game plays it, and a person who plays it loses nothing.

    >>> table = Position.parse("klondike draw: 3; columns: [9C] | - | - | - | - | - | -; foundations: H1; stock: ??; waste: 2H")
    >>> _say_later(table, 1)
    ' 2♥ comes up again, and can go home then.'
    >>> table = Position.parse("klondike draw: 1; columns: [9C] | - | - | - | - | - | -; foundations: C4; stock: 4H AH 5C ??")
    >>> _say_later(table, 4), _say_later(table, 1)
    (' 5♣ comes up again, and can go home then.', '')
    """  # noqa: E501
    if seen.rules.redeals is not None:
        return ""
    home = Move(WASTE, FOUNDATION)
    tables = accumulate(repeat(DRAW, turns - 1), Position.play, initial=seen)
    passing = (table for table in tables if home in table.moves() and find_safe_move(table) != home)
    passed = dict.fromkeys(_name(table.carried(home)[0]) for table in passing)
    return f" {' '.join(passed)} come{'s' * (len(passed) == 1)} up again, and can go home then." if passed else ""


def _say_passed(seen: Position, turns: int) -> str:
    """That no card that comes up before the last of some turns of the stock can be played; "" where one can, or none does.

    >>> table = Position.parse("klondike draw: 1; columns: [9C] | - | - | - | - | - | -; stock: 4C QH 8H JC; foundations: C0")
    >>> _say_passed(table, 3), _say_passed(table, 4), _say_passed(table, 1)
    (' Nothing that comes up before can be played.', '', '')
    """  # noqa: E501
    passing = [*accumulate(repeat(DRAW, turns - 1), Position.play, initial=seen)][1:]
    can_play = any(move.source == WASTE for table in passing for move in table.moves())
    return "" if can_play or not passing else " Nothing that comes up before can be played."


def _turns_to_unseen(position: Position, most: int) -> int:
    """How often the stock is turned until it shows a card that nobody can name; 0 where `most` turns show none.

    >>> table = Position.parse("klondike draw: 1; columns: [9C] | - | - | - | - | - | -; stock: 4C ?? ??")
    >>> [_turns_to_unseen(table, most) for most in (1, 2, 3)]
    [0, 2, 2]
    """
    for turns in range(1, most + 1):
        if position.turned_up(DRAW):
            return turns
        position = position.play(DRAW)
    return 0


def _say_unseen(position: Position, turns: int) -> str:
    """What to do up to a card that its player has not seen; who turns real cards has to tell which it is."""
    number, tells = min(position.rules.draw, len(position.stock)), bool(_turns_to_unseen(position, turns))
    if turns > 1 or not number:
        return f"{_say_turns(position, turns)}{', then tell what comes up' * tells}"
    if number == 1:
        return f"turn the next card{', then tell which one it is' * tells}"
    return f"turn the next {number} cards{', then tell which they are' * tells}"


def _say_turns(position: Position, turns: int) -> str:
    """How often the stock is turned, and after which turns the waste is turned over for that.

    >>> table = Position.parse("klondike draw: 3; columns: [9C] | - | - | - | - | - | -; stock: 4C AH AD ??; waste: 7S")
    >>> _say_turns(table, 2), _say_turns(table, 3)
    ('turn the stock twice', 'turn the stock 3 times (after 2 turn the waste over)')
    >>> table = Position.parse("klondike draw: 1; columns: [9C] | - | - | - | - | - | -; waste: 7S")
    >>> _say_turns(table, 1)
    'turn the waste over, then turn the stock'
    """
    first = -(-len(position.stock) // position.rules.draw)
    often = f"turn the stock{ {1: '', 2: ' twice'}.get(turns, f' {turns} times') }"
    if not first:
        return f"turn the waste over, then {often}"
    return often if turns <= first else f"{often} (after {first} turn the waste over)"


def describe_play(position: Position, move: Move) -> str:
    """A move by the cards that meet.

    >>> table = Position.parse("klondike columns: [KS] | [QH] | - | [AC] | - | - | -; foundations: C0")
    >>> [describe_play(table, Move.parse(move)) for move in ("T2>T1", "T4>F", "T1>T3")]
    ['Q♥ goes on K♠', 'A♣ goes to its foundation', 'K♠ goes to the empty column 3']
    """
    card = _name(position.carried(move)[0])
    if move.target.kind != "column":
        return f"{card} goes to its foundation"
    pile = position.columns[move.target.ordinal].up
    where = f"on {_name(pile[-1])}" if pile else f"to the empty column {move.target.ordinal + 1}"
    return f"{card} comes back from its foundation, {where}" if _is_back(move) else f"{card} goes {where}"


def _is_back(move: Move) -> bool:
    return move.source.kind == "foundation"


def _name(card: MaybeCard) -> str:
    return "??" if card is None else card.pretty


def _say_why(position: Position, moves: Sequence[Move], why: str) -> str:
    """What the first of some moves does, else what it is made for: what the last of them does."""
    move, *later = moves
    if own := _say_gain(position, move):
        return own
    if not later or later[-1] == DRAW:
        return why
    before = reduce(Position.play, moves[:-1], position)
    goal = _say_gain(before, later[-1]) or why
    backs = sum(1 for _ in takewhile(_is_back, moves))
    way = f"is one of {backs} cards that come back for this" if backs > 1 else "is on the way to this"
    return f"{way}: {describe_play(before, later[-1])}, and that {goal}"


def _say_gain(position: Position, move: Move) -> str:
    """What a move gains at once; "" where that is nothing."""
    home = "brings the win nearer" if move.target.kind == "foundation" else ""
    if move.source.kind != "column":
        return home
    name, column = f"column {move.source.ordinal + 1}", position.columns[move.source.ordinal]
    if move.count < len(column.up):
        return home
    hidden = len(column.down)
    if hidden > 1:
        gain = f"turns over a card of {name}, with {hidden - 1} more hidden card{'s' * (hidden > 2)} under it"
    elif hidden:
        gain = f"turns over the last hidden card of {name}"
    elif not home and not position.columns[move.target.ordinal].up:
        return ""  # a king that changes its place
    else:
        gain = f"leaves {name} empty for a king"
    return f"{home} and {gain}" if home else gain
