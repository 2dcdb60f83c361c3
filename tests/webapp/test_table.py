"""The main view, from a link, a line or a photo to the verdict; the browser's own part is in test_browser_table.py."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from solver import parse
from solver.place import Place
from tests.webapp.readings_app import cards_of
from tests.webapp.taps import component, data, event, send, send_all, sent
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.errors import PhotoError
from vision.film.film_file import NO_SWEEP
from vision.film.screen import NO_CARD_ON_SCREEN, SCREEN
from vision.question import Question, QuestionKind
from vision.reading import Reading
from webapp import streamlit_link as state
from webapp import verdict_view
from webapp.page import table
from webapp.photo_session import PhotoSession
from webapp.questions import TURNED
from webapp.session import QUICK, Session, Wanted
from webapp.trust import assess_trust
from webapp.wording import sentence

SCRIPT = "from webapp.page import table\ntable.page()\n"
WON = "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"
HIDDEN = (
    "klondike columns: ?? ?? [2C] | ?? ?? [7C] | ?? ?? [JH] | - | - | - | -; foundations: C1 D13 H9 S13;"
    " stock: ?? ?? ?? ?? ?? ??; waste: 3C"
)
LOST = "makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 3S 4S 9D"
NEARLY = "klondike columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12"


@pytest.fixture(scope="module", autouse=True)
def close_the_shared_pool() -> Any:
    yield
    state.pool.clear()


def opened(link: str | None = None) -> AppTest:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    if link is not None:
        page.query_params["p"] = link
    return settled(page.run())


def session(page: AppTest) -> Session:
    """What the visitor has."""
    held = page.session_state[Session.__qualname__]
    assert isinstance(held, Session)
    return held


def line(page: AppTest) -> str:
    """The visitor's table."""
    return session(page).line or ""


def settled(page: AppTest) -> AppTest:
    """The page once its searches have ended."""
    assert not page.exception, page.exception
    job = None
    while (search := session(page).search) is not None and search is not job:
        job = search
        job.wait(300)
        page.run()
        assert not page.exception, page.exception
    judging = session(page).judging
    if judging is not None:
        judging[2].wait(300)
        page.run()
        assert not page.exception, page.exception
    return page


def said(page: AppTest) -> str:
    """The verdict in words, with all that stands beside it."""
    told = data(page)
    body = told["said"] or {}
    return " ".join([*(str(body.get(part, "")) for part in ("headline", "detail", "details")), *body.get("list", ())])


def tone(page: AppTest) -> str:
    return str(data(page)["said"]["tone"])


def rule(page: AppTest, key: str) -> Any:
    """What a rule is told to be."""
    rules = data(page)["rules"]
    return next(row["now"] for row in (*rules["main"], *rules["more"]) if row["key"] == key)


def read_with(stands: float) -> Reading:
    return Reading((), "makiaveli", 1.0, (), (), None, position_probability=stands)


@pytest.mark.parametrize(("sure", "firm"), [(PART_SURE_FROM, False), (WHOLE_STANDS_FROM, True)])
def test_the_page_shows_a_verdict_from_where_the_command_line_does(sure: float, firm: bool) -> None:
    laid = parse("makiaveli floor: 7C 7D 7H; hand: 3S").to_json()
    assert assess_trust(read_with(sure), laid, (), None).firm == firm
    assert assess_trust(read_with(0.5), laid, (), sure).firm == firm


def test_a_recording_of_a_screen_is_named_where_no_table_was_read() -> None:
    cards: Any = (object(),)
    shown = replace(read_with(0.5), cards=cards, notes=(SCREEN,))
    assert sentence(SCREEN) in assess_trust(shown, None, (), None).why
    assert assess_trust(replace(shown, cards=(), notes=(NO_CARD_ON_SCREEN,)), None, (), None).why == sentence(
        NO_CARD_ON_SCREEN
    )


def test_a_missing_hand_is_missed_in_photos_and_in_films_alike() -> None:
    trust = assess_trust(read_with(0.99), parse("makiaveli floor: 7C 7D 7H").to_json(), (), None)
    assert trust.handless
    assert trust.why.startswith("I see no hand.")


def test_a_new_visitor_is_shown_what_the_page_can_do_and_asked_how_to_begin() -> None:
    start = data(opened())
    assert [game["title"] for game in start["games"]][:2] == ["Makiaveli", "Klondike"]
    assert start["hero"]["board"]["game"] == "makiaveli"
    assert len(start["samples"]) >= 4


def test_a_link_opens_with_its_verdict_and_keeps_its_address() -> None:
    page = opened(WON)
    assert (said(page).startswith("Yes, you could have won"), tone(page)) == (True, "good")
    assert page.query_params["p"] == str(parse(WON))


def test_a_table_of_a_review_that_is_a_guess_stays_one_until_another_is_begun() -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    page.query_params["p"], page.query_params["guess"] = WON, "1"
    page = settled(page.run())
    supposed = "First guess: yes, you could have won, if the cards lay as the photos suggest"
    assert (said(page).startswith(supposed), tone(page)) == (True, "open")
    assert "Its review counts other ways" in said(page), "which may say otherwise"
    session(page).begin(LOST)
    page = settled(page.run())
    assert tone(page) == "bad"
    assert "guess" not in page.query_params


@pytest.mark.parametrize(("told", "left"), [("8", "8 questions were open."), ("1", "1 question"), ("x", "some of it")])
def test_a_table_that_was_left_with_open_questions_stays_a_first_guess_until_it_is_confirmed(
    told: str, left: str
) -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    page.query_params["p"], page.query_params["open"] = WON, told
    page = settled(page.run())
    assert (data(page)["said"]["headline"], tone(page)) == ("First guess: yes, you could have won", "open")
    assert left in said(page)
    assert "Its photo is not here any more, so please check the cards." in said(page)
    assert "table" not in data(page)["keep"], "it would come back as a sure one"
    page = settled(send(page, "set_card", place="hand/0", card="2S", was="3S"))
    assert tone(page) == "open", "one card that is put right says nothing of the others"
    (asked,) = data(page)["questions"]
    page = settled(send(page, "answer", id=asked["id"], value=asked["choices"][0]["value"]))
    assert (tone(page), data(page)["questions"], data(page)["open"]) == ("bad", [], None), "it is for sure"


def test_a_table_of_a_review_stays_one_when_the_browser_goes_back_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    address = {"p": NEARLY, "guess": "1", "made": "7 T6>F"}
    monkeypatch.setattr(state, "_travelled", lambda: True)  # to a page that was loaded anew behind it
    for name, told in address.items():
        page.query_params[name] = told
    page = settled(page.run())
    for _ in range(2):
        assert said(page).startswith("First guess: ")
        assert "Before move 7: K♠" in said(page)
        assert "guess" not in data(page)["said"]["detail"], "the rest is folded"
        assert {"guess", "made"} <= page.query_params.keys(), "what is loaded anew is told the same"
        session(page).clear()
        page = settled(page.run())


def test_a_loss_is_called_proved() -> None:
    page = opened(LOST)
    assert "No, you could not have won" in said(page)
    assert "Proved" in said(page)
    assert tone(page) == "bad"


@pytest.mark.parametrize(
    ("floor", "hand", "fits"),
    [("KC KD KS", "KH 8D", False), ("KC KD KS | 7C 7D 7S", "KH 8D", True), ("7C 7D 7H", "8C QD", True)],
    ids=["fits nowhere", "fits", "none can be played"],
)
def test_what_is_marked_on_the_table_is_explained_there_alone(floor: str, hand: str, fits: bool) -> None:
    page = settled(opened(f"makiaveli floor: {floor}; hand: {hand}"))
    assert ("would fit" in data(page)["marks"].values()) == fits
    assert ("A dashed line is round" in said(page)) == fits
    assert "blocked" in data(page)["marks"].values()
    assert "marked in red" in said(page)
    assert ("No card on the table would fit with 8♦." in said(page)) != fits


