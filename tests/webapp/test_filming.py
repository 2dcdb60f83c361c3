"""Frames of films that a browser sends: chosen from a file, or while its camera films."""

from __future__ import annotations

from base64 import b64encode
from concurrent.futures import CancelledError, Future
from itertools import pairwise
from typing import Any

import pytest

from webapp import filming
from webapp.events import MOST_FILM_FRAMES, photo_events
from webapp.filming import Filming, LiveFrames
from webapp.session import STOPPED, Begun, Session


def frames(*seconds: float) -> list[dict[str, Any]]:
    return [{"seconds": second, "data": b64encode(b"%d" % second).decode()} for second in seconds]


def send(session: Session, film: dict[str, Any]) -> None:
    photo_events(session)["photo"]({"purpose": "new", "files": [], "film": film})


def wanted(session: Session) -> Any:
    assert session.wanted is not None
    assert session.wanted.film is not None
    return session.wanted.film[1]


def test_of_too_many_frames_some_are_read_all_over_the_film() -> None:
    session = Session()
    send(session, {"name": "film.mp4", "seconds": 300, "frames": frames(*range(300))})
    seconds, chosen = wanted(session)
    assert seconds == 300
    assert len(chosen) == MOST_FILM_FRAMES
    times = [time for time, _ in chosen]
    assert times[0] == 0
    assert all(3 <= after - before <= 4 for before, after in pairwise(times))
    assert times[-1] >= 296


def test_a_reading_that_nobody_waits_for_ends() -> None:
    session, film = Session(), Filming()
    send(session, {"name": "film.mp4", "seconds": 3, "frames": frames(0)})
    session.being_read(lambda what: Begun(Future(), film))
    film.tell(1.0, 3.0, 0)
    photo_events(session)["stop_reading"]({})
    assert session.refusal == STOPPED
    assert session.being_read(lambda what: Begun(Future())) is None
    with pytest.raises(CancelledError):
        film.tell(2.0, 3.0, 0)


def test_a_film_without_frames_is_none() -> None:
    with pytest.raises(ValueError, match="no frames"):
        send(Session(), {"name": "film.mp4", "seconds": 3, "frames": []})


def test_a_live_film_is_read_frame_by_frame_until_it_ends() -> None:
    session = Session()
    send(session, {"live": 0.5, "begins": True, "ends": False, "frames": frames(0)})
    seconds, coming = wanted(session)
    assert seconds == 0
    reading = iter(coming)
    assert next(reading) == (0, b"0")
    send(session, {"live": 0.5, "begins": False, "ends": False, "frames": frames(1, 2)})
    send(session, {"live": 0.7, "begins": False, "ends": False, "frames": frames(9)})
    assert wanted(session)[1] is coming
    send(session, {"live": 0.5, "begins": False, "ends": True, "frames": []})
    assert [time for time, _ in reading] == [1, 2]


def test_a_live_film_that_was_given_up_takes_no_more() -> None:
    session = Session()
    send(session, {"live": 0.5, "begins": True, "ends": False, "frames": frames(0)})
    session.forget()
    send(session, {"live": 0.5, "begins": False, "ends": True, "frames": frames(1)})
    assert session.wanted is None


def test_a_live_film_ends_when_it_is_too_long_or_its_browser_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    long = LiveFrames(1, most=2)
    long.add([(0.0, b""), (1.0, b"")], ends=False)
    assert len(list(long)) == 2
    monkeypatch.setattr(filming, "GONE_S", 0.01)
    gone = LiveFrames(2, most=9)
    gone.add([(0.0, b"")], ends=False)
    assert len(list(gone)) == 1
