"""axe-core, the usual checker of accessibility, from the npm registry; kept beside the tour's pictures."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Page

VERSION: Final = "4.10.3"
KEPT: Final = Path(tempfile.gettempdir()) / f"axe-core-{VERSION}.js"


def script() -> str | None:
    """axe-core's script, fetched once; None where there is no npm or no registry."""
    if not KEPT.is_file():
        npm = shutil.which("npm")
        if npm is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([npm, "pack", f"axe-core@{VERSION}"], cwd=folder, capture_output=True, check=False)
            found = list(Path(folder).glob("*.tgz"))
            if done.returncode or not found:
                return None
            with tarfile.open(found[0]) as package:
                member = package.extractfile("package/axe.min.js")
                assert member is not None
                KEPT.write_bytes(member.read())
    return KEPT.read_text(encoding="utf-8")


def violations(page: Page, source: str) -> list[str]:
    """What axe-core finds wrong with a page by WCAG 2.1 A and AA, a line each."""
    page.evaluate(source + "; null")
    found = page.evaluate(
        """() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then((result) =>
          result.violations.flatMap((rule) => rule.nodes.map((node) =>
            `${rule.id}: ${rule.help}: ${node.target.flat().join(" ").slice(-120)}`)))"""
    )
    return [str(line) for line in found]
