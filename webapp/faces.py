"""Playing cards drawn as SVG: faces, backs and empty places. Pure text in, text out; a leaf module.

A card is 100 wide and 140 high in SVG units. Suits are paths and not letters, so they look the same on every device
and never turn into emoji; shape tells the suit where colour cannot be seen.

    >>> face("7H").startswith("<rect")
    True
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

WIDTH: Final = 100
HEIGHT: Final = 140
BACK: Final = "??"
EMPTY: Final = ""

Index = Literal["stacked", "line"]
"""`stacked`: rank above suit, readable in a fan to the right; `line`: rank beside suit, readable in a column."""

Mark = Literal["selected", "doubtful", "moved"]
"""What a card is marked as; each mark has its own outline and its own sign in the corner."""

SUIT_PATHS: Final[Mapping[str, str]] = {
    "C": "M0-10a4.7 4.7 0 0 1 3.6 7.7a4.7 4.7 0 1 1-2.6 7.1C1.2 7.3 2 9 3.4 10H-3.4C-2 9-1.2 7.3-1 4.8"
    "a4.7 4.7 0 1 1-2.6-7.1A4.7 4.7 0 0 1 0-10Z",
    "D": "M0-10.5Q3-4.5 7.6 0Q3 4.5 0 10.5Q-3 4.5-7.6 0Q-3-4.5 0-10.5Z",
    "H": "M0 9.5C-4 5-9.6 1.2-9.6-3.8C-9.6-7-7.4-9-4.9-9C-2.6-9-.8-7.5 0-5.4C.8-7.5 2.6-9 4.9-9C7.4-9 9.6-7 9.6-3.8"
    "C9.6 1.2 4 5 0 9.5Z",
    "S": "M0-10.2C3-5.6 9.4-1.6 9.4 3C9.4 5.6 7.4 7.2 5.2 7.2C3.4 7.2 1.8 6.2 1 4.6C1.2 7 2 9 3.4 10H-3.4"
    "C-2 9-1.2 7-1 4.6C-1.8 6.2-3.4 7.2-5.2 7.2C-7.4 7.2-9.4 5.6-9.4 3C-9.4-1.6-3-5.6 0-10.2Z",
}
SUIT_WORDS: Final[Mapping[str, str]] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_WORDS: Final[Mapping[str, str]] = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
RED: Final = "#c4122f"
BLACK: Final = "#1d2129"
_INK: Final[Mapping[str, str]] = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
_CROWNS: Final[Mapping[str, str]] = {
    "K": "M-15 9V-5L-7.5 2L0-10L7.5 2L15-5V9ZM-15 12H15V15H-15Z",
    "Q": "M-15 9L-13-6L-6 1L0-8L6 1L13-6L15 9ZM-15 12H15V15H-15ZM-2.5-11a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1-5 0Z",
    "J": "M-14 9C-14-4-6-10 4-10C2-6 3-3 7-1C11 1 14 4 14 9ZM-15 12H15V15H-15Z",
}
_MARKS: Final[Mapping[str, tuple[str, str, str]]] = {
    # name: (outline colour, dashes, path of the sign)
    "selected": ("#1769e0", "", "M-4 0L-1 3.5L4.5-4"),
    "doubtful": ("#b86a00", "9 5", "M-3-2.5C-3-6 3-6 3-2.5C3-.5 0 0 0 2M0 4.6V5"),
    "moved": ("#0b8f4d", "", "M-4.5 0H4M.5-4L4.5 0L.5 4"),
}


def spoken(card: str) -> str:
    """A card's name for a screen reader.

    >>> spoken("TH"), spoken("??"), spoken("")
    ('10 of hearts', 'face-down card', 'empty place')
    """
    if card == EMPTY:
        return "empty place"
    if card == BACK:
        return "face-down card"
    return f"{RANK_WORDS.get(card[0], card[0])} of {SUIT_WORDS[card[1]]}"


def pretty(card: str) -> str:
    """A card with its suit symbol, as a button shows it.

    >>> pretty("TH"), pretty("??")
    ('10♥', '??')
    """
    if card in (BACK, EMPTY):
        return card
    return ("10" if card[0] == "T" else card[0]) + dict(zip("CDHS", "♣♦♥♠", strict=True))[card[1]]


def pip(suit: str, x: float, y: float, size: float, *, opacity: float = 1) -> str:
    """A suit's pip, about `size` units high, centred on (x, y)."""
    faint = f' opacity="{opacity:g}"' if opacity < 1 else ""
    place = f"translate({x:g} {y:g}) scale({size / 20:g})"
    return f'<path d="{SUIT_PATHS[suit]}" transform="{place}" fill="{_INK[suit]}"{faint}/>'


