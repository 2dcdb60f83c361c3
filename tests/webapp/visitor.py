"""A visitor without a browser: speaks to the server as a browser does, draws nothing, and so costs next to nothing."""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import parse_qs, urlencode
from urllib.request import Request, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

from tests.webapp.taps import tap_on
from tests.webapp.tree import Drawings, Tree

OPTIONS: Final = ("--server.enableXsrfProtection=false",)
"""What the server has to be started with: a visitor keeps no cookies."""


class Visitor:
    """One open page.

    Attributes:
        headlines: Titles of the boxes that the latest run of the page has drawn: the verdict and warnings.
        boards: The drawings that can be tapped of that run: their ids by key.
        table: The line in the address, "" for none.
        tree: The page as a browser holds it; what that could not draw is an error here.
        drawings: The large messages that it keeps, as a browser does, so that the server need not send them again.
    """

    def __init__(self, socket: ClientConnection, address: str) -> None:
        self._socket = socket
        self._address = address
        self._session = ""
        self._view = ""
        self._uploaders: dict[str, str] = {}
        self._buttons: dict[str, str] = {}
        self._boxes: dict[str, str] = {}
        self._held: dict[str, WidgetState] = {}
        self._drawn: set[str] = set()
        self._urls: list[FileURLs] = []
        self._timers: dict[str, tuple[float, float]] = {}
        self._unheard: deque[bytes] = deque()
        self._still = False
        self.headlines: list[str] = []
        self.boards: dict[str, str] = {}
        self.table = ""
        self.tree = Tree()
        self.drawings = Drawings()

    def open(self, line: str = "") -> None:
        """Opens the front page, or the address of a table."""
        self.table = line
        self._ask()

    def can_upload(self) -> bool:
        """Whether the page stands still and has an uploader."""
        return self._still and bool(self._uploaders)

    def upload(self, label: str, name: str, data: bytes) -> None:
        """Gives a file to the uploader of a name."""
        self.wait(self.can_upload)
        message = BackMsg()
        message.file_urls_request.request_id = uuid.uuid4().hex
        message.file_urls_request.session_id = self._session
        message.file_urls_request.file_names.append(name)
        self._send(message)
        self.wait(lambda: bool(self._urls))
        urls = self._urls.pop()
        form = uuid.uuid4().hex
        head = f'--{form}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + f"\r\n--{form}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={form}"}
        with urlopen(Request(self._address + urls.upload_url, body, kind, method="PUT"), timeout=300):
            pass
        state = WidgetState(id=self._uploaders[label])
        info = UploadedFileInfo(name=name, size=len(data), file_id=urls.file_id, file_urls=urls)
        state.file_uploader_state_value.uploaded_file_info.append(info)
        self._held[state.id] = state
        self._ask()

    def tap(self, label: str) -> None:
        """Taps a button."""
        self._ask(tapped=WidgetState(id=self._buttons[label], trigger_value=True))

    def pick(self, board: str, place: str) -> None:
        """Taps a place on a drawing of a key."""
        self._ask(tapped=tap_on(self.boards[board], place))

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

    def write(self, label: str, text: str) -> None:
        """Writes into a box of text and leaves it."""
        self._held[self._boxes[label]] = WidgetState(id=self._boxes[label], string_value=text)
        self._ask()

    def choose(self, label: str, option: str) -> None:
        """Chooses one of a row of options."""
        self._held[self._boxes[label]] = _chosen(self._boxes[label], option)
        self._ask()

    def wait(self, wanted: Callable[[], bool], seconds: float = 300) -> None:
        """Follows what the server sends until something holds. Raises TimeoutError."""
        deadline = time.monotonic() + seconds
        while not wanted():
            now = time.monotonic()
            if now > deadline:
                raise TimeoutError(f"not within {seconds:g} s; the page shows {self.headlines}")
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
                self._drawn.clear()
                self.headlines, self.boards = [], {}
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            for gone in set(self._held) - self._drawn:
                del self._held[gone]
        elif kind == "session_status_changed":
            self._still = not message.session_status_changed.script_is_running
        elif kind == "navigation":
            self._view = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.table = "".join(parse_qs(message.page_info_changed.query_string).get("p", ()))
        elif kind == "file_urls_response":
            self._urls = list(message.file_urls_response.file_urls)
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
        if kind == "alert":
            self.headlines.append(element.alert.title)
        elif kind == "bidi_component":
            name = element.bidi_component.id
            self.boards[name.rpartition("-")[2]] = name
        elif kind == "button":
            self._buttons[element.button.label] = element.button.id
        elif kind == "text_area":
            text = element.text_area
            self._boxes[text.label] = text.id
            self._holds(
                WidgetState(id=text.id, string_value=text.value if text.set_value else text.default), text.set_value
            )
        elif kind == "button_group":
            group = element.button_group
            self._boxes[group.label] = group.id
            values = list(group.raw_values) or [group.options[number].content for number in group.default]
            self._holds(_chosen(group.id, *values), group.set_value)
        elif kind == "file_uploader":
            self._uploaders[element.file_uploader.label] = element.file_uploader.id
            self._drawn.add(element.file_uploader.id)

    def _holds(self, state: WidgetState, is_set: bool) -> None:
        """Notes what a box holds: what it was drawn with at first, what it was set to, or what was entered."""
        self._drawn.add(state.id)
        if is_set or state.id not in self._held:
            self._held[state.id] = state

    def _ask(self, fragment: str = "", tapped: WidgetState | None = None) -> None:
        """Asks for a run of the page, or of a fragment that polls."""
        message = BackMsg()
        message.rerun_script.query_string = urlencode({"p": self.table}) if self.table else ""
        message.rerun_script.page_script_hash = self._view
        message.rerun_script.widget_states.widgets.extend(self._held.values())
        message.rerun_script.cached_message_hashes.extend(self.drawings.asked())
        if tapped is not None:
            message.rerun_script.widget_states.widgets.append(tapped)
        if fragment:
            message.rerun_script.fragment_id = fragment
            message.rerun_script.is_auto_rerun = True
        self._send(message)

    def _send(self, message: BackMsg) -> None:
        self._socket.send(message.SerializeToString())


def _chosen(box: str, *options: str) -> WidgetState:
    state = WidgetState(id=box)
    state.string_array_value.data.extend(options)
    return state


@contextmanager
def visitor(address: str) -> Iterator[Visitor]:
    """A visitor of the page at an address."""
    url = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(url, subprotocols=["streamlit"], max_size=None) as socket:  # type: ignore[list-item]
        yield Visitor(socket, address)
