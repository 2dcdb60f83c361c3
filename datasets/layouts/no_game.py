"""Cards on a table that are no game of ours: games of others, cards put down, cards shown for a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from datasets.games.game import Position
from datasets.games.klondike import random_position
from datasets.layouts.blocks import (
    Block,
    Shape,
    apart,
    boxed,
    extent,
    in_lines,
    lay_column,
    lay_fan,
    lay_pile,
    lay_row,
    moved,
    turned,
)
from datasets.layouts.family import Family
from datasets.scenes.renderer import LaidCard, Rng
from solver.cards import DECK, Card

NONE: Final = "none"
DECK_BESIDE: Final = 0.35
"""How often the rest of the deck lies beside the cards."""


def draw(rng: Rng, count: int, decks: int = 1) -> list[Card]:
    """Cards from a shuffled deck, or several."""
    pile = list(DECK) * decks
    return [pile[k] for k in rng.permutation(len(pile))[:count]]


def _few(rng: Rng, position: Position, shape: Shape, *, most: int) -> list[LaidCard]:
    """One to a few single cards, turned anyhow."""
    count = int(rng.integers(1, most + 1))
    blocks = [Block((LaidCard(card, 0.5, shape.aspect / 2),), 1.0, shape.aspect) for card in draw(rng, count)]
    return apart(rng, blocks, shape.aspect, rng.uniform(1.3, 5), float(rng.choice([0.1, 0.5, np.pi])))


def _alike(rng: Rng) -> list[Card]:
    """Cards that one picks out to show them: all of a rank, a run of a suit, or a full house."""
    rank, suit = int(rng.integers(1, 14)), int(rng.integers(4))
    of_rank = [card for card in DECK if card.rank == rank]
    kind = rng.random()
    if kind < 0.6:
        return [of_rank[k] for k in rng.permutation(4)[: int(rng.choice([2, 3, 4], p=[0.15, 0.25, 0.6]))]]
    if kind < 0.85:
        length = int(rng.choice([3, 4, 5, 5, 13]))
        first = int(rng.integers(1, 15 - length))
        return [card for card in DECK if card.suit == suit and first <= card.rank < first + length]
    return [*of_rank[:3], *[card for card in DECK if card.rank == rank % 13 + 1][:2]]


def _row_or_fan(rng: Rng, cards: Sequence[Card], shape: Shape) -> Block:
    """Cards shown: whole in a row, upon one another in a row, or in a fan."""
    kind = rng.random()
    if kind < 0.4:
        return lay_row(rng, cards, NONE, shape, rng.uniform(1.0, 1.5))
    if kind < 0.75:
        return lay_row(rng, cards, NONE, shape, shape.aside(rng.uniform(0.2, 0.6)))
    return lay_fan(rng, cards, NONE, shape, rng.uniform(1.2, 3.5) * shape.aspect)


def _shown(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Cards picked out and shown, alone or with a few others."""
    groups = [_alike(rng) for _ in range(int(rng.choice([1, 2, 3], p=[0.65, 0.25, 0.1])))]
    used = {card for group in groups for card in group}
    rest = [card for card in draw(rng, 52) if card not in used][: int(rng.choice([0, 1, 2, 4], p=[0.6, 0.2, 0.1, 0.1]))]
    if rest and rng.random() < 0.5:
        groups.append(rest)
    else:
        groups[0] += rest
    blocks = []
    for group in groups:
        cards = group[::-1] if rng.random() < 0.5 else group
        blocks.append(_row_or_fan(rng, cards, shape))
    return apart(rng, blocks, shape.aspect, rng.uniform(1.1, 2.5), float(rng.choice([0.1, 0.5, np.pi])))


def _grid(
    rng: Rng, position: Position, shape: Shape, *, backs: float = 0.0, lines: tuple[int, int] = (2, 6)
) -> list[LaidCard]:
    """Rows of single cards; with `backs`, some face down, as in a memory game."""
    rows, columns = int(rng.integers(*lines)), int(rng.integers(2, 9))
    gap_x, gap_y = 1 + rng.uniform(0, 0.5), shape.aspect + rng.uniform(0, 0.5)
    crooked = rng.choice([0.01, 0.03, 0.08])
    cards = draw(rng, rows * columns)
    if rng.random() < 0.3:
        cards = sorted(cards)
    missing = rng.choice([0.0, 0.0, 0.15])
    return [
        LaidCard(
            None if rng.random() < backs else card,
            k % columns * gap_x + rng.normal(0, crooked),
            k // columns * gap_y + rng.normal(0, crooked),
            rng.normal(0, crooked),
        )
        for k, card in enumerate(cards)
        if rng.random() >= missing and k < 52
    ]


