"""The view to play Klondike: tap or drag cards, ask for hints, give up and see how it is won."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Final
from zlib import crc32

import streamlit as st

from drawing.boards import Board, board
from drawing.card_names import pretty
from plumbing.errors import CardsError, IllegalMoveError
from solver.cards import Card, MaybeCard, card_text, parse_card
from solver.klondike import KlondikeRules, Move, Position, random_deal
from solver.klondike.autoplay import find_finish
from solver.klondike.chances import completed
from solver.klondike.game import Game, begin
from solver.klondike.move import DRAW, FOUNDATION, WASTE
from solver.klondike.plan import describe_plan, next_part, to_gain
from solver.place import Place
from solver.record import DEAL, NOTE, Record
from webapp import advice, board_json
from webapp import board as board_component
from webapp import streamlit_link as state
from webapp.games.klondike import PRESETS, hide
from webapp.jobs import Job, Json, stop
from webapp.page import review
from webapp.rules import OWN, preset_name
from webapp.wording import BY_CHANCE, count, describe_result, join_names, sentence

HINT: Final = 5.0
"""Seconds that a hint may take."""
MOST_MOVES: Final = 2000
NONE: Final = Game(())
"""What there is before the first deal."""
STOCK: Final = "stock"
"""The place of the stock, which a tap turns."""
MOST_GAMES: Final = 5
"""Games that are kept besides the one that is played."""
KEPT: Final = "game:klondike"
"""As what the browser keeps the game over a reload."""
PARTS: Final = ("deal", "moves", "seconds", "made_up", "named", "turns")
"""As what it keeps each part of it, in the order of `Kept.to_json`."""
HINT_HELP: Final = "The best move as far as you can see; no face-down card is looked at"
GIVE_UP: Final[Json] = {
    "name": "give_up",
    "label": "Give up",
    "sign": "flag",
    "help": "Ends the game and tells whether it could have been won, and how",
}
REDO: Final[Json] = {"name": "redo", "label": "Redo", "sign": "redo"}
FOLLOWS: Final = '"Play it" sends {} home, too.'
FINISH: Final[Json] = {"name": "finish", "label": "Finish", "sign": "done_all", "main": True}
DEAD_END: Final = '"Undo" goes back. "Give up" tells whether it could have been won, and how.'
NAME: Final[Json] = {"name": "name", "label": "Which card?", "sign": "help", "main": True}
NAME_AGAIN: Final[Json] = {
    "name": "name_again",
    "label": "Correct a card",
    "sign": "edit",
    "help": "Asks again which card was turned, for any that you have named",
}
FACE_DOWN: Final = "{} was named before: it lies face down in {}."
CHANGED_PLACES: Final = "{} and {} have changed places."
KEPT_BEFORE: Final = 'Your game before is kept: "Review and save the game", below the table, leads back to it.'
BACK: Final[Json] = {"name": "back", "label": "Go back to it", "sign": "undo"}
MADE_UP: Final = "Chance has dealt the hidden cards: nobody knows how they really lie."
LOST_THERE: Final = "From where you gave up, it could not be won any more."
START: Final = "from the start"
BEGUN_LATER: Final = "from the table where you began"
"""From where a game is played that begins with the table of a photo, or with one laid by hand: it is no deal."""
NOT_NAMED: Final = "The last card that was turned is not named, so this tells of the table before that turn."
NO_ONE_WAY: Final = "How hangs on where the cards lie that nobody has seen, so no moves are shown."
NEVER_WON: Final = "No move of yours lost it: it could not be won {}."
GO_ON: Final = GIVE_UP | {"label": "Go on playing", "sign": "undo", "help": None}


@dataclass(frozen=True, slots=True)
class Hint:
    """The search for a hint.

    Attributes:
        job: The search.
        known: The table as the player knows it.
        exact: Whether every card of it is known.
        followed: Moves of the way that it found which were played since.
    """

    job: Job
    known: Position
    exact: bool
    followed: int = 0

    def way(self) -> list[str]:
        """The moves that it found and that were not played yet."""
        return ((self.job.result or {}).get("line") or [])[self.followed :]

    def is_dead_end(self) -> bool:
        """Whether nothing leads on, whatever is played: then it holds for every table that comes after, too."""
        found = self.job.result or {}
        return found.get("verdict") == "no_win" or (found.get("by") == "unseen" and not found["moves"])

    def after(self, moves: Sequence[Move], game: Game) -> Hint | None:
        """The hint once moves have led to a game; None where they leave its way, end it or show a new card.

        Who goes the way comes nearer to what it ends with. A new search at each step could choose another aim each
        time, and lead round in a circle.
        """
        if self.is_dead_end():
            return self
        way, played = self.way(), list(map(str, moves))
        leaves = played != way[: len(played)] or played == way or game.table.is_won
        is_new = game.unnamed() is not None or (not self.exact and len(game.seen().unseen()) < len(self.known.unseen()))
        if leaves or is_new:
            return None
        return replace(self, followed=self.followed + len(played))


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as the browser keeps it, and as it stays when another one is begun.

    Attributes:
        game: The game.
        seconds: How long it has been played, s.
        known: The deal as it was known at first and, where chance has dealt the rest, as it was known before that.
    """

    game: Game
    seconds: float = 0.0
    known: tuple[Position, ...] = ()

    @property
    def made_up(self) -> bool:
        """Whether chance has dealt the cards that nobody had seen."""
        return len(self.known) > 1

    def to_json(self) -> tuple[str, list[str], float, bool, list[str], list[int]]:
        """The game as its deal and its moves, with the rest."""
        deal, moves, known = str(self.game.tables[0]), list(map(str, self.game.moves)), list(map(str, self.known))
        return deal, moves, self.seconds, self.made_up, known, list(self.game.turns)

    @staticmethod
    def of(
        deal: object,
        moves: Sequence[str],
        seconds: float | None = None,
        made_up: object = False,
        known: Sequence[str] | None = None,
        turns: Sequence[int] | None = None,
    ) -> Kept:
        """The game of what a browser kept, of whose deal less was `known`. Raises CardsError."""
        game = resumed(str(deal), moves, turns or ())
        less = [Position.parse(str(line)) for line in known or ()]
        first, *_, told = less * 2 or game.tables * 2
        own = tuple(one for one in ((first, told) if made_up else (first,)) if _is_of(one, game.tables[0]))
        return Kept.of_game(game, float(seconds or 0), own)

    @staticmethod
    def of_game(game: Game, seconds: float = 0.0, known: tuple[Position, ...] = ()) -> Kept:
        """A game of a deal that was known so far; one of which all was known is played as if only open cards were."""
        known = known or game.tables[:1]
        return Kept(replace(game, known=None if known[0].is_known else known[0]), seconds, known)


