"""The commands `vision.detect` and `vision.evaluate`: what they print, write and answer to bad input.

The networks are replaced by the simulated ones: a photo's pixels name the table that it shows.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from PIL import Image

from solver.__main__ import main as solver
from solver.games import parse, position_from_json
from tests.vision import simulate
from vision import compare, convert_labels, detect, evaluate, photo_to_reading, record
from vision.errors import LabelError
from vision.image import load, save
from vision.measure import one_photo as evaluation_photo
from vision.measure.labels import PhotoTruth, truth_of
from vision.networks.outputs import Backs, Detections, Reads
from vision.photo_to_table import Findings
from vision.read_card import Photo
from vision.reading import Reading

TABLES = {
    seed: simulate.makiaveli(np.random.default_rng(seed), melds=3, hand=3, cross=2, gap=22.0) for seed in (1, 2, 3)
}

PHOTO = (Photo("photo 1", 9, 9),)
SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "klondike_1.jpg"


def fake_look(image: Any) -> Findings:
    """What the networks would say: the red of the photo names its table, 0 an empty one."""
    seed = int(image[0, 0, 0])
    found = (Detections.empty(), Backs.empty(), Reads.empty())
    if seed in TABLES:
        found = simulate.observe(TABLES[seed], np.random.default_rng(seed), simulate.PERFECT)
    size = (image.shape[1], image.shape[0])
    return Findings(*found, size, image, {"load": 0.0, "detect": 0.1, "read": 0.05})


def look_with(monkeypatch: pytest.MonkeyPatch, look: Any) -> None:
    """Lets the commands see with something else than the networks."""
    for module in (photo_to_reading, evaluation_photo):
        monkeypatch.setattr(module, "detect_and_read", look)


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three tables with ground truth, one empty photo without."""
    look_with(monkeypatch, fake_look)
    folder = tmp_path / "photos"
    for seed, truth in TABLES.items():
        picture = np.full((960, 1280, 3), seed, np.uint8)
        save(picture, folder / f"table{seed}.png")
        (folder / f"table{seed}.json").write_text(json.dumps(truth))
    return folder


