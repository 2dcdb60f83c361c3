"""Who lays tables, each in ways of their own, with the habits that they keep in every game.

The authors wrote independently of each other. Held-out authors share geometry only: a family may put cards down with
the parts of `Dealer` and ask a game's parts which cards belong where, but how far, how tidily, in which order and where
things lie is its author's own idea.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

import numpy as np

from datasets.layouts.dealer import SIDES, Dealer
from datasets.layouts.geometry import Block, Cards, Face, Way, moved, turned
from datasets.scenes.renderer import LaidCard

Box = tuple[float, float, float, float]
"""Left, far, right and near end."""


def _overlap(a: Box, b: Box) -> bool:
    """Whether two boxes have some of the table in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Anywhere(Dealer):
    """The house's tables of no fixed plan: each zone laid in some way of its own, wherever there is room.

    A model that learns from them tells a card by what lies on, beside and with it, not by its place in a plan.
    """

    def around(self, core: Sequence[LaidCard], blocks: Sequence[tuple[Block, str | None]]) -> Cards:
        """Blocks about what lies already: each beside a side of it, as near as the blocks before it leave room.

        Args:
            core: What lies already.
            blocks: What to lay, and at which side; None for any.
        """
        placed = list(core)
        middle = self.extent(core) if core else (0.0, 0.0, 0.0, 0.0)
        taken = [middle]
        for block, wanted in blocks:
            side = wanted or self.pick(*SIDES)
            gap = float(self.rng.gamma(2.0, 0.2) + 0.08)
            along = self.uniform(-0.1, 1.1) if self.coin(0.7) else self.pick(0.0, 0.5, 1.0)
            x = middle[0] + along * (middle[2] - middle[0] - block.width)
            y = middle[1] + along * (middle[3] - middle[1] - block.height)
            for step in np.arange(gap, 60, 0.25):
                if side in ("far", "near"):
                    y = middle[1] - step - block.height if side == "far" else middle[3] + step
                else:
                    x = middle[0] - step - block.width if side == "left" else middle[2] + step
                own = (x - 0.05, y - 0.05, x + block.width + 0.05, y + block.height + 0.05)
                if not any(map(partial(_overlap, own), taken)):
                    break
            taken.append((x, y, x + block.width, y + block.height))
            placed += block.at(x, y)
        return placed

    def arrange(self, piles: Sequence[Sequence[LaidCard]]) -> Block:
        """A few piles, each at the origin, laid as a row, a column, two lines, a bow, or loosely.

        Piles stand in the order in which one reads them: left to right, then from the far end to the player.
        """
        kind = self.pick("row", "row", "row", "column", "lines", "bow")
        gap = float(self.rng.uniform(-0.02, 0.06) if self.coin(0.3) else self.rng.gamma(2.0, 0.15) + 0.03)
        right, down = 1 + gap, self.aspect + gap
        loose = self.pick(0.01, 0.03, 0.1)
        bow = self.uniform(0.03, 0.2) * self.pick(-1, 1)
        per_line = max(1, (len(piles) + 1) // 2)
        cards = Cards()
        for k, pile in enumerate(piles):
            x, y = k * right, 0.0
            if kind == "column":
                x, y = 0.0, k * down
            elif kind == "lines":
                x, y = (k % per_line) * right, (k // per_line) * down
            elif kind == "bow":
                y = float(bow * (k - (len(piles) - 1) / 2) ** 2)
            cards += moved(pile, x + self.normal(loose), y + self.normal(loose))
        return self.boxed(cards)

    def any_turn(self) -> float:
        """How the cards of a zone are turned: mostly upright, some sideways, a few anyhow."""
        kind = self.rng.random()
        if kind < 0.8:
            return 0.0
        return self.pick(-np.pi / 2, np.pi / 2) if kind < 0.92 else self.uniform(-np.pi, np.pi)

    def any_pile(self, word: str | None, zone: str, turn: float, under: int = 0) -> Cards:
        """A pile's top at the origin, with the edges of so many cards below it."""
        return turned(self.pile(word, zone, under, self.pick(0.008, 0.015, 0.06)), turn)


class Neighbour(Dealer):
    """Less usual ways. They were held out from training until 2026-11-23."""

    author: ClassVar[str] = "neighbour"

    def mound(self, zone: str = "none") -> Cards:
        """A pile face down."""
        return self.jitter(self.pack(zone, 2, 0.012), 0.01, 0.03)

    def stock(self) -> Cards:
        """The stock, if it is there."""
        return self.mound("stock") if self.position["stock"] else []

    def usual_fan(self, cards: Sequence[Face], zone: str = "none") -> Block:
        """Cards as a fan."""
        return self.fan(cards, zone, self.uniform(1.6, 3) * self.aspect)


SLOPPY: Final = (0.003, 0.025)
"""How carelessly the stranger puts a card down; drawn for each."""


class Stranger(Dealer):
    """Ways of somebody who had not seen the others. They were held out from training until 2026-11-23."""

    author: ClassVar[str] = "stranger"

    def put(self, word: str | None, zone: str, x: float, y: float, turn: float = 0.0) -> Cards:
        """A card laid by hand, more or less exactly; nothing without a word."""
        return self.card(word, zone, (x, y), turn, SLOPPY)

    def backs(self, zone: str, x: float, y: float, turn: float = 0.0, there: object = True) -> Cards:
        """A pile face down, if it is there."""
        pile = self.pack(zone, 4, (0.003, 0.012))
        return moved(turned(pile, turn + self.normal(0.02)), x, y) if there else []

    def strung(self, words: Sequence[Face], zone: str, ways: Sequence[Way], mess: float | None = None) -> Cards:
        """Cards one upon the other, the first at the origin; the last of `ways` goes on."""
        return self.trail(words, zone, ways, self.pick(0.004, 0.01, 0.018) if mess is None else mess, across=True)


class Visitor(Dealer):
    """Ways for measuring only, by somebody who had seen neither the families of training nor any parser."""

    author: ClassVar[str] = "visitor"
    held_out: ClassVar[bool] = True

    def closed(self, zone: str = "none", turn: float = 0.0, loose: float = 0.01) -> Cards:
        """A pack face down at the origin, neat or loose."""
        pack = self.pack(zone, 5, (0.2, 1), loose)
        return turned(pack, turn + self.normal(0.03))

    def stock(self, turn: float = 0.0, loose: float = 0.01) -> Cards:
        """The stock at the origin, if it is there."""
        return self.closed("stock", turn, loose) if self.position["stock"] else []

    def strung(self, words: Sequence[str], zone: str, step: Way, mess: float = 0.01) -> Cards:
        """Cards at even steps; the messier, the longer the steps."""
        return self.string(words, zone, step, mess, 1 + 1.5 * mess / max(abs(step[0]), abs(step[1]), 0.1))


class Newcomer(Dealer):
    """Ways for measuring only, by a second author who had seen neither the families of training nor any parser."""

    author: ClassVar[str] = "newcomer"
    held_out: ClassVar[bool] = True

    def lines(self, pieces: Sequence[Cards], limit: float, gaps: Way, share: float = 0.0) -> Cards:
        """Pieces in lines at most `limit` wide, from the far end; `share` 0 has them begin in line, 1 end in line."""
        lines: list[Cards] = []
        for piece in pieces:
            longer = self.beside(lines[-1] if lines else [], piece, "right", gaps[0])
            left, _, right, _ = self.extent(longer)
            if lines and right - left <= limit:
                lines[-1] = longer
            else:
                lines.append(list(piece))
        placed = Cards()
        for line in lines:
            placed = self.beside(placed, line, "near", gaps[1], share)
        return placed
