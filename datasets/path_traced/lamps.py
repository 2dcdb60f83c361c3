"""The light over a table: a room, its lamps or the sun, and the shadow of who takes the photo. Lengths in metres."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.path_traced.blender import Matrix, Object, Rgb, Vector, bpy, lathe, link, plain, slab
from datasets.path_traced.camera import Camera
from datasets.path_traced.rest import MM
from datasets.picture_tools import Points, Rng

LIGHTS: Final = ("window", "window", "ceiling", "ceiling", "desk lamp", "sun", "dull", "evening", "flash")
"""The kinds of light, the usual ones twice."""
_AMBIENT: Final = dict(zip(dict.fromkeys(LIGHTS), (0.25, 0.26, 0.1, 0.45, 0.8, 0.09, 0.1), strict=True))
"""How bright the room is."""
_ROOMS: Final = ("interior", "interior", "courtyard", "city", "studio")
"""Photographs of whole rooms that come with Blender."""


def kelvin(temperature: float) -> Rgb:
    """Colour of a lamp, roughly, as light with green 1."""
    t = temperature / 100
    r = 255 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    g = 99.47 * math.log(t) - 161.12 if t <= 66 else 288.12 * (t - 60) ** -0.0755
    b = 255 if t >= 66 else 138.52 * math.log(t - 10) - 305.04
    red, green, blue = (max(1.0, min(255.0, v)) for v in (r, g, b))
    return (red / green) ** 2.2, 1.0, (blue / green) ** 2.2


def light_scene(kind: str, rng: Rng, centre: Points, camera: Camera) -> list[Object]:
    """Lights the scene; returns what moves where the camera moves.

    Args:
        kind: One of `LIGHTS`.
        rng: Random generator.
        centre: The middle of the cards.
        camera: The camera, whose flash may light, and behind which somebody may stand.
    """
    _light_room(kind, rng)
    held: list[Object] = []
    angle = float(rng.uniform(0, 2 * math.pi))
    around = np.array([math.cos(angle), math.sin(angle), 0.0])

    def at(aside: float, up: float) -> Points:
        return centre + around * aside + (0.0, 0.0, up)

    def warm() -> Rgb:
        return kelvin(float(rng.uniform(2600, 4200)))

    match kind:
        case "window":
            place = at(float(rng.uniform(1.1, 2.2)), float(rng.uniform(0.5, 1.2)))
            energy, colour = float(rng.uniform(60, 110)), kelvin(float(rng.uniform(5600, 7800)))
            size = {"size": float(rng.uniform(0.6, 1.2)), "size_y": float(rng.uniform(0.9, 1.5))}
            _lamp("AREA", energy, colour, place, centre, shape="RECTANGLE", **size)
        case "ceiling" | "evening":
            place = at(float(rng.uniform(0.05, 0.7)), float(rng.uniform(1.0, 1.8)))
            energy = 45.0 if kind == "ceiling" else 20.0
            _lamp("AREA", energy, warm(), place, centre, shape="DISK", size=float(rng.uniform(0.12, 0.5)))
            if rng.random() < 0.3:
                place = at(-float(rng.uniform(0.8, 1.5)), 1.5)
                _lamp("AREA", energy * 0.5, warm(), place, centre, shape="DISK", size=0.2)
        case "desk lamp":
            place = at(float(rng.uniform(0.3, 0.5)), float(rng.uniform(0.38, 0.6)))
            energy, colour = float(rng.uniform(12, 18)), kelvin(float(rng.uniform(2700, 5000)))
            _lamp("POINT", energy, colour, place, centre, shadow_soft_size=float(rng.uniform(0.012, 0.04)))
        case "sun":
            low = math.radians(float(rng.uniform(22, 55)))
            place = at(math.cos(low) * 4, math.sin(low) * 4)
            energy, colour = float(rng.uniform(2.2, 4)), kelvin(float(rng.uniform(4800, 5800)))
            _lamp("SUN", energy, colour, place, centre, angle=math.radians(0.6))
            if rng.random() < 0.6:
                _window_bars(centre, place)
        case "flash":
            beside = camera.position + camera.right * 0.012 + camera.up * 0.01
            held.append(_lamp("AREA", 3.0, kelvin(5600), beside, centre, shape="DISK", size=0.006))
            _lamp("AREA", 12, kelvin(3000), at(0.6, 1.6), centre, shape="DISK", size=0.3)
        case _:
            _lamp("AREA", 18, kelvin(5200), at(0, 2.0), centre, shape="RECTANGLE", size=2.0, size_y=2.0)
    if kind != "flash" and rng.random() < 0.6:
        held += _photographer(camera)
    return held


def _light_room(kind: str, rng: Rng) -> None:
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method = "NONE"
    tree = world.node_tree
    new, wire = tree.nodes.new, tree.links.new
    coordinates, mapping = new("ShaderNodeTexCoord"), new("ShaderNodeMapping")
    image, pale, background = new("ShaderNodeTexEnvironment"), new("ShaderNodeHueSaturation"), tree.nodes["Background"]
    rooms = Path(bpy.utils.system_resource("DATAFILES")) / "studiolights/world"
    image.image = bpy.data.images.load(str(rooms / f"{rng.choice(_ROOMS)}.exr"))
    mapping.inputs["Rotation"].default_value = (0, 0, float(rng.uniform(0, 2 * math.pi)))
    pale.inputs["Saturation"].default_value = float(rng.uniform(0.15, 0.45))  # shadows in a room are nearly grey
    background.inputs["Strength"].default_value = _AMBIENT[kind] * float(rng.uniform(0.6, 1.4))
    wire(coordinates.outputs["Generated"], mapping.inputs["Vector"])
    wire(mapping.outputs["Vector"], image.inputs["Vector"])
    wire(image.outputs["Color"], pale.inputs["Color"])
    wire(pale.outputs["Color"], background.inputs["Color"])


def _lamp(kind: str, energy: float, colour: Rgb, place: Points, target: Points, **settings: Any) -> Object:
    data = bpy.data.lights.new("lamp", kind)
    data.energy = energy
    data.color = colour
    for key, value in settings.items():
        setattr(data, key, value)
    item = link("lamp", data)
    item.location = Vector(place)
    item.rotation_euler = Vector(target - place).to_track_quat("-Z", "Y").to_euler()
    return item


def _window_bars(centre: Points, sun: Points) -> None:
    """A window's bars between the sun and the table."""
    place = Matrix.Translation(Vector(centre + (sun - centre) * 0.4))
    facing = Vector(sun - centre).to_track_quat("Z", "Y").to_matrix().to_4x4()
    for x, y, wide, high in ((0, 0, 25, 1400), (0, 100, 1400, 20), (-480, 0, 500, 1600), (480, 0, 500, 1600)):
        bar = slab((wide, high, 12), 1, plain((230, 230, 228), 0.5))
        bar.matrix_world = place @ facing @ Matrix.Translation((x * MM, y * MM, 0))


def _photographer(camera: Camera) -> list[Object]:
    """Somebody's phone and head, which cast a shadow."""
    phone = slab((75, 155, 8), 8, plain((40, 40, 46), 0.7))
    quarter = math.radians(90 if camera.size[0] > camera.size[1] else 0)
    behind = Matrix.Translation(Vector(camera.position - camera.forward * 0.006))
    phone.matrix_world = behind @ Matrix(camera.axes.tolist()).to_4x4() @ Matrix.Rotation(quarter, 4, "Z")
    profile = [(0.1, -110), (60, -90), (85, -20), (85, 30), (60, 100), (0.1, 115)]
    head = lathe(profile, plain((120, 90, 75), 0.8), 24)
    level = camera.forward * (1, 1, 0)
    level = level / max(1e-6, float(np.linalg.norm(level)))
    head.location = Vector(camera.position - camera.forward * 0.25 - level * 0.1 + (0, 0, 0.05))
    return [phone, head]
