"""Klondike on the page: its rules, which a photo does not show, and the best move while cards are face down."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from drawing.card_names import BACK
from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, KlondikeRules, Position, unseen_cards
from solver.klondike.plan import describe_plan
from solver.klondike.player import best_move_within
from solver.klondike.position import COLUMN_PLACES
from solver.klondike.unseen_cards import with_full_stock
from webapp.games.game import GamePage, RuleChoice, RuleQuestion, Rules, only_move
from webapp.jobs import Json

PRESETS: Final[Mapping[str, Rules]] = {
    "Turn 1": STANDARD_DRAW_1.to_json(),
    "Turn 3": STANDARD.to_json(),
    "Turn 1, move 1 card": ONE_CARD.to_json(),
}


def hide(table: Json) -> Json:
    """A table as its player sees it: face-down cards and the stock without their names."""
    columns = [column | {"down": [BACK] * len(column["down"])} for column in table["columns"]]
    return table | {"columns": columns, "stock": [BACK] * len(table["stock"])}


def complete(position: Position, line: str) -> Position:
    """The position of a typed line, with what it leaves out: a stock of what is missing, and the rules of most tables.

    >>> line = "klondike draw: 1; columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S7"
    >>> table = complete(Position.parse(line), line)
    >>> len(table.stock), PRESETS["Turn 1"] == table.rules.to_json()
    (4, True)
    """
    if not re.search(r"\bstock\W*:", line, re.IGNORECASE):
        position = with_full_stock(position)
    if re.search(r"\b(moves|column_moves|worrying_back)\W*:", line, re.IGNORECASE):
        return position
    return position.with_rules(replace(STANDARD, draw=position.rules.draw, redeals=position.rules.redeals))


def find_gaps(position: Any) -> dict[str, dict[str, str]]:
    """Where cards of a run are missing between two that are not: the place, and each card that may lie there."""
    gaps = unseen_cards.find_gaps(position).items()
    found = {f"{COLUMN_PLACES[column].path}/up/{at}": cards for (column, at), cards in gaps}
    return {place: {str(card): place for card in cards} for place, cards in found.items()}


def has_fan_of_three(table: Json) -> bool:
    """Whether a table of one card at a time shows three cards of the waste: so they lie who turns three at a time.

    >>> table = Position.parse("klondike draw: 1; columns: - | - | - | - | - | - | -; waste: 9C QH KD").to_json()
    >>> has_fan_of_three(table), has_fan_of_three(table | {"waste": ["9C"]})
    (True, False)
    """
    return table["rules"]["draw"] == 1 and len(table["waste"]) == 3


def turns_matter(table: Json) -> bool:
    """Whether it can matter how many cards are turned at a time: not where stock and waste hold one card, or none.

    >>> table = Position.parse("klondike draw: 1; columns: - | - | - | - | - | - | -; waste: 9C").to_json()
    >>> turns_matter(table), turns_matter(table | {"stock": ["QH"]})
    (False, True)
    """
    return len(table["stock"]) + len(table["waste"]) > 1


def describe_turn(move: str) -> str:
    """Says a move that turns the stock; "" for other moves."""
    return "turn the stock" if move == "draw" else ""


def describe_only_move(move: str) -> str:
    """Says why a move is the only one; a hint may tell of several turns, of which only the first is."""
    return "Only the stock can be turned now." if move == "draw" else only_move(move)


def compare(position: Any, seconds: float, emit: Callable[[Json], object]) -> Json:
    """Compares moves by the player that does not peek, as `webapp.games.game.Compare` says."""
    advice = best_move_within(position, seconds, progress=lambda n: emit({"deals": n}))
    rows = [move.to_json() for move in advice.moves] if advice.move is not None else []
    line = [str(move) for move in advice.line]
    return {"moves": rows, "by": "unseen", "line": line, "why": advice.why}


PAGE: Final = GamePage(
    about="the solitaire that most people know",
    warm_up=(
        "klondike columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12",
        "klondike draw: 3; moves: run; worrying_back: yes; columns: - | - | - | - | - | [KS] | [KH];"
        " foundations: C13 D13 H12 S12",
        "klondike draw: 3; moves: run; columns: ?? ?? ?? [KS] | - | - | - | - | - | -; foundations: C10 D10 H10 S10;"
        " stock: ?? ?? ?? ?? ?? ?? ?? ??",
    ),
    rules=(
        RuleChoice("draw", "Cards turned at a time", ((1, "1"), (2, "2"), (3, "3"))),
        RuleChoice(
            "redeals", "Times the waste may be turned over", ((None, "unlimited"), *((n, f"{n}") for n in range(4)))
        ),
        RuleChoice("column_moves", "Moves between columns", (("one", "one card"), ("run", "any part of a run"))),
        RuleChoice("worrying_back", "From a foundation back to a column", ((False, "no"), (True, "yes"))),
    ),
    presets=PRESETS,
    dealt_preset="Turn 3",
    question=RuleQuestion(
        "Do you turn one card or three?",
        (("Turn 1", "One card"), ("Turn 3", "Three cards")),
        has_fan_of_three,
        "Three cards lie fanned: do you turn one or three?",
        turns_matter,
    ),
    describe_rules=lambda rules: KlondikeRules.from_json(dict(rules)).describe(),
    complete=complete,
    rebalance=with_full_stock,
    find_gaps=find_gaps,
    hide=hide,
    describe_turn=describe_turn,
    is_played_on=True,
    compare=compare,
    describe_plan=describe_plan,
    describe_only_move=describe_only_move,
)
