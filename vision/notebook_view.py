"""A reading as it shows itself in a notebook."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from drawing.svg import draw_tables
from vision.image import RGB, encode, opencv


def reading_html(
    pictures: Sequence[RGB], table: Mapping[str, Any] | None, remarks: Iterable[object], width: int
) -> str:
    """Pictures, a position's table below them, and remarks, as HTML.

    Args:
        pictures: Annotated photos, uint8 (height, width, 3).
        table: A position's JSON object; None if there is none.
        remarks: What should be checked, one sentence each.
        width: Largest width of a picture, px.
    """
    parts = [f'<img alt="the photo as read" src="{_address(_narrowed(picture, width))}">' for picture in pictures]
    parts += [] if table is None else [draw_tables([("", table)])]
    rows = "".join(f"<li>{escape(str(remark))}</li>" for remark in remarks)
    return "".join(f"<div>{part}</div>" for part in parts) + (f"<ul>{rows}</ul>" if rows else "")


def _narrowed(picture: RGB, width: int) -> RGB:
    scale = width / picture.shape[1]
    if scale >= 1:
        return picture
    narrowed: RGB = opencv().resize(picture, None, fx=scale, fy=scale, interpolation=opencv().INTER_AREA)
    return narrowed


def _address(picture: RGB) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(encode(picture, '.jpg')).decode()}"