def test_an_impossible_table_lists_every_fault_and_gives_no_verdict() -> None:
    page = opened("makiaveli floor: 7C 7D 8H; hand: 3S 3S KH 3S")
    assert "no meld" in said(page)
    assert "3♠ stands 3 times" in said(page)
    assert "3S" not in said(page), "errors are told in the board's symbols"
    assert tone(page) == "warn"
    assert set(data(page)["marks"]) == {"floor/0/0", "floor/0/1", "floor/0/2", "hand/0", "hand/1", "hand/3"}


@pytest.mark.parametrize(
    "given",
    [
        "<script>alert(1)</script>",
        "makiaveli hand: <img src=x onerror=alert(1)>",
        '{"game": "klondike", "columns": 7}',
        "{" * 3000,
        "makiaveli hand: " + "3S " * 100_000,
        "\x00\x01\u202e",
        "",
    ],
    ids=["script", "image", "json", "braces", "megabyte", "control", "empty"],
)
def test_a_hostile_link_gets_a_kind_sentence(given: str) -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    page.query_params["p"] = given
    page.run()
    assert not page.exception
    refused = data(page)["refused"]
    assert refused["title"] == "This link holds no table."
    assert refused["text"]


def test_editing_the_line_changes_the_table_and_can_be_undone() -> None:
    page = opened(WON)
    page = settled(send(page, "line", text=LOST))
    assert "No, you could not have won" in said(page)
    send(page, "undo")
    assert "Yes, you could have won" in said(settled(page))
    assert data(page)["line"] == str(parse(WON))


def test_quick_taps_are_all_served_and_each_once() -> None:
    page = opened(WON)
    before = line(page)
    removals = [event("remove", place="hand/0", was=card) for card in ("3S", "4S")]
    send_all(page, "table", *removals)
    assert line(page).endswith("hand: 5S")
    send_all(page, "table", *removals, event("undo"), event("undo"))  # the first two are sent again with those after
    assert line(page) == before
    settled(page)


def test_what_a_tap_meant_that_is_no_longer_there_is_left_alone() -> None:
    page = opened(WON)
    send(page, "remove", place="hand/0", was="4S")
    assert line(page) == str(parse(WON))


@pytest.mark.parametrize(
    "event",
    [
        {"name": "set_card", "place": "hand/0", "card": "<b>"},
        {"name": "set_card"},
        {"name": "move", "place": "hand/0", "to": "nowhere", "was": "3S"},
        {"name": "move", "place": [], "to": {}, "was": 3},
        {"name": "raise", "path": "hand", "by": "x"},
        {"name": "bury", "path": "../..", "by": 10**9},
        {"name": "answer", "id": "card 99", "value": "3S"},
        {"name": "answer", "id": 7, "value": {}},
        {"name": "rule", "key": "draw", "value": {"x": 1}},
        {"name": "agreed", "rules": [1]},
        {"name": "agreed", "rules": {"klondike": {"draw": 99}}},
        {"name": "no such event"},
        {"name": "photo", "files": [{"data": "%%%"}], "purpose": "new"},
        {"name": "put", "number": 7, "to": "hand"},
        {"name": "again", "rect": "x"},
        {"name": "sample", "sample": "../../etc/passwd"},
    ],
    ids=lambda event: str(event["name"]),
)
def test_whatever_a_browser_sends_the_table_stays(event: dict[str, Any]) -> None:
    page = opened(WON)
    send_all(page, "table", {**event, "stamp": 0.25})
    assert not page.exception
    assert line(page) == str(parse(WON))


def test_an_address_that_comes_late_neither_undoes_a_change_nor_forgets_the_photo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = photographed(monkeypatch)
    send(page, "set_card", place="hand/2", card="5S", was="6S", number=1)
    page.query_params["p"] = str(parse(MISREAD))  # as a browser sends it that has not heard of the change
    page.run()
    assert line(page) == str(parse(WON))
    assert session(page).shot is not None
    page.query_params["p"] = LOST
    assert line(settled(page.run())) == str(parse(LOST)), "another link is opened"


def test_the_browsers_back_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    send(page, "set_card", place="hand/2", card="5S", was="6S", number=1)
    monkeypatch.setattr(state, "_travelled", lambda: True)
    page.query_params["p"] = str(parse(MISREAD))
    assert line(settled(page.run())) == str(parse(MISREAD))
    page.query_params.clear()
    page.run()
    assert data(page)["view"] == "start"
    page.query_params["p"] = str(parse(MISREAD))
    page.run()
    assert session(page).shot is not None


def test_new_table_and_back_brings_the_photo_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    send(page, "new")
    assert data(page)["view"] == "start"
    assert "p" not in page.query_params
    monkeypatch.setattr(state, "_travelled", lambda: True)
    page.query_params["p"] = str(parse(MISREAD))
    page.run()
    assert len(data(page)["photos"]) == 1


def test_who_forgets_the_photo_has_it_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    send(page, "forget")
    monkeypatch.setattr(state, "_travelled", lambda: True)
    page.query_params["p"] = str(parse(MISREAD))
    page.run()
    assert session(page).shot is None


def test_what_polls_lies_in_a_block_of_its_own() -> None:
    """A poll amid a run of the page makes Streamlit draw that part again, at the end: nothing may lie beside it."""
    page = AppTest.from_string(
        "import streamlit as st\nfrom webapp.streamlit_link import poll\n"
        "st.text('a')\npoll(st.text, 9.0, 'b')\nst.text('c')"
    ).run()
    part = page.main.children[1]
    assert len(part.children) == 1
    assert part.children[0].children[0].value == "b"  # type: ignore[union-attr]


def test_a_slip_in_the_line_is_pointed_at_and_changes_nothing() -> None:
    page = opened(WON)
    send(page, "line", text="makiaveli hand: 3S 9X")
    fault = data(page)["fault"]
    assert "9X" in fault["where"]
    assert "^" in fault["where"]
    assert fault["text"] == "makiaveli hand: 3S 9X", "what was typed stays there to be put right"
    assert line(page) == str(parse(WON))


def test_a_typed_line_is_filled_up_with_a_stock_and_usual_rules() -> None:
    page = opened(WON)
    send(page, "line", text="klondike draw: 1; columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S7")
    assert len(parse(line(page)).stock) == 4, "the cards that no pile holds"
    assert rule(page, "preset") == "Turn 1"
    send(page, "line", text="klondike moves: one; columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S12")
    assert rule(page, "preset") == "Turn 1, move 1 card", "what a line says holds"


def test_a_slip_in_the_hands_text_is_told_as_one() -> None:
    page = opened(WON)
    send(page, "hand", text="3S 9X")
    assert data(page)["notice"].startswith("The hand: 9X is no card.")
    send(page, "hand", text="9S 10H")
    assert line(page).endswith("hand: 3S 4S 5S 9S TH")
    settled(page)


def test_a_card_can_be_removed_moved_and_added() -> None:
    page = opened(WON)
    send(page, "remove", place="hand/2", was="5S")
    assert line(page).endswith("hand: 3S 4S")
    send(page, "move", place="cross/0", to="hand", was="2S")
    assert line(page).endswith("cross: - - - -; hand: 3S 4S 2S")
    assert "Yes, you could have won" in said(settled(page))
    send(page, "add", path="floor/*", card="KD")
    assert "7C 7D 7H | KD" in line(page)
    send(page, "add", path="cross/1", card="9H")
    assert "cross: - 9H - -" in line(page)
    settled(page)


