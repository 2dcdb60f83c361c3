"""Summaries of many rows: in one pass, in little memory, and the same however a run was ended and taken up."""

from __future__ import annotations

import csv
import json
import signal
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from PIL import Image

from tests.pausing import end
from vision import evaluate
from vision.measure import one_photo as evaluation_photo
from vision.measure.report import write_report
from vision.measure.totals import ERRORS, SAID, STANDS, UNASKED, WORST, Totals


def row(number: int) -> dict[str, Any]:
    """A photo's row as an evaluation of a crowded table gives it; every 50th could not be evaluated."""
    name = f"{number:06}.jpg"
    if number % 50 == 49:
        return {"photo": name, "error": f"{name}: damaged"}
    wrong = number % 7 if number % 3 == 0 else 0
    sure = [round(0.5 + (number * 31 + k * 17) % 500 / 1000, 4) for k in range(60)]
    pairs = [["7C", "7C" if k >= wrong else "7S", sure[k], k >= wrong] for k in range(60)]
    return {
        "photo": name, "error": "", "kind": "json", "game": "makiaveli", "deck": "", "pairs": pairs,
        "cards_there": 60, "cards_right": 60 - wrong, "cards_found": 60, "zones_right": 58, "zones_seen": 60,
        "wrong_cards": wrong, "exact": wrong == 0, "exact_auto": wrong == 0, "exact_without_decoding": False,
        "game_right": number % 2 == 0, "seconds_detect": number % 10 / 10,
    }  # fmt: skip


@dataclass
class Rows:
    """Rows made as they are asked for, like those of a store."""

    count: int

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(row, range(self.count))


def test_the_summary_counts_what_is_there() -> None:
    totals = Totals()
    rows = list(Rows(100))
    for one in rows:
        totals.add(one)
    summary = totals.summary()
    good = [one for one in rows if not one["error"]]
    assert (summary["photos"], summary["errors"]) == (100, 2)
    exact = summary["shares"]["makiaveli: exact positions"]
    assert (exact["right"], exact["of"]) == (sum(one["exact"] for one in good), 98)
    recall = summary["shares"]["card recall"]
    assert (recall["right"], recall["of"]) == (sum(one["cards_right"] for one in good), 98 * 60)
    assert summary["shares"]["makiaveli: at most one card wrong"]["right"] == sum(o["wrong_cards"] < 2 for o in good)
    assert summary["seconds"]["detect"]["median"] == np.median([one["seconds_detect"] for one in good])
    assert summary["confusions"] == [["7C", "7S", sum(one["wrong_cards"] for one in good)]]
    assert summary["suit_confusions"] == [["C", "S", sum(one["wrong_cards"] for one in good)]]
    worst = totals.worst()
    assert len(worst) == WORST
    assert [one["photo"] for one in worst] == [
        one["photo"] for one in sorted(good, key=lambda one: -one["wrong_cards"])[:WORST]
    ]


def test_how_surely_positions_stand_is_counted() -> None:
    totals = Totals()
    cases = [(0.99, True, 0), (0.99, False, 0), (0.92, True, 1), (0.92, True, 0), (0.2, False, 3)]
    for stands, exact, asked in cases:
        totals.add(row(1) | {"stands": stands, "exact_auto": exact, "asked": asked})
    summary = totals.summary()
    counted = {
        name: (share["right"], share["of"])
        for name, share in summary["shares"].items()
        if name in (STANDS, SAID, UNASKED)
    }
    assert counted == {STANDS: (1, 2), SAID: (1, 3), UNASKED: (1, 5)}
    bins = "0 to 0.5: 0 of 1, 0.9 to 0.95: 2 of 2, 0.99 to 0.999: 1 of 2"
    assert f"positions exact, by the probability that they stand: {bins}" in summary["lines"]


def test_several_games_are_summed_up_and_one_is_not() -> None:
    totals = Totals()
    for number in range(90):
        totals.add(row(number))
    assert not [name for name in totals.summary()["shares"] if name.startswith("all games")]
    for number in range(90):
        totals.add(row(number) | {"game": "klondike"})
    shares = totals.summary()["shares"]
    of_each = [shares[f"{game}: exact positions"] for game in ("makiaveli", "klondike")]
    both = shares["all games: exact positions"]
    assert (both["right"], both["of"]) == tuple(sum(each[part] for each in of_each) for part in ("right", "of"))


def test_errors_are_counted_and_only_the_first_are_kept() -> None:
    totals = Totals()
    for number in range(1000):
        totals.add({"photo": str(number), "error": "damaged"})
    assert totals.summary()["errors"] == 1000
    assert len(totals.errors) == ERRORS


def peak(rows: Rows, out: Path) -> int:
    """Bytes of Python's that a report takes at most; the page's pictures are not what is measured."""
    out.mkdir()
    tracemalloc.start()
    write_report(rows, out, out)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def test_memory_does_not_grow_with_the_photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.measure.report.page", lambda totals, summary, photos: "")
    monkeypatch.setattr("plumbing.result_files.BATCH", 100)
    peak(Rows(10), tmp_path / "first")  # what is loaded once
    few, many = peak(Rows(300), tmp_path / "few"), peak(Rows(3300), tmp_path / "many")
    assert many - few < 3000 * 50, (
        f"{(many - few) / 3000:.0f} bytes a photo; a row as JSON has {len(json.dumps(row(0)))}"
    )
    with (tmp_path / "many" / "rows.csv").open(encoding="utf-8") as file:
        assert sum(1 for _ in csv.DictReader(file)) == 3300


