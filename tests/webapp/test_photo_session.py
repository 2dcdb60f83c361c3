"""Photos of parts of a table, put together."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from drawing.boards import board
from solver import parse
from solver.place import Place
from vision import photo_to_table, turned_over
from vision.errors import PhotoError
from vision.evaluate import main as evaluate
from vision.fans import Fan
from vision.framing import Frame
from vision.image import encode, load
from vision.question import Question, QuestionKind
from vision.read_card import Sight
from vision.reading import Reading
from webapp import board_json, edits, photo_session, sample_photos
from webapp.corrections import find_corrections, places_now
from webapp.events import photo_events
from webapp.session import Session


def test_photos_of_a_whole_game_are_sent_to_their_own_page() -> None:
    session = Session()
    photo_events(session)["photo"]({"purpose": "new", "files": [{"data": "aGk="}] * 7})
    assert session.wanted is None
    assert session.refusal is not None
    assert session.refusal[0] == "These are too many photos. One table takes 6 at most."
    assert "whole game" in session.refusal[1]
    photo_events(session)["photo"]({"purpose": "new", "files": [{"data": "aGk="}] * 6})
    assert session.wanted is not None


def test_a_file_that_is_no_photo_is_left_out_beside_others() -> None:
    sample = sample_photos.FOLDER / "makiaveli_1.jpg"
    files = [("text.jpg", b"text"), (sample.name, sample.read_bytes())]
    shot = photo_session.read(files, "makiaveli")
    assert (shot.photos, list(shot.unread)) == ((files[1][1],), [0])
    assert shot.unread[0].startswith("text.jpg: no image that can be read")
    with pytest.raises(PhotoError, match="no image"):
        photo_session.read(files, "makiaveli", needs_all=True)
    with pytest.raises(PhotoError, match="no image"):
        photo_session.read(files[:1], "makiaveli")


def test_a_table_in_two_photos_is_one_table_that_each_photo_shows() -> None:
    with Image.open(sample_photos.FOLDER / "makiaveli_1.jpg") as picture:
        photo = picture.convert("RGB")
    parts = []
    for box in ((0, 0, photo.width, round(0.62 * photo.height)), (0, round(0.2 * photo.height), *photo.size)):
        file = BytesIO()
        photo.crop(box).save(file, "JPEG", quality=93)
        parts.append(("part", file.getvalue()))
    shot = photo_session.read(parts, "makiaveli")
    assert len(shot.photos) == len(shot.shown) == len(shot.reading.photos) == 2
    drawn = board(parse(str(shot.line)).to_json())
    upper, lower = board_json.photo_json(
        shot, ["a", "b"], drawn, board_json.match_cards(drawn, shot.reading.cards), set()
    )
    both = {card["number"] for card in upper["cards"]} & {card["number"] for card in lower["cards"]}
    assert both, "cards that both photos show are one card"
    hand = {number for number, card in enumerate(shot.reading.cards) if card.place == Place("hand")}
    assert hand & {card["number"] for card in lower["cards"]}


def test_what_is_saved_after_a_correction_is_read_by_evaluate(tmp_path: Path) -> None:
    path = sample_photos.FOLDER / "makiaveli_1.jpg"
    shot = photo_session.read([(path.name, path.read_bytes())], "makiaveli")
    hand = [n for n, card in enumerate(shot.reading.cards) if card.place == Place("hand")]
    session = Session()
    session.begin(shot.line, shot)
    other = next(name for name in ("KD", "2C", "9H") if str(shot.line).count(name) == 0)
    session.edit(lambda now: edits.change(now, "hand/0", other))
    session.edit(lambda now: edits.remove(now, "hand/1"))
    position = parse(str(session.line)).to_json()
    found = find_corrections(shot.reading.cards, session.as_read, position)
    assert sorted(found.cards.items()) == sorted({hand[0]: other, hand[1]: None}.items())
    assert places_now(found)[hand[0]] == Place("hand")
    saved = tmp_path / "labelled.zip"
    saved.write_bytes(photo_session.labelled(shot, position, found.cards, places_now(found)))
    assert evaluate([str(saved), "--no-verdicts", "--out", str(tmp_path / "report")]) == 0
    summary = json.loads((tmp_path / "report" / "summary.json").read_text(encoding="utf-8"))
    rows = (tmp_path / "report" / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    (row,) = [told for told in map(json.loads, rows) if "photo" in told]
    assert summary["shares"]["card recall"] == {
        **summary["shares"]["card recall"],
        "right": len(shot.reading.cards) - 2,
        "of": len(shot.reading.cards) - 1,
    }, "the card that was put right is one that the reader misses"
    assert row["game"] == "makiaveli"


def test_the_networks_are_loaded_ahead() -> None:
    photo_session.warm()
    assert photo_to_table._networks.cache_info().currsize == 1


def test_a_part_of_a_photo_is_cut_and_turned() -> None:
    photo = np.zeros((60, 100, 3), np.uint8)
    photo[:30, 50:] = 255
    cut = load(photo_session.reframed(encode(photo, ".png"), Frame(0, (0.5, 0.0, 1.0, 0.5))))
    assert cut.shape == (30, 50, 3)
    assert cut.min() > 240
    turned = load(photo_session.reframed(encode(photo, ".png"), Frame(0, turn=90)))
    assert turned.shape == (100, 60, 3)
    assert turned[75, 45].min() > 240, "clockwise: the upper right corner is the lower right one"
    assert turned[25, 45].max() < 15


def test_a_picture_for_the_page_is_the_photo_itself_where_it_can_be() -> None:
    photo = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    jpeg = encode(photo, ".jpg")
    assert photo_session._shown(load(jpeg), jpeg) is jpeg
    png = encode(photo, ".png")
    assert Image.open(BytesIO(photo_session._shown(load(png), png))).format == "JPEG"
    exif = Image.Exif()
    exif[0x0112] = 6
    file = BytesIO()
    Image.fromarray(photo).save(file, "JPEG", exif=exif)
    turned = photo_session._shown(load(file.getvalue()), file.getvalue())
    assert Image.open(BytesIO(turned)).size == (40, 60), "upright"
    large = np.zeros((30, 2 * photo_session.LONGER, 3), np.uint8)
    shown = Image.open(BytesIO(photo_session._shown(large, encode(large, ".jpg"))))
    assert shown.width == photo_session.LONGER


def test_photos_of_turned_cards_are_looked_at_together_until_the_table_is_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = sample_photos.FOLDER / "klondike_1.jpg"
    covered = photo_session.read([(path.name, path.read_bytes())], "klondike")
    hiding, looked_at, fit_to = covered.reading.position, list[list[Any]](), list[Any]()
    assert hiding is not None
    shown = replace(hiding, stock=())  # fewer cards are unknown

    def look(reading: Reading, tables: list[Any]) -> Reading:
        looked_at.append(tables)
        return replace(reading, position=shown if len(tables) > 1 else hiding)

    monkeypatch.setattr(photo_session, "load", lambda data: data)
    monkeypatch.setattr(photo_to_table, "detect_and_read", lambda image: image)
    monkeypatch.setattr(photo_to_table, "see_table", lambda seen: seen)
    monkeypatch.setattr(turned_over, "fans_in", lambda tables: tables)
    monkeypatch.setattr(turned_over, "check_fit", lambda position, tables: fit_to.append(position))
    monkeypatch.setattr(turned_over, "with_turned_over", look)
    once = photo_session.turned_over(covered, hiding, [b"one"])
    twice = photo_session.turned_over(once, hiding, [b"two"])
    assert twice.fingerprint == once.fingerprint == covered.fingerprint, "after a reload the first photo is read alone"
    assert looked_at == [[b"one"], [b"two"], [b"one", b"two"]]
    assert twice.reading.position == shown
    assert twice.covered == (covered, hiding)
    again = photo_session.turned_over(twice, hiding, [b"three"])  # a person has changed what was read
    assert looked_at[3:] == [[b"three"]]
    assert again.covered == (twice, hiding)
    assert fit_to == [hiding] * 3, "what was turned over before lay face down"


def test_what_is_asked_about_turned_cards_is_shown_and_a_card_that_is_none_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = sample_photos.FOLDER / "klondike_1.jpg"
    covered = photo_session.read([(path.name, path.read_bytes())], "klondike")
    hiding, file = covered.reading.position, encode(np.zeros((300, 400, 3), np.uint8), ".jpg")
    assert hiding is not None
    sights = [Sight(1, ((x, 50.0), (x + 30, 50.0), (x + 30, 90.0), (x, 90.0))) for x in (20.0, 340.0)]
    asked = Question(QuestionKind.TURNED, "where is no card?", choices=("1", "2"), sights=tuple(sights))
    looked_at = list[list[Fan]]()

    def look(reading: Reading, fans: list[Fan]) -> Reading:
        looked_at.append(fans)
        return replace(reading, checks=(asked,))

    seen = Fan(np.zeros((2, 52)), (0, 0.0, 0.0), sights=tuple(replace(sight, photo=0) for sight in sights))
    monkeypatch.setattr(turned_over, "fans_in", lambda tables: [seen])
    monkeypatch.setattr(turned_over, "with_turned_over", look)
    once = photo_session.turned_over(covered, hiding, [file])
    left, right = once.pieces["where is no card?"]
    assert left.whole == file, "it is small enough"
    assert (left.box[0], right.box[2]) == (0.0, 1.0)
    assert load(left.close).shape[:2] == (160, 150), "its corner from near"
    assert left.close_spot is not None
    assert left.close_spot[0] == pytest.approx(20 / 150), "and where it lies there"
    assert left.spot is not None
    assert right.spot is not None
    assert left.spot[0] < 0.2 < 0.8 < right.spot[2]
    again = photo_session.without_card(once, asked, 1)
    assert [fan.sights for fan in looked_at[-1]] == [seen.sights[:1]]
    assert again.covered == (covered, hiding)
