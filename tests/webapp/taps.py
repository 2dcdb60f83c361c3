"""Events of `webapp.board`, as a browser sends them, and what it is told."""

from __future__ import annotations

import json
import random
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

Json = dict[str, Any]


def event(name: str, /, **given: Any) -> Json:
    """An event with a stamp of its own."""
    return {"name": name, "stamp": random.random(), **given}


def sent(drawing: str, *events: Json) -> WidgetState:
    """What a browser sends for events of the component of an id; photos come alone."""
    names = {one["name"] for one in events}
    kind, value = ("photo", events[0]) if names == {"photo"} else ("events", list(events))
    told = [{"event": kind, "value": value}]
    return WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{drawing}__events", json_trigger_value=json.dumps(told))


def component(page: AppTest, key: str) -> Any:
    """The component of a key on a page."""
    return next(element.proto for element in page.get("bidi_component") if element.proto.id.endswith(f"-{key}"))


def data(page: AppTest, key: str = "table") -> Json:
    """What the component of a key was told."""
    told: Json = json.loads(component(page, key).json)
    return told


def send(page: AppTest, name: str, on: str = "table", /, **given: Any) -> AppTest:
    """The page after an event."""
    return send_all(page, on, event(name, **given))


def send_all(page: AppTest, key: str, *events: Json) -> AppTest:
    """The page after events that came too quickly for a run of the page between them."""
    states = page._tree.get_widget_states()
    states.widgets.append(sent(component(page, key).id, *events))
    return page._run(states)
