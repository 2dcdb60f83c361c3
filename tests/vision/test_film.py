"""Films: frames in, the way of the camera from the picture itself, and one reading of the whole table."""

from __future__ import annotations

import json
import re
import struct
import wave
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import cv2
import numpy as np
import pytest
from av import VideoFrame
from numpy.typing import NDArray

from solver.cards import parse_card
from tests.vision import simulate
from tests.vision.simulate import Laid
from tests.vision.test_joining import NOISE, row
from vision import record
from vision.cards.assembly import assemble_cards
from vision.cards.geometry import Plane, project
from vision.cards.joining.cloud import LaidCards
from vision.cards.joining.join import join
from vision.cards.joining.joined import Joined
from vision.cards.joining.lone_cards import ink_of_others
from vision.cards.joining.picture_ties import SamePoints
from vision.cards.joining.united_cards import UnitedCards
from vision.cards.seen_table import SeenTable
from vision.cards.template import Template
from vision.detect import main
from vision.errors import FilmError, PhotoError
from vision.film import film_file, film_to_reading
from vision.film.film_file import ChosenFrames, Film, open_film
from vision.film.film_to_reading import (
    _ask_once_about_frames,
    _changed_at_rest,
    _is_split,
    _note_far_places,
    _note_fast_places,
    _note_out_of_focus,
    _of_one_deck,
    _only_alone,
    _ReadFrame,
    _room_for_waiting,
    _without_lost,
    read_film,
    read_open_film,
)
from vision.film.key_frames import key_frames
from vision.film.mosaic import draw_mosaic
from vision.film.rests import find_rests
from vision.film.tracking import View, tie_far, tie_views
from vision.history.read_tables import read_shot
from vision.image import RGB, at_most, encode, load
from vision.question import MOVED, Question, QuestionKind

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "makiaveli_1.jpg"
FAN = "AD 2D 3D"
Picture = NDArray[np.uint8]


