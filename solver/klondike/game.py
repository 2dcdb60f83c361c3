"""A game of Klondike that is played: its moves, taken back and made again, and what its player has seen.

Cards that nobody has named, as in a game that goes on from a photo, are None until `Game.with_turned` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise
from random import Random
from typing import Any

from plumbing.errors import IllegalMoveError
from solver.cards import Card, MaybeCard
from solver.klondike import player
from solver.klondike.autoplay import find_safe_move
from solver.klondike.chances import completed
from solver.klondike.move import DRAW, WASTE, Move
from solver.klondike.position import COLUMN_PLACES, Position
from solver.place import Place
from solver.record import Record, Step


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress.

    Attributes:
        tables: The table as it was dealt, and after each move.
        moves: The moves.
        turns: How many moves each of the player's own turns took, with those that played themselves.
        taken_back: The moves of each turn that was taken back, the next to make again first.
        known: The deal as its player knew it; None where only what lies open was known.

    >>> game = begin(Position.parse("draw: 1; columns: ?? [8C] | [9H] | [2D] | - | - | - | -; foundations: C7 D1 H2"))
    >>> game = game.play(Move.parse("T1>T2"))
    >>> str(game.table.columns[1]), game.unnamed(), str(game.undo().table.columns[1])
    ('[9H 8C]', Place(kind='column', number=0), '[9H]')
    """

    tables: tuple[Position, ...]
    moves: tuple[Move, ...] = ()
    turns: tuple[int, ...] = ()
    taken_back: tuple[tuple[Move, ...], ...] = ()
    known: Position | None = None

    @property
    def table(self) -> Position:
        """The table as it lies now."""
        return self.tables[-1]

    def seen(self) -> Position:
        """The table as its player knows it: cards that never lay face up in this game are unknown, but for `known`."""
        *_, seen = self._seen_tables()
        return seen

    def _seen_tables(self) -> Iterator[Position]:
        """Each table as its player knew it then."""
        yield (seen := self.known or player.hide(self.tables[0]))
        for move, truth in zip(self.moves, self.tables[1:], strict=True):
            yield (seen := player.seen_after(seen, truth, move))

    def came_up(self) -> tuple[MaybeCard, ...]:
        """The cards that have come up in this game, the last one first.

        >>> deal = Position.parse("klondike draw: 3; columns: KH [AC] | - | - | - | - | - | -; stock: 2C 3C 4C")
        >>> [str(card) for card in begin(deal, map(Move.parse, ["T1>F", "draw"])).came_up()]
        ['2C', '3C', '4C', 'KH']
        """
        found: list[MaybeCard] = []
        for before, after in pairwise(self._seen_tables()):
            new = {*before.unseen()} - {*after.unseen()}
            found += reversed([card for card in after.cards() if card in new])
        return tuple(reversed(found))

    def unnamed(self) -> Place | None:
        """Where a card lies open that nobody has named yet: of a turn of the stock each card is seen."""
        if self.moves and self.moves[-1] == DRAW and self.tables[-2].turned_up(DRAW):
            return WASTE
        return find_unnamed(self.table)

    def last_named(self) -> Position:
        """The last table on which no open card waits for its name: of what lies on it one can ask if it is won.

        >>> game = begin(Position.parse("columns: ?? [8C] | [9H] | - | - | - | - | -")).play(Move.parse("T1>T2"))
        >>> str(game.last_named().columns[0])
        '?? [8C]'
        """
        return next((table for table in reversed(self.tables) if find_unnamed(table) is None), self.tables[0])

    def play(self, *moves: Move) -> Game:
        """The game after a turn: some moves, and what plays itself then.

        It ends where a move turns up a card that nobody has named, or the stock one that plays itself.

        Raises:
            IllegalMoveError: For a move that the rules refuse.
        """
        after, made = self.table, list[Move]()
        for move in moves:
            before, after = after, after.play(move)
            made.append(move)
            if before.turned_up(move) or (move == DRAW and find_safe_move(after) is not None):
                break
        return self.with_turn([*made, *_follows(after)])

    def with_turn(self, moves: Sequence[Move]) -> Game:
        """The game after moves that are taken back together. Raises IllegalMoveError."""
        tables = _played(self.table, moves)
        turns = (*self.turns, len(moves))
        return Game((*self.tables, *tables[1:]), (*self.moves, *moves), turns, known=self.known)

    def undo(self) -> Game:
        """The game without its last turn."""
        if not self.turns:
            return self
        *turns, size = self.turns
        taken_back = (self.moves[-size:], *self.taken_back)
        return replace(
            self, tables=self.tables[:-size], moves=self.moves[:-size], turns=tuple(turns), taken_back=taken_back
        )

    def redo(self) -> Game:
        """The game with the turn made again that was taken back last."""
        if not self.taken_back:
            return self
        return replace(self.with_turn(self.taken_back[0]), taken_back=self.taken_back[1:])

    def with_turned(self, card: Card) -> Game:
        """The game once it is told which card the last move turned up, the one on top first; nobody had seen it.

        What plays itself then belongs to the same turn.

        >>> from solver.cards import parse_card
        >>> table = Position.parse("draw: 1; columns: ?? [AD] | - | - | - | - | - | -; foundations: C13 D0 H13 S13")
        >>> game = begin(table).play(Move.parse("T1>F")).with_turned(parse_card("2D"))
        >>> game.table.foundations[1], game.turns
        (2, (2,))
        """
        *before, last = self.moves
        hidden = len(self.tables[-2].turned_up(last))
        step = Step(last, (*[None] * (hidden - 1), card))
        deal: Any = Record(self.tables[0], (*map(Step, before), step)).hindsight
        return self.with_deal(deal)

    def with_hidden_dealt(self, seed: int) -> Game:
        """The game once the cards that nobody has seen are dealt by chance; it goes on as `with_turned` does."""
        unseen = list(self.tables[0].unseen())
        Random(seed).shuffle(unseen)
        return self.with_deal(completed(self.tables[0], unseen))

    def with_unseen_again(self, cards: Iterable[Card]) -> Game:
        """The game in which it is open again how some cards lie, of which none has come up.

        The turn that was taken back last can be made again up to the card that it turns up, the others cannot.

        >>> table = Position.parse("draw: 1; columns: ?? ?? [KS] | - | - | - | - | - | -; foundations: C13 D12 H12 S12")
        >>> dealt = begin(table).play(Move.parse("T1>F")).with_hidden_dealt(5)
        >>> again = dealt.undo().with_unseen_again(table.unseen())
        >>> len(dealt.moves), again.table == table, len(again.redo().moves), again.redo().unnamed()
        (3, True, 1, Place(kind='column', number=0))
        """
        names: dict[Card, MaybeCard] = dict.fromkeys(cards)
        game = replace(self, tables=tuple(table.renamed(names) for table in self.tables), taken_back=())
        if not self.taken_back:
            return game
        return replace(game, taken_back=(game.play(*self.taken_back[0]).moves[len(game.moves) :],))

    def record(self) -> Record:
        """The game as its player saw it: cards that never came up are not known.

        >>> deal = "klondike draw: 1; moves: run; columns: 2D 2C [AC] | - | - | - | - | - | -; foundations: C0 D1"
        >>> [str(step) for step in begin(Position.parse(deal), map(Move.parse, ["T1>F", "T1>F"])).record().steps]
        ['T1>F = 2C', 'T1>F = 2D']
        """
        start = self.known or player.hide(self.tables[0])
        table: Any = start
        steps: list[Step] = []
        for move, truth in zip(self.moves, self.tables, strict=False):
            one = Record(table).append(move, truth)
            steps += one.steps
            table = one.positions[-1]
        return Record(start, tuple(steps))

    def with_deal(self, deal: Position) -> Game:
        """The game from a deal of which more or something else is known, with what plays itself at its end.

        It ends before the first turn that cannot be made any more. In the others, moves that cannot be are left out:
        what played itself was another card.

        >>> deal, other = (Position.parse(f"draw: 1; columns: {text}; stock: 9H {'?? ' * 21}") for text in (
        ...     "2D [AD] | [8C] | [9D] | - | - | - | -", "7S [AD] | [8C] | [9D] | - | - | - | -"))
        >>> game = begin(deal).play(Move.parse("T1>F")).play(Move.parse("T2>T3")).play(Move.parse("draw"))
        >>> game.turns, game.with_deal(other).turns, str(game.with_deal(other).table.columns[0])
        ((2, 1, 1), (1, 1, 1), '[7S]')
        """
        game, moves = replace(begin(deal), known=self.known), iter(self.moves)
        for size in self.turns:
            legal = tuple(_legal(game.table, tuple(islice(moves, size))))
            if not legal:
                break
            game = game.with_turn(legal)
        if not game.turns:
            return game
        after = game.with_turn(tuple(_follows(game.table)))
        *turns, size, more = after.turns
        return replace(after, turns=(*turns, size + more))


