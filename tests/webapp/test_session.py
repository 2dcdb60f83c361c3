"""What a visitor has is never lost, whatever runs of the page come at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, NoReturn

import pytest
import streamlit as st
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import StopException, add_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState

from solver import parse
from vision.question import Question, QuestionKind
from vision.reading import Reading
from webapp import streamlit_link as state
from webapp.edits import add, change, remove
from webapp.photo_session import PhotoSession
from webapp.session import LATE, Begun, Session, Settled, Told, Wanted

BEFORE = str(parse("makiaveli hand: 3S 4S 6S"))
AFTER = str(parse("makiaveli hand: 3S 4S 5S"))
SHOT = PhotoSession((), Reading((), "makiaveli", 1.0, (), (), parse(BEFORE)))


class Run:
    """A run of the page: a thread of its own with a lock of its own round the session's state, as Streamlit makes it.

    Args:
        shared: The session's state.
        does: What the run does.
        looks: Called at each look at the session's state, where Streamlit may end the run.
    """

    def __init__(
        self, shared: SessionState, does: Callable[[SafeSessionState], object], looks: Callable[[], object] = bool
    ) -> None:
        safe = SafeSessionState(shared, yield_callback=lambda: looks() and None)
        self._faults: list[BaseException] = []

        def run() -> None:
            try:
                does(safe)
            except BaseException as fault:
                self._faults.append(fault)

        context = ScriptRunContext(
            session_id="one session",
            _enqueue=lambda message: None,
            query_string="",
            session_state=safe,
            uploaded_file_mgr=MemoryUploadedFileManager("/upload"),
            main_script_path="",
            user_info={},
            fragment_storage=MemoryFragmentStorage(),
            pages_manager=PagesManager(""),
        )
        self.thread = threading.Thread(target=run, daemon=True)
        add_script_run_ctx(self.thread, context)

    def start(self) -> Run:
        self.thread.start()
        return self

    def finish(self) -> None:
        self.thread.join(60)
        assert not self.thread.is_alive()
        if self._faults:
            raise self._faults[0]


class Clearing(dict[str, Any]):
    """What a session's state holds anew; does something between its being copied and its being cleared."""

    meanwhile: Callable[[], object] = bool

    def clear(self) -> None:
        self.meanwhile()
        super().clear()


def begins(safe: SafeSessionState) -> None:
    """What Streamlit does at the beginning of each run: copies and clears."""
    safe.on_script_will_rerun(None)


def tapped_amid_another_run(before: Callable[[], object], tap: Callable[[], object]) -> SessionState:
    """A session in which a tap is dealt with while the run before has copied the state and not yet cleared it."""
    shared = SessionState()
    fresh = shared._new_session_state = Clearing()
    Run(shared, lambda safe: before()).start().finish()
    fresh.meanwhile = lambda: Run(shared, lambda safe: tap()).start().finish()
    Run(shared, begins).start().finish()
    fresh.meanwhile = bool
    return shared


def test_a_change_amid_another_run_is_kept() -> None:
    seen: list[str | None] = []
    shared = tapped_amid_another_run(lambda: state.session().begin(BEFORE), lambda: state.session().put(AFTER))
    Run(shared, lambda safe: seen.append(state.session().line)).start().finish()
    assert seen == [AFTER]


def test_the_same_change_in_the_session_state_itself_is_lost() -> None:
    """Why a session is an object of its own; where this fails, Streamlit has learnt better."""
    shared = tapped_amid_another_run(
        lambda: st.session_state.update(line=BEFORE), lambda: st.session_state.update(line=AFTER)
    )
    seen: list[str] = []
    Run(shared, lambda safe: seen.append(st.session_state["line"])).start().finish()
    assert seen == [BEFORE]


def test_a_run_that_is_to_end_still_hears_what_was_tapped() -> None:
    def end() -> NoReturn:
        raise StopException

    shared, session, got = SessionState(), Session(), []
    shared["box"] = "5S"
    session.begin(BEFORE)

    def tap(safe: SafeSessionState) -> None:
        card = state.widget_value("box")
        got.append(card)
        session.edit(lambda table: change(table, "hand/2", card))

    Run(shared, tap, looks=end).start().finish()
    assert got == ["5S"]
    assert session.line == AFTER
    with pytest.raises(StopException):
        Run(shared, lambda safe: st.session_state["box"], looks=end).start().finish()


