"""Answers of somebody who was there, under which the history of a game is found anew."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from plumbing.errors import NotationError
from solver.cards import Card, parse_card
from solver.klondike.move import Move
from solver.klondike.position import Position
from solver.place import Place
from tests.vision.simulated_sights import see
from vision import record
from vision.errors import FileError, PhotosError
from vision.history import lattice
from vision.history.answers import DEAL_PLACE, DRAW_PLACE, Answer, draw_told, order_questions, tell_sights
from vision.history.game_history import RecordedGame, state_of, tell_game
from vision.history.lattice import Memory
from vision.history.record_writer import PhotoSight, _ask_about_contradictions
from vision.history.sight import TableSight, belief_of, likeliest
from vision.history.table_state import GAP
from vision.history.where_to_look import is_from_across, with_sights
from vision.measure.records import GameTruth, PhotoTruth, TruthfulAsker, answer_truthfully, shown_of
from vision.question import Question, QuestionKind
from vision.read_card import Quad, Sight

pytestmark = pytest.mark.xdist_group("history_answers")  # which searches each game once

TABLE = (
    "klondike columns: [8C] | 2D [QH] | AH AS [7C] | 3C 4C 5C [QC] | 6C 9C TC JC [3D{}] | 6D 7D 8D 9D{} [{}]"
    " | TD JD QD 3H 7H 8H [KC]; foundations: C0 D0 H0 S0; stock: {}2H 4H; waste:{}"
)
TABLES = [
    Position.parse(TABLE.format("", " 5D", "2C", "4S 3S ", "")),
    Position.parse(TABLE.format(" 2C", "", "5D 4S", "", " 3S")),
    Position.parse(TABLE.format(" 2C", "", "5D 4S", "", " 3S")),
]
"""2C goes to 3D, which turns 5D up, and 4S goes there from the stock: squared columns show only that 4S lies there."""
FILES = ("01.jpg", "02.jpg", "03.jpg")
SAID = Answer("02.jpg", Place("column", 5), "4S from the stock")


def sights() -> list[TableSight]:
    return [see(np.random.default_rng(0), table, squared=True, noise=0.0) for table in TABLES]


def search(*answers: Answer, memory: Memory | None = None) -> RecordedGame:
    shown = [PhotoSight(file, sight) for file, sight in zip(FILES, sights(), strict=True)]
    return tell_game(shown, 1, answers=answers, memory=memory)


@cache
def told(*answers: Answer) -> RecordedGame:
    return search(*answers)


def heights_of_column(game: RecordedGame) -> list[int]:
    positions = [row.position for row in game.photos]
    return [len(p.columns[5].down) + len(p.columns[5].up) for p in positions if p is not None]


def test_one_answer_puts_all_later_tables_right() -> None:
    assert heights_of_column(told()) == [6, 5, 5]
    assert heights_of_column(told(SAID)) == [6, 6, 6]


def test_what_is_asked_offers_the_other_way_and_is_asked_once() -> None:
    asked = [check for row in told().photos for check in row.checks if SAID.says in check.choices]
    assert len(asked) == 1
    assert not [check for row in told(SAID).photos for check in row.checks if SAID.says in check.choices]


@cache
def photos_of_counts() -> list[PhotoSight]:
    """2C goes to 3D, and 7H comes to lie on 8C: from the stock, or from between 2C and 5D."""
    table = (
        "klondike columns: [8C{}] | 2D [QH] | AH AS [7C] | 3C 4C 5C [QC] | 6C 9C TC JC [3D{}] | 6D 8D 9D {} [{}]"
        " | TD JD QD 3H 8H 6H [KC]; foundations: C0 D0 H0 S0; stock: 2H 4H 4S; waste:"
    )
    tables = [table.format("", "", "5D 7H", "2C"), *[table.format(" 7H", " 2C", "", "5D")] * 2]
    shown = [see(np.random.default_rng(0), Position.parse(lies), squared=True, noise=0.0) for lies in tables]
    return [PhotoSight(file, sight) for file, sight in zip(FILES, shown, strict=True)]


def test_the_counts_at_the_end_put_the_tables_before_right() -> None:
    photos = photos_of_counts()
    memory = Memory()

    def hides(*answers: Answer) -> list[int]:
        positions = [row.position for row in tell_game(photos, 1, answers=answers, memory=memory).photos]
        return [len(position.columns[5].down) for position in positions if position is not None]

    before = tell_game(photos, 1).photos[-1]
    (asked,) = (check for check in before.checks if check.kind is QuestionKind.DEAL)
    assert asked.photos == (1, 2)
    assert str(asked).endswith("in 03.jpg, in the order of their last cards: 7H, QH, 7C, QC, 2C, 5D, KC?")
    told_3, told_4 = (Answer("03.jpg", DEAL_PLACE, f"0 1 2 3 4 {count} 6") for count in (3, 4))
    assert hides(told_3) == [5, 3, 3]
    assert hides(told_4) == [5, 4, 4]
    assert hides(Answer("03.jpg", Place("column", 5), "3")) == [5, 3, 3], "one column by itself"
    after = tell_game(photos, 1, answers=[told_4], memory=memory).photos
    assert not [check for check in after[-1].checks if check.kind is QuestionKind.DEAL]
    assert after[-1].stands > before.stands


def test_each_stretch_is_asked_about_and_remembered_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last two photos show another game: what a count tells of the first one says nothing of it."""
    other = Position.parse(
        "klondike columns: [KH] | 2D [9S] | 7H AS [TS] | 3C 4C 5C [JH] | 6C 9C TC 3D [4H] | 6D 8D 9D 7C 8C [5S]"
        " | TD JD QD 3H 8H 6H [KS]; foundations: C0 D0 H0 S0; stock: 2H 4S; waste:"
    )
    shown = see(np.random.default_rng(0), other, noise=0.0)
    photos = [*photos_of_counts(), PhotoSight("04.jpg", shown), PhotoSight("05.jpg", shown)]
    answers, memory = [Answer("03.jpg", DEAL_PLACE, "0 1 2 3 4 4 6")], Memory()
    found = tell_game(photos, 1, answers=answers, memory=memory)
    assert any("between 01.jpg and 02.jpg" in str(check) for check in found.photos[1].checks)
    assert not any("between 01.jpg" in str(check) for check in found.photos[4].checks)
    assert found.photos[4].stands == found.photos[3].stands
    monkeypatch.setattr(lattice, "_next_layer", None)
    assert tell_game(photos, 1, answers=answers, memory=memory) == found, "nothing is searched again"


