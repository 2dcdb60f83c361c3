"""What the board tells, by name, and what each of it changes in a visit."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any, Final

from drawing.boards import Zone, board
from plumbing.errors import CardsError, NotationError
from solver import parse
from solver.cards import cards_text, parse_cards
from solver.games import GAMES, find_game
from webapp import edits, rules, sample_photos, state
from webapp.board import Hear
from webapp.edits import Json, Target
from webapp.games.game import page_of
from webapp.pipeline import Frame, Shot, reframed
from webapp.visit import Settled, Visit, Wanted, with_rules
from webapp.wording import describe_error, pointer

MOST_PHOTOS: Final = 8
"""Photos that are taken at a time; too many of one table are refused when they are read."""
MOST_BYTES: Final = 30_000_000
"""Size of a photo that is taken."""
MOST_FRAMES: Final = 20
"""Cuts and turns of photos that a browser may bring along."""
LEAST_SHARE: Final = 0.02
"""Share of a photo's side that a part of it has at the least."""
Files = tuple[tuple[str, bytes], ...]


def table_events(visit: Visit) -> Mapping[str, Hear]:
    """What the events of the table's view call."""

    def set_card(event: Json) -> None:
        place, card = event["place"], _card(event["card"])
        was = event.get("was") or None
        _checked(visit, event)
        visit.edit(lambda now: edits.change(_still(now, place, was), place, card))

    def add(event: Json) -> None:
        path, card = event["path"], _card(event["card"])
        visit.edit(lambda now: edits.add(now, _target(now, path), card))

    def remove(event: Json) -> None:
        place, was = event["place"], event["was"]
        _checked(visit, event)
        visit.edit(lambda now: edits.remove(edits.still(now, place, was), place, slot=_is_slot(now, place)))

    def move(event: Json) -> None:
        place, to, was = event["place"], event["to"], event["was"]
        visit.edit(
            lambda now: edits.move(edits.still(now, place, was), place, _target(now, to), slot=_is_slot(now, place))
        )

    def put(event: Json) -> None:
        number, to = int(event["number"]), event["to"]
        card = str(_shot(visit).reading["cards"][number]["card"])
        visit.check(number)
        visit.edit(lambda now: edits.add(now, _target(now, to), card))

    def raised(event: Json) -> None:
        path, by = event["path"], int(event["by"])
        visit.edit(lambda now: edits.step(now, path, by, _zone(now, path).most))

    def line(event: Json) -> None:
        put_line(visit, event["text"])

    def hand(event: Json) -> None:
        try:
            cards = [str(card) for card in parse_cards(str(event["text"])[: state.MAX_TEXT])]
        except NotationError as error:
            visit.notice = f"The hand: {describe_error(error)}"
            return
        visit.edit(lambda now: now | {"hand": [*now["hand"], *cards]} if "hand" in now else now)

    def stop(event: Json) -> None:
        if visit.search is not None:
            visit.search.job.stop()

    def check(event: Json) -> None:
        visit.check(int(event["number"]))

    def by_hand(event: Json) -> None:
        if event["game"] in GAMES:
            visit.put(str(parse(event["game"])))
            visit.vouch()  # it is no reading of the photo

    return {
        "set_card": set_card,
        "add": add,
        "remove": remove,
        "move": move,
        "put": put,
        "raise": raised,
        "bury": lambda event: visit.edit(lambda now: edits.bury(now, event["path"], int(event["by"]))),
        "check": check,
        "seen": lambda event: visit.look_at(str(event["id"])),
        "vouch": lambda event: visit.vouch(),
        "undo": lambda event: visit.undo(),
        "reread": lambda event: visit.reread(),
        "rule": lambda event: rules.choose(visit, event["key"], event.get("value")),
        "agreed": lambda event: _agreed(visit, event["rules"]),
        "line": line,
        "hand": hand,
        "longer": lambda event: visit.search_anew(min(300.0, max(0.1, float(event["seconds"])))),
        "stop": stop,
        "by_hand": by_hand,
        "new": lambda event: visit.clear(),
        **photo_events(visit),
    }


