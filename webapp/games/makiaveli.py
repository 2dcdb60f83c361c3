"""Makiaveli on the page: every card is known, and there are two optional rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from solver.cards import DECK, parse_card
from solver.makiaveli.melds import all_melds, missing_cards
from solver.makiaveli.position import COPIES
from webapp.games.game import GamePage, RuleChoice
from webapp.jobs import Json

FEWEST: Final = 3
"""Cards of a meld."""


def mark_answer(table: Json, result: Json) -> dict[str, str]:
    """The cards that an answer leaves in the hand, and those with which what has no place there would make a meld.

    >>> table = {"floor": [["7C", "7H", "7S"], ["KC", "KD", "KS"]], "cross": ["8D", None], "hand": ["7D", "2C", "3C"]}
    >>> list(mark_answer(table, {"blockers": ["7D"], "final": {"hand": ["7D", "3C"]}}))
    ['hand/0', 'hand/2', 'floor/0/0', 'floor/0/1', 'floor/0/2', 'cross/0']
    """
    hand, marks = list(table["hand"]), {}
    blockers = result.get("blockers") or ()
    for card in (result.get("final") or table)["hand"] if blockers else ():  # without a final table none is played
        marks[f"hand/{hand.index(card)}"] = "blocked"
        hand[hand.index(card)] = None
    for place, card in _table_cards(table):
        if any(_may_lie_together(card, blocker) for blocker in blockers):
            marks[place] = "would fit"
    return marks


def _table_cards(table: Json) -> Iterator[tuple[str, str]]:
    """The cards of floor and cross with their places."""
    for number, meld in enumerate(table["floor"]):
        yield from ((f"floor/{number}/{at}", card) for at, card in enumerate(meld))
    yield from ((f"cross/{at}", card) for at, card in enumerate(table["cross"]) if card)


def _may_lie_together(one: str, other: str) -> bool:
    """Whether two cards may belong to the same meld of three.

    >>> [_may_lie_together("AD", card) for card in ("AS", "AD", "QD", "3D", "4D", "2S")]
    [True, False, True, True, False, False]
    """
    both = {parse_card(one), parse_card(other)}
    return len(both) > 1 and any(both <= set(meld) for meld in all_melds() if len(meld) == FEWEST)


def find_gaps(position: Any) -> dict[str, dict[str, str]]:
    """The groups on the floor that one more card would make a meld: their first place, and each card, where it goes.

    >>> from solver import parse
    >>> find_gaps(parse("makiaveli floor: 4C 5C | 7D 7H 7S | 9S JS | KD 3H; hand: 3C 3C"))
    {'floor/0/0': {'6C': 'floor/0/2'}, 'floor/2/0': {'TS': 'floor/2/1'}}
    """
    spare = {card for card in DECK if position.cards().count(card) < COPIES}
    groups = () if position.repair else position.floor
    found = {f"floor/{number}": missing_cards(group) for number, group in enumerate(groups)}
    gaps = {path: {card: at for card, at in cards.items() if card in spare} for path, cards in found.items()}
    return {f"{path}/0": {str(card): f"{path}/{at}" for card, at in gap.items()} for path, gap in gaps.items() if gap}


PAGE: Final = GamePage(
    about="rummy with two decks; whoever plays the last hand card wins",
    warm_up=("makiaveli floor: 7C 7D 7H; hand: 3S 4S 5S", "makiaveli floor: 7C 7D 7H; hand: 3S 4S"),
    cards_may_be_unknown=False,
    rules=(
        RuleChoice("strict_cross", "Cross cards", ((False, "may join any meld"), (True, "need a hand card"))),
        RuleChoice(
            "repair",
            "Cards on the floor that make no meld",
            ((False, "are a mistake to correct"), (True, "are loose; all must end up in melds")),
        ),
    ),
    find_gaps=find_gaps,
    mark_answer=mark_answer,
)