def test_a_second_tap_before_the_page_is_drawn_anew_keeps_the_first_change() -> None:
    session = Session()
    session.begin(BEFORE)
    session.edit(lambda table: change(table, "hand/2", "5S"))
    session.edit(lambda table: change(table, "hand/0", "6S"))
    session.edit(lambda table: change(table, "hand/7", "2S"))  # the card is no longer there
    assert session.line is not None
    assert session.line.endswith("hand: 6S 4S 5S")
    session.undo()
    assert session.line == AFTER


def test_changes_of_many_threads_amid_many_runs_are_all_kept() -> None:
    shared, runs = SessionState(), []
    Run(shared, lambda safe: state.session().begin("makiaveli hand: 3S")).start().finish()

    def taps(cards: list[str]) -> None:
        for card in cards:
            state.session().edit(lambda table: table | {"hand": [*table["hand"], card]})  # noqa: B023

    for suit in "CDH":
        cards = [f"{rank}{suit}" for rank in "A23456789TJQK"]
        runs.append(Run(shared, lambda safe, cards=cards: taps(cards)))
        runs.append(Run(shared, lambda safe: [begins(safe) for _ in range(40)]))
    for run in runs:
        run.start()
    for run in runs:
        run.finish()
    seen: list[Session] = []
    Run(shared, lambda safe: seen.append(state.session())).start().finish()
    position = seen[0].position()
    assert position is not None
    assert len(position.cards()) == 1 + 3 * 13
    assert len(seen[0].past) == 3 * 13


def test_an_address_of_before_is_known_and_one_that_was_put_away_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    session.begin(BEFORE)
    session.put(AFTER)
    assert session.is_own_address(BEFORE)
    assert not session.is_own_address("makiaveli hand: KS")
    session.clear()
    assert session.is_own_address(AFTER)
    monkeypatch.setattr("webapp.session.LATE", -LATE)
    assert not session.is_own_address(AFTER)


def test_a_class_from_before_an_edit_of_the_code_is_left_behind() -> None:
    shared, seen = SessionState(), []
    shared[Session.__qualname__] = object()
    Run(shared, lambda safe: seen.append(state.session())).start().finish()
    Run(shared, lambda safe: seen.append(state.session())).start().finish()
    assert isinstance(seen[0], Session)
    assert seen[0] is seen[1]


def test_back_undoes_and_forward_brings_the_photo_again() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.put(AFTER)
    session.follow_history(BEFORE)
    assert (session.line, session.past) == (BEFORE, ())
    session.follow_history(AFTER)
    assert session.past == (BEFORE,)
    session.follow_history(None)
    assert (session.line, session.shot) == (None, None)
    session.follow_history(AFTER)
    assert (session.line, session.shot, session.past) == (AFTER, SHOT, (BEFORE,))


def test_back_to_the_table_of_another_photo_shows_it_without_the_present_one() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.begin(AFTER, SHOT)
    session.follow_history(BEFORE, told=Told(left_open=2))
    assert (session.line, session.shot, session.left_open) == (BEFORE, None, 2)
    session.clear()
    session.follow_history(BEFORE)
    assert session.left_open == 2
    session.attach(SHOT, BEFORE, Settled())
    assert (session.shot, session.left_open) == (SHOT, None), "its own questions are asked again"


def test_forward_brings_an_answer_again_with_what_it_changed() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.edit(lambda table: change(table, "hand/2", "5S"), "card 1")
    answered = session.line
    session.follow_history(BEFORE)
    assert not session.answered
    session.follow_history(answered)
    assert session.answered == {"card 1"}


def test_undo_takes_one_answer_back_after_the_other_with_what_it_changed() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.edit(lambda table: table, "card 0")
    session.edit(lambda table: change(table, "hand/2", "5S"), "card 1")
    session.edit(lambda table: table, "column 2")
    for left in ({"card 0", "card 1", "column 2"}, {"card 0", "card 1"}, {"card 0"}, set()):
        assert session.answered == left
        session.undo()
    assert (session.line, session.past) == (BEFORE, ())


def test_undo_takes_no_answer_about_another_reading_back() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.edit(lambda table: table, "card 0")
    session.edit(lambda table: change(table, "hand/2", "5S"), "card 1")
    session.take_over(BEFORE, frozenset({"card 5"}))
    while session.past:
        session.undo()
    assert session.answered == {"card 5"}, "another reading numbers its cards otherwise"


def test_back_keeps_what_was_answered_without_a_change() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.put(AFTER, frozenset({"card 1"}))
    session.edit(lambda table: table, "card 0")
    session.follow_history(BEFORE)
    assert (session.line, session.answered, session.past) == (BEFORE, {"card 0"}, ())
    session.follow_history(AFTER)
    assert session.answered == {"card 0", "card 1"}