def write_film(path: Path, frames: Iterable[Picture], rate: float = 24.0) -> Path:
    made = list(frames)
    size = (made[0].shape[1], made[0].shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
    for frame in made:
        writer.write(np.ascontiguousarray(frame[..., ::-1]))
    writer.release()
    return path


def textured(width: int, height: int, seed: int = 1) -> Picture:
    noise = np.random.default_rng(seed).integers(0, 255, (height // 8, width // 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def grey(level: int) -> Picture:
    return np.full((120, 160, 3), level, np.uint8)


def write_sound(path: Path) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(8000))
    return path


def without_pictures(path: Path) -> Path:
    """Has the film's only track be one of sound."""
    path.write_bytes(path.read_bytes().replace(b"vide", b"soun"))
    return path


# --- files -----------------------------------------------------------------------------------------------------------


def test_frames_come_in_order_with_their_time(tmp_path: Path) -> None:
    path = write_film(tmp_path / "film.mp4", (grey(10 * k) for k in range(20)), 25)
    with open_film(path) as film:
        frames = list(film.frames())
        assert (film.width, film.height, film.frame_count) == (160, 120, 20)
        assert film.last_seconds == pytest.approx(20 / 25)
    assert [frame.number for frame in frames] == list(range(20))
    assert [frame.seconds for frame in frames] == pytest.approx([k / 25 for k in range(20)])
    assert [round(float(frame.image.mean()) / 10) for frame in frames] == list(range(20))


def test_of_a_fast_film_some_frames_are_skipped(tmp_path: Path) -> None:
    path = write_film(tmp_path / "film.mp4", (grey(k) for k in range(24)), 60)
    with open_film(path) as film:
        assert [frame.number for frame in film.frames()] == list(range(0, 24, 2))


def decoded(picture: Picture, shown_ms: int | None) -> VideoFrame:
    """A frame that is shown at a time, or at none that the file says."""
    frame = VideoFrame.from_ndarray(picture, format="rgb24")
    frame.pts, frame.time_base = shown_ms, Fraction(1, 1000)
    return frame


@pytest.mark.parametrize(
    ("shown_ms", "seconds"),
    [
        ([0, 100, 500, 600, 900], [0, 0.1, 0.5, 0.6, 0.9]),
        ([70, 170, 270], [0, 0.1, 0.2]),
        ([None] * 5, [0, 0.1, 0.2, 0.3, 0.4]),
    ],
    ids=["at no even rate", "from later on", "the file does not say"],
)
def test_frames_have_the_times_of_the_file(shown_ms: list[int | None], seconds: list[float]) -> None:
    film = Film("film.mp4", 160, 120, 10.0, 0, (decoded(grey(80), shown) for shown in shown_ms))
    assert [frame.seconds for frame in film.frames()] == pytest.approx(seconds)
    assert film.last_seconds == pytest.approx(seconds[-1] + 0.1)


@pytest.mark.parametrize(("turn", "matrix"), [(1, (0, -1, 1, 0)), (2, (-1, 0, 0, -1)), (3, (0, 1, -1, 0))])
def test_a_film_is_turned_as_the_phone_says(tmp_path: Path, turn: int, matrix: tuple[int, int, int, int]) -> None:
    path, lying = write_film(tmp_path / "film.mp4", [textured(160, 96)] * 3), textured(160, 96)
    upright, turned = (
        struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
        for a, b, c, d in ((1, 0, 0, 1), matrix)
    )
    data = path.read_bytes()
    place = data.index(upright, data.index(b"tkhd"))
    path.write_bytes(data[:place] + turned + data[place + len(turned) :])
    shown = np.rot90(lying, turn)
    with open_film(path) as film:
        image = next(film.frames()).image
        assert (film.height, film.width, 3) == image.shape == shown.shape
    assert np.abs(image.astype(float) - shown).mean() < 20 < np.abs(image.astype(float) - shown[::-1, ::-1]).mean()


def test_a_film_of_ten_bits_and_another_light_is_read(tmp_path: Path) -> None:
    path, hlg, bt2020 = tmp_path / "film.mkv", 18, 9
    with av.open(str(path), "w") as file:
        stream = file.add_stream("ffv1", rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p10le"
        stream.codec_context.color_trc, stream.codec_context.color_primaries = hlg, bt2020
        for level in (60, 120, 180):
            frame = VideoFrame.from_ndarray(np.full((96, 160, 3), level, np.uint8), format="rgb24")
            file.mux(stream.encode(frame.reformat(format="yuv420p10le")))
        file.mux(stream.encode())
    with open_film(path) as film:
        assert [float(frame.image.mean()) for frame in film.frames()] == pytest.approx([60, 120, 180], abs=3)


@pytest.mark.parametrize(("space", "levels"), [(14, 1), (1, 3)], ids=["ICtCp", "no range of levels"])
def test_a_frame_whose_colours_are_told_in_an_unknown_way_is_read(space: int, levels: int) -> None:
    picture = VideoFrame.from_ndarray(grey(80), format="rgb24").reformat(format="yuv420p10le")
    picture.colorspace, picture.color_range = space, levels
    assert film_file.upright(picture).mean() == pytest.approx(80, abs=12)


@pytest.mark.parametrize("listed", ["#EXTM3U\n#EXTINF:1,\n{}\n#EXT-X-ENDLIST\n", "ffconcat version 1.0\nfile '{}'\n"])
def test_a_list_of_films_opens_none(tmp_path: Path, listed: str) -> None:
    other = write_film(tmp_path / "other.mp4", [grey(80)] * 5)
    path = tmp_path / "film.mp4"
    path.write_text(listed.format(other.name))
    with pytest.raises(FilmError, match="no pictures in it"), open_film(path):
        raise AssertionError("it was opened")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.write_bytes(b"no film at all" * 40), "no pictures in it"),
        (lambda path: write_sound(path), "no pictures in it"),
        (lambda path: without_pictures(write_film(path, [grey(80)] * 5)), "no pictures in it"),
        (lambda path: path.write_bytes(write_film(path, [grey(80)] * 5).read_bytes()[:-300]), "no pictures in it"),
        (lambda path: write_film(path, [grey(80)[:48, :48]] * 5), "48 x 48 px; expected 64 px and more a side"),
    ],
    ids=["missing", "0 bytes", "text", "a sound file", "a film of sound only", "its end is missing", "too small"],
)
def test_what_is_no_film_is_said_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], make: Callable[[Path], Any], said: str
) -> None:
    path = tmp_path / "film.mp4"
    make(path)
    assert main([str(path)]) == 1
    err = capfd.readouterr().err.strip()
    assert said in err
    assert "\n" not in err


def test_pictures_that_are_too_large_are_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_film(tmp_path / "film.mp4", [textured(160, 96)] * 3)
    for most, is_read in ((10 * 160 * 96, True), (160 * 95, False)):  # FFmpeg counts a margin of 128 px, too
        monkeypatch.setattr(film_file, "MOST_PIXELS", most)
        with nullcontext() if is_read else pytest.raises(FilmError, match="no pictures in it"), open_film(path):
            pass


