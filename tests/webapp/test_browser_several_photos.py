"""Several photos of one table in a browser: joined, corrected once, named where they do not join."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from solver import parse
from solver.cards import deck
from solver.games import position_from_json
from solver.place import NOWHERE
from tests.webapp.actions import (
    SAMPLE,
    SAMPLES,
    choose_photo,
    choose_photos,
    download,
    kept,
    line,
    opened,
    seen,
    start,
    still,
    tone,
    until,
    verdict,
)
from vision.evaluate import main as evaluate
from vision.image import load
from vision.photo_to_reading import read_photo
from vision.reading import Reading
from webapp.edits import change

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def two_photos(own_fonts: None, tmp_path: Path) -> list[Path]:
    """Two photos of a table of 90 cards that neither shows whole."""
    from datasets.__main__ import main

    arguments = ["--game", "makiaveli", "--views", "2", "--cards", "90", "90", "-n", "1", "--split", "test"]
    assert main([*arguments, "--seed", "2", "--size", "2000", "--out", str(tmp_path)]) == 0
    return sorted(tmp_path.glob("*/*.jpg"))


SEEN_BY_BOTH = """(box) => { const { data } = box.getRootNode().app;
  const [one, other] = data.photos.map((photo) => photo.cards.filter((card) => card.quad));
  return one.filter((card) => data.places[card.number] && other.some((seen) => seen.number === card.number))
    .map((card) => [card.number, data.places[card.number]]); }"""


ASK_ABOUT_PHOTO = """(box, photo) => { const { photos, data } = box.getRootNode().app;
  const sights = [{ photo, quad: data.photos[photo].cards[0].quad }];
  photos.ask([{ id: `${photo}`, sights, text: "1", now: true }]); }"""


IN_WIDTH = (
    "(photo) => { const { left, right } = photo.getBoundingClientRect(); return left >= 0 && right <= innerWidth; }"
)


NAMED = """(box, number) => box.getRootNode().app.data.photos.flatMap((photo) => photo.cards)
  .filter((card) => card.number === number).map((card) => [card.card, card.zone, card.colour])"""


def test_two_photos_are_one_table_and_a_card_that_both_show_is_put_right_once(
    browser: Browser, address: str, two_photos: list[Path]
) -> None:
    truth = json.loads((two_photos[0].parent / "table.json").read_text(encoding="utf-8"))
    with opened(browser, address) as page:
        start(page)
        choose_photos(page, {path.name: path.read_bytes() for path in two_photos})
        verdict(page)
        assert page.locator("figcaption").all_inner_texts() == ["Photo 1", "Photo 2"]
        read = [str(card) for card in parse(line(page)).cards()]
        assert abs(len(read) - len(truth["cards"])) <= 3, "each card lies there once"
        app = page.locator(".app")
        number, right = another_legal_card(line(page), app.evaluate(SEEN_BY_BOTH))
        ((card, zone, colour), (also, *same)) = app.evaluate(NAMED, number)
        assert (also, *same) == (card, zone, colour), "zones are named and coloured alike over all photos"
        app.evaluate("(box, number) => box.getRootNode().app.cards.openNumber(number)", number)
        page.locator("dialog .piece").wait_for()
        page.locator(f"dialog .deck [data-card='{right}']").click()
        still(page)
        assert sorted(str(card) for card in parse(line(page)).cards()) == sorted([*without(read, card), right])
        assert [card for card, *_ in app.evaluate(NAMED, number)] == [right, right]
        page.locator(".stage").evaluate("stage => stage.dataset.show = 'both'")
        for seen in (1, 0):  # what a question or a step is about is in view, also of photos that lie in a row
            app.evaluate(ASK_ABOUT_PHOTO, seen)
            photo = page.locator("figure.photo").nth(seen)
            until(page, partial(photo.evaluate, IN_WIDTH), "the photo that it is about is in view")
        page.locator("summary", has_text="Files").click()
        saved = two_photos[0].with_name("labelled.zip")
        download(page, "Save as labelled photo", saved)
    assert evaluate([str(saved), "--no-verdicts", "--out", str(saved.with_name("report"))]) == 0


def test_a_card_that_two_photos_misread_is_put_right_once_and_stays_so(
    browser: Browser, address: str, two_photos: list[Path]
) -> None:
    (left, right), victim, donor, spot = misread_in_both(two_photos[0].parent)
    truth = Counter(card["card"] for card in _label(two_photos[0].parent, 1)["cards"])
    with opened(browser, address) as page:
        start(page)
        choose_photo(page, "left.jpg", left)
        verdict(page)
        app = page.locator(".app")
        number = app.evaluate(
            """(box, [x, y]) => {
            const middle = (quad) => [0, 1].map((n) => quad.reduce((sum, p) => sum + p[n], 0) / 4);
            const far = (card) => Math.hypot(middle(card.quad)[0] - x, middle(card.quad)[1] - y);
            return box.getRootNode().app.data.photos[0].cards.filter((card) => card.quad)
              .sort((one, other) => far(one) - far(other))[0].number; }""",
            spot,
        )
        assert app.evaluate(NAMED, number)[0][0] == donor, "the photo is misread"
        app.evaluate("(box, number) => box.getRootNode().app.cards.openNumber(number)", number)
        page.locator(f"dialog .deck [data-card='{victim}']").click()
        until(page, lambda: app.evaluate(NAMED, number)[0][0] == victim, "the card is put right")
        choose_photo(page, "right.jpg", right, "Another photo of this table")
        # A phone's page shows a table of so many cards alone where photo and table do not fit together.
        page.locator("figcaption", has_text="Photo 2").wait_for(state="attached")
        still(page)
        verdict(page)
        read = Counter(map(str, parse(line(page)).cards()))
        assert (read[victim], read[donor]) == (truth[victim], truth[donor]), "what was put right stays, in both photos"
        shown = app.evaluate(
            "(box) => box.getRootNode().app.data.photos.map((photo) => photo.cards.map((c) => c.card))"
        )
        assert all(victim in cards for cards in shown)
        page.get_by_role("button", name="Undo").click()
        until(page, lambda: Counter(map(str, parse(line(page)).cards()))[donor] > truth[donor], "as it was read")


def _label(folder: Path, number: int) -> Any:
    return json.loads((folder / f"{number}.json").read_text(encoding="utf-8"))


def misread_in_both(folder: Path) -> tuple[list[bytes], str, str, list[float]]:
    """Two photos of a table in which the same card is misread: another card's indices are pasted over its own.

    Returns:
        The photos' files, the card, what it is read as, and where it lies in the first photo.
    """
    labels = [_label(folder, number) for number in (1, 2)]
    names = [card["card"] for card in labels[0]["cards"]]
    both = [n for n in range(len(names)) if all(_seen(label["cards"][n]) for label in labels)]
    for victim in both:
        for donor in both:
            suits = names[victim][1] == names[donor][1]
            if not suits or names[victim] == names[donor] or names.count(names[donor]) > 1:
                continue
            files = [_pasted(folder / f"{n}.jpg", label["cards"], victim, donor) for n, label in enumerate(labels, 1)]
            shots = [load(file) for file in files]
            wanted = Counter({names[donor]: 2})  # itself, and the card that is read as it
            if all(Counter(str(card.card) for card in read_photo(shot).cards) >= wanted for shot in shots) and _is_once(
                read_photo(*shots), names, victim, donor
            ):
                spot = np.mean(labels[0]["cards"][victim]["quad"], axis=0).tolist()
                return files, names[victim], names[donor], spot
    raise AssertionError("no card that both photos show is misread in both")


def _is_once(found: Reading, names: list[str], victim: int, donor: int) -> bool:
    """Whether a joined reading has all cards once, but for one that it takes for another."""
    read = Counter(str(card.card) for card in found.cards if card.place != NOWHERE)
    wanted = Counter(names) - Counter([names[victim]]) + Counter([names[donor]])
    return all(read[name] == wanted[name] for name in (names[victim], names[donor])) and not any(
        photo.apart for photo in found.photos
    )


def _seen(card: Any) -> list[Any]:
    return [index for index in card["indices"] if index["visible"] > 0.9]


def _pasted(path: Path, cards: Any, victim: int, donor: int) -> bytes:
    """A photo in which every index of one card is pasted over with one of another card's."""

    def turn(index: Any) -> complex:
        (x, y), (to_x, to_y) = index["rank"], index["suit"]
        return complex(to_x - x, to_y - y) / abs(complex(to_x - x, to_y - y))

    with Image.open(path) as picture:
        clean = picture.convert("RGB")
    photo = clean.copy()
    for index in cards[victim]["indices"]:
        if index["visible"] > 0.05:
            given = max(_seen(cards[donor]), key=lambda other: abs((turn(other) / turn(index)).real))
            patch = clean.crop([round(side) for side in given["box"]])
            if (turn(given) / turn(index)).real < 0:
                patch = patch.rotate(180)
            x1, y1, x2, y2 = (round(side) for side in index["box"])
            photo.paste(patch.resize((x2 - x1, y2 - y1), Image.Resampling.LANCZOS), (x1, y1))
    file = io.BytesIO()
    photo.save(file, "JPEG", quality=92)
    return file.getvalue()


