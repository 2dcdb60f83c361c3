"""A recorded game looked at again: where it was lost, and what each move cost."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import CardsError
from solver import klondike
from solver.__main__ import main
from solver.cards import DECK, parse_card
from solver.game_review import (
    BETWEEN_PHOTOS,
    PLAYER_WORKS,
    CardsPlayed,
    Chance,
    Mark,
    Review,
    ReviewedMove,
    _luck,
    review,
)
from solver.record import DEAL, OPEN, PHOTO, Record, RecordError, Step, parse_record
from solver.review_page import GUESS, draw_curves, framed_page, whole_page
from solver.solution import Verdict
from tests.solver.klondike.tables import LAST_OF_STOCK

LAST_TWO = (
    "klondike draw: 1; redeals: 0; columns: [KC] | - | - | - | - | - | -; foundations: C10 D13 H13 S13; stock: JC QC"
)


def played(start: str, *moves: str) -> Record:
    record = Record(klondike.Position.parse(start))
    for move in moves:
        record = record.append(klondike.Move.parse(move))
    return record


def test_a_game_with_all_cards_known_is_proved_move_by_move() -> None:
    deal = klondike.random_deal(5, klondike.STANDARD_DRAW_1)
    solution = klondike.solve(deal)
    assert solution.verdict is Verdict.WIN
    record = Record(deal)
    for move in solution.line:
        record = record.append(move)
    found = review(record)
    assert found.headline == "The game was won."
    assert found.start is not None
    assert found.start.verdict is Verdict.WIN
    assert all(move.hindsight is not None and move.hindsight.verdict is Verdict.WIN for move in found.moves)
    assert {move.mark for move in found.moves} <= {Mark.BEST, None}
    assert found.lost_at is None


def test_drawing_past_the_last_redeal_throws_a_won_game_away() -> None:
    start = (
        "klondike draw: 1; redeals: 0; columns: [KC] | - | - | - | - | - | -; foundations: C11 D13 H13 S13; waste: QC"
    )
    found = review(played(start + "; stock:", "W>F", "T1>F"))
    assert found.headline == "The game was won."
    lost = start.replace("waste: QC", "stock: QC").replace("C11", "C10").replace("[KC]", "[KC]") + " JC"
    found = review(played(lost.replace("stock: QC JC", "stock: JC QC"), "draw", "draw"))
    assert found.lost_at == 2
    assert found.moves[1].mark is Mark.THREW_AWAY
    assert found.headline == "Yes, it could have been won until move 2."
    assert found.detail == "Move 2, draw, lost it; J♣ from W>F keeps it."
    assert found.rescue is not None
    assert [str(move) for move in found.rescue.line] == ["W>F", "draw", "W>F", "T1>F"]
    assert found.rescue_steps == ("J♣ from W>F", "draw", "Q♣ from W>F", "K♣ from T1>F")
    assert "<li>K♣ from column 1 to foundation</li></ol>" in whole_page(found)
    assert [move.number for move in found.worst] == [2]


def test_a_record_that_tells_the_whole_deal_is_proved_on_that() -> None:
    start = "klondike draw: 3; columns: [KC] | [KS] | - | - | - | - | -; foundations: C10 D13 H13 S12; stock: ?? ??"
    record = played(start, "T2>F")
    sampled, proved = review(record), review(replace(record, headers={DEAL: start.replace("?? ??", "JC QC")}))
    assert (sampled.start and sampled.start.verdict) is Verdict.UNKNOWN
    assert proved.headline == "No, from where the record begins this game could not be won."
    assert [move.hindsight and move.hindsight.verdict for move in proved.moves] == [Verdict.NO_WIN]
    assert [move.known for move in proved.moves] == [move.known for move in sampled.moves], "that nobody knew then"
    assert "with all of its cards: it can no longer be won" in whole_page(proved)


def test_a_deal_is_called_lost_only_where_the_record_begins_with_it() -> None:
    lost = Chance(0, 0, 1, proved=True)
    deal = Record(klondike.random_deal(5, klondike.STANDARD))
    under_way = Record(deal.start.play(deal.start.moves()[0]))
    tables = (deal, Record(klondike.player.hide(deal.start)), under_way, replace(under_way, headers={PHOTO: "a.jpg"}))
    assert [Review(record, lost, (), None, None, 0).headline for record in tables] == [
        "No, this deal could never be won.",
        "No, this deal could never be won.",
        "No, from where the record begins this game could not be won.",
        "No, from the first photo on this game could not be won, if the cards lay as the photos suggest.",
    ]


def test_where_nothing_is_proved_the_move_that_cost_most_is_named() -> None:
    start = "klondike draw: 1; redeals: 0; columns: [KC] | - | - | - | - | - | -; foundations: C10 D13 H13 S13;"
    found = review(played(f"{start} stock: JC QC", "draw", "draw"))
    high, low = Chance(80, 0, 100), Chance(30, 0, 100)
    worst = ReviewedMove(1, "draw", low, "W>F", high, low, Mark.COSTS)
    guessed = replace(
        found, start=high, moves=(worst, replace(worst, number=2, mark=Mark.BEST)), lost_at=None, rescue=None
    )
    assert guessed.headline == "Most likely yes: in 80 of 100 ways the hidden cards may lie, it could have been won."
    fell = "At the end a win was found in 30 of these ways."
    assert guessed.detail == fell, "what cost most stands in the list below"
    assert "  1. draw: costs 37 to 60 of 100 games; W>F was better\n" in str(guessed), "what else is told of it"
    home = replace(guessed, moves=(guessed.moves[1], replace(worst, number=2, move="W>F", best="draw")))
    assert "  2. J♣ from W>F: costs 37 to 60 of 100 games; draw was better\n" in str(home)
    better = replace(guessed, moves=(guessed.moves[1], replace(worst, number=2)))
    assert "; J♣ from W>F was better\n" in str(better), "its card is named, too"
    assert "J♣ from waste to foundation was better" in whole_page(better)
    alone = replace(worst, best="draw", mark=Mark.THREW_AWAY)
    gone = replace(guessed, moves=(replace(alone, hindsight=Chance(0, 0, 100)),))
    assert (gone.headline[:31], gone.detail) == ("Most likely yes, until move 1: ", "")
    page = whole_page(replace(guessed, moves=(worst, ReviewedMove(2, "draw"))))
    assert page.count(" was better) <b>30%</b></button>") == 2, "the chance stands behind it in both lists"
    assert "2. turning the stock (not compared)</button>" in page
    even = replace(guessed, moves=(replace(worst, mark=Mark.BEST),) * 2)
    assert even.detail == f"You made no clear mistake, by what you could know then. {fell}"
    for often, told in (
        (0, "then. "),
        (1, "then; move 1 may have been one. "),
        (2, "then; moves 1 and 2 may have been some. "),
        (3, "then; moves 1, 2 and 3 may have been some. "),
        (4, "then; 4 moves may have been some, most of all move 3. "),
    ):
        unsure = [
            replace(worst, number=1 + at, known=high if at != 2 else low, mark=Mark.UNSURE) for at in range(often)
        ]
        said = replace(even, moves=(*unsure, *even.moves)).detail
        assert said.startswith(f"You made no clear mistake, by what you could know {told}"), "as many as are marked so"
    still = replace(even, moves=(replace(worst, mark=Mark.BEST, hindsight=high),) * 2)
    assert still.detail.endswith("At the end a win was found in 80 of these ways.")
    assert f"<p>{klondike.describe_moves(guessed.detail)}</p>" in whole_page(guessed)
    assert f"{guessed.headline}\n{guessed.detail}" in str(guessed)
    won = replace(guessed, moves=(worst, replace(guessed.moves[1], hindsight=Chance(100, 0, 100))))
    assert won.headline == "Most likely yes: in 100 of 100 ways the hidden cards may lie, it can still be won."
    assert won.detail == "", "the headline says how it ended"


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ([(11, 20), (9, 0), (0, 0)], "Perhaps, until move 2: in at least 11 of 32 ways {}, it could have been won."),
        ([(11, 0), (9, 0), (0, 3)], "Perhaps: in 11 of 32 ways {}, it could have been won."),
        ([(0, 5), (0, 0), (0, 0)], "Perhaps: in none of 32 ways {} a win was found, but 5 were not decided."),
        ([(1, 0), (0, 0), (0, 0)], "Most likely not: in 1 of 32 ways {}, it could have been won."),
        ([(0, 0), (0, 0), (0, 0)], "Most likely not: in none of 32 ways {}, it could have been won."),
    ],
)
def test_the_first_sentence_says_whether_the_game_could_have_been_won(
    chances: list[tuple[int, int]], told: str
) -> None:
    start, *after = (Chance(wins, undecided, 32) for wins, undecided in chances)
    moves = tuple(ReviewedMove(n, "draw", hindsight=chance) for n, chance in enumerate(after, 1))
    sampled = replace(review(played(LAST_TWO, "draw", "draw")), start=start, moves=moves, lost_at=None, rescue=None)
    assert sampled.headline == told.format("the hidden cards may lie")


def test_what_is_proved_of_a_game_is_told_up_to_where_it_is_proved() -> None:
    won, open_ = Chance(1, 0, 1, proved=True), Chance(0, 1, 1, proved=True)
    found = replace(review(played(LAST_TWO, "draw", "draw")), lost_at=None, rescue=None)
    moves = [tuple(replace(move, hindsight=one) for move in found.moves) for one in (open_, None)]
    for after in moves:
        assert replace(found, start=won, moves=after).headline == "Yes, it could have been won at least until move 1."
    neither = "Perhaps: the search found no way to win, and no proof that there is none."
    assert replace(found, start=open_, moves=moves[0]).headline == neither
    part = "Perhaps: a part of the game is not known, so nothing is proved."
    assert replace(found, start=None, moves=moves[1]).headline == part


def test_a_review_is_a_guess_until_what_its_photos_leave_open_is_settled() -> None:
    record = played(LAST_TWO, "draw", "draw")
    settled, open_ = review(record), review(replace(record, headers={OPEN: "Photo 1: which card is it?"}))
    assert open_.headline == f"As far as the photos tell, y{settled.headline[1:]}"
    page = whole_page(open_)
    assert f"<p>{GUESS}</p>" in page
    assert 'data-move="2" data-mark="threw it away"' in whole_page(settled)
    assert 'data-move="2" data-mark=""' in page, "no colour before it is earned"


def test_between_photos_a_game_may_have_gone_otherwise() -> None:
    record = played(LAST_TWO, "draw", "draw", "T1>T2")
    shown = replace(record, headers={PHOTO: "a"}, steps=(*record.steps[:-1], replace(record.steps[-1], photos=("b",))))
    kept, found = review(record), review(shown)
    assert found.headline == f"{kept.headline[:-1]}, if the cards lay as the photos suggest."
    assert [move.verdict for move in found.moves] == [f"{move.verdict}, if it went so" for move in kept.moves]
    page = whole_page(found)
    assert page.count("<figcaption>Between a and b: it may have gone otherwise. Move") == 2
    assert "With hindsight, if the cards lay as the photos suggest: it can no longer be won." in page
    assert "<h2>The line that wins, from before move 2, if the cards lay as the photos suggest</h2>" in page
    assert "if it went so: the table before it or after it is in no photo" in page
    assert f"<h2>All moves</h2><p>{BETWEEN_PHOTOS}</p>" in page
    assert 'data-move="2" data-mark=""' in page, "no colour where it may have been another move"
    every = replace(shown, steps=tuple(replace(step, photos=("b",)) for step in shown.steps))
    assert [move.verdict for move in review(every).moves] == [move.verdict for move in kept.moves]
    assert BETWEEN_PHOTOS not in str(review(every))
    assert review(replace(shown, headers={PHOTO: "a", DEAL: str(shown.start)})).headline == kept.headline
    with_gap = replace(shown, headers={PHOTO: "a"}, steps=(Step(table=shown.start, photos=("b",)),))
    assert BETWEEN_PHOTOS not in str(review(with_gap))


def test_what_was_not_known_then_does_not_count_against_a_move() -> None:
    record = parse_record(
        '[Game "klondike"]\n[Start "klondike draw: 1; redeals: 0; columns: [KC] | - | - | - | - | - | -; '
        'foundations: C10 D13 H13 S13; stock: ?? ??"]\n1. draw = JC\n2. draw = QC'
    )
    found = review(record)
    assert found.lost_at == 2
    assert found.moves[0].mark is Mark.BEST
    assert found.moves[0].known is not None
    assert not found.moves[0].known.proved
    same = review(record)
    assert same.to_json() == found.to_json()


def test_a_gap_ends_hindsight() -> None:
    table = "klondike draw: 1; columns: [KC] | - | - | - | - | - | -; foundations: C11 D13 H13 S13; stock: QC"
    record = parse_record(f'[Game "klondike"]\n[Start "{table}"]\n1. draw\n2. now "{table}"\n3. draw')
    found = review(record)
    assert [move.hindsight is None for move in found.moves] == [False, True, True]
    assert found.moves[1].move == ""
    assert "(gap)" in str(found)
    assert ">2. What happened here is not known</button>" in whole_page(found)


def test_the_command_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, body = tmp_path / "game.txt", tmp_path / "game.json"
    record = played(LAST_TWO, "draw", "draw")
    text.write_text(str(record), encoding="utf-8")
    body.write_text(json.dumps(record.to_json()), encoding="utf-8")
    assert main(["review", str(text)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Yes, it could have been won until move 2.\nMove 2, draw, lost it;")
    assert "threw it away" in printed
    assert "known then  better then" in printed, "a move is named there only where it was better"
    assert main(["review", str(body), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lost_at"] == 2


@pytest.mark.parametrize("text", ["", '[Game "klondike"]', "{", '{"start": 3}'])
def test_a_broken_file_is_an_error_of_one_line(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["review", str(file)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert main(["review", str(tmp_path / "none.txt")]) == 1


def test_a_record_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(RecordError):
        review(parse_record('[Game "klondike"]\n[Start "klondike stock: ??"]\n1. W>F'))


@pytest.mark.parametrize(
    ("cards", "steps", "says"),
    [
        ("[KC]|[JC]|-|-|-|-|-; stock: JC QC", "1. draw", "no table of Klondike: JC stands 2 times"),
        ("[KC]|-|-|-|-|-|-; stock: ?? ??", "1. draw = KC", "step 1: no table of Klondike: KC stands 2 times"),
        ("[KC]|-|-|-|-|-|-; stock: ?? ??", "1. draw = QC JC", "step 1: draw turns up 1 hidden card here"),
        ("[KC]|-|-|-|-|-|-; stock: JC", "1. draw", "no table of Klondike: 1 card is missing"),
    ],
)
def test_a_record_of_no_possible_game_is_refused_before_any_search(
    tmp_path: Path, cards: str, steps: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = f"klondike draw: 1; foundations: C10 D13 H13 S13; columns: {cards}"
    (tmp_path / "game.txt").write_text(f'[Game "klondike"]\n[Start "{start}"]\n{steps}', encoding="utf-8")
    assert main(["review", str(tmp_path / "game.txt")]) == 1
    assert f"{tmp_path / 'game.txt'}: {says}" in capsys.readouterr().err


def test_what_is_no_record_is_told_how_to_become_one() -> None:
    with pytest.raises(CardsError, match="parse_record"):
        review("1. draw")  # type: ignore[arg-type]


SHORT_GAMES = (
    f"""[Game "klondike"]