def test_rules_can_be_chosen() -> None:
    page = opened(WON)
    send(page, "rule", key="strict_cross", value=True)
    assert line(page).startswith("makiaveli rules: strict_cross;")
    assert data(page)["rules"]["told"] == "Cross cards: need a hand card."
    send(page, "rule", key="repair", value=True)
    assert line(page).startswith("makiaveli rules: strict_cross repair;")
    settled(page)


def test_all_rules_tell_the_rules_that_the_verdict_goes_by() -> None:
    page = opened(NEARLY)
    assert rule(page, "preset") == "Turn 1, move 1 card"
    send(page, "rule", key="preset", value="Turn 3")
    assert line(page).startswith("klondike draw: 3;")
    assert "Yes, it could have been won" in said(settled(page))
    before = line(page)
    found = {key: rule(page, key) for key in ("preset", "draw", "redeals", "column_moves", "worrying_back")}
    assert found == {"preset": "Turn 3", "draw": 3, "redeals": None, "column_moves": "run", "worrying_back": True}
    page.run()
    assert line(page) == before
    send(page, "rule", key="draw", value=2)
    assert line(page).startswith("klondike draw: 2;")
    assert rule(page, "preset") == "Own"
    settled(page)


def test_forced_or_free_changes_the_answer() -> None:
    page = opened("tomb_single corners: 7H | - | - | -; deck: 51")
    before = said(page)
    send(page, "rule", key="mode", value="free")
    assert said(settled(page)) != before


def test_the_best_move_is_marked_on_the_table() -> None:
    page = opened("tomb_single corners: 7H | - | - | -; spares: KH 8C - -; deck: 49")
    send(page, "advise")
    advised = session(page).advice
    assert advised is not None
    assert advised.wait(300)
    told = data(page.run())
    assert told["advice"]["headline"] == "Next: 8♣ from spare 2 to corner 1"
    assert told["marks"] == {"corners/0/0": "selected", "spares/1": "selected"}
    settled(page)


def test_redeals_left_go_with_the_wastes() -> None:
    page = opened("tomb_double foundations: C26 D26 H26 S25; tableau: AS | - | - | -")
    send(page, "rule", key="redeals_left", value=1)
    assert line(page).endswith("redeals: 1")
    settled(page)


def seen(card: str, zone: str, confidence: float = 1.0, *alternatives: str) -> dict[str, Any]:
    others = [[name, 0.1] for name in alternatives]
    return {"card": card, "confidence": confidence, "alternatives": others, "zone": zone, "quad": None, "indices": []}


MISREAD = "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S"
READING: dict[str, Any] = {
    "image": {"width": 4, "height": 4},
    "game": "makiaveli",
    "game_confidence": 1.0,
    "cards": [seen("7C", "floor/0"), seen("6S", "hand", 0.6, "5S", "8S"), seen("7H", "floor/0", 0.9, "7S")],
    "backs": [],
    "problems": [],
    "readable": {"ok": True, "reasons": []},
    "stands": 0.55,
}
SURE = [seen("7C", "floor/0")]
PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde\x00\x00\x00\x0c"
    b"IDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef\x00\x00\x00\x00IEND\xaeB`\x82"
)


def shot(line: str | None = MISREAD, **reading: Any) -> PhotoSession:
    """A photo of a table with one card of the hand misread."""
    position = None if line is None else parse(line).to_json()
    others = ((-0.5, str(parse(WON))),) if line == MISREAD else ()
    read = Reading.from_json(READING | reading | {"position": position, "others": others})
    return PhotoSession((PIXEL,), read, (PIXEL,))


def photographed(monkeypatch: pytest.MonkeyPatch, found: PhotoSession | None = None) -> AppTest:
    """The page after a photo was taken or chosen."""
    monkeypatch.setattr(table, "read", lambda *args, **more: found or shot())
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    send(page, "photo", files=[{"name": "a.jpg", "data": b64encode(PIXEL).decode()}], purpose="new")
    assert not page.exception, page.exception
    return settled(page) if session(page).line else page


def test_a_misread_card_is_asked_about_first_and_put_right(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    assert said(page).startswith(
        "First guess: no, you could not have won 2 cards are unsure, and the answer may depend on them."
    )
    assert tone(page) == "open", "no proof is told of a table that may be another"
    assert data(page)["urgent"]
    first = data(page)["questions"][0]
    assert first["number"] == 1
    assert [choice["value"] for choice in first["choices"]] == ["6S", "5S", "8S"]
    send(page, "answer", id=first["id"], value="5S")
    assert line(page).endswith("hand: 3S 4S 5S")
    page = settled(page)
    assert "yes, you could have won" in said(page)
    (second,) = data(page)["questions"]
    assert second["number"] == 2
    send(page, "answer", id=second["id"], value="7H")
    assert data(page)["questions"] == []
    assert tone(settled(page)) == "good"
    send(page, "reread")
    assert line(page) == str(parse(MISREAD))
    settled(page)


def test_a_card_that_was_taken_away_by_mistake_is_put_back_as_it_was() -> None:
    page = opened(HIDDEN)
    before = line(page)
    for name, answer in (
        ("answer", {"id": f"{TURNED}columns/2/down", "value": "JH"}),
        ("set_card", {"place": "columns/2/down/1", "card": "JH", "was": "??"}),
    ):
        send(page, "remove", place="columns/2/up/0", was="JH")
        assert line(page) != before
        send(page, name, **answer)
        assert line(page) == before


def test_where_a_card_lies_is_asked_no_more_once_somebody_has_moved_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "perhaps 3C does not lie in waste: please check where it lies"
    lies = Question(QuestionKind.ZONE, text, Place("waste"), ("waste", "column/0"), (0,), doubt=0.4)
    checks = {"cards": [seen("3C", "waste")], "questions": [lies.to_json()]}
    there = HIDDEN.replace("C1", "C0").replace("[2C]", "[JC]")
    page = photographed(monkeypatch, shot(there, game="klondike", **checks))
    assert data(page)["questions"][0]["text"] == "Where does 3♣ lie?"
    send(page, "move", place="waste/0", to="columns/3/up", was="3C")
    assert "Where does 3♣ lie?" not in [asked["text"] for asked in data(page)["questions"]]
    send(page, "undo")
    assert data(page)["questions"][0]["text"] == "Where does 3♣ lie?"
    settled(page)


def test_where_the_last_card_lies_is_asked_if_no_photo_shows_a_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "klondike draw: 1; moves: run; columns: - | - | - | - | - | - | -; foundations: C13 D13 H11 S13; {}"
    there = str(parse(table.format("stock: ??; waste: QH")))
    back = {"zone": "stock", "quad": [[0, 0], [1, 0], [1, 1], [0, 1]], "photo": 0, "confidence": 1.0}
    page = photographed(monkeypatch, shot(there, game="klondike", cards=[seen("QH", "waste")], checks=[]))
    asked = next(asked for asked in data(page)["questions"] if asked["id"] == "unseen")
    assert asked["text"] == "I see no stock, and 1 card lies nowhere else. Where does it lie?"
    assert [choice["label"] for choice in asked["choices"]] == ["Under Q♥ in the waste", "In the stock"]
    for value, lies in (("none", "stock: ??; waste: QH"), ("waste", "stock: ; waste: ?? QH")):
        send(page, "answer", id="unseen", value=value)
        assert parse(line(page)) == parse(table.format(lies))
        assert "unseen" not in [asked["id"] for asked in data(page)["questions"]]
        send(page, "undo")
    settled(page)
    page = photographed(monkeypatch, shot(there, game="klondike", cards=[seen("QH", "waste")], checks=[], backs=[back]))
    assert "unseen" not in [asked["id"] for asked in data(page)["questions"]]
    settled(page)


def test_what_one_tap_has_answered_one_undo_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    first, *others = [asked["id"] for asked in data(page)["questions"]]
    send(page, "answer", id=first, value="right", others=others)
    assert others
    assert data(page)["questions"] == []
    send(page, "undo")
    assert [asked["id"] for asked in data(page)["questions"]] == [first, *others]
    settled(page)


def test_a_table_that_may_be_another_is_vouched_for_with_one_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot(cards=SURE, stands=0.4))
    (asked,) = data(page)["questions"]
    assert asked["text"] == "Is this table the same as in your photo?", "nothing grey is without a question"
    send(page, "answer", id=asked["id"], value="right")
    assert tone(settled(page)) == "bad"
    assert data(page)["trust"] == data(page)["questions"] == []