def test_what_a_photo_shows_against_the_game_is_asked_with_both_as_answers_and_told() -> None:
    seen = see(np.random.default_rng(0), TABLES[1], noise=0.0)
    state = state_of(seen)
    assert state is not None
    state = state._replace(
        heights=(2, 5, 0, 0), stock_waste=state.stock_waste._replace(waste=(GAP, parse_card("2S").index))
    )
    tops = (belief_of(np.where(np.arange(52) == parse_card(top).index, 0.0, -60.0)) for top in ("3C", "5D", "AS"))
    sight = replace(seen, foundations=tuple(tops))
    asked = list(_ask_about_contradictions("a.jpg", sight, state, state))
    found = {str(question.place): question.choices for question in asked}
    assert found == {"foundation/C": ("3C", "2C"), "foundation/S": ("AS", "none"), "waste": ("3S", "2S")}
    two, none = (Answer.parse(f"a.jpg foundation/C: {says}") for says in ("2C", "none"))
    assert [two.settles("a.jpg", question) for question in asked] == [True, False, False], "of one suit"
    told = [tell_sights(["a.jpg"], [sight], [own])[0].foundations for own in (two, none)]
    assert [{str(Card.from_index(likeliest(top))) for top in own} for own in told] == [{"5D", "AS", "2C"}, {"5D", "AS"}]
    with pytest.raises(NotationError):
        Answer.parse("a.jpg foundation/C: 2D")


