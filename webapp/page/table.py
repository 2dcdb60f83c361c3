"""Could I have won? From a photo, a deal or a line to the verdict and the way."""

from __future__ import annotations

import streamlit as st

from solver.position import Position
from webapp import advice, desk, outcome, rules, share, start, state
from webapp.answers import judge
from webapp.pipeline import Shot
from webapp.views import GAME_TITLES, board, faulty_places
from webapp.words import plain, suited


def page() -> None:
    """The start where there is no table yet, else the table with its verdict."""
    refused = state.open_link()
    position = state.position()
    if position is None:
        _welcome(refused)
    else:
        _settle(position)


def _welcome(refused: str | None) -> None:
    st.title("Could I have won?", anchor=False)
    st.markdown(
        "Show the table and get the answer: a winning line, a proof that there is none, or an honest *not decided*."
    )
    if refused:
        st.error(plain(refused), title="This link holds no table", icon=":material/link_off:")
    start.show()


def _settle(position: Position[object]) -> None:
    state.keep_address()
    table = position.to_json()
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    head.subheader(GAME_TITLES[position.game], width="content", anchor=False)
    head.button("New table", icon=":material/restart_alt:", on_click=state.clear, key="new")
    notice = st.session_state.pop("notice", None)
    if notice:
        st.warning(plain(notice), icon=":material/edit:")
    banner = st.container()
    problems = position.problems()
    if state.is_laid() and not problems:
        outcome.begin()  # is searched for while the table is drawn
    shot = state.shot()
    left, right = st.columns([3, 2], gap="medium") if shot is not None else (st.container(), st.container())
    with left:
        judged = judge(shot) if shot is not None and shot.line and shot.reading.get("doubtful") else None
        marks = desk.doubts(table, None if judged is None else judged["ask"])
        desk.show(table, faulty_places(board(table), problems) | marks)
    if shot is not None:
        with right:
            _photo(shot)
    result = None
    if state.is_laid():
        with banner:
            result = outcome.verdict(problems)
            rules.show(table)
    if result is not None:
        outcome.way(table, result)
        if "verdict" not in result:
            advice.offer(position)
    st.divider()
    send, line = st.tabs([":material/ios_share: Share", ":material/notes: As text"])
    with send:
        share.show(table, result)
    with line:
        desk.notation()


def _photo(shot: Shot) -> None:
    """The annotated photo with what it cannot show."""
    for picture in shot.pictures:
        st.image(
            picture, width="stretch", alt="your photo with every card outlined and named", caption=plain(shot.name)
        )
    for note in shot.reading.get("notes", ()):
        st.caption(f":material/info: {plain(suited(note[:1].upper() + note[1:]))}.")