def test_a_photo_that_was_hardly_read_is_neither_won_nor_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"ok": False, "reasons": ["I could read only 2 of about 40 cards; take it from nearer."]}
    empty = "makiaveli floor: 7C 7D 7H"
    page = photographed(monkeypatch, shot(empty, readable=few, stands=0.01, likeliest="klondike"))
    assert tone(page) == "open"
    assert "only 2 of about 40 cards" in said(page)
    assert "Already won" not in said(page)
    ways = [(way["name"], (way.get("given") or {}).get("game")) for way in data(page)["trust"]]
    assert ("photo", None) in ways
    assert next(game for name, game in ways if name == "this_is") == "klondike"


def test_a_floor_without_a_hand_is_not_already_won(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot("makiaveli floor: 7C 7D 7H", cards=SURE, stands=1.0))
    assert tone(page) == "open"
    assert said(page).startswith("Which cards are in your hand?")
    assert data(page)["ask"] == "hand"
    assert "Tap its dashed place on the table" in said(page), "that is done soonest"
    offered = [way.get("purpose") for way in (*data(page)["trust"], *data(page)["more"])]
    assert offered.count("hand") == 1
    session(page).begins_turn = True
    assert data(page.run())["ask"] == "hand before", "nobody has won before a turn"
    session(page).begins_turn = False
    send(page, "hand", text="7S")
    assert tone(settled(page)) == "good"
    assert "hand" in [way["purpose"] for way in data(page)["more"]]


@pytest.mark.parametrize(("left", "purpose"), [(-1, "more"), (0, "new")])
def test_a_photo_that_cuts_the_table_off_offers_another_one_beside_that_of_the_hand(
    monkeypatch: pytest.MonkeyPatch, left: int, purpose: str
) -> None:
    card = seen("7C", "floor/0") | {"quad": [[left, 1], [left + 2, 1], [left + 2, 4], [left, 4]]}
    page = photographed(monkeypatch, shot("makiaveli floor: 7C 7D 7H", cards=[card], stands=1.0))
    assert [way["purpose"] for way in data(page)["trust"]] == ["hand", purpose]


def test_a_photo_of_another_table_is_named_with_the_verdict_on_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shot()
    apart = Question(QuestionKind.APART, "photo 1 does not join", photos=(0,))
    page = photographed(monkeypatch, replace(found, reading=replace(found.reading, checks=(apart,))))
    assert data(page)["said"]["headline"].startswith("First guess")
    assert data(page)["said"]["list"] == ["Photo 1 seems to show another table, or too little of this one."]
    assert data(page)["said"]["unfolded"], "many questions may stand before the one about it"


def test_a_photo_of_no_game_is_read_again_as_the_one_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot(None, game="cards", likeliest="klondike"))
    assert session(page).line is None
    assert len(data(page)["photos"]) == 1, "the photo is still there"
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(table, "read", lambda *args, **more: asked.append(args) or shot(HIDDEN, game="klondike"))  # type: ignore[func-returns-value]
    first = next(way for way in data(page)["trust"] if way["name"] == "this_is")
    assert first["label"] == "This is Klondike"
    assert [way["label"] for way in data(page)["trust"] if way.get("main")] == ["This is Klondike"]
    send(page, "this_is", **first["given"])
    assert [(photos[0][1], game) for photos, game in asked] == [(PIXEL, "klondike")], "the stored photo, as that game"
    assert line(settled(page)).startswith("klondike")


def test_a_film_in_which_no_table_is_read_is_to_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    film = replace(shot(None, game="cards", likeliest="klondike"), what="film")
    page = photographed(monkeypatch, film)
    assert data(page)["title"] == "Your film"
    assert data(page)["better"]["film"]
    assert "A better film" in [way["label"] for way in data(page)["trust"]]
    monkeypatch.setattr(table, "read", lambda *args, **more: shot(HIDDEN, game="klondike"))
    send(page, "this_is", game="klondike")
    read_again = session(page).shot
    assert read_again is not None
    assert (read_again.what, read_again.reading.game) == ("film", "klondike")


def test_of_a_film_that_is_no_sweep_another_one_is_asked_before_anything_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = {"ok": False, "reasons": [f"this film is only 0.5 s long; {NO_SWEEP}"]}
    film = replace(shot(HIDDEN, game="klondike", cards=SURE, readable=short), what="film")
    told = data(photographed(monkeypatch, film))
    assert told["said"]["headline"] == "This film is only 0.5 s long"
    assert told["said"]["detail"] == "Film the whole table in one sweep."
    way = told["said"]["way"]
    assert (way["label"], way["main"], way["film"]) == ("A better film", True, True)
    assert not told["trust"]
    assert not told["questions"], "a look at what was filmed does not tell what was not"
    assert not told["playable"]


def test_a_film_that_is_no_sweep_is_said_to_be_one_though_no_game_is_recognised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = {"ok": False, "reasons": [f"this film is only 0.5 s long; {NO_SWEEP}"]}
    told = data(photographed(monkeypatch, replace(shot(None, game=None, cards=SURE, readable=short), what="film")))
    assert told["said"]["headline"] == "This film is only 0.5 s long"
    assert (told["said"]["way"]["label"], told["said"]["way"]["main"]) == ("A better film", True)
    assert not told["trust"], "not even which game it may be"


def test_of_cards_that_are_no_game_those_that_were_read_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    told = data(photographed(monkeypatch, shot(None, game=None)))["said"]
    assert told["headline"] == "Which game is this?"
    assert told["details"].startswith("The cards that I read: 7♣ ")
    assert "details" not in data(photographed(monkeypatch, shot(None, game=None, cards=[])))["said"]


def test_of_a_photo_that_has_no_answer_no_rules_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = {"ok": False, "reasons": ["only 7 of about 9 cards could be read"]}
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, readable=unread))
    assert data(page)["said"]["headline"] == "This photo is not read well enough for an answer"
    (asked,) = data(page)["questions"]
    assert asked["text"] == "Is this table the same as in your photo?"
    assert not data(page)["playable"]
    ways = [way["label"] for way in data(page)["trust"]]
    assert ways[0] == "A better photo"
    assert "This is Klondike" not in ways, "it was read as that"


def test_a_table_of_which_marks_were_taken_for_cards_is_settled_with_one_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = {"ok": False, "reasons": ["only 7 cards could be read, and 8 marks could not"]}
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, readable=unread))
    send(page, "answer", id="whole", value="right")
    assert data(page)["said"]["headline"] != "This photo is not read well enough for an answer"
    assert data(page)["playable"]
    send(page, "undo")
    assert data(page)["said"]["headline"] == "This photo is not read well enough for an answer"


