"""What one visitor's session holds, and the only place that writes it.

The table is kept as its one-line notation, the same text as in the address (`?p=`), the editor and the downloads; every
change goes through `put`, so undo and the address always agree with what is shown.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from solver.answer import parse_position, position_from_json
from solver.errors import CardsError
from solver.position import Position
from webapp.jobs import Job, Pool
from webapp.pipeline import Shot, warm
from webapp.words import kind

MAX_TEXT: Final = 4000
"""Characters of notation that are looked at; the longest table there can be needs far fewer."""
UNDO_STEPS: Final = 200
LATE: Final = 30.0
"""Seconds within which a browser may still send the address of a table that was put away."""
WRITTEN: Final = "written"
WRITTEN_AT: Final = "written_at"
AGREED: Final = "agreed"
"""In the session: the rules chosen last for each game, by which its next photo is answered."""
PARAMETER: Final = "p"
QUICK: Final = 1.2
"""Seconds of the first search, so that something can be said soon; `webapp.outcome` looks on by itself."""


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def pool() -> Pool:
    """The worker processes that all visitors share, the first of them started at once."""
    workers = Pool()
    workers.warm()
    return workers


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def look_pool() -> Pool:
    """Worker processes for looks beyond `QUICK` seconds, so that nobody's first answer waits for them."""
    return Pool(2)


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def long_pool() -> Pool:
    """Worker processes of their own for simulations and evaluations, so that no verdict ever waits for them."""
    return Pool()


@st.cache_resource(show_spinner=False)
def networks() -> threading.Thread:
    """Loads the networks, once and beside the page, while the first visitor still looks for a photo."""
    loading = threading.Thread(target=warm, name="networks", daemon=True)
    loading.start()
    return loading


@st.cache_resource(show_spinner=False)
def reading_slots() -> threading.BoundedSemaphore:
    """Lets two photos be read at a time, so that memory stays bounded however many visitors there are."""
    return threading.BoundedSemaphore(2)


def text() -> str | None:
    """The table as one line, None before there is one."""
    line = st.session_state.get("line")
    return line if isinstance(line, str) else None


def position() -> Position[Any] | None:
    """The table, None before there is one."""
    line = text()
    return None if line is None else parse_position(line)


def version() -> int:
    """A number that is another one after each change of the table."""
    number = st.session_state.get("version", 0)
    return number if isinstance(number, int) else 0


def is_laid() -> bool:
    """Whether any card that can be named lies on the table."""
    found = position()
    return found is not None and any(card is not None for card in found.cards())


def begin(line: str, shot: Shot | None = None) -> None:
    """Starts over with a table as it was read, loaded or laid out."""
    drop_job()
    st.session_state.update(
        line=line, read=line, past=[], shot=shot, picked=None, frame=None, seconds=QUICK, checked=frozenset()
    )
    _write_address(line)


def clear() -> None:
    """Forgets the table and the photo."""
    drop_job()
    for key in ("line", "read", "past", "shot", "picked", "frame"):
        st.session_state.pop(key, None)
    _write_address(None)


def put(line: str) -> None:
    """Changes the table; the one before can be had back with `undo`."""
    before = text()
    if line == before:
        return
    past = [*st.session_state.get("past", ()), before][-UNDO_STEPS:]
    st.session_state.update(line=line, past=past, frame=None, seconds=QUICK)
    _write_address(line)


def keep_address() -> None:
    """Puts the table back into the address after a visit to another view."""
    line = text()
    if line is not None and st.query_params.get(PARAMETER) != line:
        _write_address(line)


def _write_address(line: str | None) -> None:
    """Puts a table into the address, or none; remembers what stood there and when it was changed."""
    before = st.query_params.get(PARAMETER)
    written = {*st.session_state.get(WRITTEN, ()), *(known for known in (before, line) if known is not None)}
    st.session_state.update({WRITTEN: written, WRITTEN_AT: time.monotonic(), "version": version() + 1})
    if line is None:
        st.query_params.clear()
    else:
        st.query_params[PARAMETER] = line


