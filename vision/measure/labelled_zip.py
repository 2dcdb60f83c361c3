"""A reading that a person has put right becomes labelled photos: what is wrong today can be learned and measured.

    data = labelled_zip([image], reading, position, {7: "4H", 9: None})

The ZIP holds each photo without what a camera writes into its file (place, time, device), and beside it what it shows,
in the format of `datasets/README.md`. `vision.evaluate` reads such a file as it is, and
`vision.convert_labels` merges many.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from plumbing.errors import CardsError
from solver.cards import UNKNOWN, parse_card
from solver.place import NOWHERE
from vision.image import RGB, encode
from vision.layout.vocabulary import CARDS
from vision.measure.labels import TABLE
from vision.read_card import ReadCard
from vision.reading import Reading

UNSURE: Final = 0.4
"""Visible share given to an index of which nobody said what it is: too little to be learned or counted."""
FIXED_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The same corrections give the same bytes."""

Json = dict[str, Any]


class CorrectionError(CardsError):
    """Corrections that do not belong to the reading."""


def labelled_zip(
    images: Sequence[RGB],
    reading: Reading,
    position: Mapping[str, Any] | None,
    cards: Mapping[int, str | None] | None = None,
    *,
    deck: str | None = None,
) -> bytes:
    """A ZIP file of the photos and what they show.

    Args:
        images: uint8 RGB (height, width, 3), the photos that were read, in order.
        reading: What was read.
        position: The right position as its JSON object; None where the photos show none.
        cards: Number of each card of the reading that a person corrected, and what it is; None where there is no card.
        deck: A name for the deck, if the person gives one: photos of one deck belong to one split.

    Raises:
        CorrectionError: For a card that the reading does not have, or one that is none.
    """
    corrected = dict(cards or {})
    _check(reading, corrected)
    if len(reading.photos) != len(images):
        count = len(reading.photos)
        raise CorrectionError(f"{len(images)} photos with a reading of {count}; expected those that were read")
    files = [encode(image, ".jpg") for image in images]
    name = hashlib.sha256(b"".join(files)).hexdigest()[:12]
    common = {"game": _game(reading), "deck": deck, "split": "train", "seed": None}
    labels = [
        {"image": {"width": image.shape[1], "height": image.shape[0]}, **common, **_shown(reading, number, corrected)}
        for number, image in enumerate(images)
    ]
    if len(images) == 1:
        return _zipped({f"{name}.jpg": files[0], f"{name}.json": _text(labels[0] | {"position": position})})
    members = {}
    for number, (file, label) in enumerate(zip(files, labels, strict=True), start=1):
        members[f"{name}/{number}.jpg"] = file
        members[f"{name}/{number}.json"] = _text(label | {"position": None})
    names = [f"{number}.jpg" for number in range(1, len(images) + 1)]
    whole = {"photos": names, "cards": _all_cards(reading, corrected), "position": position}
    return _zipped(members | {f"{name}/{TABLE}": _text(common | whole)})


def _all_cards(reading: Reading, corrected: Mapping[int, str | None]) -> list[Json]:
    """The cards of a whole table, wherever a photo shows them."""
    rows = (_label(card, number, corrected) for number, card in enumerate(reading.cards))
    return [{"card": row["card"], "zone": row["zone"]} for row in rows if row is not None]


def _game(reading: Reading) -> str | None:
    return None if reading.game == CARDS else reading.game


def _check(reading: Reading, corrected: Mapping[int, str | None]) -> None:
    for number, card in corrected.items():
        if not 0 <= number < len(reading.cards):
            raise CorrectionError(f"no card {number}; expected one of the reading's, 0 to {len(reading.cards) - 1}")
        if card is not None:
            parse_card(card)


def _shown(reading: Reading, photo: int, corrected: Mapping[int, str | None]) -> Json:
    """What one of the photos shows: `cards`, those face down first as nothing of a reading tells what lies on what."""
    no_game = _game(reading) is None
    backs: list[Json] = [
        {"card": None, "zone": str(back.place), "quad": back.quad, "visible": 1.0, "indices": []}
        for back in reading.backs
        if back.sights[0].photo == photo and (back.place != NOWHERE or no_game)
    ]
    return {"cards": [*backs, *_shown_cards(reading, photo, corrected)]}


def _shown_cards(reading: Reading, photo: int, corrected: Mapping[int, str | None]) -> Iterator[Json]:
    for number, card in enumerate(reading.cards):
        row, sight = _label(card, number, corrected), card.sight_in(photo)
        if row is not None and sight is not None:
            is_sure = number in corrected or card.place != NOWHERE or _game(reading) is None
            indices = [index.to_json() | {"visible": 1.0 if is_sure else UNSURE} for index in sight.indices]
            yield row | {"quad": sight.quad, "visible": 1.0, "indices": indices}


def _label(card: ReadCard, number: int, corrected: Mapping[int, str | None]) -> Json | None:
    """A card of a label, with what was read where that was wrong; None where there is no card."""
    right = corrected.get(number, card.text)
    if right is None or right == UNKNOWN:
        return None
    return {"card": right, "zone": str(card.place)} | ({"read": card.text} if right != card.text else {})


def _text(label: Mapping[str, Any]) -> bytes:
    return json.dumps(label, separators=(",", ":")).encode()


def _zipped(members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            kind = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, FIXED_DATE), data, kind)
    return out.getvalue()
