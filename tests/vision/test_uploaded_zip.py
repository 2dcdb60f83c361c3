from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from vision.measure import uploaded_zip as archive
from vision.measure.uploaded_zip import ArchiveError, unpack


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return out.getvalue()


def test_photos_and_labels_are_unpacked_and_other_files_left_out(tmp_path: Path) -> None:
    data = zipped({"a/photo.jpg": b"1", "a/photo.json": b"2", "a/run.sh": b"3"})
    assert unpack([("all.zip", data), ("b.png", b"4")], tmp_path) == 3
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["a/photo.jpg", "a/photo.json", "b.png"]


@pytest.mark.parametrize(
    "name", ["../out.jpg", "/etc/out.jpg", "a/../../out.jpg", "C:/out.jpg", "a\x00.jpg", "..\\out.jpg"]
)
def test_a_path_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(ArchiveError):
        unpack([(name, b"x")], inside)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"text"])
def test_a_broken_zip_is_a_sentence(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ArchiveError, match="no ZIP file"):
        unpack([("all.zip", data)], tmp_path)


def test_a_damaged_member_is_a_sentence(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.jpg": bytes(range(256)) * 40}))
    data[60:120] = bytes(60)
    with pytest.raises(ArchiveError, match="damaged"):
        unpack([("all.zip", bytes(data))], tmp_path)


def test_a_bomb_stops_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000_000)
    with pytest.raises(ArchiveError, match="MB unpacked"):
        unpack([("all.zip", zipped({"a.jpg": bytes(5_000_000)}))], tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.jpg")) <= 1_000_000


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    with pytest.raises(ArchiveError, match="more than 3 files"):
        unpack([(f"{n}.jpg", b"x") for n in range(4)], tmp_path)


@pytest.mark.parametrize("names", [("ä" * 200 + ".jpg",), ("a.jpg", "a.jpg/b.jpg"), ("a.jpg/b.jpg", "a.jpg")])
def test_names_that_no_folder_can_hold_are_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(ArchiveError):
        unpack([("all.zip", zipped(dict.fromkeys(names, b"x")))], tmp_path)
