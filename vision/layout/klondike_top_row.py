"""The top row of Klondike: cards of one fan lie in one pile, and a waste and one foundation may lie alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.game_reading import PlacedCard, ask_about_zone
from vision.layout.neighbours import groups
from vision.layout.vocabulary import NONE, ZONES, zone_number
from vision.networks.table_layout import LEAST, Layout
from vision.question import Question

if TYPE_CHECKING:
    from solver.klondike import Position

FANNED: Final = 0.6
"""Cards whose middles are less far apart, card widths, are of one fan."""
LEAST_FANNED: Final = 3
"""So many make a fan: two may be piles that were pushed together."""
LEAST_PLAIN: Final = 0.9
"""What is less probably a card is of no fan."""
_OF_COLUMNS: Final = [k for k, zone in enumerate(ZONES["klondike"]) if zone.startswith("column")]
_KINDS: Final = (_OF_COLUMNS, *([zone_number("klondike", zone)] for zone in ("waste", "foundation", NONE)))
"""The zones of each kind of pile."""
_FOUNDATION: Final = 2
MOST_APART: Final = 0.6
"""Two piles whose distances from the stock differ by less, card widths, lie alike."""
LEAST_OPPOSED: Final = 0.8
"""Two piles lie on both sides of the stock if the cosine of the angle between them is below minus this."""
SIDES_DOUBT: Final = 0.3
"""Of each of the two cards: together even odds, as nothing that the photo shows tells which is which."""


def agree_in_fans(table: SeenTable, layout: Layout) -> Layout:
    """What the network says, cards of one fan being of one kind of pile: all in a column, the waste or a foundation.

    An ace in the middle of a fanned waste is no foundation. What the network says of the cards of a fan is nearly one
    opinion: their mean counts for each.
    """
    log_zone = layout.log_zone["klondike"].copy()
    plain = np.flatnonzero([card.is_card > LEAST_PLAIN for card in table.cards])
    spots, suits = table.centres[plain] / table.template.width, table.log_card[plain].argmax(1) // 13
    for fan in groups(np.linalg.norm(spots[:, None] - spots, axis=-1) < FANNED):
        if len(fan) < LEAST_FANNED:
            continue
        rows = plain[fan]
        own = np.stack([np.logaddexp.reduce(log_zone[rows][:, kind], axis=1) for kind in _KINDS], axis=1)
        mean = own.mean(0)
        if len(set(suits[fan].tolist())) < len(fan):  # no suit has two foundations
            mean[_FOUNDATION] = np.log(LEAST)
        change = mean - np.logaddexp.reduce(mean) + np.logaddexp.reduce(own, axis=1, keepdims=True) - own
        for number, kind in enumerate(_KINDS):
            log_zone[rows[:, None], kind] += change[:, [number]]
    return replace(layout, log_zone=layout.log_zone | {"klondike": log_zone})


def doubts_of_sides(
    position: Position, placed: Sequence[PlacedCard], spots: Array, stock: Sequence[int]
) -> Iterator[Question]:
    """Which of two cards is the waste and which lies on a foundation, where either may be by place and by the rules.

    Args:
        position: The position as it is read.
        placed: Its cards.
        spots: (n, 2) middles of cards, and behind them of backs, card widths.
        stock: Rows of the stock's backs in `spots`.
    """
    wastes, foundations = (_seen_at(placed, kind) for kind in ("waste", "foundation"))
    if len(wastes) != 1 or len(foundations) != 1 or not stock:
        return
    (waste, waste_row), (foundation, foundation_row) = wastes[0], foundations[0]
    ways = [spots[row] - spots[list(stock)].mean(0) for row in (waste_row, foundation_row)]
    far = [float(np.linalg.norm(way)) for way in ways]
    is_opposed = ways[0] @ ways[1] < -LEAST_OPPOSED * far[0] * far[1]
    if (
        is_opposed
        and abs(far[0] - far[1]) < MOST_APART
        and _may_be_swapped(position, placed[waste], placed[foundation])
    ):
        yield ask_about_zone(waste, placed[waste], ["foundation"], SIDES_DOUBT)
        yield ask_about_zone(foundation, placed[foundation], ["waste"], SIDES_DOUBT)


def _seen_at(placed: Sequence[PlacedCard], kind: str) -> list[tuple[int, int]]:
    """Number and row of each card that is seen at such places."""
    return [(n, card.seen) for n, card in enumerate(placed) if card.place.kind == kind and card.seen is not None]


def _may_be_swapped(position: Position, waste: PlacedCard, foundation: PlacedCard) -> bool:
    """Whether the rules allow that the waste's card is the foundation and the other way round."""
    if waste.card is None or foundation.card is None:
        return False
    heights = [0] * len(position.foundations)
    heights[waste.card.suit] = int(waste.card.rank)
    stock = len(position.stock) + sum(position.foundations) - sum(heights)
    c, d, h, s = heights
    swapped = replace(position, foundations=(c, d, h, s), stock=(None,) * max(stock, 0), waste=(foundation.card,))
    return stock >= 0 and not swapped.problems()
