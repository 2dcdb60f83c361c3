"""README's commands run as they stand: each line of a fenced `sh` block, in a folder with the samples and models."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.replace("\\\n", "").splitlines() if line and line[0] != "#"]
# make runs in CI itself; a server never ends.
RUNNABLE = [command for command in COMMANDS if not command.startswith(("make", "git", "cd", "pip", "streamlit"))]
HANGS = 3600
"""Seconds after which a command is taken to hang: the first run compiles kernels, on a busy machine for long."""


def test_first_screen_names_the_two_commands() -> None:
    first_screen = README[:3000]
    assert "make demo" in first_screen
    assert "make test" in first_screen
    assert re.search(r"!\[[^\]]+\]\([^)]+\.(png|jpg)\)", first_screen), (
        "a picture with a text for those who don't see it"
    )


def test_links_inside_the_repo_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", README)
    missing = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert not missing


def test_the_lines_for_programs_say_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = doctest.testfile("README.md", module_relative=False, encoding="utf-8")
    assert done.attempted > 10
    assert done.failed == 0


def test_the_figures_of_accuracy_stand_in_the_model_card() -> None:
    card = " ".join((ROOT / "models" / "README.md").read_text(encoding="utf-8").split())  # a figure may cross lines
    shares = re.findall(r"\d+\.\d% \[[\d., ]+\]", README[README.index("## Accuracy") : README.index("## Speed")])
    assert len(shares) >= 4
    for share in shares:
        assert share in card, share


@pytest.mark.parametrize("command", RUNNABLE)
def test_command_works(command: str, tmp_path: Path) -> None:
    for name in ("datasets", "models"):
        (tmp_path / name).symlink_to(ROOT / name)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "MPLBACKEND": "Agg",
    }
    shell = shutil.which("bash") or "sh"
    done = subprocess.run(
        [shell, "-c", command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
