"""Simple court figures: the upper half is drawn, then turned round for the lower one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from datasets.path_traced.signs import stamp
from datasets.picture_tools import Colour
from solver.cards import Card, Rank

_WIDE, _HIGH = 620, 500
_MIDDLE: Final = _WIDE // 2
_INK: Final = (25, 25, 40)
_GOLD: Final = (225, 180, 50)
_CLOTHES: Final = ((190, 30, 45), (30, 60, 140), (40, 100, 60), (110, 40, 110))
_HAIR: Final = {Rank.JACK: (90, 60, 30), Rank.QUEEN: (200, 160, 60), Rank.KING: (50, 45, 45)}
_Brush = ImageDraw.ImageDraw


def court_figure(card: Card, ink: Colour, symbol: Image.Image, paper: Colour) -> Image.Image:
    """The picture of a jack, queen or king, 620 x 1000 px, with its suit's symbol in the colour `ink`."""
    half = Image.new("RGB", (_WIDE, _HIGH), paper)
    brush = ImageDraw.Draw(half)
    clothes = _CLOTHES[(card.suit + card.rank - Rank.JACK) % 4]
    _body(brush, clothes)
    _head(brush, card.rank)
    {Rank.JACK: _jack, Rank.QUEEN: _queen, Rank.KING: _king}[card.rank](brush, clothes)
    stamp(half, symbol, (74, 84), 104, ink)
    whole = Image.new("RGB", (_WIDE, _HIGH * 2), paper)
    whole.paste(half, (0, 0))
    whole.paste(half.rotate(180), (0, _HIGH))
    brush = ImageDraw.Draw(whole)
    brush.line([(20, _HIGH), (_WIDE - 20, _HIGH)], fill=_INK, width=5)
    brush.rectangle((0, 0, _WIDE - 1, _HIGH * 2 - 1), outline=(40, 50, 120), width=5)
    return whole


def _from_middle(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(_MIDDLE + x, y) for x, y in points]


def _dot(brush: _Brush, x: float, y: float, radius: float, fill: Colour, width: int = 1) -> None:
    brush.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=_INK, width=width)


def _body(brush: _Brush, clothes: Colour) -> None:
    shoulders = [(_MIDDLE - 90, 330), (_MIDDLE + 90, 330), (_WIDE - 40, _HIGH), (40, _HIGH)]
    brush.polygon(shoulders, fill=clothes, outline=_INK, width=4)
    for y in range(330, 510, 36):
        diamond = _from_middle([(-24, y), (0, y - 18), (24, y), (0, y + 18)])
        brush.polygon(diamond, fill=_GOLD, outline=_INK, width=3)
    for side in (-1, 1):
        brush.line(_from_middle([(side * 75, 335), (side * 190, _HIGH)]), fill=_GOLD, width=16)
        for step in range(3):
            _dot(brush, _MIDDLE + side * (125 + step * 36), 400 + step * 30, 9, (250, 250, 245))


def _head(brush: _Brush, rank: Rank) -> None:
    if rank is Rank.QUEEN:
        brush.ellipse((_MIDDLE - 105, 130, _MIDDLE + 105, 370), fill=_HAIR[rank], outline=_INK, width=4)
    else:
        brush.rounded_rectangle((_MIDDLE - 88, 160, _MIDDLE + 88, 310), 40, fill=_HAIR[rank], outline=_INK, width=4)
    brush.ellipse((_MIDDLE - 66, 140, _MIDDLE + 66, 320), fill=(244, 214, 186), outline=_INK, width=4)
    for eye in (_MIDDLE - 28, _MIDDLE + 28):
        brush.ellipse((eye - 9, 212, eye + 9, 224), fill=_INK)
        brush.arc((eye - 18, 194, eye + 18, 214), 200, 340, fill=_INK, width=4)
    brush.line(_from_middle([(0, 222), (-9, 256), (6, 258)]), fill=_INK, width=4)
    brush.arc((_MIDDLE - 22, 258, _MIDDLE + 22, 284), 20, 160, fill=(180, 40, 40), width=6)


def _king(brush: _Brush, clothes: Colour) -> None:
    beard = [(-64, 262), (-20, 284), (20, 284), (64, 262), (30, 352), (0, 366), (-30, 352)]
    brush.polygon(_from_middle(beard), fill=_HAIR[Rank.KING], outline=_INK, width=4)
    crown = _from_middle([(-92, 168), (-104, 66), (-52, 118), (0, 44), (52, 118), (104, 66), (92, 168)])
    brush.polygon(crown, fill=_GOLD, outline=_INK, width=5)
    for x, y in crown[1:6:2]:
        _dot(brush, x, y, 13, clothes, 3)


def _queen(brush: _Brush, clothes: Colour) -> None:
    crown = [(-80, 156), (-92, 84), (-40, 120), (0, 70), (40, 120), (92, 84), (80, 156)]
    brush.polygon(_from_middle(crown), fill=_GOLD, outline=_INK, width=5)
    _dot(brush, _MIDDLE, 67, 15, (250, 250, 250), 3)
    brush.line([(150, 470), (112, 300)], fill=(40, 110, 50), width=9)
    _dot(brush, 112, 278, 30, (215, 40, 60), 4)


def _jack(brush: _Brush, clothes: Colour) -> None:
    hat = [(-112, 160), (-80, 100), (70, 84), (112, 150)]
    brush.polygon(_from_middle(hat), fill=clothes, outline=_INK, width=5)
    brush.arc((_MIDDLE + 40, 20, _MIDDLE + 190, 160), 150, 290, fill=_GOLD, width=16)
    brush.line([(_WIDE - 90, 480), (_WIDE - 90, 190)], fill=(120, 120, 130), width=14)
    blade = [(_WIDE - 120, 200), (_WIDE - 90, 120), (_WIDE - 60, 200)]
    brush.polygon(blade, fill=(170, 170, 180), outline=_INK, width=4)