def _is_late(given: str) -> bool:
    """Whether an address is this session's own from before its last change.

    A browser that has not heard of the change yet sends the address of before with the next tap. Taken for a link it
    would undo the change and forget the photo. To go back there is Undo; a table that was put away comes back.
    """
    age = time.monotonic() - st.session_state.get(WRITTEN_AT, -math.inf)
    return given in st.session_state.get(WRITTEN, ()) and (text() is not None or age < LATE)


def with_rules(line: str, rules: Mapping[str, Any] | None) -> str:
    """A table under other rules; None leaves its own, none are the game's usual ones.

    >>> with_rules("makiaveli hand: 3S", {"strict_cross": True})
    'makiaveli rules: strict_cross; floor:; cross: - - - -; hand: 3S'
    """
    if rules is None:
        return line
    table = parse_position(line).to_json()
    table.pop("rules", None)
    return str(position_from_json(table | ({"rules": dict(rules)} if rules else {})))


def agree(game: str, rules: Mapping[str, Any]) -> None:
    """Puts the table under other rules; the next photo of that game goes by them too."""
    st.session_state[AGREED] = {**st.session_state.get(AGREED, {}), game: dict(rules)}
    put(with_rules(text() or game, rules))


def agreed(game: str) -> Mapping[str, Any] | None:
    """The rules chosen last for a game, None where none were."""
    held: Mapping[str, Mapping[str, Any]] = st.session_state.get(AGREED, {})
    return held.get(game)


def undo() -> None:
    """Takes back the last change."""
    past = list(st.session_state.get("past", ()))
    if past:
        line = past.pop()
        st.session_state.update(line=line, past=past, picked=None, frame=None, seconds=QUICK)
        _write_address(line)


def changed() -> bool:
    """Whether the table differs from how it was read; the rules are no part of a reading."""
    return text() != _as_read()


def reread() -> None:
    """Goes back to the table as it was read; that too can be undone."""
    st.session_state["picked"] = None
    put(_as_read())


def _as_read() -> str:
    return with_rules(st.session_state["read"], rules_now())


def rules_now() -> Mapping[str, Any]:
    """The rules that the table on the page lies under; empty for a game's usual ones."""
    found = position()
    rules: Mapping[str, Any] = {} if found is None else found.to_json().get("rules", {})
    return rules


def picked() -> str | None:
    """The path of the card or zone that was picked on the board."""
    place = st.session_state.get("picked")
    return place if isinstance(place, str) else None


def pick(place: str | None) -> None:
    """Picks a card or a zone; the one that is picked already is let go."""
    st.session_state["picked"] = None if place == picked() else place


def shot() -> Shot | None:
    """The photo that the table was read from."""
    found = st.session_state.get("shot")
    return found if isinstance(found, Shot) else None


def open_link() -> str | None:
    """Opens the table that the address carries, once; the reason where it cannot be read."""
    given = st.query_params.get(PARAMETER)
    if given is None or given == text() or _is_late(given):
        return None
    if st.session_state.get("refused") == given:
        return None
    try:
        line = read_line(given)
    except CardsError as error:
        st.session_state["refused"] = given
        return kind(error)
    if line != text():
        begin(line)
    return None


def read_line(given: str) -> str:
    """Text that a person typed or sent, as the one-line notation. Raises CardsError."""
    if len(given) > MAX_TEXT:
        raise CardsError(f"the text has {len(given):,} characters; a table needs at most {MAX_TEXT:,}")
    return str(parse_position(given))


def fresh_seed() -> int:
    """A seed that this session has not used."""
    return secrets.randbelow(2**31)


def drop_job() -> None:
    """Stops this session's search, if one runs."""
    job = st.session_state.pop("job", None)
    st.session_state.pop("job_for", None)
    if isinstance(job, Job) and not job.done:
        job.stop()
