"""Where the likeliest histories part, as questions that somebody who was there can answer.

The search keeps few rivals of the likeliest history. So each stretch between two photos is searched once more, from the
table before it alone: a card that came into sight may have lain under a column, or come from the stock; a column may
hold other cards. The likeliest other way is what a person is asked about. All stretches together tell how likely it is:
what columns hid has to add up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solver.place import Place
from vision.history.answers import say_origins
from vision.history.count_evidence import CountEvidence, Counts, Stretch
from vision.history.sight import STOCK
from vision.question import Question, QuestionKind

LEAST_DOUBT: Final = 0.002
"""Nothing is asked whose other answer is less likely."""
MOST_CHOICES: Final = 4
UNLIKELY: Final = 0.05
"""A way that all other stretches speak against counts with this share of its weight at least: they may be wrong too."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Where another history may begin.

    Attributes:
        photo: The number of the photo after it.
        question: What is asked of it.
    """

    photo: int
    question: Question


def find_partings(evidence: CountEvidence, files: Sequence[str]) -> list[Parting]:
    """The questions about a history whose answers may change it, the most doubtful first.

    Args:
        evidence: What may have happened before each photo.
        files: The names of the photos.
    """
    found: list[Parting] = []
    last = ""
    for photo, (stretch, chances) in enumerate(zip(evidence.stretches, evidence.chances, strict=True)):
        if stretch.is_told:
            span = f"between {last} and {files[photo]}" if last else f"before {files[photo]}"
            found += [Parting(photo, question) for question in _ask_of_stretch(stretch, chances, span)]
            last = files[photo]
    return sorted(found, key=lambda parting: -(parting.question.doubt or 0.0))


def _ask_of_stretch(stretch: Stretch, chances: Mapping[Counts, float], span: str) -> Iterator[Question]:
    """Where the cards came from that came into sight from one table to the next, if they may have lain elsewhere."""
    own, offs = stretch.own, stretch.offs
    shares = {off: max(chances.get(off, 0.0), UNLIKELY * share) for off, share in offs.items()}
    total = sum(shares.values())
    ways = [(way.weight / offs[way.off] * shares[way.off] / total, way.origins) for way in stretch.ways]
    open_ = [k for k in own if sum(weight for weight, way in ways if way[k] != own[k]) > LEAST_DOUBT]
    if not open_:
        return
    weights: dict[str, float] = defaultdict(float)
    for weight, way in ways:
        weights[say_origins((card, way[card]) for card in open_)] += weight
    told = say_origins((card, own[card]) for card in open_)
    others = sorted(weights.keys() - {told}, key=lambda text: (-weights[text], text))
    choices = (told, *others[: MOST_CHOICES - 1])
    place = next((Place("column", column) for column in own.values() if column != STOCK), Place("stock"))
    doubt = round(1 - weights[told], 4)
    yield Question(QuestionKind.ORIGIN, f"{span}, was it {'; or '.join(choices)}?", place, choices, doubt=doubt)
