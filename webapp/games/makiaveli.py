"""Makiaveli on the page: every card is known, and there are two optional rules."""

from __future__ import annotations

from typing import Final

from webapp.games.game import GamePage, RuleChoice

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
            "cards that make no meld {}",
        ),
    ),
)
