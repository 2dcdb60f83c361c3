"""Hostile input for every surface that takes text, files or bytes, and what must hold of it.

`SURFACES` names each surface's case: a function that makes one input from a random generator, tries it, and returns
what went wrong (None: nothing). Refusals are `CardsError`s; anything else that escapes is a fault, and so is a position
that is accepted but does not print and parse back, or a line that the verifier and a naive twin judge differently.
`tests/test_fuzzing.py` tries some of each; `python -m tests.bench.fuzz` a hundred thousand.
"""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import random
import re
import struct
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote

import numpy as np

from solver.__main__ import main as solver_main
from solver.answer import answer, parse_position, position_from_json
from solver.batch import Task, solve_chunk
from solver.errors import CardsError, IllegalMoveError
from solver.klondike import SEED, STANDARD, Move, random_deal
from solver.parallel import Chunk, chunks
from solver.results import ResultFile
from solver.resume import resumable_map
from solver.solution import Limits
from solver.tomb.double import Position as TombPosition
from solver.tomb.double.rules import Move as TombMove
from tests.conformance import CASES
from tests.corruptions import ATTEMPTS
from tests.naive import klondike as naive_klondike
from tests.naive import tomb_double as naive_tomb
from tests.solver.klondike.tables import naive_rules, table_of
from vision.counter import MOST, WEIGHTS, BackCounter
from vision.detect import main as detect_main
from vision.errors import PhotoError
from vision.evaluate import main as evaluate_main
from vision.image import load
from vision.network import ModelError
from vision.reader import WEIGHTS as READER

ROOT: Final = Path(__file__).resolve().parents[1]
FEW: Final = Limits(time=2.0, visits=2000)
NASTY: Final = (
    "<script>alert(1)</script>", "\x00", "\ufeff", "💥", "٣", "-1", "1e999", "NaN", "10", "%s%n", "../../etc/passwd",
    "null", "{", "}", "[", ":", ";", "|", "??", "XX", "AS", "10♥", "QX", "\n", "\t", "9" * 400, "9" * 5000, "'", '"',
    "\\", "\u202e",
)  # fmt: skip
Case = Callable[[random.Random], str | None]


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
    if parse_position(text) != position:
        return f"prints as {text!r}, which reads as another position"
    if position_from_json(json.loads(json.dumps(position.to_json()))) != position:
        return f"{text!r} is another position in JSON"
    if rng.random() < 0.05:
        with contextlib.suppress(CardsError):
            answer(position, FEW)
    return None


def notation(rng: random.Random) -> str | None:
    """The one-line notation, as typed and as it comes in an address."""
    text = mutated(rng.choice(notations()), rng)
    if rng.random() < 0.2:
        text = unquote(mutated(quote(text), rng), errors="replace")
    try:
        position = parse_position(text)
    except CardsError:
        return None
    return accepted(position, rng)


def _bent(value: Any, rng: random.Random) -> Any:
    """A JSON value with something in it replaced."""
    if rng.random() < 0.12:
        return rng.choice(
            (None, True, -1, 2**70, 0.5, "", "AS", "QX", [], {}, [[]], ["AS"] * 200, {"a": [{}]}, "\ud800")
        )
    if isinstance(value, dict):
        bent = {key: _bent(inner, rng) for key, inner in value.items() if rng.random() > 0.03}
        return bent | ({rng.choice(NASTY): 1} if rng.random() < 0.05 else {})
    if isinstance(value, list):
        bent_list = [_bent(inner, rng) for inner in value if rng.random() > 0.03]
        return bent_list + bent_list[:1] if rng.random() < 0.05 else bent_list
    return value


def json_row(rng: random.Random) -> str | None:
    """Rows of `solver solve`, as JSON values bent and as text broken."""
    source: Any = None
    while source is None:
        with contextlib.suppress(CardsError):
            source = parse_position(rng.choice(notations())).to_json()
    row = _bent(source, rng) if rng.random() < 0.8 else source
    text = json.dumps(row)
    if rng.random() < 0.3:
        text = mutated(text, rng).replace("\n", " ")
    if rng.random() < 0.01:
        text = '{"a":' * 50_000
    result = solve_chunk([(1, text)], Task(Limits(time=1.0, visits=300)))[0]
    json.dumps(result)
    if "error" in result:
        return None if result["error"] else "an empty error"
    with contextlib.suppress(CardsError, json.JSONDecodeError, TypeError):
        return accepted(position_from_json(json.loads(text)), rng)
    return None


