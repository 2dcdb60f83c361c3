"""Version and entry points, of a clone and of what is installed."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import solver
from plumbing import package_metadata as package
from solver.notebook_drawing import ENTRY_POINTS

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture
def without_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_project", lambda: None)


def test_a_clone_says_what_its_file_says() -> None:
    assert package.version() == solver.__version__ == PROJECT["version"]
    assert callable(package.load_entry_point(ENTRY_POINTS, "tables"))
    assert package.load_entry_point(ENTRY_POINTS, "nothing of the kind") is None


@pytest.mark.usefixtures("without_clone")
def test_what_is_installed_says_what_its_metadata_say(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = metadata.EntryPoint("tables", "drawing.svg:draw_tables", ENTRY_POINTS)
    monkeypatch.setattr(metadata, "version", lambda name: f"1.2 of {name}")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry] if group == ENTRY_POINTS else [])
    assert package.version() == "1.2 of could-i-have-won"
    found = package.load_entry_point.__wrapped__
    assert found(ENTRY_POINTS, "tables").__name__ == "draw_tables"
    assert found("another group", "tables") is None


def test_a_notebook_without_a_drawer_prints_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.notebook_drawing.load_entry_point", lambda group, name: None)
    position = solver.parse("makiaveli hand: 3S")
    assert position._repr_svg_() is None
