"""A photo's table as the networks see it, kept in a file so that a stopped run goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from plumbing.errors import CardsError, describe_fault
from vision.cards.geometry import Array, Plane
from vision.cards.missed_backs import find_missed_backs
from vision.cards.seen_table import SeenBack, SeenCard, SeenTable
from vision.cards.template import Template
from vision.image import RGB, load
from vision.layout.game_choice import predict_layout
from vision.layout.klondike import GAME
from vision.layout.vocabulary import ZONES
from vision.networks.back_counter import MOST
from vision.networks.surface_map import load_surface_map
from vision.networks.table_layout import Layout

_CARD: Final = ("log_card", "centre", "down", "quad", "ranks")
_BACK: Final = ("centre", "down", "quad")
_LAYOUT: Final = ("log_game", "toward", "log_count", "link")
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class ReadTable:
    """What is seen in a photo.

    Attributes:
        table: Its cards and backs.
        layout: What the layout network says of it as a table of Klondike.
        missed_backs: (n, 2) where it looks as if there were backs that were not found, px.
    """

    table: SeenTable
    layout: Layout
    missed_backs: Array = field(default_factory=lambda: np.zeros((0, 2)))

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        table, layout = self.table, self.layout
        return {
            "size": list(table.size),
            "plane": table.plane.matrix.tolist(),
            "template": {name: getattr(table.template, name) for name in Template.__slots__},
            "cards": [
                _rounded(card, _CARD)
                | {"is_card": float(card.is_card), "layer": card.layer, "indices": len(card.indices)}
                | {"disputed": list(card.disputed)}
                for card in table.cards
            ],
            "backs": [
                _rounded(back, _BACK) | {"confidence": float(back.confidence), "visible": float(back.visible)}
                for back in table.backs
            ],
            "layout": _rounded(layout, _LAYOUT)
            | {"log_zone": layout.log_zone[GAME].round(_DIGITS).tolist(), "tops_only": bool(layout.tops_only)},
            "missed_backs": self.missed_backs.round(_DIGITS).tolist(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadTable:
        """The table of a JSON object that `to_json` made."""
        cards = tuple(
            SeenCard(
                is_card=row["is_card"],
                layer=row["layer"],
                indices=tuple(range(row["indices"])),
                disputed=tuple(row.get("disputed", ())),
                is_doubted=False,
                **_arrays(row, _CARD),
            )
            for row in data["cards"]
        )
        backs = tuple(
            SeenBack(confidence=row["confidence"], visible=row["visible"], **_arrays(row, _BACK))
            for row in data["backs"]
        )
        width, height = data["size"]
        plane, template = Plane(np.array(data["plane"])), Template(**data["template"])
        arrays = _arrays(data["layout"], _LAYOUT)
        count = len(cards) + len(backs)
        layout = Layout(
            arrays["log_game"],
            arrays["toward"],
            {GAME: np.array(data["layout"]["log_zone"], float).reshape(count, len(ZONES[GAME]))},
            arrays["log_count"].reshape(count, MOST + 1),
            arrays["link"].reshape(count, count),
            tops_only=data["layout"]["tops_only"],
        )
        missed_backs = np.array(data.get("missed_backs", []), float).reshape(-1, 2)
        return cls(SeenTable((width, height), plane, template, cards, backs), layout, missed_backs)


def _rounded(owner: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: np.asarray(getattr(owner, name), float).round(_DIGITS).tolist() for name in names}


def _arrays(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Array]:
    return {name: np.array(row[name], float) for name in names}


def read_table(image: RGB) -> ReadTable:
    """What the networks see in a photo."""
    from vision.photo_to_table import detect_and_read, see_table

    table = see_table(detect_and_read(image))
    missed = find_missed_backs(table, load_surface_map().see(image))
    return ReadTable(table, predict_layout(table, GAME), missed)


def read_shot(shot: tuple[Path, RGB | str | None]) -> tuple[Path, Any]:
    """A photo, and what it shows as JSON, or a sentence why it cannot be read.

    Args:
        shot: The photo, and its picture where that is in no file of its own, or why it is not to be read.
    """
    photo, picture = shot
    if isinstance(picture, str):
        return photo, picture
    try:
        return photo, read_table(load(photo) if picture is None else picture).to_json()
    except (CardsError, OSError) as error:
        return photo, describe_fault(error)
