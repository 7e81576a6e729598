"""eleliemy2017 on a log of its name that is not its log: every run, claim and figure is there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.reproduce.mutations import assert_wrong_papers_turn_rows_red
from thinktime_reproduce import (
    REPRODUCTIONS,
    Reproduced,
    run_reproduction,
)
from thinktime_reproduce.eleliemy2017 import figures, measured, runs

NAME = "CEA-Curie-2011-2.1-cln.swf"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    folder = tmp_path_factory.mktemp("eleliemy2017")
    tt.write_swf(tt.default_workload(jobs=300), folder / NAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "SEEDS", 2)
        patch.setattr(runs, "FEWER", 1)
        patch.setattr(measured, "JOBS", range(10, 41, 10))
        return run_reproduction(REPRODUCTIONS["eleliemy2017"], folder, folder / "out")


def test_every_claim_has_a_value(done: Reproduced) -> None:
    without = [each.claim.row for each in done.verdicts if each.ours is None]
    assert without == ["FCFS-STATIC, 16,000 jobs"] * 2  # the log has fewer
    ideal = [each for each in done.verdicts if each.claim.row.endswith("variation 0")]
    assert [each.verdict for each in ideal] == ["met"] * 3


def test_wrong_papers_turn_rows_red(done: Reproduced) -> None:
    assert assert_wrong_papers_turn_rows_red(done.verdicts) == len(done.verdicts) - 2


def test_every_figure_is_drawn_and_every_cell_is_in_the_table(done: Reproduced) -> None:
    names = [path.stem for path in done.figures]
    assert names == ["fig03_parallel_time", "fig04_ratio", "fig05_cores", "fig06_simulation_time", "causes",
                     "causes_tasks", "cooperation", "combinations"]  # fmt: skip
    rows = done.figures[-1].read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 12 * (5 + 1) + 4 * 5
    shares = np.array([[float(cell) for cell in row.split(",")[5:10]] for row in rows[1:]])
    assert shares.sum(axis=1) == pytest.approx(1.0, abs=1e-4)


def test_readings_and_times_are_measured(done: Reproduced) -> None:
    readings, wall = done.measured["readings"], done.measured["wall"]
    assert readings[0]["reading"] == "most arrivals in 24 h"
    assert all(each["t_par_alone_s"] <= each["t_par_s"] for each in readings)
    assert [each["jobs"] for each in wall] == [10, 20, 30, 40]
    assert all(each["tasks"] > each["jobs"] / 2 and each["cpu_s"] > 0 for each in wall)


def test_the_window_is_what_removing_the_rest_leaves(tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(jobs=300), tmp_path / NAME)
    every = runs.read(tmp_path / NAME)
    left = tt.read_swf(tmp_path / NAME, filter="alea", remove=runs.outside(every))
    assert np.array_equal(left["job"], tt.peak(every, hours=24).workload["job"])


def run_of(start_s: list[float], end_s: list[float], cores: list[int]) -> tt.Result:
    jobs = tt.Workload.from_columns(submit_s=start_s, run_s=np.subtract(end_s, start_s), processors=cores)
    return tt.simulate(jobs, tt.Machine(processors=10), tt.FCFS())


def test_three_jobs_in_a_row_are_shown_that_have_most_cores_within_the_papers_window() -> None:
    run = run_of([0, 10, 20, 200, 220, 240, 500, 550, 600], [10, 20, 30, 220, 240, 300, 550, 600, 700], [10] * 9)
    assert figures.three_jobs(run) == (200, 300)
    narrow = run_of([0, 10, 20, 200, 220, 240], [10, 20, 30, 220, 240, 300], [10] * 3 + [9] * 3)
    assert figures.three_jobs(narrow) == (0, 30)
    assert figures.three_jobs(run_of([0, 500], [100, 600], [1, 1])) == (0, 133)
