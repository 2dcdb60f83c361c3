"""Writes what the board draws as plain JSON: tables, the steps between them, the photos and their doubtful cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from drawing.boards import Board, Section, Zone, board
from drawing.card_names import BACK, EMPTY, pretty
from drawing.changes import describe_changes
from drawing.zones import place_colour
from solver.place import NOWHERE, Place
from vision.read_card import Photo, ReadCard
from webapp.edits import value_at
from webapp.jobs import Json
from webapp.photo_session import PhotoSession
from webapp.wording import capitalised, group_moves, sentence, with_symbols

AS_DRAWN: Final = ("title", "path", "fan", "kind", "heading", "note", "ghost", "shown", "span", "most", "under")
"""What the board is told of a zone as `drawing.boards` has it."""
HAND_EMPTY: Final = " Your hand is empty: you win."
"""What is said after the step that plays the last card of a hand."""
LIKELY: Final = 3
"""Likeliest cards that are offered for one that was read."""
NEW_MELD: Final = re.compile(r"new meld \d+")
"""As what a step names a meld that it begins: on the board no number stands where it will lie."""


def table_json(table: Mapping[str, Any], drawn: Board | None = None) -> Json:
    """A position's JSON as the board that `webapp/board/table.js` describes; `drawn` is one that was changed."""
    drawn = drawn or board(table)
    return {"game": drawn.game, "sections": [_section(section, drawn, table) for section in drawn.sections]}


def _section(section: Section, drawn: Board, table: Mapping[str, Any]) -> Json:
    zones = [None if zone is None else _zone(zone, drawn, table) for zone in section.zones]
    return {"title": section.title, "columns": section.columns, "grows": section.grows, "zones": zones}


def _zone(zone: Zone, drawn: Board, table: Mapping[str, Any]) -> Json:
    return {name: getattr(zone, name) for name in AS_DRAWN} | {
        "spots": [[spot.card, spot.path] for spot in zone.spots],
        "told": drawn.is_told_elsewhere(zone),
        "photoZone": str(zone.place) if zone.path else "",
        "colour": _colour(zone.place) if zone.path else "",
        "count": value_at(table, zone.path) if zone.kind == "height" else 0,
        "hidden": value_at(table, zone.under).count(BACK) if zone.under else 0,
    }


def patch(before: Json, after: Json) -> Json:
    """What changes between two boards: the changed zones if both have the same sections, else the second board.

    >>> one = table_json({"game": "makiaveli", "floor": [["7C"]], "cross": [], "hand": ["3S"]})
    >>> two = table_json({"game": "makiaveli", "floor": [["7C"], ["3S"]], "cross": [], "hand": []})
    >>> [(section, number, zone["title"]) for section, number, zone in patch(one, two)["zones"]]
    [(0, 1, 'meld 2'), (2, 0, 'hand')]
    """
    old, new = before["sections"], after["sections"]
    if [section["title"] for section in old] != [section["title"] for section in new]:
        return {"sections": new}
    zones: list[list[Any]] = []
    cut: list[list[int]] = []
    for number, (was, now) in enumerate(zip(old, new, strict=True)):
        for place, zone in enumerate(now["zones"]):
            if place >= len(was["zones"]) or was["zones"][place] != zone:
                zones.append([number, place, zone])
        if len(now["zones"]) < len(was["zones"]):
            cut.append([number, len(now["zones"])])
    return {"zones": zones} | ({"cut": cut} if cut else {})


# -- the way -----------------------------------------------------------------------------------------------------------


def steps(table: Json, result: Mapping[str, Any], draw: Callable[[Json], Json] = table_json) -> list[Json]:
    """The line of a result as steps: for each a sentence and what it changes. Turns of the stock join the next move.

    Args:
        table: The position's JSON.
        result: The solver's result.
        draw: Makes a position's JSON the board that is shown.
    """
    frames = result.get("frames") or ()
    tables = [table, *(frame["position"] for frame in frames)]
    if result.get("steps"):
        texts = [NEW_MELD.sub("a new meld", with_symbols(step["text"])) for step in result["steps"]]
        groups = [(number, number + 1) for number in range(len(texts))]
    else:
        groups = group_moves([frame["move"] for frame in frames])
        texts = [_merged(tables[first : last + 1]) for first, last in groups]
    if texts and "hand" in tables[-1]:
        texts[-1] += _say_left(tables[-1]["hand"])
    boards = {number: draw(tables[number]) for group in groups for number in group}
    return [
        {"text": text, "patch": patch(boards[first], boards[last])}
        for text, (first, last) in zip(texts, groups, strict=True)
    ]


def _say_left(hand: Sequence[str]) -> str:
    """What a way leaves in the hand, after its last step.

    >>> _say_left(["4H", "9C"]), _say_left([])
    (' That is all: 4♥ 9♣ stay in the hand.', ' Your hand is empty: you win.')
    """
    if not hand:
        return HAND_EMPTY
    return f" That is all: {' '.join(map(pretty, hand))} {'stays' if len(hand) == 1 else 'stay'} in the hand."