@dataclass(eq=False)
class Play:
    """A visitor's game; changed by what is tapped.

    Attributes:
        game: The game; without a table before the first deal.
        rules: The name of the rules of the next deal.
        notice: Why a move was not taken, to be said once.
        keeps_before: Whether it is said that the game before is kept, with the way back.
        begun: When the deal was begun, seconds since 1970; later by the time for which the page was closed.
        ended: When it was won or given up, None before.
        hint: The hint that was asked for.
        missed: Of a game that was given up the searches for what could have been: from its end, and from its deal.
        hints_on: Whether another hint is given once the card that came up is named: the last one led to it.
        past: The games before this one, the last one first.
        known: As `Kept` has it: what is not known of the deal at first, its player tells, and may put right.
        asked: The table that is to be played on, until the browser has told whether it keeps a game of it.
    """

    game: Game = NONE
    rules: str = "Turn 1"
    notice: str = ""
    keeps_before: bool = False
    begun: float = 0.0
    ended: float | None = None
    hint: Hint | None = None
    missed: tuple[Job, ...] = ()
    hints_on: bool = False
    past: tuple[Kept, ...] = ()
    known: tuple[Position, ...] = ()
    asked: str | None = None

    def begin(self, game: Game) -> None:
        """Plays a game from where it stands; of one before that was not over it is said that it is kept."""
        keeps_before = self.keeps_before or bool(self.game.moves and self.ended is None)
        self.go_on_with(Kept.of_game(game))
        self.keeps_before = keeps_before

    def go_back(self) -> None:
        """Goes back to the game before, while it is said that it is kept."""
        if self.keeps_before:
            self.go_on_with(self.past[0])

    def go_on_with(self, kept: Kept) -> None:
        """Goes on with a game that was kept; the one that was played is kept in its place if it has moves."""
        others = tuple(one for one in self.past if one is not kept)
        self.past = ((self.kept(), *others) if self.game.moves else others)[:MOST_GAMES]
        self.lay(kept.game)
        self.known = kept.known
        self.take_rules(kept.game.table.rules.to_json())
        self.go_on_from(kept.seconds)

    def kept(self) -> Kept:
        """The game as it is kept."""
        return Kept(self.game, self.seconds(), self.known)

    def take_rules(self, held: Json | None) -> None:
        """Takes rules for the next deal, if they have a name."""
        name = preset_name(PRESETS, held or {})
        self.rules = self.rules if name == OWN else name

    @property
    def made_up(self) -> bool:
        """Whether chance has dealt the cards that nobody had seen."""
        return self.kept().made_up

    def seconds(self) -> int:
        """How long it has been played, s."""
        return round((self.ended or time.time()) - self.begun)

    def go_on_from(self, seconds: float) -> None:
        """Goes on after it was played for so long, s; what passed while the page was closed does not count."""
        now = time.time()
        self.begun, self.ended = now - min(max(0.0, seconds), now), now if self.game.table.is_won else None

    def move(self, *moves: Move) -> None:
        """Makes moves in one turn, as `Game.play` does, or says why not."""
        try:
            after = self.game.play(*moves)
        except IllegalMoveError as error:
            self.notice = sentence(error.reason)
        else:
            self.go_on(after)

    def turn(self) -> None:
        """Turns the stock, unless a card that it has turned waits for its name: under the next one nobody would ask."""
        if self.game.unnamed() != WASTE:
            self.move(DRAW)

    def go_on(self, after: Game) -> None:
        """Takes the game after a turn, and goes on with the hint where the turn belongs to its way."""
        hint, made = self.hint, after.moves[len(self.game.moves) :]
        self.lay(after)
        self.hint = hint and hint.after(made, after)
        self.hints_on = hint is not None and not hint.is_dead_end() and after.unnamed() is not None
        self.notice = self.went_home()

    def went_home(self) -> str:
        """Which cards went home by themselves, unless a question says it: who has real cards must move them, too."""
        game = self.game
        is_real = game.known is not None and not self.made_up
        went = _went_home(game) if is_real and game.unnamed() is None and not game.table.is_won else []
        return f"{_went(went)}." if went else ""

    def lay(self, game: Game) -> None:
        """Shows a game; what was found out about the table before is no longer shown."""
        self.game, self.hint, self.missed, self.notice, self.keeps_before = game, None, (), "", False
        self.ended = time.time() if game.table.is_won else None

    def deal_by_chance(self) -> None:
        """Has chance deal the cards that nobody has seen."""
        self.known = (self.known[0], self.game.tables[0])
        self.lay(self.game.with_hidden_dealt(state.fresh_seed()))
        self.notice = MADE_UP

    def told(self) -> list[Card]:
        """The cards that have come up and were told, or dealt by chance, in this game: the last one first."""
        unknown = self.known[0].unseen() if self.known else ()
        return [card for card in self.game.came_up() if card in unknown] if unknown else []

    def correct(self, was: Card, now: Card) -> None:
        """Puts right which card came up, and makes the turns since again; a game of which some cannot be made is kept.

        A card that was told to lie elsewhere changes places with it. Who names one that chance has dealt goes on with
        real cards.
        """
        before, by_chance = self.kept(), self.known[-1].unseen() if self.made_up else ()
        ends_chance = was in by_chance
        if was not in self.told() or now not in self.known[0].unseen() or (was == now and not ends_chance):
            return
        names: dict[Card, MaybeCard] = {was: now, now: was}
        known = tuple(one.renamed(names) for one in self.known)
        if ends_chance:
            names, known = dict.fromkeys((*by_chance, now)) | {was: now}, self.known[:1]
        self.lay(self.game.with_deal(self.game.tables[0].renamed(names)))
        self.known = known
        if len(self.game.turns) < len(before.game.turns):
            self.past, self.keeps_before = (before, *self.past)[:MOST_GAMES], True
        elif now in self.told() and was in self.told():
            self.notice = CHANGED_PLACES.format(pretty(card_text(was)), pretty(card_text(now)))

    def undo(self) -> None:
        """Takes back the last turn; where no card that chance dealt is open any more, the next is asked for."""
        after, by_chance = self.game.undo(), self.known[-1].unseen() if self.made_up else ()
        if by_chance and not {*by_chance} & {*after.came_up()}:
            after, self.known = after.with_unseen_again(by_chance), self.known[:1]
        self.lay(after)
        self.hints_on = False

    def give_up(self) -> None:
        """Ends the game, and has it found out what could have been; goes on with a game that was given up."""
        if self.missed:
            self.go_on_from(self.seconds())
            self.missed = ()
        elif not self.game.table.is_won:
            self.hint, self.notice, self.keeps_before, self.ended = None, "", False, time.time()
            tables = dict.fromkeys(map(str, (self.game.last_named(), self.game.tables[0])))
            self.missed = tuple(state.search(line, HINT, "look") for line in tables)


