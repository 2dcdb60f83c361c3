"""Napoleon's Tomb with two decks; `vision/layout/tombs.py` has what both Tombs share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from solver.cards import SUIT_CHARS, Card
from vision.layout.game_layout import GameLayout
from vision.layout.tombs import Pile, Tomb, Uses

if TYPE_CHECKING:
    from solver.tomb_double import Position


def _uses(zone: str, card: int) -> tuple[Uses, bool]:
    """What a card takes of the decks where it is a pile's top; with two decks any card may show in any zone."""
    if zone == "foundation":  # the suit's higher cards lie below, from the king down
        return tuple((above, 1) for above in range(card, 13 * (card // 13) + 13)), True
    if zone == "centre":
        return tuple((below, 1) for below in _up_to(card)), True
    return ((card, 1),), True


def _up_to(top: int) -> range:
    """The centre's cards up to its top: it begins with an ace and builds up in suit."""
    return range(13 * (top // 13), top + 1)


def _position(piles: Mapping[str, Pile]) -> Position:
    from solver.tomb_double import Position  # it brings Numba: not before a table is taken for this game

    c, d, h, s = (14 - tops[0].rank if (tops := piles.get(f"foundation/{suit}")) else 0 for suit in SUIT_CHARS)
    centre = piles.get("centre")
    seen = Position(
        (c, d, h, s),
        () if centre is None else tuple(map(Card.from_index, _up_to(centre[0].index))),
        tuple(piles.get(f"tableau/{k}", ()) for k in range(4)),
        tuple(piles.get(f"reserve/{k}", ()) for k in range(4)),
        tuple(piles.get(f"waste/{k}", ()) for k in range(5)),
        (),
    )
    return seen.with_unseen()


TOMB: Final = Tomb(
    "tomb_double",
    "stock",
    _uses,
    _position,
    (
        "only the top of each pile is seen; the other cards are taken to lie in the stock, as many as it can hold, and"
        " the rest under the reserves; each foundation is taken to be in its first round",
        "no photo shows how many redeals are left; 4 are assumed",
    ),
    numbered="waste",
)
LAYOUT: Final = GameLayout(TOMB.parse, TOMB.rule_penalty)
