"""A game looked at again: from the game that is played on the page, and from a record that is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plumbing.errors import CardsError
from solver.record import parse_record
from tests.webapp.actions import keep, opened, still
from webapp import worker
from webapp.page.klondike import Play, recorded
from webapp.page.review import Reviewing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DEAL = (
    "klondike draw: 1; moves: run; worrying_back: yes; columns: KD [QS] | [KH] | - | - | - | - | -;"
    " foundations: C13 D12 H12 S11; stock: KS"
)
MOVES = ["draw", "T1>T2:1", "T1>T3:1", "T2>T3:1", "W>T1"]


def test_a_game_that_was_played_is_reviewed_and_saved(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        page.get_by_role("button", name="New deal").wait_for()
        still(page)
        keep(page, "game:klondike", {"deal": DEAL, "moves": MOVES, "past": [[DEAL, MOVES[:2]]]})
        page.reload()
        page.get_by_text("Moves: 5.").wait_for()
        page.get_by_text("Where was it lost? Review and save").click()
        page.get_by_role("button", name="Review the game").click()
        shown = page.frame_locator("iframe[title='st.iframe'], iframe").first
        shown.get_by_role("heading", name="The game can still be won").wait_for()
        shown.get_by_role("button", name="2. column 1 to column 2").last.click()
        shown.get_by_text("Move 2: column 1 to column 2.").wait_for()
        with page.expect_download() as told:
            page.get_by_role("button", name="Save the record").click()
        assert [str(step.move) for step in parse_record(told.value.path().read_text()).steps] == MOVES


def test_a_record_is_reviewed_and_a_broken_one_is_named() -> None:
    said: list[object] = []
    record = str(recorded(DEAL, MOVES))
    found = worker.review_task({"record": record}, said.append)
    assert "2. column 1 to column 2" in found["page"]
    assert found["record"] == f"{record}\n"
    assert said[-1] == {"done": 5, "total": 5, "what": "Moves looked at"}
    with pytest.raises(CardsError, match="no header"):
        worker.review_task({"record": "hello"}, said.append)


def test_files_become_a_folder_in_their_order_or_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    held = Reviewing()
    monkeypatch.setattr(Reviewing, "_begin", lambda self, request: asked.append(request))
    held.begin_files([("../b.jpg", b"2"), ("a.jpg", b"1")])
    assert held.folder is not None
    (request,) = asked
    assert request == {"folder": held.folder.name}

    assert sorted(path.name for path in Path(held.folder.name).iterdir()) == ["001 b.jpg", "002 a.jpg"]
    held.clean()
    held.begin_files([("game.txt", b"[Game]")])
    assert asked[1:] == [{"record": "[Game]"}]


def test_the_games_before_are_kept_when_the_next_is_dealt() -> None:
    play = Play()
    play.begin(DEAL, MOVES)
    play.begin(DEAL)
    play.begin(DEAL, MOVES)
    assert play.past == ((DEAL, tuple(MOVES)),), "a game without moves is none to look back on"
