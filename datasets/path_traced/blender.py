"""What is used of Blender: shader nodes, solids, and rendering with Cycles. Lengths in millimetres.

Without Blender this module can be imported; `need_blender` says what is missing.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from datasets.decks.fonts import SynthError
from datasets.path_traced.camera import SENSOR_MM, Camera, Shot
from datasets.path_traced.developing import Light
from datasets.path_traced.fairness import Ids
from datasets.path_traced.rest import MM
from datasets.picture_tools import Points
from plumbing.files import whole_file

try:
    import bpy
    from mathutils import Matrix, Vector
except ModuleNotFoundError:
    bpy = Matrix = Vector = None

Object = Any
Material = Any
Socket = Any
"""Blender's: what is in a scene, its surface, and the end of a link between shader nodes."""
Rgb = tuple[float, float, float]
Point = tuple[float, float, float]
__all__ = ["Matrix", "Vector", "bpy"]


def need_blender() -> None:
    """Raises SynthError where Blender is not installed."""
    if bpy is None:
        raise SynthError(
            "Blender is missing; install it with pip install -e '.[trace]' (datasets/README.md says where)"
        )


def linear(colour: Rgb) -> Rgb:
    """A colour of sRGB, 0 to 255, as light, 0 to 1."""
    r, g, b = (float(((v / 255 + 0.055) / 1.055) ** 2.4) for v in colour)
    return r, g, b


class Nodes:
    """A new material, and help to wire its shader nodes.

    Args:
        name: The material's name.

    Attributes:
        material: The material.
        bsdf: Its main shader.
    """

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.bsdf = self.tree.nodes["Principled BSDF"]

    def add(self, kind: str, **settings: Any) -> Any:
        """A new node; settings are values of its inputs, or else its own."""
        node = self.tree.nodes.new(kind)
        for key, value in settings.items():
            if key in node.inputs:
                node.inputs[key].default_value = value
            else:
                setattr(node, key, value)
        return node

    def link(self, start: Socket, end: Socket) -> None:
        """Links an output to an input."""
        self.tree.links.new(start, end)

    def place(self, scale: Point = (1, 1, 1), turn: float = 0.0, shift: Point = (0, 0, 0)) -> Socket:
        """Places of the object, scaled, turned and shifted."""
        coordinates = self.add("ShaderNodeTexCoord")
        mapping = self.add("ShaderNodeMapping", Scale=scale, Rotation=(0, 0, turn), Location=shift)
        self.link(coordinates.outputs["Object"], mapping.inputs["Vector"])
        return mapping.outputs["Vector"]

    def noise(
        self, place: Socket, scale: float, detail: float = 4.0, rough: float = 0.55, distortion: float = 0.0
    ) -> Socket:
        """Clouds, 0 to 1."""
        node = self.add("ShaderNodeTexNoise", Scale=scale, Detail=detail, Roughness=rough, Distortion=distortion)
        self.link(place, node.inputs["Vector"])
        return node.outputs[0]

    def ramp(self, factor: Socket, stops: Sequence[tuple[float, Rgb]]) -> Socket:
        """Colours by a factor."""
        node = self.add("ShaderNodeValToRGB")
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position = position
            element.color = (*colour, 1)
        self.link(factor, node.inputs[0])
        return node.outputs[0]

    def mix(self, factor: float, first: Socket, second: Socket | Rgb, blend: str = "MIX") -> Socket:
        """Two colours, mixed."""
        node = self.add("ShaderNodeMixRGB", blend_type=blend)
        node.inputs[0].default_value = factor
        self.link(first, node.inputs[1])
        if isinstance(second, tuple):
            node.inputs[2].default_value = (*second, 1)
        else:
            self.link(second, node.inputs[2])
        return node.outputs[0]

    def image(self, path: Path) -> Any:
        """A texture from a file."""
        node = self.add("ShaderNodeTexImage")
        node.image = bpy.data.images.load(str(path))
        return node

    def bump(self, height: Socket, strength: float, distance: float) -> None:
        """Gives the surface a relief."""
        node = self.add("ShaderNodeBump", Strength=strength, Distance=distance)
        self.link(height, node.inputs["Height"])
        self.link(node.outputs[0], self.bsdf.inputs["Normal"])

    def colour(self, value: Socket | Rgb) -> None:
        """Gives the surface its colour."""
        if isinstance(value, tuple):
            self.bsdf.inputs["Base Color"].default_value = (*value, 1)
        else:
            self.link(value, self.bsdf.inputs["Base Color"])

    def set(self, **settings: float) -> None:
        """Sets inputs of the main shader; `Sheen_Weight` is its "Sheen Weight"."""
        for key, value in settings.items():
            self.bsdf.inputs[key.replace("_", " ")].default_value = value

    def rough(self, value: float, specular: float = 0.5) -> None:
        """Says how rough the surface is, 0 to 1, and how much it mirrors."""
        self.set(Roughness=value, Specular_IOR_Level=specular)


