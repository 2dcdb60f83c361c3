"""Path-traced films: the way of the phone, what a film must show, its exposure and its file need no Blender."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.path_traced import __main__ as command
from datasets.path_traced import sweeps
from datasets.path_traced.camera import Camera, Shot, View
from datasets.path_traced.decks import Deck
from datasets.path_traced.developing import Filming, develop
from datasets.path_traced.fairness import judge_film
from datasets.path_traced.recorded_film import TracedFilm, write_film
from datasets.path_traced.sweeps import WAYS, Sweep, draw_sweep
from datasets.path_traced.tables import Laid, Table
from datasets.path_traced.trace import Order
from vision.film.film_file import open_film

PLAIN = Deck("plain", (11, 22))
HAND = Table(None, None, (Laid("AS", "hand", 0, 0, 0), Laid("KH", "hand", 20, 0, 0)))
BOX = (-300.0, -200.0, 300.0, 200.0)


def held(x: float = 0.0, high: float = 0.35) -> Camera:
    """A phone that looks straight down."""
    return View(0.0, 0.0, 0.0, 27.0, (640, 360)).camera(np.array([x, 0.0, 0.0]), high)


def shot(camera: Camera, way: float = 0.0, focus: float = 0.35) -> Shot:
    """A frame during which the phone goes a way, metres."""
    return Shot(camera, replace(camera, position=camera.position + np.array([way, 0, 0])), 0.5, focus, 8.0)


def test_a_camera_turns_where_it_is() -> None:
    camera = View(20.0, 30.0, 5.0, 27.0, (640, 360)).camera(np.zeros(3), 0.4)
    assert np.allclose(camera.turned(3, -2, 1).axes.T @ camera.turned(3, -2, 1).axes, np.eye(3))
    middle = np.array([camera.position + camera.forward])
    assert camera.turned(1, 0, 0).project(middle)[0, 1] > 180, "looks up: what was in the middle lies lower"
    assert camera.turned(0, 1, 0).project(middle)[0, 0] > 320, "looks to the left: it lies farther right"
    assert np.allclose(camera.turned(0, 0, 9).project(middle), camera.project(middle))


def test_what_moves_or_is_out_of_focus_is_smeared() -> None:
    point, scale = np.zeros(3), 27 / 36 * 640 / 0.35
    assert shot(held()).smear(point) == pytest.approx(0)
    assert shot(held(), 0.004).smear(point) == pytest.approx(0.004 * scale / 2)
    assert shot(held(), focus=0.6).smear(point) > shot(held(), focus=0.4).smear(point) > 0.2


@pytest.mark.parametrize(
    ("shots", "is_fair"),
    [
        ([shot(held())] * 3, True),
        ([shot(held())] * 2, False),
        ([shot(held(), 0.02)] * 3, False),
        ([shot(held(), focus=0.1)] * 3, False),
        ([shot(held(high=0.8), focus=0.8)] * 3, False),
        ([shot(held(0.22))] * 3, False),
        ([shot(held(0.22), 0.02), *[shot(held())] * 3], True),
    ],
    ids=["still", "too short", "too fast", "out of focus", "too far", "cut off", "in the end"],
)
def test_a_fair_film_shows_each_card_sharp_in_three_frames(shots: list[Shot], is_fair: bool) -> None:
    assert (not judge_film(HAND, PLAIN, shots)) is is_fair


def test_a_fair_film_shows_what_no_card_covers() -> None:
    hidden = replace(HAND, cards=(HAND.cards[0], replace(HAND.cards[1], x=4)))
    assert judge_film(hidden, PLAIN, [shot(held())] * 3) == ["AS in hand in 0 frames"]
    down = replace(HAND, cards=tuple(replace(card, up=False) for card in hidden.cards))
    assert not judge_film(down, PLAIN, []), "backs matter in columns only"
    column = replace(down, cards=tuple(replace(card, zone="column/0") for card in down.cards))
    assert not judge_film(column, PLAIN, [shot(held())] * 3)
    assert judge_film(column, PLAIN, [shot(held(), 0.02)] * 3) == ["AS in column/0 in 0 frames"]


def sweep_of(way: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Sweep:
    monkeypatch.setattr(sweeps, "WAYS", (way,))
    return draw_sweep(np.random.default_rng(seed), BOX, 9.0, 0.0, "window", 0.5)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_a_hand_goes_over_the_whole_table_and_rests_at_both_ends(
    way: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = sweep_of(way, seed, monkeypatch)
    assert 7.5 < len(sweep.shots) / sweep.rate < 16.5
    cameras = [shot.opening for shot in sweep.shots]
    steps = np.array([np.hypot.reduce(b.position - a.position) for a, b in pairwise(cameras)]) * sweep.rate
    assert steps.max() < 1.0, "no leaps, metres a second"
    assert steps[:2].max() < 0.1
    assert steps[-2:].max() < 0.1
    assert min(float(camera.position[2]) for camera in cameras) > 0.15
    grid = np.stack(np.meshgrid(np.linspace(-0.3, 0.3, 9), np.linspace(-0.2, 0.2, 7), [0.0]), -1).reshape(-1, 3)
    seen = [camera.project(grid) for camera in cameras]
    inside = [((pixels > 0) & (pixels < camera.size)).all(1) for pixels, camera in zip(seen, cameras, strict=True)]
    assert np.mean(np.any(inside, axis=0)) > 0.95


def test_the_same_order_gives_the_same_film() -> None:
    film, again = (TracedFilm.draw(Order("makiaveli", "validation", 1)) for _ in range(2))
    assert film is not None
    assert again is not None
    assert film.table == again.table
    assert [s.focus for s in film.sweep.shots] == [s.focus for s in again.sweep.shots]
    assert not judge_film(film.table, film.order.look.deck, film.sweep.shots)


def test_exposure_follows_the_light_late_and_the_grain_is_new_in_each_frame() -> None:
    film = Filming(np.random.default_rng(1), delay=3.0)
    assert film.follow(2.0) == 2.0
    later = [film.follow(4.0) for _ in range(20)]
    assert 2 < later[0] < later[3] < later[-1] < 4
    assert later[-1] > 3.9
    light, paper = np.full((80, 90, 3), 0.2, np.float32), np.ones((80, 90), bool)
    first, second = (develop(np.random.default_rng(7), light, paper, "evening", film)[0] for _ in range(2))
    assert (first != second).any()
    film = Filming(np.random.default_rng(1), delay=3.0)
    bright, dark, light_again = (
        develop(np.random.default_rng(7), light * scale, paper, "evening", film)[0].mean() for scale in (1, 0.3, 1)
    )
    assert dark < bright < light_again, "at once after a change the picture is too dark or too bright"


def test_a_film_is_written_with_its_frames_and_their_rate(tmp_path: Path) -> None:
    frames = [np.full((120, 160, 3), 40 * number, np.uint8) for number in range(5)]
    write_film(tmp_path / "film.part", frames, (160, 120), 12, 200_000)
    (tmp_path / "film.part").rename(tmp_path / "film.mp4")
    with open_film(tmp_path / "film.mp4") as film:
        assert film.frame_rate == pytest.approx(12)
        shown = [frame.image for frame in film.frames()]
    assert np.abs(np.array(shown).astype(float) - frames).max() < 12


@dataclass(frozen=True)
class _Film:
    """A film of three frames, of which the rendering breaks at one once."""

    sweep: Any
    breaks: list[int]

    def trace(self, frames: Path, samples: int) -> Iterator[None]:
        assert samples == 2
        for number in range(3):
            if number in self.breaks:
                self.breaks.remove(number)
                raise KeyboardInterrupt
            (frames / f"{number}").touch()
            yield

    def write(self, film: Path, frames: Path) -> dict[str, Any]:
        film.write_bytes(b"film" * len(list(frames.iterdir())))
        return {"game": "makiaveli"}


def call(tmp_path: Path, *more: str) -> int:
    return command.main(["--game", "makiaveli", "--films", "-n", "2", "--out", str(tmp_path), *more])


def test_a_broken_run_keeps_the_frames_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep, breaks = Sweep("along", 10, (shot(held()),) * 3, 0.0, 0.1), [1]
    films = {1: _Film(sweep, breaks), 2: None}
    monkeypatch.setattr(command.TracedFilm, "draw", lambda order: films[order.seed])
    assert call(tmp_path) != 0
    assert [path.name for path in tmp_path.glob("*/*")] == ["0"]
    assert call(tmp_path) == 0
    assert "1 film traced, 0 were there, 1 left out" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "makiaveli-validation-0001.json",
        "makiaveli-validation-0001.mp4",
    ]
    assert json.loads((tmp_path / "makiaveli-validation-0001.json").read_text()) == {"game": "makiaveli"}
    for option in (("--turns",), ("--size", "400")):
        with pytest.raises(SystemExit):
            call(tmp_path, *option)


def test_blender_films_a_table(tmp_path: Path) -> None:
    pytest.importorskip("bpy", reason="Blender is not installed")
    film = TracedFilm.draw(Order("makiaveli", "validation", 1))
    assert film is not None
    small = [
        replace(s, opening=replace(s.opening, size=(160, 120)), closing=replace(s.closing, size=(160, 120)))
        for s in film.sweep.shots[:2]
    ]
    film = replace(film, sweep=replace(film.sweep, shots=tuple(small)))
    assert len(list(film.trace(tmp_path, 1))) == 2
    truth = film.write(tmp_path / "film.mp4", tmp_path)
    assert truth["position"] == film.table.position
    with open_film(tmp_path / "film.mp4") as shown:
        assert [frame.image.shape for frame in shown.frames()] == [(120, 160, 3)] * 2
