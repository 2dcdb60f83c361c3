"""The solver's answer on a reading, with the probability that it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plumbing.clock import Clock
from plumbing.errors import CardsError
from solver.games import answer
from solver.position import Position
from solver.solution import Estimate, Limits, Solution, Verdict
from vision.confidence import WHOLE_STANDS_FROM, chance_of_whole
from vision.layout.vocabulary import CARDS
from vision.question import Question, QuestionKind, chance_without
from vision.reading import NO_HAND, Reading

RIVAL_WORK: Final = 200_000
"""States that the solver may visit for all rivals of a reading together: a second or less, a few hundred mostly."""
ESTIMATE_WORK: Final = 50_000
"""States that an estimate is counted as, since it does not say how many it visited."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The solver's answer on a reading.

    Attributes:
        answer: On the best reading; None where it is no legal position.
        error: Why there is no answer.
        verdict_probability: Probability that the best reading's verdict stands, over the likely readings; None
            where there is no verdict.
        ask: Number of the card whose check would settle the verdict most; None where none matters, or where both the
            card and the verdict are as good as sure.
        tried: How many readings were solved.
        is_announced: Whether a win or a proof of none may be said at all: the photo is readable, and
            `verdict_probability` is `WHOLE_STANDS_FROM` or more; for an estimate, whether the position stands.
    """

    answer: Solution | Estimate | None
    error: str = ""
    verdict_probability: float | None = None
    ask: int | None = None
    tried: int = 0
    is_announced: bool = False

    def to_json(self, reading: Reading) -> dict[str, Any]:
        """The answer's JSON object with the doubt about it."""
        body: dict[str, Any] = {} if self.answer is None else {"result": self.answer.to_json()}
        if self.error:
            body["error"] = self.error
        if self.answer is not None:
            body["said"] = self.is_announced
        if self.verdict_probability is not None:
            body["verdict_probability"] = round(self.verdict_probability, 4)
            card = None if self.ask is None else reading.cards[self.ask]
            body["ask"] = None if card is None else {"number": self.ask, "card": card.text, "zone": str(card.place)}
        return body


def judge(
    reading: Reading,
    limits: Limits | None = None,
    *,
    work: int = RIVAL_WORK,
    budget: float = 60.0,
    solve: Callable[[Position[Any], Limits], Solution | Estimate] = answer,
) -> Judged:
    """Could it have been won, and would a doubtful card change that?

    The likeliest readings are solved in the order of their probability until `work` is done, so that a slow machine
    says the same of a photo as a fast one. The verdict's probability is the share of those readings' probability that
    agrees with the best one's; what was not solved, and readings without a proved verdict, count against it by half.

    Args:
        reading: What was read.
        limits: Bounds of each search.
        work: States visited for all readings together, after the first.
        budget: Seconds for the same: a safety net, which counts of work reach long before.
        solve: The solver.
    """
    if (why := _why_no_answer(reading)) is not None:
        return Judged(None, error=why)
    assert reading.position is not None
    limits = limits or Limits()
    try:
        first = solve(reading.position, limits)
    except CardsError as error:
        return Judged(None, error=str(error))
    if not isinstance(first, Solution):
        return Judged(first, tried=1, is_announced=reading.position_probability >= WHOLE_STANDS_FROM)
    rivals = [(float(np.exp(relative)), other) for relative, other in reading.others]
    agree = total = 1.0
    settled: list[tuple[float, Position[Any], bool]] = []
    results = _answer_rivals([other for _, other in rivals], limits, work, budget, solve)
    for (weight, other), result in zip(rivals, results, strict=True):
        agreement = _agreement(first, result)
        agree, total = agree + weight * agreement, total + weight
        if result is not None:
            settled.append((weight, other, agreement == 1.0))
    left = _left_over(reading, rivals)
    # A verdict is right where the position is, whatever rivals there are.
    probability = max((agree + left / 2) / (total + left), reading.position_probability)
    probability = min(probability, chance_of_whole(chance_without(_unread(reading))))
    ask = _card_to_ask(reading, settled)
    if probability >= WHOLE_STANDS_FROM and not (ask is not None and reading.cards[ask].doubtful):
        ask = None  # neither the card nor the verdict is in doubt: a person has better things to do
    return Judged(first, "", probability, ask, 1 + len(settled), is_announced=probability >= WHOLE_STANDS_FROM)


def _unread(reading: Reading) -> list[Question]:
    """The questions about faces that nobody could read: none of the likely readings holds such a card."""
    return [question for question in reading.checks if question.kind is QuestionKind.UNREAD]


def _answer_rivals(
    positions: Sequence[Position[Any]],
    limits: Limits,
    work: int,
    budget: float,
    solve: Callable[[Position[Any], Limits], Solution | Estimate],
) -> Iterator[Solution | Estimate | None]:
    """The answer on each position as far as work and seconds go; None where there is none, or nothing is left."""
    clock = Clock()
    for position in positions:
        rest = budget - clock.seconds
        result = None
        if min(work, rest) > 0:
            within = Limits(min(rest, limits.time or rest), min(work, limits.nodes or work))
            result = _answer_or_none(position, within, solve)
        if result is not None:
            work -= result.stats.nodes if isinstance(result, Solution) else ESTIMATE_WORK
        yield result


def _agreement(first: Solution, other: Solution | Estimate | None) -> float:
    """How far another reading's answer agrees with the first one's: 1, or 0, or a half where nothing is proved."""
    if not isinstance(other, Solution):
        return 0.5
    if other.verdict == first.verdict:
        return 1.0
    return 0.5 if other.verdict is Verdict.UNKNOWN else 0.0


def _why_no_answer(reading: Reading) -> str | None:
    """Why nothing can be answered on a reading; None where the solver may be asked."""
    if not reading.readable.ok:
        return "; ".join(reading.readable.reasons)
    if reading.game == CARDS:
        return "the cards lie as in no game that is known here"
    if reading.position is None or reading.problems:
        return "; ".join(reading.problems) or "no position was found in the photo"
    return NO_HAND if reading.lacks_hand else None


def _answer_or_none(
    position: Position[Any], limits: Limits, solve: Callable[[Position[Any], Limits], Solution | Estimate]
) -> Solution | Estimate | None:
    try:
        return solve(position, limits)
    except CardsError:
        return None


def _left_over(reading: Reading, rivals: Sequence[tuple[float, Position[Any]]]) -> float:
    """Probability, relative to the best reading's 1, that is in no listed reading."""
    if reading.position_probability < 1e-3:
        return 999.0
    return max(0.0, 1 / reading.position_probability - 1 - sum(weight for weight, _ in rivals))


def _card_to_ask(reading: Reading, settled: Sequence[tuple[float, Position[Any], bool]]) -> int | None:
    """The card that differs in most of the probability of readings with another verdict."""
    if reading.position is None:
        return None
    weight_of: dict[int, float] = {}
    own = Counter(reading.position.cards())
    for weight, other in ((weight, other) for weight, other, same in settled if not same):
        theirs = Counter(other.cards())
        for number, card in enumerate(reading.cards):
            if card.card is not None and theirs[card.card] < own[card.card]:
                weight_of[number] = weight_of.get(number, 0.0) + weight * (1 - card.confidence + 1e-6)
    return max(weight_of, key=weight_of.__getitem__) if weight_of else None