def test_klondike_asks_at_each_table_how_many_cards_are_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, stands=1.0))
    (asked,) = data(page)["questions"]
    assert asked["text"] == "Do you turn one card or three?"
    assert said(page).startswith("First guess: "), "the answer hangs on it"
    assert data(page)["trust"] == [], "no other photo would tell"
    send(page, "answer", id=asked["id"], value="Turn 3")
    assert data(page)["questions"] == []
    assert not said(settled(page)).startswith("First guess")
    send(page, "new")
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="new")
    assert line(page).startswith("klondike draw: 3;")
    (asked,) = data(page)["questions"]
    assert [choice["label"] for choice in asked["choices"]] == ["One card", "Three cards, as last time"]
    assert said(settled(page)).startswith("First guess: "), "the last one may have been another game"
    taken = "Do you turn one card or three? The answer depends on it: until you say, I go by three cards."
    assert data(page)["said"]["detail"].startswith(taken)
    assert asked["taken"] == "three cards", "the button of who is not sure says so"
    assert data(page)["keep"]["rules"]["klondike"]["draw"] == 3, "the browser keeps it"
    send(page, "rule", key="preset", value="Turn 1")
    assert data(page)["questions"] == [], "it was chosen here"
    send(page, "reread")
    assert data(page)["questions"] == [], "no reading shows it"
    settled(page)


def test_rules_that_were_told_are_not_asked_for_again_after_a_reload_nor_when_a_photo_is_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, stands=1.0))
    send(page, "answer", id="rules", value="Turn 1")
    kept, told = data(page)["kept"], line(page)
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="more")
    assert data(page)["questions"] == []
    again = AppTest.from_string(SCRIPT, default_timeout=300).run()
    restored = {"data": b64encode(PIXEL).decode()}
    send(again, "photo", files=[restored], purpose="again", line=told, settled=kept["settled"])
    assert data(again)["questions"] == []
    settled(again)


def test_where_three_cards_of_the_waste_lie_open_it_is_said_why_it_is_asked_whether_one_is_turned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, stands=1.0))
    send(page, "answer", id="rules", value="Turn 1")
    fanned = HIDDEN.replace("waste: 3C", "waste: 3C 4C 5C").replace("?? ?? ?? ?? ?? ??;", "?? ?? ?? ??;")
    monkeypatch.setattr(table, "read", lambda *args, **more: shot(fanned, game="klondike", cards=SURE, stands=1.0))
    send(page, "new")
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="new")
    (asked,) = data(page)["questions"]
    assert asked["text"] == "Three cards lie fanned: do you turn one or three?", "why it is asked again"
    send(page, "answer", id=asked["id"], value="Turn 1")
    assert data(page)["questions"] == []
    settled(page)


def test_undo_of_the_rules_that_were_told_asks_for_them_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, stands=1.0))
    assert "rules" not in data(page)["keep"], "what the browser kept from before is not lost before it is heard"
    asked, read = data(page)["questions"], line(page)
    send(page, "answer", id="rules", value="Turn 3")
    told = line(page)
    send(page, "undo")
    assert (line(page), data(page)["questions"]) == (read, asked)
    assert said(settled(page)).startswith("First guess: ")
    assert data(page)["keep"]["rules"] == {}, "after a reload it is not told either"
    session(page).follow_history(told)
    assert data(page.run())["questions"] == []
    assert data(page)["keep"]["rules"]["klondike"]["draw"] == 3
    settled(page)


def test_undo_of_other_rules_goes_back_to_those_of_the_last_table(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=SURE, stands=1.0))
    send(page, "answer", id="rules", value="Turn 3")
    send(page, "new")
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="new")
    send(page, "rule", key="preset", value="Turn 1")
    send(page, "undo")
    assert data(page)["questions"][0]["choices"][1]["label"] == "Three cards, as last time"
    assert data(page)["keep"]["rules"]["klondike"]["draw"] == 3
    settled(page)


def test_a_table_laid_by_hand_is_asked_for_its_rules_once_it_has_an_answer() -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    send(page, "begin", game="klondike")
    assert data(page)["questions"] == [], "nothing lies there"
    line_of = "klondike columns: {} | - | - | - | - | -; foundations: C13 D13 H12 S11; stock:; waste: QS"
    laid = parse(line_of.format("[KS] | [KH]")).to_json()
    session(page).edit(lambda table: laid | {"rules": table["rules"]})
    assert data(page.run())["questions"] == [], "whoever turns one card alone turns it in every game"
    assert not said(settled(page)).startswith("First guess")
    laid = parse(line_of.format("[KS] | -")).to_json() | {"stock": ["KH"]}
    session(page).edit(lambda table: laid | {"rules": table["rules"]})
    (asked,) = data(page.run())["questions"]
    assert (asked["id"], data(page)["urgent"]) == ("rules", True)
    assert said(settled(page)).startswith("First guess: ")
    send(page, "answer", id="rules", value="Turn 1")
    assert (data(page)["questions"], data(page)["urgent"]) == ([], False)
    assert line(page).startswith("klondike draw: 1;")
    assert not said(settled(page)).startswith("First guess")
    send(page, "new")
    send(page, "begin", game="klondike")
    session(page).edit(lambda table: laid | {"rules": table["rules"]})
    assert data(page.run())["questions"][0]["choices"][0]["label"] == "One card, as last time"
    for chosen in ("Turn 1", "Turn 3"):  # the one that stands there already, or the other one
        send(page, "new")
        send(page, "begin", game="klondike")
        send(page, "rule", key="preset", value=chosen)
        session(page).edit(lambda table: laid | {"rules": table["rules"]})
        assert data(page.run())["questions"] == [], "they were chosen while it was empty"


def test_nothing_is_asked_of_the_rules_that_a_line_tells() -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    send(page, "line", text="klondike draw: 3; columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S12")
    assert data(page)["questions"] == []


def test_nothing_is_said_firmly_while_something_is_asked_that_may_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    count = Question(QuestionKind.HIDDEN, "count column 1", Place("column", 0), ("2", "3"), doubt=0.06)
    found = shot(HIDDEN, game="klondike", cards=SURE, stands=0.98)
    found = replace(found, reading=replace(found.reading, checks=(count,)))
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    monkeypatch.setattr(table, "read", lambda *args, **more: found)
    send(page, "photo", files=[{"name": "a.jpg", "data": b64encode(PIXEL).decode()}], purpose="new")
    send(page, "answer", id="rules", value="Turn 1")
    assert said(settled(page)).startswith("First guess: ")
    assert data(page)["urgent"], "the question is open"
    send(page, "answer", id="count column 1", value="2")
    assert not said(settled(page)).startswith("First guess")


@pytest.mark.parametrize(("other", "firm"), [(WON, False), (f"{MISREAD[:-2]}8S", True)])
def test_a_card_that_is_asked_matters_where_another_one_brings_another_verdict(
    monkeypatch: pytest.MonkeyPatch, other: str, firm: bool
) -> None:
    found = shot(cards=[seen("7C", "floor/0"), seen("6S", "hand", 0.94, "5S", "8S")], stands=0.98)
    others = ((-3.5, parse(other)),)
    page = photographed(monkeypatch, replace(found, reading=replace(found.reading, others=others)))
    assert len(data(page)["questions"]) == 1
    assert (tone(page) == "bad") == firm
    assert ("The answer most likely stays the same." in data(page)["said"]["detail"]) == firm, "what is unsure is told"


def test_of_a_table_that_breaks_the_rules_it_is_not_asked_how_many_cards_are_turned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = HIDDEN.replace("[", "[KC 9D ", 1)
    assert parse(broken).problems()
    page = photographed(monkeypatch, shot(broken, game="klondike", cards=SURE, stands=1.0))
    assert data(page)["said"]["tone"] == "warn"
    assert data(page)["questions"] == [], "no answer waits for it, and it would lie over the faults"


