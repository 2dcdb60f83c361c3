"""Decks drawn from fonts: a seed decides letters, shapes, colours, sizes and courts; cards are drawn on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck import Box, Index
from datasets.decks.fonts import Font, families, symbol_fonts
from datasets.decks.index_conventions import Alphabet, Convention, choose_alphabet, choose_convention
from datasets.decks.package_decks import court_art
from datasets.decks.patterned_backs import draw_back
from datasets.decks.symbol_masks import font_pips, glyphs, pip_shapes
from datasets.picture_tools import Colour, Image, Mask, Rng, choose, random_colour, squeeze
from datasets.splits import SPLITS, Split
from solver.cards import Card, Rank, Suit

DeckKind = Literal["usual", "unusual", "held"]

_LETTERS: Final = ("AJQK", "ABDK", "1VDR", "AVDR", "AWDK", "ТВДК", "AFDR", "1JQK")
"""Ace, jack, queen and king: English, German, French, French with A, Polish, Russian, Italian, English with 1."""
_LETTER_CHANCES: Final = (0.70, 0.07, 0.03, 0.04, 0.04, 0.09, 0.01, 0.02)
_PIP_ROWS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((0.5, 0), (0.5, 1)),
    3: ((0.5, 0), (0.5, 0.5), (0.5, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)),
    6: ((0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    7: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    8: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    9: ((0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)),
    10: (
        *((0, 0), (1, 0), (0.5, 1 / 6), (0, 1 / 3), (1, 1 / 3)),
        *((0, 2 / 3), (1, 2 / 3), (0.5, 5 / 6), (0, 1), (1, 1)),
    ),
}


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """What makes one drawn deck differ from another; lengths in card widths, colours RGB.

    `place` is where the suit stands, as in `index_conventions.Convention`; with `court_to_edge` the picture of a
    court card fills it, but for a patch of paper under each index.
    """

    aspect: float
    corner: float
    rank_height: float
    digit_width: float
    ten_width: float
    suit_height: float
    gap: float
    centre_x: float
    top: float
    four_corners: bool
    natural_heights: bool
    paper: Colour
    inks: tuple[Colour, Colour, Colour, Colour]
    rim: Colour | None
    edge: Colour | None
    pip_height: float
    columns: float
    rows_top: float
    body: str
    court: str
    ace_height: float
    ace_ring: bool
    seed: int
    place: str = "below"
    top_corners: bool = False
    court_to_edge: bool = False


class DrawnDeck:
    """A deck drawn from fonts. See `datasets.decks.deck.Deck` for what every deck offers.

    Args:
        split: Whose fonts it is drawn from.
        seed: Decides all about it.
        kind: `usual`; `unusual`, of a convention that few decks have; `held`, of one that is never trained on.
    """

    def __init__(self, split: Split, seed: int, kind: DeckKind = "usual") -> None:
        alphabet: Alphabet | None = None
        if kind == "usual":
            rng = np.random.default_rng((7331, SPLITS.index(split), seed))
            self.name = f"drawn/{split}-{seed:04d}"
            self.style = _style(rng)
        else:
            rng = np.random.default_rng((7333, SPLITS.index(split), seed, int(kind == "held")))
            name, convention = choose_convention(rng, held=kind == "held")
            self.name = f"drawn/{split}-{name}-{seed:04d}"
            self.style = _unusual(rng, _style(rng), convention)
            alphabet = choose_alphabet(rng, name)
        self.split: Split = split
        self.aspect = self.style.aspect
        self.corner = self.style.corner
        shapes = symbol_fonts(split)
        shape_font = choose(rng, shapes) if shapes and rng.random() < 0.4 else None
        self._suits = pip_shapes(rng) if shape_font is None else font_pips(shape_font)
        self._ranks = _rank_masks(rng, split, alphabet)
        self._tallest = max(self._ranks[rank].shape[0] for rank in Rank)
        self._sized: dict[tuple[int, int, int, bool], Mask] = {}
        self._digit = float(np.median([self._ranks[Rank(n)].shape[1] for n in range(2, 10)]))

    def indices(self, card: Card) -> tuple[Index, ...]:
        """The card's indices, the top-left one first."""
        style = self.style
        mask = self._ranks[card.rank]
        width = style.digit_width * mask.shape[1] / self._digit
        width = min(width, style.ten_width if card.rank == Rank.TEN else 1.45 * style.digit_width)
        height = style.rank_height * (mask.shape[0] / self._tallest if style.natural_heights else 1.0)
        suit_width = self._pip_width(card.suit, style.suit_height)
        first = _placed(style, (width, height), (suit_width, style.suit_height))
        if style.top_corners:
            return first, first.mirrored()
        return first.corners(style.aspect, 4 if style.four_corners else 2)

    def face(self, card: Card, width: int) -> Image:
        """The face as RGB (round(width * aspect), width, 3)."""
        style = self.style
        image = np.full((round(width * style.aspect), width, 3), style.paper, np.uint8)
        self._draw_body(image, card)
        for index in self.indices(card):
            self._draw_index(image, card, index)
        if style.edge is not None:
            cv2.rectangle(image, (0, 0), (width - 1, image.shape[0] - 1), style.edge, max(1, width // 150))
        return image

    def back(self, width: int) -> Image:
        """The back as RGB (round(width * aspect), width, 3)."""
        return draw_back(self.style.seed, width, round(width * self.style.aspect))

    def _draw_body(self, image: Image, card: Card) -> None:
        """What stands between a card's indices."""
        style = self.style
        if card.rank > Rank.TEN:
            self._draw_court(image, card)
        elif style.body == "rank":
            box = (0.3, style.aspect / 2 - 0.3, 0.7, style.aspect / 2 + 0.3)
            self._stamp(image, self._ranks[card.rank], box, style.inks[card.suit])
        elif style.body == "pip":
            self._draw_pip(image, card.suit, (0.5, style.aspect / 2), 0.45, turned=False)
        elif style.body == "pips":
            (self._draw_ace if card.rank == Rank.ACE else self._draw_pips)(image, card)

    def _draw_index(self, image: Image, card: Card, index: Index) -> None:
        """An index, with a patch of paper under it where a picture fills the card."""
        style, width = self.style, image.shape[1]
        ink, turned = style.inks[card.suit], index.upside_down
        if style.court_to_edge and card.rank > Rank.TEN:
            x1, y1, x2, y2 = (round(value * width) for value in index.box)
            room = max(1, width // 50)
            cv2.rectangle(image, (x1 - room, y1 - room), (x2 + room, y2 + room), style.paper, -1)
        self._stamp(image, self._ranks[card.rank], index.rank_box, ink, turned=turned)
        if style.place != "away":
            self._stamp(image, self._suits[card.suit], index.suit_box, ink, turned=turned)

    def _stamp(self, image: Image, mask: Mask, box: Box, ink: Colour, *, turned: bool = False) -> None:
        """Paints a mask into a box given in card widths, with the deck's rim where it has one."""
        width = image.shape[1]
        x1, y1 = round(box[0] * width), round(box[1] * width)
        key = (id(mask), round((box[2] - box[0]) * width), round((box[3] - box[1]) * width), turned)
        small = self._sized.get(key)
        if small is None:
            small = squeeze(mask[::-1, ::-1] if turned else mask, key[1], key[2])
            self._sized[key] = small
        x0, y0 = max(0, x1), max(0, y1)
        x2, y2 = min(width, x1 + small.shape[1]), min(image.shape[0], y1 + small.shape[0])
        if x2 <= x0 or y2 <= y0:
            return
        inside = slice(y0 - y1, y2 - y1), slice(x0 - x1, x2 - x1)
        alpha = small[inside][..., None]
        part = image[y0:y2, x0:x2]
        colour: NDArray[np.float32] = np.asarray(ink, np.float32)
        if self.style.rim is not None:
            core = cv2.erode(small, np.ones((3, 3), np.uint8), iterations=max(1, width // 200))[inside][..., None]
            colour = np.asarray(self.style.rim, np.float32) * (1 - core) + colour * core
        part[:] = part + (colour - part) * alpha

    def _pip_width(self, suit: Suit, height: float) -> float:
        mask = self._suits[suit]
        return float(min(height * mask.shape[1] / mask.shape[0], 1.15 * height))

    def _draw_pip(self, image: Image, suit: Suit, centre: tuple[float, float], height: float, *, turned: bool) -> None:
        mask = self._suits[suit]
        half = self._pip_width(suit, height) / 2
        box = (centre[0] - half, centre[1] - height / 2, centre[0] + half, centre[1] + height / 2)
        self._stamp(image, mask, box, self.style.inks[suit], turned=turned)

    def _draw_pips(self, image: Image, card: Card) -> None:
        style = self.style
        for across, down in _PIP_ROWS[int(card.rank)]:
            x = 0.5 + (across - 0.5) * style.columns
            y = style.rows_top + down * (style.aspect - 2 * style.rows_top)
            self._draw_pip(image, card.suit, (x, y), style.pip_height, turned=down > 0.5)

    def _draw_ace(self, image: Image, card: Card) -> None:
        style = self.style
        width, height = image.shape[1], image.shape[0]
        size = style.ace_height * (1.6 if card.suit == Suit.SPADES and style.ace_ring else 1)
        self._draw_pip(image, card.suit, (0.5, style.aspect / 2), size, turned=False)
        if style.ace_ring:
            centre, ink = (width // 2, height // 2), style.inks[card.suit]
            cv2.circle(image, centre, round(width * (size / 2 + 0.09)), ink, max(1, width // 120), cv2.LINE_AA)
            if card.suit == Suit.SPADES:
                ornament = draw_back(style.seed + 1, round(width * 0.2), round(width * 0.2))
                y, x = (height - ornament.shape[0]) // 2, (width - ornament.shape[1]) // 2
                part = image[y : y + ornament.shape[0], x : x + ornament.shape[1]]
                part[:] = np.minimum(part // 2 + ornament // 2, 200)

    def _draw_court(self, image: Image, card: Card) -> None:
        """A court card's body: a framed picture, a large letter, or a large suit symbol."""
        style = self.style
        rng = np.random.default_rng((style.seed, card.index))
        ink = style.inks[card.suit]
        if style.court == "letter":
            box = (0.28, style.aspect / 2 - 0.33, 0.72, style.aspect / 2 + 0.33)
            self._stamp(image, self._ranks[card.rank], box, ink)
            return
        if style.court == "pip":
            self._draw_pip(image, card.suit, (0.5, style.aspect / 2), 0.5, turned=False)
            return
        width = image.shape[1]
        left, top = self._court_corner(card)
        x1, y1 = round(left * width), round(top * width)
        x2, y2 = width - x1, image.shape[0] - y1
        if x2 - x1 < 12 or y2 - y1 < 12:
            return
        art = _court_art(rng, self, card, x2 - x1, y2 - y1)
        image[y1:y2, x1:x2] = art
        if style.court == "framed":
            frame = random_colour(np.random.default_rng(style.seed), 20, 120)
            cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), frame, max(1, width // 100))
        if style.seed % 4:
            size = 0.17 * (x2 - x1) / width / 0.6
            mirror = (1 - left - size * 0.75, style.aspect - top - size * 0.7)
            self._draw_pip(image, card.suit, (left + size * 0.75, top + size * 0.7), size, turned=False)
            self._draw_pip(image, card.suit, mirror, size, turned=True)

    def _court_corner(self, card: Card) -> tuple[float, float]:
        """The upper left corner of a court card's picture, in card widths."""
        style, (_, _, right, below) = self.style, self.indices(card)[0].box
        if style.court_to_edge:
            margin = 0.02 + 0.03 * (style.seed % 2)
            return margin, margin
        if (below < 0.3 and style.seed % 3 == 0) or style.place in ("left", "right"):
            return 0.12, below + 0.03  # it begins below the index
        return min(0.3, max(right + 0.02, 0.14)), float(np.random.default_rng(style.seed).uniform(0.09, 0.2))


def _court_art(rng: Rng, deck: DrawnDeck, card: Card, width: int, height: int) -> Image:
    """A picture for a court card: from a package's court of the same split, or shapes of many colours."""
    style = deck.style
    art = court_art(deck.split)
    if art and style.seed % 5:
        picture = art[(style.seed // 5) % len(art)][3 * card.suit + card.rank - 11]
        resized = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        if style.seed % 2:  # other inks
            order = np.random.default_rng(style.seed).permutation(3)
            resized = resized[..., order]
        paper = np.array(style.paper, np.float32) / 255
        return (resized * paper).astype(np.uint8) if sum(style.paper) > 300 else (resized * 0.6 + 20).astype(np.uint8)
    half = _shapes_of_colours(rng, style, max(1, height // 2), width)
    whole = np.concatenate([half, half[::-1, ::-1]])
    return cv2.resize(whole, (width, height)).astype(np.uint8)


def _shapes_of_colours(rng: Rng, style: DeckStyle, height: int, width: int) -> Image:
    """Ellipses and polygons of five colours on a deck's paper, (height, width, 3)."""
    half = np.full((height, width, 3), style.paper, np.uint8)
    palette = [random_colour(np.random.default_rng((style.seed, k))) for k in range(5)]
    for _ in range(int(rng.integers(8, 26))):
        centre = (int(rng.integers(width)), int(rng.integers(half.shape[0])))
        colour = choose(rng, palette)
        axes = (int(rng.integers(2, max(3, width // 3))), int(rng.integers(2, max(3, width // 4))))
        line = -1 if rng.random() < 0.5 else max(1, width // 70)
        if rng.random() < 0.6:
            cv2.ellipse(half, centre, axes, rng.uniform(0, 180), 0, 360, colour, line, cv2.LINE_AA)
        else:
            points = rng.integers(0, (width, half.shape[0]), (int(rng.integers(3, 6)), 2))
            cv2.fillPoly(half, [points.astype(np.int32)], colour, cv2.LINE_AA)
    return half


def _placed(style: DeckStyle, rank: tuple[float, float], suit: tuple[float, float]) -> Index:
    """The index in the upper left corner with rank and suit of these widths and heights."""
    (width, height), (suit_width, suit_height) = rank, suit
    x, bottom = style.centre_x, style.top + style.rank_height
    if style.place == "above":
        bottom += suit_height + style.gap
    if style.place in ("left", "right"):
        left = 0.03 + style.gap / 2
        after = left + style.gap + (width if style.place == "right" else suit_width)
        rank_left, suit_left = (left, after) if style.place == "right" else (after, left)
        suit_top = bottom - height / 2 - suit_height / 2
        return Index(
            (rank_left, bottom - height, rank_left + width, bottom),
            (suit_left, suit_top, suit_left + suit_width, suit_top + suit_height),
        )
    rank_box = (x - width / 2, bottom - height, x + width / 2, bottom)
    if style.place == "away":
        return Index(rank_box, rank_box)
    suit_top = style.top if style.place == "above" else bottom + style.gap
    return Index(rank_box, (x - suit_width / 2, suit_top, x + suit_width / 2, suit_top + suit_height))


def _unusual(rng: Rng, style: DeckStyle, convention: Convention) -> DeckStyle:
    """A style changed to follow a convention, often in other colours too."""
    if convention.size == "jumbo":
        style = _jumbo(rng, style, 0.75 if convention.place in ("left", "right") else 1.0)
    gap = style.rank_height * (rng.uniform(0.45, 0.9) if convention.size == "far" else rng.uniform(0.05, 0.3))
    aside = convention.place in ("left", "right")
    style = replace(
        style,
        place=convention.place,
        gap=min(gap, 0.06 if convention.size == "jumbo" else 0.12) if convention.size != "far" else gap,
        suit_height=style.rank_height * rng.uniform(0.6, 1.0) if aside else style.suit_height,
        four_corners=convention.corners == "four",
        top_corners=convention.corners == "top",
        court_to_edge=convention.size == "jumbo" or rng.random() < 0.3,
        columns=min(style.columns, 0.3) if convention.size == "far" else style.columns,
        pip_height=min(style.pip_height, 0.17) if convention.size == "far" else style.pip_height,
    )
    if convention.place == "away":
        style = replace(style, body="pip", court=str(rng.choice(["pip", "framed", "open"])))
    if rng.random() < 0.4:
        paper, inks, rim = _more_colours(rng)
        style = replace(style, paper=paper, inks=inks, rim=rim)
    below = style.top + style.rank_height + (0 if aside else style.gap + style.suit_height) + style.pip_height / 2
    return replace(style, rows_top=min(0.45, max(style.rows_top, below))) if aside else style


def _jumbo(rng: Rng, style: DeckStyle, share: float) -> DeckStyle:
    """A style with symbols so large that hardly anything else has room on a card; `share` makes them smaller."""
    height = share * rng.uniform(0.33, 0.52)
    width = min(height * style.digit_width / style.rank_height, 0.36)
    ten = min(width * style.ten_width / style.digit_width, 0.46)
    suit = min(height * rng.uniform(0.6, 0.95), 0.62 * share + 0.05 - height, 0.4)
    return replace(
        style,
        rank_height=height,
        digit_width=width,
        ten_width=ten,
        suit_height=max(suit, 0.14),
        top=min(style.top, 0.06),
        centre_x=max(ten, width * 1.2, suit * 1.1) / 2 + rng.uniform(0.015, 0.035),
        body=str(rng.choice(["none", "pip"])) if share < 1 else "none",
    )


def _more_colours(rng: Rng) -> tuple[Colour, tuple[Colour, Colour, Colour, Colour], Colour | None]:
    """Paper, inks and rim as `_colours` gives them: four colours of many kinds, or a black deck."""
    paper, (black, _, red, _), _ = _colours(rng)
    if sum(paper) < 200:
        inks = [random_colour(rng, 130, 250) for _ in range(4)]
        if rng.random() < 0.5:
            inks[0] = inks[3] = (int(rng.integers(190, 250)),) * 3
        return paper, (inks[0], inks[1], inks[2], inks[3]), None
    green, blue = _mixed(rng, (0, 70), (80, 160), (0, 90)), _mixed(rng, (0, 80), (50, 140), (130, 240))
    orange = _mixed(rng, (215, 255), (95, 190), (0, 60))
    clubs = (green, blue, black)[int(rng.choice(3, p=[0.55, 0.3, 0.15]))]
    diamonds = (orange, blue, red)[int(rng.choice(3, p=[0.45, 0.4, 0.15]))]
    return paper, (clubs, diamonds, red, black), None


def _mixed(rng: Rng, *ranges: tuple[int, int]) -> Colour:
    """A colour with red, green and blue in these ranges."""
    red, green, blue = (int(rng.integers(low, high)) for low, high in ranges)
    return red, green, blue


def _rank_masks(rng: Rng, split: Split, alphabet: Alphabet | None = None) -> dict[Rank, Mask]:
    """The ranks' letters in one random font; where no alphabet is given, in a random language."""
    groups = families(split)
    family = choose(rng, groups)
    language = _LETTERS[int(rng.choice(len(_LETTERS), p=_LETTER_CHANCES))]
    upright = [font for font in family if not font.slant] or list(family)
    if rng.random() < 0.05:
        upright = list(family)
    fit = _fonts_with("".join(alphabet or language), upright, groups, any_family=alphabet is not None)
    if not fit:
        language, fit = "AJQK", upright
    font: Font = choose(rng, fit)
    bold = int(rng.choice([0, 0, 0, 2, 4, 7]))
    texts = _rank_texts(rng, language, alphabet)
    masks = {rank: glyphs(font, texts.get(rank, str(int(rank))), bold) for rank in Rank}
    if texts[Rank.TEN] == "10" and rng.random() < 0.6:  # set closer, as printers do
        one, zero = glyphs(font, "1", bold), glyphs(font, "0", bold)
        masks[Rank.TEN] = _side_by_side(one, zero, round(zero.shape[1] * rng.uniform(0.06, 0.22)))
    return masks


def _rank_texts(rng: Rng, language: str, alphabet: Alphabet | None) -> dict[Rank, str]:
    """What ace, ten and court cards are called in a language, or in an alphabet where one is given."""
    ace, jack, queen, king = tuple(language)
    ten = "T" if rng.random() < 0.04 and language != "ТВДК" else "10"
    if alphabet is not None:
        ace, ten, jack, queen, king = alphabet
    return {Rank.ACE: ace, Rank.TEN: ten, Rank.JACK: jack, Rank.QUEEN: queen, Rank.KING: king}


def _fonts_with(
    letters: str, fonts: Sequence[Font], groups: Sequence[Sequence[Font]], *, any_family: bool
) -> Sequence[Font]:
    """The fonts that have some letters; Cyrillic ones few have, and `any_family` looks for them in all groups."""
    if "В" not in letters:  # a Cyrillic letter
        return fonts
    if any_family:
        return [font for group in groups for font in group if font.cyrillic and not font.slant]
    return [font for font in fonts if font.cyrillic]


def _side_by_side(left: Mask, right: Mask, gap: int) -> Mask:
    height = max(left.shape[0], right.shape[0])
    joined = np.zeros((height, left.shape[1] + gap + right.shape[1]), np.float32)
    joined[height - left.shape[0] :, : left.shape[1]] = left
    joined[height - right.shape[0] :, left.shape[1] + gap :] = right
    return joined


def _style(rng: Rng) -> DeckStyle:
    size = rng.random()
    if size < 0.12:
        rank_height = rng.uniform(0.26, 0.42)  # jumbo
    elif size < 0.3:
        rank_height = rng.uniform(0.1, 0.14)
    else:
        rank_height = rng.uniform(0.13, 0.23)
    digit_width = rank_height * (rng.uniform(0.4, 0.6) if rng.random() < 0.55 else rng.uniform(0.55, 0.85))
    suit_height = rank_height * rng.uniform(0.5, 0.95)
    aspect = float(rng.choice([1.4, 1.4, 1.55, rng.uniform(1.33, 1.65)])) + rng.uniform(-0.02, 0.02)
    ten_width = digit_width * rng.uniform(1.15, 1.7)
    widest = max(ten_width, digit_width * 1.2, suit_height) / 2
    paper, inks, rim = _colours(rng)
    four_corners = rng.random() < 0.12
    return DeckStyle(
        aspect=aspect,
        corner=rng.uniform(0.03, 0.075),
        rank_height=rank_height,
        digit_width=digit_width,
        ten_width=ten_width,
        suit_height=suit_height,
        gap=rank_height * rng.uniform(0.04, 0.4) ** 1.3,
        centre_x=widest + rng.uniform(0.015, 0.055),
        top=rng.uniform(0.035, 0.1),
        four_corners=four_corners,
        natural_heights=rng.random() < 0.5,
        paper=paper,
        inks=inks,
        rim=rim,
        edge=None if rng.random() < 0.6 else random_colour(rng, 60, 210),
        pip_height=rng.uniform(0.14, 0.24),
        columns=rng.uniform(0.38, 0.5) if rank_height < 0.25 else rng.uniform(0.26, 0.36),
        rows_top=rng.uniform(0.2, 0.3),
        body=str(rng.choice(["pips", "pip", "rank"], p=[0.9, 0.06, 0.04])),
        court=str(rng.choice(["framed", "open", "letter", "pip"], p=[0.6, 0.25, 0.1, 0.05])),
        ace_height=rng.uniform(0.18, 0.5),
        ace_ring=rng.random() < 0.25,
        seed=int(rng.integers(1 << 30)),
    )


def _colours(rng: Rng) -> tuple[Colour, tuple[Colour, Colour, Colour, Colour], Colour | None]:
    """Paper, the inks of clubs, diamonds, hearts, spades, and the rim of the symbols."""
    kind = rng.random()
    if kind < 0.12:  # a black deck
        dark = int(rng.integers(8, 50))
        paper = (dark, dark, int(np.clip(dark + rng.integers(-4, 10), 0, 60)))
        silver = int(rng.integers(150, 245))
        red = choose(rng, [(212, 160, 40), (190, 140, 60), (205, 40, 40), (200, 120, 80), (230, 190, 90)])
        black = (silver, silver, int(silver * rng.uniform(0.9, 1)))
        if rng.random() < 0.25:
            black = red
        return paper, (black, red, red, black), None
    white = rng.uniform(238, 255)
    paper = (int(white), int(white - rng.uniform(0, 4)), int(white - rng.uniform(0, 8)))
    if kind < 0.24:
        base = rng.uniform(190, 250, 3)
        base[2] = min(base[2], base[0])
        paper = (int(base[0]), int(base[1]), int(base[2]))
    black_level = int(rng.integers(0, 60))
    black = (black_level, black_level, int(black_level + rng.integers(0, 15)))
    red = _mixed(rng, (165, 245), (0, 70), (0, 75))
    inks = (black, red, red, black)
    if kind > 0.9:  # four colours
        green, blue = _mixed(rng, (0, 40), (90, 150), (20, 80)), _mixed(rng, (0, 70), (60, 120), (150, 230))
        orange = _mixed(rng, (225, 250), (120, 190), (0, 50))
        inks = (green, orange if rng.random() < 0.3 else blue, red, black if rng.random() < 0.8 else blue)
    rim = (int(red[0] * 0.4), 0, 0) if rng.random() < 0.03 else None
    return paper, inks, rim
