"""Hostile text: notations, JSON rows, addresses of the page."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote

from plumbing.errors import CardsError
from solver import answer, parse
from solver.batch import Task, solve_chunk
from solver.games import position_from_json
from solver.solution import Limits
from tests.conformance import CASES

FUZZ_LIMITS: Final = Limits(time=2.0, nodes=2000)
NASTY: Final = (
    "<script>alert(1)</script>", "\x00", "\ufeff", "💥", "٣", "-1", "1e999", "NaN", "10", "%s%n", "../../etc/passwd",
    "null", "{", "}", "[", ":", ";", "|", "??", "XX", "AS", "10♥", "QX", "\n", "\t", "9" * 400, "9" * 5000, "'", '"',
    "\\", "\u202e",
)  # fmt: skip
Case = Callable[[random.Random], str | None]
"""Makes one input, tries it, and tells what went wrong."""


@cache
def notations() -> tuple[str, ...]:
    """Positions of all games as one line each, legal and not."""
    return tuple(text for case in CASES for text in (*case.legal, *case.won, *case.unreadable, *case.solvable))


def mutated(text: str, rng: random.Random) -> str:
    """A text with a few random edits."""
    for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        match rng.randrange(7):
            case 0:
                text = text[:at] + text[at + 1 :]
            case 1:
                text = text[:at] + rng.choice(NASTY) + text[at:]
            case 2:
                text = text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x2FFF)))) + text[at + 1 :]
            case 3:
                text = text[:at] + text[at:to] * rng.choice((0, 2, 3)) + text[to:]
            case 4:
                words = text.split(" ")
                rng.shuffle(words)
                text = " ".join(words)
            case 5:
                text = text[:at] + rng.choice(notations())[: to - at + 5] + text[at:]
            case 6:
                text = rng.choice((text.upper(), text.lower(), text.swapcase(), text[::-1], text + " " * 500))
    return text


def accepted(position: Any, rng: random.Random) -> str | None:
    """What is wrong with a position that was accepted."""
    text = str(position)
    if parse(text) != position:
        return f"prints as {text!r}, which reads as another position"
    if position_from_json(json.loads(json.dumps(position.to_json()))) != position:
        return f"{text!r} is another position in JSON"
    if rng.random() < 0.05:
        with contextlib.suppress(CardsError):
            answer(position, FUZZ_LIMITS)
    return None


def notation(rng: random.Random) -> str | None:
    """The one-line notation, as typed and as it comes in an address."""
    text = mutated(rng.choice(notations()), rng)
    if rng.random() < 0.2:
        text = unquote(mutated(quote(text), rng), errors="replace")
    try:
        position = parse(text)
    except CardsError:
        return None
    return accepted(position, rng)


def bent(value: Any, rng: random.Random) -> Any:
    """A JSON value with something in it replaced."""
    if rng.random() < 0.12:
        return rng.choice(
            (None, True, -1, 2**70, 0.5, "", "AS", "QX", [], {}, [[]], ["AS"] * 200, {"a": [{}]}, "\ud800")
        )
    if isinstance(value, dict):
        changed = {key: bent(inner, rng) for key, inner in value.items() if rng.random() > 0.03}
        return changed | ({rng.choice(NASTY): 1} if rng.random() < 0.05 else {})
    if isinstance(value, list):
        bent_list = [bent(inner, rng) for inner in value if rng.random() > 0.03]
        return bent_list + bent_list[:1] if rng.random() < 0.05 else bent_list
    return value


def json_row(rng: random.Random) -> str | None:
    """Rows of `solver solve`, as JSON values bent and as text broken."""
    source: Any = None
    while source is None:
        with contextlib.suppress(CardsError):
            source = parse(rng.choice(notations())).to_json()
    row = bent(source, rng) if rng.random() < 0.8 else source
    text = json.dumps(row)
    if rng.random() < 0.3:
        text = mutated(text, rng).replace("\n", " ")
    if rng.random() < 0.01:
        text = '{"a":' * 50_000
    result = solve_chunk([(1, text)], Task(Limits(time=1.0, nodes=300)))[0]
    json.dumps(result)
    if "error" in result:
        return None if result["error"] else "an empty error"
    with contextlib.suppress(CardsError, json.JSONDecodeError, TypeError):
        return accepted(position_from_json(json.loads(text)), rng)
    return None


def address(rng: random.Random) -> str | None:
    """What stands behind `?p=` in an address of the page, as the page takes it: quoted, broken, cut."""
    text = quote(mutated(rng.choice(notations()), rng), safe=":;|,-")
    for _ in range(rng.choice((0, 1, 3))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("%", "%zz", "%00", "%ff", "%E2%99", "+", "&p=", "#", "?", "%0A")) + text[at:]
    line = parse_qs(f"p={text}", keep_blank_values=True)["p"][-1]
    try:
        position = parse(line)
    except CardsError as error:
        return None if str(error) else "an empty error"
    return accepted(position, rng)
