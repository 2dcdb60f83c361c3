"""The board of the page: one component in plain ES modules. It draws and animates by itself and sends named events.

Streamlit takes a component's script as one text. So the modules of this folder, which import each other as in any
browser, are joined here, each in its own scope. There is no build step.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final

import streamlit as st

from webapp.jobs import Json
from webapp.streamlit_link import session_object, widget_value

Handler = Callable[[Json], object]
LOG: Final = logging.getLogger(__name__)
FOLDER: Final = Path(__file__).parent
REMEMBERED: Final = 200
"""Events whose stamps are remembered; a browser repeats at most 50 earlier events with each."""
STAMPS_SENT: Final = 8
"""Of these, how many of the latest stamps are sent to the browser."""
_IMPORT: Final = re.compile(r'^import (\{.*?\}) from "\./(\w+)\.js";\n', re.MULTILINE | re.DOTALL)
_EXPORT: Final = re.compile(r"^export ((?:async )?(?:const|function|class) (\w+))", re.MULTILINE)


@cache
def script(main: str = "main") -> str:
    """The component's script: `main` and what it imports, each module in a scope of its own."""
    scoped: dict[str, str] = {}

    def add(name: str) -> None:
        text = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
        for _, needed in _IMPORT.findall(text):
            if needed not in scoped:
                add(needed)
        names = ", ".join(exported for _, exported in _EXPORT.findall(text))
        text = _EXPORT.sub(r"\1", _IMPORT.sub(r"const \1 = m_\2;\n", text))
        scoped[name] = text if name == main else f"const m_{name} = (() => {{\n{text}\nreturn {{ {names} }};\n}})();"

    add(main)
    text = "\n".join(scoped.values())
    # It is sent with every answer of the page: what only people read stays behind.
    return "\n".join(line for line in map(str.strip, text.splitlines()) if line and not line.startswith("//"))


_component = st.components.v2.component(
    "board", html='<div class="root"></div>', css=(FOLDER / "style.css").read_text(encoding="utf-8"), js=script()
)
_numbers = count()


@dataclass(eq=False)
class ServedEvents:
    """The latest events of one visitor that have been handled, by stamp."""

    served: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def latest(self) -> list[float]:
        """The stamps of the latest handled events, by which the browser knows what has arrived."""
        return list(self.served)[-STAMPS_SENT:]

    def new(self, sent: object) -> Iterator[Json]:
        """The events that a browser has sent and that have not been handled yet, in order.

        >>> heard, one, two = ServedEvents(), {"stamp": 0.5, "name": "undo"}, {"stamp": 0.7, "name": "new"}
        >>> [[event["name"] for event in heard.new(sent)] for sent in ([one], [one], [one, two])]
        [['undo'], [], ['new']]
        """
        for event in sent if isinstance(sent, list) else ():
            stamp, name = (event.get("stamp"), event.get("name")) if isinstance(event, dict) else (None, None)
            if isinstance(stamp, float) and isinstance(name, str) and stamp not in self.served:
                self.served.append(stamp)
                yield event


def show(data: Mapping[str, Any], *, key: str, handlers: Mapping[str, Handler]) -> None:
    """Shows a view.

    Args:
        data: What is to be drawn, as `webapp.board_json` writes it.
        key: The component's name on the page.
        handlers: The function for each event, by the event's name. Events that are malformed, or about something that
            is gone, are ignored. `photo` gets photos that were taken or chosen.
    """
    heard = session_object(ServedEvents)

    def events() -> None:
        for event in heard.new((widget_value(key) or {}).get("events")):
            _serve(handlers, event["name"], event)

    def photo() -> None:
        sent = (widget_value(key) or {}).get("photo")
        for event in heard.new([sent | {"name": "photo"}] if isinstance(sent, dict) else []):
            _serve(handlers, "photo", event)

    _component(
        key=key,
        data={**data, "run": next(_numbers), "heard": heard.latest()},
        on_events_change=events,
        on_photo_change=photo,
    )


def _serve(handlers: Mapping[str, Handler], name: str, event: Json) -> None:
    """Calls the handler of an event. A browser may send anything."""
    try:
        handlers[name](event)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration) as error:
        LOG.warning("the event %.40r was passed over: %s: %.200s", name, type(error).__name__, error)