def _is_of(less: Position, deal: Position) -> bool:
    """Whether a deal is one of which less was known."""
    return deal.renamed(dict.fromkeys(less.unseen())) == less


def resumed(deal: str, moves: Sequence[str] = (), turns: Sequence[int] = ()) -> Game:
    """A game that the browser kept; each move is a turn by itself where it tells of no others. Raises CardsError."""
    game = begin(Position.parse(deal), [Move.parse(str(move)) for move in moves[:MOST_MOVES]])
    is_of_game = all(isinstance(size, int) and size > 0 for size in turns) and sum(turns) == len(game.moves)
    return replace(game, turns=tuple(turns)) if is_of_game else game


def _look_back(play: Play) -> None:
    """Below the board: the review of this game or one before, and its record as a file."""
    games = [one for one in (play.kept(), *play.past) if one.game.moves]
    if not games:
        return
    with st.expander("Review and save the game", expanded=bool(play.missed), icon=":material/timeline:"):
        names = [
            f"{'This game' if one.game is play.game else 'A game before'}: {count(len(one.game.moves), 'move')}"
            for one in games
        ]
        chosen = st.selectbox("Game", range(len(games)), format_func=names.__getitem__) if len(games) > 1 else 0
        kept = games[min(chosen, len(games) - 1)]
        record = _record(kept, is_over=kept.game is play.game and bool(play.missed))
        row = st.container(horizontal=True, gap="small")
        if row.button("Review the game", icon=":material/timeline:", type="primary", key="review_game"):
            review.open_review(str(record))
        if kept in play.past:
            row.button("Play it on", icon=":material/play_arrow:", on_click=play.go_on_with, args=(kept,))
        state.offer_download(row, "Game as text", lambda: f"{record}\n", "klondike.txt", "save", "save_record")


