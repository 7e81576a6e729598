"""`thinktime run`: what it writes and says, streamed and in memory, once and again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cli.commands import Outcome, environment, small_log, thinktime
from thinktime import FCFS, Easy, Machine, Result, SessionReplay, read_swf, simulate


@pytest.fixture
def place(tmp_path: Path) -> Path:
    small_log(tmp_path / "small.swf")
    return tmp_path


def run(place: Path, *arguments: object, code: int = 0) -> Outcome:
    outcome = thinktime(place, "run", *arguments)
    assert (outcome.code, outcome.err) == (code, "")
    return outcome


def test_the_run_is_the_library_s(place: Path) -> None:
    run(
        place,
        "small.swf",
        "--scheduler",
        "easy:order=sjf",
        "--processors",
        64,
        "--out",
        "out",
        "--no-figures",
    )
    expected = simulate(read_swf(place / "small.swf"), Machine(processors=64), Easy(order="sjf"))
    assert Result.load(place / "out") == expected


def test_users_who_react(place: Path) -> None:
    """Their options are in run.json, the submissions are theirs, and the run passes the checks."""
    users = SessionReplay(threshold_min=30)
    options = ("--users", "session-replay:threshold_min=30", "--processors", 64, "--speed", 0.5)
    run(place, "small.swf", *options, "--scheduler", "fcfs", "--out", "out", "--no-figures")
    found = Result.load(place / "out")
    workload = read_swf(place / "small.swf")
    assert found == simulate(workload, Machine(processors=64, speed=0.5), FCFS(), users=users)
    assert found.spec["users"] == users.to_dict()
    assert not np.array_equal(found.columns["submit_s"], found.columns["recorded_submit_s"])
    assert thinktime(place, "check", "out").code == 0


def test_run_check_inspect(place: Path) -> None:
    outcome = run(place, "small.swf", "--out", "out", "--no-figures")
    checked = thinktime(place, "check", "out")
    inspected = thinktime(place, "inspect", "out")
    assert (checked.code, checked.out) == (0, "out: all 12 invariants hold for 200 jobs\n")
    assert "128 processors (MaxProcs in the log's header)" in outcome.out
    table = outcome.out[outcome.out.index("metric") : outcome.out.index("results")]
    assert table.rstrip() in inspected.out


def test_json_is_one_object(place: Path) -> None:
    found = run(place, "small.swf", "--json", "--warmup", "1h", "--csv", "--swf", "--batsim").json
    assert {"spec", "summary", "account", "statistics", "paths", "digest"} <= found.keys()
    assert found["summary"]["settings"]["warmup_s"] == 3600
    assert found["account"]["kept"] == 200
    directory = place / found["paths"]["run"]
    assert directory.name == f"small-easy-{found['digest'][:8]}"
    assert [Path(path).name for path in found["paths"]["exports"]] == [
        "schedule.swf",
        "jobs.csv",
        "batsim_jobs.csv",
    ]
    assert [Path(path).name for path in found["paths"]["figures"]] == ["run_overview.png"]
    for path in (*found["paths"]["exports"], *found["paths"]["figures"]):
        assert (place / path).stat().st_size > 0


def test_the_summary_states_its_window(place: Path) -> None:
    first = float(read_swf(place / "small.swf")["submit_s"][0])
    found = run(place, "small.swf", "--window", "1h:1d", "--no-figures", "--tau", "1m")
    counted = Result.load(next((place / "runs").iterdir())).summary(window=(3600.0, 86400.0), tau_s=60.0)
    assert first < 3600
    assert f"{counted['jobs_counted']:,} of 200 jobs" in found.out
    assert "window 60 min to 24 h;" in found.out
    assert "threshold 60 s" in found.out


@pytest.mark.parametrize("options", [[], ["--stream"]])
def test_the_summary_asked_for_is_stored(place: Path, options: list[str]) -> None:
    for window in ("1h:10h", "2h:10h"):  # the second finds the run of the first, if in memory
        asked = run(place, "small.swf", "--window", window, "--tau", "1m", "--no-figures", "--json", *options).json
        stored = json.loads((place / asked["paths"]["run"] / "run.json").read_text())
        assert stored["summary"] == asked["summary"]
        assert stored["summary"]["settings"]["tau_s"] == 60
        assert stored["summary_options"]["tau_s"] == 60
        assert thinktime(place, "check", asked["paths"]["run"]).code == 0


def test_the_same_run_is_found_again(place: Path) -> None:
    first = run(place, "small.swf", "--no-figures", "--json").json
    jobs = place / first["paths"]["run"] / "jobs.parquet"
    written = jobs.stat().st_mtime_ns
    again = run(place, "small.swf", "--no-figures", "--json", "--csv").json
    assert (first["already_there"], again["already_there"]) == (False, True)
    assert jobs.stat().st_mtime_ns == written
    assert (jobs.parent / "jobs.csv").is_file()
    assert again["summary"] == first["summary"]
    run(place, "small.swf", "--no-figures", "--overwrite")
    assert jobs.stat().st_mtime_ns != written


def test_another_run_has_another_directory(place: Path) -> None:
    variants = [[], ["--scheduler", "easy:order=sjf"], ["--until", "1d"], ["--speed", "2"], ["--remove", "runtime<100"]]
    for options in variants:
        run(place, "small.swf", "--no-figures", *options)
    names = [path.name for path in (place / "runs").iterdir()]
    assert len(names) == len(variants)
    assert [name for name in names if name.startswith("small-easy-order=sjf-")]


def test_a_stopped_run_says_so_and_is_checked(place: Path) -> None:
    outcome = run(place, "small.swf", "--no-figures", "--until", "1d", "--out", "stopped")
    assert "stopped before all jobs ended" in outcome.out
    assert thinktime(place, "check", "stopped").code == 0
    assert Result.load(place / "stopped").summary()["unfinished"]


def test_the_window_of_a_stopped_run_ends_at_the_stop(place: Path) -> None:
    found = run(place, "small.swf", "--no-figures", "--until", "10h", "--json").json
    submit = read_swf(place / "small.swf")["submit_s"]
    assert submit[-1] > 36000
    assert found["summary"]["settings"]["window_s"] == [submit[0], 36000]
    assert found["statistics"]["submitted_jobs"] == np.count_nonzero(submit <= 36000)
    again = run(place, "small.swf", "--no-figures", "--until", "10h", "--out", "again").out
    assert f"{np.count_nonzero(submit <= 36000)} jobs, " in again


def test_a_run_stopped_before_its_first_submission(place: Path) -> None:
    submit = read_swf(place / "small.swf")["submit_s"]
    found = run(place, "small.swf", "--no-figures", "--until", "0", "--json").json
    assert submit[0] > 0
    assert found["summary"]["settings"]["window_s"] == [0, 0]
    assert found["statistics"]["submitted_jobs"] == 0


def test_default_needs_no_log(tmp_path: Path) -> None:
    found = run(tmp_path, "default", "--seed", 3, "--scheduler", "fcfs", "--no-figures", "--json").json
    assert found["spec"]["workload"]["seed"] == 3
    assert found["spec"]["seed"] == 3
    assert found["spec"]["scheduler"] == FCFS().to_dict()


def test_a_log_is_found_by_its_name(place: Path) -> None:
    (place / "logs").mkdir()
    (place / "small.swf").rename(place / "logs" / "small.swf")
    assert run(place, "small", "--no-figures", "--json").json["account"]["log"] == "small"


def test_the_account_is_in_the_output(place: Path) -> None:
    with (place / "small.swf").open("a") as log:
        log.write("this is no job\n201 5000000 -1 -1 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n")
    outcome = run(place, "small.swf", "--no-figures")
    assert "200 of 201 jobs kept" in outcome.out
    assert "1 dropped: run time unknown or negative" in outcome.out
    assert "1 malformed lines skipped" in outcome.out
    assert "thinktime inspect small.swf --malformed" in outcome.out
    listed = thinktime(place, "inspect", "small.swf", "--malformed")
    assert "this is no job" in listed.out


def test_streamed_starts_are_those_in_memory(place: Path) -> None:
    small_log(place / "large.swf", jobs=30_000)
    run(place, "large.swf", "--no-figures", "--out", "whole")
    outcome = run(place, "large.swf", "--stream", "--out", "streamed", "--json")
    whole, streamed = Result.load(place / "whole").columns, Result.load(place / "streamed").columns
    by_job = np.argsort(streamed["job"])
    assert np.array_equal(streamed["job"][by_job], whole["job"])
    for column in ("submit_s", "start_s", "end_s"):
        assert np.array_equal(streamed[column][by_job], whole[column])
    assert outcome.json["statistics"]["events"] == 60_000


def test_a_streamed_run_is_found_again(place: Path) -> None:
    first = run(place, "small.swf", "--stream", "--json").json
    again = run(place, "small.swf", "--stream", "--json").json
    assert (first["already_there"], again["already_there"]) == (False, True)
    assert again["paths"] == first["paths"]
    assert "128 processors (MaxProcs in the log's header)" in run(place, "small.swf", "--stream").out


def test_a_generator_is_streamed_as_in_memory(place: Path) -> None:
    generated = ("lublin:jobs=3000", "--seed", 4, "--json")
    whole = run(place, *generated, "--no-figures", "--out", "whole").json
    streamed = run(place, *generated, "--stream", "--out", "streamed").json
    assert streamed["digest"] == whole["digest"]
    assert streamed["summary"]["wait_median_s"] == whole["summary"]["wait_median_s"]
    first, again = (run(place, *generated, "--stream").json["already_there"] for _ in range(2))
    assert (first, again) == (False, True)


def test_a_streamed_run_loads_no_data_frames_and_no_figures(place: Path) -> None:
    probe = (
        "import sys\n"
        "from thinktime.cli import main\n"
        "try:\n"
        "    main(['run', 'small.swf', '--stream', '--json'])\n"
        "except SystemExit as done:\n"
        "    assert not done.code\n"
        "heavy = [name for name in ('polars', 'matplotlib', 'scipy') if name in sys.modules]\n"
        "print(heavy, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=place,
        env=environment(place),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "[]\n"


def test_overwrite_is_refused_before_simulating(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "mine").mkdir()
    (place / "mine" / "run.json").write_text('{"my": "own"}')
    monkeypatch.setattr("thinktime.cli.log_argument.read", lambda *_: pytest.fail("the log was read"))
    outcome = thinktime(place, "run", "small.swf", "--out", "mine", "--overwrite")
    assert outcome.code == 2
    assert outcome.err == (
        "thinktime: mine holds no run.json of a run, so it is not replaced: choose another directory\n"
    )


def test_every_decision_time_is_written_when_asked_for(place: Path) -> None:
    found = run(place, "small.swf", "--no-figures", "--json").json
    sampled = Result.load(place / found["paths"]["run"])
    assert 0 < len(sampled.decisions) < found["statistics"]["passes"]
    outcome = thinktime(place, "run", "small.swf", "--no-figures", "--decisions")
    assert outcome.code == 2
    assert "has this run with a sample of decision times: add --overwrite or choose another --out" in outcome.err
    again = run(place, "small.swf", "--no-figures", "--decisions", "--overwrite", "--json").json
    assert again["digest"] == found["digest"]
    decisions = Result.load(place / again["paths"]["run"]).decisions_columns
    assert len(decisions["time_s"]) == again["statistics"]["passes"]
