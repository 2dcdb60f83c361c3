"""The verdict on the table: the sentence, the search while it runs, and the way to win step by step."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from webapp import state
from webapp.answers import ask, hand_size
from webapp.component import pickable, save_picture
from webapp.drawing import board_html, poster_svg
from webapp.jobs import Job, Json
from webapp.views import board, moved_places, told
from webapp.words import Said, plain, say

REFRESH: Final = 0.5
LONGER: Final = 60.0
_BOXES: Final = {"good": (st.success, ":material/check_circle:"), "bad": (st.error, ":material/block:")}


def verdict(problems: tuple[str, ...]) -> Json | None:
    """Shows the verdict on this session's table, or what keeps it from having one; the result once it is there."""
    line = state.text()
    assert line is not None
    if problems:
        lines = "\n".join(f"- {plain(problem)}" for problem in problems[:8])
        more = f"\n- and {len(problems) - 8} more" if len(problems) > 8 else ""
        st.warning(lines + more, title="First put the table right", icon=":material/edit:")
        return None
    seconds = float(st.session_state.get("seconds", 10.0))
    found = ask(line, seconds)
    if isinstance(found, Job) and not found.done:
        st.fragment(_running, run_every=REFRESH)(found, seconds)
        return None
    if isinstance(found, Job):
        _no_answer(found)
        return None
    said = say(found, seconds, hand_size(board_json()))
    _banner(said)
    if found.get("verdict") == "unknown" and st.button(f"Search for {LONGER:g} s", icon=":material/hourglass_top:"):
        st.session_state["seconds"] = LONGER
        state.drop_job()
        st.rerun()
    return found


def board_json() -> dict[str, Any]:
    """This session's table as JSON."""
    position = state.position()
    assert position is not None
    return position.to_json()


def _banner(said: Said) -> None:
    show, icon = _BOXES.get(said.tone, (st.info, ":material/help:"))
    show(said.detail, title=said.headline, icon=icon)


def _running(job: Job, seconds: float) -> None:
    """The progress of a search; reruns the page when it has ended."""
    if job.done:
        st.rerun()
    share = min(1.0, job.seconds / seconds)
    words = f"Searching: {job.seconds:.0f} of at most {seconds:g} s" if job.started else "Waiting for a free processor"
    bar, stop = st.columns([4, 1], vertical_alignment="center")
    bar.progress(share, text=words)
    if stop.button("Stop", icon=":material/stop:", width="stretch"):
        job.stop()
        job.wait(2)
        st.rerun()


def _no_answer(job: Job) -> None:
    if job.stopped:
        st.info("You stopped the search before it could tell.", title="Not decided", icon=":material/help:")
    else:
        st.warning(plain(job.error), title="No verdict", icon=":material/warning:")
    if st.button("Search again", icon=":material/refresh:"):
        state.drop_job()
        st.rerun()


def way(table: Json, result: Json) -> None:
    """The line of a result, one table a step, the cards that moved marked."""
    frames = result.get("frames") or []
    if not frames:
        return
    before = board(table)
    tables = [before, *(board(frame["position"]) for frame in frames)]
    last = len(frames)
    st.subheader("How" if result.get("verdict") == "win" else "The most that could be played")
    at = st.session_state.get("frame")
    at = last if at is None and last == 1 else max(0, min(last, at or 0))
    if last > 1:
        _steps(at, last)
    marks = moved_places(tables[at - 1], tables[at]) if at else {}
    if not at:
        text = "The table as it lies."
    elif last == 1:
        text = "The table afterwards; moved cards have a green edge and an arrow."
    else:
        move = frames[at - 1]["move"]
        text = f"Step {at} of {last}: {told(tables[at - 1], tables[at]) or move} ({move})"
    st.markdown(plain(text))
    with st.container(key="way"):
        pickable(board_html(tables[at], marks), key="way_board")
    for step in result.get("steps") or ():
        st.markdown(f"1. {plain(str(step))}")
    said = say(result, float(st.session_state.get("seconds", 10.0)), hand_size(table))
    save_picture(poster_svg(tables[at], said.headline, said.detail, marks), "could-i-have-won.png", key="poster")


def _steps(at: int, last: int) -> None:
    def go(where: int) -> None:
        st.session_state["frame"] = max(0, min(last, where))

    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.button("First", icon=":material/first_page:", disabled=at == 0, on_click=go, args=(0,), key="step_first")
    row.button(
        "Previous", icon=":material/chevron_left:", disabled=at == 0, on_click=go, args=(at - 1,), key="step_back"
    )
    row.button(
        "Next",
        icon=":material/chevron_right:",
        disabled=at == last,
        on_click=go,
        args=(at + 1,),
        key="step_next",
        type="primary",
    )
    row.button("Last", icon=":material/last_page:", disabled=at == last, on_click=go, args=(last,), key="step_last")
