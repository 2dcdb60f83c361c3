"""Klondike on the page: its rules, which a photo does not show, and the best move while cards are face down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from drawing.card_names import BACK
from solver.cards import RANK_CHARS
from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, KlondikeRules
from webapp.games.game import GamePage, RuleChoice, RuleQuestion, Rules
from webapp.jobs import Json
from webapp.klondike_plan import describe_plan

DECK_CARDS: Final = 52
MOST_STOCK_CARDS: Final = 24
"""Of stock and waste together: the others are dealt to the columns."""
RED: Final = "DH"
MOST_MISSING: Final = 2
"""Cards in a row that may be missing in a run; where more are, rather one beside them was read wrong."""
MORE: Final = 4
WORKS: Final = tuple(50_000 * MORE**turn for turn in range(5))
"""How long is thought about a move, turn by turn: the first takes some hundredths of a second."""
PRESETS: Final[Mapping[str, Rules]] = {
    "Turn 1": STANDARD_DRAW_1.to_json(),
    "Turn 3": STANDARD.to_json(),
    "Cards move singly": ONE_CARD.to_json(),
}


def describe_rules(rules: Rules) -> str:
    """The rules of a table in words.

    >>> describe_rules(PRESETS["Turn 3"]).split(",")[0]
    'three cards are turned at a time'
    """
    return KlondikeRules.from_json(dict(rules)).describe()


def hide(table: Json) -> Json:
    """A table as its player sees it: face-down cards and the stock without their names."""
    columns = [column | {"down": [BACK] * len(column["down"])} for column in table["columns"]]
    return table | {"columns": columns, "stock": [BACK] * len(table["stock"])}


def rebalance(table: Json) -> Json:
    """A table whose stock holds as many unknown cards as lie nowhere else; one with a known stock stays as it is.

    >>> len(rebalance({"columns": [{"down": ["??"], "up": ["9C"]}], "waste": [], "foundations": {"C": 30}, "stock": []})["stock"])
    20
    """  # noqa: E501
    if any(card != BACK for card in table["stock"]):
        return table
    columns = sum(len(column["down"]) + len(column["up"]) for column in table["columns"])
    waste = len(table["waste"])
    left = min(DECK_CARDS - columns - sum(table["foundations"].values()), MOST_STOCK_CARDS) - waste
    return table | {"stock": [BACK] * max(0, left)}


def find_gaps(table: Json) -> dict[str, list[str]]:
    """Where cards of a run are missing between two that are not, and which ones each place may hold.

    >>> columns = [{"down": [], "up": ["KH", "QS", "TS", "9H"]}, {"down": [], "up": ["JH"]}]
    >>> find_gaps({"columns": columns, "foundations": {"C": 3}, "waste": [], "stock": []})
    {'columns/0/up/2': ['JD']}
    """
    named = {card for column in table["columns"] for card in (*column["down"], *column["up"])}
    named |= {*table["waste"], *table["stock"]}
    named |= {f"{rank}{suit}" for suit, height in table["foundations"].items() for rank in RANK_CHARS[:height]}
    found = {}
    for number, column in enumerate(table["columns"]):
        for at, (upper, lower) in enumerate(pairwise(column["up"]), 1):
            if BACK in (upper, lower):
                continue
            (rank, is_red), (below, is_below_red) = (
                (RANK_CHARS.index(card[0]), card[1] in RED) for card in (upper, lower)
            )
            steps = rank - below
            if 1 < steps <= MOST_MISSING + 1 and (is_red == is_below_red) == (steps % 2 == 0):
                cards = [f"{RANK_CHARS[rank - 1]}{suit}" for suit in "CDHS" if (suit in RED) != is_red]
                found[f"columns/{number}/up/{at}"] = [card for card in cards if card not in named]
    return {place: cards for place, cards in found.items() if cards}


def describe_turn(move: str) -> str:
    """Says a move that turns the stock; "" for other moves."""
    return "turn the stock" if move == "draw" else ""


def compare(position: Any, seconds: float, seed: int, emit: Callable[[Json], object]) -> Json:
    """Compares moves by the player that does not peek, as `webapp.games.game.Compare` says.

    It thinks again and four times as long while there is time, and always at least once.
    """
    from solver.klondike.player import best_move

    end = time.monotonic() + seconds
    for work in WORKS:
        start = time.monotonic()
        advice = best_move(position, work, seed)
        emit({"deals": max((move.n for move in advice.moves), default=0)})
        if time.monotonic() + MORE * (time.monotonic() - start) > end:
            break
    rows = [move.to_json() for move in advice.moves] if advice.move is not None else []
    line = [str(move) for move in advice.line]
    return {"moves": rows, "seed": seed, "by": "unseen", "line": line, "why": advice.why}


PAGE: Final = GamePage(
    about="the solitaire that most people know",
    warm_up=(
        "klondike columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12",
        "klondike draw: 3; moves: run; worrying_back: yes; columns: - | - | - | - | - | [KS] | [KH];"
        " foundations: C13 D13 H12 S12",
    ),
    rules=(
        RuleChoice("draw", "Cards turned at a time", ((1, "1"), (2, "2"), (3, "3")), "turn {}"),
        RuleChoice(
            "redeals",
            "Times the waste may be turned over",
            ((None, "unlimited"), *((n, f"{n}") for n in range(4))),
            "redeals {}",
        ),
        RuleChoice(
            "column_moves",
            "Moves between columns",
            (("one", "one card"), ("run", "any part of a run")),
            "{} moves between columns",
        ),
        RuleChoice(
            "worrying_back",
            "From a foundation back to a column",
            ((False, "no"), (True, "yes")),
            "back from a foundation: {}",
        ),
    ),
    presets=PRESETS,
    dealt_preset="Turn 3",
    question=RuleQuestion("Do you turn one card or three?", (("Turn 1", "One card"), ("Turn 3", "Three cards"))),
    describe_rules=describe_rules,
    rebalance=rebalance,
    find_gaps=find_gaps,
    hide=hide,
    describe_turn=describe_turn,
    is_played_on=True,
    compare=compare,
    describe_plan=describe_plan,
)
