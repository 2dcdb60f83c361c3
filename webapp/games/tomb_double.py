"""Napoleon's Tomb with two decks on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any, Final

from drawing.card_names import BACK
from solver.place import Place
from solver.tomb_double.best_move import choices
from solver.tomb_double.rules import REDEALS, Move
from solver.tomb_double.simulate import Player
from solver.tomb_double.simulate import simulate as simulate_deals
from webapp.games.game import GamePage, Playing, Simulation, TableChoice
from webapp.jobs import Json


def hide(table: Json) -> Json:
    """A table as its player sees it: the stock without its cards' names."""
    return table | {"stock": [BACK] * len(table["stock"])}


def describe_turn(move: str) -> str:
    """Says a move that turns a card to a waste, or all wastes over; "" for other moves."""
    if move == "redeal":
        return "pick up the wastes: they are the new stock"
    return f"turn a card to waste {move[3:]}" if move.startswith("S>W") else ""


def describe_tie(position: Any, moves: Sequence[str]) -> str:
    """Says that all wastes are equally good to turn a card to, and why it is that one; "" where they are not.

    >>> from solver import parse
    >>> table = parse("tomb_double tableau: 2S | - | - | -; wastes: 4H | -; redeals: 1; stock: 40")
    >>> describe_tie(table, ["S>W2", "S>W1"])
    'As far as I can see, all wastes are as good as each other. This one is empty, so no card is buried.'
    >>> describe_tie(table, ["T1>F", "S>W2", "S>W1"]), describe_tie(table, ["S>W1", "T1>F"])
    ('', '')
    """
    turns = {f"S>W{number + 1}" for number in range(len(position.wastes))}
    if len(turns) < 2 or moves[0] not in turns or not turns <= {*moves}:
        return ""
    waste = position.wastes[int(moves[0][3:]) - 1]
    why = "The card on this one goes home last" if waste else "This one is empty, so no card is buried"
    return f"As far as I can see, all wastes are as good as each other. {why}."


def redeals_possible(table: Json) -> list[int]:
    """How many redeals may be left: there is one waste more than that, and each begun waste must exist.

    >>> redeals_possible({"wastes": [["4H"], [], ["9S"], [], []]})
    [4, 3, 2]
    """
    least = max((number for number, waste in enumerate(table["wastes"]) if waste), default=0)
    return list(range(REDEALS, least - 1, -1))


def with_redeals(table: Json, redeals: int) -> Json:
    """The table with so many redeals left, and as many wastes as go with them: one more.

    >>> with_redeals({"wastes": [["4H"], [], []], "redeals": 2}, 1)
    {'wastes': [['4H'], []], 'redeals': 1}
    """
    wastes = [*table["wastes"], *([] for _ in range(redeals))][: redeals + 1]
    return table | {"wastes": wastes, "redeals": redeals}


def home(position: Any) -> int:
    """How many cards lie on the foundations."""
    return sum(position.foundations)


def compare(position: Any, seconds: float, emit: Callable[[Json], object]) -> Json:
    """Compares moves on deals that fit what is seen, as `webapp.games.game.Compare` says."""
    found = choices(position, seconds=seconds, progress=lambda n: emit({"deals": n}))
    return {"moves": [choice.to_json() for choice in found], "by": "knowing"}


def simulate(size: int, seed: int) -> Sequence[int]:
    """How many of some random deals were won."""
    won = simulate_deals(size, player=Player.RULE, seed=seed).won
    return [round(won.mean * won.n)]


PAGE: Final = GamePage(
    about="a larger solitaire with reserves",
    warm_up=(
        "tomb_double foundations: C26 D26 H26 S25; tableau: AS | - | - | -",
        "tomb_double foundations: C26 D26 H26 S18; tableau: 8S | - | - | -; stock: ?? ?? ?? ?? ?? ?? ??",
        # Only a whole deal takes the search of the open game; this one is won at once.
        "tomb_double tableau: 5C | 5H | QH | 6S; reserves: JS 2H 3C 6H 9H 7C KH 9S KC 6D | AD 9S JH 7D 5H 8H 6D 3H AC"
        " JD | TH 7C 5D QH 9D 9D 2D TH TC 5C | 7S 8C 8H TD 4D AS TC 3H 4C 5S; stock: 7H 2D JC 4C 6C 8S 5S 9C AC 4D 7D"
        " QS 7S AD 4H TD 8S 8D JH 8D 3D AH 2H 2C JD 9H 2C AH QD KD JS KS KH 3S 4H 6H 7H TS 6C 8C 9C KS 4S QC TS KC AS"
        " QC QS JC 5D 3S 6S 2S QD 3D 3C 2S 4S KD",
    ),
    table_choice=TableChoice("redeals_left", "Redeals left", "redeals", redeals_possible, with_redeals),
    rebalance=methodcaller("with_full_stock"),
    hide=hide,
    describe_turn=describe_turn,
    describe_tie=describe_tie,
    is_played_on=True,
    playing=Playing(Place("stock"), ("reserve", "waste"), Move, home, methodcaller("unseen")),
    compare=compare,
    simulation=Simulation(
        ("won",), simulate, "The player does not see which cards are in the stock, and plays by a fixed rule."
    ),
)
