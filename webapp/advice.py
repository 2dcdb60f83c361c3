"""The best move if cards are hidden, by the share of possible deals that are won after each legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from drawing.boards import Board, board
from drawing.changes import describe_changes
from solver.position import Position
from webapp import streamlit_link as state
from webapp.games.game import only_move, page_of
from webapp.jobs import Job, Json
from webapp.session import Session
from webapp.wording import VerdictText, count, of_100, percent, sentence, span, ways

SECONDS: Final = 8.0
WEIGHED: Final = (
    "The chances were weighed by the computer, not counted in whole games. The range is what longer thought may change."
    " How often it really works out may differ a little more."
)
"""What is said below the chances of moves that a player has weighed who does not peek."""
MOST_DIGITS: Final = 4
"""Of the number of a move."""


def describe_move(position: Any, text: str) -> str:
    """A move as people say it; cards that it would uncover are not named.

    >>> from solver import parse
    >>> table = parse("klondike columns: - | [2C]; foundations: C1; stock: ??")
    >>> describe_move(table, "T2>F"), describe_move(table, "draw")
    ('2♣ from column 2 to the foundation of clubs', 'turn the stock')
    >>> describe_move(parse("tomb_double tableau: 2S | - | - | -"), "S>W3")
    'turn a card to waste 3'
    >>> spares = parse("tomb_single corners: 7H | - | - | -; spares: KH 8C - -; deck: 49")
    >>> describe_move(spares, "S2>K1"), describe_move(spares, "D")
    ('8♣ from spare 2 to corner 1', 'turn the next card')
    """
    page = page_of(position.game)
    turn = page.describe_turn(text)
    if turn:
        return turn
    return describe_changes(*_around(position, _move(position, text))).split("; ")[0] or text


def _move(position: Any, text: str) -> Any:
    return next(move for move in position.moves() if str(move) == text)


def _around(position: Any, move: Any) -> tuple[Board, Board]:
    """The tables before and after a move, as the player sees them."""
    hide = page_of(position.game).hide
    return board(hide(position.to_json())), board(hide(position.play(move).to_json()))


def places_of_move(position: Any, text: str) -> list[str]:
    """The card on the drawn table that a move takes, and what it is laid upon; none for a turn of the stock.

    Where a hint may be a plan of several moves, the hints of the play show it.

    >>> from solver import parse
    >>> places_of_move(parse("tomb_single corners: 7H | - | - | -; spares: KH 8C - -; deck: 49"), "S2>K1")
    ['corners/0/0', 'spares/1']
    >>> places_of_move(parse("tomb_double tableau: 2S | - | - | -; foundations: S11; stock: 92"), "T1>F")
    ['tableau/0/0', 'foundations/S']
    """
    page = page_of(position.game)
    if page.describe_plan is not None or page.describe_turn(text):
        return []
    move = _move(position, text)
    pairs = zip(*(table.zones() for table in _around(position, move)), strict=False)
    ends = [
        zone
        for zone, after in pairs
        if zone.place in (move.source, move.target) or (zone.kind == "height" and zone != after)
    ]
    return [zone.spots[-1].path or f"{zone.path}/+" for zone in ends if zone.fan == "pile" and zone.path]


def describe_made(position: Position[Any], made: str) -> str:
    """What is said of a table of a review at which another move is to be tried; "" where no such move was made there.

    Args:
        position: The table.
        made: The number of the move that was made there, and the move.

    >>> from solver import parse
    >>> table = parse("klondike columns: [2C] | 5D [KS] | - | - | - | - | -; foundations: C1 D0 H0 S0; stock:; waste:")
    >>> describe_made(table, "4 T1>F")
    'Before move 4: 2♣ from column 1 to the foundation of clubs. Play on with another.'
    >>> describe_made(table, "4 T2>F"), describe_made(table, "a hint"), describe_made(table, "")
    ('', '', '')
    """
    number, _, text = made.partition(" ")
    if not (number.isdecimal() and len(number) <= MOST_DIGITS and text in map(str, position.moves())):
        return ""
    was = describe_move(position, text)
    return f"Before move {number}: {was}. Play on with another."


def describe_advice(
    found: Mapping[str, Any],
    moves: Sequence[Json],
    name: Callable[[str], str],
    describe_only_move: Callable[[str], str] = only_move,
    hidden: int = 0,
) -> VerdictText:
    """The best move in words, and how sure that is.

    Args:
        found: What the comparison found: whether it is `by` players who go by what lies open, by one who knows every
            card or by a good one who does not (then with what the `plan` is and why), and whether the order of plays is
            `settled` by the rules; why the first of equally good moves comes first, its `tie`; and whether a verdict
            beside it has a chance already, which another look may not quite meet: `is_told`.
        moves: Of the moves those that lead on: `share` with `low`, `high` and the `n` deals it was tried on, the best
            first.
        name: A move's notation as people say it.
        describe_only_move: Says why a move is the only one.
        hidden: How many cards nobody has seen.

    >>> rows = [{"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}]
    >>> describe_advice({"by": "knowing"}, rows, str).headline
    'Next: draw'
    >>> describe_advice({"by": "unseen", "plan": ("turn the stock twice", "It plays home.")}, rows, str).headline
    'Next: turn the stock twice'
    >>> describe_advice({"by": "unseen", "plan": ("draw", "It plays home.")}, rows, str, hidden=9).detail[39:]
    'wins in about 50 of 100 ways the 9 hidden cards may lie (by a quick look: 40% to 60%).'
    """
    if not moves and found.get("by") == "unseen":
        detail = "No face-down card can be uncovered and no card of the stock played, whatever is done first."
        return VerdictText("You are stuck", detail, "bad")
    if not moves:
        return VerdictText(
            "No move is left", "No card that is seen can be played, and the stock cannot be turned.", "bad"
        )
    best = moves[0]
    share, ends = of_100(best["share"], best["low"], best["high"], ways(hidden)), span(best["low"], best["high"])
    is_unseen = found.get("by") == "unseen"
    if (
        0 < best["share"] < 1 and " to " in ends
    ):  # what is weighed may differ a little from the games that a verdict counts
        share += f" ({'by a quick look: ' * is_unseen}{ends})"
    what, why = found["plan"] if is_unseen else (name(best["move"]), "")
    if is_unseen:
        text = why if found.get("is_told") else f"{why} From here a good player wins in {share}."
    elif found.get("by") == "knowing":
        text = f"After it, someone who sees every card wins in {share}."
    elif found.get("settled"):
        text = f"From here a player who plays all that can be played, in any order, wins in {share}."
    else:
        text = f"After it, a simple player who sees only the open cards wins in {share}."
    if len(moves) == 1 and not found.get("settled") and not is_unseen:
        text = f"{describe_only_move(best['move'])} {text}"
    elif len(moves) > 1 and moves[1]["high"] >= best["low"] and not is_unseen:
        other = f"Another move may be just as good: {name(moves[1]['move'])}."
        text += f" {found.get('tie') or other}"
    return VerdictText(f"Next: {what}", text, "open")


def compare_moves(position: Position[Any], seconds: float = SECONDS) -> Job:
    """Starts the comparison of the moves of a position that hides cards."""
    request = {"task": "moves", "line": str(position), "seconds": seconds}
    return state.pool().submit(request, limit=seconds, queue="look")


def find_comparison(session: Session, position: Position[Any]) -> Job | None:
    """The question that was asked about a table, None where none was."""
    job = session.advice
    return job if job is not None and job.request["line"] == str(position) else None


def request_advice(session: Session, position: Position[Any]) -> None:
    """Asks for the best next move of a table."""
    if page_of(position.game).compare is not None and not position.problems():
        session.advice = compare_moves(position)


def comparison_json(
    job: Job, position: Position[Any], done: int = 0, seen: Position[Any] | None = None, *, is_told: bool = False
) -> Json:
    """What a comparison of moves has found, or that it still runs.

    Args:
        job: The comparison.
        position: The table as it is now.
        done: How many moves of the way that it found have been made since.
        seen: The table as its player knows it, where the page has dealt the cards.
        is_told: Whether a verdict beside it tells the chance of a good player.
    """
    if not job.done:
        return {"running": job.to_json("Trying every move on ways the hidden cards may lie")}
    if job.result is None:
        return {"tone": "warn", "headline": "No advice", "detail": sentence(job.error)}
    page, found, moves = page_of(position.game), job.result, job.result["moves"]
    if page.describe_plan is not None and moves:
        what, why = page.describe_plan(position, found["line"][done:], found["why"], seen)
        only = f"{page.describe_only_move(moves[0]['move'])} " if len(moves) == 1 and not done else ""
        found = found | {"plan": (what, only + why)}
    if moves:
        found = found | {"is_told": is_told}
        equal = [move["move"] for move in moves if move["high"] >= moves[0]["low"]]
        found = found | {"tie": page.describe_tie(position, equal)}
    hidden = (seen or position).cards().count(None)
    said = describe_advice(found, moves, lambda text: describe_move(position, text), page.describe_only_move, hidden)
    is_weighed = found.get("by") == "unseen"
    rows = [_row(position, move, is_weighed=is_weighed) for move in moves] if len(moves) > 1 and not done else []
    places = places_of_move(position, moves[0]["move"]) if moves else []
    note = WEIGHED if is_weighed and rows else ""
    return asdict(said) | {"rows": rows, "note": note, "places": places}


def _row(position: Position[Any], move: Mapping[str, Any], *, is_weighed: bool) -> list[str]:
    """A move with its chance and the interval of that; of weighed deals it is not told how many."""
    name = describe_move(position, move["move"])
    if is_weighed:
        return [name, percent(move["share"]), span(move["low"], move["high"])]
    unsure = move.get("undecided", 0) / move["n"]
    more = f", {percent(unsure)} not decided" if unsure else ""
    return [name, f"{percent(move['share'])} of {count(move['n'], 'deal')}{more}", span(move["low"], move["high"])]