def _rows(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Some or all of a deck spread in overlapping rows, often sorted."""
    cards = draw(rng, int(rng.integers(12, 53)))
    if rng.random() < 0.6:
        cards = sorted(cards, key=lambda card: (card.suit, card.rank))
    size = int(rng.choice([5, 7, 10, 13]))
    step = shape.aside(rng.uniform(0.2, 0.6))
    blocks = [lay_row(rng, cards[k : k + size], NONE, shape, step) for k in range(0, len(cards), size)]
    return in_lines(rng, blocks, max(b.width for b in blocks) + 0.1, (0.2, rng.uniform(0.02, 0.5)))[0]


def _whole_deck(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A whole deck shown or counted: a row or column a suit, from ace to king or back."""
    suits = [list(DECK[13 * suit : 13 * suit + 13]) for suit in rng.permutation(4)]
    order = int(rng.choice([1, -1]))
    step = float(rng.choice([shape.aside(rng.uniform(0.2, 0.5)), rng.uniform(1.0, 1.15)]))
    if rng.random() < 0.75:
        rows = [lay_row(rng, cards[::order], NONE, shape, step) for cards in suits]
        return in_lines(rng, rows, rows[0].width + 0.1, (0.2, rng.uniform(0.02, 0.6)))[0]
    columns = [lay_column(rng, cards[::order], NONE, shape, [shape.down(rng.uniform(0.25, 0.45))]) for cards in suits]
    return in_lines(rng, columns, 99.0, (rng.uniform(0.05, 0.5), 0.0))[0]


def _columns(rng: Rng, position: Position, shape: Shape, *, backs: bool) -> list[LaidCard]:
    """Columns of overlapping cards that are no Klondike: all open (FreeCell), or more of them (Spider)."""
    spider = backs
    count = int(rng.choice([8, 10])) if spider else int(rng.choice([2, 3, 4, 5, 6, 8, 8, 9]))
    step = shape.down(rng.uniform(0.3, 0.5))
    deck = draw(rng, 104 if spider else 52, 2 if spider else 1)
    even = int(rng.integers(3, 8))
    placed: list[LaidCard] = []
    gap = 1 + rng.uniform(0.05, 0.5)
    for number in range(count):
        down = int(rng.integers(3, 6)) if spider else 0
        size = even + int(rng.integers(-1, 2)) * (rng.random() < 0.5) if not spider else int(rng.integers(1, 6))
        up = [deck.pop() for _ in range(min(max(size, 1), len(deck)))]
        steps = [*[rng.uniform(0.1, 0.25)] * down, step]
        placed += lay_column(rng, [*[None] * down, *up], NONE, shape, steps).at(number * gap, rng.normal(0, 0.02))
    if not spider and count == 8 and rng.random() < 0.6:
        placed += _cells_above(rng, deck, gap, shape)
    return placed


def _cells_above(rng: Rng, deck: list[Card], gap: float, shape: Shape) -> list[LaidCard]:
    """Cells and foundations in a row above eight columns, some of them empty."""
    placed = []
    for k in range(8 if deck else 0):
        if rng.random() < 0.6 and deck:
            placed.append(LaidCard(deck.pop(), (k + 0.5) * gap, -0.7 * shape.aspect - 0.2, rng.normal(0, 0.02)))
    return placed


def _fans(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """One to ten fans, as hands laid open or shown."""
    deck = draw(rng, 52)
    count = int(rng.choice([1, 1, 2, 3, 4, 6, 8, 10]))
    size = int(rng.integers(4, 14)) if count < 5 else int(rng.integers(3, 7))
    blocks = []
    for _ in range(count):
        cards = [deck.pop() for _ in range(min(size, len(deck)))]
        if len(cards) > 1:
            cards = sorted(cards) if rng.random() < 0.4 else cards
            blocks.append(lay_fan(rng, cards, NONE, shape, rng.uniform(1.2, 3.5) * shape.aspect))
    if rng.random() < 0.5:
        return apart(rng, blocks, shape.aspect, rng.uniform(1.3, 2.5), float(rng.choice([0.2, np.pi])))
    limit = max(sum(b.width for b in blocks) / max(1, round(np.sqrt(count))), max(b.width for b in blocks)) + 1
    return in_lines(rng, blocks, limit, (rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8)))[0]


def _hand(rng: Rng, cards: Sequence[Card], shape: Shape) -> Block:
    """A player's hand, open or face down, as a fan or a row."""
    is_open = rng.random() < 0.75
    step = shape.aside(rng.uniform(0.25, 0.5)) if len(cards) > 2 else float(rng.choice([0.5, 1.05]))
    shown = [card if is_open else None for card in cards]
    if len(cards) > 4 and rng.random() < 0.6:
        return lay_fan(rng, shown, NONE, shape, 2.2)
    return lay_row(rng, shown, NONE, shape, step)


def _board(rng: Rng, deck: list[Card], shape: Shape) -> list[LaidCard]:
    """Three to five open cards of a deck in a row about the origin."""
    cards = [deck.pop() for _ in range(min(int(rng.choice([3, 4, 5, 5])), len(deck)))]
    row = lay_row(rng, cards, NONE, shape, 1 + rng.uniform(0.02, 0.2))
    return moved(row.cards, -row.width / 2, -row.height / 2)


def _around(
    rng: Rng, position: Position, shape: Shape, *, size: tuple[int, int], seats: tuple[int, int], middle: str
) -> list[LaidCard]:
    """Hands before each player round a table, open or face down, and something in the middle."""
    deck = draw(rng, 52)
    players = int(rng.integers(*seats))
    radius = rng.uniform(2.5, 4.5)
    placed: list[LaidCard] = []
    held = int(rng.integers(*size))
    for seat in range(players):
        block = _hand(rng, [deck.pop() for _ in range(min(held, len(deck)))], shape)
        centred = moved(block.cards, -block.width / 2, radius - block.height / 2)
        placed += turned(centred, 2 * np.pi * seat / players + rng.normal(0, 0.08))
    if middle == "board":
        placed += _board(rng, deck, shape)
    elif middle == "trick":
        for k in range(min(players, len(deck))):
            placed += turned(
                [LaidCard(deck.pop(), rng.normal(0, 0.15), 0.7 + rng.normal(0, 0.1), rng.normal(0, 0.3))],
                2 * np.pi * k / players,
            )
    elif middle == "piles" and deck:
        placed += moved(lay_pile(rng, None, NONE, 2), -0.6, 0)
        placed += moved(lay_pile(rng, deck.pop(), NONE, 1), 0.6, 0)
    return placed


def _heap(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Cards thrown on a heap."""
    count, spread = int(rng.integers(5, 53)), rng.uniform(0.8, 3)
    backs = rng.choice([0.0, 0.0, 0.4])
    return [
        LaidCard(
            None if rng.random() < backs else card,
            rng.normal(0, spread),
            rng.normal(0, 0.8 * spread),
            rng.uniform(-np.pi, np.pi),
        )
        for card in draw(rng, count)
    ]


def _pyramid(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A pyramid of overlapping rows, stock and waste beside it."""
    deck = draw(rng, 52)
    rows = int(rng.integers(4, 8))
    gap, step = 1 + rng.uniform(0.02, 0.2), shape.aspect * rng.uniform(0.45, 0.6)
    placed = [
        LaidCard(deck.pop(), (k - row / 2) * gap + rng.normal(0, 0.02), row * step, rng.normal(0, 0.02))
        for row in range(rows)
        for k in range(row + 1)
    ]
    placed += moved(lay_pile(rng, None, NONE, 2), -rows / 2 * gap - 0.8, rng.uniform(0, rows) * step)
    if rng.random() < 0.7:
        placed += moved(lay_pile(rng, deck.pop(), NONE, 1), rows / 2 * gap + 0.8, rng.uniform(0, rows) * step)
    return placed


def _piles(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """A few piles, open or face down, and strays: a table before or after a game."""
    deck = draw(rng, 52)
    blocks = [
        boxed(
            lay_pile(rng, None if rng.random() < 0.5 else deck.pop(), NONE, int(rng.integers(0, 3)), 0.03), shape.aspect
        )
        for _ in range(int(rng.integers(1, 9)))
    ]
    return apart(rng, blocks, shape.aspect, rng.uniform(1.2, 4), float(rng.choice([0.1, 0.6, np.pi])))


def _broken_rows(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Rows and fans of cards that make no melds: rummy hands, tricks taken, cards sorted by somebody."""
    deck = draw(rng, 52)
    blocks = []
    for _ in range(int(rng.integers(2, 8))):
        cards = [deck.pop() for _ in range(min(int(rng.integers(2, 8)), len(deck)))]
        if not cards:
            break
        kind = rng.random()
        if kind < 0.6:
            blocks.append(lay_row(rng, cards, NONE, shape, shape.aside(rng.uniform(0.25, 0.6))))
        elif kind < 0.8:
            blocks.append(lay_column(rng, cards, NONE, shape, [shape.down(rng.uniform(0.3, 0.5))]))
        else:
            blocks.append(lay_row(rng, cards, NONE, shape, 1.05))
    if rng.random() < 0.4:
        blocks.append(boxed(lay_pile(rng, None, NONE, 2), shape.aspect))
    if rng.random() < 0.5:
        return apart(rng, blocks, shape.aspect, rng.uniform(1.3, 2.5))
    return in_lines(rng, blocks, rng.uniform(4, 9), (rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.6)))[0]


def _cut_out(rng: Rng, position: Position, shape: Shape) -> list[LaidCard]:
    """Cards picked up from a table under way: a part of one that leaves nothing to be told."""
    from datasets.layouts import klondike

    cards = klondike.lay(rng, random_position(rng), shape, klondike.Style())
    keep = [card for card in cards if card.card is not None]
    first = int(rng.integers(max(len(keep) - 2, 1)))
    return [LaidCard(c.card, c.x, c.y, c.angle) for c in keep[first : first + int(rng.integers(1, 4))]]


def _with_deck(rng: Rng, position: Position, shape: Shape, *, lay: Any) -> list[LaidCard]:
    """Often the rest of the deck lies beside, face down, and now and then a card apart."""
    cards: list[LaidCard] = lay(rng, position, shape)
    if rng.random() > DECK_BESIDE or not cards:
        return cards
    ends = extent(cards, shape.aspect)
    low, high = ends[:2], ends[2:]
    for _ in range(int(rng.choice([1, 1, 1, 2]))):
        at = rng.uniform(low, high)
        side = int(rng.integers(4))
        at[side % 2] = (low, high)[side // 2][side % 2] + (side // 2 * 2 - 1) * rng.uniform(0.6, 2.0)
        pile = lay_pile(rng, None, NONE, int(rng.integers(0, 3)))
        cards = cards + moved(turned(pile, float(rng.choice([0.0, 0.1, np.pi / 2]) + rng.normal(0, 0.2))), *at)
    return cards


def _family(name: str, lay: Any, weight: float = 1.0, **options: Any) -> Family:
    return Family(f"no game/{name}", None, partial(_with_deck, lay=partial(lay, **options)), weight=weight)


FAMILIES: Final = (
    _family("one to three cards", _few, 1.5, most=3),
    _family("scattered", _few, 2.0, most=16),
    _family("cards shown", _shown, 2.0),
    _family("rows of single cards", _grid, 2.0),
    _family("one or two lines", _grid, 1.0, lines=(1, 3)),
    _family("memory", _grid, 0.7, backs=0.7),
    _family("deck in rows", _rows, 1.5),
    _family("whole deck by suits", _whole_deck, 0.8),
    _family("open columns", _columns, 1.5, backs=False),
    _family("spider", _columns, 1.0, backs=True),
    _family("fans", _fans, 2.0),
    _family("poker", _around, 1.0, size=(2, 3), seats=(1, 7), middle="board"),
    _family("blackjack", _around, 1.0, size=(2, 4), seats=(1, 5), middle="none"),
    _family("tricks", _around, 1.0, size=(3, 14), seats=(2, 5), middle="trick"),
    _family("draw game", _around, 1.0, size=(3, 11), seats=(1, 5), middle="piles"),
    _family("heap", _heap, 1.0),
    _family("pyramid", _pyramid, 0.7),
    _family("piles", _piles, 1.0),
    _family("rows of no melds", _broken_rows, 2.0),
    _family("a few cards of a table", _cut_out, 0.7),
)
