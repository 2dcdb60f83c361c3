"""The verdict on the table: the sentence, the search while it runs, and the way to win step by step."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any, Final

import streamlit as st

from webapp import rules, state
from webapp.answers import ask, hand_size
from webapp.component import pickable, save_picture
from webapp.drawing import POSTER_STEPS, board_html, poster_svg
from webapp.jobs import Job, Json
from webapp.views import board, moved_places, stepped, told
from webapp.words import Said, count, outs, plain, say, suited

REFRESH: Final = 0.5
LADDER: Final = (state.QUICK, 10.0, 60.0, 300.0)
"""Seconds of one search after the other: the second begins by itself where much is open, further ones are asked for."""
NARROW: Final = 0.1
"""An estimate whose 95% interval is no wider than this is not looked at for longer."""
SO_FAR: Final = "so_far"
PACE: Final = 1.4
"""Seconds a step when the line plays by itself."""
LISTED: Final = 300
"""Lines that are longer are not listed."""
_BOXES: Final = {"good": (st.success, ":material/check_circle:"), "bad": (st.error, ":material/block:")}


def begin() -> None:
    """Starts the search for the verdict on this session's table, if none is known."""
    line = state.text()
    assert line is not None
    ask(line, float(st.session_state.get("seconds", state.QUICK)), wait=0.0)


def verdict(problems: tuple[str, ...]) -> Json | None:
    """Shows the verdict on this session's table, or what keeps it from having one; the result once it is there."""
    line = state.text()
    assert line is not None
    if problems:
        lines = "\n".join(f"- {plain(suited(problem))}" for problem in problems[:8])
        more = f"\n- and {len(problems) - 8} more" if len(problems) > 8 else ""
        st.warning(lines + more, title="First put the table right", icon=":material/edit:")
        return None
    seconds = float(st.session_state.get("seconds", state.QUICK))
    found = ask(line, seconds)
    before = st.session_state.get(SO_FAR)
    known: Json | None = None
    if isinstance(found, Job):
        if before is not None and before[0] == line:
            known = before[1]
            _said(before[1], before[2])
        if not found.done:
            st.fragment(_running, run_every=REFRESH)(found, seconds, known is not None)
        elif known is None or not found.stopped:
            _no_answer(found)
        else:
            _offer_longer(seconds, "You stopped looking further.")
        return known
    if _is_open(found):
        st.session_state[SO_FAR] = (line, found, seconds)
        if seconds == LADDER[0]:
            _look(LADDER[1])
    _said(found, seconds)
    if _is_open(found):
        _offer_longer(next((step for step in LADDER if step > seconds), LADDER[-1]))
    return found


def _is_open(result: Json) -> bool:
    """Whether a longer search may say more: nothing decided, or an estimate that is still wide."""
    if "verdict" in result:
        return bool(result["verdict"] == "unknown")
    return not result.get("n") or float(result["high"]) - float(result["low"]) > NARROW


def _look(seconds: float) -> None:
    """Searches again, for so long."""
    st.session_state["seconds"] = seconds
    state.drop_job()
    st.rerun()


def _offer_longer(seconds: float, words: str = "") -> None:
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    if row.button(f"Look for {seconds:g} s", icon=":material/hourglass_top:", key="longer"):
        _look(seconds)
    if words:
        row.caption(words)


def _said(result: Json, seconds: float) -> None:
    """A result in words, with the further cards that would have won."""
    _banner(say(result, seconds, hand_size(board_json())))
    further = outs(result)
    if further:
        st.caption(further)


def board_json() -> dict[str, Any]:
    """This session's table as JSON."""
    position = state.position()
    assert position is not None
    return position.to_json()


def _banner(said: Said) -> None:
    show, icon = _BOXES.get(said.tone, (st.info, ":material/help:"))
    show(said.detail, title=said.headline, icon=icon)


