"""Verdicts for the page: remembered for everybody, searched in a worker process, stopped when nobody waits any more."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Final

import streamlit as st

from solver.answer import parse_position
from webapp.jobs import Job, Json
from webapp.pipeline import Shot
from webapp.state import QUICK, drop_job, look_pool, pool, rules_now, with_rules

KEPT: Final = 64
"""Verdicts that are remembered; a long line with its tables may take a megabyte."""
JUDGE: Final = 5.0
"""Seconds for the search whether a doubtful card would change the verdict."""
WARM: Final = 0.8
"""Seconds that a page waits for a quick verdict before it shows a progress bar."""


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

    def keep(self, line: str, result: Json) -> None:
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


def ask(line: str, seconds: float, wait: float = WARM) -> Job | Json:
    """The verdict on a table, or the running job that will bring it.

    A job belongs to one session: asking about another table stops the one before.

    Args:
        line: The table.
        seconds: How long may be searched.
        wait: Seconds to wait for a quick verdict.
    """
    known = answers().get(line)
    if known is not None:
        return known
    wanted = (line, seconds)
    job = st.session_state.get("job")
    if not isinstance(job, Job) or st.session_state.get("job_for") != wanted:
        drop_job()
        workers = pool() if seconds <= QUICK else look_pool()
        job = workers.submit({"task": "answer", "line": line, "seconds": seconds}, limit=seconds)
        st.session_state.update(job=job, job_for=wanted, waited=False)
    if wait and not st.session_state.get("waited"):  # once: later runs of the page look at how far it is
        st.session_state["waited"] = True
        job.wait(wait)
    if job.done and job.result is not None:
        answers().keep(line, job.result)
        return job.result
    return job


def judge(shot: Shot) -> Json | None:
    """How sure the verdict on a photo is and which card would settle it; None while that is being found out."""
    if shot.line is None or None in parse_position(shot.line).cards():
        return None  # hidden cards: an estimate, which no single card turns over
    rules = rules_now()
    held = st.session_state.get("judged")
    if not isinstance(held, tuple) or held[0] is not shot or held[2] != rules:
        if held is not None and not held[1].done:
            held[1].stop()
        request = {
            "task": "judge",
            "reading": dict(shot.reading),
            "line": with_rules(shot.line, rules),
            "others": [(weight, with_rules(line, rules)) for weight, line in shot.others],
            "seconds": JUDGE,
        }
        held = (shot, pool().submit(request, limit=3 * JUDGE), rules)
        st.session_state["judged"] = held
    job: Job = held[1]
    if not job.done:
        st.fragment(_rerun_when_done, run_every=1.0)(job)
    return job.result


def _rerun_when_done(job: Job) -> None:
    if job.done:
        st.rerun()


def hand_size(table: dict[str, Any]) -> int:
    """How many cards the hand holds, 0 in a game without one."""
    hand = table.get("hand", [])
    return len(hand) if isinstance(hand, list) else 0
