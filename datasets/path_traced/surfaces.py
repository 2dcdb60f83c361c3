"""What cards lie on: wood, felt, cloth, stone, laminate, carpet, and sheets with folds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from datasets.path_traced.blender import Material, Nodes, Point, Rgb, linear
from datasets.path_traced.cloth import cloth_pattern
from datasets.picture_tools import Rng

SURFACES: Final[dict[str, tuple[str, ...]]] = {
    "validation": (
        *("wood-oak", "wood-walnut", "felt-green", "cloth-gingham-red", "cloth-linen", "laminate-grey"),
        *("sheet-stripes", "carpet-beige"),
    ),
    "test": (
        *("wood-pine", "wood-cherry", "felt-blue", "cloth-flowers", "cloth-tartan", "marble-white", "granite-black"),
        *("sheet-dots", "carpet-red"),
    ),
}
"""The surfaces of each split: a kind, and which of it."""
_WOODS: Final = {
    # middle, dark, light; roughness
    "oak": ((176, 130, 84), (140, 96, 56), (198, 154, 104), 0.42),
    "walnut": ((92, 60, 40), (58, 36, 24), (118, 80, 54), 0.3),
    "pine": ((222, 180, 120), (190, 138, 80), (236, 204, 150), 0.45),
    "cherry": ((134, 62, 36), (96, 40, 24), (160, 84, 50), 0.22),
}
_FELTS: Final = {"green": (22, 104, 62), "blue": (30, 62, 120)}
_CARPETS: Final = {"beige": (176, 160, 136), "red": (128, 34, 38)}
_WHITE: Final = (1.0, 1.0, 1.0)


def surface_material(name: str, rng: Rng, folder: Path) -> Material:
    """The material of a surface; a cloth's pattern is written to the folder, where Blender reads it."""
    kind, _, tail = name.partition("-")
    makers: dict[str, Callable[[str, Rng], Material]] = {
        "wood": _wood,
        "felt": _felt,
        "carpet": _carpet,
        "marble": _marble,
        "granite": _granite,
        "laminate": _laminate,
    }
    return makers.get(kind, partial(_cloth, folder=folder))(tail, rng)


def _scaled(colour: Rgb, factor: float) -> Rgb:
    r, g, b = (min(1.0, v * factor) for v in linear(colour))
    return r, g, b


def _anywhere(rng: Rng) -> Point:
    x, y, z = (float(v) for v in rng.uniform(-5, 5, 3))
    return x, y, z


def _wood(name: str, rng: Rng) -> Material:
    middle, dark, light, rough = _WOODS[name]
    nodes = Nodes(name)
    turn = float(rng.choice([0, np.pi / 2])) + float(rng.normal(0, 0.03))
    shift = _anywhere(rng)
    grain = nodes.noise(nodes.place((1.2, 16, 16), turn, shift), 3.2, 8, 0.62, 0.6)
    fine = nodes.noise(nodes.place((4, 260, 260), turn, shift), 2.0, 3, 0.6)
    colour = nodes.ramp(grain, [(0.32, linear(dark)), (0.5, linear(middle)), (0.68, linear(light))])
    colour = nodes.mix(0.8, colour, nodes.ramp(fine, [(0.35, (0.5, 0.46, 0.43)), (0.62, _WHITE)]), "MULTIPLY")
    if rng.random() < 0.6:  # planks
        bricks = {"Mortar Size": 0.0011, "Color1": (1, 1, 1, 1), "Color2": (0.72, 0.7, 0.68, 1)}
        bricks |= {"Mortar": (0.12, 0.1, 0.08, 1), "Brick Width": float(rng.uniform(0.9, 2.2))}
        bricks |= {"Row Height": float(rng.uniform(0.08, 0.18))}
        brick = nodes.add("ShaderNodeTexBrick", Scale=1.0, offset=0.37, **bricks)
        nodes.link(nodes.place((1, 1, 1), turn, shift), brick.inputs["Vector"])
        colour = nodes.mix(1.0, colour, brick.outputs["Color"], "MULTIPLY")
    nodes.colour(colour)
    nodes.rough(rough + float(rng.uniform(-0.08, 0.2)))
    nodes.bump(fine, 0.15, 0.0006)
    return nodes.material


