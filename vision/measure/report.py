"""What an evaluation says: rows as CSV and Parquet, a summary as JSON, and one page with plots and the worst photos."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from plumbing.errors import CardsError, describe_fault
from plumbing.files import whole_file
from plumbing.result_files import write_parquet
from solver.solution import wilson
from vision.measure.metrics import Calibration
from vision.measure.totals import Row, Totals, wrongness

COLUMNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("photo", "error", "kind", "game", "deck"), "string"),
    **dict.fromkeys(("photos", "width", "height", "turned"), "int64"),
    **dict.fromkeys(("part", "game_read"), "string"),
    "game_confidence": "float64",
    **dict.fromkeys(("game_right", "readable"), "bool_"),
    "chance_of_none": "float64",
    **dict.fromkeys(("none_told", "none_said"), "bool_"),
    **dict.fromkeys(("cards_there", "cards_right", "cards_found", "cards_right_distinct"), "int64"),
    **dict.fromkeys(("cards_found_distinct", "ranks_right"), "int64"),
    "cards_exact": "bool_",
    **dict.fromkeys(("missing", "extra"), "string"),
    **dict.fromkeys(("zones_right", "zones_seen", "wrong_cards"), "int64"),
    "misplaced": "string",
    **dict.fromkeys(("exact", "legal", "exact_auto", "exact_without_decoding"), "bool_"),
    "doubtful": "int64",
    "stands": "float64",
    "asked": "int64",
    "silently_wrong": "bool_",
    **dict.fromkeys(("checks", "verdict_true", "verdict_read"), "string"),
    "verdict_agrees": "bool_",
    "verdict_probability": "float64",
    **{f"seconds_{stage}": "float64" for stage in ("load", "detect", "read", "see", "join", "count", "layout")},
    **{f"seconds_{stage}": "float64" for stage in ("readable", "decode_file")},
}
"""Columns of every report in their order, with their types in Parquet: so reports can be joined."""


def write_report(rows: Iterable[Row], photos: Path, out: Path) -> dict[str, Any]:
    """Writes rows.csv, rows.parquet, summary.json and report.html.

    The rows are gone through three times, one by one, so that those of 100,000 photos never sit in memory together.

    Args:
        rows: Rows of `vision.measure.one_photo.evaluate_photo`, in a list, or in a store that can be read again.
        photos: The folder that the rows' photos are named in.
        out: The report's folder.

    Returns:
        The summary; its `lines` are what a person reads first.
    """
    totals = Totals()
    for row in rows:
        totals.add(row)
    summary = totals.summary()
    _csv(_flat(rows), COLUMNS, out / "rows.csv")
    write_parquet(_flat(rows), COLUMNS, out / "rows.parquet")
    with whole_file(out / "summary.json") as part:
        part.write_text(json.dumps(summary, indent=1), encoding="utf-8")
    with whole_file(out / "report.html") as part:
        part.write_text(page(totals, summary, photos), encoding="utf-8", errors="xmlcharrefreplace")
    return summary


def _flat(rows: Iterable[Row]) -> Iterator[Row]:
    return ({key: value for key, value in row.items() if key != "pairs"} for row in rows)


def _csv(rows: Iterable[Row], names: Collection[str], path: Path) -> None:
    with whole_file(path) as part, part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)


# The page


def page(totals: Totals, summary: Mapping[str, Any], photos: Path) -> str:
    """One self-contained HTML page."""
    figures = "".join(
        f"<tr><td>{html.escape(name)}</td><td>{s['right']} of {s['of']}</td><td>{_percent(s['share'])}</td>"
        f"<td>{s['low']:.1%} to {s['high']:.1%}</td></tr>"
        for name, s in summary["shares"].items()
    )
    plots = "".join(f'<img alt="{html.escape(name)}" src="{uri}">' for name, uri in _plots(totals, summary))
    worst = "".join(_shown(row, photos) for row in totals.worst())
    errors = "".join(f"<li>{html.escape(photo)}: {html.escape(error)}</li>" for photo, error in totals.errors)
    if summary["errors"] > len(totals.errors):
        errors += f"<li>and {summary['errors'] - len(totals.errors)} more, in rows.csv</li>"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Evaluation of {html.escape(photos.name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}}
table{{border-collapse:collapse}}td,th{{padding:.25rem .9rem .25rem 0;border-bottom:1px solid #ddd;text-align:left}}
img{{max-width:100%;margin:.5rem .5rem .5rem 0}}figure{{margin:1.5rem 0}}figcaption{{color:#444}}</style></head><body>
<h1>Evaluation of {html.escape(photos.name)}</h1>
<p>{summary["photos"]} photos, of which {summary["errors"]} could not be evaluated. Intervals are Wilson's, 95%.</p>
<table><tr><th>Figure</th><th>Count</th><th>Share</th><th>95% interval</th></tr>{figures}</table>
<h2>Plots</h2>{plots or "<p>Nothing to plot.</p>"}
<h2>Worst photos</h2>{worst or "<p>Every photo was read exactly.</p>"}
{"<h2>Photos that could not be evaluated</h2><ul>" + errors + "</ul>" if errors else ""}
</body></html>
"""


