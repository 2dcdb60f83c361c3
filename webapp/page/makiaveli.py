"""The view to play Makiaveli against the computer: arrange the table and end the turn; the solver checks it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from plumbing.errors import CardsError, IllegalMoveError
from solver.games import position_from_json
from solver.makiaveli import Position, Turn
from solver.makiaveli import game as makiaveli_game
from solver.makiaveli.game import Game
from webapp import board as board_component
from webapp import board_json, edits
from webapp import streamlit_link as state
from webapp.jobs import Job, Json, stop
from webapp.wording import VerdictText, count, describe_error, sentence

THINK: Final = 10.0
"""Seconds that the computer may think about a turn."""
KEPT: Final = "game:makiaveli"
"""As what the browser keeps the game over a reload."""


@dataclass(eq=False)
class Seat:
    """A visitor's seat at the table; changed by what is tapped.

    Attributes:
        game: The game as it stands after the last turn, None before there is one.
        laid: The table as it is being laid out.
        seats: How many play the next game.
        notice: What is to be said once.
        hint: The best turn that was asked for, while its table lies there.
    """

    game: Game | None = None
    laid: Json = field(default_factory=dict)
    seats: int = 2
    notice: str = ""
    hint: Job | None = None

    def take(self, game: Game) -> None:
        """Takes over a game and its table."""
        self.game, self.laid, self.hint, self.notice = game, game.table(0).to_json(), None, ""

    def lay(self, table: Json) -> None:
        """Changes the arrangement of the table."""
        self.laid, self.hint, self.notice = table, None, ""


def page() -> None:
    """The game of this session, or the question how many play."""
    seat = state.session_object(Seat)
    running = state.running(seat.hint)
    data = _data(seat)
    if seat.game is None:
        data["asks"] = KEPT
    else:
        data["keep"] = {KEPT: {"game": makiaveli_game.to_json(seat.game), "laid": seat.laid}}
    board_component.show(data, key="makiaveli", handlers=_handlers(seat))
    state.rerun_when_done(running)


def _handlers(seat: Seat) -> Mapping[str, board_component.Handler]:
    def begin(event: Json) -> None:
        seat.take(makiaveli_game.deal(seat.seats, state.fresh_seed()))

    def players(event: Json) -> None:
        if event.get("value") in makiaveli_game.SEATS:
            seat.seats = event["value"]

    def move(event: Json) -> None:
        place, to = event["place"], event["to"]
        laid = edits.unchanged(seat.laid, place, event["was"])
        if to.endswith(f"/{edits.NEW}") or edits.find_zone(laid, to).kind == "list":
            seat.lay(position_from_json(edits.move(laid, place, to)).to_json())

    def resume(event: Json) -> None:
        if seat.game is None:
            try:
                seat.take(makiaveli_game.from_json(event["game"]["game"]))
                seat.lay(position_from_json(event["game"]["laid"]).to_json())
            except CardsError:
                seat.game = None

    def on_game(does: Any) -> board_component.Handler:
        def heard(event: Json) -> None:
            if seat.game is not None and event.get("turn") == len(seat.game.log):
                does(seat, seat.game)  # a second tap on the same button would else be a second turn

        return heard

    return {
        "begin": begin,
        "rule": players,
        "move": move,
        "end": on_game(_end_turn),
        "draw": on_game(lambda seat, game: _answer(seat, makiaveli_game.draw(game))),
        "back": on_game(lambda seat, game: seat.take(game)),
        "hint": on_game(_hint),
        "lay": on_game(_lay_out),
        "resume": resume,
        "stop_advice": lambda event: stop(seat.hint),
        "agreed": lambda event: None,  # rules that the browser keeps for photos
    }


def _data(seat: Seat) -> Json:
    game = seat.game
    players = [[number, f"{number}"] for number in makiaveli_game.SEATS]
    row = {"key": "players", "label": "Players", "options": players, "now": seat.seats}
    data: Json = {
        "view": "play",
        "title": "Makiaveli",
        "key": "makiaveli",
        "rules": {"main": [row], "more": [], "told": ""},
        "tools": [{"name": "begin", "label": "New game", "sign": "casino", "main": game is None}],
    }
    if game is None:
        words = (
            "Five cards each, four round the deck. Play at least one card a turn, rearrange the table, or draw a card."
            " Whoever plays the last card wins."
        )
        return data | {"said": {"tone": "open", "headline": "Against the computer", "detail": words}}
    still = seat.laid == game.table(0).to_json()
    turn = {"turn": len(game.log)}
    tools = [
        {"name": "end", "label": "End the turn", "sign": "check", "off": still, "main": True, "given": turn},
        {"name": "draw", "label": "Draw a card" if game.stock else "Pass", "sign": "style", "given": turn},
        {"name": "back", "label": "Take back", "sign": "undo", "off": still, "given": turn},
        {"name": "hint", "label": "Hint", "sign": "lightbulb", "given": turn},
    ]
    return data | {
        "key": f"makiaveli {len(game.log)} {position_from_json(seat.laid)}",
        "board": board_json.table_json(seat.laid),
        "notice": seat.notice,
        "status": makiaveli_game.summary(game),
        "log": list(game.log[-len(game.hands) :]),
        "playTools": [] if game.is_over else tools,
        "legal": {} if game.is_over else None,
        **_end(game),
        **_hint_json(seat, game, turn),
    }


def _end(game: Game) -> Json:
    if not game.is_over:
        return {}
    winner = game.winner
    if winner is None:
        said = VerdictText("A draw", "The deck is empty and nobody can play.", "open")
    elif winner == 0:
        said = VerdictText("You won", "You played your last card.", "good")
    else:
        said = VerdictText("You lost", f"{makiaveli_game.name(winner)} played the last card.", "bad")
    return {"said": asdict(said)}


def _end_turn(seat: Seat, game: Game) -> None:
    try:
        laid = position_from_json(seat.laid)
        assert isinstance(laid, Position)
        after = makiaveli_game.play(game, Turn(laid.floor, laid.cross, laid.hand))
    except IllegalMoveError as error:
        seat.notice = f"Not a turn yet: {sentence(error.reason)}"
    else:
        _answer(seat, after)


def _answer(seat: Seat, after: Game) -> None:
    """Lets the computers take their turns. If that fails, the turn is not ended."""
    try:
        seat.take(makiaveli_game.computers(after, _best))
    except CardsError as error:
        seat.notice = describe_error(error)


def _best(table: Position) -> Turn | None:
    """The solver's turn, from a worker process."""
    job = state.search(str(table), THINK)
    if not job.wait(THINK + 120) or job.result is None:
        raise CardsError(job.error or "the computer took too long; please end the turn again")
    line = job.result["line"]
    return Turn.parse(line[0]) if line else None


