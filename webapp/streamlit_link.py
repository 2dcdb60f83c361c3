"""Connects Streamlit with visitors' data: one object for each session, the address bar, and what all visitors share."""

from __future__ import annotations

import gc
import mimetypes
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from plumbing.errors import CardsError
from solver import parse
from solver.position import Position
from webapp.games.game import page_of
from webapp.jobs import Job, Pool, Queue
from webapp.photo_session import warm
from webapp.session import Session, Told
from webapp.wording import describe_error

MAX_TEXT: Final = 4000
"""Characters of notation that are looked at; the longest table there can be needs far fewer."""
PARAMETER: Final = "p"
GUESS: Final = "guess"
"""In an address: its table comes from photos of a game that leave something open."""
OPEN: Final = "open"
"""In an address: how many questions about its table's photo nobody has answered. The board writes it there."""
MADE: Final = "made"
"""In an address which move of a reviewed game was made from its table: the number, and the move."""
REFRESH: Final = 0.2
"""Seconds between two looks whether a search has ended."""
T = TypeVar("T")


@st.cache_resource(show_spinner=False, on_release=Pool.close)
def pool() -> Pool:
    """The worker processes that all visitors share, the first of them started at once."""
    workers = Pool()
    workers.warm()
    return workers


def load_networks() -> None:
    """Loads the networks, so that the first photo need not wait for them."""
    warm()
    # Streamlit collects all garbage after every run of the page; what is loaded once need not be looked through again.
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False)
def readers() -> ThreadPoolExecutor:
    """The threads in which photos are read: two, so that memory is bounded with any number of visitors."""
    return ThreadPoolExecutor(2, "reader")


def session_object(kind: type[T]) -> T:
    """This session's only object of a type, created once. Change its attributes; never replace it."""
    key = kind.__qualname__
    found = st.session_state.get(key)
    if not isinstance(found, kind):  # none yet, or one of a class from before an edit of the code
        found = st.session_state[key] = kind()
    return found


def session() -> Session:
    """What this visitor has. Call it while the page is drawn: event handlers should not access the session state."""
    return session_object(Session)


def widget_value(key: str) -> Any:
    """A widget's value, None where it has none, for the function that its change calls.

    An ordinary access to the session state may end that function in favour of a newer run, and the tap would be lost.
    """
    return st.session_state.to_dict().get(key)


def search(line: str, seconds: float, queue: Queue = "first") -> Job:
    """Starts the search for the answer on a table."""
    return pool().submit({"task": "answer", "line": line, "seconds": seconds}, limit=seconds, queue=queue)


def wait(job: Job, seconds: float) -> None:
    """Waits for a job, in small steps between which a tap is heard."""
    end = time.monotonic() + seconds
    while not job.wait(min(0.05, max(0.0, end - time.monotonic()))) and time.monotonic() < end:
        st.session_state.get(PARAMETER)  # any access ends this run if a newer one is waiting


def poll(draw: Callable[..., None], seconds: float | None, *given: Any) -> None:
    """Draws a part of the page and, if `seconds` are given, redraws it regularly.

    The part has its own container. If a poll arrives while the page is being drawn, Streamlit discards what it has not
    yet sent of that part (`ForwardMsgQueue.clear`), or of the whole page (`AppSession.request_rerun`, if the run has
    just ended). Without a container the part could then take the place of other elements, or a place that does not
    exist in the browser, which shows a white page.
    """
    with st.container():
        st.fragment(draw, run_every=seconds)(*given)


def follow(job: Job, seconds: float, draw: Callable[[], None]) -> bool:
    """Draws how far a job is, regularly, and the page anew at its end; whether it had ended before."""
    had_ended = job.done
    poll(_draw_until_done, None if had_ended else seconds, job, had_ended, draw)
    return had_ended


def _draw_until_done(job: Job, had_ended: bool, draw: Callable[[], None]) -> None:
    if not job.done:
        draw()
    elif not had_ended or is_tick():
        st.rerun()


@dataclass(eq=False)
class SentFiles:
    """What a visitor has sent by the boxes of the pages, by the box's name.

    Attributes:
        waiting: Name and data of each file until the page takes them. A run of the page may end in favour of a newer
            one before it comes to the box.
        times: How often files were sent.
    """

    waiting: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)


def ask_files(box: DeltaGenerator, name: str, label: str, types: Sequence[str]) -> list[tuple[str, bytes]]:
    """Offers to choose files in a box of a name; name and data of each once all have come, before that none.

    They are taken without a further tap: what is only chosen is lost where the page is loaded anew.
    """
    sent = session_object(SentFiles)
    number = sent.times[name]
    key = f"{name}_files {number}"  # the next ones would hold these too; so another box takes those

    def take() -> None:
        if sent.times[name] == number:  # else a browser that still shows this box has told of it once more
            sent.waiting[name] = [(file.name, file.getvalue()) for file in widget_value(key) or ()]
            sent.times[name] += 1

    box.file_uploader(label, type=types, accept_multiple_files=True, key=key, on_change=take)
    return sent.waiting.pop(name, [])


