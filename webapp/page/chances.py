"""The view with simulations: progress, a plot, stop and continue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import altair as alt
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from solver.games import COMMANDS
from solver.solution import Estimate
from webapp import streamlit_link as state
from webapp.jobs import Job, Json, stop
from webapp.simulations import SIMULATED
from webapp.wording import capitalised, escape_markdown, of_100

TRIALS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LIMIT: Final = 1800.0
"""Seconds after which a simulation is ended; it can be continued."""
REFRESH: Final = 0.6
INKS: Final = {"light": ("#0b5fa5", "#b8470b", "#6b3fa0"), "dark": ("#6cb6f5", "#f2a25c", "#c9a6f0")}
"""Colours of a plot's outcomes, that differ in hue and in lightness from the ground of each theme."""
TEXT: Final = {"light": "#3d4450", "dark": "#d5dae2"}
"""Colours of what is written in a plot; Streamlit's own grey is too faint to be read on a phone."""
SHAPES: Final = ("circle", "square", "triangle-up")
ABOUT: Final = "How often is a game won? The computer plays it many times, always with freshly mixed cards, and counts."
LEFT_OUT: Final = (
    "Klondike and Makiaveli are not here: to play one of their games well takes too long for thousands of them."
    " **Your table** tells what can be won at yours."
)
INTERVAL: Final = (
    "Chance has a say in what was counted. The true number lies between the two, and within the band of the picture, 95"
    " times in 100. They are called the 95% interval."
)
EXACT: Final = "Dashed lines are the exact numbers."
SIGNS: Final = 10
"""How often along its line an outcome's sign stands."""


@dataclass(eq=False)
class Runs:
    """A visitor's simulation, None before the first."""

    job: Job | None = None

    def begin(self, asked: Json, points: list[list[int]]) -> None:
        """Starts a simulation, or continues one from its points, and stops the one before."""
        stop(self.job)
        self.job = state.pool().submit(asked | {"points": points}, limit=LIMIT, queue="batch")


def page() -> None:
    """Asks what to simulate and shows how it goes."""
    st.title("Chances", anchor=False)
    st.markdown(ABOUT)
    what = st.pills(
        "Game",
        list(SIMULATED),
        format_func={game.word: game.title for game in COMMANDS.values()}.__getitem__,
        default=next(iter(SIMULATED)),
        required=True,
        key="chance_game",
    )
    simulation = SIMULATED[what or next(iter(SIMULATED))]
    st.markdown(simulation.note)
    start, result, more = st.container(), st.container(), st.expander("More about it", icon=":material/tune:")
    n = more.selectbox("Games to play", TRIALS, index=2, format_func=lambda n: f"{n:,}", key="chance_n")
    seed = more.number_input("Seed: the same number mixes the cards alike", 0, 2**31 - 1, 1, key="chance_seed")
    more.markdown(f"{simulation.more} {LEFT_OUT}")
    asked = {"task": "simulate", "what": what, "n": n, "seed": int(seed)}
    runs = state.session_object(Runs)
    if start.button("Start", type="primary", icon=":material/play_arrow:", key="chance_start"):
        runs.begin(asked, [])
    if (job := runs.job) is not None and job.request["what"] == what:
        draw = partial(_draw, job)
        with result:
            if state.follow(job, REFRESH, draw):
                draw()


def _draw(job: Job) -> None:
    """The figures so far; before the first of them those that were known when it began."""
    what, n = job.request["what"], job.request["n"]
    points = (job.result or job.progress).get("points") or job.request["points"]
    done = points[-1][0] if points else 0
    if not job.done:
        state.show_progress(job, done, n, f"{done:,} of {n:,} games", "chance_stop")
    elif done < n:
        row = state.show_row()
        row.progress(done / n, text=f"Stopped at {done:,} of {n:,} games")
        _offer_to_go_on(row, job, points)
    if points:
        exact = (job.result or {}).get("exact")
        _figures(what, points, job.request["seed"], exact)
        st.altair_chart(_chart(what, points, exact), width="stretch", alt="the share so far with its 95% interval")