def _percent(share: float | None) -> str:
    return "not measured" if share is None else f"{share:.2%}"


def _shown(row: Row, photos: Path) -> str:
    import numpy as np

    from vision.framing import Frame
    from vision.image import encode, load, opencv
    from vision.photo_to_reading import read_images
    from vision.reading import annotate

    try:
        part = Frame(0, row.get("part")).cut(load(photos / row["photo"]))
        image = np.ascontiguousarray(np.rot90(part, row.get("turned", 0)))
        reading = read_images([image], row.get("game") or "cards")
    except (CardsError, OSError) as error:
        return f"<p>{html.escape(row['photo'])}: {html.escape(describe_fault(error))}</p>"
    drawn = annotate(image, reading)
    scale = min(1.0, 1000 / max(drawn.shape[:2]))
    if scale < 1:
        drawn = opencv().resize(drawn, None, fx=scale, fy=scale, interpolation=opencv().INTER_AREA)
    wrong = [f"{was} read as {said} ({p:.0%} sure)" for was, said, p, right in row.get("pairs", []) if not right]
    words = [row["photo"], f"{wrongness(row):g} wrong", *wrong]
    words += [f"{key}: {row[key]}" for key in ("missing", "extra") if row.get(key)]
    caption = html.escape("; ".join(words))
    return f'<figure><img alt="" src="{_uri(encode(drawn), "jpeg")}"><figcaption>{caption}</figcaption></figure>'


def _uri(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _plots(totals: Totals, summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name and picture of each plot."""
    import matplotlib

    matplotlib.use("Agg")
    kinds = ((totals.plotted, "cards"), (totals.standing, "positions"), (totals.none, "photos, no game"))
    plots = [(f"calibration of {what}", _plot_calibration(found, what)) for found, what in kinds if found.n]
    if summary["confusions"]:
        top = summary["confusions"][:15][::-1]
        bars = {f"{was} as {said}": n for was, said, n in top}
        plots.append(("confusions", _plot_bars(bars, "#E69F00", xlabel="cards", title="Confusions")))
    if summary["seconds"]:
        bars = {stage: 1000 * spent["median"] for stage, spent in summary["seconds"].items()}
        plot = _plot_bars(bars, "#009E73", xlabel="median ms", title="Time of each stage")
        plots.append(("time of each stage", plot))
    return plots


def _plot_calibration(found: Calibration, what: str) -> str:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 4))
    axes.plot([0, 1], [0, 1], ":", color="#777777")
    bins = zip(found.count, found.right, found.confidence, strict=True)
    for count, right, confidence in ((n, right, sure / n) for n, right, sure in bins if n):
        low, high = wilson(right, count)
        axes.plot([confidence] * 2, [low, high], color="#0072B2")
        axes.plot(confidence, right / count, "o", color="#0072B2")
    axes.set(xlabel="confidence", ylabel="share right", title=f"Calibration of {found.n} {what}")
    return _drawn(figure)


def _plot_bars(bars: Mapping[str, float], colour: str, *, xlabel: str, title: str) -> str:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 4))
    axes.barh(list(bars), list(bars.values()), color=colour)
    axes.set(xlabel=xlabel, title=title)
    return _drawn(figure)


def _drawn(figure: Any) -> str:
    """A figure as a PNG in a data URL."""
    import matplotlib.pyplot as plt

    buffer = io.BytesIO()
    figure.tight_layout()
    figure.savefig(buffer, dpi=100)
    plt.close(figure)
    return _uri(buffer.getvalue(), "png")
