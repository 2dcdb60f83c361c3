"""Play Klondike: tap a card, tap where it goes; hints and the question whether it can still be won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from solver.cards import Card, MaybeCard
from solver.errors import IllegalMoveError
from solver.klondike import KlondikeRules, Move, Position, random_deal
from solver.klondike.hidden import completed
from webapp import advice, state
from webapp.advice import hidden
from webapp.boards import Board, board
from webapp.changes import moved_places, told
from webapp.component import Button, buttons, pickable
from webapp.drawing import board_html
from webapp.faces import EMPTY, Mark
from webapp.jobs import Job
from webapp.rules import PRESETS
from webapp.words import count, plain

HINT: Final = 5.0
"""Seconds that a hint may take."""
UNDO_STEPS: Final = 1000


@dataclass(frozen=True, slots=True)
class Hint:
    """The search for a hint.

    Attributes:
        job: The search.
        known: The table as the player knows it, or as it is.
        exact: Whether every card of it is known.
        peek: Whether the face-down cards were looked at.
    """

    job: Job
    known: Position
    exact: bool
    peek: bool


@dataclass(eq=False)
class Play:
    """A visitor's game; changed by what is tapped.

    Attributes:
        history: The table after each move, the deal first; empty before the first deal.
        picked: The place of the card that is picked.
        notice: Why a move was not taken, to be said once.
        hint: The hint that was asked for.
    """

    history: tuple[str, ...] = ()
    picked: str | None = None
    notice: str = ""
    hint: Hint | None = None

    def now(self) -> Position:
        """The table."""
        return Position.parse(self.history[-1])

    def show(self, history: tuple[str, ...]) -> None:
        """Puts other tables in place of those before."""
        self.history, self.picked, self.hint = history[-UNDO_STEPS:], None, None

    def undo(self) -> None:
        """Takes back the last move."""
        if len(self.history) > 1:
            self.show(self.history[:-1])


def page() -> None:
    """The game of this session, or the question which one to play."""
    st.title("Klondike", anchor=False)
    play = state.held(Play)
    history = play.history
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    presets = list(PRESETS["klondike"])
    rules = row.pills("Rules", presets, default=presets[0], required=True, key="klondike_rules") or presets[0]
    row.button("New deal", icon=":material/casino:", on_click=_deal, args=(play, rules), key="klondike_new")
    if not history:
        st.info("Deal the cards to begin.", icon=":material/playing_cards:")
        return
    position = play.now()
    _status(play, position)
    shown = _tapped(board(hidden(position.to_json())))
    marks: dict[str, Mark] = {}
    if len(history) > 1:
        marks |= moved_places(board(hidden(Position.parse(history[-2]).to_json())), shown)
    if play.picked:
        marks[play.picked] = "selected"
    pickable(board_html(shown, marks, pickable=True), key="klondike_board", on_pick=lambda place: _picked(play, place))
    _buttons(play, position)


def seen_only(history: Sequence[str]) -> Position:
    """The table as its player knows it: cards that never lay face up in this game are unknown."""
    now = Position.parse(history[-1])
    shown: set[Card] = set()
    for line in history:
        before = Position.parse(line)
        shown.update(card for card in before.waste if card is not None)
        shown.update(card for column in before.columns for card in column.up if card is not None)

    def known(pile: Sequence[MaybeCard]) -> tuple[MaybeCard, ...]:
        return tuple(card if card in shown else None for card in pile)

    columns = tuple(replace(column, down=known(column.down)) for column in now.columns)
    return replace(now, columns=columns, stock=known(now.stock))


def _tapped(shown: Board) -> Board:
    """The board for playing: the stock can be tapped, and its hidden order is not spread out."""
    top, *others = shown.sections
    stock, *piles = (zone for zone in top.zones if zone is not None)
    stock = replace(stock, spots=tuple(replace(spot, place="stock") for spot in stock.spots))
    return replace(shown, sections=(replace(top, zones=(stock, *piles)), *others[:-1]))


def _deal(play: Play, rules: str) -> None:
    deal = random_deal(state.fresh_seed(), KlondikeRules.from_json(PRESETS["klondike"][rules]))
    play.show((str(deal),))


def _status(play: Play, position: Position) -> None:
    moves, home = len(play.history) - 1, sum(position.foundations)
    if position.is_won:
        st.success(f"Every card is home after {count(moves, 'move')}.", title="You won", icon=":material/trophy:")
    notice, play.notice = play.notice, ""
    made = count(moves, "move")
    st.caption(f"{made[:1].upper()}{made[1:]}, {home} of 52 cards home. Tap a card, then where it should go.")
    if notice:
        st.warning(plain(notice), icon=":material/block:")


def _buttons(play: Play, position: Position) -> None:
    row = st.container(horizontal=True, gap="small")
    turn = Button("draw", "Turn the stock", "style")
    undo = Button("undo", "Undo", "undo", off=len(play.history) < 2)
    buttons(
        row,
        [turn, undo],
        key="klondike_tools",
        on_press=lambda name: play.undo() if name == "undo" else _move(play, name),
    )
    if play.picked:
        for move in moves_from(position, play.picked):
            after = board(hidden(position.apply(move).to_json()))
            label = told(board(hidden(position.to_json())), after).split("; ")[0] or str(move)
            row.button(label, type="primary", on_click=_move, args=(play, str(move)), key=f"klondike_{move}")
    for label, icon, peek, words in (
        ("Hint", "lightbulb", False, "The best move as far as you can see; no face-down card is looked at"),
        ("Can it still be won?", "visibility", True, "Looks under the face-down cards and into the stock"),
    ):
        row.button(
            label,
            icon=f":material/{icon}:",
            on_click=_hint,
            args=(play, peek),
            key=f"klondike_{'peek' if peek else 'hint'}_button",
            disabled=position.is_won,
            help=words,
        )
    if play.hint is not None:
        _show_hint(play, play.hint, position)


def moves_from(position: Position, place: str) -> tuple[Move, ...]:
    """The legal moves that begin with the card at a place of the board."""
    parts = place.split("/")
    found = []
    for move in position.moves():
        kind = move.kind.value
        if parts[0] == "columns":
            if parts[2:3] != ["up"] or parts[3] == "+" or not kind.startswith("T") or move.source != int(parts[1]):
                continue
            if len(position.columns[move.source].up) - int(parts[3]) == move.count:
                found.append(move)
        elif parts[0] == "waste":
            if kind.startswith("W") and parts[1] == str(len(position.waste) - 1):
                found.append(move)
        elif parts[0] == "foundations" and kind.startswith("F") and "CDHS"[move.source] == parts[1]:
            found.append(move)
    return tuple(found)


def _leads_to(move: Move, place: str) -> bool:
    parts = place.split("/")
    kind = move.kind.value
    if parts[0] == "columns":
        return kind.endswith("T") and move.target == int(parts[1])
    return parts[0] == "foundations" and kind.endswith("F")


def _picked(play: Play, place: str) -> None:
    """The first tap picks a card, the second moves it; a second tap on the same card lets it go."""
    position = play.now()
    if place == "stock":
        _move(play, "draw")
        return
    if play.picked:
        moves = [move for move in moves_from(position, play.picked) if _leads_to(move, place)]
        if moves:
            _move(play, str(moves[0]))
            return
    empty = place.endswith("/+") or board(position.to_json()).card_at(place) in (EMPTY, None)
    play.picked = None if place == play.picked or empty else place


def _move(play: Play, text: str) -> None:
    try:
        after = play.now().apply(Move.parse(text))
    except IllegalMoveError as error:
        play.notice, play.picked = error.reason[:1].upper() + error.reason[1:], None
    else:
        play.show((*play.history, str(after)))


def _hint(play: Play, peek: bool) -> None:
    """Starts the search for a hint: on what the player has seen, or on the deal itself."""
    known = play.now() if peek else seen_only(play.history)
    exact = len(known.unseen()) < 2
    if exact:
        line = str(completed(known, list(known.unseen())))
        job = state.pool().submit({"task": "answer", "line": line, "seconds": HINT}, limit=HINT, queue="look")
    else:
        job = advice.ask(known, HINT)
    play.hint = Hint(job, known, exact, peek)


def _show_hint(play: Play, hint: Hint, position: Position) -> None:
    if hint.exact:
        _show_exact(play, hint, position)
        return
    before = set(play.history)
    moves = advice.show(hint.known, hint.job, lambda text: str(position.apply(Move.parse(text))) not in before)
    if moves:
        _follow(play, moves[0]["move"])


def _follow(play: Play, move: str) -> None:
    st.button("Play it", icon=":material/play_arrow:", on_click=_move, args=(play, move), key="klondike_follow")


def _show_exact(play: Play, hint: Hint, position: Position) -> None:
    """The verdict on a deal of which every card is known, or was looked at."""
    if not state.wait(hint.job, 1.0):
        state.poll(_wait, 1.0, hint.job)
        return
    found = hint.job.result or {}
    moves = found.get("line") or ()
    looked = "The face-down cards were looked at." if hint.peek else "You have seen every card."
    if found.get("verdict") == "win" and moves:
        words = advice.move_words(position, moves[0])
        st.info(f"It can still be won. Next: {plain(words)}. {looked}", icon=":material/lightbulb:")
        _follow(play, moves[0])
    elif found.get("verdict") == "no_win":
        st.error(f"Proved: from here it can no longer be won. Undo goes back. {looked}", icon=":material/block:")
    else:
        st.info(f"No way to win was found within {HINT:g} s, and none was ruled out.", icon=":material/help:")


def _wait(job: Job) -> None:
    st.caption("Looking for a way to win ...")
    if job.done:
        st.rerun()