def _figures(what: str, points: list[list[int]], seed: int, exact: list[float] | None) -> None:
    labels = SIMULATED[what].labels
    total, *counts = points[-1]
    for number, (cell, label) in enumerate(zip(st.columns(len(labels)), labels, strict=True)):
        share = Estimate.from_counts(counts[number], total, seed=seed, what=label)
        known = f" Exactly: {exact[number]:.4%}." if exact else ""
        said = capitalised(of_100(share.mean, share.low, share.high, "games"))
        cell.metric(label.capitalize(), f"{share.mean:.2%}", border=True)
        cell.caption(f"{said}. Most likely between {share.low:.2%} and {share.high:.2%}.{known}")
    st.caption(f"After {total:,} games. {INTERVAL}{f' {EXACT}' if exact else ''}")


def _offer_to_go_on(row: DeltaGenerator, job: Job, points: list[list[int]]) -> None:
    """Says why a simulation ended before its time, if nobody stopped it, and offers to continue."""
    if not job.stopped:
        st.warning(escape_markdown(job.error), icon=":material/warning:")
    if row.button("Go on", icon=":material/play_arrow:", key="chance_on"):
        state.session_object(Runs).begin(job.request, points)
        st.rerun()


def _data(rows: list[dict[str, Any]]) -> alt.Data:
    return alt.Data(values=rows)  # type: ignore[no-untyped-call]


def _rates(labels: tuple[str, ...], point: list[int]) -> list[dict[str, Any]]:
    """Each outcome's rate after so many deals, with its 95% interval."""
    total, *counts = point
    shares = [Estimate.from_counts(n, total, seed=0, what=label) for label, n in zip(labels, counts, strict=True)]
    return [
        {"deals": total, "outcome": share.what, "rate": share.mean, "low": share.low, "high": share.high}
        for share in shares
    ]


def _chart(what: str, points: list[list[int]], exact: list[float] | None) -> Any:
    """The running rate with its 95% band over the number of deals; colour and sign tell the outcomes apart."""
    labels = SIMULATED[what].labels
    rates = [_rates(labels, point) for point in points]
    every = -(-len(points) // SIGNS)
    rows = [row for then in rates for row in then]
    signs = [row for n, then in enumerate(rates, 1) if n % every == 0 or n == len(rates) for row in then]
    legend = alt.Legend(orient="top", symbolSize=110, symbolOpacity=1) if len(labels) > 1 else None
    inks = INKS["dark" if st.context.theme.type == "dark" else "light"]
    colour = alt.Color(
        "outcome:N", title=None, legend=legend, scale=alt.Scale(domain=labels, range=inks[: len(labels)])
    )
    shape = alt.Shape(
        "outcome:N", title=None, legend=legend, scale=alt.Scale(domain=labels, range=SHAPES[: len(labels)])
    )
    axis = alt.Axis(format=",d", tickMinStep=1, tickCount=5)
    x = alt.X("deals:Q", title="games", scale=alt.Scale(zero=False), axis=axis)
    scale = alt.Scale(zero=False)
    base = alt.Chart(_data(rows)).encode(x=x, color=colour)
    # Of one point alone an area shows nothing.
    band = (base.mark_area(opacity=0.22) if len(points) > 1 else base.mark_rule(opacity=0.5, strokeWidth=3)).encode(
        y=alt.Y("low:Q", title="share of the games", axis=alt.Axis(format="%"), scale=scale), y2="high:Q"
    )
    rate = alt.Y("rate:Q", scale=scale)
    line = base.mark_line(strokeWidth=2).encode(y=rate)
    sign = alt.Chart(_data(signs)).mark_point(filled=True, size=70, opacity=1)
    tip = ["deals:Q", "outcome:N", alt.Tooltip("rate:Q", title="share", format=".3%")]
    layers = [band, line, sign.encode(x=x, y=rate, color=colour, shape=shape, tooltip=tip)]
    if exact:
        known = _data([{"outcome": a, "rate": b} for a, b in zip(labels, exact, strict=True)])
        layers.append(alt.Chart(known).mark_rule(strokeDash=[6, 4]).encode(y="rate:Q", color=colour))
    ink = TEXT["dark" if st.context.theme.type == "dark" else "light"]
    drawn = alt.layer(*layers).properties(height=340)
    return drawn.configure_axis(labelColor=ink, titleColor=ink).configure_legend(labelColor=ink)