def _record(kept: Kept, *, is_over: bool) -> Record:
    """The record of a game; of one that was given up with all of its cards: what could have been is told of those."""
    deal, record = kept.game.tables[0], kept.game.record()
    headers = {DEAL: str(deal)} if is_over and deal.is_known else {}
    return replace(record, headers=headers | ({NOTE: MADE_UP} if kept.made_up else {}))


def page() -> None:
    """The game of this session, or the question which one to play."""
    play = state.session_object(Play)
    if state.session().is_to_play("klondike"):
        play.asked = state.session().take_play() or ""
        if play.game.tables:
            play.begin(resumed(play.asked))
    running = state.running(None if play.hint is None else play.hint.job, *play.missed)
    data = _data(play)
    asked = None if play.game.tables else _game_of(play.asked or st.query_params.get(state.PARAMETER, ""))
    if play.game.tables:
        past = [one.to_json() for one in play.past]
        kept = dict(zip(PARTS, play.kept().to_json(), strict=True)) | {"past": past, "rules": play.rules}
        data["keep"] = {KEPT: kept}
    else:
        data |= {"asks": KEPT, "otherwise": asked and {"deal": str(asked.table), "moves": []}}
    board_component.show(data, key="klondike", handlers=_handlers(play, asked))
    _look_back(play)
    state.rerun_when_done(running)


def _game_of(line: str) -> Game | None:
    """The game that begins with a table, None where that is none of Klondike that can be played."""
    try:
        game = resumed(line)
    except CardsError:
        return None
    return None if game.table.problems() else game