def test_a_count_that_somebody_tells_is_asked_about_in_no_other_photo() -> None:
    """The photos count one card less in column 7 than game and rules leave there."""
    shown = [see(np.random.default_rng(0), table, noise=0.0) for table in TABLES]
    counted = tuple(np.where(np.arange(8) == 5, -0.01, -6.0).tolist())
    piles = [replace(sight.columns[6], log_count=counted) for sight in shown]
    miscounted = [replace(s, columns=(*s.columns[:6], own)) for s, own in zip(shown, piles, strict=True)]
    photos = [PhotoSight(file, sight) for file, sight in zip(FILES, miscounted, strict=True)]

    def ask_about(*answers: Answer) -> list[str]:
        rows = tell_game(photos, 1, answers=answers).photos
        return [row.file for row in rows for check in row.checks if check.place == Place("column", 6)]

    assert ask_about() == ["01.jpg"], "one doubt is one question"
    for file in FILES:
        assert not ask_about(Answer(file, Place("column", 6), "6"))


def test_one_card_of_a_column_does_not_settle_what_another_one_is() -> None:
    place = Place("column", 6)
    which = Question(QuestionKind.CARD, "?", place, ("JC", "JS"))
    assert not Answer("09.jpg", place, "QH").settles("09.jpg", which)
    assert Answer("09.jpg", place, "JC").settles("09.jpg", which)
    assert Answer("09.jpg", place, "4 face down, QH JC").settles("09.jpg", which)
    assert not Answer("08.jpg", place, "JC").settles("09.jpg", which)


def test_two_cards_of_which_none_lies_in_a_column_are_not_told_to_lie_there() -> None:
    answer = Answer.parse("02.jpg column/5: neither 5D nor 5H")
    (_, told, _) = tell_sights(FILES, sights(), [answer])
    pile = told.columns[5].told
    assert pile is not None
    five, six = parse_card("5D").index, parse_card("6D").index
    assert pile.price((five,), 0) < pile.price((six,), 0) == 0
    (row,) = (row for row in search(answer).photos if row.file == answer.photo)
    assert row.position is not None
    assert "5D" not in map(str, row.position.columns[5].up)
    which = Question(QuestionKind.CARD, "?", Place("column", 5), ("5D", "5H", "neither 5D nor 5H"))
    assert answer.settles("02.jpg", which)
    with pytest.raises(NotationError):
        Answer.parse("02.jpg column/5: neither 5D nor five")


def test_a_card_that_is_said_not_to_be_turned_yet_is_one_that_nobody_sees() -> None:
    shown = [see(np.random.default_rng(0), table, squared=True, noise=0.0) for table in TABLES]
    answer = Answer(FILES[1], Place("column", 3), "4 face down, no card face up")
    (_, told, _) = tell_sights(FILES, shown, [answer])
    pile = told.columns[3]
    assert (pile.cards, pile.backs > 0) == ((), True)
    assert pile.told is not None
    assert (pile.told.least, pile.told.most, pile.told.shown) == (4, 4, 0)


@pytest.mark.parametrize("says", ["5", "5 face down, no card face up"])
def test_a_card_that_is_not_turned_yet_counts_with_the_others_face_down(says: str) -> None:
    """2C has gone to 3D, and 5D is not turned up: who counts backs counts five."""
    lies = Position.parse(TABLE.format(" 2C", " 5D", "", "4S 3S ", ""))
    shown = [see(np.random.default_rng(0), table, noise=0.0) for table in (TABLES[0], lies)]
    photos = [PhotoSight(file, sight) for file, sight in zip(FILES, shown, strict=False)]
    row = tell_game(photos, 1, answers=[Answer(FILES[1], Place("column", 5), says)]).photos[1]
    assert row.position is not None, "the answer speaks against nothing"
    assert (len(row.position.columns[5].down), row.position.columns[5].up) == (5, ())
    assert not [check for check in row.checks if check.place == Place("column", 5)]


