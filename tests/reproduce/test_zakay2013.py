"""zakay2013 with little effort: on the smallest of its logs, and on generated ones that bear the names of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.reproduce.mutations import assert_wrong_papers_turn_rows_red
from tests.shared_data import log as shared_log
from thinktime.workload import Workload
from thinktime_reproduce import Findings, Reproduced, Verdict, run_reproduction
from thinktime_reproduce.zakay2013 import reproduction
from thinktime_reproduce.zakay2013.figures import figures
from thinktime_reproduce.zakay2013.runs import Effort
from thinktime_reproduce.zakay2013.values import BLUE, KTH, LANL_RAW, LOGS, OSC, PAR

LITTLE = Effort(resamples=2, shuffles=20, simulated=6, least=1, closed=2, each_load=1, longer=1, shown=2, rare=3)
FLURRY_USER = 50


@pytest.fixture(scope="module")
def kth(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    folder, file = tmp_path_factory.mktemp("logs"), shared_log("KTH-SP2-1996-2")
    (folder / file.name).symlink_to(file)
    quick = replace(reproduction(LITTLE), draw=named)
    return run_reproduction(quick, folder, tmp_path_factory.mktemp("out"))


def named(findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str]) -> list[Path]:
    """Figures are made but not rendered, which takes long."""
    return [directory / name for label in findings.logs for name, _ in figures(findings, label)]


def of(done: Reproduced, label: str, *tables: str) -> list:
    chosen = [each for each in done.verdicts if each.claim.log == label]
    return [each for each in chosen if not tables or each.claim.table in tables]


def test_tables_that_come_out_do_so_to_the_last_digit(kth: Reproduced) -> None:
    exact = of(kth, KTH, "Table III", "Table V")
    assert len(exact) == 10
    for each in exact:
        assert each.category == "digits"
    depths = [each for each in of(kth, KTH, "Table VI") if "resamples" not in each.claim.quantity]
    assert [each.category for each in depths] == ["digits"] * 3


def test_table_ii_is_missed_with_a_reason(kth: Reproduced) -> None:
    for each in of(kth, KTH, "Table II"):
        assert each.verdict == "missed"
        assert "cannot be of processors, as captioned" in each.why


def test_every_claim_on_a_log_that_is_there_has_a_value(kth: Reproduced) -> None:
    assert all(each.ours is not None for each in of(kth, KTH))
    others = [each for each in kth.verdicts if each.claim.log != KTH]
    assert {each.claim.log for each in others} == set(LOGS) - {KTH}
    assert all(each.verdict == "needs" and each.why.startswith("needs ") for each in others)


def test_wrong_papers_turn_rows_red(kth: Reproduced) -> None:
    assert assert_wrong_papers_turn_rows_red(kth.verdicts) == len(of(kth, KTH))


def test_what_was_read_is_written_and_figures_are_drawn(kth: Reproduced) -> None:
    read = kth.to_dict()["logs"]
    assert read[KTH]["file"] == "KTH-SP2-1996-2.swf.gz"
    assert len(read[KTH]["sha256"]) == 64
    assert kth.warnings == []
    numbers = [path.name[3:5] for path in kth.figures]
    assert numbers == ["01", "02", "04", "05", "06", "07", "08", "10", "11", "12"]


def log_with_a_flurry() -> Workload:
    """Thirty weeks in which half of the users are temporary, and user 50 submits the most jobs, on one day."""
    log = tt.default_workload(weeks=30, load=0.15)
    week = log["submit_s"] // (7 * 86400)
    log = log.select((log["user"] <= 30) | (np.abs(week - log["user"] % 30) < 3))
    rows = np.arange(len(log) + 3_000).clip(max=len(log) - 1)
    columns = {name: values[rows] for name, values in log.columns.items()}
    columns["submit_s"] = np.append(log["submit_s"], 15 * 604800.0 + np.arange(3_000) * 10.0)
    columns["user"] = np.append(log["user"], np.full(3_000, float(FLURRY_USER)))
    order = np.argsort(columns["submit_s"], kind="stable")
    return replace(log, columns={name: values[order] for name, values in columns.items()})


def test_flurries_are_found_dosed_and_simulated(tmp_path: Path) -> None:
    """The numbers say nothing about the paper: the log is another one."""
    tt.write_swf(log_with_a_flurry(), tmp_path / "LANL-CM5-1994-4.swf")
    done = run_reproduction(reproduction(LITTLE), tmp_path, tmp_path / "out")
    assert [path.name[3:5] for path in done.figures] == ["13", "14", "15", "16"]
    verdicts = {each.claim.table: each for each in of(done, LANL_RAW)}
    assert verdicts["Fig. 13"].ours == 1.0
    assert verdicts["Fig. 15"].verdict == "met"
    assert all(each.ours is not None for each in of(done, LANL_RAW, "Fig. 16"))
    assert "(LANL-CM5-1994-4, paper LANL-CM5-1994-3)" in done.warnings[0]


def test_logs_without_estimates_and_of_other_versions(tmp_path: Path) -> None:
    """As OSC, SDSC-Par and PIK are. Without estimates, tables on estimates are missed with a reason."""
    log = log_with_a_flurry()
    bare = replace(log, columns={**log.columns, "requested_time_s": np.full(len(log), np.nan)})
    for name in ("OSC-Clust-2000-3.1-cln.swf", "SDSC-Par-1995-3.2-cln.swf.gz", "SDSC-BLUE-2000-4.2-cln.swf.gz"):
        tt.write_swf(bare, tmp_path / name)
    done = run_reproduction(replace(reproduction(LITTLE), draw=named), tmp_path, tmp_path / "out")
    versions = {label: {each.version for each in of(done, label)} for label in (OSC, PAR, BLUE)}
    assert versions == {
        OSC: {""},
        PAR: {"SDSC-Par-1995-3.2-cln, paper SDSC-Par-1995-3.1-cln"},
        BLUE: {"SDSC-BLUE-2000-4.2-cln, paper SDSC-BLUE-2000-3.1-cln"},
    }
    assert {each.verdict for each in of(done, BLUE, "Table III", "Table VI")} == {"missed"}
    assert {each.why for each in of(done, BLUE, "Table III")} == {"no user has six sessions of jobs with estimates"}
    assert all(each.why for each in done.verdicts if each.verdict != "met")


def test_simulations_are_kept(tmp_path: Path) -> None:
    tt.write_swf(log_with_a_flurry(), tmp_path / "LANL-CM5-1994-3.swf")
    quick = replace(reproduction(LITTLE), draw=None)
    first = run_reproduction(quick, tmp_path, tmp_path / "out")
    journals = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.jsonl")}
    assert len(journals) == 1 + 4  # the log itself, and four doses of flurries
    again = run_reproduction(quick, tmp_path, tmp_path / "out")
    assert again.to_dict()["values"] == first.to_dict()["values"]
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.jsonl")} == journals


def test_a_larger_log_is_resampled_less_often() -> None:
    assert [Effort().bootstraps(jobs) for jobs in (100, 30_000, 60_000, 10_000_000)] == [1000, 1000, 500, 100]
