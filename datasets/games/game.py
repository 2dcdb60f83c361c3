"""What can be rendered of each game: a `SCENE` in the module of its word, `datasets/games/<game>.py`.

Positions are JSON objects, as a photo shows them: `??` is what nobody can see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from datasets.picture_tools import Rng
from solver.cards import RANK_CHARS, SUIT_CHARS
from solver.games import find_game, position_from_json

PositionJson = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GameScene:
    """What can be rendered of one game.

    Attributes:
        random_position: A random legal position.
        crowded_position: The same late in the game, with so many cards on the table; None for a game that fills none.
        has_overlapped_backs: Whether cards face down lie in columns, of which one shows strips.
    """

    random_position: Callable[[Rng], PositionJson]
    crowded_position: Callable[[Rng, int], PositionJson] | None = None
    has_overlapped_backs: bool = False


def scene_of(game: str) -> GameScene:
    """What can be rendered of a game. Raises NotationError for a word that is none."""
    scene: GameScene = import_module(f"datasets.games.{find_game(game).word}").SCENE
    return scene


def first_legal(draw: Callable[[], PositionJson]) -> PositionJson:
    """Draws positions until one breaks no rule of its game."""
    while True:
        position = position_from_json(draw())
        if not position.problems():
            return position.to_json()


def foundation_top(suit: str, count: int, *, from_king: bool = False) -> str | None:
    """The top of a foundation of `count` cards; None where it is not begun.

    Args:
        suit: Its suit.
        count: How many cards lie on it; after thirteen it begins again.
        from_king: Whether it is built down from the king, not up from the ace.
    """
    return RANK_CHARS[(-count if from_king else count - 1) % 13] + suit if count else None


def foundation_tops(
    position: PositionJson, suits: Iterable[str], *, from_king: bool = False
) -> list[tuple[str | None, str]]:
    """The top of each suit's foundation, None where it is not begun, with its zone."""
    counts = position["foundations"]
    return [(foundation_top(suit, counts[suit], from_king=from_king), f"foundation/{suit}") for suit in suits]


def all_cards(decks: int = 1) -> list[str]:
    """All cards of so many decks, in order."""
    return [rank + suit for rank in RANK_CHARS for suit in SUIT_CHARS] * decks


def shuffled(rng: Rng, decks: int = 1) -> list[str]:
    """All cards of so many decks, shuffled."""
    cards = all_cards(decks)
    rng.shuffle(cards)
    return cards
