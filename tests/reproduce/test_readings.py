"""Readings: every alternative is simulated, the choice follows from some logs, and a miss prints what was tried."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.reproduce.mutations import assert_wrong_papers_turn_rows_red
from tests.shared_data import log
from thinktime.errors import InputError
from thinktime.simulation.settings import Overrun
from thinktime_reproduce import REPRODUCTIONS, Findings, run_reproduction, try_readings
from thinktime_reproduce.madon2024 import readings as madon
from thinktime_reproduce.readings import other_readings, over, tried
from thinktime_reproduce.zakay2014 import readings as zakay
from thinktime_reproduce.zakay2014.values import ADJUSTED, CONVENTIONAL, DISTRIBUTION, FLUID, KTH, MODELS, TABLE_1


def test_a_miss_names_the_nearest_readings() -> None:
    words = other_readings("KTH", {"a": 1.0, "b": 5.0, "c": 3.0, "d": None, "e": 9.0, "f": 4.0}, 3.2)
    assert words == "KTH: 5 others simulated, 1.00 to 9.00; nearest: 3.00 (c), 4.00 (f), 5.00 (b), 1.00 (a)"
    assert "nothing else" in other_readings("KTH", {"d": None}, 1.0)
    assert tried("KTH", "KTH", 1.0, lambda findings: {"a": 2.0})(Findings({}, {}, {})) == ""
    assert math.isnan(over(1.0, 0.0))


def test_every_reading_changes_something_and_only_what_there_is() -> None:
    for readings, used in ((zakay.READINGS, zakay.USED), (madon.READINGS, madon.USED)):
        changes: list[Any] = [getattr(each, "changes", each) for each in readings.values()]
        assert changes[0] == {}
        assert all(each and set(each) <= set(used) for each in changes[1:])
        assert all(any(each[name] != used[name] for name in each) for each in changes[1:])


@pytest.fixture(scope="module")
def kth(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """A tenth of the log, under its name."""
    folder = tmp_path_factory.mktemp("kth")
    whole = tt.read_swf(log("KTH-SP2-1996-2.1-cln"))
    tt.write_swf(whole.select(np.arange(len(whole) // 10)), folder / "KTH-SP2-1996-2.1-cln.swf")
    return Findings({}, {}, {KTH: folder / "KTH-SP2-1996-2.1-cln.swf"}, directory=folder)


def test_waits_of_readings_are_those_of_the_runs(kth: Findings) -> None:
    names = [zakay.AS_USED, "overruns known: extend", "fluid sessions end 0 min after"]
    found = zakay.waits(kth, KTH, names, [CONVENTIONAL, FLUID])
    assert ("fluid sessions end 0 min after", CONVENTIONAL) not in found
    workload = tt.read_swf(kth.logs[KTH], processors="requested", remove="estimate <= 0")
    machine, easy = tt.Machine(processors=100), tt.Easy(extra_nodes=False, count_ties=False)
    rules: list[tuple[str, Overrun]] = [(zakay.AS_USED, "extend-blind"), ("overruns known: extend", "extend")]
    for name, overrun in rules:
        run = tt.simulate(workload, machine, easy, overrun=overrun)
        assert found[name, CONVENTIONAL] == pytest.approx(run.summary()["wait_mean_s"])
    assert found[zakay.AS_USED, FLUID] > found["fluid sessions end 0 min after", FLUID]


def test_a_choice_is_the_smallest_error_on_the_logs_that_choose() -> None:
    errors = {
        (name, FLUID, label): size
        for label, sizes in {"KTH": (0.1, -0.02), "CM5": (0.1, -0.02), "HPC2N": (0.1, 0.04), "BLUE": (0.0, 0.9)}.items()
        for name, size in zip((zakay.AS_USED, "overruns known: extend"), sizes, strict=True)
    }
    assert zakay.best(errors, FLUID) == "overruns known: extend"
    assert zakay.best(errors, FLUID, ["BLUE"]) == zakay.AS_USED
    assert zakay.best(errors, ADJUSTED) is None
    assert zakay.score(errors, zakay.AS_USED, FLUID, zakay.CHOSEN_ON) == pytest.approx(0.1)


def test_rows_of_zakay2014_say_where_their_rule_was_chosen_and_can_fail(kth: Findings, tmp_path: Path) -> None:
    """A tenth of a log says nothing about the paper: its rows are missed, and say what was tried."""
    claims = [each for each in REPRODUCTIONS["zakay2014"].claims if each.log == KTH]
    small = replace(REPRODUCTIONS["zakay2014"], draw=None, claims=claims)
    done = run_reproduction(small, kth.logs[KTH].parent, tmp_path)
    rows = {each.claim.row: each for each in done.verdicts if each.claim.table == "Table I"}
    assert {f"{KTH}, {model}" for model in MODELS} <= set(rows)
    assert {each.claim.judged for each in done.verdicts if each.verdict != "needs"} == {"fit"}
    assert {each.claim.judged for each in done.verdicts if each.claim.log == "BLUE"} == {"held out"}
    missed = rows[f"{KTH}, {CONVENTIONAL}"]
    assert (missed.verdict, missed.claim.value) == ("missed", TABLE_1[KTH, CONVENTIONAL])
    assert "14 others simulated" in missed.why
    assert assert_wrong_papers_turn_rows_red(done.verdicts) >= 20


def test_the_width_of_distribution_rows_follows_from_the_seeds(kth: Findings, tmp_path: Path) -> None:
    small = replace(REPRODUCTIONS["zakay2014"], draw=None, claims=[])
    done = run_reproduction(small, kth.logs[KTH].parent, tmp_path)
    (row,) = (each for each in done.verdicts if each.claim.log == KTH)
    assert row.claim.row == f"{KTH}, {DISTRIBUTION}"
    assert row.claim.allowed > 1.0
    assert "standard deviations" in row.claim.tolerance.reason  # type: ignore[union-attr]


def test_readings_of_madon2024_are_counted(kth: Findings, tmp_path: Path) -> None:
    (head, rows), written = try_readings(REPRODUCTIONS["madon2024"], kth.logs[KTH].parent, tmp_path)
    assert head == ("log", "reading", "same digits", "within tolerance", "missed")
    assert [row[1] for row in rows] == list(madon.READINGS)
    assert {sum(map(int, row[2:])) for row in rows} == {54 + 36 + 18}
    assert len({row[2:] for row in rows}) > 1
    with written.open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == [head, *rows]


def test_a_reproduction_without_readings_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="galleguillos2020 has no table of readings: leave out --readings"):
        try_readings(REPRODUCTIONS["galleguillos2020"], tmp_path, tmp_path)
