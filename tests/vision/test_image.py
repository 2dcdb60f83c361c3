"""Photos of every kind come in upright and in 8-bit RGB; everything else is one clear error."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision import image as image_module
from vision.errors import PhotoError
from vision.image import STRIP, encode, load, photos_in, save, system_library_error

RED_LEFT = np.zeros((40, 60, 3), np.uint8)
RED_LEFT[:, :30] = (220, 20, 20)
RED_LEFT[:, 30:] = (20, 20, 220)


def as_bytes(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "GIF", "TIFF", "BMP"])
def test_each_kind_keeps_channels_and_size(kind: str) -> None:
    image_module._know_heic()
    read = load(as_bytes(Image.fromarray(RED_LEFT), kind))
    assert read.shape == RED_LEFT.shape
    assert read.dtype == np.uint8
    assert np.abs(read[20, 10].astype(int) - RED_LEFT[20, 10]).max() < 40
    assert np.abs(read[20, 50].astype(int) - RED_LEFT[20, 50]).max() < 40


@pytest.mark.parametrize("rows", [1, STRIP, 2 * STRIP + 7])
def test_every_row_is_handed_over(rows: int) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (rows, 5, 3), np.uint8)
    np.testing.assert_array_equal(load(as_bytes(Image.fromarray(picture), "PNG")), picture)


@pytest.mark.parametrize("turn", range(1, 9))
def test_exif_turns_the_photo_upright(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    read = load(as_bytes(Image.fromarray(RED_LEFT), "JPEG", exif=exif, quality=95))
    assert read.shape[:2] == ((40, 60) if turn <= 4 else (60, 40))
    red = {1: "left", 2: "right", 3: "right", 4: "left", 5: "top", 6: "top", 7: "bottom", 8: "bottom"}[turn]
    place = {"left": (20, 5), "right": (20, -5), "top": (5, 20), "bottom": (-5, 20)}[red]
    assert read[place][0] > 150 > read[place][2]


@pytest.mark.parametrize(
    "picture",
    [
        Image.fromarray(np.full((20, 30), 40_000, np.uint16)),
        Image.new("CMYK", (30, 20), (0, 0, 0, 100)),
        Image.new("LA", (30, 20), (90, 255)),
        Image.new("1", (30, 20), 1),
        Image.new("P", (30, 20), 3),
        Image.new("F", (30, 20), 0.5),
    ],
    ids=["16 bit", "CMYK", "grey+alpha", "bilevel", "palette", "float"],
)
def test_odd_modes_become_rgb(picture: Image.Image) -> None:
    read = load(as_bytes(picture, "TIFF" if picture.mode in ("CMYK", "F") else "PNG"))
    assert read.shape == (20, 30, 3)
    if picture.mode.startswith("I"):
        assert read[0, 0].tolist() == [155, 155, 155]


def test_transparent_is_white_and_animation_gives_its_first_picture() -> None:
    assert load(as_bytes(Image.new("RGBA", (8, 8), (0, 0, 0, 0)), "PNG"))[0, 0].tolist() == [255, 255, 255]
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    moving = as_bytes(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    assert load(moving)[0, 0].tolist() == [255, 0, 0]


def test_broken_files_name_what_is_wrong(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    for kind in ("JPEG", "PNG", "WEBP", "HEIF"):
        whole = as_bytes(Image.fromarray(noise), kind)
        with pytest.raises(PhotoError, match=r"truncated|no image"):
            load(whole[: len(whole) // 2])
    with pytest.raises(PhotoError, match="empty"):
        load(b"")
    with pytest.raises(PhotoError, match="no image"):
        load(b"GIF89a is not enough")
    (tmp_path / "note.jpg").write_text("hello")
    with pytest.raises(PhotoError, match=r"note\.jpg: no image"):
        load(tmp_path / "note.jpg")
    with pytest.raises(PhotoError, match="no such file"):
        load(tmp_path / "missing.jpg")
    with pytest.raises(PhotoError, match="a folder"):
        load(tmp_path)


@pytest.mark.parametrize("side", [10_001, 13_500])
def test_huge_photos_are_refused_before_decoding(side: int) -> None:
    huge = as_bytes(Image.new("1", (side, side)), "PNG")
    with pytest.raises(PhotoError, match="100 megapixels"):
        load(huge)


def test_save_round_trips_and_refuses_unknown_kinds(tmp_path: Path) -> None:
    path = save(RED_LEFT, tmp_path / "new" / "a.png")
    assert np.array_equal(load(path), RED_LEFT)
    assert np.array_equal(load(encode(RED_LEFT, ".png")), RED_LEFT)
    with pytest.raises(PhotoError, match=r"\.jpg"):
        save(RED_LEFT, tmp_path / "a.xyz")
    assert [p.name for p in photos_in(tmp_path)] == ["a.png"]


def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    for name in ("b.JPG", ".hidden.jpg", "a.png", "notes.txt", "closed/c.webp", "d.gif"):
        (tmp_path / name).touch()
    assert [path.name for path in photos_in(tmp_path)] == ["a.png", "b.JPG", "c.webp", "d.gif"]
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(PermissionError, match="closed"):
        photos_in(tmp_path)


def test_other_import_errors_are_not_explained_away() -> None:
    assert system_library_error(ImportError("No module named 'cv2'")) is None