def test_a_film_that_breaks_off_ends_where_it_does(tmp_path: Path) -> None:
    path = write_film(tmp_path / "film.avi", [textured(160, 96, k) for k in range(30)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with open_film(path) as film:
        assert 5 < len(list(film.frames())) < 25


def test_a_damaged_place_is_passed_over(tmp_path: Path) -> None:
    path = write_film(tmp_path / "film.avi", [textured(160, 96, k) for k in range(40)])
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 3)
    path.write_bytes(data)
    with open_film(path) as film:
        numbers = [frame.number for frame in film.frames()]
        assert film.last_seconds > 0.7 * film.seconds
    assert numbers == sorted(set(numbers))
    assert 20 < len(numbers) < 40


# --- the way of the camera -------------------------------------------------------------------------------------------


def test_views_are_tied_by_what_most_of_the_picture_does() -> None:
    table = textured(900, 700)
    way = np.array([[0.97, -0.12, 40.0], [0.1, 1.02, -30.0], [4e-5, -2e-5, 1.0]])
    one, other = table[:480, :640].copy(), cv2.warpPerspective(table, way, (640, 480))
    one[100:260, 100:300] = textured(200, 160, 5)  # a hand, elsewhere in the other picture
    other[200:360, 380:580] = textured(200, 160, 5)
    tie = tie_views(View.of(one), View.of(np.asarray(other, np.uint8)))
    assert tie is not None
    assert np.abs(project(tie.matrix, tie.here) - project(way, tie.here)).max() < 1.5
    assert np.abs(tie.there - project(way, tie.here)).max() < 2.5


def test_views_of_different_things_are_not_tied() -> None:
    assert tie_views(View.of(textured(640, 480)), View.of(textured(640, 480, 2))) is None
    assert tie_views(View.of(grey(80)), View.of(grey(90))) is None


def test_rows_that_look_alike_are_tied_by_what_differs() -> None:
    rng, table = np.random.default_rng(4), np.full((480, 960, 3), 60, np.uint8)
    card = textured(60, 90, 9)
    for x in range(30, 870, 120):
        for y in range(30, 360, 150):
            table[y : y + 90, x : x + 60] = card
            pips = rng.integers(0, 2, (6, 4), np.uint8)
            table[y + 15 : y + 75, x + 10 : x + 50] = 255 * np.kron(pips, np.ones((10, 10), np.uint8))[..., None]
    one, other = (View.of(np.ascontiguousarray(table[:300, at : at + 480])) for at in (0, 110))
    tie = tie_far(one, other)
    assert tie is not None
    assert np.abs(project(tie.matrix, tie.here) - (tie.here - [110, 0])).max() < 2
    alias = tie_views(one, other, np.array([[1.0, 0, 10], [0, 1, 0], [0, 0, 1]]))
    assert alias is None or np.abs(alias.matrix[0, 2] + 110) < 2


def pan(table: Picture, stops: Sequence[tuple[int, int]], width: int, height: int, frames: int) -> list[Picture]:
    """Frames of a window that moves over a picture from stop to stop."""
    seen = []
    for (x0, y0), (x1, y1) in pairwise(stops):
        for share in np.linspace(0, 1, frames):
            x, y = round(x0 + share * (x1 - x0)), round(y0 + share * (y1 - y0))
            seen.append(table[y : y + height, x : x + width])
    return seen


def test_key_frames_overlap_and_know_where_they_are(tmp_path: Path) -> None:
    table = textured(1400, 700)
    stops = [(0, 0), (1000, 0), (1000, 380), (0, 380)]  # the way back passes below the way there
    frames = pan(table, stops, 400, 320, 40)
    where = [
        (x, y)
        for (x0, y0), (x1, y1) in pairwise(stops)
        for share in np.linspace(0, 1, 40)
        for x, y in [(x0 + share * (x1 - x0), y0 + share * (y1 - y0))]
    ]
    with open_film(write_film(tmp_path / "pan.mp4", frames)) as film:
        keys = list(key_frames(film))
    assert {key.run for key in keys} == {0}
    first = np.array(where[keys[0].frame])
    for number, key in enumerate(keys):
        at = project(key.to_run, np.zeros((1, 2)))[0]
        assert np.abs(at - (np.array(where[key.frame]) - first)).max() < 12
        assert number == 0 or number - 1 in key.ties
        for other, (there, here) in key.ties.items():
            step = np.array(where[key.frame]) - where[keys[other].frame]
            assert np.abs(there - here - step).max() < 4
    assert 6 <= len(keys) <= 30


def test_chosen_frames_are_all_taken_and_tied_though_the_camera_went_far_between_them() -> None:
    table = textured(1600, 480)
    shots = [table[:, x : x + 640] for x in (0, 200, 420, 600, 380)]
    film = ChosenFrames("film", 3.0, tuple((0.6 * n, encode(shot, ".jpg")) for n, shot in enumerate(shots)))
    keys = list(key_frames(film))
    assert [key.seconds for key in keys] == pytest.approx([0.0, 0.6, 1.2, 1.8, 2.4])
    assert {key.run for key in keys} == {0}, "the way of the camera is known from the first frame to the last"
    for key, x in zip(keys, (0, 200, 420, 600, 380), strict=True):
        assert project(key.to_run, np.array([[0.0, 0.0]])) == pytest.approx(np.array([[x, 0]]), abs=8)


def test_a_chosen_frame_that_is_no_picture_is_named() -> None:
    with pytest.raises(PhotoError):
        read_open_film(ChosenFrames("film", 1.0, ((0.0, b"no picture"),)))


def test_where_the_picture_is_lost_the_camera_was_too_fast(tmp_path: Path) -> None:
    table = textured(1000, 400)
    rushed = [textured(400, 320, seed) for seed in (7, 8, 9)]
    frames = [*pan(table, [(0, 0), (60, 0)], 400, 320, 20), *rushed, *pan(table, [(500, 0), (560, 0)], 400, 320, 20)]
    with open_film(write_film(tmp_path / "rush.mp4", frames)) as film:
        keys = list(key_frames(film))
    assert [20 <= key.frame < 23 for key in keys] == [key.is_blurred for key in keys]
    assert {key.frame for key in keys if np.isinf(key.speed)} == {20, 21, 22}
    assert {key.run for key in keys if not key.is_blurred} == {0, 4}


def shown(x: float, *, speed: float = 0.0) -> Any:
    """A frame that shows 600 x 400 px of a table from `x` on."""
    to_map = np.array([[1.0, 0, x], [0, 1, 0], [0, 0, 1]])
    key = SimpleNamespace(is_blurred=speed > 0.02, speed=speed, seconds=x / 100)
    return SimpleNamespace(key=key, table=SimpleNamespace(size=(600, 400)), to_map=to_map)


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ([shown(0), shown(500), shown(900)], []),
        ([shown(0), shown(500), shown(1000, speed=0.05)], ["upper right, middle right, lower right"]),
        ([shown(0), shown(500), shown(1000, speed=0.05), shown(1000)], []),  # slowly the second time
    ],
)
def test_what_was_never_slow_enough_is_said_with_its_place(frames: list[Any], said: list[str]) -> None:
    joined: Any = SimpleNamespace(table=SimpleNamespace(size=(1600, 400)), to_map=[frame.to_map for frame in frames])
    notes = _note_fast_places(frames, joined)
    assert notes == [
        f"the camera was too fast over the {place} of the table: film it again more slowly" for place in said
    ]