def _running(job: Job, seconds: float, on: bool) -> None:
    """The progress of a search; reruns the page when it has ended."""
    if job.done:
        st.rerun()
    share = min(1.0, job.seconds / seconds)
    words = f"{'Looking further' if on else 'Searching'}: {job.seconds:.0f} of at most {seconds:g} s"
    if job.started is None:
        words = "Getting ready; the very first search takes longer"
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
    row.progress(share, text=words)
    if row.button("Stop", icon=":material/stop:"):
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
    steps, frames = result.get("steps") or (), result.get("frames") or ()
    after = stepped(table, steps) if steps else [frame["position"] for frame in frames]
    if not after:
        return
    tables = [board(table), *map(board, after)]
    last = len(after)
    st.subheader("How" if result.get("verdict") == "win" else "The most that could be played", anchor=False)
    at = max(0, min(last, st.session_state.get("frame") or 0))
    _step_buttons(at, last)
    if not at:
        text = f"{count(last, 'step')}, beginning with the table as it lies above."
    elif steps:
        text = f"Step {at} of {last}: {suited(steps[at - 1]['text'])}"
    else:
        text = f"Step {at} of {last}: {told(tables[at - 1], tables[at]) or 'done'} ({frames[at - 1]['move']})"
    st.markdown(plain(text))
    if at:
        before, now = tables[at - 1], tables[at]
        sides = [("After", board_html(now, moved_places(before, now)), "way_board")]
        # A phone has no room side by side; the reader chooses, as two boards below each other hide the buttons.
        if st.toggle("Before and after", value=not _is_phone(), key="way_both"):
            sides.insert(0, ("Before", board_html(before, moved_places(now, before)), "way_before"))
        for cell, (name, html, key) in zip(st.columns(len(sides), gap="small"), sides, strict=True):
            with cell:
                st.caption(name)
                pickable(html, key=key)
    if 1 < last <= LISTED:
        names = [suited(step["text"]) for step in steps] or [told(*pair) for pair in pairwise(tables)]
        with st.expander("All steps", icon=":material/format_list_numbered:"):
            st.markdown("\n".join(f"{number}. {plain(name)}" for number, name in enumerate(names, 1)))


def _is_phone() -> bool:
    """Whether the browser says that it runs on a phone."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def picture(table: Json, result: Json) -> None:
    """A picture of the verdict with the table at its end, to send to the others."""
    said = say(result, float(st.session_state.get("seconds", state.QUICK)), hand_size(table))
    steps, frames = result.get("steps") or (), result.get("frames") or ()
    before = board(table)
    ends = stepped(table, steps)[-1] if steps else frames[-1]["position"] if frames else table
    after = board(ends)
    tables = [before, *(board(frame["position"]) for frame in frames[: POSTER_STEPS + 1])]
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


def _step_buttons(at: int, last: int) -> None:
    def go(where: int, playing: bool = False) -> None:
        st.session_state["frame"] = max(0, min(last, where))
        st.session_state["playing"] = time.monotonic() if playing else None

    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    back, on = at == 0, at == last
    phone = _is_phone()  # has room for three buttons in a row
    if not phone:
        row.button("First", icon=":material/first_page:", disabled=back, on_click=go, args=(0,), key="step_first")
    row.button("Previous", icon=":material/chevron_left:", disabled=back, on_click=go, args=(at - 1,), key="step_back")
    row.button(
        "Next",
        icon=":material/chevron_right:",
        disabled=on,
        on_click=go,
        args=(at + 1,),
        key="step_next",
        type="primary",
    )
    if not phone:
        row.button("Last", icon=":material/last_page:", disabled=on, on_click=go, args=(last,), key="step_last")
    since = st.session_state.get("playing")
    if since is None or on:
        row.button("Play", icon=":material/play_arrow:", on_click=go, args=(0 if on else at, True), key="step_play")
    else:
        row.button("Pause", icon=":material/pause:", on_click=go, args=(at,), key="step_pause")
        st.fragment(_tick, run_every=PACE / 2)(at)


def _tick(at: int) -> None:
    """While the line plays: goes one step on when it is time."""
    since = st.session_state.get("playing")
    if since is not None and time.monotonic() - since >= PACE:
        st.session_state.update(frame=at + 1, playing=time.monotonic())
        st.rerun()
