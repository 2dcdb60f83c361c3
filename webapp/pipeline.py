"""From the bytes of a photo to what the page shows of its reading. Pure: no session, nothing stored, nothing shared.

The verdict itself is `webapp.worker`'s business, in a process of its own; `vision.reading` does the reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from solver.answer import parse_position, position_from_json
from solver.errors import CardsError

Json = dict[str, Any]

SHOWN: Final = 1280
"""Width, in pixels, of a picture on the page; Streamlit scales a wider one down anew each time the page is drawn."""
MARGIN: Final = 0.6
"""How much of its surroundings the small picture of a doubtful card shows, as a share of the index's size."""


MOST_PHOTOS: Final = 4
"""Photos of one table that are put together."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What was photographed of a table, and read.

    Attributes:
        name: What the photo was called.
        pictures: The annotated photos as JPEGs.
        shown: The same, no larger than a page shows them.
        reading: The reading of the JSON contract, of all photos together.
        line: The position as one line, None where there is none.
        crops: Small pictures (JPEG) of the cards, by their number in the reading.
        others: Further likely positions: log-probability relative to the best one, and the line.
    """

    name: str
    pictures: tuple[bytes, ...]
    reading: Mapping[str, Any]
    line: str | None
    crops: Mapping[int, bytes] = field(default_factory=dict)
    others: tuple[tuple[float, str], ...] = ()
    shown: tuple[bytes, ...] = ()


class PartsError(CardsError):
    """Several photos that cannot be put together to one table."""


def warm() -> None:
    """Loads OpenCV and the networks ahead of the first photo, which then need not wait for them."""
    from vision.annotate import annotate  # noqa: F401
    from vision.reading import look

    with suppress(CardsError):  # weights that are missing or damaged are named when a photo is read
        look(np.zeros((64, 64, 3), np.uint8))


def read(photos: Sequence[tuple[str, bytes]], game: str, *, hand: str = "", hand_data: bytes | None = None) -> Shot:
    """Reads the photos of a table; parts of a large floor of Makiaveli may come in several.

    Args:
        photos: Name and file (JPEG, PNG, WebP or HEIC) of each, at most `MOST_PHOTOS`.
        game: The game's word or `auto`.
        hand: The hand's cards, where the photos do not show them.
        hand_data: A further photo's file that shows only the hand.

    Raises:
        CardsError: For a file that is no photo, a hand that cannot be read, missing networks, or parts of a table that
            cannot be put together.
    """
    from vision.image import load

    if len(photos) > MOST_PHOTOS:
        raise PartsError(f"these are {len(photos)} photos; at most {MOST_PHOTOS} can be put together")
    second = None if hand_data is None else load(hand_data)
    shots = []
    for number, (name, data) in enumerate(photos):
        given = hand if not number and hand.strip() and second is None else None
        shots.append(_read_one(name, load(data), game, given, second if not number else None))
        game = game if game != "auto" else str(shots[0].reading["game"] or game)
        if len(photos) > 1 and game not in ("makiaveli", "auto"):
            raise PartsError(
                "only a floor of Makiaveli can be put together from several photos; of this game one photo has to show"
                " the whole table"
            )
    return together(shots)


def _read_one(name: str, image: Any, game: str, hand: str | None, hand_photo: Any) -> Shot:
    from vision.annotate import annotate  # OpenCV and the networks are loaded with the first photo
    from vision.image import encode
    from vision.reading import read_photo

    reading = read_photo(image, game, hand=hand, hand_photo=hand_photo)
    crops = {
        number: encode(_around(image, card.indices[0]), ".jpg")
        for number, card in enumerate(reading.cards)
        if card.indices
    }
    picture = annotate(image, reading)
    return Shot(
        name=name,
        pictures=(encode(picture, ".jpg"),),
        shown=(encode(_smaller(picture), ".jpg"),),
        reading=reading.to_json(),
        line=None if reading.position is None else str(reading.position),
        crops=crops,
        others=tuple((float(relative), str(position)) for relative, position in reading.others),
    )


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
    cards, doubtful, crops = list(one.reading["cards"]), list(one.reading["doubtful"]), dict(one.crops)
    unsure = {doubt["number"]: doubt for doubt in other.reading["doubtful"]}
    for number, card in enumerate(other.reading["cards"]):
        family, _, place = card["zone"].partition("/")
        if family == "floor" and place.isdigit():
            if int(place) not in kept:
                continue
            card = card | {"zone": f"floor/{kept[int(place)]}"}
        if number in unsure:
            doubtful.append(unsure[number] | {"number": len(cards), "zone": card["zone"]})
        if number in other.crops:
            crops[len(cards)] = other.crops[number]
        cards.append(card)
    others = [(weight, _join(_table(line), _table(other.line))[0]) for weight, line in one.others]
    others += [(weight, _join(_table(one.line), _table(line))[0]) for weight, line in other.others]
    return Shot(
        name=f"{one.name}, {other.name}",
        pictures=(*one.pictures, *other.pictures),
        shown=(*one.shown, *other.shown),
        reading=dict(one.reading)
        | {
            "cards": cards,
            "doubtful": sorted(doubtful, key=lambda doubt: float(doubt.get("confidence", 1))),
            "problems": [],
            "notes": [*one.reading.get("notes", ()), *other.reading.get("notes", ()), *notes],
        },
        line=str(position_from_json(table)),
        crops=crops,
        others=tuple((weight, str(position_from_json(held))) for weight, held in sorted(others, key=lambda o: -o[0])),
    )


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


def _smaller(image: Any) -> Any:
    """A picture at most `SHOWN` wide."""
    from vision.image import opencv

    height, width = image.shape[:2]
    if width <= SHOWN:
        return image
    cv2 = opencv()  # a third of Pillow's time or less, and the verdict waits for it
    return cv2.resize(image, (SHOWN, round(height * SHOWN / width)), interpolation=cv2.INTER_AREA)


@cache
def thumbnail(path: Path, width: int = 640) -> bytes:
    """A photo of ours as a small JPEG."""
    with Image.open(path) as photo:
        photo.draft("RGB", (width, width))
        photo.thumbnail((width, width))
        file = BytesIO()
        photo.save(file, "JPEG", quality=85)
    return file.getvalue()


def _around(image: Any, box: tuple[float, float, float, float]) -> Any:
    """The part of a photo round a box, cut where the photo ends."""
    x1, y1, x2, y2 = box
    margin = MARGIN * max(x2 - x1, y2 - y1)
    height, width = image.shape[:2]
    left, right = (int(np.clip(x, 0, width - 1)) for x in (x1 - margin, x2 + margin))
    top, bottom = (int(np.clip(y, 0, height - 1)) for y in (y1 - margin, y2 + margin))
    return image[top : bottom + 1, left : right + 1].copy()
