"""Numba's compiler, whose cache on disk also notices changes in other files.

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
from functools import cache
from pathlib import Path
from typing import Any, Final

_IMPORT: Final = re.compile(r"^from ([\w.]+) import (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def compile_lazily(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A dispatcher as of `numba.njit(**options)`, which keeps what it compiles on disk until its sources change.

    This needs names that Numba calls private. Of a Numba that has not got them the dispatcher is a plain one, which
    keeps nothing on disk: then each process compiles what it uses, and none ever runs a kernel of other sources.
    """
    import numba

    try:
        return _cached(function, options)
    except (AttributeError, ImportError, KeyError, TypeError):
        return numba.njit(**{name: value for name, value in options.items() if not name.startswith("_")})(function)


def _cached(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """The dispatcher, whose cache is told of all sources and loads quickly; raises where Numba names its parts anew."""
    import numba
    from numba.core.runtime.nrt import rtsys

    compile_lazily: Any = numba.njit  # its types do not name all that it takes
    dispatcher = compile_lazily(cache=True, no_cfunc_wrapper=True, **options)(function)  # nothing calls kernels from C
    on_disk = dispatcher._cache
    for holder, name in (
        (dispatcher.targetdescr.options, "no_cfunc_wrapper"),  # options are first looked at when something is compiled
        (dispatcher.targetdescr.options, "_nrt"),
        (on_disk._cache_file, "_source_stamp"),
    ):
        getattr(holder, name)
    guard, load, initialize = on_disk._guard_against_spurious_io_errors, on_disk._load_overload, rtsys.initialize

    def load_overload(signature: Any, target: Any) -> Any:
        """`numba.core.caching.Cache.load_overload` without `target.refresh()`; None where it is not on disk."""
        initialize(target)  # what a loaded kernel does need of all that: arrays are counted by it
        with guard():
            return load(signature, target)

    load_index = on_disk._cache_file._load_index

    def load_known_index() -> Any:
        """What is on disk; nothing where that names a class that there is no longer, which must be of other sources."""
        try:
            return load_index()
        except (AttributeError, ImportError):
            return {}

    on_disk._cache_file._load_index = load_known_index
    # The one place to say so: Numba compares this stamp with the one on disk, and its own is of one file only.
    stamp = digest_sources(Path(function.__code__.co_filename).resolve(), function.__module__)
    on_disk._cache_file._source_stamp = stamp
    on_disk.load_overload = load_overload
    return dispatcher


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