def _handlers(play: Play, asked: Game | None) -> Mapping[str, board_component.Handler]:
    def deal(event: Json) -> None:
        play.begin(begin(random_deal(state.fresh_seed(), KlondikeRules.from_json(dict(PRESETS[play.rules])))))

    def chosen(event: Json) -> None:
        if event.get("value") in PRESETS:
            play.rules = event["value"]

    def agreed(event: Json) -> None:
        if not play.game.tables:  # else the rules of the next deal have been chosen since
            play.take_rules(event["rules"].get("klondike"))

    def move(event: Json) -> None:
        if (wanted := move_between(play.game.table, event["place"], event["to"])) is not None:
            play.move(wanted)  # or says why it cannot be

    def tapped(event: Json) -> None:
        table = play.game.table
        if event["place"] == STOCK:
            play.turn()
        elif (best := best_of(table, moves_from(table, event["place"]))) is not None:
            play.move(best)
        elif card := board(hide(table.to_json())).card_at(event["place"]):
            play.notice = f"{pretty(card)} has no place to go now."

    def finish(event: Json) -> None:
        if moves := find_finish(play.game.table) or _way_to_end(play):
            play.go_on(play.game.with_turn(list(map(Move.parse, moves))))

    def redo(event: Json) -> None:
        if play.game.taken_back:
            play.go_on(play.game.redo())

    def follow(event: Json) -> None:
        if event["made"] == len(play.game.moves):  # else it was tapped twice
            part = next_part(list(map(str, event["moves"])))
            play.move(*map(Move.parse, part))
            if play.hint is None and part[0] == str(DRAW):  # it shows a new card, which may change what is best
                _hint(play)

    def turned(event: Json) -> None:
        card = None if event.get("card") is None else parse_card(event["card"])
        if event.get("was") is not None and card is not None:
            play.correct(parse_card(event["was"]), card)
        elif play.game.unnamed() is None:
            return
        elif card is None:
            play.deal_by_chance()
        elif card in play.game.table.unseen():
            play.lay(play.game.with_turned(card))
            play.notice = play.went_home()
            if play.hints_on and play.game.unnamed() is None:
                _hint(play)

    def resume(event: Json) -> None:
        kept = event["game"]
        if not play.game.tables:
            try:
                play.go_on_with(Kept.of(*map(kept.get, PARTS)))
                play.past = tuple(Kept.of(*one) for one in (kept.get("past") or ())[:MOST_GAMES])
                chosen({"value": kept.get("rules")})
            except CardsError:
                pass  # it cannot be played any more
            is_over = bool(play.asked) and play.game.table.is_won  # then it is played again
            if asked is None or (play.known[:1] == asked.tables and not is_over):
                return
            others = (one for one in play.past if not one.game.table.is_won)
            before = next((one for one in others if one.known[:1] == asked.tables), None)
            if before is None:
                play.begin(asked)
            elif play.asked:  # else it is only the address, which a new deal after that table leaves as it is
                play.go_on_with(before)

    return {
        "deal": deal,
        "rule": chosen,
        "agreed": agreed,
        "move": move,
        "tap": tapped,
        "draw": lambda event: play.turn(),
        "undo": lambda event: play.undo(),
        "redo": redo,
        "give_up": lambda event: play.give_up(),
        "hint": lambda event: _hint(play),
        "follow": follow,
        "finish": finish,
        "turned": turned,
        "back": lambda event: play.go_back(),
        "resume": resume,
        "stop_advice": lambda event: stop(None if play.hint is None else play.hint.job),
    }


def _data(play: Play) -> Json:
    game = play.game
    row = {"key": "preset", "label": "Rules of the next deal", "options": [[name, name] for name in PRESETS]}
    data: Json = {
        "view": "play",
        "key": f"klondike {len(game.moves)} {crc32(str(game.tables[-1:]).encode())}",  # tells no hidden card
        "title": "Klondike" if _is_dealt(play) else "Your game",
        "rules": {"main": [row | {"now": play.rules}], "more": [], "told": _tell_rules(game)},
        "tools": [{"name": "deal", "label": "New deal", "sign": "casino", "main": not game.tables}],
    }
    if not game.tables:
        said = {"tone": "open", "headline": "Deal the cards to begin", "detail": ""}
        return data | {"said": None if play.asked else said, "legal": {}}
    position = game.table
    turned = _turned(game, game.unnamed())
    advised = _tell_first(turned) if turned and play.hints_on else play.hint and _hint_json(play, play.hint)
    is_stuck = turned is None and not position.moves()
    is_lost = is_stuck or (advised or {}).get("tone") == "bad"
    moves, home = len(game.moves), sum(position.foundations)
    pile = "waste" if position.waste and not position.stock else "stock"  # which of them is turned
    draw = {"name": "draw", "label": f"Turn the {pile}", "sign": "style", "off": position.is_won}
    tools = [
        NAME | {"asks": turned} if turned else FINISH if find_finish(position) else draw,
        {"name": "undo", "label": "Undo", "sign": "undo", "off": not game.turns},
        REDO | {"off": not game.taken_back},
        {"name": "hint", "label": "Hint", "sign": "lightbulb", "off": position.is_won or is_lost, "help": HINT_HELP},
        GIVE_UP | {"off": position.is_won},
        *([_name_again(play)] if play.known and not play.known[0].is_known else []),
    ]
    if play.missed:
        return data | _missed(play) | {"playTools": [GO_ON]}
    if position.is_won:
        minutes, seconds = divmod(play.seconds(), 60)
        took = f"{minutes}:{seconds:02d} minutes" if minutes else count(seconds, "second")
        detail = f"Every card is home after {count(moves, 'move')}, in {took}."
        data["said"] = {"tone": "good", "headline": "You won", "detail": detail}
    elif is_stuck:
        data["said"] = {"tone": "bad", "headline": "No move is left", "detail": DEAD_END}
    return data | {
        "notice": play.notice or (KEPT_BEFORE if play.keeps_before else ""),
        "noticeSign": "check_circle"
        if play.notice and play.notice == play.went_home()
        else None,  # it stays till it is done
        "noticeTool": BACK if play.keeps_before and not play.notice else None,
        "board": _board_json(position.to_json()),
        "legal": (legal := find_targets(position)),
        "taps": [STOCK, *legal, *([turned["at"]] if turned else [])],
        "since": None if play.ended is not None else play.seconds(),
        "won": position.is_won,
        "playTools": tools,
        "status": f"Moves: {moves}. Home: {home} of 52.{BY_CHANCE if play.made_up else ''}",
        "turned": turned,
        "advice": advised,
        "marks": {advised["place"]: "selected"} if advised and "place" in advised else {},
    }