def start_events(visit: Visit) -> Mapping[str, Hear]:
    """What the events of the start call."""

    def begin(event: Json) -> None:
        if event["game"] in GAMES:
            visit.begin(str(parse(event["game"])))

    def deal(event: Json) -> None:
        if event["game"] in GAMES:
            made = find_game(event["game"]).solver.random_deal(state.fresh_seed())
            page = page_of(event["game"])
            visit.begin(with_rules(str(made), page.presets.get(page.dealt_preset)))

    def line(event: Json) -> None:
        try:
            visit.begin(state.read_line(event["text"]))
        except CardsError as error:
            visit.refusal = ("This is no table.", describe_error(error))

    return {
        "begin": begin,
        "deal": deal,
        "line": line,
        "agreed": lambda event: _agreed(visit, event["rules"]),
        **photo_events(visit),
    }


def photo_events(visit: Visit) -> Mapping[str, Hear]:
    """What brings photos, or has those that are there read otherwise."""

    def photo(event: Json) -> None:
        files = tuple(_file(file) for file in event["files"][:MOST_PHOTOS])
        purpose, shot = event["purpose"], visit.shot
        if purpose == "hand" and shot is not None:
            visit.want(
                Wanted(_named(shot.photos), _game_with_hand(visit), files[0][1], carries=True, frames=shot.frames)
            )
        elif purpose == "more" and shot is not None:
            game = str(shot.reading.get("game") or "auto")
            more = (*_named(shot.photos), *files)
            visit.want(Wanted(more, game, shot.hand, carries=True, frames=shot.frames))
        elif purpose == "again":
            hand = event.get("hand")
            second = _file(hand)[1] if hand else None
            frames = tuple(_frame(frame) for frame in (event.get("frames") or ())[:MOST_FRAMES])
            for frame in frames:
                files, second = _reframed(files, second, frame)
            read_as = str(event.get("game")) if event.get("game") in GAMES else "auto"
            keeps = visit.line or _known_line(event.get("line"))
            settled = _settled(event.get("settled") or {})
            visit.want(Wanted(files, read_as, second, keeps=keeps, frames=frames, settled=settled))
        else:
            visit.want(Wanted(files))

    def again(event: Json) -> None:
        shot, frame = _shot(visit), _frame(event)
        try:
            files, hand = _reframed(_named(shot.photos), shot.hand, frame)
        except CardsError as error:
            visit.notice = describe_error(error)
            return
        frames = frame.after(shot.frames)
        visit.want(Wanted(files, shot.asked, hand, carries=True, frame=frame, frames=frames))

    def this_is(event: Json) -> None:
        shot = _shot(visit)
        if event["game"] in GAMES:
            visit.want(Wanted(_named(shot.photos), event["game"], shot.hand, carries=True, frames=shot.frames))

    def sample(event: Json) -> None:
        path = next(path for path in sample_photos.paths() if path.stem == event["sample"])
        files: Files = ((path.name, path.read_bytes()),)
        game = sample_photos.game(path) or "auto"
        if not event.get("keeps"):
            visit.want(Wanted(files, game))
            return
        frames = tuple(_frame(frame) for frame in (event.get("frames") or ())[:MOST_FRAMES])
        for frame in frames:
            files, _ = _reframed(files, None, frame)
        read_as = event["game"] if event.get("game") in GAMES else game
        keeps = visit.line or _known_line(event.get("line"))
        settled = _settled(event.get("settled") or {})
        visit.want(Wanted(files, read_as, keeps=keeps, frames=frames, settled=settled))

    return {
        "photo": photo,
        "again": again,
        "this_is": this_is,
        "sample": sample,
        "forget": lambda event: visit.forget(),
    }


def put_line(visit: Visit, text: str) -> None:
    """Makes a line of text the table; what is wrong with it is kept, to be put right."""
    visit.fault = None
    try:
        visit.put(state.read_line(text))
    except NotationError as error:
        visit.fault = (text, describe_error(error), pointer(error))
    except CardsError as error:
        visit.fault = (text[: state.MAX_TEXT], describe_error(error), "")