def plain(colour: Rgb, rough: float, metal: float = 0.0) -> Material:
    """A material of one colour, of sRGB, 0 to 255."""
    nodes = Nodes("plain")
    nodes.colour(linear(colour))
    nodes.rough(rough)
    nodes.set(Metallic=metal)
    return nodes.material


def link(name: str, data: Any) -> Object:
    """A new object of the scene."""
    item = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(item)
    return item


def solid(
    vertices: Sequence[Sequence[float]] | Points,
    faces: Sequence[tuple[int, ...]],
    material: Material,
    *,
    smooth: bool = False,
) -> Object:
    """An object by its corners and faces."""
    mesh = bpy.data.meshes.new("solid")
    mesh.from_pydata((np.asarray(vertices) * MM).tolist(), [], faces)
    mesh.materials.append(material)
    mesh.polygons.foreach_set("use_smooth", np.full(len(faces), smooth))
    mesh.update()
    return link("solid", mesh)


def quads(rows: int, columns: int, *, closed: bool = False) -> list[tuple[int, ...]]:
    """The faces between the points of a grid; `closed`: its last column is joined to its first."""
    beside = [*pairwise(range(columns)), *[(columns - 1, 0)] * closed]
    return [
        (r + a, r + b, r + columns + b, r + columns + a)
        for r in range(0, (rows - 1) * columns, columns)
        for a, b in beside
    ]


def lathe(
    profile: Sequence[tuple[float, float]], material: Material, steps: int = 48, *, smooth: bool = True
) -> Object:
    """A turned object by its radius and height."""
    angles = [2 * math.pi * i / steps for i in range(steps)]
    vertices = [(r * math.cos(angle), r * math.sin(angle), z) for r, z in profile for angle in angles]
    return solid(vertices, quads(len(profile), steps, closed=True), material, smooth=smooth)