def _tell_rules(game: Game) -> str:
    """By which rules a game is played; "" before the first deal."""
    if not game.tables:
        return ""
    rules = game.table.rules
    name = preset_name(PRESETS, rules.to_json())
    return f"This game: {rules.describe() if name == OWN else name.lower()}."


def _is_dealt(play: Play) -> bool:
    """Whether the game began with a deal of this view, or before any; not with the table of a photo or a line."""
    return all(
        start.is_known and [len(column.down) for column in start.columns] == [*range(len(start.columns))]
        for start in play.known[:1]
    )


def _name_again(play: Play) -> Json:
    """The tool that asks again in a game; it stands there before it is needed, so that it moves nothing else."""
    told = play.told()
    asks = {"told": list(map(str, told)), **_used(play.known[0], play.game.table)}
    return NAME_AGAIN | {"asks": asks, "off": not told}


def _tell_first(turned: Json) -> Json:
    """What stands in the place of a hint while it is open which card was turned."""
    headline = f"First tell which card was turned: {turned['title']}"
    return {"tone": "open", "headline": headline, "detail": "Then comes the hint.", "tools": [NAME | {"asks": turned}]}


def _turned(game: Game, place: Place | None) -> Json | None:
    """The question which card was turned, where that is open."""
    if place is None:
        return None
    position = game.table
    if place == WASTE:
        number = max(number for number, card in enumerate(position.waste) if card is None)
        above, at = position.waste[number + 1 :], f"{place.path}/{number}"
        title = f"waste, under {pretty(card_text(above[0]))}" if above else "top of the waste"
        if (turned := _turned_at_once(game)) > 1:
            title = f"card {len(above) + 1} of {turned}: {title}"
    else:
        title = f"column {place.ordinal + 1}{_after_own_moves(game)}"
        at = f"{place.path}/up/{len(position.columns[place.ordinal].up) - 1}"
    return {"title": title, "at": at, **_used(position, position)}


def _turned_at_once(game: Game) -> int:
    """How many cards of the stock the last move has turned."""
    if game.moves[-1:] != (DRAW,):
        return 0
    before = game.tables[-2]
    return len(game.table.waste) - (len(before.waste) if before.stock else 0)


def _used(known: Position, now: Position) -> Json:
    """The cards that are known, which no other can be, and what is said of those of them that are face down now."""
    used = {str(card): 1 for card in known.cards() if card is not None}
    piles = {"the stock": now.stock, **{f"column {n}": column.down for n, column in enumerate(now.columns, 1)}}
    lies = {card_text(card): name for name, pile in piles.items() for card in pile}
    return {"used": used, "lies": {card: FACE_DOWN.format(pretty(card), lies[card]) for card in used.keys() & lies}}


def _after_own_moves(game: Game) -> str:
    """Which cards went home by themselves in the last turn: its player need not have seen it; "" where none did."""
    went = _went_home(game)
    return f", as {_went(went)}" if went else ""


