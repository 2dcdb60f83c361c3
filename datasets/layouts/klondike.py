"""Klondike as people lay it: seven columns towards the player, stock, waste and foundations wherever there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import pi
from typing import Any, Final, Literal

import numpy as np

from datasets.games.game import PositionJson, foundation_tops, shuffled
from datasets.games.klondike import random_position
from datasets.layouts.authors import SLOPPY, Anywhere, Neighbour, Newcomer, Stranger, Visitor
from datasets.layouts.dealer import SIDES, Dealer
from datasets.layouts.family import Draw, Recipe, families, lays
from datasets.layouts.geometry import Block, Cards, Way, face, joined, moved, turned
from datasets.picture_tools import Rng
from datasets.scenes.renderer import LaidCard
from solver.cards import RANK_CHARS, SUIT_CHARS

OPPOSITE: Final = {"left": "right", "right": "left"}
SEEN_WASTE: Final = 3


class KlondikeDealer(Dealer):
    """The parts of Klondike: which cards lie where."""

    @property
    def waste(self) -> list[str]:
        """The waste's cards that are seen."""
        return list(self.position["waste"])

    def columns_of(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Each column's zone, its cards face down and its cards face up."""
        for number, column in enumerate(self.position["columns"]):
            yield f"column/{number}", column["down"], column["up"]

    def tops_of(self) -> list[tuple[str | None, str]]:
        """The foundations' top cards, None for one that is not begun, with their zones; suits in any order."""
        return foundation_tops(self.position, self.mixed(SUIT_CHARS))

    def longest_run(self) -> int:
        """How many cards lie face up in the column that has most of them."""
        return max(len(up) for _, _, up in self.columns_of())


# The house's


@dataclass(frozen=True, slots=True)
class KlondikeStyle:
    """One way to lay Klondike.

    Attributes:
        stock: Where stock and waste lie: in the row above, below the columns at a side, beside the row, or nowhere.
        foundations: How the foundations lie in the row above: over columns 4 to 7, touching, anywhere in the row's
            free places, or loosely.
        columns: How the columns overlap: as usual, not at all, backs only, or each as it came.
        mirrored: Stock at the right, foundations at the left.
        careless: How much more carelessly than usual the piles are placed.
        waste_down: The waste is spread towards the player.
    """

    stock: Literal["row", "below left", "below right", "beside", "none"] = "row"
    foundations: Literal["slots", "touching", "spread", "loose"] = "slots"
    columns: Literal["overlapped", "triangle", "faces clear", "mixed steps"] = "overlapped"
    mirrored: bool = False
    careless: float = 1.0
    waste_down: bool = False


class HouseKlondike(KlondikeDealer):
    """The usual ways, by style."""

    def lay(self, style: KlondikeStyle) -> Cards:
        """The cards laid in a style."""
        gap = 1 + (self.uniform(0.0, 0.08) if self.coin(0.15) else self.rng.gamma(2.0, 0.16) + 0.05)
        depth, columns = self.styled_columns(style, gap)
        stock = self._stock_place(style, gap, depth, columns)
        placed = Cards()
        if self.position["stock"] and style.stock != "none":
            for k in range(self.count(1, 4)):
                placed += self._put(style, "??", stock[0], stock[1] - 0.01 * k, "stock")
        waste = self.waste[-SEEN_WASTE:]
        for word, place in zip(waste, self._waste_places(style, gap, stock, len(waste)), strict=True):
            placed += self._put(style, word, *place, "waste")
        tops = [top for top in self.tops_of() if top[0]]
        for x, (top, zone) in zip(self._foundation_places(style, gap, len(tops)), tops, strict=False):
            placed += self._put(style, top, x, self.normal(0.05 * style.careless), zone)
        return placed + columns

    def _put(self, style: KlondikeStyle, word: str | None, x: float, y: float, zone: str) -> Cards:
        sideways, along, turn = (self.normal(spread * style.careless) for spread in (0.025, 0.02, 0.02))
        return [LaidCard(face(word), x + sideways, y + along, turn, zone)]

    def _stock_place(self, style: KlondikeStyle, gap: float, depth: float, columns: Sequence[LaidCard]) -> Way:
        """Where the stock lies; `depth` is how deep the deepest column is."""
        if style.stock in ("below left", "below right"):
            x = (0 if style.stock == "below left" else 5.2) * gap + self.uniform(-1.0, 0.6)
            near = [c for c in columns if abs(c.x - x) < 2.2 * gap]
            y = max((c.y for c in near), default=self.aspect) + self.aspect + self.uniform(0.1, 0.6)
            return x, max(y, self.uniform(0.5, 1.1) * depth)
        if style.stock == "beside":
            x = (-1.2 - self.uniform(0.1, 0.8)) if self.coin() else 7 * gap + self.uniform(0.1, 0.8)
            return x, self.uniform(0, 0.6 * depth)
        return (6 if style.mirrored else 0) * gap, 0.0

    def _waste_places(self, style: KlondikeStyle, gap: float, stock: Way, count: int) -> list[Way]:
        """Where the waste's cards lie beside the stock, the top card last."""
        step = self.aside(0.22, 0.45)
        toward = -1.0 if style.mirrored and style.stock == "row" else 1.0
        x = stock[0] + toward * (gap if self.coin(0.7) else self.uniform(1.02, 1.8)) * self.uniform(1.0, 1.1)
        if style.waste_down:
            return [(x, stock[1] + k * self.down(0.3)) for k in range(count)]
        return [(x + step * (k if toward > 0 else k - count + 1), stock[1]) for k in range(count)]

    def _foundation_places(self, style: KlondikeStyle, gap: float, begun: int) -> list[float]:
        """Where in the row above four foundations lie, of which some are begun: those come first."""
        slots = list(range(7)) if not style.mirrored else list(range(6, -1, -1))
        if style.foundations == "slots":
            places = [slots[3 + k] * gap for k in self.mixed(range(4))]
            return sorted(places[:begun]) if self.coin() else places
        if style.foundations == "touching":
            first = min(slots[3], slots[6]) * gap + self.uniform(-0.6, 0.6)
            return [first + k * (1 + self.uniform(-0.02, 0.06)) for k in range(4)]
        if style.foundations == "spread":
            free = slots[2:] if style.stock == "row" else slots
            return sorted(self.rng.choice(free, 4, replace=False) * gap)
        first = slots[3] * gap if not style.mirrored else 0.0
        return [first + k * gap * self.uniform(0.9, 1.2) for k in range(4)]

    def styled_columns(self, style: KlondikeStyle, gap: float) -> tuple[float, Cards]:
        """How deep the deepest column is, and the columns' cards."""
        top = self.aspect + self.rng.gamma(2.0, 0.2) + 0.05
        back_step = float(np.exp(self.rng.uniform(*np.log(self.shape.back_steps))))
        face_step = self.down(0.25, 0.5)
        if not self.shape.least_back_step:
            back_step = self.uniform(0.0, 0.004)  # squared: what shows is what a hand leaves uneven
        uneven = self.pick(0.03, 0.12, 0.25)  # how much care was taken with each single strip
        placed = Cards()
        for number, (zone, down, up) in enumerate(self.columns_of()):
            backs = back_step * self.rng.uniform(0.8, 1.2) * np.exp(self.rng.normal(0, uneven, len(down)))
            backs = backs.clip(self.shape.least_back_step, 0.95).tolist()
            steps = self._column_steps(style, backs, face_step * self.uniform(0.95, 1.15), len(up))
            block = self.column([*down, *up], zone, steps)
            x = number * gap - 0.5 + self.normal(0.03 * style.careless)
            placed += block.at(x, top - self.aspect / 2 + self.normal(0.03 * style.careless))
        return max([top, *(card.y for card in placed)]) + self.aspect / 2, placed

    def _column_steps(self, style: KlondikeStyle, backs: Sequence[float], faces: float, face_up: int) -> list[float]:
        """The steps from each card of a column to the next; the last one goes on.

        Args:
            style: How columns overlap.
            backs: The steps after cards face down, if they overlap as usual.
            faces: The step after a card face up.
            face_up: How many of those there are.
        """
        if style.columns == "triangle":
            return [self.aspect * (1 + self.uniform(0.02, 0.15))] * max(len(backs), 1) + [faces]
        if style.columns == "faces clear":
            return [*backs[:-1], self.aspect * (1 + self.uniform(0.0, 0.1)), faces] if backs else [faces]
        if style.columns == "mixed steps":
            usual = np.array([*backs, *[faces] * face_up])
            mixed: list[float] = (usual * np.exp(self.rng.normal(0, 0.25, len(usual)))).clip(0.02, 1.6).tolist()
            return mixed
        return [*backs, faces]


def staged(rng: Rng) -> PositionJson:
    """A table that keeps no rule, as people lay one for a picture: it still lies as Klondike does."""
    position = random_position(rng)
    deck = [rank + suit for rank in RANK_CHARS for suit in SUIT_CHARS]
    rng.shuffle(deck)
    columns = [
        {
            "down": ["??"] * int(rng.integers(0, number + 1) * (rng.random() < 0.6)),
            "up": [deck.pop() for _ in range(int(rng.choice([0, 1, 1, 1, 2, 3, 5])))],
        }
        for number in range(7)
    ]
    built = {suit: int(rng.integers(0, 14)) if rng.random() < 0.6 else 0 for suit in SUIT_CHARS}
    stock = ["??"] * (10 * (rng.random() < 0.8))
    waste = [deck.pop() for _ in range(int(rng.integers(0, 4)))]
    return position | {"columns": columns, "foundations": built, "waste": waste, "stock": stock}


def late(rng: Rng) -> PositionJson:
    """A game played on towards its end: high foundations, long runs, few cards face down."""
    for _ in range(20):
        position = random_position(rng, moves=int(rng.integers(60, 300)), eager=True)
        if sum(position["foundations"].values()) >= 4:
            break
    return position


def fresh(rng: Rng) -> PositionJson:
    """The table as it is dealt."""
    return random_position(rng, moves=0)


def part(rng: Rng) -> PositionJson:
    """One to three columns that a photo shows by themselves."""
    position = late(rng) if rng.random() < 0.5 else random_position(rng)
    first, count = int(rng.integers(0, 7)), int(rng.choice([1, 1, 2, 3]))
    kept = range(first, min(first + count, 7))
    columns = [
        {"down": column["down"] * (rng.random() < 0.5), "up": column["up"]} if k in kept else {"down": [], "up": []}
        for k, column in enumerate(position["columns"])
    ]
    shown = sum(len(column["down"]) + len(column["up"]) for column in columns)
    rest = {"foundations": dict.fromkeys(SUIT_CHARS, 0), "waste": [], "stock": ["??"] * (52 - shown)}
    return position | {"columns": columns} | rest


def squared(rng: Rng) -> PositionJson:
    """A game whose columns show their top cards alone: what lies under one, face up or down, nobody sees."""
    position = (fresh, random_position, late)[int(rng.integers(3))](rng)
    columns = [
        {"down": ["??"] * (len(column["down"]) + len(column["up"]) - 1), "up": column["up"][-1:]}
        if column["up"]
        else column
        for column in position["columns"]
    ]
    covered = ["??"] * (len(position["waste"]) - 1)
    rest = {"stock": position["stock"] + covered, "waste": position["waste"][-1:]}
    return position | {"columns": columns} | rest


class SquaredKlondike(KlondikeDealer):
    """Every pile squared, as robots lay them: two rows of single cards."""

    @lays("klondike/squared piles", squared, weight=0.0)
    def lay_squared(self) -> Cards:
        """Piles in one row; in the other stock and waste at one end, and the foundations from the other end on.

        Drawn by name alone: no network was trained on it, and the sets of all seeds stay what they were.
        """
        step, loose = 1.05 + float(self.rng.gamma(2.0, 0.16)), self.pick(0.003, 0.008, 0.015)
        piles = [(up[-1], zone, len(down)) for zone, down, up in self.columns_of() if up]
        columns = joined(
            moved(self.pile(*pile, loose), int(pile[1].partition("/")[2]) * step, self.normal(0.02)) for pile in piles
        )
        stock = self.pack("stock", 4, loose) if self.position["stock"] else []
        waste = self.card(self.waste[-1] if self.waste else None, "waste")
        beside = step if self.coin() else 0.0  # or the waste lies on the stock, the other way round
        tops = [self.pile(top, zone, self.count(0, 3), loose) for top, zone in self.tops_of() if top]
        foundations = joined(moved(pile, (6 - k) * step, self.normal(0.02)) for k, pile in enumerate(tops))
        second = [*stock, *moved(waste, beside, self.normal(0.02)), *foundations]
        far = self.pick(-1, 1) * self.aspect * self.uniform(1.08, 1.5)
        mirrored = [replace(card, x=6 * step - card.x) for card in second] if self.coin(0.3) else second
        return self.jitter([*columns, *moved(mirrored, 0.0, far)], 0.0, self.pick(0.01, 0.03))


class AnywhereKlondike(Anywhere, HouseKlondike):
    """Columns side by side or otherwise; foundations, stock and waste about them."""

    def lay_anywhere(self) -> Cards:
        """The cards, each zone in a way of its own."""
        style = KlondikeStyle(
            stock="none",
            columns=self.pick("overlapped", "overlapped", "mixed steps", "faces clear"),
            careless=self.pick(1.0, 2.0, 4.0),
        )
        gap = 1 + float(self.rng.uniform(0.0, 0.06) if self.coin(0.2) else self.rng.gamma(2.0, 0.16) + 0.04)
        core = self._columns_arranged(self.styled_columns(style, gap)[1], gap)
        blocks: list[tuple[Block, str | None]] = []
        turn = self.any_turn()
        tops = [top for top in self.tops_of() if top[0]]
        if tops:
            piles = [self.any_pile(*top, turn, self.count(0, 2)) for top in tops]
            side = "far" if self.coin() else None
            blocks.append((self.arrange(piles), side))
        return self.around(core, self.mixed(blocks + self._stock_and_waste()))

    def _columns_arranged(self, cards: Sequence[LaidCard], gap: float) -> Cards:
        """Columns side by side, in two lines, in a bow, or each as a row of its own that grows to the right."""
        start = self.pick(0.0, 0.05, 0.3)  # how unevenly the columns begin
        kind = str(self.rng.choice(["side by side", "two lines", "bow", "rows"], p=[0.7, 0.1, 0.12, 0.08]))
        lean = self.pick(0.0, 0.02, 0.06)
        upper = self.count(3, 5)
        angle, bulge = self.uniform(0.03, 0.2), self.pick(-1, 1)
        turning = self.pick(0.0, 1.0, 1.0) * bulge
        result = Cards()
        line = 0.0
        for number in range(7):
            own = [card for card in cards if card.zone == f"column/{number}"]
            if not own:
                continue
            x, y = own[0].x, own[0].y
            column = moved(own, -x, -y)
            y += abs(self.normal(start))
            if kind == "two lines":
                if number >= upper:
                    line = line or max((card.y for card in result), default=0.0) + self.aspect * self.uniform(1.05, 1.4)
                    x, y = x - gap * upper, y - own[0].y + line
            elif kind == "bow":
                place = (number - 3) * angle
                x, y = gap / angle * np.sin(place), y + bulge * gap / angle * (1 - np.cos(place))
                column = turned(column, place * turning)
            elif kind == "rows":
                faces = self.aside(0.25, 0.5) / self.down(0.0)
                column = [replace(card, x=card.y * max(faces, 0.5), y=card.x) for card in column]
                x, y = start * self.rng.normal(), number * (self.aspect + gap - 1)
            result += moved(turned(column, self.normal(lean)), x, y)
        return result

    def _stock_and_waste(self) -> list[tuple[Block, str | None]]:
        """Stock and waste, in most cases beside each other."""
        stock = Cards()
        if self.position["stock"] and self.coin(0.85):
            stock = self.any_pile(None, "stock", self.any_turn(), self.count(0, 3))
        seen = self.waste[-self.count(1, 4) :]
        if not seen:
            return [(self.boxed(stock), None)] if stock else []
        waste = self._spread_waste(seen)
        side = "far" if self.coin(0.35) else None
        if not stock or self.coin(0.25):
            return [(waste, None), *([(self.boxed(stock), side)] if stock else [])]
        beside = SIDES[int(self.rng.choice(4, p=[0.1, 0.25, 0.2, 0.45]))]
        return [(self.boxed(self.around(self.boxed(stock).cards, [(waste, beside)])), side)]

    def _spread_waste(self, seen: Sequence[str]) -> Block:
        """The waste as a pile, of which the last card is seen, or its cards in a row, a column or a fan."""
        step = self.aside(0.2, 0.5)
        kind = self.pick("pile", "row", "row", "column", "fan")
        if kind == "pile" or len(seen) == 1:
            return self.boxed(self.any_pile(seen[-1], "waste", 0.0, self.count(0, 3)))
        if kind == "row":
            return self.row(seen, "waste", step)
        if kind == "column":
            return self.column(seen, "waste", [self.down(0.25, 0.5)])
        return self.fan(seen, "waste", self.uniform(1.6, 3.0) * self.aspect)


class NeighbourKlondike(Neighbour, KlondikeDealer):
    """Groups of piles, put together by their boxes so that nothing lies on what it should not hide."""

    def foundations(self) -> list[Cards]:
        """Four places, some of them empty, suits in any order; some people fill them one by one from the first."""
        tops = self.tops_of()
        piles = [self.jitter(self.pile(word, zone) if word else [], 0.02, 0.03) for word, zone in tops]
        return sorted(piles, key=len, reverse=True) if self.coin() else piles

    def stock_waste(self, waste_at: Way, fan: Way) -> Cards:
        """Stock and waste, the waste's cards spread by `fan`."""
        return [*self.stock(), *moved(self.trail(self.waste, "waste", [fan], 0.04), *waste_at)]

    def columns(self, back: Way, face: Way) -> list[Cards]:
        """The seven columns about their first cards, by the steps after a card face down and after one face up."""
        crooked = self.pick(0.008, 0.02, 0.04)
        return [
            self.trail([*down, *up], zone, [back] * len(down) + [face], crooked) for zone, down, up in self.columns_of()
        ]

    def usual_columns(self) -> Cards:
        """The columns side by side."""
        drift = self.normal(0.015)
        face = (drift, self.down(0.25, 0.5))
        columns = self.columns((drift, self.uniform(0.04, 0.3)), face)
        return self.line(columns, (1 + self.uniform(0.06, 0.45), self.normal(0.02)), self.uniform(0, 0.12))

    @lays("klondike/foundations beside")
    def foundations_beside(self) -> Cards:
        """Foundations as a column, block or row beside the columns; the rest far off, the stock perhaps in the hand."""
        side, away = self.mixed(("left", "right", "near"))[:2]
        piles = self.foundations()
        upright = (self.normal(0.03), self.aspect + self.uniform(0.05, 0.4))
        flat = (1 + self.uniform(0.03, 0.45), self.normal(0.03))
        if self.coin(0.4):
            home = self.line([self.line(piles[k : k + 2], flat) for k in (0, 2)], upright, 0.03)
        else:
            home = self.line(piles, flat if side == "near" else upright, 0.05)
        table = self.beside(self.usual_columns(), home, side, (0.2, 1), (0, 0.7))
        at = (1.2 + self.uniform(0, 0.8), 0.0) if self.coin(0.6) else (0.0, self.aspect + self.uniform(0.1, 0.5))
        stock_waste = self.stock_waste(at, (self.aside(0.2, 0.5), self.normal(0.03)))
        if self.position["waste"] and self.coin(0.15):
            stock_waste = [card for card in stock_waste if card.zone == "waste"]
        stock_waste = turned(stock_waste, self.pick(0.0, 0.0, self.normal(0.25), pi / 2, -pi / 2))
        return self.beside(table, stock_waste, "far" if self.coin(0.4) else away, (0.3, 2.5), (0, 1))

    @lays("klondike/stock between foundations")
    def stock_between(self) -> Cards:
        """Above the columns: foundations with stock and waste between them, or them between stock and waste."""
        homes = self.foundations()
        waste = self.trail(self.waste, "waste", [(self.aside(0.2, 0.4), self.normal(0.02))], 0.03)
        stock = self.stock()
        row, rest = (self.line(homes[k : k + 2], (1 + self.uniform(0.02, 0.4), 0), 0.03) for k in (0, 2))
        order = [row, stock, waste, rest] if self.coin(0.6) else [stock, row, rest, waste]
        if self.coin(0.3):
            order.reverse()
        table = Cards()
        for group in order:
            table = self.beside(table, group, "right", (0.1, 0.6), (0.3, 0.7))
        return self.beside(self.usual_columns(), table, "far", (0.1, 0.7), (0.2, 0.8))

    @lays("klondike/arc")
    def arc(self) -> Cards:
        """Columns that fan apart towards the player or run together, the row above bent as they are."""
        face = self.down(0.25, 0.45)
        columns = self.columns((0, self.uniform(0.05, 0.25)), (0, face))
        longest = max((column[-1].y for column in columns if column), default=0.0) + 2 * self.aspect
        together = self.coin()
        pitch = self.uniform(1.3, 1.6) if together else self.uniform(1.08, 1.25)
        # Where columns run together, the pivot stands so far off that their ends still have a card's width each.
        radius = longest * (pitch / (pitch - 1.05) if together else self.uniform(1.5, 4))
        homes = self.foundations()
        stock = self.stock()
        waste = self.trail(self.waste, "waste", [(self.aside(0.3), 0)], 0.03)
        above = [stock, waste, [], *homes] if self.coin(0.6) else [*homes, [], stock, waste]
        placed = Cards()
        for k in range(7):
            angle = (k - 3) * pitch / radius + self.normal(0.006)
            pair = [*moved(above[k], 0, -self.aspect - self.uniform(0.15, 0.3)), *columns[k]]
            away = -radius if together else radius
            placed += moved(turned(moved(pair, 0, away), angle if together else -angle), 0, -away)
        return placed

    @lays("klondike/squared")
    def squared(self) -> Cards:
        """No room: backs squared, face-up cards tight, the waste spread downwards at the side, foundations touching."""
        columns = self.columns((0, self.uniform(0.0, 0.03)), (0, self.down(0.0)))
        table = self.line(columns, (1 + self.uniform(0.0, 0.12), 0), self.uniform(0.02, 0.3))
        homes = self.line(self.foundations(), (1 + self.uniform(-0.02, 0.06), self.normal(0.01)))
        table = self.beside(table, homes, "far", (0.05, 0.3), (0, 1))
        down = (self.normal(0.05), self.down(0.2, 0.5))
        stock_waste = self.stock_waste((self.normal(0.05), self.aspect + self.uniform(0.05, 0.4)), down)
        return self.beside(table, stock_waste, self.pick("left", "right"), (0.1, 0.5), (0, 0.6))

    @lays("klondike/rows")
    def rows(self) -> Cards:
        """Columns laid as rows to the right, as on a narrow train table; all else stands at their beginning."""
        face = (self.aside(0.25, 0.45), self.normal(0.015))
        rows = self.columns((self.uniform(0.04, 0.2), 0), face)
        table = self.line(rows, (0, self.aspect + self.uniform(0.04, 0.25)), self.uniform(0.0, 0.1))
        homes = self.line(self.foundations(), (0, self.aspect + self.uniform(0.05, 0.3)), 0.04)
        table = self.beside(table, homes, self.either(chance=0.6), (0.2, 0.7), (0, 1))
        fan = (self.aside(0.2, 0.4), 0)
        stock_waste = self.stock_waste((1.1 + self.uniform(0, 0.4), 0), fan)
        return self.beside(table, stock_waste, self.pick("far", "near"), (0.15, 0.5), (0, 0.4))


class StrangerKlondike(Stranger, KlondikeDealer):
    """All piles at places of one plan."""

    def columns(self, lean: float = 0.0, aside: bool = False) -> list[Cards]:
        """The seven columns, each with its first card at the origin, towards the player or to the right."""
        back = float(np.exp(self.rng.uniform(np.log(0.05), np.log(0.4))))
        face = self.aside(0.25, 0.5) if aside else self.down(0.25, 0.7)
        mess = self.pick(0.004, 0.012, 0.022)
        columns = []
        for zone, down, up in self.columns_of():
            steps = [back * self.uniform(0.85, 1.2) for _ in down] + [face * self.uniform(1, 1.08) for _ in up]
            ways = [(step, lean * step) if aside else (lean * step, step) for step in steps]
            columns.append(self.strung([*down, *up], zone, ways, mess))
        return columns

    def stock_at(self, x: float, y: float, turn: float = 0.0) -> Cards:
        """The stock, if it is there."""
        return self.backs("stock", x, y, turn, there=self.position["stock"])

    def waste_to(self, to: str) -> Cards:
        """The waste's cards from the origin on: to the right, the left, down or aslant."""
        aside, down = self.aside(0.25, 0.4), self.down(0.3, 0.55)
        rise = self.uniform(0.1, 0.3)
        way = {"right": (aside, 0.0), "left": (-aside, 0.0), "down": (0.0, down), "aslant": (aside, rise)}
        return self.strung(self.waste, "waste", [way[to]])

    def foundations(self, places: Sequence[Way], turn: float = 0.0) -> Cards:
        """The foundations at their places."""
        return self.tops(self.tops_of(), places, turn, SLOPPY)

    @lays("klondike/columns as rows on a tray")
    def tray(self) -> Cards:
        """On a bed tray: each column runs to the right, all other piles in one line along a side."""
        pitch = self.aspect + self.uniform(0.05, 0.3)
        placed = joined(moved(c, self.normal(0.04), k * pitch) for k, c in enumerate(self.columns(aside=True)))
        left, _, right, _ = self.extent(placed)
        x = left - 0.5 - self.uniform(0.4, 1.2) if self.coin() else right + 0.5 + self.uniform(0.4, 1.5)
        stock_first = self.coin()
        at, first = (0.0, 3.0) if stock_first else (4.3, 0.0)
        placed += self.stock_at(x, at * pitch)
        placed += moved(self.waste_to("down"), x, at * pitch + self.aspect + self.uniform(0.1, 0.25))
        return placed + self.foundations([(x, (first + k + 0.3 * stock_first) * pitch) for k in range(4)])

    @lays("klondike/ends in line at the edge")
    def ends_in_line(self) -> Cards:
        """The columns' last cards stand in one line at the table's edge; the other piles beyond the longest column."""
        pitch, left_handed = 1 + self.uniform(0.07, 0.35), self.coin()
        placed = Cards()
        for k, column in enumerate(self.columns()):
            if column:
                placed += moved(column, k * pitch, self.normal(0.06) - self.extent(column)[3])
        y = self.extent(placed)[1] - self.aspect / 2 - self.uniform(0.15, 0.8)
        stock, waste, first = (6.0, 5.0, 0) if left_handed else (0.0, 1.0, 3)
        placed += self.stock_at(stock * pitch, y)
        placed += moved(self.waste_to("left" if left_handed else "right"), waste * pitch, y)
        return placed + self.foundations([((first + k) * pitch, y) for k in range(4)])

    @lays("klondike/in an arc on the floor")
    def arc(self) -> Cards:
        """On the floor: the columns in an arc about the sitting player, or spread towards the player like rays."""
        columns = self.columns()
        spacing, rays = self.uniform(1.08, 1.25), self.coin(0.4)
        long = max(self.extent(column)[3] for column in columns if column)
        head = self.uniform(8, 14) if rays else -long - self.uniform(6, 12)
        side, beyond = (-1 if rays else 1), head - self.aspect - self.uniform(0.2, 0.6)
        bend = spacing / (head - self.aspect / 2 if rays else -head - long)
        placed = Cards()
        for k, column in enumerate(columns):
            placed += turned(moved(column, 0, head + self.normal(0.05)), side * (k - 3) * bend)
        bend = 1.1 * spacing / (abs(beyond) - self.aspect / 2)
        stock, waste, first = (3.0, 1.4, -3) if self.coin(0.4) else (-3.0, -2.0, 0)
        placed += turned(self.stock_at(0, beyond), side * stock * bend)
        placed += turned(moved(self.waste_to("right"), 0, beyond), side * waste * bend)
        for k, top in enumerate(self.tops_of()):
            placed += turned(self.put(*top, 0, beyond), side * (first + k) * bend)
        return placed

    @lays("klondike/two lines in a train")
    def two_lines(self) -> Cards:
        """On a train's folding table: four columns, three below them with the stock, the foundations along a side."""
        pitch, left_handed = 1 + self.uniform(0.06, 0.25), self.coin()
        columns = self.columns()
        placed = self.side_by_side(columns[:4], pitch, 0.04)
        near = max(self.extent(placed)[3] if placed else 0.0, self.aspect / 2)
        y = near + self.aspect / 2 + self.uniform(0.2, 0.6)
        for k in range(4, 7):
            placed += moved(columns[k], (k - 4 + left_handed) * pitch, y + self.normal(0.04))
        x = (-0.1 if left_handed else 3.1) * pitch
        placed += self.stock_at(x, y + 0.1)
        waste = self.waste_to("left" if left_handed else "down")
        placed += moved(waste, x, y + 0.1 + self.aspect + self.uniform(0.08, 0.3))
        turn = self.pick(0, 0, -pi / 2, pi / 2)
        step = (1 if turn else self.aspect) + self.uniform(0.05, 0.25)
        gap = 0.75 + self.uniform(0.3, 0.7)
        x = 3 * pitch + 0.5 + gap if left_handed else -0.5 - gap
        return placed + self.foundations([(x, k * step) for k in range(4)], turn)

    @lays("klondike/slanted, foundations in a square")
    def slanted(self) -> Cards:
        """All columns slanted as the arm moves, beside them the foundations as a square and the stock lying across."""
        lean = self.uniform(0.1, 0.3) * self.pick(-1, 1)
        pitch = 1.06 + abs(lean) * self.aspect + self.uniform(0, 0.25)
        placed = self.side_by_side(self.columns(lean), pitch, 0.04)
        gap = self.uniform(0.03, 0.3)
        wide, tall = 1 + gap, self.aspect + gap
        side = self.foundations([(k % 2 * wide, k // 2 * tall) for k in range(4)])
        y = 2 * tall + self.uniform(0.1, 0.5) if self.coin(0.6) else -2 * tall - self.uniform(1.0, 1.4)
        side += self.stock_at(0.2, y, pi / 2)
        side += moved(self.waste_to("aslant"), 0, y + 0.5 + self.aspect / 2 + self.uniform(0.1, 0.3))
        left, _, right, _ = self.extent(placed)
        if side:
            begin, _, end, _ = self.extent(side)
            gap = self.uniform(0.8, 1.7)
            placed += moved(side, left - gap - end if self.coin() else right + gap - begin, 0)
        return placed


def _from_right(rng: Rng) -> PositionJson:
    """A deal whose longest column is the first."""
    position = random_position(rng)
    return {**position, "columns": position["columns"][::-1]}


def _with_waste(rng: Rng, count: int) -> PositionJson:
    """A game that turns single cards, with so many cards of the waste to be seen, if there are so many."""
    position = random_position(rng)
    seen = {card for column in position["columns"] for card in column["up"]} | set(position["waste"])
    for suit, built in position["foundations"].items():
        seen |= {rank + suit for rank in RANK_CHARS[:built]}
    hidden = [card for card in shuffled(rng) if card not in seen]
    all_of_it = len(position["stock"]) + len(position["waste"])
    more = max(0, min(count, all_of_it) - len(position["waste"])) if position["waste"] or count > 1 else 0
    waste = (hidden[:more] + position["waste"])[-count:]
    rules = {**position["rules"], "draw": 1}
    return {**position, "rules": rules, "waste": waste, "stock": ["??"] * (all_of_it - len(waste))}


def _long_waste(rng: Rng) -> PositionJson:
    """A game whose waste is spread so that all of it is seen."""
    return _with_waste(rng, int(rng.integers(4, 17)))


class VisitorKlondike(Visitor, KlondikeDealer):
    """Columns first, then each other pile beside them."""

    def columns(self, face: float, mess: float, back: float | None = None) -> list[Cards]:
        """The seven columns towards the player, each with its first card at the origin; `face` and `back` are steps."""
        back = float(np.exp(self.rng.uniform(*np.log(self.shape.back_steps)))) if back is None else back
        face, back = self.down(face), min(back, 0.45)
        columns = []
        for zone, down, up in self.columns_of():
            placed, y, drift = Cards(), 0.0, self.normal(mess)
            for n, word in enumerate([*down, *up]):
                placed += self.card(word, zone, (drift * n, y), mess=mess)
                step = back * self.uniform(0.8, 1.25) if word == "??" else face * self.uniform(1, 1.1) + mess
                y += max(step, self.shape.least_back_step)
            columns.append(placed)
        return columns

    def gathered_tops(self, gather: bool = True) -> list[tuple[str | None, str]]:
        """The foundations' tops in any order; gathered, those that are not begun come last."""
        tops = self.tops_of()
        return sorted(tops, key=lambda top: top[0] is None) if gather else tops

    @lays("klondike/dealt from the right", _from_right)
    def dealt_from_right(self) -> Cards:
        """Dealt by the left hand from the right: the longest column lies at the left; stock at either end above."""
        pitch, stagger = 1 + self.uniform(0.05, 0.35), self.uniform(0, 0.05)
        columns = self.columns(self.uniform(0.25, 0.6), self.pick(0.006, 0.015))
        placed = self.side_by_side(columns, pitch, stagger)
        y, aside = -self.aspect - self.uniform(0.1, 0.7), self.aside(0.25, 0.45)
        waste = self.strung(self.waste, "waste", (aside, 0.0), 0.015)
        stock_right = self.coin(0.7)
        waste = moved(waste, 5 * pitch - (len(waste) - 1) * aside if stock_right else pitch, y)
        if self.position["stock"]:
            lift = self.normal(0.05)
            placed += moved(self.stock(), (6 if stock_right else 0) * pitch, y + lift)
        tops = self.gathered_tops(self.coin(0.7))
        first = self.uniform(0, 0.25) if stock_right else 3 * pitch
        places = [(first + k * pitch * 0.98, y) for k in range(4)]
        return placed + waste + self.tops(tops, places[::-1] if self.coin() else places, mess=0.02)

    @lays("klondike/much room", partial(_with_waste, count=1))
    def much_room(self) -> Cards:
        """An elderly player's large table: columns wide apart and drawn out, stock by the hand, waste squared."""
        pitch = self.uniform(1.4, 1.95)
        face = min(self.uniform(0.55, 1.02) * self.aspect, max(0.5, 7 / max(1, self.longest_run())))
        placed = Cards()
        for k, column in enumerate(self.columns(face, 0.015, self.uniform(0.12, 0.45))):
            placed += moved(column, k * pitch + self.normal(0.06), self.normal(0.06))
        step, upright = 1 + self.uniform(0.3, 0.9), self.coin()
        tall = self.aspect + self.uniform(0.15, 0.5)
        places = [(0.0, k * tall) if upright else (k * step, 0.0) for k in range(4)]
        tops = self.tops(self.gathered_tops(self.coin(0.6)), places, mess=0.025)
        hand = self.either(chance=0.35)
        placed = self.beside(placed, tops, OPPOSITE[hand] if upright else "far", (0.4, 1.1), (0, 0.6))
        stock = self.stock(self.normal(0.1)) if self.position["stock"] else []
        way = (1 + self.uniform(0.15, 0.5), 0.0) if self.coin(0.4) else (0.0, tall)
        waste = self.tops([(word, "waste") for word in self.waste], [way] * len(self.waste), mess=0.03)
        return self.beside(placed, stock + waste, hand, (0.5, 1.3), (0.6, 1))

    @lays("klondike/on an aeroplane's tray")
    def aeroplane_tray(self) -> Cards:
        """On an aeroplane's tray: columns lie on each other's sides, the foundations half upon each other above."""
        pitch = max(self.uniform(0.8, 1.0), self.shape.right + 0.1)
        placed = self.side_by_side(self.columns(self.uniform(0.2, 0.35), 0.006), pitch, 0.02)
        aside, between = self.aside(0.25, 0.32), self.aside(0.4, 0.75)
        tops = self.gathered_tops()
        upper = self.tops(tops, [(k * between, self.normal(0.02)) for k in range(4)], mess=0.01)
        waste = self.strung(self.waste, "waste", (aside, 0.0), 0.01)
        stock = self.stock(loose=0.004)
        if self.coin():
            side = self.beside(stock, waste, "right", (0.03, 0.15))
            gap = max(0.1, 7 * pitch - 5.2 - self.uniform(0, 1))
            side = self.beside(side, upper, self.either("right", "left", 0.7), gap)
            return self.beside(placed, side, "far", (0.03, 0.2), (0, 0.4))
        placed = self.beside(placed, upper, "far", (0.03, 0.2), (0, 1))
        side = self.beside(stock, waste, "near", (0.03, 0.2), 0.0)
        return self.beside(placed, side, self.either(chance=0.3), (0.05, 0.2), (0.3, 1))

    @lays("klondike/a child's on the carpet")
    def child(self) -> Cards:
        """A child on the carpet: crooked columns that begin at any height, foundations anyhow, a slipped stock."""
        pitch, placed = self.uniform(1.3, 1.6), Cards()
        longest = max(len(up) + 0.4 * len(down) for _, down, up in self.columns_of())
        lean = min(0.07, 0.5 * (pitch - 1.1) / (0.5 * longest + 1))  # so that no column meets the next
        for k, column in enumerate(self.columns(self.uniform(0.4, 0.65), self.uniform(0.02, 0.035))):
            placed += moved(turned(column, self.uniform(-lean, lean)), k * pitch, self.uniform(-0.3, 0.3))
        tops = [self.card(*top, turn=self.normal(0.2), mess=0.012) for top in self.gathered_tops()]
        upright, row = self.coin(0.3), Cards()
        for k, top in enumerate(tops):
            x, y = (0.0, k * (self.aspect + 0.5)) if upright else (k * self.uniform(1.45, 1.7), 0.0)
            row += moved(top, x + self.normal(0.1), y + self.normal(0.1))
        side = self.either()
        placed = self.beside(placed, row, side if upright else "far", (0.4, 0.9), (0, 1))
        stock = self.stock(self.normal(0.4), 0.06) if self.position["stock"] else []
        waste = self.strung(self.waste, "waste", (self.aside(0.4) + 0.1, self.normal(0.1)), 0.05)
        waste = turned(waste, self.normal(0.15))
        pair = self.beside(stock, waste, self.either("right", "near"), (0.1, 0.5))
        return self.beside(placed, pair, OPPOSITE[side], (0.4, 0.9), (0, 1))

    @lays("klondike/foundations in two parts")
    def parted_foundations(self) -> Cards:
        """The foundations in two parts: a pair at each side, or the last ones beside the columns for want of room."""
        pitch = 1 + self.uniform(0.06, 0.3)
        placed = self.side_by_side(self.columns(self.uniform(0.25, 0.55), self.pick(0.006, 0.014)), pitch, 0.03)
        tops, tall = self.gathered_tops(self.coin(0.6)), self.aspect + self.uniform(0.05, 0.3)
        y, gap, aside = -self.aspect - self.uniform(0.1, 0.5), self.uniform(0.45, 1.1), self.aside(0.25, 0.4)
        stock = self.stock()
        waste = self.strung(self.waste, "waste", (aside, 0.0), 0.014)
        pair = self.beside(stock, waste, "right", (0.06, 0.3))
        if self.coin():
            lift = self.pick(y, 0.0, self.uniform(0, 1.5))
            left, right = -1 - gap, 6 * pitch + 1 + gap
            places = [(x, lift + k * tall) for x in (left, right) for k in range(2)]
            middle = self.uniform(1, 3) * pitch
            return placed + moved(pair, middle, y) + self.tops(tops, places, mess=0.02)
        above, mirrored = self.count(1, 4), self.coin(0.4)
        side = self.extent(placed)[0 if mirrored else 2] + (-1 if mirrored else 1) * (0.5 + gap)
        inner = [(0 if mirrored else 6 - above + 1) * pitch + k * pitch for k in range(above)]
        places = [(x, y) for x in inner] + [(side, (k + self.uniform(0, 0.3)) * tall) for k in range(4 - above)]
        return placed + moved(pair, 4.2 * pitch if mirrored else 0.0, y) + self.tops(tops, places, mess=0.02)

    @lays("klondike/whole waste in a line", _long_waste)
    def spread_waste(self) -> Cards:
        """The waste lies spread in one long line, along the table's edge or beyond the columns."""
        pitch = 1 + self.uniform(0.06, 0.3)
        placed = self.side_by_side(self.columns(self.uniform(0.25, 0.5), self.pick(0.006, 0.014)), pitch, 0.03)
        aside = max(self.aside(0.2), min(self.uniform(0.3, 0.45), 6 / max(1, len(self.waste))))
        line = self.strung(self.waste, "waste", (aside, self.normal(0.01)), 0.014)
        line = self.beside(self.stock(), line, "right", (0.08, 0.4))
        below = self.coin()
        tops, tall = self.gathered_tops(self.coin(0.6)), self.aspect + self.uniform(0.05, 0.3)
        upright = not below or self.coin(0.3)
        places = [(0.0, k * tall) if upright else (k * pitch, 0.0) for k in range(4)]
        where = self.either() if upright else "far"
        share = self.uniform(0, 0.3) if upright else self.uniform(0, 1)
        tops_laid = self.tops(tops, places)
        placed = self.beside(placed, tops_laid, where, (0.15, 0.9), share)
        return self.beside(placed, line, "near" if below else "far", (0.15, 0.7), (0, 0.3))

    @lays("klondike/other piles before the player")
    def all_near(self) -> Cards:
        """A lap board: the foundations and the stock lie before the player, the columns beyond them."""
        pitch = 1 + self.uniform(0.05, 0.3)
        placed = self.side_by_side(self.columns(self.uniform(0.25, 0.45), self.pick(0.006, 0.014)), pitch, 0.03)
        tops = self.gathered_tops(self.coin(0.6))
        near = self.tops(tops, [(k * pitch, 0.0) for k in range(4)], mess=0.02)
        stock = self.stock()
        waste = self.strung(self.waste, "waste", (self.aside(0.25, 0.4), 0.0), 0.014)
        hand = self.either("right", "left", 0.7)
        pair = self.beside(stock, waste, "right", (0.08, 0.3))
        near = self.beside(near, pair, hand, (0.3, 1.0))
        return self.beside(placed, near, "near", (0.3, 0.9), (0, 1))


@dataclass(frozen=True, slots=True)
class _Habit:
    """How somebody lays the columns of Klondike.

    Attributes:
        back: Height of the strip that an overlapped back shows, card widths.
        face: The same of a card face up, if its index leaves the choice.
        mess: Standard deviation of places (card widths) and turns (radians).
        depth: Room that the table has for a column; longer ones are pushed together as far as indices allow.
    """

    back: float
    face: float
    mess: float
    depth: float


def _midgame(rng: Rng) -> PositionJson:
    """A game under way for some minutes."""
    return random_position(rng, moves=int(rng.integers(12, 90)))


def _first_moves(rng: Rng) -> PositionJson:
    """A deal, or the first moves after it, as rules and tutorials show it."""
    return random_position(rng, moves=int(rng.choice([0, 0, 0, 1, 3, 6])))


def _nearly_over(rng: Rng) -> PositionJson:
    """A game that is nearly over, one way or the other; something still lies in the columns."""
    while True:
        position = random_position(rng, moves=int(rng.integers(110, 260)), eager=bool(rng.random() < 0.4))
        if sum(len(column["up"]) for column in position["columns"]) > 4:
            return position


class NewcomerKlondike(Newcomer, KlondikeDealer):
    """Columns by a habit, all other piles at places of one plan."""

    def habit(self, back: Way, face: Way, mess: Sequence[float] = (0.004, 0.01, 0.018), depth: float = 9.0) -> _Habit:
        """A habit drawn between bounds; how high a strip of a back can be, the deck's measures say too."""
        low, high = self.shape.back_steps
        wanted = float(np.exp(self.rng.uniform(*np.log(back))))
        strip = min(max(wanted, low), high) if self.shape.least_back_step else 0.0
        return _Habit(strip, self.uniform(*face), self.pick(*mess), depth)

    def columns(self, habit: _Habit) -> list[Cards]:
        """All seven columns, each with its first card at the origin."""
        return [self._column(zone, down, up, habit) for zone, down, up in self.columns_of()]

    def _column(self, zone: str, down: Sequence[str], up: Sequence[str], habit: _Habit) -> Cards:
        room = (habit.depth - len(down) * habit.back - self.aspect) / max(1, len(up) - 1)
        face = self.down(min(habit.face, room) + habit.mess)
        placed, y = Cards(), 0.0
        for k, word in enumerate([*down, *up]):
            placed += [replace(card, y=y) for card in self.card(word, zone, mess=habit.mess)]
            if k < len(down):
                y += max(self.shape.least_back_step, habit.back * float(np.exp(self.normal(0.12))))
            else:
                y += face * (1 + abs(self.normal(2 * habit.mess)))
        return placed

    def foundations(self, spots: Sequence[Way], mess: float, under: int = 0) -> Cards:
        """Foundations on four spots, each suit where its ace came to lie.

        Args:
            spots: Their middles; the first ones are taken first, or each suit has its own.
            mess: How carelessly they lie.
            under: How many cards below each top peep out of a pile that nobody squares up.
        """
        suits = self.mixed(SUIT_CHARS)
        counts = self.position["foundations"]
        if self.coin(0.6):
            suits.sort(key=lambda suit: not counts[suit])
        placed = Cards()
        for suit, spot in zip(suits, spots, strict=True):
            for rank in RANK_CHARS[max(0, counts[suit] - 1 - under) : counts[suit]]:
                placed += self.card(rank + suit, f"foundation/{suit}", spot, 0, mess)
        return placed

    def stock(self, loose: float = 0.008) -> Cards:
        """The stock as a pack, none where it is used up."""
        return self.pack("stock", loose=loose) if self.position["stock"] else []

    def fanned_waste(self, way: str, mess: float = 0.012) -> Cards:
        """The waste's last cards, the first of them at the origin, fanned one `way`: `right`, `left` or `down`."""
        aside, down = self.aside(0.22, 0.42) + mess, self.down(0.25, 0.4) + mess
        step = {"right": (aside, 0.0), "left": (-aside, 0.0), "down": (0.0, down)}[way]
        return self.string(self.waste, "waste", step, mess)

    @lays("klondike/at a school desk", _midgame)
    def school_desk(self) -> Cards:
        """A pupil on one desk, or on two with a seam: columns close together, other piles in lines at both sides."""
        pitch = 1 + self.uniform(0.02, 0.1)
        seam, edge = (self.uniform(0.25, 0.6) if self.coin(0.3) else 0.0), self.count(3, 5)
        placed = Cards()
        for number, column in enumerate(
            self.columns(self.habit((0.06, 0.2), (0.2, 0.3), depth=self.uniform(3.6, 5.5)))
        ):
            placed += moved(column, number * pitch + seam * (number >= edge), self.normal(0.03))
        sides = [-1 - self.uniform(0.15, 0.5), 6 * pitch + seam + 1 + self.uniform(0.15, 0.5)]
        here, there = sides if self.coin(0.6) else sides[::-1]
        tall = self.aspect + self.uniform(0.02, 0.15)
        start = self.uniform(-0.2, 0.5)
        placed += moved(self.stock(), here, start)
        placed += moved(self.fanned_waste("down"), here, start + tall)
        placed += self.foundations([(there, (k - 0.3) * tall) for k in range(4)], 0.015)
        return turned(placed, self.normal(0.06))

    @lays("klondike/in bed", _midgame)
    def in_bed(self) -> Cards:
        """Somebody ill on a duvet: columns lean and begin anywhere, no pile is squared up, all lies aslant."""
        pitch = 1 + self.uniform(0.14, 0.3)
        columns = self.columns(self.habit((0.12, 0.3), (0.3, 0.45), (0.025, 0.035)))
        placed = self.side_by_side([turned(piece, self.normal(0.04)) for piece in columns], pitch, 0.1)
        above = -self.aspect - self.uniform(0.4, 0.7)
        right = self.coin(0.25)
        spots = [((k + (0 if right else 3)) * pitch, above + self.normal(0.12)) for k in range(4)]
        placed += self.foundations(spots, 0.025, under=2)
        first = 5.0 if right else 0.0
        placed += moved(turned(self.stock(0.03), self.normal(0.12)), first * pitch, above + self.normal(0.1))
        waste = turned(self.fanned_waste("right", 0.03), self.normal(0.15))
        placed += moved(waste, (first + 1) * pitch, above + self.normal(0.12))
        return turned(placed, self.uniform(-0.35, 0.35))

    @lays("klondike/as in a book", _first_moves)
    def book(self) -> Cards:
        """A tutorial's photo or somebody who squares everything up: an exact grid, in old books the stock below it."""
        pitch = 1 + self.uniform(0.1, 0.35)
        placed = self.side_by_side(self.columns(self.habit((0.1, 0.3), (0.28, 0.4), (0.001, 0.003))), pitch)
        above = -self.aspect - self.uniform(0.12, 0.5)
        old = self.coin(0.35)
        tops = self.foundations([((k + (1.5 if old else 3)) * pitch, above) for k in range(4)], 0.003)
        waste = self.fanned_waste("right", 0.003)
        packs = [*self.stock(0.003), *moved(waste, pitch, 0)]
        if old:
            near = self.extent(placed)[3]
            return [*placed, *tops, *moved(packs, self.pick(0.0, 2.5) * pitch, near + 0.25 + self.aspect / 2)]
        return [*placed, *tops, *moved(packs, 0, above)]

    @lays("klondike/late in the evening", _nearly_over)
    def late_evening(self) -> Cards:
        """Late in a game: high foundations, empty columns, long runs pushed together before the table's edge."""
        pitch = 1 + self.uniform(0.06, 0.25)
        habit, bend = self.habit((0.05, 0.2), (0.24, 0.4), depth=self.uniform(3.6, 5.5)), self.normal(0.012)
        columns = [[replace(c, x=c.x + bend * k) for k, c in enumerate(column)] for column in self.columns(habit)]
        placed = self.side_by_side(columns, pitch, 0.03)
        above = -self.aspect - self.uniform(0.1, 0.4)
        placed += self.foundations([((k + 3) * pitch, above) for k in range(4)], 0.02, under=1)
        waste = self.fanned_waste("right")
        if not waste or self.coin(0.7):  # else what is left lies under the waste
            placed += moved(self.stock(), 0, above)
        return [*placed, *moved(waste, pitch, above)]

    @lays("klondike/left-hander", _midgame)
    def left_hander(self) -> Cards:
        """A left-hander: the stock at the upper right, the waste fanned leftwards or down, foundations at the left."""
        pitch = 1 + self.uniform(0.05, 0.22)
        placed = self.side_by_side(self.columns(self.habit((0.06, 0.22), (0.25, 0.36))), pitch, 0.02)
        above = -self.aspect - self.uniform(0.15, 0.5)
        side = self.coin(0.3)  # the piles lie beside the columns, the waste below the stock
        stock = 6 * pitch + (1.1 if side else 0.0) + self.uniform(0, 0.2)
        waste = self.fanned_waste("down" if side else "left")
        at = (stock, above + self.aspect + 0.15) if side else (stock - pitch - self.uniform(0, 0.1), above)
        placed += [*moved(self.stock(), stock, above), *moved(waste, *at)]
        upright = self.coin(0.35)
        tall, left = self.aspect + self.uniform(0.04, 0.2), -1 - self.uniform(0.1, 0.5)
        spots = [(left, above + k * tall) if upright else (k * pitch, above) for k in range(4)]
        return [*placed, *self.foundations(spots, 0.014)]

    @lays("klondike/on a cafe table", _midgame)
    def cafe(self) -> Cards:
        """A round cafe table: the columns' tops follow its edge, foundations in a square at a side, stock opposite."""
        pitch, bow = 1 + self.uniform(0.08, 0.16), self.uniform(0.015, 0.05)
        placed = Cards()
        habit = self.habit((0.06, 0.2), (0.24, 0.32), depth=self.uniform(4, 6))
        for number, column in enumerate(self.columns(habit)):
            lean = turned(column, -(number - 3) * self.uniform(0.6, 1) * bow * 0.5)
            placed += moved(lean, number * pitch, bow * (number - 3) ** 2)
        right = self.coin(0.6)
        tall, wide = self.aspect + self.uniform(0.03, 0.15), 1 + self.uniform(0.03, 0.15)
        square = 6 * pitch + 1.15 + self.uniform(0.05, 0.4) if right else -1.15 - wide - self.uniform(0.05, 0.4)
        far = self.uniform(-0.6, 1.0)
        placed += self.foundations([(square + k % 2 * wide, far + k // 2 * tall) for k in range(4)], 0.02)
        packs = -1.2 - self.uniform(0.1, 0.5) if right else 6 * pitch + 1.2 + self.uniform(0.1, 0.5)
        start = bow * 9 + self.uniform(-0.3, 0.8)
        placed += moved(turned(self.stock(), self.normal(0.08)), packs, start)
        return [*placed, *moved(self.fanned_waste("down", 0.02), packs, start + tall)]


def _styled(name: str, weight: float = 1.0, position: Draw | None = None, **style: Any) -> Recipe:
    return Recipe(f"klondike/{name}", partial(HouseKlondike.lay, style=KlondikeStyle(**style)), position, weight)


FAMILIES: Final = (
    *families(
        HouseKlondike,
        _styled("usual", 4.0),
        _styled("usual, late", 2.0, late),
        _styled("usual, fresh", 1.5, fresh),
        _styled("staged", 1.5, staged, careless=1.5),
        _styled("mirrored", 2.0, mirrored=True),
        _styled("mirrored, late", 1.0, late, mirrored=True),
        _styled("stock below left", 1.5, stock="below left"),
        _styled("stock below right", 1.0, stock="below right", foundations="spread"),
        _styled("stock below, late", 1.0, late, stock="below left", foundations="loose"),
        _styled("stock beside", 0.7, stock="beside", foundations="spread"),
        _styled("no stock", 1.0, stock="none"),
        _styled("foundations touching", 1.5, late, foundations="touching"),
        _styled("foundations spread", 1.5, late, foundations="spread"),
        _styled("triangle", 1.0, fresh, columns="triangle", stock="row"),
        _styled("triangle, stock beside", 1.0, fresh, columns="triangle", stock="beside"),
        _styled("triangle, played", 0.5, columns="triangle", stock="beside"),
        _styled("faces clear of the backs", 1.0, columns="faces clear"),
        _styled("mixed steps", 1.0, columns="mixed steps", careless=2.0, foundations="loose"),
        _styled("careless", 1.0, careless=3.0, foundations="loose"),
        _styled("waste spread down", 0.7, waste_down=True),
        _styled("a column or a few", 0.8, part, stock="none"),
    ),
    *families(SquaredKlondike),
    *families(
        AnywhereKlondike,
        Recipe("klondike/anywhere", AnywhereKlondike.lay_anywhere, None, 6.0),
        Recipe("klondike/anywhere, late", AnywhereKlondike.lay_anywhere, late, 5.0),
        Recipe("klondike/anywhere, staged", AnywhereKlondike.lay_anywhere, staged, 2.0),
        Recipe("klondike/anywhere, fresh", AnywhereKlondike.lay_anywhere, fresh, 1.0),
    ),
    *families(NeighbourKlondike),
    *families(StrangerKlondike),
    *families(VisitorKlondike),
    *families(NewcomerKlondike),
)
