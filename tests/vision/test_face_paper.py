"""Faces that nobody read are found on photos, and what was read on dark backs is no card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision import simulate
from vision.cards.assembly import assemble_cards
from vision.cards.face_paper import (
    find_unread_faces,
    stand_on_paper,
    without_blank_paper,
    without_cards_on_backs,
    without_prints,
)
from vision.cards.geometry import gaps
from vision.cards.seen_table import SeenBack, SeenCard, SeenTable
from vision.image import load
from vision.networks.outputs import Detections
from vision.networks.surface_map import FACE, SurfaceMap
from vision.photo_quality import assess
from vision.photo_to_table import detect_and_read, see_table

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"


def lonely(table: SeenTable) -> int:
    """The row of a card that overlaps no other one."""
    apart = gaps(table.outlines)
    np.fill_diagonal(apart, np.inf)
    return int(apart.min(1).argmax())


@pytest.mark.parametrize("name", ["klondike_1", "tomb_single_1"])
def test_a_face_that_nobody_read_is_found_and_no_other(name: str) -> None:
    image = load(SAMPLES / f"{name}.jpg")
    found = detect_and_read(image)
    table, surfaces = see_table(found), SurfaceMap().see(image)
    assert find_unread_faces(table, found.detections, surfaces, image) == []
    row = lonely(table)
    unread = replace(table, cards=tuple(card for k, card in enumerate(table.cards) if k != row))
    (outline,) = find_unread_faces(unread, found.detections, surfaces, image)
    quad = table.cards[row].quad
    assert np.linalg.norm(outline.mean(0) - quad.mean(0)) < 0.2 * np.linalg.norm(quad[0] - quad[2])
    back = SeenBack(0.9, table.cards[row].centre, table.cards[row].down, 1.0, quad)
    assert find_unread_faces(replace(unread, backs=(back,)), found.detections, surfaces, image) == []
    for other in (replace(back, confidence=0.5), replace(back, visible=0.4)):
        assert len(find_unread_faces(replace(unread, backs=(other,)), found.detections, surfaces, image)) == 1


@pytest.mark.parametrize("share", [0.2, 0.35])
def test_a_sliver_of_a_face_at_the_edge_of_the_photo_is_found(share: float) -> None:
    image = load(SAMPLES / "tomb_single_1.jpg")
    found = detect_and_read(image)
    table = see_table(found)
    row = int(np.argmax([card.quad[:, 0].max() for card in table.cards]))
    left, right = table.cards[row].quad[:, 0].min(), table.cards[row].quad[:, 0].max()
    cut = np.ascontiguousarray(image[:, : int(left + share * (right - left))])
    unread = replace(table, cards=tuple(card for k, card in enumerate(table.cards) if k != row))
    (outline,) = find_unread_faces(unread, found.detections, SurfaceMap().see(cut), cut)
    assert outline[:, 0].max() > 0.97 * cut.shape[1]


@pytest.mark.parametrize(("lengths", "is_card"), [(0.9, True), (3.0, False)])
def test_a_strip_along_the_edge_that_is_longer_than_a_card_is_none(lengths: float, is_card: bool) -> None:
    image = load(SAMPLES / "klondike_1.jpg")
    found = detect_and_read(image)
    table, surfaces = see_table(found), SurfaceMap().see(image)
    quad = table.cards[lonely(table)].quad
    end = round(lengths * max(np.linalg.norm(quad[k] - quad[k - 1]) for k in range(4)) / surfaces.spot_px)
    deep = round(surfaces.spot_px)
    seen = surfaces.probabilities.copy()
    seen[-1, :end] = np.eye(seen.shape[-1])[FACE]
    x, y = quad.mean(0).astype(int)
    image[-2 * deep :, : int(end * surfaces.spot_px)] = np.median(image[y - 30 : y + 30, x - 20 : x + 20], axis=(0, 1))
    strips = find_unread_faces(table, found.detections, replace(surfaces, probabilities=seen), image)
    assert len(strips) == is_card


def test_pips_that_cover_the_indices_hide_no_face_that_nobody_read() -> None:
    image = load(SAMPLES / "tomb_single_1.jpg")
    found = detect_and_read(image)
    table, surfaces = see_table(found), SurfaceMap().see(image)
    row = lonely(table)
    unread = replace(table, cards=tuple(card for k, card in enumerate(table.cards) if k != row))
    inked = image.copy()
    for card in unread.cards:
        for x1, y1, x2, y2 in found.detections.boxes[list(card.indices)].astype(int):
            inked[y1:y2, x1:x2] = (200, 60, 40)
    assert len(find_unread_faces(unread, found.detections, surfaces, inked)) == 1


def painted(dark: int | None) -> tuple[SeenTable, Detections, np.ndarray]:
    """Simulated cards, a photo white where their indices lie, and dark where one card's do."""
    truth = simulate.klondike(np.random.default_rng(1))
    found, backs, reads = simulate.observe(truth, np.random.default_rng(0), simulate.PERFECT)
    size = (truth["image"]["width"], truth["image"]["height"])
    table = assemble_cards(found, backs, reads, size)
    image = np.full((size[1], size[0], 3), 230, np.uint8)
    if dark is not None:
        for x1, y1, x2, y2 in found.boxes[list(table.cards[dark].indices)].astype(int):
            image[y1:y2, x1:x2] = 40
    return table, found, image


def doubted(table: SeenTable, row: int) -> SeenTable:
    def chance(number: int, card: SeenCard) -> SeenCard:
        return replace(card, is_card=0.6) if number == row else card

    return replace(table, cards=tuple(chance(number, card) for number, card in enumerate(table.cards)))


