"""Play Makiaveli against the computer: lay the table out, end the turn, and the solver checks it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from solver.answer import position_from_json
from solver.errors import CardsError, IllegalMoveError
from solver.makiaveli import Position, Turn
from webapp import edits, rummy, state
from webapp.component import pickable
from webapp.desk import targets
from webapp.drawing import board_html
from webapp.edits import Target
from webapp.faces import Mark, spoken
from webapp.rummy import Game
from webapp.views import board
from webapp.words import plain

GAME: Final = "rummy_game"
WORKING: Final = "rummy_working"
PICKED: Final = "rummy_picked"
THINK: Final = 10.0
"""Seconds that the computer may think about a turn."""


def page() -> None:
    """The game of this session, or the question how many play."""
    st.title("Makiaveli", anchor=False)
    st.caption("Against the computer")
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    seats = row.pills(
        "Players", rummy.SEATS, default=2, required=True, key="rummy_seats", help="You and the computer's players"
    )
    row.button("New game", icon=":material/casino:", on_click=_begin, args=(seats or 2,), key="rummy_new")
    game: Game | None = st.session_state.get(GAME)
    if game is None:
        st.info(
            "Five cards each, four round the deck. Play at least one card a turn, rearrange what lies there,"
            " or draw. Whoever plays the last card wins.",
            icon=":material/playing_cards:",
        )
        return
    st.caption(rummy.summary(game))
    for line in game.log[-len(game.hands) :]:
        st.caption(f":material/history: {line}")
    if game.is_over:
        _end(game)
    table = st.session_state[WORKING]
    drawn = board(table)
    picked = st.session_state.get(PICKED)
    marks: dict[str, Mark] = {picked: "selected"} if picked and drawn.card_at(picked) else {}
    moving = not game.is_over
    pickable(board_html(drawn, marks, pickable=moving, adding=bool(marks)), key="rummy_board", on_pick=_tapped)
    if moving:
        _buttons(game, table, picked if marks else None)


def _begin(seats: int) -> None:
    _set(rummy.deal(seats, state.fresh_seed()))


def _set(game: Game) -> None:
    """Makes this the session's game, the table laid out as it is."""
    st.session_state[GAME] = game
    st.session_state[WORKING] = game.table(0).to_json()
    st.session_state[PICKED] = None


def _end(game: Game) -> None:
    winner = game.winner
    if winner is None:
        st.info("The deck is empty and nobody can play: a draw.", icon=":material/handshake:")
    elif winner == 0:
        st.success("You played your last card.", title="You won", icon=":material/trophy:")
    else:
        st.error(f"{rummy.name(winner)} played the last card.", title="You lost", icon=":material/sentiment_sad:")


def _tapped(place: str) -> None:
    """The first tap picks a card; the second says where it goes."""
    table, picked = st.session_state[WORKING], st.session_state.get(PICKED)
    target = edits.target_of(place)
    drawn = board(table)
    zone = drawn.zone_of(place)
    if picked and target is None and zone is not None and place != picked and zone.kind == "list":
        source = drawn.zone_of(picked)
        target = Target(zone.path) if source is not None and source.path != zone.path else None
    if picked and target is not None:
        _move(target)
    elif drawn.card_at(place):
        st.session_state[PICKED] = None if place == picked else place


def _move(target: Target) -> None:
    table, picked = st.session_state[WORKING], st.session_state[PICKED]
    zone = board(table).zone_of(picked)
    moved = edits.move(table, picked, target, slot=zone is not None and zone.kind == "slot")
    st.session_state[WORKING] = position_from_json(moved).to_json()
    st.session_state[PICKED] = None


def _buttons(game: Game, table: edits.Json, picked: str | None) -> None:
    if picked is None:
        st.caption("Tap a card, then tap the meld (or the + for a new one) where it should go.")
    else:
        drawn = board(table)
        zone = drawn.zone_of(picked)
        assert zone is not None
        others = targets(drawn, zone)
        names = {target.path: title for title, target in others}
        kinds = {target.path: target for _, target in others}
        st.selectbox(
            f"Move the {spoken(drawn.card_at(picked) or '')} to",
            list(names),
            index=None,
            format_func=names.__getitem__,
            key=f"rummy_move_{picked}",
            on_change=lambda: _move(kinds[st.session_state[f"rummy_move_{picked}"]]),
        )
    notice = st.session_state.pop("rummy_notice", None)
    if notice:
        st.warning(plain(notice), title="Not a turn yet", icon=":material/block:")
    row = st.container(horizontal=True, gap="small")
    laid = table != game.table(0).to_json()
    row.button(
        "End the turn", type="primary", icon=":material/check:", on_click=_end_turn, disabled=not laid, key="rummy_end"
    )
    label = "Draw a card" if game.stock else "Pass"
    row.button(label, icon=":material/style:", on_click=_draw, key="rummy_draw")
    row.button("Take back", icon=":material/undo:", on_click=_set, args=(game,), disabled=not laid, key="rummy_back")
    row.button("Hint", icon=":material/lightbulb:", on_click=_hint, key="rummy_hint")


def _end_turn() -> None:
    game: Game = st.session_state[GAME]
    try:
        working = position_from_json(st.session_state[WORKING])
        assert isinstance(working, Position)
        after = rummy.play(game, Turn(working.floor, working.cross, working.hand))
    except IllegalMoveError as error:
        st.session_state["rummy_notice"] = error.reason[:1].upper() + error.reason[1:]
    else:
        _set(_answered(after))


def _draw() -> None:
    _set(_answered(rummy.draw(st.session_state[GAME])))


def _answered(game: Game) -> Game:
    try:
        return rummy.computers(game, _best)
    except CardsError as error:
        st.session_state["rummy_notice"] = str(error)
        return game


def _best(table: Position) -> Turn | None:
    """The solver's turn, from a worker process."""
    job = state.pool().submit({"task": "answer", "line": str(table), "seconds": THINK}, limit=THINK)
    if not job.wait(THINK + 120) or job.result is None:
        raise CardsError(job.error or "the computer took too long; please end the turn again")
    line = job.result["line"]
    return Turn.parse(line[0]) if line else None


def _hint() -> None:
    """Lays out the best turn there is; the person still has to end it."""
    game: Game = st.session_state[GAME]
    try:
        turn = _best(game.table(0))
    except CardsError as error:
        st.session_state["rummy_notice"] = str(error)
        return
    if turn is None:
        st.session_state["rummy_notice"] = "No card of your hand can be played: draw."
    else:
        st.session_state[WORKING] = game.table(0).apply(turn).to_json()
        st.session_state[PICKED] = None
