"""The page's server: Streamlit's, whose files it sends compressed, and which shows something before they have come.

A browser gets some 2.5 MB of Streamlit's own scripts, as they are, before it draws anything: a minute on a slow phone.
Here they are compressed, and the document that names them holds the start's words and a button that takes a photo.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Final

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

HERE: Final = Path(__file__).parent
FIRST_SCREEN: Final = HERE / "static" / "first_screen.html"
LINK: Final = re.compile(r"<link[^>]*SourceSans[^>]*>")
FACE: Final = re.compile(rb"@font-face\{[^}]*SourceSans[^}]*\}")
"""The font that Streamlit has every page load, and that this one does not use."""
LATER: Final = """<link rel="manifest" href="app/static/manifest.webmanifest"><script>{
  const load = document.fonts.load.bind(document.fonts);
  document.fonts.load = (font, text) => font.includes("Material Symbols") ? Promise.resolve([]) : load(font, text);
}</script>"""
"""Streamlit has every page load the font of its signs, 375 KB, before it shows anything: here a page does once it shows
one of them. The board has a small font of its own (`tools/icon_font.py`). By the manifest a phone installs the page."""
TRAVEL: Final = """<script>
  addEventListener("popstate", (event) => dispatchEvent(new CustomEvent("travel", { detail: event })));
</script>"""
"""What listens to the browser's Back hears of it in the order in which it came. This stands before Streamlit's scripts,
so that an open sheet can keep it from Streamlit (`closeByBack` in `webapp/board/dom.js`)."""
CLOSED: Final = "once a close message has been sent"
"""How Starlette tells of a tab that closed while it was written to, where it has just said so itself."""
COMPRESSED: Final = ("javascript", "text/css", "text/html")
Sent = tuple[Message, Message]


class Light:
    """Makes light of what is sent before the page can be drawn: Streamlit's scripts, its styles and its document."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, Sent] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        path = scope.get("path", "")
        asked = Headers(scope=scope) if scope["type"] == "http" else Headers()
        is_script = "/static/" in path and path.endswith((".js", ".css"))
        is_page = not Path(path).suffix and "text/html" in asked.get("accept", "")
        if not (is_script or is_page) or scope["method"] != "GET" or "gzip" not in asked.get("accept-encoding", ""):
            try:
                await self._app(scope, receive, send)
            except WebSocketDisconnect:
                pass  # of a tab that closed while it was written to
            except RuntimeError as error:
                if scope["type"] != "websocket" or CLOSED not in str(error):
                    raise
            return
        sent = self._kept.get(path)
        if sent is None:
            sent = await self._compressed(scope, receive, is_root=path.endswith("/"))
            if is_script and sent[0]["status"] == 200:
                self._kept[path] = sent  # its name holds a hash of what is in it
        for message in sent:
            await send(message)

    async def _compressed(self, scope: Scope, receive: Receive, *, is_root: bool) -> Sent:
        """What the server answers, compressed where that is a whole text."""
        begun: Message = {}
        body = bytearray()

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.update(message)
            else:
                body.extend(message.get("body", b""))

        unconditional = [pair for pair in scope["headers"] if pair[0] not in (b"if-none-match", b"range")]
        await self._app({**scope, "headers": unconditional, "extensions": {}}, receive, take)
        headers, data = MutableHeaders(raw=list(begun["headers"])), bytes(body)
        kind = headers.get("content-type", "")
        if begun["status"] == 200 and "content-encoding" not in headers and any(one in kind for one in COMPRESSED):
            if "html" in kind:
                data = with_first_screen(data.decode(), is_root=is_root).encode()
                del headers["etag"], headers["last-modified"]  # they are those of Streamlit's file
            elif "css" in kind:
                data = FACE.sub(b"", data)
            data = await asyncio.to_thread(gzip.compress, data, 9)
            headers["content-encoding"] = "gzip"
            headers["content-length"] = str(len(data))
            headers.add_vary_header("Accept-Encoding")
        return {**begun, "headers": headers.raw}, {"type": "http.response.body", "body": data}


def with_first_screen(document: str, *, is_root: bool) -> str:
    """Streamlit's document without the fonts that nobody needs yet; the start's has something to show at once.

    >>> page = with_first_screen("<head><title>Streamlit</title></head><body></body>", is_root=False)
    >>> page.replace(f"{LATER}{TRAVEL}", "...")
    '<head>...<title>Could I have won?</title></head><body></body>'
    """
    document = document.replace("<head>", f"<head>{LATER}{TRAVEL}", 1)
    document = LINK.sub("", document).replace("<title>Streamlit<", "<title>Could I have won?<")
    return document.replace("</body>", f"{FIRST_SCREEN.read_text(encoding='utf-8')}</body>") if is_root else document


@asynccontextmanager
async def warmed(_: st.App) -> AsyncIterator[None]:
    """Loads what the first visitor needs from the start of the server on, while it answers already."""
    Thread(target=_warm, name="warm", daemon=True).start()
    yield


def _warm() -> None:
    from webapp import streamlit_link  # takes a second

    streamlit_link.pool()
    streamlit_link.load_networks()


app = st.App(HERE / "app.py", lifespan=warmed, middleware=[Middleware(Light)])