[Start "{LAST_TWO}"]
[Deal "{LAST_TWO}"]

1. draw
2. draw""",
    """[Game "klondike"]
[Start "klondike draw: 1; moves: run; columns: ?? ?? [JH] | [QS] | ?? [KS] | [?? QH] | - | - | -; \
foundations: C10 D13 H9 S10; stock: ?? ??"]

1. draw = KC
2. T1>T2 = JS
3. W>T5
4. now "klondike draw: 1; columns: [KH] | [QS JH] | ?? [KS] | [KC QH] | - | - | -; foundations: C10 D13 H9 S10; \
stock: ?? ??; waste: QC"
5. draw = ??""",
)


@st.composite
def altered(draw: st.DrawFn) -> str:
    """A record with cards exchanged, and lines left out or doubled."""
    lines = draw(st.sampled_from(SHORT_GAMES)).splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        cards = list(re.finditer(r"\?\?|\b[2-9TJQKA][CDHS]\b", lines[at]))
        if cards and draw(st.integers(0, 2)):
            card = draw(st.sampled_from(cards))
            new = draw(st.sampled_from([*map(str, DECK), "??", "?? ??", ""]))
            lines[at] = lines[at][: card.start()] + new + lines[at][card.end() :]
        else:
            lines[at : at + 1] = [lines[at]] * draw(st.sampled_from((0, 2)))
    return "\n".join(lines)


@pytest.mark.parametrize("text", SHORT_GAMES)
def test_a_short_game_is_reviewed(text: str) -> None:
    record = parse_record(text)
    assert len(review(record, deals=2).moves) == len(record.steps)


@given(altered())
@settings(deadline=None)
def test_an_altered_record_is_reviewed_or_refused(text: str) -> None:
    with suppress(CardsError):
        review(parse_record(text), deals=2)


def test_a_file_that_is_no_text_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.txt").write_bytes(b"\x9d\xff\x00")
    assert main(["review", str(tmp_path / "game.txt")]) == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_the_page_of_a_review_shows_every_table_and_the_worst_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = played(LAST_TWO, "draw", "draw")
    found = review(record)
    assert found.lost_at == 2
    (tmp_path / "game.txt").write_text(str(record).replace("2. draw", '2. draw [comment "<b>oh</b>"]'))
    page = tmp_path / "page.html"
    assert main(["review", str(tmp_path / "game.txt"), "--html", str(page)]) == 0
    assert str(page) in capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    assert text.count("<figure") == text.count("</figure>") == 3
    assert escape(klondike.describe_moves(found.headline)) in text
    assert "turning the stock" in text
    assert "&lt;b&gt;oh&lt;/b&gt;" in text
    assert "<b>oh" not in text
    assert text.count('data-mark="threw it away"') == 3, "its style, among the worst and among all"
    assert "getItem(place)||2)" in text, "it begins at the worst move"
    assert text.index("</span> Blue</b>: ") < text.index("</span> Red</b>: ") < text.index("<polyline"), "read first"
    assert "https://" not in text, "it needs nothing else"


def test_the_line_that_wins_says_where_the_waste_is_turned_over_first() -> None:
    start = (
        "klondike draw: 1; columns: [KC] | - | - | - | - | - | -; foundations: C10 D13 H13 S13; stock: QC; waste: JC"
    )
    found = review(played(start, "draw"))
    assert found.rescue_steps[0] == "draw (turn the waste over first)", "nothing is left in the stock"
    assert "<li>turning the stock (turn the waste over first)</li><li>J♣" in whole_page(found)


def test_the_page_names_the_cards_that_moved_and_lists_turns_of_the_stock_in_a_row_once() -> None:
    start = "klondike draw: 1; moves: run; columns: [KS] | [QH] | - | - | - | - | -; foundations: C13 D13 H11 S10"
    record = parse_record(f'[Game "klondike"]\n[Start "{start}; stock: JS QS KH"]\n1. T2>T1\n2. draw\n3. draw\n4. draw')
    record = replace(record, steps=(replace(record.steps[0], photos=("21.jpg",)), *record.steps[1:]))
    text = whole_page(review(record))
    assert "Yes, the game can still be won: no move lost it." in text
    assert "<h2>The line that wins, from the last table</h2>" in text
    assert "With hindsight, so with all the cards that the game showed: it can be won. Seen in 21.jpg." in text
    assert "1. Q♥ from column 2 to column 1" in text
    assert 'data-move="4" data-mark="best">2 to 4. turning the stock, 3 times (best)' in text


def test_each_table_can_be_played_on_with_what_the_game_showed_later() -> None:
    start = "klondike draw: 1; moves: run; columns: ?? [QH] | [KS] | - | - | - | - | -; foundations: C12 D13 H11 S12"
    record = parse_record(f'[Game "klondike"]\n[Start "{start}; stock: KH"]\n1. draw\n2. T1>T2 = KC\n3. now "{start}"')
    tables = review(record).tables
    assert [str(table.columns[0]) for table in tables] == ["KC [QH]", "KC [QH]", "[KC]", "?? [QH]"]
    assert all(table.rules == record.start.rules for table in tables)
    guess = review(replace(record, headers={OPEN: "Photo 1: which card is it?"}))
    assert [str(table.columns[0]) for table in guess.tables] == ["?? [QH]", "?? [QH]", "[KC]", "?? [QH]"], "not sure"


def test_a_review_is_played_on_only_within_a_page_around_it() -> None:
    found = review(parse_record(f'[Game "klondike"]\n[Start "{LAST_TWO}"]\n1. draw\n2. draw'))
    text = whole_page(found)
    assert f'data-line="{found.record.start}"' not in text
    assert f'data-line="{found.tables[1]}">Open that table' in text, "before the move that lost it"
    assert '<html lang="en" data-play-at=' not in text
    assert '<html lang="en" data-play-at="./?p=">' in framed_page(text, "./?p=", {})


def test_a_photo_is_shown_with_its_table_where_it_is_still_there_and_never_in_the_file() -> None:
    record = parse_record(f'[Game "klondike"]\n[Start "{LAST_TWO}"]\n[Photo "a, b"]\n1. draw [photo "c"]\n2. draw')
    text = whole_page(review(record))
    assert "Here the record begins. Seen in a, b." in text
    assert "<img" not in text
    framed = framed_page(text, "./?p=", {"b": "/2", "c": "/3"})
    shown = re.findall(r'<img class="photo" src="(.*?)" alt="(.*?)"', framed)
    assert shown == [("/2", "b"), ("/3", "c")]


def test_a_review_draws_itself_in_a_notebook_and_a_gap_parts_its_curves() -> None:
    record = parse_record(f'[Game "klondike"]\n[Start "{LAST_TWO}"]\n1. draw\n2. now "{LAST_TWO}"\n3. draw')
    view = review(record)._repr_html_()
    assert view.count("<polyline") == 3
    assert "<script" not in view


def test_a_move_with_hidden_cards_is_measured_by_a_player_who_does_not_peek() -> None:
    deal = klondike.random_deal(4, klondike.STANDARD_DRAW_1)
    hidden = replace(
        deal,
        columns=tuple(replace(column, down=(None,) * len(column.down)) for column in deal.columns),
        stock=(None,) * len(deal.stock),
    )
    record = Record(hidden).append(klondike.Move.parse("draw"), deal)
    (move,) = review(record, deals=2, seed=7).moves
    advised = {str(row.move): row for row in klondike.best_move(hidden, PLAYER_WORKS[1]).moves}  # as a hint
    assert move.known is not None
    assert move.best_known is not None
    assert move.known.share == pytest.approx(advised["draw"].chance, abs=0.5 / advised["draw"].n)
    assert move.best_known.share >= move.known.share


def test_a_table_at_which_nothing_new_came_up_is_told_the_same_chances_again() -> None:
    deal = klondike.random_deal(4, klondike.STANDARD_DRAW_1)
    columns = tuple(replace(column, down=(None,) * len(column.down)) for column in deal.columns)
    draw = klondike.Move.parse("draw")
    record = Record(replace(deal, columns=columns)).append(draw).append(draw)
    first, second = review(record, deals=2).moves
    assert first.best_known is not None
    assert (first.best, first.best_known) == (second.best, second.best_known)


@pytest.mark.parametrize(("card", "luck"), [("AC", "good luck: A♣ came up"), ("8C", "")])
def test_a_card_that_changes_the_chance_much_is_told_to_be_luck(card: str, luck: str) -> None:
    start = klondike.Position.parse(LAST_OF_STOCK)
    draw = klondike.Move.parse("draw")
    record = Record(start).append(draw, replace(start, stock=(parse_card(card),))).append(draw)
    move, _ = (found := review(record, deals=2)).moves
    assert (move.mark, move.luck) == (Mark.BEST, luck)
    assert f"({', '.join(filter(None, ('best', luck)))})" in whole_page(found)
    assert ("There was good luck: A♣ came up." in whole_page(found)) == bool(luck)
    high, low = Chance(800, 0, 1000), Chance(600, 0, 1000)
    assert (_luck(high, low), _luck(low, high), _luck(high, None)) == ("bad luck", "good luck", "")
    assert not _luck(Chance(8, 0, 10), Chance(6, 0, 10)), "chance may explain it"


def test_a_table_that_no_deal_can_win_is_told_to_be_lost_before_its_hidden_cards_are_seen() -> None:
    """The player's first guess is one in eight; someone who sees the 5 hidden cards wins none of 60 deals."""
    table = (
        "klondike draw: 3; moves: run; worrying_back: yes; columns: [KC QD JS TH] | [9C 8H 7C 6D 5C]"
        " | [KH QS JH TC 9D 8S 7H 6S] | [JD TS 9H 8C] | - | [8D 7S] | ?? ?? ?? ?? ?? [QH]; foundations: C2 D3 H2 S4;"
        " stock: 4C JC QC 4D 5D 7D 3H; waste: 5H 9S 6H 6C KD"
    )
    (move,) = review(played(table, "W>T5"), deals=2).moves
    assert move.known is not None
    assert move.known.share < 0.05


