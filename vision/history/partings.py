"""Where the likeliest histories part, as questions that somebody who was there can answer.

The search keeps few rivals of the likeliest history. So each stretch between two photos is searched once more, from the
table before it alone: a card that came into sight may have lain under a column, or come from the stock; a column may
hold other cards. The likeliest other way is what a person is asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from solver.cards import Card
from solver.place import Place
from vision.history.lattice import Edge, History
from vision.history.moves_between import find_moves
from vision.history.sight import STOCK, TableSight
from vision.history.table_state import FIRST_LABEL, Bindings, TableState
from vision.question import Question, QuestionKind

LEAST_DOUBT: Final = 0.002
"""Nothing is asked whose other answer is less likely."""
MOST_CHOICES: Final = 4
Origins = Mapping[int, int]
"""For cards that came into sight the column in which they lay face down, or STOCK."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Where another history may begin.

    Attributes:
        photo: The number of the photo after it.
        question: What is asked of it.
    """

    photo: int
    question: Question


def find_partings(history: History, files: Sequence[str]) -> list[Parting]:
    """The questions about a history whose answers may change it, the most doubtful first.

    Args:
        history: The history.
        files: The names of its photos.
    """
    before = history.layers[0][history.path[0]].state
    found: list[Parting] = []
    last = ""
    for photo, (edge, state) in enumerate(zip(history.edges[: len(files)], history.states, strict=False)):
        if edge.left_out:
            continue
        span = f"between {last} and {files[photo]}" if last else f"before {files[photo]}"
        found += [
            Parting(photo, question) for question in _ask_of_step(before, edge, state, history.sights[photo], span)
        ]
        before, last = state, files[photo]
    return sorted(found, key=lambda parting: -(parting.question.doubt or 0.0))


def _ask_of_step(before: TableState, edge: Edge, state: TableState, sight: TableSight, span: str) -> Iterator[Question]:
    """Where the cards came from that came into sight from one table to the next, if they may have lain elsewhere."""
    said = {card for card, _ in sight.origins}
    said |= {card for label, card in edge.bindings if any(label in up for up in before.up)}  # those lay face up
    own = {card: column for card, column in origins_of(before, edge.bindings, state).items() if card not in said}
    ends = find_moves([before], sight)[0] if own else []
    ways = [(exp(end.score - ends[0].score), origins_of(before, end.bindings, end.state)) for end in ends]
    ways = [(weight, way) for weight, way in ways if own.keys() <= way.keys()]
    total = sum(weight for weight, _ in ways)
    open_ = [k for k in own if sum(weight for weight, way in ways if way[k] != own[k]) > LEAST_DOUBT * total]
    if not open_:
        return
    weights: dict[str, float] = defaultdict(float)
    for weight, way in ways:
        weights[_in_words(way, open_)] += weight / total
    told = _in_words(own, open_)
    choices = (told, *sorted(weights.keys() - {told}, key=lambda text: -weights[text])[: MOST_CHOICES - 1])
    place = next((Place("column", column) for column in own.values() if column != STOCK), Place("stock"))
    doubt = round(1 - weights[told], 4)
    yield Question(QuestionKind.CARD, f"{span}, was it {'; or '.join(choices)}?", place, choices, doubt=doubt)


def _in_words(way: Origins, cards: Sequence[int]) -> str:
    """Where cards came from, as an answer says it."""
    origins = ((Card.from_index(card), way[card]) for card in cards)
    return ", ".join(f"{card} from {'the stock' if k == STOCK else f'column {k + 1}'}" for card, k in origins)


def origins_of(before: TableState, bindings: Bindings, after: TableState) -> dict[int, int]:
    """Where the cards lay that came into sight between two tables."""
    where = {label: k for k in range(len(before.down)) for label in (*before.down[k], *before.up[k])}
    found = {card: where[label] for label, card in bindings if label in where}
    new = (card for card in range(FIRST_LABEL) if after.known & ~before.known & 1 << card)
    return {card: found.get(card, STOCK) for card in new}
