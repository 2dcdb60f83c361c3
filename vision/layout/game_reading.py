"""What a layout module hands on: every card in its zone, with its posterior, and the position they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from solver.cards import Card, MaybeCard, card_text
from solver.place import NOWHERE, Place
from solver.position import Position
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.confidence import PART_SURE_FROM
from vision.layout.constrained_decoding import Decoded, Option, Problem
from vision.layout.vocabulary import FACE_DOWN, NONE, zone_of_card
from vision.question import Question, QuestionKind, ask_where, chance_without


@dataclass(frozen=True, slots=True)
class ZoneTuning:
    """When the zones of cards are weighed again.

    Attributes:
        most_cards_weighed: Cards whose zones are weighed again, at most.
        settled_probability: A zone so probable is not weighed again.
        doubted_card_probability: What is less likely to be a card at all is never a sure one.
        broken_probability: That a card lies as it seems and breaks a rule of its game.
        offered_probability: A zone that is less probable is not offered as an answer, but for the likeliest other one.
    """

    most_cards_weighed: int = 6
    settled_probability: float = 0.995
    doubted_card_probability: float = 0.5
    broken_probability: float = 0.005
    offered_probability: float = 0.001


TUNING: Final = ZoneTuning()


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card of the position.

    Attributes:
        card: Its identity, None where the photo does not tell it.
        place: Where it lies.
        seen: Its row in the table's cards, None for a card that was inferred and not seen.
        confidence: Posterior probability of the identity, 0 to 1.
        alternatives: Next likeliest identities with their posterior probabilities, best first.
        why: What decoding changed against the plain read, in words; empty where nothing.
        by_looks: Of a card that was left out, the probability that it is one, and this one, by its looks alone.
    """

    card: MaybeCard
    place: Place
    seen: int | None
    confidence: float = 1.0
    alternatives: tuple[tuple[Card, float], ...] = ()
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


@dataclass(frozen=True, slots=True)
class GameReading:
    """A table understood as one game's position.

    Attributes:
        game: The game's word.
        position: The position, legal or not; None where the cards alone were asked for.
        placed: Its cards.
        back_places: Where each of the table's backs lies; empty where none does.
        notes: What the photo cannot show, or what could not be made legal, one sentence each.
        checks: What a person should look at besides doubtful cards.
        readings: Further likely readings: log-probability relative to the best, and the position.
        doubts: Where its cards may lie otherwise, or others be hidden than it says: a question each with its `doubt`,
            most of them too small to be asked.
    """

    game: str
    position: Position[Any] | None
    placed: tuple[PlacedCard, ...]
    back_places: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    checks: tuple[Question, ...] = ()
    readings: tuple[tuple[float, Position[Any]], ...] = field(default=(), compare=False)
    doubts: tuple[Question, ...] = ()

    @property
    def sure(self) -> float:
        """Probability that all cards lie where it says, and that as many are hidden; 0 to 1."""
        return chance_without(self.doubts)


def numbers_of(placed: Sequence[PlacedCard], rows: Iterable[int]) -> tuple[int, ...]:
    """The numbers of cards of a table among those that were placed, from their rows."""
    number = {card.seen: n for n, card in enumerate(placed)}
    return tuple(number[row] for row in rows if row in number)


def argmax_log_probs(log_card: Array) -> Array:
    """Reads without doubt: the best identity certain, the rest next to impossible. For evaluations without decoding."""
    hard = np.full_like(log_card, -60.0)
    if len(hard):
        hard[np.arange(len(hard)), log_card.argmax(1)] = 0.0
    return hard


def place(table: SeenTable, decoded: Decoded, seen: int, identity: int, zone: str) -> PlacedCard:
    """A seen card in its zone, with the posterior that decoding gave it."""
    belief = decoded.posteriors[seen]
    read, card = table.cards[seen].best, Card.from_index(identity)
    why = "" if read == card else f"read as {read}, the rules leave {card}"
    listed = [(Card.from_index(c), p) for c, p in belief.alternatives if c != identity]
    confidence, others = table.cards[seen].with_dispute(card, belief.confidence, listed)
    chance = _chance_of_a_card(table, seen)
    others = tuple((other, chance * p) for other, p in others)
    return PlacedCard(card, Place.parse(zone), seen, confidence * chance, others, why)


def unzoned(table: SeenTable, seen: int) -> PlacedCard:
    """A seen card that the layout has no place for, as it was read."""
    card = table.cards[seen]
    return PlacedCard(card.best, NOWHERE, seen, card.belief()[0] * _chance_of_a_card(table, seen))


def _chance_of_a_card(table: SeenTable, seen: int) -> float:
    """Probability that there is a card where one was placed, 1 where more speaks for it than against it.

    The rules say what a card must be, and so make even a joker's corner or a letter on a page a certain card. What is
    more likely none than one is asked about.
    """
    chance = table.cards[seen].is_card
    return chance if chance < TUNING.doubted_card_probability else 1.0


