"""How a card comes to the top of the waste and leaves it, and what the draws cost that bring it there."""

from __future__ import annotations

from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from vision.history.search_node import TUNING
from vision.history.table_state import MOST_KEPT, StockWaste, Turned, play_top, turn_to, turn_to_unseen


class Played(NamedTuple):
    """A way in which a card comes to the waste's top and leaves it.

    Attributes:
        price: Its log-probability, but for which of the unseen cards it is.
        stock_waste: Stock and waste without the card.
        turned: How it came to the top.
    """

    price: float
    stock_waste: StockWaste
    turned: Turned


@lru_cache(MOST_KEPT)
def play_waste(stock_waste: StockWaste, card: int, is_new: bool) -> tuple[Played, ...]:
    """The ways in which a card, a new one where nobody has seen it, comes to the waste's top and leaves it."""
    ways = []
    for turned in (turn_to_unseen if is_new else turn_to)(stock_waste, card):
        price = price_turned(turned) + (_log_chance_to_come(turned) if is_new else 0.0)
        ways.append(Played(price, play_top(turned.stock_waste), turned))
    return tuple(ways)


def price_turned(turned: Turned) -> float:
    """The log-price of the draws that bring a card to the top of the waste."""
    draw = turned.stock_waste.draw
    uncovered = TUNING.uncovered if turned.uncovered and draw == 1 else 0.0
    return TUNING.draw * -(-turned.draws // draw) + TUNING.redeal * turned.redealt + uncovered


def _log_chance_to_come(turned: Turned) -> float:
    """Log-probability that draws, of which each shows another one, go on until one unseen card of the stock comes."""
    if turned.uncovered:
        return 0.0
    goes_on_no_more = log(1 - exp(TUNING.draw))
    return goes_on_no_more + log_weight_of_draws(turned.stock_waste.unseen, turned.stock_waste.draw)


def log_weight_of_draws(unseen: int, draw: int) -> float:
    """Log-weight of all numbers of draws after which one more card than so many unseen ones may lie on top."""
    draws = -(-(unseen + 1) // draw)
    again = exp(TUNING.draw)
    return log(again * (1 - again**draws) / (1 - again))
