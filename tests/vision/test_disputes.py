"""Two opinions that are sure of different cards: one card, asked about, with both as choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.cards import DECK, parse_card
from tests.vision import simulate
from tests.vision.simulate import Laid
from vision.cards import face_evidence
from vision.cards.alike_faces import without_alike_faces
from vision.cards.assembly import assemble_cards
from vision.cards.disputes import mix_opinions
from vision.cards.face_evidence import with_faces
from vision.cards.joining.join import join
from vision.cards.seen_table import SeenTable
from vision.confidence import PART_SURE_FROM
from vision.layout.game_choice import as_cards, parse_as
from vision.layout.game_reading import PlacedCard
from vision.networks.outputs import Backs, Reads


def sure_of(card: str) -> np.ndarray:
    log = np.full(52, np.log(0.01 / 51))
    log[parse_card(card).index] = np.log(0.99)
    return log


def table_with(misread: str, sure: float = 0.99) -> SeenTable:
    """7C to TC side by side, of which the lower index of 8C is read as another rank."""
    cards = [Laid(card, 80.0 * k, 0, 0, "none") for k, card in enumerate(DECK[6:10])]
    truth = simulate.photograph(cards, game=None, position=None)
    found, _, reads = simulate.observe(truth, np.random.default_rng(1), simulate.PERFECT)
    row = int(np.abs(found.rank_xy - truth["cards"][1]["indices"][1]["rank"]).sum(1).argmin())
    log_rank = reads.log_rank.copy()
    log_rank[row] = np.log((1 - sure) / 12)
    log_rank[row, parse_card(misread).rank - 1] = np.log(sure)
    return assemble_cards(found, Backs.empty(), Reads(log_rank, reads.log_suit, reads.log_index), (1280, 960))


def disputed(placed: tuple[PlacedCard, ...], cards: set[str]) -> PlacedCard:
    return next(card for card in placed if {card.text, *(str(other) for other, _ in card.alternatives)} >= cards)


def test_corners_that_read_differently_are_one_card_that_is_asked_about() -> None:
    table = table_with("3C")
    assert len(table.cards) == 4
    card = disputed(as_cards(table).placed, {"8C", "3C"})
    assert card.confidence < PART_SURE_FROM
    assert [len(seen.indices) for seen in table.cards] == [2] * 4


def test_a_corner_that_is_not_sure_is_outvoted() -> None:
    table = table_with("3C", 0.6)
    assert sorted(str(card.best) for card in table.cards) == ["7C", "8C", "9C", "TC"]
    assert not any(card.disputed for card in table.cards)


def test_rules_do_not_settle_a_dispute() -> None:
    table = table_with("3C")
    for game in ("makiaveli", "tomb_double"):
        assert disputed(parse_as(game, table).placed, {"8C", "3C"}).confidence < PART_SURE_FROM


@pytest.mark.parametrize(
    ("face", "asked"),
    [("AC", True), ("8S", True), ("8C", False)],
    ids=["another rank", "another suit", "the same"],
)
def test_a_face_that_is_sure_of_another_card_than_the_index_is_a_doubt(
    face: str, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_with("8C")
    says = {parse_card("8C").index: sure_of(face)}
    faces = np.array([says.get(card.best.index, np.zeros(52)) for card in table.cards])
    monkeypatch.setattr(face_evidence, "faces_of", lambda table, image: faces)
    weighed = with_faces(table, np.zeros((960, 1280, 3), np.uint8))
    card = disputed(as_cards(weighed).placed, {"8C"})
    assert (card.confidence < PART_SURE_FROM) == asked
    if asked:
        assert disputed(as_cards(weighed).placed, {"8C", face}) == card


def test_photos_that_are_sure_of_different_cards_are_a_doubt_and_one_of_many_is_outvoted() -> None:
    plain = table_with("8C")
    misread = (replace(card, log_card=sure_of("3C")) if card.best == parse_card("8C") else card for card in plain.cards)
    other = replace(plain, cards=tuple(misread))
    joined = join([plain, other], ["1", "2"])
    assert disputed(as_cards(joined.table).placed, {"8C", "3C"}).confidence < PART_SURE_FROM
    many = join([plain] * 5 + [other], list("123456"))
    assert not any(card.disputed for card in many.table.cards)


def table_with_faces(*faces: str) -> SeenTable:
    """7C to TC, of which the first ones have faces that are sure of these cards; "" is a face that tells nothing."""
    table = table_with("8C")
    cards = sorted(table.cards, key=lambda card: card.best.index)
    said = {row: parse_card(face).index for row, face in enumerate(faces) if face}
    weighed = {
        row: replace(
            cards[row],
            log_card=mix_opinions([cards[row].log_card, sure_of(str(DECK[face]))]),
            disputed=(cards[row].best.index, face),
        )
        for row, face in said.items()
    }
    return replace(table, cards=tuple(weighed.get(row, card) for row, card in enumerate(cards)))


@pytest.mark.parametrize(
    ("faces", "asked"),
    [(["AC"], 1), (["AC"] * 2, 2), (["AC"] * 3, 0), (["AC", "2C", "3C"], 3), (["AS"] * 3, 3)],
    ids=["one card", "two ranks", "three ranks alike", "three ranks not alike", "other suits"],
)
def test_a_face_that_cards_of_several_ranks_have_says_nothing(faces: list[str], asked: int) -> None:
    (settled,) = without_alike_faces([table_with_faces(*faces)])
    assert sum(card.confidence < PART_SURE_FROM for card in as_cards(settled).placed) == asked


def test_photos_of_one_deck_tell_together_that_its_faces_look_alike() -> None:
    settled = without_alike_faces([table_with_faces("AC"), table_with_faces("", "AC", "AC")])
    assert [str(card.best) for table in settled for card in table.cards] == ["7C", "8C", "9C", "TC"] * 2
    assert not any(card.disputed for table in settled for card in table.cards)
