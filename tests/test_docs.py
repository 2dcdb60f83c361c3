"""The pages tell what is true: links lead somewhere, and what the notation shows can be read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import baccarat, klondike, makiaveli, tomb_double, tomb_single

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    page
    for folder in (".", "docs", "datasets", "models", "solver", "tests", "vision")
    for page in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
)
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
GAMES: dict[str, Any] = {
    "makiaveli": makiaveli.Position,
    "klondike": klondike.Position,
    "tomb_single": tomb_single.Position,
    "tomb_double": tomb_double.Position,
    "baccarat": baccarat.Position,
}


def anchors(page: Path) -> set[str]:
    """Names of a page's headings, as forges and MkDocs make them."""
    headings = re.findall(r"^#+ +(.*)$", FENCED.sub("", page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> Iterator[str]:
    """Links to a file or a heading that is not there."""
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", page.read_text(encoding="utf-8"))):
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if "://" in link:
            continue
        if not target.exists() or (heading and target.suffix == ".md" and heading not in anchors(target)):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert not list(broken_links(page))


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n[there](page.md#a-page) [nowhere](page.md#gone) [no file](gone.md)\n")
    assert list(broken_links(page)) == ["page.md#gone", "gone.md"]


def test_lines_of_the_notation_are_read_and_printed() -> None:
    lines = [line for line in NOTATION.splitlines() if line.split(" ")[0] in GAMES]
    assert {line.split(" ")[0] for line in lines} == set(GAMES)
    for line in lines:
        kind = GAMES[line.split(" ")[0]]
        position = kind.parse(line)
        assert kind.parse(str(position)) == position
        assert not position.problems()


def test_json_of_the_notation_is_read() -> None:
    objects = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", NOTATION, re.MULTILINE | re.DOTALL)]
    positions = [data for data in objects if "verdict" not in data]
    assert {data["game"] for data in positions} == set(GAMES) - {"baccarat"}
    for data in positions:
        kind = GAMES[data["game"]]
        position = kind.from_json(data)
        assert kind.from_json(position.to_json()) == position


def test_the_fields_and_limits_of_a_reading_are_those_of_the_program() -> None:
    from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
    from vision.judgement import Judged
    from vision.read_card import Photo
    from vision.reading import Reading

    section = NOTATION.split("## Readings of photos")[1].split("\n## ")[0]
    assert set(re.findall(r"\d+%", section)) == {f"{PART_SURE_FROM:.0%}", f"{WHOLE_STANDS_FROM:.0%}"}
    position = makiaveli.Position.parse("makiaveli floor: 7C 7D 7H; hand: 3S")
    reading = Reading((Photo("a.jpg", 9, 9),), "makiaveli", 1.0, (), (), position)
    solution = makiaveli.solve(position)
    body = reading.to_json() | Judged(solution, "why", verdict_probability=1.0).to_json(reading)
    assert set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) <= set(body)
    assert set(body) <= set(re.findall(r"`(\w+)`", section)), "each field that is written stands there"
    answers = NOTATION.split("## Answers")[1].split("## Readings of photos")[0]
    assert set(solution.to_json()) <= set(re.findall(r"\W(\w+)\W", answers))


def test_the_tutorial_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    from vision.detect import main

    shown = re.search(r"^```text\n(datasets/.*?)^```", (ROOT / "docs/tutorial.md").read_text("utf-8"), re.M | re.S)
    assert shown
    photo = ROOT / shown[1].split(":", 1)[0]
    assert main([str(photo)]) == 0
    lines = [re.sub(r"\d+\.\d%", "%", text) for text in (shown[1], capsys.readouterr().out)]
    assert lines[1].removeprefix(f"{ROOT}/") == lines[0], "but for the probability, which each training changes"


PROSE_WIDTH = 130


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_prose_is_wrapped(page: Path) -> None:
    """Tables, code, pictures, links and quoted output stay as they are."""
    fenced, wide = False, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        kept = fenced or line.lstrip().startswith(("|", "![", "    ", "#", "<")) or line.startswith("  ")
        if len(line) > PROSE_WIDTH and not kept:
            wide.append(number)
    assert not wide
