"""The common look: no trace in matplotlib's settings, files that are whole, bytes that repeat."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

from tests.plots.samples import result
from thinktime import plots
from thinktime.errors import InputError
from thinktime.plots.kit import style


@pytest.fixture
def figure():
    return plots.wait_distribution(result([0, 0], [0, 5], [5, 5], [10, 10]))


def test_nothing_of_matplotlibs_settings_changes(figure, tmp_path):
    before = dict(matplotlib.rcParams)
    plots.run_overview(result([0], [0], [5], [1]))
    plots.save(figure, tmp_path / "a")
    assert dict(matplotlib.rcParams) == before


def test_the_readers_settings_do_not_change_a_figure():
    with matplotlib.rc_context({"font.size": 40.0, "axes.grid": False, "axes.facecolor": "red"}):
        axes = plots.wait_distribution(result([0], [0], [5], [1])).axes[0]
    assert axes.xaxis.label.get_fontsize() == 9.5
    assert matplotlib.colors.to_hex(axes.get_facecolor()) == "#ffffff"


def test_matplotlib_is_loaded_with_the_first_figure_and_pyplot_never():
    program = (
        "import sys, thinktime.plots as plots\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from tests.plots.samples import result\n"
        "plots.run_overview(result([0], [0], [5], [1]))\n"
        "assert 'matplotlib.pyplot' not in sys.modules and 'polars' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_three_formats_beside_each_other_and_dots_in_names_stay(figure, tmp_path):
    paths = plots.save(figure, tmp_path / "new" / "KTH-2.1-cln")
    assert [path.name for path in paths] == ["KTH-2.1-cln.png", "KTH-2.1-cln.pdf", "KTH-2.1-cln.svg"]
    begins = [path.read_bytes()[:5] for path in paths]
    assert begins == [b"\x89PNG\r", b"%PDF-", b"<?xml"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(p.name for p in paths)


def test_the_same_figure_gives_the_same_bytes(figure, tmp_path):
    again = plots.wait_distribution(result([0, 0], [0, 5], [5, 5], [10, 10]))
    for first, second in zip(plots.save(figure, tmp_path / "a"), plots.save(again, tmp_path / "b"), strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(figure, tmp_path, monkeypatch):
    (path,) = plots.save(figure, tmp_path / "a", ["png"])
    before = path.read_bytes()

    def fail(_figure, file, _dpi):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(style, "write_png", fail)
    with pytest.raises(InputError, match="disk full"):
        plots.save(figure, tmp_path / "a", ["png"])
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.png"]


def test_an_unknown_format_is_named(figure, tmp_path):
    with pytest.raises(InputError, match="Unknown figure format 'gif': choose from png, pdf, svg"):
        plots.save(figure, tmp_path / "a", ["png", "gif"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("scale", "words"), [("log", "wait, log scale"), ("symlog", "wait, log scale")])
def test_an_axis_that_is_not_linear_says_so(scale: str, words: str) -> None:
    with style.look():
        figure, (axes,) = style.panels()
        axes.set_xscale(scale)
        axes.set_xlabel("wait")
        axes.set_ylabel("jobs")
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == (words, "jobs")


def test_a_figure_without_data_is_not_written_and_warned_of(tmp_path: Path) -> None:
    with style.look():
        figure, axes = style.panels(1, 2)
        style.say(axes[0], "no jobs")
        style.say(axes[1], "no waits")
    assert style.why_empty(figure) == "no jobs; no waits"
    with pytest.warns(UserWarning, match="figure empty is not written: no jobs; no waits"):
        assert style.save(figure, tmp_path / "empty", ["png"]) == []
    assert not list(tmp_path.iterdir())


def test_a_figure_with_one_panel_of_data_is_written(tmp_path: Path) -> None:
    with style.look():
        figure, axes = style.panels(1, 2)
        style.say(axes[0], "no jobs")
        axes[1].plot([1, 2])
    assert len(style.save(figure, tmp_path / "half", ["svg"])) == 1


def test_an_ending_chooses_the_format(figure, tmp_path):
    assert [path.name for path in plots.save(figure, tmp_path / "x.png")] == ["x.png"]
    assert [path.name for path in plots.save(figure, tmp_path / "x.svg", ["pdf"])] == ["x.pdf"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.pdf", "x.png"]


def test_a_notebook_shows_the_figure(figure):
    assert figure._repr_png_().startswith(b"\x89PNG")
