"""Griffe extension: examples in docstrings (`>>> ...`) become code blocks; Markdown would take them for quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
"""From `>>>` to the next empty line or the end, as doctest reads it."""


class FenceDoctests(griffe.Extension):
    """Puts a fence round each example."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called with every module, class, function and attribute that was read."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
