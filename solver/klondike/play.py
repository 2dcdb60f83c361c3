"""The text game: `python -m solver.klondike.play [--seed N] [--rules one-card|standard] [--record FILE]`.

Commands and rulings are those of the text game with which this project began. `hint`, `undo` and `save` were added,
`FT` where the rules let a card come back from a foundation, and moves as the notation writes them. Piles are numbered
from 1 for the person and from 0 in the functions here.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, count, zip_longest
from pathlib import Path
from random import Random
from typing import Final, TextIO

from plumbing.arguments import forgive_streams, seed_of, whole_number, written_file, wrong_usage
from plumbing.errors import CardsError, IllegalMoveError, NotationError, describe_fault
from plumbing.files import whole_file
from solver.cards import Card, Rank, Suit
from solver.klondike.game import begin
from solver.klondike.house_rules import MAX_DRAW, ONE_CARD, STANDARD, ColumnMoves, KlondikeRules
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.plan import describe_plan
from solver.klondike.player import best_move, hide, seen_after
from solver.klondike.position import COLUMNS, Position, fits, random_deal
from solver.place import Place
from solver.position import replaced
from solver.record import Record

FOUNDATIONS: Final = 4
FACE_DOWN: Final = "##"

COMMANDS: Final = {
    "SW": ((), "turn the stock's next card(s) to the waste; an empty stock takes the waste back first"),
    "WF": (("foundation",), "waste to foundation"),
    "WT": (("column",), "waste to column"),
    "TF": (("column", "foundation"), "last card of a column to foundation"),
    "TT": (("column", "column"), "from column to column"),
    "FT": (("foundation", "column"), "foundation back to column"),
    "HINT": ((), "the best move by what you see, and why; it knows no face-down card"),
    "UNDO": ((), "take the last move back"),
    "SAVE": (("file",), "save the game as a record, which python -m solver review FILE reads"),
    "H": ((), "show the commands, and how else moves may be written"),
    "R": ((), "start again with another deal"),
    "Q": ((), "quit"),
}
"""Command to what its arguments count and what it does."""
SIZES: Final = {"foundation": FOUNDATIONS, "column": COLUMNS}
WHEN_OVER: Final = ("R", "SAVE", "H", "Q")
ALSO_MOVES: Final = "Moves may also be written as in records: draw, W>F, W>T3, T3>F, T3>T5:2 (two cards)"


class CommandError(CardsError):
    """A command that cannot be carried out; nothing has changed."""


class TextGame:
    """A game in progress: the position, which suit each foundation has taken, and what can be undone.

    Args:
        rules: The rule parameters.
        seed: Same seed, same deals.
        record: Where the game is kept move by move; None for nowhere. Further deals are kept beside it.

    Attributes:
        unsaved: The games before this one that were played and not saved.
        saved_in: The files in which games were saved.

    >>> game = TextGame(ONE_CARD, seed=1)
    >>> len(game.position.stock), len(game.position.waste)
    (23, 1)
    """

    def __init__(self, rules: KlondikeRules, seed: int, record: Path | None = None) -> None:
        self.rules = rules
        self.unsaved: list[Record] = []
        self.saved_in: list[Path] = []
        self._random = Random(seed)
        self._record = record
        self._deal()

    def restart(self) -> None:
        """Shuffles and deals anew."""
        if not self.is_saved:
            self.unsaved.append(self.record())
        self._deal()

    def _deal(self) -> None:
        """Shuffles and deals; the first waste cards are turned at the deal."""
        self._start = random_deal(self._random, self.rules)
        self.position = self._start.play(DRAW)
        self._file: Path | None = None
        self.moves: tuple[Move, ...] = ()
        self._saved: tuple[Move, ...] = ()
        self.suits: tuple[Suit | None, ...] = (None,) * FOUNDATIONS
        self._past: list[tuple[Position, Position, tuple[Suit | None, ...], tuple[Move, ...]]] = []
        self._seen = hide(self.position)

    def carry_out(self, name: str, numbers: Sequence[int]) -> None:
        """Makes the move of a command. Raises CardsError where the rules refuse it; nothing has changed then.

        Args:
            name: The command's word, one of `SW` to `FT` in `COMMANDS`.
            numbers: The columns and foundations after it, counted from 0.
        """
        first, last = (*numbers, 0, 0)[:2]
        match name:
            case "SW":
                self._play(DRAW)
            case "WF":
                move = Move(WASTE, FOUNDATION)
                self._play(move, self._taken(first, self.position.waste[-1:], move))
            case "WT":
                self._play(Move(WASTE, Place("column", first)))
            case "TF":
                move = Move(Place("column", first), FOUNDATION)
                self._play(move, self._taken(last, self.position.columns[first].up[-1:], move))
            case "TT":
                self._play(Move(Place("column", first), Place("column", last), self._fitting(first, last)))
            case "FT":
                suit = self.suits[first]
                if suit is None:
                    raise CommandError(f"foundation {first + 1} is empty")
                self._play(Move(Place("foundation", suit), Place("column", last)))

    def make(self, move: Move) -> None:
        """Makes a move as the notation writes it. Raises CardsError where the rules refuse it."""
        self.position.play(move)  # a move that is refused is named as such
        carried = self.position.carried(move)
        slot = self._slot(carried[-1]) - 1 if move.target == FOUNDATION else 0
        self._play(move, self._taken(slot, carried, move) if move.target == FOUNDATION else None)

    def undo(self) -> None:
        """Takes the last move back."""
        if not self._past:
            raise CommandError("there is nothing to undo; the first draw belongs to the deal")
        self.position, self._seen, self.suits, self.moves = self._past.pop()

    # -- how games are kept --------------------------------------------------------------------------------------------

    @property
    def is_saved(self) -> bool:
        """Whether nothing is lost with this game: it is saved as it stands, or nothing was played."""
        return self.moves == self._saved

    def record(self) -> Record:
        """The game as its player saw it, from the deal; its first move is the draw that belongs to it."""
        return begin(self._start, (DRAW, *self.moves)).record()

    def save(self, file: Path) -> None:
        """Writes the record. Raises CommandError where that cannot be, or where another file would be lost."""
        if file != self._file and os.path.lexists(file):
            raise CommandError(f"{file} is there already; choose another name")
        try:
            with whole_file(file) as part:
                part.write_text(f"{self.record()}\n", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"not saved: {describe_fault(error)}") from error
        self.saved_in = list(dict.fromkeys([*self.saved_in, file]))
        self._file, self._saved = file, self.moves

    def keep(self) -> None:
        """Writes the record anew where the game is kept move by move. Raises CommandError as `save` does."""
        if self._record is not None and not self.is_saved:
            self.save(self._file or _free(self._record))

    @property
    def how_to_save(self) -> str:
        """How the game is saved, for a list of commands; empty where it is kept anyway."""
        return "" if self._record is not None else " SAVE FILE saves this one,"

    def hint(self) -> str:
        """What to do next, in words."""
        advice = best_move(self._seen)
        if advice.move is None:
            return f"Hint: {advice.why}"
        what, why = describe_plan(self.position, list(map(str, advice.line)), advice.why, self._seen)
        wins = f"{100 * advice.chance:.0f} of 100 such games are won"
        return f"Hint: {self.command_for(advice.move)} ({what}. {why} {wins})"

    def command_for(self, move: Move) -> str:
        """The command that makes a move.

        >>> TextGame(ONE_CARD, seed=1).command_for(DRAW)
        'SW'
        """
        match move.source.kind, move.target.kind:
            case "waste", "foundation":
                return f"WF {self._slot(self.position.waste[-1])}"
            case "waste", _:
                return f"WT {move.target.ordinal + 1}"
            case "column", "foundation":
                card = self.position.columns[move.source.ordinal].up[-1]
                return f"TF {move.source.ordinal + 1} {self._slot(card)}"
            case "column", _:
                return f"TT {move.source.ordinal + 1} {move.target.ordinal + 1}"
            case "foundation", _:
                return f"FT {self.suits.index(Suit(move.source.ordinal)) + 1} {move.target.ordinal + 1}"
        return "SW"

    # -- how moves are carried out -------------------------------------------------------------------------------------

    def _play(self, move: Move, suits: tuple[Suit | None, ...] | None = None) -> None:
        before = self.position, self._seen, self.suits, self.moves
        self.position = self.position.play(move)
        self._seen = seen_after(self._seen, self.position, move)
        heights = self.position.foundations
        # A foundation is bound to a suit only while it holds cards.
        self.suits = tuple(s if s is None or heights[s] else None for s in (suits or self.suits))
        self.moves = (*self.moves, move)
        self._past.append(before)

    def _taken(self, foundation: int, cards: Sequence[Card | None], move: Move) -> tuple[Suit | None, ...]:
        """The suit of each foundation once one of them has taken the card; whether its rank fits is left to `play`."""
        card = cards[0] if cards else None
        if card is None:
            return self.suits
        suit = self.suits[foundation]
        if suit is None and card.rank is not Rank.ACE:
            raise IllegalMoveError(move, f"foundation {foundation + 1} is empty and takes only an ace, not {card}")
        if suit is not None and suit is not card.suit:
            top = Card(suit, Rank(self.position.foundations[suit]))
            raise IllegalMoveError(move, f"{card} does not go on {top}: a foundation holds one suit")
        return replaced(self.suits, foundation, card.suit)

    def _fitting(self, source: int, target: int) -> int:
        """How many cards at a column's end fit on the other column; one where none do, or where runs do not move."""
        if self.rules.column_moves is ColumnMoves.RUN:
            last = self.position.columns[target].up[-1:]
            up = self.position.columns[source].up
            for count in range(1, len(up) + 1):
                card = up[-count]
                if card is not None and (fits(card, last[0]) if last and last[0] else card.rank is Rank.KING):
                    return count
        return 1

    def _slot(self, card: Card | None) -> int:
        suit = card.suit if card is not None else None
        return self.suits.index(suit if suit in self.suits else None) + 1


