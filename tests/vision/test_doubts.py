"""What takes away from a reading's probability is a question, and a reading that does not stand asks one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from plumbing.errors import NotationError
from solver import parse
from solver.place import Place
from tests.vision import simulate
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM, chance_of_whole
from vision.judgement import judge
from vision.photo_to_reading import read_findings
from vision.photo_to_table import Findings
from vision.question import Question, QuestionKind, chance_without, to_be_asked
from vision.read_card import Photo
from vision.reading import Reading
from vision.reading_doubts import ask_about_rules, ask_together

UNSURE = simulate.Noise(rank=4.5, suit=4.0)
"""Reads so poor that some cards of most tables are in doubt."""


def read(truth: dict[str, Any], seed: int) -> Reading:
    size = (truth["image"]["width"], truth["image"]["height"])
    found = simulate.observe(truth, np.random.default_rng(seed), UNSURE)
    return read_findings([Findings(*found, size)], truth["game"])


def doubt(share: float) -> Question:
    return Question(QuestionKind.HIDDEN, f"{share:.3f}", doubt=share)


def stands(doubts: Iterable[Question]) -> bool:
    return chance_of_whole(chance_without(doubts)) >= WHOLE_STANDS_FROM


@pytest.mark.parametrize("maker", [simulate.makiaveli, simulate.klondike, simulate.tomb_single, simulate.tomb_double])
def test_a_reading_that_does_not_stand_has_a_question(maker: Any) -> None:
    unsure = 0
    for seed in range(8):
        reading = read(maker(np.random.default_rng(seed)), seed)
        stands = reading.position_probability >= WHOLE_STANDS_FROM
        unsure += not stands
        assert stands or reading.questions, f"table {seed} has {reading.position_probability} and nothing to ask"
        settled = reading.chance_while_open(())
        assert settled >= WHOLE_STANDS_FROM or reading.problems
        assert reading.position_probability <= reading.chance_while_open(reading.questions) <= settled
        assert Reading.from_json(json.loads(json.dumps(reading.to_json()))) == reading
    assert unsure, "no table was in doubt: nothing was tested"


@pytest.mark.parametrize(
    "data", [{}, [], "text", {"file": "a.jpg", "error": "no such file"}, {"cards": 3}, {"cards": [{"card": "9X"}]}]
)
def test_what_is_no_reading_is_an_error_that_says_so(data: Any) -> None:
    with pytest.raises(NotationError, match="expected"):
        Reading.from_json(data)


def test_what_is_asked_is_as_little_as_lets_the_rest_stand() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        doubts = [doubt(float(share)) for share in rng.beta(0.3, 6, size=rng.integers(1, 8))]
        asked = to_be_asked(doubts)
        left = [question for question in doubts if question not in asked]
        small = [question for question in doubts if (question.doubt or 0.0) <= 1 - PART_SURE_FROM]
        assert stands(left)
        assert all(question in small for question in left)
        fewest = next(
            count
            for count in range(len(small) + 1)
            if any(stands(some) for some in combinations(small, len(small) - count))
        )
        assert len(asked) == len(doubts) - len(small) + fewest


def test_nothing_is_asked_where_the_whole_stands() -> None:
    assert to_be_asked([doubt(0.005)] * 5) == []
    assert to_be_asked([]) == []


def test_a_certain_doubt_hides_no_other() -> None:
    assert [question.doubt for question in to_be_asked([doubt(0.2), doubt(1.0), doubt(0.01)])] == [1.0, 0.2]


def test_the_whole_is_never_surer_than_certain_and_rises_with_its_parts() -> None:
    products = np.linspace(0, 1, 101)
    chances = [chance_of_whole(float(product)) for product in products]
    assert chances[0] == 0
    assert chances[-1] == 1
    assert all(np.diff(chances) > 0)


def test_no_verdict_is_announced_while_a_face_is_unread() -> None:
    reading = Reading((Photo("photo 1", 9, 9),), "makiaveli", 1.0, (), (), parse("makiaveli floor: 7C 7D 7H; hand: 7S"))
    unread = Question(QuestionKind.UNREAD, "I see a card here that I cannot read", photos=(0,), doubt=0.5)
    assert judge(reading).is_announced
    assert not judge(replace(reading, checks=(unread,))).is_announced


def test_a_broken_table_is_told_in_one_line() -> None:
    """A column in which nothing goes on the next breaks the rules at many places; one question names the first."""
    truth = simulate.klondike(np.random.default_rng(3))
    columns = {f"column/{n}" for n in range(7)}
    shown = [card for card in truth["cards"] if card["zone"] in columns and card["card"]]
    names = [card["card"] for card in shown]
    for card, name in zip(shown, names[1:] + names[:1], strict=True):
        card["card"] = name
    size = (truth["image"]["width"], truth["image"]["height"])
    found = simulate.observe(truth, np.random.default_rng(0), simulate.PERFECT)
    reading = read_findings([Findings(*found, size)], "klondike")
    assert len(reading.problems) > 1
    (asked,) = (question for question in reading.questions if question.kind is QuestionKind.RULES)
    what, _, where = reading.problems[0].partition(": ")[::-1]
    assert str(asked).startswith("this looks like Klondike, but ")
    assert what in str(asked)
    assert where in str(asked)
    assert asked.place is not None
    assert asked.sights


def test_a_fault_that_ends_with_its_reason_stays_as_it_is() -> None:
    position = parse("makiaveli floor: 8D 7S 6H")
    reading = Reading((Photo("a.jpg", 9, 9),), "makiaveli", 1.0, (), (), position)
    (asked,) = ask_about_rules(reading, ())
    said = "floor meld 1 (8D 7S 6H) is no meld: neither one rank (a set) nor one suit (a run)"
    assert str(asked) == f"this looks like Makiaveli, but {said}"


def test_cards_of_a_meld_that_may_lie_in_the_hand_are_asked_about_together() -> None:
    text = "perhaps TC does not lie in the hand: please check where it lies"
    alone, beside, elsewhere = (
        Question(QuestionKind.ZONE, text, Place("hand"), ("hand", to), (number,), doubt=0.1 * (number + 1))
        for number, to in enumerate(("floor", "floor/2", "cross/0"))
    )
    meld = Question(QuestionKind.MELDS, "TC TH TS of the hand make a meld", Place("hand"), ("hand", "floor"), (0, 1, 2))
    other = replace(alone, cards=(7,))
    assert ask_together([other, alone, beside, elsewhere, meld]) == [other, replace(meld, doubt=0.2), elsewhere]
    assert ask_together([alone, beside]) == [alone, beside]
