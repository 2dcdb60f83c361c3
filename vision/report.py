"""What an evaluation says: rows as CSV and Parquet, a summary as JSON, and one page with plots and the worst photos."""

from __future__ import annotations

import base64
import csv
import html
import importlib
import importlib.util
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.errors import CardsError
from solver.solution import wilson
from vision.metrics import expected_calibration_error, proportion

SURE: Final = 0.95
WORST: Final = 12
"""Photos shown in the page."""
Row = Mapping[str, Any]


def write_report(rows: Sequence[Row], photos: Path, out: Path) -> dict[str, Any]:
    """Writes rows.csv, rows.parquet (where pyarrow is installed), summary.json and report.html.

    Args:
        rows: Rows of `vision.evaluate.evaluate_photo`.
        photos: The folder that the rows' photos are named in.
        out: The report's folder.

    Returns:
        The summary; its `lines` are what a person reads first.
    """
    summary = summarise(rows)
    flat = [{key: value for key, value in row.items() if key != "pairs"} for row in rows]
    names = list(dict.fromkeys(key for row in flat for key in row))
    _replace(out / "rows.csv", _csv(flat, names))
    if importlib.util.find_spec("pyarrow"):
        _parquet(flat, names, out / "rows.parquet")
    _replace(out / "summary.json", json.dumps(summary, indent=1))
    _replace(out / "report.html", page(rows, summary, photos))
    return summary


def summarise(rows: Sequence[Row]) -> dict[str, Any]:
    """Figures over all rows: each proportion as [right, of] with its 95% Wilson interval."""
    good = [row for row in rows if not row.get("error")]
    shares: dict[str, tuple[int, int]] = {}

    def count(name: str, key: str, keep: Callable[[Row], bool] = lambda row: True) -> None:
        having = [row for row in good if key in row and keep(row)]
        if having:
            shares[name] = (sum(bool(row[key]) for row in having), len(having))

    def ratio(name: str, top: str, bottom: str) -> None:
        having = [row for row in good if top in row and bottom in row]
        if having:
            shares[name] = (sum(row[top] for row in having), sum(row[bottom] for row in having))

    ratio("card precision", "cards_right", "cards_found")
    ratio("card recall", "cards_right", "cards_there")
    ratio("precision of different cards", "cards_right_distinct", "cards_found_distinct")
    ratio("rank right", "ranks_right", "cards_there")
    count("photos with every visible card right and nothing extra", "exact", lambda row: row["kind"] == "yolo")
    for game in sorted({row["game"] for row in good if row.get("game") and "wrong_cards" in row}):

        def of(row: Row, game: str = game) -> bool:
            return bool(row.get("game") == game)

        count(f"{game}: exact positions", "exact", of)
        count(f"{game}: exact positions, game not told", "exact_auto", of)
        count(f"{game}: exact positions without decoding", "exact_without_decoding", of)
        having = [row for row in good if of(row) and "wrong_cards" in row]
        shares[f"{game}: at most one card wrong"] = (sum(row["wrong_cards"] <= 1 for row in having), len(having))
        count(f"{game}: verdict agrees", "verdict_agrees", of)
    count("game told right", "game_right")
    ratio("zone right", "zones_right", "zones_seen")
    pairs = [pair for row in good for pair in row.get("pairs", [])]
    sure = [pair for pair in pairs if pair[2] >= SURE]
    if pairs:
        shares[f"wrong among cards at confidence >= {SURE}"] = (sum(not pair[3] for pair in sure), len(sure))
    confidence, right = np.array([p[2] for p in pairs]), np.array([p[3] for p in pairs], dtype=bool)
    times = {
        key.removeprefix("seconds_"): {"median": float(np.median(v)), "p95": float(np.percentile(v, 95))}
        for key in dict.fromkeys(k for row in good for k in row if k.startswith("seconds_"))
        for v in [[row[key] for row in good if key in row]]
    }
    per_photo = [row for row in good if "cards_right" in row and row.get("kind") == "yolo"]
    means = {}
    if per_photo:
        means["mean precision of a photo"] = float(
            np.mean([r["cards_right"] / r["cards_found"] if r["cards_found"] else 1.0 for r in per_photo])
        )
        means["mean recall of a photo"] = float(
            np.mean([r["cards_right"] / r["cards_there"] if r["cards_there"] else 1.0 for r in per_photo])
        )
    confusions = Counter((str(p[0]), str(p[1])) for p in pairs if not p[3])
    summary: dict[str, Any] = {
        "photos": len(rows),
        "errors": len(rows) - len(good),
        "shares": {name: _share(*pair) for name, pair in shares.items()},
        "means": means,
        "calibration_error": expected_calibration_error(confidence, right) if pairs else None,
        "confusions": [[*pair, n] for pair, n in confusions.most_common(40)],
        "rank_confusions": _parts(confusions, 0),
        "suit_confusions": _parts(confusions, 1),
        "seconds": times,
    }
    return summary | {"lines": _lines(summary, shares)}


def _share(right: int, of: int) -> dict[str, Any]:
    low, high = wilson(right, of)
    return {"right": right, "of": of, "share": right / of if of else None, "low": low, "high": high}


def _parts(confusions: Counter[tuple[str, str]], part: int) -> list[list[Any]]:
    """Confusions of ranks (0) or suits (1) alone."""
    counts: Counter[tuple[str, str]] = Counter()
    for (was, said), n in confusions.items():
        if len(was) == len(said) == 2 and was[part] != said[part]:
            counts[was[part], said[part]] += n
    return [[*pair, n] for pair, n in counts.most_common(20)]