def _hint(seat: Seat, game: Game) -> None:
    """Asks for the best turn; it is shown step by step on the table as it lay, and the person lays it out or not."""
    seat.take(game)
    seat.hint = state.search(str(game.table(0)), THINK)
    seat.hint.wait(1.0)


def _hint_json(seat: Seat, game: Game, turn: Json) -> Json:
    if seat.hint is None:
        return {}
    if not seat.hint.done:
        return {"advice": {"running": seat.hint.to_json("Looking for the best turn")}}
    result = seat.hint.result
    if result is None:
        return {"advice": {"tone": "warn", "headline": "No hint", "detail": seat.hint.error}}
    if not result["line"]:
        text = "No card of your hand can be played: draw."
        return {"advice": {"tone": "open", "headline": "Draw", "detail": text}}
    played = len(game.hands[0]) - len(Turn.parse(result["line"][0]).hand)
    advice = {
        "tone": "good",
        "headline": f"You can play {count(played, 'card')}",
        "detail": "The steps are shown below, one by one. Lay it out, then end the turn.",
        "tools": [{"name": "lay", "label": "Lay it out", "sign": "check", "main": True, "given": turn}],
    }
    steps = board_json.steps(game.table(0).to_json(), result)
    return {"advice": advice, "steps": steps, "stepsKey": result["line"][0], "stepsTitle": "Hint"}


def _lay_out(seat: Seat, game: Game) -> None:
    """Lays out the best turn; the person still has to end it."""
    result = seat.hint.result if seat.hint is not None else None
    if result and result["line"]:
        seat.lay(game.table(0).play(Turn.parse(result["line"][0])).to_json())