def test_the_whole_table_is_put_together_from_smaller_copies_of_frames_too() -> None:
    shades = np.linspace(0, 255, 640).astype(np.uint8)
    frame = np.ascontiguousarray(np.broadcast_to(shades[None, :, None], (480, 640, 3)))
    table = SeenTable((640, 480), Plane(np.eye(3)), Template(), ())
    joined = Joined.of_one(table)
    (whole, _), (copy, _) = (
        draw_mosaic([encode(picture, ".png")], [table], joined) for picture in (frame, at_most(frame, 320))
    )
    assert whole.shape == copy.shape
    assert np.abs(whole.astype(int) - copy.astype(int))[8:-8, 8:-8].max() < 8


@pytest.mark.parametrize(("size", "room"), [((640, 360), 3), ((1920, 1080), 3), ((3840, 2160), 1), ((8000, 6000), 1)])
def test_of_large_frames_few_wait_to_be_read(size: tuple[int, int], room: int) -> None:
    assert _room_for_waiting(size) == room


def seen_at(columns: Sequence[float], index_px: Sequence[float]) -> tuple[Any, Any]:
    """A frame with a card at each place, and how it is joined: shares of the table's width, from left to right."""
    rank = np.zeros((len(columns), 2))
    detections = SimpleNamespace(rank_xy=rank, suit_xy=rank + np.array([[0.0, px] for px in index_px]))
    cards = [SimpleNamespace(indices=(row,), quad=np.tile([900 * x, 150.0], (4, 1))) for row, x in enumerate(columns)]
    table = SimpleNamespace(size=(900, 300), cards=cards)
    frame = SimpleNamespace(table=table, found=SimpleNamespace(detections=detections))
    return frame, SimpleNamespace(table=table, sights=[((0, row),) for row in range(len(cards))])


@pytest.mark.parametrize(
    ("index_px", "said"),
    [
        ([12.0] * 8, []),
        ([7.0] * 8, []),  # that is said of the whole table
        ([12.0] * 6 + [7.0] * 2, ["the middle right"]),
        ([12.0] * 7 + [7.0], []),  # one card may lie aslant
    ],
)
def test_what_was_only_seen_from_afar_is_said_with_its_place(index_px: list[float], said: list[str]) -> None:
    frame, joined = seen_at([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9], index_px)
    notes = _note_far_places([frame], joined)
    assert notes == [f"{place} of the table was only seen from afar: film it once more from nearer" for place in said]


def test_a_card_is_as_near_as_the_frame_that_shows_it_largest() -> None:
    far, joined = seen_at([0.1, 0.2, 0.8, 0.9], [7.0] * 4)
    near, _ = seen_at([0.1, 0.2, 0.8, 0.9], [12.0] * 4)
    joined.sights = [((0, row), (1, row)) for row in range(3)] + [((0, 3),)]
    assert not _note_far_places([far, near], joined)


def focused(x: float, sharpness: float, contrast: float = 10.0) -> Any:
    """A key frame of 600 x 400 px of a table from `x` on."""
    to_run = np.array([[1.0, 0, x], [0, 1, 0], [0, 0, 1]])
    look = {"sharpness": sharpness, "contrast": contrast}
    return SimpleNamespace(run=0, to_run=to_run, size=(600, 400), seconds=x / 100, **look)


