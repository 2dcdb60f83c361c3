"""What a phone makes of light: white balance, exposure, tone, noise, sharpening."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture_tools import Image, Rng

Light = NDArray[np.float32]
_NOISE: Final = {"evening": 2.6, "desk lamp": 1.5, "ceiling": 1.2, "flash": 1.2}
"""Noise by the kind of light; 0.7 in bright light."""
_ENOUGH: Final = 100
"""Pixels of cards from which white balance and exposure can be told."""


@dataclass(slots=True)
class Filming:
    """A phone that films: its exposure follows the light late, and its grain is another one in each frame.

    Attributes:
        grain: Random generator of the grain.
        delay: By how many frames exposure is late.
        exposure: That of the frame before, None before the first.
    """

    grain: Rng
    delay: float
    exposure: float | None = field(default=None)

    def follow(self, wanted: float) -> float:
        """The exposure of a frame that wants such a one."""
        before = wanted if self.exposure is None else self.exposure
        self.exposure = before * (wanted / before) ** (1 / (1 + self.delay))
        return self.exposure


def develop(
    rng: Rng, light: Light, paper: NDArray[np.bool_], kind: str, film: Filming | None = None
) -> tuple[Image, dict[str, float]]:
    """Makes a picture.

    Args:
        rng: Random generator.
        light: Linear red, green and blue (H, W, 3), at least 0, of any scale.
        paper: Where cards lie face up (H, W).
        kind: The kind of light, of `lamps.LIGHTS`.
        film: Of what film it is a frame, whose frames all have a generator that begins alike; None for a photo.

    Returns:
        The picture as RGB (H, W, 3), and the camera's shake (px) and noise for the label.
    """
    light = np.maximum(np.nan_to_num(light.astype(np.float32)), 0)
    seen = paper if paper.sum() > _ENOUGH else np.ones_like(paper)
    white = light[seen].mean(0)
    gain = (white[1] / np.maximum(white, 1e-6)) ** float(rng.uniform(0.55, 1.0)) * rng.normal(1, 0.025, 3)
    light = light * gain.astype(np.float32)
    shake = float(rng.choice([0, 0, 0, 0, 0, 1.5, 2.5]))
    if film is not None:
        shake = 0.0  # the hand's own trembling is in the light
    if shake:
        light = _smeared(light, shake, float(rng.uniform(0, np.pi)))
    light = _exposed(rng, _evened(light, float(rng.uniform(0.0, 0.4))), paper, film)
    light = light * _vignette(light.shape, float(rng.uniform(0.1, 0.5)))[..., None]
    dim = _NOISE.get(kind, 0.7)
    noise = float(rng.uniform(0.5, 1.4)) * dim
    grains = rng if film is None else film.grain
    grain = np.sqrt(light * (0.011 * noise) ** 2 + (0.0035 * noise) ** 2)
    light = np.maximum(light + grains.normal(0, 1, light.shape).astype(np.float32) * grain, 0)
    tones = _toned(light, contrast=float(rng.uniform(0.0, 0.5)), saturation=float(rng.uniform(0.9, 1.25)))
    return _sharpened(rng, tones, dark=dim > 1.4), {"shake": shake, "noise": round(noise, 2)}


def _blurred(channel: Light, radius: float) -> Light:
    side = 2 * int(3 * radius + 0.5) + 1
    return cv2.GaussianBlur(channel, (side, side), radius, borderType=cv2.BORDER_REPLICATE).astype(np.float32)


def _smeared(light: Light, length: float, angle: float) -> Light:
    """A small shake of the camera along a line of so many pixels."""
    middle = int(length) + 1
    kernel = np.zeros((2 * middle + 1, 2 * middle + 1), np.float32)
    steps = max(2, round(length * 2))
    for t in np.linspace(-0.5, 0.5, steps):
        x, y = middle + t * length * np.cos(angle), middle + t * length * np.sin(angle)
        column, row = int(x), int(y)
        right, down = x - column, y - row
        kernel[row : row + 2, column : column + 2] += np.outer([1 - down, down], [1 - right, right])
    return cv2.filter2D(light, -1, kernel / steps, borderType=cv2.BORDER_REPLICATE).astype(np.float32)


def _luminance(light: Light) -> Light:
    return light @ np.array([0.2126, 0.7152, 0.0722], np.float32)


def _evened(light: Light, amount: float) -> Light:
    """Dark parts of the picture made brighter, and bright ones darker."""
    high, wide = light.shape[:2]
    small = np.ascontiguousarray(np.log(_luminance(light) + 1e-4)[::8, ::8])
    broad = cv2.resize(_blurred(small, wide / 96), (wide, high), interpolation=cv2.INTER_LINEAR)
    evened: Light = light * np.exp(-amount * (broad - np.median(broad)))[..., None]
    return evened


def _exposed(rng: Rng, light: Light, paper: NDArray[np.bool_], film: Filming | None) -> Light:
    luminance = _luminance(light)
    on_paper = paper.sum() > _ENOUGH
    bright = float(np.percentile(luminance[paper], 85) if on_paper else np.percentile(luminance, 95))
    key = float(np.exp(np.log(luminance + 1e-4).mean()))
    exposure = min(0.22 / key, 1.25 / max(bright, 1e-6)) * 2 ** float(rng.uniform(-0.45, 0.2))
    exposure = max(exposure, 0.75 / max(bright, 1e-6))
    return light * (exposure if film is None else film.follow(exposure))


def _vignette(shape: tuple[int, ...], amount: float) -> Light:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    radius = np.hypot((x - shape[1] / 2) / shape[1], (y - shape[0] / 2) / shape[1])
    return np.asarray(1 - amount * radius**2, np.float32)


def _toned(light: Light, *, contrast: float, saturation: float) -> Light:
    """Light as a phone's tones, sRGB in 0..1; a little more or less where colours are strong."""
    curve = light * (1 + light / 2.2**2) / (1 + light * 0.55)
    tones = np.where(curve <= 0.0031308, 12.92 * curve, 1.055 * np.maximum(curve, 1e-8) ** (1 / 2.4) - 0.055)
    clipped = np.clip(tones, 0, 1)
    tones = tones + contrast * (clipped * clipped * (3 - 2 * clipped) - clipped)
    grey = tones.mean(2, keepdims=True)
    toned: Light = grey + (tones - grey) * saturation
    return toned


def _bytes(values: NDArray[Any]) -> Image:
    return np.asarray(np.clip(values, 0, 255).round(), np.uint8)


def _sharpened(rng: Rng, picture: Light, *, dark: bool) -> Image:
    """Colours smoothed more than brightness, in the dark most of all, and then edges sharpened."""
    parts = cv2.cvtColor(_bytes(picture * 255), cv2.COLOR_RGB2YCrCb).astype(np.float32)
    smooth = float(rng.uniform(0.6, 1.2)) * (1 + 0.5 * dark)
    bright = _blurred(parts[..., 0], 0.35 + 0.25 * dark)
    bright = bright + float(rng.uniform(0.2, 0.9)) * (bright - _blurred(bright, 1.3))
    parts = np.stack([bright, _blurred(parts[..., 1], smooth), _blurred(parts[..., 2], smooth)], 2)
    return cv2.cvtColor(_bytes(parts), cv2.COLOR_YCrCb2RGB).astype(np.uint8)
