"""Several photos read as one: zones alike in all, the hand from a photo of its own, every card with its best view."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from plumbing.errors import NotationError
from solver.cards import parse_card, parse_cards
from solver.place import Place
from tests.vision import simulate
from tests.vision.simulate import Laid
from tests.vision.test_joining import LEFT, MIDDLE, NOISE, row
from vision.errors import PhotoError, PhotosError
from vision.image import load
from vision.networks.outputs import Reads
from vision.photo_to_reading import read_findings, read_photo
from vision.photo_to_table import Findings
from vision.question import QuestionKind
from vision.reading import Reading

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "makiaveli_1.jpg"
SIZE = (1600, 1200)


def find_in(laid: Sequence[Laid], aim: Sequence[Laid], seed: int = 5, roll: float = 0.0) -> Findings:
    camera = simulate.Camera(tilt=0.2, roll=roll, size=SIZE)
    truth = simulate.photograph(laid, game="makiaveli", position=None, camera=camera, aim=aim)
    return Findings(*simulate.observe(truth, np.random.default_rng(seed), NOISE), SIZE)


def read(findings: Sequence[Findings], **more: Any) -> Reading:
    names = [f"{number}.jpg" for number in range(1, len(findings) + 1)]
    return read_findings(findings, "makiaveli", names=names, **more)


def apart(reading: Reading) -> dict[int, str]:
    """The photos that do not join, and why."""
    return {number: photo.apart for number, photo in enumerate(reading.photos) if photo.apart}


def texts(reading: Reading) -> list[str]:
    return [check.text for check in reading.checks]


HAND = row("2S 8D KC 4H", 0, 4000, zone="hand")


def test_a_photo_of_the_hand_alone_is_the_hand() -> None:
    laid = [*LEFT, *MIDDLE, *HAND]
    for order in ((0, 1), (1, 0)):
        shots = [find_in(laid, LEFT + MIDDLE), find_in(laid, HAND)]
        found = read([shots[k] for k in order])
        assert [photo.is_hand for photo in found.photos] == [number == 1 for number in order]
        assert not apart(found)
        assert found.position is not None
        assert sorted(found.position.to_json()["hand"]) == sorted(["2S", "8D", "KC", "4H"])
        held = [card for card in found.cards if card.place == Place("hand")]
        assert [card.text for card in held] == ["2S", "8D", "KC", "4H"]
        assert {sight.photo for card in held for sight in card.sights} == {order.index(1)}


def test_a_meld_alone_is_the_hand_only_with_a_question() -> None:
    lone = row("9H TH JH", 0, 4000)
    found = read([find_in([*LEFT, *MIDDLE, *lone], LEFT + MIDDLE), find_in([*LEFT, *MIDDLE, *lone], lone)])
    assert any("a meld, taken for the hand" in check for check in texts(found))


def test_one_meld_may_be_there_twice_only_where_there_are_two_decks() -> None:
    kings = row("KS KH KD KC", 0, 0)
    shots = [find_in(kings, kings, seed) for seed in (5, 6)]
    for game, asked in (("makiaveli", True), ("klondike", False)):
        found = read_findings(shots, game, names=["1.jpg", "2.jpg"])
        assert any("not their copies" in text for text in texts(found)) == asked
    two = row("AS JS", 0, 0)
    found = read_findings([find_in(two, two, seed) for seed in (5, 6)], "klondike", names=["1.jpg", "2.jpg"])
    assert any("only AS JS in common" in text or "only JS AS in common" in text for text in texts(found))


def test_a_given_hand_leaves_a_photo_apart_and_says_so() -> None:
    laid = [*LEFT, *MIDDLE, *HAND]
    found = read([find_in(laid, LEFT + MIDDLE), find_in(laid, HAND)], hand=parse_cards("2S 8D"))
    assert apart(found) == {1: "2.jpg shows no card that another photo shows too"}
    (asked,) = (check for check in found.checks if check.kind is QuestionKind.APART)
    assert (asked.text, asked.photos) == (apart(found)[1], (1,))
    assert not found.unquestioned


def test_each_card_is_known_in_every_photo_that_shows_it() -> None:
    laid = [*LEFT, *MIDDLE, *row("AH 2H 3H 4H", 700, 60)]
    found = read([find_in(laid, laid[:16], roll=0.1), find_in(laid, laid[9:], 6, roll=-0.2)])
    assert len(found.cards) == len(laid)
    for seen in found.cards:
        assert all(seen.sight_in(sight.photo) is sight for sight in seen.sights)
    assert any(len(card.sights) == 2 for card in found.cards)
    body = json.loads(json.dumps(found.to_json()))
    assert Reading.from_json(body) == found
    for card, seen in zip(body["cards"], found.cards, strict=True):
        assert card["photo"] == seen.sights[0].photo
        assert len(card["also"]) == len(seen.sights) - 1
        assert all({"box", "rank", "suit"} <= set(index) for index in card["indices"])


def _doubtful(findings: Findings, card: str, taken_for: str) -> Findings:
    """The same with the rank of a card read rather as that of another."""
    reads = findings.reads
    (row,) = np.flatnonzero(reads.log_card.argmax(1) == parse_card(card).index)
    log_rank = reads.log_rank.copy()
    log_rank[row] = np.log(0.02 / 11)
    log_rank[row, [parse_card(card).rank - 1, parse_card(taken_for).rank - 1]] = np.log([0.38, 0.6])
    return replace(findings, reads=Reads(log_rank, reads.log_suit, reads.log_index))


def test_two_cards_of_a_fan_of_which_each_photo_missed_one_stay_two_where_the_rules_want_it() -> None:
    fan = row("6D 7D 8D", 160, 60, step=16)
    others = [*LEFT, *MIDDLE]
    first = find_in([*others, *fan[1:]], others + fan)
    second = find_in([*others, fan[0], fan[2]], others + fan, 6)
    found = read([first, _doubtful(second, "6D", "7D")])
    assert found.position is not None
    assert ["6D", "7D", "8D"] in found.position.to_json()["floor"]
    assert "7D in 1.jpg and 6D in 2.jpg lie close together: please check that these are two cards" in texts(found)


def test_a_photo_cut_in_two_shows_each_card_once() -> None:
    image = load(SAMPLE)
    width = image.shape[1]
    left, right = image[:, : int(0.7 * width)], image[:, int(0.35 * width) :]
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())
    found = read_photo(left, right, game="cards")
    there = sorted(card["card"] for card in truth["cards"] if card["card"])
    assert sorted(card.text for card in found.cards) == there


def test_too_many_photos_are_refused() -> None:
    blank = np.zeros((64, 64, 3), np.uint8)
    for count in (0, 7):
        with pytest.raises(PhotosError, match="expected 1 to 6"):
            read_photo(*[blank] * count)


def test_photos_without_any_card_are_named() -> None:
    blank = np.full((240, 320, 3), 90, np.uint8)
    found = read_photo(blank, blank)
    assert found.position is None
    assert len(apart(found)) == 1


@pytest.mark.parametrize("hand", [["3X", "zzz"], ["3S 4S"], ["??"], 5, "3X"])
def test_what_is_no_hand_is_refused_before_anything_is_read(hand: Any) -> None:
    with pytest.raises(NotationError, match="expected"):
        read_photo("no such photo.jpg", hand=hand)


@pytest.mark.parametrize(
    "photo", [["a.jpg", "b.jpg"], Image.new("RGB", (9, 9)), None, np.zeros((9, 9, 3)), np.zeros((9, 9), np.uint8)]
)
def test_what_is_no_photo_is_refused(photo: Any) -> None:
    with pytest.raises(PhotoError, match=r"^photo 1: .*; expected a file, its bytes, or an array"):
        read_photo(photo)
    with pytest.raises(PhotoError, match=r"a film, not a photo; .*read_film reads it"):
        read_photo("sweep.mp4")


@pytest.mark.parametrize("hand", ["", []])
def test_no_cards_are_no_hand_and_the_photo_shows_it(hand: Any) -> None:
    assert read_photo(SAMPLE, hand=hand) == read_photo(SAMPLE)


def test_a_hand_is_given_as_text_as_cards_or_as_a_photo() -> None:
    table = load(SAMPLE)
    written = [read_photo(SAMPLE, hand=given) for given in ("3S 4S", parse_cards("3S 4S"), ["3S", "4s"])]
    assert written[0] == written[1] == written[2]
    assert written[0].position is not None
    assert written[0].position.to_json()["hand"] == ["3S", "4S"]
    shown = read_photo(table, hand=table[-300:])
    assert [photo.is_hand for photo in shown.photos] == [False, True]
    assert {sight.photo for card in shown.cards if card.place == Place("hand") for sight in card.sights} == {1}
    assert Reading.from_json(json.loads(json.dumps(shown.to_json()))) == shown
