"""Verdicts for the page: computed in a worker process, stopped when nobody needs them, and cached for all visitors."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

import streamlit as st

from vision.confidence import WHOLE_STANDS_FROM
from webapp import streamlit_link as state
from webapp.jobs import Job, Json
from webapp.photo_session import PhotoSession
from webapp.session import QUICK, Search, Session
from webapp.trust import certainty

KEPT: Final = 64
"""Verdicts that are remembered; a long line with its tables may take a megabyte."""
JUDGE: Final = 5.0
"""Seconds for the search whether a doubtful card would change the verdict."""
PATIENCE: Final = 0.25
"""Seconds that a run of the page waits for a verdict before it draws the table without one."""


class Answers:
    """The latest decided verdicts of all visitors; safe to use from any thread."""

    def __init__(self, size: int = KEPT) -> None:
        self._size = size
        self._kept: OrderedDict[str, Json] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, line: str) -> Json | None:
        """What was found out about a table, if anything for good."""
        with self._lock:
            if line in self._kept:
                self._kept.move_to_end(line)
            return self._kept.get(line)

    def remember(self, line: str, result: Json) -> None:
        """Remembers a verdict that more time would not change."""
        if result.get("verdict") not in ("win", "no_win"):
            return
        with self._lock:
            self._kept[line] = result
            self._kept.move_to_end(line)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


@st.cache_resource(show_spinner=False)
def answers() -> Answers:
    """The verdicts that all visitors share."""
    return Answers()


def request_verdict(session: Session, wait: float = PATIENCE) -> Job | Json:
    """The verdict on a session's table, or the running job that will bring it.

    Asking about another table, or for longer, stops the search before.

    Args:
        session: Whose table, and how long may be searched.
        wait: Seconds to wait for a quick verdict.
    """
    line, seconds = session.line, session.seconds
    assert line is not None
    known = answers().get(line)
    if known is not None:
        return known
    search = session.search
    if search is None or (search.line, search.seconds) != (line, seconds):
        session.stop_search()
        request = {"task": "answer", "line": line, "seconds": seconds}
        job = state.pool().submit(request, limit=seconds, queue="first" if seconds <= QUICK else "look")
        search = session.search = Search(line, seconds, job)
    if wait and not search.waited:  # once: later runs of the page look at how far it is
        search.waited = True
        state.wait(search.job, wait)
    if search.job.done and search.job.result is not None:
        answers().remember(line, search.job.result)
        return search.job.result
    return search.job


def find_judgement(session: Session) -> Json | None:
    """How reliable the verdict on a session's photo is, and which card would settle it; None if not known yet."""
    asked = session.judging
    if asked is None or asked[0] is not session.shot or asked[1] != session.rules():
        return None
    if asked[2].done and asked[2].result is None:
        return {"probability": 0.0, "ask": None}  # it could not be found out: that is no reason to be sure
    return asked[2].result


def judge(session: Session) -> Job | None:
    """Starts the job whose result `find_judgement` returns; None if the photo leaves no doubt."""
    shot, rules, asked = session.shot, session.rules(), session.judging
    if shot is None or not can_be_judged(shot):
        return None
    if asked is None or asked[0] is not shot or asked[1] != rules:
        if asked is not None:
            asked[2].stop()
        request = {
            "task": "judge",
            "reading": shot.reading.with_rules(rules).to_json(),
            "seconds": JUDGE,
        }
        asked = session.judging = (shot, rules, state.pool().submit(request, limit=3 * JUDGE, queue="look"))
    return asked[2]


def can_be_judged(shot: PhotoSession) -> bool:
    """Whether the reliability of a verdict can be computed. Not for estimates: one doubtful card hardly matters."""
    position = shot.reading.position
    if position is None or certainty(shot.reading, ()) >= WHOLE_STANDS_FROM:
        return False
    return None not in position.cards()
