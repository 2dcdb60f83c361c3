"""A table of all games, and functions for positions of any game: `parse` reads one, `answer` solves it.

This is the only file of this room that knows all games. Other code looks a game up here instead of testing its name.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TypeVar

from plumbing.clock import Clock
from plumbing.errors import CardsError, NotationError, kind_of
from solver.notation import game_of, json_error
from solver.position import Position
from solver.solution import Estimate, Failure, Limits, Solution

PositionT = TypeVar("PositionT", bound=Position[Any])


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in the table of all games. Its modules are imported when they are used.

    Its package in `solver` has the game's word as its name, and so has its part in every other room: each room finds
    its own (`drawing.boards`, `vision.layout.game_layout`, `webapp.games.game`, `datasets.games.game`).

    Attributes:
        word: What its notation and JSON call it.
        title: What people call it.
        help: What its command does, in a line.
        decks: How many copies of each card it is played with.
        takes_hand: Whether it is about a player's hand, which a photo may not show.

    >>> GAMES["klondike"].position.parse("klondike foundations: C13 D13 H13 S13").is_won
    True
    """

    word: str
    title: str
    help: str
    decks: int = 1
    takes_hand: bool = False

    @property
    def solver(self) -> ModuleType:
        """The package, which offers `Position`, `random_deal`, `solve` and `answer`."""
        return import_module(f"solver.{self.word}")

    @property
    def position(self) -> type[Position[Any]]:
        """The class of its positions."""
        kind: type[Position[Any]] = self.solver.Position
        return kind

    @property
    def command(self) -> ModuleType:
        """The module of its command line: `add_arguments(parser)` and `run(args) -> exit status`."""
        return import_module(f"solver.{self.word}.command")

    @property
    def command_word(self) -> str:
        """What the command line calls it.

        >>> GAMES["tomb_single"].command_word
        'tomb-single'
        """
        return self.word.replace("_", "-")


MAKIAVELI: Final = GameEntry(
    "makiaveli", "Makiaveli", "could the whole hand be played this turn?", decks=2, takes_hand=True
)
KLONDIKE: Final = GameEntry("klondike", "Klondike", "solve a Klondike deal, or measure how many can be won")
TOMB_SINGLE: Final = GameEntry(
    "tomb_single", "Napoleon's Tomb, one deck", "Napoleon's Tomb with one deck: simulate, or solve a position"
)
TOMB_DOUBLE: Final = GameEntry(
    "tomb_double",
    "Napoleon's Tomb, two decks",
    "Napoleon's Tomb with two decks: simulate, or solve a position",
    decks=2,
)
BACCARAT: Final = GameEntry("baccarat", "Baccarat", "simulate Baccarat beside its exact values, or settle a round")

GAMES: Final[Mapping[str, GameEntry]] = {game.word: game for game in (MAKIAVELI, KLONDIKE, TOMB_SINGLE, TOMB_DOUBLE)}
"""The games for which `answer` says whether they could have been won, by their words."""
COMMANDS: Final[Mapping[str, GameEntry]] = {game.command_word: game for game in (*GAMES.values(), BACCARAT)}
"""The games that have a command, by the command's word. These include Baccarat, in which nobody chooses a move."""


MOST_SAMPLES: Final = 100_000
"""Of an estimate that is to be precise: the limit of its work."""
MOST_GROWTH: Final = 4.0
"""By which an estimate's samples grow at once, so that it tells how far it is."""
SHARPER_BY: Final = 1.05
"""More samples are drawn than the interval asks for by this factor, as the share itself moves."""


def find_game(word: str) -> GameEntry:
    """The game of a word. Raises NotationError."""
    if word not in GAMES:
        raise NotationError(word, 1, f"unknown game {word!r}", "one of " + ", ".join(GAMES))
    return GAMES[word]


def parse(text: str | Mapping[str, Any]) -> Position[Any]:
    """Reads any game's one-line notation or JSON object; the line must begin with the game's word.

    Args:
        text: The line, or the JSON object: its text, or what `json.loads` makes of it.

    Raises:
        NotationError: Naming the column that cannot be read.

    >>> parse("makiaveli hand: 3S 4S 5S").problems()
    ()
    """
    if isinstance(text, Mapping):
        return position_from_json(text)
    if not isinstance(text, str):
        raise json_error(text, f"{kind_of(text)} is no position", "a line of notation or a JSON object")
    if text.lstrip().startswith("{"):
        return position_from_json(read_json(text))
    game = game_of(text)
    if game is None:
        raise NotationError(text, 1, "no game named", "a line that begins with one of " + ", ".join(GAMES))
    return find_game(game).position.parse(text)


