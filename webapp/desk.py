"""The table on the page and everything that changes it: the board, the doubtful cards, the card grid, the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from solver.answer import position_from_json
from solver.cards import card_text
from solver.errors import CardsError, NotationError
from webapp import edits, state
from webapp.boards import DECKS, Board, Zone, board, path_zone
from webapp.boxes import box
from webapp.component import Button, buttons, pickable, small_picture
from webapp.drawing import board_html, card_grid_html
from webapp.edits import Json, Target
from webapp.faces import BACK, EMPTY, Mark, pretty, spoken
from webapp.pipeline import Shot
from webapp.visit import Visit
from webapp.words import kind, pointer


def show(visit: Visit, table: Json, marks: dict[str, Mark]) -> None:
    """The board with the panel for the card that is picked."""
    drawn = board(table)
    chosen = visit.picked
    if chosen is not None and drawn.card_at(chosen) is None and edits.target_of(chosen) is None:
        visit.pick(None)
        chosen = None
    if chosen is not None:
        marks = marks | {chosen: "selected"}
    adding = bool(st.session_state.get("adding"))
    html = board_html(drawn, marks, pickable=True, adding=adding, photo=visit.shot is not None)
    pickable(html, key="board", on_pick=visit.pick)
    _tools(visit)
    if chosen is not None:
        with st.container(border=True, key="panel"):
            _panel(visit, table, drawn, chosen)
    elif not visit.is_laid():
        st.info(
            "Tap a + and then a card; an empty place can be tapped too. *Add cards* shows and hides the +.",
            icon=":material/touch_app:",
        )


def _tools(visit: Visit) -> None:
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.toggle("Add cards", key="adding", help="Shows a + wherever a card can be put")
    undo = Button("undo", "Undo", "undo", off=not visit.past)
    buttons(row, [undo], key="tools", on_press=lambda name: visit.undo())
    if visit.shot is not None:
        row.button(
            "Back to the reading",
            icon=":material/restart_alt:",
            disabled=not visit.changed(),
            on_click=visit.reread,
            key="reread",
        )


def _panel(visit: Visit, table: Json, drawn: Board, chosen: str) -> None:
    """What can be done with the card or the place that is picked."""
    zone = drawn.zone_of(chosen)
    card = drawn.card_at(chosen) or EMPTY
    if zone is not None and zone.kind == "height":
        _foundation_panel(visit, zone)
        return
    target = edits.target_of(chosen)
    if target is not None:
        st.markdown(f"**Add a card: {_zone_title(drawn, target)}**")
    elif card == EMPTY:
        st.markdown(f"**Put a card here: {zone.title if zone else ''}**")
    else:
        words = f"**{spoken(card).capitalize()}**, {zone.title if zone else ''}. Tap the right card to change it."
        crop = _crop(visit.shot, zone, card)
        if crop is None:
            st.markdown(words)
        else:
            row = st.container(horizontal=True, vertical_alignment="center", gap="small")
            small_picture(row, crop, 96, "how this card looks in the photo")
            row.markdown(words)

    def choose(new: str) -> None:
        if target is None:
            visit.edit(lambda now: edits.change(now, chosen, new))
        else:
            put_on(visit, target, new)

    if zone is not None and zone.under:
        _buried(visit, table, zone)
    used = _used(table)
    pickable(card_grid_html(used, DECKS[drawn.game], unknown=drawn.game != "makiaveli"), key="grid", on_pick=choose)
    row = st.container(horizontal=True, gap="small")
    if card != EMPTY and zone is not None:
        slot = zone.kind == "slot"
        row.button(
            "Remove",
            icon=":material/delete:",
            key="remove",
            on_click=lambda: visit.edit(lambda now: edits.remove(edits.still(now, chosen, card), chosen, slot=slot)),
        )
        others = targets(drawn, zone)
        if others:
            target_box(
                row,
                "Move to",
                others,
                key=f"move_{chosen}",
                on_target=lambda target: visit.edit(lambda now: edits.move(now, chosen, target, slot=slot)),
            )
    row.button("Close", key="close", type="tertiary", on_click=visit.pick, args=(None,))


def target_box(
    where: DeltaGenerator,
    label: str,
    others: Sequence[tuple[str, Target]],
    *,
    key: str,
    on_target: Callable[[Target], None],
) -> None:
    """A box to choose where a card is put; empty again once it is put there."""
    names = {target.path: name for name, target in others}
    kinds = {target.path: target for _, target in others}
    shown = box(key, None)

    def changed() -> None:
        path = shown.entered()
        if path in kinds:
            on_target(kinds[path])

    where.selectbox(
        label,
        list(names),
        index=None,
        placeholder=f"{label} ...",
        format_func=names.__getitem__,
        key=shown.key,
        label_visibility="collapsed",
        width=190,
        on_change=changed,
    )


def put_on(visit: Visit, target: Target, card: str) -> None:
    """Adds a card; after one that began a new meld the next one joins it."""
    head, _, last = target.path.rpartition("/")

    def next_place(table: Json) -> str | None:
        return f"{head}/{len(edits.at(table, head)) - 1}/{edits.MORE}" if last == edits.NEW else visit.picked

    visit.edit(lambda now: edits.add(now, target, card), next_place)


def _buried(visit: Visit, table: Json, zone: Zone) -> None:
    """How many cards lie face down at the bottom of a pile, to be put right; photos show it worst."""
    hidden = edits.at(table, zone.under).count(BACK)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.markdown(f"Face down here: {hidden}", width="content")
    words = "The stock gives the card or takes it."
    less, more = Button("-1", "Less", "remove", off=not hidden, help=words), Button("1", "More", "add", help=words)
    buttons(row, [less, more], key="bury", on_press=lambda by: _bury(visit, zone.under, int(by)))


def _bury(visit: Visit, path: str, by: int) -> None:
    """Changes the face-down cards of a pile and keeps the pile picked, whose cards are numbered anew."""

    def same_card(table: Json) -> str | None:
        head, _, number = (visit.picked or "").rpartition("/")
        return f"{head}/{max(0, int(number) + by)}" if head == path and number.isdigit() else visit.picked

    visit.edit(lambda now: edits.bury(now, path, by), same_card)


def _crop(shot: Shot | None, zone: Zone | None, card: str) -> bytes | None:
    """The part of the photo that a card was read from, if it was."""
    if shot is None or zone is None:
        return None
    own = [
        number
        for number, seen in enumerate(shot.reading["cards"])
        if seen["card"] == card and seen["zone"] == path_zone(zone.path) and number in shot.crops
    ]
    return shot.crops[own[0]] if own else None


def _zone_title(drawn: Board, target: Target) -> str:
    return next(
        (zone.title for zone in drawn.zones() if zone.path == target.path and zone.kind == "list"), "a new meld"
    )


def _foundation_panel(visit: Visit, zone: Zone) -> None:
    st.markdown(f"**{zone.title.capitalize()}**")
    row = st.container(horizontal=True, gap="small")

    def step(by: str) -> None:
        visit.edit(lambda now: edits.step(now, zone.path, int(by), zone.most), lambda table: visit.picked)

    less, more = Button("-1", "One card less", "remove"), Button("1", "One card more", "add")
    buttons(row, [less, more], key="height", on_press=step)
    row.button("Close", key="close", type="tertiary", on_click=visit.pick, args=(None,))


def targets(drawn: Board, source: Zone | None = None) -> list[tuple[str, Target]]:
    """Where a card could be put, by name; not where it comes from."""
    found: dict[str, tuple[str, Target]] = {}
    for section in drawn.sections:
        for zone in section.zones:
            if zone is None or zone.kind not in ("list", "slot") or (source and zone.path == source.path):
                continue
            if zone.kind == "slot" and zone.spots[0].card != EMPTY:
                continue
            cards = " ".join(pretty(spot.card) for spot in zone.spots if spot.card not in (EMPTY, BACK))
            name = f"{zone.title}: {cards}" if cards and section.grows else zone.title
            found.setdefault(zone.path, (name, Target(zone.path, "slot" if zone.kind == "slot" else "list")))
        if section.grows:
            found[section.grows] = ("a new meld", Target(section.grows))
    return list(found.values())


def _used(table: Json) -> Counter[str]:
    try:
        return Counter(card_text(card) for card in position_from_json(table).cards())
    except CardsError:
        return Counter()


def notation(visit: Visit) -> None:
    """The table as one line of text that can be edited."""
    # A text that cannot be read stays there to be put right.
    shown = box("notation", visit.line or "", keep=visit.fault is not None)

    def edited() -> None:
        text = shown.entered()
        if text is None:
            return
        visit.fault = None
        try:
            visit.put(state.read_line(text))
        except NotationError as error:
            visit.fault = (kind(error), pointer(error))
        except CardsError as error:
            visit.fault = (kind(error), "")

    st.text_area(
        "The table as a line of text",
        key=shown.key,
        on_change=edited,
        height=110,
        max_chars=state.MAX_TEXT,
        help="Cards are written 7C, TH or 10♥; piles from bottom to top; ?? is a face-down card.",
    )
    if visit.fault is not None:
        sentence, where = visit.fault
        st.error("The line cannot be read; the table above is unchanged.", icon=":material/edit_off:")
        st.code(f"{where}\n{sentence}" if where else sentence, language=None, wrap_lines=True)