def test_columns_of_a_parquet_file_have_types(tmp_path: Path) -> None:
    write_report(list(Rows(60)), tmp_path, tmp_path)
    table = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["photo"], kinds["exact"], kinds["wrong_cards"], kinds["seconds_detect"]) == (
        "string", "bool", "int64", "double",
    )  # fmt: skip
    assert table["photo"].to_pylist() == [one["photo"] for one in Rows(60)]
    assert table["exact"].null_count == 1


def test_every_report_has_the_same_columns_in_the_same_order(tmp_path: Path) -> None:
    heads = []
    for number, rows in enumerate(([row(1)], [{"photo": "a", "error": "damaged"}, row(2) | {"none_told": True}], [])):
        out = tmp_path / str(number)
        out.mkdir()
        write_report(rows, out, out)
        heads.append((out / "rows.csv").read_text("utf-8").splitlines()[0].split(","))
        assert pyarrow.parquet.read_schema(out / "rows.parquet").names == heads[0]
    assert heads[0] == heads[1] == heads[2]


DRIVER = """
import sys
from tests.pausing import pause_before
from tests.vision.test_totals import fast_look
from vision import evaluate, photo_to_reading
photo_to_reading.detect_and_read = fast_look
pause_before("plumbing.resumable.NamedRows.add", 6)
evaluate._settings = lambda args: "same"
sys.exit(evaluate.main(sys.argv[1:]))
"""


def fast_look(image: Any) -> Any:
    """No card in any photo."""
    from vision.networks.outputs import Backs, Detections, Reads
    from vision.photo_to_table import Findings

    return Findings(Detections.empty(), Backs.empty(), Reads.empty(), (image.shape[1], image.shape[0]), image)


def test_a_killed_evaluation_goes_on_to_the_same_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos, out = tmp_path / "photos", tmp_path / "out"
    (photos / "images").mkdir(parents=True)
    (photos / "labels").mkdir()
    (photos / "classes.txt").write_text("AS\nKH\n")
    for number in range(60):
        Image.new("RGB", (32, 24), (number, 0, 0)).save(photos / "images" / f"{number:02}.png")
        (photos / "labels" / f"{number:02}.txt").write_text(f"{number % 2} 0.5 0.5 0.1 0.1\n" * (number % 4 < 3))
    store = out / "rows.jsonl"
    status, *said = end(["-c", DRIVER, str(photos), "--out", str(out)])
    assert status == -signal.SIGKILL, said
    done = 5
    assert store.read_bytes().count(b"\n") == done
    with store.open("ab") as file:
        file.write(b'{"photo": "images/5')  # what a crash in the middle of a line leaves
    evaluated: list[str] = []
    real = evaluation_photo.evaluate_photo

    def counting(photo: Path, name: str, *rest: Any) -> dict[str, Any]:
        evaluated.append(name)
        return real(photo, name, *rest)

    monkeypatch.setattr(evaluation_photo, "detect_and_read", fast_look)
    monkeypatch.setattr(evaluation_photo, "evaluate_photo", counting)
    monkeypatch.setattr(evaluate, "_settings", lambda args: "same")
    assert evaluate.main([str(photos), "--out", str(out)]) == 0
    assert len(evaluated) == len(set(evaluated)) == 60 - done
    assert evaluate.main([str(photos), "--out", str(tmp_path / "straight")]) == 0
    resumed, straight = (json.loads((folder / "summary.json").read_text()) for folder in (out, tmp_path / "straight"))
    for summary in (resumed, straight):
        summary.pop("seconds")
        summary["lines"] = [line for line in summary["lines"] if not line.startswith("median time")]
    assert resumed == straight
    assert resumed["photos"] == 60


def test_piles_that_no_rule_tells_apart_count_in_any_order_and_wastes_do_not() -> None:
    position = {
        "game": "tomb_double",
        "tableau": [["5C"], ["KD"]],
        "wastes": [["2H"], ["3H"]],
        "reserves": [["??", "9S"]],
    }
    swapped = position | {"tableau": [["KD"], ["5C"]]}
    assert Counter(evaluation_photo._piles(position)) == Counter(evaluation_photo._piles(swapped))
    gap = position | {"wastes": [["2H"], [], ["3H"], []]}
    assert Counter(evaluation_photo._piles(position)) == Counter(evaluation_photo._piles(gap))
    wrong = [
        ("wastes", [["3H"], ["2H"]]),
        ("tableau", [["5C"], ["2H"]]),
        ("tableau", [["5C", "KD"]]),
        ("reserves", [["9S"]]),
    ]
    for name, piles in wrong:
        assert Counter(evaluation_photo._piles(position)) != Counter(evaluation_photo._piles(position | {name: piles}))


def test_how_hidden_cards_are_spread_under_reserves_is_in_no_photo() -> None:
    there = {"game": "tomb_double", "reserves": [["??", "??", "9S"], ["??", "6H"]]}
    mirrored = {"game": "tomb_double", "reserves": [["??", "??", "6H"], ["??", "9S"]]}
    fewer = {"game": "tomb_double", "reserves": [["??", "9S"], ["??", "6H"]]}
    assert Counter(evaluation_photo._piles(there)) == Counter(evaluation_photo._piles(mirrored))
    assert Counter(evaluation_photo._piles(there)) != Counter(evaluation_photo._piles(fewer))
