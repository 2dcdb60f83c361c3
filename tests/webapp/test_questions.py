"""What each answer to a question about a photo changes on the table, and in which order it is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from drawing.boards import board
from plumbing.errors import CardsError
from solver import parse
from solver.place import Place
from tests.webapp.readings_app import LARGE, back, card, cards_of, reading
from vision.confidence import WHOLE_STANDS_FROM
from vision.question import LAID, MOVED, Question, QuestionKind, ask_where
from vision.read_card import Sight
from vision.reading import Reading
from webapp import edits, questions
from webapp.corrections import places_of_cards
from webapp.questions import end_with_parted, questions_json, with_answer
from webapp.trust import card_id, certainty, find_question, open_questions, question_id
from webapp.wording import sentence

Json = dict[str, Any]
MELDS = "makiaveli floor: 2D 3D 4D 5D 6D 7D | 9S TS JS; cross: 2S - - -; hand: 7C 7H 7S 9D"
HERE = ("floor/0", "hand")
COLUMNS = "klondike draw: 1; moves: run; columns: ?? ?? [2C] | [7C] | - | - | - | - | -; stock: ??; foundations: C1"


def read(line: str, cards: list[Json] | None = None, *checks: Question, **more: Any) -> Reading:
    """A reading of a table."""
    found = reading(parse(line).game, cards_of(line) if cards is None else cards, **more)
    return Reading.from_json(found | {"position": parse(line).to_json(), "questions": [q.to_json() for q in checks]})


def answered(found: Reading, question: Question, value: str) -> Json:
    """The table of a reading after an answer."""
    assert found.position is not None
    table = found.position.to_json()
    held = places_of_cards(board(table), found.cards, str(found.position))
    return with_answer(table, question, value, found, held)


@pytest.mark.parametrize(
    ("line", "question"),
    [
        (MELDS, Question(QuestionKind.CARD, "is 2D right?", Place("floor", 0), ("2D", "3D"), (0,))),
        (MELDS, Question(QuestionKind.ZONE, ask_where("2D", Place("floor", 0)), Place("floor", 0), HERE, (0,))),
        (MELDS, Question(QuestionKind.ZONE, "is the 7C of the hand?", Place("hand"), HERE[::-1], (9, 10))),
        (
            MELDS,
            Question(
                QuestionKind.MELDS,
                "7D 6D 5D 4D 3D 2D may be two melds, parted between 5D and 4D: please check the gap",
                Place("floor", 0),
                ("one meld", "two melds"),
                (5, 4, 3, 2, 1, 0),
                gap=(3, 2),
            ),
        ),
        (
            MELDS,
            Question(QuestionKind.MELDS, "9S TS JS may not lie as one meld", None, ("one meld", "other melds"), (6,)),
        ),
        (MELDS, Question(QuestionKind.MELDS, "7C 7H 7S of the hand make a meld", None, ("hand", "floor"), (9, 10, 11))),
        (
            MELDS,
            Question(QuestionKind.UNREAD, "the picture ends at JS: is there a card?", Place("floor", 1), cards=(8,)),
        ),
        (COLUMNS, Question(QuestionKind.UNREAD, "the picture ends in columns 1 and 2", cards=(0,))),
        (COLUMNS, Question(QuestionKind.UNREAD, "I see a card here that I cannot read", photos=(0,))),
        (COLUMNS, Question(QuestionKind.HIDDEN, "column 1 may hide 1 card", Place("column", 0), ("2", "1"))),
        (COLUMNS, Question(QuestionKind.HIDDEN, "how many cards lie under each?", Place("column"), cards=(0, 1))),
        (COLUMNS, Question(QuestionKind.ZONE, "the piles may not be columns 1 2", None, ("1 2", "1 4"))),
        (COLUMNS, Question(QuestionKind.GAME, "may be Makiaveli: please check", None, ("klondike", "makiaveli"))),
        (COLUMNS, Question(QuestionKind.TURNED, "which end lies lowest? It is read as the 5C")),
        (COLUMNS, Question(QuestionKind.TURNED, "2C of the stock; please take one more photo", needs_photo=True)),
        (COLUMNS, Question(QuestionKind.TURNED, "2C is read twice: where is no card?", choices=("1", "2"))),
        (MELDS, Question(QuestionKind.PHOTOS, "both have only 7C in common: please check", photos=(0, 1))),
        (
            MELDS,
            Question(QuestionKind.PHOTOS, "7C at different places in 1 and 2: right?", photos=(0, 1), moved=("7C",)),
        ),
        (MELDS, Question(QuestionKind.APART, "2 does not join: no cards lie alike", photos=(1,), moved=("7C",))),
        (MELDS, Question(QuestionKind.APART, "2 shows no card that can be read", photos=(1,))),
    ],
    ids=lambda value: "" if isinstance(value, str) else value.kind,
)
def test_of_a_question_only_its_fields_count_and_its_text_is_shown_at_the_most(line: str, question: Question) -> None:
    found = read(line, photos=[{"width": 640, "height": 480}] * 2)
    table = parse(line).to_json()
    held = places_of_cards(board(table), found.cards, line)

    def shown(asked: Question) -> tuple[Json, list[Json]]:
        """The question, and the table after each answer that the page offers."""
        (made,) = questions_json(found, [asked], table, held, None)
        told = made["choices"] if asked.kind in (QuestionKind.ZONE, QuestionKind.MELDS) else ()
        tables = [with_answer(table, asked, choice["value"], found, held) for choice in told]
        text = made["text"].replace(sentence(asked.text), "its text")
        return made | {"id": "", "text": text}, tables

    assert shown(question) == shown(replace(question, text="x"))


def test_a_card_is_changed_taken_off_or_left() -> None:
    found = read(MELDS, cards_of(MELDS, 1))
    (asked,) = open_questions(found, ())
    assert answered(found, asked, "KD")["floor"][0][0] == "KD"
    assert answered(found, asked, "none")["floor"][0] == ["3D", "4D", "5D", "6D", "7D"]
    assert answered(found, asked, "right")["floor"][0][0] == "2D"


def test_rules_that_a_table_does_not_break_as_it_is_drawn_are_asked_about() -> None:
    told = Question(QuestionKind.RULES, "2D and 3D lie apart, but the table shows one pile of them", cards=(0, 1))
    found = read(MELDS, None, told)
    assert open_questions(found, ()) == [told]
    (shown,) = questions_json(found, [told], parse(MELDS).to_json(), {}, None)
    assert shown["text"] == "2♦ and 3♦ lie apart, but the table shows one pile of them."
    assert shown["choices"][0]["label"] == "That is right"
    broken = read(MELDS.replace("9S TS JS", "9S TS"), None, told)
    assert open_questions(broken, ()) == [], "it is told as a fault"


@pytest.mark.parametrize(
    ("ways", "text", "labels"),
    [
        (("2 3 4 5 6 7", "1 2 3 4 5 6", "1 3 4 5 6 7"), "Which column is empty, or was not found?", "1 2 7"),
        (("1 2 3 4 5 6", "2 3 4 5 6"), "Which columns are empty, or were not found?", "1 and 7 7"),
    ],
)
def test_columns_that_may_be_empty_are_named_in_order(ways: tuple[str, ...], text: str, labels: str) -> None:
    asked = Question(QuestionKind.ZONE, "?", choices=ways)
    (shown,) = questions_json(read(COLUMNS), [asked], parse(COLUMNS).to_json(), {}, None)
    assert shown["text"] == text
    assert " ".join(choice["label"] for choice in shown["choices"]) == labels
    assert [choice["value"] for choice in shown["choices"] if choice["likely"]] == [ways[0]]


def test_a_card_of_a_meld_is_asked_about_beside_the_others_of_it() -> None:
    found = read(MELDS, cards_of(MELDS, 1))
    held = places_of_cards(board(parse(MELDS).to_json()), found.cards, MELDS)
    (shown,) = questions_json(found, open_questions(found, ()), parse(MELDS).to_json(), held, None)
    assert shown["text"] == "Which card is this? (beside 3♦ 4♦ … 7♦)", "on the board no meld has its number"


def test_a_card_without_a_place_is_put_where_it_lies_or_nowhere() -> None:
    cards = [*cards_of(MELDS), card(30, "KD", "none")]
    unplaced = Question(QuestionKind.UNPLACED, "KD found no place", cards=(len(cards) - 1,))
    found = read(MELDS, cards, unplaced)
    (asked,) = open_questions(found, ())
    assert find_question(found, question_id(asked)) == asked
    held = places_of_cards(board(parse(MELDS).to_json()), found.cards, MELDS)
    (shown,) = questions_json(found, [asked], parse(MELDS).to_json(), held, None)
    names = [choice["label"] for choice in shown["choices"]]
    assert names == ["Hand", "2♦ 3♦ … 7♦", "9♠ 10♠ J♠", "A new meld"], "on the board no meld has its number"
    assert answered(found, asked, "hand")["hand"][-1] == "KD"
    assert answered(found, asked, "floor/*")["floor"][-1] == ["KD"]
    assert answered(found, asked, "none") == parse(MELDS).to_json()


def test_a_card_without_a_place_goes_where_its_column_lacks_it() -> None:
    line = "klondike draw: 1; columns: [TC 8C] | - | - | - | - | - | -"
    cards = [*cards_of(line), card(30, "9D", "none")]
    found = read(line, cards, Question(QuestionKind.UNPLACED, "9D found no place", cards=(len(cards) - 1,)))
    (asked,) = open_questions(found, ())
    assert answered(found, asked, "columns/0/up")["columns"][0]["up"] == ["TC", "9D", "8C"]


def at(zone: str, name: str, column: int, y: float) -> Json:
    """A card that a photo shows in a column, so far down."""
    left = 100.0 * column
    return card(0, name, zone) | {"quad": [[left, y], [left + 50, y], [left + 50, y + 70], [left, y + 70]]}


@pytest.mark.parametrize(
    ("shown", "y", "wanted"),
    [
        ([("8D", 20), ("4H", 100)], 60, ["8D", "8S", "4H"]),
        ([("8D", 20), ("4H", 100)], 150, ["8D", "4H", "8S"]),
        ([("8D", 90)], 40, ["8S", "8D"]),
    ],
)
def test_a_card_without_a_place_goes_where_the_photo_shows_it_in_its_column(
    shown: list[tuple[str, float]], y: float, wanted: list[str]
) -> None:
    line = f"klondike columns: [{' '.join(name for name, _ in shown)}] | [KC QH] | - | - | - | - | -"
    cards = [at("column/0", name, 0, height) for name, height in shown]
    cards += [at("column/1", "KC", 1, 20), at("column/1", "QH", 1, 50), at("none", "8S", 0, y)]
    found = read(line, cards, Question(QuestionKind.UNPLACED, "8S found no place", cards=(len(cards) - 1,)))
    (asked,) = open_questions(found, ())
    table = answered(found, asked, "columns/0/up")
    assert table["columns"][0]["up"] == wanted, "a rule was broken, and the photo shows how"
    held = places_of_cards(board(table), found.cards, line)
    assert held[len(cards) - 1] == f"columns/0/up/{wanted.index('8S')}", "its label stays in the photo"
    unread = Question(QuestionKind.UNREAD, "?", Place("column", 0), sights=found.cards[-1].sights)
    assert answered(found, unread, "8S") == table
    beyond = Question(QuestionKind.UNREAD, "?", Place("column", 0), cards=(0,), sights=found.cards[-1].sights)
    assert answered(found, beyond, "8S")["columns"][0]["up"][-1] == "8S", "the photo shows only a card beside it"


def test_a_card_without_a_place_may_lie_in_the_waste_however_far_that_lies() -> None:
    line = "klondike columns: [TC] | [7C] | [5D] | [JH] | - | - | -; waste: KH"
    cards = [*cards_of(line), card(40, "KH", "waste"), card(8, "JD", "none")]
    found = read(line, cards, Question(QuestionKind.UNPLACED, "JD found no place", cards=(len(cards) - 1,)))
    table = parse(line).to_json()
    held = places_of_cards(board(table), found.cards, line)
    (shown,) = questions_json(found, open_questions(found, ()), table, held, None)
    assert [choice["label"] for choice in shown["choices"]] == [
        *("Column 4", "Column 3", "Column 2", "Column 5"),
        *("Waste", "Foundation of diamonds"),
    ]


def test_of_a_card_that_no_photo_shows_those_beside_it_are_shown() -> None:
    cards = cards_of(MELDS)
    cards[1] |= {"confidence": 0.5, "quad": None}
    found = read(MELDS, cards)
    table = parse(MELDS).to_json()
    held = places_of_cards(board(table), found.cards, MELDS)
    (shown,) = questions_json(found, open_questions(found, ()), table, held, None)
    assert shown["text"].startswith("A card seems to be missing")
    assert [sight["quad"] for sight in shown["sights"]] == [found.cards[beside].sights[0].quad for beside in (0, 2)]


def test_a_card_without_a_place_may_lie_on_its_foundation_and_all_below_with_it() -> None:
    cards = [*cards_of(COLUMNS), card(30, "4C", "none")]
    found = read(COLUMNS, cards, Question(QuestionKind.UNPLACED, "4C found no place", cards=(len(cards) - 1,)))
    (asked,) = open_questions(found, ())
    table = parse(COLUMNS).to_json()
    (shown,) = questions_json(found, [asked], table, {}, None)
    assert {"value": "foundations/C", "label": "Foundation of clubs"} in shown["choices"]
    assert answered(found, asked, "foundations/C")["foundations"]["C"] == 4
    built = table | {"foundations": table["foundations"] | {"C": 5}}
    (shown,) = questions_json(found, [asked], built, {}, None)
    assert "foundations/C" not in [choice["value"] for choice in shown["choices"]], "it lies under the top already"


def test_a_card_without_a_place_is_put_on_an_empty_column() -> None:
    cards = [*cards_of(COLUMNS), card(30, "QH", "none")]
    found = read(COLUMNS, cards, Question(QuestionKind.UNPLACED, "QH found no place", cards=(len(cards) - 1,)))
    (asked,) = open_questions(found, ())
    assert answered(found, asked, "columns/3/up")["columns"][3] == {"down": [], "up": ["QH"]}


def test_counts_of_all_squared_piles_are_one_question_that_a_tap_settles() -> None:
    text = "the piles lie squared: how many cards lie under each? 2, 0, 0, 0, 0, 0, 0 are taken, from left to right"
    asked = Question(QuestionKind.HIDDEN, text, Place("column"), cards=(0, 1), doubt=0.9)
    found = read(COLUMNS, None, asked)
    table = parse(COLUMNS).to_json()
    (shown,) = questions_json(found, [asked], table, {}, None)
    assert [choice["value"] for choice in shown["choices"]] == ["right"]
    assert shown["text"].startswith("The piles lie squared: how many")
    assert answered(found, asked, "right") == table


def test_cards_face_down_become_as_many_as_are_said() -> None:
    found = read(COLUMNS)
    asked = Question(QuestionKind.HIDDEN, "?", Place("column", 0), ("2", "1"), doubt=0.3)
    assert answered(found, asked, "1")["columns"][0]["down"] == ["??"]
    assert answered(found, asked, "5")["columns"][0]["down"] == ["??"] * 5
    assert answered(found, asked, "2") == parse(COLUMNS).to_json()


def test_a_column_is_offered_no_more_face_down_than_the_deal_gives_it_or_was_read() -> None:
    def offered(line: str, column: int, *likely: str) -> str:
        asked = Question(QuestionKind.HIDDEN, "?", Place("column", column), likely, doubt=0.3)
        (shown,) = questions_json(read(line, None, asked), [asked], parse(line).to_json(), {}, None)
        down = parse(line).to_json()["columns"][column]["down"]
        assert shown["taken"] == str(len(down)), "who is not sure leaves it at that"
        return " ".join(choice["value"] for choice in shown["choices"])

    dealt = COLUMNS.replace("?? ?? [2C]", "[2C]").replace("| - |", "| ?? ?? [7D] |", 1)
    assert offered(dealt, 3, "1") == "0 1 2 3"
    assert offered(dealt, 1, "1", "3") == "0 1 2 3", "three are likely, too"
    assert offered(COLUMNS, 1, "1") == "0 1 2 3 4 5 6", "the first column hides two: it was dealt from the right"


def test_where_no_back_was_found_the_picture_reaches_up_to_where_the_piles_begin() -> None:
    cards = [card(3, "2C", "column/0"), card(12, "7C", "column/1")]  # the second one lies 90 px lower
    asked = Question(QuestionKind.HIDDEN, "?", Place("column", 1), ("1", "2"), doubt=0.3)
    found = read(COLUMNS, cards, asked)
    (shown,) = questions_json(found, [asked], parse(COLUMNS).to_json(), {}, None)
    seen, room = (sight["quad"] for sight in shown["sights"])
    higher = 90 + 0.2 * (seen[3][1] - seen[0][1])  # and a little more, as the lowest of all may have been missed
    assert np.allclose([(x, y - higher) for x, y in seen], room)


def hidden_shown(found: int, *choices: str, doubt: float = 0.3) -> dict[str, Any]:
    """The question how many cards lie face down in a column, of which so many backs were found, each 10 px lower."""
    asked = Question(QuestionKind.HIDDEN, "?", Place("column", 1), choices, doubt=doubt)
    backs = [back("column/1", 40 + 10 * n) for n in range(found)]
    reading = read(COLUMNS, [card(11, "7C", "column/1")], asked, backs=backs)
    (shown,) = questions_json(reading, [asked], parse(COLUMNS).to_json(), {}, None)
    return shown


def test_the_picture_of_a_count_shows_the_backs_and_the_upper_edge_of_the_first_open_card() -> None:
    shown = hidden_shown(3, "3", "4")
    *backs, face, _ = (sight["quad"] for sight in shown["sights"])
    (_, top), length = face[0], face[3][1] - face[0][1]
    highest = min(y for quad in backs for _, y in quad)
    assert shown["part"][3] == pytest.approx(top + 0.35 * length)
    assert highest - 0.6 * length <= shown["part"][1] < highest, "and where one may lie that was not found"
    xs = [x for quad in (*backs, face) for x, _ in quad]
    assert shown["part"][::2] == pytest.approx([min(xs) - 0.1 * length, max(xs) + 0.1 * length])


@pytest.mark.parametrize(
    ("found", "choices", "doubt", "told"),
    [(3, ("3", "2"), 0.3, True), (3, ("4", "3"), 0.3, False), (3, ("3", "4"), 0.4, False)],
)
def test_backs_are_numbered_only_where_their_count_is_the_answer_that_stands_out(
    found: int, choices: tuple[str, ...], doubt: float, told: bool
) -> None:
    assert hidden_shown(found, *choices, doubt=doubt)["told"] is told


@pytest.mark.parametrize(("asked_about", "told"), [(3, False), (4, True)])
def test_who_is_asked_about_many_columns_that_show_no_back_is_told_how_to_show_them(
    asked_about: int, told: bool
) -> None:
    asked = [Question(QuestionKind.HIDDEN, f"{n}?", Place("column", n), ("0", f"{n}")) for n in range(asked_about)]
    found = read(COLUMNS, None, *asked)
    shown = questions_json(found, asked[:1], parse(COLUMNS).to_json(), {}, None)
    assert ("hint" in shown[0]) == told, "also once the others were answered"
    backs = [back("column/0", 40), back("stock", 40)]
    shown = questions_json(read(COLUMNS, None, *asked, backs=backs), asked, parse(COLUMNS).to_json(), {}, None)
    assert not any("hint" in one for one in shown), "the backs show that this column is fanned"


def gap(*between: int) -> Question:
    """Whether the first meld of MELDS is two, with a gap between two of its cards, as a photo shows them."""
    ways, cards = ("one meld", "two melds"), (5, 4, 3, 2, 1, 0)
    return Question(QuestionKind.MELDS, f"{between}?", Place("floor", 0), ways, cards, doubt=0.2, gap=between)


def test_a_meld_is_parted_at_the_gap_that_is_asked_about() -> None:
    found = read(MELDS)
    asked = gap(3, 2)
    (shown,) = questions_json(found, [asked], parse(MELDS).to_json(), {}, None)
    assert shown["text"] == "Are 7♦ 6♦ 5♦ and 4♦ 3♦ 2♦ one meld, or two?"
    floor = [["2D", "3D", "4D"], ["5D", "6D", "7D"], ["9S", "TS", "JS"]]
    assert answered(found, asked, "two melds")["floor"] == floor
    assert answered(found, asked, "one meld") == parse(MELDS).to_json()


def test_a_meld_that_was_parted_is_asked_about_as_it_lies_now() -> None:
    first, second = gap(3, 2), gap(2, 1)
    found = read(MELDS, None, first, second)
    parted = answered(found, first, "two melds")
    held = places_of_cards(board(parted), found.cards, MELDS)
    same, other = questions_json(found, [first, second], parted, held, None)
    assert same["text"].startswith("Are 7♦ 6♦ 5♦ and 4♦ 3♦ 2♦ one meld"), "it may have been parted by hand"
    assert other["text"] == "Are 4♦ and 3♦ 2♦ one meld, or two?"
    assert with_answer(parted, first, "one meld", found, held)["floor"] == [
        ["2D", "3D", "4D", "5D", "6D", "7D"],
        ["9S", "TS", "JS"],
    ]
    assert with_answer(parted, first, "two melds", found, held) == parted
    assert with_answer(parted, second, "two melds", found, held)["floor"][:2] == [["2D", "3D"], ["4D"]]
    gone = edits.move(parted, held[2], "hand")
    with pytest.raises(KeyError):
        with_answer(gone, first, "one meld", found, places_of_cards(board(gone), found.cards, MELDS))


def test_a_place_that_is_offered_is_the_meld_that_was_meant_once_another_one_was_parted() -> None:
    first = gap(3, 2)
    where = Question(QuestionKind.ZONE, "where?", Place("floor", 1), ("floor/1", "floor/0"), (8,), doubt=0.2)
    found = read(MELDS, None, first, where)
    parted = answered(found, first, "two melds")
    held = places_of_cards(board(parted), found.cards, MELDS)
    (shown,) = questions_json(found, [where], parted, held, None)
    here, *halves = (choice["value"] for choice in shown["choices"])
    assert with_answer(parted, where, here, found, held) == parted
    melds = [with_answer(parted, where, half, found, held)["floor"] for half in halves]
    assert [["2D", "3D", "4D"], ["5D", "6D", "7D", "JS"], ["9S", "TS"]] in melds
    assert [["2D", "3D", "4D", "JS"], ["5D", "6D", "7D"], ["9S", "TS"]] in melds


def test_that_a_meld_is_parted_also_answers_whether_it_is_one() -> None:
    first, second = gap(3, 2), gap(2, 1)
    same, other = (
        Question(QuestionKind.MELDS, str(cards), None, ("one meld", "other melds"), cards)
        for cards in (tuple(range(6)), (6, 7, 8))
    )
    assert end_with_parted(first, read(MELDS, None, first, second, same, other)) == [same.text]


def test_whether_cards_lie_as_one_meld_is_a_question_with_yes_and_no() -> None:
    text = "9S TS JS may not lie as one meld: please check which cards do"
    asked = Question(QuestionKind.MELDS, text, Place("floor", 1), ("one meld", "other melds"), (6, 7, 8), doubt=0.2)
    (shown,) = questions_json(read(MELDS, None, asked), [asked], parse(MELDS).to_json(), {}, None)
    assert shown["text"] == "Do 9♠ 10♠ J♠ make one meld?"
    assert ([choice["label"] for choice in shown["choices"]], shown["no"]) == (["Yes"], "No, I will change it")


def test_a_meld_of_the_hand_may_lie_on_the_floor() -> None:
    found = read(MELDS)
    for told in ("of the hand make a meld: please check", "lie in a row with the hand: please check"):
        asked = Question(QuestionKind.MELDS, f"7C 7H 7S {told}", Place("hand"), ("hand", "floor"), (9, 10, 11))
        (shown,) = questions_json(found, [asked], parse(MELDS).to_json(), {}, None)
        assert shown["text"] == "Do 7♣, 7♥ and 7♠ lie in the hand or on the floor?"
    table = answered(found, asked, "floor")
    assert (table["hand"], table["floor"][-1]) == (["9D"], ["7C", "7H", "7S"])
    assert answered(found, asked, "hand") == parse(MELDS).to_json()


def test_a_meld_of_the_floor_may_belong_to_the_hand() -> None:
    text = "9S TS JS lie in a row with the hand: please check whether they belong to it"
    asked = Question(QuestionKind.MELDS, text, Place("hand"), ("hand", "floor"), (6, 7, 8))
    found = read(MELDS, None, asked)
    table = answered(found, asked, "hand")
    assert table["hand"] == ["7C", "7H", "7S", "9D", "9S", "TS", "JS"]
    assert [meld for meld in table["floor"] if meld] == parse(MELDS).to_json()["floor"][:1]
    assert answered(found, asked, "floor") == parse(MELDS).to_json(), "it lies there already"


def test_counts_of_several_columns_may_be_answered_together_also_that_nothing_is_hidden() -> None:
    found = read(COLUMNS)
    counted = Question(QuestionKind.HIDDEN, "few?", Place("column", 1), ("1", "0"), doubt=0.6)
    (shown,) = questions_json(found, [counted], parse(COLUMNS).to_json(), {}, None)
    assert shown["read"].startswith("column 2: ")
    assert answered(found, counted, "right") == parse(COLUMNS).to_json()
    assert answered(found, counted, shown["every"]["value"])["columns"][1]["down"] == []


def test_a_card_that_could_not_be_read_is_added_where_it_lies() -> None:
    found = read(MELDS)
    near = Sight(0, ((200, 115), (250, 115), (250, 170), (200, 170)))
    asked = Question(QuestionKind.UNREAD, "?", sights=(near,), doubt=0.5)
    (shown,) = questions_json(found, [asked], parse(MELDS).to_json(), {}, None)
    assert shown["text"].startswith("Does a card lie here?"), "it may be none"
    assert answered(found, asked, "KH")["hand"][-1] == "KH", "beside the hand in the photo"
    assert answered(found, asked, "none") == parse(MELDS).to_json()
    with pytest.raises(CardsError):
        answered(found, asked, "what")
    beside = Question(QuestionKind.UNREAD, "?", sights=(Sight(0, ((20, 20), (70, 20), (70, 90), (20, 90))),))
    assert answered(found, beside, "8D")["floor"][0][-1] == "8D"
    assert answered(found, beside, "QS")["floor"][1] == ["9S", "TS", "JS", "QS"], "on the next meld, where it fits"
    assert answered(found, beside, "KH")["floor"][2] == ["KH"], "to no meld that it would break"


def test_a_card_that_the_photo_cut_off_goes_to_the_row_that_it_cut() -> None:
    found = read(MELDS)
    asked = Question(
        QuestionKind.UNREAD, "the picture ends at JS: does a card lie beyond it?", Place("floor", 1), cards=(8,)
    )
    (shown,) = questions_json(found, [asked], parse(MELDS).to_json(), {}, None)
    assert (shown["text"], shown["none"]) == ("The picture ends at J♠: does a card lie beyond it?", "No")
    assert shown["ends"], "a photo of what lies there is offered with it"
    assert answered(found, asked, "QS")["floor"][1] == ["9S", "TS", "JS", "QS"]
    assert answered(found, asked, "none") == parse(MELDS).to_json()
    in_hand = Question(QuestionKind.UNREAD, "?", Place("hand"), cards=(9,))
    assert "KH" in answered(found, in_hand, "KH")["hand"]


def test_where_the_picture_ends_above_the_columns_nothing_lies_or_a_person_adds_it() -> None:
    found = read(COLUMNS)
    text = "the picture ends above the columns: does a card lie beyond it?"
    asked = Question(QuestionKind.UNREAD, text, cards=(0,))
    (shown,) = questions_json(found, [asked], parse(COLUMNS).to_json(), {}, None)
    assert shown["text"] == f"T{text[1:]}"
    assert [choice["value"] for choice in shown["choices"]] == ["none"]
    assert shown["no"], "which leaves the question open"
    assert answered(found, asked, "none") == parse(COLUMNS).to_json()


@pytest.mark.parametrize(
    ("choices", "why", "label"),
    [
        (MOVED, "Why do 6♣, 7♣ and K♣ lie at different places in photo 1 and photo 2?", "No card was moved in between"),
        (LAID, "Why are 6♣, 7♣ and K♣ in photo 2 only?", "No card was laid in between"),
    ],
)
def test_of_two_photos_with_many_moved_cards_it_is_only_asked_which_came_first(
    choices: tuple[str, ...], why: str, label: str
) -> None:
    moved = ("4C", "5C", "6C", "7C", "KC")
    texts = []
    for cards in (moved, moved[2:]):
        asked = Question(QuestionKind.PHOTOS, "?", choices=choices, photos=(0, 1), moved=cards)
        (shown,) = questions_json(read(MELDS), [asked], parse(MELDS).to_json(), {}, None)
        texts.append(shown["text"])
        assert shown["choices"][0]["turn"] == [0, 1], "the order of the photos"
        assert shown["choices"][-1] == {"value": "right", "label": label}
    assert texts == ["Which photo was taken first?", why]


@pytest.mark.parametrize(
    ("line", "moved", "photos", "turns"),
    [(MELDS, ("7C",), 2, [[0, 1]]), (MELDS, ("7C",), 3, []), (MELDS, (), 2, []), (COLUMNS, ("7C",), 2, [])],
)
def test_two_photos_that_do_not_join_may_be_before_and_after_a_turn(
    line: str, moved: tuple[str, ...], photos: int, turns: list[list[int]]
) -> None:
    asked = Question(QuestionKind.APART, "photo 2 does not join", photos=(1,), moved=moved)
    found = read(line, None, asked, photos=[{"width": 640, "height": 480}] * photos)
    (shown,) = questions_json(found, [asked], parse(line).to_json(), {}, None)
    assert [choice["turn"] for choice in shown["choices"] if "turn" in choice] == turns
    assert shown["choices"][len(turns)]["label"] == "Go on without it", "a turn comes first where it may be one"


def test_a_card_without_a_place_may_lie_in_an_empty_column_beside_the_nearest_one() -> None:
    line = "klondike draw: 1; moves: run; columns: [2C] | [7C] | - | [9H] | [JD] | - | [4S]; stock: ??"
    lay = [card(0, "2C", "column/0"), card(3, "7C", "column/1"), card(6, "9H", "column/3"), card(7, "JD", "column/4")]
    found = read(line, [*lay, card(9, "4S", "column/6"), card(4, "QH", "none", 0.5)])
    held = places_of_cards(board(parse(line).to_json()), found.cards, line)
    (shown,) = questions_json(found, open_questions(found, ()), parse(line).to_json(), held, None)
    assert shown["text"] == "Where does Q♥ lie?"
    offered = [choice["label"] for choice in shown["choices"] if choice["label"].startswith("Column")]
    assert offered == ["Column 2", "Column 4", "Column 5", "Column 3"]


def test_a_place_of_one_card_that_is_taken_is_offered_last() -> None:
    table = MELDS.replace("2S - - -", "2S KD - 8H")
    where, ways = Place("cross", 1), ("cross/1", "cross/3", "cross/2")
    lies = Question(QuestionKind.ZONE, ask_where("KD", where), where, ways, (9,), doubt=0.3)
    (shown,) = questions_json(read(table), [lies], parse(table).to_json(), {9: "cross/1"}, None)
    assert [choice["label"] for choice in shown["choices"][:3]] == ["Cross, right", "Cross, below", "Cross, left"]


def test_of_a_card_that_was_left_out_and_may_be_none_it_is_asked_first_whether_there_is_one() -> None:
    def shown(by_looks: float) -> Json:
        found = read(MELDS, [*cards_of(MELDS), card(0, "4D", "none", 0.5) | {"by_looks": by_looks}])
        (made,) = questions_json(found, open_questions(found, ()), parse(MELDS).to_json(), {}, None)
        return made

    unsure, seen_whole = shown(0.5), shown(0.99)
    assert unsure["text"] == "Is a card here, perhaps 4♦? If so, where does it lie?"
    assert unsure["choices"][0] == {"value": "none", "label": "No such card"}
    assert "none" not in unsure, "it is offered once"
    assert seen_whole["text"] == "Where does 4♦ lie?"
    assert unsure["choices"][1:] == seen_whole["choices"]
    assert seen_whole["none"] == "No such card"
    assert unsure["round"] == seen_whole["round"] == 1.0, "what lies round it tells where it lies"


@pytest.mark.parametrize(("other", "is_of_suit"), [("2S", True), ("3D", False)])
def test_a_question_about_a_suit_shows_the_pips(other: str, is_of_suit: bool) -> None:
    first, *others = cards_of(MELDS, 1)
    found = read(MELDS, [first | {"alternatives": [[other, 0.3]]}, *others])
    held = places_of_cards(board(parse(MELDS).to_json()), found.cards, MELDS)
    (shown,) = questions_json(found, open_questions(found, ()), parse(MELDS).to_json(), held, None)
    assert shown["isOfSuit"] == is_of_suit


def test_cards_are_moved_to_another_place_and_piles_to_other_columns() -> None:
    found = read(COLUMNS)
    text = "perhaps 7C does not lie in column 2: please check where it lies"
    lies = Question(QuestionKind.ZONE, text, Place("column", 1), ("column/1", "waste"), (1,))
    held = places_of_cards(board(parse(COLUMNS).to_json()), found.cards, COLUMNS)
    (shown,) = questions_json(found, [lies], parse(COLUMNS).to_json(), held, None)
    assert shown["text"] == "Where does 7♣ lie?"
    assert answered(found, lies, "waste")["waste"] == ["7C"]
    assert answered(found, lies, "column/1") == parse(COLUMNS).to_json()
    which = Question(QuestionKind.ZONE, "?", None, ("1 2", "1 4"))
    assert answered(found, which, "1 4")["columns"][3]["up"] == ["7C"]


@pytest.mark.parametrize(
    ("line", "place", "other", "label", "height", "waste"),
    [
        ("waste: 3C", "waste", "foundation/C", "Foundation of clubs", 3, []),
        ("foundations: C3", "foundation/C", "waste", "Waste", 0, ["3C"]),
    ],
)
def test_a_card_of_the_waste_may_lie_on_its_foundation_and_the_other_way_round(
    line: str, place: str, other: str, label: str, height: int, waste: list[str]
) -> None:
    table = f"klondike draw: 1; columns: [9D] | - | - | - | - | - | -; {line}"
    where, text = Place.parse(place), f"perhaps 3C does not lie in {place}: please check where it lies"
    found = read(table, [card(0, "9D", "column/0"), card(1, "3C", place)])
    lies = Question(QuestionKind.ZONE, text, where, (place, other), (1,))
    (shown,) = questions_json(found, [lies], parse(table).to_json(), {0: "columns/0/up/0"}, None)
    assert shown["choices"][-1] == {"value": other, "label": label}
    after = answered(found, lies, other)
    assert (after["foundations"]["C"], after["waste"]) == (height, waste)


def test_a_meld_that_an_answer_made_is_among_the_places_of_the_next_card() -> None:
    first, second = (
        Question(QuestionKind.ZONE, f"perhaps {name} does not lie in hand", Place("hand"), ("hand", "floor"), (number,))
        for number, name in ((9, "7C"), (10, "7H"))
    )
    found = read(MELDS, None, first, second)
    table = answered(found, first, "floor")
    held = places_of_cards(board(table), found.cards, MELDS)
    (shown,) = questions_json(found, [second], table, held, None)
    assert shown["choices"][1:] == [
        {"value": "floor", "label": "A new meld"},
        {"value": "floor/2", "label": "7♣"},
    ]
    assert with_answer(table, second, "floor/2", found, held)["floor"][2:] == [["7C", "7H"]]


def test_a_card_that_lies_by_itself_is_told_so() -> None:
    line = "makiaveli floor: TD JD QD | 2C; cross: - - - -; hand: 3H"
    lies = Question(QuestionKind.ZONE, "?", Place("floor", 1), ("floor/1", "floor/0"), (3,))
    (shown,) = questions_json(read(line), [lies], parse(line).to_json(), {}, None)
    assert [choice["label"] for choice in shown["choices"]] == ["By itself", "10♦ J♦ Q♦"]


def test_a_card_taken_for_one_of_the_cross_may_be_of_a_meld_that_is_cut_off() -> None:
    found = read(MELDS, [*cards_of(MELDS), card(30, "2S", "cross/0")])
    text = "perhaps 2S does not lie in cross, above: please check where it lies"
    lies = Question(QuestionKind.ZONE, text, Place("cross", 0), ("cross/0", "cross/1"), (len(found.cards) - 1,))
    held = places_of_cards(board(parse(MELDS).to_json()), found.cards, MELDS)
    (shown,) = questions_json(found, [lies], parse(MELDS).to_json(), held, None)
    assert shown["choices"][-1] == {"value": "floor", "label": "A new meld"}
    after = answered(found, lies, "floor")
    assert after["floor"][-1] == ["2S"]
    assert "2S" not in after["cross"]


def test_all_doubts_are_asked_the_ones_that_matter_first_and_answers_make_it_sure() -> None:
    counted = Question(QuestionKind.HIDDEN, "few?", Place("hand"), ("0", "1"), doubt=0.6)
    apart = Question(QuestionKind.APART, "photo 2 does not join", photos=(1,))
    found = read(LARGE, cards_of(LARGE, 12), counted, apart, stands=0.7**12 * 0.4)
    waiting = open_questions(found, ())
    table = parse(LARGE).to_json()
    held = places_of_cards(board(table), found.cards, str(parse(LARGE)))
    asked = questions_json(found, waiting, table, held, 5)
    assert [row["id"] for row in asked[:3]] == [apart.text, "card 5", counted.text]
    assert len(waiting) == len(asked) == 14
    assert asked[1]["read"] == "J♠", "what a glance at the photo answers may be asked together with its like"
    assert "read" not in asked[2]
    ids = [card_id(number) for number in range(12)]
    assert certainty(found, ()) < certainty(found, ids[:6]) < certainty(found, ids) < WHOLE_STANDS_FROM
    assert certainty(found, [*ids, counted.text]) >= WHOLE_STANDS_FROM


def test_wastes_that_count_from_the_other_end_are_turned_round_with_one_tap() -> None:
    line = parse(
        "tomb_double foundations: C0 D0 H0 S1; centre: AS; tableau: JS | QD | - | JS; reserves: 6S | 5S | 5H | 2C;"
        " wastes: 8D | 5H | - | - | -; stock: ??; redeals: 4"
    )
    order = Question(QuestionKind.ZONE, "is 8D the first, or 5H?", choices=("8D 5H", "5H 8D"), doubt=0.2)
    found = read(str(line), None, order)
    assert answered(found, order, "8D 5H")["wastes"] == line.to_json()["wastes"]
    assert answered(found, order, "5H 8D")["wastes"] == [["5H"], ["8D"], [], [], []]
    held = places_of_cards(board(line.to_json()), found.cards, str(line))
    moved = line.to_json() | {"wastes": [["2S"], ["5H"], ["9D"], [], []]}
    for table, text, labels in (
        (line.to_json(), "8♦ the first, or 5♥?", ["8♦ 5♥", "5♥ 8♦"]),
        (moved, "2♠ the first, or 9♦?", ["2♠ 5♥ 9♦", "9♦ 5♥ 2♠"]),
    ):
        (asked,) = questions_json(found, found.checks, table, held, None)
        assert asked["text"] == f"The wastes may count from the other end of their row: is {text}"
        assert [choice["label"] for choice in asked["choices"]] == labels, "as they lie now"
        assert [choice["value"] for choice in asked["choices"]] == ["8D 5H", "5H 8D"]


@pytest.mark.parametrize(("needs_photo", "label"), [(True, "Go on without it"), (False, "That is right")])
def test_what_is_open_about_cards_that_were_turned_over_may_be_photographed_once_more(
    needs_photo: bool, label: str
) -> None:
    found = read(COLUMNS, None, Question(QuestionKind.TURNED, "?", needs_photo=needs_photo))
    table = parse(COLUMNS).to_json()
    held = places_of_cards(board(table), found.cards, str(parse(COLUMNS)))
    (asked,) = questions_json(found, found.checks, table, held, None)
    assert asked["turned"]
    assert [choice["label"] for choice in asked["choices"]] == [label]
    assert asked["passes"] == (label == "Go on without it"), 'then "Not sure" would be the same once more'


def test_a_card_that_was_turned_over_and_is_hard_to_read_may_be_any_that_lay_face_down() -> None:
    line = "klondike columns: 4C 7H [KS] | 2D [QH] | - | - | - | - | -; foundations: C0 D0 H0 S0; stock: 9S"
    hidden = ("7H", "2D", "9S", "4C", "JC")
    asked = Question(QuestionKind.TURNED, "is it?", Place("column", 0), hidden, doubt=0.3, number=1)
    found = read(line, None, asked)
    table = parse(line).to_json()
    held = places_of_cards(board(table), found.cards, str(parse(line)))
    (shown,) = questions_json(found, found.checks, table, held, None)
    assert shown["text"] == "Which card is this? (card 2 of those face down in column 1, from the lowest)"
    assert next(choice["value"] for choice in shown["choices"]) == "7H"
    assert (shown["other"], "JC" in shown["used"], "KS" in shown["used"]) == ("Another", False, True)
    assert answered(found, asked, "7H") == table
    swapped = answered(found, asked, "2D")
    assert [column["down"] for column in swapped["columns"][:2]] == [["4C", "2D"], ["7H"]], "each card lies once"
    assert answered(found, asked, "9S")["stock"] == ["7H"]
    assert answered(found, asked, "JC")["columns"][0]["down"] == ["4C", "JC"]
    with pytest.raises(CardsError, match="lay face up before"):
        answered(found, asked, "KS")


def test_a_card_that_was_taken_away_from_a_column_is_put_back_and_turns_no_other() -> None:
    as_read = "klondike columns: ?? [6C] | ?? ?? [JH] | - | - | - | - | -"
    table = edits.remove(parse(as_read).to_json(), "columns/1/up/0")
    read = Reading((), "klondike", 1.0, (), (), parse(as_read))
    (asked,) = questions.ask_for_turned(board(table), table, read, as_read)
    assert asked["choices"] == [questions.answer_json("JH", "Put J♥ back")]
    under, place = "columns/1/down", asked["place"]
    back = questions.put_back(table, under, "JH", as_read)
    assert back == parse(as_read).to_json() == questions.with_turned(table, place, "JH", as_read)
    assert questions.put_back(back, under, "JH", as_read) == back, "tapped twice"
    assert questions.with_turned(table, place, "9S", as_read)["columns"][1] == {"down": ["??"], "up": ["9S"]}
    elsewhere = edits.add(table, "columns/0/up", "JH")
    assert questions.ask_for_turned(board(elsewhere), elsewhere, read, as_read)[0]["choices"] == []
    assert questions.ask_for_turned(board(table), table, read, None)[0]["choices"] == []


def test_a_question_names_a_card_as_it_was_told_by_then() -> None:
    asked = Question(
        QuestionKind.MELDS, "9S TS JS may not lie as one meld", Place("floor", 1), ("one meld",), (6, 7, 8)
    )
    found = read(MELDS, None, asked)
    held = places_of_cards(board(parse(MELDS).to_json()), found.cards, MELDS)
    told = parse(MELDS.replace("9S TS JS", "9S TS 8S")).to_json()
    (shown,) = questions_json(found, [asked], told, held, None)
    assert shown["text"] == "Do 9♠ 10♠ 8♠ make one meld?"
