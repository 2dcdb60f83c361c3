"""The verdict on the table: the sentence, the search while it runs, and the way to win step by step."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Final

import streamlit as st

from webapp.answers import PATIENCE, ask
from webapp.boards import board
from webapp.changes import moved_places, stepped, told
from webapp.component import Button, buttons, pickable
from webapp.drawing import board_html
from webapp.jobs import Job, Json
from webapp.state import is_phone, poll
from webapp.visit import QUICK, Visit
from webapp.words import Said, count, outs, plain, say, suited

REFRESH: Final = 0.5
LADDER: Final = (QUICK, 10.0, 60.0, 300.0)
"""Seconds of one search after the other: the second begins by itself where much is open, further ones are asked for."""
NARROW: Final = 0.1
"""An estimate whose 95% interval is no wider than this is not looked at for longer."""
PACE: Final = 1.4
"""Seconds a step when the line plays by itself."""
LISTED: Final = 300
"""Lines that are longer are not listed."""
_BOXES: Final = {"good": (st.success, ":material/check_circle:"), "bad": (st.error, ":material/block:")}


def begin(visit: Visit) -> None:
    """Starts the search for the verdict on a visit's table, if none is known."""
    ask(visit, wait=0.0)


def verdict(visit: Visit, problems: tuple[str, ...]) -> Json | None:
    """Shows the verdict on a visit's table, or what keeps it from having one; the result once it is there."""
    if problems:
        lines = "\n".join(f"- {plain(suited(problem))}" for problem in problems[:8])
        more = f"\n- and {len(problems) - 8} more" if len(problems) > 8 else ""
        st.warning(lines + more, title="First put the table right", icon=":material/edit:")
        return None
    known = visit.known_so_far()
    found = ask(visit, wait=0.0 if known else PATIENCE)
    if isinstance(found, dict) and _is_open(found):
        known = visit.learn(found)
        if visit.seconds == LADDER[0]:  # looks on by itself
            visit.look(LADDER[1])
            found = ask(visit, wait=0.0)
    if isinstance(found, dict):
        _said(visit, found, visit.seconds)
        if _is_open(found):
            _offer_longer(visit, next((step for step in LADDER if step > visit.seconds), LADDER[-1]))
        return found
    if known is not None:
        _said(visit, *known)
    if not found.done:
        poll(_running, REFRESH, found, visit.seconds, known is not None)
    elif known is None or not found.stopped:
        _no_answer(visit, found)
    else:
        _offer_longer(visit, visit.seconds, "You stopped looking further.")
    return None if known is None else known[0]


def _is_open(result: Json) -> bool:
    """Whether a longer search may say more: nothing decided, or an estimate that is still wide."""
    if "verdict" in result:
        return bool(result["verdict"] == "unknown")
    return not result.get("n") or float(result["high"]) - float(result["low"]) > NARROW


def _offer_longer(visit: Visit, seconds: float, words: str = "") -> None:
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.button(
        f"Look for {seconds:g} s", icon=":material/hourglass_top:", key="longer", on_click=visit.look, args=(seconds,)
    )
    if words:
        row.caption(words)


def _said(visit: Visit, result: Json, seconds: float) -> None:
    """A result in words, with the further cards that would have won."""
    position = visit.position()
    _banner(say(result, seconds, 0 if position is None else hand_size(position.to_json())))
    further = outs(result)
    if further:
        st.caption(further)


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
        words = "Waiting for other searches to end" if job.in_line else "Getting ready; the very first takes longer"
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
    row.progress(share, text=words)
    if row.button("Stop", icon=":material/stop:"):
        job.stop()
        job.wait(2)
        st.rerun()


def _no_answer(visit: Visit, job: Job) -> None:
    if job.stopped:
        st.info("You stopped the search before it could tell.", title="Not decided", icon=":material/help:")
    else:
        st.warning(plain(job.error), title="No verdict", icon=":material/warning:")
    st.button("Search again", icon=":material/refresh:", on_click=visit.stop_search)


def way(visit: Visit, table: Json, result: Json) -> None:
    """The line of a result, one table a step, the cards that moved marked."""
    steps, frames = result.get("steps") or (), result.get("frames") or ()
    after = stepped(table, steps) if steps else [frame["position"] for frame in frames]
    if not after:
        return
    tables = [board(table), *map(board, after)]
    last = len(after)
    at = min(last, visit.step)
    plays = visit.playing is not None and at < last
    shown, ticks = st.container(), st.container()  # what ticks comes last, so that nothing moves when the way plays
    if plays:
        with ticks:
            poll(_tick, PACE / 2, visit, at)
    with shown:
        st.subheader("How" if result.get("verdict") == "win" else "The most that could be played", anchor=False)
        _step_buttons(visit, at, last, plays)
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
            if st.toggle("Before and after", value=not is_phone(), key="way_both"):
                sides.insert(0, ("Before", board_html(before, moved_places(now, before)), "way_before"))
            for cell, (name, html, key) in zip(st.columns(len(sides), gap="small"), sides, strict=True):
                with cell:
                    st.caption(name)
                    pickable(html, key=key)
        if 1 < last <= LISTED:
            names = [suited(step["text"]) for step in steps] or [told(*pair) for pair in pairwise(tables)]
            with st.expander("All steps", icon=":material/format_list_numbered:"):
                st.markdown("\n".join(f"{number}. {plain(name)}" for number, name in enumerate(names, 1)))


def _step_buttons(visit: Visit, at: int, last: int, plays: bool) -> None:
    first, end = Button("first", "First", "first_page", off=not at), Button("last", "Last", "last_page", off=at == last)
    row = [
        Button("back", "Previous", "chevron_left", off=not at),
        Button("next", "Next", "chevron_right", off=at == last, main=True),
    ]
    if not is_phone():  # which has room for three buttons in a row
        row = [first, *row, end]
    row.append(Button("pause", "Pause", "pause") if plays else Button("play", "Play", "play_arrow"))

    def pressed(name: str) -> None:
        now = min(last, visit.step)  # not `at`: two quick taps are two steps
        to = {"first": 0, "back": now - 1, "next": now + 1, "last": last, "play": 0 if now == last else now}
        visit.show_step(min(last, to.get(name, now)), play=name == "play")

    buttons(st.container(), row, key="steps", on_press=pressed)


def _tick(visit: Visit, at: int) -> None:
    """While the line plays: goes one step on when it is time."""
    since = visit.playing
    if since is not None and visit.step == at and time.monotonic() - since >= PACE:
        visit.show_step(at + 1, play=True)
        st.rerun()


def hand_size(table: Json) -> int:
    """How many cards the hand holds, 0 in a game without one."""
    hand = table.get("hand", [])
    return len(hand) if isinstance(hand, list) else 0