def read_position(text: str, kind: type[PositionT]) -> PositionT:
    """A position as it is given to a game's command: its line, its JSON object, or `-` for standard input.

    Args:
        text: What was given.
        kind: The game's positions.

    Raises:
        NotationError: For text that is empty, cannot be read, or is another game's.

    >>> from solver.makiaveli import Position
    >>> str(read_position('{"game": "makiaveli", "hand": ["3S"]}', Position))
    'makiaveli floor:; cross: - - - -; hand: 3S'
    """
    text = (sys.stdin.read() if text == "-" else text).strip()
    if not text:
        raise NotationError(text, 1, "no position given", "a line of notation or a JSON object")
    if not text.startswith("{"):
        return kind.parse(text)
    position = parse(text)
    if not isinstance(position, kind):
        wanted = f"{kind.game!r}; python -m solver --help names the other games' commands"
        raise NotationError(text, 1, f"the game is {position.game!r}", wanted)
    return position


def read_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        NotationError: Where it is broken, nested too deeply, or holds a number of thousands of digits.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(text, error.pos + 1, f"broken JSON ({error.msg})", "a JSON object") from error
    except RecursionError:
        raise NotationError(text, 1, "JSON nested too deeply", "a position object") from None
    except ValueError:  # Python converts no longer ones
        raise NotationError(text, 1, "a number of thousands of digits", "a position object") from None


def position_from_json(data: object) -> Position[Any]:
    """Reads any game's JSON object."""
    if not isinstance(data, Mapping):
        raise json_error(data, "not a JSON object", '{"game": ..., ...}')
    game = data.get("game")
    if not isinstance(game, str):
        raise json_error(data, 'no "game" key', '"game": one of ' + ", ".join(GAMES))
    return find_game(game).position.from_json(data)


def answer(position: Position[Any], limits: Limits | None = None) -> Solution | Estimate:
    """Could it have been won? Exact where every card is known, an estimate where the position hides cards.

    Raises:
        PositionError: For a position that breaks its game's rules.
        CardsError: For what is no position, such as its text.
    """
    result: Solution | Estimate = _game_of(position).solver.answer(position, limits or Limits())
    return result


def sharpened(
    found: Estimate,
    position: Position[Any],
    width: float,
    *,
    seconds: float = math.inf,
    progress: Callable[[Estimate], object] | None = None,
) -> Estimate:
    """An estimate from as many samples as it takes for chance to widen its interval by no more than `width`.

    The seed stays, so the samples depend on it and on the work alone, unless the time runs out. Undecided samples
    widen the interval however many there are; they are not counted here.

    Args:
        found: An estimate of the position.
        position: What was asked.
        width: Of the 95% interval, 0 to 1.
        seconds: No more samples are drawn where that would probably take longer.
        progress: Called with each sharper estimate.
    """
    clock = Clock()
    while found.n and (spread := found.high - found.low - (found.details.get("undecided") or 0.0)) > width:
        factor = min(MOST_GROWTH, SHARPER_BY * max(1.0, (spread / width) ** 2), MOST_SAMPLES / found.n)
        if factor <= 1 or clock.seconds * factor > seconds:
            break
        limits = Limits(None if math.isinf(seconds) else max(0.0, seconds - clock.seconds))
        package = find_game(position.game).solver
        sampled = package.estimate(position, limits, n=math.ceil(found.n * factor), seed=found.seed)
        if sampled.n <= found.n:  # stopped by a limit of its own
            break
        found = replace(sampled, details={**found.details, **sampled.details})
        if progress is not None:
            progress(found)
    return found


def answer_many(
    positions: Sequence[Position[Any]], limits: Limits | None = None
) -> list[Solution | Estimate | Failure]:
    """`answer` for many positions; where one cannot be answered, a `Failure` says why in the place of its answer.

    A game whose package offers `solve_each(positions, limits)` gets all its positions in one call.

    Raises:
        CardsError: For what is no position, such as its text.
    """
    limits = limits or Limits()
    results: list[Solution | Estimate | Failure] = [Failure(one, CardsError("not answered")) for one in positions]
    places: dict[str, list[int]] = {}
    for place, position in enumerate(positions):
        places.setdefault(_game_of(position).word, []).append(place)
    for word, own in places.items():
        many = getattr(find_game(word).solver, "solve_each", None)
        found = (
            [_answer_or_failure(positions[place], limits) for place in own]
            if many is None
            else many([positions[place] for place in own], limits)
        )
        for place, result in zip(own, found, strict=True):
            results[place] = result
    return results


def _game_of(position: Any) -> GameEntry:
    word = getattr(position, "game", None)
    game = find_game(word) if isinstance(word, str) else None
    if game is None or not isinstance(position, game.position):
        raise CardsError(f"{kind_of(position)} is no position; parse() reads one from text or JSON")
    return game


def _answer_or_failure(position: Position[Any], limits: Limits) -> Solution | Estimate | Failure:
    try:
        return answer(position, limits)
    except Exception as error:  # one position's failure must not take the others with it
        return Failure(position, error)