def _went(cards: Sequence[MaybeCard]) -> str:
    return f"{_listed(cards)} went home by {'itself' if len(cards) == 1 else 'themselves'}"


def _went_home(game: Game) -> list[MaybeCard]:
    """The cards that went home by themselves in the last turn: after its first move."""
    own = range(len(game.moves) - sum(game.turns[-1:]) + 1, len(game.moves))
    return [card for n in own if game.moves[n].target == FOUNDATION for card in game.tables[n].carried(game.moves[n])]


def _listed(cards: Iterable[MaybeCard]) -> str:
    return join_names([pretty(card_text(card)) for card in cards])


def _as_seen(table: Json) -> Board:
    """The board as its player sees it: the stock can be tapped, and no hidden card is spread out."""
    shown = board(hide(table))
    top, *others = shown.sections
    stock, *piles = (zone for zone in top.zones if zone is not None)
    stock = replace(stock, spots=tuple(replace(spot, path="stock") for spot in stock.spots))
    return replace(shown, sections=(replace(top, zones=(stock, *piles)), *others[:-1]))


def _board_json(table: Json) -> Json:
    return board_json.table_json(hide(table), _as_seen(table))


def find_targets(position: Position) -> dict[str, list[str]]:
    """Where the card at each place of the board may go: the paths of zones."""
    found: dict[str, list[str]] = {}
    for move in position.moves():
        if (place := _place_of(move, position)) is not None:
            found.setdefault(place, []).append(_zone_of(move, position))
    return found


def _zone_of(move: Move, position: Position) -> str:
    """The path of the zone that a move leads to."""
    if move.target.kind == "column":
        return f"{move.target.path}/up"
    (card,) = position.carried(move)
    assert card is not None
    return Place("foundation", card.suit).path


def moves_from(position: Position, place: str) -> tuple[Move, ...]:
    """The legal moves that begin with the card at a place of the board."""
    return tuple(move for move in position.moves() if _place_of(move, position) == place)


def _place_of(move: Move, position: Position) -> str | None:
    """The place of the card that a move begins with; None for a turn of the stock."""
    match move.source.kind:
        case "column":
            return f"{move.source.path}/up/{len(position.columns[move.source.ordinal].up) - move.count}"
        case "waste":
            return f"{move.source.path}/{len(position.waste) - 1}"
        case "foundation":
            return move.source.path
    return None


def move_between(position: Position, place: str, zone: str) -> Move | None:
    """The move, legal or not, of the card at a place to the zone of a path; None where that is none."""
    source, target = Place.of_path(place), Place.of_path(zone)
    if source == target or target.kind not in ("column", "foundation"):
        return None
    at = int(place.rpartition("/")[2]) if source.kind == "column" else 0
    count = len(position.columns[source.ordinal].up) - at if source.kind == "column" else 1
    return Move(source, target if target.kind == "column" else target.any_of_kind, count)


def best_of(position: Position, moves: Sequence[Move]) -> Move | None:
    """The move that a tap on a card means: home, else onto a card, best where it uncovers one, else to an empty column.

    >>> table = Position.parse("klondike draw: 1; moves: run; columns: [2C 4H] | [5S] | [5C] | - | - | - | -; foundations: C1 H3")
    >>> str(best_of(table, moves_from(table, "columns/0/up/0"))), str(best_of(table, moves_from(table, "columns/0/up/1")))
    ('None', 'T1>F')
    """  # noqa: E501

    def rank(move: Move) -> tuple[bool, bool]:
        target = position.columns[move.target.ordinal] if move.target.kind == "column" else None
        return target is not None, target is not None and not target.up

    return min(moves, key=rank, default=None)


def _hint(play: Play) -> None:
    """Starts the search for a hint on what the player has seen, unless it has begun; a game that is won needs none.

    Where it is open which card was turned, it starts once that is told.
    """
    play.notice, play.keeps_before = "", False  # it would lie over the hint
    if play.game.unnamed() is not None:
        play.hints_on = True
        return
    if play.game.table.is_won or (play.hint is not None and not (play.hint.job.stopped or play.hint.job.error)):
        return
    known = play.game.seen()
    exact = len(known.unseen()) < 2
    if exact:
        job = state.search(str(completed(known, list(known.unseen()))), HINT, "look")
    else:
        job = advice.compare_moves(known, HINT)
    play.hint = Hint(job, known, exact)


