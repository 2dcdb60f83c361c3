"""What the server makes of Streamlit's own files, without a browser."""

from __future__ import annotations

import asyncio
import gzip
import tomllib
from contextlib import nullcontext
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from webapp import events, server, streamlit_link
from webapp.server import Light

SCRIPT = b"const page = 1;\n" * 200
PAGE = b'<head><title>Streamlit</title><link rel="preload" href="SourceSans.woff2" /></head><body></body>'
STYLE = b"@font-face{font-family:Source Sans;src:url(SourceSansVF.woff2)}p{color:red}"
FILES = {"/static/js/a.js": ("application/javascript", SCRIPT), "/static/css/a.css": ("text/css", STYLE)}


async def streamlit(scope: Any, receive: Any, send: Any) -> None:
    """Serves its files, and its document for every other address, in two pieces."""
    kind, body = FILES.get(scope["path"], ("text/html", PAGE))
    headers = [(b"content-type", kind.encode()), (b"etag", b"x"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body[:9], "more_body": True})
    await send({"type": "http.response.body", "body": body[9:]})


def ask(path: str, encoding: str = "gzip, br") -> tuple[dict[bytes, bytes], bytes]:
    """The headers and the body of an answer."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    headers = [(b"accept-encoding", encoding.encode()), (b"accept", b"text/html,*/*")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    asyncio.run(Light(streamlit)(scope, receive, send))
    return dict(sent[0]["headers"]), b"".join(message.get("body", b"") for message in sent[1:])


def test_a_script_is_sent_compressed_and_whole() -> None:
    headers, body = ask("/static/js/a.js")
    assert headers[b"content-encoding"] == b"gzip"
    assert int(headers[b"content-length"]) == len(body) < len(SCRIPT) / 10
    assert gzip.decompress(body) == SCRIPT


def test_who_cannot_read_it_gets_it_as_it_is() -> None:
    headers, body = ask("/static/js/a.js", encoding="identity")
    assert b"content-encoding" not in headers
    assert body == SCRIPT


@pytest.mark.parametrize(
    ("error", "is_closed"),
    [
        (WebSocketDisconnect(1006, "gone"), True),
        (RuntimeError('Cannot call "send" once a close message has been sent.'), True),
        (RuntimeError("of our own"), False),
    ],
)
def test_a_tab_that_closes_while_it_is_written_to_is_no_error(error: Exception, is_closed: bool) -> None:
    async def closed(scope: Any, receive: Any, send: Any) -> None:
        raise error

    async def nothing(message: Any = None) -> Any:
        return None

    with nullcontext() if is_closed else pytest.raises(RuntimeError, match="of our own"):
        asyncio.run(Light(closed)({"type": "websocket", "path": "/_stcore/stream"}, nothing, nothing))


def test_no_font_is_loaded_that_the_page_does_not_use() -> None:
    assert gzip.decompress(ask("/static/css/a.css")[1]) == b"p{color:red}"
    assert b"SourceSans" not in gzip.decompress(ask("/chances")[1])


@pytest.mark.parametrize(("path", "is_start"), [("/", True), ("/chances", False)])
def test_the_start_alone_has_a_first_screen(path: str, is_start: bool) -> None:
    headers, body = ask(path)
    assert (b"first-screen" in gzip.decompress(body)) == is_start
    assert b"etag" not in headers, "it is that of another text"


def test_the_first_visitor_finds_all_of_it_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = {"pool": Event(), "load_networks": Event()}
    for name, event in loaded.items():
        monkeypatch.setattr(streamlit_link, name, event.set)

    async def serve() -> None:
        async with server.warmed(server.app):
            pass

    asyncio.run(serve())
    assert all(event.wait(60) for event in loaded.values())


def test_a_film_may_be_as_large_as_the_page_says() -> None:
    """What is larger than the server takes from a browser ends the connection, without a word."""
    given = tomllib.loads((Path(server.__file__).parent / ".streamlit" / "config.toml").read_text())["server"]
    as_text = 4 / 3 * max(events.MOST_FILM_BYTES, events.MOST_BYTES)
    assert given["maxWidgetStateSize"] * 1e6 > as_text + 1e6
