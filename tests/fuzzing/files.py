"""Hostile files: photos, films, weights, labels, archives, and what a killed run left."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import random
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from plumbing.errors import CardsError
from plumbing.parallel import Chunk, chunks
from plumbing.result_files import ResultFile
from plumbing.resumable import resumable_map
from tests.fuzzing.text import NASTY, bent, mutated
from vision.convert_labels import coco, truth_json, yolo
from vision.errors import FilmError, LabelError, PhotoError
from vision.film.film_file import SUFFIXES, open_film
from vision.image import load
from vision.measure.labels import truth_of
from vision.measure.uploaded_zip import ArchiveError, unpack
from vision.networks.back_counter import MOST, BackCounter
from vision.networks.index_reader import Reader
from vision.networks.runtime import ModelError


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


def broken(files: Sequence[bytes], rng: random.Random) -> bytes:
    """One of some files cut short, with bits turned, with pieces swapped, or nonsense."""
    data = bytearray(rng.choice(files))
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
            data[rng.randrange(len(data)) :] = rng.choice(files)[rng.randrange(30) :]
        case 4:
            data = bytearray(rng.randbytes(rng.randrange(200)))
    return bytes(data)


def photo(rng: random.Random) -> str | None:
    """Bytes of pictures: cut short, bits turned, pieces swapped, nonsense."""
    data = broken(pictures(), rng)
    try:
        image = load(data)
    except PhotoError:
        return None
    good = str(image.dtype) == "uint8" and image.ndim == 3 and image.shape[2] == 3 and image.size
    return None if good else f"an image of {image.dtype} {image.shape}"


@cache
def films() -> tuple[bytes, ...]:
    """Small whole films of several kinds."""
    import av

    made = []
    for kind, codec, size in (("mp4", "mpeg4", (96, 80)), ("avi", "mjpeg", (64, 64)), ("matroska", "ffv1", (80, 96))):
        file = io.BytesIO()
        with av.open(file, "w", format=kind) as container:
            stream = container.add_stream(codec, rate=10)
            stream.width, stream.height = size
            stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            for level in range(0, 250, 50):
                picture = av.VideoFrame.from_ndarray(np.full((size[1], size[0], 3), level, np.uint8), format="rgb24")
                container.mux(stream.encode(picture.reformat(format=stream.pix_fmt)))
            container.mux(stream.encode())
        made.append(file.getvalue())
    return tuple(made)


def film(rng: random.Random) -> str | None:
    """Bytes of films, broken as those of pictures, under the name of a film."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film{rng.choice(SUFFIXES)}"
        path.write_bytes(broken(films(), rng))
        try:
            with open_film(path) as opened:
                shapes = {frame.image.shape for frame in opened.frames()}
        except FilmError:
            return None
    return None if shapes <= {(opened.height, opened.width, 3)} else f"frames of {shapes}"


