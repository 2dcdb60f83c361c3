"""Where a deck prints its suit: below the rank on most decks, above or beside it on others; a photo has one convention.

    detections, reads = read_indices(Reader(), image, detections)

The detector says where the centres of rank and suit symbol are; which way is up follows from the deck's convention.
Each index is read as if its suit stood below the rank. Where a photo reads badly so, each is also read as if it stood
above, to the right and to the left, and all indices together tell how likely each is: a mixture whose shares are fitted
to the photo. An index that could be read either way, such as a 9 of diamonds upside down, follows the others. The
result is turned as the rest of the program expects: from `rank_xy` to `suit_xy` is the card's down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.networks.index_reader import Image, Reader
from vision.networks.outputs import Detections, Floats, Reads
from vision.preferences import preferences_of

Place = Literal["below", "above", "right", "left"]
"""Where the suit stands, seen from the rank of an upright card."""
PLACES: Final[tuple[Place, ...]] = ("below", "above", "right", "left")
DOWN: Final[dict[Place, tuple[tuple[int, int], tuple[int, int]]]] = {
    "below": ((1, 0), (0, 1)),
    "above": ((-1, 0), (0, -1)),
    "right": ((0, 1), (-1, 0)),
    "left": ((0, -1), (1, 0)),
}
"""What turns the way from rank to suit, a row, into the card's down."""


@dataclass(frozen=True, slots=True)
class ConventionTuning:
    """When other conventions are tried, and how one is chosen.

    Attributes:
        below_indices: How many indices the suit below the rank counts for before any is read: most decks have it there.
        elsewhere_indices: The same for each of the other places.
        usual_readable_share: Where this share of a photo's indices, weighed by the detector's confidence, is readable
            with the suit below, nothing else is tried.
        probed_indices: So many, the surest, tell whether a deck is a usual one; only of another deck are all tried.
        usual_deck_share: Where this share of what is readable has its suit below, all have.
        rounds: Steps of the fit of the shares.
        least_probability: No index is taken to be less surely readable, or unreadable, than this.
    """

    below_indices: float
    elsewhere_indices: float = 0.1
    usual_readable_share: float = 0.85
    probed_indices: int = 12
    usual_deck_share: float = 0.7
    rounds: int = 12
    least_probability: float = 0.005


TUNING: Final = ConventionTuning(**preferences_of(__name__))


def read_indices(reader: Reader, image: Image, detections: Detections) -> tuple[Detections, Reads]:
    """The indices with their card's down from `rank_xy` to `suit_xy`, and what the reader makes of them.

    Args:
        reader: The reader.
        image: uint8 RGB (H, W, 3), the photo in which `detections` were found.
        detections: As the detector gives them: rank centres and suit centres.
    """
    if not len(detections):
        return detections, Reads.empty()
    reads = reader.read(image, detections)
    weight = detections.confidence
    if count_readable(detections, reads) >= TUNING.usual_readable_share * weight.sum():
        return detections, reads
    surest = np.argsort(-weight, kind="stable")[: TUNING.probed_indices]
    if _every_way(reader, image, detections[surest], reads[surest]) is None:
        return (
            detections,
            reads,
        )  # a usual deck: what reads badly is no index, or a poor one, whichever way it is turned
    ways = _every_way(reader, image, detections, reads)
    if ways is None:
        return detections, reads
    tried, found, chosen = ways
    rows = np.arange(len(detections))
    rank, suit, log_rank, log_suit, log_index = (
        np.stack([getattr(one, name) for one in group])[chosen, rows]
        for group, names in ((tried, ("rank_xy", "suit_xy")), (found, ("log_rank", "log_suit", "log_index")))
        for name in names
    )
    return Detections(detections.boxes, weight, rank, suit), Reads(log_rank, log_suit, log_index)


def _every_way(
    reader: Reader, image: Image, detections: Detections, reads: Reads
) -> tuple[list[Detections], list[Reads], NDArray[np.int64]] | None:
    """Detections and reads by each of `PLACES`, and which one each index follows; None for a usual deck."""
    tried = [detections, *(turned(detections, place) for place in PLACES[1:])]
    found = [reads, *(reader.read(image, one) for one in tried[1:])]
    readable_as = np.stack([readable(one) for one in found])
    chosen = choose_places(readable_as, detections.confidence)
    votes = detections.confidence * readable_as.max(axis=0)
    return None if votes[chosen == 0].sum() >= TUNING.usual_deck_share * votes.sum() else (tried, found, chosen)


def count_readable(detections: Detections, reads: Reads) -> float:
    """How many indices can be read, each weighed by how surely it is one and how surely its rank is told."""
    return float((readable(reads) * detections.confidence).sum()) if len(detections) else 0.0


def readable(reads: Reads) -> Floats:
    """(n,) probability that each read is of an upright index and names its rank rightly."""
    return np.asarray(np.exp(reads.log_index + reads.log_rank.max(axis=1)), np.float32)


def choose_places(readable_as: Floats, weight: Floats) -> NDArray[np.int64]:
    """(n,) which of `PLACES` each index of a photo is best read by, weighed by how many others are.

    Args:
        readable_as: (4, n) how readable each index is by each place, 0 to 1.
        weight: (n,) how much each index counts, 0 to 1.

    >>> turned, either = [0.0, 0.9, 0.0, 0.0], [0.9, 0.9, 0.0, 0.0]
    >>> choose_places(np.array([turned, turned, turned, turned, either]).T, np.ones(5)).tolist()
    [1, 1, 1, 1, 1]
    >>> choose_places(np.array([either]).T, np.ones(1)).tolist()
    [0]
    """
    usual = np.array([TUNING.below_indices, *[TUNING.elsewhere_indices] * (len(PLACES) - 1)])
    share = usual / usual.sum()
    votes = weight * readable_as.max(axis=0)
    sure = np.clip(readable_as, TUNING.least_probability, 1 - TUNING.least_probability)
    odds = sure / (1 - sure)  # one turn is right, so the three others are not
    for _ in range(TUNING.rounds):
        part = share[:, None] * odds
        part /= part.sum(axis=0)
        share = usual + (part * votes).sum(axis=1)
        share /= share.sum()
    return np.asarray((share[:, None] * odds).argmax(axis=0), np.int64)


def turned(detections: Detections, place: Place) -> Detections:
    """The indices of a deck whose suit stands at `place`, with its cards' down from `rank_xy` to `suit_xy`.

    >>> found = Detections([[0, 0, 30, 10]], [0.9], [[5, 5]], [[25, 5]])  # the suit to the right of the rank
    >>> upright = turned(found, "right")
    >>> upright.rank_xy.tolist(), upright.suit_xy.tolist()
    ([[15.0, -5.0]], [[15.0, 15.0]])
    """
    middle = (detections.rank_xy + detections.suit_xy) / 2
    half = (detections.suit_xy - detections.rank_xy) @ np.asarray(DOWN[place], np.float32) / 2
    upper, lower = (np.asarray(point, np.float32) for point in (middle - half, middle + half))
    return Detections(detections.boxes, detections.confidence, upper, lower)
