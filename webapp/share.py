"""Taking a table away: its address, its line, its JSON, the annotated photo."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import streamlit as st

from webapp import outcome
from webapp.jobs import Json
from webapp.state import PARAMETER
from webapp.visit import Visit


def _address(line: str) -> str:
    """The address that opens this table."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{PARAMETER}={quote(line, safe=':;|,-')}"


def show(visit: Visit, table: Json, result: Json | None) -> None:
    """The ways to send this table to the others."""
    st.caption("The address of this page holds the whole table and its rules; send it and it opens just so.")
    line = visit.line or ""
    st.code(_address(line), language=None)
    st.caption("The table as a line of text, for the command line too:")
    st.code(line, language=None)
    row = st.container(horizontal=True, gap="small")
    found: dict[str, Any] = {"position": table, "result": result}
    if result is not None:
        with row:
            outcome.picture(visit, table, result)
    shot = visit.shot
    if shot is not None:
        found["reading"] = shot.reading
    row.download_button(
        "JSON",
        json.dumps(found, indent=1),
        "could-i-have-won.json",
        "application/json",
        icon=":material/data_object:",
        on_click="ignore",
        key="save_json",
    )
    if shot is not None:
        several = len(shot.pictures) > 1
        for number, picture in enumerate(shot.pictures, 1):
            row.download_button(
                f"Annotated photo {number}" if several else "Annotated photo",
                picture,
                f"annotated_{number}.jpg" if several else "annotated.jpg",
                "image/jpeg",
                icon=":material/image:",
                on_click="ignore",
                key=f"save_photo{number}",
            )
