"""Prints what a phone sends of a film: `python -m tests.bench.film_upload FILM...`.

Each film is given to the page at a phone's width, and read twice: by the frames that the browser chose, and whole.
Chromium gets it as WebM, which it can always show. `python -m tests.bench.films --time --out DIR` renders one of 15 s
and 1080p.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from tests.bench.screenshots import PHONE
from tests.webapp.browser import chromium, served
from vision.film.film_file import ChosenFrames, open_film
from vision.film.film_to_reading import read_film, read_open_film
from vision.measure.one_photo import is_exact
from vision.reading import Reading

WAIT_MS = 240_000


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a line a film."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("films", type=Path, nargs="+", metavar="FILM")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the frames that were sent")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder, "log")) as address:
        for film in args.films:
            sent, size = _send(address, _shown(film, Path(folder)))
            pictures = tuple(sent.pictures)
            for number, (_, picture) in enumerate(pictures if args.keep else ()):
                Path(args.keep, f"{film.stem}_{number:02}.jpg").write_bytes(picture)
            whole, chosen = read_film(film).reading, read_open_film(sent).reading
            print(
                f"{film.name}: {film.stat().st_size / 1e6:.1f} MB, sent {size / 1e6:.2f} MB in {len(pictures)} frames"
            )
            print(
                f"  whole film: {_cards(whole).total()} cards; frames: {_cards(chosen).total()} cards,"
                f" {(_cards(whole) & _cards(chosen)).total()} of them the same; position the same:"
                f" {_is_same(whole, chosen)}"
            )


def _is_same(one: Reading, other: Reading) -> bool:
    """Whether two readings show one position, whatever the order of its melds."""
    if one.position is None or other.position is None:
        return one.position == other.position
    truth: Any = SimpleNamespace(position=one.position.to_json(), game=one.game)
    return is_exact(other, truth)


def _cards(reading: Reading) -> Counter[str]:
    return Counter(card.text for card in reading.cards)


def _shown(film: Path, folder: Path) -> Path:
    """A film as Chromium shows it."""
    made = folder / f"{film.stem}.webm"
    with open_film(film) as opened:
        writer = cv2.VideoWriter(
            str(made), cv2.VideoWriter.fourcc(*"VP80"), opened.frame_rate, (opened.width, opened.height)
        )
        for frame in opened.frames(most_a_second=1000.0):
            writer.write(np.ascontiguousarray(frame.image[..., ::-1]))
        writer.release()
    return made


def _send(address: str, film: Path) -> tuple[ChosenFrames, int]:
    """The frames that the page sends of a film, and the size of the message, bytes."""
    with chromium(seconds=500) as browser:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, user_agent=PHONE
        )
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        messages: list[Any] = []

        def follow(socket: Any) -> None:
            socket.on("framesent", lambda data: messages.append(data))

        page.on("websocket", follow)
        page.goto(address)
        page.get_by_role("heading", name="Could I have won?").wait_for()
        page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()
        page.get_by_label("Choose photo", exact=True).first.set_input_files(str(film))
        page.locator(".alert[data-tone]:not(.wait)").first.wait_for()
        context.close()
    message = max(messages, key=len)
    told: dict[str, Any] = json.JSONDecoder().raw_decode(
        message[message.index(b'{"stamp"') :].decode("utf-8", "ignore")
    )[0]
    frames = told["film"]["frames"]
    pictures = tuple((frame["seconds"], b64decode(frame["data"])) for frame in frames)
    return ChosenFrames(film.name, told["film"]["seconds"], pictures), len(message)


if __name__ == "__main__":
    main()