def _way_to_end(play: Play) -> Sequence[str]:
    """The moves to the end that a hint has found, if nothing is hidden any more: then only work is left."""
    hint, table = play.hint, play.game.table
    if hint is None or not hint.exact or any(column.down for column in table.columns) or not table.is_known:
        return []
    return hint.way()


def _missed(play: Play) -> Json:
    """Whether a game that was given up could have been won, and how: from where it was, else from its deal."""
    table, found = play.game.last_named(), play.missed[0]
    was_lost = (found.result or {}).get("verdict") == "no_win"
    if was_lost:
        found = play.missed[-1]
    if not found.done:
        waits = {"tone": "wait", "headline": "Looking for what could have been ..."}
        return {"board": _board_json(table.to_json()), "legal": {}, "since": None, "said": waits}
    result = found.result or {"verdict": "unknown"}
    said = describe_result(result, HINT)
    since = START if _is_dealt(play) else BEGUN_LATER
    first = since.removeprefix("from ")
    if was_lost and said.tone == "good":
        table = play.game.tables[0]
        detail = f"{LOST_THERE} The board shows {first} again. {said.detail}"
        said = replace(said, headline=f"{said.headline} {since}", detail=detail)
    elif was_lost:
        why = NEVER_WON.format(since) if said.tone == "bad" else f"{LOST_THERE} About {first}:"
        said = replace(said, detail=f"{why} {said.detail}")
    elif table != play.game.table:
        said = replace(said, detail=f"{NOT_NAMED} {said.detail}")
    if "proof" in result:
        said = replace(said, detail=f"{said.detail} {NO_ONE_WAY}")
    if play.made_up:
        headline = f"As chance dealt the cards: {said.headline[0].lower()}{said.headline[1:]}"
        said = replace(said, tone="open", headline=headline, detail=f"{said.detail} {MADE_UP}")
    steps = state.session().make_steps(table.to_json(), result, _board_json)
    shown = {"board": _board_json(table.to_json()), "legal": {}, "since": None, "said": asdict(said)}
    return shown | {"steps": steps, "stepsKey": f"missed {table}", "stepsTitle": "How it is won"}


def _hint_json(play: Play, hint: Hint) -> Json:
    """A hint as the board shows it, or a note that the search is running."""
    if hint.exact:
        return _exact_json(play, hint)
    game = play.game
    found = advice.comparison_json(hint.job, game.table, hint.followed, game.seen())  # what was dealt is not asked
    if found.get("tone") == "bad":
        return found | {"tools": [GIVE_UP], "detail": f"{found['detail']} {DEAD_END}"}
    return _with_follow(found, play, hint.way())


def _with_follow(told: Json, play: Play, way: Sequence[str]) -> Json:
    """A hint with the button that plays the next part of its way, once, the card that it takes, and what follows."""
    if not way:
        return told
    part = next_part(way, play.game.seen())
    given = {"moves": part, "made": len(play.game.moves)}
    tool = {"name": "follow", "label": "Play it", "sign": "play_arrow", "given": given, "main": True}
    went = _went_home(play.game.play(*map(Move.parse, part)))
    seen = list(takewhile(set(play.game.seen().cards()).__contains__, went))  # no hidden card is told
    detail = f"{told['detail']} {FOLLOWS.format(_listed(seen))}" if seen else told["detail"]
    place = _place_of(Move.parse(part[0]), play.game.table) or STOCK
    return told | {"detail": detail, "tools": [tool], "place": place}


def _exact_json(play: Play, hint: Hint) -> Json:
    """The verdict on a deal of which every card is known."""
    if not hint.job.done:
        return {"running": hint.job.to_json("Looking for a way to win")}
    verdict, way = (hint.job.result or {}).get("verdict"), hint.way()
    if verdict == "win" and way:
        what, why = describe_plan(play.game.table, to_gain(way), "brings the win nearer")
        detail = f"Next: {what}. {why} You have seen every card."
        shown = _with_follow({"tone": "good", "headline": "It can still be won", "detail": detail}, play, way)
        ends = _way_to_end(play) and not find_finish(play.game.table)  # else the game has its own button
        return shown | {"tools": [*shown["tools"], FINISH | {"main": False}]} if ends else shown
    if verdict == "no_win":
        detail = f"Proved, because you have seen every card. {DEAD_END}"
        return {"tone": "bad", "headline": "From here it can no longer be won", "detail": detail, "tools": [GIVE_UP]}
    return asdict(describe_result({"verdict": "unknown", "stop_reason": "time_limit"}, HINT))