@pytest.mark.parametrize(
    ("soft", "said"),
    [
        ([], []),
        ([focused(900, 0.3), focused(1300, 0.3)], ["between 9.0 and 13.0 s, on the right"]),
        ([focused(200, 0.3)], []),  # others show the same sharply
        ([focused(1300, 0.3, contrast=1.0)], []),  # a bare table
    ],
)
def test_what_was_only_out_of_focus_is_said_with_its_time_and_side(soft: list[Any], said: list[str]) -> None:
    notes = _note_out_of_focus([*(focused(x, 0.9) for x in (0, 100, 200, 300, 400, 500)), *soft])
    assert notes == [
        f"the picture was out of focus {when}: cards there may be missing; film that part again" for when in said
    ]


def test_a_blurred_picture_has_less_steep_edges() -> None:
    dice = np.random.default_rng(3).integers(0, 256, (20, 25, 1), np.uint8)
    table = np.kron(dice, np.ones((16, 16, 3), np.uint8))
    blurred = np.asarray(cv2.GaussianBlur(table, (0, 0), 3.0), np.uint8)
    (_, sharp), (_, soft) = (View.of(image).contrast_and_sharpness() for image in (table, blurred))
    assert soft < 0.5 * sharp


def test_frames_that_nothing_ties_are_left_out_and_told() -> None:
    lost, slow = shown(300, speed=np.inf), [shown(0), shown(700)]
    assert _without_lost([slow[0], lost, slow[1]]) == (slow, [3.0])
    assert _without_lost([lost]) == ([lost], [])


# --- joining by the way of the camera --------------------------------------------------------------------------------


def shoot(
    laid: Sequence[Laid],
    aims: Sequence[Sequence[Laid]],
    missing: Sequence[Sequence[int]] = (),
    *,
    astray: float = 0.0,
    partial: Sequence[int] = (),
) -> Joined:
    """Photos of one table, each of which knows how it lies on the next, by so many px astray.

    `missing` are cards that a photo lacks, `partial` photos of which that is known.
    """
    tables: list[SeenTable] = []
    middles = []
    for number, aim in enumerate(aims):
        camera = replace(simulate.Camera(), size=(1600, 1200), tilt=0.2)
        truth = simulate.photograph(laid, game="makiaveli", position=None, camera=camera, aim=aim)
        middles.append(np.array([card["quad"] for card in truth["cards"]]).mean(1))
        lacking = missing[number] if missing else ()
        shown = {**truth, "cards": [card for k, card in enumerate(truth["cards"]) if k not in lacking]}
        tables.append(assemble_cards(*simulate.observe(shown, np.random.default_rng(5), NOISE), (1600, 1200)))
    points: SamePoints = {(k, k + 1): (middles[k], middles[k + 1] + [astray, 0]) for k in range(len(aims) - 1)}
    return join(tables, same_points=points, partial=partial)


def found(joined: Joined) -> Counter[str]:
    return Counter(str(card.best) for card in joined.table.cards)


def test_equal_melds_stay_two_where_the_camera_says_so() -> None:
    one, other = row("5H 6H 7H", 0, 0), row("5H 6H 7H", 500, 0)
    laid = one + other
    joined = shoot(laid, [one, other])
    assert found(joined) == Counter({"5H": 2, "6H": 2, "7H": 2})
    assert not joined.checks
    assert not joined.apart


def test_cards_say_where_the_picture_is_wrong() -> None:
    laid = row("5H 6H 7H 8H 9H", 0, 0) + row("KC KD KS", 0, 130) + row("2C 3C 4C", 300, 130)
    joined = shoot(laid, [laid, laid], astray=180.0)
    assert found(joined) == Counter(str(card.card) for card in laid)


def test_indices_of_two_cards_taken_for_one_card_from_afar_do_not_make_them_one() -> None:
    laid = row("KC KD KS", 0, 130) + row(FAN, 0, 0, 22.0, "floor/1")
    camera = replace(simulate.Camera(), size=(1600, 1200))
    truth = simulate.photograph(laid, game="makiaveli", position=None, camera=camera, aim=laid)
    near = assemble_cards(*simulate.observe(truth, np.random.default_rng(5), NOISE), (1600, 1200))
    ace, two = (next(card for card in near.cards if str(card.best) == name) for name in FAN.split()[:2])
    ranks = np.concatenate([ace.ranks[:1], two.ranks[:1]])
    doubt = np.logaddexp(ace.log_card + np.log(0.4), two.log_card + np.log(0.6))
    glued = replace(two, ranks=ranks, centre=(ace.centre + two.centre) / 2, log_card=doubt)
    seen = [glued, *(card for card in near.cards if card is not ace and card is not two)]
    far = replace(near, cards=tuple(replace(card, quad=0.5 * card.quad) for card in seen))
    points = np.array([card["quad"] for card in truth["cards"]]).mean(1)
    tables = [far, near, near]
    joined = join(tables, same_points={(0, 1): (points, points), (1, 2): (points, points)})
    assert found(joined) == Counter(str(card.card) for card in laid)


