"""What `pyproject.toml` says of this package: its version and its entry points.

In a clone the file itself is read: a clone need not be installed, and the metadata of an editable installation are as
old as its last `pip install`. An installed package has no such file; there its metadata say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

NAME: Final = "could-i-have-won"
_PYPROJECT: Final = Path(__file__).resolve().parents[1] / "pyproject.toml"


@cache
def _project() -> Mapping[str, Any] | None:
    """The `project` table of a clone's `pyproject.toml`, None where the package is installed."""
    if not _PYPROJECT.is_file():
        return None
    import tomllib

    project: Mapping[str, Any] = tomllib.loads(_PYPROJECT.read_text(encoding="utf-8")).get("project", {})
    return project if project.get("name") == NAME else None


def version() -> str:
    """The version, as `0.3.0`."""
    from importlib import metadata  # 30 ms, which no command should wait for

    project = _project()
    return metadata.version(NAME) if project is None else str(project["version"])


@cache
def load_entry_point(group: str, name: str) -> Any:
    """The object that an entry point names; None where there is no such entry point."""
    from importlib import metadata
    from pkgutil import resolve_name

    project = _project()
    if project is None:
        found = {entry.name: entry.value for entry in metadata.entry_points(group=group)}
    else:
        found = project.get("entry-points", {}).get(group, {})
    return resolve_name(found[name]) if name in found else None
