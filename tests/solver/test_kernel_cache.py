"""A kernel on disk is made anew when what it takes from another file has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from solver.numeric import kernel_cache

ROOT = Path(__file__).resolve().parents[2]

CALLER = """
from solver.numeric.jit import kernel
from toy.room import {imported}

@kernel()
def caller():
    return {said}
"""
CALLEE = """
from solver.numeric.jit import kernel

NUMBER = {number}

@kernel()
def callee():
    return NUMBER
"""


ARRAYS = """
import numpy as np
from solver.numeric.jit import kernel

@kernel()
def moved(numbers, by, sign):
    total = 0.0
    for number in numbers:
        total += np.sqrt(number)
    if total < 0:
        raise ValueError("negative")
    return numbers + by, np.sort(numbers)[::sign], total, numbers.sum() > 2
"""
ASKED = """
import sys
import numpy as np
from toy.arrays import moved
found = moved(np.array([4, 1, 9]), np.uint64(3), -1)
hits, compiler = sum(moved.compiled.stats.cache_hits.values()), "numba.typed.dictimpl" in sys.modules
print([part.tolist() if hasattr(part, "tolist") else part for part in found], hits, compiler)
"""


def printed(asked: str, folder: Path) -> str:
    """What a program prints in a process of its own that keeps its kernels in the folder."""
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "NUMBA_CACHE_DIR": str(folder / "cache")}
    # -B: Python takes bytecode for fresh where a file has changed within a second and kept its size.
    return subprocess.run(
        [sys.executable, "-B", "-c", asked], env=environment, capture_output=True, text=True, check=True, cwd=folder
    ).stdout


def run(folder: Path) -> tuple[int, int]:
    """What the kernel gives in a new process, and how often it was loaded from disk."""
    asked = "from toy.caller import caller; print(caller(), sum(caller.compiled.stats.cache_hits.values()))"
    result, hits = map(int, printed(asked, folder).split())
    return result, hits


@pytest.mark.parametrize(
    ("imported", "said"),
    [("callee", "callee.callee()"), ("callee as of_callee", "of_callee.NUMBER")],
    ids=["a function", "a constant"],
)
def test_a_change_in_another_file_is_noticed(tmp_path: Path, imported: str, said: str) -> None:
    room = tmp_path / "toy" / "room"
    room.mkdir(parents=True)
    (tmp_path / "toy" / "caller.py").write_text(CALLER.format(imported=imported, said=said))
    (room / "callee.py").write_text(CALLEE.format(number=1))
    assert run(tmp_path) == (1, 0)
    assert run(tmp_path) == (1, 1)
    (room / "callee.py").write_text(CALLEE.format(number=2))
    assert run(tmp_path) == (2, 0)


def test_the_digest_is_of_the_files_that_a_kernel_can_see(tmp_path: Path) -> None:
    kernels = Path("solver", "klondike", "one_card_kernels.py")
    shutil.copytree(ROOT / "solver", tmp_path / "solver", ignore=shutil.ignore_patterns("__pycache__"))

    def digest_after(changed: str) -> str:
        with (tmp_path / "solver" / changed).open("a") as file:
            file.write("# changed\n")
        kernel_cache._content.cache_clear()
        return kernel_cache.digest_sources(tmp_path / kernels, "solver.klondike.one_card_kernels")

    before = digest_after("klondike/one_card_kernels.py")
    assert digest_after("klondike/command.py") == before
    for seen in ("klondike/kernels.py", "numeric/bits.py"):
        after = digest_after(seen)
        assert after != before
        before = after


def test_a_kernel_on_disk_is_loaded_without_numbas_own_functions(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "arrays.py").write_text(ARRAYS)
    result = "[[7.0, 4.0, 12.0], [9, 4, 1], 6.0, True]"
    assert printed(ASKED, tmp_path).strip() == f"{result} 0 True"
    assert printed(ASKED, tmp_path).strip() == f"{result} 1 False"
    # A process that has loaded one compiles what else it needs.
    other_kind = ASKED.replace("hits,", "found = moved(np.array([4.0, 1.0, 9.0]), 3.0, -1)\nhits,", 1)
    assert printed(other_kind, tmp_path).strip() == "[[7.0, 4.0, 12.0], [9.0, 4.0, 1.0], 6.0, True] 1 True"


HIDDEN = """
from numba.core.caching import Cache, IndexDataCacheFile
from numba.core.cpu import CPUTargetOptions
from numba.core.runtime import nrt

options = next(kind for kind in CPUTargetOptions.__mro__ if "_nrt" in vars(kind))
kept = IndexDataCacheFile.__init__

def without_stamp(self, *args, **kwargs):
    kept(self, *args, **kwargs)
    del self._source_stamp

{hiding}
"""


@pytest.mark.parametrize(
    "hiding",
    [
        "del Cache._load_overload",
        "del nrt.rtsys",
        "del options.no_cfunc_wrapper",
        "IndexDataCacheFile.__init__ = without_stamp",
    ],
)
def test_a_numba_with_other_private_names_compiles_in_each_process(hiding: str, tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "arrays.py").write_text(ARRAYS)
    said = printed(HIDDEN.format(hiding=hiding) + ASKED, tmp_path).strip()
    assert said == "[[7.0, 4.0, 12.0], [9, 4, 1], 6.0, True] 0 True"
    assert not list(tmp_path.rglob("*.nbi"))


RENAMED = """
from typing import NamedTuple
from solver.numeric.jit import kernel

class {name}(NamedTuple):
    number: int

@kernel()
def caller(pair):
    return pair.number
"""


def test_a_kernel_on_disk_of_a_class_that_is_gone_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    for name in ("Table", "KernelTable"):
        (tmp_path / "toy" / "caller.py").write_text(RENAMED.format(name=name))
        asked = f"from toy.caller import {name}, caller; print(caller({name}(3)))"
        assert printed(asked, tmp_path).strip() == "3"
