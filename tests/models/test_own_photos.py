"""Training on photos of one's own: some are kept for measuring, the shipped weights go on, the effect is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")

from models.index_reader import data as reader_data  # noqa: E402
from models.train import own_photos  # noqa: E402
from models.train.__main__ import main  # noqa: E402
from models.train.labelled_pictures import DataError  # noqa: E402
from models.train.own_photos import SAMPLES, SHIPPED, split_files  # noqa: E402


def photos(folder: Path, count: int) -> Path:
    for photo in sorted(SAMPLES.glob("*.jpg"))[:count]:
        shutil.copy(photo, folder)
        shutil.copy(photo.with_suffix(".json"), folder)
    return folder


def test_a_part_is_held_out_the_same_in_each_run(tmp_path: Path) -> None:
    folder = photos(tmp_path, 8)
    train, held = split_files([folder])
    assert len(held) == 2
    assert not set(train) & set(held)
    assert len(train) + len(held) == 8
    assert split_files([folder]) == (train, held)


def test_one_photo_is_too_few(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected two or more"):
        split_files([photos(tmp_path, 1)])


def test_the_temperatures_of_a_file_come_back() -> None:
    """Read with its own temperatures, the restored network says what the file says."""
    found = reader_data.temperatures_of(SHIPPED["reader"], [SAMPLES], most=2)
    assert all(0.5 < value < 4 for value in (found.rank, found.suit, found.index))


def test_photos_without_scenes_go_on_from_the_shipped_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, few = tmp_path / "mine", tmp_path / "few"
    folder.mkdir()
    few.mkdir()
    monkeypatch.setattr(own_photos, "SAMPLES", photos(few, 1))
    arguments = ["reader", "--photos", str(photos(folder, 2)), "--out", str(tmp_path / "run"), "--minutes", "0.02"]
    assert main([*arguments, "--batch", "8", "--threads", "1"]) == 0
    told = capsys.readouterr().out
    assert (tmp_path / "run" / "reader.onnx").is_file()
    assert "held-out photos (1):" in told
    assert "shipped samples (1):" in told
    assert "before" in told
    assert "after" in told


def test_the_counter_and_nothing_at_all_need_scenes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments in (["reader"], ["counter", "--photos", str(tmp_path)]):
        with pytest.raises(SystemExit):
            main([*arguments, "--out", str(tmp_path)])
        assert "--data" in capsys.readouterr().err
