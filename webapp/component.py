"""The one browser component of the page: HTML made by `webapp.drawing` whose marked places can be picked.

Streamlit has no clickable drawing, so this mounts the HTML in a shadow root, tells Python the path of the place that
was clicked (or chosen with Enter or the space bar) and keeps the keyboard focus where it was after a rerun.
Only HTML from `webapp.drawing` goes in: it is built from cards and fixed words and never holds a user's text unescaped.
"""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from webapp.drawing import BOARD_CSS
from webapp.state import chosen, held

_PICK_JS: Final = """
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const active = parentElement.activeElement;
  const focused = active && active.dataset ? active.dataset.place : null;
  if (root.dataset.html !== data.html) {
    root.dataset.html = data.html;
    root.innerHTML = data.html;
    const again = focused && [...root.querySelectorAll("[data-place]")].find((e) => e.dataset.place === focused);
    if (again) again.focus({ preventScroll: true });
  }
  const pick = (event) => {
    const target = event.target.closest("[data-place]");
    if (!target || target.disabled) return false;
    // Of two taps that wait for the same run Streamlit keeps the later one, and one that meets a poll may come twice:
    // so each is sent with those just before it, and has a number by which it is known.
    const now = performance.now();
    const before = (root.taps || []).filter((tap) => now - tap.at < 5000);
    root.taps = [...before, { at: now, number: Math.random(), place: target.dataset.place }];
    setTriggerValue("place", root.taps);
    return true;
  };
  root.onclick = pick;
  root.onkeydown = (event) => {
    const isButton = event.target.tagName === "BUTTON";
    if ((event.key === "Enter" || event.key === " ") && !isButton && pick(event)) event.preventDefault();
  };
}
"""

_SAVE_JS: Final = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const status = parentElement.querySelector("span");
  const draw = async () => {
    const picture = new Image();
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(data.svg);
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  };
  button.onclick = async () => {
    try {
      const blob = await draw();
      const file = new File([blob], data.name, { type: "image/png" });
      if (matchMedia("(pointer: coarse)").matches && navigator.canShare && navigator.canShare({ files: [file] })) {
        await navigator.share({ files: [file] });
        return;
      }
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = data.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      status.textContent = "saved";
    } catch (error) {
      if (error.name !== "AbortError") status.textContent = "this browser could not make the picture";
    }
  };
}
"""

_SAVE_CSS: Final = """
button { font: 400 .875rem var(--st-font); color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius); padding: .45rem .8rem;
  min-height: 2.5rem; cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-primary-color);
  outline: none; }
span { margin-left: .6rem; font: 400 .875rem var(--st-font); color: var(--st-text-color); }
"""

_pick = st.components.v2.component("pick", html='<div class="root"></div>', css=BOARD_CSS, js=_PICK_JS)
_save = st.components.v2.component(
    "save_picture",
    html='<button type="button">Save a picture</button><span role="status"></span>',
    css=_SAVE_CSS,
    js=_SAVE_JS,
)


@dataclass(eq=False)
class Taps:
    """The latest taps of one visitor that were served, by number."""

    served: deque[float] = field(default_factory=lambda: deque(maxlen=100))

    def new(self, sent: object) -> Iterator[str]:
        """The places of the taps that a browser sends and that were not served yet, in turn.

        >>> taps, first, second = Taps(), {"number": 0.5, "place": "hand/0"}, {"number": 0.7, "place": "hand/1"}
        >>> [list(taps.new([first])), list(taps.new([first])), list(taps.new([first, second]))]
        [['hand/0'], [], ['hand/1']]
        """
        for tap in sent if isinstance(sent, list) else ():
            number, place = (tap.get("number"), tap.get("place")) if isinstance(tap, dict) else (None, None)
            if isinstance(number, float) and isinstance(place, str) and number not in self.served:
                self.served.append(number)
                yield place


def pickable(html: str, *, key: str, on_pick: Callable[[str], None] | None = None) -> None:
    """Shows HTML from `webapp.drawing`; calls `on_pick` with the path of each place that was picked, once a tap."""
    taps = held(Taps)

    def picked() -> None:
        for place in taps.new((chosen(key) or {}).get("place")):
            if on_pick is not None:
                on_pick(place)

    _pick(key=key, data={"html": html}, on_place_change=picked)


def small_picture(where: DeltaGenerator, jpeg: bytes, width: int, alt: str) -> None:
    """A small JPEG in all its sharpness; `st.image` leaves it one pixel a CSS pixel, which is a blur on a phone."""
    data = b64encode(jpeg).decode()
    style = "display:block;border-radius:8px"
    where.html(
        f'<img src="data:image/jpeg;base64,{data}" width="{width}" alt="{escape(alt)}" style="{style}">',
        width="content",
    )


def save_picture(svg: str, name: str, *, key: str) -> None:
    """A button that turns an SVG into a PNG in the browser and saves or shares it."""
    _save(key=key, data={"svg": svg, "name": name}, width="content")
