"""Square scenes of cards: loose, in rows, fans and columns, thrown on a heap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.decks.borderless_backs import BackKind
from datasets.decks.deck import Deck
from datasets.decks.deck_choice import choose_deck, choose_unusual, with_ornate_back
from datasets.decks.drawn_deck import DeckKind
from datasets.layouts.dealer import Dealer
from datasets.layouts.geometry import Cards, Shape
from datasets.picture_tools import Image, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import Camera, LaidCard, Stage, Truth, lay_hand, lay_object, scene_truth
from datasets.scenes.surfaces import background
from datasets.splits import Split
from solver.cards import DECK, Card

FACE_DOWN: Final = 0.4
"""Share of scenes with unusual decks in which cards are turned face down wherever they lie."""
JOKERS: Final = 0.15
"""Share of scenes for training in which some cards are jokers; those of the kind `jokers` all have some."""


@dataclass(frozen=True)
class _SceneDealer(Dealer):
    """Deals random cards and lays them about the middle of the picture.

    Attributes:
        reach: Half the picture's width in card widths.
        decks: How many decks lie there.
        cards: What is to be dealt.
    """

    reach: float
    decks: int
    cards: list[Card]

    def deal(self, back_chance: float = 0.0) -> Card | None:
        """The next card, or now and then a back."""
        if self.coin(back_chance):
            return None
        return self.cards.pop() if self.cards else DECK[self.count(0, 52)]

    def loose(self) -> Cards:
        """Single cards anywhere, at any angle."""
        count = int(np.clip(self.count(2, 30), 2, 2 + 1.6 * self.reach**2))
        any_angle = self.coin(0.6)
        return [
            LaidCard(
                self.deal(0.08),
                self.uniform(-self.reach, self.reach),
                self.uniform(-self.reach, self.reach),
                self.uniform(0, 2 * np.pi) if any_angle else self.normal(0.15) + np.pi * self.coin(0.3),
                deck=self.count(0, self.decks),
            )
            for _ in range(count)
        ]

    def heap(self) -> Cards:
        """Many cards thrown on one another."""
        count = int(np.clip(self.count(6, 40), 4, 6 + 2 * self.reach**2))
        spread = self.reach * self.uniform(0.3, 0.9)
        turns = self.pick(0.15, 0.6, 3.0)
        placed = Cards()
        for _ in range(count):
            card, x, y = self.deal(0.1), self.normal(spread * 0.6), self.normal(spread * 0.6)
            placed.append(LaidCard(card, x, y, self.normal(turns), deck=self.count(0, self.decks)))
        return placed

    def _row(self, x: float, y: float, angle: float, count: int, step: float) -> Cards:
        """A row along `angle`; a negative `step` lays each card to the left of the one before."""
        crooked, loose = self.pick(0.01, 0.04, 0.12), self.pick(0.01, 0.04)
        placed = Cards()
        for k in range(count):
            along, card = (k - (count - 1) / 2) * step, self.deal()
            at = x + along * np.cos(angle) + self.normal(loose), y + along * np.sin(angle) + self.normal(loose)
            placed.append(LaidCard(card, *at, angle + self.normal(crooked)))
        return placed

    def rows(self) -> Cards:
        """Rows of overlapped or spread cards, as melds on a table."""
        step_y = self.aspect * self.uniform(0.75, 1.25)
        placed = Cards()
        flip = np.pi * self.coin(0.12)
        y = -self.reach
        while y < self.reach:
            x = -self.reach + self.uniform(-0.5, 1)
            while x < self.reach:
                count = self.count(1, 9)
                step = self.uniform(0.18, 0.5) if self.coin(0.75) else self.uniform(0.9, 1.1)
                if self.coin(0.1):
                    step = -step
                length = abs(step) * (count - 1)
                angle = flip + self.normal(0.06)
                placed += self._row(x + length / 2 + 0.5, y + self.normal(0.05), angle, count, step)
                x += length + 1 + self.uniform(0.05, 0.8)
            y += step_y
        return placed

    def grid(self) -> Cards:
        """Cards side by side in straight rows."""
        gap_x, gap_y = 1 + self.uniform(0.05, 0.5), self.aspect + self.uniform(0.05, 0.5)
        across, down = int(2 * self.reach / gap_x) + 1, int(2 * self.reach / gap_y) + 1
        crooked = self.pick(0.005, 0.03, 0.1)
        return [
            LaidCard(
                self.deal(0.1),
                (column - (across - 1) / 2) * gap_x + self.normal(crooked),
                (row - (down - 1) / 2) * gap_y + self.normal(crooked),
                self.normal(crooked) + np.pi / 2 * self.coin(0.05),
            )
            for row in range(down)
            for column in range(across)
            if self.coin(0.85)
        ]

    def _fan_at(self, x: float, y: float, facing: float, count: int) -> Cards:
        """A fan whose cards turn about a point below them; `facing` turns the whole fan."""
        radius = self.uniform(1.2, 3.0) * self.aspect
        step = self.uniform(0.16, 0.45) / radius
        if self.coin(0.12):
            step = -step
        placed = Cards()
        for k in range(count):
            angle = (k - (count - 1) / 2) * step + self.normal(0.012)
            cx, cy = radius * np.sin(angle), radius * (1 - np.cos(angle)) + self.normal(0.03)
            cos, sin = np.cos(facing), np.sin(facing)
            placed.append(LaidCard(self.deal(), x + cos * cx - sin * cy, y + sin * cx + cos * cy, facing + angle))
        return placed

    def fans(self) -> Cards:
        """One to five fans of 3 to 13 cards."""
        placed = Cards()
        if self.reach > 4.5 and self.coin(0.6):  # four hands round a table
            away = self.reach * self.uniform(0.55, 0.75)
            for k in range(4):
                turn = k * np.pi / 2
                placed += self._fan_at(-away * np.sin(turn), away * np.cos(turn), turn, self.count(8, 14))
            return placed
        for _ in range(int(np.clip(self.count(1, 6), 1, 1 + self.reach))):
            x, y = self.rng.uniform(-0.8, 0.8, 2) * self.reach
            facing = self.normal(0.3) if self.coin() else self.uniform(0, 2 * np.pi)
            placed += self._fan_at(x, y, facing, self.count(3, 14))
        return placed

    def _column(self, x: float, top: float, backs: int, faces: int, step: float, drift: float) -> Cards:
        """A column that grows towards the viewer: backs first, then faces."""
        back_step = step * self.uniform(0.35, 1.0)
        crooked = self.pick(0.005, 0.02, 0.06)
        placed, y = Cards(), top
        for k in range(backs + faces):
            card = None if k < backs else self.deal()
            placed.append(LaidCard(card, x + k * drift + self.normal(crooked), y, self.normal(crooked)))
            y += back_step if k < backs else step
        return placed

    def cascades(self) -> Cards:
        """Columns side by side, as in a patience."""
        gap = 1 + self.uniform(0.06, 0.6)
        count = int(np.clip(2 * self.reach / gap, 1, 9))
        drift = self.normal(0.12) if self.coin(0.35) else 0.0
        placed = Cards()
        top = -self.reach * self.uniform(0.4, 0.95)
        for k in range(count):
            backs = self.count(0, 7) if self.coin(0.6) else 0
            step, faces = self.uniform(0.22, 0.55), self.count(1, 10)
            placed += self._column((k - (count - 1) / 2) * gap, top, backs, faces, step, drift)
        if self.coin():
            for k in range(self.count(1, 7)):
                placed.append(LaidCard(self.deal(0.3), (k - 3) * gap, top - self.aspect - 0.2, self.normal(0.02)))
        return placed

    def cross(self) -> Cards:
        """A deck face down with cards round it, some melds and a hand."""
        placed = [LaidCard(None, self.normal(0.01), self.normal(0.01), self.normal(0.02)) for _ in range(3)]
        sideways = self.coin()
        for k in range(4):
            if self.coin(0.25):
                continue
            turn = k * np.pi / 2
            away = (self.aspect if k % 2 == 0 or sideways else 1.0) + self.uniform(0.05, 0.4)
            at = away * np.sin(turn), -away * np.cos(turn)
            placed.append(LaidCard(self.deal(), *at, (turn if sideways else 0.0) + self.normal(0.04)))
        for x, y in ((-2.6, -2), (2.4, -2), (-2.8, 1.7), (2.8, 1.6), (0, 3.4)):
            placed += self._row(x, y, self.normal(0.1), self.count(3, 7), self.uniform(0.2, 0.5))
        return placed

    def few(self) -> Cards:
        """One to four cards, near."""
        spread = self.uniform(0.3, 1.0)
        count = self.count(1, 5)
        return [
            LaidCard(self.deal(0.08), self.normal(spread), self.normal(spread), self.uniform(0, 2 * np.pi))
            for _ in range(count)
        ]

    def empty(self) -> Cards:
        """No card."""
        return []


KINDS: Final[dict[str, tuple[Callable[[_SceneDealer], Cards], float, tuple[float, float]]]] = {
    "loose": (_SceneDealer.loose, 0.2, (60, 230)),
    "heap": (_SceneDealer.heap, 0.12, (60, 190)),
    "rows": (_SceneDealer.rows, 0.15, (56, 190)),
    "grid": (_SceneDealer.grid, 0.05, (54, 200)),
    "fans": (_SceneDealer.fans, 0.15, (48, 220)),
    "cascades": (_SceneDealer.cascades, 0.14, (54, 200)),
    "cross": (_SceneDealer.cross, 0.05, (48, 120)),
    "few": (_SceneDealer.few, 0.12, (150, 420)),
    "empty": (_SceneDealer.empty, 0.02, (80, 100)),
    "jokers": (_SceneDealer.rows, 0.0, (56, 190)),
}
"""Scene kinds: layout, share of a mixed set, range of card widths in px of a 640 px picture."""


def _random_camera(rng: Rng, size: tuple[int, int], scale: float) -> Camera:
    """A camera as people hold it: mostly from above, tilted up to 60 degrees, the table turned any way."""
    width, height = size
    tilt = min(abs(rng.normal(0, 0.42)), 1.05)
    turn = rng.normal(0, 0.12) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    return Camera(
        centre=(0.0, 0.0),
        middle=(width * rng.uniform(0.42, 0.58), height * rng.uniform(0.42, 0.58)),
        scale=scale,
        turn=turn,
        tilt=tilt,
        focal=max(size) * rng.uniform(0.7, 1.8),
        barrel=rng.uniform(-0.1, 0.04) if rng.random() < 0.35 else 0.0,
        stretch=rng.uniform(0.72, 1.35) if rng.random() < 0.25 else 1.0,
        size=size,
    )


def _half_turned(rng: Rng, cards: list[LaidCard]) -> list[LaidCard]:
    """The cards, half of them lying the other way round."""
    return [LaidCard(p.card, p.x, p.y, p.angle + np.pi * (rng.random() < 0.5), p.zone) for p in cards]


def _face_down(rng: Rng, cards: list[LaidCard]) -> list[LaidCard]:
    """The cards, some of them turned over."""
    share = rng.uniform(0.15, 0.7)
    return [replace(p, card=None) if rng.random() < share else p for p in cards]


def _choose_decks(rng: Rng, split: Split, decks: DeckKind, package_share: float) -> list[Deck]:
    """The deck of a scene, now and then two usual ones: the indices of one photo follow one convention."""
    if decks == "usual":
        first: Deck = choose_deck(rng, split, package_share)
        return [first, choose_deck(rng, split, package_share)] if rng.random() < 0.15 else [first]
    chosen = choose_unusual(rng, split, decks, package_share)
    rng.random()  # whether there are two: drawn as for usual decks, so that a seed gives the scene that it always gave
    return [chosen]


def _jokers_among(rng: Rng, count: int, *, always: bool) -> set[int]:
    """Which of `count` cards are jokers: none on most scenes, some where they are `always` wanted."""
    if not count or not (always or rng.random() < JOKERS):
        return set()
    return set(rng.choice(count, min(count, int(rng.integers(1, 7 if always else 4))), replace=False).tolist())


def _lay_among_objects(rng: Rng, split: Split, stage: Stage, cards: list[LaidCard], jokers: set[int]) -> None:
    """Lays cards on stray objects, and now and then an object or a hand on the cards; some cards are `jokers`."""
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        lay_object(rng, split, stage, hides=False)
    for number, card in enumerate(cards):
        if number in jokers:
            stage.lay_joker(split, card)
        else:
            stage.lay(card)
    if rng.random() < 0.12:
        lay_object(rng, split, stage, hides=True)
    if rng.random() < 0.12:
        lay_hand(rng, stage)


def render_scene(
    rng: Rng,
    split: Split,
    size: int = 640,
    kind: str = "mixed",
    *,
    package_share: float = 0.4,
    decks: DeckKind = "usual",
    backs: BackKind = "usual",
) -> tuple[Image, Truth]:
    """A random square scene.

    Args:
        rng: Random generator: the same state gives the same scene on a machine with the same fonts and decks.
        split: Whose decks, fonts and backgrounds are used.
        size: Width and height in pixels.
        kind: One of `KINDS`, or `mixed` for their mixture.
        package_share: Share of scenes with a deck from a card package instead of one drawn from fonts.
        decks: `usual` ones; `unusual` ones, of whose cards more lie face down; or those `held` back from training.
        backs: `usual`: the decks' own; `ornate`: of families to train on; `held`: of those held back from training.

    Returns:
        The picture as RGB uint8 (size, size, 3) and its ground truth, whose `seed` is -1 for the caller to set.
    """
    names = list(KINDS)
    shares = np.array([KINDS[name][1] for name in names])
    name = names[int(rng.choice(len(names), p=shares / shares.sum()))] if kind == "mixed" else kind
    layout, _, (low, high) = KINDS[name]

    used = [with_ornate_back(rng, deck, backs) for deck in _choose_decks(rng, split, decks, package_share)]
    factor = (size / 640) ** 0.6
    scale = factor * float(np.exp(rng.uniform(np.log(low), np.log(high))))
    camera = _random_camera(rng, (size, size), scale)
    cards = [DECK[k] for _ in range(2) for k in rng.permutation(52)]
    shape = Shape(used[0].aspect, 0.0, 0.0)
    placed = layout(_SceneDealer(rng, {}, shape, size / scale / 2, len(used), cards))
    if len(used) == 1 and rng.random() < 0.05:
        placed = _half_turned(rng, placed)
    if decks != "usual" and rng.random() < FACE_DOWN:
        placed = _face_down(rng, placed)
    stage = Stage(rng, background(rng, split, size, size), camera, used)
    wanted = name == "jokers"  # other scenes of validation and test stay what they were
    jokers = _jokers_among(rng, len(placed), always=wanted) if wanted or split == "train" else set()
    _lay_among_objects(rng, split, stage, placed, jokers)
    truth = scene_truth(stage, game=None, split=split, seed=-1, position=None)
    return develop(rng, stage.image, stage.owner >= 0), truth
