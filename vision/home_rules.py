"""The rules that people play at home. No photo shows rules, so a reading takes these until somebody names others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from solver.position import Position
from vision.reading import Reading

THREE: Final = 3
"""Cards that are turned at a time lie fanned beside the stock; more than three do so in no game of these."""


def with_home_rules(reading: Reading) -> Reading:
    """A reading whose positions go by the rules people play at home; of other games than Klondike as it is.

    Where the waste shows two or three fanned cards, three are turned at a time, else one. The seed document's rule, by
    which only the last card of a column moves, is played by hardly anybody: by it nearly every table is lost.
    """
    if reading.game != "klondike":
        return reading
    from solver.klondike import STANDARD, STANDARD_DRAW_1  # it brings Numba, which other games may not need
    from solver.klondike import Position as Klondike

    def under(position: Position[Any]) -> Position[Any]:
        return position.with_rules(rules) if isinstance(position, Klondike) else position

    fanned = sum(card.zone == "waste" for card in reading.cards)
    rules = STANDARD if 2 <= fanned <= THREE else STANDARD_DRAW_1
    position = None if reading.position is None else under(reading.position)
    others = tuple((relative, under(other)) for relative, other in reading.others)
    return replace(reading, position=position, others=others)
