"""The rate so far over the number of trials, with its 95% band: what every simulation shows of its convergence.

matplotlib is imported only when something is drawn. A figure goes to a window where there is a screen and to a PNG
otherwise (`--out` asks for the PNG in any case).

    with RatePlot([Curve("won")], title="...", mode="live", out=None, fallback=Path("rate.png")) as plot:
        plot.add(trials, [successes])           # as often as results arrive
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import numpy as np
from tqdm import tqdm

from plumbing.errors import describe_fault
from plumbing.files import whole_file
from solver.solution import Progress, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PlotMode = Literal["final", "live", "none"]

_SPACING: Final = 1.01
"""A point is kept when the trials have grown by 1% (or by one): a billion trials leave some 2,000 points."""
_REDRAW_SECONDS: Final = 0.5
_HEADLESS_BACKENDS: Final = frozenset({"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"})


@dataclass
class Curve:
    """Successes over trials of one proportion, thinned as it grows.

    Attributes:
        label: What the proportion is of, as `player wins`.
        exact: The exact value, drawn as a line, where it is known.
    """

    label: str
    exact: float | None = None
    _trials: list[int] = field(default_factory=list, repr=False)
    _successes: list[int] = field(default_factory=list, repr=False)
    _last: tuple[int, int] = field(default=(0, 0), repr=False)

    def add(self, trials: int, successes: int) -> None:
        """Adds `successes` in `trials` further trials."""
        total, won = self._last[0] + trials, self._last[1] + successes
        self._last = total, won
        if not self._trials or total >= self._trials[-1] * _SPACING:
            self._trials.append(total)
            self._successes.append(won)

    def points(self) -> list[tuple[int, int]]:
        """(trials, successes) so far at rising numbers of trials; the last is the present state.

        >>> curve = Curve("won")
        >>> for _ in range(3): curve.add(10, 4)
        >>> curve.points()
        [(10, 4), (20, 8), (30, 12)]
        """
        points = list(zip(self._trials, self._successes, strict=True))
        return points if not points or points[-1] == self._last else [*points, self._last]


def draw_rates(figure: Figure, curves: Sequence[Curve], *, title: str, trials_name: str) -> None:
    """Draws one panel a curve: rate, 95% Wilson band, the final value and, where known, the exact one."""
    figure.clear()
    panels = figure.subplots(len(curves), 1, sharex=True, squeeze=False)[:, 0]
    for curve, axes in zip(curves, panels, strict=True):
        _draw_curve(axes, curve)
    figure.suptitle(title)
    panels[-1].set_xlabel(f"{trials_name} (logarithmic)")


def _draw_curve(axes: Axes, curve: Curve) -> None:
    from matplotlib.ticker import PercentFormatter

    points = curve.points()
    axes.set_ylabel(curve.label)
    axes.grid(alpha=0.3)
    if not points:
        return
    trials = np.array([n for n, _ in points])
    rates = np.array([won / n for n, won in points])
    low, high = np.array([wilson(won, n) for n, won in points]).T
    axes.set_xscale("log")
    axes.fill_between(trials, low, high, color="tab:blue", alpha=0.2, linewidth=0, label="95% interval")
    axes.plot(trials, rates, color="tab:blue", linewidth=1.2, label="so far")
    half = (high[-1] - low[-1]) / 2
    axes.axhline(rates[-1], color="tab:blue", linewidth=0.8, linestyle=":", label=f"final {rates[-1]:.3%} ± {half:.3%}")
    if curve.exact is not None:
        axes.axhline(curve.exact, color="tab:red", linewidth=1, linestyle="--", label=f"exact {curve.exact:.5%}")
    # The beginning swings from 0 to 1 and would flatten all the rest: three decades are shown, scaled to the last two.
    first = int(np.searchsorted(trials, min(trials[-1] // 10, max(10, trials[-1] // 1000))))
    scaled = int(np.searchsorted(trials, trials[-1] // 200))
    reach = 1.05 * max(rates[-1] - low[scaled:].min(), high[scaled:].max() - rates[-1]) or 0.01
    axes.set_ylim(max(0.0, rates[-1] - reach), min(1.0, rates[-1] + reach))
    axes.set_xlim(trials[first], trials[-1] * 1.0001 if trials[-1] > trials[first] else trials[-1] + 1)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, fontsize="small", frameon=False)


class RatePlot:
    """A plot that follows a simulation: a context manager that is fed with `add`.

    Args:
        curves: The proportions to follow.
        title: Stands above the first panel.
        mode: `final` draws once at the end, `live` also on the way, `none` never.
        out: PNG to write; None opens a window, or writes `fallback` where there is no screen.
        fallback: The PNG that takes the window's place.
        trials_name: What a trial is, as `games`.
    """

    def __init__(
        self,
        curves: Sequence[Curve],
        *,
        title: str,
        mode: PlotMode,
        out: Path | None,
        fallback: Path,
        trials_name: str = "games",
    ) -> None:
        self.curves = tuple(curves)
        self._title = title
        self._mode = mode
        self._trials_name = trials_name
        self._pyplot = None if mode == "none" or out is not None else _window_library()
        self._path = None if mode == "none" or self._pyplot is not None else out or fallback
        self._figure: Figure | None = None
        self._drawn = 0.0

    def add(self, trials: int, successes: Sequence[int]) -> None:
        """Adds a batch of `trials`: how many of them each curve counts."""
        for curve, won in zip(self.curves, successes, strict=True):
            curve.add(trials, int(won))
        if self._mode == "live" and time.monotonic() - self._drawn >= _REDRAW_SECONDS:
            self._draw()
            self._drawn = time.monotonic()

    def _draw(self) -> None:
        size = (8.0, 2.4 + 2.1 * len(self.curves))
        if self._figure is None:
            if self._pyplot is not None:
                self._figure = self._pyplot.figure(figsize=size, layout="constrained")
            else:
                from matplotlib.figure import Figure

                self._figure = Figure(figsize=size, layout="constrained")
        draw_rates(self._figure, self.curves, title=self._title, trials_name=self._trials_name)
        if self._path is not None:
            with whole_file(self._path) as part:  # a viewer may be watching the PNG
                self._figure.savefig(part, dpi=120, format="png")
        elif self._pyplot is not None:
            self._pyplot.pause(0.001)

    def __enter__(self) -> Self:
        """Fails at once if no PNG can be written, instead of after hours of simulation."""
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self._path.parent).close()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Draws the final plot, also after Ctrl-C. On a full disk prints a warning, so that the result is not lost."""
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        if self._mode == "none" or (kind is not None and not interrupted) or not self.curves[0].points():
            return
        try:
            self._draw()
        except OSError as fault:
            print(f"warning: no plot: {describe_fault(fault)}", file=sys.stderr)
            return
        if self._path is not None:
            print(f"plot: {self._path}", file=sys.stderr)
        elif self._pyplot is not None and not interrupted:
            print("close the plot's window to continue", file=sys.stderr)
            self._pyplot.show()


