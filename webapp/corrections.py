"""What a person has corrected in a reading, and how corrections survive when the photos are read again.

Pure functions. A correction belongs to a card in a photo. If the photo is read again (with more photos, turned, cropped
or as another game), its cards get other numbers and zones, but they are still at the same places in the photo. These
places show which card each correction belongs to.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from drawing.boards import Board, Zone, board
from drawing.card_names import BACK, EMPTY
from plumbing.errors import CardsError
from solver import parse
from solver.games import find_game, position_from_json
from solver.place import Place
from vision.framing import Frame
from vision.read_again import ReadAgain
from vision.read_card import ReadCard, Sight
from webapp import edits
from webapp.board_json import match_cards
from webapp.jobs import Json
from webapp.photo_session import PhotoSession


@dataclass(frozen=True, slots=True)
class Corrections:
    """How a table differs from its reading.

    Attributes:
        cards: Number of each card of the reading that is another one, and which; None where there is no card.
        zones: The path of the zone in which each card lies by now.
        moved: Numbers of the cards that lie in another zone than they were read in.
        added: Path of a zone, and a card in it that was not read.
        counts: Path of each list of face-down cards and of each counted foundation that was corrected, and its count.
        confirmed: What the cards are that a person has looked at.
    """

    cards: Mapping[int, str | None]
    zones: Mapping[int, str]
    moved: frozenset[int] = frozenset()
    added: tuple[tuple[str, str], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    confirmed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Carried:
    """A table that was read again, with the corrections made before.

    Attributes:
        line: The table.
        checked: Numbers of the cards in the new reading that need not be looked at again.
        lost: The corrected cards for which there is no place any more.
    """

    line: str
    checked: frozenset[int] = frozenset()
    lost: tuple[str, ...] = ()


def find_corrections(
    cards: Sequence[ReadCard], as_read: str | None, table: Json, checked: frozenset[int] = frozenset()
) -> Corrections:
    """What a person has corrected.

    Args:
        cards: The cards of the reading.
        as_read: The table as it was read, None where it was not.
        table: The table as it is now, as JSON.
        checked: Numbers of the cards that were looked at.
    """
    drawn = board(table)
    held = places_of_cards(drawn, cards, as_read)
    zones = _zone_paths(drawn, held)
    now = {number: drawn.card_at(place) for number, place in held.items()}
    others: dict[int, str | None] = {n: card for n, card in now.items() if card and card != cards[n].text}
    confirmed = {number: str(now[number]) for number in checked if now.get(number)}
    if as_read is None:
        return Corrections(others, zones, confirmed=confirmed)
    before = parse(as_read).to_json()
    first = board(before)
    read = match_cards(first, cards)
    read_counts = _counts(first, before)
    return Corrections(
        others | dict.fromkeys(read.keys() - held.keys()),
        zones,
        _moved(_zone_paths(first, read), zones, _growing(first)),
        _added(first, read, drawn, held),
        {path: count for path, count in _counts(drawn, table).items() if read_counts.get(path) != count},
        confirmed,
    )


def _zone_paths(drawn: Board, held: Mapping[int, str]) -> dict[int, str]:
    """The path of the zone in which each card lies, by its number, from its place."""
    found = {number: drawn.zone_of(place) for number, place in held.items()}
    return {number: zone.path for number, zone in found.items() if zone is not None}


def _moved(stood: Mapping[int, str], zones: Mapping[int, str], grows: tuple[str, ...]) -> frozenset[int]:
    """Numbers of the cards that lie in another zone than they were read in."""
    kept = _paired(stood, zones, grows)
    return frozenset(n for n, path in zones.items() if n not in stood or kept.get(stood[n]) != path)


def _added(first: Board, read: Mapping[int, str], drawn: Board, held: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    """The zones' paths and the cards that a person has added to a board.

    Args:
        first: The board as it was read.
        read: The places on it of the reading's cards.
        drawn: The board as it is now.
        held: The places on it of the reading's cards.
    """
    inferred = Counter((Place.of_path(path), card) for path, card in _unread(first, read))
    new = []
    for path, card in _unread(drawn, held):
        if inferred[Place.of_path(path), card]:
            inferred[Place.of_path(path), card] -= 1  # it stood there from the first, though no photo shows it
        else:
            new.append((path, card))
    return tuple(new)


def _unread(drawn: Board, held: Mapping[int, str]) -> list[tuple[str, str]]:
    """The cards of a board that were not read, each with its zone's path."""
    taken = {"", *held.values()}
    # Of a pile that is drawn twice, as its top and spread out, a place may be a card's in one of the drawings.
    found = {
        spot.path: (zone.path, spot.card)
        for zone in _lists(drawn)
        for spot in zone.spots
        if spot.path not in taken and spot.card not in (EMPTY, BACK)
    }
    return list(found.values())


