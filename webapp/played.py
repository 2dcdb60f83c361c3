"""A game that goes on from a table on which one card at a time comes up: its steps, taken back and made again.

A step is a move in the game's notation; the card that came up, as `=8C`; or `?7`: from there on chance deals what
nobody has seen, by that seed. Chance names a card only when it comes up: so no table of the game holds one that its
player has not seen, and no hint can peek. Does not use Streamlit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, Final

from drawing.boards import board
from drawing.card_names import BACK
from plumbing.errors import CardsError, IllegalMoveError
from solver import parse
from solver.cards import DECK, Card, parse_card
from solver.games import position_from_json
from solver.position import Position, pile_at
from webapp import edits
from webapp.games.game import Playing, page_of

NAMED: Final = "="
CHANCE: Final = "?"
MOST_STEPS: Final = 2000


@dataclass(frozen=True, slots=True)
class Played:
    """A game in progress.

    Attributes:
        line: The table that it began with.
        tables: That table as its player sees it, and the one after each step.
        steps: The steps.
        taken_back: The steps that were taken back, the next to make again last.
        dealt: The cards of the stock, where the table that it began with tells all cards.

    >>> game = begun("tomb_double tableau: 5C | 5H | QH | 6S; reserves: 8C | 9C | TD | KH").take("S>W1")
    >>> game.unnamed(), game.take("=9D").unnamed()
    ('wastes/0/0', None)
    """

    line: str
    tables: tuple[Position[Any], ...]
    steps: tuple[str, ...] = ()
    taken_back: tuple[str, ...] = ()
    dealt: tuple[Card, ...] = ()

    @property
    def table(self) -> Position[Any]:
        """The table as it lies now."""
        return self.tables[-1]

    @property
    def playing(self) -> Playing:
        """How its game is played on."""
        found = page_of(self.table.game).playing
        assert found is not None
        return found

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return sum(step[0] not in (NAMED, CHANCE) for step in self.steps)

    def unnamed(self) -> str | None:
        """The place on the board of a card that lies open and that nobody has named yet."""
        tops = (
            zone.spots[-1]
            for zone in board(self.table.to_json()).zones()
            if zone.kind in ("fixed", "slot") and zone.place.kind in self.playing.asked
        )
        return next((spot.path for spot in tops if spot.card == BACK), None)

    def can_turn(self) -> bool:
        """Whether the next card of the stock may be turned and waits on it for its name."""
        playing = self.playing
        is_hidden = pile_at(self.table, playing.stock)[:1] == (None,)
        return is_hidden and playing.may_turn is not None and playing.may_turn(self.table)

    def named(self, card: Card) -> Position[Any]:
        """The table with the card that came up named. Raises CardsError where it cannot be that one."""
        place = self.unnamed() or f"{self.playing.stock.path}/0"
        table = position_from_json(edits.change(self.table.to_json(), place, str(card)))
        if problems := table.problems():
            raise CardsError(problems[0])
        return table

    def take(self, step: str) -> Played:
        """The game after a step. Raises CardsError, and IllegalMoveError for a move that the rules do not allow."""
        if step.startswith(NAMED):
            after = self.named(parse_card(step.removeprefix(NAMED)))
        elif step.startswith(CHANCE):
            after = self.table
        else:
            move = next((move for move in self.table.moves() if str(move) == step), None)
            if move is None:
                raise IllegalMoveError(step, "there is no such move here")
            after = self.table.play(move)
        return replace(self, tables=(*self.tables, after), steps=(*self.steps, step), taken_back=())

    def go_on(self, step: str) -> Played:
        """The game after a step and what follows by itself: what chance names, and a turned card with one place."""
        game = self.take(step)
        if game.unnamed() is not None and (card := game.next_card()) is not None:
            game = game.take(f"{NAMED}{card}")
        return game._laid() if game.steps[-1].startswith(NAMED) else game

    def turn(self) -> Played | None:
        """The game after the next card of the stock was turned; None where a person has to tell which it is."""
        card = self.next_card()
        return None if card is None else self.go_on(f"{NAMED}{card}")

    def _laid(self) -> Played:
        """With the card that was turned on the stock laid where it goes, if there is one kind of place."""
        moves = [move for move in self.table.moves() if move.source == self.playing.stock]
        is_turned = self.playing.may_turn is not None and len({move.target.kind for move in moves}) == 1
        return self.take(str(moves[0])) if is_turned else self

    def next_card(self) -> Card | None:
        """The card that comes up next: as dealt, by chance, or the only one left; None where a person has to tell."""
        hidden = self.table.cards().count(None)
        if self.dealt:
            return self.dealt[self.tables[0].cards().count(None) - hidden]
        seed = next((step for step in reversed(self.steps) if step.startswith(CHANCE)), None)
        if seed is None:
            first = tuple(islice(self.possible(), 2))
            return first[0] if len(first) == 1 else None
        unseen = list(self.playing.unseen(self.table))
        Random(f"{seed} {hidden}").shuffle(unseen)
        return next(filter(self._fits, unseen), None)

    def possible(self) -> Iterator[Card]:
        """The cards that the one may be that comes up."""
        return filter(self._fits, DECK)

    def _fits(self, card: Card) -> bool:
        try:
            self.named(card)
        except CardsError:
            return False
        return True

    def undo(self) -> Played:
        """The game before the last tap: before the move, with what was named and laid after it."""
        game = self._back_to(max(0, len(self.steps) - 1))
        while game._is_midway():
            game = game._back_to(len(game.steps) - 1)
        return game

    def redo(self) -> Played:
        """The game with what the last `undo` took back made again."""
        game = self
        while game.taken_back and (game is self or game._is_midway()):
            *left, step = game.taken_back
            game = replace(game.take(step), taken_back=tuple(left))
        return game

    def restart(self) -> Played:
        """The game from its first table; what was played can be made again."""
        return self._back_to(0)

    def _back_to(self, kept: int) -> Played:
        back = (*self.taken_back, *reversed(self.steps[kept:]))
        return replace(self, tables=self.tables[: kept + 1], steps=self.steps[:kept], taken_back=back)

    def _is_midway(self) -> bool:
        """Whether the last step is only a part of what one tap does: a card waits for its name, or to be laid."""
        if not self.steps:
            return False
        if self.steps[-1].startswith(NAMED):
            return self._laid() is not self
        return self.steps[-1].startswith(CHANCE) or self.unnamed() is not None


def begun(line: str, steps: Iterable[str] = ()) -> Played:
    """The game of a table and its steps; cards of the stock that the table tells come up in that order.

    Raises:
        CardsError: For what is no table that can be played on, and for a step that is none.
    """
    table = parse(line)
    playing = page_of(table.game).playing
    if playing is None or table.problems():
        raise CardsError("this is no table that can be played on")
    dealt = pile_at(table, playing.stock) if table.is_known and None not in pile_at(table, playing.stock) else ()
    seen = position_from_json(page_of(table.game).hide(table.to_json())) if dealt else table
    game = Played(line, (seen,), dealt=dealt)
    for step in steps:
        game = game.take(step)
    return game
