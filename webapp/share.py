"""Taking a table away: its address, its line, its JSON, the annotated photo, a picture of the verdict."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import streamlit as st

from webapp import outcome, rules
from webapp.boards import board
from webapp.changes import moved_places, stepped, told
from webapp.component import save_picture
from webapp.jobs import Json
from webapp.poster import STEPS, poster_svg
from webapp.state import PARAMETER
from webapp.visit import Visit
from webapp.words import say, suited


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
            _picture(visit, table, result)
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


def _picture(visit: Visit, table: Json, result: Json) -> None:
    """A picture of the verdict with the table at its end, to send to the others."""
    said = say(result, visit.seconds, outcome.hand_size(table))
    steps, frames = result.get("steps") or (), result.get("frames") or ()
    before = board(table)
    ends = stepped(table, steps)[-1] if steps else frames[-1]["position"] if frames else table
    after = board(ends)
    tables = [before, *(board(frame["position"]) for frame in frames[: STEPS + 1])]
    words = [suited(step["text"]) for step in steps] or [told(*pair) for pair in pairwise(tables)]
    names = [f"{number}. {text}" for number, text in enumerate(words, 1)]
    names += [""] * (len(steps or frames) - len(names))  # only counted: a solitaire's line is longer than a picture
    save_picture(
        poster_svg(
            before,
            said.headline,
            said.detail,
            names,
            after if steps else None,
            moved_places(before, after),
            rules.told(table),
        ),
        "could-i-have-won.png",
        key="poster",
    )
