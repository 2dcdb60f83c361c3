"""HiGHS prints nothing: HiGHS 1.16 says its name while it is being made, in the middle of what `--json` prints."""

from __future__ import annotations

from pathlib import Path

import highspy
import pytest

from plumbing.linear_programs import silent_highs

ROOT = Path(__file__).parents[2]


def test_highs_is_silent_at_its_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = []
    monkeypatch.setattr(
        highspy.Highs, "enableCallbacks", lambda self: flags.append(self.getOptionValue("output_flag")[1])
    )
    made = silent_highs()
    assert flags == [False]
    assert made.getOptionValue("output_flag")[1] is False


def test_nothing_prints_while_a_program_is_solved(capfd: pytest.CaptureFixture[str]) -> None:
    made = silent_highs()
    made.addVar(0.0, 1.0)
    made.run()
    assert capfd.readouterr().out == ""


def test_no_other_module_makes_one() -> None:
    rooms = ("plumbing", "solver", "drawing", "vision", "datasets", "models", "webapp")
    files = (file for room in rooms for file in (ROOT / room).rglob("*.py"))
    assert [file.name for file in files if "Highs()" in file.read_text("utf-8").replace("SilentHighs()", "")] == []