@pytest.mark.parametrize(
    ("known", "best", "told"),
    [((100, 200), (101, 200), False), ((1000, 2000), (1010, 2000), False), ((5000, 10000), (5400, 10000), True)],
)
def test_of_a_good_move_nothing_is_called_better_that_chance_may_explain(
    known: tuple[int, int], best: tuple[int, int], told: bool
) -> None:
    chances = [Chance(wins, 0, n) for wins, n in (known, best)]
    move = ReviewedMove(1, "T1>T2", chances[0], "draw", chances[1], None, Mark.GOOD)
    assert move.better == ("draw was better" if told else "")
    assert replace(move, mark=Mark.COSTS).better == "draw was better"
    assert replace(move, known=Chance(0, 0, 1, True), best_known=Chance(1, 0, 1, True)).better


@pytest.mark.parametrize(
    ("best", "verdict"), [((69, 100), "good"), ((72, 100), "may have cost"), ((95, 100), "costs 19 to 40 of 100 games")]
)
def test_a_move_costs_something_only_where_the_intervals_that_are_shown_do_not_overlap(
    monkeypatch: pytest.MonkeyPatch, best: tuple[int, int], verdict: str
) -> None:
    rows = [
        klondike.player.MoveChance(klondike.Move.parse(move), wins / n, wins / n, wins / n, n)
        for move, (wins, n) in (("draw", best), ("T1>T2:1", (65, 100)))
    ]
    monkeypatch.setattr(klondike, "best_move", lambda *_: klondike.player.Advice(None, "", tuple(rows), 1, 1))
    cards = "columns: ?? ?? [JH] | [QS] | ?? [KS] | - | - | - | -; foundations: C13 D13 H9 S10; stock: ??"
    record = parse_record(f'[Game "klondike"]\n[Start "klondike draw: 1; {cards}"]\n1. T1>T2')
    assert review(record, deals=2).moves[0].verdict == verdict


