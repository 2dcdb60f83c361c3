"""A round of Baccarat: the two hands, and what was dealt before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drawing.boards import Section, list_zone
from solver.place import Place


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    hands = tuple(list_zone(Place(name), position[name], titled=True) for name in ("player", "banker", "dealt"))
    return (Section("", hands),)
