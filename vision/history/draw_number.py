"""How many cards are turned at a time, by what the waste shows in all photos of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.history.answers import DRAW_PLACE
from vision.history.doubts import OPEN_DOUBT
from vision.history.lattice import History
from vision.history.sight import TableSight
from vision.history.stock_order import ONE, THREE, Draws, ShownWaste, turn_by
from vision.history.table_state import GAP
from vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class NumberTuning:
    """When the number is taken for another one, and when it is asked.

    Attributes:
        fewer: The number that a history takes is doubted where the other one needs so many draws fewer to show all that
            it tells.
        times, more: A number is told without a question where the other one needs so many times the draws, and so many
            more. A history bends what it tells to its own number, and between two photos any number of draws may lie,
            so that less says little.
        threes: Whoever turns one card at a time hardly turns a multiple of three between so many pairs of photos in a
            row.
    """

    fewer: float = 10.0
    times: float = 2.5
    more: float = 20.0
    threes: int = 4


TUNING: Final = NumberTuning()


def doubt_draw(history: History, sights: Sequence[TableSight | None]) -> int | None:
    """The other number of cards that may be turned at a time, if it shows all far more readily; None else.

    The search for a history takes any card of the stock to be within reach, and fewer draws for likelier. So it often
    takes three at a time where one is turned. What it then tells of the waste needs many draws by three at a time.
    """
    one, three = _turn_by_each(history, sights)
    own, other = (one, three) if history.states[0].stock_waste.draw == ONE else (three, one)
    is_likelier = other.price + TUNING.fewer < own.price or (own is one and _are_threes(one, three))
    return other.draw if is_likelier else None


def _are_threes(one: Draws, three: Draws) -> bool:
    """Whether one card at a time was turned thrice or a multiple of it each time, and three at a time show all."""
    counts = [count for count in one.counts if count]
    return not three.broken and len(counts) >= TUNING.threes and all(count % THREE == 0 for count in counts)


def choose_draw(history: History, sights: Sequence[TableSight | None], asked: bool) -> tuple[Draws, list[Question]]:
    """How the stock was turned, and the question where the waste does not tell how many cards at a time.

    Args:
        history: The history.
        sights: What its photos show.
        asked: Whether the number may be asked for; else it is known.
    """
    said = history.states[0].stock_waste.draw
    if not asked:
        return turn_by(said, history.states[0], shown_wastes(history, sights)), []
    one, three = _turn_by_each(history, sights)
    fits_three = not three.broken or three.price < one.price
    draws = three if said == THREE and fits_three else one
    if draws.draw == said and _is_told(draws, three if said == ONE else one):
        return draws, []
    text = "the waste does not tell how many cards are turned at a time: 1 or 3?"
    return draws, [Question(QuestionKind.DRAW, text, DRAW_PLACE, ("1", "3"), doubt=OPEN_DOUBT)]


def _is_told(own: Draws, other: Draws) -> bool:
    """Whether a number shows all with about a draw for each card that comes to light, and the other one far worse."""
    shows_all = not own.broken and sum(own.counts) <= len(own.counts)
    return shows_all and other.price >= max(TUNING.times * own.price, own.price + TUNING.more)


def _turn_by_each(history: History, sights: Sequence[TableSight | None]) -> tuple[Draws, Draws]:
    """How the stock was turned by one card at a time, and by three."""
    first, wastes = history.states[0], shown_wastes(history, sights)
    return turn_by(ONE, first, wastes), turn_by(THREE, first, wastes)


def shown_wastes(history: History, sights: Sequence[TableSight | None]) -> tuple[ShownWaste, ...]:
    """What each photo shows of stock and waste, as the history takes it, and what happened before."""
    found = []
    is_turned_over = False
    for edge, state, sight in zip(history.edges, history.states, sights, strict=False):
        for event in edge.events:
            is_turned_over = event.kind == "redeal" or (is_turned_over and event.turned is None)
        if sight is None or edge.left_out:
            found.append(ShownWaste(edge.events))
            continue
        waste = state.stock_waste.waste
        known = waste[len(waste) - waste[::-1].index(GAP) :] if GAP in waste else waste
        shown = known[-len(sight.waste) :] if sight.waste else ()
        found.append(ShownWaste(edge.events, shown, sight.stock, is_empty=not waste and not is_turned_over))
    return tuple(found)