def test_on_a_phone_the_second_photo_is_seen_to_follow(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "pair.jpg")
        verdict(page)
        left = page.locator(".photo").nth(1).evaluate("(e) => innerWidth - e.getBoundingClientRect().left")
        assert left > 40


def test_a_photo_of_the_hand_alone_joins_as_the_hand(browser: Browser, address: str) -> None:
    label = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    top = min(y for card in label["cards"] if card["zone"] == "hand" for _, y in card["quad"])
    with Image.open(SAMPLE) as photo:
        parts = [(0, 0, photo.width, round(top) - 10), (0, round(top) - 10, photo.width, photo.height)]
        floor, hand = (_jpeg(photo.crop(part)) for part in parts)
    with opened(browser, address) as page:
        start(page)
        choose_photo(page, "floor.jpg", floor)
        assert "Which cards are in your hand?" in verdict(page)
        assert tone(page) == "open"
        seen(page, ".banner input[type=text]")
        choose_photo(page, "hand.jpg", hand, "Photo of the hand")
        page.locator("figcaption", has_text="Photo 2: the hand").wait_for()
        still(page)
        assert sorted(parse(line(page)).to_json()["hand"]) == sorted(label["position"]["hand"])
        page.get_by_role("button", name="New table").click()
        start(page)
        still(page)
        choose_photos(page, {"hand.jpg": hand, "floor.jpg": floor})
        page.locator("figcaption", has_text="Photo 1: the hand").wait_for()
        still(page)
        assert sorted(parse(line(page)).to_json()["hand"]) == sorted(label["position"]["hand"])


