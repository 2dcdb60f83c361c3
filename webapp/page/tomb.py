"""The view in which a table of Napoleon's Tomb is played on: tap or drag cards, tell which came up, ask for hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final
from zlib import crc32

import streamlit as st

from drawing.boards import Board, Spot, board
from drawing.card_names import BACK, pretty
from drawing.zones import place_name
from plumbing.errors import CardsError, IllegalMoveError
from solver.cards import DECK, card_text, parse_card
from solver.games import find_game
from solver.place import Place
from solver.position import Position, pile_at
from webapp import advice, board_json, rules
from webapp import board as board_component
from webapp import streamlit_link as state
from webapp.jobs import Job, Json, stop
from webapp.played import CHANCE, MOST_STEPS, NAMED, Played, begun
from webapp.wording import BY_CHANCE, VerdictText, count, describe_result, sentence

HINT: Final = 5.0
"""Seconds that a hint may take."""
KEPT: Final = "game:tomb"
"""As what the browser keeps the game over a reload."""
MADE_UP: Final = "From here on chance deals the hidden cards: nobody knows how they really lie."
DEAD_END: Final = '"Undo" goes back, "Start again" to the first table.'
NO_PLACE: Final = "{} has no place to go now."
ONLY_TOP: Final = "Only the top card can be moved."
EMPTY: Final = "The {} is empty."
FIRST_THIS: Final = "First play {}. Then the next card can be turned."
HINT_TOOL: Final[Json] = {"name": "hint", "label": "Hint", "sign": "lightbulb"}
NAME: Final[Json] = {"name": "name", "label": "Which card?", "sign": "help", "main": True}
AGAIN: Final[Json] = {"name": "again", "label": "Start again", "sign": "restart_alt", "main": True}
NO_GAME: Final[Json] = {
    "tone": "open",
    "headline": "No game is being played here",
    "detail": 'Tap "Play on" at a table of Napoleon\'s Tomb.',
}


@dataclass(eq=False)
class TombPlay:
    """A visitor's game; changed by what is tapped.

    Attributes:
        game: The game, None before there is one.
        is_turning: Whether the next card of the stock has been turned and waits for its name.
        notice: What is to be said once.
        hint: The search for a hint on the table as it lies.
        asked: The table that is to be played on, until the browser has told whether it keeps a game of it.
    """

    game: Played | None = None
    is_turning: bool = False
    notice: str = ""
    hint: Job | None = None
    asked: str | None = None

    def lay(self, game: Played | None) -> None:
        """Shows a game; what was found out about the table before is no longer shown."""
        stop(self.hint)
        self.game, self.is_turning, self.notice, self.hint = game, False, "", None

    def take(self, step: str) -> None:
        """Takes a step, or says why not."""
        assert self.game is not None
        try:
            after = self.game.go_on(step)
        except CardsError as error:
            self.notice = sentence(error.reason if isinstance(error, IllegalMoveError) else str(error))
        else:
            self.lay(after)

    def turn(self) -> None:
        """Turns the next card of the stock, or asks which it is."""
        assert self.game is not None
        stock = self.game.playing.stock
        if not pile_at(self.game.table, stock):
            self.notice = EMPTY.format(place_name(stock))
        elif not self.game.can_turn():
            moves = self.game.table.moves()
            self.notice = FIRST_THIS.format(advice.describe_move(self.game.table, str(moves[0]))) if moves else ""
        elif (after := self.game.turn()) is not None:
            self.lay(after)
        else:
            self.is_turning = True


def page() -> None:
    """The game of this session."""
    play = state.session_object(TombPlay)
    session = state.session()
    if session.is_to_play("tomb"):
        play.asked = session.take_play() or ""
        if play.game is not None and play.game.line != play.asked:  # else it goes on where it was left
            play.lay(begun(play.asked))
    running = state.running(play.hint)
    asked = play.asked or st.query_params.get(state.PARAMETER)
    board_component.show(_data(play, asked), key="tomb", handlers=_handlers(play, asked))
    state.rerun_when_done(running)


def _handlers(play: TombPlay, asked: str | None) -> Mapping[str, board_component.Handler]:
    def resume(event: Json) -> None:
        if play.game is None:
            try:
                game = resumed(asked, *event["game"])
            except CardsError:
                if play.asked is None:
                    return
                game = begun(play.asked)
            play.lay(game)

    def on_game(does: Any) -> board_component.Handler:
        return lambda event: None if play.game is None else does(play, play.game, event)

    return {
        "move": on_game(_move),
        "tap": on_game(_tap),
        "draw": on_game(lambda play, game, event: play.turn()),
        "take": on_game(_follow),
        "undo": on_game(lambda play, game, event: play.lay(game if play.is_turning else game.undo())),
        "redo": on_game(lambda play, game, event: play.lay(game.redo())),
        "again": on_game(lambda play, game, event: play.lay(game.restart())),
        "hint": on_game(lambda play, game, event: _hint(play, game)),
        "turned": on_game(_turned),
        "resume": resume,
        "stop_advice": lambda event: stop(play.hint),
        "agreed": lambda event: None,  # rules that the browser keeps for photos
    }


def resumed(asked: str | None, line: str, steps: Sequence[str], taken_back: Sequence[str]) -> Played:
    """The game that the browser kept, or where another table is asked for that one. Raises CardsError."""
    if asked not in (None, line):
        return begun(asked)
    game = begun(line, steps[:MOST_STEPS])
    if len(steps) + len(taken_back) > MOST_STEPS:
        return game
    begun(line, [*steps, *reversed(taken_back)])  # or they cannot be made again
    return replace(game, taken_back=tuple(taken_back))


def _move(play: TombPlay, game: Played, event: Json) -> None:
    move = move_between(game, event["place"], event["to"])
    if place_of(game, move) != event["place"]:
        play.notice = ONLY_TOP
        return
    try:
        game.table.play(move)
    except IllegalMoveError as error:
        play.notice = sentence(error.reason)
    else:
        play.take(str(move))


def _tap(play: TombPlay, game: Played, event: Json) -> None:
    moves = [move for move in game.table.moves() if place_of(game, move) == event["place"]]
    if moves:
        play.take(str(min(moves, key=lambda move: _is_last_resort(game.table, move))))
    elif event["place"] == game.playing.stock.path:
        play.turn()
    elif card := as_seen(game).card_at(event["place"]):
        play.notice = NO_PLACE.format(pretty(card))


def _is_last_resort(table: Position[Any], move: Any) -> bool:
    """Whether a move puts a card on an empty tableau pile, where others could lie as well."""
    return move.target.kind == "tableau" and not pile_at(table, move.target)


def _follow(play: TombPlay, game: Played, event: Json) -> None:
    if event["made"] != len(game.steps):  # else it was tapped twice
        return
    if event["move"] in map(str, game.table.moves()):
        play.take(event["move"])
    else:
        play.turn()


def _turned(play: TombPlay, game: Played, event: Json) -> None:
    if game.unnamed() is None and not play.is_turning:
        return
    if event.get("card") is not None:
        play.take(f"{NAMED}{parse_card(event['card'])}")
        return
    is_turning = play.is_turning
    play.lay(game.take(f"{CHANCE}{state.fresh_seed()}"))
    assert play.game is not None
    after = play.game.turn() if is_turning else play.game.go_on(f"{NAMED}{play.game.next_card()}")
    play.lay(after)
    play.notice = MADE_UP


def move_between(game: Played, place: str, zone: str) -> Any:
    """The move, legal or not, to the zone of a path that begins at a place, else with the top card of that pile."""
    source, target = Place.of_path(place), Place.of_path(zone)
    target = target.any_of_kind if target.kind == "foundation" else target
    own = (move for move in game.table.moves() if place_of(game, move) == place)
    return replace(next(own, game.playing.move(source, target)), target=target)


def place_of(game: Played, move: Any) -> str | None:
    """The place on the board of the card that a move begins with; None for what takes all wastes."""
    if move.source == game.playing.stock or move.source.kind == "spare":
        return str(move.source.path)
    if move.source.number is None and move.source.kind == "waste":
        return None
    pile = pile_at(game.table, move.source)
    takes_all = getattr(move, "whole", False)
    if takes_all and len(pile) == 1:
        return None  # the same as its only card
    return f"{move.source.path}/{0 if takes_all else len(pile) - 1}"


def find_targets(game: Played) -> dict[str, list[str]]:
    """Where the card at each place of the board may go: the paths of zones."""
    found: dict[str, list[str]] = {}
    for move in game.table.moves():
        if (place := place_of(game, move)) is not None:
            target = move.target
            if target.kind == "foundation":
                target = Place("foundation", pile_at(game.table, move.source)[-1].suit)
            found.setdefault(place, []).append(target.path)
    return found


def as_seen(game: Played) -> Board:
    """The board as its player sees it: the stock can be tapped, and is not spread out."""
    stock, cards = game.playing.stock, pile_at(game.table, game.playing.stock)
    drawn = board(game.table.to_json())
    first = cards[0] if cards and game.playing.may_turn is not None else None
    spot = Spot(card_text(first) if first else BACK if cards else "", stock.path if cards else "")
    sections = [
        replace(
            section,
            zones=tuple(
                replace(zone, spots=(spot,), path=stock.path) if zone and zone.place == stock else zone
                for zone in section.zones
            ),
        )
        for section in drawn.sections[:-1]
    ]
    return replace(drawn, sections=tuple(sections))


def _data(play: TombPlay, asked: str | None) -> Json:
    game = play.game
    data: Json = {"view": "play", "title": "Napoleon's Tomb", "key": "tomb", "rules": None, "tools": [], "legal": {}}
    if game is None:
        said = None if play.asked else NO_GAME
        return data | {"said": said, "asks": KEPT, "otherwise": asked and [asked, [], []]}
    table, legal, turned = game.table, find_targets(game), _asked(play, game)
    pile = game.playing.stock
    redeal = next((move for move in table.moves() if str(move) == "redeal"), None)
    is_open = [place for place in legal if place != pile.path or len(legal[place]) == 1 or game.playing.may_turn]
    is_open += [turned["at"]] if turned else []
    is_stuck = turned is None and not legal and redeal is None and not game.can_turn()
    last = NAME | {"asks": turned} if turned else AGAIN if is_stuck else HINT_TOOL
    if table.is_won:
        last = AGAIN | {"label": "Play it again"}
    told = rules.describe_rules(table.to_json())
    draw = {"name": "draw", "label": "Turn a card", "sign": "style", "off": bool(turned) or not game.can_turn()}
    tools = [  # what is not always there stands last: so no other moves
        *([draw] if game.playing.may_turn is not None else []),
        {"name": "undo", "label": "Undo", "sign": "undo", "off": not (game.steps or play.is_turning)},
        {"name": "redo", "label": "Redo", "sign": "redo", "off": not game.taken_back},
        last,
        *([_step(game, "redeal", "Pick up the wastes")] if redeal else []),
    ]
    home = f"{game.playing.home(table)} of {52 * find_game(table.game).decks}"
    by_chance = BY_CHANCE if any(step.startswith(CHANCE) for step in game.steps) else ""
    advised = _hint_json(play.hint, game) if play.hint is not None and turned is None else None
    return data | {
        "key": f"tomb {len(game.steps)} {crc32(str(table).encode())}",
        "title": find_game(table.game).title,
        "rules": {"main": [], "more": [], "told": f"{told}." if told else ""},
        "said": _said(game, is_stuck=is_stuck),
        "board": board_json.table_json(table.to_json(), as_seen(game)),
        "legal": legal,
        "taps": [*is_open, *[pile.path] * (game.playing.may_turn is not None and bool(pile_at(table, pile)))],
        "won": table.is_won,
        "notice": play.notice,
        "playTools": tools,
        "status": f"Moves: {game.moves}. Home: {home}.{by_chance}",
        "turned": turned,
        "advice": advised,
        "marks": dict.fromkeys((advised or {}).get("places", ()), "selected"),
        "keep": {KEPT: [game.line, game.steps, game.taken_back]},
    }


def _said(game: Played, *, is_stuck: bool) -> Json | None:
    if game.table.is_won:
        detail = f"Every card is home after {count(game.moves, 'move')}."
        return {"tone": "good", "headline": "You won", "detail": detail}
    if is_stuck:
        return {"tone": "bad", "headline": "No move is left", "detail": DEAD_END}
    return None


def _asked(play: TombPlay, game: Played) -> Json | None:
    """The question which card came up, where that is open."""
    place = game.unnamed()
    if place is None and not play.is_turning:
        return None
    at = place or game.playing.stock.path
    title = place_name(Place.of_path(at))
    copies, possible = find_game(game.table.game).decks, set(game.possible())
    used = {str(card): copies for card in DECK if card not in possible}
    return {"title": title, "at": at, "used": used, "copies": copies}


def _step(game: Played, move: str, label: str, sign: str = "play_arrow") -> Json:
    """A button that makes a move, once."""
    given = {"move": move, "made": len(game.steps)}
    return {"name": "take", "label": label, "sign": sign, "given": given, "main": True}


def _hint(play: TombPlay, game: Played) -> None:
    """Starts the search for a hint on what the player has seen; a game that is won needs none."""
    play.notice = ""
    if game.table.is_won or game.unnamed() is not None or (play.hint is not None and not play.hint.stopped):
        return
    if game.table.is_known:
        play.hint = state.search(str(game.table), HINT, "look")
    else:
        play.hint = advice.compare_moves(game.table, HINT)


def _hint_json(hint: Job, game: Played) -> Json:
    """A hint as the board shows it, or a note that the search is running."""
    if not game.table.is_known:
        told = advice.comparison_json(hint, game.table)
        moves: Sequence[Json] = (hint.result or {}).get("moves") or ()
        if told.get("tone") == "bad":
            return told | {"detail": f"{told['detail']} {DEAD_END}", "tools": [AGAIN]}
        return told | {"tools": [_step(game, moves[0]["move"], "Play it")]} if moves else told
    if not hint.done:
        return {"running": hint.to_json("Looking for a way to win")}
    result = hint.result or {}
    verdict, way = result.get("verdict"), result.get("line") or ()
    if verdict == "win" and way:
        detail = f"Next: {advice.describe_move(game.table, way[0])}. You have seen every card."
        said = VerdictText("It can still be won", detail, "good")
        shown = {"tools": [_step(game, way[0], "Play it")], "places": advice.places_of_move(game.table, way[0])}
        return asdict(said) | shown
    if verdict == "no_win":
        detail = f"Proved, because you have seen every card. {DEAD_END}"
        return {"tone": "bad", "headline": "From here it can no longer be won", "detail": detail, "tools": [AGAIN]}
    return asdict(describe_result({"verdict": "unknown", "stop_reason": "time_limit"}, HINT))
