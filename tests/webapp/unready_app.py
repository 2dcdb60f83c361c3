"""The page with a solver that never gets ready, as for a while after an installation; or, where BEGINS is set, with one
that begins a search and does not end it. test_browser_table.py serves it."""

from __future__ import annotations

import os
import sys
from typing import Final

import streamlit as st

from webapp import app
from webapp import streamlit_link as state
from webapp.jobs import Pool

ASLEEP: Final = (sys.executable, "-c", "import sys; sys.stdin.read()")
BEGINS: Final = (
    sys.executable,
    "-c",
    """
import sys
print('{"ready": true}', flush=True)
for line in sys.stdin:
    print('{"progress": {"begun": true}}', flush=True)
""",
)


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def pool() -> Pool:
    return Pool(command=BEGINS if os.environ.get("BEGINS") else ASLEEP)


if __name__ == "__main__":
    state.pool = pool  # type: ignore[assignment]
    app.main()