def places_of_cards(drawn: Board, cards: Sequence[ReadCard], as_read: str | None) -> dict[int, str]:
    """Which place of a board each card of a reading is, by its number; `as_read` is the table as it was read."""
    read = None if as_read is None else match_cards(board(parse(as_read).to_json()), cards)
    return match_cards(drawn, cards, read)


def place_in_list(
    path: str, sights: Sequence[Sight], drawn: Board, cards: Sequence[ReadCard], held: Mapping[int, str]
) -> str | None:
    """The place that a card takes in a list, as a photo shows it in line with the others there; None where none does.

    Nor is it told of melds and hands, where no order counts.

    Args:
        path: The path of the list.
        sights: Where photos show the card.
        drawn: The board.
        cards: The cards of the reading.
        held: The places on the board of those that lie there.
    """
    zone = next((zone for zone in _lists(drawn) if zone.path == path and zone.kind == "list"), None)
    if zone is None or find_game(drawn.game).takes_hand:
        return None
    for sight in sights:
        rows: dict[str, list[tuple[int, complex]]] = {}
        for number, place in held.items():
            there = cards[number].sight_in(sight.photo)
            if there is not None:
                rows.setdefault(place.rpartition("/")[0], []).append((edits.number_in_list(place), there.middle))
        own = sorted(rows.get(path, ()))
        if not own:
            continue
        alike = [own]
        if len(own) == 1 and zone.fan == "down":  # columns all grow the same way
            alike = [sorted(row) for to, row in rows.items() if Place.of_path(to).kind == zone.place.kind]
        way = sum((row[-1][1] - row[0][1] for row in alike), 0j)
        if not way:
            continue
        (x1, y1), (x2, y2), *_ = sight.quad
        shifts = [(middle - sight.middle) * way.conjugate() / abs(way) for _, middle in own]
        along, off = [shift.real for shift in shifts], min(abs(shift.imag) for shift in shifts)
        if along == sorted(along) and off < math.hypot(x2 - x1, y2 - y1) / 2:  # they lie in one row, and it in that
            after = (at for (at, _), shift in zip(own, along, strict=True) if shift > 0)
            return f"{path}/{next(after, own[-1][0] + 1)}"
    return None


def places_now(corrections: Corrections) -> dict[int, Place]:
    """Where the cards of a reading lie by now, by their numbers."""
    return {number: Place.of_path(path) for number, path in corrections.zones.items()}


def read_again(before: PhotoSession, after: PhotoSession, frame: Frame | None = None) -> ReadAgain:
    """Two readings of the same photos: a photo is the same where its file is, or where it was only cut or turned.

    Args:
        before: The reading before.
        after: The further reading.
        frame: Which photo was cut or turned in between, and how.
    """
    framed = () if frame is None else (frame.photo,)
    photos = [
        (number, number if number in framed else after.files.index(photo))
        for number, photo in enumerate(before.files)
        if number in framed or photo in after.files
    ]
    return ReadAgain(before.reading, after.reading, tuple(photos), frame)


