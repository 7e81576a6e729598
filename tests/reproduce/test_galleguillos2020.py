"""galleguillos2020 on logs of its logs' names that are not them: every run, row and figure is there and can fail."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.reproduce.mutations import assert_wrong_papers_turn_rows_red
from thinktime_reproduce import Findings, Reproduced, judge, run_reproduction
from thinktime_reproduce.galleguillos2020 import costs, processes
from thinktime_reproduce.galleguillos2020.claims import Effort, printed_rests, reproduction
from thinktime_reproduce.galleguillos2020.generated import largest_gap, total_variation
from thinktime_reproduce.galleguillos2020.runs import Facts
from thinktime_reproduce.galleguillos2020.speed import measure, over
from thinktime_reproduce.galleguillos2020.values import TABLE_1, TABLE_2

SMALL = Effort(repeats=2, share=0.002)


def canned(logs: Mapping[str, Path], peers: Mapping[str, Path]) -> dict[str, Any]:
    """As if processes had been measured: EBF decides for 2 s, others for 1 s; AccaSim holds less memory."""

    def runs(cpu_s: float, mb: float, decision_s: float = 1.0) -> dict[str, Any]:
        memory = dict.fromkeys(("mean_mb", "max_mb", "noted_mean_mb", "noted_max_mb"), mb)
        return over([{"cpu_s": cpu_s + k, "decision_s": decision_s, **memory} for k in (-0.5, 0.5)])

    ours = {"nothing": {"nothing": runs(1, 38)}, "rejecting": {"Seth": runs(1, 50), "RICC": runs(2, 60)}}
    dispatchers = {name: runs(2, 45, 2.0 if name.startswith("EBF") else 1.0) for name in TABLE_2}
    theirs = {"accasim nothing": {"nothing": runs(1, 19)}, "accasim rejecting": {"Seth": runs(9, 20)}}
    return {**ours, "dispatchers": dispatchers, **(theirs if peers else {})}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    folder = tmp_path_factory.mktemp("logs")
    tt.write_swf(tt.default_workload(jobs=1200), folder / "HPC2N-2002-2.2-cln.swf")
    small = replace(reproduction(SMALL), measure=canned)
    return run_reproduction(small, folder, folder / "out", peers={"accasim": Path(sys.executable)})


def test_every_row_and_figure_of_a_log_is_there(done: Reproduced) -> None:
    by_log = {log: [each for each in done.verdicts if each.claim.log == log] for log in ("Seth", "counted", "RICC")}
    assert all(each.ours is not None for each in by_log["counted"])
    assert all(each.ours is not None for each in by_log["Seth"] if each.claim.table.startswith("Fig"))
    assert {each.verdict for each in by_log["RICC"]} == {"needs"}
    numbers = ["fig10", "fig11", "fig12", "fig13", "fig14", "fig16"]
    assert [path.name.partition("_")[0] for path in done.figures] == numbers
    assert "has 1,200 jobs, the paper's log 202,871" in done.warnings[0]


def test_wrong_papers_turn_rows_red(done: Reproduced) -> None:
    assert assert_wrong_papers_turn_rows_red(done.verdicts) > 150


def test_rows_say_which_rules_were_chosen_on_their_log(done: Reproduced) -> None:
    judged = {
        each.claim.log: each.claim.judged for each in done.verdicts if "weekend share, apart" in each.claim.quantity
    }
    assert judged == {"Seth": "fit", "RICC": "held out", "KTH": "held out", "CTC": "held out", "SDSC": "held out"}


def facts(queues: list[float]) -> Facts:
    none = np.zeros(0)
    numbers = dict.fromkeys(("mean_wait_s", "mean_slowdown", "decision_s", "rest_s", "usual_rest_s", "growth_s"), 1.0)
    arrays = {"slowdowns": np.ones(1), "queues": np.array(queues), "sizes": none, "mean_s": none}
    return Facts(**numbers, **arrays, points=1, queue_over_time=sum(queues), queue_before=queues[0])  # type: ignore[arg-type]


def test_a_missed_queue_prints_other_readings() -> None:
    """SJF's mean queue is below EBF's, and above it where empty queues are left out."""
    findings = Findings({"Seth": None}, {}, {})  # type: ignore[dict-item]
    for scheduler, queues in (("SJF", [0.0, 0.0, 6.0]), ("EBF", [4.0, 3.0, 2.0])):
        cell = {"scheduler": scheduler, "allocator": "FF", "platform": "with memory"}
        findings.kept["Seth", *sorted(cell.items())] = facts(queues)
    claims = [each for each in reproduction(SMALL).claims if each.row == "SJF / EBF, with memory"]
    (row,) = judge([each for each in claims if each.quantity == "mean queue"], findings, {})
    assert (row.verdict, row.ours) == ("missed", pytest.approx(2 / 3))
    assert "before deciding: 0.000, weighted with time: 0.667, without the events at which no job waits" in row.why
    assert row.why.endswith(": 2.000")


# --- Tables 1 and 2 ---------------------------------------------------------------------------------------------


def verdicts_of(measured: Mapping[str, Any]) -> dict[tuple[str, str, str], str]:
    findings = Findings(dict.fromkeys(("Seth", "RICC")), {}, {}, measured)  # type: ignore[arg-type]
    rows = judge(costs.claims(findings), findings, {})
    names = ((each.claim.row, each.claim.quantity.partition(" (")[0], each.claim.source) for each in rows)
    return dict(zip(names, (each.verdict for each in rows), strict=True))


def test_costs_are_means_of_the_repetitions_with_their_deviation(done: Reproduced) -> None:
    (row,) = [each for each in done.verdicts if each.claim.row == "FIFO-FF" and "total CPU" in each.claim.quantity]
    assert (row.ours, row.claim.quantity) == (2.0, "total CPU time, s (σ 2.6, here 0.71)")
    found = over([{"cpu_s": value, "max_mb": None} for value in (1.0, 2.0, 6.0)])
    assert found == {
        "cpu_s": {"mean": 3.0, "least": 1.0, "deviation": pytest.approx(7**0.5), "values": [1.0, 2.0, 6.0]}
    }
    assert over([{"cpu_s": 1.0}])["cpu_s"]["deviation"] is None


def test_memory_is_compared_like_with_like() -> None:
    found = verdicts_of(canned({}, {"accasim": Path()}))
    assert found["Seth, rejecting", "greatest memory, MB", "paper"] == "missed"  # 50 MB, AccaSim's 18
    assert found["Seth, rejecting, Alea", "greatest memory, MB", "paper, Alea"] == "met"  # 209
    assert found["RICC / Seth", "greatest memory, ratio", "paper"] == "met"  # 60 / 50 against 26 / 18
    assert found["Seth, rejecting", "memory that the log adds, MB", "AccaSim here"] == "missed"  # 12 against 1
    assert found["Seth, rejecting", "total CPU time, s", "AccaSim here"] == "met"


def test_deciding_is_judged_by_the_minimum_of_the_repetitions() -> None:
    measured, row = canned({}, {}), ("EBF-FF / dearest other", "time of deciding, minimum of the repetitions", "paper")
    assert verdicts_of(measured)[row] == "met"
    measured["dispatchers"]["SJF-FF"]["decision_s"] |= {"mean": 9.0}  # one repetition was interrupted
    assert verdicts_of(measured)[row] == "met"
    measured["dispatchers"]["SJF-FF"]["decision_s"] |= {"least": 3.0}
    assert verdicts_of(measured)[row] == "missed"


def test_the_rest_is_as_constant_as_the_papers() -> None:
    assert printed_rests() == pytest.approx(50 / 42)


def test_tables_have_all_printed_numbers() -> None:
    assert sum(len(row) for row in TABLE_2.values()) == 32
    assert TABLE_1["MC"]["AccaSim"][0] == ("383", "4.1")  # 06:23


def test_processes_are_measured_as_often_as_asked(tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(jobs=50), tmp_path / "log.swf")
    found = measure({"RICC": tmp_path / "log.swf"}, {}, repeats=2)
    assert set(found) == {"nothing", "rejecting"}
    ours = found["rejecting"]["RICC"]
    assert len(ours["cpu_s"]["values"]) == len(ours["decision_s"]["values"]) == 2
    if Path("/proc/self/statm").exists():
        assert 10 < ours["noted_max_mb"]["mean"] <= ours["max_mb"]["mean"] * 1.2


def test_memory_includes_the_processes_that_a_process_starts() -> None:
    child = "import time; held = bytearray(60_000_000); time.sleep(0.5)"
    found = processes.cost(
        [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"]
    )
    if Path("/proc/self/task").exists():
        assert found.max_mb is not None
        assert found.max_mb > 60


# --- distances --------------------------------------------------------------------------------------------------


def test_distances_by_hand() -> None:
    assert total_variation(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.25, 0.5])) == 0.5
    assert largest_gap(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 4.0])) == 0.5
    assert largest_gap(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 0.0