def _felt(name: str, rng: Rng) -> Material:
    nodes = Nodes("felt")
    place = nodes.place()
    fuzz = nodes.noise(place, 900, 3, 0.7)
    broad = nodes.ramp(nodes.noise(place, 7, 4, 0.5), [(0.3, (0.55, 0.55, 0.55)), (0.7, _WHITE)])
    tone = nodes.ramp(fuzz, [(0.3, _scaled(_FELTS[name], 0.62)), (0.7, _scaled(_FELTS[name], 1.35))])
    nodes.colour(nodes.mix(0.35, tone, broad, "MULTIPLY"))
    nodes.rough(1.0, 0.1)
    nodes.set(Sheen_Weight=0.25)
    nodes.bump(fuzz, 0.7, 0.0012)
    return nodes.material


def _carpet(name: str, rng: Rng) -> Material:
    nodes = Nodes("carpet")
    place = nodes.place()
    loops = nodes.add("ShaderNodeTexVoronoi", Scale=float(rng.uniform(230, 380)))
    nodes.link(place, loops.inputs["Vector"])
    distance = loops.outputs["Distance"]
    broad = nodes.ramp(nodes.noise(place, 25, 5, 0.6), [(0.35, (0.5, 0.48, 0.46)), (0.65, _WHITE)])
    tone = nodes.ramp(distance, [(0.0, _scaled(_CARPETS[name], 1.25)), (0.75, _scaled(_CARPETS[name], 0.3))])
    nodes.colour(nodes.mix(0.5, tone, broad, "MULTIPLY"))
    nodes.rough(1.0, 0.05)
    nodes.bump(distance, 1.0, -0.004)
    return nodes.material


def _marble(name: str, rng: Rng) -> Material:
    nodes, place = _stone(rng)
    tones = [(0.40, (236, 234, 230)), (0.492, (150, 150, 156)), (0.51, (226, 224, 222)), (0.7, (242, 241, 238))]
    veins = nodes.noise(place, 3.2, 9, 0.62, 2.2)
    nodes.colour(nodes.ramp(veins, [(stop, linear(tone)) for stop, tone in tones]))
    nodes.rough(float(rng.uniform(0.12, 0.3)))
    return nodes.material


def _granite(name: str, rng: Rng) -> Material:
    nodes, place = _stone(rng)
    tones = [(0.35, (16, 17, 20)), (0.56, (44, 45, 50)), (0.66, (150, 146, 140)), (0.72, (60, 60, 64))]
    specks = nodes.noise(place, 420, 5, 0.75)
    nodes.colour(nodes.ramp(specks, [(stop, linear(tone)) for stop, tone in tones]))
    nodes.rough(float(rng.uniform(0.15, 0.35)))
    return nodes.material


def _stone(rng: Rng) -> tuple[Nodes, Material]:
    nodes, shift = Nodes("stone"), _anywhere(rng)
    return nodes, nodes.place((1, 1, 1), float(rng.uniform(0, 3)), shift)


def _laminate(name: str, rng: Rng) -> Material:
    nodes = Nodes("laminate")
    tones = [(0.4, linear((176, 178, 180))), (0.62, linear((206, 206, 204)))]
    nodes.colour(nodes.ramp(nodes.noise(nodes.place(), 240, 4, 0.7), tones))
    nodes.rough(float(rng.uniform(0.25, 0.5)))
    return nodes.material


def _cloth(name: str, rng: Rng, folder: Path) -> Material:
    repeat = 0.25 if name == "linen" else float(rng.uniform(0.14, 0.3))
    nodes = Nodes("cloth")
    cloth_pattern(name, rng).save(folder / "cloth.png")
    image = nodes.image(folder / "cloth.png")
    turn = float(rng.choice([0, np.pi / 2])) + float(rng.normal(0, 0.06))
    nodes.link(nodes.place((1 / repeat, 1 / repeat, 1), turn), image.inputs["Vector"])
    place = nodes.place()
    thread, broad = nodes.noise(place, 1500, 2, 0.5), nodes.noise(place, 6, 5, 0.6)
    tone = nodes.ramp(thread, [(0.3, (0.5, 0.5, 0.5)), (0.7, _WHITE)])
    nodes.colour(nodes.mix(0.3, image.outputs["Color"], tone, "MULTIPLY"))
    nodes.rough(0.95, 0.15)
    nodes.bump(nodes.mix(0.25, broad, thread), 0.5, 0.006)
    return nodes.material