def show_row() -> DeltaGenerator:
    """A row of what stands beside each other, also on a phone."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)


def show_progress(job: Job, done: float, total: float, text: str, key: str) -> None:
    """Shows how far a job is, and a button that stops it; the page is then drawn anew with what it has found."""
    row = show_row()
    row.progress(min(1.0, done / total) if total else 0.0, text=text if total else "Starting")
    if row.button("Stop", icon=":material/stop:", key=key):
        job.stop()
        job.wait(2)
        st.rerun()


def offer_download(
    row: DeltaGenerator, label: str, data: Any, name: str, sign: str, key: str, *, disabled: bool = False, tip: str = ""
) -> None:
    """Shows a button that downloads `data`, or what that function gives, as a file of this name."""
    kind, _ = mimetypes.guess_type(name)
    icon = f":material/{sign}:"
    row.download_button(
        label, data, name, kind, icon=icon, on_click="ignore", key=key, disabled=disabled, help=tip or None
    )


def running(*jobs: Job | None) -> list[Job]:
    """Those of some jobs that still run; taken before the page is drawn, see `rerun_when_done`."""
    return [job for job in jobs if job is not None and not job.done]


def is_tick() -> bool:
    """Whether only a part of the page is drawn, because a poll asked for it.

    Of a part that is not polled any more only a browser asks that never got the page after it, see `poll`.
    """
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "fragment_ids_this_run", None))


def rerun_when_done(jobs: list[Job]) -> None:
    """Redraws the page when one of the jobs begins or ends that were running when the page began to be drawn.

    Jobs that ended while the page was drawn count too: nothing else would notice them.
    """
    if any(job.done for job in jobs):
        st.rerun()
    poll(_look, REFRESH if jobs else None, jobs, [job.started for job in jobs])


def _look(jobs: list[Job], begun: list[float | None]) -> None:
    is_lost = not jobs and is_tick()
    if is_lost or any(job.done for job in jobs) or [job.started for job in jobs] != begun:
        st.rerun()


def served(picture: bytes, name: str, kind: str = "image/jpeg") -> str:
    """The address at which this visitor's browser gets a picture, for as long as the page shows it."""
    if not runtime.exists():
        return f"media/{name}"
    return runtime.get_instance().media_file_mgr.add(picture, kind, name)


def read_line(given: str) -> str:
    """Text that a person or a browser sent, as the one-line notation. Raises CardsError."""
    return str(_read_position(given))


def read_typed_line(given: str) -> str:
    """Text that a person typed, as the one-line notation, with what it leaves out. Raises CardsError."""
    position = _read_position(given)
    return str(page_of(position.game).complete(position, given))


def _read_position(given: str) -> Position[Any]:
    if len(given) > MAX_TEXT:
        raise CardsError(f"the text has {len(given):,} characters; a table needs at most {MAX_TEXT:,}")
    return parse(given)


def follow_address(session: Session) -> None:
    """Opens the table that the address carries, once, or puts the session's own there."""
    given = st.query_params.get(PARAMETER)
    back = _travelled()
    if back and given is None:
        session.follow_history(None)
    elif given is not None and given != session.refused and (back or not session.is_own_address(given)):
        try:
            line = read_line(given)
        except CardsError as error:
            session.refused, session.refusal = given, ("This link holds no table.", describe_error(error))
        else:
            told = Told(GUESS in st.query_params, _left_open(), st.query_params.get(MADE, ""))
            if back:
                session.follow_history(line, told=told)
            else:
                session.open(given, line, told=told)
    if session.line is not None and session.line != given:
        st.query_params[PARAMETER] = session.line
    elif session.line is None and given is not None and session.is_own_address(given):
        st.query_params.clear()
    for name, holds in ((GUESS, session.is_guess), (MADE, session.made)):
        if not holds:
            st.query_params.pop(name, None)


def _left_open() -> int | None:
    """How many questions about its table the address says are open; None where it says nothing."""
    given = st.query_params.get(OPEN)
    return None if given is None else int(given) if re.fullmatch("[0-9]{1,3}", given) else 0


def _travelled() -> bool:
    """Whether the browser's Back or Forward caused this run; Streamlit has no public way to ask."""
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))


def fresh_seed() -> int:
    """A new random seed."""
    return secrets.randbelow(2**31)
