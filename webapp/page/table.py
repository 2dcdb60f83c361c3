"""Could I have won? From a photo, a deal or a line to the verdict and the way."""

from __future__ import annotations

import streamlit as st

from solver.position import Position
from webapp import advice, desk, doubts, outcome, rules, share, start, state
from webapp.answers import judge, judged
from webapp.boards import GAME_TITLES, board, faulty_places
from webapp.pipeline import Shot
from webapp.visit import Visit
from webapp.words import plain, suited


def page() -> None:
    """The start where there is no table yet, else the table with its verdict."""
    visit = state.visit()
    refused = state.follow_address(visit)
    position = visit.position()
    if position is None:
        _welcome(visit, refused)
    else:
        _settle(visit, position)


def _welcome(visit: Visit, refused: str) -> None:
    st.title("Could I have won?", anchor=False)
    st.markdown(
        "Show the table and get the answer: a winning line, a proof that there is none, or an honest *not decided*."
    )
    if refused:
        st.error(plain(refused), title="This link holds no table", icon=":material/link_off:")
    start.show(visit)


def _settle(visit: Visit, position: Position[object]) -> None:
    table = position.to_json()
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    head.subheader(GAME_TITLES[position.game], width="content", anchor=False)
    head.button("New table", icon=":material/restart_alt:", on_click=visit.clear, key="new")
    # Always the same blocks, filled or empty, so that what polls in them (`state.poll`) stays where it is.
    banner, middle, way, next_move, photo = (st.container() for _ in range(5))
    if visit.notice:
        banner.warning(plain(visit.notice), icon=":material/edit:")
    problems = position.problems()
    laid = visit.is_laid()
    if laid and not problems:
        outcome.begin(visit)  # is searched for while the table is drawn
    left, shot = middle, visit.shot
    if shot is not None and not state.is_phone():  # on a phone the way to win comes before the photo
        left, photo = middle.columns([3, 2], gap="medium")
    with left:
        sure = judged(visit)
        marks = doubts.show(visit, table, None if sure is None else sure["ask"])
        desk.show(visit, table, faulty_places(board(table), problems) | marks)
    if shot is not None:
        with photo:
            _photo(shot)
    result = None
    if laid:
        with banner:
            result = outcome.verdict(visit, problems)
            rules.show(visit, table)
    if result is not None:
        with way:
            outcome.way(visit, table, result)
        if "verdict" not in result:
            with next_move:
                advice.offer(visit, position)
    st.divider()
    send, line = st.tabs([":material/ios_share: Share", ":material/notes: As text"])
    with send:
        share.show(visit, table, result)
    with line:
        desk.notation(visit)
    if result is not None:
        judge(visit)


def _photo(shot: Shot) -> None:
    """The annotated photo with what it cannot show."""
    for picture in shot.shown or shot.pictures:
        st.image(
            picture, width="stretch", alt="your photo with every card outlined and named", caption=plain(shot.name)
        )
    for note in shot.reading.get("notes", ()):
        st.caption(f":material/info: {plain(suited(note[:1].upper() + note[1:]))}.")