def slab(size: Point, radius: float, material: Material, base: float = 0.0) -> Object:
    """A box of some width, length and height with rounded corners; `base` is the height of its underside."""
    wide, long, high = size
    outline = []
    for quarter in range(4):
        x = (wide / 2 - radius) * (1 if quarter in (0, 3) else -1)
        y = (long / 2 - radius) * (1 if quarter < 2 else -1)
        angles = quarter * math.pi / 2 + np.linspace(0, math.pi / 2, 7)
        outline += [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
    bevel, count = min(0.8, high / 4), len(outline)
    rings = [(1.0, 0.0), (1.0, high - bevel), (1 - 2 * bevel / wide, high)]
    vertices = [(x * k, y * k, base + z) for k, z in rings for x, y in outline]
    faces = [*quads(3, count, closed=True), tuple(range(2 * count, 3 * count))]
    return solid(vertices, faces, material)


def put(items: Sequence[Object], place: Point, turn: float = 0.0) -> None:
    """Moves objects from the origin to a place, turned by so many degrees."""
    move = Matrix.Translation(Vector(place) * MM) @ Matrix.Rotation(math.radians(turn), 4, "Z")
    for item in items:
        item.matrix_world = move @ item.matrix_basis


def clear() -> None:
    """An empty scene, to be rendered on one core of the processor."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode = "FIXED"
    scene.render.threads = 1
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.max_bounces = cycles.transmission_bounces = 8
    cycles.diffuse_bounces = cycles.glossy_bounces = 2
    cycles.use_light_tree = cycles.use_adaptive_sampling = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"


def set_camera(camera: Camera, focus: float, stop: float) -> None:
    """Photographs the scene with a camera that is focused at `focus` metres, with such an f-number."""
    data = bpy.data.cameras.new("camera")
    data.sensor_width = SENSOR_MM
    data.lens = camera.focal
    data.clip_start = 0.01
    data.dof.use_dof = True
    data.dof.focus_distance = focus
    data.dof.aperture_fstop = stop
    item = link("camera", data)
    item.matrix_world = _pose(camera)
    scene = bpy.context.scene
    scene.camera = item
    scene.render.resolution_x, scene.render.resolution_y = camera.size


def _pose(camera: Camera) -> Any:
    return Matrix.Translation(Vector(camera.position)) @ Matrix(camera.axes.tolist()).to_4x4()


def begin_film(camera: Camera, held: Iterable[Object]) -> None:
    """Makes ready to film the scene: it stays in memory, and what is held moves with the camera from now on."""
    scene = bpy.context.scene
    for item in held:
        item.parent = scene.camera
        item.matrix_parent_inverse = _pose(camera).inverted()
    scene.camera.rotation_mode = "QUATERNION"
    render = scene.render
    render.use_persistent_data = render.use_motion_blur = True
    render.motion_blur_shutter = 2.0
    render.image_settings.color_depth = "16"
    scene.cycles.rolling_shutter_type = "TOP"
    scene.cycles.diffuse_bounces = scene.cycles.glossy_bounces = 1


def render_shot(path: Path, shot: Shot, samples: int, seed: int) -> None:
    """Renders a frame of a film into a file; the seed makes the noise of each frame its own."""
    scene = bpy.context.scene
    item = scene.camera
    item.animation_data_clear()
    item.data.dof.focus_distance = shot.focus
    item.data.dof.aperture_fstop = shot.stop
    item.data.lens = shot.opening.focal
    scene.render.resolution_x, scene.render.resolution_y = shot.opening.size
    turn = None
    for frame, camera in ((0, shot.opening), (2, shot.closing)):
        place, turned, _ = _pose(camera).decompose()
        if turn is not None:
            turned.make_compatible(turn)
        item.location, item.rotation_quaternion, turn = place, turned, turned
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_quaternion", frame=frame)
    scene.frame_set(1)
    scene.cycles.rolling_shutter_duration = shot.share
    scene.cycles.seed = seed
    _denoise(samples)
    with whole_file(path) as part:
        _render_into(part.with_suffix(".exr"))
        part.with_suffix(".exr").rename(part)


def render_ids(folder: Path, cards: Sequence[Object], percent: int) -> Ids:
    """Which card each pixel shows, in a picture of `percent` of the size; the scene stays as it is."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    nodes = Nodes("ids")
    info, emission = nodes.add("ShaderNodeObjectInfo"), nodes.add("ShaderNodeEmission")
    nodes.link(info.outputs["Color"], emission.inputs["Color"])
    nodes.link(emission.outputs[0], nodes.tree.nodes["Material Output"].inputs["Surface"])
    nodes.material.cycles.emission_sampling = "NONE"
    lamps = [item for item in bpy.data.objects if item.type == "LIGHT"]
    for item in bpy.data.objects:
        item.color = (0, 0, 0, 1)
    for place, item in enumerate(cards):
        item.color = ((place + 1) / 256, 1.0, 0, 1)
    for item in lamps:
        item.hide_render = True
    world, scene.world = scene.world, None
    bounces, scene.cycles.max_bounces = scene.cycles.max_bounces, 0
    scene.camera.data.dof.use_dof = False
    layer.material_override = nodes.material
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False
    scene.cycles.pixel_filter_type = "BOX"
    scene.cycles.filter_width = 0.01
    scene.render.resolution_percentage = percent
    found = _render(folder / "ids.exr")
    scene.render.resolution_percentage = 100
    layer.material_override = None
    scene.camera.data.dof.use_dof = True
    scene.cycles.max_bounces = bounces
    scene.world = world
    for item in lamps:
        item.hide_render = False
    return np.where(found[..., 1] < 0.5, -1, np.rint(found[..., 0] * 256).astype(np.int64) - 1)


def render_light(folder: Path, samples: int) -> Light:
    """The light that falls into the camera, red, green and blue (H, W, 3), from so many samples a pixel."""
    _denoise(samples)
    return _render(folder / "light.exr")


def _denoise(samples: int) -> None:
    cycles = bpy.context.scene.cycles
    cycles.samples = samples
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = "FAST"
    cycles.denoising_quality = "BALANCED"
    cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    cycles.filter_width = 1.3


def _render(path: Path) -> Light:
    _render_into(path)
    return read_light(path)


def _render_into(path: Path) -> None:
    bpy.context.scene.render.filepath = str(path)
    with _quiet():
        bpy.ops.render.render(write_still=True)


def read_light(path: Path) -> Light:
    """The light of a file that was rendered, red, green and blue (H, W, 3)."""
    image = bpy.data.images.load(str(path))
    wide, high = image.size
    pixels = np.empty(wide * high * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(high, wide, 4)[::-1, :, :3]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps Blender's own words from standard output."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