def test_each_move_has_a_word_that_is_explained_once_above_the_list() -> None:
    start = "klondike draw: 1; columns: - | - | - | - | - | - | -; foundations: C12 D13 H13 S13; stock: KC"
    record = parse_record(f'[Game "klondike"]\n[Start "{start}"]\n1. draw\n2. W>F')
    found = review(record)
    assert [move.word for move in found.moves] == ["only move", "best"]
    guessed = replace(found, moves=(replace(found.moves[0], unmarked="not compared"), *found.moves[1:]))
    for shown in (whole_page(guessed), str(guessed)):
        assert "best: nothing was better; not compared: too little was known to weigh it against others" in shown
    assert "1. turning the stock (not compared)" in whole_page(guessed)
    assert found.to_json() == guessed.to_json()


def test_a_note_of_a_record_is_told_with_its_review() -> None:
    note = "I took 2."
    found = review(parse_record(f'[Game "klondike"]\n[Start "{LAST_TWO}"]\n[Note "{note}"]\n1. draw\n2. draw'))
    assert f"<p>{note}</p>" in whole_page(found)
    assert note in str(found)


def test_what_a_turn_costs_is_told_in_cards() -> None:
    turn = ReviewedMove(1, "KS", CardsPlayed(1, 0, 3), "7D", CardsPlayed(2, 0, 3), None, Mark.COSTS)
    assert turn.verdict == "costs 1 card"


