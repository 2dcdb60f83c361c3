"""A phone's camera: where it is held, and where points of the world, in metres, come to lie in its picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from datasets.picture_tools import Points, Rng

SENSOR_MM: Final = 36.0
"""Longer side of the sensor."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera; its axes are unit vectors of the world.

    Attributes:
        position: Where it is, metres.
        right: To the right in the picture.
        up: Upwards in the picture.
        forward: Into the picture.
        focal: Focal length, mm.
        size: Width and height of the picture, px.
    """

    position: Points
    right: Points
    up: Points
    forward: Points
    focal: float
    size: tuple[int, int]

    @property
    def axes(self) -> Points:
        """Right, up and backwards as the columns of a matrix, as Blender has them."""
        return np.column_stack([self.right, self.up, -self.forward])

    def project(self, points: Points) -> Points:
        """Pixels (N, 2) of points (N, 3)."""
        away = points - self.position
        scale = self.focal / SENSOR_MM * max(self.size) / (away @ self.forward)
        x, y = self.size[0] / 2 + away @ self.right * scale, self.size[1] / 2 - away @ self.up * scale
        return np.column_stack([x, y])

    def turned(self, pitch: float, yaw: float, roll: float) -> Camera:
        """The camera turned where it is: upwards, to the left and counter-clockwise, degrees."""
        turn = cv2.Rodrigues(self.axes @ np.radians([pitch, yaw, roll]))[0]
        return replace(self, right=turn @ self.right, up=turn @ self.up, forward=turn @ self.forward)


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame of a film. The sensor's lines are read one after the other.

    Attributes:
        opening: The camera as the first line opens.
        closing: The camera as the last line closes.
        share: Share of the time between them that each line is open.
        focus: At which distance the picture is sharp, metres.
        stop: The lens's f-number.
    """

    opening: Camera
    closing: Camera
    share: float
    focus: float
    stop: float

    def smear(self, point: Points) -> float:
        """How far a point (3) of the world is smeared, by motion and for want of focus, px."""
        start, end = (camera.project(point[None])[0] for camera in (self.opening, self.closing))
        lens, away = self.opening.focal / 1000, float((point - self.opening.position) @ self.opening.forward)
        circle = lens**2 / self.stop * abs(away - self.focus) / (away * self.focus)
        unsharp = circle * 1000 / SENSOR_MM * max(self.opening.size)
        return float(np.hypot(np.hypot(*(end - start)) * self.share, unsharp))


@dataclass(frozen=True, slots=True)
class View:
    """From where a photo is taken.

    Attributes:
        tilt: Degrees from straight down.
        azimuth: Degrees round the table; at 0 the camera looks along y, from the player's side.
        roll: Degrees that the camera is turned in the hand.
        focal: Focal length, mm.
        size: Width and height of the picture, px.
    """

    tilt: float
    azimuth: float
    roll: float
    focal: float
    size: tuple[int, int]

    def camera(self, target: Points, distance: float) -> Camera:
        """The camera that looks at a point from so many metres away."""
        tilt, azimuth, roll = map(math.radians, (self.tilt, self.azimuth, self.roll))
        ahead = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
        forward = ahead * math.sin(tilt) + (0.0, 0.0, -math.cos(tilt))
        right = np.cross(forward, ahead * math.cos(tilt) + (0.0, 0.0, math.sin(tilt)))
        up = np.cross(right, forward)
        c, s = math.cos(roll), math.sin(roll)
        position = target - forward * distance
        return Camera(position, right * c + up * s, up * c - right * s, forward, self.focal, self.size)


def framed(rng: Rng, points: Points, view: View, margin: float) -> Camera:
    """The nearest camera that shows all points.

    Args:
        rng: Random generator: the points do not lie quite in the middle.
        points: What must be seen (N, 3), metres.
        view: From where.
        margin: Room on each side, as a share of the picture's width and height.
    """
    size = np.array(view.size)
    target, distance = (points.min(0) + points.max(0)) / 2, 0.6
    camera = view.camera(target, distance)
    for _ in range(30):
        seen = camera.project(points)
        low, high = seen.min(0), seen.max(0)
        shift = (low + high - size) / 2 / _pixels_per_metre(view, distance) * 0.9
        target = target + camera.right * shift[0] - camera.up * shift[1]
        target = target - camera.forward * (target[2] / camera.forward[2])
        need = ((high - low) / (size * (1 - 2 * margin))).max()
        distance = float(np.clip(distance * (1 + (need - 1) * 0.7), 0.18, 3))
        camera = view.camera(target, distance)
    seen = camera.project(points)
    slack = np.minimum(seen.min(0), size - seen.max(0))
    offset = rng.uniform(-0.6, 0.6, 2) * np.maximum(slack - 0.01 * size.max(), 0) / _pixels_per_metre(view, distance)
    return replace(camera, position=camera.position - camera.right * offset[0] + camera.up * offset[1])


def _pixels_per_metre(view: View, distance: float) -> float:
    return view.focal / SENSOR_MM * max(view.size) / distance
