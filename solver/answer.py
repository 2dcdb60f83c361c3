"""One call for any position. The only file that knows all games, so that nobody else branches on them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from solver.errors import CardsError, NotationError
from solver.position import Position, game_of
from solver.solution import Estimate, Limits, Solution

GAMES: Final[Mapping[str, str]] = {
    "makiaveli": "solver.makiaveli",
    "klondike": "solver.klondike",
    "tomb_single": "solver.tomb.single",
    "tomb_double": "solver.tomb.double",
}
"""Game word to package. Each package offers `Position` and `answer(position, limits)`."""


def game_module(game: str) -> ModuleType:
    """The package of a game, imported when asked for."""
    if game not in GAMES:
        raise NotationError(game, 1, f"unknown game {game!r}", "one of " + ", ".join(GAMES))
    return import_module(GAMES[game])


def parse_position(text: str) -> Position[Any]:
    """Reads any game's one-line notation or JSON object; the line must begin with the game's word."""
    if text.lstrip().startswith("{"):
        return position_from_json(read_json(text))
    game = game_of(text)
    if game is None:
        raise NotationError(text, 1, "no game named", "a line that begins with one of " + ", ".join(GAMES))
    position: Position[Any] = game_module(game).Position.parse(text)
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
        raise NotationError(str(data)[:80], 1, "not a JSON object", '{"game": ..., ...}')
    game = data.get("game")
    if not isinstance(game, str):
        raise NotationError(str(data)[:80], 1, 'no "game" key', '"game": one of ' + ", ".join(GAMES))
    position: Position[Any] = game_module(game).Position.from_json(data)
    return position


def answer(position: Position[Any], limits: Limits | None = None) -> Solution | Estimate:
    """Could it have been won? Exact where every card is known, an estimate where the position hides cards.

    Raises:
        PositionError: For a position that breaks its game's rules.
    """
    result: Solution | Estimate = game_module(position.game).answer(position, limits or Limits())
    return result


def answer_many(
    positions: Sequence[Position[Any]], limits: Limits | None = None
) -> list[Solution | Estimate | Exception]:
    """`answer` for many positions; where one cannot be answered its error stands in the place of its answer.

    A game whose package offers `answer_many(positions, limits)` gets all its positions in one call.
    """
    limits = limits or Limits()
    results: list[Solution | Estimate | Exception] = [CardsError("not answered") for _ in positions]
    places: dict[str, list[int]] = {}
    for place, position in enumerate(positions):
        places.setdefault(position.game, []).append(place)
    for game, own in places.items():
        many = getattr(game_module(game), "answer_many", None)
        if many is not None:
            for place, result in zip(own, many([positions[place] for place in own], limits), strict=True):
                results[place] = result
            continue
        for place in own:
            try:
                results[place] = answer(positions[place], limits)
            except Exception as error:  # one position's failure must not take the others with it
                results[place] = error
    return results
