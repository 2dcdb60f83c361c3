"""A corrected reading becomes labelled photos: nothing of the camera stays, what a person said counts."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from models.train.labelled_pictures import read_sample
from vision.convert_labels import main as convert
from vision.evaluate import main as evaluate
from vision.image import load
from vision.measure.labelled_zip import UNSURE, CorrectionError, labelled_zip
from vision.measure.labels import TABLE, photos_of_table, truth_of, truth_of_table
from vision.reading import Reading

IMAGE = np.random.default_rng(0).integers(0, 255, (120, 160, 3), dtype=np.uint8)
INDEX = {"box": [10.0, 10.0, 20.0, 30.0], "rank": [15.0, 15.0], "suit": [15.0, 25.0]}
QUAD = [[5.0, 5.0], [45.0, 5.0], [45.0, 61.0], [5.0, 61.0]]


def card(text: str, zone: str = "hand", **more: object) -> dict[str, object]:
    rest = {"confidence": 1.0, "alternatives": []}
    return {"card": text, "zone": zone, "quad": QUAD, "indices": [INDEX]} | rest | more


def reading(*cards: dict[str, object], photos: int = 1) -> Reading:
    backs = [{"quad": QUAD, "zone": "deck", "confidence": 0.9}, {"quad": QUAD, "zone": "none", "confidence": 0.3}]
    shown = [{"width": 160, "height": 120}] * photos
    return Reading.from_json({"photos": shown, "game": "makiaveli", "cards": list(cards), "backs": backs})


POSITION = {"game": "makiaveli", "floor": [], "cross": [None] * 4, "hand": ["4H", "KS"]}


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_photo_with_its_label_and_nothing_of_the_camera(tmp_path: Path) -> None:
    camera = Image.fromarray(IMAGE)
    exif = camera.getexif()
    exif[0x010F] = "a camera"
    camera.save(tmp_path / "in.jpg", exif=exif)
    data = labelled_zip(
        [load(tmp_path / "in.jpg")],
        reading(card("9H"), card("KS"), card("2C"), card("3C", "none"), {**card("7D"), "quad": None}),
        POSITION,
        {0: "4H", 2: None},
        deck="mine",
    )
    files = members(data)
    photo, label = sorted(files, key=lambda name: name.endswith(".json"))
    assert photo[:-4] == label[:-5]
    assert not Image.open(io.BytesIO(files[photo])).getexif()
    told = json.loads(files[label])
    assert (told["game"], told["deck"], told["split"], told["position"]) == ("makiaveli", "mine", "train", POSITION)
    rows = [(row["card"], row.get("read"), row["zone"]) for row in told["cards"]]
    assert rows == [(None, None, "deck"), ("4H", "9H", "hand"), ("KS", None, "hand"), ("3C", None, "none")]
    assert [row["indices"][0]["visible"] for row in told["cards"][1:]] == [1.0, 1.0, UNSURE]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    truth = truth_of(tmp_path / photo, (160, 120))
    assert truth is not None
    assert [str(there.card) for there in truth.cards] == ["4H", "KS"]
    sample = read_sample(tmp_path / label)
    assert sample.has_points[~sample.ignore & (sample.kind == 0)].all()


def test_the_same_corrections_give_the_same_bytes() -> None:
    one, other = (labelled_zip([IMAGE], reading(card("9H")), POSITION, {0: "4H"}) for _ in range(2))
    assert one == other


def test_several_photos_of_one_table(tmp_path: Path) -> None:
    also = [{"photo": 1, "quad": QUAD, "indices": [INDEX]}]
    several = reading(card("9H", photo=0, also=also), card("KS", photo=1), photos=2)
    for name, content in members(labelled_zip([IMAGE, 255 - IMAGE], several, POSITION, {0: "4H"})).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    table = next(tmp_path.glob(f"*/{TABLE}"))
    photos = photos_of_table(table)
    shown = [truth_of(photo, (160, 120)) for photo in photos]
    assert [[str(c.card) for c in truth.cards] for truth in shown if truth] == [["4H"], ["4H", "KS"]]
    whole = truth_of_table(table)
    assert whole.position == POSITION
    assert [str(there.card) for there in whole.cards] == ["4H", "KS"]


def test_wrong_corrections_are_refused() -> None:
    with pytest.raises(CorrectionError, match="no card 3"):
        labelled_zip([IMAGE], reading(card("9H")), POSITION, {3: "4H"})
    with pytest.raises(CorrectionError, match="2 photos with a reading of 1"):
        labelled_zip([IMAGE, IMAGE], reading(card("9H")), POSITION)


def test_zips_are_merged_and_evaluated_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path(__file__).parents[2] / "datasets" / "samples" / "makiaveli_1"
    truth = json.loads(sample.with_suffix(".json").read_text())
    cards = [c | {"confidence": 1.0, "alternatives": []} for c in truth["cards"] if c["card"]]
    told = Reading.from_json({"image": truth["image"], "game": "makiaveli", "cards": cards, "backs": []})
    for number, image in enumerate((load(sample.with_suffix(".jpg")), IMAGE)):
        body = told if number == 0 else reading(card("9H"))
        data = labelled_zip([image], body, truth["position"] if number == 0 else POSITION)
        (tmp_path / f"{number}.zip").write_bytes(data)
    zips = [str(tmp_path / f"{number}.zip") for number in (0, 1)]
    assert convert([*zips, "--out", str(tmp_path / "merged")]) == 0
    assert len(list((tmp_path / "merged").glob("*.jpg"))) == 2
    assert evaluate([zips[0], "--no-verdicts", "--out", str(tmp_path / "report")]) == 0
    assert "photos: 1, of which 0 could not be evaluated" in capsys.readouterr().out
