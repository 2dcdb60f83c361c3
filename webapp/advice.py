"""The best next move where cards are hidden: each legal move's share of the deals that can still be won after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from solver.position import Position
from webapp import state
from webapp.boards import board
from webapp.changes import told
from webapp.faces import BACK
from webapp.jobs import Job, Json
from webapp.moves import ADVISED
from webapp.visit import Visit
from webapp.words import Said, count, percent, plain, span

SECONDS: Final = 8.0


def hidden(table: Json) -> Json:
    """A table as its player sees it: Klondike's face-down cards and the stock without their names."""
    if table["game"] == "tomb_single":
        return table | {"deck": [BACK] * len(table["deck"])}
    if table["game"] != "klondike":
        return table | {"stock": [BACK] * len(table["stock"])}
    columns = [column | {"down": [BACK] * len(column["down"])} for column in table["columns"]]
    return table | {"columns": columns, "stock": [BACK] * len(table["stock"])}


def move_words(position: Any, text: str) -> str:
    """A move as people say it; cards that it would uncover are not named.

    >>> from solver.answer import parse_position
    >>> table = parse_position("klondike columns: - | [2C]; foundations: C1; stock: ??")
    >>> move_words(table, "T2>F"), move_words(table, "draw")
    ('2♣ from column 2 to foundation of clubs', 'turn the stock')
    >>> move_words(parse_position("tomb_double tableau: 2S | - | - | -"), "S>W3")
    'turn a card to waste 3'
    >>> spares = parse_position("tomb_single corners: 7H | - | - | -; spares: KH 8C - -; deck: 49")
    >>> move_words(spares, "S2>K1"), move_words(spares, "D")
    ('8♣ from spare 2 to corner 1', 'turn the next card')
    """
    if text == "D" or text.startswith("D>"):
        return "turn the next card"
    if text == "draw":
        return "turn the stock"
    if text.startswith("S>W"):
        return f"turn a card to waste {text[3:]}"
    move = next(move for move in position.moves() if str(move) == text)
    before, after = (board(hidden(table.to_json())) for table in (position, position.apply(move)))
    return told(before, after).split("; ")[0] or text


def advise(found: Mapping[str, Any], moves: Sequence[Json], name: Callable[[str], str]) -> Said:
    """The best move in words, and how sure that is.

    Args:
        found: What the comparison found: whether `by` players who go by what lies open or by one who knows every
            card, and whether the order of plays is `settled` by the rules.
        moves: Each legal move's `share` with `low`, `high` and the `n` deals it was tried on, the best first.
        name: A move's notation as people say it.

    >>> rows = [{"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}]
    >>> advise({"by": "knowing"}, rows, str).headline
    'Next: draw'
    """
    if not moves:
        return Said("No move is left", "No card that is seen can be played, and the stock cannot be turned.", "bad")
    best = moves[0]
    share = f"{percent(best['share'])} of the possible deals"
    interval = f"(95% interval {span(best['low'], best['high'])}, {count(best['n'], 'deal')})"
    if found.get("by") == "knowing":
        unsure = best.get("undecided", 0) / best["n"]
        more = f", {percent(unsure)} were not decided in the time" if unsure else ""
        text = f"After it {share} can still be won by someone who knew every card{more} {interval}."
    elif found.get("settled"):
        text = f"Every legal play is made, in whatever order: played on so, {share} are won {interval}."
    else:
        text = f"After it {share} are won by a simple player who sees only what lies open {interval}."
    if len(moves) == 1 and not found.get("settled"):
        only = "It is the only move." if best["move"][0] not in "S6" else "What fits is played from a spare at once."
        text = f"{only} {text}"
    elif len(moves) > 1 and moves[1]["high"] >= best["low"]:
        text += f" Not settled: another may be as good ({name(moves[1]['move'])})."
    return Said(f"Next: {name(best['move'])}", f"{text} An estimate from what is seen; no hidden card is used.", "open")


def ask(position: Position[Any], seconds: float = SECONDS) -> Job:
    """Starts the comparison of the moves of a position that hides cards."""
    request = {"task": "moves", "line": str(position), "seconds": seconds}
    return state.pool().submit(request, limit=seconds, queue="look")


def offer(visit: Visit, position: Position[Any]) -> None:
    """A button that asks for the best next move, and the answer for the table that is shown."""
    if position.game not in ADVISED or position.problems():
        return
    if visit.advice is not None and visit.advice[0] == str(position):
        show(position, visit.advice[1])
        return

    def wanted() -> None:
        visit.advice = (str(position), ask(position))

    st.button(
        "Best next move",
        icon=":material/lightbulb:",
        key="advice_ask",
        on_click=wanted,
        help="Tries every legal move on the same deals that fit what is seen.",
    )


def show(position: Position[Any], job: Job, leads_on: Callable[[str], bool] = bool) -> list[Json]:
    """What a comparison of moves has found, or that it still runs.

    Args:
        position: The table as it is seen.
        job: The comparison.
        leads_on: Whether a move is worth naming; in a game those that go back to an earlier table are not.

    Returns:
        The moves, the best first; none while the comparison runs.
    """
    if not state.wait(job, 0.5):
        state.poll(_wait, 1.0, job)
        return []
    if job.result is None:
        st.warning(plain(job.error), title="No advice", icon=":material/warning:")
        return []
    moves = [move for move in job.result["moves"] if leads_on(move["move"])]
    said = advise(job.result, moves, lambda text: move_words(position, text))
    st.info(plain(said.detail), title=plain(said.headline), icon=":material/lightbulb:")
    if len(moves) > 1:
        with st.expander("Every move", icon=":material/format_list_numbered:"):
            st.table([_row(position, move) for move in moves], hide_index=True)
    return moves


def _row(position: Position[Any], move: Mapping[str, Any]) -> dict[str, str]:
    return {
        "move": plain(move_words(position, move["move"])),
        "can still be won": f"{percent(move['share'])} of {move['n']} deals",
        "95% interval": span(move["low"], move["high"]),
    }


def _wait(job: Job) -> None:
    row = st.container(horizontal=True, vertical_alignment="center")
    row.caption(f"Trying every move on deals that fit what is seen: {job.progress.get('deals', 0)} so far ...")
    if row.button("Stop", icon=":material/stop:", key="advice_stop"):
        job.stop()
        job.wait(2)
    if job.done:
        st.rerun()