def left_out(table: SeenTable, seen: int) -> PlacedCard:
    """A seen card that decoding left out, because the rest makes more sense without it: never sure, always shown."""
    card = table.cards[seen]
    by_looks = min(card.belief()[0], card.is_card)
    why = "left out: without it the rest fits better"
    return PlacedCard(card.best, NOWHERE, seen, min(by_looks, 0.5), (), why, by_looks)


def left_out_penalty(chosen: Sequence[Option], log_zone: Array) -> float:
    """Log-price of the cards that an explanation leaves out though they seem to lie somewhere."""
    return sum(
        float(log_zone[o.covers[0], -1]) for o in chosen if isinstance(o.meaning, tuple) and o.meaning[0] == NONE
    )


def doubts_of_zones(
    problem: Problem,
    decoded: Decoded,
    log_zone: Array,
    names: Sequence[str],
    placed: Sequence[PlacedCard],
    broken: float = TUNING.broken_probability,
) -> Iterator[Question]:
    """Which cards may lie in another zone than decoding chose for them, each with its probability.

    A card that may well lie elsewhere is looked at again: the best explanation in which it does not lie where it was
    put tells how likely that is. Zones that decoding never weighed count with what the network gives them.

    Args:
        problem: What was decoded; the options' `meaning` begins with the zone.
        decoded: Its optimum.
        log_zone: (n, zones) log-probabilities of each card's zone.
        names: The zones' names.
        placed: The cards as they were placed.
        broken: Probability that a card lies as it seems and breaks a rule; 0 where options of the problem tell of that.
    """
    number = {name: k for k, name in enumerate(names)}
    card_of = {card.seen: (n, card) for n, card in enumerate(placed)}
    for weighed_before, (log_chance, n, zone) in enumerate(_unsure(problem, decoded, log_zone, number)):
        row = problem.options[n].covers[0]
        offered = _offered(problem, row, number)
        weighed = min(1.0, float(np.exp(log_zone[row, offered]).sum()))
        if weighed_before >= TUNING.most_cards_weighed:
            chance = float(np.exp(log_chance))
        else:
            chance = weighed / (1 + (_odds_elsewhere(problem, decoded, problem.options[n]) if len(offered) > 1 else 0))
        # However sure the rules are of it: a card that plainly lies elsewhere may break them.
        chance /= 1 + broken * float(np.expm1(-log_chance))
        if row in card_of and card_of[row][1].place != NOWHERE:
            ranked = np.argsort(-log_zone[row]).tolist()
            ranked = [k for k in ranked if k != zone and names[k] not in (NONE, *FACE_DOWN)]
            likely = [k for k in ranked if log_zone[row, k] > np.log(TUNING.offered_probability)]
            others = [names[k] for k in likely or ranked[:1]]
            yield ask_about_zone(*card_of[row], others[:2], 1 - chance)


def ask_about_zone(number: int, card: PlacedCard, others: Sequence[str], doubt: float) -> Question:
    """The question where a card lies."""
    text = ask_where(card.text, card.place)
    known = others if card.card is None else [zone_of_card(other, card.card.index) for other in others]
    choices = (str(card.place), *known)
    return Question(QuestionKind.ZONE, text, card.place, choices, (number,), doubt=round(doubt, 4))


def _zone_of(option: Option) -> str:
    """The zone in which an option puts its card; empty for a meld, which covers several cards."""
    return str(option.meaning[0]) if len(option.covers) == 1 and isinstance(option.meaning, tuple) else ""


def _unsure(
    problem: Problem, decoded: Decoded, log_zone: Array, number: Mapping[str, int]
) -> list[tuple[float, int, int]]:
    """The chosen options whose card may well lie elsewhere: log-probability of the zone, option, zone; surest last."""
    found = []
    for n in decoded.chosen:
        option = problem.options[n]
        zone = number.get(_zone_of(option))
        if zone is not None and (chance := float(log_zone[option.covers[0], zone])) < np.log(
            TUNING.settled_probability
        ):
            found.append((chance, n, zone))
    return sorted(found)


def _offered(problem: Problem, card: int, number: Mapping[str, int]) -> list[int]:
    """Numbers of the zones that decoding weighed for a card."""
    names = {_zone_of(option) for option in problem.options if option.covers == (card,)}
    return sorted(number[name] for name in names & set(number))


def _odds_elsewhere(problem: Problem, decoded: Decoded, option: Option) -> float:
    """Odds of the best explanation in which an option's card does not lie where it was put, against the best one."""
    banned = [k for k, o in enumerate(problem.options) if o.covers == option.covers and o.meaning == option.meaning]
    again = problem.solve(banned)
    return 0.0 if again is None else float(np.exp(min(again[0] - decoded.score, 0.0)))
