"""How a phone in a hand goes over a table: along it, in lanes, from afar to near, or swung by somebody who stands.

The hand rests first and at the end. It goes at no even speed, stops here and there, wanders and trembles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.path_traced.camera import SENSOR_MM, Camera, Shot, View
from datasets.path_traced.rest import MM
from datasets.path_traced.tables import Box
from datasets.picture_tools import Points, Rng

WAYS: Final = ("along", "lanes", "nearer", "swung")
"""One pass, lanes, the whole table first and then lanes from near, and lanes seen by a phone that is swung."""
_EXPOSURES: Final = {"sun": 1 / 400, "window": 1 / 150, "dull": 1 / 120, "flash": 1 / 60, "evening": 1 / 50}
"""How long the shutter is open by the kind of light, seconds."""
_BY_LAMP: Final = 1 / 100
_SIZES: Final = (((640, 360), 15), ((848, 480), 12), ((848, 480), 10), ((800, 600), 10), ((960, 540), 10))
"""Pictures, px, and how many of them a second."""
_NEXT_LANE: Final = 0.65
"""How far the next lane is away, as a share of what is seen: each shows about a third of the one before."""
_LEGIBLE_PX: Final = 14.0
"""People go so near that ranks look so high where they look."""
_ROOM: Final = 0.02
"""Round the cards, metres."""
_MOMENTS: Final = 120
"""Moments a second for which the way is computed."""
_X, _Y, _AWAY, _TILT, _AZIMUTH, _ROLL, _PITCH, _YAW = range(8)
"""What is known of a moment: where the phone looks and from how far, metres; how it is held, degrees."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A film of a table, of which no frame is rendered yet.

    Attributes:
        way: One of `WAYS`.
        rate: Frames a second.
        shots: The frames.
        tilt: How far the phone is held from looking straight down, degrees.
        tremble: How far the hand trembles, degrees.
    """

    way: str
    rate: int
    shots: tuple[Shot, ...]
    tilt: float
    tremble: float


@dataclass(frozen=True, slots=True, eq=False)
class _Hand:
    """A hand that holds a phone; `moments` has a row for each moment."""

    view: View
    moments: Points

    def camera(self, seconds: float) -> Camera:
        """The phone after so many seconds."""
        at = [float(np.interp(seconds * _MOMENTS, np.arange(len(self.moments)), row)) for row in self.moments.T]
        view = replace(self.view, tilt=at[_TILT], azimuth=at[_AZIMUTH], roll=at[_ROLL])
        return view.camera(np.array([at[_X], at[_Y], 0.0]), at[_AWAY]).turned(at[_PITCH], at[_YAW], 0.0)


def draw_sweep(rng: Rng, box: Box, rank: float, azimuth: float, lamp: str, patience: float) -> Sweep:
    """Any film of a table.

    Args:
        rng: Random generator.
        box: Where cards lie, mm.
        rank: How high the ranks of indices are, mm.
        azimuth: From where it is filmed, degrees round the table.
        lamp: The kind of light, of `lamps.LIGHTS`.
        patience: How slowly the hand goes, 0 to 1.
    """
    way = str(rng.choice(WAYS))
    size, rate = _SIZES[int(rng.integers(len(_SIZES)))]
    is_upright = rng.random() < 0.5
    steepest = 40 if way == "swung" else 26 if is_upright else 34
    tilt = float(rng.uniform(steepest - 18 if way == "swung" else 3, steepest))
    focal, turned = float(rng.uniform(25, 31)), azimuth + float(rng.normal(0, 6))
    view = View(tilt, turned, float(rng.normal(0, 2.5)), focal, size[::-1] if is_upright else size)
    tremble = float(rng.choice([0.04, 0.08, 0.12, 0.2]))
    farthest = max(size) * focal / SENSOR_MM * rank / _LEGIBLE_PX * MM
    stops = _stops(rng, way, np.array(box) * MM, view, farthest)
    length = np.hypot.reduce(np.diff(stops[:, :3], axis=0), axis=1)
    passed = np.r_[0.0, np.cumsum(np.maximum(length, 1e-6))]
    speed = float(rng.uniform(0.1, 0.22)) * (1 - 0.5 * patience)
    seconds = float(np.clip(passed[-1] / speed + 1.5, 8, 16))
    hand = _Hand(view, _moments(rng, stops, passed, view, seconds, tremble))
    exposure = _EXPOSURES.get(lamp, _BY_LAMP) * float(rng.uniform(0.8, 1.25))
    lasts = exposure + float(rng.uniform(0.008, 0.018))
    focus = late(hand.moments[:, _AWAY], 0.2 * _MOMENTS)
    stop = float(rng.uniform(8, 13)) * focal / 26
    starts = np.arange(0, seconds - lasts, 1 / rate)
    shots = [
        Shot(hand.camera(start), hand.camera(start + lasts), exposure / lasts, focus[int(start * _MOMENTS)], stop)
        for start in starts
    ]
    return Sweep(way, rate, tuple(shots), tilt, tremble)


def late(values: Sequence[float] | Points, delay: float) -> list[float]:
    """Values that follow others by so many places."""
    followed = [float(values[0])]
    for value in values[1:]:
        followed.append(followed[-1] + (float(value) - followed[-1]) / (1 + delay))
    return followed


def _stops(rng: Rng, way: str, box: Points, view: View, farthest: float) -> Points:
    """Where the phone looks on its way, from how far and how much turned; (N, 4), the turn in degrees."""
    low, high = box[:2] - _ROOM, box[2:] + _ROOM
    middle, room = (low + high) / 2, high - low
    long = int(room[1] > room[0])
    wide, near, far = _seen(view)
    is_sideways = abs(math.sin(math.radians(view.azimuth))) > 0.7
    seen = np.array([near + far, wide] if is_sideways else [wide, near + far]) * 0.9  # of a table 1 m away
    whole = float((room / seen).max())
    away = max(0.3, room[1 - long] / seen[1 - long]) if way == "along" else float(rng.uniform(0.3, 0.48))
    away = min(away, farthest)
    lanes = 1 + max(0, math.ceil((room[1 - long] / (seen[1 - long] * away) - 1) / _NEXT_LANE))
    inset = np.minimum(seen * away * rng.uniform(0.2, 0.4), room / 2)
    inset[1 - long] = min(seen[1 - long] * away, room[1 - long]) / 2
    start, end = low + inset, high - inset
    if rng.random() < 0.5:
        start[long], end[long] = end[long], start[long]
    if rng.random() < 0.5:
        start[1 - long], end[1 - long] = end[1 - long], start[1 - long]
    places = []
    for lane, across in enumerate(np.linspace(start[1 - long], end[1 - long], lanes)):
        for along in (start[long], end[long])[:: -1 if lane % 2 else 1]:
            places.append([along, across][:: -1 if long else 1])
    looked = np.array(places) + rng.normal(0, 0.012, (len(places), 2))
    distance = away * rng.uniform(0.93, 1.07, len(places))
    if way == "nearer":
        looked = np.vstack([middle, looked])
        distance = np.r_[np.clip(whole * rng.uniform(0.8, 1.05), 0.45, 1.0), distance]
    azimuth = math.radians(view.azimuth)
    right, ahead = np.array([math.cos(azimuth), math.sin(azimuth)]), np.array([-math.sin(azimuth), math.cos(azimuth)])
    aside = (looked - middle) @ right / (room.max() / 2)
    turn = -float(rng.uniform(15, 35)) * aside if way == "swung" else 0 * aside
    looked = looked - ahead * ((far - near) / 2 * distance)[:, None]
    return np.column_stack([looked, distance, turn])


def _seen(view: View) -> tuple[float, float, float]:
    """How much of a table a phone sees that looks at it from 1 m: sideways, to this side and beyond, metres.

    Where it sees far beyond, only that counts which is not too small to be read.
    """
    half_wide, half_high = (side / max(view.size) * SENSOR_MM / view.focal / 2 for side in view.size)
    tilt, half = math.radians(view.tilt), math.atan(half_high)
    near = math.sin(half) / math.cos(tilt - half)
    return 2 * half_wide, near, min(math.sin(half) / math.cos(tilt + half), 1.4 * near)


def _moments(rng: Rng, stops: Points, passed: Points, view: View, seconds: float, tremble: float) -> Points:
    """A row for each moment of a way that rests, goes and trembles; `passed` is how far each stop is on it, metres."""
    count = math.ceil(seconds * _MOMENTS) + 1
    gone = _gone(rng, count) * passed[-1]
    x, y, away, turn = (_smooth(np.interp(gone, passed, row), 0.2 * _MOMENTS) for row in stops.T)
    slow = [_wobble(rng, count, 0.1, 0.5) for _ in range(4)]
    fast = [_wobble(rng, count, 1.0, 8.0) for _ in range(6)]
    moments = np.zeros((count, 8))
    moments[:, _X], moments[:, _Y] = x + 0.006 * tremble * fast[0], y + 0.006 * tremble * fast[1]
    moments[:, _AWAY] = away * (1 + 0.03 * slow[0]) + 0.006 * tremble * fast[2]
    moments[:, _TILT] = np.abs(view.tilt + 2.0 * slow[1])
    moments[:, _AZIMUTH] = view.azimuth + turn + 2.5 * slow[2]
    moments[:, _ROLL] = view.roll + 1.2 * slow[3] + 0.5 * tremble * fast[3]
    moments[:, _PITCH], moments[:, _YAW] = tremble * fast[4], tremble * fast[5]
    return moments


def _gone(rng: Rng, count: int) -> Points:
    """Which share of its way the phone has gone at each moment."""
    moment = np.arange(count) / _MOMENTS
    speed = np.exp(0.35 * _wobble(rng, count, 0.2, 0.9))
    for _ in range(int(rng.integers(0, 4))):
        pause = (moment - rng.uniform(0.1, 0.9) * moment[-1]) / rng.uniform(0.25, 0.6)
        speed *= 1 - 0.95 * np.exp(-(pause**4))
    first, last = rng.uniform(0.3, 0.9, 2)
    speed *= np.clip((moment - first) / 0.6, 0, 1) * np.clip((moment[-1] - last - moment) / 0.6, 0, 1)
    gone = np.cumsum(speed)
    return np.asarray(gone / gone[-1])


def _wobble(rng: Rng, count: int, lowest: float, highest: float) -> Points:
    """Something that goes to and fro, with these frequencies (Hz), by 1 on average."""
    moment, found = np.arange(count) / _MOMENTS, np.zeros(count)
    for frequency in np.geomspace(lowest, highest, 9) * rng.uniform(0.85, 1.15, 9):
        found += rng.normal() / frequency * np.sin(2 * math.pi * (frequency * moment + rng.random()))
    return np.asarray(found / max(1e-9, float(np.sqrt((found**2).mean()))))


def _smooth(row: Points, width: float) -> Points:
    """A row without corners, by a bell curve so many places wide."""
    half = math.ceil(3 * width)
    bell = np.exp(-0.5 * (np.arange(-half, half + 1) / width) ** 2)
    return np.convolve(np.pad(row, half, mode="edge"), bell / bell.sum(), "valid")