def test_undo_takes_a_photo_of_turned_cards_back_with_what_it_asks() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    question = Question(QuestionKind.TURNED, "which card is this?")
    turned = replace(SHOT, reading=replace(SHOT.reading, position=parse(AFTER), checks=(question,)))
    session.turn_over(turned)
    assert (session.line, session.shot, session.as_read) == (AFTER, turned, AFTER)
    session.undo()
    assert (session.line, session.shot, session.as_read) == (BEFORE, SHOT, BEFORE)
    session.follow_history(AFTER)
    assert (session.line, session.shot, session.as_read) == (AFTER, turned, AFTER)
    session.follow_history(BEFORE)
    assert (session.line, session.shot, session.as_read) == (BEFORE, SHOT, BEFORE)
    session.put(AFTER)
    session.undo()
    assert session.shot == SHOT, "the same table laid by hand brings no photo"


def test_undo_after_a_reset_brings_the_answers_back() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.edit(lambda table: change(table, "hand/2", "5S"), "card 1")
    session.reread()
    assert (session.line, session.answered) == (BEFORE, set())
    session.undo()
    assert session.answered == {"card 1"}


def test_what_is_wanted_is_read_once_and_what_is_not_wanted_any_more_is_not_waited_for() -> None:
    session, wanted = Session(), list[Wanted]()

    def read(what: Wanted) -> Begun:
        wanted.append(what)
        return Begun(Future())

    assert session.being_read(read) is None, "nothing waits"
    session.request_photos(Wanted((("table.jpg", b""),)))
    reading = session.being_read(read)
    assert reading is session.being_read(read)
    session.request_photos(Wanted((("sweep.mp4", b""),)))
    assert session.take_read() is None, "another one came"
    film = session.being_read(read)
    assert film is not reading
    assert session.take_read() == (wanted[1], film)
    assert session.take_read() is None
    session.request_photos(Wanted((("stock.jpg", b""),), turned_over=True))
    assert session.being_read(read) is not None
    session.forget()
    assert session.being_read(read) is None
    assert len(wanted) == 3


def test_only_a_legal_table_of_a_game_for_it_is_played_on() -> None:
    session = Session()
    for line in (None, BEFORE, "tomb_single deck: 3"):
        session.line = line
        session.play_on()
        assert session.play is None
    session.begin("tomb_single corners: 7H | - | - | -; deck: 51")
    session.play_on()
    assert session.is_to_play("tomb")


def test_a_new_table_puts_the_photo_away_until_another_one_is_begun() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.clear()
    session.follow_history(BEFORE)
    assert (session.line, session.shot) == (BEFORE, SHOT)
    session.follow_history(None)
    session.begin(AFTER)
    session.clear()
    session.follow_history(BEFORE)
    assert session.shot is None


def test_what_was_forgotten_does_not_come_back() -> None:
    session = Session()
    session.begin(BEFORE, SHOT)
    session.forget()
    session.follow_history(BEFORE)
    assert (session.line, session.shot) == (BEFORE, None)


def test_why_a_change_was_not_made_stays_until_the_next_tap() -> None:
    session = Session()
    session.begin(BEFORE)
    session.edit(lambda table: change(table, "hand/2", "nothing"))
    assert session.notice
    assert session.line == BEFORE
    session.edit(lambda table: table, "card 1")
    assert not session.notice


@pytest.mark.parametrize(
    ("line", "stock", "path"),
    [
        (f"klondike columns: - |-|-|-|-|-| -; foundations: C13 D13 H2; stock: {'?? ' * 24}", "stock", "waste"),
        ("tomb_single", "deck", "discard"),
        ("tomb_double foundations: C26 D26 H26; wastes: 2S | - | - | - | -; stock: 25", "stock", "tableau/0"),
    ],
)
def test_the_stock_holds_what_lies_nowhere_else_while_a_table_is_laid(line: str, stock: str, path: str) -> None:
    session = Session()
    session.begin(str(parse(line)))
    unseen = len(parse(line).to_json()[stock])

    def left(edited: Callable[[dict[str, Any]], dict[str, Any]]) -> list[str]:
        session.edit(edited)
        return list(parse(session.line or "").to_json()[stock])

    assert left(lambda table: add(table, path, "4S")) == ["??"] * (unseen - 1)
    assert not parse(session.line or "").problems()
    assert left(lambda table: remove(table, f"{path}/0")) == ["??"] * unseen
    told = ["9S", *["??"] * (unseen - 1)]
    assert left(lambda table: change(table, f"{stock}/0", "9S")) == told
    assert left(lambda table: add(table, path, "4S")) == told, "a stock that is known stays as it is"
