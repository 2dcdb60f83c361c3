"""A Klondike table that is given up, and the photos on which its hidden cards are turned over.

Columns are turned over in place, or their hidden cards are fanned by themselves, column by column; the stock is fanned
such that the card that would be turned first lies lowest, in one row or two, beside the columns or in a photo of its
own.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from datasets.decks.deck_choice import choose_deck
from datasets.games.game import first_legal, scene_of
from datasets.layouts import Part, Shape
from datasets.layouts.dealer import Dealer
from datasets.layouts.geometry import Block, Cards, moved
from datasets.picture_tools import Image, Rng
from datasets.scenes.several_photos import LaidTable
from datasets.scenes.turns import shoot
from datasets.scenes.whole_tables import render_table
from datasets.splits import Split
from solver.cards import DECK
from solver.klondike import Position
from solver.klondike.chances import completions


def given_up(rng: Rng) -> tuple[Position, Position]:
    """A position as a photo shows it, and the same with every card known."""
    seen = Position.from_json(first_legal(lambda: scene_of(Position.game).random_position(rng)))
    return seen, next(completions(seen, Random(int(rng.integers(2**31)))))


def photograph_turned_over(
    rng: Rng, split: Split, seen: Position, deal: Position, size: tuple[int, int], strength: float = 0.7
) -> list[Image]:
    """The photo of the table as it was, and one or two of the cards turned over.

    With test decks the table is laid in a way that no training sees.
    """
    deck = choose_deck(rng, split, 0.5)
    part: Part = "held out" if split == "test" else "train"
    table, _ = render_table(
        rng, split, Position.game, size, position=seen.to_json(), part=part, deck=deck, strength=strength
    )
    dealer = Dealer(rng, {}, Shape.of(deck, DECK))
    columns = _in_place(dealer, deal) if dealer.coin() else _fanned(dealer, deal)
    stock = _stock(dealer, deal)
    shots: list[Cards] = [columns, stock]
    if columns and stock and dealer.coin():
        below = dealer.extent(columns)[3] - dealer.extent(stock)[1] + dealer.uniform(0.3, 0.8)
        shots = [[*columns, *moved(stock, 0.0, below)]]
    surface = int(rng.integers(2**31))
    laid = LaidTable(Position.game, split, deck, {}, (), surface)
    return [table, *(shoot(rng, replace(laid, cards=tuple(cards)), size, strength) for cards in shots if cards)]


def _in_place(dealer: Dealer, deal: Position) -> Cards:
    """All cards of the columns face up, where they lie."""
    step = dealer.down(0.28, 0.42)
    pitch = dealer.uniform(1.1, 1.4)
    placed = Cards()
    for number, column in enumerate(deal.columns):
        words = [str(card) for card in (*column.down, *column.up)]
        placed += dealer.column(words, f"column/{number}", [step]).at(number * pitch, 0.0)
    return placed


def _fanned(dealer: Dealer, deal: Position) -> Cards:
    """The hidden cards of each column as a row: side by side, or below each other."""
    step = dealer.aside(0.28, 0.42)
    rows = [dealer.row([str(card) for card in column.down], "none", step) for column in deal.columns if column.down]
    return _side_by_side(dealer, rows) if dealer.coin(0.4) else _below(dealer, rows)


def _side_by_side(dealer: Dealer, blocks: list[Block]) -> Cards:
    placed, x = Cards(), 0.0
    for block in blocks:
        placed += block.at(x, 0.0)
        x += block.width + dealer.uniform(0.15, 0.5)
    return placed


def _below(dealer: Dealer, blocks: list[Block]) -> Cards:
    placed, y = Cards(), 0.0
    for block in blocks:
        placed += block.at(dealer.normal(0.1), y)
        y += block.height + dealer.uniform(0.1, 0.3)
    return placed


def _stock(dealer: Dealer, deal: Position) -> Cards:
    """The stock in a row, or in two of which the upper one is turned first; anything of it that lies in the waste."""
    words = [str(card) for card in deal.stock]
    step = dealer.aside(0.25, 0.4)
    if len(words) < 14 or dealer.coin():
        return dealer.row(words, "stock", step).at(0.0, 0.0) if words else Cards()
    half = len(words) // 2
    return _below(dealer, [dealer.row(words[:half], "stock", step), dealer.row(words[half:], "stock", step)])