def test_of_a_partial_photo_nothing_is_missed() -> None:
    laid = row("5H 6H 7H 8H 9H", 0, 0) + row("KC KD KS", 0, 130)
    shots = [laid] * 4
    missing = [(), *[(5,)] * 3]
    once, whole = shoot(laid, shots, missing), shoot(laid, shots, missing, partial=[1, 2, 3])
    lone, sure = (next(c.is_card for c in j.table.cards if str(c.best) == "KC") for j in (once, whole))
    assert lone < 0.5 < sure


def test_sights_add_up() -> None:
    laid = row("5H 6H 7H 8H 9H", 0, 0) + row("KC KD KS", 0, 130)
    once, thrice = shoot(laid, [laid]), shoot(laid, [laid] * 3)
    assert found(thrice) == found(once) == Counter(str(card.card) for card in laid)
    surest = {str(card.best): card.log_card.max() for card in once.table.cards}
    least = {card: min(log, np.log(0.99999)) for card, log in surest.items()}
    assert all(card.log_card.max() >= least[str(card.best)] for card in thrice.table.cards)
    assert {len(sights) for sights in thrice.sights} == {3}


def test_what_one_frame_of_many_shows_is_left_out() -> None:
    laid = row("5H 6H 7H", 0, 0) + row("KC KD KS", 0, 130)
    stray = [Laid(parse_card("2C"), 200, 60, 0.0, "floor/2")]
    shots = [laid + stray] * 5
    joined = shoot(laid + stray, shots, missing=[(), *[(6,)] * 4])
    assert found(joined) == Counter(str(card.card) for card in laid)


def test_a_card_seen_at_two_places_by_turns_is_one() -> None:
    laid = row("5H 6H 7H", 0, 0) + row("KC KD KS", 0, 130)
    beside = [replace(laid[0], x=laid[0].x - 55.0)]  # one side of it was seen and taken for the other
    joined = shoot(laid + beside, [laid + beside] * 4, missing=[(6,), (6,), (0,), (0,)])
    assert found(joined) == Counter(str(card.card) for card in laid)


def test_a_copy_in_a_fan_that_many_frames_miss_is_a_card_where_the_others_show_both() -> None:
    laid = row("KC KD KS", 0, 130) + row("AH QH 2H AH 2C", 0, 0, 22.0, "hand")
    joined = shoot(laid, [laid] * 8, missing=[(), (), (3,), *[(6,)] * 5], partial=range(3, 8))
    assert found(joined)["AH"] == 2


def test_what_one_frame_of_many_shows_is_left_out_where_cards_are_small() -> None:
    laid = row("5H 6H 7H", 0, 0) + row("KC KD KS", 0, 130)
    far = row("AC 2C 3C", 1700, 0) + row("9D 9S 9H", 1700, 900)
    stray = [Laid(parse_card("2C"), 200, 60, 0.0, "floor/2")]
    every = laid + far + stray
    joined = shoot(every, [every] * 5, missing=[(), *[(12,)] * 4])
    assert found(joined) == Counter(str(card.card) for card in laid + far)


def test_frames_that_take_the_deck_for_another_one_are_seen_again(monkeypatch: pytest.MonkeyPatch) -> None:
    jumbo, usual = Template(2.0, 2.9, pairs=3), Template(pairs=1)

    def frame(template: Template, cards: int = 1) -> Any:
        return SimpleNamespace(table=SimpleNamespace(template=template, cards=[None] * cards))

    monkeypatch.setattr(film_to_reading, "_see_again", lambda frame, template: (frame, template))
    like, other, empty = (frame(jumbo) for _ in range(3)), frame(usual), frame(Template(), 0)
    frames = [*like, other, empty]
    assert _of_one_deck(frames) == [*frames[:3], (other, jumbo), empty]
    assert _of_one_deck([frames[0], other]) == [frames[0], other], "two frames tell nothing"


def test_cards_lie_where_a_known_deck_has_them() -> None:
    laid = row("5H 6H 7H 8H", 0, 0) + row("KC KD KS", 0, 130)
    truth = simulate.photograph(laid, game="makiaveli", position=None, camera=simulate.Camera(), aim=laid)
    seen = simulate.observe(truth, np.random.default_rng(5), NOISE)
    own = assemble_cards(*seen, (1280, 960))
    again = assemble_cards(*seen, (1280, 960), own.template)
    assert [card.best for card in again.cards] == [card.best for card in own.cards]
    assert np.allclose([card.quad for card in again.cards], [card.quad for card in own.cards], atol=1.0)
    wide = assemble_cards(*seen, (1280, 960), replace(own.template, across=1.5 * own.template.across))
    assert wide.template.across == 1.5 * own.template.across


def test_a_frame_with_more_cards_than_others_show_there_is_split() -> None:
    def frame(cards: int) -> Any:
        corners = np.array([[0, 0], [20, 0], [20, 30], [0, 30]])
        quads = [corners + np.array([30 + 40 * k, 100]) for k in range(cards)]
        table = SimpleNamespace(cards=[SimpleNamespace(quad=quad) for quad in quads], size=(640, 360))
        return SimpleNamespace(key=SimpleNamespace(run=0, to_run=np.eye(3)), table=table)

    even = [frame(10), frame(10), frame(9)]
    split = frame(14)
    assert _is_split(split, [*even, split])
    assert not any(_is_split(one, [*even, split]) for one in even)
    assert not _is_split(frame(6), [frame(4), frame(4)])  # too few to tell


