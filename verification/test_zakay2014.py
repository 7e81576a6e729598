"""The reproduction of zakay2014 on real logs: which values must be met, and which misses are known.

A known miss that is met is a change, too. docs/background/feedback.md explains the misses.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import log
from thinktime_reproduce import REPRODUCTIONS, Findings, Reproduced, run_reproduction
from thinktime_reproduce.zakay2014 import readings
from thinktime_reproduce.zakay2014.values import TABLE_1


@pytest.fixture(scope="module")
def zakay2014(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    """On all logs at hand, which must be those that chose the reading and some that did not."""
    log("HPC2N-2002-2.2-cln"), log("SDSC-DS-2004-2.1-cln")
    folder = log("LANL-CM5-1994-4.1-cln").parent
    reproduction = replace(REPRODUCTIONS["zakay2014"], draw=None)
    return run_reproduction(reproduction, folder, tmp_path_factory.mktemp("zakay2014"))


def test_zakay2014_misses_one_wait_of_a_log_that_chose(zakay2014: Reproduced) -> None:
    rows = [each for each in zakay2014.verdicts if each.claim.table == "Table I" and each.verdict != "needs"]
    assert {each.claim.row for each in rows if each.verdict == "missed"} == {"CM5, adjusted"}
    held_out = [each for each in rows if each.claim.judged == "held out"]
    assert len(held_out) >= 4
    assert {each.verdict for each in held_out} == {"met"}


def test_conventional_waits_of_zakay2014_are_met_closely(zakay2014: Reproduced) -> None:
    rows = [each for each in zakay2014.verdicts if each.claim.row.endswith("conventional") and each.ours is not None]
    errors = {each.claim.log: each.ours / each.claim.value - 1 for each in rows}  # type: ignore[operator]
    assert max(map(abs, errors.values())) < 0.035, errors
    assert max(abs(errors[label]) for label in errors if label != "SDSC-SP2") < 0.01, errors


def test_text_and_figures_of_zakay2014(zakay2014: Reproduced) -> None:
    rows = [each for each in zakay2014.verdicts if each.category == "claim" and each.verdict != "needs"]
    missed = [each for each in rows if each.verdict == "missed"]
    assert len(missed) <= 0.1 * len(rows)
    assert all("others simulated" in each.why for each in missed)


def test_the_reading_of_zakay2014_follows_from_the_logs_that_chose(tmp_path: Path) -> None:
    files = {"KTH": "KTH-SP2-1996-2.1-cln", "HPC2N": "HPC2N-2002-2.2-cln", "CM5": "LANL-CM5-1994-4.1-cln"}
    findings = Findings({}, {}, {label: log(name) for label, name in files.items()}, directory=tmp_path)
    ends = [name for name in readings.READINGS if name.startswith("fluid sessions")] + [readings.AS_USED]
    found: dict[tuple[str, str, str], float] = {}
    for label in files:
        waits_s = readings.waits(findings, label, list(readings.READINGS), ["conventional"])
        waits_s |= readings.waits(findings, label, ends, ["fluid"])
        found |= {(*pair, label): wait_s / TABLE_1[label, pair[1]] - 1 for pair, wait_s in waits_s.items()}
    scores = {name: readings.score(found, name, "conventional", tuple(files)) for name in readings.READINGS}
    best = min(score for score in scores.values() if score is not None)
    assert scores[readings.AS_USED] == pytest.approx(best, abs=2e-4)  # as good as any that differs by a few jobs
    assert readings.best(found, "fluid") == readings.AS_USED


def test_a_second_in_run_times_moves_mean_waits_by_some_per_cent() -> None:
    """The reason of the tolerances of zakay2014."""
    workload = tt.read_swf(log("KTH-SP2-1996-2.1-cln"), processors="requested")
    easy = tt.Easy(extra_nodes=False, count_ties=False)
    waits_s: dict[tt.UserModel, list[float]] = {tt.Rigid(): [], tt.Adjusted(): []}
    for seed in range(6):
        more = np.random.default_rng(seed).integers(0, 2, len(workload))
        shaken = replace(workload, columns={**workload.columns, "run_s": workload["run_s"] + more})
        for users, found in waits_s.items():
            run = tt.simulate(shaken, tt.Machine(processors=100), easy, users=users, overrun="extend-blind")
            found.append(run.summary()["wait_mean_s"])
    rigid, adjusted = (np.ptp(found) / np.mean(found) for found in waits_s.values())
    assert 0.002 < rigid < 0.05
    assert 0.005 < adjusted < 0.15
