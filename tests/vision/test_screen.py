"""A recording of a screen is told from films that a camera took."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.test_film import SAMPLE, Picture, textured, write_film
from vision.detect import main
from vision.film.film_file import ChosenFrames
from vision.film.film_to_reading import read_open_film
from vision.film.screen import NO_CARD_ON_SCREEN, SCREEN, ScreenLook, is_recorded_screen
from vision.image import encode, load

SIZE = (360, 640)


def drawn(step: int, ground: tuple[int, int, int] = (20, 90, 55), *, bar: bool = True) -> Picture:
    """What a program shows at a step: white cards on one colour, one of which has moved on, and a bar with a button."""
    image = np.full((*SIZE, 3), ground, np.uint8)
    if bar:
        image[:48] = (212, 231, 220)
        cv2.putText(image, "New game", (20, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (25, 30, 40), 2, cv2.LINE_AA)
    for k in range(5):
        x, y = (40 + 110 * k, 90) if k < 4 else (40 + 20 * step, 230)
        image[y : y + 110, x : x + 76] = 255
        cv2.putText(image, "A79QK"[k], (x + 6, y + 34), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (200, 20, 40), 3, cv2.LINE_AA)
    return image


def recording(**how: Any) -> list[Picture]:
    return [drawn(step, **how) for step in (0, 0, 1, 1, 1, 6, 6, 12)]


def scrolled() -> list[Picture]:
    """A recording in which everything moves half of the time."""
    return [np.roll(drawn(0), 60 * (step // 2), 0) for step in range(9)]


def camera(
    paint: Callable[[], Picture], *, moves: bool, falls_off: float = 0.25, noise: float = 1.5, gain: float = 1.0
) -> list[Picture]:
    """What a camera sees of a picture that lies on a table: by a hand that trembles, or on a stand."""
    rng, table = np.random.default_rng(7), paint().astype(np.float32) * gain
    y, x = np.mgrid[: SIZE[0], : SIZE[1]]
    light = 1 - falls_off * ((x / SIZE[1] - 0.3) ** 2 + (y / SIZE[0] - 0.4) ** 2)
    frames = []
    for number in range(8):
        dx, dy = (rng.normal(9 * number, 5), rng.normal(0, 5)) if moves else (0.0, 0.0)
        way = np.array([[1, 0.002 * dx, dx], [-0.002 * dx, 1, dy]])
        seen = cv2.warpAffine(table, way, SIZE[::-1], borderMode=cv2.BORDER_REFLECT)
        seen = seen * light[..., None] + rng.normal(0, noise, (*SIZE, 1))
        frames.append(np.clip(seen, 0, 255).astype(np.uint8))
    return frames


def as_they_are(frames: Sequence[Picture]) -> list[Picture]:
    return list(frames)


def in_few_bytes(frames: Sequence[Picture]) -> list[Picture]:
    """The frames as a browser sends those of a long film."""
    return [_jpeg(frame, 50) for frame in frames]


def _jpeg(frame: Picture, quality: int) -> Picture:
    _, data = cv2.imencode(".jpg", frame[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.ascontiguousarray(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)[..., ::-1])


SENT = pytest.mark.parametrize("sent", [as_they_are, in_few_bytes])


@SENT
@pytest.mark.parametrize(
    "frames",
    [recording(), recording(ground=(250, 250, 245)), recording(bar=False), scrolled()],
    ids=["on green", "on nearly white", "one colour only", "scrolled"],
)
def test_what_a_program_paints_is_a_recording(sent: Callable[[Sequence[Picture]], Any], frames: list[Picture]) -> None:
    assert is_recorded_screen([ScreenLook.of(frame) for frame in sent(frames)])


@SENT
@pytest.mark.parametrize(
    "frames",
    [
        camera(lambda: drawn(0), moves=True),
        camera(lambda: drawn(0), moves=True, falls_off=0.0, noise=0.0),
        camera(lambda: drawn(0), moves=False),
        camera(lambda: drawn(0), moves=False, noise=0.0),
        camera(lambda: drawn(0, (200, 200, 200), bar=False), moves=False, gain=1.5),
        camera(lambda: drawn(0, (25, 25, 25), bar=False), moves=False, noise=0.0),
        camera(lambda: textured(SIZE[1], SIZE[0]), moves=False, noise=0.0),
    ],
    ids=["by hand", "by hand in even light", "stand", "stand without noise", "too bright", "dark cloth", "cloth"],
)
def test_what_a_camera_sees_is_none(sent: Callable[[Sequence[Picture]], Any], frames: list[Picture]) -> None:
    assert not is_recorded_screen([ScreenLook.of(frame) for frame in sent(frames)])


def test_two_frames_and_frames_of_other_sizes_say_nothing() -> None:
    looks = [ScreenLook.of(frame) for frame in recording()]
    assert not is_recorded_screen(looks[:2])
    assert not is_recorded_screen([])
    assert not is_recorded_screen([ScreenLook.of(drawn(0)[: 360 - 20 * k]) for k in range(4)])


def window(step: int) -> Picture:
    """A program that shows the sample's cards in a window."""
    table = cv2.resize(load(SAMPLE), (960, 720), interpolation=cv2.INTER_AREA)
    image = np.full((900, 1280, 3), (20, 90, 55), np.uint8)
    image[90:810, 40:1000] = table
    image[400:460, 1060 + step : 1200 + step] = (230, 170, 30)
    return image


def test_a_recording_with_cards_is_read_and_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_film(tmp_path / "screen.mp4", [window(step // 12) for step in range(48)], 8.0)
    assert main([str(path), "--json", "--no-solve"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert len(body["cards"]) > 20
    assert body["notes"].count(SCREEN) == 1
    frames = [(2.0 * k, encode(window(k), ".jpg")) for k in range(4)]
    chosen = read_open_film(ChosenFrames("screen.webm", 8.0, frames)).reading
    assert SCREEN in chosen.notes


def test_a_recording_without_cards_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = np.full((*SIZE, 3), (20, 90, 55), np.uint8)
    image[:48] = (212, 231, 220)
    for n, word in enumerate(("Settings", "New game", "Your statistics", "Sound on", "About this program")):
        cv2.putText(image, word, (60, 100 + 50 * n), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (240, 240, 240), 2, cv2.LINE_AA)
    assert main([str(write_film(tmp_path / "screen.mp4", [image] * 60, 8.0))]) == 0
    out = capsys.readouterr().out
    assert f"note: {NO_CARD_ON_SCREEN}" in out
    assert out.count("note:") == 1
