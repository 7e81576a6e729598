"""Every count of what happened to jobs, followed from the engine's columns to each view of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.cautions.runs import KILLED, MACHINE, RUNS, idle, killed, rejected, workload
from tests.cli.commands import thinktime
from thinktime.metrics import KINDS, Cautions
from thinktime.metrics.caution_kinds import Kind

KINDS_OF_RUNS = sorted(RUNS)


def made(kind: str) -> tuple[tt.Result, int, int]:
    make, count, of = RUNS[kind]
    return make(), count, of


def test_the_engines_own_columns_have_these_counts() -> None:
    """The counts below are not those of the code under test."""
    status = {kind: np.bincount(made(kind)[0].columns["status"], minlength=4).tolist() for kind in KINDS_OF_RUNS}
    assert status["killed"] == [53, 7, 0, 0]
    assert status["rejected"] == [55, 0, 5, 0]
    assert status["clipped"] == status["over_estimate"] == status["no_estimate"] == [60, 0, 0, 0]
    assert status["stopped"] == [16, 0, 0, 44]
    assert status["lost"] == [59, 1, 0, 0]
    assert made("requeued")[0].attempts["outcome"].to_list() == ["requeued"]
    assert (made("clipped")[0].columns["processors"] == 8).sum() == 5


@pytest.mark.parametrize("kind", KINDS_OF_RUNS)
def test_from_columns_to_summary_and_its_words(kind: str) -> None:
    run, count, of = made(kind)
    found = next(each for each in run.cautions if each.name == kind)
    assert (found.count, found.of) == (count, of)
    assert run.cautions == run.summary().cautions
    assert found.share == pytest.approx(count / of)
    assert KINDS[kind].effect in found.sentence
    assert found.mark in repr(run)
    assert found.mark in repr(run.summary())
    assert " ".join(found.sentence.split()) in " ".join(str(run.summary()).split())
    assert found.mark in run.summary()._repr_html_()
    assert found.mark in run._repr_html_()


@pytest.mark.parametrize("kind", KINDS_OF_RUNS)
def test_the_mark_stands_beside_the_metrics_that_change_and_no_others(kind: str) -> None:
    run, _, _ = made(kind)
    mark = next(each.mark for each in run.cautions if each.name == kind)
    from thinktime.metrics import CATALOGUE

    lines = str(run.summary()).splitlines()[-len(run.summary().values) :]
    for name, line in zip(run.summary().values, lines, strict=True):
        if name in CATALOGUE.every_run():
            assert (mark in line) == (name in KINDS[kind].metrics), line


@pytest.mark.parametrize("kind", KINDS_OF_RUNS)
def test_to_run_json_and_commands(kind: str, tmp_path: Path) -> None:
    run, count, of = made(kind)
    run.save(tmp_path / "run")
    stored = json.loads((tmp_path / "run" / "run.json").read_text())["summary"]["cautions"][kind]
    assert (stored["count"], stored["of"], stored["metrics"]) == (count, of, sorted(KINDS[kind].metrics))
    assert tt.Result.load(tmp_path / "run").cautions == run.cautions
    sentence = next(each.sentence for each in run.cautions if each.name == kind)
    for command in ("inspect", "check"):
        told = thinktime(tmp_path, command, "run")
        assert told.code == 0, told.out
        assert sentence in " ".join(told.out.split())
        as_json = thinktime(tmp_path, command, "run", "--json").json
        said = as_json["summary"]["cautions"] if command == "inspect" else as_json["runs"][0]["cautions"]
        assert said[kind]["count"] == count


@pytest.mark.parametrize("kind", KINDS_OF_RUNS)
def test_to_captions_of_figures(kind: str) -> None:
    from thinktime import plots

    run, _, _ = made(kind)
    mark = next(each.mark for each in run.cautions if each.name == kind)
    assert mark in plots.run_overview(run).get_supxlabel()
    concerned = "wait_mean_s" in KINDS[kind].metrics
    assert (mark in plots.wait_distribution(run).get_supxlabel()) == concerned


@pytest.mark.parametrize("kind", ["killed", "rejected", "over_estimate", "no_estimate", "saturated"])
def test_to_comparisons(kind: str) -> None:
    make, count, of = RUNS[kind]
    run = make()
    found = tt.compare([run, run], metric="wait_mean_s", names=["a", "b"], by="day" if kind == "saturated" else "batch")
    amount = "1 of 1 runs" if kind == "saturated" else f"{count} of {of} jobs"
    assert f"{KINDS[kind].label.capitalize()}: {amount}" in " ".join(str(found).split())
    if KINDS[kind].strict or kind == "saturated":
        assert any(f"{KINDS[kind].label.capitalize()}: {amount}" in sentence for sentence in found.words())
    assert found.to_dict()["cautions"]["a"][kind]["count"] == count


def test_a_clean_run_says_nothing() -> None:
    run = tt.simulate(workload(), MACHINE, tt.Easy())
    assert run.cautions == Cautions()
    assert repr(run) == f"<Result {run.digest[:12]}: 60 jobs on 8 processors>"
    assert "[" not in str(run.summary())
    assert run.summary().to_dict()["cautions"] == {}


def test_the_command_that_hid_13069_kills(tmp_path: Path) -> None:
    """On a small log: the text beside the counts, the table, and JSON."""
    tt.write_swf(killed_log(), tmp_path / "log.swf")
    asked = ["run", "log.swf", "--processors", 8, "--overrun", "kill", "--no-figures", "--out", "run"]
    out = thinktime(tmp_path, *asked).out
    assert f"60 of 60 jobs, {KILLED} of them killed; excluded: none" in out
    assert f"{KILLED} of 60 jobs (11.7 %) were killed at their estimate" in out
    assert re.search(rf"wait, mean .* {KILLED} killed", out)
    assert re.search(rf"utilisation .* {KILLED} killed", out)
    as_json = thinktime(tmp_path, *asked, "--overwrite", "--json").json
    assert as_json["summary"]["cautions"]["killed"]["count"] == KILLED


def killed_log() -> tt.Workload:
    from tests.cautions.runs import run_longer

    return workload(**run_longer(KILLED))


# --- jobs that never end ------------------------------------------------------------------------------------


def test_a_scheduler_that_starts_nothing_is_warned_of() -> None:
    with pytest.warns(tt.OutcomeWarning, match=r"60 of 60 jobs \(100.0 %\) never ended: no job is left to count"):
        run = tt.simulate(workload(), MACHINE, idle())
    assert "60 unfinished" in repr(run)
    with pytest.raises(tt.StrictError, match=r"60 of 60 jobs .* never ended") as error:
        tt.simulate(workload(), MACHINE, idle(), strict=True)
    assert isinstance(error.value.result, tt.Result)
    assert len(error.value.result) == 60


def test_what_a_rule_asks_for_is_not_warned_of(recwarn: pytest.WarningsRecorder) -> None:
    killed(), rejected(), made("stopped")
    assert not [each for each in recwarn if issubclass(each.category, tt.OutcomeWarning)]


def test_strict_accepts_completed_jobs_only() -> None:
    assert {kind.name for kind in KINDS.values() if kind.strict} == {
        "unfinished",
        "never_submitted",
        "rejected",
        "killed",
        "killed_by_scheduler",
        "lost",
    }
    tt.simulate(workload(), MACHINE, tt.Easy(), strict=True)
    with pytest.raises(tt.StrictError, match="7 of 60 jobs"):
        tt.simulate(killed_log(), MACHINE, tt.Easy(), overrun="kill", strict=True)
    tt.simulate(killed_log(), MACHINE, tt.Easy(), strict=True)  # ran longer, but completed


def test_strict_on_the_command_line_writes_nothing(tmp_path: Path) -> None:
    tt.write_swf(killed_log(), tmp_path / "log.swf")
    asked = ["run", "log.swf", "--processors", 8, "--overrun", "kill", "--out", "run", "--strict"]
    for more in (["--no-figures"], ["--stream"]):
        told = thinktime(tmp_path, *asked, *more)
        assert told.code == 2
        assert "7 of 60 jobs (11.7 %) were killed at their estimate" in told.err
        assert not (tmp_path / "run").exists()
    until = thinktime(tmp_path, "run", "log.swf", "--processors", 8, "--until", 600, "--no-figures", "--strict")
    assert until.code == 0  # jobs are left because the run was stopped


def test_the_command_warns_of_jobs_that_never_end(tmp_path: Path) -> None:
    tt.write_swf(workload(), tmp_path / "log.swf")
    text = "import thinktime as tt\n\n\nclass Waits(tt.OwnScheduler):\n"
    text += "    def schedule(self, now_s, queue, running, machine):\n        return []\n"
    (tmp_path / "policy_that_waits.py").write_text(text)
    told = thinktime(tmp_path, "run", "log.swf", "--processors", 8, "--scheduler", "policy_that_waits:Waits")
    assert told.code == 0
    assert "thinktime: warning: 60 of 60 jobs (100.0 %) never ended" in told.err
    assert "60 of 60 jobs (100.0 %) never ended" in told.out


# --- streams, windows, readers ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"overrun": "kill"}, {}, {"oversized": "clip"}])
def test_streams_count_what_memory_counts(options: dict[str, Any], tmp_path: Path) -> None:
    from tests.cautions.runs import larger, run_longer, without_estimate

    log = workload(**{**larger(5), **run_longer(9), **without_estimate(3)})
    tt.write_swf(log, tmp_path / "log.swf")
    read = tt.read_swf(tmp_path / "log.swf")
    summary = tt.simulate_stream(
        tt.stream_swf(tmp_path / "log.swf", block_bytes=64), MACHINE, tt.Easy(), tmp_path / "run", **options
    )
    assert summary.cautions == tt.simulate(read, MACHINE, tt.Easy(), **options).cautions
    assert len(summary.cautions) >= 3


def test_saturated_streams() -> None:
    from thinktime.metrics import Accumulator

    for run, expected in ((made("saturated")[0], 1), (killed(), 0)):
        found = Accumulator(1)
        for begin in range(0, len(run), 100):
            found.add({name: values[begin : begin + 100] for name, values in run.columns.items()})
        assert found.summary().cautions.count("saturated") == run.cautions.count("saturated") == expected


def test_a_window_counts_its_own_jobs() -> None:
    run = killed()  # the first seven jobs, one a minute
    late = run.summary(window=(180.0, None)).cautions
    assert late.count("killed") == 4
    assert next(iter(late)).of == 57
    assert run.cautions.count("killed") == 7


def test_what_the_reader_changed_and_left_out(tmp_path: Path) -> None:
    lines = ["; MaxProcs: 8", "1 0 0 30 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1"]
    lines += ["2 5 0 -1 1 -1 -1 1 10 -1 0 1 1 -1 -1 -1 -1 -1", "rubbish"]
    (tmp_path / "log.swf").write_text("\n".join(lines) + "\n")
    base = tt.simulate(tt.read_swf(tmp_path / "log.swf"), MACHINE, tt.Easy()).cautions
    assert (base.count("left_out"), base.count("malformed")) == (1, 1)
    assert "run time unknown or negative: 1" in " ".join(base.sentences())
    pyss = tt.simulate(tt.read_swf(tmp_path / "log.swf", filter="pyss"), MACHINE, tt.Easy()).cautions
    assert pyss.count("repaired") == 2  # both, although one is changed for two reasons
    assert pyss.count("left_out") == 0


def test_run_times_cut_at_the_longest_estimate_are_reported() -> None:
    log = workload(**{**run_longer_than_an_hour(), "requested_time_s": np.full(60, np.nan)})
    run = tt.simulate(tt.with_estimates(log, max_estimate_s=3600, longer="cut"), MACHINE, tt.Easy())
    assert run.cautions.count("repaired") == 6
    assert "run time cut at the longest estimate: 6" in " ".join(run.cautions.sentences())


def run_longer_than_an_hour() -> dict[str, Any]:
    """The first six jobs."""
    return {"run_s": np.where(np.arange(60) < 6, 7200.0, 30.0 + np.arange(60))}


@pytest.mark.parametrize(
    ("name", "value", "sound"), [("sentence", "x", True), ("because", "x", False), ("of", 7, False)]
)
def test_counts_and_reasons_are_checked_and_sentences_are_not(
    tmp_path: Path, name: str, value: object, sound: bool
) -> None:
    """A version that words a sentence differently must not call older runs wrong."""
    killed().save(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    content = json.loads(path.read_text())
    content["summary"]["cautions"]["killed"][name] = value
    path.write_text(json.dumps(content))
    assert (tt.check(tt.Result.load(tmp_path / "run")) == []) == sound


def test_old_runs_without_stored_counts_are_sound(tmp_path: Path) -> None:
    killed().save(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    content = json.loads(path.read_text())
    content["summary"]["cautions"]["killed"]["count"] = 0
    path.write_text(json.dumps(content))
    assert "run.json says cautions" in str(tt.check(tt.Result.load(tmp_path / "run"))[0])
    del content["summary"]["cautions"]
    path.write_text(json.dumps(content))
    assert tt.check(tt.Result.load(tmp_path / "run")) == []


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_names_known_metrics_and_reads_as_a_sentence(kind: Kind) -> None:
    from thinktime.metrics import CATALOGUE, Caution

    assert kind.metrics
    assert set(kind.metrics) <= set(CATALOGUE.every_run())
    for count in (1, 2):
        sentence = Caution(kind.name, count, 3).sentence
        assert sentence.endswith(".")
        assert "  " not in sentence
