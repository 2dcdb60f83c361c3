"""What `pip install` brings works without a clone, and what needs a clone says so."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("package")  # the wheel is built once

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("plumbing", "solver", "drawing", "vision", "webapp", "models", "datasets/samples")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs."""
    made = tmp_path_factory.mktemp("wheel")
    source = made / "source"  # a copy: a build leaves folders behind
    for part in PARTS:
        skipped = shutil.ignore_patterns("__pycache__", "*.nb?")
        shutil.copytree(ROOT / part, source / part, symlinks=True, ignore=skipped)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(made)], cwd=source, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = made.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(made / "installed")
    return made / "installed"


def run_installed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the installed package and its dependencies, and without this clone."""
    # -S reads no .pth file: with one, an editable installation would find the clone.
    libraries = [path for path in sys.path if path and Path(path).resolve() != ROOT]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *libraries])}
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(
        command, cwd=folder.parent, env=environment, capture_output=True, text=True, timeout=3600, check=False
    )


def test_what_only_a_clone_has_is_left_out_and_all_else_is_there(installed: Path) -> None:
    clone = {path.relative_to(ROOT) for part in PARTS[:5] for path in (ROOT / part).rglob("*.py")}
    there = {path.relative_to(installed) for part in PARTS[:5] for path in (installed / part).rglob("*.py")}
    assert there == clone
    assert [path.name for path in (installed / "models").iterdir() if path.suffix == ".py"] == ["__init__.py"]
    assert not [path for path in (installed / "models").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert not (installed / "datasets").exists()
    for pattern in (
        "models/*.onnx",
        "models/SHA256SUMS",
        "models/preferences.json",
        "*/py.typed",
        "webapp/board/*",
        "webapp/samples/*",
    ):
        left = {p.name for p in ROOT.glob(pattern)} - {p.name for p in installed.glob(pattern)}
        assert left <= {"__pycache__", "README.md"}, pattern


def test_it_imports_helps_and_reads_a_photo(installed: Path) -> None:
    code = "import vision, solver, webapp, webapp.photo_session; print(vision.__file__)"
    imported = run_installed(installed, "-c", code)
    assert imported.stdout.startswith(str(installed)), imported.stderr
    drawn = run_installed(installed, "-c", "import solver; print(solver.parse('makiaveli hand: 3S')._repr_svg_())")
    assert drawn.stdout.startswith("<svg"), drawn.stderr
    helped = run_installed(installed, "-m", "vision.detect", "--help")
    assert helped.returncode == 0
    assert "example" in helped.stdout
    photo = ROOT / "datasets" / "samples" / "makiaveli_1.jpg"
    read = run_installed(installed, "-m", "vision.detect", str(photo), "--json")
    assert read.returncode == 0, read.stderr
    assert json.loads(read.stdout)["game"] == "makiaveli"


def test_the_old_name_of_a_command_says_the_new_one(installed: Path) -> None:
    done = run_installed(installed, "-m", "vision.convert", "photos")
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.fullmatch(r"error: .* has moved: run python -m vision\.convert_labels .*\n", done.stderr)


def test_the_image_for_docker_gets_what_its_steps_copy() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = re.findall(r"^COPY (.*) \S+$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert {f"!{name}" for name in names} == {line for line in allowed if line.startswith("!")}
