"""What frames every view."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.webapp.taps import data

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
