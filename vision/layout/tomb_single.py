"""Napoleon's Tomb with one deck; `vision/layout/tombs.py` has what both Tombs share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from solver.cards import Rank
from vision.layout.game_layout import GameLayout
from vision.layout.tombs import Pile, Tomb, Uses

if TYPE_CHECKING:
    from solver.tomb_single import Position


def _uses(zone: str, card: int) -> tuple[Uses, bool]:
    """What a card takes of the deck, and whether it may show in a zone."""
    rank = card % 13 + 1
    if zone.startswith("corner"):
        fits = rank >= Rank.SEVEN
    elif zone == "centre":
        fits = rank <= Rank.SIX
    elif zone == "spare_six":
        fits = rank == Rank.SIX
    else:
        fits = rank not in (Rank.SIX, Rank.SEVEN)
    return ((card, 1),), fits


def _position(piles: Mapping[str, Pile]) -> Position:
    from solver.tomb_single import Position  # it brings Numba: not before a table is taken for this game

    seen = Position(
        corners=tuple(piles.get(f"corner/{k}", ()) for k in range(4)),
        centre=piles.get("centre", ()),
        spares=tuple(piles.get(f"spare/{k}", ()) for k in range(4)),
        spare_six=piles.get("spare_six", ()),
        discard=piles.get("discard", ()),
    )
    return seen.with_unseen()


TOMB: Final = Tomb(
    "tomb_single", "deck", _uses, _position, ("the deck is every card that is not seen, in an unknown order",)
)
LAYOUT: Final = GameLayout(TOMB.parse, TOMB.rule_penalty)