def test_cards_face_down_are_asked_about_once_no_card_lies_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    count = Question(QuestionKind.HIDDEN, "count column 2", Place("column", 1), ("2", "3"), doubt=0.3)
    twice = HIDDEN.replace("[7C]", "[KS]")
    found = shot(twice, game="klondike", cards=cards_of(twice), stands=1.0, questions=[count.to_json()])
    page = photographed(monkeypatch, found)
    assert data(page)["said"]["headline"] == "K♠ stands 2 times"
    assert data(page)["questions"] == [], "no number of them would put it right"
    send(page, "set_card", place="columns/1/up/0", card="7C", was="KS")
    assert [asked["id"] for asked in data(page)["questions"]][:1] == ["count column 2"]
    settled(page)


def test_what_was_told_before_keeps_no_answer_from_being_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    session(page).notice = "Something else."
    first, *others = data(page.run())["questions"]
    send(page, "answer", id=first["id"], value="right")
    assert data(page)["questions"] == others, "it changed nothing on the table"
    assert data(page)["notice"] == ""
    settled(page)


def test_rules_that_the_browser_kept_are_taken() -> None:
    page = opened()
    send(page, "agreed", rules={"klondike": {"draw": 3, "column_moves": "run"}})
    assert session(page).agreed["klondike"]["draw"] == 3


def test_a_photo_of_before_comes_back_to_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(WON)
    assert data(page)["asks"] == "table"
    monkeypatch.setattr(table, "read", lambda *args, **more: shot())
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="again")
    assert line(page) == str(parse(WON)), "what was put right stays"
    assert len(data(page)["photos"]) == 1
    settled(page)


@pytest.mark.parametrize(("table_of_address", "photos"), [(MISREAD, 1), (WON, 0)], ids=["its own", "another"])
def test_a_photo_that_was_just_read_comes_back_to_its_table_alone(
    monkeypatch: pytest.MonkeyPatch, table_of_address: str, photos: int
) -> None:
    page = opened(table_of_address)
    monkeypatch.setattr(table, "read", lambda *args, **more: shot())
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="again", if_same=True)
    assert line(page) == str(parse(table_of_address))
    assert len(data(page)["photos"]) == photos
    settled(page)


@pytest.mark.parametrize(
    ("event", "wanted"),
    [
        ({"name": "photo", "purpose": "hand"}, ("makiaveli", 1, True)),
        ({"name": "photo", "purpose": "more"}, ("makiaveli", 2, False)),
        ({"name": "photo", "purpose": "new"}, ("auto", 1, False)),
    ],
    ids=["hand", "more", "new"],
)
def test_further_photos_have_their_place(
    monkeypatch: pytest.MonkeyPatch, event: dict[str, Any], wanted: tuple[str, int, bool]
) -> None:
    page = photographed(monkeypatch)
    asked: list[Wanted] = []

    def note(photos: Any, game: str, *, hand: bytes | None, needs_all: bool) -> PhotoSession:
        asked.append(Wanted(tuple(photos), game, hand))
        assert needs_all == (event["purpose"] != "new"), "one that cannot be read changes nothing of those before"
        return shot()

    monkeypatch.setattr(table, "read", note)
    send(page, event["name"], purpose=event["purpose"], files=[{"name": "b", "data": b64encode(PIXEL).decode()}])
    assert (asked[0].game, len(asked[0].photos), asked[0].hand is not None) == wanted
    settled(page)


def test_a_photo_that_is_added_loses_no_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    quads = [[[x, 0], [x + 1, 0], [x + 1, 1], [x, 1]] for x in (0, 10, 20)]
    cards = [card | {"quad": quad} for card, quad in zip(READING["cards"], quads, strict=True)]
    page = photographed(monkeypatch, shot(cards=cards))
    settled(send(page, "set_card", place="hand/2", card="5S", was="6S", number=1))
    assert line(page) == str(parse(WON))
    more = [cards[1], cards[0] | {"photo": 1}, cards[2]]  # the same cards, numbered anew
    monkeypatch.setattr(table, "read", lambda *args, **more_: shot(cards=more))
    send(page, "photo", purpose="more", files=[{"name": "b", "data": b64encode(PIXEL).decode()}])
    settled(page)
    assert line(page) == str(parse(WON)), "what was put right stays"
    assert "card 0" in session(page).answered, "and is not asked about again"
    assert not data(page)["notice"], "there is no photo more"
    two = replace(shot(cards=more), photos=(PIXEL, PIXEL))
    monkeypatch.setattr(table, "read", lambda *args, **more_: two)
    send(page, "photo", purpose="more", files=[{"name": "c", "data": b64encode(PIXEL).decode()}])
    settled(page)
    assert data(page)["notice"] == "The new photo is joined to your table. 1 question is left."
    settled(send(page, "undo"))
    assert line(page) == str(parse(MISREAD))


def test_a_photo_of_another_table_that_is_added_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    settled(send(page, "set_card", place="hand/2", card="5S", was="6S", number=1))
    before = session(page).shot
    size = {"width": 4, "height": 4}
    foreign = shot(HIDDEN, photos=[size | {"name": "photo 1", "joined": False, "why": "no card"}, size])
    monkeypatch.setattr(table, "read", lambda *args, **more: replace(foreign, photos=(PIXEL, PIXEL)))
    send(page, "photo", purpose="more", files=[{"name": "b", "data": b64encode(PIXEL).decode()}])
    assert "another table" in data(page)["notice"]
    assert data(page)["leftOut"], "it is offered to be read alone"
    assert (line(page), session(page).shot) == (str(parse(WON)), before)
    assert "card 1" in session(page).answered
    assert len(data(page)["photos"]) == 1
    settled(send(page, "undo"))
    assert line(page) == str(parse(MISREAD)), "what was put right before can still be taken back"


@pytest.mark.parametrize("reason", ["holds no picture that can be read", "has <b>200</b> megapixels"])
def test_a_photo_that_cannot_be_read_is_a_sentence(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    def refuse(*args: Any, **more: Any) -> PhotoSession:
        raise PhotoError("<bytes>", reason)

    monkeypatch.setattr(table, "read", refuse)
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="new")
    assert not page.exception
    assert data(page)["refused"]["title"] == "This photo could not be read."
    assert session(page).line is None


def test_a_photo_that_cannot_be_read_leaves_the_table_before(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)

    def refuse(*args: Any, **more: Any) -> PhotoSession:
        raise PhotoError("<bytes>", "holds no picture that can be read")

    monkeypatch.setattr(table, "read", refuse)
    send(page, "photo", files=[{"data": b64encode(PIXEL).decode()}], purpose="new")
    assert line(page) == str(parse(MISREAD))
    assert "could not be read" in data(page)["notice"]


def test_a_wide_estimate_is_shown_soon_and_looked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_view, "LADDER", (QUICK, 2.0, 3.0))
    monkeypatch.setattr(verdict_view, "NARROW", -1.0)
    page = opened(HIDDEN)
    assert session(page).seconds == 2.0
    assert "hidden cards may lie" in said(page)
    send(page, "longer", seconds=data(page)["longer"])
    assert session(page).seconds == 3.0
    assert data(page)["title"] == "Klondike, still searching"
    assert "hidden cards may lie" in said(page), "what is known stays on the page while the search goes on"
    settled(page)
    assert data(page)["title"] == "Klondike"
    assert data(page)["longer"] == 3.0


def test_an_estimate_is_told_in_plain_words_and_its_figures_under_details() -> None:
    told = data(opened(HIDDEN))["said"]
    assert "95%" not in told["headline"] + told["detail"]
    assert "seed" not in told["headline"] + told["detail"]
    assert "95% interval" in told["details"]


