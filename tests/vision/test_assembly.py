"""Indices of one card become one card, whatever the deck and the camera; equal cards of two decks stay two."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from solver.cards import DECK, Card, parse_card
from tests.vision import simulate
from tests.vision.simulate import Laid, seen
from vision.cards.assembly import assemble_cards
from vision.cards.assembly.same_ink import find_single
from vision.networks.outputs import Backs, Detections, Reads
from vision.networks.surface_map import NEITHER, Surfaces


def names(cards: list[Card | None]) -> list[str]:
    return sorted(str(card) for card in cards)


@pytest.mark.parametrize("deck", list(simulate.DECKS))
@pytest.mark.parametrize("seed", range(2))
def test_every_visible_card_is_one_card_with_its_outline(deck: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = simulate.random_camera(rng, (1600, 1200))
    truth = simulate.makiaveli(rng, deck=simulate.DECKS[deck], camera=camera, styles=("row", "overlap", "column"))
    table = seen(truth, seed)
    visible = [c for c in truth["cards"] if c["card"] and max(i["visible"] for i in c["indices"]) >= 0.6]
    assert names([card.best for card in table.cards]) == sorted(c["card"] for c in visible)
    assert table.template.corners == simulate.DECKS[deck].corners
    misses = []
    for row in visible:
        quad = np.array(row["quad"])
        turned = [np.roll(quad, k, axis=0) for k in (0, 2)]  # a card looks the same upside down
        size = np.linalg.norm(quad[0] - quad[2])
        misses.append(min(float(np.abs(c.quad - q).max()) / size for c in table.cards for q in turned))
    assert np.median(misses) < 0.05


def test_two_equal_cards_stay_two() -> None:
    cards = [Laid(parse_card("7H"), x, 0, 0, "none") for x in (0, 80)] + [
        Laid(card, 80.0 * k, 120, 0, "none") for k, card in enumerate(DECK[:5])
    ]
    table = seen(simulate.photograph(cards, game=None, position=None))
    assert names([card.best for card in table.cards]).count("7H") == 2
    assert len(table.cards) == 7


def seen_upper_ends(cards: list[Laid], deck: str) -> list[Card | None]:
    """What is assembled of cards whose lower ends are not in the photo."""
    truth = simulate.photograph(cards, game=None, position=None, deck=simulate.DECKS[deck])
    found, _, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    rows = np.flatnonzero(found.suit_xy[:, 1] > found.rank_xy[:, 1])
    upper = Detections(*(field[rows] for field in (found.boxes, found.confidence, found.rank_xy, found.suit_xy)))
    log = Reads(reads.log_rank[rows], reads.log_suit[rows], reads.log_index[rows])
    return [card.best for card in assemble_cards(upper, Backs.empty(), log, (1280, 960)).cards]


def test_both_upper_corners_are_one_card_where_no_lower_end_is_seen() -> None:
    row = [Laid(card, 80.0 * k, 5.0 * k, 0.03 * k, "none") for k, card in enumerate(DECK[:7])]
    assert names(seen_upper_ends(row, "four corners")) == names([*DECK[:7]])


@pytest.mark.parametrize("deck", ["poker", "bridge", "small index"])
def test_equal_runs_side_by_side_are_copies_where_no_lower_end_is_seen(deck: str) -> None:
    runs = [Laid(card, x, 18.0 * k, 0, "none") for x in (0, 80) for k, card in enumerate(DECK[:4])]
    assert names(seen_upper_ends(runs, deck)) == names([*DECK[:4], *DECK[:4]])


def test_a_card_of_which_one_index_is_seen_gets_its_outline() -> None:
    fan = [Laid(card, 20.0 * k, 0, 0.0, "none") for k, card in enumerate(DECK[3:9])]
    truth = simulate.photograph(fan, game=None, position=None)
    table = seen(truth)
    first = next(card for card in table.cards if card.best == DECK[3])
    assert len(first.indices) == 1
    assert np.abs(first.quad - np.array(truth["cards"][0]["quad"])).max() < 0.04 * np.linalg.norm(
        first.quad[0] - first.quad[2]
    )


def test_no_card_lies_where_the_photo_shows_the_table() -> None:
    """Of a stair's lower card both left corners are seen: its right ones are half hidden, and cards lie at its left."""
    beside = [Laid(parse_card(name), 14.0 * k, 5.0 * k, 0, "none") for k, name in enumerate(("AD", "2D", "3D"))]
    stair = [Laid(parse_card("8D"), 95, 20, 0, "none"), Laid(parse_card("8H"), 109, 8, 0, "none")]
    row = [Laid(card, 90.0 * k, 150, 0, "none") for k, card in enumerate(DECK[40:43])]
    truth = simulate.photograph([*beside, *stair, *row], game=None, position=None, deck=simulate.DECKS["four corners"])
    quads = {row["card"]: np.array(row["quad"]) for row in truth["cards"]}
    observed = simulate.observe(truth, np.random.default_rng(0), simulate.PERFECT)

    def share(outlines: np.ndarray) -> np.ndarray:
        shown = np.zeros((1200, 1600, 3), np.float32)
        shown[..., NEITHER] = 1
        for quad in quads.values():
            cv2.fillConvexPoly(shown, quad.astype(np.int32), (0.0, 1.0, 0.0))
        return Surfaces(shown, 1.0).card_share(outlines)

    off = []
    for look in (None, share):
        table = assemble_cards(*observed, (1280, 960), card_share=look)
        card = next(card for card in table.cards if card.best == parse_card("8D"))
        away = np.linalg.norm(card.quad.mean(0) - quads["8D"].mean(0))
        off.append(away > 0.3 * np.linalg.norm(quads["8D"][0] - quads["8D"][1]))
    assert off == [True, False]


