"""Each section of `tools/answers_digest.py` finds what it asks: it names modules in strings, which no import checks."""

from __future__ import annotations

import json

import pytest

from tools.answers_digest import SECTIONS


@pytest.mark.parametrize("name", list(SECTIONS))
def test_a_section_gives_answers_as_json(name: str) -> None:
    answer, visited = next(SECTIONS[name]())
    assert json.dumps(answer, default=str)
    assert visited >= 0
