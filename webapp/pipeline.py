"""From the bytes of a photo to what the page shows of its reading. Pure: no session, nothing stored, nothing shared.

The verdict itself is `webapp.worker`'s business, in a process of its own; `vision.reading` does the reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image

from solver.answer import parse_position, position_from_json
from solver.errors import CardsError

if TYPE_CHECKING:
    from vision.reading import Reading

Json = dict[str, Any]

LONGER: Final = 2560
"""Longer side, in px, of a picture on the page: what the reader uses, so that pieces of it are sharp."""
MOST_PHOTOS: Final = 4
"""Photos of one table that are put together."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What was photographed of a table, and read.

    Attributes:
        name: What the photo was called.
        photos: The photos' files as they were sent, to be read again.
        shown: The same upright as JPEGs, no larger than `LONGER`.
        sizes: Width and height of each photo as it was read, px.
        reading: The reading of the JSON contract, of all photos together; a card of a later photo has its `photo`.
        line: The position as one line, None where there is none.
        others: Further likely positions: log-probability relative to the best one, and the line.
        checks: What a person should look at besides doubtful cards: a sentence, and the paths that it is about.
        hand: The file of a further photo that shows only the hand.
        read: The readings, one a photo.
    """

    name: str
    photos: tuple[bytes, ...]
    reading: Mapping[str, Any]
    line: str | None
    shown: tuple[bytes, ...] = ()
    sizes: tuple[tuple[int, int], ...] = ()
    others: tuple[tuple[float, str], ...] = ()
    checks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    hand: bytes | None = None
    read: tuple[Reading, ...] = ()


class PartsError(CardsError):
    """Several photos that cannot be put together to one table."""


def warm() -> None:
    """Loads OpenCV and the networks ahead of the first photo, which then need not wait for them."""
    from vision.reading import look

    with suppress(CardsError):  # weights that are missing or damaged are named when a photo is read
        look(np.zeros((64, 64, 3), np.uint8))


def read(photos: Sequence[tuple[str, bytes]], game: str, *, hand: bytes | None = None) -> Shot:
    """Reads the photos of a table; parts of a large floor of Makiaveli may come in several.

    Args:
        photos: Name and file (JPEG, PNG, WebP or HEIC) of each, at most `MOST_PHOTOS`.
        game: The game's word or `auto`.
        hand: A further photo's file that shows only the hand.

    Raises:
        CardsError: For a file that is no photo, missing networks, or parts of a table that cannot be put together.
    """
    from vision.image import load

    if len(photos) > MOST_PHOTOS:
        raise PartsError(f"these are {len(photos)} photos; at most {MOST_PHOTOS} can be put together")
    second = None if hand is None else load(hand)
    shots = []
    for number, (name, data) in enumerate(photos):
        shots.append(_read_one(name, data, game, second if not number else None))
        game = game if game != "auto" else str(shots[0].reading["game"] or game)
        if len(photos) > 1 and game not in ("makiaveli", "auto"):
            raise PartsError(
                "only a floor of Makiaveli can be put together from several photos; of this game one photo has to show"
                " the whole table"
            )
    return replace(together(shots), hand=hand)


def _read_one(name: str, data: bytes, game: str, hand_photo: Any) -> Shot:
    from vision.home_rules import with_home_rules
    from vision.image import load
    from vision.reading import read_photo

    image = load(data)
    reading = with_home_rules(read_photo(image, game, hand_photo=hand_photo))
    return Shot(
        name=name,
        photos=(data,),
        shown=(_shown(image, data),),
        sizes=((reading.width, reading.height),),
        reading=reading.to_json(),
        line=None if reading.position is None else str(reading.position),
        others=tuple((float(relative), str(position)) for relative, position in reading.others),
        checks=tuple((str(check), getattr(check, "zones", ())) for check in reading.checks),
        read=(reading,),
    )


def annotated(shot: Shot, number: int) -> bytes:
    """A photo of a shot with its reading drawn on it, as a JPEG."""
    from vision.annotate import annotate
    from vision.image import encode, load

    return encode(annotate(load(shot.photos[number]), shot.read[number]), ".jpg")


def reframed(data: bytes, rect: Sequence[float] | None, turn: int) -> bytes:
    """A part of a photo, turned clockwise, as a JPEG.

    Args:
        data: The photo's file.
        rect: Left, top, right and bottom as shares of its sides, 0 to 1; None for all of it.
        turn: Degrees, a multiple of 90.

    Raises:
        PhotoError: Where the file is no photo.
    """
    from vision.image import load

    photo = Image.fromarray(load(data))
    if rect is not None:
        left, top, right, bottom = (min(1.0, max(0.0, float(share))) for share in rect)
        box = (left * photo.width, top * photo.height, right * photo.width, bottom * photo.height)
        if box[2] - box[0] >= 16 and box[3] - box[1] >= 16:
            photo = photo.crop((round(box[0]), round(box[1]), round(box[2]), round(box[3])))
    turned = photo.rotate(-90 * (turn // 90 % 4), expand=True)
    file = BytesIO()
    turned.save(file, "JPEG", quality=93)
    return file.getvalue()


def together(shots: Sequence[Shot]) -> Shot:
    """Readings of parts of a floor as one; a meld that two photos show alike is taken once, and a note says so.

    A photo without any table is passed over.
    """
    found = [shot for shot in shots if shot.line is not None] or list(shots[:1])
    whole = found[0]
    for part in found[1:]:
        whole = _joined(whole, part)
    return whole


def _joined(one: Shot, other: Shot) -> Shot:
    table, kept, notes = _join(_table(one.line), _table(other.line))
    number = len(one.photos)
    cards, doubtful = list(one.reading["cards"]), list(one.reading["doubtful"])
    unsure = {doubt["number"]: doubt for doubt in other.reading["doubtful"]}
    for place, card in enumerate(other.reading["cards"]):
        family, _, meld = card["zone"].partition("/")
        if family == "floor" and meld.isdigit():
            if int(meld) not in kept:
                continue
            card = card | {"zone": f"floor/{kept[int(meld)]}"}
        if place in unsure:
            doubtful.append(unsure[place] | {"number": len(cards), "zone": card["zone"]})
        cards.append(card | {"photo": number})
    others = [(weight, _join(_table(line), _table(other.line))[0]) for weight, line in one.others]
    others += [(weight, _join(_table(one.line), _table(line))[0]) for weight, line in other.others]
    return Shot(
        name=f"{one.name}, {other.name}",
        photos=(*one.photos, *other.photos),
        shown=(*one.shown, *other.shown),
        sizes=(*one.sizes, *other.sizes),
        reading=dict(one.reading)
        | {
            "cards": cards,
            "backs": [*one.reading["backs"], *(back | {"photo": number} for back in other.reading["backs"])],
            "doubtful": sorted(doubtful, key=lambda doubt: float(doubt.get("confidence", 1))),
            "problems": [],
            "notes": [*one.reading.get("notes", ()), *other.reading.get("notes", ()), *notes],
            "readable": _both_readable(one.reading, other.reading),
            "stands": float(one.reading.get("stands", 1)) * float(other.reading.get("stands", 1)),
        },
        line=str(position_from_json(table)),
        others=tuple((weight, str(position_from_json(held))) for weight, held in sorted(others, key=lambda o: -o[0])),
        checks=(*one.checks, *other.checks),
        read=(*one.read, *other.read),
    )


def _both_readable(one: Mapping[str, Any], other: Mapping[str, Any]) -> Json:
    found = [reading.get("readable") or {"ok": True, "reasons": []} for reading in (one, other)]
    return {"ok": all(part["ok"] for part in found), "reasons": [why for part in found for why in part["reasons"]]}


def _table(line: str | None) -> Json:
    return parse_position(line or "makiaveli").to_json()


def _join(one: Json, other: Json) -> tuple[Json, dict[int, int], list[str]]:
    """Two parts of a table as one, where each kept meld of the second part lies in it, and notes."""
    floor, kept, notes = [list(meld) for meld in one["floor"]], {}, []
    before = [sorted(meld) for meld in floor]
    for number, meld in enumerate(other["floor"]):
        if sorted(meld) in before:
            before.remove(sorted(meld))
            notes.append(f"the meld {' '.join(meld)} is in two photos and was taken once")
            continue
        kept[number] = len(floor)
        floor.append(list(meld))
    cross = [a or b for a, b in zip_longest(one["cross"], other["cross"])]
    more: Counter[str] = Counter(other["hand"]) - Counter(one["hand"])
    return one | {"floor": floor, "cross": cross, "hand": [*one["hand"], *more.elements()]}, kept, notes


def _shown(image: Any, data: bytes) -> bytes:
    """An upright picture of a photo for the page: its own file where that is one; nothing is lost or waited for."""
    from vision.image import encode, opencv

    height, width = image.shape[:2]
    upright = False
    with suppress(OSError, SyntaxError, ValueError, KeyError), Image.open(BytesIO(data)) as photo:
        upright = photo.format == "JPEG" and photo.mode == "RGB" and photo.getexif().get(0x0112, 1) == 1
    if max(height, width) <= LONGER:
        return data if upright else encode(image, ".jpg")
    share = LONGER / max(height, width)
    cv2 = opencv()  # a third of Pillow's time or less, and the verdict waits for it
    size = round(width * share), round(height * share)
    return encode(cv2.resize(image, size, interpolation=cv2.INTER_AREA), ".jpg")


@cache
def thumbnail(path: Path, width: int = 640) -> bytes:
    """A photo of ours as a small JPEG."""
    with Image.open(path) as photo:
        photo.draft("RGB", (width, width))
        photo.thumbnail((width, width))
        file = BytesIO()
        photo.save(file, "JPEG", quality=85)
    return file.getvalue()
