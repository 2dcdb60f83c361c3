"""Play Klondike: tap a card, tap where it goes; hints and the question whether it can still be won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from solver.cards import Card, MaybeCard
from solver.errors import IllegalMoveError
from solver.klondike import KlondikeRules, Move, Position, random_deal
from solver.klondike.hidden import completed
from webapp import advice, state
from webapp.advice import hidden
from webapp.component import pickable
from webapp.drawing import board_html
from webapp.faces import EMPTY, Mark
from webapp.jobs import Job
from webapp.rules import PRESETS
from webapp.views import Board, board, moved_places, told
from webapp.words import count, plain

HINT: Final = 5.0
"""Seconds that a hint may take."""
KEY: Final = "klondike_game"


def page() -> None:
    """The game of this session, or the question which one to play."""
    st.title("Klondike", anchor=False)
    history: list[str] = st.session_state.setdefault(KEY, [])
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    presets = list(PRESETS["klondike"])
    rules = row.pills("Rules", presets, default=presets[0], required=True, key="klondike_rules") or presets[0]
    row.button("New deal", icon=":material/casino:", on_click=_deal, args=(rules,), key="klondike_new")
    if not history:
        st.info("Deal the cards to begin.", icon=":material/playing_cards:")
        return
    position = Position.parse(history[-1])
    _status(position, len(history) - 1)
    shown = _tapped(board(hidden(position.to_json())))
    marks: dict[str, Mark] = {}
    if len(history) > 1:
        marks |= moved_places(board(hidden(Position.parse(history[-2]).to_json())), shown)
    chosen = st.session_state.get("klondike_picked")
    if chosen:
        marks[chosen] = "selected"
    pickable(board_html(shown, marks, pickable=True), key="klondike_board", on_pick=_picked)
    _buttons(position, chosen)


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


def _deal(rules: str) -> None:
    st.session_state[KEY] = [str(random_deal(state.fresh_seed(), KlondikeRules.from_json(PRESETS["klondike"][rules])))]
    _forget()


def _forget() -> None:
    for key in ("klondike_picked", "klondike_notice", "klondike_hint"):
        st.session_state.pop(key, None)


def _status(position: Position, moves: int) -> None:
    home = sum(position.foundations)
    if position.is_won:
        st.success(f"Every card is home after {count(moves, 'move')}.", title="You won", icon=":material/trophy:")
    notice = st.session_state.pop("klondike_notice", None)
    st.caption(f"{count(moves, 'move')}, {home} of 52 cards home. Tap a card, then where it should go.")
    if notice:
        st.warning(plain(notice), icon=":material/block:")


def _buttons(position: Position, chosen: str | None) -> None:
    row = st.container(horizontal=True, gap="small")
    row.button("Turn the stock", icon=":material/style:", on_click=_play, args=("draw",), key="klondike_draw")
    if chosen:
        for move in moves_from(position, chosen):
            after = board(hidden(position.apply(move).to_json()))
            label = told(board(hidden(position.to_json())), after).split("; ")[0] or str(move)
            row.button(label, type="primary", on_click=_play, args=(str(move),), key=f"klondike_{move}")
    undo = len(st.session_state[KEY]) < 2
    row.button("Undo", icon=":material/undo:", disabled=undo, on_click=_undo, key="klondike_undo")
    for label, icon, peek, words in (
        ("Hint", "lightbulb", False, "The best move as far as you can see; no face-down card is looked at"),
        ("Can it still be won?", "visibility", True, "Looks under the face-down cards and into the stock"),
    ):
        row.button(
            label,
            icon=f":material/{icon}:",
            on_click=_hint,
            args=(peek,),
            key=f"klondike_{'peek' if peek else 'hint'}_button",
            disabled=position.is_won,
            help=words,
        )
    _show_hint(position)


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


def _picked(place: str) -> None:
    """The first tap picks a card, the second moves it; a second tap on the same card lets it go."""
    position = Position.parse(st.session_state[KEY][-1])
    if place == "stock":
        _play("draw")
        return
    chosen = st.session_state.get("klondike_picked")
    if chosen:
        moves = [move for move in moves_from(position, chosen) if _leads_to(move, place)]
        if moves:
            _play(str(moves[0]))
            return
    empty = place.endswith("/+") or board(position.to_json()).card_at(place) in (EMPTY, None)
    st.session_state["klondike_picked"] = None if place == chosen or empty else place


def _play(text: str) -> None:
    history: list[str] = st.session_state[KEY]
    try:
        after = Position.parse(history[-1]).apply(Move.parse(text))
    except IllegalMoveError as error:
        st.session_state["klondike_notice"] = error.reason[:1].upper() + error.reason[1:]
    else:
        st.session_state[KEY] = [*history, str(after)][-1000:]
        st.session_state.pop("klondike_hint", None)
    st.session_state["klondike_picked"] = None


def _undo() -> None:
    st.session_state[KEY] = st.session_state[KEY][:-1]
    _forget()


def _hint(peek: bool) -> None:
    """Starts the search for a hint: on what the player has seen, or on the deal itself."""
    known = Position.parse(st.session_state[KEY][-1]) if peek else seen_only(st.session_state[KEY])
    exact = len(known.unseen()) < 2
    if exact:
        line = str(completed(known, list(known.unseen())))
        job = state.pool().submit({"task": "answer", "line": line, "seconds": HINT}, limit=HINT)
    else:
        job = advice.ask(known, HINT)
    st.session_state["klondike_hint"] = (job, known, exact, peek)


def _show_hint(position: Position) -> None:
    held = st.session_state.get("klondike_hint")
    if held is None:
        return
    job, known, exact, peek = held
    if exact:
        _show_exact(position, job, peek)
        return
    before = set(st.session_state[KEY])
    for move in advice.show(known, job, lambda text: str(position.apply(Move.parse(text))) not in before)[:1]:
        _follow(move["move"])


def _follow(move: str) -> None:
    st.button("Play it", icon=":material/play_arrow:", on_click=_play, args=(move,), key="klondike_follow")


def _show_exact(position: Position, job: Job, peek: bool) -> None:
    """The verdict on a deal of which every card is known, or was looked at."""
    if not job.wait(1.0):
        st.fragment(_wait, run_every=1.0)(job)
        return
    found = job.result or {}
    moves = found.get("line") or ()
    looked = "The face-down cards were looked at." if peek else "You have seen every card."
    if found.get("verdict") == "win" and moves:
        words = advice.move_words(position, moves[0])
        st.info(f"It can still be won. Next: {plain(words)}. {looked}", icon=":material/lightbulb:")
        _follow(moves[0])
    elif found.get("verdict") == "no_win":
        st.error(f"Proved: from here it can no longer be won. Undo goes back. {looked}", icon=":material/block:")
    else:
        st.info(f"No way to win was found within {HINT:g} s, and none was ruled out.", icon=":material/help:")


def _wait(job: Job) -> None:
    st.caption("Looking for a way to win ...")
    if job.done:
        st.rerun()
