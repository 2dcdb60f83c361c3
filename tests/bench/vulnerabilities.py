"""Prints which pinned packages have known vulnerabilities: `python -m tests.bench.vulnerabilities [FILE]`.

Status 1 where one is known. A package that the database does not know, or a database that cannot be reached, is said
and does not fail: nothing is known then, which is not the same as nothing being wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default=str(ROOT / "constraints.txt"), help="pinned requirements")
    file = parser.parse_args(arguments).file
    if not Path(file).is_file():
        parser.error(f"{file}: no such file")
    command = [sys.executable, "-m", "pip_audit", "-r", file, "--no-deps", "--disable-pip", "--format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return _unknown(f"no answer within {SECONDS} s")
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return _unknown((done.stderr.strip().splitlines() or ["no answer"])[-1])
    known = [package for package in packages if "skip_reason" not in package]
    if packages and not known:
        return _unknown(f"it found none of the {len(packages)} packages")
    faults = [(package, fault) for package in known for fault in package["vulns"]]
    for package, fault in faults:
        fixed = ", ".join(fault["fix_versions"]) or "nothing yet"
        print(f"{package['name']} {package['version']}: {fault['id']}, fixed in {fixed}")
    for package in packages:
        if package not in known:
            print(f"not looked up: {package['name']} ({package['skip_reason']})", file=sys.stderr)
    print(f"vulnerabilities: {len(faults)} known in {len(known)} of {len(packages)} packages")
    return 1 if faults else 0


def _unknown(why: str) -> int:
    print(
        f"vulnerabilities: not known, the database cannot be asked from here ({why}); "
        "run `make audit` again on a machine that reaches it"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
