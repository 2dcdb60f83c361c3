"""The view that measures photos with ground truth; the figures themselves are `vision.evaluate`'s."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from tests.webapp.actions import SAMPLES
from vision.measure.uploaded_zip import ArchiveError
from webapp import streamlit_link as state
from webapp.page.evaluate import BRACKETS, Evaluation, figure
from webapp.worker import photo_row

TRUTH = b'{"image": {"width": 4, "height": 4}, "game": null, "cards": [], "position": null}'


@pytest.fixture(scope="module", autouse=True)
def close_the_shared_pool() -> Iterator[None]:
    yield
    state.pool.clear()


def test_the_view_opens_and_asks_for_files() -> None:
    page = AppTest.from_string("from webapp.page import evaluate\nevaluate.page()\n", default_timeout=300).run()
    assert not page.exception
    assert page.title[0].value == "How well are photos read?"


def test_the_time_for_a_photo_is_told_in_words() -> None:
    told = "loading the networks 0.00 s, finding cards 0.14 s"
    assert figure("median time: load 0 ms, detect 138 ms") == ("time for a photo", told)


def test_files_are_deleted_when_others_take_their_place_and_when_they_are_done_with() -> None:
    held = Evaluation()
    held.begin([("bad.jpg", b"this is no picture"), ("bad.json", TRUTH)])
    first, job = held.folder, held.job
    assert first is not None
    assert job is not None
    with pytest.raises(ArchiveError):
        held.begin([("broken.zip", b"PK no archive")])
    assert held.job is job, "files that are not taken leave those before alone"
    assert job.wait(300)
    assert job.result is not None, job.error
    (row,) = job.result["rows"]
    assert (row["photo"], row["picture"]) == ("bad.jpg", "")
    assert row["told"].startswith("not read: ")
    held.begin([("other.jpg", b"neither")])
    assert not Path(first.name).exists()
    assert held.folder is not None
    held.clean()
    assert not Path(held.folder.name).exists()


def test_a_text_that_is_the_answer_to_no_photo_is_named_with_what_was_not_read() -> None:
    held = Evaluation()
    held.begin([("bad.jpg", b"this is no picture"), ("bad.json", TRUTH), ("notaphoto.txt", b"hello")])
    assert held.job is not None
    assert held.job.wait(300)
    assert held.job.result is not None, held.job.error
    told = {row["photo"]: row["told"] for row in held.job.result["rows"]}
    assert told.keys() == {"bad.jpg", "notaphoto.txt"}
    assert told["notaphoto.txt"].startswith("not read: no picture")
    held.clean()


def test_a_page_with_a_report_that_was_lost_on_its_way_is_drawn_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    page = AppTest.from_string("from webapp.page import evaluate\nevaluate.page()\n", default_timeout=300).run()
    held = page.session_state[Evaluation.__qualname__]
    held.begin([("bad.jpg", b"this is no picture"), ("bad.json", TRUTH)])
    assert held.job.wait(300)
    seen: list[bool] = []
    monkeypatch.setattr(state, "is_tick", lambda: not seen.append(True) and len(seen) == 1)
    page.run()
    assert not page.exception
    assert len(seen) == 2, "who still asks how far it is has lost the page of the end, and gets it again"
    assert page.subheader[0].value == "Report"
    assert page.markdown[2].value == r"**No photo could be compared\. 1 photo could not be read\.**"
    folded = ["How do I get an answer file?", "All figures"]
    assert [box.label for box in page.expander] == folded, "what is not needed at first is folded in"
    assert page.expander[1].caption[0].value == BRACKETS


def test_each_photo_has_its_row_with_its_picture(tmp_path: Path) -> None:
    name = "tomb_single_1.jpg"
    (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    rows = [
        {"photo": name, "error": "", "exact_auto": False, "missing": "7C", "extra": "7S"},
        {"photo": name, "error": "", "exact_auto": True, "missing": "", "extra": ""},
    ]
    wrong, right = (photo_row(row, tmp_path) for row in rows)
    assert wrong["told"] == "missing: 7C; too many: 7S"
    assert right["told"] == "read without a mistake: every card, its place, and how many lie face down there"
    cards = photo_row({"photo": name, "error": "", "cards_exact": True, "missing": "", "extra": ""}, tmp_path)
    assert cards["told"].startswith("every card is right; where they lie and what is face down was not compared")
    with Image.open(BytesIO(b64decode(right["picture"]))) as picture:
        assert picture.width <= 200


def test_the_picture_of_a_photo_that_a_phone_took_sideways_is_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (400, 300)).save(tmp_path / "phone.jpg", exif=exif)
    misplaced = photo_row({"photo": "phone.jpg", "error": "", "exact_auto": False, "wrong_cards": 2}, tmp_path)
    assert misplaced["told"] == "read, with 2 cards wrong or in another place"
    found = {"pairs": [["5C", "6C", 0.9, False], ["2H", "2H", 1.0, True]], "misplaced": "9C"}
    named = photo_row({"photo": "phone.jpg", "error": "", "exact_auto": False, "wrong_cards": 2} | found, tmp_path)
    assert named["told"] == f"{misplaced['told']}: 5♣ was read as 6♣; 9♣ lies in another place"
    other = photo_row(
        {"photo": "phone.jpg", "error": "", "exact_auto": False, "wrong_cards": 0, "exact": True}, tmp_path
    )
    assert other["told"] == "read as another game"
    row = photo_row({"photo": "phone.jpg", "error": "", "exact_auto": True}, tmp_path)
    with Image.open(BytesIO(b64decode(row["picture"]))) as picture:
        assert picture.size == (150, 200)