def test_the_curves_take_all_the_width_and_number_every_so_many_moves() -> None:
    record = parse_record(f'[Game "klondike"]\n[Start "{LAST_TWO}"]\n1. draw\n2. draw')
    drawn = draw_curves(review(record))
    assert "viewBox='0 0 2 100' preserveAspectRatio='none' width='100%'" in drawn
    assert re.findall(r">(start|\d+)</span>", drawn) == ["start", "1", "2"]
    assert "points='0,0.0 1,0.0 2,100.0'" in drawn, "won, won, lost: by hindsight"


def test_a_card_that_came_up_and_that_nobody_saw_ends_no_review() -> None:
    record = parse_record(
        '[Game "klondike"]\n[Start "klondike draw: 1; moves: run; columns: ?? [QH] | [KS] | - | - | - | - | -; '
        'foundations: C12 D13 H11 S12; stock: KH"]\n1. T1>T2 = ??\n2. draw'
    )
    assert [(move.move, move.known) for move in review(record).moves][-1] == ("draw", None)


def test_turns_of_makiaveli_are_measured_by_what_the_hand_could_have_played() -> None:
    start = "makiaveli floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 7D 7H KS"
    then = "makiaveli floor: 4C 5C 6C 7C | KC KD KH KS; cross: 2S; hand: 3C 9S"
    record = parse_record(
        f'[Game "makiaveli"]\n[Start "{start}"]\n1. melds: 4C 5C 6C 7C | KC KD KH KS; cross: 2S; hand: 7D 7H\n'
        f'2. now "{then}"\n3. melds: 3C 4C 5C 6C 7C | KC KD KH KS; cross: 2S; hand: 9S'
    )
    found = review(record)
    assert found.headline == "The whole hand could have been played in turn 1."
    first, gap, last = found.moves
    assert (first.move, str(first.known), str(first.best_known)) == ("KS", "1 of 3 cards", "3 of 3 cards")
    assert (first.mark, gap.mark, last.mark) == (Mark.THREW_AWAY, None, Mark.BEST)
    assert "put it with 7D 7H from your hand" in first.better
    assert last.better == ""
    assert found.to_json()["moves"][0]["known"] == {"share": pytest.approx(1 / 3), "played": 1, "n": 3}
    assert "1 of 3 cards  3 of 3 cards" in str(found)
    assert "What each turn played" in whole_page(found)
    assert "instead: " in found._repr_html_()
    assert "points='1,66.7 1,66.7'" in found._repr_html_(), "a turn between those of others is a dot"
    assert "to meld 2 (KC KD KH), 3 of 3 cards." in whole_page(found)
    assert review(replace(record, steps=record.steps[1:])).headline == "No turn could have played more."