def test_the_last_photo_is_not_left_out_for_the_next_one() -> None:
    other = Position.parse(
        "klondike columns: [KS] | 2D [KD] | AH AS [9C] | 3C 4C 5C [JH] | 6C 9H TC JC [8D] | 6D 7D 8S 9D 5D [6H]"
        " | TD JD QD 3H 7H 8H [KC]; foundations: C0 D0 H0 S0; stock: 2C 4H 4S 3S 2H; waste:"
    )
    shown = [see(np.random.default_rng(0), table, noise=0.0) for table in (*TABLES[:2], other)]
    rows = tell_game([PhotoSight(file, sight) for file, sight in zip(FILES, shown, strict=True)], 1).photos
    (why,) = map(str, rows[2].checks)
    assert why.startswith("03.jpg is left out: its table does not follow from the photo before; perhaps")


def test_a_search_that_remembers_finds_what_one_that_does_not_finds() -> None:
    memory = Memory()
    search(memory=memory)
    assert search(SAID, memory=memory) == told(SAID)


def test_what_is_asked_shows_its_piles_in_its_photo_and_in_the_one_before() -> None:
    def quad(x: float) -> Quad:
        return (x, 0.0), (x + 50.0, 0.0), (x + 50.0, 70.0), (x, 70.0)

    outlines = {Place("column", n): (quad(60.0 * n),) for n in range(7)} | {Place("stock"): (quad(600.0),)}
    seen = replace(sights()[0], outlines=outlines)
    place, origins = Place("column", 5), ("4S from column 6", "4S from the stock")
    which = Question(QuestionKind.ORIGIN, "?", place, origins)
    asked = with_sights(which, 2, [seen, None, seen])
    assert [(sight.photo, sight.quad[0][0], sight.quad[1][0]) for sight in asked.sights] == [
        (0, 300.0, 650.0),
        (2, 300.0, 650.0),
    ], "both piles that may be meant, and no photo that was left out"
    assert [sight.photo for sight in with_sights(which, 0, [seen]).sights] == [0]
    card = belief_of(np.where(np.arange(52) == parse_card("4S").index, 0.0, -20.0))
    moved = replace(seen, columns=(replace(seen.columns[0], cards=(card,)), *seen.columns[1:]))
    (shown,) = with_sights(which, 0, [moved]).sights
    assert shown.quad[0][0] == 0.0, "the card that it asks about, too, wherever it lies by now"
    before, after = with_sights(which, 1, [seen, moved]).sights
    assert before.quad == after.quad, "the same piles in both photos, whole"
    empty = replace(seen, outlines={key: own for key, own in outlines.items() if key != place})
    (whole,) = with_sights(replace(which, choices=("KC", "KS")), 0, [empty]).sights
    assert whole.quad[0][0] == 0.0, "the whole table"
    assert whole.columns == tuple((n + 1, (60.0 * n + 25.0, 70.0)) for n in (0, 1, 2, 3, 4, 6)), "nothing lies in 6"
    assert Sight.from_json(whole.to_json()) == whole


def test_somebody_who_was_there_settles_the_game() -> None:
    photos = tuple(PhotoTruth(f, shown_of(t), position=t) for f, t in zip(FILES, TABLES, strict=True))
    truth = GameTruth(Path(), photos, start=TABLES[0])
    asker, answers, memory = TruthfulAsker(truth, most=4), list[Answer](), Memory()
    while True:
        game = search(*answers, memory=memory)
        answer = asker(game, order_questions((row.file, row.checks) for row in game.photos))
        if answer is None:
            break
        answers.append(answer)
    assert SAID in answers
    assert heights_of_column(game) == [6, 6, 6]