@cache
def pictures() -> tuple[bytes, ...]:
    """Small whole pictures of many kinds."""
    from PIL import Image

    made = []
    for mode, size, kind in (
        ("RGB", (40, 30), "JPEG"), ("CMYK", (40, 30), "JPEG"), ("L", (1, 1), "PNG"), ("RGBA", (9, 7), "PNG"),
        ("I;16", (16, 9), "PNG"), ("P", (20, 20), "GIF"), ("RGB", (33, 21), "WEBP"), ("1", (30, 5), "PNG"),
        ("RGB", (30, 20), "TIFF"), ("RGB", (30, 20), "BMP"), ("LA", (5, 5), "PNG"), ("F", (5, 5), "TIFF"),
    ):  # fmt: skip
        file = io.BytesIO()
        Image.new(mode, size).save(file, kind)
        made.append(file.getvalue())
    frames = io.BytesIO()
    Image.new("P", (12, 12)).save(frames, "GIF", save_all=True, append_images=[Image.new("P", (12, 12), 3)] * 3)
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = io.BytesIO()
    Image.new("RGB", (8, 4)).save(turned, "JPEG", exif=exif)
    return (*made, frames.getvalue(), turned.getvalue(), bomb(60_000, 60_000))


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 10_000))
        + chunk(b"IEND", b"")
    )


def photo(rng: random.Random) -> str | None:
    """Bytes of pictures: cut short, bits turned, pieces swapped, nonsense."""
    data = bytearray(rng.choice(pictures()))
    match rng.randrange(5):
        case 0:
            del data[rng.randrange(len(data) + 1) :]
        case 1:
            for _ in range(rng.choice((1, 2, 10, 100))):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 2:
            at = rng.randrange(len(data))
            data[at : at + rng.randrange(64)] = rng.randbytes(rng.randrange(64))
        case 3:
            data[rng.randrange(len(data)) :] = rng.choice(pictures())[rng.randrange(30) :]
        case 4:
            data = bytearray(rng.randbytes(rng.randrange(200)))
    try:
        image = load(bytes(data))
    except PhotoError:
        return None
    good = str(image.dtype) == "uint8" and image.ndim == 3 and image.shape[2] == 3 and image.size
    return None if good else f"an image of {image.dtype} {image.shape}"


@cache
def networks() -> tuple[bytes, ...]:
    """The smallest network that comes with the project, and files that are none or another."""
    whole = WEIGHTS.read_bytes()
    return (whole, whole, whole, READER.read_bytes(), pickle.dumps({"weights": [1.0] * 50}), bomb(9, 9), b"", whole[:8])


