"""What squared columns hid is told by all that is known of it in the course of a game."""

from __future__ import annotations

import pytest

from vision.history.count_evidence import (
    NO_CHANGE,
    Bound,
    CountEvidence,
    Stretch,
    Way,
    weigh_together,
)
from vision.history.partings import UNLIKELY, find_partings
from vision.history.sight import STOCK

MORE, LESS = (1, *NO_CHANGE[1:]), (-1, *NO_CHANGE[1:])
CARD, OTHER = 7, 23


def stretch(card: int, own: int, other: int, share: float = 0.4) -> Stretch:
    """A stretch in which one card came from one place, or from another one of this share."""
    off = MORE if own != STOCK else LESS
    return Stretch({card: own}, (Way(1 - share, NO_CHANGE, {card: own}), Way(share, off, {card: other})))


TURNED, FROM_STOCK = stretch(CARD, 0, STOCK), stretch(OTHER, STOCK, 0)
NOTHING = Stretch({}, ())
EMPTY = Bound(most=NO_CHANGE, least=NO_CHANGE)


def evidence(stretches: list[Stretch], bounds: list[Bound]) -> CountEvidence:
    return CountEvidence(tuple(stretches), tuple(bounds))


def test_a_stretch_by_itself_is_as_likely_as_it_was() -> None:
    (chances,) = weigh_together([TURNED], [Bound()])
    assert chances == pytest.approx({NO_CHANGE: 0.6, MORE: 0.4})


def test_a_column_that_is_empty_later_hid_as_many_cards_as_were_turned() -> None:
    first, second = weigh_together([TURNED, NOTHING], [Bound(), EMPTY])
    assert first == pytest.approx({NO_CHANGE: 1.0, MORE: 0.0})
    assert second == pytest.approx({NO_CHANGE: 1.0})


def test_one_stretch_makes_up_for_another() -> None:
    first, second = weigh_together([TURNED, FROM_STOCK], [Bound(), EMPTY])
    assert first[MORE] == second[LESS] == pytest.approx(0.4 * 0.4 / (0.4 * 0.4 + 0.6 * 0.6))


def test_counts_that_somebody_tells_choose_the_likeliest_origins() -> None:
    unlikelier = stretch(OTHER, 0, STOCK, share=0.1)
    bounds = [Bound(), Bound(), Bound(MORE, MORE)]
    made = evidence([TURNED, unlikelier, NOTHING], bounds)
    assert made.origins_to_tell == {0: {CARD: STOCK}}
    assert made.retold.stretches[0].own == {CARD: STOCK}
    assert evidence([TURNED], [Bound(LESS, LESS)]).origins_to_tell is None, "nothing leads there"
    assert evidence([TURNED], [Bound(NO_CHANGE, NO_CHANGE)]).origins_to_tell == {}


def test_no_column_hides_less_than_no_cards() -> None:
    (chances,) = weigh_together([FROM_STOCK], [Bound(least=NO_CHANGE)])
    assert chances == pytest.approx({NO_CHANGE: 1.0, LESS: 0.0})


def test_what_other_stretches_speak_against_is_asked_with_little_doubt() -> None:
    files = ["1.jpg", "2.jpg"]
    (open_,) = find_partings(evidence([TURNED, NOTHING], [Bound(), Bound()]), files)
    assert open_.question.doubt == pytest.approx(0.4)
    (settled,) = find_partings(evidence([TURNED, NOTHING], [Bound(), EMPTY]), files)
    share = UNLIKELY * 0.4
    assert settled.question.doubt == pytest.approx(share / (1 + share), abs=1e-4)
    assert settled.question.choices == open_.question.choices


def test_many_open_stretches_are_weighed_in_no_time() -> None:
    """Seven columns and forty photos: not all combinations of what they may hide are kept."""
    ways = [tuple(-int(k == column) for k in range(7)) for column in range(7)]
    shares = [Way(0.3, NO_CHANGE, {CARD: STOCK}), *(Way(0.1, off, {CARD: k}) for k, off in enumerate(ways))]
    chances = weigh_together([Stretch({CARD: STOCK}, tuple(shares))] * 40, [Bound()] * 40)
    assert len(chances) == 40
    assert all(sum(own.values()) == pytest.approx(1.0) for own in chances)


def test_answers_that_are_as_likely_come_in_the_same_order_in_each_process() -> None:
    rest = (Way(0.1, NO_CHANGE, {CARD: column}) for column in (6, 3, 5, 2, 4, 1))
    ways = (Way(0.4, NO_CHANGE, {CARD: STOCK}), *rest)
    (asked,) = find_partings(evidence([Stretch({CARD: STOCK}, ways)], [Bound()]), ["1.jpg"])
    assert asked.question.choices == ("8C from the stock", *(f"8C from column {n}" for n in (2, 3, 4)))
