"""What lies beside the cards: a cup, a glass, a phone, a pen, coins, the deck's box, a score sheet, a hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from datasets.path_traced.blender import (
    Material,
    Nodes,
    Object,
    Point,
    Rgb,
    bpy,
    lathe,
    linear,
    link,
    plain,
    quads,
    slab,
    solid,
)
from datasets.path_traced.decks import Deck
from datasets.path_traced.rest import MM
from datasets.picture_tools import Rng

HAND: Final = "hand"
"""The thing that comes from the player's side."""
_Made = tuple[list[Object], float]


def make_thing(kind: str, rng: Rng, deck: Deck, back: Material) -> _Made:
    """Objects round the origin, and the radius that they need, mm.

    Args:
        kind: One of `THINGS`.
        rng: Random generator.
        deck: The deck, of which the box is.
        back: The material of its backs, which the box shows.
    """
    return _box(rng, deck, back) if kind == "box" else _MAKERS[kind](rng)


def _tint(rng: Rng, colours: Sequence[Rgb]) -> Rgb:
    return colours[int(rng.integers(len(colours)))]


def _any_tint(rng: Rng, low: float, high: float) -> Rgb:
    r, g, b = (float(v) for v in rng.uniform(low, high, 3))
    return r, g, b


def _cup(rng: Rng) -> _Made:
    china = plain(_tint(rng, [(240, 238, 232), (60, 90, 130), (180, 60, 50), (50, 50, 54), (220, 190, 120)]), 0.2)
    outside = [(0.1, 2), (26, 2), (28, 0), (37, 30), (41, 85), (42, 88)]
    body = lathe([*outside, (39, 88), (35, 30), (25, 6), (0.1, 6)], china)
    liquid = plain(_tint(rng, [(46, 26, 14), (120, 62, 20), (196, 160, 120)]), 0.08)
    drink = lathe([(0.1, 70), (38.3, 70)], liquid)
    bow = [(math.cos(angle) * 22 + 44, 46 + math.sin(angle) * 26) for angle in np.linspace(-1.5, 1.5, 14)]
    ring = [(3 * math.cos(b), 5 * math.sin(b)) for b in np.linspace(0, 2 * math.pi, 10, endpoint=False)]
    vertices = [(x + out, side, z + out) for x, z in bow for out, side in ring]
    return [body, drink, solid(vertices, quads(14, 10, closed=True), china, smooth=True)], 58


def _glass(rng: Rng) -> _Made:
    nodes = Nodes("glass")
    nodes.colour((0.95, 0.97, 0.97))
    nodes.rough(0.02)
    nodes.set(Transmission_Weight=1.0)
    return [lathe([(0.1, 0), (30, 0), (36, 120), (34, 120), (28, 8), (0.1, 8)], nodes.material)], 42


def _phone(rng: Rng) -> _Made:
    body = slab((72, 150, 8), 9, plain(_tint(rng, [(20, 20, 22), (190, 192, 196), (60, 80, 110)]), 0.3))
    return [body, slab((68, 146, 0.3), 7, plain((8, 8, 10), 0.06), 8)], 86


def _pen(rng: Rng) -> _Made:
    profile = [(0.1, -70), (1, -69), (4, -58), (4.6, 60), (3, 68), (0.1, 68)]
    body = lathe(profile, plain(_any_tint(rng, 10, 220), 0.25), 20)
    body.rotation_euler = (math.radians(90), 0, 0)
    body.location = (0, 0, 4.7 * MM)
    return [body], 74


def _coins(rng: Rng) -> _Made:
    made = []
    for _ in range(int(rng.integers(2, 6))):
        r = float(rng.uniform(9, 13))
        metal = plain(_tint(rng, [(200, 160, 80), (190, 190, 190), (180, 104, 60)]), 0.32, 1.0)
        profile = [(0.1, 1.9), (r - 1.4, 1.9), (r - 1, 2.2), (r, 2.1), (r, 0)]
        coin = lathe(profile, metal, 32, smooth=False)
        coin.location = (float(rng.uniform(-30, 30)) * MM, float(rng.uniform(-30, 30)) * MM, 0)
        made.append(coin)
    return made, 44


