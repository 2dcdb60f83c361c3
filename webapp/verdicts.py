"""Verdicts for the page: computed in a worker process, stopped when nobody needs them, and cached for all visitors."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import streamlit as st

from vision.confidence import WHOLE_STANDS_FROM
from webapp import streamlit_link as state
from webapp.jobs import Job, Json
from webapp.photo_session import PhotoSession
from webapp.session import QUICK, Session
from webapp.trust import certainty, open_questions

KEPT: Final = 64
"""Verdicts that are remembered; a long line with its tables may take a megabyte."""
JUDGE: Final = 5.0
"""Seconds for the search whether a doubtful card would change the verdict."""
PATIENCE: Final = 0.5
"""Seconds that a run of the page waits for a verdict before it draws the table without one."""


@st.cache_resource(show_spinner=False, max_entries=KEPT)
def decided(line: str, *, _result: Json | None = None) -> Json:
    """What was found out for good about a table; all visitors share it. Raises LookupError where that is nothing yet.

    Args:
        line: The table.
        _result: What is to be remembered.
    """
    if _result is None:
        raise LookupError(line)
    return _result


def request_verdict(session: Session, wait: float) -> Job | Json:
    """The verdict on a session's table, or the running job that will bring it.

    Asking about another table, or for longer, stops the search before.

    Args:
        session: Whose table, and how long may be searched.
        wait: Seconds to wait for a quick verdict.
    """
    line, seconds = session.line, session.seconds
    assert line is not None
    with suppress(LookupError):
        return decided(line)
    job = session.search
    if job is None or (job.request["line"], job.request["seconds"]) != (line, seconds):
        session.stop_search()
        job = session.search = state.search(line, seconds, "first" if seconds <= QUICK else "look")
        state.wait(job, wait)  # once: later runs of the page look at how far it is
    if job.done and job.result is not None:
        if job.result.get("verdict") in ("win", "no_win"):
            decided(line, _result=job.result)
        return job.result
    return job


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
    if position is None or (certainty(shot.reading, ()) >= WHOLE_STANDS_FROM and not open_questions(shot.reading, ())):
        return False
    return None not in position.cards()