def _window_library() -> Any:
    """matplotlib.pyplot if it found a screen to draw on, else None."""
    from matplotlib import pyplot

    return None if pyplot.get_backend().lower().split(":")[-1] in _HEADLESS_BACKENDS else pyplot


@contextmanager
def follow_rates(
    args: argparse.Namespace, title: str, curves: Sequence[Curve], *, total: int, png: str, trials_name: str = "games"
) -> Iterator[Progress]:
    """A plot and a progress bar, as a command's arguments ask for them; gives what feeds both, as `RatePlot.add`.

    Ctrl-C prints the rates so far, on standard error: what was asked for is not done.

    Args:
        args: With `plot` and `out`.
        title: Stands above the plot.
        curves: The proportions to follow.
        total: How many trials there will be.
        png: The file that takes the window's place.
        trials_name: What a trial is.
    """
    plot = RatePlot(curves, title=title, mode=args.plot, out=args.out, fallback=Path(png), trials_name=trials_name)
    with plot, tqdm(total=total, unit=f" {trials_name}", unit_scale=True, disable=None) as bar:

        def add(trials: int, successes: Sequence[int]) -> None:
            plot.add(trials, successes)
            bar.update(trials)

        try:
            yield add
        except KeyboardInterrupt:
            bar.close()
            print("\n".join(_so_far(curves, trials_name)), file=sys.stderr)
            raise


def _so_far(curves: Sequence[Curve], trials_name: str) -> Iterator[str]:
    """What has been counted of each curve, a line each.

    >>> curve = Curve("games won")
    >>> curve.add(1000, 200)
    >>> list(_so_far([curve], "games"))
    ['so far: games won 20.000% (95% interval 17.638% to 22.592%, 1,000 games)']
    """
    for curve in curves:
        for trials, successes in curve.points()[-1:]:
            low, high = wilson(successes, trials)
            interval = f"95% interval {low:.3%} to {high:.3%}, {trials:,} {trials_name}"
            yield f"so far: {curve.label} {successes / trials:.3%} ({interval})"
