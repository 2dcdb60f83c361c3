"""A table as a scene of Blender: what it stands on, cards, camera, light and things. Lengths in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.path_traced.blender import Material, Object, Rgb, bpy, plain, put, quads, set_camera, slab, solid
from datasets.path_traced.camera import Camera, View, framed
from datasets.path_traced.card_objects import card_materials, card_object
from datasets.path_traced.cloth import folds
from datasets.path_traced.decks import Deck
from datasets.path_traced.lamps import light_scene
from datasets.path_traced.rest import MM, Bend, Ground, Rest, settle
from datasets.path_traced.surfaces import surface_material
from datasets.path_traced.tables import Box, Table, bounds
from datasets.path_traced.things import HAND, THINGS, make_thing
from datasets.picture_tools import Points, Rng

Hold = Callable[[Points, Box], tuple[Camera, dict[str, Any]]]
"""Holds a camera over cards, given all their corners, metres, and the box round them, mm; and tells its view."""
_EVERYWHERE: Final = (-1e6, -1e6, 1e6, 1e6)
_FLOORS: Final = ((120, 90, 60), (150, 146, 140), (70, 60, 56), (176, 160, 138))
_WALLS: Final = ((214, 208, 196), (170, 182, 186), (204, 190, 160), (120, 128, 120))
_FLOOR_HEIGHT: Final = -740.0


@dataclass(frozen=True, slots=True)
class Look:
    """What a table is to look like.

    Attributes:
        deck: The deck.
        back: Its back, of `backs.BACKS`.
        surface: What it lies on, of `surfaces.SURFACES`.
        lamp: The light, of `lamps.LIGHTS`.
    """

    deck: Deck
    back: str
    surface: str
    lamp: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene that is ready to be rendered.

    Attributes:
        cards: The cards' objects, in the order laid.
        rests: How they lie.
        camera: The camera.
        held: What moves where the camera moves.
        notes: What it looks like, for the label.
    """

    cards: tuple[Object, ...]
    rests: tuple[Rest, ...]
    camera: Camera
    held: tuple[Object, ...]
    notes: dict[str, Any]


def build_scene(rng: Rng, table: Table, look: Look, hold: Hold, folder: Path, room: float = 0.0) -> Scene:
    """Builds a table in the empty scene.

    Args:
        rng: Random generator.
        table: The table.
        look: What it looks like.
        hold: Holds the camera.
        folder: Where Blender finds pictures of cards and cloth.
        room: How far from cards things stay away, mm.
    """
    box = bounds(table.cards, look.deck)
    thick = float(rng.uniform(0.26, 0.34))
    ground = Ground((box[0] - 60, box[1] - 60, box[2] + 60, box[3] + 60))
    edge = _lay_top(rng, look.surface, surface_material(look.surface, rng, folder), ground, box)
    _add_room(rng, box, has_wall=look.lamp != "sun")
    worn = float(rng.choice([0.25, 0.6, 1.0, 1.7]))
    rests, cards, materials = _lay_cards(rng, table, look, thick, worn, ground, folder)
    points = np.concatenate([rest.corners for rest in rests])
    camera, notes = hold(points, box)
    centre = points.mean(0)
    focus = float((centre - camera.position) @ camera.forward) * float(rng.uniform(0.93, 1.08))
    set_camera(camera, focus, float(rng.uniform(7, 14)) * camera.focal / 26)
    held = light_scene(look.lamp, rng, centre, camera)
    beside = _Beside(rng, table, look, camera, box, edge, ground, room)
    used = beside.add_things(materials[1])
    notes |= {"height_cm": round(float(camera.position[2]) * 100), "worn": worn, "things": used}
    return Scene(tuple(cards), tuple(rests), camera, tuple(held), notes)


