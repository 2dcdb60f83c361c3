"""Photos of a whole game of Klondike: one table, on which cards move, and a camera that moves a little or much.

Everything that stays in a real game stays here: the deck, the surface, where each pile lies, how far columns are
fanned, and how crookedly a card was put down, until it moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np

from datasets.decks.deck import Deck
from datasets.decks.deck_choice import choose_deck
from datasets.games.played_klondike import PlayedGame
from datasets.layouts import Shape
from datasets.layouts.geometry import face
from datasets.picture_tools import Image, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import Camera, LaidCard, Stage, lay_hand
from datasets.scenes.surfaces import background
from datasets.scenes.whole_tables import fitted
from datasets.splits import Split
from solver.cards import DECK, SUIT_CHARS
from solver.klondike.position import COLUMNS, Position

HELD_OUT: Final = {"below", "mirrored below"}
"""Ways to lay a table of which no threshold was chosen."""
WAYS: Final = ("row", "mirrored", "below", "mirrored below")


@dataclass(frozen=True, slots=True)
class GamePhotoTuning:
    """How games are photographed.

    Attributes:
        squared_share: Share of the games whose columns are squared.
        hand_chance: That a hand lies over the table.
        blur_chance: That a photo is so blurred that little can be read.
        much_share: Share of the games in which the camera moves much between photos.
        little, much: Standard deviations of the camera's turn (radians) and, five times as much, of its place (card
            widths).
    """

    squared_share: float = 0.4
    hand_chance: float = 0.03
    blur_chance: float = 0.03
    much_share: float = 0.3
    little: float = 0.012
    much: float = 0.05


TUNING: Final = GamePhotoTuning()


@dataclass(frozen=True, slots=True)
class GameTable:
    """Where the piles of one game lie; lengths in card widths.

    Attributes:
        way: Which of `WAYS`.
        squared: Whether columns are squared.
        pitch: From one column to the next.
        back_step: Height of an overlapped back's strip.
        face_step: The same of a card face up.
        aspect: A card's height.
        suits: The suits in the order of their foundations.
        fan: How far the waste's cards are fanned; 0 for a squared waste.
        shown: How many of the waste's cards show.
        seed: Of how crookedly cards lie.
        depth: How long the longest column of the game becomes: piles below the columns lie beyond that all along.
    """

    way: str
    squared: bool
    pitch: float
    back_step: float
    face_step: float
    aspect: float
    suits: str
    fan: float
    shown: int
    seed: int
    depth: float = 2.0

    @classmethod
    def drawn(cls, rng: Rng, deck: Deck, draw: int, way: str) -> GameTable:
        """A random one for a deck."""
        shape = Shape.of(deck, DECK)
        squared = bool(rng.random() < TUNING.squared_share)
        fanned = draw > 1 and not squared and rng.random() < 0.6
        low, high = np.log(shape.back_steps)
        return cls(
            way,
            squared,
            1 + rng.uniform(0.06, 0.3),
            0.004 if squared else float(np.exp(rng.uniform(low, high))),
            0.006 if squared else shape.down(rng.uniform(0.28, 0.42)),
            shape.aspect,
            "".join(rng.permutation(list(SUIT_CHARS))),
            shape.aside(rng.uniform(0.25, 0.4)) if fanned else 0.0,
            draw if fanned else 1,
            int(rng.integers(2**31)),
        )

    def for_game(self, positions: Iterable[Position]) -> GameTable:
        """The table with room for the longest column of all these positions."""
        columns = (column for position in positions for column in position.columns)
        depth = max(len(column.down) * self.back_step + len(column.up) * self.face_step for column in columns)
        return replace(self, depth=max(depth, self.depth))

    def lay(self, position: Position) -> list[LaidCard]:
        """The cards as they lie, in painting order."""
        laid = []
        mirrored = self.way.startswith("mirrored")
        above = self.aspect + 0.25
        far = -above if "below" not in self.way else self.depth + above

        def put(word: str, x: float, y: float, zone: str, key: int) -> None:
            rng = np.random.default_rng((self.seed, key, round(10 * x)))
            aside, along, turn = rng.normal(0, 0.012, 3)
            laid.append(LaidCard(face(word), (-x if mirrored else x) + aside, y + along, turn, zone))

        if position.stock:
            put("??", 0.0, far, "stock", 60)
        for number, card in enumerate(position.waste[-self.shown :]):
            put(str(card), self.pitch + number * self.fan, far, "waste", 61 if card is None else card.index)
        for number, suit in enumerate(self.suits):
            height = position.foundations[SUIT_CHARS.index(suit)]
            if height:
                top = DECK[13 * SUIT_CHARS.index(suit) + height - 1]
                put(str(top), (3 + number) * self.pitch, far, f"foundation/{suit}", top.index)
        for number, column in enumerate(position.columns):
            x, y = (COLUMNS - 1 - number if mirrored else number) * self.pitch, 0.0
            for depth_, _ in enumerate(column.down):
                put("??", x, y, f"column/{number}", 70 + depth_)
                y += self.back_step
            for card in column.up:
                put(str(card), x, y, f"column/{number}", 61 if card is None else card.index)
                y += self.face_step
        return laid


@dataclass(frozen=True, slots=True)
class GamePhoto:
    """A photo of a game.

    Attributes:
        image: uint8 RGB (H, W, 3).
        position: What it shows, with every card known.
        spoilt: `hand` or `blur` where one spoils it; else empty.
    """

    image: Image
    position: Position
    spoilt: str = ""


def photograph(
    rng: Rng, game: PlayedGame, split: Split, size: tuple[int, int], way: str | None = None
) -> tuple[GameTable, PlayedGame, Iterator[GamePhoto]]:
    """Photos of a game.

    Args:
        rng: Random generator.
        game: The game.
        split: Whose decks and backgrounds are used.
        size: Width and height of each photo, px.
        way: One of `WAYS`; drawn if None.

    Returns:
        How the table is laid, the game with the photos that are taken of it, and the photos. Of squared columns the
        first one shows the deal: no other tells how many cards they hide.
    """
    deck = choose_deck(rng, split, 0.5)
    draw = game.position(0).rules.draw
    table = GameTable.drawn(rng, deck, draw, way or WAYS[int(rng.integers(len(WAYS)))])
    if table.squared:
        game = replace(game, photos=(0, *game.photos[1:]))
    table = table.for_game(game.position(number) for number in range(len(game.photos)))
    return table, game, _photos(rng, game, table, deck, split, size)


def _photos(
    rng: Rng, game: PlayedGame, table: GameTable, deck: Deck, split: Split, size: tuple[int, int]
) -> Iterator[GamePhoto]:
    positions = [game.position(number) for number in range(len(game.photos))]
    every = [card for position in positions for card in table.lay(position)]
    camera = fitted(rng, every, deck, size, 0.0)
    sway = TUNING.much if rng.random() < TUNING.much_share else TUNING.little
    surface = int(rng.integers(2**31))
    for position in positions:
        ground = background(np.random.default_rng(surface), split, *size)
        stage = Stage(rng, ground, _moved(rng, camera, sway), [deck])
        for card in table.lay(position):
            stage.lay(card)
        chance = rng.random()
        spoilt = "hand" if chance < TUNING.hand_chance else ""
        if spoilt:
            lay_hand(rng, stage, reach=0.9)
        image = develop(rng, stage.image, stage.owner >= 0, strength=0.3)
        if not spoilt and chance > 1 - TUNING.blur_chance:
            spoilt = "blur"
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), size[0] / 160), np.uint8)
        yield GamePhoto(image, position, spoilt)


def _moved(rng: Rng, camera: Camera, sway: float) -> Camera:
    """The camera held a little otherwise."""
    x, y = camera.centre
    aside, along = rng.normal(0, 5 * sway, 2)
    tilt = float(np.clip(camera.tilt + rng.normal(0, sway), 0, 0.9))
    scale = camera.scale * float(np.exp(-abs(rng.normal(0, sway))))
    turn = camera.turn + rng.normal(0, sway)
    return replace(camera, centre=(x + aside, y + along), turn=turn, tilt=tilt, scale=scale)


def truth_of(game: PlayedGame, table: GameTable, photos: list[str], spoilt: list[str]) -> dict[str, Any]:
    """The ground truth of a game's photos as a JSON object."""
    rows = [
        {"photo": name, "position": game.position(number).to_json(), "spoilt": why, "step": game.photos[number]}
        for number, (name, why) in enumerate(zip(photos, spoilt, strict=True))
    ]
    return {
        "game": game.record.game,
        "way": table.way,
        "squared": table.squared,
        "record": str(game.record),
        "photos": rows,
    }