def test_turns_of_the_stock_are_one_step_with_what_follows() -> None:
    cards = "klondike draw: 1; moves: run; columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D12 H12 S12"
    page = opened(f"{cards}; waste: KD")
    moves = data(page)["steps"]
    assert moves
    assert not any(":" in step["text"] and ">" in step["text"] for step in moves), "no codes"
    stock = "klondike draw: 1; columns: - | - | - | - | - | - | -; foundations: C13 D13 H13 S10; stock: QS KS JS"
    deal = opened(stock)
    texts = [step["text"] for step in data(deal)["steps"]]
    assert texts[0] == "Turn the stock 3 times, then J♠ from the waste to the foundation of spades"
    texts = [step["text"] for step in data(opened(f"{stock.removesuffix(' QS KS JS')}; waste: JS QS KS"))["steps"]]
    assert texts[0] == "Turn the waste over, turn the stock once, then J♠ from the waste to the foundation of spades"


def test_a_step_begins_a_new_meld_that_has_no_number_yet() -> None:
    page = opened("makiaveli hand: 3S 4S 5S")
    assert [step["text"] for step in data(page)["steps"]] == [
        "Put down 3♠ 4♠ 5♠ from your hand as a new meld. Your hand is empty: you win."
    ]


def test_the_last_step_says_which_cards_stay_in_the_hand() -> None:
    steps = data(opened("makiaveli hand: 3S 4S 5S 9D KC"))["steps"]
    assert steps[-1]["text"].endswith("as a new meld. That is all: 9♦ K♣ stay in the hand.")


def test_an_empty_table_is_no_verdict_and_says_how_to_lay_it_out() -> None:
    page = opened("makiaveli")
    assert data(page)["said"]["headline"] == "An empty table"
    assert data(page)["said"]["detail"] == verdict_view.EMPTY_TABLE
    assert data(page)["laid"] is False


def test_a_floor_that_is_laid_by_hand_waits_for_the_hand() -> None:
    page = opened("makiaveli floor: 7C 7D 7H")
    assert (tone(page), data(page)["said"]["headline"]) == ("open", "Which cards are in the hand?")
    send(page, "add", path="hand", card="7S")
    assert tone(settled(page)) == "good"


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("klondike columns: - | [9C] | - | - | - | - | -; stock:", "9D"),
        ("makiaveli floor: 7C 7D; hand: 3S", "9S"),
        ("tomb_double tableau: 9C | - | - | -; stock: 60", "9D"),
    ],
)
def test_who_lays_a_table_out_is_told_to_go_on_and_only_of_real_faults(table: str, wrong: str) -> None:
    page = opened(table)
    assert (tone(page), data(page)["said"]["headline"]) == ("open", "Go on adding cards")
    path = {"klondike": "columns/1/up", "makiaveli": "floor/0", "tomb_double": "tableau/0"}[table.split()[0]]
    send(page, "add", path=path, card=wrong)
    assert tone(page) == "warn"


def test_the_rules_that_the_verdict_goes_by_are_told() -> None:
    assert data(opened(HIDDEN))["rules"]["told"].startswith("One card is turned at a time")


def test_the_photos_notes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, shot(notes=["the deck is every card but TH"]))
    assert data(page)["notes"] == ["The deck is every card but 10♥."]
    send(page, "remove", place="hand/0", was="3S")
    assert data(page)["notes"] == [], "they tell of the table as it was read"


def test_notes_about_a_film_stand_in_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch, replace(shot(notes=["the film breaks off after 2.5 s of 9.0 s"]), what="film"))
    told = data(page)
    assert told["said"]["list"] == ["The film breaks off after 2.5 s of 9.0 s."]
    assert told["said"]["unfolded"]
    assert told["notes"] == []
    nothing = replace(shot(None, notes=[NO_CARD_ON_SCREEN], cards=[]), what="film")
    assert "list" not in data(photographed(monkeypatch, nothing))["said"], "why nothing was read is told already"


def test_a_card_that_the_reading_left_out_is_shown_and_can_be_put_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [*SURE * 3, seen("7H", "none", 0.4)]
    page = photographed(monkeypatch, shot(cards=cards))
    asked = data(page)["questions"][0]
    assert asked["text"].startswith("Where does 7♥")
    send(page, "put", number=3, to="hand")
    assert line(page).endswith("hand: 3S 4S 6S 7H")
    assert asked["id"] not in [question["id"] for question in data(settled(page))["questions"]]
    send(page, "undo")
    session(page).answered = frozenset()
    send(page.run(), "put", number=3, to="hand", card="8H")  # another card than was read
    assert line(page).endswith("hand: 3S 4S 6S 8H")
    send(page, "undo")
    session(page).answered = frozenset()
    send(page.run(), "answer", id=asked["id"], value="none")
    assert line(page).endswith("hand: 3S 4S 6S")
    assert asked["id"] not in [question["id"] for question in data(page)["questions"]]


def test_face_down_cards_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(HIDDEN)
    send_all(page, "table", *(event("bury", path="columns/1/down", by=1) for _ in range(2)))
    assert "?? ?? ?? ?? [7C]" in line(page)
    send(page, "bury", path="columns/1/down", by=-1)
    assert "?? ?? ?? [7C]" in line(page)
    assert "stock: ?? ?? ?? ?? ??;" in line(page)
    send(page, "bury", path="columns/1/down", by=-1)
    assert line(page) == str(parse(HIDDEN))


def test_piles_whose_face_down_cards_are_in_doubt_can_be_counted_where_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = Question(QuestionKind.HIDDEN, "column 2 may hide 2 or 3 face down", Place("column", 1), ("2", "3"))
    asked = shot(HIDDEN, game="klondike", cards=SURE, stands=1.0, questions=[check.to_json()])
    page = photographed(monkeypatch, asked)
    asked = data(page)["questions"][0]
    assert [choice["value"] for choice in asked["choices"] if choice["likely"]] == ["2", "3"]
    send(page, "answer", id=asked["id"], value="3")
    assert "?? ?? ?? [7C]" in line(page)
    assert asked["id"] not in [question["id"] for question in data(page)["questions"]]
    settled(page)


def test_no_verdict_is_told_while_it_is_asked_how_photos_fit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    why = "photo 2 shows no card that another photo shows too"
    joined = [{"width": 4, "height": 4}, {"width": 4, "height": 4, "joined": False, "why": why}]
    asked = Question(QuestionKind.APART, why, photos=(1,)).to_json()
    one = shot(WON, cards=SURE, stands=1.0, photos=joined, questions=[asked])
    page = photographed(monkeypatch, replace(one, photos=(PIXEL, PIXEL), shown=(PIXEL, PIXEL)))
    assert tone(page) == "open"
    assert [photo["name"] for photo in data(page)["photos"]] == ["Photo 1", f"P{why[1:]}."]
    assert data(page)["title"] == "Makiaveli", "the second photo is not joined"
    (asked,) = data(page)["questions"]
    assert asked["choices"] == [{"value": "right", "label": "Go on without it"}]
    assert tone(settled(send(page, "answer", id=asked["id"], value="right"))) == "good"


def test_a_table_of_two_photos_says_that_they_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [{"width": 4, "height": 4}] * 2
    one = shot(WON, cards=SURE, stands=1.0, photos=sides)
    page = photographed(monkeypatch, replace(one, photos=(PIXEL, PIXEL), shown=(PIXEL, PIXEL)))
    assert data(page)["title"] == "Makiaveli, 2 photos joined"