def _jpeg(photo: Image.Image) -> bytes:
    file = io.BytesIO()
    photo.convert("RGB").save(file, "JPEG", quality=95)
    return file.getvalue()


def test_a_photo_that_does_not_join_is_named_with_its_reason(browser: Browser, address: str) -> None:
    files = {name: (SAMPLES / name).read_bytes() for name in ("makiaveli_1.jpg", "makiaveli_2.jpg")}
    with opened(browser, address) as page:
        start(page)
        choose_photos(page, files)
        verdict(page)
        assert tone(page) == "open", "no verdict stands while a photo is left out"
        names = page.locator("figcaption").all_inner_texts()
        assert [bool(re.match(r"Photo \d (does not join|shows no card)", name)) for name in names].count(True) == 1
        check = page.locator(".asking", has_text=re.compile(r"Photo \d (does not join|shows no card)"))
        check.get_by_role("button", name="Go on without it").click()
        check.wait_for(state="detached")


def test_a_photo_that_was_left_out_is_read_alone_and_is_the_last_photo_then(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        start(page)
        choose_photo(page, "klondike.jpg", (SAMPLES / "klondike_1.jpg").read_bytes())
        verdict(page)
        choose_photo(page, "other.jpg", label="Another photo of this table")
        page.get_by_role("button", name="Read it alone").click()
        page.locator(".verdict h1", has_text="Makiaveli").wait_for()
        until(page, lambda: (kept(page, "photo") or {}).get("lines") == [line(page)], "it is the last photo now")
        assert len(kept(page, "photo")["files"]) == 1


def another_legal_card(table: str, places: list[tuple[int, str]]) -> tuple[int, str]:
    """The number of a card on a table, by their places, and what it may be instead."""
    body = parse(table).to_json()
    for number, place in places:
        for card in map(str, deck()):
            other = position_from_json(change(body, place, card))
            if str(other) != table and not other.problems():
                return number, card
    raise AssertionError("no card that both photos show can be another one")


def without(cards: list[str], card: str) -> list[str]:
    """The cards but for one."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
