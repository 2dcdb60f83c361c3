"""What frames every view."""

from __future__ import annotations

import sys

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.web import cli

from tests.webapp.taps import data
from webapp.__main__ import main

AFTER_A_POLL = """
import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack
from webapp import app

part = st.container()
context_dg_stack.set((*context_dg_stack.get(), part))
part.text("what polls")
app.main()
"""


def test_after_a_poll_the_page_is_not_drawn_into_the_part_that_polled() -> None:
    page = AppTest.from_string(AFTER_A_POLL, default_timeout=300).run()
    assert not page.exception
    part = page.main.children[0]
    assert [child.type for child in part.children.values()] == ["text"]
    assert data(page)["view"] == "start"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([], ["--server.port=8501", "--server.address=localhost"]),
        (["--network", "--port", "8600"], ["--server.port=8600", "--server.address=0.0.0.0"]),
        (["--no-browser", "--server.maxUploadSize=50"], ["--server.headless=true", "--server.maxUploadSize=50"]),
    ],
)
def test_the_command_tells_streamlit_where_to_serve(
    monkeypatch: pytest.MonkeyPatch, words: list[str], wanted: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(cli, "main", lambda: None)
    main(words)
    assert sys.argv[:2] == ["streamlit", "run"]
    assert set(wanted) <= set(sys.argv)


def test_the_commands_help_is_ours(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "Opens the page: a photo of a card table" in capsys.readouterr().out
