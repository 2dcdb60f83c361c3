"""What Streamlit has no widget for: drawings that can be tapped, buttons of which no tap is lost, sharp small pictures.

A drawing or a row of buttons is HTML whose marked places can be picked: it is mounted in a shadow root, Python is told
the path of the place that was clicked (or chosen with Enter or the space bar), and the keyboard focus stays where it
was after a rerun. The HTML is built by `webapp.drawing` and here, from cards and fixed words; a user's text never gets
into it unescaped.
"""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from webapp.drawing import BOARD_CSS
from webapp.state import chosen, held

SENT: Final = 50
"""Taps that are sent together at the most."""

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
    const before = (root.taps || []).filter((tap) => now - tap.at < 30000);
    root.taps = [...before.slice(-SENT), { at: now, number: Math.random(), place: target.dataset.place }];
    setTriggerValue("place", root.taps);
    return true;
  };
  root.onclick = pick;
  root.onkeydown = (event) => {
    const isButton = event.target.tagName === "BUTTON";
    if ((event.key === "Enter" || event.key === " ") && !isButton && pick(event)) event.preventDefault();
  };
}
""".replace("SENT", str(SENT - 1))

_SAVE_JS: Final = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const status = parentElement.querySelector("[role=status]");
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

_BUTTON_CSS: Final = """
.root { display: flex; flex-wrap: wrap; gap: 1rem; }
button { display: inline-flex; align-items: center; gap: .5rem; font: 400 .875rem var(--st-font); line-height: 1.6;
  color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color);
  background: hsl(from var(--st-background-color) h s calc(l + 3)); /* a shade lighter, as Streamlit's own */
  border-radius: var(--st-button-radius); padding: .25rem .75rem; min-height: 2.5rem; cursor: pointer;
  touch-action: manipulation; /* two quick taps are two taps, not a zoom */ }
button:focus-visible { border-color: var(--st-link-color); color: var(--st-link-color);
  outline: 3px solid color-mix(in srgb, var(--st-primary-color) 50%, transparent); }
@media (hover: hover) { button:hover:enabled { border-color: var(--st-link-color); color: var(--st-link-color); }
  button.main:hover:enabled { filter: brightness(.9); } }
button.main:enabled { color: #fff; background: var(--st-primary-color); border-color: var(--st-primary-color); }
button:disabled { color: color-mix(in srgb, var(--st-text-color) 40%, transparent); cursor: not-allowed;
  background: transparent; border-color: var(--st-border-color); }
.icon { font: 400 1rem/1 "Material Symbols Rounded"; width: 1em; overflow: hidden; font-feature-settings: "liga"; }
span[role=status]:not(:empty) { margin-left: .6rem; }
span[role=status] { font: 400 .875rem var(--st-font); color: var(--st-text-color); }
"""

_pick = st.components.v2.component("pick", html='<div class="root"></div>', css=BOARD_CSS, js=_PICK_JS)
_press = st.components.v2.component("press", html='<div class="root"></div>', css=_BUTTON_CSS, js=_PICK_JS)
_save = st.components.v2.component(
    "save_picture",
    html='<button type="button"><span class="icon" aria-hidden="true">download</span>Save a picture</button>'
    '<span role="status"></span>',
    css=_BUTTON_CSS,
    js=_SAVE_JS,
)


@dataclass(eq=False)
class Taps:
    """The latest taps of one visitor that were served, by number."""

    served: deque[float] = field(default_factory=lambda: deque(maxlen=4 * SENT))

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
    _pick(key=key, data={"html": html}, on_place_change=_served(key, on_pick))


@dataclass(frozen=True, slots=True)
class Button:
    """A button of a row.

    Attributes:
        name: What a tap on it is told as.
        label: Its words.
        icon: A Material symbol.
        off: Whether it cannot be tapped.
        main: Whether it is the one that people will want.
        help: What it does, where its words do not say.
    """

    name: str
    label: str
    icon: str
    off: bool = False
    main: bool = False
    help: str = ""


def buttons(where: DeltaGenerator, row: Sequence[Button], *, key: str, on_press: Callable[[str], None]) -> None:
    """Shows a row of buttons; calls `on_press` with the name of one, once for each tap.

    Two taps on a button of Streamlit's that wait for the same run of the page are one. So what is tapped several times
    in a row, as Undo is, stands here.
    """
    html = "".join(map(_button_html, row))
    with where:
        _press(key=key, data={"html": html}, on_place_change=_served(key, on_press), width="content")


def _button_html(button: Button) -> str:
    """A button as HTML.

    >>> _button_html(Button("undo", "Undo", "undo", off=True))
    '<button type="button" data-place="undo" disabled><span class="icon" aria-hidden="true">undo</span>Undo</button>'
    """
    more = ' class="main"' if button.main else ""
    more += f' title="{escape(button.help)}"' if button.help else ""
    more += " disabled" if button.off else ""
    icon = f'<span class="icon" aria-hidden="true">{escape(button.icon)}</span>'
    return f'<button type="button" data-place="{escape(button.name)}"{more}>{icon}{escape(button.label)}</button>'


def _served(key: str, serve: Callable[[str], None] | None) -> Callable[[], None]:
    """What is called when places of the drawing of a key were picked: serves each new tap once."""
    taps = held(Taps)

    def picked() -> None:
        for place in taps.new((chosen(key) or {}).get("place")):
            if serve is not None:
                serve(place)

    return picked


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
