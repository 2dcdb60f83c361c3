"""Square scenes of cards: loose, in rows, fans and columns, thrown on a heap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from datasets.decks.deck import Deck
from datasets.decks.deck_choice import choose_deck, choose_unusual
from datasets.decks.drawn_deck import DeckKind
from datasets.pictures import Image, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import Camera, LaidCard, Stage, Truth, lay_hand, lay_object, scene_truth
from datasets.scenes.surfaces import background
from datasets.splits import Split
from solver.cards import DECK, Card

Layout = Callable[[Rng, "_Dealer"], list[LaidCard]]

FACE_DOWN: Final = 0.4
"""Share of scenes with unusual decks in which cards are turned face down wherever they lie."""
JOKERS: Final = 0.15
"""Share of scenes for training in which some cards are jokers; those of the kind `jokers` all have some."""


class _Dealer:
    """Deals random cards for a scene and says how many fit."""

    def __init__(self, rng: Rng, reach: float, aspect: float, decks: int) -> None:
        self.reach = reach  # half the picture's width in card widths
        self.aspect = aspect
        self.decks = decks
        self._cards = [DECK[int(k)] for k in rng.permutation(52)] + [DECK[int(k)] for k in rng.permutation(52)]
        self._rng = rng

    def deal(self, back_chance: float = 0.0) -> Card | None:
        """The next card, or now and then a back."""
        if self._rng.random() < back_chance:
            return None
        if not self._cards:
            return DECK[int(self._rng.integers(52))]
        return self._cards.pop()


def _loose(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """Single cards anywhere, at any angle."""
    count = int(np.clip(rng.integers(2, 30), 2, 2 + 1.6 * dealer.reach**2))
    any_angle = rng.random() < 0.6
    return [
        LaidCard(
            dealer.deal(0.08),
            rng.uniform(-dealer.reach, dealer.reach),
            rng.uniform(-dealer.reach, dealer.reach),
            rng.uniform(0, 2 * np.pi) if any_angle else rng.normal(0, 0.15) + np.pi * (rng.random() < 0.3),
            deck=int(rng.integers(dealer.decks)),
        )
        for _ in range(count)
    ]


def _heap(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """Many cards thrown on one another."""
    count = int(np.clip(rng.integers(6, 40), 4, 6 + 2 * dealer.reach**2))
    spread = dealer.reach * rng.uniform(0.3, 0.9)
    turns = rng.choice([0.15, 0.6, 3.0])
    return [
        LaidCard(
            dealer.deal(0.1),
            rng.normal(0, spread * 0.6),
            rng.normal(0, spread * 0.6),
            rng.normal(0, turns),
            deck=int(rng.integers(dealer.decks)),
        )
        for _ in range(count)
    ]


def _row(rng: Rng, dealer: _Dealer, x: float, y: float, angle: float, count: int, step: float) -> list[LaidCard]:
    """A row along `angle`; a negative `step` lays each card to the left of the one before."""
    crooked, loose = rng.choice([0.01, 0.04, 0.12]), rng.choice([0.01, 0.04])
    placed = []
    for k in range(count):
        along = (k - (count - 1) / 2) * step
        placed.append(
            LaidCard(
                dealer.deal(),
                x + along * np.cos(angle) + rng.normal(0, loose),
                y + along * np.sin(angle) + rng.normal(0, loose),
                angle + rng.normal(0, crooked),
            )
        )
    return placed


def _rows(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """Rows of overlapped or spread cards, as melds on a table."""
    step_y = dealer.aspect * rng.uniform(0.75, 1.25)
    placed: list[LaidCard] = []
    flip = np.pi * (rng.random() < 0.12)
    y = -dealer.reach
    while y < dealer.reach:
        x = -dealer.reach + rng.uniform(-0.5, 1)
        while x < dealer.reach:
            count = int(rng.integers(1, 9))
            step = rng.uniform(0.18, 0.5) if rng.random() < 0.75 else rng.uniform(0.9, 1.1)
            if rng.random() < 0.1:
                step = -step
            length = abs(step) * (count - 1)
            angle = flip + rng.normal(0, 0.06)
            placed += _row(rng, dealer, x + length / 2 + 0.5, y + rng.normal(0, 0.05), angle, count, step)
            x += length + 1 + rng.uniform(0.05, 0.8)
        y += step_y
    return placed


def _grid(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """Cards side by side in straight rows."""
    gap_x, gap_y = 1 + rng.uniform(0.05, 0.5), dealer.aspect + rng.uniform(0.05, 0.5)
    across, down = int(2 * dealer.reach / gap_x) + 1, int(2 * dealer.reach / gap_y) + 1
    crooked = rng.choice([0.005, 0.03, 0.1])
    return [
        LaidCard(
            dealer.deal(0.1),
            (column - (across - 1) / 2) * gap_x + rng.normal(0, crooked),
            (row - (down - 1) / 2) * gap_y + rng.normal(0, crooked),
            rng.normal(0, crooked) + np.pi / 2 * int(rng.random() < 0.05),
        )
        for row in range(down)
        for column in range(across)
        if rng.random() < 0.85
    ]


def _fan_at(rng: Rng, dealer: _Dealer, x: float, y: float, facing: float, count: int) -> list[LaidCard]:
    """A fan whose cards turn about a point below them; `facing` turns the whole fan."""
    radius = rng.uniform(1.2, 3.0) * dealer.aspect
    step = rng.uniform(0.16, 0.45) / radius
    if rng.random() < 0.12:
        step = -step
    placed = []
    for k in range(count):
        angle = (k - (count - 1) / 2) * step + rng.normal(0, 0.012)
        cx, cy = radius * np.sin(angle), radius * (1 - np.cos(angle)) + rng.normal(0, 0.03)
        cos, sin = np.cos(facing), np.sin(facing)
        placed.append(LaidCard(dealer.deal(), x + cos * cx - sin * cy, y + sin * cx + cos * cy, facing + angle))
    return placed


def _fans(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """One to five fans of 3 to 13 cards."""
    placed: list[LaidCard] = []
    if dealer.reach > 4.5 and rng.random() < 0.6:  # four hands round a table
        away = dealer.reach * rng.uniform(0.55, 0.75)
        for k in range(4):
            turn = k * np.pi / 2
            placed += _fan_at(rng, dealer, -away * np.sin(turn), away * np.cos(turn), turn, int(rng.integers(8, 14)))
        return placed
    for _ in range(int(np.clip(rng.integers(1, 6), 1, 1 + dealer.reach))):
        x, y = rng.uniform(-0.8, 0.8, 2) * dealer.reach
        facing = rng.normal(0, 0.3) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
        placed += _fan_at(rng, dealer, x, y, facing, int(rng.integers(3, 14)))
    return placed


def _column(
    rng: Rng, dealer: _Dealer, x: float, top: float, backs: int, faces: int, step: float, drift: float
) -> list[LaidCard]:
    """A column that grows towards the viewer: backs first, then faces."""
    back_step = step * rng.uniform(0.35, 1.0)
    crooked = rng.choice([0.005, 0.02, 0.06])
    placed = []
    y = top
    for k in range(backs + faces):
        card = None if k < backs else dealer.deal()
        placed.append(LaidCard(card, x + k * drift + rng.normal(0, crooked), y, rng.normal(0, crooked)))
        y += back_step if k < backs else step
    return placed


def _cascades(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """Columns side by side, as in a patience."""
    gap = 1 + rng.uniform(0.06, 0.6)
    count = int(np.clip(2 * dealer.reach / gap, 1, 9))
    drift = rng.normal(0, 0.12) if rng.random() < 0.35 else 0.0
    placed: list[LaidCard] = []
    top = -dealer.reach * rng.uniform(0.4, 0.95)
    for k in range(count):
        backs = int(rng.integers(0, 7)) if rng.random() < 0.6 else 0
        step = rng.uniform(0.22, 0.55)
        faces = int(rng.integers(1, 10))
        placed += _column(rng, dealer, (k - (count - 1) / 2) * gap, top, backs, faces, step, drift)
    if rng.random() < 0.5:
        for k in range(int(rng.integers(1, 7))):
            placed.append(LaidCard(dealer.deal(0.3), (k - 3) * gap, top - dealer.aspect - 0.2, rng.normal(0, 0.02)))
    return placed


def _cross(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """A deck face down with cards round it, some melds and a hand."""
    placed = [LaidCard(None, rng.normal(0, 0.01), rng.normal(0, 0.01), rng.normal(0, 0.02)) for _ in range(3)]
    sideways = rng.random() < 0.5
    for k in range(4):
        if rng.random() < 0.25:
            continue
        turn = k * np.pi / 2
        away = (dealer.aspect if k % 2 == 0 or sideways else 1.0) + rng.uniform(0.05, 0.4)
        angle = turn if sideways else 0.0
        placed.append(LaidCard(dealer.deal(), away * np.sin(turn), -away * np.cos(turn), angle + rng.normal(0, 0.04)))
    for x, y in ((-2.6, -2), (2.4, -2), (-2.8, 1.7), (2.8, 1.6), (0, 3.4)):
        placed += _row(rng, dealer, x, y, rng.normal(0, 0.1), int(rng.integers(3, 7)), rng.uniform(0.2, 0.5))
    return placed


def _few(rng: Rng, dealer: _Dealer) -> list[LaidCard]:
    """One to four cards, near."""
    spread = rng.uniform(0.3, 1.0)
    count = int(rng.integers(1, 5))
    return [
        LaidCard(dealer.deal(0.08), rng.normal(0, spread), rng.normal(0, spread), rng.uniform(0, 2 * np.pi))
        for _ in range(count)
    ]


KINDS: Final[dict[str, tuple[Layout, float, tuple[float, float]]]] = {
    "loose": (_loose, 0.2, (60, 230)),
    "heap": (_heap, 0.12, (60, 190)),
    "rows": (_rows, 0.15, (56, 190)),
    "grid": (_grid, 0.05, (54, 200)),
    "fans": (_fans, 0.15, (48, 220)),
    "cascades": (_cascades, 0.14, (54, 200)),
    "cross": (_cross, 0.05, (48, 120)),
    "few": (_few, 0.12, (150, 420)),
    "empty": (lambda rng, dealer: [], 0.02, (80, 100)),
    "jokers": (_rows, 0.0, (56, 190)),
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
) -> tuple[Image, Truth]:
    """A random square scene.

    Args:
        rng: Random generator: the same state gives the same scene on a machine with the same fonts and decks.
        split: Whose decks, fonts and backgrounds are used.
        size: Width and height in pixels.
        kind: One of `KINDS`, or `mixed` for their mixture.
        package_share: Share of scenes with a deck from a card package instead of one drawn from fonts.
        decks: `usual` ones; `unusual` ones, of whose cards more lie face down; or those `held` back from training.

    Returns:
        The picture as RGB uint8 (size, size, 3) and its ground truth, whose `seed` is -1 for the caller to set.
    """
    names = list(KINDS)
    shares = np.array([KINDS[name][1] for name in names])
    name = names[int(rng.choice(len(names), p=shares / shares.sum()))] if kind == "mixed" else kind
    layout, _, (low, high) = KINDS[name]

    used = _choose_decks(rng, split, decks, package_share)
    factor = (size / 640) ** 0.6
    scale = factor * float(np.exp(rng.uniform(np.log(low), np.log(high))))
    camera = _random_camera(rng, (size, size), scale)
    placed = layout(rng, _Dealer(rng, size / scale / 2, used[0].aspect, len(used)))
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