def carry_out(game: TextGame, line: str) -> str:
    """Carries out one line that a person typed; gives what to say besides the board.

    Raises:
        CardsError: With the reason, if the line cannot be carried out; the game has not changed.
    """
    move = _read_move(line)
    word, numbers = read_command(line, game.rules) if move is None else ("", [])
    if game.position.is_won and word not in WHEN_OVER:
        raise CommandError("the game is over; R starts another, Q quits")
    if word == "H":
        return help_text(game.rules)
    if word == "HINT":
        return game.hint()
    if word == "SAVE":
        game.save(file := _named_file(line.split(maxsplit=1)[1]))
        return f"Saved in {file}."
    if word == "UNDO":
        game.undo()
    elif word == "R":
        game.restart()
    elif move is not None:
        game.make(move)
    else:
        game.carry_out(word, numbers)
    return f"You have won! R starts another game,{game.how_to_save} Q quits." if game.position.is_won else ""


def read_command(line: str, rules: KlondikeRules) -> tuple[str, list[int]]:
    """The command of a line and its arguments, 0-based. Raises CommandError.

    >>> read_command(" tf  3 1 ", ONE_CARD)
    ('TF', [2, 0])
    """
    words = line.split()
    if not words:
        raise CommandError("no command; H shows the commands")
    name = words[0].upper()
    if name not in commands(rules):
        raise CommandError(f"{_quoted(words[0])} is no command; H shows the commands")
    kinds, _ = COMMANDS[name]
    if kinds == ("file",):
        if len(words) == 1:
            raise CommandError(f"{name} takes a file's name after it, such as {name} game.txt")
        return name, []
    if len(words) - 1 != len(kinds):
        wanted = " and ".join(f"a {kind} number" for kind in kinds) or "nothing"
        if kinds == ("column", "column"):
            wanted = f"two {kinds[0]} numbers"
        raise CommandError(f"{name} takes {wanted} after it, not {len(words) - 1} word{'s' * (len(words) != 2)}")
    numbers = []
    for kind, word in zip(kinds, words[1:], strict=True):
        if not re.fullmatch("[0-9]{1,9}", word):
            raise CommandError(f"{_quoted(word)} is no {kind} number")
        if not 1 <= int(word) <= SIZES[kind]:
            raise CommandError(f"there is no {kind} {int(word)}; {kind}s are 1 to {SIZES[kind]}")
        numbers.append(int(word) - 1)
    return name, numbers


