"""Writes the signs of the page as a small font: `python -m tools.icon_font`, which needs `pip install brotli`.

Streamlit brings Google's Material Symbols (Apache License 2.0), 375 KB with thousands of signs. The board shows some
hundred of them; a browser gets only those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import streamlit
from fontTools import subset
from fontTools.ttLib import TTFont

PAGE: Final = Path(__file__).parents[1] / "webapp"
FONT: Final = PAGE / "static" / "icons.woff"
NAME: Final = re.compile(r"""(?<=["'`>])[a-z][a-z0-9_]+(?=["'`<])""")
"""What may name a sign; most of it is something else."""


def named() -> set[str]:
    """The words of the page's code that may name a sign."""
    files = (path for path in PAGE.rglob("*") if path.suffix in (".js", ".py", ".css", ".html"))
    return {word for path in files for word in NAME.findall(path.read_text(encoding="utf-8"))}


def signs(font: TTFont) -> Iterator[tuple[str, list[str]]]:
    """The names that a font shows as a sign, each with the glyphs that it takes."""
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    tables: list[Any] = [table for lookup in font["GSUB"].table.LookupList.Lookup for table in lookup.SubTable]
    for table in (getattr(table, "ExtSubTable", table) for table in tables):
        for first, ligatures in getattr(table, "ligatures", {}).items():
            for ligature in ligatures:
                glyphs = [first, *ligature.Component]
                if all(glyph in letters for glyph in glyphs):
                    yield "".join(letters[glyph] for glyph in glyphs), [*glyphs, ligature.LigGlyph]


def main() -> None:
    """Writes the font and prints its size."""
    (whole,) = Path(streamlit.__file__).parent.glob("static/static/media/MaterialSymbols-Rounded*.woff2")
    font, words = TTFont(whole), named()
    found = {name: glyphs for name, glyphs in signs(font) if name in words}
    options = subset.Options(layout_features=["rlig"], layout_closure=False, flavor="woff", hinting=False)
    cutter = subset.Subsetter(options)
    cutter.populate(glyphs={glyph for glyphs in found.values() for glyph in glyphs})
    cutter.subset(font)
    subset.save_font(font, str(FONT), options)
    print(f"{FONT.name}: {len(found)} signs, {FONT.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
