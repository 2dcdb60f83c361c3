"""One path-traced table: what chance decides, tries until a photo is fair, and its label."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.path_traced.backs import BACKS
from datasets.path_traced.blender import clear, need_blender, render_ids, render_light
from datasets.path_traced.decks import DECKS
from datasets.path_traced.developing import develop
from datasets.path_traced.fairness import judge
from datasets.path_traced.games import maker_of
from datasets.path_traced.lamps import LIGHTS
from datasets.path_traced.scene import Look, build_scene, hold_camera
from datasets.path_traced.surfaces import SURFACES
from datasets.path_traced.tables import Table
from datasets.picture_tools import Image, Rng

TRIES: Final = 14
"""Photos that are tried of a table before it is given up."""
MOST: Final = 1000
"""The highest seed of a table in a split."""
_BEFORE_CLOSER: Final = 4
_IDS_PERCENT: Final = 60


@dataclass(frozen=True, slots=True)
class Order:
    """Which table is to be made.

    Attributes:
        kind: A game's word, or `no_game`.
        split: `validation` or `test`: whose decks, backs and surfaces it shows.
        seed: Its number, 1 to 1000.
    """

    kind: str
    split: str
    seed: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.kind}-{self.split}-{self.seed:04d}"

    def rng(self, *parts: int) -> Rng:
        """A generator of its own for a part of the work."""
        seed = self.seed + MOST if self.split == "test" else self.seed
        return np.random.default_rng([seed, maker_of(self.kind).stream, *parts])

    @property
    def look(self) -> Look:
        """Deck, back, surface and light: all come in turn, so that a set holds many pairs of them."""
        number, own = self.seed - 1, maker_of(self.kind).stream
        decks, backs, surfaces = DECKS[self.split], BACKS[self.split], SURFACES[self.split]
        return Look(
            decks[(number * 5 + own) % len(decks)],
            backs[(number * 3 + own * 4) % len(backs)],
            surfaces[(number * 5 + own * 2 + number // 8) % len(surfaces)],
            LIGHTS[(number * 2 + own + number // 9) % len(LIGHTS)],
        )


def trace(order: Order, size: int | None, samples: int) -> tuple[bytes, dict[str, Any]] | None:
    """Makes a table's picture.

    Args:
        order: Which table.
        size: Longer side of the picture, px; None for the table's own, 1600 to 2200.
        samples: Samples of light a pixel.

    Returns:
        A JPEG file and its label, None where no photo of it is fair.

    Raises:
        SynthError: If Blender, a font, a package or a program is not installed.
    """
    maker, look = maker_of(order.kind), order.look
    own_side = int(order.rng(77).choice(maker.sides))
    for attempt in range(TRIES):
        rng = order.rng(attempt)
        table = maker.lay(rng, look.deck, order.seed - 1)
        closer = maker.closer if attempt >= _BEFORE_CLOSER else None
        if shot := take_photo(rng, table, look, size or closer or own_side, samples, stands=maker.stands):
            picture, label = shot
            label["trace"] |= {"attempt": attempt}
            return picture, label | {"split": order.split, "seed": order.seed}
    return None


def take_photo(
    rng: Rng, table: Table, look: Look, side: int, samples: int, *, stands: bool = False
) -> tuple[bytes, dict[str, Any]] | None:
    """A photo of a table as a JPEG file, and its label; None if it does not show all that it should.

    Args:
        rng: Random generator of what is left to chance: camera, light, things beside the cards.
        table: The table.
        look: What it looks like.
        side: Longer side of the picture, px.
        samples: Samples of light a pixel.
        stands: Whether the phone may be held upright where the table is higher than wide.
    """
    need_blender()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        clear()
        scene = build_scene(rng, table, look, partial(hold_camera, rng, table, side, stands), folder)
        ids = render_ids(folder, scene.cards, _IDS_PERCENT)
        cards, faults = judge(table, scene.rests, scene.camera, ids)
        if faults:
            return None
        light = render_light(folder, samples)
    up = np.array([card.up for card in table.cards] + [False])
    paper = cv2.resize(up[ids].astype(np.uint8), scene.camera.size, interpolation=cv2.INTER_NEAREST) > 0
    picture, notes = develop(rng, light, paper, look.lamp)
    quality = int(rng.integers(70, 96))
    about = {"back": look.back, "surface": look.surface, "light": look.lamp, "countable": table.countable}
    label = {
        "image": dict(zip(("width", "height"), scene.camera.size, strict=True)),
        "game": table.game,
        "deck": look.deck.name,
        "cards": cards,
        "position": table.position,
        "trace": about | {"jpeg": quality, **scene.notes, **notes, **table.notes},
    }
    return _jpeg(picture, quality), label


def _jpeg(picture: Image, quality: int) -> bytes:
    return cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