def _box(rng: Rng, deck: Deck, back: Material) -> _Made:
    body = slab((deck.width + 4, deck.height + 4, 19), 1.2, plain(_any_tint(rng, 15, 150), 0.35))
    signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    front = solid([(x * deck.width * 0.3, y * deck.height * 0.3, 19.1) for x, y in signs], [(0, 1, 2, 3)], back)
    layer = front.data.uv_layers.new(name="UVMap")
    layer.data.foreach_set("uv", np.array([0.5 + 0.3 * side for sign in signs for side in sign], np.float32))
    return [body, front], 58


def _paper(rng: Rng) -> _Made:
    made = [slab((105, 148, 0.4), 0.5, plain((244, 242, 236), 0.9))]
    ink = plain((30, 40, 110), 0.8)
    for row in range(int(rng.integers(4, 12))):
        for column in range(2):
            y = 56 - row * 10
            for stroke in range(int(rng.integers(2, 5))):
                x = -38 + column * 46 + stroke * 6 + float(rng.normal(0, 0.6))
                low, high = x + float(rng.uniform(-2, 2)), x + float(rng.uniform(-2, 2))
                line = [(low - 0.3, y - 2.4), (low + 0.4, y - 2.4), (high + 0.4, y + 2.4), (high - 0.3, y + 2.4)]
                made.append(solid([(*point, 0.5) for point in line], [(0, 1, 2, 3)], ink))
    return made, 92


def _hand(rng: Rng) -> _Made:
    """A hand that lies on the table, its fingers towards +y: balls that melt into each other, as a mesh."""
    data = bpy.data.metaballs.new(HAND)
    data.resolution = data.render_resolution = 0.0035
    ball = link(HAND, data)

    def limb(points: Sequence[Point], radii: Sequence[float]) -> None:
        for start, end, r0, r1 in zip(points, points[1:], radii, radii[1:], strict=False):
            for t in np.linspace(0, 1, max(2, int(math.dist(start, end) / 5))):
                element = data.elements.new()
                element.co = (np.array(start) + (np.array(end) - start) * t) * MM
                element.radius = (r0 + (r1 - r0) * float(t)) * MM * 1.45
                element.stiffness = 4.0

    spread = float(rng.uniform(0.6, 1.5))
    for i, (x, long) in enumerate(((-30, 66), (-11, 78), (8, 74), (26, 58))):
        lean, curl = (i - 1.5) * 7 * spread, float(rng.uniform(0, 16))
        knuckle = (x + lean * 0.5, long * 0.5, 24 + curl * 0.5)
        limb([(x, 0, 20), knuckle, (x + lean, long - curl * 0.6, 9)], [10, 9, 7])
    limb([(-36, -55, 16), (-58, -25, 18), (-66, 8, 10)], [14, 11, 9])
    for x in (-26, -10, 8, 22):
        limb([(x, 0, 18), (x * 0.8, -45, 18), (x * 0.6, -85, 20)], [13, 15, 15])
    limb([(0, -85, 22), (0, -200, 34), (0, -340, 46)], [24, 27, 33])
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(ball.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(ball)
    mesh.materials.append(_skin(rng))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    cloth = plain(_any_tint(rng, 20, 190), 0.95)
    sleeve = lathe([(30, -90), (46, -88), (52, 0), (60, 180)], cloth, 32)
    sleeve.rotation_euler = (math.radians(90), 0, 0)
    sleeve.location = (0, -230 * MM, 38 * MM)
    return [link(HAND, mesh), sleeve], 85


def _skin(rng: Rng) -> Material:
    nodes = Nodes("skin")
    r, g, b = linear(_tint(rng, [(222, 172, 142), (196, 142, 108), (150, 100, 72), (236, 190, 164)]))
    nodes.colour(nodes.ramp(nodes.noise(nodes.place(), 60, 4), [(0.35, (r, g * 0.84, b * 0.8)), (0.65, (r, g, b))]))
    nodes.rough(0.5, 0.4)
    nodes.bump(nodes.noise(nodes.place(), 500, 3), 0.25, 0.0008)
    return nodes.material


_MAKERS: Final[dict[str, Callable[[Rng], _Made]]] = {
    "cup": _cup,
    "glass": _glass,
    "phone": _phone,
    "pen": _pen,
    "coins": _coins,
    "paper": _paper,
    HAND: _hand,
}
THINGS: Final = ("cup", "glass", "phone", "pen", "coins", "box", "paper", HAND)
"""All kinds of things."""