def model(rng: random.Random) -> str | None:
    """Files of weights: cut short, bits turned (mostly where the graph is written), of other kinds, missing."""
    data = bytearray(rng.choice(networks()))
    match rng.randrange(5):
        case 0:
            del data[rng.randrange(len(data) + 1) :]
        case 1:
            where = rng.choice((256, 4096, len(data)))
            for _ in range(rng.choice((1, 2, 10, 100))):
                if data:
                    at = rng.randrange(min(where, len(data)))
                    data[at if rng.random() < 0.5 else -1 - at] ^= 1 << rng.randrange(8)
        case 2:
            at = rng.randrange(len(data) + 1)
            data[at : at + rng.randrange(64)] = rng.randbytes(rng.randrange(64))
        case 3:
            data += rng.choice(networks())[: rng.randrange(200)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / rng.choice(("weights.onnx", "weights.onnx", "weights.ort", "weights.pkl", "weights"))
        if rng.random() < 0.95:
            path.write_bytes(data)
        elif rng.random() < 0.5:
            path.mkdir()
        try:
            found = BackCounter(path).count(
                np.full((40, 40, 3), 99, np.uint8), np.array([[[0, 0], [9, 0], [9, 30], [0, 30]]])
            )
        except ModelError as error:
            text = str(error)
            kind = text.startswith(f"{path}: ") and "expected" in text and "\n" not in text
            return None if kind else f"an unkind word: {text!r}"
    return None if found.shape == (1, MOST + 1) and np.isfinite(found).all() else f"a count of shape {found.shape}"


def won_line(rng: random.Random) -> str | None:
    """Winning lines of all games, falsified: none passes the verifier that its twin does not find won."""
    return ATTEMPTS[rng.choice(tuple(ATTEMPTS))](rng)[1]


VISION_OPTIONS: Final = (
    "--json", "--help", "--game", "makiaveli", "klondike", "--hand", "3S 4S", "--no-solve", "--time-limit", "0.2",
    "nan", "--limit", "2", "-1", "--workers", "1", "--scheduler", "tcp://", "--hand-photo", "--no-verdicts", "", ".",
    "--out", "--rows",
)  # fmt: skip


def vision_command(rng: random.Random) -> str | None:
    """Words behind `python -m vision.detect` and `vision.evaluate`, on folders of broken photos and labels."""
    with tempfile.TemporaryDirectory() as folder:
        photos = Path(folder) / "photos"
        photos.mkdir()
        for number in range(rng.randrange(3)):
            name = photos / f"{number}.{rng.choice(('jpg', 'png', 'gif', 'webp'))}"
            name.write_bytes(rng.choice(pictures())[: rng.choice((10**6, 50, 0))])
            label = json.dumps(_bent({"game": "klondike", "cards": [{"card": "AS", "indices": []}]}, rng))
            name.with_suffix(rng.choice((".json", ".xml", ".txt"))).write_text(
                rng.choice((label, "0 0.5 0.5 0.1", "<annotation>", mutated(label, rng))),
                encoding="utf-8",
                errors="replace",
            )
        place = rng.choice((str(photos), str(photos / "0.jpg"), str(photos / "1.png"), "nowhere.jpg", "\x00"))
        words = [place] + [rng.choice((*VISION_OPTIONS, rng.choice(NASTY))) for _ in range(rng.randrange(5))]
        return _tried(rng.choice((detect_main, evaluate_main)), words, rng)


WRITTEN: Final = ("--out", "--rows", "--resume")
"""Options that name a file or folder to be written."""
NAMES: Final = (
    "new.jsonl", "new.parquet", "new.png", "new", "old.jsonl", "old.jsonl.part", "a folder", "a folder/new.jsonl",
    "no folder/new.jsonl", "old.jsonl/new", "", " ", ".", "..", "-", "9" * 400, "💥.jsonl", "a\nb.jsonl", "\x00",
)  # fmt: skip
"""What they are given; nothing of `NASTY`, which names files of this machine."""
HALF_FILE: Final = re.compile(r"\.[0-9a-f]{8}\.part$")


def _tried(main: Callable[[list[str]], int], words: list[str], rng: random.Random) -> str | None:
    """What is wrong with how a command ends, in a folder of its own, and with what it leaves there."""
    words = [rng.choice(NAMES) if before in WRITTEN else word for before, word in pairwise(("", *words))]
    out, err = io.StringIO(), io.StringIO()
    status: Any
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("a folder").mkdir()
        Path("old.jsonl").write_text("\n".join(notations()[:3]), encoding="utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = main(words)
            except SystemExit as error:
                status = error.code
        left = [path.name for path in Path().rglob("*.part") if status in (0, None) or HALF_FILE.search(path.name)]
    if status not in (0, 1, 2, None):
        return f"status {status} of {words}"
    if status == 1 and "error:" not in err.getvalue() and not out.getvalue():
        return f"status 1 without a word of {words}"
    if left:
        return f"{left} are left by {words}"
    return "a traceback" if "Traceback" in err.getvalue() else None


def address(rng: random.Random) -> str | None:
    """What stands behind `?p=` in an address of the page, as the page takes it: quoted, broken, cut."""
    text = quote(mutated(rng.choice(notations()), rng), safe=":;|,-")
    for _ in range(rng.choice((0, 1, 3))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("%", "%zz", "%00", "%ff", "%E2%99", "+", "&p=", "#", "?", "%0A")) + text[at:]
    line = parse_qs(f"p={text}", keep_blank_values=True)["p"][-1]
    try:
        position = parse_position(line)
    except CardsError as error:
        return None if str(error) else "an empty error"
    return accepted(position, rng)


def _sizes(chunk: Chunk) -> list[int]:
    return [chunk.start, chunk.size]


def _counted(path: Path, n: int) -> list[Any]:
    return list(resumable_map(_sizes, chunks(n, 10, 1), resume=path, what="sizes", workers=1))


def kept_counts(rng: random.Random) -> str | None:
    """What a killed run left, damaged: refused by name, or gone on with to the right counts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kept.jsonl"
        right = list(map(_sizes, chunks(55, 10, 1)))
        _counted(path, rng.choice((55, 55, 20, 8)))
        path.write_bytes(_damaged(path.read_bytes(), rng))
        try:
            counted = _counted(path, 55)
        except CardsError as error:
            return None if str(error).startswith(str(path)) else f"the file is not named: {error}"
        return None if counted == right else f"{counted} instead of {right}"


def kept_rows(rng: random.Random) -> str | None:
    """Rows that a killed run left, damaged: refused by name, or gone on with to whole rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        with contextlib.suppress(KeyboardInterrupt), ResultFile(path, "rows") as file:
            for number in range(rng.randrange(9)):
                file.add({"id": number, "verdict": "win"})
            raise KeyboardInterrupt
        file.part.write_bytes(_damaged(file.part.read_bytes(), rng))
        try:
            with ResultFile(path, "rows") as file:
                file.add({"id": "last"})
        except CardsError as error:
            return None if str(error).startswith(str(file.part)) else f"the file is not named: {error}"
        rows = [json.loads(line) for line in path.read_bytes().splitlines()]
        return None if len(rows) == file.done + 1 and all(isinstance(row, dict) for row in rows) else f"rows {rows}"


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes cut short, with bits turned, edited as text, or with more behind them."""
    match rng.randrange(4):
        case 0:
            return data[: rng.randrange(len(data) + 1)]
        case 1:
            at = rng.randrange(len(data))
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case 2:
            return mutated(data.decode(), rng).encode("utf-8", "replace")
        case _:
            return data + rng.choice((rng.randbytes(rng.randrange(40)), data, b"\n", b"{}\n", b"[]\n"))


COMMANDS: Final = ("solve", "makiaveli", "klondike", "tomb-single", "tomb-double", "baccarat", "whist", "")
OPTIONS: Final = (
    "--json", "--help", "-n", "--seed", "--time-limit", "--visit-limit", "--mode", "free", "--out", "--workers", "1",
    "--rules", "standard", "--draw", "3", "--outs", "--resume", "--deal", "--redeals", "unlimited", "--player", "rule",
    "7", "-3", "1e3", "0", "nan", "", "--plot", "none", "--trace", "--strict-cross", "--scheduler", "tcp://",
    "--random", "--rows", "old.jsonl",
)  # fmt: skip


def command_line(rng: random.Random) -> str | None:
    """Words behind `python -m solver`, in any order, with positions among them."""
    words = [rng.choice(COMMANDS)] + [
        mutated(rng.choice(notations()), rng) if rng.random() < 0.3 else rng.choice((*OPTIONS, rng.choice(NASTY)))
        for _ in range(rng.randrange(6))
    ]
    words += ["--time-limit", "0.2"] if words[0] in ("solve", "makiaveli", "klondike") else []
    words += ["--visit-limit", "300"] if words[0] in ("solve", "klondike") else []
    words += ["-n", "20", "--plot", "none"] if words[0].startswith(("tomb", "bacc")) else []
    if "--workers" not in words:
        words += ["--workers", "1"]
    return _tried(solver_main, words, rng)


def klondike_line(rng: random.Random) -> str | None:
    """A random line of Klondike, corrupted: the rules refuse just what the twin refuses."""
    position = random_deal(rng.randrange(10**6), rng.choice((SEED, STANDARD)))
    table, twin_rules = table_of(position), naive_rules(position.rules)
    for _ in range(rng.randrange(1, 40)):
        moves = naive_klondike.successors(table, twin_rules)
        text = rng.choice(list(moves) or ["draw"])
        if rng.random() < 0.3:
            text = mutated(rng.choice((text, "W>F", f"T{rng.randrange(9)}>T{rng.randrange(9)}", "draw")), rng)
        try:
            position = position.apply(Move.parse(text))
        except (CardsError, IllegalMoveError):
            if text in moves:
                return f"{text!r} is legal, but refused on {position}"
            continue
        said = text if text in moves else None
        if said is None:  # written another way, perhaps
            same = [move for move, after in moves.items() if after == table_of(position)]
            if not same:
                return f"{text!r} is illegal, but accepted; after it: {position}"
            said = same[0]
        table = moves[said]
        if table_of(position) != table:
            return f"after {text!r} the twin has another table than {position}"
    return None


def tomb_line(rng: random.Random) -> str | None:
    """The same for the two-deck tomb."""
    position = TombPosition.deal(rng.randrange(10**6))
    table = naive_tomb.table_of(position)
    for _ in range(rng.randrange(1, 40)):
        moves = naive_tomb.successors(table)
        text = rng.choice(list(moves))
        if rng.random() < 0.3:
            text = mutated(rng.choice((text, f"R{rng.randrange(6)}>W{rng.randrange(6)}", "W1>F", "C>T1")), rng)
        try:
            after = position.apply(TombMove.parse(text))
        except (CardsError, IllegalMoveError):
            if text in moves:
                return f"{text!r} is legal, but refused on {position}"
            continue
        if text not in moves and naive_tomb.table_of(after) not in moves.values():
            return f"{text!r} is illegal, but accepted on {position}"
        position, table = after, naive_tomb.table_of(after)
        if text in moves and moves[text] != table:
            return f"after {text!r} the twin has another table than {position}"
    return None


SURFACES: Final[dict[str, Case]] = {
    "notation": notation,
    "json": json_row,
    "photo": photo,
    "command": command_line,
    "klondike_line": klondike_line,
    "tomb_line": tomb_line,
    "won_line": won_line,
    "model": model,
    "vision_command": vision_command,
    "address": address,
    "kept_counts": kept_counts,
    "kept_rows": kept_rows,
}