def test_a_film_of_a_game_is_told_from_a_camera_that_was_too_fast() -> None:
    corners = np.array([[0, 0], [20, 0], [20, 30], [0, 30]])

    def frame(seconds: float, cards: str, shift: float = 0.0, speed: float = np.inf) -> Any:
        seen = [
            SimpleNamespace(quad=corners + np.array([30 + 40 * k + shift, 100]), best=name)
            for k, name in enumerate(cards.split())
        ]
        table = SimpleNamespace(cards=seen, size=(640, 360))
        return SimpleNamespace(key=SimpleNamespace(seconds=seconds, speed=speed), table=table)

    first = frame(0.0, "2C 3D 4H 5S 6C", speed=0.0)
    changed, moved, other = (
        frame(2.0, "2C 3D 4H 5S 7D", 10),
        frame(2.0, "2C 3D 4H 5S 6C", 90),
        frame(2.0, "8C 9C TC JC QC"),
    )
    assert _changed_at_rest([first, changed]) == [2.0]
    assert not _changed_at_rest([first, frame(2.0, "2C 3D 4H 5S 7D", speed=0.0)])
    assert not _changed_at_rest([first, moved])
    assert not _changed_at_rest([first, other])


def test_of_a_poor_frame_only_what_no_other_shows_whole_counts() -> None:
    corners = np.array([[0, 0], [20, 0], [20, 30], [0, 30]])

    def frame(*at: float) -> Any:
        cards = tuple(SimpleNamespace(quad=corners + np.array([x, 100]), indices=(k,)) for k, x in enumerate(at))
        table = SeenTable((640, 360), Plane(np.eye(3)), Template(), cards)  # type: ignore[arg-type]
        key: Any = SimpleNamespace(run=0, to_run=np.eye(3))
        return _ReadFrame(key, b"", None, table, None)  # type: ignore[arg-type]

    poor = _only_alone(frame(30, 630, 200), [frame(30, 200)])
    assert [card.quad[0, 0] for card in poor.table.cards] == [630]
    assert poor.table.rejected == (0, 2)
    assert poor.is_partial


@pytest.mark.parametrize("kind", [QuestionKind.APART, QuestionKind.PHOTOS])
def test_all_frames_that_do_not_join_or_hardly_do_are_asked_about_at_once(kind: QuestionKind) -> None:
    keys: Any = [SimpleNamespace(seconds=float(k)) for k in range(5)]
    one, other = (Question(kind, f"frame {k}", photos=(k,)) for k in (1, 3))
    card = Question(QuestionKind.CARD, "which card?")
    assert _ask_once_about_frames([card, one], keys) == [card, one]
    kept, asked = _ask_once_about_frames([one, card, other], keys)
    assert (kept, asked.kind, asked.photos) == (card, kind, (1, 3))
    assert "frames at 1.0, 3.0 s" in asked.text
    of_whole = Question(kind, "is the table seen from across?")
    of_moved = Question(kind, "7C is taken for one card that was moved; is that right?", choices=MOVED, photos=(1, 3))
    assert {of_whole, of_moved} < set(_ask_once_about_frames([one, of_whole, of_moved, other], keys))


# --- films read ------------------------------------------------------------------------------------------------------


def test_a_half_covered_index_of_a_card_seen_whole_elsewhere_is_no_card() -> None:
    nan = float("nan")

    def laid(*ranks: tuple[complex, complex]) -> LaidCards:
        seen = np.array([[*both, nan, nan] for both in ranks], np.complex128)
        middle = np.zeros(len(ranks), np.complex128)
        return LaidCards(middle, middle + 1j, np.stack([middle] * 3, 1), seen)

    one, other = -0.4 - 0.6j, 0.4 + 0.6j
    whole, half, both = laid((one, other)), laid((one, nan)), laid((one, nan), (other, nan))
    reads = [[np.zeros(52)] * 3, [np.zeros(52)]]
    union = UnitedCards([[(0, 0), (1, 0), (2, 0)], [(1, 1)]], reads, {0: whole, 1: both, 2: half})
    assert ink_of_others(union) == {1}
    union.laid[0] = half  # nobody saw that index as one of the first card
    assert ink_of_others(union) == set()


