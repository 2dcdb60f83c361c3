"""What the networks say of a photo, asked once and kept: so a photo can be read again and again with other preferences.

    memory = Memory()
    with memory.answering():
        see_table(detect_and_read(image))     # asks the networks
    with memory.answering():
        see_table(detect_and_read(image))     # does not

A question that was not asked before goes to the network and is kept too. But faces are looked at once: where other
preferences put a card elsewhere, its face is that of the card which its indices were first taken for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import numpy as np

from vision import photo_to_table
from vision.cards import face_evidence
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.networks.card_face import Image
from vision.networks.outputs import Detections, Reads

Face = tuple[Any, Any, Any]
"""Logarithms of rank, suit and face, as `Reads` has them."""


@dataclass(slots=True)
class Memory:
    """The answers of the networks for one photo.

    Attributes:
        answers: By what was asked.
        faces: By a row of the detections, the face of the card that it was first taken for.
        grown: Whether something was asked that is not kept in a file yet.
    """

    answers: dict[Hashable, Any] = field(default_factory=dict)
    faces: dict[int, Face] = field(default_factory=dict)
    grown: bool = False

    def ask(self, question: Hashable, network: Callable[[], Any]) -> Any:
        """The answer to a question, from the network where it is a new one."""
        if question not in self.answers:
            self.answers[question], self.grown = network(), True
        return self.answers[question]

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Within, networks are asked through this memory."""
        usual, unusual = photo_to_table._networks, photo_to_table._networks_for_unusual_decks
        with (
            patch.object(photo_to_table, "_networks", lambda: self._of("usual", usual)),
            patch.object(photo_to_table, "_networks_for_unusual_decks", lambda: self._of("unusual", unusual)),
            patch.object(face_evidence, "read_faces", self._faces_through(face_evidence.read_faces)),
        ):
            yield

    def _of(self, deck: str, networks: Callable[[], tuple[Any, Any]]) -> tuple[_Detector, _Reader]:
        return _Detector(self, deck, lambda: networks()[0]), _Reader(self, deck, lambda: networks()[1])

    def _faces_through(self, network: Callable[[SeenTable, Image], Reads]) -> Callable[[SeenTable, Image], Reads]:
        def read(table: SeenTable, image: Image) -> Reads:
            if not self.faces:
                reads = network(table, image)
                for row, card in enumerate(table.cards):
                    face = reads.log_rank[row], reads.log_suit[row], reads.log_index[row]
                    self.faces.update(dict.fromkeys(card.indices, face))
                self.grown = True
            nothing = np.full(13, -np.log(13)), np.full(4, -np.log(4)), -50.0
            own = [next((self.faces[k] for k in card.indices if k in self.faces), nothing) for card in table.cards]
            return Reads(*(np.array(part, np.float32) for part in zip(*own, strict=True)))

        return read


@dataclass(frozen=True, slots=True)
class _Detector:
    memory: Memory
    deck: str
    network: Callable[[], Any]

    def detect(self, image: Image) -> Any:
        return self.memory.ask(("detect", self.deck), lambda: self.network().detect(image))


@dataclass(frozen=True, slots=True)
class _Reader:
    memory: Memory
    deck: str
    network: Callable[[], Any]

    def read(self, image: Image, detections: Detections, side: Array | None = None) -> Any:
        seen = (detections.rank_xy, detections.suit_xy, *(() if side is None else (side,)))
        asked = ("read", self.deck, *(part.tobytes() for part in seen))
        return self.memory.ask(asked, lambda: self.network().read(image, detections, side))