def commands(rules: KlondikeRules) -> list[str]:
    """The commands that these rules know."""
    return [name for name in COMMANDS if name != "FT" or rules.worrying_back]


def help_text(rules: KlondikeRules) -> str:
    """All commands, one a line."""
    lines = []
    for name in commands(rules):
        kinds, what = COMMANDS[name]
        if kinds == ("file",):
            lines.append(f"  {name} FILE {what}")
            continue
        numbers = ["N"] if len(kinds) == 1 else [f"N{place}" for place in range(1, len(kinds) + 1)]
        ranges = ", ".join(f"{n} a {kind} 1-{SIZES[kind]}" for n, kind in zip(numbers, kinds, strict=False))
        usage = " ".join([name, *numbers[: len(kinds)]])
        lines.append(f"  {usage:9} {what}{f' ({ranges})' if ranges else ''}")
    return "\n".join(["Commands:", *lines, f"{ALSO_MOVES}."])


def _read_move(line: str) -> Move | None:
    """The move of a line that is written as in records; None where it is none."""
    try:
        return Move.parse(line)
    except NotationError:
        return None


def _named_file(text: str) -> Path:
    try:
        return written_file(text.strip()).expanduser()
    except (argparse.ArgumentTypeError, RuntimeError) as error:  # Python cannot tell the home of `~nobody`
        raise CommandError(str(error)) from error


def _free(file: Path) -> Path:
    """The file, or one beside it with a number in its name where it is there already."""
    numbered = (file.with_stem(f"{file.stem}-{number}") for number in count(2))
    return next(name for name in chain([file], numbered) if not os.path.lexists(name))


