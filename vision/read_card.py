"""The parts of a reading: its photos, and the cards and backs with every photo that shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from solver.cards import UNKNOWN, Card, MaybeCard, card_text, parse_card
from solver.place import NOWHERE, Place
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM

Point = tuple[float, float]
"""x to the right and y down, px of the upright photo."""
Quad = tuple[Point, Point, Point, Point]
"""A card's own corners: top left, top right, bottom right, bottom left; they may lie outside the photo."""
Box = tuple[float, float, float, float]
"""x1, y1, x2, y2, px."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo that was read.

    Attributes:
        name: What it is called: its file, or `photo 1`.
        width: Of the upright photo, px.
        height: Of the upright photo, px.
        apart: Why it does not join the other photos; empty if it does.
        is_hand: Whether it shows only the hand.
        image: The photo itself, uint8 (height, width, 3), if it was given as an array; neither compared nor written.
    """

    name: str
    width: int
    height: int
    apart: str = ""
    is_hand: bool = False
    image: NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        body = {"name": self.name, "width": self.width, "height": self.height, "joined": not self.apart}
        return body | ({"why": self.apart} if self.apart else {}) | ({"hand": True} if self.is_hand else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Photo:
        """The photo of a JSON object that `to_json` made."""
        return cls(data.get("name", ""), data["width"], data["height"], data.get("why", ""), data.get("hand", False))


@dataclass(frozen=True, slots=True)
class ReadIndex:
    """A corner index: its box, and the middles of its rank and its suit symbol."""

    box: Box
    rank: Point
    suit: Point

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {"box": list(self.box), "rank": list(self.rank), "suit": list(self.suit)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadIndex:
        """The index of a JSON object that `to_json` made."""
        return cls(*(tuple(data[name]) for name in ("box", "rank", "suit")))


@dataclass(frozen=True, slots=True)
class Sight:
    """A card as one photo shows it.

    Attributes:
        photo: Number of the photo, from 0.
        quad: The card's corners there.
        indices: Its corner indices that are seen there; none for a face-down card.
        columns: Of a part of a recorded game's table where columns end in the photo, with their numbers from 1.
    """

    photo: int
    quad: Quad
    indices: tuple[ReadIndex, ...] = ()
    columns: tuple[tuple[int, Point], ...] = ()

    @property
    def middle(self) -> complex:
        """The middle of the card there, as a number whose parts are x and y, px."""
        return sum(complex(x, y) for x, y in self.quad) / len(self.quad)

    @property
    def outline(self) -> Sight:
        """Where the card lies there, without what tells which one it is: all that a question says of it."""
        return Sight(self.photo, self.quad)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of what a question is about: the photo, the corners there, and the columns that it names."""
        columns = {"columns": [[number, *end] for number, end in self.columns]} if self.columns else {}
        return {"photo": self.photo, "quad": [list(corner) for corner in self.quad], **columns}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sight:
        """The sight of a JSON object, of a question or a card."""
        quad = cast("Quad", tuple((x, y) for x, y in data["quad"]))
        columns = tuple((number, (x, y)) for number, x, y in data.get("columns", ()))
        indices = tuple(map(ReadIndex.from_json, data.get("indices", ())))
        return cls(data.get("photo") or 0, quad, indices, columns)


def _sights_json(sights: Sequence[Sight], *, named: bool, face_up: bool = True) -> dict[str, Any]:
    """The JSON fields of sights; `named` if there are several photos, so that each sight says which one it is of."""

    def place(sight: Sight | None) -> dict[str, Any]:
        quad = None if sight is None else [list(corner) for corner in sight.quad]
        indices = [] if sight is None else [index.to_json() for index in sight.indices]
        own = {"photo": None if sight is None else sight.photo} if named else {}
        return own | {"quad": quad} | ({"indices": indices} if face_up else {})

    also = {"also": [place(sight) for sight in sights[1:]]} if named else {}
    return place(sights[0] if sights else None) | also


def _sights_from_json(data: Mapping[str, Any]) -> tuple[Sight, ...]:
    """The sights that a card's or back's JSON object holds."""
    return tuple(Sight.from_json(row) for row in (data, *data.get("also", ())) if row["quad"] is not None)


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A face-up card of a reading.

    Attributes:
        card: Its identity, None if it is not known.
        confidence: Posterior probability of the identity.
        alternatives: Next likeliest identities with their probabilities.
        place: Where it lies; `NOWHERE` if it belongs to no place of the game.
        sights: Where photos show it, the best one first; empty for a card that was inferred and not seen.
        why: What decoding changed against the plain read, in words.
        by_looks: Of a card that was left out, the probability that it is one, and this one, by its looks alone.
    """

    card: MaybeCard
    confidence: float
    alternatives: tuple[tuple[Card, float], ...]
    place: Place
    sights: tuple[Sight, ...] = ()
    why: str = ""
    by_looks: float = 0.0

    @property
    def text(self) -> str:
        """The card as printed."""
        return card_text(self.card)

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at it."""
        return self.confidence < PART_SURE_FROM

    @property
    def chance_of_any(self) -> float:
        """Probability that there is a card at all, as far as it is told what card it may be."""
        return self.confidence + sum(chance for _, chance in self.alternatives)

    @property
    def is_seen_whole(self) -> bool:
        """Whether it was left out, though two of its corners surely show a card, and which one."""
        return self.by_looks >= WHOLE_STANDS_FROM and len(self.indices) > 1

    @property
    def may_be_none(self) -> bool:
        """Whether it has a place, though there rather is no card."""
        return self.place != NOWHERE and self.chance_of_any < 0.5

    @property
    def quad(self) -> Quad | None:
        """Its corners in the photo that shows it best; None for a card that was not seen."""
        return self.sights[0].quad if self.sights else None

    @property
    def indices(self) -> tuple[ReadIndex, ...]:
        """Its corner indices in the photo that shows it best."""
        return self.sights[0].indices if self.sights else ()

    def sight_in(self, photo: int) -> Sight | None:
        """How a photo shows it; None if it does not."""
        return next((sight for sight in self.sights if sight.photo == photo), None)

    def to_json(self, *, named: bool = False) -> dict[str, Any]:
        """Its JSON object; `named` if there are several photos."""
        body: dict[str, Any] = {
            "card": self.text,
            "confidence": self.confidence,
            "alternatives": [[str(card), chance] for card, chance in self.alternatives],
            "zone": str(self.place),
            **_sights_json(self.sights, named=named),
        }
        return body | {name: value for name in ("why", "by_looks") if (value := getattr(self, name))}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadCard:
        """The card of a JSON object that `to_json` made."""
        return cls(
            None if data["card"] == UNKNOWN else parse_card(data["card"]),
            data["confidence"],
            tuple((parse_card(card), chance) for card, chance in data["alternatives"]),
            Place.parse(data["zone"]),
            _sights_from_json(data),
            data.get("why", ""),
            data.get("by_looks", 0.0),
        )


@dataclass(frozen=True, slots=True)
class ReadBack:
    """A face-down card of a reading.

    Attributes:
        place: Where it lies; `NOWHERE` if it belongs to no place of the game.
        confidence: Probability that it is a back.
        sights: Where photos show it, the best one first.
    """

    place: Place
    confidence: float
    sights: tuple[Sight, ...]

    @property
    def quad(self) -> Quad:
        """Its corners in the photo that shows it best."""
        return self.sights[0].quad

    def to_json(self, *, named: bool = False) -> dict[str, Any]:
        """Its JSON object; `named` if there are several photos."""
        sights = _sights_json(self.sights, named=named, face_up=False)
        return sights | {"zone": str(self.place), "confidence": self.confidence}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadBack:
        """The back of a JSON object that `to_json` made."""
        return cls(Place.parse(data["zone"]), data["confidence"], _sights_from_json(data))
