"""A visitor without a browser: speaks to the server as a browser does, draws nothing, and so costs next to nothing."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import parse_qs, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

from tests.webapp.taps import Json, event, sent
from tests.webapp.tree import Drawings, Tree

SENT: Final = 50
"""Events that the board sends together at the most: of two that wait for one run Streamlit keeps the later."""
OPTIONS: Final = ("--server.enableXsrfProtection=false",)
"""What the server has to be started with: a visitor keeps no cookies."""


class Visitor:
    """One open page.

    Attributes:
        shown: What the latest run of the page has told each component, by its key.
        table: The line in the address, "" for none.
        tree: The page as a browser holds it; what that could not draw is an error here.
        drawings: The large messages that it keeps, as a browser does, so that the server need not send them again.
    """

    def __init__(self, socket: ClientConnection, address: str) -> None:
        self._socket = socket
        self._address = address
        self._session = ""
        self._view = ""
        self._ids: dict[str, str] = {}
        self._timers: dict[str, tuple[float, float]] = {}
        self._unheard: deque[bytes] = deque()
        self._sent: dict[str, deque[Json]] = {}
        self._still = False
        self.shown: dict[str, Json] = {}
        self.table = ""
        self.tree = Tree()
        self.drawings = Drawings()

    def open(self, line: str = "") -> None:
        """Opens the front page, or the address of a table."""
        self.table = line
        self._ask()

    @property
    def said(self) -> str:
        """The headline of the verdict, or of what keeps the table from having one; "" before there is any."""
        said = self.shown.get("table", {}).get("said") or {}
        return "" if said.get("tone") == "wait" else str(said.get("headline", ""))

    def is_at_start(self) -> bool:
        """Whether the page stands still at its start."""
        return self._still and self.shown.get("table", {}).get("view") == "start"

    def upload(self, name: str, data: bytes) -> None:
        """Gives a photo to the start, as the browser does that has made it smaller."""
        self.wait(self.is_at_start)
        self.send("table", event("photo", files=[{"name": name, "data": b64encode(data).decode()}], purpose="new"))

    def send(self, key: str, *events: Json) -> None:
        """Sends events of the component of a key, with those before them as the board does; a photo goes alone."""
        if any(one["name"] == "photo" for one in events):
            self._ask(tapped=sent(self._ids[key], *events))
            return
        kept = self._sent.setdefault(key, deque(maxlen=SENT))
        kept.extend(events)
        self._ask(tapped=sent(self._ids[key], *kept))

    def doze(self) -> None:
        """Hears nothing of what the server sends until a run of the page has ended, as a browser that is busy."""
        while True:
            data = self._socket.recv(timeout=300)
            assert isinstance(data, bytes)
            self._unheard.append(data)
            if ForwardMsg.FromString(data).HasField("script_finished"):
                return

    def is_still(self) -> bool:
        """Whether all is heard and no run of the page is under way."""
        return self._still and not self._unheard

    def wait(self, wanted: Callable[[], bool], seconds: float = 300) -> None:
        """Follows what the server sends until something holds. Raises TimeoutError."""
        deadline = time.monotonic() + seconds
        while not wanted():
            now = time.monotonic()
            if now > deadline:
                raise TimeoutError(f"not within {seconds:g} s; the page says {self.said!r}")
            for fragment, (due, interval) in list(self._timers.items()):
                if due <= now:
                    self._timers[fragment] = (now + interval, interval)
                    self._ask(fragment)
            until = min((due for due, _ in self._timers.values()), default=deadline)
            if self._unheard:
                self._hear(ForwardMsg.FromString(self._unheard.popleft()))
                continue
            try:
                data = self._socket.recv(timeout=max(0.0, min(until, deadline) - now))
            except TimeoutError:
                continue
            assert isinstance(data, bytes)
            self._hear(ForwardMsg.FromString(data))

    def follow(self, seconds: float) -> None:
        """Follows what the server sends for a while."""
        with suppress(TimeoutError):
            self.wait(lambda: False, seconds)

    def _hear(self, message: ForwardMsg) -> None:
        message = self.drawings.hear(message)
        self.tree.hear(message)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id or self._session
            self._still = False
            if not message.metadata.run.fragment_ids:  # only now, so that the last poll may come in its midst
                self._timers.clear()
                self.shown = {}
        elif kind == "session_status_changed":
            self._still = not message.session_status_changed.script_is_running
        elif kind == "navigation":
            self._view = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.table = "".join(parse_qs(message.page_info_changed.query_string).get("p", ()))
        elif kind == "auto_rerun":
            interval = message.auto_rerun.interval
            self._timers[message.auto_rerun.fragment_id] = (time.monotonic() + interval, interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._timers.pop(fragment, None)
        elif kind == "delta":
            self._draw(message)

    def _draw(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            name = element.bidi_component.id
            key = name.rpartition("-")[2]
            self._ids[key] = name
            self.shown[key] = json.loads(element.bidi_component.json)

    def _ask(self, fragment: str = "", tapped: WidgetState | None = None) -> None:
        """Asks for a run of the page, or of a fragment that polls."""
        message = BackMsg()
        message.rerun_script.query_string = urlencode({"p": self.table}) if self.table else ""
        message.rerun_script.page_script_hash = self._view
        message.rerun_script.cached_message_hashes.extend(self.drawings.asked())
        if tapped is not None:
            message.rerun_script.widget_states.widgets.append(tapped)
        if fragment:
            message.rerun_script.fragment_id = fragment
            message.rerun_script.is_auto_rerun = True
        self._send(message)

    def _send(self, message: BackMsg) -> None:
        self._socket.send(message.SerializeToString())


@contextmanager
def visitor(address: str) -> Iterator[Visitor]:
    """A visitor of the page at an address."""
    url = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(url, subprotocols=["streamlit"], max_size=None) as socket:  # type: ignore[list-item]
        yield Visitor(socket, address)