def say_where_saved(game: TextGame) -> str:
    """Where the games that were played are found again; those that were not saved are put among temporary files."""
    unsaved = [*game.unsaved, *([] if game.is_saved else [game.record()])]
    lines = []
    for record in unsaved:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix="klondike-", suffix=".txt", delete=False
        ) as file:
            file.write(f"{record}\n")
        lines.append(f"A game that was not saved is in {file.name} until the computer clears such files.")
    lines += [f"A game is saved in {file}." for file in game.saved_in]
    if unsaved:
        lines.append("SAVE FILE saves it elsewhere, --record FILE at each move.")
    return "\n".join([*lines, "python -m solver review FILE looks at it again."] if lines else [])


def board(game: TextGame, *, colour: bool = False) -> str:
    """The table as text: stock, waste and foundations above, columns below."""

    def show(card: Card | None) -> str:
        text = f"{FACE_DOWN if card is None else card!s:>4}"
        return f"\x1b[31m{text}\x1b[0m" if colour and card is not None and card.is_red else text

    position = game.position
    waste = "".join(map(show, position.waste[-3:])) or "  --"
    tops = [Card(suit, Rank(position.foundations[suit])) if suit is not None else None for suit in game.suits]
    foundations = "".join(f"  {place}:{show(top) if top else '  --'}" for place, top in enumerate(tops, start=1))
    lines = [
        f"Stock: {len(position.stock)} cards   Waste ({len(position.waste)}):{waste}",
        f"Foundations:{foundations}",
        "",
        "".join(f"{place:>4}" for place in range(1, COLUMNS + 1)),
    ]
    piles = [[show(None)] * len(column.down) + [show(card) for card in column.up] for column in position.columns]
    rows = ("".join(row).rstrip() for row in zip_longest(*piles, fillvalue="    "))
    return "\n".join([*lines, *rows])


def play(game: TextGame, source: TextIO, out: TextIO, *, colour: bool = False, prompt: str = "") -> None:
    """Reads commands until Q or the end of input; prints the board after each."""

    def say(text: str, end: str = "\n") -> None:
        out.write(text + end)
        out.flush()

    say(board(game, colour=colour))
    while True:
        say(prompt, end="")
        line = source.readline()
        if not line:
            return
        try:
            if line.strip().upper() == "Q":
                return
            message = carry_out(game, line)
            game.keep()
        except IllegalMoveError as error:
            say(f"Error: {error.reason}")
        except CardsError as error:
            say(f"Error: {error}")
        else:
            say("\n" + board(game, colour=colour) + (f"\n\n{message}" if message else ""))


def _quoted(word: str) -> str:
    return repr(word if len(word) <= 20 else word[:20] + "...")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the game; status 0 however it ends, 2 for wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m solver.klondike.play",
        description="Klondike in the terminal.",
        epilog="example: python -m solver.klondike.play --seed 7 --rules standard, the deal and the rules of "
        "`python -m solver klondike --deal 7`, with the stock turned once. Commands are short words such as TT 3 2; in "
        "the game, H shows them. SAVE FILE saves the game as a record, which `python -m solver review FILE` reads.",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**63 - 1),
        metavar="N",
        help="the same seed gives the same deals again (default: a new one)",
    )
    parser.add_argument(
        "--rules",
        choices=("one-card", "standard"),
        default="one-card",
        help="one-card: single cards move and never come back (default); standard: runs move, cards may come back",
    )
    parser.add_argument(
        "--draw",
        type=whole_number(1, MAX_DRAW),
        metavar="N",
        help="cards turned at a time (default: one-card 1, standard 3)",
    )
    parser.add_argument(
        "--record",
        type=written_file,
        metavar="FILE",
        help="keep the game there at each move, as a record; a further deal (R) in FILE-2, and so on",
    )
    args = parser.parse_args(argv)
    if args.record is not None and os.path.lexists(args.record):
        return wrong_usage(f"{args.record} is there already; choose another name, so that no game is lost")
    rules = ONE_CARD if args.rules == "one-card" else STANDARD
    if args.draw is not None:
        rules = KlondikeRules(args.draw, rules.redeals, rules.column_moves, rules.worrying_back)
    seed = seed_of(args)
    forgive_streams()
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    game = TextGame(rules, seed, args.record)
    try:
        print(f"Klondike, deal {seed}, with the stock turned once. H shows the commands.\n")
        with suppress(KeyboardInterrupt):
            play(game, sys.stdin, sys.stdout, colour=colour, prompt="\n> ")
        print(f"\n{say_where_saved(game)}", flush=True)
    except (KeyboardInterrupt, BrokenPipeError):
        # Leave quietly, and let nothing fail while the interpreter flushes what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
