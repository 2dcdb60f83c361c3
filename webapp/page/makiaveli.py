"""Play Makiaveli against the computer: lay the table out, end the turn, and the solver checks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import streamlit as st

from solver.answer import position_from_json
from solver.errors import CardsError, IllegalMoveError
from solver.makiaveli import Position, Turn
from webapp import edits, rummy, state
from webapp.boards import board
from webapp.component import pickable
from webapp.desk import target_box, targets
from webapp.drawing import board_html
from webapp.edits import Json, Target
from webapp.faces import Mark, pretty
from webapp.rummy import Game
from webapp.words import kind, plain

THINK: Final = 10.0
"""Seconds that the computer may think about a turn."""


@dataclass(eq=False)
class Seat:
    """A visitor's seat at the table; changed by what is tapped.

    Attributes:
        game: The game as it stands after the last turn, None before there is one.
        laid: The table as it is being laid out.
        picked: The place of the card that is picked.
        notice: What is to be said once.
    """

    game: Game | None = None
    laid: Json = field(default_factory=dict)
    picked: str | None = None
    notice: str = ""

    def take(self, game: Game) -> None:
        """Makes this the game, the table laid out as it is."""
        self.game, self.laid, self.picked = game, game.table(0).to_json(), None

    def lay(self, table: Json) -> None:
        """Lays the table out otherwise."""
        self.laid, self.picked = table, None


def page() -> None:
    """The game of this session, or the question how many play."""
    seat = state.held(Seat)
    st.title("Makiaveli", anchor=False)
    st.caption("Against the computer")
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    seats = row.pills(
        "Players", rummy.SEATS, default=2, required=True, key="rummy_seats", help="You and the computer's players"
    )
    row.button("New game", icon=":material/casino:", on_click=_begin, args=(seat, seats or 2), key="rummy_new")
    game = seat.game
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
    drawn = board(seat.laid)
    marks: dict[str, Mark] = {seat.picked: "selected"} if seat.picked and drawn.card_at(seat.picked) else {}
    moving = not game.is_over
    pickable(
        board_html(drawn, marks, pickable=moving, adding=bool(marks)),
        key="rummy_board",
        on_pick=lambda place: _tapped(seat, place),
    )
    if moving:
        _buttons(seat, game, seat.picked if marks else None)


def _begin(seat: Seat, seats: int) -> None:
    seat.take(rummy.deal(seats, state.fresh_seed()))


def _end(game: Game) -> None:
    winner = game.winner
    if winner is None:
        st.info("The deck is empty and nobody can play: a draw.", icon=":material/handshake:")
    elif winner == 0:
        st.success("You played your last card.", title="You won", icon=":material/trophy:")
    else:
        st.error(f"{rummy.name(winner)} played the last card.", title="You lost", icon=":material/sentiment_sad:")


def _tapped(seat: Seat, place: str) -> None:
    """The first tap picks a card; the second says where it goes."""
    picked = seat.picked
    target = edits.target_of(place)
    drawn = board(seat.laid)
    zone = drawn.zone_of(place)
    if picked and target is None and zone is not None and place != picked and zone.kind == "list":
        source = drawn.zone_of(picked)
        target = Target(zone.path) if source is not None and source.path != zone.path else None
    if picked and target is not None:
        _move(seat, picked, target)
    elif drawn.card_at(place):
        seat.picked = None if place == picked else place


def _move(seat: Seat, picked: str, target: Target) -> None:
    zone = board(seat.laid).zone_of(picked)
    moved = edits.move(seat.laid, picked, target, slot=zone is not None and zone.kind == "slot")
    seat.lay(position_from_json(moved).to_json())


def _buttons(seat: Seat, game: Game, picked: str | None) -> None:
    if picked is None:
        st.caption("Tap a card, then tap the meld (or the + for a new one) where it should go.")
    else:
        drawn = board(seat.laid)
        target_box(
            st.container(),
            f"Move {pretty(drawn.card_at(picked) or '')} to",
            targets(drawn, drawn.zone_of(picked)),
            key=f"rummy_move_{picked}",
            on_target=lambda target: _move(seat, picked, target),
        )
    notice, seat.notice = seat.notice, ""
    if notice:
        st.warning(plain(notice), title="Not a turn yet", icon=":material/block:")
    row = st.container(horizontal=True, gap="small")
    still = seat.laid == game.table(0).to_json()

    def button(label: str, icon: str, key: str, does: Callable[[Seat, Game], None], *, off: bool = False) -> None:
        def tapped() -> None:
            if seat.game is game:  # a second tap on the same button would else be a second turn
                does(seat, game)

        kind: Any = "primary" if key == "rummy_end" else "secondary"
        row.button(label, icon=f":material/{icon}:", key=key, type=kind, disabled=off, on_click=tapped)

    button("End the turn", "check", "rummy_end", _end_turn, off=still)
    button("Draw a card" if game.stock else "Pass", "style", "rummy_draw", _draw)
    button("Take back", "undo", "rummy_back", Seat.take, off=still)
    button("Hint", "lightbulb", "rummy_hint", _hint)


def _end_turn(seat: Seat, game: Game) -> None:
    try:
        laid = position_from_json(seat.laid)
        assert isinstance(laid, Position)
        after = rummy.play(game, Turn(laid.floor, laid.cross, laid.hand))
    except IllegalMoveError as error:
        seat.notice = error.reason[:1].upper() + error.reason[1:]
    else:
        _answer(seat, after)


def _draw(seat: Seat, game: Game) -> None:
    _answer(seat, rummy.draw(game))


def _answer(seat: Seat, after: Game) -> None:
    """Lets the computers answer a turn; where they cannot, the turn is still to be ended."""
    try:
        seat.take(rummy.computers(after, _best))
    except CardsError as error:
        seat.notice = kind(error)


def _best(table: Position) -> Turn | None:
    """The solver's turn, from a worker process."""
    job = state.pool().submit({"task": "answer", "line": str(table), "seconds": THINK}, limit=THINK)
    if not job.wait(THINK + 120) or job.result is None:
        raise CardsError(job.error or "the computer took too long; please end the turn again")
    line = job.result["line"]
    return Turn.parse(line[0]) if line else None


def _hint(seat: Seat, game: Game) -> None:
    """Lays out the best turn there is; the person still has to end it."""
    try:
        turn = _best(game.table(0))
    except CardsError as error:
        seat.notice = kind(error)
        return
    if turn is None:
        seat.notice = "No card of your hand can be played: draw."
    else:
        seat.lay(game.table(0).apply(turn).to_json())