def begin(deal: Position, moves: Iterable[Move] = ()) -> Game:
    """A game from its deal, after some moves, of which each can be taken back. Raises IllegalMoveError."""
    made = tuple(moves)
    return Game(_played(_with_last_card(deal), made), made, (1,) * len(made))


def _with_last_card(deal: Position) -> Position:
    """The deal, in which a single card that nobody has named is the one that is left.

    >>> deal = "columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S11"
    >>> str(_with_last_card(Position.parse(deal)).columns[0])
    'QS [KS]'
    """
    unseen = deal.unseen()
    return completed(deal, list(unseen)) if len(unseen) == deal.cards().count(None) == 1 else deal


def _played(table: Position, moves: Iterable[Move]) -> tuple[Position, ...]:
    """A table, and what it is after each of some moves. Raises IllegalMoveError."""
    return tuple(accumulate(moves, Position.play, initial=table))


def _legal(table: Position, moves: Iterable[Move]) -> Iterator[Move]:
    """The first of some moves, up to one that the rules refuse."""
    for move in moves:
        try:
            table = table.play(move)
        except IllegalMoveError:
            return
        yield move


def _follows(table: Position) -> Iterator[Move]:
    """The moves that play themselves, up to a card that nobody has named."""
    while find_unnamed(table) is None and (safe := find_safe_move(table)) is not None:
        table = table.play(safe)
        yield safe


def find_unnamed(table: Position) -> Place | None:
    """Where a card lies open that nobody has named yet.

    >>> find_unnamed(Position.parse("columns: [KS] | ?? [??] | - | - | - | - | -; stock: ??"))
    Place(kind='column', number=1)
    """
    piles = {place: column.up for place, column in zip(COLUMN_PLACES, table.columns, strict=True)}
    return next((place for place, pile in (*piles.items(), (WASTE, table.waste)) if pile[-1:] == (None,)), None)
