"""Time axes: dates of the machine's clock where they are known, elapsed time otherwise."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.plots.samples import result
from thinktime import plots
from thinktime.errors import InputError
from thinktime.plots.kit.local_time import calendar_of
from thinktime.plots.kit.time_axis import time_scale

DAY_S = 86400.0


def dated(unix_start_s: float = 850_000_000.0, zone: str | None = "Europe/Stockholm"):  # 1996-12-07 23:06:40 UTC
    run = result([0, 100], [0, 100], [50, 50], [1, 1])
    run.account = {"unix_start_s": unix_start_s, "time_zone": zone}
    return run


@pytest.fixture
def axes():
    from matplotlib.figure import Figure

    return Figure().subplots()


def labels(axes, days: float, **options) -> tuple[list[str], str]:
    time_scale(dated(), 0.0, days * DAY_S, **options).label(axes)
    return [text.get_text() for text in axes.get_xticklabels()], axes.get_xlabel()


def test_dates_follow_the_span(axes):
    names, words = labels(axes, 1)
    assert words == "time, 1996 (Europe/Stockholm)"
    assert names[0].endswith("Sun 8 Dec")
    names, words = labels(axes, 6)
    assert names[0] == "9 Dec"
    names, words = labels(axes, 200)
    assert (names[0], words) == ("Jan\n1997", "date (Europe/Stockholm)")
    names, words = labels(axes, 3000)
    assert names[0] == "1998"


def test_ticks_are_at_local_midnight():
    calendar = calendar_of(dated())
    assert calendar is not None
    local_s = calendar.local_s(np.array([0.0]))[0]
    assert calendar.time_s(local_s) == pytest.approx(0.0)
    assert local_s - 850_000_000 == 3600.0


def test_elapsed_time_counts_from_the_window(axes):
    scale = time_scale(dated(), 5 * DAY_S, 6 * DAY_S, axis="elapsed", windowed=True)
    scale.label(axes)
    assert axes.get_xlim() == (0, 24)
    assert axes.get_xlabel() == "time since 5 d (hours)"


def test_a_run_without_a_start_has_no_dates():
    run = result([0], [0], [10], [1])
    assert plots.utilisation_over_time(run).axes[0].get_xlabel() == "time (minutes)"
    with pytest.raises(InputError, match="UnixStartTime"):
        plots.gantt(run, axis="date")
    with pytest.raises(InputError, match="axis"):
        plots.gantt(run, axis="weeks")


def test_a_log_without_a_zone_is_in_utc(axes):
    time_scale(dated(zone=None), 0.0, 300 * DAY_S).label(axes)
    assert axes.get_xlabel() == "date (UTC)"


def test_a_simulated_log_keeps_its_dates(tmp_path):
    path = tmp_path / "small.swf"
    header = "; UnixStartTime: 850000000\n; TimeZoneString: Europe/Stockholm\n; MaxProcs: 4\n"
    path.write_text(
        header + "".join(f"{k} {k * 40000} 0 30000 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n" for k in range(1, 9))
    )
    run = tt.simulate(tt.read_swf(path), tt.Machine(processors=4), tt.FCFS())
    run.save(tmp_path / "run")
    for each in (run, tt.Result.load(tmp_path / "run")):
        assert "1996" in plots.gantt(each).axes[0].get_xlabel()
