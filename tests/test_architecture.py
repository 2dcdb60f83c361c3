"""Imports go one way, and each module imports alone.

plumbing <- solver <- drawing <- vision <- webapp
models (training) and datasets (scenes) import from all of them but webapp, and nobody imports them. A module that is
named in a string, to be imported later, counts like one that is imported.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import solver
import vision
from datasets.games.game import GameScene, scene_of
from datasets.layouts import FAMILIES
from drawing import boards
from models.table_layout.data import SHARES
from solver.games import COMMANDS, GAMES, GameEntry
from tests.conformance import CASES
from vision.fingerprints import find_code
from vision.layout import vocabulary
from vision.layout.game_layout import GameLayout, layout_of
from webapp.games.game import GamePage, page_of

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("plumbing", "solver", "drawing", "vision", "webapp")
"""Each may use only those before it."""
PACKAGES = (*ROOMS, "datasets", "models")
CLONE_ONLY = {"datasets", "models"}
"""What renders and trains: it may use everything, nobody may use it."""
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
PACKAGES_OF_GAMES = ("makiaveli", "klondike", "tomb_single", "tomb_double", "baccarat")
KNOWS_ALL_GAMES = {"solver", "solver.games"}
SAY_GAMES = {
    *("solver", "solver.games", "vision.layout.vocabulary", "models.table_layout.data"),
    *("datasets.layouts", "datasets.layouts.no_game", "datasets.layouts.tombs"),
    "webapp.app",
}
"""Modules with a row for each game: its part, its zones, what to train on, ways to lay it."""
HEAVY = {"torch", "torchvision", "ultralytics"}
PICTURES_AND_PAGES = {"av", "cv2", "onnxruntime", "streamlit"}
MODULE_NAME = re.compile(rf"({'|'.join(PACKAGES)})(\.\w+)*\.?")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = set(map(module_name, MODULES))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path, *, top_level_only: bool = False) -> frozenset[str]:
    tree = tree_of(path)
    lazy: set[ast.AST] = set()
    if top_level_only:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lazy.update(ast.walk(node))
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                lazy.update(ast.walk(node))
    names: set[str] = set()
    for node in ast.walk(tree):
        if node in lazy:
            continue
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            modules = {f"{node.module}.{alias.name}" for alias in node.names} & NAMES
            names.update(modules if len(modules) == len(node.names) else {node.module, *modules})
    return frozenset(names)


def named_in_strings(tree: ast.AST) -> set[str]:
    """The modules of ours that strings name: `"vision.layout"`, the beginning of `f"vision.layout.{word}"`, and
    `"vision"` where it is imported by its name.
    """
    found = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    names = {name.rstrip(".") for name in found if "." in name and MODULE_NAME.fullmatch(name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            constants = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            names |= {str(name) for name in constants} & set(PACKAGES)
    return names


@cache
def used(path: Path) -> frozenset[str]:
    """The modules that a module imports, or names in order to import them."""
    return imported(path) | named_in_strings(tree_of(path))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('import_module("vision")', {"vision"}),
        ('import_module(f"vision.layout.{word}")', {"vision.layout"}),
        ('PARTS = {"board": "drawing.games"}', {"drawing.games"}),
        ('part = "webapp.games." + word', {"webapp.games"}),
        ('print("python -m vision.detect table.jpg", "vision")', set()),
    ],
)
def test_modules_named_in_strings_are_seen(line: str, names: set[str]) -> None:
    assert named_in_strings(ast.parse(line)) == names


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = {module_name(path): imported(path) & NAMES for path in MODULES}  # late imports hide no cycle either
    while ready := [name for name, needs in left.items() if not needs & set(left)]:
        for name in ready:
            del left[name]
    assert not left, "these import each other, or what does"


def test_what_kept_readings_leave_out_of_their_fingerprint_reads_no_photo() -> None:
    paths = dict(zip(map(module_name, MODULES), MODULES, strict=True))
    found = {"vision.history.read_tables", "vision.film.rests", "vision.film.film_file"}
    while more := {name for module in found for name in used(paths[module]) & NAMES} - found:
        found |= more
    left_out = set(find_code(only_reads=False)) - set(find_code(only_reads=True))
    assert left_out >= {ROOT / "vision" / name for name in ("history/lattice.py", "record.py", "turn/legality.py")}
    assert not left_out.intersection(paths[name] for name in found)


def top(names: Iterable[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_follow_the_one_direction(path: Path) -> None:
    name, names = module_name(path), used(path)
    package = name.split(".")[0]
    if package in ROOMS:
        assert not top(names) & set(ROOMS[ROOMS.index(package) + 1 :])
        assert not top(names) & CLONE_ONLY, "what reads a photo works without a clone"
    if package in ("plumbing", "solver", "drawing"):
        assert not top(names) & (PICTURES_AND_PAGES | HEAVY)
    if package == "drawing":
        own = {name for name in names if name.startswith("solver")}
        assert own <= {"solver.cards", "solver.place", "solver.position"}, "a position's JSON is all that is drawn"
        assert not top(names) & {"numpy", "numba"}
    if package == "datasets":
        assert not top(names) & {"models", "webapp"}
    if package == "webapp":
        assert not top(names) & {"av", "cv2", "onnxruntime"}, "the page holds no image processing"
    assert not top(imported(path, top_level_only=True)) & HEAVY or name.startswith("models."), (
        "torch and ultralytics are imported only where training asks for them"
    )


@pytest.mark.parametrize("path", [p for p in MODULES if p.is_relative_to(ROOT / "solver")], ids=module_name)
def test_no_game_knows_another(path: Path) -> None:
    name, names = module_name(path), used(path)
    if name in KNOWS_ALL_GAMES:
        return
    own = name.split(".")[1] if name.count(".") else ""
    for game in PACKAGES_OF_GAMES:
        if game != own:
            assert not {n for n in names if n == f"solver.{game}" or n.startswith(f"solver.{game}.")}


@pytest.mark.parametrize("path", [p for p in MODULES if p.stem != "kernel_cache"], ids=module_name)
def test_kernels_are_declared_where_stale_ones_are_noticed(path: Path) -> None:
    uses = [n for n in ast.walk(tree_of(path)) if isinstance(n, ast.ImportFrom)]
    assert not {alias.name for n in uses if n.module == "numba" for alias in n.names} & {"jit", "njit"}


@pytest.mark.parametrize(("path", "allowed"), [("solver/cards.py", {"plumbing.errors"}), ("plumbing/errors.py", set())])
def test_leaves_import_nothing_of_ours_but_errors(path: str, allowed: set[str]) -> None:
    assert {name for name in imported(ROOT / path) if name.split(".")[0] in PACKAGES} <= allowed


@pytest.mark.parametrize("path", [p for p in MODULES if p.is_relative_to(ROOT / "solver")], ids=module_name)
def test_nobody_inside_uses_the_front_door(path: Path) -> None:
    assert "solver" not in imported(path)


@pytest.mark.parametrize("game", COMMANDS.values(), ids=lambda game: game.word)
def test_each_part_of_a_game_is_where_its_row_says(game: GameEntry) -> None:
    assert game.position.game == game.word
    assert callable(game.command.add_arguments)
    assert callable(game.command.run)
    assert {"Position", "random_deal"} <= set(game.solver.__all__)
    assert game.solver is getattr(solver, game.word)
    if game.word in GAMES:
        assert {"answer", "solve"} <= set(game.solver.__all__)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.word)
def test_each_room_knows_each_game(game: GameEntry) -> None:
    assert isinstance(layout_of(game.word), GameLayout)
    assert game.word in boards.GAMES
    assert isinstance(page_of(game.word), GamePage)
    assert game.word in vocabulary.ZONES
    assert isinstance(scene_of(game.word), GameScene)
    assert game.word in SHARES, "how often the layout network is trained on it"
    assert game.word in {case.game for case in CASES}
    assert {found.game for found in FAMILIES} - {None} == set(GAMES)


def says_another_game(path: Path) -> bool:
    """Whether a module holds the word of a game that is not its own."""
    own = module_name(path).replace(".", "_")
    constants = {node.value for node in ast.walk(tree_of(path)) if isinstance(node, ast.Constant)}
    return any(game.word in constants and game.word not in own for game in COMMANDS.values())


def test_nobody_else_branches_on_a_games_word() -> None:
    assert {module_name(path) for path in MODULES if says_another_game(path)} <= SAY_GAMES


@pytest.mark.parametrize("package", [solver, vision])
def test_all_that_the_front_door_names_is_there(package: ModuleType) -> None:
    assert dir(package) == package.__all__ == sorted(package.__all__)
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'telescope'"):
        package.telescope  # noqa: B018


def test_the_front_door_is_light() -> None:
    script = "import sys; from solver import Solution, answer, parse, verify; import vision; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert not {"numpy", "numba", "av", "cv2", "onnxruntime", "solver.klondike"} & set(loaded.split())


def test_the_page_begins_without_what_reads_photos() -> None:
    script = "import sys, webapp.page.table; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert not {"av", "cv2", "onnxruntime"} & set(loaded.split()), "it comes up first, and tells what is missing"


IMPORT_EACH_ALONE = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    ours = ("plumbing", "solver", "drawing", "vision", "datasets")
    for loaded in [m for m in sys.modules if m.split(".")[0] in ours]:
        del sys.modules[loaded]
"""


def test_each_module_imports_alone() -> None:
    skipped = ("webapp", "models.train")
    names = [n for n in map(module_name, MODULES) if not n.startswith(skipped) and not n.endswith("__main__")]
    command = [sys.executable, "-c", IMPORT_EACH_ALONE, *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
