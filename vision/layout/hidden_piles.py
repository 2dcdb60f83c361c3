"""What a photo of the two-deck Tomb does not show: how the unseen cards are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from solver.cards import UNKNOWN

DECKS_SIZE: Final = 104
RESERVE: Final = 10
TURNED: Final = 60
"""Cards in stock and wastes at the deal."""


def under_centre(top: int) -> range:
    """The centre's cards up to its top: it begins with an ace and builds up in suit."""
    return range(13 * (top // 13), top + 1)


def with_hidden(position: Mapping[str, Any]) -> dict[str, Any]:
    """A position's tops with every card that nobody sees as `??`: in the stock up to its 60, then under the reserves.

    How many lie where is not in a photo; this is the one way in which labels and readings write it.

    >>> bare = {"foundations": {"C": 2, "D": 0, "H": 0, "S": 0}, "centre": [], "tableau": [["7C"], ["8D"], [], []],
    ...         "reserves": [["2C"], ["3D"], ["4H"], ["5S"]], "wastes": [["9C"], [], [], [], []]}
    >>> filled = with_hidden(bare)
    >>> len(filled["stock"]), [len(pile) for pile in filled["reserves"]]
    (59, [10, 10, 10, 10])
    """
    piles = (*position["tableau"], *position["reserves"], *position["wastes"], position["centre"])
    hidden = DECKS_SIZE - sum(position["foundations"].values()) - sum(map(len, piles))
    stock = max(0, min(hidden, TURNED - sum(map(len, position["wastes"]))))
    room = [max(0, RESERVE - len(pile)) if pile else 0 for pile in position["reserves"]]
    under = [0] * len(room)
    for _ in range(min(hidden - stock, sum(room))):  # one after the other, each time under the reserve with most room
        most = max(range(len(room)), key=lambda k: room[k] - under[k])
        under[most] += 1
    left = hidden - stock - sum(under)  # no room for them anywhere: the position then says that it is not legal
    reserves = [[UNKNOWN] * count + list(pile) for count, pile in zip(under, position["reserves"], strict=True)]
    return dict(position) | {"reserves": reserves, "stock": [UNKNOWN] * (stock + left)}