def _lay_top(rng: Rng, surface: str, material: Material, ground: Ground, box: Box) -> Box:
    """The table top, or a sheet with folds, which the ground takes on; returns the edges of the top."""
    if surface.startswith("sheet"):
        _lay_sheet(rng, material, ground, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        return _EVERYWHERE
    if surface.startswith("carpet"):
        left, near, right, far = (1400.0,) * 4
    else:
        left, near, right, far = (float(v) for v in rng.choice([70, 150, 300, 500, 900], 4))
    edge = (box[0] - left, box[1] - min(near, 300), box[2] + right, box[3] + far)
    plate = slab((edge[2] - edge[0], edge[3] - edge[1], 28), 12, material, -28)
    put([plate], ((edge[0] + edge[2]) / 2, (edge[1] + edge[3]) / 2, 0))
    return edge


def _lay_sheet(rng: Rng, material: Material, ground: Ground, middle: tuple[float, float]) -> None:
    seed, height = int(rng.integers(1 << 30)), float(rng.uniform(4, 11))

    def crumpled(xs: Points, ys: Points) -> Points:
        return folds(np.random.default_rng(seed), height, xs - middle[0], ys - middle[1])

    rows, columns = ground.height.shape
    xs, ys = ground.x0 + np.arange(columns, dtype=float), ground.y0 + np.arange(rows, dtype=float)
    ground.height = crumpled(xs, ys)
    side = 330
    wide_x = np.linspace(middle[0] - 1000, middle[0] + 1000, side)
    wide_y = np.linspace(middle[1] - 900, middle[1] + 1100, side)
    heights = crumpled(wide_x, wide_y).ravel()
    x, y = (axis.ravel() for axis in np.meshgrid(wide_x, wide_y))
    inside = (x > xs[0]) & (x < xs[-1]) & (y > ys[0]) & (y < ys[-1])
    heights += np.median(ground.at(x[inside], y[inside]) - heights[inside])  # each grid has its own lowest place
    solid(np.column_stack([x, y, heights]), quads(side, side), material, smooth=True)


def _add_room(rng: Rng, box: Box, *, has_wall: bool) -> None:
    """The floor, and often a wall behind the table."""
    put([slab((9000, 9000, 10), 5, plain(_one_of(rng, _FLOORS), 0.6), _FLOOR_HEIGHT)], (0, 0, 0))
    if has_wall and rng.random() < 0.7:
        wall = slab((9000, 40, 3400), 5, plain(_one_of(rng, _WALLS), 0.8), _FLOOR_HEIGHT)
        put([wall], (0, box[3] + float(rng.uniform(2300, 3200)), 0), float(rng.normal(0, 6)))


def _one_of(rng: Rng, colours: Sequence[Rgb]) -> Rgb:
    return colours[int(rng.choice(len(colours)))]


def _lay_cards(
    rng: Rng, table: Table, look: Look, thick: float, worn: float, ground: Ground, folder: Path
) -> tuple[list[Rest], list[Object], list[Material]]:
    """Lays all cards of a deck that is worn so much: how they rest, their objects and their materials."""
    deck = look.deck
    amount = float(rng.normal(0, 0.9)) * worn
    angle = float(rng.choice([np.pi / 2, np.pi / 2, 0.0])) + float(rng.normal(0, 0.15))
    materials = card_materials(rng, deck, look.back, folder)
    rests, objects = [], []
    for card in table.cards:
        flat = 1.0 if card.must or card.zone.startswith("column") else _IN_PILES
        curl = float(rng.uniform(0, 2.2)) * worn * flat if rng.random() < 0.2 else 0.0
        own = (amount * flat + float(rng.normal(0, 0.3)) * worn * flat) * (1 if card.up else -1)
        own_angle = angle + float(rng.normal(0, 0.1))
        corner = (int(rng.choice([-1, 1])), int(rng.choice([-1, 1])))
        bend = Bend(own, own_angle, corner, curl, (deck.width / 2, deck.height / 2))
        rests.append(settle(card, deck, bend, thick, ground))
        objects.append(card_object(rests[-1], materials))
    return rests, objects, materials


_IN_PILES: Final = 0.35
"""How much cards are bent that lie in piles, as a share of others."""


def hold_camera(
    rng: Rng, table: Table, side: int, stands: bool, points: Points, box: Box
) -> tuple[Camera, dict[str, Any]]:
    """A camera at the height at which phones are held, or near it, and its view for the label.

    Args:
        rng: Random generator.
        table: The table.
        side: Longer side of the picture, px.
        stands: Whether the phone may be held upright where the table is higher than wide.
        points: The corners of all cards, metres.
        box: The box round the cards, mm.
    """
    wide = rng.choice([4 / 3] * 6 + [16 / 9, 3 / 4])
    azimuth = float(rng.choice(table.azimuths))
    sideways = abs(azimuth) == 90
    tall = (box[3] - box[1]) / (box[2] - box[0])
    tall = 1 / tall if sideways else tall
    if stands and tall > 1.15:
        wide = rng.choice([3 / 4, 3 / 4, min(wide, 1 / wide)])
    if not sideways:
        wide = 3 / 4 if tall > 1 else 4 / 3
    short = round(side / max(wide, 1 / wide) / 2) * 2
    size = (side, short) if wide > 1 else (short, side)
    last = table.cards[-1]
    near = 2.0 if last.must or last.zone.startswith("column") else 1 + _IN_PILES  # as chance has it
    margin = float(rng.choice([0.025, 0.05, 0.09, 0.14])) / near
    best, best_off = None, np.inf
    for _ in range(40):
        tilt = float(rng.choice([rng.uniform(0, 12), rng.uniform(12, 40), rng.uniform(25, 55)])) / near
        turned = azimuth + float(rng.normal(0, 9))
        focal = float(rng.choice([24, 26, 26, 28, 35, 50])) * float(rng.uniform(0.97, 1.05))
        view = View(tilt, turned, float(rng.normal(0, 2.5)), focal, size)
        camera = framed(rng, points, view, margin)
        height = float(camera.position[2])
        off = max(0.0, 0.33 - height) + max(0.0, height - 0.85)
        if off < best_off:
            best, best_off = (camera, tilt), off
        if off == 0:
            break
    assert best is not None
    camera, tilt = best
    return camera, {"tilt": round(tilt, 1), "azimuth": round(azimuth), "focal": round(camera.focal, 1)}


@dataclass(frozen=True, slots=True)
class _Beside:
    """The room beside the cards, for things."""

    rng: Rng
    table: Table
    look: Look
    camera: Camera
    box: Box
    edge: Box
    ground: Ground
    room: float

    def add_things(self, back: Material) -> list[str]:
        """Puts some things where there is room; returns their kinds."""
        rng = self.rng
        wanted = [str(kind) for kind in rng.permutation(THINGS)[: int(rng.choice([0, 1, 2, 3, 4]))]]
        used: list[str] = []
        taken: list[tuple[float, float, float]] = []
        for kind in wanted:
            made, radius = make_thing(kind, rng, self.look.deck, back)
            place = next(
                (place for place in map(self._place, [kind] * 90) if self._is_free(kind, place, radius, taken)), None
            )
            if place is None:
                for item in made:
                    bpy.data.objects.remove(item)
                continue
            x, y = place
            turn = float(rng.normal(0, 18)) if kind == HAND else float(rng.uniform(0, 360))
            on_sheet = self.look.surface.startswith("sheet")
            put(made, (x, y, float(self.ground.at(np.array(x), np.array(y))) if on_sheet else 0.0), turn)
            taken.append((x, y, radius))
            used.append(kind)
        return used

    def _place(self, kind: str) -> tuple[float, float]:
        rng, (left, near, right, far) = self.rng, self.box
        if kind == HAND:
            return float(rng.uniform(left - 40, right + 40)), near - 95 - float(rng.uniform(0, 40))
        return float(rng.uniform(left - 260, right + 260)), float(rng.uniform(near - 160, far + 260))

    def _is_free(
        self, kind: str, place: tuple[float, float], radius: float, taken: Sequence[tuple[float, float, float]]
    ) -> bool:
        """Whether a thing at a place is in the picture, on the table and clear of cards and other things."""
        if kind != HAND:
            share = self.camera.project(np.array([[*place, 0.0]]) * MM)[0] / self.camera.size
            low, high = np.array(self.edge[:2]) + radius, np.array(self.edge[2:]) - radius
            in_picture = (share > -0.05).all() and (share < (1.05, 1.08)).all()
            if not (in_picture and (low < place).all() and (place < high).all()):
                return False
        half = np.hypot(self.look.deck.width, self.look.deck.height) / 2
        cards = np.array([[card.x, card.y] for card in self.table.cards])
        clear_of_cards = np.hypot(*(cards - place).T).min() >= radius + half * 0.86 + self.room
        return bool(clear_of_cards and all(np.hypot(place[0] - x, place[1] - y) >= radius + r for x, y, r in taken))
