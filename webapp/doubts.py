"""The cards of a photo that a person should check: what else they may be, and which were left out of the table."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

import streamlit as st

from webapp import edits
from webapp.boards import Board, board
from webapp.component import small_picture
from webapp.desk import target_box, targets
from webapp.edits import Json, Target
from webapp.faces import Mark, pretty, spoken
from webapp.pipeline import Shot
from webapp.visit import Visit
from webapp.words import count

NOWHERE: Final = "none"
"""The zone of a card that was seen and left out of the table."""
CROP: Final = 56
"""Width of a doubtful card's piece of the photo, CSS pixels."""
SHOWN: Final = 6
"""Doubtful cards that are listed at a time; all of them are marked on the board."""


def show(visit: Visit, table: Json, ask: int | None) -> dict[str, Mark]:
    """Shows the cards the reading was unsure of, with what else they may be; the places to mark on the board.

    Args:
        visit: Whose table and photo.
        table: The table as JSON.
        ask: Number of the card on which the verdict depends most, if one does.
    """
    shot = visit.shot
    if shot is None:
        return {}
    drawn = board(table)
    marks: dict[str, Mark] = {}
    waiting: list[tuple[int, Json, str | None]] = []
    numbers = [doubt["number"] for doubt in shot.reading.get("doubtful", ())]
    for number in sorted(numbers, key=lambda number: number != ask):
        seen = shot.reading["cards"][number]
        if number in visit.checked:
            continue
        if seen["zone"] == NOWHERE:
            waiting.append((number, seen, None))
            continue
        place = _place_of(drawn, seen, marks)
        if place is not None:
            marks[place] = "doubtful"
            waiting.append((number, seen, place))
    if waiting:
        with st.container(border=True, key="doubts"):
            st.markdown(f":material/help: **Please check {count(len(waiting), 'card')}**")
            for number, seen, place in waiting[:SHOWN]:
                if place is None:
                    _left_out(visit, table, shot, number, seen)
                else:
                    _doubt(visit, shot, number, seen, place, number == ask)
            if len(waiting) > SHOWN:
                st.caption(f"and {len(waiting) - SHOWN} more, marked on the table")
    return marks


def _doubt(visit: Visit, shot: Shot, number: int, seen: Json, place: str, decisive: bool) -> None:
    if decisive:
        st.caption("The verdict depends on this card:")
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"doubt{number}")
    if number in shot.crops:
        small_picture(row, shot.crops[number], CROP, f"the card read as {spoken(seen['card'])}")

    def wrong(card: str) -> None:
        visit.check(number)
        visit.edit(lambda now: edits.change(edits.still(now, place, seen["card"]), place, card))

    row.button(f"{_inked(seen['card'])} is right", key=f"right{number}", on_click=visit.check, args=(number,))
    for card, _ in seen.get("alternatives", ())[:3]:
        if card != seen["card"]:
            row.button(_inked(card), key=f"alt{number}_{card}", on_click=wrong, args=(card,))
    row.button("Other", key=f"other{number}", type="tertiary", on_click=visit.pick, args=(place,))


def _inked(card: str) -> str:
    """A card for a button's label, the red suits in red.

    >>> _inked("TH"), _inked("2C"), _inked("??")
    (':red[10♥]', '2♣', '??')
    """
    return f":red[{pretty(card)}]" if card[1:] in ("D", "H") else pretty(card)


def _left_out(visit: Visit, table: Json, shot: Shot, number: int, seen: Json) -> None:
    """A card of the photo that is not on the table: to be put there, or rightly left out."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"doubt{number}")
    if number in shot.crops:
        small_picture(row, shot.crops[number], CROP, f"left out: {spoken(seen['card'])}")
    row.markdown(f"**{pretty(seen['card'])}** is in the photo, not on the table", width="content")
    row.button("Leave it out", key=f"out{number}", on_click=visit.check, args=(number,))

    def put(target: Target) -> None:
        visit.check(number)
        visit.edit(lambda now: edits.add(now, target, seen["card"]))

    target_box(row, f"Put {pretty(seen['card'])} on", targets(board(table)), key=f"in{number}", on_target=put)


def _place_of(drawn: Board, seen: Json, taken: Container[str]) -> str | None:
    """The board's place of a card of the reading: one that shows it, in its own zone if possible, and is free."""
    spots = (spot for zone in drawn.zones() for spot in zone.spots)
    places = [spot.place for spot in spots if spot.card == seen.get("card") and spot.place]
    head, _, tail = str(seen.get("zone") or "").partition("/")

    def far(place: str) -> tuple[bool, bool]:
        first, _, rest = place.partition("/")
        return not first.startswith(head), bool(tail) and rest.split("/")[0] != tail

    return next((place for place in sorted(places, key=far) if place not in taken), None)
