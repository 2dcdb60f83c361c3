"""The example programs and the notebook's cells run as they stand, and find what they promise."""

from __future__ import annotations

import contextlib
import io
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run_main(name: str, *arguments: Any) -> str:
    """What an example's `main` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(EXAMPLES / name))["main"](*arguments)
    return printed.getvalue()


@pytest.mark.xdist_group("makiaveli")
def test_photo_to_verdict() -> None:
    printed = run_main("photo_to_verdict.py", EXAMPLES.parent / "datasets" / "samples" / "makiaveli_1.jpg")
    assert "makiaveli floor:" in printed
    assert "win in 1 turn\n1. From meld 1" in printed


@pytest.mark.xdist_group("makiaveli")
def test_what_if() -> None:
    printed = run_main("what_if.py", "makiaveli floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S")
    assert "as it is: no win" in printed
    assert "with 4S: win in 1 turn" in printed


@pytest.mark.xdist_group("klondike")
def test_chances() -> None:
    printed = run_main("chances.py", 10)
    assert "n = 10, seed 1" in printed
    assert "undecided: 0" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["photo_to_verdict.py", "nothere.jpg"], "error: nothere.jpg: no such file"),
        (["chances.py", "many"], "'many' is no whole number from 1"),
        (["chances.py", "0"], "'0' is no whole number from 1"),
    ],
)
def test_a_bad_argument_is_told_without_a_traceback(words: list[str], said: str) -> None:
    command = [sys.executable, str(EXAMPLES / words[0]), *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.xdist_group("makiaveli")
def test_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not [cell for cell in notebook["cells"] if cell.get("outputs")], "outputs are not kept: they grow old"
    variables: dict[str, Any] = {}
    for number, source in enumerate(sources, start=1):
        exec(compile(source, f"cell {number}", "exec"), variables)
    assert variables["solution"].verdict == "win"
    assert variables["reading"].game == "makiaveli"
    assert all(variables[name]._repr_svg_().startswith("<svg") for name in ("table", "solution"))
