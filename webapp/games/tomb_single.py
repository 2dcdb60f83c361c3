"""Napoleon's Tomb with one deck on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any, Final

from drawing.card_names import BACK
from solver.cards import DECK, Card
from solver.place import Place
from solver.tomb_single.best_move import choices
from solver.tomb_single.rules import Move
from solver.tomb_single.simulate import simulate as simulate_deals
from webapp.games.game import GamePage, Playing, RuleChoice, Rules, Simulation, only_move
from webapp.jobs import Json


def hide(table: Json) -> Json:
    """A table as its player sees it: the deck without its cards' names, but for one that was turned and lies on it.

    >>> [hide({"deck": deck})["deck"] for deck in (["9S", "8S"], ["9S", "??"], ["9S"])]
    [['??', '??'], ['9S', '??'], ['9S']]
    """
    first, others = table["deck"][:1], table["deck"][1:]
    return table | {"deck": [*(first if set(others) <= {BACK} else [BACK]), *[BACK] * len(others)]}


def describe_turn(move: str) -> str:
    """Says a move that turns the next card; "" for other moves, as that of a card which has been turned."""
    return "turn the next card" if move == "D" else ""


def describe_rules(rules: Rules) -> str:
    """The rules in words."""
    is_free = rules.get("mode") == "free"
    return f"a card that fits {'may be played or wait' if is_free else 'must be played before the next is turned'}"


def describe_only_move(move: str) -> str:
    """Says why a move is the only one that is weighed: others that are legal may be as good, or never better.

    >>> for move in ("S2>K1", "X>K1", "D>K1", "D>X", "D"):
    ...     print(describe_only_move(move))
    What fits is played from a spare at once.
    No card is left to be turned.
    A 7 goes to an empty corner.
    From there it can still be played.
    It is the only move.
    """
    if move[0] in "S6":
        return "What fits is played from a spare at once."
    if move[0] == "X":
        return "No card is left to be turned."
    if move.startswith("D>"):
        return "A 7 goes to an empty corner." if move[2] == "K" else "From there it can still be played."
    return only_move(move)


def compare(position: Any, seconds: float, emit: Callable[[Json], object]) -> Json:
    """Compares the moves by playing on after each. That is quick, so no time limit is needed."""
    rows = [
        {"move": str(choice), "share": found.mean, "low": found.low, "high": found.high, "undecided": 0, "n": found.n}
        for choice in choices(position)
        for found in [choice.estimate]
    ]
    return {"moves": rows, "by": "playing on", "settled": position.rules.mode == "forced"}


def simulate(size: int, seed: int) -> Sequence[int]:
    """How many of some random deals were won."""
    won = simulate_deals(size, seed=seed)
    return [round(won.mean * won.n)]


def home(position: Any) -> int:
    """How many cards lie on the corners and in the centre."""
    return sum(map(len, (*position.corners, position.centre)))


def unseen(position: Any) -> list[Card]:
    """The cards that those of deck, discard and spares are which nobody has seen; of which suit matters nowhere.

    >>> from solver import parse
    >>> found = unseen(parse("tomb_single corners: 7H 8H | - | - | -; spares: 8C - - -; deck: 49"))
    >>> len(found), sum(card.rank == 7 for card in found), sum(card.rank == 8 for card in found)
    (49, 3, 2)
    """
    seen = set(position.cards())
    free = {rank: [card for card in DECK if card.rank == rank and card not in seen] for rank in range(1, 14)}
    return [free[rank].pop() for rank in position.unseen_ranks()]


def may_turn(position: Any) -> bool:
    """Whether the deck's next card may be turned: who must play all that fits does that first."""
    return bool(position.deck) and (position.rules.mode == "free" or not position.moves())


PAGE: Final = GamePage(
    about="a solitaire on nine piles",
    warm_up=(
        "tomb_single corners: 7H 8H 9H TH JH QH KH | 7D 8D 9D TD JD QD KD | 7C 8C 9C TC JC QC KC |"
        " 7S 8S 9S TS JS QS; centre: 6S 5S 4S 3S 2S AS 6H 5H 4H 3H 2H AH 6D 5D 4D 3D 2D AD 6C 5C 4C 3C 2C AC; deck: KS",
        "tomb_single corners: 7H | - | - | -; deck: 51",
    ),
    rules=(
        RuleChoice("mode", "A card that fits", (("forced", "must be played"), ("free", "may be played")), in_view=True),
    ),
    rebalance=methodcaller("with_full_deck"),
    hide=hide,
    describe_rules=describe_rules,
    describe_turn=describe_turn,
    describe_only_move=describe_only_move,
    is_played_on=True,
    playing=Playing(Place("deck"), ("discard", "spare"), Move, home, unseen, may_turn),
    compare=compare,
    simulation=Simulation(
        ("won",),
        simulate,
        "The player plays every card that fits, at once.",
        more="Four single cards, the spares, wait at the edges. An empty place of theirs is filled from the discard"
        " pile first, then from the deck.",
    ),
)