def test_a_doubtful_index_on_a_dark_back_is_no_card() -> None:
    table, found, image = painted(dark=2)
    left = without_cards_on_backs(doubted(table, 2), found, image)
    assert [card.best for card in left.cards] == [card.best for k, card in enumerate(table.cards) if k != 2]
    assert set(left.rejected) == {*table.rejected, *table.cards[2].indices}


def test_a_doubted_corner_on_a_back_or_on_a_whole_card_is_printed_there() -> None:
    table = simulate.seen(simulate.makiaveli(np.random.default_rng(4)))
    whole = next(card for card in table.cards if len(card.indices) > 1)
    doubted = replace(whole, is_card=0.3, is_doubted=True, indices=(999,), ranks=whole.centre[None])

    def stays(*others: SeenCard, back: SeenBack | None = None) -> bool:
        shown = replace(table, cards=(*others, doubted), backs=() if back is None else (back,))
        return doubted in without_prints(shown).cards

    half = replace(whole, indices=whole.indices[:1])
    assert [stays(whole), stays(half), stays()] == [False, True, True]
    assert not stays(half, back=SeenBack(0.9, whole.centre, whole.down, 1.0, whole.quad))


@pytest.mark.parametrize(("doubts", "left"), [(2, 2), (3, 0)])
def test_a_print_that_a_tablecloth_repeats_is_no_card(doubts: int, left: int) -> None:
    """One of the face is surely there, so of two decks one more can be."""
    table, *_ = painted(dark=None)
    card = table.cards[2]
    flower = replace(card, is_card=0.2, is_doubted=True, indices=(999,))
    flowers = tuple(replace(flower, ranks=card.centre[None] + 99.0 * n) for n in range(1, doubts + 1))
    shown = without_prints(replace(table, cards=(*table.cards, *flowers)))
    assert sum(one.is_doubted for one in shown.cards) == left
    assert len(shown.cards) == len(table.cards) + left


def test_a_mark_on_a_dark_back_does_not_stand_on_paper() -> None:
    table, found, image = painted(dark=2)
    dark = set(table.cards[2].indices)
    rows = np.array(sorted(row for card in table.cards for row in card.indices))
    assert [row for row, stands in zip(rows, stand_on_paper(table, found, rows, image), strict=True) if not stands] == [
        row for row in rows if row in dark
    ]
    assert stand_on_paper(replace(table, cards=table.cards[:2]), found, rows, image).all(), "two cards tell no paper"


def test_a_card_stays_that_is_sure_or_stands_on_the_others_paper() -> None:
    table, found, image = painted(dark=2)
    assert len(without_cards_on_backs(table, found, image).cards) == len(table.cards)
    table, found, image = painted(dark=None)
    assert len(without_cards_on_backs(doubted(table, 2), found, image).cards) == len(table.cards)


def laid(image: np.ndarray, quad: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """The photo with a sheet of paper on it."""
    return cv2.fillConvexPoly(image.copy(), quad.round().astype(np.int32), colour)


def test_a_blank_sheet_is_no_card_face_down() -> None:
    table, found, swallowed = painted(dark=None)
    row = lonely(table)
    card, others = table.cards[row], tuple(card for k, card in enumerate(table.cards) if k != row)
    back = SeenBack(0.6, card.centre, card.down, 1.0, card.quad)
    half = replace(back, visible=0.4)
    seen = replace(table, cards=others, backs=(back, half))
    image = swallowed.copy()
    for other in others:
        cv2.circle(image, other.quad.mean(0).round().astype(int).tolist(), 12, (30, 30, 30), -1)
    blank = laid(image, card.quad, (224, 226, 230))
    assert without_blank_paper(seen, found, blank).backs == (half,)
    assert without_blank_paper(seen, found, swallowed).backs == (back, half), "faces look blank as well"
    printed = cv2.circle(blank.copy(), card.quad.mean(0).round().astype(int).tolist(), 12, (90, 120, 190), -1)
    for photo in (printed, laid(image, card.quad, (40, 60, 200)), laid(image, card.quad, (60, 60, 60))):
        assert without_blank_paper(seen, found, photo).backs == (back, half), "printed, or not of the faces' colour"


def test_blank_sheets_are_no_cards_that_nobody_read() -> None:
    image = load(SAMPLES / "tomb_single_1.jpg")
    found = detect_and_read(image)
    table, surfaces = see_table(found), SurfaceMap().see(image)
    apart = gaps(table.outlines)
    np.fill_diagonal(apart, np.inf)
    rows = np.argsort(-apart.min(1))[:4].tolist()
    few = replace(table, cards=tuple(card for row, card in enumerate(table.cards) if row not in rows))
    blank = image
    for row in rows:
        blank = laid(blank, table.cards[row].quad, (225, 222, 218))
    for photo, is_readable in ((image, False), (blank, True)):
        assert assess(few, found.detections, [1.0] * len(few.cards), photo).ok == is_readable
        assert (find_unread_faces(few, found.detections, surfaces, photo) == []) == is_readable


@pytest.mark.parametrize(
    ("seen", "told"), [(0, "no card was seen"), (1, "only 1 card could be read"), (2, "only 2 cards could be read")]
)
def test_it_is_told_in_plain_words_how_few_cards_were_read(seen: int, told: str) -> None:
    found = detect_and_read(load(SAMPLES / "tomb_single_1.jpg"))
    table = replace(see_table(found), rejected=(0, 1, 2, 3))
    (reason,) = assess(replace(table, cards=table.cards[:seen]), found.detections, [1.0] * seen, None).reasons
    assert reason.startswith(told)
