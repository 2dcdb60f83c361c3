"""What the running-rate plot keeps, draws and writes."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from solver.convergence_plot import Curve, PlotMode, RatePlot, draw_rates, follow_rates

PNG = b"\x89PNG"


def test_points_are_thinned_and_end_in_the_present() -> None:
    curve = Curve("won")
    for _ in range(200_000):
        curve.add(10, 3)
    points = curve.points()
    assert len(points) < 1500
    assert points[0] == (10, 3)
    assert points[-1] == (2_000_000, 600_000)


def test_the_drawing_shows_band_final_and_exact_value() -> None:
    curve = Curve("won", exact=0.31)
    for _ in range(100):
        curve.add(100, 30)
    figure = Figure()
    draw_rates(figure, [curve], title="a title", trials_name="games")
    (axes,) = figure.axes
    legend = axes.get_legend()
    assert legend is not None
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["95% interval", "so far", "final 30.000% ± 0.898%", "exact 31.00000%"]
    low, high = axes.get_ylim()
    assert low < 0.3 < high
    assert figure.get_suptitle() == "a title"


@pytest.mark.parametrize(("mode", "written"), [("final", True), ("live", True), ("none", False)])
def test_png_is_written_where_asked(tmp_path: Path, mode: PlotMode, written: bool) -> None:
    out = tmp_path / "new folder" / "rate.png"
    with RatePlot([Curve("a"), Curve("b")], title="t", mode=mode, out=out, fallback=Path("unused.png")) as plot:
        plot.add(100, [20, 80])
        assert out.exists() == (mode == "live")
        plot.add(100, [20, 80])
    assert out.exists() == written
    if written:
        assert out.read_bytes().startswith(PNG)
        assert list(out.parent.iterdir()) == [out]


def test_ctrl_c_prints_what_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    args = Namespace(plot="none", out=None)

    def interrupted() -> None:
        with follow_rates(args, "t", [Curve("wins"), Curve("ties")], total=9, png="t.png", trials_name="rounds") as add:
            add(1000, [200, 100])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    *_, wins, ties = capsys.readouterr().err.splitlines()
    assert wins == "so far: wins 20.000% (95% interval 17.638% to 22.592%, 1,000 rounds)"
    assert ties.startswith("so far: ties 10.000%")


@pytest.mark.parametrize(("error", "written"), [(KeyboardInterrupt, True), (RuntimeError, False)])
def test_ctrl_c_still_draws_what_was_simulated(tmp_path: Path, error: type[BaseException], written: bool) -> None:
    out = tmp_path / "rate.png"

    def interrupted() -> None:
        with RatePlot([Curve("a")], title="t", mode="final", out=out, fallback=out) as plot:
            plot.add(100, [20])
            raise error

    with pytest.raises(error):
        interrupted()
    assert out.exists() == written


def test_without_trials_there_is_nothing_to_draw(tmp_path: Path) -> None:
    out = tmp_path / "rate.png"
    with RatePlot([Curve("a")], title="t", mode="final", out=out, fallback=out):
        pass
    assert not out.exists()


def test_matplotlib_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, solver.convergence_plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_a_png_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    taken = tmp_path / "a file"
    taken.touch()
    with pytest.raises(OSError, match="a file"), _plot(taken / "rate.png"):
        pytest.fail("the simulation began")


def test_a_disk_that_is_full_at_the_end_costs_the_plot_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    out = tmp_path / "rate.png"
    monkeypatch.setattr(Figure, "savefig", full)
    with _plot(out) as plot:
        plot.add(100, [20])
    assert capsys.readouterr().err == f"warning: no plot: {out}: the disk is full\n"
    assert not list(tmp_path.iterdir())


def _plot(out: Path) -> RatePlot:
    return RatePlot([Curve("a")], title="t", mode="final", out=out, fallback=Path("unused.png"))
