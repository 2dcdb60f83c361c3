"""A photo becomes the table that it shows: what the networks find and read, then the cards that this makes.

photo -> Findings (indices with their reads, backs) -> SeenTable (cards with their outlines and places)
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Final

from solver.cards import Card
from vision.cards.assembly import assemble_cards
from vision.cards.face_evidence import with_faces
from vision.cards.face_paper import without_blank_paper, without_cards_on_backs, without_prints
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.cards.suit_place import count_readable, read_indices
from vision.cards.template import Template
from vision.cards.tilted_reads import read_from_above
from vision.image import RGB, load
from vision.networks import index_detector, index_reader
from vision.networks.back_counter import BackCounter
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader
from vision.networks.outputs import Backs, Detections, Reads
from vision.networks.surface_map import load_surface_map

UNUSUAL_BELOW: Final = 0.75
"""Where the usual networks read at least this share of a photo's indices, weighed by the detector's confidence, those
for unusual decks do not look. On validation scenes these are believed at shares up to 0.67."""
MUCH_MORE: Final = 1.25
"""Where the networks for unusual decks read so many times as many indices, the deck is taken for an unusual one. Chosen
on validation scenes, where decks with usual indices stay below it."""


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What the networks say of a photo.

    Attributes:
        detections: Its n indices.
        backs: Its face-down cards.
        reads: The n reads of the indices.
        size: The photo's width and height, px.
        image: The photo itself; with it faces are read and face-down cards counted more surely.
        times: Seconds of each stage.
    """

    detections: Detections
    backs: Backs
    reads: Reads
    size: tuple[int, int]
    image: RGB | None = None
    times: Mapping[str, float] = field(default_factory=dict)


@cache
def _networks() -> tuple[Detector, Reader]:
    return Detector(), Reader()


@cache
def _networks_for_unusual_decks() -> tuple[Detector, Reader]:
    return Detector(index_detector.UNUSUAL_WEIGHTS), Reader(index_reader.UNUSUAL_WEIGHTS)


@cache
def _counter() -> BackCounter:
    return BackCounter()


def detect_and_read(image: RGB) -> Findings:
    """What the networks say of a photo.

    Where they read it badly, networks that know decks with unusual indices look too, and are believed where they read
    much more of it. Each pair of networks reads the other's decks less well.
    """
    start = time.perf_counter()
    detector, reader = _networks()
    loaded = time.perf_counter()
    detections, backs = detector.detect(image)
    detected = time.perf_counter()
    detections, reads = read_indices(reader, image, detections)
    known = count_readable(detections, reads)
    if known < UNUSUAL_BELOW * detections.confidence.sum():
        unusual_detector, unusual_reader = _networks_for_unusual_decks()
        others, other_reads = read_indices(unusual_reader, image, unusual_detector.detect(image)[0])
        if count_readable(others, other_reads) > max(MUCH_MORE * known, known + 1):
            detections, reads, reader = others, other_reads, unusual_reader
    reads = read_from_above(reader, image, detections, reads)
    times = {"load": loaded - start, "detect": detected - loaded, "read": time.perf_counter() - detected}
    return Findings(detections, backs, reads, (image.shape[1], image.shape[0]), image, times)


class Counting:
    """Counts a photo's face-down cards when a layout asks for it, and how long that takes.

    Args:
        image: The photo, or its file.
    """

    def __init__(self, image: RGB | bytes) -> None:
        self.image, self.seconds = image, 0.0

    def __call__(self, regions: Array) -> Array:
        """What `BackCounter.count` says of strips of the photo."""
        start = time.perf_counter()
        image = load(self.image) if isinstance(self.image, bytes) else self.image
        found = _counter().count(image, regions)
        self.seconds += time.perf_counter() - start
        return found


def see_table(found: Findings, template: Template | None = None, *, doubted: bool = False) -> SeenTable:
    """The cards of a photo: by their indices, and with the photo itself by their faces and with a counter of backs.

    Args:
        found: What the networks say of it.
        template: The deck's, where it is known from other photos.
        doubted: Whether what is rather no card, but may well be one, is among them: for a reader that asks about it.
    """
    parts = (found.detections, found.backs, found.reads, found.size, template)
    if found.image is None:
        return assemble_cards(*parts, doubted=doubted)
    table = assemble_cards(*parts, partial(_card_share, found.image), doubted=doubted)
    table = without_blank_paper(table, found.detections, found.image)
    table = without_prints(without_cards_on_backs(table, found.detections, found.image))
    return replace(with_faces(table, found.image), count_backs=Counting(found.image))


def _card_share(image: RGB, quads: Array) -> Array:
    """How much of each outline shows cards; the photo is seen only when it is asked for."""
    return load_surface_map().see(image).card_share(quads)


def hand_of(table: SeenTable) -> tuple[Card, ...]:
    """The cards of a photo that shows only a hand, from left to right."""
    return tuple(table.cards[row].best for row in table.from_left)