def _game_with_hand(visit: Visit) -> str:
    """The game to read a photo as that is sent together with one of the hand: such as was read, or lies there."""
    position = visit.position()
    near = (visit.shot and visit.shot.reading.get("game"), position and position.game)
    games = [game.word for game in GAMES.values() if game.takes_hand]
    return next((str(game) for game in near if game in games), games[0])


def _shot(visit: Visit) -> Shot:
    """The photo that lies there. Raises KeyError where a tap before has put it away."""
    if visit.shot is None:
        raise KeyError("photo")
    return visit.shot


def _file(sent: Json) -> tuple[str, bytes]:
    data = b64decode(sent["data"], validate=True)
    if len(data) > MOST_BYTES:
        raise ValueError("too large")
    return str(sent.get("name") or "photo")[:200], data


def _named(photos: tuple[bytes, ...]) -> tuple[tuple[str, bytes], ...]:
    return tuple((f"photo {number}", data) for number, data in enumerate(photos, 1))


def _frame(sent: Json) -> Frame:
    rect = sent.get("rect")
    if rect is not None:
        left, top, right, bottom = (min(1.0, max(0.0, float(share))) for share in rect[:4])
        if right - left < LEAST_SHARE or bottom - top < LEAST_SHARE:
            raise ValueError("too small a part")
        rect = (left, top, right, bottom)
    return Frame(int(sent.get("photo") or 0), rect, int(sent.get("turn") or 0))


def _reframed(files: Files, hand: bytes | None, frame: Frame) -> tuple[Files, bytes | None]:
    """The files with one of them cut or turned; the hand's photo comes after all others."""
    if frame.photo == len(files) and hand is not None:
        return files, reframed(hand, frame)
    made = list(files)
    name, data = made[frame.photo]
    made[frame.photo] = (name, reframed(data, frame))
    return tuple(made), hand


def _known_line(sent: object) -> str | None:
    """The table of a photo that the browser kept, None where there is none."""
    try:
        return None if sent is None else state.read_line(str(sent))
    except CardsError:
        return None


def _settled(sent: Json) -> Settled:
    checked = frozenset(int(number) for number in sent.get("checked") or ())
    seen = frozenset(str(text)[:500] for text in (sent.get("seen") or ())[:50])
    return Settled(int(sent.get("reading") or 0), checked, seen, bool(sent.get("vouched")))


def _agreed(visit: Visit, sent: Any) -> None:
    """Takes the rules that the browser kept from before; none that were chosen since."""
    for game, held in sent.items():
        if game not in GAMES or game in visit.agreed:
            continue
        try:
            with_rules(game, held)
        except CardsError:
            continue
        if visit.shot is not None and visit.line is not None and visit.line.startswith(game) and not visit.past:
            visit.agree(game, held)
        else:
            visit.agreed = {**visit.agreed, game: dict(held)}


def _checked(visit: Visit, event: Json) -> None:
    if event.get("number") is not None:
        visit.check(int(event["number"]))


def _card(sent: object) -> str:
    """A card that a browser sends, as the solver writes it. Raises ValueError."""
    text = str(sent)
    return text if text == edits.HIDDEN else cards_text(parse_cards(text)[:1])


def _still(table: Json, place: str, was: str | None) -> Json:
    """The table, where a place still holds what it held when it was tapped."""
    return table if was is None else edits.still(table, place, was)


def _zone(table: Json, path: str) -> Zone:
    found = next((zone for zone in board(table).zones() if zone.path == path and zone.kind != "fixed"), None)
    if found is None:
        raise KeyError(path)
    return found


def _target(table: Json, path: str) -> Target:
    if path.endswith(f"/{edits.NEW}"):
        return Target(path)
    return Target(path, "slot" if _zone(table, path).kind == "slot" else "list")


def _is_slot(table: Json, place: str) -> bool:
    zone = board(table).zone_of(place)
    return zone is not None and zone.kind == "slot"