def test_layers_tell_what_lies_on_top() -> None:
    rng = np.random.default_rng(3)
    order = [DECK[k] for k in rng.permutation(52)[:6]]
    pile = [Laid(card, 22.0 * k, 6.0 * k, 0.02 * k, "none") for k, card in enumerate(order)]
    table = seen(simulate.photograph(pile, game=None, position=None))
    by_layer = sorted(table.cards, key=lambda card: card.layer)
    assert [card.best for card in by_layer] == order


def test_equal_cards_side_by_side_in_a_tight_fan_stay_two() -> None:
    names_laid = ["5H", "5H", "9D", "KH", "KH", "QS", "QS", "2C"]
    cards = [Laid(parse_card(name), 9.0 * k, 0, 0, "none") for k, name in enumerate(names_laid)]
    truth = simulate.photograph(cards, game=None, position=None)
    found, _, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    length = float(np.median(np.linalg.norm(found.suit_xy - found.rank_xy, axis=1)))
    step = float(np.median(np.diff(np.sort(found.rank_xy[:, 0]))[:6]))
    assert 0.8 * length < step < 1.25 * length
    table = assemble_cards(found, Backs.empty(), reads, (1280, 960))
    assert names([card.best for card in table.cards]) == sorted(names_laid)


def findings_side_by_side(step: float, *names: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rank and suit places, boxes, and log-probabilities of indices of 40 x 60 px that lie `step` px apart."""
    x = 100 + step * np.arange(len(names))
    rank, suit = (np.stack([x, np.full(len(names), y)], axis=1) for y in (100.0, 130.0))
    log_card = np.full((len(names), 52), np.log(0.01 / 51))
    log_card[np.arange(len(names)), [parse_card(name).index for name in names]] = np.log(0.99)
    margin = np.array([20.0, 15.0])
    return rank, suit, np.concatenate([rank - margin, suit + margin], axis=1), log_card


@pytest.mark.parametrize(
    ("step", "read", "confidence", "single"),
    [
        (12.0, ("QC", "AS"), (0.8, 0.7), [True, True]),  # the fan hides a part of each index: two cards
        (12.0, ("QC", "AS"), (0.8, 0.3), [True, False]),  # a weak finding that is off
        (12.0, ("QC", "QC"), (0.8, 0.7), [True, False]),  # the same ink twice
        (4.0, ("QC", "AS"), (0.8, 0.7), [True, False]),  # the same ink, read in two ways
        (38.0, ("QD", "QD"), (0.8, 0.7), [True, True]),  # copies of a card, whose boxes share a strip
        (30.0, ("QD", "QD"), (0.8, 0.7), [True, False]),  # boxes share too much for ink of their own
    ],
)
def test_what_shows_ink_of_its_own(
    step: float, read: tuple[str, str], confidence: tuple[float, float], single: list[bool]
) -> None:
    rank, suit, boxes, log_card = findings_side_by_side(step, *read)
    assert find_single(rank, suit, boxes, np.array(confidence), log_card).tolist() == single


def test_twins_and_false_indices_are_left_out() -> None:
    cards = [Laid(card, 80.0 * k, 0, 0, "none") for k, card in enumerate(DECK[:4])]
    truth = simulate.photograph(cards, game=None, position=None)
    found, _, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    rows = np.r_[np.arange(len(found)), 0]
    doubled = Detections(
        found.boxes[rows], np.r_[found.confidence, 0.4], found.rank_xy[rows] + 0.5, found.suit_xy[rows] + 0.5
    )
    log_index = np.r_[reads.log_index, -0.01]
    log_index[1] = np.log(0.02)
    doubled_reads = Reads(reads.log_rank[rows], reads.log_suit[rows], log_index)
    table = assemble_cards(doubled, Backs.empty(), doubled_reads, (1280, 960))
    assert len(table.cards) == 4
    assert {1, len(found)} & set(table.rejected)


def test_a_half_covered_index_that_is_misread_is_of_the_card_whose_corner_it_is_in() -> None:
    cards = [Laid(card, 80.0 * k, 0, 0, "none") for k, card in enumerate(DECK[6:10])]
    truth = simulate.photograph(cards, game=None, position=None)
    found, _, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    row = int(np.abs(found.rank_xy - truth["cards"][1]["indices"][1]["rank"]).sum(1).argmin())
    log_rank, log_index = reads.log_rank.copy(), reads.log_index.copy()
    log_rank[row], log_rank[row, 11], log_index[row] = np.log(0.001), np.log(0.988), np.log(0.4)
    confidence = found.confidence.copy()
    confidence[row] = 0.3
    weak = Detections(found.boxes, confidence, found.rank_xy, found.suit_xy)
    table = assemble_cards(weak, Backs.empty(), Reads(log_rank, reads.log_suit, log_index), (1280, 960))
    assert sorted(str(card.best) for card in table.cards) == ["7C", "8C", "9C", "TC"]
    assert all(len(card.indices) == 2 for card in table.cards)


def test_a_finding_that_is_rather_none_is_a_doubted_card_where_such_are_asked_about() -> None:
    seen = simulate.observe_doubted(DECK[6:11])
    plain, asked = (assemble_cards(*seen, (1280, 960), doubted=doubted) for doubted in (False, True))
    assert [str(card.best) for card in plain.cards] == [str(card) for card in DECK[6:10]]
    (more,) = (card for card in asked.cards if card.best == DECK[10])
    assert 0.15 <= more.is_card < 0.5
    assert [card.is_doubted for card in asked.cards] == [False] * len(plain.cards) + [True], "the doubted one is last"


@pytest.mark.parametrize(("height_share", "tips"), [(0.5, (-0.1, 0.5)), (1.9, (0.5, 1.6))])
def test_a_finding_that_shows_ink_of_a_surer_one_is_left_out(height_share: float, tips: tuple[float, float]) -> None:
    """Its upper half, and the index with a pip below it."""
    cards = [Laid(card, 80.0 * k, 0, 0, "none") for k, card in enumerate(DECK[:4])]
    truth = simulate.photograph(cards, game=None, position=None)
    found, _, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    rows = np.r_[np.arange(len(found)), 0]
    boxes, ranks, suits = found.boxes[rows], found.rank_xy[rows], found.suit_xy[rows]
    top, height = boxes[-1, 1], boxes[-1, 3] - boxes[-1, 1]
    boxes[-1, 3] = top + height_share * height
    ranks[-1, 1], suits[-1, 1] = top + tips[0] * height, top + tips[1] * height
    weak = Detections(boxes, np.r_[found.confidence, 0.3], ranks, suits)
    log_rank = reads.log_rank[rows]
    log_rank[-1] = np.roll(log_rank[-1], 5)
    table = assemble_cards(
        weak, Backs.empty(), Reads(log_rank, reads.log_suit[rows], np.r_[reads.log_index, np.log(0.7)]), (1280, 960)
    )
    assert [str(card.best) for card in table.cards].count("AC") == 1
    assert len(table.cards) == 4


@pytest.mark.parametrize("degrees", [0, 25, 60, 115, 160])
def test_a_back_among_cards_that_lie_anyhow_keeps_its_place_though_its_ends_are_wrong(degrees: int) -> None:
    cards = [Laid(card, 90.0 * k, -160, 0.5 * k, "none") for k, card in enumerate(DECK[:6])]
    back = Laid(None, 200, 60, float(np.radians(degrees)), "deck")
    truth = simulate.photograph([*cards, back], game=None, position=None)
    found, backs, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    quad = np.array(next(card["quad"] for card in truth["cards"] if card["card"] is None))
    middle, line = backs.ends[0].mean(0), backs.ends[0, 1] - backs.ends[0, 0]
    turn = np.radians(12)
    line = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ line / 2
    wrong = Backs(backs.boxes, backs.confidence, np.stack([middle, middle + line])[None].astype(np.float32))
    (seen_back,) = assemble_cards(found, wrong, reads, (1280, 960)).backs
    diagonal = np.linalg.norm(quad[0] - quad[2])
    assert np.linalg.norm(seen_back.quad.mean(0) - quad.mean(0)) < 0.05 * diagonal
    nearest = np.linalg.norm(seen_back.quad[:, None] - quad[None], axis=-1).min(1)
    assert nearest.max() < 0.15 * diagonal


def test_nothing_seen_is_an_empty_table() -> None:
    table = assemble_cards(Detections.empty(), Backs.empty(), Reads.empty(), (640, 480))
    assert table.cards == ()
    assert table.backs == ()


def test_one_read_an_index() -> None:
    with pytest.raises(ValueError, match="1 detections but 0 reads"):
        assemble_cards(Detections([[0, 0, 9, 9]], [1], [[3, 3]], [[3, 7]]), Backs.empty(), Reads.empty(), (64, 48))  # type: ignore[arg-type]
