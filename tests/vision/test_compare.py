"""Two readings of a Makiaveli table compared: certain only where nothing that matters is in doubt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.cards import parse_cards
from solver.makiaveli import Position
from solver.place import NOWHERE, Place
from vision import compare
from vision.annotated_photo import ARROW_COLOURS, draw_arrows
from vision.compare import DIFFERENT, Compared, compare_readings, decisive_questions, draw_way_back, main, report
from vision.image import save
from vision.question import Question, QuestionKind
from vision.read_card import Photo, Quad, ReadBack, ReadCard, ReadIndex, Sight
from vision.reading import Reading
from vision.turn.as_laid import tables_as_laid
from vision.turn.deck_sides import free_place
from vision.turn.likely_tables import likely_turn
from vision.turn.lying import lies_with
from vision.turn.way_back import find_cards

NOTATION = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
BEFORE = "floor: 4C 5C 6C 7C | KC KD KH; cross: 2S"
AFTER = "floor: KC KD KH | 4C 5C 6C | 7C 7D 7H; cross: 2S"


def quad_at(column: int, row: int) -> Quad:
    x, y = 40.0 * column, 90.0 * row
    return (x, y), (x + 60, y), (x + 60, y + 84), (x, y + 84)


def reading(line: str, doubts: Mapping[str, float] | None = None, others: Mapping[str, float] | None = None) -> Reading:
    """The reading of a position, each meld in a row of its own; `doubts` tells the confidence of some cards."""
    position = Position.parse(line)
    rows = [(Place("floor", n), meld) for n, meld in enumerate(position.floor)]
    rows += [(Place("cross", n), (card,)) for n, card in enumerate(position.cross) if card is not None]
    rows += [(Place("hand"), position.hand)]
    cards = tuple(
        ReadCard(card, (doubts or {}).get(str(card), 0.9999), (), place, (Sight(0, quad_at(column, row)),))
        for row, (place, group) in enumerate(rows)
        for column, card in enumerate(group)
    )
    stands = 0.0 if position.problems() else 0.99
    rivals = tuple((log, Position.parse(other)) for other, log in (others or {}).items())
    photo = Photo("photo", 800, 600)
    return Reading((photo,), "makiaveli", 1.0, cards, (), position, others=rivals, position_probability=stands)


def test_cards_of_two_photos_lie_beside_each_other_only_where_one_photo_shows_both() -> None:
    table = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C")
    *others, card = table.cards
    near = replace(card, sights=(Sight(0, others[2].quad),))
    assert lies_with(table, near) == others[2]
    elsewhere = replace(card, sights=(Sight(1, others[2].quad),))
    assert lies_with(table, elsewhere) is None


def told(found: Compared) -> tuple[list[str], list[str], bool | None]:
    data = found.to_json()
    return data["played"], data["moved"], data["legal"]


def test_a_turn_is_told_with_the_way_back_and_what_the_hand_could_have_played() -> None:
    found = compare_readings(reading(BEFORE), reading(AFTER), parse_cards("7D 7H 2C"))
    assert told(found) == (["7D", "7H"], ["7C"], True)
    data = found.to_json()
    names = ["before", "after", "played", "moved", "legal", "why", "put_back", "hand", "playable", "more_playable"]
    names += ["stands", "checks", "doubtful"]
    section = NOTATION.split("## Two photos of a turn")[1]
    told_of = re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in section.splitlines() if line[:3] == "| `"))
    assert set(told_of) == {*names, "error"}, "each field that is written stands in the manual"
    assert list(data) == names
    assert data["before"]["hand"] == ["7D", "7H", "2C"]
    assert [step["to"] for step in data["put_back"]] == ["hand", "floor/1"]
    assert (data["why"], data["checks"], data["doubtful"]) == ("", [], [])
    assert "could more have been played? no: 2 of the 3 cards of the hand were, and no more could be" in report(found)


def test_a_hand_in_the_photo_counts_if_what_was_played_is_of_it() -> None:
    after = reading(AFTER)
    assert compare_readings(reading(BEFORE + "; hand: 7D 7H 7S"), after).playable == 3
    somebody_elses = compare_readings(reading(BEFORE + "; hand: JD"), after)
    assert (somebody_elses.hand, somebody_elses.legal) == (None, True)


@pytest.mark.parametrize(
    ("after", "why"),
    [
        ("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S", "no card was played"),
        ("floor: 4C 5C 6C | KC KD KH KS; cross: 2S", "7C lay on the floor and is not"),
        ("floor: 4C 5C 6C 7C | KC KD KH 9H; cross: 2S", "KC KD 9H KH is no meld"),
    ],
)
def test_an_illegal_turn_is_told_with_the_reason(after: str, why: str) -> None:
    found = compare_readings(reading(BEFORE), reading(after))
    assert found.legal is False
    assert why in found.to_json()["why"]


def test_a_card_that_left_its_meld_is_a_fault_wherever_it_lies_and_the_cross_is_named_once_a_person_has() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 8H KS")
    after = reading("floor: 4C 5C 6C | KC KD KH KS; cross: 2S - 7C; hand: 8H")
    number = next(n for n, card in enumerate(after.cards) if card.text == "7C")
    text, choices = "perhaps 7C does not lie in cross, below", ("cross/2", "hand")
    asked = Question(QuestionKind.ZONE, text, Place("cross", 2), choices, (number,), doubt=0.4)
    found = compare_readings(before, replace(after, checks=(asked,)))
    assert (found.legal, found.to_json()["why"]) == (False, "7C lay on the floor and is in no meld any more")
    assert "  7C lay on the floor and is in no meld any more" in report(found)
    settled = compare_readings(before, after, settled=[number])
    assert (settled.legal, settled.checks) == (False, ())
    assert settled.to_json()["why"] == "7C lies in the cross now, where no card may be put"


def test_tables_that_differ_in_the_order_of_the_hand_or_the_cross_only_are_weighed_as_one() -> None:
    once = "floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 7D 7H"
    twice = "floor: KC KD KH | 7C 6C 5C 4C; cross: - 2S; hand: 7H 7D"
    others = {"makiaveli floor: 4C 5C 6C 7C | KC KD KS; cross: 2S; hand: 7D 7H": -1.0}
    rows = [
        likely_turn(reading(once, others=others | more), reading(AFTER), None)
        for more in ({}, {f"makiaveli {twice}": -0.5})
    ]
    assert (rows[0].chance, rows[0].agree) == (rows[1].chance, rows[1].agree)


def test_where_nothing_changed_and_that_is_not_sure_it_is_asked_without_a_list_of_no_cards() -> None:
    found = compare_readings(reading(BEFORE), reading(BEFORE, others={f"makiaveli {AFTER}": -3.0}))
    assert (found.legal, found.checks) == (None, ("both photos show the same table: was nothing played?",))


def test_text_without_a_card_names_no_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = reading(BEFORE), reading(AFTER)
    monkeypatch.setattr(compare, "_find_cards", str)
    monkeypatch.setattr(compare, "_read_table", lambda *_, **more: after)
    assert compare.compare_photos(before, "after", " ") == compare_readings(before, after)
    assert compare_readings(before, after, ()).hand == (), "a hand that was empty"


def test_what_the_hand_could_have_played_is_told_in_a_sentence() -> None:
    before, after = reading(BEFORE), reading(AFTER)
    found = compare_readings(before, after, parse_cards("7D 7H 7S"))
    assert "could more have been played? yes: all 3 cards of the hand could be; 2 were" in report(found)
    for changed, said in (
        ({"hand": parse_cards("7D 7H"), "playable": 2}, "could more have been played? no: both cards of the hand were"),
        ({"hand": parse_cards("7D 2C 3H"), "playable": 2}, "yes: 2 of the 3 cards of the hand could be; 1 was"),
        ({"hand": parse_cards("2C 3H"), "playable": 0}, "no: no card of the hand was, and none could be"),
        ({"legal": False, "playable": 0}, "the rules let no card of the hand be played"),
    ):
        assert any(line.endswith(said) for line in report(replace(found, **changed))), said
    fields = "hand", "playable", "more_playable"
    assert [found.to_json()[name] for name in fields] == [["7D", "7H", "7S"], 3, True]
    unknown = compare_readings(before, after)
    assert [unknown.to_json()[name] for name in fields] == [None, None, None]


def test_of_several_faults_only_the_sure_ones_are_told() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 8H KS")
    line = "floor: 4C 5C 6C | KC KD KH KS | 8H; cross: 2S; hand: 7C"
    gone = "7C was taken from the floor into the hand"
    for sureness, said in ((0.9999, [gone, "8H is no meld: "]), (0.6, [gone])):
        found = compare_readings(before, reading(line, {"8H": sureness}))
        reasons = found.to_json()["why"].split("; ")
        assert found.legal is False
        assert all(reason.startswith(start) for reason, start in zip(reasons, said, strict=True))


def test_a_doubtful_card_is_asked_about_only_where_the_turn_hangs_on_it() -> None:
    aside = compare_readings(reading(BEFORE, {"KD": 0.6}), reading(AFTER))
    assert aside.legal is True
    asked = compare_readings(reading(BEFORE), reading(AFTER, {"7H": 0.6}))
    assert asked.legal is None
    assert [row["card"] for row in asked.to_json()["doubtful"]] == ["7H"]
    assert "is the 7H in meld 3 of the photo after the turn right" in asked.to_json()["why"]
    assert [question.text for question in asked.questions] == list(asked.checks)
    of_the_hand = compare_readings(reading(BEFORE), reading(AFTER, {"7H": 0.8}), parse_cards("7D 7H"))
    assert of_the_hand.legal is True


def test_a_misread_card_is_put_right_by_the_other_photo() -> None:
    misread = reading(BEFORE.replace("KH", "KS"), {"KS": 0.7}, {f"makiaveli {BEFORE}": -0.9})
    assert told(compare_readings(misread, reading(AFTER))) == (["7D", "7H"], ["7C"], True)


def test_a_card_that_may_be_hidden_is_not_called_gone() -> None:
    after = reading("floor: 4C 5C 6C 7C 8C | KC KD KS 7D; cross: 2S".replace(" 7D", ""))
    hidden = replace(after.cards[0], sights=())
    found = compare_readings(reading(BEFORE), replace(after, cards=(hidden, *after.cards[1:])))
    assert found.legal is None
    assert any("does KH lie there too" in check for check in found.checks)


def test_a_card_whose_place_is_in_doubt_leaves_no_legal_turn_unasked() -> None:
    after = reading(AFTER + "; hand: 3H")
    where = Question(QuestionKind.ZONE, "perhaps 3H does not lie in hand: please check where it lies", Place("hand"))
    found = compare_readings(reading(BEFORE), replace(after, checks=(where,)))
    assert found.legal is None
    assert "perhaps 3H does not lie in hand" in found.to_json()["why"]


def test_a_new_meld_that_was_taken_for_a_hand_is_asked_about_as_one() -> None:
    after = reading("floor: KC KD KH | 4C 5C 6C 7C; cross: 2S; hand: TC TH TS")
    text, rows = "TC TH TS of the hand make a meld", tuple(range(len(after.cards) - 3, len(after.cards)))
    meld = Question(QuestionKind.MELDS, text, Place("hand"), ("hand", "floor"), rows, doubt=0.1)
    found = compare_readings(reading(BEFORE), replace(after, checks=(meld,)))
    assert (found.legal, found.checks) == (None, (f"photo after the turn: {text}",))


def test_a_card_of_the_table_that_may_have_been_taken_up_leaves_the_verdict_open() -> None:
    after = reading(AFTER)
    row = next(row for row, card in enumerate(after.cards) if card.place.kind == "cross")
    for choices, legal in ((("cross/0", "cross/2"), True), (("cross/0", "hand"), None)):
        text = "perhaps 2S does not lie in cross: please check where it lies"
        where = Question(QuestionKind.ZONE, text, Place("cross", 0), choices, cards=(row,), doubt=0.4)
        assert compare_readings(reading(BEFORE), replace(after, checks=(where,))).legal is legal


def test_the_only_card_that_was_played_makes_a_legal_turn_as_surely_as_it_lay_in_the_hand() -> None:
    before, after = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C"), reading("floor: 4C 5C 6C 7C | KC KD KH")
    for doubt, legal in ((0.01, True), (0.2, None), (None, None)):
        choices = ("hand", "cross/2", "floor")
        where = Question(
            QuestionKind.ZONE, "perhaps 7C does not lie in hand", Place("hand"), choices, (6,), doubt=doubt
        )
        assert compare_readings(replace(before, checks=(where,)), after).legal is legal


def test_a_new_group_that_may_be_other_melds_leaves_the_verdict_open() -> None:
    after = reading(AFTER)
    for number, legal in ((0, True), (2, None)):  # the kings lay so before
        rows = tuple(row for row, card in enumerate(after.cards) if card.place == Place("floor", number))
        text = "these may not lie as one meld: please check which cards do"
        asked = Question(QuestionKind.MELDS, text, Place("floor", number), ("one meld", "other melds"), rows, doubt=0.1)
        assert compare_readings(reading(BEFORE), replace(after, checks=(asked,))).legal is legal


def test_a_group_is_broken_for_sure_where_every_card_is_seen() -> None:
    floor = "floor: 4C 5C 6C | KC KD KH"
    shown = compare_readings(reading(f"{floor}; hand: 8D QH"), reading(f"{floor} | 8D; hand: QH"))
    assert shown.legal is False
    unseen = compare_readings(reading(floor), reading(f"{floor} | 8D"))
    assert unseen.legal is None
    near = compare_readings(reading(f"{floor}; hand: 7C QH"), reading(f"{floor} | 7C; hand: QH"))
    assert near.legal is not False


def test_a_card_without_which_a_meld_would_be_none_was_missed_not_taken_up() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C QH")
    found = compare_readings(before, reading("floor: 4C 5C 6C 7C | KC KH; hand: QH"))
    assert found.legal is True
    of_four = reading("floor: 4C 5C 6C | KC KD KH KS; hand: 7C QH")
    found = compare_readings(of_four, reading("floor: 4C 5C 6C 7C | KC KD KH; hand: QH"))
    assert found.legal is not True


def test_whether_a_card_that_was_missed_lies_in_its_meld_is_asked_with_answers_and_a_no_makes_it_a_fault() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH KS; hand: 7C QH")
    after = reading("floor: 4C 5C 6C 7C | KC KH KS; hand: QH")
    found = compare_readings(before, after)
    (asked,) = found.questions
    assert found.legal is None
    assert (asked.kind, asked.place, asked.choices) == (QuestionKind.MISSED, Place("floor", 1), ("KD",))
    assert len(asked.sights) == 3, "the photo shows where"
    there = replace(after, position=Position.parse("floor: 4C 5C 6C 7C | KC KD KH KS; hand: QH"))
    yes, no = compare_readings(before, there), compare_readings(before, after, absent=parse_cards("KD"))
    assert (yes.legal, yes.questions) == (True, ())
    assert (no.legal, no.questions) == (False, ())
    of_part = reading("floor: 4C 5C 6C 7C | KC KH; hand: QH")
    whole = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C QH")
    assert compare_readings(whole, of_part).legal is True
    assert compare_readings(whole, of_part, absent=parse_cards("KD")).legal is not True, "no meld is completed with it"


def test_a_card_beside_a_meld_that_is_asked_about_itself_is_asked_about_by_itself() -> None:
    before = reading("floor: 7C 7D 7S | KC KD KH; hand: 6C 3H")
    after = reading("floor: 7C 7D 7S | KC KD KH; hand: 6C")
    upon_it = replace(after.cards[-1], sights=(Sight(0, quad_at(2, 0)),))
    of_meld = Question(QuestionKind.MELDS, "do they lie there?", Place("floor", 0), ("floor", "hand"), (0, 1, 2))
    beside = replace(after, cards=(*after.cards[:-1], upon_it), checks=(of_meld,))
    assert [asked.cards for asked in compare_readings(before, beside).questions] == [(len(after.cards) - 1,)]


def test_a_card_of_no_hand_is_a_fault_unless_the_first_photo_may_show_it() -> None:
    before, after = reading(BEFORE), reading(AFTER)
    for text, legal in (("KC", False), ("7S", None)):
        left_out = replace(before.cards[0], card=parse_cards(text)[0], place=Place("none"), confidence=0.5)
        twice = replace(before, cards=(*before.cards, left_out))
        assert compare_readings(twice, after, parse_cards("7D 9H")).legal is legal


def test_a_card_that_the_first_photo_misses_is_not_called_played() -> None:
    found = compare_readings(reading(BEFORE.replace(" KH", "")), reading(BEFORE))
    assert (found.legal, found.playable) == (None, None)
    assert "photo before the turn: KC KD is no meld: is a card missing there?" in found.checks


def test_a_lone_card_beside_its_meld_is_of_it_and_one_upon_its_like_is_no_card() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 8C")
    whole = reading("floor: 4C 5C 6C 7C | KC KD KH | 8C; cross: 2S")
    beside = tuple(
        replace(card, sights=(Sight(0, quad_at(4, 0)),)) if card.text == "8C" else card for card in whole.cards
    )
    assert told(compare_readings(before, replace(whole, cards=beside))) == (["8C"], [], True)
    twice = reading("floor: 4C 5C 6C 7C 8C | KC KD KH | KH; cross: 2S")
    upon = tuple(
        replace(card, sights=(Sight(0, quad_at(2, 1)),)) if card.text == "KH" else card for card in twice.cards
    )
    assert told(compare_readings(before, replace(twice, cards=upon))) == (["8C"], [], True)


def test_cards_that_seem_new_in_the_cross_lie_in_the_hand() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: -; hand: 8C 3H JD")
    after = reading("floor: 4C 5C 6C 7C 8C | KC KD KH; cross: 3H JD")
    apart = tuple(
        replace(card, sights=(Sight(0, quad_at(9 + 2 * n, 9)),)) if card.place.kind == "cross" else card
        for n, card in enumerate(after.cards)
    )
    found = compare_readings(before, replace(after, cards=apart))
    assert told(found) == (["8C"], [], True)
    after_the_turn = found.positions[1]
    assert after_the_turn is not None
    assert [str(card) for card in after_the_turn.hand] == ["3H", "JD"]


def test_to_name_the_hand_that_the_first_photo_shows_changes_nothing() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: -; hand: 8C 3H JD")
    after = reading("floor: 4C 5C 6C 7C 8C | KC KD KH; cross: 3H JD")
    assert compare_readings(before, after, parse_cards("8C 3H JD")) == compare_readings(before, after)


@pytest.mark.parametrize(("hand", "shown"), [("7D 7H 7S", 1), ("7D 7H 9C", 1), ("2C 9C 7S", 0), ("7D 7H 7S", 0)])
def test_photos_show_no_hand_where_one_is_named_but_for_that_of_the_first(
    monkeypatch: pytest.MonkeyPatch, hand: str, shown: int
) -> None:
    shows, line = [], BEFORE + "; hand: 7D 7H 7S" * shown

    def read(found: str, name: str, *, shows_hand: bool = True) -> Reading:
        shows.append(shows_hand)
        return reading(line if found == "before" else AFTER)

    monkeypatch.setattr(compare, "_find_cards", str)
    monkeypatch.setattr(compare, "_read_table", read)
    found = compare.compare_photos("before", "after", hand)
    assert shows == ([True, True] if shown else [True, False, False])
    assert found.hand == tuple(parse_cards(hand))
    typed = replace(reading(line), position=Position.parse(f"{BEFORE}; hand: {hand}"))  # as the page has it
    assert compare.compare_photos(typed, "after", hand).to_json() == found.to_json()
    assert shows[-1] is bool(shown)


def test_a_fanned_hand_that_was_taken_for_a_group_is_of_the_hand() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 8C 3H 9S JD")
    after = reading("floor: 4C 5C 6C 7C 8C | KC KD KH | 3H 9S JD")
    assert told(compare_readings(before, after)) == (["8C"], [], True)


def test_a_meld_that_lies_beside_the_hand_stays_on_the_floor() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 8C 3H")
    after = reading("floor: 4C 5C 6C 7C 8C; hand: KC KD KH 3H")
    apart = tuple(
        replace(card, sights=(Sight(0, quad_at(9, 9)),)) if card.text == "3H" else card for card in after.cards
    )
    assert told(compare_readings(before, replace(after, cards=apart))) == (["8C"], [], True)
    upon_it = compare_readings(before, after)  # the 3H may be of the meld, which were none then
    assert upon_it.legal is None
    assert "photo after the turn: is the 3H of the hand, or of the meld beside it?" in upon_it.checks


def test_a_new_meld_that_lies_beside_the_hand_is_on_the_floor() -> None:
    before = reading("floor: AC AH AS | 2C 3C 4C | KC KD KH; hand: AD KS 9S")
    after = reading("floor: AC 2C 3C 4C | KC KD KH KS; hand: 9S AD AH AS")
    apart = placed_at(after, "9S", "hand", quad_at(9, 9))
    assert told(compare_readings(before, apart)) == (["AD", "KS"], ["AC"], True)
    taken_up = reading("floor: AC AD AH | 2C 3C 4C | KC KD KH KS; hand: 9S AS")
    assert compare_readings(before, taken_up).legal is False, "the hand holds no aces to make a meld with it"


def test_no_part_of_a_meld_that_lies_beside_the_hand_is_in_it() -> None:
    after = placed_at(reading("floor: 2C 3C 4C 5C; hand: JH QH KH AH 9S"), "9S", "hand", quad_at(9, 9))
    for column, text in enumerate(("JH", "QH", "KH", "AH")):
        after = placed_at(after, text, "hand", quad_at(2 * column, 5))
    assert told(compare_readings(reading("floor: JH QH KH AH | 2C 3C 4C; hand: 9S 5C"), after)) == (["5C"], [], True)


def test_a_hand_that_is_a_meld_by_itself_is_none_of_the_floor_unless_it_lay_there() -> None:
    """Photos in the wrong order show what was played in the hand again."""
    after, before = reading("floor: 7C 7D 7H | 4C 5C 6C; hand: 7S"), reading("floor: 4C 5C 6C 7C; hand: 7D 7H 7S")
    assert compare_readings(after, before).legal is False
    lay = reading("floor: 7D 7H 7S | 4C 5C 6C; hand: 7C")
    assert told(compare_readings(lay, before)) == (["7C"], [], True)


def test_a_copy_that_lies_alike_in_both_photos_makes_the_one_that_was_laid_no_surer() -> None:
    before = reading("floor: 5H 6H 7H | 8C 8D 8H | KC KD KH")
    after = reading("floor: 8C 8D 8H | KC KD KH | 5H 6H 7H 8H")
    changes: Any = {"confidence": 0.88, "alternatives": ((parse_cards("TH")[0], 0.12),), "why": "read as TH"}
    put_right = placed_at(after, "8H", "floor/2", quad_at(3, 2), **changes)
    found = compare_readings(before, put_right, parse_cards("TH 3S"))
    assert (found.legal, found.checks) == (
        None,
        ("is the 8H in meld 3 of the photo after the turn right, or is it TH?",),
    )


@pytest.mark.parametrize(("sureness", "legal"), [(0.9999, False), (0.8, None)])
def test_a_card_whose_lookalike_was_played_is_taken_up_as_surely_as_the_hand_shows_it(
    sureness: float, legal: bool | None
) -> None:
    before = reading("floor: 5D 5H 5S | KC KD KH; hand: 5C 9D")
    after = placed_at(reading("floor: 5C 5D 5H | KC KD KH; hand: 9D 5S"), "5S", "hand", quad_at(9, 9))
    doubted = (replace(card, confidence=sureness) if card.text == "5S" else card for card in after.cards)
    assert compare_readings(before, replace(after, cards=tuple(doubted))).legal is legal


@pytest.mark.parametrize(("gap", "legal"), [(40, False), (75, None)])
def test_a_lone_card_that_fits_a_far_meld_is_of_the_one_beside_it(gap: int, legal: bool | None) -> None:
    after = reading("floor: QD QH QS | 4C 5C 6C 7C | 7S 8S 9S | 9D TD JD | TS")
    before = reading("floor: QD QH QS | 4C 5C 6C | 7S 8S 9S | 9D TD JD; hand: TS 7C")
    x, y = 80.0 + gap, 0.0
    beside = placed_at(after, "TS", "floor/4", ((x, y), (x + 60, y), (x + 60, y + 84), (x, y + 84)))
    assert compare_readings(before, beside).legal is legal


def test_a_card_of_the_hand_beside_a_meld_is_asked_about_until_a_person_has_told_where_it_lies() -> None:
    after = reading(AFTER + "; hand: 7S")
    number = len(after.cards) - 1
    upon_it = replace(after.cards[number], sights=(Sight(0, quad_at(2, 2)),))
    beside = replace(after, cards=(*after.cards[:number], upon_it))
    before = reading(BEFORE + "; hand: 7D 7H 7S")
    found = compare_readings(before, beside)
    (asked,) = found.questions
    assert (found.legal, asked.text) == (None, found.checks[0])
    assert (asked.kind, asked.choices, asked.cards) == (QuestionKind.ZONE, ("hand", "floor/2"), (number,))
    settled = compare_readings(before, beside, settled=[number])
    assert (settled.legal, settled.checks, settled.questions) == (True, (), ())


@pytest.mark.parametrize("floor", ["TD JD QD 2C", "TD JD QD | 2C"])
def test_a_card_laid_against_the_rules_is_a_fault_once_a_person_has_told_where_it_lies(floor: str) -> None:
    """Untold it may be of the meld of clubs, and as one card is hidden, others may be missing."""
    before = reading("floor: TD JD QD | 8S 9S TS | 3C 4C 5C; hand: 2C 3H")
    after = reading(f"floor: 8S 9S TS | 3C 4C 5C | {floor}; hand: 3H")
    hidden = (replace(card, sights=()) if card.text == "9S" else card for card in after.cards)
    after = replace(after, cards=tuple(hidden))
    assert compare_readings(before, after).legal is None
    number = next(n for n, card in enumerate(after.cards) if card.text == "2C")
    settled = compare_readings(before, after, settled=[number])
    assert (settled.legal, settled.checks) == (False, ())


def test_where_a_card_lies_that_the_other_photo_puts_elsewhere_is_asked_with_both_places() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 8C 3H")
    after = reading("floor: 4C 5C 6C 7C 8C; hand: KC KD KH 3H")
    (meld,) = compare_readings(before, after).questions
    assert (meld.kind, meld.choices, meld.cards) == (QuestionKind.MELDS, ("floor", "hand"), (5, 6, 7))
    in_hand = compare_readings(before, after, settled=meld.cards)
    assert in_hand.positions[1] == after.position, "the table is as a person says"
    fan = reading("floor: 4C 5C 6C 7C 8C | KC KD KH | 3H 9S JD")
    (hand,) = compare_readings(reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 8C 3H 9S JD"), fan).questions
    assert (hand.kind, hand.choices, hand.cards) == (QuestionKind.ZONE, ("floor/2", "hand"), (8, 9, 10))


def beside_another_meld() -> tuple[Reading, Reading]:
    """A turn after which the 7D lies beside 8D 9D TD, and no more in the run in which it lay before."""
    before = reading("floor: 3D 4D 5D 6D 7D | KC KD KH | 8D 9D TD; hand: KS")
    after = reading("floor: 3D 4D 5D 6D | KC KD KH KS | 7D | 8D 9D TD")
    apart = {"7D": quad_at(3, 9), "TD": quad_at(2, 9), "9D": quad_at(1, 9), "8D": quad_at(0, 9)}
    cards = (replace(c, sights=(Sight(0, apart[c.text]),)) if c.text in apart else c for c in after.cards)
    text = "KC KD KH KS may not lie as one meld: please check which cards do"
    kings = Question(QuestionKind.MELDS, text, Place("floor", 1), ("one meld", "other melds"), (4, 5, 6, 7))
    return before, replace(after, cards=tuple(cards), checks=(kings,))


def test_a_meld_beside_which_a_card_lies_is_among_the_answers_where_it_lies() -> None:
    (asked,) = compare_readings(*beside_another_meld()).questions
    assert (asked.choices, asked.cards) == (("floor/2", "floor/3", "floor/0"), (8,))


def test_a_question_with_an_answer_by_which_a_turn_is_not_legal_is_a_decisive_one() -> None:
    found = compare_readings(*beside_another_meld())
    assert found.legal is True, "most likely it is"
    assert decisive_questions(found) == list(found.questions), "by itself the 7D is no meld"
    settled = compare_readings(*beside_another_meld(), settled=[8])
    assert (settled.legal, decisive_questions(settled, settled=[8])) == (False, [])


def test_a_run_whose_halves_lie_apart_is_not_called_moved_for_sure() -> None:
    before = reading("floor: 4C 5C 6C 7C 8C 9C TC | KC KD KH")
    after = reading("floor: 4C 5C 6C 7C | 8C 9C TC JC | KC KD KH")
    found = compare_readings(before, after)
    assert found.legal is True
    (asked,) = found.checks
    assert "lie otherwise in the two photos" in asked
    assert asked.endswith("; the verdict on legality most likely stays")
    assert "legal: yes, as far as can be seen" in report(found), "something is asked"
    assert "legal: yes" in report(compare_readings(reading(BEFORE), reading(AFTER), parse_cards("7D 7H")))


def test_a_card_without_a_place_leaves_the_verdict_open() -> None:
    after = reading(AFTER)
    strange = ReadCard(parse_cards("7S")[0], 0.5, (), Place("none"), (Sight(0, quad_at(9, 0)),), why="left out")
    found = compare_readings(reading(BEFORE), replace(after, cards=(*after.cards, strange)))
    assert found.legal is None
    assert "the 7S in the photo after the turn has no place: does it lie on the floor, or in a hand?" in found.checks


def test_a_corner_of_a_card_that_nobody_can_have_laid_leaves_the_verdict_as_it_is() -> None:
    for ghost, legal in (("7S", True), ("8S", None), ("8C", None)):
        after = reading("floor: 4C 5C 6C 7C | KC KD KH")
        left_out = ReadCard(parse_cards(ghost)[0], 0.5, (), NOWHERE, (Sight(0, quad_at(3, 1)),), "left out", 0.8)
        before = reading("floor: 4C 5C 6C | KC KD KH")
        found = compare_readings(before, replace(after, cards=(*after.cards, left_out)), parse_cards("7C 8C 9D"))
        assert found.legal is legal, f"{ghost}, where the hand still held the 8C"


def taken_up(doubt: float, at: Quad) -> Compared:
    """A turn after which a card of the floor lies in the hand, or elsewhere with this doubt."""
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: KS 2D")
    after = placed_at(reading("floor: 4C 5C 6C | KC KD KH KS; hand: 2D 7C"), "7C", "hand", at)
    text, number = "perhaps 7C does not lie in hand", len(after.cards) - 1
    where = Question(QuestionKind.ZONE, text, Place("hand"), ("hand", "floor"), (number,), doubt=doubt)
    return compare_readings(before, replace(after, checks=(where,)))


def test_a_card_that_was_taken_up_is_a_fault_as_surely_as_it_lies_in_the_hand() -> None:
    beside = quad_at(4, 0)
    assert (taken_up(0.01, beside).legal, taken_up(0.2, beside).legal) == (False, None)
    assert taken_up(0.01, beside).to_json()["why"] == "7C was taken from the floor into the hand"


def test_a_card_of_the_floor_that_lies_alone_is_in_no_meld_whether_in_the_hand_or_not() -> None:
    found = taken_up(0.2, quad_at(9, 9))
    assert found.legal is False
    assert "7C lay on the floor and is in no meld any more" in found.to_json()["why"]


def test_a_card_that_may_have_lain_in_the_hand_before_is_no_fault_for_sure() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: KS 2D")
    where = Question(
        QuestionKind.ZONE, "perhaps 7C does not lie there", Place("floor", 0), ("floor/0", "hand"), (3,), doubt=0.2
    )
    after = placed_at(reading("floor: 4C 5C 6C | KC KD KH KS; hand: 2D 7C"), "7C", "hand", quad_at(9, 9))
    assert compare_readings(replace(before, checks=(where,)), after).legal is None


def test_a_card_of_no_hand_is_no_fault_where_its_lookalike_or_much_of_the_table_is_gone() -> None:
    before, hand = reading("floor: 7C 7D 7H | KC KD KH | 2S 3S 4S | 9D TD JD"), parse_cards("KS")
    for after, legal in (
        ("floor: 7C 7D 7H | KC KD KH | 2S 3S 4S 5S | 9D TD JD", False),
        ("floor: 7S 7D 7H | KC KD KH | 2S 3S 4S | 9D TD JD", None),
        ("floor: 7C 7D 7H | 2S 3S 4S 5S", None),
    ):
        assert compare_readings(before, reading(after), hand).legal is legal, after


def test_a_card_of_the_hand_at_the_end_of_a_meld_may_have_been_laid_there() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C 3H")
    after = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 3H")
    x, y = 40.0 * 2 + 70, 90.0
    beside = placed_at(after, "3H", "hand", ((x, y), (x + 60, y), (x + 60, y + 84), (x, y + 84)))
    found = compare_readings(before, beside)
    assert (found.legal, found.checks) == (
        None,
        ("photo after the turn: is the 3H of the hand, or of the meld beside it?",),
    )


def test_a_card_that_may_be_one_of_its_meld_that_was_not_seen_is_not_taken_up_for_sure() -> None:
    before = reading("floor: 8H 9H TH JH QH | KC KD KH; hand: 2D KS")
    after = reading("floor: 8H 9H TH JH | KC KD KH KS; hand: 2D")
    assert compare_readings(before, after).legal is False
    unseen = tuple(replace(card, sights=()) if card.text == "JH" else card for card in before.cards)
    assert compare_readings(replace(before, cards=unseen), after).legal is None


def test_a_lone_card_is_no_rest_of_a_meld_of_which_both_copies_lie_elsewhere() -> None:
    before = reading("floor: 3H 4H 5H | KC KD KH; hand: 3H 4H 9S 2H")
    after = reading("floor: 2H 3H 4H 5H | KC KD KH | 3H; hand: 4H 9S")
    assert likely_turn(before, after, None).agree > 0.99


def test_a_group_that_lacks_a_card_which_is_gone_is_no_proof() -> None:
    gone = compare_readings(reading(BEFORE + "; hand: 2D"), reading("floor: 4C 5C 7C | KC KD KH; cross: 2S; hand: 2D"))
    assert (gone.legal, gone.to_json()["legal"]) == (None, None)
    assert "photo after the turn: does 6C lie there too, as in the other photo?" in gone.checks
    full = compare_readings(reading(BEFORE + "; hand: 2D"), reading("floor: 4C 5C 6C 7C 2D | KC KD KH; cross: 2S"))
    assert full.legal is False


def test_a_meld_that_the_first_photo_shows_in_part_was_whole() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD; hand: 8C")
    found = compare_readings(before, reading("floor: 4C 5C 6C 7C 8C | KC KD KH"))
    assert told(found) == (["8C"], [], True)
    assert "photo before the turn: does KH lie there too, as in the other photo?" in found.checks
    nothing = compare_readings(before, reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 8C"))
    assert nothing.legal is None


def test_a_photo_of_less_of_the_table_tells_no_cards_gone() -> None:
    found = compare_readings(reading(BEFORE), reading("floor: 4C 5C 6C 7C 8C; cross: 2S"))
    assert found.legal is None
    assert "KC KD KH are not in the photo after the turn: does it show the whole table?" in found.checks


def test_cards_in_a_hand_are_not_taken_up_where_more_are_gone_from_the_floor() -> None:
    before = "floor: 4C 5C 6C 7C | KC KD KH | 8D 8H 8S; cross: 2S; hand: 8C QH"
    taken_up = compare_readings(
        reading(before), reading("floor: 4C 5C 6C | KC KD KH | 8C 8D 8H 8S; cross: 2S; hand: QH 7C")
    )
    assert taken_up.legal is False
    found = compare_readings(reading(before), reading("floor: 4C 5C 6C | 8C 8D 8H 8S; cross: 2S; hand: QH 7C"))
    assert found.legal is None
    assert "KC KD KH are not in the photo after the turn: does it show the whole table?" in found.checks


def test_a_card_that_is_gone_and_its_lookalike_that_is_new_may_be_one() -> None:
    found = compare_readings(
        reading("floor: 4C 5C 6C 7C | KC KD KH; cross: QS"), reading("floor: 4C 5C 6C 7C 8C | KC KD KH | QC QD QH")
    )
    assert found.legal is None
    assert "QS is gone and QC is new: or is it the same card in both photos?" in found.checks


def test_a_photo_without_cards_gives_no_table_and_no_error() -> None:
    empty = replace(reading(BEFORE), cards=(), position=None, game=None)
    found = compare_readings(empty, reading(AFTER))
    assert (found.legal, found.to_json()["played"]) == (None, None)
    assert "no card is seen in the photo before the turn" in found.to_json()["why"]
    json.dumps(found.to_json())


def test_the_way_back_is_drawn_on_the_second_photo() -> None:
    image = np.zeros((600, 800, 3), np.uint8)
    drawn = draw_way_back(image, compare_readings(reading(BEFORE), reading(AFTER)))
    assert drawn.shape == image.shape
    assert (drawn != image).any()


def test_an_arrow_of_the_way_back_ends_at_the_meld_that_its_step_names(monkeypatch: pytest.MonkeyPatch) -> None:
    arrows: list[Any] = []
    monkeypatch.setattr("vision.turn.way_back.draw_arrows", lambda image, given: arrows.extend(given))
    found = compare_readings(reading(BEFORE), reading(AFTER))
    as_read = reading("floor: 7C 7D 7H | KC KD KH | 4C 5C 6C; cross: 2S")  # the same melds, numbered otherwise
    draw_way_back(np.zeros((600, 800, 3), np.uint8), replace(found, readings=(found.readings[0], as_read)))
    of_hand, back = arrows
    assert of_hand[1:] == ([quad_at(1, 0), quad_at(2, 0)], [])
    assert back[1:] == ([quad_at(0, 0)], [quad_at(column, 2) for column in range(3)])


def test_the_numbers_of_two_steps_stand_apart_where_their_cards_lie_side_by_side() -> None:
    image, colour = np.zeros((600, 800, 3), np.uint8), np.array(ARROW_COLOURS[0])
    cards = [np.array(quad_at(2, 2)) + np.array((x, 0)) for x in (0, 6)]
    alone, both = (
        draw_arrows(image, [(str(n), [card], []) for n, card in enumerate(some, 1)]) for some in (cards[:1], cards)
    )
    plates = [(drawn[178:198, 78:92] == colour).all(-1).sum() for drawn in (alone, both)]
    assert plates[1] > 0.8 * plates[0], "the second number does not cover the first"


@pytest.mark.parametrize(("opposite", "side", "shift"), [(False, "above", -90), (True, "below", 90)])
def test_the_way_back_tells_the_side_of_the_deck_as_the_second_photo_shows_it(
    opposite: bool, side: str, shift: int
) -> None:
    before, after = (
        reading(f"floor: 4C 5C 6C 7C{more}")
        for more in (" | KC KD KH | 3S 4S 5S; cross: 2S", " 8C | KC KD KH | 2S 3S 4S 5S")
    )
    card = next(card.quad for card in before.cards if card.place.kind == "cross")
    deck = np.array(card) + np.array((0, 100))
    before = replace(before, backs=(ReadBack(Place("deck"), 1.0, (Sight(0, deck.tolist()),)),))
    if opposite:
        turned = [replace(c, sights=(Sight(0, (-np.array(c.quad)).tolist()),)) for c in after.cards]
        after = replace(after, cards=tuple(turned))
    after = replace(after, backs=before.backs)
    found = compare_readings(before, after)
    back = next(step for step in found.comparison.put_back if step.target == Place("cross", 0))
    assert f"back {side} the deck" in back.text
    place = free_place(found.readings, Place("cross", 0))
    assert np.sign((place - deck)[:, 1]).tolist() == [np.sign(shift)] * 4, "the arrow ends beside the deck"


@pytest.mark.parametrize(
    ("cross", "side"),
    [("- 3C - -", "above"), ("- - 3C -", "right of"), ("- JD - -", "beside"), ("- - - -", "beside")],
)
def test_the_way_back_names_the_side_of_the_deck_as_the_table_after_the_turn_is_drawn(cross: str, side: str) -> None:
    before, after = reading("floor: 9C 9D 9S; cross: - 9H 3C -"), reading(f"floor: 9C 9D 9H 9S; cross: {cross}")
    steps = compare_readings(before, after).comparison.put_back
    back = next(step for step in steps if step.target == Place("cross", 1))
    assert f"back {side} the deck" in back.text


def test_an_arrow_back_to_the_cross_ends_beside_the_card_that_both_photos_show_there() -> None:
    before, after = reading("floor: 9C 9D 9S; cross: - 9H 3C -"), reading("floor: 9C 9D 9H 9S; cross: - 3C - -")
    card = next(np.array(card.quad) for card in after.cards if card.place.kind == "cross")
    deck = card - np.array((100, 0))
    after = replace(after, backs=(ReadBack(Place("deck"), 1.0, (Sight(0, deck.tolist()),)),))
    place = free_place((before, after), Place("cross", 1))
    assert np.sign((place - deck)[:, 1]).tolist() == [-1] * 4, "above the deck, as the 3C lies right of it"


def test_wrong_use_and_broken_files_are_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.jpg"), str(tmp_path / "none.jpg"), "--out", "back.tiff"]) == 2
    assert "--out back.tiff: unknown kind of picture" in capsys.readouterr().err
    assert main([str(tmp_path / "none.jpg"), str(tmp_path / "none.jpg")]) == 1
    save(np.zeros((60, 80, 3), np.uint8), tmp_path / "black.jpg")
    assert main([str(tmp_path / "black.jpg"), str(tmp_path / "black.jpg"), "--hand", "9X"]) == 1
    err = capsys.readouterr().err
    assert "none.jpg" in err
    assert "9X" in err
    assert "Traceback" not in err
    assert main([str(tmp_path / "black.jpg"), str(tmp_path / "black.jpg")]) == 1
    assert "are the same photo" in capsys.readouterr().err


def test_what_is_asked_comes_with_ways_to_settle_it() -> None:
    after = reading(AFTER, {"7H": 0.6})
    lines = report(compare_readings(reading(BEFORE), after))
    assert "legal: cannot be told yet, as the turn hangs on what is to be checked" in lines
    assert any(
        line.startswith("to settle it: name the player's hand with --hand, take another photo") for line in lines
    )
    assert not any("to settle it" in line for line in report(compare_readings(reading(BEFORE), reading(AFTER))))


def test_a_card_that_is_gone_and_in_no_hand_is_not_looked_for_among_its_copies() -> None:
    before = reading("floor: AC 2C 3C | 7C 7D 7H; cross: 3C 9S; hand: 7S JD")
    after = reading("floor: AC 2C 3C | 7C 7D 7H 7S; cross: - 9S; hand: JD")
    found = compare_readings(before, after)
    assert found.comparison is not None
    (back,) = [step for step in found.comparison.put_back if step.target == Place("cross", 0)]
    assert back.text == "Put 3C back above the deck.", "it is not in the hand that lies there"
    assert names(after, found.positions[1])["hand"] == ["JD"], "the 3C of the run stays"
    of_hand = reading("floor: AC 2C 3C; hand: 3C")
    assert names(of_hand, of_hand.position)["hand"] == ["3C"]


def names(of: Reading, table: Any) -> dict[str, list[str]]:
    """The cards that a photo shows at each place of a table."""
    return {str(place): [card.text for card in cards] for place, cards in find_cards(table, of.cards).items()}


def test_a_copy_of_a_card_is_not_taken_for_it_though_the_table_numbers_its_melds_otherwise() -> None:
    seen = reading("floor: 3C 4C 5C | 3C 3H 3S | KC KD KH; cross: 2S; hand: QS")
    table = Position.parse("floor: KC KD KH | 3C 3H 3S QS | 3C 4C 5C; cross: 2S")
    shown = find_cards(table, seen.cards)
    assert [card.place for card in shown[Place("floor", 1)]] == [*[Place("floor", 1)] * 3, Place("hand")]
    assert [card.place for card in shown[Place("floor", 2)]] == [Place("floor", 0)] * 3


def test_a_group_that_was_laid_against_the_rules_is_found_where_the_reader_put_its_card_elsewhere() -> None:
    before = reading("floor: 5D 6D 7D | KC KD KH; cross: -; hand: QS 2H 9C 4S")
    as_laid = reading("floor: 5D 6D 7D QS | KC KD KH; hand: 2H 9C 4S")
    for line in (
        "floor: 5D 6D 7D | KC KD KH; cross: QS; hand: 2H 9C 4S",
        "floor: 5D 6D 7D | KC KD KH | QS; hand: 2H 9C 4S",
    ):
        after = reading(line)
        laid = tables_as_laid(after, as_laid)
        assert [[str(card) for card in table.floor[-1]] for table in laid] == [["5D", "6D", "7D", "QS"]]
        found = compare_readings(before, after, laid=laid)
        assert told(found) == (["QS"], [], False)
        assert "QS is no meld" in found.to_json()["why"]


def test_tables_as_laid_are_those_that_break_the_rules() -> None:
    whole = reading("floor: 5D 6D 7D | KC KD KH; cross: QS; hand: 2H")
    assert tables_as_laid(whole, whole) == []
    touching = reading("floor: 5D 6D 7D KC KD KH; cross: QS; hand: 2H")
    assert tables_as_laid(whole, touching) == [], "two melds that touch"
    seen_twice = reading("floor: 5D 6D 7D 7D | KC KD KH; hand: 2H")
    assert tables_as_laid(whole, seen_twice) == []
    (of_two_alike,) = tables_as_laid(
        reading("floor: 5D 6D 7D | 5D 6D 7D | KC KD KH; cross: QS; hand: 2H"),
        reading("floor: 5D 6D 7D QS | 5D 6D 7D | KC KD KH; hand: 2H"),
    )
    assert len(of_two_alike.cards()) == 11, "the other one stays"
    two = tables_as_laid(
        reading("floor: 5D 6D 7D | KC KD KH; cross: QS 3H; hand: 2H"),
        reading("floor: 5D 6D 7D QS | KC KD KH 3H; hand: 2H"),
    )
    assert [sum(len(meld) > 3 for meld in table.floor) for table in two] == [1, 1, 2]


def test_a_lone_card_is_not_of_a_far_meld_that_holds_its_like() -> None:
    before = reading("floor: 2C 3C 4C | 3C 4C 5C | KC KD KH; hand: 6C JS")
    after = reading("floor: 2C 3C 4C 5C 6C | 3C 4C 5C | KC KD KH | 6C; hand: JS")
    beside = [
        replace(card, sights=(Sight(0, quad_at(3, 2)),)) if card.place == ("floor", 3) else card for card in after.cards
    ]
    found = compare_readings(before, replace(after, cards=tuple(beside)))
    assert found.legal is not True, "it lies beside the kings"


def test_a_card_of_the_cross_is_of_a_meld_only_where_it_lies_near() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 7D 7H")
    where = Question(QuestionKind.ZONE, "where?", "cross/1", ("cross/1", "none", "hand"), (9,), doubt=0.3)
    after = reading("floor: 4C 5C 6C | KC KD KH | 7D 7H 7S; cross: 2S 7C; hand: 8H")
    far = [
        replace(card, sights=(Sight(0, quad_at(9, 9)),)) if card.place == ("cross", 1) else card for card in after.cards
    ]
    found = compare_readings(before, replace(after, cards=tuple(far), checks=(where,), position_probability=0.5))
    assert found.comparison is not None
    assert found.legal is False, "7C left its meld, wherever it is"


def test_more_cards_than_one_that_are_not_of_the_hand_were_missed_before() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; cross: 2S")
    one = compare_readings(before, reading("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S"), parse_cards("9H"))
    assert one.legal is False
    three = compare_readings(before, reading("floor: 4C 5C 6C | KC KD KH | QS KS AS; cross: 2S"), parse_cards("9H"))
    assert three.legal is None
    assert any("does the photo before the turn show the whole table?" in check for check in three.checks)


def test_of_several_broken_groups_none_is_a_fault_for_sure() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 8D QH")
    one = compare_readings(before, reading("floor: 4C 5C 6C 8D | KC KD KH; hand: QH"))
    assert one.legal is False
    two = compare_readings(before, reading("floor: 4C 5C 8D KH | KC KD 6C; hand: QH"))
    assert two.legal is None


def test_cards_of_the_hand_that_were_read_in_the_cross_leave_a_legal_turn_legal() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH | 3H 4H 5H; hand: 7C 3H JD")
    after = reading("floor: 4C 5C 6C 7C | KC KD KH | 3H 4H 5H; cross: 3H; hand: JD")
    cards = [
        replace(card, sights=(Sight(0, quad_at(9, 9)),)) if card.place.kind == "cross" else card for card in after.cards
    ]
    number = next(n for n, card in enumerate(cards) if card.place.kind == "cross")
    where = Question(QuestionKind.ZONE, "where?", "cross/0", ("cross/0", "hand", "cross/1"), (number,), doubt=0.45)
    found = compare_readings(before, replace(after, cards=tuple(cards), checks=(where,), position_probability=0.5))
    assert told(found) == (["7C"], [], True)


def test_two_photos_of_different_tables_are_told_as_such_without_a_list_of_cards() -> None:
    before = reading("floor: 4C 5C 6C 7C | KC KD KH | 2H 3H 4H; cross: 2S")
    other = reading("floor: 9S TS JS QS | 8C 8D 8H; cross: 5D")
    found = compare_readings(before, other)
    assert (found.legal, found.comparison, found.checks) == (None, None, (DIFFERENT,))
    assert report(found) == [f"check: {DIFFERENT}"]
    in_common = compare_readings(reading("floor: 4C 5C 6C 7C | KC KD KH | 8C 8D 8H; cross: 2S"), other)
    assert in_common.checks == (DIFFERENT,), "tables of many melds have some in common by chance"
    rearranged = reading("floor: 4C KC 5C 6C | 7C KD KH 2H | 3H 4H; cross: 2S")
    assert DIFFERENT not in compare_readings(before, rearranged).checks, "all cards are there"
    put_away = reading("floor: 4C 5C 6C 7C; cross: 2S")
    assert DIFFERENT not in compare_readings(before, put_away).checks, "what is there lies alike"


def placed_at(of: Reading, text: str, place: str, at: Quad, **changes: Any) -> Reading:
    """A reading in which the last such card lies at a place, and is seen at another spot."""
    number = max(n for n, card in enumerate(of.cards) if card.text == text)
    card = replace(of.cards[number], place=Place.parse(place), sights=(Sight(0, at),), **changes)
    return replace(of, cards=(*of.cards[:number], card, *of.cards[number + 1 :]))


def test_a_card_of_the_hand_that_lies_upon_a_meld_apart_from_the_hand_is_of_the_meld() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C 3H 9S")
    after = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 9S 3H")
    upon_it = placed_at(after, "3H", "hand", quad_at(3, 1))
    found = compare_readings(before, upon_it)
    assert (found.legal, told(found)[0]) == (False, ["7C", "3H"])
    assert found.checks == ()
    number = next(n for n, card in enumerate(upon_it.cards) if card.text == "3H")
    where = Question(QuestionKind.ZONE, "where?", "hand", ("hand", "floor"), (number,), doubt=0.45)
    askew = placed_at(replace(upon_it, checks=(where,)), "3H", "hand", quad_at(2, 1))
    assert compare_readings(before, askew).legal is None, "it is asked where it lies"
    fits = placed_at(reading("floor: 4C 5C 6C | KC KD KH; hand: 9S 3H 7C"), "7C", "hand", quad_at(3, 0))
    assert told(compare_readings(before, fits)) == (["7C"], [], True)


def test_what_is_asked_of_a_card_of_the_hand_that_is_of_a_meld_is_answered_with_that() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C 3H 9S")
    after = placed_at(reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 9S 3H"), "3H", "hand", quad_at(3, 1))
    asked = (
        Question(QuestionKind.ZONE, "perhaps 3H does not lie in hand", Place("hand"), ("hand", "floor"), (8,)),
        Question(QuestionKind.MELDS, "KC KD KH in a row with the hand", Place("hand"), ("hand", "floor"), (4, 5, 6)),
    )
    found = compare_readings(before, replace(after, checks=asked))
    assert (found.legal, found.checks) == (False, ())
    elsewhere = Question(QuestionKind.MELDS, "4C 5C 6C 7C", Place("hand"), ("hand", "floor"), (0, 1, 2, 3))
    assert compare_readings(before, replace(after, checks=(elsewhere,))).checks != ()


def test_a_card_that_may_be_of_the_meld_beside_it_is_not_taken_up_for_sure() -> None:
    before = reading("floor: JD QD KD AD | 4C 5C 6C; hand: 7C")
    after = reading("floor: JD QD KD | 4C 5C 6C 7C; hand: AD")
    assert compare_readings(before, placed_at(after, "AD", "hand", quad_at(9, 9))).legal is False
    assert compare_readings(before, placed_at(after, "AD", "hand", beside_row(3, 0))).legal is None


def beside_row(column: int, row: int) -> Quad:
    """Beside the last card of a row, but farther from it than the cards of the row lie apart."""
    (x, y), *_ = quad_at(column, row)
    return (x + 30, y), (x + 90, y), (x + 90, y + 84), (x + 30, y + 84)


@pytest.mark.parametrize(("place", "is_asked"), [("hand", True), ("cross/1", True), ("hand", False)])
def test_a_card_that_goes_on_with_a_meld_is_of_it_whatever_the_photo_asks(place: str, *, is_asked: bool) -> None:
    """It lies in line with the meld, and at the distance of its cards."""
    before = reading("floor: TD JD QD | 8S 9S TS; hand: 6D JS")
    after = placed_at(reading("floor: TD JD QD | 8S 9S TS JS; hand: 6D"), "6D", place, quad_at(3, 0))
    table = Position.parse("floor: TD JD QD | 8S 9S TS JS; " + ("cross: - 6D" if place != "hand" else "hand: 6D"))
    where = Question(QuestionKind.ZONE, "where?", Place.parse(place), (place, "floor/0"), (7,), doubt=0.8)
    melds = Question(QuestionKind.MELDS, "one?", Place("floor", 0), ("one meld", "other melds"), (0, 1, 2), doubt=0.01)
    found = compare_readings(before, replace(after, position=table, checks=(where, melds) if is_asked else ()))
    assert (found.legal, found.to_json()["why"]) == (False, "6D TD JD QD is no meld: the ranks are not consecutive")
    askew = placed_at(replace(after, position=table), "6D", place, beside_row(3, 0))
    assert compare_readings(before, askew).legal is None


def test_a_card_that_is_gone_for_one_that_was_nowhere_was_misread_and_one_of_no_hand_that_is_shown_is_asked_about() -> (
    None
):
    before = reading("floor: 4C 5C 6C | KC KD KH; cross: 2S QD; hand: 7C QD 9S")
    both = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S JD; hand: JD 9S")
    found = compare_readings(before, both)
    assert (found.legal, found.checks[-1]) == (None, "QD is gone and JD is new: or is it the same card in both photos?")
    strange = compare_readings(before, reading("floor: 4C 5C 6C 7C | KC KD KH KS; cross: 2S QD; hand: QD 9S"))
    assert (strange.legal, strange.checks) == (None, ("is the KS in meld 2 of the photo after the turn right?",))


def test_a_card_that_goes_on_with_one_of_two_melds_with_the_same_end_is_of_the_one_beside_it() -> None:
    before = reading("floor: TS JS QS KS AS | 8S 9S TS JS QS KS; hand: 7S 2H")
    after = reading("floor: TS JS QS KS AS | 8S 9S TS JS QS KS; hand: 7S")
    assert told(compare_readings(before, placed_at(after, "7S", "hand", quad_at(6, 1)))) == (["7S"], [], True)


def test_a_card_that_the_rules_put_to_a_meld_though_it_goes_on_with_another_one_is_asked_about() -> None:
    before = reading("floor: 4D 4C 4H | JC JD JH; hand: 4S 2H")
    after = placed_at(reading("floor: 4D 4C 4H 4S | JC JD JH; hand: 2H"), "4S", "floor/0", quad_at(3, 1))
    found = compare_readings(before, after)
    assert (found.legal, *told(found)[:2]) == (None, ["4S"], [])
    assert found.checks == ("photo after the turn: is the 4S of the meld beside it, JC JD JH, or of 4D 4C 4H 4S?",)
    assert [question.choices for question in found.questions] == [("floor/0", "floor/1")]
    number = next(n for n, card in enumerate(after.cards) if card.text == "4S")
    assert compare_readings(before, after, settled=[number]).legal is True
    assert told(compare_readings(before, placed_at(after, "4S", "floor/0", quad_at(3, 0)))) == (["4S"], [], True)


def beside(column: int, row: int) -> Quad:
    """Of cards that do not overlap."""
    x, y = 66.0 * column, 90.0 * row
    return (x, y), (x + 60, y), (x + 60, y + 84), (x, y + 84)


def test_a_card_goes_on_with_another_meld_also_where_its_own_holds_the_same_face() -> None:
    before = reading("floor: QS QH QD QC | JS QS KS; hand: TS 2H")
    after = reading("floor: TS JS QS KS | QS QH QD QC; hand: 2H")
    for number, card in enumerate(("TS", "QS", "QH", "QD", "QC")):  # side by side
        after = placed_at(after, card, "floor/1" if number else "floor/0", beside(number, 1))
    assert compare_readings(before, after).legal is None


@pytest.mark.parametrize(("hand", "left", "played"), [("KD", "KD", []), ("6D", "6D", []), ("6D JS", "6D", ["JS"])])
def test_a_card_that_lay_at_a_meld_in_the_hand_before_is_not_played(hand: str, left: str, played: list[str]) -> None:
    """The hand lies in line with a meld in both photos."""
    card, meld = left.split()[0], " JS" if played else ""
    before = placed_at(reading(f"floor: TD JD QD | 8S 9S TS; hand: {hand}"), card, "hand", quad_at(3, 0))
    after = placed_at(reading(f"floor: TD JD QD | 8S 9S TS{meld}; hand: {left}"), card, "hand", quad_at(3, 0))
    found = compare_readings(before, after)
    assert told(found) == (played, [], None if played else False)
    assert found.checks == (f"photo after the turn: is the {card} of the hand, or of the meld beside it?",)


def with_corners(of: Reading, number: int, at: Quad, upper: int, lower: int) -> Reading:
    """A reading whose card of a number lies at a spot, and shows so many of its upper and lower corners."""
    (x, y), *_ = at
    downs = [(side, y, 9.0) for side in range(upper)] + [(side, y + 84, -9.0) for side in range(lower)]
    shown = tuple(
        ReadIndex((0, 0, 9, 9), (x + 50 * side, edge), (x + 50 * side, edge + down)) for side, edge, down in downs
    )
    cards = list(of.cards)
    cards[number] = replace(cards[number], sights=(Sight(0, at, shown),))
    return replace(of, cards=tuple(cards))


@pytest.mark.parametrize(("corners", "legal"), [((0, 2), True), ((2, 2), False)])
def test_a_card_near_its_like_is_another_one_if_both_show_the_same_corners(
    corners: tuple[int, int], *, legal: bool
) -> None:
    """Each card of the deck has two upper corners; a card whose halves were found apart shows no more than these."""
    table = reading("floor: AS 2S 3S | KC KD KH KS | 3S")
    with_upper = with_corners(table, 2, quad_at(2, 0), 2, 0)
    (x, y), *_ = quad_at(2, 0)
    after = with_corners(with_upper, 7, ((x, y + 20), (x + 60, y + 20), (x + 60, y + 104), (x, y + 104)), *corners)
    found = compare_readings(reading("floor: AS 2S 3S | KC KD KH"), after, parse_cards("3S KS 9H"))
    assert found.legal is legal


def test_a_card_of_the_hand_goes_on_with_a_meld_only_if_its_end_is_of_that_and_no_copy_of_it() -> None:
    """A TC of the hand was read as the JD of a third meld, and the true JD lies elsewhere."""
    floor = "9D TD JD | KC KD KH KS"
    rival = {f"makiaveli floor: {floor}; hand: JH JC TC 7C": -1.0}
    after = placed_at(reading(f"floor: {floor} | JH JC JD; hand: 7C", others=rival), "7C", "hand", quad_at(3, 2))
    before = reading("floor: 9D TD JD | KC KD KH; hand: JH JC TC 7C KS")
    assert told(compare_readings(before, after)) == (["KS"], [], None)


def test_a_card_that_is_rather_none_is_weighed_with_the_other_photo() -> None:
    """In the first turn it keeps a card of the floor there, in the second it would make the turn strange."""
    before, after = "floor: 9C 9D 9H 9S | 4C 5C 6C; hand: 7C", "floor: 9C 9D 9H 9S | 4C 5C 6C 7C"
    found = compare_readings(reading(before), reading(after, {"9S": 0.3}))
    assert told(found) == (["7C"], [], True)
    ghost = reading("floor: AH 2H 3H 4H | AD AS AC; hand: AH 7C", {"AH": 0.2})
    found = compare_readings(ghost, reading("floor: 2H 3H 4H | AD AS AC AH; hand: 7C"))
    assert told(found) == (["AH"], [], None)
    assert found.checks == ("is the AH in meld 1 of the photo before the turn right?",)


def test_a_broken_group_in_a_photo_of_less_of_the_table_is_no_fault_for_sure() -> None:
    before = reading("floor: TC JC QC KC | 2S 3S 4S | 4C 5C 6C; hand: 7C")
    after = reading("floor: 2S 3S 4S JC | 4C 5C 6C 7C")
    assert compare_readings(before, after).legal is None


def test_a_whole_card_that_fits_nowhere_lies_where_it_was_laid() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C 3H 9S")
    after = reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 9S")

    def legal(corners: int, by_looks: float) -> bool | None:
        index = ReadIndex((0.0, 0.0, 9.0, 9.0), (1.0, 1.0), (1.0, 5.0))
        sight = Sight(0, quad_at(3, 1), (index,) * corners)
        left_out = ReadCard(parse_cards("3H")[0], 0.5, (), NOWHERE, (sight,), "left out", by_looks)
        whole = replace(after, cards=(*after.cards, left_out))
        found = compare_readings(before, whole)
        assert compare_readings(before, Reading.from_json(whole.to_json())) == found, "the page has but the JSON object"
        assert bool(found.checks) == (found.legal is None)
        return found.legal

    assert legal(2, 0.99) is False
    assert [legal(1, 0.99), legal(2, 0.9)] == [None, None]


def left_out(text: str, at: Quad, by_looks: float = 0.99, corners: int = 1) -> ReadCard:
    """A card that a photo shows at a spot, but for which its reading has no place."""
    index = ReadIndex((0.0, 0.0, 9.0, 9.0), (1.0, 1.0), (1.0, 5.0))
    sight = Sight(0, at, (index,) * corners)
    return ReadCard(parse_cards(text)[0], min(by_looks, 0.5), (), NOWHERE, (sight,), "left out", by_looks)


def with_cards(of: Reading, *cards: ReadCard) -> Reading:
    return replace(of, cards=(*of.cards, *cards))


def test_a_card_of_no_hand_may_be_one_that_the_photo_before_shows_without_a_place() -> None:
    before = reading("floor: 6S 7S 8S | KC KD KH")
    after = reading("floor: 6S 7S 8S 9S | KC KD KH KS")
    assert compare_readings(before, after, parse_cards("KS 2D")).legal is False
    found = compare_readings(with_cards(before, left_out("7S", quad_at(9, 3))), after, parse_cards("KS 2D"))
    assert (found.legal, found.checks) == (
        None,
        ("9S is new and was not in the hand: or is it the 7S without a place in the photo before the turn?",),
    )


def with_melds_in_doubt(of: Reading, place: Place, choices: tuple[str, ...], doubt: float | None) -> Reading:
    """A reading that asks whether the cards at a place are one meld, or of the hand."""
    rows = tuple(n for n, card in enumerate(of.cards) if card.place == place)
    asked = Question(QuestionKind.MELDS, "please check which cards do", place, choices, rows, doubt=doubt)
    return replace(of, checks=(asked,))


def test_a_meld_in_doubt_whose_rivals_were_weighed_keeps_the_verdict() -> None:
    place, choices = Place("floor", 1), ("one meld", "other melds")
    other = {"makiaveli floor: KC KD KH | 7S 7H 7D 7C | 8C 9C TC; cross: -": -1.7}
    after = with_melds_in_doubt(reading("floor: KC KD KH | 7C 8C 9C TC | 7S 7H 7D", others=other), place, choices, 0.15)
    before = reading("floor: KC KD KH | 8C 9C TC; hand: 7C 7S 7H 7D")
    assert compare_readings(before, replace(after, others=())).legal is None
    assert compare_readings(before, after).legal is True
    other = {"makiaveli floor: KC KD KH KS | 7S 8S 9S | TS JS QS 2D; cross: -": -1.7}
    broken = reading("floor: KC KD KH KS | 7S 8S 9S TS JS QS 2D", others=other)
    asked = with_melds_in_doubt(broken, place, choices, 0.2)
    before = reading("floor: KC KD KH | 7S 8S 9S TS JS QS; hand: 2D KS")
    assert (compare_readings(before, asked).legal, compare_readings(before, replace(asked, others=())).legal) == (
        False,
        None,
    )


def test_a_card_that_was_read_in_the_hand_but_lies_in_a_meld_was_read_twice() -> None:
    before = reading("floor: 4C 5C 6C | TD JD QD; hand: KD 2S", {"JD": 0.85})
    after = placed_at(reading("floor: 4C 5C 6C; hand: TD JD QD KD 2S"), "2S", "hand", quad_at(20, 9))
    assert told(compare_readings(before, after)) == (["KD"], [], True)


def test_a_card_within_a_meld_that_lies_nowhere_any_more_was_missed_where_photos_show_the_hand() -> None:
    before, after = "floor: 4C 4D 4H 4S | TC JC QC", "floor: 4C 4H 4S | 9C TC JC QC"
    found = compare_readings(reading(f"{before}; hand: 9C 7S"), reading(f"{after}; hand: 7S"))
    asked = "photo after the turn: does 4D lie there too, as in the other photo?"
    assert (found.legal, found.checks) == (None, (asked,))
    assert compare_readings(reading(f"{before}; hand: 9C 7S"), reading(f"{after}; hand: 7S 4D")).legal is False


@pytest.mark.parametrize(("corners", "legal"), [(1, None), (2, False)])
def test_a_card_that_was_not_on_top_of_its_meld_may_be_covered_by_the_rest(corners: int, legal: bool | None) -> None:
    before, after = reading("floor: AC 2C 3C 4C | KC KD KH"), reading("floor: 2C 3C 4C 5C | KC KD KH")
    index = ReadIndex((0.0, 0.0, 9.0, 9.0), (1.0, 1.0), (1.0, 5.0))
    ace = replace(before.cards[0], sights=(Sight(0, quad_at(0, 0), (index,) * corners),))
    found = compare_readings(replace(before, cards=(ace, *before.cards[1:])), after, parse_cards("5C 6C"))
    asked = "photo after the turn: does AC lie there too, as in the other photo?"
    assert (found.legal, found.checks) == (legal, () if legal is False else (asked,))


@pytest.mark.parametrize(("sureness", "legal"), [(0.8, None), (0.9999, False)])
def test_a_card_at_the_end_of_a_meld_may_have_been_missed_where_the_photo_hardly_shows_the_others(
    sureness: float, *, legal: bool | None
) -> None:
    before = reading("floor: 8D 9D TD JD | KC KH KS")
    after = reading("floor: 8D 9D TD | KC KD KH KS", {"9D": sureness})
    found = compare_readings(before, after, parse_cards("KD"))
    assert (found.legal, told(found)[0]) == (legal, ["KD"])
    asks = "photo after the turn: does JD lie there too, as in the other photo?"
    assert (asks in found.checks) is (legal is None)


@pytest.mark.parametrize(("hand", "legal"), [("AD 6C", False), ("AD 6C 2D 3D", None)])
def test_a_lone_card_is_a_fault_where_nothing_that_may_lie_unseen_fits_it(hand: str, legal: bool | None) -> None:
    before, after = reading("floor: 3C 4C 5C | 7S 8S 9S"), reading("floor: 3C 4C 5C 6C | 7S 8S 9S | AD")
    found = compare_readings(before, after, parse_cards(hand))
    assert (found.legal, bool(found.checks)) == (legal, legal is None)


def test_a_lone_card_lies_with_one_that_is_gone_and_fits_it() -> None:
    """The jack of diamonds is covered, and the one of spades was taken for the end of a run."""
    before = reading("floor: 7S 8S 9S | JC JD JS | 2H 3H 4H")
    after = reading("floor: 7S 8S 9S TS JS | JC | 2H 3H 4H")
    assert compare_readings(before, after, parse_cards("TS")).legal is None


@pytest.mark.parametrize(("column", "legal"), [(30, False), (4, True)])
def test_a_whole_card_without_a_place_that_lies_alone_is_in_no_meld(column: int, legal: bool | None) -> None:
    before = reading("floor: 3D 4D 5D 6D | 8S 9S TS; hand: 7S 2C")
    after = reading("floor: 3D 4D 5D | 7S 8S 9S TS; hand: 2C")
    found = compare_readings(before, with_cards(after, left_out("6D", quad_at(column, 9 if column > 9 else 0), 1.0, 2)))
    assert found.legal is legal
    if legal is False:
        assert found.to_json()["why"] == "6D lay on the floor and is in no meld any more"


def test_a_card_of_the_cross_is_gone_whatever_card_it_was() -> None:
    before = reading("floor: 4C 5C 6C; cross: 2C; hand: 7C")
    for other, rest, legal in (("2S", "", False), ("7C", "", None), ("2S", "2S", None)):  # it may not have been held
        doubted = tuple(
            replace(card, confidence=0.84, alternatives=((parse_cards(other)[0], 0.155),))
            if card.text == "2C"
            else card
            for card in before.cards
        )
        after = reading(f"floor: 4C 5C 6C 7C; cross: -; hand: {rest}")
        assert compare_readings(replace(before, cards=doubted), after).legal is legal


@pytest.mark.parametrize(("hidden", "legal"), [("", False), ("JD", None)])
def test_a_card_of_no_hand_may_be_the_one_that_its_meld_seems_to_hide(hidden: str, legal: bool | None) -> None:
    before, after = reading("floor: 8D 9D TD"), reading("floor: 8D 9D TD JD QD")
    cards = tuple(replace(card, sights=()) if card.text == hidden else card for card in after.cards)
    assert compare_readings(before, replace(after, cards=cards), parse_cards("JD 2C")).legal is legal


def test_what_could_have_been_played_is_not_told_where_no_deck_has_such_a_hand() -> None:
    doubted = reading("floor: 4C 5C 6C | 9C 9D 9H | 9C 9D 9S", {"4C": 0.6})
    found = compare_readings(doubted, reading("floor: 4C 5C 6C 7C | 9C 9D 9H | 9C 9D 9S"), parse_cards("7C 9C"))
    assert (found.legal, found.playable) == (True, None)


def test_a_corner_of_what_nobody_held_is_not_played_where_the_photos_show_the_hand() -> None:
    before = reading("floor: 4C 5C 6C | QD KD AD | 2S 3S 4S; hand: 7C 9S")
    after = reading("floor: 4C 5C 6C 7C | QD KD AD | 2S 3S 4S; hand: 9S")
    ghost = left_out("8H", quad_at(2, 2), 0.7)
    assert likely_turn(before, with_cards(after, ghost), None).agree > 0.97


def test_lookalikes_may_be_one_card_also_where_the_hand_was_read_from_the_photo() -> None:
    before = reading("floor: 5D 5H 5S | 6H 7H 8H | 9H TH JH QH; hand: 5C 2D")
    after = reading("floor: 5C 5D 5H | 6H 7H 8H 9H | TH JH QH; hand: 5S 2D")
    found = compare_readings(before, after)
    assert "5S is gone and 5C is new: or is it the same card in both photos?" in found.checks


def test_a_card_that_a_meld_seems_to_hide_is_not_surer_since_it_lay_elsewhere() -> None:
    after = reading("floor: AC 2C 3C 4C 5C 6C | KC KD KH")
    hidden = tuple(replace(card, confidence=0.5, sights=()) if card.text == "5C" else card for card in after.cards)
    for before, hand, legal in (
        ("floor: AC 2C 3C 4C | KC KD KH; cross: 5C", "6C", None),
        ("floor: AC 2C 3C 4C 5C | KC KD KH", "6C", True),
    ):
        assert compare_readings(reading(before), replace(after, cards=hidden), parse_cards(hand)).legal is legal, before


def test_another_corner_of_a_card_is_no_card_of_no_hand_that_the_first_photo_missed() -> None:
    before = with_cards(reading(BEFORE), left_out("KD", quad_at(1, 1), 0.3))
    assert compare_readings(before, reading(AFTER), parse_cards("7H 9H")).legal is False


def test_a_card_of_the_named_hand_that_the_table_shows_was_laid_there() -> None:
    before = reading("floor: TD JD QD KD | 4H 5H 6H | 3C 4C 5C")
    after = reading("floor: TD JD QD KD | 4H 5H 6H | 3C 4C 5C 6C")
    laid = [Position.parse("floor: TD JD QD KD 4H | 4H 5H 6H | 3C 4C 5C 6C")]
    shown = with_cards(after, left_out("4H", quad_at(4, 0), 0.99))
    found = compare_readings(before, shown, parse_cards("4H 6C JS"), laid)
    assert (found.legal, told(found)[0]) == (False, ["6C", "4H"])


def test_who_compares_two_photos_suspects_that_a_card_was_taken_up() -> None:
    """The reader finds it likelier that the queen lies in the hand than that the run goes on to it."""
    before = reading("floor: 9S TS JS QS | 4C 5C 6C; hand: 8S 7C")
    other = {"makiaveli floor: 8S 9S TS JS QS | 4C 5C 6C 7C; cross: -": -1.2}
    found = compare_readings(before, reading("floor: 8S 9S TS JS | 4C 5C 6C 7C; hand: QS", others=other))
    assert found.legal is not True


def test_what_both_photos_show_alike_is_one_doubt() -> None:
    cards = {"7C": 0.8, "6C": 0.8}
    found = compare_readings(reading(BEFORE, cards), reading(AFTER, cards))
    assert found.stands == pytest.approx(0.96 * 0.96, abs=0.01)


def test_a_card_that_was_left_out_lies_in_the_cross_if_it_does_in_the_other_photo() -> None:
    before = with_cards(reading(BEFORE), left_out("QH", quad_at(20, 9), 0.99))
    found = compare_readings(before, reading(AFTER.replace("2S", "2S QH")), parse_cards("7D 7H"))
    assert told(found) == (["7D", "7H"], ["7C"], True)


def test_a_card_that_only_the_rules_made_what_it_is_was_not_played_for_sure() -> None:
    before, after = reading("floor: TD JD QD | KC KD KH"), reading("floor: 9D TD JD QD | KC KD KH")
    assert compare_readings(before, after, parse_cards("2C 3C")).legal is False
    put_right = placed_at(after, "9D", "floor/0", quad_at(4, 0), why="read as QD, the rules leave 9D")
    found = compare_readings(before, put_right, parse_cards("2C 3C"))
    assert (found.legal, found.checks[0]) == (None, "is the 9D in meld 1 of the photo after the turn right?")


def test_no_turn_is_legal_for_sure_whose_table_lacks_a_card_that_is_plain_to_see() -> None:
    before = reading("floor: QC QD QH | KC KD KH; hand: AC KS 3S")
    rival = "makiaveli floor: QC QD QH | KC KD KH KS; hand: AC 3S"
    after = reading("floor: QC QD QH QS | KC KD KH KS; hand: AC 3S", others={rival: -0.5})
    found = compare_readings(before, after)
    assert found.legal is None
    assert "is the QS in meld 1 of the photo after the turn right?" in found.checks


def test_no_turn_is_legal_for_sure_while_a_card_of_the_hand_is_nowhere() -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; hand: 7C 9S 2H")
    found = compare_readings(before, reading("floor: 4C 5C 6C 7C | KC KD KH; hand: 2H"))
    assert found.legal is None
    assert "9S was in the hand and was not found after the turn: where does it lie?" in found.checks
    assert compare_readings(before, reading("floor: 4C 5C 6C 7C | KC KD KH")).legal is True, "no hand is shown then"


def test_a_card_that_was_left_out_beside_a_group_of_the_floor_did_not_stay_in_the_cross() -> None:
    before = reading("floor: 7C 8C 9C TC | KC KD KH; cross: JC; hand: QC 2H")
    after = reading("floor: 7C 8C 9C | KC KD KH | QC; hand: 2H")  # JC lies beside QC, and TC is covered
    assert compare_readings(before, with_cards(after, left_out("JC", quad_at(1, 2), 0.3))).legal is None


def test_a_card_that_changed_places_with_its_lookalike_may_be_misread_before() -> None:
    before = reading("floor: AC 2C 3C | AC 2C 3C | KC KD KH; hand: 7D KS")  # the second run is of spades
    after = reading("floor: AC 2C 3C | AS 2S 3S | KC KD KH KS; cross: AC; hand: 7D")
    assert compare_readings(before, after).legal is None


def test_a_corner_that_is_rather_none_beside_a_meld_is_no_card_of_it_that_is_gone() -> None:
    ghost = left_out("4D", quad_at(-1, 0), 0.16)
    before = with_cards(reading("floor: 5D 6D 7D 8D | KC KD KH"), ghost)
    after = reading("floor: 5D 6D 7D 8D | KC KD KH KS")
    assert told(compare_readings(before, after, parse_cards("KS 9C"))) == (["KS"], [], True)


def test_a_meld_of_before_beside_the_hand_is_no_excuse_for_what_was_laid_to_it() -> None:
    before = reading("floor: TD JD QD | 4H 5H 6H; hand: 2C 3C KS")
    after = reading("floor: TD JD QD 2C | 4H 5H 6H; hand: 3C KS")
    asked = with_melds_in_doubt(after, Place("floor", 0), ("hand", "floor"), None)
    whole = asked.checks[0].cards
    asked = replace(asked, checks=(replace(asked.checks[0], cards=whole[:3]),))
    assert compare_readings(before, asked).legal is False


@pytest.mark.parametrize(("column", "legal"), [(30, False), (1, None)])
def test_a_card_of_the_cross_may_be_of_the_hand_only_where_another_was_left_out_beside_it(
    column: int, legal: bool | None
) -> None:
    before = reading("floor: 4C 5C 6C | KC KD KH; cross: TS; hand: 7C 2H")
    before = with_cards(before, left_out("3D", quad_at(column, 2), 0.6))
    after = reading("floor: 4C 5C 6C 7C | KC KD KH; cross: -; hand: 2H")
    assert compare_readings(before, after).legal is legal


def test_what_is_left_of_a_meld_is_completed_with_what_is_gone() -> None:
    """The eight of clubs left it, the one of hearts is covered; no card of the run in diamonds is."""
    before = reading("floor: 8C 8D 8H 8S | 9C TC JC | 7D 8D 9D; hand: QC")
    after = reading("floor: 8D | 8S | 8C 9C TC JC QC | 7D 8D 9D")
    assert told(compare_readings(before, after)) == (["QC"], ["8C"], True)


def test_single_cards_that_lie_together_are_one_meld() -> None:
    before = reading("floor: 2C 2H 2S | 4C 5C 6C; hand: 2D")
    after = reading("floor: 4C 5C 6C | 2C | 2D | 2S | 2H")
    block = {"2C": (5, 9), "2D": (6, 9), "2S": (5, 10), "2H": (6, 10)}
    cards = tuple(
        replace(card, sights=(Sight(0, quad_at(*block[card.text])),)) if card.text in block else card
        for card in after.cards
    )
    assert told(compare_readings(before, replace(after, cards=cards))) == (["2D"], [], True)


def test_a_card_that_the_rules_put_right_in_a_meld_is_not_in_the_hand_for_sure() -> None:
    before = reading("floor: AC AH AS | 4C 5C 6C; hand: 7C 6D")
    other = {"makiaveli floor: AC AH AS | 4C 5C 6C 7C; cross: -; hand: 6D": -1.9}
    after = reading("floor: AC AD AH AS | 4C 5C 6C 7C", others=other)
    changes: Any = {"confidence": 0.87, "alternatives": ((parse_cards("6D")[0], 0.13),), "why": "read as 6D"}
    put_right = tuple(replace(card, **changes) if card.text == "AD" else card for card in after.cards)
    assert compare_readings(before, replace(after, cards=put_right)).legal is None


def test_a_run_whose_cards_are_those_of_two_melds_may_be_both_with_a_card_covered_by_its_like() -> None:
    before = reading("floor: 8H 9H TH JH | JH QH KH | 4C 5C 6C; hand: 7C 2S")
    after = reading("floor: 8H 9H TH JH QH KH | 4C 5C 6C 7C; hand: 2S")
    assert compare_readings(before, after).legal is None