@cache
def networks() -> tuple[bytes, ...]:
    """The smallest network that comes with the project, and files that are none or another."""
    whole = BackCounter.weights.read_bytes()
    return (
        whole,
        whole,
        whole,
        Reader.weights.read_bytes(),
        pickle.dumps({"weights": [1.0] * 50}),
        bomb(9, 9),
        b"",
        whole[:8],
    )


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
        path.write_bytes(damaged(path.read_bytes(), rng))
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
        file.file.write_bytes(damaged(file.file.read_bytes(), rng))
        try:
            with ResultFile(path, "rows") as file:
                file.add({"id": "last"})
        except CardsError as error:
            return None if str(error).startswith(str(file.file)) else f"the file is not named: {error}"
        rows = [json.loads(line) for line in path.read_bytes().splitlines()]
        return None if len(rows) == file.done + 1 and all(isinstance(row, dict) for row in rows) else f"rows {rows}"


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes cut short, with bits turned, edited as text, or with more behind them."""
    match rng.randrange(4):
        case 0:
            return data[: rng.randrange(len(data) + 1)]
        case 1:
            at = rng.randrange(len(data))
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case 2:
            return mutated(data.decode("utf-8", "replace"), rng).encode("utf-8", "replace")
        case _:
            return data + rng.choice((rng.randbytes(rng.randrange(40)), data, b"\n", b"{}\n", b"[]\n"))


_INDEX: Final = {"box": [3.0, 4.0, 9.0, 20.0], "rank": [6.0, 8.0], "suit": [6.0, 16.0], "visible": 1.0}
_SCENE: Final = {
    "image": {"width": 40, "height": 30},
    "game": "makiaveli",
    "deck": "d",
    "cards": [
        {"card": "AS", "zone": "hand", "quad": None, "visible": 1.0, "indices": [_INDEX, _INDEX | {"visible": 0.2}]},
        {"card": None, "zone": "deck", "quad": [[1, 1], [9, 1], [9, 20], [1, 20]], "visible": 1.0, "indices": []},
    ],
    "position": {"game": "makiaveli", "floor": [], "cross": [None] * 4, "hand": ["AS"]},
}
_COCO: Final = {
    "images": [{"id": 1, "file_name": "a.png"}],
    "categories": [{"id": 3, "name": "10H"}, {"id": 4, "name": "queen of spades"}],
    "annotations": [{"image_id": 1, "category_id": 3, "bbox": [1, 2, 3, 4]}],
}
_VOC: Final = (
    "<annotation><size><width>40</width><height>30</height></size><object><name>ace</name><bndbox><xmin>1</xmin>"
    "<ymin>2</ymin><xmax>9</xmax><ymax>20</ymax></bndbox></object></annotation>"
)
_DEEP: Final = ("[" * 50_000, '{"a":' * 50_000, "<a>" * 50_000)


def labels(rng: random.Random) -> str | None:
    """Labels of a photo, of all kinds: refused by name, or read; and what is converted reads back."""
    with tempfile.TemporaryDirectory() as folder:
        images, texts = Path(folder, "images"), Path(folder, "labels")
        images.mkdir()
        texts.mkdir()
        photo = images / "a.png"
        photo.write_bytes(pictures()[3])
        path, text = rng.choice(
            (
                (photo.with_suffix(".json"), json.dumps(bent(_SCENE, rng))),
                (texts / "a.txt", "0 0.5 0.5 0.1 0.2\n1 0.2 0.2 0.1 0.1 0.9\n"),
                (photo.with_suffix(".xml"), _VOC),
                (Path(folder, "coco.json"), json.dumps(bent(_COCO, rng))),
                (Path(folder, "classes.txt"), "AS\nBACK\nJOKER\n"),
            )
        )
        Path(folder, "classes.txt").write_text("10H\nqueen of spades\nBACK\n", encoding="utf-8")
        text = rng.choice(_DEEP) if rng.random() < 0.03 else mutated(text, rng) if rng.random() < 0.7 else text
        data = text.encode("utf-8", "replace")
        path.write_bytes(damaged(data, rng) if data and rng.random() < 0.3 else data)
        try:
            if path.suffix == ".txt" and rng.random() < 0.5:
                found = list(yolo(Path(folder)))
            elif path.name == "coco.json":
                found = list(coco(path, Path(folder)))
            else:
                truth_of(photo, (40, 30))
                return None
            for labelled in found:
                truth, _ = truth_json(labelled, (40, 30), whole_cards=rng.random() < 0.5)
                photo.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")
                truth_of(photo, (40, 30))
        except LabelError as error:
            return None if str(error).startswith(folder) and "\n" not in str(error) else f"an unkind word: {error}"
    return None


def archive(rng: random.Random) -> str | None:
    """Uploaded ZIP files: names that lead elsewhere, damaged bytes, other compressions; nothing is written outside."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((0, 8, 12, 14))) as file:
        names = (*NASTY, "a", "a/b", "../a", "/a", "a\\..\\..\\b", "C:/a", "ä" * 200, "con", "a/./b")
        for name in rng.sample(names, rng.randrange(5)):
            with contextlib.suppress(UnicodeEncodeError, IndexError):  # names that no ZIP file can hold
                file.writestr(name + rng.choice((".jpg", ".json", ".exe", "/", "")), rng.randbytes(rng.randrange(300)))
    data = out.getvalue()
    data = damaged(data, rng) if rng.random() < 0.7 else data
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder, "a", "b", "c", "inside")
        inside.mkdir(parents=True)
        try:
            count = unpack([(rng.choice(("all.zip", "ALL.ZIP", "x.jpg")), data)], inside)
        except ArchiveError as error:
            return None if str(error) and "\n" not in str(error) else f"an unkind word: {error}"
        found = [path for path in Path(folder).rglob("*") if path.is_file()]
        if any(inside not in path.parents for path in found):
            return f"files outside the folder: {found}"
        return None if len(found) <= count else f"{len(found)} files, said {count}"
