"""Cards on a table that are no game of ours: games of others, cards put down, cards shown for a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import pi
from typing import Any, Final

import numpy as np

from datasets.games.game import foundation_top
from datasets.games.klondike import random_position
from datasets.layouts.authors import Anywhere, Neighbour, Newcomer, Stranger, Visitor
from datasets.layouts.dealer import EDGES, Dealer
from datasets.layouts.family import Recipe, families, lays
from datasets.layouts.geometry import Block, Cards, joined, moved, turned
from datasets.layouts.klondike import HouseKlondike, KlondikeStyle
from datasets.scenes.renderer import LaidCard
from solver.cards import DECK, RANK_CHARS, SUIT_CHARS, Card

NONE: Final = "none"
RED: Final = "DH"
DECK_BESIDE: Final = 0.35
"""How often the rest of the deck lies beside the cards."""


def rank_of(word: str) -> int:
    """0 for an ace, 12 for a king."""
    return RANK_CHARS.index(word[0])


class CardsDealer(Dealer):
    """The parts of games that are none of ours: which cards there are."""

    def draw(self, count: int = 999, decks: int = 1) -> list[Card]:
        """Cards from a shuffled deck, or several."""
        return self.mixed(list(DECK) * decks)[:count]

    def hidden(self, cards: Iterable[Card], chance: float) -> list[Card | None]:
        """Cards, each with a chance to lie face down."""
        return [None if self.coin(chance) else card for card in cards]


class HouseCards(CardsDealer):
    """What lies on tables otherwise."""

    def few(self, most: int) -> Cards:
        """One to a few single cards, turned anyhow."""
        cards = self.draw(self.count(1, most + 1))
        blocks = [Block((LaidCard(card, 0.5, self.aspect / 2),), 1.0, self.aspect) for card in cards]
        return self.apart(blocks, self.uniform(1.3, 5), self.pick(0.1, 0.5, pi))

    def _alike(self) -> list[Card]:
        """Cards that one picks out to show them: all of a rank, a run of a suit, or a full house."""
        rank, suit = self.count(1, 14), self.count(0, 4)
        of_rank = [card for card in DECK if card.rank == rank]
        kind = self.rng.random()
        if kind < 0.6:
            return self.mixed(of_rank)[: int(self.rng.choice([2, 3, 4], p=[0.15, 0.25, 0.6]))]
        if kind < 0.85:
            length = self.pick(3, 4, 5, 5, 13)
            first = self.count(1, 15 - length)
            return [card for card in DECK if card.suit == suit and first <= card.rank < first + length]
        return [*of_rank[:3], *[card for card in DECK if card.rank == rank % 13 + 1][:2]]

    def _row_or_fan(self, cards: Sequence[Card]) -> Block:
        """Cards shown: whole in a row, upon one another in a row, or in a fan."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.row(cards, NONE, self.uniform(1.0, 1.5))
        if kind < 0.75:
            return self.row(cards, NONE, self.aside(0.2, 0.6))
        return self.fan(cards, NONE, self.uniform(1.2, 3.5) * self.aspect)

    def shown(self) -> Cards:
        """Cards picked out and shown, alone or with a few others."""
        groups = [self._alike() for _ in range(int(self.rng.choice([1, 2, 3], p=[0.65, 0.25, 0.1])))]
        used = {card for group in groups for card in group}
        rest = [card for card in self.draw() if card not in used]
        rest = rest[: int(self.rng.choice([0, 1, 2, 4], p=[0.6, 0.2, 0.1, 0.1]))]
        if rest and self.coin():
            groups.append(rest)
        else:
            groups[0] += rest
        blocks = [self._row_or_fan(group[::-1] if self.coin() else group) for group in groups]
        return self.apart(blocks, self.uniform(1.1, 2.5), self.pick(0.1, 0.5, pi))

    def grid(self, backs: float = 0.0, lines: tuple[int, int] = (2, 6)) -> Cards:
        """Rows of single cards; with `backs`, some face down, as in a memory game."""
        rows, columns = self.count(*lines), self.count(2, 9)
        gap_x, gap_y = 1 + self.uniform(0, 0.5), self.aspect + self.uniform(0, 0.5)
        crooked = self.pick(0.01, 0.03, 0.08)
        cards = self.draw(rows * columns)
        if self.coin(0.3):
            cards = sorted(cards)
        missing = self.pick(0.0, 0.0, 0.15)
        placed = Cards()
        for k, card in enumerate(cards):
            if not self.coin(missing):
                face = None if self.coin(backs) else card
                x, y = k % columns * gap_x + self.normal(crooked), k // columns * gap_y + self.normal(crooked)
                placed.append(LaidCard(face, x, y, self.normal(crooked)))
        return placed

    def rows(self) -> Cards:
        """Some or all of a deck spread in overlapping rows, often sorted."""
        cards = self.draw(self.count(12, 53))
        if self.coin(0.6):
            cards = sorted(cards, key=lambda card: (card.suit, card.rank))
        size = self.pick(5, 7, 10, 13)
        step = self.aside(0.2, 0.6)
        blocks = [self.row(cards[k : k + size], NONE, step) for k in range(0, len(cards), size)]
        return self.in_lines(blocks, max(b.width for b in blocks) + 0.1, (0.2, self.uniform(0.02, 0.5)))[0]

    def whole_deck(self) -> Cards:
        """A whole deck shown or counted: a row or column a suit, from ace to king or back."""
        suits = [list(DECK[13 * suit : 13 * suit + 13]) for suit in self.mixed(range(4))]
        order = self.pick(1, -1)
        step = self.pick(self.aside(0.2, 0.5), self.uniform(1.0, 1.15))
        if self.coin(0.75):
            rows = [self.row(cards[::order], NONE, step) for cards in suits]
            return self.in_lines(rows, rows[0].width + 0.1, (0.2, self.uniform(0.02, 0.6)))[0]
        columns = [self.column(cards[::order], NONE, [self.down(0.25, 0.45)]) for cards in suits]
        return self.in_lines(columns, 99.0, (self.uniform(0.05, 0.5), 0.0))[0]

    def columns(self, spider: bool) -> Cards:
        """Columns of overlapping cards that are no Klondike: all open (FreeCell), or more of them (Spider)."""
        count = self.pick(8, 10) if spider else self.pick(2, 3, 4, 5, 6, 8, 8, 9)
        step = self.down(0.3, 0.5)
        deck = self.draw(decks=1 + spider)
        even = self.count(3, 8)
        placed = Cards()
        gap = 1 + self.uniform(0.05, 0.5)
        for number in range(count):
            down = self.count(3, 6) if spider else 0
            size = even + self.count(-1, 2) * self.coin() if not spider else self.count(1, 6)
            up = [deck.pop() for _ in range(min(max(size, 1), len(deck)))]
            steps = [*[self.uniform(0.1, 0.25)] * down, step]
            placed += self.column([*[None] * down, *up], NONE, steps).at(number * gap, self.normal(0.02))
        if not spider and count == 8 and self.coin(0.6):  # cells and foundations above, some of them empty
            for k in range(8 if deck else 0):
                if self.coin(0.6) and deck:
                    y = -0.7 * self.aspect - 0.2
                    placed.append(LaidCard(deck.pop(), (k + 0.5) * gap, y, self.normal(0.02)))
        return placed

    def fans(self) -> Cards:
        """One to ten fans, as hands laid open or shown."""
        deck = self.draw()
        count = self.pick(1, 1, 2, 3, 4, 6, 8, 10)
        size = self.count(4, 14) if count < 5 else self.count(3, 7)
        blocks = []
        for _ in range(count):
            cards = [deck.pop() for _ in range(min(size, len(deck)))]
            if len(cards) > 1:
                cards = sorted(cards) if self.coin(0.4) else cards
                blocks.append(self.fan(cards, NONE, self.uniform(1.2, 3.5) * self.aspect))
        if self.coin():
            return self.apart(blocks, self.uniform(1.3, 2.5), self.pick(0.2, pi))
        limit = max(sum(b.width for b in blocks) / max(1, round(np.sqrt(count))), max(b.width for b in blocks)) + 1
        return self.in_lines(blocks, limit, (self.uniform(0.2, 0.8), self.uniform(0.2, 0.8)))[0]

    def _hand(self, cards: Sequence[Card]) -> Block:
        """A player's hand, open or face down, as a fan or a row."""
        is_open = self.coin(0.75)
        step = self.aside(0.25, 0.5) if len(cards) > 2 else self.pick(0.5, 1.05)
        shown = [card if is_open else None for card in cards]
        if len(cards) > 4 and self.coin(0.6):
            return self.fan(shown, NONE, 2.2)
        return self.row(shown, NONE, step)

    def hands_around(self, size: tuple[int, int], seats: tuple[int, int], middle: str) -> Cards:
        """Hands before each player round a table, open or face down, and something in the middle."""
        deck = self.draw()
        players = self.count(*seats)
        radius = self.uniform(2.5, 4.5)
        placed = Cards()
        held = self.count(*size)
        for seat in range(players):
            block = self._hand([deck.pop() for _ in range(min(held, len(deck)))])
            centred = moved(block.cards, -block.width / 2, radius - block.height / 2)
            placed += turned(centred, 2 * pi * seat / players + self.normal(0.08))
        if middle == "board":
            cards = [deck.pop() for _ in range(min(self.pick(3, 4, 5, 5), len(deck)))]
            row = self.row(cards, NONE, 1 + self.uniform(0.02, 0.2))
            placed += moved(row.cards, -row.width / 2, -row.height / 2)
        elif middle == "trick":
            for k in range(min(players, len(deck))):
                card = LaidCard(deck.pop(), self.normal(0.15), 0.7 + self.normal(0.1), self.normal(0.3))
                placed += turned([card], 2 * pi * k / players)
        elif middle == "piles" and deck:
            placed += moved(self.pile(None, NONE, 2), -0.6, 0)
            placed += moved(self.pile(deck.pop(), NONE, 1), 0.6, 0)
        return placed

    def heap(self) -> Cards:
        """Cards thrown on a heap."""
        count, spread = self.count(5, 53), self.uniform(0.8, 3)
        backs = self.pick(0.0, 0.0, 0.4)
        return [
            LaidCard(
                None if self.coin(backs) else card,
                self.normal(spread),
                self.normal(0.8 * spread),
                self.uniform(-pi, pi),
            )
            for card in self.draw(count)
        ]

    def pyramid(self) -> Cards:
        """A pyramid of overlapping rows, stock and waste beside it."""
        deck = self.draw()
        rows = self.count(4, 8)
        gap, step = 1 + self.uniform(0.02, 0.2), self.aspect * self.uniform(0.45, 0.6)
        placed = [
            LaidCard(deck.pop(), (k - row / 2) * gap + self.normal(0.02), row * step, self.normal(0.02))
            for row in range(rows)
            for k in range(row + 1)
        ]
        placed += moved(self.pile(None, NONE, 2), -rows / 2 * gap - 0.8, self.uniform(0, rows) * step)
        if self.coin(0.7):
            placed += moved(self.pile(deck.pop(), NONE, 1), rows / 2 * gap + 0.8, self.uniform(0, rows) * step)
        return placed

    def piles(self) -> Cards:
        """A few piles, open or face down, and strays: a table before or after a game."""
        deck = self.draw()
        blocks = [
            self.boxed(self.pile(None if self.coin() else deck.pop(), NONE, self.count(0, 3), 0.03))
            for _ in range(self.count(1, 9))
        ]
        return self.apart(blocks, self.uniform(1.2, 4), self.pick(0.1, 0.6, pi))

    def broken_rows(self) -> Cards:
        """Rows and fans of cards that make no melds: rummy hands, tricks taken, cards sorted by somebody."""
        deck = self.draw()
        blocks = []
        for _ in range(self.count(2, 8)):
            cards = [deck.pop() for _ in range(min(self.count(2, 8), len(deck)))]
            if not cards:
                break
            kind = self.rng.random()
            if kind < 0.6:
                blocks.append(self.row(cards, NONE, self.aside(0.25, 0.6)))
            elif kind < 0.8:
                blocks.append(self.column(cards, NONE, [self.down(0.3, 0.5)]))
            else:
                blocks.append(self.row(cards, NONE, 1.05))
        if self.coin(0.4):
            blocks.append(self.boxed(self.pile(None, NONE, 2)))
        if self.coin():
            return self.apart(blocks, (1.3, 2.5))
        return self.in_lines(blocks, self.uniform(4, 9), (self.uniform(0.2, 0.8), self.uniform(0.1, 0.6)))[0]

    def cut_out(self) -> Cards:
        """Cards picked up from a table under way: a part of one that leaves nothing to be told."""
        cards = HouseKlondike(self.rng, random_position(self.rng), self.shape).lay(KlondikeStyle())
        keep = [card for card in cards if card.card is not None]
        first = self.count(0, max(len(keep) - 2, 1))
        return [LaidCard(c.card, c.x, c.y, c.angle) for c in keep[first : first + self.count(1, 4)]]

    def with_deck(self, lay: Callable[[HouseCards], Cards]) -> Cards:
        """Often the rest of the deck lies beside, face down, and now and then a card apart."""
        cards = lay(self)
        if not self.coin(DECK_BESIDE) or not cards:
            return cards
        ends = self.extent(cards)
        low, high = ends[:2], ends[2:]
        for _ in range(self.pick(1, 1, 1, 2)):
            at = self.rng.uniform(low, high)
            side = self.count(0, 4)
            at[side % 2] = (low, high)[side // 2][side % 2] + (side // 2 * 2 - 1) * self.uniform(0.6, 2.0)
            pile = self.pack(NONE, 2, 0.012)
            cards = cards + moved(turned(pile, self.pick(0.0, 0.1, pi / 2) + self.normal(0.2)), *at)
        return cards


class AnywhereCards(Anywhere, CardsDealer):
    """Any cards in any way."""

    @lays("no game/anywhere", weight=8.0)
    def anywhere(self) -> Cards:
        """Rows, fans, columns, squares and piles of any cards, wherever there is room."""
        decks = 1 + self.coin(0.3)
        cards = self.draw(self.count(3, 52 * decks), decks)
        if self.coin(0.35):
            cards = sorted(cards, key=lambda card: str(card)[:: self.pick(-1, 1)])
        backs = self.pick(0.0, 0.0, 0.2, 0.6)
        kinds = self.rng.dirichlet(np.full(5, 0.5))
        largest = self.pick(2, 4, 7, 14)
        blocks = []
        while cards:
            count = self.count(1, largest + 1)
            part, cards = cards[:count], cards[count:]
            shown = self.hidden(part, backs)
            blocks.append(self._block(int(self.rng.choice(5, p=kinds)), shown))
        return self._strewn(blocks)

    def _strewn(self, blocks: Sequence[Block]) -> Cards:
        """Blocks of any cards in lines, or wherever there is room."""
        if not self.coin():
            return self.apart(blocks, self.uniform(1.2, 3.0), self.pick(0.1, 0.5, pi))
        area = sum((block.width + 0.4) * (block.height + 0.3) for block in blocks)
        limit = max([float(np.sqrt(area * self.uniform(0.8, 3.5))), *(block.width for block in blocks)])
        return self.in_lines(blocks, limit, (self.uniform(0.0, 0.9), self.uniform(0.0, 0.9)))[0]

    def _block(self, kind: int, cards: Sequence[Card | None]) -> Block:
        """Any cards as a row (kind 0), a fan, a column, a square, or a pile of which only the first is seen."""
        if kind == 0:
            return self.row(cards, NONE, self.uniform(1.0, 1.3) if self.coin(0.4) else self.aside(0.2, 0.5))
        if kind == 1:
            return self.fan(cards, NONE, self.uniform(1.5, 3.5) * self.aspect)
        if kind == 2:
            return self.column(cards, NONE, [self.down(0.2, 1.2) for _ in range(2)])
        if kind == 3:
            return self.square(cards, NONE, self.count(2, 5))
        return self.boxed(self.pile(cards[0], NONE, self.count(0, 4), 0.03))


class NeighbourCards(Neighbour, CardsDealer):
    """Games of others, as groups put together by their boxes."""

    def fanned(self, cards: Sequence[Card | None]) -> Cards:
        """Cards as a fan."""
        return list(self.usual_fan(cards).cards)

    def crossed_tricks(self, count: int) -> Cards:
        """Tricks won, face down, each one across the one before."""
        return self.jitter([LaidCard(None, 0.45 * k, 0.0, pi / 2 * (k % 2)) for k in range(count)], 0.08, 0.12)

    @lays("none/poker")
    def poker(self) -> Cards:
        """Community cards, two before each player, shown, hidden or thrown away; a deck and a burnt card perhaps."""
        cards = self.draw()
        board = [cards.pop() for _ in range(self.pick(0, 3, 4, 5, 5))]
        placed = self.trail(board, NONE, [(self.uniform(0.85, 1.25), self.normal(0.02))], 0.04)
        placed = moved(placed, -len(board) / 2 + 0.5, 0)
        if self.coin(0.6):
            placed += moved(self.jitter(self.mound(), 0.2, 0.4), -4.2, self.uniform(-0.5, 0.5))
        thrown = [(2.5 + self.normal(0.5), -1.6 + self.normal(0.3), self.uniform(-3, 3)) for _ in range(12)]
        placed += [LaidCard(None, *place) for place in thrown[: self.count(0, 9)]]
        players, reach = self.count(2, 8), (self.uniform(5, 7), self.uniform(3.2, 4.2))
        showdown, turn = self.uniform(0, 1), self.uniform(0, 2 * pi)
        for k in range(players):
            seat = (turn if players > 2 else 0.0) + 2 * pi * k / players + self.normal(0.1)
            two = self.hidden([cards.pop(), cards.pop()], 0.0 if self.coin(showdown) else 1.0)
            held = self.trail(two, NONE, [(self.uniform(0.3, 1.1), self.normal(0.08))], 0.12)
            placed += moved(turned(held, seat), -reach[0] * np.sin(seat), reach[1] * np.cos(seat))
        return placed

    @lays("none/bridge")
    def bridge(self) -> Cards:
        """Dummy's suits as columns, a trick in the middle, one's own fan, others' backs and tricks won."""
        cards = self.draw()
        played = self.count(0, 11)
        hand, dummy = (sorted((cards.pop() for _ in range(13 - played)), key=lambda c: -c.index) for _ in range(2))
        suits = [[card for card in dummy if card.suit == suit] for suit in self.mixed(range(4))]
        down = (0, self.down(0.25, 0.5))
        columns = [self.trail(suit, NONE, [down], 0.03) for suit in suits]
        table = self.line(columns, (self.uniform(1.05, 1.5), 0))
        table = turned(table, pi if self.coin(0.3) else 0.0)
        trick = self.thrown([cards.pop() for _ in range(self.count(0, 5))])
        table = self.beside(table, trick, "near", (0.2, 0.8), (0.35, 0.65))
        for side, angle in (("left", pi / 2), ("right", -pi / 2)):  # the fans of the others, whose backs are seen
            if self.coin(0.7):
                backs = turned(self.fanned([None] * (13 - played)), angle)
                table = self.beside(table, backs, side, (0.3, 1), (0.3, 0.9))
        if self.coin(0.7):
            table = self.beside(table, self.fanned(hand), "near", (0.4, 1), (0.35, 0.65))
        if played and self.coin(0.6):
            table = self.beside(table, self.crossed_tricks(played), "near", (0.3, 0.8), (0, 1))
        return table

    def thrown(self, cards: Sequence[Card]) -> Cards:
        """A trick: every player's card before them, thrown towards the middle."""
        reach, first = self.uniform(0.3, 1.0), self.count(0, 4)
        placed = Cards()
        for k, card in enumerate(cards):
            seat = (first + k) * (pi / 2)
            placed.append(LaidCard(card, -reach * np.sin(seat), 1.15 * reach * np.cos(seat), seat))
        return self.jitter(placed, 0.12, 0.25)

    @lays("none/trick")
    def trick(self) -> Cards:
        """Hearts, skat and the like: a trick in the middle, tricks won beside, perhaps one's own fan."""
        cards = self.draw()
        table = self.thrown([cards.pop() for _ in range(self.count(2, 5))])
        sides = (("near", 0.0), ("left", pi / 2), ("far", pi), ("right", -pi / 2))
        for side, angle in self.mixed(sides)[: self.count(0, 4)]:
            won = turned(self.crossed_tricks(self.count(1, 7)), angle)
            table = self.beside(table, won, side, (0.6, 1.8), (0, 1))
        if self.coin(0.7):
            hand = sorted((cards.pop() for _ in range(self.count(3, 14))), key=lambda card: card.index)
            table = self.beside(table, self.fanned(hand), "near", (0.5, 1.2), 0.5)
        return table

    @lays("none/memory")
    def memory(self) -> Cards:
        """Backs in lines or strewn, pairs taken away, up to two cards turned up."""
        cards = self.draw()
        across, down = self.count(4, 10), self.count(3, 6)
        strewn = self.coin(0.4)
        place, turn = (self.uniform(0.05, 0.12), 0.6) if strewn else (0.03, 0.04)
        gap = (0.45, 0.25) if strewn else self.rng.uniform(0.05, 0.4, 2)
        wide, tall = 1 + gap[0], self.aspect + gap[1]
        left = self.mixed(range(across * down))[: self.count(6, across * down + 1)]
        up = left[: self.count(0, 3)]
        grid = [LaidCard(cards.pop() if k in up else None, k % across * wide, k // across * tall) for k in sorted(left)]
        return self.jitter(grid, place, turn)

    @lays("none/spider or freecell")
    def patience_columns(self) -> Cards:
        """Spider (ten columns, backs, stock as heaps) or FreeCell (eight, all face up, cells and foundations above)."""
        spider = self.coin()
        cards = self.draw(decks=2 if spider else 1)
        down = (0, self.down(0.22, 0.4))
        columns = []
        for k in range(10 if spider else 8):
            backs = self.count(0, 6 - (k > 3)) if spider else 0
            dealt = max(0, 7 - (k > 3) - int(self.rng.poisson(1)))
            faces = self._descending(cards) if spider else [cards.pop() for _ in range(dealt)]
            steps = [(0, self.uniform(0.08, 0.2))] * backs + [down]
            columns.append(self.trail([*[None] * backs, *faces], NONE, steps, 0.02))
        table = self.line(columns, (1 + self.uniform(0.04, 0.3), 0), self.uniform(0, 0.08))
        if spider:
            heaps = self.line([self.mound() for _ in range(self.count(0, 6))], (0.25, 0))
            return self.beside(table, heaps, self.pick("near", "far", "right"), (0.2, 0.8), (0, 1))
        top = [[LaidCard(cards.pop(), 0.0, 0.0)] if cards and self.coin(0.6) else [] for _ in range(8)]
        row = self.line(top, (1 + self.uniform(0.02, 0.2), 0), 0.03)
        return self.beside(table, row, "far", (0.15, 0.5), (0, 1))

    def _descending(self, cards: list[Card]) -> list[Card]:
        """Takes some cards downwards in rank, in any suits."""
        count, run = int(self.rng.geometric(0.35)), [cards.pop()]
        while len(run) < count and (below := next((c for c in cards if c.rank == run[-1].rank - 1), None)):
            cards.remove(below)
            run.append(below)
        return run

    @lays("none/pyramid or golf")
    def pyramid_or_golf(self) -> Cards:
        """A pyramid of seven rows, or golf's seven columns of five; stock and waste below."""
        cards = self.draw()
        table = Cards()
        if self.coin(0.55):
            across, low, gone = 1 + self.uniform(0.03, 0.3), self.uniform(0.4, 0.7) * self.aspect, self.uniform(0, 0.6)
            rows = self.pick(6, 7, 7)
            for row in range(rows):
                kept = [k for k in range(row + 1) if row < rows - 2 or not self.coin(gone)]
                table += [LaidCard(cards.pop(), (k - row / 2) * across, row * low) for k in kept]
            table = self.jitter(table, 0.02, 0.03)
        else:
            down = (0, self.down(0.3, 0.6))
            lengths = self.rng.integers(1, 6, 7) if self.coin(0.6) else np.full(7, 5)
            columns = [self.trail([cards.pop() for _ in range(int(n))], NONE, [down], 0.02) for n in lengths]
            table = self.line(columns, (1 + self.uniform(0.05, 0.3), 0), 0.05)
        spread = (self.pick(0.02, self.aside(0.3)), 0)
        waste = self.trail([cards.pop() for _ in range(self.count(1, 6))], NONE, [spread], 0.04)
        below = self.beside(self.mound(), waste, "right", (0.1, 0.5), 0.5)
        return self.beside(table, below, "near", (0.2, 0.7), (0.1, 0.9))

    @lays("none/ribbon")
    def ribbon(self) -> Cards:
        """A magician's spread, straight or bent, face up or down, with a card or two turned over or pulled out."""
        count, step = self.count(12, 49), self.uniform(0.08, 0.3)
        radius = self.uniform(0.5, 3) * count * step
        back = self.coin()
        cards = self.draw()
        odd = self.mixed(range(count))[: self.count(0, 3)]
        placed, angle = Cards(), -count * step / radius / 2
        for k in range(count):
            angle += step * self.uniform(0.6, 1.4) / radius
            out = self.uniform(0, 0.7) if k in odd else 0.0
            x, y = (radius + out) * np.sin(angle), radius - (radius + out) * np.cos(angle)
            face = None if back != (k in odd) else cards.pop()
            placed.append(LaidCard(face, float(x), float(y), angle + self.normal(0.015)))
        chosen = self.jitter([LaidCard(cards.pop(), 0.0, 0.0) for _ in range(self.count(0, 4))], 1.2, 0.4)
        return self.beside(turned(placed, self.normal(0.15)), chosen, "near", (0.3, 1.5), (0, 1))

    @lays("none/fortune")
    def fortune(self) -> Cards:
        """A fortune teller's spread: a cross with a staff beside it, a horseshoe or a star; some yet to be turned."""
        tall, gap = self.aspect, self.uniform(0.1, 0.5)
        kind = self.count(0, 3)
        if kind == 0:
            side = (tall + 1) / 2 + gap
            places = [(0, 0, 0.0), (0, 0, pi / 2), (0, tall + gap, 0.0), (-side, 0, 0.0), (0, -tall - gap, 0.0)]
            places += [(side, 0, 0.0), *((side + 1 + gap, (1.5 - k) * (tall + 0.1), 0.0) for k in range(4))]
        else:
            count = self.count(5, 13)
            whole = 2 * pi if kind == 1 else 1.3 * pi
            radius = count * (1.25 + gap) / whole + 0.3
            leaning = self.coin(0.6)
            angles = [(k - (count - 1) / 2) * whole / count for k in range(count)]
            places = [(radius * np.sin(a), -radius * np.cos(a), a if leaning else 0.0) for a in angles]
            places += [(0, 0, 0.0)] * self.coin()
        cards = self.draw()
        cards_shown = self.hidden(cards, self.pick(0.0, 0.0, 0.3, 0.7))
        turns = [a + pi * self.coin(0.2) for _, _, a in places]  # cards of a fortune teller may stand on their heads
        spread = [LaidCard(cards_shown[k], float(x), float(y), turns[k]) for k, (x, y, _) in enumerate(places)]
        return self.jitter(spread, 0.04, 0.04)


class StrangerCards(Stranger, CardsDealer):
    """Games of others, cards at places of one plan."""

    def pack_at(self, x: float, y: float) -> Cards:
        """A pack face down."""
        return self.backs(NONE, x, y)

    @lays("no game/memory in pairs")
    def memory(self) -> Cards:
        """Memory: backs in lines or strewn a little, pairs gone, one or two turned up, the pairs won in heaps."""
        cards, across, mess = self.words(), self.count(5, 14), self.pick(0.01, 0.05, 0.1)
        pitch, count, left = 1.35 + self.uniform(0, 0.4), self.count(5, 27) * 2, self.uniform(0.4, 1)
        places = [(k % across * pitch, k // across * (pitch + 0.35)) for k in range(count) if self.coin(left)]
        shown, near = self.mixed(range(len(places)))[: self.count(0, 3)], (count - 1) // across
        placed = Cards()
        for k, (x, y) in enumerate(places):
            word = cards.pop() if k in shown else "??"
            placed += self.put(word, NONE, x + self.normal(mess), y + self.normal(mess), self.normal(2 * mess))
        for _pair in range((count - len(places)) // 2):
            x, y = self.rng.normal((1, near * (pitch + 0.35) + 2.3), 0.15)
            placed += self.put(cards.pop(), NONE, float(x), float(y), self.normal(0.3))
        return placed

    @lays("no game/free cell")
    def free_cell(self) -> Cards:
        """FreeCell: eight columns face up, cells at the upper left, foundations at the upper right."""
        cards, pitch, face = self.words(), 1 + self.uniform(0.06, 0.3), self.down(0.3, 0.5)
        y, placed = -self.aspect - self.uniform(0.15, 0.6), Cards()
        for k, suit in enumerate(SUIT_CHARS):
            built = self.count(0, 6)
            cards = [card for card in cards if card[1] != suit or rank_of(card) >= built]
            placed += self.put(foundation_top(suit, built), NONE, (4 + k) * pitch, y)
        for k in range(self.count(0, 5)):
            placed += self.put(cards.pop(), NONE, k * pitch, y)
        cuts = np.sort(self.rng.choice(np.arange(1, len(cards)), 7, replace=False)) if self.coin() else 8
        for k, share in enumerate(np.array_split(np.arange(len(cards)), cuts)):
            words = [cards[i] for i in share][:13]
            placed += moved(self.strung(words, NONE, [(0.0, face)]), k * pitch, self.normal(0.04))
        return placed

    @lays("no game/pyramid half played")
    def pyramid(self) -> Cards:
        """Pyramid: seven lines of cards half upon each other, some pairs gone, stock and two heaps."""
        cards, pitch = self.words(), 1 + self.uniform(0.05, 0.3)
        step, gone = self.down(0.45, 0.8), set[tuple[int, int]]()
        for _turn in range(self.count(0, 14)):
            places = [(r, k) for r in range(7) for k in range(r + 1) if (r, k) not in gone]
            gone.add(self.pick(*((r, k) for r, k in places if r == 6 or {(r + 1, k), (r + 1, k + 1)} <= gone)))
        placed = Cards()
        for row in range(7):
            for k in range(row + 1):
                if (row, k) not in gone:
                    placed += self.put(cards.pop(), NONE, (k - row / 2) * pitch, row * step)
        y = 6 * step + self.aspect + self.uniform(0.2, 0.6)
        placed += self.pack_at(-2 * pitch, y) + self.put(cards.pop(), NONE, -pitch, y)
        return placed + (self.put(cards.pop(), NONE, 2.5 * pitch, y) if gone else [])

    @lays("no game/clock patience")
    def clock(self) -> Cards:
        """Clock patience: twelve piles in a round, one amid them, some already turned up."""
        cards, radius = self.words(), self.uniform(3.3, 4.5)
        done, radial, placed = self.uniform(0, 1), self.coin(), Cards()
        for hour in range(13):
            angle = hour * pi / 6
            reach = 0.0 if hour == 12 else -radius
            shown = next(card for card in cards if rank_of(card) == hour)
            pile = self.pack_at(0, 0)
            if self.coin(done):
                low = self.coin()  # slipped below the pile, so that it looks out
                pile = self.put(shown, NONE, 0, -0.4) + pile if low else pile + self.put(shown, NONE, 0, 0)
            place = (-reach * float(np.sin(angle)), reach * float(np.cos(angle)))
            placed += moved(turned(pile, angle * radial), *place)
        return placed

    @lays("no game/bridge with a dummy")
    def bridge(self) -> Cards:
        """Bridge: dummy's four suits, a trick in the middle, declarer's fan, tricks won, others' cards face down."""
        cards, left = self.words(), self.count(3, 14)
        dummy, hand, trick = cards[:left], cards[13 : 13 + left], cards[26 : 26 + self.count(0, 5)]
        placed, pitch = Cards(), self.uniform(1.1, 1.4)
        for k, suit in enumerate(self.mixed(SUIT_CHARS)):
            words = sorted((card for card in dummy if card[1] == suit), key=lambda card: -(rank_of(card) or 13))
            placed += moved(self.strung(words, NONE, [(0.0, self.down(0.4))]), (k - 1.5) * pitch, 0)
        middle = self.extent(placed)[3] + 2.2
        for word, (x, y) in zip(trick, EDGES, strict=False):
            placed += self.put(word, NONE, 0.75 * x, middle + 0.7 * y, self.normal(0.2) + x * pi / 2)
        fan = self.fan(hand, NONE, (3, 5))
        placed += fan.at(-fan.width / 2, middle + 2.6)
        for side in (-1, 1) if self.coin(0.6) else ():
            other = self.fan([None] * left, NONE, 3.5)
            placed += moved(turned(moved(other.cards, -other.width / 2, 0), -side * pi / 2), side * 5.5, middle)
        for k in range(13 - left):
            placed += self.put("??", NONE, -3 + 0.3 * k, middle + 7.5, self.pick(0, pi / 2))
        return placed

    @lays("no game/durak")
    def durak(self) -> Cards:
        """Durak: the trump across below the deck, attacks with the cards that beat them, two hands, the heap."""
        cards = [card for card in self.words() if card[0] not in "2345"]
        placed = self.put(cards.pop(), NONE, 0, 0, pi / 2)
        placed += self.pack_at(-0.6, 0) if self.coin(0.8) else []
        aside, across = self.aside(0.25, 0.5), self.count(2, 4)
        for k in range(self.count(1, 7)):
            words = [cards.pop() for _ in range(1 + self.coin(0.7))]
            pair = self.strung(words, NONE, [(aside, self.uniform(0.1, 0.6))])
            placed += moved(pair, 2 + k % across * 1.9, k // across * 2.2 - 0.8 + self.normal(0.08))
        for y, turn in ((self.extent(placed)[3] + 0.8, 0.0), (self.extent(placed)[1] - 1.2, pi)):
            words = [cards.pop() if not turn else "??" for _ in range(self.count(1, 8))]
            fan = self.fan(words, NONE, (2, 3.5))
            placed += moved(turned(moved(fan.cards, -fan.width / 2, 0), turn), 2.5, y)
        for _card in range(self.count(0, 9)):
            placed += self.put("??", NONE, -3.2 + self.normal(0.4), self.normal(0.4), self.uniform(0, pi))
        return placed

    @lays("no game/fortune telling")
    def fortune(self) -> Cards:
        """Fortunes told with cards: a cross with a staff, all 36 in lines, a horseshoe, or some drawn from a ribbon."""
        cards, wide, tall = self.words(), 1 + self.uniform(0.1, 0.6), self.aspect + self.uniform(0.1, 0.5)
        manner, placed = self.count(0, 4), Cards()
        if manner == 0:
            staff = [(2.6 * wide + 0.8, (1.5 - k) * tall) for k in range(4)]
            places = [(x * (wide + 0.4), y * tall) for x, y in EDGES] + staff
            placed = self.put(cards.pop(), NONE, 0, 0) + self.put(cards.pop(), NONE, 0, 0.15, pi / 2)
        elif manner == 1:
            places = [(k % 8 * wide, k // 8 * tall) for k in range(32)] + [((2 + k) * wide, 4 * tall) for k in range(4)]
        elif manner == 2:
            places = [(k * wide, -0.35 * tall * (9 - (k - 3) ** 2)) for k in range(7)]
        else:
            bow, first, backs = self.uniform(0, 0.004), self.uniform(0, 3), self.count(15, 40)
            for k, card in enumerate(self.strung(["??"] * backs, NONE, [(self.uniform(0.14, 0.3), 0.0)])):
                placed += moved([card], 0, bow * (k - backs / 2) ** 2)
            y = self.extent(placed)[3] + 1 + self.uniform(0, 0.6)
            places = [(first + k * wide, y) for k in range(self.count(1, 8))]
        hidden = self.uniform(0, 0.6) * self.coin(0.4)
        return placed + joined(self.put("??" if self.coin(hidden) else cards.pop(), NONE, x, y) for x, y in places)


def _below(card: str, on: str) -> bool:
    """Whether a card is one rank below another."""
    return rank_of(card) + 1 == rank_of(on)


def _differ(card: str, on: str) -> bool:
    """Whether one of two cards is red and the other black."""
    return (card[1] in RED) != (on[1] in RED)


def _build_up(pile: list[str], built: list[int]) -> None:
    """Takes a pile's last card to one of the eight foundations of forty thieves, if it fits on any."""
    if pile:
        suit = SUIT_CHARS.index(pile[-1][1])
        slots = [n for n in (suit, suit + 4) if built[n] == rank_of(pile[-1])]
        if slots:
            built[slots[0]] += 1
            pile.pop()


def _yukon_moves(columns: Sequence[list[str]]) -> list[tuple[list[str], int, list[str]]]:
    """From which column, from which of its cards on, and to which other one cards may go in yukon."""
    return [
        (source, n, target)
        for source in columns
        for n, card in enumerate(source)
        for target in columns
        if target and source is not target and _differ(card, target[-1]) and _below(card, target[-1])
    ]


class VisitorCards(Visitor, CardsDealer):
    """Games of others that were played on for some moves, and cards laid out."""

    def stack(self, down: int, up: Sequence[str], back: float, face: float) -> Cards:
        """A column of some backs and the cards on them."""
        backs = self.strung(["??"] * down, NONE, (0.0, back))
        return backs + moved(self.strung(up, NONE, (0.0, face)), 0, down * back)

    @lays("no game/forty thieves")
    def forty_thieves(self) -> Cards:
        """Forty thieves: two decks, ten columns face up that build down in suit, eight foundations, waste in lines."""
        columns, built, waste, cards = self._played_forty_thieves()
        pitch, face = 1 + self.uniform(0.04, 0.25), self.down(0.28, 0.5)
        placed = self.side_by_side((self.strung(column, NONE, (0.0, face)) for column in columns), pitch, 0.03)
        tops = [(foundation_top(SUIT_CHARS[n % 4], count), NONE) for n, count in enumerate(built)]
        row = self.tops(tops, [(n * pitch, 0.0) for n in self.mixed(range(8))])
        placed = self.beside(placed, row, "far", (0.1, 0.5), (0, 1))
        across, aside = self.count(12, 25), self.aside(0.3, 0.4)
        lines = Cards()
        for n in range(0, len(waste), across):
            line = self.strung(waste[n : n + across], NONE, (aside, 0.0))
            lines += moved(line, 0, n // across * (self.aspect + 0.12))
        lines = self.beside(self.closed() if cards else [], lines, "right", (0.1, 0.4), 0.0)
        return self.beside(placed, lines, "near", (0.3, 0.8), (0, 1))

    def _played_forty_thieves(self) -> tuple[list[list[str]], list[int], list[str], list[str]]:
        """Its columns, how many cards each foundation holds, the waste and the stock after some turns."""
        cards = self.words(2)
        columns, built = [[cards.pop() for _ in range(4)] for _ in range(10)], [0] * 8
        waste = list[str]()
        for _turn in range(self.count(0, 60)):
            for pile in (*columns, waste):
                _build_up(pile, built)
            moves = [(a, b) for a in (*columns, waste) for b in columns if a and b and a is not b]
            moves = [(a, b) for a, b in moves if a[-1][1] == b[-1][1] and _below(a[-1], b[-1])]
            if moves:
                source, target = self.pick(*moves)
                target.append(source.pop())
            elif cards:
                waste.append(cards.pop())
        return columns, built, waste, cards

    @lays("no game/golf")
    def golf(self) -> Cards:
        """Golf: seven columns of five, ends taken in turn to one pile, which lies squared or as a long line."""
        cards = self.words()
        columns = [[cards.pop() for _ in range(5)] for _ in range(7)]
        pile = [cards.pop()]
        for _turn in range(self.count(0, 40)):
            near = [c for c in columns if c and abs(rank_of(c[-1]) - rank_of(pile[-1])) == 1]
            if not near and not cards:
                break
            pile.append(self.pick(*near).pop() if near else cards.pop())
        pitch, face = 1 + self.uniform(0.05, 0.3), self.down(0.3, 0.8)
        placed = self.side_by_side((self.strung(column, NONE, (0.0, face)) for column in columns), pitch, 0.03)
        aside = max(self.aside(0.2), min(0.4, 7 / len(pile)))
        seen = pile if self.coin() and len(pile) * aside < 10 else pile[-1:]
        line = self.strung(seen, NONE, (aside, 0.0))
        line = self.beside(self.closed() if cards else [], line, "right", (0.1, 0.6))
        return self.beside(placed, line, self.either("near", "far", 0.8), (0.3, 0.9), (0, 1))

    @lays("no game/yukon")
    def yukon(self) -> Cards:
        """Yukon: all cards dealt to seven columns, five more face up on each but the first; out of order, no stock."""
        columns, built = self._played_yukon()
        pitch, back, face = 1 + self.uniform(0.05, 0.4), self.uniform(0.06, 0.3), self.down(0.28, 0.5)
        placed = self.side_by_side((self.stack(len(down), up, back, face) for down, up in columns), pitch, 0.04)
        tops = [(foundation_top(suit, count), NONE) for suit, count in built.items()]
        upright, tall = self.coin(), self.aspect + self.uniform(0.05, 0.3)
        row = self.tops(tops, [(0.0, k * tall) if upright else (k * pitch, 0.0) for k in range(4)])
        return self.beside(placed, row, self.either() if upright else "far", (0.2, 0.9), (0, 0.6))

    def _played_yukon(self) -> tuple[list[tuple[list[str], list[str]]], dict[str, int]]:
        """Its columns, as cards face down and face up, and how many cards each foundation holds after some turns."""
        cards = self.words()
        columns = [([cards.pop() for _ in range(k)], [cards.pop() for _ in range(5 if k else 1)]) for k in range(7)]
        built = dict.fromkeys(SUIT_CHARS, 0)
        for _turn in range(self.count(0, 22)):
            for _down, up in columns:
                if up and rank_of(up[-1]) == built[up[-1][1]]:
                    built[up.pop()[1]] += 1
            moves = _yukon_moves([up for _, up in columns])
            if moves:
                source, n, target = self.pick(*moves)
                target.extend(source[n:])
                del source[n:]
            for down, up in columns:
                if down and not up:
                    up.append(down.pop())
        return columns, built

    @lays("no game/cassino or scopa")
    def cassino(self) -> Cards:
        """Cassino or scopa: single cards loose in the middle, few in the hand, tricks won in heaps, the pack aside."""
        cards, count = self.words(), self.count(1, 11)
        across, mess = self.count(3, 6), self.pick(0.02, 0.06, 0.12)
        placed = Cards()
        for k in range(count):
            at = (k % across * (1.25 + 2 * mess), k // across * (self.aspect + 0.2 + 2 * mess))
            placed += self.card(cards.pop(), NONE, at, mess=mess)
        if self.coin(0.8):
            pack = self.closed(turn=self.normal(0.3))
            placed = self.beside(placed, pack, self.either(), (0.4, 1.2), (0, 1))
        left, for_me, for_them = self.count(1, 5), self.coin(0.8), self.coin(0.8)
        hand = [cards.pop() for _ in range(left)]
        if self.coin():
            own = list(self.fan(hand, NONE, (1.8, 3)).cards)
        else:
            own = self.strung(hand, NONE, (self.uniform(1.02, 1.3), 0.0), 0.025)
        theirs = list(self.fan([None] * left, NONE, (1.6, 3)).cards)
        if self.coin():
            theirs = self.strung(["??"] * left, NONE, (self.uniform(0.4, 1.2), 0.0), 0.03)
        heaps = [self.strung(["??"] * self.count(1, 8), NONE, (0.0, 0.0), self.uniform(0.03, 0.12)) for _ in range(2)]
        own = self.beside(own, heaps[0] if for_me else [], self.either(), (0.4, 1.0))
        theirs = self.beside(theirs, heaps[1] if for_them else [], self.either(), (0.4, 1.0))
        placed = self.beside(placed, own, "near", (0.7, 1.7), (0.2, 0.8))
        return self.beside(placed, turned(theirs, pi), "far", (0.7, 1.7), (0.2, 0.8))

    @lays("no game/gin rummy")
    def gin_rummy(self) -> Cards:
        """Gin rummy under way: ten cards sorted in a fan or row, stock and discards amid, ten backs at the far side."""
        cards = self.words()
        hand = [cards.pop() for _ in range(self.pick(10, 10, 11))]
        hand.sort(key=lambda card: (card[1], rank_of(card)))
        if self.coin():
            hand.sort(key=rank_of)
        strewn = self.count(1, 9) if self.coin(0.3) else 1
        discards = self.strung([cards.pop() for _ in range(strewn)], NONE, (self.aside(0.3) + 0.05, 0.0), 0.04)
        placed = self.beside(self.closed(), discards, self.either(), (0.1, 0.6))
        if self.coin(0.65):
            own = list(self.fan(hand, NONE, (2.2, 4)).cards)
        else:
            own = self.strung(hand, NONE, (self.aside(0.35, 0.7), 0.0), 0.02)
        placed = self.beside(placed, own, "near", (0.8, 2.0), (0.3, 0.7))
        if self.coin(0.7):
            fan = turned(self.fan([None] * 10, NONE, (2, 3.5)).cards, pi + self.normal(0.1))
            placed = self.beside(placed, fan, "far", (0.8, 2.0), (0.2, 0.8))
        return placed

    @lays("no game/collection of cards")
    def collection(self) -> Cards:
        """Single cards somebody has found or brought home, laid out to be looked at; some show their backs."""
        count = self.count(3, 36)
        across = max(2, round(float(np.sqrt(count)) * self.uniform(0.8, 1.7)))
        cards, mess = self.words(2), self.pick(0.01, 0.03, 0.08)
        wide, tall = 1.15 + self.uniform(0, 0.6), self.aspect + 0.15 + self.uniform(0, 0.5)
        shifted, backs, upset = self.uniform(0, 0.5) * self.coin(0.4), self.uniform(0, 0.4), self.uniform(0, 0.3)
        placed = Cards()
        for k in range(count):
            at = ((k % across + shifted * (k // across % 2)) * wide, k // across * tall)
            turn = pi if self.coin(upset) else 0.0
            placed += self.card("??" if self.coin(backs) else cards.pop(), NONE, at, turn, mess)
        return placed


class NewcomerCards(Newcomer, CardsDealer):
    """Games of others, in pieces beside each other."""

    @lays("no game/cribbage")
    def cribbage(self) -> Cards:
        """Hands of cribbage at the show, often with the crib; the starter lies turned up on the pack."""
        words = self.words()
        step = (self.aside(0.35, 1.1) + 0.02, 0.0)
        across = turned(self.string(words[:4], NONE, step, 0.02), pi + self.normal(0.08))
        mine = turned(self.string(words[4:8], NONE, step, 0.02), self.normal(0.06))
        placed = self.beside(across, mine, "near", (0.6, 1.8), (0.3, 0.7))
        pack = [*self.pack(), *self.card(words[8], turn=self.normal(0.1), mess=0.03)]
        placed = self.beside(placed, pack, self.pick("left", "right"), (0.4, 1))
        if self.coin(0.4):
            crib = words[9:13] if self.coin() else ["??"] * 4
            placed = self.beside(
                placed, self.string(crib, NONE, (self.uniform(0.4, 1.05), 0), 0.03), "near", (0.2, 0.5), (0, 1)
            )
        return placed

    def _fitting(self, words: list[str], column: list[str], most: int) -> list[str]:
        """A column built down in alternating colours, kings on aces too, with cards taken from the words."""
        for _ in range(self.count(0, most)):
            below = RANK_CHARS[rank_of(column[-1]) - 1]
            fits = [word for word in words if word[0] == below and _differ(word, column[-1])]
            if not fits:
                break
            words.remove(fits[0])
            column = [*column, fits[0]]
        return column

    @lays("no game/canfield")
    def canfield(self) -> Cards:
        """Canfield under way: four columns, a reserve at their left, foundations that begin with any but a low rank."""
        words, base = self.words(), self.count(4, 13)
        suits = self.mixed(SUIT_CHARS)
        tops = [RANK_CHARS[base] + suit for suit in suits[: self.count(1, 5)]]
        low = RANK_CHARS[self.count(0, base - 1)] + suits[0]  # lower than its foundation: in Klondike it lay there
        words = [word for word in words if word not in tops and word != low]
        first = [low, *(words.pop() for _ in range(3))]
        columns = [self._fitting(words, [word], 5) for word in self.mixed(first)]
        pitch, mess = 1 + self.uniform(0.1, 0.35), self.pick(0.005, 0.015, 0.03)
        placed = Cards()
        for k, column in enumerate(columns):
            placed += moved(self.string(column, NONE, (0, self.down(0.28, 0.4) + mess), mess), k * pitch, 0)
        above = -self.aspect - self.uniform(0.1, 0.4)
        placed += moved(self.string(tops, NONE, (pitch, 0), mess), 0, above)
        left = -1.3 - self.uniform(0, 0.4)
        reserve = [*self.pack(), *self.card(words.pop(), mess=0.02)]
        placed += moved(reserve, left, self.uniform(-0.1, 0.1))
        placed += moved(self.pack(), left, self.aspect + self.uniform(0.15, 0.4))
        waste = self.string([words.pop() for _ in range(self.count(0, 4))], NONE, (self.aside(0.3), 0), mess)
        return [*placed, *moved(waste, left, 2 * self.aspect + 0.6)]

    @lays("no game/beleaguered castle")
    def beleaguered_castle(self) -> Cards:
        """Beleaguered castle: four foundations one below the other, rows of open cards at their left and right."""
        words = [word for word in self.words() if word[0] != "A"]
        step, mess = self.aside(0.28, 0.4) + 0.02, self.pick(0.005, 0.015)
        outward = self.coin()
        tall = self.aspect + self.uniform(0.04, 0.2)
        placed = Cards()
        for k, suit in enumerate(self.mixed(SUIT_CHARS)):
            sizes = self.rng.integers(2, 8, 2) if self.coin() else (6, 6)
            left, right = ([words.pop() for _ in range(min(int(size), len(words)))] for size in sizes)
            line = self.card("A" + suit, mess=mess)
            wing = self.string(left, NONE, (-step if outward else step, 0), mess)
            line = self.beside(line, wing, "left", (0.12, 0.35))
            line = self.beside(line, self.string(right, NONE, (step, 0), mess), "right", (0.12, 0.35))
            placed += moved(line, 0, k * tall)
        return placed

    @lays("no game/accordion")
    def accordion(self) -> Cards:
        """Accordion: open piles side by side in lines, as many as the table is wide; the rest of the pack beside."""
        words = self.words()[: self.count(20, 42)]
        wide, mess = 1 + self.uniform(0.02, 0.2), self.pick(0.01, 0.03)
        tall, line = self.aspect + self.uniform(0.05, 0.3), self.count(6, 12)
        places = [(k % line * wide, k // line * tall) for k in range(len(words))]
        placed = self.tops([(word, NONE) for word in words], places, mess=mess)
        return self.beside(placed, self.pack(), self.pick("near", "right", "left"), (0.3, 1))

    @lays("no game/pairs")
    def pairs(self) -> Cards:
        """Children play pairs: backs in lines or anyhow, gaps where pairs were taken, one or two cards turned up."""
        lines, wide = self.count(3, 6), self.count(5, 10)
        words = ["??"] * (lines * wide)
        for k in self.mixed(range(len(words)))[: 2 * self.count(0, len(words) // 4)]:
            words[k] = ""
        for k, word in zip(self.mixed(range(len(words)))[: self.count(1, 3)], self.words(), strict=False):
            words[k] = word
        mess = self.pick(0.02, 0.06)
        pitch = (1.15 + 2 * mess, self.aspect + 0.12 + 2 * mess)
        places = [(k % wide * pitch[0], k // wide * pitch[1]) for k in range(len(words))]
        return self.tops([(word, NONE) for word in words], places, mess=mess)

    @lays("no game/pyramid of open cards")
    def pyramid(self) -> Cards:
        """Pyramid: seven lines of open cards, each half upon the one before, some of them gone, stock and waste."""
        words = self.words()
        wide, step = 1 + self.uniform(0.08, 0.3), max(self.shape.below + 0.1, self.uniform(0.5, 0.8))
        left = [7 - int(gone) for gone in sorted(self.rng.integers(0, 4, 2))] if self.coin() else [7, 7]
        placed = Cards()
        for line in range(7):
            for k in range(line + 1):
                word = words.pop()
                if line < 5 or k < left[line - 5]:
                    placed += self.card(word, NONE, ((k - line / 2) * wide, line * step), mess=0.012)
        packs = self.pack()
        if self.coin(0.7):
            packs = self.beside(packs, self.card(words.pop(), mess=0.02), "right", (0.1, 0.4))
        return self.beside(placed, packs, self.pick("near", "left", "right"), (0.3, 0.8), 0.2)

    @lays("no game/trick with three columns")
    def three_columns_trick(self) -> Cards:
        """The trick with twenty-one cards in three columns, as it is shown to a guest; the rest of the pack beside."""
        words, count = self.words(), self.pick(5, 7, 7, 9)
        step, mess = (0, self.down(0.28, 0.45) + 0.02), self.pick(0.01, 0.025)
        pitch = 1 + self.uniform(0.15, 0.8)
        placed = Cards()
        for k in range(3):
            placed += moved(self.string([words.pop() for _ in range(count)], NONE, step, mess), k * pitch, 0)
        return self.beside(placed, self.pack(), self.pick("right", "left"), (0.5, 1.2)) if self.coin() else placed

    @lays("no game/trick of hearts")
    def hearts(self) -> Cards:
        """A trick of hearts or whist: its cards lie across each other, a hand below, tricks taken face down."""
        words = self.words()
        trick = Cards()
        for k in self.mixed(range(4))[: self.count(2, 5)]:
            trick += turned(self.card(words.pop(), NONE, (0, 0.55), self.normal(0.2), 0.04), -pi / 2 * k)
        hand = [words.pop() for _ in range(self.count(3, 13))]
        hand.sort(key=lambda word: (SUIT_CHARS.index(word[1]), rank_of(word)))
        placed = self.beside(trick, self.fan(hand, NONE, (2.5, 4.5)).cards, "near", (0.4, 1.2))
        for side in self.mixed(("left", "right", "far"))[: self.count(1, 4)]:
            taken = turned(self.pack(loose=0.02), pi / 2 * (side != "far") + self.normal(0.1))
            placed = self.beside(placed, taken, side, (0.3, 1), (0.2, 0.8))
        return placed


def _usual(name: str, lay: Callable[..., Cards], weight: float = 1.0, **options: Any) -> Recipe:
    with_deck = partial(HouseCards.with_deck, lay=partial(lay, **options))
    return Recipe(f"no game/{name}", with_deck, weight=weight)


FAMILIES: Final = (
    *families(
        HouseCards,
        _usual("one to three cards", HouseCards.few, 1.5, most=3),
        _usual("scattered", HouseCards.few, 2.0, most=16),
        _usual("cards shown", HouseCards.shown, 2.0),
        _usual("rows of single cards", HouseCards.grid, 2.0),
        _usual("one or two lines", HouseCards.grid, 1.0, lines=(1, 3)),
        _usual("memory", HouseCards.grid, 0.7, backs=0.7),
        _usual("deck in rows", HouseCards.rows, 1.5),
        _usual("whole deck by suits", HouseCards.whole_deck, 0.8),
        _usual("open columns", HouseCards.columns, 1.5, spider=False),
        _usual("spider", HouseCards.columns, 1.0, spider=True),
        _usual("fans", HouseCards.fans, 2.0),
        _usual("poker", HouseCards.hands_around, 1.0, size=(2, 3), seats=(1, 7), middle="board"),
        _usual("blackjack", HouseCards.hands_around, 1.0, size=(2, 4), seats=(1, 5), middle="none"),
        _usual("tricks", HouseCards.hands_around, 1.0, size=(3, 14), seats=(2, 5), middle="trick"),
        _usual("draw game", HouseCards.hands_around, 1.0, size=(3, 11), seats=(1, 5), middle="piles"),
        _usual("heap", HouseCards.heap, 1.0),
        _usual("pyramid", HouseCards.pyramid, 0.7),
        _usual("piles", HouseCards.piles, 1.0),
        _usual("rows of no melds", HouseCards.broken_rows, 2.0),
        _usual("a few cards of a table", HouseCards.cut_out, 0.7),
    ),
    *families(AnywhereCards),
    *families(NeighbourCards),
    *families(StrangerCards),
    *families(VisitorCards),
    *families(NewcomerCards),
)
