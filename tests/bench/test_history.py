"""Saved measurements and their comparison."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import thinktime
from thinktime.errors import InputError
from thinktime_bench import Measurement, history


def saved(path: Path, **values: float) -> Path:
    """Rows named after units: `rate` is M jobs/s, `time` is s."""
    units = {"rate": "M jobs/s", "time": "s"}
    details = {"jobs": 100, "events": 200, "mean_wait_s": 1.5}
    rows = [Measurement("engine", name, value, units[name], details=details) for name, value in values.items()]
    history.save(history.content_of(rows), path)
    return path


def test_ratios_say_how_much_better_a_row_became(tmp_path: Path) -> None:
    before, after = saved(tmp_path / "a.json", rate=2.0, time=1.0), saved(tmp_path / "b.json", rate=3.0, time=2.0)
    rate, time = history.compare(before, after)
    assert (rate.ratio, rate.verdict) == (1.5, "better")
    assert (time.ratio, time.verdict) == (0.5, "worse")


@pytest.mark.parametrize(("value", "verdict"), [(1.09, "same"), (0.93, "same"), (1.2, "worse"), (0.8, "better")])
def test_changes_within_the_noise_are_no_changes(tmp_path: Path, value: float, verdict: str) -> None:
    before, after = saved(tmp_path / "a.json", time=1.0), saved(tmp_path / "b.json", time=value)
    assert history.compare(before, after)[0].verdict == verdict


def test_of_a_folder_the_best_counts_and_its_spread_is_noise(tmp_path: Path) -> None:
    for number, value in enumerate((1.0, 1.5)):
        saved(tmp_path / "before" / f"{number}.json", time=value)
    (change,) = history.compare(tmp_path / "before", saved(tmp_path / "after.json", time=1.4))
    assert (change.before, change.noise, change.verdict) == (1.0, 0.5, "same")


def test_other_work_is_seen(tmp_path: Path) -> None:
    before, after = saved(tmp_path / "a.json", time=1.0), saved(tmp_path / "b.json", time=0.5)
    content = json.loads(after.read_text())
    content["measurements"][0]["events"] = 199
    after.write_text(json.dumps(content))
    assert not history.compare(before, after)[0].same_work
    assert history.compare(before, before)[0].same_work


def test_files_that_cannot_be_compared(tmp_path: Path) -> None:
    here = saved(tmp_path / "a.json", time=1.0)
    (tmp_path / "bad.json").write_text("{}")
    (tmp_path / "empty").mkdir()
    for other, words in {
        "bad.json": "not a file of thinktime bench --save",
        "missing.json": "Cannot open",
        "empty": "no .json file",
    }.items():
        with pytest.raises(InputError, match=words):
            history.compare(here, tmp_path / other)
    with pytest.raises(InputError, match="in common"):
        history.compare(here, saved(tmp_path / "c.json", rate=1.0))
    with pytest.raises(InputError, match="exists"):
        history.save({}, here)


def test_the_command_saves_and_compares(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        assert thinktime(tmp_path, "bench", "--quick", "--only", "scanner", "--save", name).code == 0
    done = thinktime(tmp_path, "bench", "--compare", "a.json", "b.json", "--json")
    (change,) = done.json["changes"]
    assert change["part"] == "scanner"
    assert change["same_work"] is True
    assert change["verdict"] in thinktime(tmp_path, "bench", "--compare", "a.json", "b.json").out
    refused = thinktime(tmp_path, "bench", "--quick", "--only", "scanner", "--save", "a.json")
    assert (refused.code, refused.out) == (2, "")
