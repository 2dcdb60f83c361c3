"""Boxes on the page that show a value which taps elsewhere change too, and tell only what a visitor enters.

With every poll and every tap a browser sends what all its boxes hold; until it has heard of a change, what they held
before. Streamlit takes that for an entry: the poll that comes right after a change would write the line of before into
the table, or choose again what an Undo took back. So a value that was changed elsewhere comes in a new box, and of each
box, the old ones too, it is known what it held at last: only something else is an entry.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from webapp import state


@dataclass(eq=False)
class Boxes:
    """All boxes of one visitor.

    Attributes:
        numbers: How often the box of each name was replaced.
        values: What each box held at last, by its key.
    """

    numbers: Counter[str] = field(default_factory=Counter)
    values: dict[str, Any] = field(default_factory=dict)

    def holding(self, name: str, value: Any) -> str:
        """The key of the box of a name that holds a value: the latest one, or a new one."""
        key = f"{name}{self.numbers[name]}"
        if self.values.setdefault(key, value) != value:
            self.numbers[name] += 1
            key = f"{name}{self.numbers[name]}"
            self.values[key] = value
        return key


@dataclass(frozen=True, slots=True)
class Box:
    """A box that is being drawn.

    Attributes:
        key: The key of its widget.
        boxes: All of the visitor's, taken while the page is drawn, so that a tap needs no look at the session state.
    """

    key: str
    boxes: Boxes

    def entered(self) -> Any:
        """What was entered, None where the browser has only sent what the box held anyway."""
        value = state.chosen(self.key)
        if value == self.boxes.values.get(self.key):
            return None
        self.boxes.values[self.key] = value
        return value


def box(name: str, value: Any, *, keep: bool = False) -> Box:
    """The box of a name that holds a value; with `keep` the latest one with what was entered into it."""
    boxes = state.held(Boxes)
    latest = f"{name}{boxes.numbers[name]}"
    key = boxes.holding(name, boxes.values.get(latest, value) if keep else value)
    if key not in st.session_state:
        st.session_state[key] = boxes.values[key]
    return Box(key, boxes)