def _merged(tables: Sequence[Mapping[str, Any]]) -> str:
    """A step in words, from the tables that it goes through; all but the last move are turns of the stock."""
    boards = [board(table) for table in tables]
    words = [describe_changes(*pair) for pair in pairwise(boards)]
    last = words[-1] or "the next card is turned"
    turns = len(words) - 1
    if last.endswith("from the stock to the waste"):
        turns, last = turns + 1, ""
    if not turns:
        return capitalised(last)
    text = capitalised(_say_turns(turns, next((n for n in range(turns) if not tables[n].get("stock")), turns)))
    return f"{text}, then {last}" if last else text


def _say_turns(turns: int, before: int) -> str:
    """How often the stock is turned, and before which turn its last card has gone: the waste is turned over for that.

    >>> [_say_turns(turns, before) for turns, before in ((1, 1), (3, 3), (2, 0), (3, 2))]
    ['turn the stock once', 'turn the stock 3 times', 'turn the waste over, turn the stock 2 times', 'turn the stock 3 times (after 2 turn the waste over)']
    """  # noqa: E501
    text = f"turn the stock {'once' if turns == 1 else f'{turns} times'}"
    if before == turns:
        return text
    return f"{text} (after {before} turn the waste over)" if before else f"turn the waste over, {text}"


# -- the photo ---------------------------------------------------------------------------------------------------------


def match_cards(drawn: Board, cards: Sequence[ReadCard], as_read: Mapping[int, str] | None = None) -> dict[int, str]:
    """Which place of the board each card of a reading is, by its number.

    A place that shows the card in its own zone comes first. A corrected card stays where it was read, or takes a free
    place of its zone. One that was read nowhere takes a place where no other card was read: a person has put it there.

    Args:
        drawn: The board as it is now.
        cards: The cards of the reading.
        as_read: Their places on the board as it was read.
    """
    zones = [zone for zone in drawn.zones() if zone.kind != "fixed"]
    spots = [(zone.place, spot) for zone in zones for spot in zone.spots if spot.path]
    found: dict[int, str] = {}
    read = as_read or {}

    def place_of(number: int, by_card: bool, by_zone: bool, by_place: bool) -> str | None:
        """The first free place at which a card of the reading may lie."""
        card, taken = cards[number], set(found.values())
        for place, spot in spots:
            same = spot.card == card.text if by_card else spot.card not in (EMPTY, BACK)
            near = (not by_zone or place == card.place) and (not by_place or spot.path == read.get(number))
            if same and near and spot.path not in taken:
                return spot.path
        return None

    for how in ((True, True, False), (True, False, False), (False, True, True), (False, True, False)):
        for number, card in enumerate(cards):
            place = None if number in found or card.place == NOWHERE else place_of(number, *how)
            if place is not None:
                found[number] = place
    for number, card in enumerate(cards):
        place = place_of(number, True, False, False) if card.place == NOWHERE else None
        if place is not None:
            found[number] = place
    return found


def photo_json(
    shot: PhotoSession,
    urls: Sequence[str],
    drawn: Board | None,
    held: Mapping[int, str],
    waiting: Container[int],
    gone: Container[int] = (),
) -> list[Json]:
    """The photos with what was read in them, in px of the reading; corrected cards have their new names.

    Args:
        shot: The photos and their reading.
        urls: Where each picture is served.
        drawn: The table as it is now, None where there is none.
        held: The place of each card on it, by its number, as `match_cards` tells it.
        waiting: Numbers of the cards that it is still asked about.
        gone: Numbers of those that a person has taken off the table.
    """
    cards, photos = shot.reading.cards, shot.reading.photos
    now = {} if drawn is None else {number: drawn.card_at(place) for number, place in held.items()}
    zones = {} if drawn is None else {number: drawn.zone_of(place) for number, place in held.items()}
    found = []
    for number, (url, photo) in enumerate(zip(urls, photos, strict=True)):
        seen = [
            {
                "number": row,
                "best": card.sights[0] is sight,
                "card": now.get(row) or card.text,
                "quad": sight.quad,
                "index": sight.indices[0].box if sight.indices else None,
                "colour": _colour(zone.place if (zone := zones.get(row)) else card.place),
                "doubtful": row in waiting,
            }
            for row, card in enumerate(cards)
            if row not in gone and (sight := card.sight_in(number)) is not None
        ]
        backs = [
            {"quad": back.quad, "colour": _colour(back.place)}
            for back in shot.reading.backs
            if back.sights[0].photo == number and back.place != NOWHERE
        ]
        size = {"width": photo.width, "height": photo.height}
        name = _photo_name(number, photo) if len(photos) > 1 else ""
        found.append({"url": url, **size, "name": name, "cards": seen, "backs": backs})
    return found


def _photo_name(number: int, photo: Photo) -> str:
    """What one of several photos is called, and in short why it does not belong to the others if it does not.

    >>> _photo_name(1, Photo("photo 2", 4, 3, "photo 2 does not join: no cards that it has in common lie alike"))
    'Photo 2 does not join.'
    """
    if photo.apart:
        return sentence(photo.apart.partition(":")[0])
    return f"Photo {number + 1}: the hand" if photo.is_hand else f"Photo {number + 1}"


def _colour(place: Place) -> str:
    return "#{:02x}{:02x}{:02x}".format(*place_colour(place))


def likely(card: ReadCard) -> list[str]:
    """What a card that was read may be, the likeliest first."""
    return [str(other) for other, _ in card.alternatives[:LIKELY]]
