"""The page with a solver that never gets ready, as for a while after an installation. test_browser.py serves it."""

from __future__ import annotations

import sys
from typing import Final

import streamlit as st

from webapp import app, state
from webapp.jobs import Pool

ASLEEP: Final = (sys.executable, "-c", "import sys; sys.stdin.read()")


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def pool() -> Pool:
    return Pool(command=ASLEEP)


if __name__ == "__main__":
    state.pool = pool  # type: ignore[assignment]
    app.main()
