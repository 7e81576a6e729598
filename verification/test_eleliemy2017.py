"""The reproduction of eleliemy2017 on real logs: which values must be met, and which misses are known.

A known miss that is met is a change, too. docs/guides/reproductions.md explains the misses.
"""

from __future__ import annotations

import csv
from typing import Any

import pytest

from tests.reproduce.mutations import assert_wrong_papers_turn_rows_red
from tests.shared_data import log
from thinktime_reproduce import REPRODUCTIONS, Reproduced, run_reproduction


@pytest.fixture(scope="module")
def eleliemy(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    folder = log("CEA-Curie-2011-2.1-cln").parent
    return run_reproduction(REPRODUCTIONS["eleliemy2017"], folder, tmp_path_factory.mktemp("eleliemy2017"))


@pytest.fixture(scope="module")
def cells(eleliemy: Reproduced) -> dict[tuple[str, str], dict[str, float]]:
    """(scheduler, application) → metric → mean of the seeds."""
    with eleliemy.figures[-1].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = [{name: float(text or 0) for name, text in list(row.items())[2:]} for row in rows]
    return {(row["scheduler"], row["application"]): each for row, each in zip(rows, numbers, strict=True)}


COMBINATIONS = [(one, other) for one in ("FCFS", "EDF", "SJF") for other in ("STATIC", "SS", "GSS", "FAC")]


def test_eleliemy2017_misses_what_its_jobs_decide_and_one_seed(eleliemy: Reproduced) -> None:
    judged = [each for each in eleliemy.verdicts if each.claim.table != "Fig. 6"]  # that is a matter of the machine
    missed = {(each.claim.table, each.claim.row) for each in judged if each.verdict == "missed"}
    assert missed == {
        ("Fig. 3", "all combinations, each of 10 seeds"),
        ("Fig. 5", "most intensive 24 h"),
        ("Fig. 5", "FCFS-GSS, nearest variation"),
    }
    assert all(each.why for each in judged if each.verdict == "missed")
    assert eleliemy.count("claim", "met") >= 25


def test_eleliemy2017_times_as_many_jobs_as_the_paper_and_all_their_tasks(eleliemy: Reproduced) -> None:
    last = eleliemy.measured["wall"][-1]
    assert last["jobs"] == 16_000
    assert last["tasks"] > 700_000


def test_the_odd_task_costs_half_the_time_whatever_the_technique(cells: dict[Any, dict[str, float]]) -> None:
    ideal = cells["FCFS", "STATIC 0"]["makespan_s"]
    hardly = [cells["FCFS", f"{technique} 0.001"]["makespan_s"] / ideal for _, technique in COMBINATIONS[:4]]
    assert hardly == pytest.approx([1.545] * 4, abs=0.05)
    assert max(hardly) - min(hardly) < 0.01
    for _, technique in COMBINATIONS[:4]:
        names = [f"{technique} 0.25", *(f"{technique} 0.25 x{grain}" for grain in (2, 4, 8, 16))]
        times_s = [cells["FCFS", name]["makespan_s"] for name in names]
        assert times_s == sorted(times_s, reverse=True)
        assert times_s[-1] < 1.2 * ideal


def test_imbalance_is_the_techniques_and_cooperation_gains(cells: dict[Any, dict[str, float]]) -> None:
    def days(cell: dict[str, float], cause: str) -> float:
        return cell[f"{cause}_share"] * cell["makespan_s"] / 86400

    for scheduler, technique in COMBINATIONS:
        held, given = (cells[scheduler, f"{technique} 0.25{how}"] for how in ("", " idle"))
        assert days(held, "imbalance") == pytest.approx(days(cells["FCFS", f"{technique} 0.25"], "imbalance"), rel=0.01)
        assert days(given, "imbalance") == pytest.approx(0.0, abs=1e-6)
        assert 0.75 < given["makespan_s"] / held["makespan_s"] < 0.95
        assert given["wait_mean_s"] < held["wait_mean_s"]


def test_wrong_papers_turn_rows_red(eleliemy: Reproduced) -> None:
    judged = sum(each.verdict != "needs" for each in eleliemy.verdicts)
    assert assert_wrong_papers_turn_rows_red(eleliemy.verdicts) == judged