@pytest.mark.parametrize(("number", "card"), [(None, "5H"), (0, "5H"), (1, "9S")])
def test_somebody_who_was_there_knows_which_card_of_a_column_came_first(number: int | None, card: str) -> None:
    before = TABLES[0]
    hidden = tuple(map(parse_card, ("9S", "5H")))
    before = replace(before, columns=(replace(before.columns[0], down=hidden), *before.columns[1:]))
    truth = GameTruth(Path(), (PhotoTruth("01.jpg", shown_of(TABLES[0]), position=TABLES[0]),), start=before)
    choices = ("9S from column 1", "5H from column 1")
    question = Question(QuestionKind.ORIGIN, "?", Place("column", 0), choices, number=number)
    said = answer_truthfully(truth, RecordedGame(None, ()), "01.jpg", question)
    assert said == Answer("01.jpg", Place("column", 0), f"{card} from column 1")


def test_an_empty_waste_is_asked_about_and_believed() -> None:
    lies, turned_over = TABLES[1], replace(TABLES[1], stock=(*TABLES[1].stock, *TABLES[1].waste), waste=())
    shown = [see(np.random.default_rng(0), table, noise=0.0) for table in (TABLES[0], lies, turned_over)]
    photos = [PhotoSight(file, sight) for file, sight in zip(FILES, shown, strict=True)]
    asked = tell_game(photos, 1)
    question = next(check for check in asked.photos[2].checks if check.place == Place("waste"))
    assert question.choices[0] == "none"
    truth = GameTruth(Path(), tuple(PhotoTruth(f, shown_of(turned_over), position=turned_over) for f in FILES))
    answer = TruthfulAsker(truth, most=1)(asked, [("03.jpg", question)])
    assert answer == Answer("03.jpg", Place("waste"), "none")
    game = tell_game(photos, 1, answers=[answer])
    row = game.photos[2]
    assert row.position is not None
    assert row.position.waste == ()
    assert not [check for check in row.checks if check.place == Place("waste")]
    assert game.record is not None
    assert game.record.positions[-1].to_json()["waste"] == ["3S"], "no move turns the waste over and draws nothing"
    assert [str(check) for check in row.checks if "another waste" in str(check)]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("02.jpg", Place("column", 2), "6"), "column 3: 6"),
        (Answer("02.jpg", DEAL_PLACE, "0 1 6 3 4 4 6"), "the columns: 0 1 6 3 4 4 6"),
        (Answer("02.jpg", Place("waste"), "8C"), "the waste: 8C"),
    ],
)
def test_an_answer_with_which_no_game_agrees_is_named(answer: Answer, said: str) -> None:
    checks = [str(check) for row in search(answer).photos for check in row.checks]
    assert f"02.jpg: no game that I can find agrees with your answer about {said}" in checks
    assert not [check for row in told(SAID).photos for check in row.checks if "your answer" in str(check)]


def test_a_card_that_nobody_saw_goes_on_another_one() -> None:
    """QS comes to light and goes on KD, which came to light before it: squared columns show QS there alone."""
    before = Position.parse(
        "klondike draw: 1; moves: run; columns: [4C] | 6D [9D] | 2H KD [6C] | 8D 2S 9S [7D] | QC 5H 5S QS [3H]"
        " | KH KC JD 7C 4D [4H] | 2C TH 5C 8H TC TS [8S]; foundations: C0 D0 H0 S0;"
        " stock: QD QH JS 9C AH 3C 4S 7S 6S JC 6H 3S TD 3D 2D 7H AS 9H AD KS 5D 8C JH AC; waste:"
    )
    after = before
    for move in ("T4>T7:1", "T5>T1:1", "T3>T7:1", "T7>T2:3", "T5>T3:1"):
        after = after.play(Move.parse(move))
    shown = [see(np.random.default_rng(0), table, squared=True, noise=0.0) for table in (before, after)]
    told = [Answer("02.jpg", Place("column", k), f"{card} from column {k + 1}") for k, card in ((4, "QS"), (6, "TS"))]
    game = tell_game([PhotoSight(f, s) for f, s in zip(FILES, shown, strict=False)], 1, answers=told)
    found = game.photos[1].position
    assert found is not None
    assert [str(column.up[-1]) for column in found.columns] == [str(column.up[-1]) for column in after.columns]
    assert found.columns[2].up[-2] in (None, *map(parse_card, ("KD", "KH")))