def carry_corrections(
    line: str,
    as_read: str | None,
    table: Json,
    checked: frozenset[int],
    before: PhotoSession,
    after: PhotoSession,
    frame: Frame | None = None,
) -> Carried:
    """Applies the corrections of one reading to another reading of the same photos.

    If the table is read as another game, only the cards' names are kept: their places have another meaning there.

    Args:
        line: The table as it was read now.
        as_read: The table as it was read before.
        table: The corrected table of before, as JSON.
        checked: Numbers of the cards of before that were looked at.
        before: The reading before.
        after: The reading now.
        frame: Which photo was cut or turned in between, and how.
    """
    found = find_corrections(before.reading.cards, as_read, table, checked)
    fresh = parse(line).to_json()
    if fresh["game"] != table["game"]:
        named = {number: card for number, card in found.cards.items() if card is not None}
        found = Corrections(named, found.zones, confirmed=found.confirmed)
    again = read_again(before, after, frame)
    if frame is not None:
        found = _without(found, again.cut_off())
    try:
        whole, kept, lost = _apply_corrections(found, fresh, again)
        return Carried(str(position_from_json(whole)), kept, tuple(lost))
    except (CardsError, KeyError, IndexError):
        pass  # the corrections do not fit these photos
    return Carried(line, lost=tuple(card for card in found.cards.values() if card is not None))


def _without(corrections: Corrections, numbers: frozenset[int]) -> Corrections:
    """The corrections without those of some cards."""
    return replace(
        corrections,
        cards={number: card for number, card in corrections.cards.items() if number not in numbers},
        moved=corrections.moved - numbers,
        confirmed={number: card for number, card in corrections.confirmed.items() if number not in numbers},
    )


def _apply_corrections(
    corrections: Corrections, table: Json, again: ReadAgain
) -> tuple[Json, frozenset[int], list[str]]:
    """The corrected table, the numbers of the cards that were looked at, and the cards that have no place."""
    same = again.same_cards()
    drawn = board(table)
    held = match_cards(drawn, again.after.cards)
    zones = _same_zones(corrections, same, drawn, held)
    wanted: dict[int, str | None] = {**corrections.confirmed, **corrections.cards}
    for number in corrections.moved - wanted.keys():
        wanted[number] = again.before.cards[number].text
    emptied, fresh, lost = set[str](), list[tuple[str, str, Sequence[Sight]]](), list[str]()
    for number, card in sorted(wanted.items()):
        place = held.get(same.get(number, -1))
        if place is None:
            if card is None or (number not in corrections.cards and number not in corrections.moved):
                continue
            if number in same:
                fresh.append((corrections.zones[number], card, again.after.cards[same[number]].sights))
            else:
                lost.append(card)
        elif card is None:
            emptied.add(place)
        elif number in corrections.moved and zones.get(corrections.zones[number]) != _path(drawn, place):
            emptied.add(place)
            fresh.append((corrections.zones[number], card, again.after.cards[same[number]].sights))
        else:
            table = edits.change(table, place, card)
    added = _not_shown(corrections.added, zones, drawn, [held[n] for n in held.keys() - set(same.values())])
    fresh += [(path, card, ()) for path, card in added]
    for place in sorted(emptied, key=edits.number_in_list, reverse=True):  # the others keep their places
        table = edits.remove(table, place)
    for path, card, sights in fresh:
        grown = _put(table, path, card, zones, sights, again.after.cards)
        if grown is None:
            lost.append(card)
        table = grown or table
    looked_at = corrections.confirmed.keys() | corrections.cards.keys()
    return _with_counts(table, corrections, zones, drawn), frozenset(same[n] for n in looked_at if n in same), lost


def _not_shown(
    added: Sequence[tuple[str, str]], zones: Mapping[str, str], drawn: Board, seen: Sequence[str]
) -> list[tuple[str, str]]:
    """The cards that were added by hand and that no new photo shows at these places."""
    shown = Counter((_path(drawn, place), drawn.card_at(place)) for place in seen)
    left = []
    for path, card in added:
        if shown[zones.get(path), card]:
            shown[zones.get(path), card] -= 1
        else:
            left.append((path, card))
    return left


