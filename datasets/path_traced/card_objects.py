"""Cards as objects of a Blender scene."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.path_traced.backs import back
from datasets.path_traced.blender import Material, Nodes, Object, bpy, linear, link, quads
from datasets.path_traced.decks import Deck, atlas, cell
from datasets.path_traced.rest import MM, Rest
from datasets.picture_tools import Points, Rng

_ROUND: Final = 3.4
_ACROSS: Final = 10


def card_materials(rng: Rng, deck: Deck, back_name: str, folder: Path) -> list[Material]:
    """The materials of faces, backs and edges; pictures are written to the folder, where Blender reads them."""
    rough = float(rng.choice([0.28, 0.4, 0.5, 0.6]))
    made = []
    for name, picture in (("face", atlas(deck)), ("back", back(back_name, deck))):
        nodes = Nodes(name)
        picture.save(folder / f"{name}.png")
        image = nodes.image(folder / f"{name}.png")
        image.interpolation = "Cubic"
        nodes.colour(nodes.mix(1.0, image.outputs["Color"], (0.86, 0.86, 0.85), "MULTIPLY"))
        nodes.rough(rough)
        grain = nodes.noise(nodes.place(), float(rng.uniform(900, 1600)), 2)
        nodes.bump(grain, float(rng.uniform(0.02, 0.08)), 0.0004)
        made.append(nodes.material)
    edge = Nodes("edge")
    edge.colour(linear((226, 222, 212)))
    edge.rough(0.8, 0.2)
    return [*made, edge.material]


def _outline_rows(deck: Deck) -> Points:
    """Points of a card in rows of equal number, denser at its round corners; (rows, columns, 2), mm."""
    straight = deck.height / 2 - _ROUND
    ends = [straight + _ROUND * math.sin(t) for t in np.linspace(0, math.pi / 2, 5)]
    rows = np.unique(np.round([*np.linspace(-straight, straight, 11), *ends, *(-end for end in ends)], 4))
    over = np.maximum(0.0, np.abs(rows) - straight)
    half = deck.width / 2 - _ROUND + np.sqrt(np.maximum(0.0, _ROUND**2 - over**2))
    x = half[:, None] * np.linspace(-1, 1, _ACROSS)
    return np.stack([x, np.broadcast_to(rows[:, None], x.shape)], 2)


def card_object(rest: Rest, materials: list[Material]) -> Object:
    """The card at rest: its two faces, and a rim with points of its own, so that no shade runs over the edge."""
    card, deck = rest.card, rest.deck
    grid = _outline_rows(deck)
    points, count = grid.reshape(-1, 2), grid[..., 0].size
    z = rest.under(points[:, 0], points[:, 1])
    both = np.concatenate([np.column_stack([points, z + rest.thick]), np.column_stack([points, z])]) * MM
    upper = quads(len(grid), _ACROSS)
    lower = [tuple(count + corner for corner in reversed(face)) for face in upper]
    number = np.arange(count).reshape(len(grid), _ACROSS)
    rim = [*number[0], *number[1:, -1], *number[-1, -2::-1], *number[-2::-1, 0]]
    edge = [(2 * count + a, 3 * count + a, 3 * count + b, 2 * count + b) for a, b in pairwise(rim)]
    faces = [*upper, *lower, *edge]
    slots = np.repeat([0, 1, 2] if card.up else [1, 0, 2], [len(upper), len(lower), len(edge)])
    mesh = bpy.data.meshes.new("card")
    mesh.from_pydata(np.concatenate([both, both]).tolist(), [], [[int(i) for i in face] for face in faces])
    loops = np.array([corner for face in faces for corner in face])
    mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", _texture(rest, points, loops, np.repeat(slots, 4)).ravel())
    for material in materials:
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", slots.astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", slots < 2)
    mesh.update()
    item = link("card", mesh)
    item.location = (card.x * MM, card.y * MM, 0)
    item.rotation_euler = (0, 0, math.radians(card.turn))
    return item


def _texture(rest: Rest, points: Points, loops: NDArray[np.int64], slots: NDArray[np.int64]) -> NDArray[np.float32]:
    """Places in the textures: of a face in the atlas of faces, of a back in the whole picture."""
    half = (rest.deck.width, rest.deck.height)
    u, v = np.clip(points[loops % len(points)] / half + 0.5, (0.004, 0.003), (0.996, 0.997)).T
    u = np.where(loops // len(points) % 2 == 1, 1 - u, u)
    left, low, wide, high = cell(rest.card.face)
    is_face = slots == 0
    places = np.column_stack([np.where(is_face, left + u * wide, u), np.where(is_face, low + v * high, v)])
    return places.astype(np.float32)