def test_detect_prints_position_verdict_and_writes_the_picture(
    photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = photos.parent / "drawn.jpg"
    assert detect.main([str(photos / "table1.png"), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "game: makiaveli" in said
    assert "position: makiaveli floor:" in said
    assert "verdict: " in said
    assert load(out).shape == (960, 1280, 3)


def test_detect_reads_a_photo_from_standard_input(
    photos: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    for name in (str(photos / "table1.png"), "-"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((photos / "table1.png").read_bytes())))
        assert detect.main([name, "--no-solve"]) == 0
        said.append(capsys.readouterr().out.removeprefix(name))
    assert said[0] == said[1]


def test_detect_reads_photos_of_one_table_together(
    photos: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    same = [str(photos / "table1.png"), str(photos / "table1.png")]
    assert detect.main([*same, "--together", "--no-solve", "--out", str(photos.parent / "drawn")]) == 0
    said = capsys.readouterr().out
    there = sum(card["card"] is not None for card in TABLES[1]["cards"])
    assert f"cards: {there}" in said
    assert len(list((photos.parent / "drawn").glob("*.jpg"))) == 2
    assert detect.main([*same, "--together", "--json", "--no-solve"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert [photo["joined"] for photo in body["photos"]] == [True, True]
    assert detect.main([same[0], str(photos / "table2.png"), "--together", "--no-solve"]) == 0
    assert "check: " in capsys.readouterr().out


def test_who_asks_for_the_cards_alone_is_told_of_no_game(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert detect.main([str(photos / "table1.png"), "--game", "cards"]) == 0
    said = capsys.readouterr().out
    assert "known here" not in said
    assert "verdict: none (no game was looked for" in said


def test_a_waste_is_listed_in_the_order_in_which_it_lies(capsys: pytest.CaptureFixture[str]) -> None:
    assert detect.main([str(SAMPLE), "--no-solve"]) == 0
    said = capsys.readouterr().out
    assert "waste: 9H 4H AH" in said
    assert re.search(r"^  waste: +9H 4H AH$", said, re.MULTILINE)


def test_detect_of_several_photos_needs_together(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([str(photos / "table1.png")] * 2, [str(photos), "--together"]):
        with pytest.raises(SystemExit):
            detect.main(arguments)
        assert "--together" in capsys.readouterr().err


def test_detect_json_of_a_folder_is_one_line_a_photo(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (photos / "broken.jpg").write_bytes(b"\xff\xd8 not a photo")
    Image.new("RGB", (64, 48)).save(photos / "empty.png")
    assert detect.main([str(photos), "--json", "--no-solve"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(row["file"]).name for row in rows] == ["broken.jpg", "empty.png"] + [
        f"table{k}.png" for k in (1, 2, 3)
    ]
    assert "no image" in rows[0]["error"] or "damaged" in rows[0]["error"]
    assert rows[1]["cards"] == []
    assert rows[1]["position"] is None
    assert all(row["position"]["game"] == "makiaveli" for row in rows[2:])


@pytest.mark.parametrize(
    ("main", "arguments", "named"),
    [
        (detect.main, ["broken.jpg"], {"file": "broken.jpg"}),
        (detect.main, ["table1.png", "broken.jpg", "--together"], {"files": ["table1.png", "broken.jpg"]}),
        (compare.main, ["table1.png", "broken.jpg"], {"files": ["table1.png", "broken.jpg"]}),
        (record.main, ["broken.jpg"], {"files": ["broken.jpg"]}),
    ],
)
def test_why_a_photo_cannot_be_read_is_json_too(
    photos: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    main: Callable[[list[str]], int],
    arguments: list[str],
    named: dict[str, object],
) -> None:
    (photos / "broken.jpg").write_bytes(b"not a photo")
    monkeypatch.chdir(photos)
    assert main([*arguments, "--json"]) == 1
    said = capsys.readouterr()
    row = json.loads(said.out)
    error = row.pop("error")
    assert said.err == f"error: {error}\n"
    assert row == named


def stop_at_second_photo(monkeypatch: pytest.MonkeyPatch, *, hands: bool = False) -> list[int]:
    """Has a person press Ctrl-C while the second photo is read; one entry a photo that is begun, two with a hand's."""
    seen: list[int] = []

    def stopping(image: Any) -> Any:
        seen.append(1)
        if len(seen) == (4 if hands else 2):
            raise KeyboardInterrupt
        return fake_look(image)

    look_with(monkeypatch, stopping)
    return seen


def test_rows_of_a_folder_go_on_where_they_stopped(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (photos / "broken.jpg").write_bytes(b"\xff\xd8 not a photo")
    seen = stop_at_second_photo(monkeypatch)
    out = photos.parent / "readings.jsonl"
    command = [str(photos), "--rows", str(out), "--no-solve"]
    assert detect.main(command) == 130
    assert not out.exists()
    assert detect.main(command) == 1
    assert "going on behind photo 2" in capsys.readouterr().err
    assert len(seen) == 4  # three tables, one of them twice
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [Path(row["file"]).name for row in rows] == ["broken.jpg", *(f"table{k}.png" for k in (1, 2, 3))]
    assert "error" in rows[0]
    assert detect.main([str(photos), "--rows", str(out.with_suffix(".parquet")), "--no-solve"]) == 1
    table = pyarrow.parquet.read_table(out.with_suffix(".parquet")).to_pydict()
    assert table["game"] == [None, "makiaveli", "makiaveli", "makiaveli"]
    assert [json.loads(row)["file"] for row in table["row"]] == table["file"]


def test_photos_that_differ_in_their_suffix_alone_have_copies_of_their_own(photos: Path) -> None:
    save(np.full((960, 1280, 3), 2, np.uint8), photos / "table1.webp")
    assert detect.main([str(photos), "--out", str(photos.parent / "drawn"), "--no-solve"]) == 0
    written = sorted(path.name for path in (photos.parent / "drawn").iterdir())
    assert written == ["table1.png.jpg", "table1.webp.jpg", "table2.jpg", "table3.jpg"]


def test_rows_of_other_limits_or_of_another_photo_of_the_hand_are_not_gone_on_with(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = photos.parent / "hand.png"
    command = [str(photos), "--rows", str(photos.parent / "r.jsonl"), "--no-solve", "--precision", "0.02"]
    for options in (["--time-limit", "10"], ["--hand-photo", str(hand)]):
        save(np.zeros((48, 64, 3), np.uint8), hand)
        stop_at_second_photo(monkeypatch, hands="--hand-photo" in options)
        assert detect.main([*command, *options]) == 130
        capsys.readouterr()
        save(np.zeros((48, 99, 3), np.uint8), hand)
        same = [] if "--time-limit" in options else options
        assert detect.main([*command, *same]) == 1
        assert "other" in capsys.readouterr().err
        (photos.parent / "r.jsonl.part").unlink()


def test_a_fault_of_one_photo_leaves_the_others(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(image: Any) -> Any:
        if image[0, 0, 0] == 2:
            raise ZeroDivisionError("what nobody thought of")
        return fake_look(image)

    look_with(monkeypatch, failing)
    out = photos.parent / "r.jsonl"
    assert detect.main([str(photos), "--rows", str(out), "--no-solve"]) == 1
    errors = [json.loads(line).get("error") for line in out.read_text().splitlines()]
    assert errors == [None, "ZeroDivisionError: what nobody thought of", None]
    assert evaluate.main([str(photos), "--out", str(photos.parent / "report"), "--no-verdicts"]) == 1
    summary = json.loads((photos.parent / "report" / "summary.json").read_text())
    assert (summary["photos"], summary["errors"]) == (3, 1)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["{photo}", "--rows", "r.jsonl"], 2, "--rows belongs to a folder"),
        (["missing.jpg"], 1, "no such file"),
        (["{photo}", "--hand", "3S 3X"], 1, "error: --hand: column 4: '3X' is no card"),
        (["{photo}", "--out", "x.tiff"], 2, "--out x.tiff: unknown kind of picture; expected a name ending in .jpg"),
        (["missing.jpg", "--out", "x"], 2, "unknown kind of picture"),
        (["{folder}"], 1, "no photo in this folder"),
        (["{photo}", "--game", "klondike", "--hand", "3S"], 2, "makiaveli"),
        (["{photo}", "--time-limit", "0"], 2, "no number from 0.001"),
        ([""], 2, "an empty name is no file"),
        (["{photo}", "--game", "chess"], 2, "chess"),
        ([], 2, "photo"),
    ],
)
def test_detect_answers_bad_input_in_one_line(
    photos: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, message: str
) -> None:
    empty = photos.parent / "none"
    empty.mkdir()
    words = [word.format(photo=photos / "table1.png", folder=empty) for word in arguments]
    try:
        found = detect.main(words)
    except SystemExit as stop:
        found = int(stop.code or 0)
    assert found == status
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("main", "arguments"),
    [
        (detect.main, ["{photos}/table1.png", "--out", "{photos}/table1.png"]),
        (detect.main, ["{photos}/table1.png", "--hand-photo", "{photos}/table2.png", "--out", "{photos}/table2.png"]),
        (detect.main, ["{photos}", "--out", "{photos}"]),
        (detect.main, ["{photos}/table1.png", "{photos}/2-table1.jpg", "--together", "--out", "{photos}"]),
        (compare.main, ["{photos}/table1.png", "{photos}/table2.png", "--out", "{photos}/table2.png"]),
        (record.main, ["{photos}", "--out", "{photos}/table1.png"]),
        (record.main, ["{photos}", "--kept", "{photos}/table1.png"]),
        (record.main, ["{photos}", "--ask", "--answers", "{photos}/table1.png"]),
        (solver, ["review", "{photos}/game.txt", "--html", "{photos}/../photos/game.txt"]),
    ],
)
def test_no_command_writes_over_what_it_reads(
    photos: Path, capsys: pytest.CaptureFixture[str], main: Callable[[list[str]], int], arguments: list[str]
) -> None:
    save(np.full((960, 1280, 3), 3, np.uint8), photos / "2-table1.jpg")
    (photos / "2-2-table1.jpg").symlink_to(photos / "2-table1.jpg")
    (photos / "game.txt").write_text("no record")
    before = {file: file.read_bytes() for file in photos.iterdir()}
    assert main([word.format(photos=photos) for word in arguments]) == 2
    said = capsys.readouterr()
    assert "would write over" in said.err
    assert (said.err.count("\n"), said.out) == (1, "")
    assert {file: file.read_bytes() for file in photos.iterdir()} == before


def test_a_zip_is_unpacked_over_no_photos_of_ones_own(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = photos.parent / "labelled.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("table1.png", "table1.json"):
            file.write(photos / name, name)
    command = [str(archive), "--no-verdicts", "--out"]
    assert evaluate.main([*command, str(photos.parent)]) == 1
    assert "name another --out" in capsys.readouterr().err
    assert len(list(photos.glob("*.png"))) == len(TABLES)
    for _ in range(2):  # a report of its own may be made again
        assert evaluate.main([*command, str(photos.parent / "report")]) == 0


@pytest.mark.parametrize(("module", "taught"), [("vision.detect", "undecided deals widen"), ("vision.evaluate", "ZIP")])
def test_help_teaches_and_loads_nothing_heavy(module: str, taught: str) -> None:
    code = f"import sys, {module} as m\ntry: m.main(['--help'])\nexcept SystemExit: pass\n"
    code += "heavy = {'cv2', 'torch', 'numpy', 'onnxruntime', 'numba'} & set(sys.modules)\nassert not heavy, heavy"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "example" in done.stdout
    assert taught in " ".join(done.stdout.split())


LOADED = """
import contextlib, io, sys
from vision.detect import main
with contextlib.redirect_stdout(io.StringIO()):
    main([sys.argv[1], "--json"])
print(*sys.modules)
"""
NOT_FOR_ONE_PHOTO = (
    *("vision.cards.joining.join", "vision.turned_over", "vision.film.tracking", "vision.evaluate", "vision.history"),
    *("solver.makiaveli.kernels", "solver.tomb_double.kernels", "solver.baccarat", "datasets", "models", "webapp"),
    *("tqdm", "matplotlib", "torch", "onnx", "streamlit"),
)


def test_one_photo_loads_nothing_that_it_does_not_need() -> None:
    said = subprocess.run([sys.executable, "-c", LOADED, str(SAMPLE)], capture_output=True, text=True, check=True)
    loaded = said.stdout.split()
    assert "vision.layout.klondike" in loaded
    assert "solver.klondike.kernels" in loaded
    assert not set(NOT_FOR_ONE_PHOTO) & set(loaded)


def test_evaluate_writes_its_report_and_goes_on_where_it_stopped(
    photos: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = photos.parent / "report"
    (photos / "broken.jpg").write_bytes(b"")
    monkeypatch.setattr(evaluate, "_settings", lambda args: "same")
    assert evaluate.main([str(photos), "--out", str(out), "--limit", "2"]) == 1
    assert evaluate.main([str(photos), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert "makiaveli: exact positions: 100.0%" in said.out
    assert "broken.jpg: " in said.err
    assert len((out / "rows.jsonl").read_text().splitlines()) == 4
    summary = json.loads((out / "summary.json").read_text())
    assert summary["photos"] == 4
    assert summary["errors"] == 1
    for name in ("makiaveli: exact positions", "makiaveli: verdict agrees", "game told right", "zone right"):
        assert summary["shares"][name]["share"] == 1.0
    page = (out / "report.html").read_text()
    assert "<img" in page
    assert "http" not in page
    assert (out / "rows.csv").read_text().startswith("photo,")


@pytest.mark.parametrize("text", ["{", '{"photos": ["gone.jpg"]}'])
def test_a_broken_table_of_several_photos_is_one_row_with_its_error(photos: Path, text: str) -> None:
    broken = photos / "several"
    for name in ("a.png", "b.png"):
        save(np.zeros((48, 64, 3), np.uint8), broken / name)
    (broken / "table.json").write_text(text)
    out = photos.parent / "report"
    assert evaluate.main([str(photos), "--out", str(out), "--no-verdicts"]) == 1
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    assert {row["photo"]: "table.json" in row["error"] for row in rows} == {
        "several/a.png": True,
        **dict.fromkeys(("table1.png", "table2.png", "table3.png"), False),
    }


def test_rows_of_other_weights_or_labels_are_done_again(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = photos / "report"
    command = [str(photos), "--out", str(out), "--limit", "2", "--no-verdicts"]
    monkeypatch.setattr(evaluate, "_settings", lambda args: "old weights")
    evaluate.main(command)
    monkeypatch.setattr(evaluate, "_settings", lambda args: "new weights")
    capsys.readouterr()
    evaluate.main(command)
    assert "2 rows of other weights" in capsys.readouterr().err
    evaluate.main(command)
    assert "rows of other" not in capsys.readouterr().err
    labels = min(photos.glob("*.json"))
    labels.write_text(labels.read_text() + " ")
    evaluate.main(command)
    assert "1 rows of other" in capsys.readouterr().err
    assert len((out / "rows.jsonl").read_text().splitlines()) == 2


def test_evaluate_keeps_what_is_done_when_stopped(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at_second_photo(monkeypatch)
    monkeypatch.setattr(evaluate, "_settings", lambda args: "same")
    out = photos.parent / "report"
    assert evaluate.main([str(photos), "--out", str(out), "--no-verdicts"]) == 130
    assert len((out / "rows.jsonl").read_text().splitlines()) == 1
    assert (out / "summary.json").is_file()


def test_evaluate_counts_wrong_cards_and_confusions(photos: Path) -> None:
    truth = json.loads((photos / "table1.json").read_text())
    hand = truth["position"]["hand"]
    other = next(card for card in ("2C", "9D", "KS") if card not in hand)
    truth["position"]["hand"] = [other, *hand[1:]]
    for row in truth["cards"]:
        if row["zone"] == "hand" and row["card"] == hand[0]:
            row["card"] = other
    (photos / "table1.json").write_text(json.dumps(truth))
    row = evaluation_photo.evaluate_photo(photos / "table1.png", "table1.png", verdicts=False)
    assert row["exact"] is False
    assert row["wrong_cards"] == 1
    assert [pair[:2] for pair in row["pairs"] if not pair[3]] == [[other, hand[0]]]


def test_labels_that_are_no_photo_s_or_two_photos_are_told_once(
    photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [str(photos), "--out", str(photos / "report"), "--no-verdicts"]
    evaluate.main(command)
    evaluate.main(command)
    assert "note: " not in capsys.readouterr().err, "its own report is none"
    save(np.full((960, 1280, 3), 2, np.uint8), photos / "table1.webp")
    save(np.zeros((48, 64, 3), np.uint8), photos / "bare.png")
    (photos / "lost.json").write_text((photos / "table1.json").read_text())
    (photos / "lost.txt").write_text("makiaveli floor: 7C 7D 7H")
    (photos / "notes.txt").write_text("taken at home")
    coco = photos / "annotations.json"
    coco.write_text('{"images": [], "annotations": [], "categories": []}')
    evaluate.main(command)
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("note: ")]
    assert said == [
        "note: photos that share a label, each counted by itself: table1.png and table1.webp (table1.json)",
        "note: labels that are no photo's, by their names: lost.json, lost.txt",
        "note: annotations.json holds COCO labels, which are converted first:"
        f" python -m vision.convert_labels {photos} --coco {coco}",
    ]


def test_labels_without_places_say_nothing_of_ranks_and_zones_and_what_they_ignore_is_not_judged(photos: Path) -> None:
    path = photos / "table1.json"
    truth = json.loads(path.read_text())
    cards = [{"card": row["card"]} for row in truth["cards"] if row["card"]]
    path.write_text(json.dumps({"image": truth["image"], "game": None, "cards": cards}))
    row = evaluation_photo.evaluate_photo(photos / "table1.png", "table1.png", verdicts=False)
    assert row["cards_there"] == len(cards)
    assert row["cards_right"] > 0
    assert not {"ranks_right", "zones_right"} & set(row)
    path.write_text(json.dumps({"image": truth["image"], "game": None, "cards": cards[1:]}))
    judged = evaluation_photo.evaluate_photo(photos / "table1.png", "table1.png", verdicts=False)
    assert judged["extra"] == cards[0]["card"]
    ignore = [cards[0]["card"]]
    path.write_text(json.dumps({"image": truth["image"], "game": None, "cards": cards[1:], "ignore": ignore}))
    ignored = evaluation_photo.evaluate_photo(photos / "table1.png", "table1.png", verdicts=False)
    assert (ignored["extra"], ignored["cards_found"]) == ("", judged["cards_found"] - 1)


def test_a_photo_from_across_shows_the_same_table() -> None:
    from_across = evaluation_photo.evaluate_photo(SAMPLE, SAMPLE.name, verdicts=False, quarters=2)
    assert (from_across["exact"], from_across["cards_right"]) == (True, from_across["cards_there"])
    assert from_across["turned"] == 2, "the report shows it as it was read"


def test_of_a_part_of_a_photo_is_asked_what_the_rest_shows(tmp_path: Path) -> None:
    for suffix in (".jpg", ".json"):
        (tmp_path / f"cut{suffix}").write_bytes(SAMPLE.with_suffix(suffix).read_bytes())
    out = tmp_path / "report"
    assert evaluate.main([str(tmp_path), "--out", str(out), "--no-verdicts", "--cut", "right", "0.4"]) == 0
    row = evaluation_photo.evaluate_photo(tmp_path / "cut.jpg", "cut.jpg", verdicts=False, rect=(0.0, 0.0, 0.6, 1.0))
    whole = evaluation_photo.evaluate_photo(SAMPLE, SAMPLE.name, verdicts=False)
    assert row["cards_there"] == whole["cards_there"] > row["cards_found"]
    assert row["cards_right"] == row["cards_found"], "the truth's boxes are where they were"
    assert not row["exact"]
    assert row["part"] == [0.0, 0.0, 0.6, 1.0], "the report shows it as it was read"


@pytest.mark.parametrize("cut", [("above", "0.2"), ("left", "1"), ("left", "some")])
def test_no_other_part_is_left_out(cut: tuple[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        evaluate.main([str(tmp_path), "--cut", *cut])
    assert "expected one of left, top, right, bottom, and a share" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--records"]])
def test_what_is_no_folder_is_named(more: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()
    for name, said in (("a.jpg", "a file; expected a folder"), ("b", "no such folder")):
        assert evaluate.main([str(tmp_path / name), *more]) == 1
        assert capsys.readouterr().err == f"error: {tmp_path / name}: {said}\n"


def test_photos_of_a_game_are_not_turned(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        evaluate.main([str(tmp_path), "--records", "--turn", "180"])
    assert "leave out --turn and --cut" in capsys.readouterr().err


def test_yolo_and_voc_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look_with(monkeypatch, fake_look)
    truth = TABLES[1]
    (tmp_path / "labels").mkdir()
    (tmp_path / "classes.txt").write_text("\n".join([*simulate.DECK_BY_NAME, "BACK"]))
    names = list(simulate.DECK_BY_NAME)
    lines, things = ["52 0.5 0.5 0.1 0.1"], []
    for row in truth["cards"]:
        for index in row["indices"] if row["card"] else []:
            if index["visible"] > 0.6:
                x1, y1, x2, y2 = index["box"]
                box = [(x1 + x2) / 2560, (y1 + y2) / 1920, (x2 - x1) / 1280, (y2 - y1) / 960]
                lines.append(" ".join([str(names.index(row["card"])), *map(str, box)]))
    (tmp_path / "labels" / "a.txt").write_text("\n".join(lines))
    save(np.full((960, 1280, 3), 1, np.uint8), tmp_path / "images" / "a.png")
    row = evaluation_photo.evaluate_photo(tmp_path / "images" / "a.png", "a.png")
    assert row["error"] == ""
    assert row["kind"] == "yolo"
    about_game = {"game_right", "none_told", "none_said", "chance_of_none"}
    assert not about_game & set(row), "boxes do not tell the game"
    assert convert_labels.main([str(tmp_path)]) == 0
    converted = evaluation_photo.evaluate_photo(tmp_path / "images" / "a.png", "a.png")
    assert converted["kind"] == "json"
    assert not about_game & set(converted)
    assert row["cards_right_distinct"] == row["cards_found_distinct"]
    for measured in (row, converted):
        assert measured["cards_right"] == measured["cards_found"] == measured["cards_there"], (
            "copies are no false finds"
        )
    assert row["cards_there"] > row["cards_right_distinct"]
    hand = [card for card in truth["cards"] if card["zone"] == "hand"]
    words = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", "T": "ten", "9": "nine", "8": "eight", "7": "seven"}
    words |= {"6": "six", "5": "five", "4": "four", "3": "three", "2": "two"}
    for card in hand:
        low, high = (
            np.min([i["box"][:2] for i in card["indices"]], 0),
            np.max([i["box"][2:] for i in card["indices"]], 0),
        )
        sides = zip(("xmin", "ymin", "xmax", "ymax"), (*low, *high), strict=True)
        box = "".join(f"<{side}>{value}</{side}>" for side, value in sides)
        things.append(f"<object><name>{words[card['card'][0]]}</name><bndbox>{box}</bndbox></object>")
    (tmp_path / "b.xml").write_text(f"<annotation>{''.join(things)}</annotation>")
    save(np.full((960, 1280, 3), 1, np.uint8), tmp_path / "b.png")
    row = evaluation_photo.evaluate_photo(tmp_path / "b.png", "b.png")
    assert row["kind"] == "voc"
    assert row["cards_there"] == len(hand)
    assert row["ranks_right"] >= 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "{", "broken JSON in line 1"),
        ("a.json", "[]", "no JSON object"),
        ("a.json", '{"cards": [{"card": "1X"}]}', "'1X' is no card"),
        ("a.json", '{"game": "tomb-single"}', "unknown game 'tomb-single'; expected one of makiaveli, klondike"),
        ("a.json", '{"game": ["klondike"]}', "unknown game ['klondike']"),
        ("a.json", '{"game": "klondike", "position": {"game": "makiaveli"}}', "is klondike, but its position is of"),
        ("a.json", '{"game": "makiaveli", "position": {"game": "makiaveli", "floor": 3}}', "json: floor is no list"),
        (
            "a.json",
            '{"game": "makiaveli", "position": {"game": "makiaveli", "floor": [["7C", "7D"]]}}',
            "breaks the rules of makiaveli: floor meld 1 (7C 7D) is no meld",
        ),
        ("a.txt", "klondike columns: KS", "breaks the rules of klondike: there are 1 columns instead of 7; 51"),
        ("a.txt", "klondike columns: KX", "column 19: 'KX' is no card"),
        ("a.txt", "\n", "empty; expected the position in a line"),
        ("a.txt", "klondyke columns: KS", "no position, and no YOLO labels"),
        ("a.xml", "<a", ""),
    ],
)
def test_labels_that_are_broken_or_impossible_are_a_row_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    look_with(monkeypatch, fake_look)
    save(np.zeros((48, 64, 3), np.uint8), tmp_path / "a.png")
    (tmp_path / name).write_text(text)
    error = evaluation_photo.evaluate_photo(tmp_path / "a.png", "a.png")["error"]
    assert error.startswith(str(tmp_path / name))
    assert said in error


def test_a_label_that_names_no_cards_gives_no_rates_of_cards(photos: Path) -> None:
    label = photos / "table1.json"
    label.write_text('{"game": null, "position": null}')
    row = evaluation_photo.evaluate_photo(photos / "table1.png", "table1.png", verdicts=False)
    assert (row["error"], row["none_told"]) == ("", False)
    assert not {"pairs", "cards_there", "cards_found", "cards_exact", "extra"} & set(row)
    label.write_text('{"game": null, "position": null, "cards": []}')
    row = evaluation_photo.evaluate_photo(photos / "table1.png", "table1.png", verdicts=False)
    assert row["cards_there"] == 0 < row["cards_found"], "a label of no cards says that none lies there"


def test_verdicts_are_compared_under_the_true_rules() -> None:
    """No photo shows the rules: a reading that is exact agrees, whatever is played, and nothing is solved for that."""
    rng = np.random.default_rng(3)
    position = simulate.klondike(rng, waste=1)["position"]
    rules = {"draw": 3, "redeals": None, "column_moves": "run", "worrying_back": True}
    truth = PhotoTruth("json", (), "klondike", position | {"rules": rules})
    read = Reading(PHOTO, "klondike", 1.0, (), (), position_from_json(position))
    assert read.position != position_from_json(truth.position)
    assert evaluation_photo._verdicts(read, truth, 0.001) == {"verdict_agrees": True}


def test_a_reading_that_is_not_legal_agrees_with_nothing() -> None:
    line = {"game": "makiaveli", "floor": [["7C", "7D", "7H"]], "cross": [None] * 4, "hand": ["7S"]}
    truth = PhotoTruth("json", (), "makiaveli", line)
    wrong = position_from_json(line | {"floor": [["7C", "7D"]]})
    read = Reading(PHOTO, "makiaveli", 1.0, (), (), wrong)
    row = evaluation_photo._verdicts(read, truth, 1.0)
    assert row["verdict_agrees"] is False
    assert row["verdict_true"] == "win"
    assert row["verdict_read"].startswith("none (")


def test_a_line_of_text_that_tells_another_position_than_the_json_is_named(tmp_path: Path) -> None:
    photo = tmp_path / "table.jpg"
    line = parse("klondike columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S10")
    photo.with_suffix(".txt").write_text(f"{line}\n")
    photo.with_suffix(".json").write_text(json.dumps({"game": "klondike", "position": line.to_json()}))
    assert truth_of(photo, (9, 9)) is not None
    photo.with_suffix(".json").write_text('{"game": "klondike", "position": null}')
    with pytest.raises(LabelError, match=r"table\.json: table\.txt beside it tells another position"):
        truth_of(photo, (9, 9))


def test_a_line_of_text_beside_a_photo_is_its_truth(tmp_path: Path) -> None:
    line = parse("klondike columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S10")
    (tmp_path / "table.txt").write_text(f"{line}\n")
    truth = truth_of(tmp_path / "table.jpg", (9, 9))
    assert truth is not None
    assert (truth.kind, truth.game, truth.position) == ("line", "klondike", line.to_json())


def test_an_answer_without_cards_says_nothing_of_the_share_that_was_read(tmp_path: Path) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(SAMPLE.read_bytes())
    position = position_from_json(json.loads(SAMPLE.with_suffix(".json").read_text())["position"])
    photo.with_suffix(".txt").write_text(str(position))
    row = evaluation_photo.evaluate_photo(photo, photo.name, verdicts=False)
    assert row["exact"]
    assert "cards_right" not in row