@pytest.fixture(scope="module")
def table_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    table = load(SAMPLE)
    height, width = table.shape[:2]
    frames = pan(table, [(0, 0), (width - width * 5 // 8, 0)], width * 5 // 8 // 2 * 2, height // 2 * 2, 30)
    return write_film(tmp_path_factory.mktemp("films") / "table.mp4", frames)


def test_a_sweep_shows_each_card_once(table_film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())
    there = Counter(card["card"] for card in truth["cards"] if card["card"])
    out = tmp_path / "table.png"
    assert main([str(table_film), "--json", "--no-solve", "--out", str(out)]) == 0
    body = json.loads(capsys.readouterr().out)
    assert Counter(card["card"] for card in body["cards"]) == there
    assert body["game"] == "makiaveli"
    assert len(body["photos"]) > 2
    width = load(out).shape[1]
    assert width > 1.1 * body["photos"][0]["width"]


def test_ctrl_c_keeps_what_was_read(table_film: Path) -> None:
    def stop(seconds: float, whole: float, cards: int) -> None:
        assert 0 <= seconds <= whole
        if seconds > 0.2:
            raise KeyboardInterrupt

    read = read_film(table_film, progress=stop)
    assert read.reading.cards
    assert any(note.startswith("stopped at") for note in read.reading.notes)


@pytest.mark.parametrize("frames", [[textured(320, 240)] * 12, [grey(0)]], ids=["a cloth", "one dark frame"])
def test_a_film_without_cards_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], frames: list[Picture]
) -> None:
    assert main([str(write_film(tmp_path / "film.mp4", frames))]) == 0
    out = capsys.readouterr().out
    assert "cards: none found" in out
    assert "note: no card was seen in the film" in out
    assert re.search(r"this film is only 0\.\d s long; film the whole table in one sweep", out)
    assert "breaks off" not in out


# --- rests -----------------------------------------------------------------------------------------------------------


def test_rests_are_the_states_between_moves(tmp_path: Path) -> None:
    def state(cards: int, hand: int = 0) -> RGB:
        image = np.full((240, 320, 3), 60, np.uint8)
        for k in range(cards):
            image[40:100, 30 + 60 * k : 70 + 60 * k] = 240
        image[60:180, :hand] = (200, 150, 120)
        return image

    reach = [0, 60, 120, 180, 120, 60, 0]
    film = [state(1)] * 36
    film += [state(1, hand) for hand in reach for _ in range(3)] + [state(2)] * 36
    film += [state(2, hand) for hand in reach[:4] for _ in range(3)]
    film += [state(2, 180)] * 36  # a hand that waits over the table
    film += [state(3, hand) for hand in reach[4:] for _ in range(3)] + [state(3)] * 36
    game = write_film(tmp_path / "game.mp4", film)
    rests = [rest for rest, is_hand in find_rests(game) if not is_hand]
    cards = [round((rest.image[70, :, 0] > 200).sum() / 40) for rest in rests]
    assert cards == [1, 2, 3]
    assert not any(rest.image[120:170, :100].mean() > 80 for rest in rests)
    hands = [rest for rest, is_hand in find_rests(game) if is_hand]
    assert [rest.image[120:170, :100].mean() > 80 for rest in hands] == [True]
    shots = list(record.shots_of([game]))
    assert [shot is record.HAND for _, shot in shots] == [False, False, True, False], "it is named with its time"
    assert read_shot(shots[2]) == (shots[2][0], record.HAND)
    assert re.fullmatch(r"game\.mp4 0:\d\d\.\d", shots[2][0].name)


def moments(path: Path, levels: Sequence[int]) -> Path:
    """A film in which each of some tables rests for a second and a half."""
    pictures = {level: grey(40) for level in levels}
    for level in levels:
        pictures[level][20:80, 10 : 10 + level] = 240
    return write_film(path, [pictures[level] for level in levels for _ in range(36)])


def test_a_film_of_a_game_is_read_at_its_rests_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film, kept = moments(tmp_path / "game.mp4", [30, 70, 110]), tmp_path / "kept.jsonl"
    read: list[str] = []

    def read_or_stop(shot: tuple[Path, RGB | None]) -> tuple[Path, str]:
        photo, picture = shot
        if picture is None or len(read) == 2:
            raise KeyboardInterrupt
        read.append(photo.name)
        return photo, f"{round(float((picture[50, :, 0] > 200).sum()), -1):.0f} px"

    monkeypatch.setattr("vision.history.read_tables.read_shot", read_or_stop)
    with pytest.raises(KeyboardInterrupt):
        record.read_tables([film], 1, kept)
    first = read.copy()
    film.with_suffix(".txt").write_text("a record beside its film is no label of it")
    read.clear()
    files, tables = record.read_tables([film], 1, kept)
    names = [file.name for file in files]
    assert len(read) == 1
    assert first + read == names == sorted(set(names))
    assert all(name.startswith("game.mp4 0:0") for name in names)
    assert tables == ["30 px", "70 px", "110 px"]


def test_films_that_are_no_game_are_said_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film at all" * 40)
    restless = write_film(tmp_path / "restless.mp4", [textured(160, 96, k) for k in range(40)])
    for film, said in ((broken, "no pictures in it"), (restless, "nothing moves for 0.8 s")):
        assert record.main([str(film), "--workers", "1", "--kept", str(tmp_path / "kept.jsonl")]) == 1
        err = capfd.readouterr().err.strip()
        assert film.name in err
        assert said in err
