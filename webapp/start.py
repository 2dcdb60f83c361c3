"""The start of a table: a photo, the camera, a sample, an empty table or a line of text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from solver.answer import GAMES, game_module, parse_position
from solver.errors import CardsError
from webapp import state
from webapp.boards import GAME_TITLES
from webapp.pipeline import read, thumbnail
from webapp.visit import Visit, with_rules
from webapp.words import kind, plain

WAYS: Final = {
    "photo": ":material/photo_library: Photo",
    "camera": ":material/photo_camera: Camera",
    "sample": ":material/collections: Sample",
    "hand": ":material/playing_cards: By hand",
    "line": ":material/keyboard: Text",
}
TYPES: Final = ("jpg", "jpeg", "png", "webp", "heic", "heif")
SAMPLES: Final = Path(__file__).with_name("samples")
"""A link to `datasets/samples`; in a wheel a folder of its own."""
EXAMPLE: Final = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - 9H -; hand: 3S 4S 5S"


def show(visit: Visit) -> None:
    """Asks how to begin and begins."""
    way = st.pills("Start with", list(WAYS), format_func=WAYS.__getitem__, default="photo", required=True, key="way")
    {"photo": _photo, "camera": _camera, "sample": _sample, "hand": _by_hand, "line": _line}[way or "photo"](visit)


def _photo(visit: Visit) -> None:
    game = _game()
    files = st.file_uploader(
        "A photo of the table",
        type=TYPES,
        key="table_photo",
        accept_multiple_files=True,
        help="JPEG, PNG, WebP or HEIC; it is read here and not kept. A large floor of Makiaveli may come in several.",
    )
    hand, hand_data = _hand(game)
    if files:
        _read(visit, [(file.name, file.getvalue()) for file in files], game, hand, hand_data)


def _camera(visit: Visit) -> None:
    game = _game()
    hand, hand_data = _hand(game)
    file = st.camera_input("A photo of the table", key="camera", resolution="1080p")
    if file is not None:
        _read(visit, [("camera", file.getvalue())], game, hand, hand_data)


def _sample(visit: Visit) -> None:
    found = samples()
    if not found:
        st.info(
            "There are no sample photos here; begin with a photo of your own or by hand.", icon=":material/collections:"
        )
        return
    columns = st.columns(min(3, len(found)), gap="small")
    for number, path in enumerate(found):
        cell = columns[number % len(columns)].container(key=f"sample_{path.stem}")
        cell.image(thumbnail(path), width="stretch", alt=f"sample table {_sample_title(path)}")
        if cell.button(_sample_title(path), key=f"use_{path.stem}", width="stretch", icon=":material/play_arrow:"):
            _read(visit, [(path.name, path.read_bytes())], _sample_game(path) or "auto", "", None)


def samples() -> tuple[Path, ...]:
    """The sample photos, one at least for each game; empty where a checkout made no link of `SAMPLES`."""
    return tuple(sorted(SAMPLES.glob("*.jpg")))


def _sample_game(path: Path) -> str | None:
    return next((game for game in GAME_TITLES if path.stem.startswith(game)), None)


def _sample_title(path: Path) -> str:
    game = _sample_game(path)
    number = path.stem.rpartition("_")[2]
    return f"{GAME_TITLES[game]} {number}" if game and number.isdigit() else path.stem.replace("_", " ").capitalize()


def _game() -> str:
    words = {"auto": "Tell from the photo"} | dict(GAME_TITLES)
    chosen = st.selectbox("Game", list(words), format_func=words.__getitem__, key="photo_game")
    return chosen or "auto"


def _hand(game: str) -> tuple[str, bytes | None]:
    """The hand, for the games that have one and a photo that does not show it."""
    if game not in ("auto", "makiaveli"):
        return "", None
    with st.expander("The hand is not in the photo", icon=":material/back_hand:"):
        text = st.text_input("The hand's cards", placeholder="3S 4S 10H", key="hand_text", max_chars=400)
        file = st.file_uploader("or a second photo that shows only the hand", type=TYPES, key="hand_photo")
    return text, None if file is None else file.getvalue()


def _read(visit: Visit, photos: list[tuple[str, bytes]], game: str, hand: str, hand_data: bytes | None) -> None:
    """Reads photos of a table and begins with what they show."""
    try:
        with st.spinner("Reading the cards ..."), state.reading_slots():
            shot = read(photos, game, hand=hand, hand_data=hand_data)
    except CardsError as error:
        reason = getattr(error, "reason", None) or kind(error)
        st.error(
            plain(reason[:1].upper() + reason[1:]), title="This photo could not be read", icon=":material/broken_image:"
        )
        return
    if shot.line is None or not shot.reading["cards"]:
        st.warning(
            "No cards were found. Take the photo from above, with every card's corner in view and without glare; or lay"
            " the table out by hand.",
            title="No cards in this photo",
            icon=":material/image_search:",
        )
        for picture in shot.shown:
            st.image(picture, width="stretch", alt="your photo")
        return
    # No photo shows the rules: what was agreed on for the photo before holds for this one.
    visit.begin(with_rules(shot.line, visit.agreed.get(str(shot.reading["game"]))), shot)
    st.rerun()


def _by_hand(visit: Visit) -> None:
    game = st.selectbox("Game", list(GAMES), format_func=GAME_TITLES.__getitem__, key="hand_game")
    row = st.container(horizontal=True, gap="small")
    if row.button("Empty table", icon=":material/add:", type="primary", key="empty"):
        visit.begin(str(parse_position(game)))
        st.session_state["adding"] = True
        st.rerun()
    module = game_module(game)
    deal = getattr(module, "random_deal", None) or getattr(module.Position, "deal", None)
    if deal is not None and row.button("Random deal", icon=":material/casino:", key="deal"):
        visit.begin(str(deal(state.fresh_seed())))
        st.rerun()


def _line(visit: Visit) -> None:
    with st.form("line_form", border=False):
        given = st.text_area("A table as text or JSON", placeholder=EXAMPLE, height=120, key="given")
        st.caption("Cards are written 7C, TH or 10♥. Piles run from bottom to top; ?? is a face-down card.")
        sent = st.form_submit_button("Could I have won?", type="primary")
    if sent:
        try:
            visit.begin(state.read_line(given or EXAMPLE))
        except CardsError as error:
            st.error(plain(kind(error)), icon=":material/edit_off:")
        else:
            st.rerun()