def face(card: str, index: Index = "stacked") -> str:
    """The drawing of one card with its top left corner at (0, 0): a face, a back for `??`, a dashed place for "".

    Raises:
        KeyError: If `card` is none of these, so that no stray text ever reaches the drawing.
    """
    if card == EMPTY:
        return (
            '<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="#fff" fill-opacity=".07"'
            ' stroke="#fff" stroke-opacity=".55" stroke-width="2" stroke-dasharray="7 6"/>'
        )
    if card == BACK:
        return (
            '<rect x="1" y="1" width="98" height="138" rx="9" fill="#fdfdfb" stroke="#7d8794" stroke-width="1.5"/>'
            '<rect x="7" y="7" width="86" height="126" rx="5" fill="#2c4a7c"/>'
            '<path d="M7 37L37 7M7 67L67 7M7 97L93 11M7 127L93 41M31 133L93 71M61 133L93 101M93 37L63 7M93 67L33 7'
            'M93 97L7 11M93 127L7 41M69 133L7 71M39 133L7 101" stroke="#8fa9d6" stroke-width="2" fill="none"/>'
        )
    rank, suit = card[0], card[1:]
    ink = _INK[suit]
    text = {"T": "10"}.get(rank, rank)
    if text not in {"A", "10", "J", "Q", "K", *"23456789"}:
        raise KeyError(card)
    squeeze = ' textLength="34" lengthAdjust="spacingAndGlyphs"' if text == "10" else ""
    centre = 23
    parts = [
        '<rect x="1" y="1" width="98" height="138" rx="9" fill="#fdfdfb" stroke="#7d8794" stroke-width="1.5"/>',
        f'<text x="{centre}" y="34" text-anchor="middle" font-size="38" font-weight="700" fill="{ink}"{squeeze}'
        f' font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">{text}</text>',
        pip(suit, 23, 57, 26) if index == "stacked" else pip(suit, 76, 22, 27),
    ]
    if rank in _CROWNS:
        parts.append(f'<rect x="42" y="58" width="50" height="74" rx="6" fill="{ink}" fill-opacity=".09"/>')
        parts.append(f'<path d="{_CROWNS[rank]}" transform="translate(67 80)" fill="{ink}"/>')
        parts.append(pip(suit, 67, 114, 27))
    else:
        parts.append(pip(suit, 69, 99, 52))
    return "".join(parts)


def mark(name: Mark, index: Index = "stacked") -> str:
    """A mark's outline round the card and its sign, placed where a fan of this kind leaves the card visible."""
    colour, dashes, sign = _MARKS[name]
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    x, y = (18, 120) if index == "stacked" else (51, 20)
    return (
        f'<rect x="1" y="1" width="98" height="138" rx="9" fill="none" stroke="{colour}" stroke-width="6"{dash}/>'
        f'<g transform="translate({x} {y})"><circle r="12" fill="{colour}" stroke="#fff" stroke-width="2"/>'
        f'<path d="{sign}" transform="scale(1.25)" fill="none" stroke="#fff" stroke-width="2.4"'
        ' stroke-linecap="round" stroke-linejoin="round"/></g>'
    )
