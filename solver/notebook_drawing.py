"""How positions and solutions draw themselves in a notebook without knowing who draws.

`drawing` depends on positions, so positions may not import it. And a program that imports only `solver` has nobody who
could register a drawer. So `pyproject.toml` names one, as an entry point: it is found when a picture is asked for, in a
clone that is not installed too. Where there is none, `_repr_svg_` returns None, and the notebook prints the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from plumbing.package_metadata import load_entry_point

ENTRY_POINTS: Final = "could_i_have_won.drawing"
"""The group of entry points; `tables` is a function such as `draw_tables`."""


def draw_tables(tables: Sequence[tuple[str, Mapping[str, Any]]]) -> str | None:
    """Positions as one SVG picture, None where nobody draws.

    Args:
        tables: Each with the words above it, which may be empty, and a position's JSON object.
    """
    draw = load_entry_point(ENTRY_POINTS, "tables")
    return None if draw is None else str(draw(tables))


class Drawn(Protocol):
    """A position that draws itself as a table, from its JSON object."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON object, with the game's word under `game`."""
        ...

    def _repr_svg_(self) -> str | None:
        return draw_tables([("", self.to_json())])