def test_a_card_that_lies_covered_in_a_run_is_asked_for_and_put_there(monkeypatch: pytest.MonkeyPatch) -> None:
    gap = (
        "klondike draw: 1; moves: run; columns: [KC QD TD] | [KS QH] | [KH] | [KD QS] | [JD] | - | -;"
        " foundations: C12 D9 H11 S10; stock: ??"
    )
    page = photographed(monkeypatch, shot(gap, game="klondike", cards=SURE, stands=1.0))
    asked = next(asked for asked in data(page)["questions"] if asked["id"].startswith("gap "))
    assert asked["text"] == "Is a card missing between Q♦ and 10♦?"
    assert asked["none"] == "No, none is missing"
    assert [choice["value"] for choice in asked["choices"]] == ["JS"]
    send(page, "answer", id=asked["id"], value="JS")
    assert "[KC QD JS TD]" in line(page)
    assert "??" not in line(page), "it was taken for a card of the stock"
    send(page, "undo")
    send(page, "add", path="columns/0/up", card="JS")
    assert "[KC QD JS TD]" in line(page), "a card that is added goes where it is missing"
    send(page, "undo")
    send(page, "answer", id=asked["id"], value="none")
    assert not any(asked["id"].startswith("gap ") for asked in data(page)["questions"])
    send(page, "set_card", place="columns/4/up/0", card="9D", was="JD")
    send(page, "reread")
    assert any(asked["id"].startswith("gap ") for asked in data(page)["questions"]), "all is asked anew"


def test_a_card_that_a_meld_lacks_is_asked_for_and_put_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = WON.replace("7C 7D 7H", "7C 7D 7H | 4C 5C")
    found = shot(lacking, cards=cards_of(lacking), stands=1.0)
    page = photographed(monkeypatch, found)
    asked = next(asked for asked in data(page)["questions"] if asked["id"].startswith("gap "))
    assert asked["text"] == "Is a card missing beside 4♣ and 5♣?"
    assert [choice["value"] for choice in asked["choices"]] == ["3C", "6C"]
    assert len(asked["sights"]) == 2, "its piece of the photo is shown"
    settled(send(page, "answer", id=asked["id"], value="3C"))
    assert "| 3C 4C 5C;" in line(page)
    assert tone(page) == "good"


def test_a_table_that_is_being_put_right_is_no_other_game_and_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    page = photographed(monkeypatch)
    assert "Proved" not in said(page)
    settled(send(page, "set_card", place="floor/0/0", card="KD", was="7C"))
    assert said(page).startswith("1 thing on this table cannot be right")
    assert {way["name"] for way in data(page)["trust"]} == {"photo"}
    for asked in data(page)["questions"]:
        send(page, "answer", id=asked["id"], value="right")
    assert "If the table truly lies like this, a rule of the game was broken." in said(page)


def test_a_table_that_goes_on_beyond_the_edge_is_called_so_before_its_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = WON.replace("7C 7D 7H", "7C 7D 7H | 4C 5C")
    edge = Question(QuestionKind.UNREAD, "the picture ends at 5C", Place("floor", 2), cards=(1,), doubt=0.3).to_json()
    page = photographed(monkeypatch, shot(lacking, cards=cards_of(lacking), stands=1.0, questions=[edge]))
    assert data(page)["said"]["headline"] == "The photo may not show the whole table"
    assert any("4♣ 5♣" in fault for fault in data(page)["said"]["list"]), "its faults are told, too"
    assert not any(way.get("main") for way in data(page)["trust"]), "what is asked offers the photo that is needed"


def test_a_headline_counts_all_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = "klondike draw: 1; columns: [QC TC] | [5D] | - | - | - | - | -; foundations: C0 D0 H0 S0; stock: ?? ??"
    page = photographed(monkeypatch, shot(faulty, game="klondike", cards=[*SURE, seen("5D", "columns/1", 0.6)]))
    assert len(data(page)["questions"]) == 2, "a card, and whether one is missing between two others"
    assert data(page)["said"]["headline"] == "2 things are unsure"
    hidden = "klondike draw: 1; columns: ?? ?? | [5D] | - | - | - | - | -; foundations: C0 D0 H0 S0; stock: ?? ??"
    page = photographed(monkeypatch, shot(hidden, game="klondike", cards=[seen("5D", "columns/1", 0.6)], stands=0.2))
    assert len(data(page)["questions"]) == 2, "it cannot be right, so it is not asked whether all of it is"
    assert data(page)["said"]["headline"] == "2 things are unsure"
    page = photographed(monkeypatch, shot(HIDDEN, game="klondike", cards=[seen("KS", "columns/0", 0.6)], stands=0.2))
    assert [question["id"] for question in data(page)["questions"]] == ["card 0", "rules"]
    assert data(page)["said"]["detail"].startswith("2 things are unsure, and the answer may depend on them.")


def test_files_are_made_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [button.proto for button in photographed(monkeypatch).get("download_button")]
    assert len(offered) == 3
    assert all(button.deferred_file_id and not button.url for button in offered), "the next change would take one away"


def test_what_a_browser_sends_twice_is_served_once() -> None:
    page = opened(WON)
    states = page._tree.get_widget_states()
    states.widgets.append(
        sent(component(page, "table").id, {"name": "add", "path": "hand", "card": "KD", "stamp": 0.5})
    )
    page._run(states)
    page._run(states)
    assert line(page).endswith("5S KD")
    settled(page)


def test_what_is_asked_is_told_before_a_fault_that_it_is_not_about(monkeypatch: pytest.MonkeyPatch) -> None:
    lone = MISREAD.replace("7C 7D 7H", "7C 7D 7H | 4C")
    page = photographed(monkeypatch, shot(lone, cards=[*SURE, seen("6S", "hand", 0.6)]))
    assert data(page)["said"]["headline"] == "1 card is unsure"
    assert any("4♣" in fault for fault in data(page)["said"]["list"]), "its faults are told, too"
    page = photographed(monkeypatch, shot(lone, cards=[*SURE, seen("6S", "hand", 0.6), seen("4C", "floor/1", 0.8)]))
    assert data(page)["said"]["headline"] == "1 thing on this table cannot be right"
    assert data(page)["questions"][0]["number"] == 2, "its card is asked about first, though it is surer than the other"


def test_a_table_with_more_faults_than_answers_could_mend_is_said_to_be_wrong_from_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = "[7C JD QC 9D QD KC 8D] | [5S] | [QH 4D 6C JC] | [6S] | - | - | -"
    wrong = f"klondike draw: 1; columns: {columns}; foundations: C0 D0 H0 S0; stock: {'?? ' * 24}"
    cards = [seen("5S", "columns/1", 0.6), *(seen(card, "columns/0") for card in ("7C", "JD"))]
    page = photographed(monkeypatch, shot(wrong, game="klondike", cards=cards))
    told = data(page)["said"]
    assert told["headline"] == f"{len(told['list'])} things on this table cannot be right"
    assert len(told["list"]) == len(parse(wrong).problems()) > 8, "all are told"
    assert "If the table truly lies like this" in told["detail"]
    assert told["detail"].endswith("1 card is unsure.")
    assert len(data(page)["questions"]) == 1, "nothing is missing where nothing fits"
    assert not data(page)["urgent"], "no answer helps"


def test_where_there_is_no_such_card_nothing_is_asked_that_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "6S may be two cards, as 7H seems to lie between its corners: which is the other?"
    crossed = Question(QuestionKind.UNREAD, text, Place("hand"), ("6S",), (1, 2), doubt=0.3)
    page = photographed(monkeypatch, shot(questions=[crossed.to_json()]))
    for name, more in (("answer", {"id": "card 2", "value": "none"}), ("remove", {"place": "floor/0/2", "was": "7H"})):
        assert text in {asked["id"] for asked in data(page)["questions"]}
        send(page, name, number=2, **more)
        assert not {text, "card 2"} & {asked["id"] for asked in data(page)["questions"]}
        send(page, "undo")
