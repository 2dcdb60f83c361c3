"""What the page needs to know of a game: the type of `PAGE` in `webapp/games/<game>.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from solver.cards import Card
from solver.place import Place
from solver.position import Position
from webapp.jobs import Json

Rules = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A rule that people may have agreed on.

    Attributes:
        key: Its name in the position's `rules`.
        label: The question.
        options: Value and words; the first is the default.
        in_view: Whether it is always visible on the page, not behind a button.
    """

    key: str
    label: str
    options: tuple[tuple[Any, str], ...]
    in_view: bool = False


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A number in the table itself that a photo does not show, such as the redeals left.

    Attributes:
        key: What the board calls it.
        label: The question.
        field: Its name in the position's JSON.
        options: What may be chosen for a table, the default first.
        put: The table (its JSON) with another choice.
    """

    key: str
    label: str
    field: str
    options: Callable[[Json], Sequence[int]]
    put: Callable[[Json, int], Json]


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """A question that is asked once for a photo, because its rules depend on the answer.

    Attributes:
        text: The question.
        options: Name of a set of rules, and the answer that stands for it.
        is_unlike: Whether a table, its JSON, looks as if it lay under other rules than its own.
        text_if_unlike: The question then; it says why.
        matters: Whether the answer can matter at a table, its JSON.
    """

    text: str
    options: tuple[tuple[str, str], ...]
    is_unlike: Callable[[Json], bool] = lambda table: False
    text_if_unlike: str = ""
    matters: Callable[[Json], bool] = lambda table: True


@dataclass(frozen=True, slots=True)
class Simulation:
    """How often a game comes out.

    Attributes:
        labels: What is counted, one name a count.
        play: Plays `size` trials with a seed and gives the counts.
        note: What is played, in a sentence.
        exact: The exact shares, where they are known.
        more: What else is to be known of how it is played.
    """

    labels: tuple[str, ...]
    play: Callable[[int, int], Sequence[int]]
    note: str
    exact: Callable[[], Sequence[float]] | None = None
    more: str = ""


Compare = Callable[[Any, float, Callable[[Json], object]], Json]
"""Compares the legal moves of a position that hides cards, for so many seconds; tells now and then `{"deals": n}`.
Gives `moves`, the best first, each with `share`, its interval `low` to `high`, `undecided` and `n`; `by`, who plays on
after the move; of the one-deck Tomb also whether the rules settle the order of plays."""


@dataclass(frozen=True, slots=True)
class Playing:
    """How a table is played on where one card at a time comes up, in the view of `webapp.page.tomb`.

    Attributes:
        stock: The pile whose cards come up one by one.
        asked: The kinds of piles whose top card must be known, to be asked for where it is not.
        move: The move between two places, legal or not.
        home: How many cards of a position lie where all must end.
        unseen: The cards that the hidden ones of a position are, in no order.
        may_turn: Whether the next card of the stock may be turned, which then lies on it; None where each turn is a
            move by itself.
    """

    stock: Place
    asked: tuple[str, ...]
    move: Callable[[Place, Place], Any]
    home: Callable[[Any], int]
    unseen: Callable[[Any], Sequence[Card]]
    may_turn: Callable[[Any], bool] | None = None


def only_move(move: str) -> str:
    """The sentence for a move (given by its notation) that is the only one."""
    return "It is the only move."


@dataclass(frozen=True, slots=True)
class GamePage:
    """What the page knows of one game. Every part may be left out.

    Attributes:
        about: What kind of game it is, in a few words.
        warm_up: Tables that are answered at once, so that between them all of the solver is loaded and compiled.
        cards_may_be_unknown: Whether a card on the table may be one that nobody knows.
        rules: The rules there are to choose.
        presets: Sets of rules that have a name; they stand on the page instead of single rules.
        dealt_preset: Under which of them a fresh deal is laid; "" for the game's usual rules.
        question: What is asked once for a photo, or for a table that is laid by hand.
        table_choice: What there is to choose that is no rule.
        describe_rules: The rules of a table in words, from its `rules`; made of `rules` where None.
        complete: The position that a person typed, given with its text, with what that leaves out.
        rebalance: The position with as many unknown cards in the stock as lie nowhere else, after a card was changed.
        find_gaps: Where one card is missing in a pile, as the rules say: a place there, and for each card that it may
            be before which place that is put.
        hide: The table as its player sees it, without the names of cards that the player does not know.
        describe_turn: Says a move (its notation) that turns a card nobody has seen; "" for other moves.
        describe_only_move: Says why a move is the only one.
        is_played_on: Whether a table may be played on, in the game's own view unless it is told how: `playing`.
        playing: How it is played on in the view of `webapp.page.tomb`.
        compare: Compares moves while cards are hidden; None where that makes no sense.
        describe_tie: Says of a position why the first of equally good moves comes first, or "".
        describe_plan: Says the next of the moves that `compare` gives as `line`, and why that; takes the position, the
            moves, the `why` of the last one, and the position as its player knows it.
        mark_answer: The places of a table (its JSON) that an answer speaks of, and as what each is marked.
        simulation: How often the game comes out; None where that is not simulated.
    """

    about: str = ""
    warm_up: tuple[str, ...] = ()
    cards_may_be_unknown: bool = True
    rules: tuple[RuleChoice, ...] = ()
    presets: Mapping[str, Rules] = field(default_factory=dict)
    dealt_preset: str = ""
    question: RuleQuestion | None = None
    table_choice: TableChoice | None = None
    describe_rules: Callable[[Rules], str] | None = None
    complete: Callable[[Any, str], Position[Any]] = lambda position, line: position
    rebalance: Callable[[Any], Position[Any]] = lambda position: position
    find_gaps: Callable[[Any], Mapping[str, Mapping[str, str]]] = lambda position: {}
    hide: Callable[[Json], Json] = lambda table: table
    describe_turn: Callable[[str], str] = lambda move: ""
    describe_only_move: Callable[[str], str] = only_move
    is_played_on: bool = False
    playing: Playing | None = None
    compare: Compare | None = None
    describe_tie: Callable[[Any, Sequence[str]], str] = lambda position, moves: ""
    describe_plan: Callable[..., tuple[str, str]] | None = None
    mark_answer: Callable[[Json, Json], Mapping[str, str]] = lambda table, result: {}
    simulation: Simulation | None = None


def page_of(word: str) -> GamePage:
    """What the page knows of a game of `solver.games.COMMANDS`, by its word."""
    page: GamePage = import_module(f"webapp.games.{word}").PAGE
    return page
