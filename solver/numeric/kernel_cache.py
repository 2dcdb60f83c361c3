"""Numba's `njit`, whose cache on disk also notices changes in other files.

Numba compiles a cached kernel anew when the kernel's own file has changed. It misses a change in a function or constant
that the kernel takes from another file, and then gives the results of the old code. Here a kernel is also compiled
anew when any file of its package has changed that its file imports, directly or through other files.

Before Numba loads a kernel from disk it also imports all that its compiler knows of Python and NumPy, a hundred modules
and SciPy where that is installed, and registers it: a sixth of a second in each process, twice as much with SciPy. Only
to compile something takes these, and compiling fetches them itself. Here a kernel that is on disk is loaded without.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_IMPORT: Final = re.compile(r"^from ([\w.]+) import (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """Declares a kernel as `numba.njit(**options)` does; `cache=True` keeps it on disk until its sources change."""

    def declare(function: Kernel) -> Kernel:
        import numba

        compile_lazily: Any = numba.njit  # its types do not name all that it takes
        dispatcher = compile_lazily(no_cfunc_wrapper=True, **options)(function)  # nothing calls kernels from C
        if options.get("cache"):
            on_disk = dispatcher._cache
            # The one place to say so: Numba compares this stamp with the one on disk, and its own is of one file only.
            on_disk._cache_file._source_stamp = digest_sources(
                Path(function.__code__.co_filename).resolve(), function.__module__
            )
            on_disk.load_overload = partial(_load, on_disk)
        return cast(Kernel, dispatcher)

    return declare


def _load(on_disk: Any, signature: Any, target: Any) -> Any:
    """`numba.core.caching.Cache.load_overload` without `target.refresh()`; None where the kernel is not on disk."""
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(target)  # what a loaded kernel does need of all that: arrays are counted by it
    with on_disk._guard_against_spurious_io_errors():
        return on_disk._load_overload(signature, target)


def digest_sources(file: Path, module: str) -> str:
    """SHA-256 of the source files that a module is made of: its own, and those that it imports from its package.

    A package's `__init__.py` only gathers names, so it does not count.

    Args:
        file: The module's file.
        module: Its name, as `solver.klondike.kernels`.

    Returns:
        A hexadecimal digest, the same in every process as long as none of these files changes.
    """
    root = file.parents[module.count(".")]
    digest = hashlib.sha256()
    for path in sorted(_sources(file, root)):
        digest.update(hashlib.sha256(_content(path)).digest())
    return digest.hexdigest()


def _sources(file: Path, root: Path) -> set[Path]:
    found: set[Path] = set()
    to_read = [file]
    while to_read:
        path = to_read.pop()
        if path not in found:
            found.add(path)
            to_read.extend(_imported(path, root))
    return found


@cache
def _imported(path: Path, root: Path) -> tuple[Path, ...]:
    """Files below the root that a file's `from ... import ...` lines name."""
    package = path.relative_to(root).parts[0]

    def modules() -> Iterator[str]:
        for module, several, one in _IMPORT.findall(_content(path).decode()):
            if module.split(".")[0] == package:
                yield module
                yield from (f"{module}.{name}" for name in re.findall(r"(\w+)(?: as \w+)?", several or one))

    files = (root.joinpath(*module.split(".")).with_suffix(".py") for module in modules())
    return tuple(file for file in files if file.exists())


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()