def _growing(drawn: Board) -> tuple[str, ...]:
    """Beginnings of the paths of zones that have no place of their own, as melds."""
    return tuple(section.grows.rstrip(edits.NEW) for section in drawn.sections if section.grows)


def _paired(stood: Mapping[int, str], zones: Mapping[int, str], grows: tuple[str, ...]) -> dict[str, str]:
    """The current zone of each earlier zone: for a meld the one that shares most cards with it, else the same."""
    votes = Counter((path, zones[number]) for number, path in stood.items() if number in zones)
    found: dict[str, str] = {}
    for (before, now), _ in votes.most_common():
        melds = [bool(grows) and path.startswith(grows) for path in (before, now)]
        if (all(melds) and before not in found and now not in found.values()) or (not any(melds) and before == now):
            found[before] = now
    return found


def _lists(drawn: Board) -> Iterator[Zone]:
    """The zones that hold cards, each path once."""
    seen = set[str]()
    for zone in drawn.zones():
        if zone.kind in ("list", "slot") and zone.path not in seen:
            seen.add(zone.path)
            yield zone


def _path(drawn: Board, place: str) -> str | None:
    zone = drawn.zone_of(place)
    return None if zone is None else zone.path


def _counts(drawn: Board, table: Json) -> dict[str, int]:
    """How many cards lie face down under each pile, and on each counted foundation."""
    found = {}
    for zone in drawn.zones():
        if zone.under:
            found[zone.under] = edits.count_hidden(table, zone.under)
        if zone.kind == "height":
            found[zone.path] = int(edits.value_at(table, zone.path))
    return found


def _same_zones(
    corrections: Corrections, same: Mapping[int, int], drawn: Board, held: Mapping[int, str]
) -> dict[str, str]:
    """The new zone of each earlier zone: for a meld the one with most of its cards, else the one with the same path."""
    votes: dict[str, Counter[str]] = {}
    for number, path in corrections.zones.items():
        place = held.get(same.get(number, -1))
        there = None if place is None else _path(drawn, place)
        if there is not None and number not in corrections.moved:
            votes.setdefault(path, Counter())[there] += 1
    found = {path: count.most_common(1)[0][0] for path, count in votes.items()}
    grows = _growing(drawn)
    for zone in drawn.zones():
        if not grows or not zone.path.startswith(grows):
            found.setdefault(zone.path, zone.path)
    return found


def _put(
    table: Json, path: str, card: str, zones: dict[str, str], sights: Sequence[Sight], cards: Sequence[ReadCard]
) -> Json | None:
    """The table with a card added to the zone of an earlier path, as `sights` show it; None if there is no room."""
    drawn = board(table)
    to = zones.get(path)
    if to is None:
        grown = next((s for s in drawn.sections if s.grows and path.startswith(s.grows.rstrip(edits.NEW))), None)
        if grown is None:
            return None
        zones[path] = f"{grown.grows.rstrip(edits.NEW)}{len(grown.zones)}"
        return edits.add(table, grown.grows, card)
    zone = next((zone for zone in _lists(drawn) if zone.path == to), None)
    if zone is None or (zone.kind == "slot" and zone.spots and zone.spots[0].card not in (EMPTY, card)):
        return None
    at = place_in_list(to, sights, drawn, cards, match_cards(drawn, cards))
    return edits.insert(table, at, card) if at is not None else edits.add(table, to, card)


def _with_counts(table: Json, corrections: Corrections, zones: Mapping[str, str], drawn: Board) -> Json:
    """The table with the corrected counts."""
    for path, count in corrections.counts.items():
        pile = zones.get(f"{path.removesuffix('down')}up") if path.endswith("/down") else path
        for zone in drawn.zones():
            if zone.under and zone.path == pile:
                table = edits.change_hidden(table, zone.under, count - edits.count_hidden(table, zone.under))
            elif zone.kind == "height" and zone.path == path:
                table = edits.change_height(table, path, count - int(edits.value_at(table, path)))
    return table
