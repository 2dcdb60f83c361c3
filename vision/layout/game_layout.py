"""What each game tells of how its tables are read: a `LAYOUT` in the module of its word, `vision/layout/<game>.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from solver.cards import Card
from solver.games import find_game
from solver.place import Place
from solver.position import Position
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.game_reading import GameReading
from vision.networks.table_layout import Layout

Hand = Sequence[Card] | None
"""The hand's cards if they are known from elsewhere."""


class Parse(Protocol):
    """Reads a table as a game's position."""

    def __call__(self, table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> GameReading:
        """The likeliest legal position.

        Args:
            table: What is seen.
            layout: What the network says of it.
            hand: The hand's cards where they are known from elsewhere; games without a hand do not look at them.
            decoding: Weigh reads with the rules; without it each card stays as read (the baseline in evaluations).
        """
        ...


class RulePenalty(Protocol):
    """How badly a table suits a game."""

    def __call__(self, table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> float:
        """Log-price of the rules that the likeliest position breaks, 0 or less."""
        ...


class Tells(Protocol):
    """How plainly a table shows a game by keeping its rules."""

    def __call__(self, table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> float:
        """Log-odds for the game, 0 or more."""
        ...


@dataclass(frozen=True, slots=True)
class GameLayout:
    """How tables of one game are read.

    Attributes:
        parse: Gives the likeliest legal position.
        rule_penalty: Tells how badly a table breaks the rules, for the choice of the game.
        tells: Tells what speaks for the game since no other table keeps its rules so; None where nothing does.
        always_penalised: Whether its rules count even where the network is sure of it.
        ruled: With more cards than these a broken rule speaks less against it: a card was misread rather than laid so.
        doubted: Whether cards that rather are none are read, too. Not where many lie face down: what is printed on
            backs may look like the corner of a card.
        columns: Which cards lie first in a column that may hide others, and the direction (2,) in which columns run;
            None for a game that hides none so.
        plan: What is known of a table that lies in a plan of this game which the network was not shown, from what the
            network says; None for any other table. Its columns hide what nobody sees.
        agree: What the network says once cards that lie in one pile agree; None where it is taken as it says it.
        house_rules: A position by the rules people play at home, from the places of the cards seen; None where there is
            nothing to choose.
        count_missing: How many cards a table of this game must have that lie nowhere on this one; None for a game of
            which any number of cards may be out of sight.
    """

    parse: Parse
    rule_penalty: RulePenalty
    tells: Tells | None = None
    always_penalised: bool = False
    ruled: int | None = None
    doubted: bool = False
    columns: Callable[[SeenTable, Layout], tuple[list[int], Array]] | None = None
    plan: Callable[[SeenTable, Layout], Layout | None] | None = None
    agree: Callable[[SeenTable, Layout], Layout] | None = None
    house_rules: Callable[[Any, Sequence[Place]], Position[Any]] | None = None
    count_missing: Callable[[SeenTable, Layout], int] | None = None


def layout_of(game: str) -> GameLayout:
    """The layout of a game. Raises NotationError for a word that is none."""
    layout: GameLayout = import_module(f"vision.layout.{find_game(game).word}").LAYOUT
    return layout
