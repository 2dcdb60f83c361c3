"""What a person puts right stays right when further photos of the table are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver import parse
from solver.cards import parse_card
from solver.place import NOWHERE, Place
from vision.framing import Frame
from vision.read_card import Photo, ReadCard, Sight
from vision.reading import Reading
from webapp import edits
from webapp.corrections import carry_corrections, find_corrections, read_again
from webapp.photo_session import PhotoSession

Json = dict[str, Any]
ONE = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 6S"
BOTH = "makiaveli floor: QC QD QH | 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 6S"
FOUND = "klondike columns: ?? [2C] | ?? ?? [7C] | - | - | - | - | -; stock: ?? ?? ?? ?? ?? ?? ??; waste: 3C"

SIZE = (4000, 400)
"""Width and height of the photo that `shot` makes, px."""


def shot(
    line: str, photos: tuple[bytes, ...] = (b"left",), shown: dict[str, tuple[int, ...]] | None = None
) -> PhotoSession:
    """A reading of a table; each card lies in a place of its own, the same in every reading.

    Args:
        line: The table.
        photos: The photos' files.
        shown: The photos that show a zone, by its beginning; by default all the first one.
    """
    cards: list[ReadCard] = []
    lying: Counter[str] = Counter()
    for name, zone in zones(parse(line).to_json()):
        lying[name] += 1
        seen = next((by for start, by in (shown or {}).items() if zone.startswith(start)), (0,))
        x, y = 60.0 * "A23456789TJQK".index(name[0]) + 1000 * lying[name], 90.0 * "CDHS".index(name[1])
        quad = ((x, y), (x + 50, y), (x + 50, y + 70), (x, y + 70))
        sights = tuple(Sight(photo, quad) for photo in seen)
        cards.append(ReadCard(parse_card(name), 1.0, (), Place.parse(zone), sights))
    read = tuple(Photo(f"photo {number}", *SIZE) for number in range(1, len(photos) + 1))
    return PhotoSession(photos, Reading(read, line.split()[0], 1.0, tuple(cards), (), parse(line)))


def with_cards(made: PhotoSession, cards: Iterable[ReadCard]) -> PhotoSession:
    return replace(made, reading=replace(made.reading, cards=tuple(cards)))


def zones(table: Json) -> list[tuple[str, str]]:
    lists = [(f"floor/{n}", meld) for n, meld in enumerate(table.get("floor", ()))]
    lists += [(f"cross/{n}", [card]) for n, card in enumerate(table.get("cross", ())) if card]
    lists += [(f"column/{n}", column["up"]) for n, column in enumerate(table.get("columns", ()))]
    lists += [(name, table.get(name, ())) for name in ("hand", "waste")]
    return [(card, zone) for zone, cards in lists for card in cards]


def put_right(table: Json, *changes: Any) -> Json:
    for change in changes:
        table = change(table)
    return table


def kept(
    table: Json, after: PhotoSession, before: PhotoSession, checked: frozenset[int] = frozenset()
) -> tuple[Json, Any]:
    assert after.line is not None
    found = carry_corrections(after.line, before.line, table, checked, before, after)
    return parse(found.line).to_json(), found


def test_a_card_is_the_same_where_it_lies_in_the_same_place_of_the_same_photo() -> None:
    before, after = shot(ONE), shot(BOTH, (b"right", b"left"), {"floor/0": (0,), "": (1, 0)})
    names = {number: card.text for number, card in enumerate(after.reading.cards)}
    same = read_again(before, after).same_cards()
    assert {before.reading.cards[n].text: names[m] for n, m in same.items()} == {
        card: card for card, _ in zones(parse(ONE).to_json())
    }
    assert not read_again(before, shot(BOTH, (b"other",))).same_cards()


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ((lambda t: edits.change(t, "hand/2", "5S"),), BOTH.replace("6S", "5S")),
        ((lambda t: edits.remove(t, "hand/2"),), BOTH.replace(" 6S", "")),
        ((lambda t: edits.remove(t, "floor/0/2"), lambda t: edits.remove(t, "floor/0/1")), BOTH.replace("7D 7H ", "")),
        ((lambda t: edits.add(t, "floor/0", "7S"),), BOTH.replace("7H", "7H 7S")),
        (
            (lambda t: edits.move(t, "hand/2", "floor/1"),),
            BOTH.replace(" 6S", "").replace("JS", "JS 6S"),
        ),
        (
            (lambda t: edits.move(t, "cross/0", "hand"),),
            BOTH.replace("2S -", "- -").replace("6S", "6S 2S"),
        ),
        (
            (
                lambda t: edits.move(t, "hand/0", "floor/*"),
                lambda t: edits.move(t, "hand/0", "floor/2"),
            ),
            BOTH.replace("JS;", "JS | 3S 4S;").replace("hand: 3S 4S 6S", "hand: 6S"),
        ),
        (
            (lambda t: edits.move(t, "hand/2", "cross/2"),),
            BOTH.replace(" 6S", "").replace("- - -", "- 6S -"),
        ),
        ((lambda t: t,), BOTH),
    ],
    ids=[
        "changed",
        "no card",
        "two gone",
        "added",
        "to a meld",
        "from the cross",
        "a new meld",
        "to the cross",
        "none",
    ],
)
def test_what_was_put_right_stays_so_on_the_table_of_more_photos(changes: Any, wanted: str) -> None:
    before = shot(ONE)
    after = shot(BOTH, (b"left", b"right"), {"floor/0": (1,), "floor/1": (1, 0), "": (0,)})
    table, found = kept(put_right(parse(ONE).to_json(), *changes), after, before)
    right = parse(wanted.replace("7C | 9S", "7C| 9S")).to_json()
    assert sorted(map(sorted, table["floor"])) == sorted(map(sorted, right["floor"]))
    assert (table["cross"], sorted(table["hand"])) == (right["cross"], sorted(right["hand"]))
    assert not found.lost


def test_a_card_that_was_looked_at_stays_what_it_is_and_need_not_be_looked_at_again() -> None:
    before = shot(ONE)
    misread = BOTH.replace("6S", "8S")  # the second photo speaks for another card
    after = shot(misread, (b"left", b"right"), {"floor/0": (1,), "": (0, 1)})
    cards = list(after.reading.cards)
    number = next(n for n, card in enumerate(cards) if card.text == "8S")
    asked = next(n for n, card in enumerate(before.reading.cards) if card.text == "6S")
    cards[number] = replace(cards[number], sights=before.reading.cards[asked].sights)
    after = with_cards(after, cards)
    table, found = kept(parse(ONE).to_json(), after, before, frozenset({asked}))
    assert table["hand"] == ["3S", "4S", "6S"]
    assert found.checked == {number}


def test_a_card_written_by_hand_that_a_further_photo_shows_lies_there_once() -> None:
    before = shot("makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand:")
    table = parse(before.line or "").to_json() | {"hand": ["3S", "4S", "5H"]}
    after = shot(ONE, (b"left", b"hand"), {"hand": (1,)})
    now, found = kept(table, after, before)
    assert sorted(now["hand"]) == ["3S", "4S", "5H", "6S"]
    assert not found.lost


def test_a_card_that_was_put_between_others_lies_there_in_a_further_reading_too() -> None:
    line = "klondike columns: [8D 4H] | - | - | - | - | - | -"
    nowhere = ReadCard(parse_card("8S"), 0.5, (), NOWHERE)
    heights = (20.0, 100.0, 60.0)
    sights = [Sight(0, ((0.0, y), (50.0, y), (50.0, y + 70), (0.0, y + 70))) for y in heights]
    cards = [*shot(line).reading.cards, nowhere]
    cards = [replace(card, sights=(sight,)) for card, sight in zip(cards, sights, strict=True)]
    before, after = (with_cards(shot(line, photos), cards) for photos in ((b"left",), (b"left", b"right")))
    now, found = kept(parse("klondike columns: [8D 8S 4H] | - | - | - | - | - | -").to_json(), after, before)
    assert now["columns"][0]["up"] == ["8D", "8S", "4H"]
    assert not found.lost


def test_a_correction_whose_card_is_no_longer_there_is_named() -> None:
    before = shot(ONE)
    now, found = kept(edits.change(parse(ONE).to_json(), "hand/2", "5S"), shot(BOTH, (b"another",)), before)
    assert now == parse(BOTH).to_json()
    assert found.lost == ("5S",)


def test_cards_face_down_that_were_counted_stay_so() -> None:
    before = shot(FOUND)
    after = shot(FOUND, (b"left", b"right"), {"": (0, 1)})
    table, _ = kept(edits.change_hidden(parse(FOUND).to_json(), "columns/1/down", 1), after, before)
    assert [len(column["down"]) for column in table["columns"]][:2] == [1, 3]


def test_a_table_as_it_was_read_has_no_corrections() -> None:
    for line in (ONE, BOTH, FOUND):
        made = shot(line)
        found = find_corrections(made.reading.cards, made.line, parse(line).to_json())
        assert (dict(found.cards), found.moved, found.added, dict(found.counts)) == ({}, frozenset(), (), {})


def reframed(made: PhotoSession, frame: Frame, size: tuple[int, int]) -> PhotoSession:
    """The same cards as the photo shows them that was cut or turned: those in view, counted from the other end."""
    cards = []
    for card in reversed(made.reading.cards):
        quad = frame.placed(np.array(card.quad), SIZE, size)
        if ((quad.mean(0) >= 0) & (quad.mean(0) < size)).all():
            cards.append(replace(card, sights=(Sight(0, quad.tolist()),)))
    made = replace(made, photos=(b"made anew",))
    reading = replace(made.reading, photos=(Photo("made anew", *size),), cards=tuple(cards))
    return replace(made, reading=reading)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_photo_that_is_turned_loses_no_correction(turn: int) -> None:
    before = shot(ONE)
    frame = Frame(0, turn=turn)
    after = reframed(before, frame, SIZE if turn == 180 else SIZE[::-1])
    table = put_right(
        parse(ONE).to_json(),
        lambda t: edits.change(t, "hand/2", "5S"),
        lambda t: edits.move(t, "cross/0", "hand"),
    )
    assert before.line is not None
    found = carry_corrections(before.line, before.line, table, frozenset({0}), before, after, frame)
    now = parse(found.line).to_json()
    assert sorted(now["hand"]) == ["2S", "3S", "4S", "5S"]
    assert not found.lost
    assert {after.reading.cards[number].text for number in found.checked} == {"7C", "6S"}


def test_a_part_of_a_photo_keeps_the_corrections_of_the_cards_in_it() -> None:
    before = shot(ONE)
    frame = Frame(0, (0.0, 0.0, 0.5, 1.0))  # each suit of a rank lies farther right
    after = reframed(before, frame, (SIZE[0] // 2, SIZE[1]))
    left = {card.text for card in after.reading.cards}
    assert "6S" in left
    cut = "makiaveli floor: 7C 7D 7H | 9S TS JS; hand: 3S 4S 6S"
    table = edits.change(parse(ONE).to_json(), "hand/2", "5S")
    found = carry_corrections(cut, before.line, table, frozenset(), before, after, frame)
    assert sorted(parse(found.line).to_json()["hand"]) == ["3S", "4S", "5S"]
    assert not found.lost
    gone = Frame(0, (0.0, 0.0, 1.0, 0.2))
    nothing = reframed(before, gone, (SIZE[0], SIZE[1] // 5))
    assert "6S" not in {card.text for card in nothing.reading.cards}
    assert not carry_corrections(cut, before.line, table, frozenset(), before, nothing, gone).lost, (
        "it was cut off on purpose"
    )


def test_of_a_table_that_is_read_as_another_game_each_card_stays_what_it_was_put_right_to() -> None:
    before = shot(ONE)
    other = "klondike columns: [6S] | [4S] | [3S] | [7C] | [7D] | [7H] | [9S]; waste: TS JS 2S"
    after = shot(other)
    where = {card.text: card.sights for card in before.reading.cards}
    after = with_cards(after, (replace(card, sights=where[card.text]) for card in after.reading.cards))
    found = carry_corrections(
        other, before.line, edits.change(parse(ONE).to_json(), "hand/2", "5S"), frozenset(), before, after
    )
    assert parse(found.line).to_json()["columns"][0]["up"] == ["5S"]
