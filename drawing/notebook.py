"""The base class of everything that draws itself in a notebook. Loads the drawing code only when it is used."""

from __future__ import annotations

from typing import Any, Protocol


class Drawn(Protocol):
    """A position that draws itself as a table, from its JSON object."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON object, with the game's word under `game`."""
        ...

    def _repr_svg_(self) -> str:
        from drawing.svg import draw_tables

        return draw_tables([("", self.to_json())])