def _lines(summary: Mapping[str, Any], shares: Mapping[str, tuple[int, int]]) -> list[str]:
    lines = [f"photos: {summary['photos']}, of which {summary['errors']} could not be evaluated"]
    lines += [f"{name}: {proportion(*pair)}" for name, pair in shares.items()]
    lines += [f"{name}: {value:.4f}" for name, value in summary["means"].items()]
    if summary["calibration_error"] is not None:
        lines.append(f"expected calibration error of the cards: {summary['calibration_error']:.4f}")
    if summary["confusions"]:
        shown = ", ".join(f"{was} as {said} ({n})" for was, said, n in summary["confusions"][:8])
        lines.append(f"most confused: {shown}")
    spent = ", ".join(f"{stage} {1000 * t['median']:.0f} ms" for stage, t in summary["seconds"].items())
    return [*lines, f"median time: {spent}"] if spent else lines


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def _csv(rows: Sequence[Row], names: Sequence[str]) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def _parquet(rows: Sequence[Row], names: Sequence[str], path: Path) -> None:
    pa, pq = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    part = path.with_name(path.name + ".part")
    pq.write_table(pa.table({name: [row.get(name) for row in rows] for name in names}), part)
    os.replace(part, path)


# The page


def page(rows: Sequence[Row], summary: Mapping[str, Any], photos: Path) -> str:
    """One self-contained HTML page."""
    figures = "".join(
        f"<tr><td>{html.escape(name)}</td><td>{s['right']} of {s['of']}</td><td>{_percent(s['share'])}</td>"
        f"<td>{s['low']:.1%} to {s['high']:.1%}</td></tr>"
        for name, s in summary["shares"].items()
    )
    plots = "".join(f'<img alt="{html.escape(name)}" src="{uri}">' for name, uri in _plots(rows, summary))
    worst = "".join(_shown(row, photos) for row in _worst(rows))
    errors = "".join(
        f"<li>{html.escape(row['photo'])}: {html.escape(row['error'])}</li>" for row in rows if row.get("error")
    )
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


def _wrongness(row: Row) -> float:
    if row.get("error"):
        return 0.0
    if "wrong_cards" in row:
        return float(row["wrong_cards"]) + (0.0 if row["exact"] else 0.5)
    missed = row["cards_there"] - row.get("cards_right", row.get("ranks_right", 0))
    extra = row["cards_found"] - row["cards_right"] if "cards_right" in row else 0
    return float(missed + extra)


def _worst(rows: Sequence[Row]) -> list[Row]:
    ranked = sorted(rows, key=_wrongness, reverse=True)
    return [row for row in ranked[:WORST] if _wrongness(row) > 0]


def _shown(row: Row, photos: Path) -> str:
    from vision.annotate import annotate
    from vision.image import encode, load, opencv
    from vision.reading import read_photo

    try:
        image = load(photos / row["photo"])
        reading = read_photo(image, row.get("game") or "cards")
    except (CardsError, OSError) as error:
        return f"<p>{html.escape(row['photo'])}: {html.escape(str(error))}</p>"
    drawn = annotate(image, reading)
    scale = min(1.0, 1000 / max(drawn.shape[:2]))
    if scale < 1:
        drawn = opencv().resize(drawn, None, fx=scale, fy=scale, interpolation=opencv().INTER_AREA)
    wrong = [f"{was} read as {said} ({p:.0%} sure)" for was, said, p, right in row.get("pairs", []) if not right]
    words = [row["photo"], f"{_wrongness(row):g} wrong", *wrong]
    words += [f"{key}: {row[key]}" for key in ("missing", "extra") if row.get(key)]
    caption = html.escape("; ".join(words))
    return f'<figure><img alt="" src="{_uri(encode(drawn), "jpeg")}"><figcaption>{caption}</figcaption></figure>'


def _uri(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _plots(rows: Sequence[Row], summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    pairs = [pair for row in rows if not row.get("error") for pair in row.get("pairs", [])]
    found = []

    def finish(figure: Any, name: str) -> None:
        buffer = io.BytesIO()
        figure.tight_layout()
        figure.savefig(buffer, dpi=100)
        plt.close(figure)
        found.append((name, _uri(buffer.getvalue(), "png")))

    if pairs:
        confidence, right = np.array([p[2] for p in pairs]), np.array([p[3] for p in pairs], float)
        edges = np.array([0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0001])
        place = np.digitize(confidence, edges) - 1
        figure, axes = plt.subplots(figsize=(5, 4))
        axes.plot([0, 1], [0, 1], ":", color="#777777")
        for k in range(len(edges) - 1):
            here = place == k
            if here.any():
                low, high = wilson(int(right[here].sum()), int(here.sum()))
                axes.plot([confidence[here].mean()] * 2, [low, high], color="#0072B2")
                axes.plot(confidence[here].mean(), right[here].mean(), "o", color="#0072B2")
        axes.set(xlabel="confidence", ylabel="share right", title=f"Calibration of {len(pairs)} cards")
        finish(figure, "calibration")
    if summary["confusions"]:
        top = summary["confusions"][:15][::-1]
        figure, axes = plt.subplots(figsize=(5, 4))
        axes.barh([f"{was} as {said}" for was, said, _ in top], [n for *_, n in top], color="#E69F00")
        axes.set(xlabel="cards", title="Confusions")
        finish(figure, "confusions")
    if summary["seconds"]:
        figure, axes = plt.subplots(figsize=(5, 4))
        stages = list(summary["seconds"])
        axes.barh(stages, [1000 * summary["seconds"][s]["median"] for s in stages], color="#009E73")
        axes.set(xlabel="median ms", title="Time of each stage")
        finish(figure, "time of each stage")
    return found
