"""Ranks that a deck's print makes alike, and what the rules tell of them."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards import parse_card
from vision.cards.geometry import Plane
from vision.cards.seen_table import SeenCard, SeenTable
from vision.cards.template import Template
from vision.layout.misread_ranks import doubt_misread_ranks


def read(card: str, other: str = "", log_odds: float = 0.0) -> SeenCard:
    """A card that was read surely, but for another one with so much less."""
    log = np.full(52, -20.0)
    log[parse_card(card).index] = 0.0
    if other:
        log[parse_card(other).index] = -log_odds
    log -= np.logaddexp.reduce(log)
    return SeenCard(log, 1.0, (), np.zeros(2), np.array([0.0, 1.0]), np.zeros((4, 2)))


def told(*cards: SeenCard, runs: str = "", sets: tuple[str, ...] = (), surplus: int = 0) -> list[tuple[int, ...]]:
    """What is in dispute of each card, all in this order: those of runs and sets as the rules have them."""
    table = SeenTable((640, 480), Plane(np.eye(3)), Template(), cards)
    of_runs = {row: parse_card(card).index for row, card in enumerate(runs.split())}
    others, row = [], len(of_runs)
    for one in sets:
        others.append({row + k: parse_card(card).index for k, card in enumerate(one.split())})
        row += len(others[-1])
    found = doubt_misread_ranks(table, of_runs, others, range(row, row + surplus))
    assert len(found.cards) == len(cards)
    assert (found is table) is not any(card.disputed for card in found.cards), "it is read again for a dispute"
    return [card.disputed for card in found.cards]


RUN = (read("JD"), read("QD", "KD", 9.0), read("QD", "KD", 3.0))
SET = tuple(read(f"Q{suit}", f"K{suit}", 3.5) for suit in "CSD")


def pair(suit: str) -> tuple[int, ...]:
    return parse_card(f"Q{suit}").index, parse_card(f"K{suit}").index


def test_a_set_that_looks_like_a_misread_card_is_in_dispute() -> None:
    assert told(*RUN, *SET, runs="JD QD KD", sets=("QC QS QD",)) == [(), (), (), pair("C"), pair("S"), pair("D")]


def test_where_both_ranks_are_told_apart_it_is_read_as_the_nearer_one() -> None:
    table = SeenTable((640, 480), Plane(np.eye(3)), Template(), (*RUN, *SET))
    runs = {row: parse_card(card).index for row, card in enumerate(("JD", "QD", "KD"))}
    a_set = {3 + row: parse_card(card).index for row, card in enumerate(("QC", "QS", "QD"))}
    again = doubt_misread_ranks(table, runs, [a_set], ())
    assert [str(card.best) for card in again.cards] == ["JD", "QD", "QD", "KC", "KS", "KD"]
    assert [np.exp(card.log_card).sum() for card in again.cards] == pytest.approx([1.0] * 6)


@pytest.mark.parametrize(
    ("run", "group"),
    [
        ((read("JD"), read("QD"), read("KD")), SET),  # nothing was misread
        (RUN, tuple(read(f"Q{suit}", f"K{suit}", 8.0) for suit in "CSD")),  # they look like the run's queen
        ((*RUN[:2], read("QD", "KD", 0.5)), SET),  # that may happen in any photo
        ((read("JD"), read("QD"), read("TD", "KD", 3.0)), SET),  # another rank was misread
    ],
)
def test_other_cards_are_in_no_dispute(run: tuple[SeenCard, ...], group: tuple[SeenCard, ...]) -> None:
    assert told(*run, *group, runs="JD QD KD", sets=("QC QS QD",)) == [()] * 6


@pytest.mark.parametrize("card", ["KS", "QS"])
def test_a_card_of_which_all_copies_lie_elsewhere_tells_how_surely_one_is_misread(card: str) -> None:
    """In a film kings were read as queens with high odds. The rules made one of them a king, and one had no place."""
    run = (read("JH"), read("QH", "KH", 17.0), read("TH"), read("QS", "KS", 8.6))
    group = tuple(read(f"Q{suit}", f"K{suit}", 19.0) for suit in "CHD")
    extra = read("QH", "KH", 16.0)
    found = told(*run, *group, extra, runs=f"JH QH TH {card}", sets=("QC QH QD",), surplus=1)
    assert found[4:] == ([pair("C"), pair("H"), pair("D"), ()] if card == "KS" else [()] * 4)


def test_a_card_by_itself_is_asked_about_and_stays_as_it_was_read() -> None:
    """One six of a film was read badly, as a ten was that lay in a run."""
    run = (read("9D"), read("6D", "TD", 3.0), read("JD"), read("6C", "TC", 15.0))
    table = SeenTable((640, 480), Plane(np.eye(3)), Template(), (*run, read("6S", "TS", 5.0), read("6H", "TH", 7.0)))
    runs = {row: parse_card(card).index for row, card in enumerate(("9D", "TD", "JD", "6C"))}
    others = [{4: parse_card("6S").index}, {5: parse_card("6H").index}]
    again = doubt_misread_ranks(table, runs, others, ())
    assert [bool(card.disputed) for card in again.cards[4:]] == [True, False]
    assert [str(card.best) for card in again.cards[4:]] == ["6S", "6H"]