def test_a_count_bounds_what_the_column_hides_before_and_after() -> None:
    piles = [
        sight.columns[3].told for sight in tell_sights(FILES, sights(), [Answer("02.jpg", Place("column", 3), "2")])
    ]
    assert [(pile.least, pile.most) for pile in piles if pile is not None] == [(2, None), (2, 2), (0, 2)]


def test_a_card_that_is_said_to_lie_there_is_no_longer_its_twin() -> None:
    sight = tell_sights(FILES, sights(), [Answer("01.jpg", Place("column", 0), "8S")])[0]
    assert likeliest(sight.columns[0].cards[-1]) == likeliest(sights()[0].columns[0].cards[-1]) + 39


def test_answers_print_as_they_are_read() -> None:
    lines = [
        *(str(SAID), "a b.jpg column/0: KH", "01.jpg column/6: 4", "01.jpg column/2: 4 face down, 5D 4S"),
        *("01.jpg column: 0 1 2 3 4 5 6", "01.jpg stock: 3", "01.jpg waste: none", "01.jpg column/1: KD from column 2"),
    ]
    answers = list(map(Answer.parse, lines))
    assert list(map(str, answers)) == lines
    assert draw_told(answers) == 3


@pytest.mark.parametrize(
    "line",
    [
        *("", "01.jpg", "01.jpg column/1: what?", "01.jpg column/7: KH", "01.jpg column: 1 2", "01.jpg floor: 3"),
        *("01.jpg column/1: 53", "01.jpg column: 0 1 2 3 4 5 99", "01.jpg column/1: 1000 face down, KH"),
        *(
            "01.jpg column/1: none",
            "01.jpg column/1: KC KS",
            "01.jpg column/1: ??",
            "01.jpg column/1: 2 face down, none",
        ),
        *("01.jpg waste: KC KS", "01.jpg waste: 2 face down, KC", "01.jpg stock: 2", "01.jpg stock: KC"),
    ],
)
def test_a_line_that_is_no_answer_is_named(line: str) -> None:
    with pytest.raises(NotationError):
        Answer.parse(line)


def test_the_question_on_whose_doubt_most_tables_hang_is_put_first() -> None:
    def ask(doubt: float, *choices: str) -> Question:
        return Question(QuestionKind.CARD, f"{doubt}?", Place("column", 1), choices, doubt=doubt)

    which = replace(ask(0.6, "2C from column 2", "3C from column 2"), kind=QuestionKind.ORIGIN)
    early, late, small, free = ask(0.2, "2C", "2S"), ask(0.7, "2C", "2S"), ask(0.05, "2C", "2S"), ask(0.9)
    waste = Question(QuestionKind.CARD, "waste?", Place("waste"), ("none", "2C"), doubt=0.3)
    draw = Question(QuestionKind.DRAW, "1 or 3?", DRAW_PLACE, ("1", "3"), doubt=0.5)
    counts = Question(QuestionKind.DEAL, "?", DEAL_PLACE, ("0 1 2 3 4 5 6",), photos=(0, 2), doubt=0.3)
    count = Question(QuestionKind.HIDDEN, "by the game 6, by the photos 2?", Place("column", 6), ("6", "2"), doubt=0.1)
    rows = [("1", [draw, small, which, free]), ("2", [waste, early]), ("3", [late, counts, count])]
    by_doubt = [("3", counts), ("3", late), ("2", early), ("2", waste), ("1", small), ("1", which)]
    easy = [("1", draw), ("3", count)]
    assert order_questions(rows) == [*easy, *by_doubt], "what anybody knows, what a photo tells, then by tables"


