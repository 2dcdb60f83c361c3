"""Prints what a library would add to the light installation: packages and the megabytes of their wheels.

    python tools/trials/added_packages.py cyclopts supervision scipy

pip resolves both installations and installs neither.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]


def pip(*arguments: str) -> str:
    """What pip prints."""
    command = [sys.executable, "-m", "pip", "--quiet", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def resolve(*requirements: str) -> dict[str, str]:
    """Each package that the requirements would install, with its version."""
    report = json.loads(pip("install", "--dry-run", "--ignore-installed", "--report", "-", *requirements))
    return {row["metadata"]["name"]: row["metadata"]["version"] for row in report["install"]}


def megabytes(packages: dict[str, str]) -> float:
    """What the wheels of the packages weigh."""
    with TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--dest", folder, *(f"{name}=={version}" for name, version in packages.items()))
        return sum(wheel.stat().st_size for wheel in Path(folder).iterdir()) / 1e6


def main() -> None:
    """Prints a line for each library."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY")
    light = resolve(str(ROOT))
    for library in parser.parse_args().libraries:
        added = {name: version for name, version in resolve(str(ROOT), library).items() if name not in light}
        print(f"{library}: {len(added)} packages, {megabytes(added):.1f} MB ({', '.join(sorted(added))})")


if __name__ == "__main__":
    main()
