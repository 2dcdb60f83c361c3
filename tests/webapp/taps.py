"""Taps on what `webapp.component` draws, as a browser sends them."""

from __future__ import annotations

import json
import random
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest


def tap_on(drawing: str, *places: str) -> WidgetState:
    """What a browser sends for taps on places of the drawing of an id."""
    taps = [{"number": random.random(), "place": place} for place in places]
    event = {"event": "place", "value": taps}
    return WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{drawing}__events", json_trigger_value=json.dumps([event]))


def drawing(page: AppTest, key: str) -> Any:
    """The drawing of a key on a page."""
    return next(element.proto for element in page.get("bidi_component") if element.proto.id.endswith(f"-{key}"))


def tap(page: AppTest, key: str, *places: str) -> AppTest:
    """The page after taps on places of a drawing that came too quickly for a run of the page between them."""
    states = page._tree.get_widget_states()
    states.widgets.append(tap_on(drawing(page, key).id, *places))
    return page._run(states)


def is_off(page: AppTest, key: str, place: str) -> bool:
    """Whether a button of a row cannot be tapped."""
    html: str = json.loads(drawing(page, key).json)["html"]
    _, found, rest = html.partition(f'data-place="{place}"')
    assert found, f"there is no {place} in {key}"
    return " disabled" in rest.partition(">")[0]