def test_whether_the_first_photo_shows_the_deal_is_answered_by_counts() -> None:
    before, after = (told(*answers).photos[0] for answers in ((), (Answer("01.jpg", DEAL_PLACE, "0 1 2 3 4 5 6"),)))
    assert any(check.kind is QuestionKind.DEAL for check in before.checks)
    assert not any(check.kind is QuestionKind.DEAL for check in after.checks)
    assert after.stands > before.stands


def test_a_file_of_answers_that_is_none_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "answers.txt"
    file.write_bytes(b"01.jpg column/1: KH\n\n\x9d\xff\n")
    with pytest.raises(FileError, match=r"answers\.txt: line 3: .*this is no answer"):
        record._read_answers(file, may_be_new=False)


def test_every_answer_that_says_nothing_is_told_with_what_would(tmp_path: Path) -> None:
    file = tmp_path / "answers.txt"
    file.write_text("01.jpg stock: 2\n01.jpg stock: 3\n01.jpg foundation/H: 4S\n")
    with pytest.raises(FileError) as caught:
        record._read_answers(file, may_be_new=False)
    first, second = str(caught.value).split("; line 3")
    assert "line 1: " in first
    assert first.endswith("'2' says nothing of stock; expected how many cards are turned at a time, 1 or 3")
    assert second.endswith("expected its top card, such as 2H, or none")


def test_an_answer_about_a_photo_that_is_not_there_is_named() -> None:
    files = [Path(name) for name in FILES]
    with pytest.raises(PhotosError, match=r"about 04\.jpg, which is none of the photos; expected one such as 01\.jpg"):
        next(record.settle_tables(files, ["no photo"] * 3, answers=[Answer("04.jpg", DEAL_PLACE, "0 1 2 3 4 5 6")]))


@pytest.mark.parametrize(("choices", "said"), [(("5", "6"), "2"), (("KD", "KH"), "KH")])
def test_a_count_that_is_typed_is_no_number_of_an_answer(
    choices: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both times 2 is typed: of counts it is what was said, of cards it is the second one."""
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    question = Question(QuestionKind.HIDDEN, "which is it?", Place("column", 1), choices)
    kept = tmp_path / "answers.txt"
    answer = record._Asker(kept)(told(), [("01.jpg", question)])
    assert answer == Answer("01.jpg", Place("column", 1), said)
    assert kept.read_text(encoding="utf-8") == f"01.jpg column/1: {said}\n"


@pytest.mark.parametrize(
    ("question", "typed", "asked"),
    [
        (Question(QuestionKind.CARD, "?", Place("column", 1), ("8C", "8S")), "3\n2\n", "its number, or what it was"),
        (Question(QuestionKind.DRAW, "?", DRAW_PLACE, ("1", "3")), "2\n3\n", "  1 or 3;"),
    ],
)
def test_a_number_that_is_no_answer_is_refused(
    question: Question, typed: str, asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    answer = record._Asker(None)(RecordedGame(None, ()), [("01.jpg", question)])
    assert answer is not None
    assert answer.says == question.choices[1]
    assert f"{typed[0]} is no answer" in (shown := capsys.readouterr().err)
    assert shown.count(asked) == 2


def test_photos_from_across_are_those_that_show_the_first_column_at_the_right() -> None:
    def seen(*lefts: float) -> TableSight:
        quads = (((x, 0.0), (x + 50.0, 0.0), (x + 50.0, 70.0), (x, 70.0)) for x in lefts)
        return replace(sights()[0], outlines={Place("column", n): (quad,) for n, quad in enumerate(quads)})

    usual, across, lone = seen(0.0, 60.0, 120.0), seen(120.0, 60.0, 0.0), seen(0.0)
    assert is_from_across([across, usual, across, lone])
    assert not is_from_across([across, usual, lone])
    assert not is_from_across([])
